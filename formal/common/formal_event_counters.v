// SPDX-License-Identifier: Apache-2.0
// moehub_event_counters: a chosen counter, its copy, and the index; the counter's step from any state.
`default_nettype none
module formal_event_counters #(
    parameter EVENTS = 3,
    parameter CHOSEN = 0 // the counter that is looked at
) (
    input wire                                              clk,
    input wire                                              rst,
    input wire [EVENTS - 1:0]                               events,
    input wire                                              snapshot,
    input wire [(EVENTS > 1 ? $clog2(EVENTS) : 1) - 1:0]    index
);
`include "formal_reset.vh"
    localparam INDEX_WIDTH = EVENTS > 1 ? $clog2(EVENTS) : 1;
    wire [47:0] value;
    moehub_event_counters #(.EVENTS(EVENTS)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(snapshot), .index(index), .value(value)
    );
    localparam [31:0] CHOSEN_INDEX = CHOSEN;
    wire [INDEX_WIDTH - 1:0] chosen = CHOSEN_INDEX[INDEX_WIDTH - 1:0];
    reg [47:0] count_q = 48'd0;
    reg [47:0] copy_q  = 48'd0;
    always @(posedge clk) begin
        if (snapshot) copy_q <= count_q;
        if (events[CHOSEN]) count_q <= count_q + 48'd1;
        if (rst) begin
            count_q <= 48'd0;
            copy_q  <= 48'd0;
        end
    end
    always @* copies: assert (!started_q || index != chosen || value == copy_q);
    always @* begin
        copied_8: cover (copy_q == 48'd8 && index == chosen && count_q == 48'd9);
    end
endmodule
`default_nettype wire
