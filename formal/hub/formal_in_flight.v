// SPDX-License-Identifier: Apache-2.0
// moehub_in_flight: the solver watches one context; what is inside of it is counted here, beside the design, as
// rtl/doc/address_path.md has it: a request that names no context counts as one of context 0. Answers come in any order of
// contexts.
`default_nettype none
`include "moehub_width.vh"
module formal_in_flight #(
    parameter CONTEXTS = 2,
    parameter PENDING  = 1,
    parameter WAITING  = 2,
    parameter ANSWERS  = 2
) (
    input wire                                       clk,
    input wire                                       rst,
    input wire                                       request_valid,
    input wire                                       request_ready,
    input wire [2:0]                                 request_context,
    input wire                                       value_valid,
    input wire                                       answer_valid,
    input wire                                       answer_ready,
    input wire [2:0]                                 answer_context,
    input wire [PENDING - 1:0]                       give,
    input wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] give_context,
    input wire [PENDING - 1:0]                       unanswered
);
`include "formal_reset.vh"
    wire                  front_empty;
    wire [CONTEXTS - 1:0] in_flight;
    moehub_in_flight #(.CONTEXTS(CONTEXTS), .PENDING(PENDING), .WAITING(WAITING), .ANSWERS(ANSWERS)) u_in_flight (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_ready(request_ready), .request_context(request_context),
        .value_valid(value_valid), .answer_valid(answer_valid), .answer_ready(answer_ready), .answer_context(answer_context),
        .give(give), .give_context(give_context), .unanswered(unanswered), .front_empty(front_empty), .in_flight(in_flight)
    );

    // ---- requests of the watched context, and of all others; what the front holds -----------------------------------
    wire [2:0] watched = $anyconst;
    wire       accept  = request_valid && request_ready && !rst;
    wire       answer  = answer_valid && answer_ready && !rst;
    wire       enter   = accept
        && (request_context < CONTEXTS ? request_context == watched : watched == 3'd0);
    wire       leave   = answer
        && (answer_context < CONTEXTS ? answer_context == watched : watched == 3'd0);
    reg  [2:0] mine_q = 3'd0, others_q = 3'd0, front_q = 3'd0;
    reg        foreign_q = 1'b0; // the last that entered named no context

    // ---- operations -------------------------------------------------------------------------------------------------
    reg  [PENDING - 1:0] given_q = 0, watched_q; // entries given before; to the watched context
    wire operation = |(unanswered & watched_q) && !rst;
    integer e;
    always @(posedge clk) begin
        for (e = 0; e < PENDING; e = e + 1)
            if (give[e]) {given_q[e], watched_q[e]} <= {1'b1, {29'd0, give_context} == {29'd0, watched}};
        if (rst) given_q <= 0;
    end

    always @* begin
        assume (watched < CONTEXTS && give_context < CONTEXTS);
        assume (!leave || mine_q != 3'd0);
        assume (!(answer && !leave) || others_q != 3'd0);
        assume (!accept || mine_q + others_q < WAITING + ANSWERS);
        assume (!value_valid || (front_q != 3'd0 && !rst));
        assume (!accept || front_q < WAITING);
        assume ((unanswered & ~given_q) == 0);
    end

    reg mine_1_q = 1'b0, mine_2_q = 1'b0, operation_1_q = 1'b0, told_q = 1'b0;
    always @(posedge clk) begin
        mine_q   <= mine_q + {2'd0, enter} - {2'd0, leave};
        others_q <= others_q + {2'd0, accept && !enter} - {2'd0, answer && !leave};
        front_q  <= front_q + {2'd0, accept} - {2'd0, value_valid};
        if (enter) foreign_q <= request_context >= CONTEXTS;
        {mine_1_q, mine_2_q} <= {mine_q != 3'd0, mine_1_q};
        operation_1_q <= operation;
        told_q        <= told_q || in_flight[watched];
        if (rst) {mine_q, others_q, front_q, foreign_q, mine_1_q, mine_2_q, operation_1_q, told_q} <= 0;
    end

    always @* if (started_q && !reset_q) begin
        told:     assert (!(mine_1_q || operation_1_q) || in_flight[watched]);
        quiet:    assert (mine_1_q || mine_2_q || operation_1_q || !in_flight[watched]);
        front_is: assert (front_empty == (front_q == 3'd0));
    end
    always @* begin
        foreign:     cover (foreign_q && mine_1_q && in_flight[watched] && watched == 3'd0);
        operation_on: cover (operation_1_q && mine_q == 3'd0 && in_flight[watched]);
        quiet_again: cover (told_q && !in_flight[watched]);
        front_full:  cover (front_q == WAITING);
    end
endmodule
`default_nettype wire
