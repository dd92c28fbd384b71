// SPDX-License-Identifier: Apache-2.0
// Purpose: what the lanes do with each flit of a partial: add it to the stored state and write that back, or, for the last
//   contributor of a good entry, pass the sum straight through to the result queue.
// Contract:
//   1. A partial's flit never waits. A packet passes when its first flit completes a good entry, the result queue has room
//      for the longest result, and no waiting result is impatient (may_pass). Else its rows are written back.
//   2. Whether a passing result counts is known at the packet's last flit only: COMMIT of send_row. Without it the queue
//      drops the rows, and the entry is deferred as an error.
//   3. lane_forward names the newest sum of the row that the element memory does not hold yet.
//   4. send_* describes the flit that leaves the accumulators in this cycle, two cycles after lane_*; FIRST of send_row a
//      passing packet's first flit, send_passing that one is under way: nothing else may be sent.
//   5. The credit loop: a place in the result queue is taken here, by a flit that passes or by job_sent of
//      moehub_reduction_waiting, and given back by moehub_reduction_result, whose queue_fetched and queue_dropped tell what
//      has left. space goes to moehub_reduction_waiting, which sends only then. So every row finds a place.
// Cost: one decision a cycle with fetch_*, lane_* one cycle later, send_* three.
// Proved: formal/switch/formal_reduction_schedule_room.v, formal_reduction_waiting.v, formal_reduction_lanes_sums.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_schedule #(
    parameter ENTRIES    = 107,
    parameter FLITS      = 8,
    parameter QUEUE_ROWS = 40
) (
    input  wire clk,
    input  wire rst,

    input  wire                            flit_valid,
    input  wire [`MOEHUB_FLIT_WIDTH - 1:0] flit,

    output wire deferred_valid,  // the entry's result, or error, cannot pass
    output wire deferred_result, // ... and it is no error
    input  wire may_pass,

    input  wire                                job_sent,        // a row of a waiting result goes to the queue
    input  wire                                queue_fetched,   // a row left the queue
    input  wire [$clog2(QUEUE_ROWS + 1) - 1:0] queue_dropped,   // rows without commit made place
    output wire                                space,           // the queue has room for a row of a waiting result

    output wire                                              fetch_valid,     // read the row; next cycle it is lane_*
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] fetch_row,
    output wire                                              lane_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] lane_row,
    output wire                                              lane_first,      // start from the empty state
    output wire [1:0]                                        lane_forward,
    output wire                                              lane_write,      // back to the element memory

    output wire                           send_passing,
    output wire                           send_valid,      // a row of the passing packet
    output wire [`MOEHUB_ROW_WIDTH - 1:0] send_row
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam ROW_WIDTH   = `MOEHUB_INDEX_WIDTH(ENTRIES * FLITS);

    // Between the count that a decision sees and the flit's arrival at the queue, five rows more can be on their way:
    // two in the cycle that the count does not show yet, one waiting result's row in each of the three until send_passing.
    localparam USED_WIDTH = $clog2(QUEUE_ROWS + 1);
    localparam ROOM       = QUEUE_ROWS - FLITS - 5;
    localparam SPACE      = QUEUE_ROWS - 3;
    localparam SEND_WIDTH = 3 + ENTRY_WIDTH + 2 + 1;

    wire                     flit_first      = flit[`MOEHUB_FLIT_FIRST_LSB];
    wire                     flit_last       = flit[`MOEHUB_FLIT_LAST_LSB];
    wire                     flit_adds       = flit[`MOEHUB_FLIT_ADDS_LSB];
    wire                     flit_starts     = flit[`MOEHUB_FLIT_STARTS_LSB];
    wire                     flit_completes  = flit[`MOEHUB_FLIT_COMPLETES_LSB];
    wire [1:0]               flit_failure    = flit[`MOEHUB_FLIT_FAILURE_LSB +: 2];
    wire [1:0]               flit_element    = flit[`MOEHUB_FLIT_ELEMENT_LSB +: 2];
    wire                     flit_out_fp32   = flit[`MOEHUB_FLIT_OUT_FP32_LSB];
    wire                     flit_tail       = flit[`MOEHUB_FLIT_TAIL_LSB];
    wire                     flit_upper_half = flit[`MOEHUB_FLIT_UPPER_HALF_LSB];
    wire [ENTRY_WIDTH - 1:0] flit_entry      = flit[`MOEHUB_FLIT_ENTRY_LSB +: ENTRY_WIDTH];
    wire [ROW_WIDTH - 1:0]   flit_row        = flit[`MOEHUB_FLIT_ROW_LSB +: ROW_WIDTH];
    wire                     unused_flit     = &{1'b0, flit};

    // ---- the decision ---------------------------------------------------------------------------------------------
    reg passing_q; // a passing packet has begun and not ended
    reg room_q;

    wire begins = flit_valid && flit_first && flit_completes && flit_failure == 2'd0 && room_q && may_pass;
    wire passes = begins || (flit_valid && !flit_first && passing_q);
    wire sends  = passes && flit_adds;
    wire ends   = flit_valid && flit_last && flit_completes;
    wire commit = ends && passes && flit_failure == 2'd0;
    wire wide   = flit_out_fp32 && flit_element != 2'd`MOEHUB_ELEMENT_FP32;

    assign deferred_valid  = ends && !commit;
    assign deferred_result = deferred_valid && flit_failure == 2'd0;

    always @(posedge clk) begin
        if (flit_valid) passing_q <= passes && !flit_last;
        if (rst) passing_q <= 1'b0;
    end

    // ---- room in the result queue: rows in it or on their way -------------------------------------------------------
    reg [USED_WIDTH - 1:0] used_q;
    reg                    space_q;

    wire [USED_WIDTH - 1:0] more = {{(USED_WIDTH - 1){1'b0}}, sends} + {{(USED_WIDTH - 1){1'b0}}, job_sent};
    wire [USED_WIDTH - 1:0] less = {{(USED_WIDTH - 1){1'b0}}, queue_fetched} + queue_dropped;

    always @(posedge clk) begin
        used_q  <= used_q + more - less;
        room_q  <= used_q <= ROOM[USED_WIDTH - 1:0];
        space_q <= used_q <= SPACE[USED_WIDTH - 1:0];
        if (rst) begin
            used_q  <= {USED_WIDTH{1'b0}};
            room_q  <= 1'b0;
            space_q <= 1'b0;
        end
    end

    assign space = space_q;

    // ---- lanes: the read, then cycles 0 to 2 ----------------------------------------------------------------------------
    reg                   lane_valid_q;
    reg [ROW_WIDTH - 1:0] lane_row_q;
    reg                   lane_first_q;
    reg [1:0]             lane_forward_q;
    reg                   lane_write_q;
    reg [1:0]             before_valid_q; // the flits one and two cycles earlier
    reg [ROW_WIDTH - 1:0] before_row_q;
    reg [ROW_WIDTH - 1:0] before_2_row_q;

    wire near = lane_valid_q && lane_row_q == flit_row;
    wire far  = before_valid_q[0] && before_row_q == flit_row;
    wire last = before_valid_q[1] && before_2_row_q == flit_row;

    always @(posedge clk) begin
        lane_valid_q   <= flit_adds;
        lane_row_q     <= flit_row;
        lane_first_q   <= flit_starts;
        lane_forward_q <= near ? 2'd1 : far ? 2'd2 : last ? 2'd3 : 2'd0;
        lane_write_q   <= flit_adds && !passes;
        before_valid_q <= {before_valid_q[0], lane_valid_q};
        before_row_q   <= lane_row_q;
        before_2_row_q <= before_row_q;
        if (rst) begin
            lane_valid_q   <= 1'b0;
            lane_write_q   <= 1'b0;
            before_valid_q <= 2'd0;
        end
    end

    assign fetch_valid  = flit_adds && !flit_starts;
    assign fetch_row    = flit_row;
    assign lane_valid   = lane_valid_q;
    assign lane_row     = lane_row_q;
    assign lane_first   = lane_first_q;
    assign lane_forward = lane_forward_q;
    assign lane_write   = lane_write_q;

    // ---- the same flit where it leaves the accumulators ---------------------------------------------------------------------
    reg [2:0]                  begins_q;  // bit i: decided i + 1 cycles ago
    reg [2:0]                  passes_q;
    reg [2:0]                  ends_q;
    reg [3 * SEND_WIDTH - 1:0] send_q;
    reg                        sending_q; // a passing packet has begun here and not ended

    always @(posedge clk) begin
        begins_q <= {begins_q[1:0], begins};
        passes_q <= {passes_q[1:0], passes};
        ends_q   <= {ends_q[1:0], passes && flit_last};
        // A result twice as wide as its partials takes two flits a row, but for an end in the lower half of the row.
        send_q <= {send_q[2 * SEND_WIDTH - 1:0],
            sends, commit, wide && (flit_upper_half || !flit_tail), flit_entry, flit_element, flit_out_fp32};
        if (passes_q[2]) sending_q <= !ends_q[2];
        if (rst) begin
            begins_q  <= 3'd0;
            passes_q  <= 3'd0;
            send_q    <= {(3 * SEND_WIDTH){1'b0}};
            sending_q <= 1'b0;
        end
    end

    wire                     send_commit;
    wire                     send_two;
    wire [ENTRY_WIDTH - 1:0] send_entry;
    wire [1:0]               send_element;
    wire                     send_out_fp32;
    assign {send_valid, send_commit, send_two, send_entry, send_element, send_out_fp32} = send_q[2 * SEND_WIDTH +: SEND_WIDTH];

    assign send_passing = passes_q[2] || sending_q;

    assign send_row[`MOEHUB_ROW_FIRST_LSB]        = begins_q[2];
    assign send_row[`MOEHUB_ROW_COMMIT_LSB]       = send_commit;
    assign send_row[`MOEHUB_ROW_TWO_LSB]          = send_two;
    assign send_row[`MOEHUB_ROW_ELEMENT_LSB +: 2] = send_element;
    assign send_row[`MOEHUB_ROW_OUT_FP32_LSB]     = send_out_fp32;
    assign send_row[`MOEHUB_ROW_STATUS_LSB +: 4]  = 4'd`MOEHUB_STATUS_OK;
    assign send_row[`MOEHUB_ROW_ENTRY_LSB +: 12]  = {{(12 - ENTRY_WIDTH){1'b0}}, send_entry};
endmodule

`default_nettype wire
