/* SPDX-License-Identifier: Apache-2.0 */
/* A record: what a stream carries, as members of a struct and as words of an item, written once.
 *
 *     #define GRANT_FIELDS(FIELD, record) FIELD(record, status) FIELD(record, entry) FIELD(record, generation)
 *     RECORD(grant, struct moehub_reduction_grant, GRANT_FIELDS)
 *
 * gives grant_at_status .. grant_at_generation and grant_words (places in an item), grant_pack and grant_unpack. A pin's name
 * ends with the member's, every field has at most 64 bits: RECORD_NAMES(GRANT_FIELDS) is the field list of the stream. */
#ifndef KIT_RECORD_H
#define KIT_RECORD_H

#include <stdint.h>

#define RECORD_NAME(record, member) #member " "
#define RECORD_PLACE(record, member) record##_at_##member,
#define RECORD_PACK(record, member) item[record##_at_##member] = (uint64_t)from->member;
#define RECORD_UNPACK(record, member) to.member = (__typeof__(to.member))item[record##_at_##member];

/* "status entry generation ": a string, to which more may be joined. */
#define RECORD_NAMES(FIELDS) FIELDS(RECORD_NAME, )

/* The places alone. */
#define RECORD_PLACES(record, FIELDS) enum { FIELDS(RECORD_PLACE, record) record##_words };

#define RECORD(record, type, FIELDS)                                          \
    RECORD_PLACES(record, FIELDS)                                             \
    static inline void record##_pack(uint64_t *item, const type *from)        \
    {                                                                         \
        FIELDS(RECORD_PACK, record)                                           \
    }                                                                         \
    static inline type record##_unpack(const uint64_t *item)                  \
    {                                                                         \
        type to = {0};                                                        \
        FIELDS(RECORD_UNPACK, record)                                         \
        return to;                                                            \
    }

#endif
