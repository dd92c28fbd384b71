// SPDX-License-Identifier: Apache-2.0
// Purpose: which register block of a switch plane a byte address names (doc/plane/switch.md section 8).
// Contract: block is one hot: bit 2 p port p's reduction buffer, 2 p + 1 port p, 2 PORTS the plane; 0 where there is none.
// Limits: combinational.
// Proved: formal/switch/formal_switch_address.v, formal_switch_registers.v
`default_nettype none

module moehub_switch_address #(
    parameter PORTS = 8 // 2..64
) (
    input  wire [19:0]        address,
    output wire [2 * PORTS:0] block
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
    endgenerate

    wire unused_offset = ^address[11:0];

    assign block[2 * PORTS] = address[19:12] == 8'h80;

    genvar b;
    generate
        for (b = 0; b < 2 * PORTS; b = b + 1) begin : g_block
            localparam [31:0] BLOCK = b;
            assign block[b] = address[19:12] == {1'b0, BLOCK[6:0]};
        end
    endgenerate
endmodule

`default_nettype wire
