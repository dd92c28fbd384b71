// SPDX-License-Identifier: Apache-2.0
// moehub_counter_memory: a chosen counter's copy, whatever the visits do, against a counter of the harness.
`default_nettype none
`include "moehub_width.vh"
module formal_counter_memory #(
    parameter EVENTS = 3,
    parameter WIDTH  = 7,
    parameter CHOSEN = 0 // the counter that is looked at
) (
    input wire                                     clk,
    input wire                                     rst,
    input wire [EVENTS - 1:0]                      events,
    input wire                                     snapshot,
    input wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index
);
`include "formal_reset.vh"
    localparam INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(EVENTS);
    localparam [31:0] CHOSEN_INDEX = CHOSEN;
    wire                snapshot_done;
    wire [WIDTH - 1:0]  value;
    moehub_counter_memory #(.EVENTS(EVENTS), .WIDTH(WIDTH)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(snapshot), .snapshot_done(snapshot_done), .index(index), .value(value)
    );

    reg [WIDTH - 1:0] count_q;
    reg [WIDTH - 1:0] copy_q;
    reg [6:0]         waited_q;       // cycles since the snapshot that is under way; 0: none is
    reg               whole_q = 1'b0; // a snapshot is done, and none came since
    reg               chosen_q = 1'b0; // value is the chosen one's, of a cycle in which the copies were whole
    reg               never_q = 1'b1; // no snapshot was done since reset

    wire whole = whole_q || snapshot_done;
    always @(posedge clk) begin
        if (events[CHOSEN]) count_q <= count_q + 1'b1;
        if (snapshot) copy_q <= count_q;
        waited_q <= snapshot ? 7'd1 : snapshot_done || waited_q == 7'd0 ? 7'd0 : waited_q + 7'd1;
        whole_q  <= whole && !snapshot;
        chosen_q <= whole && !snapshot && index == CHOSEN_INDEX[INDEX_WIDTH - 1:0];
        never_q  <= never_q && !snapshot_done;
        if (rst) begin
            count_q  <= {WIDTH{1'b0}};
            waited_q <= 7'd0;
            whole_q  <= 1'b0;
            chosen_q <= 1'b0;
            never_q  <= 1'b1;
        end
    end
    always @* assume (!snapshot || waited_q == 7'd0 || snapshot_done);

    always @* begin
        copies:  assert (!chosen_q || value == copy_q);
        in_time: assert (!started_q || reset_q || snapshot_done == (waited_q == EVENTS + 8));
        cleared: assert (!started_q || !never_q || value == {WIDTH{1'b0}});
    end
    always @* begin
        second_copy: cover (chosen_q && copy_q == 7'd9 && count_q == 7'd12);
        done:        cover (snapshot_done);
        first_cycle: cover (chosen_q && copy_q == 7'd0 && count_q == 7'd1);
    end
endmodule
`default_nettype wire
