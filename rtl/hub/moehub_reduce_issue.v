// SPDX-License-Identifier: Apache-2.0
// Purpose: chooses each reduce's link, reserves its group, and sends its request's copies (doc/hub/reduce.md section 1, 3 to 5).
// Contract:
//   1. checked, flit_* and released are those of moehub_reduce_lists: one reduce at a time, in their order.
//   2. Not OK, or without an id, or refused by its grant: it goes to answer. Else a link: up (without remote ids: any), with
//      a free group and room for the request in its queue, and in the loop-back's; the next in turn.
//   3. reserve is offered to one link, and its grant taken, before the next reduce. Groups are counted by grants that are OK
//      and freed.
//   4. request_write: a flit for queue request_way (LINKS: the loop-back); request_last, and request_flits less one, with each.
//   5. refused: a pulse with each reduce that is answered with a status; refused_header is its header.
// Cost: 8 cycles a reduce beside its grant, and one a flit of its requests.
// Proved: formal/hub/formal_reduce_issue.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_reduce_issue #(
    parameter LINKS         = 1,
    parameter CONTEXTS      = 4,
    parameter FINAL_GROUPS  = 13,
    parameter QUEUE_FLITS   = 10
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire [9:0]                                own,
    input  wire [CONTEXTS * 4 - 1:0]                 rounds,
    input  wire [LINKS - 1:0]                        link_up,

    input  wire                                      checked_valid,
    output wire                                      checked_ready,
    input  wire [`MOEHUB_REDUCE_CHECKED_WIDTH - 1:0] checked,
    output wire                                      flit_read,
    output wire                                      flit_own,
    output wire [1:0]                                flit_number,
    input  wire [127:0]                              flit,
    output wire                                      released,

    output wire [LINKS - 1:0]                        m_axis_reserve_tvalid,
    input  wire [LINKS - 1:0]                        m_axis_reserve_tready,
    output wire [`MOEHUB_RESERVE_WIDTH - 1:0]        m_axis_reserve_tdata,
    input  wire [LINKS - 1:0]                        s_axis_grant_tvalid,
    output wire [LINKS - 1:0]                        s_axis_grant_tready,
    input  wire [LINKS * `MOEHUB_GRANT_WIDTH - 1:0]  s_axis_grant_tdata,
    input  wire [LINKS - 1:0]                        freed_valid,

    input  wire [(LINKS + 1) * 4 - 1:0]              queue_used, // flits
    output wire [LINKS:0]                            request_write,
    output wire [127:0]                              request_data,
    output wire                                      request_last,
    output wire [2:0]                                request_flits,

    output wire                                      answer_valid,
    input  wire                                      answer_ready,
    output wire [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0]  answer,
    output wire                                      line_asked, // a pulse a line
    output wire                                      sent_up,
    output wire                                      sent_loop,
    output wire                                      answered,
    output wire                                      no_group,
    output wire                                      no_room,
    output wire                                      refused,
    output wire [127:0]                              refused_header
);
    localparam LINK_WIDTH   = `MOEHUB_INDEX_WIDTH(LINKS);
    localparam GROUPS_WIDTH = $clog2(FINAL_GROUPS + 1);
    localparam FIELDS_WIDTH = `MOEHUB_REDUCE_FIELDS_WIDTH;
    localparam [31:0] ALL_GROUPS  = FINAL_GROUPS;
    localparam [31:0] QUEUE_PLACES = QUEUE_FLITS;
    localparam [GROUPS_WIDTH - 1:0] GROUP_ONE = 1;

    localparam [2:0] IDLE    = 3'd0;
    localparam [2:0] CHOOSE  = 3'd1;
    localparam [2:0] RESERVE = 3'd2;
    localparam [2:0] GRANT   = 3'd3;
    localparam [2:0] UP      = 3'd4; // sends copies
    localparam [2:0] LOOP    = 3'd5;
    localparam [2:0] ANSWER  = 3'd6;

    // ---- the reduce at hand ---------------------------------------------------------------------------------------------
    reg [2:0]                                state_q;
    reg                                      ready_q;
    reg [`MOEHUB_REDUCE_CHECKED_WIDTH - 1:0] checked_q;
    reg [3:0]                                status_q;
    reg [LINKS - 1:0]                        link_q; // one hot
    reg [1:0]                                link_number_q;
    reg [15:0]                               entry_q;
    reg [7:0]                                generation_q;
    reg [2:0]                                sent_q; // flits of the copy

    wire [3:0]                unused_status;
    wire [5:0]                remotes;
    wire [5:0]                owns;
    wire [FIELDS_WIDTH - 1:0] fields;
    assign `MOEHUB_REDUCE_CHECKED(unused_status, remotes, owns, fields) = checked_q;
    wire [2:0]  of_context;
    wire [31:0] row_index;
    wire [8:0]  line;
    wire [8:0]  length;
    wire [1:0]  element;
    wire [23:0] tag;
    assign `MOEHUB_REDUCE_FIELDS(of_context, row_index, line, length, element, tag) = fields;

    wire [3:0]                new_status;
    wire [5:0]                new_remotes;
    wire [5:0]                new_owns;
    wire [FIELDS_WIDTH - 1:0] unused_new_fields;
    assign `MOEHUB_REDUCE_CHECKED(new_status, new_remotes, new_owns, unused_new_fields) = checked;
    wire at_once = new_status != 4'd`MOEHUB_STATUS_OK || (new_remotes == 6'd0 && new_owns == 6'd0);

    reg        has_up_q;
    reg        has_own_q;
    reg  [2:0] up_flits_q; // of targets
    reg  [2:0] own_flits_q;
    wire [5:0] remotes_more = new_remotes + 6'd7;
    wire [5:0] owns_more    = new_owns + 6'd7;
    wire       unused_more  = ^{remotes_more[2:0], owns_more[2:0]};

    // ---- free groups, room, whose turn ----------------------------------------------------------------------------------
    wire                 granted; // OK, in this cycle
    wire [LINKS - 1:0]   has_group;
    wire [LINKS - 1:0]   has_room;
    wire [LINKS - 1:0]   may;
    wire                 loop_room;
    genvar l;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : g_link
            reg  [GROUPS_WIDTH - 1:0] free_q;
            wire                      takes = granted && link_q[l];
            always @(posedge clk) begin
                if (freed_valid[l] && !takes) free_q <= free_q + GROUP_ONE;
                if (takes && !freed_valid[l]) free_q <= free_q - GROUP_ONE;
                if (rst) free_q <= ALL_GROUPS[GROUPS_WIDTH - 1:0];
            end
            assign has_group[l] = free_q != {GROUPS_WIDTH{1'b0}};
            assign has_room[l]  = {1'b0, queue_used[l * 4 +: 4]} + {2'd0, up_flits_q} < QUEUE_PLACES[4:0];
        end
    endgenerate
    assign loop_room = !has_own_q || {1'b0, queue_used[LINKS * 4 +: 4]} + {2'd0, own_flits_q} < QUEUE_PLACES[4:0];
    wire [LINKS - 1:0] there = link_up | {LINKS{!has_up_q}};
    wire [LINKS - 1:0] room  = (has_room | {LINKS{!has_up_q}}) & {LINKS{loop_room}};
    assign may = there & has_group & room & {LINKS{state_q == CHOOSE}};

    wire                    chosen;
    wire [LINKS - 1:0]      chosen_link;
    wire [LINK_WIDTH - 1:0] chosen_number;
    wire [LINK_WIDTH + 1:0] chosen_wide = {2'd0, chosen_number};
    wire                    unused_wide = ^chosen_wide;
    moehub_arbiter #(.PORTS(LINKS)) u_turns (
        .clk(clk), .rst(rst), .request(may), .advance(1'b1), .grant_valid(chosen), .grant(chosen_link),
        .grant_index(chosen_number)
    );

    // ---- reservation ----------------------------------------------------------------------------------------------------
    reg  [3:0] lines_q; // of the last reduce, that were not told as events: its grant came eight cycles ago or more
    wire [8:0] length_before = length - 9'd1;
    wire       unused_length = ^length_before[8:6];
    wire [8:0] last_length   = {1'b0, {1'b0, length_before[2:0]} + 4'd1, 4'd0};
    wire       reserved      = (m_axis_reserve_tvalid & m_axis_reserve_tready) != {LINKS{1'b0}};
    assign m_axis_reserve_tvalid = link_q & {LINKS{state_q == RESERVE}};
    assign m_axis_reserve_tdata  =
        `MOEHUB_RESERVE(of_context, tag, element, length_before[5:3], last_length, {has_own_q, has_up_q});
    assign s_axis_grant_tready   = {LINKS{state_q == GRANT && lines_q[3:1] == 3'd0}};

    wire                            grants = (s_axis_grant_tvalid & s_axis_grant_tready) != {LINKS{1'b0}};
    wire [`MOEHUB_GRANT_WIDTH - 1:0] grant;
    moehub_one_hot_mux #(.WIDTH(`MOEHUB_GRANT_WIDTH), .WAYS(LINKS)) u_grant (
        .select(link_q), .words(s_axis_grant_tdata), .word(grant)
    );
    wire [3:0]  grant_status;
    wire [15:0] grant_entry;
    wire [7:0]  grant_generation;
    assign `MOEHUB_GRANT(grant_status, grant_entry, grant_generation) = grant;
    assign granted = grants && grant_status == 4'd`MOEHUB_STATUS_OK;

    // ---- copies: a flit a cycle; its target flits are read a cycle before they are written ------------------------------
    wire       sends       = state_q == UP || state_q == LOOP;
    wire       to_loop     = state_q == LOOP;
    wire [2:0] copy_flits  = to_loop ? own_flits_q : up_flits_q;
    wire       copy_ends   = sends && sent_q == copy_flits;
    wire [5:0] copy_ids    = to_loop ? owns : remotes;
    wire [23:0] copy_tag   = to_loop ? {link_number_q, entry_q[13:0], generation_q} : {generation_q, entry_q};
    wire [8 * 4 - 1:0] rounds_8;
    genvar c;
    generate
        for (c = 0; c < 8; c = c + 1) begin : g_round
            if (c < CONTEXTS) begin : g_has
                assign rounds_8[c * 4 +: 4] = rounds[c * 4 +: 4];
            end else begin : g_has
                assign rounds_8[c * 4 +: 4] = 4'd0;
            end
        end
    endgenerate

    reg [127:0] header;
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]                 = 4'd`MOEHUB_PACKET_LD_REDUCE;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]             = length;
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]             = own;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]           = of_context;
        header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]                   = copy_tag;
        header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH]           = element;
        header[`MOEHUB_HEADER_OPERATION_LSB +: `MOEHUB_HEADER_OPERATION_WIDTH]       = 2'd`MOEHUB_OPERATION_SUM;
        header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]             = {line, 7'd0};
        header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH]       = row_index;
        header[`MOEHUB_HEADER_STAGE_LSB +: `MOEHUB_HEADER_STAGE_WIDTH]               = 1'd`MOEHUB_STAGE_COMBINE;
        header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH] = copy_ids;
        header[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]               = rounds_8[of_context * 4 +: 4];
    end

    assign flit_read     = sends && !copy_ends;
    assign flit_own      = to_loop;
    assign flit_number   = sent_q[1:0];
    assign request_write = sends ? to_loop ? {1'b1, {LINKS{1'b0}}} : {1'b0, link_q} : {LINKS + 1{1'b0}};
    assign request_data  = sent_q == 3'd0 ? header : flit;
    assign request_last  = copy_ends;
    assign request_flits = copy_flits;

    // ---- one reduce after the other -------------------------------------------------------------------------------------
    wire takes_over = checked_valid && checked_ready;
    wire answers    = state_q == ANSWER && answer_ready;
    wire finishes   = (copy_ends && (to_loop || !has_own_q)) || answers;
    assign checked_ready = ready_q;
    assign released      = finishes;
    assign answer_valid  = state_q == ANSWER;
    assign answer        = `MOEHUB_REDUCE_ANSWER(status_q, element, length, tag, of_context);
    always @(posedge clk) begin
        ready_q <= (state_q == IDLE && !takes_over) || finishes;
        case (state_q)
            IDLE: if (takes_over) state_q <= at_once ? ANSWER : CHOOSE;
            CHOOSE: if (chosen) state_q <= RESERVE;
            RESERVE: if (reserved) state_q <= GRANT;
            GRANT: if (grants) state_q <= !granted ? ANSWER : has_up_q ? UP : LOOP;
            UP: if (copy_ends) state_q <= has_own_q ? LOOP : IDLE;
            LOOP: if (copy_ends) state_q <= IDLE;
            default: if (answers) state_q <= IDLE;
        endcase
        if (takes_over) begin
            checked_q   <= checked;
            has_up_q    <= new_remotes != 6'd0;
            has_own_q   <= new_owns != 6'd0;
            up_flits_q  <= remotes_more[5:3];
            own_flits_q <= owns_more[5:3];
            status_q    <= new_status;
        end else if (grants) begin
            status_q <= grant_status;
        end
        if (chosen) begin
            link_q        <= chosen_link;
            link_number_q <= chosen_wide[1:0];
        end
        if (grants) begin
            entry_q      <= grant_entry;
            generation_q <= grant_generation;
        end
        sent_q <= sends && !copy_ends ? sent_q + 3'd1 : 3'd0;
        if (rst) begin
            state_q <= IDLE;
            ready_q <= 1'b0;
            sent_q  <= 3'd0;
        end
    end

    // ---- what happened --------------------------------------------------------------------------------------------------
    reg         line_asked_q;
    reg         sent_up_q;
    reg         sent_loop_q;
    reg         answered_q;
    reg         no_group_q;
    reg         no_room_q;
    reg         refused_q;
    reg [127:0] refused_header_q;
    reg [127:0] reduce_header;
    always @* begin
        reduce_header = 128'd0;
        reduce_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = of_context;
        reduce_header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]             = tag;
        reduce_header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]       = status_q;
        reduce_header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index;
    end
    assign line_asked     = line_asked_q;
    assign sent_up        = sent_up_q;
    assign sent_loop      = sent_loop_q;
    assign answered       = answered_q;
    assign no_group       = no_group_q;
    assign no_room        = no_room_q;
    assign refused        = refused_q;
    assign refused_header = refused_header_q;
    always @(posedge clk) begin
        lines_q      <= granted ? {1'b0, length_before[5:3]} + 4'd1 : lines_q - {3'd0, lines_q != 4'd0};
        line_asked_q <= lines_q != 4'd0;
        sent_up_q    <= copy_ends && !to_loop;
        sent_loop_q  <= copy_ends && to_loop;
        answered_q   <= answers;
        no_group_q   <= state_q == CHOOSE && !chosen && (there & has_group) == {LINKS{1'b0}};
        no_room_q    <= state_q == CHOOSE && !chosen && (there & has_group) != {LINKS{1'b0}};
        refused_q    <= answers && status_q != 4'd`MOEHUB_STATUS_OK;
        refused_header_q <= reduce_header;
        if (rst) begin
            lines_q      <= 4'd0;
            line_asked_q <= 1'b0;
            sent_up_q    <= 1'b0;
            sent_loop_q  <= 1'b0;
            answered_q   <= 1'b0;
            no_group_q   <= 1'b0;
            no_room_q    <= 1'b0;
            refused_q    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
