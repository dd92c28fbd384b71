// SPDX-License-Identifier: Apache-2.0
// A request unit that shares the store with the crossbar of requests, as in a switch port. The crossbar's find reads store and
// patch; what it frees is released.
`default_nettype none
`include "moehub_plane.vh"
`include "moehub_width.vh"

module request_unit #(
    parameter PORTS         = 8,   // 2..64
    parameter REQUEST_LINES = 8,   // 1, 2, 4, 8
    parameter GROUPS        = 13,  // 1..4096 / REQUEST_LINES
    parameter PLACES        = 256  // 5..8191 of the port's requests; as many names
) (
    input  wire                                              clk,
    input  wire                                              rst,
    input  wire [9:0]                                        own,
    input  wire [PORTS - 1:0]                                down,

    // ---- store
    input  wire                                              packet_valid,
    output wire                                              packet_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]          packet_name,
    input  wire [`MOEHUB_REQUEST_MARK_WIDTH(0, PORTS) - 1:0] packet_mark,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      packet_place,
    output wire                                              store_find_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]          store_find_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      store_found_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      store_found_last,
    input  wire [4:0]                                        store_found_flits,
    output wire                                              store_free_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]          store_free_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      store_free_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      store_free_last,
    output wire [4:0]                                        store_free_flits,

    // ---- reduction buffer
    output wire                                              reserve_valid,
    input  wire                                              reserve_ready,
    output wire [9:0]                                        reserve_requester,
    output wire [30:0]                                       reserve_tag,
    output wire [1:0]                                        reserve_element,
    output wire                                              reserve_out_fp32,
    output wire [8:0]                                        reserve_length,
    output wire [`MOEHUB_INDEX_WIDTH(REQUEST_LINES) - 1:0]   reserve_lines_less_1,
    output wire [PORTS - 1:0]                                reserve_contributors,
    input  wire                                              grant_valid,
    output wire                                              grant_ready,
    input  wire [3:0]                                        grant_status,
    input  wire [15:0]                                       grant_entry,
    input  wire [7:0]                                        grant_generation,
    output wire                                              released_valid,
    input  wire                                              released_ready,
    output wire [15:0]                                       released_entry,

    // ---- crossbar of requests
    output wire                                              copies_valid,
    input  wire                                              copies_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]          copies_name,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]             copies_mark,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      copies_place,
    input  wire                                              crossbar_find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]          crossbar_find_name,
    output wire [23:0]                                       crossbar_found_tag,
    input  wire                                              crossbar_free_valid,
    input  wire [23:0]                                       crossbar_free_tag,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]          crossbar_free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      crossbar_free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]      crossbar_free_last,
    input  wire [4:0]                                        crossbar_free_flits,

    // ---- egress
    output wire                                              error_valid,
    input  wire                                              error_ready,
    output wire [127:0]                                      error_data,

    output wire                                              reserved,
    output wire                                              refused,
    output wire                                              refused_down,
    output wire                                              error_results,
    output wire                                              group_waits
);
    localparam NAME_WIDTH   = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam PACKET_WIDTH = 2 * PLACE_WIDTH + 5; // head, last, flits

    wire                    find_valid;
    wire                    find_ready;
    wire [NAME_WIDTH - 1:0] find_name;
    wire                    free_valid;
    wire                    free_ready;
    wire [NAME_WIDTH - 1:0] free_name;
    wire [PLACE_WIDTH - 1:0] free_head;
    wire [PLACE_WIDTH - 1:0] free_last;
    wire [4:0]              free_flits;

    moehub_request_unit #(
        .PORTS(PORTS), .REQUEST_LINES(REQUEST_LINES), .GROUPS(GROUPS), .PLACES(PLACES)
    ) u_request_unit (
        .clk(clk), .rst(rst), .own(own), .down(down),
        .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_name(packet_name), .packet_mark(packet_mark),
        .packet_place(packet_place),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(reserve_requester),
        .reserve_tag(reserve_tag), .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32),
        .reserve_length(reserve_length), .reserve_lines_less_1(reserve_lines_less_1),
        .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry(released_entry),
        .copies_valid(copies_valid), .copies_ready(copies_ready), .copies_name(copies_name), .copies_mark(copies_mark),
        .copies_place(copies_place),
        .copy_find_valid(crossbar_find_valid), .copy_find_name(crossbar_find_name), .find_tag(crossbar_found_tag),
        .freed_valid(crossbar_free_valid), .freed_tag(crossbar_free_tag),
        .find_valid(find_valid), .find_ready(find_ready), .find_name(find_name), .find_head(store_found_head),
        .find_last(store_found_last), .find_flits(store_found_flits),
        .free_valid(free_valid), .free_ready(free_ready), .free_name(free_name), .free_head(free_head), .free_last(free_last),
        .free_flits(free_flits),
        .error_valid(error_valid), .error_ready(error_ready), .error_data(error_data),
        .reserved(reserved), .refused(refused), .refused_down(refused_down), .error_results(error_results),
        .group_waits(group_waits)
    );

    moehub_places_share #(.NAME_WIDTH(NAME_WIDTH), .FREE_WIDTH(PACKET_WIDTH)) u_share (
        .crossbar_find_valid(crossbar_find_valid), .crossbar_find_name(crossbar_find_name),
        .crossbar_free_valid(crossbar_free_valid), .crossbar_free_name(crossbar_free_name),
        .crossbar_free_packet({crossbar_free_head, crossbar_free_last, crossbar_free_flits}),
        .find_valid(find_valid), .find_ready(find_ready), .find_name(find_name),
        .free_valid(free_valid), .free_ready(free_ready), .free_name(free_name),
        .free_packet({free_head, free_last, free_flits}),
        .store_find_valid(store_find_valid), .store_find_name(store_find_name),
        .store_free_valid(store_free_valid), .store_free_name(store_free_name),
        .store_free_packet({store_free_head, store_free_last, store_free_flits})
    );
endmodule
`default_nettype wire
