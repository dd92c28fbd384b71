// SPDX-License-Identifier: Apache-2.0
// Purpose: the position of the one in a one-hot vector.
// Contract:
//   1. index is the position of the only 1 of one_hot; 0 when there is none. Of several ones, the bitwise OR of their positions.
// Cost: combinational: an OR tree over half of the vector for each bit of index.
// Proved: formal/common/formal_one_hot_index.v
`default_nettype none
`include "moehub_width.vh"

module moehub_one_hot_index #(
    parameter WIDTH = 4 // 1..
) (
    input  wire [WIDTH - 1:0]                      one_hot,
    output wire [`MOEHUB_INDEX_WIDTH(WIDTH) - 1:0] index
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    genvar b;
    genvar i;
    generate
        for (b = 0; b < `MOEHUB_INDEX_WIDTH(WIDTH); b = b + 1) begin : g_bit
            wire [WIDTH - 1:0] member;
            for (i = 0; i < WIDTH; i = i + 1) begin : g_member
                assign member[i] = one_hot[i] && (i >> b) % 2 == 1;
            end
            assign index[b] = |member;
        end
    endgenerate
endmodule

`default_nettype wire
