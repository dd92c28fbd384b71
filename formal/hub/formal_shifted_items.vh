// SPDX-License-Identifier: Apache-2.0
// In place of moehub_memory_fifo (LANDING 0): its contract in the fewest states. Items leave in their order; what entered two
// cycles ago or earlier shows, what is younger may not: then the output is anything. That the FIFO keeps this:
// formal_memory_fifo.v. Of more than 16 items one is kept, which a harness marks as it enters; the others are anything.

    reg  [$clog2(DEPTH + 1) - 1:0] inside_q  = 0;
    reg  [$clog2(DEPTH + 1) - 1:0] visible_q = 0; // entered two cycles ago or earlier
    wire [WIDTH - 1:0] any_data  = $anyseq;
    wire [WIDTH - 1:0] shown;    // the oldest item
    wire               leaves    = out_valid && out_ready;
    wire [$clog2(DEPTH + 1) - 1:0] stay = inside_q - (leaves ? 1 : 0);
    always @(posedge clk) begin
        inside_q  <= rst ? 0 : stay + (in_valid ? 1 : 0);
        visible_q <= rst ? 0 : stay;
    end
    generate
        if (DEPTH <= 16) begin : g_all
            reg  [DEPTH * WIDTH - 1:0] items_q; // the oldest lowest
            integer i;
            always @(posedge clk) begin
                if (leaves) items_q <= items_q >> WIDTH;
                for (i = 0; i < DEPTH; i = i + 1) if (in_valid && stay == i) items_q[i * WIDTH +: WIDTH] <= in_data;
            end
            assign shown = items_q[WIDTH - 1:0];
        end else begin : g_marked
            wire mark = $anyseq;
            reg  marked_q = 1'b0; // it is inside
            reg  [$clog2(DEPTH + 1) - 1:0] ahead_q;
            reg  [WIDTH - 1:0]    item_q;
            always @(posedge clk) begin
                if (in_valid && mark) begin
                    marked_q <= 1'b1;
                    ahead_q  <= stay;
                    item_q   <= in_data;
                end else if (leaves) begin
                    if (ahead_q == 0) marked_q <= 1'b0;
                    ahead_q <= ahead_q - 1;
                end
                if (rst) marked_q <= 1'b0;
            end
            assign shown = marked_q && ahead_q == 0 ? item_q : any_data;
        end
    endgenerate
    assign out_valid    = visible_q != 0;
    assign out_data     = out_valid ? shown : any_data;
    assign empty        = inside_q == 0;
    assign parity_error = 1'b0;
