// SPDX-License-Identifier: Apache-2.0
// moehub_accumulate with BYPASS 1 beside a memory of two rows, as a user builds it (rtl/doc/arithmetic.md, "Ports"), against
// the sequential sum: each element added, by a BYPASS 0 lane, to what this lane itself has made of the element before it in its
// row. So, element by element, every sum is the sequential one, at any distance of the elements.
// Every register and row is free at power-up and nothing is reset: from the fifth cycle on, what is seen is what is seen at any
// time of any run, so that a search of a few cycles more leaves nothing out.
`default_nettype none
`include "moehub_arithmetic.vh"
module formal_accumulate_bypass #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0
) (
    input wire                                       clk,
    input wire                                       in_valid,
    input wire                                       in_row,
    input wire                                       in_first,
    input wire [1:0]                                 in_element,
    input wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0]    in_x
);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);

    // ---- the elements one and two cycles ago ------------------------------------------------------------------------
    reg valid_1_q, valid_2_q, row_1_q, row_2_q;
    always @(posedge clk) begin
        valid_1_q <= in_valid;
        valid_2_q <= valid_1_q;
        row_1_q   <= in_row;
        row_2_q   <= row_1_q;
    end

    // ---- the lane and its memory -------------------------------------------------------------------------------------
    wire                     out_valid;
    wire [STATE_WIDTH - 1:0] sum;
    reg  [STATE_WIDTH - 1:0] memory_a_q, memory_b_q, read_q;
    wire [1:0] forward = valid_1_q && row_1_q == in_row ? 2'd1 : valid_2_q && row_2_q == in_row ? 2'd2 : 2'd0;
    moehub_accumulate #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .BYPASS(1)) u_lane (
        .clk(clk), .rst(1'b0), .in_valid(in_valid), .in_element(in_element), .in_x(in_x), .in_first(in_first),
        .in_forward(forward), .state_rdata(read_q), .out_valid(out_valid), .out_state(sum)
    );
    always @(posedge clk) begin
        read_q <= in_row ? memory_b_q : memory_a_q;
        if (out_valid && !row_2_q) memory_a_q <= sum;
        if (out_valid && row_2_q) memory_b_q <= sum;
    end

    // ---- one step of the sequential sum ---------------------------------------------------------------------------------
    wire                     unused_valid;
    wire [STATE_WIDTH - 1:0] right_sum;
    wire                     just = valid_2_q && row_2_q == row_1_q;
    moehub_accumulate #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .BYPASS(0)) u_right (
        .clk(clk), .rst(1'b0), .in_valid(in_valid), .in_element(in_element), .in_x(in_x), .in_first(in_first),
        .in_forward(2'd0), .state_rdata(just ? sum : row_1_q ? memory_b_q : memory_a_q),
        .out_valid(unused_valid), .out_state(right_sum)
    );

    reg [2:0] age_q = 3'd0; // both lanes hold elements that came after power-up
    always @(posedge clk) age_q <= age_q + {2'd0, age_q != 3'd7};

    always @* begin
        sequential: assert (age_q < 3'd4 || (sum == right_sum && out_valid == valid_2_q));
    end
    reg [2:0] same_q; // elements of this row in a row
    always @(posedge clk)
        same_q <= !in_valid ? 3'd0 : in_first || in_row != row_1_q || !valid_1_q ? 3'd1 : same_q + {2'd0, same_q != 3'd7};
    always @* begin
        three_in_a_row: cover (age_q >= 3'd4 && same_q == 3'd3 && out_valid && sum[STATE_WIDTH - 3 -: 5] != 5'd0);
    end
endmodule
`default_nettype wire
