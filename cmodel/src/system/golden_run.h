/* SPDX-License-Identifier: Apache-2.0 */
/* A golden run's state, shared by its parts: lookups (hubs), switch (reduction buffers), sums (elements). */
#ifndef MOEHUB_GOLDEN_RUN_H
#define MOEHUB_GOLDEN_RUN_H

#include "system/golden_hubs.h"

#include "moehub/layer_driver.h"

#include <stdio.h>

#define GOLDEN_BATCH 1024

/* One packet's elements, of any type. */
union golden_payload {
    uint8_t bytes[MOEHUB_LENGTH_MAX];
    uint16_t halves[MOEHUB_LENGTH_MAX / 2];
    uint32_t words[MOEHUB_LENGTH_MAX / 4];
};

/* A combine request on its way. */
struct golden_request {
    const struct moehub_packet *packet;
    const struct golden_place *places;   /* [topk]: what the targets' read addresses name */
    struct moehub_reduction_grant grant;
};

/* A lookup to be made: a target of a packet of the batch. */
struct golden_lookup {
    uint16_t packet;
    uint16_t target;
};

struct golden {
    const struct moehub_layer *layer;
    const struct moehub_golden_options *options;
    struct moehub_golden_report *report;
    struct golden_hubs hubs;
    struct moehub_reduction_buffer *buffers;   /* [gpus]: of the port to each GPU; NULL without the switch */
    struct moehub_packets *packets;            /* of the present stage */
    struct moehub_packet *batch;               /* [GOLDEN_BATCH] */
    struct golden_request *requests;           /* [GOLDEN_BATCH] */
    struct golden_place *places;               /* [GOLDEN_BATCH * topk]: what the answers' addresses name */
    struct golden_lookup *sorted;              /* [GOLDEN_BATCH * topk]: the batch's lookups, by GPU */
    uint32_t *starts;                          /* [gpus + 1]: where each GPU's begin in it */
    uint32_t *next;                            /* [gpus + 1]: of the sorting */
    struct moehub_arithmetic arithmetic;
    uint64_t lookups;
    uint64_t fault_at;                         /* lookup to spoil */
    bool fault_done;
    uint64_t done;                             /* packets of the sources, both stages */
    uint64_t total;
};

/* ---- verdicts: golden.c -------------------------------------------------------------- */

/* Counts a failed check and keeps the first one's sentence. */
void golden_fail(struct golden *golden, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether the deliberate error `kind` is due; it happens once. */
bool golden_fault_due(struct golden *golden, enum moehub_golden_fault kind);

/* ---- lookups: golden_lookups.c ------------------------------------------------------- */

/* All lookups of a batch, checked; golden->places receives what the answers' addresses name. */
void golden_look_up(struct golden *golden, size_t count, unsigned stage);

/* ---- elements: golden_sums.c --------------------------------------------------------- */

/* Every target of a dispatched packet: what lies at the place that its address names must be what belongs there. */
void golden_check_writes(struct golden *golden, const struct moehub_packet *packet, const struct golden_place *places);

/* What GPU `gpu` sends for a request, from the places that its read addresses name. */
void golden_partial(struct golden *golden, const struct golden_request *request, unsigned gpu, union golden_payload *sum);

/* The partial that GPU `gpu` sends, the switch's sum, and what the owner makes of it (`remote` NULL: nothing came) must
 * be what the definition gives for the true rows. */
void golden_check_partial(struct golden *golden, const struct golden_request *request, unsigned gpu, const void *partial);
void golden_check_result(struct golden *golden, const struct golden_request *request, const void *result);
void golden_check_owner(struct golden *golden, const struct golden_request *request, const void *remote);

/* ---- the switch: golden_switch.c ----------------------------------------------------- */

/* A reduction buffer for every port. 0, MOEHUB_E_MEMORY or MOEHUB_E_ARGUMENT. */
int golden_switch_create(struct golden *golden);
void golden_switch_destroy(struct golden *golden);

/* The requests of a batch whose targets have been looked up, through the buffers. */
void golden_switch_combine(struct golden *golden, size_t count);

/* The configuration of a port's buffer. */
struct moehub_reduction_buffer_config golden_switch_config(unsigned gpus, const struct moehub_golden_options *options);

#endif
