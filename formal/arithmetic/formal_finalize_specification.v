// SPDX-License-Identifier: Apache-2.0
// What finalize computes, step by step as rtl/doc/arithmetic.md tells it, with no thought of cost.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
module formal_finalize_specification #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter ELEMENT          = 0,
    parameter OUT_FP32         = 0
) (
    input  wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] state,
    output reg  [31:0]                                              word
);
    localparam BIN_WIDTH   = `MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam SUM_WIDTH   = 16 * (BINS - 1) + BIN_WIDTH + 1;
    localparam EXTRA       = 24; // zeros below the sum, so that a fraction can be longer than the sum
    localparam WIDE        = SUM_WIDTH + EXTRA;

    localparam FP16     = ELEMENT == `MOEHUB_ELEMENT_FP16;
    localparam FRACTION = OUT_FP32 != 0 ? 23 : FP16 ? 10 : 7;
    localparam SIGN     = OUT_FP32 != 0 ? 31 : 15;
    localparam ADDED    = OUT_FP32 == 0 ? 0 : FP16 ? 125 : 16; // position 0 of the elements in positions of the result
    localparam [31:0] INFINITY = OUT_FP32 != 0 ? 32'h7f800000 : FP16 ? 32'h7c00 : 32'h7f80;
    localparam [31:0] NAN      = OUT_FP32 != 0 ? 32'h7fc00000 : FP16 ? 32'h7e00 : 32'h7fc0;

    reg signed [SUM_WIDTH - 1:0] sum;
    reg signed [BIN_WIDTH - 1:0] bin;
    reg [SUM_WIDTH - 1:0]        magnitude;
    reg [WIDE - 1:0]             wide;
    reg [WIDE - 1:0]             quotient;
    reg [WIDE - 1:0]             rest;
    reg [WIDE - 1:0]             half;
    reg signed [11:0]            lowest;  // position of the sum's bit 0, in positions of the result
    reg signed [11:0]            leading; // position of the leading one
    reg signed [11:0]            last;    // position of the last bit that is kept
    reg signed [11:0]            cut;     // bits of `wide` below it
    reg [40:0]                   result;
    integer                      i;

    always @* begin
        sum = 0;
        for (i = 0; i < BINS; i = i + 1) begin
            bin = state[i * BIN_WIDTH +: BIN_WIDTH];
            sum = sum + (bin <<< (16 * i));
        end
        magnitude = sum < 0 ? -sum : sum;
        lowest    = 16 * ($signed({7'd0, state[STATE_WIDTH - 3 -: 5]}) - BINS + 1) + ADDED;
        leading   = lowest;
        for (i = 0; i < SUM_WIDTH; i = i + 1) if (magnitude[i]) leading = lowest + i;
        last      = leading > FRACTION ? leading - FRACTION : 0;
        cut       = last - lowest + EXTRA;
        wide      = {magnitude, {EXTRA{1'b0}}};
        quotient  = wide >> cut;
        rest      = wide - (quotient << cut);
        half      = {{(WIDE - 1){1'b0}}, 1'b1} << (cut - 1);
        if (rest > half || (rest == half && quotient[0])) quotient = quotient + 1;
        result    = ({29'd0, last} << FRACTION) + quotient[40:0];

        case (state[STATE_WIDTH - 1 -: 2])
        2'd`MOEHUB_SPECIAL_NAN:            word = NAN;
        2'd`MOEHUB_SPECIAL_PLUS_INFINITY:  word = INFINITY;
        2'd`MOEHUB_SPECIAL_MINUS_INFINITY: word = INFINITY | (32'd1 << SIGN);
        default: begin
            word = result >= INFINITY ? INFINITY : result[31:0];
            if (sum == 0) word = 32'd0;
            if (sum < 0) word = word | (32'd1 << SIGN);
        end
        endcase
    end
endmodule
`default_nettype wire
