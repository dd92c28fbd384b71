// SPDX-License-Identifier: Apache-2.0
// Vectors of the tile tracker: its streams' data (doc/hub/tile_tracker.md section 2), and what passes through its pipelines.
// `MOEHUB_X(fields) is the vector X and stands on either side of an assignment; `MOEHUB_X_WIDTH(parameters) is its width.
`ifndef MOEHUB_TILE_TRACKER_VH
`define MOEHUB_TILE_TRACKER_VH

// ---- streams ---------------------------------------------------------------------------------------------------------
`define MOEHUB_COMPLETED(kind, context, source, expert, slot, value, error) {error, value, slot, expert, source, context, kind}
`define MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) (28 + (SLOT_WIDTH))
`define MOEHUB_CLOSED(context, source, count) {count, source, context}
`define MOEHUB_CLOSED_WIDTH 41
`define MOEHUB_NOTIFIED(context, source, row_index, failed) {failed, row_index, source, context}
`define MOEHUB_NOTIFIED_WIDTH 42
`define MOEHUB_EXPECTED(context, token, count) {count, token, context}
`define MOEHUB_EXPECTED_WIDTH 25
`define MOEHUB_DONE(context, expert, tile, stage) {stage, tile, expert, context}
`define MOEHUB_DONE_WIDTH 52
`define MOEHUB_READY_EVENT(kind, failed, context, round, expert, rows, name) {name, rows, expert, round, context, failed, kind}
`define MOEHUB_READY_EVENT_WIDTH 74
`define MOEHUB_NOTICE(flit, way) {way, flit}
`define MOEHUB_NOTICE_WIDTH 131
`define MOEHUB_SET(what, context, expert, first, count) {count, first, expert, context, what}
`define MOEHUB_SET_WIDTH 54
`define MOEHUB_SET_CLEAR_REGIONS 0
`define MOEHUB_SET_REGION 1
`define MOEHUB_SET_ADVANCE 2

// ---- tiles -----------------------------------------------------------------------------------------------------------
// An operation. place: the slot of WORD and BYTES, the entry of CLEAR and GET, else tile n. value: bytes; the stage of DONE; of
// LOOK who looks. error: of the B response; of SETTLE: the timer began it.
`define MOEHUB_TILE_OPERATION(kind, context, expert, place, source, value, error) \
    {error, value, source, place, expert, context, kind}
`define MOEHUB_TILE_OPERATION_WIDTH 69
`define MOEHUB_TILE_WORD 0
`define MOEHUB_TILE_BYTES 1
`define MOEHUB_TILE_DONE 2
`define MOEHUB_TILE_SETTLE 3
`define MOEHUB_TILE_CLEAR 4
`define MOEHUB_TILE_LOOK 5
`define MOEHUB_TILE_GET 6
`define MOEHUB_LOOK_READY 0
`define MOEHUB_LOOK_NOTIFY 1

// A tile's word.
`define MOEHUB_TILE(rows, balance, computed, finished, state, flagged) {flagged, state, finished, computed, balance, rows}
`define MOEHUB_TILE_WIDTH 63
`define MOEHUB_TILE_FILLING 0
`define MOEHUB_TILE_READY 1
`define MOEHUB_TILE_COMPUTED 2
`define MOEHUB_TILE_FINISHED 3

// ---- arrival ---------------------------------------------------------------------------------------------------------
// An operation on one peer of a context. count: pairs of HANDLED, the announced ones of CLOSE.
`define MOEHUB_ARRIVAL_OPERATION(kind, context, peer, count) {count, peer, context, kind}
`define MOEHUB_ARRIVAL_OPERATION_WIDTH 43
`define MOEHUB_ARRIVAL_HANDLED 0
`define MOEHUB_ARRIVAL_CLOSE 1
`define MOEHUB_ARRIVAL_CLEAR 2
`define MOEHUB_ARRIVAL_GET 3
`define MOEHUB_ARRIVED(handled, announced, closed) {closed, announced, handled}
`define MOEHUB_ARRIVED_WIDTH 65

// ---- tokens ----------------------------------------------------------------------------------------------------------
// An operation. place: the row index of NOTIFY, the entry of GET, else the token.
`define MOEHUB_TOKEN_OPERATION(kind, context, place, source, count, failed) {failed, count, source, place, context, kind}
`define MOEHUB_TOKEN_OPERATION_WIDTH 51
`define MOEHUB_TOKEN_EXPECT 0
`define MOEHUB_TOKEN_NOTIFY 1
`define MOEHUB_TOKEN_EXPIRE 2
`define MOEHUB_TOKEN_CLEAR 3
`define MOEHUB_TOKEN_GET 4
`define MOEHUB_TOKEN(left, failed, state) {state, failed, left}
`define MOEHUB_TOKEN_WIDTH 9
`define MOEHUB_TOKEN_NONE 0
`define MOEHUB_TOKEN_OPEN 1
`define MOEHUB_TOKEN_TOLD 2

// ---- causes ----------------------------------------------------------------------------------------------------------
// Something went wrong: its cause, whether the context is flagged, and what the latch keeps. FLAG without a cause has cause 31.
`define MOEHUB_TRACKER_ERROR(cause, flags, context, source, row_index, tag) {tag, row_index, source, context, flags, cause}
`define MOEHUB_TRACKER_ERROR_WIDTH 63
`define MOEHUB_TRACKER_NO_CAUSE 31

`endif
