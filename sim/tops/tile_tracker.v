// SPDX-License-Identifier: Apache-2.0
// Purpose: the tile tracker, and what enters its pipelines when: the C model is told these orders (doc/hub/tile_tracker.md
//   section 13), and no port of the tracker shows them.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module tile_tracker #(
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
    output wire [127:0]                             error_header,
    // what enters the pipelines
    output wire                                     watch_tile_valid,
    output wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] watch_tile,
    output wire [1:0]                               watch_kind, // of the event that it looks up: that of the ring read last
    output wire                                     watch_arrival_valid,
    output wire [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] watch_arrival,
    output wire                                     watch_token_valid,
    output wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] watch_token,
    output wire [CONTEXTS - 1:0]                    watch_settle, // has begun
    output wire [CONTEXTS - 1:0]                    watch_late,
    output wire [CONTEXTS - 1:0]                    watch_expire,
    output wire [CONTEXTS - 1:0]                    watch_restart,
    output wire                                     watch_row // a word of the row list was judged, a cycle ago
);
    wire [CONTEXTS * GPUS - 1:0] unused_complete;
    moehub_tile_tracker #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILES(TILES), .TOKENS(TOKENS)
    ) u_tracker (
        .clk(clk), .rst(rst), .initialised(initialised), .own(own), .link_up(link_up), .enabled(enabled),
        .has_arrived(has_arrived), .has_failed(has_failed), .counts_tokens(counts_tokens), .rounds(rounds), .peers(peers),
        .owner_shifts(owner_shifts), .token_firsts(token_firsts), .tile_shifts(tile_shifts), .tile_firsts(tile_firsts),
        .tile_counts(tile_counts), .computed_blocks(computed_blocks), .finished_blocks(finished_blocks),
        .arrival_timeouts(arrival_timeouts), .token_timeouts(token_timeouts), .list_bases(list_bases), .list_shifts(list_shifts),
        .row_sizes(row_sizes), .stores_in_flight(stores_in_flight), .closed(closed), .arrived(arrived), .failed(failed),
        .notifying(notifying), .complete(unused_complete), .s_axis_set_tvalid(s_axis_set_tvalid),
        .s_axis_set_tready(s_axis_set_tready),
        .s_axis_set_tdata(s_axis_set_tdata), .s_axis_completed_tvalid(s_axis_completed_tvalid),
        .s_axis_completed_tready(s_axis_completed_tready), .s_axis_completed_tdata(s_axis_completed_tdata),
        .s_axis_close_tvalid(s_axis_close_tvalid), .s_axis_close_tready(s_axis_close_tready),
        .s_axis_close_tdata(s_axis_close_tdata), .s_axis_notify_tvalid(s_axis_notify_tvalid),
        .s_axis_notify_tready(s_axis_notify_tready), .s_axis_notify_tdata(s_axis_notify_tdata),
        .s_axis_expect_tvalid(s_axis_expect_tvalid), .s_axis_expect_tready(s_axis_expect_tready),
        .s_axis_expect_tdata(s_axis_expect_tdata), .s_axis_done_tvalid(s_axis_done_tvalid),
        .s_axis_done_tready(s_axis_done_tready), .s_axis_done_tdata(s_axis_done_tdata),
        .m_axis_ready_tvalid(m_axis_ready_tvalid), .m_axis_ready_tready(m_axis_ready_tready),
        .m_axis_ready_tdata(m_axis_ready_tdata), .m_axis_notices_tvalid(m_axis_notices_tvalid),
        .m_axis_notices_tready(m_axis_notices_tready), .m_axis_notices_tdata(m_axis_notices_tdata),
        .m_axi_list_arvalid(m_axi_list_arvalid), .m_axi_list_arready(m_axi_list_arready), .m_axi_list_araddr(m_axi_list_araddr),
        .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rdata(m_axi_list_rdata), .m_axi_list_rresp(m_axi_list_rresp),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .result_valid(result_valid),
        .result_ready(result_ready), .result_refused(result_refused), .result_data0(result_data0), .result_data1(result_data1),
        .sweeping(sweeping), .ready_level(ready_level), .token_level(token_level), .events(events), .error_valid(error_valid),
        .error_cause(error_cause), .error_header(error_header)
    );

    reg computed_q;
    always @(posedge clk) if (u_tracker.pop[1:0] != 2'b00) computed_q <= u_tracker.pop[`MOEHUB_READY_TILE_COMPUTED];

    assign watch_tile_valid    = u_tracker.tile_valid;
    assign watch_tile          = u_tracker.tile_operation;
    assign watch_kind          = {1'b0, computed_q};
    assign watch_arrival_valid = u_tracker.arrival_valid;
    assign watch_arrival       = u_tracker.arrival_operation;
    assign watch_token_valid   = u_tracker.token_valid;
    assign watch_token         = u_tracker.token_operation;
    assign watch_settle        = u_tracker.settle;
    assign watch_late          = u_tracker.settle_late;
    assign watch_expire        = u_tracker.expire;
    assign watch_restart       = u_tracker.restart;
    assign watch_row           = u_tracker.sent || u_tracker.fault_valid[3];
endmodule

`default_nettype wire
