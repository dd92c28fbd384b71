/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/address_path.h"

#include "moehub/error.h"
#include "moehub/packet.h"

#include <string.h>

/* A request can be two offenders (its answer and its table read) and one more for its write; the offenders that may be
 * detected before an earlier one are in flight with it. */
#define OFFENDERS_PER_REQUEST 3
#define OFFENDERS_MARGIN 64

int moehub_address_path_create(struct moehub_address_path *path, const struct moehub_address_path_config *config,
                               const struct moehub_al_memory *memory)
{
    memset(path, 0, sizeof *path);
    int error = moehub_addr_alloc_create(&path->alloc, config);
    if (error != 0)
        return error;
    moehub_al_walker_init(&path->walker, memory);
    error = moehub_al_tlb_create(&path->tlb, config);
    if (error == 0)
        error = moehub_offenders_create(&path->offenders, (size_t)OFFENDERS_PER_REQUEST * (config->waiting + config->pending)
                                                              + OFFENDERS_MARGIN);
    if (error != 0) {
        moehub_address_path_destroy(path);
        return error;
    }
    path->tag_mask = UINT64_MAX >> (64 - config->tag_width);
    return 0;
}

void moehub_address_path_destroy(struct moehub_address_path *path)
{
    if (path == NULL)
        return;
    moehub_addr_alloc_destroy(&path->alloc);
    moehub_al_tlb_destroy(&path->tlb);
    moehub_al_walker_destroy(&path->walker);
    moehub_offenders_destroy(&path->offenders);
}

/* ---- errors ------------------------------------------------------------------ */

static void offend(struct moehub_address_path *path, unsigned cause, const struct moehub_header *header,
                   unsigned expert, unsigned port)
{
    path->counters[MOEHUB_HUB_EVENT_CAUSES + cause]++;
    const struct moehub_offender offender = {moehub_header_pack(header), (uint16_t)expert, (uint8_t)port,
                                             (uint8_t)cause};
    moehub_offenders_add(&path->offenders, &offender);
}

/* What the header says of a request's length: with two stages a read's is in units of 16 bytes, as an ld_reduce has it. */
static uint16_t header_length(const struct moehub_address_path_config *config, const struct moehub_hub_request *request)
{
    const bool units = config->stages == 2 && request->operation == MOEHUB_REQUEST_READ_LOOKUP;
    return (uint16_t)(units ? request->length / MOEHUB_FLIT_BYTES : request->length);
}

/* The causes are the statuses without OK. */
void moehub_address_path_offender(const struct moehub_address_path_config *config, const struct moehub_hub_request *request,
                                  unsigned status, struct moehub_offender *offender)
{
    const bool write = request->operation == MOEHUB_REQUEST_WRITE_TOUCH;
    const struct moehub_header header = {
        .type = write ? MOEHUB_PACKET_ROW_STORE : MOEHUB_PACKET_LD_REDUCE,
        .first = request->first,
        .length = header_length(config, request),
        .source = request->source,
        .context = request->context,
        .tag = (uint32_t)(request->tag & UINT64_MAX >> (64 - config->tag_width) & MOEHUB_TAG_MASK),
        .status = (uint8_t)status,
        .offset = request->offset,
        .row_index = request->row_index,
    };
    *offender = (struct moehub_offender){moehub_header_pack(&header), request->expert, (uint8_t)request->port,
                                         (uint8_t)(status - MOEHUB_STATUS_CONTEXT + MOEHUB_HUB_CAUSE_CONTEXT)};
}

/* Causes 0 to 6. */
static void offend_answer(struct moehub_address_path *path, const struct moehub_hub_request *request, unsigned status)
{
    struct moehub_offender offender;
    moehub_address_path_offender(&path->alloc.config, request, status, &offender);
    path->counters[MOEHUB_HUB_EVENT_CAUSES + offender.cause]++;
    moehub_offenders_add(&path->offenders, &offender);
}

/* Causes 7 to 9: what the table said. */
static void offend_table(struct moehub_address_path *path, const struct moehub_hub_request *request, unsigned cause)
{
    const struct moehub_header header = {.context = request->context, .row_index = request->row_index};
    path->faults[request->context]++;
    offend(path, cause, &header, request->expert, 0);
}

static void offend_command(struct moehub_address_path *path, const struct moehub_hub_command *command)
{
    const struct moehub_header header = {.type = command->operation, .context = command->context};
    offend(path, MOEHUB_HUB_CAUSE_COMMAND, &header, command->index, 0);
}

/* ---- table operations -------------------------------------------------------- */

