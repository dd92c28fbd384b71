// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_free_list: ready in the cycle after reset, gives any entry that is free, with the number of
// its uses as generation (formal_reduction_free_list: not_twice, generations).

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    (* anyseq *) wire [ENTRY_WIDTH - 1:0] which;
    reg                           initialised_q;
    reg  [ENTRIES - 1:0]          out_q;
    reg  [GENERATION_WIDTH - 1:0] uses_q [0:ENTRIES - 1];
    integer i;
    always @* assume (which < ENTRIES && (!out_q[which] || &out_q));
    always @(posedge clk) begin
        initialised_q <= 1'b1;
        if (freed_valid) out_q[freed_entry] <= 1'b0;
        if (take) begin
            out_q[which]  <= 1'b1;
            uses_q[which] <= uses_q[which] + 1'b1;
        end
        if (rst) begin
            initialised_q <= 1'b0;
            out_q         <= {ENTRIES{1'b0}};
            for (i = 0; i < ENTRIES; i = i + 1) uses_q[i] <= {GENERATION_WIDTH{1'b0}};
        end
    end
    assign parity_error    = 2'd0;
    assign initialised     = initialised_q;
    assign refill_busy     = 1'b0;
    assign head_valid      = !(&out_q);
    assign head_entry      = which;
    assign head_generation = uses_q[which];
