// SPDX-License-Identifier: Apache-2.0
// Purpose: how many bits of a vector are 1.
// Contract:
//   1. count is the number of ones of bits.
// Cost: combinational: a tree of adders, level by level.
// Proved: formal/common/formal_count_ones.v
`default_nettype none

module moehub_count_ones #(
    parameter WIDTH = 8 // 1..64
) (
    input  wire [WIDTH - 1:0] bits,
    output wire [6:0]         count
);
    generate
        if (WIDTH < 1 || WIDTH > 64) WIDTH_must_be_1_to_64 u_rule ();
    endgenerate

    wire [63:0]  all = {{(64 - WIDTH){1'b0}}, bits};
    wire [127:0] by_4;  // the ones of every four bits: 8 bits each
    wire [31:0]  by_16;

    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : g_4
            assign by_4[i * 8 +: 8] = ({7'd0, all[4 * i]} + {7'd0, all[4 * i + 1]})
                                    + ({7'd0, all[4 * i + 2]} + {7'd0, all[4 * i + 3]});
        end
        for (i = 0; i < 4; i = i + 1) begin : g_16
            assign by_16[i * 8 +: 8] = (by_4[i * 32 +: 8] + by_4[i * 32 + 8 +: 8])
                                     + (by_4[i * 32 + 16 +: 8] + by_4[i * 32 + 24 +: 8]);
        end
    endgenerate
    wire [7:0] sum = (by_16[7:0] + by_16[15:8]) + (by_16[23:16] + by_16[31:24]);
    wire       unused_sum = sum[7];
    assign count = sum[6:0];
endmodule

`default_nettype wire
