// SPDX-License-Identifier: Apache-2.0
// What ends a packet manager's contexts; `abort` has another name, as that one is a function of C.
`default_nettype none
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"

module packet_manager_close #(
    parameter LINKS    = 1,
    parameter GPUS     = 8,
    parameter CONTEXTS = 4
) (
    input  wire                                    clk,
    input  wire                                    rst,
    output wire                                    initialised,
    input  wire                                    start,
    input  wire [9:0]                              own,
    input  wire [LINKS - 1:0]                      link_up,
    input  wire [CONTEXTS * 4 - 1:0]               rounds,
    input  wire [CONTEXTS * GPUS - 1:0]            peers,
    input  wire [CONTEXTS - 1:0]                   used,
    input  wire                                    s_axis_end_tvalid,
    output wire                                    s_axis_end_tready,
    input  wire [`MOEHUB_END_COMMAND_WIDTH - 1:0]  s_axis_end_tdata,
    output wire [CONTEXTS - 1:0]                   aborts,
    output wire [CONTEXTS - 1:0]                   closed,
    input  wire                                    add_valid,
    input  wire [2:0]                              add_context,
    input  wire [5:0]                              add_gpu,
    input  wire [16:0]                             add_count,
    output wire                                    m_axis_notice_tvalid,
    input  wire                                    m_axis_notice_tready,
    output wire [`MOEHUB_NOTICE_WIDTH - 1:0]       m_axis_notice_tdata
);
    moehub_packet_manager_close #(.LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS)) u_close (
        .clk(clk), .rst(rst), .initialised(initialised), .start(start), .own(own), .link_up(link_up), .rounds(rounds),
        .peers(peers), .used(used), .s_axis_end_tvalid(s_axis_end_tvalid), .s_axis_end_tready(s_axis_end_tready),
        .s_axis_end_tdata(s_axis_end_tdata), .abort(aborts), .closed(closed), .add_valid(add_valid), .add_context(add_context),
        .add_gpu(add_gpu), .add_count(add_count), .m_axis_notice_tvalid(m_axis_notice_tvalid),
        .m_axis_notice_tready(m_axis_notice_tready), .m_axis_notice_tdata(m_axis_notice_tdata)
    );
endmodule

`default_nettype wire
