// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_lines between a hand and a list of free buffers that tell what they are told: a buffer is given back
// once, as the line that it was, when all kinds of its row have left it, or the hand frees it, whatever becomes of the others;
// the hand hears of each line that fills, of each that fills no more, and of ways that are owed more than three: of what has not
// left always, of what has left until it is settled. One buffer and one way are the solver's choice.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_lines #(
    parameter LINKS = 2,
    parameter LINES = 4
) (
    input wire       clk,
    input wire       rst,
    input wire       settle_ready,
    input wire       slot_take,
    input wire       took,
    input wire       became,
    input wire       freed,
    input wire       lost,
    input wire       lost_kind,
    input wire [2:0] step_slot,
    input wire       step_entry,
    input wire [2:0] step_line,
    input wire       read_valid,
    input wire       read_kind,
    input wire [2:0] read_slot,
    input wire       read_entry,
    input wire [2:0] read_line
);
`include "formal_reset.vh"
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam COUNT_WIDTH = $clog2(LINES + 1);

    // Rows of either kind, or of both, of either link.
    (* anyconst *) wire [3:0] kinds;
    (* anyconst *) wire [1:0] second; // link, of a row
    wire [3:0]                links = LINKS == 1 ? 4'd0 : {1'b0, second[1], 1'b0, second[0]};
    wire                      initialised;
    wire                      read_ready;
    wire                      gone;
    wire                      gone_entry;
    wire [2:0]                gone_line;
    wire                      put_valid;
    wire [SLOT_WIDTH - 1:0]   put_slot;
    wire [COUNT_WIDTH - 1:0]  taken;
    wire                      fills;
    wire [SLOT_WIDTH - 1:0]   told_slot;
    wire                      told_entry;
    wire [2:0]                told_line;
    wire [2:0]                owed_many;
    moehub_packet_manager_lines #(.LINKS(LINKS), .OFFSET_WIDTH(10), .ROWS(2), .LINES(LINES)) u_lines (
        .clk(clk), .rst(rst), .initialised(initialised), .line_timeout(16'd1), .aborted(2'b00), .stored_all(2'b00),
        .kinds(kinds), .links(links), .store_room({LINKS + 1{1'b0}}), .wants_slot(1'b0), .slot_valid(put_valid),
        .slot(put_slot), .used(taken), .slot_take(slot_take), .took(took), .became(became), .freed(freed), .lost(lost),
        .lost_kind(lost_kind), .step_slot(step_slot[SLOT_WIDTH - 1:0]), .step_entry(step_entry), .step_line(step_line),
        .step_kinds(kinds[step_entry * 2 +: 2]), .step_link(links[step_entry * 2 +: 2]), .read_valid(read_valid),
        .read_ready(read_ready), .read_kind(read_kind), .read_slot(read_slot[SLOT_WIDTH - 1:0]),
        .read_entry(read_entry), .read_line(read_line), .settle_ready(settle_ready), .gone(gone),
        .gone_entry(gone_entry), .gone_line(gone_line), .hand_valid(fills), .hand_ready(1'b0), .hand_slot(told_slot),
        .hand_entry(told_entry), .hand_line(told_line), .hand_reasons(owed_many)
    );

    // ---- one buffer, always of the same line: free, or one of these -----------------------------------------------------
    (* anyconst *) wire [2:0] its_slot;
    (* anyconst *) wire       its_entry;
    (* anyconst *) wire [2:0] its_line;
    reg        filling_q = 1'b0;
    reg  [1:0] ready_q   = 2'b00; // a kind that has not left it
    reg        given_q   = 1'b0;  // to be given back
    wire [1:0] its_kinds = kinds[its_entry * 2 +: 2];
    wire       of_step   = step_slot == its_slot;
    wire       of_read   = read_slot == its_slot;
    wire       its_gone  = gone && put_slot == its_slot[SLOT_WIDTH - 1:0];
    wire [1:0] left      = {lost && of_step && lost_kind, lost && of_step && !lost_kind}
        | {read_valid && of_read && read_kind, read_valid && of_read && !read_kind};
    wire [1:0] still     = ready_q & ~left;
    reg        turn_q    = 1'b0;  // settle_ready, a cycle before
    reg        reads_q   = 1'b0;  // read_ready, a cycle before
    reg  [3:0] cleared_q = 4'd0;  // cycles since reset, up to LINES
    always @* begin
        assume (kinds[1:0] != 2'd0 && kinds[3:2] != 2'd0);
        assume (its_slot < LINES && step_slot < LINES && read_slot < LINES);
        assume (initialised || !(took || became || freed || lost || read_valid));
        assume (!(freed || lost) || (turn_q && !took && !became && !(freed && lost)));
        assume (!read_valid || reads_q);
        assume (!of_step || !(took || became || freed || lost) || (step_entry == its_entry && step_line == its_line));
        assume (!of_read || !read_valid || (read_entry == its_entry && read_line == its_line));
        assume (!(took && of_step) || (!filling_q && ready_q == 2'b00 && !given_q));
        assume (!(became && of_step) || took || filling_q);
        assume (!(freed && of_step) || filling_q);
        assume ((left & ~ready_q) == 2'b00);
        assume (!(lost && read_valid && of_step && of_read) || lost_kind != read_kind);
    end
    always @(posedge clk) begin
        turn_q    <= settle_ready && !rst;
        reads_q   <= read_ready && !rst;
        cleared_q <= rst ? 4'd0 : cleared_q + {3'd0, cleared_q != LINES};
        if (took && of_step) filling_q <= 1'b1;
        if ((became || freed) && of_step) filling_q <= 1'b0;
        ready_q   <= became && of_step ? its_kinds : still;
        given_q   <= (given_q && !its_gone) || (ready_q != 2'b00 && still == 2'b00) || (freed && of_step);
        if (rst) {filling_q, ready_q, given_q} <= 4'd0;
    end

    // ---- in time: before it come all that were given up, and what was read before; each takes a turn ---------------------
    reg  [3:0] idle_q = 4'd0; // turns in which it could be given back, less those that new ones need
    reg  [3:0] shut_q = 4'd0; // ... in which a way could not tell what it read
    reg  [2:0] ever_q = 3'd0; // it was given back: freed, after one kind, after both
    wire       more   = settle_ready && !freed && !lost;
    wire       less   = !settle_ready && (freed || lost);
    always @(posedge clk) begin
        idle_q <= rst || its_gone || !given_q ? 4'd0 : more && idle_q != 4'd15 ? idle_q + 4'd1
            : less && idle_q != 4'd0 ? idle_q - 4'd1 : idle_q;
        shut_q <= rst || read_ready ? 4'd0 : more && shut_q != 4'd15 ? shut_q + 4'd1
            : less && shut_q != 4'd0 ? shut_q - 4'd1 : shut_q;
        ever_q <= ever_q | {ready_q == 2'b11 && still == 2'b00, ready_q != 2'b11 && ready_q != 2'b00 && still == 2'b00,
            freed && of_step};
    end

    // ---- lines that are owed to one way, or to none that is looked at (3): at most five, and no more than its count can tell --
    localparam [3:0] BEHIND = 4'd14; // turns to settle all that left
    (* anyconst *) wire [1:0] its_way;
    wire       looked  = its_way <= LINKS;
    wire       of_loop = its_way == LINKS;
    wire       is_ours = of_loop ? kinds[step_entry * 2 + 1] : kinds[step_entry * 2] && links[step_entry * 2 +: 2] == its_way;
    wire       ours    = became && is_ours;
    wire       lost_ours = lost && lost_kind == of_loop && (of_loop || links[step_entry * 2 +: 2] == its_way);
    wire       read_ours = read_valid && read_kind == of_loop && (of_loop || links[read_entry * 2 +: 2] == its_way);
    reg  [2:0] owed_q   = 3'd0;
    reg  [2:0] owed_1_q = 3'd0; // a cycle before
    reg  [3:0] behind_q = 4'd0;
    reg  [3:0] recent_q = 4'd0; // left, and may not be settled
    wire [2:0] leave    = {2'd0, lost_ours} + {2'd0, read_ours};
    // What has left its way, or its buffer, and is not settled: told by names inside, which a block of mutants has not.
`ifdef FORMAL_MUTANTS
    wire counted = 1'b1;
    wire settled = 1'b1;
