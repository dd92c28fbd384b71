// SPDX-License-Identifier: Apache-2.0
// In place of moehub_accumulate: same ports, same cycles, but the state is the sum of the elements' lowest two bits, modulo 4.

    localparam STATE_WIDTH = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    reg       valid_q, valid_2_q, first_q;
    reg [1:0] forward_q, x_q, sum_q, sum_2_q;
    wire [1:0] before = first_q ? 2'd0 : forward_q == 2'd1 ? sum_q : forward_q == 2'd2 ? sum_2_q : state_rdata[1:0];
    always @(posedge clk) begin
        valid_q   <= in_valid;
        valid_2_q <= valid_q;
        first_q   <= in_first;
        forward_q <= in_forward;
        x_q       <= in_x[1:0];
        sum_q     <= before + x_q;
        sum_2_q   <= sum_q;
    end
    assign out_valid = valid_2_q;
    assign out_state = {{(STATE_WIDTH - 2){1'b0}}, sum_q};
