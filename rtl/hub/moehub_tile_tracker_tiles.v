// SPDX-License-Identifier: Apache-2.0
// Purpose: tiles of received rows: how many rows and bytes each has, and how far its computation is.
// Contract:
//   1. One operation a cycle, in order; each sees the ones before it. What each does: doc/hub/tile_tracker.md section 3.
//   2. What an operation tells (push, fault, look, get, settle_past) leaves in the cycle in which its tile is written: five
//      cycles after operation_valid, settle_past three.
//   3. push: to the ring `push_kind` of ready 0, computed 1, notify 2. A tile is pushed to each at most once between two CLEARs.
//   4. settle_past: SETTLE found no tile n in its region.
//   5. While walking, word `walk` of both memories is cleared in each cycle, and no operation enters.
// How: five stages.
//   1: the region is read, n = slot >> tile_shift   2: n within the region? entry   3: the tile is read
//   4: its new value; the two operations ahead are forwarded   5: it is written
// Cost: one operation a cycle, latency 5; CONTEXTS * LOCAL_EXPERTS words of two tile numbers, TILES words of 63 bits.
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
    wire [16:0]               region_first_wide = {1'b0, region_first};
    wire [NUMBER_WIDTH - 1:0] write_first       = region_first_wide[NUMBER_WIDTH - 1:0];
    wire [2 * NUMBER_WIDTH - 1:0] region_rdata;
    wire                       unused_region_parity;
    moehub_memory_1r1w #(.WIDTH(2 * NUMBER_WIDTH), .DEPTH(REGIONS)) u_regions (
        .clk(clk), .write_enable(walking ? {15'd0, walk} < REGIONS_32 : region_write),
        .write_address(walking ? walk[REGION_WIDTH - 1:0] : write_region[REGION_WIDTH - 1:0]),
        .write_data(walking ? {2 * NUMBER_WIDTH{1'b0}} : {region_count[NUMBER_WIDTH - 1:0], write_first}),
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
    reg  [15:0] s2_tile_first_q;
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
        s2_tile_first_q <= tile_firsts[s1_index * 16 +: 16];
        if (rst) s2_valid_q <= 1'b0;
    end

    // ---- stage 2: within the region? ------------------------------------------------------------------------------------
    wire [NUMBER_WIDTH - 1:0] s2_first = region_rdata[NUMBER_WIDTH - 1:0];
    wire [NUMBER_WIDTH - 1:0] s2_count = region_rdata[NUMBER_WIDTH +: NUMBER_WIDTH];
    wire                      s2_inside = s2_tile_q < {{32 - NUMBER_WIDTH{1'b0}}, s2_count};
    wire [31:0]               s2_sum    = {16'd0, s2_tile_first_q} + {{32 - NUMBER_WIDTH{1'b0}}, s2_first} + s2_tile_q;
    wire [31:0]               s2_entry  = s2_direct_q ? s2_tile_q : s2_sum;

    reg                      s3_valid_q;
    reg                      s3_found_q; // there is such a tile
    reg  [2:0]               s3_kind_q;
    reg  [2:0]               s3_context_q;
    reg  [15:0]              s3_expert_q;
    reg  [31:0]              s3_tile_q;
    reg  [5:0]               s3_source_q;
    reg  [7:0]               s3_value_q;
    reg                      s3_error_q;
    reg  [ENTRY_WIDTH - 1:0] s3_entry_q;
    always @(posedge clk) begin
        s3_valid_q   <= s2_valid_q;
        s3_found_q   <= s2_valid_q && (s2_direct_q || (s2_inside && s2_allowed_q));
        s3_kind_q    <= s2_kind_q;
        s3_context_q <= s2_context_q;
        s3_expert_q  <= s2_expert_q;
        s3_tile_q    <= s2_tile_q;
        s3_source_q  <= s2_source_q;
        s3_value_q   <= s2_value_q;
        s3_error_q   <= s2_error_q;
        s3_entry_q   <= s2_entry[ENTRY_WIDTH - 1:0];
        if (rst) s3_valid_q <= 1'b0;
        if (rst) s3_found_q <= 1'b0;
    end
    assign settle_past        = s3_valid_q && !s3_found_q && s3_kind_q == 3'd`MOEHUB_TILE_SETTLE;
    assign settle_past_expert = s3_expert_q;

    // ---- stage 3: the tile is read ----------------------------------------------------------------------------------------
    wire [`MOEHUB_TILE_WIDTH - 1:0] tile_rdata;
    wire                            s5_write;
    reg  [ENTRY_WIDTH - 1:0]        s5_entry_q;
    reg  [`MOEHUB_TILE_WIDTH - 1:0] s5_new_q;
    wire                            unused_tile_parity;
    moehub_memory_1r1w #(.WIDTH(`MOEHUB_TILE_WIDTH), .DEPTH(TILES)) u_tiles (
        .clk(clk), .write_enable(walking ? {15'd0, walk} < TILES_32 : s5_write),
        .write_address(walking ? walk[ENTRY_WIDTH - 1:0] : s5_entry_q),
        .write_data(walking ? {`MOEHUB_TILE_WIDTH{1'b0}} : s5_new_q),
        .read_enable(s3_found_q && !rst), .read_address(s3_entry_q), .read_data(tile_rdata), .parity_error(unused_tile_parity)
    );

    reg                      s4_valid_q;
    reg                      s4_found_q;
    reg  [2:0]               s4_kind_q;
    reg  [2:0]               s4_context_q;
    reg  [15:0]              s4_expert_q;
    reg  [31:0]              s4_tile_q;
    reg  [5:0]               s4_source_q;
    reg  [7:0]               s4_value_q;
    reg                      s4_error_q;
    reg  [ENTRY_WIDTH - 1:0] s4_entry_q;
    reg                      s4_same_1_q; // the same tile as that of the operation one ahead
    reg                      s4_same_2_q; // ... two ahead
    reg  [12:0]              s4_full_q;   // rows of a whole tile
    reg  [SIZE_WIDTH - 1:0]  s4_row_size_q;
    reg  [7:0]               s4_computed_blocks_q;
    reg  [7:0]               s4_finished_blocks_q;
    wire                     s4_writes = s4_kind_q != 3'd`MOEHUB_TILE_LOOK && s4_kind_q != 3'd`MOEHUB_TILE_GET;
    wire [CONTEXT_WIDTH - 1:0] s3_index = s3_context_q[CONTEXT_WIDTH - 1:0];
    always @(posedge clk) begin
        s4_valid_q    <= s3_valid_q;
        s4_found_q    <= s3_found_q;
        s4_kind_q     <= s3_kind_q;
        s4_context_q  <= s3_context_q;
        s4_expert_q   <= s3_expert_q;
        s4_tile_q     <= s3_tile_q;
        s4_source_q   <= s3_source_q;
        s4_value_q    <= s3_value_q;
        s4_error_q    <= s3_error_q;
        s4_entry_q    <= s3_entry_q;
        s4_same_1_q   <= s4_found_q && s4_writes && s4_entry_q == s3_entry_q;
        s4_same_2_q   <= s5_write && s5_entry_q == s3_entry_q;
        s4_full_q     <= 13'd1 << tile_shifts[s3_index * 4 +: 4];
        s4_row_size_q <= row_sizes[s3_index * SIZE_WIDTH +: SIZE_WIDTH];
        s4_computed_blocks_q <= computed_blocks[s3_index * 8 +: 8];
        s4_finished_blocks_q <= finished_blocks[s3_index * 8 +: 8];
        if (rst) s4_valid_q <= 1'b0;
        if (rst) s4_found_q <= 1'b0;
    end

    // ---- stage 4: the new value ---------------------------------------------------------------------------------------------
    reg  [`MOEHUB_TILE_WIDTH - 1:0] s6_new_q;
    wire [`MOEHUB_TILE_WIDTH - 1:0] s4_old = s4_same_1_q ? s5_new_q : s4_same_2_q ? s6_new_q : tile_rdata;
    wire [12:0] rows;
    wire [30:0] balance;
    wire [7:0]  computed;
    wire [7:0]  finished;
    wire [1:0]  state;
    wire        flagged;
    assign `MOEHUB_TILE(rows, balance, computed, finished, state, flagged) = s4_old;

    wire is_word    = s4_kind_q == 3'd`MOEHUB_TILE_WORD;
    wire is_bytes   = s4_kind_q == 3'd`MOEHUB_TILE_BYTES;
    wire is_done    = s4_kind_q == 3'd`MOEHUB_TILE_DONE;
    wire is_settle  = s4_kind_q == 3'd`MOEHUB_TILE_SETTLE;
    wire is_clear   = s4_kind_q == 3'd`MOEHUB_TILE_CLEAR;
    wire is_row     = is_word || is_bytes;
    wire filling    = state == 2'd`MOEHUB_TILE_FILLING;
    wire whole      = rows == s4_full_q;
    wire last_stage = s4_value_q[0];

    wire [30:0] change      = is_word ? {{31 - SIZE_WIDTH{1'b0}}, s4_row_size_q} : ~{23'd0, s4_value_q} + ONE_31;
    wire [30:0] row_balance = balance + change;
    wire [12:0] row_rows    = is_word && !whole ? rows + 13'd1 : rows;
    wire        row_wrong   = row_balance[30] || !filling || (is_word && whole);
    wire        row_ready   = filling && row_rows == s4_full_q && row_balance == 31'd0;
    wire        settles     = is_settle && filling && rows != 13'd0;
    wire        misses      = balance != 31'd0;
    wire        done_ok     = state == (last_stage ? 2'd`MOEHUB_TILE_COMPUTED : 2'd`MOEHUB_TILE_READY);
    wire [7:0]  blocks      = (last_stage ? finished : computed) + 8'd1;
    wire        done_last   = is_done && done_ok && blocks == (last_stage ? s4_finished_blocks_q : s4_computed_blocks_q);
    wire        new_flagged = flagged || (is_row && (s4_error_q || row_wrong)) || (settles && (misses || s4_error_q));

    reg  [12:0] new_rows;
    reg  [30:0] new_balance;
    reg  [7:0]  new_computed;
    reg  [7:0]  new_finished;
    reg  [1:0]  new_state;
    reg         new_mark;
    always @* begin
        new_rows     = is_row ? row_rows : rows;
        new_balance  = is_row ? row_balance : balance;
        new_computed = is_done && done_ok && !last_stage ? blocks : computed;
        new_finished = is_done && done_ok && last_stage ? blocks : finished;
        new_mark     = new_flagged;
        new_state    = state;
        if ((is_row && row_ready) || settles) new_state = 2'd`MOEHUB_TILE_READY;
        if (is_settle && filling && rows == 13'd0) new_state = 2'd`MOEHUB_TILE_FINISHED;
        if (done_last) new_state = last_stage ? 2'd`MOEHUB_TILE_FINISHED : 2'd`MOEHUB_TILE_COMPUTED;
        if (is_clear) begin
            new_rows     = 13'd0;
            new_balance  = 31'd0;
            new_computed = 8'd0;
            new_finished = 8'd0;
            new_state    = 2'd`MOEHUB_TILE_FILLING;
            new_mark     = 1'b0;
        end
    end

    reg [4:0] s4_cause;
    always @* begin
        s4_cause = 5'd`MOEHUB_TRACKER_NO_CAUSE;
        if (is_row && row_wrong && !flagged && !s4_error_q) s4_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_BALANCE;
        if (settles && misses && !flagged) s4_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_BALANCE;
        if (is_done && (!s4_found_q || !done_ok)) s4_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_DONE;
        if (is_row && !s4_found_q) s4_cause = 5'd`MOEHUB_TILE_TRACKER_CAUSE_TILE;
    end
    // Of a tile that is not there only TILE and DONE are known.
    wire s4_cause_valid = s4_cause != 5'd`MOEHUB_TRACKER_NO_CAUSE && (s4_found_q || is_row || is_done);
    wire s4_flags = s4_found_q ? new_flagged && !flagged && !is_clear : is_row;

    // ---- stage 5: write, tell -------------------------------------------------------------------------------------------------
    reg         s5_valid_q;
    reg         s5_write_q;
    reg  [2:0]  s5_kind_q;
    reg  [2:0]  s5_context_q;
    reg  [15:0] s5_expert_q;
    reg  [31:0] s5_tile_q;
    reg  [5:0]  s5_source_q;
    reg         s5_notify_q;
    reg  [2:0]  s5_push_q;
    reg         s5_fault_q;
    reg         s5_flags_q;
    reg  [4:0]  s5_cause_q;
    always @(posedge clk) begin
        s5_valid_q   <= s4_valid_q;
        s5_write_q   <= s4_found_q && s4_writes;
        s5_kind_q    <= s4_kind_q;
        s5_context_q <= s4_context_q;
        s5_expert_q  <= s4_expert_q;
        s5_tile_q    <= s4_tile_q;
        s5_source_q  <= is_settle ? 6'd0 : s4_source_q;
        s5_notify_q  <= s4_value_q[0];
        s5_entry_q   <= s4_entry_q;
        s5_new_q     <= s4_writes ? `MOEHUB_TILE(new_rows, new_balance, new_computed, new_finished, new_state, new_mark) : s4_old;
        s5_push_q    <= {done_last && last_stage, done_last && !last_stage, (is_row && row_ready) || settles}
            & {3{s4_found_q}};
        s5_flags_q   <= s4_flags;
        s5_fault_q   <= s4_valid_q && (s4_cause_valid || s4_flags);
        s5_cause_q   <= s4_cause;
        s6_new_q     <= s5_new_q;
        if (rst) begin
            s5_valid_q <= 1'b0;
            s5_write_q <= 1'b0;
            s5_push_q  <= 3'd0;
            s5_fault_q <= 1'b0;
        end
    end

    assign s5_write     = s5_write_q;
    assign push         = s5_push_q;
    assign push_context = s5_context_q;
    assign push_expert  = s5_expert_q[7:0];
    assign push_tile    = s5_tile_q[15:0];
    assign push_failed  = s5_new_q[`MOEHUB_TILE_WIDTH - 1];
    assign word         = s5_valid_q && s5_kind_q == 3'd`MOEHUB_TILE_WORD;
    assign bytes        = s5_valid_q && s5_kind_q == 3'd`MOEHUB_TILE_BYTES;
    assign fault_valid  = s5_fault_q;
    assign fault        = `MOEHUB_TRACKER_ERROR(s5_cause_q, s5_flags_q, s5_context_q, s5_source_q, s5_tile_q, s5_expert_q);
    assign look_valid   = s5_valid_q && s5_kind_q == 3'd`MOEHUB_TILE_LOOK;
    assign look_notify  = s5_notify_q;
    assign get_valid    = s5_valid_q && s5_kind_q == 3'd`MOEHUB_TILE_GET;
    assign tile         = s5_new_q;

    wire unused = &{1'b0, s1_region, write_region, s2_entry, region_count, region_first_wide};
endmodule

`default_nettype wire
