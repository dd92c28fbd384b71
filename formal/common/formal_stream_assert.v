// SPDX-License-Identifier: Apache-2.0
// The rules of a stream as assertions: on an output of the block under proof.
`default_nettype none
module formal_stream_assert #(
    parameter WIDTH = 1
) (
    input wire               clk,
    input wire               rst,
    input wire               valid,
    input wire               ready,
    input wire [WIDTH - 1:0] data
);
`include "formal_stream_rules.vh"

    always @* begin
        valid_held:  assert (holds_valid);
        data_stable: assert (holds_data);
        reset_quiet: assert (quiet_reset);
    end
    always @* taken_late: cover (stalled_q && valid && ready);
endmodule
`default_nettype wire
