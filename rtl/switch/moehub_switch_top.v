// SPDX-License-Identifier: Apache-2.0
// Purpose: one plane of a switch with PORTS ports (doc/plane/switch.md): multicasts stores by target list, reserves, fans out and
//   sums reductions, passes closes and notifies.
// Contract:
//   1. Element p of each flat vector belongs to port p, which is GPU p. in_* arrives from the GPU's hub, out_* leaves for it; the
//      wires are those of doc/plane/link.md section 1, credits run against their flits.
//   2. initialised: all ports are. Registers: doc/plane/switch.md section 8.
//   3. interrupt_request is high while a register block has a status bit set whose mask bit is set, some cycles later.
//   4. All outputs are registers.
// How: wires alone.
// Cost: 12 cycles from the last flit of a packet to the first flit of its copy; storage: doc/plane/switch.md section 9.
// Limits: those of its parts.
// Proved: formal/switch/formal_switch_registers.v, formal_switch_stores.v, formal_switch_requests.v
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"
`include "moehub_plane.vh"
`include "moehub_width.vh"

module moehub_switch_top #(
    parameter PORTS             = 8,    // 2..64
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8 lines in a request
    parameter GROUPS            = 13,   // 1..4096 / REQUEST_LINES: of a port's reduction buffer
    parameter PLACES_STORE      = 2048, // 14..8191 flits
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 2048, // 17..8191
    parameter COPIES            = 1024, // 12..4096 records of the multicast crossbar
    parameter SLOTS             = 4,    // 2..16 copies of stores in an output's buffer
    parameter REQUEST_SLOTS     = 4,    // 2..16
    parameter NOTICES           = 16,   // 4..64 closes and notifies that wait for a link
    parameter BOUND             = 8,    // 2..64 packets of others that go first
    parameter WITH_FP32         = 1,    // 0, 1
    parameter GENERATION_WIDTH  = 8     // 1..8
) (
    input  wire clk,
    input  wire rst,
    output wire initialised,
    output wire interrupt_request,

    input  wire [PORTS - 1:0]                              link_up,
    input  wire [PORTS - 1:0]                              in_flit_valid,
    input  wire [PORTS - 1:0]                              in_flit_first,
    input  wire [PORTS - 1:0]                              in_flit_last,
    input  wire [PORTS * 2 - 1:0]                          in_flit_class,
    input  wire [PORTS * 128 - 1:0]                        in_flit_data,
    output wire [PORTS - 1:0]                              in_credit_valid,
    output wire [PORTS * 2 - 1:0]                          in_credit_class,
    output wire [PORTS * `MOEHUB_CREDIT_FLITS_WIDTH - 1:0] in_credit_flits,
    output wire [PORTS - 1:0]                              out_flit_valid,
    output wire [PORTS - 1:0]                              out_flit_first,
    output wire [PORTS - 1:0]                              out_flit_last,
    output wire [PORTS * 2 - 1:0]                          out_flit_class,
    output wire [PORTS * 128 - 1:0]                        out_flit_data,
    input  wire [PORTS - 1:0]                              out_credit_valid,
    input  wire [PORTS * 2 - 1:0]                          out_credit_class,
    input  wire [PORTS * `MOEHUB_CREDIT_FLITS_WIDTH - 1:0] out_credit_flits,

    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [19:0] s_axil_awaddr,
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
    input  wire [19:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
        if (GROUPS < 1 || GROUPS * REQUEST_LINES > 4096) GROUPS_must_be_1_to_4096_over_REQUEST_LINES u_rule ();
        if (PLACES_STORE < 14 || PLACES_STORE > 8191) PLACES_STORE_must_be_14_to_8191 u_rule ();
        if (PLACES_REQUEST < 5 || PLACES_REQUEST > 8191) PLACES_REQUEST_must_be_5_to_8191 u_rule ();
        if (PLACES_RESPONSE < 17 || PLACES_RESPONSE > 8191) PLACES_RESPONSE_must_be_17_to_8191 u_rule ();
        if (COPIES < 12 || COPIES > 4096) COPIES_must_be_12_to_4096 u_rule ();
        if (SLOTS < 2 || SLOTS > 16) SLOTS_must_be_2_to_16 u_rule ();
        if (REQUEST_SLOTS < 2 || REQUEST_SLOTS > 16) REQUEST_SLOTS_must_be_2_to_16 u_rule ();
        if (NOTICES < 4 || NOTICES > 64) NOTICES_must_be_4_to_64 u_rule ();
        if (BOUND < 2 || BOUND > 64) BOUND_must_be_2_to_64 u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
        if (GENERATION_WIDTH < 1 || GENERATION_WIDTH > 8) GENERATION_WIDTH_must_be_1_to_8 u_rule ();
    endgenerate

    localparam STORE_PACKETS        = PLACES_STORE / `MOEHUB_STORE_SHORTEST;
    localparam STORE_NAME_WIDTH     = `MOEHUB_INDEX_WIDTH(STORE_PACKETS);
    localparam STORE_PLACE_WIDTH    = `MOEHUB_INDEX_WIDTH(PLACES_STORE + 1);
    localparam REQUEST_NAME_WIDTH   = `MOEHUB_INDEX_WIDTH(PLACES_REQUEST);
    localparam REQUEST_PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1);
    localparam RESPONSE_NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES_RESPONSE);
    localparam RESPONSE_PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1);
    localparam RECORDS_WIDTH        = $clog2(COPIES + 1);
    // A record for each name, but no fewer and no more than a crossbar has.
    localparam REQUEST_COPIES       = PLACES_REQUEST < 12 ? 12 : PLACES_REQUEST > 4096 ? 4096 : PLACES_REQUEST;
    localparam BLOCKS               = 2 * PORTS + 1; // of registers
    localparam BUS_WIDTH            = `MOEHUB_BUS_WIDTH;
    localparam ANSWER_WIDTH         = `MOEHUB_BUS_ANSWER_WIDTH;
    localparam CREDIT_WIDTH         = `MOEHUB_CREDIT_FLITS_WIDTH;

    // ---- crossbar of the stores
    wire [PORTS - 1:0]                               store_packet_valid;
    wire [PORTS - 1:0]                               store_packet_ready;
    wire [PORTS * STORE_NAME_WIDTH - 1:0]            store_packet_name;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0] store_packet_mark;
    wire [PORTS - 1:0]                               store_packet_listed;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_packet_place;
    wire [PORTS - 1:0]                               store_targets_valid;
    wire [PORTS - 1:0]                               store_targets_ready;
    wire [PORTS * 128 - 1:0]                         store_targets_data;
    wire [PORTS - 1:0]                               store_read_valid;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_read_place;
    wire [PORTS * 128 - 1:0]                         store_read_data;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_read_next;
    wire [PORTS - 1:0]                               store_find_valid;
    wire [PORTS * STORE_NAME_WIDTH - 1:0]            store_find_name;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_find_head;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_find_body;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_find_last;
    wire [PORTS * 5 - 1:0]                           store_find_flits;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0] store_find_mark;
    wire [PORTS - 1:0]                               store_free_valid;
    wire [PORTS * STORE_NAME_WIDTH - 1:0]            store_free_name;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_free_head;
    wire [PORTS * STORE_PLACE_WIDTH - 1:0]           store_free_last;
    wire [PORTS * 5 - 1:0]                           store_free_flits;
    wire [PORTS * `MOEHUB_CROSSBAR_EVENTS - 1:0]     store_events;
    wire [PORTS * RECORDS_WIDTH - 1:0]               store_records_used;
    wire [PORTS - 1:0]                               store_granted;
    wire [PORTS - 1:0]                               store_copy_valid;
    wire [PORTS - 1:0]                               store_copy_ready;
    wire [PORTS * 128 - 1:0]                         store_copy_data;
    wire [PORTS - 1:0]                               store_copy_last;
    wire [PORTS * 5 - 1:0]                           store_copy_flits;

    // ---- crossbar of the requests
    wire [PORTS - 1:0]                               request_copies_valid;
    wire [PORTS - 1:0]                               request_copies_ready;
    wire [PORTS * REQUEST_NAME_WIDTH - 1:0]          request_copies_name;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0] request_copies_mark;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_copies_place;
    wire [PORTS - 1:0]                               request_read_valid;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_read_place;
    wire [PORTS * 128 - 1:0]                         request_read_data;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_read_next;
    wire [PORTS - 1:0]                               request_find_valid;
    wire [PORTS * REQUEST_NAME_WIDTH - 1:0]          request_find_name;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_find_head;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_find_body;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_find_last;
    wire [PORTS * 5 - 1:0]                           request_find_flits;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0] request_find_mark;
    wire [PORTS * 24 - 1:0]                          request_find_tag;
    wire [PORTS - 1:0]                               request_free_valid;
    wire [PORTS * REQUEST_NAME_WIDTH - 1:0]          request_free_name;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_free_head;
    wire [PORTS * REQUEST_PLACE_WIDTH - 1:0]         request_free_last;
    wire [PORTS * 5 - 1:0]                           request_free_flits;
    wire [PORTS * 24 - 1:0]                          request_free_tag;
    wire [PORTS - 1:0]                               request_copy_valid;
    wire [PORTS - 1:0]                               request_copy_ready;
    wire [PORTS * 128 - 1:0]                         request_copy_data;
    wire [PORTS - 1:0]                               request_copy_last;
    wire [PORTS * 5 - 1:0]                           request_copy_flits;

    // ---- crossbar of the responses
    wire [PORTS - 1:0]                               response_packet_valid;
    wire [PORTS - 1:0]                               response_packet_ready;
    wire [PORTS * RESPONSE_NAME_WIDTH - 1:0]         response_packet_name;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0] response_packet_mark;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_packet_place;
    wire [PORTS - 1:0]                               response_read_valid;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_read_place;
    wire [PORTS * 128 - 1:0]                         response_read_data;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_read_next;
    wire [PORTS - 1:0]                               response_find_valid;
    wire [PORTS * RESPONSE_NAME_WIDTH - 1:0]         response_find_name;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_find_head;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_find_body;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_find_last;
    wire [PORTS * 5 - 1:0]                           response_find_flits;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0] response_find_mark;
    wire [PORTS - 1:0]                               response_free_valid;
    wire [PORTS * RESPONSE_NAME_WIDTH - 1:0]         response_free_name;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_free_head;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_free_last;
    wire [PORTS * 5 - 1:0]                           response_free_flits;
    wire [PORTS * RESPONSE_PLACE_WIDTH - 1:0]        response_free_places;
    wire [PORTS - 1:0]                               response_room;
    wire [PORTS - 1:0]                               response_granted;
    wire [PORTS - 1:0]                               response_row_valid;
    wire [PORTS * 4 - 1:0]                           response_row_number;
    wire [PORTS - 1:0]                               response_row_last;
    wire [PORTS * 128 - 1:0]                         response_row_data;
    // ---- plane
    wire [PORTS - 1:0]                 ports_initialised;
    wire [PORTS - 1:0]                 ports_down;
    wire [PORTS - 1:0]                 ports_went_down;
    wire [PORTS - 1:0]                 ports_interrupt;
    wire [PORTS - 1:0]                 missed;
    wire [PORTS - 1:0]                 missing_valid;
    wire [PORTS * PORTS - 1:0]         missing_ports;
    wire [15:0]                        timeout_limit;
    wire [BLOCKS * BUS_WIDTH - 1:0]    block_bus;
    wire [BLOCKS * ANSWER_WIDTH - 1:0] block_answer;

    // ---- ports -------------------------------------------------------------------------------------------------------------
    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            localparam [31:0] PORT = p;

            moehub_switch_port #(
                .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
                .REQUEST_LINES(REQUEST_LINES), .GROUPS(GROUPS), .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST),
                .PLACES_RESPONSE(PLACES_RESPONSE), .COPIES(COPIES), .SLOTS(SLOTS), .NOTICES(NOTICES), .BOUND(BOUND),
                .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(GENERATION_WIDTH)
            ) u_port (
                .clk(clk), .rst(rst), .own(PORT[9:0]), .link_up(link_up[p]),
                .in_flit_valid(in_flit_valid[p]), .in_flit_first(in_flit_first[p]), .in_flit_last(in_flit_last[p]),
                .in_flit_class(in_flit_class[p * 2 +: 2]), .in_flit_data(in_flit_data[p * 128 +: 128]),
                .in_credit_valid(in_credit_valid[p]), .in_credit_class(in_credit_class[p * 2 +: 2]),
                .in_credit_flits(in_credit_flits[p * CREDIT_WIDTH +: CREDIT_WIDTH]),
                .out_flit_valid(out_flit_valid[p]), .out_flit_first(out_flit_first[p]), .out_flit_last(out_flit_last[p]),
                .out_flit_class(out_flit_class[p * 2 +: 2]), .out_flit_data(out_flit_data[p * 128 +: 128]),
                .out_credit_valid(out_credit_valid[p]), .out_credit_class(out_credit_class[p * 2 +: 2]),
                .out_credit_flits(out_credit_flits[p * CREDIT_WIDTH +: CREDIT_WIDTH]),
                .store_packet_valid(store_packet_valid[p]), .store_packet_ready(store_packet_ready[p]),
                .store_packet_name(store_packet_name[p * STORE_NAME_WIDTH +: STORE_NAME_WIDTH]),
                .store_packet_mark(store_packet_mark[p * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .store_packet_listed(store_packet_listed[p]),
                .store_packet_place(store_packet_place[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_targets_valid(store_targets_valid[p]), .store_targets_ready(store_targets_ready[p]),
                .store_targets_data(store_targets_data[p * 128 +: 128]), .store_read_valid(store_read_valid[p]),
                .store_read_place(store_read_place[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_read_data(store_read_data[p * 128 +: 128]),
                .store_read_next(store_read_next[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_find_valid(store_find_valid[p]),
                .store_find_name(store_find_name[p * STORE_NAME_WIDTH +: STORE_NAME_WIDTH]),
                .store_find_head(store_find_head[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_find_body(store_find_body[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_find_last(store_find_last[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_find_flits(store_find_flits[p * 5 +: 5]),
                .store_find_mark(store_find_mark[p * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .store_free_valid(store_free_valid[p]),
                .store_free_name(store_free_name[p * STORE_NAME_WIDTH +: STORE_NAME_WIDTH]),
                .store_free_head(store_free_head[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_free_last(store_free_last[p * STORE_PLACE_WIDTH +: STORE_PLACE_WIDTH]),
                .store_free_flits(store_free_flits[p * 5 +: 5]),
                .store_events(store_events[p * `MOEHUB_CROSSBAR_EVENTS +: `MOEHUB_CROSSBAR_EVENTS]),
                .store_records_used(store_records_used[p * RECORDS_WIDTH +: RECORDS_WIDTH]), .store_granted(store_granted[p]),
                .store_copy_valid(store_copy_valid[p]), .store_copy_ready(store_copy_ready[p]),
                .store_copy_data(store_copy_data[p * 128 +: 128]), .store_copy_last(store_copy_last[p]),
                .store_copy_flits(store_copy_flits[p * 5 +: 5]),
                .request_copies_valid(request_copies_valid[p]), .request_copies_ready(request_copies_ready[p]),
                .request_copies_name(request_copies_name[p * REQUEST_NAME_WIDTH +: REQUEST_NAME_WIDTH]),
                .request_copies_mark(request_copies_mark[p * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .request_copies_place(request_copies_place[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_read_valid(request_read_valid[p]),
                .request_read_place(request_read_place[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_read_data(request_read_data[p * 128 +: 128]),
                .request_read_next(request_read_next[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_find_valid(request_find_valid[p]),
                .request_find_name(request_find_name[p * REQUEST_NAME_WIDTH +: REQUEST_NAME_WIDTH]),
                .request_find_head(request_find_head[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_find_body(request_find_body[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_find_last(request_find_last[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_find_flits(request_find_flits[p * 5 +: 5]),
                .request_find_mark(request_find_mark[p * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .request_find_tag(request_find_tag[p * 24 +: 24]), .request_free_valid(request_free_valid[p]),
                .request_free_name(request_free_name[p * REQUEST_NAME_WIDTH +: REQUEST_NAME_WIDTH]),
                .request_free_head(request_free_head[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_free_last(request_free_last[p * REQUEST_PLACE_WIDTH +: REQUEST_PLACE_WIDTH]),
                .request_free_flits(request_free_flits[p * 5 +: 5]), .request_free_tag(request_free_tag[p * 24 +: 24]),
                .request_copy_valid(request_copy_valid[p]), .request_copy_ready(request_copy_ready[p]),
                .request_copy_data(request_copy_data[p * 128 +: 128]), .request_copy_last(request_copy_last[p]),
                .request_copy_flits(request_copy_flits[p * 5 +: 5]),
                .response_packet_valid(response_packet_valid[p]), .response_packet_ready(response_packet_ready[p]),
                .response_packet_name(response_packet_name[p * RESPONSE_NAME_WIDTH +: RESPONSE_NAME_WIDTH]),
                .response_packet_mark(response_packet_mark[p * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .response_packet_place(response_packet_place[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_read_valid(response_read_valid[p]),
                .response_read_place(response_read_place[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_read_data(response_read_data[p * 128 +: 128]),
                .response_read_next(response_read_next[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_find_valid(response_find_valid[p]),
                .response_find_name(response_find_name[p * RESPONSE_NAME_WIDTH +: RESPONSE_NAME_WIDTH]),
                .response_find_head(response_find_head[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_find_body(response_find_body[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_find_last(response_find_last[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_find_flits(response_find_flits[p * 5 +: 5]),
                .response_find_mark(response_find_mark[p * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .response_free_valid(response_free_valid[p]),
                .response_free_name(response_free_name[p * RESPONSE_NAME_WIDTH +: RESPONSE_NAME_WIDTH]),
                .response_free_head(response_free_head[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_free_last(response_free_last[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_free_flits(response_free_flits[p * 5 +: 5]),
                .response_free_places(response_free_places[p * RESPONSE_PLACE_WIDTH +: RESPONSE_PLACE_WIDTH]),
                .response_room(response_room[p]), .response_granted(response_granted[p]),
                .response_row_valid(response_row_valid[p]), .response_row_number(response_row_number[p * 4 +: 4]),
                .response_row_last(response_row_last[p]), .response_row_data(response_row_data[p * 128 +: 128]),
                .ports_down(ports_down), .down(ports_down[p]), .went_down(ports_went_down[p]), .missed(missed[p]),
                .missing_valid(missing_valid[p]), .missing_ports(missing_ports[p * PORTS +: PORTS]),
                .timeout_limit(timeout_limit), .initialised(ports_initialised[p]),
                .registers_bus(block_bus[2 * p * BUS_WIDTH +: 2 * BUS_WIDTH]),
                .registers_answer(block_answer[2 * p * ANSWER_WIDTH +: 2 * ANSWER_WIDTH]),
                .interrupt_request(ports_interrupt[p])
            );
        end
    endgenerate

    // ---- crossbars ---------------------------------------------------------------------------------------------------------
    wire [PORTS * 24 - 1:0]  unused_store_free_tag;
    wire [PORTS - 1:0]       unused_store_row_valid;
    wire [PORTS * 4 - 1:0]   unused_store_row_number;
    wire [PORTS - 1:0]       unused_store_row_last;
    wire [PORTS * 128 - 1:0] unused_store_row_data;

    moehub_crossbar #(
        .PORTS(PORTS), .DATA_WIDTH(128), .JOIN(1), .WITH_IDS(1), .WITH_TAG(0), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .PLACES(PLACES_STORE), .PACKETS(STORE_PACKETS), .COPIES(COPIES), .SLOTS(SLOTS)
    ) u_multicast_crossbar (
        .clk(clk), .rst(rst),
        .packet_valid(store_packet_valid), .packet_ready(store_packet_ready), .packet_name(store_packet_name),
        .packet_mark(store_packet_mark), .packet_listed(store_packet_listed), .packet_place(store_packet_place),
        .targets_valid(store_targets_valid), .targets_ready(store_targets_ready), .targets_data(store_targets_data),
        .read_valid(store_read_valid), .read_place(store_read_place), .read_data(store_read_data), .read_next(store_read_next),
        .find_valid(store_find_valid), .find_name(store_find_name), .find_head(store_find_head), .find_body(store_find_body),
        .find_last(store_find_last), .find_flits(store_find_flits), .find_mark(store_find_mark), .free_valid(store_free_valid),
        .free_name(store_free_name), .free_head(store_free_head), .free_last(store_free_last), .free_flits(store_free_flits),
        .events(store_events), .records_used(store_records_used), .granted(store_granted), .copy_valid(store_copy_valid),
        .copy_ready(store_copy_ready), .copy_data(store_copy_data), .copy_last(store_copy_last), .copy_flits(store_copy_flits),
        .find_tag({(PORTS * 24){1'b0}}), .free_tag(unused_store_free_tag),
        .free_places({(PORTS * STORE_PLACE_WIDTH){1'b0}}), .room({PORTS{1'b0}}),
        .row_valid(unused_store_row_valid), .row_number(unused_store_row_number), .row_last(unused_store_row_last),
        .row_data(unused_store_row_data)
    );

    wire [PORTS - 1:0]                                unused_request_targets_ready;
    wire [PORTS * `MOEHUB_CROSSBAR_EVENTS - 1:0]      unused_request_events;
    wire [PORTS * $clog2(REQUEST_COPIES + 1) - 1:0]   unused_request_records_used;
    wire [PORTS - 1:0]                                unused_request_granted;
    wire [PORTS - 1:0]                                unused_request_row_valid;
    wire [PORTS * 4 - 1:0]                            unused_request_row_number;
    wire [PORTS - 1:0]                                unused_request_row_last;
    wire [PORTS * 32 - 1:0]                           unused_request_row_data;

    moehub_crossbar #(
        .PORTS(PORTS), .DATA_WIDTH(32), .JOIN(1), .WITH_IDS(1), .WITH_TAG(1), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .PLACES(PLACES_REQUEST), .PACKETS(PLACES_REQUEST), .COPIES(REQUEST_COPIES),
        .SLOTS(REQUEST_SLOTS)
    ) u_request_crossbar (
        .clk(clk), .rst(rst),
        .packet_valid(request_copies_valid), .packet_ready(request_copies_ready), .packet_name(request_copies_name),
        .packet_mark(request_copies_mark), .packet_place(request_copies_place), .read_valid(request_read_valid),
        .read_place(request_read_place), .read_data(request_read_data), .read_next(request_read_next),
        .find_valid(request_find_valid), .find_name(request_find_name), .find_head(request_find_head),
        .find_body(request_find_body), .find_last(request_find_last), .find_flits(request_find_flits),
        .find_mark(request_find_mark), .find_tag(request_find_tag), .free_valid(request_free_valid),
        .free_name(request_free_name), .free_head(request_free_head), .free_last(request_free_last),
        .free_flits(request_free_flits), .free_tag(request_free_tag), .copy_valid(request_copy_valid),
        .copy_ready(request_copy_ready), .copy_data(request_copy_data), .copy_last(request_copy_last),
        .copy_flits(request_copy_flits),
        .packet_listed({PORTS{1'b0}}), .targets_valid({PORTS{1'b0}}), .targets_ready(unused_request_targets_ready),
        .targets_data({(PORTS * 128){1'b0}}), .events(unused_request_events), .records_used(unused_request_records_used),
        .free_places({(PORTS * REQUEST_PLACE_WIDTH){1'b0}}), .room({PORTS{1'b0}}), .granted(unused_request_granted),
        .row_valid(unused_request_row_valid), .row_number(unused_request_row_number), .row_last(unused_request_row_last),
        .row_data(unused_request_row_data)
    );

    wire [PORTS - 1:0]                                unused_response_targets_ready;
    wire [PORTS * 24 - 1:0]                           unused_response_free_tag;
    wire [PORTS * `MOEHUB_CROSSBAR_EVENTS - 1:0]      unused_response_events;
    wire [PORTS * $clog2(PLACES_RESPONSE + 1) - 1:0]  unused_response_records_used;
    wire [PORTS - 1:0]                                unused_response_copy_valid;
    wire [PORTS * 128 - 1:0]                          unused_response_copy_data;
    wire [PORTS - 1:0]                                unused_response_copy_last;
    wire [PORTS * 5 - 1:0]                            unused_response_copy_flits;

    moehub_crossbar #(
        .PORTS(PORTS), .DATA_WIDTH(128), .JOIN(0), .WITH_IDS(0), .WITH_TAG(0), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .PLACES(PLACES_RESPONSE), .PACKETS(PLACES_RESPONSE), .AHEAD(9)
    ) u_response_crossbar (
        .clk(clk), .rst(rst),
        .packet_valid(response_packet_valid), .packet_ready(response_packet_ready), .packet_name(response_packet_name),
        .packet_mark(response_packet_mark), .packet_place(response_packet_place), .read_valid(response_read_valid),
        .read_place(response_read_place), .read_data(response_read_data), .read_next(response_read_next),
        .find_valid(response_find_valid), .find_name(response_find_name), .find_head(response_find_head),
        .find_body(response_find_body), .find_last(response_find_last), .find_flits(response_find_flits),
        .find_mark(response_find_mark), .free_valid(response_free_valid), .free_name(response_free_name),
        .free_head(response_free_head), .free_last(response_free_last), .free_flits(response_free_flits),
        .free_places(response_free_places), .room(response_room), .granted(response_granted), .row_valid(response_row_valid),
        .row_number(response_row_number), .row_last(response_row_last), .row_data(response_row_data),
        .packet_listed({PORTS{1'b0}}), .targets_valid({PORTS{1'b0}}), .targets_ready(unused_response_targets_ready),
        .targets_data({(PORTS * 128){1'b0}}), .find_tag({(PORTS * 24){1'b0}}), .free_tag(unused_response_free_tag),
        .events(unused_response_events), .records_used(unused_response_records_used),
        .copy_valid(unused_response_copy_valid), .copy_ready({PORTS{1'b0}}), .copy_data(unused_response_copy_data),
        .copy_last(unused_response_copy_last), .copy_flits(unused_response_copy_flits)
    );

    // ---- missing ports, registers ------------------------------------------------------------------------------------------
    wire        command_valid;
    wire        command_ready;
    wire [3:0]  command_operation;
    wire [31:0] command_data;
    wire        command_done;
    wire        command_refused;

    moehub_plane_state #(.PORTS(PORTS)) u_state (
        .clk(clk), .rst(rst), .missing_valid(missing_valid), .missing_ports(missing_ports), .missed(missed),
        .timeout_limit(timeout_limit),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused)
    );

    wire [19:0]         write_address;
    wire [BLOCKS - 1:0] write_block;
    wire [19:0]         read_address;
    wire [BLOCKS - 1:0] read_block;

    moehub_switch_address #(.PORTS(PORTS)) u_write_address (.address(write_address), .block(write_block));
    moehub_switch_address #(.PORTS(PORTS)) u_read_address (.address(read_address), .block(read_block));

    moehub_axi_lite_decoder #(.ADDRESS_WIDTH(20), .BLOCKS(BLOCKS)) u_decoder (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
        .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready),
        .s_axil_bresp(s_axil_bresp), .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
        .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid),
        .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .write_address(write_address), .write_block(write_block), .read_address(read_address), .read_block(read_block),
        .block_bus(block_bus), .block_answer(block_answer)
    );

    wire        plane_awvalid;
    wire        plane_awready;
    wire [11:0] plane_awaddr;
    wire        plane_wvalid;
    wire        plane_wready;
    wire [31:0] plane_wdata;
    wire [3:0]  plane_wstrb;
    wire        plane_bvalid;
    wire        plane_bready;
    wire [1:0]  plane_bresp;
    wire        plane_arvalid;
    wire        plane_arready;
    wire [11:0] plane_araddr;
    wire        plane_rvalid;
    wire        plane_rready;
    wire [31:0] plane_rdata;
    wire [1:0]  plane_rresp;

    assign `MOEHUB_BUS(plane_awvalid, plane_awaddr, plane_wvalid, plane_wdata, plane_wstrb,
        plane_bready, plane_arvalid, plane_araddr, plane_rready) =
        block_bus[2 * PORTS * BUS_WIDTH +: BUS_WIDTH];
    assign block_answer[2 * PORTS * ANSWER_WIDTH +: ANSWER_WIDTH] =
        `MOEHUB_BUS_ANSWER(plane_awready, plane_wready, plane_bvalid, plane_bresp, plane_arready,
            plane_rvalid, plane_rdata, plane_rresp);

    moehub_switch_plane_csr #(.PORTS(PORTS)) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(plane_awvalid), .s_axil_awready(plane_awready), .s_axil_awaddr(plane_awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(plane_wvalid), .s_axil_wready(plane_wready), .s_axil_wdata(plane_wdata), .s_axil_wstrb(plane_wstrb),
        .s_axil_bvalid(plane_bvalid), .s_axil_bready(plane_bready), .s_axil_bresp(plane_bresp), .s_axil_arvalid(plane_arvalid),
        .s_axil_arready(plane_arready), .s_axil_araddr(plane_araddr), .s_axil_arprot(3'd0), .s_axil_rvalid(plane_rvalid),
        .s_axil_rready(plane_rready), .s_axil_rdata(plane_rdata), .s_axil_rresp(plane_rresp),
        .interrupt_request(interrupt_request),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .ports_initialised(ports_initialised), .ports_down(ports_down), .ports_went_down(ports_went_down),
        .ports_interrupt(ports_interrupt), .timeout_limit(timeout_limit), .initialised(initialised)
    );
endmodule

`default_nettype wire
