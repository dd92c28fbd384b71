// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_command: what commands set is driven by the harness, at once and at any time.
// command_valid: hold; command_data: the timeout; command_operation[0]: draining. No FLUSH.

    assign command_ready   = 1'b0;
    assign command_done    = 1'b0;
    assign command_refused = 1'b0;
    assign hold            = command_valid;
    assign draining        = command_operation[0];
    assign timeout         = command_data;
    assign refill          = 1'b0;
    assign command_error_valid = 1'b0;
    assign command_error       = 0;
