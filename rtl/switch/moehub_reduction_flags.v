// SPDX-License-Identifier: Apache-2.0
// Purpose: one flag per entry, in flops because three places change it in one cycle.
// Contract: set is of the first lines of a group, clear of one entry; set wins over clear; all flags are low after reset;
//   those beyond ENTRIES read low.
// Cost: ENTRIES flops and three decoders.
// Proved: formal/switch/formal_reduction_check.v, formal_reduction_groups.v
`default_nettype none
`include "moehub_width.vh"

module moehub_reduction_flags #(
    parameter ENTRIES       = 107,
    parameter REQUEST_LINES = 1 // entries of a group: 1, 2, 4, 8
) (
    input  wire                                                      clk,
    input  wire                                                      rst,
    input  wire                                                      set_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES / REQUEST_LINES) - 1:0] set_group,
    input  wire [2:0]                                                set_lines_less_1,
    input  wire                                                      clear_a_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                 clear_a_entry,
    input  wire                                                      clear_b_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]                 clear_b_entry,
    output wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES)) - 1:0]          flags
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam LINE_BITS   = $clog2(REQUEST_LINES);
    localparam [ENTRIES - 1:0] NONE    = 0;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;

    // The lines of group 0; set_lines_less_1 is below REQUEST_LINES.
    wire [ENTRIES + 7:0] first_lines  = {{ENTRIES{1'b0}}, ~(8'hfe << set_lines_less_1)};
    wire [ENTRIES - 1:0] lines        = first_lines[ENTRIES - 1:0];
    wire                 unused_lines = &{1'b0, first_lines[ENTRIES +: 8]};

    reg  [ENTRIES - 1:0] flags_q;
    wire [ENTRIES - 1:0] set     = set_valid ? lines << {set_group, {LINE_BITS{1'b0}}} : NONE;
    wire [ENTRIES - 1:0] clear_a = clear_a_valid ? ENTRY_0 << clear_a_entry : NONE;
    wire [ENTRIES - 1:0] clear_b = clear_b_valid ? ENTRY_0 << clear_b_entry : NONE;

    always @(posedge clk) begin
        flags_q <= (flags_q & ~clear_a & ~clear_b) | set;
        if (rst) flags_q <= NONE;
    end

    assign flags = {{((1 << ENTRY_WIDTH) - ENTRIES){1'b0}}, flags_q};
endmodule

`default_nettype wire
