// SPDX-License-Identifier: Apache-2.0
// Purpose: the address path of the receiving hub: request in, slot and address out. Semantics: doc/address_path.md.
// Contract:
//   1. The behaviour is that of doc/address_path.md sections 3 to 7; answers leave in order per ingress port.
//   2. A request gets a waiting entry at acceptance and keeps it until its answer is computed: request_ready is low when none is
//      free, while a command runs, and during initialisation. Nothing between acceptance and the pending table ever stalls.
//   3. No combinational path from any input to any output.
// Cost: one request and one answer a cycle; latency of a hit 19 + ceil(ADDRESS_WIDTH / 16) cycles (22 by default);
//   WAITING of at least 16 sustains that rate. Storage: doc/address_path.md section 9.
// Limits: one lookup a cycle; two address paths side by side (contexts or rows interleaved by the integrator) for more.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_address_path #(
    parameter CONTEXTS        = 4,   // 1..8
    parameter LOCAL_EXPERTS   = 64,  // 1..1024, regions per context
    parameter GPUS            = 64,  // 1..1024
    parameter ROW_INDEX_WIDTH = 20,  // 1..32
    parameter SLOT_WIDTH      = 22,  // 1..31
    parameter OFFSET_WIDTH    = 14,  // 4..16
    parameter ADDRESS_WIDTH   = 48,  // 32..64
    parameter SETS            = 128, // power of two, 1..4096
    parameter WAYS            = 4,   // 1..8
    parameter REPLACEMENT     = 0,   // 0 tree pseudo-LRU, 1 FIFO
    parameter PORTS           = 16,  // 1..64
    parameter PENDING         = 64,  // 1..256
    parameter WAITING         = 128, // 2..4096
    parameter TAG_WIDTH       = 24,  // 1..64
    parameter AXI_DATA_WIDTH  = 128, // 32, 64, 128, 256, 512
    parameter ANSWERS         = 32   // answers computed or being computed: covers the answer pipe's latency; fewer in proofs only
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire                                      request_valid,
    output wire                                      request_ready,
    input  wire                                      request_operation,
    input  wire                                      request_first,
    input  wire [2:0]                                request_context,
    input  wire [15:0]                               request_expert,
    input  wire [31:0]                               request_row_index,
    input  wire [15:0]                               request_offset,
    input  wire [8:0]                                request_length,
    input  wire [9:0]                                request_source,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   request_port,
    input  wire [TAG_WIDTH - 1:0]                    request_tag,
    output wire                                      answer_valid,
    input  wire                                      answer_ready,
    output wire [3:0]                                answer_status,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   answer_port,
    output wire [TAG_WIDTH - 1:0]                    answer_tag,
    output wire [SLOT_WIDTH - 1:0]                   answer_slot,
    output wire [ADDRESS_WIDTH - 1:0]                answer_address,
    output wire                                      answer_allocated,
    input  wire                                      command_valid,
    output wire                                      command_ready,
    input  wire [3:0]                                command_operation,
    input  wire [7:0]                                command_context,
    input  wire [15:0]                               command_index,
    input  wire [63:0]                               command_data0,
    input  wire [63:0]                               command_data1,
    output wire                                      result_valid,
    input  wire                                      result_ready,
    output wire                                      result_refused,
    output wire                                      result_in_flight,
    output wire [63:0]                               result_data0,
    output wire [63:0]                               result_data1,
    output wire                                      m_axi_arvalid,
    input  wire                                      m_axi_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]                m_axi_araddr,
    output wire [7:0]                                m_axi_arlen,
    output wire [2:0]                                m_axi_arsize,
    output wire [1:0]                                m_axi_arburst,
    input  wire                                      m_axi_rvalid,
    output wire                                      m_axi_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]               m_axi_rdata,
    input  wire [1:0]                                m_axi_rresp,
    input  wire                                      m_axi_rlast,
    output wire                                      m_axi_awvalid,
    input  wire                                      m_axi_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]                m_axi_awaddr,
    output wire [7:0]                                m_axi_awlen,
    output wire [2:0]                                m_axi_awsize,
    output wire [1:0]                                m_axi_awburst,
    output wire                                      m_axi_wvalid,
    input  wire                                      m_axi_wready,
    output wire [AXI_DATA_WIDTH - 1:0]               m_axi_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]           m_axi_wstrb,
    output wire                                      m_axi_wlast,
    input  wire                                      m_axi_bvalid,
    output wire                                      m_axi_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] m_axi_bid,
    input  wire [1:0]                                m_axi_bresp,
    output wire                                      initialised,
    output wire [CONTEXTS - 1:0]                     in_flight,
    output wire [CONTEXTS - 1:0]                     clear_needed,
    output wire [`MOEHUB_HUB_EVENTS - 1:0]           events,
    output wire [$clog2(WAITING + 1) - 1:0]          waiting_used,
    output wire [$clog2(PENDING + 1) - 1:0]          pending_used,
    output wire                                      error_valid,
    output wire [4:0]                                error_cause,
    output wire [127:0]                              error_header,
    output wire [15:0]                               error_expert,
    output wire [5:0]                                error_port
);

    // ---- parameter rules --------------------------------------------------------------------------------------------------
    localparam BAD_AXI = AXI_DATA_WIDTH != 32 && AXI_DATA_WIDTH != 64 && AXI_DATA_WIDTH != 128 && AXI_DATA_WIDTH != 256
                         && AXI_DATA_WIDTH != 512;
    generate
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
        if (LOCAL_EXPERTS < 1 || LOCAL_EXPERTS > 1024) LOCAL_EXPERTS_must_be_1_to_1024 u_rule ();
        if (GPUS < 1 || GPUS > 1024) GPUS_must_be_1_to_1024 u_rule ();
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) ROW_INDEX_WIDTH_must_be_1_to_32 u_rule ();
        if (SLOT_WIDTH < 1 || SLOT_WIDTH > 31) SLOT_WIDTH_must_be_1_to_31 u_rule ();
        if (OFFSET_WIDTH < 4 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_4_to_16 u_rule ();
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
        if (PORTS < 1 || PORTS > 64) PORTS_must_be_1_to_64 u_rule ();
        if (PENDING < 1 || PENDING > 256) PENDING_must_be_1_to_256 u_rule ();
        if (WAITING < 2 || WAITING > 4096) WAITING_must_be_2_to_4096 u_rule ();
        if (TAG_WIDTH < 1 || TAG_WIDTH > 64) TAG_WIDTH_must_be_1_to_64 u_rule ();
        if (BAD_AXI) AXI_DATA_WIDTH_must_be_32_64_128_256_or_512 u_rule ();
    endgenerate
`ifndef SYNTHESIS
    initial begin
        if (CONTEXTS < 1 || CONTEXTS > 8) $display("%m: CONTEXTS %0d out of range (1..8)", CONTEXTS);
        if (LOCAL_EXPERTS < 1 || LOCAL_EXPERTS > 1024) $display("%m: LOCAL_EXPERTS %0d out of range (1..1024)", LOCAL_EXPERTS);
        if (GPUS < 1 || GPUS > 1024) $display("%m: GPUS %0d out of range (1..1024)", GPUS);
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) $display("%m: ROW_INDEX_WIDTH %0d out of range (1..32)", ROW_INDEX_WIDTH);
        if (SLOT_WIDTH < 1 || SLOT_WIDTH > 31) $display("%m: SLOT_WIDTH %0d out of range (1..31)", SLOT_WIDTH);
        if (OFFSET_WIDTH < 4 || OFFSET_WIDTH > 16) $display("%m: OFFSET_WIDTH %0d out of range (4..16)", OFFSET_WIDTH);
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) $display("%m: ADDRESS_WIDTH %0d out of range (32..64)", ADDRESS_WIDTH);
        if (PORTS < 1 || PORTS > 64) $display("%m: PORTS %0d out of range (1..64)", PORTS);
        if (PENDING < 1 || PENDING > 256) $display("%m: PENDING %0d out of range (1..256)", PENDING);
        if (WAITING < 2 || WAITING > 4096) $display("%m: WAITING %0d out of range (2..4096)", WAITING);
        if (TAG_WIDTH < 1 || TAG_WIDTH > 64) $display("%m: TAG_WIDTH %0d out of range (1..64)", TAG_WIDTH);
        if (BAD_AXI) $display("%m: AXI_DATA_WIDTH %0d is none of 32, 64, 128, 256, 512", AXI_DATA_WIDTH);
    end
