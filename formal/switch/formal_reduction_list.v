// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_list: order, nothing more, nothing lost; the user never has more than DEPTH items inside.
`default_nettype none
module formal_reduction_list #(
    parameter WIDTH = 1,
    parameter DEPTH = 2
) (
    input wire               clk,
    input wire               rst,
    input wire               clear,
    input wire               push_valid,
    input wire [WIDTH - 1:0] push_data,
    input wire               out_ready,
    input wire               mark
);
`include "formal_reset.vh"
    wire               out_valid;
    wire [WIDTH - 1:0] out_data;
    moehub_reduction_list #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_list (
        .clk(clk), .rst(rst), .clear(clear), .push_valid(push_valid), .push_data(push_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    formal_stream_assert #(.WIDTH(WIDTH)) u_out (
        .clk(clk), .rst(rst || clear), .valid(out_valid), .ready(out_ready), .data(out_data)
    );

    wire enter = push_valid && !rst;
    wire leave = out_valid && out_ready && !rst && !clear;

    reg [3:0]         inside_q   = 4'd0;
    reg [3:0]         ahead_q    = 4'd0; // items ahead of the marked one
    reg               marked_q   = 1'b0;
    reg [WIDTH - 1:0] marked_data_q;
    reg               was_full_q = 1'b0;
    reg [1:0]         waiting_q  = 2'd0; // cycles with something inside and nothing to be seen
    always @* assume (!push_valid || (inside_q < DEPTH && !clear));
    always @(posedge clk) begin
        inside_q <= inside_q + {3'd0, enter} - {3'd0, leave};
        if (inside_q == DEPTH) was_full_q <= 1'b1;
        waiting_q <= inside_q == 4'd0 || out_valid ? 2'd0 : waiting_q + {1'd0, waiting_q != 2'd3};
        if (enter && mark && !marked_q) begin
            marked_q      <= 1'b1;
            marked_data_q <= push_data;
            ahead_q       <= inside_q - {3'd0, leave};
        end else if (marked_q && leave) begin
            ahead_q  <= ahead_q - 4'd1;
            marked_q <= ahead_q != 4'd0;
        end
        if (rst || clear) begin
            inside_q  <= 4'd0;
            marked_q  <= 1'b0;
            waiting_q <= 2'd0;
        end
    end

    always @* begin
        order:     assert (!(marked_q && ahead_q == 4'd0 && out_valid) || out_data == marked_data_q);
        no_more:   assert (!started_q || !out_valid || inside_q != 4'd0);
        latency_3: assert (waiting_q != 2'd3);
    end
    always @* begin
        full_marked_leaves: cover (was_full_q && marked_q && ahead_q == 4'd0 && leave);
        full:               cover (inside_q == DEPTH);
    end
endmodule
`default_nettype wire
