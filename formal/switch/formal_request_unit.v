// SPDX-License-Identifier: Apache-2.0
// moehub_request_unit: what becomes of a marked request, of those that are taken one after the other. Requests are numbered
// modulo 8: the number is the request's name, and stands in its tag; as the store, the harness gives no name that is in use. A
// request that is lost would be overtaken by those after it: copies_order, errors_order.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"
`include "moehub_width.vh"
module formal_request_unit #(
    parameter REQUEST_LINES = 2,
    parameter GROUPS        = 2,
    parameter PLAIN         = 0 // 1: fields that only pass through are 0
) (
    input wire         clk,
    input wire         rst,
    input wire         mark,
    input wire [9:0]   own,
    input wire [1:0]   down,
    input wire         packet_valid,
    input wire [57:0]  any_mark,
    input wire         reserve_ready,
    input wire         grant_valid,
    input wire [3:0]   grant_status,
    input wire [15:0]  grant_entry,
    input wire [7:0]   grant_generation,
    input wire         released_ready,
    input wire         copies_ready,
    input wire         copy_find_valid,
    input wire [2:0]   copy_find_name,
    input wire         freed_valid,
    input wire         find_ready,
    input wire [3:0]   find_head,
    input wire [3:0]   find_last,
    input wire [4:0]   find_flits,
    input wire         free_ready,
    input wire         error_ready
);
`include "formal_reset.vh"
    localparam PORTS  = 2;
    localparam PLACES = 8;
    localparam [3:0] OK = `MOEHUB_STATUS_OK;

    wire         packet_ready;
    wire         reserve_valid;
    wire [9:0]   reserve_requester;
    wire [30:0]  reserve_tag;
    wire [1:0]   reserve_element;
    wire         reserve_out_fp32;
    wire [8:0]   reserve_length;
    wire [`MOEHUB_INDEX_WIDTH(REQUEST_LINES) - 1:0] reserve_lines_less_1;
    wire [1:0]   reserve_contributors;
    wire         grant_ready;
    wire         released_valid;
    wire [15:0]  released_entry;
    wire         copies_valid;
    wire [2:0]   copies_name;
    wire [11:0]  copies_mark;
    wire [3:0]   copies_place;
    wire [23:0]  find_tag;
    wire         find_valid;
    wire [2:0]   find_name;
    wire         free_valid;
    wire [2:0]   free_name;
    wire [3:0]   free_head;
    wire [3:0]   free_last;
    wire [4:0]   free_flits;
    wire         error_valid;
    wire [127:0] error_data;
    wire         reserved;
    wire         refused;
    wire         refused_down;
    wire         error_results;
    wire         group_waits;

    // ---- requests: number as name, in the tag, in what passes to the crossbar
    reg  [2:0]  number_q = 3'd0;
    reg  [2:0]  freed_number_q = 3'd0;
    wire [57:0] packet_mark;
    assign packet_mark[11:0]  = {9'd0, number_q};
    assign packet_mark[12]    = any_mark[12];
    assign packet_mark[36:13] = {18'd0, number_q, 3'd0};
    assign packet_mark[46:37] = PLAIN ? 10'd0 : any_mark[46:37];
    assign packet_mark[57:47] = any_mark[57:47];
    wire [2:0]  context_name = packet_mark[39:37];
    wire [3:0]  round        = packet_mark[43:40];
    wire [1:0]  element      = packet_mark[45:44];
    wire        out_fp32     = packet_mark[46];
    wire [8:0]  length       = packet_mark[55:47];
    wire [1:0]  ports        = packet_mark[57:56];
    wire        bad          = packet_mark[12];

    moehub_request_unit #(.PORTS(PORTS), .REQUEST_LINES(REQUEST_LINES), .GROUPS(GROUPS), .PLACES(PLACES)) u_unit (
        .clk(clk), .rst(rst), .own(own), .down(down), .packet_valid(packet_valid), .packet_ready(packet_ready),
        .packet_name(number_q), .packet_mark(packet_mark), .packet_place({1'b0, number_q}), .reserve_valid(reserve_valid),
        .reserve_ready(reserve_ready), .reserve_requester(reserve_requester), .reserve_tag(reserve_tag),
        .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32), .reserve_length(reserve_length),
        .reserve_lines_less_1(reserve_lines_less_1), .reserve_contributors(reserve_contributors), .grant_valid(grant_valid),
        .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry), .grant_generation(grant_generation),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry(released_entry),
        .copies_valid(copies_valid), .copies_ready(copies_ready), .copies_name(copies_name), .copies_mark(copies_mark),
        .copies_place(copies_place), .copy_find_valid(copy_find_valid), .copy_find_name(copy_find_name), .find_tag(find_tag),
        .freed_valid(freed_valid), .freed_tag({13'd0, freed_number_q, 8'd0}), .find_valid(find_valid), .find_ready(find_ready),
        .find_name(find_name), .find_head(find_head), .find_last(find_last), .find_flits(find_flits), .free_valid(free_valid),
        .free_ready(free_ready), .free_name(free_name), .free_head(free_head), .free_last(free_last), .free_flits(free_flits),
        .error_valid(error_valid), .error_ready(error_ready), .error_data(error_data), .reserved(reserved), .refused(refused),
        .refused_down(refused_down), .error_results(error_results), .group_waits(group_waits)
    );
    formal_stream_assume #(.WIDTH(58)) u_packet (
        .clk(clk), .rst(rst), .valid(packet_valid), .ready(packet_ready), .data(packet_mark)
    );
    formal_stream_assume #(.WIDTH(28)) u_grant (
        .clk(clk), .rst(rst), .valid(grant_valid), .ready(grant_ready), .data({grant_status, grant_entry, grant_generation})
    );
    formal_stream_assert #(.WIDTH(4)) u_reserve (
        .clk(clk), .rst(rst), .valid(reserve_valid), .ready(reserve_ready), .data({reserve_tag[5:3], reserve_lines_less_1[0]})
    );
    formal_stream_assert #(.WIDTH(3)) u_copies (
        .clk(clk), .rst(rst), .valid(copies_valid), .ready(copies_ready), .data(copies_name)
    );
    formal_stream_assert #(.WIDTH(6)) u_error (
        .clk(clk), .rst(rst), .valid(error_valid), .ready(error_ready), .data(error_data[37:32])
    );
    formal_stream_assert #(.WIDTH(3)) u_free (
        .clk(clk), .rst(rst), .valid(free_valid), .ready(free_ready), .data(free_name)
    );

    // ---- what the page says of a request
    wire [6:0] eights   = length == 9'd0 ? 7'd1 : ({1'b0, length} + 10'd7) / 10'd8;
    wire [5:0] lines    = eights > REQUEST_LINES ? REQUEST_LINES : eights;
    wire       downed   = |(ports & down);
    wire       reserves = !bad && !downed;
    always @* assume (bad || (length != 9'd0 && length <= 8 * REQUEST_LINES));

    wire accept  = packet_valid && packet_ready && !rst;
    wire asked   = reserve_valid && reserve_ready && !rst;
    wire granted = grant_valid && grant_ready && !rst;
    wire copied  = copies_valid && copies_ready && !rst;
    wire sent    = error_valid && error_ready && !rst;
    wire finds   = find_valid && find_ready && !rst;
    wire frees   = free_valid && free_ready && !rst;

    // ---- the reduction buffer: one grant for each reservation
    reg [3:0] unasked_q = 4'd0; // taken, to be reserved
    reg [3:0] waiting_q = 4'd0; // reserved, not granted
    reg [3:0] inside_q = 4'd0;  // taken, and not told that it went on: told a cycle later
    reg [9:0] own_q;
    wire      told = reserved || refused;
    always @(posedge clk) begin
        own_q     <= own;
        inside_q  <= inside_q + {3'd0, accept} - {3'd0, told};
        unasked_q <= unasked_q + {3'd0, accept && reserves} - {3'd0, asked};
        waiting_q <= waiting_q + {3'd0, asked} - {3'd0, granted};
        if (accept) number_q <= number_q + 3'd1;
        if (rst) begin
            inside_q  <= 4'd0;
            unasked_q <= 4'd0;
            waiting_q <= 4'd0;
            number_q  <= 3'd0;
        end
    end
    reg [7:0] used_q = 8'd0; // names
    always @(posedge clk) begin
        if (copied) used_q[copies_name] <= 1'b0;
        if (frees) used_q[free_name] <= 1'b0;
        if (accept) used_q[number_q] <= 1'b1;
        if (rst) used_q <= 8'd0;
    end
    always @* begin
        assume (!packet_valid || !used_q[number_q]);
        assume (!grant_valid || waiting_q != 4'd0);
        assume (!started_q || own == own_q);
    end

    // ---- the marked request
    localparam [2:0] NONE    = 0;
    localparam [2:0] WAITS   = 1; // for its grant
    localparam [2:0] COPIES  = 2; // granted
    localparam [2:0] ANSWERS = 3; // error results are due
    localparam [2:0] FINDS   = 4; // all of them were sent
    localparam [2:0] FREES   = 5;
    localparam [2:0] LEFT    = 6; // on copies
    localparam [2:0] FREED   = 7;
    reg [2:0]  state_q = NONE;
    reg [2:0]  name_q;
    reg [57:0] mark_q;
    reg [5:0]  lines_q;
    reg [5:0]  sent_q;        // error results
    reg [3:0]  status_q;
    reg [3:0]  ask_ahead_q;   // reservations of older requests, to be made
    reg [3:0]  grant_ahead_q; // and to be granted
    reg [3:0]  ahead_q;       // older requests inside
    reg        asked_q;
    reg [2:0]  since_q;       // requests taken since, up to 7
    reg [23:0] patch_q;
    reg        found_now_q = 1'b0;
    reg [12:0] place_q;       // what was found
    wire       its_grant = granted && state_q == WAITS && grant_ahead_q == 4'd0;
    wire       its_ask   = asked && state_q != NONE && !asked_q && ask_ahead_q == 4'd0;
    wire       active    = state_q != NONE;
    wire       its_copy  = copied && active && copies_name == name_q;
    wire       its_error = sent && active && error_data[37:35] == name_q;
    wire       its_find  = finds && active && find_name == name_q;
    wire       its_free  = frees && active && free_name == name_q;
    wire       reuses    = accept && active && number_q == name_q;
    wire       done      = state_q == LEFT || state_q == FREED;
    always @(posedge clk) begin
        if (accept && since_q != 3'd7) since_q <= since_q + 3'd1;
        if (asked && ask_ahead_q != 4'd0) ask_ahead_q <= ask_ahead_q - 4'd1;
        if (its_ask) asked_q <= 1'b1;
        if (told && ahead_q != 4'd0) ahead_q <= ahead_q - 4'd1;
        if (granted && grant_ahead_q != 4'd0) grant_ahead_q <= grant_ahead_q - 4'd1;
        if (its_grant) begin
            state_q  <= grant_status == OK ? COPIES : ANSWERS;
            status_q <= grant_status;
            patch_q  <= {grant_entry, grant_generation};
        end
        if (its_copy) state_q <= LEFT;
        if (its_error) begin
            sent_q <= sent_q + 6'd1;
            if (sent_q + 6'd1 == lines_q) state_q <= FINDS;
        end
        if (its_find) state_q <= FREES;
        found_now_q <= its_find && !rst;
        if (found_now_q) place_q <= {find_head, find_last, find_flits};
        if (its_free) state_q <= FREED;
        if (reuses) state_q <= NONE;
        if (accept && mark && (state_q == NONE)) begin
            state_q       <= reserves ? WAITS : ANSWERS;
            status_q      <= bad ? 4'd`MOEHUB_STATUS_MALFORMED : 4'd`MOEHUB_STATUS_TIMEOUT;
            name_q        <= number_q;
            mark_q        <= packet_mark;
            lines_q       <= lines;
            sent_q        <= 6'd0;
            ask_ahead_q   <= unasked_q - {3'd0, asked};
            grant_ahead_q <= unasked_q + waiting_q - {3'd0, granted};
            ahead_q       <= inside_q - {3'd0, told};
            asked_q       <= !reserves;
            since_q       <= 3'd0;
        end
        if (rst) state_q <= NONE;
    end
    wire [2:0]   copies_after = copies_name - name_q; // in 1 .. since: a younger one
    wire [2:0]   error_after  = error_data[37:35] - name_q;
    wire [1:0]   its_element  = mark_q[46] ? 2'd`MOEHUB_ELEMENT_FP32 : mark_q[45:44];
    wire [23:0]  its_tag      = mark_q[36:13] + {18'd0, sent_q};
    wire [127:0] header       = {5'd0, mark_q[43:40], 6'd0, 1'b1, 32'd0, 6'd0, own, 2'd0, its_element, status_q, its_tag,
        mark_q[39:37], own, 9'd0, 1'b0, 1'b0, 1'b0, 1'b0, 2'd0, 4'd5};
    wire [8:0]   last_bytes   = 9'd16 * (mark_q[55:47] - 9'd8 * (lines_q[3:0] - 9'd1));
    wire [7:0]   ask_lines    = reserve_lines_less_1;

    // ---- the crossbar looks for the patch of the marked request; entries that were freed
    reg       patch_read_q = 1'b0;
    reg [2:0] pending_q = 3'd0;
    reg [2:0] released_number_q = 3'd0;
    reg [1:0] pending_for_q = 2'd0;
    wire      release_taken = released_valid && released_ready && !rst;
    always @(posedge clk) begin
        patch_read_q  <= !rst && copy_find_valid && copy_find_name == name_q && (state_q == LEFT || its_copy) && !reuses;
        pending_q     <= pending_q + {2'd0, freed_valid} - {2'd0, release_taken};
        pending_for_q <= pending_q == 3'd0 || release_taken ? 2'd0 : pending_for_q == 2'd3 ? 2'd3 : pending_for_q + 2'd1;
        if (freed_valid) freed_number_q <= freed_number_q + 3'd1;
        if (release_taken) released_number_q <= released_number_q + 3'd1;
        if (rst) begin
            pending_q         <= 3'd0;
            pending_for_q     <= 2'd0;
            freed_number_q    <= 3'd0;
            released_number_q <= 3'd0;
        end
    end
    always @* begin
        assume (!freed_valid || pending_q < GROUPS);
        assume (!rst || (!freed_valid && !copy_find_valid));
    end

    always @* begin
        copies_right:   assert (!its_copy ||
            (state_q == COPIES && copies_mark == mark_q[11:0] && copies_place == {1'b0, name_q}));
        errors_right:   assert (!its_error || (state_q == ANSWERS && sent_q < lines_q));
        header_right:   assert (!its_error || error_data == header);
        frees_right:    assert ((!its_find || state_q == FINDS) && (!its_free || (state_q == FREES && !found_now_q)));
        places_right:   assert (!its_free || {free_head, free_last, free_flits} == place_q);
        copies_order:   assert (!copied || !active || copies_after == 3'd0 || copies_after > since_q ||
            (state_q != WAITS && state_q != COPIES));
        errors_order:   assert (!sent || !active || error_after == 3'd0 || error_after > since_q || done || state_q == COPIES);
        asks_right:     assert (!its_ask || (reserve_requester == own && reserve_tag == {mark_q[43:37], mark_q[36:13]} &&
            reserve_element == mark_q[45:44] && reserve_out_fp32 == mark_q[46] && reserve_contributors == mark_q[57:56]));
        asks_lines:     assert (!its_ask || (reserve_length == last_bytes && ask_lines + 8'd1 == {2'd0, lines_q}));
        asks_alone:     assert (!asked || unasked_q != 4'd0);
        grants_in_turn: assert (!its_grant || ahead_q == {3'd0, told});
        asks_first:     assert (!its_grant || asked_q);
        patch_right:    assert (!patch_read_q || find_tag == patch_q);
        released_order: assert (!released_valid || !started_q || reset_q ||
            (pending_q != 3'd0 && released_entry == {13'd0, released_number_q}));
        released_soon:  assert (pending_for_q != 2'd3 || released_valid);
    end
    always @* begin
        copied_after:   cover (its_copy && name_q == 3'd4 && since_q == 3'd2);
        answered:       cover (its_free && status_q == 4'd`MOEHUB_STATUS_MALFORMED && lines_q == REQUEST_LINES);
        answered_down:  cover (its_error && status_q == 4'd`MOEHUB_STATUS_TIMEOUT && since_q == 3'd4);
        granted_after:  cover (its_grant && since_q == 3'd2 && name_q == 3'd3);
        not_granted:    cover (its_free && mark_q[12] == 1'b0 && status_q == 4'd`MOEHUB_STATUS_DRAINING);
        comes_round:    cover (reuses && state_q == LEFT);
        patch_read:     cover (patch_read_q && patch_q == 24'h123456);
        releases:       cover (release_taken && pending_q == GROUPS && released_number_q == 3'd3);
        full_queue:     cover (unasked_q + waiting_q == 4'd4 && state_q == WAITS && grant_ahead_q == 4'd3);
    end
endmodule
`default_nettype wire
