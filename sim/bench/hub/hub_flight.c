/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_flight.h"

#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAITING = 8192 }; /* requests of one port that can be unanswered: above WAITING's legal maximum and the pipeline */

void hub_flight_create(struct hub_flight *flight, const struct moehub_address_path_config *config, uint64_t table_origin)
{
    *flight = (struct hub_flight){.config = config};
    flight->address_mask = config->address_width == 64 ? UINT64_MAX : (UINT64_C(1) << config->address_width) - 1;
    flight->table_span = (flight->address_mask >> 3) + 1;
    flight->table_origin = table_origin & flight->address_mask & ~UINT64_C(3);
    flight->waiting = calloc(config->ports, WAITING);
    flight->head = calloc(config->ports, sizeof *flight->head);
    flight->tail = calloc(config->ports, sizeof *flight->tail);
    if (flight->waiting == NULL || flight->head == NULL || flight->tail == NULL) {
        fputs("out of memory\n", stderr);
        exit(BENCH_CONFIGURATION);
    }
}

void hub_flight_destroy(struct hub_flight *flight)
{
    free(flight->waiting);
    free(flight->head);
    free(flight->tail);
}

void hub_flight_forget(struct hub_flight *flight, uint64_t cycle)
{
    for (unsigned c = 0; c < flight->config->contexts; c++)
        flight->contexts[c] = (struct hub_flight_context){.idle_since = cycle, .busy_since = cycle};
    for (unsigned port = 0; port < flight->config->ports; port++)
        flight->head[port] = flight->tail[port];
}

uint64_t hub_flight_table(const struct hub_flight *flight, unsigned context)
{
    return (flight->table_origin + context * flight->table_span) & flight->address_mask;
}

static bool busy(const struct hub_flight_context *context)
{
    return context->requests > 0 || context->writes > 0;
}

static void change(struct hub_flight_context *context, int requests, int writes, uint64_t cycle)
{
    const bool before = busy(context);
    context->requests += requests;
    context->writes += writes;
    const bool after = busy(context);
    if (!before && after)
        context->busy_since = cycle;
    if (before && !after)
        context->idle_since = cycle;
}

void hub_flight_request(struct hub_flight *flight, unsigned context, unsigned port, uint64_t cycle)
{
    const uint32_t index = moehub_address_path_flight_context(flight->config, context);
    flight->waiting[(size_t)port * WAITING + flight->tail[port]++ % WAITING] = (uint8_t)index;
    flight->contexts[index].accepted++;
    change(&flight->contexts[index], 1, 0, cycle);
}

bool hub_flight_answer(struct hub_flight *flight, unsigned port, uint64_t cycle)
{
    if (flight->head[port] == flight->tail[port])
        return false;
    change(&flight->contexts[flight->waiting[(size_t)port * WAITING + flight->head[port]++ % WAITING]], -1, 0, cycle);
    return true;
}

void hub_flight_announce(struct hub_flight *flight, unsigned context, uint64_t cycle)
{
    change(&flight->contexts[context], 0, 1, cycle);
}

void hub_flight_written(struct hub_flight *flight, uint64_t address, uint64_t cycle)
{
    const uint64_t context = ((address - flight->table_origin) & flight->address_mask) / flight->table_span;
    change(&flight->contexts[context], 0, -1, cycle);
}

int64_t hub_flight_total(const struct hub_flight *flight)
{
    int64_t total = 0;
    for (unsigned c = 0; c < flight->config->contexts; c++)
        total += flight->contexts[c].requests + flight->contexts[c].writes;
    return total;
}

static bool idle_long(const struct hub_flight_context *context, uint64_t cycle)
{
    return !busy(context) && cycle >= context->idle_since + HUB_FLIGHT_LAG;
}

struct hub_flight_mark hub_flight_mark(const struct hub_flight *flight, unsigned context, bool all, uint64_t cycle)
{
    struct hub_flight_mark mark = {.idle = true};
    for (unsigned c = 0; c < flight->config->contexts; c++)
        if (all || c == context) {
            mark.accepted += flight->contexts[c].accepted;
            mark.idle = mark.idle && idle_long(&flight->contexts[c], cycle);
        }
    return mark;
}

enum hub_flight_answer hub_flight_result(const struct hub_flight *flight, unsigned context, bool all,
                                         struct hub_flight_mark mark)
{
    int64_t outstanding = 0;
    uint64_t accepted = 0;
    for (unsigned c = 0; c < flight->config->contexts; c++)
        if (all || c == context) {
            outstanding += flight->contexts[c].requests + flight->contexts[c].writes;
            accepted += flight->contexts[c].accepted;
        }
    const uint64_t newer = accepted - mark.accepted;
    if (outstanding > 2 * (int64_t)newer) /* a newer request is at most an answer and a write */
        return HUB_FLIGHT_YES;
    return mark.idle && newer == 0 ? HUB_FLIGHT_NO : HUB_FLIGHT_EITHER;
}

void hub_flight_pins(const struct hub_flight *flight, uint64_t cycle, unsigned *ones, unsigned *zeros)
{
    *ones = *zeros = 0;
    for (unsigned c = 0; c < flight->config->contexts; c++) {
        const struct hub_flight_context *context = &flight->contexts[c];
        if (idle_long(context, cycle))
            *zeros |= 1u << c;
        else if (busy(context) && cycle >= context->busy_since + HUB_FLIGHT_LAG)
            *ones |= 1u << c;
    }
}
