// SPDX-License-Identifier: Apache-2.0
// Purpose: ends the wait of entries that miss a port for too long (reduction_buffer.md section 5).
// Contract:
//   1. An entry's time starts one cycle after its grant was taken (open_valid). With timeout 0 none ends.
//   2. Every entry is looked at once in max(ENTRIES, 8) cycles, so the pulse comes at most that and 16 cycles late.
//   3. Two steps, because partials are under way: expire closes the entry to partials whose first flit enters stage 0 of
//      the check in a later cycle; those before may still complete it, which is watched for four cycles and cancels the
//      timeout. Then timed_out. TIMEOUT_ORDER = 4: a partial whose first flit is accepted in the four cycles before the
//      pulse, or later, came after the timeout. timed_out_error is its error.
// Cost: ENTRIES * 48 bits of time stamps, seven comparators of an entry's number. The 48-bit times are counted and
//   subtracted in three pieces of 16 bits, one a cycle.
// Limits: ages are known up to 2^47 cycles; an entry that waits longer (days) while timeout is 0 is not timed out rightly.
// Proved: formal/switch/formal_reduction_timeout.v, formal_reduction_timeout_clock.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_timeout #(
    parameter ENTRIES = 107,
    parameter PARITY  = 0
) (
    input  wire                                             clk,
    input  wire                                             rst,
    input  wire [31:0]                                      timeout,
    input  wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES)) - 1:0] is_open,
    input  wire                                             open_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        open_entry,
    input  wire                                             completed_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        completed_entry,
    output wire                                             expire_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        expire_entry,
    output wire                                             timed_out_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        timed_out_entry,
    output wire [`MOEHUB_ERROR_WIDTH - 1:0]                 timed_out_error,

    output wire parity_error
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);

    // No entry is under way twice: a round takes longer than the pipeline.
    localparam ROUND       = ENTRIES > 8 ? ENTRIES : 8;
    localparam VISIT_WIDTH = $clog2(ROUND);
    localparam LAST        = ROUND - 1;
    localparam [VISIT_WIDTH - 1:0] VISIT_ONE   = 1;
    localparam [VISIT_WIDTH:0] PRESENT     = ENTRIES[VISIT_WIDTH:0];

    // ---- the time, and the latest start that has expired -------------------------------------------------------
    reg [15:0] low_q;
    reg [15:0] middle_q;
    reg [15:0] high_q;
    reg        low_full_q;    // low_q is all ones
    reg        middle_full_q; // middle_q was all ones a cycle ago; it changes only with a carry, every 2^16 cycles

    reg [15:0] limit_low_a_q;
    reg        borrow_low_q;
    reg [15:0] middle_a_q;
    reg [15:0] high_a_q;
    reg [15:0] limit_low_b_q;
    reg [15:0] limit_middle_b_q;
    reg        borrow_middle_q;
    reg [15:0] high_b_q;
    reg [47:0] limit_q; // time three cycles ago, less the timeout
    reg [15:0] timeout_middle_q; // beside the lower piece
    reg        enabled_a_q;
    reg        enabled_q; // an entry that is visited now meets the limit of the same timeout

    always @(posedge clk) begin
        low_q         <= low_q + 16'd1;
        low_full_q    <= low_q == 16'hfffe;
        middle_full_q <= middle_q == 16'hffff;
        if (low_full_q) middle_q <= middle_q + 16'd1;
        if (low_full_q && middle_full_q) high_q <= high_q + 16'd1;

        {borrow_low_q, limit_low_a_q} <= {1'b0, low_q} - {1'b0, timeout[15:0]};
        middle_a_q <= middle_q;
        high_a_q   <= high_q;

        {borrow_middle_q, limit_middle_b_q} <= {1'b0, middle_a_q} - {1'b0, timeout_middle_q} - {16'd0, borrow_low_q};
        limit_low_b_q <= limit_low_a_q;
        high_b_q      <= high_a_q;

        limit_q          <= {high_b_q - {15'd0, borrow_middle_q}, limit_middle_b_q, limit_low_b_q};
        timeout_middle_q <= timeout[31:16];
        enabled_q        <= enabled_a_q;
        enabled_a_q      <= timeout != 32'd0;
        if (rst) begin
            low_q         <= 16'd0;
            middle_q      <= 16'd0;
            high_q        <= 16'd0;
            low_full_q    <= 1'b0;
            middle_full_q <= 1'b0;
            enabled_a_q   <= 1'b0;
            enabled_q     <= 1'b0;
        end
    end

    // ---- stage 0: whose turn it is ---------------------------------------------------------------------------------
    reg [VISIT_WIDTH - 1:0] visit_q;
    always @(posedge clk) begin
        visit_q <= visit_q == LAST[VISIT_WIDTH - 1:0] ? {VISIT_WIDTH{1'b0}} : visit_q + VISIT_ONE;
        if (rst) visit_q <= {VISIT_WIDTH{1'b0}};
    end

    wire                     present = {1'b0, visit_q} < PRESENT;
    wire [ENTRY_WIDTH - 1:0] visited = visit_q[ENTRY_WIDTH - 1:0];
    wire [47:0]              start_rdata;
    wire                     start_parity;

    moehub_memory_1r1w #(.WIDTH(48), .DEPTH(ENTRIES), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, 48))) u_starts (
        .clk(clk),
        .write_enable(open_valid), .write_address(open_entry), .write_data({high_q, middle_q, low_q}),
        .read_enable(present && !rst), .read_address(visited), .read_data(start_rdata), .parity_error(start_parity)
    );

    // ---- stages 1 to 6: has it expired; close it; does a partial under way complete it ------------------------------
    reg [6:1]                   valid_q; // stage i
    reg [6 * ENTRY_WIDTH - 1:0] entry_q;
    reg [2:0]                   less_q;  // of the limit than the start, by pieces, highest first
    reg [2:1]                   equal_q;
    reg                         sign_q;
    reg                         timed_out_valid_q;
    reg [ENTRY_WIDTH - 1:0]     timed_out_entry_q;

    wire [6:0]                   valid = {valid_q, present && enabled_q && is_open[visited]};
    wire [7 * ENTRY_WIDTH - 1:0] entry = {entry_q, visited};
    wire [6:0]                   completed; // just now, by a partial before the timeout

    genvar i;
    generate
        for (i = 0; i < 7; i = i + 1) begin : g_stage
            assign completed[i] = completed_valid && completed_entry == entry[i * ENTRY_WIDTH +: ENTRY_WIDTH];
        end
    endgenerate

    assign parity_error = start_parity && valid[1]; // what counts is the time stamp of an open entry

    wire [6:0] alive = valid & ~completed;
    wire       later = sign_q ^ (less_q[2] || (equal_q[2] && (less_q[1] || (equal_q[1] && less_q[0])))); // not expired

    always @(posedge clk) begin
        valid_q <= {alive[5:3], alive[2] && !later, alive[1:0]};
        entry_q <= entry[6 * ENTRY_WIDTH - 1:0];
        // The sign of limit - start is that of a 48-bit difference: times wrap.
        less_q[0]         <= limit_q[15:0] < start_rdata[15:0];
        less_q[1]         <= limit_q[31:16] < start_rdata[31:16];
        less_q[2]         <= limit_q[46:32] < start_rdata[46:32];
        equal_q[1]        <= limit_q[31:16] == start_rdata[31:16];
        equal_q[2]        <= limit_q[46:32] == start_rdata[46:32];
        sign_q            <= limit_q[47] ^ start_rdata[47];
        timed_out_valid_q <= alive[6];
        timed_out_entry_q <= entry[6 * ENTRY_WIDTH +: ENTRY_WIDTH];
        if (rst) begin
            valid_q           <= 6'd0;
            timed_out_valid_q <= 1'b0;
        end
    end

    assign expire_valid    = valid[3];
    assign expire_entry    = entry[3 * ENTRY_WIDTH +: ENTRY_WIDTH];
    assign timed_out_valid = timed_out_valid_q;
    assign timed_out_entry = timed_out_entry_q;

    reg [127:0] header;
    always @* begin
        header                                                           = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]     = `MOEHUB_HEADER_TYPE_WIDTH'd`MOEHUB_PACKET_RESULT;
        header[`MOEHUB_HEADER_TAG_LSB + 8 +: ENTRY_WIDTH]                = timed_out_entry_q;
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH] = `MOEHUB_HEADER_STATUS_WIDTH'd`MOEHUB_STATUS_TIMEOUT;
    end

    assign timed_out_error[`MOEHUB_ERROR_HEADER_LSB +: 128] = header;
    assign timed_out_error[`MOEHUB_ERROR_CAUSE_LSB +: 5]    = 5'd`MOEHUB_REDUCTION_CAUSE_TIMEOUT;
    assign timed_out_error[`MOEHUB_ERROR_PORT_LSB +: 6]     = 6'd0;
endmodule

`default_nettype wire
