// SPDX-License-Identifier: Apache-2.0
// moehub_al_walker on a memory that answers at any time, with errors at any time: the rules of an AXI4 master, and each operation
// ends once, with what the table says. What the AL-TLB promises is assumed: a free entry, and no row that is being worked on
// (formal_al_tlb.v, entry_free and one_per_row).
`default_nettype none
`include "moehub_hub.vh"
module formal_al_walker #(
    parameter ROW_INDEX_WIDTH = 1,
    parameter LOCAL_EXPERTS   = 1, // 1 or 2
    parameter SLOT_WIDTH      = 2,
    parameter ADDRESS_WIDTH   = 8,
    parameter PENDING         = 1, // 1 or 2
    parameter AXI_DATA_WIDTH  = 32, // 32 or 64
    parameter BOUND           = 20
) (
    input wire                           clk,
    input wire                           rst,
    input wire                           initialised,
    input wire                           start_valid,
    input wire                           start_entry,
    input wire                           start_first,
    input wire [SLOT_WIDTH - 1:0]        start_value,
    input wire                           start_expert,
    input wire [ROW_INDEX_WIDTH - 1:0]   start_row_index,
    input wire                           arready,
    input wire                           awready,
    input wire                           wready,
    input wire                           read_choice,
    input wire                           read_now,
    input wire                           read_error,
    input wire [31:0]                    read_beside, // on the other lane
    input wire                           write_choice,
    input wire                           write_now,
    input wire                           write_error
);
`include "formal_reset.vh"
    localparam ROWS        = 1 << ROW_INDEX_WIDTH;
    localparam ENTRIES     = LOCAL_EXPERTS * ROWS;
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam WORD        = 1 + SLOT_WIDTH;
    localparam EPOCH_WIDTH = 32 - SLOT_WIDTH;
    localparam [EPOCH_WIDTH - 1:0] EPOCH = 5;
    localparam [EPOCH_WIDTH - 1:0] OTHER = 2;
    localparam [ROW_INDEX_WIDTH:0] LIMIT = ROWS;

    wire [ADDRESS_WIDTH - 1:0] base = $anyconst;
    wire [ENTRIES * WORD - 1:0] initial_words = $anyconst;
    always @* assume (base[1:0] == 2'd0);

    wire                    fill_valid, fill_entry, written_valid, written_entry;
    wire [1:0]              fill_state;
    wire [SLOT_WIDTH - 1:0] fill_slot;
    wire                    read_error_valid, read_error_repeated, write_error_valid;
    wire                    arvalid, arid, rvalid, rready, rid, awvalid, awid, wvalid, bvalid, bready, bid;
    wire [ADDRESS_WIDTH - 1:0] araddr, awaddr;
    wire [31:0]             rdata;
    wire [AXI_DATA_WIDTH - 1:0] wide_rdata, wide_wdata;
    wire [AXI_DATA_WIDTH / 8 - 1:0] wstrb;
    wire [31:0]             wdata = wide_wdata[31:0];

    moehub_al_walker #(
        .CONTEXTS(1), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .PENDING(PENDING), .AXI_DATA_WIDTH(AXI_DATA_WIDTH)
    ) u_walker (
        .clk(clk), .rst(rst), .initialised(initialised), .epochs(EPOCH), .row_limits(LIMIT), .table_bases(base),
        .start_valid(start_valid), .start_entry(start_entry), 
        .start_operation(`MOEHUB_TABLE_OPERATION(start_first, start_value,
                                                 `MOEHUB_ROW_NAME(1'b0, start_expert, start_row_index))),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(`MOEHUB_CONTENT(fill_state, fill_slot)),
        .written_valid(written_valid), .written_entry(written_entry),
        .read_error_valid(read_error_valid), .read_error_repeated(read_error_repeated), .write_error_valid(write_error_valid),
        .m_axi_arvalid(arvalid), .m_axi_arready(arready), .m_axi_arid(arid), .m_axi_araddr(araddr),
        .m_axi_rvalid(rvalid), .m_axi_rready(rready), .m_axi_rid(rid), .m_axi_rdata(wide_rdata), .m_axi_rresp({read_error, 1'b0}),
        .m_axi_awvalid(awvalid), .m_axi_awready(awready), .m_axi_awid(awid), .m_axi_awaddr(awaddr),
        .m_axi_wvalid(wvalid), .m_axi_wready(wready), .m_axi_wdata(wide_wdata), .m_axi_wstrb(wstrb),
        .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bid(bid), .m_axi_bresp({write_error, 1'b0})
    );
    formal_table_memory #(
        .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .PENDING(PENDING), .ENTRIES(ENTRIES),
        .ENTRY_WIDTH(ENTRY_WIDTH)
    ) u_memory (
        .clk(clk), .rst(rst), .epoch(EPOCH), .base(base), .initial_words(initial_words), .other_epoch(OTHER),
        .read_choice(read_choice), .read_now(read_now && !rst), .write_choice(write_choice), .write_now(write_now && !rst),
        .arvalid(arvalid), .arready(arready && !rst), .arid(arid), .araddr(araddr), .rvalid(rvalid), .rid(rid), .rdata(rdata),
        .awvalid(awvalid), .awready(awready && !rst), .awid(awid), .awaddr(awaddr), .wvalid(wvalid), .wready(wready && !rst),
        .wdata(wdata), .bready(bready), .write_error(write_error), .bvalid(bvalid), .bid(bid)
    );
    formal_stream_assert #(.WIDTH(1 + ADDRESS_WIDTH)) u_ar (
        .clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arid, araddr})
    );
    formal_stream_assert #(.WIDTH(1 + ADDRESS_WIDTH)) u_aw (
        .clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data({awid, awaddr})
    );
    formal_stream_assert #(.WIDTH(AXI_DATA_WIDTH + AXI_DATA_WIDTH / 8)) u_w (
        .clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wide_wdata, wstrb})
    );

    // ---- the operations under way, by pending entry ---------------------------------------------------------------
    reg [1:0]                     open_q = 2'd0, first_q;
    reg [2 * ENTRY_WIDTH - 1:0]   places_q;
    reg [2 * SLOT_WIDTH - 1:0]    values_q;
    reg [1:0]                     failed_q, answered_q = 2'd0;  // its read was answered, with an error
    reg [2 * WORD - 1:0]          found_q;
    reg                           initialised_q = 1'b0;
    wire [ENTRY_WIDTH - 1:0] place = start_expert * ROWS + start_row_index;
    wire same_place = (open_q[0] && places_q[0 +: ENTRY_WIDTH] == place)
                      || (open_q[1] && places_q[ENTRY_WIDTH +: ENTRY_WIDTH] == place);
    always @(posedge clk) initialised_q <= initialised && !rst;
    always @* begin
        assume (!start_valid || (!rst && initialised_q && start_entry < PENDING && !open_q[start_entry] && !same_place
                                 && start_expert < LOCAL_EXPERTS));
        assume (!initialised_q || initialised || rst); // stays until reset
        if (rst) assume (!initialised);
    end

    wire [WORD - 1:0]       found  = found_q[fill_entry * WORD +: WORD];
    wire [SLOT_WIDTH - 1:0] limit  = values_q[fill_entry * SLOT_WIDTH +: SLOT_WIDTH];
    wire                    unusable = failed_q[fill_entry] || (found[SLOT_WIDTH] && found[SLOT_WIDTH - 1:0] >= limit);
    reg                     reads_back_q = 1'b0; // an operation of a row whose write has ended
    reg [ENTRIES - 1:0]     was_written_q = 0;
    reg [4:0]               age_q = 5'd0; // cycles in which nothing outside holds the operation of entry 0 back
    wire flows = arready && awready && wready && read_now && write_now && !read_choice && !write_choice && initialised;
    always @(posedge clk) begin
        if (start_valid) begin
            open_q[start_entry]     <= 1'b1;
            first_q[start_entry]    <= start_first;
            answered_q[start_entry] <= 1'b0;
            places_q[start_entry * ENTRY_WIDTH +: ENTRY_WIDTH] <= place;
            values_q[start_entry * SLOT_WIDTH +: SLOT_WIDTH]   <= start_value;
            if (was_written_q[place]) reads_back_q <= 1'b1;
        end
        if (rvalid && rready) begin
            answered_q[rid] <= 1'b1;
            failed_q[rid]   <= read_error;
            found_q[rid * WORD +: WORD] <= {rdata[31:SLOT_WIDTH] == EPOCH, rdata[SLOT_WIDTH - 1:0]};
        end
        if (fill_valid) open_q[fill_entry] <= 1'b0;
        if (written_valid) begin
            open_q[written_entry] <= 1'b0;
            was_written_q[places_q[written_entry * ENTRY_WIDTH +: ENTRY_WIDTH]] <= 1'b1;
        end
        age_q <= open_q[0] && flows && !(fill_valid && !fill_entry) && !(written_valid && !written_entry)
                 ? age_q + {4'd0, age_q != 5'd31} : 5'd0;
        if (rst) begin
            age_q      <= 5'd0;
            open_q     <= 2'd0;
            answered_q <= 2'd0;
        end
    end
    wire [ADDRESS_WIDTH - 1:0] ar_place = places_q[arid * ENTRY_WIDTH +: ENTRY_WIDTH];
    wire [ADDRESS_WIDTH - 1:0] aw_place = places_q[awid * ENTRY_WIDTH +: ENTRY_WIDTH];
    // The lane of an entry: which 4 bytes of the data carry it.
    wire [ADDRESS_WIDTH - 1:0] r_place   = places_q[rid * ENTRY_WIDTH +: ENTRY_WIDTH];
    wire [ADDRESS_WIDTH - 1:0] w_place   = places_q[0 +: ENTRY_WIDTH]; // of the only operation
    wire [ADDRESS_WIDTH - 1:0] r_address = base + 4 * r_place;
    wire [ADDRESS_WIDTH - 1:0] w_address = base + 4 * w_place;
    generate
        if (AXI_DATA_WIDTH == 32) begin : g_one_lane
            assign wide_rdata = rdata;
        end else begin : g_two_lanes
            assign wide_rdata = r_address[2] ? {rdata, read_beside} : {read_beside, rdata};
        end
    endgenerate

    always @* if (started_q && !reset_q) begin
        read_known:    assert (!arvalid || (open_q[arid] && !answered_q[arid]));
        read_address:  assert (!arvalid || araddr == base + 4 * ar_place);
        write_known:   assert (!awvalid || (open_q[awid] && answered_q[awid] && first_q[awid]));
        write_address: assert (!awvalid || awaddr == base + 4 * aw_place);
        in_4_bytes:    assert ((!arvalid || ((araddr ^ (araddr + 3)) >> 2) == 0)
                               && (!awvalid || ((awaddr ^ (awaddr + 3)) >> 2) == 0));
        write_epoch:   assert (!wvalid || wdata[31:SLOT_WIDTH] == EPOCH);
        write_slot:    assert (PENDING > 1 || !wvalid || wdata[SLOT_WIDTH - 1:0] == values_q[0 +: SLOT_WIDTH]);
        strobes:       assert (PENDING > 1 || !wvalid || wstrb == (AXI_DATA_WIDTH > 32 && w_address[2] ? 8'hf0 : 8'h0f));
        fill_once:     assert (!fill_valid || (open_q[fill_entry] && answered_q[fill_entry] && !first_q[fill_entry]));
        fill_right:    assert (!fill_valid || fill_state == (unusable ? 2'd2 : found[SLOT_WIDTH] ? 2'd0 : 2'd1));
        fill_slot_is:  assert (!fill_valid || fill_state != 2'd0 || fill_slot == found[SLOT_WIDTH - 1:0]);
        in_time:       assert (age_q <= BOUND);
        written_once:  assert (!written_valid || (open_q[written_entry] && answered_q[written_entry] && first_q[written_entry]));
    end
    always @* begin
        fills_mapped:  cover (fill_valid && fill_state == 2'd0 && reads_back_q);
        fills_bad:     cover (fill_valid && fill_state == 2'd2 && !failed_q[fill_entry]);
        writes:        cover (written_valid);
        reads:         cover (arvalid);
        reads_again:   cover (arvalid && reads_back_q);
        late_write:    cover (written_valid && age_q == 0 && started_q);
        stalled_write: cover (awvalid && !awready && wvalid);
    end
endmodule
`default_nettype wire
