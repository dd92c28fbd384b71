// SPDX-License-Identifier: Apache-2.0
// Purpose: the other end of a link: takes flits, judges packets, puts them into the stores of the three classes, and grants the
//   places that come free (doc/plane/link.md).
// Contract:
//   1. A flit on the wires in cycle c is on write in c + 1. write_valid, end_valid, space, initialised and freed_valid have a
//      bit a class: store, request, response. write_first, write_targets and write_data go with them all.
//   2. The packet whose last flit that was ends in c + 2, if a flit of it took a place: end_good with the marks, or not good.
//      One that is cut short by the next first flit, or as link_up falls, ends one cycle after that.
//   3. causes: causes TYPE to PLACE (doc/packet.md section 5, doc/plane/link.md section 3), each high for one cycle an event;
//      packets: a packet of this class ended, well-formed or not; flit: a flit came. All count for c + 2.
//   4. error goes with the first of the causes of a cycle: of a flit before UNENDED before the packet's. error_header is the
//      packet's header, 0 for causes of a flit, and where no place took it.
//   5. Grants are registers. Each class starts from its free places when link_up and its store's initialised are both high.
// Cost: latency 1 to write, 2 to end; a flit a cycle.
// Limits: write_valid is combinational from space, which the store's register gives.
// Proved: formal/common/formal_link_receiver.v, formal_link.v, formal_link_ends.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_plane.vh"

