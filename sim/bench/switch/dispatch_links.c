/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/dispatch_links.h"

#include "kit/allocate.h"

#include <stdlib.h>

void dispatch_links_create(struct dispatch_links *links, const struct bench *bench, const struct dispatch_rows *rows,
                           const struct dispatch_link *link)
{
    const unsigned ports = rows->layer.ports;
    *links = (struct dispatch_links){.bench = bench, .rows = rows, .link = *link};
    links->sources = allocate(ports, sizeof *links->sources);
    bench_random(bench, &links->random, "payload");
    for (unsigned source = 0; source < ports; source++) {
        links->sources[source].credits = link->places;
        links->sources[source].there.items = allocate(link->places, sizeof(struct dispatch_item));
        links->sources[source].back.items = allocate(link->places, sizeof(struct dispatch_item));
    }
}

void dispatch_links_destroy(struct dispatch_links *links)
{
    for (unsigned source = 0; source < links->rows->layer.ports; source++) {
        free(links->sources[source].there.items);
        free(links->sources[source].back.items);
    }
    free(links->sources);
    *links = (struct dispatch_links){0};
}

/* At most `places` packets or credits are under way, since each is about a place. */
static void put(const struct dispatch_links *links, struct dispatch_way *way, uint64_t cycle, uint64_t value)
{
    way->items[way->tail++ % links->link.places] = (struct dispatch_item){cycle, value};
}

static bool take(const struct dispatch_links *links, struct dispatch_way *way, uint64_t *value)
{
    const struct dispatch_item *item = &way->items[way->head % links->link.places];
    if (way->head == way->tail || item->cycle > links->bench->cycle)
        return false;
    way->head++;
    *value = item->value;
    return true;
}

static void step_source(struct dispatch_links *links, unsigned number)
{
    struct dispatch_source *source = &links->sources[number];
    const uint64_t now = links->bench->cycle;
    uint64_t flits;
    while (take(links, &source->back, &flits))
        source->credits += (uint32_t)flits;
    if (source->free_from > now || source->sent == dispatch_rows_packets(links->rows, number))
        return;
    const unsigned up = dispatch_rows_of(links->rows, number, source->sent)->up;
    if (source->credits < up)
        return;
    source->credits -= up;
    source->free_from = now + up;
    put(links, &source->there, now + links->link.loop / 2, source->sent++);
}

void dispatch_links_step(struct dispatch_links *links)
{
    for (unsigned source = 0; source < links->rows->layer.ports; source++)
        step_source(links, source);
}

bool dispatch_links_done(const struct dispatch_links *links)
{
    for (unsigned source = 0; source < links->rows->layer.ports; source++) {
        const struct dispatch_way *there = &links->sources[source].there;
        if (links->sources[source].sent < dispatch_rows_packets(links->rows, source) || there->head != there->tail)
            return false;
    }
    return true;
}

static bool next(void *self, unsigned input, unsigned places, struct crossbar_packet *packet)
{
    struct dispatch_links *links = self;
    uint64_t number;
    (void)places; /* the credits have been taken when it was sent */
    if (!take(links, &links->sources[input].there, &number))
        return false;
    dispatch_rows_packet(links->rows, input, number, &links->random, packet);
    return true;
}

static void freed(void *self, unsigned input, unsigned flits)
{
    struct dispatch_links *links = self;
    put(links, &links->sources[input].back, links->bench->cycle + (links->link.loop - links->link.loop / 2), flits);
}

struct crossbar_stimulus dispatch_links_stimulus(struct dispatch_links *links)
{
    return (struct crossbar_stimulus){.self = links, .next = next, .freed = freed};
}
