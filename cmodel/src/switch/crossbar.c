/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/crossbar.h"

#include "moehub/error.h"
#include "moehub/packet_copy.h"

#include <stdlib.h>
#include <string.h>

/* ---- one packet -------------------------------------------------------------------------------------- */

static bool has_targets(const struct moehub_header *header)
{
    return header->type == MOEHUB_PACKET_ROW_STORE || header->type == MOEHUB_PACKET_MULTIMEM_STORE ||
           header->type == MOEHUB_PACKET_LD_REDUCE;
}

/* The ids of a packet of FORMAT 0, `targets` [MOEHUB_TARGETS_MAX]; their number. */
static unsigned read_targets(const struct moehub_header *header, const struct moehub_flit *flits, uint16_t *targets)
{
    const unsigned count = header->target_count < MOEHUB_TARGETS_MAX ? header->target_count : MOEHUB_TARGETS_MAX;
    for (unsigned flit = 0; flit * MOEHUB_TARGETS_PER_FLIT < count; flit++)
        moehub_targets_unpack(flits[1 + flit], flit, targets, count);
    return count;
}

uint64_t moehub_crossbar_outputs(const struct moehub_crossbar_config *config, const struct moehub_flit *flits)
{
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    if (!has_targets(&header))
        return header.offset < config->ports ? UINT64_C(1) << header.offset : 0;
    uint16_t targets[MOEHUB_TARGETS_MAX];
    const unsigned count = read_targets(&header, flits, targets);
    uint64_t outputs = 0;
    for (unsigned i = 0; i < count; i++) {
        if (targets[i] >> config->local_expert_bits >= (int)config->ports)
            return 0;
        outputs |= UINT64_C(1) << (targets[i] >> config->local_expert_bits);
    }
    return outputs;
}

void moehub_crossbar_make_copy(const struct moehub_crossbar_config *config, const struct moehub_flit *flits, unsigned output,
                               struct moehub_crossbar_copy *copy)
{
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    const unsigned count = moehub_packet_flits(&header);
    unsigned body = 1 + moehub_header_target_flits(&header);
    copy->count = 1;
    copy->flits[0] = flits[0];
    if (has_targets(&header)) {
        uint16_t targets[MOEHUB_TARGETS_MAX];
        read_targets(&header, flits, targets);
        copy->count = moehub_packet_copy(&header, targets, output, config->local_expert_bits, copy->flits);
    }
    while (body < count)
        copy->flits[copy->count++] = flits[body++];
}

/* A record ends with its flit, with its third id, or where the next id is another output's. */
unsigned moehub_crossbar_copy_records(const struct moehub_crossbar_config *config, const struct moehub_flit *flits,
                                      unsigned output)
{
    enum { RECORD_IDS = 3 };
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    uint16_t targets[MOEHUB_TARGETS_MAX];
    const unsigned count = has_targets(&header) ? read_targets(&header, flits, targets) : 0;
    unsigned records = 0, ids = 0; /* of the record that is being filled */
    for (unsigned i = 0; i < count; i++) {
        if (i % MOEHUB_TARGETS_PER_FLIT == 0 || targets[i] >> config->local_expert_bits != (int)output)
            ids = 0;
        if (targets[i] >> config->local_expert_bits != (int)output)
            continue;
        records += ids % RECORD_IDS == 0;
        ids++;
    }
    return count == 0 ? 1 : records;
}

/* ---- the crossbar ------------------------------------------------------------------------------------ */

int moehub_crossbar_create(struct moehub_crossbar *crossbar, const struct moehub_crossbar_config *config)
{
    if (config->ports < 2 || config->ports > MOEHUB_CROSSBAR_PORTS_MAX || config->local_expert_bits > 8 ||
        config->packets < 1 || config->packets > MOEHUB_CROSSBAR_PACKETS_MAX)
        return MOEHUB_E_ARGUMENT;
    const size_t ports = config->ports;
    *crossbar = (struct moehub_crossbar){
        .config = *config,
        .packets = calloc(ports * config->packets, sizeof *crossbar->packets),
        .free_places = calloc(ports * config->packets, sizeof *crossbar->free_places),
        .free_counts = calloc(ports, sizeof *crossbar->free_counts),
        .records = calloc(ports, sizeof *crossbar->records),
        .queues = calloc(ports * ports, sizeof *crossbar->queues),
    };
    if (crossbar->packets == NULL || crossbar->free_places == NULL || crossbar->free_counts == NULL ||
        crossbar->records == NULL || crossbar->queues == NULL) {
        moehub_crossbar_destroy(crossbar);
        return MOEHUB_E_MEMORY;
    }
    moehub_crossbar_reset(crossbar);
    return 0;
}

