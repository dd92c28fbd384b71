/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of the address path: their fields, once, in the order of rtl/doc/address_path.md section 2. */
#ifndef BENCH_HUB_RECORDS_H
#define BENCH_HUB_RECORDS_H

#include "kit/record.h"
#include "moehub/hub.h"

#define HUB_REQUEST_FIELDS(FIELD, record) \
    FIELD(record, operation) FIELD(record, first) FIELD(record, context) FIELD(record, expert) FIELD(record, row_index) \
    FIELD(record, offset) FIELD(record, length) FIELD(record, source) FIELD(record, port) FIELD(record, tag)
#define HUB_ANSWER_FIELDS(FIELD, record) \
    FIELD(record, status) FIELD(record, port) FIELD(record, tag) FIELD(record, slot) FIELD(record, address) \
    FIELD(record, allocated)
#define HUB_COMMAND_FIELDS(FIELD, record) \
    FIELD(record, operation) FIELD(record, context) FIELD(record, index) FIELD(record, data0) FIELD(record, data1)
#define HUB_RESULT_FIELDS(FIELD, record) \
    FIELD(record, refused) FIELD(record, in_flight) FIELD(record, data0) FIELD(record, data1)

RECORD(hub_request, struct moehub_hub_request, HUB_REQUEST_FIELDS)
RECORD(hub_answer, struct moehub_hub_answer, HUB_ANSWER_FIELDS)
RECORD(hub_command, struct moehub_hub_command, HUB_COMMAND_FIELDS)
RECORD(hub_result, struct moehub_hub_result, HUB_RESULT_FIELDS)

#endif
