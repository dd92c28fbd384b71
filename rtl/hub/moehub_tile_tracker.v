// SPDX-License-Identifier: Apache-2.0
// Purpose: the hub's tile tracker: what has arrived, what has been computed, and whom it tells (doc/hub/tile_tracker.md).
// Contract:
//   1. Each stream takes its items within a bounded number of cycles, whatever ready, notices and memory do.
//   2. A tile is told ready once a round: when it holds 2^tile_shift rows and their bytes, or when its context settles. A token
//      is told once a round.
//   3. All arrived is told once a round, after every tile that is ready then.
//   4. After reset nothing is taken before initialised.
//   5. events: a bit an event, one cycle after what it counts; order-only ones and cycle-dependent ones as the page numbers them.
// How: three pipelines (tiles, arrival, tokens) whose sources take turns; rings behind them; two machines that empty the rings.
// Cost: from a completed record's tvalid to that of tile ready 25 cycles, where nothing else asks.
// Limits: the fields of contexts are stable while a context is enabled.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker #(
    parameter LINKS         = 1,    // 1..4
    parameter GPUS          = 8,    // 2..64
    parameter CONTEXTS      = 4,    // 1..8
    parameter LOCAL_EXPERTS = 64,   // 1..256
    parameter SLOT_WIDTH    = 22,   // 1..31
    parameter OFFSET_WIDTH  = 14,   // 7..16
    parameter ADDRESS_WIDTH = 48,   // 32..64
    parameter TILES         = 1024, // 1..65536
    parameter TOKENS        = 4096  // 1..65536
) (
    input  wire                                     clk,
    input  wire                                     rst,
    output wire                                     initialised,
    input  wire [9:0]                               own,
    input  wire [LINKS - 1:0]                       link_up,
    // contexts, as moehub_hub_contexts shows them
    input  wire [CONTEXTS - 1:0]                    enabled,
    input  wire [CONTEXTS - 1:0]                    has_arrived,
    input  wire [CONTEXTS - 1:0]                    has_failed,
    input  wire [CONTEXTS - 1:0]                    counts_tokens,
    input  wire [CONTEXTS * 4 - 1:0]                rounds,
    input  wire [CONTEXTS * GPUS - 1:0]             peers,
    input  wire [CONTEXTS * 5 - 1:0]                owner_shifts,
    input  wire [CONTEXTS * 16 - 1:0]               token_firsts,
    input  wire [CONTEXTS * 4 - 1:0]                tile_shifts,
    input  wire [CONTEXTS * 16 - 1:0]               tile_firsts,
    input  wire [CONTEXTS * 17 - 1:0]               tile_counts,
    input  wire [CONTEXTS * 8 - 1:0]                computed_blocks,
    input  wire [CONTEXTS * 8 - 1:0]                finished_blocks,
    input  wire [CONTEXTS * 32 - 1:0]               arrival_timeouts,
    input  wire [CONTEXTS * 32 - 1:0]               token_timeouts,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]    list_bases,
    input  wire [CONTEXTS * 5 - 1:0]                list_shifts,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    input  wire [CONTEXTS - 1:0]                    stores_in_flight,
    input  wire [CONTEXTS - 1:0]                    closed,
    output wire [CONTEXTS - 1:0]                    arrived,
    output wire [CONTEXTS - 1:0]                    failed,
    output wire [CONTEXTS - 1:0]                    notifying,
    output wire [CONTEXTS * GPUS - 1:0]             complete, // peers that have arrived
    // streams
    input  wire                                     s_axis_set_tvalid,
    output wire                                     s_axis_set_tready,
    input  wire [`MOEHUB_SET_WIDTH - 1:0]           s_axis_set_tdata,
    input  wire [LINKS:0]                           s_axis_completed_tvalid,
    output wire [LINKS:0]                           s_axis_completed_tready,
    input  wire [(LINKS + 1) * `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0] s_axis_completed_tdata,
    input  wire [LINKS:0]                           s_axis_close_tvalid,
    output wire [LINKS:0]                           s_axis_close_tready,
    input  wire [(LINKS + 1) * `MOEHUB_CLOSED_WIDTH - 1:0] s_axis_close_tdata,
    input  wire [LINKS:0]                           s_axis_notify_tvalid,
    output wire [LINKS:0]                           s_axis_notify_tready,
    input  wire [(LINKS + 1) * `MOEHUB_NOTIFIED_WIDTH - 1:0] s_axis_notify_tdata,
    input  wire                                     s_axis_expect_tvalid,
    output wire                                     s_axis_expect_tready,
    input  wire [`MOEHUB_EXPECTED_WIDTH - 1:0]      s_axis_expect_tdata,
    input  wire                                     s_axis_done_tvalid,
    output wire                                     s_axis_done_tready,
    input  wire [`MOEHUB_DONE_WIDTH - 1:0]          s_axis_done_tdata,
    output wire                                     m_axis_ready_tvalid,
    input  wire                                     m_axis_ready_tready,
    output wire [`MOEHUB_READY_EVENT_WIDTH - 1:0]   m_axis_ready_tdata,
    output wire                                     m_axis_notices_tvalid,
    input  wire                                     m_axis_notices_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]        m_axis_notices_tdata,
    // row lists: reads of one beat, in order
    output wire                                     m_axi_list_arvalid,
    input  wire                                     m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]               m_axi_list_araddr,
    input  wire                                     m_axi_list_rvalid,
    input  wire [127:0]                             m_axi_list_rdata,
    input  wire [1:0]                               m_axi_list_rresp,
    // registers
    input  wire                                     command_valid,
    output wire                                     command_ready,
    input  wire [3:0]                               command_operation,
    input  wire [7:0]                               command_context,
    input  wire [15:0]                              command_index,
    output wire                                     result_valid,
    input  wire                                     result_ready,
    output wire                                     result_refused,
    output wire [63:0]                              result_data0,
    output wire [63:0]                              result_data1,
    output wire [CONTEXTS - 1:0]                    sweeping,
    output wire [16:0]                              ready_level,
    output wire [16:0]                              token_level,
    output wire [`MOEHUB_TILE_TRACKER_EVENTS - 1:0] events,
    output wire                                     error_valid,
    output wire [4:0]                               error_cause,
    output wire [127:0]                             error_header
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
        if (GPUS < 2 || GPUS > 64) GPUS_must_be_2_to_64 u_rule ();
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
        if (LOCAL_EXPERTS < 1 || LOCAL_EXPERTS > 256) LOCAL_EXPERTS_must_be_1_to_256 u_rule ();
        if (SLOT_WIDTH < 1 || SLOT_WIDTH > 31) SLOT_WIDTH_must_be_1_to_31 u_rule ();
        if (OFFSET_WIDTH < 7 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_7_to_16 u_rule ();
        if (TILES < 1 || TILES > 65536) TILES_must_be_1_to_65536 u_rule ();
        if (TOKENS < 1 || TOKENS > 65536) TOKENS_must_be_1_to_65536 u_rule ();
    endgenerate

    localparam WAYS        = LINKS + 1;
    localparam TILE_WIDTH  = `MOEHUB_INDEX_WIDTH(TILES);
    localparam TOKEN_WIDTH = `MOEHUB_INDEX_WIDTH(TOKENS);
    localparam REGIONS     = CONTEXTS * LOCAL_EXPERTS;
    localparam PEERS       = CONTEXTS * GPUS;
    localparam MOST_A      = TILES > TOKENS ? TILES : TOKENS;
    localparam MOST_B      = REGIONS > PEERS ? REGIONS : PEERS;
    localparam WORDS       = MOST_A > MOST_B ? MOST_A : MOST_B;
    localparam [31:0] GPUS_32 = GPUS;
    localparam TILE_OPERATION_WIDTH    = `MOEHUB_TILE_OPERATION_WIDTH;
    localparam ARRIVAL_OPERATION_WIDTH = `MOEHUB_ARRIVAL_OPERATION_WIDTH;
    localparam TOKEN_OPERATION_WIDTH   = `MOEHUB_TOKEN_OPERATION_WIDTH;

    // ---- contexts: set, timers, sweeps --------------------------------------------------------------------------------
    wire                  walking;
    wire [16:0]           walk;
    wire                  region_write;
    wire [2:0]            region_context;
    wire [15:0]           region_expert;
    wire [15:0]           region_first;
    wire [16:0]           region_count;
    wire [CONTEXTS - 1:0] held;
    wire [CONTEXTS - 1:0] tiles_sweeping;
    wire [CONTEXTS - 1:0] arrival_sweeping;
    wire [CONTEXTS - 1:0] tokens_sweeping;
    wire [2:0]            cleared;
    wire [CONTEXTS - 1:0] stop;
    wire [CONTEXTS - 1:0] restart;
    wire [2:0]            clear;
    wire [2:0]            clear_context;
    moehub_tile_tracker_set #(.CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .WORDS(WORDS)) u_set (
        .clk(clk), .rst(rst), .initialised(initialised), .walking(walking), .walk(walk),
        .s_axis_set_tvalid(s_axis_set_tvalid), .s_axis_set_tready(s_axis_set_tready), .s_axis_set_tdata(s_axis_set_tdata),
        .region_write(region_write), .region_context(region_context), .region_expert(region_expert),
        .region_first(region_first), .region_count(region_count), .held(held),
        .sweeping(tiles_sweeping | arrival_sweeping | tokens_sweeping), .cleared(cleared),
        .stop(stop), .restart(restart), .clear(clear), .clear_context(clear_context)
    );

    wire [CONTEXTS - 1:0]                      settle;
    wire [CONTEXTS - 1:0]                      settle_late;
    wire                                       timed_out;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] timed_out_context;
    wire [CONTEXTS - 1:0]                      expire;
    moehub_tile_tracker_timers #(.CONTEXTS(CONTEXTS), .GPUS(GPUS)) u_timers (
        .clk(clk), .rst(rst), .restart(restart), .enabled(enabled), .has_arrived(has_arrived), .peers(peers),
        .arrival_timeouts(arrival_timeouts), .token_timeouts(token_timeouts), .counts_tokens(counts_tokens),
        .stores_in_flight(stores_in_flight), .closed(closed), .complete(complete), .arrived(arrived), .settle(settle),
        .settle_late(settle_late), .timed_out(timed_out), .timed_out_context(timed_out_context), .expire(expire)
    );
    wire [2:0]                              timed_out_wide = {{3 - `MOEHUB_INDEX_WIDTH(CONTEXTS){1'b0}}, timed_out_context};
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] timer_fault = `MOEHUB_TRACKER_ERROR(
        5'd`MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL, 1'b1, timed_out_wide, 6'd0, 32'd0, 16'd0);

    wire [3:0]                            tile_ask;
    wire [3:0]                            tile_take;
    wire [TILE_OPERATION_WIDTH - 1:0]     look_ready;
    wire [TILE_OPERATION_WIDTH - 1:0]     look_notify;
    wire [TILE_OPERATION_WIDTH - 1:0]     tile_sweep;
    wire [TILE_OPERATION_WIDTH - 1:0]     tile_get;
    wire                                  settle_past;
    wire [15:0]                           settle_past_expert;
    wire [CONTEXTS - 1:0]                 settled;
    moehub_tile_tracker_settle #(.CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS)) u_settle (
        .clk(clk), .rst(rst), .settle(settle), .settle_late(settle_late), .stop(stop), .restart(restart), .clear(clear[0]),
        .clear_context(clear_context), .tile_firsts(tile_firsts), .tile_counts(tile_counts), .ask(tile_ask[2]),
        .take(tile_take[2]), .operation(tile_sweep), .past(settle_past), .past_expert(settle_past_expert),
        .settled(settled), .cleared(cleared[0]), .sweeping(tiles_sweeping)
    );

    wire [1:0]  arrival_ask;
    wire [1:0]  arrival_take;
    wire        unused_arrival_clears;
    wire [2:0]  arrival_context;
    wire [16:0] arrival_number;
    moehub_tile_tracker_walk #(.CONTEXTS(CONTEXTS)) u_arrival_walk (
        .clk(clk), .rst(rst), .expire({CONTEXTS{1'b0}}), .stop(stop), .restart(restart), .clear(clear[1]),
        .clear_context(clear_context), .lengths({CONTEXTS{GPUS_32[16:0]}}), .ask(arrival_ask[0]), .take(arrival_take[0]),
        .clears(unused_arrival_clears), .named_context(arrival_context), .number(arrival_number), .cleared(cleared[1]),
        .sweeping(arrival_sweeping)
    );

    wire [CONTEXTS * 17 - 1:0] token_lengths;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            assign token_lengths[c * 17 +: 17] = counts_tokens[c] ? 17'd1 << owner_shifts[c * 5 +: 5] : 17'd0;
        end
    endgenerate
    wire        token_sweep_ask;
    wire        token_sweep_take;
    wire        token_clears;
    wire [2:0]  token_context;
    wire [16:0] token_number;
    moehub_tile_tracker_walk #(.CONTEXTS(CONTEXTS)) u_token_walk (
        .clk(clk), .rst(rst), .expire(expire), .stop(stop), .restart(restart), .clear(clear[2]),
        .clear_context(clear_context), .lengths(token_lengths), .ask(token_sweep_ask), .take(token_sweep_take),
        .clears(token_clears), .named_context(token_context), .number(token_number), .cleared(cleared[2]),
        .sweeping(tokens_sweeping)
    );
    assign sweeping = tiles_sweeping | arrival_sweeping | tokens_sweeping;

    // ---- pipelines ----------------------------------------------------------------------------------------------------
    wire                                  tile_valid;
    wire [TILE_OPERATION_WIDTH - 1:0]     tile_operation;
    wire                                  arrival_valid;
    wire [ARRIVAL_OPERATION_WIDTH - 1:0]  arrival_operation;
    wire [ARRIVAL_OPERATION_WIDTH - 1:0]  arrival_sweep = `MOEHUB_ARRIVAL_OPERATION(
        2'd`MOEHUB_ARRIVAL_CLEAR, arrival_context, arrival_number[5:0], 32'd0);
    wire [ARRIVAL_OPERATION_WIDTH - 1:0]  arrival_get;
    moehub_tile_tracker_turns #(.LINKS(LINKS), .SLOT_WIDTH(SLOT_WIDTH)) u_turns (
        .clk(clk), .rst(rst), .open(initialised),
        .s_axis_completed_tvalid(s_axis_completed_tvalid), .s_axis_completed_tready(s_axis_completed_tready),
        .s_axis_completed_tdata(s_axis_completed_tdata),
        .s_axis_done_tvalid(s_axis_done_tvalid), .s_axis_done_tready(s_axis_done_tready), .s_axis_done_tdata(s_axis_done_tdata),
        .s_axis_close_tvalid(s_axis_close_tvalid), .s_axis_close_tready(s_axis_close_tready),
        .s_axis_close_tdata(s_axis_close_tdata),
        .tile_ask(tile_ask), .tile_take(tile_take), .tile_asks({tile_get, tile_sweep, look_notify, look_ready}),
        .arrival_ask(arrival_ask), .arrival_take(arrival_take), .arrival_asks({arrival_get, arrival_sweep}),
        .tile_valid(tile_valid), .tile_operation(tile_operation),
        .arrival_valid(arrival_valid), .arrival_operation(arrival_operation)
    );

    wire [2:0]                        push;
    wire [2:0]                        push_context;
    wire [7:0]                        push_expert;
    wire [15:0]                       push_tile;
    wire                              push_failed;
    wire                              word;
    wire                              bytes;
    wire                              look_valid;
    wire                              look_notifies;
    wire [2:0]                        got;
    wire [`MOEHUB_TILE_WIDTH - 1:0]   tile;
    wire [4:0]                        fault_valid;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] tile_fault;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] token_fault;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] arrival_fault;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] list_fault;
    moehub_tile_tracker_tiles #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .OFFSET_WIDTH(OFFSET_WIDTH), .TILES(TILES)
    ) u_tiles (
        .clk(clk), .rst(rst), .walking(walking), .walk(walk), .enabled(enabled), .tile_shifts(tile_shifts),
        .tile_firsts(tile_firsts), .computed_blocks(computed_blocks), .finished_blocks(finished_blocks), .row_sizes(row_sizes),
        .region_write(region_write), .region_context(region_context), .region_expert(region_expert),
        .region_first(region_first), .region_count(region_count),
        .operation_valid(tile_valid), .operation(tile_operation),
        .settle_past(settle_past), .settle_past_expert(settle_past_expert),
        .push(push), .push_context(push_context), .push_expert(push_expert), .push_tile(push_tile), .push_failed(push_failed),
        .word(word), .bytes(bytes), .fault_valid(fault_valid[4]), .fault(tile_fault),
        .look_valid(look_valid), .look_notify(look_notifies), .get_valid(got[0]), .tile(tile)
    );

    wire                               handled;
    wire                               close_taken;
    wire [`MOEHUB_ARRIVED_WIDTH - 1:0] arrival;
    wire                               arrival_complete;
    moehub_tile_tracker_arrival #(.CONTEXTS(CONTEXTS), .GPUS(GPUS)) u_arrival (
        .clk(clk), .rst(rst), .walking(walking), .walk(walk), .operation_valid(arrival_valid), .operation(arrival_operation),
        .complete(complete), .handled(handled), .closed(close_taken), .fault_valid(fault_valid[1]), .fault(arrival_fault),
        .get_valid(got[1]), .arrival(arrival), .get_complete(arrival_complete)
    );

    wire                                token_get_ask;
    wire                                token_get_take;
    wire [TOKEN_OPERATION_WIDTH - 1:0]  token_get;
    wire                                token_valid;
    wire [TOKEN_OPERATION_WIDTH - 1:0]  token_operation;
    wire [TOKEN_OPERATION_WIDTH - 1:0]  token_sweep = `MOEHUB_TOKEN_OPERATION(
        (token_clears ? 3'd`MOEHUB_TOKEN_CLEAR : 3'd`MOEHUB_TOKEN_EXPIRE), token_context, {15'd0, token_number}, 6'd0, 6'd0,
            1'b0);
    moehub_tile_tracker_token_turns #(.LINKS(LINKS)) u_token_turns (
        .clk(clk), .rst(rst), .open(initialised),
        .s_axis_expect_tvalid(s_axis_expect_tvalid), .s_axis_expect_tready(s_axis_expect_tready),
        .s_axis_expect_tdata(s_axis_expect_tdata),
        .s_axis_notify_tvalid(s_axis_notify_tvalid), .s_axis_notify_tready(s_axis_notify_tready),
        .s_axis_notify_tdata(s_axis_notify_tdata),
        .ask({token_get_ask, token_sweep_ask}), .take({token_get_take, token_sweep_take}), .asks({token_get, token_sweep}),
        .operation_valid(token_valid), .operation(token_operation)
    );

    wire                              token_push;
    wire [2:0]                        token_push_context;
    wire [TOKEN_WIDTH - 1:0]          token_push_token;
    wire                              token_push_failed;
    wire                              notified;
    wire [`MOEHUB_TOKEN_WIDTH - 1:0]  token;
    moehub_tile_tracker_tokens #(.CONTEXTS(CONTEXTS), .TOKENS(TOKENS)) u_tokens (
        .clk(clk), .rst(rst), .walking(walking), .walk(walk), .counts_tokens(counts_tokens), .token_firsts(token_firsts),
        .owner_shifts(owner_shifts), .operation_valid(token_valid), .operation(token_operation),
        .push_valid(token_push), .push_context(token_push_context), .push_token(token_push_token),
        .push_failed(token_push_failed), .notified(notified), .fault_valid(fault_valid[0]), .fault(token_fault),
        .get_valid(got[2]), .token(token)
    );

    // ---- rings --------------------------------------------------------------------------------------------------------
    wire [8 + TILE_WIDTH - 1:0] push_word = {push_expert, push_tile[TILE_WIDTH - 1:0]};
    wire [2:0]                  pop;
    wire [2:0]                  pop_context;
    wire                        notify_pop;
    wire [2:0]                  notify_pop_context;
    wire [8 + TILE_WIDTH - 1:0] ready_word;
    wire [8 + TILE_WIDTH - 1:0] computed_word;
    wire [8 + TILE_WIDTH - 1:0] notify_word;
    wire [TOKEN_WIDTH:0]        token_word;
    wire [4 * CONTEXTS - 1:0]   filled; // ready, computed, token, notify
    wire [16:0]                 unused_computed_level;
    wire [16:0]                 unused_notify_level;
    moehub_tile_tracker_ring #(.CONTEXTS(CONTEXTS), .DEPTH(TILES), .WIDTH(8 + TILE_WIDTH)) u_ready_ring (
        .clk(clk), .rst(rst), .firsts(tile_firsts), .restart(restart), .push_valid(push[0]), .push_context(push_context),
        .push_word(push_word), .pop_valid(pop[0]), .pop_context(pop_context), .word(ready_word),
        .filled(filled[0 +: CONTEXTS]), .level(ready_level)
    );
    moehub_tile_tracker_ring #(.CONTEXTS(CONTEXTS), .DEPTH(TILES), .WIDTH(8 + TILE_WIDTH)) u_computed_ring (
        .clk(clk), .rst(rst), .firsts(tile_firsts), .restart(restart), .push_valid(push[1]), .push_context(push_context),
        .push_word(push_word), .pop_valid(pop[1]), .pop_context(pop_context), .word(computed_word),
        .filled(filled[CONTEXTS +: CONTEXTS]), .level(unused_computed_level)
    );
    moehub_tile_tracker_ring #(.CONTEXTS(CONTEXTS), .DEPTH(TOKENS), .WIDTH(TOKEN_WIDTH + 1)) u_token_ring (
        .clk(clk), .rst(rst), .firsts(token_firsts), .restart(restart), .push_valid(token_push),
        .push_context(token_push_context), .push_word({token_push_failed, token_push_token}), .pop_valid(pop[2]),
        .pop_context(pop_context), .word(token_word), .filled(filled[2 * CONTEXTS +: CONTEXTS]), .level(token_level)
    );
    moehub_tile_tracker_ring #(.CONTEXTS(CONTEXTS), .DEPTH(TILES), .WIDTH(8 + TILE_WIDTH)) u_notify_ring (
        .clk(clk), .rst(rst), .firsts(tile_firsts), .restart(restart), .push_valid(push[2]), .push_context(push_context),
        .push_word(push_word), .pop_valid(notify_pop), .pop_context(notify_pop_context), .word(notify_word),
        .filled(filled[3 * CONTEXTS +: CONTEXTS]), .level(unused_notify_level)
    );

    // ---- what is told -------------------------------------------------------------------------------------------------
    wire all_arrived;
    moehub_tile_tracker_ready #(.CONTEXTS(CONTEXTS), .TILE_WIDTH(TILE_WIDTH), .TOKEN_WIDTH(TOKEN_WIDTH)) u_ready (
        .clk(clk), .rst(rst), .own(own), .rounds(rounds), .owner_shifts(owner_shifts), .failed(has_failed), .fails(failed),
        .stop(stop), .restart(restart), .settled(settled), .filled(filled[3 * CONTEXTS - 1:0]), .pop(pop),
        .pop_context(pop_context), .ready_word(ready_word), .computed_word(computed_word), .token_word(token_word),
        .look_ask(tile_ask[0]), .look_take(tile_take[0]), .look(look_ready), .look_valid(look_valid && !look_notifies),
        .tile(tile), .held(held), .all_arrived(all_arrived),
        .m_axis_ready_tvalid(m_axis_ready_tvalid), .m_axis_ready_tready(m_axis_ready_tready),
        .m_axis_ready_tdata(m_axis_ready_tdata)
    );

    wire                              sent;
    wire                              notify_valid;
    wire                              notify_ready; // a register
    wire [`MOEHUB_NOTICE_WIDTH - 1:0] notify_notice;
    moehub_tile_tracker_notifier #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILE_WIDTH(TILE_WIDTH)
    ) u_notifier (
        .clk(clk), .rst(rst), .own(own), .link_up(link_up), .rounds(rounds), .peers(peers), .owner_shifts(owner_shifts),
        .tile_shifts(tile_shifts), .list_bases(list_bases), .list_shifts(list_shifts),
        .filled(filled[3 * CONTEXTS +: CONTEXTS]), .pop(notify_pop), .pop_context(notify_pop_context), .ring_word(notify_word),
        .look_ask(tile_ask[1]), .look_take(tile_take[1]), .look(look_notify), .look_valid(look_valid && look_notifies),
        .tile(tile), .m_axi_list_arvalid(m_axi_list_arvalid), .m_axi_list_arready(m_axi_list_arready),
        .m_axi_list_araddr(m_axi_list_araddr), .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rdata(m_axi_list_rdata),
        .m_axi_list_rresp(m_axi_list_rresp), .m_axis_notices_tvalid(notify_valid),
        .m_axis_notices_tready(notify_ready), .m_axis_notices_tdata(notify_notice), .sent(sent),
        .fault_valid(fault_valid[3]), .fault(list_fault), .notifying(notifying)
    );
    moehub_ready_buffer #(.WIDTH(`MOEHUB_NOTICE_WIDTH)) u_notices (
        .clk(clk), .rst(rst), .in_valid(notify_valid), .in_ready(notify_ready), .in_data(notify_notice),
        .out_valid(m_axis_notices_tvalid), .out_ready(m_axis_notices_tready), .out_data(m_axis_notices_tdata)
    );

    moehub_tile_tracker_command #(.CONTEXTS(CONTEXTS), .GPUS(GPUS), .TILES(TILES), .TOKENS(TOKENS)) u_command (
        .clk(clk), .rst(rst), .open(initialised), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_context(command_context), .command_index(command_index),
        .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_data0(result_data0), .result_data1(result_data1), .ask({token_get_ask, arrival_ask[1], tile_ask[3]}),
        .take({token_get_take, arrival_take[1], tile_take[3]}), .tile_get(tile_get), .arrival_get(arrival_get),
        .token_get(token_get), .got(got), .tile(tile), .arrival(arrival), .arrival_complete(arrival_complete), .token(token)
    );

    // ---- report -------------------------------------------------------------------------------------------------------
    wire [`MOEHUB_TILE_TRACKER_CAUSES - 1:0] causes;
    assign fault_valid[2] = timed_out;
    moehub_tile_tracker_report #(.CONTEXTS(CONTEXTS)) u_report (
        .clk(clk), .rst(rst), .fault_valid(fault_valid),
        .faults({tile_fault, list_fault, timer_fault, arrival_fault, token_fault}), .fails(failed), .causes(causes),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    reg  [`MOEHUB_TILE_TRACKER_EVENTS - 1:0] events_q;
    wire [WAYS - 1:0] completed_waits = s_axis_completed_tvalid & ~s_axis_completed_tready;
    wire [WAYS - 1:0] response_waits  = (s_axis_close_tvalid & ~s_axis_close_tready)
        | (s_axis_notify_tvalid & ~s_axis_notify_tready);
    assign events = {events_q[`MOEHUB_TILE_TRACKER_EVENTS - 1:`MOEHUB_TILE_TRACKER_CAUSES], causes};
    always @(posedge clk) begin
        events_q <= {`MOEHUB_TILE_TRACKER_EVENTS{1'b0}};
        events_q[`MOEHUB_TILE_TRACKER_EVENT_WORDS]             <= word;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_BYTES]             <= bytes;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_HANDLED]           <= handled;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_TILES_READY]       <= push[0];
        events_q[`MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED]      <= push[0] && push_failed;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_TILES_COMPUTED]    <= push[1];
        events_q[`MOEHUB_TILE_TRACKER_EVENT_TILES_FINISHED]    <= push[2];
        events_q[`MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_SENT]     <= sent;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN]    <= notified;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_TOKENS_TOLD]       <= token_push;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_TOKENS_FAILED]     <= token_push && token_push_failed;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN]      <= close_taken;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_ALL_ARRIVED]       <= all_arrived;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_COMPLETED_STALLED] <= |completed_waits;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_RESPONSE_STALLED]  <= |response_waits;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_READY_STALLED]     <= m_axis_ready_tvalid && !m_axis_ready_tready;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_NOTICE_STALLED]    <= m_axis_notices_tvalid && !m_axis_notices_tready;
        events_q[`MOEHUB_TILE_TRACKER_EVENT_LIST_STALLED]      <= m_axi_list_arvalid && !m_axi_list_arready;
        if (rst) events_q <= {`MOEHUB_TILE_TRACKER_EVENTS{1'b0}};
    end

    wire unused = &{1'b0, push_tile, arrival_number, events_q};
endmodule

`default_nettype wire
