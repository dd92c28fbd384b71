/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of the hub, and the commands of its control window (rtl/doc/hub/hub.md, section 4; RTL: moehub_hub_contexts).
 *
 * Told: in which cycle a command is taken, what the other blocks say of its context then, their pulses, and when both have taken
 * an ADVANCE. It decides: why a command is refused, the state, what is told to tile tracker and packet manager, the result,
 * counters, what the error latch may hold. All that comes in one cycle acts on the state before it. */
#ifndef MOEHUB_HUB_CONTEXTS_H
#define MOEHUB_HUB_CONTEXTS_H

#include "moehub/hub.h"
#include "moehub/offenders.h"

enum { MOEHUB_HUB_CONTEXTS_MOST = 8 };

struct moehub_hub_contexts_config {
    uint32_t own; /* GPU */
    uint32_t gpus;
    uint32_t contexts;
    uint32_t local_experts;
    uint32_t row_index_width;
    uint32_t slot_width;
    uint32_t address_width;
    uint32_t tiles;
    uint32_t tokens;
};

/* As `moehub_hub_top` is built by default, of GPU 0. */
struct moehub_hub_contexts_config moehub_hub_contexts_config_default(void);

struct moehub_hub_context {
    bool enabled, clean, closing, closed, arrived, failed;
    bool counts_tokens;
    uint16_t given; /* bit n: command n was accepted since reset, n of 0 to 6 */
    uint8_t round;
    uint8_t owner_shift;
    uint8_t list_shift;
    uint8_t tile_shift;
    uint8_t blocks[2]; /* of GEMM-1, GEMM-2 */
    uint32_t token_first;
    uint32_t tile_first, tile_count;
    uint32_t arrival_timeout, token_timeout;
    uint64_t peers;
    uint64_t list_base;
};

/* Why a command is refused: the first in this order. */
enum moehub_hub_refusal {
    MOEHUB_HUB_ACCEPTED,
    MOEHUB_HUB_REFUSED_OPERATION, /* there is none of that number */
    MOEHUB_HUB_REFUSED_CONTEXT,   /* likewise */
    MOEHUB_HUB_REFUSED_NOT_CLEAN,
    MOEHUB_HUB_REFUSED_OWN_NO_PEER,
    MOEHUB_HUB_REFUSED_OWNER_ROWS,
    MOEHUB_HUB_REFUSED_OWNER_TOKENS,
    MOEHUB_HUB_REFUSED_LIST_SHIFT,
    MOEHUB_HUB_REFUSED_LIST_SIZE,
    MOEHUB_HUB_REFUSED_LIST_UNALIGNED,
    MOEHUB_HUB_REFUSED_LIST_BEYOND,
    MOEHUB_HUB_REFUSED_TILE_SHIFT,
    MOEHUB_HUB_REFUSED_TILES,
    MOEHUB_HUB_REFUSED_EXPERT,
    MOEHUB_HUB_REFUSED_REGION_TILES,
    MOEHUB_HUB_REFUSED_REGION_SLOTS,
    MOEHUB_HUB_REFUSED_NO_BLOCKS,
    MOEHUB_HUB_REFUSED_NO_TIMEOUT,
    MOEHUB_HUB_REFUSED_LONG_TIMEOUT,
    MOEHUB_HUB_REFUSED_ADDRESS_DISABLED,
    MOEHUB_HUB_REFUSED_NOT_GIVEN,
    MOEHUB_HUB_REFUSED_ENABLED,
    MOEHUB_HUB_REFUSED_IN_FLIGHT,
    MOEHUB_HUB_REFUSED_DISABLED,
    MOEHUB_HUB_REFUSED_CLOSING,
    MOEHUB_HUB_REFUSED_CLEAN,
    MOEHUB_HUB_REFUSED_CLOSED,
    MOEHUB_HUB_REFUSALS
};

/* What other blocks say of the context that a command names, in the cycle in which it is taken. */
struct moehub_hub_seen {
    bool address_enabled;
    bool in_flight;    /* in some block; that it is closing and not closed the model knows */
    uint32_t rows;     /* entries of the packet manager that are not free */
    uint64_t complete; /* peers whose pairs were all handled */
};

/* One cycle. Sets have a bit a context. */
struct moehub_hub_cycle {
    const struct moehub_hub_command *command; /* the one that is taken, or NULL; MOEHUB_HUB_CONTROL_COMMAND_* */
    struct moehub_hub_seen seen;
    uint32_t closed, arrived, failed; /* pulses */
    uint32_t advanced;                /* the context whose ADVANCE both have taken */
};

/* An item of the stream to the tile tracker, of that to the packet manager. */
struct moehub_hub_set {
    bool valid;
    uint8_t what; /* 0 clear the regions, 1 a region, 2 ADVANCE */
    uint8_t context;
    uint16_t expert;
    uint16_t first;
    uint32_t count;
};

struct moehub_hub_end {
    bool valid;
    uint8_t what; /* 0 CLOSE, 1 ABORT, 2 ADVANCE */
    uint8_t context;
};

/* What a cycle brought. Without a command `refusal` is MOEHUB_HUB_ACCEPTED, and nothing is told. */
struct moehub_hub_outcome {
    enum moehub_hub_refusal refusal;
    struct moehub_hub_result result;
    struct moehub_hub_set set;
    struct moehub_hub_end end;
    bool became_failed, became_arrived; /* some context */
};

struct moehub_hub_contexts {
    struct moehub_hub_contexts_config config;
    struct moehub_hub_context contexts[MOEHUB_HUB_CONTEXTS_MOST];
    uint64_t counters[MOEHUB_HUB_CONTROL_EVENTS]; /* by MOEHUB_HUB_CONTROL_EVENT_* */
    struct moehub_offenders offenders;
};

/* As after reset. 0; MOEHUB_E_MEMORY; MOEHUB_E_ARGUMENT when a parameter is not legal. */
int moehub_hub_contexts_create(struct moehub_hub_contexts *contexts, const struct moehub_hub_contexts_config *config);
void moehub_hub_contexts_destroy(struct moehub_hub_contexts *contexts);

/* What a command would meet in this state. */
enum moehub_hub_refusal moehub_hub_contexts_judge(const struct moehub_hub_contexts *contexts,
                                                  const struct moehub_hub_command *command, const struct moehub_hub_seen *seen);

struct moehub_hub_outcome moehub_hub_contexts_step(struct moehub_hub_contexts *contexts, const struct moehub_hub_cycle *cycle);

/* A clean context is in no round: not enabled, closing, closed, arrived or failed. */
bool moehub_hub_contexts_is_valid(const struct moehub_hub_contexts *contexts);

#endif
