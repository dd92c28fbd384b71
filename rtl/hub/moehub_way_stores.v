// SPDX-License-Identifier: Apache-2.0
// Purpose: the stores of a way, from their places to the tile tracker (doc/hub/ingress.md section 3); wiring.
// Contract:
//   1. write, end, space, freed and free_places are the packet queue's; check_* is an asker's of moehub_way_check.
//   2. One question a target of a packet that passes; a packet's places are free when header, target flits and payload were read.
//   3. Writes and completed records in the order of packets and targets.
//   4. in_flight: contexts of packets from their check, if it was passed or counts pairs, until the tracker took the last record.
//   5. failed, answer_error_* of pairs that the address path refused; write_error_* of B responses.
// How: the asker has the queue's read port before the reader: it reads one flit in nine, and is held by its places.
// Cost: doc/hub/ingress.md sections 3 and 8.
// Limits: check_valid to read port is a gate of check_taken: internal.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_way_stores #(
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter PLACES            = 2048, // 14..8191
    parameter ANSWERS           = 128,  // 1..1024
    parameter WRITES            = 256   // 2..1024
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]         list_bases,
    input  wire [CONTEXTS * 5 - 1:0]                     list_shifts,
    // from the receiver
    output wire                                          space,
    input  wire                                          write_valid,
    input  wire                                          write_first,
    input  wire [127:0]                                  write_data,
    input  wire                                          end_valid,
    input  wire                                          end_good,
    output wire                                          freed_valid,
    output wire [5:0]                                    freed_flits,
    output wire [$clog2(PLACES + 1) - 1:0]               free_places,
    // check
    output wire                                          check_valid,
    output wire [`MOEHUB_WAY_CHECK_WIDTH - 1:0]          check,
    output wire [127:0]                                  check_header,
    input  wire                                          check_taken,
    input  wire                                          passed,
    input  wire                                          counted,
    input  wire [4:0]                                    cause,
    // address path
    output wire                                          question_valid,
    input  wire                                          question_ready,
    output wire [`MOEHUB_QUESTION_WIDTH - 1:0]           question,
    input  wire                                          answer_valid,
    input  wire [`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 1:0] answer,
    // memory
    output wire                                          m_axi_data_awvalid,
    input  wire                                          m_axi_data_awready,
    output wire [ADDRESS_WIDTH - 1:0]                    m_axi_data_awaddr,
    output wire [7:0]                                    m_axi_data_awlen,
    output wire                                          m_axi_data_wvalid,
    input  wire                                          m_axi_data_wready,
    output wire [255:0]                                  m_axi_data_wdata,
    output wire [31:0]                                   m_axi_data_wstrb,
    output wire                                          m_axi_data_wlast,
    input  wire                                          m_axi_data_bvalid,
    output wire                                          m_axi_data_bready,
    input  wire [1:0]                                    m_axi_data_bresp,
    // tile tracker
    output wire                                          m_axis_completed_tvalid,
    input  wire                                          m_axis_completed_tready,
    output wire [`MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0] m_axis_completed_tdata,
    // what happened
    output wire [CONTEXTS - 1:0]                         in_flight,
    output wire [CONTEXTS - 1:0]                         failed,
    output wire [`MOEHUB_STORE_EVENTS_WIDTH - 1:0]       events,
    output wire                                          answer_error_valid,
    output wire [127:0]                                  answer_error_header,
    output wire                                          write_error_valid,
    output wire [127:0]                                  write_error_header,
    output wire [$clog2(ANSWERS + 1) - 1:0]              held,
    output wire [$clog2(WRITES + 1) - 1:0]               used_writes
);
    generate
        if (PLACES < 14 || PLACES > 8191) PLACES_STORE_must_be_14_to_8191 u_rule ();
    endgenerate

    localparam PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam RECORD_WIDTH = `MOEHUB_STORE_RECORD_WIDTH;
    localparam ANSWER_WIDTH = `MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH);
    localparam COUNT_WIDTH  = $clog2(ANSWERS + 1);
    localparam [31:0] ALL_RECORDS = ANSWERS;
    localparam [COUNT_WIDTH - 1:0] ONE = 1;

    // ---- places -----------------------------------------------------------------------------------------------------------
    wire [4:0]                unused_ended;
    wire                      packet_there;
    wire                      take;
    wire                      asker_read;
    wire [PLACE_WIDTH - 1:0]  asker_place;
    wire                      reader_read;
    wire [PLACE_WIDTH - 1:0]  reader_place;
    wire [127:0]              read_data;
    wire                      free_valid;
    wire [4:0]                free_flits;
    moehub_packet_queue #(.PLACES(PLACES)) u_queue (
        .clk(clk), .rst(rst), .space(space), .write_valid(write_valid), .write_first(write_first), .write_data(write_data),
        .end_valid(end_valid), .end_good(end_good), .ended_flits(unused_ended),
        .packet_there(packet_there), .take(take),
        .read_valid(asker_read || reader_read),
        .read_place(asker_read ? asker_place : reader_place), .read_data(read_data), .free_valid(free_valid),
        .free_flits(free_flits), .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places)
    );

    // ---- asker, records, answers --------------------------------------------------------------------------------------------
    wire                      record_valid;
    wire [RECORD_WIDTH - 1:0] record;
    wire                      head_valid;
    wire                      head_ready;
    wire [RECORD_WIDTH - 1:0] head;
    wire                      next_valid;
    wire                      next_ready;
    wire [ANSWER_WIDTH - 1:0] next;
    wire                      no_answer_place;
    wire                      gone;
    wire [4:0]                unused_gone_flits;
    wire [3:0]                unused_of_fifos;
    reg  [COUNT_WIDTH - 1:0]  records_q;
    reg                       record_room_q;
    wire [COUNT_WIDTH - 1:0]  records_d = record_valid && !head_ready ? records_q + ONE :
        head_ready && !record_valid ? records_q - ONE : records_q;
    moehub_asker #(
        .OPERATION(0), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .PLACES(PLACES), .ANSWERS(ANSWERS)
    ) u_asker (
        .clk(clk), .rst(rst), .packet_there(packet_there), .take(take),
        .read_valid(asker_read),
        .read_place(asker_place), .read_data(read_data), .gone(gone), .gone_flits(unused_gone_flits),
        .check_valid(check_valid), .check(check), .check_header(check_header), .check_taken(check_taken), .passed(passed),
        .counted(counted), .cause(cause), .record_room(record_room_q),
        .record_valid(record_valid), .record(record), .question_valid(question_valid), .question_ready(question_ready),
        .question(question), .released({5'd0, next_ready}), .held(held), .no_answer_place(no_answer_place)
    );
    moehub_memory_fifo #(.WIDTH(RECORD_WIDTH), .DEPTH(ANSWERS), .LANDING(2)) u_records (
        .clk(clk), .rst(rst), .in_valid(record_valid), .in_data(record), .out_valid(head_valid), .out_ready(head_ready),
        .out_data(head), .empty(unused_of_fifos[0]), .parity_error(unused_of_fifos[1])
    );
    moehub_memory_fifo #(.WIDTH(ANSWER_WIDTH), .DEPTH(ANSWERS), .LANDING(2)) u_answers (
        .clk(clk), .rst(rst), .in_valid(answer_valid), .in_data(answer), .out_valid(next_valid), .out_ready(next_ready),
        .out_data(next), .empty(unused_of_fifos[2]), .parity_error(unused_of_fifos[3])
    );

    always @(posedge clk) begin
        records_q     <= records_d;
        record_room_q <= records_d != ALL_RECORDS[COUNT_WIDTH - 1:0];
        if (rst) begin
            records_q     <= {COUNT_WIDTH{1'b0}};
            record_room_q <= 1'b1;
        end
    end

    // ---- a packet's places: free when both have read what they need of it ---------------------------------------------------
    // The reader may be ahead only with the newest packet, of which the asker has target flits to read.
    wire       read_out; // by the reader
    wire [4:0] read_out_flits;
    reg        targets_left_q; // of the newest record
    reg        late_q;         // its payload was read
    reg  [4:0] late_flits_q;
    wire       ahead = read_out && targets_left_q && !gone && records_q == ONE;

    assign free_valid = (read_out && !ahead) || (late_q && gone);
    assign free_flits = late_q ? late_flits_q : read_out_flits;

    always @(posedge clk) begin
        targets_left_q <= (targets_left_q || record_valid) && !gone;
        late_q         <= (late_q || ahead) && !gone;
        if (ahead) late_flits_q <= read_out_flits;
        if (rst) begin
            targets_left_q <= 1'b0;
            late_q         <= 1'b0;
        end
    end

    // ---- line buffer --------------------------------------------------------------------------------------------------------
    wire                           beat_valid;
    wire [`MOEHUB_INDEX_WIDTH(`MOEHUB_WAY_LINES) + 1:0] beat_address;
    wire [287:0]                   beat;
    wire                           whole;
    wire [`MOEHUB_LINE_WIDTH - 1:0] line;
    wire [7:0]                     bytes;
    wire                           released;
    moehub_line_reader #(.PLACES(PLACES)) u_reader (
        .clk(clk), .rst(rst), .record_valid(head_valid), .record_ready(head_ready), .record(head), .port_free(!asker_read),
        .read_valid(reader_read), .read_place(reader_place), .read_data(read_data), .free_valid(read_out),
        .free_flits(read_out_flits), .beat_valid(beat_valid), .beat_address(beat_address), .beat(beat), .whole(whole),
        .line(line), .bytes(bytes), .released(released)
    );

    // ---- writes -------------------------------------------------------------------------------------------------------------
    wire                                              room;
    wire                                              room_two;
    wire                                              record_written;
    wire [`MOEHUB_WRITE_RECORD_WIDTH(SLOT_WIDTH) - 1:0] write_record;
    wire                                              line_written;
    wire                                              word_written;
    wire                                              answer_missing;
    wire                                              memory_stalled;
    wire                                              no_write_place;
    moehub_data_mover #(.CONTEXTS(CONTEXTS), .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH)) u_mover (
        .clk(clk), .rst(rst), .list_bases(list_bases), .list_shifts(list_shifts),
        .beat_valid(beat_valid), .beat_address(beat_address), .beat(beat), .whole(whole), .line(line),
        .bytes(bytes), .released(released),
        .answer_valid(next_valid), .answer_ready(next_ready), .answer(next),
        .write_room(room), .write_room_two(room_two), .write_valid(record_written), .write_record(write_record),
        .m_axi_awvalid(m_axi_data_awvalid), .m_axi_awready(m_axi_data_awready), .m_axi_awaddr(m_axi_data_awaddr),
        .m_axi_awlen(m_axi_data_awlen), .m_axi_wvalid(m_axi_data_wvalid), .m_axi_wready(m_axi_data_wready),
        .m_axi_wdata(m_axi_data_wdata), .m_axi_wstrb(m_axi_data_wstrb), .m_axi_wlast(m_axi_data_wlast),
        .line_written(line_written), .word_written(word_written), .answer_missing(answer_missing),
        .memory_stalled(memory_stalled), .no_write_place(no_write_place), .failed(failed), .error_valid(answer_error_valid),
        .error_header(answer_error_header)
    );

    wire       last;
    wire [2:0] last_context;
    wire       bytes_taken;
    wire       refused_taken;
    wire       completed_stalled;
    moehub_completed_writes #(.SLOT_WIDTH(SLOT_WIDTH), .WRITES(WRITES)) u_completed (
        .clk(clk), .rst(rst), .room(room), .room_two(room_two), .write_valid(record_written), .write_record(write_record),
        .m_axi_bvalid(m_axi_data_bvalid), .m_axi_bready(m_axi_data_bready), .m_axi_bresp(m_axi_data_bresp),
        .m_axis_completed_tvalid(m_axis_completed_tvalid), .m_axis_completed_tready(m_axis_completed_tready),
        .m_axis_completed_tdata(m_axis_completed_tdata), .last(last), .last_context(last_context), .bytes(bytes_taken),
        .refused(refused_taken), .stalled(completed_stalled), .error_valid(write_error_valid),
        .error_header(write_error_header), .used(used_writes)
    );

    // ---- what happened ------------------------------------------------------------------------------------------------------
    wire [2:0] check_context = check_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH];
    // Records, lines of the buffer, and one in the asker; packets of which the tracker has not taken the last record.
    moehub_way_in_flight #(.CONTEXTS(CONTEXTS), .MOST(ANSWERS + WRITES + `MOEHUB_WAY_LINES + 6)) u_in_flight (
        .clk(clk), .rst(rst), .begin_valid(check_taken && (passed || counted)), .begin_context(check_context),
        .done_valid(last), .done_context(last_context), .in_flight(in_flight)
    );

    reg question_stalled_q;
    reg no_answer_place_q;
    always @(posedge clk) begin
        question_stalled_q <= question_valid && !question_ready;
        no_answer_place_q  <= no_answer_place;
        if (rst) begin
            question_stalled_q <= 1'b0;
            no_answer_place_q  <= 1'b0;
        end
    end
    assign events = `MOEHUB_STORE_EVENTS(answer_error_valid, write_error_valid, bytes_taken, refused_taken, line_written,
        word_written, question_stalled_q, no_answer_place_q, answer_missing, memory_stalled, no_write_place, completed_stalled);
endmodule

`default_nettype wire
