// SPDX-License-Identifier: Apache-2.0
// Purpose: turns a way's requests into reads of their targets' lines, and a record of each (doc/hub/reduce.md section 2, 1 to 3).
// Contract:
//   1. Requests are served in their order, one at a time. Each target's answer is judged as soon as it is there; the request's
//      status is known with the last. An answer is read again for each line, and the answers are released with the last read.
//   2. Status OK: for each line, for each target, one read and its record. Else one record a line, which reads nothing.
//   3. A record stands for its place from its making until record_ready: no more than READ_LINES are there.
//   4. line_asked: a pulse for each AR that was taken. Outputs are registers, but record_*: of a memory.
//   5. What is read of an answer is kept before it is used: it comes from a memory of another block.
// Cost: a record a cycle; targets + 5 cycles a request beside, of which none is seen while lines are summed; 8 cycles from
//   the last answer to arvalid. READ_LINES records.
// Limits: of a request of one line of fewer than 4 flits the lanes may wait for the next.
// Proved: formal/hub/formal_pre_reduce_requests.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"

module moehub_pre_reduce_requests #(
    parameter ADDRESS_WIDTH   = 48, // 32..64
    parameter REQUEST_ANSWERS = 64, // 1..1024
    parameter READ_LINES      = 96, // 1..1024
    parameter WITH_FP32       = 1   // 0, 1
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire                                      s_axis_asked_tvalid,
    output wire                                      s_axis_asked_tready,
    input  wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] s_axis_asked_tdata,
    input  wire [$clog2(REQUEST_ANSWERS + 1) - 1:0]  answers_there,
    output wire                                      answer_read_valid,
    output wire [4:0]                                answer_read_index,
    input  wire [3:0]                                read_status,
    input  wire [ADDRESS_WIDTH - 1:0]                read_address,
    output wire                                      answers_release_valid,
    output wire [5:0]                                answers_release_count,
    output wire                                      m_axi_data_arvalid,
    input  wire                                      m_axi_data_arready,
    output wire [ADDRESS_WIDTH - 1:0]                m_axi_data_araddr,
    output wire [7:0]                                m_axi_data_arlen,
    output wire                                      record_valid,
    input  wire                                      record_ready,
    output wire [`MOEHUB_READ_RECORD_WIDTH - 1:0]    record,
    output wire                                      line_asked,
    output wire [$clog2(READ_LINES + 1) - 1:0]       used_lines
);
    localparam COUNT_WIDTH  = $clog2(READ_LINES + 1);
    localparam THERE_WIDTH  = $clog2(REQUEST_ANSWERS + 1);
    localparam RECORD_WIDTH = `MOEHUB_READ_RECORD_WIDTH;
    localparam ASKS         = 5; // reads from their choice until AR is taken: so one a cycle is
    localparam [31:0] ALL_LINES = READ_LINES;

    // ---- the request at hand ------------------------------------------------------------------------------------------------
    reg                                      busy_q;
    reg                                      settled_q; // answers_there knows of the last release
    reg [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] request_q;
    reg                                      judged_q;  // the status is known
    reg [3:0]                                status_q;  // the first that is not OK, so far
    reg [5:0]                                target_q;  // to be judged, or read, next
    reg [2:0]                                line_q;    // to be read next

    wire [5:0]  source;
    wire [2:0]  of_context;
    wire [3:0]  round;
    wire [23:0] tag;
    wire [1:0]  element;
    wire [11:0] unused_offset;
    wire [6:0]  units;
    wire [5:0]  targets;
    wire [3:0]  refusal;
    assign `MOEHUB_REQUEST_RECORD(source, of_context, round, tag, element, unused_offset, units, targets, refusal) = request_q;

    wire [6:0]  units_before = units - 7'd1;
    wire        last_line    = line_q == units_before[5:3];
    wire [3:0]  line_units   = last_line ? {1'b0, units_before[2:0]} + 4'd1 : 4'd8;
    wire        unused_units = units_before[6];
    wire        refused      = refusal != 4'd`MOEHUB_STATUS_OK;
    wire        fails        = status_q != 4'd`MOEHUB_STATUS_OK;
    wire        last_target  = target_q == targets - 6'd1;
    wire [15:0] entry        = tag[23:8] + {13'd0, line_q};

    // ---- stage 0: what is read in the next cycle ----------------------------------------------------------------------------
    reg [COUNT_WIDTH - 1:0] used_q;
    reg                     place_q; // one is left
    reg [2:0]               asks_q;  // chosen, AR not taken

    wire [31:0] there = {{32 - THERE_WIDTH{1'b0}}, answers_there};
    wire judge  = busy_q && settled_q && !judged_q && target_q != targets && there > {26'd0, target_q};
    wire ask    = busy_q && judged_q && !fails && place_q && asks_q != ASKS[2:0];
    wire refuse = busy_q && judged_q && fails && place_q;
    wire push   = ask || refuse;
    wire ends   = push && last_line && (fails || last_target);
    wire take   = s_axis_asked_tvalid && s_axis_asked_tready;

    // An answer that is being judged: valid with its read, with its data, with what is kept of them.
    reg [2:0]                 judging_q;
    reg [2:0]                 judging_last_q;
    reg [3:0]                 answer_status_q;
    reg [ADDRESS_WIDTH - 1:0] answer_address_q;

    wire [1:0] unused_request_element;
    wire [5:0] unused_request_source;
    wire [2:0] unused_request_context;
    wire [3:0] unused_request_round;
    wire [23:0] unused_request_tag;
    wire [11:0] unused_request_offset;
    wire [6:0] unused_request_units;
    wire [5:0] unused_request_targets;
    wire [3:0] request_refusal;
    assign `MOEHUB_REQUEST_RECORD(unused_request_source, unused_request_context, unused_request_round, unused_request_tag,
        unused_request_element, unused_request_offset, unused_request_units, unused_request_targets, request_refusal) =
        s_axis_asked_tdata;

    reg ready_q; // low in reset and in the cycle after it
    assign s_axis_asked_tready = ready_q && (!busy_q || ends);

    wire       answered = judging_q[2] && judging_last_q[2]; // the last status is there
    wire [3:0] first_status = status_q == 4'd`MOEHUB_STATUS_OK && judging_q[2] ? answer_status_q : status_q;
    wire       no_fp32  = WITH_FP32 == 0 && element == 2'd`MOEHUB_ELEMENT_FP32;

    always @(posedge clk) begin
        ready_q          <= 1'b1;
        busy_q           <= take || (busy_q && !ends);
        settled_q        <= !take;
        judging_q        <= {judging_q[1:0], judge};
        judging_last_q   <= {judging_last_q[1:0], last_target};
        answer_status_q  <= read_status;
        answer_address_q <= read_address;
        if (take) request_q <= s_axis_asked_tdata;
        if (take) judged_q <= request_refusal != 4'd`MOEHUB_STATUS_OK;
        else if (answered) judged_q <= 1'b1;
        if (take) status_q <= request_refusal;
        else if (answered && no_fp32 && first_status == 4'd`MOEHUB_STATUS_OK) status_q <= 4'd`MOEHUB_STATUS_TYPE;
        else status_q <= first_status;
        if (take || answered || (ask && last_target)) target_q <= 6'd0;
        else if (judge || ask) target_q <= target_q + 6'd1;
        if (take) line_q <= 3'd0;
        else if (refuse || (ask && last_target)) line_q <= line_q + 3'd1;
        if (rst) begin
            ready_q   <= 1'b0;
            busy_q    <= 1'b0;
            judging_q <= 3'd0;
        end
    end

    // ---- answers ------------------------------------------------------------------------------------------------------------
    reg       read_q;
    reg [4:0] index_q;
    reg       release_q;
    reg [5:0] release_count_q;
    assign answer_read_valid     = read_q;
    assign answer_read_index     = index_q;
    assign answers_release_valid = release_q;
    assign answers_release_count = release_count_q;
    always @(posedge clk) begin
        read_q          <= judge || ask;
        index_q         <= target_q[4:0];
        release_q       <= ends && !refused;
        release_count_q <= targets;
        if (rst) begin
            read_q    <= 1'b0;
            release_q <= 1'b0;
        end
    end

    // ---- AR: stage 1 reads the answer, stage 2 keeps it, stage 3 adds the line ----------------------------------------------
    reg       s1_valid_q;
    reg [2:0] s1_line_q;
    reg [1:0] s1_beats_q; // less one
    reg       s2_valid_q;
    reg [2:0] s2_line_q;
    reg [1:0] s2_beats_q;
    reg       s3_valid_q;
    reg [2:0] s3_line_q;
    reg [1:0] s3_beats_q;

    wire [3:0]                 line_units_before = line_units - 4'd1;
    wire                       unused_low_units  = ^{line_units_before[3], line_units_before[0]};
    wire [ADDRESS_WIDTH - 1:0] address = answer_address_q + {{ADDRESS_WIDTH - 10{1'b0}}, s3_line_q, 7'd0};
    wire [1:0]                 beats;
    wire                       unused_asks_ready;
    wire [2:0]                 unused_asks;
    wire                       taken = m_axi_data_arvalid && m_axi_data_arready;
    moehub_fifo #(.WIDTH(ADDRESS_WIDTH + 2), .DEPTH(ASKS)) u_asks (
        .clk(clk), .rst(rst), .in_valid(s3_valid_q), .in_ready(unused_asks_ready), .in_data({s3_beats_q, address}),
        .out_valid(m_axi_data_arvalid), .out_ready(m_axi_data_arready), .out_data({beats, m_axi_data_araddr}), .count(unused_asks)
    );
    assign m_axi_data_arlen = {6'd0, beats};

    reg line_asked_q;
    assign line_asked = line_asked_q;
    always @(posedge clk) begin
        s1_valid_q   <= ask;
        s1_line_q    <= line_q;
        s1_beats_q   <= line_units_before[2:1];
        s2_valid_q   <= s1_valid_q;
        s2_line_q    <= s1_line_q;
        s2_beats_q   <= s1_beats_q;
        s3_valid_q   <= s2_valid_q;
        s3_line_q    <= s2_line_q;
        s3_beats_q   <= s2_beats_q;
        asks_q       <= asks_q + {2'd0, ask} - {2'd0, taken};
        line_asked_q <= taken;
        if (rst) begin
            s1_valid_q   <= 1'b0;
            s2_valid_q   <= 1'b0;
            s3_valid_q   <= 1'b0;
            asks_q       <= 3'd0;
            line_asked_q <= 1'b0;
        end
    end

    // ---- records ------------------------------------------------------------------------------------------------------------
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] partial = `MOEHUB_PARTIAL(source, of_context, round, {entry, tag[7:0]}, element);
    wire                               first   = target_q == 6'd0;
    wire [1:0]                         unused_of_records;
    moehub_memory_fifo #(.WIDTH(RECORD_WIDTH), .DEPTH(READ_LINES), .LANDING(2)) u_records (
        .clk(clk), .rst(rst), .in_valid(push),
        .in_data(`MOEHUB_READ_RECORD(status_q, first, last_target || fails, line_units, ends, !refused, partial)),
        .out_valid(record_valid), .out_ready(record_ready), .out_data(record), .empty(unused_of_records[0]),
        .parity_error(unused_of_records[1])
    );

    wire                     leaves = record_valid && record_ready;
    wire [COUNT_WIDTH - 1:0] used   = used_q + {{COUNT_WIDTH - 1{1'b0}}, push} - {{COUNT_WIDTH - 1{1'b0}}, leaves};
    assign used_lines = used_q;
    always @(posedge clk) begin
        used_q  <= used;
        place_q <= used != ALL_LINES[COUNT_WIDTH - 1:0];
        if (rst) begin
            used_q  <= {COUNT_WIDTH{1'b0}};
            place_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
