// SPDX-License-Identifier: Apache-2.0
// Purpose: the events that the GPU is told: tiles ready and computed, tokens ready, all arrived.
// Contract:
//   1. An event at a time; kinds and contexts take turns. valid, once high, stays with its payload until ready.
//   2. A tile's rows and `failed` are those of its LOOK, a token's `failed` that of its ring, that of all arrived is the
//      context's when
//      it is offered, pulses of that cycle included.
//   3. All arrived is offered once between two restarts, when the context is settled and its ready ring empty.
//   4. While stop of a context is high none of its events begins; held: one has left its ring, or is chosen, and is not offered
//      yet.
// Cost: an event in 14 cycles where the stream and the LOOK do not wait.
// Proved: formal/hub/formal_tile_tracker_ready.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_ready #(
    parameter CONTEXTS      = 4,
    parameter TILE_WIDTH    = 10, // of a tile's number
    parameter TOKEN_WIDTH   = 12
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [9:0]                 own,
    input  wire [CONTEXTS * 4 - 1:0]  rounds,
    input  wire [CONTEXTS * 5 - 1:0]  owner_shifts,
    input  wire [CONTEXTS - 1:0]      failed,     // state
    input  wire [CONTEXTS - 1:0]      fails,      // pulses
    input  wire [CONTEXTS - 1:0]      stop,
    input  wire [CONTEXTS - 1:0]      restart,
    input  wire [CONTEXTS - 1:0]      settled,
    input  wire [3 * CONTEXTS - 1:0]  filled,     // rings, by kind
    output wire [2:0]                 pop,        // one-hot, by kind
    output wire [2:0]                 pop_context,
    input  wire [8 + TILE_WIDTH - 1:0] ready_word,
    input  wire [8 + TILE_WIDTH - 1:0] computed_word,
    input  wire [TOKEN_WIDTH:0]       token_word,
    output wire                       look_ask,
    input  wire                       look_take,
    output wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] look,
    input  wire                       look_valid,
    input  wire [`MOEHUB_TILE_WIDTH - 1:0] tile,
    output wire [CONTEXTS - 1:0]      held,
    output wire                       all_arrived, // event
    output wire                       m_axis_ready_tvalid,
    input  wire                       m_axis_ready_tready,
    output wire [`MOEHUB_READY_EVENT_WIDTH - 1:0] m_axis_ready_tdata
);
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam CANDIDATES    = `MOEHUB_READY_KINDS * CONTEXTS;
    localparam [2:0] CHOOSE = 3'd0;
    localparam [2:0] POP    = 3'd1;
    localparam [2:0] WORD   = 3'd2;
    localparam [2:0] ASK    = 3'd3;
    localparam [2:0] LOOK   = 3'd4;
    localparam [2:0] OFFER  = 3'd5;

    // ---- whose turn it is ---------------------------------------------------------------------------------------------
    reg  [2:0]              state_q;
    reg  [CONTEXTS - 1:0]   told_q;
    reg                     valid_q;
    wire [CONTEXTS - 1:0]   arrived = settled & ~told_q & ~filled[CONTEXTS - 1:0];
    wire [CANDIDATES - 1:0] request = {arrived, filled} & ~{`MOEHUB_READY_KINDS{stop}};
    wire                    choose  = state_q == CHOOSE && !valid_q;
    wire                    granted;
    wire [CANDIDATES - 1:0] grant;
    wire [`MOEHUB_INDEX_WIDTH(CANDIDATES) - 1:0] unused_index;
    moehub_arbiter #(.PORTS(CANDIDATES)) u_turn (
        .clk(clk), .rst(rst), .request(request), .advance(choose), .grant_valid(granted), .grant(grant),
        .grant_index(unused_index)
    );
    wire [3:0]                 kind_grant;
    wire [CONTEXTS - 1:0]      context_grant = grant[CONTEXTS - 1:0] | grant[CONTEXTS +: CONTEXTS]
        | grant[2 * CONTEXTS +: CONTEXTS] | grant[3 * CONTEXTS +: CONTEXTS];
    wire [1:0]                 kind;
    wire [CONTEXT_WIDTH - 1:0] named_context;
    genvar k;
    generate
        for (k = 0; k < `MOEHUB_READY_KINDS; k = k + 1) begin : g_kind
            assign kind_grant[k] = |grant[k * CONTEXTS +: CONTEXTS];
        end
    endgenerate
    moehub_one_hot_index #(.WIDTH(4)) u_kind (.one_hot(kind_grant), .index(kind));
    moehub_one_hot_index #(.WIDTH(CONTEXTS)) u_context (.one_hot(context_grant), .index(named_context));

    // ---- one event ----------------------------------------------------------------------------------------------------
    reg  [1:0]                 kind_q;
    reg  [2:0]                 pop_q;
    reg  [1:0]                 wait_q;
    reg  [CONTEXT_WIDTH - 1:0] context_q;
    reg  [CONTEXTS - 1:0]      held_q;
    reg  [7:0]                 expert_q;
    reg  [31:0]                name_q;
    reg  [15:0]                rows_q;
    reg                        failed_q;
    reg                        all_arrived_q;
    reg  [`MOEHUB_READY_EVENT_WIDTH - 1:0] data_q;

    wire [2:0]                 context_wide = {{3 - CONTEXT_WIDTH{1'b0}}, context_q};
    wire                       is_tile = kind_q == 2'd`MOEHUB_READY_TILE_READY || kind_q == 2'd`MOEHUB_READY_TILE_COMPUTED;
    wire                       is_token = kind_q == 2'd`MOEHUB_READY_TOKEN_READY;
    wire                       is_all  = kind_q == 2'd`MOEHUB_READY_ALL_ARRIVED;
    wire [8 + TILE_WIDTH - 1:0] word   = kind_q == 2'd`MOEHUB_READY_TILE_READY ? ready_word : computed_word;
    wire [31:0]                row     = {22'd0, own} << owner_shifts[context_q * 5 +: 5] | {{32 - TOKEN_WIDTH{1'b0}},
        token_word[TOKEN_WIDTH - 1:0]};
    wire [12:0] tile_rows;
    wire [30:0] unused_balance;
    wire [7:0]  unused_computed;
    wire [7:0]  unused_finished;
    wire [1:0]  unused_state;
    wire        tile_flagged;
    assign `MOEHUB_TILE(tile_rows, unused_balance, unused_computed, unused_finished, unused_state, tile_flagged) = tile;

    assign pop                 = pop_q;
    assign pop_context         = context_wide;
    assign look_ask            = state_q == ASK;
    assign look                = `MOEHUB_TILE_OPERATION(3'd`MOEHUB_TILE_LOOK, context_wide, {8'd0, expert_q}, name_q, 6'd0,
        8'd`MOEHUB_LOOK_READY, 1'b0);
    assign held                = held_q;
    assign all_arrived         = all_arrived_q;
    assign m_axis_ready_tvalid = valid_q;
    assign m_axis_ready_tdata  = data_q;
    wire event_failed = is_all ? failed[context_q] || fails[context_q] : failed_q;

    always @(posedge clk) begin
        pop_q         <= 3'd0;
        all_arrived_q <= 1'b0;
        if (m_axis_ready_tready) valid_q <= 1'b0;
        case (state_q)
            CHOOSE: if (choose && granted) begin
                kind_q    <= kind;
                context_q <= named_context;
                held_q    <= context_grant;
                pop_q     <= kind_grant[2:0];
                wait_q    <= 2'd0;
                expert_q  <= 8'd0;
                name_q    <= 32'd0;
                rows_q    <= 16'd0;
                state_q   <= kind == 2'd`MOEHUB_READY_ALL_ARRIVED ? OFFER : POP;
            end
            POP: begin
                wait_q <= wait_q + 2'd1;
                if (wait_q == 2'd2) state_q <= WORD;
            end
            WORD: begin
                if (is_tile) expert_q <= word[TILE_WIDTH +: 8];
                name_q   <= is_token ? row : {{32 - TILE_WIDTH{1'b0}}, word[TILE_WIDTH - 1:0]};
                failed_q <= token_word[TOKEN_WIDTH];
                state_q  <= is_tile ? ASK : OFFER;
            end
            ASK: if (look_take) state_q <= LOOK;
            LOOK: if (look_valid) begin
                rows_q   <= {3'd0, tile_rows};
                failed_q <= tile_flagged;
                state_q  <= OFFER;
            end
            default: begin
                valid_q       <= 1'b1;
                data_q        <= `MOEHUB_READY_EVENT(kind_q, event_failed, context_wide, rounds[context_q * 4 +: 4],
                    {8'd0, expert_q}, rows_q, name_q);
                all_arrived_q <= is_all;
                held_q        <= {CONTEXTS{1'b0}};
                state_q       <= CHOOSE;
            end
        endcase
        told_q <= (told_q | (held_q & {CONTEXTS{is_all && state_q == OFFER}})) & ~restart;
        if (rst) begin
            state_q       <= CHOOSE;
            pop_q         <= 3'd0;
            held_q        <= {CONTEXTS{1'b0}};
            told_q        <= {CONTEXTS{1'b0}};
            valid_q       <= 1'b0;
            all_arrived_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
