/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_traffic.h"

enum { SAME_SET_TRIES = 1 << 16 };

void hub_traffic_create(struct hub_traffic *traffic, struct hub_path *path, const char *stream)
{
    *traffic = (struct hub_traffic){.path = path};
    bench_random(&path->bench, &traffic->random, stream);
}

static struct hub_key draw_key(struct hub_traffic *traffic)
{
    const struct hub_path *path = traffic->path;
    const unsigned context = (unsigned)random_below(&traffic->random, path->config.contexts);
    const uint32_t limit = path->model.alloc.contexts[context].row_limit;
    return (struct hub_key){
        .context = (uint8_t)context,
        .expert = (uint16_t)random_below(&traffic->random, path->config.local_experts),
        .row = limit == 0 ? 0 : (uint32_t)random_below(&traffic->random, limit),
    };
}

static uint32_t set_of(const struct hub_traffic *traffic, const struct hub_key *key)
{
    return moehub_al_tlb_set(&traffic->path->model.tlb, moehub_al_name(key->context, key->expert, key->row));
}

static void draw_same_set(struct hub_traffic *traffic, unsigned wanted)
{
    const uint32_t set = (uint32_t)random_below(&traffic->random, traffic->path->config.sets);
    traffic->count = 0;
    for (unsigned try = 0; try < SAME_SET_TRIES && traffic->count < wanted; try++) {
        const struct hub_key key = draw_key(traffic);
        if ((set_of(traffic, &key) & ~1u) == (set & ~1u))
            traffic->keys[traffic->count++] = key;
    }
    if (traffic->count == 0)
        traffic->keys[traffic->count++] = draw_key(traffic);
}

void hub_traffic_keys(struct hub_traffic *traffic, enum hub_keys kind)
{
    const uint32_t lines = traffic->path->config.sets * traffic->path->config.ways;
    unsigned wanted = (unsigned)random_range(&traffic->random, 1, 8);
    if (kind == HUB_KEYS_BURSTS || kind == HUB_KEYS_MANY)
        wanted = 4 * lines < HUB_KEYS_MAX ? 4 * lines : HUB_KEYS_MAX;
    traffic->kind = kind;
    traffic->left = 0;
    if (kind == HUB_KEYS_SAME_SET) {
        draw_same_set(traffic, 4 * traffic->path->config.ways);
        return;
    }
    for (traffic->count = 0; traffic->count < wanted; traffic->count++)
        traffic->keys[traffic->count] = draw_key(traffic);
}

void hub_traffic_forget(struct hub_traffic *traffic, unsigned context)
{
    for (unsigned i = 0; i < traffic->count; i++)
        if (traffic->keys[i].context == context)
            traffic->keys[i].announced = false;
}

/* A GPU that the context allows, where there is one. */
static uint16_t draw_source(struct hub_traffic *traffic, unsigned context)
{
    const struct moehub_context *state = &traffic->path->model.alloc.contexts[context];
    const unsigned gpus = traffic->path->config.gpus;
    unsigned gpu = (unsigned)random_below(&traffic->random, gpus);
    for (unsigned tried = 0; tried < gpus && !(state->peers[gpu / 32] >> gpu % 32 & 1u); tried++)
        gpu = gpu + 1 == gpus ? 0 : gpu + 1;
    return (uint16_t)gpu;
}

/* The longest request. */
static uint32_t length_max(const struct hub_traffic *traffic)
{
    return (1u << traffic->path->config.length_width) - 1;
}

/* Bytes of a row in the request's stage. */
static uint32_t row_size_of(const struct hub_traffic *traffic, const struct moehub_hub_request *request)
{
    const struct moehub_addr_alloc *alloc = &traffic->path->model.alloc;
    return moehub_addr_alloc_row_size(&alloc->contexts[request->context % alloc->config.contexts],
                                      moehub_addr_alloc_stage(alloc, request));
}

/* Offset and length anywhere in a row of the request's stage. */
static void draw_bytes(struct hub_traffic *traffic, struct moehub_hub_request *request)
{
    const uint32_t row_size = row_size_of(traffic, request), size = row_size == 0 ? 1 : row_size;
    const uint32_t offset = (uint32_t)random_below(&traffic->random, size < 65536 ? size : 65536);
    const uint32_t room = size - offset < length_max(traffic) ? size - offset : length_max(traffic);
    request->offset = (uint16_t)offset;
    request->length = (uint16_t)random_range(&traffic->random, 1, room);
}

struct moehub_hub_request hub_traffic_request(struct hub_traffic *traffic, const struct hub_key *key)
{
    struct moehub_hub_request request = {
        .operation = MOEHUB_REQUEST_WRITE_TOUCH,
        .context = key->context,
        .expert = key->expert,
        .row_index = key->row,
    };
    draw_bytes(traffic, &request);
    request.source = draw_source(traffic, key->context);
    request.port = (uint8_t)random_below(&traffic->random, traffic->path->config.ports);
    request.tag = random_next(&traffic->random);
    return request;
}

/* Spoils one field; mostly just beyond its limit. */
static void spoil(struct hub_traffic *traffic, struct moehub_hub_request *request)
{
    struct random_source *random = &traffic->random;
    const struct moehub_address_path_config *config = &traffic->path->config;
    const struct moehub_context *state = &traffic->path->model.alloc.contexts[request->context % config->contexts];
    const uint32_t row_size = row_size_of(traffic, request);
    const bool exact = random_chance(random, 1, 2);
    switch (random_below(random, 6)) {
    case 0:
        request->context = (uint8_t)random_bits(random, 3);
        break;
    case 1:
        request->source = (uint16_t)(exact ? config->gpus & 1023 : random_bits(random, 10));
        break;
    case 2:
        request->expert = (uint16_t)(exact ? config->local_experts : random_bits(random, 16));
        break;
    case 3:
        request->row_index = exact ? state->row_limit : (uint32_t)random_bits(random, 32);
        break;
    case 4:
        request->length = (uint16_t)(exact ? 0 : row_size - request->offset + 1);
        request->length &= (uint16_t)length_max(traffic);
        break;
    default:
        request->offset = (uint16_t)(exact ? row_size : random_bits(random, 16));
    }
}

static void next_key(struct hub_traffic *traffic)
{
    if (traffic->left > 0) {
        traffic->left--;
        return;
    }
    traffic->current = (unsigned)random_below(&traffic->random, traffic->count);
    traffic->left = traffic->kind == HUB_KEYS_BURSTS ? (unsigned)random_below(&traffic->random, 64) : 0;
}

bool hub_traffic_supply(void *user, struct moehub_hub_request *request)
{
    struct hub_traffic *traffic = user;
    if (traffic->remaining == 0 || traffic->count == 0)
        return false;
    traffic->remaining--;
    next_key(traffic);
    struct hub_key *key = &traffic->keys[traffic->current];
    *request = hub_traffic_request(traffic, key);
    if (random_chance(&traffic->random, traffic->reads, 256)) {
        request->operation = MOEHUB_REQUEST_READ_LOOKUP;
        if (traffic->path->config.stages == 2)
            draw_bytes(traffic, request); /* rows of another size */
    }
    request->first = random_chance(&traffic->random, traffic->disorder, 256) ? random_bits(&traffic->random, 1) != 0
                                                                             : !key->announced;
    if (request->first && request->operation == MOEHUB_REQUEST_WRITE_TOUCH)
        key->announced = true;
    for (unsigned more = traffic->wrong; random_chance(&traffic->random, more, 256); more = 128)
        spoil(traffic, request);
    return true;
}
