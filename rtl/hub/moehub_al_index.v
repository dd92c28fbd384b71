// SPDX-License-Identifier: Apache-2.0
// Purpose: the named hash al_index of doc/address_path.md section 4: the set of a key.
// Contract: index = key mod p_n over GF(2), n = log2 SETS, key bit i the coefficient of x^i; SETS = 1: 0.
// Cost: combinational, one XOR tree per index bit over about half of the key.
// Proved: formal/hub/formal_al_tags.v, with the tags
`default_nettype none
`include "moehub_width.vh"

module moehub_al_index #(
    parameter SETS      = 128, // power of two, 1..4096
    parameter KEY_WIDTH = 28   // 1..
) (
    input  wire [KEY_WIDTH - 1:0]                 key,
    output wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0] index
);
    localparam BITS = $clog2(SETS);

    generate
        if (SETS < 1 || SETS > 4096 || (1 << BITS) != SETS) SETS_must_be_a_power_of_two_1_to_4096 u_rule ();
    endgenerate

    function [12:0] polynomial(input integer degree);
        case (degree)
            1:       polynomial = 13'h0003;
            2:       polynomial = 13'h0007;
            3:       polynomial = 13'h000d;
            4:       polynomial = 13'h0019;
            5:       polynomial = 13'h003b;
            6:       polynomial = 13'h0067;
            7:       polynomial = 13'h00cb;
            8:       polynomial = 13'h01cf;
            9:       polynomial = 13'h02a3;
            10:      polynomial = 13'h0637;
            11:      polynomial = 13'h0fad;
            default: polynomial = 13'h107d;
        endcase
    endfunction

    // The key bits whose x^i mod p_n has a 1 at `place`.
    function [KEY_WIDTH - 1:0] members(input [3:0] place);
        integer      i;
        reg [12:0]   residue;
        begin
            residue = 13'd1;
            for (i = 0; i < KEY_WIDTH; i = i + 1) begin
                members[i] = residue[place];
                residue    = residue << 1;
                if (residue[BITS]) residue = residue ^ polynomial(BITS);
            end
        end
    endfunction

    genvar b;
    generate
        if (SETS == 1) begin : g_one_set
            wire unused_key = |key;
            assign index = 1'b0;
        end else begin : g_sets
            for (b = 0; b < BITS; b = b + 1) begin : g_bit
                localparam [3:0] PLACE = b;
                localparam [KEY_WIDTH - 1:0] MEMBERS = members(PLACE);
                assign index[b] = ^(key & MEMBERS);
            end
        end
    endgenerate
endmodule

`default_nettype wire
