// SPDX-License-Identifier: Apache-2.0
// Purpose: visits one line buffer a cycle, and makes ready or frees those that nothing else would
//   (doc/hub/packet_manager.md section 6).
// Contract:
//   1. give: a buffer gets a line; its name and the time are kept.
//   2. A filling buffer of an aborted row is freed: free_valid until free_ready. Another one is made ready (became_valid until
//      became_ready) if its row is stored_all, is line_timeout cycles old, or if a store wants a slot and the ways have room.
//   3. It stands still with stand_still, and while the buffer that it visits is merged into.
// Cost: two cycles from the read of a name to what is done; LINES words of memory.
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
    input  wire [2 * LINES - 1:0]                   states,
    input  wire                                     give,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  give_slot,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   give_entry,
    input  wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] give_line,
    input  wire                                     give_nop,
    input  wire                                     merge,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  merge_slot,
    input  wire                                     stand_still,
    output wire                                     became_valid,
    input  wire                                     became_ready,
    output wire                                     free_valid,
    input  wire                                     free_ready,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  slot,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] line,
    output wire                                     nop,
    output wire [2:0]                               reasons // of what became ready: the row ended, timer, room; one of them
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam WORD_WIDTH  = 17 + LINE_WIDTH + ENTRY_WIDTH;
    localparam [31:0] LAST = LINES - 1;
    localparam [SLOT_WIDTH - 1:0] ONE = 1;
    localparam [2:0] ROOM_CYCLES = 3'd4; // by room a line becomes ready in so many cycles at most

    reg [SLOT_WIDTH - 1:0] reads_q;
    reg [SLOT_WIDTH - 1:0] slot_q;
    reg                    known_q;   // its name is on the memory's output, and was not written as it was read
    reg [15:0]             now_q;
    reg                    starves_q; // a store waited for a slot, and ways with room had little to send
    reg [LINKS:0]          ways_q;    // those with room, of the same cycle: a way that gets room would be in one of the two alone
    reg [2:0]              room_q;

    wire [15:0]            stamp;
    wire                   filling   = states[slot_q * 2 +: 2] == 2'd`MOEHUB_LINE_FILLING;
    wire                   touched   = merge && merge_slot == slot_q;
    wire [1:0]             its_kinds = kinds[entry * 2 +: 2];
    wire [1:0]             its_link  = links[entry * 2 +: 2];
    wire [3:0]             room_of_4 = {{(4 - LINKS){1'b0}}, ways_q[LINKS - 1:0]};
    wire                   has_room  = (!its_kinds[0] || room_of_4[its_link]) && (!its_kinds[1] || ways_q[LINKS]);
    wire [15:0]            age       = now_q - stamp;
    wire                   of_row    = stored_all[entry];
    wire                   of_timer  = age >= line_timeout;
    wire                   of_room   = starves_q && has_room && room_q == 3'd0;
    wire                   may       = known_q && filling && !touched && !stand_still;
    wire                   frees     = may && aborted[entry];
    wire                   makes     = may && !aborted[entry] && (of_row || of_timer || of_room);
    wire                   moves     = !stand_still && !(known_q && filling && touched)
        && !(frees && !free_ready) && !(makes && !became_ready);
    wire                   unused_parity;

    assign became_valid = makes;
    assign free_valid   = frees;
    assign slot         = slot_q;
    assign reasons      = {of_room && !of_row && !of_timer, of_timer && !of_row, of_row};

    moehub_memory_1r1w #(.WIDTH(WORD_WIDTH), .DEPTH(LINES), .PARITY(0)) u_names (
        .clk(clk), .write_enable(give), .write_address(give_slot), .write_data({now_q, give_nop, give_line, give_entry}),
        .read_enable(moves && !rst), .read_address(reads_q), .read_data({stamp, nop, line, entry}),
        .parity_error(unused_parity)
    );

    always @(posedge clk) begin
        now_q     <= now_q + 16'd1;
        ways_q    <= store_room;
        starves_q <= wants_slot && (store_room & owed_many) == {LINKS + 1{1'b0}};
        if (room_q != 3'd0) room_q <= room_q - 3'd1;
        if (makes && became_ready && reasons[2]) room_q <= ROOM_CYCLES;
        if (moves) begin
            reads_q <= reads_q == LAST[SLOT_WIDTH - 1:0] ? {SLOT_WIDTH{1'b0}} : reads_q + ONE;
            slot_q  <= reads_q;
            known_q <= !(give && give_slot == reads_q);
        end
        if (give && give_slot == slot_q && !moves) known_q <= 1'b0;
        if (rst) begin
            reads_q   <= {SLOT_WIDTH{1'b0}};
            slot_q    <= {SLOT_WIDTH{1'b0}};
            known_q   <= 1'b0;
            now_q     <= 16'd0;
            starves_q <= 1'b0;
            ways_q    <= {LINKS + 1{1'b0}};
            room_q    <= 3'd0;
        end
    end
endmodule

`default_nettype wire
