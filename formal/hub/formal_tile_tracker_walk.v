// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_walk: one sweep at a time, begun by what asks for it; a context's words 0 .. length - 1, each once and in
// order, EXPIRE once between two restarts; a sweep ends only when its last operation has left the pipeline.
`default_nettype none
module formal_tile_tracker_walk #(
    parameter CONTEXTS = 2
) (
    input wire                       clk,
    input wire                       rst,
    input wire [CONTEXTS - 1:0]      expire,
    input wire [CONTEXTS - 1:0]      stop,
    input wire [CONTEXTS - 1:0]      restart,
    input wire                       clear,
    input wire [2:0]                 clear_context,
    input wire [CONTEXTS * 17 - 1:0] lengths,
    input wire                       turn // its turn comes, if it asks
);
`include "formal_reset.vh"
    localparam IN_PIPELINE = 12; // cycles from a turn on in which its operation may be in pipeline or ring, and two more

    wire                  ask;
    wire                  take = turn && ask;
    wire                  clears;
    wire [2:0]            named_context;
    wire [16:0]           number;
    wire                  cleared;
    wire [CONTEXTS - 1:0] sweeping;
    moehub_tile_tracker_walk #(.CONTEXTS(CONTEXTS)) u_walk (
        .clk(clk), .rst(rst), .expire(expire), .stop(stop), .restart(restart), .clear(clear), .clear_context(clear_context),
        .lengths(lengths), .ask(ask), .take(take), .clears(clears), .named_context(named_context), .number(number),
        .cleared(cleared), .sweeping(sweeping)
    );

    // ---- what asks for a sweep, a cycle ago ------------------------------------------------------------------------------
    reg  [CONTEXTS - 1:0]      expired_q      = {CONTEXTS{1'b0}}; // a sweep of EXPIRE has begun since the last restart
    reg  [CONTEXTS - 1:0]      sweeping_q     = {CONTEXTS{1'b0}};
    reg  [CONTEXTS - 1:0]      wants_clear_q  = {CONTEXTS{1'b0}};
    reg  [CONTEXTS - 1:0]      wants_expire_q = {CONTEXTS{1'b0}};
    reg  [CONTEXTS * 17 - 1:0] lengths_q;
    wire                       begins = sweeping != {CONTEXTS{1'b0}} && sweeping_q == {CONTEXTS{1'b0}};
    wire [CONTEXTS - 1:0]      expired = expired_q | (sweeping & {CONTEXTS{begins && !clears}});
    integer c;
    always @(posedge clk) begin
        sweeping_q <= sweeping & {CONTEXTS{!rst}};
        expired_q  <= rst ? {CONTEXTS{1'b0}} : expired & ~restart;
        for (c = 0; c < CONTEXTS; c = c + 1) wants_clear_q[c] <= !rst && clear && clear_context == c && !cleared;
        wants_expire_q <= expire & ~expired & ~stop & ~restart & {CONTEXTS{!rst}};
        lengths_q      <= lengths;
    end

    // ---- the sweep, as the page has it -----------------------------------------------------------------------------------
    reg         its_clear_q;
    reg  [16:0] its_number_q;
    reg  [16:0] its_left_q;         // words without their turn
    reg         its_stop_q = 1'b0;
    reg  [3:0]  since_q    = 4'd15; // cycles since its last turn
    reg  [3:0]  still_q    = 4'd0;  // cycles of a sweep without asking
    reg  [16:0] begin_length;
    always @* begin
        begin_length = 17'd0;
        for (c = 0; c < CONTEXTS; c = c + 1) if (sweeping[c]) begin_length = lengths_q[c * 17 +: 17];
    end
    wire        its_clear  = begins ? |(sweeping & wants_clear_q) : its_clear_q;
    wire [16:0] its_number = begins ? 17'd0 : its_number_q;
    wire [16:0] its_left   = begins ? begin_length : its_left_q;
    wire        its_stop   = !begins && its_stop_q;
    wire        stops      = |(sweeping & stop) && !its_clear;
    reg         all_q   = 1'b0; // a cycle ago: each word had its turn
    reg         clear_q = 1'b0; // ... the sweep was CLEAR
    always @(posedge clk) begin
        its_clear_q  <= its_clear;
        its_number_q <= its_number + {16'd0, take};
        its_left_q   <= its_left - {16'd0, take};
        its_stop_q   <= its_stop || stops;
        since_q      <= take ? 4'd1 : since_q == 4'd15 ? 4'd15 : since_q + 4'd1;
        still_q      <= ask || sweeping == {CONTEXTS{1'b0}} ? 4'd0 : still_q + 4'd1;
        all_q        <= its_left == 17'd0 && !rst;
        clear_q      <= its_clear && !rst;
        if (rst) begin
            since_q <= 4'd15;
            still_q <= 4'd0;
        end
    end
    // Known of every state: without it the engine counts one by one. A block of mutants has no names inside.
`ifdef FORMAL_MUTANTS
    wire agrees = 1'b1;
`else
    (* hierconn *) wire        \u_walk.took_q ;
    (* hierconn *) wire        \u_walk.some_q ;
    (* hierconn *) wire        \u_walk.more_q ;
    (* hierconn *) wire [16:0] \u_walk.left_q ;
    wire agrees = sweeping == {CONTEXTS{1'b0}} || (its_left == \u_walk.left_q - {16'd0, \u_walk.took_q }
        && \u_walk.some_q == ( \u_walk.left_q != 17'd0) && \u_walk.more_q == ( \u_walk.left_q > 17'd1));
`endif
    wire ends   = sweeping_q != {CONTEXTS{1'b0}} && sweeping == {CONTEXTS{1'b0}};

    always @* if (started_q) begin
        one_sweep:    assert ((sweeping & (sweeping - 1'b1)) == {CONTEXTS{1'b0}});
        begins_why:   assert (!begins || (sweeping & ~(wants_clear_q | wants_expire_q)) == {CONTEXTS{1'b0}});
        begins_then:  assert (sweeping != {CONTEXTS{1'b0}} || sweeping_q != {CONTEXTS{1'b0}}
            || (wants_clear_q | wants_expire_q) == {CONTEXTS{1'b0}});
        stays:        assert (begins || ends || sweeping == sweeping_q);
        is_kind:      assert (sweeping == {CONTEXTS{1'b0}} || clears == its_clear);
        is_number:    assert (!ask || number == its_number);
        is_context:   assert (!ask || sweeping == ({{CONTEXTS - 1{1'b0}}, 1'b1} << named_context));
        asks:         assert (agrees && ask == (sweeping != {CONTEXTS{1'b0}} && its_left != 17'd0 && !its_stop && !stops));
        drains:       assert (!ends || since_q > IN_PIPELINE);
        // the end is seen in the cycle after, and left behind IN_PIPELINE cycles later
        ends_in_time: assert (still_q <= IN_PIPELINE);
        clears_why:   assert (agrees && (!cleared || (ends && all_q && clear_q)));
        clears_then:  assert (!(ends && clear_q) || cleared);
    end
    // ---- reached ---------------------------------------------------------------------------------------------------------
    reg [CONTEXTS - 1:0] restarted_q = {CONTEXTS{1'b0}}; // after it had expired
    always @(posedge clk) restarted_q <= rst ? {CONTEXTS{1'b0}} : restarted_q | (expired & restart);
    always @* begin
        cleared_three: cover (started_q && cleared && its_number_q == 17'd3);
        stopped:       cover (started_q && ends && its_stop_q && its_left_q != 17'd0 && its_number_q == 17'd1);
        expires_twice: cover (started_q && begins && !clears && |(sweeping & restarted_q));
    end
endmodule
`default_nettype wire
