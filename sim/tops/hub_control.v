// SPDX-License-Identifier: Apache-2.0
// Purpose: control of the hub, and when it takes a command, ends an ADVANCE and gives a result: the C model is told that
//   (doc/hub/hub.md section 4), and no port shows it.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module hub_control #(
    parameter LINKS             = 1,    // 1..4
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter LOCAL_EXPERTS     = 64,   // 1..256
    parameter MAX_TARGETS       = 32,   // 1..32
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8
    parameter ROW_INDEX_WIDTH   = 20,   // 1..32
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter OFFSET_WIDTH      = 14,   // 7..16
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter PLACES_STORE      = 2048, // 14..8191
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter LOOP_PLACES       = 64,   // 17..8191
    parameter LOOP_SHARE        = 4,    // 1, 2, 4, 8
    parameter LANE_BYTES        = 16,   // 16, 32
    parameter TILES             = 1024, // 1..65536
    parameter TOKENS            = 4096, // 1..65536
    parameter ROWS              = 32,   // 1..64
    parameter LINES             = 448,  // 1..4096
    parameter STORE_BYTES       = 32,   // 16, 32, 64, 128
    parameter FINAL_GROUPS      = 13,   // 1..4096 / REQUEST_LINES
    parameter WITH_FP32         = 1     // 0, 1
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

    input  wire               address_interrupt,        // window 1
    input  wire               tile_tracker_interrupt,   // window 2
    input  wire               packet_manager_interrupt, // window 3
    input  wire [LINKS:0]     way_interrupts,           // windows 4 ..
    input  wire [LINKS - 1:0] final_reduce_interrupts,  // windows 9 ..
    output wire               interrupt_request,        // of the hub

    input  wire [9:0] own, // GPU

    input  wire               address_initialised,
    input  wire               tile_tracker_initialised,
    input  wire               packet_manager_initialised,
    input  wire [LINKS - 1:0] final_reduce_initialised,   // of each link
    output wire               initialised,                // register: all of them; to the ways, and STATUS

    output wire [CONTEXTS - 1:0]                 enabled,
    output wire [CONTEXTS - 1:0]                 closing,          // packet manager
    output wire [CONTEXTS - 1:0]                 has_arrived,      // ways, tile tracker
    output wire [CONTEXTS - 1:0]                 has_failed,       // tile tracker
    output wire [CONTEXTS * 4 - 1:0]             rounds,
    output wire [CONTEXTS * GPUS - 1:0]          peers,
    output wire [CONTEXTS * 5 - 1:0]             owner_shifts,
    output wire [CONTEXTS - 1:0]                 counts_tokens,    // tile tracker
    output wire [CONTEXTS * 16 - 1:0]            token_firsts,     // tile tracker
    output wire [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases,       // ways, tile tracker
    output wire [CONTEXTS * 5 - 1:0]             list_shifts,      // ways, tile tracker
    output wire [CONTEXTS * 4 - 1:0]             tile_shifts,      // tile tracker, as all from here on
    output wire [CONTEXTS * 16 - 1:0]            tile_firsts,
    output wire [CONTEXTS * 17 - 1:0]            tile_counts,
    output wire [CONTEXTS * 8 - 1:0]             computed_blocks,
    output wire [CONTEXTS * 8 - 1:0]             finished_blocks,
    output wire [CONTEXTS * 32 - 1:0]            arrival_timeouts,
    output wire [CONTEXTS * 32 - 1:0]            token_timeouts,

    input  wire [CONTEXTS - 1:0]               address_enabled,       // address path: enabled
    input  wire [CONTEXTS - 1:0]               closed,                // packet manager: pulses, also to the tile tracker
    input  wire [CONTEXTS - 1:0]               arrived,               // tile tracker: pulses
    input  wire [CONTEXTS - 1:0]               faults,                // address path: pulses that flag
    input  wire [(LINKS + 1) * CONTEXTS - 1:0] way_failed,            // failed of each way: pulses that flag
    input  wire [CONTEXTS - 1:0]               packet_manager_failed, // the same
    input  wire [CONTEXTS - 1:0]               tile_tracker_failed,   // the same
    input  wire [CONTEXTS * GPUS - 1:0]        complete,              // tile tracker: its peers' pairs are all handled

    input  wire [CONTEXTS * 7 - 1:0]           rows,                   // packet manager
    input  wire [CONTEXTS - 1:0]               reduces_in_flight,      // reduce_request: in_flight
    input  wire [(LINKS + 1) * CONTEXTS - 1:0] way_stores_in_flight,   // stores_in_flight of each way
    input  wire [(LINKS + 1) * CONTEXTS - 1:0] way_requests_in_flight, // requests_in_flight of each way
    input  wire [CONTEXTS - 1:0]               notifying,              // tile tracker
    input  wire [CONTEXTS - 1:0]               address_in_flight,      // address path: in_flight
    output wire [CONTEXTS - 1:0]               stores_in_flight,       // register: of all ways, for the tile tracker

    output wire                                   m_axis_set_tvalid, // tile tracker
    input  wire                                   m_axis_set_tready,
    output wire [`MOEHUB_SET_WIDTH - 1:0]         m_axis_set_tdata,
    output wire                                   m_axis_end_tvalid, // packet manager
    input  wire                                   m_axis_end_tready,
    output wire [`MOEHUB_END_COMMAND_WIDTH - 1:0] m_axis_end_tdata,

    output wire         watch_take,     // a command is taken
    output wire         watch_advanced, // both have taken an ADVANCE
    output wire         watch_result    // a result is there
);
    moehub_hub_control #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .LOCAL_EXPERTS(LOCAL_EXPERTS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .PLACES_STORE(PLACES_STORE),
        .PLACES_REQUEST(PLACES_REQUEST), .PLACES_RESPONSE(PLACES_RESPONSE), .LOOP_PLACES(LOOP_PLACES), .LOOP_SHARE(LOOP_SHARE),
        .LANE_BYTES(LANE_BYTES), .TILES(TILES), .TOKENS(TOKENS), .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES),
        .FINAL_GROUPS(FINAL_GROUPS), .WITH_FP32(WITH_FP32)
    ) u_control (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .address_interrupt(address_interrupt), .tile_tracker_interrupt(tile_tracker_interrupt),
        .packet_manager_interrupt(packet_manager_interrupt), .way_interrupts(way_interrupts),
        .final_reduce_interrupts(final_reduce_interrupts), .interrupt_request(interrupt_request), .own(own),
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
        .stores_in_flight(stores_in_flight), .m_axis_set_tvalid(m_axis_set_tvalid), .m_axis_set_tready(m_axis_set_tready),
        .m_axis_set_tdata(m_axis_set_tdata), .m_axis_end_tvalid(m_axis_end_tvalid), .m_axis_end_tready(m_axis_end_tready),
        .m_axis_end_tdata(m_axis_end_tdata)
    );

    assign watch_take     = u_control.command_ready;
    assign watch_result   = u_control.result_valid;
    reg advancing_q; // an ADVANCE was offered to the tile tracker
    assign watch_advanced = advancing_q && !m_axis_set_tvalid && !m_axis_end_tvalid;
    always @(posedge clk) begin
        if (watch_advanced) advancing_q <= 1'b0;
        if (m_axis_set_tvalid && m_axis_set_tdata[1:0] == 2'd`MOEHUB_SET_ADVANCE) advancing_q <= 1'b1;
        if (rst) advancing_q <= 1'b0;
    end
endmodule

`default_nettype wire
