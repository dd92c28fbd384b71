// SPDX-License-Identifier: Apache-2.0
// Purpose: the smallest design with an AXI4 master and an AXI4-Lite slave, to prove the kit's memory and register drivers.
//   The master sends whatever the streams aw, w and ar say, legal or not, so that the bench can break each rule;
//   what B and R bring leaves as streams. The slave has 8 registers; addresses above answer SLVERR.
// Limits: simulation only.
`default_nettype none

module axi_kit #(
    parameter ADDRESS_WIDTH = 32,
    parameter DATA_WIDTH    = 128,
    parameter ID_WIDTH      = 4
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire                        aw_valid,
    output wire                        aw_ready,
    input  wire [ID_WIDTH - 1:0]       aw_id,
    input  wire [ADDRESS_WIDTH - 1:0]  aw_addr,
    input  wire [7:0]                  aw_len,
    input  wire [2:0]                  aw_size,
    input  wire [1:0]                  aw_burst,
    input  wire                        w_valid,
    output wire                        w_ready,
    input  wire [DATA_WIDTH - 1:0]     w_data,
    input  wire [DATA_WIDTH / 8 - 1:0] w_strb,
    input  wire                        w_last,
    input  wire                        ar_valid,
    output wire                        ar_ready,
    input  wire [ID_WIDTH - 1:0]       ar_id,
    input  wire [ADDRESS_WIDTH - 1:0]  ar_addr,
    input  wire [7:0]                  ar_len,
    input  wire [2:0]                  ar_size,
    input  wire [1:0]                  ar_burst,
    output wire                        b_valid,
    input  wire                        b_ready,
    output wire [ID_WIDTH - 1:0]       b_id,
    output wire [1:0]                  b_resp,
    output wire                        r_valid,
    input  wire                        r_ready,
    output wire [ID_WIDTH - 1:0]       r_id,
    output wire [DATA_WIDTH - 1:0]     r_data,
    output wire [1:0]                  r_resp,

    output wire                        m_axi_awvalid,
    input  wire                        m_axi_awready,
    output wire [ID_WIDTH - 1:0]       m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]  m_axi_awaddr,
    output wire [7:0]                  m_axi_awlen,
    output wire [2:0]                  m_axi_awsize,
    output wire [1:0]                  m_axi_awburst,
    output wire                        m_axi_wvalid,
    input  wire                        m_axi_wready,
    output wire [DATA_WIDTH - 1:0]     m_axi_wdata,
    output wire [DATA_WIDTH / 8 - 1:0] m_axi_wstrb,
    output wire                        m_axi_wlast,
    input  wire                        m_axi_bvalid,
    output wire                        m_axi_bready,
    input  wire [ID_WIDTH - 1:0]       m_axi_bid,
    input  wire [1:0]                  m_axi_bresp,
    output wire                        m_axi_arvalid,
    input  wire                        m_axi_arready,
    output wire [ID_WIDTH - 1:0]       m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]  m_axi_araddr,
    output wire [7:0]                  m_axi_arlen,
    output wire [2:0]                  m_axi_arsize,
    output wire [1:0]                  m_axi_arburst,
    input  wire                        m_axi_rvalid,
    output wire                        m_axi_rready,
    input  wire [ID_WIDTH - 1:0]       m_axi_rid,
    input  wire [DATA_WIDTH - 1:0]     m_axi_rdata,
    input  wire [1:0]                  m_axi_rresp,
    input  wire                        m_axi_rlast,

    input  wire                        s_axil_awvalid,
    output wire                        s_axil_awready,
    input  wire [11:0]                 s_axil_awaddr,
    input  wire                        s_axil_wvalid,
    output wire                        s_axil_wready,
    input  wire [31:0]                 s_axil_wdata,
    input  wire [3:0]                  s_axil_wstrb,
    output wire                        s_axil_bvalid,
    input  wire                        s_axil_bready,
    output wire [1:0]                  s_axil_bresp,
    input  wire                        s_axil_arvalid,
    output wire                        s_axil_arready,
    input  wire [11:0]                 s_axil_araddr,
    output wire                        s_axil_rvalid,
    input  wire                        s_axil_rready,
    output wire [31:0]                 s_axil_rdata,
    output wire [1:0]                  s_axil_rresp
);

    localparam ADDRESS_CHANNEL = ID_WIDTH + ADDRESS_WIDTH + 13;
    localparam STROBES = DATA_WIDTH / 8;

    // ---- master: a skid buffer per channel -------------------------------------
    moehub_skid_buffer #(.WIDTH(ADDRESS_CHANNEL)) u_write_address (
        .clk(clk), .rst(rst), .in_valid(aw_valid), .in_ready(aw_ready), .in_data({aw_id, aw_addr, aw_len, aw_size, aw_burst}),
        .out_valid(m_axi_awvalid), .out_ready(m_axi_awready),
        .out_data({m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst}));
    moehub_skid_buffer #(.WIDTH(DATA_WIDTH + STROBES + 1)) u_write_data (
        .clk(clk), .rst(rst), .in_valid(w_valid), .in_ready(w_ready), .in_data({w_data, w_strb, w_last}),
        .out_valid(m_axi_wvalid), .out_ready(m_axi_wready), .out_data({m_axi_wdata, m_axi_wstrb, m_axi_wlast}));
    moehub_skid_buffer #(.WIDTH(ADDRESS_CHANNEL)) u_read_address (
        .clk(clk), .rst(rst), .in_valid(ar_valid), .in_ready(ar_ready), .in_data({ar_id, ar_addr, ar_len, ar_size, ar_burst}),
        .out_valid(m_axi_arvalid), .out_ready(m_axi_arready),
        .out_data({m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst}));
    moehub_skid_buffer #(.WIDTH(ID_WIDTH + 2)) u_write_response (
        .clk(clk), .rst(rst), .in_valid(m_axi_bvalid), .in_ready(m_axi_bready), .in_data({m_axi_bid, m_axi_bresp}),
        .out_valid(b_valid), .out_ready(b_ready), .out_data({b_id, b_resp}));
    moehub_skid_buffer #(.WIDTH(ID_WIDTH + DATA_WIDTH + 2)) u_read_data (
        .clk(clk), .rst(rst), .in_valid(m_axi_rvalid && m_axi_rlast), .in_ready(m_axi_rready),
        .in_data({m_axi_rid, m_axi_rdata, m_axi_rresp}),
        .out_valid(r_valid), .out_ready(r_ready), .out_data({r_id, r_data, r_resp}));

    // ---- slave: 8 registers ---------------------------------------------------------
    wire        write_address_valid, write_data_valid, read_address_valid, write_response_ready, read_data_ready;
    wire [11:0] write_address, read_address;
    wire [31:0] write_data;
    wire [3:0]  write_strobes;
    wire        write = write_address_valid && write_data_valid && write_response_ready;
    wire        read  = read_address_valid && read_data_ready;
    wire        write_bad = write_address[11:5] != 7'd0;
    wire        read_bad  = read_address[11:5] != 7'd0;
    reg  [31:0] registers_q [0:7];

    integer i;
    always @(posedge clk) begin
        for (i = 0; i < 4; i = i + 1)
            if (write && !write_bad && write_strobes[i])
                registers_q[write_address[4:2]][8 * i +: 8] <= write_data[8 * i +: 8];
    end

    moehub_skid_buffer #(.WIDTH(12)) u_register_write_address (
        .clk(clk), .rst(rst), .in_valid(s_axil_awvalid), .in_ready(s_axil_awready), .in_data(s_axil_awaddr),
        .out_valid(write_address_valid), .out_ready(write), .out_data(write_address));
    moehub_skid_buffer #(.WIDTH(36)) u_register_write_data (
        .clk(clk), .rst(rst), .in_valid(s_axil_wvalid), .in_ready(s_axil_wready), .in_data({s_axil_wdata, s_axil_wstrb}),
        .out_valid(write_data_valid), .out_ready(write), .out_data({write_data, write_strobes}));
    moehub_skid_buffer #(.WIDTH(2)) u_register_write_response (
        .clk(clk), .rst(rst), .in_valid(write), .in_ready(write_response_ready), .in_data({write_bad, 1'b0}),
        .out_valid(s_axil_bvalid), .out_ready(s_axil_bready), .out_data(s_axil_bresp));
    moehub_skid_buffer #(.WIDTH(12)) u_register_read_address (
        .clk(clk), .rst(rst), .in_valid(s_axil_arvalid), .in_ready(s_axil_arready), .in_data(s_axil_araddr),
        .out_valid(read_address_valid), .out_ready(read), .out_data(read_address));
    moehub_skid_buffer #(.WIDTH(34)) u_register_read_data (
        .clk(clk), .rst(rst), .in_valid(read), .in_ready(read_data_ready),
        .in_data({read_bad ? 32'd0 : registers_q[read_address[4:2]], read_bad, 1'b0}),
        .out_valid(s_axil_rvalid), .out_ready(s_axil_rready), .out_data({s_axil_rdata, s_axil_rresp}));

    wire unused = &{1'b0, write_address[1:0], read_address[1:0]};
endmodule

`default_nettype wire
