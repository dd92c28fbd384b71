// SPDX-License-Identifier: Apache-2.0
// moehub_pre_reduce_requests: a request becomes its records, in order, each with its entry, generation and status; a line is read
// only where it has a place.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_pre_reduce_requests #(
    parameter READ_LINES = 2
) (
    input wire                                      clk,
    input wire                                      rst,
    input wire                                      asked_valid,
    input wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] asked,
    input wire [7:0]                                statuses, // of the answers of the request that is taken
    input wire [1:0]                                there,
    input wire [31:0]                               address,
    input wire                                      arready,
    input wire                                      record_ready,
    input wire                                      mark
);
`include "formal_reset.vh"
    wire                                   asked_ready;
    wire                                   read_valid;
    wire [4:0]                             read_index;
    reg  [3:0]                             read_status_q;
    wire                                   release_valid;
    wire [5:0]                             release_count;
    wire                                   arvalid;
    wire [31:0]                            araddr;
    wire [7:0]                             arlen;
    wire                                   record_valid;
    wire [`MOEHUB_READ_RECORD_WIDTH - 1:0] record;
    moehub_pre_reduce_requests #(.ADDRESS_WIDTH(32), .REQUEST_ANSWERS(2), .READ_LINES(READ_LINES)) u_requests (
        .clk(clk), .rst(rst), .s_axis_asked_tvalid(asked_valid), .s_axis_asked_tready(asked_ready), .s_axis_asked_tdata(asked),
        .answers_there(there), .answer_read_valid(read_valid), .answer_read_index(read_index), .read_status(read_status_q),
        .read_address(address), .answers_release_valid(release_valid), .answers_release_count(release_count),
        .m_axi_data_arvalid(arvalid), .m_axi_data_arready(arready), .m_axi_data_araddr(araddr), .m_axi_data_arlen(arlen),
        .record_valid(record_valid), .record_ready(record_ready), .record(record), .line_asked(), .used_lines()
    );
    formal_stream_assert #(.WIDTH(40)) u_ar (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arlen, araddr})
    );

    // ---- requests of one or two targets; the answers of one -----------------------------------------------------------------
    wire [5:0]  source;
    wire [2:0]  of_context;
    wire [3:0]  round;
    wire [23:0] tag;
    wire [1:0]  element;
    wire [11:0] offset;
    wire [6:0]  units;
    wire [5:0]  targets;
    wire [3:0]  refusal;
    assign `MOEHUB_REQUEST_RECORD(source, of_context, round, tag, element, offset, units, targets, refusal) = asked;
    always @* assume (targets >= 6'd1 && targets <= 6'd2 && units >= 7'd1 && units <= 7'd64 && there <= 2'd2);
    wire        takes  = asked_valid && asked_ready && !rst;
    wire [3:0]  of_answers = statuses[3:0] != 4'd0 ? statuses[3:0] : targets == 6'd2 ? statuses[7:4] : 4'd0;
    wire [3:0]  becomes    = refusal != 4'd0 ? refusal : of_answers;
    reg  [7:0]  statuses_q;
    always @(posedge clk) begin
        if (takes) statuses_q <= statuses;
        if (read_valid) read_status_q <= read_index[0] ? statuses_q[7:4] : statuses_q[3:0];
    end

    // ---- records that leave; one request that is marked ----------------------------------------------------------------------
    wire [3:0]                          status;
    wire                                first;
    wire                                last;
    wire [3:0]                          line_units;
    wire                                ends;
    wire                                counted;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0]  partial;
    assign `MOEHUB_READ_RECORD(status, first, last, line_units, ends, counted, partial) = record;
    wire [5:0]  its_source;
    wire [2:0]  its_context;
    wire [3:0]  its_round;
    wire [23:0] its_tag;
    wire [1:0]  its_element;
    assign `MOEHUB_PARTIAL(its_source, its_context, its_round, its_tag, its_element) = partial;
    reg [3:0]  reads_q = 4'd0; // taken, and their records not
    wire       asks    = arvalid && arready && !rst;
    always @* assume (!record_ready || !record_valid || status != 4'd0 || reads_q != 4'd0); // data come after their AR
    wire       leaves  = record_valid && record_ready && !rst;
    reg [3:0]  inside_q = 4'd0; // requests, whose last record has not left
    reg [3:0]  ahead_q;
    reg        marked_q = 1'b0;
    reg [3:0]  status_q;
    reg [23:0] tag_q;
    reg [6:0]  units_q;
    reg [5:0]  targets_q;
    reg [2:0]  line_q;
    reg        target_q;
    wire       turn       = marked_q && ahead_q == 4'd0;
    wire       fails      = status_q != 4'd0;
    wire [6:0] before     = units_q - 7'd1;
    wire       last_line  = line_q == before[5:3];
    wire       line_ends  = fails || targets_q == 6'd1 || target_q;
    always @(posedge clk) begin
        reads_q  <= reads_q + {3'd0, asks} - {3'd0, leaves && status == 4'd0};
        inside_q <= inside_q + {3'd0, takes} - {3'd0, leaves && ends};
        if (takes && mark && !marked_q) begin
            marked_q  <= 1'b1;
            ahead_q   <= inside_q - {3'd0, leaves && ends};
            status_q  <= becomes;
            tag_q     <= tag;
            units_q   <= units;
            targets_q <= targets;
            line_q    <= 3'd0;
            target_q  <= 1'b0;
        end else if (turn && leaves) begin
            target_q <= !line_ends;
            if (line_ends) line_q <= line_q + 3'd1;
            if (line_ends && last_line) marked_q <= 1'b0;
        end else if (marked_q && leaves && ends) begin
            ahead_q <= ahead_q - 4'd1;
        end
        if (rst) begin
            reads_q  <= 4'd0;
            inside_q <= 4'd0;
            marked_q <= 1'b0;
        end
    end

    always @* begin
        none_invented: assert (!started_q || !record_valid || inside_q != 4'd0);
        right_status:  assert (!turn || !record_valid || status == status_q);
        right_names:   assert (!turn || !record_valid || its_tag == {tag_q[23:8] + {13'd0, line_q}, tag_q[7:0]});
        once_a_line:   assert (!turn || !record_valid || (first == !target_q && last == line_ends));
        all_lines:     assert (!turn || !record_valid || ends == (line_ends && last_line));
        has_place:     assert (reads_q <= READ_LINES);
    end
    always @* begin
        two_of_two: cover (turn && leaves && !fails && target_q && line_q == 3'd1 && ends);
        error:      cover (turn && leaves && fails && line_q == 3'd1 && ends);
        second:     cover (turn && leaves && !fails && target_q);
        full:       cover (reads_q == READ_LINES);
    end
endmodule
`default_nettype wire
