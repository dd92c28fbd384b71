// SPDX-License-Identifier: Apache-2.0
// Vectors that only pass through modules of the address path. `MOEHUB_X(fields) is the vector X and stands on either side of an
// assignment, so that a field's place is known here alone. `MOEHUB_X_WIDTH(parameters) is its width.
`ifndef MOEHUB_HUB_VH
`define MOEHUB_HUB_VH

`include "moehub_width.vh"

// An accepted request: what the AAU checks and the answer pipe keeps. 79 bits, length, port and tag.
`define MOEHUB_REQUEST(operation, first, context, expert, row_index, offset, length, source, port, tag) \
    {tag, port, source, length, offset, row_index, expert, context, first, operation}
`define MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH) \
    (79 + (LENGTH_WIDTH) + `MOEHUB_INDEX_WIDTH(PORTS) + (TAG_WIDTH))

// The stage of a request is its operation, where there are two: 0 dispatch, 1 combine.
`define MOEHUB_STAGE(STAGES, operation) ((STAGES) > 1 && (operation) == 1'd`MOEHUB_REQUEST_READ_LOOKUP)

// The name of a row: what the AL-TLB looks up.
`define MOEHUB_ROW_NAME(context, expert, row_index) {context, expert, row_index}
`define MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) \
    (`MOEHUB_INDEX_WIDTH(CONTEXTS) + `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS) + (ROW_INDEX_WIDTH))

// The AAU's verdict on a request. value: the slot of a first, else the region's capacity.
`define MOEHUB_VERDICT(id, port, status, value) {id, port, status, value}
`define MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) \
    (`MOEHUB_INDEX_WIDTH(WAITING) + `MOEHUB_INDEX_WIDTH(PORTS) + 3 + (SLOT_WIDTH))

// A table operation for the walker: a first's read and write, or a miss's read, of the row so named.
`define MOEHUB_TABLE_OPERATION(first, value, name) {first, value, name}
`define MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH) \
    (1 + (SLOT_WIDTH) + `MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH))

// What a line holds, and what the walker found in the table.
`define MOEHUB_CONTENT(state, slot) {state, slot}
`define MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) (2 + (SLOT_WIDTH))
`define MOEHUB_CONTENT_MAPPED 0
`define MOEHUB_CONTENT_UNMAPPED 1
`define MOEHUB_CONTENT_BAD 2

// A set's replacement state (moehub_replacement): pseudo-LRU's tree, or FIFO's pointer.
`define MOEHUB_REPLACEMENT_WIDTH(WAYS, POLICY) \
    ((WAYS) == 1 ? 1 : (POLICY) == 0 ? (WAYS) - 1 : `MOEHUB_INDEX_WIDTH(WAYS))

// What is known of a request that need not wait.
`define MOEHUB_VALUE(status, first, slot) {status, first, slot}
`define MOEHUB_VALUE_WIDTH(SLOT_WIDTH) (4 + (SLOT_WIDTH))

// A request on its way to its answer: must it wait, and for which pending entry's result?
`define MOEHUB_WAITER(id, waits, entry) {id, waits, entry}
`define MOEHUB_WAITER_WIDTH(WAITING, PENDING) (`MOEHUB_INDEX_WIDTH(WAITING) + 1 + `MOEHUB_INDEX_WIDTH(PENDING))

// An answer without its address. context: of the request, which is no longer in flight.
`define MOEHUB_ANSWER(status, port, tag, slot, allocated, context) {status, port, tag, slot, allocated, context}
`define MOEHUB_ANSWER_WIDTH(PORTS, TAG_WIDTH, SLOT_WIDTH) (3 + `MOEHUB_INDEX_WIDTH(PORTS) + (TAG_WIDTH) + (SLOT_WIDTH) + 1 + 3)

// Who caused an error, as the error latch keeps it.
`define MOEHUB_OFFENDER(port, expert, header) {port, expert, header}
`define MOEHUB_OFFENDER_WIDTH (6 + 16 + 128)

// What the AL-TLB tells the report, one bit each.
`define MOEHUB_TLB_EVENTS(waited_entry, waited_line, first, evict, miss, lookup) \
    {waited_entry, waited_line, first, evict, miss, lookup}
`define MOEHUB_TLB_EVENTS_WIDTH 6

// Errors of parity, a bit for each kind of memory: its number is its place from the right (doc/address_path.md section 10).
`define MOEHUB_PARITY_ERRORS(waiting, walker, answers, tlb, aau) {waiting, walker, answers, tlb, aau}
`define MOEHUB_HUB_MEMORIES 25

`endif
