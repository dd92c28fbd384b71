// SPDX-License-Identifier: Apache-2.0
// Purpose: the oldest copy of an input for each output: offers them to the decision, sends the records of those granted.
// Contract:
//   1. begins: outputs whose heads are granted in this cycle. Their records are sent, copy by copy, in turn of the outputs; after
//      a copy's last record its list's next copy is the head, two cycles after that record was read.
//   2. load_* loads the head of an empty list; ready is low while the sequencer loads one.
//   3. join_ask: the outputs whose head is of the packet pass_name; join_soon: one of them will be open. new_*: the packet chosen
//      for a new pass and the outputs whose head it is (JOIN 0: one output). All of this cycle.
//   4. The choice: in each group of up to 8 outputs (o mod groups) the head of the oldest packet among those with soon; among the
//      groups in turn, which advances with new_advance.
// Cost: doc/plane/crossbar.md section 8.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_crossbar_heads #(
    parameter PORTS    = 8,
    parameter JOIN     = 1,
    parameter WITH_IDS = 1,
    parameter PACKETS  = 682,
    parameter COPIES   = 1024
) (
    input  wire clk,
    input  wire rst,

    input  wire                                          load_valid,
    output wire                                          load_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]       load_output,
    input  wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] load_copy,

    output wire                                          sequence_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]       sequence_output,
    output wire [`MOEHUB_INDEX_WIDTH(WITH_IDS != 0 ? COPIES : PACKETS) - 1:0] sequence_record,
    input  wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0]        record,
    input  wire                                          link_valid,
    input  wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] link,
    output wire [`MOEHUB_SENT_RECORD_WIDTH - 1:0]        sent,

    input  wire [PORTS - 1:0]                            soon,
    input  wire [PORTS - 1:0]                            begins,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     pass_name,
    output wire [PORTS - 1:0]                            join_ask,
    output wire                                          join_soon,
    output wire                                          new_valid,
    output wire [PORTS - 1:0]                            new_ask,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     new_name,
    input  wire                                          new_advance
);
endmodule

`default_nettype wire
