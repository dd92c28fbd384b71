/* SPDX-License-Identifier: Apache-2.0 */
/* A whole hub at its edge (rtl/doc/hub/hub.md; RTL: moehub_hub_top): whether what comes out of it may, given what went in.
 *
 * It has no cycles. The caller shows what crosses the edge, in its order: items of the GPU's streams, flits of the links,
 * accesses of the memory ports. Timing chooses entry and link of a row, which bytes of a line share a packet, a row's slot, link
 * and group of a reduce, and what comes next: the model reads these choices from what it is shown, finds out whether they may
 * be, and decides all else to the bit.
 *
 *     moehub_hub_top_open, _region, _start, _close, _disable, _stop   software's calls, with the shapes that the driver takes
 *     moehub_hub_top_abort, _aborted                                  ABORT is on its way; the hub has taken it
 *     moehub_hub_top_row, _store, _reduce, _done                      the GPU gave an item
 *     moehub_hub_top_handle, _ready, _reduced                         the GPU got one
 *     moehub_hub_top_come, _grant, _go, _link_fell                    a flit came by a link; credits came; a flit left; it fell
 *     moehub_hub_top_write, _written, _read, _data                    a data port: burst with its data, B; address of a read, R
 *     moehub_hub_top_list_read, _list_data                            the list port, by id
 *     moehub_hub_top_table_read, _data, _write, _written              the table port: address of a read, R, write and data, B
 *     moehub_hub_top_latch, _offender, _events, _mask, _interrupts    software reads and frees error latches, takes interrupts
 *     moehub_hub_top_interrupt                                        the pin interrupt_request has changed
 *
 * It decides
 * - handles and their statuses; reads of lists; whether a store is dropped, and why;
 * - store packets that leave, given which bytes of its line one has: each byte that the GPU stored leaves once to the links and
 *   once to the loop-back, by one link a row, with the row's targets, FIRST with its first packet, NOP of its line's first store;
 * - closes, with the pairs that were sent; requests, in the order of their reduces on each link, in groups that are free;
 * - of a packet that came: its cause; or its writes, target by target in the order of the way, with address, bytes, strobes, and
 *   the row list's word; slots, read from that word: in their region, one a row, and none left out in the end;
 * - reads for requests, and the partial of each line to the bit; requests, reads and writes of the loop-back in the same way,
 *   of which the packets are inside and only the accesses show;
 * - sums to the bit, and answers at once, with all that is told beside them;
 * - ready events: once each, not before all of a tile's bytes had their B, with rows and `failed`; reads of row lists;
 *   notifies, in the order of their tiles for each GPU;
 * - at the end of a context that nothing is left over; counters of order (moehub_hub_top_counter);
 * - error latches of all windows: that one is caught, and kept until it is freed; that it is the first of its kind on its way
 *   or stream: cause, header, LATCH_NAME. Of kinds and ways that are found side by side (flits, checks of the three classes,
 *   answers, reads of a way; rows, stores, reduces; all that the tile tracker finds) it is any of the first ones. Of the
 *   loop-back OFFSET and LENGTH of a store and TAG of a partial are not known; nor is SOURCE where the order of ways decides who
 *   was too much (tile tracker: BALANCE, NOTIFY), nor the entry of a sum that asks the own experts alone;
 * - accesses of the table port: each is of an entry that a store, request or own row under way needs, none of an entry of which
 *   one is under way; a read of what the AL-TLB must have, as its set has taken nothing else since, never; a write behind the
 *   read of a row that was announced, with the slot of the row list's word, once for each slot that was given; its epoch is read
 *   from the first one of a round;
 * - events of INTERRUPT_STATUS but CLEAR_NEEDED of the address path; windows that ask, and the pin.
 *
 * It does not decide: fairness, rates, when a timer ends (moehub_hub_top_time_is_up says that they may have); which link a row,
 * request or notice takes, and in which order events come; generations of handles and groups; registers beside counters,
 * error latches and interrupts, what else the AL-TLB holds, what a table read brings (it shows in the answers), and what a
 * command does that the hub refuses. A context that something flags while its *all arrived* is on its way may be told as failed
 * or not.
 *
 * Contract: a GPU stores each byte of a row once: else what leaves of that row is taken as it is. Reduces of one context and tag
 * are not under way at once, nor are two of one row, line, length and list. No packet of a context comes while _start is on its
 * way to the hub; what comes, or waits, while _disable is may be refused or not: from then on counters are not known, and latches
 * and events not until they are taken. No table access fails. A region has at most 2^list_shift slots; regions of a stage do not
 * overlap. Software takes a context's ready events before it stops it, unless timers may have ended. It frees latches and takes
 * events when nothing is inside. No store is out of its row's range while ABORT is on its way.
 *
 * Functions return 0; MOEHUB_E_STATE, and `why` says what is wrong: the hub cannot have done that, and the model is of no use any
 * more; MOEHUB_E_LIMIT: more is inside than such a hub holds. No allocation but in _create and _region. Cost: about a
 * microsecond a packet and target. Memory: 5 bytes for each of a row's, of ROWS + LOOP_PLACES / 3 + 24 rows. */
