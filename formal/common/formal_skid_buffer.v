// SPDX-License-Identifier: Apache-2.0
// moehub_skid_buffer: order, places, stream rules.
`default_nettype none
module formal_skid_buffer #(
    parameter WIDTH = 1
) (
    input wire               clk,
    input wire               rst,
    input wire               in_valid,
    input wire [WIDTH - 1:0] in_data,
    input wire               out_ready,
    input wire               mark
);
`include "formal_reset.vh"
    wire               in_ready;
    wire               out_valid;
    wire [WIDTH - 1:0] out_data;

    moehub_skid_buffer #(.WIDTH(WIDTH)) u_skid (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
    );
    formal_stream_assume #(.WIDTH(WIDTH)) u_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
    formal_stream_assert #(.WIDTH(WIDTH)) u_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

    wire enter = in_valid && in_ready && !rst;
    wire leave = out_valid && out_ready && !rst;

    reg [1:0]         inside_q = 2'd0;
    reg [1:0]         ahead_q;
    reg               marked_q = 1'b0;
    reg [WIDTH - 1:0] marked_data_q;
    reg               was_full_q = 1'b0;
    always @(posedge clk) begin
        inside_q <= inside_q + {1'd0, enter} - {1'd0, leave};
        if (inside_q == 2'd2) was_full_q <= 1'b1;
        if (enter && mark && !marked_q) begin
            marked_q      <= 1'b1;
            marked_data_q <= in_data;
            ahead_q       <= inside_q - {1'd0, leave};
        end else if (marked_q && leave) begin
            ahead_q  <= ahead_q - 2'd1;
            marked_q <= ahead_q != 2'd0;
        end
        if (rst) begin
            inside_q <= 2'd0;
            marked_q <= 1'b0;
        end
    end

    always @* begin
        order:   assert (!(marked_q && ahead_q == 2'd0) || (out_valid && out_data == marked_data_q));
        at_most_2: assert (inside_q <= 2'd2);
        no_more: assert (!started_q || out_valid == (inside_q != 2'd0));
        ready:   assert (!started_q || in_ready == (inside_q != 2'd2 && !reset_q));
    end
    always @* begin
        full_marked_leaves: cover (was_full_q && marked_q && ahead_q == 2'd0 && leave);
        full:               cover (inside_q == 2'd2);
        reset_again:        cover (was_full_q && reset_q);
    end
endmodule
`default_nettype wire
