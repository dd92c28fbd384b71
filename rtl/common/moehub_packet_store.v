// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps the packets of one class that a link receiver accepts, in places of one flit; they are freed in any order.
// Contract:
//   1. write_valid brings the flits of one packet after the other, only while `space`. write_first begins a packet, with the
//      number of target flits that follow its header (0..4; of a packet that will be rejected any).
//   2. end_valid ends it: one cycle after its last flit or later, at the latest with the next write_first. end_good names it and
//      keeps it with end_mark; else its places are free in the next cycle.
//   3. packet shows the packets in the order in which they ended, one that ends while no other waits in the cycle of end_valid:
//      AXI4-Stream. listed: its target flits come in targets. place: of the flit after the header, undefined if there is none.
//   4. targets shows target flits of listed packets, in their order: AXI4-Stream, not before their packet.
//   5. read gives, one cycle later, the flit in a place and the place after it in its packet; after the last: undefined.
//   6. find gives, one cycle later, what is known of a named packet. body is the place of the first flit that is neither header
//      nor target flit; undefined if there is none.
//   7. free_valid frees a packet, with what `find` gave: its name may be given in the next cycle, its places in the next but one.
//   8. freed says how many places came free: one cycle after a rejected packet's end, two after free, a sum where both meet.
//      free_places shows them in that cycle.
//   9. Reset drops everything; then `initialised` is low for PLACES cycles.
// How: places are the business of moehub_place_chain. A packet that is named holds SHORTEST places or more, and gives name and
//   places back together: so a packet that has its places has a name, and nothing checks.
// Cost: one flit in, one out, one packet freed in every cycle. Last flit in c, end and packet in c + 1. Memory bits: flits 128
//   (PLACES + 1), chains, records and waiting packets of PLACES / SHORTEST packets.
// Limits: a packet that ends good has brought all target flits that it told. A name is freed once. packet and targets_valid are
//   combinational from end.
// Proved: formal/common/formal_packet_store.v, formal_link_ends.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_store #(
    parameter LONGEST      = 14,   // 1..31, flits of the longest packet of the class
    parameter SHORTEST     = 3,    // 1..LONGEST, flits of the shortest that is kept
    parameter PLACES       = 2048, // LONGEST..8191
    parameter TARGET_QUEUE = 16,   // 0, 4..64 target flits kept beside; 0: no packet is listed
    parameter MARK_WIDTH   = 12    // 1.., what goes with a packet
) (
    input  wire                                                clk,
    input  wire                                                rst,
    output wire                                                initialised,
    output wire                                                space,
    input  wire                                                write_valid,
    input  wire                                                write_first,
    input  wire [2:0]                                          write_targets,
    input  wire [127:0]                                        write_data,
    input  wire                                                end_valid,
    input  wire                                                end_good,
    input  wire [MARK_WIDTH - 1:0]                             end_mark,
    output wire                                                packet_valid,
    input  wire                                                packet_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES / SHORTEST) - 1:0] packet_name,
    output wire [4:0]                                          packet_flits,
    output wire [MARK_WIDTH - 1:0]                             packet_mark,
    output wire                                                packet_listed,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        packet_place, // of the flit after the header
    output wire                                                targets_valid,
    input  wire                                                targets_ready,
    output wire [127:0]                                        targets_data,
    input  wire                                                read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        read_place,
    output wire [127:0]                                        read_data,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        read_next,
    input  wire                                                find_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES / SHORTEST) - 1:0] find_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        find_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        find_body,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        find_last,
    output wire [4:0]                                          find_flits,
    output wire [MARK_WIDTH - 1:0]                             find_mark,
    input  wire                                                free_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES / SHORTEST) - 1:0] free_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        free_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        free_last,
    input  wire [4:0]                                          free_flits,
    output wire                                                freed_valid,
    output wire [5:0]                                          freed_flits,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]        free_places,
    output wire [$clog2(PLACES / SHORTEST + 1) - 1:0]          free_names
);
    generate
        if (LONGEST < 1 || LONGEST > 31) LONGEST_must_be_1_to_31 u_rule ();
        if (SHORTEST < 1 || SHORTEST > LONGEST) SHORTEST_must_be_1_to_LONGEST u_rule ();
        if (PLACES < LONGEST || PLACES > 8191) PLACES_must_be_LONGEST_to_8191 u_rule ();
        if (TARGET_QUEUE != 0 && (TARGET_QUEUE < 4 || TARGET_QUEUE > 64)) TARGET_QUEUE_must_be_0_or_4_to_64 u_rule ();
        if (MARK_WIDTH < 1) MARK_WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    localparam PACKETS     = PLACES / SHORTEST;
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam COUNT_WIDTH = $clog2(PACKETS + 1);
    localparam [31:0] ALL_NAMES = PACKETS;

    wire good = end_valid && end_good;
    wire bad  = end_valid && !end_good;

    wire [2:0] unused_parity;

    // ---- places --------------------------------------------------------------------------------------------------------
    wire [PLACE_WIDTH - 1:0] place;
    wire [PLACE_WIDTH - 1:0] start;
    wire [4:0]               taken;

    moehub_place_chain #(.PLACES(PLACES)) u_chain (
        .clk(clk), .rst(rst), .initialised(initialised), .space(space),
        .take_valid(write_valid), .take_first(write_first), .place(place), .rewind(bad), .start(start), .taken(taken),
        .follow_valid(read_valid), .follow_place(read_place), .follow_next(read_next),
        .splice_valid(free_valid), .splice_head(free_head), .splice_last(free_last), .splice_flits(free_flits),
        .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places)
    );

    moehub_memory_1r1w #(.WIDTH(128), .DEPTH(PLACES + 1), .PARITY(0)) u_data (
        .clk(clk), .write_enable(write_valid), .write_address(place), .write_data(write_data),
        .read_enable(read_valid && !rst), .read_address(read_place), .read_data(read_data), .parity_error(unused_parity[0])
    );

    // ---- the open packet: where its second flit is, where its body begins, where it ends ---------------------------------
    reg [2:0]               targets_left_q;
    reg                     body_met_q;
    reg [PLACE_WIDTH - 1:0] second_q;
    reg [PLACE_WIDTH - 1:0] body_q;
    reg [PLACE_WIDTH - 1:0] last_q;

    wire write_target = write_valid && !write_first && targets_left_q != 3'd0;
    wire write_body   = write_valid && !write_first && targets_left_q == 3'd0;

    always @(posedge clk) begin
        if (write_valid) last_q <= place;
        if (write_valid && write_first) targets_left_q <= write_targets;
        if (write_target) targets_left_q <= targets_left_q - 3'd1;
        if (write_valid) body_met_q <= write_body;
        if (write_body && !body_met_q) body_q <= place;
        if (write_valid && !write_first && taken == 5'd1) second_q <= place;
    end

    wire listed;
    generate
        if (TARGET_QUEUE > 0) begin : g_targets
            moehub_target_queue #(.DEPTH(TARGET_QUEUE)) u_targets (
                .clk(clk), .rst(rst), .open_valid(write_valid && write_first), .open_targets(write_targets), .listed(listed),
                .write_valid(write_target), .write_data(write_data), .keep(good), .drop(bad),
                .targets_valid(targets_valid), .targets_ready(targets_ready), .targets_data(targets_data)
            );
        end else begin : g_no_targets
            wire unused_ready = targets_ready;
            assign listed        = 1'b0;
            assign targets_valid = 1'b0;
            assign targets_data  = 128'd0;
        end
    endgenerate

    // ---- packets ---------------------------------------------------------------------------------------------------------
    wire [NAME_WIDTH - 1:0]  name;
    wire                     unused_name_valid; // always high at `good`: see How
    wire                     unused_name_next;
    wire [COUNT_WIDTH - 1:0] used_names;

    assign free_names = ALL_NAMES[COUNT_WIDTH - 1:0] - used_names;

    moehub_free_list #(.ENTRIES(PACKETS), .PARITY(0)) u_names (
        .clk(clk), .rst(rst), .valid(unused_name_valid), .next_valid(unused_name_next), .id(name), .take(good),
        .put_valid(free_valid), .put_id(free_name), .used(used_names), .parity_error(unused_parity[1])
    );

    moehub_memory_1r1w #(.WIDTH(3 * PLACE_WIDTH + 5 + MARK_WIDTH), .DEPTH(PACKETS), .PARITY(0)) u_packets (
        .clk(clk), .write_enable(good), .write_address(name), .write_data({start, body_q, last_q, taken, end_mark}),
        .read_enable(find_valid && !rst), .read_address(find_name),
        .read_data({find_head, find_body, find_last, find_flits, find_mark}), .parity_error(unused_parity[2])
    );

    moehub_prompt_fifo #(.WIDTH(NAME_WIDTH + PLACE_WIDTH + 6 + MARK_WIDTH), .DEPTH(PACKETS)) u_waiting (
        .clk(clk), .rst(rst), .in_valid(good), .in_data({name, second_q, taken, listed, end_mark}),
        .out_valid(packet_valid), .out_ready(packet_ready),
        .out_data({packet_name, packet_place, packet_flits, packet_listed, packet_mark})
    );
endmodule

`default_nettype wire
