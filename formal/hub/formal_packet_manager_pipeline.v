// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_pipeline: line merge loses and doubles no byte. The packet of a line has a byte exactly if it was merged
// since the packet before; it was merged as it was stored, into the buffer that the packet names, and never while that is locked.
// Line buffers are those of the contract of moehub_packet_manager_lines: any free one, freed three cycles after its lock or
// later. The hand asks for any line in any buffer, never in two cycles that follow each other, and for a buffer again twelve
// cycles later (sixteen: spaced and apart of formal_packet_manager_hand.v).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"
module formal_packet_manager_pipeline #(
    parameter OFFSET_WIDTH = 8,
    parameter LINES        = 2,
    parameter STORE_BYTES  = 64
) (
    input wire                         clk,
    input wire                         rst,
    input wire                         abort, // of the row, from the next cycle on
    input wire                         hand_valid,
    input wire                         hand_line,
    input wire                         hand_slot,
    input wire                         lock_valid,
    input wire                         lock_line,
    input wire                         stand_still,
    input wire                         next_valid,
    input wire [2:0]                   next_place,
    input wire [15:0]                  next_handle,
    input wire [15:0]                  next_offset,
    input wire                         next_nop,
    input wire [STORE_BYTES - 1:0]     read_mask,
    input wire                         slot_valid,
    input wire                         slot,
    input wire                         free_valid,
    input wire                         free_slot
);
`include "formal_one_reset.vh"
    localparam [1:0] FREE    = 2'd`MOEHUB_LINE_FREE;
    localparam [1:0] FILLING = 2'd`MOEHUB_LINE_FILLING;
    localparam [1:0] READY   = 2'd`MOEHUB_LINE_READY;
    localparam [1:0] LOCKED  = 2'd`MOEHUB_LINE_LOCKED;
    localparam SIZE_WIDTH = OFFSET_WIDTH + 1;
    (* anyconst *) wire [SIZE_WIDTH - 1:0] row_size;
    (* anyconst *) wire [7:0]              generation;
    always @* assume (row_size <= (1 << OFFSET_WIDTH) && row_size[3:0] == 4'd0);

    // ---- line buffers: state, line, whether the lock was asked for, and when it was ------------------------------------
    reg [3:0] states_q = {FREE, FREE};
    reg [1:0] line_q;
    reg [1:0] asked_q = 2'd0;
    reg [3:0] locked_q = 4'd0; // of each buffer, cycles since its lock, 3 at most
    reg       aborted_q = 1'b0;
    wire      locked;
    reg       sent_q    = 1'b0; // a line of the row was locked: as the row entries tell it
    reg       locks_q   = 1'b0; // ... in the cycle before
    always @(posedge clk) begin
        aborted_q <= !rst && (aborted_q || abort);
        sent_q    <= !rst && (sent_q || locked);
        locks_q   <= !rst && locked;
    end

    wire                         initialised;
    wire [2:0]                   locked_way;
    wire [`MOEHUB_LOCKED_LINE_WIDTH(1, OFFSET_WIDTH, LINES) - 1:0] locked_record;
    wire                         left_kind;
    wire                         decided;
    wire [3:0]                   decided_status;
    wire                         hand_ready;
    wire [2:0]                   hand_made;
    wire                         issue;
    wire                         read;
    wire [2:0]                   read_place;
    wire                         data_read;
    wire [2:0]                   data_place;
    wire                         done;
    wire                         again;
    wire                         wants_slot;
    wire                         slot_take;
    wire                         step_entry;
    wire                         took;
    wire                         line_slot;
    wire                         line_entry;
    wire                         line;
    wire [1:0]                   line_kinds;
    wire [1:0]                   line_link;
    wire                         line_nop;
    wire                         line_lost;
    wire                         line_lost_kind;
    wire                         became_valid;
    wire                         freed;
    wire                         store_ends;
    wire                         next_slot;
    wire [127:0]                 merge_bytes;
    wire                         free_ready;
    wire                         counts_ready;
    wire [33:0]                  counts_sent;
    wire [11:0]                  counts_targets;
    wire [`MOEHUB_STORE_STEP_EVENTS_WIDTH - 1:0] events;
    wire                         fails;
    wire [2:0]                   row_context;
    wire                         row_index;
    wire [15:0]                  store_handle;
    wire [15:0]                  store_offset;
    moehub_packet_manager_pipeline #(
        .CONTEXTS(1), .OFFSET_WIDTH(OFFSET_WIDTH), .ROW_INDEX_WIDTH(1), .ROWS(1), .LINES(LINES), .STORE_BYTES(STORE_BYTES)
    ) u_pipeline (
        .clk(clk), .rst(rst), .initialised(initialised), .rounds(4'd0), .row_sizes(row_size), .open(1'b1), .opening(1'b0),
        .aborted(aborted_q), .sent({1'b0, sent_q}), .kinds(2'b01), .links(2'd0), .immediate(1'b1), .contexts(3'd0),
        .generations(generation), .indices(1'b0), .take(1'b0), .take_entry(1'b0), .leave(1'b0), .leave_entry(1'b0),
        .lock_valid(lock_valid),
        .lock_discards(1'b0), .lock_way(3'd0), .lock_kind(1'b0), .lock_entry(1'b0), .lock_line(lock_line), .locked(locked),
        .locked_way(locked_way), .locked_record(locked_record), .left_kind(left_kind), .open_valid(1'b0), .open_entry(1'b0),
        .open_status(4'd0), .open_remotes(6'd1), .open_owns(6'd0), .decided(decided), .decided_status(decided_status),
        .hand_valid(hand_valid), .hand_ready(hand_ready), .hand_slot(hand_slot), .hand_entry(1'b0), .hand_line(hand_line),
        .hand_reasons(3'd1), .hand_made(hand_made), .stand_still(stand_still), .next_valid(next_valid),
        .next_place(next_place), .next_handle(next_handle), .next_offset(next_offset), .next_nop(next_nop), .issue(issue),
        .read(read), .read_place(read_place), .read_mask(read_mask), .data_read(data_read), .data_place(data_place),
        .done(done), .again(again), .wants_slot(wants_slot), .slot_valid(slot_valid), .slot(slot), .slot_take(slot_take),
        .step_entry(step_entry), .took(took), .line_slot(line_slot), .line_entry(line_entry), .line(line),
        .line_kinds(line_kinds), .line_link(line_link), .line_nop(line_nop), .line_lost(line_lost),
        .line_lost_kind(line_lost_kind), .became_valid(became_valid), .freed(freed), .store_ends(store_ends),
        .next_slot(next_slot), .merge_bytes(merge_bytes), .free_valid(free_valid), .free_ready(free_ready), .free_entry(1'b0),
        .free_line(line_q[free_slot]), .counts_valid(1'b0), .counts_ready(counts_ready), .counts_entry(1'b0),
        .counts_sent(counts_sent), .counts_targets(counts_targets), .events(events), .fails(fails), .row_context(row_context),
        .row_index(row_index), .store_handle(store_handle), .store_offset(store_offset)
    );

    reg [7:0] handed_q = 8'd0; // of each buffer, cycles in which the hand does not ask for it again (its contract, 3 and 4)
    integer h;
    always @(posedge clk) begin
        for (h = 0; h < 2; h = h + 1) begin
            if (handed_q[h * 4 +: 4] != 4'd0) handed_q[h * 4 +: 4] <= handed_q[h * 4 +: 4] - 4'd1;
            if (hand_valid && hand_ready && hand_slot == h) handed_q[h * 4 +: 4] <= 4'd11;
        end
        if (rst) handed_q <= 8'd0;
    end
    wire [1:0] may_lock = {states_q[3:2] == READY && line_q[1] == lock_line && !asked_q[1],
        states_q[1:0] == READY && line_q[0] == lock_line && !asked_q[0]};
    always @* begin
        assume (!slot_valid || states_q[slot * 2 +: 2] == FREE);
        assume (!lock_valid || (initialised && may_lock != 2'd0));
        assume (!hand_valid || handed_q[hand_slot * 4 +: 4] == 4'd0);
        assume (!hand_valid || (handed_q[3:0] < 4'd11 && handed_q[7:4] < 4'd11));
        assume (!free_valid || (locked_q[free_slot * 2 +: 2] == 2'd3 && free_ready));
    end
    wire        record_entry;
    wire        record_line;
    wire        record_slot;
    wire [127:0] record_mask;
    wire        record_nop;
    wire [46:0] record_rest;
    assign {record_rest, record_nop, record_mask, record_slot, record_line, record_entry} = locked_record;
    integer s;
    always @(posedge clk) begin
        for (s = 0; s < 2; s = s + 1) begin
            if (locked_q[s * 2 +: 2] != 2'd0 && locked_q[s * 2 +: 2] != 2'd3) locked_q[s * 2 +: 2] <= locked_q[s * 2 +: 2] + 2'd1;
            if (slot_take && next_slot == s) begin
                states_q[s * 2 +: 2] <= FILLING;
                asked_q[s]           <= 1'b0;
            end
            if (took && line_slot == s) line_q[s] <= line;
            if (became_valid && line_slot == s) states_q[s * 2 +: 2] <= READY;
            if (lock_valid && may_lock[s]) asked_q[s] <= 1'b1;
            if (locked && record_slot == s) begin
                states_q[s * 2 +: 2] <= LOCKED;
                locked_q[s * 2 +: 2] <= 2'd1;
            end
            if (freed && line_slot == s) begin // it is given back later
                states_q[s * 2 +: 2] <= LOCKED;
                locked_q[s * 2 +: 2] <= 2'd1;
            end
            if (free_valid && free_slot == s) begin
                states_q[s * 2 +: 2] <= FREE;
                locked_q[s * 2 +: 2] <= 2'd0;
            end
        end
        if (rst) begin
            states_q <= {FREE, FREE};
            locked_q <= 4'd0;
        end
    end

    // ---- one byte of one line of the solver's choice -------------------------------------------------------------------
    (* anyconst *) wire       its_line;
    (* anyconst *) wire [6:0] byte_number;

    // the store that is at step 5, and what was done at step 5 of the one at step 6
    reg [63:0]                  offsets_q;
    reg [11:0]                  places_q;
    reg [2 * STORE_BYTES - 1:0] masks_q;
    reg                         stores_it_q;
    reg                         accepted_q; // of that line, and not refused
    reg [4:0]                   hand_slots_q;
    always @(posedge clk) begin
        hand_slots_q <= {hand_slots_q[3:0], hand_slot};
        offsets_q   <= {offsets_q[47:0], next_offset};
        places_q    <= {places_q[8:0], next_place};
        masks_q     <= {masks_q[STORE_BYTES - 1:0], read_mask};
        stores_it_q <= stores_it;
        accepted_q  <= events[4:1] == 4'd0 && !rst && offset[15:7] == {8'd0, its_line};
    end
    wire [15:0]              offset = offsets_q[63:48];
    wire [STORE_BYTES - 1:0] mask   = masks_q[2 * STORE_BYTES - 1:STORE_BYTES];
    wire [15:0]              place  = {8'd0, its_line, byte_number}; // of the byte in the row
    wire stores_it = offset <= place && place - offset < STORE_BYTES && mask[place - offset];

    reg  pending_q = 1'b0; // merged, and not in a packet
    reg  there_q   = 1'b0; // the line has a buffer
    reg  buffer_q;
    reg  lock_q    = 1'b0; // and it is locked
    reg  second_q  = 1'b0; // an earlier packet of the line had a byte, and there is a new one
    reg  two_q     = 1'b0; // merged into one line in two cycles that follow each other
    reg  merged_q  = 1'b0;
    wire merges  = merge_bytes != 128'd0 && line == its_line; // step 6: before what is at step 5
    wire byte_merges = merges && merge_bytes[byte_number];
    wire pending = pending_q || byte_merges;
    wire leaves  = locked && record_line == its_line;
    wire is_freed = freed && line == its_line;
    wire is_free  = free_valid && line_q[free_slot] == its_line;
    always @(posedge clk) begin
        pending_q <= !rst && pending && !leaves && !is_freed;
        there_q   <= !rst && ((merges && took) || (there_q && !is_free));
        if (merges && took) buffer_q <= line_slot;
        lock_q    <= !rst && (leaves || (lock_q && !is_free));
        second_q  <= !rst && (second_q || (leaves && pending));
        merged_q  <= !rst && byte_merges;
        two_q     <= !rst && ((merged_q && merges) || (two_q && !leaves));
    end

    // FIRST, where locks of a kind are apart (formal_packet_manager_choice.v)
    wire record_first = record_rest[0];

    always @* if (started_q) begin
        first_once:  assert (!locked || locks_q || record_first == !sent_q);
        none_lost:   assert (!(leaves && pending) || record_mask[byte_number]);
        none_doubled: assert (!(leaves && !pending) || !record_mask[byte_number]);
        once:        assert (!(byte_merges && pending_q));
        not_locked:  assert (!(merges && lock_q));
        one_buffer:  assert (!(merges && there_q) || (line_slot == buffer_q && !took));
        its_buffer:  assert (!leaves || (there_q && record_slot == buffer_q));
        as_stored:   assert (!merges || merge_bytes[byte_number] == stores_it_q);
        its_data:    assert (!data_read || data_place == places_q[11:9]);
        as_filling:  assert (!freed || states_q[line_slot * 2 +: 2] == FILLING);
        taken_empty: assert (!took || merge_bytes != 128'd0); // it holds what its store brought, and no more
        as_asked:    assert (!(freed || hand_made != 3'd0) || line_slot == hand_slots_q[4]);
        all_merged:  assert (!(done && accepted_q && stores_it_q) || byte_merges);
    end
    always @* begin
        leaves_two:  cover (leaves && pending && two_q);
        again_there: cover (leaves && pending && second_q);
        merges_some: cover (byte_merges);
        later_one:   cover (locked && !locks_q && sent_q);
        frees:       cover (is_freed && pending_q);
    end
endmodule
`default_nettype wire
