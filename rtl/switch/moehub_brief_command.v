// SPDX-License-Identifier: Apache-2.0
// Purpose: one command at a time, of those that only set registers (doc/plane/switch.md section 8).
// Contract:
//   1. A command takes effect when it is taken: `take` is high in that cycle, command_good says then whether it is accepted.
//   2. command_done comes DONE = 4 cycles after `take`, with command_refused if it was not.
// Cost: one command every 5 cycles.
// Limits: combinational from command_valid to take.
`default_nettype none

module moehub_brief_command (
    input  wire clk,
    input  wire rst,
    input  wire command_valid,
    output wire command_ready,
    output wire command_done,
    output wire command_refused,
    output wire take,
    input  wire command_good
);
    reg       ready_q;
    reg [2:0] under_way_q; // one after the other, until done
    reg       done_q;
    reg       refused_q;

    assign command_ready   = ready_q;
    assign command_done    = done_q;
    assign command_refused = refused_q;
    assign take            = command_valid && ready_q;

    always @(posedge clk) begin
        ready_q     <= !take && !(|under_way_q);
        under_way_q <= {under_way_q[1:0], take};
        done_q      <= under_way_q[2];
        if (take) refused_q <= !command_good;
        if (rst) begin
            ready_q     <= 1'b0;
            under_way_q <= 3'd0;
            done_q      <= 1'b0;
        end
    end
endmodule

`default_nettype wire
