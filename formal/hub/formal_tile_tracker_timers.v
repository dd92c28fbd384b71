// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_timers: a context has arrived exactly when its counts agree and its own closes were sent, or when time
// is up, once a round; SETTLE begins with nothing in flight or by the timer, EXPIRE by its timer alone.
`default_nettype none
`include "moehub_width.vh"
module formal_tile_tracker_timers #(
    parameter CONTEXTS = 1,
    parameter WATCHED  = 0, // the context that is looked at
    parameter GPUS     = 2
) (
    input wire                         clk,
    input wire                         rst,
    input wire [CONTEXTS - 1:0]        restart,
    input wire [CONTEXTS - 1:0]        enabled,
    input wire [CONTEXTS - 1:0]        has_arrived,
    input wire [CONTEXTS * GPUS - 1:0] peers,
    input wire [CONTEXTS * 32 - 1:0]   arrival_timeouts,
    input wire [CONTEXTS * 32 - 1:0]   token_timeouts,
    input wire [CONTEXTS - 1:0]        counts_tokens,
    input wire [CONTEXTS - 1:0]        stores_in_flight,
    input wire [CONTEXTS - 1:0]        closed,
    input wire [CONTEXTS * GPUS - 1:0] complete
);
`include "formal_reset.vh"
    localparam INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);

    wire [CONTEXTS - 1:0]    arrived;
    wire [CONTEXTS - 1:0]    settle;
    wire [CONTEXTS - 1:0]    settle_late;
    wire                     timed_out;
    wire [INDEX_WIDTH - 1:0] timed_out_context;
    wire [CONTEXTS - 1:0]    expire;
    moehub_tile_tracker_timers #(.CONTEXTS(CONTEXTS), .GPUS(GPUS)) u_timers (
        .clk(clk), .rst(rst), .restart(restart), .enabled(enabled), .has_arrived(has_arrived), .peers(peers),
        .arrival_timeouts(arrival_timeouts), .token_timeouts(token_timeouts), .counts_tokens(counts_tokens),
        .stores_in_flight(stores_in_flight), .closed(closed), .complete(complete), .arrived(arrived), .settle(settle),
        .settle_late(settle_late), .timed_out(timed_out), .timed_out_context(timed_out_context), .expire(expire)
    );

    // ---- one context: a constant, so that the solver sees the two timers as one ----------------------------------
    localparam c = WATCHED;
    wire ends    = rst || restart[c];
    wire time_up = timed_out && timed_out_context == c;
    wire agree   = ((complete[c * GPUS +: GPUS] | ~peers[c * GPUS +: GPUS]) == {GPUS{1'b1}});

    reg        closed_q       = 1'b0; // its own closes were sent
    reg        told_q         = 1'b0; // `arrived` came before
    reg        agree_q        = 1'b0; // one cycle ago: counts agreed, own closes sent
    reg [31:0] ticks_q        = 32'd0;
    reg        arrival_up_q   = 1'b0; // one cycle ago
    reg        arrival_up_2_q = 1'b0; // two cycles ago, and enabled one cycle ago
    reg        token_up_q     = 1'b0;
    reg        token_up_2_q   = 1'b0; // the same, and it counted tokens
    reg [3:0]  arrived_for_q  = 4'd0; // cycles of the state, up to 8
    reg        quiet_q        = 1'b0; // one cycle ago: that for 8 cycles, and nothing in flight
    reg [3:0]  since_q        = 4'd0; // cycles with it told before and the state, up to 8
    reg        free_q         = 1'b0; // one cycle ago: that for 8 cycles, and nothing in flight
    reg        settled_q      = 1'b0; // before
    reg        expired_q      = 1'b0;
    always @(posedge clk) begin
        closed_q       <= (closed_q || closed[c]) && !ends;
        told_q         <= (told_q || arrived[c]) && !ends;
        agree_q        <= closed_q && enabled[c] && agree && !ends;
        ticks_q        <= ends ? 32'd0 : ticks_q + {31'd0, closed_q && enabled[c]};
        arrival_up_q   <= closed_q && ticks_q >= arrival_timeouts[c * 32 +: 32] && !ends;
        arrival_up_2_q <= arrival_up_q && enabled[c] && !ends;
        token_up_q     <= closed_q && ticks_q >= token_timeouts[c * 32 +: 32] && !ends;
        token_up_2_q   <= token_up_q && enabled[c] && counts_tokens[c] && !ends;
        arrived_for_q  <= !has_arrived[c] || ends ? 4'd0 : arrived_for_q == 4'd8 ? 4'd8 : arrived_for_q + 4'd1;
        quiet_q        <= arrived_for_q == 4'd8 && !stores_in_flight[c] && !ends;
        since_q        <= !told_q || !has_arrived[c] || ends ? 4'd0 : since_q == 4'd8 ? 4'd8 : since_q + 4'd1;
        free_q         <= since_q == 4'd8 && !stores_in_flight[c] && !ends;
        settled_q      <= settle[c] && !ends;
        expired_q      <= expire[c] && !ends;
    end

    always @* if (started_q) begin
        once:          assert (!(arrived[c] && told_q));
        arrives_why:   assert (!arrived[c] || agree_q || time_up);
        arrives_then:  assert (!agree_q || arrived[c] || told_q);
        time_why:      assert (!time_up || arrival_up_2_q);
        time_then:     assert (!(arrival_up_2_q && c == 0) || settle[c]); // the lowest: no other goes first
        settles_why:   assert (!settle[c] || settled_q || (settle_late[c] && time_up) || (!settle_late[c] && quiet_q && told_q));
        settles_then:  assert (!free_q || settle[c]);
        expires_why:   assert (!expire[c] || expired_q || token_up_2_q);
        expires_then:  assert (!token_up_2_q || expire[c]);
    end
    always @* begin
        by_counts:     cover (started_q && arrived[c] && !time_up);
        by_time:       cover (started_q && arrived[c] && time_up && !agree_q);
        settles_quiet: cover (started_q && settle[c] && !settled_q && !settle_late[c]);
        time_after:    cover (started_q && time_up && told_q);
        expires:       cover (started_q && expire[c] && !expired_q);
    end
endmodule
`default_nettype wire
