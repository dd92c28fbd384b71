// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_command: what commands set is driven by the harness, at once and at any time.
// command_valid: hold; command_data: the timeout; command_operation[0]: draining. No FLUSH.
`default_nettype none
module moehub_reduction_command (
    input  wire        clk,
    input  wire        rst,
    input  wire        initialised,
    input  wire        command_valid,
    output wire        command_ready,
    input  wire [3:0]  command_operation,
    input  wire [31:0] command_data,
    output wire        command_done,
    output wire        command_refused,
    output wire        hold,
    input  wire        empty,
    output wire        draining,
    output wire [31:0] timeout,
    output wire        refill,
    input  wire        refill_busy,
    output wire        error_valid,
    output wire [3:0]  error_operation
);
    assign command_ready   = 1'b0;
    assign command_done    = 1'b0;
    assign command_refused = 1'b0;
    assign hold            = command_valid;
    assign draining        = command_operation[0];
    assign timeout         = command_data;
    assign refill          = 1'b0;
    assign error_valid     = 1'b0;
    assign error_operation = 4'd0;
endmodule
`default_nettype wire
