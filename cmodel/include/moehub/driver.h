/* SPDX-License-Identifier: Apache-2.0 */
/* Driver of a hub: the order of register writes that a layer needs (rtl/doc/hub/driver.md).
 *
 * A bus is the caller's: two functions over AXI4-Lite, or over mapped registers. The driver owns no memory; tables, lists, rows
 * are the caller's. Calls of one hub are not thread safe.
 *
 * Every call returns 0 or:
 *   MOEHUB_E_ARGUMENT   what it was given cannot be: nothing was written
 *   MOEHUB_E_BUS        the bus had an error (SLVERR: no such register, or a command is busy)
 *   MOEHUB_E_REFUSED    the hub refused a command
 *   MOEHUB_E_TIMEOUT    `polls` reads, and what is waited for has not come
 *   MOEHUB_E_CLEAR      moehub_context_start: the AL table must be zeroed, then moehub_context_clear, then start again
 * with a sentence in hub->message that names the register or command and what to do. */
#ifndef MOEHUB_DRIVER_H
#define MOEHUB_DRIVER_H

#include "moehub/error.h"

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_DRIVER_LINKS_MAX 4u
#define MOEHUB_DRIVER_WINDOW_BYTES 0x1000u

/* Windows of a hub (rtl/doc/hub/hub.md section 7). */
enum {
    MOEHUB_WINDOW_CONTROL = 0,
    MOEHUB_WINDOW_ADDRESS_PATH = 1,
    MOEHUB_WINDOW_TILE_TRACKER = 2,
    MOEHUB_WINDOW_PACKET_MANAGER = 3,
    MOEHUB_WINDOW_WAY = 4,          /* of way 0; way LINKS is the loop-back */
    MOEHUB_WINDOW_FINAL_REDUCE = 9  /* of link 0 */
};

struct moehub_bus {
    void *user;
    int (*write)(void *user, uint32_t address, uint32_t data);  /* 0, or anything else: an error */
    int (*read)(void *user, uint32_t address, uint32_t *data);
};

/* What a hub was built with: its PARAMETER registers. */
struct moehub_hub_shape {
    uint32_t links, gpus, contexts, local_expert_bits, local_experts, max_targets, request_lines, row_index_width, slot_width,
        offset_width, address_width, tiles, tokens, rows, lines, store_bytes, final_groups;
};

struct moehub_hub {
    struct moehub_bus bus;
    unsigned own;                     /* GPU */
    uint32_t polls;                   /* reads at most while something is waited for */
    struct moehub_hub_shape shape;
    struct moehub_message message;    /* of the last error */
};

/* What all rounds of a context have in common. */
struct moehub_context_shape {
    uint64_t table;            /* AL table: 4 bytes for each local expert and row, zeroed; 4-byte aligned */
    uint32_t row_bytes[2];     /* dispatched, combined: multiples of 16, 1 .. 2^OFFSET_WIDTH */
    uint64_t peers;            /* a bit a GPU, the own one too */
    unsigned owner_shift;      /* a GPU has 2^owner_shift rows */
    bool counts_tokens;        /* false: dispatch without combine */
    uint32_t token_first;      /* of the hub's TOKENS */
    uint64_t list;             /* row list (hub.md section 5), aligned to its size */
    unsigned list_shift;
    unsigned tile_shift;       /* a tile has 2^tile_shift rows, 0..12 */
    uint32_t tile_first, tile_count;  /* of the hub's TILES */
    uint8_t blocks[2];         /* thread blocks of a tile: `done` of stage 0, of stage 1; 1 .. 255 */
    uint32_t arrival_timeout, token_timeout;  /* cycles after the own close, 1 .. 2^31 */
};

/* One local expert. */
struct moehub_hub_region {
    uint64_t base[2];          /* of both stages: multiples of 128 */
    uint32_t capacity;         /* slots; 0: absent */
    uint32_t tile_first, tile_count;  /* relative to the context's first */
};

struct moehub_context_state {
    bool enabled, clean, closing, closed, arrived, failed, in_flight;
    uint64_t missing;          /* peers that have not arrived */
    uint32_t rows_open;
};

/* Reads ID, VERSION and PARAMETER, and waits until the hub is initialised. */
int moehub_hub_open(struct moehub_hub *hub, const struct moehub_bus *bus, unsigned own, uint32_t polls);

/* Cycles until a line that is not whole is sent (1..32768), and until a sum that misses a part ends (1 ..). */
int moehub_hub_timeouts(struct moehub_hub *hub, uint32_t line, uint32_t final);

/* Once a context, while it is disabled and clean; after it a region for each local expert. */
int moehub_context_create(struct moehub_hub *hub, unsigned context, const struct moehub_context_shape *shape);
int moehub_region_bind(struct moehub_hub *hub, unsigned context, unsigned expert, const struct moehub_hub_region *region);

/* The caller has zeroed the AL table. */
int moehub_context_clear(struct moehub_hub *hub, unsigned context);

/* A round begins, the same on all peers. `cleared` says that moehub_context_clear was the last call of this context. */
int moehub_context_start(struct moehub_hub *hub, unsigned context, unsigned round, bool cleared);

/* No more rows come; or: what is open is dropped, too. */
int moehub_context_close(struct moehub_hub *hub, unsigned context);
int moehub_context_abort(struct moehub_hub *hub, unsigned context);

/* The round is over for all: afterwards the context may be bound anew, or start again. Rows that are still open are aborted. */
int moehub_context_stop(struct moehub_hub *hub, unsigned context);

int moehub_context_state(struct moehub_hub *hub, unsigned context, struct moehub_context_state *state);

#endif
