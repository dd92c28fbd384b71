/* SPDX-License-Identifier: Apache-2.0 */
#include "system/golden_hubs.h"

#include "moehub/integer.h"

#include <stdlib.h>

/* Regions lie a power of two apart, so that an address names its region by a shift. Each starts at a place of its own
 * in that distance: an address computed from a neighbour's base is wrong. */
#define TABLE_BASE UINT64_C(0x100000)
#define REGIONS_BASE (UINT64_C(1) << 40)
#define SKEW_STEP 4368u
#define SKEW_MAX (SKEW_STEP * 64)

static unsigned locals_of(const struct moehub_layer *layer, unsigned gpu)
{
    return layer->placement.local_counts[gpu];
}

static uint64_t region_origin(const struct golden_hubs *hubs, unsigned local)
{
    return REGIONS_BASE + ((uint64_t)local << hubs->stride);
}

/* ---- creation ----------------------------------------------------------------- */

/* Rows that each region will receive. */
static void count_rows(struct golden_hubs *hubs)
{
    const struct moehub_layer *layer = hubs->layer;
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        if (!moehub_layer_row_exists(layer, row))
            continue;
        const struct moehub_target *targets = moehub_layer_targets(layer, row);
        for (unsigned i = 0; i < layer->topk; i++)
            // Every GPU's are allocated. NOLINTNEXTLINE(clang-analyzer-core.NullDereference)
            hubs->list[targets[i].gpu].capacities[targets[i].local]++;
    }
}

static uint32_t largest_capacity(const struct golden_hubs *hubs)
{
    uint32_t largest = 0;
    for (unsigned gpu = 0; gpu < hubs->layer->gpus; gpu++)
        for (unsigned local = 0; local < hubs->list[gpu].locals; local++)
            largest = (uint32_t)moehub_larger(largest, hubs->list[gpu].capacities[local]);
    return largest;
}

uint32_t golden_hubs_most_experts(const struct moehub_layer *layer)
{
    uint32_t largest = 1;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        largest = (uint32_t)moehub_larger(largest, locals_of(layer, gpu));
    return largest;
}

static void widen(uint32_t *parameter, uint32_t least)
{
    if (*parameter < least)
        *parameter = least;
}

void golden_hubs_configure(struct moehub_address_path_config *config, const struct moehub_golden_options *options)
{
    config->sets = options->sets;
    config->ways = options->ways;
    config->replacement = options->replacement;
    config->ports = options->ports;
}

/* The default configuration, widened where the layer needs it. */
static struct moehub_address_path_config config_of(const struct golden_hubs *hubs,
                                                   const struct moehub_golden_options *options)
{
    const struct moehub_layer *layer = hubs->layer;
    const struct moehub_layer_needs needs = moehub_layer_needs(layer);
    struct moehub_address_path_config config = moehub_address_path_config_default();
    golden_hubs_configure(&config, options);
    widen(&config.gpus, needs.gpus);
    widen(&config.local_experts, golden_hubs_most_experts(layer));
    widen(&config.row_index_width, needs.row_index_width);
    widen(&config.slot_width, moehub_log2_ceiling((uint64_t)largest_capacity(hubs) + 1));
    widen(&config.offset_width, needs.offset_width);
    return config;
}

static int allocate(struct golden_hub *hub)
{
    const size_t locals = hub->locals + 1u;   /* never zero bytes */
    hub->bases = calloc(locals, sizeof *hub->bases);
    hub->capacities = calloc(locals, sizeof *hub->capacities);
    hub->announced = calloc(locals, sizeof *hub->announced);
    hub->firsts = calloc(locals, sizeof *hub->firsts);
    return hub->bases && hub->capacities && hub->announced && hub->firsts ? 0 : MOEHUB_E_MEMORY;
}

/* Places the regions and brings the hub's context up. */
static int start_hub(struct golden_hubs *hubs, unsigned gpu, const struct moehub_address_path_config *config)
{
    struct golden_hub *hub = &hubs->list[gpu];
    const struct moehub_layer *layer = hubs->layer;
    struct moehub_region *regions = calloc(hub->locals + 1u, sizeof *regions);
    uint32_t slots = 0;
    for (unsigned local = 0; local < hub->locals && regions != NULL; local++) {
        hub->bases[local] = region_origin(hubs, local) + (uint64_t)SKEW_STEP * ((local * 37u + gpu) % 64u);
        hub->firsts[local] = slots;
        slots += hub->capacities[local];
        regions[local] = (struct moehub_region){.base = hub->bases[local], .capacity = hub->capacities[local]};
    }
    hub->rows = calloc((size_t)slots + 1, sizeof *hub->rows);
    if (regions == NULL || hub->rows == NULL) {
        free(regions);
        return MOEHUB_E_MEMORY;
    }
    const uint64_t table_bytes = 4 * (uint64_t)layer->row_limit * hub->locals;
    int error = moehub_address_path_create(&hub->path, config, NULL);
    if (error == 0 && table_bytes > 0)
        error = moehub_al_walker_map(&hub->path.walker, TABLE_BASE, table_bytes);
    if (error == 0)
        error = moehub_address_path_open(&hub->path, 0, TABLE_BASE, layer->row_limit, hubs->row_size, regions,
                                         hub->locals);
    free(regions);
    return error;
}

