// SPDX-License-Identifier: Apache-2.0
// Purpose: offers the link sender of a switch port, or of a hub's way, one packet after the other (doc/plane/switch.md section
//   3; doc/hub/ingress.md section 2).
// Contract:
//   1. Sources: request and store copies; results, error results and notices, which are the response class. Each is a stream of
//      packets; its _flits says, with a packet's first flit, how many there are. Errors and notices are packets of one flit.
//   2. A packet is chosen only while link_up is high and there are credits of its class for all its flits. Credits that the last
//      choice took count at once. start, a register, tells the link sender in the cycle after the packet's first flit.
//   3. The flits of a packet leave in their order, and none of another packet in between; packets of a source in their order.
//   4. Choice: of the classes that are overdue, response before store; else request, response, store. A class is overdue when
//      BOUND packets of other classes were chosen while it was eligible (it has a packet, and credits for it). Between eligible
//      and chosen there are at most, the packet being sent included, of a request 2 packets, of a response BOUND + 1, of a
//      store BOUND + 2. overtaken is cleared when the class is chosen, and while link_up is low and the port not down.
//      With ROUND_ROBIN the eligible classes take turns instead, request, store, response: each waits for at most 2 packets.
//   5. Results, error results and notices take turns; the one whose turn it is waits for its credits.
//   6. A packet chosen while `down` is high needs no credits and is discarded: no start, no packet_valid.
//   7. packets has a pulse for each packet that was sent, by class, two cycles after its last flit; discarded one for each that
//      was not: chosen while `down` was high, or cut short by link_up. blocked, by class: a packet waits for its credits (none
//      while down). idle: nothing is sent, and there is nothing to send.
// How: the sources' flits come through moehub_ready_buffer, so that a packet is chosen in the cycle in which its first flit
//   shows, and that flit is sent at once: the link sender's register is the only one on its way.
// Cost: latency 0; a flit a cycle, without gaps between packets. 720 flops.
// Limits: a source keeps the flits of a packet without gaps, else the link idles. packet_* are combinational from the sources and
//   from credits. packet has no ready: the link sender takes every flit, but in reset and in the cycle after it, where there is
//   none.
// Proved: formal/switch/formal_egress.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_egress #(
    parameter BOUND       = 8, // 2..64 packets of others
    parameter ROUND_ROBIN = 0  // 0, 1: classes take turns, and BOUND means nothing
) (
    input  wire                                                 clk,
    input  wire                                                 rst,
    input  wire                                                 link_up,
    input  wire                                                 down,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits,

    input  wire                                                 request_valid,
    output wire                                                 request_ready,
    input  wire [127:0]                                         request_data,
    input  wire                                                 request_last,
    input  wire [4:0]                                           request_flits,

    input  wire                                                 store_valid,
    output wire                                                 store_ready,
    input  wire [127:0]                                         store_data,
    input  wire                                                 store_last,
    input  wire [4:0]                                           store_flits,

    input  wire                                                 result_valid,
    output wire                                                 result_ready,
    input  wire [127:0]                                         result_data,
    input  wire                                                 result_last,
    input  wire [4:0]                                           result_flits,

    input  wire                                                 error_valid,
    output wire                                                 error_ready,
    input  wire [127:0]                                         error_data,

    input  wire                                                 notice_valid,
    output wire                                                 notice_ready,
    input  wire [127:0]                                         notice_data,

    output wire                                                 start_valid,
    output wire [1:0]                                           start_class,
    output wire [4:0]                                           start_flits,
    output wire                                                 packet_valid,
    output wire [1:0]                                           packet_class,
    output wire [127:0]                                         packet_data,
    output wire                                                 packet_last,

    output wire [`MOEHUB_CLASSES - 1:0]                         packets,
    output wire                                                 discarded,
    output wire [`MOEHUB_CLASSES - 1:0]                         blocked,
    output wire                                                 idle
);
    generate
        if (BOUND < 2 || BOUND > 64) BOUND_must_be_2_to_64 u_rule ();
        if (ROUND_ROBIN != 0 && ROUND_ROBIN != 1) ROUND_ROBIN_must_be_0_or_1 u_rule ();
    endgenerate

    localparam STORE    = `MOEHUB_CLASS_STORE;
    localparam REQUEST  = `MOEHUB_CLASS_REQUEST;
    localparam RESPONSE = `MOEHUB_CLASS_RESPONSE;
    localparam CLASSES  = `MOEHUB_CLASSES;
    // Sources: those of store and request have the number of their class.
    localparam RESULT   = 2;
    localparam ERROR    = 3;
    localparam NOTICE   = 4;
    localparam SOURCES  = 5;

    // ---- what each source has --------------------------------------------------------------------------------------------
    wire [SOURCES - 1:0]       there;  // a flit
    wire [SOURCES - 1:0]       taken;
    wire [SOURCES * 128 - 1:0] data;
    wire [SOURCES - 1:0]       last;
    wire [3 * 5 - 1:0]         flits; // of the packet; errors and notices have one

    moehub_ready_buffer #(.WIDTH(134)) u_store (
        .clk(clk), .rst(rst), .in_valid(store_valid), .in_ready(store_ready), .in_data({store_flits, store_last, store_data}),
        .out_valid(there[STORE]), .out_ready(taken[STORE]),
        .out_data({flits[STORE * 5 +: 5], last[STORE], data[STORE * 128 +: 128]})
    );
    moehub_ready_buffer #(.WIDTH(134)) u_request (
        .clk(clk), .rst(rst), .in_valid(request_valid), .in_ready(request_ready),
        .in_data({request_flits, request_last, request_data}),
        .out_valid(there[REQUEST]), .out_ready(taken[REQUEST]),
        .out_data({flits[REQUEST * 5 +: 5], last[REQUEST], data[REQUEST * 128 +: 128]})
    );
    moehub_ready_buffer #(.WIDTH(134)) u_result (
        .clk(clk), .rst(rst), .in_valid(result_valid), .in_ready(result_ready),
        .in_data({result_flits, result_last, result_data}),
        .out_valid(there[RESULT]), .out_ready(taken[RESULT]),
        .out_data({flits[RESULT * 5 +: 5], last[RESULT], data[RESULT * 128 +: 128]})
    );
    moehub_ready_buffer #(.WIDTH(128)) u_error (
        .clk(clk), .rst(rst), .in_valid(error_valid), .in_ready(error_ready), .in_data(error_data),
        .out_valid(there[ERROR]), .out_ready(taken[ERROR]), .out_data(data[ERROR * 128 +: 128])
    );
    moehub_ready_buffer #(.WIDTH(128)) u_notice (
        .clk(clk), .rst(rst), .in_valid(notice_valid), .in_ready(notice_ready), .in_data(notice_data),
        .out_valid(there[NOTICE]), .out_ready(taken[NOTICE]), .out_data(data[NOTICE * 128 +: 128])
    );
    assign last[NOTICE:ERROR] = 2'b11;

    // ---- candidates ------------------------------------------------------------------------------------------------------
    reg                 sending_q;    // a packet was chosen, and its last flit has not been taken
    reg [SOURCES - 1:0] source_q;     // its source
    reg [CLASSES - 1:0] class_q;      // its class
    reg                 discarding_q; // it was chosen while the port was down
    reg                 turn_q;       // the response whose turn it is, turn_source_q, waits
    reg [2:0]           turn_source_q;
    reg                 start_valid_q;
    reg [CLASSES - 1:0] started_q;    // start_valid_q, by class
    reg [4:0]           start_flits_q;

    wire [2:0] turn_grant;
    wire       turn_valid;
    wire [1:0] unused_turn_index;

    wire responds = sending_q && class_q[RESPONSE]; // what the sources of responses show may be the middle of a packet

    moehub_arbiter #(.PORTS(3)) u_turn (
        .clk(clk), .rst(rst), .request(responds ? 3'd0 : there[NOTICE:RESULT]), .advance(!turn_q),
        .grant_valid(turn_valid), .grant(turn_grant), .grant_index(unused_turn_index)
    );

    wire [2:0]           turn_source = turn_q ? turn_source_q : turn_grant;
    wire                 turn_result = turn_source[0]; // else one of one flit
    wire [CLASSES - 1:0] has; // a candidate

    assign has[STORE]    = there[STORE] && !(sending_q && class_q[STORE]);
    assign has[REQUEST]  = there[REQUEST] && !(sending_q && class_q[REQUEST]);
    assign has[RESPONSE] = turn_valid;

    // Credits for a class's packet. A packet has less than 32 flits and the last choice took less than 32, so that 64 credits are
    // enough for any; below that, what the last choice left, which `credits` does not show yet.
    wire [CLASSES - 1:0] enough;
    // The same where a packet may be chosen: nothing is sent, so what was chosen in the last cycle has one flit. Its carry, and
    // no difference before the comparison, decides late in the cycle.
    wire [CLASSES - 1:0] affords;

    genvar c;
    generate
        for (c = 0; c < CLASSES; c = c + 1) begin : g_credits
            wire [`MOEHUB_CREDITS_WIDTH - 1:0] own_credits = credits[c * `MOEHUB_CREDITS_WIDTH +: `MOEHUB_CREDITS_WIDTH];
            wire [4:0] need = flits[c * 5 +: 5];
            wire [6:0] took = {2'd0, start_flits_q & {5{started_q[c]}}};
            wire [6:0] left = {1'b0, own_credits[5:0]} - took; // [6]: less than nothing
            wire       many = |own_credits[`MOEHUB_CREDITS_WIDTH - 1:6];
            wire       all  = many || (left[5:0] >= {1'b0, need} && !left[6]);
            wire       one  = many || (|left[5:0] && !left[6]);
            wire       covers; // the sum's carry: not less than nothing is left
            wire [6:0] unused_rest;
            assign {covers, unused_rest} = {1'b0, own_credits[5:0], 1'b1} + {1'b0, 1'b1, ~need, !started_q[c]};
            wire       affords_all = many || covers;
            wire       affords_one = many || |own_credits[5:1] || (own_credits[0] && !started_q[c]);
            assign enough[c]  = link_up && (c != RESPONSE || turn_result ? all : one);
            assign affords[c] = link_up && (c != RESPONSE || turn_result ? affords_all : affords_one);
        end
    endgenerate

    // ---- choice ----------------------------------------------------------------------------------------------------------
    // While none is being sent, which is when this counts, a source that has a flit has a candidate.
    wire [CLASSES - 1:0] eligible = {turn_valid, there[REQUEST], there[STORE]} & (affords | {CLASSES{down}});
    wire [CLASSES - 1:0] prefer; // at most one
    wire [CLASSES - 1:0] chosen = sending_q ? {CLASSES{1'b0}} : prefer;
    wire                 choose = |chosen;

    generate
        if (ROUND_ROBIN == 0) begin : g_bound
            localparam [31:0] MOST = BOUND;
            wire [CLASSES - 1:0] overdue;
            wire due_response = eligible[RESPONSE] && overdue[RESPONSE];
            wire due_store    = eligible[STORE] && overdue[STORE];

            assign prefer[RESPONSE] = due_response || (eligible[RESPONSE] && !due_store && !eligible[REQUEST]);
            assign prefer[STORE]    =
                !due_response && (due_store || (eligible[STORE] && !eligible[REQUEST] && !eligible[RESPONSE]));
            assign prefer[REQUEST]  = !due_response && !due_store && eligible[REQUEST];
            assign overdue[REQUEST] = 1'b0;

            for (c = 0; c < CLASSES; c = c + 1) begin : g_overtaken
                if (c != REQUEST) begin : g_bounded
                    reg [6:0] overtaken_q;
                    assign overdue[c] = overtaken_q == MOST[6:0];
                    always @(posedge clk) begin
                        if (chosen[c] || (!link_up && !down)) overtaken_q <= 7'd0;
                        else if (choose && eligible[c] && !overdue[c]) overtaken_q <= overtaken_q + 7'd1;
                        if (rst) overtaken_q <= 7'd0;
                    end
                end
            end
        end else begin : g_turns
            wire       unused_valid;
            wire [1:0] unused_index;
            moehub_arbiter #(.PORTS(CLASSES)) u_classes (
                .clk(clk), .rst(rst), .request({eligible[RESPONSE], eligible[STORE], eligible[REQUEST]}), .advance(!sending_q),
                .grant_valid(unused_valid), .grant({prefer[RESPONSE], prefer[STORE], prefer[REQUEST]}), .grant_index(unused_index)
            );
        end
    endgenerate

    // ---- the flit of this cycle ------------------------------------------------------------------------------------------
    // Each is known of a packet that is being sent, and of each candidate, before the choice is.
    wire [SOURCES - 1:0] source = sending_q ? source_q :
        {turn_source & {3{chosen[RESPONSE]}}, chosen[REQUEST], chosen[STORE]};
    wire                 discarding = sending_q ? discarding_q : down;
    wire                 flit       = sending_q ? |(source_q & there) : choose;
    wire                 sent_last  = |(source_q & last);
    wire [CLASSES - 1:0] lasts      = {|(turn_source & last[NOTICE:RESULT]), last[REQUEST], last[STORE]}; // of candidates
    wire [127:0]         sent_data;
    wire [127:0]         turn_data;
    wire [127:0]         chosen_data;
    wire [4:0]           chosen_flits;

    moehub_one_hot_mux #(.WIDTH(128), .WAYS(SOURCES)) u_sent (.select(source_q), .words(data), .word(sent_data));
    moehub_one_hot_mux #(.WIDTH(128), .WAYS(3)) u_turn_data (
        .select(turn_source), .words(data[RESULT * 128 +: 3 * 128]), .word(turn_data)
    );
    moehub_one_hot_mux #(.WIDTH(128), .WAYS(CLASSES)) u_data (
        .select(prefer), .words({turn_data, data[0 +: 2 * 128]}), .word(chosen_data)
    );
    moehub_one_hot_mux #(.WIDTH(5), .WAYS(CLASSES)) u_flits (
        .select(prefer), .words({turn_result ? flits[RESULT * 5 +: 5] : 5'd1, flits[0 +: 2 * 5]}), .word(chosen_flits)
    );

    assign taken = source;

    always @(posedge clk) begin
        sending_q <= sending_q ? !(|(source_q & there & last)) : |(prefer & ~lasts);
        // What they hold while nothing is sent means nothing: so the choice is none of their enables.
        if (!sending_q) begin
            source_q     <= source;
            class_q      <= prefer;
            discarding_q <= down;
        end
        turn_q        <= turn_valid && !chosen[RESPONSE];
        turn_source_q <= turn_source;
        if (rst) begin
            sending_q <= 1'b0;
            turn_q    <= 1'b0;
        end
    end

    // ---- to the link sender ----------------------------------------------------------------------------------------------
    reg [1:0] sent_class_q;

    assign packet_valid = flit && !discarding;
    assign packet_class = sending_q ? sent_class_q : class_of(prefer);
    assign packet_data  = sending_q ? sent_data : chosen_data;
    assign packet_last  = sending_q ? sent_last : |(prefer & lasts);
    assign start_valid  = start_valid_q;
    assign start_class  = {started_q[RESPONSE], started_q[REQUEST]}; // the classes' numbers
    assign start_flits  = start_flits_q;

    function [1:0] class_of(input [CLASSES - 1:0] one_hot);
        class_of = one_hot[RESPONSE] ? RESPONSE[1:0] : one_hot[REQUEST] ? REQUEST[1:0] : STORE[1:0];
    endfunction

    always @(posedge clk) begin
        start_valid_q <= choose && !down;
        started_q     <= chosen & {CLASSES{!down}};
        if (!sending_q) begin
            sent_class_q  <= class_of(prefer);
            start_flits_q <= chosen_flits;
        end
        if (rst) begin
            start_valid_q <= 1'b0;
            started_q     <= {CLASSES{1'b0}};
        end
    end

    // ---- what became of each packet: known in the cycle after its last flit ----------------------------------------------
    reg                 flit_q;  // a flit was taken in the last cycle
    reg                 drops_q; // ... and discarded
    reg                 last_q;
    reg                 link_q;  // link_up was high then
    reg                 open_q;  // flits of a packet were there before, its last one not
    reg                 cut_q;   // link_up was low meanwhile
    reg [CLASSES - 1:0] packets_q;
    reg                 discarded_q;
    reg [CLASSES - 1:0] blocked_q;
    reg                 idle_q;

    wire ends = flit_q && last_q;
    wire cut  = !link_q || (open_q && cut_q);
    wire lost = cut || drops_q;

    assign packets   = packets_q;
    assign discarded = discarded_q;
    assign blocked   = blocked_q;
    assign idle      = idle_q;

    always @(posedge clk) begin
        flit_q      <= flit;
        drops_q     <= flit && discarding;
        last_q      <= packet_last;
        link_q      <= link_up;
        open_q      <= (flit_q || open_q) && !ends;
        cut_q       <= cut;
        packets_q   <= {sent_class_q == RESPONSE[1:0], sent_class_q == REQUEST[1:0], sent_class_q == STORE[1:0]} &
            {CLASSES{ends && !lost}};
        discarded_q <= ends && lost;
        blocked_q   <= has & ~enough & {CLASSES{!down}};
        idle_q      <= !sending_q && !(|has);
        if (rst) begin
            flit_q      <= 1'b0;
            open_q      <= 1'b0;
            packets_q   <= {CLASSES{1'b0}};
            discarded_q <= 1'b0;
            blocked_q   <= {CLASSES{1'b0}};
            idle_q      <= 1'b0;
        end
    end
endmodule

`default_nettype wire
