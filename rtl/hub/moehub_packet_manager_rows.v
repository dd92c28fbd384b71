// SPDX-License-Identifier: Apache-2.0
// Purpose: takes rows, reads and checks their lists, and tells their handles, in their order
//   (doc/hub/packet_manager.md section 3).
// Contract:
//   1. take: a row goes into the entry that is offered. Its list is read at once; rows whose lists are under way stand
//      side by side.
//   2. decide_valid: the oldest row's list is there and checked: it asks for a step of the pipeline (doc section 4),
//      which tells `decided` with what it found: status as judged here, or CONTEXT if the row was aborted.
//   3. Then expect, if it opened, and then the handle. The next row is decided when that was taken. expecting: entry
//      told not yet.
//   4. lists: raw flits by data_*, the check's reads and writes by check_*.
// Cost: a row every count + 15 cycles or so, whatever memory's latency.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_packet_manager_rows #(
    parameter GPUS              = 8,  // 2..64
    parameter CONTEXTS          = 4,  // 1..8
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32
    parameter ROW_INDEX_WIDTH   = 20, // 1..32
    parameter ADDRESS_WIDTH     = 48, // 32..64
    parameter ROWS              = 32  // 1..64
) (
    input  wire                                        clk,
    input  wire                                        rst,
    input  wire                                        initialised,
    input  wire [9:0]                                  own,
    input  wire [CONTEXTS - 1:0]                       enabled,
    input  wire [CONTEXTS - 1:0]                       closing,
    input  wire [CONTEXTS * 5 - 1:0]                   owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                peers,
    // rows
    input  wire                                        s_axis_row_tvalid,
    output wire                                        s_axis_row_tready,
    input  wire [`MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH) - 1:0] s_axis_row_tdata,
    input  wire                                        entry_valid, // a free one
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]      entry,
    output wire                                        take,
    output wire [2:0]                                  take_context,
    output wire                                        take_immediate,
    output wire [ROW_INDEX_WIDTH - 1:0]                take_row_index,
    output wire                                        waits_entry,
    // list memory
    output wire                                        m_axi_list_arvalid,
    input  wire                                        m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]                  m_axi_list_araddr,
    input  wire                                        m_axi_list_rvalid,
    input  wire [1:0]                                  m_axi_list_rresp,
    output wire                                        data_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]      data_entry,
    output wire [1:0]                                  data_number,
    // lists
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]      check_entry,
    output wire                                        check_write_valid,
    input  wire                                        check_write_ready,
    output wire                                        check_write_own,
    output wire [1:0]                                  check_write_number,
    output wire [127:0]                                check_write_data,
    output wire                                        check_read_valid,
    input  wire                                        check_read_ready,
    output wire [1:0]                                  check_read_number,
    input  wire [127:0]                                check_read_data,
    // decision
    output wire                                        decide_valid,
    output wire [3:0]                                  decide_status,
    output wire [5:0]                                  decide_remotes,
    output wire [5:0]                                  decide_owns,
    input  wire                                        decided,
    input  wire [3:0]                                  decided_status,
    input  wire [7:0]                                  decided_generation,
    output wire                                        refused,
    output wire [31:0]         refused_row_index,
    output wire [2:0]                                  refused_context,
    output wire [3:0]                                  refused_status,
    output wire                                        expecting,
    // tracker, handles
    output wire                                        m_axis_expect_tvalid,
    input  wire                                        m_axis_expect_tready,
    output wire [`MOEHUB_EXPECTED_WIDTH - 1:0]         m_axis_expect_tdata,
    output wire                                        m_axis_handle_tvalid,
    input  wire                                        m_axis_handle_tready,
    output wire [`MOEHUB_HANDLE_WIDTH - 1:0]           m_axis_handle_tdata
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [31:0] MOST_TARGETS = MAX_TARGETS;
    localparam [3:0] OK        = 4'd`MOEHUB_STATUS_OK;
    localparam [3:0] CONTEXT   = 4'd`MOEHUB_STATUS_CONTEXT;
    localparam [3:0] RANGE     = 4'd`MOEHUB_STATUS_RANGE;
    localparam [3:0] MEMORY    = 4'd`MOEHUB_STATUS_MEMORY;
    localparam [3:0] MALFORMED = 4'd`MOEHUB_STATUS_MALFORMED;
    localparam [3:0] PEER      = 4'd`MOEHUB_STATUS_PEER;

    wire [7:0]        enabled_8 = {{(8 - CONTEXTS){1'b0}}, enabled};
    wire [7:0]        closing_8 = {{(8 - CONTEXTS){1'b0}}, closing};
    wire [8 * 5 - 1:0] shifts_8;
    wire [8 * GPUS - 1:0] peers_8;
    genvar c;
    generate
        for (c = 0; c < 8; c = c + 1) begin : g_context
            if (c < CONTEXTS) begin : g_there
                assign shifts_8[c * 5 +: 5]      = owner_shifts[c * 5 +: 5];
                assign peers_8[c * GPUS +: GPUS] = peers[c * GPUS +: GPUS];
            end else begin : g_none
                assign shifts_8[c * 5 +: 5]      = 5'd0;
                assign peers_8[c * GPUS +: GPUS] = {GPUS{1'b0}};
            end
        end
    endgenerate

    // ---- taken, and a cycle later judged --------------------------------------------------------------------------------
    wire                     row_ready;
    wire                     row_valid;
    wire [2:0]               row_context;
    wire                     row_immediate;
    wire [5:0]               row_count;
    wire [ADDRESS_WIDTH - 1:0] row_address;
    wire [15:0]              row_id;
    wire [31:0]              row_index;
    moehub_skid_buffer #(.WIDTH(`MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH))) u_row (
        .clk(clk), .rst(rst), .in_valid(s_axis_row_tvalid && initialised), .in_ready(row_ready), .in_data(s_axis_row_tdata),
        .out_valid(row_valid), .out_ready(take),
        .out_data(`MOEHUB_NEW_ROW(row_context, row_immediate, row_count, row_address, row_id, row_index))
    );

    reg                       taken_q;  // a row was taken in the last cycle
    reg                       judged_q; // ... in the one before
    reg                       foreign_q;
    reg                       no_list_q;
    reg [4:0]                 shift_q;
    reg [ENTRY_WIDTH - 1:0]   entry_q;
    reg                       context_ok_q;
    reg [2:0]                 context_q;
    reg                       immediate_q;
    reg [5:0]                 count_q;
    reg [ADDRESS_WIDTH - 1:0] address_q;
    reg [ADDRESS_WIDTH - 17:0] page_q; // the next 64 KiB: the reads of a list get there once at most
    reg [15:0]                id_q;
    reg [31:0]                row_index_q;
    reg                       asks_q;   // reads are left
    reg [2:0]                 left_q;

    wire [31:0] owner   = row_index_q >> shift_q;
    wire        foreign = owner != {22'd0, own};
    wire        no_list = count_q == 6'd0 || {26'd0, count_q} > MOST_TARGETS || address_q[3:0] != 4'd0;
    wire        wrong   = foreign_q || (!immediate_q && no_list_q);
    wire [3:0]  judged  = !context_ok_q ? CONTEXT : wrong ? RANGE : OK;
    wire        reads   = judged == OK && !immediate_q;
    wire [5:0]  eights  = count_q + 6'd7;
    wire [12:0] next_unit = {1'b0, address_q[15:4]} + 13'd1;

    assign s_axis_row_tready = row_ready && initialised;
    assign take           = row_valid && entry_valid && !taken_q && !judged_q && !asks_q && initialised;
    assign take_context   = row_context;
    assign take_immediate = row_immediate;
    assign take_row_index = row_index[ROW_INDEX_WIDTH - 1:0];
    assign waits_entry    = row_valid && !entry_valid && initialised;
    assign m_axi_list_arvalid = asks_q;
    assign m_axi_list_araddr  = address_q;

    always @(posedge clk) begin
        taken_q   <= take;
        judged_q  <= taken_q;
        page_q    <= address_q[ADDRESS_WIDTH - 1:16] + {{(ADDRESS_WIDTH - 17){1'b0}}, 1'b1};
        foreign_q <= foreign;
        no_list_q <= no_list;
        if (take) begin
            shift_q      <= shifts_8[row_context * 5 +: 5];
            entry_q      <= entry;
            context_ok_q <= {29'd0, row_context} < CONTEXTS_32 && enabled_8[row_context] && !closing_8[row_context];
            context_q    <= row_context;
            immediate_q  <= row_immediate;
            count_q      <= row_immediate ? 6'd1 : row_count;
            address_q    <= row_address;
            id_q         <= row_id;
            row_index_q  <= row_index;
        end
        if (judged_q && reads) begin
            asks_q <= 1'b1;
            left_q <= eights[5:3];
        end
        if (asks_q && m_axi_list_arready) begin
            address_q[15:4] <= next_unit[11:0];
            if (next_unit[12]) address_q[ADDRESS_WIDTH - 1:16] <= page_q;
            left_q    <= left_q - 3'd1;
            asks_q    <= left_q != 3'd1;
        end
        if (rst) begin
            taken_q  <= 1'b0;
            judged_q <= 1'b0;
            asks_q   <= 1'b0;
        end
    end

    // ---- what is read -----------------------------------------------------------------------------------------------------
    wire                     unused_read_ready;
    wire                     unused_read_valid; // data come for rows that asked
    wire [ENTRY_WIDTH - 1:0] read_entry;
    wire [2:0]               read_flits;
    wire [$clog2(ROWS + 1) - 1:0] unused_reads;
    reg  [1:0]               number_q;
    reg                      error_q;
    wire                     read_ends = m_axi_list_rvalid && {1'b0, number_q} + 3'd1 == read_flits;
    wire                     read_error = error_q || m_axi_list_rresp[1];
    moehub_fifo #(.WIDTH(ENTRY_WIDTH + 3), .DEPTH(ROWS)) u_reads (
        .clk(clk), .rst(rst), .in_valid(judged_q && reads), .in_ready(unused_read_ready), .in_data({entry_q, eights[5:3]}),
        .out_valid(unused_read_valid), .out_ready(read_ends), .out_data({read_entry, read_flits}), .count(unused_reads)
    );
    assign data_valid  = m_axi_list_rvalid;
    assign data_entry  = read_entry;
    assign data_number = number_q;
    always @(posedge clk) begin
        if (m_axi_list_rvalid) begin
            number_q <= read_ends ? 2'd0 : number_q + 2'd1;
            error_q  <= !read_ends && read_error;
        end
        if (rst) begin
            number_q <= 2'd0;
            error_q  <= 1'b0;
        end
    end

    // Lists that are whole, with an error among their flits.
    wire there_valid;
    wire there_error;
    wire there_take;
    wire unused_there_ready;
    wire [$clog2(ROWS + 1) - 1:0] unused_there;
    moehub_fifo #(.WIDTH(1), .DEPTH(ROWS)) u_there (
        .clk(clk), .rst(rst), .in_valid(read_ends), .in_ready(unused_there_ready), .in_data(read_error),
        .out_valid(there_valid), .out_ready(there_take), .out_data(there_error), .count(unused_there)
    );

    // ---- the oldest row -----------------------------------------------------------------------------------------------------
    localparam [2:0] IDLE   = 3'd0;
    localparam [2:0] CHECK  = 3'd1; // its list is checked
    localparam [2:0] DECIDE = 3'd2; // asks for its step
    localparam [2:0] EXPECT = 3'd3;
    localparam [2:0] HANDLE = 3'd4;
    localparam [2:0] LIST   = 3'd5; // waits for it

    wire                     oldest_valid;
    wire [ENTRY_WIDTH - 1:0] oldest_entry;
    wire [2:0]               oldest_context;
    wire                     oldest_immediate;
    wire [5:0]               oldest_count;
    wire [15:0]              oldest_id;
    wire [31:0]              oldest_row_index;
    wire [3:0]               oldest_status;
    wire                     unused_empty;
    wire                     unused_parity;
    reg  [2:0]               state_q;
    reg  [3:0]               status_q;
    reg  [15:0]              handle_q;
    reg                      ok_q;
    reg                      has_list_q;
    wire                     begins   = state_q == LIST && (!has_list_q || there_valid);
    wire                     checks   = ok_q && !(has_list_q && there_error);
    wire                     checked;
    wire                     malformed;
    wire                     peer;
    wire                     ends = state_q == HANDLE && m_axis_handle_tready;
    assign there_take = begins && has_list_q;

    moehub_memory_fifo #(.WIDTH(`MOEHUB_OPENING_ROW_WIDTH(ROWS)), .DEPTH(ROWS)) u_opening (
        .clk(clk), .rst(rst), .in_valid(judged_q),
        .in_data(`MOEHUB_OPENING_ROW(entry_q, context_q, immediate_q, count_q, id_q, row_index_q, judged)),
        .out_valid(oldest_valid), .out_ready(ends), .out_data(`MOEHUB_OPENING_ROW(oldest_entry, oldest_context,
            oldest_immediate, oldest_count, oldest_id, oldest_row_index, oldest_status)),
        .empty(unused_empty), .parity_error(unused_parity)
    );

    assign check_entry = oldest_entry;
    moehub_list_check #(.GPUS(GPUS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS)) u_check (
        .clk(clk), .rst(rst), .start(begins && checks), .immediate(oldest_immediate), .id(oldest_id), .count(oldest_count),
        .own(own), .peers(peers_8[oldest_context * GPUS +: GPUS]), .read_valid(check_read_valid),
        .read_ready(check_read_ready), .read_number(check_read_number), .read_data(check_read_data),
        .write_valid(check_write_valid), .write_ready(check_write_ready), .write_own(check_write_own),
        .write_number(check_write_number), .write_data(check_write_data), .done(checked), .malformed(malformed), .peer(peer),
        .remotes(decide_remotes), .owns(decide_owns)
    );

    assign decide_valid      = state_q == DECIDE;
    assign decide_status     = status_q;
    assign refused           = state_q == DECIDE && decided && decided_status != OK;
    assign refused_row_index = oldest_row_index;
    assign refused_context   = oldest_context;
    assign refused_status    = decided_status;
    assign expecting         = state_q == EXPECT;

    reg  [4:0]  oldest_shift_q;
    reg  [15:0] token_q; // two cycles after the row became the oldest, so before it is decided
    wire [31:0] token = oldest_row_index & ~(32'hffffffff << oldest_shift_q);
    always @(posedge clk) begin
        oldest_shift_q <= shifts_8[oldest_context * 5 +: 5];
        token_q        <= token[15:0];
    end
    assign m_axis_expect_tvalid = state_q == EXPECT;
    assign m_axis_expect_tdata  = `MOEHUB_EXPECTED(oldest_context, token_q, oldest_count);
    assign m_axis_handle_tvalid = state_q == HANDLE;
    assign m_axis_handle_tdata  = `MOEHUB_HANDLE(status_q, handle_q, oldest_row_index);
    wire unused = &{1'b0, token[31:16], m_axi_list_rresp[0], eights[2:0]};

    always @(posedge clk) begin
        ok_q       <= oldest_status == OK;
        has_list_q <= oldest_status == OK && !oldest_immediate;
        case (state_q)
            IDLE: if (oldest_valid) state_q <= LIST;
            LIST: if (begins) begin
                state_q  <= checks ? CHECK : DECIDE;
                status_q <= oldest_status != OK ? oldest_status : MEMORY;
            end
            CHECK: if (checked) begin
                state_q  <= DECIDE;
                status_q <= malformed ? MALFORMED : peer ? PEER : OK;
            end
            DECIDE: if (decided) begin
                state_q  <= decided_status == OK ? EXPECT : HANDLE;
                status_q <= decided_status;
                handle_q <= decided_status == OK ? {decided_generation, {(8 - ENTRY_WIDTH){1'b0}}, oldest_entry} : 16'd0;
            end
            EXPECT: if (m_axis_expect_tready) state_q <= HANDLE;
            default: if (m_axis_handle_tready) state_q <= IDLE;
        endcase
        if (rst) state_q <= IDLE;
    end
endmodule

`default_nettype wire
