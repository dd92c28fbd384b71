// SPDX-License-Identifier: Apache-2.0
// A crossbar with the packet stores of its inputs. Frees of packets go to the stores, and outside; so do counts of free places,
// to the crossbar.
`default_nettype none

`include "moehub_crossbar.vh"
`include "moehub_width.vh"

// Joined by name from the headers of the parts: `make faces` writes it from crossbar.face.
module crossbar #(
    parameter PORTS             = 8,    // 2..64
    parameter LONGEST           = 14,   // 1..31, flits of the longest packet of the class
    parameter SHORTEST          = 3,    // 1..LONGEST, flits of the shortest that is kept
    parameter PLACES            = 2048, // 1..8191: of each store
    parameter PACKETS           = 682,  // 1..8191 names of each store
    parameter TARGET_QUEUE      = 16,   // 0, 4..64 target flits kept beside; 0: no packet is listed
    parameter DATA_WIDTH        = 128,  // 32, 64, 128; below 128 packets have one flit besides target flits
    parameter JOIN              = 1,    // 0, 1: outputs may join a pass that is under way
    parameter WITH_IDS          = 1,    // 0, 1: copies have ids of their own
    parameter WITH_TAG          = 0,    // 0, 1: TAG of row 0 is what find_tag gives
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids of a packet
    parameter COPIES            = 1024, // 12..4096 records of an input; WITH_IDS 0: PACKETS instead
    parameter SLOTS             = 4,    // 2..16 copies in a copy buffer
    parameter AHEAD             = 6     // 3..7 cycles that an output grants ahead; WITH_IDS 0: 3..9
) (
    input  wire clk,
    input  wire rst,

    output wire [PORTS - 1:0]                                   initialised,
    output wire [PORTS - 1:0]                                   space,
    input  wire [PORTS - 1:0]                                   write_valid,
    input  wire [PORTS - 1:0]                                   write_first,
    input  wire [PORTS * 3 - 1:0]                               write_targets,
    input  wire [PORTS * 128 - 1:0]                             write_data,
    input  wire [PORTS - 1:0]                                   end_valid,
    input  wire [PORTS - 1:0]                                   end_good,
    input  wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]     end_mark,
    input  wire [PORTS * 24 - 1:0]                              end_tag,
    output wire [PORTS - 1:0]                                   freed_valid,
    output wire [PORTS * 6 - 1:0]                               freed_flits,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] free_places,
    output wire [PORTS * $clog2(PACKETS + 1) - 1:0]             free_names,

    output wire [PORTS - 1:0]      free_valid,
    output wire [PORTS * 24 - 1:0] free_tag,   // WITH_TAG 1: its find_tag

    output wire [PORTS * `MOEHUB_CROSSBAR_EVENTS - 1:0]                        events,
    output wire [PORTS * $clog2((WITH_IDS != 0 ? COPIES : PACKETS) + 1) - 1:0] records_used,

    input  wire [PORTS - 1:0]              room,
    output wire [PORTS - 1:0]              granted,    // a copy is on its way
    output wire [PORTS - 1:0]              row_valid,
    output wire [PORTS * 4 - 1:0]          row_number,
    output wire [PORTS - 1:0]              row_last,   // the packet's last row
    output wire [PORTS * DATA_WIDTH - 1:0] row_data,

    output wire [PORTS - 1:0]       copy_valid,
    input  wire [PORTS - 1:0]       copy_ready,
    output wire [PORTS * 128 - 1:0] copy_data,
    output wire [PORTS - 1:0]       copy_last,
    output wire [PORTS * 5 - 1:0]   copy_flits  // of the whole copy
);
    wire [PORTS - 1:0]                                   packet_valid;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]    packet_name;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]     packet_mark;
    wire [PORTS - 1:0]                                   packet_listed;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] packet_place;
    wire [PORTS - 1:0]                                   targets_valid;
    wire [PORTS * 128 - 1:0]                             targets_data;
    wire [PORTS * 128 - 1:0]                             read_data;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] read_next;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] find_head;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] find_body;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] find_last;
    wire [PORTS * 5 - 1:0]                               find_flits;
    wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]     find_mark;
    wire [PORTS * 24 - 1:0]                              find_tag;
    wire [PORTS - 1:0]                                   packet_ready;
    wire [PORTS - 1:0]                                   targets_ready;
    wire [PORTS - 1:0]                                   read_valid;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] read_place;
    wire [PORTS - 1:0]                                   find_valid;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]    find_name;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]    free_name;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] free_head;
    wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] free_last;
    wire [PORTS * 5 - 1:0]                               free_flits;

    crossbar_stores #(
        .PORTS(PORTS), .LONGEST(LONGEST), .SHORTEST(SHORTEST), .PLACES(PLACES), .PACKETS(PACKETS), .TARGET_QUEUE(TARGET_QUEUE)
    ) u_stores (
        .clk(clk), .rst(rst), .initialised(initialised), .space(space), .write_valid(write_valid), .write_first(write_first),
        .write_targets(write_targets), .write_data(write_data), .end_valid(end_valid), .end_good(end_good), .end_mark(end_mark),
        .end_tag(end_tag), .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places),
        .free_names(free_names), .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_name(packet_name),
        .packet_mark(packet_mark), .packet_listed(packet_listed), .packet_place(packet_place), .targets_valid(targets_valid),
        .targets_ready(targets_ready), .targets_data(targets_data), .read_valid(read_valid), .read_place(read_place),
        .read_data(read_data), .read_next(read_next), .find_valid(find_valid), .find_name(find_name), .find_head(find_head),
        .find_body(find_body), .find_last(find_last), .find_flits(find_flits), .find_mark(find_mark), .find_tag(find_tag),
        .free_valid(free_valid), .free_name(free_name), .free_head(free_head), .free_last(free_last), .free_flits(free_flits)
    );

    moehub_crossbar #(
        .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .JOIN(JOIN), .WITH_IDS(WITH_IDS), .WITH_TAG(WITH_TAG),
        .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS), .PLACES(PLACES), .PACKETS(PACKETS), .COPIES(COPIES),
        .SLOTS(SLOTS), .AHEAD(AHEAD)
    ) u_crossbar (
        .clk(clk), .rst(rst), .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_name(packet_name),
        .packet_mark(packet_mark), .packet_listed(packet_listed), .packet_place(packet_place), .targets_valid(targets_valid),
        .targets_ready(targets_ready), .targets_data(targets_data), .read_valid(read_valid), .read_place(read_place),
        .read_data(read_data), .read_next(read_next), .find_valid(find_valid), .find_name(find_name), .find_head(find_head),
        .find_body(find_body), .find_last(find_last), .find_flits(find_flits), .find_mark(find_mark), .find_tag(find_tag),
        .free_valid(free_valid), .free_name(free_name), .free_head(free_head), .free_last(free_last), .free_flits(free_flits),
        .free_tag(free_tag), .free_places(free_places), .events(events), .records_used(records_used), .room(room),
        .granted(granted), .row_valid(row_valid), .row_number(row_number), .row_last(row_last), .row_data(row_data),
        .copy_valid(copy_valid), .copy_ready(copy_ready), .copy_data(copy_data), .copy_last(copy_last), .copy_flits(copy_flits)
    );
endmodule

`default_nettype wire
