// SPDX-License-Identifier: Apache-2.0
// Purpose: one of WAYS words, by a one-hot vector.
// Contract:
//   1. word is word i of words where select[i] is the only 1; 0 when there is none. Of several ones, the OR of their words.
// Cost: combinational: an AND and an OR tree over WAYS for each bit.
// Proved: formal/common/formal_one_hot_mux.v
`default_nettype none

module moehub_one_hot_mux #(
    parameter WIDTH = 8, // 1..
    parameter WAYS  = 4  // 1..
) (
    input  wire [WAYS - 1:0]         select,
    input  wire [WAYS * WIDTH - 1:0] words,
    output wire [WIDTH - 1:0]        word
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
        if (WAYS < 1) WAYS_must_be_at_least_1 u_rule ();
    endgenerate

    localparam BITS = WIDTH < 1 ? 1 : WIDTH; // so that the rule above is what stops a width of 0

    // Pair by pair, and words whole: bit by bit it simulates several times as long.
    genvar l;
    genvar n;
    generate
        for (l = 0; l <= $clog2(WAYS); l = l + 1) begin : g_level
            for (n = 0; n == 0 || (n << l) < WAYS; n = n + 1) begin : g_node
                wire [BITS - 1:0] chosen;
                if (l == 0) begin : g_way
                    assign chosen = {BITS{select[n]}} & words[n * BITS +: BITS];
                end else if (((2 * n + 1) << (l - 1)) < WAYS) begin : g_pair
                    assign chosen = g_level[l - 1].g_node[2 * n].chosen | g_level[l - 1].g_node[2 * n + 1].chosen;
                end else begin : g_single
                    assign chosen = g_level[l - 1].g_node[2 * n].chosen;
                end
            end
        end
    endgenerate

    assign word = g_level[$clog2(WAYS)].g_node[0].chosen;
endmodule

`default_nettype wire
