// SPDX-License-Identifier: Apache-2.0
// moehub_packet_check: the verdict on a packet, and its mark, are those of doc/packet.md section 5, computed here at the packet's
// end from all its flits at once. What the header's causes are is formal_header_check's business: the same module judges it here.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"
module formal_packet_check #(
    parameter TOWARDS_HUB       = 0,
    parameter PORTS             = 5,
    parameter LOCAL_EXPERT_BITS = 1,
    parameter MAX_TARGETS       = 13
) (
    input wire         clk,
    input wire         rst,
    input wire [9:0]   own_port,
    input wire [127:0] wire_data,
    input wire [1:0]   wire_class,
    input wire         flit_first,
    input wire         take,
    input wire         broken,
    input wire         finish
);
`include "formal_reset.vh"
    localparam IDS       = 16; // of the two target flits that are looked at
    localparam SET_WIDTH = `MOEHUB_PORTS_SET_WIDTH(TOWARDS_HUB, PORTS);

    reg  [9:0]   own_q;
    wire [9:0]   own = started_q ? own_q : own_port; // any, the same for ever
    wire [127:0] flit_data;
    wire [2:0]   targets;
    wire [4:0]   taken;
    wire         verdict_valid;
    wire         verdict_keep;
    wire         verdict_malformed;
    wire [3:0]   verdict_cause;
    wire [127:0] verdict_header;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                       mark_store;
    wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0] mark_request;
    wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0]             mark_response;

    moehub_packet_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(2)
    ) u_check (
        .clk(clk), .rst(rst), .own(own), .wire_data(wire_data), .wire_class(wire_class), .flit_first(flit_first), .take(take),
        .broken(broken), .finish(finish), .flit_data(flit_data), .targets(targets), .taken(taken), .verdict_valid(verdict_valid),
        .verdict_keep(verdict_keep), .verdict_malformed(verdict_malformed), .verdict_cause(verdict_cause),
        .verdict_header(verdict_header), .mark_store(mark_store), .mark_request(mark_request), .mark_response(mark_response)
    );

    // ---- a receiver -------------------------------------------------------------------------------------------------
    reg         open_q = 1'b0;
    reg         headless_q;
    reg         broken_q;
    reg         ended_q = 1'b0;
    reg [4:0]   count_q; // flits that took a place
    reg [127:0] header_q;
    reg [127:0] first_q; // target flits
    reg [127:0] second_q;
    reg [127:0] data_q;
    reg [1:0]   class_q;
    reg [1:0]   its_class_q;
    wire        inside = open_q || flit_first;
    always @* begin
        assume (!flit_first || !open_q);
        assume (inside || !(take || broken || finish));
        assume (!rst || !(flit_first || take || broken || finish));
        assume (!take || flit_first || count_q < 5'd17);
    end
    always @(posedge clk) begin
        own_q   <= own;
        data_q  <= wire_data;
        class_q <= wire_class;
        open_q  <= inside && !finish && !rst;
        ended_q <= finish && !rst;
        if (flit_first) begin
            headless_q  <= !take;
            broken_q    <= broken;
            count_q     <= {4'd0, take};
            header_q    <= take ? data_q : 128'd0;
            its_class_q <= class_q;
        end else begin
            broken_q <= broken_q || broken;
            if (take) begin
                count_q <= count_q + 5'd1;
                if (count_q == 5'd1) first_q <= data_q;
                if (count_q == 5'd2) second_q <= data_q;
            end
        end
    end

    // ---- the packet that has ended, as a whole ----------------------------------------------------------------------
    wire       malformed;
    wire [3:0] cause;
    wire [4:0] flits;
    wire [2:0] target_flits;
    wire [5:0] ids;
    moehub_header_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(2)
    ) u_reference (
        .header(header_q), .flit_class(its_class_q), .own(own), .malformed(malformed), .cause(cause), .flits(flits),
        .target_flits(target_flits), .targets(ids)
    );

    reg               wrong;
    reg [5:0]         copies;
    reg [PORTS - 1:0] ports;
    reg [15:0]        id;
    reg [15:0]        below;
    reg [15:0]        gpu;
    integer           i;
    always @* begin
        wrong  = 1'b0;
        copies = target_flits == 3'd0 ? 6'd1 : 6'd0;
        ports  = {PORTS{1'b0}};
        below  = 16'd0;
        for (i = 0; i < IDS; i = i + 1) begin
            id  = i < 8 ? first_q[16 * (i % 8) +: 16] : second_q[16 * (i % 8) +: 16];
            gpu = id >> LOCAL_EXPERT_BITS;
            if (i / 8 < target_flits && i / 8 + 1 < count_q) begin // it came
                if (i >= ids) wrong = wrong || id != 16'd0;
                else begin
                    if (i > 0 && id <= below) wrong = 1'b1;
                    if (TOWARDS_HUB == 1 ? gpu != own : gpu >= PORTS || gpu == own) wrong = 1'b1;
                    if (i == 0 || gpu != below >> LOCAL_EXPERT_BITS) copies = copies + 6'd1;
                    if (TOWARDS_HUB == 0 && gpu < PORTS) ports[gpu] = 1'b1;
                end
            end
            below = id;
        end
    end
    wire       request  = header_q[3:0] == 4'd`MOEHUB_PACKET_LD_REDUCE;
    wire       bad      = headless_q || malformed || wrong || broken_q || count_q != flits;
    wire [3:0] expected = headless_q ? 4'd8 : malformed ? cause : wrong ? 4'd7 : 4'd8;
    wire       refused  = bad && !headless_q && request && expected >= 4'd4 && TOWARDS_HUB == 0;
    wire       compact  = header_q[5:4] == 2'd1;

    always @* begin
        in_time:      assert (!started_q || reset_q || verdict_valid == ended_q);
        right_cause:  assert (!ended_q || (verdict_malformed == bad && (!bad || verdict_cause == expected)));
        answered:     assert (!ended_q || verdict_keep == (!bad || refused));
        header_kept:  assert (!ended_q || verdict_header == header_q);
        right_copies: assert (!ended_q || bad || its_class_q == 2'd2 || mark_store == {copies, ids});
        right_ports:  assert (!ended_q || bad || !request || mark_request[56 +: SET_WIDTH] == (TOWARDS_HUB == 1 ? 0 : ports));
        right_fields: assert (!ended_q || !(request && verdict_keep) || mark_request[55:12] ==
            {header_q[18:10], header_q[9], header_q[61:60], compact ? header_q[74:71] : header_q[122:119], header_q[31:29],
             header_q[55:32], refused});
        right_port:   assert (!ended_q || bad || its_class_q != 2'd2 ||
            mark_response == {header_q[64 +: `MOEHUB_INDEX_WIDTH(PORTS)], header_q[3:0] == 4'd`MOEHUB_PACKET_PARTIAL});
        counted:      assert (!open_q || taken == count_q);
        tells_first:  assert (!started_q || flit_data == data_q);
    end
    always @* begin
        two_flits_good: cover (ended_q && !bad && target_flits == 3'd2 && copies == 6'd4);
        wrong_second:   cover (ended_q && !malformed && !headless_q && wrong && ids == 6'd9 && count_q == flits);
        refused_short:  cover (ended_q && refused && expected == 4'd8);
        copy_good:      cover (ended_q && !bad && compact && request);
        no_header:      cover (ended_q && headless_q && count_q != 5'd0);
        partial_good:   cover (ended_q && !bad && header_q[3:0] == 4'd`MOEHUB_PACKET_PARTIAL);
    end
endmodule
`default_nettype wire
