// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_waiting: no result that waits is lost or starved: with a few cycles in a row in which the queue has space,
// nothing passes and no partial reads, it leaves, for a solver-chosen entry; and after 15 that passed, none may. What passes, and
// when, is the solver's choice.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_waiting_sent #(
    parameter ENTRIES = 1,
    parameter FLITS   = 1,
    parameter SENT    = 6 // such cycles
) (
    input wire       clk,
    input wire       rst,
    input wire       deferred_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] deferred_entry,
    input wire [1:0] deferred_failure,
    input wire [(FLITS > 1 ? $clog2(FLITS) : 1) - 1:0] deferred_last_number,
    input wire       timed_out_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] timed_out_entry,
    input wire       space,
    input wire       read_busy,
    input wire       send_passing,
    input wire       send_begins,
    input wire       send_valid
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH  = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam NUMBER_WIDTH = FLITS > 1 ? $clog2(FLITS) : 1;
    localparam ROW_WIDTH    = ENTRIES * FLITS > 1 ? $clog2(ENTRIES * FLITS) : 1;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;
    wire                     row_valid, row_from_lanes, row_commit, may_pass;
    wire [ENTRY_WIDTH - 1:0] row_entry;
    wire [`MOEHUB_ROW_WIDTH - 1:0]  row;
    assign row_commit = row[`MOEHUB_ROW_COMMIT_LSB];
    assign row_entry  = row[`MOEHUB_ROW_ENTRY_LSB +: ENTRY_WIDTH];
    wire [`MOEHUB_FLIT_WIDTH - 1:0] flit;
    assign flit = ({`MOEHUB_FLIT_WIDTH'd0, deferred_entry} << `MOEHUB_FLIT_ENTRY_LSB)
        | ({`MOEHUB_FLIT_WIDTH'd0, deferred_failure} << `MOEHUB_FLIT_FAILURE_LSB)
        | ({`MOEHUB_FLIT_WIDTH'd0, deferred_last_number} << `MOEHUB_FLIT_LAST_NUMBER_LSB);
    wire [`MOEHUB_ROW_WIDTH - 1:0]  send_row = (chosen << `MOEHUB_ROW_ENTRY_LSB) | (send_begins << `MOEHUB_ROW_FIRST_LSB);

    moehub_reduction_waiting #(.ENTRIES(ENTRIES), .FLITS(FLITS)) u_waiting (
        .clk(clk), .rst(rst), .deferred_valid(deferred_valid), .flit(flit),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .may_pass(may_pass), .space(space), .job_sent(),
        .send_passing(send_passing), .send_valid(send_valid), .send_row(send_row),
        .fetch_valid(read_busy), .read_valid(), .read_row(),
        .row_valid(row_valid), .row(row), .row_from_lanes(row_from_lanes), .row_from_memory()
    );

    reg  [ENTRIES - 1:0] waiting_q; // its result waits
    reg  [4:0]           able_q;    // cycles in a row in which the chosen entry's result waited and a row could go
    wire [ENTRIES - 1:0] comes     = deferred_valid ? ENTRY_0 << deferred_entry : 0;
    wire [ENTRIES - 1:0] times_out = timed_out_valid ? ENTRY_0 << timed_out_entry : 0;
    wire [ENTRIES - 1:0] goes      = row_valid && !row_from_lanes && row_commit ? ENTRY_0 << row_entry : 0;
    wire                 able      = space && !send_passing && !read_busy;
    always @* begin
        assume (chosen < ENTRIES && deferred_entry < ENTRIES && timed_out_entry < ENTRIES && deferred_last_number < FLITS);
        assume (!rst || (!deferred_valid && !timed_out_valid));
        assume (!started_q || ((comes & times_out) == 0 && ((comes | times_out) & waiting_q) == 0));
        assume (send_passing || (!send_begins && !send_valid));
    end
    always @(posedge clk) begin
        waiting_q <= (waiting_q | comes | times_out) & ~goes;
        able_q    <= !waiting_q[chosen] || goes[chosen] || !able ? 5'd0 : able_q + {4'd0, able_q != 5'd31};
        if (rst) begin
            waiting_q <= 0;
            able_q    <= 5'd0;
        end
    end

    localparam [2:0] TURN = 6; // cycles until a result that waits is the one whose turn it is, when none is before it
    reg [2:0] waited_q;
    reg [3:0] passed_q; // results that passed since then, or since another one that waits has left
    always @(posedge clk) begin
        if (waited_q != TURN) waited_q <= waited_q + 3'd1;
        if (waited_q == TURN && send_begins && passed_q != 4'd15) passed_q <= passed_q + 4'd1;
        if (rst || !waiting_q[chosen]) waited_q <= 3'd0;
        if (rst || !waiting_q[chosen] || goes != 0) passed_q <= 4'd0;
    end

    wire live = started_q && !reset_q;
    always @* begin
        sent:     assert (!live || able_q < SENT);
        patience: assert (!live || passed_q != 4'd15 || goes != 0 || !may_pass);
    end
    always @* begin
        all_wait:    cover (live && &waiting_q && able_q > 5'd2);
        overtaken:   cover (live && passed_q == 4'd15 && !may_pass);
        interrupted: cover (live && goes[chosen] && able_q > 5'd3);
    end
endmodule
`default_nettype wire
