// SPDX-License-Identifier: Apache-2.0
// Purpose: packs sign, rounded exponent and fraction, or what overrides them, into the result word.
// Contract:
//   1. rounded is as moehub_finalize_round gives it; an exponent field that reaches the type's maximum gives infinity.
//   2. special overrides everything: infinities of either sign, the canonical quiet NaN.
//   3. A 16-bit word sits in [15:0], zeros above.
// Cost: combinational, one 10-bit comparison.
// Proved: formal/arithmetic/formal_finalize.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_finalize_pack (
    input  wire [1:0]  element,      // type of the result
    input  wire [1:0]  special,
    input  wire        negative,
    input  wire [32:0] rounded,
    output wire [31:0] word
);

    wire is_fp16    = (element == 2'd`MOEHUB_ELEMENT_FP16);
    wire is_fp32    = (element == 2'd`MOEHUB_ELEMENT_FP32);
    wire is_special = (special != 2'd`MOEHUB_SPECIAL_NONE);
    wire is_nan     = (special == 2'd`MOEHUB_SPECIAL_NAN);

    wire overflow = (is_fp16 ? (rounded[32:23] >= 10'd31) : (rounded[32:23] >= 10'd255));
    wire infinite = overflow || is_special;
    wire sign     = is_special ? (special == 2'd`MOEHUB_SPECIAL_MINUS_INFINITY) : negative;

    // The largest exponent field; a quiet NaN has the fraction's top bit besides.
    wire [7:0]  field    = infinite ? 8'hff : rounded[30:23];
    wire [22:0] fraction = infinite ? {is_nan, 22'd0} : rounded[22:0];

    assign word = is_fp32 ? {sign, field, fraction}
                : is_fp16 ? {16'd0, sign, field[4:0], fraction[22:13]}
                          : {16'd0, sign, field, fraction[22:16]};
endmodule

`default_nettype wire
