// SPDX-License-Identifier: Apache-2.0
// In place of two parts of moehub_hub_csr that have proofs of their own: accesses and counter values are free inputs.

// Any accesses, also several in a row, which moehub_axi_lite_slave never gives (formal_axi_lite_slave.v).
`default_nettype none
`include "moehub_width.vh"
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
    output wire                       read_valid,
    output wire [ADDRESS_WIDTH - 1:0] read_address,
    input  wire [31:0]                read_data,
    input  wire                       read_error
);
    wire                       any_write   = $anyseq;
    wire [ADDRESS_WIDTH - 1:0] any_address = $anyseq;
    wire [31:0]                any_data    = $anyseq;
    wire                       any_full    = $anyseq;
    wire [ADDRESS_WIDTH - 1:0] any_read    = $anyseq;
    assign write_valid   = any_write && !rst;
    assign write_address = any_address;
    assign write_data    = any_data;
    assign write_full    = any_full;
    assign read_valid    = 1'b0; // moehub_hub_csr looks at the address alone
    assign read_address  = any_read;
    assign {s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_bresp, s_axil_arready, s_axil_rvalid, s_axil_rresp} = 9'd0;
    assign s_axil_rdata  = 32'd0;
endmodule

// A value that is the counter's copy for all that is known (formal_event_counters.v, copies).
module moehub_event_counters #(
    parameter EVENTS = 26
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [EVENTS - 1:0]                      events,
    input  wire                                     snapshot,
    input  wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index,
    output wire [47:0]                              value
);
    wire [47:0] any_value = $anyseq;
    assign value = any_value;
endmodule
`default_nettype wire
