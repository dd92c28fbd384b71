// SPDX-License-Identifier: Apache-2.0
// Purpose: one level of a carry-save tree: every three rows become two with the same sum.
// Contract:
//   1. The sum of the output rows equals that of the input rows modulo 2^WIDTH. Two rows or one pass unchanged.
// Cost: combinational, one full adder deep.
// Proved: formal/arithmetic/formal_multiply_add.v, within the multiplication
`default_nettype none
`include "moehub_arithmetic.vh"

module moehub_carry_save_level #(
    parameter ROWS  = 3, // 1..
    parameter WIDTH = 48 // 2..
) (
    input  wire [ROWS * WIDTH - 1:0]                           rows,
    output wire [`MOEHUB_CARRY_SAVE_ROWS(ROWS) * WIDTH - 1:0] sums
);
    generate
        if (ROWS < 1) ROWS_must_be_at_least_1 u_rule ();
        if (WIDTH < 2) WIDTH_must_be_at_least_2 u_rule ();
    endgenerate

    genvar i;
    generate
        for (i = 0; i < ROWS / 3; i = i + 1) begin : g_adder
            wire [WIDTH - 1:0] a = rows[(3 * i) * WIDTH +: WIDTH];
            wire [WIDTH - 1:0] b = rows[(3 * i + 1) * WIDTH +: WIDTH];
            wire [WIDTH - 1:0] c = rows[(3 * i + 2) * WIDTH +: WIDTH];
            wire [WIDTH - 1:0] carry = (a & b) | (c & (a | b));
            wire               unused_carry = carry[WIDTH - 1];
            assign sums[(2 * i) * WIDTH +: WIDTH]     = a ^ b ^ c;
            assign sums[(2 * i + 1) * WIDTH +: WIDTH] = {carry[WIDTH - 2:0], 1'b0};
        end
        for (i = 0; i < ROWS % 3; i = i + 1) begin : g_pass
            assign sums[(2 * (ROWS / 3) + i) * WIDTH +: WIDTH] = rows[(3 * (ROWS / 3) + i) * WIDTH +: WIDTH];
        end
    endgenerate
endmodule

`default_nettype wire
