// SPDX-License-Identifier: Apache-2.0
// Purpose: the address path of the receiving hub: request in, slot and address out. Semantics: doc/address_path.md, with two
//   stages doc/hub/address_stages.md.
// Contract:
//   1. The behaviour is that of doc/address_path.md sections 3 to 7; answers leave in order per ingress port.
//   2. A request gets a waiting entry at acceptance and keeps it until its answer is computed: request_ready is low when none is
//      free, while a command runs, and during initialisation. Nothing between acceptance and the pending table ever stalls.
//   3. No combinational path from any input to any output.
// Cost: one request and one answer a cycle; latency of a hit 19 + ceil(ADDRESS_WIDTH / 16) cycles (22 by default);
//   WAITING of at least 16 sustains that rate. Storage: doc/address_path.md section 9.
// Limits: one lookup a cycle; two address paths side by side (contexts or rows interleaved by the integrator) for more.
// Proved: formal/hub/formal_address_path.v, formal/hub/formal_address_path_around.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
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
    parameter STAGES          = 1,   // 1, 2: row sizes a context, bases a region
    parameter LENGTH_WIDTH    = 9,   // 9..11, bits of a request's length
    parameter PARITY          = 0,   // 1: a parity bit in every memory word
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
    input  wire [LENGTH_WIDTH - 1:0]                 request_length,
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
    output wire [CONTEXTS - 1:0]                     enabled,
    output wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    output wire [CONTEXTS - 1:0]                     faults,
    output wire [`MOEHUB_HUB_EVENTS - 1:0]           events,
    output wire [$clog2(WAITING + 1) - 1:0]          waiting_used,
    output wire [$clog2(PENDING + 1) - 1:0]          pending_used,
    output wire                                      error_valid,
    output wire [4:0]                                error_cause,
    output wire [127:0]                              error_header,
    output wire [15:0]                               error_expert,
    output wire [5:0]                                error_port
);

    // ---- parameter rules --------------------------------------------------------------------------------------------
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
        if (PARITY != 0 && PARITY != 1) PARITY_must_be_0_or_1 u_rule ();
        if (STAGES != 1 && STAGES != 2) STAGES_must_be_1_or_2 u_rule ();
        if (STAGES == 2 && OFFSET_WIDTH < 7) OFFSET_WIDTH_must_be_7_to_16_with_2_STAGES u_rule ();
        if (LENGTH_WIDTH < 9 || LENGTH_WIDTH > 11) LENGTH_WIDTH_must_be_9_to_11 u_rule ();
        if (BAD_AXI) AXI_DATA_WIDTH_must_be_32_64_128_256_or_512 u_rule ();
    endgenerate

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam ID_WIDTH      = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam SET_WIDTH     = `MOEHUB_INDEX_WIDTH(SETS);
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS);
    localparam BASE_WIDTH    = `MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS * STAGES);
    localparam PEER_WIDTH    = `MOEHUB_INDEX_WIDTH(CONTEXTS * ((GPUS + 31) / 32));
    localparam EPOCH_WIDTH   = 32 - SLOT_WIDTH;
    localparam REQUEST_WIDTH = `MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH);
    localparam NAME_WIDTH    = `MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH);
    localparam VERDICT_WIDTH = `MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH);
    localparam OPERATION_WIDTH = `MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH);

    // ---- context table and commands ---------------------------------------------------------------------------------
    wire                                   open;
    wire                                   front_empty;
    wire [CONTEXTS * EPOCH_WIDTH - 1:0]    epochs;
    wire [CONTEXTS * ADDRESS_WIDTH - 1:0]  table_bases;
    wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0] row_limits;
    wire                                   set_clear;
    wire [SET_WIDTH - 1:0]                 set_address;
    wire                                   invalidate_start;
    wire [CONTEXT_WIDTH - 1:0]             invalidate_context;
    wire                                   invalidate_busy;
    wire                                   region_write;
    wire                                   next_clear;
    wire                                   region_read;
    wire [REGION_WIDTH - 1:0]              region_address;
    wire                                   base_write;
    wire [BASE_WIDTH - 1:0]                base_address;
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

    moehub_context_table #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .STAGES(STAGES)
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
        .region_capacity(region_capacity), .read_capacity(read_capacity), .read_next(read_next),
        .base_write(base_write), .base_address(base_address), .region_base(region_base),
        .base_read(base_read), .base_read_done(base_read_done), .base_word(base_word),
        .peers_write(peers_write), .peers_address(peers_address), .peers_word(peers_word),
        .refused_valid(refused_valid)
    );

    wire       waiting_parity;
    wire [5:0] walker_parity;
    wire [5:0] answers_parity;
    wire [8:0] tlb_parity;
    wire [2:0] aau_parity;

    // ---- acceptance: a request takes a waiting entry ----------------------------------------------------------------
    wire [REQUEST_WIDTH - 1:0] request;
    wire                       accepted_valid;
    wire [ID_WIDTH - 1:0]      accepted_id;
    wire [REQUEST_WIDTH - 1:0] accepted_request;
    wire                       done_valid;
    wire [ID_WIDTH - 1:0]      done_id;
    wire                       waiting_free;
    assign request = `MOEHUB_REQUEST(request_operation, request_first, request_context, request_expert, request_row_index,
                                     request_offset, request_length, request_source, request_port, request_tag);

    moehub_acceptance #(
        .PORTS(PORTS), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH), .LENGTH_WIDTH(LENGTH_WIDTH), .PARITY(PARITY)
    ) u_acceptance (
        .clk(clk), .rst(rst), .open(open), .request_valid(request_valid), .request_ready(request_ready), .request(request),
        .accepted_valid(accepted_valid), .accepted_id(accepted_id), .accepted_request(accepted_request),
        .done_valid(done_valid), .done_id(done_id), .waiting_free(waiting_free), .waiting_used(waiting_used),
        .waiting_parity(waiting_parity)
    );

    // ---- AAU --------------------------------------------------------------------------------------------------------
    wire                       key_valid;
    wire [NAME_WIDTH - 1:0]    key_name;
    wire [EPOCH_WIDTH - 1:0]   key_epoch;
    wire                       verdict_valid;
    wire                       verdict_first;
    wire [VERDICT_WIDTH - 1:0] verdict;

    moehub_addr_alloc #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(GPUS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH), .PORTS(PORTS), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH),
        .STAGES(STAGES), .LENGTH_WIDTH(LENGTH_WIDTH), .PARITY(PARITY)
    ) u_addr_alloc (
        .clk(clk), .rst(rst), .enabled(enabled), .epochs(epochs), .row_limits(row_limits), .row_sizes(row_sizes),
        .region_write(region_write), .next_clear(next_clear), .region_read(region_read), .region_address(region_address),
        .region_capacity(region_capacity), .read_capacity(read_capacity), .read_next(read_next),
        .peers_write(peers_write), .peers_address(peers_address), .peers_word(peers_word),
        .accepted_valid(accepted_valid), .accepted_id(accepted_id), .accepted_request(accepted_request),
        .key_valid(key_valid), .key_name(key_name), .key_epoch(key_epoch),
        .verdict_valid(verdict_valid), .verdict_first(verdict_first), .verdict(verdict), .aau_parity(aau_parity)
    );

    // ---- AL-TLB -----------------------------------------------------------------------------------------------------
    wire                                                start_valid;
    wire [ENTRY_WIDTH - 1:0]                            start_entry;
    wire [OPERATION_WIDTH - 1:0]                        start_operation;
    wire                                                fill_valid;
    wire [ENTRY_WIDTH - 1:0]                            fill_entry;
    wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0]      fill_content;
    wire                                                written_valid;
    wire [ENTRY_WIDTH - 1:0]                            written_entry;
    wire                                                value_valid;
    wire [ID_WIDTH - 1:0]                               value_id;
    wire [`MOEHUB_VALUE_WIDTH(SLOT_WIDTH) - 1:0]        value;
    wire                                                ready_valid;
    wire                                                ready_ready;
    wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] ready_waiter;
    wire                                                consumed_valid;
    wire [ENTRY_WIDTH - 1:0]                            consumed_entry;
    wire [PENDING - 1:0]                                give;
    wire [CONTEXT_WIDTH - 1:0]                          give_context;
    wire [PENDING - 1:0]                                unanswered;
    wire [`MOEHUB_TLB_EVENTS_WIDTH - 1:0]               tlb_events;

    moehub_al_tlb #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .SETS(SETS), .WAYS(WAYS), .REPLACEMENT(REPLACEMENT), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING),
        .PARITY(PARITY)
    ) u_al_tlb (
        .clk(clk), .rst(rst), .set_clear(set_clear), .set_address(set_address), .invalidate_start(invalidate_start),
        .invalidate_context(invalidate_context), .invalidate_busy(invalidate_busy),
        .key_valid(key_valid), .key_name(key_name), .key_epoch(key_epoch),
        .verdict_valid(verdict_valid), .verdict_first(verdict_first), .verdict(verdict),
        .start_valid(start_valid), .start_entry(start_entry), .start_operation(start_operation),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(fill_content),
        .written_valid(written_valid), .written_entry(written_entry),
        .value_valid(value_valid), .value_id(value_id), .value(value),
        .ready_valid(ready_valid), .ready_ready(ready_ready), .ready_waiter(ready_waiter),
        .consumed_valid(consumed_valid), .consumed_entry(consumed_entry),
        .give(give), .give_context(give_context), .unanswered(unanswered), .pending_used(pending_used), .tlb_events(tlb_events),
        .tlb_parity(tlb_parity)
    );

    // ---- walker -----------------------------------------------------------------------------------------------------
    wire                    read_error_valid;
    wire                    read_error_repeated;
    wire [NAME_WIDTH - 1:0] read_error_name;
    wire                    write_error_valid;
    wire [NAME_WIDTH - 1:0] write_error_name;

    moehub_al_walker #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .PENDING(PENDING), .AXI_DATA_WIDTH(AXI_DATA_WIDTH), .PARITY(PARITY)
    ) u_walker (
        .clk(clk), .rst(rst), .initialised(initialised), .epochs(epochs), .row_limits(row_limits), .table_bases(table_bases),
        .start_valid(start_valid), .start_entry(start_entry), .start_operation(start_operation),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(fill_content),
        .written_valid(written_valid), .written_entry(written_entry),
        .read_error_valid(read_error_valid), .read_error_repeated(read_error_repeated), .read_error_name(read_error_name),
        .write_error_valid(write_error_valid), .write_error_name(write_error_name),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready), .m_axi_arid(m_axi_arid), .m_axi_araddr(m_axi_araddr),
        .m_axi_rvalid(m_axi_rvalid), .m_axi_rready(m_axi_rready), .m_axi_rid(m_axi_rid), .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_awid(m_axi_awid), .m_axi_awaddr(m_axi_awaddr),
        .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready), .m_axi_wdata(m_axi_wdata), .m_axi_wstrb(m_axi_wstrb),
        .m_axi_bvalid(m_axi_bvalid), .m_axi_bready(m_axi_bready), .m_axi_bid(m_axi_bid), .m_axi_bresp(m_axi_bresp),
        .walker_parity(walker_parity)
    );
    // One beat of four bytes.
    assign m_axi_arlen   = 8'd0;
    assign m_axi_arsize  = 3'd2;
    assign m_axi_arburst = 2'd1;
    assign m_axi_awlen   = 8'd0;
    assign m_axi_awsize  = 3'd2;
    assign m_axi_awburst = 2'd1;
    assign m_axi_wlast   = 1'b1;
    wire unused = &{1'b0, m_axi_rlast};

    // ---- answers ----------------------------------------------------------------------------------------------------
    wire [`MOEHUB_ANSWER_WIDTH(PORTS, TAG_WIDTH, SLOT_WIDTH) - 1:0] answer;
    wire [2:0]                          answer_context;
    wire                                refusal_valid;
    wire [`MOEHUB_OFFENDER_WIDTH - 1:0] refusal;

    moehub_answer_pipe #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .SLOT_WIDTH(SLOT_WIDTH), .OFFSET_WIDTH(OFFSET_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH),
        .STAGES(STAGES), .LENGTH_WIDTH(LENGTH_WIDTH), .ANSWERS(ANSWERS), .PARITY(PARITY)
    ) u_answers (
        .clk(clk), .rst(rst), .row_sizes(row_sizes),
        .base_write(base_write), .base_address(base_address), .region_base(region_base), .base_read(base_read),
        .base_read_done(base_read_done), .base_word(base_word),
        .accepted_valid(accepted_valid), .accepted_id(accepted_id), .accepted_request(accepted_request),
        .value_valid(value_valid), .value_id(value_id), .value(value),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(fill_content),
        .ready_valid(ready_valid), .ready_ready(ready_ready), .ready_waiter(ready_waiter),
        .done_valid(done_valid), .done_id(done_id), .consumed_valid(consumed_valid), .consumed_entry(consumed_entry),
        .answer_valid(answer_valid), .answer_ready(answer_ready), .answer(answer), .answer_address(answer_address),
        .refusal_valid(refusal_valid), .refusal(refusal), .answers_parity(answers_parity)
    );
    assign `MOEHUB_ANSWER(answer_status[2:0], answer_port, answer_tag, answer_slot, answer_allocated, answer_context) = answer;
    assign answer_status[3] = 1'b0;

    // ---- what is in flight; what happened ---------------------------------------------------------------------------
    moehub_in_flight #(.CONTEXTS(CONTEXTS), .PENDING(PENDING), .WAITING(WAITING), .ANSWERS(ANSWERS)) u_in_flight (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_ready(request_ready), .request_context(request_context),
        .value_valid(value_valid), .answer_valid(answer_valid), .answer_ready(answer_ready), .answer_context(answer_context),
        .give(give), .give_context(give_context), .unanswered(unanswered), .front_empty(front_empty), .in_flight(in_flight)
    );

    moehub_hub_report #(.CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)) u_report (
        .clk(clk), .rst(rst), .request_valid(request_valid), .request_ready(request_ready), .open(open),
        .waiting_free(waiting_free), .answer_valid(answer_valid), .answer_ready(answer_ready),
        .m_axi_arvalid(m_axi_arvalid), .m_axi_arready(m_axi_arready),
        .m_axi_awvalid(m_axi_awvalid), .m_axi_awready(m_axi_awready), .m_axi_wvalid(m_axi_wvalid), .m_axi_wready(m_axi_wready),
        .tlb_events(tlb_events), .refusal_valid(refusal_valid), .refusal(refusal),
        .read_error_valid(read_error_valid), .read_error_repeated(read_error_repeated), .read_error_name(read_error_name),
        .write_error_valid(write_error_valid), .write_error_name(write_error_name),
        .refused_valid(refused_valid), .command_operation(command_operation), .command_context(command_context),
        .command_index(command_index),
        .parity_errors(`MOEHUB_PARITY_ERRORS(waiting_parity, walker_parity, answers_parity, tlb_parity, aau_parity)),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_expert(error_expert), .error_port(error_port), .faults(faults)
    );
endmodule

`default_nettype wire
