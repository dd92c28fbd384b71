/* SPDX-License-Identifier: Apache-2.0 */
/* Packet manager of a hub: rows out (rtl/doc/hub/packet_manager.md; RTL: moehub_packet_manager).
 *
 * The model has no cycles. It is told what the RTL did in the order in which it did it, and within a cycle in the order of
 * the page's section 12: lines made ready, stores at step 5 of their pipeline, lines locked, rows taken and decided, lines
 * discarded and freed, rows that leave, closes, commands. Timing chooses a row's entry and link, when a line becomes ready
 * without being whole, and which line leaves next: the model is given these choices and refuses what the page does not allow. It
 * decides all else, to the bit: reads of lists, statuses, handles, what the tracker expects, what a store does, packets,
 * pairs, closes, flags, counters below MOEHUB_PACKET_MANAGER_ORDER_EVENTS, what the error latch may hold. The order of
 * choices (lowest row first), loads of links, ages of lines and high-water marks are asserted by who knows the cycles.
 *
 * Functions that return bool: false, and nothing changed, if the RTL cannot have done that here. Numbers of contexts in
 * commands are below `contexts`, ways are 0..links - 1 the links, `links` the loop-back: who calls sees to it. Cost: below a
 * microsecond a store or packet. Memory: rows x 2^(offset_width - 7) buffers of 152 bytes, 622 kB by default, allocated in
 * create alone. */
#ifndef MOEHUB_PACKET_MANAGER_H
#define MOEHUB_PACKET_MANAGER_H

#include "moehub/defines.h"
#include "moehub/list_check.h"
#include "moehub/offenders.h"
#include "moehub/packet.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_PACKET_MANAGER_CONTEXTS_MAX 8
#define MOEHUB_PACKET_MANAGER_GPUS_MAX 64
#define MOEHUB_PACKET_MANAGER_ROWS_MAX 64
#define MOEHUB_LIST_READS_MAX (MOEHUB_TARGETS_MAX / MOEHUB_TARGETS_PER_FLIT)
#define MOEHUB_STORE_FLITS_MAX 14        /* header, 4 of targets, byte enables, 8 of payload */

/* Events below are functions of the order alone, and this model's. The rest is of reduces, or counts cycles. */
#define MOEHUB_PACKET_MANAGER_ORDER_EVENTS MOEHUB_PACKET_MANAGER_EVENT_REDUCES

/* The parameters of the hub that the packet manager has, and its own number. */
struct moehub_packet_manager_config {
    uint32_t links;              /* 1..4 */
    uint32_t gpus;               /* 2..64 */
    uint32_t contexts;           /* 1..8 */
    uint32_t local_expert_bits;  /* 0..8 */
    uint32_t max_targets;        /* 1..32 */
    uint32_t offset_width;       /* 7..16 */
    uint32_t address_width;      /* 32..64 */
    uint32_t rows;               /* 1..64: row entries */
    uint32_t lines;              /* 1..4096: line buffers */
    uint32_t store_bytes;        /* 16, 32, 64, 128 */
    uint32_t own;                /* below gpus */
};

/* What moehub_hub_contexts shows of a context: the caller writes it, between calls. The packet manager sets `closed` with
 * the last close, and `failed` where the RTL has its pulse; ADVANCE sets `clean` and clears closing, closed, failed. */
struct moehub_packet_manager_context {
    bool enabled;
    bool clean;                  /* whoever enables clears it; nothing flags a clean context */
    bool closing;                /* the caller sets it, before it tells of CLOSE or ABORT */
    bool closed;
    bool failed;                 /* flagged, by whomever: ABORT's flag is the caller's */
    uint8_t round;               /* 4 bits */
    uint8_t owner_shift;         /* 0..31 */
    uint32_t row_size;           /* bytes of a row of stage 0: a multiple of 16, up to 2^offset_width */
    uint64_t peers;              /* a bit a GPU */
};

/* What the stream `row` carries: any values. */
struct moehub_row {
    uint64_t address;            /* of the list; address_width bits */
    uint32_t row_index;
    uint16_t id;                 /* the list, if immediate */
    uint8_t context;             /* 3 bits */
    uint8_t count;               /* 6 bits */
    bool immediate;
};

/* Reads of 16 bytes that a row's list needs, in this order. */
struct moehub_list_reads {
    uint64_t address[MOEHUB_LIST_READS_MAX];
    unsigned count;
};

