// SPDX-License-Identifier: Apache-2.0
// Purpose: the passes of an input: proposes to the outputs, reads the packet's rows from its store, frees the packet.
// Contract:
//   1. A proposal (ask, proposal) is a register; the outputs that grant it say so with begins and firsts in the second cycle after
//      the choice. Copy of output o begins: its first row is read firsts[o] cycles after begins.
//   2. While a copy is not whole the pass reads row after row, round and round; a read in cycle x is on the bus `row` in x + 1.
//   3. At the end of a pass the number of copies that are left is kept, or, with none left, the packet is freed.
//   4. The copy list's target flits are read in cycles in which no row is; before every new pass the copy list that asks is served.
// Cost: PACKETS x 7 bits; one cycle from the choice to the proposal, one from begins to the first read.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar_input #(
    parameter PORTS      = 8,
    parameter DATA_WIDTH = 128,
    parameter JOIN       = 1,
    parameter WITH_TAG   = 0,
    parameter PLACES     = 2048,
    parameter PACKETS    = 682,
    parameter AHEAD      = 6
) (
    input  wire clk,
    input  wire rst,

    output wire                                          read_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_place,
    input  wire [127:0]                                  read_data,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,

    output wire                                          find_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     find_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_body,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_last,
    input  wire [4:0]                                    find_flits,
    input  wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]               find_mark,
    input  wire [23:0]                                   find_tag,

    output wire                                          free_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     free_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_last,
    output wire [4:0]                                    free_flits,
    output wire [23:0]                                   free_tag,

    input  wire                                          target_read_valid,
    output wire                                          target_read_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  target_read_place,

    input  wire                                          left_valid,
    output wire                                          left_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     left_name,
    input  wire [5:0]                                    left_copies,

    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     pass_name,
    input  wire [PORTS - 1:0]                            join_ask,
    input  wire                                          join_soon,
    input  wire                                          new_valid,
    input  wire [PORTS - 1:0]                            new_ask,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     new_name,
    output wire                                          new_advance,

    output wire [PORTS - 1:0]                            ask,
    output wire [`MOEHUB_PROPOSAL_WIDTH - 1:0]           proposal,
    input  wire [PORTS - 1:0]                            begins,
    input  wire [PORTS * `MOEHUB_GRANT_FIRST_WIDTH - 1:0] firsts,
    output wire [`MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH) - 1:0] row,

    input  wire                                          record_waits,
    input  wire                                          target_reads,
    output wire [`MOEHUB_CROSSBAR_EVENTS - 1:0]          events
);
endmodule

`default_nettype wire
