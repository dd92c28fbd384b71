// SPDX-License-Identifier: Apache-2.0
// Purpose: which lines of which rows are ready for one kind of way: a bit a line (doc/hub/packet_manager.md section 5).
// Contract:
//   1. enter: a line of an entry became ready, with its nop. It waits in a FIFO of 8; while stand_still, 3 or more are there,
//      and what is not under way yet must not come.
//   2. choose names a word (entry, nop); never in two cycles that follow each other. Three cycles later found says
//      whether it had a line, and line is its lowest. Its bit is cleared.
//   3. Of what enters, a bit is set a cycle unless there is a choice: at most 20 cycles later. A choice sees all bits
//      set before.
//   4. some, a bit a word: it has a line, or is being given one. Right four cycles after a choice.
//   5. After reset all bits are cleared; before `initialised` nothing enters and nothing is chosen.
// How: read, take over, change and write back in three cycles; what is written meanwhile is forwarded.
// Cost: one operation a cycle. 2 ROWS x 2^(OFFSET_WIDTH - 7) memory bits, 2 ROWS flops.
// Limits: a line that is set must not be set again before it was chosen.
// Proved: formal/hub/formal_packet_manager_ready.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_ready #(
    parameter ROWS         = 32, // 1..64
    parameter OFFSET_WIDTH = 14  // 7..16
) (
    input  wire                                                    clk,
    input  wire                                                    rst,
    output wire                                                    initialised,
    input  wire                                                    enter_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                  enter_entry,
    input  wire                                                    enter_nop,
    input  wire [`MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7)) - 1:0] enter_line,
    output wire                                                    stand_still,
    input  wire                                                    choose_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                  choose_entry,
    input  wire                                                    choose_nop,
    output wire                                                    found,
    output wire [`MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7)) - 1:0] line,
    output wire [2 * ROWS - 1:0]                                   some
);
    generate
        if (ROWS < 1 || ROWS > 64) ROWS_must_be_1_to_64 u_rule ();
        if (OFFSET_WIDTH < 7 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_7_to_16 u_rule ();
    endgenerate

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINES       = 1 << (OFFSET_WIDTH - 7); // of a row
    localparam LINE_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam WORDS       = 2 * ROWS;
    localparam WORD_WIDTH  = `MOEHUB_INDEX_WIDTH(WORDS);
    localparam [31:0] LAST_WORD = WORDS - 1;
    localparam [WORD_WIDTH - 1:0] WORD_ONE = 1;
    localparam [LINES - 1:0] LINE_0 = 1;

    // ---- what enters --------------------------------------------------------------------------------------------------------
    wire                   set_valid;
    wire                   set;
    wire [ENTRY_WIDTH - 1:0] set_entry;
    wire                   set_nop;
    wire [LINE_WIDTH - 1:0] set_line;
    wire [3:0]             waiting;
    wire                   unused_room;
    moehub_fifo #(.WIDTH(ENTRY_WIDTH + 1 + LINE_WIDTH), .DEPTH(8)) u_entered (
        .clk(clk), .rst(rst), .in_valid(enter_valid), .in_ready(unused_room), .in_data({enter_line, enter_entry, enter_nop}),
        .out_valid(set_valid), .out_ready(!choose_valid), .out_data({set_line, set_entry, set_nop}), .count(waiting)
    );
    assign stand_still = waiting >= 4'd3;
    assign set         = set_valid && !choose_valid;

    // ---- read, and two cycles later change and write ------------------------------------------------------------------------
    reg [WORD_WIDTH - 1:0] clear_q; // the next word to clear
    reg                    initialised_q;
    reg                    s1_set_q;
    reg                    s1_choose_q;
    reg [WORD_WIDTH - 1:0] s1_word_q;
    reg [LINE_WIDTH - 1:0] s1_line_q;
    reg                    s1_same_q;   // the one before is of the same word
    reg                    s1_second_q; // ... the second before
    reg                    s2_set_q;
    reg                    s2_choose_q;
    reg [WORD_WIDTH - 1:0] s2_word_q;
    reg [LINES - 1:0]      s2_line_q;   // one-hot
    reg                    s2_same_q;
    reg [LINES - 1:0]      now_q;
    reg [LINES - 1:0]      written_q;
    reg [WORD_WIDTH - 1:0] chose_word_q;
    reg                    chose_q;     // written_q is what a choice left
    reg                    found_q;
    reg [LINE_WIDTH - 1:0] line_q;

    // Of two ROWS words, the entry's and the nop's bits name one; with ROWS 1 the entry has a bit that is always 0.
    wire [ENTRY_WIDTH:0]    name  = choose_valid ? {choose_entry, choose_nop} : {set_entry, set_nop};
    wire [WORD_WIDTH - 1:0] word  = name[WORD_WIDTH - 1:0];
    wire                    enter = set || choose_valid;
    generate
        if (ENTRY_WIDTH + 1 > WORD_WIDTH) begin : g_one_row
            wire unused_name = name[ENTRY_WIDTH];
        end
    endgenerate

    wire [LINES - 1:0]      read_data;
    wire                    s1_valid = s1_choose_q || s1_set_q;
    wire [LINES - 1:0]      lowest;
    wire [LINE_WIDTH - 1:0] lowest_line;
    wire [LINES - 1:0]      changed = s2_choose_q ? now_q & ~lowest : now_q | s2_line_q;
    wire                    write   = s2_choose_q || s2_set_q;
    // What entered behind a choice that empties the word gives it a line again.
    wire                    refilled = (s2_set_q && s2_same_q) || (s1_set_q && s1_second_q);
    wire                    emptied  = chose_q && written_q == {LINES{1'b0}} && !refilled;
    moehub_lowest_one #(.WIDTH(LINES)) u_lowest (.bits(now_q), .lowest(lowest));
    moehub_one_hot_index #(.WIDTH(LINES)) u_line (.one_hot(lowest), .index(lowest_line));

    wire unused_parity;
    moehub_memory_1r1w #(.WIDTH(LINES), .DEPTH(WORDS), .PARITY(0)) u_bits (
        .clk(clk), .write_enable(write || !initialised_q), .write_address(initialised_q ? s2_word_q : clear_q),
        .write_data(initialised_q ? changed : {LINES{1'b0}}), .read_enable(enter && !rst), .read_address(word),
        .read_data(read_data), .parity_error(unused_parity)
    );

    assign initialised = initialised_q;
    assign found       = found_q;
    assign line        = line_q;

    always @(posedge clk) begin
        if (!initialised_q) clear_q <= clear_q + WORD_ONE;
        if (clear_q == LAST_WORD[WORD_WIDTH - 1:0]) initialised_q <= 1'b1;
        s1_set_q        <= set;
        s1_choose_q     <= choose_valid;
        s1_word_q       <= word;
        s1_line_q       <= set_line;
        s1_same_q       <= s1_valid && s1_word_q == word;
        s1_second_q     <= write && s2_word_q == word;
        s2_set_q        <= s1_set_q;
        s2_choose_q     <= s1_choose_q;
        s2_word_q       <= s1_word_q;
        s2_line_q       <= LINE_0 << s1_line_q;
        s2_same_q       <= s1_same_q;
        now_q           <= s1_same_q ? changed : s1_second_q ? written_q : read_data;
        written_q       <= changed;
        chose_q         <= s2_choose_q;
        chose_word_q    <= s2_word_q;
        found_q         <= s2_choose_q && now_q != {LINES{1'b0}};
        line_q          <= lowest_line;
        if (rst) begin
            clear_q         <= {WORD_WIDTH{1'b0}};
            initialised_q   <= 1'b0;
            s1_set_q        <= 1'b0;
            s1_choose_q     <= 1'b0;
            s2_set_q        <= 1'b0;
            s2_choose_q     <= 1'b0;
            chose_q         <= 1'b0;
            found_q         <= 1'b0;
        end
    end

    // ---- which words have a line: set as its bit enters, so one cycle earlier than the bit ----------------------------
    genvar w;
    generate
        for (w = 0; w < WORDS; w = w + 1) begin : g_word
            localparam [31:0] NUMBER = w;
            reg some_q;
            assign some[w] = some_q;
            always @(posedge clk) begin
                if (emptied && chose_word_q == NUMBER[WORD_WIDTH - 1:0]) some_q <= 1'b0;
                if (set && word == NUMBER[WORD_WIDTH - 1:0]) some_q <= 1'b1;
                if (rst) some_q <= 1'b0;
            end
        end
    endgenerate
endmodule

`default_nettype wire
