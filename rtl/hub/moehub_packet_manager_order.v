// SPDX-License-Identifier: Apache-2.0
// Purpose: of some of the row entries the one with the lowest row index (doc/hub/packet_manager.md section 5).
// Contract:
//   1. put: an entry has a new row index; indices show it from the next cycle on. It takes part three cycles after that.
//   2. lowest is one-hot at the wanted entry with the lowest index, of several the lowest entry; 0 when none is wanted.
// How: of each two entries a flop says which one comes first. They are compared as one of them changes, with all others.
// Cost: combinational from wanted to lowest: an AND and an OR tree over ROWS. ROWS (ROWS - 1) / 2 flops, ROWS comparisons.
// Proved: formal/hub/formal_packet_manager_order.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_order #(
    parameter ROWS            = 32, // 1..64
    parameter ROW_INDEX_WIDTH = 20  // 1..32
) (
    input  wire                                   clk,
    input  wire                                   put_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] put_entry,
    input  wire [ROW_INDEX_WIDTH - 1:0]           put_index,
    input  wire [ROWS * ROW_INDEX_WIDTH - 1:0]    indices,
    input  wire [ROWS - 1:0]                      wanted,
    output wire [ROWS - 1:0]                      lowest
);
    generate
        if (ROWS < 1 || ROWS > 64) ROWS_must_be_1_to_64 u_rule ();
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) ROW_INDEX_WIDTH_must_be_1_to_32 u_rule ();
    endgenerate

    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);

    reg [ROW_INDEX_WIDTH - 1:0] index_q;
    reg [ROWS - 1:0]            put_q;     // the entry that changed, one-hot
    reg [ROWS - 1:0]            put_late_q;
    reg [ROWS - 1:0]            first_q;   // comes before it
    reg [ROWS - 1:0]            after_q;   // has a higher number than the entry that changed
    wire [ROWS - 1:0]           first;

    always @(posedge clk) begin
        index_q    <= put_index;
        after_q    <= ({ROWS{1'b1}} << put_entry) << 1;
        put_late_q <= put_q;
        first_q    <= first;
    end

    // Entry b keeps of each entry a < b whether it comes before that.
    genvar b;
    generate
        for (b = 0; b < ROWS; b = b + 1) begin : g_entry
            localparam [31:0] NUMBER_32 = b;
            localparam [ENTRY_WIDTH - 1:0] NUMBER = NUMBER_32[ENTRY_WIDTH - 1:0];
            wire [ROWS - 1:0] passed; // of each entry: a wanted one above it, up to this one, comes before it
            wire              sooner; // a wanted entry below comes before this one
            always @(posedge clk) begin
                put_q[b] <= put_valid && put_entry == NUMBER;
            end
            // Of equal indices the lower entry's comes first.
            assign first[b] = {indices[b * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH], after_q[b]} <= {index_q, 1'b0};
            if (b == 0) begin : g_lowest
                assign passed = {ROWS{1'b0}};
                assign sooner = 1'b0;
            end else begin : g_above
                reg [b - 1:0] before_q;
                always @(posedge clk) begin
                    before_q <= put_late_q[b] ? ~first_q[b - 1:0]
                                              : (before_q & ~put_late_q[b - 1:0]) | ({b{first_q[b]}} & put_late_q[b - 1:0]);
                end
                assign passed = g_entry[b - 1].passed | {{(ROWS - b){1'b0}}, {b{wanted[b]}} & before_q};
                assign sooner = (wanted[b - 1:0] & ~before_q) != {b{1'b0}};
            end
            assign lowest[b] = wanted[b] && !sooner && !g_entry[ROWS - 1].passed[b];
        end
    endgenerate

    wire unused = &{1'b0, put_late_q, first_q};
endmodule

`default_nettype wire
