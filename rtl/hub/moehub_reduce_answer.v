// SPDX-License-Identifier: Apache-2.0
// Purpose: gives the lines of a reduce that is answered at once (doc/hub/reduce.md section 1, 3).
// Contract:
//   1. One packet a line, line 0 first; min(REQUEST_LINES, max(1, ceil(length / 8))) of them.
//   2. Status OK: a flit of zeros for each unit of 16 bytes of the line, length the line's. Else one flit of zeros, length 0.
//   3. reduced is a stream; its outputs are registers or gates of registers, tready too.
// Cost: a flit a cycle, one cycle a reduce before them.
// Proved: formal/hub/formal_reduce_answer.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"

module moehub_reduce_answer #(
    parameter REQUEST_LINES = 8 // 1, 2, 4, 8
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     answer_valid,
    output wire                                     answer_ready,
    input  wire [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0] answer,
    output wire                                     m_axis_reduced_tvalid,
    input  wire                                     m_axis_reduced_tready,
    output wire [127:0]                             m_axis_reduced_tdata,
    output wire [`MOEHUB_REDUCED_WIDTH - 1:0]       m_axis_reduced_tuser,
    output wire                                     m_axis_reduced_tlast
);
    generate
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
    endgenerate

    localparam [31:0] LAST = REQUEST_LINES - 1;

    reg                                     ready_q;
    reg                                     busy_q;
    reg [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0] answer_q;
    reg [2:0]                               line_q;
    reg [2:0]                               flit_q;

    wire [3:0]  status;
    wire [1:0]  element;
    wire [8:0]  length;
    wire [23:0] tag;
    wire [2:0]  of_context;
    assign `MOEHUB_REDUCE_ANSWER(status, element, length, tag, of_context) = answer_q;

    wire [8:0] length_before = length - 9'd1;
    wire       fails         = status != 4'd`MOEHUB_STATUS_OK;
    wire       beyond        = length_before[8:3] > {3'd0, LAST[2:0]}; // only where it fails
    wire [2:0] last_line     = length == 9'd0 ? 3'd0 : beyond ? LAST[2:0] : length_before[5:3];
    wire       ends          = line_q == last_line;
    wire [2:0] last_flit     = fails ? 3'd0 : ends ? length_before[2:0] : 3'd7;
    wire [8:0] bytes         = fails ? 9'd0 : {1'b0, {1'b0, last_flit} + 4'd1, 4'd0};
    wire       last          = flit_q == last_flit;
    wire       moves         = busy_q && m_axis_reduced_tready;

    assign answer_ready          = ready_q;
    assign m_axis_reduced_tvalid = busy_q;
    assign m_axis_reduced_tdata  = 128'd0;
    assign m_axis_reduced_tuser  = `MOEHUB_REDUCED(status, element, bytes, line_q, tag, of_context);
    assign m_axis_reduced_tlast  = last;

    wire take = answer_valid && ready_q;
    wire busy = take || (busy_q && !(moves && last && ends));
    always @(posedge clk) begin
        ready_q <= !busy;
        busy_q  <= busy;
        if (take) answer_q <= answer;
        if (take) line_q <= 3'd0;
        else if (moves && last) line_q <= line_q + 3'd1;
        if (take) flit_q <= 3'd0;
        else if (moves) flit_q <= last ? 3'd0 : flit_q + 3'd1;
        if (rst) begin
            ready_q <= 1'b0;
            busy_q  <= 1'b0;
        end
    end
endmodule

`default_nettype wire
