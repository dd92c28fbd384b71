// SPDX-License-Identifier: Apache-2.0
// Purpose: what the hub's blocks share about one context, in flops (doc/hub/hub.md section 4).
// Contract:
//   1. accept, one hot: a command of that operation was found good; its effect stands from the next cycle on.
//   2. advance: what ADVANCE tells was taken by all: the context is clean.
//   3. closed, arrived, failed: pulses, which are lost while the context is clean or becomes so.
//   4. A clean context is not enabled, closing, closed, arrived or failed.
//   5. given: every command that a context needs before ENABLE was accepted since reset.
// Cost: 216 flops, one a GPU, ADDRESS_WIDTH.
// Limits: the user's duty: operations 0 to 7 and 9 only while the context is clean, or idle and not enabled.
`default_nettype none
`include "moehub_defines.vh"

module moehub_hub_context #(
    parameter GPUS          = 8, // 2..64
    parameter ADDRESS_WIDTH = 48 // 32..64
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [15:0]                accept,
    input  wire                       advance,
    input  wire [63:0]                data0,
    input  wire [63:0]                data1,
    input  wire                       closed,
    input  wire                       arrived,
    input  wire                       failed,
    output wire                       enabled,
    output wire                       clean,
    output wire                       closing,
    output wire                       has_closed,
    output wire                       has_arrived,
    output wire                       has_failed,
    output wire                       given,
    output wire [3:0]                 round,
    output wire [GPUS - 1:0]          peers,
    output wire [4:0]                 owner_shift,
    output wire                       counts_tokens,
    output wire [15:0]                token_first,
    output wire [ADDRESS_WIDTH - 1:0] list_base,
    output wire [4:0]                 list_shift,
    output wire [3:0]                 tile_shift,
    output wire [15:0]                tile_first,
    output wire [16:0]                tile_count,
    output wire [7:0]                 computed_blocks,
    output wire [7:0]                 finished_blocks,
    output wire [31:0]                arrival_timeout,
    output wire [31:0]                token_timeout
);
    wire sets_peers    = accept[`MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET];
    wire sets_owner    = accept[`MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET];
    wire sets_list     = accept[`MOEHUB_HUB_CONTROL_COMMAND_LIST_SET];
    wire sets_tiles    = accept[`MOEHUB_HUB_CONTROL_COMMAND_TILES_SET];
    wire sets_blocks   = accept[`MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET];
    wire sets_timeouts = accept[`MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET];
    wire enables       = accept[`MOEHUB_HUB_CONTROL_COMMAND_ENABLE];
    wire disables      = accept[`MOEHUB_HUB_CONTROL_COMMAND_DISABLE];
    wire closes        = accept[`MOEHUB_HUB_CONTROL_COMMAND_CLOSE];
    wire aborts        = accept[`MOEHUB_HUB_CONTROL_COMMAND_ABORT];

    // ---- its round ------------------------------------------------------------------------------------------------------
    reg enabled_q;
    reg clean_q;
    reg closing_q;
    reg closed_q;
    reg arrived_q;
    reg failed_q;
    wire forgets = clean_q || advance;

    always @(posedge clk) begin
        enabled_q <= (enabled_q || enables) && !disables;
        clean_q   <= (clean_q || advance) && !enables;
        closing_q <= (closing_q || closes || aborts) && !forgets;
        closed_q  <= (closed_q || closed) && !forgets;
        arrived_q <= (arrived_q || arrived) && !forgets;
        failed_q  <= (failed_q || failed || aborts) && !forgets;
        if (rst) begin
            enabled_q <= 1'b0;
            clean_q   <= 1'b1;
            closing_q <= 1'b0;
            closed_q  <= 1'b0;
            arrived_q <= 1'b0;
            failed_q  <= 1'b0;
        end
    end

    assign enabled     = enabled_q;
    assign clean       = clean_q;
    assign closing     = closing_q;
    assign has_closed  = closed_q;
    assign has_arrived = arrived_q;
    assign has_failed  = failed_q;

    // ---- what software sets ---------------------------------------------------------------------------------------------
    reg [5:0]                 given_q;
    reg [3:0]                 round_q;
    reg [GPUS - 1:0]          peers_q;
    reg [4:0]                 owner_shift_q;
    reg                       counts_tokens_q;
    reg [15:0]                token_first_q;
    reg [ADDRESS_WIDTH - 1:0] list_base_q;
    reg [4:0]                 list_shift_q;
    reg [3:0]                 tile_shift_q;
    reg [15:0]                tile_first_q;
    reg [16:0]                tile_count_q;
    reg [7:0]                 computed_blocks_q;
    reg [7:0]                 finished_blocks_q;
    reg [31:0]                arrival_timeout_q;
    reg [31:0]                token_timeout_q;

    always @(posedge clk) begin
        given_q <= given_q | {sets_timeouts, sets_blocks, sets_tiles, sets_list, sets_owner, sets_peers};
        if (sets_peers) peers_q <= data0[GPUS - 1:0];
        if (sets_owner) {token_first_q, counts_tokens_q, owner_shift_q} <= {data0[31:16], data0[5:0]};
        if (sets_list) {list_shift_q, list_base_q} <= {data1[4:0], data0[ADDRESS_WIDTH - 1:0]};
        if (sets_tiles) {tile_count_q, tile_first_q, tile_shift_q} <= {data0[48:16], data0[3:0]};
        if (sets_blocks) {finished_blocks_q, computed_blocks_q} <= data0[15:0];
        if (sets_timeouts) {token_timeout_q, arrival_timeout_q} <= data0;
        if (enables) round_q <= data0[3:0];
        if (rst) begin
            given_q           <= 6'd0;
            round_q           <= 4'd0;
            peers_q           <= {GPUS{1'b0}};
            owner_shift_q     <= 5'd0;
            counts_tokens_q   <= 1'b0;
            token_first_q     <= 16'd0;
            list_base_q       <= {ADDRESS_WIDTH{1'b0}};
            list_shift_q      <= 5'd0;
            tile_shift_q      <= 4'd0;
            tile_first_q      <= 16'd0;
            tile_count_q      <= 17'd0;
            computed_blocks_q <= 8'd0;
            finished_blocks_q <= 8'd0;
            arrival_timeout_q <= 32'd0;
            token_timeout_q   <= 32'd0;
        end
    end

    assign given           = &given_q;
    assign round           = round_q;
    assign peers           = peers_q;
    assign owner_shift     = owner_shift_q;
    assign counts_tokens   = counts_tokens_q;
    assign token_first     = token_first_q;
    assign list_base       = list_base_q;
    assign list_shift      = list_shift_q;
    assign tile_shift      = tile_shift_q;
    assign tile_first      = tile_first_q;
    assign tile_count      = tile_count_q;
    assign computed_blocks = computed_blocks_q;
    assign finished_blocks = finished_blocks_q;
    assign arrival_timeout = arrival_timeout_q;
    assign token_timeout   = token_timeout_q;

    wire unused = &{1'b0, accept, data1};
endmodule

`default_nettype wire
