// SPDX-License-Identifier: Apache-2.0
// Purpose: the pending table: entries for table operations, each tied to the line that it is about.
// Contract:
//   1. give_valid hands entry_id, which is free while entry_valid is high, to the head's operation and ties it to head_line.
//      The tie ends when the fill is written to the line (release), or the first's write has its B response (written).
//      A line has at most one tied entry; that is what "pending" means.
//   2. next_match: the entry tied to near_line at the end of this cycle, one-hot or none; one that would be given in this cycle
//      to a head on the same line counts as given. untie: entries whose tie ends in this cycle.
//   3. An entry goes back once its tie has ended and every request that waits for its result, join_valid with head_match, has
//      read it (consumed): the lowest such, one a cycle. The miss that takes an entry waits for it itself.
//   4. resolved[e]: the result of e is there. fills[e]: e is a miss's read, else a first's read and write.
//   5. unanswered[e]: e's operation is in flight. A fill that has arrived and not yet reached its line is no longer: whoever
//      needs the line meets its tie.
// Cost: PENDING x (line + references + 4) flops and PENDING line comparators.
// Proved: formal/hub/formal_al_pending.v, with moehub_al_pending around it
`default_nettype none
`include "moehub_width.vh"

module moehub_al_entries #(
    parameter LINES   = 512,
    parameter PENDING = 64,
    parameter WAITING = 128,
    parameter PARITY  = 0
) (
    input  wire                                      clk,
    input  wire                                      rst,
    // the oldest lookup and what becomes of it
    input  wire                                      head_asks,  // there is one, and it needs a table operation
    input  wire                                      head_first,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]   head_line,
    input  wire [PENDING - 1:0]                      head_match, // entry tied to its line
    input  wire                                      give_valid,
    input  wire                                      join_valid,
    output wire                                      entry_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] entry_id,
    output wire [PENDING - 1:0]                      give,       // one-hot
    // the second oldest
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]   near_line,
    output wire [PENDING - 1:0]                      next_match,
    // results
    input  wire                                      fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] fill_entry,
    input  wire                                      written_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] written_entry,
    input  wire                                      consumed_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] consumed_entry,
    input  wire [PENDING - 1:0]                      offered_entry, // one-hot
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]   release_line,  // the line that it is tied to
    input  wire [PENDING - 1:0]                      release_entry, // one-hot or none
    output wire [PENDING - 1:0]                      untie,
    output wire [PENDING - 1:0]                      fills,
    output wire [PENDING - 1:0]                      resolved,
    output wire [PENDING - 1:0]                      unanswered,
    output wire [$clog2(PENDING + 1) - 1:0]          pending_used,
    output wire                                      entries_parity // an error in the list of free entries
);

    localparam ENTRY_WIDTH     = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam LINE_WIDTH      = `MOEHUB_INDEX_WIDTH(LINES);
    localparam REFERENCE_WIDTH = $clog2(WAITING + 1);
    localparam [REFERENCE_WIDTH - 1:0] REFERENCE_ONE = 1;

    reg  [PENDING - 1:0]              active_q; // given away
    reg  [PENDING - 1:0]              tied_q;   // its line is pending
    reg  [PENDING - 1:0]              fill_q;
    reg  [PENDING - 1:0]              resolved_q;
    wire [PENDING * LINE_WIDTH - 1:0] lines;
    wire [PENDING - 1:0]              idle;     // nobody refers to the result
    wire [PENDING - 1:0]              entry_onehot;
    wire [PENDING - 1:0]              written_onehot;
    wire [PENDING - 1:0]              filled_onehot;

    wire [PENDING - 1:0] joins = head_match & {PENDING{join_valid}};
    wire                 head_line_is_next = head_line == near_line;
    assign give        = entry_onehot & {PENDING{give_valid}};
    assign untie       = release_entry | written_onehot;
    assign fills       = fill_q;
    assign resolved    = resolved_q;
    assign unanswered  = tied_q & ~(fill_q & resolved_q);
    assign release_line = line_of(offered_entry, lines);

    // Line by line, not bit by bit as in moehub_one_hot_mux: of 256 lines of 15 bits Verilator 5.006 (step DFG) loses bits there.
    function [LINE_WIDTH - 1:0] line_of(input [PENDING - 1:0] entry, input [PENDING * LINE_WIDTH - 1:0] words);
        integer i;
        begin
            line_of = {LINE_WIDTH{1'b0}};
            for (i = 0; i < PENDING; i = i + 1)
                line_of = line_of | (words[i * LINE_WIDTH +: LINE_WIDTH] & {LINE_WIDTH{entry[i]}});
        end
    endfunction

    genvar e;
    generate
        for (e = 0; e < PENDING; e = e + 1) begin : g_entry
            localparam [31:0] NAME = e;
            reg  [LINE_WIDTH - 1:0]      line_q;
            reg  [REFERENCE_WIDTH - 1:0] references_q;
            wire                         drop = consumed_valid && consumed_entry == NAME[ENTRY_WIDTH - 1:0];

            assign entry_onehot[e]   = entry_id == NAME[ENTRY_WIDTH - 1:0];
            assign written_onehot[e] = written_valid && written_entry == NAME[ENTRY_WIDTH - 1:0];
            assign filled_onehot[e]  = fill_valid && fill_entry == NAME[ENTRY_WIDTH - 1:0];
            assign lines[e * LINE_WIDTH +: LINE_WIDTH] = line_q;
            assign idle[e] = references_q == {REFERENCE_WIDTH{1'b0}};
            assign next_match[e] = (tied_q[e] && !untie[e] && line_q == near_line)
                || (entry_onehot[e] && head_asks && head_line_is_next);

            always @(posedge clk) begin
                if (give[e]) line_q <= head_line;
            end
            always @(posedge clk) begin
                if (give[e]) references_q <= head_first ? {REFERENCE_WIDTH{1'b0}} : REFERENCE_ONE;
                else if (joins[e] && !drop) references_q <= references_q + REFERENCE_ONE;
                else if (drop && !joins[e]) references_q <= references_q - REFERENCE_ONE;
                if (rst) references_q <= {REFERENCE_WIDTH{1'b0}};
            end
        end
    endgenerate

    // ---- entries go back once nobody refers to them: the lowest such, one a cycle -----------------------------------
    wire [PENDING - 1:0]     done = active_q & ~tied_q & idle;
    wire [PENDING - 1:0]     back;
    wire [ENTRY_WIDTH - 1:0] back_entry;
    reg                      back_valid_q;
    reg  [ENTRY_WIDTH - 1:0] back_entry_q;
    moehub_lowest_one #(.WIDTH(PENDING)) u_back (.bits(done), .lowest(back));
    moehub_one_hot_index #(.WIDTH(PENDING)) u_back_entry (.one_hot(back), .index(back_entry));

    wire unused_next_valid;
    moehub_free_list #(.ENTRIES(PENDING), .PARITY(PARITY)) u_free (
        .clk(clk), .rst(rst), .valid(entry_valid), .next_valid(unused_next_valid), .id(entry_id), .take(give_valid),
        .put_valid(back_valid_q), .put_id(back_entry_q), .used(pending_used), .parity_error(entries_parity)
    );

    always @(posedge clk) begin
        active_q     <= (active_q & ~back) | give;
        tied_q       <= (tied_q & ~untie) | give;
        resolved_q   <= (resolved_q & ~give) | filled_onehot;
        back_valid_q <= |done;
        if (rst) begin
            active_q     <= {PENDING{1'b0}};
            tied_q       <= {PENDING{1'b0}};
            resolved_q   <= {PENDING{1'b0}};
            back_valid_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        fill_q       <= head_first ? fill_q & ~give : fill_q | give;
        back_entry_q <= back_entry;
    end
endmodule

`default_nettype wire
