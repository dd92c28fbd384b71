// SPDX-License-Identifier: Apache-2.0
// Both ends of a link, the receiver with the packet stores of its three classes. The wires between the ends go through the
// bench: it delays them, loses what is on them, and puts flits on them that no sender sends.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"

module link #(
    parameter TOWARDS_HUB       = 0,
    parameter PORTS             = 8,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter MAX_TARGETS       = 32,
    parameter REQUEST_LINES     = 8,
    parameter PLACES_STORE      = 2048,
    parameter PLACES_REQUEST    = 256,
    parameter PLACES_RESPONSE   = 1024,
    parameter SHORTEST_STORE    = 3, // a hub's: 2
    parameter TARGET_QUEUE      = 16 // of the store class
) (
    input  wire clk,
    input  wire rst,

    // the sender and its wires
    input  wire sender_link_up,
    input  wire sender_start_valid,
    input  wire [1:0] sender_start_class,
    input  wire [4:0] sender_start_flits,
    input  wire sender_packet_valid,
    output wire sender_packet_ready,
    input  wire [1:0] sender_packet_class,
    input  wire [127:0] sender_packet_data,
    input  wire sender_packet_last,
    output wire sender_flit_valid,
    output wire [1:0] sender_flit_class,
    output wire sender_flit_first,
    output wire sender_flit_last,
    output wire [127:0] sender_flit_data,
    input  wire sender_credit_valid,
    input  wire [1:0] sender_credit_class,
    input  wire [7:0] sender_credit_flits,
    output wire [3 * `MOEHUB_CREDITS_WIDTH - 1:0] sender_credits,
    output wire sender_credit_overflow,

    // the receiver and its wires; what it tells the stores
    input  wire [9:0] own,
    input  wire receiver_link_up,
    input  wire flit_valid,
    input  wire [1:0] flit_class,
    input  wire flit_first,
    input  wire flit_last,
    input  wire [127:0] flit_data,
    output wire credit_valid,
    output wire [1:0] credit_class,
    output wire [7:0] credit_flits,
    output wire [2:0] write_valid,
    output wire write_first,
    output wire [2:0] write_targets,
    output wire [2:0] end_valid,
    output wire end_good,
    output wire [`MOEHUB_LINK_CAUSE_PLACE:0] causes,
    output wire [2:0] packets,
    output wire flit,
    output wire error_valid,
    output wire [3:0] error_cause,
    output wire [127:0] error_header,

    // the store class
    output wire store_initialised,
    output wire store_space,
    output wire store_packet_valid,
    input  wire store_packet_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE / SHORTEST_STORE) - 1:0] store_packet_name,
    output wire [4:0] store_packet_flits,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0] store_packet_mark,
    output wire store_packet_listed,
    output wire store_targets_valid,
    input  wire store_targets_ready,
    output wire [127:0] store_targets_data,
    input  wire store_read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_read_place,
    output wire [127:0] store_read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_read_next,
    input  wire store_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE / SHORTEST_STORE) - 1:0] store_find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_find_last,
    output wire [4:0] store_find_flits,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0] store_find_mark,
    input  wire store_free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE / SHORTEST_STORE) - 1:0] store_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_free_last,
    input  wire [4:0] store_free_flits,
    output wire store_freed_valid,
    output wire [5:0] store_freed_flits,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] store_free_places,
    output wire [$clog2(PLACES_STORE / SHORTEST_STORE + 1) - 1:0] store_free_names,

    // the request class
    output wire request_initialised,
    output wire request_space,
    output wire request_packet_valid,
    input  wire request_packet_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST / 1) - 1:0] request_packet_name,
    output wire [4:0] request_packet_flits,
    output wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0] request_packet_mark,
    output wire request_packet_listed,
    output wire request_targets_valid,
    input  wire request_targets_ready,
    output wire [127:0] request_targets_data,
    input  wire request_read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_read_place,
    output wire [127:0] request_read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_read_next,
    input  wire request_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST / 1) - 1:0] request_find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_find_last,
    output wire [4:0] request_find_flits,
    output wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0] request_find_mark,
    input  wire request_free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST / 1) - 1:0] request_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_free_last,
    input  wire [4:0] request_free_flits,
    output wire request_freed_valid,
    output wire [5:0] request_freed_flits,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] request_free_places,
    output wire [$clog2(PLACES_REQUEST / 1 + 1) - 1:0] request_free_names,

    // the response class
    output wire response_initialised,
    output wire response_space,
    output wire response_packet_valid,
    input  wire response_packet_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE / 1) - 1:0] response_packet_name,
    output wire [4:0] response_packet_flits,
    output wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0] response_packet_mark,
    output wire response_packet_listed,
    output wire response_targets_valid,
    input  wire response_targets_ready,
    output wire [127:0] response_targets_data,
    input  wire response_read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_read_place,
    output wire [127:0] response_read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_read_next,
    input  wire response_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE / 1) - 1:0] response_find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_find_last,
    output wire [4:0] response_find_flits,
    output wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0] response_find_mark,
    input  wire response_free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE / 1) - 1:0] response_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_free_last,
    input  wire [4:0] response_free_flits,
    output wire response_freed_valid,
    output wire [5:0] response_freed_flits,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] response_free_places,
    output wire [$clog2(PLACES_RESPONSE / 1 + 1) - 1:0] response_free_names
);
    wire [127:0]                                                write_data;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                       mark_store;
    wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0] mark_request;
    wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0]             mark_response;

    // Free places, as wide as credits.
    wire [3 * `MOEHUB_CREDITS_WIDTH - 1:0]                      free_places;
    assign free_places[0 * `MOEHUB_CREDITS_WIDTH +: `MOEHUB_CREDITS_WIDTH]
         = {{`MOEHUB_CREDITS_WIDTH - `MOEHUB_INDEX_WIDTH(PLACES_STORE + 1){1'b0}}, store_free_places};
    assign free_places[1 * `MOEHUB_CREDITS_WIDTH +: `MOEHUB_CREDITS_WIDTH]
         = {{`MOEHUB_CREDITS_WIDTH - `MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1){1'b0}}, request_free_places};
    assign free_places[2 * `MOEHUB_CREDITS_WIDTH +: `MOEHUB_CREDITS_WIDTH]
         = {{`MOEHUB_CREDITS_WIDTH - `MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1){1'b0}}, response_free_places};

    moehub_link_sender u_sender (
        .clk(clk),
        .rst(rst),
        .link_up(sender_link_up),
        .start_valid(sender_start_valid), .start_class(sender_start_class), .start_flits(sender_start_flits),
        .packet_valid(sender_packet_valid), .packet_ready(sender_packet_ready), .packet_class(sender_packet_class),
        .packet_data(sender_packet_data), .packet_last(sender_packet_last),
        .flit_valid(sender_flit_valid), .flit_class(sender_flit_class), .flit_first(sender_flit_first),
        .flit_last(sender_flit_last), .flit_data(sender_flit_data),
        .credit_valid(sender_credit_valid), .credit_class(sender_credit_class), .credit_flits(sender_credit_flits),
        .credits(sender_credits),
        .credit_overflow(sender_credit_overflow)
    );

    moehub_link_receiver #(
        .TOWARDS_HUB(TOWARDS_HUB), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(REQUEST_LINES)
    ) u_receiver (
        .clk(clk),
        .rst(rst),
        .own(own),
        .link_up(receiver_link_up),
        .flit_valid(flit_valid), .flit_class(flit_class), .flit_first(flit_first), .flit_last(flit_last), .flit_data(flit_data),
        .credit_valid(credit_valid), .credit_class(credit_class), .credit_flits(credit_flits),
        .initialised({response_initialised, request_initialised, store_initialised}),
        .free_places(free_places),
        .freed_valid({response_freed_valid, request_freed_valid, store_freed_valid}),
        .freed_flits({response_freed_flits, request_freed_flits, store_freed_flits}),
        .space({response_space, request_space, store_space}),
        .write_valid(write_valid), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid), .end_good(end_good),
        .end_mark_store(mark_store), .end_mark_request(mark_request), .end_mark_response(mark_response),
        .causes(causes),
        .packets(packets),
        .flit(flit),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    wire [`MOEHUB_INDEX_WIDTH(PLACES_STORE + 1) - 1:0] unused_store_place;
    wire [`MOEHUB_INDEX_WIDTH(PLACES_REQUEST + 1) - 1:0] unused_request_place;
    wire [`MOEHUB_INDEX_WIDTH(PLACES_RESPONSE + 1) - 1:0] unused_response_place;

    moehub_packet_store #(
        .LONGEST(`MOEHUB_STORE_LONGEST), .SHORTEST(SHORTEST_STORE), .PLACES(PLACES_STORE), .TARGET_QUEUE(TARGET_QUEUE),
        .MARK_WIDTH(`MOEHUB_STORE_MARK_WIDTH)
    ) u_store (
        .clk(clk),
        .rst(rst),
        .initialised(store_initialised),
        .space(store_space),
        .write_valid(write_valid[0]), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid[0]), .end_good(end_good), .end_mark(mark_store),
        .packet_valid(store_packet_valid), .packet_ready(store_packet_ready), .packet_name(store_packet_name),
        .packet_flits(store_packet_flits), .packet_mark(store_packet_mark), .packet_listed(store_packet_listed),
        .packet_place(unused_store_place),
        .targets_valid(store_targets_valid), .targets_ready(store_targets_ready), .targets_data(store_targets_data),
        .read_valid(store_read_valid), .read_place(store_read_place),
        .read_data(store_read_data), .read_next(store_read_next),
        .find_valid(store_find_valid), .find_name(store_find_name),
        .find_head(store_find_head), .find_body(store_find_body), .find_last(store_find_last),
        .find_flits(store_find_flits), .find_mark(store_find_mark),
        .free_valid(store_free_valid), .free_name(store_free_name), .free_head(store_free_head),
        .free_last(store_free_last), .free_flits(store_free_flits),
        .freed_valid(store_freed_valid), .freed_flits(store_freed_flits),
        .free_places(store_free_places), .free_names(store_free_names)
    );

    moehub_packet_store #(
        .LONGEST(`MOEHUB_REQUEST_LONGEST), .SHORTEST(`MOEHUB_REQUEST_SHORTEST), .PLACES(PLACES_REQUEST), .TARGET_QUEUE(0),
        .MARK_WIDTH(`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS))
    ) u_request (
        .clk(clk),
        .rst(rst),
        .initialised(request_initialised),
        .space(request_space),
        .write_valid(write_valid[1]), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid[1]), .end_good(end_good), .end_mark(mark_request),
        .packet_valid(request_packet_valid), .packet_ready(request_packet_ready), .packet_name(request_packet_name),
        .packet_flits(request_packet_flits), .packet_mark(request_packet_mark), .packet_listed(request_packet_listed),
        .packet_place(unused_request_place),
        .targets_valid(request_targets_valid), .targets_ready(request_targets_ready), .targets_data(request_targets_data),
        .read_valid(request_read_valid), .read_place(request_read_place),
        .read_data(request_read_data), .read_next(request_read_next),
        .find_valid(request_find_valid), .find_name(request_find_name),
        .find_head(request_find_head), .find_body(request_find_body), .find_last(request_find_last),
        .find_flits(request_find_flits), .find_mark(request_find_mark),
        .free_valid(request_free_valid), .free_name(request_free_name), .free_head(request_free_head),
        .free_last(request_free_last), .free_flits(request_free_flits),
        .freed_valid(request_freed_valid), .freed_flits(request_freed_flits),
        .free_places(request_free_places), .free_names(request_free_names)
    );

    moehub_packet_store #(
        .LONGEST(`MOEHUB_RESPONSE_LONGEST), .SHORTEST(`MOEHUB_RESPONSE_SHORTEST), .PLACES(PLACES_RESPONSE), .TARGET_QUEUE(0),
        .MARK_WIDTH(`MOEHUB_RESPONSE_MARK_WIDTH(PORTS))
    ) u_response (
        .clk(clk),
        .rst(rst),
        .initialised(response_initialised),
        .space(response_space),
        .write_valid(write_valid[2]), .write_first(write_first), .write_targets(write_targets), .write_data(write_data),
        .end_valid(end_valid[2]), .end_good(end_good), .end_mark(mark_response),
        .packet_valid(response_packet_valid), .packet_ready(response_packet_ready), .packet_name(response_packet_name),
        .packet_flits(response_packet_flits), .packet_mark(response_packet_mark), .packet_listed(response_packet_listed),
        .packet_place(unused_response_place),
        .targets_valid(response_targets_valid), .targets_ready(response_targets_ready), .targets_data(response_targets_data),
        .read_valid(response_read_valid), .read_place(response_read_place),
        .read_data(response_read_data), .read_next(response_read_next),
        .find_valid(response_find_valid), .find_name(response_find_name),
        .find_head(response_find_head), .find_body(response_find_body), .find_last(response_find_last),
        .find_flits(response_find_flits), .find_mark(response_find_mark),
        .free_valid(response_free_valid), .free_name(response_free_name), .free_head(response_free_head),
        .free_last(response_free_last), .free_flits(response_free_flits),
        .freed_valid(response_freed_valid), .freed_flits(response_freed_flits),
        .free_places(response_free_places), .free_names(response_free_names)
    );
endmodule

`default_nettype wire
