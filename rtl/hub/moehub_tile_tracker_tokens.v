// SPDX-License-Identifier: Apache-2.0
// Purpose: tokens of own rows: how many notifies each still waits for.
// Contract:
//   1. One operation a cycle, in order; each sees the ones before it. What each does: doc/hub/tile_tracker.md section 4.
//   2. What an operation tells (push, fault, get, events) leaves six cycles after operation_valid.
//   3. A token is pushed at most once between two CLEARs.
//   4. While walking, word `walk` is cleared in each cycle, and no operation enters.
// How: six stages.
//   1: the token   2: its entry   3: the word is read   4: what was read, or what the operations two and three ahead made of it
//   5: its new value; the operation one ahead is forwarded   6: it is written
// Cost: one operation a cycle, latency 6; TOKENS words of 9 bits.
// Limits: context is below CONTEXTS.
// Proved: formal/hub/formal_tile_tracker_tokens.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_tokens #(
    parameter CONTEXTS = 4,
    parameter TOKENS   = 4096
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     walking,
    input  wire [16:0]                              walk,
    // contexts
    input  wire [CONTEXTS - 1:0]                    counts_tokens,
    input  wire [CONTEXTS * 16 - 1:0]               token_firsts,
    input  wire [CONTEXTS * 5 - 1:0]                owner_shifts,
    // operations
    input  wire                                     operation_valid,
    input  wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] operation,
    output wire                                     push_valid,
    output wire [2:0]                               push_context,
    output wire [`MOEHUB_INDEX_WIDTH(TOKENS) - 1:0] push_token,
    output wire                                     push_failed,
    output wire                                     notified, // event
    output wire                                     fault_valid,
    output wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault,
    output wire                                     get_valid,
    output wire [`MOEHUB_TOKEN_WIDTH - 1:0]         token     // of get
);
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(TOKENS);
    localparam [31:0] TOKENS_32 = TOKENS;

    // ---- stage 1: the token ---------------------------------------------------------------------------------------------
    reg                                         s1_valid_q;
    reg  [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] s1_operation_q;
    wire [2:0]  s1_kind;
    wire [2:0]  s1_context;
    wire [31:0] s1_place;
    wire [5:0]  s1_source;
    wire [5:0]  s1_count;
    wire        s1_failed;
    assign `MOEHUB_TOKEN_OPERATION(s1_kind, s1_context, s1_place, s1_source, s1_count, s1_failed) = s1_operation_q;
    wire [CONTEXT_WIDTH - 1:0] s1_index = s1_context[CONTEXT_WIDTH - 1:0];
    wire                       s1_get   = s1_kind == 3'd`MOEHUB_TOKEN_GET;
    wire [31:0]                s1_mask  = ~(32'hffffffff << owner_shifts[s1_index * 5 +: 5]);

    reg         s2_valid_q;
    reg         s2_counts_q;
    reg  [2:0]  s2_kind_q;
    reg  [2:0]  s2_context_q;
    reg  [31:0] s2_token_q; // or the entry of GET
    reg  [5:0]  s2_source_q;
    reg  [5:0]  s2_count_q;
    reg         s2_failed_q;
    reg  [15:0] s2_first_q;
    always @(posedge clk) begin
        s1_valid_q     <= operation_valid;
        s1_operation_q <= operation;
        s2_valid_q     <= s1_valid_q;
        s2_counts_q    <= s1_get || counts_tokens[s1_index];
        s2_kind_q      <= s1_kind;
        s2_context_q   <= s1_context;
        s2_token_q     <= s1_get ? s1_place : s1_place & s1_mask;
        s2_source_q    <= s1_kind == 3'd`MOEHUB_TOKEN_NOTIFY ? s1_source : 6'd0;
        s2_count_q     <= s1_count;
        s2_failed_q    <= s1_failed;
        s2_first_q     <= s1_get ? 16'd0 : token_firsts[s1_index * 16 +: 16];
        if (rst) s1_valid_q <= 1'b0;
        if (rst) s2_valid_q <= 1'b0;
    end

    // ---- stage 2: its entry; stage 3: the word is read ----------------------------------------------------------------
    wire [31:0] s2_entry = s2_token_q + {16'd0, s2_first_q};

    reg                     s3_valid_q;
    reg                     s3_counts_q; // the memory has a word
    reg [2:0]               s3_kind_q;
    reg [2:0]               s3_context_q;
    reg [31:0]              s3_token_q;
    reg [5:0]               s3_source_q;
    reg [5:0]               s3_count_q;
    reg                     s3_failed_q;
    reg [ENTRY_WIDTH - 1:0] s3_entry_q;
    reg                     s4_valid_q;
    reg                     s4_counts_q;
    reg [2:0]               s4_kind_q;
    reg [2:0]               s4_context_q;
    reg [31:0]              s4_token_q;
    reg [5:0]               s4_source_q;
    reg [5:0]               s4_count_q;
    reg                     s4_failed_q;
    reg [ENTRY_WIDTH - 1:0] s4_entry_q;
    reg                     s4_same_1_q; // the same token as that of the operation one ahead
    reg                     s4_same_2_q; // ... two ahead
    reg                     s4_same_3_q; // ... three ahead: it was written as this one was read
    reg                     s5_valid_q;
    reg                     s5_counts_q;
    reg [2:0]               s5_kind_q;
    reg [2:0]               s5_context_q;
    reg [31:0]              s5_token_q;
    reg [5:0]               s5_source_q;
    reg [5:0]               s5_count_q;
    reg                     s5_failed_q;
    reg [ENTRY_WIDTH - 1:0] s5_entry_q;
    reg                     s5_same_1_q;
    reg                     s6_counts_q;
    reg [ENTRY_WIDTH - 1:0] s6_entry_q;
    always @(posedge clk) begin
        s3_valid_q   <= s2_valid_q;
        s3_counts_q  <= s2_valid_q && s2_counts_q;
        s3_kind_q    <= s2_kind_q;
        s3_context_q <= s2_context_q;
        s3_token_q   <= s2_token_q;
        s3_source_q  <= s2_source_q;
        s3_count_q   <= s2_count_q;
        s3_failed_q  <= s2_failed_q;
        s3_entry_q   <= s2_entry[ENTRY_WIDTH - 1:0];
        s4_valid_q   <= s3_valid_q;
        s4_counts_q  <= s3_counts_q;
        s4_kind_q    <= s3_kind_q;
        s4_context_q <= s3_context_q;
        s4_token_q   <= s3_token_q;
        s4_source_q  <= s3_source_q;
        s4_count_q   <= s3_count_q;
        s4_failed_q  <= s3_failed_q;
        s4_entry_q   <= s3_entry_q;
        s4_same_1_q  <= s4_counts_q && s4_entry_q == s3_entry_q;
        s4_same_2_q  <= s5_counts_q && s5_entry_q == s3_entry_q;
        s4_same_3_q  <= s6_counts_q && s6_entry_q == s3_entry_q;
        s5_valid_q   <= s4_valid_q;
        s5_counts_q  <= s4_counts_q;
        s5_kind_q    <= s4_kind_q;
        s5_context_q <= s4_context_q;
        s5_token_q   <= s4_token_q;
        s5_source_q  <= s4_source_q;
        s5_count_q   <= s4_count_q;
        s5_failed_q  <= s4_failed_q;
        s5_entry_q   <= s4_entry_q;
        s5_same_1_q  <= s4_same_1_q;
        if (rst) begin
            s3_valid_q  <= 1'b0;
            s3_counts_q <= 1'b0;
            s4_valid_q  <= 1'b0;
            s4_counts_q <= 1'b0;
            s5_valid_q  <= 1'b0;
            s5_counts_q <= 1'b0;
        end
    end

    reg  [`MOEHUB_TOKEN_WIDTH - 1:0] s6_new_q;
    reg  [`MOEHUB_TOKEN_WIDTH - 1:0] s7_new_q;
    wire [`MOEHUB_TOKEN_WIDTH - 1:0] rdata;
    wire                             unused_parity;
    moehub_memory_1r1w #(.WIDTH(`MOEHUB_TOKEN_WIDTH), .DEPTH(TOKENS)) u_tokens (
        .clk(clk), .write_enable(walking ? {15'd0, walk} < TOKENS_32 : s6_counts_q),
        .write_address(walking ? walk[ENTRY_WIDTH - 1:0] : s6_entry_q),
        .write_data(walking ? {`MOEHUB_TOKEN_WIDTH{1'b0}} : s6_new_q),
        .read_enable(s3_counts_q && !rst), .read_address(s3_entry_q), .read_data(rdata), .parity_error(unused_parity)
    );

    // ---- stage 4: the token as it is, but for what the operation one ahead does to it ----------------------------------
    reg  [`MOEHUB_TOKEN_WIDTH - 1:0] s5_old_q;
    always @(posedge clk) begin
        s5_old_q <= s4_same_2_q ? s6_new_q : s4_same_3_q ? s7_new_q : rdata;
    end

    // ---- stage 5: the new value ---------------------------------------------------------------------------------------
    wire [5:0] left;
    wire       failed;
    wire [1:0] state;
    assign `MOEHUB_TOKEN(left, failed, state) = s5_same_1_q ? s6_new_q : s5_old_q;

    wire is_expect = s5_kind_q == 3'd`MOEHUB_TOKEN_EXPECT;
    wire is_notify = s5_kind_q == 3'd`MOEHUB_TOKEN_NOTIFY;
    wire is_expire = s5_kind_q == 3'd`MOEHUB_TOKEN_EXPIRE;
    wire is_clear  = s5_kind_q == 3'd`MOEHUB_TOKEN_CLEAR;
    wire open      = state == 2'd`MOEHUB_TOKEN_OPEN;
    wire opens     = is_expect && state == 2'd`MOEHUB_TOKEN_NONE;
    wire takes     = is_notify && open;
    wire last      = takes && left == 6'd1;
    wire expires   = is_expire && open;

    reg [5:0] new_left;
    reg       new_failed;
    reg [1:0] new_state;
    always @* begin
        new_left   = left;
        new_failed = failed;
        new_state  = state;
        if (opens) begin
            new_left   = s5_count_q;
            new_failed = 1'b0;
            new_state  = 2'd`MOEHUB_TOKEN_OPEN;
        end
        if (takes) begin
            new_left   = left - 6'd1;
            new_failed = failed || s5_failed_q;
        end
        if (expires) new_failed = 1'b1;
        if (last || expires) new_state = 2'd`MOEHUB_TOKEN_TOLD;
        if (is_clear) begin
            new_left   = 6'd0;
            new_failed = 1'b0;
            new_state  = 2'd`MOEHUB_TOKEN_NONE;
        end
    end

    reg [4:0] s5_cause;
    always @* begin
        s5_cause = 5'd`MOEHUB_TRACKER_NO_CAUSE;
        if (is_expect && s5_counts_q && !opens) s5_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_EXPECTED;
        if (is_notify && !(s5_counts_q && takes)) s5_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_NOTIFY;
        if (expires && s5_counts_q) s5_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_TOKEN;
    end

    // ---- stage 6: write, tell -----------------------------------------------------------------------------------------
    reg        s6_valid_q;
    reg [2:0]  s6_kind_q;
    reg [2:0]  s6_context_q;
    reg [31:0] s6_token_q;
    reg [5:0]  s6_source_q;
    reg        s6_push_q;
    reg        s6_fault_q;
    reg [4:0]  s6_cause_q;
    always @(posedge clk) begin
        s6_valid_q   <= s5_valid_q;
        s6_counts_q  <= s5_counts_q;
        s6_kind_q    <= s5_kind_q;
        s6_context_q <= s5_context_q;
        s6_token_q   <= s5_token_q;
        s6_source_q  <= s5_source_q;
        s6_entry_q   <= s5_entry_q;
        s6_new_q     <= `MOEHUB_TOKEN(new_left, new_failed, new_state);
        s6_push_q    <= s5_counts_q && (last || expires);
        s6_fault_q   <= s5_valid_q && s5_cause != 5'd`MOEHUB_TRACKER_NO_CAUSE;
        s6_cause_q   <= s5_cause;
        s7_new_q     <= s6_new_q;
        if (rst) begin
            s6_valid_q  <= 1'b0;
            s6_counts_q <= 1'b0;
            s6_push_q   <= 1'b0;
            s6_fault_q  <= 1'b0;
        end
    end
    wire [5:0] unused_left;
    wire [1:0] unused_state;
    assign `MOEHUB_TOKEN(unused_left, push_failed, unused_state) = s6_new_q;
    assign push_valid   = s6_push_q;
    assign push_context = s6_context_q;
    assign push_token   = s6_token_q[ENTRY_WIDTH - 1:0];
    assign notified     = s6_valid_q && s6_kind_q == 3'd`MOEHUB_TOKEN_NOTIFY;
    assign fault_valid  = s6_fault_q;
    assign fault        = `MOEHUB_TRACKER_ERROR(s6_cause_q, s6_counts_q, s6_context_q, s6_source_q, s6_token_q, 16'd0);
    assign get_valid    = s6_valid_q && s6_kind_q == 3'd`MOEHUB_TOKEN_GET;
    assign token        = s6_new_q;

    wire unused = &{1'b0, s2_entry};
endmodule

`default_nettype wire
