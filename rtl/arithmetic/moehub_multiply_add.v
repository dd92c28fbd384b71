// SPDX-License-Identifier: Apache-2.0
// Purpose: sum = a * b + late_c + late_d modulo 2^SUM_WIDTH, one a cycle, without stalls.
// Contract:
//   1. late_c and late_d belong to the a and b of the cycle before (a memory word addressed beside a and b arrives in time).
//   2. out_valid, out_side follow in_valid, in_side; out_sum is there with out_valid; order is kept.
// How: partial products of b's bits in a carry-save tree, three adders deep per stage; then a carry chain of CHUNK bits
//   per stage.
// Cost: latency 2 + ceil(SUM_WIDTH / CHUNK).
// Proved: formal/arithmetic/formal_multiply_add.v
`default_nettype none
`include "moehub_arithmetic.vh"

module moehub_multiply_add #(
    parameter A_WIDTH    = 22, // 1..SUM_WIDTH
    parameter B_WIDTH    = 15, // 1..17
    parameter SUM_WIDTH  = 48, // 2..
    parameter SIDE_WIDTH = 1,  // 1..
    parameter CHUNK      = 16  // 1..
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire                    in_valid,
    input  wire [A_WIDTH - 1:0]    in_a,
    input  wire [B_WIDTH - 1:0]    in_b,
    input  wire [SIDE_WIDTH - 1:0] in_side,
    input  wire [SUM_WIDTH - 1:0]  late_c,
    input  wire [SUM_WIDTH - 1:0]  late_d,
    output wire                    out_valid,
    output wire [SIDE_WIDTH - 1:0] out_side,
    output wire [SUM_WIDTH - 1:0]  out_sum
);
    generate
        if (A_WIDTH < 1 || A_WIDTH > SUM_WIDTH) A_WIDTH_must_be_1_to_SUM_WIDTH u_rule ();
        if (B_WIDTH < 1 || B_WIDTH > 17) B_WIDTH_must_be_1_to_17 u_rule ();
    endgenerate

    // Rows after the levels of adders. A stage has three levels. The addends join at the second stage; the carry chain takes
    // three rows.
    localparam CHUNKS = (SUM_WIDTH + CHUNK - 1) / CHUNK;
    localparam PADDED = CHUNKS * CHUNK;
    localparam TREE   = 2;
    localparam STAGES = TREE + CHUNKS;
    localparam FIRST  = `MOEHUB_CARRY_SAVE_ROWS(`MOEHUB_CARRY_SAVE_ROWS(`MOEHUB_CARRY_SAVE_ROWS(B_WIDTH)));
    localparam SECOND = `MOEHUB_CARRY_SAVE_ROWS(`MOEHUB_CARRY_SAVE_ROWS(`MOEHUB_CARRY_SAVE_ROWS(FIRST + 2)));
    localparam LAST   = `MOEHUB_CARRY_SAVE_ROWS(SECOND); // 2

    wire [SUM_WIDTH - 1:0] a_wide;
    genvar i;
    generate
        if (A_WIDTH == SUM_WIDTH) begin : g_a_full
            assign a_wide = in_a;
        end else begin : g_a_extended
            assign a_wide = {{SUM_WIDTH - A_WIDTH{1'b0}}, in_a};
        end
        for (i = 0; i < TREE; i = i + 1) begin : g_tree
            localparam ROWS  = i == 0 ? B_WIDTH : FIRST + 2;
            localparam ONCE  = `MOEHUB_CARRY_SAVE_ROWS(ROWS);
            localparam TWICE = `MOEHUB_CARRY_SAVE_ROWS(ONCE);
            localparam AFTER = `MOEHUB_CARRY_SAVE_ROWS(TWICE);
            wire [ROWS * SUM_WIDTH - 1:0]  rows;
            wire [ONCE * SUM_WIDTH - 1:0]  once;
            wire [TWICE * SUM_WIDTH - 1:0] twice;
            wire [AFTER * SUM_WIDTH - 1:0] after;
            reg  [AFTER * SUM_WIDTH - 1:0] after_q;
            moehub_carry_save_level #(.ROWS(ROWS), .WIDTH(SUM_WIDTH)) u_once (.rows(rows), .sums(once));
            moehub_carry_save_level #(.ROWS(ONCE), .WIDTH(SUM_WIDTH)) u_twice (.rows(once), .sums(twice));
            moehub_carry_save_level #(.ROWS(TWICE), .WIDTH(SUM_WIDTH)) u_after (.rows(twice), .sums(after));
            always @(posedge clk) begin
                after_q <= after;
            end
            if (i == 0) begin : g_products
                genvar b;
                for (b = 0; b < B_WIDTH; b = b + 1) begin : g_bit
                    assign rows[b * SUM_WIDTH +: SUM_WIDTH] = (a_wide << b) & {SUM_WIDTH{in_b[b]}};
                end
            end else begin : g_addends
                assign rows = {late_d, late_c, g_tree[0].after_q};
            end
        end
        // Carry chain: the last two rows, then stage k turns chunk k of x into sum bits; y keeps what is still to be added.
        for (i = 0; i < CHUNKS; i = i + 1) begin : g_chain
            wire [PADDED - 1:0] x;
            wire [PADDED - 1:0] y;
            wire                carry;
            wire [CHUNK:0]      sum = {1'b0, x[i * CHUNK +: CHUNK]} + {1'b0, y[i * CHUNK +: CHUNK]} + {{CHUNK{1'b0}}, carry};
            reg  [PADDED - 1:0] x_q;
            reg  [PADDED - 1:0] y_q;
            reg                 carry_q;
            always @(posedge clk) begin
                x_q                     <= x;
                x_q[i * CHUNK +: CHUNK] <= sum[CHUNK - 1:0];
                y_q                     <= y;
                y_q[i * CHUNK +: CHUNK] <= {CHUNK{1'b0}};
                carry_q                 <= sum[CHUNK];
            end
            if (i == 0) begin : g_from_tree
                wire [LAST * SUM_WIDTH - 1:0] last;
                moehub_carry_save_level #(.ROWS(SECOND), .WIDTH(SUM_WIDTH)) u_last (.rows(g_tree[1].after_q), .sums(last));
                assign x[SUM_WIDTH - 1:0] = last[SUM_WIDTH - 1:0];
                assign y[SUM_WIDTH - 1:0] = last[SUM_WIDTH +: SUM_WIDTH];
                if (PADDED > SUM_WIDTH) begin : g_pad
                    assign x[PADDED - 1:SUM_WIDTH] = {PADDED - SUM_WIDTH{1'b0}};
                    assign y[PADDED - 1:SUM_WIDTH] = {PADDED - SUM_WIDTH{1'b0}};
                end
                assign carry = 1'b0;
            end else begin : g_from_chunk
                assign x     = g_chain[i - 1].x_q;
                assign y     = g_chain[i - 1].y_q;
                assign carry = g_chain[i - 1].carry_q;
            end
            if (i == CHUNKS - 1) begin : g_last
                wire unused = &{1'b0, y_q, carry_q};
            end
        end
        if (PADDED > SUM_WIDTH) begin : g_unused_sum
            wire unused = &{1'b0, g_chain[CHUNKS - 1].x_q[PADDED - 1:SUM_WIDTH]};
        end
    endgenerate
    assign out_sum = g_chain[CHUNKS - 1].x_q[SUM_WIDTH - 1:0];

    reg [STAGES - 1:0]              valid_q;
    reg [STAGES * SIDE_WIDTH - 1:0] side_q;
    assign out_valid = valid_q[STAGES - 1];
    assign out_side  = side_q[(STAGES - 1) * SIDE_WIDTH +: SIDE_WIDTH];

    always @(posedge clk) begin
        valid_q <= {valid_q[STAGES - 2:0], in_valid};
        if (rst) valid_q <= {STAGES{1'b0}};
    end
    always @(posedge clk) begin
        side_q <= {side_q[(STAGES - 1) * SIDE_WIDTH - 1:0], in_side};
    end
endmodule

`default_nettype wire
