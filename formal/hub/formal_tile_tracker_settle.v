// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_settle: one sweep at a time, begun by what asks for it; SETTLE goes through the regions in order and a
// region's tiles from 0 on, CLEAR through a context's entries; each operation once, and settled or cleared only when the last of
// a whole sweep has left the pipeline.
`default_nettype none
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_settle #(
    parameter CONTEXTS      = 2,
    parameter LOCAL_EXPERTS = 2
) (
    input wire                       clk,
    input wire                       rst,
    input wire [CONTEXTS - 1:0]      settle,
    input wire [CONTEXTS - 1:0]      settle_late,
    input wire [CONTEXTS - 1:0]      stop,
    input wire [CONTEXTS - 1:0]      restart,
    input wire                       clear,
    input wire [2:0]                 clear_context,
    input wire [CONTEXTS * 16 - 1:0] tile_firsts,
    input wire [CONTEXTS * 17 - 1:0] tile_counts,
    input wire                       turn, // its turn comes, if it asks
    input wire                       past,
    input wire [15:0]                past_expert
);
`include "formal_reset.vh"
    localparam IN_PIPELINE = 11; // cycles from a turn on in which its operation may be in pipeline or ring, and one more

    wire                                      ask;
    wire                                      take = turn && ask;
    wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] operation;
    wire [CONTEXTS - 1:0]                     settled;
    wire                                      cleared;
    wire [CONTEXTS - 1:0]                     sweeping;
    moehub_tile_tracker_settle #(.CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS)) u_settle (
        .clk(clk), .rst(rst), .settle(settle), .settle_late(settle_late), .stop(stop), .restart(restart), .clear(clear),
        .clear_context(clear_context), .tile_firsts(tile_firsts), .tile_counts(tile_counts), .ask(ask), .take(take),
        .operation(operation), .past(past), .past_expert(past_expert), .settled(settled), .cleared(cleared), .sweeping(sweeping)
    );
    wire [2:0]  kind;
    wire [2:0]  named_context;
    wire [15:0] expert;
    wire [31:0] place;
    wire [5:0]  source;
    wire [7:0]  value;
    wire        late;
    assign `MOEHUB_TILE_OPERATION(kind, named_context, expert, place, source, value, late) = operation;

    // ---- what asks for a sweep, a cycle ago ------------------------------------------------------------------------------
    reg  [CONTEXTS - 1:0]      sweeping_q     = {CONTEXTS{1'b0}};
    reg  [CONTEXTS - 1:0]      wants_clear_q  = {CONTEXTS{1'b0}};
    reg  [CONTEXTS - 1:0]      wants_settle_q = {CONTEXTS{1'b0}};
    reg  [CONTEXTS * 16 - 1:0] firsts_q;
    reg  [CONTEXTS * 17 - 1:0] counts_q;
    integer c;
    always @(posedge clk) begin
        sweeping_q <= sweeping & {CONTEXTS{!rst}};
        for (c = 0; c < CONTEXTS; c = c + 1) wants_clear_q[c] <= !rst && clear && clear_context == c && !cleared;
        wants_settle_q <= settle & ~settled & ~stop & ~restart & {CONTEXTS{!rst}};
        firsts_q       <= tile_firsts;
        counts_q       <= tile_counts;
    end
    wire begins = sweeping != {CONTEXTS{1'b0}} && sweeping_q == {CONTEXTS{1'b0}};
    wire clears = |(sweeping & wants_clear_q); // in a cycle that begins

    // ---- the sweep, as the page has it -----------------------------------------------------------------------------------
    reg                  its_clear_q;
    reg  [15:0]          its_expert_q;
    reg  [16:0]          its_tile_q;
    reg  [16:0]          its_left_q;          // CLEAR: entries without their turn
    reg                  its_end_q  = 1'b0;   // SETTLE: the last region is left
    reg                  its_stop_q = 1'b0;   // it was stopped
    reg  [3:0]           since_q    = 4'd15;  // cycles since its last turn
    reg  [3:0]           still_q    = 4'd0;   // cycles of a sweep without asking
    reg  [15:0]          begin_first;
    reg  [16:0]          begin_count;
    always @* begin
        begin_first = 16'd0;
        begin_count = 17'd0;
        for (c = 0; c < CONTEXTS; c = c + 1) if (sweeping[c]) begin
            begin_first = firsts_q[c * 16 +: 16];
            begin_count = counts_q[c * 17 +: 17];
        end
    end
    wire        its_clear  = begins ? clears : its_clear_q;
    wire [15:0] its_expert = begins ? 16'd0 : its_expert_q;
    wire [16:0] its_tile   = !begins ? its_tile_q : clears ? {1'b0, begin_first} : 17'd0;
    wire [16:0] its_left   = begins ? begin_count : its_left_q;
    wire        its_end    = !begins && its_end_q;
    wire        its_stop   = !begins && its_stop_q;
    wire        stops      = |(sweeping & stop) && !its_clear;
    wire        leaves     = sweeping != {CONTEXTS{1'b0}} && !its_clear && !its_end && !its_stop
        && past && past_expert == its_expert;
    always @(posedge clk) begin
        its_clear_q  <= its_clear;
        its_expert_q <= leaves ? its_expert + 16'd1 : its_expert;
        its_tile_q   <= leaves ? 17'd0 : its_tile + {16'd0, take};
        its_left_q   <= its_left - {16'd0, take};
        its_end_q    <= its_end || (leaves && !stops && {16'd0, its_expert} == LOCAL_EXPERTS - 1);
        its_stop_q   <= its_stop || (stops && !its_end);
        since_q      <= take ? 4'd1 : since_q == 4'd15 ? 4'd15 : since_q + 4'd1;
        still_q      <= ask || sweeping == {CONTEXTS{1'b0}} ? 4'd0 : still_q + 4'd1;
        if (rst) begin
            since_q <= 4'd15;
            still_q <= 4'd0;
        end
    end

    // ---- what was, a cycle ago -------------------------------------------------------------------------------------------
    reg                  asked_q = 1'b0; // it asked without a turn, and had no reason to stop
    reg  [CONTEXTS - 1:0] settled_q = {CONTEXTS{1'b0}};
    reg  [CONTEXTS - 1:0] restart_q = {CONTEXTS{1'b0}};
    reg                  whole_q   = 1'b0; // of the sweep of a cycle ago: SETTLE came to its end
    reg                  all_q     = 1'b0; // ... CLEAR had a turn for each entry
    reg                  clear_q   = 1'b0; // ... is CLEAR
    always @(posedge clk) begin
        asked_q   <= ask && !take && !leaves && !rst;
        settled_q <= rst ? {CONTEXTS{1'b0}} : settled;
        restart_q <= restart;
        whole_q   <= its_end && !its_clear && !rst;
        all_q     <= its_left == 17'd0 && its_clear && !rst;
        clear_q   <= its_clear;
    end
    // Known of every state: without it the engine counts one by one. A block of mutants has no names inside.
`ifdef FORMAL_MUTANTS
    wire agrees = 1'b1;
