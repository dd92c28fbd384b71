// SPDX-License-Identifier: Apache-2.0
// Purpose: rounds the magnitude of a normalised sum to nearest, ties to even (rtl/doc/arithmetic.md, "Finalize").
// Contract:
//   1. significand is left-aligned, two's complement with the sign negative: bit 24, not equal to the sign, is the hidden
//      bit of a normal result, equal only for a subnormal or zero; sticky says that something non-zero lies below bit 0.
//   2. exponent is the exponent field of a normal result; it is ignored where the hidden bit is 0.
//   3. rounded is exponent field and fraction, left-aligned as in fp32, as one number: a carry out of the fraction raises
//      the exponent. Bits below the type's fraction mean nothing.
// Cost: combinational, one 33-bit increment.
// Proved: formal/arithmetic/formal_finalize.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_finalize_round (
    input  wire [1:0]  element,      // type of the result
    input  wire [9:0]  exponent,
    input  wire        negative,
    input  wire [24:0] significand,
    input  wire        sticky,
    output wire [32:0] rounded
);

    wire is_fp16 = (element == 2'd`MOEHUB_ELEMENT_FP16);
    wire is_fp32 = (element == 2'd`MOEHUB_ELEMENT_FP32);

    // A negative number's complement is its magnitude less one in the last place of all.
    wire [24:1] complement = significand[24:1] ^ {24{negative}};

    // Last kept bit, first dropped bit, anything below: fp32 keeps [24:1], fp16 [24:14], bf16 [24:17].
    wire last  = is_fp32 ? complement[1] : is_fp16 ? complement[14] : complement[17];
    wire guard = is_fp32 ? significand[0] : is_fp16 ? significand[13] : significand[16];
    wire below = sticky || (!is_fp32 && (significand[12:0] != 13'd0))
                        || (!is_fp32 && !is_fp16 && (significand[15:13] != 3'd0));
    wire tie     = guard && !below;
    wire nearest = (tie && last) || (below && guard != negative);
    wire carried = negative && !guard && !below; // nothing is dropped: the complement's missing one reaches the last kept bit
    wire up      = carried || nearest;

    // Ones below the last kept bit carry the increment up to it.
    wire [9:0]  field      = complement[24] ? exponent : 10'd0;
    wire [15:0] below_last = is_fp32 ? 16'h0000 : is_fp16 ? 16'h1fff : 16'hffff;
    wire [32:0] kept       = {field, complement[23:17], complement[16:1] | below_last};
    wire [32:0] next;

    moehub_finalize_increment #(.WIDTH(33)) u_increment (.word(kept), .sum(next));
    assign rounded = up ? next : kept;
endmodule

`default_nettype wire
