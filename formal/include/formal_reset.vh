// SPDX-License-Identifier: Apache-2.0
// The first cycle is reset, from any state; later ones may be. started_q is low in the first cycle, reset_q is high in the
// cycle after a reset.
    reg started_q = 1'b0;
    reg reset_q   = 1'b0;
    always @(posedge clk) begin
        started_q <= 1'b1;
        reset_q   <= rst;
    end
    always @* if (!started_q) assume (rst);
