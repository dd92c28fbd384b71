// SPDX-License-Identifier: Apache-2.0
// Purpose: names a head of an input that others were served before for too long; its output keeps itself for it.
// Contract:
//   1. waits: outputs with a head; head o waits until begins[o]. Watches of WATCH cycles follow one another. A head that has
//      waited for a whole watch starves: after less than two watches.
//   2. hungry is a register: one of the outputs whose heads starve, or none. It stays until that head begins, or for a watch to
//      two; then the next one in turn follows.
// How: a head that waits at the first cycle of a watch is watched; if it still waits at that of the next one, it starves.
// Cost: 4 flops an output; nothing here is in the way of a choice.
// Proved: formal/switch/formal_hungry_head.v
`default_nettype none
`include "moehub_width.vh"

module moehub_hungry_head #(
    parameter PORTS = 8,   // 1..64
    parameter WATCH = 4096 // 2.. cycles
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [PORTS - 1:0] waits,
    input  wire [PORTS - 1:0] begins,
    output wire [PORTS - 1:0] hungry
);
    localparam CYCLE_WIDTH = `MOEHUB_INDEX_WIDTH(WATCH);
    localparam [31:0] WATCH_LAST = WATCH - 1;
    localparam [CYCLE_WIDTH - 1:0] ONE = 1;

    reg [CYCLE_WIDTH - 1:0] cycle_q;   // of the watch
    reg [PORTS - 1:0]       watched_q; // waits since the watch began
    reg [PORTS - 1:0]       starves_q;
    reg [PORTS - 1:0]       hungry_q;
    reg                     stayed_q;  // a watch has ended since hungry_q was chosen

    wire               next_watch = cycle_q == WATCH_LAST[CYCLE_WIDTH - 1:0];
    wire [PORTS - 1:0] on         = ~begins;
    wire               stays      = |(hungry_q & on) && !(next_watch && stayed_q);
    wire               unused_valid;
    wire [PORTS - 1:0] turn;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] unused_index;

    moehub_arbiter #(.PORTS(PORTS)) u_turn (
        .clk(clk), .rst(rst), .request(starves_q & ~hungry_q), .advance(!stays),
        .grant_valid(unused_valid), .grant(turn), .grant_index(unused_index)
    );

    always @(posedge clk) begin
        cycle_q   <= next_watch ? {CYCLE_WIDTH{1'b0}} : cycle_q + ONE;
        watched_q <= (next_watch ? waits : watched_q) & on;
        starves_q <= (starves_q | (watched_q & {PORTS{next_watch}})) & on;
        hungry_q  <= (stays ? hungry_q : turn) & on;
        stayed_q  <= stays && (stayed_q || next_watch);
        if (rst) begin
            cycle_q   <= {CYCLE_WIDTH{1'b0}};
            watched_q <= {PORTS{1'b0}};
            starves_q <= {PORTS{1'b0}};
            hungry_q  <= {PORTS{1'b0}};
            stayed_q  <= 1'b0;
        end
    end

    assign hungry = hungry_q;
endmodule

`default_nettype wire
