// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_timeout: an open entry may expire in any cycle; four cycles later it has timed out, unless
// a partial completed it meanwhile. That the real one does nothing else is proved in formal_reduction_timeout (decides).

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    (* anyseq *) wire                     fires;
    (* anyseq *) wire [ENTRY_WIDTH - 1:0] which;
    assign expire_valid = fires && timeout != 32'd0 && is_open[which];
    assign expire_entry = which;

    reg [3:0]                   valid_q;
    reg [4 * ENTRY_WIDTH - 1:0] entry_q;
    integer i;
    always @(posedge clk) begin
        valid_q[0] <= expire_valid && !(completed_valid && completed_entry == which);
        entry_q    <= {entry_q[3 * ENTRY_WIDTH - 1:0], which};
        for (i = 1; i < 4; i = i + 1)
            valid_q[i] <= valid_q[i - 1]
                && !(completed_valid && completed_entry == entry_q[(i - 1) * ENTRY_WIDTH +: ENTRY_WIDTH]);
        if (rst) valid_q <= 4'd0;
    end
    assign quarantine_over_valid = 1'b0;
    assign quarantine_over_group = 0;
    assign parity_error    = 1'b0;
    assign timed_out_error = 0;
    assign timed_out_valid = valid_q[3];
    assign timed_out_entry = entry_q[3 * ENTRY_WIDTH +: ENTRY_WIDTH];
