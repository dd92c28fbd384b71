// SPDX-License-Identifier: Apache-2.0
// In place of moehub_memory_fifo (LANDING 0): its contract in the fewest states. Items leave in their order; what entered two
// cycles ago or earlier shows, what is younger may not: then the output is anything. That the FIFO keeps this:
// formal_memory_fifo.v.

    reg  [DEPTH * WIDTH - 1:0]   items_q; // the oldest lowest
    reg  [$clog2(DEPTH + 1) - 1:0] inside_q  = 0;
    reg  [$clog2(DEPTH + 1) - 1:0] visible_q = 0; // entered two cycles ago or earlier
    wire [WIDTH - 1:0] any_data  = $anyseq;
    wire               leaves    = out_valid && out_ready;
    wire [$clog2(DEPTH + 1) - 1:0] stay = inside_q - (leaves ? 1 : 0);
    integer            i;
    always @(posedge clk) begin
        if (leaves) items_q <= items_q >> WIDTH;
        for (i = 0; i < DEPTH; i = i + 1) if (in_valid && stay == i) items_q[i * WIDTH +: WIDTH] <= in_data;
        inside_q  <= rst ? 0 : stay + (in_valid ? 1 : 0);
        visible_q <= rst ? 0 : stay;
    end
    assign out_valid    = visible_q != 0;
    assign out_data     = out_valid ? items_q[WIDTH - 1:0] : any_data;
    assign empty        = inside_q == 0;
    assign parity_error = 1'b0;
