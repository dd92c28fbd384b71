// SPDX-License-Identifier: Apache-2.0
// Purpose: an output of the crossbar: grants one of the inputs that ask, takes the copy's rows and records from that input's buses.
// Contract:
//   1. It grants in turn of the inputs, while it is open: the copies granted read for less than AHEAD cycles more, none of them
//      waits for its begin after this cycle, room is high, and the last one's records have all come. soon: it will be open in the
//      next cycle, if nothing is granted in between.
//   2. grant, granted, granted_rows and first are registers, high for a cycle: first cycles later the copy's first row is read.
//   3. row_* are the rows of its copies, one copy after the other, each row once; row_end is the last cycle of a copy. Three cycles
//      at least a copy.
//   4. record_* are the copies' records, in the order of the grants.
// Cost: a row is in the register two cycles after its read.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar_output #(
    parameter PORTS      = 8,
    parameter DATA_WIDTH = 128,
    parameter AHEAD      = 6
) (
    input  wire clk,
    input  wire rst,

    input  wire [5:0]                                     own_port,

    input  wire [PORTS - 1:0]                             asked, // by the inputs
    input  wire [PORTS * `MOEHUB_PROPOSAL_WIDTH - 1:0]    proposals,
    input  wire [PORTS * `MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH) - 1:0] rows,
    input  wire [PORTS * `MOEHUB_SENT_RECORD_WIDTH - 1:0] sent,
    output wire                                           soon,
    output wire [PORTS - 1:0]                             grant,
    output wire [`MOEHUB_GRANT_FIRST_WIDTH - 1:0]         first,

    input  wire                                           room, // for one more copy
    output wire                                           granted,
    output wire [3:0]                                     granted_rows,
    output wire                                           row_valid,
    output wire [3:0]                                     row_number,
    output wire                                           row_last,
    output wire [DATA_WIDTH - 1:0]                        row_data,
    output wire                                           row_end,
    output wire                                           record_valid,
    output wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0]         record
);
endmodule

`default_nettype wire
