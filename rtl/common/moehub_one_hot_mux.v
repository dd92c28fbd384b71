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

    genvar b;
    genvar i;
    generate
        for (b = 0; b < WIDTH; b = b + 1) begin : g_bit
            wire [WAYS - 1:0] chosen;
            for (i = 0; i < WAYS; i = i + 1) begin : g_way
                assign chosen[i] = select[i] && words[i * WIDTH + b];
            end
            assign word[b] = |chosen;
        end
    endgenerate
endmodule

`default_nettype wire
