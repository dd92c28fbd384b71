// SPDX-License-Identifier: Apache-2.0
// Purpose: the latest start that is a given time ago: what started at `limit` or before has waited that long.
// Contract: limit is the time of three cycles before less `wait_time` as it was meanwhile; both wrap at 2^48.
// Cost: three stages of a subtraction in pieces of 16 bits, one a cycle.
// Proved: formal/switch/formal_reduction_timeout.v, formal_reduction_timeout_clock.v
`default_nettype none

module moehub_reduction_limit (
    input  wire        clk,
    input  wire [15:0] low, // pieces of the time
    input  wire [15:0] middle,
    input  wire [15:0] high,
    input  wire [31:0] wait_time,
    output wire [47:0] limit
);
    reg [15:0] limit_low_a_q;
    reg        borrow_low_q;
    reg [15:0] middle_a_q;
    reg [15:0] high_a_q;
    reg [15:0] limit_low_b_q;
    reg [15:0] limit_middle_b_q;
    reg        borrow_middle_q;
    reg [15:0] high_b_q;
    reg [47:0] limit_q;
    reg [15:0] wait_middle_q; // beside the lower piece

    always @(posedge clk) begin
        {borrow_low_q, limit_low_a_q} <= {1'b0, low} - {1'b0, wait_time[15:0]};
        wait_middle_q <= wait_time[31:16];
        middle_a_q    <= middle;
        high_a_q      <= high;

        {borrow_middle_q, limit_middle_b_q} <= {1'b0, middle_a_q} - {1'b0, wait_middle_q} - {16'd0, borrow_low_q};
        limit_low_b_q <= limit_low_a_q;
        high_b_q      <= high_a_q;

        limit_q <= {high_b_q - {15'd0, borrow_middle_q}, limit_middle_b_q, limit_low_b_q};
    end

    assign limit = limit_q;
endmodule

`default_nettype wire