`else
    (* hierconn *) wire       \u_lines.settles ;
    (* hierconn *) wire       \u_lines.last_freed_q ;
    (* hierconn *) wire       \u_lines.last_kind_q ;
    (* hierconn *) wire [1:0] \u_lines.last_link_q ;
    wire       settles      = \u_lines.settles && !\u_lines.last_freed_q ;
    wire       settles_ours = settles && \u_lines.last_kind_q == of_loop && (of_loop || \u_lines.last_link_q == its_way);
    wire       settles_its  = settles && put_slot == its_slot[SLOT_WIDTH - 1:0];
    wire [1:0] its_settled  = {settles_its && \u_lines.last_kind_q , settles_its && !\u_lines.last_kind_q };
    reg  [COUNT_WIDTH - 1:0] number_q   = {COUNT_WIDTH{1'b0}}; // owed: became, and not settled
    reg  [COUNT_WIDTH - 1:0] number_1_q = {COUNT_WIDTH{1'b0}};
    reg  [1:0]               unsettled_q = 2'b00; // kinds that have left its buffer
    always @(posedge clk) begin
        number_q    <= number_q + {{COUNT_WIDTH - 1{1'b0}}, ours} - {{COUNT_WIDTH - 1{1'b0}}, settles_ours};
        number_1_q  <= number_q;
        unsettled_q <= (unsettled_q & ~its_settled) | left;
        if (rst) begin
            number_q    <= {COUNT_WIDTH{1'b0}};
            number_1_q  <= {COUNT_WIDTH{1'b0}};
            unsettled_q <= 2'b00;
        end
    end
    wire counted = !looked || owed_many[its_way] == (number_1_q >= 4);
    wire settled = (its_settled & ~unsettled_q) == 2'b00
        && (its_settled == 2'b00 || \u_lines.last_link_q == links[its_entry * 2 +: 2]);
`endif
    always @* begin
        assume (!looked || (leave <= owed_q && !(ours && owed_q == 3'd5)));
        assume (!looked || {2'b00, owed_q} + {1'b0, recent_q} + {4'd0, ours} < 5'd1 << COUNT_WIDTH);
    end
    always @(posedge clk) begin
        owed_q   <= looked ? owed_q + {2'd0, ours} - leave : 3'd0;
        owed_1_q <= owed_q;
        recent_q <= behind_q == 4'd0 ? {1'b0, leave} : recent_q + {1'b0, leave};
        behind_q <= freed || lost || read_valid ? BEHIND : behind_q - {3'd0, settle_ready && behind_q != 4'd0};
        if (rst) begin
            owed_q   <= 3'd0;
            owed_1_q <= 3'd0;
            behind_q <= 4'd0;
            recent_q <= 4'd0;
        end
    end

    always @* if (started_q && !rst) begin
        cleared:    assert (initialised == (cleared_q == LINES) && (initialised || told_slot == cleared_q));
        passed_on:  assert (fills == (took && !became) && taken == {COUNT_WIDTH{slot_take}} && told_entry == step_entry
            && told_line == (became || freed ? ~step_line : step_line) && (!initialised || told_slot == step_slot));
        put_back:   assert (put_valid == gone && (!gone || settle_ready));
        not_more:   assert (!its_gone || given_q);
        as_given:   assert (!its_gone || (gone_entry == its_entry && gone_line == its_line));
        given_back: assert (idle_q < 4'd8);
        read_soon:  assert (!initialised || shut_q < 4'd7);
        owed_is:    assert (counted);
        settled_is: assert (settled);
        owed_least: assert (!looked || owed_many[its_way] || owed_q < 3'd4 || owed_1_q < 3'd4);
        owed_most:  assert (!looked || !owed_many[its_way] || behind_q != 4'd0 || owed_1_q >= 3'd4);
    end
    always @* begin
        again:     cover (filling_q && ever_q[0]);
        two_kinds: cover (its_gone && ever_q[2]);
        waits:     cover (idle_q == 4'd7);
        shut:      cover (shut_q == 4'd6);
        many:      cover (looked && !of_loop && owed_many[its_way] && owed_q == 3'd3);
        fewer:     cover (looked && of_loop && !owed_many[its_way] && owed_1_q == 3'd3 && behind_q == 4'd12);
    end
endmodule
`default_nettype wire
