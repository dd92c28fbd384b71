// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_tiles: a tile of the solver's choice is told once between two CLEARs: in the operation with which it has
// all its words and all their bytes, or by SETTLE; so never before its last response and its row list.
`default_nettype none
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"
module formal_tile_tracker_tiles #(
    parameter LOCAL_EXPERTS = 1,
    parameter TILES         = 2,
    parameter MOST_SHIFT    = 1, // tiles of up to 2^MOST_SHIFT rows
    parameter BYTES_WIDTH   = 8  // bytes of one BYTES
) (
    input wire        clk,
    input wire        rst,
    input wire        operation_valid,
    input wire [2:0]  kind,
    input wire [2:0]  of_context,
    input wire [15:0] expert,
    input wire [31:0] place,
    input wire [5:0]  source,
    input wire [7:0]  value,
    input wire        error,
    input wire        enabled
);
`include "formal_reset.vh"
    localparam OFFSET_WIDTH = 3;
    localparam SIZE_WIDTH   = OFFSET_WIDTH + 1;

    // ---- what software set: constants; one region after the other -------------------------------------------------------
    (* anyconst *) wire [3:0]                         shift;
    (* anyconst *) wire [SIZE_WIDTH - 1:0]            row_size;
    (* anyconst *) wire [7:0]                         computed_blocks;
    (* anyconst *) wire [7:0]                         finished_blocks;
    (* anyconst *) wire [15:0]                        tile_first;
    (* anyconst *) wire [15:0]                        split; // where region 1 begins
    (* anyconst *) wire [15:0]                        ends;
    always @* begin
        assume (shift <= MOST_SHIFT && split <= ends && {1'b0, tile_first} + {1'b0, ends} <= TILES && ends <= TILES);
        assume (LOCAL_EXPERTS > 1 || split == ends);
    end

    // Reset clears all words; then the regions are set.
    localparam [7:0] SETS = TILES;
    localparam [7:0] OPEN = TILES + LOCAL_EXPERTS;
    reg [7:0] setup_q = 8'd0;
    always @(posedge clk) setup_q <= rst ? 8'd0 : setup_q == OPEN ? OPEN : setup_q + 8'd1;
    wire       open  = setup_q == OPEN;
    wire [7:0] which = setup_q - SETS;

    // ---- the block ------------------------------------------------------------------------------------------------------
    wire is_entry = kind == `MOEHUB_TILE_CLEAR || kind == `MOEHUB_TILE_GET;
    wire is_done  = kind == `MOEHUB_TILE_DONE;
    always @* begin
        assume (!operation_valid || open);
        assume (kind <= `MOEHUB_TILE_GET && value >> BYTES_WIDTH == 8'd0);
        assume (is_done || (of_context == 3'd0 && expert < LOCAL_EXPERTS));
        assume (!is_entry || place < TILES);
    end
    wire        settle_past;
    wire [15:0] settle_past_expert;
    wire [2:0]  push;
    wire [2:0]  push_context;
    wire [7:0]  push_expert;
    wire [15:0] push_tile;
    wire        push_failed;
    wire        word;
    wire        bytes;
    wire        fault_valid;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault;
    wire        look_valid;
    wire        look_notify;
    wire        get_valid;
    wire [`MOEHUB_TILE_WIDTH - 1:0] tile;
    moehub_tile_tracker_tiles #(.CONTEXTS(1), .LOCAL_EXPERTS(LOCAL_EXPERTS), .OFFSET_WIDTH(OFFSET_WIDTH), .TILES(TILES)) u_tiles (
        .clk(clk), .rst(rst), .walking(setup_q < SETS), .walk({9'd0, setup_q}), .enabled(enabled), .tile_shifts(shift),
        .tile_firsts(tile_first), .computed_blocks(computed_blocks), .finished_blocks(finished_blocks), .row_sizes(row_size),
        .region_write(!rst && setup_q >= SETS && !open), .region_context(3'd0), .region_expert({8'd0, which}),
        .region_first(which == 8'd0 ? 16'd0 : split), .region_count(which == 8'd0 ? {1'b0, split} : {1'b0, ends} - {1'b0, split}),
        .operation_valid(operation_valid),
        .operation(`MOEHUB_TILE_OPERATION(kind, of_context, expert, place, source, value, error)),
        .settle_past(settle_past), .settle_past_expert(settle_past_expert), .push(push), .push_context(push_context),
        .push_expert(push_expert), .push_tile(push_tile), .push_failed(push_failed), .word(word), .bytes(bytes),
        .fault_valid(fault_valid), .fault(fault), .look_valid(look_valid), .look_notify(look_notify), .get_valid(get_valid),
        .tile(tile)
    );

    // ---- the tile that is looked at -------------------------------------------------------------------------------------
    (* anyconst *) wire        of_region; // its expert
    (* anyconst *) wire [15:0] n;
    wire [15:0] region_first = of_region ? split : 16'd0;
    wire [15:0] region_count = of_region ? ends - split : split;
    always @* assume (n < region_count && (LOCAL_EXPERTS > 1 || !of_region));
    wire [15:0] entry  = tile_first + region_first + n;
    wire        in_it  = expert == {15'd0, of_region} && (place >> shift) == {16'd0, n};
    wire        its    = expert == {15'd0, of_region} && place == {16'd0, n};
    wire        is_row = kind == `MOEHUB_TILE_WORD || kind == `MOEHUB_TILE_BYTES;
    // DONE is checked in the cycle after its taking.
    wire        hits   = operation_valid && !rst && (is_entry ? place == {16'd0, entry} : is_row ? in_it : its)
        && !(is_done && of_context != 3'd0);

    // its operations, as they reach the stage in which the tile changes
    reg [5:0]  hits_q = 6'd0;
    reg [17:0] kind_q;
    reg [47:0] value_q;
    reg [5:0]  error_q;
    always @(posedge clk) begin
        hits_q  <= {hits_q[4:1], hits_q[0] && (kind_q[2:0] != `MOEHUB_TILE_DONE || enabled), hits};
        kind_q  <= {kind_q[14:0], kind};
        value_q <= {value_q[39:0], value};
        error_q <= {error_q[4:0], error};
        if (rst) hits_q <= 6'd0;
    end
    wire       now       = hits_q[5];
    wire [2:0] now_kind  = kind_q[17:15];
    wire [7:0] now_value = value_q[47:40];
    wire       now_error = error_q[5];

    // ---- the tile as the page has it --------------------------------------------------------------------------------------
    reg [12:0] rows_q    = 13'd0;
    reg [30:0] missing_q = 31'd0; // bytes of its rows that did not come, modulo 2^31
    reg [7:0]  first_q   = 8'd0;  // blocks of GEMM-1
    reg [7:0]  second_q  = 8'd0;
    reg [1:0]  state_q   = 2'd`MOEHUB_TILE_FILLING;
    reg        flagged_q = 1'b0;
    reg [2:0]  due_q     = 3'd0; // told in this cycle
    reg [2:0]  told_q    = 3'd0; // before

    wire [12:0] full      = 13'd1 << shift;
    wire        is_word   = now && now_kind == `MOEHUB_TILE_WORD;
    wire        is_bytes  = now && now_kind == `MOEHUB_TILE_BYTES;
    wire        is_settle = now && now_kind == `MOEHUB_TILE_SETTLE;
    wire        is_clear  = now && now_kind == `MOEHUB_TILE_CLEAR;
    wire        is_block  = now && now_kind == `MOEHUB_TILE_DONE;
    wire        fills     = state_q == 2'd`MOEHUB_TILE_FILLING;
    wire [12:0] rows      = is_word && rows_q != full ? rows_q + 13'd1 : rows_q;
    wire [30:0] missing   = is_word ? missing_q + {27'd0, row_size} : is_bytes ? missing_q - {23'd0, now_value} : missing_q;
    wire        complete  = (is_word || is_bytes) && fills && rows == full && missing == 31'd0;
    wire        settles   = is_settle && fills && rows_q != 13'd0;
    wire        ends_1    = is_block && !now_value[0] && state_q == 2'd`MOEHUB_TILE_READY && first_q + 8'd1 == computed_blocks;
    wire        ends_2    = is_block && now_value[0] && state_q == 2'd`MOEHUB_TILE_COMPUTED && second_q + 8'd1 == finished_blocks;
    wire        wrong     = (is_word || is_bytes)
        && (now_error || missing[30] || !fills || (is_word && rows_q == full));
    always @(posedge clk) begin
        rows_q    <= rows;
        missing_q <= missing;
        if (is_block && !now_value[0] && state_q == 2'd`MOEHUB_TILE_READY) first_q <= first_q + 8'd1;
        if (is_block && now_value[0] && state_q == 2'd`MOEHUB_TILE_COMPUTED) second_q <= second_q + 8'd1;
        if (complete || settles) state_q <= 2'd`MOEHUB_TILE_READY;
        if (is_settle && fills && rows_q == 13'd0) state_q <= 2'd`MOEHUB_TILE_FINISHED;
        if (ends_1) state_q <= 2'd`MOEHUB_TILE_COMPUTED;
        if (ends_2) state_q <= 2'd`MOEHUB_TILE_FINISHED;
        flagged_q <= flagged_q || wrong || (settles && (now_error || missing_q != 31'd0));
        due_q     <= {ends_2, ends_1, complete || settles};
        told_q    <= told_q | due;
        if (rst || is_clear) begin
            rows_q    <= 13'd0;
            missing_q <= 31'd0;
            first_q   <= 8'd0;
            second_q  <= 8'd0;
            state_q   <= 2'd`MOEHUB_TILE_FILLING;
            flagged_q <= 1'b0;
            told_q    <= 3'd0;
        end
        if (rst) due_q <= 3'd0;
    end
    wire [2:0] due = push & {3{push_expert == {7'd0, of_region} && push_tile == n && push_context == 3'd0}};
    reg        read_q     = 1'b0; // a LOOK or GET of it is in the last stage
    reg        cleared_q  = 1'b0; // it was told, then cleared
    reg        settled_q  = 1'b0;
    reg        by_settle_q = 1'b0; // SETTLE is in the last stage
    wire [12:0] tile_rows;
    wire [30:0] tile_balance;
    wire [15:0] tile_blocks;
    wire [1:0]  tile_state;
    wire        tile_flagged;
    assign `MOEHUB_TILE(tile_rows, tile_balance, tile_blocks[7:0], tile_blocks[15:8], tile_state, tile_flagged) = tile;
    always @(posedge clk) begin
        read_q    <= now && !rst && (now_kind == `MOEHUB_TILE_GET || now_kind == `MOEHUB_TILE_LOOK);
        cleared_q <= (cleared_q || (is_clear && told_q[0])) && !rst;
        settled_q <= settles && !rst;
        by_settle_q <= is_settle && !rst;
    end

    always @* if (started_q) begin
        told_once:  assert ((due & told_q) == 3'd0);
        ready_why:  assert (!due[0] || due_q[0]);
        ready_then: assert (!due_q[0] || due[0]);
        blocks_is:  assert (due[2:1] == due_q[2:1]);
        in_order:   assert (!(due[2] && !told_q[1]) && !(due[1] && !told_q[0]));
        failed_is:  assert (due == 3'd0 || push_failed == flagged_q);
        ready_word: assert (!due[0] || (tile_rows != 13'd0 && tile_state == 2'd`MOEHUB_TILE_READY
            && (by_settle_q || (tile_rows == full && tile_balance == 31'd0))));
        rows_is:    assert (!read_q || tile_rows == rows_q);
        low_is:     assert (!read_q || tile_balance[3:0] == missing_q[3:0]);
        tile_is:    assert (!read_q || tile == `MOEHUB_TILE(rows_q, missing_q, first_q, second_q, state_q, flagged_q));
    end
    always @* begin
        whole:      cover (due[0] && rows_q == 13'd2 && !settled_q && !flagged_q && row_size != 0);
        told_again: cover (due[0] && cleared_q && !settled_q && !flagged_q && row_size != 0);
        settled:    cover (due[0] && settled_q && push_failed);
        finished:   cover (due[2]);
        reads:      cover (read_q && rows_q == 13'd2 && missing_q != 31'd0);
    end
endmodule
`default_nettype wire
