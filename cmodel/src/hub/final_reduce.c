/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/final_reduce.h"

#include <string.h>

enum { PORTS = 3, OWN_PORT = 2, CONTRIBUTORS = 2, LENGTH_BITS = 9 };

int moehub_final_reduce_create(struct moehub_final_reduce *final, const struct moehub_final_reduce_config *config)
{
    const struct moehub_reduction_buffer_config buffer = {.entries = config->final_groups * config->request_lines,
                                                          .ports = PORTS,
                                                          .payload_bytes = MOEHUB_LINE_BYTES,
                                                          .flit_bytes = MOEHUB_FLIT_BYTES,
                                                          .max_contributors = CONTRIBUTORS,
                                                          .with_fp32 = config->with_fp32,
                                                          .generation_width = 8,
                                                          .tag_width = MOEHUB_FINAL_REDUCE_TAG_WIDTH,
                                                          .request_lines = config->request_lines,
                                                          .quarantine = 1,
                                                          .own_port = OWN_PORT,
                                                          .payloads = true};
    final->config = *config;
    return moehub_reduction_buffer_create(&final->buffer, &buffer);
}

void moehub_final_reduce_destroy(struct moehub_final_reduce *final)
{
    if (final != NULL)
        moehub_reduction_buffer_destroy(&final->buffer);
}

int moehub_final_reduce_reserve(struct moehub_final_reduce *final, const struct moehub_reduce_reservation *reservation,
                                struct moehub_reduction_grant *grant)
{
    const struct moehub_reduction_reserve reserve = {
        .tag = (uint64_t)reservation->context << MOEHUB_HEADER_TAG_WIDTH | (reservation->tag & MOEHUB_TAG_MASK),
        .contributors = reservation->contributors,
        .requester = (uint16_t)final->config.own,
        .length = reservation->length,
        .element = reservation->element,
        .lines_less_1 = reservation->lines_less_1};
    return moehub_reduction_buffer_reserve(&final->buffer, &reserve, grant);
}

/* Without payload a flit of zeros takes its place. */
static void part_read(const struct moehub_flit *flits, unsigned count, const struct moehub_header *header,
                      struct moehub_line_part *part)
{
    *part = (struct moehub_line_part){
        .flits = count > 1 ? count - 1 : 1, .status = header->status, .element = header->element, .length = header->length};
    memcpy(part->data, flits + 1, (count - 1) * sizeof *flits);
}

void moehub_result_part(const struct moehub_flit *flits, unsigned count, struct moehub_line_part *part)
{
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    part_read(flits, count, &header, part);
    part->entry = (uint16_t)header.tag;
    part->generation = (uint8_t)(header.tag >> 16);
}

unsigned moehub_own_part(const struct moehub_flit *flits, unsigned count, struct moehub_line_part *part)
{
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    part_read(flits, count, &header, part);
    part->entry = (uint16_t)(header.tag >> 8 & 0x3FFF);
    part->generation = (uint8_t)header.tag;
    return header.tag >> 22;
}

unsigned moehub_final_reduce_part(struct moehub_final_reduce *final, unsigned port, const struct moehub_line_part *part)
{
    uint8_t bytes[sizeof part->data];
    for (unsigned i = 0; i < part->flits; i++)
        moehub_flit_to_bytes(part->data[i], &bytes[(size_t)MOEHUB_FLIT_BYTES * i]);
    const struct moehub_reduction_partial partial = {.data = bytes,
                                                     .flits = part->flits,
                                                     .entry = part->entry,
                                                     .length = part->length,
                                                     .generation = part->generation,
                                                     .port = (uint8_t)port,
                                                     .status = part->status,
                                                     .element = part->element};
    return moehub_reduction_buffer_partial(&final->buffer, &partial);
}

int moehub_final_reduce_taken(struct moehub_final_reduce *final, unsigned entry, struct moehub_reduced *reduced)
{
    struct moehub_reduction_result result;
    const int error = moehub_reduction_buffer_result_taken(&final->buffer, entry, &result);
    if (error != 0)
        return error;
    *reduced = (struct moehub_reduced){.flits = result.flits,
                                       .tag = (uint32_t)result.tag & MOEHUB_TAG_MASK,
                                       .length = result.length,
                                       .context = (uint8_t)(result.tag >> MOEHUB_HEADER_TAG_WIDTH),
                                       .line = (uint8_t)(entry % final->config.request_lines),
                                       .status = result.status,
                                       .element = result.element};
    for (unsigned i = 0; i < result.flits; i++)
        reduced->data[i] = moehub_flit_from_bytes(&result.data[(size_t)MOEHUB_FLIT_BYTES * i]);
    return 0;
}

/* Widths of the fields of tuser, from bit 0 on: status, element, length, line, tag, context. */
enum { USER_FIELDS = 6 };
static const unsigned user_bits[USER_FIELDS] = {4, 2, LENGTH_BITS, 3, MOEHUB_HEADER_TAG_WIDTH, 3};

uint64_t moehub_reduced_user(const struct moehub_reduced *reduced)
{
    const uint64_t fields[USER_FIELDS] = {reduced->status, reduced->element, reduced->length,
                                          reduced->line,   reduced->tag,     reduced->context};
    uint64_t user = 0;
    for (unsigned i = 0, lsb = 0; i < USER_FIELDS; lsb += user_bits[i++])
        user |= (fields[i] & ((UINT64_C(1) << user_bits[i]) - 1)) << lsb;
    return user;
}

void moehub_reduced_read_user(uint64_t user, struct moehub_reduced *reduced)
{
    uint64_t fields[USER_FIELDS];
    for (unsigned i = 0; i < USER_FIELDS; user >>= user_bits[i++])
        fields[i] = user & ((UINT64_C(1) << user_bits[i]) - 1);
    reduced->status = (uint8_t)fields[0];
    reduced->element = (uint8_t)fields[1];
    reduced->length = (uint16_t)fields[2];
    reduced->line = (uint8_t)fields[3];
    reduced->tag = (uint32_t)fields[4];
    reduced->context = (uint8_t)fields[5];
}
