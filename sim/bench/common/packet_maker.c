/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/packet_maker.h"

#include "kit/parameters.h"

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

static const struct packet_shape any_shape = {.length = LENGTH_ANY, .compactable = false};

/* Any GPU but the receiver's own. */
static unsigned other_gpu(struct packet_maker *maker)
{
    return packet_draw_other(&maker->random, maker->config.ports, maker->config.own);
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
    for (unsigned i = 0; i < wanted; i++)
        draft->target_count = packet_insert_target(draft->targets, draft->target_count, legal_target(maker, spread));
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

static void draw_type(struct packet_maker *maker, struct draft *draft)
{
    static const uint8_t up[] = {1, 2, 2, 3, 3, 4, 7, 8};
    static const uint8_t down[] = {1, 2, 2, 3, 3, 7, 8, 5};
    draft->header.type = maker->config.hub ? down[below(maker, maker->config.loop_back ? 7 : 8)] : up[below(maker, 8)];
    switch (draft->header.type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        draft->packet_class = MOEHUB_CLASS_STORE;
        packet_draw_store(&maker->random, &any_shape, &draft->header);
        draw_targets(maker, draft, draft->header.type == MOEHUB_PACKET_ROW_STORE ? 1 : maker->config.max_targets);
        break;
    case MOEHUB_PACKET_LD_REDUCE:
        draft->packet_class = MOEHUB_CLASS_REQUEST;
        packet_draw_request(&maker->random, &any_shape, maker->config.request_lines, &draft->header);
        draw_targets(maker, draft, maker->config.max_targets);
        break;
    case MOEHUB_PACKET_PARTIAL:
    case MOEHUB_PACKET_RESULT:
        draft->packet_class = MOEHUB_CLASS_RESPONSE;
        packet_draw_answer(&maker->random, &any_shape, &draft->header);
        break;
    default:
        draft->packet_class = MOEHUB_CLASS_RESPONSE;
        packet_draw_notice(&maker->random, &draft->header);
    }
}

static struct draft draw_good(struct packet_maker *maker)
{
    struct draft draft = {.target_count = 0};
    struct moehub_header *header = &draft.header;
    draw_type(maker, &draft);
    packet_draw_names(&maker->random, header);
    const bool own_source = !maker->config.hub || maker->config.loop_back || header->type == MOEHUB_PACKET_RESULT;
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
    packet_fill(&draft->header, draft->targets, draft->target_count, &maker->random, packet->flits, MADE_FLITS_MAX);
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
    enum { OWN = 6, MOST = 16 };
    uint32_t hub = 0, loop_back = 0, ports = 8, local_expert_bits = 8, max_targets = 32, request_lines = 8;
    struct parameter parameters[MOST] = {
        {.name = "TOWARDS_HUB", .value = &hub},
        {.name = "LOOP_BACK", .value = &loop_back},
        {.name = "PORTS", .value = &ports},
        {.name = "LOCAL_EXPERT_BITS", .value = &local_expert_bits},
        {.name = "MAX_TARGETS", .value = &max_targets},
        {.name = "REQUEST_LINES", .value = &request_lines},
    };
    if (more_count > 0)
        memcpy(parameters + OWN, more, more_count * sizeof *more);
    parameters_read(dut_description(), "", NULL, parameters, OWN + more_count);
    return (struct moehub_check_config){.hub = hub != 0, .loop_back = loop_back != 0, .ports = (uint16_t)ports,
                                        .max_targets = (uint8_t)max_targets,
                                        .local_expert_bits = (uint8_t)local_expert_bits,
                                        .request_lines = (uint8_t)request_lines};
}
