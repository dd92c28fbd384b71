// SPDX-License-Identifier: Apache-2.0
// Purpose: reads and writes AL-table entries over AXI4: one read per miss; one read, then one write per first touch.
// Contract:
//   1. One operation a cycle is taken, never refused: at most PENDING are inside, each named by its pending entry = AXI id.
//   2. entry address = table base + 4 * (expert * row limit + row index), modulo 2^ADDRESS_WIDTH; one beat of 4 bytes.
//   3. A miss ends with fill_*: mapped(slot), unmapped or bad, in any order of ids.
//   4. A first's write is sent when its read has been answered, whatever it was; it ends with written_* on its B.
//   5. rready and bready stay high: every answer has its place.
//   6. read_error_* (cause REPEATED or TABLE_READ) and write_error_* (TABLE_WRITE) come with context, expert and row index.
// How: a read's answer: stage 1 reads what its entry is about; 2 picks the 4 bytes and sends a first's write; 3 judges them.
// Cost: latency start to AR: 4 + ceil(ADDRESS_WIDTH / 16) cycles; R to fill 3. Memories: operations (PENDING x twice the name,
//   value, address), AR, AW and W queues.
// Proved: formal/hub/formal_al_walker.v
`default_nettype none
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_al_walker #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter ADDRESS_WIDTH   = 48,
    parameter PENDING         = 64,
    parameter AXI_DATA_WIDTH  = 128,
    parameter PARITY          = 0
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           initialised,
    input  wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]      epochs,
    input  wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0]  row_limits,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]          table_bases,
    // operations
    input  wire                                           start_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      start_entry,
    input  wire [`MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH) - 1:0] start_operation,
    output wire                                           fill_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      fill_entry,
    output wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] fill_content,
    output wire                                           written_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      written_entry,
    // errors
    output wire                                           read_error_valid,
    output wire                                           read_error_repeated, // else TABLE_READ
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] read_error_name,
    output wire                                           write_error_valid,
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] write_error_name,
    // AXI4 master
    output wire                                         m_axi_arvalid,
    input  wire                                         m_axi_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]                     m_axi_araddr,
    input  wire                                         m_axi_rvalid,
    output wire                                         m_axi_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]                    m_axi_rdata,
    input  wire [1:0]                                     m_axi_rresp,
    output wire                                         m_axi_awvalid,
    input  wire                                         m_axi_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]                     m_axi_awaddr,
    output wire                                         m_axi_wvalid,
    input  wire                                         m_axi_wready,
    output wire [AXI_DATA_WIDTH - 1:0]                    m_axi_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]                m_axi_wstrb,
    input  wire                                         m_axi_bvalid,
    output wire                                         m_axi_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_bid,
    input  wire [1:0]                                     m_axi_bresp,
    // errors: W, AW and AR queue, names, addresses, operations
    output wire [5:0]                                     walker_parity
);

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam EPOCH_WIDTH = 32 - SLOT_WIDTH;
    localparam LIMIT_WIDTH = ROW_INDEX_WIDTH + 1;
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EXPERT_WIDTH  = `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS);
    localparam NAME_WIDTH  = `MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH);
    localparam OPERATION_WIDTH = `MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH);
    localparam LANES       = AXI_DATA_WIDTH / 32;
    localparam LANE_WIDTH  = `MOEHUB_INDEX_WIDTH(LANES);
    // The index is computed with its factor 4, in ADDRESS_WIDTH bits.
    localparam FACTOR_WIDTH = LIMIT_WIDTH + 2 < ADDRESS_WIDTH ? LIMIT_WIDTH + 2 : ADDRESS_WIDTH;

    wire                         unused_start_first;
    wire [SLOT_WIDTH - 1:0]      unused_start_value;
    wire [NAME_WIDTH - 1:0]      start_name;
    wire [CONTEXT_WIDTH - 1:0]   start_context;
    wire [EXPERT_WIDTH - 1:0]    start_expert;
    wire [ROW_INDEX_WIDTH - 1:0] start_row_index;
    assign `MOEHUB_TABLE_OPERATION(unused_start_first, unused_start_value, start_name) = start_operation;
    assign `MOEHUB_ROW_NAME(start_context, start_expert, start_row_index)              = start_name;

    // ---- the entry's address ----------------------------------------------------------------------------------------
    reg  [ADDRESS_WIDTH - 1:0]   base_q;
    reg  [ROW_INDEX_WIDTH - 1:0] row_index_q;
    wire [LIMIT_WIDTH + 1:0]     limit_bytes = {row_limits[start_context * LIMIT_WIDTH +: LIMIT_WIDTH], 2'd0};
    wire [ROW_INDEX_WIDTH + ADDRESS_WIDTH - 1:0] row_bytes = {{ADDRESS_WIDTH - 2{1'b0}}, row_index_q, 2'd0};
    wire                         read_valid;
    wire [ENTRY_WIDTH - 1:0]     read_entry;
    wire [ADDRESS_WIDTH - 1:0]   read_address;

    always @(posedge clk) begin
        base_q      <= table_bases[start_context * ADDRESS_WIDTH +: ADDRESS_WIDTH];
        row_index_q <= start_row_index;
    end

    moehub_multiply_add #(
        .A_WIDTH(FACTOR_WIDTH), .B_WIDTH(EXPERT_WIDTH), .SUM_WIDTH(ADDRESS_WIDTH), .SIDE_WIDTH(ENTRY_WIDTH)
    ) u_address (
        .clk(clk), .rst(rst), .in_valid(start_valid), .in_a(limit_bytes[FACTOR_WIDTH - 1:0]), .in_b(start_expert),
        .in_side(start_entry), .late_c(base_q), .late_d(row_bytes[ADDRESS_WIDTH - 1:0]), .out_valid(read_valid),
        .out_side(read_entry), .out_sum(read_address)
    );

    wire unused_reads_empty;
    moehub_memory_fifo #(.WIDTH(ENTRY_WIDTH + ADDRESS_WIDTH), .DEPTH(PENDING), .PARITY(PARITY)) u_reads (
        .clk(clk), .rst(rst), .in_valid(read_valid), .in_data({read_entry, read_address}),
        .out_valid(m_axi_arvalid), .out_ready(m_axi_arready), .out_data({m_axi_arid, m_axi_araddr}), .empty(unused_reads_empty),
        .parity_error(walker_parity[3])
    );

    // ---- what each pending entry is about ---------------------------------------------------------------------------
    reg  ready_q;
    wire answer  = m_axi_rvalid && ready_q;
    wire written = m_axi_bvalid && ready_q;
    assign m_axi_rready = ready_q;
    assign m_axi_bready = ready_q;

    always @(posedge clk) begin
        ready_q <= initialised;
        if (rst) ready_q <= 1'b0;
    end

    wire                       found_first;
    wire [SLOT_WIDTH - 1:0]    found_value;
    wire [NAME_WIDTH - 1:0]    found_name;
    wire [ADDRESS_WIDTH - 1:0] found_address;
    wire [NAME_WIDTH - 1:0]    written_name;

    moehub_memory_1r1w #(.WIDTH(OPERATION_WIDTH), .DEPTH(PENDING), .PARITY(PARITY)) u_operations (
        .clk(clk), .write_enable(start_valid), .write_address(start_entry), .write_data(start_operation),
        .read_enable(answer && !rst), .read_address(m_axi_rid),
        .read_data(`MOEHUB_TABLE_OPERATION(found_first, found_value, found_name)),
        .parity_error(walker_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(ADDRESS_WIDTH), .DEPTH(PENDING), .PARITY(PARITY)) u_addresses (
        .clk(clk), .write_enable(read_valid), .write_address(read_entry), .write_data(read_address),
        .read_enable(answer && !rst), .read_address(m_axi_rid), .read_data(found_address), .parity_error(walker_parity[1])
    );
    moehub_memory_1r1w #(.WIDTH(NAME_WIDTH), .DEPTH(PENDING), .PARITY(PARITY)) u_names (
        .clk(clk), .write_enable(start_valid), .write_address(start_entry), .write_data(start_name),
        .read_enable(written && !rst), .read_address(m_axi_bid), .read_data(written_name), .parity_error(walker_parity[2])
    );

    // ---- a read's answer: which 4 bytes; the write of a first goes out ----------------------------------------------
    reg                        s1_answer_q;
    reg                        s1_failed_q;
    reg [ENTRY_WIDTH - 1:0]    s1_entry_q;
    reg [AXI_DATA_WIDTH - 1:0] s1_data_q;

    always @(posedge clk) begin
        s1_answer_q <= answer;
        if (rst) s1_answer_q <= 1'b0;
    end
    always @(posedge clk) begin
        s1_failed_q <= m_axi_rresp[1]; // OKAY 0, EXOKAY 1
        s1_entry_q  <= m_axi_rid;
        s1_data_q   <= m_axi_rdata;
    end

    wire [LANE_WIDTH - 1:0]    s2_lane    = LANES > 1 ? found_address[2 +: LANE_WIDTH] : {LANE_WIDTH{1'b0}};
    wire [CONTEXT_WIDTH - 1:0] s2_context;
    wire [EXPERT_WIDTH - 1:0]  unused_expert;
    wire [ROW_INDEX_WIDTH - 1:0] unused_row_index;
    assign `MOEHUB_ROW_NAME(s2_context, unused_expert, unused_row_index) = found_name;
    wire [EPOCH_WIDTH - 1:0]   s2_epoch   = epochs[s2_context * EPOCH_WIDTH +: EPOCH_WIDTH];
    wire                       s2_write   = s1_answer_q && found_first;

    wire unused_write_addresses_empty;
    moehub_memory_fifo #(.WIDTH(ENTRY_WIDTH + ADDRESS_WIDTH), .DEPTH(PENDING), .PARITY(PARITY)) u_write_addresses (
        .clk(clk), .rst(rst), .in_valid(s2_write), .in_data({s1_entry_q, found_address}),
        .out_valid(m_axi_awvalid), .out_ready(m_axi_awready), .out_data({m_axi_awid, m_axi_awaddr}),
        .empty(unused_write_addresses_empty), .parity_error(walker_parity[4])
    );

    wire                    data_valid;
    wire                    data_ready;
    wire [LANE_WIDTH - 1:0] data_lane;
    wire [31:0]             data_word;
    wire unused_write_data_empty;
    moehub_memory_fifo #(.WIDTH(LANE_WIDTH + 32), .DEPTH(PENDING), .PARITY(PARITY)) u_write_data (
        .clk(clk), .rst(rst), .in_valid(s2_write), .in_data({s2_lane, s2_epoch, found_value}),
        .out_valid(data_valid), .out_ready(data_ready), .out_data({data_lane, data_word}), .empty(unused_write_data_empty),
        .parity_error(walker_parity[5])
    );

    // The same word on every lane; the strobes pick the entry's.
    reg               wvalid_q;
    reg [31:0]        wdata_q;
    reg [LANES - 1:0] wlane_q;
    assign data_ready   = !wvalid_q || m_axi_wready;
    assign m_axi_wvalid = wvalid_q;
    assign m_axi_wdata  = {LANES{wdata_q}};

    always @(posedge clk) begin
        wvalid_q <= data_valid || (wvalid_q && !m_axi_wready);
        if (rst) wvalid_q <= 1'b0;
    end
    always @(posedge clk) begin
        if (data_ready) wdata_q <= data_word;
    end

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            localparam [31:0] NAME = i;
            assign m_axi_wstrb[i * 4 +: 4] = {4{wlane_q[i]}};
            always @(posedge clk) begin
                if (data_ready) wlane_q[i] <= data_lane == NAME[LANE_WIDTH - 1:0];
            end
        end
    endgenerate

    // ---- what the entry says ----------------------------------------------------------------------------------------
    reg                     s2_answer_q;
    reg                     s2_failed_q;
    reg                     s2_first_q;
    reg [ENTRY_WIDTH - 1:0] s2_entry_q;
    reg [31:0]              s2_word_q;
    reg [EPOCH_WIDTH - 1:0] s2_epoch_q;
    reg [SLOT_WIDTH - 1:0]  s2_capacity_q;
    reg [NAME_WIDTH - 1:0]  s2_name_q;

    always @(posedge clk) begin
        s2_answer_q <= s1_answer_q;
        if (rst) s2_answer_q <= 1'b0;
    end
    always @(posedge clk) begin
        s2_failed_q   <= s1_failed_q;
        s2_first_q    <= found_first;
        s2_entry_q    <= s1_entry_q;
        s2_word_q     <= s1_data_q[s2_lane * 32 +: 32];
        s2_epoch_q    <= s2_epoch;
        s2_capacity_q <= found_value;
        s2_name_q     <= found_name;
    end

    wire                    s3_current = s2_word_q[31:SLOT_WIDTH] == s2_epoch_q;
    wire [SLOT_WIDTH - 1:0] s3_slot    = s2_word_q[SLOT_WIDTH - 1:0];
    wire                    s3_beyond  = s3_slot >= s2_capacity_q;
    wire                    s3_bad     = s2_failed_q || (!s2_first_q && s3_current && s3_beyond);
    wire                    s3_repeated = s2_first_q && !s2_failed_q && s3_current;

    reg                     s3_fill_q;
    reg                     s3_error_q;
    reg                     s3_repeated_q;
    reg [1:0]               s3_state_q;
    reg [ENTRY_WIDTH - 1:0] s3_entry_q;
    reg [SLOT_WIDTH - 1:0]  s3_slot_q;
    reg [NAME_WIDTH - 1:0]  s3_name_q;

    always @(posedge clk) begin
        s3_fill_q  <= s2_answer_q && !s2_first_q;
        s3_error_q <= s2_answer_q && (s3_bad || s3_repeated);
        if (rst) begin
            s3_fill_q  <= 1'b0;
            s3_error_q <= 1'b0;
        end
    end
    always @(posedge clk) begin
        s3_repeated_q <= s3_repeated;
        s3_state_q    <= s3_bad ? 2'd`MOEHUB_CONTENT_BAD : s3_current ? 2'd`MOEHUB_CONTENT_MAPPED : 2'd`MOEHUB_CONTENT_UNMAPPED;
        s3_entry_q    <= s2_entry_q;
        s3_slot_q     <= s3_slot;
        s3_name_q     <= s2_name_q;
    end

    assign fill_valid          = s3_fill_q;
    assign fill_entry          = s3_entry_q;
    assign fill_content        = `MOEHUB_CONTENT(s3_state_q, s3_slot_q);
    assign read_error_valid    = s3_error_q;
    assign read_error_repeated = s3_repeated_q;
    assign read_error_name     = s3_name_q;

    // ---- a write's answer -------------------------------------------------------------------------------------------
    reg                     written_q;
    reg                     write_failed_q;
    reg [ENTRY_WIDTH - 1:0] written_entry_q;

    always @(posedge clk) begin
        written_q      <= written;
        write_failed_q <= written && m_axi_bresp[1];
        if (rst) begin
            written_q      <= 1'b0;
            write_failed_q <= 1'b0;
        end
    end
    always @(posedge clk) begin
        written_entry_q <= m_axi_bid;
    end

    assign written_valid     = written_q;
    assign written_entry     = written_entry_q;
    assign write_error_valid = write_failed_q;
    assign write_error_name  = written_name;

    wire unused = &{1'b0, row_bytes, limit_bytes, m_axi_rresp[0], m_axi_bresp[0]};
endmodule

`default_nettype wire
