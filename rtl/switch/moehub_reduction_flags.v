// SPDX-License-Identifier: Apache-2.0
// Purpose: one flag per entry, in flops because three places change it in one cycle.
// Contract: set wins over clear; all flags are low after reset; those beyond ENTRIES read low.
// Cost: ENTRIES flops and three decoders.
// Proved: formal/switch/formal_reduction_check.v
`default_nettype none
`include "moehub_width.vh"

module moehub_reduction_flags #(
    parameter ENTRIES = 107
) (
    input  wire                                             clk,
    input  wire                                             rst,
    input  wire                                             set_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        set_entry,
    input  wire                                             clear_a_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        clear_a_entry,
    input  wire                                             clear_b_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        clear_b_entry,
    output wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES)) - 1:0] flags
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam [ENTRIES - 1:0] NONE    = 0;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;

    reg  [ENTRIES - 1:0] flags_q;
    wire [ENTRIES - 1:0] set     = set_valid ? ENTRY_0 << set_entry : NONE;
    wire [ENTRIES - 1:0] clear_a = clear_a_valid ? ENTRY_0 << clear_a_entry : NONE;
    wire [ENTRIES - 1:0] clear_b = clear_b_valid ? ENTRY_0 << clear_b_entry : NONE;

    always @(posedge clk) begin
        flags_q <= (flags_q & ~clear_a & ~clear_b) | set;
        if (rst) flags_q <= NONE;
    end

    assign flags = {{((1 << ENTRY_WIDTH) - ENTRIES){1'b0}}, flags_q};
endmodule

`default_nettype wire
