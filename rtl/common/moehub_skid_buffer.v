// SPDX-License-Identifier: Apache-2.0
// Purpose: cuts every combinational path of a stream, forward and backward, at full throughput.
// Contract:
//   1. Items leave in the order in which they entered, unchanged; at most two are inside.
//   2. in_ready, out_valid and out_data are registers: no combinational path from any input to any output.
//   3. in_ready is low in reset and in the cycle after it, and while both places are taken.
// Cost: latency 1, one item a cycle sustained, 2 * WIDTH + 3 flops.
// Proved: formal/common/formal_skid_buffer.v
`default_nettype none

module moehub_skid_buffer #(
    parameter WIDTH = 32 // 1..
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               in_valid,
    output wire               in_ready,
    input  wire [WIDTH - 1:0] in_data,
    output wire               out_valid,
    input  wire               out_ready,
    output wire [WIDTH - 1:0] out_data
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    reg               out_valid_q;
    reg [WIDTH - 1:0] out_data_q;

    assign out_valid = out_valid_q;
    assign out_data  = out_data_q;

    wire               next_valid;
    wire [WIDTH - 1:0] next_data;
    wire               move = out_ready || !out_valid_q; // the output register can be loaded

    moehub_ready_buffer #(.WIDTH(WIDTH)) u_behind (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(next_valid), .out_ready(move), .out_data(next_data)
    );

    always @(posedge clk) begin
        if (move) out_valid_q <= next_valid;
        if (rst) out_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (move) out_data_q <= next_data;
    end
endmodule

`default_nettype wire