static uint64_t entry_address(const struct moehub_address_path *path, const struct moehub_hub_request *request)
{
    return moehub_addr_alloc_entry(&path->alloc, &path->alloc.contexts[request->context], request->expert,
                                   request->row_index);
}

/* Reads the row's entry; false: read error, counted. */
static bool read_entry(struct moehub_address_path *path, const struct moehub_hub_request *request, uint32_t *entry)
{
    path->counters[MOEHUB_HUB_EVENT_TABLE_READS]++;
    if (moehub_al_walker_read(&path->walker, entry_address(path, request), entry))
        return true;
    offend_table(path, request, MOEHUB_HUB_CAUSE_TABLE_READ);
    return false;
}

static void write_entry(struct moehub_address_path *path, const struct moehub_hub_request *request, uint32_t entry)
{
    path->counters[MOEHUB_HUB_EVENT_TABLE_WRITES]++;
    if (!moehub_al_walker_write(&path->walker, entry_address(path, request), entry))
        offend_table(path, request, MOEHUB_HUB_CAUSE_TABLE_WRITE);
}

/* What a missed line holds: the row's slot, unmapped, or bad. */
static uint32_t fill(struct moehub_address_path *path, const struct moehub_hub_request *request,
                     const struct moehub_region *region)
{
    const unsigned slot_width = path->alloc.config.slot_width;
    uint32_t entry;
    if (!read_entry(path, request, &entry))
        return MOEHUB_AL_BAD;
    if (entry >> slot_width != path->alloc.contexts[request->context].epoch)
        return MOEHUB_AL_UNMAPPED;
    const uint32_t slot = entry & ((UINT32_C(1) << slot_width) - 1);
    if (slot < region->capacity)
        return slot;
    offend_table(path, request, MOEHUB_HUB_CAUSE_TABLE_READ);
    return MOEHUB_AL_BAD;
}

/* A first touch: the next slot, recorded in the table. The old entry is read first, to detect a repetition. */
static uint32_t announce(struct moehub_address_path *path, const struct moehub_hub_request *request,
                         struct moehub_region *region)
{
    const unsigned slot_width = path->alloc.config.slot_width;
    const uint32_t epoch = path->alloc.contexts[request->context].epoch;
    const uint32_t slot = moehub_addr_alloc_take(region);
    path->counters[MOEHUB_HUB_EVENT_ALLOCATIONS]++;
    uint32_t old;
    if (read_entry(path, request, &old) && old >> slot_width == epoch)
        offend_table(path, request, MOEHUB_HUB_CAUSE_REPEATED);
    write_entry(path, request, epoch << slot_width | slot);
    return slot;
}

/* ---- requests ---------------------------------------------------------------- */

static struct moehub_al_line *look_up(struct moehub_address_path *path, const struct moehub_hub_request *request,
                                      bool *hit)
{
    const uint64_t name = moehub_al_name(request->context, request->expert, request->row_index);
    enum moehub_al_found found;
    struct moehub_al_line *line =
        moehub_al_tlb_lookup(&path->tlb, name, path->alloc.contexts[request->context].epoch, &found);
    *hit = found == MOEHUB_AL_HIT;
    path->counters[MOEHUB_HUB_EVENT_LOOKUPS]++;
    path->counters[*hit ? MOEHUB_HUB_EVENT_HITS : MOEHUB_HUB_EVENT_MISSES]++;
    path->counters[MOEHUB_HUB_EVENT_EVICTIONS] += found == MOEHUB_AL_EVICTED;
    return line;
}

static unsigned line_status(uint32_t value)
{
    if (value == MOEHUB_AL_UNMAPPED)
        return MOEHUB_STATUS_UNMAPPED;
    return value == MOEHUB_AL_BAD ? MOEHUB_STATUS_MEMORY : MOEHUB_STATUS_OK;
}

void moehub_address_path_request(struct moehub_address_path *path, const struct moehub_hub_request *request,
                                 struct moehub_hub_answer *answer)
{
    path->counters[MOEHUB_HUB_EVENT_REQUESTS]++;
    *answer = (struct moehub_hub_answer){.tag = request->tag & path->tag_mask, .port = request->port};
    unsigned status = moehub_addr_alloc_check(&path->alloc, request);
    if (status == MOEHUB_STATUS_OK) {
        struct moehub_region *region = moehub_addr_alloc_region(&path->alloc, request->context, request->expert);
        bool hit;
        struct moehub_al_line *line = look_up(path, request, &hit);
        answer->allocated = request->first && request->operation == MOEHUB_REQUEST_WRITE_TOUCH;
        if (answer->allocated)
            line->value = announce(path, request, region);
        else if (!hit)
            line->value = fill(path, request, region);
        status = line_status(line->value);
        if (status == MOEHUB_STATUS_OK) {
            answer->slot = line->value;
            answer->address = moehub_addr_alloc_address(&path->alloc, &path->alloc.contexts[request->context], region,
                                                        moehub_addr_alloc_stage(&path->alloc, request), line->value,
                                                        request->offset);
            return;
        }
    }
    answer->status = (uint8_t)status;
    offend_answer(path, request, status);
}