module moehub_link_receiver #(
    parameter TOWARDS_HUB       = 0,  // 0: a switch receives, 1: a hub
    parameter LOOP_BACK         = 0,  // 0, 1: a hub receives what it sends to itself (doc/hub/ingress.md section 1)
    parameter PORTS             = 8,  // 2..64; towards a hub ..1024: GPUs
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8   // 1, 2, 4, 8 lines in a request
) (
    input  wire                                                         clk,
    input  wire                                                         rst,
    input  wire [9:0]                                                   own, // the port's number, or the hub's GPU
    input  wire                                                         link_up,
    input  wire                                                         flit_valid,
    input  wire [1:0]                                                   flit_class,
    input  wire                                                         flit_first,
    input  wire                                                         flit_last,
    input  wire [127:0]                                                 flit_data,
    output wire                                                         credit_valid,
    output wire [1:0]                                                   credit_class,
    output wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0]                      credit_flits,
    input  wire [`MOEHUB_CLASSES - 1:0]                                 initialised,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0]         free_places,
    input  wire [`MOEHUB_CLASSES - 1:0]                                 freed_valid,
    input  wire [`MOEHUB_CLASSES * 6 - 1:0]                             freed_flits,
    input  wire [`MOEHUB_CLASSES - 1:0]                                 space,
    output wire [`MOEHUB_CLASSES - 1:0]                                 write_valid,
    output wire                                                         write_first,
    output wire [2:0]                                                   write_targets,
    output wire [127:0]                                                 write_data,
    output wire [`MOEHUB_CLASSES - 1:0]                                 end_valid,
    output wire                                                         end_good,
    output wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                        end_mark_store,
    output wire [`MOEHUB_REQUEST_MARK_WIDTH(TOWARDS_HUB, PORTS) - 1:0]  end_mark_request,
    output wire [`MOEHUB_RESPONSE_MARK_WIDTH(PORTS) - 1:0]              end_mark_response,
    output wire [`MOEHUB_LINK_CAUSE_PLACE:0]                            causes,
    output wire [`MOEHUB_CLASSES - 1:0]                                 packets,
    output wire                                                         flit,
    output wire                                                         error_valid,
    output wire [3:0]                                                   error_cause,
    output wire [127:0]                                                 error_header
);
    localparam CLASSES = `MOEHUB_CLASSES;

    // ---- stage 0, the wires: which packet a flit belongs to ---------------------------------------------------------
    reg       open_q; // a packet has begun, and neither ended nor was cut short
    reg [1:0] open_class_q; // of the packet begun last

    wire comes     = flit_valid && link_up;
    wire bad_class = comes && (flit_class == 2'd3 || (!flit_first && open_q && flit_class != open_class_q));
    wire outside   = comes && !bad_class && !flit_first && !open_q;
    wire accept    = comes && !bad_class && !outside;
    wire unended   = accept && flit_first && open_q;
    wire cut       = unended || (open_q && !link_up); // the open packet ends without its last flit

    reg       s1_valid_q;
    reg       s1_first_q;
    reg       s1_last_q;
    reg       s1_comes_q;
    reg       s1_bad_class_q;
    reg       s1_outside_q;
    reg       s1_breaks_q; // a flit of a bad class came inside of the open packet

    always @(posedge clk) begin
        if (accept) open_q <= !flit_last;
        else if (!link_up) open_q <= 1'b0;
        if (accept) open_class_q <= flit_class;
        s1_valid_q     <= accept;
        s1_first_q     <= flit_first;
        s1_last_q      <= flit_last;
        s1_comes_q     <= comes;
        s1_bad_class_q <= bad_class;
        s1_outside_q   <= outside;
        s1_breaks_q    <= bad_class && open_q;
        if (rst) begin
            open_q         <= 1'b0;
            s1_valid_q     <= 1'b0;
            s1_comes_q     <= 1'b0;
            s1_bad_class_q <= 1'b0;
            s1_outside_q   <= 1'b0;
            s1_breaks_q    <= 1'b0;
        end
    end

    // ---- stage 1: it takes a place, or none -------------------------------------------------------------------------
    wire [CLASSES - 1:0] s1_class; // one hot: of the packet begun last
    assign s1_class[`MOEHUB_CLASS_STORE]    = open_class_q == 2'd`MOEHUB_CLASS_STORE;
    assign s1_class[`MOEHUB_CLASS_REQUEST]  = open_class_q == 2'd`MOEHUB_CLASS_REQUEST;
    assign s1_class[`MOEHUB_CLASS_RESPONSE] = open_class_q == 2'd`MOEHUB_CLASS_RESPONSE;

    wire [4:0] taken; // by its packet, before this flit
    wire [4:0] longest = s1_class[`MOEHUB_CLASS_STORE] ? 5'd`MOEHUB_STORE_LONGEST :
        s1_class[`MOEHUB_CLASS_REQUEST] ? 5'd`MOEHUB_REQUEST_LONGEST : 5'd`MOEHUB_RESPONSE_LONGEST;
    wire       begins  = s1_first_q || taken == 5'd0; // nothing of its packet has taken a place
    wire       fits    = begins || taken != longest;
    wire       no_room = (s1_class & space) == {CLASSES{1'b0}};
    wire       take    = s1_valid_q && fits && !no_room;
    wire       finish  = (s1_valid_q && s1_last_q) || cut;

    assign write_valid = {CLASSES{s1_valid_q && fits}} & s1_class & space;
    assign write_first = begins;

    // ---- stage 2: a packet's end, and what happened -----------------------------------------------------------------
    reg                 end_q;
    reg [CLASSES - 1:0] end_class_q;
    reg                 flit_q;
    reg                 bad_class_q;
    reg                 outside_q;
    reg                 place_q;
    reg                 unended_q;

    always @(posedge clk) begin
        end_q       <= finish && (take || (!(s1_valid_q && s1_first_q) && taken != 5'd0));
        end_class_q <= s1_class;
        flit_q      <= s1_comes_q;
        bad_class_q <= s1_bad_class_q;
        outside_q   <= s1_outside_q;
        place_q     <= s1_valid_q && no_room;
        unended_q   <= unended;
        if (rst) begin
            end_q       <= 1'b0;
            flit_q      <= 1'b0;
            bad_class_q <= 1'b0;
            outside_q   <= 1'b0;
            place_q     <= 1'b0;
            unended_q   <= 1'b0;
        end
    end

    wire         verdict_valid;
    wire         verdict_malformed;
    wire [3:0]   verdict_cause;
    wire [127:0] verdict_header;

    moehub_packet_check #(
        .TOWARDS_HUB(TOWARDS_HUB), .LOOP_BACK(LOOP_BACK), .PORTS(PORTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES)
    ) u_check (
        .clk(clk), .rst(rst), .own(own), .wire_data(flit_data), .wire_class(flit_class),
        .flit_first(s1_valid_q && s1_first_q), .take(take), .broken((s1_valid_q && !take) || s1_breaks_q || cut), .finish(finish),
        .flit_data(write_data), .targets(write_targets), .taken(taken), .verdict_valid(verdict_valid), .verdict_keep(end_good),
        .verdict_malformed(verdict_malformed), .verdict_cause(verdict_cause), .verdict_header(verdict_header),
        .mark_store(end_mark_store), .mark_request(end_mark_request), .mark_response(end_mark_response)
    );

    assign end_valid = {CLASSES{end_q}} & end_class_q;
    assign packets   = {CLASSES{verdict_valid}} & end_class_q;
    assign flit      = flit_q;

    genvar i;
    generate
        for (i = 0; i < `MOEHUB_PACKET_CAUSES; i = i + 1) begin : g_cause
            localparam [31:0] CAUSE = i;
            assign causes[i] = verdict_valid && verdict_malformed && verdict_cause == CAUSE[3:0];
        end
    endgenerate
    assign causes[`MOEHUB_LINK_CAUSE_BAD_CLASS] = bad_class_q;
    assign causes[`MOEHUB_LINK_CAUSE_OUTSIDE]   = outside_q;
    assign causes[`MOEHUB_LINK_CAUSE_UNENDED]   = unended_q;
    assign causes[`MOEHUB_LINK_CAUSE_PLACE]     = place_q;

    wire of_a_flit = bad_class_q || outside_q || place_q;
    assign error_valid  = of_a_flit || unended_q || (verdict_valid && verdict_malformed);
    assign error_cause  = bad_class_q ? 4'd`MOEHUB_LINK_CAUSE_BAD_CLASS : outside_q ? 4'd`MOEHUB_LINK_CAUSE_OUTSIDE :
        place_q ? 4'd`MOEHUB_LINK_CAUSE_PLACE : unended_q ? 4'd`MOEHUB_LINK_CAUSE_UNENDED : verdict_cause;
    assign error_header = of_a_flit ? 128'd0 : verdict_header;

    // ---- credits ----------------------------------------------------------------------------------------------------
    moehub_credit_grants u_grants (
        .clk(clk), .rst(rst), .link_up(link_up), .initialised(initialised), .free_places(free_places),
        .freed_valid(freed_valid), .freed_flits(freed_flits),
        .credit_valid(credit_valid), .credit_class(credit_class), .credit_flits(credit_flits)
    );
endmodule

`default_nettype wire
