// SPDX-License-Identifier: Apache-2.0
// In place of moehub_multiply_add in the proofs of the whole address path: the same sum (formal_multiply_add.v), two cycles after
// its operands instead of four, so that a bounded proof sees more of the path. Nothing beside it counts on the latency: what
// goes round it waits in FIFOs or memories.

    reg [1:0]              valid_q;
    reg [SIDE_WIDTH - 1:0] side_1_q, side_2_q;
    reg [SUM_WIDTH - 1:0]  product_q, sum_q;
    always @(posedge clk) begin
        valid_q   <= rst ? 2'd0 : {valid_q[0], in_valid};
        side_1_q  <= in_side;
        side_2_q  <= side_1_q;
        product_q <= in_a * in_b;
        sum_q     <= product_q + late_c + late_d;
    end
    assign out_valid = valid_q[1];
    assign out_side  = side_2_q;
    assign out_sum   = sum_q;
