// SPDX-License-Identifier: Apache-2.0
// moehub_asker: never more questions than answers have places, so that the answer stream never waits; of a packet that passed
// exactly one question a target, of a refused one none; a packet is taken only where its record has a place, and is gone once.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"
module formal_asker #(
    parameter OPERATION = 0,
    parameter PLACES    = 8,
    parameter ANSWERS   = 2
) (
    input wire         clk,
    input wire         rst,
    input wire         packet_there,
    input wire [127:0] read_data,
    input wire         check_taken,
    input wire         passed,
    input wire         counted,
    input wire [4:0]   cause,
    input wire         record_room,
    input wire         question_ready,
    input wire [5:0]   released
);
`include "formal_reset.vh"
    localparam PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam RECORD_WIDTH = `MOEHUB_ASKER_RECORD_WIDTH(OPERATION);
    wire                                 take;
    wire                                 read_valid;
    wire [PLACE_WIDTH - 1:0]             read_place;
    wire                                 gone;
    wire [4:0]                           gone_flits;
    wire                                 check_valid;
    wire [`MOEHUB_WAY_CHECK_WIDTH - 1:0] check;
    wire [127:0]                         header;
    wire                                 record_valid;
    wire [RECORD_WIDTH - 1:0]            record;
    wire                                 question_valid;
    wire [`MOEHUB_QUESTION_WIDTH - 1:0]  question;
    wire [$clog2(ANSWERS + 1) - 1:0]     held;
    wire                                 no_answer_place;
    moehub_asker #(.OPERATION(OPERATION), .PLACES(PLACES), .ANSWERS(ANSWERS)) u_asker (
        .clk(clk), .rst(rst), .packet_there(packet_there), .take(take), .read_valid(read_valid), .read_place(read_place),
        .read_data(read_data), .gone(gone), .gone_flits(gone_flits), .check_valid(check_valid), .check(check),
        .check_header(header), .check_taken(check_taken), .passed(passed), .counted(counted), .cause(cause),
        .record_room(record_room), .record_valid(record_valid), .record(record), .question_valid(question_valid),
        .question_ready(question_ready), .question(question), .released(released), .held(held),
        .no_answer_place(no_answer_place)
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_QUESTION_WIDTH)) u_question (
        .clk(clk), .rst(rst), .valid(question_valid), .ready(question_ready), .data(question)
    );

    // ---- questions made and not taken: one in the asker's own register, one in the buffer behind it --------------------------
    (* hierconn *) wire \u_asker.question_valid_q ;
    (* hierconn *) wire \u_asker.u_question.held_q ;
    wire [6:0] standing = {6'd0, \u_asker.question_valid_q } + {6'd0, \u_asker.u_question.held_q };

    // ---- targets of the packet at the check: the packet check lets no other number pass -------------------------------------
    wire       compact = header[`MOEHUB_HEADER_FORMAT_LSB];
    wire [5:0] targets = compact ? {4'd0, header[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: `MOEHUB_COMPACT_TARGET_COUNT_WIDTH]}
        : header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH];
    wire judged = check_valid && check_taken && !rst;
    wire moves  = question_valid && question_ready && !rst;

    // questions that were taken and whose answers were not released; answers of those alone are released
    reg [6:0] open_q  = 7'd0;
    reg [6:0] due_q   = 7'd0; // questions of the packet judged last that were not taken yet
    reg       gone_q  = 1'b0; // that packet is gone
    reg       known_q = 1'b0; // a packet was taken since the reset
    reg       full_q  = 1'b0; // all places were held
    reg       many_q  = 1'b0; // a packet with more targets than a flit has
    reg       there_q = 1'b0; // a packet was there and not taken, a record had room and was not pushed: both stay
    reg       room_q  = 1'b0;
    always @* begin
        assume (!check_taken || check_valid);
        assume (!check_valid || (targets != 6'd0 && targets <= 6'd32));
        assume ({1'b0, released} <= open_q);
        assume (!there_q || packet_there);
        assume (!room_q || record_room);
    end
    always @(posedge clk) begin
        open_q  <= rst ? 7'd0 : open_q + {6'd0, moves} - {1'b0, released};
        due_q   <= rst ? 7'd0 : due_q + (judged && passed ? {1'b0, targets} : 7'd0) - {6'd0, moves};
        gone_q  <= !rst && !take && (gone_q || gone);
        known_q <= !rst && (known_q || take);
        there_q <= !rst && packet_there && !take;
        room_q  <= !rst && record_room && !record_valid;
        full_q  <= !rst && (full_q || open_q == ANSWERS);
        many_q  <= !rst && (many_q || (judged && passed && targets > 6'd8));
    end

    always @* if (started_q) begin
        answers_fit:  assert (open_q + standing <= ANSWERS);
        no_more:      assert (!question_valid || due_q != 7'd0);
        all_asked:    assert (!take || rst || due_q == standing);
        gone_once:    assert (!(gone && gone_q) && (!(take && known_q) || gone_q));
        has_record:   assert (!take || record_room);
        one_record:   assert (record_valid == check_taken);
    end
    always @* begin
        all_held:  cover (full_q && moves && open_q == ANSWERS - 1);
        many_gone: cover (take && many_q);
        takes_on:  cover (take && gone_q && due_q == 7'd2);
        refuses:   cover (judged && !passed && known_q);
    end
endmodule
`default_nettype wire