#ifndef MOEHUB_HUB_TOP_H
#define MOEHUB_HUB_TOP_H

#include "moehub/addr_alloc.h"
#include "moehub/driver_report.h"
#include "moehub/error.h"
#include "moehub/final_reduce.h"
#include "moehub/link_receiver.h"
#include "moehub/packet_manager.h"
#include "moehub/pre_reduce.h"
#include "moehub/reduce_request.h"
#include "moehub/tile_tracker.h"
#include "moehub/way.h"

#define MOEHUB_HUB_TOP_CONTEXTS 8
#define MOEHUB_HUB_TOP_WAYS 5            /* links and the loop-back, which has the highest number */
#define MOEHUB_HUB_TOP_GPUS 64
#define MOEHUB_HUB_TOP_TILES_AHEAD 64    /* tiles of which row list words were read */
#define MOEHUB_HUB_TOP_READS 1024        /* of lists, of rows or of reduces, that are to come */
#define MOEHUB_HUB_TOP_NOTICES 1024      /* notifies that were made and have not left */
#define MOEHUB_HUB_TOP_STORES 8          /* given, and the hub may not have decided yet */
#define MOEHUB_HUB_TOP_WINDOWS 13        /* of registers, MOEHUB_WINDOW_* */
#define MOEHUB_HUB_TOP_OFFENDERS 64      /* of which a latch may hold any */

/* Ids of the list port. */
enum moehub_hub_top_list { MOEHUB_HUB_TOP_LIST_ROWS, MOEHUB_HUB_TOP_LIST_REDUCES, MOEHUB_HUB_TOP_LIST_NOTIFIES };

/* Parameters of moehub_hub_top, and its own number. */
struct moehub_hub_top_config {
    uint32_t links, gpus, contexts, local_expert_bits, local_experts, max_targets, request_lines;
    uint32_t row_index_width, slot_width, offset_width, address_width, sets;
    uint32_t places[MOEHUB_CLASSES];     /* of a link: PLACES_STORE, PLACES_REQUEST, PLACES_RESPONSE */
    uint32_t loop_places, answers, request_answers, writes;
    uint32_t tiles, tokens, rows, store_bytes, final_groups, with_fp32;
    uint32_t own;
};

/* What is known of something that comes to be inside. */
enum moehub_hub_top_known { MOEHUB_HUB_TOP_NO, MOEHUB_HUB_TOP_MAYBE, MOEHUB_HUB_TOP_YES };

/* ---- private: error latches ------------------------------------------------------------------------------------------------ */

/* What a latch may hold. Offenders of one stream of a window are found in the order of their numbers, those of two in any. */
struct moehub_hub_top_offender {
    uint8_t stream;
    bool certain;                        /* false: it may be none */
    uint32_t causes;                     /* set: one of them */
    uint32_t name;                       /* LATCH_NAME */
    uint64_t number;                     /* of several that are equal none need be the first */
    struct moehub_flit header, unknown;  /* bits of the header that may be anything */
};

/* A window's latch and interrupts. */
struct moehub_hub_top_latch {
    struct moehub_hub_top_offender list[MOEHUB_HUB_TOP_OFFENDERS];
    uint32_t count;
    bool more, doubtful;                 /* there are more than the list has; it may be anything */
    bool read;                           /* it holds `seen` */
    struct moehub_hub_offender seen;
    bool held, caught;                   /* it holds one whose event was taken; it has caught one and was freed since the take */
    bool events_doubtful;
    uint32_t mask, must, may;            /* INTERRUPT_MASK; other events that are high, that may be */
};

