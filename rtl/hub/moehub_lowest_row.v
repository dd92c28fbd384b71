// SPDX-License-Identifier: Apache-2.0
// Purpose: which of several rows has the lowest row index; a tree of comparisons.
// Contract:
//   1. found: some row is wanted. place is the wanted row with the lowest index, of several the lowest place; index is
//      its index.
//   2. Without a wanted row, place is 0 and index is row 0's.
// Cost: combinational: a comparison and a two-way multiplexer a level, $clog2(ROWS) levels. The user registers.
`default_nettype none
`include "moehub_width.vh"

module moehub_lowest_row #(
    parameter ROWS            = 8, // 1..64
    parameter ROW_INDEX_WIDTH = 20 // 1..32
) (
    input  wire [ROWS - 1:0]                      wanted,
    input  wire [ROWS * ROW_INDEX_WIDTH - 1:0]    indices,
    output wire                                   found,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] place,
    output wire [ROW_INDEX_WIDTH - 1:0]           index
);
    generate
        if (ROWS < 1 || ROWS > 64) ROWS_must_be_1_to_64 u_rule ();
        if (ROW_INDEX_WIDTH < 1 || ROW_INDEX_WIDTH > 32) ROW_INDEX_WIDTH_must_be_1_to_32 u_rule ();
    endgenerate

    localparam LEVELS      = $clog2(ROWS);
    localparam LEAVES      = 1 << LEVELS;
    localparam INDEX_WIDTH = ROW_INDEX_WIDTH > 0 ? ROW_INDEX_WIDTH : 1; // an illegal 0 stops by its rule alone
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);

    // Nodes as in a heap: 1 is the root, node n has 2n below its left and 2n + 1 below its right; the leaves are last. Node 0 and
    // places without a row are never found.
    reg [2 * LEAVES - 1:0]                   node_found;
    reg [2 * LEAVES * PLACE_WIDTH - 1:0]     node_place;
    reg [2 * LEAVES * INDEX_WIDTH - 1:0]     node_index;
    reg                                      right; // the node takes what is below its right
    integer n;

    always @* begin
        node_found = {2 * LEAVES{1'b0}};
        node_place = {2 * LEAVES * PLACE_WIDTH{1'b0}};
        node_index = {2 * LEAVES * INDEX_WIDTH{1'b0}};
        right      = 1'b0;
        for (n = 0; n < ROWS; n = n + 1) begin
            node_found[LEAVES + n] = wanted[n];
            node_place[(LEAVES + n) * PLACE_WIDTH +: PLACE_WIDTH] = n[PLACE_WIDTH - 1:0];
            node_index[(LEAVES + n) * INDEX_WIDTH +: INDEX_WIDTH] = indices[n * INDEX_WIDTH +: INDEX_WIDTH];
        end
        for (n = LEAVES - 1; n > 0; n = n - 1) begin
            right = node_found[2 * n + 1] && (!node_found[2 * n] ||
                node_index[(2 * n + 1) * INDEX_WIDTH +: INDEX_WIDTH] < node_index[2 * n * INDEX_WIDTH +: INDEX_WIDTH]);
            node_found[n] = node_found[2 * n] || node_found[2 * n + 1];
            node_place[n * PLACE_WIDTH +: PLACE_WIDTH] = right ? node_place[(2 * n + 1) * PLACE_WIDTH +: PLACE_WIDTH] :
                node_place[2 * n * PLACE_WIDTH +: PLACE_WIDTH];
            node_index[n * INDEX_WIDTH +: INDEX_WIDTH] = right ? node_index[(2 * n + 1) * INDEX_WIDTH +: INDEX_WIDTH] :
                node_index[2 * n * INDEX_WIDTH +: INDEX_WIDTH];
        end
    end

    assign found = node_found[1];
    assign place = node_place[PLACE_WIDTH +: PLACE_WIDTH];
    assign index = node_index[INDEX_WIDTH +: INDEX_WIDTH];
endmodule

`default_nettype wire
