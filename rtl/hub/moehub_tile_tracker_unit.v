// SPDX-License-Identifier: Apache-2.0
// Purpose: the tile tracker with its registers (doc/hub/tile_tracker.md).
// Contract: those of moehub_tile_tracker and moehub_tile_tracker_csr; commands come from the registers only.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

// Joined by name from the headers of the parts: `make faces` writes it from moehub_tile_tracker_unit.face.
module moehub_tile_tracker_unit #(
    parameter CONTEXTS      = 4,    // 1..8
    parameter TILES         = 1024, // 1..65536
    parameter TOKENS        = 4096, // 1..65536
    parameter LINKS         = 1,    // 1..4
    parameter GPUS          = 8,    // 2..64
    parameter LOCAL_EXPERTS = 64,   // 1..256
    parameter SLOT_WIDTH    = 22,   // 1..31
    parameter OFFSET_WIDTH  = 14,   // 7..16
    parameter ADDRESS_WIDTH = 48    // 32..64
) (
    input  wire clk,
    input  wire rst,

    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [11:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [11:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        interrupt_request,

    input  wire [CONTEXTS - 1:0] has_arrived,

    output wire                                                           initialised,
    input  wire [9:0]                                                     own,
    input  wire [LINKS - 1:0]                                             link_up,
    input  wire [CONTEXTS - 1:0]                                          enabled,
    input  wire [CONTEXTS - 1:0]                                          has_failed,
    input  wire [CONTEXTS - 1:0]                                          counts_tokens,
    input  wire [CONTEXTS * 4 - 1:0]                                      rounds,
    input  wire [CONTEXTS * GPUS - 1:0]                                   peers,
    input  wire [CONTEXTS * 5 - 1:0]                                      owner_shifts,
    input  wire [CONTEXTS * 16 - 1:0]                                     token_firsts,
    input  wire [CONTEXTS * 4 - 1:0]                                      tile_shifts,
    input  wire [CONTEXTS * 16 - 1:0]                                     tile_firsts,
    input  wire [CONTEXTS * 17 - 1:0]                                     tile_counts,
    input  wire [CONTEXTS * 8 - 1:0]                                      computed_blocks,
    input  wire [CONTEXTS * 8 - 1:0]                                      finished_blocks,
    input  wire [CONTEXTS * 32 - 1:0]                                     arrival_timeouts,
    input  wire [CONTEXTS * 32 - 1:0]                                     token_timeouts,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]                          list_bases,
    input  wire [CONTEXTS * 5 - 1:0]                                      list_shifts,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]                     row_sizes,
    input  wire [CONTEXTS - 1:0]                                          stores_in_flight,
    input  wire [CONTEXTS - 1:0]                                          closed,
    output wire [CONTEXTS - 1:0]                                          arrived,
    output wire [CONTEXTS - 1:0]                                          failed,
    output wire [CONTEXTS - 1:0]                                          notifying,
    output wire [CONTEXTS * GPUS - 1:0]                                   complete,                // peers that have arrived
    input  wire                                                           s_axis_set_tvalid,
    output wire                                                           s_axis_set_tready,
    input  wire [`MOEHUB_SET_WIDTH - 1:0]                                 s_axis_set_tdata,
    input  wire [LINKS:0]                                                 s_axis_completed_tvalid,
    output wire [LINKS:0]                                                 s_axis_completed_tready,
    input  wire [(LINKS + 1) * `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0] s_axis_completed_tdata,
    input  wire [LINKS:0]                                                 s_axis_close_tvalid,
    output wire [LINKS:0]                                                 s_axis_close_tready,
    input  wire [(LINKS + 1) * `MOEHUB_CLOSED_WIDTH - 1:0]                s_axis_close_tdata,
    input  wire [LINKS:0]                                                 s_axis_notify_tvalid,
    output wire [LINKS:0]                                                 s_axis_notify_tready,
    input  wire [(LINKS + 1) * `MOEHUB_NOTIFIED_WIDTH - 1:0]              s_axis_notify_tdata,
    input  wire                                                           s_axis_expect_tvalid,
    output wire                                                           s_axis_expect_tready,
    input  wire [`MOEHUB_EXPECTED_WIDTH - 1:0]                            s_axis_expect_tdata,
    input  wire                                                           s_axis_done_tvalid,
    output wire                                                           s_axis_done_tready,
    input  wire [`MOEHUB_DONE_WIDTH - 1:0]                                s_axis_done_tdata,
    output wire                                                           m_axis_ready_tvalid,
    input  wire                                                           m_axis_ready_tready,
    output wire [`MOEHUB_READY_EVENT_WIDTH - 1:0]                         m_axis_ready_tdata,
    output wire                                                           m_axis_notices_tvalid,
    input  wire                                                           m_axis_notices_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]                              m_axis_notices_tdata,
    output wire                                                           m_axi_list_arvalid,
    input  wire                                                           m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]                                     m_axi_list_araddr,
    input  wire                                                           m_axi_list_rvalid,
    input  wire [127:0]                                                   m_axi_list_rdata,
    input  wire [1:0]                                                     m_axi_list_rresp
);
    wire                                     command_valid;
    wire [3:0]                               command_operation;
    wire [7:0]                               command_context;
    wire [15:0]                              command_index;
    wire                                     result_ready;
    wire                                     command_ready;
    wire                                     result_valid;
    wire                                     result_refused;
    wire [63:0]                              result_data0;
    wire [63:0]                              result_data1;
    wire [CONTEXTS - 1:0]                    sweeping;
    wire [16:0]                              ready_level;
    wire [16:0]                              token_level;
    wire [`MOEHUB_TILE_TRACKER_EVENTS - 1:0] events;
    wire                                     error_valid;
    wire [4:0]                               error_cause;
    wire [127:0]                             error_header;

    moehub_tile_tracker_csr #(
        .CONTEXTS(CONTEXTS), .TILES(TILES), .TOKENS(TOKENS)
    ) u_csr (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .interrupt_request(interrupt_request), .command_valid(command_valid),
        .command_ready(command_ready), .command_operation(command_operation), .command_context(command_context),
        .command_index(command_index), .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_data0(result_data0), .result_data1(result_data1), .initialised(initialised), .has_arrived(has_arrived),
        .sweeping(sweeping), .ready_level(ready_level), .token_level(token_level), .events(events), .error_valid(error_valid),
        .error_cause(error_cause), .error_header(error_header)
    );

    moehub_tile_tracker #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILES(TILES), .TOKENS(TOKENS)
    ) u_tile_tracker (
        .clk(clk), .rst(rst), .initialised(initialised), .own(own), .link_up(link_up), .enabled(enabled),
        .has_arrived(has_arrived), .has_failed(has_failed), .counts_tokens(counts_tokens), .rounds(rounds), .peers(peers),
        .owner_shifts(owner_shifts), .token_firsts(token_firsts), .tile_shifts(tile_shifts), .tile_firsts(tile_firsts),
        .tile_counts(tile_counts), .computed_blocks(computed_blocks), .finished_blocks(finished_blocks),
        .arrival_timeouts(arrival_timeouts), .token_timeouts(token_timeouts), .list_bases(list_bases), .list_shifts(list_shifts),
        .row_sizes(row_sizes), .stores_in_flight(stores_in_flight), .closed(closed), .arrived(arrived), .failed(failed),
        .notifying(notifying), .complete(complete), .s_axis_set_tvalid(s_axis_set_tvalid), .s_axis_set_tready(s_axis_set_tready),
        .s_axis_set_tdata(s_axis_set_tdata), .s_axis_completed_tvalid(s_axis_completed_tvalid),
        .s_axis_completed_tready(s_axis_completed_tready), .s_axis_completed_tdata(s_axis_completed_tdata),
        .s_axis_close_tvalid(s_axis_close_tvalid), .s_axis_close_tready(s_axis_close_tready),
        .s_axis_close_tdata(s_axis_close_tdata), .s_axis_notify_tvalid(s_axis_notify_tvalid),
        .s_axis_notify_tready(s_axis_notify_tready), .s_axis_notify_tdata(s_axis_notify_tdata),
        .s_axis_expect_tvalid(s_axis_expect_tvalid), .s_axis_expect_tready(s_axis_expect_tready),
        .s_axis_expect_tdata(s_axis_expect_tdata), .s_axis_done_tvalid(s_axis_done_tvalid),
        .s_axis_done_tready(s_axis_done_tready), .s_axis_done_tdata(s_axis_done_tdata), .m_axis_ready_tvalid(m_axis_ready_tvalid),
        .m_axis_ready_tready(m_axis_ready_tready), .m_axis_ready_tdata(m_axis_ready_tdata),
        .m_axis_notices_tvalid(m_axis_notices_tvalid), .m_axis_notices_tready(m_axis_notices_tready),
        .m_axis_notices_tdata(m_axis_notices_tdata), .m_axi_list_arvalid(m_axi_list_arvalid),
        .m_axi_list_arready(m_axi_list_arready), .m_axi_list_araddr(m_axi_list_araddr), .m_axi_list_rvalid(m_axi_list_rvalid),
        .m_axi_list_rdata(m_axi_list_rdata), .m_axi_list_rresp(m_axi_list_rresp), .command_valid(command_valid),
        .command_ready(command_ready), .command_operation(command_operation), .command_context(command_context),
        .command_index(command_index), .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_data0(result_data0), .result_data1(result_data1), .sweeping(sweeping), .ready_level(ready_level),
        .token_level(token_level), .events(events), .error_valid(error_valid), .error_cause(error_cause),
        .error_header(error_header)
    );
endmodule

`default_nettype wire
