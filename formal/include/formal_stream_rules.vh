// SPDX-License-Identifier: Apache-2.0
// What every stream obeys (rtl/README.md, rules 3 and 4), told from its source; body of formal_stream_assume and
// formal_stream_assert. The wires are low when the rule is broken in this cycle.
    reg                 reset_q   = 1'b0; // the cycle before was reset
    reg                 stalled_q = 1'b0; // an item was offered in the cycle before and not taken
    reg [WIDTH - 1:0]   data_q;
    always @(posedge clk) begin
        reset_q   <= rst;
        stalled_q <= !rst && valid && !ready;
        data_q    <= data;
    end

    wire holds_valid  = !stalled_q || valid;
    wire holds_data   = !stalled_q || data == data_q;
    wire quiet_reset  = !reset_q || !valid;
