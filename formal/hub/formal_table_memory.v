// SPDX-License-Identifier: Apache-2.0
// The memory behind the walker: an AXI4 slave that holds the ENTRIES words of an AL table, answers at any time and in any order
// of ids, and demands the rules of an AXI4 master. A word is kept as {of the current epoch, slot}: what a word of another epoch
// says besides is free. An answer's error bit is an input.
`default_nettype none
module formal_table_memory #(
    parameter SLOT_WIDTH    = 2,
    parameter ADDRESS_WIDTH = 32,
    parameter PENDING       = 1, // 1 or 2
    parameter ENTRIES       = 2,
    parameter ENTRY_WIDTH   = 1
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire [31 - SLOT_WIDTH:0]          epoch,
    input  wire [ADDRESS_WIDTH - 1:0]        base,
    input  wire [ENTRIES * (1 + SLOT_WIDTH) - 1:0] initial_words,
    input  wire [31 - SLOT_WIDTH:0]          other_epoch, // any but the current one
    // the solver's choice in each cycle: which id is answered
    input  wire                              read_choice,
    input  wire                              read_now,
    input  wire                              write_choice,
    input  wire                              write_now,
    input  wire                              arvalid,
    input  wire                              arready,
    input  wire                              arid,
    input  wire [ADDRESS_WIDTH - 1:0]        araddr,
    output wire                              rvalid,
    output wire                              rid,
    output wire [31:0]                       rdata,
    input  wire                              awvalid,
    input  wire                              awready,
    input  wire                              awid,
    input  wire [ADDRESS_WIDTH - 1:0]        awaddr,
    input  wire                              wvalid,
    input  wire                              wready,
    input  wire [31:0]                       wdata,
    input  wire                              bready,
    input  wire                              write_error,
    output wire                              bvalid,
    output wire                              bid,
    output wire                              idle
);
    localparam WORD = 1 + SLOT_WIDTH;

    wire [ADDRESS_WIDTH - 1:0] read_offset  = araddr - base;
    wire [ADDRESS_WIDTH - 1:0] write_offset = awaddr - base;
    wire [ENTRY_WIDTH - 1:0]   read_entry   = read_offset[2 +: ENTRY_WIDTH];
    wire [ENTRY_WIDTH - 1:0]   write_entry  = write_offset[2 +: ENTRY_WIDTH];

    reg [ENTRIES * WORD - 1:0] words_q;
    reg                        started_q = 1'b0;
    reg [1:0]                  reading_q = 2'd0;   // ids whose read is unanswered
    reg [2 * ENTRY_WIDTH - 1:0] read_entries_q;
    reg [1:0]                  writing_q = 2'd0;   // ids whose write address is here and unanswered
    reg [2 * ENTRY_WIDTH - 1:0] write_entries_q;
    reg [2 * WORD - 1:0]       write_words_q;
    reg [1:0]                  paired_q = 2'd0;    // its data are here too
    // Write addresses without data, and data without address, in order: the older at the bottom.
    reg [1:0]                  addresses_q = 2'd0; // how many
    reg [1:0]                  address_ids_q;
    reg [1:0]                  data_q = 2'd0;
    reg [2 * WORD - 1:0]       data_words_q;

    wire ar = arvalid && arready;
    wire aw = awvalid && awready;
    wire w  = wvalid && wready;
    wire r  = rvalid;
    wire b  = bvalid && bready;
    wire pair = addresses_q != 2'd0 && data_q != 2'd0;

    assign rvalid = bready && read_now && reading_q[read_choice];
    assign rid    = read_choice;
    wire [ENTRY_WIDTH - 1:0] answered = read_entries_q[read_choice * ENTRY_WIDTH +: ENTRY_WIDTH];
    wire [WORD - 1:0]        found    = words_q[answered * WORD +: WORD];
    assign rdata  = {found[SLOT_WIDTH] ? epoch : other_epoch, found[SLOT_WIDTH - 1:0]};
    assign bvalid = write_now && paired_q[write_choice];
    assign bid    = write_choice;
    assign idle   = reading_q == 2'd0 && writing_q == 2'd0 && addresses_q == 2'd0 && data_q == 2'd0;

    always @(posedge clk) begin
        started_q <= 1'b1;
        if (ar) begin
            reading_q[arid] <= 1'b1;
            read_entries_q[arid * ENTRY_WIDTH +: ENTRY_WIDTH] <= read_entry;
        end
        if (r) reading_q[rid] <= 1'b0;
        if (aw) begin
            writing_q[awid] <= 1'b1;
            write_entries_q[awid * ENTRY_WIDTH +: ENTRY_WIDTH] <= write_entry;
        end
        if (pair) begin
            paired_q[address_ids_q[0]] <= 1'b1;
            write_words_q[address_ids_q[0] * WORD +: WORD] <= data_words_q[0 +: WORD];
            address_ids_q[0] <= address_ids_q[1];
            data_words_q[0 +: WORD] <= data_words_q[WORD +: WORD];
        end
        if (aw) address_ids_q[(addresses_q - {1'b0, pair}) & 2'd1] <= awid;
        if (w)
            data_words_q[((data_q - {1'b0, pair}) & 2'd1) * WORD +: WORD] <=
                {wdata[31:SLOT_WIDTH] == epoch, wdata[SLOT_WIDTH - 1:0]};
        addresses_q <= addresses_q + {1'b0, aw} - {1'b0, pair};
        data_q      <= data_q + {1'b0, w} - {1'b0, pair};
        if (b) begin
            writing_q[bid] <= 1'b0;
            paired_q[bid]  <= 1'b0;
            if (!write_error)
                words_q[write_entries_q[bid * ENTRY_WIDTH +: ENTRY_WIDTH] * WORD +: WORD] <= write_words_q[bid * WORD +: WORD];
        end
        if (rst) begin
            words_q <= initial_words;
            reading_q <= 2'd0;
            writing_q <= 2'd0;
            paired_q  <= 2'd0;
            {addresses_q, data_q} <= 4'd0;
        end
    end

    // ---- rules of the master -------------------------------------------------------------------------------------------
    wire reads_0  = reading_q[0] && read_entries_q[0 +: ENTRY_WIDTH] == read_entry;
    wire reads_1  = reading_q[1] && read_entries_q[ENTRY_WIDTH +: ENTRY_WIDTH] == read_entry;
    wire writes_0 = writing_q[0] && write_entries_q[0 +: ENTRY_WIDTH] == read_entry;
    wire writes_1 = writing_q[1] && write_entries_q[ENTRY_WIDTH +: ENTRY_WIDTH] == read_entry;
    wire reread_0 = reading_q[0] && read_entries_q[0 +: ENTRY_WIDTH] == write_entry;
    wire reread_1 = reading_q[1] && read_entries_q[ENTRY_WIDTH +: ENTRY_WIDTH] == write_entry;
    reg  written_before_q = 1'b0;
    always @(posedge clk) if (b) written_before_q <= 1'b1;

    always @* if (started_q) begin
        read_id_unique:  assert (!arvalid || (arid < PENDING && !reading_q[arid] && !writing_q[arid]));
        write_id_unique: assert (!awvalid || (awid < PENDING && !writing_q[awid] && !reading_q[awid]));
        one_per_entry:   assert (!arvalid || !(reads_0 || reads_1));
        write_answered:  assert (!arvalid || !(writes_0 || writes_1 || (awvalid && awaddr == araddr)));
        reads_before:    assert (!awvalid || !(reread_0 || reread_1));
        read_inside:     assert (!arvalid || (read_offset < 4 * ENTRIES && read_offset[1:0] == 2'd0));
        write_inside:    assert (!awvalid || (write_offset < 4 * ENTRIES && write_offset[1:0] == 2'd0));
        data_for_one:    assert (!wvalid || data_q < PENDING);
    end
    always @* begin
        reads:        cover (arvalid && reading_q != 2'd0);
        writes:       cover (awvalid);
        writes_data_first: cover (data_q != 2'd0 && addresses_q == 2'd0 && awvalid);
        reads_after_write: cover (arvalid && written_before_q);
        write_answer: cover (b);
    end
endmodule
`default_nettype wire
