// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_groups: a group comes back once, and only when nothing of it is owed any more: each asked line done, its
// request released, its quarantine over; and it does come back then, whichever of them is the last. `released` comes at any
// time, for any entry.
`default_nettype none
module formal_reduction_groups #(
    parameter ENTRIES       = 2,
    parameter REQUEST_LINES = 2,
    parameter QUARANTINE    = 1,
    parameter WITH_RELEASE  = 1
) (
    input wire        clk,
    input wire        rst,
    input wire        granted_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] granted_group,
    input wire [2:0]  granted_lines,
    input wire        line_done_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] line_done_entry,
    input wire        released_valid,
    input wire [3:0]  released_entry,
    input wire        timed_out_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] timed_out_entry,
    input wire        quarantine_over_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] quarantine_over_group,
    input wire        missing_waits
);
`include "formal_reset.vh"
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam [REQUEST_LINES - 1:0] LINE_0 = 1;

    wire released_ready, freed_valid;
    wire [GROUP_WIDTH - 1:0] freed_group;
    wire [(1 << GROUP_WIDTH) - 1:0] is_quarantined;

    moehub_reduction_groups #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(QUARANTINE), .WITH_RELEASE(WITH_RELEASE)
    ) u_groups (
        .clk(clk), .rst(rst),
        .granted_valid(granted_valid), .granted_group(granted_group), .granted_lines_less_1(granted_lines),
        .line_done_valid(line_done_valid), .line_done_entry(line_done_entry),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry({12'd0, released_entry}),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .is_quarantined(is_quarantined),
        .quarantine_over_valid(quarantine_over_valid), .quarantine_over_group(quarantine_over_group),
        .missing_waits(missing_waits), .freed_valid(freed_valid), .freed_group(freed_group)
    );

    // ---- one group of the solver's choice: what it waits for --------------------------------------------------------------
    (* anyconst *) wire [GROUP_WIDTH - 1:0] chosen;
    reg                       used_q = 1'b0; // granted, and not come back
    reg [REQUEST_LINES - 1:0] asked_q;      // and not done
    reg [REQUEST_LINES - 1:0] late_q;       // timed out
    reg                       copies_q;
    reg                       held_q;       // a line has timed out, and the quarantine has not been said to be over since

    wire [7:0]  lines    = ~(8'hfe << granted_lines);
    wire        grants   = granted_valid && granted_group == chosen;
    wire        done     = line_done_valid && line_done_entry / REQUEST_LINES == chosen;
    wire        late     = timed_out_valid && timed_out_entry / REQUEST_LINES == chosen && QUARANTINE != 0;
    wire        over     = quarantine_over_valid && quarantine_over_group == chosen;
    wire        released = released_valid && released_ready && released_entry < ENTRIES
                           && released_entry / REQUEST_LINES == chosen;
    wire        freed    = freed_valid && freed_group == chosen;
    wire [REQUEST_LINES - 1:0] done_line = done ? LINE_0 << line_done_entry % REQUEST_LINES : 0;
    wire [REQUEST_LINES - 1:0] late_line = late ? LINE_0 << timed_out_entry % REQUEST_LINES : 0;
    wire        owes     = asked_q != 0 || copies_q;

    // Other groups: granted when not in use, done line by line. So that all behave, the same for each.
    reg [ENTRIES - 1:0] all_asked_q;
    reg [GROUPS - 1:0]  all_used_q;
    wire [ENTRIES + 7:0] all_lines = {{ENTRIES{1'b0}}, lines} << granted_group * REQUEST_LINES;
    integer i;
    always @* begin
        assume (chosen < GROUPS && granted_group < GROUPS && granted_lines < REQUEST_LINES);
        assume (line_done_entry < ENTRIES && timed_out_entry < ENTRIES && quarantine_over_group < GROUPS);
        assume (!rst || (!granted_valid && !line_done_valid && !timed_out_valid && !quarantine_over_valid));
        assume (!granted_valid || !all_used_q[granted_group]);
        assume (!line_done_valid || all_asked_q[line_done_entry]);
        // A line that is timed out is asked, and its result is not even sent.
        assume (!timed_out_valid || (all_asked_q[timed_out_entry] && !(line_done_valid && line_done_entry == timed_out_entry)));
        assume (!(late && (late_q & late_line) != 0)); // once
    end
    always @(posedge clk) begin
        all_asked_q <= (all_asked_q | (granted_valid ? all_lines[ENTRIES - 1:0] : 0))
            & ~(line_done_valid ? {{(ENTRIES - 1){1'b0}}, 1'b1} << line_done_entry : 0);
        if (granted_valid) all_used_q[granted_group] <= 1'b1;
        if (freed_valid) all_used_q[freed_group] <= 1'b0;
        asked_q  <= asked_q & ~done_line;
        late_q   <= late_q | late_line;
        if (released) copies_q <= 1'b0;
        if (over && !late && !missing_waits) held_q <= 1'b0;
        if (late) held_q <= 1'b1;
        if (freed) used_q <= 1'b0;
        if (grants) begin
            used_q   <= 1'b1;
            asked_q  <= lines[REQUEST_LINES - 1:0];
            late_q   <= 0;
            copies_q <= WITH_RELEASE != 0;
            held_q   <= 1'b0;
        end
        if (rst) begin
            all_asked_q <= 0;
            all_used_q  <= 0;
            used_q      <= 1'b0;
            asked_q     <= 0;
            copies_q    <= 1'b0;
            held_q      <= 1'b0;
        end
    end

    wire running = started_q && !rst && !reset_q;
    always @* begin
        once:       assert (!running || !freed || used_q);
        lines_done: assert (!running || !freed || asked_q == 0);
        is_released: assert (!running || !freed || !copies_q);
        is_over:    assert (!running || !freed || !held_q);
        comes_back: assert (!running || !used_q || owes || is_quarantined[chosen] || freed);
        is_held:    assert (!running || !used_q || !held_q || is_quarantined[chosen]);
        waits:      assert (!running || !line_done_valid || !released_ready);
    end
    reg last_done_q, last_released_q, last_over_q; // what came in the cycle before, or a quarantine's end two cycles before
    reg over_before_q;
    always @(posedge clk) begin
        last_done_q     <= done;
        last_released_q <= released;
        over_before_q   <= over;
        last_over_q     <= over_before_q;
    end
    always @* begin
        line_last:     cover (running && freed && last_done_q && late_q != 0 && WITH_RELEASE != 0);
        released_last: cover (running && freed && last_released_q && late_q == 0);
        over_last:     cover (running && freed && last_over_q && !last_released_q && !last_done_q && late_q != 0);
        stray:         cover (running && used_q && !copies_q && released && asked_q != 0);
        all_lines_done: cover (running && freed && (done || last_done_q));
        line_first:    cover (running && freed && !last_done_q); // and `released` last
        late_two:      cover (running && freed && &late_q);
    end
endmodule
`default_nettype wire
