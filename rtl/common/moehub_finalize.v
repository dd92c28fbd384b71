// SPDX-License-Identifier: Apache-2.0
// Turns the state of a sum into a floating-point word: one normalisation, one rounding to nearest even
// (rtl/doc/arithmetic.md, "Finalize").
//
// Contract:
//  1. `out_word` belongs to the state taken MOEHUB_FINALIZE_LATENCY enabled cycles before; a 16-bit result sits in [15:0].
//  2. `in_out_fp32` makes the result fp32; without it the result has the type of the inputs.
//  3. `enable` low holds every stage and ignores the input.
//
// Cost: one state an enabled cycle, latency 5: carries, magnitude, leading zeros, shift, round. Limits: the state must be
// one that moehub_accumulate can reach with at most MAX_CONTRIBUTORS elements of one type.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_fault.vh"
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
    `MOEHUB_FAULT_DECLARE

    localparam BIN_WIDTH   = `MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam WIDTH       = 16 * (BINS - 1) + BIN_WIDTH - 1;  // magnitude of any sum of MAX_CONTRIBUTORS elements

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

    // ---- stage 1: carries across the bins ------------------------------------------------------------
    reg signed [WIDTH:0] sum;
    integer              j;
    always @* begin
        sum = {(WIDTH + 1){1'b0}};
        for (j = 0; j < BINS; j = j + 1)
            sum = sum + ({{(WIDTH + 1 - BIN_WIDTH){in_state[j*BIN_WIDTH + BIN_WIDTH - 1]}}, in_state[j*BIN_WIDTH +: BIN_WIDTH]}
                         <<< (16 * j));
    end

    // Result type, and the shift at which the leading one would meet exponent field 1: beyond it lie the subnormals.
    wire [1:0] result     = in_out_fp32 ? 2'd`MOEHUB_ELEMENT_FP32 : in_element;
    wire       from_fp16  = (in_element == 2'd`MOEHUB_ELEMENT_FP16);
    wire       from_fp32  = (in_element == 2'd`MOEHUB_ELEMENT_FP32);
    // Position 0 of the input type in positions of the result (0, 16 for bf16 to fp32, 125 for fp16 to fp32),
    // less the result's fraction bits.
    wire [9:0] offset     = from_fp32 ? -10'd23 : from_fp16 ? (in_out_fp32 ? 10'd102 : -10'd10) : -10'd7;
    wire [9:0] limit      = {1'b0, in_state[STATE_WIDTH-3 -: 5], 4'd0} + offset + BIN_WIDTH[9:0] - 10'd2;

    reg                  sum_valid_q;
    reg signed [WIDTH:0] sum_q;
    reg [9:0]            sum_limit_q;
    reg [1:0]            sum_special_q;
    reg [1:0]            sum_result_q;

    // ---- stage 2: magnitude -------------------------------------------------------------------------
    wire             sum_negative = sum_q[WIDTH];
    wire [WIDTH-1:0] magnitude    = (sum_q[WIDTH-1:0] ^ {WIDTH{sum_negative}}) + {{(WIDTH - 1){1'b0}}, sum_negative};

    reg              magnitude_valid_q;
    reg              magnitude_negative_q;
    reg [WIDTH-1:0]  magnitude_q;
    reg [9:0]        magnitude_limit_q;
    reg [1:0]        magnitude_special_q;
    reg [1:0]        magnitude_result_q;

    // ---- stage 3: how far to shift ------------------------------------------------------------------
    wire [6:0] zeros;
    moehub_finalize_leading_zeros #(.WIDTH(WIDTH)) u_leading_zeros (.word(magnitude_q), .count(zeros));

    wire [6:0] too_far = `MOEHUB_FAULT(`MOEHUB_FAULT_FINALIZE_SUBNORMAL_SHIFT) ? 7'd1 : 7'd0;
    wire       beyond  = ({3'd0, zeros} > magnitude_limit_q);

    reg             shift_valid_q;
    reg             shift_negative_q;
    reg [WIDTH-1:0] shift_magnitude_q;
    reg [6:0]       shift_q;
    reg [9:0]       shift_exponent_q;
    reg [1:0]       shift_special_q;
    reg [1:0]       shift_result_q;

    // ---- stage 4: shift -----------------------------------------------------------------------------
    wire [WIDTH-1:0] normalised = shift_magnitude_q << shift_q;

    reg             round_valid_q;
    reg             round_negative_q;
    reg [24:0]      round_significand_q;
    reg             round_sticky_q;
    reg [9:0]       round_exponent_q;
    reg [1:0]       round_special_q;
    reg [1:0]       round_result_q;

    // ---- stage 5: round and pack --------------------------------------------------------------------
    wire [31:0] word;
    moehub_finalize_round u_round (
        .element(round_result_q), .special(round_special_q), .negative(round_negative_q), .exponent(round_exponent_q),
        .significand(round_significand_q), .sticky(round_sticky_q), .word(word)
    );

    reg        out_valid_q;
    reg [31:0] out_word_q;

    always @(posedge clk) begin
        if (enable) begin
            sum_valid_q   <= in_valid;
            sum_q         <= sum;
            sum_limit_q   <= limit;
            sum_special_q <= in_state[STATE_WIDTH-1 -: 2];
            sum_result_q  <= result;

            magnitude_valid_q    <= sum_valid_q;
            magnitude_negative_q <= sum_negative;
            magnitude_q          <= magnitude;
            magnitude_limit_q    <= sum_limit_q;
            magnitude_special_q  <= sum_special_q;
            magnitude_result_q   <= sum_result_q;

            shift_valid_q     <= magnitude_valid_q;
            shift_negative_q  <= magnitude_negative_q;
            shift_magnitude_q <= magnitude_q;
            shift_q           <= beyond ? magnitude_limit_q[6:0] + too_far : zeros;
            shift_exponent_q  <= magnitude_limit_q - {3'd0, zeros} + 10'd1;
            shift_special_q   <= magnitude_special_q;
            shift_result_q    <= magnitude_result_q;

            round_valid_q       <= shift_valid_q;
            round_negative_q    <= shift_negative_q;
            round_significand_q <= normalised[WIDTH-1 -: 25];
            round_sticky_q      <= (normalised[WIDTH-26:0] != {(WIDTH - 25){1'b0}});
            round_exponent_q    <= shift_exponent_q;
            round_special_q     <= shift_special_q;
            round_result_q      <= shift_result_q;

            out_valid_q <= round_valid_q;
            out_word_q  <= word;
        end
        if (!enable && `MOEHUB_FAULT(`MOEHUB_FAULT_FINALIZE_STALL_LOSES)) shift_magnitude_q <= magnitude_q;
        if (rst) begin
            sum_valid_q       <= 1'b0;
            magnitude_valid_q <= 1'b0;
            shift_valid_q     <= 1'b0;
            round_valid_q     <= 1'b0;
            out_valid_q       <= 1'b0;
        end
    end

    assign out_valid = out_valid_q;
    assign out_word  = out_word_q;
endmodule
`default_nettype wire
