/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/packet_maker.h"

#include "kit/parameters.h"

#include <stdlib.h>
#include <string.h>

/* What a packet is made of, before it is packed. */
struct draft {
    struct moehub_header header;
    uint16_t targets[MADE_TARGETS_MAX];
    unsigned target_count; /* of `targets`; the rest are 0 */
    unsigned packet_class;
    int further_flits;     /* more than the header says; negative: fewer */
};

void packet_maker_create(struct packet_maker *maker, const struct bench *bench, const struct moehub_check_config *config,
                         const char *name)
{
    maker->config = *config;
    bench_random(bench, &maker->random, name);
}

static unsigned below(struct packet_maker *maker, unsigned bound)
{
    return (unsigned)random_below(&maker->random, bound);
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* ---- well-formed packets ------------------------------------------------------------------------------------ */

/* Any GPU but the receiver's own. */
static unsigned other_gpu(struct packet_maker *maker)
{
    const unsigned gpu = below(maker, maker->config.ports - 1u);
    return gpu + (gpu >= maker->config.own);
}

static int by_number(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Some id that this receiver takes; often one of a few, so that GPUs are shared. */
static uint16_t legal_target(struct packet_maker *maker, unsigned spread)
{
    const unsigned bits = maker->config.local_expert_bits;
    const unsigned local = below(maker, smaller(1u << bits, spread));
    return (uint16_t)((maker->config.hub ? maker->config.own : other_gpu(maker)) << bits | local);
}

/* At most `most` ids, ascending; at least one. */
static void draw_targets(struct packet_maker *maker, struct draft *draft, unsigned most)
{
    const unsigned wanted = 1 + below(maker, random_chance(&maker->random, 1, 2) ? smaller(most, 4) : most);
    const unsigned spread = random_chance(&maker->random, 1, 2) ? 4 : 256;
    uint16_t drawn[MADE_TARGETS_MAX];
    for (unsigned i = 0; i < wanted; i++)
        drawn[i] = legal_target(maker, spread);
    qsort(drawn, wanted, sizeof *drawn, by_number);
    for (unsigned i = 0; i < wanted; i++)
        if (i == 0 || drawn[i] != drawn[i - 1])
            draft->targets[draft->target_count++] = drawn[i];
    draft->header.target_count = (uint8_t)draft->target_count;
}

/* FORMAT 1, where it can be. */
static void make_compact(struct packet_maker *maker, struct draft *draft)
{
    struct moehub_header *header = &draft->header;
    if (!maker->config.hub || header->target_count > MOEHUB_COMPACT_TARGETS || header->offset % MOEHUB_LINE_BYTES != 0)
        return;
    header->format = MOEHUB_FORMAT_COMPACT;
    header->offset &= 0x3FFF;
    header->row_index &= 0x3FFFFFF;
    for (unsigned i = 0; i < header->target_count; i++)
        header->local_targets[i] = (uint8_t)(draft->targets[i] & ((1u << maker->config.local_expert_bits) - 1));
}

static void draw_store(struct packet_maker *maker, struct draft *draft)
{
    struct moehub_header *header = &draft->header;
    const unsigned flits = 1 + below(maker, 8);
    const unsigned first = random_chance(&maker->random, 1, 2) ? 0 : below(maker, 9 - flits);
    header->length = (uint16_t)(16 * flits);
    header->offset = (uint16_t)(128 * below(maker, 512) + 16 * first);
    header->first = random_chance(&maker->random, 1, 2);
    header->nop = random_chance(&maker->random, 1, 2);
    header->byte_enables = random_chance(&maker->random, 1, 3);
    header->element = (uint8_t)below(maker, 4);
    header->row_index = (uint32_t)random_next(&maker->random);
    draw_targets(maker, draft, header->type == MOEHUB_PACKET_ROW_STORE ? 1 : maker->config.max_targets);
}

static void draw_request(struct packet_maker *maker, struct draft *draft)
{
    struct moehub_header *header = &draft->header;
    header->length = (uint16_t)(1 + below(maker, 8u * maker->config.request_lines));
    const unsigned lines = (header->length + 7u) / 8;
    const unsigned last = MOEHUB_ROW_LINES - lines;
    header->offset = (uint16_t)(128 * (random_chance(&maker->random, 1, 8) ? last : below(maker, last + 1)));
    header->out_fp32 = random_chance(&maker->random, 1, 2);
    header->element = (uint8_t)below(maker, 3);
    header->operation = MOEHUB_OPERATION_SUM;
    header->stage = MOEHUB_STAGE_COMBINE;
    header->row_index = (uint32_t)random_next(&maker->random);
    draw_targets(maker, draft, maker->config.max_targets);
}

static void draw_answer(struct packet_maker *maker, struct draft *draft)
{
    struct moehub_header *header = &draft->header;
    const bool result = header->type == MOEHUB_PACKET_RESULT;
    header->stage = MOEHUB_STAGE_COMBINE;
    header->element = (uint8_t)below(maker, 3);
    header->out_fp32 = result && random_chance(&maker->random, 1, 2);
    if (random_chance(&maker->random, 1, 4))
        header->status = (uint8_t)(1 + below(maker, 15));
    else
        header->length = (uint16_t)(16 * (1 + below(maker, result ? 16 : 8)));
}

static void draw_notice(struct packet_maker *maker, struct draft *draft)
{
    struct moehub_header *header = &draft->header;
    header->row_index = (uint32_t)random_next(&maker->random);
    if (header->type == MOEHUB_PACKET_CLOSE)
        return;
    header->stage = MOEHUB_STAGE_COMBINE;
    header->status = (uint8_t)below(maker, 16);
}

static void draw_type(struct packet_maker *maker, struct draft *draft)
{
    static const uint8_t up[] = {1, 2, 2, 3, 3, 4, 7, 8};
    static const uint8_t down[] = {1, 2, 2, 3, 3, 5, 7, 8};
    draft->header.type = maker->config.hub ? down[below(maker, 8)] : up[below(maker, 8)];
    switch (draft->header.type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        draft->packet_class = MOEHUB_CLASS_STORE;
        draw_store(maker, draft);
        break;
    case MOEHUB_PACKET_LD_REDUCE:
        draft->packet_class = MOEHUB_CLASS_REQUEST;
        draw_request(maker, draft);
        break;
    case MOEHUB_PACKET_PARTIAL:
    case MOEHUB_PACKET_RESULT:
        draft->packet_class = MOEHUB_CLASS_RESPONSE;
        draw_answer(maker, draft);
        break;
    default:
        draft->packet_class = MOEHUB_CLASS_RESPONSE;
        draw_notice(maker, draft);
    }
}

static struct draft draw_good(struct packet_maker *maker)
{
    struct draft draft = {.target_count = 0};
    struct moehub_header *header = &draft.header;
    draw_type(maker, &draft);
    header->context = (uint8_t)below(maker, 8);
    header->tag = (uint32_t)random_bits(&maker->random, 24);
    header->round = (uint8_t)below(maker, 16);
    const bool own_source = !maker->config.hub || header->type == MOEHUB_PACKET_RESULT;
    header->source = (uint16_t)(own_source ? maker->config.own : other_gpu(maker));
    if (draft.packet_class == MOEHUB_CLASS_RESPONSE)
        header->offset = (uint16_t)(maker->config.hub ? maker->config.own : other_gpu(maker));
    else if (random_chance(&maker->random, 2, 3))
        make_compact(maker, &draft);
    return draft;
}

/* ---- near misses ---------------------------------------------------------------------------------------------- */

static void miss_target(struct packet_maker *maker, struct draft *draft)
{
    const bool next_flit = draft->target_count > MOEHUB_TARGETS_PER_FLIT && random_chance(&maker->random, 1, 4);
    const unsigned place = next_flit ? MOEHUB_TARGETS_PER_FLIT : below(maker, draft->target_count + 2);
    uint16_t *target = &draft->targets[smaller(place, MADE_TARGETS_MAX - 1)];
    const unsigned bits = maker->config.local_expert_bits;
    switch (below(maker, 5)) {
    case 0: *target ^= (uint16_t)(1u << below(maker, 16)); break;
    case 1: *target = (uint16_t)(place > 0 ? draft->targets[place - 1] : maker->config.ports << bits); break;
    case 2: *target = (uint16_t)((unsigned)maker->config.own << bits | below(maker, 1u << bits)); break;
    case 3: *target = (uint16_t)((unsigned)maker->config.ports << bits); break;
    default: draft->header.local_targets[below(maker, 3)] = (uint8_t)below(maker, 256);
    }
    if (place >= draft->target_count)
        draft->target_count = place + 1; /* an unused place that is not 0, unless it is */
}

static void miss_length(struct packet_maker *maker, struct draft *draft)
{
    static const int steps[] = {-128, -16, -8, -1, 1, 8, 16, 128};
    draft->header.length = (uint16_t)((draft->header.length + steps[below(maker, 8)]) & 0x1FF);
}

static void miss_offset(struct packet_maker *maker, struct draft *draft)
{
    static const unsigned offsets[] = {1, 8, 16, 64, 112, 128, 65408, 65520, 65535};
    draft->header.offset = (uint16_t)(draft->header.offset + offsets[below(maker, 9)]);
}

static void miss_gpu(struct packet_maker *maker, uint16_t *gpu)
{
    const unsigned gpus[] = {maker->config.own, maker->config.ports, maker->config.ports - 1u, below(maker, 1024)};
    *gpu = (uint16_t)gpus[below(maker, 4)];
}

static void miss_field(struct packet_maker *maker, struct moehub_header *header)
{
    switch (below(maker, 8)) {
    case 0: header->zero = (uint8_t)(1u << below(maker, 5)); break;
    case 1: header->stage ^= 1; break;
    case 2: header->operation = (uint8_t)below(maker, 4); break;
    case 3: header->element = (uint8_t)below(maker, 4); break;
    case 4: header->status ^= (uint8_t)(1u << below(maker, 4)); break;
    case 5: header->out_fp32 = !header->out_fp32; break;
    case 6: header->row_index ^= UINT32_C(1) << below(maker, 32); break;
    default: header->byte_enables = !header->byte_enables;
    }
}

static void miss(struct packet_maker *maker, struct draft *draft)
{
    struct moehub_header *header = &draft->header;
    switch (below(maker, 12)) {
    case 0: header->type = (uint8_t)below(maker, 16); break;
    case 1: draft->packet_class = below(maker, 3); break;
    case 2: header->format = (uint8_t)below(maker, 4); break;
    case 3: miss_field(maker, header); break;
    case 4: miss_gpu(maker, &header->source); break;
    case 5: miss_length(maker, draft); break;
    case 6: miss_offset(maker, draft); break;
    case 7: header->target_count = (uint8_t)below(maker, 64); break;
    case 8: miss_gpu(maker, &header->offset); break;
    case 9: draft->further_flits = (int)below(maker, 9) - 4; break;
    default: miss_target(maker, draft);
    }
}

/* ---- flits ------------------------------------------------------------------------------------------------------ */

static void put_noise(struct packet_maker *maker, struct moehub_flit *flit)
{
    flit->half[0] = random_next(&maker->random);
    flit->half[1] = random_next(&maker->random);
}

static void pack(struct packet_maker *maker, const struct draft *draft, struct made_packet *packet)
{
    const int flits = (int)moehub_packet_flits(&draft->header) + draft->further_flits;
    packet->packet_class = draft->packet_class;
    packet->count = flits < 1 ? 1 : smaller((unsigned)flits, MADE_FLITS_MAX);
    for (unsigned i = 0; i < MADE_FLITS_MAX; i++)
        put_noise(maker, &packet->flits[i]);
    packet->flits[0] = moehub_header_pack(&draft->header);
    for (unsigned i = 0; i < moehub_header_target_flits(&draft->header); i++)
        packet->flits[1 + i] = moehub_targets_pack(draft->targets, draft->target_count, i);
}

void packet_maker_good(struct packet_maker *maker, struct made_packet *packet)
{
    const struct draft draft = draw_good(maker);
    pack(maker, &draft, packet);
}

void packet_maker_any(struct packet_maker *maker, struct made_packet *packet)
{
    struct draft draft = draw_good(maker);
    const bool wrong = random_chance(&maker->random, 1, 2);
    for (unsigned i = wrong ? 1 + below(maker, 2) : 0; i > 0; i--)
        miss(maker, &draft);
    pack(maker, &draft, packet);
    if (wrong && random_chance(&maker->random, 1, 8))
        packet->flits[0].half[below(maker, 2)] ^= UINT64_C(1) << below(maker, 64);
    if (wrong && random_chance(&maker->random, 1, 32))
        put_noise(maker, &packet->flits[0]);
}

/* ---- the design's parameters ---------------------------------------------------------------------------------------- */

struct moehub_check_config check_config_read(const struct parameter *more, size_t more_count)
{
    enum { OWN = 5, MOST = 16 };
    uint32_t hub = 0, ports = 8, local_expert_bits = 8, max_targets = 32, request_lines = 8;
    struct parameter parameters[MOST] = {
        {.name = "TOWARDS_HUB", .value = &hub},
        {.name = "PORTS", .value = &ports},
        {.name = "LOCAL_EXPERT_BITS", .value = &local_expert_bits},
        {.name = "MAX_TARGETS", .value = &max_targets},
        {.name = "REQUEST_LINES", .value = &request_lines},
    };
    if (more_count > 0)
        memcpy(parameters + OWN, more, more_count * sizeof *more);
    parameters_read(dut_description(), "", NULL, parameters, OWN + more_count);
    return (struct moehub_check_config){.hub = hub != 0, .ports = (uint16_t)ports, .max_targets = (uint8_t)max_targets,
                                        .local_expert_bits = (uint8_t)local_expert_bits,
                                        .request_lines = (uint8_t)request_lines};
}
