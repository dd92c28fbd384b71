/* SPDX-License-Identifier: Apache-2.0 */
/* Tile tracker of a hub: what has arrived and what has been computed (rtl/doc/hub/tile_tracker.md; RTL:
 * moehub_tile_tracker).
 *
 * The model has no cycles. It is told the operations of each pipeline (tiles, arrival, tokens) in the order in which the
 * pipeline took them, which event `ready` offers next, and when timers end and sweeps go on; a completed record is one
 * operation of tiles and arrival both. Between the pipelines one order matters: what flags a context, up to the cycle in
 * which its *all arrived* is offered, is told before that event. Equal to the RTL to the bit: every event and notify,
 * every word that a command reads, every counter below MOEHUB_TILE_TRACKER_ORDER_EVENTS. High-water marks and the other
 * counters depend on cycles.
 *
 * Contexts are named by their number, below `contexts` of the configuration; experts are local, below `local_experts`;
 * GPUs below `gpus`: who calls sees to it, but for `done`, which checks. Functions that return bool: false, and nothing
 * changed, if the RTL cannot have done that here. Cost: some 10 ns an operation; ADVANCE goes through the ranges of its
 * context. No allocation after create. */
#ifndef MOEHUB_TILE_TRACKER_H
#define MOEHUB_TILE_TRACKER_H

#include "moehub/defines.h"
#include "moehub/offenders.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_TILE_TRACKER_CONTEXTS_MAX 8
#define MOEHUB_TILE_TRACKER_GPUS_MAX 64
#define MOEHUB_TILE_TRACKER_TILES_AHEAD 16 /* tiles in the notify machine */

/* Events below are functions of the order alone. The rest counts cycles. */
#define MOEHUB_TILE_TRACKER_ORDER_EVENTS MOEHUB_TILE_TRACKER_EVENT_COMPLETED_STALLED

/* The parameters of the hub that the tracker has, and its own number. */
struct moehub_tile_tracker_config {
    uint32_t gpus;               /* 2..64 */
    uint32_t contexts;           /* 1..8 */
    uint32_t local_experts;      /* 1..256 */
    uint32_t address_width;      /* 32..64 */
    uint32_t tiles;              /* 1..65536 */
    uint32_t tokens;             /* 1..65536 */
    uint32_t own;                /* below gpus */
};

/* What moehub_hub_contexts shows of a context: the caller writes it, between calls. The tracker sets `arrived` and
 * `failed` where the RTL has its pulses, and `closed` when it is told; ADVANCE clears the three and sets `clean`. */
struct moehub_tile_tracker_context {
    bool enabled;
    bool clean;                  /* whoever enables clears it; nothing flags a clean context */
    bool closed;                 /* the own closes were sent */
    bool arrived;
    bool failed;                 /* flagged, by whomever: the caller sets it for the other blocks */
    bool tokens;                 /* tokens are counted */
    uint8_t round;               /* 4 bits */
    uint8_t owner_shift;         /* 0..31 */
    uint8_t tile_shift;          /* 0..12 */
    uint8_t list_shift;          /* 0..31 */
    uint8_t computed_blocks;     /* 1..255 */
    uint8_t finished_blocks;     /* 1..255 */
    uint16_t tile_first;         /* tile_first + tile_count <= tiles */
    uint16_t token_first;        /* with `tokens`: token_first + 2^owner_shift <= tokens of the configuration */
    uint32_t tile_count;
    uint32_t row_size;           /* bytes of a row of stage 0, up to 65536 */
    uint64_t peers;              /* a bit a GPU */
    uint64_t list_base;
};

/* A completed write, or pairs that were refused, of a way. */
struct moehub_completed {
    uint32_t slot;               /* 31 bits; of REFUSED nothing */
    uint8_t kind;                /* MOEHUB_COMPLETED_* */
    uint8_t context;
    uint8_t source;              /* GPU */
    uint8_t expert;              /* of REFUSED nothing */
    uint8_t value;               /* BYTES: bytes, 0..128; REFUSED: pairs */
    bool error;                  /* of the B response; REFUSED: false */
};

struct moehub_ready_event {
    uint8_t kind;                /* MOEHUB_READY_* */
    bool failed;
    uint8_t context;
    uint8_t round;
    uint16_t expert;             /* 0 where the kind has none */
    uint16_t rows;
    uint32_t name;               /* tile of its region, row index, or 0 */
};

