// SPDX-License-Identifier: Apache-2.0
// Purpose: closes of the packet manager and notifies of the tile tracker, each to the way that it names (doc/hub/hub.md section
//   12).
// Contract:
//   1. Source 0 gives closes, source 1 notifies: a flit and its way. Each leaves once at that way, those of a source and way in
//      order.
//   2. A notice waits for its way's turn, and for those of its source before it: nothing else.
//   3. One whose way is above LINKS is dropped: no block of the hub gives one.
// Cost: latency 1, a notice a cycle and way; two flits of flops a way.
// Limits: combinational from s_axis_notice_t* to s_axis_notice_tready; the rest are registers.
// Proved: formal/hub/formal_notice_arbiter.v
`default_nettype none
`include "moehub_tile_tracker.vh"

module moehub_notice_arbiter #(
    parameter LINKS = 1 // 1..4
) (
    input  wire                                 clk,
    input  wire                                 rst,
    input  wire [1:0]                           s_axis_notice_tvalid,
    output wire [1:0]                           s_axis_notice_tready,
    input  wire [2 * `MOEHUB_NOTICE_WIDTH - 1:0] s_axis_notice_tdata,
    output wire [LINKS:0]                       m_axis_notice_tvalid,
    input  wire [LINKS:0]                       m_axis_notice_tready,
    output wire [(LINKS + 1) * 128 - 1:0]       m_axis_notice_tdata
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
    endgenerate

    localparam [31:0] NUMBER_OF_LINKS = LINKS;
    localparam [2:0]  LOOP            = NUMBER_OF_LINKS[2:0];

    wire [255:0] flits;
    wire [5:0]   ways;
    assign `MOEHUB_NOTICE(flits[127:0], ways[2:0])   = s_axis_notice_tdata[0 +: `MOEHUB_NOTICE_WIDTH];
    assign `MOEHUB_NOTICE(flits[255:128], ways[5:3]) = s_axis_notice_tdata[`MOEHUB_NOTICE_WIDTH +: `MOEHUB_NOTICE_WIDTH];

    wire [2 * (LINKS + 1) - 1:0] taken;
    wire [1:0]                   nowhere = {ways[5:3] > LOOP, ways[2:0] > LOOP};
    reg  [1:0]                   any_taken;
    integer                      i;
    always @* begin
        any_taken = nowhere;
        for (i = 0; i <= LINKS; i = i + 1) any_taken = any_taken | taken[2 * i +: 2];
    end
    assign s_axis_notice_tready = any_taken;

    genvar w;
    generate
        for (w = 0; w <= LINKS; w = w + 1) begin : g_way
            localparam [31:0] NUMBER = w;
            localparam [2:0]  WAY    = NUMBER[2:0];
            wire unused_port;
            moehub_stream_arbiter #(.PORTS(2), .WIDTH(128)) u_turns (
                .clk(clk), .rst(rst), .in_valid({ways[5:3] == WAY, ways[2:0] == WAY} & s_axis_notice_tvalid),
                .in_ready(taken[2 * w +: 2]), .in_data(flits), .out_valid(m_axis_notice_tvalid[w]),
                .out_ready(m_axis_notice_tready[w]), .out_data(m_axis_notice_tdata[128 * w +: 128]), .out_port(unused_port)
            );
        end
    endgenerate
endmodule

`default_nettype wire
