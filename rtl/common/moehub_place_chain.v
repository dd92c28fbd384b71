// SPDX-License-Identifier: Apache-2.0
// Purpose: hands out places to the flits of one packet after the other, and takes back whole packets, in any order.
// Contract:
//   1. take_valid gives `place` away, only while `space`; take_first begins a packet. Places are taken by one packet at a time.
//   2. rewind gives all places of the packet begun last back, in one cycle; it may come with the next take_first.
//   3. splice gives the places of a packet back: its first place, its last, and how many there are.
//   4. follow_next is, one cycle after follow_valid, the place after follow_place in its packet; after the last: undefined.
//   5. freed says how many places came back in the cycle in which free_places shows them: one cycle after a rewind, two after a
//      splice.
//   6. start and taken are the first place of the packet begun last, and how many it has taken.
//   7. After reset `initialised` is low for PLACES cycles, in which free_places rises by one a cycle, and space is low.
// How: the free places are a chain in the memory `next`, which is kept twice, as it has two readers. What is taken from its head
//   is linked already, so taking writes nothing; a rewind puts the head back. A splice hangs a packet at the end: one write.
//   The chain's last place is never taken, so that tail_q always names a place of it: PLACES + 1 words. No read meets the write
//   of its own word: with no free place, next[tail] is written a cycle before the count shows what it leads to.
// Cost: a place out, a packet back by rewind and one by splice in every cycle; 2 * (PLACES + 1) * log2 (PLACES + 1) memory bits.
// Limits: place is combinational from rewind.
// Proved: formal/common/formal_packet_store.v
`default_nettype none
`include "moehub_width.vh"

module moehub_place_chain #(
    parameter PLACES = 2048 // 1..8191
) (
    input  wire                                         clk,
    input  wire                                         rst,
    output wire                                         initialised,
    output wire                                         space,
    input  wire                                         take_valid,
    input  wire                                         take_first,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] place,
    input  wire                                         rewind,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] start,
    output wire [4:0]                                   taken,
    input  wire                                         follow_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] follow_place,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] follow_next,
    input  wire                                         splice_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] splice_head,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] splice_last,
    input  wire [4:0]                                   splice_flits,
    output wire                                         freed_valid,
    output wire [5:0]                                   freed_flits,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] free_places
);
    generate
        if (PLACES < 1 || PLACES > 8191) PLACES_must_be_1_to_8191 u_rule ();
    endgenerate

    localparam WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam [31:0]        LAST = PLACES - 1;
    localparam [WIDTH - 1:0] NONE = 0;
    localparam [WIDTH - 1:0] ONE  = 1;

    reg               initialised_q;
    reg               space_q;
    reg               chain_q; // a place was taken in the last cycle: the head is on its way out of the memory
    reg [WIDTH - 1:0] head_q;
    reg [WIDTH - 1:0] start_q;
    reg [WIDTH - 1:0] tail_q; // while initialising: the place that is linked in this cycle
    reg [4:0]         taken_q;
    reg [WIDTH - 1:0] free_places_q;
    reg               splice_q;
    reg [WIDTH - 1:0] splice_head_q;
    reg [WIDTH - 1:0] splice_last_q;
    reg [4:0]         splice_flits_q;
    reg               freed_valid_q;
    reg [5:0]         freed_flits_q;

    wire [WIDTH - 1:0] next_rdata;
    wire [WIDTH - 1:0] after_tail = tail_q + ONE;

    assign place       = rewind ? start_q : chain_q ? next_rdata : head_q;
    assign initialised = initialised_q;
    assign space       = space_q;
    assign start       = start_q;
    assign taken       = taken_q;
    assign freed_valid = freed_valid_q;
    assign freed_flits = freed_flits_q;
    assign free_places = free_places_q;

    // What comes back. The count does not wait for its sum: a rewind is known late.
    wire [4:0]         rewound  = taken_q & {5{rewind}};
    wire [4:0]         spliced  = splice_flits_q & {5{splice_q}};
    wire [5:0]         back     = {1'b0, rewound} + {1'b0, spliced};
    wire [WIDTH - 1:0] rewound_places;
    wire [WIDTH - 1:0] spliced_places;
    generate
        if (WIDTH > 5) begin : g_long
            assign rewound_places = {{(WIDTH - 5){1'b0}}, rewound};
            assign spliced_places = {{(WIDTH - 5){1'b0}}, spliced};
        end else begin : g_short
            assign rewound_places = rewound[WIDTH - 1:0];
            assign spliced_places = spliced[WIDTH - 1:0];
        end
    endgenerate
    // While initialising a place comes into being each cycle, and nothing else happens.
    wire [WIDTH - 1:0] free_grown = free_places_q + spliced_places + {{(WIDTH - 1){1'b0}}, !initialised_q};
    wire [WIDTH - 1:0] free_d = free_grown + rewound_places - (take_valid ? ONE : NONE);
    // The same as free_d != 0, sooner: what comes back is a place at least.
    wire               space_d = rewind || splice_q || free_places_q != (take_valid ? ONE : NONE);

    always @(posedge clk) begin
        chain_q        <= take_valid;
        head_q         <= place;
        free_places_q  <= free_d;
        space_q        <= initialised_q && space_d;
        splice_q       <= splice_valid;
        splice_head_q  <= splice_head;
        splice_last_q  <= splice_last;
        splice_flits_q <= splice_flits;
        freed_valid_q  <= rewind || splice_q;
        freed_flits_q  <= back;
        if (take_valid) begin
            taken_q <= take_first ? 5'd1 : taken_q + 5'd1;
            if (take_first) start_q <= place;
        end
        if (!initialised_q) tail_q <= after_tail;
        else if (splice_q) tail_q <= splice_last_q;
        if (!initialised_q && tail_q == LAST[WIDTH - 1:0]) begin
            initialised_q <= 1'b1;
            space_q       <= 1'b1;
        end
        if (rst) begin
            initialised_q <= 1'b0;
            space_q       <= 1'b0;
            chain_q       <= 1'b0;
            head_q        <= NONE;
            tail_q        <= NONE;
            free_places_q <= NONE;
            splice_q      <= 1'b0;
            freed_valid_q <= 1'b0;
        end
    end

    wire [1:0]         unused_parity;
    wire               link_valid = splice_q || !initialised_q;
    wire [WIDTH - 1:0] link       = initialised_q ? splice_head_q : after_tail;

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(PLACES + 1), .PARITY(0)) u_next_writer (
        .clk(clk), .write_enable(link_valid), .write_address(tail_q), .write_data(link),
        .read_enable(take_valid && !rst), .read_address(place), .read_data(next_rdata), .parity_error(unused_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(PLACES + 1), .PARITY(0)) u_next_reader (
        .clk(clk), .write_enable(link_valid), .write_address(tail_q), .write_data(link),
        .read_enable(follow_valid && !rst), .read_address(follow_place), .read_data(follow_next), .parity_error(unused_parity[1])
    );
endmodule

`default_nettype wire
