// SPDX-License-Identifier: Apache-2.0
// Purpose: lets two users find and free packets of one moehub_packet_store: a crossbar, which never waits, and a request unit.
// Contract:
//   1. The crossbar's find and free reach the store in the same cycle. The other's are streams: ready in cycles in which the
//      crossbar does not ask.
//   2. What either one found is on the store's output in the cycle after its find reached it, until somebody finds again.
// Cost: no flops.
// Limits: combinational from every input to an output: it stands between registers of the crossbar and memories of the store.
// Proved: formal/switch/formal_places_share.v
`default_nettype none

module moehub_places_share #(
    parameter NAME_WIDTH = 8,  // 1..
    parameter FREE_WIDTH = 23  // 1.., beside the name: head, last, flits
) (
    input  wire                    crossbar_find_valid,
    input  wire [NAME_WIDTH - 1:0] crossbar_find_name,
    input  wire                    crossbar_free_valid,
    input  wire [NAME_WIDTH - 1:0] crossbar_free_name,
    input  wire [FREE_WIDTH - 1:0] crossbar_free_packet,

    input  wire                    find_valid,
    output wire                    find_ready,
    input  wire [NAME_WIDTH - 1:0] find_name,
    input  wire                    free_valid,
    output wire                    free_ready,
    input  wire [NAME_WIDTH - 1:0] free_name,
    input  wire [FREE_WIDTH - 1:0] free_packet,

    output wire                    store_find_valid,
    output wire [NAME_WIDTH - 1:0] store_find_name,
    output wire                    store_free_valid,
    output wire [NAME_WIDTH - 1:0] store_free_name,
    output wire [FREE_WIDTH - 1:0] store_free_packet
);
    generate
        if (NAME_WIDTH < 1) NAME_WIDTH_must_be_at_least_1 u_rule ();
        if (FREE_WIDTH < 1) FREE_WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    assign find_ready        = !crossbar_find_valid;
    assign store_find_valid  = crossbar_find_valid || find_valid;
    assign store_find_name   = crossbar_find_valid ? crossbar_find_name : find_name;

    assign free_ready        = !crossbar_free_valid;
    assign store_free_valid  = crossbar_free_valid || free_valid;
    assign store_free_name   = crossbar_free_valid ? crossbar_free_name : free_name;
    assign store_free_packet = crossbar_free_valid ? crossbar_free_packet : free_packet;
endmodule

`default_nettype wire
