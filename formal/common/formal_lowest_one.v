// SPDX-License-Identifier: Apache-2.0
// moehub_lowest_one: for every position, the output has a one there exactly if the input has, and none below it.
`default_nettype none
module formal_lowest_one #(
    parameter WIDTH = 3
) (
    input wire [WIDTH - 1:0] bits,
    input wire [31:0]        place
);
    localparam [WIDTH - 1:0] ONE = 1;
    wire [WIDTH - 1:0] lowest;
    moehub_lowest_one #(.WIDTH(WIDTH)) u_lowest (.bits(bits), .lowest(lowest));

    wire here  = place < WIDTH && bits[place];
    wire below = |(bits & ((ONE << place) - ONE));
    always @* begin
        right_one: assert (place >= WIDTH || lowest[place] == (here && !below));
        two_ones:  cover (WIDTH == 1 || (here && below));
    end
endmodule
`default_nettype wire
