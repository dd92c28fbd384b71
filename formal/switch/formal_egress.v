// SPDX-License-Identifier: Apache-2.0
// moehub_egress with sources of short packets and a link sender's credits: packets whole and in order, credits, bounds, what
// becomes of each packet. STEADY 1: the link is up and the port is not down, for the order and the bounds.
`default_nettype none
`include "moehub_defines.vh"
module formal_egress #(
    parameter BOUND  = 2,
    parameter MOST   = 2, // flits of a packet
    parameter STEADY = 0
) (
    input wire       clk,
    input wire       rst,
    input wire       link_up,
    input wire       down,
    input wire       request_valid,
    input wire [4:0] request_flits,
    input wire       store_valid,
    input wire [4:0] store_flits,
    input wire       result_valid,
    input wire [4:0] result_flits,
    input wire       error_valid,
    input wire       notice_valid,
    input wire       grant_valid,
    input wire [1:0] grant_class
);
`include "formal_reset.vh"
    localparam [2:0] STORE  = 0;
    localparam [2:0] REQUEST = 1;
    localparam [2:0] RESULT = 2;
    localparam [2:0] ERROR  = 3;
    localparam [2:0] NOTICE = 4;

    wire         request_ready;
    wire         store_ready;
    wire         result_ready;
    wire         error_ready;
    wire         notice_ready;
    wire [4:0]   last;
    wire [2:0]   number_0;
    wire [2:0]   number_1;
    wire [2:0]   number_2;
    wire [2:0]   number_3;
    wire [2:0]   number_4;
    wire [4:0]   there;
    wire [4:0]   first;
    wire [4:0]   need_0;
    wire [4:0]   need_1;
    wire [4:0]   need_2;
    wire [4:0]   unused_need_3;
    wire [4:0]   unused_need_4;
    wire         start_valid;
    wire [1:0]   start_class;
    wire [4:0]   start_flits;
    wire         sent_valid;
    wire [1:0]   sent_class;
    wire [127:0] sent_data;
    wire         sent_last;
    wire [2:0]   packets;
    wire         discarded;
    wire [2:0]   blocked;
    wire         idle;
    reg  [3:0]   credits_0_q;
    reg  [3:0]   credits_1_q;
    reg  [3:0]   credits_2_q;

    formal_egress_source #(.MOST(MOST)) u_store (
        .clk(clk), .rst(rst), .valid(store_valid), .ready(store_ready), .flits(store_flits), .last(last[STORE]),
        .number(number_0), .there(there[STORE]), .first(first[STORE]), .first_flits(need_0)
    );
    formal_egress_source #(.MOST(MOST)) u_request (
        .clk(clk), .rst(rst), .valid(request_valid), .ready(request_ready), .flits(request_flits), .last(last[REQUEST]),
        .number(number_1), .there(there[REQUEST]), .first(first[REQUEST]), .first_flits(need_1)
    );
    formal_egress_source #(.MOST(MOST)) u_result (
        .clk(clk), .rst(rst), .valid(result_valid), .ready(result_ready), .flits(result_flits), .last(last[RESULT]),
        .number(number_2), .there(there[RESULT]), .first(first[RESULT]), .first_flits(need_2)
    );
    formal_egress_source #(.MOST(1)) u_error (
        .clk(clk), .rst(rst), .valid(error_valid), .ready(error_ready), .flits(5'd1), .last(last[ERROR]), .number(number_3),
        .there(there[ERROR]), .first(first[ERROR]), .first_flits(unused_need_3)
    );
    formal_egress_source #(.MOST(1)) u_notice (
        .clk(clk), .rst(rst), .valid(notice_valid), .ready(notice_ready), .flits(5'd1), .last(last[NOTICE]), .number(number_4),
        .there(there[NOTICE]), .first(first[NOTICE]), .first_flits(unused_need_4)
    );
    moehub_egress #(.BOUND(BOUND)) u_egress (
        .clk(clk), .rst(rst), .link_up(link_up), .down(down),
        .credits({9'd0, credits_2_q, 9'd0, credits_1_q, 9'd0, credits_0_q}),
        .request_valid(request_valid), .request_ready(request_ready), .request_data({122'd0, REQUEST, number_1}),
        .request_last(last[REQUEST]), .request_flits(request_flits),
        .store_valid(store_valid), .store_ready(store_ready), .store_data({122'd0, STORE, number_0}),
        .store_last(last[STORE]), .store_flits(store_flits),
        .result_valid(result_valid), .result_ready(result_ready), .result_data({122'd0, RESULT, number_2}),
        .result_last(last[RESULT]), .result_flits(result_flits),
        .error_valid(error_valid), .error_ready(error_ready), .error_data({122'd0, ERROR, number_3}),
        .notice_valid(notice_valid), .notice_ready(notice_ready), .notice_data({122'd0, NOTICE, number_4}),
        .start_valid(start_valid), .start_class(start_class), .start_flits(start_flits), .packet_valid(sent_valid),
        .packet_class(sent_class), .packet_data(sent_data), .packet_last(sent_last), .packets(packets),
        .discarded(discarded), .blocked(blocked), .idle(idle)
    );
    always @* assume (!STEADY || (link_up && !down));

    // ---- the link sender's credits: it takes them with start
    wire [4:0] takes_0 = start_valid && start_class == 2'd0 ? start_flits : 5'd0;
    wire [4:0] takes_1 = start_valid && start_class == 2'd1 ? start_flits : 5'd0;
    wire [4:0] takes_2 = start_valid && start_class == 2'd2 ? start_flits : 5'd0;
    function [3:0] after(input [3:0] credits, input [4:0] takes, input grant);
        after = credits - takes[3:0] + (grant && credits < 4'd6 ? 4'd1 : 4'd0);
    endfunction
    always @(posedge clk) begin
        credits_0_q <= link_up ? after(credits_0_q, takes_0, grant_valid && grant_class == 2'd0) : 4'd0;
        credits_1_q <= link_up ? after(credits_1_q, takes_1, grant_valid && grant_class == 2'd1) : 4'd0;
        credits_2_q <= link_up ? after(credits_2_q, takes_2, grant_valid && grant_class == 2'd2) : 4'd0;
        if (rst) begin
            credits_0_q <= 4'd0;
            credits_1_q <= 4'd0;
            credits_2_q <= 4'd0;
        end
    end

    // ---- the packet as the link sender takes it, a cycle later: with its start
    reg         packet_valid;
    reg [1:0]   packet_class;
    reg [127:0] packet_data;
    reg         packet_last;
    always @(posedge clk) begin
        packet_valid <= !rst && sent_valid;
        packet_class <= sent_class;
        packet_data  <= sent_data;
        packet_last  <= sent_last;
    end
    reg        open_q; // its first flit was there, its last one not
    reg [4:0]  left_q;
    reg [1:0]  class_q;
    reg [2:0]  source_q;
    reg [14:0] next_q; // number of each source's next flit
    wire [4:0] left   = start_valid ? start_flits : left_q;
    wire [2:0] source = packet_data[5:3];
    always @(posedge clk) begin
        if (packet_valid) begin
            open_q   <= !packet_last;
            left_q   <= left - 5'd1;
            class_q  <= packet_class;
            source_q <= source;
            next_q[source * 3 +: 3] <= packet_data[2:0] + 3'd1;
        end
        if (rst) begin
            open_q <= 1'b0;
            next_q <= 15'd0;
        end
    end

    // ---- eligible, as seen from outside; of the responses surely, whosever turn it is
    wire [2:0] candidate;
    wire [2:0] enough;
    wire [2:0] eligible = candidate & enough;
    wire [4:0] most_2   = there[RESULT] ? need_2 : 5'd1;
    wire       responds = open_q && class_q == 2'd2; // or the present flit ends it
    assign candidate = {|(there[NOTICE:ERROR]) || (there[RESULT] && first[RESULT]), there[REQUEST] && first[REQUEST],
        there[STORE] && first[STORE]};
    assign enough = {{1'b0, credits_2_q} >= most_2 + takes_2, {1'b0, credits_1_q} >= need_1 + takes_1,
        {1'b0, credits_0_q} >= need_0 + takes_0};

    reg [2:0] eligible_q; // in the last cycle: a choice of then shows in this one
    reg       notice_q;   // a notice was there
    reg       link_q;
    reg       down_q;
    always @(posedge clk) begin
        eligible_q <= rst ? 3'd0 : eligible & {3{link_up}};
        notice_q   <= !rst && there[NOTICE];
        link_q     <= link_up;
        down_q     <= down;
    end

    // ---- packets between eligible and chosen, the one being sent included
    reg       waits_0_q = 1'b0;
    reg       waits_1_q = 1'b0;
    reg       waits_2_q = 1'b0;
    reg       waits_notice_q = 1'b0;
    reg [3:0] passed_0_q;
    reg [3:0] passed_1_q;
    reg [3:0] passed_2_q;
    reg [3:0] passed_notice_q;
    wire [2:0] starts  = {start_class == 2'd2, start_class == 2'd1, start_class == 2'd0} & {3{start_valid}};
    wire       other_0 = start_valid && !starts[0];
    wire       other_1 = start_valid && !starts[1];
    wire       other_2 = start_valid && !starts[2];
    wire       other_response = starts[2] && source != NOTICE;
    wire [3:0] passed_0 = (waits_0_q ? passed_0_q : {3'd0, open_q}) + {3'd0, other_0};
    wire [3:0] passed_1 = (waits_1_q ? passed_1_q : {3'd0, open_q}) + {3'd0, other_1};
    wire [3:0] passed_2 = (waits_2_q ? passed_2_q : {3'd0, open_q}) + {3'd0, other_2};
    wire [3:0] passed_notice = (waits_notice_q ? passed_notice_q : 4'd0) + {3'd0, other_response};
    wire       on_0 = waits_0_q || eligible_q[0];
    wire       on_1 = waits_1_q || eligible_q[1];
    wire       on_2 = waits_2_q || eligible_q[2];
    wire       on_notice = waits_notice_q || notice_q;
    always @(posedge clk) begin
        waits_0_q       <= !rst && on_0 && !starts[0];
        waits_1_q       <= !rst && on_1 && !starts[1];
        waits_2_q       <= !rst && on_2 && !starts[2];
        waits_notice_q  <= !rst && on_notice && !(starts[2] && source == NOTICE);
        passed_0_q      <= passed_0;
        passed_1_q      <= passed_1;
        passed_2_q      <= passed_2;
        passed_notice_q <= passed_notice;
    end

    // ---- what becomes of each packet
    reg [3:0] inside_q;   // packets whose last flit entered and that were not told
    reg       cut_q;      // link_up was low under the packet
    reg       whole_q;    // a packet ended two cycles ago, not cut
    reg       broken_q;   // ... cut
    reg [1:0] ended_q;    // its class
    reg [1:0] quiet_q;    // cycles without a flit at the egress, up to 3
    wire [4:0] enters = {notice_valid && notice_ready, error_valid && error_ready, result_valid && result_ready,
        request_valid && request_ready, store_valid && store_ready} & last;
    wire       cut  = !link_q || (open_q && cut_q);
    wire       told = discarded || |packets;
    wire       one_told = discarded ? packets == 3'd0 : packets == 3'd1 || packets == 3'd2 || packets == 3'd4;
    wire [3:0] more = {3'd0, enters[0]} + {3'd0, enters[1]} + {3'd0, enters[2]} + {3'd0, enters[3]} + {3'd0, enters[4]};
    always @(posedge clk) begin
        inside_q <= inside_q + more - {3'd0, told};
        cut_q    <= cut;
        whole_q  <= !rst && packet_valid && packet_last && !cut;
        broken_q <= !rst && packet_valid && packet_last && cut;
        ended_q  <= packet_class;
        quiet_q  <= |there ? 2'd0 : quiet_q == 2'd3 ? 2'd3 : quiet_q + 2'd1;
        if (rst) begin
            inside_q <= 4'd0;
            quiet_q  <= 2'd0;
        end
    end

    wire runs = started_q && !reset_q;
    always @* begin
        begins:       assert (!started_q || start_valid == (packet_valid && !open_q));
        whole:        assert (!started_q || !packet_valid || packet_last == (left == 5'd1));
        unmixed:      assert (!started_q || !packet_valid || start_valid || (packet_class == class_q && source == source_q));
        one_class:    assert (!started_q || !packet_valid || packet_class == (source < 3'd2 ? {1'b0, source[0]} : 2'd2));
        credits:      assert (!runs ||
            ({1'b0, credits_0_q} >= takes_0 && {1'b0, credits_1_q} >= takes_1 && {1'b0, credits_2_q} >= takes_2));
        link_alone:   assert (!runs || !start_valid || (link_q && !down_q));
        order:        assert (!STEADY || !packet_valid || !started_q || packet_data[2:0] == next_q[source * 3 +: 3]);
        no_gap:       assert (!STEADY || !started_q || eligible_q == 3'd0 || open_q || start_valid);
        bound_store:  assert (!STEADY || !on_0 || passed_0 <= BOUND + 2);
        bound_request: assert (!STEADY || !on_1 || passed_1 <= 2);
        bound_response: assert (!STEADY || !on_2 || passed_2 <= BOUND + 1);
        turns:        assert (!STEADY || !on_notice || passed_notice <= 2);
        told_once:    assert (!started_q || !told || (inside_q != 4'd0 && one_told));
        told_all:     assert (!started_q || quiet_q != 2'd3 || inside_q == 4'd0);
        told_right:   assert (!runs ||
            ((|packets) == whole_q && (!broken_q || discarded) && (!whole_q || packets == 3'd1 << ended_q)));
        says_blocked: assert (!runs || (blocked[1:0] == blocked_q && (!idle || quiet_q != 2'd0)));
    end
    reg [1:0] blocked_q;
    always @(posedge clk) blocked_q <= candidate[1:0] & ~(enough[1:0] & {2{link_up}}) & {2{!down}};
    always @* begin
        one_after_another: cover (start_valid && packet_valid && whole_q && ended_q != packet_class && next_q[2:0] != 3'd0);
        overdue_store:     cover (starts[0] && passed_0 == BOUND + 2);
        overdue_response:  cover (starts[2] && passed_2 == BOUND + 1);
        late_request:      cover (starts[1] && passed_1 == 2);
        last_turn:         cover (starts[2] && source == NOTICE && passed_notice == 2);
        cut_short:         cover (broken_q && link_q);
        dropped:           cover (discarded && !broken_q && down_q && inside_q == 4'd3);
        blocked_alone:     cover (blocked_q == 2'd1 && start_valid);
    end
endmodule
`default_nettype wire
