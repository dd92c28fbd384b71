/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/way.h"

#include "moehub/row_list_address.h"

#include <string.h>

int moehub_way_create(struct moehub_way *way, const struct moehub_way_config *config, size_t offenders)
{
    memset(way, 0, sizeof *way);
    way->config = *config;
    return moehub_offenders_create(&way->offenders, offenders);
}

void moehub_way_destroy(struct moehub_way *way)
{
    moehub_offenders_destroy(&way->offenders);
}

void moehub_way_packet_read(struct moehub_way_packet *packet, const struct moehub_flit *flits, unsigned count)
{
    memset(packet, 0, sizeof *packet);
    memcpy(packet->flits, flits, count * sizeof *flits);
    packet->header = moehub_header_unpack(flits[0]);
    const struct moehub_header *header = &packet->header;
    if (header->format == MOEHUB_FORMAT_COMPACT) {
        for (unsigned i = 0; i < header->target_count; i++)
            packet->ids[i] = header->local_targets[i];
        return;
    }
    for (unsigned i = 0; i < moehub_header_target_flits(header); i++)
        moehub_targets_unpack(flits[1 + i], i, packet->ids, header->target_count);
}

static void offend(struct moehub_way *way, unsigned cause, struct moehub_flit header, bool flags, unsigned context)
{
    const struct moehub_offender offender = {.header = header, .port = (uint8_t)way->config.way, .cause = (uint8_t)cause};
    way->counters[MOEHUB_HUB_WAY_EVENT_CAUSES + cause]++;
    moehub_offenders_add(&way->offenders, &offender);
    if (flags)
        way->failed |= (uint8_t)(1u << context);
}

/* ---- check: section 3, table of step 1 ------------------------------------------------------------------------------------- */

/* Whose row it has to be; a close names none. */
static bool owned(const struct moehub_way *way, const struct moehub_header *header, const struct moehub_way_context *context)
{
    if (header->type == MOEHUB_PACKET_CLOSE)
        return true;
    const uint32_t owner = header->type == MOEHUB_PACKET_NOTIFY ? way->config.own : header->source;
    return header->row_index >> context->owner_shift == owner;
}

static unsigned first_cause(const struct moehub_way *way, const struct moehub_header *header)
{
    if (header->context >= way->config.contexts || !way->contexts[header->context].enabled)
        return MOEHUB_HUB_WAY_CAUSE_CONTEXT;
    const struct moehub_way_context *context = &way->contexts[header->context];
    if (header->source >= 64 || (context->peers & UINT64_C(1) << header->source) == 0)
        return MOEHUB_HUB_WAY_CAUSE_PEER;
    if (context->round != header->round)
        return MOEHUB_HUB_WAY_CAUSE_ROUND;
    if (!owned(way, header, context))
        return MOEHUB_HUB_WAY_CAUSE_OWNER;
    const bool store = header->type == MOEHUB_PACKET_ROW_STORE || header->type == MOEHUB_PACKET_MULTIMEM_STORE;
    return store && context->arrived ? MOEHUB_HUB_WAY_CAUSE_ARRIVED : 0;
}

/* A request flags nobody: who asked sees its status. */
static bool flags(const struct moehub_header *header, unsigned cause)
{
    return header->type != MOEHUB_PACKET_LD_REDUCE && moehub_way_cause_counts(cause);
}

unsigned moehub_way_check(struct moehub_way *way, struct moehub_flit flit)
{
    const struct moehub_header header = moehub_header_unpack(flit);
    const unsigned cause = first_cause(way, &header);
    if (cause != 0)
        offend(way, cause, flit, flags(&header, cause), header.context);
    else if (header.type == MOEHUB_PACKET_CLOSE)
        way->counters[MOEHUB_HUB_WAY_EVENT_CLOSES]++;
    else if (header.type == MOEHUB_PACKET_NOTIFY)
        way->counters[MOEHUB_HUB_WAY_EVENT_NOTIFIES]++;
    return cause;
}

bool moehub_way_cause_counts(unsigned cause)
{
    return cause >= MOEHUB_HUB_WAY_CAUSE_OWNER && cause <= MOEHUB_HUB_WAY_CAUSE_ARRIVED;
}

/* ---- questions ------------------------------------------------------------------------------------------------------------ */

void moehub_way_ask(const struct moehub_way *way, const struct moehub_way_packet *packet, unsigned target,
                    struct moehub_way_question *question)
{
    const struct moehub_header *header = &packet->header;
    const bool read = header->type == MOEHUB_PACKET_LD_REDUCE;
    *question = (struct moehub_way_question){
        .read = read,
        .first = header->first && !read,
        .context = header->context,
        .expert = (uint8_t)(packet->ids[target] % (1u << way->config.local_expert_bits)),
        .source = (uint8_t)header->source,
        .row_index = header->row_index,
        .offset = header->offset,
        .length = (uint16_t)(read ? 16u * header->length : header->length),
        .port = (uint8_t)(2 * way->config.way + read),
    };
}

void moehub_way_requested(const struct moehub_way_packet *packet, unsigned cause, struct moehub_way_request *request)
{
    const struct moehub_header *header = &packet->header;
    const bool of_context = cause == MOEHUB_HUB_WAY_CAUSE_CONTEXT || cause == MOEHUB_HUB_WAY_CAUSE_ROUND;
    *request = (struct moehub_way_request){
        .source = (uint8_t)header->source,
        .context = header->context,
        .round = header->round,
        .element = header->element,
        .targets = header->target_count,
        .status = cause == 0 ? MOEHUB_STATUS_OK : of_context ? MOEHUB_STATUS_CONTEXT : MOEHUB_STATUS_PEER,
        .tag = header->tag,
        .offset = header->offset / 16,
        .length = header->length,
    };
}

