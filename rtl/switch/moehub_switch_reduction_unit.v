// SPDX-License-Identifier: Apache-2.0
// Purpose: the reduction buffer of one switch port with its registers: what a switch instantiates per port.
// Contract: that of moehub_reduction_buffer and of moehub_switch_csr.
// Cost: their sum.
// Limits: theirs.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

// Joined by name from the headers of the parts: `make faces` writes it from moehub_switch_reduction_unit.face.
module moehub_switch_reduction_unit #(
    parameter ENTRIES          = 107, // 1..4096
    parameter PORTS            = 64,  // 2..64
    parameter PAYLOAD_BYTES    = 128, // a multiple of FLIT_BYTES, up to 256
    parameter FLIT_BYTES       = 16,  // 4, 8, 16, 32, 64
    parameter MAX_CONTRIBUTORS = 64,  // 1..64
    parameter WITH_FP32        = 1,   // 0, 1
    parameter GENERATION_WIDTH = 8,   // 1..8
    parameter TAG_WIDTH        = 24,  // 1..64
    parameter PARITY           = 0    // 0..16: parity bits of a memory word
) (
    input  wire clk,
    input  wire rst,

    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [11:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [11:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        interrupt_request,

    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] own_port,

    input  wire                   reserve_valid,
    output wire                   reserve_ready,
    input  wire [9:0]             reserve_requester,
    input  wire [TAG_WIDTH - 1:0] reserve_tag,
    input  wire [1:0]             reserve_element,
    input  wire                   reserve_out_fp32,
    input  wire [8:0]             reserve_length,
    input  wire [PORTS - 1:0]     reserve_contributors,

    output wire        grant_valid,
    input  wire        grant_ready,
    output wire [3:0]  grant_status,
    output wire [15:0] grant_entry,
    output wire [7:0]  grant_generation,

    input  wire                                    partial_valid,
    output wire                                    partial_ready,
    input  wire [15:0]                             partial_entry,
    input  wire [7:0]                              partial_generation,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] partial_port,
    input  wire [3:0]                              partial_status,
    input  wire [1:0]                              partial_element,
    input  wire [8:0]                              partial_length,
    input  wire [8 * FLIT_BYTES - 1:0]             partial_data,
    input  wire                                    partial_last,

    output wire                        result_valid,
    input  wire                        result_ready,
    output wire [9:0]                  result_requester,
    output wire [TAG_WIDTH - 1:0]      result_tag,
    output wire [3:0]                  result_status,
    output wire [1:0]                  result_element,
    output wire [9:0]                  result_length,
    output wire [15:0]                 result_entry,
    output wire [8 * FLIT_BYTES - 1:0] result_data,
    output wire                        result_last,

    output wire        initialised,
    output wire        empty,
    output wire        draining,
    output wire [15:0] occupancy,
    output wire        timeout_valid,
    output wire [15:0] timeout_entry
);
    wire                                  command_valid;
    wire [3:0]                            command_operation;
    wire [31:0]                           command_data;
    wire                                  unused_released_ready;
    wire                                  command_ready;
    wire                                  command_done;
    wire                                  command_refused;
    wire [31:0]                           unused_group_timeout;
    wire                                  unused_freed_valid;
    wire [15:0]                           unused_freed_entry;
    wire                                  unused_missing_valid;
    wire [PORTS - 1:0]                    unused_missing_ports;
    wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events;
    wire                                  error_valid;
    wire [4:0]                            error_cause;
    wire [127:0]                          error_header;
    wire [5:0]                            error_port;

    moehub_switch_csr #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(PAYLOAD_BYTES), .FLIT_BYTES(FLIT_BYTES),
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(TAG_WIDTH)
    ) u_csr (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .interrupt_request(interrupt_request), .command_valid(command_valid),
        .command_ready(command_ready), .command_operation(command_operation), .command_data(command_data),
        .command_done(command_done), .command_refused(command_refused), .initialised(initialised), .empty(empty),
        .draining(draining), .occupancy(occupancy), .events(events), .error_valid(error_valid), .error_cause(error_cause),
        .error_header(error_header), .error_port(error_port)
    );

    moehub_reduction_buffer #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(PAYLOAD_BYTES), .FLIT_BYTES(FLIT_BYTES),
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(TAG_WIDTH),
        .PARITY(PARITY)
    ) u_buffer (
        .clk(clk), .rst(rst), .own_port(own_port), .reserve_valid(reserve_valid), .reserve_ready(reserve_ready),
        .reserve_requester(reserve_requester), .reserve_tag(reserve_tag), .reserve_element(reserve_element),
        .reserve_out_fp32(reserve_out_fp32), .reserve_lines_less_1(1'b0), .reserve_length(reserve_length),
        .reserve_contributors(reserve_contributors), .grant_valid(grant_valid), .grant_ready(grant_ready),
        .grant_status(grant_status), .grant_entry(grant_entry), .grant_generation(grant_generation),
        .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_entry(partial_entry),
        .partial_generation(partial_generation), .partial_port(partial_port), .partial_status(partial_status),
        .partial_element(partial_element), .partial_length(partial_length), .partial_data(partial_data),
        .partial_last(partial_last), .result_valid(result_valid), .result_ready(result_ready),
        .result_requester(result_requester), .result_tag(result_tag), .result_status(result_status),
        .result_element(result_element), .result_length(result_length), .result_entry(result_entry), .result_data(result_data),
        .result_last(result_last), .released_valid(1'b0), .released_ready(unused_released_ready), .released_entry(16'd0),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused), .port_timeout(32'd0),
        .initialised(initialised), .empty(empty), .draining(draining), .occupancy(occupancy), .timeout_valid(timeout_valid),
        .timeout_entry(timeout_entry), .group_timeout(unused_group_timeout), .freed_valid(unused_freed_valid),
        .freed_entry(unused_freed_entry), .missing_valid(unused_missing_valid), .missing_ports(unused_missing_ports),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_port(error_port)
    );
endmodule

`default_nettype wire
