// SPDX-License-Identifier: Apache-2.0
// Purpose: knows what a group of entries still waits for, and gives it back to the free list when that is nothing
//   (plane/groups.md sections 2 and 3).
// Contract:
//   1. A group is in use from the cycle after that in which its grant was taken (granted_*) until freed_*. It waits for each
//      of its asked lines (line_done_*: the result was taken), with WITH_RELEASE for `released`, with QUARANTINE, once an
//      entry of it has timed out, for the end of its quarantine.
//   2. What comes last frees it, once: freed_* comes one cycle later. Without all three, with one line a group, it comes with
//      line_done_*.
//   3. One of them is heard in a cycle: a line that is done never waits, `released` waits for the end of a quarantine, too.
//   4. A `released` for a group that is in no use, or was released before, changes nothing. Without WITH_RELEASE
//      released_ready stays low.
//   5. No quarantine ends while missing_waits is high: its group's numbers are still to be looked up.
// Cost: ENTRIES + 2 * GROUPS flops, and a multiplexer of a group's.
// Limits: released_ready is a gate of registers.
// Proved: formal/switch/formal_reduction_groups.v, formal_reduction_quarantine.v
`default_nettype none
`include "moehub_width.vh"

module moehub_reduction_groups #(
    parameter ENTRIES       = 107,
    parameter REQUEST_LINES = 1,
    parameter QUARANTINE    = 0,
    parameter WITH_RELEASE  = 0
) (
    input  wire clk,
    input  wire rst,

    input  wire                                                      granted_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] granted_group,
    input  wire [2:0]                                                granted_lines_less_1,

    input  wire                                      line_done_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] line_done_entry,

    input  wire        released_valid,
    output wire        released_ready,
    input  wire [15:0] released_entry,

    input  wire                                                             timed_out_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                        timed_out_entry,
    output wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES)) - 1:0] is_quarantined,
    input  wire                                                             quarantine_over_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0]        quarantine_over_group,
    input  wire                                                             missing_waits,

    output wire                                                      freed_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] freed_group
);
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = `MOEHUB_INDEX_WIDTH(GROUPS);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam LINE_BITS   = $clog2(REQUEST_LINES); // none for one line
    localparam [16:0] ENTRIES_17 = ENTRIES[16:0];
    localparam [2:0]  LINE_MASK  = REQUEST_LINES[2:0] - 3'd1; // of an entry's number
    localparam [7:0]  LINE_0     = 8'd1;

    generate
        if (REQUEST_LINES == 1 && QUARANTINE == 0 && WITH_RELEASE == 0) begin : g_at_once
            wire unused_inputs = &{
                1'b0, clk, rst, granted_valid, granted_group, granted_lines_less_1, released_valid, released_entry,
                timed_out_valid, timed_out_entry, quarantine_over_valid, quarantine_over_group, missing_waits
            };

            assign released_ready = 1'b0;
            assign is_quarantined = 0;
            assign freed_valid    = line_done_valid;
            assign freed_group    = line_done_entry;
        end else begin : g_flags
            // Entries' numbers, with zeros above: a group's number may have one bit more than is left of them.
            wire [16:0]              done_wide     = {{(17 - ENTRY_WIDTH){1'b0}}, line_done_entry};
            wire [16:0]              late_wide     = {{(17 - ENTRY_WIDTH){1'b0}}, timed_out_entry};
            wire [16:0]              released_wide = {1'b0, released_entry};
            wire [GROUP_WIDTH - 1:0] late_group    = late_wide[LINE_BITS +: GROUP_WIDTH];

            // ---- the end of a quarantine waits here for its cycle --------------------------------------------------------
            // Only while the group is in quarantine, and never a second one: so none is heard twice. It is forgotten when another
            // line of the group times out meanwhile.
            reg                     over_valid_q;
            reg [GROUP_WIDTH - 1:0] over_group_q;
            reg                     ready_q;

            wire                     hears_over     = over_valid_q && !line_done_valid;
            wire                     hears_released = released_valid && released_ready;
            wire                     releases; // of a group in use, for the first time
            wire [GROUP_WIDTH - 1:0] over_group = over_valid_q ? over_group_q : quarantine_over_group;
            wire                     again      = timed_out_valid && late_group == over_group;

            always @(posedge clk) begin
                ready_q <= WITH_RELEASE != 0;
                over_valid_q <= !again && (over_valid_q ? line_done_valid
                    : quarantine_over_valid && is_quarantined[quarantine_over_group] && !missing_waits);
                over_group_q <= over_group;
                if (rst) begin
                    ready_q      <= 1'b0;
                    over_valid_q <= 1'b0;
                end
            end

            assign released_ready = ready_q && !line_done_valid && !over_valid_q;

            // ---- the group that is heard of ------------------------------------------------------------------------------
            wire [GROUP_WIDTH - 1:0] released_group = released_wide[LINE_BITS +: GROUP_WIDTH];
            wire [GROUP_WIDTH - 1:0] heard_group    = line_done_valid ? done_wide[LINE_BITS +: GROUP_WIDTH]
                : over_valid_q ? over_group_q : released_group;
            wire                     unused_entries = &{1'b0, done_wide, late_wide};

            // ---- what it waits for -----------------------------------------------------------------------------------------
            wire [(1 << ENTRY_WIDTH) - 1:0] is_asked;
            wire [(1 << GROUP_WIDTH) - 1:0] is_copied;

            moehub_reduction_flags #(.ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES)) u_asked (
                .clk(clk), .rst(rst),
                .set_valid(granted_valid), .set_group(granted_group), .set_lines_less_1(granted_lines_less_1),
                .clear_a_valid(line_done_valid), .clear_a_entry(line_done_entry),
                .clear_b_valid(1'b0), .clear_b_entry({ENTRY_WIDTH{1'b0}}), .flags(is_asked)
            );

            moehub_reduction_flags #(.ENTRIES(GROUPS)) u_copied (
                .clk(clk), .rst(rst),
                .set_valid(granted_valid && WITH_RELEASE != 0), .set_group(granted_group), .set_lines_less_1(3'd0),
                .clear_a_valid(releases), .clear_a_entry(released_group),
                .clear_b_valid(1'b0), .clear_b_entry({GROUP_WIDTH{1'b0}}), .flags(is_copied)
            );

            moehub_reduction_flags #(.ENTRIES(GROUPS)) u_quarantined (
                .clk(clk), .rst(rst), .set_valid(timed_out_valid && QUARANTINE != 0),
                .set_group(late_group), .set_lines_less_1(3'd0),
                .clear_a_valid(hears_over), .clear_a_entry(over_group_q),
                .clear_b_valid(1'b0), .clear_b_entry({GROUP_WIDTH{1'b0}}), .flags(is_quarantined)
            );

            assign releases = hears_released && released_wide < ENTRIES_17 && is_copied[released_group];

            // ---- is it the last ------------------------------------------------------------------------------------------
            wire [ENTRY_WIDTH:0]       first       = {
                {(ENTRY_WIDTH + 1 - GROUP_WIDTH - LINE_BITS){1'b0}}, heard_group, {LINE_BITS{1'b0}}
            };
            wire [REQUEST_LINES - 1:0] asked       = is_asked[first[ENTRY_WIDTH - 1:0] +: REQUEST_LINES];
            wire [7:0]                 done_line   = line_done_valid ? LINE_0 << (done_wide[2:0] & LINE_MASK) : 8'd0;
            wire                       unused_line = &{1'b0, first, done_line};
            wire                       lines_left  = |(asked & ~done_line[REQUEST_LINES - 1:0]);
            wire                       copies_left = is_copied[heard_group] && !releases;
            wire                       held        = is_quarantined[heard_group] && !hears_over;

            reg                     freed_valid_q;
            reg [GROUP_WIDTH - 1:0] freed_group_q;

            always @(posedge clk) begin
                freed_valid_q <= (line_done_valid || hears_over || releases) && !lines_left && !copies_left && !held;
                freed_group_q <= heard_group;
                if (rst) freed_valid_q <= 1'b0;
            end

            assign freed_valid = freed_valid_q;
            assign freed_group = freed_group_q;
        end
    endgenerate
endmodule

`default_nettype wire
