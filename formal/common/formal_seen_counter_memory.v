// SPDX-License-Identifier: Apache-2.0
// In place of moehub_counter_memory: each of the 48 bits of what is read can be anything (the events of two cycles, where there
// are 24 of them and more), and it says which counter was asked for in the cycle before and how many snapshots were taken
// (modulo 2). A snapshot is over whenever event 0 says so.
`default_nettype none
`include "moehub_width.vh"
module moehub_counter_memory #(
    parameter EVENTS = 39,
    parameter WIDTH  = 48
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [EVENTS - 1:0]                      events,
    input  wire                                     snapshot,
    output wire                                     snapshot_done,
    input  wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index,
    output wire [WIDTH - 1:0]                       value
);
    reg                                      taken_q;
    reg  [EVENTS - 1:0]                      events_q;
    reg  [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index_q;
    wire [15:0]                              asked = {taken_q, {15 - `MOEHUB_INDEX_WIDTH(EVENTS){1'b0}}, index_q};
    wire [47:0]                              both  = {events_q, events};
    always @(posedge clk) begin
        taken_q  <= !rst && (taken_q ^ snapshot);
        events_q <= events;
        index_q  <= index;
    end
    assign snapshot_done = events[0];
    assign value = both ^ {3{asked}};
endmodule
`default_nettype wire
