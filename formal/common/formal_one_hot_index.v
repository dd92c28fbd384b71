// SPDX-License-Identifier: Apache-2.0
// moehub_one_hot_index: for every position, a vector with its only one there has that index; none has 0.
`default_nettype none
`include "moehub_width.vh"
module formal_one_hot_index #(
    parameter WIDTH = 3
) (
    input wire [WIDTH - 1:0] one_hot,
    input wire [31:0]        place
);
    localparam [WIDTH - 1:0] ONE = 1;
    wire [`MOEHUB_INDEX_WIDTH(WIDTH) - 1:0] index;
    moehub_one_hot_index #(.WIDTH(WIDTH)) u_index (.one_hot(one_hot), .index(index));

    wire only = place < WIDTH && one_hot == ONE << place;
    always @* begin
        right_index: assert ((!only || index == place) && (|one_hot || index == 0));
        last_one:    cover (only && place == WIDTH - 1);
    end
endmodule
`default_nettype wire
