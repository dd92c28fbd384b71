/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, set-up, rings, events, notifies and commands; the pipelines are in tile_tracker_{tiles,arrival,tokens}.c. */
#include "hub/tile_tracker_parts.h"

#include "moehub/error.h"
#include "moehub/integer.h"
#include "moehub/row_list_address.h"

#include <stdlib.h>
#include <string.h>

/* Offenders that can be detected before an earlier one: those in the pipelines and in the notify machine. */
#define OFFENDERS_MARGIN 64

/* ---- creation --------------------------------------------------------------------- */

struct moehub_tile_tracker_config moehub_tile_tracker_config_default(void)
{
    return (struct moehub_tile_tracker_config){
        .gpus = 8,
        .contexts = 4,
        .local_experts = 64,
        .address_width = 48,
        .tiles = 1024,
        .tokens = 4096,
        .own = 0,
    };
}

int moehub_tile_tracker_config_check(const struct moehub_tile_tracker_config *config)
{
    const bool legal = moehub_within(config->gpus, 2, MOEHUB_TILE_TRACKER_GPUS_MAX) &&
                       moehub_within(config->contexts, 1, MOEHUB_TILE_TRACKER_CONTEXTS_MAX) &&
                       moehub_within(config->local_experts, 1, 256) && moehub_within(config->address_width, 32, 64) &&
                       moehub_within(config->tiles, 1, 65536) && moehub_within(config->tokens, 1, 65536) &&
                       config->own < config->gpus;
    return legal ? 0 : MOEHUB_E_ARGUMENT;
}

static uint32_t ring_words(const struct moehub_tile_tracker *tracker, unsigned ring)
{
    return ring == MOEHUB_RING_TOKEN ? tracker->config.tokens : tracker->config.tiles;
}

int moehub_tile_tracker_create(struct moehub_tile_tracker *tracker, const struct moehub_tile_tracker_config *config)
{
    if (moehub_tile_tracker_config_check(config) != 0)
        return MOEHUB_E_ARGUMENT;
    memset(tracker, 0, sizeof *tracker);
    tracker->config = *config;
    tracker->regions = calloc((size_t)config->contexts * config->local_experts, sizeof *tracker->regions);
    tracker->tile = calloc(config->tiles, sizeof *tracker->tile);
    tracker->token = calloc(config->tokens, sizeof *tracker->token);
    bool enough = tracker->regions != NULL && tracker->tile != NULL && tracker->token != NULL &&
                  moehub_offenders_create(&tracker->offenders, OFFENDERS_MARGIN) == 0;
    for (unsigned i = 0; i < MOEHUB_RINGS; i++) {
        tracker->rings[i] = calloc(ring_words(tracker, i), sizeof *tracker->rings[i]);
        enough = enough && tracker->rings[i] != NULL;
    }
    for (unsigned i = 0; i < config->contexts; i++)
        tracker->contexts[i].clean = true;
    if (enough)
        return 0;
    moehub_tile_tracker_destroy(tracker);
    return MOEHUB_E_MEMORY;
}

void moehub_tile_tracker_destroy(struct moehub_tile_tracker *tracker)
{
    if (tracker == NULL)
        return;
    free(tracker->regions);
    free(tracker->tile);
    free(tracker->token);
    for (unsigned i = 0; i < MOEHUB_RINGS; i++)
        free(tracker->rings[i]);
    moehub_offenders_destroy(&tracker->offenders);
    memset(tracker, 0, sizeof *tracker);
}

/* ---- set-up, ADVANCE ---------------------------------------------------------------- */

static struct moehub_region_tiles *region_of(const struct moehub_tile_tracker *tracker, unsigned context, unsigned expert)
{
    return &tracker->regions[context * tracker->config.local_experts + expert];
}

void moehub_tile_tracker_clear_regions(struct moehub_tile_tracker *tracker, unsigned context)
{
    memset(region_of(tracker, context, 0), 0, tracker->config.local_experts * sizeof *tracker->regions);
}

int moehub_tile_tracker_set_region(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t first,
                                   uint32_t count)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    if (expert >= tracker->config.local_experts || (uint64_t)first + count > settings->tile_count ||
        (uint64_t)count << settings->tile_shift > UINT64_C(1) << settings->list_shift)
        return MOEHUB_E_ARGUMENT;
    *region_of(tracker, context, expert) = (struct moehub_region_tiles){first, count};
    return 0;
}

