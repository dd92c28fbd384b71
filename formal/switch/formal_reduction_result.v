// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_result, its queue included: a committed row of a solver-chosen entry leaves once, with the names of the
// latest record of its group, its status and its length, which is the record's for the last line and the
// longest for others. Every result is one row (formal_result_queue has the longer ones).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_result #(
    parameter ENTRIES       = 1,
    parameter REQUEST_LINES = 1, // 1, 2
    parameter QUEUE_ROWS    = 3
) (
    input wire       clk,
    input wire       rst,
    input wire       record_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] record_group,
    input wire       record_two, // lines
    input wire       record_requester,
    input wire       record_tag,
    input wire [1:0] record_element,
    input wire       record_out_fp32,
    input wire       record_long,
    input wire       row_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] row_entry,
    input wire [3:0] row_status,
    input wire       result_ready
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;
    localparam GROUPS = ENTRIES / REQUEST_LINES;
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;
    wire        fetched, result_valid, result_tag, result_last;
    wire [$clog2(QUEUE_ROWS + 1) - 1:0] dropped;
    wire [9:0]  result_requester, result_length;
    wire [3:0]  result_status;
    wire [1:0]  result_element;
    wire [15:0] result_entry;
    wire [8:0]  record_length = record_long ? 9'd4 : 9'd2;
    wire        two = record_two && REQUEST_LINES > 1;
    wire        line = REQUEST_LINES > 1 && chosen[0];

    wire [`MOEHUB_RECORD_WIDTH - 1:0] record;
    assign record = ({`MOEHUB_RECORD_WIDTH'd0, record_length} << `MOEHUB_RECORD_LENGTH_LSB)
        | ({`MOEHUB_RECORD_WIDTH'd0, record_element} << `MOEHUB_RECORD_ELEMENT_LSB)
        | ({`MOEHUB_RECORD_WIDTH'd0, record_out_fp32} << `MOEHUB_RECORD_OUT_FP32_LSB)
        | ({`MOEHUB_RECORD_WIDTH'd0, record_requester} << `MOEHUB_RECORD_REQUESTER_LSB)
        | ({`MOEHUB_RECORD_WIDTH'd0, record_tag} << `MOEHUB_RECORD_TAG_LSB)
        | ({`MOEHUB_RECORD_WIDTH'd0, record_group} << `MOEHUB_RECORD_GROUP_LSB)
        | ({`MOEHUB_RECORD_WIDTH'd0, two} << `MOEHUB_RECORD_LINES_LSB);
    wire [`MOEHUB_ROW_WIDTH - 1:0] row;
    assign row = (1 << `MOEHUB_ROW_FIRST_LSB) | (1 << `MOEHUB_ROW_COMMIT_LSB) | (row_status << `MOEHUB_ROW_STATUS_LSB)
        | (row_entry << `MOEHUB_ROW_ENTRY_LSB);

    moehub_reduction_result #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PAYLOAD_BYTES(8), .FLIT_BYTES(4), .TAG_WIDTH(1),
        .QUEUE_ROWS(QUEUE_ROWS)
    ) u_result (
        .clk(clk), .rst(rst),
        .record_valid(record_valid), .record(record), .row_valid(row_valid), .row(row), .row_data(64'd0),
        .queue_fetched(fetched), .queue_dropped(dropped),
        .result_valid(result_valid), .result_ready(result_ready), .result_requester(result_requester), .result_tag(result_tag),
        .result_status(result_status), .result_element(result_element), .result_length(result_length),
        .result_entry(result_entry), .result_data(), .result_last(result_last), .line_done_valid(), .line_done_entry()
    );

    // ---- an entry is recorded, gives one row, and is free when its result has left ------------------------------------------
    reg [ENTRIES - 1:0] recorded_q;
    reg [ENTRIES - 1:0] sent_q;
    reg [3:0]           used_q;
    reg                 requester_q, tag_q, out_fp32_q, long_q, last_q;
    reg [1:0]           element_q;
    reg [3:0]           status_q;
    wire leaves = result_valid && result_ready;
    wire [ENTRIES - 1:0] records = record_valid ? (two ? ENTRY_0 | ENTRY_0 << 1 : ENTRY_0) << record_group * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] whole   = record_valid ? (REQUEST_LINES > 1 ? ENTRY_0 | ENTRY_0 << 1 : ENTRY_0)
        << record_group * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] rows    = row_valid ? ENTRY_0 << row_entry : 0;
    wire [ENTRIES - 1:0] gone    = leaves ? ENTRY_0 << result_entry : 0;
    always @* begin
        assume (chosen < ENTRIES && record_group < GROUPS && row_entry < ENTRIES);
        assume (!rst || (!record_valid && !row_valid));
        assume (!started_q || (whole & (recorded_q | sent_q)) == 0);
        assume (!started_q || (rows & ~recorded_q) == 0);
        assume (!started_q || !row_valid || used_q < QUEUE_ROWS);
    end
    always @(posedge clk) begin
        recorded_q <= (recorded_q | records) & ~rows;
        sent_q     <= (sent_q | rows) & ~gone;
        used_q     <= used_q + {3'd0, row_valid} - {3'd0, fetched};
        if (records[chosen]) {requester_q, tag_q, element_q, out_fp32_q, long_q, last_q}
            <= {record_requester, record_tag, record_element, record_out_fp32, record_long, two == line};
        if (rows[chosen]) status_q <= row_status;
        if (rst) begin
            recorded_q <= 0;
            sent_q     <= 0;
            used_q     <= 4'd0;
        end
    end

    wire       its    = started_q && !reset_q && result_valid && result_entry == chosen;
    wire       good   = status_q == `MOEHUB_STATUS_OK;
    wire       wide   = out_fp32_q && element_q != 2'd`MOEHUB_ELEMENT_FP32;
    wire [9:0] length = last_q ? (long_q ? 10'd4 : 10'd2) : 10'd8;
    always @* begin
        names: assert (!its
                       || (sent_q[chosen] && result_requester == {9'd0, requester_q} && result_tag == tag_q
                           && result_status == status_q && result_element == (out_fp32_q ? 2'd`MOEHUB_ELEMENT_FP32 : element_q)
                           && result_last && result_length == (!good ? 10'd0 : wide ? length << 1 : length)));
    end
    always @* begin
        wide_one: cover (its && good && wide);
        longest_one: cover (its && good && !last_q);
        used_all: cover (its && used_q == QUEUE_ROWS);
    end
endmodule
`default_nettype wire