void moehub_crossbar_destroy(struct moehub_crossbar *crossbar)
{
    if (crossbar == NULL)
        return;
    free(crossbar->packets);
    free(crossbar->free_places);
    free(crossbar->free_counts);
    free(crossbar->records);
    free(crossbar->queues);
    *crossbar = (struct moehub_crossbar){0};
}

void moehub_crossbar_reset(struct moehub_crossbar *crossbar)
{
    const struct moehub_crossbar_config *config = &crossbar->config;
    for (unsigned input = 0; input < config->ports; input++) {
        for (unsigned place = 0; place < config->packets; place++)
            crossbar->free_places[input * config->packets + place] = (uint16_t)place;
        crossbar->free_counts[input] = config->packets;
        crossbar->records[input] = 0;
    }
    memset(crossbar->queues, 0, (size_t)config->ports * config->ports * sizeof *crossbar->queues);
    crossbar->waiting = 0;
}

static struct moehub_crossbar_packet *packet_at(const struct moehub_crossbar *crossbar, unsigned input, unsigned place)
{
    return &crossbar->packets[input * crossbar->config.packets + place];
}

static struct moehub_crossbar_queue *queue_at(const struct moehub_crossbar *crossbar, unsigned input, unsigned output)
{
    return &crossbar->queues[input * crossbar->config.ports + output];
}

static void append(struct moehub_crossbar *crossbar, unsigned input, unsigned output, unsigned place)
{
    struct moehub_crossbar_queue *queue = queue_at(crossbar, input, output);
    if (queue->count == 0)
        queue->first = (uint16_t)place;
    else
        packet_at(crossbar, input, queue->last)->behind[output] = (uint16_t)place;
    queue->last = (uint16_t)place;
    queue->count++;
    crossbar->waiting++;
}

static unsigned records_at(const struct moehub_crossbar *crossbar, unsigned input, unsigned output, unsigned place)
{
    return moehub_crossbar_copy_records(&crossbar->config, packet_at(crossbar, input, place)->packet.flits, output);
}

int moehub_crossbar_accept(struct moehub_crossbar *crossbar, unsigned input, const struct moehub_flit *flits, unsigned count)
{
    if (input >= crossbar->config.ports || count == 0 || count > MOEHUB_CROSSBAR_FLITS_MAX)
        return MOEHUB_E_ARGUMENT;
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    if (header.format != MOEHUB_FORMAT_FULL || count != moehub_packet_flits(&header))
        return MOEHUB_E_ARGUMENT;
    const uint64_t outputs = moehub_crossbar_outputs(&crossbar->config, flits);
    if (outputs == 0)
        return MOEHUB_E_ARGUMENT;
    if (crossbar->free_counts[input] == 0)
        return MOEHUB_E_LIMIT;
    const unsigned place = crossbar->free_places[input * crossbar->config.packets + --crossbar->free_counts[input]];
    struct moehub_crossbar_packet *packet = packet_at(crossbar, input, place);
    memcpy(packet->packet.flits, flits, count * sizeof *flits);
    packet->packet.count = count;
    packet->outputs = outputs;
    for (unsigned output = 0; output < crossbar->config.ports; output++)
        if ((outputs >> output & 1) != 0) {
            append(crossbar, input, output, place);
            crossbar->records[input] += records_at(crossbar, input, output, place);
        }
    return 0;
}

unsigned moehub_crossbar_records(const struct moehub_crossbar *crossbar, unsigned input)
{
    return crossbar->records[input];
}

unsigned moehub_crossbar_count(const struct moehub_crossbar *crossbar, unsigned input, unsigned output)
{
    return queue_at(crossbar, input, output)->count;
}

int moehub_crossbar_next(const struct moehub_crossbar *crossbar, unsigned input, unsigned output,
                         struct moehub_crossbar_copy *copy)
{
    const struct moehub_crossbar_queue *queue = queue_at(crossbar, input, output);
    if (queue->count == 0)
        return MOEHUB_E_STATE;
    moehub_crossbar_make_copy(&crossbar->config, packet_at(crossbar, input, queue->first)->packet.flits, output, copy);
    return 0;
}

int moehub_crossbar_leave(struct moehub_crossbar *crossbar, unsigned input, unsigned output)
{
    struct moehub_crossbar_queue *queue = queue_at(crossbar, input, output);
    if (queue->count == 0)
        return MOEHUB_E_STATE;
    const unsigned place = queue->first;
    struct moehub_crossbar_packet *packet = packet_at(crossbar, input, place);
    queue->first = packet->behind[output];
    queue->count--;
    crossbar->waiting--;
    crossbar->records[input] -= records_at(crossbar, input, output, place);
    packet->outputs &= ~(UINT64_C(1) << output);
    if (packet->outputs == 0)
        crossbar->free_places[input * crossbar->config.packets + crossbar->free_counts[input]++] = (uint16_t)place;
    return 0;
}
