// SPDX-License-Identifier: Apache-2.0
// Purpose: decides by how many whole bins the stored state and the new element move to share one window.
// Contract:
//   1. new_top is the larger of the two top bins.
//   2. state_shift[s] is high when the stored bins move down by s, piece_shift[s] when the element's pieces do.
//      All bits low: moved out of the window, nothing is left.
// How: comparisons with the element's top and its neighbours stand in for a subtraction: the element is known a cycle
//   before the stored top, which comes from a memory or from the previous element.
// Cost: combinational, 2 * BINS 5-bit comparators.
// Limits: tops are at most 17, so the neighbours never alias.
// Proved: formal/arithmetic/formal_accumulate.v
`default_nettype none

module moehub_accumulate_align #(
    parameter BINS = 3
) (
    input  wire [4:0]        stored_top,
    input  wire [4:0]        element_top,
    output wire [4:0]        new_top,
    output wire [BINS - 1:0] state_shift,
    output wire [BINS - 1:0] piece_shift
);

    wire element_above = (element_top > stored_top);

    assign new_top        = element_above ? element_top : stored_top;
    assign state_shift[0] = !element_above;
    assign piece_shift[0] = element_above || (element_top == stored_top);

    genvar s;
    generate
        for (s = 1; s < BINS; s = s + 1) begin : g_shift
            wire [4:0] above      = element_top + s[4:0];
            wire [4:0] below      = element_top - s[4:0];
            assign state_shift[s] = (stored_top == below);
            assign piece_shift[s] = (stored_top == above);
        end
    endgenerate
endmodule

`default_nettype wire