/* ---- private: rows of the GPU -------------------------------------------------------------------------------------------- */

/* A row that opened, until each of its bytes was sent and, on the loop-back, written. */
struct moehub_hub_top_row {
    bool used, handled;                  /* handled: its handle still names it */
    bool aborted;                        /* it may be */
    bool doubtful;                       /* a byte was stored again, or a packet was cut before it said which bytes it had: what
                                          * leaves is taken as it is */
    struct moehub_row_entry entry;       /* row, targets, status */
    uint16_t handle;
    uint8_t link;                        /* of its packets; MOEHUB_HUB_TOP_WAYS: not known */
    uint32_t stored, size;               /* bytes */
    uint32_t left[MOEHUB_KINDS];         /* bytes that have still to leave */
    uint8_t *bytes;
    uint32_t *order;                     /* of a byte: the store that brought it, and its NOP in bit 31 */
    struct moehub_flit *held;            /* of a line: bytes that were stored */
    struct moehub_flit *sent[MOEHUB_KINDS];
};

/* A store. */
struct moehub_hub_top_stored {
    uint16_t handle, offset;
};

/* ---- private: contexts ----------------------------------------------------------------------------------------------------- */

struct moehub_hub_top_tile {
    uint32_t rows;                       /* words that had their B */
    int64_t balance;                     /* bytes that are missing */
    uint8_t state;                       /* enum moehub_tile_state */
    uint8_t computed, finished;          /* thread blocks */
    bool flagged, told_ready, told_computed;
};

/* An own row of which experts' notifies are counted. */
struct moehub_hub_top_token {
    uint8_t count, came, own;            /* own: of the own experts, which come by the loop-back some time */
    uint8_t state;                       /* enum moehub_token_state */
    bool failed, own_failed;
};

struct moehub_hub_top_peer {
    uint32_t pairs;                      /* sent to it */
    uint32_t told;                       /* by the close to it */
    bool close_left;
    uint32_t handled, announced;         /* of what it sends */
    bool closed;
};

/* An entry of the AL table, of a round. */
enum moehub_hub_top_access { MOEHUB_HUB_TOP_IDLE, MOEHUB_HUB_TOP_READING, MOEHUB_HUB_TOP_READ, MOEHUB_HUB_TOP_WRITING };

struct moehub_hub_top_entry {
    uint16_t firsts, given, writes;      /* announcements that may be; slots that came of them; writes */
    uint8_t state;                       /* enum moehub_hub_top_access */
    uint32_t slot;                       /* of the last write */
};

/* A local expert: slots are known from the words that were written. */
struct moehub_hub_top_region {
    struct moehub_hub_region bound;
    uint32_t announced;                  /* rows, at most: of packets that came, of own rows that opened */
    uint32_t end;                        /* beyond the highest slot that was given */
    uint32_t *rows;                      /* [capacity]: row index + 1 of a slot, 0: none */
    uint32_t *slots;                     /* [row limit]: slot + 1 of a row, 0: none */
    struct moehub_hub_top_entry *entries; /* [row limit] */
};

struct moehub_hub_top_context {
    struct moehub_context_shape shape;
    bool enabled, closing;
    bool disabling, doubtful;            /* something came while DISABLE was on its way */
    bool own_late;                       /* a notify to itself goes by the loop-back after its token's end */
    bool time_is_up;                     /* its timers may have ended */
    bool settled, told;                  /* a tile was told that is not full; all arrived was */
    uint8_t arrived, failed, aborted;    /* enum moehub_hub_top_known */
    uint8_t round;
    uint32_t row_limit;
    uint32_t epoch;                      /* of its table writes; 0: not known */
    uint32_t finished, taken;            /* tiles that owners are to be told of, since start; of them read */
    struct moehub_hub_top_peer peers[MOEHUB_HUB_TOP_GPUS];
    struct moehub_hub_top_region *regions;   /* [local_experts] */
};

/* ---- private: ways --------------------------------------------------------------------------------------------------------- */

