// SPDX-License-Identifier: Apache-2.0
// Widths for port lists, where Verilog-2005 has no derived constants.
`ifndef MOEHUB_WIDTH_VH
`define MOEHUB_WIDTH_VH

// Bits that name one of COUNT things: at least one.
`define MOEHUB_INDEX_WIDTH(COUNT) ((COUNT) > 1 ? $clog2(COUNT) : 1)

// Parity bits of a memory word of WIDTH bits where PARITY are wanted: no more than it has bits.
`define MOEHUB_PARITY_WIDTH(PARITY, WIDTH) ((PARITY) < (WIDTH) ? (PARITY) : (WIDTH))

`endif
