// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_timeout with moehub_reduction_groups: a group of which a line timed out does not come back before twice the
// time has passed since its grant was taken; and when nothing else is owed it comes back not long after. The check and the
// results are the solver's: a line is done at any time once it has timed out, or as if it had been completed.
`default_nettype none
module formal_reduction_quarantine #(
    parameter ENTRIES       = 2,
    parameter REQUEST_LINES = 2,
    parameter LONGEST       = 7 // largest timeout
) (
    input wire       clk,
    input wire       rst,
    input wire       granted_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] granted_group,
    input wire [2:0] granted_lines,
    input wire       completed_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] completed_entry,
    input wire       line_done_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] line_done_entry
);
`include "formal_one_reset.vh"
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;
    localparam [8:0] LATEST = 2 * (ENTRIES > 8 ? ENTRIES : 8) + 12;

    (* anyconst *) wire [GROUP_WIDTH - 1:0] chosen;
    (* anyconst *) wire [5:0]               timeout; // 0: never
    reg [2:0]                start_q = 3'd0;         // cycles since reset
    reg                      open_valid_q;           // as moehub_reduction_reserve has it: one cycle after the grant was taken
    reg [GROUP_WIDTH - 1:0]  open_group_q;
    reg [2:0]                open_lines_q;
    reg [ENTRIES - 1:0]      open_q;
    reg [ENTRIES - 1:0]      under_way_q [0:2]; // expired so many cycles ago, and not complete since
    reg [ENTRIES - 1:0]      owed_q;      // complete or timed out, its result is not taken
    wire expire_valid, timed_out_valid, over_valid, freed_valid;
    wire [ENTRY_WIDTH - 1:0] expire_entry, timed_out_entry;
    wire [GROUP_WIDTH - 1:0] over_group, freed_group;
    wire [(1 << GROUP_WIDTH) - 1:0] is_quarantined;

    moehub_reduction_timeout #(.ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(1)) u_timeout (
        .clk(clk), .rst(rst), .timeout({26'd0, timeout}),
        .is_open({{((1 << ENTRY_WIDTH) - ENTRIES){1'b0}}, open_q}), .open_valid(open_valid_q), .open_group(open_group_q),
        .completed_valid(completed_valid), .completed_entry(completed_entry),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .timed_out_error(),
        .is_quarantined(is_quarantined), .quarantine_over_valid(over_valid), .quarantine_over_group(over_group)
    );
    moehub_reduction_groups #(.ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(1), .WITH_RELEASE(0)) u_groups (
        .clk(clk), .rst(rst),
        .granted_valid(granted_valid), .granted_group(granted_group), .granted_lines_less_1(granted_lines),
        .line_done_valid(line_done_valid), .line_done_entry(line_done_entry),
        .released_valid(1'b1), .released_ready(), .released_entry(16'd0),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .is_quarantined(is_quarantined),
        .quarantine_over_valid(over_valid), .quarantine_over_group(over_group), .missing_waits(1'b0),
        .freed_valid(freed_valid), .freed_group(freed_group)
    );

    wire [7:0]           lines     = ~(8'hfe << open_lines_q);
    wire [ENTRIES - 1:0] opens     = open_valid_q ? {{ENTRIES{1'b0}}, lines} << open_group_q * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] completes = completed_valid ? ENTRY_0 << completed_entry : 0;
    wire [ENTRIES - 1:0] expires   = expire_valid ? ENTRY_0 << expire_entry : 0;
    wire [ENTRIES - 1:0] times_out = timed_out_valid ? ENTRY_0 << timed_out_entry : 0;
    wire [ENTRIES - 1:0] dones     = line_done_valid ? ENTRY_0 << line_done_entry : 0;
    reg  [GROUPS - 1:0]  used_q    = 0;
    always @* begin
        assume (chosen < GROUPS && granted_group < GROUPS && granted_lines < REQUEST_LINES && timeout <= LONGEST);
        assume (completed_entry < ENTRIES && line_done_entry < ENTRIES);
        assume (!granted_valid || (start_q == 3'd7 && !used_q[granted_group]));
        assume (!rst || (!granted_valid && !completed_valid && !line_done_valid));
        assume ((completes & ~(open_q | under_way_q[0] | under_way_q[1] | under_way_q[2])) == 0);
        assume ((dones & ~owed_q) == 0);
    end
    integer i;
    always @(posedge clk) begin
        start_q      <= start_q + {2'd0, start_q != 3'd7};
        open_valid_q <= granted_valid;
        open_group_q <= granted_group;
        open_lines_q <= granted_lines;
        open_q       <= (open_q | opens) & ~completes & ~expires;
        under_way_q[0] <= expires & ~completes;
        for (i = 1; i < 3; i = i + 1) under_way_q[i] <= under_way_q[i - 1] & ~completes;
        owed_q       <= (owed_q | completes | times_out) & ~dones;
        if (granted_valid) used_q[granted_group] <= 1'b1;
        if (freed_valid) used_q[freed_group] <= 1'b0;
        if (rst) begin
            open_valid_q <= 1'b0;
            open_q       <= 0;
            owed_q       <= 0;
            used_q       <= 0;
            for (i = 0; i < 3; i = i + 1) under_way_q[i] <= 0;
        end
    end

    // ---- the chosen group: its age, whether a line timed out, how long nothing but the quarantine has held it --------------
    reg [8:0] age_q;    // from the cycle in which its grant was taken
    reg       late_q;
    reg [8:0] alone_q;  // cycles with nothing of it owed and its time up, but for those in which another's result is taken
    wire [8:0] age   = age_q + 9'd1;
    wire       freed = freed_valid && freed_group == chosen;
    wire [ENTRIES - 1:0] its = {{ENTRIES{1'b0}}, {REQUEST_LINES{1'b1}}} << chosen * REQUEST_LINES;
    wire       owes  = ((open_q | opens | under_way_q[0] | under_way_q[1] | under_way_q[2] | owed_q | times_out) & its) != 0;
    always @(posedge clk) begin
        age_q <= age == 9'd511 ? age_q : age;
        if ((times_out & its) != 0) late_q <= 1'b1;
        alone_q <= owes || age < {2'd0, timeout, 1'b0} ? 9'd0 : alone_q + {8'd0, !line_done_valid};
        if (granted_valid && granted_group == chosen) begin
            age_q   <= 9'd0;
            late_q  <= 1'b0;
            alone_q <= 9'd0;
        end
    end

    wire used = started_q && used_q[chosen];
    always @* begin
        not_before: assert (!used || !freed || !late_q || age >= {2'd0, timeout, 1'b0});
        comes_back: assert (!used || alone_q <= LATEST);
    end
    always @* begin
        held:     cover (used && freed && late_q && alone_q == 9'd4);
        longest:  cover (used && freed && late_q && timeout == LONGEST);
        at_once:  cover (used && freed && !late_q && timeout == LONGEST);
    end
endmodule
`default_nettype wire
