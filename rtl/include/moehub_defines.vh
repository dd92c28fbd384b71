// SPDX-License-Identifier: Apache-2.0
// Constants that packets, registers and answers are made of: the one place for RTL.
// cmodel/include/moehub/defines.h holds the same names and values for C;
// `make test` fails when one side has a name or a value that the other has not.
// Every value is a plain decimal number. Field F of the header flit occupies bits
// [F_LSB + F_WIDTH - 1 : F_LSB] of the 128-bit flit, bit 0 first on the wire (byte 0).
`ifndef MOEHUB_DEFINES_VH
`define MOEHUB_DEFINES_VH

`define MOEHUB_VERSION_MAJOR 0
`define MOEHUB_VERSION_MINOR 1
`define MOEHUB_VERSION_PATCH 0
`define MOEHUB_ID_HUB        1297040712
`define MOEHUB_ID_SWITCH     1297040723

// ---- packet: header flit, command half (bits 63:0) -------------------------
`define MOEHUB_HEADER_TYPE_LSB 0
`define MOEHUB_HEADER_TYPE_WIDTH 4
`define MOEHUB_HEADER_FORMAT_LSB 4
`define MOEHUB_HEADER_FORMAT_WIDTH 2
`define MOEHUB_HEADER_FIRST_LSB 6
`define MOEHUB_HEADER_FIRST_WIDTH 1
`define MOEHUB_HEADER_BYTE_ENABLES_LSB 7
`define MOEHUB_HEADER_BYTE_ENABLES_WIDTH 1
`define MOEHUB_HEADER_NOP_LSB 8
`define MOEHUB_HEADER_NOP_WIDTH 1
`define MOEHUB_HEADER_OUT_FP32_LSB 9
`define MOEHUB_HEADER_OUT_FP32_WIDTH 1
`define MOEHUB_HEADER_LENGTH_LSB 10
`define MOEHUB_HEADER_LENGTH_WIDTH 9
`define MOEHUB_HEADER_SOURCE_LSB 19
`define MOEHUB_HEADER_SOURCE_WIDTH 10
`define MOEHUB_HEADER_CONTEXT_LSB 29
`define MOEHUB_HEADER_CONTEXT_WIDTH 3
`define MOEHUB_HEADER_TAG_LSB 32
`define MOEHUB_HEADER_TAG_WIDTH 24
`define MOEHUB_HEADER_STATUS_LSB 56
`define MOEHUB_HEADER_STATUS_WIDTH 4
`define MOEHUB_HEADER_ELEMENT_LSB 60
`define MOEHUB_HEADER_ELEMENT_WIDTH 2
`define MOEHUB_HEADER_OPERATION_LSB 62
`define MOEHUB_HEADER_OPERATION_WIDTH 2
// ---- packet: header flit, address half (bits 127:64) -----------------------
`define MOEHUB_HEADER_OFFSET_LSB 64
`define MOEHUB_HEADER_OFFSET_WIDTH 16
`define MOEHUB_HEADER_ROW_INDEX_LSB 80
`define MOEHUB_HEADER_ROW_INDEX_WIDTH 32
`define MOEHUB_HEADER_STAGE_LSB 112
`define MOEHUB_HEADER_STAGE_WIDTH 1
`define MOEHUB_HEADER_TARGET_COUNT_LSB 113
`define MOEHUB_HEADER_TARGET_COUNT_WIDTH 15
// ---- packet: target-extension flit -----------------------------------------
`define MOEHUB_TARGETS_PER_FLIT 8
`define MOEHUB_TARGET_WIDTH 16

// ---- packet types ----------------------------------------------------------
`define MOEHUB_PACKET_UNICAST_WRITE 0
`define MOEHUB_PACKET_ROW_STORE 1
`define MOEHUB_PACKET_MULTIMEM_STORE 2
`define MOEHUB_PACKET_LD_REDUCE 3
`define MOEHUB_PACKET_PARTIAL 4
`define MOEHUB_PACKET_RESULT 5
`define MOEHUB_PACKET_WRITE_ACKNOWLEDGE 6
`define MOEHUB_PACKET_CLOSE 7
`define MOEHUB_PACKET_NOTIFY 8
`define MOEHUB_PACKET_ERROR 9

`define MOEHUB_STAGE_DISPATCH 0
`define MOEHUB_STAGE_COMBINE 1

`define MOEHUB_OPERATION_NONE 0
`define MOEHUB_OPERATION_SUM 1

// ---- element types ---------------------------------------------------------
`define MOEHUB_ELEMENT_BF16 0
`define MOEHUB_ELEMENT_FP16 1
`define MOEHUB_ELEMENT_FP32 2
`define MOEHUB_ELEMENT_BYTES 3

// ---- status of an answer, a grant, a partial, a result ----------------------
`define MOEHUB_STATUS_OK 0
`define MOEHUB_STATUS_CONTEXT 1
`define MOEHUB_STATUS_PEER 2
`define MOEHUB_STATUS_EXPERT 3
`define MOEHUB_STATUS_RANGE 4
`define MOEHUB_STATUS_FULL 5
`define MOEHUB_STATUS_UNMAPPED 6
`define MOEHUB_STATUS_MEMORY 7
`define MOEHUB_STATUS_DRAINING 8
`define MOEHUB_STATUS_CONTRIBUTORS 9
`define MOEHUB_STATUS_TYPE 10
`define MOEHUB_STATUS_LENGTH 11
`define MOEHUB_STATUS_PARTIAL 12
`define MOEHUB_STATUS_TIMEOUT 13
`define MOEHUB_STATUS_MALFORMED 14

