// SPDX-License-Identifier: Apache-2.0
// The packet stores before a crossbar, one an input; element i of each flat vector belongs to input i. The tag that a request's
// copies shall have comes with the packet's mark: in a switch the request unit keeps it.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module crossbar_stores #(
    parameter PORTS        = 8,    // 2..64
    parameter LONGEST      = 14,   // 1..31, flits of the longest packet of the class
    parameter SHORTEST     = 3,    // 1..LONGEST, flits of the shortest that is kept
    parameter PLACES       = 2048, // 1..8191: of each store
    parameter PACKETS      = 682,  // 1..8191 names of each store
    parameter TARGET_QUEUE = 16    // 0, 4..64 target flits kept beside; 0: no packet is listed
) (
    input  wire clk,
    input  wire rst,

    // ---- receivers
    output wire [PORTS - 1:0]                                    initialised,
    output wire [PORTS - 1:0]                                    space,
    input  wire [PORTS - 1:0]                                    write_valid,
    input  wire [PORTS - 1:0]                                    write_first,
    input  wire [PORTS * 3 - 1:0]                                write_targets,
    input  wire [PORTS * 128 - 1:0]                              write_data,
    input  wire [PORTS - 1:0]                                    end_valid,
    input  wire [PORTS - 1:0]                                    end_good,
    input  wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]      end_mark,
    input  wire [PORTS * 24 - 1:0]                               end_tag,
    output wire [PORTS - 1:0]                                    freed_valid,
    output wire [PORTS * 6 - 1:0]                                freed_flits,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_places,
    output wire [PORTS * $clog2(PACKETS + 1) - 1:0]              free_names,

    // ---- crossbar
    output wire [PORTS - 1:0]                                    packet_valid,
    input  wire [PORTS - 1:0]                                    packet_ready,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     packet_name,
    output wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]      packet_mark,
    output wire [PORTS - 1:0]                                    packet_listed,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  packet_place,
    output wire [PORTS - 1:0]                                    targets_valid,
    input  wire [PORTS - 1:0]                                    targets_ready,
    output wire [PORTS * 128 - 1:0]                              targets_data,
    input  wire [PORTS - 1:0]                                    read_valid,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_place,
    output wire [PORTS * 128 - 1:0]                              read_data,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,
    input  wire [PORTS - 1:0]                                    find_valid,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     find_name,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_head,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_body,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_last,
    output wire [PORTS * 5 - 1:0]                                find_flits,
    output wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]      find_mark,
    output wire [PORTS * 24 - 1:0]                               find_tag,
    input  wire [PORTS - 1:0]                                    free_valid,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     free_name,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_head,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_last,
    input  wire [PORTS * 5 - 1:0]                                free_flits
);
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam NAMES_WIDTH = $clog2(PACKETS + 1);
    localparam MARK_WIDTH  = `MOEHUB_CROSSBAR_MARK_WIDTH;
    localparam BOTH_WIDTH  = MARK_WIDTH + 24;

    generate
        if (PACKETS != PLACES / SHORTEST) PACKETS_must_be_PLACES_over_SHORTEST u_rule ();
    endgenerate

    genvar i;
    generate
        for (i = 0; i < PORTS; i = i + 1) begin : g_store
            wire [BOTH_WIDTH - 1:0] packet_both;
            wire [BOTH_WIDTH - 1:0] find_both;
            wire [4:0]              unused_packet_flits;
            wire [23:0]             unused_packet_tag = packet_both[MARK_WIDTH +: 24];

            assign packet_mark[i * MARK_WIDTH +: MARK_WIDTH] = packet_both[MARK_WIDTH - 1:0];
            assign find_mark[i * MARK_WIDTH +: MARK_WIDTH]   = find_both[MARK_WIDTH - 1:0];
            assign find_tag[i * 24 +: 24]                    = find_both[MARK_WIDTH +: 24];

            moehub_packet_store #(
                .LONGEST(LONGEST), .SHORTEST(SHORTEST), .PLACES(PLACES), .TARGET_QUEUE(TARGET_QUEUE), .MARK_WIDTH(BOTH_WIDTH)
            ) u_store (
                .clk(clk), .rst(rst), .initialised(initialised[i]), .space(space[i]),
                .write_valid(write_valid[i]), .write_first(write_first[i]), .write_targets(write_targets[i * 3 +: 3]),
                .write_data(write_data[i * 128 +: 128]),
                .end_valid(end_valid[i]), .end_good(end_good[i]),
                .end_mark({end_tag[i * 24 +: 24], end_mark[i * MARK_WIDTH +: MARK_WIDTH]}),
                .packet_valid(packet_valid[i]), .packet_ready(packet_ready[i]),
                .packet_name(packet_name[i * NAME_WIDTH +: NAME_WIDTH]), .packet_flits(unused_packet_flits),
                .packet_mark(packet_both), .packet_listed(packet_listed[i]),
                .packet_place(packet_place[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .targets_valid(targets_valid[i]), .targets_ready(targets_ready[i]), .targets_data(targets_data[i * 128 +: 128]),
                .read_valid(read_valid[i]), .read_place(read_place[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .read_data(read_data[i * 128 +: 128]), .read_next(read_next[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .find_valid(find_valid[i]), .find_name(find_name[i * NAME_WIDTH +: NAME_WIDTH]),
                .find_head(find_head[i * PLACE_WIDTH +: PLACE_WIDTH]), .find_body(find_body[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .find_last(find_last[i * PLACE_WIDTH +: PLACE_WIDTH]), .find_flits(find_flits[i * 5 +: 5]),
                .find_mark(find_both),
                .free_valid(free_valid[i]), .free_name(free_name[i * NAME_WIDTH +: NAME_WIDTH]),
                .free_head(free_head[i * PLACE_WIDTH +: PLACE_WIDTH]), .free_last(free_last[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .free_flits(free_flits[i * 5 +: 5]),
                .freed_valid(freed_valid[i]), .freed_flits(freed_flits[i * 6 +: 6]),
                .free_places(free_places[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .free_names(free_names[i * NAMES_WIDTH +: NAMES_WIDTH])
            );
        end
    endgenerate
endmodule
`default_nettype wire
