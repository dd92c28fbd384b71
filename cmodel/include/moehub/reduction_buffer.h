/* SPDX-License-Identifier: Apache-2.0 */
/* Reduction buffer of one switch port (rtl/doc/reduction_buffer.md, groups of several lines: rtl/doc/plane/groups.md).
 *
 * Stepped in the order in which the hardware accepts its events: reserve, first flit of a partial, timeout pulse, last
 * flit of a result taken, command; with groups also grant taken, released, freed_valid. Equal to the RTL to the bit:
 * grants, results, every counter below MOEHUB_REDUCTION_ORDER_EVENTS. Results may leave in any order: the caller says
 * which entry left.
 *
 * An entry is line `entry % request_lines` of group `entry / request_lines`. With request_lines 1, quarantine 0 and
 * with_release 0, the defaults, a group is one entry and is free when its result has been taken. Otherwise it is free
 * when moehub_reduction_buffer_freed says so: when that is depends on the clock.
 *
 * With payloads off no element is kept or summed and results have no data: addresses, counters and statuses only.
 * No allocation after create. */
#ifndef MOEHUB_REDUCTION_BUFFER_H
#define MOEHUB_REDUCTION_BUFFER_H

#include "moehub/defines.h"
#include "moehub/offenders.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Events below are functions of the order alone. The rest counts cycles. */
#define MOEHUB_REDUCTION_ORDER_EVENTS (MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_ORDER_CAUSES)

/* The outcome of a partial that failed no check. */
#define MOEHUB_REDUCTION_NO_CAUSE MOEHUB_REDUCTION_CAUSES

#define MOEHUB_REDUCTION_PAYLOAD_MAX 256
#define MOEHUB_REDUCTION_RESULT_MAX 512   /* bytes: bf16 partials of 256 bytes, summed into fp32 */

/* The parameters of moehub_reduction_buffer, same names, same order; then what is wired or of the model alone. */
struct moehub_reduction_buffer_config {
    uint32_t entries;           /* 1..4096 */
    uint32_t ports;             /* 2..64 */
    uint32_t payload_bytes;     /* multiple of flit_bytes, up to 256 */
    uint32_t flit_bytes;        /* 4, 8, 16, 32, 64 */
    uint32_t max_contributors;  /* 1..64 */
    uint32_t with_fp32;         /* 0, 1 */
    uint32_t generation_width;  /* 1..8 */
    uint32_t tag_width;         /* 1..64 */
    uint32_t request_lines;     /* 1, 2, 4, 8: entries of a group; entries is a multiple */
    uint32_t quarantine;        /* 0, 1: a group with a timeout is not reused before twice that time */
    uint32_t with_release;      /* 0, 1: a group waits for moehub_reduction_buffer_released */
    uint32_t own_port;          /* below ports */
    bool payloads;              /* model alone: keep and sum the elements */
};
#define MOEHUB_REDUCTION_PARAMETERS 11

struct moehub_reduction_reserve {
    uint64_t tag;           /* tag_width bits, the rest is dropped */
    uint64_t contributors;  /* bit p: port p will answer; bits from ports up are dropped */
    uint16_t requester;     /* GPU, 10 bits */
    uint16_t length;        /* bytes of each partial of the last line, 9 bits; other lines have payload_bytes */
    uint8_t element;        /* MOEHUB_ELEMENT_* */
    bool out_fp32;
    uint8_t lines_less_1;   /* asked lines less one; modulo request_lines */
};

struct moehub_reduction_grant {
    uint16_t entry;         /* line 0 of the group; 0 unless OK */
    uint8_t status;         /* MOEHUB_STATUS_OK, DRAINING, CONTRIBUTORS, TYPE, LENGTH */
    uint8_t generation;     /* 0 unless OK */
};

