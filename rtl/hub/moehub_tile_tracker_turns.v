// SPDX-License-Identifier: Apache-2.0
// Purpose: whose operation enters the tiles' and the arrival pipeline next.
// Contract:
//   1. At most one operation a cycle of each pipeline. A stream's `ready` is high for the one cycle in which its item is taken,
//      the cycle after its turn. An inner source is taken at its turn (`.._take`), and may ask again in the next cycle.
//   2. A completed BYTES is taken for both pipelines in the same cycle; WORD for tiles, REFUSED for arrival alone.
//   3. Closes, the sweep and get of arrival have the cycles without BYTES and REFUSED, and each fourth one if one of them waits:
//      there no completed record has a turn.
//   4. Who asks without a pause has a turn within a bounded number of cycles; no turn is spent in a cycle of rule 3's.
//   5. Nothing is taken before `open`. A source of arrival that stops asking may cost completed records a cycle.
// Cost: two cycles from tvalid to the operation's first stage; an item of one stream every second cycle.
// Proved: formal/hub/formal_tile_tracker_turns.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_turns #(
    parameter LINKS      = 1,
    parameter SLOT_WIDTH = 22
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     open,
    // streams
    input  wire [LINKS:0]                           s_axis_completed_tvalid,
    output wire [LINKS:0]                           s_axis_completed_tready,
    input  wire [(LINKS + 1) * `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0] s_axis_completed_tdata,
    input  wire                                     s_axis_done_tvalid,
    output wire                                     s_axis_done_tready,
    input  wire [`MOEHUB_DONE_WIDTH - 1:0]          s_axis_done_tdata,
    input  wire [LINKS:0]                           s_axis_close_tvalid,
    output wire [LINKS:0]                           s_axis_close_tready,
    input  wire [(LINKS + 1) * `MOEHUB_CLOSED_WIDTH - 1:0] s_axis_close_tdata,
    // inner sources of tiles: bits 0 LOOK for ready, 1 LOOK for the notify machine, 2 sweep, 3 get
    input  wire [3:0]                               tile_ask,
    output wire [3:0]                               tile_take,
    input  wire [4 * `MOEHUB_TILE_OPERATION_WIDTH - 1:0] tile_asks,
    // ... of arrival: 0 sweep, 1 get
    input  wire [1:0]                               arrival_ask,
    output wire [1:0]                               arrival_take,
    input  wire [2 * `MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_asks,
    // pipelines
    output wire                                     tile_valid,
    output wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] tile_operation,
    output wire                                     arrival_valid,
    output wire [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_operation
);
    localparam WAYS            = LINKS + 1;
    localparam COMPLETED_WIDTH = `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH);
    localparam TILE_PORTS      = WAYS + 5; // completed, done, inner
    localparam ARRIVAL_PORTS   = WAYS + 2; // close, inner

    // ---- turns ----------------------------------------------------------------------------------------------------------
    reg  [WAYS - 1:0]          completed_ready_q;
    reg                        done_ready_q;
    reg  [WAYS - 1:0]          close_ready_q;
    reg  [1:0]                 waited_q;     // cycles for which a source of arrival has waited
    wire [WAYS - 1:0]          counted;      // by kind: of a completed record, for arrival
    wire [ARRIVAL_PORTS - 1:0] arrival_request;
    wire                       theirs = waited_q == 2'd3; // who waited may have stopped asking: a cycle is lost
    wire [WAYS - 1:0]          completed_request = s_axis_completed_tvalid & ~completed_ready_q & {WAYS{!theirs}};
    wire [TILE_PORTS - 1:0]    tile_request = {tile_ask, s_axis_done_tvalid && !done_ready_q,
        completed_request} & {TILE_PORTS{open}};
    wire [TILE_PORTS - 1:0]    tile_grant;
    wire                       tile_granted;
    wire [`MOEHUB_INDEX_WIDTH(TILE_PORTS) - 1:0] unused_tile_index;
    moehub_arbiter #(.PORTS(TILE_PORTS)) u_tile_turn (
        .clk(clk), .rst(rst), .request(tile_request), .advance(!theirs), .grant_valid(tile_granted), .grant(tile_grant),
        .grant_index(unused_tile_index)
    );

    wire                       beside = |(tile_grant[WAYS - 1:0] & counted);
    wire [ARRIVAL_PORTS - 1:0] arrival_grant;
    wire                       arrival_granted;
    wire [`MOEHUB_INDEX_WIDTH(ARRIVAL_PORTS) - 1:0] unused_arrival_index;
    assign arrival_request = {arrival_ask, s_axis_close_tvalid & ~close_ready_q} & {ARRIVAL_PORTS{open}};
    moehub_arbiter #(.PORTS(ARRIVAL_PORTS)) u_arrival_turn (
        .clk(clk), .rst(rst), .request(arrival_request), .advance(!beside), .grant_valid(arrival_granted), .grant(arrival_grant),
        .grant_index(unused_arrival_index)
    );
    assign tile_take    = tile_grant[WAYS + 1 +: 4];
    assign arrival_take = arrival_grant[WAYS +: 2] & {2{!beside}};

    assign s_axis_completed_tready = completed_ready_q;
    assign s_axis_done_tready      = done_ready_q;
    assign s_axis_close_tready     = close_ready_q;

    // ---- what is taken: the streams' a cycle after their turn, the inner sources' kept for that cycle -------------------
    reg  [3:0]                                     tile_inner_q;
    reg  [4 * `MOEHUB_TILE_OPERATION_WIDTH - 1:0]  tile_asks_q;
    reg  [1:0]                                     arrival_inner_q;
    reg  [2 * `MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_asks_q;
    always @(posedge clk) begin
        completed_ready_q <= tile_grant[WAYS - 1:0];
        done_ready_q      <= tile_grant[WAYS];
        tile_inner_q      <= tile_take;
        tile_asks_q       <= tile_asks;
        close_ready_q     <= arrival_grant[WAYS - 1:0] & {WAYS{!beside}};
        arrival_inner_q   <= arrival_take;
        arrival_asks_q    <= arrival_asks;
        waited_q          <= arrival_granted && beside ? waited_q + 2'd1 : 2'd0;
        if (rst) begin
            completed_ready_q <= {WAYS{1'b0}};
            done_ready_q      <= 1'b0;
            tile_inner_q      <= 4'd0;
            close_ready_q     <= {WAYS{1'b0}};
            arrival_inner_q   <= 2'd0;
            waited_q          <= 2'd0;
        end
    end

    wire [WAYS * `MOEHUB_TILE_OPERATION_WIDTH - 1:0]    completed_tiles;
    wire [WAYS * `MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] completed_pairs;
    wire [WAYS * `MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] closes;
    wire [WAYS - 1:0]                                   refused;
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            wire [1:0]              kind;
            wire [2:0]              named_context;
            wire [5:0]              source;
            wire [7:0]              expert;
            wire [SLOT_WIDTH - 1:0] slot;
            wire [7:0]              value;
            wire                    error;
            wire [2:0]              close_context;
            wire [5:0]              close_source;
            wire [31:0]             close_count;
            assign `MOEHUB_COMPLETED(kind, named_context, source, expert, slot, value, error) =
                s_axis_completed_tdata[w * COMPLETED_WIDTH +: COMPLETED_WIDTH];
            assign `MOEHUB_CLOSED(close_context, close_source, close_count) =
                s_axis_close_tdata[w * `MOEHUB_CLOSED_WIDTH +: `MOEHUB_CLOSED_WIDTH];

            wire is_bytes = kind == 2'd`MOEHUB_COMPLETED_BYTES;
            assign refused[w] = kind == 2'd`MOEHUB_COMPLETED_REFUSED;
            assign counted[w] = is_bytes || refused[w];
            assign completed_tiles[w * `MOEHUB_TILE_OPERATION_WIDTH +: `MOEHUB_TILE_OPERATION_WIDTH] = `MOEHUB_TILE_OPERATION(
                (is_bytes ? 3'd`MOEHUB_TILE_BYTES : 3'd`MOEHUB_TILE_WORD), named_context, {8'd0, expert},
                {{32 - SLOT_WIDTH{1'b0}}, slot}, source, value, error);
            assign completed_pairs[w * `MOEHUB_ARRIVAL_OPERATION_WIDTH +: `MOEHUB_ARRIVAL_OPERATION_WIDTH] =
                `MOEHUB_ARRIVAL_OPERATION(2'd`MOEHUB_ARRIVAL_HANDLED, named_context, source, {24'd0, is_bytes ? 8'd1 : value});
            assign closes[w * `MOEHUB_ARRIVAL_OPERATION_WIDTH +: `MOEHUB_ARRIVAL_OPERATION_WIDTH] =
                `MOEHUB_ARRIVAL_OPERATION(2'd`MOEHUB_ARRIVAL_CLOSE, close_context, close_source, close_count);
        end
    endgenerate

    wire [2:0]  done_context;
    wire [15:0] done_expert;
    wire [31:0] done_tile;
    wire        done_stage;
    assign `MOEHUB_DONE(done_context, done_expert, done_tile, done_stage) = s_axis_done_tdata;
    wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0] done = `MOEHUB_TILE_OPERATION(
        3'd`MOEHUB_TILE_DONE, done_context, done_expert, done_tile, 6'd0, {7'd0, done_stage}, 1'b0);

    // A REFUSED has the turn, and changes no tile.
    wire [WAYS - 1:0] changes = completed_ready_q & ~refused;
    assign tile_valid    = |{changes, done_ready_q, tile_inner_q};
    assign arrival_valid = |{completed_ready_q & counted, close_ready_q, arrival_inner_q};
    moehub_one_hot_mux #(.WIDTH(`MOEHUB_TILE_OPERATION_WIDTH), .WAYS(TILE_PORTS)) u_tile (
        .select({tile_inner_q, done_ready_q, changes}), .words({tile_asks_q, done, completed_tiles}), .word(tile_operation)
    );
    moehub_one_hot_mux #(.WIDTH(`MOEHUB_ARRIVAL_OPERATION_WIDTH), .WAYS(WAYS + ARRIVAL_PORTS)) u_arrival (
        .select({arrival_inner_q, close_ready_q, completed_ready_q & counted}),
        .words({arrival_asks_q, closes, completed_pairs}), .word(arrival_operation)
    );

    wire unused = &{1'b0, tile_granted, arrival_granted};
endmodule

`default_nettype wire
