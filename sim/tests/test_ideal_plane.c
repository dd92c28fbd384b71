/* SPDX-License-Identifier: Apache-2.0 */
/* An ideal plane against closed forms, against a simulation of output queues where there are stores alone, against the one of the
 * system model's packet level, and against what no plane can beat: the flits of the busiest direction of a link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/switch/ideal_plane.h"
#include "moehub/system_packet.h"
#include "moehub/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PORTS = 8, EVENTS = 1 << 14, LOOP = 874 /* of a link as long as it is in practice */ };
enum { STORE = 1 + 1 + 8, COPY = 1 + 8, REQUEST = 2, REQUEST_COPY = 1, RESPONSE = 1 + 8 };  /* flits */

/* A row of GPU 0 to so many others, and nothing else. */
static void create_one_row(struct dispatch_rows *rows, unsigned others, uint32_t lines)
{
    *rows = (struct dispatch_rows){.layer = {.ports = PORTS, .tokens = 1, .lines = lines}, .copies = (uint64_t)others * lines};
    rows->rows = calloc(PORTS, sizeof *rows->rows);
    assert_non_null(rows->rows);
    rows->counts[0] = 1;
    rows->rows[0].up = STORE;
    for (unsigned port = 1; port <= others; port++)
        rows->rows[0].down[port] = COPY;
}

static struct ideal_plane wide_plane(uint32_t loop, uint32_t groups)
{
    return (struct ideal_plane){.loop = loop, .places = {8191, 8191, 8191}, .groups = groups, .bound = 8};
}

/* Stores follow one another; the last copy starts when the last store has come. */
static void one_row_dispatched(void **state)
{
    (void)state;
    static const struct layer_plan plan = {.dispatches = true, .request_lines = 8, .rows_in_flight = 1};
    for (uint32_t loop = 0; loop <= 100; loop += 50)
        for (unsigned others = 1; others < PORTS; others++)
            for (uint32_t lines = 1; lines <= 56; lines += 11) {
                const struct ideal_plane plane = wide_plane(loop, 1);
                struct dispatch_rows rows;
                create_one_row(&rows, others, lines);
                assert_int_equal(ideal_plane_cycles(&plane, &rows, &plan), STORE * lines + loop / 2 + COPY);
                dispatch_rows_destroy(&rows);
            }
}

/* The first request goes up, its copies down; the first partials come all at once, and the reduction buffer takes one after the
 * other to the end: the last flit of the last in the cycle in which its result starts. */
static void one_row_combined(void **state)
{
    (void)state;
    for (uint32_t loop = 0; loop <= 100; loop += 50)
        for (unsigned others = 1; others < PORTS; others++)
            for (uint32_t lines = 1; lines <= 56; lines += 11) {
                const struct layer_plan plan = {.combine_lines = lines, .request_lines = 8, .rows_in_flight = 3};
                const struct ideal_plane plane = wide_plane(loop, 7);
                struct dispatch_rows rows;
                create_one_row(&rows, others, 1);
                assert_int_equal(ideal_plane_cycles(&plane, &rows, &plan),
                                 REQUEST + REQUEST_COPY + 3 * (loop / 2) + RESPONSE + (RESPONSE * others * lines - 1) + RESPONSE);
                dispatch_rows_destroy(&rows);
            }
}

/* With one group a request waits until the results of the one before have left. */
static void one_group(void **state)
{
    (void)state;
    enum { REQUESTS = 7 };
    static const struct layer_plan plan = {.combine_lines = 8 * REQUESTS, .request_lines = 8, .rows_in_flight = 1};
    for (uint32_t loop = 20; loop <= 1000; loop += 140) {
        const struct ideal_plane plane = wide_plane(loop, 1);
        const uint64_t round = REQUEST_COPY + 2 * (loop / 2) + RESPONSE + (3 * 8 * RESPONSE - 1) + RESPONSE;
        struct dispatch_rows rows;
        create_one_row(&rows, 3, 1);
        assert_int_equal(ideal_plane_cycles(&plane, &rows, &plan), REQUEST + loop / 2 + REQUESTS * round);
        dispatch_rows_destroy(&rows);
    }
}

