// SPDX-License-Identifier: Apache-2.0
// Purpose: the results that wait in their entries, because the result queue had no room or because they are errors: sends
//   them to the finalizers row by row in cycles that no partial needs, and merges them with the passing results.
// Contract:
//   1. A row of a waiting result goes when no passing packet is under way at the accumulators' end, the element memory's
//      read port is free (a first contributor leaves it free) and the queue has space. An error result needs no read.
//   2. Rows of different results never mix: a result that a passing one interrupts starts again; the queue drops the rows
//      without commit when a new first row comes.
//   3. After 15 results have passed while one waits, may_pass stays low until it is gone. So every waiting result leaves,
//      by the slots of 1.
//   4. Timed-out entries and the others take turns.
//   5. row_* describes, in the cycle after the choice, what the finalizers take: the sum that left the accumulators, the
//      element memory's read data, or the empty state (an error).
// Cost: ENTRIES * (2 * ENTRY_WIDTH + NUMBER_WIDTH + 6) bits of lists; one row a cycle.
`default_nettype none
`include "moehub_defines.vh"

module moehub_reduction_waiting #(
    parameter ENTRIES     = 107,
    parameter FLITS       = 8,
    parameter NUMBER_WIDTH = 3, // max(1, ceil(log2 FLITS))
    parameter ENTRY_WIDTH = 7, // max(1, ceil(log2 ENTRIES))
    parameter ROW_WIDTH   = 10 // max(1, ceil(log2 (ENTRIES * FLITS)))
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     waits_valid,
    input  wire [ENTRY_WIDTH - 1:0] waits_entry,
    input  wire [1:0]               waits_failure, // 0 none, 1 PARTIAL, 2 TYPE, 3 LENGTH
    input  wire [1:0]               waits_element,
    input  wire                     waits_out_fp32,
    input  wire [NUMBER_WIDTH - 1:0] waits_last_number, // row of the payload's end ...
    input  wire                     waits_upper_half,  // ... which lies in the upper half of it
    input  wire                     timed_out_valid,
    input  wire [ENTRY_WIDTH - 1:0] timed_out_entry,

    output wire                     may_pass,
    input  wire                     space,
    output wire                     job_sent,

    input  wire                     send_passing,
    input  wire                     send_begins,
    input  wire                     send_valid,
    input  wire                     send_commit,
    input  wire                     send_two,
    input  wire [ENTRY_WIDTH - 1:0] send_entry,
    input  wire [1:0]               send_element,
    input  wire                     send_out_fp32,

    input  wire                     read_busy,
    output wire                     read_valid,
    output wire [ROW_WIDTH - 1:0]   read_row,

    output wire                     row_valid,
    output wire                     row_from_lanes,
    output wire                     row_from_memory,
    output wire                     row_first,
    output wire                     row_commit,
    output wire                     row_two,
    output wire [ENTRY_WIDTH - 1:0] row_entry,
    output wire [3:0]               row_status,
    output wire [1:0]               row_element,
    output wire                     row_out_fp32
);

    localparam ITEM_WIDTH = ENTRY_WIDTH + 2 + 2 + 1 + NUMBER_WIDTH + 1;
    localparam [NUMBER_WIDTH - 1:0] INDEX_0   = 0;
    localparam [NUMBER_WIDTH - 1:0] INDEX_ONE = 1;
    localparam [3:0]               PATIENCE  = 15;

    // ---- the two lists ------------------------------------------------------------------------------------------
    wire                     full_valid; // every port has answered
    wire                     full_take;
    wire [ENTRY_WIDTH - 1:0] full_entry;
    wire [1:0]               full_failure;
    wire [1:0]               full_element;
    wire                     full_out_fp32;
    wire [NUMBER_WIDTH - 1:0] full_last_number;
    wire                     full_upper_half;

    moehub_reduction_list #(.WIDTH(ITEM_WIDTH), .DEPTH(ENTRIES)) u_full (
        .clk(clk), .rst(rst), .clear(1'b0),
        .push_valid(waits_valid), .push_data({waits_entry, waits_failure, waits_element, waits_out_fp32, waits_last_number, waits_upper_half}),
        .out_valid(full_valid), .out_ready(full_take),
        .out_data({full_entry, full_failure, full_element, full_out_fp32, full_last_number, full_upper_half})
    );

    wire                     late_valid; // timed out
    wire                     late_take;
    wire [ENTRY_WIDTH - 1:0] late_entry;

    moehub_reduction_list #(.WIDTH(ENTRY_WIDTH), .DEPTH(ENTRIES)) u_late (
        .clk(clk), .rst(rst), .clear(1'b0),
        .push_valid(timed_out_valid), .push_data(timed_out_entry),
        .out_valid(late_valid), .out_ready(late_take), .out_data(late_entry)
    );

    // ---- the one whose turn it is: the job ------------------------------------------------------------------------
    reg                     job_valid_q;
    reg                     job_late_q;
    reg                     job_error_q;
    reg [3:0]               job_status_q;
    reg [ENTRY_WIDTH - 1:0] job_entry_q;
    reg [ROW_WIDTH - 1:0]   job_base_q;  // row of the element memory
    reg [1:0]               job_element_q;
    reg                     job_out_fp32_q;
    reg [NUMBER_WIDTH - 1:0] job_last_number_q;
    reg                     job_upper_half_q;
    reg [NUMBER_WIDTH - 1:0] job_index_q; // the row of the entry that is next; 0 of an error
    reg [3:0]               passed_q;    // results that have passed while this one waits

    wire sends = job_valid_q && space && !send_passing && (job_error_q || !read_busy);
    wire tail  = job_error_q || job_index_q == job_last_number_q;
    wire done  = !job_valid_q || (sends && tail);
    wire late  = late_valid && (!full_valid || !job_late_q);

    assign late_take = done && late;
    assign full_take = done && !late;
    assign may_pass  = passed_q != PATIENCE;
    assign job_sent  = sends;

    wire [ENTRY_WIDTH - 1:0] next_entry = late ? late_entry : full_entry;

    reg [3:0] full_status;
    always @* begin
        case (full_failure)
            2'd0:    full_status = 4'd`MOEHUB_STATUS_OK;
            2'd1:    full_status = 4'd`MOEHUB_STATUS_PARTIAL;
            2'd2:    full_status = 4'd`MOEHUB_STATUS_TYPE;
            default: full_status = 4'd`MOEHUB_STATUS_LENGTH;
        endcase
    end

    always @(posedge clk) begin
        if (sends) job_index_q <= job_index_q + INDEX_ONE;
        if (send_begins) begin
            job_index_q <= INDEX_0;
            if (may_pass) passed_q <= passed_q + 4'd1;
        end
        if (done) begin
            job_valid_q         <= late_valid || full_valid;
            job_late_q          <= late;
            job_error_q         <= late || full_failure != 2'd0;
            job_status_q        <= late ? 4'd`MOEHUB_STATUS_TIMEOUT : full_status;
            job_entry_q         <= next_entry;
            job_base_q          <= {{(ROW_WIDTH - ENTRY_WIDTH){1'b0}}, next_entry} * FLITS[ROW_WIDTH - 1:0];
            job_element_q       <= full_element;
            job_out_fp32_q      <= full_out_fp32;
            job_last_number_q   <= full_last_number;
            job_upper_half_q    <= full_upper_half;
            job_index_q         <= INDEX_0;
            passed_q            <= 4'd0;
        end
        if (rst) begin
            job_valid_q <= 1'b0;
            job_late_q  <= 1'b0;
            passed_q    <= 4'd0;
        end
    end

    assign read_valid = sends && !job_error_q;
    assign read_row   = job_base_q + {{(ROW_WIDTH - NUMBER_WIDTH){1'b0}}, job_index_q};

    // ---- what the finalizers take next cycle ------------------------------------------------------------------------
    reg                     row_valid_q;
    reg                     row_from_lanes_q;
    reg                     row_from_memory_q;
    reg                     row_first_q;
    reg                     row_commit_q;
    reg                     row_two_q;
    reg [ENTRY_WIDTH - 1:0] row_entry_q;
    reg [3:0]               row_status_q;
    reg [1:0]               row_element_q;
    reg                     row_out_fp32_q;

    wire job_wide = !job_error_q && job_out_fp32_q && job_element_q != 2'd`MOEHUB_ELEMENT_FP32;

    always @(posedge clk) begin
        row_valid_q       <= send_valid || sends;
        row_from_lanes_q  <= send_valid;
        row_from_memory_q <= read_valid;
        row_first_q       <= send_valid ? send_begins : job_index_q == INDEX_0;
        row_commit_q      <= send_valid ? send_commit : tail;
        // Twice as wide, but for an end in the lower half of the row.
        row_two_q         <= send_valid ? send_two : job_wide && (job_upper_half_q || !tail);
        row_entry_q       <= send_valid ? send_entry : job_entry_q;
        row_status_q      <= send_valid ? 4'd`MOEHUB_STATUS_OK : job_status_q;
        row_element_q     <= send_valid ? send_element : job_error_q ? 2'd`MOEHUB_ELEMENT_BF16 : job_element_q;
        row_out_fp32_q    <= send_valid ? send_out_fp32 : job_out_fp32_q && !job_error_q;
        if (rst) row_valid_q <= 1'b0;
    end

    assign row_valid       = row_valid_q;
    assign row_from_lanes  = row_from_lanes_q;
    assign row_from_memory = row_from_memory_q;
    assign row_first       = row_first_q;
    assign row_commit      = row_commit_q;
    assign row_two         = row_two_q;
    assign row_entry       = row_entry_q;
    assign row_status      = row_status_q;
    assign row_element     = row_element_q;
    assign row_out_fp32    = row_out_fp32_q;
endmodule

`default_nettype wire