/* What became of a row: the fields of the stream `handle`, and with status OK those of `expect`. */
struct moehub_row_decision {
    uint32_t row_index;
    uint16_t handle;             /* 0 if it was refused */
    uint8_t status;              /* MOEHUB_STATUS_* */
    uint8_t context;             /* of expect, with the next two; 0 if it was refused */
    uint8_t count;
    uint16_t token;
};

/* What the stream `store` carries: any values. */
struct moehub_store {
    struct moehub_flit mask;     /* bit i: byte i of data is stored; 0 from store_bytes on */
    uint8_t data[MOEHUB_LINE_BYTES];
    uint16_t handle;
    uint16_t offset;             /* of data[0] in the row */
    bool nop;
};

enum moehub_store_outcome {
    MOEHUB_STORE_MERGED,         /* taken; also with nothing to store */
    MOEHUB_STORE_DROPPED,        /* taken, counted by its cause */
    MOEHUB_STORE_NO_SLOT,        /* it waits for a free line buffer */
    MOEHUB_STORE_LINE_BUSY       /* it waits until the buffer of its own line is free */
};

struct moehub_store_packet {
    struct moehub_flit flits[MOEHUB_STORE_FLITS_MAX];
    unsigned count;
};

enum moehub_kind { MOEHUB_KIND_UP, MOEHUB_KIND_LOOP, MOEHUB_KINDS };
enum moehub_line_state { MOEHUB_LINE_FREE, MOEHUB_LINE_FILLING, MOEHUB_LINE_READY, MOEHUB_LINE_LOCKED };
enum moehub_entry_state { MOEHUB_ENTRY_FREE, MOEHUB_ENTRY_OPENING, MOEHUB_ENTRY_OPEN };

/* The buffer of a line, if it has one. Bytes that the mask misses are 0. */
struct moehub_line_buffer {
    struct moehub_flit mask;
    uint8_t bytes[MOEHUB_LINE_BYTES];
    uint8_t state;               /* enum moehub_line_state */
    uint8_t kinds;               /* a bit a kind for which it has still to be locked or discarded */
    bool nop;
};

struct moehub_row_entry {
    struct moehub_row row;
    struct moehub_split_list targets;
    uint16_t ids[MOEHUB_TARGETS_MAX];    /* as they were read */
    uint32_t stored;             /* bytes */
    uint32_t resident;           /* line buffers */
    uint32_t sent[MOEHUB_KINDS]; /* packets */
    uint8_t state;               /* enum moehub_entry_state */
    uint8_t generation;
    uint8_t status;              /* while opening: what is known */
    uint8_t reads;
    uint8_t reads_came;
    uint8_t link;                /* with remote targets */
    bool aborted;                /* also after reset, and of a row that was refused: later stores flag nothing */
    bool stored_all;
};

/* How far the end of a context is. */
struct moehub_packet_manager_end {
    bool asked;                  /* CLOSE or ABORT was taken */
    uint32_t next;               /* no peer below it waits for its close; gpus: all were sent */
};

struct moehub_packet_manager {
    struct moehub_packet_manager_config config;
    struct moehub_packet_manager_context contexts[MOEHUB_PACKET_MANAGER_CONTEXTS_MAX];
    struct moehub_packet_manager_end ends[MOEHUB_PACKET_MANAGER_CONTEXTS_MAX];
    uint32_t pairs[MOEHUB_PACKET_MANAGER_CONTEXTS_MAX][MOEHUB_PACKET_MANAGER_GPUS_MAX];
    uint32_t rows_open[MOEHUB_PACKET_MANAGER_CONTEXTS_MAX];     /* entries that are not free */
    struct moehub_row_entry rows[MOEHUB_PACKET_MANAGER_ROWS_MAX];
    struct moehub_line_buffer *lines;    /* [rows << (offset_width - 7)]: an entry's lines stand together */
    uint32_t lines_used;
    uint8_t opening[MOEHUB_PACKET_MANAGER_ROWS_MAX];            /* ring: entries in the order of their rows */
    uint32_t opening_first;
    uint32_t opening_count;
    uint32_t line_timeout;       /* register LINE_TIMEOUT */
    bool rewriting;              /* the store that waits was counted as REWRITTEN */
    struct moehub_offenders offenders;                          /* what the error latch may hold */
    uint64_t counters[MOEHUB_PACKET_MANAGER_ORDER_EVENTS];      /* by MOEHUB_PACKET_MANAGER_EVENT_* */
};

