/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that are packet streams. Checked beside the bytes: the number of flits that is offered with a copy, no gap inside it
 * (an egress that has begun one sends a flit in every cycle), and the rules of streams. */
#include "bench/switch/crossbar_outputs.h"

#include <inttypes.h>
#include <string.h>

/* What a stalled stream keeps. */
enum { KEPT_DATA, KEPT_LAST = 2, KEPT_FLITS, KEPT_WORDS };

void crossbar_streams_create(struct crossbar_outputs *outputs)
{
    bus_create(&outputs->valid, outputs->bench, "copy_valid", outputs->count);
    bus_create(&outputs->ready, outputs->bench, "copy_ready", outputs->count);
    bus_create(&outputs->data, outputs->bench, "copy_data", outputs->count);
    bus_create(&outputs->last, outputs->bench, "copy_last", outputs->count);
    bus_create(&outputs->flits, outputs->bench, "copy_flits", outputs->count);
}

static void look(const struct crossbar_outputs *outputs, unsigned port, uint64_t now[KEPT_WORDS])
{
    bus_get_words(&outputs->data, port, now + KEPT_DATA);
    now[KEPT_LAST] = bus_get(&outputs->last, port);
    now[KEPT_FLITS] = bus_get(&outputs->flits, port);
}

static void check_rules(struct crossbar_outputs *outputs, unsigned port, bool valid, const uint64_t now[KEPT_WORDS])
{
    struct bench *bench = outputs->bench;
    const struct crossbar_output *output = &outputs->ports[port];
    if (bench->quiet && valid)
        bench_fail(bench, BENCH_MISMATCH, "output %u: valid in reset or in the cycle after it", port);
    if (output->copy.count > 0 && !valid)
        bench_fail(bench, BENCH_MISMATCH, "output %u: a gap after %" PRIu32 " flits of a copy", port, output->copy.count);
    if (output->waiting && !valid)
        bench_fail(bench, BENCH_MISMATCH, "output %u: valid was withdrawn before ready", port);
    if (output->waiting && memcmp(now, output->kept, sizeof output->kept) != 0)
        bench_fail(bench, BENCH_MISMATCH,
                   "output %u: data, last or flits changed while valid was high and ready low: %016" PRIx64 "%016" PRIx64
                   " %" PRIu64 " %" PRIu64 ", then %016" PRIx64 "%016" PRIx64 " %" PRIu64 " %" PRIu64,
                   port, output->kept[1], output->kept[0], output->kept[2], output->kept[3], now[1], now[0], now[2], now[3]);
}

static void take(struct crossbar_outputs *outputs, unsigned port, const uint64_t now[KEPT_WORDS])
{
    struct crossbar_output *output = &outputs->ports[port];
    if (output->copy.count == 0)
        output->announced = now[KEPT_FLITS];
    const bool last = now[KEPT_LAST] != 0;
    if (last != (output->copy.count + 1 == output->announced))
        bench_fail(outputs->bench, BENCH_MISMATCH,
                   "output %u: offered with %" PRIu64 " flits, and last is %d with number %" PRIu32, port,
                   output->announced, last, output->copy.count + 1);
    crossbar_outputs_take(outputs, port, now + KEPT_DATA, last);
}

static void sample_port(struct crossbar_outputs *outputs, unsigned port)
{
    struct crossbar_output *output = &outputs->ports[port];
    const bool valid = bus_get(&outputs->valid, port) != 0, ready = bus_get(&outputs->ready, port) != 0;
    uint64_t now[KEPT_WORDS] = {0};
    if (valid)
        look(outputs, port, now);
    check_rules(outputs, port, valid, now);
    output->waiting = valid && !ready;
    memcpy(output->kept, now, sizeof now);
    if (valid && output->offered == UINT64_MAX)
        output->offered = outputs->bench->cycle;
    if (valid && ready)
        take(outputs, port, now);
}

void crossbar_streams_sample(struct crossbar_outputs *outputs)
{
    bus_sample(&outputs->valid);
    bus_sample(&outputs->data);
    bus_sample(&outputs->last);
    bus_sample(&outputs->flits);
    for (unsigned port = 0; port < outputs->count && !outputs->bench->reset; port++)
        sample_port(outputs, port);
}
