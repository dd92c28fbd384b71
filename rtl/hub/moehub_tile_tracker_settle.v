// SPDX-License-Identifier: Apache-2.0
// Purpose: the sweeps of the tiles: SETTLE of a context that has arrived, CLEAR of one that is advanced.
// Contract:
//   1. One sweep at a time, contexts in turn. ask: an operation waits for its turn; it stays until take.
//   2. SETTLE: regions in the order of experts, tiles from 0 on; a region is left when an operation finds no tile in it (past).
//      settled: from when its last operation has left the pipeline, until restart.
//   3. CLEAR of clear_context's tiles while clear: cleared is a pulse when the last of them is written.
//   4. While stop of a context is high its SETTLE ends where it is, and none begins; sweeping: an operation of a sweep of that
//      context may still be in the pipeline.
// Cost: an operation a turn.
// Proved: formal/hub/formal_tile_tracker_settle.v
`default_nettype none
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_settle #(
    parameter CONTEXTS      = 4,
    parameter LOCAL_EXPERTS = 64
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [CONTEXTS - 1:0]      settle,
    input  wire [CONTEXTS - 1:0]      settle_late,
    input  wire [CONTEXTS - 1:0]      stop,
    input  wire [CONTEXTS - 1:0]      restart,
    input  wire                       clear,
    input  wire [2:0]                 clear_context,
    input  wire [CONTEXTS * 16 - 1:0] tile_firsts,
    input  wire [CONTEXTS * 17 - 1:0] tile_counts,
    output wire                       ask,
    input  wire                       take,
    output wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] operation,
    input  wire                       past,
    input  wire [15:0]                past_expert,
    output wire [CONTEXTS - 1:0]      settled,
    output wire                       cleared,
    output wire [CONTEXTS - 1:0]      sweeping
);
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam [31:0] LAST_32 = LOCAL_EXPERTS - 1;
    localparam [1:0] IDLE  = 2'd0;
    localparam [1:0] SWEEP = 2'd1;
    localparam [1:0] DRAIN = 2'd2;
    localparam [3:0] DRAINED = 4'd10; // turn, seven stages, ring

    reg  [1:0]                 state_q;
    reg  [3:0]                 drain_q;
    reg                        clears_q; // else it settles
    reg                        whole_q;  // SETTLE came to its end
    reg  [CONTEXT_WIDTH - 1:0] context_q;
    reg  [CONTEXTS - 1:0]      sweeping_q;
    reg  [15:0]                expert_q;
    reg  [16:0]                tile_q;   // of SETTLE n, of CLEAR the entry
    reg  [16:0]                left_q;   // of CLEAR: tiles from tile_q on
    reg  [CONTEXTS - 1:0]      settled_q;
    reg                        cleared_q;

    wire [7:0]                 one_hot_clear = 8'd1 << clear_context;
    wire [CONTEXTS - 1:0]      wants_clear   = one_hot_clear[CONTEXTS - 1:0] & {CONTEXTS{clear && !cleared_q}};
    wire [CONTEXTS - 1:0]      wants_settle  = settle & ~settled_q & ~stop & ~restart;
    wire                       begin_valid;
    wire [CONTEXTS - 1:0]      begin_grant;
    wire [CONTEXT_WIDTH - 1:0] begin_context;
    wire                       idle = state_q == IDLE;
    moehub_arbiter #(.PORTS(CONTEXTS)) u_turn (
        .clk(clk), .rst(rst), .request((wants_clear | wants_settle) & {CONTEXTS{idle}}), .advance(1'b1),
        .grant_valid(begin_valid), .grant(begin_grant), .grant_index(begin_context)
    );

    wire        stopped   = !clears_q && |(stop & sweeping_q);
    wire        past_here = past && past_expert == expert_q && !clears_q;
    wire        last      = {16'd0, expert_q} == LAST_32;
    wire        no_more   = clears_q && left_q == 17'd0;
    wire        ends      = stopped || no_more || (past_here && last);
    wire        clears    = |(begin_grant & wants_clear);

    wire        settles_whole = state_q == DRAIN && drain_q == DRAINED && !clears_q && whole_q;

    assign ask       = state_q == SWEEP && !no_more && !stopped;
    assign sweeping  = sweeping_q;
    assign settled   = settled_q;
    assign cleared   = cleared_q;
    wire [2:0] context_wide = {{3 - CONTEXT_WIDTH{1'b0}}, context_q};
    assign operation = `MOEHUB_TILE_OPERATION(
        (clears_q ? 3'd`MOEHUB_TILE_CLEAR : 3'd`MOEHUB_TILE_SETTLE), context_wide, expert_q,
        {15'd0, tile_q}, 6'd0, 8'd0, |(settle_late & sweeping_q));

    always @(posedge clk) begin
        cleared_q <= 1'b0;
        case (state_q)
            IDLE: if (begin_valid) begin
                state_q    <= SWEEP;
                clears_q   <= clears;
                whole_q    <= 1'b0;
                context_q  <= begin_context;
                sweeping_q <= begin_grant;
                expert_q   <= 16'd0;
                tile_q     <= clears ? {1'b0, tile_firsts[begin_context * 16 +: 16]} : 17'd0;
                left_q     <= tile_counts[begin_context * 17 +: 17];
            end
            SWEEP: begin
                if (take) tile_q <= tile_q + 17'd1;
                if (take) left_q <= left_q - 17'd1;
                if (past_here && !last) begin
                    expert_q <= expert_q + 16'd1;
                    tile_q   <= 17'd0;
                end
                if (ends) begin
                    state_q <= DRAIN;
                    drain_q <= 4'd0;
                    whole_q <= !stopped;
                end
            end
            default: begin
                drain_q <= drain_q + 4'd1;
                if (drain_q == DRAINED) begin
                    state_q    <= IDLE;
                    sweeping_q <= {CONTEXTS{1'b0}};
                    cleared_q  <= clears_q;
                end
            end
        endcase
        settled_q <= (settled_q | (sweeping_q & {CONTEXTS{settles_whole}})) & ~restart;
        if (rst) begin
            state_q    <= IDLE;
            sweeping_q <= {CONTEXTS{1'b0}};
            settled_q  <= {CONTEXTS{1'b0}};
            cleared_q  <= 1'b0;
        end
    end

    wire unused = &{1'b0, one_hot_clear};
endmodule

`default_nettype wire
