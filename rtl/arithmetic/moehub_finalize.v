// SPDX-License-Identifier: Apache-2.0
// Turns the state of a sum into a floating-point word: one normalisation, one rounding to nearest even
// (rtl/doc/arithmetic.md, "Finalize").
//
// Contract:
//  1. `out_word` belongs to the state taken MOEHUB_FINALIZE_LATENCY enabled cycles before; a 16-bit result sits in [15:0].
//  2. `in_out_fp32` makes the result fp32; without it the result has the type of the inputs.
//  3. `enable` low holds every stage and ignores the input.
//
// Cost: one state an enabled cycle, latency 6: state as it came, carries, leading zeros, shift, round, pack. A negative
// sum stays in two's complement: the one that its magnitude lacks is added by the rounding. Limits: the state must be
// one that moehub_accumulate can reach with at most MAX_CONTRIBUTORS elements of one type.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"

module moehub_finalize #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3
) (
    input  wire                                                   clk,
    input  wire                                                   rst,
    input  wire                                                   enable,

    input  wire                                                   in_valid,
    input  wire [1:0]                                             in_element,
    input  wire                                                   in_out_fp32,
    input  wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS)-1:0] in_state,

    output wire                                                   out_valid,
    output wire [31:0]                                            out_word
);

    localparam BIN_WIDTH   = `MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam WIDTH       = 16 * (BINS - 1) + BIN_WIDTH - 1;  // magnitude of any sum of MAX_CONTRIBUTORS elements
    // A limit that matters is one of these plus a multiple of 16, fp32's among bf16's.
    localparam LIMIT_BF16  = BIN_WIDTH - 2 - 7;
    localparam LIMIT_FP16  = BIN_WIDTH - 2 - 10;
    localparam STOPS       = BINS + 1;

    generate
        if (MAX_CONTRIBUTORS < 1 || MAX_CONTRIBUTORS > 1024) begin : g_check_contributors
            MAX_CONTRIBUTORS_must_be_1_to_1024 u_check();
        end
        if (BINS < 2 || BINS > 4) begin : g_check_bins
            BINS_must_be_2_to_4 u_check();
        end
    endgenerate
`ifndef SYNTHESIS
    initial begin
        if (MAX_CONTRIBUTORS < 1 || MAX_CONTRIBUTORS > 1024)
            $display("%m: MAX_CONTRIBUTORS is %0d, legal is 1 to 1024", MAX_CONTRIBUTORS);
        if (BINS < 2 || BINS > 4) $display("%m: BINS is %0d, legal is 2 to 4", BINS);
    end
