// SPDX-License-Identifier: Apache-2.0
// Purpose: one end of a link: sends packets, and keeps the credits that the other end grants.
// Contract:
//   1. packet is a stream of flits, of one packet after the other; it is always ready, but for reset and the cycle after. Each
//      flit is on the wires one cycle after it was taken.
//   2. start takes the credits of a packet, at most those in hand: `credits` of its class in the same cycle. It comes one cycle
//      after the packet's first flit, so that who offers need not know the credits early in a cycle.
//   3. credits holds 13 bits a class (store, request, response): none after reset and while link_up is low. A grant on the wires
//      in one cycle shows two cycles later: the wires end in a register. A grant that would pass 8191 leaves 8191, and
//      credit_overflow is high for one cycle.
//   4. While link_up is low nothing is sent; what is then left of a packet is taken and dropped, up to its last flit, even if
//      link_up rises before.
// Cost: latency 1; a flit a cycle.
// Limits: credits are not checked again: who offers compares them.
// Proved: formal/common/formal_link.v, formal_link_ends.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_link_sender (
    input  wire                                                  clk,
    input  wire                                                  rst,
    input  wire                                                  link_up,
    input  wire                                                  start_valid,
    input  wire [1:0]                                            start_class,
    input  wire [4:0]                                            start_flits,
    input  wire                                                  packet_valid,
    output wire                                                  packet_ready,
    input  wire [1:0]                                            packet_class,
    input  wire [127:0]                                          packet_data,
    input  wire                                                  packet_last,
    output wire                                                  flit_valid,
    output wire [1:0]                                            flit_class,
    output wire                                                  flit_first,
    output wire                                                  flit_last,
    output wire [127:0]                                          flit_data,
    input  wire                                                  credit_valid,
    input  wire [1:0]                                            credit_class,
    input  wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0]               credit_flits,
    output wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0]  credits,
    output wire                                                  credit_overflow
);
    localparam WIDTH   = `MOEHUB_CREDITS_WIDTH;
    localparam GRANT   = `MOEHUB_CREDIT_FLITS_WIDTH;
    localparam CLASSES = `MOEHUB_CLASSES;

    // ---- flits -----------------------------------------------------------------------------------------------------------
    reg         ready_q;
    reg         inside_q; // a packet's first flit has been taken, and its last one has not
    reg         dropping_q; // the link was down meanwhile
    reg         flit_valid_q;
    reg [1:0]   flit_class_q;
    reg         flit_first_q;
    reg         flit_last_q;
    reg [127:0] flit_data_q;

    assign packet_ready = ready_q;
    assign flit_valid   = flit_valid_q;
    assign flit_class   = flit_class_q;
    assign flit_first   = flit_first_q;
    assign flit_last    = flit_last_q;
    assign flit_data    = flit_data_q;

    wire taken    = packet_valid && ready_q;
    wire inside_d = taken ? !packet_last : inside_q;

    always @(posedge clk) begin
        ready_q      <= 1'b1;
        inside_q     <= inside_d;
        dropping_q   <= inside_d && (!link_up || dropping_q);
        flit_valid_q <= taken && link_up && !dropping_q;
        flit_class_q <= packet_class;
        flit_first_q <= !inside_q;
        flit_last_q  <= packet_last;
        flit_data_q  <= packet_data;
        if (rst) begin
            ready_q      <= 1'b0;
            inside_q     <= 1'b0;
            dropping_q   <= 1'b0;
            flit_valid_q <= 1'b0;
        end
    end

    // ---- credits ---------------------------------------------------------------------------------------------------------
    reg  [CLASSES - 1:0] granted_q; // the class of the grant that was on the wires
    reg  [GRANT - 1:0]   given_q;   // its flits
    wire [CLASSES - 1:0] overflows;
    assign credit_overflow = |overflows;

    always @(posedge clk) begin
        given_q <= credit_flits;
    end

    genvar c;
    generate
        for (c = 0; c < CLASSES; c = c + 1) begin : g_class
            reg [WIDTH - 1:0] count_q;
            reg               over_q; // the count has passed its end: it is that end

            wire [WIDTH - 1:0] now   = count_q | {WIDTH{over_q}};
            wire [4:0]         spent = start_valid && start_class == c ? start_flits : 5'd0;
            wire [GRANT - 1:0] given = given_q & {GRANT{granted_q[c]}};
            wire [WIDTH:0]     sum   = {1'b0, now} + {{(WIDTH + 1 - GRANT){1'b0}}, given} - {{(WIDTH - 4){1'b0}}, spent};

            assign credits[c * WIDTH +: WIDTH] = now;
            assign overflows[c]                = over_q;

            always @(posedge clk) begin
                granted_q[c] <= credit_valid && credit_class == c;
                count_q      <= sum[WIDTH - 1:0];
                over_q       <= sum[WIDTH];
                if (rst || !link_up) begin
                    granted_q[c] <= 1'b0;
                    count_q      <= {WIDTH{1'b0}};
                    over_q       <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
