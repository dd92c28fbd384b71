// SPDX-License-Identifier: Apache-2.0
// Bundles of the reduction buffer: what passes from part to part as one vector, packed and unpacked at its ends only. Field F
// occupies bits [F_LSB + F_WIDTH - 1 : F_LSB]. A field has room for every legal configuration: its maker fills what the
// configuration has not with zeros, its user takes the low bits that it has.
`ifndef MOEHUB_REDUCTION_VH
`define MOEHUB_REDUCTION_VH

// ---- record: a reservation that was granted ---------------------------------------------------------------------------
`define MOEHUB_RECORD_CONTRIBUTORS_LSB 0
`define MOEHUB_RECORD_CONTRIBUTORS_WIDTH 64
`define MOEHUB_RECORD_OTHERS_LSB 64 // ports in the set less one
`define MOEHUB_RECORD_OTHERS_WIDTH 6
`define MOEHUB_RECORD_LENGTH_LSB 70 // of the last line; the others have the longest
`define MOEHUB_RECORD_LENGTH_WIDTH 9
`define MOEHUB_RECORD_ELEMENT_LSB 79
`define MOEHUB_RECORD_ELEMENT_WIDTH 2
`define MOEHUB_RECORD_OUT_FP32_LSB 81
`define MOEHUB_RECORD_OUT_FP32_WIDTH 1
`define MOEHUB_RECORD_REQUESTER_LSB 82
`define MOEHUB_RECORD_REQUESTER_WIDTH 10
`define MOEHUB_RECORD_TAG_LSB 92
`define MOEHUB_RECORD_TAG_WIDTH 64
`define MOEHUB_RECORD_GROUP_LSB 156
`define MOEHUB_RECORD_GROUP_WIDTH 12
`define MOEHUB_RECORD_GENERATION_LSB 168
`define MOEHUB_RECORD_GENERATION_WIDTH 8
`define MOEHUB_RECORD_LINES_LSB 176 // asked lines less one
`define MOEHUB_RECORD_LINES_WIDTH 3
`define MOEHUB_RECORD_WIDTH 179

// ---- flit: what is known of a partial's flit, beside its data -----------------------------------------------------------
`define MOEHUB_FLIT_FIRST_LSB 0 // of its packet
`define MOEHUB_FLIT_FIRST_WIDTH 1
`define MOEHUB_FLIT_LAST_LSB 1
`define MOEHUB_FLIT_LAST_WIDTH 1
`define MOEHUB_FLIT_ADDS_LSB 2 // its elements belong to the sum
`define MOEHUB_FLIT_ADDS_WIDTH 1
`define MOEHUB_FLIT_STARTS_LSB 3 // first contribution: the sum starts from the empty state
`define MOEHUB_FLIT_STARTS_WIDTH 1
`define MOEHUB_FLIT_COMPLETES_LSB 4 // no port is missing any more
`define MOEHUB_FLIT_COMPLETES_WIDTH 1
`define MOEHUB_FLIT_FAILURE_LSB 5 // of the entry: 0 none, 1 PARTIAL, 2 TYPE, 3 LENGTH
`define MOEHUB_FLIT_FAILURE_WIDTH 2
`define MOEHUB_FLIT_ELEMENT_LSB 7
`define MOEHUB_FLIT_ELEMENT_WIDTH 2
`define MOEHUB_FLIT_OUT_FP32_LSB 9
`define MOEHUB_FLIT_OUT_FP32_WIDTH 1
`define MOEHUB_FLIT_TAIL_LSB 10 // it holds the end of the payload
`define MOEHUB_FLIT_TAIL_WIDTH 1
`define MOEHUB_FLIT_END_LSB 11 // which 16-bit word of the payload's last flit holds its last byte
`define MOEHUB_FLIT_END_WIDTH 5
`define MOEHUB_FLIT_UPPER_HALF_LSB 16 // ... and whether that word lies in the upper half
`define MOEHUB_FLIT_UPPER_HALF_WIDTH 1
`define MOEHUB_FLIT_LAST_NUMBER_LSB 17 // of the payload's last flit
`define MOEHUB_FLIT_LAST_NUMBER_WIDTH 6
`define MOEHUB_FLIT_ENTRY_LSB 23
`define MOEHUB_FLIT_ENTRY_WIDTH 12
`define MOEHUB_FLIT_ROW_LSB 35 // of the element memory
`define MOEHUB_FLIT_ROW_WIDTH 18
`define MOEHUB_FLIT_WIDTH 53

// ---- row: what is known of a row of a result on its way to the taker, beside its data -----------------------------------
`define MOEHUB_ROW_FIRST_LSB 0
`define MOEHUB_ROW_FIRST_WIDTH 1
`define MOEHUB_ROW_COMMIT_LSB 1 // the last: the result counts
`define MOEHUB_ROW_COMMIT_WIDTH 1
`define MOEHUB_ROW_TWO_LSB 2 // two flits of result
`define MOEHUB_ROW_TWO_WIDTH 1
`define MOEHUB_ROW_ELEMENT_LSB 3 // of the partials; that of an error is bf16
`define MOEHUB_ROW_ELEMENT_WIDTH 2
`define MOEHUB_ROW_OUT_FP32_LSB 5
`define MOEHUB_ROW_OUT_FP32_WIDTH 1
`define MOEHUB_ROW_STATUS_LSB 6
`define MOEHUB_ROW_STATUS_WIDTH 4
`define MOEHUB_ROW_ENTRY_LSB 10
`define MOEHUB_ROW_ENTRY_WIDTH 12
`define MOEHUB_ROW_WIDTH 22

// ---- error: a candidate for the error latch; header as in a packet --------------------------------------------------------
`define MOEHUB_ERROR_HEADER_LSB 0
`define MOEHUB_ERROR_HEADER_WIDTH 128
`define MOEHUB_ERROR_CAUSE_LSB 128
`define MOEHUB_ERROR_CAUSE_WIDTH 5
`define MOEHUB_ERROR_PORT_LSB 133
`define MOEHUB_ERROR_PORT_WIDTH 6
`define MOEHUB_ERROR_WIDTH 139

`endif
