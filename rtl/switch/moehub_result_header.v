// SPDX-License-Identifier: Apache-2.0
// Purpose: the header flit of a result that a switch sends (doc/packet.md section 2): wiring.
// Limits: combinational from every input to header.
`default_nettype none
`include "moehub_defines.vh"

module moehub_result_header (
    input  wire [9:0]   own,    // port = GPU that it is for
    input  wire [23:0]  tag,
    input  wire [2:0]   context_name,
    input  wire [3:0]   round,
    input  wire [1:0]   element,
    input  wire [3:0]   status,
    input  wire [8:0]   length, // bytes
    output wire [127:0] header
);
    assign header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]                 = 4'd`MOEHUB_PACKET_RESULT;
    assign header[`MOEHUB_HEADER_FORMAT_LSB +: `MOEHUB_HEADER_FORMAT_WIDTH]             = 2'd`MOEHUB_FORMAT_FULL;
    assign header[`MOEHUB_HEADER_FIRST_LSB +: `MOEHUB_HEADER_FIRST_WIDTH]               = 1'b0;
    assign header[`MOEHUB_HEADER_BYTE_ENABLES_LSB +: `MOEHUB_HEADER_BYTE_ENABLES_WIDTH] = 1'b0;
    assign header[`MOEHUB_HEADER_NOP_LSB +: `MOEHUB_HEADER_NOP_WIDTH]                   = 1'b0;
    assign header[`MOEHUB_HEADER_OUT_FP32_LSB +: `MOEHUB_HEADER_OUT_FP32_WIDTH]         = 1'b0; // ELEMENT says it
    assign header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]             = length;
    assign header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]             = own;
    assign header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]           = context_name;
    assign header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]                   = tag;
    assign header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]             = status;
    assign header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH]           = element;
    assign header[`MOEHUB_HEADER_OPERATION_LSB +: `MOEHUB_HEADER_OPERATION_WIDTH]       = 2'd`MOEHUB_OPERATION_NONE;
    assign header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]             = {6'd0, own};
    assign header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH]       = 32'd0;
    assign header[`MOEHUB_HEADER_STAGE_LSB +: `MOEHUB_HEADER_STAGE_WIDTH]               = 1'd`MOEHUB_STAGE_COMBINE;
    assign header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH] = 6'd0;
    assign header[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]               = round;
    assign header[`MOEHUB_HEADER_ZERO_LSB +: `MOEHUB_HEADER_ZERO_WIDTH]                 = 5'd0;
endmodule

`default_nettype wire
