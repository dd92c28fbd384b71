// SPDX-License-Identifier: Apache-2.0
// Purpose: tells which of a crossbar's inputs have the fullest stores.
// Contract:
//   1. A store's level is the five highest bits of its count of free places, all bits where there are fewer: 16 levels at least
//      of a store of 16 places or more.
//   2. fullest[i] in x + 1: the level of input i in x is at most the lowest one of all inputs in x - 2.
// Cost: a register for each level, and for each input a decoder of its level and a comparison.
// Proved: formal/switch/formal_fullest_inputs.v
`default_nettype none
`include "moehub_width.vh"

module moehub_fullest_inputs #(
    parameter PORTS  = 8,   // 1..64
    parameter PLACES = 2048 // 1..8191: of each store
) (
    input  wire                                                 clk,
    input  wire                                                 rst,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] free_places,
    output wire [PORTS - 1:0]                                   fullest
);
    generate
        if (PORTS < 1 || PORTS > 64) PORTS_must_be_1_to_64 u_rule ();
        if (PLACES < 1 || PLACES > 8191) PLACES_must_be_1_to_8191 u_rule ();
    endgenerate

    localparam COUNT_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam LEVEL_WIDTH = COUNT_WIDTH < 5 ? COUNT_WIDTH : 5;
    localparam LEVELS      = 1 << LEVEL_WIDTH;

    reg  [LEVELS - 1:0]      there_q;  // levels that an input had in the last cycle
    reg  [LEVEL_WIDTH - 1:0] lowest_q; // ... the lowest of those of the cycle before
    reg  [PORTS - 1:0]       fullest_q;
    wire [LEVELS - 1:0]      there;
    wire [LEVELS - 1:0]      lowest;
    wire [LEVEL_WIDTH - 1:0] lowest_index;
    wire [PORTS - 1:0]       lowest_ones;
    wire [PORTS * LEVEL_WIDTH - 1:0] levels; // by input

    genvar i;
    genvar l;
    generate
        for (l = 0; l < LEVELS; l = l + 1) begin : g_level
            localparam [31:0] LEVEL = l;
            wire [PORTS - 1:0] inputs;
            for (i = 0; i < PORTS; i = i + 1) begin : g_input
                assign inputs[i] = levels[i * LEVEL_WIDTH +: LEVEL_WIDTH] == LEVEL[LEVEL_WIDTH - 1:0];
            end
            assign there[l] = |inputs;
        end
        for (i = 0; i < PORTS; i = i + 1) begin : g_input
            assign levels[i * LEVEL_WIDTH +: LEVEL_WIDTH] = free_places[(i + 1) * COUNT_WIDTH - 1 -: LEVEL_WIDTH];
            assign lowest_ones[i] = levels[i * LEVEL_WIDTH +: LEVEL_WIDTH] <= lowest_q;
            if (COUNT_WIDTH > LEVEL_WIDTH) begin : g_low
                wire unused_low = &{1'b0, free_places[i * COUNT_WIDTH +: COUNT_WIDTH - LEVEL_WIDTH]};
            end
        end
    endgenerate

    moehub_lowest_one #(.WIDTH(LEVELS)) u_lowest (.bits(there_q), .lowest(lowest));
    moehub_one_hot_index #(.WIDTH(LEVELS)) u_index (.one_hot(lowest), .index(lowest_index));

    always @(posedge clk) begin
        there_q   <= there;
        lowest_q  <= lowest_index;
        fullest_q <= lowest_ones;
        if (rst) begin
            there_q   <= {LEVELS{1'b0}};
            lowest_q  <= {LEVEL_WIDTH{1'b0}};
            fullest_q <= {PORTS{1'b0}};
        end
    end

    assign fullest = fullest_q;
endmodule

`default_nettype wire
