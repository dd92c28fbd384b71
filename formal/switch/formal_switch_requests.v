// SPDX-License-Identifier: Apache-2.0
// The whole switch at its smallest, two ports, with one request of a line: port 0 asks for what up to four experts of GPU 1 have,
// well or malformed. A good request leaves port 1 once, with its ids, its entry and its generation; port 1 answers it with one or
// two partials, right or of a wrong generation. The first right one leaves port 0 as the result, once; nothing else leaves. The
// links are up all the time; registers and arithmetic are replaced (switch_requests.f).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"
module formal_switch_requests (
    input wire clk
);
    // The first cycle is reset, and no other: as in formal_one_reset.vh, but a constant of each cycle. So all that never moves is
    // a constant of the search's formula.
    reg  started_q = 1'b0;
    wire rst = !started_q;
    always @(posedge clk) started_q <= 1'b1;

    // The request: which of GPU 1's four experts it names, what its answer is to carry back, what is wrong with it.
    (* anyconst *) wire [3:0] ids;
    (* anyconst *) wire [3:0] tag;
    (* anyconst *) wire       round;
    (* anyconst *) wire       fp16;
    (* anyconst *) wire [1:0] wrong;
    localparam [1:0] GOOD   = 0;
    localparam [1:0] TYPE   = 1; // malformed, not answered
    localparam [1:0] SOURCE = 2; // refused: answered with MALFORMED
    localparam [1:0] FRAME  = 3; // refused: its target flit is missing
    // The partials: payload, what their generation is off by, 0 in a right one; whether there is a second one.
    (* anyconst *) wire [3:0] payload_1, payload_2;
    (* anyconst *) wire [7:0] off_1, off_2;
    (* anyconst *) wire       second;
    // When: cycles that the request, the first partial and the second one wait; the places for the copy and for the answer.
    (* anyconst *) wire [1:0] request_wait, partial_wait, second_wait;
    (* anyconst *) wire [1:0] copy_grant_1, copy_grant_2, result_grant_1, result_grant_2;
    always @* assume (ids != 4'd0);

    reg [6:0] now_q = 7'd0;
    always @(posedge clk) now_q <= rst ? 7'd0 : now_q + 7'd1;

    // ---- port 0's hub: sends while it has credits for the packet -----------------------------------------------------
    reg  [2:0] hand_q = 3'd0; // credits for requests
    reg  [1:0] request_waits_q = 2'd0; // cycles with them that it has waited
    reg  [1:0] request_q = 2'd0; // flits of the request that were sent; 3: whole
    wire       last_flit = request_q == 2'd1 || wrong == FRAME;
    wire       send = started_q && !rst && request_q != 2'd3 &&
        (request_q != 2'd0 || (hand_q >= 3'd2 && request_waits_q == request_wait));
    wire [2:0] count = ids[0] + ids[1] + ids[2] + ids[3];
    reg [127:0] header;
    reg [127:0] targets;
    integer e, n;
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: 4]         = wrong == TYPE ? 4'd6 : 4'd`MOEHUB_PACKET_LD_REDUCE;
        header[`MOEHUB_HEADER_LENGTH_LSB +: 9]       = 9'd1;
        header[`MOEHUB_HEADER_SOURCE_LSB +: 10]      = wrong == SOURCE ? 10'd1 : 10'd0;
        header[`MOEHUB_HEADER_TAG_LSB +: 4]          = tag;
        header[`MOEHUB_HEADER_ELEMENT_LSB]           = fp16;
        header[`MOEHUB_HEADER_OPERATION_LSB +: 2]    = 2'd`MOEHUB_OPERATION_SUM;
        header[`MOEHUB_HEADER_STAGE_LSB]             = 1'b1;
        header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: 6] = count;
        header[`MOEHUB_HEADER_ROUND_LSB]             = round;
        targets = 128'd0;
        n = 0;
        for (e = 0; e < 4; e = e + 1)
            if (ids[e]) begin
                targets = targets | ((4 + e) << (16 * n));
                n       = n + 1;
            end
    end

    // ---- port 1's hub: answers the copy with its tag -------------------------------------------------------------------
    reg        seen_q = 1'b0;    // the copy, whole
    reg [23:0] seen_tag_q;
    reg [1:0]  waits_q = 2'd0;   // cycles that it has waited
    reg [2:0]  partial_q = 3'd0; // flits of partials that were sent; 2: the second one is next
    reg [4:0]  partial_hand_q = 5'd0; // credits for responses
    wire       second_now = partial_q[1];
    wire       answer = started_q && !rst && seen_q && (partial_q[0] ||
        (partial_q != 3'd4 && (!second_now || second) && partial_hand_q >= 5'd2 &&
            waits_q == (second_now ? second_wait : partial_wait)));
    wire [7:0] off = second_now ? off_2 : off_1;
    reg [127:0] partial_header;
    always @* begin
        partial_header = 128'd0;
        partial_header[`MOEHUB_HEADER_TYPE_LSB +: 4]    = 4'd`MOEHUB_PACKET_PARTIAL;
        partial_header[`MOEHUB_HEADER_LENGTH_LSB +: 9]  = 9'd16;
        partial_header[`MOEHUB_HEADER_SOURCE_LSB +: 10] = 10'd1;
        partial_header[`MOEHUB_HEADER_TAG_LSB +: 24]    = seen_tag_q ^ {16'd0, off};
        partial_header[`MOEHUB_HEADER_ELEMENT_LSB]      = fp16;
        partial_header[`MOEHUB_HEADER_STAGE_LSB]        = 1'b1;
    end
    wire [127:0] partial = !partial_q[0] ? partial_header : {124'd0, second_now ? payload_2 : payload_1};

    // ---- places that the hubs give -------------------------------------------------------------------------------------
    // Port 1's for the copy, port 0's for the answer: one and three, at times of their own, around the cycle in which the packet
    // could leave. So there are places for a second copy, and for a second answer.
    localparam [6:0] COPY_SOON   = 7'd28;
    localparam [6:0] RESULT_SOON = 7'd58;
    wire copy_one     = !rst && now_q == COPY_SOON + {3'd0, copy_grant_1, 2'd0};
    wire copy_three   = !rst && now_q == COPY_SOON + 7'd1 + {3'd0, copy_grant_2, 2'd0};
    wire result_one   = !rst && now_q == RESULT_SOON + {3'd0, result_grant_1, 2'd0};
    wire result_three = !rst && now_q == RESULT_SOON + 7'd1 + {3'd0, result_grant_2, 2'd0};
    wire [2:0] copy_grant   = {1'b0, copy_three, copy_three || copy_one};
    wire [2:0] result_grant = {1'b0, result_three, result_three || result_one};

    // ---- the switch --------------------------------------------------------------------------------------------------
    wire         interrupt;
    wire [1:0]   credit_valid, out_valid, out_first, out_last;
    wire [3:0]   credit_class, out_class;
    wire [15:0]  credit_flits;
    wire [255:0] out_data;
    localparam [1:0] REQUEST  = `MOEHUB_CLASS_REQUEST;
    localparam [1:0] RESPONSE = `MOEHUB_CLASS_RESPONSE;
    moehub_switch_top #(
        .PORTS(2), .LOCAL_EXPERT_BITS(2), .MAX_TARGETS(4), .REQUEST_LINES(1), .GROUPS(1), .PLACES_STORE(14), .PLACES_REQUEST(5),
        .PLACES_RESPONSE(17), .COPIES(12), .SLOTS(2), .REQUEST_SLOTS(2), .NOTICES(4), .BOUND(2), .WITH_FP32(0),
        .GENERATION_WIDTH(1)
    ) u_top (
        .clk(clk), .rst(rst), .initialised(), .interrupt_request(interrupt), .link_up(2'b11), .in_flit_valid({answer, send}),
        .in_flit_first({!partial_q[0], request_q == 2'd0}), .in_flit_last({partial_q[0], last_flit}),
        .in_flit_class({RESPONSE, REQUEST}), .in_flit_data({partial, request_q == 2'd0 ? header : targets}),
        .in_credit_valid(credit_valid), .in_credit_class(credit_class), .in_credit_flits(credit_flits),
        .out_flit_valid(out_valid), .out_flit_first(out_first), .out_flit_last(out_last), .out_flit_class(out_class),
        .out_flit_data(out_data), .out_credit_valid({copy_grant != 3'd0, result_grant != 3'd0}),
        .out_credit_class({REQUEST, RESPONSE}), .out_credit_flits({5'd0, copy_grant, 5'd0, result_grant}),
        .s_axil_awvalid(1'b0), .s_axil_awready(), .s_axil_awaddr(20'd0), .s_axil_awprot(3'd0), .s_axil_wvalid(1'b0),
        .s_axil_wready(), .s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(20'd0), .s_axil_arprot(3'd0), .s_axil_rvalid(),
        .s_axil_rready(1'b0), .s_axil_rdata(), .s_axil_rresp()
    );

    // ---- what was sent, what leaves ----------------------------------------------------------------------------------
    wire [127:0] copy   = out_data[255:128];
    wire [127:0] result = out_data[127:0];
    reg        asked_q = 1'b0;     // the copy has begun to leave
    reg        copy_open_q = 1'b0;
    reg        summed_q = 1'b0;    // a right partial was sent, whole
    reg [3:0]  sum_q;              // its payload
    reg        answered_q = 1'b0;  // an answer has begun to leave
    reg        answer_open_q = 1'b0;
    reg [2:0]  copy_places_q = 3'd0;   // granted and not seen used
    reg [2:0]  result_places_q = 3'd0;
    wire       whole   = request_q == 2'd3;
    wire       refused = wrong == SOURCE || wrong == FRAME;

    reg [127:0] copy_header;
    reg [127:0] copy_targets;
    integer f, m;
    always @* begin
        copy_header  = 128'd0;
        copy_targets = 128'd0;
        m = 0;
        for (f = 0; f < 4; f = f + 1)
            if (ids[f]) begin
                copy_targets = copy_targets | ((4 + f) << (16 * m));
                if (count != 3'd4) copy_header = copy_header | (f << (104 + 8 * m));
                m = m + 1;
            end
        copy_header[`MOEHUB_HEADER_TYPE_LSB +: 4]      = 4'd`MOEHUB_PACKET_LD_REDUCE;
        copy_header[`MOEHUB_HEADER_LENGTH_LSB +: 9]    = 9'd1;
        copy_header[`MOEHUB_HEADER_TAG_LSB +: 24]      = 24'd0; // the first use of the only entry
        copy_header[`MOEHUB_HEADER_ELEMENT_LSB]        = fp16;
        copy_header[`MOEHUB_HEADER_OPERATION_LSB +: 2] = 2'd`MOEHUB_OPERATION_SUM;
        if (count == 3'd4) begin
            copy_header[`MOEHUB_HEADER_STAGE_LSB]             = 1'b1;
            copy_header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: 6] = 6'd4;
            copy_header[`MOEHUB_HEADER_ROUND_LSB]             = round;
        end else begin
            copy_header[`MOEHUB_HEADER_FORMAT_LSB +: 2]        = 2'd1;
            copy_header[`MOEHUB_COMPACT_STAGE_LSB]             = 1'b1;
            copy_header[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: 2] = count[1:0];
            copy_header[`MOEHUB_COMPACT_ROUND_LSB]             = round;
        end
    end

    // The sum as the stand-in of the lanes shows it: with the type.
    wire [4:0] leaves = {1'b0, 1'b0, fp16, sum_q[1:0]};
    reg [127:0] result_header;
    always @* begin
        result_header = 128'd0;
        result_header[`MOEHUB_HEADER_TYPE_LSB +: 4]   = 4'd`MOEHUB_PACKET_RESULT;
        result_header[`MOEHUB_HEADER_LENGTH_LSB +: 9] = refused ? 9'd0 : 9'd16;
        result_header[`MOEHUB_HEADER_TAG_LSB +: 4]    = tag;
        result_header[`MOEHUB_HEADER_STATUS_LSB +: 4] = refused ? 4'd`MOEHUB_STATUS_MALFORMED : 4'd`MOEHUB_STATUS_OK;
        result_header[`MOEHUB_HEADER_ELEMENT_LSB]     = fp16;
        result_header[`MOEHUB_HEADER_STAGE_LSB]       = 1'b1;
        result_header[`MOEHUB_HEADER_ROUND_LSB]       = round;
    end

    always @(posedge clk) begin
        if (credit_valid[0] && credit_class[1:0] == REQUEST) hand_q <= hand_q + credit_flits[2:0];
        if (credit_valid[1] && credit_class[3:2] == RESPONSE) partial_hand_q <= partial_hand_q + credit_flits[12:8];
        if (send) request_q <= last_flit ? 2'd3 : 2'd1;
        if (out_valid[1]) begin
            asked_q     <= 1'b1;
            copy_open_q <= !out_last[1];
            if (out_first[1]) seen_tag_q <= copy[`MOEHUB_HEADER_TAG_LSB +: 24];
            if (out_last[1]) seen_q <= 1'b1;
        end
        request_waits_q <= hand_q < 3'd2 ? 2'd0 : request_waits_q + 2'd1;
        waits_q <= !seen_q || answer ? 2'd0 : waits_q + 2'd1;
        if (answer) partial_q <= partial_q + 3'd1;
        if (answer && partial_q[0] && off == 8'd0 && !summed_q) begin
            summed_q <= 1'b1;
            sum_q    <= second_now ? payload_2 : payload_1;
        end
        if (out_valid[0]) begin
            answered_q    <= 1'b1;
            answer_open_q <= !out_last[0];
        end
        copy_places_q   <= copy_places_q + copy_grant - {2'd0, out_valid[1]};
        result_places_q <= result_places_q + result_grant - {2'd0, out_valid[0]};
        if (rst) begin
            hand_q          <= 3'd0;
            request_waits_q <= 2'd0;
            request_q       <= 2'd0;
            seen_q          <= 1'b0;
            waits_q         <= 2'd0;
            partial_q       <= 3'd0;
            partial_hand_q  <= 5'd0;
            asked_q         <= 1'b0;
            copy_open_q     <= 1'b0;
            summed_q        <= 1'b0;
            answered_q      <= 1'b0;
            answer_open_q   <= 1'b0;
            copy_places_q   <= 3'd0;
            result_places_q <= 3'd0;
        end
    end

    always @* begin
        asks_once:    assert (!started_q || !out_valid[1] || (out_class[3:2] == REQUEST && out_first[1] != copy_open_q &&
            (!out_first[1] || (whole && !asked_q))));
        just_its:     assert (!started_q || !out_valid[1] || (copy == (out_first[1] ? copy_header : copy_targets) &&
            out_last[1] == (!out_first[1] || count != 3'd4)));
        answers_once: assert (!started_q || !out_valid[0] || (out_class[1:0] == RESPONSE && out_first[0] != answer_open_q &&
            (!out_first[0] || (!answered_q && (wrong == GOOD ? summed_q : whole)))));
        right_sum:    assert (!started_q || !out_valid[0] ||
            (result == (out_first[0] ? result_header : {123'd0, leaves}) &&
                out_last[0] == (!out_first[0] || refused)));
        changes_nothing: assert (!started_q || ((!out_valid[1] || wrong == GOOD) &&
            (!out_valid[0] || refused || (wrong == GOOD && summed_q))));
        credits:      assert (!started_q || ((!out_valid[1] || copy_places_q != 3'd0) &&
            (!out_valid[0] || result_places_q != 3'd0)));
    end
    always @* begin
        asked_four: cover (started_q && out_valid[1] && out_last[1] && count == 3'd4);
        late_copy:  cover (started_q && out_valid[0] && out_last[0] && second && off_1 == 8'd0 && off_2 == 8'd0);
        summed:     cover (started_q && out_valid[0] && out_last[0] && wrong == GOOD && off_1 != 8'd0 && sum_q == 4'd3);
        refusal:    cover (started_q && out_valid[0] && out_last[0] && wrong == FRAME);
    end
endmodule
`default_nettype wire
