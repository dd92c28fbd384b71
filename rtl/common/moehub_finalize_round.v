// SPDX-License-Identifier: Apache-2.0
// Rounds a normalised magnitude to nearest, ties to even, and packs the word (rtl/doc/arithmetic.md, "Finalize").
//
// Contract:
//  1. `significand` is left-aligned: bit 24 is the hidden bit of a normal result, 0 only for a subnormal or zero;
//     `sticky` says that something non-zero lies below bit 0.
//  2. `exponent` is the exponent field of a normal result; it is ignored where the hidden bit is 0.
//  3. An exponent field that reaches the type's maximum gives infinity; `special` overrides everything;
//     a zero magnitude gives +0.
//
// Cost: combinational, one 33-bit increment.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_fault.vh"

module moehub_finalize_round (
    input  wire [1:0]  element,      // type of the result
    input  wire [1:0]  special,
    input  wire        negative,
    input  wire [9:0]  exponent,
    input  wire [24:0] significand,
    input  wire        sticky,
    output wire [31:0] word
);
    `MOEHUB_FAULT_DECLARE

    wire is_fp16 = (element == 2'd`MOEHUB_ELEMENT_FP16);
    wire is_fp32 = (element == 2'd`MOEHUB_ELEMENT_FP32);
    wire is_nan  = (special == 2'd`MOEHUB_SPECIAL_NAN);

    // Last kept bit, first dropped bit, anything below: fp32 keeps [24:1], fp16 [24:14], bf16 [24:17].
    wire last  = is_fp32 ? significand[1] : is_fp16 ? significand[14] : significand[17];
    wire guard = is_fp32 ? significand[0] : is_fp16 ? significand[13] : significand[16];
    wire below = (sticky && !`MOEHUB_FAULT(`MOEHUB_FAULT_FINALIZE_STICKY_LOST)) || (!is_fp32 && (significand[12:0] != 13'd0))
                        || (!is_fp32 && !is_fp16 && (significand[15:13] != 3'd0));
    wire up    = guard && (last || below || `MOEHUB_FAULT(`MOEHUB_FAULT_FINALIZE_HALF_UP))
                       && !`MOEHUB_FAULT(`MOEHUB_FAULT_FINALIZE_TRUNCATES);

    // Exponent and fraction as one number, so that a carry out of the fraction raises the exponent.
    wire [9:0]  field   = significand[24] ? exponent : 10'd0;
    wire [32:0] raised  = {field, significand[23:1]} + (is_fp32 ? {32'd0, up} : is_fp16 ? {19'd0, up, 13'd0} : {16'd0, up, 16'd0});

    wire        overflow = is_fp16 ? (raised[32:23] >= 10'd31) : (raised[32:23] >= 10'd255);
    wire        infinite = (overflow && !`MOEHUB_FAULT(`MOEHUB_FAULT_FINALIZE_OVERFLOW)) || (special != 2'd`MOEHUB_SPECIAL_NONE);
    wire        sign     = (special != 2'd`MOEHUB_SPECIAL_NONE) ? (special == 2'd`MOEHUB_SPECIAL_MINUS_INFINITY) : negative;

    // The largest exponent field; a quiet NaN has the fraction's top bit besides.
    wire [7:0]  high     = infinite ? 8'hff : raised[30:23];
    wire [22:0] fraction = infinite ? {is_nan, 22'd0} : raised[22:0];

    assign word = is_fp32 ? {sign, high, fraction}
                : is_fp16 ? {16'd0, sign, high[4:0], fraction[22:13]}
                          : {16'd0, sign, high, fraction[22:16]};
endmodule
`default_nettype wire
