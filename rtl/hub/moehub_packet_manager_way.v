// SPDX-License-Identifier: Apache-2.0
// Purpose: makes packets of the lines that were locked for a way, and sends them (doc/hub/packet_manager.md section 5).
// Contract:
//   1. wants: it has at most one line ahead, those included that were chosen and whose record has not come.
//   2. Target flits of the next line are read (list_*) once those of the packet before have moved on; then it asks for
//      its turn to read the bytes, when the packet before has none left to move.
//   3. packet: once its first flit is taken valid stays until the last; m_axis_packet_flits is that of the packet.
//   4. busy: entries of packets whose last flit has not moved to the output.
// Cost: a flit a cycle, packets without gaps; 1024 + 128 x TARGET_FLITS + 700 flops or so.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"

module moehub_packet_manager_way #(
    parameter MAX_TARGETS  = 32,  // 1..32
    parameter OFFSET_WIDTH = 14,  // 7..16
    parameter ROWS         = 32,  // 1..64
    parameter LINES        = 448  // 1..4096
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [9:0]                               own,
    output wire                                     wants,
    input  wire                                     chosen,
    input  wire                                     record_valid,
    input  wire [`MOEHUB_LOCKED_LINE_WIDTH(ROWS, OFFSET_WIDTH, LINES) - 1:0] record,
    output wire                                     list_valid,
    input  wire                                     list_ready,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   list_entry,
    output wire [1:0]                               list_number,
    input  wire [127:0]                             list_flit,
    output wire                                     ask,
    input  wire                                     turn,
    output wire [7:0]                               ask_units, // units of the line that have a byte
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  ask_slot,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] ask_line,
    input  wire [1023:0]                            line_bytes,
    output wire [ROWS - 1:0]                        busy,
    output wire                                     m_axis_packet_tvalid,
    input  wire                                     m_axis_packet_tready,
    output wire [127:0]                             m_axis_packet_tdata,
    output wire                                     m_axis_packet_tlast,
    output wire [4:0]                               m_axis_packet_flits
);
    localparam ENTRY_WIDTH  = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH   = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH   = `MOEHUB_INDEX_WIDTH(LINES);
    localparam RECORD_WIDTH = `MOEHUB_LOCKED_LINE_WIDTH(ROWS, OFFSET_WIDTH, LINES);
    localparam TARGET_FLITS = (MAX_TARGETS + 7) / 8;

    // ---- the next line, and the one behind it -------------------------------------------------------------------------
    reg [1:0]               ahead_q;   // lines that were chosen and have not had their turn
    reg                     spare_q;   // a record waits behind the next line's
    reg [RECORD_WIDTH - 1:0] spare_record_q;
    reg                     next_q;
    reg [ENTRY_WIDTH - 1:0] entry_q;
    reg [LINE_WIDTH - 1:0]  line_q;
    reg [SLOT_WIDTH - 1:0]  slot_q;
    reg [127:0]             mask_q;
    reg                     nop_q;
    reg                     first_q;
    reg                     immediate_q;
    reg [2:0]               context_q;
    reg [3:0]               round_q;
    reg [31:0]              row_index_q;
    reg [5:0]               count_q;
    reg [2:0]               asked_q;   // target flits that were asked for
    reg                     reads_q;   // one comes in this cycle
    reg                     targets_q; // all are there
    reg [128 * TARGET_FLITS - 1:0] target_flits_q;
    reg [2:0]               target_count_q; // target flits
    wire                    targets_free; // those of the packet before have moved on
    wire                    takes = list_valid && list_ready;

    // The turn comes late: what has many flops is done in the cycle after it.
    reg                     turned_q;  // it had its turn in the last cycle
    wire                    behind = record_valid && next_q && !turned_q; // it waits
    wire                    begins = spare_q ? turned_q : record_valid && !behind;
    wire [RECORD_WIDTH - 1:0] beginning = spare_q ? spare_record_q : record;
    wire [5:0]              eights = beginning[RECORD_WIDTH - 1 -: 6] + 6'd7; // its targets stand uppermost

    assign wants       = !ahead_q[1];
    assign list_valid  = next_q && targets_free && asked_q != target_count_q;
    assign list_entry  = entry_q;
    assign list_number = asked_q[1:0];
    assign ask_slot    = slot_q;
    assign ask_line    = line_q;

    always @(posedge clk) begin
        if (chosen && !turn) ahead_q <= ahead_q + 2'd1;
        if (turn && !chosen) ahead_q <= ahead_q - 2'd1;
        reads_q <= takes;
        if (takes) asked_q <= asked_q + 3'd1;
        if (reads_q && asked_q == target_count_q) targets_q <= 1'b1;
        turned_q <= turn;
        if (turned_q) begin
            next_q  <= 1'b0;
            spare_q <= 1'b0;
        end
        if (behind) begin
            spare_q        <= 1'b1;
            spare_record_q <= record;
        end
        if (begins) begin
            next_q    <= 1'b1;
            asked_q   <= 3'd0;
            targets_q <= 1'b0;
            `MOEHUB_LOCKED_LINE(entry_q, line_q, slot_q, mask_q, nop_q, first_q, immediate_q, context_q, round_q, row_index_q,
                count_q) <= beginning;
            target_count_q <= eights[5:3];
        end
        if (rst) begin
            ahead_q   <= 2'd0;
            next_q    <= 1'b0;
            spare_q   <= 1'b0;
            turned_q  <= 1'b0;
            reads_q   <= 1'b0;
            targets_q <= 1'b0;
        end
    end
    wire [2:0] came = asked_q - 3'd1;
    genvar t;
    generate
        for (t = 0; t < TARGET_FLITS; t = t + 1) begin : g_target
            localparam [2:0] NUMBER = t;
            always @(posedge clk) begin
                if (reads_q && came == NUMBER) target_flits_q[t * 128 +: 128] <= list_flit;
            end
        end
    endgenerate

    // ---- its header ---------------------------------------------------------------------------------------------------
    wire [7:0] some;    // units that have a byte
    wire [7:0] missing; // ... and miss one
    wire [7:0] lowest;
    wire [7:0] highest;
    wire [7:0] reversed;
    wire [7:0] highest_reversed;
    wire [2:0] first_unit;
    wire [2:0] last_unit;
    wire [7:0] spanned = ~(lowest - 8'd1) & (highest | (highest - 8'd1)); // units of the packet
    genvar u;
    generate
        for (u = 0; u < 8; u = u + 1) begin : g_unit
            assign some[u]     = mask_q[u * 16 +: 16] != 16'd0;
            assign missing[u]  = mask_q[u * 16 +: 16] != 16'hffff;
            assign reversed[u] = some[7 - u];
            assign highest[u]  = highest_reversed[7 - u];
        end
    endgenerate
    moehub_lowest_one #(.WIDTH(8)) u_lowest (.bits(some), .lowest(lowest));
    moehub_lowest_one #(.WIDTH(8)) u_highest (.bits(reversed), .lowest(highest_reversed));
    moehub_one_hot_index #(.WIDTH(8)) u_first (.one_hot(lowest), .index(first_unit));
    moehub_one_hot_index #(.WIDTH(8)) u_last (.one_hot(highest), .index(last_unit));
    wire       enables = (missing & spanned) != 8'd0;
    wire [3:0] units   = {1'b0, last_unit} - {1'b0, first_unit} + 4'd1;
    reg  [127:0] header;
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] =
            immediate_q ? 4'd`MOEHUB_PACKET_ROW_STORE : 4'd`MOEHUB_PACKET_MULTIMEM_STORE;
        header[`MOEHUB_HEADER_FIRST_LSB]        = first_q;
        header[`MOEHUB_HEADER_BYTE_ENABLES_LSB] = enables;
        header[`MOEHUB_HEADER_NOP_LSB]          = nop_q;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]       = {1'b0, units, 4'd0};
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]       = own;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH]     = context_q;
        header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH]     = 2'd`MOEHUB_ELEMENT_BYTES;
        header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH] =
            {{(9 - LINE_WIDTH){1'b0}}, line_q, first_unit, 4'd0};
        header[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH] = row_index_q;
        header[`MOEHUB_HEADER_TARGET_COUNT_LSB +: `MOEHUB_HEADER_TARGET_COUNT_WIDTH] = count_q;
        header[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]         = round_q;
    end

    // ---- the packet that is sent --------------------------------------------------------------------------------------
    localparam [1:0] HEADER  = 2'd0;
    localparam [1:0] TARGETS = 2'd1;
    localparam [1:0] ENABLES = 2'd2;
    localparam [1:0] PAYLOAD = 2'd3;
    reg                     sending_q;
    reg                     loads_q;   // its bytes come: they are read in the cycle after the turn
    reg [1023:0]            bytes_q;
    reg [127:0]             sent_mask_q;
    reg [ENTRY_WIDTH - 1:0] sent_entry_q;
    reg [127:0]             header_q;  // of the next line, until its packet begins; then of this one, until it has moved
    reg [2:0]               sent_targets_q;
    reg                     sent_enables_q;
    reg [2:0]               unit_q;
    reg [2:0]               last_unit_q;
    reg [1:0]               part_q;
    reg [2:0]               target_q;
    reg [4:0]               flits_q;   // as header_q
    reg                     out_valid_q;
    reg [127:0]             out_data_q;
    reg                     out_last_q;
    reg [4:0]               out_flits_q;

    wire         room   = !out_valid_q || m_axis_packet_tready;
    wire         moves  = sending_q && room;
    wire         header_waits = sending_q && part_q == HEADER;
    wire         last   = part_q == PAYLOAD && unit_q == last_unit_q;
    wire [127:0] unit   = bytes_q[unit_q * 128 +: 128];
    wire [15:0]  unit_mask   = sent_mask_q[unit_q * 16 +: 16];
    wire [255:0] enable_mask = {128'd0, sent_mask_q} >> {unit_q, 4'd0};
    wire [127:0] payload;
    wire [128 * 4 - 1:0] targets_4;
    genvar b;
    generate
        for (b = 0; b < 16; b = b + 1) begin : g_byte
            assign payload[b * 8 +: 8] = unit_mask[b] ? unit[b * 8 +: 8] : 8'd0;
        end
        for (b = 0; b < 4; b = b + 1) begin : g_flit
            if (b < TARGET_FLITS) begin : g_there
                assign targets_4[b * 128 +: 128] = target_flits_q[b * 128 +: 128];
            end else begin : g_none
                assign targets_4[b * 128 +: 128] = 128'd0;
            end
        end
    endgenerate

    assign ask_units    = some;
    assign ask          = next_q && targets_q && (!sending_q || (moves && last));
    assign targets_free = !sending_q || part_q == PAYLOAD || part_q == ENABLES;
    assign m_axis_packet_tvalid = out_valid_q;
    assign m_axis_packet_tdata  = out_data_q;
    assign m_axis_packet_tlast  = out_last_q;
    assign m_axis_packet_flits  = out_flits_q;

    always @(posedge clk) begin
        loads_q <= turned_q;
        if (loads_q) bytes_q <= line_bytes;
        if (!header_waits) begin
            header_q <= header;
            flits_q  <= 5'd1 + {2'd0, target_count_q} + {4'd0, enables} + {1'b0, units};
        end
        if (moves) begin
            case (part_q)
                HEADER: part_q <= TARGETS;
                TARGETS: begin
                    target_q <= target_q + 3'd1;
                    if (target_q + 3'd1 == sent_targets_q) part_q <= sent_enables_q ? ENABLES : PAYLOAD;
                end
                ENABLES: part_q <= PAYLOAD;
                default: unit_q <= unit_q + 3'd1;
            endcase
            if (last) sending_q <= 1'b0;
        end
        if (turn) begin
            sending_q <= 1'b1;
            part_q    <= HEADER;
        end
        if (turned_q) begin // at most the header moves in this cycle
            sent_mask_q    <= mask_q;
            sent_entry_q   <= entry_q;
            sent_targets_q <= target_count_q;
            sent_enables_q <= enables;
            unit_q         <= first_unit;
            last_unit_q    <= last_unit;
            target_q       <= 3'd0;
        end
        if (room) begin
            out_valid_q <= sending_q;
            out_last_q  <= last;
            out_data_q  <= part_q == HEADER ? header_q : part_q == TARGETS ? targets_4[target_q[1:0] * 128 +: 128]
                : part_q == ENABLES ? enable_mask[127:0] : payload;
            if (header_waits) out_flits_q <= flits_q;
        end
        if (rst) begin
            sending_q   <= 1'b0;
            loads_q     <= 1'b0;
            out_valid_q <= 1'b0;
        end
    end

    genvar e;
    generate
        for (e = 0; e < ROWS; e = e + 1) begin : g_busy
            localparam [31:0] NUMBER_32 = e;
            localparam [ENTRY_WIDTH - 1:0] NUMBER = NUMBER_32[ENTRY_WIDTH - 1:0];
            assign busy[e] = (next_q && entry_q == NUMBER) || (sending_q && !turned_q && sent_entry_q == NUMBER)
                || (spare_q && spare_record_q[ENTRY_WIDTH - 1:0] == NUMBER);
        end
    endgenerate
    wire unused = &{1'b0, eights[2:0], enable_mask[255:128]};
endmodule

`default_nettype wire
