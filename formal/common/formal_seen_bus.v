// SPDX-License-Identifier: Apache-2.0
// In place of moehub_axi_lite_slave: the harness makes a write or a read in any cycle. s_axil_awvalid: write_valid, with
// address, data and strobes; bresp[1] is write_error. s_axil_araddr is read_address; rdata and rresp[1] what comes back.
// More than the bus can do, which keeps its addresses still and makes one access of a kind at a time.
`default_nettype none
module moehub_axi_lite_slave #(
    parameter ADDRESS_WIDTH = 12,
    parameter READ_LATENCY  = 2
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       s_axil_awvalid,
    output wire                       s_axil_awready,
    input  wire [ADDRESS_WIDTH - 1:0] s_axil_awaddr,
    input  wire [2:0]                 s_axil_awprot,
    input  wire                       s_axil_wvalid,
    output wire                       s_axil_wready,
    input  wire [31:0]                s_axil_wdata,
    input  wire [3:0]                 s_axil_wstrb,
    output wire                       s_axil_bvalid,
    input  wire                       s_axil_bready,
    output wire [1:0]                 s_axil_bresp,
    input  wire                       s_axil_arvalid,
    output wire                       s_axil_arready,
    input  wire [ADDRESS_WIDTH - 1:0] s_axil_araddr,
    input  wire [2:0]                 s_axil_arprot,
    output wire                       s_axil_rvalid,
    input  wire                       s_axil_rready,
    output wire [31:0]                s_axil_rdata,
    output wire [1:0]                 s_axil_rresp,
    output wire                       write_valid,
    output wire [ADDRESS_WIDTH - 1:0] write_address,
    output wire [31:0]                write_data,
    output wire                       write_full,
    input  wire                       write_error,
    input  wire                       write_wait, // no response is waited for
    output wire                       read_valid,
    output wire [ADDRESS_WIDTH - 1:0] read_address,
    input  wire [31:0]                read_data,
    input  wire                       read_error
);
    assign s_axil_awready = 1'b0;
    assign s_axil_wready  = 1'b0;
    assign s_axil_arready = 1'b0;
    assign s_axil_bvalid  = 1'b0;
    assign s_axil_rvalid  = 1'b0;
    assign s_axil_bresp   = {write_error, 1'b0};
    assign s_axil_rresp   = {read_error, 1'b0};
    assign s_axil_rdata   = read_data;
    assign write_valid    = s_axil_awvalid;
    assign write_address  = s_axil_awaddr;
    assign write_data     = s_axil_wdata;
    assign write_full     = &s_axil_wstrb;
    assign read_valid     = s_axil_arvalid;
    assign read_address   = s_axil_araddr;
endmodule
`default_nettype wire
