// SPDX-License-Identifier: Apache-2.0
// Purpose: makes the copy records of an input's packets, in order, and keeps them in a list for each output.
// Contract:
//   1. A copy's records are those of the ids of one output in one packet; its packet's number of copies is given as left_* in
//      the cycle of the first, or the next. A copy is in its output's list when all its records are written.
//   2. A copy that comes to an empty list is given as load_* instead of a link. A list is empty from the second cycle after that
//      in which its tail's record is read; meanwhile no copy comes to it.
//   3. record and link follow sequence_valid by a cycle, and after sequence_last (a copy's last record) link_valid: the record
//      read was not its list's tail.
//   4. Target flits of a packet that is not listed are read with target_read_*: ready means that read_place of this cycle is the
//      copy list's, and that read_data and read_next of the next cycle are the answer.
//   5. aged: lists with a copy that is too old for its arrival number to be compared (moehub_list_age). Copies of lists that are
//      not aged are less than half the numbers apart.
//   6. WITH_IDS 0: a packet is one record without ids for the output in its mark, and the record's name is the packet's.
// Cost: a record a cycle; a copy is in its list, or loads its head, in the cycle after its last record. Memories
//   doc/plane/crossbar.md section 8.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_copy_list #(
    parameter PORTS             = 8,
    parameter WITH_IDS          = 1,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter READ_REGISTER     = 1, // 0, 1: of moehub_target_reader
    parameter PLACES            = 2048,
    parameter PACKETS           = 682,
    parameter COPIES            = 1024
) (
    input  wire clk,
    input  wire rst,

    input  wire                                      packet_valid,
    output wire                                      packet_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0] packet_name,
    input  wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]  packet_mark,
    input  wire                                      packet_listed,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] packet_place,

    input  wire                                      targets_valid,
    output wire                                      targets_ready,
    input  wire [127:0]                              targets_data,

    output wire                                      target_read_valid,
    input  wire                                      target_read_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] target_read_place,
    input  wire [127:0]                              read_data,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] read_next,

    output wire                                      left_valid,
    input  wire                                      left_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0] left_name,
    output wire [5:0]                                left_copies,

    output wire                                      load_valid,
    input  wire                                      load_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   load_output,
    output wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] load_copy,

    input  wire                                      sequence_valid,
    input  wire                                      sequence_last,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   sequence_output,
    input  wire [`MOEHUB_INDEX_WIDTH(WITH_IDS != 0 ? COPIES : PACKETS) - 1:0] sequence_record,
    output wire [`MOEHUB_COPY_RECORD_KEPT_WIDTH - 1:0] record,
    output wire                                      link_valid,
    output wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] link,
    output wire [PORTS - 1:0]                        aged,

    output wire                                      record_waits,
    output wire                                      target_reads,
    output wire [$clog2((WITH_IDS != 0 ? COPIES : PACKETS) + 1) - 1:0] records_used
);
    localparam RECORDS       = WITH_IDS != 0 ? COPIES : PACKETS;
    localparam RECORD_WIDTH  = `MOEHUB_INDEX_WIDTH(RECORDS);
    localparam NAME_WIDTH    = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam ARRIVAL_WIDTH = `MOEHUB_ARRIVAL_WIDTH(PACKETS);
    localparam COPY_WIDTH    = `MOEHUB_COPY_WIDTH(RECORDS, PACKETS);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam [ARRIVAL_WIDTH - 1:0] ARRIVAL_ONE = 1;
    localparam [`MOEHUB_COPY_MORE_WIDTH - 1:0] MORE_ONE = 1;
    localparam [ARRIVAL_WIDTH - 1:0] EIGHTH_LAST = (1 << (ARRIVAL_WIDTH - 3)) - 1;

    // ---- s0: the packet's next record is made, and written to the free one -------------------------------------------
    wire                  s0_valid;
    wire                  s0_first;     // the packet's first record
    wire                  s0_last;      // the packet's last record
    wire                  s0_starts;    // the copy's first record
    wire [5:0]            s0_output;
    wire [23:0]           s0_ids;
    wire [1:0]            s0_count;
    wire [NAME_WIDTH - 1:0] s0_name;
    wire                  s0_room;      // s1 takes it
    wire                  s0_accepted;
    wire                  free_valid;
    wire [RECORD_WIDTH - 1:0] free_record;
    wire                  unused_output = &{1'b0, s0_output};

    reg [ARRIVAL_WIDTH - 1:0] arrival_q;

    // The packet's number of copies is written with its first record, or in the next cycle, before its first copy is a head.
    wire [5:0] s0_copies;
    reg        left_valid_q;
    reg  [5:0] left_copies_q;

    assign s0_accepted  = s0_valid && free_valid && s0_room && !(s0_first && left_valid_q);
    assign left_valid   = left_valid_q || (s0_valid && s0_first);
    assign left_copies  = left_valid_q ? left_copies_q : s0_copies;
    assign record_waits = s0_valid && !free_valid;
    assign target_reads = target_read_valid && target_read_ready;

    // ---- s1: the copy whose records are written; it comes to its list when the next copy's first record is made, or when its
    // packet had no more
    reg                      s1_valid_q;
    reg                      s1_whole_q;
    reg [PORT_WIDTH - 1:0]   s1_output_q;
    reg [RECORD_WIDTH - 1:0] s1_record_q; // the first
    reg [RECORD_WIDTH - 1:0] s1_tail_q;   // the last so far
    reg [`MOEHUB_COPY_MORE_WIDTH - 1:0] s1_more_q;
    reg [NAME_WIDTH - 1:0]   s1_name_q;
    reg [ARRIVAL_WIDTH - 1:0] s1_arrival_q;
    reg                      s1_next_age_q; // the packet is the first of an eighth of the arrival numbers

    // ---- what the sequencer read in the last cycle --------------------------------------------------------------------
    reg                      read_valid_q;
    reg                      read_last_q; // a copy's last record
    reg [PORTS - 1:0]        read_own_q;  // its list
    reg [RECORD_WIDTH - 1:0] read_record_q;

    wire [PORTS - 1:0] empty; // no record of the output's list is unread
    wire [PORTS * RECORD_WIDTH - 1:0] tails;

    wire [RECORD_WIDTH - 1:0] s1_list_tail   = tails[s1_output_q * RECORD_WIDTH +: RECORD_WIDTH];
    wire [RECORD_WIDTH - 1:0] read_list_tail;
    moehub_one_hot_mux #(.WIDTH(RECORD_WIDTH), .WAYS(PORTS)) u_read_tail (
        .select(read_own_q), .words(tails), .word(read_list_tail)
    );
    wire reads_tail = read_last_q && read_record_q == read_list_tail;

    // Whether the list goes on is found in two cycles, in which no copy comes to it.
    wire s1_waits = (sequence_valid && sequence_last && sequence_output == s1_output_q) ||
        (read_last_q && read_own_q[s1_output_q]);
    wire s1_ends  = s1_valid_q && (s1_whole_q || (s0_valid && s0_starts));
    wire to_head  = empty[s1_output_q];
    wire s1_goes  = !s1_waits && (!to_head || load_ready);
    wire appended = s1_ends && s1_goes;
    wire link_append = appended && !to_head;
    wire link_inside = s0_accepted && !s0_starts;

    assign s0_room     = !s0_starts || !s1_valid_q || s1_goes;
    assign load_valid  = s1_ends && !s1_waits && to_head;
    assign load_output = s1_output_q;
    assign load_copy   = `MOEHUB_COPY(s1_record_q, s1_more_q, s1_name_q, s1_arrival_q);
    assign link_valid  = !reads_tail;

    always @(posedge clk) begin
        left_valid_q  <= ((s0_accepted && s0_first) || left_valid_q) && !left_ready;
        s1_valid_q    <= s0_accepted || (s1_valid_q && !appended);
        s1_next_age_q <= s0_accepted && s0_first && (arrival_q & EIGHTH_LAST) == {ARRIVAL_WIDTH{1'b0}};
        read_valid_q  <= sequence_valid;
        read_last_q   <= sequence_valid && sequence_last;
        if (s0_accepted && s0_last) arrival_q <= arrival_q + ARRIVAL_ONE;
        if (rst) begin
            left_valid_q  <= 1'b0;
            s1_valid_q    <= 1'b0;
            s1_next_age_q <= 1'b0;
            read_valid_q  <= 1'b0;
            read_last_q   <= 1'b0;
            arrival_q     <= {ARRIVAL_WIDTH{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (s0_accepted && s0_first) left_copies_q <= s0_copies;
        if (s0_accepted) begin
            s1_tail_q  <= free_record;
            s1_more_q  <= s1_more_q + MORE_ONE;
            s1_whole_q <= s0_last;
        end
        if (s0_accepted && s0_starts) begin
            s1_output_q  <= s0_output[PORT_WIDTH - 1:0];
            s1_record_q  <= free_record;
            s1_more_q    <= {`MOEHUB_COPY_MORE_WIDTH{1'b0}};
            s1_name_q    <= s0_name;
            s1_arrival_q <= arrival_q;
        end
        read_own_q    <= {{(PORTS - 1){1'b0}}, 1'b1} << sequence_output;
        read_record_q <= sequence_record;
    end

    genvar o;
    generate
        for (o = 0; o < PORTS; o = o + 1) begin : g_list
            localparam [31:0] OUTPUT = o;
            reg                      empty_q;
            reg [RECORD_WIDTH - 1:0] tail_q;
            wire appends = appended && s1_output_q == OUTPUT[PORT_WIDTH - 1:0];
            always @(posedge clk) begin
                if (reads_tail && read_own_q[o]) empty_q <= 1'b1;
                if (appends) empty_q <= 1'b0;
                if (rst) empty_q <= 1'b1;
            end
            always @(posedge clk) begin
                if (appends) tail_q <= s1_tail_q;
            end
            assign empty[o] = empty_q;
            assign tails[o * RECORD_WIDTH +: RECORD_WIDTH] = tail_q;
        end
    endgenerate

    // The copies of the packets before are in their lists when the first record of the next one is in s1.
    moehub_list_age #(.PORTS(PORTS), .RECORD_WIDTH(RECORD_WIDTH)) u_age (
        .clk(clk), .rst(rst), .next_age(s1_next_age_q), .empty(empty), .tails(tails),
        .sequence_valid(read_valid_q), .sequence_own(read_own_q), .sequence_record(read_record_q),
        .reads_tail(reads_tail), .aged(aged)
    );

    // ---- links: what comes after a record, in its copy or in its list -----------------------------------------------
    // WITH_IDS 0: a record has its packet's name, which is kept once, and no other follows in its copy.
    localparam LINK_LSB = WITH_IDS != 0 ? 0 : RECORD_WIDTH + `MOEHUB_COPY_MORE_WIDTH;
    wire [COPY_WIDTH - 1:0]        link_written = link_append ? load_copy : {load_copy[COPY_WIDTH - 1:RECORD_WIDTH], free_record};
    wire [COPY_WIDTH - 1:LINK_LSB] link_rdata;
    wire                           unused_link_parity;

    moehub_memory_1r1w #(.WIDTH(COPY_WIDTH - LINK_LSB), .DEPTH(RECORDS), .PARITY(0)) u_links (
        .clk(clk),
        .write_enable(link_inside || link_append),
        .write_address(link_append || WITH_IDS == 0 ? s1_list_tail : s1_tail_q),
        .write_data(link_written[COPY_WIDTH - 1:LINK_LSB]),
        .read_enable(sequence_valid && !rst), .read_address(sequence_record), .read_data(link_rdata),
        .parity_error(unused_link_parity)
    );

    // ---- records ----------------------------------------------------------------------------------------------------
    generate
        if (WITH_IDS != 0) begin : g_ids
            wire unused_mark = &{1'b0, packet_mark};
            wire unused_next;
            wire unused_free_parity;
            wire unused_record_parity;

            moehub_record_maker #(
                .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .READ_REGISTER(READ_REGISTER), .PLACES(PLACES), .NAME_WIDTH(NAME_WIDTH)
            ) u_maker (
                .clk(clk), .rst(rst),
                .packet_valid(packet_valid), .packet_ready(packet_ready), .packet_name(packet_name),
                .packet_ids(packet_mark[`MOEHUB_CROSSBAR_MARK_TARGETS_LSB +: `MOEHUB_CROSSBAR_MARK_TARGETS_WIDTH]),
                .packet_copies(packet_mark[`MOEHUB_CROSSBAR_MARK_COPIES_LSB +: `MOEHUB_CROSSBAR_MARK_COPIES_WIDTH]),
                .packet_listed(packet_listed), .packet_place(packet_place),
                .targets_valid(targets_valid), .targets_ready(targets_ready), .targets_data(targets_data),
                .target_read_valid(target_read_valid), .target_read_ready(target_read_ready),
                .target_read_place(target_read_place), .read_data(read_data), .read_next(read_next),
                .record_valid(s0_valid), .name(s0_name), .copies(s0_copies), .first(s0_first), .last(s0_last),
                .starts(s0_starts), .record_output(s0_output), .ids(s0_ids), .count(s0_count), .taken(s0_accepted)
            );

            moehub_free_list #(.ENTRIES(COPIES), .SPARE(1), .PARITY(0)) u_free (
                .clk(clk), .rst(rst), .valid(free_valid), .next_valid(unused_next), .id(free_record), .take(s0_accepted),
                .put_valid(read_valid_q), .put_id(read_record_q), .used(records_used), .parity_error(unused_free_parity)
            );

            moehub_memory_1r1w #(.WIDTH(`MOEHUB_COPY_RECORD_KEPT_WIDTH), .DEPTH(COPIES), .PARITY(0)) u_records (
                .clk(clk), .write_enable(s0_accepted), .write_address(free_record), .write_data({s0_count, s0_ids}),
                .read_enable(sequence_valid && !rst), .read_address(sequence_record), .read_data(record),
                .parity_error(unused_record_parity)
            );
            assign link = link_rdata;
        end else begin : g_names
            wire unused = &{1'b0, packet_mark, packet_listed, packet_place, targets_valid, targets_data, target_read_ready,
                read_data, read_next, s0_ids, s0_count, link_written[LINK_LSB - 1:0]};
            assign packet_ready      = s0_accepted;
            assign s0_valid          = packet_valid;
            assign s0_name           = packet_name;
            assign s0_copies         = packet_mark[`MOEHUB_CROSSBAR_MARK_COPIES_LSB +: `MOEHUB_CROSSBAR_MARK_COPIES_WIDTH];
            assign s0_first          = 1'b1;
            assign s0_last           = 1'b1;
            assign s0_starts         = 1'b1;
            assign s0_output         = packet_mark[`MOEHUB_CROSSBAR_MARK_OUTPUT_LSB +: `MOEHUB_CROSSBAR_MARK_OUTPUT_WIDTH];
            assign s0_ids            = 24'd0;
            assign s0_count          = 2'd0;
            assign targets_ready     = 1'b0;
            assign target_read_valid = 1'b0;
            assign target_read_place = {`MOEHUB_INDEX_WIDTH(PLACES + 1){1'b0}};
            assign free_valid        = 1'b1;
            assign free_record       = packet_name;
            assign record            = {2'd0, 24'd0};
            assign link              = {link_rdata, {`MOEHUB_COPY_MORE_WIDTH{1'b0}}, link_rdata[LINK_LSB +: NAME_WIDTH]};
            assign records_used      = {$clog2(RECORDS + 1){1'b0}};
        end
    endgenerate
    assign left_name = left_valid_q ? s1_name_q : s0_name;
endmodule

`default_nettype wire