/* ---- creation --------------------------------------------------------------------- */

/* The hub's defaults; own GPU 0. */
struct moehub_packet_manager_config moehub_packet_manager_config_default(void);

/* 0, or MOEHUB_E_ARGUMENT when a parameter is outside of its range. */
int moehub_packet_manager_config_check(const struct moehub_packet_manager_config *config);

/* The state after reset: contexts disabled and clean. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to
 * destroy. */
int moehub_packet_manager_create(struct moehub_packet_manager *manager, const struct moehub_packet_manager_config *config);
void moehub_packet_manager_destroy(struct moehub_packet_manager *manager);

/* ---- rows --------------------------------------------------------------------------- */

/* A row is taken, into a free entry. What must be read for it comes back in `reads`. */
bool moehub_packet_manager_row(struct moehub_packet_manager *manager, unsigned entry, const struct moehub_row *row,
                               struct moehub_list_reads *reads);

/* The data of the oldest read came; `error`: RRESP bit 1. */
bool moehub_packet_manager_list_data(struct moehub_packet_manager *manager, struct moehub_flit data, bool error);

/* The oldest row that is opening is decided; all its data have come. `link`: which it gets, of use if it opens and has remote
 * targets. */
bool moehub_packet_manager_decide(struct moehub_packet_manager *manager, unsigned link, struct moehub_row_decision *decision);

/* An open row has nothing left to send: it leaves, and its pairs count. The entry counts as free from here on; the RTL gives it
 * away, and sends closes of the context, once it has added up. */
bool moehub_packet_manager_leave(struct moehub_packet_manager *manager, unsigned entry);

/* ---- stores ------------------------------------------------------------------------- */

/* The oldest store is at step 5: at its first one, and at the one that takes it. One that waits changes nothing, but for a
 * byte that its line holds already: then the line becomes ready and the store is counted as REWRITTEN, once. Calls between the
 * first and the last change nothing. */
enum moehub_store_outcome moehub_packet_manager_store(struct moehub_packet_manager *manager, const struct moehub_store *store);

/* The hand made a line ready that was filling: its row has ended, its time was up, or a store waited for its buffer. */
bool moehub_packet_manager_make_ready(struct moehub_packet_manager *manager, unsigned entry, unsigned line);

/* A line buffer became free: it was read or discarded for each kind of its row, or it was filling and its row is aborted. */
bool moehub_packet_manager_free_line(struct moehub_packet_manager *manager, unsigned entry, unsigned line);

/* ---- packets ------------------------------------------------------------------------ */

/* A line was chosen for the way and is locked: `packet` is what leaves. Each way sends packets in the order of their locks. */
bool moehub_packet_manager_lock(struct moehub_packet_manager *manager, unsigned way, unsigned entry, unsigned line,
                                struct moehub_store_packet *packet);

/* A line of an aborted row is not sent by the kind. */
bool moehub_packet_manager_discard(struct moehub_packet_manager *manager, enum moehub_kind kind, unsigned entry, unsigned line);

/* ---- the end of a context ----------------------------------------------------------- */

/* CLOSE was taken. */
void moehub_packet_manager_close(struct moehub_packet_manager *manager, unsigned context);

/* ABORT was taken. */
void moehub_packet_manager_abort(struct moehub_packet_manager *manager, unsigned context);

/* The context's next close was taken by a notice way: to GPU OFFSET of its header. With the last one the context is closed. */
bool moehub_packet_manager_next_close(struct moehub_packet_manager *manager, unsigned context, struct moehub_flit *close);

/* ADVANCE, whole. No entry of the context is in use. */
void moehub_packet_manager_advance(struct moehub_packet_manager *manager, unsigned context);

/* ---- registers, questions ------------------------------------------------------------- */

/* A command of the block's own window: 4 bits, and COMMAND_DATA. False: refused. */
bool moehub_packet_manager_command(struct moehub_packet_manager *manager, unsigned operation, uint32_t data);

/* The buffer of a line of an entry; state MOEHUB_LINE_FREE: it has none. entry and line in range. */
static inline const struct moehub_line_buffer *moehub_packet_manager_line(const struct moehub_packet_manager *manager,
                                                                         unsigned entry, unsigned line)
{
    return &manager->lines[((size_t)entry << (manager->config.offset_width - 7)) + line];
}

#endif
