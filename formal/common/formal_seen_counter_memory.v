// SPDX-License-Identifier: Apache-2.0
// In place of moehub_counter_memory: what is read can be anything (the events of the cycle before), a snapshot is over whenever
// event 0 says so.
`default_nettype none
`include "moehub_width.vh"
module moehub_counter_memory #(
    parameter EVENTS = 39, // 24..
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
    reg [23:0] events_q;
    always @(posedge clk) events_q <= events[23:0];
    assign snapshot_done = events[0];
    assign value = {events[23:0], events_q};
endmodule
`default_nettype wire
