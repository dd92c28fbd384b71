// SPDX-License-Identifier: Apache-2.0
// moehub_request_unit: who waits for whom. A request without a free group holds neither answers nor grants, an answer waits for
// the egress and the store alone, a grant for the copy list alone; the entry of one marked request is given back once, after
// its copies have left the input. What requests carry is formal_request_unit.v's; numbers are names, modulo 8.
`default_nettype none
`include "moehub_defines.vh"
module formal_request_unit_flow #(
    parameter REQUEST_LINES = 1,
    parameter GROUPS        = 2
) (
    input wire        clk,
    input wire        rst,
    input wire        mark,
    input wire        bad,
    input wire        down,
    input wire        long, // two lines, if there are as many
    input wire        packet_valid,
    input wire        reserve_ready,
    input wire        grant_valid,
    input wire        grant_ok,
    input wire [2:0]  grant_entry,
    input wire        released_ready,
    input wire        copies_ready,
    input wire        copy_find_valid,
    input wire [2:0]  copy_find_name,
    input wire        freed_valid,
    input wire        freed_its, // the marked request's copies have left
    input wire [2:0]  freed_entry,
    input wire        find_ready,
    input wire        free_ready,
    input wire        error_ready
);
`include "formal_reset.vh"
    localparam [4:0] ANSWER = REQUEST_LINES + 4; // cycles of an answer
    (* anyconst *) wire [2:0] its_entry;

    wire        packet_ready, reserve_valid, grant_ready, released_valid, copies_valid, find_valid, free_valid, error_valid;
    wire        reserved, refused;
    wire [15:0] released_entry;
    wire [2:0]  copies_name, free_name;
    wire [23:0] find_tag;
    reg  [2:0]  number_q = 3'd0;
    reg  [23:0] its_tag_q; // as the crossbar found it
    wire [3:0]  grant_status = grant_ok ? 4'd`MOEHUB_STATUS_OK : 4'd`MOEHUB_STATUS_DRAINING;
    wire [57:0] packet_mark  = {2'b01, long ? 9'd9 : 9'd1, 34'd0, bad, 9'd0, number_q};

    moehub_request_unit #(.PORTS(2), .REQUEST_LINES(REQUEST_LINES), .GROUPS(GROUPS), .PLACES(8)) u_unit (
        .clk(clk), .rst(rst), .own(10'd0), .down({1'b0, down}), .packet_valid(packet_valid), .packet_ready(packet_ready),
        .packet_name(number_q), .packet_mark(packet_mark), .packet_place(4'd0), .reserve_valid(reserve_valid),
        .reserve_ready(reserve_ready), .reserve_requester(), .reserve_tag(), .reserve_element(), .reserve_out_fp32(),
        .reserve_length(), .reserve_lines_less_1(), .reserve_contributors(), .grant_valid(grant_valid),
        .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry({13'd0, grant_entry}), .grant_generation(8'd0),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry(released_entry),
        .copies_valid(copies_valid), .copies_ready(copies_ready), .copies_name(copies_name), .copies_mark(), .copies_place(),
        .copy_find_valid(copy_find_valid), .copy_find_name(copy_find_name), .find_tag(find_tag), .freed_valid(freed_valid),
        .freed_tag(freed_its ? its_tag_q : {13'd0, freed_entry, 8'd0}), .find_valid(find_valid), .find_ready(find_ready),
        .find_name(), .find_head(4'd0), .find_last(4'd0), .find_flits(5'd0), .free_valid(free_valid), .free_ready(free_ready),
        .free_name(free_name), .free_head(), .free_last(), .free_flits(), .error_valid(error_valid), .error_ready(error_ready),
        .error_data(), .reserved(reserved), .refused(refused), .refused_down(), .error_results(), .group_waits()
    );
    formal_stream_assume #(.WIDTH(5)) u_packet (
        .clk(clk), .rst(rst), .valid(packet_valid), .ready(packet_ready), .data({long, bad, number_q})
    );
    formal_stream_assume #(.WIDTH(4)) u_grant (
        .clk(clk), .rst(rst), .valid(grant_valid), .ready(grant_ready), .data({grant_ok, grant_entry})
    );

    wire reserves = !bad && !down;
    wire accept   = packet_valid && packet_ready && !rst;
    wire asked    = reserve_valid && reserve_ready && !rst;
    wire granted  = grant_valid && grant_ready && !rst;
    wire copied   = copies_valid && copies_ready && !rst;
    wire frees    = free_valid && free_ready && !rst;
    wire told     = reserved || refused; // a request went on, a cycle ago

    reg [7:0] used_q = 8'd0;    // names
    reg [3:0] unasked_q = 4'd0; // taken, to be reserved
    reg [3:0] waiting_q = 4'd0; // reserved, not granted
    reg [3:0] inside_q = 4'd0;  // taken, and not told that they went on

    // ---- the marked request ------------------------------------------------------------------------------------------
    localparam [2:0] NONE    = 0;
    localparam [2:0] WAITS   = 1; // for its grant
    localparam [2:0] COPIES  = 2; // granted
    localparam [2:0] ANSWERS = 3; // until its places are free
    localparam [2:0] LEFT    = 4; // on copies
    localparam [2:0] FOUND   = 5; // the crossbar has read its tag
    localparam [2:0] FREED   = 6; // its copies have left
    localparam [2:0] OVER    = 7; // answered, or its entry was given back
    reg [2:0] state_q = NONE;
    reg [2:0] name_q;
    reg [3:0] ahead_q;       // older requests that have not been told that they went on
    reg [3:0] grant_ahead_q; // their reservations that are to be granted
    reg       reads_q = 1'b0;
    reg       answered_q = 1'b0;
    wire      its_grant = granted && state_q == WAITS && grant_ahead_q == 4'd0;
    wire      its_copy  = copied && state_q == COPIES && copies_name == name_q;
    wire      its_free  = frees && state_q == ANSWERS && free_name == name_q;
    wire      its_find  = copy_find_valid && copy_find_name == name_q && state_q == LEFT;
    wire      its_end   = freed_valid && freed_its;
    wire      releases  = released_valid && released_ready && !rst;
    wire      its_release = releases && released_entry[2:0] == its_entry;
    always @(posedge clk) begin
        if (told && ahead_q != 4'd0) ahead_q <= ahead_q - 4'd1;
        if (granted && grant_ahead_q != 4'd0) grant_ahead_q <= grant_ahead_q - 4'd1;
        if (its_grant) state_q <= grant_ok ? COPIES : ANSWERS;
        if (its_copy) state_q <= LEFT;
        if (its_free) state_q <= OVER;
        if (its_free) answered_q <= 1'b1;
        reads_q <= its_find && !rst;
        if (reads_q) begin
            state_q   <= FOUND;
            its_tag_q <= find_tag;
        end
        if (its_end) state_q <= FREED;
        if (its_release && state_q == FREED) state_q <= OVER;
        if (accept && mark && state_q == NONE) begin
            state_q       <= reserves ? WAITS : ANSWERS;
            name_q        <= number_q;
            ahead_q       <= inside_q - {3'd0, told};
            grant_ahead_q <= unasked_q + waiting_q - {3'd0, granted};
        end
        if (rst) begin
            state_q    <= NONE;
            answered_q <= 1'b0;
        end
    end

    // ---- who is inside: names, reservations --------------------------------------------------------------------------
    always @(posedge clk) begin
        unasked_q <= unasked_q + {3'd0, accept && reserves} - {3'd0, asked};
        waiting_q <= waiting_q + {3'd0, asked} - {3'd0, granted};
        inside_q  <= inside_q + {3'd0, accept} - {3'd0, told};
        if (accept) number_q <= number_q + 3'd1;
        if (copied && !its_copy) used_q[copies_name] <= 1'b0;
        if (its_end) used_q[name_q] <= 1'b0;
        if (frees) used_q[free_name] <= 1'b0;
        if (accept) used_q[number_q] <= 1'b1;
        if (rst) begin
            unasked_q <= 4'd0;
            waiting_q <= 4'd0;
            inside_q  <= 4'd0;
            number_q  <= 3'd0;
            used_q    <= 8'd0;
        end
    end

    // ---- the neighbours ----------------------------------------------------------------------------------------------
    reg [2:0] pending_q = 3'd0; // entries to be given back
    always @(posedge clk) pending_q <= rst ? 3'd0 : pending_q + {2'd0, freed_valid} - {2'd0, releases};
    always @* begin
        assume (!packet_valid || !used_q[number_q]);
        assume (!grant_valid || waiting_q != 4'd0);
        assume (!grant_valid || !grant_ok || state_q == OVER ||
            (grant_entry == its_entry) == (state_q == WAITS && grant_ahead_q == 4'd0)); // entries in use are not given twice
        assume (state_q != OVER || !grant_valid || grant_entry != its_entry);
        assume (!freed_valid || (freed_its ? state_q == FOUND && !reads_q : freed_entry != its_entry));
        assume (!freed_valid || pending_q < GROUPS);
        assume (!rst || (!freed_valid && !copy_find_valid));
    end

    // ---- cycles in which nothing outside holds it --------------------------------------------------------------------
    reg [4:0] answer_late_q = 5'd0;
    reg [2:0] grant_late_q = 3'd0;
    wire      answer_held = (error_valid && !error_ready) || (find_valid && !find_ready) || (free_valid && !free_ready);
    wire      grant_held  = !grant_valid || !copies_ready;
    always @(posedge clk) begin
        if (state_q == ANSWERS && ahead_q == 4'd0 && !answer_held) answer_late_q <= answer_late_q + 5'd1;
        if (state_q != ANSWERS) answer_late_q <= 5'd0;
        grant_late_q <= state_q == WAITS && ahead_q == 4'd0 && grant_ahead_q == 4'd0 && !grant_held && !its_grant ?
            grant_late_q + 3'd1 : 3'd0;
        if (rst) begin
            answer_late_q <= 5'd0;
            grant_late_q  <= 3'd0;
        end
    end

    always @* begin
        asks_at_once:  assert (unasked_q == 4'd0 || reserve_valid || !started_q || reset_q);
        answers_flow:  assert (answer_late_q <= 2 * ANSWER + 5'd1);
        grants_flow:   assert (grant_late_q <= 3'd1);
        released_once: assert (!started_q || !released_valid || released_entry != {13'd0, its_entry} || state_q == FREED);
        found_right:   assert (!started_q || state_q != FOUND || its_tag_q == {13'd0, its_entry, 8'd0});
    end
    always @* begin
        behind_another: cover (answered_q && answer_late_q == 5'd0 && !reserve_ready && reserve_valid && name_q == 3'd1);
        held_alone:     cover (its_grant && error_valid && !error_ready && name_q == 3'd1 && reserve_valid && !reserve_ready);
        reserve_waits:  cover (unasked_q == 4'd2 && error_valid);
        given_back:     cover (state_q == OVER && !answered_q && releases && name_q == 3'd1);
    end
endmodule
`default_nettype wire
