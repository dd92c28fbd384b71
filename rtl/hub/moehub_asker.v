// SPDX-License-Identifier: Apache-2.0
// Purpose: asks the address path for each target of a way's stores, or of its requests (doc/hub/ingress.md sections 3 and 5).
// Contract:
//   1. It takes the packets of its queue in their order, each when the records have a place, and reads header and target flits:
//      read has the queue's port at once. packet_there and record_room stay until take, and until a record is pushed.
//   2. check_valid stands until check_taken, with which passed, counted and cause come. The packet's record is pushed then.
//   3. Of a packet that passed it asks one question a target, in the order of the ids. question is a stream.
//   4. A question is offered only while fewer than ANSWERS were offered whose answers are not released.
//   5. gone: header and target flits of a packet have been read, or it was refused; with its flits. (Of a request that is all.)
// How: a packet at a time: read the header, keep it, check, ask. Target flits are read as the eight ids before are asked.
// Cost: a packet of one target every 4 cycles, and those of the check; FORMAT 0 two more, and two more for each further target
//   flit. Two questions are kept, the second one only while the first is not taken.
// Limits: record_valid and gone are gates of check_taken: internal.
// Proved: formal/hub/formal_asker.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_asker #(
    parameter OPERATION         = 0,    // 0 stores, 1 requests
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter PLACES            = 2048, // 1..8191
    parameter ANSWERS           = 128   // 1..1024
) (
    input  wire                                                  clk,
    input  wire                                                  rst,
    // its queue
    input  wire                                                  packet_there,
    output wire                                                  take,
    output wire                                                  read_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0]              read_place,
    input  wire [127:0]                                          read_data,
    output wire                                                  gone,
    output wire [4:0]                                            gone_flits,
    // check
    output wire                                                  check_valid,
    output wire [`MOEHUB_WAY_CHECK_WIDTH - 1:0]                  check,
    output wire [127:0]                                          check_header,
    input  wire                                                  check_taken,
    input  wire                                                  passed,
    input  wire                                                  counted,
    input  wire [4:0]                                            cause,
    // records, questions
    input  wire                                                  record_room,
    output wire                                                  record_valid,
    output wire [`MOEHUB_ASKER_RECORD_WIDTH(OPERATION) - 1:0]    record,
    output wire                                                  question_valid,
    input  wire                                                  question_ready,
    output wire [`MOEHUB_QUESTION_WIDTH - 1:0]                   question,
    input  wire [5:0]                                            released, // answers that are used up
    output wire [$clog2(ANSWERS + 1) - 1:0]                      held,
    output wire                                                  no_answer_place
);
    generate
        if (OPERATION != 0 && OPERATION != 1) OPERATION_must_be_0_or_1 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (PLACES < 1 || PLACES > 8191) PLACES_must_be_1_to_8191 u_rule ();
        if (ANSWERS < 1 || ANSWERS > 1024) ANSWERS_must_be_1_to_1024 u_rule ();
    endgenerate

    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam HELD_WIDTH  = $clog2(ANSWERS + 1);
    localparam STORES      = OPERATION == `MOEHUB_REQUEST_WRITE_TOUCH;
    localparam [31:0] ALL_PLACES  = PLACES;
    localparam [31:0] ALL_ANSWERS = ANSWERS;
    localparam [7:0]  LOCALS      = ~(8'hff << LOCAL_EXPERT_BITS);

    // One bit a state: what reads the queue's port must be known early in a cycle.
    localparam STATES = 7;
    localparam IDLE   = 0;
    localparam READ   = 1; // the header is read
    localparam HEADER = 2; // it is kept
    localparam CHECK  = 3;
    localparam FETCH  = 4; // a target flit is read
    localparam KEEP   = 5; // it is kept
    localparam ASK    = 6;

    // The place `steps` places after `from`, less than PLACES of them.
    function [PLACE_WIDTH - 1:0] after(input [PLACE_WIDTH - 1:0] from, input [4:0] steps);
        reg [31:0] sum;
        begin
            sum = {{32 - PLACE_WIDTH{1'b0}}, from} + {27'd0, steps};
            if (sum >= ALL_PLACES) sum = sum - ALL_PLACES;
            after = sum[PLACE_WIDTH - 1:0];
        end
    endfunction

    reg [STATES - 1:0]      state_q; // one hot
    reg [PLACE_WIDTH - 1:0] head_q;  // of the packet that is taken next, or was taken last
    reg [PLACE_WIDTH - 1:0] place_q; // of its next target flit
    reg                     passes_q; // head_q is to pass it, which has flits_q
    reg [4:0]               flits_q;
    reg [127:0]             header_q;
    reg [63:0]              ids_q;   // of a target flit, or of the header: local experts, the next one lowest
    reg [3:0]               ids_left_q; // of these
    reg [5:0]               left_q;  // ids to be asked
    reg                     question_valid_q;
    reg [`MOEHUB_QUESTION_WIDTH - 1:0] question_q;
    reg [HELD_WIDTH - 1:0]  held_q;

    // ---- the header -----------------------------------------------------------------------------------------------------
    wire        compact   = header_q[`MOEHUB_HEADER_FORMAT_LSB];
    wire        enables   = header_q[`MOEHUB_HEADER_BYTE_ENABLES_LSB];
    wire [8:0]  length    = header_q[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH];
    wire [9:0]  source    = header_q[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH];
    wire [2:0]  of_context   = header_q[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH];
    wire [31:0] row_index = compact ? {6'd0, header_q[`MOEHUB_COMPACT_ROW_INDEX_LSB +: `MOEHUB_COMPACT_ROW_INDEX_WIDTH]}
        : header_q[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH];
    wire [15:0] offset    = compact ? {2'd0, header_q[`MOEHUB_COMPACT_LINE_LSB +: `MOEHUB_COMPACT_LINE_WIDTH], 7'd0}
        : header_q[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH];
    wire [3:0]  round     = compact ? header_q[`MOEHUB_COMPACT_ROUND_LSB +: `MOEHUB_COMPACT_ROUND_WIDTH]
        : header_q[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH];
    wire [5:0]  targets   = compact ? {4'd0, header_q[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: `MOEHUB_COMPACT_TARGET_COUNT_WIDTH]}
        : header_q[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH];
    wire [5:0]  rounded_up   = targets + 6'd7;
    wire [2:0]  target_flits = compact ? 3'd0 : rounded_up[5:3];
    wire [4:0]  flits        = 5'd1 + {2'd0, target_flits} + (STORES ? {4'd0, enables} + length[8:4] : 5'd0);

    assign check_valid  = state_q[CHECK];
    assign check_header = header_q;
    assign check        = `MOEHUB_WAY_CHECK(STORES, of_context, source[5:0], round, row_index, 1'b1, source[5:0]);

    // ---- steps ----------------------------------------------------------------------------------------------------------
    wire start      = state_q[READ];
    wire question_room;
    wire question_moves = !question_valid_q || question_room;
    wire answer_place   = held_q != ALL_ANSWERS[HELD_WIDTH - 1:0];
    wire ask        = state_q[ASK] && question_moves && answer_place;
    wire last_id    = left_q == 6'd1;
    wire flit_ends  = ids_left_q == 4'd1;
    wire ends       = ask && last_id;
    wire begins     = (state_q[IDLE] || ends) && packet_there && record_room;
    wire fetch      = state_q[FETCH];
    wire last_flit  = left_q <= 6'd8; // of the target flits, where one is fetched

    assign take         = start;
    assign read_valid   = start || fetch;
    assign read_place   = start ? head_q : place_q;
    assign gone         = (check_taken && (!passed || compact)) || (fetch && last_flit);
    assign gone_flits   = flits;
    assign record_valid = check_taken;

    wire [63:0] fetched; // local experts of a target flit
    wire [63:0] compacts;
    genvar i;
    generate
        for (i = 0; i < `MOEHUB_TARGETS_PER_FLIT; i = i + 1) begin : g_id
            assign fetched[i * 8 +: 8] = read_data[i * `MOEHUB_TARGET_WIDTH +: 8] & LOCALS;
            if (i < `MOEHUB_COMPACT_TARGETS) begin : g_compact
                assign compacts[i * 8 +: 8] =
                    header_q[`MOEHUB_COMPACT_TARGETS_LSB + i * `MOEHUB_COMPACT_TARGET_WIDTH +: 8] & LOCALS;
            end else begin : g_none
                assign compacts[i * 8 +: 8] = 8'd0;
            end
        end
    endgenerate

    wire [HELD_WIDTH + 5:0] held_sum = {6'd0, held_q} - {{HELD_WIDTH{1'b0}}, released} + {{HELD_WIDTH + 5{1'b0}}, ask};
    wire unused_held = |held_sum[HELD_WIDTH + 5:HELD_WIDTH]; // never: no more are released than are held

    always @(posedge clk) begin
        state_q[IDLE]   <= ((state_q[IDLE] || ends) && !begins) || (check_taken && !passed);
        state_q[READ]   <= begins;
        state_q[HEADER] <= state_q[READ];
        state_q[CHECK]  <= state_q[HEADER] || (state_q[CHECK] && !check_taken);
        state_q[FETCH]  <= (check_taken && passed && !compact) || (ask && flit_ends && !last_id);
        state_q[KEEP]   <= state_q[FETCH];
        state_q[ASK]    <= (check_taken && passed && compact) || state_q[KEEP] ||
            (state_q[ASK] && !(ask && (flit_ends || last_id)));
        if (start) place_q <= after(head_q, 5'd1);
        if (fetch) place_q <= after(place_q, 5'd1);
        if (state_q[HEADER]) header_q <= read_data;
        passes_q <= check_taken;
        flits_q  <= flits;
        if (passes_q) head_q <= after(head_q, flits_q);
        if (check_taken) left_q <= targets;
        else if (ask) left_q <= left_q - 6'd1;
        if (check_taken || state_q[KEEP]) ids_left_q <= 4'd8;
        else if (ask) ids_left_q <= ids_left_q - 4'd1;
        if (check_taken) ids_q <= compacts;
        else if (state_q[KEEP]) ids_q <= fetched;
        else if (ask) ids_q <= ids_q >> 8;
        if (question_moves) question_valid_q <= ask;
        held_q <= held_sum[HELD_WIDTH - 1:0];
        if (rst) begin
            state_q          <= {{STATES - 1{1'b0}}, 1'b1}; // IDLE
            head_q           <= {PLACE_WIDTH{1'b0}};
            passes_q         <= 1'b0;
            question_valid_q <= 1'b0;
            held_q           <= {HELD_WIDTH{1'b0}};
        end
    end

    // ---- record ---------------------------------------------------------------------------------------------------------
    generate
        if (STORES) begin : g_store
            wire [PLACE_WIDTH - 1:0] body      = after(place_q, {2'd0, target_flits});
            wire [12:0]              body_wide = {{13 - PLACE_WIDTH{1'b0}}, body};
            assign record = `MOEHUB_STORE_RECORD(body_wide, flits[3:0], !passed, counted, of_context, source[5:0], row_index,
                offset[6:4], length[7:4], enables, targets);
            wire unused_of_stores = ^{cause, flits[4]};
        end else begin : g_request
            wire [3:0] refusal = cause == 5'd`MOEHUB_HUB_WAY_CAUSE_CONTEXT || cause == 5'd`MOEHUB_HUB_WAY_CAUSE_ROUND
                ? 4'd`MOEHUB_STATUS_CONTEXT : 4'd`MOEHUB_STATUS_PEER;
            wire [3:0] status  = passed ? 4'd`MOEHUB_STATUS_OK : refusal;
            wire [23:0] tag    = header_q[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH];
            wire [1:0] element = header_q[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH];
            assign record = `MOEHUB_REQUEST_RECORD(source[5:0], of_context, round, tag, element, offset[15:4], length[6:0],
                targets, status);
            wire unused_of_requests = ^{counted, enables};
        end
    endgenerate

    // ---- question: it may still stand when the next header is read ---------------------------------------------------------
    wire        first        = STORES && header_q[`MOEHUB_HEADER_FIRST_LSB];
    wire [10:0] length_bytes = STORES ? {2'd0, length} : {length[6:0], 4'd0};
    always @(posedge clk) begin
        if (ask) question_q <= `MOEHUB_QUESTION(first, of_context, ids_q[7:0], row_index, offset, length_bytes, source[5:0]);
    end
    // Whose turn it is is known late, and all steps follow from whether the question moves: a register between.
    moehub_ready_buffer #(.WIDTH(`MOEHUB_QUESTION_WIDTH)) u_question (
        .clk(clk), .rst(rst), .in_valid(question_valid_q), .in_ready(question_room), .in_data(question_q),
        .out_valid(question_valid), .out_ready(question_ready), .out_data(question)
    );
    assign held            = held_q;
    assign no_answer_place = state_q[ASK] && question_moves && !answer_place;

    wire unused_fields = ^{header_q, source, offset, length, rounded_up};
endmodule

`default_nettype wire
