// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps the highest of each of several levels since reset.
// Contract: mark i is, in the cycle after, the highest that level i was since reset.
// Cost: LEVELS * 16 flops and comparisons.
`default_nettype none

module moehub_high_water #(
    parameter LEVELS = 2 // 1..
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [LEVELS * 16 - 1:0] levels,
    output wire [LEVELS * 16 - 1:0] marks
);
    generate
        if (LEVELS < 1) LEVELS_must_be_at_least_1 u_rule ();
    endgenerate

    genvar i;
    generate
        for (i = 0; i < LEVELS; i = i + 1) begin : g_level
            reg [15:0] mark_q;

            wire [15:0] level = levels[i * 16 +: 16];

            assign marks[i * 16 +: 16] = mark_q;

            always @(posedge clk) begin
                if (level > mark_q) mark_q <= level;
                if (rst) mark_q <= 16'd0;
            end
        end
    endgenerate
endmodule

`default_nettype wire
