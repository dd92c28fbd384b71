// SPDX-License-Identifier: Apache-2.0
// Purpose: the address of a slot's word in the row list (doc/hub/hub.md section 5).
// Contract:
//   1. address = list_base | expert << (list_shift + 2) | (slot mod 2^list_shift) << 2, without the bits from ADDRESS_WIDTH on.
//   2. The user's duty: expert is below LOCAL_EXPERTS, list_base a multiple of the array's size. The parts are joined, not added.
// Cost: combinational: two shifters. An internal part: its user registers the address.
`default_nettype none

module moehub_row_list_address #(
    parameter ADDRESS_WIDTH = 48 // 32..64
) (
    input  wire [ADDRESS_WIDTH - 1:0] list_base,
    input  wire [4:0]                 list_shift,
    input  wire [7:0]                 expert,
    input  wire [30:0]                slot,
    output wire [ADDRESS_WIDTH - 1:0] address
);
    generate
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
    endgenerate

    wire [30:0] kept  = slot & ~(31'h7fffffff << list_shift);
    wire [63:0] words = {56'd0, expert} << list_shift | {33'd0, kept};
    wire [63:0] bytes = words << 2;
    assign address = list_base | bytes[ADDRESS_WIDTH - 1:0];

    wire unused = &{1'b0, bytes};
endmodule

`default_nettype wire
