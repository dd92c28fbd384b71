// SPDX-License-Identifier: Apache-2.0
// moehub_event_counters from any state: what one snapshot shows is what the one before showed and the events between them, or
// since a reset, which shows 0. So carries into bits that no run from 0 ever reaches are looked at too. The solver
// chooses the counter.
`default_nettype none
module formal_event_counters_steps #(
    parameter EVENTS = 3
) (
    input wire                  clk,
    input wire                  rst,
    input wire [EVENTS - 1:0]   events,
    input wire                  snapshot
);
    localparam INDEX_WIDTH = EVENTS > 1 ? $clog2(EVENTS) : 1;
    localparam [31:0] COUNT = EVENTS;
    wire [INDEX_WIDTH - 1:0] chosen = $anyconst;
    always @* assume ({1'b0, chosen} < COUNT[INDEX_WIDTH:0]);

    wire [47:0] value;
    moehub_event_counters #(.EVENTS(EVENTS)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(snapshot), .index(chosen), .value(value)
    );

    reg         one_q = 1'b0; // snapshots so far: at least one
    reg         two_q = 1'b0;
    reg [47:0]  since_q;      // events from the last snapshot's cycle on
    reg [47:0]  expected_q;
    wire [47:0] event_now = {47'd0, events[chosen]};
    always @(posedge clk) begin
        since_q <= snapshot ? event_now : since_q + event_now;
        if (snapshot) begin
            one_q      <= 1'b1;
            two_q      <= one_q;
            expected_q <= value + since_q;
        end
        if (rst) begin
            one_q      <= 1'b1;
            two_q      <= 1'b1;
            since_q    <= 48'd0;
            expected_q <= 48'd0;
        end
    end
    always @* counts_on: assert (!two_q || value == expected_q);
    always @* long_carry: cover (two_q && value[39:0] == 40'd1);
    always @* after_reset: cover (two_q && value == 48'd1);
endmodule
`default_nettype wire
