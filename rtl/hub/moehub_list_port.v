// SPDX-License-Identifier: Apache-2.0
// Purpose: rows, reduces and notifies read their lists over one AXI4 port (doc/hub/hub.md section 3).
// Contract:
//   1. Reader 0, 1, 2 (packet manager, reduce_request, tile tracker) take turns; each reads beats of 16 bytes, id = the reader.
//   2. Data come to the reader that their id names, in the order of its reads, a cycle after R; a reader has no ready, as it
//      holds a place for all that it reads. An id that is no reader's comes from no memory that obeys AXI4, and is dropped.
//   3. rready is high in every cycle.
// Cost: a cycle each way; an address a cycle. 2 ADDRESS_WIDTH + 140 flops.
// Limits: combinational from read_valid to read_ready; all else are registers.
// Proved: formal/hub/formal_list_port.v
`default_nettype none

module moehub_list_port #(
    parameter ADDRESS_WIDTH = 48 // 32..64
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [2:0]                   read_valid,
    output wire [2:0]                   read_ready,
    input  wire [3 * ADDRESS_WIDTH - 1:0] read_address,
    output reg  [2:0]                   data_valid,
    output reg  [127:0]                 data,
    output reg  [1:0]                   data_response,
    output wire                         m_axi_list_arvalid,
    input  wire                         m_axi_list_arready,
    output wire [1:0]                   m_axi_list_arid,
    output wire [ADDRESS_WIDTH - 1:0]   m_axi_list_araddr,
    input  wire                         m_axi_list_rvalid,
    output wire                         m_axi_list_rready,
    input  wire [1:0]                   m_axi_list_rid,
    input  wire [127:0]                 m_axi_list_rdata,
    input  wire [1:0]                   m_axi_list_rresp
);
    generate
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
    endgenerate

    moehub_stream_arbiter #(.PORTS(3), .WIDTH(ADDRESS_WIDTH)) u_turns (
        .clk(clk), .rst(rst), .in_valid(read_valid), .in_ready(read_ready), .in_data(read_address),
        .out_valid(m_axi_list_arvalid), .out_ready(m_axi_list_arready), .out_data(m_axi_list_araddr), .out_port(m_axi_list_arid)
    );

    assign m_axi_list_rready = 1'b1;
    always @(posedge clk) begin
        data_valid    <= {m_axi_list_rid == 2'd2, m_axi_list_rid == 2'd1, m_axi_list_rid == 2'd0} & {3{m_axi_list_rvalid}};
        data          <= m_axi_list_rdata;
        data_response <= m_axi_list_rresp;
        if (rst) data_valid <= 3'd0;
    end
endmodule

`default_nettype wire
