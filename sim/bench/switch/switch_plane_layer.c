/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_layer.h"

#include "kit/allocate.h"
#include "moehub/header_check.h"

#include <stdlib.h>

enum { QUEUE_SHORT = 4 };

void plane_layer_create(struct plane_layer *layer, struct plane_run *run, const struct dispatch_layer *shape,
                        const struct layer_plan *plan)
{
    *layer = (struct plane_layer){.run = run, .plan = *plan};
    dispatch_rows_create(&layer->rows, shape);
    layer->sources = allocate(shape->ports, sizeof *layer->sources);
    for (unsigned source = 0; source < shape->ports; source++)
        layer->sources[source] =
            (struct plane_layer_source){.store_count = layer_plan_stores(plan, &layer->rows, source),
                                        .request_count = layer_plan_requests(plan, &layer->rows, source),
                                        .result_count = layer_plan_results(plan, &layer->rows, source)};
    bench_random(run->bench, &layer->random, "layer");
}

void plane_layer_destroy(struct plane_layer *layer)
{
    dispatch_rows_destroy(&layer->rows);
    free(layer->sources);
}

static void add_store(struct plane_layer *layer, unsigned source, uint64_t number, struct plane_queue *queue)
{
    struct crossbar_packet built;
    dispatch_rows_packet(&layer->rows, source, number, &layer->random, &built);
    plane_queue_add_built(queue, MOEHUB_CLASS_STORE, &built);
}

static void add_request(struct plane_layer *layer, unsigned source, uint64_t number, struct plane_queue *queue)
{
    const struct layer_request asked = layer_plan_request(&layer->plan, &layer->rows, source, number);
    const struct crossbar_targets *targets = &asked.row->targets;
    const struct moehub_header header =
        crossbar_sum_header(source, asked.row->number, asked.part.line, MOEHUB_LINE_UNITS * asked.part.lines,
                            (uint32_t)(number * MOEHUB_REQUEST_LINES_MAX) & MOEHUB_TAG_MASK, targets->count);
    struct crossbar_packet built;
    crossbar_build_packet(&header, targets, &layer->random, &built);
    plane_queue_add_built(queue, MOEHUB_CLASS_REQUEST, &built);
}

static void feed_source(struct plane_layer *layer, unsigned number)
{
    struct plane_layer_source *source = &layer->sources[number];
    struct plane_queue *queues = layer->run->gpus[number].uplink.queues;
    while (source->stores < source->store_count && queues[MOEHUB_CLASS_STORE].count < QUEUE_SHORT)
        add_store(layer, number, source->stores++, &queues[MOEHUB_CLASS_STORE]);
    while (source->requests < source->request_count && queues[MOEHUB_CLASS_REQUEST].count < QUEUE_SHORT)
        add_request(layer, number, source->requests++, &queues[MOEHUB_CLASS_REQUEST]);
}

void plane_layer_feed(struct plane_layer *layer)
{
    for (unsigned source = 0; source < layer->rows.layer.ports; source++)
        feed_source(layer, source);
}

bool plane_layer_sent(const struct plane_layer *layer)
{
    for (unsigned i = 0; i < layer->rows.layer.ports; i++) {
        const struct plane_layer_source *source = &layer->sources[i];
        if (source->stores < source->store_count || source->requests < source->request_count)
            return false;
    }
    return true;
}

void plane_layer_note(struct plane_layer *layer)
{
    for (unsigned i = 0; i < layer->rows.layer.ports; i++) {
        struct plane_layer_source *source = &layer->sources[i];
        const struct moehub_switch_plane_counts *counts = &layer->run->check.model.ports[i].counts;
        if (source->finished == 0 && counts->packets_in[MOEHUB_CLASS_STORE] >= source->store_count &&
            counts->packets_out[MOEHUB_CLASS_RESPONSE] >= source->result_count)
            source->finished = layer->run->bench->cycle;
    }
}