void moehub_tile_tracker_advance(struct moehub_tile_tracker *tracker, unsigned context)
{
    struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    memset(tracker->tile + settings->tile_first, 0, settings->tile_count * sizeof *tracker->tile);
    if (settings->tokens)
        memset(tracker->token + settings->token_first, 0, ((size_t)1 << settings->owner_shift) * sizeof *tracker->token);
    memset(tracker->arrivals[context], 0, sizeof tracker->arrivals[context]);
    tracker->progress[context] = (struct moehub_tile_tracker_progress){.settling = false};
    settings->clean = true;
    settings->arrived = settings->closed = settings->failed = false;
}

struct moehub_tile *tile_tracker_tile(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t n)
{
    const struct moehub_region_tiles *region = region_of(tracker, context, expert);
    return n < region->count ? &tracker->tile[tracker->contexts[context].tile_first + region->first + n] : NULL;
}

/* ---- causes ----------------------------------------------------------------------------- */

void tile_tracker_flag(struct moehub_tile_tracker *tracker, unsigned context)
{
    tracker->contexts[context].failed |= !tracker->contexts[context].clean;
}

void tile_tracker_cause(struct moehub_tile_tracker *tracker, unsigned cause, struct tile_tracker_offence offence)
{
    const struct moehub_header header = {.context = (uint8_t)offence.context, .source = (uint16_t)offence.source,
                                         .row_index = offence.row_index, .tag = offence.tag};
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_CAUSES + cause);
    moehub_offenders_add(&tracker->offenders,
                         &(struct moehub_offender){.header = moehub_header_pack(&header), .cause = (uint8_t)cause});
}

/* ---- rings ------------------------------------------------------------------------------ */

/* A context's place in its ring. It stays in its range as each id enters once a round; the modulus is for ranges that
 * overlap, which nothing checks. */
static struct moehub_ring_word *ring_place(struct moehub_tile_tracker *tracker, unsigned context, unsigned ring,
                                           uint32_t pointer)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    const uint32_t first = ring == MOEHUB_RING_TOKEN ? settings->token_first : settings->tile_first;
    return &tracker->rings[ring][(first + pointer) % ring_words(tracker, ring)];
}

void tile_tracker_push(struct moehub_tile_tracker *tracker, unsigned context, unsigned ring, struct moehub_ring_word word)
{
    *ring_place(tracker, context, ring, tracker->progress[context].written[ring]++) = word;
}

bool tile_tracker_pop(struct moehub_tile_tracker *tracker, unsigned context, unsigned ring, struct moehub_ring_word *word)
{
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (progress->read[ring] == progress->written[ring])
        return false;
    *word = *ring_place(tracker, context, ring, progress->read[ring]++);
    return true;
}

/* ---- events ------------------------------------------------------------------------------ */

/* LOOK: what is known of the ring's next tile. */
static bool next_tile(struct moehub_tile_tracker *tracker, unsigned context, unsigned ring, struct moehub_ready_event *event)
{
    struct moehub_ring_word word;
    if (!tile_tracker_pop(tracker, context, ring, &word))
        return false;
    const struct moehub_tile *tile = tile_tracker_tile(tracker, context, word.expert, word.number);
    event->failed = tile->flagged;
    event->expert = word.expert;
    event->rows = tile->rows;
    event->name = word.number;
    return true;
}

static bool next_token(struct moehub_tile_tracker *tracker, unsigned context, struct moehub_ready_event *event)
{
    struct moehub_ring_word word;
    if (!tile_tracker_pop(tracker, context, MOEHUB_RING_TOKEN, &word))
        return false;
    event->failed = word.failed;
    event->name = tracker->config.own << tracker->contexts[context].owner_shift | word.number;
    return true;
}

static bool all_arrived(struct moehub_tile_tracker *tracker, unsigned context, struct moehub_ready_event *event)
{
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (!progress->settled || progress->told ||
        progress->read[MOEHUB_RING_READY] != progress->written[MOEHUB_RING_READY])
        return false;
    progress->told = true;
    event->failed = tracker->contexts[context].failed;
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_ALL_ARRIVED);
    return true;
}

bool moehub_tile_tracker_ready(struct moehub_tile_tracker *tracker, unsigned kind, unsigned context,
                               struct moehub_ready_event *event)
{
    *event = (struct moehub_ready_event){
        .kind = (uint8_t)kind, .context = (uint8_t)context, .round = tracker->contexts[context].round};
    switch (kind) {
    case MOEHUB_READY_TILE_READY:
        return next_tile(tracker, context, MOEHUB_RING_READY, event);
    case MOEHUB_READY_TILE_COMPUTED:
        return next_tile(tracker, context, MOEHUB_RING_COMPUTED, event);
    case MOEHUB_READY_TOKEN_READY:
        return next_token(tracker, context, event);
    case MOEHUB_READY_ALL_ARRIVED:
        return all_arrived(tracker, context, event);
    default:
        return false;
    }
}