`else
    (* hierconn *) wire [16:0] \u_settle.left_q ;
    (* hierconn *) wire        \u_settle.clears_q ;
    (* hierconn *) wire [15:0] \u_settle.expert_q ;
    wire agrees = sweeping == {CONTEXTS{1'b0}} || (its_left == \u_settle.left_q && its_clear == \u_settle.clears_q
        && (its_clear || its_end || its_stop || its_expert == \u_settle.expert_q ));
`endif
    wire ends   = sweeping_q != {CONTEXTS{1'b0}} && sweeping == {CONTEXTS{1'b0}};

    always @* if (started_q) begin
        one_sweep:    assert ((sweeping & (sweeping - 1'b1)) == {CONTEXTS{1'b0}});
        begins_why:   assert (!begins || (sweeping & ~(wants_clear_q | wants_settle_q)) == {CONTEXTS{1'b0}});
        begins_then:  assert (sweeping != {CONTEXTS{1'b0}} || sweeping_q != {CONTEXTS{1'b0}}
            || (wants_clear_q | wants_settle_q) == {CONTEXTS{1'b0}});
        stays:        assert (begins || ends || sweeping == sweeping_q);
        is_kind:      assert (!ask || kind == (its_clear ? `MOEHUB_TILE_CLEAR : `MOEHUB_TILE_SETTLE));
        is_place:     assert (!ask || place == {15'd0, its_tile});
        is_expert:    assert (!ask || its_clear || expert == its_expert);
        is_context:   assert (!ask || sweeping == ({{CONTEXTS - 1{1'b0}}, 1'b1} << named_context));
        is_late:      assert (!ask || its_clear || late == |(sweeping & settle_late));
        asks_why:     assert (agrees && (!ask || (its_clear ? its_left != 17'd0 : !its_end && !its_stop && !stops)));
        ask_stays:    assert (agrees && (!asked_q || ask || (stops && !its_clear)));
        asks_then:    assert (!begins || ask || (its_clear ? its_left == 17'd0 : stops));
        drains:       assert (!ends || since_q > IN_PIPELINE);
        // the end is seen in the cycle after, and left behind IN_PIPELINE cycles later
        ends_in_time: assert (still_q <= IN_PIPELINE + 1);
        settles_why:  assert ((settled & ~settled_q & ~(sweeping_q & {CONTEXTS{ends && whole_q}})) == {CONTEXTS{1'b0}});
        settles_then: assert (!(ends && whole_q) || (sweeping_q & ~settled & ~restart_q) == {CONTEXTS{1'b0}});
        settled_kept: assert ((settled_q & ~restart_q & ~settled) == {CONTEXTS{1'b0}});
        restarts:     assert ((settled & restart_q) == {CONTEXTS{1'b0}});
        clears_why:   assert (agrees && (!cleared || (ends && all_q)));
        clears_then:  assert (!(ends && clear_q) || cleared);
    end
    always @* begin
        settled_one:  cover (started_q && settled[CONTEXTS - 1] && |(settle & ~settled));
        cleared_two:  cover (started_q && cleared && its_tile_q[1:0] == 2'd3 && its_clear_q);
        stopped:      cover (started_q && ends && its_stop_q && !its_clear_q);
        restarted:    cover (started_q && |(settled_q & restart_q));
        second:       cover (started_q && take && expert == 16'd1 && place == 32'd1 && late);
    end
endmodule
`default_nettype wire
