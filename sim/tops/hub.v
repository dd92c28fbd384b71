// SPDX-License-Identifier: Apache-2.0
// Purpose: the hub with a pin a field of its GPU's streams (rtl/doc/hub/hub.md section 3); the rest as moehub_hub_top has it.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_packet_manager.vh"
`include "moehub_plane.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module hub #(
    parameter LINKS             = 1,    // 1..4
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter LOCAL_EXPERTS     = 64,   // 1..2^LOCAL_EXPERT_BITS
    parameter MAX_TARGETS       = 32,   // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8 lines in a request
    parameter ROW_INDEX_WIDTH   = 20,   // 1..32
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter OFFSET_WIDTH      = 14,   // 7..16: a row has at most 2^OFFSET_WIDTH bytes
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter SETS              = 128,  // power of two, 1..4096, of the AL-TLB
    parameter WAYS              = 4,    // 1..8, of the AL-TLB
    parameter REPLACEMENT       = 0,    // 0 tree pseudo-LRU, 1 FIFO
    parameter PENDING           = 64,   // 1..256 misses
    parameter WAITING           = 128,  // 2..4096 questions that wait for them
    parameter AXI_DATA_WIDTH    = 128,  // 32, 64, 128, 256, 512: of the table port
    parameter PLACES_STORE      = 2048, // 14..8191 flits, of a link
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter LOOP_PLACES       = 64,   // 17..8191, of each class of the loop-back
    parameter LOOP_SHARE        = 4,    // 1, 2, 4, 8: the loop-back has ANSWERS, WRITES, READ_LINES over this
    parameter ANSWERS           = 128,  // 1..1024
    parameter REQUEST_ANSWERS   = 64,   // MAX_TARGETS..1024
    parameter WRITES            = 256,  // 2..1024
    parameter READ_LINES        = 96,   // 1..1024
    parameter LANE_BYTES        = 16,   // 16, 32
    parameter PARTIAL_ROWS      = 40,   // 9..256
    parameter NOTICES           = 16,   // 2..64
    parameter TILES             = 1024, // 1..65536
    parameter TOKENS            = 4096, // 1..65536
    parameter ROWS              = 32,   // 1..64
    parameter LINES             = 448,  // 1..4096
    parameter STORE_BYTES       = 32,   // 16, 32, 64, 128
    parameter REDUCES           = 16,   // 1..64
    parameter FINAL_GROUPS      = 13,   // 1..4096 / REQUEST_LINES, a link
    parameter WITH_FP32         = 1     // 0, 1
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [9:0] own, // GPU; stands still from the last cycle of reset on
    output wire       initialised,
    output wire       interrupt_request, // of any window, a register

    // ---- streams of the GPU
    input  wire row_valid,
    output wire row_ready,
    input  wire [2:0] row_context,
    input  wire row_immediate,
    input  wire [5:0] row_count,
    input  wire [ADDRESS_WIDTH - 1:0] row_address,
    input  wire [15:0] row_id,
    input  wire [31:0] row_row_index,
    output wire handle_valid,
    input  wire handle_ready,
    output wire [3:0] handle_status,
    output wire [15:0] handle_handle,
    output wire [31:0] handle_row_index,
    input  wire store_valid,
    output wire store_ready,
    input  wire [15:0] store_handle,
    input  wire [15:0] store_offset,
    input  wire store_nop,
    input  wire [STORE_BYTES - 1:0] store_mask,
    input  wire [8 * STORE_BYTES - 1:0] store_bytes,
    input  wire reduce_valid,
    output wire reduce_ready,
    input  wire [2:0] reduce_context,
    input  wire reduce_immediate,
    input  wire [5:0] reduce_count,
    input  wire [ADDRESS_WIDTH - 1:0] reduce_address,
    input  wire [15:0] reduce_id,
    input  wire [31:0] reduce_row_index,
    input  wire [8:0] reduce_line,
    input  wire [8:0] reduce_length,
    input  wire [1:0] reduce_element,
    input  wire [23:0] reduce_tag,
    output wire [LINKS - 1:0]                                m_axis_reduced_tvalid,
    input  wire [LINKS - 1:0]                                m_axis_reduced_tready,
    output wire [LINKS * 128 - 1:0]                          m_axis_reduced_tdata,
    output wire [LINKS * `MOEHUB_REDUCED_WIDTH - 1:0]        m_axis_reduced_tuser,
    output wire [LINKS - 1:0]                                m_axis_reduced_tlast,
    input  wire done_valid,
    output wire done_ready,
    input  wire [2:0] done_context,
    input  wire [15:0] done_expert,
    input  wire [31:0] done_tile,
    input  wire done_stage,
    output wire ready_valid,
    input  wire ready_ready,
    output wire [1:0] ready_kind,
    output wire ready_failed,
    output wire [2:0] ready_context,
    output wire [3:0] ready_round,
    output wire [15:0] ready_expert,
    output wire [15:0] ready_rows,
    output wire [31:0] ready_name,

    // ---- links
    input  wire [LINKS - 1:0]                              link_up,
    input  wire [LINKS - 1:0]                              in_flit_valid,
    input  wire [LINKS - 1:0]                              in_flit_first,
    input  wire [LINKS - 1:0]                              in_flit_last,
    input  wire [LINKS * 2 - 1:0]                          in_flit_class,
    input  wire [LINKS * 128 - 1:0]                        in_flit_data,
    output wire [LINKS - 1:0]                              in_credit_valid,
    output wire [LINKS * 2 - 1:0]                          in_credit_class,
    output wire [LINKS * `MOEHUB_CREDIT_FLITS_WIDTH - 1:0] in_credit_flits,
    output wire [LINKS - 1:0]                              out_flit_valid,
    output wire [LINKS - 1:0]                              out_flit_first,
    output wire [LINKS - 1:0]                              out_flit_last,
    output wire [LINKS * 2 - 1:0]                          out_flit_class,
    output wire [LINKS * 128 - 1:0]                        out_flit_data,
    input  wire [LINKS - 1:0]                              out_credit_valid,
    input  wire [LINKS * 2 - 1:0]                          out_credit_class,
    input  wire [LINKS * `MOEHUB_CREDIT_FLITS_WIDTH - 1:0] out_credit_flits,

    // ---- registers
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [15:0] s_axil_awaddr,
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
    input  wire [15:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,

    // ---- memory: table entries
    output wire                                      m_axi_table_arvalid,
    input  wire                                      m_axi_table_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_table_arid,
    output wire [ADDRESS_WIDTH - 1:0]                m_axi_table_araddr,
    output wire [7:0]                                m_axi_table_arlen,
    output wire [2:0]                                m_axi_table_arsize,
    output wire [1:0]                                m_axi_table_arburst,
    input  wire                                      m_axi_table_rvalid,
    output wire                                      m_axi_table_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_table_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]               m_axi_table_rdata,
    input  wire [1:0]                                m_axi_table_rresp,
    input  wire                                      m_axi_table_rlast,
    output wire                                      m_axi_table_awvalid,
    input  wire                                      m_axi_table_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_table_awid,
    output wire [ADDRESS_WIDTH - 1:0]                m_axi_table_awaddr,
    output wire [7:0]                                m_axi_table_awlen,
    output wire [2:0]                                m_axi_table_awsize,
    output wire [1:0]                                m_axi_table_awburst,
    output wire                                      m_axi_table_wvalid,
    input  wire                                      m_axi_table_wready,
    output wire [AXI_DATA_WIDTH - 1:0]               m_axi_table_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]           m_axi_table_wstrb,
    output wire                                      m_axi_table_wlast,
    input  wire                                      m_axi_table_bvalid,
    output wire                                      m_axi_table_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_table_bid,
    input  wire [1:0]                                m_axi_table_bresp,

    // ---- memory: rows, a port a way; INCR, 32 bytes a beat, one id
    output wire [LINKS:0]                             m_axi_data_arvalid,
    input  wire [LINKS:0]                             m_axi_data_arready,
    output wire [(LINKS + 1) * ADDRESS_WIDTH - 1:0]   m_axi_data_araddr,
    output wire [(LINKS + 1) * 8 - 1:0]               m_axi_data_arlen,
    input  wire [LINKS:0]                             m_axi_data_rvalid,
    output wire [LINKS:0]                             m_axi_data_rready,
    input  wire [(LINKS + 1) * 256 - 1:0]             m_axi_data_rdata,
    input  wire [(LINKS + 1) * 2 - 1:0]               m_axi_data_rresp,
    input  wire [LINKS:0]                             m_axi_data_rlast,
    output wire [LINKS:0]                             m_axi_data_awvalid,
    input  wire [LINKS:0]                             m_axi_data_awready,
    output wire [(LINKS + 1) * ADDRESS_WIDTH - 1:0]   m_axi_data_awaddr,
    output wire [(LINKS + 1) * 8 - 1:0]               m_axi_data_awlen,
    output wire [LINKS:0]                             m_axi_data_wvalid,
    input  wire [LINKS:0]                             m_axi_data_wready,
    output wire [(LINKS + 1) * 256 - 1:0]             m_axi_data_wdata,
    output wire [(LINKS + 1) * 32 - 1:0]              m_axi_data_wstrb,
    output wire [LINKS:0]                             m_axi_data_wlast,
    input  wire [LINKS:0]                             m_axi_data_bvalid,
    output wire [LINKS:0]                             m_axi_data_bready,
    input  wire [(LINKS + 1) * 2 - 1:0]               m_axi_data_bresp,

    // ---- memory: lists; one beat of 16 bytes, id: who reads
    output wire                       m_axi_list_arvalid,
    input  wire                       m_axi_list_arready,
    output wire [1:0]                 m_axi_list_arid,
    output wire [ADDRESS_WIDTH - 1:0] m_axi_list_araddr,
    input  wire                       m_axi_list_rvalid,
    output wire                       m_axi_list_rready,
    input  wire [1:0]                 m_axi_list_rid,
    input  wire [127:0]               m_axi_list_rdata,
    input  wire [1:0]                 m_axi_list_rresp
);
    wire [`MOEHUB_HANDLE_WIDTH - 1:0] handle;
    assign `MOEHUB_HANDLE(handle_status, handle_handle, handle_row_index) = handle;
    wire [`MOEHUB_READY_EVENT_WIDTH - 1:0] ready;
    assign `MOEHUB_READY_EVENT(ready_kind, ready_failed, ready_context, ready_round, ready_expert, ready_rows, ready_name) =
        ready;
    moehub_hub_top #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .LOCAL_EXPERTS(LOCAL_EXPERTS), .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES),
        .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .WAYS(WAYS), .REPLACEMENT(REPLACEMENT), .PENDING(PENDING),
        .WAITING(WAITING), .AXI_DATA_WIDTH(AXI_DATA_WIDTH), .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST),
        .PLACES_RESPONSE(PLACES_RESPONSE), .LOOP_PLACES(LOOP_PLACES), .LOOP_SHARE(LOOP_SHARE), .ANSWERS(ANSWERS),
        .REQUEST_ANSWERS(REQUEST_ANSWERS), .WRITES(WRITES), .READ_LINES(READ_LINES), .LANE_BYTES(LANE_BYTES),
        .PARTIAL_ROWS(PARTIAL_ROWS), .NOTICES(NOTICES), .TILES(TILES), .TOKENS(TOKENS), .ROWS(ROWS), .LINES(LINES),
        .STORE_BYTES(STORE_BYTES), .REDUCES(REDUCES), .FINAL_GROUPS(FINAL_GROUPS), .WITH_FP32(WITH_FP32)
    ) u_hub (
        .clk(clk), .rst(rst), .own(own), .initialised(initialised), .interrupt_request(interrupt_request),
        .s_axis_row_tvalid(row_valid), .s_axis_row_tready(row_ready),
        .s_axis_row_tdata(`MOEHUB_NEW_ROW(row_context, row_immediate, row_count, row_address, row_id, row_row_index)),
        .m_axis_handle_tvalid(handle_valid), .m_axis_handle_tready(handle_ready), .m_axis_handle_tdata(handle),
        .s_axis_store_tvalid(store_valid), .s_axis_store_tready(store_ready),
        .s_axis_store_tdata(`MOEHUB_ROW_STORE(store_handle, store_offset, store_nop, store_mask, store_bytes)),
        .s_axis_reduce_tvalid(reduce_valid), .s_axis_reduce_tready(reduce_ready),

        .s_axis_reduce_tdata(`MOEHUB_REDUCE(reduce_context, reduce_immediate, reduce_count, reduce_address, reduce_id,
            reduce_row_index, reduce_line, reduce_length, reduce_element, reduce_tag)),
        .m_axis_reduced_tvalid(m_axis_reduced_tvalid), .m_axis_reduced_tready(m_axis_reduced_tready),
        .m_axis_reduced_tdata(m_axis_reduced_tdata), .m_axis_reduced_tuser(m_axis_reduced_tuser),
        .m_axis_reduced_tlast(m_axis_reduced_tlast), .s_axis_done_tvalid(done_valid), .s_axis_done_tready(done_ready),
        .s_axis_done_tdata(`MOEHUB_DONE(done_context, done_expert, done_tile, done_stage)),
        .m_axis_ready_tvalid(ready_valid), .m_axis_ready_tready(ready_ready), .m_axis_ready_tdata(ready), .link_up(link_up),
        .in_flit_valid(in_flit_valid), .in_flit_first(in_flit_first), .in_flit_last(in_flit_last),
        .in_flit_class(in_flit_class), .in_flit_data(in_flit_data), .in_credit_valid(in_credit_valid),
        .in_credit_class(in_credit_class), .in_credit_flits(in_credit_flits), .out_flit_valid(out_flit_valid),
        .out_flit_first(out_flit_first), .out_flit_last(out_flit_last), .out_flit_class(out_flit_class),
        .out_flit_data(out_flit_data), .out_credit_valid(out_credit_valid), .out_credit_class(out_credit_class),
        .out_credit_flits(out_credit_flits), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
        .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid),
        .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
        .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .m_axi_table_arvalid(m_axi_table_arvalid),
        .m_axi_table_arready(m_axi_table_arready), .m_axi_table_arid(m_axi_table_arid),
        .m_axi_table_araddr(m_axi_table_araddr), .m_axi_table_arlen(m_axi_table_arlen),
        .m_axi_table_arsize(m_axi_table_arsize), .m_axi_table_arburst(m_axi_table_arburst),
        .m_axi_table_rvalid(m_axi_table_rvalid), .m_axi_table_rready(m_axi_table_rready), .m_axi_table_rid(m_axi_table_rid),
        .m_axi_table_rdata(m_axi_table_rdata), .m_axi_table_rresp(m_axi_table_rresp), .m_axi_table_rlast(m_axi_table_rlast),
        .m_axi_table_awvalid(m_axi_table_awvalid), .m_axi_table_awready(m_axi_table_awready),
        .m_axi_table_awid(m_axi_table_awid), .m_axi_table_awaddr(m_axi_table_awaddr), .m_axi_table_awlen(m_axi_table_awlen),
        .m_axi_table_awsize(m_axi_table_awsize), .m_axi_table_awburst(m_axi_table_awburst),
        .m_axi_table_wvalid(m_axi_table_wvalid), .m_axi_table_wready(m_axi_table_wready),
        .m_axi_table_wdata(m_axi_table_wdata), .m_axi_table_wstrb(m_axi_table_wstrb), .m_axi_table_wlast(m_axi_table_wlast),
        .m_axi_table_bvalid(m_axi_table_bvalid), .m_axi_table_bready(m_axi_table_bready), .m_axi_table_bid(m_axi_table_bid),
        .m_axi_table_bresp(m_axi_table_bresp), .m_axi_data_arvalid(m_axi_data_arvalid),
        .m_axi_data_arready(m_axi_data_arready), .m_axi_data_araddr(m_axi_data_araddr), .m_axi_data_arlen(m_axi_data_arlen),
        .m_axi_data_rvalid(m_axi_data_rvalid), .m_axi_data_rready(m_axi_data_rready), .m_axi_data_rdata(m_axi_data_rdata),
        .m_axi_data_rresp(m_axi_data_rresp), .m_axi_data_rlast(m_axi_data_rlast), .m_axi_data_awvalid(m_axi_data_awvalid),
        .m_axi_data_awready(m_axi_data_awready), .m_axi_data_awaddr(m_axi_data_awaddr), .m_axi_data_awlen(m_axi_data_awlen),
        .m_axi_data_wvalid(m_axi_data_wvalid), .m_axi_data_wready(m_axi_data_wready), .m_axi_data_wdata(m_axi_data_wdata),
        .m_axi_data_wstrb(m_axi_data_wstrb), .m_axi_data_wlast(m_axi_data_wlast), .m_axi_data_bvalid(m_axi_data_bvalid),
        .m_axi_data_bready(m_axi_data_bready), .m_axi_data_bresp(m_axi_data_bresp), .m_axi_list_arvalid(m_axi_list_arvalid),
        .m_axi_list_arready(m_axi_list_arready), .m_axi_list_arid(m_axi_list_arid), .m_axi_list_araddr(m_axi_list_araddr),
        .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rready(m_axi_list_rready), .m_axi_list_rid(m_axi_list_rid),
        .m_axi_list_rdata(m_axi_list_rdata), .m_axi_list_rresp(m_axi_list_rresp)
    );
endmodule

`default_nettype wire
