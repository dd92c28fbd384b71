// SPDX-License-Identifier: Apache-2.0
// The pipelines of moehub_accumulate (BYPASS 0) and moehub_finalize in time. Two of each get one item in the same cycle,
// and different ones, any, before and after it; every register is free at power-up. The item's results are equal: they
// depend on nothing else, its fields move together. One finalizer stalls, after STALL steps, for PAUSE cycles.
// No state of these pipelines outlives an item, so that what holds of the first item holds of every item.
`default_nettype none
`include "moehub_arithmetic.vh"
module formal_pipelines #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0,
    parameter STALL            = 0, // 0 to 6
    parameter PAUSE            = 2
) (
    input wire                                                     clk,
    input wire                                                     rst,
    input wire                                                     in_valid, // the item
    input wire [1:0]                                               in_element,
    input wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0]                  in_x,
    input wire                                                     in_first,
    input wire                                                     in_out_fp32,
    input wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] in_state
);
    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam X_WIDTH     = WITH_FP32 != 0 ? 32 : 16;
    localparam IN_WIDTH    = 1 + 2 + X_WIDTH + 1 + 1 + STATE_WIDTH;
    localparam LATENCY     = `MOEHUB_FINALIZE_LATENCY;
    localparam END         = 1 + LATENCY + PAUSE; // the cycle in which the stalled finalizer has it

    reg [3:0] cycle_q = 4'd0;
    always @(posedge clk) cycle_q <= cycle_q + {3'd0, cycle_q != 4'd15};
    always @* assume (rst == (cycle_q == 4'd0));

    (* anyseq *) wire [IN_WIDTH - 1:0] other_a; // what comes when the item does not
    (* anyseq *) wire [IN_WIDTH - 1:0] other_b;
    wire                   now    = cycle_q == 4'd1;
    // the item came with the last step before, or waits outside
    wire                   stalls = cycle_q > STALL && cycle_q <= STALL + PAUSE;
    wire [IN_WIDTH - 1:0]  item   = {in_valid, in_element, in_x, in_first, in_out_fp32, in_state};
    wire [IN_WIDTH - 1:0]  a      = now ? item : other_a;
    reg  [IN_WIDTH - 1:0]  item_q;
    always @(posedge clk) if (now) item_q <= item;
    wire [IN_WIDTH - 1:0]  held   = now ? item : item_q;
    // stalled at the door, it waits there
    wire [IN_WIDTH - 1:0]  b      = now || (STALL == 0 && cycle_q == 1 + PAUSE) ? held : other_b;

    wire               a_valid, b_valid, a_first, b_first, a_out_fp32, b_out_fp32;
    wire [1:0]         a_element, b_element;
    wire [X_WIDTH-1:0] a_x, b_x;
    wire [STATE_WIDTH - 1:0] a_state, b_state;
    assign {a_valid, a_element, a_x, a_first, a_out_fp32, a_state} = a;
    assign {b_valid, b_element, b_x, b_first, b_out_fp32, b_state} = b;

    // ---- finalizers ---------------------------------------------------------------------------------------------------
    wire        word_a_valid, word_b_valid;
    wire [31:0] word_a, word_b;
    moehub_finalize #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS)) u_finalize_a (
        .clk(clk), .rst(rst), .enable(1'b1), .in_valid(a_valid), .in_element(a_element), .in_out_fp32(a_out_fp32),
        .in_state(a_state), .out_valid(word_a_valid), .out_word(word_a)
    );
    moehub_finalize #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS)) u_finalize_b (
        .clk(clk), .rst(rst), .enable(!stalls), .in_valid(b_valid), .in_element(b_element), .in_out_fp32(b_out_fp32),
        .in_state(b_state), .out_valid(word_b_valid), .out_word(word_b)
    );
    reg [32:0] word_q; // of the one that never stalls
    always @(posedge clk) if (cycle_q == 1 + LATENCY) word_q <= {word_a_valid, word_a};
    wire [32:0] word = cycle_q == 1 + LATENCY ? {word_a_valid, word_a} : word_q;

    // ---- lanes: the stored state comes a cycle after the element ------------------------------------------------------
    wire                     sum_a_valid, sum_b_valid;
    wire [STATE_WIDTH - 1:0] sum_a, sum_b;
    (* anyseq *) wire [STATE_WIDTH - 1:0] its_state;
    wire                     next = cycle_q == 4'd2;
    moehub_accumulate #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .BYPASS(0)) u_accumulate_a (
        .clk(clk), .rst(rst), .in_valid(a_valid), .in_element(a_element), .in_x(a_x), .in_first(a_first), .in_forward(2'd0),
        .state_rdata(next ? its_state : a_state), .out_valid(sum_a_valid), .out_state(sum_a)
    );
    moehub_accumulate #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .BYPASS(0)) u_accumulate_b (
        .clk(clk), .rst(rst), .in_valid(now ? in_valid : b_valid), .in_element(now ? in_element : b_element),
        .in_x(now ? in_x : b_x), .in_first(now ? in_first : b_first), .in_forward(2'd0),
        .state_rdata(next ? its_state : b_state), .out_valid(sum_b_valid), .out_state(sum_b)
    );
    wire its_valid = item_q[IN_WIDTH - 1];

    always @* begin
        result_alone: assert (cycle_q != END || (word == {word_b_valid, word_b} && word_b_valid == its_valid));
        sum_alone:    assert (cycle_q != 4'd3 || (sum_a == sum_b && sum_a_valid == its_valid && sum_b_valid == its_valid));
    end
    always @* begin
        word_given: cover (cycle_q == END && word_b_valid && word_b != 32'd0);
        sum_given:  cover (cycle_q == 4'd3 && sum_a_valid && sum_a[STATE_WIDTH - 3 -: 5] == 5'd2);
    end
endmodule
`default_nettype wire
