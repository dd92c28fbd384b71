// SPDX-License-Identifier: Apache-2.0
// Purpose: one plane of a switch with PORTS ports (doc/plane/switch.md): multicasts stores by target list, reserves, fans out and
//   sums reductions, passes closes and notifies.
// Contract:
//   1. Element p of each flat vector belongs to port p, which is GPU p. in_* arrives from the GPU's hub, out_* leaves for it; the
//      wires are those of doc/plane/link.md section 1, credits run against their flits.
//   2. initialised: all ports are. Registers: doc/plane/switch.md section 8.
//   3. interrupt_request is high while a register block has a status bit set whose mask bit is set, some cycles later.
//   4. All outputs are registers.
// How: wires alone.
// Cost: 13 cycles from the last flit of a packet to the first flit of its copy; storage: doc/plane/switch.md section 9.
// Limits: those of its parts.
`default_nettype none
`include "moehub_defines.vh"

module moehub_switch_top #(
    parameter PORTS             = 8,    // 2..64
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8 lines in a request
    parameter GROUPS            = 13,   // 1..4096 / REQUEST_LINES: of a port's reduction buffer
    parameter PLACES_STORE      = 2048, // 14..8191 flits
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter COPIES            = 1024, // 12..4096 records of the multicast crossbar
    parameter SLOTS             = 4,    // 2..16 copies of stores in an output's buffer
    parameter REQUEST_SLOTS     = 4,    // 2..16
    parameter NOTICES           = 16,   // 4..64 closes and notifies that wait for a link
    parameter BOUND             = 8,    // 2..64 packets of others that go first
    parameter WITH_FP32         = 1,    // 0, 1
    parameter GENERATION_WIDTH  = 8     // 1..8
) (
    input  wire clk,
    input  wire rst,
    output wire initialised,
    output wire interrupt_request,

    input  wire [PORTS - 1:0]                              link_up,
    input  wire [PORTS - 1:0]                              in_flit_valid,
    input  wire [PORTS - 1:0]                              in_flit_first,
    input  wire [PORTS - 1:0]                              in_flit_last,
    input  wire [PORTS * 2 - 1:0]                          in_flit_class,
    input  wire [PORTS * 128 - 1:0]                        in_flit_data,
    output wire [PORTS - 1:0]                              in_credit_valid,
    output wire [PORTS * 2 - 1:0]                          in_credit_class,
    output wire [PORTS * `MOEHUB_CREDIT_FLITS_WIDTH - 1:0] in_credit_flits,
    output wire [PORTS - 1:0]                              out_flit_valid,
    output wire [PORTS - 1:0]                              out_flit_first,
    output wire [PORTS - 1:0]                              out_flit_last,
    output wire [PORTS * 2 - 1:0]                          out_flit_class,
    output wire [PORTS * 128 - 1:0]                        out_flit_data,
    input  wire [PORTS - 1:0]                              out_credit_valid,
    input  wire [PORTS * 2 - 1:0]                          out_credit_class,
    input  wire [PORTS * `MOEHUB_CREDIT_FLITS_WIDTH - 1:0] out_credit_flits,

    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [19:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [19:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
        if (LOCAL_EXPERT_BITS < 0 || LOCAL_EXPERT_BITS > 8) LOCAL_EXPERT_BITS_must_be_0_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
        if (GROUPS < 1 || GROUPS * REQUEST_LINES > 4096) GROUPS_must_be_1_to_4096_over_REQUEST_LINES u_rule ();
        if (PLACES_STORE < 14 || PLACES_STORE > 8191) PLACES_STORE_must_be_14_to_8191 u_rule ();
        if (PLACES_REQUEST < 5 || PLACES_REQUEST > 8191) PLACES_REQUEST_must_be_5_to_8191 u_rule ();
        if (PLACES_RESPONSE < 17 || PLACES_RESPONSE > 8191) PLACES_RESPONSE_must_be_17_to_8191 u_rule ();
        if (COPIES < 12 || COPIES > 4096) COPIES_must_be_12_to_4096 u_rule ();
        if (SLOTS < 2 || SLOTS > 16) SLOTS_must_be_2_to_16 u_rule ();
        if (REQUEST_SLOTS < 2 || REQUEST_SLOTS > 16) REQUEST_SLOTS_must_be_2_to_16 u_rule ();
        if (NOTICES < 4 || NOTICES > 64) NOTICES_must_be_4_to_64 u_rule ();
        if (BOUND < 2 || BOUND > 64) BOUND_must_be_2_to_64 u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
        if (GENERATION_WIDTH < 1 || GENERATION_WIDTH > 8) GENERATION_WIDTH_must_be_1_to_8 u_rule ();
    endgenerate
endmodule

`default_nettype wire
