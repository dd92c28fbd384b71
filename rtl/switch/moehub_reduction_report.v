// SPDX-License-Identifier: Apache-2.0
// Purpose: the event bits of the reduction buffer and the candidate for the error latch (reduction_buffer.md section 7).
// Contract: events are pulses one cycle after what they report; of several errors in one cycle the smallest cause is
//   described. error_header has the layout of the packet header.
// Cost: one register stage.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"

module moehub_reduction_report (
    input  wire clk,
    input  wire rst,

    // the streams and what happens
    input  wire       reserve_valid,
    input  wire       reserve_ready,
    input  wire       record_valid,
    input  wire       grant_valid,
    input  wire       grant_ready,
    input  wire       partial_valid,
    input  wire       partial_ready,
    input  wire       partial_first,
    input  wire       deferred_result,
    input  wire       result_valid,
    input  wire       result_ready,
    input  wire [3:0] result_status,
    input  wire       result_last,

    // errors: of a reservation, of a partial, of an entry's time, of a command, of a memory
    input  wire                                    refused_valid,
    input  wire [`MOEHUB_ERROR_WIDTH - 1:0]        refused_error,
    input  wire                                    partial_error_valid,
    input  wire [`MOEHUB_ERROR_WIDTH - 1:0]        partial_error,
    input  wire                                    timed_out_valid,
    input  wire [`MOEHUB_ERROR_WIDTH - 1:0]        timed_out_error,
    input  wire                                    command_error_valid,
    input  wire [`MOEHUB_ERROR_WIDTH - 1:0]        command_error,
    input  wire                                    initialised,
    input  wire [`MOEHUB_REDUCTION_MEMORIES - 1:0] parity_error, // bit i: memory i of reduction_buffer.md section 8

    output wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    output wire                                  error_valid,
    output wire [4:0]                            error_cause,
    output wire [127:0]                          error_header,
    output wire [5:0]                            error_port
);

    // ---- memories: what is read before initialisation does not count -----------------------------------------------------
    reg                                    initialised_q;
    reg                                    parity_valid_q;
    reg [`MOEHUB_REDUCTION_MEMORIES - 1:0] parity_q;

    always @(posedge clk) begin
        initialised_q  <= initialised;
        parity_valid_q <= initialised_q && |parity_error;
        parity_q       <= parity_error;
        if (rst) begin
            initialised_q  <= 1'b0;
            parity_valid_q <= 1'b0;
        end
    end

    wire [`MOEHUB_ERROR_WIDTH - 1:0] memory_error;
    assign memory_error[`MOEHUB_ERROR_HEADER_LSB +: 128]
         = {{(128 - `MOEHUB_HEADER_TAG_LSB - `MOEHUB_REDUCTION_MEMORIES){1'b0}}, parity_q, {`MOEHUB_HEADER_TAG_LSB{1'b0}}};
    assign memory_error[`MOEHUB_ERROR_CAUSE_LSB +: 5] = 5'd`MOEHUB_REDUCTION_CAUSE_PARITY;
    assign memory_error[`MOEHUB_ERROR_PORT_LSB +: 6]  = 6'd0;

    // ---- events --------------------------------------------------------------------------------------------------
    localparam [`MOEHUB_REDUCTION_ORDER_CAUSES - 1:0] CAUSE_0 = 1;

    function [`MOEHUB_REDUCTION_ORDER_CAUSES - 1:0] cause_bit(input valid, input [4:0] cause);
        cause_bit = valid ? CAUSE_0 << cause : {`MOEHUB_REDUCTION_ORDER_CAUSES{1'b0}};
    endfunction

    wire request       = reserve_valid && reserve_ready;
    wire partial_flit  = partial_valid && partial_ready;
    wire result_flit   = result_valid && result_ready;
    wire result_packet = result_flit && result_last;
    wire result_failed = result_status != 4'd`MOEHUB_STATUS_OK;

    reg [`MOEHUB_REDUCTION_EVENTS - 1:0] events_q;
    always @(posedge clk) begin
        events_q[`MOEHUB_REDUCTION_EVENT_REQUESTS]      <= request;
        events_q[`MOEHUB_REDUCTION_EVENT_RESERVATIONS]  <= record_valid;
        events_q[`MOEHUB_REDUCTION_EVENT_PARTIALS]      <= partial_flit && partial_first;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULTS]       <= result_packet && !result_failed;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULT_ERRORS] <= result_packet && result_failed;
        events_q[`MOEHUB_REDUCTION_EVENT_CAUSES +: `MOEHUB_REDUCTION_ORDER_CAUSES]
              <= cause_bit(refused_valid, refused_error[`MOEHUB_ERROR_CAUSE_LSB +: 5])
            | cause_bit(partial_error_valid, partial_error[`MOEHUB_ERROR_CAUSE_LSB +: 5])
            | cause_bit(timed_out_valid, timed_out_error[`MOEHUB_ERROR_CAUSE_LSB +: 5])
            | cause_bit(command_error_valid, command_error[`MOEHUB_ERROR_CAUSE_LSB +: 5]);
        events_q[`MOEHUB_REDUCTION_EVENT_RESERVE_STALLED] <= reserve_valid && !reserve_ready;
        events_q[`MOEHUB_REDUCTION_EVENT_GRANT_STALLED]   <= grant_valid && !grant_ready;
        events_q[`MOEHUB_REDUCTION_EVENT_PARTIAL_FLITS]   <= partial_flit;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULT_FLITS]    <= result_flit;
        events_q[`MOEHUB_REDUCTION_EVENT_RESULT_STALLED]  <= result_valid && !result_ready;
        events_q[`MOEHUB_REDUCTION_EVENT_DEFERRED]        <= deferred_result;
        events_q[`MOEHUB_REDUCTION_EVENT_PARITY]          <= parity_valid_q;
        if (rst) events_q <= {`MOEHUB_REDUCTION_EVENTS{1'b0}};
    end
    assign events = events_q;

    // ---- the offender: causes grow from the first to the last of these -------------------------------------------------
    reg                             error_valid_q;
    reg [`MOEHUB_ERROR_WIDTH - 1:0] error_q;
    always @(posedge clk) begin
        error_valid_q <= refused_valid || partial_error_valid || timed_out_valid || command_error_valid
            || parity_valid_q;
        error_q <= refused_valid ? refused_error : partial_error_valid ? partial_error
            : timed_out_valid ? timed_out_error : command_error_valid ? command_error : memory_error;
        if (rst) error_valid_q <= 1'b0;
    end

    assign error_valid  = error_valid_q;
    assign error_cause  = error_q[`MOEHUB_ERROR_CAUSE_LSB +: 5];
    assign error_header = error_q[`MOEHUB_ERROR_HEADER_LSB +: 128];
    assign error_port   = error_q[`MOEHUB_ERROR_PORT_LSB +: 6];
endmodule

`default_nettype wire
