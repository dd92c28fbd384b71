// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of the control window (doc/hub/hub.md section 7) around moehub_csr_bank.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_hub_control_csr #(
    parameter LINKS             = 1,    // 1..4
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter LOCAL_EXPERTS     = 64,   // 1..256
    parameter MAX_TARGETS       = 32,   // 1..32
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8
    parameter ROW_INDEX_WIDTH   = 20,   // 1..32
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter OFFSET_WIDTH      = 14,   // 7..16
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter PLACES_STORE      = 2048, // 14..8191
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter LOOP_PLACES       = 64,   // 17..8191
    parameter LOOP_SHARE        = 4,    // 1, 2, 4, 8
    parameter LANE_BYTES        = 16,   // 16, 32
    parameter TILES             = 1024, // 1..65536
    parameter TOKENS            = 4096, // 1..65536
    parameter ROWS              = 32,   // 1..64
    parameter LINES             = 448,  // 1..4096
    parameter STORE_BYTES       = 32,   // 16, 32, 64, 128
    parameter FINAL_GROUPS      = 13,   // 1..4096 / REQUEST_LINES
    parameter WITH_FP32         = 1     // 0, 1
) (
    input  wire                                    clk,
    input  wire                                    rst,

    input  wire                                    s_axil_awvalid,
    output wire                                    s_axil_awready,
    input  wire [11:0]                             s_axil_awaddr,
    input  wire [2:0]                              s_axil_awprot,
    input  wire                                    s_axil_wvalid,
    output wire                                    s_axil_wready,
    input  wire [31:0]                             s_axil_wdata,
    input  wire [3:0]                              s_axil_wstrb,
    output wire                                    s_axil_bvalid,
    input  wire                                    s_axil_bready,
    output wire [1:0]                              s_axil_bresp,
    input  wire                                    s_axil_arvalid,
    output wire                                    s_axil_arready,
    input  wire [11:0]                             s_axil_araddr,
    input  wire [2:0]                              s_axil_arprot,
    output wire                                    s_axil_rvalid,
    input  wire                                    s_axil_rready,
    output wire [31:0]                             s_axil_rdata,
    output wire [1:0]                              s_axil_rresp,

    // ---- interrupt_request of every other window; a cycle later, or-ed with that of this one, the hub's
    input  wire                                    address_interrupt,        // window 1
    input  wire                                    tile_tracker_interrupt,   // window 2
    input  wire                                    packet_manager_interrupt, // window 3
    input  wire [LINKS:0]                          way_interrupts,           // windows 4 ..
    input  wire [LINKS - 1:0]                      final_reduce_interrupts,  // windows 9 ..
    output wire                                    interrupt_request,        // of the hub

    input  wire [9:0]                              own, // GPU
    output wire                                    command_valid,
    input  wire                                    command_ready,
    output wire [3:0]                              command_operation,
    output wire [7:0]                              command_context,
    output wire [15:0]                             command_index,
    output wire [63:0]                             command_data0,
    output wire [63:0]                             command_data1,
    input  wire                                    result_valid,
    output wire                                    result_ready,
    input  wire                                    result_refused,
    input  wire                                    result_in_flight,
    input  wire [63:0]                             result_data0,
    input  wire [63:0]                             result_data1,
    input  wire                                    initialised,
    input  wire [CONTEXTS - 1:0]                   enabled,
    input  wire [CONTEXTS - 1:0]                   has_failed,
    input  wire [CONTEXTS - 1:0]                   in_flight,
    input  wire [`MOEHUB_HUB_CONTROL_EVENTS - 1:0] events,
    input  wire                                    error_valid,
    input  wire [4:0]                              error_cause,
    input  wire [127:0]                            error_header,
    input  wire                                    became_failed,
    input  wire                                    became_arrived
);
endmodule

`default_nettype wire
