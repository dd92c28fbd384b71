// SPDX-License-Identifier: Apache-2.0
// Purpose: ends the wait of entries that miss a port for too long (reduction_buffer.md section 5), and the quarantine of groups
//   of which an entry timed out (plane/groups.md section 3).
// Contract:
//   1. A group's time starts one cycle after its grant was taken (open_valid). With timeout 0 no entry ends.
//   2. Every entry is looked at once in max(ENTRIES, 8) cycles, so the pulse comes at most that and 16 cycles late.
//   3. Two steps, because partials are under way: expire closes the entry to partials whose first flit enters stage 0 of
//      the check in a later cycle; those before may still complete it, which is watched for four cycles and cancels the
//      timeout. Then timed_out. TIMEOUT_ORDER = 4: a partial whose first flit is accepted in the four cycles before the
//      pulse, or later, came after the timeout. timed_out_error is its error.
//   4. With QUARANTINE, quarantine_over_valid says of a group in quarantine that 2 * timeout have passed since its grant was
//      taken: at its line 0's turn, unless that line is open, so at every turn until the quarantine has ended.
// Cost: GROUPS * 48 bits of time stamps, seven comparators of an entry's number. The 48-bit times are counted and
//   subtracted in three pieces of 16 bits, one a cycle.
// Limits: ages are known up to 2^47 cycles; an entry that waits longer (days) while timeout is 0 is not timed out rightly.
//   With QUARANTINE, timeout is below 2^31.
// Proved: formal/switch/formal_reduction_timeout.v, formal_reduction_timeout_clock.v, formal_reduction_quarantine.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_timeout #(
    parameter ENTRIES       = 107,
    parameter REQUEST_LINES = 1,
    parameter QUARANTINE    = 0,
    parameter PARITY        = 0
) (
    input  wire                                                             clk,
    input  wire                                                             rst,
    input  wire [31:0]                                                      timeout,
    input  wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES)) - 1:0]                 is_open,
    input  wire                                                             open_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0]        open_group,
    input  wire                                                             completed_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                        completed_entry,
    output wire                                                             expire_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                        expire_entry,
    output wire                                                             timed_out_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                        timed_out_entry,
    output wire [`MOEHUB_ERROR_WIDTH - 1:0]                                 timed_out_error,
    input  wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES)) - 1:0] is_quarantined,
    output wire                                                             quarantine_over_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0]        quarantine_over_group,

    output wire parity_error
);
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = `MOEHUB_INDEX_WIDTH(GROUPS);
    localparam LINE_BITS   = $clog2(REQUEST_LINES); // none for one line
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam [2:0] LINE_MASK = REQUEST_LINES[2:0] - 3'd1; // of an entry's number

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

    reg        enabled_a_q;
    reg        enabled_q; // an entry that is visited now meets the limit of the same timeout

    always @(posedge clk) begin
        low_q         <= low_q + 16'd1;
        low_full_q    <= low_q == 16'hfffe;
        middle_full_q <= middle_q == 16'hffff;
        if (low_full_q) middle_q <= middle_q + 16'd1;
        if (low_full_q && middle_full_q) high_q <= high_q + 16'd1;

        enabled_q   <= enabled_a_q;
        enabled_a_q <= timeout != 32'd0;
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

    wire [47:0] timeout_limit;
    wire [47:0] quarantine_limit;

    moehub_reduction_limit u_timeout_limit (
        .clk(clk), .low(low_q), .middle(middle_q), .high(high_q), .wait_time(timeout), .limit(timeout_limit)
    );

    generate
        if (QUARANTINE != 0) begin : g_quarantine
            moehub_reduction_limit u_limit (
                .clk(clk), .low(low_q), .middle(middle_q), .high(high_q), .wait_time({timeout[30:0], 1'b0}),
                .limit(quarantine_limit)
            );
        end else begin : g_no_quarantine
            assign quarantine_limit = 48'd0;
        end
    endgenerate

    // ---- stage 0: whose turn it is ---------------------------------------------------------------------------------
    reg [VISIT_WIDTH - 1:0] visit_q;
    always @(posedge clk) begin
        visit_q <= visit_q == LAST[VISIT_WIDTH - 1:0] ? {VISIT_WIDTH{1'b0}} : visit_q + VISIT_ONE;
        if (rst) visit_q <= {VISIT_WIDTH{1'b0}};
    end

    wire [VISIT_WIDTH:0]     visit         = {1'b0, visit_q};
    wire                     present       = visit < PRESENT;
    wire [ENTRY_WIDTH - 1:0] visited       = visit[ENTRY_WIDTH - 1:0];
    wire [GROUP_WIDTH - 1:0] visited_group = visit[LINE_BITS +: GROUP_WIDTH];
    wire                     line_0        = (visit[2:0] & LINE_MASK) == 3'd0;
    wire [47:0]              start_rdata;
    wire                     start_parity;

    moehub_memory_1r1w #(.WIDTH(48), .DEPTH(GROUPS), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, 48))) u_starts (
        .clk(clk),
        .write_enable(open_valid), .write_address(open_group), .write_data({high_q, middle_q, low_q}),
        .read_enable(present && !rst), .read_address(visited_group), .read_data(start_rdata), .parity_error(start_parity)
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

    // A group in quarantine takes its line 0's turn. What it waits for is decided in stages 1 and 2, by the other limit.
    reg [3:1] held_q; // stage i
    wire      s0_held = QUARANTINE != 0 && present && line_0 && is_quarantined[visited_group] && !is_open[visited];

    wire [47:0] limit = held_q[1] ? quarantine_limit : timeout_limit;

    assign parity_error = start_parity && (valid[1] || held_q[1]); // what counts is a time stamp that is compared

    wire [6:0] alive = valid & ~completed;
    wire       later = sign_q ^ (less_q[2] || (equal_q[2] && (less_q[1] || (equal_q[1] && less_q[0])))); // not expired

    always @(posedge clk) begin
        valid_q <= {alive[5:3], alive[2] && !later, alive[1:0]};
        held_q  <= {held_q[2] && !later, held_q[1], s0_held};
        entry_q <= entry[6 * ENTRY_WIDTH - 1:0];
        // The sign of limit - start is that of a 48-bit difference: times wrap.
        less_q[0]         <= limit[15:0] < start_rdata[15:0];
        less_q[1]         <= limit[31:16] < start_rdata[31:16];
        less_q[2]         <= limit[46:32] < start_rdata[46:32];
        equal_q[1]        <= limit[31:16] == start_rdata[31:16];
        equal_q[2]        <= limit[46:32] == start_rdata[46:32];
        sign_q            <= limit[47] ^ start_rdata[47];
        timed_out_valid_q <= alive[6];
        timed_out_entry_q <= entry[6 * ENTRY_WIDTH +: ENTRY_WIDTH];
        if (rst) begin
            valid_q           <= 6'd0;
            held_q            <= 3'd0;
            timed_out_valid_q <= 1'b0;
        end
    end

    assign expire_valid    = valid[3];
    assign expire_entry    = entry[3 * ENTRY_WIDTH +: ENTRY_WIDTH];
    assign timed_out_valid = timed_out_valid_q;
    assign timed_out_entry = timed_out_entry_q;

    wire [ENTRY_WIDTH:0] over_entry  = {1'b0, entry[3 * ENTRY_WIDTH +: ENTRY_WIDTH]};
    wire                 unused_over = &{1'b0, over_entry, is_quarantined};

    assign quarantine_over_valid = held_q[3];
    assign quarantine_over_group = over_entry[LINE_BITS +: GROUP_WIDTH];

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
