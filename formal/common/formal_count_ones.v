// SPDX-License-Identifier: Apache-2.0
// moehub_count_ones: no bits give 0, and one bit more gives one more: so by induction over the ones the count is right.
`default_nettype none
module formal_count_ones #(
    parameter WIDTH = 3
) (
    input wire [WIDTH - 1:0] bits,
    input wire [WIDTH - 1:0] more // its lowest one is the bit that is added
);
    wire [6:0] count;
    wire [6:0] count_more;
    wire [WIDTH - 1:0] added = more & (~more + 1) & ~bits;
    moehub_count_ones #(.WIDTH(WIDTH)) u_count (.bits(bits), .count(count));
    moehub_count_ones #(.WIDTH(WIDTH)) u_more (.bits(bits | added), .count(count_more));

    always @* begin
        right_count: assert ((|bits || count == 0) && (~|added || count_more == count + 1));
        all_ones:    cover (|added && &(bits | added) && count_more == WIDTH);
    end
endmodule
`default_nettype wire
