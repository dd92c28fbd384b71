// SPDX-License-Identifier: Apache-2.0
// Purpose: the one order of stores, locks, discards and openings of rows (doc/hub/packet_manager.md section 4).
// Contract:
//   1. One operation a cycle: what is chosen to leave first, then a row that opens, then a store, unless stand_still.
//   2. Each sees at step 4 all that was at step 4 before it. A store that must wait is tried again, with all behind it.
//   3. At step 4: decided, of a row; slot_take, merge_*, became_*: of a store; locked and record, discarded: of a line
//      that leaves. became_valid: the line of `line` is made ready, by this or by nobody else in the cycle.
//   4. line_slot, and line_state of it, are of the operation at step 4. free_valid: the map forgets a line; free_ready
//      is low in cycles in which a store gets a buffer or a discard passes.
//   5. counts_*: packets sent and targets of an entry, for who adds up pairs: in the cycle after counts_ready.
// How: 1 take; 2 map and store are read; 3 mask and the entry's counts are read; 4 the operation. What step 4
//   changes is forwarded to who has read it already.
// Cost: latency 3 from step 1 to step 4.
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
    input  wire [ROWS - 1:0]                        stored_all,
    input  wire [2 * ROWS - 1:0]                    sent,
    input  wire [ROWS - 1:0]                        immediate,
    input  wire [3 * ROWS - 1:0]                    contexts,
    input  wire [8 * ROWS - 1:0]                    generations,
    input  wire [ROWS * ROW_INDEX_WIDTH - 1:0]      indices,
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
    output wire                                     discarded,
    output wire                                     left_kind, // of the line that is locked or discarded
    // rows that open
    input  wire                                     open_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   open_entry,
    input  wire [3:0]                               open_status,
    input  wire [5:0]                               open_remotes,
    input  wire [5:0]                               open_owns,
    output wire                                     decided,
    output wire [3:0]                               decided_status,
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
    input  wire [8 * STORE_BYTES - 1:0]             read_data,
    output wire                                     done,
    output wire                                     again,
    output wire                                     wants_slot, // a store waits for one
    output wire                                     store_ends,
    // lines
    input  wire                                     slot_valid, // a free one
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  slot,
    output wire                                     slot_take,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  line_slot,
    input  wire [1:0]                               line_state,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   line_entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] line,
    output wire                                     line_nop,
    output wire                                     became_valid,
    output wire                                     merge_valid,
    output wire [127:0]                             merge_bytes,
    output wire [8 * STORE_BYTES - 1:0]             merge_data,
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
    localparam PLACES      = 128 / STORE_BYTES; // of a store in a line
    localparam [31:0] ROWS_32  = ROWS;
    localparam [31:0] LAST_MAP = MAP_WORDS - 1;
    localparam [MAP_WIDTH - 1:0] MAP_ONE = 1;
    localparam [31:0] LINE_MASK = ROW_LINES - 1; // a row of one line has a bit in its names that is 0
    localparam [31:0] STORE_32 = STORE_BYTES - 1;
    localparam [15:0] IN_STORE = STORE_32[15:0];
    localparam [1:0] LOCK    = 2'd0;
    localparam [1:0] DISCARD = 2'd1;
    localparam [1:0] OPEN    = 2'd2;
    localparam [1:0] STORE   = 2'd3;
    localparam [1:0] FILLING = 2'd`MOEHUB_LINE_FILLING;
    localparam [1:0] LOCKED  = 2'd`MOEHUB_LINE_LOCKED;

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
    wire                    open_enters = open_valid && !open_inside_q && !lock_valid;
    reg  [MAP_WIDTH - 1:0]  clear_q;
    reg                     initialised_q;
    reg                     s2_valid_q;
    reg  [1:0]              s2_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s2_entry_q;
    reg                     s2_entry_ok_q;
    reg  [LINE_WIDTH - 1:0] s2_line_q;
    reg  [2:0]              s2_way_q;
    reg                     s2_of_kind_q;
    reg  [2:0]              s2_place_q;
    reg  [15:0]             s2_handle_q;
    reg  [15:0]             s2_offset_q;
    reg                     s2_nop_q;

    wire [8:0] next_line = next_offset[15:7];
    assign issue = next_valid && !lock_valid && !open_enters && !stand_still && !again && initialised_q;

    // ---- step 2: the map, and the store's mask and data, are read -----------------------------------------------------------
    wire [SLOT_WIDTH:0]     map_data;
    wire                    map_write;
    wire [ENTRY_WIDTH + LINE_WIDTH - 1:0] map_write_name;
    wire [SLOT_WIDTH:0]     map_written;
    wire                    s2_store = s2_kind_q == STORE;
    wire                    unused_map_parity;
    // The map has a word a name; with ROWS 1, or rows of one line, a name has a bit that is always 0.
    wire [31:0] map_write_word = {{(32 - ENTRY_WIDTH){1'b0}}, map_write_name[LINE_WIDTH +: ENTRY_WIDTH]} * ROW_LINES
        + {{(32 - LINE_WIDTH){1'b0}}, map_write_name[LINE_WIDTH - 1:0]};
    wire [31:0] map_read_word  = {{(32 - ENTRY_WIDTH){1'b0}}, s2_entry_q} * ROW_LINES + {{(32 - LINE_WIDTH){1'b0}}, s2_line_q};
    wire unused_words = &{1'b0, map_write_word, map_read_word};
    moehub_memory_1r1w #(.WIDTH(SLOT_WIDTH + 1), .DEPTH(MAP_WORDS), .PARITY(0)) u_map (
        .clk(clk), .write_enable(map_write || !initialised_q),
        .write_address(initialised_q ? map_write_word[MAP_WIDTH - 1:0] : clear_q),
        .write_data(initialised_q ? map_written : {SLOT_WIDTH + 1{1'b0}}),
        .read_enable(s2_valid_q && s2_entry_ok_q && !rst), .read_address(map_read_word[MAP_WIDTH - 1:0]),
        .read_data(map_data), .parity_error(unused_map_parity)
    );
    assign read       = s2_valid_q && s2_store;
    assign read_place = s2_place_q;

    // ---- step 3: the mask and the entry's counts are read -------------------------------------------------------------
    reg                      s3_valid_q;
    reg  [1:0]               s3_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s3_entry_q;
    reg                      s3_entry_ok_q;
    reg  [LINE_WIDTH - 1:0]  s3_line_q;
    reg  [2:0]               s3_way_q;
    reg                      s3_of_kind_q;
    reg  [15:0]              s3_handle_q;
    reg  [15:0]              s3_offset_q;
    reg                      s3_nop_q;
    reg                      wrote_q;      // the map was written in the last cycle
    reg  [ENTRY_WIDTH + LINE_WIDTH - 1:0] wrote_name_q;
    reg  [SLOT_WIDTH:0]      wrote_word_q;

    wire [ENTRY_WIDTH + LINE_WIDTH - 1:0] s3_name = {s3_entry_q, s3_line_q};
    wire                     s3_store = s3_kind_q == STORE;
    wire [SLOT_WIDTH:0]      s3_map   = wrote_q && wrote_name_q == s3_name ? wrote_word_q : map_data;
    wire                     s3_there = s3_map[SLOT_WIDTH];
    wire [SLOT_WIDTH - 1:0]  s3_slot  = s3_map[SLOT_WIDTH - 1:0];
    wire                     s3_has_entry = s3_valid_q && s3_entry_ok_q;

    wire [2:0]               s3_context    = contexts[s3_entry_q * 3 +: 3];
    wire [SIZE_WIDTH - 1:0]  s3_size       = sizes_8[s3_context * SIZE_WIDTH +: SIZE_WIDTH];
    wire [12:0]              s3_row_units  = {{(17 - SIZE_WIDTH){1'b0}}, s3_size[SIZE_WIDTH - 1:4]};
    wire [UNITS - 1:0]       s3_beyond;
    wire [7:0]               s3_row_has; // units of the line that the row has
    wire [7:0]               s3_ones;
    wire [127:0]             s3_bytes;
    genvar u;
    generate
        for (u = 0; u < UNITS; u = u + 1) begin : g_unit
            localparam [12:0] NUMBER = u;
            assign s3_beyond[u] = read_mask[u * 16 +: 16] != 16'd0 && {1'b0, s3_offset_q[15:4]} + NUMBER >= s3_row_units;
        end
        for (u = 0; u < 8; u = u + 1) begin : g_line_unit
            localparam [2:0] NUMBER = u;
            assign s3_row_has[u] = {1'b0, s3_offset_q[15:7], NUMBER} < s3_row_units;
        end
        for (u = 0; u < PLACES; u = u + 1) begin : g_place
            localparam [31:0] FIRST_32 = u * STORE_BYTES;
            wire at = (s3_offset_q[6:0] & ~IN_STORE[6:0]) == FIRST_32[6:0];
            assign s3_bytes[u * STORE_BYTES +: STORE_BYTES] = at ? read_mask : {STORE_BYTES{1'b0}};
        end
        if (STORE_BYTES <= 64) begin : g_ones
            wire [6:0] ones;
            moehub_count_ones #(.WIDTH(STORE_BYTES)) u_ones (.bits(read_mask), .count(ones));
            assign s3_ones = {1'b0, ones};
        end else begin : g_both_ones
            wire [6:0] low;
            wire [6:0] high;
            moehub_count_ones #(.WIDTH(64)) u_low (.bits(read_mask[63:0]), .count(low));
            moehub_count_ones #(.WIDTH(STORE_BYTES - 64)) u_high (.bits(read_mask[STORE_BYTES - 1:64]), .count(high));
            assign s3_ones = {1'b0, low} + {1'b0, high};
        end
    endgenerate

    // ---- step 4: the operation ----------------------------------------------------------------------------------------
    reg                      s4_valid_q;
    reg  [1:0]               s4_kind_q;
    reg  [ENTRY_WIDTH - 1:0] s4_entry_q;
    reg                      s4_entry_ok_q;
    reg  [LINE_WIDTH - 1:0]  s4_line_q;
    reg  [2:0]               s4_way_q;
    reg                      s4_of_kind_q;
    reg  [15:0]              s4_handle_q;
    reg  [15:0]              s4_offset_q;
    reg                      s4_nop_q;
    reg                      s4_there_q;
    reg  [SLOT_WIDTH - 1:0]  s4_slot_q;
    reg                      s4_follows_q; // the operation before merged into its line: what the memory shows is old
    reg  [SIZE_WIDTH - 1:0]  s4_size_q;
    reg                      s4_range_q;
    reg                      s4_some_q;
    reg  [7:0]               s4_ones_q;
    reg  [7:0]               s4_row_has_q;
    reg  [127:0]             s4_bytes_q;
    reg  [8 * STORE_BYTES - 1:0] s4_data_q;
    reg                      rewritten_q;  // the store that waits was counted
    reg                      wants_slot_q;
    reg                      wants_line_q;
    reg  [128:0]             merged_q;     // nop and mask of the last merge
    reg                      stored_same_q; // the operation before wrote what is read of the entry now
    reg                      sent_same_q;
    reg  [SIZE_WIDTH - 1:0]  stored_last_q;
    reg  [33:0]              sent_last_q;

    wire [128:0]             mask_data;
    wire [SIZE_WIDTH - 1:0]  stored_data;
    wire [33:0]              sent_data;
    wire [ENTRY_WIDTH + LINE_WIDTH - 1:0] s4_name = {s4_entry_q, s4_line_q};

    wire        is_store   = s4_valid_q && s4_kind_q == STORE;
    wire        is_open    = s4_valid_q && s4_kind_q == OPEN;
    wire        is_lock    = s4_valid_q && s4_kind_q == LOCK;
    wire        is_discard = s4_valid_q && s4_kind_q == DISCARD;
    wire        same_generation = s4_entry_ok_q && generations[s4_entry_q * 8 +: 8] == s4_handle_q[15:8];
    wire        row_open   = open[s4_entry_q];
    wire        row_aborted = aborted[s4_entry_q];
    wire        bad_handle = is_store && !(same_generation && row_open);
    wire        is_aborted = is_store && !bad_handle && row_aborted;
    wire        bad_range  = is_store && !bad_handle && !row_aborted && s4_range_q;
    wire        too_late   = is_store && !bad_handle && !row_aborted && !s4_range_q && s4_some_q && stored_all[s4_entry_q];
    wire        dropped    = bad_handle || is_aborted || bad_range || too_late;
    wire        wants      = is_store && !dropped && s4_some_q;
    wire        line_locked = s4_there_q && line_state == LOCKED;
    wire [128:0] held      = s4_follows_q ? merged_q : mask_data;
    wire [127:0] held_mask = s4_there_q ? held[127:0] : 128'd0;
    wire        overlaps   = s4_there_q && !line_locked && (held_mask & s4_bytes_q) != 128'd0;
    wire        no_slot    = !s4_there_q && !slot_valid;
    wire        merges     = wants && !line_locked && !overlaps && !no_slot;
    wire        waits      = wants && !merges;
    wire        rewrites   = wants && overlaps && !rewritten_q; // counted now
    wire [127:0] mask      = held_mask | s4_bytes_q;
    wire        filling    = !s4_there_q || line_state == FILLING;
    wire [7:0]  unit_whole;
    wire        whole      = &unit_whole;
    wire [SIZE_WIDTH - 1:0] stored      = stored_same_q ? stored_last_q : stored_data;
    wire [SIZE_WIDTH:0]     stored_now  = {1'b0, stored} + {{(SIZE_WIDTH - 7){1'b0}}, s4_ones_q};
    wire [33:0] sent_before = sent_same_q ? sent_last_q : sent_data;
    wire [33:0] sent_now    = {sent_before[33:17] + {16'd0, s4_of_kind_q}, sent_before[16:0] + {16'd0, !s4_of_kind_q}};

    generate
        for (u = 0; u < 8; u = u + 1) begin : g_whole
            assign unit_whole[u] = &mask[u * 16 +: 16] || !s4_row_has_q[u];
        end
    endgenerate

    assign done         = is_store && !waits;
    assign again        = waits;
    assign wants_slot   = wants_slot_q;
    assign slot_take    = merges && !s4_there_q;
    assign line_slot    = s4_there_q ? s4_slot_q : slot;
    assign line_entry   = s4_entry_q;
    assign line         = s4_line_q;
    assign line_nop     = s4_there_q ? held[128] : s4_nop_q;
    assign merge_valid  = merges;
    assign merge_bytes  = s4_bytes_q;
    assign merge_data   = s4_data_q;
    assign became_valid = (merges && whole && filling) || (rewrites && line_state == FILLING);
    assign store_ends   = merges && stored_now >= {1'b0, s4_size_q};

    // The map: a store that gets a buffer, or a line that is free.
    assign free_ready     = !slot_take;
    assign map_write      = slot_take || free_valid;
    assign map_write_name = slot_take ? s4_name : {free_entry, free_line};
    assign map_written    = {slot_take, slot};

    // A row.
    assign decided        = is_open;
    assign decided_status = row_aborted ? 4'd`MOEHUB_STATUS_CONTEXT : open_status;

    // A line that leaves.
    wire [2:0]  its_context = contexts[s4_entry_q * 3 +: 3];
    wire [ROW_INDEX_WIDTH - 1:0] index = indices[s4_entry_q * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH];
    wire [1:0]  its_sent = sent[s4_entry_q * 2 +: 2];
    wire [11:0] targets;
    assign locked        = is_lock;
    assign discarded     = is_discard;
    assign locked_way    = s4_way_q;
    assign left_kind     = s4_of_kind_q;
    assign locked_record = `MOEHUB_LOCKED_LINE(s4_entry_q, s4_line_q, s4_slot_q, held[127:0], held[128],
        !(s4_of_kind_q ? its_sent[1] : its_sent[0]), immediate[s4_entry_q], its_context, rounds_8[its_context * 4 +: 4],
        {{(32 - ROW_INDEX_WIDTH){1'b0}}, index}, s4_of_kind_q ? targets[11:6] : targets[5:0]);
    wire [7:0]  lock_units;
    wire [7:0]  lock_part;
    generate
        for (u = 0; u < 8; u = u + 1) begin : g_lock
            assign lock_units[u] = s4_row_has_q[u];
            assign lock_part[u]  = lock_units[u] && !(&held[u * 16 +: 16]);
        end
    endgenerate
    wire part = |lock_part;

    // ---- memories of step 3 and 4 ------------------------------------------------------------------------------------------
    wire [3:0] unused_parity;
    moehub_memory_1r1w #(.WIDTH(129), .DEPTH(LINES), .PARITY(0)) u_masks (
        .clk(clk), .write_enable(merges), .write_address(line_slot), .write_data({line_nop, mask}),
        .read_enable(s3_has_entry && s3_there && !rst), .read_address(s3_slot), .read_data(mask_data),
        .parity_error(unused_parity[0])
    );
    wire writes_stored = is_open || merges;
    wire [SIZE_WIDTH - 1:0] stored_write = is_open ? {SIZE_WIDTH{1'b0}} : stored_now[SIZE_WIDTH - 1:0];
    moehub_memory_1r1w #(.WIDTH(SIZE_WIDTH), .DEPTH(ROWS), .PARITY(0)) u_stored (
        .clk(clk), .write_enable(writes_stored), .write_address(s4_entry_q), .write_data(stored_write),
        .read_enable(s3_has_entry && s3_store && !rst), .read_address(s3_entry_q), .read_data(stored_data),
        .parity_error(unused_parity[1])
    );
    wire locks_at_3  = s3_valid_q && s3_kind_q == LOCK;
    wire writes_sent = is_open || is_lock;
    wire [33:0] sent_write = is_open ? 34'd0 : sent_now;
    wire [ENTRY_WIDTH - 1:0] count_entry = locks_at_3 ? s3_entry_q : counts_entry;
    assign counts_ready   = !locks_at_3;
    assign counts_sent    = sent_data;
    assign counts_targets = targets;
    moehub_memory_1r1w #(.WIDTH(34), .DEPTH(ROWS), .PARITY(0)) u_sent (
        .clk(clk), .write_enable(writes_sent), .write_address(s4_entry_q), .write_data(sent_write),
        .read_enable((locks_at_3 || counts_valid) && !rst), .read_address(count_entry), .read_data(sent_data),
        .parity_error(unused_parity[2])
    );
    moehub_memory_1r1w #(.WIDTH(12), .DEPTH(ROWS), .PARITY(0)) u_targets (
        .clk(clk), .write_enable(is_open), .write_address(s4_entry_q), .write_data({open_owns, open_remotes}),
        .read_enable((locks_at_3 || counts_valid) && !rst), .read_address(count_entry), .read_data(targets),
        .parity_error(unused_parity[3])
    );

    // ---- steps --------------------------------------------------------------------------------------------------------
    assign initialised = initialised_q;
    always @(posedge clk) begin
        if (!initialised_q) clear_q <= clear_q + MAP_ONE;
        if (clear_q == LAST_MAP[MAP_WIDTH - 1:0]) initialised_q <= 1'b1;
        s2_valid_q <= lock_valid || open_enters || issue;
        s3_valid_q <= s2_valid_q && !(again && s2_store);
        s4_valid_q <= s3_valid_q && !(again && s3_store);
        wrote_q    <= map_write;
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
            wrote_q       <= 1'b0;
            open_inside_q <= 1'b0;
            rewritten_q   <= 1'b0;
            wants_slot_q  <= 1'b0;
            wants_line_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        s2_kind_q     <= lock_valid ? (lock_discards ? DISCARD : LOCK) : open_enters ? OPEN : STORE;
        s2_entry_q    <= lock_valid ? lock_entry : open_enters ? open_entry : next_handle[ENTRY_WIDTH - 1:0];
        s2_entry_ok_q <= lock_valid || open_enters || {24'd0, next_handle[7:0]} < ROWS_32;
        s2_line_q     <= lock_valid ? lock_line : next_line[LINE_WIDTH - 1:0] & LINE_MASK[LINE_WIDTH - 1:0];
        s2_way_q      <= lock_way;
        s2_of_kind_q  <= lock_kind;
        s2_place_q    <= next_place;
        s2_handle_q   <= next_handle;
        s2_offset_q   <= lock_valid ? {{(9 - LINE_WIDTH){1'b0}}, lock_line, 7'd0} : next_offset;
        s2_nop_q      <= next_nop;

        s3_kind_q     <= s2_kind_q;
        s3_entry_q    <= s2_entry_q;
        s3_entry_ok_q <= s2_entry_ok_q;
        s3_line_q     <= s2_line_q;
        s3_way_q      <= s2_way_q;
        s3_of_kind_q  <= s2_of_kind_q;
        s3_handle_q   <= s2_handle_q;
        s3_offset_q   <= s2_offset_q;
        s3_nop_q      <= s2_nop_q;
        wrote_name_q  <= map_write_name;
        wrote_word_q  <= map_written;

        s4_kind_q     <= s3_kind_q;
        s4_entry_q    <= s3_entry_q;
        s4_entry_ok_q <= s3_entry_ok_q;
        s4_line_q     <= s3_line_q;
        s4_way_q      <= s3_way_q;
        s4_of_kind_q  <= s3_of_kind_q;
        s4_handle_q   <= s3_handle_q;
        s4_offset_q   <= s3_offset_q;
        s4_nop_q      <= s3_nop_q;
        s4_there_q    <= map_write && map_write_name == s3_name ? slot_take : s3_there;
        s4_slot_q     <= map_write && map_write_name == s3_name ? slot : s3_slot;
        s4_follows_q  <= merges && s4_name == s3_name;
        s4_size_q     <= s3_size;
        s4_range_q    <= s3_beyond != {UNITS{1'b0}} || (s3_offset_q & IN_STORE) != 16'd0;
        s4_some_q     <= read_mask != {STORE_BYTES{1'b0}};
        s4_ones_q     <= s3_ones;
        s4_row_has_q  <= s3_row_has;
        s4_bytes_q    <= s3_bytes;
        s4_data_q     <= read_data;
        if (merges) merged_q <= {line_nop, mask};
        stored_same_q <= writes_stored && s4_entry_q == s3_entry_q;
        sent_same_q   <= writes_sent && s4_entry_q == s3_entry_q;
        stored_last_q <= stored_write;
        sent_last_q   <= sent_write;
    end

    // ---- report -------------------------------------------------------------------------------------------------------
    assign events = `MOEHUB_STORE_STEP_EVENTS(done, bad_handle, bad_range, is_aborted, too_late || rewrites,
        merges && whole && filling, is_lock && !part, is_lock && part, wants_slot_q, wants_line_q);
    // A byte of a row that was left whole was stored twice.
    assign fails        = too_late || rewrites || (bad_handle && same_generation && !row_open && !opening[s4_entry_q]
        && !row_aborted);
    assign row_context  = its_context;
    assign row_index    = index;
    assign store_handle = s4_handle_q;
    assign store_offset = s4_offset_q;
    wire unused = &{1'b0, next_line, stored_now[SIZE_WIDTH], s3_there};
endmodule

`default_nettype wire
