/* SPDX-License-Identifier: Apache-2.0 */
/* The streams of the reduction buffer: their fields, once, in the order of rtl/doc/reduction_buffer.md section 2. Data and
 * last of a flit come after them, the lines of a reservation where the design has groups (rtl/doc/plane/groups.md). */
#ifndef BENCH_REDUCTION_RECORDS_H
#define BENCH_REDUCTION_RECORDS_H

#include "kit/record.h"
#include "moehub/reduction_buffer.h"

#define REDUCTION_RESERVE_FIELDS(FIELD, record) \
    FIELD(record, requester) FIELD(record, tag) FIELD(record, element) FIELD(record, out_fp32) FIELD(record, length) \
    FIELD(record, contributors)
#define REDUCTION_GROUP_RESERVE_FIELDS(FIELD, record) REDUCTION_RESERVE_FIELDS(FIELD, record) FIELD(record, lines_less_1)
#define REDUCTION_GRANT_FIELDS(FIELD, record) FIELD(record, status) FIELD(record, entry) FIELD(record, generation)
#define REDUCTION_PARTIAL_FIELDS(FIELD, record) \
    FIELD(record, entry) FIELD(record, generation) FIELD(record, port) FIELD(record, status) FIELD(record, element) \
    FIELD(record, length)
#define REDUCTION_RESULT_FIELDS(FIELD, record) \
    FIELD(record, requester) FIELD(record, tag) FIELD(record, status) FIELD(record, element) FIELD(record, length) \
    FIELD(record, entry)

RECORD(reduction_reserve, struct moehub_reduction_reserve, REDUCTION_GROUP_RESERVE_FIELDS)
RECORD(reduction_grant, struct moehub_reduction_grant, REDUCTION_GRANT_FIELDS)
RECORD(reduction_partial, struct moehub_reduction_partial, REDUCTION_PARTIAL_FIELDS)
RECORD(reduction_result, struct moehub_reduction_result, REDUCTION_RESULT_FIELDS)

/* Words of the data, behind the fields above. */
enum { PARTIAL_DATA = reduction_partial_words, RESULT_DATA = reduction_result_words };

#endif
