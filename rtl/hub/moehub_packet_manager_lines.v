// SPDX-License-Identifier: Apache-2.0
// Purpose: the state of each line buffer, for which kinds of way it is still to be read, and which are free
//   (doc/hub/packet_manager.md sections 3 to 6).
// Contract:
//   1. merge, became, locked, discarded are of the pipeline's step 4; state is that of step_slot. The hand's are made here.
//   2. read: a way read the line of a buffer for a kind; read_ready is a register.
//   3. gone: a buffer is free; its line is to be forgotten in the same cycle. Not while map_busy.
//   4. became: a line became ready, by either; kinds are those of its row.
//   5. owed_many, a bit a way: more than 3 lines are ready and not read for it.
// Cost: 4 flops a buffer, and their multiplexers.
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
    input  wire [15:0]                              line_timeout,
    input  wire [ROWS - 1:0]                        aborted,
    input  wire [ROWS - 1:0]                        stored_all,
    input  wire [2 * ROWS - 1:0]                    kinds,
    input  wire [2 * ROWS - 1:0]                    links,
    input  wire [LINKS:0]                           store_room,
    input  wire                                     wants_slot,
    input  wire                                     stand_still,
    // free buffers
    output wire                                     slot_valid,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  slot,
    output wire [$clog2(LINES + 1) - 1:0]           used,
    // step 4
    input  wire                                     slot_take,
    input  wire                                     merge,
    input  wire                                     step_became,
    input  wire                                     locked,
    input  wire                                     discarded,
    input  wire                                     left_kind,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  step_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   step_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] step_line,
    input  wire                                     step_nop,
    output wire [1:0]                               state,
    // what a way read
    input  wire                                     read_valid,
    output wire                                     read_ready,
    input  wire                                     read_kind,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  read_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   read_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] read_line,
    // what is free
    input  wire                                     map_busy,
    output wire                                     gone,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   gone_entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] gone_line,
    // what became ready
    output wire                                     became_valid,
    output wire [1:0]                               became_kinds,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   became_entry,
    output wire                                     became_nop,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] became_line,
    output wire [2:0]                               hand_made // reasons, of the cycle
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam COUNT_WIDTH = $clog2(LINES + 1) > 2 ? $clog2(LINES + 1) : 3;
    localparam WAYS        = LINKS + 1;

    // ---- free buffers -----------------------------------------------------------------------------------------------------
    wire                    unused_next_valid;
    wire                    unused_parity;
    wire [SLOT_WIDTH - 1:0] gone_slot;
    moehub_free_list #(.ENTRIES(LINES), .SPARE(1), .PARITY(0)) u_free (
        .clk(clk), .rst(rst), .valid(slot_valid), .next_valid(unused_next_valid), .id(slot), .take(slot_take),
        .put_valid(gone), .put_id(gone_slot), .used(used), .parity_error(unused_parity)
    );

    // ---- the hand ---------------------------------------------------------------------------------------------------------
    wire [2 * LINES - 1:0]   states;
    wire [2 * LINES - 1:0]   needs; // kinds for which the buffer is to be read
    wire                     hand_became;
    wire                     hand_frees;
    wire                     hand_may_free;
    wire [SLOT_WIDTH - 1:0]  hand_slot;
    wire [ENTRY_WIDTH - 1:0] hand_entry;
    wire [LINE_WIDTH - 1:0]  hand_line;
    wire                     hand_nop;
    wire [2:0]               reasons;
    wire [WAYS - 1:0]        owed_many;
    wire                     hand_makes = hand_became && !step_became;
    moehub_packet_manager_hand #(.LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROWS(ROWS), .LINES(LINES)) u_hand (
        .clk(clk), .rst(rst), .line_timeout(line_timeout), .aborted(aborted), .stored_all(stored_all), .kinds(kinds),
        .links(links), .store_room(store_room), .owed_many(owed_many), .wants_slot(wants_slot), .states(states),
        .give(slot_take), .give_slot(step_slot), .give_entry(step_entry), .give_line(step_line), .give_nop(step_nop),
        .merge(merge), .merge_slot(step_slot), .stand_still(stand_still), .became_valid(hand_became),
        .became_ready(!step_became), .free_valid(hand_frees), .free_ready(hand_may_free), .slot(hand_slot),
        .entry(hand_entry), .line(hand_line), .nop(hand_nop), .reasons(reasons)
    );
    assign hand_made    = hand_makes ? reasons : 3'd0;
    assign became_valid = step_became || hand_makes;
    assign became_entry = step_became ? step_entry : hand_entry;
    assign became_line  = step_became ? step_line : hand_line;
    assign became_nop   = step_became ? step_nop : hand_nop;
    assign became_kinds = kinds[became_entry * 2 +: 2];
    wire [SLOT_WIDTH - 1:0] became_slot = step_became ? step_slot : hand_slot;

    // ---- what has been read -------------------------------------------------------------------------------------------------
    wire                     done_valid;
    wire                     done_kind;
    wire [SLOT_WIDTH - 1:0]  done_slot;
    wire [ENTRY_WIDTH - 1:0] done_entry;
    wire [LINE_WIDTH - 1:0]  done_line;
    wire [2:0]               unused_count;
    wire                     done_ready = !map_busy && !discarded;
    moehub_fifo #(.WIDTH(1 + SLOT_WIDTH + ENTRY_WIDTH + LINE_WIDTH), .DEPTH(4)) u_done (
        .clk(clk), .rst(rst), .in_valid(read_valid), .in_ready(read_ready),
        .in_data({read_kind, read_slot, read_entry, read_line}), .out_valid(done_valid), .out_ready(done_ready),
        .out_data({done_kind, done_slot, done_entry, done_line}), .count(unused_count)
    );

    // ---- one buffer a cycle loses a kind; without one it is free ------------------------------------------------------
    wire                    loses      = discarded || (done_valid && done_ready);
    wire                    lost_kind  = discarded ? left_kind : done_kind;
    wire [SLOT_WIDTH - 1:0] lost_slot  = discarded ? step_slot : done_slot;
    wire [1:0]              its_needs  = needs[lost_slot * 2 +: 2];
    wire                    last_kind  = !(lost_kind ? its_needs[0] : its_needs[1]);
    assign hand_may_free = !loses && !map_busy;
    assign gone          = (loses && last_kind) || (hand_frees && hand_may_free);
    assign gone_slot     = loses ? lost_slot : hand_slot;
    assign gone_entry    = discarded ? step_entry : loses ? done_entry : hand_entry;
    assign gone_line     = discarded ? step_line : loses ? done_line : hand_line;
    assign state         = states[step_slot * 2 +: 2];

    // In groups, as tools unroll no loop of 4096.
    localparam GROUP  = 64;
    localparam GROUPS = (LINES + GROUP - 1) / GROUP;
    genvar g;
    genvar s;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : g_group
            for (s = g * GROUP; s < (g + 1) * GROUP && s < LINES; s = s + 1) begin : g_line
                localparam [31:0] NUMBER_32 = s;
                localparam [SLOT_WIDTH - 1:0] NUMBER = NUMBER_32[SLOT_WIDTH - 1:0];
                reg [1:0] state_q;
                reg [1:0] needs_q;
                assign states[s * 2 +: 2] = state_q;
                assign needs[s * 2 +: 2]  = needs_q;
                always @(posedge clk) begin
                    if (slot_take && step_slot == NUMBER) state_q <= 2'd`MOEHUB_LINE_FILLING;
                    if (became_valid && became_slot == NUMBER) begin
                        state_q <= 2'd`MOEHUB_LINE_READY;
                        needs_q <= became_kinds;
                    end
                    if (locked && step_slot == NUMBER) state_q <= 2'd`MOEHUB_LINE_LOCKED;
                    if (loses && lost_slot == NUMBER) needs_q[lost_kind] <= 1'b0;
                    if (gone && gone_slot == NUMBER) state_q <= 2'd`MOEHUB_LINE_FREE;
                    if (rst) state_q <= 2'd`MOEHUB_LINE_FREE;
                end
            end
        end
    endgenerate

    // ---- owed ---------------------------------------------------------------------------------------------------------
    wire [2:0] became_way = {1'b0, links[became_entry * 2 +: 2]};
    wire [ENTRY_WIDTH - 1:0] lost_entry = discarded ? step_entry : done_entry;
    wire [2:0] lost_way = {1'b0, links[lost_entry * 2 +: 2]};
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            localparam [2:0] WAY = w;
            localparam [COUNT_WIDTH - 1:0] ONE = 1;
            reg  [COUNT_WIDTH - 1:0] owed_q;
            wire more;
            wire less;
            if (w == LINKS) begin : g_loop
                assign more = became_valid && became_kinds[1];
                assign less = loses && lost_kind;
            end else begin : g_link
                assign more = became_valid && became_kinds[0] && became_way == WAY;
                assign less = loses && !lost_kind && lost_way == WAY;
            end
            assign owed_many[w] = owed_q[COUNT_WIDTH - 1:2] != {COUNT_WIDTH - 2{1'b0}};
            always @(posedge clk) begin
                if (more && !less) owed_q <= owed_q + ONE;
                if (less && !more) owed_q <= owed_q - ONE;
                if (rst) owed_q <= {COUNT_WIDTH{1'b0}};
            end
        end
    endgenerate
endmodule

`default_nettype wire
