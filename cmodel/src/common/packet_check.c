/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/packet_check.h"

/* The walk over the ids of a packet, in their order. */
struct walk {
    const struct moehub_check_config *config;
    unsigned count;              /* ids that the header announces */
    unsigned seen;               /* places seen, unused ones too */
    uint32_t last;
    uint64_t ports;
    bool wrong;
};

static bool gpu_wrong(const struct moehub_check_config *config, unsigned gpu)
{
    if (config->hub)
        return gpu != config->own;
    return gpu == config->own || gpu >= config->ports;
}

/* The next place: an id, or after the last one 0. */
static void walk_place(struct walk *walk, uint32_t target)
{
    const uint32_t gpu = target >> walk->config->local_expert_bits;
    if (walk->seen >= walk->count)
        walk->wrong |= target != 0;
    else {
        walk->wrong |= gpu_wrong(walk->config, gpu) || (walk->seen > 0 && target <= walk->last);
        walk->ports |= walk->config->hub ? 0 : UINT64_C(1) << gpu % 64;
    }
    walk->last = target;
    walk->seen++;
}

static struct walk walk_target_flits(const struct moehub_check_config *config, unsigned target_count,
                                     const struct moehub_flit *flits, size_t count)
{
    struct walk walk = {.config = config, .count = target_count};
    for (size_t i = 0; i < count; i++) {
        uint16_t targets[MOEHUB_TARGETS_PER_FLIT];
        moehub_targets_unpack(flits[i], 0, targets, MOEHUB_TARGETS_PER_FLIT);
        for (unsigned j = 0; j < MOEHUB_TARGETS_PER_FLIT; j++)
            walk_place(&walk, targets[j]);
    }
    return walk;
}

/* How many GPUs the ids name; a hub's are on its own. */
static unsigned count_copies(const struct moehub_check_config *config, const struct moehub_header *header, uint64_t ports)
{
    return config->hub ? header->target_count > 0 : (unsigned)__builtin_popcountll(ports);
}

/* Refused requests whose sender is known are answered by a switch: a hub has no such way. */
static bool is_answered(const struct moehub_check_config *config, const struct moehub_header *header, unsigned cause)
{
    return !config->hub && header->type == MOEHUB_PACKET_LD_REDUCE && cause >= MOEHUB_PACKET_CAUSE_SOURCE &&
           cause <= MOEHUB_PACKET_CAUSE_FRAME;
}

struct moehub_packet_verdict moehub_packet_check(const struct moehub_check_config *config, unsigned packet_class,
                                                 const struct moehub_flit *flits, size_t count, bool broken)
{
    if (count == 0)
        return (struct moehub_packet_verdict){.cause = MOEHUB_PACKET_CAUSE_FRAME};
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    const struct moehub_header_verdict first = moehub_header_check(config, flits[0], packet_class);
    if (first.cause != MOEHUB_PACKET_CAUSES)
        return (struct moehub_packet_verdict){.cause = first.cause, .answered = is_answered(config, &header, first.cause)};
    const size_t came = count - 1 < first.target_flits ? count - 1 : first.target_flits;
    const struct walk walk = walk_target_flits(config, header.target_count, flits + 1, came);
    const unsigned cause = walk.wrong                           ? MOEHUB_PACKET_CAUSE_TARGET
                         : broken || count != first.flits ? MOEHUB_PACKET_CAUSE_FRAME
                                                              : MOEHUB_PACKET_CAUSES;
    if (cause != MOEHUB_PACKET_CAUSES)
        return (struct moehub_packet_verdict){.cause = (uint8_t)cause, .answered = is_answered(config, &header, cause)};
    return (struct moehub_packet_verdict){.cause = (uint8_t)cause,
                                          .copies = (uint8_t)count_copies(config, &header, walk.ports),
                                          .ports = walk.ports,
                                          .destination = first.destination};
}
