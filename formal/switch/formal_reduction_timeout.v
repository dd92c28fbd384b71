// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_timeout: when an entry expires, and whether it then times out, for a solver-chosen entry. The check is
// replaced by what formal_reduction_check proves of it: an entry completes only while it waits or at most three cycles after
// it expired, and once.
`default_nettype none
module formal_reduction_timeout #(
    parameter ENTRIES       = 1,
    parameter REQUEST_LINES = 1,
    parameter LONGEST       = 7 // largest timeout
) (
    input wire                                             clk,
    input wire                                             rst,
    input wire                                             set, // the command takes effect
    input wire                                             open_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] open_group,
    input wire [2:0]                                       open_lines,
    input wire                                             completed_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] completed_entry
);
`include "formal_one_reset.vh"
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;
    localparam GROUPS = ENTRIES / REQUEST_LINES;
    localparam [ENTRIES + 7:0] GROUP_0 = (1 << REQUEST_LINES) - 1;
    localparam [8:0] LATEST = (ENTRIES > 8 ? ENTRIES : 8) + 12; // 4 cycles before the pulse

    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;
    (* anyconst *) wire [5:0]               old_timeout; // 0: never
    (* anyconst *) wire [5:0]               new_timeout;
    reg                                     set_q = 1'b0;
    reg [2:0]                               start_q = 3'd0; // cycles since reset
    wire [5:0]                              timeout = set_q ? new_timeout : old_timeout;
    wire [5:0]                              least   = old_timeout != 6'd0 && old_timeout < new_timeout ? old_timeout
                                                                                                       : new_timeout;
    always @(posedge clk) begin
        if (set) set_q <= 1'b1;
        start_q <= start_q + {2'd0, start_q != 3'd7};
        if (rst) set_q <= 1'b0;
    end
    wire                     expire_valid, timed_out_valid;
    wire [ENTRY_WIDTH - 1:0] expire_entry, timed_out_entry;
    reg  [ENTRIES - 1:0]     open_q;

    moehub_reduction_timeout #(.ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES)) u_timeout (
        .clk(clk), .rst(rst), .timeout({26'd0, timeout}),
        .is_open({{((1 << ENTRY_WIDTH) - ENTRIES){1'b0}}, open_q}),
        .open_valid(open_valid), .open_group(open_group), .completed_valid(completed_valid), .completed_entry(completed_entry),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .timed_out_error(),
        .is_quarantined({(1 << (GROUPS > 1 ? $clog2(GROUPS) : 1)){1'b0}}), .quarantine_over_valid(), .quarantine_over_group()
    );

    // ---- the entries: open, expired, closed -----------------------------------------------------------------------------
    reg  [ENTRIES - 1:0] expired_q [0:3]; // expired so many cycles ago, and not complete since
    reg  [ENTRIES - 1:0] closed_q [0:3];  // complete or timed out so many cycles ago: not open again before a result has left
    wire [7:0]           lines     = ~(8'hfe << open_lines);
    wire [ENTRIES - 1:0] opens     = open_valid ? {{ENTRIES{1'b0}}, lines} << open_group * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] whole     = open_valid ? GROUP_0 << open_group * REQUEST_LINES : 0;
    wire [ENTRIES - 1:0] completes = completed_valid ? ENTRY_0 << completed_entry : 0;
    wire [ENTRIES - 1:0] expires   = expire_valid ? ENTRY_0 << expire_entry : 0;
    wire [ENTRIES - 1:0] times_out = timed_out_valid ? ENTRY_0 << timed_out_entry : 0;
    wire [ENTRIES - 1:0] under_way = expired_q[0] | expired_q[1] | expired_q[2];
    wire [ENTRIES - 1:0] closing   = closed_q[0] | closed_q[1] | closed_q[2] | closed_q[3];
    always @* begin
        assume (chosen < ENTRIES && open_group < GROUPS && open_lines < REQUEST_LINES && completed_entry < ENTRIES
                && old_timeout <= LONGEST
                && new_timeout <= LONGEST);
        assume (!open_valid || start_q == 3'd7); // a reservation takes longer than that
        assume (!rst || (!open_valid && !completed_valid));
        assume ((whole & (open_q | expires | under_way | expired_q[3] | completes | times_out | closing)) == 0);
        assume ((completes & ~(open_q | under_way)) == 0);
    end
    integer i;
    always @(posedge clk) begin
        open_q    <= (open_q | opens) & ~completes & ~expires;
        expired_q[0] <= expires & ~completes;
        closed_q[0]  <= completes | times_out;
        for (i = 1; i < 4; i = i + 1) expired_q[i] <= expired_q[i - 1] & ~completes;
        for (i = 1; i < 4; i = i + 1) closed_q[i] <= closed_q[i - 1];
        if (rst) begin
            open_q <= 0;
            for (i = 0; i < 4; i = i + 1) expired_q[i] <= 0;
            for (i = 0; i < 4; i = i + 1) closed_q[i] <= 0;
        end
    end

    // ---- the chosen entry's time, from the cycle in which its grant was taken: one before open_valid --------------------------
    reg [8:0] age_q;
    wire [8:0] age = age_q + 9'd1;
    always @(posedge clk) begin
        age_q <= age == 9'd511 ? age_q : age;
        if (opens[chosen]) age_q <= 9'd1;
    end


    always @* begin
        decides:   assert (!started_q || (times_out[chosen] == expired_q[3][chosen] && (!expires[chosen] || open_q[chosen])));
        not_early: assert (!started_q || !expires[chosen] || (set_q && new_timeout == 6'd0)
                           || ((set_q || old_timeout != 6'd0) && age >= {3'd0, set_q ? least : old_timeout}));
        not_late:  assert (!started_q || old_timeout == 6'd0 || old_timeout != new_timeout || !open_q[chosen]
                       || age <= {3'd0, old_timeout} + LATEST);
    end
    always @* begin
        times_out_now:  cover (started_q && times_out[chosen]);
        saved:          cover (started_q && completes[chosen] && expired_q[2][chosen]);
        longest:        cover (started_q && expires[chosen] && timeout == LONGEST);
        changed:        cover (started_q && expires[chosen] && set_q && old_timeout == 6'd0);
    end
endmodule
`default_nettype wire
