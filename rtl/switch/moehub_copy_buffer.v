// SPDX-License-Identifier: Apache-2.0
// Purpose: SLOTS copies of an output of the crossbar: gathers their rows and ids, makes their headers, sends them as packets.
// Contract:
//   1. A slot is taken by granted; rows, each with the number of the copy's rows, and records come copy by copy in the order of
//      granted. room: a slot is free. A slot is free again when its copy's last flit was taken.
//   2. copy_*: the copies in the order of granted, each whole: header, target flits, other rows. flits: how many these are.
//   3. A copy is compact (FORMAT 1) whenever it can be, else FORMAT 0 with ceil(ids / 8) target flits (doc/plane/packet.md).
//   4. The first copy inside is offered one cycle after its last record and two after its row 0, whichever is later (DATA_WIDTH
//      below 128: three after row_end); the next one in the cycle after the one before has left, if it has come so far by then.
//   5. Row k comes k cycles after row 0 at the latest.
// Cost: SLOTS x (16 x 128 + 4 x 64) bits of memory; with DATA_WIDTH below 128 the header register is all.
`default_nettype none
`include "moehub_crossbar.vh"
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_copy_buffer #(
    parameter DATA_WIDTH        = 128,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter MAX_TARGETS       = 32,
    parameter SLOTS             = 4
) (
    input  wire clk,
    input  wire rst,

    input  wire [5:0]                             own_port,

    output wire                                   room,
    input  wire                                   granted,
    input  wire                                   row_valid,
    input  wire [3:0]                             row_number,
    input  wire [3:0]                             row_rows,
    input  wire [DATA_WIDTH - 1:0]                row_data,
    input  wire                                   row_end,
    input  wire                                   record_valid,
    input  wire [`MOEHUB_COPY_RECORD_WIDTH - 1:0] record,

    output wire                                   copy_valid,
    input  wire                                   copy_ready,
    output wire [127:0]                           copy_data,
    output wire                                   copy_last,
    output wire [4:0]                             copy_flits
);
    localparam SLOT_WIDTH   = `MOEHUB_INDEX_WIDTH(SLOTS);
    localparam USED_WIDTH   = $clog2(SLOTS + 1);
    localparam WORDS        = (MAX_TARGETS + 7) / 8; // target flits of a copy
    localparam WORD_WIDTH   = `MOEHUB_INDEX_WIDTH(WORDS);
    localparam FLIT_ROWS    = 128 / DATA_WIDTH;
    localparam [31:0] ALL_SLOTS = SLOTS;
    localparam [31:0] LAST_SLOT = SLOTS - 1;
    localparam [USED_WIDTH - 1:0] USED_ONE = 1;
    localparam [SLOT_WIDTH - 1:0] SLOT_ONE = 1;
    localparam [WORD_WIDTH - 1:0] WORD_ONE = 1;

    function [SLOT_WIDTH - 1:0] next_slot(input [SLOT_WIDTH - 1:0] from);
        next_slot = from == LAST_SLOT[SLOT_WIDTH - 1:0] ? {SLOT_WIDTH{1'b0}} : from + SLOT_ONE;
    endfunction

    // ---- slots: taken at the grant, rows, records and headers follow in this order ----------------------------------
    reg [SLOT_WIDTH - 1:0] row_slot_q;
    reg [SLOT_WIDTH - 1:0] record_slot_q;
    reg [SLOT_WIDTH - 1:0] make_slot_q; // whose header is made next
    reg [SLOT_WIDTH - 1:0] send_slot_q; // of the copy on its way out
    reg [USED_WIDTH - 1:0] used_q;
    reg                    room_q;

    wire record_end = record_valid && record[`MOEHUB_COPY_RECORD_END_LSB];
    wire make;
    wire leaves; // a copy's last flit is taken

    wire [USED_WIDTH - 1:0] used_d = granted && !leaves ? used_q + USED_ONE : leaves && !granted ? used_q - USED_ONE : used_q;
    assign room = room_q;

    always @(posedge clk) begin
        if (row_end) row_slot_q <= next_slot(row_slot_q);
        if (record_end) record_slot_q <= next_slot(record_slot_q);
        if (make) make_slot_q <= next_slot(make_slot_q);
        if (make) send_slot_q <= make_slot_q;
        used_q <= used_d;
        room_q <= used_d != ALL_SLOTS[USED_WIDTH - 1:0];
        if (rst) begin
            row_slot_q    <= {SLOT_WIDTH{1'b0}};
            record_slot_q <= {SLOT_WIDTH{1'b0}};
            make_slot_q   <= {SLOT_WIDTH{1'b0}};
            used_q        <= {USED_WIDTH{1'b0}};
            room_q        <= 1'b0;
        end
    end

    // ---- ids: eight to a word; the copy's last record may bring two words -------------------------------------------
    reg [5:0]              ids_count_q; // of the copy so far
    reg [23:0]             ids_first_q; // the first three
    reg [55:0]             ids_part_q;  // those of the word that is not full
    reg                    ids_second_q; // the last record's second word is written in this cycle
    reg [SLOT_WIDTH - 1:0] ids_second_slot_q;
    reg [WORD_WIDTH - 1:0] ids_second_word_q;

    wire [23:0] record_ids   = record[`MOEHUB_COPY_RECORD_IDS_LSB +: `MOEHUB_COPY_RECORD_IDS_WIDTH];
    wire [1:0]  record_count = record[`MOEHUB_COPY_RECORD_COUNT_LSB +: `MOEHUB_COPY_RECORD_COUNT_WIDTH];
    wire [79:0] ids_joined   = {24'd0, ids_part_q} | ({56'd0, record_ids} << {ids_count_q[2:0], 3'd0});
    wire [3:0]  ids_inside   = {1'b0, ids_count_q[2:0]} + {2'd0, record_count}; // of this word and of the next
    wire [5:0]  ids_count    = ids_count_q + {4'd0, record_count};
    wire [23:0] ids_first    = ids_count_q > 6'd2 ? ids_first_q : ids_first_q | (record_ids << {ids_count_q[1:0], 3'd0});
    wire        ids_full     = record_valid && ids_inside[3];
    wire        ids_write    = ids_full || record_end || ids_second_q;
    wire        ids_second   = record_end && ids_inside > 4'd8;
    wire [WORD_WIDTH - 1:0] ids_word = ids_count_q[3 +: WORD_WIDTH];

    always @(posedge clk) begin
        ids_second_q      <= ids_second;
        ids_second_slot_q <= record_slot_q;
        ids_second_word_q <= ids_word + WORD_ONE;
        if (ids_second_q) ids_part_q <= 56'd0;
        if (record_valid) begin
            ids_count_q <= ids_count;
            ids_first_q <= ids_first;
            ids_part_q  <= ids_full ? {40'd0, ids_joined[79:64]} : ids_joined[55:0];
        end
        if (record_end) begin
            ids_count_q <= 6'd0;
            ids_first_q <= 24'd0;
            if (!ids_second) ids_part_q <= 56'd0;
        end
        if (rst) begin
            ids_count_q  <= 6'd0;
            ids_first_q  <= 24'd0;
            ids_part_q   <= 56'd0;
            ids_second_q <= 1'b0;
        end
    end

    // ---- the row of the last cycle: a slot's header is written from it ----------------------------------------------
    // A row comes late in its cycle: what it goes to at once is memory and one register, not the headers of all slots.
    reg                    late_row_q;
    reg                    late_end_q;
    reg [SLOT_WIDTH - 1:0] late_slot_q;
    reg [3:0]              late_number_q;
    reg [DATA_WIDTH - 1:0] late_data_q;

    always @(posedge clk) begin
        late_row_q <= row_valid;
        late_end_q <= row_end;
        if (rst) begin
            late_row_q <= 1'b0;
            late_end_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        late_slot_q   <= row_slot_q;
        late_number_q <= row_number;
        late_data_q   <= row_data;
    end

    // ---- what is kept of each slot until its header is made ---------------------------------------------------------
    wire [SLOTS - 1:0]       header_here;  // row 0 has come (DATA_WIDTH below 128: all rows, a cycle ago)
    wire [SLOTS - 1:0]       records_here; // ... all records
    wire [SLOTS * 128 - 1:0] headers;
    wire [SLOTS * 4 - 1:0]   slot_rows;
    wire [SLOTS * 6 - 1:0]   slot_count;
    wire [SLOTS * 24 - 1:0]  slot_first;

    genvar s;
    genvar r;
    generate
        for (s = 0; s < SLOTS; s = s + 1) begin : g_slot
            localparam [31:0] SLOT = s;
            reg         header_here_q;
            reg         records_here_q;
            reg [127:0] header_q;
            reg [3:0]   rows_q;
            reg [5:0]   count_q;
            reg [23:0]  first_q;
            wire        row     = row_valid && row_slot_q == SLOT[SLOT_WIDTH - 1:0];
            wire        late    = late_slot_q == SLOT[SLOT_WIDTH - 1:0];
            wire        header  = FLIT_ROWS == 1 ? row && row_number == 4'd0 : late_end_q && late;
            wire        records = record_end && record_slot_q == SLOT[SLOT_WIDTH - 1:0];
            wire        makes   = make && make_slot_q == SLOT[SLOT_WIDTH - 1:0];
            always @(posedge clk) begin
                if (header) header_here_q <= 1'b1;
                if (records) records_here_q <= 1'b1;
                if (makes) begin
                    header_here_q  <= 1'b0;
                    records_here_q <= 1'b0;
                end
                if (rst) begin
                    header_here_q  <= 1'b0;
                    records_here_q <= 1'b0;
                end
            end
            always @(posedge clk) begin
                if (row) rows_q <= row_rows;
                if (records) begin
                    count_q <= ids_count;
                    first_q <= ids_first;
                end
            end
            for (r = 0; r < FLIT_ROWS; r = r + 1) begin : g_row
                localparam [31:0] NUMBER = r;
                always @(posedge clk) begin
                    if (late_row_q && late && late_number_q == NUMBER[3:0])
                        header_q[r * DATA_WIDTH +: DATA_WIDTH] <= late_data_q;
                end
            end
            assign header_here[s]         = header_here_q;
            assign records_here[s]        = records_here_q;
            assign headers[s * 128 +: 128] = header_q;
            assign slot_rows[s * 4 +: 4]   = rows_q;
            assign slot_count[s * 6 +: 6]  = count_q;
            assign slot_first[s * 24 +: 24] = first_q;
        end
    endgenerate

    // ---- the header: compact where it can be ------------------------------------------------------------------------
    reg copy_valid_q;

    wire         records_now = record_end && record_slot_q == make_slot_q;
    wire         made_ready  = header_here[make_slot_q] && (records_here[make_slot_q] || records_now);
    wire [127:0] row_0;
    wire [3:0]   rows        = slot_rows[make_slot_q * 4 +: 4];
    wire [5:0]   count       = records_now ? ids_count : slot_count[make_slot_q * 6 +: 6];
    wire [23:0]  first       = records_now ? ids_first : slot_first[make_slot_q * 24 +: 24];
    wire [15:0]  offset      = row_0[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH];
    wire [31:0]  row_index   = row_0[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH];
    wire [3:0]   round       = row_0[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH];
    wire         stage       = row_0[`MOEHUB_HEADER_STAGE_LSB];
    wire         compact     = count <= 6'd3 && offset[6:0] == 7'd0 && offset[15:14] == 2'd0 && row_index[31:26] == 6'd0;
    wire [2:0]   words       = compact ? 3'd0 : count[5:3] + {2'd0, count[2:0] != 3'd0};
    wire [4:0]   flits       = {2'd0, words} + (FLIT_ROWS == 1 ? {1'b0, rows} : 5'd1);

    generate
        if (FLIT_ROWS == 1) begin : g_row_0
            // Of the first copy inside it came in the last cycle.
            wire late = late_row_q && late_number_q == 4'd0 && late_slot_q == make_slot_q;
            assign row_0 = late ? late_data_q : headers[make_slot_q * 128 +: 128];
        end else begin : g_flit
            assign row_0 = headers[make_slot_q * 128 +: 128];
        end
    endgenerate

    reg [127:0] made;
    always @* begin
        made = row_0;
        if (compact) begin
            made[`MOEHUB_HEADER_FORMAT_LSB +: `MOEHUB_HEADER_FORMAT_WIDTH]               = 2'd`MOEHUB_FORMAT_COMPACT;
            made[`MOEHUB_COMPACT_LINE_LSB +: `MOEHUB_COMPACT_LINE_WIDTH]                 = offset[13:7];
            made[`MOEHUB_COMPACT_ROUND_LSB +: `MOEHUB_COMPACT_ROUND_WIDTH]               = round;
            made[`MOEHUB_COMPACT_ROW_INDEX_LSB +: `MOEHUB_COMPACT_ROW_INDEX_WIDTH]       = row_index[25:0];
            made[`MOEHUB_COMPACT_STAGE_LSB]                                              = stage;
            made[`MOEHUB_COMPACT_TARGET_COUNT_LSB +: `MOEHUB_COMPACT_TARGET_COUNT_WIDTH] = count[1:0];
            made[`MOEHUB_COMPACT_TARGETS_LSB +: 24]                                      = first;
        end else begin
            made[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH]   = count;
        end
    end

    // ---- the copy on its way out: header, target flits, rows --------------------------------------------------------
    localparam [1:0] FROM_HEADER = 2'd0;
    localparam [1:0] FROM_IDS    = 2'd1;
    localparam [1:0] FROM_ROWS   = 2'd2;

    reg [127:0] header_q;
    reg [1:0]   from_q;      // where the present flit is
    reg [4:0]   flits_q;     // of the copy
    reg [4:0]   flits_left_q; // the present one counted
    reg [2:0]   words_left_q; // target flits after the present flit
    reg [WORD_WIDTH - 1:0] word_q; // number of the next one
    reg [3:0]   row_q;       // number of the next row
    reg [5:0]   ids_left_q;  // ids from the present target flit on

    wire taken     = copy_valid_q && copy_ready;
    wire more      = taken && flits_left_q != 5'd1;
    wire more_ids  = more && words_left_q != 3'd0;
    wire more_rows = more && words_left_q == 3'd0;

    assign leaves = taken && flits_left_q == 5'd1;
    assign make   = made_ready && (!copy_valid_q || leaves);

    always @(posedge clk) begin
        copy_valid_q <= make || (copy_valid_q && !leaves);
        if (rst) copy_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (more) flits_left_q <= flits_left_q - 5'd1;
        if (more_ids) begin
            from_q       <= FROM_IDS;
            words_left_q <= words_left_q - 3'd1;
            word_q       <= word_q + WORD_ONE;
        end
        if (more_rows) begin
            from_q <= FROM_ROWS;
            row_q  <= row_q + 4'd1;
        end
        if (taken && from_q == FROM_IDS) ids_left_q <= ids_left_q - 6'd8;
        if (make) begin
            header_q     <= made;
            from_q       <= FROM_HEADER;
            flits_q      <= flits;
            flits_left_q <= flits;
            words_left_q <= words;
            word_q       <= {WORD_WIDTH{1'b0}};
            row_q        <= 4'd1;
            ids_left_q   <= count;
        end
    end

    wire [63:0] ids_rdata;
    wire        unused_ids_parity;

    moehub_memory_1r1w #(.WIDTH(64), .DEPTH(SLOTS << WORD_WIDTH), .PARITY(0)) u_ids (
        .clk(clk), .write_enable(ids_write),
        .write_address(ids_second_q ? {ids_second_slot_q, ids_second_word_q} : {record_slot_q, ids_word}),
        .write_data(ids_second_q ? {8'd0, ids_part_q} : ids_joined[63:0]),
        .read_enable(more_ids && !rst), .read_address({send_slot_q, word_q}), .read_data(ids_rdata),
        .parity_error(unused_ids_parity)
    );

    wire [127:0] target_flit;
    genvar t;
    generate
        for (t = 0; t < 8; t = t + 1) begin : g_target
            localparam [31:0] NUMBER = t;
            wire [15:0] id = {10'd0, own_port} << LOCAL_EXPERT_BITS | {8'd0, ids_rdata[t * 8 +: 8]};
            assign target_flit[t * 16 +: 16] = ids_left_q > NUMBER[5:0] ? id : 16'd0;
        end
    endgenerate

    generate
        if (FLIT_ROWS == 1) begin : g_rows
            wire [127:0] rows_rdata;
            wire         unused_rows_parity;

            moehub_memory_1r1w #(.WIDTH(128), .DEPTH(SLOTS * 16), .PARITY(0)) u_rows (
                .clk(clk), .write_enable(row_valid), .write_address({row_slot_q, row_number}), .write_data(row_data),
                .read_enable(more_rows && !rst), .read_address({send_slot_q, row_q}), .read_data(rows_rdata),
                .parity_error(unused_rows_parity)
            );
            assign copy_data = from_q == FROM_HEADER ? header_q : from_q == FROM_IDS ? target_flit : rows_rdata;
        end else begin : g_no_rows
            wire unused_rows = &{1'b0, more_rows, row_q, rows};
            assign copy_data = from_q == FROM_HEADER ? header_q : target_flit;
        end
    endgenerate

    assign copy_valid = copy_valid_q;
    assign copy_last  = flits_left_q == 5'd1;
    assign copy_flits = flits_q;
endmodule

`default_nettype wire
