// SPDX-License-Identifier: Apache-2.0
// moehub_ready_buffer: an item passes in no time or is kept; ready is a register.
`default_nettype none
module formal_ready_buffer #(
    parameter WIDTH = 2
) (
    input wire               clk,
    input wire               rst,
    input wire               in_valid,
    input wire [WIDTH - 1:0] in_data,
    input wire               out_ready
);
`include "formal_reset.vh"
    wire               in_ready;
    wire               out_valid;
    wire [WIDTH - 1:0] out_data;

    moehub_ready_buffer #(.WIDTH(WIDTH)) u_buffer (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    formal_stream_assume #(.WIDTH(WIDTH)) u_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
    formal_stream_assert #(.WIDTH(WIDTH)) u_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

    wire enter = in_valid && in_ready;
    wire leave = out_valid && out_ready;

    reg               inside_q = 1'b0;
    reg [WIDTH - 1:0] item_q;
    always @(posedge clk) begin
        if (enter) item_q <= in_data;
        inside_q <= !rst && (inside_q || enter) && !leave;
    end

    always @* begin
        at_once: assert (!started_q || out_valid == (inside_q || enter));
        order:   assert (!out_valid || !started_q || out_data == (inside_q ? item_q : in_data));
        ready:   assert (!started_q || in_ready == (!inside_q && !reset_q));
    end
    always @* begin
        kept_then_next: cover (inside_q && leave && in_valid);
    end
endmodule
`default_nettype wire
