// SPDX-License-Identifier: Apache-2.0
// moehub_memory_fifo: order and emptiness, the output held; the user never has more than DEPTH items inside.
`default_nettype none
module formal_memory_fifo #(
    parameter WIDTH = 1,
    parameter DEPTH = 3,
    parameter LANDING = 0
) (
    input wire               clk,
    input wire               rst,
    input wire               in_valid,
    input wire [WIDTH - 1:0] in_data,
    input wire               out_ready,
    input wire               mark
);
`include "formal_reset.vh"
    localparam COUNT_WIDTH = $clog2(DEPTH + 1) + 1;
    localparam [COUNT_WIDTH - 1:0] FULL = DEPTH;
    localparam [COUNT_WIDTH - 1:0] ONE  = 1;
    localparam [COUNT_WIDTH - 1:0] NONE = 0;

    wire               out_valid;
    wire [WIDTH - 1:0] out_data;
    wire               empty;

    moehub_memory_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH), .LANDING(LANDING)) u_fifo (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_data(in_data),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .empty(empty), .parity_error()
    );
    formal_stream_assert #(.WIDTH(WIDTH)) u_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

    wire enter = in_valid && !rst;
    wire leave = out_valid && out_ready && !rst;

    reg [COUNT_WIDTH - 1:0] inside_q = NONE;
    reg [COUNT_WIDTH - 1:0] ahead_q;
    reg                     marked_q = 1'b0;
    reg [WIDTH - 1:0]       marked_data_q;
    reg                     was_full_q = 1'b0;
    reg                     waited_q   = 1'b0; // something was inside in the cycle before, and did not enter in it
    reg [1:0]               waits_q    = 2'd0; // cycles with something inside and nothing to be seen
    wire [COUNT_WIDTH - 1:0] inside_d = inside_q + (enter ? ONE : NONE) - (leave ? ONE : NONE);
    always @(posedge clk) begin
        inside_q <= inside_d;
        waits_q  <= rst || inside_q == NONE || out_valid ? 2'd0 : waits_q + {1'd0, waits_q != 2'd3};
        waited_q <= inside_q - (leave ? ONE : NONE) != NONE;
        if (inside_q == FULL) was_full_q <= 1'b1;
        if (enter && mark && !marked_q) begin
            marked_q      <= 1'b1;
            marked_data_q <= in_data;
            ahead_q       <= inside_q - (leave ? ONE : NONE);
        end else if (marked_q && leave) begin
            ahead_q  <= ahead_q - ONE;
            marked_q <= ahead_q != NONE;
        end
        if (rst) begin
            inside_q <= NONE;
            marked_q <= 1'b0;
            waited_q <= 1'b0;
        end
    end
    always @* assume (inside_q != FULL || !in_valid);

    always @* begin
        order:     assert (!(marked_q && ahead_q == NONE && out_valid) || out_data == marked_data_q);
        no_more:   assert (!started_q || !out_valid || inside_q != NONE);
        latency_2: assert (!waited_q || out_valid);
        latency_3: assert (waits_q != 2'd3);
        says_empty: assert (!started_q || empty == (inside_q == NONE));
    end
    always @* begin
        full_marked_leaves: cover (was_full_q && marked_q && ahead_q == NONE && leave);
        full:               cover (inside_q == FULL);
        reset_again:        cover (was_full_q && reset_q);
    end
endmodule
`default_nettype wire
