// SPDX-License-Identifier: Apache-2.0
// Purpose: takes the rows that the GPU stores, merges stores of a line into one packet, chooses what leaves next on each way,
//   counts what was sent to whom, and closes (doc/hub/packet_manager.md); wiring, without its registers.
// Contract:
//   1. Streams and wires are those of doc/hub/packet_manager.md section 2; before `initialised` nothing is taken.
//   2. line_timeout is that of the register LINE_TIMEOUT, 1..32768.
//   3. events: a bit an event, one cycle after what it counts, numbers of MOEHUB_PACKET_MANAGER_EVENT_*; 0 and those
//      of reduces are not made here. error_*: of the causes of a cycle the smallest, beside their events.
// How: one pipeline orders stores, locks and openings; beside it the hand, the choice, and the ways, each with its packet.
// Cost: doc/hub/packet_manager.md section 9.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_packet_manager #(
    parameter LINKS             = 1,   // 1..4
    parameter GPUS              = 8,   // 2..64
    parameter CONTEXTS          = 4,   // 1..8
    parameter LOCAL_EXPERT_BITS = 8,   // 0..8
    parameter MAX_TARGETS       = 32,  // 1..32
    parameter OFFSET_WIDTH      = 14,  // 7..16
    parameter ROW_INDEX_WIDTH   = 20,  // 1..32
    parameter ADDRESS_WIDTH     = 48,  // 32..64
    parameter ROWS              = 32,  // 1..64
    parameter LINES             = 448, // 1..4096
    parameter STORE_BYTES       = 32   // 16, 32, 64, 128
) (
    input  wire                                        clk,
    input  wire                                        rst,
    output wire                                        initialised,
    input  wire [9:0]                                  own,
    input  wire [LINKS - 1:0]                          link_up,
    input  wire [LINKS:0]                              store_room,
    input  wire [15:0]                                 line_timeout,
    // contexts
    input  wire [CONTEXTS - 1:0]                       enabled,
    input  wire [CONTEXTS - 1:0]                       closing,
    input  wire [CONTEXTS * 4 - 1:0]                   rounds,
    input  wire [CONTEXTS * 5 - 1:0]                   owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                peers,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]  row_sizes,
    output wire [CONTEXTS - 1:0]                       failed,
    output wire [CONTEXTS - 1:0]                       closed,
    output wire [CONTEXTS * 7 - 1:0]                   rows,
    // streams
    input  wire                                        s_axis_row_tvalid,
    output wire                                        s_axis_row_tready,
    input  wire [`MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH) - 1:0] s_axis_row_tdata,
    output wire                                        m_axis_handle_tvalid,
    input  wire                                        m_axis_handle_tready,
    output wire [`MOEHUB_HANDLE_WIDTH - 1:0]           m_axis_handle_tdata,
    input  wire                                        s_axis_store_tvalid,
    output wire                                        s_axis_store_tready,
    input  wire [`MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) - 1:0] s_axis_store_tdata,
    input  wire                                        s_axis_end_tvalid,
    output wire                                        s_axis_end_tready,
    input  wire [`MOEHUB_END_COMMAND_WIDTH - 1:0]      s_axis_end_tdata,
    output wire                                        m_axis_expect_tvalid,
    input  wire                                        m_axis_expect_tready,
    output wire [`MOEHUB_EXPECTED_WIDTH - 1:0]         m_axis_expect_tdata,
    output wire [LINKS:0]                              m_axis_packet_tvalid,
    input  wire [LINKS:0]                              m_axis_packet_tready,
    output wire [(LINKS + 1) * 128 - 1:0]              m_axis_packet_tdata,
    output wire [LINKS:0]                              m_axis_packet_tlast,
    output wire [(LINKS + 1) * 5 - 1:0]                m_axis_packet_flits,
    output wire                                        m_axis_notice_tvalid,
    input  wire                                        m_axis_notice_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]           m_axis_notice_tdata,
    // target lists: reads of one beat, in order
    output wire                                        m_axi_list_arvalid,
    input  wire                                        m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]                  m_axi_list_araddr,
    input  wire                                        m_axi_list_rvalid,
    input  wire [127:0]                                m_axi_list_rdata,
    input  wire [1:0]                                  m_axi_list_rresp,
    // registers
    output wire [15:0]                                 slots_level,
    output wire [15:0]                                 rows_level,
    output wire [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0]  events,
    output wire                                        error_valid,
    output wire [4:0]                                  error_cause,
    output wire [127:0]                                error_header
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
        if (GPUS < 2 || GPUS > 64) GPUS_must_be_2_to_64 u_rule ();
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (OFFSET_WIDTH < 7 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_7_to_16 u_rule ();
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) ROW_INDEX_WIDTH_must_be_1_to_32 u_rule ();
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
        if (ROWS < 1 || ROWS > 64) ROWS_must_be_1_to_64 u_rule ();
        if (LINES < 1 || LINES > 4096) LINES_must_be_1_to_4096 u_rule ();
        if (STORE_BYTES != 16 && STORE_BYTES != 32 && STORE_BYTES != 64 && STORE_BYTES != 128)
            STORE_BYTES_must_be_16_32_64_or_128 u_rule ();
    endgenerate

    localparam WAYS         = LINKS + 1;
    localparam ENTRY_WIDTH  = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH   = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH   = `MOEHUB_INDEX_WIDTH(LINES);
    localparam SIZE_WIDTH   = OFFSET_WIDTH + 1;
    localparam RECORD_WIDTH = `MOEHUB_LOCKED_LINE_WIDTH(ROWS, OFFSET_WIDTH, LINES);
    localparam [3:0] OK     = 4'd`MOEHUB_STATUS_OK;
    localparam [31:0] LINKS_32 = LINKS;
    localparam [2:0] LOOP   = LINKS_32[2:0];

    wire choice_ready;
    wire pipeline_ready;
    wire close_ready;
    wire lines_ready;
    reg  initialised_q;
    assign initialised = initialised_q;
    always @(posedge clk) begin
        initialised_q <= choice_ready && pipeline_ready && close_ready && lines_ready && !rst;
    end

    wire [8 * SIZE_WIDTH - 1:0] sizes_8;
    genvar c;
    generate
        for (c = 0; c < 8; c = c + 1) begin : g_size
            if (c < CONTEXTS) begin : g_there
                assign sizes_8[c * SIZE_WIDTH +: SIZE_WIDTH] = row_sizes[c * SIZE_WIDTH +: SIZE_WIDTH];
            end else begin : g_none
                assign sizes_8[c * SIZE_WIDTH +: SIZE_WIDTH] = {SIZE_WIDTH{1'b0}};
            end
        end
    endgenerate

    // ---- row entries --------------------------------------------------------------------------------------------------
    wire                     entry_valid;
    wire                     unused_next_entry;
    wire [ENTRY_WIDTH - 1:0] entry;
    wire [$clog2(ROWS + 1) - 1:0] unused_entries;
    wire                     unused_parity;
    wire                     take;
    wire [2:0]               take_context;
    wire                     take_immediate;
    wire [ROW_INDEX_WIDTH - 1:0] take_row_index;
    wire                     decided;
    wire [3:0]               decided_status;
    wire                     opens   = decided && decided_status == OK;
    wire                     refuses = decided && decided_status != OK;
    wire [ENTRY_WIDTH - 1:0] open_entry;
    wire [5:0]               open_remotes;
    wire [5:0]               open_owns;
    wire                     leave;
    wire [ENTRY_WIDTH - 1:0] leave_entry;
    wire                     gone;
    moehub_free_list #(.ENTRIES(ROWS), .SPARE(0), .PARITY(0)) u_free_entries (
        .clk(clk), .rst(rst), .valid(entry_valid), .next_valid(unused_next_entry), .id(entry), .take(take),
        .put_valid(gone || refuses), .put_id(refuses ? open_entry : leave_entry), .used(unused_entries),
        .parity_error(unused_parity)
    );

    wire [CONTEXTS - 1:0]    abort;
    wire                     store_ends;
    wire                     locked;
    wire                     left_kind;
    wire [ENTRY_WIDTH - 1:0] step_entry;
    wire                     took;
    wire [ENTRY_WIDTH - 1:0] line_entry;
    wire                     line_gone;
    wire [ENTRY_WIDTH - 1:0] line_gone_entry;
    wire [1:0]               link;
    wire [ROWS - 1:0]        opening;
    wire [ROWS - 1:0]        open;
    wire [ROWS - 1:0]        aborted;
    wire [ROWS - 1:0]        stored_all;
    wire [ROWS - 1:0]        no_lines;
    wire [2 * ROWS - 1:0]    sent;
    wire [2 * ROWS - 1:0]    kinds;
    wire [2 * ROWS - 1:0]    links;
    wire [ROWS - 1:0]        immediate;
    wire [3 * ROWS - 1:0]    contexts;
    wire [8 * ROWS - 1:0]    generations;
    wire [ROWS * ROW_INDEX_WIDTH - 1:0] indices;
    wire [6:0]               used;
    moehub_packet_manager_entries #(
        .CONTEXTS(CONTEXTS), .ROWS(ROWS), .LINES(LINES), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)
    ) u_entries (
        .clk(clk), .rst(rst), .take(take), .take_entry(entry), .take_context(take_context), .take_immediate(take_immediate),
        .take_row_index(take_row_index), .decide(decided), .decide_opens(opens), .decide_entry(step_entry),
        .decide_link(link), .decide_kinds({open_owns != 6'd0, open_remotes != 6'd0}), .leave(leave),
        .leave_entry(leave_entry), .gone(gone), .gone_entry(leave_entry), .abort(abort), .store_ends(store_ends),
        .store_entry(line_entry), .lock(locked), .lock_entry(step_entry), .lock_kind(left_kind), .line_more(took),
        .line_more_entry(line_entry), .line_less(line_gone), .line_less_entry(line_gone_entry), .opening(opening),
        .open(open), .aborted(aborted), .stored_all(stored_all), .no_lines(no_lines), .sent(sent), .kinds(kinds),
        .links(links), .immediate(immediate), .contexts(contexts), .generations(generations), .indices(indices),
        .rows(rows), .used(used)
    );

    wire [2:0] step_context; // at step 5
    wire [2:0] add_context;  // of the row that leaves
    wire [1:0] leave_kinds   = kinds[leave_entry * 2 +: 2];
    wire       unused_kind   = leave_kinds[1];
    moehub_packet_manager_links #(.LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH)) u_links (
        .clk(clk), .rst(rst), .link_up(link_up), .link(link), .choose(opens && open_remotes != 6'd0),
        .size(sizes_8[step_context * SIZE_WIDTH +: SIZE_WIDTH]), .free_valid(gone && leave_kinds[0]),
        .free_link(links[leave_entry * 2 +: 2]), .free_size(sizes_8[add_context * SIZE_WIDTH +: SIZE_WIDTH])
    );

    // ---- rows and their lists -----------------------------------------------------------------------------------------
    wire                     data_valid;
    wire [ENTRY_WIDTH - 1:0] data_entry;
    wire [1:0]               data_number;
    wire                     check_write_valid;
    wire                     check_write_ready;
    wire                     check_write_own;
    wire [1:0]               check_write_number;
    wire [127:0]             check_write_data;
    wire                     check_read_valid;
    wire                     check_read_ready;
    wire [1:0]               check_read_number;
    wire [127:0]             list_flit;
    wire                     decide_valid;
    wire [3:0]               decide_status;
    wire                     waits_entry;
    wire                     expecting;
    wire                     refused;
    wire [31:0]              refused_row_index;
    wire [2:0]               refused_context;
    wire [3:0]               refused_status;
    moehub_packet_manager_rows #(
        .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .ROWS(ROWS)
    ) u_rows (
        .clk(clk), .rst(rst), .initialised(initialised_q), .own(own), .enabled(enabled), .closing(closing),
        .owner_shifts(owner_shifts), .peers(peers), .s_axis_row_tvalid(s_axis_row_tvalid),
        .s_axis_row_tready(s_axis_row_tready), .s_axis_row_tdata(s_axis_row_tdata), .entry_valid(entry_valid),
        .entry(entry), .take(take), .take_context(take_context), .take_immediate(take_immediate),
        .take_row_index(take_row_index), .waits_entry(waits_entry), .m_axi_list_arvalid(m_axi_list_arvalid),
        .m_axi_list_arready(m_axi_list_arready), .m_axi_list_araddr(m_axi_list_araddr),
        .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rresp(m_axi_list_rresp), .data_valid(data_valid),
        .data_entry(data_entry), .data_number(data_number), .check_entry(open_entry),
        .check_write_valid(check_write_valid), .check_write_ready(check_write_ready), .check_write_own(check_write_own),
        .check_write_number(check_write_number), .check_write_data(check_write_data), .check_read_valid(check_read_valid),
        .check_read_ready(check_read_ready), .check_read_number(check_read_number), .check_read_data(list_flit),
        .decide_valid(decide_valid), .decide_status(decide_status), .decide_remotes(open_remotes),
        .decide_owns(open_owns), .decided(decided), .decided_status(decided_status),
        .decided_generation(generations[open_entry * 8 +: 8]), .refused(refused), .refused_row_index(refused_row_index),
        .refused_context(refused_context), .refused_status(refused_status), .expecting(expecting),
        .m_axis_expect_tvalid(m_axis_expect_tvalid), .m_axis_expect_tready(m_axis_expect_tready),
        .m_axis_expect_tdata(m_axis_expect_tdata), .m_axis_handle_tvalid(m_axis_handle_tvalid),
        .m_axis_handle_tready(m_axis_handle_tready), .m_axis_handle_tdata(m_axis_handle_tdata)
    );

    wire [LINKS:0]                  way_list_valid;
    wire [LINKS:0]                  way_list_ready;
    wire [WAYS * ENTRY_WIDTH - 1:0] way_entry;
    wire [WAYS * 2 - 1:0]           way_list_number;
    wire                            leave_list_valid;
    wire                            leave_list_ready;
    wire [2:0]                      leave_list_number;
    moehub_packet_manager_lists #(.LINKS(LINKS), .ROWS(ROWS)) u_lists (
        .clk(clk), .rst(rst), .data_valid(data_valid), .data_entry(data_entry), .data_number(data_number),
        .data(m_axi_list_rdata), .check_entry(open_entry), .check_write_valid(check_write_valid),
        .check_write_ready(check_write_ready), .check_write_own(check_write_own),
        .check_write_number(check_write_number), .check_write_data(check_write_data), .check_read_valid(check_read_valid),
        .check_read_ready(check_read_ready), .check_read_number(check_read_number), .way_valid(way_list_valid),
        .way_ready(way_list_ready), .way_entry(way_entry), .way_number(way_list_number), .leave_valid(leave_list_valid),
        .leave_ready(leave_list_ready), .leave_entry(leave_entry), .leave_number(leave_list_number), .flit(list_flit)
    );

    // ---- stores, locks, openings --------------------------------------------------------------------------------------
    wire                            next_valid;
    wire [2:0]                      next_place;
    wire [15:0]                     next_handle;
    wire [15:0]                     next_offset;
    wire                            next_nop;
    wire                            issue;
    wire                            ring_read;
    wire [2:0]                      ring_place;
    wire [STORE_BYTES - 1:0]        ring_mask;
    wire                            data_read;
    wire [2:0]                      data_place;
    wire [8 * STORE_BYTES - 1:0]    merge_data;
    wire                            store_done;
    wire                            store_again;
    moehub_packet_manager_ring #(.STORE_BYTES(STORE_BYTES)) u_ring (
        .clk(clk), .rst(rst), .initialised(initialised_q), .s_axis_store_tvalid(s_axis_store_tvalid),
        .s_axis_store_tready(s_axis_store_tready), .s_axis_store_tdata(s_axis_store_tdata), .next_valid(next_valid),
        .next_place(next_place), .next_handle(next_handle), .next_offset(next_offset), .next_nop(next_nop), .issue(issue),
        .read(ring_read), .read_place(ring_place), .read_mask(ring_mask), .data_read(data_read), .data_place(data_place),
        .data_there(merge_data), .done(store_done), .again(store_again)
    );

    wire                            lock_valid;
    wire [2:0]                      lock_requester;
    wire                            lock_kind;
    wire [ENTRY_WIDTH - 1:0]        lock_entry;
    wire [LINE_WIDTH - 1:0]         lock_line;
    wire                            stand_still;
    wire [2:0]                      locked_way;
    wire [RECORD_WIDTH - 1:0]       record;
    wire                            wants_slot;
    wire                            slot_valid;
    wire [SLOT_WIDTH - 1:0]         slot;
    wire                            slot_take;
    wire [SLOT_WIDTH - 1:0]         line_slot;
    wire [LINE_WIDTH - 1:0]         line;
    wire [1:0]                      line_kinds;
    wire [1:0]                      line_link;
    wire                            line_nop;
    wire                            line_lost;
    wire                            line_lost_kind;
    wire                            became_valid;
    wire                            freed;
    wire [127:0]                    merge_bytes;
    wire [SLOT_WIDTH - 1:0]         next_slot;
    wire                            free_ready;
    wire [LINE_WIDTH - 1:0]         line_gone_line;
    wire                            hand_valid;
    wire                            hand_ready;
    wire [SLOT_WIDTH - 1:0]         hand_slot;
    wire [ENTRY_WIDTH - 1:0]        hand_entry;
    wire [LINE_WIDTH - 1:0]         hand_line;
    wire [2:0]                      hand_reasons;
    wire [2:0]                      hand_made;
    wire                            counts_valid;
    wire                            counts_ready;
    wire [33:0]                     counts_sent;
    wire [11:0]                     counts_targets;
    wire [`MOEHUB_STORE_STEP_EVENTS_WIDTH - 1:0] step_events;
    wire                            step_fails;
    wire [ROW_INDEX_WIDTH - 1:0]    step_row_index;
    wire [15:0]                     step_handle;
    wire [15:0]                     step_offset;
    moehub_packet_manager_pipeline #(
        .CONTEXTS(CONTEXTS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .ROWS(ROWS), .LINES(LINES),
        .STORE_BYTES(STORE_BYTES)
    ) u_pipeline (
        .clk(clk), .rst(rst), .initialised(pipeline_ready), .rounds(rounds), .row_sizes(row_sizes), .open(open),
        .opening(opening), .aborted(aborted), .sent(sent), .kinds(kinds), .links(links), .immediate(immediate),
        .contexts(contexts), .generations(generations), .indices(indices), .take(take), .take_entry(entry), .leave(leave),
        .leave_entry(leave_entry), .lock_valid(lock_valid),
        .lock_discards(lock_requester > LOOP), .lock_way(lock_requester), .lock_kind(lock_kind), .lock_entry(lock_entry),
        .lock_line(lock_line), .locked(locked), .locked_way(locked_way), .locked_record(record),
        .left_kind(left_kind), .open_valid(decide_valid), .open_entry(open_entry), .open_status(decide_status),
        .open_remotes(open_remotes), .open_owns(open_owns), .decided(decided), .decided_status(decided_status),
        .hand_valid(hand_valid), .hand_ready(hand_ready), .hand_slot(hand_slot), .hand_entry(hand_entry),
        .hand_line(hand_line), .hand_reasons(hand_reasons), .hand_made(hand_made), .stand_still(stand_still),
        .next_valid(next_valid), .next_place(next_place), .next_handle(next_handle), .next_offset(next_offset),
        .next_nop(next_nop), .issue(issue), .read(ring_read), .read_place(ring_place), .read_mask(ring_mask),
        .data_read(data_read), .data_place(data_place), .done(store_done), .again(store_again), .wants_slot(wants_slot),
        .slot_valid(slot_valid), .slot(slot), .slot_take(slot_take), .step_entry(step_entry), .took(took),
        .line_slot(line_slot), .line_entry(line_entry), .line(line), .line_kinds(line_kinds), .line_link(line_link),
        .line_nop(line_nop), .line_lost(line_lost), .line_lost_kind(line_lost_kind), .became_valid(became_valid),
        .freed(freed), .store_ends(store_ends), .next_slot(next_slot), .merge_bytes(merge_bytes),
        .free_valid(line_gone), .free_ready(free_ready), .free_entry(line_gone_entry), .free_line(line_gone_line),
        .counts_valid(counts_valid), .counts_ready(counts_ready), .counts_entry(leave_entry), .counts_sent(counts_sent),
        .counts_targets(counts_targets), .events(step_events), .fails(step_fails), .row_context(step_context),
        .row_index(step_row_index), .store_handle(step_handle), .store_offset(step_offset)
    );

    // ---- line buffers -------------------------------------------------------------------------------------------------
    wire                     read_valid;
    wire                     read_ready;
    wire                     read_kind;
    wire [SLOT_WIDTH - 1:0]  read_slot;
    wire [ENTRY_WIDTH - 1:0] read_entry;
    wire [LINE_WIDTH - 1:0]  read_line;
    wire [$clog2(LINES + 1) - 1:0] slots_used;
    moehub_packet_manager_lines #(.LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROWS(ROWS), .LINES(LINES)) u_lines (
        .clk(clk), .rst(rst), .initialised(lines_ready), .line_timeout(line_timeout), .aborted(aborted),
        .stored_all(stored_all), .kinds(kinds), .links(links), .store_room(store_room), .wants_slot(wants_slot),
        .slot_valid(slot_valid), .slot(slot), .used(slots_used), .slot_take(slot_take), .took(took), .became(became_valid),
        .freed(freed), .lost(line_lost), .lost_kind(line_lost_kind), .step_slot(line_slot), .step_entry(line_entry),
        .step_line(line), .step_kinds(line_kinds), .step_link(line_link), .read_valid(read_valid), .read_ready(read_ready),
        .read_kind(read_kind), .read_slot(read_slot), .read_entry(read_entry), .read_line(read_line),
        .settle_ready(free_ready), .gone(line_gone), .gone_entry(line_gone_entry), .gone_line(line_gone_line),
        .hand_valid(hand_valid), .hand_ready(hand_ready), .hand_slot(hand_slot),
        .hand_entry(hand_entry), .hand_line(hand_line), .hand_reasons(hand_reasons)
    );

    wire [LINKS:0]                  ask;
    wire [LINKS:0]                  turn;
    wire [WAYS * 8 - 1:0]           ask_units;
    wire [WAYS * SLOT_WIDTH - 1:0]  ask_slots;
    wire [WAYS * LINE_WIDTH - 1:0]  ask_lines;
    wire [1023:0]                   line_bytes;
    moehub_packet_manager_bytes #(
        .LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES)
    ) u_bytes (
        .clk(clk), .rst(rst), .write_slot(next_slot), .write_slot_valid(data_read), .write_bytes(merge_bytes),
        .write_data(merge_data), .ask(ask), .turn(turn), .units(ask_units), .slots(ask_slots), .entries(way_entry),
        .lines(ask_lines),
        .read_valid(read_valid), .read_ready(read_ready), .read_kind(read_kind), .read_slot(read_slot),
        .read_entry(read_entry), .read_line(read_line), .line(line_bytes)
    );

    // ---- what leaves next, and the ways -------------------------------------------------------------------------------
    wire [LINKS:0]        wants;
    wire [4 * ROWS - 1:0] unused_some;
    moehub_packet_manager_choice #(
        .LINKS(LINKS), .ROWS(ROWS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)
    ) u_choice (
        .clk(clk), .rst(rst), .initialised(choice_ready), .open(open & ~aborted), .aborted(open & aborted), .links(links),
        .take(take), .take_entry(entry), .take_row_index(take_row_index), .indices(indices), .some(unused_some),
        .became_valid(became_valid), .became_kinds(line_kinds), .became_entry(line_entry), .became_nop(line_nop),
        .became_line(line), .stand_still(stand_still),
        .wants(wants), .lock_valid(lock_valid), .lock_requester(lock_requester), .lock_kind(lock_kind),
        .lock_entry(lock_entry), .lock_line(lock_line)
    );

    wire [WAYS * ROWS - 1:0] way_busy;
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            localparam [2:0] WAY = w;
            moehub_packet_manager_way #(
                .MAX_TARGETS(MAX_TARGETS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROWS(ROWS), .LINES(LINES)
            ) u_way (
                .clk(clk), .rst(rst), .own(own), .wants(wants[w]), .chosen(lock_valid && lock_requester == WAY),
                .record_valid(locked && locked_way == WAY), .record(record), .list_valid(way_list_valid[w]),
                .list_ready(way_list_ready[w]), .list_entry(way_entry[w * ENTRY_WIDTH +: ENTRY_WIDTH]),
                .list_number(way_list_number[w * 2 +: 2]), .list_flit(list_flit), .ask(ask[w]), .turn(turn[w]),
                .ask_units(ask_units[w * 8 +: 8]), .ask_slot(ask_slots[w * SLOT_WIDTH +: SLOT_WIDTH]),
                .ask_line(ask_lines[w * LINE_WIDTH +: LINE_WIDTH]),
                .line_bytes(line_bytes), .busy(way_busy[w * ROWS +: ROWS]),
                .m_axis_packet_tvalid(m_axis_packet_tvalid[w]), .m_axis_packet_tready(m_axis_packet_tready[w]),
                .m_axis_packet_tdata(m_axis_packet_tdata[w * 128 +: 128]), .m_axis_packet_tlast(m_axis_packet_tlast[w]),
                .m_axis_packet_flits(m_axis_packet_flits[w * 5 +: 5])
            );
        end
    endgenerate

    // ---- rows that leave, closes --------------------------------------------------------------------------------------
    reg  [ROWS - 1:0] may_leave_q;
    reg  [ROWS - 1:0] under_way; // has a packet that has not left
    reg  [ROWS - 1:0] expected;  // the tracker knows of it
    integer           i;
    always @* begin
        under_way = {ROWS{1'b0}};
        for (i = 0; i < WAYS; i = i + 1) under_way = under_way | way_busy[i * ROWS +: ROWS];
        expected = {ROWS{1'b1}};
        if (expecting) expected[open_entry] = 1'b0;
    end
    always @(posedge clk) begin
        may_leave_q <= open & (aborted | stored_all) & no_lines & ~under_way & expected;
        if (rst) may_leave_q <= {ROWS{1'b0}};
    end

    wire        add_valid;
    wire [5:0]  add_gpu;
    wire [16:0] add_count;
    moehub_packet_manager_leave #(.LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .ROWS(ROWS)) u_leave (
        .clk(clk), .rst(rst), .may(may_leave_q), .contexts(contexts), .leave(leave), .entry(leave_entry), .gone(gone),
        .gone_ready(!refuses), .counts_valid(counts_valid), .counts_ready(counts_ready), .counts_sent(counts_sent),
        .counts_targets(counts_targets), .list_valid(leave_list_valid), .list_ready(leave_list_ready),
        .list_number(leave_list_number), .list_flit(list_flit), .add_valid(add_valid), .add_context(add_context),
        .add_gpu(add_gpu), .add_count(add_count)
    );

    wire [CONTEXTS - 1:0] in_use;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_in_use
            assign in_use[c] = rows[c * 7 +: 7] != 7'd0;
        end
    endgenerate
    moehub_packet_manager_close #(.LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS)) u_close (
        .clk(clk), .rst(rst), .initialised(close_ready), .start(initialised_q), .own(own), .link_up(link_up),
        .rounds(rounds), .peers(peers), .used(in_use), .s_axis_end_tvalid(s_axis_end_tvalid),
        .s_axis_end_tready(s_axis_end_tready), .s_axis_end_tdata(s_axis_end_tdata), .aborts(abort), .closed(closed),
        .add_valid(add_valid), .add_context(add_context), .add_gpu(add_gpu), .add_count(add_count),
        .m_axis_notice_tvalid(m_axis_notice_tvalid), .m_axis_notice_tready(m_axis_notice_tready),
        .m_axis_notice_tdata(m_axis_notice_tdata)
    );

    moehub_packet_manager_report #(.CONTEXTS(CONTEXTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)) u_report (
        .clk(clk), .rst(rst), .refused(refused), .refused_context(refused_context), .refused_row_index(refused_row_index),
        .refused_status(refused_status), .opened(opens), .left(leave),
        .closed(m_axis_notice_tvalid && m_axis_notice_tready), .step(step_events), .step_fails(step_fails),
        .step_context(step_context), .step_row_index(step_row_index), .step_handle(step_handle),
        .step_offset(step_offset), .hand_made(hand_made), .waits_entry(waits_entry), .failed(failed), .events(events),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );
    assign slots_level = {{(16 - $clog2(LINES + 1)){1'b0}}, slots_used};
    assign rows_level  = {9'd0, used};
endmodule

`default_nettype wire
