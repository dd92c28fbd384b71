// SPDX-License-Identifier: Apache-2.0
// Purpose: what the registers of a switch port say of its blocks: events, offender, places in use (doc/plane/switch.md sections 7
//   and 8).
// Contract:
//   1. events: the numbers of MOEHUB_SWITCH_PORT_EVENT_*. Of the crossbars the multicast alone: events of the port's input,
//      copies granted by the port's output.
//   2. error: of two offenders in one cycle the one with the smaller cause, the receiver's first. Only those of the receiver
//      have a header.
//   3. used_places, 16 bits a class: places that are not free; 0 before the store is initialised. empty: all stores are
//      initialised and use none.
// Limits: combinational.
// Proved: formal/switch/formal_switch_port_report.v
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"

module moehub_switch_port_report #(
    parameter PLACES_STORE    = 2048, // 14..8191
    parameter PLACES_REQUEST  = 256,  // 5..8191
    parameter PLACES_RESPONSE = 2048  // 17..8191
) (
    // ---- receiver
    input  wire [`MOEHUB_LINK_CAUSE_PLACE:0]                     causes,
    input  wire [`MOEHUB_CLASSES - 1:0]                          packets_in,
    input  wire                                                  flit_in,
    input  wire                                                  receiver_error_valid,
    input  wire [3:0]                                            receiver_error_cause,
    input  wire [127:0]                                          receiver_error_header,

    // ---- stores
    input  wire [`MOEHUB_CLASSES - 1:0]                          initialised,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0]  free_places,

    // ---- crossbar of the stores
    input  wire [`MOEHUB_CROSSBAR_EVENTS - 1:0]                  crossbar_events,
    input  wire                                                  copy_granted,

    // ---- requests
    input  wire                                                  reserved,
    input  wire                                                  refused,
    input  wire                                                  refused_down,
    input  wire                                                  error_results,
    input  wire                                                  group_waits,

    // ---- egress, link sender
    input  wire [`MOEHUB_CLASSES - 1:0]                          packets_out,
    input  wire                                                  flit_out,
    input  wire                                                  discarded,
    input  wire [`MOEHUB_CLASSES - 1:0]                          blocked,
    input  wire                                                  idle,
    input  wire                                                  credit_overflow,

    // ---- commands
    input  wire                                                  command_done,
    input  wire                                                  command_refused,

    output wire [`MOEHUB_SWITCH_PORT_EVENTS - 1:0]               events,
    output wire                                                  error_valid,
    output wire [4:0]                                            error_cause,
    output wire [127:0]                                          error_header,
    output wire [`MOEHUB_CLASSES * 16 - 1:0]                     used_places,
    output wire                                                  empty
);
    localparam CLASSES = `MOEHUB_CLASSES;
    localparam WIDTH   = `MOEHUB_CREDITS_WIDTH;
    localparam [31:0] STORE    = PLACES_STORE;
    localparam [31:0] REQUEST  = PLACES_REQUEST;
    localparam [31:0] RESPONSE = PLACES_RESPONSE;

    // ---- events ----------------------------------------------------------------------------------------------------------
    wire refused_command = command_done && command_refused;

    assign events[`MOEHUB_SWITCH_PORT_EVENT_CAUSES +: `MOEHUB_LINK_CAUSE_CREDIT]        = causes;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_CAUSES + `MOEHUB_LINK_CAUSE_CREDIT]         = credit_overflow;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_CAUSES + `MOEHUB_SWITCH_PORT_CAUSE_DOWN]    = discarded;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_CAUSES + `MOEHUB_SWITCH_PORT_CAUSE_COMMAND] = refused_command;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_PACKETS_IN +: CLASSES]  = packets_in;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_PACKETS_OUT +: CLASSES] = packets_out;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_FLITS_IN]               = flit_in;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_FLITS_OUT]              = flit_out;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_STORE_COPIES]           = copy_granted;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_RESERVED]               = reserved;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_REFUSED]                = refused;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_ERROR_RESULTS]          = error_results;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_BLOCKED +: CLASSES]     = blocked;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_IDLE]                   = idle;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_PASSES]                 = crossbar_events[`MOEHUB_CROSSBAR_EVENT_PASSES];
    assign events[`MOEHUB_SWITCH_PORT_EVENT_JOINS]                  = crossbar_events[`MOEHUB_CROSSBAR_EVENT_JOINS];
    assign events[`MOEHUB_SWITCH_PORT_EVENT_PROPOSALS_REFUSED]      = crossbar_events[`MOEHUB_CROSSBAR_EVENT_REFUSED];
    assign events[`MOEHUB_SWITCH_PORT_EVENT_RECORD_WAITS]           = crossbar_events[`MOEHUB_CROSSBAR_EVENT_RECORD_WAITS];
    assign events[`MOEHUB_SWITCH_PORT_EVENT_TARGET_READS]           = crossbar_events[`MOEHUB_CROSSBAR_EVENT_TARGET_READS];
    assign events[`MOEHUB_SWITCH_PORT_EVENT_GROUP_WAITS]            = group_waits;
    assign events[`MOEHUB_SWITCH_PORT_EVENT_REFUSED_DOWN]           = refused_down;

    // ---- offender --------------------------------------------------------------------------------------------------------
    assign error_valid  = receiver_error_valid || credit_overflow || discarded || refused_command;
    assign error_cause  = receiver_error_valid ? {1'b0, receiver_error_cause} :
        credit_overflow ? 5'd`MOEHUB_LINK_CAUSE_CREDIT :
        discarded ? 5'd`MOEHUB_SWITCH_PORT_CAUSE_DOWN : 5'd`MOEHUB_SWITCH_PORT_CAUSE_COMMAND;
    assign error_header = receiver_error_valid ? receiver_error_header : 128'd0;

    // ---- places ----------------------------------------------------------------------------------------------------------
    wire [CLASSES * WIDTH - 1:0] places = {RESPONSE[WIDTH - 1:0], REQUEST[WIDTH - 1:0], STORE[WIDTH - 1:0]};

    assign empty = &initialised && used_places == {(CLASSES * 16){1'b0}};

    genvar c;
    generate
        for (c = 0; c < CLASSES; c = c + 1) begin : g_class
            wire [WIDTH - 1:0] used = places[c * WIDTH +: WIDTH] - free_places[c * WIDTH +: WIDTH];

            assign used_places[c * 16 +: 16] = initialised[c] ? {{(16 - WIDTH){1'b0}}, used} : 16'd0;
        end
    endgenerate
endmodule

`default_nettype wire
