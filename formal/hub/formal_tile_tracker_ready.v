// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_ready: all arrived is offered once between two restarts, after the context has settled and its ready ring
// is empty; each event that leaves a ring is offered, in that order; what is offered stays.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"
module formal_tile_tracker_ready #(
    parameter CONTEXTS = 1
) (
    input wire                             clk,
    input wire                             rst,
    input wire [CONTEXTS - 1:0]            failed,
    input wire [CONTEXTS - 1:0]            fails,
    input wire [CONTEXTS - 1:0]            stop,
    input wire [CONTEXTS - 1:0]            restart,
    input wire [CONTEXTS - 1:0]            settled,
    input wire [3 * CONTEXTS - 1:0]        filled,
    input wire [9:0]                       ready_word,
    input wire [9:0]                       computed_word,
    input wire [2:0]                       token_word,
    input wire                             look_take,
    input wire                             look_valid,
    input wire [`MOEHUB_TILE_WIDTH - 1:0]  tile,
    input wire                             ready
);
`include "formal_reset.vh"
    wire [2:0]                                    pop;
    wire [2:0]                                    pop_context;
    wire                                          look_ask;
    wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0]     look;
    wire [CONTEXTS - 1:0]                         held;
    wire                                          all_arrived;
    wire                                          valid;
    wire [`MOEHUB_READY_EVENT_WIDTH - 1:0]        data;
    moehub_tile_tracker_ready #(.CONTEXTS(CONTEXTS), .TILE_WIDTH(2), .TOKEN_WIDTH(2)) u_ready (
        .clk(clk), .rst(rst), .own(10'd0), .rounds({CONTEXTS{4'd0}}), .owner_shifts({CONTEXTS{5'd2}}), .failed(failed),
        .fails(fails), .stop(stop), .restart(restart), .settled(settled), .filled(filled), .pop(pop),
        .pop_context(pop_context), .ready_word(ready_word), .computed_word(computed_word), .token_word(token_word),
        .look_ask(look_ask), .look_take(look_take), .look(look), .look_valid(look_valid), .tile(tile), .held(held),
        .all_arrived(all_arrived), .m_axis_ready_tvalid(valid), .m_axis_ready_tready(ready), .m_axis_ready_tdata(data)
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_READY_EVENT_WIDTH)) u_stream (
        .clk(clk), .rst(rst), .valid(valid), .ready(ready), .data(data)
    );

    // ---- one context ---------------------------------------------------------------------------------------------------------
    (* anyconst *) wire [2:0] c;
    always @* assume (c < CONTEXTS);
    wire [1:0]  kind;
    wire        event_failed;
    wire [2:0]  its_context;
    wire [67:0] unused_rest;
    assign {unused_rest, its_context, event_failed, kind} = data;
    // Restart comes while stop is high and nothing is held; a settled context stays settled, its ring empty.
    reg settled_q = 1'b0;
    reg empty_q   = 1'b0; // settled with an empty ring before
    always @(posedge clk) begin
        settled_q <= settled[c] && !rst && !restart[c];
        empty_q   <= settled[c] && !filled[c] && !rst && !restart[c];
    end
    always @* begin
        assume (!restart[c] || (stop[c] && !held[c]));
        assume (!settled_q || settled[c]);
        assume (!empty_q || !filled[c]);
    end

    reg       told_q  = 1'b0; // all arrived was told since the last restart
    reg [1:0] ready_q = 2'd0; // settled and the ring empty: two cycles ago
    reg       owed_q  = 1'b0; // an event left a ring and was not offered
    reg       fresh_q = 1'b0; // an event begins to be offered
    reg       was_q   = 1'b0;
    reg [1:0] owed_kind_q;
    wire      begins = valid && (!was_q);
    wire      tells  = all_arrived && its_context == c;
    always @(posedge clk) begin
        told_q  <= (told_q || tells) && !rst && !restart[c];
        ready_q <= {ready_q[0], settled[c] && !filled[c]} & {2{!rst}};
        was_q   <= valid && !ready && !rst;
        if (pop != 3'd0) owed_kind_q <= pop[0] ? 2'd0 : pop[1] ? 2'd1 : 2'd2;
        owed_q  <= !rst && (pop != 3'd0 || (owed_q && !begins));
    end

    always @* if (started_q) begin
        all_once:    assert (!(tells && told_q));
        all_settled: assert (!tells || (valid && kind == 2'd`MOEHUB_READY_ALL_ARRIVED && ready_q[1]));
        one_event:   assert (!(owed_q && pop != 3'd0) && (pop & (pop - 3'd1)) == 3'd0);
        as_popped:   assert (!begins || (owed_q ? kind == owed_kind_q : kind == 2'd`MOEHUB_READY_ALL_ARRIVED));
    end
    always @* begin
        all_told:   cover (tells);
        told_again: cover (tells && started_q && was_told_q);
        tile_told:  cover (begins && owed_q && kind == 2'd0);
        token_told: cover (begins && owed_q && kind == 2'd2);
    end
    reg was_told_q = 1'b0; // before a restart
    always @(posedge clk) was_told_q <= (was_told_q || (told_q && restart[c])) && !rst;
endmodule
`default_nettype wire
