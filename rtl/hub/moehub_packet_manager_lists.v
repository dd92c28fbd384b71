// SPDX-License-Identifier: Apache-2.0
// Purpose: the target lists of all row entries, and who may read and write them in a cycle
//   (doc/hub/packet_manager.md section 3).
// Contract:
//   1. Eight flits an entry: 0 to 3 raw ids, then remote ones; 4 to 7 own ids.
//   2. Writes: what memory returned is written in its cycle; the check waits for it.
//   3. Reads: ways first, in turn, then the check, then who adds up pairs; a reader has ready with its valid at the
//      earliest, and the flit in the next cycle.
// Cost: ROWS x 8 x 128 memory bits; one read and one write a cycle.
// Proved: formal/hub/formal_packet_manager_lists.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_lists #(
    parameter LINKS = 1, // 1..4
    parameter ROWS  = 32 // 1..64
) (
    input  wire                                       clk,
    input  wire                                       rst,
    // memory's answers
    input  wire                                       data_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]     data_entry,
    input  wire [1:0]                                 data_number,
    input  wire [127:0]                               data,
    // check
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]     check_entry,
    input  wire                                       check_write_valid,
    output wire                                       check_write_ready,
    input  wire                                       check_write_own,
    input  wire [1:0]                                 check_write_number,
    input  wire [127:0]                               check_write_data,
    input  wire                                       check_read_valid,
    output wire                                       check_read_ready,
    input  wire [1:0]                                 check_read_number,
    // ways, the last of them the loop-back, which reads own ids
    input  wire [LINKS:0]                             way_valid,
    output wire [LINKS:0]                             way_ready,
    input  wire [(LINKS + 1) * `MOEHUB_INDEX_WIDTH(ROWS) - 1:0] way_entry,
    input  wire [(LINKS + 1) * 2 - 1:0]               way_number,
    // pairs
    input  wire                                       leave_valid,
    output wire                                       leave_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]     leave_entry,
    input  wire [2:0]                                 leave_number,
    output wire [127:0]                               flit
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam WAYS        = LINKS + 1;
    localparam WORDS       = ROWS * 8;
    localparam WORD_WIDTH  = `MOEHUB_INDEX_WIDTH(WORDS);

    wire                      way_asks;
    wire [WAYS - 1:0]         way_grant;
    wire [`MOEHUB_INDEX_WIDTH(WAYS) - 1:0] unused_way;
    wire [WAYS * (ENTRY_WIDTH + 3) - 1:0] names;
    wire [ENTRY_WIDTH + 2:0]  way_name;

    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            localparam [0:0] OWN = w == LINKS;
            assign names[w * (ENTRY_WIDTH + 3) +: ENTRY_WIDTH + 3] =
                {way_entry[w * ENTRY_WIDTH +: ENTRY_WIDTH], OWN, way_number[w * 2 +: 2]};
        end
    endgenerate
    moehub_arbiter #(.PORTS(WAYS)) u_turn (
        .clk(clk), .rst(rst), .request(way_valid), .advance(1'b1), .grant_valid(way_asks), .grant(way_grant),
        .grant_index(unused_way)
    );
    moehub_one_hot_mux #(.WIDTH(ENTRY_WIDTH + 3), .WAYS(WAYS)) u_way (.select(way_grant), .words(names), .word(way_name));

    assign way_ready         = way_grant;
    assign check_read_ready  = !way_asks;
    assign leave_ready       = !way_asks && !check_read_valid;
    assign check_write_ready = !data_valid;

    // With ROWS 1 an entry has a bit that is always 0.
    wire [ENTRY_WIDTH + 2:0] read_name = way_asks ? way_name
        : check_read_valid ? {check_entry, 1'b0, check_read_number} : {leave_entry, leave_number};
    wire [ENTRY_WIDTH + 2:0] write_name = data_valid ? {data_entry, 1'b0, data_number}
        : {check_entry, check_write_own, check_write_number};
    wire unused_name = &{1'b0, read_name[ENTRY_WIDTH + 2], write_name[ENTRY_WIDTH + 2]};
    wire unused_parity;
    moehub_memory_1r1w #(.WIDTH(128), .DEPTH(WORDS), .PARITY(0)) u_flits (
        .clk(clk), .write_enable(data_valid || check_write_valid), .write_address(write_name[WORD_WIDTH - 1:0]),
        .write_data(data_valid ? data : check_write_data),
        .read_enable((way_asks || check_read_valid || leave_valid) && !rst), .read_address(read_name[WORD_WIDTH - 1:0]),
        .read_data(flit), .parity_error(unused_parity)
    );
endmodule

`default_nettype wire
