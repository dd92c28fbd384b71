// SPDX-License-Identifier: Apache-2.0
// Purpose: commands that read a tile, a peer or a token, each at a turn of its pipeline.
// Contract:
//   1. One command at a time: command_ready is a pulse; the operands are stable until the result is taken.
//   2. A command that names nothing is refused, with data 0 (doc/hub/tile_tracker.md section 9).
// Cost: 10 cycles where its pipeline is free.
// Proved: formal/hub/formal_tile_tracker_command.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"

module moehub_tile_tracker_command #(
    parameter CONTEXTS = 4,
    parameter GPUS     = 8,
    parameter TILES    = 1024,
    parameter TOKENS   = 4096
) (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire                                         open,
    input  wire                                         command_valid,
    output wire                                         command_ready,
    input  wire [3:0]                                   command_operation,
    input  wire [7:0]                                   command_context,
    input  wire [15:0]                                  command_index,
    output wire                                         result_valid,
    input  wire                                         result_ready,
    output wire                                         result_refused,
    output wire [63:0]                                  result_data0,
    output wire [63:0]                                  result_data1,
    // pipelines
    output wire [2:0]                                   ask, // tiles, arrival, tokens
    input  wire [2:0]                                   take,
    output wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0]    tile_get,
    output wire [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_get,
    output wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0]   token_get,
    input  wire [2:0]                                   got,
    input  wire [`MOEHUB_TILE_WIDTH - 1:0]              tile,
    input  wire [`MOEHUB_ARRIVED_WIDTH - 1:0]           arrival,
    input  wire                                         arrival_complete,
    input  wire [`MOEHUB_TOKEN_WIDTH - 1:0]             token
);
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [31:0] GPUS_32     = GPUS;
    localparam [31:0] TILES_32    = TILES;
    localparam [31:0] TOKENS_32   = TOKENS;
    localparam [1:0] IDLE   = 2'd0;
    localparam [1:0] WAIT   = 2'd1;
    localparam [1:0] RESULT = 2'd2;

    reg  [1:0]  state_q;
    reg  [2:0]  ask_q;
    reg         ready_q;
    reg         valid_q;
    reg         refused_q;
    reg  [63:0] data0_q;
    reg  [63:0] data1_q;
    reg  [2:0]  wanted; // which pipeline
    always @* begin
        wanted = 3'd0;
        case (command_operation)
            4'd`MOEHUB_TILE_TRACKER_COMMAND_TILE_GET:  wanted[0] = {16'd0, command_index} < TILES_32;
            4'd`MOEHUB_TILE_TRACKER_COMMAND_PEER_GET:
                wanted[1] = {16'd0, command_index} < GPUS_32 && {24'd0, command_context} < CONTEXTS_32;
            4'd`MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET: wanted[2] = {16'd0, command_index} < TOKENS_32;
            default:                                   ;
        endcase
    end

    wire [12:0] rows;
    wire [30:0] balance;
    wire [7:0]  computed;
    wire [7:0]  finished;
    wire [1:0]  state;
    wire        flagged;
    assign `MOEHUB_TILE(rows, balance, computed, finished, state, flagged) = tile;
    wire [31:0] handled;
    wire [31:0] announced;
    wire        closed;
    assign `MOEHUB_ARRIVED(handled, announced, closed) = arrival;
    wire [5:0]  left;
    wire        token_failed;
    wire [1:0]  token_state;
    assign `MOEHUB_TOKEN(left, token_failed, token_state) = token;

    assign ask         = ask_q;
    assign tile_get    = `MOEHUB_TILE_OPERATION(3'd`MOEHUB_TILE_GET, 3'd0, 16'd0, {16'd0, command_index}, 6'd0, 8'd0, 1'b0);
    assign arrival_get = `MOEHUB_ARRIVAL_OPERATION(
        2'd`MOEHUB_ARRIVAL_GET, command_context[2:0], command_index[5:0], 32'd0);
    assign token_get   = `MOEHUB_TOKEN_OPERATION(3'd`MOEHUB_TOKEN_GET, 3'd0, {16'd0, command_index}, 6'd0, 6'd0, 1'b0);
    assign command_ready  = ready_q;
    assign result_valid   = valid_q;
    assign result_refused = refused_q;
    assign result_data0   = data0_q;
    assign result_data1   = data1_q;

    always @(posedge clk) begin
        ready_q <= 1'b0;
        ask_q   <= ask_q & ~take;
        case (state_q)
            IDLE: if (command_valid && !ready_q && open) begin
                ready_q   <= 1'b1;
                ask_q     <= wanted;
                refused_q <= wanted == 3'd0;
                data0_q   <= 64'd0;
                data1_q   <= 64'd0;
                valid_q   <= wanted == 3'd0;
                state_q   <= wanted == 3'd0 ? RESULT : WAIT;
            end
            WAIT: if (|got) begin
                valid_q <= 1'b1;
                state_q <= RESULT;
                if (got[0]) begin
                    data0_q <= {29'd0, flagged, state, finished, computed, 3'd0, rows};
                    data1_q <= {{33{balance[30]}}, balance};
                end
                if (got[1]) begin
                    data0_q <= {announced, handled};
                    data1_q <= {62'd0, arrival_complete, closed};
                end
                if (got[2]) data0_q <= {45'd0, token_state, token_failed, 10'd0, left};
            end
            default: if (result_ready) begin
                valid_q <= 1'b0;
                state_q <= IDLE;
            end
        endcase
        if (rst) begin
            state_q <= IDLE;
            ready_q <= 1'b0;
            ask_q   <= 3'd0;
            valid_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
