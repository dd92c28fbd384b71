// SPDX-License-Identifier: Apache-2.0
// moehub_question_arbiter: every question leaves once, as it was asked, in the order in which it was taken; a question that
// stands waits for at most one question of each other asker, and takes its turn as soon as there is room.
`default_nettype none
`include "moehub_hub_way.vh"
module formal_question_arbiter #(
    parameter LINKS = 1
) (
    input wire                                               clk,
    input wire                                               rst,
    input wire [2 * (LINKS + 1) - 1:0]                       asks,
    input wire [2 * (LINKS + 1) * `MOEHUB_QUESTION_WIDTH - 1:0] questions,
    input wire                                               request_ready,
    input wire                                               mark
);
`include "formal_reset.vh"
    localparam ASKERS     = 2 * (LINKS + 1);
    localparam PORT_WIDTH = $clog2(ASKERS);
    localparam WIDTH      = `MOEHUB_QUESTION_WIDTH;
    localparam [ASKERS - 1:0] ONE = 1;

    wire [ASKERS - 1:0]     taken;
    wire                    request_valid;
    wire                    request_operation;
    wire                    request_first;
    wire [2:0]              request_context;
    wire [15:0]             request_expert;
    wire [31:0]             request_row_index;
    wire [15:0]             request_offset;
    wire [10:0]             request_length;
    wire [9:0]              request_source;
    wire [PORT_WIDTH - 1:0] request_port;
    wire [7:0]              request_tag;
    moehub_question_arbiter #(.LINKS(LINKS)) u_arbiter (
        .clk(clk), .rst(rst), .s_axis_question_tvalid(asks), .s_axis_question_tready(taken), .s_axis_question_tdata(questions),
        .request_valid(request_valid), .request_ready(request_ready), .request_operation(request_operation),
        .request_first(request_first), .request_context(request_context), .request_expert(request_expert),
        .request_row_index(request_row_index), .request_offset(request_offset), .request_length(request_length),
        .request_source(request_source), .request_port(request_port), .request_tag(request_tag)
    );
    localparam REQUEST_WIDTH = 1 + 1 + 3 + 16 + 32 + 16 + 11 + 10 + PORT_WIDTH + 8;
    wire [REQUEST_WIDTH - 1:0] request = {request_operation, request_first, request_context, request_expert, request_row_index,
        request_offset, request_length, request_source, request_port, request_tag};
    formal_stream_assert #(.WIDTH(REQUEST_WIDTH)) u_request (
        .clk(clk), .rst(rst), .valid(request_valid), .ready(request_ready), .data(request)
    );

    // ---- one asker of the solver's choice: its question stands until it is taken ------------------------------------------
    (* anyconst *) wire [PORT_WIDTH - 1:0] asker;
    always @* assume ({1'b0, asker} < ASKERS);
    wire               stands = asks[asker];
    wire [WIDTH - 1:0] question = questions[asker * WIDTH +: WIDTH];
    wire               enters = stands && taken[asker] && !rst;
    reg                stood_q = 1'b0;
    reg [WIDTH - 1:0]  question_q;
    always @(posedge clk) begin
        stood_q    <= stands && !taken[asker] && !rst;
        question_q <= question;
    end
    always @* if (stood_q) assume (stands && question == question_q);

    // ---- one question of it, and what is inside ----------------------------------------------------------------------------
    wire              any   = |(asks & taken) && !rst;
    wire              leave = request_valid && request_ready && !rst;
    reg [1:0]         inside_q = 2'd0;
    reg [1:0]         ahead_q;
    reg               marked_q = 1'b0;
    reg [WIDTH - 1:0] marked_data_q;
    reg               was_full_q = 1'b0;
    always @(posedge clk) begin
        inside_q <= inside_q + {1'd0, any} - {1'd0, leave};
        if (inside_q == 2'd2) was_full_q <= 1'b1;
        if (enters && mark && !marked_q) begin
            marked_q      <= 1'b1;
            marked_data_q <= question;
            ahead_q       <= inside_q - {1'd0, leave};
        end else if (marked_q && leave) begin
            ahead_q  <= ahead_q - 2'd1;
            marked_q <= ahead_q != 2'd0;
        end
        if (rst) begin
            inside_q <= 2'd0;
            marked_q <= 1'b0;
        end
    end
    wire        first;
    wire [2:0]  named_context;
    wire [7:0]  expert;
    wire [31:0] row_index;
    wire [15:0] offset;
    wire [10:0] length;
    wire [5:0]  source;
    assign `MOEHUB_QUESTION(first, named_context, expert, row_index, offset, length, source) = marked_data_q;
    wire same = request == {asker[0], first, named_context, 8'd0, expert, row_index, offset, length, 4'd0, source, asker, expert};

    // ---- turns ----------------------------------------------------------------------------------------------------------------
    reg [3:0] passed_q = 4'd0; // questions of others since the asker's stands
    always @(posedge clk) begin
        if (!stands || enters) passed_q <= 4'd0;
        else if (any && passed_q != 4'd15) passed_q <= passed_q + 4'd1;
        if (rst) passed_q <= 4'd0;
    end

    always @* begin
        as_asked:    assert (!(marked_q && ahead_q == 2'd0) || (request_valid && same));
        none_lost:   assert (!started_q || request_valid == (inside_q != 2'd0));
        at_most_2:   assert (inside_q <= 2'd2);
        one_turn:    assert ((taken & (taken - ONE)) == {ASKERS{1'b0}});
        just_asked:  assert ((taken & ~asks) == {ASKERS{1'b0}});
        no_idle:     assert (!started_q || reset_q || rst || !stands || inside_q == 2'd2 || any);
        waits:       assert (passed_q < ASKERS);
    end
    always @* begin
        full_leaves: cover (was_full_q && marked_q && ahead_q == 2'd0 && leave);
        waited_long: cover (passed_q == ASKERS - 1 && enters);
        at_once:     cover (started_q && inside_q == 2'd1 && any && leave);
    end
endmodule
`default_nettype wire
