// SPDX-License-Identifier: Apache-2.0
// Purpose: the bytes of all line buffers, and the turns of the ways to read them (doc/hub/packet_manager.md section 5).
// Contract:
//   1. write: the bytes with their enable, of a store at its place, go into the buffer that write_slot names a cycle before.
//   2. One way that asks has the turn in a cycle, while read_ready: in the next cycle, in which the way says the same of its line
//      as before, read tells the line as read, and the 128 bytes are on `line` in the one after that, of the units that the way
//      names: of others they are any.
// Cost: 128 memories of LINES x 8.
// Proved: formal/hub/formal_packet_manager_bytes.v
`default_nettype none
`include "moehub_packet_manager.vh"
`include "moehub_width.vh"

module moehub_packet_manager_bytes #(
    parameter LINKS        = 1,   // 1..4
    parameter OFFSET_WIDTH = 14,  // 7..16
    parameter ROWS         = 32,  // 1..64
    parameter LINES        = 448, // 1..4096
    parameter STORE_BYTES  = 32   // 16, 32, 64, 128
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  write_slot,
    input  wire                                     write_slot_valid,
    input  wire [127:0]                             write_bytes,
    input  wire [8 * STORE_BYTES - 1:0]             write_data,
    input  wire [LINKS:0]                           ask,
    output wire [LINKS:0]                           turn,
    input  wire [(LINKS + 1) * 8 - 1:0]             units,
    input  wire [(LINKS + 1) * `MOEHUB_INDEX_WIDTH(LINES) - 1:0] slots,
    input  wire [(LINKS + 1) * `MOEHUB_INDEX_WIDTH(ROWS) - 1:0] entries,
    input  wire [(LINKS + 1) * `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] lines,
    output wire                                     read_valid,
    input  wire                                     read_ready,
    output wire                                     read_kind,
    output wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]  read_slot,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   read_entry,
    output wire [`MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) - 1:0] read_line,
    output wire [1023:0]                            line
);
    localparam WAYS        = LINKS + 1;
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH);
    localparam SLOT_WIDTH  = `MOEHUB_INDEX_WIDTH(LINES);

    // 128 memories are a load: their addresses have registers of their own, which nothing else looks at. Turns come late in a
    // cycle: all else of what the way that had one reads is looked up in the next, in which the way still has it.
    reg [SLOT_WIDTH - 1:0] write_address_q;
    reg [SLOT_WIDTH - 1:0] read_address_q;
    wire [SLOT_WIDTH - 1:0] turn_slot;
    reg [WAYS - 1:0]       turned_q;
    wire [7:0]             read_units;
    wire                   unused_some;
    wire [`MOEHUB_INDEX_WIDTH(WAYS) - 1:0] unused_index;
    moehub_arbiter #(.PORTS(WAYS)) u_turn (
        .clk(clk), .rst(rst), .request(ask & {WAYS{read_ready}}), .advance(1'b1), .grant_valid(unused_some), .grant(turn),
        .grant_index(unused_index)
    );
    moehub_one_hot_mux #(.WIDTH(SLOT_WIDTH), .WAYS(WAYS)) u_turn_slot (.select(turn), .words(slots), .word(turn_slot));
    moehub_one_hot_mux #(.WIDTH(8), .WAYS(WAYS)) u_units (.select(turned_q), .words(units), .word(read_units));
    moehub_one_hot_mux #(.WIDTH(SLOT_WIDTH), .WAYS(WAYS)) u_slot (.select(turned_q), .words(slots), .word(read_slot));
    moehub_one_hot_mux #(.WIDTH(ENTRY_WIDTH), .WAYS(WAYS)) u_entry (.select(turned_q), .words(entries), .word(read_entry));
    moehub_one_hot_mux #(.WIDTH(LINE_WIDTH), .WAYS(WAYS)) u_line (.select(turned_q), .words(lines), .word(read_line));

    assign read_valid = |turned_q;
    assign read_kind  = turned_q[LINKS];
    always @(posedge clk) begin
        write_address_q <= write_slot & {SLOT_WIDTH{write_slot_valid}};
        read_address_q  <= turn_slot;
        turned_q        <= turn;
        if (rst) turned_q <= {WAYS{1'b0}};
    end

    wire [127:0] unused_parity;
    genvar b;
    generate
        for (b = 0; b < 128; b = b + 1) begin : g_byte
            moehub_memory_1r1w #(.WIDTH(8), .DEPTH(LINES), .PARITY(0)) u_byte (
                .clk(clk), .write_enable(write_bytes[b]), .write_address(write_address_q),
                .write_data(write_data[b % STORE_BYTES * 8 +: 8]), .read_enable(read_units[b / 16] && !rst),
                .read_address(read_address_q), .read_data(line[b * 8 +: 8]), .parity_error(unused_parity[b])
            );
        end
    endgenerate
endmodule

`default_nettype wire
