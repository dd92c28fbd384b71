// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_entries: of each entry what the operations made of it, of one entry all that is known of its row, and how
// many entries of a context are not free.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_entries #(
    parameter CONTEXTS        = 2,
    parameter ROWS            = 2,
    parameter LINES           = 3,
    parameter ROW_INDEX_WIDTH = 3
) (
    input wire                                   clk,
    input wire                                   rst,
    input wire                                   take,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] take_entry,
    input wire [2:0]                             take_context,
    input wire                                   take_immediate,
    input wire [ROW_INDEX_WIDTH - 1:0]           take_row_index,
    input wire                                   decide,
    input wire                                   decide_opens,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] decide_entry,
    input wire [1:0]                             decide_link,
    input wire [1:0]                             decide_kinds,
    input wire                                   leave,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] leave_entry,
    input wire                                   gone,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] gone_entry,
    input wire [CONTEXTS - 1:0]                  abort,
    input wire                                   store_ends,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] store_entry,
    input wire                                   lock,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] lock_entry,
    input wire                                   lock_kind,
    input wire                                   line_more,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] line_more_entry,
    input wire                                   line_less,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] line_less_entry
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    wire [ROWS - 1:0]                   opening;
    wire [ROWS - 1:0]                   open;
    wire [ROWS - 1:0]                   aborted;
    wire [ROWS - 1:0]                   stored_all;
    wire [ROWS - 1:0]                   no_lines;
    wire [2 * ROWS - 1:0]               sent;
    wire [2 * ROWS - 1:0]               kinds;
    wire [2 * ROWS - 1:0]               links;
    wire [ROWS - 1:0]                   immediate;
    wire [3 * ROWS - 1:0]               contexts;
    wire [8 * ROWS - 1:0]               generations;
    wire [ROWS * ROW_INDEX_WIDTH - 1:0] indices;
    wire [CONTEXTS * 7 - 1:0]           rows;
    wire [6:0]                          used;
    moehub_packet_manager_entries #(
        .CONTEXTS(CONTEXTS), .ROWS(ROWS), .LINES(LINES), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)
    ) u_entries (
        .clk(clk), .rst(rst), .take(take), .take_entry(take_entry), .take_context(take_context),
        .take_immediate(take_immediate), .take_row_index(take_row_index), .decide(decide), .decide_opens(decide_opens),
        .decide_entry(decide_entry), .decide_link(decide_link), .decide_kinds(decide_kinds), .leave(leave),
        .leave_entry(leave_entry), .gone(gone), .gone_entry(gone_entry), .abort(abort), .store_ends(store_ends),
        .store_entry(store_entry), .lock(lock), .lock_entry(lock_entry), .lock_kind(lock_kind), .line_more(line_more),
        .line_more_entry(line_more_entry), .line_less(line_less), .line_less_entry(line_less_entry), .opening(opening),
        .open(open), .aborted(aborted), .stored_all(stored_all), .no_lines(no_lines), .sent(sent), .kinds(kinds),
        .links(links), .immediate(immediate), .contexts(contexts), .generations(generations), .indices(indices),
        .rows(rows), .used(used)
    );

    // ---- states of all, one bit each; none: free ---------------------------------------------------------------------------
    reg [ROWS - 1:0]     opening_q = {ROWS{1'b0}};
    reg [ROWS - 1:0]     open_q    = {ROWS{1'b0}};
    reg [ROWS - 1:0]     leaving_q = {ROWS{1'b0}};
    reg [3 * ROWS - 1:0] contexts_q; // of the row that was taken last
    wire [ROWS - 1:0]    in_use    = opening_q | open_q | leaving_q;
    always @(posedge clk) begin
        if (take) begin
            opening_q[take_entry] <= 1'b1;
            contexts_q[take_entry * 3 +: 3] <= take_context;
        end
        if (decide) begin
            opening_q[decide_entry] <= 1'b0;
            open_q[decide_entry]    <= decide_opens;
        end
        if (leave) begin
            open_q[leave_entry]    <= 1'b0;
            leaving_q[leave_entry] <= 1'b1;
        end
        if (gone) leaving_q[gone_entry] <= 1'b0;
        if (rst) begin
            opening_q <= {ROWS{1'b0}};
            open_q    <= {ROWS{1'b0}};
            leaving_q <= {ROWS{1'b0}};
        end
    end
    always @* begin
        assume (!take || (take_entry < ROWS && !in_use[take_entry]));
        assume (!decide || (decide_entry < ROWS && opening_q[decide_entry]));
        assume (!leave || (leave_entry < ROWS && open_q[leave_entry]));
        assume (!gone || (gone_entry < ROWS && leaving_q[gone_entry]));
        assume (!(gone && decide && !decide_opens));
        assume (!store_ends || (store_entry < ROWS && in_use[store_entry]));
        assume (!lock || (lock_entry < ROWS && in_use[lock_entry]));
    end

    // ---- one entry ---------------------------------------------------------------------------------------------------------
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] e;
    always @* assume (e < ROWS);
    wire takes   = take && take_entry == e;
    wire decides = decide && decide_entry == e;
    wire more    = line_more && line_more_entry == e;
    wire less    = line_less && line_less_entry == e;
    wire [7:0] aborts = abort;
    reg                         taken_q    = 1'b0; // a row was, since reset
    reg                         decided_q  = 1'b0;
    reg                         aborted_q  = 1'b1;
    reg                         stored_q   = 1'b0;
    reg [1:0]                   sent_q     = 2'b00;
    reg                         immediate_q;
    reg [ROW_INDEX_WIDTH - 1:0] index_q;
    reg [1:0]                   link_q;
    reg [1:0]                   kinds_q;
    reg [7:0]                   generation_q;      // in the cycle before
    reg                         takes_q    = 1'b0; // a row took it then
    reg [3:0]                   lines_q    = 4'd0; // buffers of its lines
    reg [3:0]                   shown_q    = 4'd0; // ... of a cycle before, and those that came then
    always @(posedge clk) begin
        takes_q      <= takes && !rst;
        generation_q <= generations[e * 8 +: 8];
        if ((opening_q[e] || open_q[e]) && aborts[contexts_q[e * 3 +: 3]]) aborted_q <= 1'b1;
        if (decides) begin
            decided_q <= 1'b1;
            link_q    <= decide_link;
            kinds_q   <= decide_kinds;
            if (!decide_opens) aborted_q <= 1'b1;
        end
        if (store_ends && store_entry == e) stored_q <= 1'b1;
        if (lock && lock_entry == e) sent_q[lock_kind] <= 1'b1;
        if (takes) begin
            taken_q     <= 1'b1;
            aborted_q   <= 1'b0;
            stored_q    <= 1'b0;
            sent_q      <= 2'b00;
            immediate_q <= take_immediate;
            index_q     <= take_row_index;
        end
        lines_q <= lines_q + more - less;
        shown_q <= lines_q + more;
        if (rst) begin
            taken_q   <= 1'b0;
            decided_q <= 1'b0;
            aborted_q <= 1'b1;
            lines_q   <= 4'd0;
            shown_q   <= 4'd0;
        end
    end
    always @* begin
        assume (!line_less || line_less_entry < ROWS);
        assume (!line_more || line_more_entry < ROWS);
        assume (!more || lines_q < LINES);
        assume (!less || lines_q != 4'd0);
    end

    // ---- how many are in use -----------------------------------------------------------------------------------------------
    (* anyconst *) wire [2:0] context;
    always @* assume (context < CONTEXTS);
    reg [6:0] of_context;
    reg [6:0] of_all;
    reg [6:0] of_context_q = 7'd0;
    reg [6:0] of_all_q     = 7'd0;
    integer   i;
    always @* begin
        of_context = 7'd0;
        of_all     = 7'd0;
        for (i = 0; i < ROWS; i = i + 1) begin
            of_all     = of_all + in_use[i];
            of_context = of_context + (in_use[i] && contexts_q[i * 3 +: 3] == context);
        end
    end
    always @(posedge clk) begin
        of_context_q <= rst ? 7'd0 : of_context;
        of_all_q     <= rst ? 7'd0 : of_all;
    end

    always @* if (started_q) begin
        states:      assert (opening == opening_q && open == open_q);
        generation:  assert (generations[e * 8 +: 8] == (reset_q ? 8'd0 : generation_q + takes_q));
        is_aborted:  assert (aborted[e] == aborted_q);
        is_stored:   assert (!taken_q || stored_all[e] == stored_q);
        has_sent:    assert (!taken_q || sent[e * 2 +: 2] == sent_q);
        as_taken:    assert (!taken_q || (immediate[e] == immediate_q && contexts[e * 3 +: 3] == contexts_q[e * 3 +: 3]
                                          && indices[e * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH] == index_q));
        as_decided:  assert (!decided_q || (links[e * 2 +: 2] == link_q && kinds[e * 2 +: 2] == kinds_q));
        lines:       assert (no_lines[e] == (shown_q == 4'd0));
        rows_are:    assert (rows[context * 7 +: 7] == of_context_q);
        used_are:    assert (used == of_all_q);
    end
    always @* begin
        second_row: cover (started_q && open_q[e] && decided_q && takes_q == 1'b0 && generation_q == 8'd2 && kinds_q != 2'd0);
        is_full:    cover (started_q && of_context_q == ROWS && !open_q[e]);
        aborts_it:  cover (started_q && open_q[e] && aborted_q && stored_q && sent_q == 2'b10);
        all_lines:  cover (started_q && lines_q == LINES && less);
    end
endmodule
`default_nettype wire
