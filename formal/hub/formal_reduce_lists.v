// SPDX-License-Identifier: Apache-2.0
// moehub_reduce_lists, with any check of lists (formal_any_list_check.vh): reduces are taken where a slot is free, read what
// their lists have, once, and are checked in their order, each with its own fields, status and list; a slot's list stays until
// it is released.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_reduce_lists #(
    parameter REDUCES       = 2,
    parameter REQUEST_LINES = 2,
    parameter MAX_TARGETS   = 16,
    parameter SHIFT         = 30, // of the owner's number in a row index
    parameter ROW_SIZE      = 304,
    parameter BIT           = 0   // of a flit, and of the fields, that is followed: memories' words are written whole
) (
    input wire                                    clk,
    input wire                                    rst,
    input wire                                    enabled,
    input wire                                    reduce_valid,
    input wire [`MOEHUB_REDUCE_WIDTH(32) - 1:0]   reduce,
    input wire                                    arready,
    input wire                                    rvalid,
    input wire [127:0]                            rdata,
    input wire [1:0]                              rresp,
    input wire                                    checked_ready,
    input wire                                    flit_read,
    input wire                                    flit_own,
    input wire [1:0]                              flit_number,
    input wire                                    released,
    input wire                                    mark
);
`include "formal_reset.vh"
    (* anyconst *) wire [1:0] peers;
    localparam FIELD_BIT = BIT % `MOEHUB_REDUCE_FIELDS_WIDTH;
    wire                                    reduce_ready;
    wire                                    taken;
    wire [2:0]                              taken_context;
    wire [3:0]                              taken_lines;
    wire                                    arvalid;
    wire [31:0]                             araddr;
    wire                                    checked_valid;
    wire [`MOEHUB_REDUCE_CHECKED_WIDTH - 1:0] checked;
    wire [127:0]                            flit;
    moehub_reduce_lists #(
        .GPUS(2), .CONTEXTS(1), .LOCAL_EXPERT_BITS(1), .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES),
        .OFFSET_WIDTH(9), .ADDRESS_WIDTH(32), .REDUCES(REDUCES), .WITH_FP32(0)
    ) u_lists (
        .clk(clk), .rst(rst), .own(10'd2), .enabled(enabled), .owner_shifts(SHIFT[4:0]), .peers(peers), .row_sizes(ROW_SIZE[9:0]),
        .s_axis_reduce_tvalid(reduce_valid), .s_axis_reduce_tready(reduce_ready), .s_axis_reduce_tdata(reduce), .taken(taken),
        .taken_context(taken_context), .taken_lines(taken_lines), .m_axi_list_arvalid(arvalid), .m_axi_list_arready(arready),
        .m_axi_list_araddr(araddr), .m_axi_list_rvalid(rvalid), .m_axi_list_rdata(rdata), .m_axi_list_rresp(rresp),
        .checked_valid(checked_valid), .checked_ready(checked_ready), .checked(checked), .flit_read(flit_read),
        .flit_own(flit_own), .flit_number(flit_number), .flit(flit), .released(released)
    );
    formal_stream_assert #(.WIDTH(32)) u_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data(araddr));
    formal_stream_assert #(.WIDTH(`MOEHUB_REDUCE_CHECKED_WIDTH)) u_checked (
        .clk(clk), .rst(rst), .valid(checked_valid), .ready(checked_ready), .data(checked)
    );
    (* hierconn *) wire         \u_lists.judged ;  // the reduce taken last, with this verdict
    (* hierconn *) wire [3:0]   \u_lists.verdict ;
    wire       judged  = \u_lists.judged && !rst;
    wire [3:0] verdict = \u_lists.verdict ;
    // between the block and its check
    (* hierconn *) wire         \u_lists.u_check.start ;
    (* hierconn *) wire         \u_lists.u_check.immediate ;
    (* hierconn *) wire [15:0]  \u_lists.u_check.id ;
    (* hierconn *) wire [5:0]   \u_lists.u_check.count ;
    (* hierconn *) wire [1:0]   \u_lists.u_check.peers ;
    (* hierconn *) wire         \u_lists.u_check.busy_q ;
    (* hierconn *) wire         \u_lists.u_check.done ;
    (* hierconn *) wire         \u_lists.u_check.malformed ;
    (* hierconn *) wire         \u_lists.u_check.peer ;
    (* hierconn *) wire [5:0]   \u_lists.u_check.remotes ;
    (* hierconn *) wire [5:0]   \u_lists.u_check.owns ;
    (* hierconn *) wire         \u_lists.u_check.read_valid ;
    (* hierconn *) wire         \u_lists.u_check.read_ready ;
    (* hierconn *) wire [1:0]   \u_lists.u_check.read_number ;
    (* hierconn *) wire         \u_lists.u_check.write_valid ;
    (* hierconn *) wire         \u_lists.u_check.write_ready ;
    (* hierconn *) wire         \u_lists.u_check.write_own ;
    (* hierconn *) wire [1:0]   \u_lists.u_check.write_number ;
    (* hierconn *) wire [127:0] \u_lists.u_check.write_data ;
    wire start    = \u_lists.u_check.start && !rst;
    wire done     = \u_lists.u_check.done && !rst;
    wire its_read = \u_lists.u_check.read_valid && \u_lists.u_check.read_ready && !rst;
    wire writes   = \u_lists.u_check.write_valid && \u_lists.u_check.write_ready && !rst;

    // ---- what the page says of the reduce that was taken last ------------------------------------------------------------
    reg  [`MOEHUB_REDUCE_WIDTH(32) - 1:0] reduce_q;
    reg         enabled_q; // in the cycle of its taking
    wire [2:0]  of_context;
    wire        immediate;
    wire [5:0]  count;
    wire [31:0] address;
    wire [15:0] id;
    wire [31:0] row_index;
    wire [8:0]  line;
    wire [8:0]  length;
    wire [1:0]  element;
    wire [23:0] tag;
    assign `MOEHUB_REDUCE(of_context, immediate, count, address, id, row_index, line, length, element, tag) = reduce_q;
    wire [31:0] owner      = row_index >> SHIFT;
    wire [31:0] ends       = {23'd0, line} * 128 + {23'd0, length} * 16;
    wire        bad_range  = owner != 32'd2 || ends > ROW_SIZE
        || (!immediate && ({26'd0, count} > MAX_TARGETS || address % 16 != 0));
    wire [3:0]  judgement  = of_context != 3'd0 || !enabled_q ? 4'd`MOEHUB_STATUS_CONTEXT
        : element == 2'd`MOEHUB_ELEMENT_BYTES || element == 2'd`MOEHUB_ELEMENT_FP32 ? 4'd`MOEHUB_STATUS_TYPE
        : length == 9'd0 || {23'd0, length} > 8 * REQUEST_LINES ? 4'd`MOEHUB_STATUS_LENGTH
        : bad_range ? 4'd`MOEHUB_STATUS_RANGE : 4'd`MOEHUB_STATUS_OK;
    wire [5:0]  count_more = count + 6'd7;
    wire [2:0]  reads      = verdict != 4'd`MOEHUB_STATUS_OK || immediate ? 3'd0 : count_more[5:3];

    // lines that one will have, as it is taken
    wire [8:0]  new_length;
    wire [2:0]  new_context;
    wire        unused_immediate;
    wire [5:0]  unused_count;
    wire [31:0] unused_address;
    wire [15:0] unused_id;
    wire [31:0] unused_row;
    wire [8:0]  unused_line;
    wire [1:0]  unused_element;
    wire [23:0] unused_tag;
    assign `MOEHUB_REDUCE(new_context, unused_immediate, unused_count, unused_address, unused_id, unused_row, unused_line,
        new_length, unused_element, unused_tag) = reduce;
    wire [9:0]  lines_more = {1'b0, new_length} + 10'd7;
    wire [6:0]  all_lines  = lines_more[9:3] == 7'd0 ? 7'd1 : lines_more[9:3];
    wire [6:0]  lines      = {25'd0, all_lines} > REQUEST_LINES ? REQUEST_LINES : all_lines;

    // ---- all reduces: slots, the reads of the one taken last, data that are to come --------------------------------------
    wire       takes   = reduce_valid && reduce_ready && !rst;
    wire       asks    = arvalid && arready && !rst;
    wire       comes   = rvalid && !rst;
    wire       over    = checked_valid && checked_ready && !rst;
    wire       frees   = released && !rst;
    reg        busy_q      = 1'b0; // one was taken over and not released
    reg  [2:0] inside_q    = 3'd0; // taken and not released
    reg  [2:0] unchecked_q = 3'd0; // taken and not taken over
    reg        unjudged_q  = 1'b0; // the one taken last
    reg  [1:0] age_q       = 2'd0; // since it was taken, until it is judged
    reg  [2:0] to_ask_q    = 3'd0;
    reg [31:0] address_q;
    reg  [4:0] to_come_q   = 5'd0;
    reg  [2:0] idle_q      = 3'd0; // cycles in which there was a place and none could be taken
    always @* begin
        assume (!rvalid || to_come_q != 5'd0);         // data come after their address was taken
        assume (!checked_ready || !busy_q);            // moehub_reduce_issue: one at a time
        assume (!(released || flit_read) || busy_q);
    end
    always @(posedge clk) begin
        busy_q      <= over || (busy_q && !frees);
        inside_q    <= inside_q + {2'd0, takes} - {2'd0, frees};
        unchecked_q <= unchecked_q + {2'd0, takes} - {2'd0, over};
        if (takes) reduce_q <= reduce;
        if (takes) enabled_q <= enabled;
        unjudged_q  <= takes || (unjudged_q && !judged);
        age_q       <= !unjudged_q ? 2'd0 : age_q + {1'd0, age_q != 2'd3};
        to_ask_q    <= judged ? reads : to_ask_q - {2'd0, asks};
        address_q   <= judged ? address : asks ? address_q + 32'd16 : address_q;
        to_come_q   <= to_come_q + {4'd0, asks} - {4'd0, comes};
        idle_q      <= inside_q < REDUCES && to_ask_q == 3'd0 && !unjudged_q && !reduce_ready ? idle_q + {2'd0, idle_q != 3'd7}
            : 3'd0;
        if (rst) begin
            busy_q      <= 1'b0;
            inside_q    <= 3'd0;
            unchecked_q <= 3'd0;
            unjudged_q  <= 1'b0;
            to_ask_q    <= 3'd0;
            to_come_q   <= 5'd0;
            idle_q      <= 3'd0;
        end
    end

    // ---- one reduce that is marked ---------------------------------------------------------------------------------------
    reg         marked_q = 1'b0; // until it is released
    reg         over_q;          // it was taken over
    reg         fresh_q;         // it was not judged
    reg [2:0]   ahead_q;         // reduces before it that were not taken over
    reg [4:0]   data_ahead_q;    // data before its own
    reg [2:0]   got_q;           // its data
    reg         error_q;         // of its data
    reg [2:0]   reads_q;
    reg [3:0]   judged_q;
    reg         immediate_q;
    reg [5:0]   count_q;
    reg [15:0]  id_q;
    reg [`MOEHUB_REDUCE_FIELDS_WIDTH - 1:0] fields_q;
    reg         started_check_q;
    reg         done_q;
    reg [13:0]  found_q;         // by its check
    reg [3:0]   waits_q;         // cycles in which it could have been offered
    wire        turn    = marked_q && !over_q && ahead_q == 3'd0;
    wire        at_hand = marked_q && over_q; // with the one that reads its ids
    wire        its     = marked_q && !fresh_q && comes && data_ahead_q == 5'd0 && got_q != reads_q;
    wire        whole   = marked_q && !fresh_q && got_q == reads_q;
    wire [3:0]  early   = judged_q != 4'd`MOEHUB_STATUS_OK ? judged_q : error_q ? 4'd`MOEHUB_STATUS_MEMORY : 4'd`MOEHUB_STATUS_OK;
    wire        walks   = early == 4'd`MOEHUB_STATUS_OK && (immediate_q || count_q != 6'd0);
    wire        found_malformed;
    wire        found_peer;
    wire [5:0]  found_remotes;
    wire [5:0]  found_owns;
    assign {found_malformed, found_peer, found_remotes, found_owns} = found_q;
    wire [3:0]  becomes = !walks ? early : found_malformed ? 4'd`MOEHUB_STATUS_MALFORMED : found_peer ? 4'd`MOEHUB_STATUS_PEER
        : 4'd`MOEHUB_STATUS_OK;
    always @(posedge clk) begin
        if (takes && mark && !marked_q) begin
            marked_q        <= 1'b1;
            over_q          <= 1'b0;
            ahead_q         <= unchecked_q - {2'd0, over};
            data_ahead_q    <= to_come_q - {4'd0, comes};
            got_q           <= 3'd0;
            error_q         <= 1'b0;
            fresh_q         <= 1'b1;
            started_check_q <= 1'b0;
            done_q          <= 1'b0;
        end else if (marked_q) begin
            if (fresh_q && judged) begin
                fresh_q     <= 1'b0;
                reads_q     <= reads;
                judged_q    <= verdict;
                immediate_q <= immediate;
                count_q     <= count;
                id_q        <= id;
                fields_q    <= `MOEHUB_REDUCE_FIELDS(of_context, row_index, line, length, element, tag);
            end
            if (comes && data_ahead_q != 5'd0) data_ahead_q <= data_ahead_q - 5'd1;
            if (its) got_q <= got_q + 3'd1;
            if (its && rresp[1]) error_q <= 1'b1;
            if (over && ahead_q != 3'd0) ahead_q <= ahead_q - 3'd1;
            if (over && turn) over_q <= 1'b1;
            if (turn && start) started_check_q <= 1'b1;
            if (turn && done) done_q <= 1'b1;
            if (at_hand && frees) marked_q <= 1'b0;
        end
        if (done)
            found_q <= {\u_lists.u_check.malformed , \u_lists.u_check.peer , \u_lists.u_check.remotes , \u_lists.u_check.owns };
        waits_q <= turn && whole && !checked_valid && !\u_lists.u_check.busy_q ? waits_q + {3'd0, waits_q != 4'd15} : 4'd0;
        if (rst) begin
            marked_q <= 1'b0;
            waits_q  <= 4'd0;
        end
    end

    // ---- one flit of its list --------------------------------------------------------------------------------------------
    (* anyconst *) wire       of_own;
    (* anyconst *) wire [1:0] number;
    reg         known_q;
    reg         value_q;
    reg         seen_q = 1'b0; // it was read in the last cycle, and is what it was then
    reg         seen_value_q;
    reg         seen_late_q;   // by the one that it was handed to
    wire        raw    = its && !of_own && got_q == {1'b0, number};
    wire        writes_it = turn && writes && \u_lists.u_check.write_own == of_own && \u_lists.u_check.write_number == number;
    wire        reads_it  = (turn && its_read && !of_own && \u_lists.u_check.read_number == number)
        || (at_hand && flit_read && !rst && flit_own == of_own && flit_number == number);
    always @(posedge clk) begin
        known_q <= marked_q && (known_q || raw || writes_it);
        if (raw) value_q <= rdata[BIT];
        else if (writes_it) value_q <= \u_lists.u_check.write_data >> BIT;
        seen_q       <= marked_q && known_q && reads_it;
        seen_value_q <= value_q;
        seen_late_q  <= at_hand;
    end

    always @* if (started_q && !rst) begin
        told:          assert (taken == (reduce_valid && reduce_ready)
            && (!taken || (taken_context == new_context && taken_lines == lines)));
        has_slot:      assert (!takes || inside_q < REDUCES);
        taken_soon:    assert (idle_q < 3'd4);
        reads_sent:    assert (!takes || (to_ask_q == 3'd0 && !unjudged_q));
        judged_once:   assert ((!judged || unjudged_q) && age_q != 2'd3);
        its_verdict:   assert (!judged || verdict == judgement);
        as_asked:      assert (!arvalid || (to_ask_q != 3'd0 && araddr == address_q));
        none_invented: assert (!checked_valid || unchecked_q != 3'd0);
        list_there:    assert (!(turn && (checked_valid || start)) || whole);
        its_fields:    assert (!(turn && checked_valid) || checked[16 + FIELD_BIT] == fields_q[FIELD_BIT]);
        its_status:    assert (!(turn && checked_valid) || checked[3:0] == becomes);
        its_numbers:   assert (!(turn && checked_valid) || becomes != 4'd`MOEHUB_STATUS_OK
            || checked[15:4] == (walks ? {found_owns, found_remotes} : 12'd0));
        its_check:     assert (!(turn && start) || (walks && !started_check_q && \u_lists.u_check.immediate == immediate_q
            && \u_lists.u_check.count == (immediate_q ? 6'd1 : count_q) && (!immediate_q || \u_lists.u_check.id == id_q)
            && \u_lists.u_check.peers == peers));
        was_checked:   assert (!(turn && checked_valid && walks) || done_q);
        check_stable:  assert (!(turn && \u_lists.u_check.busy_q ) || (started_check_q
            && \u_lists.u_check.immediate == immediate_q && \u_lists.u_check.count == (immediate_q ? 6'd1 : count_q)));
        offered_soon:  assert (waits_q < 4'd7);
        its_flit:      assert (!seen_q || flit[BIT] == seen_value_q);
    end
    always @* if (started_q) begin
        full:        cover (inside_q == REDUCES && turn && over);
        error:       cover (turn && over && error_q && count_q > 6'd8);
        refused:     cover (turn && over && judged_q == 4'd`MOEHUB_STATUS_RANGE && ahead_q == 3'd0 && to_come_q != 5'd0);
        found_bad:   cover (turn && over && checked[3:0] == 4'd`MOEHUB_STATUS_PEER && reads_q == 3'd1);
        good:        cover (turn && over && checked[3:0] == 4'd`MOEHUB_STATUS_OK && reads_q == 3'd2 && found_remotes != 6'd0);
        error_one:   cover (turn && over && error_q && count_q == 6'd8);
        good_one:    cover (turn && over && checked[3:0] == 4'd`MOEHUB_STATUS_OK && reads_q == 3'd1 && found_owns != 6'd0);
        check_first: cover (seen_q && !seen_late_q && inside_q == REDUCES);
        given_flit:  cover (seen_q && seen_late_q && to_come_q != 5'd0);
        check_flit:  cover (seen_q && !seen_late_q && number == 2'd1);
        after_next:  cover (at_hand && frees && inside_q == REDUCES && reads_q == 3'd1 && judged_q == 4'd0);
        asks_more:   cover (takes && reads_q != 3'd0 && inside_q != 3'd0 && to_come_q != 5'd0);
    end
endmodule
`default_nettype wire
