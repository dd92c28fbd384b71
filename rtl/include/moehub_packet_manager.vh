// SPDX-License-Identifier: Apache-2.0
// Vectors of the packet manager (doc/hub/packet_manager.md): its streams' data, and what passes from part to part.
// `MOEHUB_X(fields) is the vector X and stands on either side of an assignment; `MOEHUB_X_WIDTH(parameters) is its width.
`ifndef MOEHUB_PACKET_MANAGER_VH
`define MOEHUB_PACKET_MANAGER_VH

`include "moehub_width.vh"

// ---- streams ---------------------------------------------------------------------------------------------------------
`define MOEHUB_NEW_ROW(context, immediate, count, address, id, row_index) {row_index, id, address, count, immediate, context}
`define MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH) (58 + (ADDRESS_WIDTH))
`define MOEHUB_HANDLE(status, handle, row_index) {row_index, handle, status}
`define MOEHUB_HANDLE_WIDTH 52
`define MOEHUB_ROW_STORE(handle, offset, nop, mask, data) {data, mask, nop, offset, handle}
`define MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) (33 + 9 * (STORE_BYTES))
`define MOEHUB_END_COMMAND(what, context) {context, what}
`define MOEHUB_END_COMMAND_WIDTH 5
`define MOEHUB_END_CLOSE 0
`define MOEHUB_END_ABORT 1
`define MOEHUB_END_ADVANCE 2

// ---- rows ------------------------------------------------------------------------------------------------------------
// A row that was taken and judged, until its list is there. count: of its list, 1 if immediate.
`define MOEHUB_OPENING_ROW(entry, context, immediate, count, id, row_index, status) \
    {status, row_index, id, count, immediate, context, entry}
`define MOEHUB_OPENING_ROW_WIDTH(ROWS) (62 + `MOEHUB_INDEX_WIDTH(ROWS))

// Lines of a row, and the name of one.
`define MOEHUB_LINES_OF_ROW(OFFSET_WIDTH) (1 << ((OFFSET_WIDTH) > 7 ? (OFFSET_WIDTH) - 7 : 0))
`define MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) `MOEHUB_INDEX_WIDTH(`MOEHUB_LINES_OF_ROW(OFFSET_WIDTH))

// States of a line buffer.
`define MOEHUB_LINE_FREE 0
`define MOEHUB_LINE_FILLING 1
`define MOEHUB_LINE_READY 2
`define MOEHUB_LINE_LOCKED 3

// A line that was locked for a way. count: of its targets of this kind.
`define MOEHUB_LOCKED_LINE(entry, line, slot, mask, nop, first, immediate, context, round, row_index, count) \
    {count, row_index, round, context, immediate, first, nop, mask, slot, line, entry}
`define MOEHUB_LOCKED_LINE_WIDTH(ROWS, OFFSET_WIDTH, LINES) \
    (176 + `MOEHUB_INDEX_WIDTH(ROWS) + `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH) + `MOEHUB_INDEX_WIDTH(LINES))

// What the pipeline of stores did in a cycle, a bit an event: a store taken; then dropped for its handle, its range, an aborted
// row, bytes stored twice; a line made whole; packets of a whole line, of less; cycles without a slot, with a locked line.
`define MOEHUB_STORE_STEP_EVENTS(stores, handle, range, aborted, rewritten, whole, packets_whole, packets_part, slot, line) \
    {line, slot, packets_part, packets_whole, whole, rewritten, aborted, range, handle, stores}
`define MOEHUB_STORE_STEP_EVENTS_WIDTH 10

`endif
