// SPDX-License-Identifier: Apache-2.0
// Purpose: word + 1, with a carry tree of logarithmic depth: synthesis makes a ripple chain of an adder whose operand is
//   constant.
// Contract: sum = word + 1, modulo 2^WIDTH.
// Cost: combinational, ceil(log2 WIDTH) + 2 levels.
// Limits: WIDTH 2..128.
// Proved: formal/arithmetic/formal_finalize.v
`default_nettype none

module moehub_finalize_increment #(
    parameter WIDTH = 55
) (
    input  wire [WIDTH - 1:0] word,
    output wire [WIDTH - 1:0] sum
);
    localparam LEVELS = $clog2(WIDTH);

    // After level l, bit i of a block of 2^l bits is the AND of the block's bits from i down.
    genvar l;
    genvar n;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : g_level
            for (n = 0; (n << l) < WIDTH; n = n + 1) begin : g_block
                localparam HALF = (1 << l) / 2;
                localparam BITS = (((n + 1) << l) <= WIDTH) ? (1 << l) : WIDTH - (n << l);
                wire [BITS - 1:0] ones;
                if (l == 0) begin : g_bit
                    assign ones = word[n];
                end else if (BITS > HALF) begin : g_join
                    wire [HALF - 1:0] lower = g_level[l - 1].g_block[2 * n].ones;
                    assign ones = {g_level[l - 1].g_block[2 * n + 1].ones & {(BITS - HALF){lower[HALF - 1]}}, lower};
                end else begin : g_keep
                    assign ones = g_level[l - 1].g_block[2 * n].ones;
                end
            end
        end
    endgenerate

    wire [WIDTH - 1:0] ones = g_level[LEVELS].g_block[0].ones;
    assign sum              = word ^ {ones[WIDTH - 2:0], 1'b1};

    wire unused = ones[WIDTH - 1];
endmodule

`default_nettype wire
