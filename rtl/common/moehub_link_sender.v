// SPDX-License-Identifier: Apache-2.0
// Purpose: one end of a link: sends packets, and keeps the credits that the other end grants.
// Contract:
//   1. start takes the credits of a packet, at most those in hand: `credits` of its class in the same cycle. It comes one cycle
//      before the packet's first flit, or with it; the next start at the earliest with the packet's last flit.
//   2. packet is a stream of flits; it is always ready, but for reset and the cycle after. Each flit of a started packet is on
//      the wires one cycle after it was taken.
//   3. credits holds 13 bits a class (store, request, response): none after reset and while link_up is low; what is granted in
//      one cycle counts from the next. A grant that would pass 8191 leaves 8191, and credit_overflow is high for one cycle.
//   4. While link_up is low nothing is sent; what is then left of a packet that was started is taken and dropped, up to its last
//      flit, even if link_up rises before.
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
    localparam LOW   = `MOEHUB_CREDIT_FLITS_WIDTH;
    localparam HIGH  = WIDTH - LOW;

    // ---- flits -----------------------------------------------------------------------------------------------------------
    reg         ready_q;
    reg         begun_q; // a packet was started, and its last flit has not been taken
    reg         dropping_q; // the link went down under it
    reg         inside_q; // a flit of it has been taken
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

    wire taken = packet_valid && ready_q;
    wire ends  = taken && packet_last;
    // A last flit ends the packet that had begun; a start in its cycle is the next one's. Else both are one packet's.
    wire goes_on = begun_q && !ends;
    wire begun_d = begun_q ? !ends || start_valid : start_valid && !ends;

    always @(posedge clk) begin
        ready_q      <= 1'b1;
        begun_q      <= begun_d;
        dropping_q   <= begun_d && (!link_up || (goes_on && dropping_q));
        if (taken) inside_q <= !packet_last;
        flit_valid_q <= taken && link_up && !dropping_q;
        flit_class_q <= packet_class;
        flit_first_q <= !inside_q;
        flit_last_q  <= packet_last;
        flit_data_q  <= packet_data;
        if (rst) begin
            ready_q      <= 1'b0;
            begun_q      <= 1'b0;
            dropping_q   <= 1'b0;
            inside_q     <= 1'b0;
            flit_valid_q <= 1'b0;
        end
    end

    // ---- credits ---------------------------------------------------------------------------------------------------------
    wire [`MOEHUB_CLASSES - 1:0] overflows;
    reg                          credit_overflow_q;

    assign credit_overflow = credit_overflow_q;

    genvar c;
    generate
        for (c = 0; c < `MOEHUB_CLASSES; c = c + 1) begin : g_class
            reg [WIDTH - 1:0] credits_q;

            // A grant comes late in a cycle: what it makes is there before, and its class chooses. The bits above a grant's go up
            // or down by one.
            wire [LOW - 1:0]   low     = credits_q[LOW - 1:0];
            wire [HIGH - 1:0]  high    = credits_q[WIDTH - 1:LOW];
            wire [4:0]         spent   = start_valid && start_class == c ? start_flits : 5'd0;
            wire [LOW + 1:0]   kept    = {2'd0, low} - {{(LOW - 3){1'b0}}, spent};
            wire [LOW + 1:0]   sum     = {2'd0, low} + {2'd0, credit_flits} - {{(LOW - 3){1'b0}}, spent};
            wire               granted = credit_valid && credit_class == c;
            wire [LOW + 1:0]   chosen  = granted ? sum : kept;
            wire               full    = high == {HIGH{1'b1}};
            wire [HIGH - 1:0]  up      = full ? high : high + {{HIGH - 1{1'b0}}, 1'b1};
            wire [HIGH - 1:0]  down    = high - {{HIGH - 1{1'b0}}, 1'b1};
            wire               rises   = chosen[LOW] && !chosen[LOW + 1];

            assign credits[c * WIDTH +: WIDTH] = credits_q;
            assign overflows[c] = link_up && rises && full;

            always @(posedge clk) begin
                credits_q <= {chosen[LOW + 1] ? down : rises ? up : high, chosen[LOW - 1:0] | {LOW{rises && full}}};
                if (!link_up) credits_q <= {WIDTH{1'b0}};
                if (rst) credits_q <= {WIDTH{1'b0}};
            end
        end
    endgenerate

    always @(posedge clk) begin
        credit_overflow_q <= |overflows;
        if (rst) credit_overflow_q <= 1'b0;
    end
endmodule

`default_nettype wire
