// SPDX-License-Identifier: Apache-2.0
// The main job's design: the address path of one hub and the reduction buffer of its switch port, side by side on one
// clock. The switch's parameters carry the prefix SWITCH_, its ports the prefix switch_.
`default_nettype none

`include "moehub_defines.vh"
`include "moehub_width.vh"

// Joined by name from the headers of the parts: `make faces` writes it from main_job.face.
module main_job #(
    parameter CONTEXTS                = 4,   // 1..8
    parameter LOCAL_EXPERTS           = 64,  // 1..1024, regions per context
    parameter GPUS                    = 64,  // 1..1024
    parameter ROW_INDEX_WIDTH         = 20,  // 1..32
    parameter SLOT_WIDTH              = 22,  // 1..31
    parameter OFFSET_WIDTH            = 14,  // 4..16
    parameter ADDRESS_WIDTH           = 48,  // 32..64
    parameter SETS                    = 128, // power of two, 1..4096
    parameter WAYS                    = 4,   // 1..8
    parameter REPLACEMENT             = 0,   // 0 tree pseudo-LRU, 1 FIFO
    parameter PORTS                   = 16,  // 1..64
    parameter PENDING                 = 64,  // 1..256
    parameter WAITING                 = 128, // 2..4096
    parameter TAG_WIDTH               = 24,  // 1..64
    parameter AXI_DATA_WIDTH          = 128, // 32, 64, 128, 256, 512
    parameter STAGES                  = 1,   // 1, 2: row sizes a context, bases a region
    parameter LENGTH_WIDTH            = 9,   // 9..11, bits of a request's length
    parameter PARITY                  = 0,   // 1: a parity bit in every memory word
    parameter SWITCH_ENTRIES          = 107, // 1..4096
    parameter SWITCH_PORTS            = 64,  // 2..64
    parameter SWITCH_PAYLOAD_BYTES    = 128, // a multiple of FLIT_BYTES, up to 256
    parameter SWITCH_FLIT_BYTES       = 16,  // 4, 8, 16, 32, 64
    parameter SWITCH_MAX_CONTRIBUTORS = 64,  // 1..64
    parameter SWITCH_WITH_FP32        = 1,   // 0, 1
    parameter SWITCH_GENERATION_WIDTH = 8,   // 1..8
    parameter SWITCH_TAG_WIDTH        = 24,  // 1..64
    parameter SWITCH_PARITY           = 0    // 0..16: parity bits of a memory word
) (
    input  wire                                                clk,
    input  wire                                                rst,
    input  wire                                                request_valid,
    output wire                                                request_ready,
    input  wire                                                request_operation,
    input  wire                                                request_first,
    input  wire [2:0]                                          request_context,
    input  wire [15:0]                                         request_expert,
    input  wire [31:0]                                         request_row_index,
    input  wire [15:0]                                         request_offset,
    input  wire [LENGTH_WIDTH - 1:0]                           request_length,
    input  wire [9:0]                                          request_source,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]             request_port,
    input  wire [TAG_WIDTH - 1:0]                              request_tag,
    output wire                                                answer_valid,
    input  wire                                                answer_ready,
    output wire [3:0]                                          answer_status,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]             answer_port,
    output wire [TAG_WIDTH - 1:0]                              answer_tag,
    output wire [SLOT_WIDTH - 1:0]                             answer_slot,
    output wire [ADDRESS_WIDTH - 1:0]                          answer_address,
    output wire                                                answer_allocated,
    input  wire                                                command_valid,
    output wire                                                command_ready,
    input  wire [3:0]                                          command_operation,
    input  wire [7:0]                                          command_context,
    input  wire [15:0]                                         command_index,
    input  wire [63:0]                                         command_data0,
    input  wire [63:0]                                         command_data1,
    output wire                                                result_valid,
    input  wire                                                result_ready,
    output wire                                                result_refused,
    output wire                                                result_in_flight,
    output wire [63:0]                                         result_data0,
    output wire [63:0]                                         result_data1,
    output wire                                                m_axi_arvalid,
    input  wire                                                m_axi_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]                          m_axi_araddr,
    output wire [7:0]                                          m_axi_arlen,
    output wire [2:0]                                          m_axi_arsize,
    output wire [1:0]                                          m_axi_arburst,
    input  wire                                                m_axi_rvalid,
    output wire                                                m_axi_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]                         m_axi_rdata,
    input  wire [1:0]                                          m_axi_rresp,
    input  wire                                                m_axi_rlast,
    output wire                                                m_axi_awvalid,
    input  wire                                                m_axi_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]                          m_axi_awaddr,
    output wire [7:0]                                          m_axi_awlen,
    output wire [2:0]                                          m_axi_awsize,
    output wire [1:0]                                          m_axi_awburst,
    output wire                                                m_axi_wvalid,
    input  wire                                                m_axi_wready,
    output wire [AXI_DATA_WIDTH - 1:0]                         m_axi_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]                     m_axi_wstrb,
    output wire                                                m_axi_wlast,
    input  wire                                                m_axi_bvalid,
    output wire                                                m_axi_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]           m_axi_bid,
    input  wire [1:0]                                          m_axi_bresp,
    output wire                                                initialised,
    output wire [CONTEXTS - 1:0]                               in_flight,
    output wire [CONTEXTS - 1:0]                               clear_needed,
    output wire [CONTEXTS - 1:0]                               enabled,
    output wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    output wire [CONTEXTS - 1:0]                               faults,
    output wire [`MOEHUB_HUB_EVENTS - 1:0]                     events,
    output wire [$clog2(WAITING + 1) - 1:0]                    waiting_used,
    output wire [$clog2(PENDING + 1) - 1:0]                    pending_used,
    output wire                                                error_valid,
    output wire [4:0]                                          error_cause,
    output wire [127:0]                                        error_header,
    output wire [15:0]                                         error_expert,
    output wire [5:0]                                          error_port,

    input  wire [`MOEHUB_INDEX_WIDTH(SWITCH_PORTS) - 1:0] switch_own_port,

    input  wire                          switch_reserve_valid,
    output wire                          switch_reserve_ready,
    input  wire [9:0]                    switch_reserve_requester,
    input  wire [SWITCH_TAG_WIDTH - 1:0] switch_reserve_tag,
    input  wire [1:0]                    switch_reserve_element,
    input  wire                          switch_reserve_out_fp32,
    input  wire [8:0]                    switch_reserve_length,
    input  wire [SWITCH_PORTS - 1:0]     switch_reserve_contributors,

    output wire        switch_grant_valid,
    input  wire        switch_grant_ready,
    output wire [3:0]  switch_grant_status,
    output wire [15:0] switch_grant_entry,
    output wire [7:0]  switch_grant_generation,

    input  wire                                           switch_partial_valid,
    output wire                                           switch_partial_ready,
    input  wire [15:0]                                    switch_partial_entry,
    input  wire [7:0]                                     switch_partial_generation,
    input  wire [`MOEHUB_INDEX_WIDTH(SWITCH_PORTS) - 1:0] switch_partial_port,
    input  wire [3:0]                                     switch_partial_status,
    input  wire [1:0]                                     switch_partial_element,
    input  wire [8:0]                                     switch_partial_length,
    input  wire [8 * SWITCH_FLIT_BYTES - 1:0]             switch_partial_data,
    input  wire                                           switch_partial_last,

    output wire                               switch_result_valid,
    input  wire                               switch_result_ready,
    output wire [9:0]                         switch_result_requester,
    output wire [SWITCH_TAG_WIDTH - 1:0]      switch_result_tag,
    output wire [3:0]                         switch_result_status,
    output wire [1:0]                         switch_result_element,
    output wire [9:0]                         switch_result_length,
    output wire [15:0]                        switch_result_entry,
    output wire [8 * SWITCH_FLIT_BYTES - 1:0] switch_result_data,
    output wire                               switch_result_last,

    input  wire        switch_command_valid,
    output wire        switch_command_ready,
    input  wire [3:0]  switch_command_operation,
    input  wire [31:0] switch_command_data,
    output wire        switch_command_done,
    output wire        switch_command_refused,

    output wire                                  switch_initialised,
    output wire                                  switch_empty,
    output wire                                  switch_draining,
    output wire [15:0]                           switch_occupancy,
    output wire                                  switch_timeout_valid,
    output wire [15:0]                           switch_timeout_entry,
    output wire [`MOEHUB_REDUCTION_EVENTS - 1:0] switch_events,
    output wire                                  switch_error_valid,
    output wire [4:0]                            switch_error_cause,
    output wire [127:0]                          switch_error_header,
    output wire [5:0]                            switch_error_port
);
    wire                      unused_switch_released_ready;
    wire [31:0]               unused_switch_group_timeout;
    wire                      unused_switch_freed_valid;
    wire [15:0]               unused_switch_freed_entry;
    wire                      unused_switch_missing_valid;
    wire [SWITCH_PORTS - 1:0] unused_switch_missing_ports;

    moehub_address_path #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .WAYS(WAYS),
        .REPLACEMENT(REPLACEMENT), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH),
        .AXI_DATA_WIDTH(AXI_DATA_WIDTH), .STAGES(STAGES), .LENGTH_WIDTH(LENGTH_WIDTH), .PARITY(PARITY)
    ) u_address_path (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_ready(request_ready), .request_operation(request_operation),
        .request_first(request_first), .request_context(request_context), .request_expert(request_expert),
        .request_row_index(request_row_index), .request_offset(request_offset), .request_length(request_length),
        .request_source(request_source), .request_port(request_port), .request_tag(request_tag), .answer_valid(answer_valid),
        .answer_ready(answer_ready), .answer_status(answer_status), .answer_port(answer_port), .answer_tag(answer_tag),
        .answer_slot(answer_slot), .answer_address(answer_address), .answer_allocated(answer_allocated),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr),
        .m_axi_arlen(m_axi_arlen), .m_axi_arsize(m_axi_arsize), .m_axi_arburst(m_axi_arburst), .m_axi_rvalid(m_axi_rvalid),
        .m_axi_rready(m_axi_rready), .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata), .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast), .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awid(m_axi_awid),
        .m_axi_awaddr(m_axi_awaddr), .m_axi_awlen(m_axi_awlen), .m_axi_awsize(m_axi_awsize), .m_axi_awburst(m_axi_awburst),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_wlast(m_axi_wlast), .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready), .m_axi_bid(m_axi_bid),
        .m_axi_bresp(m_axi_bresp), .initialised(initialised), .in_flight(in_flight), .clear_needed(clear_needed),
        .enabled(enabled), .row_sizes(row_sizes), .faults(faults), .events(events), .waiting_used(waiting_used),
        .pending_used(pending_used), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_expert(error_expert), .error_port(error_port)
    );

    moehub_reduction_buffer #(
        .ENTRIES(SWITCH_ENTRIES), .PORTS(SWITCH_PORTS), .PAYLOAD_BYTES(SWITCH_PAYLOAD_BYTES), .FLIT_BYTES(SWITCH_FLIT_BYTES),
        .MAX_CONTRIBUTORS(SWITCH_MAX_CONTRIBUTORS), .WITH_FP32(SWITCH_WITH_FP32), .GENERATION_WIDTH(SWITCH_GENERATION_WIDTH),
        .TAG_WIDTH(SWITCH_TAG_WIDTH), .PARITY(SWITCH_PARITY)
    ) u_reduction_buffer (
        .clk(clk), .rst(rst), .own_port(switch_own_port), .reserve_valid(switch_reserve_valid),
        .reserve_ready(switch_reserve_ready), .reserve_requester(switch_reserve_requester), .reserve_tag(switch_reserve_tag),
        .reserve_element(switch_reserve_element), .reserve_out_fp32(switch_reserve_out_fp32), .reserve_lines_less_1(1'b0),
        .reserve_length(switch_reserve_length), .reserve_contributors(switch_reserve_contributors),
        .grant_valid(switch_grant_valid), .grant_ready(switch_grant_ready), .grant_status(switch_grant_status),
        .grant_entry(switch_grant_entry), .grant_generation(switch_grant_generation), .partial_valid(switch_partial_valid),
        .partial_ready(switch_partial_ready), .partial_entry(switch_partial_entry),
        .partial_generation(switch_partial_generation), .partial_port(switch_partial_port),
        .partial_status(switch_partial_status), .partial_element(switch_partial_element), .partial_length(switch_partial_length),
        .partial_data(switch_partial_data), .partial_last(switch_partial_last), .result_valid(switch_result_valid),
        .result_ready(switch_result_ready), .result_requester(switch_result_requester), .result_tag(switch_result_tag),
        .result_status(switch_result_status), .result_element(switch_result_element), .result_length(switch_result_length),
        .result_entry(switch_result_entry), .result_data(switch_result_data), .result_last(switch_result_last),
        .released_valid(1'b0), .released_ready(unused_switch_released_ready), .released_entry(16'd0),
        .command_valid(switch_command_valid), .command_ready(switch_command_ready), .command_operation(switch_command_operation),
        .command_data(switch_command_data), .command_done(switch_command_done), .command_refused(switch_command_refused),
        .port_timeout(32'd0), .initialised(switch_initialised), .empty(switch_empty), .draining(switch_draining),
        .occupancy(switch_occupancy), .timeout_valid(switch_timeout_valid), .timeout_entry(switch_timeout_entry),
        .group_timeout(unused_switch_group_timeout), .freed_valid(unused_switch_freed_valid),
        .freed_entry(unused_switch_freed_entry), .missing_valid(unused_switch_missing_valid),
        .missing_ports(unused_switch_missing_ports), .events(switch_events), .error_valid(switch_error_valid),
        .error_cause(switch_error_cause), .error_header(switch_error_header), .error_port(switch_error_port)
    );
endmodule

`default_nettype wire
