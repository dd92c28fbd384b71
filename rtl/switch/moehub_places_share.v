// SPDX-License-Identifier: Apache-2.0
// Purpose: lets two users find and free packets of one moehub_packet_store: a crossbar, which never waits, and a request unit.
// Contract:
//   1. The crossbar's find and free reach the store in the same cycle. The other's are streams: ready in cycles in which the
//      crossbar does not ask.
//   2. What the crossbar found is on crossbar_found from the cycle after its find to its next find, whatever the other one finds.
//      What the other one found is on found in the cycle after its find was taken.
// How: the crossbar's finding is kept in a register when another one may take its place in the store's output.
// Cost: FOUND_WIDTH + 1 flops.
// Limits: combinational from every input to an output: it stands between registers of the crossbar and memories of the store.
// Proved: formal/switch/formal_places_share.v
`default_nettype none

module moehub_places_share #(
    parameter NAME_WIDTH  = 8,  // 1..
    parameter FREE_WIDTH  = 23, // 1.., beside the name: head, last, flits
    parameter FOUND_WIDTH = 60  // 1.., what a find gives
) (
    input  wire                     clk,
    input  wire                     rst,

    input  wire                     crossbar_find_valid,
    input  wire [NAME_WIDTH - 1:0]  crossbar_find_name,
    output wire [FOUND_WIDTH - 1:0] crossbar_found,
    input  wire                     crossbar_free_valid,
    input  wire [NAME_WIDTH - 1:0]  crossbar_free_name,
    input  wire [FREE_WIDTH - 1:0]  crossbar_free_packet,

    input  wire                     find_valid,
    output wire                     find_ready,
    input  wire [NAME_WIDTH - 1:0]  find_name,
    output wire [FOUND_WIDTH - 1:0] found,
    input  wire                     free_valid,
    output wire                     free_ready,
    input  wire [NAME_WIDTH - 1:0]  free_name,
    input  wire [FREE_WIDTH - 1:0]  free_packet,

    output wire                     store_find_valid,
    output wire [NAME_WIDTH - 1:0]  store_find_name,
    input  wire [FOUND_WIDTH - 1:0] store_found,
    output wire                     store_free_valid,
    output wire [NAME_WIDTH - 1:0]  store_free_name,
    output wire [FREE_WIDTH - 1:0]  store_free_packet
);
    generate
        if (NAME_WIDTH < 1) NAME_WIDTH_must_be_at_least_1 u_rule ();
        if (FREE_WIDTH < 1) FREE_WIDTH_must_be_at_least_1 u_rule ();
        if (FOUND_WIDTH < 1) FOUND_WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    reg                     crossbars_q; // what the store shows is what the crossbar found in the last cycle
    reg [FOUND_WIDTH - 1:0] crossbar_found_q;

    assign find_ready        = !crossbar_find_valid;
    assign store_find_valid  = crossbar_find_valid || find_valid;
    assign store_find_name   = crossbar_find_valid ? crossbar_find_name : find_name;
    assign found             = store_found;
    assign crossbar_found    = crossbars_q ? store_found : crossbar_found_q;

    assign free_ready        = !crossbar_free_valid;
    assign store_free_valid  = crossbar_free_valid || free_valid;
    assign store_free_name   = crossbar_free_valid ? crossbar_free_name : free_name;
    assign store_free_packet = crossbar_free_valid ? crossbar_free_packet : free_packet;

    always @(posedge clk) begin
        crossbars_q <= crossbar_find_valid;
        if (crossbars_q) crossbar_found_q <= store_found;
        if (rst) crossbars_q <= 1'b0;
    end
endmodule

`default_nettype wire
