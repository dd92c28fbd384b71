// SPDX-License-Identifier: Apache-2.0
// Purpose: whose operation enters the tokens' pipeline next.
// Contract:
//   1. At most one operation a cycle. A stream's `ready` is high for the one cycle in which its item is taken, the cycle after
//      its turn. An inner source (0 sweep, 1 get) is taken at its turn (take), and may ask again in the next cycle.
//   2. Nothing is taken before `open`.
// Cost: two cycles from tvalid to the operation's first stage; an item of one stream every second cycle.
// Proved: formal/hub/formal_tile_tracker_token_turns.v
`default_nettype none
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_token_turns #(
    parameter LINKS = 1
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     open,
    input  wire                                     s_axis_expect_tvalid,
    output wire                                     s_axis_expect_tready,
    input  wire [`MOEHUB_EXPECTED_WIDTH - 1:0]      s_axis_expect_tdata,
    input  wire [LINKS:0]                           s_axis_notify_tvalid,
    output wire [LINKS:0]                           s_axis_notify_tready,
    input  wire [(LINKS + 1) * `MOEHUB_NOTIFIED_WIDTH - 1:0] s_axis_notify_tdata,
    input  wire [1:0]                               ask,
    output wire [1:0]                               take,
    input  wire [2 * `MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] asks,
    output wire                                     operation_valid,
    output wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] operation
);
    localparam WAYS  = LINKS + 1;
    localparam PORTS = WAYS + 3;

    reg                                              expect_ready_q;
    reg  [WAYS - 1:0]                                notify_ready_q;
    reg  [1:0]                                       inner_q;
    reg  [2 * `MOEHUB_TOKEN_OPERATION_WIDTH - 1:0]   asks_q;
    wire [PORTS - 1:0] request = {ask, s_axis_notify_tvalid & ~notify_ready_q, s_axis_expect_tvalid && !expect_ready_q}
        & {PORTS{open}};
    wire [PORTS - 1:0] grant;
    wire               unused_granted;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] unused_index;
    moehub_arbiter #(.PORTS(PORTS)) u_turn (
        .clk(clk), .rst(rst), .request(request), .advance(1'b1), .grant_valid(unused_granted), .grant(grant),
        .grant_index(unused_index)
    );
    assign take                 = grant[WAYS + 1 +: 2];
    assign s_axis_expect_tready = expect_ready_q;
    assign s_axis_notify_tready = notify_ready_q;

    always @(posedge clk) begin
        expect_ready_q <= grant[0];
        notify_ready_q <= grant[WAYS:1];
        inner_q        <= take;
        asks_q         <= asks;
        if (rst) begin
            expect_ready_q <= 1'b0;
            notify_ready_q <= {WAYS{1'b0}};
            inner_q        <= 2'd0;
        end
    end

    wire [2:0]  expect_context;
    wire [15:0] expect_token;
    wire [5:0]  expect_count;
    assign `MOEHUB_EXPECTED(expect_context, expect_token, expect_count) = s_axis_expect_tdata;
    wire [`MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] expects = `MOEHUB_TOKEN_OPERATION(
        3'd`MOEHUB_TOKEN_EXPECT, expect_context, {16'd0, expect_token}, 6'd0, expect_count, 1'b0);

    wire [WAYS * `MOEHUB_TOKEN_OPERATION_WIDTH - 1:0] notifies;
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            wire [2:0]  named_context;
            wire [5:0]  source;
            wire [31:0] row_index;
            wire        failed;
            assign `MOEHUB_NOTIFIED(named_context, source, row_index, failed) =
                s_axis_notify_tdata[w * `MOEHUB_NOTIFIED_WIDTH +: `MOEHUB_NOTIFIED_WIDTH];
            assign notifies[w * `MOEHUB_TOKEN_OPERATION_WIDTH +: `MOEHUB_TOKEN_OPERATION_WIDTH] = `MOEHUB_TOKEN_OPERATION(
                3'd`MOEHUB_TOKEN_NOTIFY, named_context, row_index, source, 6'd0, failed);
        end
    endgenerate
    assign operation_valid = |{inner_q, notify_ready_q, expect_ready_q};
    moehub_one_hot_mux #(.WIDTH(`MOEHUB_TOKEN_OPERATION_WIDTH), .WAYS(PORTS)) u_operation (
        .select({inner_q, notify_ready_q, expect_ready_q}), .words({asks_q, notifies, expects}), .word(operation)
    );
endmodule

`default_nettype wire
