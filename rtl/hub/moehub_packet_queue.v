// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps the packets of one class that a hub's link receiver accepts, as a ring of flits (doc/hub/ingress.md section 1).
// Contract:
//   1. write_valid brings the flits of one packet after the other, only while `space`; write_first begins a packet. The first
//      packet's first flit has place 0, and each flit the place after the one before, modulo PLACES.
//   2. end_valid ends the packet: one cycle after its last flit or later, at the latest with the next write_first. Without
//      end_good the packet is gone: the next one begins where it did, and its places are free two cycles later.
//   3. ended_flits: of the packet that ends, with end_valid. packet_there: a register, whole packets were not taken. take:
//      one less in the next cycle.
//   4. read gives, one cycle later, the flit in a place.
//   5. free_valid: the oldest packet is gone, its flits are free two cycles later. It may come with the read of its last flit.
//   6. freed says how many places came free, two cycles later, a sum where both meet. free_places shows them in that cycle.
// How: who takes a packet knows from its header where the next one begins. So the ring has no names, chains or marks.
// Cost: one flit in, one out, one packet freed in every cycle. Last flit in c, end in c + 1, packets in c + 2. 128 PLACES memory
//   bits.
// Limits: only what was taken is freed; packets are freed in their order.
// Proved: formal/hub/formal_packet_queue.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_queue #(
    parameter PLACES = 2048 // 1..8191
) (
    input  wire                                     clk,
    input  wire                                     rst,
    output wire                                     space,
    input  wire                                     write_valid,
    input  wire                                     write_first,
    input  wire [127:0]                             write_data,
    input  wire                                     end_valid,
    input  wire                                     end_good,
    output wire [4:0]                               ended_flits,
    output wire                                     packet_there,
    input  wire                                     take,
    input  wire                                     read_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES) - 1:0] read_place,
    output wire [127:0]                             read_data,
    input  wire                                     free_valid,
    input  wire [4:0]                               free_flits,
    output wire                                     freed_valid,
    output wire [5:0]                               freed_flits,
    output wire [$clog2(PLACES + 1) - 1:0]          free_places
);
    generate
        if (PLACES < 1 || PLACES > 8191) PLACES_must_be_1_to_8191 u_rule ();
    endgenerate

    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam COUNT_WIDTH = $clog2(PLACES + 1);
    localparam [31:0] LAST = PLACES - 1;
    localparam [31:0] ALL  = PLACES;
    localparam [PLACE_WIDTH - 1:0] PLACE_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;

    // ---- the open packet ------------------------------------------------------------------------------------------------
    reg [PLACE_WIDTH - 1:0] next_q;  // where the next flit goes
    reg [PLACE_WIDTH - 1:0] start_q; // where the packet begun last began
    reg [4:0]               taken_q; // its flits

    wire                     rewind = end_valid && !end_good;
    wire [PLACE_WIDTH - 1:0] place  = rewind ? start_q : next_q;

    always @(posedge clk) begin
        if (write_valid) next_q <= place == LAST[PLACE_WIDTH - 1:0] ? {PLACE_WIDTH{1'b0}} : place + PLACE_ONE;
        else next_q <= place;
        if (write_valid && write_first) start_q <= place;
        if (write_valid) taken_q <= (write_first ? 5'd0 : taken_q) + 5'd1;
        if (rst) next_q <= {PLACE_WIDTH{1'b0}};
    end

    wire unused_parity;
    moehub_memory_1r1w #(.WIDTH(128), .DEPTH(PLACES), .PARITY(0)) u_data (
        .clk(clk), .write_enable(write_valid), .write_address(place), .write_data(write_data),
        .read_enable(read_valid && !rst), .read_address(read_place), .read_data(read_data), .parity_error(unused_parity)
    );

    // ---- counts ---------------------------------------------------------------------------------------------------------
    reg [COUNT_WIDTH - 1:0] packets_q; // whole ones that were not taken
    reg                     there_q;   // it is not 0
    reg [COUNT_WIDTH - 1:0] free_q;
    reg                     space_q;
    reg                     freed_valid_q;
    reg [5:0]               freed_flits_q;
    reg                     s1_frees_q; // what came free in the last cycle; to count it takes the next one
    reg [4:0]               s1_read_q;
    reg [4:0]               s1_rewound_q;

    wire                     keep  = end_valid && end_good;
    wire [5:0]               freed = {1'b0, s1_read_q} + {1'b0, s1_rewound_q};
    wire [COUNT_WIDTH + 5:0] sum   = {6'd0, free_q} + {{COUNT_WIDTH{1'b0}}, freed};
    wire [COUNT_WIDTH - 1:0] more  = sum[COUNT_WIDTH - 1:0];
    wire [COUNT_WIDTH - 1:0] free_d = write_valid ? more - COUNT_ONE : more;
    wire unused_carry = |sum[COUNT_WIDTH + 5:COUNT_WIDTH]; // never: no more are freed than were taken

    wire [COUNT_WIDTH - 1:0] packets_d = keep && !take ? packets_q + COUNT_ONE :
        take && !keep ? packets_q - COUNT_ONE : packets_q;

    assign ended_flits = taken_q;
    assign packet_there = there_q;
    assign space       = space_q;
    assign freed_valid = freed_valid_q;
    assign freed_flits = freed_flits_q;
    assign free_places = free_q;

    always @(posedge clk) begin
        packets_q     <= packets_d;
        there_q       <= packets_d != {COUNT_WIDTH{1'b0}};
        free_q        <= free_d;
        space_q       <= free_d != {COUNT_WIDTH{1'b0}};
        s1_frees_q    <= free_valid || rewind;
        s1_read_q     <= free_valid ? free_flits : 5'd0;
        s1_rewound_q  <= rewind ? taken_q : 5'd0;
        freed_valid_q <= s1_frees_q;
        freed_flits_q <= freed;
        if (rst) begin
            packets_q     <= {COUNT_WIDTH{1'b0}};
            there_q       <= 1'b0;
            free_q        <= ALL[COUNT_WIDTH - 1:0];
            space_q       <= 1'b1;
            s1_frees_q    <= 1'b0;
            s1_read_q     <= 5'd0;
            s1_rewound_q  <= 5'd0;
            freed_valid_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
