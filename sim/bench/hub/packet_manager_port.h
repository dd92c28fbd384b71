/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of a packet manager, and its judge: the model is told what the design chose, in the order of the page's section 12,
 * and reads, handles, what the tracker expects, packets, closes, flags and counters are compared. The lists' memory is here,
 * too. */
#ifndef BENCH_PACKET_MANAGER_PORT_H
#define BENCH_PACKET_MANAGER_PORT_H

#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "kit/stream.h"
#include "moehub/packet_manager.h"

enum {
    MANAGER_WAYS_MAX = 5,
    MANAGER_LISTS = 256,    /* that the memory holds */
    MANAGER_ROWS = 128,     /* rows that wait to be taken */
    MANAGER_STORES = 16,    /* stores that the design holds */
    MANAGER_READS = 512,
};

struct packet_manager_port {
    struct bench *bench;
    struct moehub_packet_manager model;
    struct random_source random;
    unsigned ways;
    uint32_t row_index_width;
    struct source row, store, end;
    struct sink handle, expect, notice, list;
    struct stall packet_stall[MANAGER_WAYS_MAX], list_stall;
    const struct pin *initialised, *own, *link_up, *store_room, *line_timeout, *enabled, *closing, *rounds, *owner_shifts, *peers,
        *row_sizes, *failed, *closed, *rows, *packet_valid, *packet_ready, *packet_data, *packet_last, *packet_flits, *r_valid,
        *r_data, *r_response, *slots_level, *rows_level, *events, *error_valid, *error_cause, *error_header;
    const struct pin *take, *take_entry, *decided, *link, *step_store, *store_done, *no_slot, *locked, *discarded, *way, *kind,
        *step_entry, *step_line, *made, *made_entry, *made_line, *became, *line_link, *gone, *gone_entry, *gone_line, *leave,
        *leave_entry;
    struct scoreboard reads, handles, expects, packets, notices, outcomes, offenders, states;

    /* in the design and not told of yet */
    struct moehub_row taken_rows[MANAGER_ROWS];
    unsigned rows_first, rows_count;
    struct moehub_store stores[MANAGER_STORES];
    unsigned stores_first, stores_count;

    /* lists, and which are those of the rows that were put and not taken, and of the flits to be read: a list may be anywhere */
    uint16_t lists[MANAGER_LISTS][MOEHUB_TARGETS_MAX];
    uint8_t put_lists[MANAGER_ROWS];
    unsigned put_first, put_count;
    struct { uint8_t list, flit; } asked_reads[MANAGER_READS];
    unsigned asked_first, asked_count;
    struct { uint64_t due; struct moehub_flit data; bool error; } answers[MANAGER_READS];
    unsigned answers_first, answers_count;
    unsigned list_errors; /* of 256 reads */
    unsigned latency;     /* of the memory, at most */

    /* packets of each way as they pass */
    uint64_t flits_at[MANAGER_WAYS_MAX], sent_flits[MANAGER_WAYS_MAX];
    bool packet_open[MANAGER_WAYS_MAX], packet_waits[MANAGER_WAYS_MAX];
    bool takes_what_is_there; /* ways are ready only for a flit that is offered */
    uint64_t offered_at[MANAGER_WAYS_MAX]; /* cycle: a flit was offered last, or no line was locked */
    uint64_t packet_held[MANAGER_WAYS_MAX][2];
    uint64_t link_up_now, link_up_before, store_room_now;
    bool notice_waits;
    unsigned notice_links; /* links up when the notice was made */
    uint64_t failed_seen, closed_seen, clean; /* sets of contexts */
    uint64_t counted[MOEHUB_PACKET_MANAGER_EVENTS];
    uint64_t moved; /* cycle in which something was compared last */
    uint64_t kinds_discarded, aborts, advances, packets_whole, packets_part, merges, waited_slot, waited_line, waited_entry;
    uint64_t row_none_at, row_short_at, row_free_at; /* last cycle: no row to be taken; no entry to spare; some free */
    bool row_waited; /* its event, of the cycle before */
    unsigned store_waits, store_waited; /* outcome of the last store at step 5, and as it was a cycle ago */
    unsigned timeout;
    uint64_t timeout_since;  /* cycle */
    uint64_t *filling_since; /* by entry and line: cycle of the first store */
    uint64_t *ready_since;   /* ... in which it became ready */
    /* packets that were locked and have not left */
    struct { uint8_t entries[4]; unsigned first, count; } under_way[MANAGER_WAYS_MAX];
    void (*on_handle)(void *context, const struct moehub_row_decision *decision);
    void (*on_end)(void *context, unsigned what, unsigned named);
    void *context;
};

void packet_manager_port_create(struct packet_manager_port *port, struct bench *bench);
void packet_manager_port_destroy(struct packet_manager_port *port);

/* Steps 1 to 4 of a cycle. */
void packet_manager_port_step(void *port);

/* Every context's fields to the pins, from the model's. */
void packet_manager_port_contexts(struct packet_manager_port *port);

/* Streams that are free take what is put; a row's list has been written to `lists`, and is whatever is at the row's address. */
void packet_manager_port_put_row(struct packet_manager_port *port, const struct moehub_row *row, unsigned list);
void packet_manager_port_put_store(struct packet_manager_port *port, const struct moehub_store *store);
void packet_manager_port_put_end(struct packet_manager_port *port, unsigned what, unsigned named);

/* Nothing is offered, held or expected. */
bool packet_manager_port_quiet(const struct packet_manager_port *port);

/* Counters and flags, compared when nothing is under way. */
void packet_manager_port_compare_end(struct packet_manager_port *port);

#endif
