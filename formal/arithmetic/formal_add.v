// SPDX-License-Identifier: Apache-2.0
// One addition as a function: moehub_accumulate with everything held, its registers being wires.
`default_nettype none
`include "moehub_arithmetic.vh"
module formal_add #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0,
    parameter ELEMENT          = 0
) (
    input  wire                                                     clk,
    input  wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] state,
    input  wire                                                     first,
    input  wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0]                  x,
    output wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] sum
);
    localparam [1:0] TYPE = ELEMENT;
    wire unused_valid;
    moehub_accumulate #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .BYPASS(0)) u_accumulate (
        .clk(clk), .rst(1'b0), .in_valid(1'b1), .in_element(TYPE), .in_x(x), .in_first(first), .in_forward(2'd0),
        .state_rdata(state), .out_valid(unused_valid), .out_state(sum)
    );
endmodule
`default_nettype wire
