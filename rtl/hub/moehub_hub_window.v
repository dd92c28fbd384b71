// SPDX-License-Identifier: Apache-2.0
// Purpose: which register block of a hub a byte address names (doc/hub/hub.md section 7).
// Contract: block is one hot: bits 0 to 3 control, address path, tile tracker, packet manager; 4 + w way w, of LINKS + 1; then
//   5 + LINKS + l final_reduce of link l; 0 where there is none.
// Limits: combinational.
`default_nettype none

module moehub_hub_window #(
    parameter LINKS = 1 // 1..4
) (
    input  wire [15:0]              address,
    output wire [2 * LINKS + 4:0] block
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
    endgenerate

    localparam OTHERS      = LINKS + 5; // with the ways
    localparam FIRST_FINAL = 9;         // window of final_reduce of link 0

    wire unused_offset = ^address[11:0];

    genvar b;
    generate
        for (b = 0; b < OTHERS + LINKS; b = b + 1) begin : g_block
            localparam [31:0] WINDOW = b < OTHERS ? b : FIRST_FINAL + b - OTHERS;
            assign block[b] = address[15:12] == WINDOW[3:0];
        end
    endgenerate
endmodule

`default_nettype wire
