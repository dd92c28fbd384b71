// SPDX-License-Identifier: Apache-2.0
// The rules of a stream as assumptions: on an input of the block under proof.
`default_nettype none
module formal_stream_assume #(
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
        assume (holds_valid);
        assume (holds_data);
        assume (quiet_reset);
    end
endmodule
`default_nettype wire
