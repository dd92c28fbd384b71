// SPDX-License-Identifier: Apache-2.0
// Purpose: gives the rows that leave the finalizers the names they answer to - requester, tag, type, length - and queues them.
// Contract:
//   1. row_data belongs to the row_* of MOEHUB_FINALIZE_LATENCY cycles before.
//   2. The names of a record are kept until the entry is used again.
//   3. result_length is 0 unless the status is OK, twice the partials' length when 16-bit partials give an fp32 result.
//   4. freed_* follows, one cycle later, the last flit of a result that the taker took: the entry is free.
//   5. queue_fetched and queue_dropped give places of the queue back (moehub_reduction_schedule, contract 5).
// Cost: ENTRIES * (22 + TAG_WIDTH) bits, QUEUE_ROWS rows of two flits.
// Proved: formal/switch/formal_reduction_result.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_result #(
    parameter ENTRIES    = 107,
    parameter FLIT_BYTES = 16,
    parameter TAG_WIDTH  = 24,
    parameter QUEUE_ROWS = 40,
    parameter PARITY     = 0
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

    output wire                                      freed_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] freed_entry,

    output wire [1:0] parity_error // queue, names
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam LATENCY     = `MOEHUB_FINALIZE_LATENCY;
    localparam SIDE_WIDTH  = 3 + 4 + ENTRY_WIDTH;
    localparam NAME_WIDTH  = 10 + TAG_WIDTH + 2 + 1 + 9;
    localparam HEAD_WIDTH  = 10 + TAG_WIDTH + 4 + 2 + 10 + ENTRY_WIDTH;

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

    wire [ENTRY_WIDTH - 1:0] early_entry = side_q[(LATENCY - 2) * SIDE_WIDTH +: ENTRY_WIDTH]; // one cycle before the data
    wire                     first;
    wire                     commit;
    wire                     two;
    wire [3:0]               status;
    wire [ENTRY_WIDTH - 1:0] entry;
    assign {first, commit, two, status, entry} = side_q[(LATENCY - 1) * SIDE_WIDTH +: SIDE_WIDTH];

    // ---- names ------------------------------------------------------------------------------------------------------
    wire [9:0]             requester;
    wire [TAG_WIDTH - 1:0] tag;
    wire [1:0]             element;
    wire                   out_fp32;
    wire [8:0]             length;
    wire                   unused_record = &{1'b0, record};

    moehub_memory_1r1w #(
        .WIDTH(NAME_WIDTH), .DEPTH(ENTRIES), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, NAME_WIDTH))
    ) u_names (
        .clk(clk),
        .write_enable(record_valid), .write_address(record[`MOEHUB_RECORD_ENTRY_LSB +: ENTRY_WIDTH]),
        .write_data({
            record[`MOEHUB_RECORD_REQUESTER_LSB +: 10], record[`MOEHUB_RECORD_TAG_LSB +: TAG_WIDTH],
            record[`MOEHUB_RECORD_ELEMENT_LSB +: 2], record[`MOEHUB_RECORD_OUT_FP32_LSB], record[`MOEHUB_RECORD_LENGTH_LSB +: 9]
        }),
        .read_enable(valid_q[LATENCY - 2]), .read_address(early_entry),
        .read_data({requester, tag, element, out_fp32, length}), .parity_error(parity_error[0])
    );

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

    reg                     freed_valid_q;
    reg [ENTRY_WIDTH - 1:0] freed_entry_q;

    always @(posedge clk) begin
        freed_valid_q <= result_valid && result_ready && result_last;
        freed_entry_q <= out_entry;
        if (rst) freed_valid_q <= 1'b0;
    end

    assign freed_valid = freed_valid_q;
    assign freed_entry = freed_entry_q;
endmodule

`default_nettype wire