static int start_all(struct golden_hubs *hubs, const struct moehub_golden_options *options,
                     struct moehub_message *message)
{
    count_rows(hubs);
    hubs->stride = moehub_log2_ceiling((uint64_t)largest_capacity(hubs) * hubs->row_size + SKEW_MAX);
    const struct moehub_address_path_config config = config_of(hubs, options);
    hubs->slot_width = config.slot_width;
    const uint64_t end = region_origin(hubs, golden_hubs_most_experts(hubs->layer));
    if (end > UINT64_C(1) << config.address_width || moehub_address_path_config_check(&config) != 0) {
        moehub_message_set(message, NULL, 0, "a GPU has %u experts, one of which %u rows come to: such regions fit neither "
                           "%u-bit addresses nor 31-bit slot numbers", golden_hubs_most_experts(hubs->layer),
                           largest_capacity(hubs), config.address_width);
        return MOEHUB_E_LIMIT;
    }
    int error = 0;
    for (unsigned gpu = 0; gpu < hubs->layer->gpus && error == 0; gpu++)
        error = start_hub(hubs, gpu, &config);
    return error;
}

int golden_hubs_create(struct golden_hubs *hubs, const struct moehub_layer *layer,
                       const struct moehub_golden_options *options, struct moehub_message *message)
{
    *hubs = (struct golden_hubs){.layer = layer};
    hubs->row_size = moehub_layer_slot_bytes(layer);
    hubs->list = calloc(layer->gpus, sizeof *hubs->list);
    int error = hubs->list == NULL ? MOEHUB_E_MEMORY : 0;
    for (unsigned gpu = 0; gpu < layer->gpus && error == 0; gpu++) {
        hubs->list[gpu].locals = locals_of(layer, gpu);
        error = allocate(&hubs->list[gpu]);
    }
    if (error == 0)
        error = start_all(hubs, options, message);
    if (error != 0)
        golden_hubs_destroy(hubs);
    return error;
}

void golden_hubs_destroy(struct golden_hubs *hubs)
{
    if (hubs->list == NULL)
        return;
    for (unsigned gpu = 0; gpu < hubs->layer->gpus; gpu++) {
        struct golden_hub *hub = &hubs->list[gpu];
        moehub_address_path_destroy(&hub->path);
        free(hub->bases);
        free(hub->capacities);
        free(hub->announced);
        free(hub->firsts);
        free(hub->rows);
    }
    free(hubs->list);
    hubs->list = NULL;
}

/* ---- from addresses to rows ------------------------------------------------------ */

void golden_hub_announce(struct golden_hub *hub, unsigned local, uint32_t row)
{
    if (hub->announced[local] < hub->capacities[local])
        hub->rows[hub->firsts[local] + hub->announced[local]++] = row;
}

bool golden_hub_place(const struct golden_hubs *hubs, const struct golden_hub *hub, uint64_t address,
                      struct golden_place *place)
{
    const uint64_t local = (address - REGIONS_BASE) >> hubs->stride;
    if (local >= hub->locals)
        return false;
    const uint64_t distance = address - hub->bases[local];
    if (distance >= (uint64_t)hub->announced[local] * hubs->row_size)   /* huge below the base */
        return false;
    /* 32-bit division is several times faster than 64-bit division. */
    const uint32_t slot = distance <= UINT32_MAX ? (uint32_t)distance / hubs->row_size
                                                 : (uint32_t)(distance / hubs->row_size);
    *place = (struct golden_place){(uint32_t)local, slot, hub->rows[hub->firsts[local] + slot],
                                   (uint32_t)(distance - (uint64_t)slot * hubs->row_size)};
    return true;
}

static uint64_t entries_used(const struct moehub_al_walker *walker)
{
    uint64_t used = 0;
    for (unsigned window = 0; window < walker->window_count; window++)
        for (uint64_t entry = 0; entry < walker->windows[window].entries; entry++)
            used += walker->windows[window].image[entry] != 0;
    return used;
}

bool golden_hub_table_matches(const struct golden_hubs *hubs, const struct golden_hub *hub)
{
    uint64_t slots = 0;
    for (unsigned local = 0; local < hub->locals; local++) {
        if (hub->announced[local] != hub->capacities[local])
            return false;
        for (uint32_t slot = 0; slot < hub->capacities[local]; slot++) {
            const uint64_t row = hub->rows[hub->firsts[local] + slot];
            const uint64_t address = TABLE_BASE + 4 * ((uint64_t)local * hubs->layer->row_limit + row);
            const uint32_t *entry = moehub_al_walker_entry(&hub->path.walker, address);
            if (entry == NULL || *entry != (UINT32_C(1) << hubs->slot_width | slot))
                return false;
        }
        slots += hub->capacities[local];
    }
    return entries_used(&hub->path.walker) == slots;
}
