// SPDX-License-Identifier: Apache-2.0
// Purpose: when a context has arrived, and when its sweeps begin: by its counts, or because time is up.
// Contract:
//   1. arrived: a pulse when all peers of an enabled context are complete and its own closes were sent, or with timed_out; once
//      between two restarts.
//   2. settle: from the cycle on in which SETTLE begins until restart: no store of the context was in flight, 8 cycles or more
//      after its state `has_arrived` rose; or arrival_timeout cycles after `closed`. settle_late: by the timer.
//   3. timed_out: a pulse at the latter, one context a cycle, the lowest first.
//   4. expire: from token_timeout cycles after `closed` on, of a context that counts tokens, until restart.
//   5. The timer counts while the context is enabled.
// Cost: one counter of 32 bits a context for both timeouts.
// Proved: formal/hub/formal_tile_tracker_timers.v.
`default_nettype none
`include "moehub_width.vh"

module moehub_tile_tracker_timers #(
    parameter CONTEXTS = 4,
    parameter GPUS     = 8
) (
    input  wire                                       clk,
    input  wire                                       rst,
    input  wire [CONTEXTS - 1:0]                      restart,
    // contexts
    input  wire [CONTEXTS - 1:0]                      enabled,
    input  wire [CONTEXTS - 1:0]                      has_arrived,
    input  wire [CONTEXTS * GPUS - 1:0]               peers,
    input  wire [CONTEXTS * 32 - 1:0]                 arrival_timeouts,
    input  wire [CONTEXTS * 32 - 1:0]                 token_timeouts,
    input  wire [CONTEXTS - 1:0]                      counts_tokens,
    input  wire [CONTEXTS - 1:0]                      stores_in_flight,
    input  wire [CONTEXTS - 1:0]                      closed,
    input  wire [CONTEXTS * GPUS - 1:0]               complete,
    output wire [CONTEXTS - 1:0]                      arrived,
    output wire [CONTEXTS - 1:0]                      settle,
    output wire [CONTEXTS - 1:0]                      settle_late,
    output wire                                       timed_out,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] timed_out_context,
    output wire [CONTEXTS - 1:0]                      expire
);
    localparam [3:0] SETTLED = 4'd8; // cycles from has_arrived until what was checked before is counted as in flight

    reg  [CONTEXTS - 1:0] counting_q; // the own closes were sent
    reg  [CONTEXTS - 1:0] told_q;
    reg  [CONTEXTS - 1:0] arrived_q;
    reg  [CONTEXTS - 1:0] settle_q;
    reg  [CONTEXTS - 1:0] late_q;
    reg  [CONTEXTS - 1:0] expire_q;
    reg  [CONTEXTS - 1:0] arrival_up_q;
    reg  [CONTEXTS - 1:0] token_up_q;
    wire [CONTEXTS - 1:0] all_complete;
    wire [CONTEXTS - 1:0] quiet;
    wire [CONTEXTS - 1:0] by_time;
    wire [CONTEXTS - 1:0] up = arrival_up_q & enabled & ~settle_q & ~quiet & ~restart;
    reg                   timed_out_q;
    reg  [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] timed_out_context_q;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] by_time_index;
    moehub_lowest_one #(.WIDTH(CONTEXTS)) u_lowest (.bits(up), .lowest(by_time));
    moehub_one_hot_index #(.WIDTH(CONTEXTS)) u_index (.one_hot(by_time), .index(by_time_index));

    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            reg [31:0] timer_q;
            reg [3:0]  since_q; // cycles since has_arrived rose, up to SETTLED
            assign all_complete[c] = &(complete[c * GPUS +: GPUS] | ~peers[c * GPUS +: GPUS]);
            assign quiet[c] = told_q[c] && since_q == SETTLED && !stores_in_flight[c] && !settle_q[c];
            always @(posedge clk) begin
                if (counting_q[c] && enabled[c]) timer_q <= timer_q + 32'd1;
                arrival_up_q[c] <= counting_q[c] && timer_q >= arrival_timeouts[c * 32 +: 32];
                token_up_q[c]   <= counting_q[c] && timer_q >= token_timeouts[c * 32 +: 32];
                since_q <= !(told_q[c] && has_arrived[c]) ? 4'd0 : since_q == SETTLED ? SETTLED : since_q + 4'd1;
                if (rst || restart[c]) begin
                    timer_q         <= 32'd0;
                    arrival_up_q[c] <= 1'b0;
                    token_up_q[c]   <= 1'b0;
                    since_q         <= 4'd0;
                end
            end
        end
    endgenerate

    wire [CONTEXTS - 1:0] arrives = (counting_q & enabled & all_complete) | by_time;
    always @(posedge clk) begin
        counting_q          <= (counting_q | closed) & ~restart;
        told_q              <= (told_q | arrives) & ~restart;
        arrived_q           <= arrives & ~told_q & ~restart;
        settle_q            <= (settle_q | quiet | by_time) & ~restart;
        late_q              <= (late_q | by_time) & ~restart;
        expire_q            <= (expire_q | (token_up_q & enabled & counts_tokens)) & ~restart;
        timed_out_q         <= |by_time;
        timed_out_context_q <= by_time_index;
        if (rst) begin
            counting_q  <= {CONTEXTS{1'b0}};
            told_q      <= {CONTEXTS{1'b0}};
            arrived_q   <= {CONTEXTS{1'b0}};
            settle_q    <= {CONTEXTS{1'b0}};
            late_q      <= {CONTEXTS{1'b0}};
            expire_q    <= {CONTEXTS{1'b0}};
            timed_out_q <= 1'b0;
        end
    end

    assign arrived           = arrived_q;
    assign settle            = settle_q;
    assign settle_late       = late_q;
    assign timed_out         = timed_out_q;
    assign timed_out_context = timed_out_context_q;
    assign expire            = expire_q;
endmodule

`default_nettype wire
