// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_report: what happened in a cycle is told in the next: each event, the context that fails, and of the
// offenders the one with the smallest cause, with the fields that the page says of that cause.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
module formal_packet_manager_report #(
    parameter CONTEXTS        = 3,
    parameter ROW_INDEX_WIDTH = 20
) (
    input wire                                         clk,
    input wire                                         rst,
    input wire                                         refused,
    input wire [2:0]                                   refused_context,
    input wire [31:0]                                  refused_row_index,
    input wire [3:0]                                   refused_status,
    input wire                                         opened,
    input wire                                         left,
    input wire                                         closed,
    input wire                                         stores,
    input wire                                         handle,
    input wire                                         range,
    input wire                                         aborted,
    input wire                                         rewritten,
    input wire                                         whole,
    input wire                                         packets_whole,
    input wire                                         packets_part,
    input wire                                         waits_slot,
    input wire                                         waits_line,
    input wire                                         step_fails,
    input wire [2:0]                                   step_context,
    input wire [ROW_INDEX_WIDTH - 1:0]                 step_row_index,
    input wire [15:0]                                  step_handle,
    input wire [15:0]                                  step_offset,
    input wire                                         by_row_end,
    input wire                                         by_timer,
    input wire                                         by_room,
    input wire                                         waits_entry
);
`include "formal_reset.vh"
    wire [CONTEXTS - 1:0]                     failed;
    wire [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0] events;
    wire                                      error_valid;
    wire [4:0]                                error_cause;
    wire [127:0]                              error_header;
    moehub_packet_manager_report #(.CONTEXTS(CONTEXTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)) u_report (
        .clk(clk), .rst(rst), .refused(refused), .refused_context(refused_context), .refused_row_index(refused_row_index),
        .refused_status(refused_status), .opened(opened), .left(left), .closed(closed),
        .step(`MOEHUB_STORE_STEP_EVENTS(stores, handle, range, aborted, rewritten, whole, packets_whole, packets_part, waits_slot,
            waits_line)),
        .step_fails(step_fails), .step_context(step_context), .step_row_index(step_row_index), .step_handle(step_handle),
        .step_offset(step_offset), .hand_made({by_room, by_timer, by_row_end}), .waits_entry(waits_entry), .failed(failed),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    // The numbers of the page, section 8.
    wire [26:0] happened = {2'b00, waits_line, waits_slot, waits_entry, by_row_end, by_room, by_timer, 5'd0, closed, packets_part,
        packets_whole, whole, stores, left, opened, 1'b0, rewritten, aborted, range, handle, refused, 1'b0};
    wire        of_store = handle || range || aborted || rewritten;
    reg  [4:0]  cause;
    integer     i;
    always @* begin
        cause = 5'd0;
        for (i = 5; i >= 1; i = i - 1) if (happened[i]) cause = i;
    end
    reg  [26:0]  happened_q = 27'd0;
    reg  [4:0]   cause_q    = 5'd0; // 0: there is no offender
    reg          fails_q    = 1'b0;
    reg  [2:0]   context_q;         // of the offender, and so on
    reg  [2:0]   fails_context_q;
    reg  [31:0]  row_index_q;
    reg  [3:0]   status_q;
    reg  [15:0]  handle_q;
    reg  [15:0]  offset_q;
    reg          both_q     = 1'b0; // a row was refused and a store dropped
    wire         of_row = cause == 5'd1;
    always @(posedge clk) begin
        happened_q      <= rst ? 27'd0 : happened;
        cause_q         <= rst ? 5'd0 : cause;
        fails_q         <= step_fails && !rst;
        fails_context_q <= step_context;
        context_q       <= of_row ? refused_context : cause == 5'd2 ? 3'd0 : step_context;
        row_index_q     <= of_row ? refused_row_index : cause == 5'd2 ? 32'd0 : step_row_index;
        status_q        <= of_row ? refused_status : 4'd0;
        handle_q        <= of_row ? 16'd0 : step_handle;
        offset_q        <= of_row ? 16'd0 : step_offset;
        both_q          <= refused && of_store && !rst;
    end
    wire [7:0]   failed_8 = failed;
    reg  [127:0] rest; // of the header
    always @* begin
        rest = error_header;
        rest[`MOEHUB_HEADER_CONTEXT_LSB +: 3]     = 3'd0;
        rest[`MOEHUB_HEADER_ROW_INDEX_LSB +: 32]  = 32'd0;
        rest[`MOEHUB_HEADER_STATUS_LSB +: 4]      = 4'd0;
        rest[`MOEHUB_HEADER_OFFSET_LSB +: 16]     = 16'd0;
        rest[`MOEHUB_HEADER_TAG_LSB +: 16]        = 16'd0;
    end

    always @* if (started_q) begin
        counted:      assert (events == happened_q);
        flags:        assert (failed_8 == (fails_q ? (8'd1 << fails_context_q) & 8'hff >> (8 - CONTEXTS) : 8'd0));
        told:         assert (error_valid == (cause_q != 5'd0));
        smallest:     assert (cause_q == 5'd0 || error_cause == cause_q);
        its_context:  assert (cause_q == 5'd0 || error_header[`MOEHUB_HEADER_CONTEXT_LSB +: 3] == context_q);
        its_row:      assert (cause_q == 5'd0 || error_header[`MOEHUB_HEADER_ROW_INDEX_LSB +: 32] == row_index_q);
        its_status:   assert (cause_q == 5'd0 || error_header[`MOEHUB_HEADER_STATUS_LSB +: 4] == status_q);
        its_offset:   assert (cause_q == 5'd0 || error_header[`MOEHUB_HEADER_OFFSET_LSB +: 16] == offset_q);
        its_handle:   assert (cause_q == 5'd0 || error_header[`MOEHUB_HEADER_TAG_LSB +: 16] == handle_q);
        nothing_else: assert (cause_q == 5'd0 || rest == 128'd0);
    end
    always @* begin
        fails:  cover (started_q && fails_q && failed[CONTEXTS - 1]);
        of_two: cover (started_q && both_q && error_valid && happened_q[3]);
        by_row: cover (started_q && cause_q == 5'd1);
        stored: cover (started_q && cause_q == 5'd5 && row_index_q[0]);
        nobody: cover (started_q && cause_q == 5'd2 && (&handle_q));
    end
endmodule
`default_nettype wire
