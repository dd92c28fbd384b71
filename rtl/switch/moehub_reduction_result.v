// SPDX-License-Identifier: Apache-2.0
// Purpose: gives the rows that leave the finalizers the names they answer to - requester, tag, type, length - and queues them.
// Contract:
//   1. row_data belongs to the row_* of MOEHUB_FINALIZE_LATENCY cycles before.
//   2. The names of a record are kept until the group is used again.
//   3. result_length is 0 unless the status is OK, twice the partials' length when 16-bit partials give an fp32 result. The
//      partials of a group's last line have the record's length, those of the others the longest.
//   4. line_done_* follows, one cycle later, the last flit of a result that the taker took: the line is done.
//   5. queue_fetched and queue_dropped give places of the queue back (moehub_reduction_schedule, contract 5).
// Cost: GROUPS * (22 + TAG_WIDTH + log2 REQUEST_LINES) bits, QUEUE_ROWS rows of two flits.
// Proved: formal/switch/formal_reduction_result.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_result #(
    parameter ENTRIES       = 107,
    parameter REQUEST_LINES = 1,
    parameter PAYLOAD_BYTES = 128,
    parameter FLIT_BYTES    = 16,
    parameter TAG_WIDTH     = 24,
    parameter QUEUE_ROWS    = 40,
    parameter PARITY        = 0
) (
    input  wire clk,
    input  wire rst,

    input  wire                              record_valid,
    input  wire [`MOEHUB_RECORD_WIDTH - 1:0] record,

    input  wire                            row_valid,
    input  wire [`MOEHUB_ROW_WIDTH - 1:0]  row,
    input  wire [2 * 8 * FLIT_BYTES - 1:0] row_data,

    output wire                                queue_fetched,
    output wire [$clog2(QUEUE_ROWS + 1) - 1:0] queue_dropped,

    output wire                        result_valid,
    input  wire                        result_ready,
    output wire [9:0]                  result_requester,
    output wire [TAG_WIDTH - 1:0]      result_tag,
    output wire [3:0]                  result_status,
    output wire [1:0]                  result_element,
    output wire [9:0]                  result_length,
    output wire [15:0]                 result_entry,
    output wire [8 * FLIT_BYTES - 1:0] result_data,
    output wire                        result_last,

    output wire                                      line_done_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] line_done_entry,

    output wire [1:0] parity_error // queue, names
);
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = `MOEHUB_INDEX_WIDTH(GROUPS);
    localparam LINE_BITS   = $clog2(REQUEST_LINES); // none for one line
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam LATENCY     = `MOEHUB_FINALIZE_LATENCY;
    localparam SIDE_WIDTH  = 3 + 4 + ENTRY_WIDTH;
    localparam NAME_WIDTH  = 10 + TAG_WIDTH + 2 + 1 + 9; // and LINE_BITS on top
    localparam HEAD_WIDTH  = 10 + TAG_WIDTH + 4 + 2 + 10 + ENTRY_WIDTH;
    localparam [2:0] LINE_MASK = REQUEST_LINES[2:0] - 3'd1; // of an entry's number
    localparam [8:0] LONGEST   = PAYLOAD_BYTES[8:0];

    // ---- beside the finalizers ----------------------------------------------------------------------------------
    reg [LATENCY - 1:0]              valid_q; // bit i: i + 1 cycles later
    reg [LATENCY * SIDE_WIDTH - 1:0] side_q;

    wire                     row_first  = row[`MOEHUB_ROW_FIRST_LSB];
    wire                     row_commit = row[`MOEHUB_ROW_COMMIT_LSB];
    wire                     row_two    = row[`MOEHUB_ROW_TWO_LSB];
    wire [3:0]               row_status = row[`MOEHUB_ROW_STATUS_LSB +: 4];
    wire [ENTRY_WIDTH - 1:0] row_entry  = row[`MOEHUB_ROW_ENTRY_LSB +: ENTRY_WIDTH];
    wire                     unused_row = &{1'b0, row};

    always @(posedge clk) begin
        valid_q <= {valid_q[LATENCY - 2:0], row_valid};
        side_q  <= {side_q[(LATENCY - 1) * SIDE_WIDTH - 1:0], row_first, row_commit, row_two, row_status, row_entry};
        if (rst) valid_q <= {LATENCY{1'b0}};
    end

    wire [ENTRY_WIDTH:0]     early_entry = {1'b0, side_q[(LATENCY - 2) * SIDE_WIDTH +: ENTRY_WIDTH]}; // a cycle before the data
    wire                     unused_line = &{1'b0, early_entry};
    wire                     first;
    wire                     commit;
    wire                     two;
    wire [3:0]               status;
    wire [ENTRY_WIDTH - 1:0] entry;
    assign {first, commit, two, status, entry} = side_q[(LATENCY - 1) * SIDE_WIDTH +: SIDE_WIDTH];

    // ---- names ------------------------------------------------------------------------------------------------------
    wire [9:0]                          requester;
    wire [TAG_WIDTH - 1:0]              tag;
    wire [1:0]                          element;
    wire                                out_fp32;
    wire [8:0]                          last_length; // of the last line
    wire [2:0]                          lines_less_1;
    wire [NAME_WIDTH + LINE_BITS - 1:0] name_rdata;
    wire [NAME_WIDTH + 2:0]             record_name = {
        record[`MOEHUB_RECORD_LINES_LSB +: 3], record[`MOEHUB_RECORD_REQUESTER_LSB +: 10],
        record[`MOEHUB_RECORD_TAG_LSB +: TAG_WIDTH], record[`MOEHUB_RECORD_ELEMENT_LSB +: 2],
        record[`MOEHUB_RECORD_OUT_FP32_LSB], record[`MOEHUB_RECORD_LENGTH_LSB +: 9]
    };
    wire                                unused_record = &{1'b0, record, record_name};

    moehub_memory_1r1w #(
        .WIDTH(NAME_WIDTH + LINE_BITS), .DEPTH(GROUPS), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, NAME_WIDTH + LINE_BITS))
    ) u_names (
        .clk(clk),
        .write_enable(record_valid), .write_address(record[`MOEHUB_RECORD_GROUP_LSB +: GROUP_WIDTH]),
        .write_data(record_name[NAME_WIDTH + LINE_BITS - 1:0]),
        .read_enable(valid_q[LATENCY - 2]), .read_address(early_entry[LINE_BITS +: GROUP_WIDTH]),
        .read_data(name_rdata), .parity_error(parity_error[0])
    );

    assign {lines_less_1, requester, tag, element, out_fp32, last_length} = {{(3 - LINE_BITS){1'b0}}, name_rdata};

    wire [ENTRY_WIDTH + 1:0] long_entry  = {2'd0, entry}; // three bits at least
    wire [2:0]               line        = long_entry[2:0] & LINE_MASK;
    wire                     unused_long = &{1'b0, long_entry};
    wire [8:0]               length      = line == lines_less_1 ? last_length : LONGEST;

    wire       wide       = out_fp32 && element != 2'd`MOEHUB_ELEMENT_FP32;
    wire [1:0] out_type   = out_fp32 ? 2'd`MOEHUB_ELEMENT_FP32 : element;
    wire [9:0] out_length = status != 4'd`MOEHUB_STATUS_OK ? 10'd0 : wide ? {length, 1'b0} : {1'b0, length};

    wire [ENTRY_WIDTH - 1:0] out_entry;

    moehub_result_queue #(.ROWS(QUEUE_ROWS), .HEAD_WIDTH(HEAD_WIDTH), .DATA_WIDTH(8 * FLIT_BYTES), .PARITY(PARITY)) u_queue (
        .clk(clk), .rst(rst),
        .row_valid(valid_q[LATENCY - 1]), .row_first(first), .row_commit(commit), .row_two(two),
        .row_head({requester, tag, status, out_type, out_length, entry}), .row_data(row_data),
        .fetched(queue_fetched), .dropped(queue_dropped),
        .out_valid(result_valid), .out_ready(result_ready),
        .out_head({result_requester, result_tag, result_status, result_element, result_length, out_entry}),
        .out_data(result_data), .out_last(result_last), .parity_error(parity_error[1])
    );

    assign result_entry = {{(16 - ENTRY_WIDTH){1'b0}}, out_entry};

    reg                     line_done_valid_q;
    reg [ENTRY_WIDTH - 1:0] line_done_entry_q;

    always @(posedge clk) begin
        line_done_valid_q <= result_valid && result_ready && result_last;
        line_done_entry_q <= out_entry;
        if (rst) line_done_valid_q <= 1'b0;
    end

    assign line_done_valid = line_done_valid_q;
    assign line_done_entry = line_done_entry_q;
endmodule

`default_nettype wire