/* A store that was accepted, until each target was written or refused. */
struct moehub_hub_top_store {
    struct moehub_way_packet packet;
    bool may_be_late;                    /* the context may have arrived before it */
    bool worded;                         /* the next target's word was written: `line` comes */
    uint8_t next;                        /* target */
    uint64_t number;                     /* of the stores that came by its way */
    struct moehub_way_outcome outcome;   /* of that target */
};

/* A request that was accepted, until its last partial was made. */
struct moehub_hub_top_served {
    struct moehub_pre_reduce_request request;
    struct moehub_way_packet packet;
    bool decided;                        /* its answers are filled in */
    bool doubtful;                       /* its context may be disabled when it is checked */
    uint8_t status;                      /* then */
    uint8_t lines, read_line, read_target, line, target; /* next read, next data */
    uint32_t sum;                        /* loop-back: the reduce that it is of */
};

struct moehub_hub_top_way {
    struct moehub_way way;
    struct moehub_link_receiver receiver;
    struct moehub_flit in[MOEHUB_RESPONSE_LONGEST], out[MOEHUB_RESPONSE_LONGEST];
    uint32_t in_count, out_count;
    uint8_t out_class;
    uint64_t credits[MOEHUB_CLASSES];
    struct moehub_hub_top_store *stores; /* ring */
    uint32_t store_first, store_count, store_room;
    uint64_t stores_came;
    struct moehub_way_completed *writes; /* ring: those without B */
    uint32_t write_first, write_count, write_room;
    struct moehub_pre_reduce_block pre_reduce;
    struct moehub_hub_top_served *served;    /* ring; `reading` from the first on have all their reads */
    uint32_t served_first, served_count, served_room, reading;
    struct moehub_line_data data[MOEHUB_WAY_TARGETS_MAX];
    struct moehub_partial_packet *partials;  /* ring: made, and have not left */
    uint32_t partial_first, partial_count, partial_room;
    uint64_t packets_in[MOEHUB_CLASSES], packets_out[MOEHUB_CLASSES], flits_in, flits_out, results;
};

/* ---- private: sums --------------------------------------------------------------------------------------------------------- */

/* What was given for a line, by the network or by the own experts. */
struct moehub_hub_top_part {
    bool came;
    uint8_t status, element;
    uint16_t length;
    uint8_t bytes[MOEHUB_LINE_BYTES];
};

/* A reduce, until its last line was taken. */
struct moehub_hub_top_sum {
    bool used;
    struct moehub_reduce_reservation asked;
    struct moehub_reduce_answer answer;  /* count 0: it has a group */
    struct moehub_reduce_copies copies;
    uint8_t link;                        /* MOEHUB_HUB_TOP_WAYS: not known */
    bool left;                           /* its request to the network has */
    uint16_t entry;
    uint8_t generation, told;            /* told: set of lines */
    uint64_t number;                     /* in the order of reduces */
    struct moehub_hub_top_part parts[MOEHUB_REQUEST_LINES_MAX][2]; /* by MOEHUB_FINAL_REDUCE_* */
};

/* Reads of lists that are to come: a ring. */
struct moehub_hub_top_reads {
    uint64_t address[MOEHUB_HUB_TOP_READS];
    uint64_t first, end;
};

/* A tile whose row list is read. */
struct moehub_hub_top_notifying {
    uint8_t context, expert;
    bool flagged;
    uint32_t asked, next, end;           /* slots: next to be asked for, next to be told, beyond the last */
};

/* ---- the hub --------------------------------------------------------------------------------------------------------------- */

