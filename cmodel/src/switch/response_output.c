/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/response_output.h"

void moehub_response_output_reset(struct moehub_response_output *output, uint32_t notices)
{
    *output = (struct moehub_response_output){.notices = notices};
}

static bool is_partial(const struct moehub_response_output_cycle *cycle)
{
    return moehub_header_unpack(cycle->row_data).type == MOEHUB_PACKET_PARTIAL;
}

static bool cycle_legal(const struct moehub_response_output *output, const struct moehub_response_output_cycle *cycle)
{
    if (cycle->granted && !output->room)
        return false;
    if (cycle->notice_taken && !output->notice)
        return false;
    if (!cycle->row)
        return true;
    if (cycle->row_first)
        return !output->inside && output->coming > 0 && (cycle->row_last || is_partial(cycle));
    return output->inside;
}

/* Row 0 stays aside for its fields; without payload a flit of zeros takes its place. */
static void pass_partial(struct moehub_response_output *output, const struct moehub_response_output_cycle *cycle)
{
    struct moehub_partial_flit *partial = &output->partial;
    if (cycle->row_first) {
        const struct moehub_header header = moehub_header_unpack(cycle->row_data);
        partial->entry = (uint16_t)(header.tag >> 8);
        partial->generation = (uint8_t)header.tag;
        partial->port = header.source;
        partial->status = header.status;
        partial->element = header.element;
        partial->length = header.length;
    }
    partial->valid = !cycle->row_first || cycle->row_last;
    partial->last = cycle->row_last;
    partial->data = cycle->row_first ? (struct moehub_flit){{0, 0}} : cycle->row_data;
    output->inside = !cycle->row_last;
}

static void pass_notices(struct moehub_response_output *output, const struct moehub_response_output_cycle *cycle, bool comes)
{
    if (cycle->notice_taken) {
        output->first = (output->first + 1) % MOEHUB_NOTICES_MAX;
        output->waiting--;
    }
    if (output->entering)
        output->queue[(output->first + output->waiting++) % MOEHUB_NOTICES_MAX] = output->entering_data;
    output->entering = comes;
    output->entering_data = cycle->row_data;
    output->notice = output->waiting > 0;
    output->notice_data = output->queue[output->first];
}

bool moehub_response_output_step(struct moehub_response_output *output, const struct moehub_response_output_cycle *cycle)
{
    if (!cycle_legal(output, cycle))
        return false;
    const bool first = cycle->row && cycle->row_first;
    const bool partial = cycle->row && (output->inside || is_partial(cycle));
    output->partial.valid = false;
    if (partial)
        pass_partial(output, cycle);
    pass_notices(output, cycle, cycle->row && !partial);
    output->coming += (uint32_t)cycle->granted - (uint32_t)first;
    output->reserved += (uint32_t)cycle->granted - (uint32_t)(first && partial) - (uint32_t)cycle->notice_taken;
    output->room = cycle->initialised && output->reserved < output->notices;
    return true;
}
