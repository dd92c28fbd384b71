// SPDX-License-Identifier: Apache-2.0
// In place of moehub_accumulate: same ports, same cycles, but the state is the sum of the elements' lowest two bits, modulo 4.
`default_nettype none
`include "moehub_arithmetic.vh"
module moehub_accumulate #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0,
    parameter BYPASS           = 1
) (
    input  wire                                                   clk,
    input  wire                                                   rst,
    input  wire                                                   in_valid,
    input  wire [1:0]                                             in_element,
    input  wire [(WITH_FP32 != 0 ? 32 : 16)-1:0]                  in_x,
    input  wire                                                   in_first,
    input  wire [1:0]                                             in_forward,
    input  wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS)-1:0] state_rdata,
    output wire                                                   out_valid,
    output wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS)-1:0] out_state
);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    reg       valid_q, valid_2_q, first_q;
    reg [1:0] forward_q, x_q, sum_q, sum_2_q;
    wire [1:0] before = first_q ? 2'd0 : forward_q == 2'd1 ? sum_q : forward_q == 2'd2 ? sum_2_q : state_rdata[1:0];
    always @(posedge clk) begin
        valid_q   <= in_valid;
        valid_2_q <= valid_q;
        first_q   <= in_first;
        forward_q <= in_forward;
        x_q       <= in_x[1:0];
        sum_q     <= before + x_q;
        sum_2_q   <= sum_q;
    end
    assign out_valid = valid_2_q;
    assign out_state = {{(STATE_WIDTH - 2){1'b0}}, sum_q};
endmodule
`default_nettype wire
