// SPDX-License-Identifier: Apache-2.0
// Purpose: leading zeros of a word of 128 bits or fewer: counts of neighbouring blocks join pair by pair.
// Contract: count = zeros above the highest one; WIDTH for the zero word (WIDTH 128: 127).
// Cost: combinational, ceil(log2 WIDTH) levels of one 2:1 selection.
// Limits: WIDTH 1..128.
// Proved: formal/arithmetic/formal_finalize.v
`default_nettype none

module moehub_finalize_leading_zeros #(
    parameter WIDTH = 55
) (
    input  wire [WIDTH - 1:0] word,
    output wire [6:0]         count
);
    // Ones below the word stop the count at WIDTH.
    wire [128 + WIDTH - 1:0] extended = {word, {128{1'b1}}};

    // After level l: of each block of 2^l bits whether it has a one, and the zeros above that in 7 bits.
    genvar l;
    genvar b;
    generate
        for (l = 0; l <= 7; l = l + 1) begin : g_level
            localparam BLOCKS = 128 >> l;
            wire       [BLOCKS - 1:0]     has_one;
            wire       [7 * BLOCKS - 1:0] zeros;
            if (l == 0) begin : g_bits
                assign has_one = extended[WIDTH +: 128];
                assign zeros   = {(7 * 128){1'b0}};
            end else begin : g_join
                for (b = 0; b < BLOCKS; b = b + 1) begin : g_block
                    wire       upper         = g_level[l - 1].has_one[2 * b + 1];
                    wire [6:0] upper_here    = g_level[l - 1].zeros[7 * (2 * b + 1) +: 7];
                    wire [6:0] lower_here    = g_level[l - 1].zeros[7 * (2 * b) +: 7] | (7'd1 << (l - 1));
                    assign has_one[b]        = upper || g_level[l - 1].has_one[2 * b];
                    assign zeros[7 * b +: 7] = upper ? upper_here : lower_here;
                end
            end
        end
    endgenerate

    assign count = g_level[7].zeros;

    wire unused = &{1'b0, extended[WIDTH - 1:0], g_level[7].has_one};
endmodule

`default_nettype wire
