// SPDX-License-Identifier: Apache-2.0
// Purpose: makes packets of the sums of pre_reduce (doc/hub/reduce.md section 2).
// Contract:
//   1. Each sum gives one packet: header, then its data flits; one with a status (one flit) the header alone.
//   2. The header: TYPE partial, SOURCE own, OFFSET the request's source, STAGE combine; LENGTH 16 times sum_units, 0 with a
//      status.
//   3. packet_flits is the number of flits of the whole packet, in each of them.
//   4. packet_* are registers and a stream; packets leave in the order of the sums.
// How: a sum's first flit waits at the input while its header is sent: what gives sums keeps it in a register.
// Cost: latency 1 to the header; a flit a cycle without gaps. 137 flops.
// Limits: sum_ready is a gate of sum_status, packet_ready and three registers.
// Proved: formal/hub/formal_partial_packer.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"

module moehub_partial_packer (
    input  wire                               clk,
    input  wire                               rst,
    input  wire [9:0]                         own, // GPU
    input  wire                               sum_valid,
    output wire                               sum_ready,
    input  wire [`MOEHUB_PARTIAL_WIDTH - 1:0] sum_partial,
    input  wire [3:0]                         sum_status,
    input  wire [3:0]                         sum_units, // data flits
    input  wire [127:0]                       sum_data,
    input  wire                               sum_last,
    output wire                               packet_valid,
    input  wire                               packet_ready,
    output wire [127:0]                       packet_data,
    output wire                               packet_last,
    output wire [4:0]                         packet_flits
);
    // ---- header -----------------------------------------------------------------------------------------------------------
    wire [5:0]  source;
    wire [2:0]  of_context;
    wire [3:0]  round;
    wire [23:0] tag;
    wire [1:0]  element;
    assign `MOEHUB_PARTIAL(source, of_context, round, tag, element) = sum_partial;

    wire         error = sum_status != 4'd`MOEHUB_STATUS_OK;
    wire [3:0]   units = error ? 4'd0 : sum_units;
    wire [127:0] header;
    assign header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]                 = 4'd`MOEHUB_PACKET_PARTIAL;
    assign header[`MOEHUB_HEADER_FORMAT_LSB +: `MOEHUB_HEADER_FORMAT_WIDTH]             = 2'd`MOEHUB_FORMAT_FULL;
    assign header[`MOEHUB_HEADER_FIRST_LSB +: `MOEHUB_HEADER_FIRST_WIDTH]               = 1'b0;
    assign header[`MOEHUB_HEADER_BYTE_ENABLES_LSB +: `MOEHUB_HEADER_BYTE_ENABLES_WIDTH] = 1'b0;
    assign header[`MOEHUB_HEADER_NOP_LSB +: `MOEHUB_HEADER_NOP_WIDTH]                   = 1'b0;
    assign header[`MOEHUB_HEADER_OUT_FP32_LSB +: `MOEHUB_HEADER_OUT_FP32_WIDTH]         = 1'b0;
    assign header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]             = {1'b0, units, 4'd0};
    assign header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]             = own;
    assign header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]           = of_context;
    assign header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]                   = tag;
    assign header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]             = sum_status;
    assign header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH]           = element;
    assign header[`MOEHUB_HEADER_OPERATION_LSB +: `MOEHUB_HEADER_OPERATION_WIDTH]       = 2'd`MOEHUB_OPERATION_NONE;
    assign header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]             = {10'd0, source};
    assign header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH]       = 32'd0;
    assign header[`MOEHUB_HEADER_STAGE_LSB +: `MOEHUB_HEADER_STAGE_WIDTH]               = 1'd`MOEHUB_STAGE_COMBINE;
    assign header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH] = 6'd0;
    assign header[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]               = round;
    assign header[`MOEHUB_HEADER_ZERO_LSB +: `MOEHUB_HEADER_ZERO_WIDTH]                 = 5'd0;

    // ---- output register ----------------------------------------------------------------------------------------------------
    reg         in_packet_q; // the header of the flit's packet is sent
    reg         packet_valid_q;
    reg         started_q;   // no reset in the last cycle
    reg [127:0] packet_data_q;
    reg         packet_last_q;
    reg [4:0]   packet_flits_q;

    wire move = started_q && (packet_ready || !packet_valid_q);

    assign sum_ready    = move && (in_packet_q || error);
    assign packet_valid = packet_valid_q;
    assign packet_data  = packet_data_q;
    assign packet_last  = packet_last_q;
    assign packet_flits = packet_flits_q;

    always @(posedge clk) begin
        started_q <= !rst;
        if (move) begin
            packet_valid_q <= sum_valid;
            packet_data_q  <= in_packet_q ? sum_data : header;
            packet_last_q  <= in_packet_q ? sum_last : error;
            packet_flits_q <= 5'd1 + {1'b0, units};
            if (sum_valid) in_packet_q <= in_packet_q ? !sum_last : !error;
        end
        if (rst) begin
            in_packet_q    <= 1'b0;
            packet_valid_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
