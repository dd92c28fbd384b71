// SPDX-License-Identifier: Apache-2.0
// Purpose: makes the ready of a stream a register, and lets the items through in no time.
// Contract:
//   1. Items leave in the order in which they entered, unchanged; at most one is inside.
//   2. in_ready is a register, low in reset and in the cycle after it, and while an item is inside.
//   3. An item that enters is at the output in the same cycle, and stays there until it is taken.
// Cost: latency 0, one item a cycle sustained, WIDTH + 2 flops.
// Limits: combinational from in_valid and in_data to out_valid and out_data. An internal part: its user registers them.
// Proved: formal/common/formal_ready_buffer.v
`default_nettype none

module moehub_ready_buffer #(
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

    reg               in_ready_q;
    reg               held_q; // an item is inside
    reg [WIDTH - 1:0] held_data_q;

    wire held_d = out_valid && !out_ready;

    assign in_ready  = in_ready_q;
    assign out_valid = held_q || (in_valid && in_ready_q);
    assign out_data  = held_q ? held_data_q : in_data;

    always @(posedge clk) begin
        in_ready_q <= !held_d;
        held_q     <= held_d;
        if (in_ready_q) held_data_q <= in_data;
        if (rst) begin
            in_ready_q <= 1'b0;
            held_q     <= 1'b0;
        end
    end
endmodule

`default_nettype wire