enum moehub_tile_state { MOEHUB_TILE_FILLING, MOEHUB_TILE_READY, MOEHUB_TILE_COMPUTED, MOEHUB_TILE_FINISHED };
enum moehub_token_state { MOEHUB_TOKEN_NONE, MOEHUB_TOKEN_OPEN, MOEHUB_TOKEN_TOLD };

struct moehub_tile {
    int32_t balance;             /* bytes; 31 bits, signed */
    uint16_t rows;               /* 0..2^tile_shift */
    uint8_t computed;            /* thread blocks that ended */
    uint8_t finished;
    uint8_t state;               /* enum moehub_tile_state */
    bool flagged;
};

struct moehub_token {
    uint8_t left;                /* notifies; 6 bits */
    uint8_t state;               /* enum moehub_token_state */
    bool failed;
};

/* Pairs of one peer in one context. */
struct moehub_arrival {
    uint32_t handled;            /* modulo 2^32 */
    uint32_t announced;
    bool closed;
    bool complete;
};

struct moehub_region_tiles {
    uint32_t first;              /* relative to the context's first */
    uint32_t count;
};

/* Rings of a context: the first three have the numbers of their events' kinds. */
enum moehub_tile_tracker_ring {
    MOEHUB_RING_READY,
    MOEHUB_RING_COMPUTED,
    MOEHUB_RING_TOKEN,
    MOEHUB_RING_NOTIFY,
    MOEHUB_RINGS
};

struct moehub_ring_word {
    uint16_t number;             /* tile of its region, or token */
    uint8_t expert;
    bool failed;                 /* of a token */
};

/* How far a context is, beside what it shows. All zero after ADVANCE. */
struct moehub_tile_tracker_progress {
    uint32_t written[MOEHUB_RINGS];  /* words, since ADVANCE */
    uint32_t read[MOEHUB_RINGS];
    bool settling;               /* SETTLE has begun */
    bool by_timer;
    bool settled;                /* and its last operation was taken */
    bool told;                   /* all arrived was offered */
    bool region_ended;           /* SETTLE's last operation found no tile */
    uint32_t settle_expert;      /* of SETTLE's next operation */
    uint32_t settle_tile;
    bool expiring;               /* EXPIRE has begun */
    uint32_t expire_token;       /* of its next operation */
};

/* A tile in the notify machine. */
struct moehub_tile_tracker_notifying {
    uint32_t slot;               /* next of the expert's */
    uint16_t left;               /* words, at least one */
    uint8_t context;
    uint8_t expert;
    bool flagged;
};

