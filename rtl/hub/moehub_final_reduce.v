// SPDX-License-Identifier: Apache-2.0
// Purpose: adds the network's result and the own partial of each line that this GPU asked for on a link (doc/hub/reduce.md
//   section 3).
// Contract:
//   1. reserve and grant: a group of lines, in their order (doc/plane/groups.md). freed_valid: a group is free again.
//   2. result (port 0) and own (port 1) are flits of a line's parts; each waits for at most one packet of the other.
//   3. reduced: a packet a line, in any order, tuser with each flit. What nobody takes waits in its entry; parts are taken
//      always.
//   4. s_axil: the buffer's registers (doc/reduction_buffer.md section 7). All outputs are registers, or gates of registers.
// How: moehub_reduction_buffer with its registers, and a join of the two parts by packet.
// Cost: those of the buffer.
// Limits: a request may still wait when its group times out: what comes then has an old generation.
// Proved: formal/hub/formal_final_reduce.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_final_reduce #(
    parameter FINAL_GROUPS  = 13, // 1..4096 / REQUEST_LINES
    parameter REQUEST_LINES = 8,  // 1, 2, 4, 8
    parameter WITH_FP32     = 1   // 0, 1
) (
    input  wire                                  clk,
    input  wire                                  rst,
    input  wire [9:0]                            own, // GPU

    input  wire                                  s_axil_awvalid,
    output wire                                  s_axil_awready,
    input  wire [11:0]                           s_axil_awaddr,
    input  wire [2:0]                            s_axil_awprot,
    input  wire                                  s_axil_wvalid,
    output wire                                  s_axil_wready,
    input  wire [31:0]                           s_axil_wdata,
    input  wire [3:0]                            s_axil_wstrb,
    output wire                                  s_axil_bvalid,
    input  wire                                  s_axil_bready,
    output wire [1:0]                            s_axil_bresp,
    input  wire                                  s_axil_arvalid,
    output wire                                  s_axil_arready,
    input  wire [11:0]                           s_axil_araddr,
    input  wire [2:0]                            s_axil_arprot,
    output wire                                  s_axil_rvalid,
    input  wire                                  s_axil_rready,
    output wire [31:0]                           s_axil_rdata,
    output wire [1:0]                            s_axil_rresp,
    output wire                                  interrupt_request,

    // ---- reduce_request
    input  wire                                  s_axis_reserve_tvalid,
    output wire                                  s_axis_reserve_tready,
    input  wire [`MOEHUB_RESERVE_WIDTH - 1:0]    s_axis_reserve_tdata,
    output wire                                  m_axis_grant_tvalid,
    input  wire                                  m_axis_grant_tready,
    output wire [`MOEHUB_GRANT_WIDTH - 1:0]      m_axis_grant_tdata,
    output wire                                  freed_valid,

    // ---- parts: of the network, of the own experts
    input  wire                                  s_axis_result_tvalid,
    output wire                                  s_axis_result_tready,
    input  wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] s_axis_result_tdata,
    input  wire                                  s_axis_result_tlast,
    input  wire                                  s_axis_own_tvalid,
    output wire                                  s_axis_own_tready,
    input  wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] s_axis_own_tdata,
    input  wire                                  s_axis_own_tlast,

    // ---- sums
    output wire                                  m_axis_reduced_tvalid,
    input  wire                                  m_axis_reduced_tready,
    output wire [127:0]                          m_axis_reduced_tdata,
    output wire [`MOEHUB_REDUCED_WIDTH - 1:0]    m_axis_reduced_tuser,
    output wire                                  m_axis_reduced_tlast,

    output wire                                  initialised,
    output wire                                  timeout_valid, // an entry times out now: doc/reduction_buffer.md section 5
    output wire [15:0]                           timeout_entry
);
    generate
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
        if (FINAL_GROUPS < 1 || FINAL_GROUPS * REQUEST_LINES > 4096) FINAL_GROUPS_must_be_1_to_4096_over_REQUEST_LINES u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
    endgenerate

    localparam ENTRIES      = FINAL_GROUPS * REQUEST_LINES;
    localparam PORTS        = 3; // network, own experts, and the one that asks
    localparam CONTRIBUTORS = 2;
    localparam TAG_WIDTH    = 27; // context, tag
    localparam LINES_WIDTH  = `MOEHUB_INDEX_WIDTH(REQUEST_LINES);
    localparam [31:0] LINE_MASK = REQUEST_LINES - 1;

    // ---- parts, by packet ---------------------------------------------------------------------------------------------------
    wire                                  partial_valid;
    wire                                  partial_ready;
    wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] part;
    wire                                  partial_last;
    wire                                  of_own;
    wire [15:0]                           partial_entry;
    wire [7:0]                            partial_generation;
    wire [3:0]                            partial_status;
    wire [1:0]                            partial_element;
    wire [8:0]                            partial_length;
    wire [127:0]                          partial_data;
    assign `MOEHUB_WAY_RESULT(partial_entry, partial_generation, partial_status, partial_element, partial_length, partial_data) =
        part;
    moehub_packet_join #(.WIDTH(`MOEHUB_WAY_RESULT_WIDTH)) u_parts (
        .clk(clk), .rst(rst), .in_valid({s_axis_own_tvalid, s_axis_result_tvalid}),
        .in_ready({s_axis_own_tready, s_axis_result_tready}), .in_data({s_axis_own_tdata, s_axis_result_tdata}),
        .in_last({s_axis_own_tlast, s_axis_result_tlast}), .out_valid(partial_valid), .out_ready(partial_ready), .out_data(part),
        .out_last(partial_last), .out_port(of_own)
    );

    // ---- buffer ---------------------------------------------------------------------------------------------------------------
    wire [2:0]  reserve_context;
    wire [23:0] reserve_tag;
    wire [1:0]  reserve_element;
    wire [2:0]  reserve_lines_less_1;
    wire [8:0]  reserve_length;
    wire [1:0]  reserve_contributors;
    wire        unused_lines = ^reserve_lines_less_1;
    assign `MOEHUB_RESERVE(reserve_context, reserve_tag, reserve_element, reserve_lines_less_1, reserve_length,
        reserve_contributors) = s_axis_reserve_tdata;

    wire [3:0]  grant_status;
    wire [15:0] grant_entry;
    wire [7:0]  grant_generation;
    assign m_axis_grant_tdata = `MOEHUB_GRANT(grant_status, grant_entry, grant_generation);

    wire [9:0]                            unused_requester;
    wire [TAG_WIDTH - 1:0]                result_tag;
    wire [3:0]                            result_status;
    wire [1:0]                            result_element;
    wire [9:0]                            result_length;
    wire [15:0]                           result_entry;
    wire                                  unused_released_ready;
    wire                                  command_valid;
    wire                                  command_ready;
    wire [3:0]                            command_operation;
    wire [31:0]                           command_data;
    wire                                  command_done;
    wire                                  command_refused;
    wire                                  empty;
    wire                                  draining;
    wire [15:0]                           occupancy;
    wire [31:0]                           unused_group_timeout;
    wire [15:0]                           unused_freed_entry;
    wire                                  unused_missing_valid;
    wire [PORTS - 1:0]                    unused_missing_ports;
    wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events;
    wire                                  error_valid;
    wire [4:0]                            error_cause;
    wire [127:0]                          error_header;
    wire [5:0]                            error_port;
    moehub_reduction_buffer #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(`MOEHUB_LINE_BYTES), .FLIT_BYTES(16), .MAX_CONTRIBUTORS(CONTRIBUTORS),
        .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(8), .TAG_WIDTH(TAG_WIDTH), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(1),
        .WITH_RELEASE(0)
    ) u_buffer (
        .clk(clk), .rst(rst), .own_port(2'd2), .reserve_valid(s_axis_reserve_tvalid), .reserve_ready(s_axis_reserve_tready),
        .reserve_requester(own), .reserve_tag({reserve_context, reserve_tag}), .reserve_element(reserve_element),
        .reserve_out_fp32(1'b0), .reserve_lines_less_1(reserve_lines_less_1[LINES_WIDTH - 1:0]), .reserve_length(reserve_length),
        .reserve_contributors({1'b0, reserve_contributors}), .grant_valid(m_axis_grant_tvalid), .grant_ready(m_axis_grant_tready),
        .grant_status(grant_status), .grant_entry(grant_entry), .grant_generation(grant_generation),
        .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_entry(partial_entry),
        .partial_generation(partial_generation), .partial_port({1'b0, of_own}), .partial_status(partial_status),
        .partial_element(partial_element), .partial_length(partial_length), .partial_data(partial_data),
        .partial_last(partial_last), .result_valid(m_axis_reduced_tvalid), .result_ready(m_axis_reduced_tready),
        .result_requester(unused_requester), .result_tag(result_tag), .result_status(result_status),
        .result_element(result_element), .result_length(result_length), .result_entry(result_entry),
        .result_data(m_axis_reduced_tdata), .result_last(m_axis_reduced_tlast), .released_valid(1'b0),
        .released_ready(unused_released_ready), .released_entry(16'd0), .command_valid(command_valid),
        .command_ready(command_ready), .command_operation(command_operation), .command_data(command_data),
        .command_done(command_done), .command_refused(command_refused), .port_timeout(32'd0), .initialised(initialised),
        .empty(empty), .draining(draining), .occupancy(occupancy), .timeout_valid(timeout_valid), .timeout_entry(timeout_entry),
        .group_timeout(unused_group_timeout), .freed_valid(freed_valid), .freed_entry(unused_freed_entry),
        .missing_valid(unused_missing_valid), .missing_ports(unused_missing_ports), .events(events), .error_valid(error_valid),
        .error_cause(error_cause), .error_header(error_header), .error_port(error_port)
    );

    wire [2:0] line = result_entry[2:0] & LINE_MASK[2:0];
    wire       unused_result = ^{result_length[9], result_entry[15:3]};
    assign m_axis_reduced_tuser =
        `MOEHUB_REDUCED(result_status, result_element, result_length[8:0], line, result_tag[23:0], result_tag[26:24]);

    // ---- registers ------------------------------------------------------------------------------------------------------
    moehub_switch_csr #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(`MOEHUB_LINE_BYTES), .FLIT_BYTES(16), .MAX_CONTRIBUTORS(CONTRIBUTORS),
        .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(8), .TAG_WIDTH(TAG_WIDTH)
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
endmodule

`default_nettype wire
