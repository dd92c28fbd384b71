// SPDX-License-Identifier: Apache-2.0
// Purpose: what the registers of a hub's way say of its blocks: events and offender (doc/hub/ingress.md section 7).
// Contract:
//   1. events: the numbers of MOEHUB_HUB_WAY_EVENT_*. A cycle in which stores and requests both wait counts once.
//   2. error: of several offenders in one cycle the one with the smallest cause.
// Limits: combinational.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"

module moehub_way_report (
    // ---- receiver
    input  wire [`MOEHUB_LINK_CAUSE_PLACE:0]             causes,
    input  wire [`MOEHUB_CLASSES - 1:0]                  packets_in,
    input  wire                                          flit_in,
    input  wire                                          receiver_error_valid,
    input  wire [3:0]                                    receiver_error_cause,
    input  wire [127:0]                                  receiver_error_header,

    // ---- check
    input  wire [`MOEHUB_HUB_WAY_CHECK_CAUSES - 1:0]     check_causes,
    input  wire                                          check_error_valid,
    input  wire [4:0]                                    check_error_cause,
    input  wire [127:0]                                  check_error_header,

    // ---- stores, requests, pre_reduce, responses
    input  wire [`MOEHUB_STORE_EVENTS_WIDTH - 1:0]       store_events,
    input  wire                                          answer_error_valid,
    input  wire [127:0]                                  answer_error_header,
    input  wire                                          write_error_valid,
    input  wire [127:0]                                  write_error_header,
    input  wire                                          request_question_stalled,
    input  wire                                          request_no_answer_place,
    input  wire [`MOEHUB_PARTIAL_EVENTS_WIDTH - 1:0]     partial_events,
    input  wire [127:0]                                  read_error_header,
    input  wire                                          results,
    input  wire                                          closes,
    input  wire                                          notifies,

    // ---- egress, link sender
    input  wire [`MOEHUB_CLASSES - 1:0]                  packets_out,
    input  wire                                          flit_out,
    input  wire [`MOEHUB_CLASSES - 1:0]                  blocked,
    input  wire                                          idle,
    input  wire                                          credit_overflow,

    output wire [`MOEHUB_HUB_WAY_EVENTS - 1:0]           events,
    output wire                                          error_valid,
    output wire [4:0]                                    error_cause,
    output wire [127:0]                                  error_header
);
    localparam CAUSES  = `MOEHUB_HUB_WAY_EVENT_CAUSES;
    localparam CLASSES = `MOEHUB_CLASSES;

    wire answer_error;
    wire write_error;
    wire bytes;
    wire refused;
    wire lines_written;
    wire words_written;
    wire store_question_stalled;
    wire store_no_answer_place;
    wire answer_missing;
    wire memory_stalled;
    wire no_write_place;
    wire completed_stalled;
    assign `MOEHUB_STORE_EVENTS(answer_error, write_error, bytes, refused, lines_written, words_written, store_question_stalled,
        store_no_answer_place, answer_missing, memory_stalled, no_write_place, completed_stalled) = store_events;

    wire lines_read;
    wire partials;
    wire partial_errors;
    wire read_error;
    wire no_data;
    wire no_partial_place;
    assign `MOEHUB_PARTIAL_EVENTS(lines_read, partials, partial_errors, read_error, no_data, no_partial_place) = partial_events;

    // ---- events ----------------------------------------------------------------------------------------------------------
    assign events[CAUSES +: `MOEHUB_LINK_CAUSE_CREDIT]                              = causes;
    assign events[CAUSES + `MOEHUB_LINK_CAUSE_CREDIT]                               = credit_overflow;
    assign events[CAUSES + `MOEHUB_HUB_WAY_CAUSE_CONTEXT +: `MOEHUB_HUB_WAY_CHECK_CAUSES] = check_causes;
    assign events[CAUSES + `MOEHUB_HUB_WAY_CAUSE_ANSWER]                            = answer_error;
    assign events[CAUSES + `MOEHUB_HUB_WAY_CAUSE_WRITE]                             = write_error;
    assign events[CAUSES + `MOEHUB_HUB_WAY_CAUSE_READ]                              = read_error;
    assign events[`MOEHUB_HUB_WAY_EVENT_PACKETS_IN +: CLASSES]  = packets_in;
    assign events[`MOEHUB_HUB_WAY_EVENT_PACKETS_OUT +: CLASSES] = packets_out;
    assign events[`MOEHUB_HUB_WAY_EVENT_FLITS_IN]               = flit_in;
    assign events[`MOEHUB_HUB_WAY_EVENT_FLITS_OUT]              = flit_out;
    assign events[`MOEHUB_HUB_WAY_EVENT_BYTES]                  = bytes;
    assign events[`MOEHUB_HUB_WAY_EVENT_REFUSED]                = refused;
    assign events[`MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN]          = lines_written;
    assign events[`MOEHUB_HUB_WAY_EVENT_WORDS_WRITTEN]          = words_written;
    assign events[`MOEHUB_HUB_WAY_EVENT_LINES_READ]             = lines_read;
    assign events[`MOEHUB_HUB_WAY_EVENT_PARTIALS]               = partials;
    assign events[`MOEHUB_HUB_WAY_EVENT_PARTIAL_ERRORS]         = partial_errors;
    assign events[`MOEHUB_HUB_WAY_EVENT_RESULTS]                = results;
    assign events[`MOEHUB_HUB_WAY_EVENT_CLOSES]                 = closes;
    assign events[`MOEHUB_HUB_WAY_EVENT_NOTIFIES]               = notifies;
    assign events[`MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED]       = store_question_stalled || request_question_stalled;
    assign events[`MOEHUB_HUB_WAY_EVENT_NO_ANSWER_PLACE]        = store_no_answer_place || request_no_answer_place;
    assign events[`MOEHUB_HUB_WAY_EVENT_ANSWER_MISSING]         = answer_missing;
    assign events[`MOEHUB_HUB_WAY_EVENT_MEMORY_STALLED]         = memory_stalled;
    assign events[`MOEHUB_HUB_WAY_EVENT_NO_WRITE_PLACE]         = no_write_place;
    assign events[`MOEHUB_HUB_WAY_EVENT_COMPLETED_STALLED]      = completed_stalled;
    assign events[`MOEHUB_HUB_WAY_EVENT_NO_DATA]                = no_data;
    assign events[`MOEHUB_HUB_WAY_EVENT_NO_PARTIAL_PLACE]       = no_partial_place;
    assign events[`MOEHUB_HUB_WAY_EVENT_BLOCKED +: CLASSES]     = blocked;
    assign events[`MOEHUB_HUB_WAY_EVENT_IDLE]                   = idle;

    // ---- offender --------------------------------------------------------------------------------------------------------
    assign error_valid  = receiver_error_valid || credit_overflow || check_error_valid || answer_error_valid ||
        write_error_valid || read_error;
    assign error_cause  = receiver_error_valid ? {1'b0, receiver_error_cause} :
        credit_overflow ? 5'd`MOEHUB_LINK_CAUSE_CREDIT : check_error_valid ? check_error_cause :
        answer_error_valid ? 5'd`MOEHUB_HUB_WAY_CAUSE_ANSWER : write_error_valid ? 5'd`MOEHUB_HUB_WAY_CAUSE_WRITE :
        5'd`MOEHUB_HUB_WAY_CAUSE_READ;
    assign error_header = receiver_error_valid ? receiver_error_header : credit_overflow ? 128'd0 :
        check_error_valid ? check_error_header : answer_error_valid ? answer_error_header :
        write_error_valid ? write_error_header : read_error_header;
endmodule

`default_nettype wire
