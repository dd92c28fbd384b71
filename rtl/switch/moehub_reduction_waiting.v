// SPDX-License-Identifier: Apache-2.0
// Purpose: sends the results that cannot pass, of deferred and of timed-out entries, to the finalizers, row by row in cycles
//   that no partial needs, and merges them with the passing results.
// Contract:
//   1. A row of a waiting result goes when no passing packet is under way at the accumulators' end, the element memory's
//      read port is free (a first contributor leaves it free) and the queue has space. An error result needs no read.
//   2. Rows of different results never mix: a result that a passing one interrupts starts again; the queue drops the rows
//      without commit when a new first row comes.
//   3. After 15 results have passed while one waits, may_pass stays low until it is gone. So every waiting result leaves,
//      by the slots of 1.
//   4. Timed-out entries and deferred ones take turns.
//   5. row_* describes, in the cycle after the choice, what the finalizers take: the sum that left the accumulators, the
//      element memory's read data, or the empty state (an error).
// Cost: ENTRIES * (2 * ENTRY_WIDTH + NUMBER_WIDTH + 6) bits of lists; one row a cycle.
// Proved: formal/switch/formal_reduction_waiting.v, formal_reduction_waiting_sent.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_waiting #(
    parameter ENTRIES = 107,
    parameter FLITS   = 8,
    parameter PARITY  = 0
) (
    input  wire clk,
    input  wire rst,

    input  wire                                      deferred_valid, // the entry of this flit
    input  wire [`MOEHUB_FLIT_WIDTH - 1:0]           flit,
    input  wire                                      timed_out_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] timed_out_entry,

    output wire may_pass,
    input  wire space,
    output wire job_sent,

    input  wire                           send_passing,
    input  wire                           send_valid,
    input  wire [`MOEHUB_ROW_WIDTH - 1:0] send_row,

    input  wire                                              fetch_valid, // the read port is taken
    output wire                                              read_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] read_row,

    output wire                           row_valid,
    output wire [`MOEHUB_ROW_WIDTH - 1:0] row,
    output wire                           row_from_lanes,
    output wire                           row_from_memory,

    output wire [1:0] parity_error // timed-out list, deferred list
);
    localparam ENTRY_WIDTH  = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam NUMBER_WIDTH = `MOEHUB_INDEX_WIDTH(FLITS);
    localparam ROW_WIDTH    = `MOEHUB_INDEX_WIDTH(ENTRIES * FLITS);
    localparam ITEM_WIDTH   = ENTRY_WIDTH + 2 + 2 + 1 + NUMBER_WIDTH + 1;
    localparam [NUMBER_WIDTH - 1:0] INDEX_0      = 0;
    localparam [NUMBER_WIDTH - 1:0] INDEX_ONE    = 1;
    localparam [3:0] PATIENCE     = 15;

    wire unused_flit = &{1'b0, flit};

    // ---- the two lists ------------------------------------------------------------------------------------------
    wire                      unused_deferred_empty;
    wire                      next_deferred_valid;
    wire                      next_deferred_take;
    wire [ENTRY_WIDTH - 1:0]  next_deferred_entry;
    wire [1:0]                next_deferred_failure;
    wire [1:0]                next_deferred_element;
    wire                      next_deferred_out_fp32;
    wire [NUMBER_WIDTH - 1:0] next_deferred_last_number;
    wire                      next_deferred_upper_half;

    moehub_memory_fifo #(
        .WIDTH(ITEM_WIDTH), .DEPTH(ENTRIES), .LANDING(2), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, ITEM_WIDTH))
    ) u_deferred (
        .clk(clk), .rst(rst),
        .in_valid(deferred_valid),
        .in_data({
            flit[`MOEHUB_FLIT_ENTRY_LSB +: ENTRY_WIDTH], flit[`MOEHUB_FLIT_FAILURE_LSB +: 2], flit[`MOEHUB_FLIT_ELEMENT_LSB +: 2],
            flit[`MOEHUB_FLIT_OUT_FP32_LSB], flit[`MOEHUB_FLIT_LAST_NUMBER_LSB +: NUMBER_WIDTH], flit[`MOEHUB_FLIT_UPPER_HALF_LSB]
        }),
        .out_valid(next_deferred_valid), .out_ready(next_deferred_take),
        .out_data({
            next_deferred_entry, next_deferred_failure, next_deferred_element,
            next_deferred_out_fp32, next_deferred_last_number, next_deferred_upper_half
        }),
        .empty(unused_deferred_empty), .parity_error(parity_error[0])
    );

    wire                     unused_timed_out_empty;
    wire                     next_timed_out_valid;
    wire                     next_timed_out_take;
    wire [ENTRY_WIDTH - 1:0] next_timed_out_entry;

    moehub_memory_fifo #(
        .WIDTH(ENTRY_WIDTH), .DEPTH(ENTRIES), .LANDING(2), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, ENTRY_WIDTH))
    ) u_timed_out (
        .clk(clk), .rst(rst),
        .in_valid(timed_out_valid), .in_data(timed_out_entry),
        .out_valid(next_timed_out_valid), .out_ready(next_timed_out_take), .out_data(next_timed_out_entry),
        .empty(unused_timed_out_empty), .parity_error(parity_error[1])
    );

    // ---- the one whose turn it is: the job ------------------------------------------------------------------------
    reg                      job_valid_q;
    reg                      job_timed_out_q;
    reg                      job_error_q;
    reg [3:0]                job_status_q;
    reg [ENTRY_WIDTH - 1:0]  job_entry_q;
    reg [ROW_WIDTH - 1:0]    job_base_q;  // row of the element memory
    reg [1:0]                job_element_q;
    reg                      job_out_fp32_q;
    reg [NUMBER_WIDTH - 1:0] job_last_number_q;
    reg                      job_upper_half_q;
    reg [NUMBER_WIDTH - 1:0] job_index_q; // the row of the entry that is next; 0 of an error
    reg [3:0]                passed_q;    // results that have passed while this one waits

    wire sends          = job_valid_q && space && !send_passing && (job_error_q || !fetch_valid);
    wire tail           = job_error_q || job_index_q == job_last_number_q;
    wire done           = !job_valid_q || (sends && tail);
    wire timed_out_turn = next_timed_out_valid && (!next_deferred_valid || !job_timed_out_q);

    assign next_timed_out_take = done && timed_out_turn;
    assign next_deferred_take  = done && !timed_out_turn;
    assign may_pass            = passed_q != PATIENCE;
    assign job_sent            = sends;

    wire [ENTRY_WIDTH - 1:0] next_entry = timed_out_turn ? next_timed_out_entry : next_deferred_entry;

    reg [3:0] next_deferred_status;
    always @* begin
        case (next_deferred_failure)
            2'd0:    next_deferred_status = 4'd`MOEHUB_STATUS_OK;
            2'd1:    next_deferred_status = 4'd`MOEHUB_STATUS_PARTIAL;
            2'd2:    next_deferred_status = 4'd`MOEHUB_STATUS_TYPE;
            default: next_deferred_status = 4'd`MOEHUB_STATUS_LENGTH;
        endcase
    end

    always @(posedge clk) begin
        if (sends) job_index_q <= job_index_q + INDEX_ONE;
        if (send_row[`MOEHUB_ROW_FIRST_LSB]) begin
            job_index_q <= INDEX_0;
            if (may_pass) passed_q <= passed_q + 4'd1;
        end
        if (done) begin
            job_valid_q       <= next_timed_out_valid || next_deferred_valid;
            job_timed_out_q   <= timed_out_turn;
            job_error_q       <= timed_out_turn || next_deferred_failure != 2'd0;
            job_status_q      <= timed_out_turn ? 4'd`MOEHUB_STATUS_TIMEOUT : next_deferred_status;
            job_entry_q       <= next_entry;
            job_base_q        <= {{(ROW_WIDTH - ENTRY_WIDTH){1'b0}}, next_entry} * FLITS[ROW_WIDTH - 1:0];
            job_element_q     <= next_deferred_element;
            job_out_fp32_q    <= next_deferred_out_fp32;
            job_last_number_q <= next_deferred_last_number;
            job_upper_half_q  <= next_deferred_upper_half;
            job_index_q       <= INDEX_0;
            passed_q          <= 4'd0;
        end
        if (rst) begin
            job_valid_q     <= 1'b0;
            job_timed_out_q <= 1'b0;
            passed_q        <= 4'd0;
        end
    end

    assign read_valid = sends && !job_error_q;
    assign read_row   = job_base_q + {{(ROW_WIDTH - NUMBER_WIDTH){1'b0}}, job_index_q};

    // ---- what the finalizers take next cycle ------------------------------------------------------------------------
    reg                           row_valid_q;
    reg                           row_from_lanes_q;
    reg                           row_from_memory_q;
    reg [`MOEHUB_ROW_WIDTH - 1:0] row_q;

    wire job_wide = !job_error_q && job_out_fp32_q && job_element_q != 2'd`MOEHUB_ELEMENT_FP32;

    wire [`MOEHUB_ROW_WIDTH - 1:0] job_row;
    assign job_row[`MOEHUB_ROW_FIRST_LSB]  = job_index_q == INDEX_0;
    assign job_row[`MOEHUB_ROW_COMMIT_LSB] = tail;
    // Twice as wide, but for an end in the lower half of the row.
    assign job_row[`MOEHUB_ROW_TWO_LSB]          = job_wide && (job_upper_half_q || !tail);
    assign job_row[`MOEHUB_ROW_ELEMENT_LSB +: 2] = job_error_q ? 2'd`MOEHUB_ELEMENT_BF16 : job_element_q;
    assign job_row[`MOEHUB_ROW_OUT_FP32_LSB]     = job_out_fp32_q && !job_error_q;
    assign job_row[`MOEHUB_ROW_STATUS_LSB +: 4]  = job_status_q;
    assign job_row[`MOEHUB_ROW_ENTRY_LSB +: 12]  = {{(12 - ENTRY_WIDTH){1'b0}}, job_entry_q};

    always @(posedge clk) begin
        row_valid_q       <= send_valid || sends;
        row_from_lanes_q  <= send_valid;
        row_from_memory_q <= read_valid;
        row_q             <= send_valid ? send_row : job_row;
        if (rst) row_valid_q <= 1'b0;
    end

    assign row_valid       = row_valid_q;
    assign row             = row_q;
    assign row_from_lanes  = row_from_lanes_q;
    assign row_from_memory = row_from_memory_q;
endmodule

`default_nettype wire
