// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_bytes: one byte of one buffer. A way that has the turn gets it as it was written last, two cycles later;
// the line is told as read in the cycle between. Each way that asks has the turn in its turn.
`default_nettype none
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"
module formal_packet_manager_bytes #(
    parameter LINKS        = 1,
    parameter OFFSET_WIDTH = 8,
    parameter ROWS         = 2,
    parameter LINES        = 2,
    parameter STORE_BYTES  = 16
) (
    input wire                                    clk,
    input wire                                    rst,
    input wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0] write_slot,
    input wire                                    write_slot_valid,
    input wire [127:0]                            write_bytes,
    input wire [8 * STORE_BYTES - 1:0]            write_data,
    input wire [LINKS:0]                          ask,
    input wire [(LINKS + 1) * 8 - 1:0]            units,
    input wire [(LINKS + 1) * `MOEHUB_INDEX_WIDTH(LINES) - 1:0] slots,
    input wire [(LINKS + 1) * `MOEHUB_INDEX_WIDTH(ROWS) - 1:0] entries,
    input wire [(LINKS + 1) * `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] lines,
    input wire                                    read_ready
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);
    localparam WAYS        = LINKS + 1;
    localparam [WAYS - 1:0] ONE = 1;

    wire [LINKS:0]           turn;
    wire                     read_valid;
    wire                     read_kind;
    wire [SLOT_WIDTH - 1:0]  read_slot;
    wire [ENTRY_WIDTH - 1:0] read_entry;
    wire [LINE_WIDTH - 1:0]  read_line;
    wire [1023:0]            line;
    moehub_packet_manager_bytes #(
        .LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES)
    ) u_bytes (
        .clk(clk), .rst(rst), .write_slot(write_slot), .write_slot_valid(write_slot_valid), .write_bytes(write_bytes),
        .write_data(write_data), .ask(ask), .turn(turn), .units(units), .slots(slots), .entries(entries), .lines(lines),
        .read_valid(read_valid), .read_ready(read_ready), .read_kind(read_kind), .read_slot(read_slot),
        .read_entry(read_entry), .read_line(read_line), .line(line)
    );

    // ---- a way, and what it says of its line in the cycle of its turn ------------------------------------------------------
    (* anyconst *) wire [2:0] its_way;
    always @* assume (its_way < WAYS);
    wire [7:0]               its_units = units[its_way * 8 +: 8];
    wire [SLOT_WIDTH - 1:0]  its_slot  = slots[its_way * SLOT_WIDTH +: SLOT_WIDTH];
    wire [ENTRY_WIDTH - 1:0] its_entry = entries[its_way * ENTRY_WIDTH +: ENTRY_WIDTH];
    wire [LINE_WIDTH - 1:0]  its_line  = lines[its_way * LINE_WIDTH +: LINE_WIDTH];
    reg                      turned_q  = 1'b0; // some way had the turn a cycle ago
    reg                      had_q     = 1'b0; // ... this one
    reg                      had_2_q   = 1'b0; // ... two cycles ago
    reg [7:0]                units_q;
    reg [SLOT_WIDTH - 1:0]   slot_q;
    reg [ENTRY_WIDTH - 1:0]  entry_q;
    reg [LINE_WIDTH - 1:0]   line_q;
    reg [2:0]                passed_q  = 3'd0; // turns of others since it asks
    always @(posedge clk) begin
        turned_q <= turn != {WAYS{1'b0}} && !rst;
        had_q    <= turn[its_way] && !rst;
        had_2_q  <= had_q && !rst;
        units_q  <= its_units;
        slot_q   <= its_slot;
        entry_q  <= its_entry;
        line_q   <= its_line;
        if (!ask[its_way] || turn[its_way] || rst) passed_q <= 3'd0;
        else if (read_ready && passed_q != 3'd7) passed_q <= passed_q + 3'd1;
    end

    // ---- one byte ----------------------------------------------------------------------------------------------------------
    (* anyconst *) wire [6:0]              its_byte;
    (* anyconst *) wire [SLOT_WIDTH - 1:0] buffer;
    reg       named_q  = 1'b0; // what is written goes into this buffer
    reg       any_q    = 1'b0; // ... into any
    reg       filled_q = 1'b0; // the byte was written
    reg [7:0] byte_q;
    reg       reads_q  = 1'b0; // it is on `line`
    reg [7:0] expected_q;
    reg       merged_q = 1'b0; // it was written twice
    wire [6:0] in_store = its_byte % STORE_BYTES;
    always @(posedge clk) begin
        named_q <= write_slot_valid && write_slot == buffer;
        any_q   <= write_slot_valid;
        if (named_q && write_bytes[its_byte]) begin
            filled_q <= 1'b1;
            merged_q <= filled_q;
            byte_q   <= write_data[in_store * 8 +: 8];
        end
        reads_q    <= had_q && filled_q && slot_q == buffer && units_q[its_byte / 16] && !rst;
        expected_q <= byte_q;
    end
    integer w;
    always @* begin
        assume (buffer < LINES);
        assume (!write_slot_valid || write_slot < LINES);
        assume (write_bytes == 128'd0 || any_q);
        assume (!had_q || (its_units == units_q && its_slot == slot_q && its_entry == entry_q && its_line == line_q));
        for (w = 0; w < WAYS; w = w + 1) assume (slots[w * SLOT_WIDTH +: SLOT_WIDTH] < LINES);
    end

    always @* if (started_q) begin
        one_turn:   assert ((turn & (turn - ONE)) == {WAYS{1'b0}} && (turn & ~ask) == {WAYS{1'b0}});
        some_turn:  assert ((turn != {WAYS{1'b0}}) == (read_ready && ask != {WAYS{1'b0}}));
        in_turn:    assert (passed_q < WAYS);
        told_read:  assert (read_valid == turned_q);
        its_own:    assert (!had_q || (read_kind == (its_way == LINKS) && read_slot == slot_q && read_entry == entry_q
                                         && read_line == line_q));
        as_written: assert (!reads_q || line[its_byte * 8 +: 8] == expected_q);
    end
    always @* begin
        waits:     cover (started_q && passed_q == LINKS && turn[its_way] && its_way == 3'd0);
        read_late: cover (started_q && reads_q && had_2_q && merged_q && expected_q[7] && its_byte[6]);
        of_loop:   cover (started_q && had_q && read_kind && had_2_q);
    end
endmodule
`default_nettype wire
