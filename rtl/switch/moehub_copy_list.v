// SPDX-License-Identifier: Apache-2.0
// Purpose: makes the copy records of an input's packets, in order, and keeps them in a list for each output.
// Contract:
//   1. A copy's records are those of the ids of one output in one packet; its packet's number of copies has been given as left_*
//      before the first. A copy is in its output's list when all its records are written.
//   2. A copy that comes to an empty list is given as load_* instead of a link; a packet's first copy, of one record, already as
//      the record is made, if load_ready is high then. A list is empty from the cycle in which its tail's record is read.
//   3. record, link and link_valid follow sequence_valid by a cycle; link_valid: the record read is not its list's tail.
//   4. Target flits of a packet that is not listed are read with target_read_*: ready means that read_place of this cycle is the
//      copy list's, and that read_data and read_next of the next cycle are the answer.
//   5. aged: lists with a copy that is too old for its arrival number to be compared (moehub_list_age). Copies of lists that are
//      not aged are less than half the numbers apart.
//   6. WITH_IDS 0: a packet is one record without ids for the output in its mark, and the record's name is the packet's.
// Cost: a record a cycle, and a cycle more for a copy of several. Memories doc/plane/crossbar.md section 8.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_copy_list #(
    parameter PORTS             = 8,
    parameter WITH_IDS          = 1,
    parameter LOCAL_EXPERT_BITS = 8,
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
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   sequence_output,
    input  wire [`MOEHUB_INDEX_WIDTH(WITH_IDS != 0 ? COPIES : PACKETS) - 1:0] sequence_record,
    output wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0]    record,
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
    localparam [ARRIVAL_WIDTH - 1:0] EIGHTH_LAST = (1 << (ARRIVAL_WIDTH - 3)) - 1;

    // ---- s0: the packet's next record is made -----------------------------------------------------------------------
    wire                  s0_valid;     // there are ids, or none is needed
    wire                  s0_starts;    // the packet's first record
    wire [5:0]            s0_output;
    wire [23:0]           s0_ids;
    wire [1:0]            s0_count;
    wire                  s0_end_known; // else the packet's next target flit says whether the copy goes on
    wire                  s0_end;       // the copy's last record
    wire                  s0_last;      // the packet's last record
    wire                  s1_room;
    wire                  unused_output = &{1'b0, s0_output};
    wire                  s0_accepted = s0_valid && s1_room && (!s0_starts || left_ready);

    reg [ARRIVAL_WIDTH - 1:0] arrival_q;

    assign packet_ready = s0_accepted && s0_last;
    assign left_valid   = s0_valid && s1_room && s0_starts;
    assign left_name    = packet_name;
    assign left_copies  = packet_mark[`MOEHUB_CROSSBAR_MARK_COPIES_LSB +: `MOEHUB_CROSSBAR_MARK_COPIES_WIDTH];

    reg                       s1_valid_q;
    reg                       s1_written_q; // the record is in memory; the copy comes to its list now
    reg [PORT_WIDTH - 1:0]    s1_output_q;
    reg [23:0]                s1_ids_q;
    reg [1:0]                 s1_count_q;
    reg                       s1_end_known_q;
    reg                       s1_end_q;
    reg [NAME_WIDTH - 1:0]    s1_name_q;
    reg [ARRIVAL_WIDTH - 1:0] s1_arrival_q;
    reg                       s1_loaded_q;  // the copy is its list's head already
    reg                       s1_next_age_q; // the packet is the first of an eighth of the arrival numbers

    // ---- s1: the record is written, the copy comes to its list ------------------------------------------------------
    reg                      copy_open_q;  // a record of the copy is written already
    reg [RECORD_WIDTH - 1:0] copy_first_q;
    reg [RECORD_WIDTH - 1:0] previous_q;   // the record written last

    wire                      free_valid;
    wire [RECORD_WIDTH - 1:0] free_record;
    wire [RECORD_WIDTH - 1:0] s0_record; // that the record made in s0 gets if s1 is empty
    wire [PORTS - 1:0]        empty; // no record of the output's list is unread
    wire [PORTS * RECORD_WIDTH - 1:0] tails;

    wire s1_known   = s1_valid_q && !s1_written_q && (s1_end_known_q || s0_valid);
    wire s1_end     = s1_end_known_q ? s1_end_q : s0_output[PORT_WIDTH - 1:0] != s1_output_q;
    wire s1_writable = s1_known && free_valid;
    wire s1_single  = s1_end && !copy_open_q;
    wire s1_appends = (s1_writable && s1_single) || (s1_valid_q && s1_written_q);

    wire [RECORD_WIDTH - 1:0] s1_first = s1_written_q ? copy_first_q : free_record;
    wire [RECORD_WIDTH - 1:0] s1_tail  = s1_written_q ? previous_q : free_record;
    wire [COPY_WIDTH - 1:0]   s1_copy  = `MOEHUB_COPY(s1_first, s1_name_q, s1_arrival_q);

    wire [RECORD_WIDTH - 1:0] list_tail     = tails[s1_output_q * RECORD_WIDTH +: RECORD_WIDTH];
    wire [RECORD_WIDTH - 1:0] sequence_tail = tails[sequence_output * RECORD_WIDTH +: RECORD_WIDTH];
    wire reads_tail  = sequence_valid && sequence_record == sequence_tail;
    wire to_head     = empty[s1_output_q] || (reads_tail && sequence_output == s1_output_q);
    wire appended    = s1_appends && (s1_loaded_q || !to_head || load_ready);
    wire written     = s1_writable && (!s1_single || appended);
    wire link_inside = written && copy_open_q;
    wire link_append = appended && !to_head;

    // ---- heads of empty lists: from s1; with s1 empty from s0, when the copy is known to be of one record ---------------
    // The record that it will be written to is the free one, which nothing takes meanwhile.
    wire [PORT_WIDTH - 1:0] s0_list  = s0_output[PORT_WIDTH - 1:0];
    wire s0_loads = s0_accepted && !s1_valid_q && s0_starts && s0_end_known && s0_end && free_valid && empty[s0_list];
    wire [COPY_WIDTH - 1:0] s0_copy  = `MOEHUB_COPY(s0_record, packet_name, arrival_q);

    assign s1_room      = !s1_valid_q || appended || (written && !s1_end);
    assign load_valid   = s1_valid_q ? s1_appends && to_head && !s1_loaded_q : s0_loads;
    assign load_output  = s1_valid_q ? s1_output_q : s0_list;
    assign load_copy    = s1_valid_q ? s1_copy : s0_copy;
    assign record_waits = s1_known && !free_valid;
    assign target_reads = target_read_valid && target_read_ready;

    always @(posedge clk) begin
        if (s1_room) s1_valid_q <= s0_accepted;
        s1_written_q <= (s1_written_q && !appended) || (written && s1_end && !s1_single);
        if (packet_ready) arrival_q <= arrival_q + ARRIVAL_ONE;
        if (written) copy_open_q <= !s1_end;
        s1_next_age_q <= s0_accepted && s0_starts && (arrival_q & EIGHTH_LAST) == {ARRIVAL_WIDTH{1'b0}};
        if (rst) begin
            s1_next_age_q <= 1'b0;
            s1_valid_q   <= 1'b0;
            s1_written_q <= 1'b0;
            arrival_q    <= {ARRIVAL_WIDTH{1'b0}};
            copy_open_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (s0_accepted) begin
            s1_output_q    <= s0_output[PORT_WIDTH - 1:0];
            s1_ids_q       <= s0_ids;
            s1_count_q     <= s0_count;
            s1_end_known_q <= s0_end_known;
            s1_end_q       <= s0_end;
            s1_name_q      <= packet_name;
            s1_arrival_q   <= arrival_q;
            s1_loaded_q    <= s0_loads && load_ready;
        end
        if (written) previous_q <= free_record;
        if (written && !copy_open_q) copy_first_q <= free_record;
    end

    genvar o;
    generate
        for (o = 0; o < PORTS; o = o + 1) begin : g_list
            localparam [31:0] OUTPUT = o;
            reg                      empty_q;
            reg [RECORD_WIDTH - 1:0] tail_q;
            wire appends = appended && s1_output_q == OUTPUT[PORT_WIDTH - 1:0];
            always @(posedge clk) begin
                if (reads_tail && sequence_output == OUTPUT[PORT_WIDTH - 1:0]) empty_q <= 1'b1;
                if (appends) empty_q <= 1'b0;
                if (rst) empty_q <= 1'b1;
            end
            always @(posedge clk) begin
                if (appends) tail_q <= s1_tail;
            end
            assign empty[o] = empty_q;
            assign tails[o * RECORD_WIDTH +: RECORD_WIDTH] = tail_q;
        end
    endgenerate

    // The copies of the packets before are in their lists when the first record of the next one is in s1.
    moehub_list_age #(.PORTS(PORTS), .RECORD_WIDTH(RECORD_WIDTH)) u_age (
        .clk(clk), .rst(rst), .next_age(s1_next_age_q), .empty(empty), .tails(tails),
        .sequence_valid(sequence_valid), .sequence_output(sequence_output), .sequence_record(sequence_record),
        .reads_tail(reads_tail), .aged(aged)
    );

    // ---- links: what comes after a record, in its copy or in its list -----------------------------------------------
    reg  link_valid_q;
    wire unused_link_parity;

    always @(posedge clk) begin
        link_valid_q <= !reads_tail;
    end
    assign link_valid = link_valid_q;

    // WITH_IDS 0: a record has its packet's name, which is kept once.
    localparam LINK_LSB = WITH_IDS != 0 ? 0 : RECORD_WIDTH;
    wire [COPY_WIDTH - 1:LINK_LSB] link_rdata;

    moehub_memory_1r1w #(.WIDTH(COPY_WIDTH - LINK_LSB), .DEPTH(RECORDS), .PARITY(0)) u_links (
        .clk(clk),
        .write_enable(link_inside || link_append), .write_address(link_append ? list_tail : previous_q),
        .write_data(s1_copy[COPY_WIDTH - 1:LINK_LSB]),
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

            moehub_record_maker #(.LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .PLACES(PLACES)) u_maker (
                .clk(clk), .rst(rst),
                .packet_valid(packet_valid), .packet_ids(packet_mark[`MOEHUB_CROSSBAR_MARK_TARGETS_LSB +: 6]),
                .packet_listed(packet_listed), .packet_place(packet_place),
                .targets_valid(targets_valid), .targets_ready(targets_ready), .targets_data(targets_data),
                .target_read_valid(target_read_valid), .target_read_ready(target_read_ready),
                .target_read_place(target_read_place), .read_data(read_data), .read_next(read_next),
                .record_valid(s0_valid), .starts(s0_starts), .last(s0_last), .record_output(s0_output), .ids(s0_ids),
                .count(s0_count), .end_known(s0_end_known), .record_end(s0_end), .taken(s0_accepted)
            );

            moehub_free_list #(.ENTRIES(COPIES), .PARITY(0)) u_free (
                .clk(clk), .rst(rst), .valid(free_valid), .next_valid(unused_next), .id(free_record), .take(written),
                .put_valid(sequence_valid), .put_id(sequence_record), .used(records_used), .parity_error(unused_free_parity)
            );

            moehub_memory_1r1w #(.WIDTH(`MOEHUB_COPY_RECORD_WIDTH), .DEPTH(COPIES), .PARITY(0)) u_records (
                .clk(clk), .write_enable(written), .write_address(free_record), .write_data({s1_end, s1_count_q, s1_ids_q}),
                .read_enable(sequence_valid && !rst), .read_address(sequence_record), .read_data(record),
                .parity_error(unused_record_parity)
            );
            assign s0_record = free_record;
            assign link = link_rdata;
        end else begin : g_names
            wire unused = &{1'b0, packet_mark, packet_listed, packet_place, targets_valid, targets_data, target_read_ready,
                read_data, read_next, s1_ids_q, s1_count_q};
            assign s0_valid          = packet_valid;
            assign s0_starts         = 1'b1;
            assign s0_last           = 1'b1;
            assign s0_output         = packet_mark[`MOEHUB_CROSSBAR_MARK_OUTPUT_LSB +: `MOEHUB_CROSSBAR_MARK_OUTPUT_WIDTH];
            assign s0_ids            = 24'd0;
            assign s0_count          = 2'd0;
            assign s0_end_known      = 1'b1;
            assign s0_end            = 1'b1;
            assign targets_ready     = 1'b0;
            assign target_read_valid = 1'b0;
            assign target_read_place = {`MOEHUB_INDEX_WIDTH(PLACES + 1){1'b0}};
            assign free_valid        = 1'b1;
            assign free_record       = s1_name_q;
            assign s0_record         = packet_name;
            assign record            = {1'b1, 2'd0, 24'd0};
            assign link              = {link_rdata, link_rdata[RECORD_WIDTH +: NAME_WIDTH]};
            assign records_used      = {$clog2(RECORDS + 1){1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
