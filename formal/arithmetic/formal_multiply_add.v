// SPDX-License-Identifier: Apache-2.0
// moehub_multiply_add: the product and both addends, those one cycle late, for every value; order and latency.
`default_nettype none
module formal_multiply_add #(
    parameter A_WIDTH   = 3,
    parameter B_WIDTH   = 3,
    parameter SUM_WIDTH = 5,
    parameter CHUNK     = 2
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   in_valid,
    input wire [A_WIDTH - 1:0]   in_a,
    input wire [B_WIDTH - 1:0]   in_b,
    input wire [SUM_WIDTH - 1:0] in_c,
    input wire [SUM_WIDTH - 1:0] in_d
);
`include "formal_reset.vh"
    localparam LATENCY = 2 + (SUM_WIDTH + CHUNK - 1) / CHUNK;
    wire                   out_valid;
    wire [SUM_WIDTH - 1:0] out_sum;
    wire [SUM_WIDTH - 1:0] out_side; // carries the result as it must be
    reg  [SUM_WIDTH - 1:0] c_q;
    reg  [SUM_WIDTH - 1:0] d_q;
    wire [SUM_WIDTH - 1:0] wanted = in_a * in_b + in_c + in_d;

    moehub_multiply_add #(
        .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH), .SUM_WIDTH(SUM_WIDTH), .SIDE_WIDTH(SUM_WIDTH), .CHUNK(CHUNK)
    ) u_add (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_a(in_a), .in_b(in_b), .in_side(wanted), .late_c(c_q), .late_d(d_q),
        .out_valid(out_valid), .out_side(out_side), .out_sum(out_sum)
    );

    reg [LATENCY - 1:0] valid_q;
    reg [LATENCY - 1:0] clean_q = 0; // cycles since reset, saturating shift
    always @(posedge clk) begin
        c_q     <= in_c;
        d_q     <= in_d;
        valid_q <= {valid_q[LATENCY - 2:0], in_valid};
        if (rst) valid_q <= 0;
        clean_q <= {clean_q[LATENCY - 2:0], started_q};
    end

    always @* begin
        sum:     assert (!clean_q[LATENCY - 1] || out_sum == out_side);
        latency: assert (!started_q || out_valid == valid_q[LATENCY - 1]);
    end
    always @* begin
        all_ones:     cover (out_valid && &out_sum && clean_q[LATENCY - 1]);
        back_to_back: cover (&valid_q);
    end
endmodule
`default_nettype wire
