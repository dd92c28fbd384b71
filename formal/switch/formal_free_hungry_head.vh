// SPDX-License-Identifier: Apache-2.0
// In place of moehub_hungry_head: at any time any head that waits, or none (formal_hungry_head: one, waits).

    (* anyseq *) wire [PORTS - 1:0] which;
    reg [PORTS - 1:0] hungry_q;
    always @* assume ((which & (which - 1'b1)) == {PORTS{1'b0}});
    always @(posedge clk) hungry_q <= rst ? {PORTS{1'b0}} : which & waits & ~begins;
    assign hungry = hungry_q;
