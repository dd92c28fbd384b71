// SPDX-License-Identifier: Apache-2.0
// Purpose: the hub's address path with its registers: what an integrator instantiates.
// Contract: those of moehub_address_path and moehub_hub_csr; commands come from the registers only.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

// Joined by name from the headers of the parts: `make faces` writes it from moehub_hub_address_unit.face.
module moehub_hub_address_unit #(
    parameter CONTEXTS        = 4,   // 1..8
    parameter LOCAL_EXPERTS   = 64,  // 1..1024, regions per context
    parameter GPUS            = 64,  // 1..1024
    parameter ROW_INDEX_WIDTH = 20,  // 1..32
    parameter SLOT_WIDTH      = 22,  // 1..31
    parameter OFFSET_WIDTH    = 14,  // 4..16
    parameter ADDRESS_WIDTH   = 48,  // 32..64
    parameter SETS            = 128, // power of two, 1..4096
    parameter WAYS            = 4,   // 1..8
    parameter REPLACEMENT     = 0,   // 0 tree pseudo-LRU, 1 FIFO
    parameter PORTS           = 16,  // 1..64
    parameter PENDING         = 64,  // 1..256
    parameter WAITING         = 128, // 2..4096
    parameter TAG_WIDTH       = 24,  // 1..64
    parameter AXI_DATA_WIDTH  = 128, // 32, 64, 128, 256, 512
    parameter STAGES          = 1,   // 1, 2: row sizes a context, bases a region
    parameter LENGTH_WIDTH    = 9,   // 9..11, bits of a request's length
    parameter PARITY          = 0    // 1: a parity bit in every memory word
) (
    input  wire        clk,
    input  wire        rst,
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

    input  wire                                                request_valid,
    output wire                                                request_ready,
    input  wire                                                request_operation,
    input  wire                                                request_first,
    input  wire [2:0]                                          request_context,
    input  wire [15:0]                                         request_expert,
    input  wire [31:0]                                         request_row_index,
    input  wire [15:0]                                         request_offset,
    input  wire [LENGTH_WIDTH - 1:0]                           request_length,
    input  wire [9:0]                                          request_source,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]             request_port,
    input  wire [TAG_WIDTH - 1:0]                              request_tag,
    output wire                                                answer_valid,
    input  wire                                                answer_ready,
    output wire [3:0]                                          answer_status,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]             answer_port,
    output wire [TAG_WIDTH - 1:0]                              answer_tag,
    output wire [SLOT_WIDTH - 1:0]                             answer_slot,
    output wire [ADDRESS_WIDTH - 1:0]                          answer_address,
    output wire                                                answer_allocated,
    output wire                                                m_axi_arvalid,
    input  wire                                                m_axi_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]                          m_axi_araddr,
    output wire [7:0]                                          m_axi_arlen,
    output wire [2:0]                                          m_axi_arsize,
    output wire [1:0]                                          m_axi_arburst,
    input  wire                                                m_axi_rvalid,
    output wire                                                m_axi_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]                         m_axi_rdata,
    input  wire [1:0]                                          m_axi_rresp,
    input  wire                                                m_axi_rlast,
    output wire                                                m_axi_awvalid,
    input  wire                                                m_axi_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]                          m_axi_awaddr,
    output wire [7:0]                                          m_axi_awlen,
    output wire [2:0]                                          m_axi_awsize,
    output wire [1:0]                                          m_axi_awburst,
    output wire                                                m_axi_wvalid,
    input  wire                                                m_axi_wready,
    output wire [AXI_DATA_WIDTH - 1:0]                         m_axi_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]                     m_axi_wstrb,
    output wire                                                m_axi_wlast,
    input  wire                                                m_axi_bvalid,
    output wire                                                m_axi_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_bid,
    input  wire [1:0]                                          m_axi_bresp,
    output wire                                                initialised,
    output wire [CONTEXTS - 1:0]                               in_flight,
    output wire [CONTEXTS - 1:0]                               enabled,
    output wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    output wire [CONTEXTS - 1:0]                               faults
);
    wire                             command_valid;
    wire [3:0]                       command_operation;
    wire [7:0]                       command_context;
    wire [15:0]                      command_index;
    wire [63:0]                      command_data0;
    wire [63:0]                      command_data1;
    wire                             result_ready;
    wire                             command_ready;
    wire                             result_valid;
    wire                             result_refused;
    wire                             result_in_flight;
    wire [63:0]                      result_data0;
    wire [63:0]                      result_data1;
    wire [CONTEXTS - 1:0]            clear_needed;
    wire [`MOEHUB_HUB_EVENTS - 1:0]  events;
    wire [$clog2(WAITING + 1) - 1:0] waiting_used;
    wire [$clog2(PENDING + 1) - 1:0] pending_used;
    wire                             error_valid;
    wire [4:0]                       error_cause;
    wire [127:0]                     error_header;
    wire [15:0]                      error_expert;
    wire [5:0]                       error_port;

    moehub_hub_csr #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .WAYS(WAYS),
        .REPLACEMENT(REPLACEMENT), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH),
        .AXI_DATA_WIDTH(AXI_DATA_WIDTH), .STAGES(STAGES), .LENGTH_WIDTH(LENGTH_WIDTH)
    ) u_csr (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .interrupt_request(interrupt_request), .command_valid(command_valid),
        .command_ready(command_ready), .command_operation(command_operation), .command_context(command_context),
        .command_index(command_index), .command_data0(command_data0), .command_data1(command_data1), .result_valid(result_valid),
        .result_ready(result_ready), .result_refused(result_refused), .result_in_flight(result_in_flight),
        .result_data0(result_data0), .result_data1(result_data1), .initialised(initialised), .in_flight(in_flight),
        .clear_needed(clear_needed), .events(events), .waiting_used(waiting_used), .pending_used(pending_used),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_expert(error_expert),
        .error_port(error_port)
    );

    moehub_address_path #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .WAYS(WAYS),
        .REPLACEMENT(REPLACEMENT), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH),
        .AXI_DATA_WIDTH(AXI_DATA_WIDTH), .STAGES(STAGES), .LENGTH_WIDTH(LENGTH_WIDTH), .PARITY(PARITY)
    ) u_address_path (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_ready(request_ready), .request_operation(request_operation),
        .request_first(request_first), .request_context(request_context), .request_expert(request_expert),
        .request_row_index(request_row_index), .request_offset(request_offset), .request_length(request_length),
        .request_source(request_source), .request_port(request_port), .request_tag(request_tag), .answer_valid(answer_valid),
        .answer_ready(answer_ready), .answer_status(answer_status), .answer_port(answer_port), .answer_tag(answer_tag),
        .answer_slot(answer_slot), .answer_address(answer_address), .answer_allocated(answer_allocated),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr),
        .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize), .m_axi_arburst(m_axi_arburst), .m_axi_rvalid(m_axi_rvalid),
        .m_axi_rready(m_axi_rready), .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast), .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awid(m_axi_awid),
        .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize), .m_axi_awburst(m_axi_awburst),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready), .m_axi_bid(m_axi_bid),
        .m_axi_bresp(m_axi_bresp), .initialised(initialised), .in_flight(in_flight), .clear_needed(clear_needed),
        .enabled(enabled), .row_sizes(row_sizes), .faults(faults), .events(events), .waiting_used(waiting_used),
        .pending_used(pending_used), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_expert(error_expert), .error_port(error_port)
    );
endmodule

`default_nettype wire
