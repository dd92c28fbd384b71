// SPDX-License-Identifier: Apache-2.0
// Purpose: makes the copy records of an input's packets, in order, and keeps them in a list for each output.
// Contract:
//   1. A copy's records are those of the ids of one output in one packet; its packet's number of copies has been given as left_*
//      before the first. A copy is in its output's list when all its records are written.
//   2. A copy that comes to an empty list is given as load_* instead of a link. A list is empty from the cycle in which its
//      tail's record is read.
//   3. record, link and link_valid follow sequence_valid by a cycle; link_valid: the record read is not its list's tail.
//   4. Target flits of a packet that is not listed are read with target_read_*: ready means that read_place of this cycle is the
//      copy list's, and that read_data and read_next of the next cycle are the answer.
//   5. WITH_IDS 0: a packet is one record without ids for the output in its mark, and the record's name is the packet's.
// Cost: a record a cycle, and a cycle more for a copy of several. Memories doc/plane/crossbar.md section 8.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_width.vh"

module moehub_copy_list #(
    parameter PORTS             = 8,
    parameter WITH_IDS          = 1,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter PLACES            = 2048,
    parameter PACKETS           = 682,
    parameter COPIES            = 1024
) (
    input  wire clk,
    input  wire rst,

    input  wire                                          packet_valid,
    output wire                                          packet_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     packet_name,
    input  wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]               packet_mark,
    input  wire                                          packet_listed,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  packet_place,

    input  wire                                          targets_valid,
    output wire                                          targets_ready,
    input  wire [127:0]                                  targets_data,

    output wire                                          target_read_valid,
    input  wire                                          target_read_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  target_read_place,
    input  wire [127:0]                                  read_data,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,

    output wire                                          left_valid,
    input  wire                                          left_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     left_name,
    output wire [5:0]                                    left_copies,

    output wire                                          load_valid,
    input  wire                                          load_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]       load_output,
    output wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] load_copy,

    input  wire                                          sequence_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]       sequence_output,
    input  wire [`MOEHUB_INDEX_WIDTH(WITH_IDS != 0 ? COPIES : PACKETS) - 1:0] sequence_record,
    output wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0]        record,
    output wire                                          link_valid,
    output wire [`MOEHUB_COPY_WIDTH((WITH_IDS != 0 ? COPIES : PACKETS), PACKETS) - 1:0] link,

    output wire                                          record_waits,
    output wire                                          target_reads,
    output wire [$clog2((WITH_IDS != 0 ? COPIES : PACKETS) + 1) - 1:0] records_used
);
endmodule

`default_nettype wire