// ---- address path: operations ----------------------------------------------
`define MOEHUB_REQUEST_WRITE_TOUCH 0
`define MOEHUB_REQUEST_READ_LOOKUP 1

// ---- address path: error causes (index of the error counters and the latch) --
`define MOEHUB_HUB_CAUSE_CONTEXT 0
`define MOEHUB_HUB_CAUSE_PEER 1
`define MOEHUB_HUB_CAUSE_EXPERT 2
`define MOEHUB_HUB_CAUSE_RANGE 3
`define MOEHUB_HUB_CAUSE_FULL 4
`define MOEHUB_HUB_CAUSE_UNMAPPED 5
`define MOEHUB_HUB_CAUSE_MEMORY 6
`define MOEHUB_HUB_CAUSE_REPEATED 7
`define MOEHUB_HUB_CAUSE_TABLE_READ 8
`define MOEHUB_HUB_CAUSE_TABLE_WRITE 9
`define MOEHUB_HUB_CAUSE_COMMAND 10
`define MOEHUB_HUB_CAUSES 11

// ---- address path: commands ------------------------------------------------
`define MOEHUB_HUB_COMMAND_CONTEXT_SET 0
`define MOEHUB_HUB_COMMAND_PEERS_SET 1
`define MOEHUB_HUB_COMMAND_REGION_SET 2
`define MOEHUB_HUB_COMMAND_ENABLE 3
`define MOEHUB_HUB_COMMAND_DISABLE 4
`define MOEHUB_HUB_COMMAND_ADVANCE 5
`define MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR 6
`define MOEHUB_HUB_COMMAND_FLUSH 7
`define MOEHUB_HUB_COMMAND_CONTEXT_GET 8
`define MOEHUB_HUB_COMMAND_REGION_GET 9

// ---- reduction buffer: causes ----------------------------------------------
`define MOEHUB_REDUCTION_CAUSE_DRAINING 0
`define MOEHUB_REDUCTION_CAUSE_CONTRIBUTORS 1
`define MOEHUB_REDUCTION_CAUSE_TYPE 2
`define MOEHUB_REDUCTION_CAUSE_LENGTH 3
`define MOEHUB_REDUCTION_CAUSE_ENTRY 4
`define MOEHUB_REDUCTION_CAUSE_STALE 5
`define MOEHUB_REDUCTION_CAUSE_FOREIGN 6
`define MOEHUB_REDUCTION_CAUSE_DUPLICATE 7
`define MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS 8
`define MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE 9
`define MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH 10
`define MOEHUB_REDUCTION_CAUSE_TIMEOUT 11
`define MOEHUB_REDUCTION_CAUSE_COMMAND 12
`define MOEHUB_REDUCTION_CAUSES 13

// ---- arithmetic: rtl/doc/arithmetic.md ---------------------------------------
`define MOEHUB_BIN_POSITIONS 16
`define MOEHUB_TOP_WIDTH 5
`define MOEHUB_SPECIAL_WIDTH 2
`define MOEHUB_SPECIAL_NONE 0
`define MOEHUB_SPECIAL_PLUS_INFINITY 1
`define MOEHUB_SPECIAL_MINUS_INFINITY 2
`define MOEHUB_SPECIAL_NAN 3

`endif
