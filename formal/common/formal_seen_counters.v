// SPDX-License-Identifier: Apache-2.0
// In place of moehub_event_counters: each of the 48 bits of what is read can be anything (the events of two cycles),
// and it says which counter was asked for and how many snapshots were taken (modulo 2).
`default_nettype none
`include "moehub_width.vh"
module moehub_event_counters #(
    parameter EVENTS = 26 // 24..
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [EVENTS - 1:0]                      events,
    input  wire                                     snapshot,
    input  wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index,
    output wire [47:0]                              value
);
    reg                 taken_q;
    reg  [EVENTS - 1:0] events_q;
    wire [15:0]         asked = {taken_q, {15 - `MOEHUB_INDEX_WIDTH(EVENTS){1'b0}}, index};
    wire [47:0]         both  = {events_q, events};
    always @(posedge clk) begin
        taken_q  <= !rst && (taken_q ^ snapshot);
        events_q <= events;
    end
    assign value = both ^ {3{asked}};
endmodule
`default_nettype wire
