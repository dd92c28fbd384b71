// SPDX-License-Identifier: Apache-2.0
// Purpose: turns the state of a sum into a floating-point word: one normalisation, one rounding to nearest even
//   (rtl/doc/arithmetic.md, "Finalize").
// Contract:
//   1. out_word belongs to the state taken MOEHUB_FINALIZE_LATENCY enabled cycles before; a 16-bit result sits in [15:0].
//   2. in_out_fp32 makes the result fp32; without it the result has the type of the inputs.
//   3. enable low holds every stage and ignores the input.
// How: stages 1 state as it came, 2 carries, 3 leading zeros, 4 shift, 5 round, 6 pack. A negative sum stays in two's
//   complement: the one that its magnitude lacks is added by the rounding.
// Cost: one state an enabled cycle, latency 6.
// Limits: the state must be one that moehub_accumulate can reach with at most MAX_CONTRIBUTORS elements of one type.
// Proved: formal/arithmetic/formal_finalize.v, formal_pipelines.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"

module moehub_finalize #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3
) (
    input  wire clk,
    input  wire rst,
    input  wire enable,

    input  wire                                                     in_valid,
    input  wire [1:0]                                               in_element,
    input  wire                                                     in_out_fp32,
    input  wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] in_state,

    output wire        out_valid,
    output wire [31:0] out_word
);

    localparam BIN_WIDTH   = `MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam WIDTH       = 16 * (BINS - 1) + BIN_WIDTH - 1;  // magnitude of any sum of MAX_CONTRIBUTORS elements
    // A limit that matters is one of these plus a multiple of 16, fp32's among bf16's.
    localparam LIMIT_BF16 = BIN_WIDTH - 2 - 7;
    localparam LIMIT_FP16 = BIN_WIDTH - 2 - 10;
    localparam STOPS      = BINS + 1;

    generate
        if (MAX_CONTRIBUTORS < 1 || MAX_CONTRIBUTORS > 1024) MAX_CONTRIBUTORS_must_be_1_to_1024 u_rule ();
        if (BINS < 2 || BINS > 4) BINS_must_be_2_to_4 u_rule ();
    endgenerate

    // ---- stage 1: the state as it came -----------------------------------------------------------------
    reg                     s1_valid_q;
    reg [STATE_WIDTH - 1:0] s1_state_q;
    reg [1:0]               s1_element_q;
    reg                     s1_out_fp32_q;

    // ---- stage 2: carries across the bins ------------------------------------------------------------
    wire [WIDTH:0] sum;
    moehub_finalize_carries #(.BINS(BINS), .BIN_WIDTH(BIN_WIDTH)) u_carries (
        .state_bins(s1_state_q[BINS * BIN_WIDTH - 1:0]), .sum(sum)
    );

    // Result type, and the shift limit: so far left the leading one has exponent field 1, further left lie the subnormals.
    wire [1:0] result    = s1_out_fp32_q ? 2'd`MOEHUB_ELEMENT_FP32 : s1_element_q;
    wire       from_fp16 = (s1_element_q == 2'd`MOEHUB_ELEMENT_FP16);
    wire       from_fp32 = (s1_element_q == 2'd`MOEHUB_ELEMENT_FP32);
    // Position 0 of the input type in positions of the result (0, 16 for bf16 to fp32, 125 for fp16 to fp32),
    // less the result's fraction bits.
    wire [9:0] offset = from_fp32 ? -10'd23 : from_fp16 ? (s1_out_fp32_q ? 10'd102 : -10'd10) : -10'd7;
    wire [9:0] limit  = {1'b0, s1_state_q[STATE_WIDTH - 3 -: 5], 4'd0} + offset + BIN_WIDTH[9:0] - 10'd2;

    // A one at the limit's place stops the count of leading zeros there.
    wire [STOPS - 1:0] stop_bf16;
    wire [STOPS - 1:0] stop_fp16;
    genvar n;
    generate
        for (n = 0; n < STOPS; n = n + 1) begin : g_stop
            assign stop_bf16[n] = (limit == LIMIT_BF16[9:0] + 10'd16 * n[9:0]);
            assign stop_fp16[n] = (limit == LIMIT_FP16[9:0] + 10'd16 * n[9:0]);
        end
    endgenerate

    reg               s2_valid_q;
    reg [WIDTH:0]     s2_sum_q;
    reg [STOPS - 1:0] s2_stop_bf16_q;
    reg [STOPS - 1:0] s2_stop_fp16_q;
    reg [9:0]         s2_limit_q;
    reg [1:0]         s2_special_q;
    reg [1:0]         s2_result_q;

    // ---- stage 3: how far to shift ------------------------------------------------------------------
    // The complement of a negative sum is its magnitude less one: the same leading one, but for a power of two. That
    // becomes all ones from the next lower place down, and rounds up to itself.
    wire               sum_negative = s2_sum_q[WIDTH];
    reg  [WIDTH - 1:0] counted;
    integer         k;
    always @* begin
        counted = s2_sum_q[WIDTH - 1:0] ^ s2_sum_q[WIDTH:1]; // its highest one: the highest bit that is not the sign's
        for (k = 0; k < STOPS; k = k + 1) begin
            if (LIMIT_BF16 + 16 * k < WIDTH)
                counted[WIDTH - 1 - LIMIT_BF16 - 16 * k] = counted[WIDTH - 1 - LIMIT_BF16 - 16 * k] || s2_stop_bf16_q[k];
            if (LIMIT_FP16 + 16 * k < WIDTH)
                counted[WIDTH - 1 - LIMIT_FP16 - 16 * k] = counted[WIDTH - 1 - LIMIT_FP16 - 16 * k] || s2_stop_fp16_q[k];
        end
    end

    wire [6:0] zeros;
    moehub_finalize_leading_zeros #(.WIDTH(WIDTH)) u_leading_zeros (.word(counted), .count(zeros));

    reg               s3_valid_q;
    reg               s3_negative_q;
    reg [WIDTH - 1:0] s3_sum_q;
    reg [6:0]         s3_shift_q;
    reg [9:0]         s3_limit_q;
    reg [1:0]         s3_special_q;
    reg [1:0]         s3_result_q;

    // ---- stage 4: shift -----------------------------------------------------------------------------
    wire [WIDTH - 1:0] normalised = s3_sum_q << s3_shift_q;

    reg        s4_valid_q;
    reg        s4_negative_q;
    reg [24:0] s4_significand_q;
    reg        s4_sticky_q;
    reg [9:0]  s4_exponent_q;
    reg [1:0]  s4_special_q;
    reg [1:0]  s4_result_q;

    // ---- stage 5: round -----------------------------------------------------------------------------
    wire [32:0] rounded;
    moehub_finalize_round u_round (
        .element(s4_result_q), .exponent(s4_exponent_q), .negative(s4_negative_q), .significand(s4_significand_q),
        .sticky(s4_sticky_q), .rounded(rounded)
    );

    reg        s5_valid_q;
    reg        s5_negative_q;
    reg [32:0] s5_rounded_q;
    reg [1:0]  s5_special_q;
    reg [1:0]  s5_result_q;

    // ---- stage 6: pack ------------------------------------------------------------------------------
    wire [31:0] word;
    moehub_finalize_pack u_pack (
        .element(s5_result_q), .special(s5_special_q), .negative(s5_negative_q), .rounded(s5_rounded_q), .word(word)
    );

    reg        s6_valid_q;
    reg [31:0] s6_word_q;

    always @(posedge clk) begin
        if (enable) begin
            s1_valid_q    <= in_valid;
            s1_state_q    <= in_state;
            s1_element_q  <= in_element;
            s1_out_fp32_q <= in_out_fp32;

            s2_valid_q     <= s1_valid_q;
            s2_sum_q       <= sum;
            s2_stop_bf16_q <= stop_bf16;
            s2_stop_fp16_q <= stop_fp16;
            s2_limit_q     <= limit;
            s2_special_q   <= s1_state_q[STATE_WIDTH - 1 -: 2];
            s2_result_q    <= result;

            s3_valid_q    <= s2_valid_q;
            s3_negative_q <= sum_negative;
            s3_sum_q      <= s2_sum_q[WIDTH - 1:0];
            s3_shift_q    <= zeros;
            s3_limit_q    <= s2_limit_q;
            s3_special_q  <= s2_special_q;
            s3_result_q   <= s2_result_q;

            s4_valid_q       <= s3_valid_q;
            s4_negative_q    <= s3_negative_q;
            s4_significand_q <= normalised[WIDTH - 1 -: 25];
            s4_sticky_q      <= (normalised[WIDTH - 26:0] != {(WIDTH - 25){1'b0}});
            s4_exponent_q    <= s3_limit_q - {3'd0, s3_shift_q} + 10'd1;
            s4_special_q     <= s3_special_q;
            s4_result_q      <= s3_result_q;

            s5_valid_q    <= s4_valid_q;
            s5_negative_q <= s4_negative_q;
            s5_rounded_q  <= rounded;
            s5_special_q  <= s4_special_q;
            s5_result_q   <= s4_result_q;

            s6_valid_q <= s5_valid_q;
            s6_word_q  <= word;
        end
        if (rst) begin
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
            s3_valid_q <= 1'b0;
            s4_valid_q <= 1'b0;
            s5_valid_q <= 1'b0;
            s6_valid_q <= 1'b0;
        end
    end

    assign out_valid = s6_valid_q;
    assign out_word  = s6_word_q;
endmodule

`default_nettype wire
