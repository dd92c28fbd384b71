/* SPDX-License-Identifier: Apache-2.0 */
/* Ideal output queues against a simulation of them cycle by cycle, and against what must hold of any dispatch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/switch/output_queues.h"

#include <stdlib.h>

enum { PORTS = 8, EVENTS = 1 << 14 };

/* Things that happen to one port, in the order of their cycles. */
struct events {
    struct {
        uint64_t cycle;
        uint64_t value;
    } items[EVENTS];
    unsigned head, tail;
};

static void add(struct events *events, uint64_t cycle, uint64_t value)
{
    assert_true(events->tail < EVENTS);
    events->items[events->tail].cycle = cycle;
    events->items[events->tail++].value = value;
}

static bool happens(struct events *events, uint64_t now, uint64_t *value)
{
    if (events->head == events->tail || events->items[events->head].cycle != now)
        return false;
    *value = events->items[events->head++].value;
    return true;
}

struct plane {
    const struct dispatch_rows *rows;
    const struct output_queues_link *link;
    struct events arrivals[PORTS], credits[PORTS];
    uint64_t sent[PORTS], busy[PORTS], in_hand[PORTS], queued[PORTS];
};

/* One cycle; true: a flit has left. */
static bool step(struct plane *plane, uint64_t now)
{
    bool left = false;
    uint64_t value;
    for (unsigned port = 0; port < plane->rows->layer.ports; port++) {
        while (happens(&plane->credits[port], now, &value))
            plane->in_hand[port] += value;
        while (happens(&plane->arrivals[port], now, &value)) {
            const struct dispatch_row *row = dispatch_rows_of(plane->rows, port, value);
            for (unsigned output = 0; output < plane->rows->layer.ports; output++)
                plane->queued[output] += row->down[output];
            add(&plane->credits[port], now + (plane->link->loop - plane->link->loop / 2), row->up);
        }
    }
    for (unsigned port = 0; port < plane->rows->layer.ports; port++) {
        while (happens(&plane->credits[port], now, &value))
            plane->in_hand[port] += value;
        left |= plane->queued[port] > 0;
        plane->queued[port] -= plane->queued[port] > 0;
        if (plane->busy[port] > now || plane->sent[port] == dispatch_rows_packets(plane->rows, port))
            continue;
        const unsigned up = dispatch_rows_of(plane->rows, port, plane->sent[port])->up;
        if (plane->in_hand[port] < up)
            continue;
        plane->in_hand[port] -= up;
        plane->busy[port] = now + up;
        add(&plane->arrivals[port], now + up + plane->link->loop / 2, plane->sent[port]++);
    }
    return left;
}

static uint64_t simulate(const struct dispatch_rows *rows, const struct output_queues_link *link)
{
    struct plane *plane = calloc(1, sizeof *plane);
    uint64_t last = 0, flits = 0;
    assert_non_null(plane);
    plane->rows = rows;
    plane->link = link;
    for (unsigned port = 0; port < rows->layer.ports; port++) {
        plane->in_hand[port] = link->places;
        flits += rows->up[port] + rows->down[port];
    }
    for (uint64_t now = 0; now < flits * (link->loop + 2); now++)
        if (step(plane, now))
            last = now + 1;
    for (unsigned port = 0; port < rows->layer.ports; port++) {
        assert_int_equal(plane->sent[port], dispatch_rows_packets(rows, port));
        assert_int_equal(plane->queued[port], 0);
    }
    free(plane);
    return last;
}

static void equal_to_a_simulation(void **state)
{
    (void)state;
    static const struct output_queues_link links[] = {{0, 14}, {1, 20}, {31, 25}, {100, 40}, {100, 4000}};
    for (uint64_t seed = 1; seed <= 8; seed++)
        for (unsigned ports = 2; ports <= PORTS; ports += 3)
            for (unsigned i = 0; i < sizeof links / sizeof *links; i++) {
                const struct dispatch_layer layer = {.ports = ports, .local_expert_bits = 4, .experts = 4 * ports, .topk = 8,
                                                     .tokens = 3, .lines = 1 + (uint32_t)seed % 4, .seed = seed};
                struct dispatch_rows rows;
                dispatch_rows_create(&rows, &layer);
                const uint64_t cycles = output_queues_cycles(&rows, &links[i]);
                assert_int_equal(cycles, simulate(&rows, &links[i]));
                assert_true(cycles >= dispatch_rows_ideal(&rows));
                dispatch_rows_destroy(&rows);
            }
}

/* What is sent is what the ids say: every expert that is not at home gets every line once. */
static void rows_reach_their_experts(void **state)
{
    (void)state;
    const struct dispatch_layer layer = {.ports = 5, .local_expert_bits = 3, .experts = 40, .topk = 8, .tokens = 9, .lines = 6,
                                         .seed = 3};
    struct dispatch_rows rows;
    dispatch_rows_create(&rows, &layer);
    uint64_t copies = 0;
    for (unsigned source = 0; source < layer.ports; source++)
        for (uint64_t packet = 0; packet < dispatch_rows_packets(&rows, source); packet++) {
            const struct dispatch_row *row = dispatch_rows_of(&rows, source, packet);
            uint64_t gpus = 0;
            unsigned ids_of[5] = {0};
            for (unsigned i = 0; i < row->targets.count; i++) {
                const unsigned gpu = row->targets.ids[i] >> 3;
                assert_true(i == 0 || row->targets.ids[i] > row->targets.ids[i - 1]);
                assert_int_not_equal(gpu, source);
                gpus |= UINT64_C(1) << gpu;
                ids_of[gpu]++;
            }
            copies += (uint64_t)__builtin_popcountll(gpus);
            assert_int_equal(row->up, 1 + 1 + 8);
            for (unsigned gpu = 0; gpu < layer.ports; gpu++)
                assert_int_equal(row->down[gpu], ids_of[gpu] == 0 ? 0 : ids_of[gpu] <= 3 ? 9 : 10);
        }
    assert_int_equal(copies, rows.copies);
    dispatch_rows_destroy(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_a_simulation), cmocka_unit_test(rows_reach_their_experts)};
    return cmocka_run_group_tests_name("output_queues", tests, NULL, NULL);
}
