// SPDX-License-Identifier: Apache-2.0
// The whole switch at its smallest, two ports, with stores alone: two packets of port 0 to port 1, good or malformed, each of
// a header, a target flit and a payload flit. Each good one leaves port 1 once, in order, with its ids and its payload; a
// malformed one leaves nowhere and is counted once; nothing leaves port 0, and nothing without credits. The links are up all the
// time; reduction buffers and registers are replaced (switch_stores.f).
`default_nettype none
`include "moehub_defines.vh"
module formal_switch_stores #(
    parameter BOTH = 0 // 1: port 0's hub has the same places, so that something could leave there
) (
    input wire clk,
    input wire rst,
    input wire sends,  // port 0's hub, if it has a flit to send
    input wire grants  // port 1's hub: places for one packet
);
`include "formal_one_reset.vh"
    localparam PACKETS = 2;

    // Of packet k: which of GPU 1's four experts it names, its payload; what is wrong with it.
    (* anyconst *) wire [4 * PACKETS - 1:0] ids_of;
    (* anyconst *) wire [4 * PACKETS - 1:0] payload_of;
    (* anyconst *) wire [2 * PACKETS - 1:0] wrong_of;
    localparam [1:0] GOOD   = 0;
    localparam [1:0] TYPE   = 1;
    localparam [1:0] SOURCE = 2;
    localparam [1:0] FRAME  = 3; // its last flit is missing
    always @* assume (ids_of[3:0] != 4'd0 && ids_of[7:4] != 4'd0);

    // ---- port 0's hub: sends while it has credits for the packet -----------------------------------------------------
    reg  [1:0] packet_q = 2'd0;
    reg  [1:0] flit_q = 2'd0;
    reg  [5:0] hand_q = 6'd0; // credits for stores
    wire       last_one = packet_q[0];
    wire [3:0] ids      = last_one ? ids_of[7:4] : ids_of[3:0];
    wire [3:0] payload  = last_one ? payload_of[7:4] : payload_of[3:0];
    wire [1:0] wrong    = last_one ? wrong_of[3:2] : wrong_of[1:0];
    wire [1:0] last_flit = wrong == FRAME ? 2'd1 : 2'd2;
    wire       send     = sends && started_q && !rst && packet_q != PACKETS && (flit_q != 2'd0 || hand_q >= 6'd3);
    wire [2:0] count    = ids[0] + ids[1] + ids[2] + ids[3];
    reg [127:0] header;
    reg [127:0] targets;
    integer e, n;
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: 4]          = wrong == TYPE ? 4'd6 : 4'd`MOEHUB_PACKET_MULTIMEM_STORE;
        header[`MOEHUB_HEADER_LENGTH_LSB +: 9]        = 9'd16;
        header[`MOEHUB_HEADER_SOURCE_LSB +: 10]       = wrong == SOURCE ? 10'd1 : 10'd0;
        header[`MOEHUB_HEADER_TAG_LSB]                = last_one;
        header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: 6]  = count;
        targets = 128'd0;
        n = 0;
        for (e = 0; e < 4; e = e + 1)
            if (ids[e]) begin
                targets = targets | ((4 + e) << (16 * n));
                n       = n + 1;
            end
    end
    wire [127:0] data = flit_q == 2'd0 ? header : flit_q == 2'd1 ? targets : {124'd0, payload};

    // ---- the switch --------------------------------------------------------------------------------------------------
    wire         interrupt;
    wire [1:0]   credit_valid, out_valid, out_first, out_last;
    wire [3:0]   credit_class, out_class;
    wire [15:0]  credit_flits;
    wire [255:0] out_data;
    moehub_switch_top #(
        .PORTS(2), .LOCAL_EXPERT_BITS(2), .MAX_TARGETS(4), .REQUEST_LINES(1), .GROUPS(1), .PLACES_STORE(14), .PLACES_REQUEST(5),
        .PLACES_RESPONSE(17), .COPIES(12), .SLOTS(2), .REQUEST_SLOTS(2), .NOTICES(4), .BOUND(2), .WITH_FP32(0),
        .GENERATION_WIDTH(1)
    ) u_top (
        .clk(clk), .rst(rst), .initialised(), .interrupt_request(interrupt), .link_up(2'b11), .in_flit_valid({1'b0, send}),
        .in_flit_first({1'b0, flit_q == 2'd0}), .in_flit_last({1'b0, flit_q == last_flit}), .in_flit_class(4'd0),
        .in_flit_data({128'd0, data}), .in_credit_valid(credit_valid), .in_credit_class(credit_class),
        .in_credit_flits(credit_flits), .out_flit_valid(out_valid), .out_flit_first(out_first), .out_flit_last(out_last),
        .out_flit_class(out_class), .out_flit_data(out_data), .out_credit_valid({grants, grants && BOTH != 0}),
        .out_credit_class(4'd0), .out_credit_flits({8'd3, BOTH != 0 ? 8'd3 : 8'd0}), .s_axil_awvalid(1'b0), .s_axil_awready(),
        .s_axil_awaddr(20'd0), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(32'd0), .s_axil_wstrb(4'd0), .s_axil_bvalid(),
        .s_axil_bready(1'b0), .s_axil_bresp(), .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(20'd0),
        .s_axil_arprot(3'd0), .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(), .s_axil_rresp()
    );

    // ---- what was sent, what leaves ----------------------------------------------------------------------------------
    wire [5:0] credited = credit_valid[0] && credit_class[1:0] == 2'd0 ? credit_flits[5:0] : 6'd0;
    reg [3:0] places_q = 4'd0;      // port 1's hub has granted and not seen used
    reg [2:0] granted_q = 3'd0;     // times
    reg       malformed_q = 1'b0;   // an odd number of malformed packets has been sent
    reg [2:0] since_q = 3'd7;       // cycles since the last one's end
    reg [1:0] here_q = 2'd0;        // good packets that have been sent whole and have not begun to leave: by number
    reg       open_q = 1'b0;        // one is leaving
    reg       its_q;
    reg [1:0] its_flit_q;
    wire [127:0] flit   = out_data[255:128];
    wire       now_its  = out_first[1] ? flit[`MOEHUB_HEADER_TAG_LSB] : its_q;
    wire [3:0] its_ids  = now_its ? ids_of[7:4] : ids_of[3:0];
    wire [3:0] its_payload = now_its ? payload_of[7:4] : payload_of[3:0];
    wire [2:0] its_count   = its_ids[0] + its_ids[1] + its_ids[2] + its_ids[3];
    reg [127:0] its_header;
    reg [127:0] its_targets;
    integer f, m;
    always @* begin
        its_header  = 128'd0;
        its_targets = 128'd0;
        m = 0;
        for (f = 0; f < 4; f = f + 1)
            if (its_ids[f]) begin
                its_targets = its_targets | ((4 + f) << (16 * m));
                if (its_count != 3'd4) its_header = its_header | (f << (104 + 8 * m));
                m = m + 1;
            end
        its_header[`MOEHUB_HEADER_TYPE_LSB +: 4]   = `MOEHUB_PACKET_MULTIMEM_STORE;
        its_header[`MOEHUB_HEADER_LENGTH_LSB +: 9] = 9'd16;
        its_header[`MOEHUB_HEADER_TAG_LSB]         = now_its;
        if (its_count == 3'd4) its_header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: 6] = 6'd4;
        else begin
            its_header[`MOEHUB_HEADER_FORMAT_LSB +: 2]         = 2'd1;
            its_header[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: 2] = its_count[1:0];
        end
    end
    wire [1:0] its_last = its_count == 3'd4 ? 2'd2 : 2'd1;
    wire       begins   = out_valid[1] && out_first[1];
    wire [127:0] its_data = out_first[1] ? its_header : its_flit_q == its_last ? {124'd0, its_payload} : its_targets;
    wire       ends     = send && flit_q == last_flit;
    always @(posedge clk) begin
        hand_q <= hand_q + credited - {5'd0, send};
        if (send) flit_q <= flit_q + 2'd1;
        if (ends) begin
            flit_q   <= 2'd0;
            packet_q <= packet_q + 2'd1;
            if (wrong == GOOD) here_q[last_one] <= 1'b1;
        end
        if (begins) here_q[now_its] <= 1'b0;
        malformed_q <= malformed_q ^ (ends && wrong != GOOD);
        since_q     <= ends && wrong != GOOD ? 3'd0 : since_q == 3'd7 ? 3'd7 : since_q + 3'd1;
        places_q    <= places_q + (grants ? 4'd3 : 4'd0) - {3'd0, out_valid[1]};
        if (grants) granted_q <= granted_q + 3'd1;
        if (out_valid[1]) begin
            open_q     <= !out_last[1];
            its_q      <= now_its;
            its_flit_q <= out_first[1] ? 2'd1 : its_flit_q + 2'd1;
        end
        if (rst) begin
            hand_q      <= 6'd0;
            flit_q      <= 2'd0;
            packet_q    <= 2'd0;
            here_q      <= 2'd0;
            malformed_q <= 1'b0;
            since_q     <= 3'd7;
            places_q    <= 4'd0;
            granted_q   <= 3'd0;
            open_q      <= 1'b0;
        end
    end
    always @* assume (!grants || (!rst && started_q && granted_q < 3'd4));

    always @* begin
        leaves_once: assert (!started_q || !out_valid[1] || (out_class[3:2] == 2'd0 && out_first[1] != open_q &&
            (!out_first[1] || (here_q[now_its] && !(now_its && here_q[0])))));
        just_its:    assert (!started_q || !out_valid[1] ||
            (flit == its_data && out_last[1] == (!out_first[1] && its_flit_q == its_last)));
        nowhere_else: assert (!started_q || !out_valid[0]);
        credits:     assert (!started_q || ((!out_valid[1] || places_q != 4'd0) && hand_q <= 6'd14));
        counted:     assert (!started_q || since_q < 3'd5 || interrupt == malformed_q);
    end
    always @* begin
        sent:        cover (started_q && ends);
        told:        cover (started_q && since_q == 3'd5 && malformed_q && wrong_of[1:0] == FRAME);
        begun:       cover (started_q && begins);
        left:        cover (started_q && out_valid[1] && out_last[1]);
        left_four:   cover (started_q && out_valid[1] && out_last[1] && its_count == 3'd4 && now_its && wrong_of[1:0] != GOOD);
    end
endmodule
`default_nettype wire