/* ---- notifies ---------------------------------------------------------------------------- */

static void tile_told(struct moehub_tile_tracker *tracker)
{
    tracker->notifying_count--;
    memmove(&tracker->notifying[0], &tracker->notifying[1], tracker->notifying_count * sizeof tracker->notifying[0]);
}

bool moehub_tile_tracker_take_finished(struct moehub_tile_tracker *tracker, unsigned context)
{
    struct moehub_ready_event tile;
    if (tracker->notifying_count == MOEHUB_TILE_TRACKER_TILES_AHEAD || !next_tile(tracker, context, MOEHUB_RING_NOTIFY, &tile))
        return false;
    if (tile.rows == 0)
        return true;
    tracker->notifying[tracker->notifying_count++] = (struct moehub_tile_tracker_notifying){
        .slot = tile.name << tracker->contexts[context].tile_shift,
        .left = tile.rows,
        .context = (uint8_t)context,
        .expert = (uint8_t)tile.expert,
        .flagged = tile.failed,
    };
    return true;
}

uint64_t moehub_tile_tracker_list_address(const struct moehub_tile_tracker *tracker)
{
    const struct moehub_tile_tracker_notifying *tile = &tracker->notifying[0];
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[tile->context];
    return moehub_row_list_address(settings->list_base, settings->list_shift, tile->expert, tile->slot,
                                   tracker->config.address_width);
}

bool moehub_tile_tracker_list_word(struct moehub_tile_tracker *tracker, uint32_t row_index, bool error,
                                   struct moehub_flit *notify)
{
    if (tracker->notifying_count == 0)
        return false;
    const struct moehub_tile_tracker_notifying tile = tracker->notifying[0];
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[tile.context];
    const uint32_t owner = row_index >> settings->owner_shift;
    tracker->notifying[0].slot++;
    if (--tracker->notifying[0].left == 0)
        tile_told(tracker);
    if (error || owner >= tracker->config.gpus || (settings->peers >> owner & 1) == 0) {
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_LIST,
                           (struct tile_tracker_offence){.context = tile.context, .row_index = row_index});
        tile_tracker_flag(tracker, tile.context);
        return false;
    }
    *notify = moehub_header_pack(&(struct moehub_header){
        .type = MOEHUB_PACKET_NOTIFY,
        .source = (uint16_t)tracker->config.own,
        .context = tile.context,
        .status = tile.flagged ? MOEHUB_STATUS_PARTIAL : MOEHUB_STATUS_OK,
        .offset = (uint16_t)owner,
        .row_index = row_index,
        .stage = MOEHUB_STAGE_COMBINE,
        .round = settings->round,
    });
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_SENT);
    return true;
}

/* ---- commands ---------------------------------------------------------------------------- */

static void tile_get(const struct moehub_tile *tile, uint64_t data[2])
{
    data[0] = tile->rows | (uint64_t)tile->computed << 16 | (uint64_t)tile->finished << 24 | (uint64_t)tile->state << 32 |
              (uint64_t)tile->flagged << 34;
    data[1] = (uint64_t)(int64_t)tile->balance;
}

static void peer_get(const struct moehub_arrival *arrival, uint64_t data[2])
{
    data[0] = arrival->handled | (uint64_t)arrival->announced << 32;
    data[1] = (uint64_t)arrival->closed | (uint64_t)arrival->complete << 1;
}

static void token_get(const struct moehub_token *token, uint64_t data[2])
{
    data[0] = token->left | (uint64_t)token->failed << 16 | (uint64_t)token->state << 17;
}

bool moehub_tile_tracker_command(const struct moehub_tile_tracker *tracker, unsigned operation, unsigned context,
                                 uint32_t index, uint64_t data[2])
{
    const struct moehub_tile_tracker_config *config = &tracker->config;
    data[0] = data[1] = 0;
    if (operation == MOEHUB_TILE_TRACKER_COMMAND_TILE_GET && index < config->tiles)
        tile_get(&tracker->tile[index], data);
    else if (operation == MOEHUB_TILE_TRACKER_COMMAND_PEER_GET && context < config->contexts && index < config->gpus)
        peer_get(&tracker->arrivals[context][index], data);
    else if (operation == MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET && index < config->tokens)
        token_get(&tracker->token[index], data);
    else
        return false;
    return true;
}
