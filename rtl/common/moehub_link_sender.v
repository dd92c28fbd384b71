// SPDX-License-Identifier: Apache-2.0
// Purpose: one end of a link: sends packets, and keeps the credits that the other end grants.
// Contract:
//   1. packet is a stream of flits, of one packet after the other; it is always ready, but for reset and the cycle after. Each
//      flit is on the wires one cycle after it was taken.
//   2. start takes the credits of a packet, at most those in hand: `credits` of its class in the same cycle. It comes one cycle
//      after the packet's first flit, so that who offers need not know the credits early in a cycle.
//   3. credits holds 13 bits a class (store, request, response): none after reset and while link_up is low; what is granted in
//      one cycle counts from the next. A grant that would pass 8191 leaves 8191, and credit_overflow is high for one cycle.
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
    localparam WIDTH = `MOEHUB_CREDITS_WIDTH;
    localparam LOWER = `MOEHUB_CREDIT_FLITS_WIDTH; // bits of a grant
    localparam UPPER = WIDTH - LOWER;
    localparam [UPPER - 1:0] UPPER_ONE = 1;

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
    wire [`MOEHUB_CLASSES - 1:0] overflows;
    assign credit_overflow = |overflows;

    genvar c;
    generate
        for (c = 0; c < `MOEHUB_CLASSES; c = c + 1) begin : g_class
            reg [WIDTH - 1:0] count_q;
            reg               over_q; // the count has passed its end: it is that end

            // A grant comes late in a cycle. So there is one sum, of the lower bits: how far it leaves them chooses among upper
            // bits that are there before, and a counter can pass its end only with all of these set.
            wire [WIDTH - 1:0] now     = count_q | {WIDTH{over_q}};
            wire [UPPER - 1:0] upper   = now[WIDTH - 1:LOWER];
            wire [LOWER - 1:0] lower   = now[LOWER - 1:0];
            wire [4:0]         spent   = start_valid && start_class == c ? start_flits : 5'd0;
            wire               granted = credit_valid && credit_class == c;
            wire [LOWER - 1:0] given   = credit_flits & {LOWER{granted}};
            wire [LOWER + 1:0] sum     = {2'd0, lower} + {2'd0, given} - {{(LOWER - 3){1'b0}}, spent};
            wire               above   = sum[LOWER + 1:LOWER] == 2'd1;
            wire               below   = sum[LOWER + 1];
            wire [LOWER - 1:0] lower_d = sum[LOWER - 1:0];

            assign credits[c * WIDTH +: WIDTH] = now;
            assign overflows[c]                = over_q;

            always @(posedge clk) begin
                count_q[LOWER - 1:0]     <= lower_d;
                count_q[WIDTH - 1:LOWER] <= above ? upper + UPPER_ONE : below ? upper - UPPER_ONE : upper;
                over_q                   <= above && &upper;
                if (rst || !link_up) begin
                    count_q <= {WIDTH{1'b0}};
                    over_q  <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
