// SPDX-License-Identifier: Apache-2.0
// Purpose: leading zeros of a word of 128 bits or fewer: counts of neighbouring blocks join pair by pair.
// Contract: count = zeros above the highest one; WIDTH for the zero word (WIDTH 128: 127).
// How: level l knows of the 2^l bits from each place up whether there is a one, and the zeros above it: l bits, each in a
//   word of its own, so that a level is a few operations on words and simulates fast. Only every 2^l-th place leads to
//   the count: the gates of the others go in synthesis.
// Cost: combinational, ceil(log2 (WIDTH + 1)) levels of one 2:1 selection.
// Limits: WIDTH 1..128.
// Proved: formal/arithmetic/formal_finalize.v
`default_nettype none

module moehub_finalize_leading_zeros #(
    parameter WIDTH = 55
) (
    input  wire [WIDTH - 1:0] word,
    output wire [6:0]         count
);
    localparam LEVELS = (WIDTH == 128) ? 7 : $clog2(WIDTH + 1);
    localparam SIZE   = 1 << LEVELS;

    // Ones below the word stop the count at WIDTH.
    wire [SIZE + WIDTH - 1:0] extended = {word, {SIZE{1'b1}}};

    genvar l;
    genvar k;
    generate
        for (l = 0; l <= LEVELS; l = l + 1) begin : g_level
            localparam HALF   = (1 << l) / 2;
            localparam PLACES = SIZE + 1 - (1 << l);
            wire [PLACES - 1:0] has_one;
            if (l == 0) begin : g_bits
                assign has_one = extended[WIDTH +: SIZE];
            end else begin : g_join
                wire [PLACES - 1:0] upper = g_level[l - 1].has_one[HALF +: PLACES];
                assign has_one            = upper | g_level[l - 1].has_one[0 +: PLACES];
            end
            for (k = 0; k < l; k = k + 1) begin : g_zeros
                wire [PLACES - 1:0] bits;
                if (k == l - 1) begin : g_new
                    assign bits = ~g_join.upper;
                end else begin : g_chosen
                    assign bits = (g_join.upper & g_level[l - 1].g_zeros[k].bits[HALF +: PLACES])
                                | (~g_join.upper & g_level[l - 1].g_zeros[k].bits[0 +: PLACES]);
                end
                wire unused = &{1'b0, bits};
            end
            wire unused = &{1'b0, has_one};
        end
        for (k = 0; k < 7; k = k + 1) begin : g_count
            if (k < LEVELS) begin : g_bit
                assign count[k] = g_level[LEVELS].g_zeros[k].bits;
            end else begin : g_none
                assign count[k] = 1'b0;
            end
        end
    endgenerate

    wire unused = &{1'b0, extended[WIDTH - 1:0]};
endmodule

`default_nettype wire
