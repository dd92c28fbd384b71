/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the whole hub's model share: software's calls (hub_top.c), rows and stores of the GPU (hub_top_rows.c), store
 * packets and closes that leave (hub_top_stores.c), links (hub_top_links.c), writes (hub_top_writes.c) and those of the loop-back
 * (hub_top_loop.c), tiles (hub_top_tiles.c), events (hub_top_ready.c), notifies (hub_top_notifies.c), requests that are served
 * (hub_top_served.c), reduces and sums (hub_top_sums.c), error latches and interrupts (hub_top_latches.c), the table
 * port (hub_top_table.c). */
#ifndef MOEHUB_HUB_TOP_PARTS_H
#define MOEHUB_HUB_TOP_PARTS_H

#include "hub/byte_mask.h"
#include "moehub/hub_top.h"
#include "moehub/registers.h"

/* MOEHUB_E_STATE, and why. */
int hub_top_wrong(struct moehub_hub_top *hub, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* MOEHUB_E_LIMIT, and what has no room. */
int hub_top_full(struct moehub_hub_top *hub, const char *what);

static inline unsigned hub_top_loop(const struct moehub_hub_top *hub)
{
    return hub->config.links;
}

/* ---- hub_top_latches.c ---- */

/* Streams of offenders: of a way, of the packet manager, of the tile tracker; of the address path two a port, and its table. */
enum {
    HUB_TOP_WAY_RECEIVER,
    HUB_TOP_WAY_STORES,
    HUB_TOP_WAY_REQUESTS,
    HUB_TOP_WAY_NOTICES,
    HUB_TOP_WAY_ANSWERS,
    HUB_TOP_WAY_WRITES,
    HUB_TOP_WAY_READS
};
enum { HUB_TOP_MANAGER_ROWS, HUB_TOP_MANAGER_STORES, HUB_TOP_MANAGER_REDUCES };
enum { HUB_TOP_PATH_TABLE = 255 };

void hub_top_offend(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_top_offender *offender);
/* One that is certain, behind those before it in its stream. */
void hub_top_offend_in_order(struct moehub_hub_top *hub, unsigned window, unsigned stream, unsigned cause,
                             struct moehub_flit header);
/* `packet`: its number in the stream. */
void hub_top_way_offends(struct moehub_hub_top *hub, unsigned way, unsigned stream, uint64_t packet, unsigned cause,
                         struct moehub_flit header);
/* What the way's model has told since the last call. */
void hub_top_way_said(struct moehub_hub_top *hub, unsigned way, unsigned stream, uint64_t packet);
void hub_top_path_offends(struct moehub_hub_top *hub, unsigned way, const struct moehub_hub_request *request, unsigned status);
/* A row was announced again. */
void hub_top_repeated(struct moehub_hub_top *hub, const struct moehub_hub_request *request);
/* `unknown` (may be NULL): fields that may be anything. */
void hub_top_tracker_offends(struct moehub_hub_top *hub, unsigned cause, const struct moehub_header *header,
                             const struct moehub_header *unknown, bool certain);
/* Of a part from a port of a link's final_reduce, MOEHUB_FINAL_REDUCE_*, or a timeout: stream, name and number are filled in. */
enum { HUB_TOP_FINAL_TIMEOUTS = 2 };
void hub_top_final_offends(struct moehub_hub_top *hub, unsigned link, unsigned port, struct moehub_hub_top_offender *offender);
/* An event of INTERRUPT_STATUS beside LATCHED is set, or may be. */
void hub_top_event(struct moehub_hub_top *hub, unsigned window, uint32_t event, enum moehub_hub_top_known known);
void hub_top_latches_doubt(struct moehub_hub_top *hub);

/* Nobody knows what the latch of a window holds. */
static inline void hub_top_latch_doubt(struct moehub_hub_top *hub, unsigned window)
{
    hub->latches[window].doubtful = hub->latches[window].events_doubtful = true;
}

/* ---- hub_top.c ---- */

/* The context is flagged; or may be, by something whose time is not known. */
static inline void hub_top_flag(struct moehub_hub_top *hub, unsigned context, enum moehub_hub_top_known known)
{
    struct moehub_hub_top_context *flagged = &hub->contexts[context];
    if (flagged->failed >= known)
        return;
    flagged->failed = (uint8_t)known;
    hub_top_event(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_FAILED, known);
}

/* Something came for a context of which nobody knows whether it is still enabled. */
static inline bool hub_top_doubt(struct moehub_hub_top *hub, unsigned context)
{
    if (context >= hub->config.contexts || !hub->contexts[context].disabling)
        return false;
    hub->doubtful = hub->contexts[context].doubtful = true;
    hub_top_latches_doubt(hub);
    return true;
}

static inline void hub_top_count(struct moehub_hub_top *hub, unsigned event)
{
    hub->tracker[event]++;
}

/* A packet is compared with what it has to be. */
int hub_top_compare(struct moehub_hub_top *hub, const char *what, const struct moehub_flit *came, unsigned came_count,
                    const struct moehub_flit *expected, unsigned expected_count);

/* A packet that leaves; cut: its link fell, and the rest of it is lost. */
struct hub_top_leaving {
    const struct moehub_flit *flits;
    unsigned count;                      /* of a cut one: those that left */
    bool cut;
};

/* What left of it is compared with what it has to be. */
int hub_top_compare_leaving(struct moehub_hub_top *hub, const char *what, const struct hub_top_leaving *packet,
                            const struct moehub_flit *expected, unsigned expected_count);

/* Rings of a way: the n-th from the oldest, or the place behind the last. */
static inline struct moehub_hub_top_store *hub_top_way_store(const struct moehub_hub_top_way *way, uint32_t n)
{
    return &way->stores[(way->store_first + n) % way->store_room];
}

static inline struct moehub_way_completed *hub_top_way_write(const struct moehub_hub_top_way *way, uint32_t n)
{
    return &way->writes[(way->write_first + n) % way->write_room];
}

static inline struct moehub_hub_top_served *hub_top_way_served(const struct moehub_hub_top_way *way, uint32_t n)
{
    return &way->served[(way->served_first + n) % way->served_room];
}

/* The local expert of a row's n-th own target. */
static inline unsigned hub_top_own_expert(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, unsigned n)
{
    return row->entry.targets.own[n] & ((1u << hub->config.local_expert_bits) - 1);
}

/* In a row's `order` of a byte: NOP of the store that brought it. */
#define HUB_TOP_NOP (UINT32_C(1) << 31)

/* ---- hub_top_rows.c, hub_top_stores.c ---- */

/* A row has nothing left: it is forgotten. */
void hub_top_row_ends(struct moehub_hub_top_row *row);

/* What a row's line would be sent as, with those of its bytes. */
void hub_top_form(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, unsigned line, struct moehub_flit mask,
                  enum moehub_kind kind, struct moehub_store_packet *packet);
/* These bytes have left. */
void hub_top_bytes_left(struct moehub_hub_top_row *row, unsigned line, struct moehub_flit mask, enum moehub_kind kind);
/* Bytes of a line that were stored and have not left. */
struct moehub_flit hub_top_unsent(const struct moehub_hub_top_row *row, unsigned line, enum moehub_kind kind);

/* ABORT of a context is on its way: it may meet rows that are open, and stores for them that the hub has not decided. */
void hub_top_rows_abort(struct moehub_hub_top *hub, unsigned context);

/* A read of a list of rows or reduces is to come. */
int hub_top_expect_read(struct moehub_hub_top *hub, enum moehub_hub_top_list id, uint64_t address);

int hub_top_store_leaves(struct moehub_hub_top *hub, unsigned link, const struct hub_top_leaving *packet);
int hub_top_close_leaves(struct moehub_hub_top *hub, const struct hub_top_leaving *packet);
int hub_top_rows_left_over(struct moehub_hub_top *hub, unsigned context);

/* ---- hub_top_writes.c, hub_top_loop.c ---- */

int hub_top_store_came(struct moehub_hub_top *hub, unsigned way, const struct moehub_flit *flits, unsigned count);
/* The next write of a way's oldest stores; those before it that may have been refused were. */
int hub_top_next_write(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_write *write);
/* All that may have been refused of the context, and would come next, was. */
void hub_top_refuse_rest(struct moehub_hub_top *hub, unsigned way, unsigned context);
/* The context may be disabled before its stores, its requests are checked. */
void hub_top_stores_doubt(struct moehub_hub_top *hub, unsigned context);
void hub_top_served_doubt(struct moehub_hub_top *hub, unsigned context);
/* A write whose record is told at its B. */
int hub_top_push_write(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_completed *record);
struct moehub_hub_request hub_top_question(const struct moehub_hub_top *hub, unsigned way, const struct moehub_way_packet *packet,
                                           unsigned target);
/* A row gets that slot; false: it cannot. */
bool hub_top_take_slot(struct moehub_hub_top *hub, const struct moehub_hub_request *request, uint32_t slot);
/* The slot of a word of the row list of (context, expert), or UINT32_MAX. */
uint32_t hub_top_slot_of_word(const struct moehub_hub_top *hub, unsigned context, unsigned expert,
                              const struct moehub_way_write *write);
/* One that asks for its row's first slot may be refused: it might find the region full. */
bool hub_top_may_be_full(const struct moehub_hub_top *hub, const struct moehub_hub_request *request);
/* The first write of a packet of the loop-back, which nobody has seen; of one that announces its row, the line after the word. */
int hub_top_loop_begins(struct moehub_hub_top *hub, const struct moehub_way_write *write);
int hub_top_loop_line(struct moehub_hub_top *hub, const struct moehub_way_write *write);
/* The loop-back has nothing left to write of the context. */
bool hub_top_loop_is_done(const struct moehub_hub_top *hub, unsigned context);
/* Own rows of the context of which something was not written, and need not be: their regions are full. */
void hub_top_loop_refused(struct moehub_hub_top *hub, unsigned context);
int hub_top_writes_left_over(struct moehub_hub_top *hub, unsigned context);

/* Of what a question is about, in that slot. */
static inline uint64_t hub_top_address(const struct moehub_hub_top *hub, const struct moehub_hub_request *request, unsigned stage,
                                       uint32_t slot)
{
    return moehub_addr_alloc_address(&hub->addresses, &hub->addresses.contexts[request->context],
                                     moehub_addr_alloc_region(&hub->addresses, request->context, request->expert), stage, slot,
                                     request->offset);
}

/* The slot of a row that has one; else UINT32_MAX. */
static inline uint32_t hub_top_slot(const struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t row)
{
    const struct moehub_hub_top_context *of = &hub->contexts[context];
    if (expert >= hub->config.local_experts || row >= of->row_limit || of->regions[expert].slots == NULL)
        return UINT32_MAX;
    return of->regions[expert].slots[row] - 1;
}

/* ---- hub_top_table.c ---- */

/* A row may be announced to an expert; it was, and got a slot: that one, if the table has been written and has no other. */
void hub_top_announced(struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t row);
void hub_top_given(struct moehub_hub_top *hub, const struct moehub_hub_request *request);
bool hub_top_table_agrees(const struct moehub_hub_top *hub, const struct moehub_hub_request *request, uint32_t slot);
/* The AL-TLB has lost what it had of the context. */
void hub_top_table_forget(struct moehub_hub_top *hub, unsigned context);
int hub_top_table_left_over(struct moehub_hub_top *hub, unsigned context);

/* ---- hub_top_tiles.c, hub_top_ready.c, hub_top_notifies.c ---- */

/* NULL: the region has no such tile. */
struct moehub_hub_top_tile *hub_top_tile(struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t number);
void hub_top_completed(struct moehub_hub_top *hub, const struct moehub_way_completed *record);
void hub_top_close_came(struct moehub_hub_top *hub, const struct moehub_header *header);
/* A notify for a token that waits for none; `tokens`: its context counts them; `certain`: it did come. */
void hub_top_notify_too_much(struct moehub_hub_top *hub, unsigned context, unsigned source, uint32_t row_index, bool tokens,
                             bool certain);
/* An own notify that is too late for its token may be too late for its context, too: when it comes does not show. */
void hub_top_own_notifies_doubt(struct moehub_hub_top *hub, unsigned context);
/* Such a one is refused: CONTEXT, or nothing is. */
void hub_top_own_notify_offends(struct moehub_hub_top *hub, const struct moehub_header *header);
void hub_top_notify_came(struct moehub_hub_top *hub, const struct moehub_header *header);
/* All that peers and the GPU announced has been handled: the context may have arrived. */
bool hub_top_may_have_arrived(struct moehub_hub_top *hub, unsigned context);
void hub_top_expect(struct moehub_hub_top *hub, unsigned context, uint32_t token, unsigned count);
/* The token of a row of this GPU; NULL: it counts none. */
struct moehub_hub_top_token *hub_top_token(struct moehub_hub_top *hub, unsigned context, uint32_t row_index);
int hub_top_notify_leaves(struct moehub_hub_top *hub, const struct hub_top_leaving *packet);
int hub_top_tiles_left_over(struct moehub_hub_top *hub, unsigned context);
int hub_top_notify_read(struct moehub_hub_top *hub, uint64_t address);
int hub_top_notify_data(struct moehub_hub_top *hub, struct moehub_flit data, bool error);

/* ---- hub_top_served.c, hub_top_sums.c ---- */

/* A request that came, with what its check gave; `sum`: of the loop-back, its reduce. */
int hub_top_serve(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_packet *packet, unsigned cause, uint32_t sum);
/* Requests at the head of a way that are refused are answered. */
int hub_top_answer_errors(struct moehub_hub_top *hub, unsigned way);
int hub_top_partial_leaves(struct moehub_hub_top *hub, unsigned link, const struct hub_top_leaving *packet);
int hub_top_served_left_over(struct moehub_hub_top *hub, unsigned context);
/* The own experts' part of a line of a reduce. */
void hub_top_own_part(struct moehub_hub_top *hub, uint32_t sum, unsigned line, const struct moehub_partial_packet *packet);
void hub_top_result_came(struct moehub_hub_top *hub, unsigned link, const struct moehub_flit *flits, unsigned count);
int hub_top_request_leaves(struct moehub_hub_top *hub, unsigned link, const struct hub_top_leaving *packet);
/* Reduces whose lists are there go on, in their order. */
int hub_top_reduces_go_on(struct moehub_hub_top *hub);
int hub_top_sums_left_over(struct moehub_hub_top *hub, unsigned context);

#endif
