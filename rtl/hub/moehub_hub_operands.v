// SPDX-License-Identifier: Apache-2.0
// Purpose: whether a command of the control window has operands that it must refuse, whatever its context's state (doc/hub/hub.md
//   section 4).
// Contract:
//   1. refuse: the operation is none, or the operands of the cycle before are out of range. Contexts are not looked at.
//   2. tile_shift, list_shift, tile_count: of the context that is named; for REGION_TILES_SET.
// Cost: a cycle, in which there are shifts by up to 31 and a comparison; a flop for each command that has operands.
// Limits: own is below GPUS: the integrator's duty.
// Proved: formal/hub/formal_hub_operands.v.
`default_nettype none
`include "moehub_defines.vh"

module moehub_hub_operands #(
    parameter GPUS            = 8,    // 2..64
    parameter LOCAL_EXPERTS   = 64,   // 1..256
    parameter ROW_INDEX_WIDTH = 20,   // 1..32
    parameter SLOT_WIDTH      = 22,   // 1..31
    parameter ADDRESS_WIDTH   = 48,   // 32..64
    parameter TILES           = 1024, // 1..65536
    parameter TOKENS          = 4096  // 1..65536
) (
    input  wire        clk,
    input  wire [9:0]  own, // GPU
    input  wire [3:0]  operation,
    input  wire [15:0] index,
    input  wire [63:0] data0,
    input  wire [63:0] data1,
    input  wire [3:0]  tile_shift,
    input  wire [4:0]  list_shift,
    input  wire [16:0] tile_count,
    output wire        refuse
);
    localparam [31:0] EXPERTS_32      = LOCAL_EXPERTS;
    localparam [31:0] SLOTS_32        = SLOT_WIDTH;
    localparam [31:0] TILES_32        = TILES;
    localparam [31:0] TOKENS_32       = TOKENS;
    localparam [31:0] ADDRESS_32      = ADDRESS_WIDTH;
    localparam [31:0] EXPERT_WIDTH_32 = $clog2(LOCAL_EXPERTS);
    localparam [41:0] ROWS_END        = 42'd1 << ROW_INDEX_WIDTH;
    localparam [31:0] TIMEOUT_MOST    = 32'h80000000;
    localparam [3:0]  TILE_SHIFT_MOST = 4'd12;

    // ---- PEERS_SET ------------------------------------------------------------------------------------------------------
    wire [63:0] own_bit = 64'd1 << own[5:0];
    wire bad_peers = (data0[GPUS - 1:0] & own_bit[GPUS - 1:0]) == {GPUS{1'b0}};

    // ---- OWNER_SET ------------------------------------------------------------------------------------------------------
    wire [4:0]  owner_shift = data0[4:0];
    wire [41:0] rows        = ({32'd0, own} + 42'd1) << owner_shift;
    wire [32:0] tokens_end  = {17'd0, data0[31:16]} + (33'd1 << owner_shift);
    wire bad_owner = rows > ROWS_END || (data0[5] && tokens_end > {1'b0, TOKENS_32});

    // ---- LIST_SET -------------------------------------------------------------------------------------------------------
    wire [4:0]  shift     = data1[4:0];
    wire [6:0]  list_bits = {2'd0, shift} + 7'd2 + EXPERT_WIDTH_32[6:0]; // of a byte address within the array
    wire [63:0] below     = (64'd1 << list_bits) - 64'd1;
    wire base_beyond;
    wire slots_beyond; // the last SLOT_WIDTH is beyond what five bits say
    generate
        if (SLOT_WIDTH >= 31) begin : g_slots_31
            assign slots_beyond = 1'b0;
        end else begin : g_slots
            assign slots_beyond = shift > SLOTS_32[4:0];
        end
        if (ADDRESS_WIDTH >= 64) begin : g_base_64
            assign base_beyond = 1'b0;
        end else begin : g_base
            assign base_beyond = |data0[63:ADDRESS_WIDTH];
        end
    endgenerate
    wire bad_list = slots_beyond || list_bits > ADDRESS_32[6:0] || (data0 & below) != 64'd0 || base_beyond;

    // ---- TILES_SET, REGION_TILES_SET ------------------------------------------------------------------------------------
    wire [16:0] count       = data0[48:32];
    wire [17:0] context_end = {2'd0, data0[31:16]} + {1'b0, count};
    wire [17:0] region_end  = {2'd0, data0[15:0]} + {1'b0, count};
    wire [31:0] slots       = {15'd0, count} << tile_shift;
    wire [31:0] list_slots  = 32'd1 << list_shift;
    wire bad_tiles  = data0[3:0] > TILE_SHIFT_MOST || context_end > TILES_32[17:0];
    wire bad_region = {16'd0, index} >= EXPERTS_32 || region_end > {1'b0, tile_count} || slots > list_slots;

    // ---- BLOCKS_SET, TIMEOUTS_SET ---------------------------------------------------------------------------------------
    wire bad_blocks   = data0[7:0] == 8'd0 || data0[15:8] == 8'd0;
    wire bad_timeouts = data0[31:0] == 32'd0 || data0[31:0] > TIMEOUT_MOST || data0[63:32] == 32'd0
        || data0[63:32] > TIMEOUT_MOST;

    // ---- all ------------------------------------------------------------------------------------------------------------
    reg [15:0] bad_q; // by operation
    always @(posedge clk) begin
        bad_q <= 16'd0;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET]        <= bad_peers;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET]        <= bad_owner;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_LIST_SET]         <= bad_list;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_TILES_SET]        <= bad_tiles;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET] <= bad_region;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET]       <= bad_blocks;
        bad_q[`MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET]     <= bad_timeouts;
    end
    assign refuse = bad_q[operation] || operation > 4'd`MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET;

    wire unused = &{1'b0, own_bit, data1, EXPERT_WIDTH_32, SLOTS_32, TILES_32, ADDRESS_32};
endmodule

`default_nettype wire
