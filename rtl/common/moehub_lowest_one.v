// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps the lowest one of a vector.
// Contract:
//   1. lowest is one-hot at the lowest position at which `bits` is 1, and zero when `bits` is.
// Cost: combinational: an adder of WIDTH bits and an AND; above 64 bits one of 16 bits for each 16, and one of WIDTH / 16 beside
//   them, and two ANDs: half as deep.
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

    generate
        if (WIDTH > 64) begin : g_wide
            localparam GROUPS = (WIDTH + 15) / 16;
            localparam [GROUPS - 1:0] GROUP_ONE = 1;
            wire [GROUPS * 16 - 1:0] filled = {{(GROUPS * 16 - WIDTH){1'b0}}, bits};
            wire [GROUPS * 16 - 1:0] of_groups;
            wire [GROUPS - 1:0]      some;
            wire [GROUPS - 1:0]      first = some & (~some + GROUP_ONE);
            genvar g;
            for (g = 0; g < GROUPS; g = g + 1) begin : g_group
                wire [15:0] group = filled[g * 16 +: 16];
                assign some[g] = |group;
                assign of_groups[g * 16 +: 16] = group & (~group + 16'd1) & {16{first[g]}};
            end
            assign lowest = of_groups[WIDTH - 1:0];
            if (GROUPS * 16 > WIDTH) begin : g_rest
                wire unused_rest = |of_groups[GROUPS * 16 - 1:WIDTH];
            end
        end else begin : g_one
            localparam [WIDTH - 1:0] ONE = 1;
            assign lowest = bits & (~bits + ONE);
        end
    endgenerate
endmodule

`default_nettype wire
