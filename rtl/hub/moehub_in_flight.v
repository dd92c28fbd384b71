// SPDX-License-Identifier: Apache-2.0
// Purpose: what is in flight in the address path.
// Contract:
//   1. front_empty: the pending table has passed every request that was accepted (value_valid tells of one).
//   2. in_flight[c]: a request of context c was accepted and has no answer yet, or a table operation of c is unanswered; it
//      follows the accepted request by two cycles, an answer or the end of an operation by three. A request that names no
//      context counts as one of context 0, so that everything inside is in flight somewhere.
//   3. give tells, one-hot, which entry is taken for an operation of give_context; `unanswered` which entries are in flight.
// Cost: CONTEXTS counters, PENDING contexts with CONTEXTS comparators each.
// Proved: formal/hub/formal_in_flight.v
`default_nettype none
`include "moehub_width.vh"

module moehub_in_flight #(
    parameter CONTEXTS = 4,
    parameter PENDING  = 64,
    parameter WAITING  = 128,
    parameter ANSWERS  = 32  // answers on their way out
) (
    input  wire                                       clk,
    input  wire                                       rst,
    input  wire                                       request_valid,
    input  wire                                       request_ready,
    input  wire [2:0]                                 request_context,
    input  wire                                       value_valid,
    input  wire                                       answer_valid,
    input  wire                                       answer_ready,
    input  wire [2:0]                                 answer_context,
    input  wire [PENDING - 1:0]                       give,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] give_context,
    input  wire [PENDING - 1:0]                       unanswered,
    output wire                                       front_empty,
    output wire [CONTEXTS - 1:0]                      in_flight
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam FRONT_WIDTH   = `MOEHUB_INDEX_WIDTH(WAITING) + 1;
    localparam COUNT_WIDTH   = $clog2(WAITING + ANSWERS + 8);
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [FRONT_WIDTH - 1:0] FRONT_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;

    // ---- the front --------------------------------------------------------------------------------------------------
    wire accept = request_valid && request_ready;
    reg  [FRONT_WIDTH - 1:0] front_q; // requests accepted that the pending table has not passed
    assign front_empty = front_q == {FRONT_WIDTH{1'b0}};

    always @(posedge clk) begin
        if (accept && !value_valid) front_q <= front_q + FRONT_ONE;
        if (value_valid && !accept) front_q <= front_q - FRONT_ONE;
        if (rst) front_q <= {FRONT_WIDTH{1'b0}};
    end

    // ---- requests and operations per context ------------------------------------------------------------------------
    reg                                 s1_answered_q;
    reg [2:0]                           s1_context_q;
    reg [PENDING * CONTEXT_WIDTH - 1:0] contexts_q; // of each entry's operation
    reg [CONTEXTS - 1:0]                in_flight_q;
    wire [CONTEXTS - 1:0]               requests_in_flight;
    wire [CONTEXTS - 1:0]               operations_in_flight;
    assign in_flight = in_flight_q;

    always @(posedge clk) begin
        s1_answered_q <= answer_valid && answer_ready;
        if (rst) s1_answered_q <= 1'b0;
    end
    always @(posedge clk) begin
        s1_context_q <= answer_context;
    end

    function [2:0] counted_as(input [2:0] context_named);
        counted_as = {29'd0, context_named} < CONTEXTS_32 ? context_named : 3'd0;
    endfunction

    genvar c;
    genvar e;
    generate
        for (e = 0; e < PENDING; e = e + 1) begin : g_entry
            always @(posedge clk) begin
                if (give[e]) contexts_q[e * CONTEXT_WIDTH +: CONTEXT_WIDTH] <= give_context;
            end
        end
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NAME = c;
            reg  [COUNT_WIDTH - 1:0] count_q;
            wire [PENDING - 1:0]     member;
            wire enter = accept && counted_as(request_context) == NAME[2:0];
            wire leave = s1_answered_q && counted_as(s1_context_q) == NAME[2:0];
            for (e = 0; e < PENDING; e = e + 1) begin : g_member
                assign member[e] = unanswered[e] && contexts_q[e * CONTEXT_WIDTH +: CONTEXT_WIDTH] == NAME[CONTEXT_WIDTH - 1:0];
            end
            assign operations_in_flight[c] = |member;
            assign requests_in_flight[c]   = count_q != {COUNT_WIDTH{1'b0}};
            always @(posedge clk) begin
                if (enter && !leave) count_q <= count_q + COUNT_ONE;
                if (leave && !enter) count_q <= count_q - COUNT_ONE;
                in_flight_q[c] <= requests_in_flight[c] || operations_in_flight[c];
                if (rst) begin
                    count_q        <= {COUNT_WIDTH{1'b0}};
                    in_flight_q[c] <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
