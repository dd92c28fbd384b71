// SPDX-License-Identifier: Apache-2.0
// Purpose: EVENTS wrapping 48-bit counters that are read as one consistent set.
// Contract:
//   1. Counter i advances by one for every cycle in which events[i] is high.
//   2. snapshot copies all counters at one clock edge, the events of that cycle not yet included. value is the copy of
//      counter `index`.
//   3. index >= EVENTS reads 0. Reset clears counters and copy.
// Cost: 2 * EVENTS * 48 flops; value is combinational from index (its user registers it).
// Proved: formal/common/formal_event_counters.v, formal_event_counters_steps.v
`default_nettype none
`include "moehub_width.vh"

module moehub_event_counters #(
    parameter EVENTS = 26 // 1..
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [EVENTS - 1:0]                      events,
    input  wire                                     snapshot,
    input  wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index,
    output wire [47:0]                              value
);
    generate
        if (EVENTS < 1) EVENTS_must_be_at_least_1 u_rule ();
    endgenerate

    localparam INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(EVENTS);
    localparam PLACES      = 1 << INDEX_WIDTH;

    wire [PLACES * 48 - 1:0] copies;
    assign value = copies[index * 48 +: 48];

    genvar i;
    generate
        for (i = 0; i < PLACES; i = i + 1) begin : g_place
            if (i < EVENTS) begin : g_counter
                reg [47:0] count_q;
                reg [47:0] copy_q;
                always @(posedge clk) begin
                    if (events[i]) count_q <= count_q + 48'd1;
                    if (snapshot) copy_q <= count_q;
                    if (rst) begin
                        count_q <= 48'd0;
                        copy_q  <= 48'd0;
                    end
                end
                assign copies[i * 48 +: 48] = copy_q;
            end else begin : g_none
                assign copies[i * 48 +: 48] = 48'd0;
            end
        end
    endgenerate
endmodule

`default_nettype wire
