// SPDX-License-Identifier: Apache-2.0
// Purpose: the passes of an input: proposes to the outputs, reads the packet's rows from its store, frees the packet.
// Contract:
//   1. A proposal (ask, and the wait in proposal) is a register; begins and firsts come in the cycle after, from the outputs
//      that grant it: output o's copy begins firsts[o] cycles after begins[o]. The rows in proposal are those of the pass.
//   2. While a copy is not whole each cycle is a row's turn, round and round; a row whose turn is in x is read in x + 1, and on
//      the bus `row` in x + 2.
//   3. At the end of a pass the number of copies that are left is kept, or, with none left, the packet is freed a cycle later.
//   4. The copy list's target flits are read in cycles in which no row is. Before every new pass a copy list that asks is served.
// Cost: PACKETS x 7 bits; one cycle from the choice to the proposal, one from begins to the first read.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_crossbar_input #(
    parameter PORTS      = 8,
    parameter DATA_WIDTH = 128,
    parameter JOIN       = 1,
    parameter WITH_TAG   = 0,
    parameter PLACES     = 2048,
    parameter PACKETS    = 682,
    parameter AHEAD      = 6
) (
    input  wire clk,
    input  wire rst,

    output wire                                          read_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_place,
    input  wire [127:0]                                  read_data,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,

    output wire                                          find_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     find_name,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_body,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  find_last,
    input  wire [4:0]                                    find_flits,
    input  wire [`MOEHUB_CROSSBAR_MARK_WIDTH - 1:0]      find_mark,
    input  wire [23:0]                                   find_tag,

    output wire                                          free_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     free_name,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_head,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  free_last,
    output wire [4:0]                                    free_flits,
    output wire [23:0]                                   free_tag,

    input  wire                                          target_read_valid,
    output wire                                          target_read_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  target_read_place,

    input  wire                                          left_valid,
    output wire                                          left_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     left_name,
    input  wire [5:0]                                    left_copies,

    output wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     pass_name,
    output wire                                          begin_new,
    input  wire [PORTS - 1:0]                            join_ask,
    input  wire                                          join_soon,
    input  wire                                          new_valid,
    input  wire [PORTS - 1:0]                            new_ask,
    input  wire [`MOEHUB_INDEX_WIDTH(PACKETS) - 1:0]     new_name,
    output wire                                          new_advance,

    output wire [PORTS - 1:0]                            ask,
    output wire [`MOEHUB_PROPOSAL_WIDTH - 1:0]           proposal,
    input  wire [PORTS - 1:0]                            begins,
    input  wire [PORTS * `MOEHUB_GRANT_FIRST_WIDTH - 1:0] firsts,
    output wire [`MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH) - 1:0] row,

    input  wire                                          record_waits,
    input  wire                                          target_reads,
    output wire [`MOEHUB_CROSSBAR_EVENTS - 1:0]          events
);
    localparam NAME_WIDTH  = `MOEHUB_INDEX_WIDTH(PACKETS);
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam FIRST_WIDTH = `MOEHUB_GRANT_FIRST_WIDTH;
    localparam FLIT_ROWS   = 128 / DATA_WIDTH;
    localparam [31:0] ROWS_OF_A_FLIT = FLIT_ROWS;
    localparam [31:0] AHEAD_CYCLES   = AHEAD;

    localparam PASS_WIDTH = `MOEHUB_PASS_WIDTH(PLACES, PACKETS);

    // ---- the packet found: two cycles after the choice, at the begin --------------------------------------------------
    // Rows are flits less target flits. Of these the full ones are taken away before the register, and one more beside it.
    wire [5:0] find_targets = find_mark[`MOEHUB_CROSSBAR_MARK_TARGETS_LSB +: `MOEHUB_CROSSBAR_MARK_TARGETS_WIDTH];
    wire [5:0] left_rdata;
    reg  [3:0] found_flits_q;
    reg  [3:0] found_less_q; // one less
    reg        found_part_q; // one target flit is not full
    reg  [5:0] found_copies_q;
    wire [3:0] found_rows = DATA_WIDTH != 128 ? ROWS_OF_A_FLIT[3:0] : found_part_q ? found_less_q : found_flits_q;
    wire       unused_find = &{1'b0, find_mark, find_flits[4], found_flits_q, found_less_q, found_part_q};

    always @(posedge clk) begin
        found_flits_q  <= find_flits[3:0] - {1'b0, find_targets[5:3]};
        found_less_q   <= find_flits[3:0] - {1'b0, find_targets[5:3]} - 4'd1;
        found_part_q   <= find_targets[2:0] != 3'd0;
        found_copies_q <= left_rdata;
    end

    // ---- the pass granted last, and the one before it while that still reads ----------------------------------------
    reg                   active_q; // the pass has not ended
    reg                   begun_q;  // its row 0 had its turn before this cycle
    reg [FIRST_WIDTH - 1:0] start_q; // cycles until its row 0 has its turn, if it has not begun
    reg [4:0]             left_q;   // cycles from now on until its last row had its turn
    reg [3:0]             number_q; // its next row
    reg [5:0]             copies_q; // copies that are not granted, but for those of the last two cycles
    reg [PORTS - 1:0]     begun_outputs_q; // outputs that granted one in the last cycle
    reg [5:0]             begun_copies_q; // copies granted in the cycle before that
    reg [PASS_WIDTH - 1:0] pass_q;
    reg                   old_active_q;
    reg [4:0]             old_left_q;
    reg [3:0]             old_number_q;
    reg [5:0]             old_copies_q;
    reg [PASS_WIDTH - 1:0] old_pass_q;

    wire [NAME_WIDTH - 1:0]  name;
    wire [PLACE_WIDTH - 1:0] head;
    wire [PLACE_WIDTH - 1:0] body;
    wire [PLACE_WIDTH - 1:0] last;
    wire [4:0]               flits;
    wire [3:0]               rows;
    wire [23:0]              tag;
    wire [NAME_WIDTH - 1:0]  old_name;
    wire [PLACE_WIDTH - 1:0] old_head;
    wire [PLACE_WIDTH - 1:0] old_body;
    wire [PLACE_WIDTH - 1:0] old_last;
    wire [4:0]               old_flits;
    wire [3:0]               old_rows;
    wire [23:0]              old_tag;
    assign `MOEHUB_PASS(name, head, body, last, flits, rows, tag) = pass_q;
    assign `MOEHUB_PASS(old_name, old_head, old_body, old_last, old_flits, old_rows, old_tag) = old_pass_q;
    assign pass_name = name;

    // ---- propose ----------------------------------------------------------------------------------------------------
    reg                    proposed_q;      // in the last cycle
    reg                    proposed_before_q;    // in the last but one
    reg                    proposal_new_q;  // of the proposal made last
    reg                    proposal_same_q; // ... for the packet of the pass that was ending
    reg [NAME_WIDTH - 1:0] proposal_name_q;
    reg [PORTS - 1:0]      ask_q;
    reg [2:0]              wait_q;

    wire       granted      = |begins;
    wire       may_propose  = !proposed_q && !granted;
    wire       wants_join   = JOIN != 0 && left_q >= 5'd2 && join_soon;
    wire       wants_new    = !wants_join && left_q <= AHEAD_CYCLES[4:0] && (begun_q || !active_q) && new_valid;
    wire       propose_join = may_propose && wants_join;
    wire       propose_new  = may_propose && wants_new;
    wire [2:0] join_wait    = begun_q || start_q < 3'd2 ? 3'd0 : start_q - 3'd2;
    // A cycle for the reader, even if it is served in this one: that hangs on the grants, which come late in a cycle.
    wire [2:0] new_wait     = left_q < 5'd2 ? 3'd0 : left_q[2:0] - 3'd2 + {2'd0, target_read_valid};

    assign new_advance = propose_new;
    // With narrow rows the number of rows is known before, and what is found is used first at the begin: a register between.
    assign find_valid  = FLIT_ROWS == 1 ? propose_new : proposed_q && proposal_new_q;
    assign find_name   = FLIT_ROWS == 1 ? new_name : proposal_name_q;
    assign ask         = ask_q;
    assign proposal[`MOEHUB_PROPOSAL_WAIT_LSB +: `MOEHUB_PROPOSAL_WAIT_WIDTH] = wait_q;
    assign proposal[`MOEHUB_PROPOSAL_ROWS_LSB +: `MOEHUB_PROPOSAL_ROWS_WIDTH] = rows;

    always @(posedge clk) begin
        proposed_q   <= propose_join || propose_new;
        proposed_before_q <= proposed_q;
        ask_q        <= propose_join ? join_ask : propose_new ? new_ask : {PORTS{1'b0}};
        // Of no meaning without a proposal: so they need not know of the grants, which come late in a cycle.
        if (!proposed_q) begin
            wait_q          <= wants_join ? join_wait : new_wait;
            proposal_new_q  <= !wants_join;
            proposal_name_q <= new_name;
            proposal_same_q <= active_q && name == new_name;
        end
        if (rst) begin
            proposed_q   <= 1'b0;
            proposed_before_q <= 1'b0;
            ask_q        <= {PORTS{1'b0}};
        end
    end

    // ---- begin ------------------------------------------------------------------------------------------------------
    wire       begin_join = granted && !proposal_new_q;
    wire [7:0] first_seen;  // [v]: some copy has its first turn v cycles after this one
    wire [6:0] begun_count; // at most 32: a packet has no more copies
    wire [2:0] first_least;

    assign begin_new = granted && proposal_new_q;

    genvar o;
    genvar v;
    generate
        for (v = 0; v < 8; v = v + 1) begin : g_first
            localparam [31:0] VALUE = v;
            wire [PORTS - 1:0] equal;
            for (o = 0; o < PORTS; o = o + 1) begin : g_output
                assign equal[o] = begins[o] && firsts[o * FIRST_WIDTH +: FIRST_WIDTH] == VALUE[2:0];
            end
            assign first_seen[v] = |equal;
        end
    endgenerate
    moehub_count_ones #(.WIDTH(PORTS)) u_begun_count (.bits(begun_outputs_q), .count(begun_count));
    wire       unused_count = begun_count[6];
    wire [7:0] first_lowest;
    moehub_lowest_one #(.WIDTH(8)) u_first_lowest (.bits(first_seen), .lowest(first_lowest));
    moehub_one_hot_index #(.WIDTH(8)) u_first_least (.one_hot(first_lowest), .index(first_least));

    // What the latest copy of so many cycles would make of left; of those seen the most.
    wire [3:0]  begin_rows = proposal_new_q ? found_rows : rows;
    wire [3:0]  begin_span = `MOEHUB_SPAN(begin_rows);
    wire [4:0]  left_next  = left_q == 5'd0 ? 5'd0 : left_q - 5'd1;
    wire [7:0]  first_highest;
    wire [39:0] reaches;
    wire [4:0]  reach;
    generate
        for (v = 0; v < 8; v = v + 1) begin : g_reach
            localparam [31:0] VALUE = v;
            wire [4:0] ends = {1'b0, begin_span} + VALUE[4:0] - 5'd1;
            assign reaches[v * 5 +: 5] = ends >= left_q ? ends : left_next; // ends is 2 or more
            assign first_highest[v]    = first_seen[v] && first_seen >> v == 8'd1;
        end
    endgenerate
    moehub_one_hot_mux #(.WIDTH(5), .WAYS(8)) u_reach (.select(first_highest), .words(reaches), .word(reach));

    wire       begin_now    = begin_new && first_seen[0]; // it is row 0's turn

    // ---- rows: whose turn it is -------------------------------------------------------------------------------------
    wire       starts_now = active_q && !begun_q && start_q == 3'd0;
    wire       pass_reads = begun_q ? left_q != 5'd0 || begin_join : starts_now;
    wire       old_reads  = old_left_q != 5'd0;

    // Each pass says all of its own next row: the choice comes late in a cycle, behind the grants.
    wire [3:0]               number_next     = number_q + 4'd1 == `MOEHUB_SPAN(rows) ? 4'd0 : number_q + 4'd1;
    wire [3:0]               old_number_next = old_number_q + 4'd1 == `MOEHUB_SPAN(old_rows) ? 4'd0 : old_number_q + 4'd1;
    wire                     row_valid       = begin_now ? found_rows != 4'd0 :
                                               pass_reads ? number_q < rows : old_reads && old_number_q < old_rows;
    wire                     row_last        = begin_now ? found_rows == 4'd1 :
                                               pass_reads ? number_q + 4'd1 == rows : old_number_q + 4'd1 == old_rows;
    wire                     row_follows     = !begin_now && (pass_reads ? number_q > 4'd1 : old_number_q > 4'd1);
    wire [PLACE_WIDTH - 1:0] pass_place      = number_q == 4'd0 || FLIT_ROWS != 1 ? head : body;
    wire [PLACE_WIDTH - 1:0] old_place       = old_number_q == 4'd0 || FLIT_ROWS != 1 ? old_head : old_body;
    wire [23:0]              row_tag         = begin_now ? find_tag : pass_reads ? tag : old_tag;

    // ---- rows: the read, in the cycle after the turn ------------------------------------------------------------------
    reg                     read_row_q;
    reg                     read_follows_q; // it is in the place after that of the row before, which was read in the last cycle
    reg                     read_last_q;
    reg [3:0]               read_number_q;
    reg [PLACE_WIDTH - 1:0] read_place_q;

    always @(posedge clk) begin
        read_row_q <= row_valid;
        if (rst) read_row_q <= 1'b0;
    end

    always @(posedge clk) begin
        read_follows_q <= row_follows && FLIT_ROWS == 1;
        read_last_q    <= row_last;
        read_number_q  <= begin_now ? 4'd0 : pass_reads ? number_q : old_number_q;
        read_place_q   <= begin_now ? find_head : pass_reads ? pass_place : old_place;
    end

    assign read_valid        = read_row_q || target_read_valid;
    assign read_place        = !read_row_q ? target_read_place : read_follows_q ? read_next : read_place_q;
    assign target_read_ready = !read_row_q;

    // ---- end --------------------------------------------------------------------------------------------------------
    wire       old_ends   = old_active_q && old_left_q == 5'd0;
    wire       may_end    = active_q && begun_q && left_q == 5'd0; // a join comes late in a cycle
    wire       pass_ends  = may_end && !begin_join;
    wire       ends       = old_ends || pass_ends;
    wire [5:0] end_copies = old_ends ? old_copies_q : copies_q;
    wire       may_keep   = (old_ends || may_end) && end_copies != 6'd0;
    wire       keep       = ends && may_keep;

    // Whether a pass ends is known late in a cycle, and a store's free names and places follow from it: a register between.
    wire [NAME_WIDTH - 1:0]  end_name = old_ends ? old_name : name;
    reg                      free_valid_q;
    reg [NAME_WIDTH - 1:0]   free_name_q;
    reg [PLACE_WIDTH - 1:0]  free_head_q;
    reg [PLACE_WIDTH - 1:0]  free_last_q;
    reg [4:0]                free_flits_q;
    reg [23:0]               free_tag_q;

    always @(posedge clk) begin
        free_valid_q <= ends && end_copies == 6'd0;
        if (rst) free_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        free_name_q  <= end_name;
        free_head_q  <= old_ends ? old_head : head;
        free_last_q  <= old_ends ? old_last : last;
        free_flits_q <= old_ends ? old_flits : flits;
        free_tag_q   <= old_ends ? old_tag : tag;
    end

    assign free_valid = free_valid_q;
    assign free_name  = free_name_q;
    assign free_head  = free_head_q;
    assign free_last  = free_last_q;
    assign free_flits = free_flits_q;
    assign free_tag   = free_tag_q;

    always @(posedge clk) begin
        active_q     <= begin_new || (active_q && !pass_ends);
        left_q       <= granted ? reach : left_next;
        if (begin_new) begun_q <= begin_now;
        else if (starts_now) begun_q <= 1'b1;
        if (begin_new) start_q <= first_least - 3'd1;
        else if (start_q != 3'd0) start_q <= start_q - 3'd1;
        // The pass before goes on to its end; at a begin it has begun, and the one before it has ended.
        old_active_q <= begin_new ? active_q && !pass_ends : old_active_q && !old_ends;
        old_left_q   <= begin_new ? left_next : old_left_q == 5'd0 ? 5'd0 : old_left_q - 5'd1;
        begun_outputs_q <= begins;
        begun_copies_q <= begun_count[5:0];
        if (rst) begin
            begun_outputs_q <= {PORTS{1'b0}};
            begun_copies_q <= 6'd0;
            active_q     <= 1'b0;
            begun_q      <= 1'b0;
            left_q       <= 5'd0;
            start_q      <= 3'd0;
            old_active_q <= 1'b0;
            old_left_q   <= 5'd0;
        end
    end

    always @(posedge clk) begin
        // The last begin is three cycles ago or more at a new one, and at an end: all of its copies are counted.
        copies_q <= begin_new && !proposal_same_q ? found_copies_q : copies_q - begun_copies_q;
        if (begin_new) number_q <= {3'd0, begin_now};
        else if (pass_reads) number_q <= number_next;
        if (begin_new)
            pass_q <= `MOEHUB_PASS(proposal_name_q, find_head, find_body, find_last, find_flits, found_rows, find_tag);
        if (begin_new) begin
            old_pass_q   <= pass_q;
            old_copies_q <= copies_q;
        end
        if (begin_new) old_number_q <= number_next;
        else if (old_reads) old_number_q <= old_number_next;
    end

    // ---- copies left of a packet ------------------------------------------------------------------------------------
    wire unused_left_parity;

    assign left_ready = !may_keep;

    moehub_memory_1r1w #(.WIDTH(6), .DEPTH(PACKETS), .PARITY(0)) u_left (
        .clk(clk), .write_enable(keep || (left_valid && left_ready)), .write_address(may_keep ? end_name : left_name),
        .write_data(may_keep ? end_copies : left_copies),
        .read_enable(propose_new && !rst), .read_address(new_name), .read_data(left_rdata),
        .parity_error(unused_left_parity)
    );

    // ---- bus of rows: beside the store's answer ---------------------------------------------------------------------
    reg       row_valid_q;
    reg       row_last_q;
    reg [3:0] row_number_q;

    always @(posedge clk) begin
        row_valid_q  <= read_row_q;
        row_last_q   <= read_last_q;
        row_number_q <= read_number_q;
        if (rst) row_valid_q <= 1'b0;
    end

    assign row[`MOEHUB_CROSSBAR_ROW_VALID_LSB] = row_valid_q;
    assign row[`MOEHUB_CROSSBAR_ROW_LAST_LSB]  = row_last_q;
    assign row[`MOEHUB_CROSSBAR_ROW_NUMBER_LSB +: `MOEHUB_CROSSBAR_ROW_NUMBER_WIDTH] = row_number_q;

    wire [127:0] flit;
    generate
        if (WITH_TAG != 0) begin : g_tag
            reg [23:0] read_tag_q;
            reg [23:0] row_tag_q;
            always @(posedge clk) begin
                read_tag_q <= row_tag;
                row_tag_q  <= read_tag_q;
            end
            assign flit = row_number_q < ROWS_OF_A_FLIT[3:0]
                ? {read_data[127:56], row_tag_q, read_data[`MOEHUB_HEADER_TAG_LSB - 1:0]} : read_data;
        end else begin : g_no_tag
            wire unused_tag = &{1'b0, row_tag};
            assign flit = read_data;
        end
        if (FLIT_ROWS == 1) begin : g_whole
            assign row[`MOEHUB_CROSSBAR_ROW_DATA_LSB +: DATA_WIDTH] = flit;
        end else begin : g_part
            localparam PART_WIDTH = `MOEHUB_INDEX_WIDTH(FLIT_ROWS);
            assign row[`MOEHUB_CROSSBAR_ROW_DATA_LSB +: DATA_WIDTH] =
                flit[row_number_q[PART_WIDTH - 1:0] * DATA_WIDTH +: DATA_WIDTH];
        end
    endgenerate

    // ---- events -----------------------------------------------------------------------------------------------------
    // Told a cycle later: they follow from the grants, and counters from them.
    reg [`MOEHUB_CROSSBAR_EVENTS - 1:0] events_q;

    always @(posedge clk) begin
        events_q[`MOEHUB_CROSSBAR_EVENT_PASSES]       <= begin_new;
        events_q[`MOEHUB_CROSSBAR_EVENT_JOINS]        <= begin_join;
        events_q[`MOEHUB_CROSSBAR_EVENT_REFUSED]      <= proposed_before_q && !granted;
        events_q[`MOEHUB_CROSSBAR_EVENT_RECORD_WAITS] <= record_waits;
        events_q[`MOEHUB_CROSSBAR_EVENT_TARGET_READS] <= target_reads;
        if (rst) events_q <= {`MOEHUB_CROSSBAR_EVENTS{1'b0}};
    end

    assign events = events_q;
endmodule

`default_nettype wire
