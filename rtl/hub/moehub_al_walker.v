// SPDX-License-Identifier: Apache-2.0
// Purpose: reads and writes AL-table entries over AXI4: one read per miss; one read, then one write per first touch.
// Contract:
//   1. One operation a cycle is taken, never refused: at most PENDING are inside, each named by its pending entry = AXI id.
//   2. entry address = table base + 4 * (expert * row limit + row index), modulo 2^ADDRESS_WIDTH; one beat of 4 bytes.
//   3. A miss ends with fill_*: mapped(slot), unmapped or bad, in any order of ids.
//   4. A first's write is sent when its read has been answered, whatever it was; it ends with written_* on its B.
//   5. rready and bready stay high: every answer has its place.
//   6. read_error_* (cause REPEATED or TABLE_READ) and write_error_* (TABLE_WRITE) come with context, expert and row index.
// Cost: latency start to AR: 4 + ceil(ADDRESS_WIDTH / 16) cycles; R to fill 3. Memories: operations (PENDING x twice the name,
//   value, address), AR, AW and W queues.
`default_nettype none
`include "moehub_width.vh"

module moehub_al_walker #(
    parameter CONTEXTS        = 4,
    parameter CONTEXT_WIDTH   = 2,
    parameter EXPERT_WIDTH    = 6,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter ADDRESS_WIDTH   = 48,
    parameter PENDING         = 64,
    parameter AXI_DATA_WIDTH  = 128
) (
    input  wire                                         clk,
    input  wire                                         rst,
    input  wire                                         initialised,
    input  wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]    epochs,
    input  wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0] row_limits,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]        table_bases,
    // operations
    input  wire                                         start_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    start_entry,
    input  wire                                         start_first,
    input  wire [SLOT_WIDTH - 1:0]                      start_value, // first: the slot; miss: the region's capacity
    input  wire [CONTEXT_WIDTH - 1:0]                   start_context,
    input  wire [EXPERT_WIDTH - 1:0]                    start_expert,
    input  wire [ROW_INDEX_WIDTH - 1:0]                 start_row_index,
    output wire                                         fill_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    fill_entry,
    output wire [1:0]                                   fill_state,
    output wire [SLOT_WIDTH - 1:0]                      fill_slot,
    output wire                                         written_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    written_entry,
    // errors
    output wire                                         read_error_valid,
    output wire                                         read_error_repeated, // else TABLE_READ
    output wire [CONTEXT_WIDTH - 1:0]                   read_error_context,
    output wire [EXPERT_WIDTH - 1:0]                    read_error_expert,
    output wire [ROW_INDEX_WIDTH - 1:0]                 read_error_row_index,
    output wire                                         write_error_valid,
    output wire [CONTEXT_WIDTH - 1:0]                   write_error_context,
    output wire [EXPERT_WIDTH - 1:0]                    write_error_expert,
    output wire [ROW_INDEX_WIDTH - 1:0]                 write_error_row_index,
    // AXI4 master
    output wire                                         m_axi_arvalid,
    input  wire                                         m_axi_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]                   m_axi_araddr,
    input  wire                                         m_axi_rvalid,
    output wire                                         m_axi_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    m_axi_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]                  m_axi_rdata,
    input  wire [1:0]                                   m_axi_rresp,
    output wire                                         m_axi_awvalid,
    input  wire                                         m_axi_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]                   m_axi_awaddr,
    output wire                                         m_axi_wvalid,
    input  wire                                         m_axi_wready,
    output wire [AXI_DATA_WIDTH - 1:0]                  m_axi_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]              m_axi_wstrb,
    input  wire                                         m_axi_bvalid,
    output wire                                         m_axi_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]    m_axi_bid,
    input  wire [1:0]                                   m_axi_bresp
);

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam EPOCH_WIDTH = 32 - SLOT_WIDTH;
    localparam LIMIT_WIDTH = ROW_INDEX_WIDTH + 1;
    localparam NAME_WIDTH  = CONTEXT_WIDTH + EXPERT_WIDTH + ROW_INDEX_WIDTH;
    localparam LANES       = AXI_DATA_WIDTH / 32;
    localparam LANE_WIDTH  = `MOEHUB_INDEX_WIDTH(LANES);
    // The index is computed with its factor 4, in ADDRESS_WIDTH bits.
    localparam FACTOR_WIDTH = LIMIT_WIDTH + 2 < ADDRESS_WIDTH ? LIMIT_WIDTH + 2 : ADDRESS_WIDTH;

    wire [NAME_WIDTH - 1:0] start_name = {start_context, start_expert, start_row_index};

    // ---- the entry's address ------------------------------------------------------------------------------------------
    reg  [ADDRESS_WIDTH - 1:0]   base_q;
    reg  [ROW_INDEX_WIDTH - 1:0] row_index_q;
    wire [LIMIT_WIDTH + 1:0]     limit_4 = {row_limits[start_context * LIMIT_WIDTH +: LIMIT_WIDTH], 2'd0};
    wire [ROW_INDEX_WIDTH + ADDRESS_WIDTH - 1:0] row_4 = {{ADDRESS_WIDTH - 2{1'b0}}, row_index_q, 2'd0};
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
        .clk(clk), .rst(rst), .in_valid(start_valid), .in_a(limit_4[FACTOR_WIDTH - 1:0]), .in_b(start_expert), .in_side(start_entry),
        .late_c(base_q), .late_d(row_4[ADDRESS_WIDTH - 1:0]), .out_valid(read_valid), .out_side(read_entry), .out_sum(read_address)
    );

    wire unused_reads_empty;
    moehub_memory_fifo #(.WIDTH(ENTRY_WIDTH + ADDRESS_WIDTH), .DEPTH(PENDING)) u_reads (
        .clk(clk), .rst(rst), .in_valid(read_valid), .in_data({read_entry, read_address}),
        .out_valid(m_axi_arvalid), .out_ready(m_axi_arready), .out_data({m_axi_arid, m_axi_araddr}), .empty(unused_reads_empty)
    );

    // ---- what each pending entry is about -------------------------------------------------------------------------------
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
    wire [2:0]                 unused_parity_error;

    moehub_memory_1r1w #(.WIDTH(1 + SLOT_WIDTH + NAME_WIDTH), .DEPTH(PENDING)) u_operations (
        .clk(clk), .write_enable(start_valid), .write_address(start_entry), .write_data({start_first, start_value, start_name}),
        .read_enable(answer && !rst), .read_address(m_axi_rid), .read_data({found_first, found_value, found_name}),
        .parity_error(unused_parity_error[0])
    );
    moehub_memory_1r1w #(.WIDTH(ADDRESS_WIDTH), .DEPTH(PENDING)) u_addresses (
        .clk(clk), .write_enable(read_valid), .write_address(read_entry), .write_data(read_address),
        .read_enable(answer && !rst), .read_address(m_axi_rid), .read_data(found_address), .parity_error(unused_parity_error[1])
    );
    moehub_memory_1r1w #(.WIDTH(NAME_WIDTH), .DEPTH(PENDING)) u_names (
        .clk(clk), .write_enable(start_valid), .write_address(start_entry), .write_data(start_name),
        .read_enable(written && !rst), .read_address(m_axi_bid), .read_data(written_name), .parity_error(unused_parity_error[2])
    );

    // ---- a read's answer: which 4 bytes; the write of a first goes out ------------------------------------------------------
    reg                        answer_1_q;
    reg                        failed_1_q;
    reg [ENTRY_WIDTH - 1:0]    entry_1_q;
    reg [AXI_DATA_WIDTH - 1:0] data_1_q;

    always @(posedge clk) begin
        answer_1_q <= answer;
        if (rst) answer_1_q <= 1'b0;
    end
    always @(posedge clk) begin
        failed_1_q <= m_axi_rresp[1]; // OKAY 0, EXOKAY 1
        entry_1_q  <= m_axi_rid;
        data_1_q   <= m_axi_rdata;
    end

    wire [LANE_WIDTH - 1:0]    lane_1    = LANES > 1 ? found_address[2 +: LANE_WIDTH] : {LANE_WIDTH{1'b0}};
    wire [CONTEXT_WIDTH - 1:0] context_1 = found_name[NAME_WIDTH - 1 -: CONTEXT_WIDTH];
    wire [EPOCH_WIDTH - 1:0]   epoch_1   = epochs[context_1 * EPOCH_WIDTH +: EPOCH_WIDTH];
    wire                       write_1   = answer_1_q && found_first;

    wire unused_write_addresses_empty;
    moehub_memory_fifo #(.WIDTH(ENTRY_WIDTH + ADDRESS_WIDTH), .DEPTH(PENDING)) u_write_addresses (
        .clk(clk), .rst(rst), .in_valid(write_1), .in_data({entry_1_q, found_address}),
        .out_valid(m_axi_awvalid), .out_ready(m_axi_awready), .out_data({m_axi_awid, m_axi_awaddr}), .empty(unused_write_addresses_empty)
    );

    wire                    data_valid;
    wire                    data_ready;
    wire [LANE_WIDTH - 1:0] data_lane;
    wire [31:0]             data_word;
    wire unused_write_data_empty;
    moehub_memory_fifo #(.WIDTH(LANE_WIDTH + 32), .DEPTH(PENDING)) u_write_data (
        .clk(clk), .rst(rst), .in_valid(write_1), .in_data({lane_1, epoch_1, found_value}),
        .out_valid(data_valid), .out_ready(data_ready), .out_data({data_lane, data_word}), .empty(unused_write_data_empty)
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
    always @(posedge clk) if (data_ready) wdata_q <= data_word;

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            localparam [31:0] NAME = i;
            assign m_axi_wstrb[i * 4 +: 4] = {4{wlane_q[i]}};
            always @(posedge clk) if (data_ready) wlane_q[i] <= data_lane == NAME[LANE_WIDTH - 1:0];
        end
    endgenerate

    // ---- what the entry says ---------------------------------------------------------------------------------------------------
    reg                     answer_2_q;
    reg                     failed_2_q;
    reg                     first_2_q;
    reg [ENTRY_WIDTH - 1:0] entry_2_q;
    reg [31:0]              word_2_q;
    reg [EPOCH_WIDTH - 1:0] epoch_2_q;
    reg [SLOT_WIDTH - 1:0]  capacity_2_q;
    reg [NAME_WIDTH - 1:0]  name_2_q;

    always @(posedge clk) begin
        answer_2_q <= answer_1_q;
        if (rst) answer_2_q <= 1'b0;
    end
    always @(posedge clk) begin
        failed_2_q   <= failed_1_q;
        first_2_q    <= found_first;
        entry_2_q    <= entry_1_q;
        word_2_q     <= data_1_q[lane_1 * 32 +: 32];
        epoch_2_q    <= epoch_1;
        capacity_2_q <= found_value;
        name_2_q     <= found_name;
    end

    wire                    current_2 = word_2_q[31:SLOT_WIDTH] == epoch_2_q;
    wire [SLOT_WIDTH - 1:0] slot_2    = word_2_q[SLOT_WIDTH - 1:0];
    wire                    beyond_2  = slot_2 >= capacity_2_q;
    wire                    bad_2     = failed_2_q || (!first_2_q && current_2 && beyond_2);
    wire                    repeated_2 = first_2_q && !failed_2_q && current_2;

    reg                     fill_3_q;
    reg                     error_3_q;
    reg                     repeated_3_q;
    reg [1:0]               state_3_q;
    reg [ENTRY_WIDTH - 1:0] entry_3_q;
    reg [SLOT_WIDTH - 1:0]  slot_3_q;
    reg [NAME_WIDTH - 1:0]  name_3_q;

    always @(posedge clk) begin
        fill_3_q  <= answer_2_q && !first_2_q;
        error_3_q <= answer_2_q && (bad_2 || repeated_2);
        if (rst) begin
            fill_3_q  <= 1'b0;
            error_3_q <= 1'b0;
        end
    end
    always @(posedge clk) begin
        repeated_3_q <= repeated_2;
        state_3_q    <= bad_2 ? 2'd2 : current_2 ? 2'd0 : 2'd1;
        entry_3_q    <= entry_2_q;
        slot_3_q     <= slot_2;
        name_3_q     <= name_2_q;
    end

    assign fill_valid          = fill_3_q;
    assign fill_entry          = entry_3_q;
    assign fill_state          = state_3_q;
    assign fill_slot           = slot_3_q;
    assign read_error_valid    = error_3_q;
    assign read_error_repeated = repeated_3_q;
    assign {read_error_context, read_error_expert, read_error_row_index} = name_3_q;

    // ---- a write's answer ---------------------------------------------------------------------------------------------------------
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
    always @(posedge clk) written_entry_q <= m_axi_bid;

    assign written_valid     = written_q;
    assign written_entry     = written_entry_q;
    assign write_error_valid = write_failed_q;
    assign {write_error_context, write_error_expert, write_error_row_index} = written_name;

    wire unused = &{1'b0, row_4, limit_4, m_axi_rresp[0], m_axi_bresp[0], unused_parity_error};
endmodule

`default_nettype wire