/* ---- stores: steps 2 and 3 ------------------------------------------------------------------------------------------------ */

/* Beats of the line, from its first to its last; returns the bytes that are written. */
static unsigned read_line(const struct moehub_way_packet *packet, struct moehub_way_write *write)
{
    const struct moehub_header *header = &packet->header;
    const unsigned offset = header->offset / 16 % 8, units = header->length / 16, first_beat = offset / 2;
    unsigned next = 1 + moehub_header_target_flits(header), bytes = 0;
    uint8_t enables[MOEHUB_FLIT_BYTES];
    memset(enables, 0xFF, sizeof enables);
    if (header->byte_enables)
        moehub_flit_to_bytes(packet->flits[next++], enables);
    write->beats = (offset + units - 1) / 2 - first_beat + 1;
    for (unsigned i = 0; i < units; i++) {
        const unsigned unit = offset + i, beat = unit / 2 - first_beat, half = unit % 2 * 16;
        const uint32_t strobes = (uint32_t)enables[2 * i] | (uint32_t)enables[2 * i + 1] << 8;
        uint8_t payload[MOEHUB_FLIT_BYTES];
        moehub_flit_to_bytes(packet->flits[next + i], payload);
        write->strobes[beat] |= strobes << half;
        for (unsigned b = 0; b < MOEHUB_FLIT_BYTES; b++)
            if (strobes & 1u << b) {
                write->data[beat][half + b] = payload[b];
                bytes++;
            }
    }
    return bytes;
}

static void write_word(const struct moehub_way *way, const struct moehub_way_packet *packet,
                       const struct moehub_way_answer *answer, struct moehub_way_write *write)
{
    const struct moehub_way_context *context = &way->contexts[packet->header.context];
    const uint64_t address = moehub_row_list_address(context->list_base, context->list_shift, answer->expert, answer->slot,
                                                     way->config.address_width);
    const unsigned byte = address % MOEHUB_WAY_BEAT_BYTES;
    write->address = address - byte;
    write->beats = 1;
    write->strobes[0] = UINT32_C(0xF) << byte;
    for (unsigned i = 0; i < 4; i++)
        write->data[0][byte + i] = (uint8_t)(packet->header.row_index >> 8 * i);
}

static struct moehub_way_completed record_of(const struct moehub_header *header, unsigned kind, unsigned value, bool last)
{
    return (struct moehub_way_completed){.kind = (uint8_t)kind, .context = header->context, .source = (uint8_t)header->source,
                                         .value = (uint8_t)value, .last = last};
}

/* The latch has the names and the answer's status, and nothing else. */
static void refuse_pair(struct moehub_way *way, const struct moehub_header *header, const struct moehub_way_answer *answer)
{
    const struct moehub_header told = {.context = header->context, .source = header->source, .row_index = header->row_index,
                                       .status = answer->status};
    offend(way, MOEHUB_HUB_WAY_CAUSE_ANSWER, moehub_header_pack(&told), true, header->context);
}

void moehub_way_answered(struct moehub_way *way, const struct moehub_way_packet *packet, const struct moehub_way_answer *answer,
                         bool last, struct moehub_way_outcome *outcome)
{
    const struct moehub_header *header = &packet->header;
    memset(outcome, 0, sizeof *outcome);
    if (answer->status != MOEHUB_STATUS_OK) {
        refuse_pair(way, header, answer);
        outcome->record[0] = record_of(header, MOEHUB_COMPLETED_REFUSED, 1, last);
        outcome->record[0].expert = answer->expert;
        outcome->records = 1;
        return;
    }
    if (answer->allocated) {
        write_word(way, packet, answer, &outcome->write[0]);
        outcome->record[0] = record_of(header, MOEHUB_COMPLETED_WORD, 0, false);
        outcome->writes = 1;
        way->counters[MOEHUB_HUB_WAY_EVENT_WORDS_WRITTEN]++;
    }
    struct moehub_way_write *line = &outcome->write[outcome->writes];
    const unsigned bytes = read_line(packet, line);
    line->address = answer->address - answer->address % MOEHUB_WAY_BEAT_BYTES;
    outcome->record[outcome->writes] = record_of(header, MOEHUB_COMPLETED_BYTES, bytes, last);
    outcome->records = ++outcome->writes;
    for (unsigned i = 0; i < outcome->records; i++) {
        outcome->record[i].expert = answer->expert;
        outcome->record[i].slot = answer->slot;
    }
    way->counters[MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN]++;
}

bool moehub_way_refused(const struct moehub_way_packet *packet, unsigned cause, struct moehub_way_completed *record)
{
    if (!moehub_way_cause_counts(cause))
        return false;
    *record = record_of(&packet->header, MOEHUB_COMPLETED_REFUSED, packet->header.target_count, true);
    return true;
}

/* ---- completed writes: step 4 --------------------------------------------------------------------------------------------- */

void moehub_way_completed_taken(struct moehub_way *way, struct moehub_way_completed *record, bool error)
{
    record->error = error && record->kind != MOEHUB_COMPLETED_REFUSED;
    way->counters[MOEHUB_HUB_WAY_EVENT_BYTES] += record->kind == MOEHUB_COMPLETED_BYTES;
    way->counters[MOEHUB_HUB_WAY_EVENT_REFUSED] += record->kind == MOEHUB_COMPLETED_REFUSED;
    if (!record->error)
        return;
    const struct moehub_header told = {.context = record->context, .source = record->source};
    offend(way, MOEHUB_HUB_WAY_CAUSE_WRITE, moehub_header_pack(&told), false, record->context);
}
