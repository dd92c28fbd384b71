// SPDX-License-Identifier: Apache-2.0
// Vectors of a way of the hub (doc/hub/ingress.md). `MOEHUB_X(fields) is the vector X and stands on either side of an assignment;
// `MOEHUB_X_WIDTH(parameters) is its width.
`ifndef MOEHUB_HUB_WAY_VH
`define MOEHUB_HUB_WAY_VH

// A question to the address path.
`define MOEHUB_QUESTION(first, context, expert, row_index, offset, length, source) \
    {source, length, offset, row_index, expert, context, first}
`define MOEHUB_QUESTION_WIDTH 77

// Its answer, as it waits for the mover.
`define MOEHUB_WAY_ANSWER(status, expert, allocated, slot, address) {address, slot, allocated, expert, status}
`define MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) (13 + (SLOT_WIDTH) + (ADDRESS_WIDTH))

// What is checked of a packet. owner: whose row it has to be, where has_owner.
`define MOEHUB_WAY_CHECK(store, context, source, round, row_index, has_owner, owner) \
    {owner, has_owner, row_index, round, source, context, store}
`define MOEHUB_WAY_CHECK_WIDTH 53

// A store that was checked. offset and units in flits; body: the place of the first flit after header and target flits.
`define MOEHUB_STORE_RECORD(body, flits, refused, counted, context, source, row_index, offset, units, enables, targets) \
    {targets, enables, units, offset, row_index, source, context, counted, refused, flits, body}
`define MOEHUB_STORE_RECORD_WIDTH 74

// A request that was checked. offset and length in flits.
`define MOEHUB_REQUEST_RECORD(source, context, round, tag, element, offset, length, targets, status) \
    {status, targets, length, offset, element, tag, round, context, source}
`define MOEHUB_REQUEST_RECORD_WIDTH 68

`define MOEHUB_ASKER_RECORD_WIDTH(OPERATION) \
    ((OPERATION) == `MOEHUB_REQUEST_WRITE_TOUCH ? `MOEHUB_STORE_RECORD_WIDTH : `MOEHUB_REQUEST_RECORD_WIDTH)

// Lines that the line buffer of a way's stores holds: so many of few targets are read ahead while one of many is written.
`define MOEHUB_WAY_LINES 16

// A line in the buffer, or a refused store. bytes: strobes that are 1.
`define MOEHUB_LINE(refused, context, source, row_index, first_beat, last_beat, targets) \
    {targets, last_beat, first_beat, row_index, source, context, refused}
`define MOEHUB_LINE_WIDTH 52

// A write without B, or pairs that were refused.
`define MOEHUB_WRITE_RECORD(kind, last, context, source, expert, slot, value) {value, slot, expert, source, context, last, kind}
`define MOEHUB_WRITE_RECORD_WIDTH(SLOT_WIDTH) (28 + (SLOT_WIDTH))

// What happened to a way's stores, a bit an event: pairs refused, writes with an error, records taken, writes begun; then cycles
// in which a question was stalled, an answer place, an answer, room in AW or W, a place in WRITES missed, the tracker stalled.
`define MOEHUB_STORE_EVENTS(answer, write, bytes, refused, lines, words, asked, place, answered, memory, writes, told) \
    {told, writes, memory, answered, place, asked, words, lines, refused, bytes, write, answer}
`define MOEHUB_STORE_EVENTS_WIDTH 12

// A flit of a result, for final_reduce.
`define MOEHUB_WAY_RESULT(entry, generation, status, element, length, data) {data, length, element, status, generation, entry}
`define MOEHUB_WAY_RESULT_WIDTH 167

// What happened in pre_reduce: lines read, partials, of them with a status, lines with a read error; cycles without data, without
// a place for a partial.
`define MOEHUB_PARTIAL_EVENTS(lines, partials, statuses, errors, waits, full) {full, waits, errors, statuses, partials, lines}
`define MOEHUB_PARTIAL_EVENTS_WIDTH 6

// What a partial says of its request. tag: of its line.
`define MOEHUB_PARTIAL(source, context, round, tag, element) {element, tag, round, context, source}
`define MOEHUB_PARTIAL_WIDTH 39

// One target's line that is read, or, where status is not OK, a partial without sum. first, last: target of the line; units:
// of 16 bytes; ends: the request's last line, and its last target; counted: the request is in flight.
`define MOEHUB_READ_RECORD(status, first, last, units, ends, counted, partial) \
    {partial, counted, ends, units, last, first, status}
`define MOEHUB_READ_RECORD_WIDTH (12 + `MOEHUB_PARTIAL_WIDTH)

// A group of lines to be reserved in final_reduce, and its grant.
`define MOEHUB_RESERVE(of_context, tag, element, lines_less_1, length, contributors) \
    {contributors, length, lines_less_1, element, tag, of_context}
`define MOEHUB_RESERVE_WIDTH 43
`define MOEHUB_GRANT(status, entry, generation) {generation, entry, status}
`define MOEHUB_GRANT_WIDTH 28

// What is told beside a reduced line's data.
`define MOEHUB_REDUCED(status, element, length, line, tag, of_context) {of_context, tag, line, length, element, status}
`define MOEHUB_REDUCED_WIDTH 45

// What software asks for; as it waits for its list, status so far; and checked, with how many remote and own ids.
`define MOEHUB_REDUCE(of_context, immediate, count, address, id, row_index, line, length, element, tag) \
    {tag, element, length, line, row_index, id, address, count, immediate, of_context}
`define MOEHUB_REDUCE_WIDTH(ADDRESS_WIDTH) (102 + (ADDRESS_WIDTH))
`define MOEHUB_REDUCE_RECORD(status, immediate, count, id, fields) {fields, id, count, immediate, status}
`define MOEHUB_REDUCE_RECORD_WIDTH (27 + `MOEHUB_REDUCE_FIELDS_WIDTH)
`define MOEHUB_REDUCE_FIELDS(of_context, row_index, line, length, element, tag) \
    {tag, element, length, line, row_index, of_context}
`define MOEHUB_REDUCE_FIELDS_WIDTH 79
`define MOEHUB_REDUCE_CHECKED(status, remotes, owns, fields) {fields, owns, remotes, status}
`define MOEHUB_REDUCE_CHECKED_WIDTH (16 + `MOEHUB_REDUCE_FIELDS_WIDTH)

// A reduce that is answered at once. length in units of 16 bytes.
`define MOEHUB_REDUCE_ANSWER(status, element, length, tag, of_context) {of_context, tag, length, element, status}
`define MOEHUB_REDUCE_ANSWER_WIDTH 42

// What happened to reduces: taken, a line asked, a request up, to the loop-back, answered at once; cycles without group, without
// room for requests.
`define MOEHUB_REDUCE_EVENTS(reduces, lines, up, loop, answered, no_group, no_room) \
    {no_room, no_group, answered, loop, up, lines, reduces}
`define MOEHUB_REDUCE_EVENTS_WIDTH 7

`endif