struct moehub_tile_tracker {
    struct moehub_tile_tracker_config config;
    struct moehub_tile_tracker_context contexts[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    struct moehub_tile_tracker_progress progress[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    struct moehub_arrival arrivals[MOEHUB_TILE_TRACKER_CONTEXTS_MAX][MOEHUB_TILE_TRACKER_GPUS_MAX];
    struct moehub_region_tiles *regions;                 /* [contexts * local_experts] */
    struct moehub_tile *tile;                            /* [tiles] */
    struct moehub_token *token;                          /* [tokens] */
    struct moehub_ring_word *rings[MOEHUB_RINGS];        /* [tiles], of tokens [tokens]; a context's from its first on */
    struct moehub_tile_tracker_notifying notifying[MOEHUB_TILE_TRACKER_TILES_AHEAD]; /* [0]: whose owners are being told */
    unsigned notifying_count;
    struct moehub_offenders offenders;                   /* what the error latch may hold */
    uint64_t counters[MOEHUB_TILE_TRACKER_ORDER_EVENTS]; /* by MOEHUB_TILE_TRACKER_EVENT_*; registers show 48 bits */
};

/* ---- creation --------------------------------------------------------------------- */

/* The hub's defaults; own GPU 0. */
struct moehub_tile_tracker_config moehub_tile_tracker_config_default(void);

/* 0, or MOEHUB_E_ARGUMENT when a parameter is outside of its range. */
int moehub_tile_tracker_config_check(const struct moehub_tile_tracker_config *config);

/* The state after reset: contexts disabled, clean, without regions. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure
 * nothing is left to destroy. */
int moehub_tile_tracker_create(struct moehub_tile_tracker *tracker, const struct moehub_tile_tracker_config *config);
void moehub_tile_tracker_destroy(struct moehub_tile_tracker *tracker);

/* ---- stream `set`: only while the context is disabled, and nothing of it in flight ---- */

/* TILES_SET, LIST_SET: the context's regions have no tiles. */
void moehub_tile_tracker_clear_regions(struct moehub_tile_tracker *tracker, unsigned context);

/* REGION_TILES_SET. 0, or MOEHUB_E_ARGUMENT, and nothing changed, where the command is refused. */
int moehub_tile_tracker_set_region(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t first,
                                   uint32_t count);

/* ADVANCE, whole. A command that reads during its sweep may see either round: compare none there. */
void moehub_tile_tracker_advance(struct moehub_tile_tracker *tracker, unsigned context);

/* ---- tiles and arrival ---------------------------------------------------------------- */

void moehub_tile_tracker_completed(struct moehub_tile_tracker *tracker, const struct moehub_completed *record);

/* A thread block ended: 3 bits, 16, 32, 1, any value. stage 0: GEMM-1, 1: GEMM-2. */
void moehub_tile_tracker_done(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t tile,
                              unsigned stage);

/* A peer's close. */
void moehub_tile_tracker_close(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, uint32_t count);

/* The pulse: the context's own closes were sent. */
void moehub_tile_tracker_closed(struct moehub_tile_tracker *tracker, unsigned context);

/* The context has arrived and nothing of it is in flight: its SETTLE begins. */
bool moehub_tile_tracker_settle_begins(struct moehub_tile_tracker *tracker, unsigned context);

/* The arrival timer ended before that: SETTLE begins so. */
bool moehub_tile_tracker_arrival_timeout(struct moehub_tile_tracker *tracker, unsigned context);

/* An operation of SETTLE. From expert 0, tile 0 on; after one that finds no tile (tile >= the region's count) the next
 * expert's first, or further ones that find none. The first of those in the last region ends the sweep. */
bool moehub_tile_tracker_settle(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t tile);

/* ---- tokens --------------------------------------------------------------------------- */

/* An own row is opened: token below 2^owner_shift; count 1..32. */
void moehub_tile_tracker_expect(struct moehub_tile_tracker *tracker, unsigned context, uint32_t token, unsigned count);

void moehub_tile_tracker_notify(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, uint32_t row_index,
                                bool failed);

/* The token timer ended: EXPIRE begins. False, too, of a context that counts no tokens, where none does. */
bool moehub_tile_tracker_token_timeout(struct moehub_tile_tracker *tracker, unsigned context);

/* An operation of EXPIRE: tokens 0, 1 .. 2^owner_shift - 1. */
bool moehub_tile_tracker_expire(struct moehub_tile_tracker *tracker, unsigned context, uint32_t token);

/* ---- what goes out ---------------------------------------------------------------------- */

/* The next event of the context and kind. Tile ready and tile computed: told when the LOOK takes its turn of the tiles'
 * pipeline; the others when they are offered. False: there is none. */
bool moehub_tile_tracker_ready(struct moehub_tile_tracker *tracker, unsigned kind, unsigned context,
                               struct moehub_ready_event *event);

/* The LOOK of the notify machine: it takes the next tile of the context's ring, to be told after those that it has. False:
 * there is none, or the machine has TILES_AHEAD. */
bool moehub_tile_tracker_take_finished(struct moehub_tile_tracker *tracker, unsigned context);

/* Byte address of the next word that the machine tells, while it has a tile. A read is of the 16 bytes around it, one for all
 * words of a tile that lie in them. */
uint64_t moehub_tile_tracker_list_address(const struct moehub_tile_tracker *tracker);

/* That word came; `error`: of its read's RRESP. True: `notify` is sent to GPU OFFSET of its header; false: it is not (cause
 * LIST), or the machine has no tile. */
bool moehub_tile_tracker_list_word(struct moehub_tile_tracker *tracker, uint32_t row_index, bool error,
                                   struct moehub_flit *notify);

/* Output `notifying`: the context has tiles whose owners are to be told. */
static inline bool moehub_tile_tracker_is_notifying(const struct moehub_tile_tracker *tracker, unsigned context)
{
    const struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    for (unsigned i = 0; i < tracker->notifying_count; i++)
        if (tracker->notifying[i].context == context)
            return true;
    return progress->written[MOEHUB_RING_NOTIFY] != progress->read[MOEHUB_RING_NOTIFY];
}

/* ---- commands ---------------------------------------------------------------------------- */

/* At its turn of its pipeline. `context` is PEER_GET's alone, any value. False: refused, data are 0. */
bool moehub_tile_tracker_command(const struct moehub_tile_tracker *tracker, unsigned operation, unsigned context,
                                 uint32_t index, uint64_t data[2]);

#endif
