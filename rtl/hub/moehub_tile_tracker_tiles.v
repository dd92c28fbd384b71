// SPDX-License-Identifier: Apache-2.0
// Purpose: tiles of received rows: how many rows and bytes each has, and how far its computation is.
// Contract:
//   1. One operation a cycle, in order; each sees the ones before it. What each does: doc/hub/tile_tracker.md section 3.
//   2. What an operation tells (push, fault, look, get, settle_past) leaves in the cycle in which its tile is written: seven
//      cycles after operation_valid, settle_past four.
//   3. push: to the ring `push_kind` of ready 0, computed 1, notify 2. A tile is pushed to each at most once between two CLEARs.
//   4. settle_past: SETTLE found no tile n in its region.
//   5. While walking, word `walk` of both memories is cleared in each cycle, and no operation enters.
// How: seven stages.
//   1: the region is read, n = slot >> tile_shift   2: it is kept   3: n within the region? entry   4: the tile is read
//   5: what was read, or what the operations two and three ahead made of it   6: its new value; the operation one ahead is
//   forwarded   7: it is written; a balance below 0 flags it
// Cost: one operation a cycle, latency 7; CONTEXTS * LOCAL_EXPERTS words of two tile numbers (first
//   entry, count), TILES words of 63 bits.
// Limits: context is below CONTEXTS and expert below LOCAL_EXPERTS but for DONE, which is checked.
// Proved: formal/hub/formal_tile_tracker_tiles.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_tiles #(
    parameter CONTEXTS      = 4,
    parameter LOCAL_EXPERTS = 64,
    parameter OFFSET_WIDTH  = 14,
    parameter TILES         = 1024
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     walking,
    input  wire [16:0]                              walk,
    // contexts
    input  wire [CONTEXTS - 1:0]                    enabled,
    input  wire [CONTEXTS * 4 - 1:0]                tile_shifts,
    input  wire [CONTEXTS * 16 - 1:0]               tile_firsts,
    input  wire [CONTEXTS * 8 - 1:0]                computed_blocks,
    input  wire [CONTEXTS * 8 - 1:0]                finished_blocks,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    input  wire                                     region_write,
    input  wire [2:0]                               region_context,
    input  wire [15:0]                              region_expert,
    input  wire [15:0]                              region_first,
    input  wire [16:0]                              region_count,
    // operations
    input  wire                                     operation_valid,
    input  wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] operation,
    output wire                                     settle_past,
    output wire [15:0]                              settle_past_expert,
    output wire [2:0]                               push,        // one-hot, by kind
    output wire [2:0]                               push_context,
    output wire [7:0]                               push_expert,
    output wire [15:0]                              push_tile,
    output wire                                     push_failed, // flagged
    output wire                                     word,        // events
    output wire                                     bytes,
    output wire                                     fault_valid,
    output wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault,
    output wire                                     look_valid,
    output wire                                     look_notify,
    output wire                                     get_valid,
    output wire [`MOEHUB_TILE_WIDTH - 1:0]          tile         // of look and get
);
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(TILES);
    localparam NUMBER_WIDTH  = $clog2(TILES + 1);
    localparam REGIONS       = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(REGIONS);
    localparam SIZE_WIDTH    = OFFSET_WIDTH + 1;
    localparam [31:0] EXPERTS_32  = LOCAL_EXPERTS;
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [31:0] REGIONS_32  = REGIONS;
    localparam [31:0] TILES_32    = TILES;
    localparam [30:0] ONE_31      = 31'd1;

    // ---- stage 1: the region is read ----------------------------------------------------------------------------------
    wire [2:0]  s0_kind;
    wire [2:0]  s0_context;
    wire [15:0] s0_expert;
    wire [31:0] s0_place;
    wire [5:0]  s0_source;
    wire [7:0]  s0_value;
    wire        s0_error;
    assign `MOEHUB_TILE_OPERATION(s0_kind, s0_context, s0_expert, s0_place, s0_source, s0_value, s0_error) = operation;

    reg         s1_valid_q;
    reg  [2:0]  s1_kind_q;
    reg  [2:0]  s1_context_q;
    reg  [15:0] s1_expert_q;
    reg  [31:0] s1_place_q;
    reg  [5:0]  s1_source_q;
    reg  [7:0]  s1_value_q;
    reg         s1_error_q;
    always @(posedge clk) begin
        s1_valid_q   <= operation_valid;
        s1_kind_q    <= s0_kind;
        s1_context_q <= s0_context;
        s1_expert_q  <= s0_expert;
        s1_place_q   <= s0_place;
        s1_source_q  <= s0_source;
        s1_value_q   <= s0_value;
        s1_error_q   <= s0_error;
        if (rst) s1_valid_q <= 1'b0;
    end

    wire [CONTEXT_WIDTH - 1:0] s1_index   = s1_context_q[CONTEXT_WIDTH - 1:0];
    wire                       s1_in_slot = s1_kind_q == 3'd`MOEHUB_TILE_WORD || s1_kind_q == 3'd`MOEHUB_TILE_BYTES;
    wire                       s1_direct  = s1_kind_q == 3'd`MOEHUB_TILE_CLEAR || s1_kind_q == 3'd`MOEHUB_TILE_GET;
    wire                       s1_known   = {29'd0, s1_context_q} < CONTEXTS_32 && {16'd0, s1_expert_q} < EXPERTS_32;
    wire [31:0]                s1_region  = {29'd0, s1_context_q} * EXPERTS_32 + {16'd0, s1_expert_q};
    wire [31:0]                write_region = {29'd0, region_context} * EXPERTS_32 + {16'd0, region_expert};
    wire [CONTEXT_WIDTH - 1:0] write_index  = region_context[CONTEXT_WIDTH - 1:0];
    reg                        write_q;
    reg  [REGION_WIDTH - 1:0]  write_region_q;
    reg  [15:0]                write_first_q; // the region's first entry
    reg  [NUMBER_WIDTH - 1:0]  write_count_q;
    wire [16:0]                write_first  = {1'b0, write_first_q};
    always @(posedge clk) begin
        write_q        <= region_write;
        write_region_q <= write_region[REGION_WIDTH - 1:0];
        write_first_q  <= tile_firsts[write_index * 16 +: 16] + region_first;
        write_count_q  <= region_count[NUMBER_WIDTH - 1:0];
        if (rst) write_q <= 1'b0;
    end
    wire [2 * NUMBER_WIDTH - 1:0] region_rdata;
    wire                       unused_region_parity;
    moehub_memory_1r1w #(.WIDTH(2 * NUMBER_WIDTH), .DEPTH(REGIONS)) u_regions (
        .clk(clk), .write_enable(walking ? {15'd0, walk} < REGIONS_32 : write_q),
        .write_address(walking ? walk[REGION_WIDTH - 1:0] : write_region_q),
        .write_data(walking ? {2 * NUMBER_WIDTH{1'b0}} : {write_count_q, write_first[NUMBER_WIDTH - 1:0]}),
        .read_enable(s1_valid_q && s1_known && !s1_direct && !rst), .read_address(s1_region[REGION_WIDTH - 1:0]),
        .read_data(region_rdata), .parity_error(unused_region_parity)
    );

    reg         s2_valid_q;
    reg  [2:0]  s2_kind_q;
    reg  [2:0]  s2_context_q;
    reg  [15:0] s2_expert_q;
    reg  [31:0] s2_tile_q; // n, or the entry
    reg  [5:0]  s2_source_q;
    reg  [7:0]  s2_value_q;
    reg         s2_error_q;
    reg         s2_direct_q;
    reg         s2_allowed_q;
    always @(posedge clk) begin
        s2_valid_q      <= s1_valid_q;
        s2_kind_q       <= s1_kind_q;
        s2_context_q    <= s1_context_q;
        s2_expert_q     <= s1_expert_q;
        s2_tile_q       <= s1_in_slot ? s1_place_q >> tile_shifts[s1_index * 4 +: 4] : s1_place_q;
        s2_source_q     <= s1_source_q;
        s2_value_q      <= s1_value_q;
        s2_error_q      <= s1_error_q;
        s2_direct_q     <= s1_direct;
        s2_allowed_q    <= s1_kind_q != 3'd`MOEHUB_TILE_DONE || (s1_known && enabled[s1_index]);
        if (rst) s2_valid_q <= 1'b0;
    end

    // ---- stage 2: the region is kept ------------------------------------------------------------------------------------
    reg                       s3_valid_q;
    reg  [2:0]                s3_kind_q;
    reg  [2:0]                s3_context_q;
    reg  [15:0]               s3_expert_q;
    reg  [31:0]               s3_tile_q;
    reg  [5:0]                s3_source_q;
    reg  [7:0]                s3_value_q;
    reg                       s3_error_q;
    reg                       s3_direct_q;
    reg                       s3_allowed_q;
    reg  [NUMBER_WIDTH - 1:0] s3_first_q;
    reg  [NUMBER_WIDTH - 1:0] s3_count_q;
    always @(posedge clk) begin
        s3_valid_q   <= s2_valid_q;
        s3_kind_q    <= s2_kind_q;
        s3_context_q <= s2_context_q;
        s3_expert_q  <= s2_expert_q;
        s3_tile_q    <= s2_tile_q;
        s3_source_q  <= s2_source_q;
        s3_value_q   <= s2_value_q;
        s3_error_q   <= s2_error_q;
        s3_direct_q  <= s2_direct_q;
        s3_allowed_q <= s2_allowed_q;
        {s3_count_q, s3_first_q} <= region_rdata;
        if (rst) s3_valid_q <= 1'b0;
    end

    // ---- stage 3: within the region? ------------------------------------------------------------------------------------
    wire        s3_inside = s3_tile_q < {{32 - NUMBER_WIDTH{1'b0}}, s3_count_q};
    wire [31:0] s3_sum    = {{32 - NUMBER_WIDTH{1'b0}}, s3_first_q} + s3_tile_q;
    wire [31:0] s3_entry  = s3_direct_q ? s3_tile_q : s3_sum;

    reg                      s4_valid_q;
    reg                      s4_found_q; // there is such a tile
    reg  [2:0]               s4_kind_q;
    reg  [2:0]               s4_context_q;
    reg  [15:0]              s4_expert_q;
    reg  [31:0]              s4_tile_q;
    reg  [5:0]               s4_source_q;
    reg  [7:0]               s4_value_q;
    reg                      s4_error_q;
    reg  [ENTRY_WIDTH - 1:0] s4_entry_q;
    always @(posedge clk) begin
        s4_valid_q   <= s3_valid_q;
        s4_found_q   <= s3_valid_q && (s3_direct_q || (s3_inside && s3_allowed_q));
        s4_kind_q    <= s3_kind_q;
        s4_context_q <= s3_context_q;
        s4_expert_q  <= s3_expert_q;
        s4_tile_q    <= s3_tile_q;
        s4_source_q  <= s3_source_q;
        s4_value_q   <= s3_value_q;
        s4_error_q   <= s3_error_q;
        s4_entry_q   <= s3_entry[ENTRY_WIDTH - 1:0];
        if (rst) s4_valid_q <= 1'b0;
        if (rst) s4_found_q <= 1'b0;
    end
    assign settle_past        = s4_valid_q && !s4_found_q && s4_kind_q == 3'd`MOEHUB_TILE_SETTLE;
    assign settle_past_expert = s4_expert_q;

    // ---- stage 4: the tile is read ----------------------------------------------------------------------------------------
    wire [`MOEHUB_TILE_WIDTH - 1:0] tile_rdata;
    reg                             s7_write_q;
    reg  [ENTRY_WIDTH - 1:0]        s7_entry_q;
    reg  [`MOEHUB_TILE_WIDTH - 1:0] s7_new_q;
    wire                            unused_tile_parity;
    moehub_memory_1r1w #(.WIDTH(`MOEHUB_TILE_WIDTH), .DEPTH(TILES)) u_tiles (
        .clk(clk), .write_enable(walking ? {15'd0, walk} < TILES_32 : s7_write_q),
        .write_address(walking ? walk[ENTRY_WIDTH - 1:0] : s7_entry_q),
        .write_data(walking ? {`MOEHUB_TILE_WIDTH{1'b0}} : s7_tile),
        .read_enable(s4_found_q && !rst), .read_address(s4_entry_q), .read_data(tile_rdata), .parity_error(unused_tile_parity)
    );

    reg                      s5_valid_q;
    reg                      s5_found_q;
    reg  [2:0]               s5_kind_q;
    reg  [2:0]               s5_context_q;
    reg  [15:0]              s5_expert_q;
    reg  [31:0]              s5_tile_q;
    reg  [5:0]               s5_source_q;
    reg  [7:0]               s5_value_q;
    reg                      s5_error_q;
    reg  [ENTRY_WIDTH - 1:0] s5_entry_q;
    reg                      s5_same_1_q; // the same tile as that of the operation one ahead
    reg                      s5_same_2_q; // ... two ahead
    reg                      s5_same_3_q; // ... three ahead: it was written as this one was read
    reg  [12:0]              s5_full_q;   // rows of a whole tile
    reg  [SIZE_WIDTH - 1:0]  s5_row_size_q;
    reg  [7:0]               s5_blocks_q; // of the stage that DONE names
    reg                      s6_write_q;  // if its tile is there
    reg  [ENTRY_WIDTH - 1:0] s6_entry_q;
    wire                       s5_writes = s5_kind_q != 3'd`MOEHUB_TILE_LOOK && s5_kind_q != 3'd`MOEHUB_TILE_GET;
    wire [CONTEXT_WIDTH - 1:0] s4_index  = s4_context_q[CONTEXT_WIDTH - 1:0];
    always @(posedge clk) begin
        s5_valid_q    <= s4_valid_q;
        s5_found_q    <= s4_found_q;
        s5_kind_q     <= s4_kind_q;
        s5_context_q  <= s4_context_q;
        s5_expert_q   <= s4_expert_q;
        s5_tile_q     <= s4_tile_q;
        s5_source_q   <= s4_source_q;
        s5_value_q    <= s4_value_q;
        s5_error_q    <= s4_error_q;
        s5_entry_q    <= s4_entry_q;
        s5_same_1_q   <= s5_found_q && s5_writes && s5_entry_q == s4_entry_q;
        s5_same_2_q   <= s6_write_q && s6_entry_q == s4_entry_q;
        s5_same_3_q   <= s7_write_q && s7_entry_q == s4_entry_q;
        s5_full_q     <= 13'd1 << tile_shifts[s4_index * 4 +: 4];
        s5_row_size_q <= row_sizes[s4_index * SIZE_WIDTH +: SIZE_WIDTH];
        s5_blocks_q   <= s4_value_q[0] ? finished_blocks[s4_index * 8 +: 8] : computed_blocks[s4_index * 8 +: 8];
        if (rst) s5_valid_q <= 1'b0;
        if (rst) s5_found_q <= 1'b0;
    end

    // ---- stage 5: the tile as it is, but for what the operation one ahead does to it ----------------------------------------
    // A tile that is cleared is read as 0, which is a tile that fills: its balance needs no mux behind its sum. So is one that
    // the operation one ahead makes: its value then comes by an OR.
    wire                     s5_is_word  = s5_kind_q == 3'd`MOEHUB_TILE_WORD;
    wire                     s5_is_bytes = s5_kind_q == 3'd`MOEHUB_TILE_BYTES;
    wire                     s5_is_clear = s5_kind_q == 3'd`MOEHUB_TILE_CLEAR;
    reg  [30:0]              s5_change; // of the balance
    reg                      s6_valid_q;
    reg                      s6_found_q;
    reg  [2:0]               s6_kind_q;
    reg  [2:0]               s6_context_q;
    reg  [15:0]              s6_expert_q;
    reg  [31:0]              s6_tile_q;
    reg  [5:0]               s6_source_q;
    reg                      s6_last_stage_q; // of DONE; of LOOK: for the notify machine
    reg                      s6_error_q;
    reg                      s6_same_1_q;
    reg  [12:0]              s6_full_q;
    reg  [12:0]              s6_full_less_q;   // but one
    reg  [30:0]              s6_change_q;
    reg  [30:0]              s6_all_came_q;    // with this balance the change makes it 0
    reg  [7:0]               s6_blocks_less_q; // blocks before the last
    reg  [`MOEHUB_TILE_WIDTH - 1:0] s6_tile_old_q;
    reg  [`MOEHUB_TILE_WIDTH - 1:0] s8_new_q;
    wire [`MOEHUB_TILE_WIDTH - 1:0] s7_tile;
    wire [30:0]              s5_row_size = {{31 - SIZE_WIDTH{1'b0}}, s5_row_size_q};
    wire [30:0]              s5_value    = {23'd0, s5_value_q};
    always @* begin
        s5_change = 31'd0;
        if (s5_is_word) s5_change = s5_row_size;
        if (s5_is_bytes) s5_change = ~s5_value + ONE_31;
    end
    always @(posedge clk) begin
        s6_valid_q       <= s5_valid_q;
        s6_found_q       <= s5_found_q;
        s6_write_q       <= s5_found_q && s5_writes;
        s6_kind_q        <= s5_kind_q;
        s6_context_q     <= s5_context_q;
        s6_expert_q      <= s5_expert_q;
        s6_tile_q        <= s5_tile_q;
        s6_source_q      <= s5_source_q;
        s6_last_stage_q  <= s5_value_q[0];
        s6_error_q       <= s5_error_q;
        s6_entry_q       <= s5_entry_q;
        s6_same_1_q      <= s5_same_1_q && !s5_is_clear;
        s6_full_q        <= s5_full_q;
        s6_full_less_q   <= s5_full_q - 13'd1;
        s6_change_q      <= s5_change;
        s6_all_came_q    <= s5_is_word ? ~s5_row_size + ONE_31 : s5_value;
        s6_blocks_less_q <= s5_blocks_q - 8'd1;
        s6_tile_old_q    <= s5_same_2_q ? s7_tile : s5_same_3_q ? s8_new_q : tile_rdata;
        if (s5_is_clear || s5_same_1_q) s6_tile_old_q <= {`MOEHUB_TILE_WIDTH{1'b0}};
        if (rst) begin
            s6_valid_q <= 1'b0;
            s6_found_q <= 1'b0;
            s6_write_q <= 1'b0;
        end
    end

    // ---- stage 6: the new value ---------------------------------------------------------------------------------------------
    wire [`MOEHUB_TILE_WIDTH - 1:0] s6_old = s6_tile_old_q | ({`MOEHUB_TILE_WIDTH{s6_same_1_q}} & s7_tile);
    wire [12:0] rows;
    wire [30:0] balance;
    wire [7:0]  computed;
    wire [7:0]  finished;
    wire [1:0]  state;
    wire        flagged;
    assign `MOEHUB_TILE(rows, balance, computed, finished, state, flagged) = s6_old;

    wire is_word    = s6_kind_q == 3'd`MOEHUB_TILE_WORD;
    wire is_bytes   = s6_kind_q == 3'd`MOEHUB_TILE_BYTES;
    wire is_done    = s6_kind_q == 3'd`MOEHUB_TILE_DONE;
    wire is_settle  = s6_kind_q == 3'd`MOEHUB_TILE_SETTLE;
    wire is_row     = is_word || is_bytes;
    wire filling    = state == 2'd`MOEHUB_TILE_FILLING;
    wire whole      = rows == s6_full_q;
    wire last_stage = s6_last_stage_q;

    // The last of a tile is known without the sums: its state is part of the loop from one operation to the next.
    wire [30:0] new_balance   = balance + s6_change_q;
    wire [12:0] new_rows      = is_word && !whole ? rows + 13'd1 : rows;
    wire        row_misplaced = is_row && (!filling || (is_word && whole));
    wire        row_ready     = filling && (whole || (is_word && rows == s6_full_less_q)) && balance == s6_all_came_q;
    wire        settles       = is_settle && filling && rows != 13'd0;
    wire        misses        = balance != 31'd0;
    wire        done_ok       = state == (last_stage ? 2'd`MOEHUB_TILE_COMPUTED : 2'd`MOEHUB_TILE_READY);
    wire [7:0]  blocks        = last_stage ? finished : computed;
    wire        done_last     = is_done && done_ok && blocks == s6_blocks_less_q;
    // A balance below 0 flags the tile, too: a stage later, by its sign.
    wire        new_flagged   = flagged || (is_row && s6_error_q) || row_misplaced || (settles && (misses || s6_error_q));

    wire [7:0]  new_computed  = is_done && done_ok && !last_stage ? computed + 8'd1 : computed;
    wire [7:0]  new_finished  = is_done && done_ok && last_stage ? finished + 8'd1 : finished;
    reg  [1:0]  new_state;
    always @* begin
        new_state = state;
        if ((is_row && row_ready) || settles) new_state = 2'd`MOEHUB_TILE_READY;
        if (is_settle && filling && rows == 13'd0) new_state = 2'd`MOEHUB_TILE_FINISHED;
        if (done_last) new_state = last_stage ? 2'd`MOEHUB_TILE_FINISHED : 2'd`MOEHUB_TILE_COMPUTED;
    end

    reg [4:0] s6_cause; // but for a balance below 0, which is seen a stage later
    always @* begin
        s6_cause = 5'd`MOEHUB_TRACKER_NO_CAUSE;
        if (row_misplaced && !flagged && !s6_error_q) s6_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_BALANCE;
        if (settles && misses && !flagged) s6_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_BALANCE;
        if (is_done && (!s6_found_q || !done_ok)) s6_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_DONE;
        if (is_row && !s6_found_q) s6_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_TILE;
    end
    // Of a tile that is not there only TILE and DONE are known.
    wire s6_cause_valid = s6_cause != 5'd`MOEHUB_TRACKER_NO_CAUSE && (s6_found_q || is_row || is_done);

    // ---- stage 7: write, tell -------------------------------------------------------------------------------------------------
    reg         s7_valid_q;
    reg  [2:0]  s7_kind_q;
    reg  [2:0]  s7_context_q;
    reg  [15:0] s7_expert_q;
    reg  [31:0] s7_tile_q;
    reg  [5:0]  s7_source_q;
    reg         s7_notify_q;
    reg  [2:0]  s7_push_q;
    reg         s7_row_q;      // of a tile that is there
    reg         s7_flagged_q;  // before
    reg         s7_error_q;
    reg         s7_flags_q;    // its context, not for its tile's sake
    reg         s7_caused_q;
    reg  [4:0]  s7_cause_q;
    always @(posedge clk) begin
        s7_valid_q   <= s6_valid_q;
        s7_write_q   <= s6_write_q;
        s7_kind_q    <= s6_kind_q;
        s7_context_q <= s6_context_q;
        s7_expert_q  <= s6_expert_q;
        s7_tile_q    <= s6_tile_q;
        s7_source_q  <= is_settle ? 6'd0 : s6_source_q;
        s7_notify_q  <= s6_last_stage_q;
        s7_entry_q   <= s6_entry_q;
        s7_new_q     <= `MOEHUB_TILE(new_rows, new_balance, new_computed, new_finished, new_state, new_flagged);
        s7_push_q    <= {done_last && last_stage, done_last && !last_stage, (is_row && row_ready) || settles}
            & {3{s6_found_q}};
        s7_row_q     <= is_row && s6_found_q;
        s7_flagged_q <= flagged || !s6_found_q;
        s7_error_q   <= s6_error_q;
        s7_flags_q   <= is_row && !s6_found_q;
        s7_caused_q  <= s6_cause_valid;
        s7_cause_q   <= s6_cause;
        s8_new_q     <= s7_tile;
        if (rst) begin
            s7_valid_q <= 1'b0;
            s7_write_q <= 1'b0;
            s7_push_q  <= 3'd0;
        end
    end

    wire [12:0] s7_rows;
    wire [30:0] s7_balance;
    wire [7:0]  s7_computed;
    wire [7:0]  s7_finished;
    wire [1:0]  s7_state;
    wire        s7_marked;
    assign `MOEHUB_TILE(s7_rows, s7_balance, s7_computed, s7_finished, s7_state, s7_marked) = s7_new_q;
    wire        s7_negative = s7_row_q && s7_balance[30];
    wire        s7_mark     = s7_marked || s7_negative;
    assign s7_tile = `MOEHUB_TILE(s7_rows, s7_balance, s7_computed, s7_finished, s7_state, s7_mark);
    wire        s7_below = s7_negative && !s7_flagged_q && !s7_error_q;
    wire [4:0]  s7_tells = s7_below ? 5'd`MOEHUB_TILE_TRACKER_CAUSE_BALANCE : s7_cause_q;
    wire        s7_flags = s7_flags_q || (s7_mark && !s7_flagged_q);

    assign push         = s7_push_q;
    assign push_context = s7_context_q;
    assign push_expert  = s7_expert_q[7:0];
    assign push_tile    = s7_tile_q[15:0];
    assign push_failed  = s7_mark;
    assign word         = s7_valid_q && s7_kind_q == 3'd`MOEHUB_TILE_WORD;
    assign bytes        = s7_valid_q && s7_kind_q == 3'd`MOEHUB_TILE_BYTES;
    assign fault_valid  = s7_valid_q && (s7_caused_q || s7_below || s7_flags);
    assign fault        = `MOEHUB_TRACKER_ERROR(s7_tells, s7_flags, s7_context_q, s7_source_q, s7_tile_q, s7_expert_q);
    assign look_valid   = s7_valid_q && s7_kind_q == 3'd`MOEHUB_TILE_LOOK;
    assign look_notify  = s7_notify_q;
    assign get_valid    = s7_valid_q && s7_kind_q == 3'd`MOEHUB_TILE_GET;
    assign tile         = s7_tile;

    wire unused = &{1'b0, s1_region, s3_entry, region_count, region_context, write_region, write_first};
endmodule

`default_nettype wire
