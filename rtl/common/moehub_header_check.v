// SPDX-License-Identifier: Apache-2.0
// Purpose: judges a packet's header flit: what a receiver checks of it, and what it says about the packet.
// Contract:
//   1. malformed and cause: the first that applies of the causes TYPE to COUNT and, for a response and for FORMAT 1, TARGET
//      (doc/packet.md section 5). flit_class is the class in which the flit came; own is the port's number, or the hub's GPU.
//   2. flits (of the whole packet), target_flits and targets (ids) mean something only without a cause.
// Cost: combinational.
`default_nettype none
`include "moehub_defines.vh"

module moehub_header_check #(
    parameter TOWARDS_HUB       = 0,  // 0: a switch receives, 1: a hub
    parameter PORTS             = 8,  // 2..64; towards a hub ..1024: GPUs
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8   // 1, 2, 4, 8 lines in a request
) (
    input  wire [127:0] header,
    input  wire [1:0]   flit_class,
    input  wire [9:0]   own,
    output wire         malformed,
    output wire [3:0]   cause,
    output wire [4:0]   flits,
    output wire [2:0]   target_flits,
    output wire [5:0]   targets
);
    generate
        if (TOWARDS_HUB != 0 && TOWARDS_HUB != 1) TOWARDS_HUB_must_be_0_or_1 u_rule ();
        if (PORTS < 2 || PORTS > (TOWARDS_HUB == 1 ? 1024 : 64)) PORTS_must_be_2_to_64_or_towards_a_hub_to_1024 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
    endgenerate

    wire unused_inputs = ^{header, flit_class, own};
    assign malformed    = 1'b1;
    assign cause        = 4'd0;
    assign flits        = 5'd0;
    assign target_flits = 3'd0;
    assign targets      = 6'd0;
endmodule

`default_nettype wire
