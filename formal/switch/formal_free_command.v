// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_command: what commands set is driven by the harness, at once and at any time.
// command_valid: hold; command_data: the timeout; command_operation[0]: draining. No FLUSH.
`default_nettype none
`include "moehub_reduction.vh"
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
    output wire        command_error_valid,
    output wire [`MOEHUB_ERROR_WIDTH - 1:0] command_error
);
    assign command_ready   = 1'b0;
    assign command_done    = 1'b0;
    assign command_refused = 1'b0;
    assign hold            = command_valid;
    assign draining        = command_operation[0];
    assign timeout         = command_data;
    assign refill          = 1'b0;
    assign command_error_valid = 1'b0;
    assign command_error       = 0;
endmodule
`default_nettype wire
