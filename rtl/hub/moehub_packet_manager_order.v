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

    localparam PAIRS = ROWS > 1 ? ROWS * (ROWS - 1) / 2 : 1;

    reg [ROW_INDEX_WIDTH - 1:0] index_q;
    reg [ROWS - 1:0]            put_q;     // the entry that changed, one-hot
    reg [ROWS - 1:0]            put_late_q;
    reg [ROWS - 1:0]            first_q;   // comes before it
    reg [PAIRS - 1:0]           second_q;  // bit b (b - 1) / 2 + a, of the entries a < b: b comes before a
    reg [ROWS - 1:0]            after_q;   // has a higher number than the entry that changed
    wire [ROWS - 1:0]           first;

    always @(posedge clk) begin
        index_q    <= put_index;
        after_q    <= ({ROWS{1'b1}} << put_entry) << 1;
        put_late_q <= put_q;
        first_q    <= first;
    end

    genvar a;
    genvar b;
    generate
        if (ROWS == 1) begin : g_one
            always @(posedge clk) begin
                second_q <= 1'b0;
            end
            wire unused = &{1'b0, put_late_q, first_q, second_q};
        end
        for (a = 0; a < ROWS; a = a + 1) begin : g_entry
            localparam [31:0] NUMBER_32 = a;
            localparam [ENTRY_WIDTH - 1:0] NUMBER = NUMBER_32[ENTRY_WIDTH - 1:0];
            wire [ROWS - 1:0] sooner; // wanted, and come before this one
            always @(posedge clk) begin
                put_q[a] <= put_valid && put_entry == NUMBER;
            end
            // Of equal indices the lower entry's comes first.
            assign first[a]  = {indices[a * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH], after_q[a]} <= {index_q, 1'b0};
            assign lowest[a] = wanted[a] && sooner == {ROWS{1'b0}};
            for (b = 0; b < ROWS; b = b + 1) begin : g_other
                if (b < a) begin : g_lower
                    assign sooner[b] = wanted[b] && !second_q[a * (a - 1) / 2 + b];
                end else if (b == a) begin : g_self
                    assign sooner[b] = 1'b0;
                end else begin : g_higher
                    assign sooner[b] = wanted[b] && second_q[b * (b - 1) / 2 + a];
                    always @(posedge clk) begin
                        if (put_late_q[a]) second_q[b * (b - 1) / 2 + a] <= first_q[b];
                        if (put_late_q[b]) second_q[b * (b - 1) / 2 + a] <= !first_q[a];
                    end
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
