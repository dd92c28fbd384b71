// SPDX-License-Identifier: Apache-2.0
// Purpose: SLOTS copies of an output of the crossbar: gathers their rows and ids, makes their headers, sends them as packets.
// Contract:
//   1. A slot is taken by granted, with the number of its rows; rows and records come copy by copy in the order of granted.
//      room: a slot is free. A slot is free again when its copy's last flit was taken.
//   2. copy_*: the copies in the order of granted, each whole: header, target flits, other rows. flits is the number of its flits.
//   3. A copy is compact (FORMAT 1) whenever it can be, else FORMAT 0 with ceil(ids / 8) target flits (doc/plane/packet.md).
//   4. A copy is offered from the cycle after the one in which its row 0 and its last record are at the inputs or have been
//      (DATA_WIDTH below 128: its last row).
//   5. Row k comes k cycles after row 0 at the latest.
// Cost: SLOTS x (16 x 128 + 4 x 64) bits of memory; with DATA_WIDTH below 128 the header register is all.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_copy_buffer #(
    parameter DATA_WIDTH        = 128,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter MAX_TARGETS       = 32,
    parameter SLOTS             = 4
) (
    input  wire clk,
    input  wire rst,

    input  wire [5:0]                             own_port,

    output wire                                   room,
    input  wire                                   granted,
    input  wire [3:0]                             granted_rows,
    input  wire                                   row_valid,
    input  wire [3:0]                             row_number,
    input  wire [DATA_WIDTH - 1:0]                row_data,
    input  wire                                   row_end,
    input  wire                                   record_valid,
    input  wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0] record,

    output wire                                   copy_valid,
    input  wire                                   copy_ready,
    output wire [127:0]                           copy_data,
    output wire                                   copy_last,
    output wire [4:0]                             copy_flits
);
endmodule

`default_nettype wire
