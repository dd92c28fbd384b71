// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps the lowest one of a vector.
// Contract:
//   1. lowest is one-hot at the lowest position at which `bits` is 1, and zero when `bits` is.
// Cost: combinational: an adder of WIDTH bits and an AND.
// Proved: formal/common/formal_lowest_one.v
`default_nettype none

module moehub_lowest_one #(
    parameter WIDTH = 4 // 1..
) (
    input  wire [WIDTH - 1:0] bits,
    output wire [WIDTH - 1:0] lowest
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    localparam [WIDTH - 1:0] ONE = 1;
    assign lowest = bits & (~bits + ONE);
endmodule

`default_nettype wire
