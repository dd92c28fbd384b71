// SPDX-License-Identifier: Apache-2.0
// Purpose: a deep FIFO that gives an item on in the cycle in which it enters, when nothing is inside.
// Contract:
//   1. Items leave in the order in which they entered, unchanged.
//   2. There is no in_ready: the user never has more than DEPTH items inside (it counts them, or cannot have more).
//   3. An item that enters while nothing is inside is at the output in the same cycle. out_valid and out_data stay until
//      out_ready.
// Cost: one item a cycle sustained; latency 0 while empty; DEPTH * WIDTH memory bits and WIDTH + 1 flops. An item that enters
//   while another is at the output, and none behind that, shows up to two cycles after that one was taken.
// Limits: combinational from in_valid and in_data to the output while empty. An internal part: its user registers one of them.
// Proved: formal/common/formal_packet_store.v
`default_nettype none

module moehub_prompt_fifo #(
    parameter WIDTH = 32, // 1..
    parameter DEPTH = 16  // 1.., any, not only powers of two
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               in_valid,
    input  wire [WIDTH - 1:0] in_data,
    output wire               out_valid,
    input  wire               out_ready,
    output wire [WIDTH - 1:0] out_data
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
        if (DEPTH < 1) DEPTH_must_be_at_least_1 u_rule ();
    endgenerate

    reg               out_valid_q;
    reg [WIDTH - 1:0] out_data_q;

    wire               behind_valid;
    wire [WIDTH - 1:0] behind_data;
    wire               behind_none;
    wire               unused_parity;

    wire room   = !out_valid_q || out_ready;
    wire direct = in_valid && room && behind_none;         // the item does not go to the memory
    wire passes = in_valid && !out_valid_q && behind_none; // it is at the output
    wire gone   = passes && out_ready;

    assign out_valid = out_valid_q || passes;
    assign out_data  = out_valid_q ? out_data_q : in_data;

    moehub_memory_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_behind (
        .clk(clk), .rst(rst), .in_valid(in_valid && !direct), .in_data(in_data),
        .out_valid(behind_valid), .out_ready(room), .out_data(behind_data), .empty(behind_none), .parity_error(unused_parity)
    );

    always @(posedge clk) begin
        if (room) out_data_q <= direct ? in_data : behind_data;
        out_valid_q <= !room || (direct && !gone) || behind_valid;
        if (rst) out_valid_q <= 1'b0;
    end
endmodule

`default_nettype wire