/* Stores have to wait while one who sends and one who answers share a link: a flit of each in turn, packet by packet. */
static void stores_and_partials_take_turns(void **state)
{
    (void)state;
    enum { LINES = 56 };
    static const struct layer_plan plan = {.dispatches = true, .combine_lines = LINES, .request_lines = 8, .rows_in_flight = 1};
    const struct ideal_plane plane = wide_plane(0, 7);
    struct dispatch_rows rows;
    create_one_row(&rows, 1, LINES);
    rows.counts[1] = 1;
    rows.copies += LINES;
    rows.rows[1].up = STORE;
    rows.rows[1].down[0] = COPY;
    const uint64_t up = LINES * (STORE + RESPONSE) + LINES / 8 * REQUEST;
    const uint64_t cycles = ideal_plane_cycles(&plane, &rows, &plan);
    assert_true(cycles >= up + RESPONSE && cycles <= up + 3 * RESPONSE);
    dispatch_rows_destroy(&rows);
}

/* ---- output queues, cycle by cycle -------------------------------------------------------------------------- */

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

struct queues {
    const struct dispatch_rows *rows;
    const struct ideal_plane *plane;
    struct events arrivals[PORTS], credits[PORTS];
    uint64_t sent[PORTS], busy[PORTS], in_hand[PORTS], queued[PORTS];
};

/* One cycle; the flits that have left. */
static unsigned step(struct queues *queues, uint64_t now)
{
    unsigned left = 0;
    uint64_t value;
    for (unsigned port = 0; port < queues->rows->layer.ports; port++) {
        while (happens(&queues->credits[port], now, &value))
            queues->in_hand[port] += value;
        while (happens(&queues->arrivals[port], now, &value)) {
            const struct dispatch_row *row = dispatch_rows_of(queues->rows, port, value);
            for (unsigned output = 0; output < queues->rows->layer.ports; output++)
                queues->queued[output] += row->down[output];
            add(&queues->credits[port], now + (queues->plane->loop - queues->plane->loop / 2), row->up);
        }
    }
    for (unsigned port = 0; port < queues->rows->layer.ports; port++) {
        while (happens(&queues->credits[port], now, &value))
            queues->in_hand[port] += value;
        left += queues->queued[port] > 0;
        queues->queued[port] -= queues->queued[port] > 0;
        if (queues->busy[port] > now || queues->sent[port] == dispatch_rows_packets(queues->rows, port))
            continue;
        const unsigned up = dispatch_rows_of(queues->rows, port, queues->sent[port])->up;
        if (queues->in_hand[port] < up)
            continue;
        queues->in_hand[port] -= up;
        queues->busy[port] = now + up;
        add(&queues->arrivals[port], now + up + queues->plane->loop / 2, queues->sent[port]++);
    }
    return left;
}

static uint64_t simulate(const struct dispatch_rows *rows, const struct ideal_plane *plane)
{
    struct queues *queues = calloc(1, sizeof *queues);
    uint64_t now = 0, to_leave = 0, flits = 0;
    assert_non_null(queues);
    queues->rows = rows;
    queues->plane = plane;
    for (unsigned port = 0; port < rows->layer.ports; port++) {
        queues->in_hand[port] = plane->places[MOEHUB_CLASS_STORE];
        to_leave += rows->down[port];
        flits += rows->up[port] + rows->down[port];
    }
    for (; to_leave > 0; now++) {
        assert_true(now < flits * (plane->loop + 2));
        to_leave -= step(queues, now);
    }
    free(queues);
    return now;
}

/* ---- layers -------------------------------------------------------------------------------------------- */

static uint64_t busiest(const struct dispatch_rows *rows, const struct layer_plan *plan)
{
    uint64_t flits[2 * PORTS] = {0}, most = 0, *up = flits, *down = flits + PORTS;
    for (unsigned source = 0; source < rows->layer.ports; source++) {
        up[source] += plan->dispatches ? rows->up[source] : 0;
        down[source] += plan->dispatches ? rows->down[source] : 0;
        down[source] += RESPONSE * layer_plan_results(plan, rows, source);
        for (uint64_t i = 0; i < layer_plan_requests(plan, rows, source); i++) {
            const struct layer_request request = layer_plan_request(plan, rows, source, i);
            up[source] += layer_request_flits(request.row->up);
            for (unsigned port = 0; port < rows->layer.ports; port++)
                if (request.row->down[port] > 0) {
                    down[port] += layer_request_flits(request.row->down[port]);
                    up[port] += RESPONSE * request.part.lines;
                }
        }
    }
    for (unsigned i = 0; i < 2 * PORTS; i++)
        most = flits[i] > most ? flits[i] : most;
    return most;
}

struct drawn {
    const struct ideal_plane *plane;
    struct dispatch_layer layer;
    struct layer_plan plan;
    struct dispatch_rows rows;
    uint64_t cycles;  /* of the ideal plane */
};

