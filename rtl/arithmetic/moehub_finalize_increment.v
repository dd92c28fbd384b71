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

    // After level l, bit i is the AND of word[i] down to the start of its block of 2^l bits.
    genvar l;
    genvar i;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : g_level
            wire [WIDTH - 1:0] ones;
            if (l == 0) begin : g_word
                assign ones = word;
            end else begin : g_blocks
                for (i = 0; i < WIDTH; i = i + 1) begin : g_bit
                    if ((i >> (l - 1)) % 2 == 1) begin : g_join
                        assign ones[i] = g_level[l - 1].ones[i] && g_level[l - 1].ones[((i >> (l - 1)) << (l - 1)) - 1];
                    end else begin : g_keep
                        assign ones[i] = g_level[l - 1].ones[i];
                    end
                end
            end
        end
    endgenerate

    assign sum = word ^ {g_level[LEVELS].ones[WIDTH - 2:0], 1'b1};

    wire unused = g_level[LEVELS].ones[WIDTH - 1];
endmodule

`default_nettype wire
