// SPDX-License-Identifier: Apache-2.0
// Purpose: the one order of stores, locks, discards, openings of rows, and of what the hand does
//   (doc/hub/packet_manager.md section 4).
// Contract:
//   1. One operation a cycle: what is chosen to leave first, then a row that opens, then the hand's, then a store; of the last
//      two none with stand_still.
//   2. Each sees at step 5 all that was at step 5 before it. A store that must wait is tried again, with all behind it.
//   3. At step 5: decided, of a row; locked and record, of a line that leaves. done, of a store: in the cycle after its step 5.
//      At step 6, of `line`: took, a store got the buffer line_slot; merge_*; became_valid: it is made ready; freed: the hand
//      gives its buffer back. hand_made: it became ready by the hand.
//   4. slot is what is free; slot_take, at step 5, takes it. free_valid: a line's buffer is free, three cycles after its lock or
//      later; the map forgets it. free_ready is low while a store at step 5 may take one.
//   5. counts_*: packets sent and targets of an entry, for who adds up pairs: in the cycle after counts_ready.
// How: 1 take; 2 map and store are read; 3 the line's word (mask, and how far it is) and the row's bytes are read; 4 the row is
//   looked up; 5 the operation; 6 the line's word and bytes are written. What was read before is forwarded from steps 6 and 7 by
//   flags that say which operations before are of the same line or row, so that no name is compared late.
// Cost: latency 4 from step 1 to step 5, 5 to step 6.
// Proved: formal/hub/formal_packet_manager_pipeline.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"

