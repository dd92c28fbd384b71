// SPDX-License-Identifier: Apache-2.0
// Leading zeros of a word of 128 bits or fewer, level by level.
//
// Contract: `count` = zeros above the highest one, for a word that has a one; WIDTH - 1 or more for the zero word.
// Cost: combinational, 7 levels. Limits: WIDTH 1..128.
`default_nettype none
module moehub_finalize_leading_zeros #(
    parameter WIDTH = 55
) (
    input  wire [WIDTH-1:0] word,
    output wire [6:0]       count
);
    // Ones below the word stop the count at WIDTH.
    wire [128+WIDTH-1:0] extended = {word, {128{1'b1}}};
    wire [127:0]         level0   = extended[WIDTH +: 128];

    wire        zero64 = (level0[127:64] == 64'd0);
    wire [63:0] level1 = zero64 ? level0[63:0] : level0[127:64];
    wire        zero32 = (level1[63:32] == 32'd0);
    wire [31:0] level2 = zero32 ? level1[31:0] : level1[63:32];
    wire        zero16 = (level2[31:16] == 16'd0);
    wire [15:0] level3 = zero16 ? level2[15:0] : level2[31:16];
    wire        zero8  = (level3[15:8] == 8'd0);
    wire [7:0]  level4 = zero8 ? level3[7:0] : level3[15:8];
    wire        zero4  = (level4[7:4] == 4'd0);
    wire [3:0]  level5 = zero4 ? level4[3:0] : level4[7:4];
    wire        zero2  = (level5[3:2] == 2'd0);
    wire [1:0]  level6 = zero2 ? level5[1:0] : level5[3:2];
    wire        zero1  = !level6[1];

    // Bits stay separate wires up to here: a self-indexed vector would look like a loop to simulators.
    assign count = {zero64, zero32, zero16, zero8, zero4, zero2, zero1};

    wire unused = &{1'b0, extended[WIDTH-1:0], level6[0]};
endmodule
`default_nettype wire