typedef void check_function(const struct drawn *drawn);

/* A layer of its own for each plane, seed, number of ports and set of phases. Bits of `phases`: dispatch, combine. */
static void check_layer(const struct ideal_plane *plane, uint64_t seed, unsigned ports, uint32_t tokens, unsigned phases,
                        check_function *check)
{
    struct drawn drawn = {
        .plane = plane,
        .layer = {.ports = ports, .local_expert_bits = 4, .experts = 4 * ports, .topk = 8, .tokens = tokens,
                  .lines = 1 + (uint32_t)seed % 4, .seed = seed, .turned = seed % 2 == 0},
        .plan = {.dispatches = (phases & 1) != 0, .combine_lines = (phases & 2) != 0 ? 1 + (uint32_t)seed * 5 : 0,
                 .request_lines = 1u << seed % 4, .rows_in_flight = 1 + (uint32_t)seed % 3}};
    dispatch_rows_create(&drawn.rows, &drawn.layer);
    drawn.cycles = ideal_plane_cycles(plane, &drawn.rows, &drawn.plan);
    check(&drawn);
    dispatch_rows_destroy(&drawn.rows);
}

static void check_layers(const struct ideal_plane *planes, size_t count, uint32_t tokens, check_function *check)
{
    for (uint64_t seed = 1; seed <= 6; seed++)
        for (unsigned ports = 2; ports <= PORTS; ports += 3)
            for (size_t i = 0; i < count; i++)
                for (unsigned phases = 1; phases <= 3; phases++)
                    check_layer(&planes[i], seed, ports, tokens, phases, check);
}

static void check_links(const struct drawn *drawn)
{
    assert_true(drawn->cycles >= busiest(&drawn->rows, &drawn->plan));
    if (drawn->plan.combine_lines == 0)
        assert_int_equal(drawn->cycles, simulate(&drawn->rows, drawn->plane));
}

static void no_faster_than_its_links(void **state)
{
    (void)state;
    static const struct ideal_plane planes[] = {{0, {14, 5, 17}, 1, 2}, {1, {20, 9, 40}, 2, 3}, {100, {40, 20, 60}, 5, 8},
                                                {31, {25, 7, 33}, 3, 5}, {LOOP, {2048, 256, 1024}, 13, 8}};
    check_layers(planes, sizeof planes / sizeof *planes, 3, check_links);
}

/* ---- the packet level's ------------------------------------------------------------------------------------- */

static void set(struct moehub_system_constants *constants, const char *name, unsigned value)
{
    char text[80];
    struct moehub_message message;
    snprintf(text, sizeof text, "plane_%s=%u", name, value);
    assert_int_equal(moehub_system_set(constants, text, &message), 0);
}

/* No pipelines: what has come is there at once. */
static void set_plane(struct moehub_system_constants *constants, const struct ideal_plane *plane, const struct layer_plan *plan)
{
    static const char *const latencies[] = {"copy_latency", "request_latency", "sum_latency", "notice_latency", "answer_latency"};
    struct moehub_message message = {""};
    assert_int_equal(moehub_system_read_path(constants, MOEHUB_SYSTEM_PACKET, "cmodel/machines/rtl.packet", &message), 0);
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++)
        set(constants, latencies[i], 0);
    set(constants, "loop", plane->loop);
    set(constants, "places_store", plane->places[MOEHUB_CLASS_STORE]);
    set(constants, "places_request", plane->places[MOEHUB_CLASS_REQUEST]);
    set(constants, "places_response", plane->places[MOEHUB_CLASS_RESPONSE]);
    set(constants, "groups", plane->groups);
    set(constants, "overtake_bound", plane->bound);
    set(constants, "request_lines", plan->request_lines);
    set(constants, "rows_in_flight", plan->rows_in_flight);
}

