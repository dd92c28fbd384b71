// SPDX-License-Identifier: Apache-2.0
// Purpose: the event bits of the reduction buffer and the candidate for the error latch (reduction_buffer.md section 7).
// Contract: events are pulses one cycle after what they report; of several errors in one cycle the smallest cause is
//   described. error_header has the layout of the packet header.
// Cost: one register stage.
`default_nettype none
`include "moehub_defines.vh"

module moehub_reduction_report #(
    parameter ENTRY_WIDTH = 7,
    parameter PORT_WIDTH  = 6
) (
    input  wire                               clk,
    input  wire                               rst,
    // pulses
    input  wire                               request,
    input  wire                               reservation,
    input  wire                               reserve_stalled,
    input  wire                               grant_stalled,
    input  wire                               partial_flit,
    input  wire                               partial_packet,
    input  wire                               result_flit,
    input  wire                               result_stalled,
    input  wire                               result_packet,
    input  wire                               result_failed, // with result_packet
    input  wire                               deferred,
    // a reservation was refused
    input  wire                               refused_valid,
    input  wire [1:0]                         refused_cause,
    input  wire [9:0]                         refused_requester,
    input  wire [23:0]                        refused_tag, // as in a packet header
    input  wire [1:0]                         refused_element,
    input  wire                               refused_out_fp32,
    input  wire [8:0]                         refused_length,
    // a partial failed a check
    input  wire                               cause_valid,
    input  wire [3:0]                         cause,
    input  wire [15:0]                        cause_entry,
    input  wire [7:0]                         cause_generation,
    input  wire [PORT_WIDTH - 1:0]            cause_port,
    input  wire [3:0]                         cause_status,
    input  wire [1:0]                         cause_element,
    input  wire [8:0]                         cause_length,
    // an entry timed out
    input  wire                               timed_out_valid,
    input  wire [ENTRY_WIDTH - 1:0]           timed_out_entry,
    // a command was refused
    input  wire                               command_valid,
    input  wire [3:0]                         command_operation,

    output wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    output wire                               error_valid,
    output wire [4:0]                         error_cause,
    output wire [127:0]                       error_header,
    output wire [5:0]                         error_port
);

    localparam [`MOEHUB_REDUCTION_CAUSES - 1:0] CAUSE_0 = 1;

    wire [`MOEHUB_REDUCTION_CAUSES - 1:0] causes = (refused_valid ? CAUSE_0 << refused_cause : {`MOEHUB_REDUCTION_CAUSES{1'b0}})
        | (cause_valid ? CAUSE_0 << cause : {`MOEHUB_REDUCTION_CAUSES{1'b0}})
        | (timed_out_valid ? CAUSE_0 << `MOEHUB_REDUCTION_CAUSE_TIMEOUT : {`MOEHUB_REDUCTION_CAUSES{1'b0}})
        | (command_valid ? CAUSE_0 << `MOEHUB_REDUCTION_CAUSE_COMMAND : {`MOEHUB_REDUCTION_CAUSES{1'b0}});

    // ---- events --------------------------------------------------------------------------------------------------
    reg [`MOEHUB_REDUCTION_EVENTS - 1:0] events_q;
    always @(posedge clk) begin
        events_q[`MOEHUB_REDUCTION_EVENT_REQUESTS]        <= request;
        events_q[`MOEHUB_REDUCTION_EVENT_RESERVATIONS]    <= reservation;
        events_q[`MOEHUB_REDUCTION_EVENT_PARTIALS]        <= partial_packet;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULTS]         <= result_packet && !result_failed;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULT_ERRORS]   <= result_packet && result_failed;
        events_q[`MOEHUB_REDUCTION_EVENT_CAUSES +: `MOEHUB_REDUCTION_CAUSES] <= causes;
        events_q[`MOEHUB_REDUCTION_EVENT_RESERVE_STALLED] <= reserve_stalled;
        events_q[`MOEHUB_REDUCTION_EVENT_GRANT_STALLED]   <= grant_stalled;
        events_q[`MOEHUB_REDUCTION_EVENT_PARTIAL_FLITS]   <= partial_flit;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULT_FLITS]    <= result_flit;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULT_STALLED]  <= result_stalled;
        events_q[`MOEHUB_REDUCTION_EVENT_DEFERRED]        <= deferred;
        if (rst) events_q <= {`MOEHUB_REDUCTION_EVENTS{1'b0}};
    end
    assign events = events_q;

    // ---- the offender ----------------------------------------------------------------------------------------------
    reg [127:0] header;
    reg [4:0]   first_cause;
    reg [5:0]   port;
    always @* begin
        header = 128'd0;
        port   = 6'd0;
        if (refused_valid) begin
            first_cause = {3'd0, refused_cause};
            header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]         = `MOEHUB_HEADER_TYPE_WIDTH'd`MOEHUB_PACKET_LD_REDUCE;
            header[`MOEHUB_HEADER_OUT_FP32_LSB +: `MOEHUB_HEADER_OUT_FP32_WIDTH] = refused_out_fp32;
            header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]     = refused_length;
            header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]     = refused_requester;
            header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]           = refused_tag;
            header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH]   = refused_element;
        end else if (cause_valid) begin
            first_cause = {1'b0, cause};
            port[PORT_WIDTH - 1:0] = cause_port;
            header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]       = `MOEHUB_HEADER_TYPE_WIDTH'd`MOEHUB_PACKET_PARTIAL;
            header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]   = cause_length;
            header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]         = {cause_entry, cause_generation};
            header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]   = cause_status;
            header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH] = cause_element;
        end else if (timed_out_valid) begin
            first_cause = 5'd`MOEHUB_REDUCTION_CAUSE_TIMEOUT;
            header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]     = `MOEHUB_HEADER_TYPE_WIDTH'd`MOEHUB_PACKET_RESULT;
            header[`MOEHUB_HEADER_TAG_LSB + 8 +: ENTRY_WIDTH]                = timed_out_entry;
            header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH] = `MOEHUB_HEADER_STATUS_WIDTH'd`MOEHUB_STATUS_TIMEOUT;
        end else begin
            first_cause = 5'd`MOEHUB_REDUCTION_CAUSE_COMMAND;
            header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] = command_operation;
        end
    end

    reg         error_valid_q;
    reg [4:0]   error_cause_q;
    reg [127:0] error_header_q;
    reg [5:0]   error_port_q;
    always @(posedge clk) begin
        error_valid_q  <= refused_valid || cause_valid || timed_out_valid || command_valid;
        error_cause_q  <= first_cause;
        error_header_q <= header;
        error_port_q   <= port;
        if (rst) error_valid_q <= 1'b0;
    end

    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;
    assign error_port   = error_port_q;
endmodule

`default_nettype wire