`endif

    // ---- stage 1: the state as it came -----------------------------------------------------------------
    reg                   state_valid_q;
    reg [STATE_WIDTH-1:0] state_q;
    reg [1:0]             state_element_q;
    reg                   state_out_fp32_q;

    // ---- stage 2: carries across the bins ------------------------------------------------------------
    wire [WIDTH:0] sum;
    moehub_finalize_carries #(.BINS(BINS), .BIN_WIDTH(BIN_WIDTH)) u_carries (.state_bins(state_q[BINS*BIN_WIDTH-1:0]), .sum(sum));

    // Result type, and the shift limit: so far left the leading one has exponent field 1, further left lie the subnormals.
    wire [1:0] result     = state_out_fp32_q ? 2'd`MOEHUB_ELEMENT_FP32 : state_element_q;
    wire       from_fp16  = (state_element_q == 2'd`MOEHUB_ELEMENT_FP16);
    wire       from_fp32  = (state_element_q == 2'd`MOEHUB_ELEMENT_FP32);
    // Position 0 of the input type in positions of the result (0, 16 for bf16 to fp32, 125 for fp16 to fp32),
    // less the result's fraction bits.
    wire [9:0] offset     = from_fp32 ? -10'd23 : from_fp16 ? (state_out_fp32_q ? 10'd102 : -10'd10) : -10'd7;
    wire [9:0] limit      = {1'b0, state_q[STATE_WIDTH-3 -: 5], 4'd0} + offset + BIN_WIDTH[9:0] - 10'd2;

    // A one at the limit's place stops the count of leading zeros there.
    wire [STOPS-1:0] stop_bf16;
    wire [STOPS-1:0] stop_fp16;
    genvar n;
    generate
        for (n = 0; n < STOPS; n = n + 1) begin : g_stop
            assign stop_bf16[n] = (limit == LIMIT_BF16[9:0] + 10'd16 * n[9:0]);
            assign stop_fp16[n] = (limit == LIMIT_FP16[9:0] + 10'd16 * n[9:0]);
        end
    endgenerate

    reg             sum_valid_q;
    reg [WIDTH:0]   sum_q;
    reg [STOPS-1:0] sum_stop_bf16_q;
    reg [STOPS-1:0] sum_stop_fp16_q;
    reg [9:0]       sum_limit_q;
    reg [1:0]       sum_special_q;
    reg [1:0]       sum_result_q;

    // ---- stage 3: how far to shift ------------------------------------------------------------------
    // The complement of a negative sum is its magnitude less one: the same leading one, but for a power of two. That
    // becomes all ones from the next lower place down, and rounds up to itself.
    wire            sum_negative = sum_q[WIDTH];
    reg [WIDTH-1:0] counted;
    integer         k;
    always @* begin
        counted = sum_q[WIDTH-1:0] ^ sum_q[WIDTH:1]; // its highest one: the highest bit that is not the sign's
        for (k = 0; k < STOPS; k = k + 1) begin
            if (LIMIT_BF16 + 16 * k < WIDTH) counted[WIDTH - 1 - LIMIT_BF16 - 16 * k] = counted[WIDTH - 1 - LIMIT_BF16 - 16 * k] || sum_stop_bf16_q[k];
            if (LIMIT_FP16 + 16 * k < WIDTH) counted[WIDTH - 1 - LIMIT_FP16 - 16 * k] = counted[WIDTH - 1 - LIMIT_FP16 - 16 * k] || sum_stop_fp16_q[k];
        end
    end

    wire [6:0] zeros;
    moehub_finalize_leading_zeros #(.WIDTH(WIDTH)) u_leading_zeros (.word(counted), .count(zeros));

    reg             shift_valid_q;
    reg             shift_negative_q;
    reg [WIDTH-1:0] shift_sum_q;
    reg [6:0]       shift_q;
    reg [9:0]       shift_limit_q;
    reg [1:0]       shift_special_q;
    reg [1:0]       shift_result_q;

    // ---- stage 4: shift -----------------------------------------------------------------------------
    wire [WIDTH-1:0] normalised = shift_sum_q << shift_q;

    reg             round_valid_q;
    reg             round_negative_q;
    reg [24:0]      round_significand_q;
    reg             round_sticky_q;
    reg [9:0]       round_exponent_q;
    reg [1:0]       round_special_q;
    reg [1:0]       round_result_q;

    // ---- stage 5: round -----------------------------------------------------------------------------
    wire [32:0] rounded;
    moehub_finalize_round u_round (
        .element(round_result_q), .exponent(round_exponent_q), .negative(round_negative_q), .significand(round_significand_q),
        .sticky(round_sticky_q), .rounded(rounded)
    );

    reg        pack_valid_q;
    reg        pack_negative_q;
    reg [32:0] pack_rounded_q;
    reg [1:0]  pack_special_q;
    reg [1:0]  pack_result_q;

    // ---- stage 6: pack ------------------------------------------------------------------------------
    wire [31:0] word;
    moehub_finalize_pack u_pack (
        .element(pack_result_q), .special(pack_special_q), .negative(pack_negative_q), .rounded(pack_rounded_q), .word(word)
    );

    reg        out_valid_q;
    reg [31:0] out_word_q;

    always @(posedge clk) begin
        if (enable) begin
            state_valid_q    <= in_valid;
            state_q          <= in_state;
            state_element_q  <= in_element;
            state_out_fp32_q <= in_out_fp32;

            sum_valid_q     <= state_valid_q;
            sum_q           <= sum;
            sum_stop_bf16_q <= stop_bf16;
            sum_stop_fp16_q <= stop_fp16;
            sum_limit_q     <= limit;
            sum_special_q   <= state_q[STATE_WIDTH-1 -: 2];
            sum_result_q    <= result;

            shift_valid_q    <= sum_valid_q;
            shift_negative_q <= sum_negative;
            shift_sum_q      <= sum_q[WIDTH-1:0];
            shift_q          <= zeros;
            shift_limit_q    <= sum_limit_q;
            shift_special_q  <= sum_special_q;
            shift_result_q   <= sum_result_q;

            round_valid_q       <= shift_valid_q;
            round_negative_q    <= shift_negative_q;
            round_significand_q <= normalised[WIDTH-1 -: 25];
            round_sticky_q      <= (normalised[WIDTH-26:0] != {(WIDTH - 25){1'b0}});
            round_exponent_q    <= shift_limit_q - {3'd0, shift_q} + 10'd1;
            round_special_q     <= shift_special_q;
            round_result_q      <= shift_result_q;

            pack_valid_q    <= round_valid_q;
            pack_negative_q <= round_negative_q;
            pack_rounded_q  <= rounded;
            pack_special_q  <= round_special_q;
            pack_result_q   <= round_result_q;

            out_valid_q <= pack_valid_q;
            out_word_q  <= word;
        end
        if (rst) begin
            state_valid_q <= 1'b0;
            sum_valid_q   <= 1'b0;
            shift_valid_q <= 1'b0;
            round_valid_q <= 1'b0;
            pack_valid_q  <= 1'b0;
            out_valid_q   <= 1'b0;
        end
    end

    assign out_valid = out_valid_q;
    assign out_word  = out_word_q;
endmodule
`default_nettype wire