struct moehub_reduction_partial {
    const void *data;       /* flits * flit_bytes bytes in wire order (only the first `length` are read); may be NULL
                             * with payloads off, or when the packet is not accepted as a contribution */
    uint32_t flits;         /* of the packet as sent, at least 1 */
    uint16_t entry;
    uint16_t length;        /* from the header, 9 bits */
    uint8_t generation;
    uint8_t port;           /* below ports */
    uint8_t status;
    uint8_t element;
};

struct moehub_reduction_result {
    uint64_t tag;
    uint16_t requester;
    uint16_t entry;
    uint16_t length;        /* bytes, 0 unless OK */
    uint16_t flits;         /* of the packet: 1 for an error */
    uint8_t status;         /* MOEHUB_STATUS_OK, PARTIAL, TYPE, LENGTH, TIMEOUT */
    uint8_t element;        /* output type, also of an error */
    uint8_t data[MOEHUB_REDUCTION_RESULT_MAX];  /* flits * flit_bytes bytes, zeros beyond the length; untouched with
                                                 * payloads off */
};

enum moehub_reduction_entry_state {
    MOEHUB_REDUCTION_FREE,
    MOEHUB_REDUCTION_OPEN,      /* reserved or summing: misses at least one port */
    MOEHUB_REDUCTION_COMPLETE,  /* every port has answered; the result has not left */
    MOEHUB_REDUCTION_TIMED_OUT, /* the same, with status TIMEOUT */
    MOEHUB_REDUCTION_DONE       /* of a group in use: the result has left, or the line was not asked */
};

struct moehub_reduction_entry {
    uint64_t tag;
    uint64_t missing;       /* ports that have not answered; of a timed-out entry: when its time was up */
    uint64_t contributors;
    uint16_t requester;
    uint16_t length;
    uint8_t state;          /* enum moehub_reduction_entry_state */
    uint8_t failure;        /* MOEHUB_STATUS_OK, PARTIAL, TYPE or LENGTH: the least so far */
    uint8_t element;
    bool out_fp32;
    bool summed;            /* at least one contribution is in the element state */
};

struct moehub_reduction_group {
    uint8_t generation;     /* of the current or last use */
    bool used;              /* since reset: the next use has the next generation */
    bool granted;           /* its grant was taken */
    bool copied;            /* with_release: copies of its request have not left */
    bool timed_out;         /* a line timed out in this use: with quarantine the group waits for its end */
};

struct moehub_reduction_sums;  /* element state of all entries: reduction_buffer.c */

struct moehub_reduction_buffer {
    struct moehub_reduction_buffer_config config;
    struct moehub_reduction_entry *entries;
    struct moehub_reduction_group *groups;
    uint16_t *free_list;                 /* groups; ring of as many places */
    uint32_t free_head;
    uint32_t free_count;
    uint32_t timeout;                    /* cycles, 0 = never: the model only keeps it */
    uint32_t port_timeout;               /* the pin, for TIMEOUT_SET with quarantine: the caller's, no reset changes it */
    bool draining;
    struct moehub_offenders offenders;
    uint64_t counters[MOEHUB_REDUCTION_ORDER_EVENTS];
    uint64_t lines;                      /* asked by the reservations granted */
    struct moehub_reduction_sums *sums;  /* NULL with payloads off */
};

/* 107 entries, 64 ports, 128-byte payload, 16-byte flits, 64 contributors, fp32, 8-bit generations, 24-bit tags,
 * one line, no quarantine, no release; own port 0, payloads on. */
struct moehub_reduction_buffer_config moehub_reduction_buffer_config_default(void);

/* 0, or MOEHUB_E_ARGUMENT when a parameter is outside of its legal range. */
int moehub_reduction_buffer_config_check(const struct moehub_reduction_buffer_config *config);

/* The state after reset. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_reduction_buffer_create(struct moehub_reduction_buffer *buffer,
                                   const struct moehub_reduction_buffer_config *config);
void moehub_reduction_buffer_destroy(struct moehub_reduction_buffer *buffer);

/* Back to the state after a hardware reset: generations, timeout, draining, counters and offenders too. */
void moehub_reduction_buffer_reset(struct moehub_reduction_buffer *buffer);

