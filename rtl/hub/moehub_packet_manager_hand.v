// SPDX-License-Identifier: Apache-2.0
// Purpose: visits one line buffer a cycle, and asks for those to be made ready, or freed, that nothing else would
//   (doc/hub/packet_manager.md section 6).
// Contract:
//   1. fills: step_slot gets a line and is filling; its name and the time are kept. stops: it is filling no more.
//   2. valid, until ready: a filling buffer of a row that is aborted, or stored_all, or that is line_timeout cycles old, or of
//      ways with room as a store wants a slot. The pipeline, which knows the line, makes it ready or frees it, or does nothing.
//   3. After one that was taken none is asked for in the next cycle. It stands still while it asks.
//   4. A buffer is visited again 16 cycles later at the earliest: what was asked for is done then.
// Cost: four cycles from the read of a name to what is asked; LINES words of memory, and LINES bits.
// Proved: formal/hub/formal_packet_manager_hand.v
`default_nettype none
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"

module moehub_packet_manager_hand #(
    parameter LINKS        = 1,   // 1..4
    parameter OFFSET_WIDTH = 14,  // 7..16
    parameter ROWS         = 32,  // 1..64
    parameter LINES        = 448  // 1..4096
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [15:0]                              line_timeout, // 1..32768
    // entries and ways
    input  wire [ROWS - 1:0]                        aborted,
    input  wire [ROWS - 1:0]                        stored_all,
    input  wire [2 * ROWS - 1:0]                    kinds,
    input  wire [2 * ROWS - 1:0]                    links,
    input  wire [LINKS:0]                           store_room,
    input  wire [LINKS:0]                           owed_many, // more than 3 lines
    input  wire                                     wants_slot,
    // line buffers
    input  wire                                     clear, // after reset: this buffer is not filling
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  clear_slot,
    input  wire                                     fills,
    input  wire                                     stops,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  step_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   step_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] step_line,
    output wire                                     valid,
    input  wire                                     ready,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  slot,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] line,
    output wire [2:0]                               reasons // room, timer, the row ended; one of them, or it is aborted
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam WORD_WIDTH  = 16 + LINE_WIDTH + ENTRY_WIDTH;
    localparam PERIOD      = LINES < 16 ? 16 : LINES; // cycles of a round
    localparam VISIT_WIDTH = `MOEHUB_INDEX_WIDTH(PERIOD);
    localparam [31:0] LAST     = PERIOD - 1;
    localparam [31:0] LINES_32 = LINES;
    localparam [VISIT_WIDTH - 1:0] ONE = 1;
    localparam [2:0] ROOM_CYCLES = 3'd4; // by room a line becomes ready in so many cycles at most

    // ---- name and time --------------------------------------------------------------------------------------------------
    reg [VISIT_WIDTH - 1:0]  reads_q;
    reg [15:0]               now_q;
    wire                     moves;   // to the next buffer
    wire [31:0]              reads_32 = {{(32 - VISIT_WIDTH){1'b0}}, reads_q};
    wire                     exists   = reads_32 < LINES_32;
    wire [SLOT_WIDTH - 1:0]  reads    = reads_q[SLOT_WIDTH - 1:0];
    wire [15:0]              stamp;
    wire [LINE_WIDTH - 1:0]  name_line;
    wire [ENTRY_WIDTH - 1:0] name_entry;
    wire                     filling;
    wire [1:0]               unused_parity;
    moehub_memory_1r1w #(.WIDTH(WORD_WIDTH), .DEPTH(LINES), .PARITY(0)) u_names (
        .clk(clk), .write_enable(fills), .write_address(step_slot), .write_data({now_q, step_line, step_entry}),
        .read_enable(moves && exists && !rst), .read_address(reads), .read_data({stamp, name_line, name_entry}),
        .parity_error(unused_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(1), .DEPTH(LINES), .PARITY(0)) u_filling (
        .clk(clk), .write_enable(fills || stops || clear), .write_address(clear ? clear_slot : step_slot), .write_data(fills),
        .read_enable(moves && exists && !rst), .read_address(reads), .read_data(filling), .parity_error(unused_parity[1])
    );

    // ---- what of it is known: its name; its age and its row; whether it is to leave -----------------------------------
    reg                     s1_valid_q; // its name is on the memory's output
    reg [SLOT_WIDTH - 1:0]  s1_slot_q;
    reg                     s2_valid_q;
    reg [SLOT_WIDTH - 1:0]  s2_slot_q;
    reg [LINE_WIDTH - 1:0]  s2_line_q;
    reg [ENTRY_WIDTH - 1:0] s2_entry_q;
    reg [15:0]              s2_stamp_q;
    reg                     s3_valid_q;
    reg [SLOT_WIDTH - 1:0]  s3_slot_q;
    reg [LINE_WIDTH - 1:0]  s3_line_q;
    reg [ENTRY_WIDTH - 1:0] s3_entry_q;
    reg [15:0]              s3_age_q;
    reg                     s3_aborted_q;
    reg                     s3_of_row_q;
    reg [1:0]               s3_kinds_q;
    reg [1:0]               s3_link_q;
    reg                     valid_q;
    reg [SLOT_WIDTH - 1:0]  slot_q;
    reg [LINE_WIDTH - 1:0]  line_q;
    reg [ENTRY_WIDTH - 1:0] entry_q;
    reg                     aborted_q;
    reg                     of_row_q;
    reg                     of_timer_q;
    reg [1:0]               kinds_q;
    reg [1:0]               link_q;
    reg                     taken_q;   // one was in the last cycle
    reg                     starves_q; // a store waits for a slot, and ways with room have little to send
    reg [LINKS:0]           store_room_q; // of the same cycle as starves_q
    reg [2:0]               room_q;

    wire [3:0]              room_of_4 = {{(4 - LINKS){1'b0}}, store_room_q[LINKS - 1:0]};
    wire                    has_room  = (!kinds_q[0] || room_of_4[link_q]) && (!kinds_q[1] || store_room_q[LINKS]);
    wire                    of_room   = starves_q && has_room && room_q == 3'd0;
    wire                    wanted    = valid_q && (aborted_q || of_row_q || of_timer_q || of_room);
    wire                    taken     = valid && ready;
    assign valid   = wanted && !taken_q;
    assign moves   = !wanted || taken;
    assign slot    = slot_q;
    assign entry   = entry_q;
    assign line    = line_q;
    assign reasons = {!of_row_q && !of_timer_q, of_timer_q && !of_row_q, of_row_q};

    always @(posedge clk) begin
        now_q        <= now_q + 16'd1;
        taken_q      <= taken;
        starves_q    <= wants_slot && (store_room & owed_many) == {LINKS + 1{1'b0}};
        store_room_q <= store_room;
        if (room_q != 3'd0) room_q <= room_q - 3'd1;
        if (taken && reasons[2] && !aborted_q) room_q <= ROOM_CYCLES;
        if (moves) begin
            reads_q    <= reads_q == LAST[VISIT_WIDTH - 1:0] ? {VISIT_WIDTH{1'b0}} : reads_q + ONE;
            s1_valid_q <= exists && !clear;
            s2_valid_q <= s1_valid_q && filling;
            s3_valid_q <= s2_valid_q;
            valid_q    <= s3_valid_q;
        end
        if (rst) begin
            reads_q    <= {VISIT_WIDTH{1'b0}};
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
            s3_valid_q <= 1'b0;
            valid_q    <= 1'b0;
            now_q      <= 16'd0;
            taken_q    <= 1'b0;
            starves_q  <= 1'b0;
            room_q     <= 3'd0;
        end
    end
    always @(posedge clk) begin
        if (moves) begin
            s1_slot_q    <= reads;
            s2_slot_q    <= s1_slot_q;
            s2_line_q    <= name_line;
            s2_entry_q   <= name_entry;
            s2_stamp_q   <= stamp;
            s3_slot_q    <= s2_slot_q;
            s3_line_q    <= s2_line_q;
            s3_entry_q   <= s2_entry_q;
            s3_age_q     <= now_q - s2_stamp_q;
            s3_aborted_q <= aborted[s2_entry_q];
            s3_of_row_q  <= stored_all[s2_entry_q];
            s3_kinds_q   <= kinds[s2_entry_q * 2 +: 2];
            s3_link_q    <= links[s2_entry_q * 2 +: 2];
            slot_q       <= s3_slot_q;
            line_q       <= s3_line_q;
            entry_q      <= s3_entry_q;
            aborted_q    <= s3_aborted_q;
            of_row_q     <= s3_of_row_q;
            of_timer_q   <= s3_age_q >= line_timeout;
            kinds_q      <= s3_kinds_q;
            link_q       <= s3_link_q;
        end
    end
endmodule

`default_nettype wire
