// SPDX-License-Identifier: Apache-2.0
// moehub_deep_fifo: order, count, ready, latency, stream rules. The solver marks one item as it enters; the harness counts
// what is ahead of it.
`default_nettype none
module formal_deep_fifo #(
    parameter WIDTH = 1,
    parameter DEPTH = 3
) (
    input wire               clk,
    input wire               rst,
    input wire               in_valid,
    input wire [WIDTH - 1:0] in_data,
    input wire               out_ready,
    input wire               mark
);
`include "formal_reset.vh"
    wire                           in_ready;
    wire                           out_valid;
    wire [WIDTH - 1:0]             out_data;
    wire [$clog2(DEPTH + 1) - 1:0] count;

    moehub_deep_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_fifo (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .count(count)
    );
    formal_stream_assume #(.WIDTH(WIDTH)) u_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
    formal_stream_assert #(.WIDTH(WIDTH)) u_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

    wire enter = in_valid && in_ready && !rst;
    wire leave = out_valid && out_ready && !rst;

    reg [7:0]         inside_q = 8'd0;
    reg [7:0]         ahead_q;           // items ahead of the marked one
    reg               marked_q = 1'b0;
    reg [WIDTH - 1:0] marked_data_q;
    reg               was_full_q = 1'b0;
    reg               entered_empty_q = 1'b0;
    reg [1:0]         idle_q = 2'd0; // cycles since an item left, or none was inside
    always @(posedge clk) begin
        inside_q        <= inside_q + {7'd0, enter} - {7'd0, leave};
        entered_empty_q <= enter && inside_q == 8'd0;
        idle_q          <= leave || inside_q == 8'd0 ? 2'd0 : idle_q == 2'd3 ? 2'd3 : idle_q + 2'd1;
        if (inside_q == DEPTH) was_full_q <= 1'b1;
        if (enter && mark && !marked_q) begin
            marked_q      <= 1'b1;
            marked_data_q <= in_data;
            ahead_q       <= inside_q - {7'd0, leave};
        end else if (marked_q && leave) begin
            ahead_q <= ahead_q - 8'd1;
            if (ahead_q == 8'd0) marked_q <= 1'b0;
        end
        if (rst) begin
            inside_q <= 8'd0;
            marked_q <= 1'b0;
            entered_empty_q <= 1'b0;
            idle_q <= 2'd0;
        end
    end

    always @* begin
        order:     assert (!(marked_q && ahead_q == 8'd0 && out_valid) || out_data == marked_data_q);
        no_more:   assert (!leave || inside_q != 8'd0);
        counts:    assert (!started_q || {8'd0, count} == {8'd0, inside_q});
        bounded:   assert (inside_q <= DEPTH);
        ready:     assert (!started_q || in_ready == (inside_q < DEPTH && !reset_q));
        latency_1: assert (!entered_empty_q || out_valid);
        latency_3: assert (!(inside_q != 8'd0 && idle_q >= 2'd2) || out_valid);
    end
    always @* begin
        full_marked_leaves: cover (was_full_q && marked_q && ahead_q == 8'd0 && leave);
        behind:             cover (inside_q == 8'd2 && !out_valid);
        in_reset_again:     cover (was_full_q && reset_q && in_valid == 1'b0);
        full:               cover (inside_q == DEPTH);
        enters_empty:       cover (entered_empty_q);
    end
endmodule
`default_nettype wire