struct moehub_hub_top {
    struct moehub_hub_top_config config;
    struct moehub_message why;           /* of the last error */
    struct moehub_hub_top_context contexts[MOEHUB_HUB_TOP_CONTEXTS];
    struct moehub_addr_alloc addresses;  /* checks and addresses; next_slot: slots that were given */
    struct moehub_packet_manager manager; /* rows that open */
    bool row_doubtful[MOEHUB_PACKET_MANAGER_ROWS_MAX]; /* its context may be closed or disabled as the hub takes it */
    struct moehub_reduce_request reduces; /* as of one link, whose groups are free at once */
    struct moehub_arithmetic arithmetic;
    struct moehub_hub_top_way ways[MOEHUB_HUB_TOP_WAYS];
    struct moehub_hub_top_row *rows;     /* [row_count] */
    uint32_t row_count;
    uint32_t store_number;
    struct moehub_hub_top_stored stored[MOEHUB_HUB_TOP_STORES]; /* the last ones, by their numbers */
    struct moehub_hub_top_reads reads[2]; /* by enum moehub_hub_top_list */
    struct moehub_hub_top_tile *tiles;   /* [config.tiles] */
    uint32_t *finished;                  /* [config.tiles]: of a context from its first on: expert << 16 | tile */
    struct moehub_hub_top_token *tokens; /* [config.tokens] */
    struct moehub_hub_top_sum *sums;     /* [sum_count] */
    uint32_t sum_count;
    uint64_t sums_asked;
    uint64_t link_sum[MOEHUB_HUB_TOP_WAYS]; /* number of the last reduce whose request left by a link */
    struct moehub_reduced reduced[MOEHUB_HUB_TOP_WAYS]; /* packets that come */
    struct moehub_hub_top_notifying notifying[MOEHUB_HUB_TOP_TILES_AHEAD]; /* ring; the last is asked for */
    uint32_t notifying_first, notifying_count;
    struct moehub_flit notices[MOEHUB_HUB_TOP_NOTICES];  /* notifies, oldest first */
    uint32_t notice_count;
    bool loop_worded;                    /* the loop-back wrote the first word of a row, and its line comes next */
    uint32_t loop_row;
    uint64_t tracker[MOEHUB_TILE_TRACKER_ORDER_EVENTS];
    uint64_t manager_counts[MOEHUB_PACKET_MANAGER_EVENTS];
    uint64_t *last_of_set;               /* [config.sets]: the entry that was read last; 0: none */
    uint64_t table_reads, table_writes;
    uint64_t dropped_late;               /* of stores: HANDLE or REWRITTEN, HANDLE or ABORTED */
    bool doubtful;                       /* something may have been refused, or not: counters are not known */
    bool loop_refused;                   /* pairs of the loop-back were, nobody knows how many */
    bool notify_doubtful;                /* a notify of the loop-back may have come after its context's end */
    struct moehub_hub_top_latch latches[MOEHUB_HUB_TOP_WINDOWS];
    uint64_t offences;
    bool interrupt, interrupt_fell;      /* the pin; it fell, and software has done nothing for that */
};

/* The RTL's defaults; own GPU 0. */
struct moehub_hub_top_config moehub_hub_top_config_default(void);

/* As after reset. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_hub_top_create(struct moehub_hub_top *hub, const struct moehub_hub_top_config *config);
void moehub_hub_top_destroy(struct moehub_hub_top *hub);

/* ---- software: rtl/doc/hub/driver.md; _start and _close before the hub is told, _stop when it has done it ----------------- */

/* moehub_context_create, and after it moehub_region_bind of each local expert. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY. */
int moehub_hub_top_open(struct moehub_hub_top *hub, unsigned context, const struct moehub_context_shape *shape);
int moehub_hub_top_region(struct moehub_hub_top *hub, unsigned context, unsigned expert, const struct moehub_hub_region *region);

int moehub_hub_top_start(struct moehub_hub_top *hub, unsigned context, unsigned round);

/* No more rows come: from here on the closes may leave. */
int moehub_hub_top_close(struct moehub_hub_top *hub, unsigned context);

/* ABORT is on its way: rows that come from here on may open or not, and of those that are open, or open, bytes may leave or not.
 * The hub has taken it: no row opens that comes from here on, and each store is dropped. */
int moehub_hub_top_abort(struct moehub_hub_top *hub, unsigned context);
void moehub_hub_top_aborted(struct moehub_hub_top *hub, unsigned context);

/* From here on the arrival and token timers of the context may have ended. */
void moehub_hub_top_time_is_up(struct moehub_hub_top *hub, unsigned context);

/* DISABLE is on its way: what comes for the context from here on may be refused, or not. */
void moehub_hub_top_disable(struct moehub_hub_top *hub, unsigned context);

/* The context is stopped and clean: 0, or MOEHUB_E_STATE: something of it has not come out. */
int moehub_hub_top_stop(struct moehub_hub_top *hub, unsigned context);

/* ---- streams: fields as in rtl/doc/hub/hub.md section 3 ------------------------------------------------------------------ */

