// SPDX-License-Identifier: Apache-2.0
// Purpose: what the hub's blocks share about a context, and the commands of the control window that set it (doc/hub/hub.md
//   section 4).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_hub_contexts #(
    parameter LINKS           = 1,    // 1..4
    parameter GPUS            = 8,    // 2..64
    parameter CONTEXTS        = 4,    // 1..8
    parameter LOCAL_EXPERTS   = 64,   // 1..256
    parameter ROW_INDEX_WIDTH = 20,   // 1..32
    parameter SLOT_WIDTH      = 22,   // 1..31
    parameter ADDRESS_WIDTH   = 48,   // 32..64
    parameter TILES           = 1024, // 1..65536
    parameter TOKENS          = 4096  // 1..65536
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [9:0]                               own, // GPU

    // ---- commands, of the registers
    input  wire                                     command_valid,
    output wire                                     command_ready,
    input  wire [3:0]                               command_operation,
    input  wire [7:0]                               command_context,
    input  wire [15:0]                              command_index,
    input  wire [63:0]                              command_data0,
    input  wire [63:0]                              command_data1,
    output wire                                     result_valid,
    input  wire                                     result_ready,
    output wire                                     result_refused,
    output wire                                     result_in_flight,
    output wire [63:0]                              result_data0,
    output wire [63:0]                              result_data1,

    // ---- initialisation: each block's output `initialised`
    input  wire                                     address_initialised,
    input  wire                                     tile_tracker_initialised,
    input  wire                                     packet_manager_initialised,
    input  wire [LINKS - 1:0]                       final_reduce_initialised, // of each link
    output wire                                     initialised, // register: all of them; to the ways, and STATUS

    // ---- state of contexts, registers: names and widths of the blocks' ports
    output wire [CONTEXTS - 1:0]                    enabled,
    output wire [CONTEXTS - 1:0]                    closing,           // packet manager
    output wire [CONTEXTS - 1:0]                    has_arrived,       // ways, tile tracker
    output wire [CONTEXTS - 1:0]                    has_failed,        // tile tracker
    output wire [CONTEXTS * 4 - 1:0]                rounds,
    output wire [CONTEXTS * GPUS - 1:0]             peers,
    output wire [CONTEXTS * 5 - 1:0]                owner_shifts,
    output wire [CONTEXTS - 1:0]                    counts_tokens,     // tile tracker
    output wire [CONTEXTS * 16 - 1:0]               token_firsts,      // tile tracker
    output wire [CONTEXTS * ADDRESS_WIDTH - 1:0]    list_bases,        // ways, tile tracker
    output wire [CONTEXTS * 5 - 1:0]                list_shifts,       // ways, tile tracker
    output wire [CONTEXTS * 4 - 1:0]                tile_shifts,       // tile tracker, as all from here on
    output wire [CONTEXTS * 16 - 1:0]               tile_firsts,
    output wire [CONTEXTS * 17 - 1:0]               tile_counts,
    output wire [CONTEXTS * 8 - 1:0]                computed_blocks,
    output wire [CONTEXTS * 8 - 1:0]                finished_blocks,
    output wire [CONTEXTS * 32 - 1:0]               arrival_timeouts,
    output wire [CONTEXTS * 32 - 1:0]               token_timeouts,

    // ---- what the blocks tell of contexts
    input  wire [CONTEXTS - 1:0]                    address_enabled,             // address path: enabled
    input  wire [CONTEXTS - 1:0]                    closed,                      // packet manager: pulses, also to the tile tracker
    input  wire [CONTEXTS - 1:0]                    arrived,                     // tile tracker: pulses
    input  wire [CONTEXTS - 1:0]                    faults,                      // address path: pulses that flag
    input  wire [(LINKS + 1) * CONTEXTS - 1:0]      way_failed,                  // failed of each way: pulses that flag
    input  wire [CONTEXTS - 1:0]                    packet_manager_failed,       // the same
    input  wire [CONTEXTS - 1:0]                    tile_tracker_failed,         // the same
    input  wire [CONTEXTS * GPUS - 1:0]             complete,                    // tile tracker: its peers' pairs are all handled

    // ---- what is in flight
    input  wire [CONTEXTS * 7 - 1:0]                rows,                        // packet manager
    input  wire [CONTEXTS - 1:0]                    reduces_in_flight,           // reduce_request: in_flight
    input  wire [(LINKS + 1) * CONTEXTS - 1:0]      way_stores_in_flight,        // stores_in_flight of each way
    input  wire [(LINKS + 1) * CONTEXTS - 1:0]      way_requests_in_flight,      // requests_in_flight of each way
    input  wire [CONTEXTS - 1:0]                    notifying,                   // tile tracker
    input  wire [CONTEXTS - 1:0]                    address_in_flight,           // address path: in_flight
    output wire [CONTEXTS - 1:0]                    stores_in_flight,            // register: of all ways, for the tile tracker
    output wire [CONTEXTS - 1:0]                    in_flight,                   // register: anything

    // ---- what is told to the blocks
    output wire                                     m_axis_set_tvalid,           // tile tracker
    input  wire                                     m_axis_set_tready,
    output wire [`MOEHUB_SET_WIDTH - 1:0]           m_axis_set_tdata,
    output wire                                     m_axis_end_tvalid,           // packet manager
    input  wire                                     m_axis_end_tready,
    output wire [`MOEHUB_END_COMMAND_WIDTH - 1:0]   m_axis_end_tdata,

    // ---- what happened
    output wire [`MOEHUB_HUB_CONTROL_EVENTS - 1:0]  events,
    output wire                                     error_valid,
    output wire [4:0]                               error_cause,
    output wire [127:0]                             error_header,
    output wire                                     became_failed,               // pulse: some context was flagged that was not
    output wire                                     became_arrived               // the same, arrived
);
endmodule

`default_nettype wire
