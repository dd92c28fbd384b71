// SPDX-License-Identifier: Apache-2.0
// In place of moehub_event_counters: what is read says which counter was asked for, and how many snapshots were taken (modulo 2).
`default_nettype none
`include "moehub_width.vh"
module moehub_event_counters #(
    parameter EVENTS = 26
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [EVENTS - 1:0]                      events,
    input  wire                                     snapshot,
    input  wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index,
    output wire [47:0]                              value
);
    localparam INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(EVENTS);
    reg taken_q;
    always @(posedge clk) taken_q <= !rst && (taken_q ^ snapshot);
    assign value = {taken_q, {(15 - INDEX_WIDTH){1'b0}}, ~index, {(31 - INDEX_WIDTH){1'b0}}, index, taken_q};
endmodule
`default_nettype wire