static uint64_t packet_level_cycles(const struct ideal_plane *plane, const struct dispatch_layer *layer,
                                    const struct layer_plan *plan)
{
    static struct moehub_system_packet_result result;
    const struct moehub_layer_options asked = {.gpus = layer->ports, .tokens = layer->tokens, .experts = layer->experts,
                                               .topk = layer->topk, .hidden = 1, .seed = layer->seed, .turned = layer->turned,
                                               .trace_layer = MOEHUB_TRACE_ANY_LAYER};
    struct moehub_system_packet_options options = {.phase = MOEHUB_SYSTEM_PACKET_FUSED, .dispatch_lines = layer->lines,
                                                   .combine_lines = 1, .planes = 1, .ideal_plane = true};
    struct moehub_system_constants constants = {0};
    struct moehub_message message = {""};
    struct moehub_layer drawn;
    set_plane(&constants, plane, plan);
    if (plan->combine_lines == 0)
        options.phase = MOEHUB_SYSTEM_PACKET_DISPATCH;
    else if (!plan->dispatches)
        options.phase = MOEHUB_SYSTEM_PACKET_COMBINE;
    if (plan->combine_lines > 0)
        options.combine_lines = plan->combine_lines;
    assert_int_equal(moehub_layer_create(&drawn, &asked, &message), 0);
    assert_int_equal(moehub_system_packet_run(&constants, &drawn, &options, &result, &message), 0);
    moehub_layer_destroy(&drawn);
    return result.cycles;
}

/* Stores alone take the same cycles. With requests the two differ in the order of what comes in one cycle, and so in which group
 * is free first: in a plane as it is built less than a hundredth. */
static void check_packet_level(const struct drawn *drawn)
{
    const uint64_t cycles = packet_level_cycles(drawn->plane, &drawn->layer, &drawn->plan);
    if (drawn->plan.combine_lines == 0)
        assert_int_equal(cycles, drawn->cycles);
    else if (drawn->plane->loop == LOOP)
        assert_true(fabs((double)cycles / (double)drawn->cycles - 1) < 0.01);
}

static void the_packet_levels_plane_is_the_same(void **state)
{
    (void)state;
    static const struct ideal_plane planes[] = {{0, {14, 5, 17}, 1, 2}, {100, {40, 20, 60}, 5, 8},
                                                {LOOP, {2048, 256, 2048}, 13, 8}};
    check_layers(planes, sizeof planes / sizeof *planes, 16, check_packet_level);
}

/* Each line of each row is asked for once, those of a row in their order. */
static void every_line_is_asked_once(void **state)
{
    (void)state;
    enum { LINES = 29, TOKENS = 7 };
    const struct dispatch_layer layer = {.ports = 2, .local_expert_bits = 4, .experts = 8, .topk = 4, .tokens = TOKENS,
                                         .lines = 1, .seed = 1};
    struct dispatch_rows rows;
    dispatch_rows_create(&rows, &layer);
    for (uint32_t together = 1; together <= TOKENS + 1; together++) {
        const struct layer_plan plan = {.combine_lines = LINES, .request_lines = 8, .rows_in_flight = together};
        for (unsigned source = 0; source < 2; source++) {
            uint32_t next[TOKENS] = {0};
            for (uint64_t i = 0; i < layer_plan_requests(&plan, &rows, source); i++) {
                const struct layer_request request = layer_plan_request(&plan, &rows, source, i);
                uint32_t *line = &next[request.row - &rows.rows[source * TOKENS]];
                assert_int_equal(request.part.line, *line);
                assert_in_range(request.part.lines, 1, 8);
                *line += request.part.lines;
            }
            for (uint32_t row = 0; row < rows.counts[source]; row++)
                assert_int_equal(next[row], LINES);
        }
    }
    dispatch_rows_destroy(&rows);
}

/* With `turned` all ports send and get the same. */
static void turned_rows_are_equal_work(void **state)
{
    (void)state;
    const struct dispatch_layer layer = {.ports = PORTS, .local_expert_bits = 5, .experts = 256, .topk = 8, .tokens = 5,
                                         .lines = 3, .seed = 4, .turned = true};
    struct dispatch_rows rows;
    dispatch_rows_create(&rows, &layer);
    for (unsigned port = 1; port < PORTS; port++) {
        assert_int_equal(rows.up[port], rows.up[0]);
        assert_int_equal(rows.down[port], rows.down[0]);
    }
    assert_int_equal(dispatch_rows_pairs(&rows) * PORTS, rows.copies / layer.lines);
    dispatch_rows_destroy(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row_dispatched),
        cmocka_unit_test(one_row_combined),
        cmocka_unit_test(one_group),
        cmocka_unit_test(stores_and_partials_take_turns),
        cmocka_unit_test(no_faster_than_its_links),
        cmocka_unit_test(the_packet_levels_plane_is_the_same),
        cmocka_unit_test(every_line_is_asked_once),
        cmocka_unit_test(turned_rows_are_equal_work),
    };
    return cmocka_run_group_tests_name("ideal_plane", tests, NULL, NULL);
}
