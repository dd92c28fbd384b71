// SPDX-License-Identifier: Apache-2.0
// Purpose: which line buffers are free, which were read for one of two kinds, how many lines are owed, and the hand
//   (doc/hub/packet_manager.md sections 3 to 6).
// Contract:
//   1. slot_take is of the pipeline's step 5; took, became, freed, lost of its step 6, all of step_slot. settle_ready is high in
//      the cycle before freed or lost: so four of these wait at most, and none is refused.
//   2. read: a way read the line of a buffer for a kind; read_ready is a register, and leaves room for one more.
//   3. gone: a buffer is free, and its line is to be forgotten; while settle_ready alone.
//   4. Before `initialised` nothing is read or lost.
// How: a kind that is read, or lost, takes two cycles to learn whether the other one was before, and then the buffer is free.
// Cost: LINES memory bits, and those of the hand and of the list of free buffers.
// Proved: formal/hub/formal_packet_manager_lines.v
`default_nettype none
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"

module moehub_packet_manager_lines #(
    parameter LINKS        = 1,   // 1..4
    parameter OFFSET_WIDTH = 14,  // 7..16
    parameter ROWS         = 32,  // 1..64
    parameter LINES        = 448  // 1..4096
) (
    input  wire                                     clk,
    input  wire                                     rst,
    output wire                                     initialised,
    input  wire [15:0]                              line_timeout,
    input  wire [ROWS - 1:0]                        aborted,
    input  wire [ROWS - 1:0]                        stored_all,
    input  wire [2 * ROWS - 1:0]                    kinds,
    input  wire [2 * ROWS - 1:0]                    links,
    input  wire [LINKS:0]                           store_room,
    input  wire                                     wants_slot,
    // free buffers
    output wire                                     slot_valid,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  slot,
    output wire [$clog2(LINES + 1) - 1:0]           used,
    input  wire                                     slot_take,
    // step 6
    input  wire                                     took,
    input  wire                                     became,
    input  wire                                     freed,     // by the hand
    input  wire                                     lost,      // by a discard
    input  wire                                     lost_kind,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  step_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   step_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] step_line,
    input  wire [1:0]                               step_kinds, // of its row
    input  wire [1:0]                               step_link,
    // what a way read
    input  wire                                     read_valid,
    output wire                                     read_ready,
    input  wire                                     read_kind,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  read_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   read_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] read_line,
    // what is free
    input  wire                                     settle_ready,
    output wire                                     gone,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   gone_entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] gone_line,
    // the hand's operation
    output wire                                     hand_valid,
    input  wire                                     hand_ready,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  hand_slot,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   hand_entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] hand_line,
    output wire [2:0]                               hand_reasons
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam COUNT_WIDTH = $clog2(LINES + 1) > 2 ? $clog2(LINES + 1) : 3;
    localparam WAYS        = LINKS + 1;
    localparam [31:0] LAST = LINES - 1;
    localparam [SLOT_WIDTH - 1:0] SLOT_ONE = 1;

    // ---- free buffers -----------------------------------------------------------------------------------------------------
    wire                    unused_next_valid;
    wire                    unused_list_parity;
    wire [SLOT_WIDTH - 1:0] gone_slot;
    // None comes back in a cycle in which one is taken.
    moehub_free_list #(.ENTRIES(LINES), .SPARE(1), .PARITY(0)) u_free (
        .clk(clk), .rst(rst), .valid(slot_valid), .next_valid(unused_next_valid), .id(slot), .take(slot_take),
        .put_valid(gone), .put_id(gone_slot), .used(used), .parity_error(unused_list_parity)
    );

    reg                      initialised_q;
    reg [SLOT_WIDTH - 1:0]   clear_q;

    // ---- the hand ---------------------------------------------------------------------------------------------------------
    wire [WAYS - 1:0]        owed_many;
    moehub_packet_manager_hand #(.LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROWS(ROWS), .LINES(LINES)) u_hand (
        .clk(clk), .rst(rst), .line_timeout(line_timeout), .aborted(aborted), .stored_all(stored_all), .kinds(kinds),
        .links(links), .store_room(store_room), .owed_many(owed_many), .wants_slot(wants_slot),
        .clear(!initialised_q), .clear_slot(clear_q), .fills(took && !became), .stops(became || freed),
        .step_slot(step_slot), .step_entry(step_entry),
        .step_line(step_line), .valid(hand_valid), .ready(hand_ready), .slot(hand_slot), .entry(hand_entry), .line(hand_line),
        .reasons(hand_reasons)
    );

    // ---- what has been read -------------------------------------------------------------------------------------------------
    wire                     done_valid;
    wire                     done_kind;
    wire [SLOT_WIDTH - 1:0]  done_slot;
    wire [ENTRY_WIDTH - 1:0] done_entry;
    wire [LINE_WIDTH - 1:0]  done_line;
    wire [2:0]               done_count;
    wire                     unused_done_ready;
    wire                     given_valid; // what the pipeline gave up goes first
    wire                     loses_free;  // a kind may be lost
    reg                      read_ready_q;
    moehub_fifo #(.WIDTH(1 + SLOT_WIDTH + ENTRY_WIDTH + LINE_WIDTH), .DEPTH(4)) u_done (
        .clk(clk), .rst(rst), .in_valid(read_valid), .in_ready(unused_done_ready),
        .in_data({read_kind, read_slot, read_entry, read_line}), .out_valid(done_valid), .out_ready(loses_free && !given_valid),
        .out_data({done_kind, done_slot, done_entry, done_line}), .count(done_count)
    );
    assign read_ready = read_ready_q;

    // ---- what the pipeline gave up ---------------------------------------------------------------------------------------
    wire                     given_freed;
    wire                     given_kind;
    wire [SLOT_WIDTH - 1:0]  given_slot;
    wire [ENTRY_WIDTH - 1:0] given_entry;
    wire [LINE_WIDTH - 1:0]  given_line;
    wire [2:0]               unused_given;
    wire                     unused_given_ready;
    moehub_fifo #(.WIDTH(2 + SLOT_WIDTH + ENTRY_WIDTH + LINE_WIDTH), .DEPTH(4)) u_given (
        .clk(clk), .rst(rst), .in_valid(lost || freed), .in_ready(unused_given_ready),
        .in_data({freed, lost_kind, step_slot, step_entry, step_line}), .out_valid(given_valid), .out_ready(loses_free),
        .out_data({given_freed, given_kind, given_slot, given_entry, given_line}), .count(unused_given)
    );

    // ---- a kind is lost; a cycle later it is known whether the row has another that was not; then the buffer is free ---
    wire                     loses      = (given_valid || done_valid) && loses_free;
    wire                     loses_freed = given_valid && given_freed;
    wire                     lose_kind  = given_valid ? given_kind : done_kind;
    wire [SLOT_WIDTH - 1:0]  lose_slot  = given_valid ? given_slot : done_slot;
    wire [ENTRY_WIDTH - 1:0] lose_entry = given_valid ? given_entry : done_entry;
    wire [1:0]               lose_kinds = kinds[lose_entry * 2 +: 2];
    wire [1:0]               lose_link  = links[lose_entry * 2 +: 2];
    reg                      lost_q;
    reg                      lost_kind_q;
    reg                      freed_q;
    reg                      both_q;     // the row has both kinds, and it is not freed
    reg                      last_valid_q;
    reg                      last_freed_q;
    reg                      last_kind_q;
    reg                      last_q;     // no other kind is left
    reg [1:0]                last_link_q;
    reg [SLOT_WIDTH - 1:0]   last_slot_q;
    reg [ENTRY_WIDTH - 1:0]  last_entry_q;
    reg [LINE_WIDTH - 1:0]   last_line_q;
    reg [1:0]                lost_link_q;
    reg [SLOT_WIDTH - 1:0]   lost_slot_q;
    reg [ENTRY_WIDTH - 1:0]  lost_entry_q;
    reg [LINE_WIDTH - 1:0]   lost_line_q;
    reg                      same_q;     // the one before was of the same buffer
    reg                      half_q;     // ... and what it wrote
    wire                     half_read;
    wire                     half      = same_q ? half_q : half_read;
    wire                     settles   = last_valid_q && settle_ready;
    wire                     moves     = lost_q && (!last_valid_q || settles);
    wire                     unused_half_parity;
    moehub_memory_1r1w #(.WIDTH(1), .DEPTH(LINES), .PARITY(0)) u_half (
        .clk(clk), .write_enable((moves && both_q) || !initialised_q),
        .write_address(initialised_q ? lost_slot_q : clear_q), .write_data(initialised_q && !half),
        .read_enable(loses && !rst), .read_address(lose_slot), .read_data(half_read), .parity_error(unused_half_parity)
    );
    assign initialised  = initialised_q;
    assign loses_free   = !lost_q || moves;
    assign gone         = settles && last_q;
    assign gone_slot    = last_slot_q;
    assign gone_entry   = last_entry_q;
    assign gone_line    = last_line_q;

    always @(posedge clk) begin
        if (!initialised_q) clear_q <= clear_q == LAST[SLOT_WIDTH - 1:0] ? {SLOT_WIDTH{1'b0}} : clear_q + SLOT_ONE;
        if (clear_q == LAST[SLOT_WIDTH - 1:0]) initialised_q <= 1'b1;
        read_ready_q <= done_count < 3'd2;
        lost_q       <= loses || (lost_q && !moves);
        last_valid_q <= moves || (last_valid_q && !settles);
        if (rst) begin
            clear_q       <= {SLOT_WIDTH{1'b0}};
            initialised_q <= 1'b0;
            read_ready_q  <= 1'b0;
            lost_q        <= 1'b0;
            last_valid_q  <= 1'b0;
        end
    end
    always @(posedge clk) begin
        if (loses) begin
            lost_kind_q  <= lose_kind;
            freed_q      <= loses_freed;
            both_q       <= lose_kinds == 2'b11 && !loses_freed;
            lost_link_q  <= lose_link;
            lost_slot_q  <= lose_slot;
            lost_entry_q <= lose_entry;
            lost_line_q  <= given_valid ? given_line : done_line;
            same_q       <= lost_q && both_q && lost_slot_q == lose_slot;
            half_q       <= !half;
        end
        if (moves) begin
            last_freed_q <= freed_q;
            last_kind_q  <= lost_kind_q;
            last_q       <= !both_q || half;
            last_link_q  <= lost_link_q;
            last_slot_q  <= lost_slot_q;
            last_entry_q <= lost_entry_q;
            last_line_q  <= lost_line_q;
        end
    end

    // ---- owed, two cycles late ----------------------------------------------------------------------------------------------
    wire [2:0] became_way = {1'b0, step_link};
    wire [2:0] last_way   = {1'b0, last_link_q};
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            localparam [2:0] WAY = w;
            localparam [COUNT_WIDTH - 1:0] ONE = 1;
            reg  [COUNT_WIDTH - 1:0] owed_q;
            reg                      more_q;
            reg                      less_q;
            wire more;
            wire less;
            if (w == LINKS) begin : g_loop
                assign more = became && step_kinds[1];
                assign less = settles && !last_freed_q && last_kind_q;
            end else begin : g_link
                assign more = became && step_kinds[0] && became_way == WAY;
                assign less = settles && !last_freed_q && !last_kind_q && last_way == WAY;
            end
            assign owed_many[w] = owed_q[COUNT_WIDTH - 1:2] != {COUNT_WIDTH - 2{1'b0}};
            always @(posedge clk) begin
                more_q <= more;
                less_q <= less;
                if (more_q && !less_q) owed_q <= owed_q + ONE;
                if (less_q && !more_q) owed_q <= owed_q - ONE;
                if (rst) begin
                    owed_q <= {COUNT_WIDTH{1'b0}};
                    more_q <= 1'b0;
                    less_q <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