/* ---- commands ---------------------------------------------------------------- */

void moehub_address_path_command(struct moehub_address_path *path, const struct moehub_hub_command *command,
                                 bool in_flight, struct moehub_hub_result *result)
{
    const enum moehub_addr_alloc_effect effect = moehub_addr_alloc_command(&path->alloc, command, in_flight, result);
    if (effect == MOEHUB_ADDR_ALLOC_DROP_CONTEXT)
        moehub_al_tlb_drop_context(&path->tlb, command->context);
    if (effect == MOEHUB_ADDR_ALLOC_DROP_ALL)
        moehub_al_tlb_flush(&path->tlb);
    if (result->refused)
        offend_command(path, command);
}

void moehub_address_path_reset(struct moehub_address_path *path)
{
    moehub_addr_alloc_reset(&path->alloc);
    moehub_al_tlb_flush(&path->tlb);
    moehub_offenders_clear(&path->offenders);
    memset(path->counters, 0, sizeof path->counters);
    memset(path->faults, 0, sizeof path->faults);
}

bool moehub_address_path_is_valid(const struct moehub_address_path *path)
{
    const uint64_t *count = path->counters;
    uint64_t refused = 0;
    for (unsigned cause = MOEHUB_HUB_CAUSE_CONTEXT; cause <= MOEHUB_HUB_CAUSE_FULL; cause++)
        refused += count[MOEHUB_HUB_EVENT_CAUSES + cause];
    const uint64_t reads = count[MOEHUB_HUB_EVENT_TABLE_READS];
    const uint64_t allocations = count[MOEHUB_HUB_EVENT_ALLOCATIONS];
    return moehub_addr_alloc_is_valid(&path->alloc) && moehub_al_tlb_is_valid(&path->tlb) &&
           count[MOEHUB_HUB_EVENT_REQUESTS] == count[MOEHUB_HUB_EVENT_LOOKUPS] + refused &&
           count[MOEHUB_HUB_EVENT_LOOKUPS] == count[MOEHUB_HUB_EVENT_HITS] + count[MOEHUB_HUB_EVENT_MISSES] &&
           count[MOEHUB_HUB_EVENT_EVICTIONS] <= count[MOEHUB_HUB_EVENT_MISSES] &&
           count[MOEHUB_HUB_EVENT_TABLE_WRITES] == allocations && reads >= allocations &&
           reads <= allocations + count[MOEHUB_HUB_EVENT_MISSES];
}

/* ---- bring-up ---------------------------------------------------------------- */

static bool refused(struct moehub_address_path *path, unsigned operation, unsigned context, unsigned index,
                    uint64_t data0, uint64_t data1)
{
    const struct moehub_hub_command command = {data0, data1, (uint16_t)index, (uint8_t)context, (uint8_t)operation};
    struct moehub_hub_result result;
    moehub_address_path_command(path, &command, false, &result);
    return result.refused;
}

int moehub_address_path_open(struct moehub_address_path *path, unsigned context, uint64_t table_base,
                             uint32_t row_limit, uint32_t row_size, const struct moehub_region *regions,
                             unsigned region_count)
{
    bool failed = refused(path, MOEHUB_HUB_COMMAND_CONTEXT_SET, context, 0, table_base,
                          row_limit | (uint64_t)row_size << 32);
    for (unsigned word = 0; word * 32 < path->alloc.config.gpus; word++)
        failed |= refused(path, MOEHUB_HUB_COMMAND_PEERS_SET, context, word, UINT32_MAX, 0);
    for (unsigned expert = 0; expert < region_count; expert++)
        failed |= refused(path, MOEHUB_HUB_COMMAND_REGION_SET, context, expert, regions[expert].base,
                          regions[expert].capacity);
    failed |= refused(path, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, context, 0, 0, 0);
    failed |= refused(path, MOEHUB_HUB_COMMAND_ENABLE, context, 0, 0, 0);
    return failed ? MOEHUB_E_STATE : 0;
}
