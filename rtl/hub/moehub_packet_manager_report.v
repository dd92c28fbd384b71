// SPDX-License-Identifier: Apache-2.0
// Purpose: events of the packet manager, flags of contexts, and the candidate for the error latch (doc/hub/packet_manager.md
//   section 8).
// Contract:
//   1. All outputs come one cycle later. events have the numbers of MOEHUB_PACKET_MANAGER_EVENT_*; 0 and those of
//      reduces are 0.
//   2. error_*: of a row that was refused, or else of a store.
// Cost: a register for each output.
// Proved: formal/hub/formal_packet_manager_report.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"

module moehub_packet_manager_report #(
    parameter CONTEXTS        = 4, // 1..8
    parameter ROW_INDEX_WIDTH = 20 // 1..32
) (
    input  wire                                        clk,
    input  wire                                        rst,
    input  wire                                        refused,
    input  wire [2:0]                                  refused_context,
    input  wire [31:0]                                 refused_row_index,
    input  wire [3:0]                                  refused_status,
    input  wire                                        opened,
    input  wire                                        left,
    input  wire                                        closed,
    input  wire [`MOEHUB_STORE_STEP_EVENTS_WIDTH - 1:0] step,
    input  wire                                        step_fails,
    input  wire [2:0]                                  step_context,
    input  wire [ROW_INDEX_WIDTH - 1:0]                step_row_index,
    input  wire [15:0]                                 step_handle,
    input  wire [15:0]                                 step_offset,
    input  wire [2:0]                                  hand_made, // the row ended, timer, room
    input  wire                                        waits_entry,
    output wire [CONTEXTS - 1:0]                       failed,
    output wire [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0]  events,
    output wire                                        error_valid,
    output wire [4:0]                                  error_cause,
    output wire [127:0]                                error_header
);
    wire stores;
    wire handle;
    wire range;
    wire aborted;
    wire rewritten;
    wire whole;
    wire packets_whole;
    wire packets_part;
    wire waits_slot;
    wire waits_line;
    assign `MOEHUB_STORE_STEP_EVENTS(stores, handle, range, aborted, rewritten, whole, packets_whole, packets_part, waits_slot,
        waits_line) = step;

    reg [CONTEXTS - 1:0]                      failed_q;
    reg [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0] events_q;
    reg                                       error_valid_q;
    reg [4:0]                                 error_cause_q;
    reg [127:0]                               error_header_q;
    assign failed       = failed_q;
    assign events       = events_q;
    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;

    wire [7:0]   flags = step_fails ? 8'd1 << step_context : 8'd0;
    wire         unused_flags = &{1'b0, flags};
    reg  [127:0] header;
    always @* begin
        header = 128'd0;
        if (refused) begin
            header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = refused_context;
            header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = refused_row_index;
            header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]       = refused_status;
        end else begin
            header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH] = step_offset;
            header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]       = {8'd0, step_handle};
            if (!handle) begin
                header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = step_context;
                header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] =
                    {{(32 - ROW_INDEX_WIDTH){1'b0}}, step_row_index};
            end
        end
    end

    always @(posedge clk) begin
        failed_q <= flags[CONTEXTS - 1:0];
        events_q <= {`MOEHUB_PACKET_MANAGER_EVENTS{1'b0}};
        events_q[`MOEHUB_PACKET_MANAGER_CAUSE_ROW]                 <= refused;
        events_q[`MOEHUB_PACKET_MANAGER_CAUSE_HANDLE]              <= handle;
        events_q[`MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE]         <= range;
        events_q[`MOEHUB_PACKET_MANAGER_CAUSE_ABORTED]             <= aborted;
        events_q[`MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN]           <= rewritten;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED]         <= opened;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT]           <= left;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_STORES]              <= stores;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_LINES_WHOLE]         <= whole;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE]       <= packets_whole;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART]        <= packets_part;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_CLOSES]              <= closed;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_LINES_TIMER]         <= hand_made[1];
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_LINES_ROOM]          <= hand_made[2];
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_LINES_ROW_END]       <= hand_made[0];
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_ROW_STALLED]         <= waits_entry;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_STORE_NO_SLOT]       <= waits_slot;
        events_q[`MOEHUB_PACKET_MANAGER_EVENT_STORE_LINE_STALLED]  <= waits_line;
        error_valid_q  <= refused || handle || range || aborted || rewritten;
        error_cause_q  <= refused ? 5'd`MOEHUB_PACKET_MANAGER_CAUSE_ROW : handle ? 5'd`MOEHUB_PACKET_MANAGER_CAUSE_HANDLE
            : range ? 5'd`MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE : aborted ? 5'd`MOEHUB_PACKET_MANAGER_CAUSE_ABORTED
            : 5'd`MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN;
        error_header_q <= header;
        if (rst) begin
            failed_q      <= {CONTEXTS{1'b0}};
            events_q      <= {`MOEHUB_PACKET_MANAGER_EVENTS{1'b0}};
            error_valid_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
