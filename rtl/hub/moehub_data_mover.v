// SPDX-License-Identifier: Apache-2.0
// Purpose: writes each line to its targets, and the row list word of a row that is new there (doc/hub/ingress.md section 3, step
//   3).
// Contract:
//   1. The lines of the buffer are emptied in the order in which they became whole. Of each, the targets in the order of
//      the answers: status OK writes the line, with `allocated` the row list word before it; another status writes nothing.
//   2. Each write, and each pair that is refused, has a record. A write waits for its record's place; a row list word for two.
//   3. AW carries at most one burst of up to four beats, W its beats; neither waits for the other outside.
//   4. failed: the context of a pair that the address path refused, one cycle after its record. error_* with it.
// How: a beat is read from the line buffer in one cycle and pushed to W in the next; a row list word takes the same way. AW is
//   pushed as the first beat is read.
// Cost: a beat a cycle without gaps between targets whose answers are there, two cycles after a line became whole. 288 bits
//   a beat of the line buffer, 60 a line; W four beats, AW two.
// Limits: the address of a row list word is combinational from the answer to the AW register.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_data_mover #(
    parameter CONTEXTS      = 4,  // 1..8
    parameter SLOT_WIDTH    = 22, // 1..31
    parameter ADDRESS_WIDTH = 48  // 32..64
) (
    input  wire                                  clk,
    input  wire                                  rst,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases,
    input  wire [CONTEXTS * 5 - 1:0]             list_shifts,
    // line buffer
    input  wire                                  beat_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(`MOEHUB_WAY_LINES) + 1:0] beat_address,
    input  wire [287:0]                          beat,
    input  wire                                  whole,
    input  wire [`MOEHUB_LINE_WIDTH - 1:0]       line,
    input  wire [7:0]                            bytes,
    output wire                                  released,
    // answers
    input  wire                                  answer_valid,
    output wire                                  answer_ready,
    input  wire [`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 1:0] answer,
    // records of writes
    input  wire                                  write_room,     // for one
    input  wire                                  write_room_two,
    output wire                                  write_valid,
    output wire [`MOEHUB_WRITE_RECORD_WIDTH(SLOT_WIDTH) - 1:0] write_record,
    // memory
    output wire                                  m_axi_awvalid,
    input  wire                                  m_axi_awready,
    output wire [ADDRESS_WIDTH - 1:0]            m_axi_awaddr,
    output wire [7:0]                            m_axi_awlen,
    output wire                                  m_axi_wvalid,
    input  wire                                  m_axi_wready,
    output wire [255:0]                          m_axi_wdata,
    output wire [31:0]                           m_axi_wstrb,
    output wire                                  m_axi_wlast,
    // what happened
    output wire                                  line_written,   // pulses
    output wire                                  word_written,
    output wire                                  answer_missing,
    output wire                                  memory_stalled,
    output wire                                  no_write_place,
    output wire [CONTEXTS - 1:0]                 failed,
    output wire                                  error_valid,
    output wire [127:0]                          error_header
);
    localparam LINE_WIDTH  = `MOEHUB_LINE_WIDTH;
    localparam LINES       = `MOEHUB_WAY_LINES;
    localparam LINES_WIDTH = `MOEHUB_INDEX_WIDTH(LINES);
    localparam [31:0] LAST_LINE = LINES - 1;
    localparam [LINES_WIDTH - 1:0] LINE_ONE = 1;
    localparam WRITE_WIDTH = `MOEHUB_WRITE_RECORD_WIDTH(SLOT_WIDTH);

    // ---- the lines: what each holds -------------------------------------------------------------------------------------
    wire        there;
    wire [7:0]  its_bytes;
    wire [LINE_WIDTH - 1:0] its_line;
    wire [1:0]  unused_of_fifo;
    moehub_memory_fifo #(.WIDTH(LINE_WIDTH + 8), .DEPTH(LINES), .LANDING(2)) u_whole (
        .clk(clk), .rst(rst), .in_valid(whole), .in_data({bytes, line}), .out_valid(there), .out_ready(released),
        .out_data({its_bytes, its_line}), .empty(unused_of_fifo[0]), .parity_error(unused_of_fifo[1])
    );

    reg [LINES_WIDTH - 1:0] drain_q; // of the line that is emptied next
    always @(posedge clk) begin
        if (released) drain_q <= drain_q == LAST_LINE[LINES_WIDTH - 1:0] ? {LINES_WIDTH{1'b0}} : drain_q + LINE_ONE;
        if (rst) drain_q <= {LINES_WIDTH{1'b0}};
    end

    wire        refused;
    wire [2:0]  of_context;
    wire [5:0]  source;
    wire [31:0] row_index;
    wire [1:0]  first_beat;
    wire [1:0]  last_beat;
    wire [5:0]  targets;
    assign `MOEHUB_LINE(refused, of_context, source, row_index, first_beat, last_beat, targets) = its_line;

    // ---- the answer of the target ---------------------------------------------------------------------------------------
    wire [3:0]                 status;
    wire [7:0]                 expert;
    wire                       allocated;
    wire [SLOT_WIDTH - 1:0]    slot;
    wire [ADDRESS_WIDTH - 1:0] address;
    assign `MOEHUB_WAY_ANSWER(status, expert, allocated, slot, address) = answer;

    wire [CONTEXTS - 1:0]      named;
    wire [ADDRESS_WIDTH - 1:0] list_base;
    wire [4:0]                 list_shift;
    wire [ADDRESS_WIDTH - 1:0] word_address;
    wire [30:0]                slot_wide;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_named
            localparam [31:0] NUMBER = c;
            assign named[c] = of_context == NUMBER[2:0];
        end
        if (SLOT_WIDTH < 31) begin : g_wider
            assign slot_wide = {{31 - SLOT_WIDTH{1'b0}}, slot};
        end else begin : g_as_wide
            assign slot_wide = slot;
        end
    endgenerate
    moehub_one_hot_mux #(.WIDTH(ADDRESS_WIDTH), .WAYS(CONTEXTS)) u_base (
        .select(named), .words(list_bases), .word(list_base)
    );
    moehub_one_hot_mux #(.WIDTH(5), .WAYS(CONTEXTS)) u_shift (.select(named), .words(list_shifts), .word(list_shift));
    moehub_row_list_address #(.ADDRESS_WIDTH(ADDRESS_WIDTH)) u_word_address (
        .list_base(list_base), .list_shift(list_shift), .expert(expert), .slot(slot_wide), .address(word_address)
    );

    // ---- what is done in this cycle -------------------------------------------------------------------------------------
    reg       word_done_q; // the row list word of this target was written
    reg       inside_q;    // the first beat of this line was read
    reg [1:0] beat_q;      // the next one
    reg       final_q;     // that is the last one
    reg [5:0] target_q;    // answers of this line that were used
    reg [2:0] w_used_q;    // beats that were begun and that memory has not taken
    reg       w_room_q;

    wire       aw_ready;
    wire       ok       = status == 4'd`MOEHUB_STATUS_OK;
    wire       target   = there && !refused && answer_valid;
    wire       to_word  = target && ok && allocated && !word_done_q;
    wire       to_line  = target && ok && (!allocated || word_done_q);
    wire       to_none  = target && !ok;
    wire       memory   = w_room_q && (inside_q || aw_ready);
    wire       do_all   = there && refused && write_room;
    wire       do_word  = to_word && memory && write_room_two;
    wire       do_beat  = to_line && memory && (inside_q || write_room);
    wire       do_none  = to_none && write_room;
    wire [1:0] beat_now = inside_q ? beat_q : first_beat;
    wire       ends     = do_beat && (inside_q ? final_q : first_beat == last_beat);
    wire       used     = ends || do_none;
    wire       last     = target_q + 6'd1 == targets;

    wire [2:0] w_used_d = w_used_q + {2'd0, do_word || do_beat} - {2'd0, m_axi_wvalid && m_axi_wready};

    assign answer_ready = used;
    assign released     = do_all || (used && last);

    always @(posedge clk) begin
        if (do_word) word_done_q <= 1'b1;
        else if (used) word_done_q <= 1'b0;
        if (do_beat) inside_q <= !ends;
        if (do_beat) beat_q <= beat_now + 2'd1;
        if (do_beat) final_q <= beat_now + 2'd1 == last_beat;
        if (released) target_q <= 6'd0;
        else if (used) target_q <= target_q + 6'd1;
        w_used_q <= w_used_d;
        w_room_q <= !w_used_d[2];
        if (rst) begin
            word_done_q <= 1'b0;
            inside_q    <= 1'b0;
            target_q    <= 6'd0;
            w_used_q    <= 3'd0;
            w_room_q    <= 1'b1;
        end
    end

    wire                   do_line = do_beat && !inside_q;
    wire [1:0]             kind    = do_word ? 2'd`MOEHUB_COMPLETED_WORD :
        do_line ? 2'd`MOEHUB_COMPLETED_BYTES : 2'd`MOEHUB_COMPLETED_REFUSED;
    wire                   is_last = do_all || (!do_word && last);
    wire [7:0]             its_expert = do_all ? 8'd0 : expert;
    wire [SLOT_WIDTH - 1:0] its_slot  = do_word || do_line ? slot : {SLOT_WIDTH{1'b0}};
    wire [7:0]             value   = do_all ? {2'd0, targets} : do_line ? its_bytes : {7'd0, do_none};
    wire [WRITE_WIDTH - 1:0] write_word = `MOEHUB_WRITE_RECORD(kind, is_last, of_context, source, its_expert, its_slot, value);
    assign write_valid  = do_all || do_word || do_line || do_none;
    assign write_record = write_word;

    // ---- memory ---------------------------------------------------------------------------------------------------------
    wire [ADDRESS_WIDTH - 1:0] at    = do_word ? word_address : address;
    wire [1:0]                 beats = do_word ? 2'd0 : last_beat - first_beat;
    wire [1:0]                 unused_aw_count;
    wire [1:0]                 awlen;
    moehub_fifo #(.WIDTH(ADDRESS_WIDTH - 5 + 2), .DEPTH(2)) u_aw (
        .clk(clk), .rst(rst), .in_valid(do_word || do_line), .in_ready(aw_ready), .in_data({beats, at[ADDRESS_WIDTH - 1:5]}),
        .out_valid(m_axi_awvalid), .out_ready(m_axi_awready), .out_data({awlen, m_axi_awaddr[ADDRESS_WIDTH - 1:5]}),
        .count(unused_aw_count)
    );
    assign m_axi_awaddr[4:0] = 5'd0;
    assign m_axi_awlen       = {6'd0, awlen};

    wire [287:0] line_beat;
    wire         unused_parity;
    moehub_memory_1r1w #(.WIDTH(288), .DEPTH(4 * LINES), .PARITY(0)) u_lines (
        .clk(clk), .write_enable(beat_valid), .write_address(beat_address), .write_data(beat),
        .read_enable(do_beat && !rst), .read_address({drain_q, beat_now}), .read_data(line_beat), .parity_error(unused_parity)
    );

    reg        s1_valid_q; // a beat that was read, or a row list word
    reg        s1_word_q;
    reg        s1_last_q;
    reg [2:0]  s1_lane_q;
    reg [31:0] s1_row_q;

    always @(posedge clk) begin
        s1_valid_q <= do_word || do_beat;
        s1_word_q  <= do_word;
        s1_last_q  <= do_word || ends;
        s1_lane_q  <= word_address[4:2];
        s1_row_q   <= row_index;
        if (rst) s1_valid_q <= 1'b0;
    end

    wire [31:0]  word_strobes = 32'hf << {s1_lane_q, 2'd0};
    wire [255:0] word_data    = {224'd0, s1_row_q} << {s1_lane_q, 5'd0};
    wire [287:0] w_beat       = s1_word_q ? {word_strobes, word_data} : line_beat;
    wire         unused_w_ready; // never low: w_used_q counts what is on its way, too
    wire [2:0]   unused_w_count;
    moehub_fifo #(.WIDTH(289), .DEPTH(4)) u_w (
        .clk(clk), .rst(rst), .in_valid(s1_valid_q), .in_ready(unused_w_ready), .in_data({s1_last_q, w_beat}),
        .out_valid(m_axi_wvalid), .out_ready(m_axi_wready),
        .out_data({m_axi_wlast, m_axi_wstrb, m_axi_wdata}), .count(unused_w_count)
    );

    // ---- what happened --------------------------------------------------------------------------------------------------
    reg                  line_written_q;
    reg                  word_written_q;
    reg                  answer_missing_q;
    reg                  memory_stalled_q;
    reg                  no_write_place_q;
    reg [CONTEXTS - 1:0] failed_q;
    reg                  error_valid_q;
    reg [3:0]            error_status_q;
    reg [2:0]            error_context_q;
    reg [5:0]            error_source_q;
    reg [31:0]           error_row_q;
    reg [127:0]          header;

    assign line_written   = line_written_q;
    assign word_written   = word_written_q;
    assign answer_missing = answer_missing_q;
    assign memory_stalled = memory_stalled_q;
    assign no_write_place = no_write_place_q;
    assign failed         = failed_q;
    assign error_valid    = error_valid_q;
    assign error_header   = header;

    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]       = error_status_q;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = error_context_q;
        header[`MOEHUB_HEADER_SOURCE_LSB +: 6]                                 = error_source_q;
        header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = error_row_q;
    end

    always @(posedge clk) begin
        line_written_q   <= do_line;
        word_written_q   <= do_word;
        answer_missing_q <= there && !refused && !answer_valid;
        memory_stalled_q <= (to_word || to_line) && !memory;
        no_write_place_q <= (there && refused && !write_room) || (to_word && !write_room_two) || (to_none && !write_room) ||
            (to_line && !inside_q && !write_room);
        failed_q         <= named & {CONTEXTS{do_none}};
        error_valid_q    <= do_none;
        error_status_q   <= status;
        error_context_q  <= of_context;
        error_source_q   <= source;
        error_row_q      <= row_index;
        if (rst) begin
            line_written_q   <= 1'b0;
            word_written_q   <= 1'b0;
            answer_missing_q <= 1'b0;
            memory_stalled_q <= 1'b0;
            no_write_place_q <= 1'b0;
            failed_q         <= {CONTEXTS{1'b0}};
            error_valid_q    <= 1'b0;
        end
    end

    wire unused_address = ^{at[4:0], word_address[1:0]};
endmodule

`default_nettype wire
