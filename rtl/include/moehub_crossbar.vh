// SPDX-License-Identifier: Apache-2.0
// Vectors of the crossbar (doc/plane/crossbar.md): what passes from part to part as one vector, packed and unpacked at its ends
// only. Field F occupies bits [F_LSB + F_WIDTH - 1 : F_LSB].
`ifndef MOEHUB_CROSSBAR_VH
`define MOEHUB_CROSSBAR_VH

`include "moehub_width.vh"

// ---- mark: what a packet's receiver found out for the crossbar; the first two fields are those of a store's mark ----
`define MOEHUB_CROSSBAR_MARK_TARGETS_LSB 0 // ids in its target flits: 1..32; of a response 0
`define MOEHUB_CROSSBAR_MARK_TARGETS_WIDTH 6
`define MOEHUB_CROSSBAR_MARK_COPIES_LSB 6 // outputs that it goes to: 1..32; of a response 1
`define MOEHUB_CROSSBAR_MARK_COPIES_WIDTH 6
`define MOEHUB_CROSSBAR_MARK_OUTPUT_LSB 12 // of a response: the output that it goes to
`define MOEHUB_CROSSBAR_MARK_OUTPUT_WIDTH 6
`define MOEHUB_CROSSBAR_MARK_WIDTH 18
// ... made of a store's mark; of the port that a response is for
`define MOEHUB_CROSSBAR_MARK_OF_STORE(mark) {6'd0, mark}
`define MOEHUB_CROSSBAR_MARK_OF_RESPONSE(destination) {destination, 6'd1, 6'd0}

// ---- record of a copy: up to three local ids of one output ----------------------------------------------------------
`define MOEHUB_COPY_RECORD_IDS_LSB 0 // ascending, 8 bits each
`define MOEHUB_COPY_RECORD_IDS_WIDTH 24
`define MOEHUB_COPY_RECORD_COUNT_LSB 24 // of the ids
`define MOEHUB_COPY_RECORD_COUNT_WIDTH 2
`define MOEHUB_COPY_RECORD_KEPT_WIDTH 26 // in memory: without `end`, which the copy's number of records tells
`define MOEHUB_COPY_RECORD_END_LSB 26 // the copy's last record
`define MOEHUB_COPY_RECORD_END_WIDTH 1
`define MOEHUB_COPY_RECORD_WIDTH 27

// ---- copy: its first record, how many more it has, its packet's name and arrival number; what a link leads to and a head holds
`define MOEHUB_COPY(record, more, name, arrival) {arrival, name, more, record}
`define MOEHUB_COPY_MORE_WIDTH 4 // three records a target flit of MAX_TARGETS, less one
// Arrival numbers wrap. Lists age by their eighths, so that numbers of lists that are not aged are less than half of them apart.
`define MOEHUB_ARRIVAL_WIDTH(PACKETS) (`MOEHUB_INDEX_WIDTH(PACKETS) + 2)
`define MOEHUB_COPY_WIDTH(RECORDS, PACKETS) \
    (`MOEHUB_INDEX_WIDTH(RECORDS) + `MOEHUB_COPY_MORE_WIDTH + `MOEHUB_INDEX_WIDTH(PACKETS) + `MOEHUB_ARRIVAL_WIDTH(PACKETS))

// ---- what an input keeps of a packet while it has a pass ------------------------------------------------------------
`define MOEHUB_PASS(name, head, body, last, flits, rows, tag) {tag, rows, flits, last, body, head, name}
`define MOEHUB_PASS_WIDTH(PLACES, PACKETS) (`MOEHUB_INDEX_WIDTH(PACKETS) + 3 * `MOEHUB_INDEX_WIDTH((PLACES) + 1) + 33)

// ---- bus of an input: row -------------------------------------------------------------------------------------------
`define MOEHUB_CROSSBAR_ROW_VALID_LSB 0
`define MOEHUB_CROSSBAR_ROW_VALID_WIDTH 1
`define MOEHUB_CROSSBAR_ROW_LAST_LSB 1 // the packet's last row
`define MOEHUB_CROSSBAR_ROW_LAST_WIDTH 1
`define MOEHUB_CROSSBAR_ROW_NUMBER_LSB 2
`define MOEHUB_CROSSBAR_ROW_NUMBER_WIDTH 4
`define MOEHUB_CROSSBAR_ROW_DATA_LSB 6
`define MOEHUB_CROSSBAR_ROW_WIDTH(DATA_WIDTH) (6 + (DATA_WIDTH))

// ---- bus of an input: record ----------------------------------------------------------------------------------------
`define MOEHUB_SENT_RECORD_VALID_LSB 0
`define MOEHUB_SENT_RECORD_VALID_WIDTH 1
`define MOEHUB_SENT_RECORD_OUTPUT_LSB 1
`define MOEHUB_SENT_RECORD_OUTPUT_WIDTH 6
`define MOEHUB_SENT_RECORD_END_LSB 7
`define MOEHUB_SENT_RECORD_END_WIDTH 1
`define MOEHUB_SENT_RECORD_KEPT_LSB 8 // of the record told in the cycle before: `MOEHUB_COPY_RECORD_KEPT_WIDTH bits
`define MOEHUB_SENT_RECORD_KEPT_WIDTH 26
`define MOEHUB_SENT_RECORD_WIDTH 34

// ---- bus of an input: proposal, beside its ask of PORTS bits --------------------------------------------------------
`define MOEHUB_PROPOSAL_WAIT_LSB 0 // cycles after the begin in which no copy of it may begin
`define MOEHUB_PROPOSAL_WAIT_WIDTH 3
`define MOEHUB_PROPOSAL_ROWS_LSB 3 // of the pass: of a proposal granted in G, in G + 2
`define MOEHUB_PROPOSAL_ROWS_WIDTH 4
`define MOEHUB_PROPOSAL_WIDTH 7

// ---- cycles of a copy of so many rows, 4 bits: three at least -------------------------------------------------------
`define MOEHUB_SPAN(rows) ((rows) < 4'd3 ? 4'd3 : (rows))

// ---- bus of an output, beside its grant of PORTS bits: cycles from the begin to the copy's first row ----------------
`define MOEHUB_GRANT_FIRST_WIDTH 3

// ---- waiting: cycles of a watch: a head that waits all through one starves ----------------------------------
`define MOEHUB_HUNGRY_WATCH(PORTS) (512 * (PORTS))

// ---- events of an input ---------------------------------------------------------------------------------------------
`define MOEHUB_CROSSBAR_EVENT_PASSES 0
`define MOEHUB_CROSSBAR_EVENT_JOINS 1 // grants of a join in one cycle are one event
`define MOEHUB_CROSSBAR_EVENT_REFUSED 2 // proposals without grant
`define MOEHUB_CROSSBAR_EVENT_RECORD_WAITS 3 // cycles in which the copy list waits for a free record
`define MOEHUB_CROSSBAR_EVENT_TARGET_READS 4 // target flits read from the store
`define MOEHUB_CROSSBAR_EVENTS 5

`endif