`endif

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EXPERT_WIDTH  = `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam ID_WIDTH      = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam SET_WIDTH     = `MOEHUB_INDEX_WIDTH(SETS);
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS);
    localparam PEER_WIDTH    = `MOEHUB_INDEX_WIDTH(CONTEXTS * ((GPUS + 31) / 32));
    localparam EPOCH_WIDTH   = 32 - SLOT_WIDTH;
    localparam COUNT_WIDTH   = $clog2(WAITING + ANSWERS + 8);

    // ---- context table and commands ---------------------------------------------------------------------------------------------
    wire                                   open;
    wire                                   front_empty;
    wire [CONTEXTS - 1:0]                  enabled;
    wire [CONTEXTS * EPOCH_WIDTH - 1:0]    epochs;
    wire [CONTEXTS * ADDRESS_WIDTH - 1:0]  table_bases;
    wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0] row_limits;
    wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0] row_sizes;
    wire                                   set_clear;
    wire [SET_WIDTH - 1:0]                 set_address;
    wire                                   invalidate_start;
    wire [CONTEXT_WIDTH - 1:0]             invalidate_context;
    wire                                   invalidate_busy;
    wire                                   region_write;
    wire                                   next_clear;
    wire                                   region_read;
    wire [REGION_WIDTH - 1:0]              region_address;
    wire [ADDRESS_WIDTH - 1:0]             region_base;
    wire [SLOT_WIDTH - 1:0]                region_capacity;
    wire [SLOT_WIDTH - 1:0]                read_capacity;
    wire [31:0]                            read_next;
    wire                                   base_read;
    wire                                   base_read_done;
    wire [ADDRESS_WIDTH - 1:0]             base_word;
    wire                                   peers_write;
    wire [PEER_WIDTH - 1:0]                peers_address;
    wire [31:0]                            peers_word;
    wire                                   refused_valid;
    wire [3:0]                             refused_operation;
    wire [2:0]                             refused_context;
    wire [15:0]                            refused_index;

    moehub_context_table #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS)
    ) u_contexts (
        .clk(clk), .rst(rst),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1),
        .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1),
        .initialised(initialised), .open(open), .front_empty(front_empty), .in_flight(in_flight),
        .enabled(enabled), .clear_needed(clear_needed), .epochs(epochs), .table_bases(table_bases), .row_limits(row_limits),
        .row_sizes(row_sizes),
        .set_clear(set_clear), .set_address(set_address), .invalidate_start(invalidate_start),
        .invalidate_context(invalidate_context), .invalidate_busy(invalidate_busy),
        .region_write(region_write), .next_clear(next_clear), .region_read(region_read), .region_address(region_address),
        .region_base(region_base), .region_capacity(region_capacity), .read_capacity(read_capacity), .read_next(read_next),
        .base_read(base_read), .base_read_done(base_read_done), .base_word(base_word),
        .peers_write(peers_write), .peers_address(peers_address), .peers_word(peers_word),
        .refused_valid(refused_valid), .refused_operation(refused_operation), .refused_context(refused_context),
        .refused_index(refused_index)
    );

    // ---- acceptance: a request takes a waiting entry -------------------------------------------------------------------------------
    reg                     request_ready_q;
    wire                    accept = request_valid && request_ready_q;
    wire                    id_valid;
    wire                    id_next_valid;
    wire [ID_WIDTH - 1:0]   id;
    wire                    done_valid;
    wire [ID_WIDTH - 1:0]   done_id;
    assign request_ready = request_ready_q;

    moehub_free_list #(.ENTRIES(WAITING)) u_waiting (
        .clk(clk), .rst(rst), .valid(id_valid), .next_valid(id_next_valid), .id(id), .take(accept),
        .put_valid(done_valid), .put_id(done_id), .used(waiting_used)
    );

    always @(posedge clk) begin
        request_ready_q <= id_next_valid && open;
        if (rst) request_ready_q <= 1'b0;
    end

    reg                    accepted_valid_q;
    reg [ID_WIDTH - 1:0]   accepted_id_q;
    reg                    accepted_operation_q;
    reg                    accepted_first_q;
    reg [2:0]              accepted_context_q;
    reg [15:0]             accepted_expert_q;
    reg [31:0]             accepted_row_index_q;
    reg [15:0]             accepted_offset_q;
    reg [8:0]              accepted_length_q;
    reg [9:0]              accepted_source_q;
    reg [PORT_WIDTH - 1:0] accepted_port_q;
    reg [TAG_WIDTH - 1:0]  accepted_tag_q;

    always @(posedge clk) begin
        accepted_valid_q <= accept;
        if (rst) accepted_valid_q <= 1'b0;
    end
    always @(posedge clk) begin
        accepted_id_q        <= id;
        accepted_operation_q <= request_operation;
        accepted_first_q     <= request_first;
        accepted_context_q   <= request_context;
        accepted_expert_q    <= request_expert;
        accepted_row_index_q <= request_row_index;
        accepted_offset_q    <= request_offset;
        accepted_length_q    <= request_length;
        accepted_source_q    <= request_source;
        accepted_port_q      <= request_port;
        accepted_tag_q       <= request_tag;
    end

    // ---- AAU ---------------------------------------------------------------------------------------------------------------------------
    wire                         key_valid;
    wire [CONTEXT_WIDTH - 1:0]   key_context;
    wire [EXPERT_WIDTH - 1:0]    key_expert;
    wire [ROW_INDEX_WIDTH - 1:0] key_row_index;
    wire [EPOCH_WIDTH - 1:0]     key_epoch;
    wire                         verdict_valid;
    wire [ID_WIDTH - 1:0]        verdict_id;
    wire [PORT_WIDTH - 1:0]      verdict_port;
    wire [2:0]                   verdict_status;
    wire                         verdict_first;
    wire [SLOT_WIDTH - 1:0]      verdict_value;

    moehub_addr_alloc #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .PORTS(PORTS), .WAITING(WAITING)
    ) u_addr_alloc (
        .clk(clk), .rst(rst), .enabled(enabled), .epochs(epochs), .row_limits(row_limits), .row_sizes(row_sizes),
        .region_write(region_write), .next_clear(next_clear), .region_read(region_read), .region_address(region_address),
        .region_capacity(region_capacity), .read_capacity(read_capacity), .read_next(read_next),
        .peers_write(peers_write), .peers_address(peers_address), .peers_word(peers_word),
        .accepted_valid(accepted_valid_q), .accepted_id(accepted_id_q), .accepted_operation(accepted_operation_q),
        .accepted_first(accepted_first_q), .accepted_context(accepted_context_q), .accepted_expert(accepted_expert_q),
        .accepted_row_index(accepted_row_index_q), .accepted_offset(accepted_offset_q), .accepted_length(accepted_length_q),
        .accepted_source(accepted_source_q), .accepted_port(accepted_port_q),
        .key_valid(key_valid), .key_context(key_context), .key_expert(key_expert), .key_row_index(key_row_index),
        .key_epoch(key_epoch),
        .verdict_valid(verdict_valid), .verdict_id(verdict_id), .verdict_port(verdict_port), .verdict_status(verdict_status),
        .verdict_first(verdict_first), .verdict_value(verdict_value)
    );

    // ---- AL-TLB -------------------------------------------------------------------------------------------------------------------------
    wire                         start_valid;
    wire [ENTRY_WIDTH - 1:0]     start_entry;
    wire                         start_first;
    wire [SLOT_WIDTH - 1:0]      start_value;
    wire [CONTEXT_WIDTH - 1:0]   start_context;
    wire [EXPERT_WIDTH - 1:0]    start_expert;
    wire [ROW_INDEX_WIDTH - 1:0] start_row_index;
    wire                         fill_valid;
    wire [ENTRY_WIDTH - 1:0]     fill_entry;
    wire [1:0]                   fill_state;
    wire [SLOT_WIDTH - 1:0]      fill_slot;
    wire                         written_valid;
    wire [ENTRY_WIDTH - 1:0]     written_entry;
    wire                         value_valid;
    wire [ID_WIDTH - 1:0]        value_id;
    wire [2:0]                   value_status;
    wire                         value_first;
    wire [SLOT_WIDTH - 1:0]      value_slot;
    wire                         ready_valid;
    wire                         ready_ready;
    wire [ID_WIDTH - 1:0]        ready_id;
    wire                         ready_wait;
    wire [ENTRY_WIDTH - 1:0]     ready_entry;
    wire                         consumed_valid;
    wire [ENTRY_WIDTH - 1:0]     consumed_entry;
    wire [CONTEXTS - 1:0]        operations_in_flight;
    wire                         event_lookup;
    wire                         event_miss;
    wire                         event_evict;
    wire                         event_first;
    wire                         event_waited_line;
    wire                         event_waited_entry;

    moehub_al_tlb #(
        .CONTEXTS(CONTEXTS), .CONTEXT_WIDTH(CONTEXT_WIDTH), .EXPERT_WIDTH(EXPERT_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .SETS(SETS), .WAYS(WAYS), .REPLACEMENT(REPLACEMENT), .PORTS(PORTS), .PENDING(PENDING),
        .WAITING(WAITING)
    ) u_al_tlb (
        .clk(clk), .rst(rst), .clear_enable(set_clear), .clear_set(set_address), .invalidate_start(invalidate_start),
        .invalidate_context(invalidate_context), .invalidate_busy(invalidate_busy),
        .key_valid(key_valid), .key_context(key_context), .key_expert(key_expert), .key_row_index(key_row_index),
        .key_epoch(key_epoch),
        .verdict_valid(verdict_valid), .verdict_id(verdict_id), .verdict_port(verdict_port), .verdict_status(verdict_status),
        .verdict_first(verdict_first), .verdict_value(verdict_value),
        .start_valid(start_valid), .start_entry(start_entry), .start_first(start_first), .start_value(start_value),
        .start_context(start_context), .start_expert(start_expert), .start_row_index(start_row_index),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_state(fill_state), .fill_slot(fill_slot),
        .written_valid(written_valid), .written_entry(written_entry),
        .value_valid(value_valid), .value_id(value_id), .value_status(value_status), .value_first(value_first),
        .value_slot(value_slot),
        .ready_valid(ready_valid), .ready_ready(ready_ready), .ready_id(ready_id), .ready_wait(ready_wait),
        .ready_entry(ready_entry), .consumed_valid(consumed_valid), .consumed_entry(consumed_entry),
        .in_flight(operations_in_flight), .pending_used(pending_used),
        .event_lookup(event_lookup), .event_miss(event_miss), .event_evict(event_evict), .event_first(event_first),
        .event_waited_line(event_waited_line), .event_waited_entry(event_waited_entry)
    );

    // ---- walker ----------------------------------------------------------------------------------------------------------------------------
    wire                         read_error_valid;
    wire                         read_error_repeated;
    wire [CONTEXT_WIDTH - 1:0]   read_error_context;
    wire [EXPERT_WIDTH - 1:0]    read_error_expert;
    wire [ROW_INDEX_WIDTH - 1:0] read_error_row_index;
    wire                         write_error_valid;
    wire [CONTEXT_WIDTH - 1:0]   write_error_context;
    wire [EXPERT_WIDTH - 1:0]    write_error_expert;
    wire [ROW_INDEX_WIDTH - 1:0] write_error_row_index;

    moehub_al_walker #(
        .CONTEXTS(CONTEXTS), .CONTEXT_WIDTH(CONTEXT_WIDTH), .EXPERT_WIDTH(EXPERT_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .PENDING(PENDING), .AXI_DATA_WIDTH(AXI_DATA_WIDTH)
    ) u_walker (
        .clk(clk), .rst(rst), .initialised(initialised), .epochs(epochs), .row_limits(row_limits), .table_bases(table_bases),
        .start_valid(start_valid), .start_entry(start_entry), .start_first(start_first), .start_value(start_value),
        .start_context(start_context), .start_expert(start_expert), .start_row_index(start_row_index),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_state(fill_state), .fill_slot(fill_slot),
        .written_valid(written_valid), .written_entry(written_entry),
        .read_error_valid(read_error_valid), .read_error_repeated(read_error_repeated), .read_error_context(read_error_context),
        .read_error_expert(read_error_expert), .read_error_row_index(read_error_row_index),
        .write_error_valid(write_error_valid), .write_error_context(write_error_context), .write_error_expert(write_error_expert),
        .write_error_row_index(write_error_row_index),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr),
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready), .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready), .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp)
    );
    assign m_axi_arlen   = 8'd0;
    assign m_axi_arsize  = 3'd2;
    assign m_axi_arburst = 2'd1;
    assign m_axi_awlen   = 8'd0;
    assign m_axi_awsize  = 3'd2;
    assign m_axi_awburst = 2'd1;
    assign m_axi_wlast   = 1'b1;

    // ---- answers ------------------------------------------------------------------------------------------------------------------------------
    wire [2:0]   answer_context;
    wire         refusal_valid;
    wire [2:0]   refusal_status;
    wire [127:0] refusal_header;
    wire [15:0]  refusal_expert;
    wire [5:0]   refusal_port;

    moehub_answer_pipe #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH), .ANSWERS(ANSWERS)
    ) u_answers (
        .clk(clk), .rst(rst), .row_sizes(row_sizes),
        .base_write(region_write), .base_address(region_address), .base_data(region_base), .base_read(base_read),
        .base_read_done(base_read_done), .base_word(base_word),
        .accepted_valid(accepted_valid_q), .accepted_id(accepted_id_q), .accepted_operation(accepted_operation_q),
        .accepted_first(accepted_first_q), .accepted_context(accepted_context_q), .accepted_expert(accepted_expert_q),
        .accepted_row_index(accepted_row_index_q), .accepted_offset(accepted_offset_q), .accepted_length(accepted_length_q),
        .accepted_source(accepted_source_q), .accepted_port(accepted_port_q), .accepted_tag(accepted_tag_q),
        .value_valid(value_valid), .value_id(value_id), .value_status(value_status), .value_first(value_first),
        .value_slot(value_slot),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_state(fill_state), .fill_slot(fill_slot),
        .ready_valid(ready_valid), .ready_ready(ready_ready), .ready_id(ready_id), .ready_wait(ready_wait),
        .ready_entry(ready_entry), .done_valid(done_valid), .done_id(done_id), .consumed_valid(consumed_valid),
        .consumed_entry(consumed_entry),
        .answer_valid(answer_valid), .answer_ready(answer_ready), .answer_status(answer_status), .answer_port(answer_port),
        .answer_tag(answer_tag), .answer_slot(answer_slot), .answer_address(answer_address), .answer_allocated(answer_allocated),
        .answer_context(answer_context),
        .error_valid(refusal_valid), .error_status(refusal_status), .error_header(refusal_header), .error_expert(refusal_expert),
        .error_port(refusal_port)
    );

    // ---- what is in flight ------------------------------------------------------------------------------------------------------------------------
    localparam [ID_WIDTH:0] FRONT_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;
    reg [ID_WIDTH:0] front_q; // requests accepted that the pending table has not passed
    reg              answered_q;
    reg [2:0]        answered_context_q;
    assign front_empty = front_q == {ID_WIDTH + 1{1'b0}};

    always @(posedge clk) begin
        answered_q         <= answer_valid && answer_ready;
        answered_context_q <= answer_context;
        if (rst) answered_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (accept && !value_valid) front_q <= front_q + FRONT_ONE;
        if (value_valid && !accept) front_q <= front_q - FRONT_ONE;
        if (rst) front_q <= {ID_WIDTH + 1{1'b0}};
    end

    reg  [CONTEXTS - 1:0] in_flight_q;
    wire [CONTEXTS - 1:0] requests_in_flight;
    assign in_flight = in_flight_q;

    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NAME = c;
            reg  [COUNT_WIDTH - 1:0] count_q;
            wire enter = accept && request_context == NAME[2:0];
            wire leave = answered_q && answered_context_q == NAME[2:0];
            assign requests_in_flight[c] = count_q != {COUNT_WIDTH{1'b0}};
            always @(posedge clk) begin
                if (enter && !leave) count_q <= count_q + COUNT_ONE;
                if (leave && !enter) count_q <= count_q - COUNT_ONE;
                in_flight_q[c] <= requests_in_flight[c] || operations_in_flight[c];
                if (rst) begin
                    count_q        <= {COUNT_WIDTH{1'b0}};
                    in_flight_q[c] <= 1'b0;
                end
            end
        end
    endgenerate

    // ---- events ----------------------------------------------------------------------------------------------------------------------------------------
    reg [`MOEHUB_HUB_EVENTS - 1:0] events_q;
    assign events = events_q;

    function [127:0] name_header(input [3:0] kind, input [2:0] number, input [31:0] row_index);
        begin
            name_header = 128'd0;
            name_header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]           = kind;
            name_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = number;
            name_header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index;
        end
    endfunction

    // Status 1..7 are the causes 0..6.
    wire [2:0] refusal_cause = refusal_status - 3'd1;

    always @(posedge clk) begin
        events_q[`MOEHUB_HUB_EVENT_REQUESTS]     <= accept;
        events_q[`MOEHUB_HUB_EVENT_LOOKUPS]      <= event_lookup;
        events_q[`MOEHUB_HUB_EVENT_HITS]         <= event_lookup && !event_miss;
        events_q[`MOEHUB_HUB_EVENT_MISSES]       <= event_miss;
        events_q[`MOEHUB_HUB_EVENT_EVICTIONS]    <= event_evict;
        events_q[`MOEHUB_HUB_EVENT_TABLE_READS]  <= event_first || event_miss;
        events_q[`MOEHUB_HUB_EVENT_TABLE_WRITES] <= event_first;
        events_q[`MOEHUB_HUB_EVENT_ALLOCATIONS]  <= event_first;
        events_q[`MOEHUB_HUB_EVENT_CAUSES +: 7]  <= {6'd0, refusal_valid} << refusal_cause;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_REPEATED]    <= read_error_valid && read_error_repeated;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_TABLE_READ]  <= read_error_valid && !read_error_repeated;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_TABLE_WRITE] <= write_error_valid;
        events_q[`MOEHUB_HUB_EVENT_CAUSES + `MOEHUB_HUB_CAUSE_COMMAND]     <= refused_valid;
        events_q[`MOEHUB_HUB_EVENT_REQUEST_STALLED]     <= request_valid && !request_ready_q;
        events_q[`MOEHUB_HUB_EVENT_ANSWER_STALLED]      <= answer_valid && !answer_ready;
        events_q[`MOEHUB_HUB_EVENT_TABLE_READ_STALLED]  <= m_axi_arvalid && !m_axi_arready;
        events_q[`MOEHUB_HUB_EVENT_TABLE_WRITE_STALLED] <= (m_axi_awvalid && !m_axi_awready) || (m_axi_wvalid && !m_axi_wready);
        events_q[`MOEHUB_HUB_EVENT_WAITED_VICTIM]       <= event_waited_line;
        events_q[`MOEHUB_HUB_EVENT_WAITED_PENDING]      <= event_waited_entry;
        events_q[`MOEHUB_HUB_EVENT_WAITED_WAITING]      <= request_valid && open && !id_valid;
        if (rst) events_q <= {`MOEHUB_HUB_EVENTS{1'b0}};
    end

    // ---- candidate for the error latch: the smallest cause of the cycle ------------------------------------------------------------------------------
    reg         error_valid_q;
    reg [4:0]   error_cause_q;
    reg [127:0] error_header_q;
    reg [15:0]  error_expert_q;
    reg [5:0]   error_port_q;

    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;
    assign error_expert = error_expert_q;
    assign error_port   = error_port_q;

    wire [31:0] read_row  = {{32 - ROW_INDEX_WIDTH{1'b0}}, read_error_row_index};
    wire [31:0] write_row = {{32 - ROW_INDEX_WIDTH{1'b0}}, write_error_row_index};
    wire [2:0]  read_context;
    wire [2:0]  write_context;
    generate
        if (CONTEXT_WIDTH == 3) begin : g_context_full
            assign read_context  = read_error_context;
            assign write_context = write_error_context;
        end else begin : g_context_padded
            assign read_context  = {{3 - CONTEXT_WIDTH{1'b0}}, read_error_context};
            assign write_context = {{3 - CONTEXT_WIDTH{1'b0}}, write_error_context};
        end
    endgenerate

    always @(posedge clk) begin
        error_valid_q <= refusal_valid || read_error_valid || write_error_valid || refused_valid;
        if (rst) error_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        error_port_q <= 6'd0;
        if (refusal_valid) begin
            error_cause_q  <= {2'd0, refusal_cause};
            error_header_q <= refusal_header;
            error_expert_q <= refusal_expert;
            error_port_q   <= refusal_port;
        end else if (read_error_valid) begin
            error_cause_q  <= read_error_repeated ? 5'd`MOEHUB_HUB_CAUSE_REPEATED : 5'd`MOEHUB_HUB_CAUSE_TABLE_READ;
            error_header_q <= name_header(4'd0, read_context, read_row);
            error_expert_q <= {{16 - EXPERT_WIDTH{1'b0}}, read_error_expert};
        end else if (write_error_valid) begin
            error_cause_q  <= 5'd`MOEHUB_HUB_CAUSE_TABLE_WRITE;
            error_header_q <= name_header(4'd0, write_context, write_row);
            error_expert_q <= {{16 - EXPERT_WIDTH{1'b0}}, write_error_expert};
        end else begin
            error_cause_q  <= 5'd`MOEHUB_HUB_CAUSE_COMMAND;
            error_header_q <= name_header(refused_operation, refused_context, 32'd0);
            error_expert_q <= refused_index;
        end
    end

    wire unused = &{1'b0, m_axi_rlast};
endmodule

`default_nettype wire
