// SPDX-License-Identifier: Apache-2.0
// Purpose: the packet manager with its registers (doc/hub/packet_manager.md).
// Contract: those of moehub_packet_manager and moehub_packet_manager_csr; line_timeout comes from the registers only.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

// Joined by name from the headers of the parts: `make faces` writes it from moehub_packet_manager_unit.face.
module moehub_packet_manager_unit #(
    parameter ROWS              = 32,  // 1..64
    parameter LINES             = 448, // 1..4096
    parameter STORE_BYTES       = 32,  // 16, 32, 64, 128
    parameter REDUCES           = 16,  // 1..64
    parameter LINKS             = 1,   // 1..4
    parameter GPUS              = 8,   // 2..64
    parameter CONTEXTS          = 4,   // 1..8
    parameter LOCAL_EXPERT_BITS = 8,   // 0..8
    parameter MAX_TARGETS       = 32,  // 1..32
    parameter OFFSET_WIDTH      = 14,  // 7..16
    parameter ROW_INDEX_WIDTH   = 20,  // 1..32
    parameter ADDRESS_WIDTH     = 48   // 32..64
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

    input  wire [6:0]   reduce_events,
    input  wire         reduce_error_valid,
    input  wire [127:0] reduce_error_header,

    output wire                                              initialised,
    input  wire [9:0]                                        own,
    input  wire [LINKS - 1:0]                                link_up,
    input  wire [LINKS:0]                                    store_room,
    input  wire [CONTEXTS - 1:0]                             enabled,
    input  wire [CONTEXTS - 1:0]                             closing,
    input  wire [CONTEXTS * 4 - 1:0]                         rounds,
    input  wire [CONTEXTS * 5 - 1:0]                         owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                      peers,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]        row_sizes,
    output wire [CONTEXTS - 1:0]                             failed,
    output wire [CONTEXTS - 1:0]                             closed,
    output wire [CONTEXTS * 7 - 1:0]                         rows,
    input  wire                                              s_axis_row_tvalid,
    output wire                                              s_axis_row_tready,
    input  wire [`MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH) - 1:0] s_axis_row_tdata,
    output wire                                              m_axis_handle_tvalid,
    input  wire                                              m_axis_handle_tready,
    output wire [`MOEHUB_HANDLE_WIDTH - 1:0]                 m_axis_handle_tdata,
    input  wire                                              s_axis_store_tvalid,
    output wire                                              s_axis_store_tready,
    input  wire [`MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) - 1:0] s_axis_store_tdata,
    input  wire                                              s_axis_end_tvalid,
    output wire                                              s_axis_end_tready,
    input  wire [`MOEHUB_END_COMMAND_WIDTH - 1:0]            s_axis_end_tdata,
    output wire                                              m_axis_expect_tvalid,
    input  wire                                              m_axis_expect_tready,
    output wire [`MOEHUB_EXPECTED_WIDTH - 1:0]               m_axis_expect_tdata,
    output wire [LINKS:0]                                    m_axis_packet_tvalid,
    input  wire [LINKS:0]                                    m_axis_packet_tready,
    output wire [(LINKS + 1) * 128 - 1:0]                    m_axis_packet_tdata,
    output wire [LINKS:0]                                    m_axis_packet_tlast,
    output wire [(LINKS + 1) * 5 - 1:0]                      m_axis_packet_flits,
    output wire                                              m_axis_notice_tvalid,
    input  wire                                              m_axis_notice_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]                 m_axis_notice_tdata,
    output wire                                              m_axi_list_arvalid,
    input  wire                                              m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]                        m_axi_list_araddr,
    input  wire                                              m_axi_list_rvalid,
    input  wire [127:0]                                      m_axi_list_rdata,
    input  wire [1:0]                                        m_axi_list_rresp
);
    wire [15:0]                                line_timeout;
    wire [15:0]                                slots_level;
    wire [15:0]                                rows_level;
    wire [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0] events;
    wire                                       error_valid;
    wire [4:0]                                 error_cause;
    wire [127:0]                               error_header;

    moehub_packet_manager_csr #(
        .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES), .REDUCES(REDUCES)
    ) u_csr (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .interrupt_request(interrupt_request), .line_timeout(line_timeout),
        .initialised(initialised), .slots_level(slots_level), .rows_level(rows_level), .events(events), .error_valid(error_valid),
        .error_cause(error_cause), .error_header(error_header), .reduce_events(reduce_events),
        .reduce_error_valid(reduce_error_valid), .reduce_error_header(reduce_error_header)
    );

    moehub_packet_manager #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .ROWS(ROWS), .LINES(LINES),
        .STORE_BYTES(STORE_BYTES)
    ) u_packet_manager (
        .clk(clk), .rst(rst), .initialised(initialised), .own(own), .link_up(link_up), .store_room(store_room),
        .line_timeout(line_timeout), .enabled(enabled), .closing(closing), .rounds(rounds), .owner_shifts(owner_shifts),
        .peers(peers), .row_sizes(row_sizes), .failed(failed), .closed(closed), .rows(rows),
        .s_axis_row_tvalid(s_axis_row_tvalid), .s_axis_row_tready(s_axis_row_tready), .s_axis_row_tdata(s_axis_row_tdata),
        .m_axis_handle_tvalid(m_axis_handle_tvalid), .m_axis_handle_tready(m_axis_handle_tready),
        .m_axis_handle_tdata(m_axis_handle_tdata), .s_axis_store_tvalid(s_axis_store_tvalid),
        .s_axis_store_tready(s_axis_store_tready), .s_axis_store_tdata(s_axis_store_tdata), .s_axis_end_tvalid(s_axis_end_tvalid),
        .s_axis_end_tready(s_axis_end_tready), .s_axis_end_tdata(s_axis_end_tdata), .m_axis_expect_tvalid(m_axis_expect_tvalid),
        .m_axis_expect_tready(m_axis_expect_tready), .m_axis_expect_tdata(m_axis_expect_tdata),
        .m_axis_packet_tvalid(m_axis_packet_tvalid), .m_axis_packet_tready(m_axis_packet_tready),
        .m_axis_packet_tdata(m_axis_packet_tdata), .m_axis_packet_tlast(m_axis_packet_tlast),
        .m_axis_packet_flits(m_axis_packet_flits), .m_axis_notice_tvalid(m_axis_notice_tvalid),
        .m_axis_notice_tready(m_axis_notice_tready), .m_axis_notice_tdata(m_axis_notice_tdata),
        .m_axi_list_arvalid(m_axi_list_arvalid), .m_axi_list_arready(m_axi_list_arready), .m_axi_list_araddr(m_axi_list_araddr),
        .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rdata(m_axi_list_rdata), .m_axi_list_rresp(m_axi_list_rresp),
        .slots_level(slots_level), .rows_level(rows_level), .events(events), .error_valid(error_valid), .error_cause(error_cause),
        .error_header(error_header)
    );
endmodule

`default_nettype wire
