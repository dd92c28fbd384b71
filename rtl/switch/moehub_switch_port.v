// SPDX-License-Identifier: Apache-2.0
// Purpose: one port of a switch plane (doc/plane/switch.md): what is between its link and the three crossbars, and its registers.
// Contract:
//   1. in_* and out_* are the link's wires (doc/plane/link.md section 1); store_*, request_* and response_* one input and one
//      output of a moehub_crossbar.
//   2. down says that the port is down; ports_down that of all ports; missed that it was missing in a timeout; missing_* which
//      ports were missing in one of its own reduction buffer.
//   3. registers_bus and registers_answer: `MOEHUB_BUS and `MOEHUB_BUS_ANSWER of the reduction buffer's registers, then of the
//      port's. interrupt_request is that of either.
// How: wires, and the marks of packets as the crossbars read them.
// Cost: doc/plane/switch.md section 9.
// Limits: those of its parts; what goes to a crossbar may be a gate of registers. What comes from one ends in registers, but for
//   the memories' addresses.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"
`include "moehub_plane.vh"
`include "moehub_width.vh"

module moehub_switch_port #(
    parameter PORTS             = 8,    // 2..64
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8 lines in a request
    parameter GROUPS            = 13,   // 1..4096 / REQUEST_LINES
    parameter PLACES_STORE      = 2048, // 14..8191 flits
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 2048, // 17..8191
    parameter COPIES            = 1024, // 12..4096
    parameter SLOTS             = 4,    // 2..16
    parameter NOTICES           = 16,   // 4..64
    parameter BOUND             = 8,    // 2..64
    parameter WITH_FP32         = 1,    // 0, 1
    parameter GENERATION_WIDTH  = 8     // 1..8
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [9:0] own, // the port's number

    input  wire                                    link_up,
    input  wire                                    in_flit_valid,
    input  wire                                    in_flit_first,
    input  wire                                    in_flit_last,
    input  wire [1:0]                              in_flit_class,
    input  wire [127:0]                            in_flit_data,
    output wire                                    in_credit_valid,
    output wire [1:0]                              in_credit_class,
    output wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] in_credit_flits,
    output wire                                    out_flit_valid,
    output wire                                    out_flit_first,
    output wire                                    out_flit_last,
    output wire [1:0]                              out_flit_class,
    output wire [127:0]                            out_flit_data,
    input  wire                                    out_credit_valid,
    input  wire [1:0]                              out_credit_class,
    input  wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] out_credit_flits,

    // ---- crossbar of the stores: ports as moehub_crossbar's, of one input and one output
    output wire                                                                    store_packet_valid,
    input  wire                                                                    store_packet_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE / `MOEHUB_STORE_SHORTEST) - 1:0] store_packet_name,
    output wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]                                store_packet_mark,
    output wire                                                                    store_packet_listed,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_packet_place,
    output wire                                                                    store_targets_valid,
    input  wire                                                                    store_targets_ready,
    output wire [127:0]                                                            store_targets_data,
    input  wire                                                                    store_read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_read_place,
    output wire [127:0]                                                            store_read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_read_next,
    input  wire                                                                    store_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE / `MOEHUB_STORE_SHORTEST) - 1:0] store_find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_find_last,
    output wire [4:0]                                                              store_find_flits,
    output wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]                                store_find_mark,
    input  wire                                                                    store_free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE / `MOEHUB_STORE_SHORTEST) - 1:0] store_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0]                      store_free_last,
    input  wire [4:0]                                                              store_free_flits,
    input  wire [`MOEHUB_CROSSBAR_EVENTS - 1:0]                                    store_events,
    input  wire [$clog2(COPIES + 1) - 1:0]                                         store_records_used,
    input  wire                                                                    store_granted,
    input  wire                                                                    store_copy_valid,
    output wire                                                                    store_copy_ready,
    input  wire [127:0]                                                            store_copy_data,
    input  wire                                                                    store_copy_last,
    input  wire [4:0]                                                              store_copy_flits,

    // ---- crossbar of the requests: ports as moehub_crossbar's, of one input and one output
    output wire                                                 request_copies_valid,
    input  wire                                                 request_copies_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST) - 1:0]     request_copies_name,
    output wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]             request_copies_mark,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_copies_place,
    input  wire                                                 request_read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_read_place,
    output wire [127:0]                                         request_read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_read_next,
    input  wire                                                 request_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST) - 1:0]     request_find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_find_last,
    output wire [4:0]                                           request_find_flits,
    output wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]             request_find_mark,
    output wire [23:0]                                          request_find_tag,
    input  wire                                                 request_free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST) - 1:0]     request_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_free_last,
    input  wire [4:0]                                           request_free_flits,
    input  wire [23:0]                                          request_free_tag,
    input  wire                                                 request_copy_valid,
    output wire                                                 request_copy_ready,
    input  wire [127:0]                                         request_copy_data,
    input  wire                                                 request_copy_last,
    input  wire [4:0]                                           request_copy_flits,

    // ---- crossbar of the responses: ports as moehub_crossbar's, of one input and one output
    output wire                                                  response_packet_valid,
    input  wire                                                  response_packet_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE) - 1:0]     response_packet_name,
    output wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]              response_packet_mark,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_packet_place,
    input  wire                                                  response_read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_read_place,
    output wire [127:0]                                          response_read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_read_next,
    input  wire                                                  response_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE) - 1:0]     response_find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_find_last,
    output wire [4:0]                                            response_find_flits,
    output wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]              response_find_mark,
    input  wire                                                  response_free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE) - 1:0]     response_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_free_last,
    input  wire [4:0]                                            response_free_flits,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_free_places,
    output wire                                                  response_room,
    input  wire                                                  response_granted,
    input  wire                                                  response_row_valid,
    input  wire [3:0]                                            response_row_number,
    input  wire                                                  response_row_last,
    input  wire [127:0]                                          response_row_data,

    // ---- plane
    input  wire [PORTS - 1:0] ports_down,
    output wire               down,
    output wire               went_down,
    input  wire               missed,
    output wire               missing_valid,
    output wire [PORTS - 1:0] missing_ports,
    input  wire [15:0]        timeout_limit,
    output wire               initialised,

    // ---- registers
    input  wire [2 * `MOEHUB_BUS_WIDTH - 1:0]        registers_bus,
    output wire [2 * `MOEHUB_BUS_ANSWER_WIDTH - 1:0] registers_answer,
    output wire                                      interrupt_request
);
    localparam STORE    = `MOEHUB_CLASS_STORE;
    localparam REQUEST  = `MOEHUB_CLASS_REQUEST;
    localparam RESPONSE = `MOEHUB_CLASS_RESPONSE;
    localparam CLASSES  = `MOEHUB_CLASSES;
    localparam WIDTH    = `MOEHUB_CREDITS_WIDTH;

    localparam ENTRIES              = GROUPS * REQUEST_LINES;
    localparam TAG_WIDTH            = 31; // round, context, tag
    localparam FLIT_BYTES           = 16;
    localparam MAX_CONTRIBUTORS     = PORTS - 1; // a set with the own port is refused
    localparam PORT_WIDTH           = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam STORE_PLACE_WIDTH    = `MOEHUB_INDEX_WIDTH(PLACES_STORE + 1);
    localparam REQUEST_PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1);
    localparam RESPONSE_PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1);
    localparam STORE_NAME_WIDTH     = `MOEHUB_INDEX_WIDTH(PLACES_STORE / `MOEHUB_STORE_SHORTEST);
    localparam REQUEST_NAME_WIDTH   = `MOEHUB_INDEX_WIDTH(PLACES_REQUEST);
    localparam RESPONSE_NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES_RESPONSE);
    localparam REQUEST_MARK_WIDTH   = `MOEHUB_REQUEST_MARK_WIDTH(0, PORTS);
    localparam RESPONSE_MARK_WIDTH  = `MOEHUB_RESPONSE_MARK_WIDTH(PORTS);
    localparam RECORDS_WIDTH        = $clog2(COPIES + 1);
    localparam OUTPUT_WIDTH         = `MOEHUB_CROSSBAR_MARK_OUTPUT_WIDTH;

    // ---- link in ---------------------------------------------------------------------------------------------------------
    wire [CLASSES - 1:0]                   initialised_stores;
    wire [CLASSES * WIDTH - 1:0]           free_places;
    wire [CLASSES - 1:0]                   freed_valid;
    wire [CLASSES * 6 - 1:0]               freed_flits;
    wire [CLASSES - 1:0]                   space;
    wire [CLASSES - 1:0]                   write_valid;
    wire                                   write_first;
    wire [2:0]                             write_targets;
    wire [127:0]                           write_data;
    wire [CLASSES - 1:0]                   end_valid;
    wire                                   end_good;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]  end_mark_store;
    wire [REQUEST_MARK_WIDTH - 1:0]        end_mark_request;
    wire [RESPONSE_MARK_WIDTH - 1:0]       end_mark_response;
    wire [`MOEHUB_LINK_CAUSE_PLACE:0]      causes;
    wire [CLASSES - 1:0]                   packets_in;
    wire                                   flit_in;
    wire                                   receiver_error_valid;
    wire [3:0]                             receiver_error_cause;
    wire [127:0]                           receiver_error_header;

    moehub_link_receiver #(
        .TOWARDS_HUB(0), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(REQUEST_LINES)
    ) u_receiver (
        .clk(clk), .rst(rst), .own(own), .link_up(link_up),
        .flit_valid(in_flit_valid), .flit_class(in_flit_class), .flit_first(in_flit_first), .flit_last(in_flit_last),
        .flit_data(in_flit_data),
        .credit_valid(in_credit_valid), .credit_class(in_credit_class), .credit_flits(in_credit_flits),
        .initialised(initialised_stores), .free_places(free_places), .freed_valid(freed_valid), .freed_flits(freed_flits),
        .space(space), .write_valid(write_valid), .write_first(write_first), .write_targets(write_targets),
        .write_data(write_data), .end_valid(end_valid), .end_good(end_good), .end_mark_store(end_mark_store),
        .end_mark_request(end_mark_request), .end_mark_response(end_mark_response),
        .causes(causes), .packets(packets_in), .flit(flit_in),
        .error_valid(receiver_error_valid), .error_cause(receiver_error_cause), .error_header(receiver_error_header)
    );

    // ---- stores ----------------------------------------------------------------------------------------------------------
    wire                                                         kept_store_valid;
    wire                                                         kept_store_ready;
    wire [STORE_NAME_WIDTH - 1:0]                                kept_store_name;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                        kept_store_mark;
    wire                                                         kept_store_listed;
    wire [STORE_PLACE_WIDTH - 1:0]                               kept_store_place;
    wire                                                         kept_targets_valid;
    wire                                                         kept_targets_ready;
    wire [127:0]                                                 kept_targets_data;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                        store_packet_own_mark;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                        store_find_own_mark;
    wire [4:0]                                                   unused_store_packet_flits;
    wire [STORE_PLACE_WIDTH - 1:0]                               store_free_places;
    wire [$clog2(PLACES_STORE / `MOEHUB_STORE_SHORTEST + 1) - 1:0] unused_store_free_names;

    moehub_packet_store #(
        .LONGEST(`MOEHUB_STORE_LONGEST), .SHORTEST(`MOEHUB_STORE_SHORTEST), .PLACES(PLACES_STORE), .TARGET_QUEUE(16),
        .MARK_WIDTH(`MOEHUB_STORE_MARK_WIDTH)
    ) u_store_places (
        .clk(clk), .rst(rst), .initialised(initialised_stores[STORE]), .space(space[STORE]),
        .write_valid(write_valid[STORE]), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid[STORE]), .end_good(end_good), .end_mark(end_mark_store),
        .packet_valid(kept_store_valid), .packet_ready(kept_store_ready), .packet_name(kept_store_name),
        .packet_flits(unused_store_packet_flits), .packet_mark(kept_store_mark), .packet_listed(kept_store_listed),
        .packet_place(kept_store_place),
        .targets_valid(kept_targets_valid), .targets_ready(kept_targets_ready), .targets_data(kept_targets_data),
        .read_valid(store_read_valid), .read_place(store_read_place), .read_data(store_read_data), .read_next(store_read_next),
        .find_valid(store_find_valid), .find_name(store_find_name), .find_head(store_find_head), .find_body(store_find_body),
        .find_last(store_find_last), .find_flits(store_find_flits), .find_mark(store_find_own_mark),
        .free_valid(store_free_valid), .free_name(store_free_name), .free_head(store_free_head), .free_last(store_free_last),
        .free_flits(store_free_flits), .freed_valid(freed_valid[STORE]), .freed_flits(freed_flits[STORE * 6 +: 6]),
        .free_places(store_free_places), .free_names(unused_store_free_names)
    );

    // The crossbar knows late whether it takes a packet: what it says ends in a register.
    moehub_ready_buffer #(.WIDTH(STORE_NAME_WIDTH + `MOEHUB_STORE_MARK_WIDTH + 1 + STORE_PLACE_WIDTH)) u_store_packets (
        .clk(clk), .rst(rst), .in_valid(kept_store_valid), .in_ready(kept_store_ready),
        .in_data({kept_store_name, kept_store_mark, kept_store_listed, kept_store_place}),
        .out_valid(store_packet_valid), .out_ready(store_packet_ready),
        .out_data({store_packet_name, store_packet_own_mark, store_packet_listed, store_packet_place})
    );
    moehub_ready_buffer #(.WIDTH(128)) u_store_targets (
        .clk(clk), .rst(rst), .in_valid(kept_targets_valid), .in_ready(kept_targets_ready), .in_data(kept_targets_data),
        .out_valid(store_targets_valid), .out_ready(store_targets_ready), .out_data(store_targets_data)
    );

    wire                                     request_packet_valid;
    wire                                     request_packet_ready;
    wire [REQUEST_NAME_WIDTH - 1:0]          request_packet_name;
    wire [REQUEST_MARK_WIDTH - 1:0]          request_packet_mark;
    wire [REQUEST_PLACE_WIDTH - 1:0]         request_packet_place;
    wire                                     places_find_valid;
    wire [REQUEST_NAME_WIDTH - 1:0]          places_find_name;
    wire [REQUEST_PLACE_WIDTH - 1:0]         places_find_head;
    wire [REQUEST_PLACE_WIDTH - 1:0]         places_find_body;
    wire [REQUEST_PLACE_WIDTH - 1:0]         places_find_last;
    wire [4:0]                               places_find_flits;
    wire [REQUEST_MARK_WIDTH - 1:0]          places_find_mark;
    wire                                     places_free_valid;
    wire [REQUEST_NAME_WIDTH - 1:0]          places_free_name;
    wire [REQUEST_PLACE_WIDTH - 1:0]         places_free_head;
    wire [REQUEST_PLACE_WIDTH - 1:0]         places_free_last;
    wire [4:0]                               places_free_flits;
    wire [4:0]                               unused_request_packet_flits;
    wire                                     unused_request_packet_listed;
    wire                                     unused_request_targets_valid;
    wire [127:0]                             unused_request_targets_data;
    wire [REQUEST_PLACE_WIDTH - 1:0]         request_free_places;
    wire [$clog2(PLACES_REQUEST + 1) - 1:0]  unused_request_free_names;

    moehub_packet_store #(
        .LONGEST(`MOEHUB_REQUEST_LONGEST), .SHORTEST(`MOEHUB_REQUEST_SHORTEST), .PLACES(PLACES_REQUEST), .TARGET_QUEUE(0),
        .MARK_WIDTH(REQUEST_MARK_WIDTH)
    ) u_request_places (
        .clk(clk), .rst(rst), .initialised(initialised_stores[REQUEST]), .space(space[REQUEST]),
        .write_valid(write_valid[REQUEST]), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid[REQUEST]), .end_good(end_good), .end_mark(end_mark_request),
        .packet_valid(request_packet_valid), .packet_ready(request_packet_ready), .packet_name(request_packet_name),
        .packet_flits(unused_request_packet_flits), .packet_mark(request_packet_mark),
        .packet_listed(unused_request_packet_listed), .packet_place(request_packet_place),
        .targets_valid(unused_request_targets_valid), .targets_ready(1'b0), .targets_data(unused_request_targets_data),
        .read_valid(request_read_valid), .read_place(request_read_place), .read_data(request_read_data),
        .read_next(request_read_next),
        .find_valid(places_find_valid), .find_name(places_find_name), .find_head(places_find_head),
        .find_body(places_find_body), .find_last(places_find_last), .find_flits(places_find_flits), .find_mark(places_find_mark),
        .free_valid(places_free_valid), .free_name(places_free_name), .free_head(places_free_head),
        .free_last(places_free_last), .free_flits(places_free_flits),
        .freed_valid(freed_valid[REQUEST]), .freed_flits(freed_flits[REQUEST * 6 +: 6]),
        .free_places(request_free_places), .free_names(unused_request_free_names)
    );

    wire                                     kept_response_valid;
    wire                                     kept_response_ready;
    wire [RESPONSE_NAME_WIDTH - 1:0]         kept_response_name;
    wire [RESPONSE_MARK_WIDTH - 1:0]         kept_response_mark;
    wire [RESPONSE_PLACE_WIDTH - 1:0]        kept_response_place;
    wire [RESPONSE_MARK_WIDTH - 1:0]         response_packet_own_mark;
    wire [RESPONSE_MARK_WIDTH - 1:0]         response_find_own_mark;
    wire [4:0]                               unused_response_packet_flits;
    wire                                     unused_response_packet_listed;
    wire                                     unused_response_targets_valid;
    wire [127:0]                             unused_response_targets_data;
    wire [$clog2(PLACES_RESPONSE + 1) - 1:0] unused_response_free_names;

    moehub_packet_store #(
        .LONGEST(`MOEHUB_RESPONSE_LONGEST), .SHORTEST(`MOEHUB_RESPONSE_SHORTEST), .PLACES(PLACES_RESPONSE), .TARGET_QUEUE(0),
        .MARK_WIDTH(RESPONSE_MARK_WIDTH)
    ) u_response_places (
        .clk(clk), .rst(rst), .initialised(initialised_stores[RESPONSE]), .space(space[RESPONSE]),
        .write_valid(write_valid[RESPONSE]), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid[RESPONSE]), .end_good(end_good), .end_mark(end_mark_response),
        .packet_valid(kept_response_valid), .packet_ready(kept_response_ready), .packet_name(kept_response_name),
        .packet_flits(unused_response_packet_flits), .packet_mark(kept_response_mark),
        .packet_listed(unused_response_packet_listed), .packet_place(kept_response_place),
        .targets_valid(unused_response_targets_valid), .targets_ready(1'b0), .targets_data(unused_response_targets_data),
        .read_valid(response_read_valid), .read_place(response_read_place), .read_data(response_read_data),
        .read_next(response_read_next),
        .find_valid(response_find_valid), .find_name(response_find_name), .find_head(response_find_head),
        .find_body(response_find_body), .find_last(response_find_last), .find_flits(response_find_flits),
        .find_mark(response_find_own_mark),
        .free_valid(response_free_valid), .free_name(response_free_name), .free_head(response_free_head),
        .free_last(response_free_last), .free_flits(response_free_flits),
        .freed_valid(freed_valid[RESPONSE]), .freed_flits(freed_flits[RESPONSE * 6 +: 6]),
        .free_places(response_free_places), .free_names(unused_response_free_names)
    );
    moehub_ready_buffer #(.WIDTH(RESPONSE_NAME_WIDTH + RESPONSE_MARK_WIDTH + RESPONSE_PLACE_WIDTH)) u_response_packets (
        .clk(clk), .rst(rst), .in_valid(kept_response_valid), .in_ready(kept_response_ready),
        .in_data({kept_response_name, kept_response_mark, kept_response_place}),
        .out_valid(response_packet_valid), .out_ready(response_packet_ready),
        .out_data({response_packet_name, response_packet_own_mark, response_packet_place})
    );

    assign free_places[STORE * WIDTH +: WIDTH]    = {{(WIDTH - STORE_PLACE_WIDTH){1'b0}}, store_free_places};
    assign free_places[REQUEST * WIDTH +: WIDTH]  = {{(WIDTH - REQUEST_PLACE_WIDTH){1'b0}}, request_free_places};
    assign free_places[RESPONSE * WIDTH +: WIDTH] = {{(WIDTH - RESPONSE_PLACE_WIDTH){1'b0}}, response_free_places};

    // ---- marks as the crossbars read them: of a response one copy without ids, for its destination ------------------------
    wire [PORT_WIDTH - 1:0] packet_destination = response_packet_own_mark[`MOEHUB_MARK_DESTINATION_LSB +: PORT_WIDTH];
    wire [PORT_WIDTH - 1:0] find_destination   = response_find_own_mark[`MOEHUB_MARK_DESTINATION_LSB +: PORT_WIDTH];
    wire                    unused_partial     = response_packet_own_mark[`MOEHUB_MARK_PARTIAL_LSB] ^
        response_find_own_mark[`MOEHUB_MARK_PARTIAL_LSB];

    assign store_packet_mark    = `MOEHUB_CROSSBAR_MARK_OF_STORE(store_packet_own_mark);
    assign store_find_mark      = `MOEHUB_CROSSBAR_MARK_OF_STORE(store_find_own_mark);
    assign response_packet_mark = `MOEHUB_CROSSBAR_MARK_OF_RESPONSE({{(OUTPUT_WIDTH - PORT_WIDTH){1'b0}}, packet_destination});
    assign response_find_mark   = `MOEHUB_CROSSBAR_MARK_OF_RESPONSE({{(OUTPUT_WIDTH - PORT_WIDTH){1'b0}}, find_destination});

    // ---- requests --------------------------------------------------------------------------------------------------------
    wire                                           reserve_valid;
    wire                                           reserve_ready;
    wire [9:0]                                     reserve_requester;
    wire [TAG_WIDTH - 1:0]                         reserve_tag;
    wire [1:0]                                     reserve_element;
    wire                                           reserve_out_fp32;
    wire [8:0]                                     reserve_length;
    wire [`MOEHUB_INDEX_WIDTH(REQUEST_LINES) - 1:0] reserve_lines_less_1;
    wire [PORTS - 1:0]                             reserve_contributors;
    wire                                           grant_valid;
    wire                                           grant_ready;
    wire [3:0]                                     grant_status;
    wire [15:0]                                    grant_entry;
    wire [7:0]                                     grant_generation;
    wire                                           released_valid;
    wire                                           released_ready;
    wire [15:0]                                    released_entry;
    wire                                           find_valid;
    wire                                           find_ready;
    wire [REQUEST_NAME_WIDTH - 1:0]                find_name;
    wire                                           free_valid;
    wire                                           free_ready;
    wire [REQUEST_NAME_WIDTH - 1:0]                free_name;
    wire [REQUEST_PLACE_WIDTH - 1:0]               free_head;
    wire [REQUEST_PLACE_WIDTH - 1:0]               free_last;
    wire [4:0]                                     free_flits;
    wire                                           error_valid;
    wire                                           error_ready;
    wire [127:0]                                   error_data;
    wire                                           reserved;
    wire                                           refused;
    wire                                           refused_down;
    wire                                           error_results;
    wire                                           group_waits;
    wire                                           reserved_copies_valid;
    wire                                           reserved_copies_ready;
    wire [REQUEST_NAME_WIDTH - 1:0]                reserved_copies_name;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]          reserved_copies_mark;
    wire [REQUEST_PLACE_WIDTH - 1:0]               reserved_copies_place;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]          copies_own_mark;
    wire                                           unused_upper_mark =
        ^places_find_mark[REQUEST_MARK_WIDTH - 1:`MOEHUB_STORE_MARK_WIDTH];

    assign request_copies_mark = `MOEHUB_CROSSBAR_MARK_OF_STORE(copies_own_mark);
    assign request_find_head   = places_find_head;
    assign request_find_body   = places_find_body;
    assign request_find_last   = places_find_last;
    assign request_find_flits  = places_find_flits;
    assign request_find_mark   = `MOEHUB_CROSSBAR_MARK_OF_STORE(places_find_mark[`MOEHUB_STORE_MARK_WIDTH - 1:0]);

    moehub_request_unit #(
        .PORTS(PORTS), .REQUEST_LINES(REQUEST_LINES), .GROUPS(GROUPS), .PLACES(PLACES_REQUEST)
    ) u_request_unit (
        .clk(clk), .rst(rst), .own(own), .down(ports_down),
        .packet_valid(request_packet_valid), .packet_ready(request_packet_ready), .packet_name(request_packet_name),
        .packet_mark(request_packet_mark), .packet_place(request_packet_place),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(reserve_requester),
        .reserve_tag(reserve_tag), .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32),
        .reserve_length(reserve_length), .reserve_lines_less_1(reserve_lines_less_1),
        .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry(released_entry),
        .copies_valid(reserved_copies_valid), .copies_ready(reserved_copies_ready), .copies_name(reserved_copies_name),
        .copies_mark(reserved_copies_mark), .copies_place(reserved_copies_place),
        .copy_find_valid(request_find_valid), .copy_find_name(request_find_name), .find_tag(request_find_tag),
        .freed_valid(request_free_valid), .freed_tag(request_free_tag),
        .find_valid(find_valid), .find_ready(find_ready), .find_name(find_name), .find_head(places_find_head),
        .find_last(places_find_last), .find_flits(places_find_flits),
        .free_valid(free_valid), .free_ready(free_ready), .free_name(free_name), .free_head(free_head), .free_last(free_last),
        .free_flits(free_flits),
        .error_valid(error_valid), .error_ready(error_ready), .error_data(error_data),
        .reserved(reserved), .refused(refused), .refused_down(refused_down), .error_results(error_results),
        .group_waits(group_waits)
    );
    moehub_ready_buffer #(.WIDTH(REQUEST_NAME_WIDTH + `MOEHUB_STORE_MARK_WIDTH + REQUEST_PLACE_WIDTH)) u_request_copies (
        .clk(clk), .rst(rst), .in_valid(reserved_copies_valid), .in_ready(reserved_copies_ready),
        .in_data({reserved_copies_name, reserved_copies_mark, reserved_copies_place}),
        .out_valid(request_copies_valid), .out_ready(request_copies_ready),
        .out_data({request_copies_name, copies_own_mark, request_copies_place})
    );

    moehub_places_share #(.NAME_WIDTH(REQUEST_NAME_WIDTH), .FREE_WIDTH(2 * REQUEST_PLACE_WIDTH + 5)) u_places_share (
        .crossbar_find_valid(request_find_valid), .crossbar_find_name(request_find_name),
        .crossbar_free_valid(request_free_valid), .crossbar_free_name(request_free_name),
        .crossbar_free_packet({request_free_head, request_free_last, request_free_flits}),
        .find_valid(find_valid), .find_ready(find_ready), .find_name(find_name),
        .free_valid(free_valid), .free_ready(free_ready), .free_name(free_name),
        .free_packet({free_head, free_last, free_flits}),
        .store_find_valid(places_find_valid), .store_find_name(places_find_name),
        .store_free_valid(places_free_valid), .store_free_name(places_free_name),
        .store_free_packet({places_free_head, places_free_last, places_free_flits})
    );

    // ---- responses, sums -------------------------------------------------------------------------------------------------
    wire                    initialised_buffer;
    wire                    partial_valid;
    wire                    unused_partial_ready; // high once the buffer is initialised
    wire [15:0]             partial_entry;
    wire [7:0]              partial_generation;
    wire [PORT_WIDTH - 1:0] partial_port;
    wire [3:0]              partial_status;
    wire [1:0]              partial_element;
    wire [8:0]              partial_length;
    wire [127:0]            partial_data;
    wire                    partial_last;
    wire                    notice_valid;
    wire                    notice_ready;
    wire [127:0]            notice_data;

    moehub_response_output #(.PORTS(PORTS), .NOTICES(NOTICES)) u_response_output (
        .clk(clk), .rst(rst), .initialised(initialised_buffer), .room(response_room), .granted(response_granted),
        .row_valid(response_row_valid), .row_number(response_row_number), .row_last(response_row_last),
        .row_data(response_row_data),
        .partial_valid(partial_valid), .partial_entry(partial_entry), .partial_generation(partial_generation),
        .partial_port(partial_port), .partial_status(partial_status), .partial_element(partial_element),
        .partial_length(partial_length), .partial_data(partial_data), .partial_last(partial_last),
        .notice_valid(notice_valid), .notice_ready(notice_ready), .notice_data(notice_data)
    );

    wire                                  result_valid;
    wire                                  result_ready;
    wire [9:0]                            unused_result_requester; // the own port
    wire [TAG_WIDTH - 1:0]                result_tag;
    wire [3:0]                            result_status;
    wire [1:0]                            result_element;
    wire [9:0]                            result_length;
    wire [15:0]                           result_entry;
    wire [127:0]                          result_data;
    wire                                  result_last;
    wire                                  buffer_command_valid;
    wire                                  buffer_command_ready;
    wire [3:0]                            buffer_command_operation;
    wire [31:0]                           buffer_command_data;
    wire                                  buffer_command_done;
    wire                                  buffer_command_refused;
    wire [31:0]                           port_timeout;
    wire [31:0]                           group_timeout;
    wire                                  buffer_empty;
    wire                                  draining;
    wire [15:0]                           occupancy;
    wire                                  unused_timeout_valid;
    wire [15:0]                           unused_timeout_entry;
    wire                                  unused_freed_valid;
    wire [15:0]                           unused_freed_entry;
    wire [`MOEHUB_REDUCTION_EVENTS - 1:0] buffer_events;
    wire                                  buffer_error_valid;
    wire [4:0]                            buffer_error_cause;
    wire [127:0]                          buffer_error_header;
    wire [5:0]                            buffer_error_port;

    moehub_reduction_buffer #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(`MOEHUB_LINE_BYTES), .FLIT_BYTES(FLIT_BYTES),
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(TAG_WIDTH),
        .PARITY(0), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(1), .WITH_RELEASE(1)
    ) u_reduction_buffer (
        .clk(clk), .rst(rst), .own_port(own[PORT_WIDTH - 1:0]),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(reserve_requester),
        .reserve_tag(reserve_tag), .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32),
        .reserve_lines_less_1(reserve_lines_less_1), .reserve_length(reserve_length),
        .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .partial_valid(partial_valid), .partial_ready(unused_partial_ready), .partial_entry(partial_entry),
        .partial_generation(partial_generation), .partial_port(partial_port), .partial_status(partial_status),
        .partial_element(partial_element), .partial_length(partial_length), .partial_data(partial_data),
        .partial_last(partial_last),
        .result_valid(result_valid), .result_ready(result_ready), .result_requester(unused_result_requester),
        .result_tag(result_tag), .result_status(result_status), .result_element(result_element), .result_length(result_length),
        .result_entry(result_entry), .result_data(result_data), .result_last(result_last),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry(released_entry),
        .command_valid(buffer_command_valid), .command_ready(buffer_command_ready),
        .command_operation(buffer_command_operation), .command_data(buffer_command_data), .command_done(buffer_command_done),
        .command_refused(buffer_command_refused), .port_timeout(port_timeout),
        .initialised(initialised_buffer), .empty(buffer_empty), .draining(draining), .occupancy(occupancy),
        .timeout_valid(unused_timeout_valid), .timeout_entry(unused_timeout_entry), .group_timeout(group_timeout),
        .freed_valid(unused_freed_valid), .freed_entry(unused_freed_entry),
        .missing_valid(missing_valid), .missing_ports(missing_ports), .events(buffer_events),
        .error_valid(buffer_error_valid), .error_cause(buffer_error_cause), .error_header(buffer_error_header),
        .error_port(buffer_error_port)
    );

    wire         packed_valid;
    wire         packed_ready;
    wire [127:0] packed_data;
    wire         packed_last;
    wire [4:0]   packed_flits;

    moehub_result_packer #(.REQUEST_LINES(REQUEST_LINES)) u_result_packer (
        .clk(clk), .rst(rst), .own(own), .result_valid(result_valid), .result_ready(result_ready), .result_tag(result_tag),
        .result_status(result_status), .result_element(result_element), .result_length(result_length),
        .result_entry(result_entry), .result_data(result_data), .result_last(result_last),
        .packet_valid(packed_valid), .packet_ready(packed_ready), .packet_data(packed_data), .packet_last(packed_last),
        .packet_flits(packed_flits)
    );

    // ---- link out --------------------------------------------------------------------------------------------------------
    wire [CLASSES * WIDTH - 1:0] credits;
    wire                         start_valid;
    wire [1:0]                   start_class;
    wire [4:0]                   start_flits;
    wire                         packet_valid;
    wire                         unused_packet_ready; // the egress needs none
    wire [1:0]                   packet_class;
    wire [127:0]                 packet_data;
    wire                         packet_last;
    wire [CLASSES - 1:0]         packets_out;
    wire                         discarded;
    wire [CLASSES - 1:0]         blocked;
    wire                         idle;
    wire                         credit_overflow;

    moehub_egress #(.BOUND(BOUND)) u_egress (
        .clk(clk), .rst(rst), .link_up(link_up), .down(down), .credits(credits),
        .request_valid(request_copy_valid), .request_ready(request_copy_ready), .request_data(request_copy_data),
        .request_last(request_copy_last), .request_flits(request_copy_flits),
        .store_valid(store_copy_valid), .store_ready(store_copy_ready), .store_data(store_copy_data),
        .store_last(store_copy_last), .store_flits(store_copy_flits),
        .result_valid(packed_valid), .result_ready(packed_ready), .result_data(packed_data), .result_last(packed_last),
        .result_flits(packed_flits),
        .error_valid(error_valid), .error_ready(error_ready), .error_data(error_data),
        .notice_valid(notice_valid), .notice_ready(notice_ready), .notice_data(notice_data),
        .start_valid(start_valid), .start_class(start_class), .start_flits(start_flits),
        .packet_valid(packet_valid), .packet_class(packet_class), .packet_data(packet_data), .packet_last(packet_last),
        .packets(packets_out), .discarded(discarded), .blocked(blocked), .idle(idle)
    );

    moehub_link_sender u_sender (
        .clk(clk), .rst(rst), .link_up(link_up),
        .start_valid(start_valid), .start_class(start_class), .start_flits(start_flits),
        .packet_valid(packet_valid), .packet_ready(unused_packet_ready), .packet_class(packet_class),
        .packet_data(packet_data), .packet_last(packet_last),
        .flit_valid(out_flit_valid), .flit_class(out_flit_class), .flit_first(out_flit_first), .flit_last(out_flit_last),
        .flit_data(out_flit_data),
        .credit_valid(out_credit_valid), .credit_class(out_credit_class), .credit_flits(out_credit_flits),
        .credits(credits), .credit_overflow(credit_overflow)
    );

    // ---- down, registers -------------------------------------------------------------------------------------------------
    wire         command_valid;
    wire         command_ready;
    wire [3:0]   command_operation;
    wire [31:0]  command_data;
    wire         command_done;
    wire         command_refused;
    wire [15:0]  timeouts;
    wire         answered = end_valid[RESPONSE] && end_good && end_mark_response[`MOEHUB_MARK_PARTIAL_LSB];

    moehub_port_state u_state (
        .clk(clk), .rst(rst), .blocked(blocked), .missed(missed), .answered(answered), .timeout_limit(timeout_limit),
        .group_timeout(group_timeout), .down(down), .went_down(went_down), .port_timeout(port_timeout), .timeouts(timeouts),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused)
    );

    wire [`MOEHUB_SWITCH_PORT_EVENTS - 1:0] events;
    wire                                    port_error_valid;
    wire [4:0]                              port_error_cause;
    wire [127:0]                            port_error_header;
    wire [CLASSES * 16 - 1:0]               used_places;
    wire                                    empty;

    moehub_switch_port_report #(
        .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST), .PLACES_RESPONSE(PLACES_RESPONSE)
    ) u_report (
        .causes(causes), .packets_in(packets_in), .flit_in(flit_in), .receiver_error_valid(receiver_error_valid),
        .receiver_error_cause(receiver_error_cause), .receiver_error_header(receiver_error_header),
        .initialised(initialised_stores), .free_places(free_places), .crossbar_events(store_events),
        .copy_granted(store_granted), .reserved(reserved), .refused(refused), .refused_down(refused_down),
        .error_results(error_results), .group_waits(group_waits), .packets_out(packets_out), .flit_out(out_flit_valid),
        .discarded(discarded), .blocked(blocked), .idle(idle), .credit_overflow(credit_overflow),
        .command_done(command_done), .command_refused(command_refused), .events(events), .error_valid(port_error_valid),
        .error_cause(port_error_cause), .error_header(port_error_header), .used_places(used_places), .empty(empty)
    );

    wire port_interrupt;
    wire buffer_interrupt;

    assign initialised       = &initialised_stores && initialised_buffer;
    assign interrupt_request = port_interrupt || buffer_interrupt;

    wire        buffer_awvalid;
    wire        buffer_awready;
    wire [11:0] buffer_awaddr;
    wire        buffer_wvalid;
    wire        buffer_wready;
    wire [31:0] buffer_wdata;
    wire [3:0]  buffer_wstrb;
    wire        buffer_bvalid;
    wire        buffer_bready;
    wire [1:0]  buffer_bresp;
    wire        buffer_arvalid;
    wire        buffer_arready;
    wire [11:0] buffer_araddr;
    wire        buffer_rvalid;
    wire        buffer_rready;
    wire [31:0] buffer_rdata;
    wire [1:0]  buffer_rresp;

    assign `MOEHUB_BUS(buffer_awvalid, buffer_awaddr, buffer_wvalid, buffer_wdata, buffer_wstrb,
        buffer_bready, buffer_arvalid, buffer_araddr, buffer_rready) =
        registers_bus[`MOEHUB_BUS_WIDTH - 1:0];
    assign registers_answer[`MOEHUB_BUS_ANSWER_WIDTH - 1:0] =
        `MOEHUB_BUS_ANSWER(buffer_awready, buffer_wready, buffer_bvalid, buffer_bresp, buffer_arready,
            buffer_rvalid, buffer_rdata, buffer_rresp);

    wire        port_awvalid;
    wire        port_awready;
    wire [11:0] port_awaddr;
    wire        port_wvalid;
    wire        port_wready;
    wire [31:0] port_wdata;
    wire [3:0]  port_wstrb;
    wire        port_bvalid;
    wire        port_bready;
    wire [1:0]  port_bresp;
    wire        port_arvalid;
    wire        port_arready;
    wire [11:0] port_araddr;
    wire        port_rvalid;
    wire        port_rready;
    wire [31:0] port_rdata;
    wire [1:0]  port_rresp;

    assign `MOEHUB_BUS(port_awvalid, port_awaddr, port_wvalid, port_wdata, port_wstrb,
        port_bready, port_arvalid, port_araddr, port_rready) =
        registers_bus[`MOEHUB_BUS_WIDTH +: `MOEHUB_BUS_WIDTH];
    assign registers_answer[`MOEHUB_BUS_ANSWER_WIDTH +: `MOEHUB_BUS_ANSWER_WIDTH] =
        `MOEHUB_BUS_ANSWER(port_awready, port_wready, port_bvalid, port_bresp, port_arready,
            port_rvalid, port_rdata, port_rresp);

    moehub_switch_csr #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(`MOEHUB_LINE_BYTES), .FLIT_BYTES(FLIT_BYTES),
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(TAG_WIDTH)
    ) u_buffer_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(buffer_awvalid), .s_axil_awready(buffer_awready), .s_axil_awaddr(buffer_awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(buffer_wvalid), .s_axil_wready(buffer_wready), .s_axil_wdata(buffer_wdata), .s_axil_wstrb(buffer_wstrb),
        .s_axil_bvalid(buffer_bvalid), .s_axil_bready(buffer_bready), .s_axil_bresp(buffer_bresp),
        .s_axil_arvalid(buffer_arvalid), .s_axil_arready(buffer_arready), .s_axil_araddr(buffer_araddr), .s_axil_arprot(3'd0),
        .s_axil_rvalid(buffer_rvalid), .s_axil_rready(buffer_rready), .s_axil_rdata(buffer_rdata), .s_axil_rresp(buffer_rresp),
        .interrupt_request(buffer_interrupt),
        .command_valid(buffer_command_valid), .command_ready(buffer_command_ready),
        .command_operation(buffer_command_operation), .command_data(buffer_command_data), .command_done(buffer_command_done),
        .command_refused(buffer_command_refused),
        .initialised(initialised_buffer), .empty(buffer_empty), .draining(draining), .occupancy(occupancy),
        .events(buffer_events), .error_valid(buffer_error_valid), .error_cause(buffer_error_cause),
        .error_header(buffer_error_header), .error_port(buffer_error_port)
    );

    moehub_switch_port_csr #(
        .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES),
        .GROUPS(GROUPS), .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST), .PLACES_RESPONSE(PLACES_RESPONSE),
        .COPIES(COPIES), .SLOTS(SLOTS), .BOUND(BOUND)
    ) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(port_awvalid), .s_axil_awready(port_awready), .s_axil_awaddr(port_awaddr), .s_axil_awprot(3'd0),
        .s_axil_wvalid(port_wvalid), .s_axil_wready(port_wready), .s_axil_wdata(port_wdata), .s_axil_wstrb(port_wstrb),
        .s_axil_bvalid(port_bvalid), .s_axil_bready(port_bready), .s_axil_bresp(port_bresp), .s_axil_arvalid(port_arvalid),
        .s_axil_arready(port_arready), .s_axil_araddr(port_araddr), .s_axil_arprot(3'd0), .s_axil_rvalid(port_rvalid),
        .s_axil_rready(port_rready), .s_axil_rdata(port_rdata), .s_axil_rresp(port_rresp),
        .interrupt_request(port_interrupt), .buffer_ready(buffer_command_ready),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .initialised(initialised), .link_up(link_up), .down(down), .went_down(went_down), .empty(empty),
        .port_timeout(port_timeout), .timeouts(timeouts), .credits(credits), .used_places(used_places),
        .used_records({{(16 - RECORDS_WIDTH){1'b0}}, store_records_used}),
        .events(events), .error_valid(port_error_valid), .error_cause(port_error_cause), .error_header(port_error_header),
        .error_port(own[5:0])
    );
endmodule

`default_nettype wire
