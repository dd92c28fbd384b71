// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_buffer: one that nobody uses, as there are stores only.

    assign initialised      = !rst;
    assign empty            = 1'b1;
    assign draining         = 1'b0;
    assign occupancy        = 16'd0;
    assign reserve_ready    = 1'b0;
    assign grant_valid      = 1'b0;
    assign grant_status     = 4'd0;
    assign grant_entry      = 16'd0;
    assign grant_generation = 8'd0;
    assign partial_ready    = 1'b1;
    assign result_valid     = 1'b0;
    assign result_requester = 10'd0;
    assign result_tag       = 0;
    assign result_status    = 4'd0;
    assign result_element   = 2'd0;
    assign result_length    = 10'd0;
    assign result_entry     = 16'd0;
    assign result_data      = 0;
    assign result_last      = 1'b0;
    assign released_ready   = 1'b0;
    assign command_ready    = 1'b0;
    assign command_done     = 1'b0;
    assign command_refused  = 1'b0;
    assign timeout_valid    = 1'b0;
    assign timeout_entry    = 16'd0;
    assign group_timeout    = 32'd0;
    assign freed_valid      = 1'b0;
    assign freed_entry      = 16'd0;
    assign missing_valid    = 1'b0;
    assign missing_ports    = 0;
    assign events           = 0;
    assign error_valid      = 1'b0;
    assign error_cause      = 5'd0;
    assign error_header     = 128'd0;
    assign error_port       = 6'd0;
