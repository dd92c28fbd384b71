// SPDX-License-Identifier: Apache-2.0
// moehub_address_path against a memory that answers at any time: the solver marks one request; its answer must be the one of a
// table that is read and written at once, in the order of acceptance. The context is chosen by formal_fixed_context.v.
`default_nettype none
`include "moehub_defines.vh"
module formal_address_path #(
    parameter LOCAL_EXPERTS   = 1,
    parameter ROW_INDEX_WIDTH = 1,
    parameter SLOT_WIDTH      = 2,
    parameter OFFSET_WIDTH    = 4,
    parameter SETS            = 1,
    parameter WAYS            = 1,
    parameter PORTS           = 1, // 1 or 2
    parameter PENDING         = 1, // 1 or 2
    parameter WAITING         = 2,
    parameter TAG_WIDTH       = 1,
    parameter ANSWERS         = 32
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   request_valid,
    input wire                   request_operation,
    input wire                   request_first,
    input wire [2:0]             request_context,
    input wire [15:0]            request_expert,
    input wire [31:0]            request_row_index,
    input wire [15:0]            request_offset,
    input wire [8:0]             request_length,
    input wire [9:0]             request_source,
    input wire                   request_port,
    input wire [TAG_WIDTH - 1:0] request_tag,
    input wire                   answer_ready,
    input wire                   arready,
    input wire                   awready,
    input wire                   wready,
    input wire                   read_choice,
    input wire                   read_now,
    input wire                   write_choice,
    input wire                   write_now,
    input wire [31 - SLOT_WIDTH:0] other_epoch,
    input wire                   mark
);
`include "formal_one_reset.vh"
    localparam ADDRESS_WIDTH = 32;
    localparam ROWS          = 1 << ROW_INDEX_WIDTH;
    localparam ENTRIES       = LOCAL_EXPERTS * ROWS;
    localparam ENTRY_WIDTH   = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam WORD          = 1 + SLOT_WIDTH;
    localparam COUNT         = $clog2(WAITING + ANSWERS + 1); // bits that count all requests inside

    wire                       request_ready;
    wire                       answer_valid;
    wire [3:0]                 answer_status;
    wire                       answer_port;
    wire [TAG_WIDTH - 1:0]     answer_tag;
    wire [SLOT_WIDTH - 1:0]    answer_slot;
    wire [ADDRESS_WIDTH - 1:0] answer_address;
    wire                       answer_allocated;
    wire                       arvalid, arid, rvalid, rready, rid, awvalid, awid, wvalid, wlast, bvalid, bready, bid;
    wire [ADDRESS_WIDTH - 1:0] araddr, awaddr;
    wire [7:0]                 arlen, awlen;
    wire [2:0]                 arsize, awsize;
    wire [1:0]                 arburst, awburst;
    wire [31:0]                rdata, wdata;
    wire [3:0]                 wstrb;

    moehub_address_path #(
        .CONTEXTS(1), .LOCAL_EXPERTS(LOCAL_EXPERTS), .GPUS(1), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .SETS(SETS), .WAYS(WAYS), .PORTS(PORTS), .PENDING(PENDING),
        .WAITING(WAITING), .TAG_WIDTH(TAG_WIDTH), .AXI_DATA_WIDTH(32), .ANSWERS(ANSWERS)
    ) u_path (
        .clk(clk), .rst(rst),
        .request_valid(request_valid), .request_ready(request_ready), .request_operation(request_operation),
        .request_first(request_first), .request_context(request_context), .request_expert(request_expert),
        .request_row_index(request_row_index), .request_offset(request_offset), .request_length(request_length),
        .request_source(request_source), .request_port(request_port), .request_tag(request_tag),
        .answer_valid(answer_valid), .answer_ready(answer_ready), .answer_status(answer_status), .answer_port(answer_port),
        .answer_tag(answer_tag), .answer_slot(answer_slot), .answer_address(answer_address), .answer_allocated(answer_allocated),
        .command_valid(1'b0), .command_operation(4'd0), .command_context(8'd0), .command_index(16'd0), .command_data0(64'd0),
        .command_data1(64'd0), .result_ready(1'b1),
        .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr), .m_axi_arlen(arlen),
        .m_axi_arsize(arsize), .m_axi_arburst(arburst),
        .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(rdata), .m_axi_rresp(2'd0),
        .m_axi_rlast(1'b1), .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr),
        .m_axi_awlen(awlen), .m_axi_awsize(awsize), .m_axi_awburst(awburst),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wdata), .m_axi_wstrb(wstrb), .m_axi_wlast(wlast),
        .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp(2'd0)
    );

    // The context, as the solver chose it.
    (* hierconn *) wire                       \u_path.u_contexts.chosen_enabled ;
    (* hierconn *) wire [31 - SLOT_WIDTH:0]   \u_path.u_contexts.chosen_epoch ;
    (* hierconn *) wire [ADDRESS_WIDTH - 1:0] \u_path.u_contexts.chosen_table ;
    (* hierconn *) wire [ROW_INDEX_WIDTH:0]   \u_path.u_contexts.chosen_limit ;
    (* hierconn *) wire [OFFSET_WIDTH:0]      \u_path.u_contexts.chosen_size ;
    (* hierconn *) wire [31:0]                \u_path.u_contexts.chosen_peers ;
    (* hierconn *) wire [LOCAL_EXPERTS * ADDRESS_WIDTH - 1:0] \u_path.u_contexts.chosen_bases ;
    (* hierconn *) wire [LOCAL_EXPERTS * SLOT_WIDTH - 1:0] \u_path.u_contexts.chosen_capacities ;
    wire                            enabled    = \u_path.u_contexts.chosen_enabled ;
    wire [31 - SLOT_WIDTH:0]        epoch      = \u_path.u_contexts.chosen_epoch ;
    wire [ADDRESS_WIDTH - 1:0]      table_base = \u_path.u_contexts.chosen_table ;
    wire [ROW_INDEX_WIDTH:0]        limit      = \u_path.u_contexts.chosen_limit ;
    wire [OFFSET_WIDTH:0]           size       = \u_path.u_contexts.chosen_size ;
    wire [31:0]                     peers      = \u_path.u_contexts.chosen_peers ;
    wire [LOCAL_EXPERTS * ADDRESS_WIDTH - 1:0] bases = \u_path.u_contexts.chosen_bases ;
    wire [LOCAL_EXPERTS * SLOT_WIDTH - 1:0] capacities = \u_path.u_contexts.chosen_capacities ;

    // ---- the memory ------------------------------------------------------------------------------------------------------
    wire [ENTRIES * WORD - 1:0] initial_words = $anyconst;
    always @* assume (other_epoch != epoch);
    formal_table_memory #(
        .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .PENDING(PENDING), .ENTRIES(ENTRIES),
        .ENTRY_WIDTH(ENTRY_WIDTH)
    ) u_memory (
        .clk(clk), .rst(rst), .epoch(epoch), .base(table_base), .initial_words(initial_words), .other_epoch(other_epoch),
        .read_choice(read_choice), .read_now(read_now), .write_choice(write_choice), .write_now(write_now),
        .arvalid(arvalid), .arready(arready), .arid(arid), .araddr(araddr), .rvalid(rvalid), .rid(rid), .rdata(rdata),
        .awvalid(awvalid), .awready(awready), .awid(awid), .awaddr(awaddr), .wvalid(wvalid), .wready(wready), .wdata(wdata),
        .bready(bready), .write_error(1'b0), .bvalid(bvalid), .bid(bid)
    );

    // ---- rules of the streams ---------------------------------------------------------------------------------------------
    // Requests may be withdrawn or change while they are stalled: nothing here depends on their rule.
    formal_stream_assert #(.WIDTH(4 + 1 + TAG_WIDTH + SLOT_WIDTH + ADDRESS_WIDTH + 1)) u_answer (
        .clk(clk), .rst(rst), .valid(answer_valid), .ready(answer_ready),
        .data({answer_status, answer_port, answer_tag, answer_slot, answer_address, answer_allocated})
    );
    formal_stream_assert #(.WIDTH(1 + ADDRESS_WIDTH)) u_ar (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arid, araddr})
    );
    formal_stream_assert #(.WIDTH(1 + ADDRESS_WIDTH)) u_aw (
        .clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data({awid, awaddr})
    );
    formal_stream_assert #(.WIDTH(32 + 4)) u_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wdata, wstrb}));
    always @* assume (request_port < PORTS);

    // ---- the specification: a table that is read and written at once -----------------------------------------------------
    wire accept = request_valid && request_ready && !rst;
    wire [ENTRY_WIDTH - 1:0]   entry    = request_expert * ROWS + request_row_index;
    wire [SLOT_WIDTH - 1:0]    capacity = capacities[request_expert * SLOT_WIDTH +: SLOT_WIDTH];
    wire [ADDRESS_WIDTH - 1:0] base     = bases[request_expert * ADDRESS_WIDTH +: ADDRESS_WIDTH];
    reg  [ENTRIES * WORD - 1:0] words_q;
    reg  [LOCAL_EXPERTS * SLOT_WIDTH - 1:0] next_q;
    wire [SLOT_WIDTH - 1:0]    next     = next_q[request_expert * SLOT_WIDTH +: SLOT_WIDTH];
    // The table has row limit rows a region.
    wire [ENTRY_WIDTH - 1:0]   place    = request_expert * limit + request_row_index;
    wire [WORD - 1:0]          word     = words_q[place * WORD +: WORD];
    wire                       current  = word[SLOT_WIDTH];
    wire                       grows    = request_operation == 1'd`MOEHUB_REQUEST_WRITE_TOUCH && request_first;

    wire [2:0] refusal = request_context != 3'd0 || !enabled                                    ? 3'd`MOEHUB_STATUS_CONTEXT
                       : request_source != 10'd0 || !peers[0]                                   ? 3'd`MOEHUB_STATUS_PEER
                       : request_expert >= LOCAL_EXPERTS || capacity == 0                       ? 3'd`MOEHUB_STATUS_EXPERT
                       : request_row_index >= limit || request_length == 9'd0
                         || {1'b0, request_offset} + {8'd0, request_length} > {12'd0, size}     ? 3'd`MOEHUB_STATUS_RANGE
                       : grows && next == capacity                                              ? 3'd`MOEHUB_STATUS_FULL
                       :                                                                          3'd`MOEHUB_STATUS_OK;
    wire                       take   = refusal == 3'd`MOEHUB_STATUS_OK && grows;
    wire [2:0]                 status = refusal != 3'd`MOEHUB_STATUS_OK ? refusal
                                      : take                            ? 3'd`MOEHUB_STATUS_OK
                                      : !current                        ? 3'd`MOEHUB_STATUS_UNMAPPED
                                      : word[SLOT_WIDTH - 1:0] >= capacity ? 3'd`MOEHUB_STATUS_MEMORY : 3'd`MOEHUB_STATUS_OK;
    wire                       ok     = status == 3'd`MOEHUB_STATUS_OK;
    wire [SLOT_WIDTH - 1:0]    slot   = take ? next : word[SLOT_WIDTH - 1:0];

    // ---- the marked request ---------------------------------------------------------------------------------------------------
    wire answer = answer_valid && answer_ready && !rst;
    reg [COUNT - 1:0]       inside_0_q = 0, inside_1_q = 0; // per port
    reg                     marked_q = 1'b0, seen_q = 1'b0;
    reg [COUNT - 1:0]       ahead_q;
    reg [2:0]               status_q;
    reg                     port_q;
    reg                     allocated_q;
    reg                     behind_q;
    reg [TAG_WIDTH - 1:0]   tag_q;
    reg [SLOT_WIDTH - 1:0]  slot_q;
    reg [OFFSET_WIDTH - 1:0] offset_q;
    reg [ADDRESS_WIDTH - 1:0] base_q;
    wire [COUNT - 1:0] inside = request_port ? inside_1_q : inside_0_q;
    wire       mine   = answer && answer_port == port_q;
    wire       reached = marked_q && ahead_q == 0 && mine;
    always @(posedge clk) begin
        inside_0_q <= inside_0_q + (accept && !request_port) - (answer && !answer_port);
        inside_1_q <= inside_1_q + (accept && request_port) - (answer && answer_port);
        if (accept && take) begin
            words_q[place * WORD +: WORD] <= {1'b1, next};
            next_q[request_expert * SLOT_WIDTH +: SLOT_WIDTH] <= next + 1'b1;
        end
        if (accept && mark && !seen_q) begin
            seen_q      <= 1'b1;
            marked_q    <= 1'b1;
            ahead_q     <= inside - (answer && answer_port == request_port);
            behind_q    <= inside_0_q != 0 || inside_1_q != 0;
            status_q    <= status;
            port_q      <= request_port;
            tag_q       <= request_tag;
            allocated_q <= take;
            slot_q      <= ok ? slot : 0;
            offset_q    <= request_offset;
            base_q      <= base;
        end else if (marked_q && mine) begin
            ahead_q <= ahead_q - 1'b1;
            if (ahead_q == 0) marked_q <= 1'b0;
        end
        if (rst) begin
            words_q <= initial_words;
            next_q  <= 0;
            {inside_0_q, inside_1_q, marked_q, seen_q} <= 0;
        end
    end
    wire [ADDRESS_WIDTH - 1:0] address = base_q + slot_q * size + offset_q;

    // What moehub_context_table takes for granted: two cycles after requests are shut out none comes into the front.
    (* hierconn *) wire \u_path.open ;
    (* hierconn *) wire \u_path.front_empty ;
    reg [1:0] closed_q = 2'd0;
    reg empty_q = 1'b0, was_full_q = 1'b0;
    always @(posedge clk) begin
        closed_q   <= rst ? 2'd0 : {closed_q[0], !\u_path.open };
        empty_q    <= \u_path.front_empty && !rst;
        was_full_q <= !rst && (was_full_q || !\u_path.front_empty );
    end

    always @* if (started_q) begin
        right_status:  assert (!reached || answer_status == {1'b0, status_q});
        right_slot:    assert (!reached || (answer_slot == slot_q && answer_allocated == allocated_q));
        right_tag:     assert (!reached || answer_tag == tag_q);
        right_address: assert (!reached || answer_address == (status_q == 3'd`MOEHUB_STATUS_OK ? address : 32'd0));
        none_invented: assert (!answer || (answer_port < PORTS && (answer_port ? inside_1_q : inside_0_q) != 0));
        front_stays:   assert (!(&closed_q) || !empty_q || \u_path.front_empty );
        one_beat:      assert ((!arvalid || {arlen, arsize, arburst} == {8'd0, 3'd2, 2'd1})
                               && (!awvalid || {awlen, awsize, awburst} == {8'd0, 3'd2, 2'd1})
                               && (!wvalid || (wlast && wstrb == 4'hf)));
    end
    always @* begin
        answered:        cover (reached);
        allocates:       cover (reached && allocated_q && slot_q == 1);
        closes:          cover (&closed_q && empty_q && was_full_q && !\u_path.open );
        answered_behind: cover (reached && behind_q);
        unmapped:        cover (reached && status_q == 3'd`MOEHUB_STATUS_UNMAPPED);
        found_in_table:  cover (reached && status_q == 3'd`MOEHUB_STATUS_OK && !allocated_q);
        found_behind:    cover (reached && status_q == 3'd`MOEHUB_STATUS_OK && !allocated_q && behind_q);
    end
endmodule
`default_nettype wire
