// SPDX-License-Identifier: Apache-2.0
// moehub_reduce_answer: a reduce that is answered at once has all its lines, each once and in order, each with its flits, and the
// next begins when they are taken. As many lines as moehub_reduce_lists counts in flight: formal_reduce_lists.v, told.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_reduce_answer #(
    parameter REQUEST_LINES = 2
) (
    input wire                                     clk,
    input wire                                     rst,
    input wire                                     answer_valid,
    input wire [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0] answer,
    input wire                                     reduced_ready
);
`include "formal_reset.vh"
    wire                               answer_ready;
    wire                               reduced_valid;
    wire [127:0]                       data;
    wire [`MOEHUB_REDUCED_WIDTH - 1:0] user;
    wire                               last;
    moehub_reduce_answer #(.REQUEST_LINES(REQUEST_LINES)) u_answer (
        .clk(clk), .rst(rst), .answer_valid(answer_valid), .answer_ready(answer_ready), .answer(answer),
        .m_axis_reduced_tvalid(reduced_valid), .m_axis_reduced_tready(reduced_ready), .m_axis_reduced_tdata(data),
        .m_axis_reduced_tuser(user), .m_axis_reduced_tlast(last)
    );
    formal_stream_assert #(.WIDTH(129 + `MOEHUB_REDUCED_WIDTH)) u_reduced (
        .clk(clk), .rst(rst), .valid(reduced_valid), .ready(reduced_ready), .data({data, user, last})
    );

    wire [3:0]  new_status;
    wire [1:0]  new_element;
    wire [8:0]  new_length;
    wire [23:0] new_tag;
    wire [2:0]  new_context;
    assign `MOEHUB_REDUCE_ANSWER(new_status, new_element, new_length, new_tag, new_context) = answer;
    // A length that is none has status LENGTH, or one that comes before it.
    always @* assume (new_status != 4'd`MOEHUB_STATUS_OK || (new_length != 9'd0 && {23'd0, new_length} <= 8 * REQUEST_LINES));

    // ---- units that are left of the answer at hand, this line's among them -----------------------------------------------
    reg        busy_q = 1'b0;
    reg [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0] answer_q;
    reg [9:0]  left_q;   // units of the lines that are left
    reg [3:0]  line_q;   // lines that were taken
    reg [3:0]  flit_q;   // flits of this line that were
    reg [1:0]  waits_q = 2'd0; // cycles in which nothing was under way and none could be taken
    reg [3:0]  whole_q;  // lines of eight flits of this answer
    wire [3:0]  status;
    wire [1:0]  element;
    wire [8:0]  unused_length;
    wire [23:0] tag;
    wire [2:0]  of_context;
    assign `MOEHUB_REDUCE_ANSWER(status, element, unused_length, tag, of_context) = answer_q;
    wire       fails   = status != 4'd`MOEHUB_STATUS_OK;
    wire [3:0] flits   = fails ? 4'd1 : left_q > 10'd8 ? 4'd8 : left_q[3:0];
    wire       ends    = flit_q + 4'd1 == flits;
    wire       is_last = left_q <= 10'd8 || line_q + 4'd1 == REQUEST_LINES;
    wire [8:0] bytes   = fails ? 9'd0 : {1'b0, flits, 4'd0};
    wire       takes   = answer_valid && answer_ready && !rst;
    wire       moves   = reduced_valid && reduced_ready && !rst;
    always @(posedge clk) begin
        if (takes) begin
            answer_q <= answer;
            left_q   <= {1'b0, new_length};
            line_q   <= 4'd0;
            flit_q   <= 4'd0;
            whole_q  <= 4'd0;
        end else if (moves) begin
            flit_q <= ends ? 4'd0 : flit_q + 4'd1;
            if (ends) begin
                left_q <= left_q - 10'd8;
                line_q <= line_q + 4'd1;
                if (flits == 4'd8) whole_q <= whole_q + 4'd1;
            end
        end
        busy_q  <= !rst && (takes || (busy_q && !(moves && ends && is_last)));
        waits_q <= rst || busy_q || answer_ready ? 2'd0 : waits_q + {1'b0, waits_q != 2'd3};
    end

    always @* if (started_q && !rst) begin
        one_at_once: assert (!takes || !busy_q);
        offers:      assert (reduced_valid == busy_q);
        its_flit:    assert (!reduced_valid || (data == 128'd0 && last == ends
            && user == `MOEHUB_REDUCED(status, element, bytes, line_q[2:0], tag, of_context)));
        taken_soon:  assert (waits_q < 2'd2);
    end
    always @* if (started_q) begin
        short_last: cover (moves && ends && is_last && !fails && flits == 4'd3 && line_q + 4'd1 == REQUEST_LINES);
        all_whole:  cover (moves && ends && is_last && whole_q + 4'd1 == REQUEST_LINES);
        too_long:   cover (moves && ends && is_last && fails && left_q > 10'd8);
        no_length:  cover (moves && ends && is_last && fails && left_q == 10'd0);
    end
endmodule
`default_nettype wire