int moehub_hub_top_row(struct moehub_hub_top *hub, const struct moehub_row *row);
int moehub_hub_top_store(struct moehub_hub_top *hub, const struct moehub_store *store);
int moehub_hub_top_reduce(struct moehub_hub_top *hub, const struct moehub_reduce *reduce);
int moehub_hub_top_done(struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t tile, unsigned stage);

int moehub_hub_top_handle(struct moehub_hub_top *hub, unsigned status, unsigned handle, uint32_t row_index);
int moehub_hub_top_ready(struct moehub_hub_top *hub, const struct moehub_ready_event *event);
/* A flit of `reduced` of a link, and its tuser. */
int moehub_hub_top_reduced(struct moehub_hub_top *hub, unsigned link, struct moehub_flit data, uint64_t user, bool last);

/* ---- links ----------------------------------------------------------------------------------------------------------------- */

/* A flit came; `taken` (may be NULL): what the receiver made of it. */
int moehub_hub_top_come(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_flit *flit,
                        struct moehub_link_taken *taken);
void moehub_hub_top_grant(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_grant *grant);
int moehub_hub_top_go(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_flit *flit);
/* link_up fell, after what _come, _grant and _go have shown: credits are 0, the open packet that came is malformed, and nothing
 * more of the open packet that leaves will. Each time that it falls. */
int moehub_hub_top_link_fell(struct moehub_hub_top *hub, unsigned link);

/* ---- memory: way 0 .. links - 1, loop-back: links ------------------------------------------------------------------------ */

/* A burst whose address and data were all taken, in the order of addresses; `write` as the way's model has it: address of the
 * first beat's first byte. */
int moehub_hub_top_write(struct moehub_hub_top *hub, unsigned way, const struct moehub_way_write *write);
/* The oldest write's response; `error`: BRESP bit 1. */
int moehub_hub_top_written(struct moehub_hub_top *hub, unsigned way, bool error);

int moehub_hub_top_read(struct moehub_hub_top *hub, unsigned way, uint64_t address, unsigned beats);
/* All beats of the oldest read. */
int moehub_hub_top_data(struct moehub_hub_top *hub, unsigned way, const struct moehub_line_data *data);

int moehub_hub_top_list_read(struct moehub_hub_top *hub, enum moehub_hub_top_list id, uint64_t address);
int moehub_hub_top_list_data(struct moehub_hub_top *hub, enum moehub_hub_top_list id, struct moehub_flit data, bool error);

/* ---- table port: no two accesses of an entry are under way, so the address names them ------------------------------------ */

int moehub_hub_top_table_read(struct moehub_hub_top *hub, uint64_t address);
int moehub_hub_top_table_data(struct moehub_hub_top *hub, uint64_t address);
int moehub_hub_top_table_write(struct moehub_hub_top *hub, uint64_t address, uint32_t word);
int moehub_hub_top_table_written(struct moehub_hub_top *hub, uint64_t address);

/* ---- counters ------------------------------------------------------------------------------------------------------------ */

/* What the event of a window of the hub (MOEHUB_WINDOW_*) has counted since create, when nothing is inside. False: the model does
 * not know it. */
bool moehub_hub_top_counter(const struct moehub_hub_top *hub, unsigned window, unsigned event, uint64_t *value);

/* ---- error latches, interrupts (rtl/doc/registers.md section 3): of a window of the hub --------------------------------- */

/* Software has read a latch, at any time: what it holds stays. */
int moehub_hub_top_latch(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_offender *offender);

/* The rest when nothing is inside. Software has read a latch and freed it; INTERRUPT_STATUS and cleared what it read; it has
 * written INTERRUPT_MASK; it has read which windows ask for it. */
int moehub_hub_top_offender(struct moehub_hub_top *hub, unsigned window, const struct moehub_hub_offender *offender);
int moehub_hub_top_events(struct moehub_hub_top *hub, unsigned window, uint32_t events);
void moehub_hub_top_mask(struct moehub_hub_top *hub, unsigned window, uint32_t mask);
int moehub_hub_top_interrupts(struct moehub_hub_top *hub, uint32_t windows);

/* The pin interrupt_request has changed, at any time: it falls only when software has taken events or written a mask. */
void moehub_hub_top_interrupt(struct moehub_hub_top *hub, bool high);

#endif