module moehub_packet_manager_pipeline #(
    parameter CONTEXTS        = 4,   // 1..8
    parameter OFFSET_WIDTH    = 14,  // 7..16
    parameter ROW_INDEX_WIDTH = 20,  // 1..32
    parameter ROWS            = 32,  // 1..64
    parameter LINES           = 448, // 1..4096
    parameter STORE_BYTES     = 32   // 16, 32, 64, 128
) (
    input  wire                                     clk,
    input  wire                                     rst,
    output wire                                     initialised,
    input  wire [CONTEXTS * 4 - 1:0]                rounds,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    // entries
    input  wire [ROWS - 1:0]                        open,
    input  wire [ROWS - 1:0]                        opening,
    input  wire [ROWS - 1:0]                        aborted,
    input  wire [2 * ROWS - 1:0]                    sent,
    input  wire [2 * ROWS - 1:0]                    kinds,
    input  wire [2 * ROWS - 1:0]                    links,
    input  wire [ROWS - 1:0]                        immediate,
    input  wire [3 * ROWS - 1:0]                    contexts,
    input  wire [8 * ROWS - 1:0]                    generations,
    input  wire [ROWS * ROW_INDEX_WIDTH - 1:0]      indices,
    input  wire                                     take,  // a row is taken
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   take_entry,
    input  wire                                     leave, // one leaves
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   leave_entry,
    // what leaves
    input  wire                                     lock_valid,
    input  wire                                     lock_discards,
    input  wire [2:0]                               lock_way,
    input  wire                                     lock_kind,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   lock_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] lock_line,
    output wire                                     locked,
    output wire [2:0]                               locked_way,
    output wire [`MOEHUB_LOCKED_LINE_WIDTH(ROWS, OFFSET_WIDTH, LINES) - 1:0] locked_record,
    output wire                                     left_kind, // of the line that is locked or discarded
    // rows that open
    input  wire                                     open_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   open_entry,
    input  wire [3:0]                               open_status,
    input  wire [5:0]                               open_remotes,
    input  wire [5:0]                               open_owns,
    output wire                                     decided,
    output wire [3:0]                               decided_status,
    // the hand: makes a filling line ready, or frees it if its row is aborted
    input  wire                                     hand_valid,
    output wire                                     hand_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  hand_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   hand_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] hand_line,
    input  wire [2:0]                               hand_reasons,
    output wire [2:0]                               hand_made, // reasons, at step 6
    // stores
    input  wire                                     stand_still,
    input  wire                                     next_valid,
    input  wire [2:0]                               next_place,
    input  wire [15:0]                              next_handle,
    input  wire [15:0]                              next_offset,
    input  wire                                     next_nop,
    output wire                                     issue,
    output wire                                     read,
    output wire [2:0]                               read_place,
    input  wire [STORE_BYTES - 1:0]                 read_mask,
    output wire                                     data_read, // at step 5: its data at step 6
    output wire [2:0]                               data_place,
    output wire                                     done,
    output wire                                     again,
    output wire                                     wants_slot, // a store waits for one
    // step 5
    input  wire                                     slot_valid, // a free one
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  slot,
    output wire                                     slot_take,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   step_entry,
    // step 6
    output wire                                     took,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  line_slot,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   line_entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] line,
    output wire [1:0]                               line_kinds, // of its row
    output wire [1:0]                               line_link,
    output wire                                     line_nop,
    output wire                                     line_lost,  // discarded, for the kind line_lost_kind
    output wire                                     line_lost_kind,
    output wire                                     became_valid,
    output wire                                     freed,
    output wire                                     store_ends,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  next_slot, // what line_slot is in the next cycle
    output wire [127:0]                             merge_bytes,
    // lines that are free
    input  wire                                     free_valid,
    output wire                                     free_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   free_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] free_line,
    // counts of an entry
    input  wire                                     counts_valid,
    output wire                                     counts_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   counts_entry,
    output wire [33:0]                              counts_sent,    // up, loop
    output wire [11:0]                              counts_targets, // remote, own
    // report
    output wire [`MOEHUB_STORE_STEP_EVENTS_WIDTH - 1:0] events,
    output wire                                     fails, // flags the context
    output wire [2:0]                               row_context,
    output wire [ROW_INDEX_WIDTH - 1:0]             row_index,
    output wire [15:0]                              store_handle,
    output wire [15:0]                              store_offset
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam ROW_LINES   = `MOEHUB_LINES_OF_ROW(OFFSET_WIDTH);
    localparam MAP_WORDS   = ROWS * ROW_LINES;
    localparam MAP_WIDTH   = `MOEHUB_INDEX_WIDTH(MAP_WORDS);
    localparam SIZE_WIDTH  = OFFSET_WIDTH + 1;
    localparam UNITS       = STORE_BYTES / 16;
    localparam PLACES      = STORE_BYTES < 1 ? 1 : 128 / STORE_BYTES; // of a store in a line
    localparam [31:0] ROWS_32  = ROWS;
    localparam [31:0] LAST_MAP = MAP_WORDS - 1;
    localparam [MAP_WIDTH - 1:0] MAP_ONE = 1;
    localparam [31:0] LINE_MASK = ROW_LINES - 1; // a row of one line has a bit in its names that is 0
    localparam [31:0] STORE_32 = STORE_BYTES - 1;
    localparam [15:0] IN_STORE = STORE_32[15:0];
    localparam [2:0] LOCK    = 3'd0;
    localparam [2:0] DISCARD = 3'd1;
    localparam [2:0] OPEN    = 3'd2;
    localparam [2:0] HAND    = 3'd3;
    localparam [2:0] STORE   = 3'd4;
    // A line's word: mask, nop, and how far it is; filling: neither.
    localparam NOP        = 128;
    localparam LOCKED     = 129;
    localparam READY      = 130;
    localparam WORD_WIDTH = 131;

    wire [8 * SIZE_WIDTH - 1:0] sizes_8;
    wire [31:0]                 rounds_8;
    genvar c;
    generate
        for (c = 0; c < 8; c = c + 1) begin : g_context
            if (c < CONTEXTS) begin : g_there
                assign sizes_8[c * SIZE_WIDTH +: SIZE_WIDTH] = row_sizes[c * SIZE_WIDTH +: SIZE_WIDTH];
                assign rounds_8[c * 4 +: 4]                  = rounds[c * 4 +: 4];
            end else begin : g_none
                assign sizes_8[c * SIZE_WIDTH +: SIZE_WIDTH] = {SIZE_WIDTH{1'b0}};
                assign rounds_8[c * 4 +: 4]                  = 4'd0;
            end
        end
    endgenerate

    // ---- step 1: what enters ----------------------------------------------------------------------------------------------
    reg                     open_inside_q; // the row that opens is in the pipeline
    reg                     opened_q;      // ... at step 2: a store behind it would look it up too early
    reg                     again_q;       // the store at step 6 must wait
    wire                    open_enters = open_valid && !open_inside_q && !lock_valid;
    wire                    hand_enters = hand_valid && hand_ready;
    reg  [MAP_WIDTH - 1:0]  clear_q;
    reg                     initialised_q;
    reg                     s2_valid_q;
    reg  [2:0]              s2_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s2_entry_q;
    reg                     s2_entry_ok_q;
    reg  [LINE_WIDTH - 1:0] s2_line_q;
    reg  [2:0]              s2_way_q;
    reg                     s2_of_kind_q;
    reg  [2:0]              s2_place_q;
    reg  [15:0]             s2_handle_q;
    reg  [15:0]             s2_offset_q;
    reg                     s2_nop_q;
    reg  [SLOT_WIDTH - 1:0] s2_hand_slot_q;
    reg  [2:0]              s2_reasons_q;

    wire [8:0] next_line = next_offset[15:7];
    assign hand_ready = !lock_valid && !open_enters && !stand_still && initialised_q;
    assign issue = next_valid && !lock_valid && !open_enters && !hand_enters && !opened_q && !stand_still && !again_q
        && initialised_q;

    // ---- step 2: the map, and the store's mask, are read --------------------------------------------------------------------
    reg                      s3_valid_q;
    reg  [2:0]               s3_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s3_entry_q;
    reg                      s3_entry_ok_q;
    reg  [LINE_WIDTH - 1:0]  s3_line_q;
    reg                      s4_valid_q;
    reg  [2:0]               s4_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s4_entry_q;
    reg                      s4_entry_ok_q;
    reg  [LINE_WIDTH - 1:0]  s4_line_q;
    reg                      s5_valid_q;
    reg  [2:0]               s5_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s5_entry_q;
    reg  [LINE_WIDTH - 1:0]  s5_line_q;
    reg                      s5_there_q;   // the line has a buffer, but for what the operation before does
    reg  [ENTRY_WIDTH - 1:0] s6_entry_q;
    reg  [LINE_WIDTH - 1:0]  s6_line_q;
    reg                      took_q;       // step 6: the store got a buffer
    reg  [SLOT_WIDTH - 1:0]  slot_q;       // step 6
    wire [ENTRY_WIDTH + LINE_WIDTH - 1:0] s2_name = {s2_entry_q, s2_line_q};

    wire [SLOT_WIDTH:0]     map_data;
    wire                    s2_store = s2_kind_q == STORE;
    wire                    unused_map_parity;
    reg                     forgets_q;    // a line is forgotten: what was at step 5 as it became free takes no buffer
    reg  [ENTRY_WIDTH + LINE_WIDTH - 1:0] forgotten_q;
    wire                    map_write = took_q || forgets_q;
    wire [ENTRY_WIDTH + LINE_WIDTH - 1:0] map_write_name = forgets_q ? forgotten_q : {s6_entry_q, s6_line_q};
    // The map has a word a name; with ROWS 1, or rows of one line, a name has a bit that is always 0.
    wire [31:0] map_write_word = {{(32 - ENTRY_WIDTH){1'b0}}, map_write_name[LINE_WIDTH +: ENTRY_WIDTH]} * ROW_LINES
        + {{(32 - LINE_WIDTH){1'b0}}, map_write_name[LINE_WIDTH - 1:0]};
    wire [31:0] map_read_word  = {{(32 - ENTRY_WIDTH){1'b0}}, s2_entry_q} * ROW_LINES + {{(32 - LINE_WIDTH){1'b0}}, s2_line_q};
    wire unused_words = &{1'b0, map_write_word, map_read_word};
    moehub_memory_1r1w #(.WIDTH(SLOT_WIDTH + 1), .DEPTH(MAP_WORDS), .PARITY(0)) u_map (
        .clk(clk), .write_enable(map_write || !initialised_q),
        .write_address(initialised_q ? map_write_word[MAP_WIDTH - 1:0] : clear_q),
        .write_data(initialised_q ? {took_q, slot_q} : {SLOT_WIDTH + 1{1'b0}}),
        .read_enable(s2_valid_q && s2_entry_ok_q && !rst), .read_address(map_read_word[MAP_WIDTH - 1:0]),
        .read_data(map_data), .parity_error(unused_map_parity)
    );
    assign read       = s2_valid_q && s2_store;
    assign read_place = s2_place_q;
    assign free_ready = !(s5_valid_q && s5_kind_q == STORE && !s5_there_q);

    // Which are of a line that becomes free in this cycle.
    wire [ENTRY_WIDTH + LINE_WIDTH - 1:0] free_name = {free_entry, free_line};
    wire      s3_gone = free_valid && free_name == {s3_entry_q, s3_line_q};
    wire      s4_gone = free_valid && free_name == {s4_entry_q, s4_line_q};
    reg       s3_gone_q; // ... or became free as the map was read, or was forgotten then
    // Which operations before are of the same line, of the same row: bit n - 1 of the n-th before.
    reg [3:0] s3_same_q;
    reg [2:0] s3_row_q;
    always @(posedge clk) begin
        s3_gone_q <= (free_valid && free_name == s2_name) || (forgets_q && forgotten_q == s2_name);
        forgets_q <= free_valid && !rst;
        forgotten_q <= free_name;
        s3_same_q <= {s2_name == {s6_entry_q, s6_line_q}, s2_name == {s5_entry_q, s5_line_q},
            s2_name == {s4_entry_q, s4_line_q}, s2_name == {s3_entry_q, s3_line_q}};
        s3_row_q  <= {s2_entry_q == s5_entry_q, s2_entry_q == s4_entry_q, s2_entry_q == s3_entry_q};
    end

    // ---- step 3: the line's word and the row's bytes are read ---------------------------------------------------------
    reg  [2:0]               s3_way_q;
    reg                      s3_of_kind_q;
    reg  [2:0]               s3_place_q;
    reg  [15:0]              s3_handle_q;
    reg  [15:0]              s3_offset_q;
    reg                      s3_nop_q;
    reg  [SLOT_WIDTH - 1:0]  s3_hand_slot_q;
    reg  [2:0]               s3_reasons_q;
    reg  [ROWS - 1:0]        s3_rows_q;    // its entry, one-hot
    reg                      s7_took_q;
    reg  [SLOT_WIDTH - 1:0]  s7_slot_q;

    wire                     s3_store = s3_kind_q == STORE;
    wire                     s3_took  = s3_same_q[3] && s7_took_q; // the map was written as it was read
    wire                     s3_there = s3_took || (map_data[SLOT_WIDTH] && !s3_gone_q);
    wire [SLOT_WIDTH - 1:0]  s3_slot  = s3_took ? s7_slot_q : map_data[SLOT_WIDTH - 1:0];
    wire [2:0]               s3_context;
    moehub_one_hot_mux #(.WIDTH(3), .WAYS(ROWS)) u_context (.select(s3_rows_q), .words(contexts), .word(s3_context));

    // ---- step 4: the row is looked up ---------------------------------------------------------------------------------
    reg  [2:0]               s4_way_q;
    reg                      s4_of_kind_q;
    reg  [2:0]               s4_place_q;
    reg  [15:0]              s4_handle_q;
    reg  [15:0]              s4_offset_q;
    reg                      s4_nop_q;
    reg  [SLOT_WIDTH - 1:0]  s4_hand_slot_q;
    reg  [2:0]               s4_reasons_q;
    reg  [ROWS - 1:0]        s4_rows_q;
    reg  [2:1]               s4_same_q;
    reg                      s4_follows_q; // the one before is of the same line
    reg  [2:0]               s4_row_q;
    reg  [2:0]               s4_context_q;
    reg                      s4_there_q;
    reg  [SLOT_WIDTH - 1:0]  s4_slot_q;
    reg  [STORE_BYTES - 1:0] s4_mask_q;

    wire                     s4_store = s4_kind_q == STORE;
    wire [7:0]               s4_generation;
    wire                     s4_open;
    wire                     s4_opening;
    wire                     s4_aborted;
    wire [ROW_INDEX_WIDTH - 1:0] s4_index;
    wire                     s4_immediate;
    wire [1:0]               s4_sent;
    wire [1:0]               s4_kinds;
    wire [1:0]               s4_link;
    moehub_one_hot_mux #(.WIDTH(8), .WAYS(ROWS)) u_generation (.select(s4_rows_q), .words(generations), .word(s4_generation));
    moehub_one_hot_mux #(.WIDTH(1), .WAYS(ROWS)) u_open (.select(s4_rows_q), .words(open), .word(s4_open));
    moehub_one_hot_mux #(.WIDTH(1), .WAYS(ROWS)) u_opening (.select(s4_rows_q), .words(opening), .word(s4_opening));
    moehub_one_hot_mux #(.WIDTH(1), .WAYS(ROWS)) u_aborted (.select(s4_rows_q), .words(aborted), .word(s4_aborted));
    moehub_one_hot_mux #(.WIDTH(ROW_INDEX_WIDTH), .WAYS(ROWS)) u_index (.select(s4_rows_q), .words(indices), .word(s4_index));
    moehub_one_hot_mux #(.WIDTH(1), .WAYS(ROWS)) u_immediate (.select(s4_rows_q), .words(immediate), .word(s4_immediate));
    moehub_one_hot_mux #(.WIDTH(2), .WAYS(ROWS)) u_sent_kinds (.select(s4_rows_q), .words(sent), .word(s4_sent));
    moehub_one_hot_mux #(.WIDTH(2), .WAYS(ROWS)) u_kinds (.select(s4_rows_q), .words(kinds), .word(s4_kinds));
    moehub_one_hot_mux #(.WIDTH(2), .WAYS(ROWS)) u_link (.select(s4_rows_q), .words(links), .word(s4_link));

    // A row that is taken, or leaves, in this cycle is so at step 5.
    wire                     s4_taken  = take && take_entry == s4_entry_q;
    wire                     s4_leaves = leave && leave_entry == s4_entry_q;
    wire                     s4_named  = s4_entry_ok_q && s4_generation == s4_handle_q[15:8] && !s4_taken;

    wire [SIZE_WIDTH - 1:0]  s4_size       = sizes_8[s4_context_q * SIZE_WIDTH +: SIZE_WIDTH];
    wire [12:0]              s4_row_units  = {{(17 - SIZE_WIDTH){1'b0}}, s4_size[SIZE_WIDTH - 1:4]};
    wire [UNITS - 1:0]       s4_beyond;
    wire [7:0]               s4_row_has; // units of the line that the row has
    wire [7:0]               s4_ones;
    wire [PLACES - 1:0]      s4_at;      // the store's place in the line
    genvar u;
    generate
        for (u = 0; u < UNITS; u = u + 1) begin : g_unit
            localparam [12:0] NUMBER = u;
            assign s4_beyond[u] = s4_mask_q[u * 16 +: 16] != 16'd0 && {1'b0, s4_offset_q[15:4]} + NUMBER >= s4_row_units;
        end
        for (u = 0; u < 8; u = u + 1) begin : g_line_unit
            localparam [2:0] NUMBER = u;
            assign s4_row_has[u] = {1'b0, s4_offset_q[15:7], NUMBER} < s4_row_units;
        end
        for (u = 0; u < PLACES; u = u + 1) begin : g_place
            localparam [31:0] FIRST_32 = u * STORE_BYTES;
            assign s4_at[u] = (s4_offset_q[6:0] & ~IN_STORE[6:0]) == FIRST_32[6:0];
        end
        if (STORE_BYTES <= 64) begin : g_ones
            wire [6:0] ones;
            moehub_count_ones #(.WIDTH(STORE_BYTES)) u_ones (.bits(s4_mask_q), .count(ones));
            assign s4_ones = {1'b0, ones};
        end else begin : g_both_ones
            wire [6:0] low;
            wire [6:0] high;
            moehub_count_ones #(.WIDTH(64)) u_low (.bits(s4_mask_q[63:0]), .count(low));
            moehub_count_ones #(.WIDTH(STORE_BYTES - 64)) u_high (.bits(s4_mask_q[STORE_BYTES - 1:64]), .count(high));
            assign s4_ones = {1'b0, low} + {1'b0, high};
        end
    endgenerate

    // ---- step 5: the operation ----------------------------------------------------------------------------------------
    reg  [2:0]               s5_way_q;
    reg                      s5_of_kind_q;
    reg  [2:0]               s5_place_q;
    reg  [15:0]              s5_handle_q;
    reg  [15:0]              s5_offset_q;
    reg                      s5_nop_q;
    reg                      s5_hands_q;   // its buffer is the one that the hand saw, and not just taken
    reg  [2:0]               s5_reasons_q;
    reg  [ROWS - 1:0]        s5_rows_q;
    reg                      s5_follows_q;
    reg                      s5_row_q;     // the one before is of the same row
    reg  [SLOT_WIDTH - 1:0]  s5_slot_q;
    reg  [WORD_WIDTH - 1:0]  s5_word_q;    // of the line, without what the operation before does; 0 if it has no buffer
    reg                      s5_named_q;   // the entry has the handle's generation
    reg                      s5_open_q;
    reg                      s5_opening_q;
    reg                      s5_aborted_q;
    reg  [2:0]               s5_context_q;
    reg  [3:0]               s5_round_q;
    reg  [ROW_INDEX_WIDTH - 1:0] s5_index_q;
    reg                      s5_immediate_q;
    reg  [1:0]               s5_sent_q;
    reg  [1:0]               s5_kinds_q;
    reg  [1:0]               s5_link_q;
    reg  [5:0]               s5_count_q;   // targets of the kind
    reg                      s5_range_q;
    reg                      s5_some_q;
    reg  [STORE_BYTES - 1:0] s5_mask_q;
    reg  [PLACES - 1:0]      s5_at_q;
    reg                      s5_meets_q;   // it has a byte of the store before, at the same place
    reg  [7:0]               s5_ones_q;
    reg  [7:0]               s5_row_has_q;
    reg  [SIZE_WIDTH - 1:0]  s5_over_q;    // bytes stored less the row's size, without what the operation before does
    reg                      rewritten_q;  // the store that waits was counted
    reg                      wants_slot_q;
    reg                      wants_line_q;
    reg                      merged_q;     // step 6
    reg                      locked_q;     // step 6
    reg                      counted_q;    // step 6: over_q changes
    reg  [SIZE_WIDTH - 1:0]  over_q;       // step 6

    wire        is_store   = s5_valid_q && s5_kind_q == STORE && !again_q;
    wire        is_open    = s5_valid_q && s5_kind_q == OPEN;
    wire        is_lock    = s5_valid_q && s5_kind_q == LOCK;
    wire        is_discard = s5_valid_q && s5_kind_q == DISCARD;
    wire        is_hand    = s5_valid_q && s5_kind_q == HAND;
    wire [SIZE_WIDTH - 1:0] over = s5_row_q && counted_q ? over_q : s5_over_q;
    wire [SIZE_WIDTH:0]     over_more = {over[SIZE_WIDTH - 1], over} + {{(SIZE_WIDTH - 7){1'b0}}, s5_ones_q};
    wire        ended      = !over[SIZE_WIDTH - 1];
    wire        good       = is_store && s5_named_q && s5_open_q && !s5_aborted_q && !s5_range_q && s5_some_q;
    wire        bad_handle = is_store && !(s5_named_q && s5_open_q);
    wire        is_aborted = is_store && s5_named_q && s5_open_q && s5_aborted_q;
    wire        bad_range  = is_store && s5_named_q && s5_open_q && !s5_aborted_q && s5_range_q;
    wire        too_late   = good && ended;
    wire        wants      = good && !ended;
    wire        there      = s5_there_q || (s5_follows_q && took_q);
    wire [SLOT_WIDTH - 1:0] its_slot = s5_follows_q && took_q ? slot_q : s5_slot_q;
    wire        line_locked = s5_word_q[LOCKED] || (s5_follows_q && locked_q);
    wire [STORE_BYTES - 1:0] held_there; // of the line at the store's place
    moehub_one_hot_mux #(.WIDTH(STORE_BYTES), .WAYS(PLACES)) u_held (
        .select(s5_at_q), .words(s5_word_q[127:0]), .word(held_there)
    );
    wire        meets      = (held_there & s5_mask_q) != {STORE_BYTES{1'b0}} || (s5_follows_q && merged_q && s5_meets_q);
    wire        overlaps   = !line_locked && meets;
    wire        no_slot    = !there && !slot_valid;
    wire        merges     = wants && !line_locked && !meets && !no_slot;
    wire        waits      = wants && !merges;
    wire        rewrites   = wants && overlaps && !rewritten_q; // counted now
    wire        acts       = is_hand && s5_there_q && s5_hands_q && !line_locked; // the lock is the last to write a line
    wire        row_aborted = (s5_rows_q & aborted) != {ROWS{1'b0}}; // the hand's is told at step 6

    assign wants_slot = wants_slot_q;
    assign slot_take  = wants && !there && slot_valid;
    assign data_read  = is_store;
    assign data_place = s5_place_q;

    // A row.
    assign decided        = is_open;
    assign decided_status = s5_aborted_q ? 4'd`MOEHUB_STATUS_CONTEXT : open_status;

    // A line that leaves.
    wire [WORD_WIDTH - 1:0] s6_word;
    reg                     writes_q; // step 6
    wire [WORD_WIDTH - 1:0] held = s5_follows_q && writes_q ? s6_word : s5_word_q;
    assign locked        = is_lock;
    assign locked_way    = s5_way_q;
    assign left_kind     = s5_of_kind_q;
    assign step_entry    = s5_entry_q;
    assign locked_record = `MOEHUB_LOCKED_LINE(s5_entry_q, s5_line_q, s5_slot_q, held[127:0], held[NOP],
        !(s5_of_kind_q ? s5_sent_q[1] : s5_sent_q[0]), s5_immediate_q, s5_context_q, s5_round_q,
        {{(32 - ROW_INDEX_WIDTH){1'b0}}, s5_index_q}, s5_count_q);

    // ---- step 6: what is written --------------------------------------------------------------------------------------
    reg  [WORD_WIDTH - 1:0]  held_q;
    reg  [127:0]             bytes_q;    // the store's, at its place in the line
    reg                      s6_nop_q;
    reg  [7:0]               s6_row_has_q;
    reg  [1:0]               s6_kinds_q;
    reg  [1:0]               s6_link_q;
    reg                      s6_of_kind_q;
    reg  [2:0]               s6_reasons_q;
    reg                      makes_q;    // the hand, or a store that rewrites, makes the line ready
    reg                      hand_q;
    reg                      frees_q;    // the hand frees it, unless it is ready
    reg                      discarded_q;
    reg                      done_q;
    reg  [WORD_WIDTH - 1:0]  s7_word_q;
    reg                      s7_writes_q;
    wire [127:0]             s6_bytes   = bytes_q & {128{merged_q}};
    wire [127:0]             mask       = held_q[127:0] | s6_bytes;
    wire [127:0]             with_store = held_q[127:0] | bytes_q; // were it merged
    wire [7:0]               unit_whole;
    wire [7:0]               unit_part;
    wire                     whole = &unit_whole;
    wire                     becomes = !held_q[READY] && (makes_q || (merged_q && whole));
    generate
        for (u = 0; u < PLACES; u = u + 1) begin : g_bytes
            always @(posedge clk) begin
                bytes_q[u * STORE_BYTES +: STORE_BYTES] <= s5_mask_q & {STORE_BYTES{s5_at_q[u]}};
            end
        end
        for (u = 0; u < 8; u = u + 1) begin : g_whole
            assign unit_whole[u] = &with_store[u * 16 +: 16] || !s6_row_has_q[u];
            assign unit_part[u]  = !(&held_q[u * 16 +: 16]) && s6_row_has_q[u];
        end
    endgenerate
    assign s6_word = {held_q[READY] || becomes, held_q[LOCKED] || locked_q, took_q ? s6_nop_q : held_q[NOP], mask};

    assign done           = done_q;
    assign again          = again_q;
    assign took           = took_q;
    assign line_slot      = slot_q;
    assign line_entry     = s6_entry_q;
    assign line           = s6_line_q;
    assign line_kinds     = s6_kinds_q;
    assign line_link      = s6_link_q;
    assign line_nop       = s6_word[NOP];
    assign line_lost      = discarded_q;
    assign line_lost_kind = s6_of_kind_q;
    assign became_valid   = becomes;
    assign freed          = frees_q && !held_q[READY];
    assign hand_made      = s6_reasons_q & {3{hand_q && becomes}};
    assign merge_bytes    = s6_bytes;
    assign next_slot      = slot_take ? slot : its_slot;
    assign store_ends     = counted_q && merged_q && !over_q[SIZE_WIDTH - 1];

    // ---- memories of lines and rows -----------------------------------------------------------------------------------
    wire [2:0]              unused_parity;
    wire [WORD_WIDTH - 1:0] word_data;
    moehub_memory_1r1w #(.WIDTH(WORD_WIDTH), .DEPTH(LINES), .PARITY(0)) u_words (
        .clk(clk), .write_enable(writes_q), .write_address(slot_q), .write_data(s6_word),
        .read_enable(s3_valid_q && s3_entry_ok_q && s3_there && !rst), .read_address(s3_slot), .read_data(word_data),
        .parity_error(unused_parity[0])
    );
    wire [SIZE_WIDTH - 1:0] over_data;
    moehub_memory_1r1w #(.WIDTH(SIZE_WIDTH), .DEPTH(ROWS), .PARITY(0)) u_over (
        .clk(clk), .write_enable(counted_q), .write_address(s6_entry_q), .write_data(over_q),
        .read_enable(s3_valid_q && s3_entry_ok_q && s3_store && !rst), .read_address(s3_entry_q), .read_data(over_data),
        .parity_error(unused_parity[1])
    );
    reg                     s7_counted_q;
    reg  [SIZE_WIDTH - 1:0] s7_over_q;
    wire [SIZE_WIDTH - 1:0] s4_over = s4_row_q[1] && counted_q ? over_q : s4_row_q[2] && s7_counted_q ? s7_over_q : over_data;
    wire [WORD_WIDTH - 1:0] s4_word = s4_same_q[1] && writes_q ? s6_word : s4_same_q[2] && s7_writes_q ? s7_word_q
        : s4_there_q && !s4_gone ? word_data : {WORD_WIDTH{1'b0}};

    // Packets sent, and how many targets.
    wire [5:0] s4_count;
    moehub_packet_manager_counts #(.ROWS(ROWS)) u_counts (
        .clk(clk), .rst(rst), .look_valid(s3_valid_q && s3_kind_q == LOCK), .look_entry(s3_entry_q), .look_kind(s4_of_kind_q),
        .look_count(s4_count), .lock(is_lock), .lock_kind(s5_of_kind_q), .open(is_open), .open_remotes(open_remotes),
        .open_owns(open_owns), .entry(s5_entry_q), .counts_valid(counts_valid), .counts_ready(counts_ready),
        .counts_entry(counts_entry), .counts_sent(counts_sent), .counts_targets(counts_targets)
    );

    // ---- steps --------------------------------------------------------------------------------------------------------
    assign initialised = initialised_q;
    always @(posedge clk) begin
        if (!initialised_q) clear_q <= clear_q + MAP_ONE;
        if (clear_q == LAST_MAP[MAP_WIDTH - 1:0]) initialised_q <= 1'b1;
        s2_valid_q   <= lock_valid || open_enters || hand_enters || issue;
        s3_valid_q   <= s2_valid_q && !(again_q && s2_store);
        s4_valid_q   <= s3_valid_q && !(again_q && s3_store);
        s5_valid_q   <= s4_valid_q && !(again_q && s4_store);
        opened_q     <= open_enters;
        again_q      <= waits;
        done_q       <= is_store && !waits;
        took_q       <= slot_take;
        merged_q     <= merges;
        locked_q     <= is_lock;
        discarded_q  <= is_discard;
        counted_q    <= merges || is_open;
        frees_q      <= acts && row_aborted;
        hand_q       <= acts && !row_aborted;
        makes_q      <= (acts && !row_aborted) || (wants && overlaps);
        writes_q     <= merges || is_lock || (acts && !row_aborted) || (wants && overlaps);
        s7_took_q    <= took_q;
        s7_writes_q  <= writes_q;
        s7_counted_q <= counted_q;
        if (open_enters) open_inside_q <= 1'b1;
        if (is_open) open_inside_q <= 1'b0;
        if (is_store) begin
            rewritten_q  <= waits && (rewritten_q || rewrites);
            wants_slot_q <= waits && no_slot;
            wants_line_q <= waits && !no_slot;
        end
        if (rst) begin
            clear_q       <= {MAP_WIDTH{1'b0}};
            initialised_q <= 1'b0;
            s2_valid_q    <= 1'b0;
            s3_valid_q    <= 1'b0;
            s4_valid_q    <= 1'b0;
            s5_valid_q    <= 1'b0;
            opened_q      <= 1'b0;
            again_q       <= 1'b0;
            done_q        <= 1'b0;
            took_q        <= 1'b0;
            merged_q      <= 1'b0;
            locked_q      <= 1'b0;
            discarded_q   <= 1'b0;
            counted_q     <= 1'b0;
            frees_q       <= 1'b0;
            hand_q        <= 1'b0;
            makes_q       <= 1'b0;
            writes_q      <= 1'b0;
            s7_took_q     <= 1'b0;
            s7_writes_q   <= 1'b0;
            s7_counted_q  <= 1'b0;
            open_inside_q <= 1'b0;
            rewritten_q   <= 1'b0;
            wants_slot_q  <= 1'b0;
            wants_line_q  <= 1'b0;
        end
    end

    generate
        for (u = 0; u < ROWS; u = u + 1) begin : g_row
            localparam [31:0] NUMBER_32 = u;
            localparam [ENTRY_WIDTH - 1:0] NUMBER = NUMBER_32[ENTRY_WIDTH - 1:0];
            always @(posedge clk) begin
                s3_rows_q[u] <= s2_entry_q == NUMBER;
            end
        end
    endgenerate

    always @(posedge clk) begin
        s2_kind_q     <= lock_valid ? (lock_discards ? DISCARD : LOCK) : open_enters ? OPEN : hand_enters ? HAND : STORE;
        s2_entry_q    <= lock_valid ? lock_entry : open_enters ? open_entry : hand_enters ? hand_entry
            : next_handle[ENTRY_WIDTH - 1:0];
        s2_entry_ok_q <= lock_valid || open_enters || hand_enters || {24'd0, next_handle[7:0]} < ROWS_32;
        s2_line_q     <= lock_valid ? lock_line : hand_enters ? hand_line
            : next_line[LINE_WIDTH - 1:0] & LINE_MASK[LINE_WIDTH - 1:0];
        s2_way_q      <= lock_way;
        s2_of_kind_q  <= lock_kind;
        s2_place_q    <= next_place;
        s2_handle_q   <= next_handle;
        s2_offset_q   <= lock_valid ? {{(9 - LINE_WIDTH){1'b0}}, lock_line, 7'd0} : next_offset;
        s2_nop_q      <= next_nop;
        s2_hand_slot_q <= hand_slot;
        s2_reasons_q  <= hand_reasons;

        s3_kind_q     <= s2_kind_q;
        s3_entry_q    <= s2_entry_q;
        s3_entry_ok_q <= s2_entry_ok_q;
        s3_line_q     <= s2_line_q;
        s3_way_q      <= s2_way_q;
        s3_of_kind_q  <= s2_of_kind_q;
        s3_place_q    <= s2_place_q;
        s3_handle_q   <= s2_handle_q;
        s3_offset_q   <= s2_offset_q;
        s3_nop_q      <= s2_nop_q;
        s3_hand_slot_q <= s2_hand_slot_q;
        s3_reasons_q  <= s2_reasons_q;

        s4_kind_q     <= s3_kind_q;
        s4_entry_q    <= s3_entry_q;
        s4_entry_ok_q <= s3_entry_ok_q;
        s4_line_q     <= s3_line_q;
        s4_way_q      <= s3_way_q;
        s4_of_kind_q  <= s3_of_kind_q;
        s4_place_q    <= s3_place_q;
        s4_handle_q   <= s3_handle_q;
        s4_offset_q   <= s3_offset_q;
        s4_nop_q      <= s3_nop_q;
        s4_hand_slot_q <= s3_hand_slot_q;
        s4_reasons_q  <= s3_reasons_q;
        s4_rows_q     <= s3_rows_q;
        s4_same_q     <= s3_same_q[2:1];
        s4_follows_q  <= s3_same_q[0];
        s4_row_q      <= s3_row_q;
        s4_context_q  <= s3_context;
        s4_there_q    <= (s3_there && !s3_gone) || (s3_same_q[2] && took_q);
        s4_slot_q     <= s3_same_q[2] && took_q ? slot_q : s3_slot;
        s4_mask_q     <= read_mask;

        s5_kind_q     <= s4_kind_q;
        s5_entry_q    <= s4_entry_q;
        s5_line_q     <= s4_line_q;
        s5_way_q      <= s4_way_q;
        s5_of_kind_q  <= s4_of_kind_q;
        s5_place_q    <= s4_place_q;
        s5_handle_q   <= s4_handle_q;
        s5_offset_q   <= s4_offset_q;
        s5_nop_q      <= s4_nop_q;
        s5_hands_q    <= s4_slot_q == s4_hand_slot_q && !(s4_same_q[1] && took_q);
        s5_reasons_q  <= s4_reasons_q;
        s5_rows_q     <= s4_rows_q;
        s5_follows_q  <= s4_follows_q;
        s5_row_q      <= s4_row_q[0] && s4_kind_q != OPEN;
        s5_there_q    <= (s4_there_q && !s4_gone) || (s4_same_q[1] && took_q);
        s5_slot_q     <= s4_same_q[1] && took_q ? slot_q : s4_slot_q;
        s5_word_q     <= s4_word;
        s5_named_q    <= s4_named;
        s5_open_q     <= s4_open && !s4_leaves;
        s5_opening_q  <= s4_opening;
        s5_aborted_q  <= s4_aborted;
        s5_context_q  <= s4_context_q;
        s5_round_q    <= rounds_8[s4_context_q * 4 +: 4];
        s5_index_q    <= s4_index;
        s5_immediate_q <= s4_immediate;
        s5_sent_q     <= s4_sent;
        s5_kinds_q    <= s4_kinds;
        s5_link_q     <= s4_link;
        s5_count_q    <= s4_count;
        s5_range_q    <= s4_beyond != {UNITS{1'b0}} || (s4_offset_q & IN_STORE) != 16'd0;
        s5_some_q     <= s4_mask_q != {STORE_BYTES{1'b0}};
        s5_mask_q     <= s4_mask_q;
        s5_at_q       <= s4_at;
        s5_meets_q    <= (s4_mask_q & s5_mask_q) != {STORE_BYTES{1'b0}} && s4_at == s5_at_q;
        s5_ones_q     <= s4_ones;
        s5_row_has_q  <= s4_row_has;
        s5_over_q     <= s4_kind_q == OPEN ? -s4_size : s4_over;

        s6_entry_q    <= s5_entry_q;
        s6_line_q     <= s5_line_q;
        slot_q        <= next_slot;
        held_q        <= held;
        s6_nop_q      <= s5_nop_q;
        s6_row_has_q  <= s5_row_has_q;
        s6_kinds_q    <= s5_kinds_q;
        s6_link_q     <= s5_link_q;
        s6_of_kind_q  <= s5_of_kind_q;
        s6_reasons_q  <= s5_reasons_q;
        over_q        <= merges ? over_more[SIZE_WIDTH - 1:0] : over;

        s7_slot_q     <= slot_q;
        s7_word_q     <= s6_word;
        s7_over_q     <= over_q;
    end

    // ---- report -------------------------------------------------------------------------------------------------------
    assign events = `MOEHUB_STORE_STEP_EVENTS(is_store && !waits, bad_handle, bad_range, is_aborted, too_late || rewrites,
        merged_q && becomes, locked_q && unit_part == 8'd0, locked_q && unit_part != 8'd0, wants_slot_q, wants_line_q);
    // A byte of a row that was left whole was stored twice.
    assign fails        = too_late || rewrites || (bad_handle && s5_named_q && !s5_open_q && !s5_opening_q && !s5_aborted_q);
    assign row_context  = s5_context_q;
    assign row_index    = s5_index_q;
    assign store_handle = s5_handle_q;
    assign store_offset = s5_offset_q;
    wire unused = &{1'b0, next_line, over_more[SIZE_WIDTH]};
endmodule

`default_nettype wire
