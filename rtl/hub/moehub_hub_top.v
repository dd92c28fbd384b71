// SPDX-License-Identifier: Apache-2.0
// Purpose: a GPU's end of the network (doc/hub/hub.md): rows and sums of its own go out, packets of others are placed in memory,
//   summed and told; wiring.
// Contract:
//   1. Streams of the GPU, links, AXI4 ports and registers are those of doc/hub/hub.md sections 3 and 7; element l of a vector
//      belongs to link l, element w to way w, of which LINKS is the loop-back.
//   2. Until `initialised` the links grant nothing.
//   3. Outputs are registers, or gates of registers.
// How: wires, and registers where a path from part to part is long.
// Cost: doc/hub/hub.md sections 10 and 11.
// Limits: those of its parts. MAX_TARGETS and REQUEST_LINES must be the switch's.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_packet_manager.vh"
`include "moehub_plane.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_hub_top #(
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
    input  wire                                              s_axis_row_tvalid,
    output wire                                              s_axis_row_tready,
    input  wire [`MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH) - 1:0] s_axis_row_tdata,
    output wire                                              m_axis_handle_tvalid,
    input  wire                                              m_axis_handle_tready,
    output wire [`MOEHUB_HANDLE_WIDTH - 1:0]                 m_axis_handle_tdata,
    input  wire                                              s_axis_store_tvalid,
    output wire                                              s_axis_store_tready,
    input  wire [`MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) - 1:0] s_axis_store_tdata,
    input  wire                                              s_axis_reduce_tvalid,
    output wire                                              s_axis_reduce_tready,
    input  wire [`MOEHUB_REDUCE_WIDTH(ADDRESS_WIDTH) - 1:0]  s_axis_reduce_tdata,
    output wire [LINKS - 1:0]                                m_axis_reduced_tvalid,
    input  wire [LINKS - 1:0]                                m_axis_reduced_tready,
    output wire [LINKS * 128 - 1:0]                          m_axis_reduced_tdata,
    output wire [LINKS * `MOEHUB_REDUCED_WIDTH - 1:0]        m_axis_reduced_tuser,
    output wire [LINKS - 1:0]                                m_axis_reduced_tlast,
    input  wire                                              s_axis_done_tvalid,
    output wire                                              s_axis_done_tready,
    input  wire [`MOEHUB_DONE_WIDTH - 1:0]                   s_axis_done_tdata,
    output wire                                              m_axis_ready_tvalid,
    input  wire                                              m_axis_ready_tready,
    output wire [`MOEHUB_READY_EVENT_WIDTH - 1:0]            m_axis_ready_tdata,

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
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
        if (GPUS < 2 || GPUS > 64) GPUS_must_be_2_to_64 u_rule ();
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        else if (LOCAL_EXPERTS < 1 || LOCAL_EXPERTS > (1 << LOCAL_EXPERT_BITS))
            LOCAL_EXPERTS_must_be_1_to_2_to_the_LOCAL_EXPERT_BITS u_rule ();
        if (OFFSET_WIDTH < 7 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_7_to_16 u_rule ();
        if (LOOP_PLACES < 17 || LOOP_PLACES > 8191) LOOP_PLACES_must_be_17_to_8191 u_rule ();
        if (LOOP_SHARE != 1 && LOOP_SHARE != 2 && LOOP_SHARE != 4 && LOOP_SHARE != 8) LOOP_SHARE_must_be_1_2_4_or_8 u_rule ();
    endgenerate

    // All parts read it: a register, as the wires from outside come late.
    reg [9:0] own_q;
    always @(posedge clk) begin
        own_q <= own;
    end

    localparam SIZE_WIDTH   = OFFSET_WIDTH + 1;
    localparam BLOCKS       = 5 + 2 * LINKS; // of registers
    localparam BUS_WIDTH    = `MOEHUB_BUS_WIDTH;
    localparam ANSWER_WIDTH = `MOEHUB_BUS_ANSWER_WIDTH;
    localparam CREDIT_WIDTH = `MOEHUB_CREDIT_FLITS_WIDTH;
    localparam COMPLETED_WIDTH = `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH);
    localparam PORT_WIDTH   = `MOEHUB_INDEX_WIDTH(2 * (LINKS + 1)); // of the address path

    // What the loop-back has of what a link has.
    localparam LOOP_ANSWERS    = ANSWERS < LOOP_SHARE ? 1 : ANSWERS / LOOP_SHARE;
    localparam LOOP_WRITES     = WRITES < 2 * LOOP_SHARE ? 2 : WRITES / LOOP_SHARE;
    localparam LOOP_READ_LINES = READ_LINES < LOOP_SHARE ? 1 : READ_LINES / LOOP_SHARE;

    // ---- registers: windows ---------------------------------------------------------------------------------------------
    wire [15:0]                        write_address;
    wire [BLOCKS - 1:0]                write_block;
    wire [15:0]                        read_address;
    wire [BLOCKS - 1:0]                read_block;
    wire [BLOCKS * BUS_WIDTH - 1:0]    block_bus;
    wire [BLOCKS * ANSWER_WIDTH - 1:0] block_answer;
    moehub_hub_window #(.LINKS(LINKS)) u_write_window (.address(write_address), .block(write_block));
    moehub_hub_window #(.LINKS(LINKS)) u_read_window (.address(read_address), .block(read_block));
    moehub_axi_lite_decoder #(
        .ADDRESS_WIDTH(16), .BLOCKS(BLOCKS)
    ) u_decoder (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp), .write_address(write_address),
        .write_block(write_block), .read_address(read_address), .read_block(read_block), .block_bus(block_bus),
        .block_answer(block_answer)
    );

    wire        control_awvalid;
    wire        control_awready;
    wire [11:0] control_awaddr;
    wire        control_wvalid;
    wire        control_wready;
    wire [31:0] control_wdata;
    wire [3:0]  control_wstrb;
    wire        control_bvalid;
    wire        control_bready;
    wire [1:0]  control_bresp;
    wire        control_arvalid;
    wire        control_arready;
    wire [11:0] control_araddr;
    wire        control_rvalid;
    wire        control_rready;
    wire [31:0] control_rdata;
    wire [1:0]  control_rresp;
    assign `MOEHUB_BUS(control_awvalid, control_awaddr, control_wvalid, control_wdata, control_wstrb, control_bready,
        control_arvalid, control_araddr, control_rready) = block_bus[0 * BUS_WIDTH +: BUS_WIDTH];
    assign block_answer[0 * ANSWER_WIDTH +: ANSWER_WIDTH] =
        `MOEHUB_BUS_ANSWER(control_awready, control_wready, control_bvalid, control_bresp, control_arready, control_rvalid,
            control_rdata, control_rresp);

    wire        address_awvalid;
    wire        address_awready;
    wire [11:0] address_awaddr;
    wire        address_wvalid;
    wire        address_wready;
    wire [31:0] address_wdata;
    wire [3:0]  address_wstrb;
    wire        address_bvalid;
    wire        address_bready;
    wire [1:0]  address_bresp;
    wire        address_arvalid;
    wire        address_arready;
    wire [11:0] address_araddr;
    wire        address_rvalid;
    wire        address_rready;
    wire [31:0] address_rdata;
    wire [1:0]  address_rresp;
    assign `MOEHUB_BUS(address_awvalid, address_awaddr, address_wvalid, address_wdata, address_wstrb, address_bready,
        address_arvalid, address_araddr, address_rready) = block_bus[1 * BUS_WIDTH +: BUS_WIDTH];
    assign block_answer[1 * ANSWER_WIDTH +: ANSWER_WIDTH] =
        `MOEHUB_BUS_ANSWER(address_awready, address_wready, address_bvalid, address_bresp, address_arready, address_rvalid,
            address_rdata, address_rresp);

    wire        tracker_awvalid;
    wire        tracker_awready;
    wire [11:0] tracker_awaddr;
    wire        tracker_wvalid;
    wire        tracker_wready;
    wire [31:0] tracker_wdata;
    wire [3:0]  tracker_wstrb;
    wire        tracker_bvalid;
    wire        tracker_bready;
    wire [1:0]  tracker_bresp;
    wire        tracker_arvalid;
    wire        tracker_arready;
    wire [11:0] tracker_araddr;
    wire        tracker_rvalid;
    wire        tracker_rready;
    wire [31:0] tracker_rdata;
    wire [1:0]  tracker_rresp;
    assign `MOEHUB_BUS(tracker_awvalid, tracker_awaddr, tracker_wvalid, tracker_wdata, tracker_wstrb, tracker_bready,
        tracker_arvalid, tracker_araddr, tracker_rready) = block_bus[2 * BUS_WIDTH +: BUS_WIDTH];
    assign block_answer[2 * ANSWER_WIDTH +: ANSWER_WIDTH] =
        `MOEHUB_BUS_ANSWER(tracker_awready, tracker_wready, tracker_bvalid, tracker_bresp, tracker_arready, tracker_rvalid,
            tracker_rdata, tracker_rresp);

    wire        manager_awvalid;
    wire        manager_awready;
    wire [11:0] manager_awaddr;
    wire        manager_wvalid;
    wire        manager_wready;
    wire [31:0] manager_wdata;
    wire [3:0]  manager_wstrb;
    wire        manager_bvalid;
    wire        manager_bready;
    wire [1:0]  manager_bresp;
    wire        manager_arvalid;
    wire        manager_arready;
    wire [11:0] manager_araddr;
    wire        manager_rvalid;
    wire        manager_rready;
    wire [31:0] manager_rdata;
    wire [1:0]  manager_rresp;
    assign `MOEHUB_BUS(manager_awvalid, manager_awaddr, manager_wvalid, manager_wdata, manager_wstrb, manager_bready,
        manager_arvalid, manager_araddr, manager_rready) = block_bus[3 * BUS_WIDTH +: BUS_WIDTH];
    assign block_answer[3 * ANSWER_WIDTH +: ANSWER_WIDTH] =
        `MOEHUB_BUS_ANSWER(manager_awready, manager_wready, manager_bvalid, manager_bresp, manager_arready, manager_rvalid,
            manager_rdata, manager_rresp);

    // ---- contexts -------------------------------------------------------------------------------------------------------
    wire                                   address_interrupt;
    wire                                   tile_tracker_interrupt;
    wire                                   packet_manager_interrupt;
    wire [LINKS:0]                         way_interrupts;
    wire [LINKS - 1:0]                     final_reduce_interrupts;
    wire                                   address_initialised;
    wire                                   tile_tracker_initialised;
    wire                                   packet_manager_initialised;
    wire [LINKS - 1:0]                     final_reduce_initialised;
    wire [CONTEXTS - 1:0]                  enabled;
    wire [CONTEXTS - 1:0]                  closing;
    wire [CONTEXTS - 1:0]                  has_arrived;
    wire [CONTEXTS - 1:0]                  has_failed;
    wire [CONTEXTS * 4 - 1:0]              rounds;
    wire [CONTEXTS * GPUS - 1:0]           peers;
    wire [CONTEXTS * 5 - 1:0]              owner_shifts;
    wire [CONTEXTS - 1:0]                  counts_tokens;
    wire [CONTEXTS * 16 - 1:0]             token_firsts;
    wire [CONTEXTS * ADDRESS_WIDTH - 1:0]  list_bases;
    wire [CONTEXTS * 5 - 1:0]              list_shifts;
    wire [CONTEXTS * 4 - 1:0]              tile_shifts;
    wire [CONTEXTS * 16 - 1:0]             tile_firsts;
    wire [CONTEXTS * 17 - 1:0]             tile_counts;
    wire [CONTEXTS * 8 - 1:0]              computed_blocks;
    wire [CONTEXTS * 8 - 1:0]              finished_blocks;
    wire [CONTEXTS * 32 - 1:0]             arrival_timeouts;
    wire [CONTEXTS * 32 - 1:0]             token_timeouts;
    wire [CONTEXTS - 1:0]                  address_enabled;
    wire [CONTEXTS - 1:0]                  closed;
    wire [CONTEXTS - 1:0]                  arrived;
    wire [CONTEXTS - 1:0]                  faults;
    wire [(LINKS + 1) * CONTEXTS - 1:0]    way_failed;
    wire [CONTEXTS - 1:0]                  packet_manager_failed;
    wire [CONTEXTS - 1:0]                  tile_tracker_failed;
    wire [CONTEXTS * GPUS - 1:0]           complete;
    wire [CONTEXTS * 7 - 1:0]              rows;
    wire [CONTEXTS - 1:0]                  reduces_in_flight;
    wire [(LINKS + 1) * CONTEXTS - 1:0]    way_stores_in_flight;
    wire [(LINKS + 1) * CONTEXTS - 1:0]    way_requests_in_flight;
    wire [CONTEXTS - 1:0]                  notifying;
    wire [CONTEXTS - 1:0]                  address_in_flight;
    wire [CONTEXTS - 1:0]                  stores_in_flight;
    wire                                   set_valid;
    wire                                   set_ready;
    wire [`MOEHUB_SET_WIDTH - 1:0]         set;
    wire                                   end_valid;
    wire                                   end_ready;
    wire [`MOEHUB_END_COMMAND_WIDTH - 1:0] end_command;
    moehub_hub_control #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .LOCAL_EXPERTS(LOCAL_EXPERTS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .PLACES_STORE(PLACES_STORE),
        .PLACES_REQUEST(PLACES_REQUEST), .PLACES_RESPONSE(PLACES_RESPONSE), .LOOP_PLACES(LOOP_PLACES), .LOOP_SHARE(LOOP_SHARE),
        .LANE_BYTES(LANE_BYTES), .TILES(TILES), .TOKENS(TOKENS), .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES),
        .FINAL_GROUPS(FINAL_GROUPS), .WITH_FP32(WITH_FP32)
    ) u_control (
        .clk(clk), .rst(rst), .s_axil_awvalid(control_awvalid), .s_axil_awready(control_awready),
        .s_axil_awaddr(control_awaddr), .s_axil_awprot(3'd0), .s_axil_wvalid(control_wvalid), .s_axil_wready(control_wready),
        .s_axil_wdata(control_wdata), .s_axil_wstrb(control_wstrb), .s_axil_bvalid(control_bvalid),
        .s_axil_bready(control_bready), .s_axil_bresp(control_bresp), .s_axil_arvalid(control_arvalid),
        .s_axil_arready(control_arready), .s_axil_araddr(control_araddr), .s_axil_arprot(3'd0), .s_axil_rvalid(control_rvalid),
        .s_axil_rready(control_rready), .s_axil_rdata(control_rdata), .s_axil_rresp(control_rresp),
        .address_interrupt(address_interrupt), .tile_tracker_interrupt(tile_tracker_interrupt),
        .packet_manager_interrupt(packet_manager_interrupt), .way_interrupts(way_interrupts),
        .final_reduce_interrupts(final_reduce_interrupts), .interrupt_request(interrupt_request), .own(own_q),
        .address_initialised(address_initialised), .tile_tracker_initialised(tile_tracker_initialised),
        .packet_manager_initialised(packet_manager_initialised), .final_reduce_initialised(final_reduce_initialised),
        .initialised(initialised), .enabled(enabled), .closing(closing), .has_arrived(has_arrived), .has_failed(has_failed),
        .rounds(rounds), .peers(peers), .owner_shifts(owner_shifts), .counts_tokens(counts_tokens),
        .token_firsts(token_firsts), .list_bases(list_bases), .list_shifts(list_shifts), .tile_shifts(tile_shifts),
        .tile_firsts(tile_firsts), .tile_counts(tile_counts), .computed_blocks(computed_blocks),
        .finished_blocks(finished_blocks), .arrival_timeouts(arrival_timeouts), .token_timeouts(token_timeouts),
        .address_enabled(address_enabled), .closed(closed), .arrived(arrived), .faults(faults), .way_failed(way_failed),
        .packet_manager_failed(packet_manager_failed), .tile_tracker_failed(tile_tracker_failed), .complete(complete),
        .rows(rows), .reduces_in_flight(reduces_in_flight), .way_stores_in_flight(way_stores_in_flight),
        .way_requests_in_flight(way_requests_in_flight), .notifying(notifying), .address_in_flight(address_in_flight),
        .stores_in_flight(stores_in_flight), .m_axis_set_tvalid(set_valid), .m_axis_set_tready(set_ready),
        .m_axis_set_tdata(set), .m_axis_end_tvalid(end_valid), .m_axis_end_tready(end_ready), .m_axis_end_tdata(end_command)
    );

    // ---- row sizes of both stages ---------------------------------------------------------------------------------------
    wire [2 * CONTEXTS * SIZE_WIDTH - 1:0] row_sizes;
    wire [CONTEXTS * SIZE_WIDTH - 1:0]     dispatch_sizes;
    wire [CONTEXTS * SIZE_WIDTH - 1:0]     combine_sizes;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_sizes
            assign {combine_sizes[c * SIZE_WIDTH +: SIZE_WIDTH], dispatch_sizes[c * SIZE_WIDTH +: SIZE_WIDTH]} =
                row_sizes[2 * c * SIZE_WIDTH +: 2 * SIZE_WIDTH];
        end
    endgenerate

    // ---- packet manager, tile tracker and reduce_request, which share the list port -------------------------------------
    wire [LINKS:0]                      store_room;
    wire                                expect_valid;
    wire                                expect_ready;
    wire [`MOEHUB_EXPECTED_WIDTH - 1:0] expected;
    wire [LINKS:0]                      store_valid;
    wire [LINKS:0]                      store_ready;
    wire [(LINKS + 1) * 128 - 1:0]      store_data;
    wire [LINKS:0]                      store_last;
    wire [(LINKS + 1) * 5 - 1:0]        store_flits;
    wire [1:0]                          notices_valid; // closes, notifies
    wire [1:0]                          notices_ready;
    wire [2 * `MOEHUB_NOTICE_WIDTH - 1:0] notices;
    wire [2:0]                          list_read_valid; // packet manager, reduce_request, tile tracker
    wire [2:0]                          list_read_ready;
    wire [3 * ADDRESS_WIDTH - 1:0]      list_read_address;
    wire [2:0]                          list_valid;
    wire [127:0]                        list;
    wire [1:0]                          list_response;
    wire [`MOEHUB_REDUCE_EVENTS_WIDTH - 1:0] reduce_events;
    wire                                reduce_error_valid;
    wire [127:0]                        reduce_error_header;
    moehub_packet_manager_unit #(
        .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES), .REDUCES(REDUCES), .LINKS(LINKS), .GPUS(GPUS),
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS), .OFFSET_WIDTH(OFFSET_WIDTH),
        .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH)
    ) u_packet_manager (
        .clk(clk), .rst(rst), .s_axil_awvalid(manager_awvalid), .s_axil_awready(manager_awready),
        .s_axil_awaddr(manager_awaddr), .s_axil_awprot(3'd0), .s_axil_wvalid(manager_wvalid), .s_axil_wready(manager_wready),
        .s_axil_wdata(manager_wdata), .s_axil_wstrb(manager_wstrb), .s_axil_bvalid(manager_bvalid),
        .s_axil_bready(manager_bready), .s_axil_bresp(manager_bresp), .s_axil_arvalid(manager_arvalid),
        .s_axil_arready(manager_arready), .s_axil_araddr(manager_araddr), .s_axil_arprot(3'd0), .s_axil_rvalid(manager_rvalid),
        .s_axil_rready(manager_rready), .s_axil_rdata(manager_rdata), .s_axil_rresp(manager_rresp),
        .interrupt_request(packet_manager_interrupt), .reduce_events(reduce_events), .reduce_error_valid(reduce_error_valid),
        .reduce_error_header(reduce_error_header), .initialised(packet_manager_initialised), .own(own_q), .link_up(link_up),
        .store_room(store_room), .enabled(enabled), .closing(closing), .rounds(rounds), .owner_shifts(owner_shifts),
        .peers(peers), .row_sizes(dispatch_sizes), .failed(packet_manager_failed), .closed(closed), .rows(rows),
        .s_axis_row_tvalid(s_axis_row_tvalid), .s_axis_row_tready(s_axis_row_tready), .s_axis_row_tdata(s_axis_row_tdata),
        .m_axis_handle_tvalid(m_axis_handle_tvalid), .m_axis_handle_tready(m_axis_handle_tready),
        .m_axis_handle_tdata(m_axis_handle_tdata), .s_axis_store_tvalid(s_axis_store_tvalid),
        .s_axis_store_tready(s_axis_store_tready), .s_axis_store_tdata(s_axis_store_tdata), .s_axis_end_tvalid(end_valid),
        .s_axis_end_tready(end_ready), .s_axis_end_tdata(end_command), .m_axis_expect_tvalid(expect_valid),
        .m_axis_expect_tready(expect_ready), .m_axis_expect_tdata(expected), .m_axis_packet_tvalid(store_valid),
        .m_axis_packet_tready(store_ready), .m_axis_packet_tdata(store_data), .m_axis_packet_tlast(store_last),
        .m_axis_packet_flits(store_flits), .m_axis_notice_tvalid(notices_valid[0]), .m_axis_notice_tready(notices_ready[0]),
        .m_axis_notice_tdata(notices[0 +: `MOEHUB_NOTICE_WIDTH]), .m_axi_list_arvalid(list_read_valid[0]),
        .m_axi_list_arready(list_read_ready[0]), .m_axi_list_araddr(list_read_address[0 +: ADDRESS_WIDTH]),
        .m_axi_list_rvalid(list_valid[0]), .m_axi_list_rdata(list), .m_axi_list_rresp(list_response)
    );

    wire [LINKS:0]                                                completed_valid;
    wire [LINKS:0]                                                completed_ready;
    wire [(LINKS + 1) * COMPLETED_WIDTH - 1:0] completed;
    wire [LINKS:0]                                                close_valid;
    wire [LINKS:0]                                                close_ready;
    wire [(LINKS + 1) * `MOEHUB_CLOSED_WIDTH - 1:0]               close;
    wire [LINKS:0]                                                notify_valid;
    wire [LINKS:0]                                                notify_ready;
    wire [(LINKS + 1) * `MOEHUB_NOTIFIED_WIDTH - 1:0]             notify;
    moehub_tile_tracker_unit #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .TILES(TILES), .TOKENS(TOKENS)
    ) u_tile_tracker (
        .clk(clk), .rst(rst), .s_axil_awvalid(tracker_awvalid), .s_axil_awready(tracker_awready),
        .s_axil_awaddr(tracker_awaddr), .s_axil_awprot(3'd0), .s_axil_wvalid(tracker_wvalid), .s_axil_wready(tracker_wready),
        .s_axil_wdata(tracker_wdata), .s_axil_wstrb(tracker_wstrb), .s_axil_bvalid(tracker_bvalid),
        .s_axil_bready(tracker_bready), .s_axil_bresp(tracker_bresp), .s_axil_arvalid(tracker_arvalid),
        .s_axil_arready(tracker_arready), .s_axil_araddr(tracker_araddr), .s_axil_arprot(3'd0), .s_axil_rvalid(tracker_rvalid),
        .s_axil_rready(tracker_rready), .s_axil_rdata(tracker_rdata), .s_axil_rresp(tracker_rresp),
        .interrupt_request(tile_tracker_interrupt), .initialised(tile_tracker_initialised), .own(own_q), .link_up(link_up),
        .enabled(enabled), .has_arrived(has_arrived), .has_failed(has_failed), .counts_tokens(counts_tokens), .rounds(rounds),
        .peers(peers), .owner_shifts(owner_shifts), .token_firsts(token_firsts), .tile_shifts(tile_shifts),
        .tile_firsts(tile_firsts), .tile_counts(tile_counts), .computed_blocks(computed_blocks),
        .finished_blocks(finished_blocks), .arrival_timeouts(arrival_timeouts), .token_timeouts(token_timeouts),
        .list_bases(list_bases), .list_shifts(list_shifts), .row_sizes(dispatch_sizes), .stores_in_flight(stores_in_flight),
        .closed(closed), .arrived(arrived), .failed(tile_tracker_failed), .notifying(notifying), .complete(complete),
        .s_axis_set_tvalid(set_valid), .s_axis_set_tready(set_ready), .s_axis_set_tdata(set),
        .s_axis_completed_tvalid(completed_valid), .s_axis_completed_tready(completed_ready),
        .s_axis_completed_tdata(completed), .s_axis_close_tvalid(close_valid), .s_axis_close_tready(close_ready),
        .s_axis_close_tdata(close), .s_axis_notify_tvalid(notify_valid), .s_axis_notify_tready(notify_ready),
        .s_axis_notify_tdata(notify), .s_axis_expect_tvalid(expect_valid), .s_axis_expect_tready(expect_ready),
        .s_axis_expect_tdata(expected), .s_axis_done_tvalid(s_axis_done_tvalid), .s_axis_done_tready(s_axis_done_tready),
        .s_axis_done_tdata(s_axis_done_tdata), .m_axis_ready_tvalid(m_axis_ready_tvalid),
        .m_axis_ready_tready(m_axis_ready_tready), .m_axis_ready_tdata(m_axis_ready_tdata),
        .m_axis_notices_tvalid(notices_valid[1]), .m_axis_notices_tready(notices_ready[1]),
        .m_axis_notices_tdata(notices[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH]), .m_axi_list_arvalid(list_read_valid[2]),
        .m_axi_list_arready(list_read_ready[2]), .m_axi_list_araddr(list_read_address[2 * ADDRESS_WIDTH +: ADDRESS_WIDTH]),
        .m_axi_list_rvalid(list_valid[2]), .m_axi_list_rdata(list), .m_axi_list_rresp(list_response)
    );

    wire                                    answered_valid;
    wire                                    answered_ready;
    wire [127:0]                            answered;
    wire [`MOEHUB_REDUCED_WIDTH - 1:0]      answered_user;
    wire                                    answered_last;
    wire [LINKS - 1:0]                      reserve_valid;
    wire [LINKS - 1:0]                      reserve_ready;
    wire [`MOEHUB_RESERVE_WIDTH - 1:0]      reserve;
    wire [LINKS - 1:0]                      grant_valid;
    wire [LINKS - 1:0]                      grant_ready;
    wire [LINKS * `MOEHUB_GRANT_WIDTH - 1:0] grant;
    wire [LINKS - 1:0]                      freed_valid;
    wire [LINKS:0]                          request_valid;
    wire [LINKS:0]                          request_ready;
    wire [(LINKS + 1) * 128 - 1:0]          request_data;
    wire [LINKS:0]                          request_last;
    wire [(LINKS + 1) * 5 - 1:0]            request_flits;
    wire [LINKS - 1:0]                      line_done_valid =
        m_axis_reduced_tvalid & m_axis_reduced_tready & m_axis_reduced_tlast;
    wire [LINKS * 3 - 1:0]                  line_done_context;
    moehub_reduce_request #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(REQUEST_LINES), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .REDUCES(REDUCES),
        .FINAL_GROUPS(FINAL_GROUPS), .WITH_FP32(WITH_FP32)
    ) u_reduce_request (
        .clk(clk), .rst(rst), .own(own_q), .enabled(enabled), .rounds(rounds), .owner_shifts(owner_shifts), .peers(peers),
        .row_sizes(combine_sizes), .link_up(link_up), .s_axis_reduce_tvalid(s_axis_reduce_tvalid),
        .s_axis_reduce_tready(s_axis_reduce_tready), .s_axis_reduce_tdata(s_axis_reduce_tdata),
        .m_axis_answered_tvalid(answered_valid), .m_axis_answered_tready(answered_ready), .m_axis_answered_tdata(answered),
        .m_axis_answered_tuser(answered_user), .m_axis_answered_tlast(answered_last), .m_axi_list_arvalid(list_read_valid[1]),
        .m_axi_list_arready(list_read_ready[1]), .m_axi_list_araddr(list_read_address[ADDRESS_WIDTH +: ADDRESS_WIDTH]),
        .m_axi_list_rvalid(list_valid[1]), .m_axi_list_rdata(list), .m_axi_list_rresp(list_response),
        .m_axis_reserve_tvalid(reserve_valid), .m_axis_reserve_tready(reserve_ready), .m_axis_reserve_tdata(reserve),
        .s_axis_grant_tvalid(grant_valid), .s_axis_grant_tready(grant_ready), .s_axis_grant_tdata(grant),
        .freed_valid(freed_valid), .m_axis_request_tvalid(request_valid), .m_axis_request_tready(request_ready),
        .m_axis_request_tdata(request_data), .m_axis_request_tlast(request_last), .m_axis_request_tflits(request_flits),
        .line_done_valid(line_done_valid), .line_done_context(line_done_context), .in_flight(reduces_in_flight),
        .events(reduce_events), .error_valid(reduce_error_valid), .error_header(reduce_error_header)
    );

    moehub_list_port #(
        .ADDRESS_WIDTH(ADDRESS_WIDTH)
    ) u_list_port (
        .clk(clk), .rst(rst), .read_valid(list_read_valid), .read_ready(list_read_ready), .read_address(list_read_address),
        .data_valid(list_valid), .data(list), .data_response(list_response), .m_axi_list_arvalid(m_axi_list_arvalid),
        .m_axi_list_arready(m_axi_list_arready), .m_axi_list_arid(m_axi_list_arid), .m_axi_list_araddr(m_axi_list_araddr),
        .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rready(m_axi_list_rready), .m_axi_list_rid(m_axi_list_rid),
        .m_axi_list_rdata(m_axi_list_rdata), .m_axi_list_rresp(m_axi_list_rresp)
    );

    wire [LINKS:0]                 notice_valid;
    wire [LINKS:0]                 notice_ready;
    wire [(LINKS + 1) * 128 - 1:0] notice;
    // Which way a notify wants is known late, and whether a close is taken follows from it: a register between.
    wire                              close_notice_valid;
    wire                              close_notice_ready;
    wire [`MOEHUB_NOTICE_WIDTH - 1:0] close_notice;
    moehub_ready_buffer #(.WIDTH(`MOEHUB_NOTICE_WIDTH)) u_close_notices (
        .clk(clk), .rst(rst), .in_valid(notices_valid[0]), .in_ready(notices_ready[0]),
        .in_data(notices[0 +: `MOEHUB_NOTICE_WIDTH]), .out_valid(close_notice_valid), .out_ready(close_notice_ready),
        .out_data(close_notice)
    );
    moehub_notice_arbiter #(
        .LINKS(LINKS)
    ) u_notices (
        .clk(clk), .rst(rst), .s_axis_notice_tvalid({notices_valid[1], close_notice_valid}),
        .s_axis_notice_tready({notices_ready[1], close_notice_ready}),
        .s_axis_notice_tdata({notices[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH], close_notice}),
        .m_axis_notice_tvalid(notice_valid), .m_axis_notice_tready(notice_ready), .m_axis_notice_tdata(notice)
    );

    // ---- address path: questions of all ways ----------------------------------------------------------------------------
    wire [2 * (LINKS + 1) - 1:0]                          question_valid;
    wire [2 * (LINKS + 1) - 1:0]                          question_ready;
    wire [2 * (LINKS + 1) * `MOEHUB_QUESTION_WIDTH - 1:0] question;
    wire                                                  turn_valid;
    wire                                                  turn_ready;
    wire                                                  turn_operation;
    wire                                                  turn_first;
    wire [2:0]                                            turn_context;
    wire [15:0]                                           turn_expert;
    wire [31:0]                                           turn_row_index;
    wire [15:0]                                           turn_offset;
    wire [10:0]                                           turn_length;
    wire [9:0]                                            turn_source;
    wire [PORT_WIDTH - 1:0]                               turn_port;
    wire [7:0]                                            turn_tag;
    moehub_question_arbiter #(
        .LINKS(LINKS)
    ) u_questions (
        .clk(clk), .rst(rst), .s_axis_question_tvalid(question_valid), .s_axis_question_tready(question_ready),
        .s_axis_question_tdata(question), .request_valid(turn_valid), .request_ready(turn_ready),
        .request_operation(turn_operation), .request_first(turn_first), .request_context(turn_context),
        .request_expert(turn_expert), .request_row_index(turn_row_index), .request_offset(turn_offset),
        .request_length(turn_length), .request_source(turn_source), .request_port(turn_port), .request_tag(turn_tag)
    );

    wire                       answer_valid;
    wire [3:0]                 answer_status;
    wire [PORT_WIDTH - 1:0]    answer_port;
    wire [7:0]                 answer_expert;
    wire [SLOT_WIDTH - 1:0]    answer_slot;
    wire [ADDRESS_WIDTH - 1:0] answer_address;
    wire                       answer_allocated;
    wire [`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 1:0] answer;
    assign answer = `MOEHUB_WAY_ANSWER(answer_status, answer_expert, answer_allocated, answer_slot, answer_address);
    moehub_hub_address_unit #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .WAYS(WAYS),
        .REPLACEMENT(REPLACEMENT), .PORTS(2 * (LINKS + 1)), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(8),
        .AXI_DATA_WIDTH(AXI_DATA_WIDTH), .STAGES(2), .LENGTH_WIDTH(11), .PARITY(0)
    ) u_address_path (
        .clk(clk), .rst(rst), .s_axil_awvalid(address_awvalid), .s_axil_awready(address_awready),
        .s_axil_awaddr(address_awaddr), .s_axil_awprot(3'd0), .s_axil_wvalid(address_wvalid), .s_axil_wready(address_wready),
        .s_axil_wdata(address_wdata), .s_axil_wstrb(address_wstrb), .s_axil_bvalid(address_bvalid),
        .s_axil_bready(address_bready), .s_axil_bresp(address_bresp), .s_axil_arvalid(address_arvalid),
        .s_axil_arready(address_arready), .s_axil_araddr(address_araddr), .s_axil_arprot(3'd0), .s_axil_rvalid(address_rvalid),
        .s_axil_rready(address_rready), .s_axil_rdata(address_rdata), .s_axil_rresp(address_rresp),
        .interrupt_request(address_interrupt), .request_valid(turn_valid), .request_ready(turn_ready),
        .request_operation(turn_operation), .request_first(turn_first), .request_context(turn_context),
        .request_expert(turn_expert), .request_row_index(turn_row_index), .request_offset(turn_offset),
        .request_length(turn_length), .request_source(turn_source), .request_port(turn_port), .request_tag(turn_tag),
        .answer_valid(answer_valid), .answer_ready(1'b1), .answer_status(answer_status), .answer_port(answer_port),
        .answer_tag(answer_expert), .answer_slot(answer_slot), .answer_address(answer_address),
        .answer_allocated(answer_allocated), .m_axi_arvalid(m_axi_table_arvalid), .m_axi_arready(m_axi_table_arready),
        .m_axi_arid(m_axi_table_arid), .m_axi_araddr(m_axi_table_araddr), .m_axi_arlen(m_axi_table_arlen),
        .m_axi_arsize(m_axi_table_arsize), .m_axi_arburst(m_axi_table_arburst), .m_axi_rvalid(m_axi_table_rvalid),
        .m_axi_rready(m_axi_table_rready), .m_axi_rid(m_axi_table_rid), .m_axi_rdata(m_axi_table_rdata),
        .m_axi_rresp(m_axi_table_rresp), .m_axi_rlast(m_axi_table_rlast), .m_axi_awvalid(m_axi_table_awvalid),
        .m_axi_awready(m_axi_table_awready), .m_axi_awid(m_axi_table_awid), .m_axi_awaddr(m_axi_table_awaddr),
        .m_axi_awlen(m_axi_table_awlen), .m_axi_awsize(m_axi_table_awsize), .m_axi_awburst(m_axi_table_awburst),
        .m_axi_wvalid(m_axi_table_wvalid), .m_axi_wready(m_axi_table_wready), .m_axi_wdata(m_axi_table_wdata),
        .m_axi_wstrb(m_axi_table_wstrb), .m_axi_wlast(m_axi_table_wlast), .m_axi_bvalid(m_axi_table_bvalid),
        .m_axi_bready(m_axi_table_bready), .m_axi_bid(m_axi_table_bid), .m_axi_bresp(m_axi_table_bresp),
        .enabled(address_enabled), .row_sizes(row_sizes), .faults(faults), .initialised(address_initialised),
        .in_flight(address_in_flight)
    );

    // A way compares the port and counts in the cycle of the answer, which comes from a memory: a register between.
    reg                                                              answer_valid_q;
    reg [3:0]                                                        answer_port_q;
    reg [`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 1:0]  answer_q;

    always @(posedge clk) begin
        answer_valid_q <= answer_valid;
        if (rst) answer_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        answer_port_q <= {{(4 - PORT_WIDTH){1'b0}}, answer_port};
        answer_q      <= answer;
    end

    // ---- ways, each with its pre_reduce; way LINKS, the loop-back, is its own link --------------------------------------
    wire [LINKS:0]                                  result_valid;
    wire [LINKS:0]                                  result_ready;
    wire [(LINKS + 1) * `MOEHUB_WAY_RESULT_WIDTH - 1:0] result;
    wire [LINKS:0]                                  result_last;
    wire [LINKS:0]                                  partial_valid;
    wire [LINKS:0]                                  partial_ready;
    wire [(LINKS + 1) * 128 - 1:0]                  partial_data;
    wire [LINKS:0]                                  partial_last;
    wire [(LINKS + 1) * 5 - 1:0]                    partial_flits;
    // wires of the loop-back
    wire                      loop_flit_valid;
    wire                      loop_flit_first;
    wire                      loop_flit_last;
    wire [1:0]                loop_flit_class;
    wire [127:0]              loop_flit_data;
    wire                      loop_credit_valid;
    wire [1:0]                loop_credit_class;
    wire [CREDIT_WIDTH - 1:0] loop_credit_flits;

    wire [LINKS:0]                          way_credit_valid;
    wire [(LINKS + 1) * 2 - 1:0]            way_credit_class;
    wire [(LINKS + 1) * CREDIT_WIDTH - 1:0] way_credit_flits;
    wire [LINKS:0]                          sent_flit_valid;
    wire [LINKS:0]                          sent_flit_first;
    wire [LINKS:0]                          sent_flit_last;
    wire [(LINKS + 1) * 2 - 1:0]            sent_flit_class;
    wire [(LINKS + 1) * 128 - 1:0]          sent_flit_data;

    wire [LINKS:0]                          up                = {1'b1, link_up};
    wire [LINKS:0]                          way_flit_valid    = {loop_flit_valid, in_flit_valid};
    wire [LINKS:0]                          way_flit_first    = {loop_flit_first, in_flit_first};
    wire [LINKS:0]                          way_flit_last     = {loop_flit_last, in_flit_last};
    wire [(LINKS + 1) * 2 - 1:0]            way_flit_class    = {loop_flit_class, in_flit_class};
    wire [(LINKS + 1) * 128 - 1:0]          way_flit_data     = {loop_flit_data, in_flit_data};
    wire [LINKS:0]                          back_credit_valid = {loop_credit_valid, out_credit_valid};
    wire [(LINKS + 1) * 2 - 1:0]            back_credit_class = {loop_credit_class, out_credit_class};
    wire [(LINKS + 1) * CREDIT_WIDTH - 1:0] back_credit_flits = {loop_credit_flits, out_credit_flits};
    assign {loop_credit_valid, in_credit_valid} = way_credit_valid;
    assign {loop_credit_class, in_credit_class} = way_credit_class;
    assign {loop_credit_flits, in_credit_flits} = way_credit_flits;
    assign {loop_flit_valid, out_flit_valid}    = sent_flit_valid;
    assign {loop_flit_first, out_flit_first}    = sent_flit_first;
    assign {loop_flit_last, out_flit_last}      = sent_flit_last;
    assign {loop_flit_class, out_flit_class}    = sent_flit_class;
    assign {loop_flit_data, out_flit_data}      = sent_flit_data;

    genvar w;
    generate
        for (w = 0; w <= LINKS; w = w + 1) begin : g_way
            localparam LOOP           = w == LINKS ? 1 : 0;
            localparam WAY_READ_LINES = LOOP ? LOOP_READ_LINES : READ_LINES;
            wire        way_awvalid;
            wire        way_awready;
            wire [11:0] way_awaddr;
            wire        way_wvalid;
            wire        way_wready;
            wire [31:0] way_wdata;
            wire [3:0]  way_wstrb;
            wire        way_bvalid;
            wire        way_bready;
            wire [1:0]  way_bresp;
            wire        way_arvalid;
            wire        way_arready;
            wire [11:0] way_araddr;
            wire        way_rvalid;
            wire        way_rready;
            wire [31:0] way_rdata;
            wire [1:0]  way_rresp;
            assign `MOEHUB_BUS(way_awvalid, way_awaddr, way_wvalid, way_wdata, way_wstrb, way_bready,
                way_arvalid, way_araddr, way_rready) = block_bus[(4 + w) * BUS_WIDTH +: BUS_WIDTH];
            assign block_answer[(4 + w) * ANSWER_WIDTH +: ANSWER_WIDTH] =
                `MOEHUB_BUS_ANSWER(way_awready, way_wready, way_bvalid, way_bresp, way_arready, way_rvalid,
                    way_rdata, way_rresp);

            // between the way and its pre_reduce
            wire                                      asked_valid;
            wire                                      asked_ready;
            wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] asked;
            wire [$clog2(REQUEST_ANSWERS + 1) - 1:0]  answers_there;
            wire                                      answer_read_valid;
            wire [4:0]                                answer_read_index;
            wire [3:0]                                read_status;
            wire [ADDRESS_WIDTH - 1:0]                target_address;
            wire                                      answers_release_valid;
            wire [5:0]                                answers_release_count;
            wire                                      partial_queued_valid;
            wire [2:0]                                partial_queued_context;
            wire [`MOEHUB_PARTIAL_EVENTS_WIDTH - 1:0] partial_events;
            wire [127:0]                              read_error_header;
            wire [$clog2(WAY_READ_LINES + 1) - 1:0]   used_lines;
            wire [15:0]                               used_read_lines;
            assign used_read_lines = {{(16 - $clog2(WAY_READ_LINES + 1)){1'b0}}, used_lines};
            wire                                      sends_partials; // a link's go out; the loop-back's to final_reduce
            wire                                      way_partial_ready;
            wire                                      unused_partial_ready;
            assign sends_partials = LOOP == 0;
            moehub_hub_way #(
                .WAY(w), .LOOP_BACK(LOOP), .PLACES_STORE(LOOP ? LOOP_PLACES : PLACES_STORE),
                .PLACES_REQUEST(LOOP ? LOOP_PLACES : PLACES_REQUEST), .PLACES_RESPONSE(LOOP ? LOOP_PLACES : PLACES_RESPONSE),
                .ANSWERS(LOOP ? LOOP_ANSWERS : ANSWERS), .REQUEST_ANSWERS(REQUEST_ANSWERS),
                .WRITES(LOOP ? LOOP_WRITES : WRITES), .READ_LINES(WAY_READ_LINES), .PARTIAL_ROWS(PARTIAL_ROWS),
                .NOTICES(NOTICES), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
                .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES), .SLOT_WIDTH(SLOT_WIDTH),
                .ADDRESS_WIDTH(ADDRESS_WIDTH)
            ) u_way (
                .clk(clk), .rst(rst), .s_axil_awvalid(way_awvalid), .s_axil_awready(way_awready), .s_axil_awaddr(way_awaddr),
                .s_axil_awprot(3'd0), .s_axil_wvalid(way_wvalid), .s_axil_wready(way_wready), .s_axil_wdata(way_wdata),
                .s_axil_wstrb(way_wstrb), .s_axil_bvalid(way_bvalid), .s_axil_bready(way_bready), .s_axil_bresp(way_bresp),
                .s_axil_arvalid(way_arvalid), .s_axil_arready(way_arready), .s_axil_araddr(way_araddr), .s_axil_arprot(3'd0),
                .s_axil_rvalid(way_rvalid), .s_axil_rready(way_rready), .s_axil_rdata(way_rdata), .s_axil_rresp(way_rresp),
                .interrupt_request(way_interrupts[w]), .initialised(initialised), .link_up(up[w]),
                .used_read_lines(used_read_lines), .own(own_q), .in_flit_valid(way_flit_valid[w]),
                .in_flit_first(way_flit_first[w]), .in_flit_last(way_flit_last[w]), .in_flit_class(way_flit_class[w * 2 +: 2]),
                .in_flit_data(way_flit_data[w * 128 +: 128]), .in_credit_valid(way_credit_valid[w]),
                .in_credit_class(way_credit_class[w * 2 +: 2]),
                .in_credit_flits(way_credit_flits[w * CREDIT_WIDTH +: CREDIT_WIDTH]), .out_flit_valid(sent_flit_valid[w]),
                .out_flit_first(sent_flit_first[w]), .out_flit_last(sent_flit_last[w]),
                .out_flit_class(sent_flit_class[w * 2 +: 2]), .out_flit_data(sent_flit_data[w * 128 +: 128]),
                .out_credit_valid(back_credit_valid[w]), .out_credit_class(back_credit_class[w * 2 +: 2]),
                .out_credit_flits(back_credit_flits[w * CREDIT_WIDTH +: CREDIT_WIDTH]), .enabled(enabled),
                .has_arrived(has_arrived), .rounds(rounds), .owner_shifts(owner_shifts), .peers(peers),
                .list_bases(list_bases), .list_shifts(list_shifts), .failed(way_failed[w * CONTEXTS +: CONTEXTS]),
                .stores_in_flight(way_stores_in_flight[w * CONTEXTS +: CONTEXTS]),
                .requests_in_flight(way_requests_in_flight[w * CONTEXTS +: CONTEXTS]),
                .m_axis_question_tvalid(question_valid[2 * w +: 2]), .m_axis_question_tready(question_ready[2 * w +: 2]),
                .m_axis_question_tdata(question[2 * w * `MOEHUB_QUESTION_WIDTH +: 2 * `MOEHUB_QUESTION_WIDTH]),
                .answer_valid(answer_valid_q), .answer_port(answer_port_q), .answer(answer_q),
                .m_axi_data_awvalid(m_axi_data_awvalid[w]), .m_axi_data_awready(m_axi_data_awready[w]),
                .m_axi_data_awaddr(m_axi_data_awaddr[w * ADDRESS_WIDTH +: ADDRESS_WIDTH]),
                .m_axi_data_awlen(m_axi_data_awlen[w * 8 +: 8]), .m_axi_data_wvalid(m_axi_data_wvalid[w]),
                .m_axi_data_wready(m_axi_data_wready[w]), .m_axi_data_wdata(m_axi_data_wdata[w * 256 +: 256]),
                .m_axi_data_wstrb(m_axi_data_wstrb[w * 32 +: 32]), .m_axi_data_wlast(m_axi_data_wlast[w]),
                .m_axi_data_bvalid(m_axi_data_bvalid[w]), .m_axi_data_bready(m_axi_data_bready[w]),
                .m_axi_data_bresp(m_axi_data_bresp[w * 2 +: 2]), .m_axis_completed_tvalid(completed_valid[w]),
                .m_axis_completed_tready(completed_ready[w]),
                .m_axis_completed_tdata(completed[w * COMPLETED_WIDTH +: COMPLETED_WIDTH]),
                .m_axis_close_tvalid(close_valid[w]), .m_axis_close_tready(close_ready[w]),
                .m_axis_close_tdata(close[w * `MOEHUB_CLOSED_WIDTH +: `MOEHUB_CLOSED_WIDTH]),
                .m_axis_notify_tvalid(notify_valid[w]), .m_axis_notify_tready(notify_ready[w]),
                .m_axis_notify_tdata(notify[w * `MOEHUB_NOTIFIED_WIDTH +: `MOEHUB_NOTIFIED_WIDTH]),
                .m_axis_asked_tvalid(asked_valid), .m_axis_asked_tready(asked_ready), .m_axis_asked_tdata(asked),
                .answers_there(answers_there), .answer_read_valid(answer_read_valid), .answer_read_index(answer_read_index),
                .read_status(read_status), .read_address(target_address), .answers_release_valid(answers_release_valid),
                .answers_release_count(answers_release_count), .partial_queued_valid(partial_queued_valid),
                .partial_queued_context(partial_queued_context), .partial_events(partial_events),
                .read_error_header(read_error_header), .m_axis_result_tvalid(result_valid[w]),
                .m_axis_result_tready(result_ready[w]),
                .m_axis_result_tdata(result[w * `MOEHUB_WAY_RESULT_WIDTH +: `MOEHUB_WAY_RESULT_WIDTH]),
                .m_axis_result_tlast(result_last[w]), .s_axis_request_tvalid(request_valid[w]),
                .s_axis_request_tready(request_ready[w]), .s_axis_request_tdata(request_data[w * 128 +: 128]),
                .s_axis_request_tlast(request_last[w]), .s_axis_request_tflits(request_flits[w * 5 +: 5]),
                .s_axis_store_tvalid(store_valid[w]), .s_axis_store_tready(store_ready[w]),
                .s_axis_store_tdata(store_data[w * 128 +: 128]), .s_axis_store_tlast(store_last[w]),
                .s_axis_store_tflits(store_flits[w * 5 +: 5]), .s_axis_partial_tvalid(sends_partials && partial_valid[w]),
                .s_axis_partial_tready(way_partial_ready), .s_axis_partial_tdata(partial_data[w * 128 +: 128]),
                .s_axis_partial_tlast(partial_last[w]), .s_axis_partial_tflits(partial_flits[w * 5 +: 5]),
                .s_axis_notice_tvalid(notice_valid[w]), .s_axis_notice_tready(notice_ready[w]),
                .s_axis_notice_tdata(notice[w * 128 +: 128]), .store_room(store_room[w])
            );

            if (LOOP == 0) begin : g_link
                assign partial_ready[w]     = way_partial_ready;
                assign unused_partial_ready = 1'b0;
            end else begin : g_loop_back
                assign unused_partial_ready = way_partial_ready;
            end

            moehub_pre_reduce #(
                .MAX_TARGETS(MAX_TARGETS), .ADDRESS_WIDTH(ADDRESS_WIDTH), .REQUEST_ANSWERS(REQUEST_ANSWERS),
                .READ_LINES(WAY_READ_LINES), .LANE_BYTES(LANE_BYTES), .PARTIAL_ROWS(PARTIAL_ROWS), .WITH_FP32(WITH_FP32)
            ) u_pre_reduce (
                .clk(clk), .rst(rst), .own(own_q), .s_axis_asked_tvalid(asked_valid), .s_axis_asked_tready(asked_ready),
                .s_axis_asked_tdata(asked), .answers_there(answers_there), .answer_read_valid(answer_read_valid),
                .answer_read_index(answer_read_index), .read_status(read_status), .read_address(target_address),
                .answers_release_valid(answers_release_valid), .answers_release_count(answers_release_count),
                .partial_queued_valid(partial_queued_valid), .partial_queued_context(partial_queued_context),
                .m_axi_data_arvalid(m_axi_data_arvalid[w]), .m_axi_data_arready(m_axi_data_arready[w]),
                .m_axi_data_araddr(m_axi_data_araddr[w * ADDRESS_WIDTH +: ADDRESS_WIDTH]),
                .m_axi_data_arlen(m_axi_data_arlen[w * 8 +: 8]), .m_axi_data_rvalid(m_axi_data_rvalid[w]),
                .m_axi_data_rready(m_axi_data_rready[w]), .m_axi_data_rdata(m_axi_data_rdata[w * 256 +: 256]),
                .m_axi_data_rresp(m_axi_data_rresp[w * 2 +: 2]), .m_axi_data_rlast(m_axi_data_rlast[w]),
                .m_axis_partial_tvalid(partial_valid[w]), .m_axis_partial_tready(partial_ready[w]),
                .m_axis_partial_tdata(partial_data[w * 128 +: 128]), .m_axis_partial_tlast(partial_last[w]),
                .m_axis_partial_tflits(partial_flits[w * 5 +: 5]), .partial_events(partial_events),
                .read_error_header(read_error_header), .used_lines(used_lines)
            );
        end
    endgenerate
    assign result_ready[LINKS] = 1'b1; // a loop-back has no results
    wire unused_loop_back = ^{result_valid[LINKS], result_last[LINKS], partial_flits[LINKS * 5 +: 5],
        result[LINKS * `MOEHUB_WAY_RESULT_WIDTH +: `MOEHUB_WAY_RESULT_WIDTH]};

    // ---- own partials and results of the network: final_reduce, a link each ---------------------------------------------
    wire [LINKS - 1:0]                    own_valid;
    wire [LINKS - 1:0]                    own_ready;
    wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] own_part;
    wire                                  own_last;
    moehub_own_partials #(
        .LINKS(LINKS)
    ) u_own_partials (
        .clk(clk), .rst(rst), .s_axis_partial_tvalid(partial_valid[LINKS]), .s_axis_partial_tready(partial_ready[LINKS]),
        .s_axis_partial_tdata(partial_data[LINKS * 128 +: 128]), .s_axis_partial_tlast(partial_last[LINKS]),
        .m_axis_own_tvalid(own_valid), .m_axis_own_tready(own_ready), .m_axis_own_tdata(own_part), .m_axis_own_tlast(own_last)
    );

    wire [LINKS - 1:0]      unused_timeout_valid;
    wire [LINKS * 16 - 1:0] unused_timeout_entry;
    genvar l;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : g_final
            wire        final_awvalid;
            wire        final_awready;
            wire [11:0] final_awaddr;
            wire        final_wvalid;
            wire        final_wready;
            wire [31:0] final_wdata;
            wire [3:0]  final_wstrb;
            wire        final_bvalid;
            wire        final_bready;
            wire [1:0]  final_bresp;
            wire        final_arvalid;
            wire        final_arready;
            wire [11:0] final_araddr;
            wire        final_rvalid;
            wire        final_rready;
            wire [31:0] final_rdata;
            wire [1:0]  final_rresp;
            assign `MOEHUB_BUS(final_awvalid, final_awaddr, final_wvalid, final_wdata, final_wstrb, final_bready,
                final_arvalid, final_araddr, final_rready) = block_bus[(5 + LINKS + l) * BUS_WIDTH +: BUS_WIDTH];
            assign block_answer[(5 + LINKS + l) * ANSWER_WIDTH +: ANSWER_WIDTH] =
                `MOEHUB_BUS_ANSWER(final_awready, final_wready, final_bvalid, final_bresp, final_arready, final_rvalid,
                    final_rdata, final_rresp);

            wire                               sum_valid;
            wire                               sum_ready;
            wire [127:0]                       sum;
            wire [`MOEHUB_REDUCED_WIDTH - 1:0] sum_user;
            wire                               sum_last;
            moehub_final_reduce #(
                .FINAL_GROUPS(FINAL_GROUPS), .REQUEST_LINES(REQUEST_LINES), .WITH_FP32(WITH_FP32)
            ) u_final_reduce (
                .clk(clk), .rst(rst), .own(own_q), .s_axil_awvalid(final_awvalid), .s_axil_awready(final_awready),
                .s_axil_awaddr(final_awaddr), .s_axil_awprot(3'd0), .s_axil_wvalid(final_wvalid), .s_axil_wready(final_wready),
                .s_axil_wdata(final_wdata), .s_axil_wstrb(final_wstrb), .s_axil_bvalid(final_bvalid),
                .s_axil_bready(final_bready), .s_axil_bresp(final_bresp), .s_axil_arvalid(final_arvalid),
                .s_axil_arready(final_arready), .s_axil_araddr(final_araddr), .s_axil_arprot(3'd0),
                .s_axil_rvalid(final_rvalid), .s_axil_rready(final_rready), .s_axil_rdata(final_rdata),
                .s_axil_rresp(final_rresp), .interrupt_request(final_reduce_interrupts[l]),
                .s_axis_reserve_tvalid(reserve_valid[l]), .s_axis_reserve_tready(reserve_ready[l]),
                .s_axis_reserve_tdata(reserve), .m_axis_grant_tvalid(grant_valid[l]), .m_axis_grant_tready(grant_ready[l]),
                .m_axis_grant_tdata(grant[l * `MOEHUB_GRANT_WIDTH +: `MOEHUB_GRANT_WIDTH]), .freed_valid(freed_valid[l]),
                .s_axis_result_tvalid(result_valid[l]), .s_axis_result_tready(result_ready[l]),
                .s_axis_result_tdata(result[l * `MOEHUB_WAY_RESULT_WIDTH +: `MOEHUB_WAY_RESULT_WIDTH]),
                .s_axis_result_tlast(result_last[l]), .s_axis_own_tvalid(own_valid[l]), .s_axis_own_tready(own_ready[l]),
                .s_axis_own_tdata(own_part), .s_axis_own_tlast(own_last), .m_axis_reduced_tvalid(sum_valid),
                .m_axis_reduced_tready(sum_ready), .m_axis_reduced_tdata(sum), .m_axis_reduced_tuser(sum_user),
                .m_axis_reduced_tlast(sum_last), .initialised(final_reduce_initialised[l]),
                .timeout_valid(unused_timeout_valid[l]), .timeout_entry(unused_timeout_entry[l * 16 +: 16])
            );

            // answers at once leave beside the sums of link 0
            if (l == 0) begin : g_answers
                wire unused_port;
                moehub_packet_join #(.WIDTH(128 + `MOEHUB_REDUCED_WIDTH)) u_reduced (
                    .clk(clk), .rst(rst), .in_valid({answered_valid, sum_valid}), .in_ready({answered_ready, sum_ready}),
                    .in_data({answered_user, answered, sum_user, sum}), .in_last({answered_last, sum_last}),
                    .out_valid(m_axis_reduced_tvalid[0]), .out_ready(m_axis_reduced_tready[0]),
                    .out_data({m_axis_reduced_tuser[0 +: `MOEHUB_REDUCED_WIDTH], m_axis_reduced_tdata[0 +: 128]}),
                    .out_last(m_axis_reduced_tlast[0]), .out_port(unused_port)
                );
            end else begin : g_sums
                assign m_axis_reduced_tvalid[l]                                                 = sum_valid;
                assign sum_ready                                                                = m_axis_reduced_tready[l];
                assign m_axis_reduced_tdata[l * 128 +: 128]                                     = sum;
                assign m_axis_reduced_tuser[l * `MOEHUB_REDUCED_WIDTH +: `MOEHUB_REDUCED_WIDTH] = sum_user;
                assign m_axis_reduced_tlast[l]                                                  = sum_last;
            end
            assign line_done_context[l * 3 +: 3] = m_axis_reduced_tuser[(l + 1) * `MOEHUB_REDUCED_WIDTH - 1 -: 3];
        end
    endgenerate
endmodule

`default_nettype wire
