// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_pipeline: line merge loses and doubles no byte. The packet of a line has a byte exactly if it was merged
// since the packet before; it was merged as it was stored, into the buffer that the packet names, and never while that is locked.
// Line buffers are those of the contract of moehub_packet_manager_lines: any free one, made ready, locked and freed at any time.
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
    input wire                         stored_all,
    input wire                         lock_valid,
    input wire                         lock_line,
    input wire                         stand_still,
    input wire                         next_valid,
    input wire [15:0]                  next_handle,
    input wire [15:0]                  next_offset,
    input wire                         next_nop,
    input wire [STORE_BYTES - 1:0]     read_mask,
    input wire [8 * STORE_BYTES - 1:0] read_data,
    input wire                         slot_valid,
    input wire                         slot,
    input wire [1:0]                   hand, // the hand makes these buffers ready
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

    // ---- line buffers: state, line, and whether its lock was asked for -----------------------------------------------------
    reg [3:0] states_q = {FREE, FREE};
    reg [1:0] line_q;
    reg [1:0] asked_q = 2'd0;

    wire                         initialised;
    wire                         locked;
    wire [2:0]                   locked_way;
    wire [`MOEHUB_LOCKED_LINE_WIDTH(1, OFFSET_WIDTH, LINES) - 1:0] locked_record;
    wire                         discarded;
    wire                         left_kind;
    wire                         decided;
    wire [3:0]                   decided_status;
    wire                         issue;
    wire                         read;
    wire [2:0]                   read_place;
    wire                         done;
    wire                         again;
    wire                         wants_slot;
    wire                         store_ends;
    wire                         slot_take;
    wire                         line_slot;
    wire                         line_entry;
    wire                         line;
    wire                         line_nop;
    wire                         became_valid;
    wire                         merge_valid;
    wire [127:0]                 merge_bytes;
    wire [8 * STORE_BYTES - 1:0] merge_data;
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
        .aborted(1'b0), .stored_all(stored_all), .sent(2'd0), .immediate(1'b1), .contexts(3'd0), .generations(generation),
        .indices(1'b0), .lock_valid(lock_valid), .lock_discards(1'b0), .lock_way(3'd0), .lock_kind(1'b0), .lock_entry(1'b0),
        .lock_line(lock_line), .locked(locked), .locked_way(locked_way), .locked_record(locked_record), .discarded(discarded),
        .left_kind(left_kind), .open_valid(1'b0), .open_entry(1'b0), .open_status(4'd0), .open_remotes(6'd1), .open_owns(6'd0),
        .decided(decided), .decided_status(decided_status), .stand_still(stand_still), .next_valid(next_valid),
        .next_place(3'd0), .next_handle(next_handle), .next_offset(next_offset), .next_nop(next_nop), .issue(issue),
        .read(read), .read_place(read_place), .read_mask(read_mask), .read_data(read_data), .done(done), .again(again),
        .wants_slot(wants_slot), .store_ends(store_ends), .slot_valid(slot_valid), .slot(slot), .slot_take(slot_take),
        .line_slot(line_slot), .line_state(states_q[line_slot * 2 +: 2]), .line_entry(line_entry), .line(line),
        .line_nop(line_nop), .became_valid(became_valid), .merge_valid(merge_valid), .merge_bytes(merge_bytes),
        .merge_data(merge_data), .free_valid(free_valid), .free_ready(free_ready), .free_entry(1'b0),
        .free_line(line_q[free_slot]), .counts_valid(1'b0), .counts_ready(counts_ready), .counts_entry(1'b0),
        .counts_sent(counts_sent), .counts_targets(counts_targets), .events(events), .fails(fails), .row_context(row_context),
        .row_index(row_index), .store_handle(store_handle), .store_offset(store_offset)
    );

    wire [1:0] may_lock = {states_q[3:2] == READY && line_q[1] == lock_line && !asked_q[1],
        states_q[1:0] == READY && line_q[0] == lock_line && !asked_q[0]};
    always @* begin
        assume (!slot_valid || states_q[slot * 2 +: 2] == FREE);
        assume (!lock_valid || (initialised && may_lock != 2'd0));
        assume (!free_valid || (states_q[free_slot * 2 +: 2] == LOCKED && free_ready));
    end
    integer s;
    always @(posedge clk) begin
        for (s = 0; s < 2; s = s + 1) begin
            if (slot_take && line_slot == s) begin
                states_q[s * 2 +: 2] <= FILLING;
                line_q[s]            <= line;
                asked_q[s]           <= 1'b0;
            end
            if (became_valid && line_slot == s) states_q[s * 2 +: 2] <= READY;
            if (hand[s] && !became_valid && !(merge_valid && line_slot == s) && states_q[s * 2 +: 2] == FILLING)
                states_q[s * 2 +: 2] <= READY;
            if (lock_valid && may_lock[s]) asked_q[s] <= 1'b1;
            if (locked && line_slot == s) states_q[s * 2 +: 2] <= LOCKED;
            if (free_valid && free_slot == s) states_q[s * 2 +: 2] <= FREE;
        end
        if (rst) states_q <= {FREE, FREE};
    end

    // ---- one byte of one line of the solver's choice -------------------------------------------------------------------
    (* anyconst *) wire       its_line;
    (* anyconst *) wire [6:0] byte_number;
    wire        record_entry;
    wire        record_line;
    wire        record_slot;
    wire [127:0] record_mask;
    wire        record_nop;
    wire [46:0] record_rest;
    assign {record_rest, record_nop, record_mask, record_slot, record_line, record_entry} = locked_record;

    // the store that is at step 4
    reg [47:0]                  offsets_q;
    reg [47:0]                  handles_q;
    reg [STORE_BYTES - 1:0]     mask_q;
    reg [7:0]                   data_q;
    always @(posedge clk) begin
        offsets_q <= {offsets_q[31:0], next_offset};
        handles_q <= {handles_q[31:0], next_handle};
        mask_q    <= read_mask;
        data_q    <= read_data[7:0];
    end
    wire [15:0] offset = offsets_q[47:32];
    wire [15:0] handle = handles_q[47:32];
    wire [15:0] place  = {8'd0, its_line, byte_number}; // of the byte in the row
    wire        stores_it = offset <= place && place - offset < STORE_BYTES && mask_q[place - offset];
    wire        good = handle == {generation, 8'd0} && !stored_all;

    reg  pending_q = 1'b0; // merged, and not in a packet
    reg  there_q   = 1'b0; // the line has a buffer
    reg  buffer_q;
    reg  locked_q  = 1'b0; // and it is locked
    reg  second_q  = 1'b0; // an earlier packet of the line had a byte, and there is a new one
    reg  two_q     = 1'b0; // merged into one line in two cycles that follow each other
    reg  merged_q  = 1'b0;
    wire merges = merge_valid && line == its_line;
    wire leaves = locked && record_line == its_line;
    always @(posedge clk) begin
        pending_q <= !rst && ((merges && merge_bytes[byte_number]) || (pending_q && !leaves));
        there_q   <= !rst && ((merges && slot_take) || (there_q && !(free_valid && line_q[free_slot] == its_line)));
        if (merges && slot_take) buffer_q <= slot;
        locked_q  <= !rst && (leaves || (locked_q && !(free_valid && line_q[free_slot] == its_line)));
        second_q  <= !rst && (second_q || (leaves && pending_q));
        merged_q  <= !rst && merges && merge_bytes[byte_number];
        two_q     <= !rst && ((merged_q && merges) || (two_q && !leaves));
    end

    always @* if (started_q) begin
        none_lost:   assert (!(leaves && pending_q) || record_mask[byte_number]);
        none_doubled: assert (!(leaves && !pending_q) || !record_mask[byte_number]);
        once:        assert (!(merges && merge_bytes[byte_number] && pending_q));
        not_locked:  assert (!(merges && locked_q));
        one_buffer:  assert (!(merges && there_q) || (line_slot == buffer_q && !slot_take));
        its_buffer:  assert (!leaves || (there_q && record_slot == buffer_q));
        as_stored:   assert (!merge_valid || (merge_data[7:0] == data_q && (!merges || merge_bytes[byte_number] == stores_it)));
        all_merged:  assert (!(done && good && stores_it && offset[15:7] == {8'd0, its_line} && events[3:0] == 4'd1
            && !events[4]) || (merges && merge_bytes[byte_number]));
    end
    always @* begin
        leaves_two:  cover (leaves && pending_q && two_q);
        again_there: cover (leaves && pending_q && second_q);
        merges_some: cover (merges && merge_bytes[byte_number]);
    end
endmodule
`default_nettype wire
