/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_request of a hub: asks for sums of own rows (rtl/doc/hub/reduce.md section 1; RTL: moehub_reduce_request).
 *
 * The model has no cycles. It is told, in the order in which the RTL did it: a reduce is taken; data of a list came; the oldest
 * reduce is answered, or a group is reserved for it in the final_reduce of a link; a grant came; a group became free; a line
 * of `reduced` was taken. Timing chooses the link, and the model refuses one without a free group. It decides all else, to the
 * bit: reads of lists, statuses, reservations, requests, answers, what the error latch may hold, lines in flight, the counters
 * below. Turns among links, room in the request queues and link_up are asserted by who knows the cycles.
 *
 * Functions that return bool: false, and nothing changed, if the RTL cannot have done that here. No allocation. */
#ifndef MOEHUB_REDUCE_REQUEST_H
#define MOEHUB_REDUCE_REQUEST_H

#include "moehub/final_reduce.h"
#include "moehub/list_check.h"
#include "moehub/packet.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_REDUCE_CONTEXTS_MAX 8
#define MOEHUB_REDUCE_LINKS_MAX 4
#define MOEHUB_REDUCE_READS_MAX (MOEHUB_TARGETS_MAX / MOEHUB_TARGETS_PER_FLIT)
#define MOEHUB_REDUCES_MAX 128           /* slots, and what is between them and the links: more than any RTL holds */

/* The parameters of the hub that reduce_request has, and its own number. */
struct moehub_reduce_request_config {
    uint32_t links;              /* 1..4 */
    uint32_t gpus;               /* 2..64 */
    uint32_t contexts;           /* 1..8 */
    uint32_t local_expert_bits;  /* 0..8 */
    uint32_t max_targets;        /* 1..32 */
    uint32_t request_lines;      /* 1, 2, 4, 8 */
    uint32_t address_width;      /* 32..64 */
    uint32_t final_groups;       /* of a link */
    uint32_t with_fp32;          /* 0, 1 */
    uint32_t own;                /* below gpus */
};

/* What the hub shows of a context; the caller writes it, between calls. */
struct moehub_reduce_context {
    bool enabled;
    uint8_t round;               /* 4 bits */
    uint8_t owner_shift;         /* 0..31 */
    uint32_t row_size;           /* bytes of a row of stage 1 */
    uint64_t peers;              /* a bit a GPU */
};

/* What the stream `reduce` carries: any values. */
struct moehub_reduce {
    uint64_t address;            /* of the list; address_width bits */
    uint32_t row_index;
    uint32_t tag;                /* 24 bits */
    uint16_t id;                 /* the list, if immediate */
    uint16_t line;               /* 9 bits: first line of the row */
    uint16_t length;             /* 9 bits: units of 16 bytes */
    uint8_t context;             /* 3 bits */
    uint8_t count;               /* 6 bits */
    uint8_t element;             /* 2 bits */
    bool immediate;
};

/* Reads of 16 bytes that a list needs, in this order. */
struct moehub_reduce_reads {
    uint64_t address[MOEHUB_REDUCE_READS_MAX];
    unsigned count;
};

/* The packet of a request to a way: count 0 if that way gets none. */
struct moehub_request_packet {
    struct moehub_flit flits[MOEHUB_REQUEST_LONGEST];
    unsigned count;
};

/* What becomes of a reduce whose group was granted. */
struct moehub_reduce_copies {
    struct moehub_request_packet up, loop;
};

/* A reduce that is answered at once: `lines` packets, line 0 first. */
struct moehub_reduce_answer {
    struct moehub_reduced lines[MOEHUB_REQUEST_LINES_MAX];
    unsigned count;
    uint8_t status;              /* not OK: it is an offender, with this header */
    struct moehub_flit header;
};

/* What the next reduce in order waits for. */
enum moehub_reduce_next {
    MOEHUB_REDUCE_NOTHING,       /* there is none */
    MOEHUB_REDUCE_LIST,          /* data of its list */
    MOEHUB_REDUCE_ANSWER,        /* it is answered at once */
    MOEHUB_REDUCE_GROUP,         /* a group */
    MOEHUB_REDUCE_GRANT          /* the grant of its group */
};

struct moehub_reduce_slot {
    struct moehub_reduce reduce;
    uint16_t ids[MOEHUB_TARGETS_MAX];    /* as they were read */
    uint8_t status;              /* of the taking, then of the reads */
    uint8_t reads;
    uint8_t reads_came;
};

struct moehub_reduce_request {
    struct moehub_reduce_request_config config;
    struct moehub_reduce_context contexts[MOEHUB_REDUCE_CONTEXTS_MAX];
    struct moehub_reduce_slot slots[MOEHUB_REDUCES_MAX]; /* ring */
    uint32_t first, count;
    uint32_t free_groups[MOEHUB_REDUCE_LINKS_MAX];
    bool reserved;               /* the first's grant is to come, from reserved_link */
    uint8_t reserved_link;
    uint64_t lines_in_flight[MOEHUB_REDUCE_CONTEXTS_MAX];
    /* events 14 to 18 of the packet manager's window */
    uint64_t reduces, lines, requests_up, requests_loop, answered;
};

/* 0, or MOEHUB_E_ARGUMENT when a parameter is outside of its range. */
int moehub_reduce_request_config_check(const struct moehub_reduce_request_config *config);

/* The state after reset: contexts disabled. 0 or MOEHUB_E_ARGUMENT. */
int moehub_reduce_request_init(struct moehub_reduce_request *request, const struct moehub_reduce_request_config *config);

/* A reduce is taken. What must be read for it comes back in `reads`. */
bool moehub_reduce_request_take(struct moehub_reduce_request *request, const struct moehub_reduce *reduce,
                                struct moehub_reduce_reads *reads);

/* The data of the oldest read came; `error`: RRESP bit 1. */
bool moehub_reduce_request_list_data(struct moehub_reduce_request *request, struct moehub_flit data, bool error);

enum moehub_reduce_next moehub_reduce_request_next(const struct moehub_reduce_request *request);

/* The next reduce is answered at once. */
bool moehub_reduce_request_answer(struct moehub_reduce_request *request, struct moehub_reduce_answer *answer);

/* The next reduce's group is reserved in the final_reduce of that link. */
bool moehub_reduce_request_reserve(struct moehub_reduce_request *request, unsigned link,
                                   struct moehub_reduce_reservation *reservation);

/* The grant came: with status OK requests leave, else it is answered at once; what does not apply is empty. */
bool moehub_reduce_request_grant(struct moehub_reduce_request *request, const struct moehub_reduction_grant *grant,
                                 struct moehub_reduce_copies *copies, struct moehub_reduce_answer *answer);

/* A group of the link's final_reduce is free again. */
bool moehub_reduce_request_freed(struct moehub_reduce_request *request, unsigned link);

/* The last flit of a packet of `reduced` was taken. */
bool moehub_reduce_request_line_taken(struct moehub_reduce_request *request, unsigned context);

#endif
