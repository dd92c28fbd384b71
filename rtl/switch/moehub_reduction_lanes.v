// SPDX-License-Identifier: Apache-2.0
// Purpose: element memory, one accumulator and one finalizer per 16-bit lane of a flit.
// Contract:
//   1. flit_* is the flit whose lane_* follows one cycle later; bytes beyond its payload are replaced by zeros, so that the
//      lanes beyond the end sum to +0 and a result is zero beyond its length.
//   2. An fp32 element uses lane j for bytes 4j .. 4j+3: half of the lanes. A row of the memory is one flit.
//   3. A flit reads its row with fetch_* one cycle before lane_*, unless it starts the sum, and writes it two cycles after
//      lane_*. lane_forward: the flit so many cycles earlier, 1 to 3, has the newest sum of the row; 0: the memory has it.
//      read_* uses the read port in cycles in which fetch_valid is low; its data meets row_* one cycle later.
//   4. row_data belongs to the row_* of MOEHUB_FINALIZE_LATENCY cycles before: the first flit of the row low, the second,
//      if any, above.
// Cost: ENTRIES * FLITS rows of LANES * STATE_WIDTH bits, one read and one write port; from lane_* to row_data 3 cycles and
//   MOEHUB_FINALIZE_LATENCY.
// Proved: formal/switch/formal_reduction_lanes_sums.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_lanes #(
    parameter ENTRIES          = 107,
    parameter FLITS            = 8,
    parameter FLIT_BYTES       = 16,
    parameter MAX_CONTRIBUTORS = 64,
    parameter WITH_FP32        = 1,
    parameter PARITY           = 0
) (
    input  wire clk,
    input  wire rst,

    input  wire [`MOEHUB_FLIT_WIDTH - 1:0] flit,
    input  wire [8 * FLIT_BYTES - 1:0]     flit_data,

    input  wire                                              fetch_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] fetch_row,
    input  wire                                              lane_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] lane_row,
    input  wire                                              lane_first,
    input  wire [1:0]                                        lane_forward,
    input  wire                                              lane_write,

    input  wire                                              read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] read_row,

    input  wire                           row_valid,
    input  wire [`MOEHUB_ROW_WIDTH - 1:0] row,
    input  wire                           row_from_lanes,
    input  wire                           row_from_memory,

    output wire [2 * 8 * FLIT_BYTES - 1:0] row_data,

    output wire parity_error
);
    localparam ROW_WIDTH   = `MOEHUB_INDEX_WIDTH(ENTRIES * FLITS);
    localparam END_WIDTH   = $clog2(FLIT_BYTES) - 1;
    localparam LANES       = FLIT_BYTES / 2;
    localparam BINS        = 3;
    localparam LATENCY     = `MOEHUB_FINALIZE_LATENCY;
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);

    wire [1:0] row_element  = row[`MOEHUB_ROW_ELEMENT_LSB +: 2];
    wire       row_out_fp32 = row[`MOEHUB_ROW_OUT_FP32_LSB];
    wire       unused_row   = &{1'b0, row};

    // ---- rows ---------------------------------------------------------------------------------------------------
    wire [LANES * STATE_WIDTH - 1:0] row_rdata;
    wire [LANES * STATE_WIDTH - 1:0] sums;

    reg [1:0]             write_q;   // bit 1: the sum is at the accumulators' end
    reg [ROW_WIDTH - 1:0] write_row_a_q;
    reg [ROW_WIDTH - 1:0] write_row_b_q;

    always @(posedge clk) begin
        write_q       <= {write_q[0], lane_write};
        write_row_a_q <= lane_row;
        write_row_b_q <= write_row_a_q;
        if (rst) write_q <= 2'd0;
    end

    wire element_parity;

    // A row whose newest sum is on its way to the memory may never have been written.
    assign parity_error = element_parity && (row_from_memory || lane_forward == 2'd0);

    moehub_memory_1r1w #(
        .WIDTH(LANES * STATE_WIDTH), .DEPTH(ENTRIES * FLITS), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, LANES * STATE_WIDTH))
    ) u_elements (
        .clk(clk),
        .write_enable(write_q[1]), .write_address(write_row_b_q), .write_data(sums),
        .read_enable(fetch_valid || read_valid), .read_address(fetch_valid ? fetch_row : read_row),
        .read_data(row_rdata), .parity_error(element_parity)
    );

    // ---- results' outward form ------------------------------------------------------------------------------------
    wire [LANES * 32 - 1:0] words;  // one finalizer each
    wire [LANES * 16 - 1:0] halves; // 16-bit results packed
    reg  [LATENCY - 1:0]    fp32_q; // the row is of 32-bit results; the last bit is where it leaves the finalizers

    always @(posedge clk) begin
        fp32_q <= {fp32_q[LATENCY - 2:0], row_out_fp32 || row_element == 2'd`MOEHUB_ELEMENT_FP32};
    end

    assign row_data = {words[LANES * 16 +: LANES * 16], fp32_q[LATENCY - 1] ? words[0 +: LANES * 16] : halves};

    // ---- lanes --------------------------------------------------------------------------------------------------------
    wire [1:0]             x_element   = flit[`MOEHUB_FLIT_ELEMENT_LSB +: 2];
    wire                   x_tail      = flit[`MOEHUB_FLIT_TAIL_LSB];
    wire [END_WIDTH - 1:0] x_end       = flit[`MOEHUB_FLIT_END_LSB +: END_WIDTH];
    wire                   unused_flit = &{1'b0, flit};

    wire                     x_is_fp32 = WITH_FP32 != 0 && x_element == 2'd`MOEHUB_ELEMENT_FP32;
    localparam [LANES - 1:0] ALL       = ~0;
    wire       [LANES - 1:0] x_keep    = !x_tail ? ALL : ~((ALL << 1) << x_end); // words 0 to x_end

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            // The lower half of the lanes can take fp32 elements.
            localparam FP32    = WITH_FP32 != 0 && i < LANES / 2;
            localparam X_WIDTH = FP32 ? 32 : 16;

            reg  [X_WIDTH - 1:0]     x_q;
            reg  [1:0]               element_q; // a word beyond the end is a bf16 zero
            reg  [STATE_WIDTH - 1:0] stored_q;
            reg  [STATE_WIDTH - 1:0] sum_q;
            wire                     keep_16 = x_keep[i];

            if (FP32) begin : g_x
                wire keep_32 = x_keep[2 * i];
                always @(posedge clk) begin
                    element_q <= x_element & {2{x_is_fp32 ? keep_32 : keep_16}};
                    x_q       <= x_is_fp32 ? flit_data[32 * i +: 32] & {32{keep_32}}
                        : {16'd0, flit_data[16 * i +: 16] & {16{keep_16}}};
                end
            end else begin : g_x
                always @(posedge clk) begin
                    element_q <= x_element & {2{keep_16 && !x_is_fp32}};
                    x_q       <= flit_data[16 * i +: 16] & {16{keep_16 && !x_is_fp32}};
                end
            end

            wire unused_sum_valid;
            wire unused_word_valid;

            moehub_accumulate #(
                .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(FP32 ? 1 : 0), .BYPASS(1)
            ) u_accumulate (
                .clk(clk), .rst(rst),
                .in_valid(lane_valid), .in_element(element_q), .in_x(x_q), .in_first(lane_first), .in_forward(lane_forward),
                .state_rdata(stored_q),
                .out_valid(unused_sum_valid), .out_state(sums[i * STATE_WIDTH +: STATE_WIDTH])
            );

            // The memory's data in a register of its own; what was written in the cycle of the read comes from the sum's.
            always @(posedge clk) begin
                stored_q <= lane_forward == 2'd3 ? sum_q : row_rdata[i * STATE_WIDTH +: STATE_WIDTH];
                sum_q    <= sums[i * STATE_WIDTH +: STATE_WIDTH];
            end

            moehub_finalize #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS)) u_finalize (
                .clk(clk), .rst(rst), .enable(1'b1),
                .in_valid(row_valid), .in_element(row_element), .in_out_fp32(row_out_fp32),
                .in_state((sum_q & {STATE_WIDTH{row_from_lanes}})
                    | (row_rdata[i * STATE_WIDTH +: STATE_WIDTH] & {STATE_WIDTH{row_from_memory}})),
                .out_valid(unused_word_valid), .out_word(words[i * 32 +: 32])
            );

            assign halves[i * 16 +: 16] = words[i * 32 +: 16];
        end
    endgenerate
endmodule

`default_nettype wire
