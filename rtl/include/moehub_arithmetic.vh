// SPDX-License-Identifier: Apache-2.0
// Widths and latencies that follow from the parameters of the reduction arithmetic (rtl/doc/arithmetic.md),
// for port lists and controls, where Verilog-2005 has no derived constants.
`ifndef MOEHUB_ARITHMETIC_VH
`define MOEHUB_ARITHMETIC_VH

// A bin holds MAX_CONTRIBUTORS signed pieces of 16 bits without overflow.
`define MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS) (17 + $clog2(MAX_CONTRIBUTORS))
// Packed state of one element: {special[1:0], top[4:0], bin 0 (top) ... bin BINS-1 (lowest)}.
`define MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) (7 + (BINS) * (17 + $clog2(MAX_CONTRIBUTORS)))

// Cycles from the element to the new state, and from the state to the result word.
`define MOEHUB_ACCUMULATE_LATENCY 2
`define MOEHUB_FINALIZE_LATENCY 6

// Rows after one level of carry-save adders: every three become two.
`define MOEHUB_CARRY_SAVE_ROWS(ROWS) (2 * ((ROWS) / 3) + (ROWS) % 3)

`endif
