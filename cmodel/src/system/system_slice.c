/* SPDX-License-Identifier: Apache-2.0 */
/* Which slice speaks for a layer. */
#include "moehub/system_slice.h"

#include "moehub/header_check.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

enum { LINE_BYTES = MOEHUB_LINE_BYTES };

/* Fewer lines of a GPU are over before queues are as they are for long. */
static const double lines_of_source = 16384;
/* Lines that arrive, of all draws together: what a slice may cost. */
static const double lines_of_draws = 3.2e6;
enum { DRAWS_LEAST = 4, DRAWS_MOST = 8 };

static uint32_t lines_of(double row_bytes)
{
    return (uint32_t)fmin(MOEHUB_SYSTEM_PACKET_LINES_MAX, fmax(1, ceil(row_bytes / LINE_BYTES)));
}

static unsigned gpus_of(const struct moehub_system_load *load)
{
    unsigned gpus = 0;
    for (unsigned i = 0; i < load->count; i++)
        gpus += load->classes[i].gpus;
    return gpus;
}

/* A GPU for each GPU of the classes, or, where they are more than a slice has, one for each class. */
static void place_gpus(struct moehub_system_slice *slice, const struct moehub_system_load *load, double sources)
{
    const bool each = gpus_of(load) <= MOEHUB_SYSTEM_SLICE_GPUS_MAX;
    for (unsigned i = 0; i < load->count; i++)
        for (unsigned j = 0; j < (each ? load->classes[i].gpus : 1); j++)
            slice->hits[slice->gpus++] = load->classes[i].arrivals / sources;
}

/* Chances to a millionth, so that another machine's arithmetic gives the same slice. Where fewer GPUs stand for all, a row has
 * as many copies as before. */
static void set_hits(struct moehub_system_slice *slice, const struct moehub_system_load *load, double tokens)
{
    const double grain = 1e6;
    const double others = gpus_of(load) - 1.0;
    place_gpus(slice, load, tokens * others);
    const double wider = others / (slice->gpus - 1.0);
    for (unsigned i = 0; i < slice->gpus; i++)
        slice->hits[i] = fmin(1, round(slice->hits[i] * wider * grain) / grain);
}

static double sum_of_hits(const struct moehub_system_slice *slice)
{
    double sum = 0;
    for (unsigned i = 0; i < slice->gpus; i++)
        sum += slice->hits[i];
    return sum;
}

void moehub_system_slice_of(struct moehub_system_slice *slice, const struct moehub_system_constants *constants,
                            const struct moehub_system_load *load, const struct moehub_system_work *work, bool in_switch)
{
    *slice = (struct moehub_system_slice){.in_switch = in_switch};
    slice->topk = work->topk < MOEHUB_SYSTEM_SLICE_TOPK_MAX ? work->topk : MOEHUB_SYSTEM_SLICE_TOPK_MAX;
    slice->dispatch_lines = lines_of((double)work->hidden * work->dispatch_element_bytes);
    slice->combine_lines = lines_of(work->hidden * VALUE(combine_element_bytes));
    const double lines = fmax(slice->dispatch_lines, slice->combine_lines);
    slice->rows = (uint32_t)fmax(1, fmin(round(work->tokens / VALUE(links)), ceil(lines_of_source / lines)));
    set_hits(slice, load, work->tokens);
    const double arriving = slice->rows * lines * (slice->gpus - 1) * sum_of_hits(slice);
    slice->draws = (unsigned)fmin(DRAWS_MOST, fmax(DRAWS_LEAST, floor(lines_of_draws / fmax(1, arriving))));
}
