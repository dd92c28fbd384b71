// SPDX-License-Identifier: Apache-2.0
// Purpose: which way a lookup uses, and what the set's replacement state becomes.
// Contract:
//   1. way (one-hot) = the way that hit; on a miss the lowest invalid way; with none, the policy's victim (evict is high).
//   2. POLICY 0, tree pseudo-LRU: node i has children 2i+1 (lower ways) and 2i+2; bit 0 = the victim is in the lower half.
//      Every lookup sets the bits on the way's path to point away from it.
//   3. POLICY 1, FIFO: a pointer that advances by one modulo WAYS when it supplied the victim.
//   4. State 0 is the initial state of both.
// Cost: combinational.
// Proved: formal/hub/formal_al_tags.v, with the tags
`default_nettype none
`include "moehub_hub.vh"

module moehub_replacement #(
    parameter WAYS   = 4, // 1..8, a power of two for POLICY 0
    parameter POLICY = 0  // 0 tree pseudo-LRU, 1 FIFO
) (
    input  wire [`MOEHUB_REPLACEMENT_WIDTH(WAYS, POLICY) - 1:0] state,
    input  wire [WAYS - 1:0]                                    valid,
    input  wire [WAYS - 1:0]                                    hit,
    output wire [WAYS - 1:0]                                    way,
    output wire                                                 miss,
    output wire                                                 evict,
    output wire [`MOEHUB_REPLACEMENT_WIDTH(WAYS, POLICY) - 1:0] next_state
);
    generate
        if (WAYS < 1 || WAYS > 8) WAYS_must_be_1_to_8 u_rule ();
        if (POLICY != 0 && POLICY != 1) REPLACEMENT_must_be_0_or_1 u_rule ();
        if (POLICY == 0 && (WAYS & (WAYS - 1)) != 0) pseudo_LRU_needs_WAYS_a_power_of_two u_rule ();
    endgenerate

    localparam STATE_WIDTH = `MOEHUB_REPLACEMENT_WIDTH(WAYS, POLICY);

    wire [WAYS - 1:0] lowest_invalid;
    moehub_lowest_one #(.WIDTH(WAYS)) u_invalid (.bits(~valid), .lowest(lowest_invalid));
    wire [WAYS - 1:0] victim;

    wire full = &valid;
    assign miss  = ~|hit;
    assign evict = miss && full;
    assign way   = miss ? (full ? victim : lowest_invalid) : hit;

    // Bit w: way w is below node `node` of the tree, on side `upper`.
    function [7:0] below(input integer node, input integer upper);
        integer first;
        integer span;
        integer w;
        begin
            // The node's level spans WAYS >> level ways a node; nodes of a level start at 2^level - 1.
            span  = WAYS;
            first = node;
            for (w = 0; w < 3; w = w + 1)
                if (node + 1 >= (2 << w)) begin
                    span  = span / 2;
                    first = node - ((2 << w) - 1);
                end
            first = first * span;
            for (w = 0; w < 8; w = w + 1)
                below[w] = w >= first + upper * (span / 2) && w < first + (upper + 1) * (span / 2);
        end
    endfunction

    genvar i;
    generate
        if (WAYS == 1) begin : g_direct
            assign victim     = 1'b1;
            assign next_state = state;
        end else if (POLICY == 0) begin : g_tree
            wire [(WAYS - 1) * WAYS - 1:0] leads; // node i's bit does not exclude way w
            for (i = 0; i < WAYS - 1; i = i + 1) begin : g_node
                localparam [7:0] LOWER = below(i, 0);
                localparam [7:0] UPPER = below(i, 1);
                assign leads[i * WAYS +: WAYS] = state[i] ? ~LOWER[WAYS - 1:0] : ~UPPER[WAYS - 1:0];
                wire in_lower = |(way & LOWER[WAYS - 1:0]);
                wire in_upper = |(way & UPPER[WAYS - 1:0]);
                assign next_state[i] = in_lower || in_upper ? in_lower : state[i];
            end
            for (i = 0; i < WAYS; i = i + 1) begin : g_way
                wire [WAYS - 2:0] open;
                genvar n;
                for (n = 0; n < WAYS - 1; n = n + 1) begin : g_above
                    assign open[n] = leads[n * WAYS + i];
                end
                assign victim[i] = &open;
            end
        end else begin : g_fifo
            localparam [31:0] LAST = WAYS - 1;
            localparam [STATE_WIDTH - 1:0] ONE = 1;
            for (i = 0; i < WAYS; i = i + 1) begin : g_way
                localparam [31:0] NAME = i;
                assign victim[i] = state == NAME[STATE_WIDTH - 1:0];
            end
            assign next_state = !evict ? state : state == LAST[STATE_WIDTH - 1:0] ? {STATE_WIDTH{1'b0}} : state + ONE;
        end
    endgenerate
endmodule

`default_nettype wire
