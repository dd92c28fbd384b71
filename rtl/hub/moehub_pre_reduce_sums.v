// SPDX-License-Identifier: Apache-2.0
// Purpose: adds the targets' lines, and queues the sums until they are sent (doc/hub/reduce.md section 2, 5 and 6).
// Contract:
//   1. flit_* and row_reserved are those of moehub_pre_reduce_places; room: a whole line's rows are free.
//   2. A sum's rows are queued as they leave the lanes; they count when the last one is in. An error among the beats of any
//      target drops them: one row with status MEMORY stands instead. A flit of a record with a status is such a row, too.
//   3. sum_*: a flit of 16 bytes each, sum_units of them; one with a status has one, whose data mean nothing.
//   4. queued, and with it queued_status (not OK), queued_error (of a read) and read_error_header (of that): a pulse, one
//      cycle after the last row; partial_queued: the same for the last line of a request that is counted.
// How: the lanes keep one line's sums. What is known of a flit goes beside them, LATENCY stages.
// Cost: a flit a cycle; 3 cycles of accumulation, MOEHUB_FINALIZE_LATENCY and 1 to the queue, 4 to its output.
// Proved: formal/hub/formal_pre_reduce_sums.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
`include "moehub_hub_way.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_pre_reduce_sums #(
    parameter MAX_TARGETS  = 32, // 1..32
    parameter LANE_BYTES   = 16, // 16, 32
    parameter PARTIAL_ROWS = 40, // 9..256
    parameter WITH_FP32    = 1   // 0, 1
) (
    input  wire                                   clk,
    input  wire                                   rst,
    output wire                                   room,
    input  wire                                   row_reserved,
    input  wire [3:0]                             reserved_rows,
    input  wire                                   flit_valid,
    input  wire [`MOEHUB_READ_RECORD_WIDTH - 1:0] flit_record,
    input  wire [2:0]                             flit_number,
    input  wire                                   flit_last,
    input  wire                                   flit_error,
    input  wire [8 * LANE_BYTES - 1:0]            flit_data,
    output wire                                   sum_valid,
    input  wire                                   sum_ready,
    output wire [`MOEHUB_PARTIAL_WIDTH - 1:0]     sum_partial,
    output wire [3:0]                             sum_status,
    output wire [3:0]                             sum_units,
    output wire [127:0]                           sum_data,
    output wire                                   sum_last,
    output wire                                   partial_queued_valid,
    output wire [2:0]                             partial_queued_context,
    output wire                                   queued,
    output wire                                   queued_status,
    output wire                                   queued_error,
    output wire [127:0]                           read_error_header
);
    localparam FLITS       = `MOEHUB_LINE_BYTES / LANE_BYTES;
    localparam INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(FLITS);
    localparam WIDE        = LANE_BYTES == 32;
    localparam TO_ROW      = 4; // from a flit to its row: the read, accumulation, the sum's register
    localparam LATENCY     = TO_ROW + `MOEHUB_FINALIZE_LATENCY;
    localparam SIDE_WIDTH  = 3 + 4 + 4 + 1 + `MOEHUB_PARTIAL_WIDTH + 1;
    localparam COUNT_WIDTH = $clog2(PARTIAL_ROWS + 1);
    localparam ROOM        = PARTIAL_ROWS - FLITS;

    wire [3:0]                         status;
    wire                               first;
    wire                               last;
    wire [3:0]                         units;
    wire                               ends;
    wire                               counted;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] partial;
    assign `MOEHUB_READ_RECORD(status, first, last, units, ends, counted, partial) = flit_record;

    wire [5:0]  unused_source;
    wire [2:0]  unused_context;
    wire [3:0]  unused_round;
    wire [23:0] unused_tag;
    wire [1:0]  element;
    assign `MOEHUB_PARTIAL(unused_source, unused_context, unused_round, unused_tag, element) = partial;

    // ---- the line's state -----------------------------------------------------------------------------------------------------
    reg  error_q; // of a beat before
    wire adds   = flit_valid && status == 4'd`MOEHUB_STATUS_OK;
    wire starts = first && flit_number == 3'd0;
    wire error  = flit_error || (error_q && !starts);
    always @(posedge clk) begin
        if (adds) error_q <= error;
    end

    // ---- lanes ----------------------------------------------------------------------------------------------------------------
    reg                     lane_valid_q;
    reg [INDEX_WIDTH - 1:0] lane_row_q;
    reg                     lane_first_q;
    reg                     lane_write_q;
    always @(posedge clk) begin
        lane_valid_q <= adds;
        lane_row_q   <= flit_number[INDEX_WIDTH - 1:0];
        lane_first_q <= first;
        lane_write_q <= adds && !last;
        if (rst) begin
            lane_valid_q <= 1'b0;
            lane_write_q <= 1'b0;
        end
    end

    // The last of 16-bit words that hold the payload: an odd number of units ends in the lower half of a flit of 32 bytes.
    wire                            half = WIDE && units[0];
    reg  [`MOEHUB_FLIT_WIDTH - 1:0] flit;
    always @* begin
        flit = {`MOEHUB_FLIT_WIDTH{1'b0}};
        flit[`MOEHUB_FLIT_ELEMENT_LSB +: `MOEHUB_FLIT_ELEMENT_WIDTH] = element;
        flit[`MOEHUB_FLIT_TAIL_LSB]                                  = flit_last;
        flit[`MOEHUB_FLIT_END_LSB +: `MOEHUB_FLIT_END_WIDTH]         = WIDE && !half ? 5'd15 : 5'd7;
    end

    // ---- beside the lanes: what each row of a sum is --------------------------------------------------------------------
    wire row_enters = flit_valid && last && (adds || flit_last);
    wire drops      = flit_last && (!adds || error);
    wire row_first  = drops || flit_number == 3'd0;
    wire row_two    = WIDE && !drops && !(flit_last && half);
    wire [3:0] row_status = !adds ? status : flit_last && error ? 4'd`MOEHUB_STATUS_MEMORY : 4'd`MOEHUB_STATUS_OK;

    reg [LATENCY - 1:0]              row_q; // bit i: i + 1 cycles later
    reg [LATENCY * SIDE_WIDTH - 1:0] side_q;
    always @(posedge clk) begin
        row_q  <= {row_q[LATENCY - 2:0], row_enters};
        side_q <= {side_q[(LATENCY - 1) * SIDE_WIDTH - 1:0], row_first, flit_last, row_two, row_status, units, ends && counted,
            partial, adds};
        if (rst) row_q <= {LATENCY{1'b0}};
    end

    wire                               out_first;
    wire                               out_commit;
    wire                               out_two;
    wire [3:0]                         out_status;
    wire [3:0]                         out_units;
    wire                               out_ends;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] out_partial;
    wire                               out_adds;
    assign {out_first, out_commit, out_two, out_status, out_units, out_ends, out_partial, out_adds} =
        side_q[(LATENCY - 1) * SIDE_WIDTH +: SIDE_WIDTH];
    wire out_valid = row_q[LATENCY - 1];

    // The element of the row that enters the finalizers.
    wire [1:0]                     row_element =
        side_q[(TO_ROW - 1) * SIDE_WIDTH + `MOEHUB_PARTIAL_WIDTH - 1 +: 2];
    reg  [`MOEHUB_ROW_WIDTH - 1:0] row;
    always @* begin
        row = {`MOEHUB_ROW_WIDTH{1'b0}};
        row[`MOEHUB_ROW_ELEMENT_LSB +: `MOEHUB_ROW_ELEMENT_WIDTH] = row_element;
    end

    wire [2 * 8 * LANE_BYTES - 1:0] row_data;
    wire                            unused_parity;
    wire                            unused_row_data = ^row_data[2 * 8 * LANE_BYTES - 1:8 * LANE_BYTES]; // of wider sums
    moehub_reduction_lanes #(
        .ENTRIES(1), .FLITS(FLITS), .FLIT_BYTES(LANE_BYTES), .MAX_CONTRIBUTORS(MAX_TARGETS), .WITH_FP32(WITH_FP32)
    ) u_lanes (
        .clk(clk), .rst(rst), .flit(flit), .flit_data(flit_data), .fetch_valid(adds && !first),
        .fetch_row(flit_number[INDEX_WIDTH - 1:0]), .lane_valid(lane_valid_q), .lane_row(lane_row_q), .lane_first(lane_first_q),
        .lane_forward(2'd0), .lane_write(lane_write_q), .read_valid(1'b0), .read_row({INDEX_WIDTH{1'b0}}),
        .row_valid(row_q[TO_ROW - 1]), .row(row), .row_from_lanes(1'b1), .row_from_memory(1'b0), .row_data(row_data),
        .parity_error(unused_parity)
    );

    // ---- partials that wait ---------------------------------------------------------------------------------------------
    wire                     fetched;
    wire [COUNT_WIDTH - 1:0] dropped;
    wire                     unused_queue_parity;
    wire [255:0]             queue_data;
    generate
        if (WIDE) begin : g_wide
            assign queue_data = row_data[255:0];
        end else begin : g_half
            assign queue_data = {128'd0, row_data[127:0]};
        end
    endgenerate
    moehub_result_queue #(.ROWS(PARTIAL_ROWS), .HEAD_WIDTH(`MOEHUB_PARTIAL_WIDTH + 8), .DATA_WIDTH(128)) u_queue (
        .clk(clk), .rst(rst), .row_valid(out_valid), .row_first(out_first), .row_commit(out_commit), .row_two(out_two),
        .row_head({out_partial, out_status, out_units}), .row_data(queue_data), .fetched(fetched), .dropped(dropped),
        .out_valid(sum_valid), .out_ready(sum_ready), .out_head({sum_partial, sum_status, sum_units}), .out_data(sum_data),
        .out_last(sum_last), .parity_error(unused_queue_parity)
    );

    // Rows in the queue or on their way to it.
    reg  [COUNT_WIDTH - 1:0] used_q;
    reg                      room_q;
    wire [COUNT_WIDTH - 1:0] more = row_reserved ? {{COUNT_WIDTH - 4{1'b0}}, reserved_rows} : {COUNT_WIDTH{1'b0}};
    wire [COUNT_WIDTH - 1:0] used = used_q + more - dropped - {{COUNT_WIDTH - 1{1'b0}}, fetched};
    assign room = room_q;
    always @(posedge clk) begin
        used_q <= used;
        room_q <= used <= ROOM[COUNT_WIDTH - 1:0];
        if (rst) begin
            used_q <= {COUNT_WIDTH{1'b0}};
            room_q <= 1'b0;
        end
    end

    // ---- what happened --------------------------------------------------------------------------------------------------
    wire [5:0]  out_source;
    wire [2:0]  out_context;
    wire [3:0]  unused_out_round;
    wire [23:0] out_tag;
    wire [1:0]  unused_out_element;
    assign `MOEHUB_PARTIAL(out_source, out_context, unused_out_round, out_tag, unused_out_element) = out_partial;

    reg         queued_q;
    reg         status_q;
    reg         read_error_q;
    reg         ends_q;
    reg [2:0]   context_q;
    reg [5:0]   source_q;
    reg [23:0]  tag_q;
    reg [127:0] header;
    always @(posedge clk) begin
        queued_q     <= out_valid && out_commit;
        status_q     <= out_valid && out_commit && out_status != 4'd`MOEHUB_STATUS_OK;
        read_error_q <= out_valid && out_commit && out_adds && out_status != 4'd`MOEHUB_STATUS_OK;
        ends_q       <= out_valid && out_commit && out_ends;
        context_q    <= out_context;
        source_q     <= out_source;
        tag_q        <= out_tag;
        if (rst) begin
            queued_q     <= 1'b0;
            status_q     <= 1'b0;
            read_error_q <= 1'b0;
            ends_q       <= 1'b0;
        end
    end
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH] = context_q;
        header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]   = {10'd0, source_q};
        header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]         = tag_q;
    end
    assign partial_queued_valid   = ends_q;
    assign partial_queued_context = context_q;
    assign queued                 = queued_q;
    assign queued_status          = status_q;
    assign queued_error           = read_error_q;
    assign read_error_header      = header;
endmodule

`default_nettype wire
