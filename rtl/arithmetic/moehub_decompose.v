// SPDX-License-Identifier: Apache-2.0
// Purpose: cuts a floating-point element at the absolute bin borders (rtl/doc/arithmetic.md, "Decomposition").
// Contract:
//   1. top is the bin of the nominal leading position, which the exponent field alone decides.
//   2. window is the significand in place: its upper 16 bits are the piece of bin top, the next 16 that of bin top - 1, and
//      so on; what the window leaves out below is zero for every element type the lane takes.
//   3. An infinity or NaN reads as a zero in top and window and shows in special alone.
//   4. Element code 1 is fp16, 2 is fp32 where WITH_FP32; every other code reads as bf16.
// Cost: combinational, an 8-bit adder and a 4-level shifter.
// Proved: formal/arithmetic/formal_accumulate.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_decompose #(
    parameter WITH_FP32 = 0
) (
    input  wire [1:0]                              element,
    input  wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0] x,
    output wire                                    sign,
    output wire [1:0]                              special,
    output wire [4:0]                              top,
    output wire [(WITH_FP32 != 0 ? 39 : 26) - 1:0] window
);

    localparam FRACTION = WITH_FP32 != 0 ? 23 : 10;

    wire is_fp16 = (element == 2'd`MOEHUB_ELEMENT_FP16);

    wire [7:0]            exponent;
    wire [FRACTION - 1:0] fraction;  // left-aligned
    wire [4:0]            bias;      // M - 1: leading position of exponent field 1, less that 1
    wire [4:0]            empty_top;

    generate
        if (WITH_FP32 != 0) begin : g_fp32
            wire is_fp32     = (element == 2'd`MOEHUB_ELEMENT_FP32);
            assign sign      = is_fp32 ? x[31] : x[15];
            assign exponent  = is_fp32 ? x[30:23] : is_fp16 ? {3'd0, x[14:10]} : x[14:7];
            assign fraction  = is_fp32 ? x[22:0] : is_fp16 ? {x[9:0], 13'd0} : {x[6:0], 16'd0};
            assign bias      = is_fp32 ? 5'd22 : is_fp16 ? 5'd9 : 5'd6;
            assign empty_top = is_fp32 ? 5'd1 : 5'd0;
        end else begin : g_16_bit
            assign sign      = x[15];
            assign exponent  = is_fp16 ? {3'd0, x[14:10]} : x[14:7];
            assign fraction  = is_fp16 ? x[9:0] : {x[6:0], 3'd0};
            assign bias      = is_fp16 ? 5'd9 : 5'd6;
            assign empty_top = 5'd0;
        end
    endgenerate

    wire is_special = is_fp16 ? &exponent[4:0] : &exponent;
    wire is_nan     = is_special && (fraction != {FRACTION{1'b0}});
    assign special  = {is_special && (sign || is_nan), is_special && (!sign || is_nan)};

    // Field 0 has the position of field 1 and no leading one.
    wire              normal      = (exponent != 8'd0);
    wire              lowest_bit  = exponent[0] || !normal;
    wire [8:0]        leading     = {1'b0, exponent[7:1], lowest_bit} + {4'd0, bias};
    wire [FRACTION:0] significand = is_special ? {(FRACTION + 1){1'b0}} : {normal, fraction};

    assign top    = is_special ? empty_top : leading[8:4];
    assign window = {15'd0, significand} << leading[3:0];
endmodule

`default_nettype wire
