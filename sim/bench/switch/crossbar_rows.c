/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that are rows: from row 0 on, one a cycle, once granted. Checked beside the bytes: a grant only while there is room,
 * the rows' numbers, no row without a grant. */
#include "bench/switch/crossbar_outputs.h"

#include <inttypes.h>

void crossbar_rows_create(struct crossbar_outputs *outputs)
{
    bus_create(&outputs->valid, outputs->bench, "row_valid", outputs->count);
    bus_create(&outputs->ready, outputs->bench, "room", outputs->count);
    bus_create(&outputs->data, outputs->bench, "row_data", outputs->count);
    bus_create(&outputs->last, outputs->bench, "row_last", outputs->count);
    bus_create(&outputs->flits, outputs->bench, "row_number", outputs->count);
}

/* `granted` is a register: the grant was given in the cycle before. */
static void sample_grant(struct crossbar_outputs *outputs, unsigned port)
{
    struct crossbar_output *output = &outputs->ports[port];
    const bool granted = bus_get(&outputs->granted, port) != 0;
    if (granted && outputs->bench->quiet)
        bench_fail(outputs->bench, BENCH_MISMATCH, "output %u: a grant in reset or in the cycle after it", port);
    if (granted && !output->had_room)
        bench_fail(outputs->bench, BENCH_MISMATCH, "output %u: a grant without room", port);
    output->granted += granted;
    output->had_room = bus_get(&outputs->ready, port) != 0;
}

static void sample_row(struct crossbar_outputs *outputs, unsigned port)
{
    struct crossbar_output *output = &outputs->ports[port];
    struct bench *bench = outputs->bench;
    const bool valid = bus_get(&outputs->valid, port) != 0;
    const uint64_t number = bus_get(&outputs->flits, port);
    uint64_t data[2];
    if (valid && bench->quiet)
        bench_fail(bench, BENCH_MISMATCH, "output %u: a row in reset or in the cycle after it", port);
    if (!valid && output->copy.count > 0)
        bench_fail(bench, BENCH_MISMATCH, "output %u: a gap after %" PRIu32 " rows of a copy", port, output->copy.count);
    if (!valid)
        return;
    if (number != output->copy.count % 16)
        bench_fail(bench, BENCH_MISMATCH, "output %u: row %" PRIu64 " where row %" PRIu32 " has to come", port, number,
                   output->copy.count);
    if (number == 0 && output->copy.count == 0 && output->granted-- == 0)
        bench_fail(bench, BENCH_MISMATCH, "output %u: a copy that was not granted", port);
    if (output->offered == UINT64_MAX)
        output->offered = bench->cycle;
    bus_get_words(&outputs->data, port, data);
    crossbar_outputs_take(outputs, port, data, bus_get(&outputs->last, port) != 0);
}

void crossbar_rows_sample(struct crossbar_outputs *outputs)
{
    bus_sample(&outputs->valid);
    bus_sample(&outputs->data);
    bus_sample(&outputs->last);
    bus_sample(&outputs->flits);
    for (unsigned port = 0; port < outputs->count && !outputs->bench->reset; port++) {
        sample_grant(outputs, port);
        sample_row(outputs, port);
    }
}