/* An accepted reservation. 0, or MOEHUB_E_STATE (nothing changes) when no group is free: then the hardware does not
 * accept one. */
int moehub_reduction_buffer_reserve(struct moehub_reduction_buffer *buffer,
                                    const struct moehub_reduction_reserve *reserve,
                                    struct moehub_reduction_grant *grant);

/* The grant of an entry was taken: from now on `released` counts for its group. Needed with_release only. */
void moehub_reduction_buffer_granted(struct moehub_reduction_buffer *buffer, unsigned entry);

/* `released`: the copies of the request of an entry's group have left. Returns whether that changed something: not for a
 * group in no use, not granted yet or released before, nor for an entry that does not exist, nor without with_release. */
bool moehub_reduction_buffer_released(struct moehub_reduction_buffer *buffer, unsigned entry);

/* A partial packet, at the acceptance of its first flit, with all that its later flits will hold.
 * Returns its MOEHUB_REDUCTION_CAUSE_*, or MOEHUB_REDUCTION_NO_CAUSE. */
unsigned moehub_reduction_buffer_partial(struct moehub_reduction_buffer *buffer,
                                         const struct moehub_reduction_partial *partial);

/* The timeout pulse of an entry. 0, or MOEHUB_E_STATE (nothing changes) when the entry misses no port, so that the
 * hardware must not have timed it out. Whether it came at the right time is the caller's to judge. */
int moehub_reduction_buffer_timeout(struct moehub_reduction_buffer *buffer, unsigned entry);

/* Whether an entry has a result that has not left. */
bool moehub_reduction_buffer_result_available(const struct moehub_reduction_buffer *buffer, unsigned entry);

/* The result that waits in an entry. 0 or MOEHUB_E_STATE (none). */
int moehub_reduction_buffer_result_peek(const struct moehub_reduction_buffer *buffer, unsigned entry,
                                        struct moehub_reduction_result *result);

/* The last flit of an entry's result was taken: the line is done; with the defaults the entry is free again. `result` may
 * be NULL. 0 or MOEHUB_E_STATE. */
int moehub_reduction_buffer_result_taken(struct moehub_reduction_buffer *buffer, unsigned entry,
                                         struct moehub_reduction_result *result);

/* Whether nothing but a quarantine holds the group of an entry: it is in use, all asked lines are done and no copies are
 * left. Never true with the defaults. */
bool moehub_reduction_buffer_may_be_freed(const struct moehub_reduction_buffer *buffer, unsigned entry);

/* freed_valid: the group of an entry returns to the free list. 0, or MOEHUB_E_STATE (nothing changes) when it must not:
 * see above. Whether its quarantine was long enough is the caller's to judge. */
int moehub_reduction_buffer_freed(struct moehub_reduction_buffer *buffer, unsigned entry);

/* An accepted command: MOEHUB_REDUCTION_COMMAND_*, 4 bits. Returns true when it was refused (counted). */
bool moehub_reduction_buffer_command(struct moehub_reduction_buffer *buffer, unsigned operation, uint32_t data);

/* Entries of groups in use; empty = none. */
static inline uint32_t moehub_reduction_buffer_occupancy(const struct moehub_reduction_buffer *buffer)
{
    return buffer->config.entries - buffer->free_count * buffer->config.request_lines;
}

static inline uint32_t moehub_reduction_buffer_groups(const struct moehub_reduction_buffer_config *config)
{
    return config->entries / config->request_lines;
}

/* Whether a group is more than one entry that is free with its result: then moehub_reduction_buffer_freed frees it. */
static inline bool moehub_reduction_buffer_has_groups(const struct moehub_reduction_buffer_config *config)
{
    return config->request_lines > 1 || config->quarantine != 0 || config->with_release != 0;
}

/* Every invariant: the free list holds exactly the free groups, missing is a part of the set, counters add up. Slow. */
bool moehub_reduction_buffer_is_valid(const struct moehub_reduction_buffer *buffer);

#endif
