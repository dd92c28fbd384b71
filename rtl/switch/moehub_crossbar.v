// SPDX-License-Identifier: Apache-2.0
// Purpose: takes packets from one packet store an input to PORTS outputs, a row a cycle on each; a packet may have copies for
//   several outputs, each with ids of its own. The switch's multicast (the defaults), request (DATA_WIDTH 32, WITH_TAG 1) and
//   response (JOIN 0, WITH_IDS 0) crossbars.
// Contract:
//   1. Each copy of each packet leaves once, at the right output, with exactly its ids. Order is kept per input and output.
//   2. An output that is not open lowers no other output's grants; in a cycle an output takes rows of one copy at most.
//   3. A packet is freed once, after the cycle in which its last copy's last row is read.
//   4. WITH_IDS 1: copies leave as packet streams (copy_*, moehub_copy_buffer), and room is not looked at. WITH_IDS 0: they leave
//      as rows, from row 0 on, one a cycle, registers, and copy_* is 0. An output grants only while room is high; the taker
//      lowers room in the cycle after granted, if it has no room for one more. Outputs serve the fullest inputs first.
//   5. Element i of each flat vector belongs to input i or output i. Ports of an input are those of its moehub_packet_store.
// How: wires only. moehub_fullest_inputs; per input moehub_copy_list, moehub_crossbar_heads, moehub_crossbar_input; per output
//   moehub_crossbar_output, moehub_copy_buffer. Specification: doc/plane/crossbar.md.
// Cost: 12 cycles from the last flit on the input wires to the first on the output wires (doc/plane/crossbar.md section 6).
// Proved: formal/switch/formal_crossbar.v
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar #(
    parameter PORTS             = 8,    // 2..64
    parameter DATA_WIDTH        = 128,  // 32, 64, 128; below 128 packets have one flit besides target flits
    parameter JOIN              = 1,    // 0, 1: outputs may join a pass that is under way
    parameter WITH_IDS          = 1,    // 0, 1: copies have ids of their own
    parameter WITH_TAG          = 0,    // 0, 1: TAG of row 0 is what find_tag gives
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids of a packet
    parameter PLACES            = 2048, // 1..8191: of each store
    parameter PACKETS           = 682,  // 1..8191 names of each store
    parameter COPIES            = 1024, // 12..4096 records of an input; WITH_IDS 0: PACKETS instead
    parameter SLOTS             = 4,    // 2..16 copies in a copy buffer
    parameter AHEAD             = 6     // 3..7 cycles that an output grants ahead; WITH_IDS 0: 3..9
) (
    input  wire clk,
    input  wire rst,

    // ---- stores: packets in order; a packet is taken when all its records are made
    input  wire [PORTS - 1:0]                                    packet_valid,
    output wire [PORTS - 1:0]                                    packet_ready,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     packet_name,
    input  wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]      packet_mark,
    input  wire [PORTS - 1:0]                                    packet_listed, // its target flits come from targets
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  packet_place,  // of the flit after the header
    input  wire [PORTS - 1:0]                                    targets_valid,
    output wire [PORTS - 1:0]                                    targets_ready,
    input  wire [PORTS * 128 - 1:0]                              targets_data,

    // ---- stores: data and next in the cycle after read
    output wire [PORTS - 1:0]                                    read_valid,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_place,
    input  wire [PORTS * 128 - 1:0]                              read_data,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,

    // ---- stores: what a packet is, from the cycle after find to the next find
    output wire [PORTS - 1:0]                                    find_valid,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     find_name,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_head,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_body,
    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_last,
    input  wire [PORTS * 5 - 1:0]                                find_flits,
    input  wire [PORTS * `MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]      find_mark,
    input  wire [PORTS * 24 - 1:0]                               find_tag, // WITH_TAG 1: read with find from the user's own table

    // ---- stores: the packet is gone
    output wire [PORTS - 1:0]                                    free_valid,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     free_name,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_head,
    output wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_last,
    output wire [PORTS * 5 - 1:0]                                free_flits,
    output wire [PORTS * 24 - 1:0]                               free_tag, // WITH_TAG 1: its find_tag

    input  wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_places, // WITH_IDS 0: of each store

    // ---- inputs: what software sees
    output wire [PORTS * `MOEHUB_CROSSBAR_EVENTS - 1:0]                                events,
    output wire [PORTS * $clog2((WITH_IDS != 0 ? COPIES : PACKETS) + 1) - 1:0]         records_used,

    // ---- outputs, WITH_IDS 0: rows of copies
    input  wire [PORTS - 1:0]                                    room,
    output wire [PORTS - 1:0]                                    granted, // a copy is on its way
    output wire [PORTS - 1:0]                                    row_valid,
    output wire [PORTS * 4 - 1:0]                                row_number,
    output wire [PORTS - 1:0]                                    row_last, // the packet's last row
    output wire [PORTS * DATA_WIDTH - 1:0]                       row_data,

    // ---- outputs, WITH_IDS 1: copies, packet streams
    output wire [PORTS - 1:0]                                    copy_valid,
    input  wire [PORTS - 1:0]                                    copy_ready,
    output wire [PORTS * 128 - 1:0]                              copy_data,
    output wire [PORTS - 1:0]                                    copy_last,
    output wire [PORTS * 5 - 1:0]                                copy_flits // of the whole copy
);
    localparam NAME_WIDTH     = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam PLACE_WIDTH    = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam PORT_WIDTH     = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam RECORDS        = WITH_IDS != 0 ? COPIES : PACKETS;
    localparam RECORD_WIDTH   = `MOEHUB_INDEX_WIDTH(RECORDS);
    localparam USED_WIDTH     = $clog2(RECORDS + 1);
    localparam COPY_WIDTH     = `MOEHUB_COPY_WIDTH(RECORDS, PACKETS);
    localparam ROW_WIDTH      = `MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH);
    localparam SENT_WIDTH     = `MOEHUB_SENT_RECORD_WIDTH;
    localparam READ_REGISTER  = DATA_WIDTH == 128 ? 1 : 0; // wide rows go to all outputs: what reads ids must not be in their way
    localparam PROPOSAL_WIDTH = `MOEHUB_PROPOSAL_WIDTH;
    localparam FIRST_WIDTH    = `MOEHUB_GRANT_FIRST_WIDTH;

    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
        if (DATA_WIDTH != 32 && DATA_WIDTH != 64 && DATA_WIDTH != 128) DATA_WIDTH_must_be_32_64_or_128 u_rule ();
        if (JOIN != 0 && JOIN != 1) JOIN_must_be_0_or_1 u_rule ();
        if (WITH_IDS != 0 && WITH_IDS != 1) WITH_IDS_must_be_0_or_1 u_rule ();
        if (WITH_TAG != 0 && WITH_TAG != 1) WITH_TAG_must_be_0_or_1 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (PLACES < 1 || PLACES > 8191) PLACES_must_be_1_to_8191 u_rule ();
        if (PACKETS < 1 || PACKETS > 8191) PACKETS_must_be_1_to_8191 u_rule ();
        if (COPIES < 12 || COPIES > 4096) COPIES_must_be_12_to_4096 u_rule ();
        if (SLOTS < 2 || SLOTS > 16) SLOTS_must_be_2_to_16 u_rule ();
        if (WITH_IDS != 0 && (AHEAD < 3 || AHEAD > 7)) AHEAD_must_be_3_to_7 u_rule ();
        if (WITH_IDS == 0 && (AHEAD < 3 || AHEAD > 9)) AHEAD_must_be_3_to_9_without_ids u_rule ();
    endgenerate

    // ---- buses: from each input to all outputs, and back
    wire [PORTS * PORTS - 1:0]          ask;       // [i * PORTS + o]: input i asks output o
    wire [PORTS * PROPOSAL_WIDTH - 1:0] proposals;
    wire [PORTS * ROW_WIDTH - 1:0]      rows;
    wire [PORTS * SENT_WIDTH - 1:0]     sent;
    wire [PORTS * PORTS - 1:0]          hungry;    // [i * PORTS + o]: the hungry head of input i is for output o
    wire [PORTS - 1:0]                  soon;
    wire [PORTS - 1:0]                  soon_hungry;
    wire [PORTS * PORTS - 1:0]          grant;     // [o * PORTS + i]: output o grants input i
    wire [PORTS * FIRST_WIDTH - 1:0]    firsts;
    wire [PORTS - 1:0]                  fullest;   // inputs

    generate
        if (WITH_IDS == 0) begin : g_fullest
            moehub_fullest_inputs #(.PORTS(PORTS), .PLACES(PLACES)) u_fullest (
                .clk(clk), .rst(rst), .free_places(free_places), .fullest(fullest)
            );
        end else begin : g_alike
            wire unused = &{1'b0, free_places};
            assign fullest = {PORTS{1'b0}};
        end
    endgenerate

    genvar i;
    genvar o;
    generate
        for (i = 0; i < PORTS; i = i + 1) begin : g_input
            wire                      target_read_valid;
            wire                      target_read_ready;
            wire [PLACE_WIDTH - 1:0]  target_read_place;
            wire                      left_valid;
            wire                      left_ready;
            wire [NAME_WIDTH - 1:0]   left_name;
            wire [5:0]                left_copies;
            wire                      load_valid;
            wire                      load_ready;
            wire [PORT_WIDTH - 1:0]   load_output;
            wire [COPY_WIDTH - 1:0]   load_copy;
            wire                      sequence_valid;
            wire                      sequence_last;
            wire [PORT_WIDTH - 1:0]   sequence_output;
            wire [RECORD_WIDTH - 1:0] sequence_record;
            wire [`MOEHUB_COPY_RECORD_KEPT_WIDTH - 1:0] record;
            wire                      link_valid;
            wire [COPY_WIDTH - 1:0]   link;
            wire [PORTS - 1:0]        aged;
            wire                      begin_new;
            wire [NAME_WIDTH - 1:0]   pass_name;
            wire [PORTS - 1:0]        join_ask;
            wire                      join_soon;
            wire                      new_valid;
            wire [PORTS - 1:0]        new_ask;
            wire [NAME_WIDTH - 1:0]   new_name;
            wire                      new_advance;
            wire [PORTS - 1:0]        begins; // the outputs that grant this input
            wire                      record_waits;
            wire                      target_reads;

            for (o = 0; o < PORTS; o = o + 1) begin : g_output
                assign begins[o] = grant[o * PORTS + i];
            end

            moehub_copy_list #(
                .PORTS(PORTS), .WITH_IDS(WITH_IDS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .READ_REGISTER(READ_REGISTER),
                .PLACES(PLACES), .PACKETS(PACKETS), .COPIES(COPIES)
            ) u_list (
                .clk(clk), .rst(rst),
                .packet_valid(packet_valid[i]), .packet_ready(packet_ready[i]),
                .packet_name(packet_name[i * NAME_WIDTH +: NAME_WIDTH]),
                .packet_mark(packet_mark[i * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .packet_listed(packet_listed[i]), .packet_place(packet_place[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .targets_valid(targets_valid[i]), .targets_ready(targets_ready[i]), .targets_data(targets_data[i * 128 +: 128]),
                .target_read_valid(target_read_valid), .target_read_ready(target_read_ready),
                .target_read_place(target_read_place), .read_data(read_data[i * 128 +: 128]),
                .read_next(read_next[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .left_valid(left_valid), .left_ready(left_ready), .left_name(left_name), .left_copies(left_copies),
                .load_valid(load_valid), .load_ready(load_ready), .load_output(load_output), .load_copy(load_copy),
                .sequence_valid(sequence_valid), .sequence_last(sequence_last),
                .sequence_output(sequence_output), .sequence_record(sequence_record),
                .record(record), .link_valid(link_valid), .link(link), .aged(aged),
                .record_waits(record_waits), .target_reads(target_reads),
                .records_used(records_used[i * USED_WIDTH +: USED_WIDTH])
            );

            moehub_crossbar_heads #(
                .PORTS(PORTS), .JOIN(JOIN), .WITH_IDS(WITH_IDS), .PACKETS(PACKETS), .COPIES(COPIES)
            ) u_heads (
                .clk(clk), .rst(rst),
                .load_valid(load_valid), .load_ready(load_ready), .load_output(load_output), .load_copy(load_copy),
                .sequence_valid(sequence_valid), .sequence_last(sequence_last),
                .sequence_output(sequence_output), .sequence_record(sequence_record),
                .record(record), .link_valid(link_valid), .link(link), .aged(aged),
                .sent(sent[i * SENT_WIDTH +: SENT_WIDTH]),
                .soon(soon), .soon_hungry(soon_hungry),
                .hungry(hungry[i * PORTS +: PORTS]), .begins(begins), .begin_new(begin_new), .ask(ask[i * PORTS +: PORTS]),
                .pass_name(pass_name), .join_ask(join_ask), .join_soon(join_soon),
                .new_valid(new_valid), .new_ask(new_ask), .new_name(new_name), .new_advance(new_advance)
            );

            moehub_crossbar_input #(
                .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .JOIN(JOIN), .WITH_TAG(WITH_TAG), .PLACES(PLACES), .PACKETS(PACKETS),
                .AHEAD(AHEAD)
            ) u_input (
                .clk(clk), .rst(rst),
                .read_valid(read_valid[i]), .read_place(read_place[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .read_data(read_data[i * 128 +: 128]), .read_next(read_next[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .find_valid(find_valid[i]), .find_name(find_name[i * NAME_WIDTH +: NAME_WIDTH]),
                .find_head(find_head[i * PLACE_WIDTH +: PLACE_WIDTH]), .find_body(find_body[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .find_last(find_last[i * PLACE_WIDTH +: PLACE_WIDTH]), .find_flits(find_flits[i * 5 +: 5]),
                .find_mark(find_mark[i * `MOEHUB_CROSSBAR_MARK_WIDTH +: `MOEHUB_CROSSBAR_MARK_WIDTH]),
                .find_tag(find_tag[i * 24 +: 24]),
                .free_valid(free_valid[i]), .free_name(free_name[i * NAME_WIDTH +: NAME_WIDTH]),
                .free_head(free_head[i * PLACE_WIDTH +: PLACE_WIDTH]), .free_last(free_last[i * PLACE_WIDTH +: PLACE_WIDTH]),
                .free_flits(free_flits[i * 5 +: 5]), .free_tag(free_tag[i * 24 +: 24]),
                .target_read_valid(target_read_valid), .target_read_ready(target_read_ready),
                .target_read_place(target_read_place),
                .left_valid(left_valid), .left_ready(left_ready), .left_name(left_name), .left_copies(left_copies),
                .pass_name(pass_name), .begin_new(begin_new), .join_ask(join_ask), .join_soon(join_soon),
                .new_valid(new_valid), .new_ask(new_ask), .new_name(new_name), .new_advance(new_advance),
                .ask(ask[i * PORTS +: PORTS]), .proposal(proposals[i * PROPOSAL_WIDTH +: PROPOSAL_WIDTH]),
                .begins(begins), .firsts(firsts), .row(rows[i * ROW_WIDTH +: ROW_WIDTH]),
                .record_waits(record_waits), .target_reads(target_reads),
                .events(events[i * `MOEHUB_CROSSBAR_EVENTS +: `MOEHUB_CROSSBAR_EVENTS])
            );
        end

        for (o = 0; o < PORTS; o = o + 1) begin : g_output
            localparam [31:0] PORT = o;
            wire [PORTS - 1:0]      asked; // by the inputs
            wire [PORTS - 1:0]      hungry_inputs;
            wire                    output_room;
            wire                    row_taken; // a row, on the bus
            wire [3:0]              taken_number;
            wire [3:0]              taken_rows;
            wire                    taken_last;
            wire [DATA_WIDTH - 1:0] taken_data;
            wire                    taken_end;
            wire                    record_valid;
            wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0] record;

            for (i = 0; i < PORTS; i = i + 1) begin : g_input
                assign asked[i]         = ask[i * PORTS + o];
                assign hungry_inputs[i] = hungry[i * PORTS + o];
            end

            moehub_crossbar_output #(
                .PORTS(PORTS), .DATA_WIDTH(DATA_WIDTH), .AHEAD(AHEAD), .FULL_FIRST(WITH_IDS == 0 ? 1 : 0)
            ) u_output (
                .clk(clk), .rst(rst), .own_port(PORT[5:0]),
                .asked(asked), .fullest(fullest), .hungry(hungry_inputs), .proposals(proposals), .rows(rows), .sent(sent),
                .soon(soon[o]), .soon_hungry(soon_hungry[o]),
                .grant(grant[o * PORTS +: PORTS]),
                .first(firsts[o * FIRST_WIDTH +: FIRST_WIDTH]),
                .room(output_room), .granted(granted[o]),
                .row_valid(row_taken), .row_number(taken_number), .row_rows(taken_rows), .row_last(taken_last),
                .row_data(taken_data), .row_end(taken_end),
                .record_valid(record_valid), .record(record)
            );

            if (WITH_IDS != 0) begin : g_buffer
                wire unused = &{1'b0, room[o]};
                assign row_valid[o]           = row_taken;
                assign row_number[o * 4 +: 4] = taken_number;
                assign row_last[o]            = taken_last;
                assign row_data[o * DATA_WIDTH +: DATA_WIDTH] = taken_data;
                moehub_copy_buffer #(
                    .DATA_WIDTH(DATA_WIDTH), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS), .SLOTS(SLOTS)
                ) u_buffer (
                    .clk(clk), .rst(rst), .own_port(PORT[5:0]),
                    .room(output_room), .granted(granted[o]),
                    .row_valid(row_taken), .row_number(taken_number), .row_rows(taken_rows), .row_data(taken_data),
                    .row_end(taken_end),
                    .record_valid(record_valid), .record(record),
                    .copy_valid(copy_valid[o]), .copy_ready(copy_ready[o]), .copy_data(copy_data[o * 128 +: 128]),
                    .copy_last(copy_last[o]), .copy_flits(copy_flits[o * 5 +: 5])
                );
            end else begin : g_rows
                // What a row is decides about room: behind memory and bus that is too late in a cycle.
                reg                    row_valid_q;
                reg [3:0]              row_number_q;
                reg                    row_last_q;
                reg [DATA_WIDTH - 1:0] row_data_q;
                wire unused = &{1'b0, taken_rows, taken_end, record_valid, record, copy_ready[o]};
                always @(posedge clk) begin
                    row_valid_q  <= row_taken;
                    row_number_q <= taken_number;
                    row_last_q   <= taken_last;
                    row_data_q   <= taken_data;
                    if (rst) row_valid_q <= 1'b0;
                end
                assign output_room                = room[o];
                assign row_valid[o]               = row_valid_q;
                assign row_number[o * 4 +: 4]     = row_number_q;
                assign row_last[o]                = row_last_q;
                assign row_data[o * DATA_WIDTH +: DATA_WIDTH] = row_data_q;
                assign copy_valid[o]              = 1'b0;
                assign copy_data[o * 128 +: 128]  = 128'd0;
                assign copy_last[o]               = 1'b0;
                assign copy_flits[o * 5 +: 5]     = 5'd0;
            end
        end
    endgenerate
endmodule

`default_nettype wire
