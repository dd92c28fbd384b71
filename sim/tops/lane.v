// SPDX-License-Identifier: Apache-2.0
// Lanes of a reduction around the memory wrapper, as the reduction buffer has them, and a finaliser for each; the bench
// plays the buffer's control. The two halves are independent: states go into the finalisers when the bench says so.
`default_nettype none
`include "moehub_arithmetic.vh"

module lane #(
    parameter LANES            = 8,
    parameter ROWS             = 8,
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0,
    parameter BYPASS           = 1
) (
    input  wire                                                         clk,
    input  wire                                                         rst,

    input  wire                                                         in_valid,
    input  wire [1:0]                                                   in_element,
    input  wire [LANES*(WITH_FP32 != 0 ? 32 : 16)-1:0]                  in_x,
    input  wire                                                         in_first,
    input  wire [1:0]                                                   in_forward,
    input  wire [$clog2(ROWS)-1:0]                                      in_row,
    output wire                                                         out_valid,
    output wire [LANES*`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS)-1:0] out_state,

    input  wire                                                         final_enable,
    input  wire                                                         final_in_valid,
    input  wire [1:0]                                                   final_element,
    input  wire                                                         final_out_fp32,
    input  wire [LANES*`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS)-1:0] final_state,
    output wire                                                         final_out_valid,
    output wire [LANES*32-1:0]                                          final_word
);
    localparam X_WIDTH     = (WITH_FP32 != 0) ? 32 : 16;
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);

    wire [LANES-1:0]             lane_valid;
    wire [LANES-1:0]             final_valid;
    wire [LANES*STATE_WIDTH-1:0] state_rdata;

    reg  [$clog2(ROWS)-1:0]      row1_q;
    reg  [$clog2(ROWS)-1:0]      row2_q;
    always @(posedge clk) begin
        row1_q <= in_row;
        row2_q <= row1_q;
    end

    wire unused_parity_error;
    moehub_memory_1r1w #(.WIDTH(LANES * STATE_WIDTH), .DEPTH(ROWS), .PARITY(0)) u_memory (
        .clk(clk),
        .write_enable(out_valid), .write_address(row2_q), .write_data(out_state),
        .read_enable(in_valid), .read_address(in_row), .read_data(state_rdata),
        .parity_error(unused_parity_error)
    );

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            moehub_accumulate #(
                .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .BYPASS(BYPASS)
            ) u_accumulate (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_element(in_element), .in_x(in_x[i*X_WIDTH +: X_WIDTH]),
                .in_first(in_first), .in_forward(in_forward), .state_rdata(state_rdata[i*STATE_WIDTH +: STATE_WIDTH]),
                .out_valid(lane_valid[i]), .out_state(out_state[i*STATE_WIDTH +: STATE_WIDTH])
            );
            moehub_finalize #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS)) u_finalize (
                .clk(clk), .rst(rst), .enable(final_enable), .in_valid(final_in_valid), .in_element(final_element),
                .in_out_fp32(final_out_fp32), .in_state(final_state[i*STATE_WIDTH +: STATE_WIDTH]),
                .out_valid(final_valid[i]), .out_word(final_word[i*32 +: 32])
            );
        end
    endgenerate

    assign out_valid       = &lane_valid;
    assign final_out_valid = &final_valid;
endmodule
`default_nettype wire
