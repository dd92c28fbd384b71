/* SPDX-License-Identifier: Apache-2.0 */
/* All hubs of a golden run, each with the knowledge that turns an address back into the row that lies there. */
#ifndef MOEHUB_GOLDEN_HUBS_H
#define MOEHUB_GOLDEN_HUBS_H

#include "moehub/address_path.h"
#include "moehub/golden.h"

struct golden_hub {
    struct moehub_address_path path;
    uint64_t *bases;       /* [local experts]: region bases */
    uint32_t *capacities;
    uint32_t *announced;   /* rows announced so far */
    uint32_t *firsts;      /* where the region's slots start in `rows` */
    uint32_t *rows;        /* row that owns each slot */
    unsigned locals;
};

struct golden_hubs {
    const struct moehub_layer *layer;
    struct golden_hub *list;  /* [gpus] */
    unsigned stride;          /* log2 of the distance of regions */
    uint32_t row_size;
    unsigned slot_width;
};

/* What an address names. */
struct golden_place {
    uint32_t local;
    uint32_t slot;
    uint32_t row;
    uint32_t offset;
};

/* Experts on the GPU that has most, at least 1. */
uint32_t golden_hubs_most_experts(const struct moehub_layer *layer);

/* Sets the parameters of a hub that the run's options name. */
void golden_hubs_configure(struct moehub_address_path_config *config, const struct moehub_golden_options *options);

/* After the options were checked: 0, MOEHUB_E_LIMIT with a sentence, or MOEHUB_E_MEMORY. */
int golden_hubs_create(struct golden_hubs *hubs, const struct moehub_layer *layer,
                       const struct moehub_golden_options *options, struct moehub_message *message);
void golden_hubs_destroy(struct golden_hubs *hubs);

/* A row was announced to a region: what the address of the answer must name from now on. */
void golden_hub_announce(struct golden_hub *hub, unsigned local, uint32_t row);

/* Turns an address back. False: it lies in no announced slot. */
bool golden_hub_place(const struct golden_hubs *hubs, const struct golden_hub *hub, uint64_t address,
                      struct golden_place *place);

/* Whether every region is full and the table image holds exactly the slots handed out. */
bool golden_hub_table_matches(const struct golden_hubs *hubs, const struct golden_hub *hub);

#endif
