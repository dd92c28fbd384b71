// SPDX-License-Identifier: Apache-2.0
// Purpose: the requests of a way, from their places to pre_reduce (doc/hub/ingress.md section 5).
// Contract:
//   1. write, end, space, freed and free_places are the packet queue's; check_* is an asker's of moehub_way_check.
//   2. asked is a stream of records, one a request, refused or not, in the order of the way.
//   3. Answers stand in the order of their questions until they are released. answers_there of them can be read: answer_read
//      names one, 0 the oldest, and answer shows it in the next cycle. A read in the cycle of a release counts from before.
//   4. in_flight: contexts of requests that passed their check, until partial_queued names the context.
// How: a request leaves its places with its last target flit, so that only records and answers wait for pre_reduce.
// Cost: REQUEST_ANSWERS answers and records, and a record that is offered. Of the asker: a request of one target every 4 cycles.
// Limits: check_valid to gone is a gate of check_taken: internal.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_way_requests #(
    parameter CONTEXTS          = 4,   // 1..8
    parameter LOCAL_EXPERT_BITS = 8,   // 0..8
    parameter MAX_TARGETS       = 32,  // 1..32 ids in a packet
    parameter ADDRESS_WIDTH     = 48,  // 32..64
    parameter PLACES            = 256, // 5..8191
    parameter REQUEST_ANSWERS   = 64,  // MAX_TARGETS..1024
    parameter READ_LINES        = 96   // 1..1024, of pre_reduce
) (
    input  wire                                      clk,
    input  wire                                      rst,
    // from the receiver
    output wire                                      space,
    input  wire                                      write_valid,
    input  wire                                      write_first,
    input  wire [127:0]                              write_data,
    input  wire                                      end_valid,
    input  wire                                      end_good,
    output wire                                      freed_valid,
    output wire [5:0]                                freed_flits,
    output wire [$clog2(PLACES + 1) - 1:0]           free_places,
    // check
    output wire                                      check_valid,
    output wire [`MOEHUB_WAY_CHECK_WIDTH - 1:0]      check,
    output wire [127:0]                              check_header,
    input  wire                                      check_taken,
    input  wire                                      passed,
    input  wire                                      counted,
    input  wire [4:0]                                cause,
    // address path
    output wire                                      question_valid,
    input  wire                                      question_ready,
    output wire [`MOEHUB_QUESTION_WIDTH - 1:0]       question,
    input  wire                                      answer_valid,
    input  wire [3:0]                                answer_status,
    input  wire [ADDRESS_WIDTH - 1:0]                answer_address,
    // pre_reduce
    output wire                                      m_axis_asked_tvalid,
    input  wire                                      m_axis_asked_tready,
    output wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] m_axis_asked_tdata,
    output wire [$clog2(REQUEST_ANSWERS + 1) - 1:0]  answers_there,
    input  wire                                      answer_read_valid,
    input  wire [4:0]                                answer_read_index,
    output wire [3:0]                                read_status,
    output wire [ADDRESS_WIDTH - 1:0]                read_address,
    input  wire                                      answers_release_valid,
    input  wire [5:0]                                answers_release_count,
    input  wire                                      partial_queued_valid,
    input  wire [2:0]                                partial_queued_context,
    // what happened
    output wire [CONTEXTS - 1:0]                     in_flight,
    output wire                                      question_stalled,
    output wire                                      no_answer_place
);
    generate
        if (PLACES < 5 || PLACES > 8191) PLACES_REQUEST_must_be_5_to_8191 u_rule ();
        if (REQUEST_ANSWERS < MAX_TARGETS || REQUEST_ANSWERS > 1024) REQUEST_ANSWERS_must_be_MAX_TARGETS_to_1024 u_rule ();
        if (READ_LINES < 1 || READ_LINES > 1024) READ_LINES_must_be_1_to_1024 u_rule ();
    endgenerate

    localparam PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam RECORD_WIDTH = `MOEHUB_REQUEST_RECORD_WIDTH;
    localparam INDEX_WIDTH  = `MOEHUB_INDEX_WIDTH(REQUEST_ANSWERS);
    localparam COUNT_WIDTH  = $clog2(REQUEST_ANSWERS + 1);
    localparam [31:0] ALL_ANSWERS = REQUEST_ANSWERS;
    localparam [COUNT_WIDTH - 1:0] ONE = 1;

    // ---- places, asker, records -------------------------------------------------------------------------------------------
    wire [4:0]                unused_ended;
    wire                      packet_there;
    wire                      take;
    wire                      read_valid;
    wire [PLACE_WIDTH - 1:0]  read_place;
    wire [127:0]              read_data;
    wire                      gone;
    wire [4:0]                gone_flits;
    moehub_packet_queue #(.PLACES(PLACES)) u_queue (
        .clk(clk), .rst(rst), .space(space), .write_valid(write_valid), .write_first(write_first), .write_data(write_data),
        .end_valid(end_valid), .end_good(end_good), .ended_flits(unused_ended),
        .packet_there(packet_there), .take(take),
        .read_valid(read_valid),
        .read_place(read_place), .read_data(read_data), .free_valid(gone), .free_flits(gone_flits), .freed_valid(freed_valid),
        .freed_flits(freed_flits), .free_places(free_places)
    );

    wire                      record_valid;
    wire [RECORD_WIDTH - 1:0] record;
    wire [COUNT_WIDTH - 1:0]  unused_held;
    wire                      no_place;
    wire                      asked;
    wire [5:0]                released = answers_release_valid ? answers_release_count : 6'd0;
    reg  [COUNT_WIDTH - 1:0]  records_q;
    moehub_asker #(
        .OPERATION(1), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .PLACES(PLACES), .ANSWERS(REQUEST_ANSWERS)
    ) u_asker (
        .clk(clk), .rst(rst), .packet_there(packet_there), .take(take),
        .read_valid(read_valid),
        .read_place(read_place), .read_data(read_data), .gone(gone), .gone_flits(gone_flits), .check_valid(check_valid),
        .check(check), .check_header(check_header), .check_taken(check_taken), .passed(passed), .counted(counted),
        .cause(cause), .record_room(records_q != ALL_ANSWERS[COUNT_WIDTH - 1:0]), .record_valid(record_valid), .record(record),
        .question_valid(question_valid), .question_ready(question_ready), .question(question), .released(released),
        .held(unused_held), .no_answer_place(no_place)
    );

    // pre_reduce takes a request with the last read of the one before, late in a cycle: a buffer before the FIFO's counts.
    wire [1:0]                unused_of_records;
    wire                      oldest_valid;
    wire                      oldest_ready;
    wire [RECORD_WIDTH - 1:0] oldest;
    moehub_memory_fifo #(.WIDTH(RECORD_WIDTH), .DEPTH(REQUEST_ANSWERS)) u_records (
        .clk(clk), .rst(rst), .in_valid(record_valid), .in_data(record), .out_valid(oldest_valid),
        .out_ready(oldest_ready), .out_data(oldest), .empty(unused_of_records[0]),
        .parity_error(unused_of_records[1])
    );
    moehub_ready_buffer #(.WIDTH(RECORD_WIDTH)) u_asked (
        .clk(clk), .rst(rst), .in_valid(oldest_valid), .in_ready(oldest_ready), .in_data(oldest),
        .out_valid(m_axis_asked_tvalid), .out_ready(m_axis_asked_tready), .out_data(m_axis_asked_tdata)
    );
    assign asked = oldest_valid && oldest_ready;

    always @(posedge clk) begin
        if (record_valid && !asked) records_q <= records_q + ONE;
        if (asked && !record_valid) records_q <= records_q - ONE;
        if (rst) records_q <= {COUNT_WIDTH{1'b0}};
    end

    // ---- answers: a ring --------------------------------------------------------------------------------------------------
    // The place `steps` places after `from`: no more than REQUEST_ANSWERS of them.
    function [INDEX_WIDTH - 1:0] ring_after(input [INDEX_WIDTH - 1:0] from, input [5:0] steps);
        reg [31:0] sum;
        begin
            sum = {{32 - INDEX_WIDTH{1'b0}}, from} + {26'd0, steps};
            if (sum >= ALL_ANSWERS) sum = sum - ALL_ANSWERS;
            ring_after = sum[INDEX_WIDTH - 1:0];
        end
    endfunction

    reg [INDEX_WIDTH - 1:0] next_q;   // where the next answer goes
    reg [INDEX_WIDTH - 1:0] oldest_q;
    reg [COUNT_WIDTH - 1:0] there_q;

    wire                           unused_parity;
    wire [ADDRESS_WIDTH + 3:0]     answer;
    wire [COUNT_WIDTH + 5:0]       there_sum = {6'd0, there_q} - {{COUNT_WIDTH{1'b0}}, released} +
        {{COUNT_WIDTH + 5{1'b0}}, answer_valid};
    wire unused_there = |there_sum[COUNT_WIDTH + 5:COUNT_WIDTH]; // never: no more are released than are there
    moehub_memory_1r1w #(.WIDTH(ADDRESS_WIDTH + 4), .DEPTH(REQUEST_ANSWERS), .PARITY(0)) u_answers (
        .clk(clk), .write_enable(answer_valid), .write_address(next_q), .write_data({answer_address, answer_status}),
        .read_enable(answer_read_valid && !rst), .read_address(ring_after(oldest_q, {1'b0, answer_read_index})),
        .read_data(answer),
        .parity_error(unused_parity)
    );
    assign answers_there = there_q;
    assign {read_address, read_status} = answer;

    always @(posedge clk) begin
        if (answer_valid) next_q <= ring_after(next_q, 6'd1);
        oldest_q <= ring_after(oldest_q, released);
        there_q  <= there_sum[COUNT_WIDTH - 1:0];
        if (rst) begin
            next_q   <= {INDEX_WIDTH{1'b0}};
            oldest_q <= {INDEX_WIDTH{1'b0}};
            there_q  <= {COUNT_WIDTH{1'b0}};
        end
    end

    // ---- what happened ------------------------------------------------------------------------------------------------------
    // Records, those of pre_reduce, and one in the asker.
    wire [2:0] check_context = check_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH];
    moehub_way_in_flight #(.CONTEXTS(CONTEXTS), .MOST(REQUEST_ANSWERS + READ_LINES + 8)) u_in_flight (
        .clk(clk), .rst(rst), .begin_valid(check_taken && passed), .begin_context(check_context),
        .done_valid(partial_queued_valid), .done_context(partial_queued_context), .in_flight(in_flight)
    );

    reg question_stalled_q;
    reg no_answer_place_q;
    assign question_stalled = question_stalled_q;
    assign no_answer_place  = no_answer_place_q;
    always @(posedge clk) begin
        question_stalled_q <= question_valid && !question_ready;
        no_answer_place_q  <= no_place;
        if (rst) begin
            question_stalled_q <= 1'b0;
            no_answer_place_q  <= 1'b0;
        end
    end
endmodule

`default_nettype wire
