/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/ideal_plane.h"

#include "kit/allocate.h"

#include <stdlib.h>

enum { RESPONSE_FLITS = 1 + MOEHUB_LINE_UNITS };

struct request {
    struct layer_request asked;
    unsigned source;
    unsigned results;                            /* that have not left */
    unsigned missing[MOEHUB_REQUEST_LINES_MAX];  /* partials of each line that have not arrived */
};

struct item {
    uint64_t cycle;           /* when it is there */
    unsigned packet_class;
    unsigned flits;           /* credits: places */
    uint64_t number;          /* of a store; line of a response */
    struct request *request;  /* of a request or a response */
};

/* First in, first out. */
struct fifo {
    struct item *items;       /* a ring */
    size_t capacity, head, count;
};

struct port {
    uint64_t stores, requests;            /* sent */
    struct fifo responses;                /* partials that wait for the uplink */
    uint32_t credits[MOEHUB_CLASSES];
    unsigned turn;                        /* the class that the uplink looks at first */
    uint64_t up_free, down_free;          /* cycle from which the link is */
    struct fifo up, back, down;           /* under way: packets, credits for them, request copies */
    struct request *asked;                /* [requests] */
    struct fifo reserving;                /* requests that wait for a group */
    uint32_t groups;                      /* free */
    struct fifo partials;                 /* that wait to be summed */
    uint64_t sum_free;                    /* cycle from which the reduction buffer is */
    struct fifo out[MOEHUB_CLASSES];
    unsigned overtaken[MOEHUB_CLASSES];
    struct item leaving;                  /* flits 0: none */
};

struct state {
    const struct ideal_plane *plane;
    const struct dispatch_rows *rows;
    const struct layer_plan *plan;
    struct port *ports;
    uint64_t now;
    uint64_t left, to_leave;              /* packets that were started at the outputs, and all of them */
};

/* ---- queues --------------------------------------------------------------------------------------------- */

static void grow(struct fifo *fifo)
{
    const size_t capacity = fifo->capacity == 0 ? 64 : 2 * fifo->capacity;
    struct item *items = allocate(capacity, sizeof *items);
    for (size_t i = 0; i < fifo->count; i++)
        items[i] = fifo->items[(fifo->head + i) % fifo->capacity];
    free(fifo->items);
    *fifo = (struct fifo){.items = items, .capacity = capacity, .count = fifo->count};
}

static void add(struct fifo *fifo, struct item item)
{
    if (fifo->count == fifo->capacity)
        grow(fifo);
    fifo->items[(fifo->head + fifo->count++) % fifo->capacity] = item;
}

static struct item take(struct fifo *fifo)
{
    const struct item item = fifo->items[fifo->head];
    fifo->head = (fifo->head + 1) % fifo->capacity;
    fifo->count--;
    return item;
}

static bool due(const struct fifo *fifo, uint64_t now)
{
    return fifo->count > 0 && fifo->items[fifo->head].cycle <= now;
}

/* ---- the switch ------------------------------------------------------------------------------------------- */

static void join_copies(struct state *state, const struct dispatch_row *row, struct item copy)
{
    for (unsigned output = 0; output < state->rows->layer.ports; output++) {
        if (row->down[output] == 0)
            continue;
        copy.flits = copy.packet_class == MOEHUB_CLASS_STORE ? row->down[output] : layer_request_flits(row->down[output]);
        add(&state->ports[output].out[copy.packet_class], copy);
    }
}

/* A flit a cycle: the partial is summed when its last flit has been taken. */
static void take_partial(struct state *state, struct item partial)
{
    struct port *requester = &state->ports[partial.request->source];
    const uint64_t from = requester->sum_free > state->now ? requester->sum_free : state->now;
    partial.cycle = from + partial.flits - 1;
    requester->sum_free = from + partial.flits;
    add(&requester->partials, partial);
}

static void sum(struct state *state, struct port *port)
{
    while (due(&port->partials, state->now)) {
        const struct item partial = take(&port->partials);
        if (--partial.request->missing[partial.number] == 0)
            add(&port->out[MOEHUB_CLASS_RESPONSE], partial);
    }
}

static void arrive(struct state *state, unsigned number)
{
    struct port *port = &state->ports[number];
    while (due(&port->up, state->now)) {
        const struct item item = take(&port->up);
        if (item.packet_class == MOEHUB_CLASS_STORE)
            join_copies(state, dispatch_rows_of(state->rows, number, item.number), item);
        else if (item.packet_class == MOEHUB_CLASS_REQUEST)
            add(&port->reserving, item);
        else
            take_partial(state, item);
        add(&port->back, (struct item){.cycle = state->now + (state->plane->loop - state->plane->loop / 2),
                                       .packet_class = item.packet_class, .flits = item.flits});
    }
}

/* The packet that was being sent has left. */
static void leave(struct state *state, struct port *port)
{
    struct item *item = &port->leaving;
    if (item->flits == 0 || port->down_free > state->now)
        return;
    if (item->packet_class == MOEHUB_CLASS_REQUEST) {
        item->cycle = state->now + state->plane->loop / 2;
        add(&port->down, *item);
    } else if (item->packet_class == MOEHUB_CLASS_RESPONSE && --item->request->results == 0)
        port->groups++;
    item->flits = 0;
}

static void reserve(struct state *state, struct port *port)
{
    for (; port->groups > 0 && port->reserving.count > 0; port->groups--) {
        const struct item item = take(&port->reserving);
        join_copies(state, item.request->asked.row, item);
    }
}

static bool overdue(const struct state *state, const struct port *port, unsigned packet_class)
{
    return port->out[packet_class].count > 0 && port->overtaken[packet_class] >= state->plane->bound;
}

/* The class that an output sends next; MOEHUB_CLASSES: none. */
static unsigned choose(const struct state *state, const struct port *port)
{
    static const unsigned order[] = {MOEHUB_CLASS_REQUEST, MOEHUB_CLASS_RESPONSE, MOEHUB_CLASS_STORE};
    for (unsigned i = 1; i < MOEHUB_CLASSES; i++)
        if (overdue(state, port, order[i]))
            return order[i];
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        if (port->out[order[i]].count > 0)
            return order[i];
    return MOEHUB_CLASSES;
}

static void start_output(struct state *state, struct port *port)
{
    const unsigned chosen = port->down_free > state->now ? MOEHUB_CLASSES : choose(state, port);
    if (chosen == MOEHUB_CLASSES)
        return;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        port->overtaken[i] = i == chosen ? 0 : port->overtaken[i] + (port->out[i].count > 0);
    port->leaving = take(&port->out[chosen]);
    port->down_free = state->now + port->leaving.flits;
    state->left++;
}

/* ---- the GPUs ---------------------------------------------------------------------------------------------- */

static void answer(struct state *state, struct port *port)
{
    while (due(&port->down, state->now)) {
        const struct item copy = take(&port->down);
        for (unsigned line = 0; line < copy.request->asked.part.lines; line++)
            add(&port->responses, (struct item){.packet_class = MOEHUB_CLASS_RESPONSE, .flits = RESPONSE_FLITS, .number = line,
                                                .request = copy.request});
    }
}

/* The next packet of a class; flits 0: none. */
static struct item offer(const struct state *state, unsigned number, unsigned packet_class)
{
    struct port *port = &state->ports[number];
    struct item item = {.packet_class = packet_class};
    if (packet_class == MOEHUB_CLASS_STORE && port->stores < layer_plan_stores(state->plan, state->rows, number)) {
        item.number = port->stores;
        item.flits = dispatch_rows_of(state->rows, number, item.number)->up;
    } else if (packet_class == MOEHUB_CLASS_REQUEST && port->requests < layer_plan_requests(state->plan, state->rows, number)) {
        item.request = &port->asked[port->requests];
        item.flits = layer_request_flits(item.request->asked.row->up);
    } else if (packet_class == MOEHUB_CLASS_RESPONSE && port->responses.count > 0)
        item = port->responses.items[port->responses.head];
    return item;
}

static void send(struct state *state, struct port *port, struct item item)
{
    port->credits[item.packet_class] -= item.flits;
    port->turn = item.packet_class + 1;
    port->up_free = state->now + item.flits;
    port->stores += item.packet_class == MOEHUB_CLASS_STORE;
    port->requests += item.packet_class == MOEHUB_CLASS_REQUEST;
    if (item.packet_class == MOEHUB_CLASS_RESPONSE)
        take(&port->responses);
    item.cycle = port->up_free + state->plane->loop / 2;
    add(&port->up, item);
}

static void start_uplink(struct state *state, unsigned number)
{
    struct port *port = &state->ports[number];
    while (due(&port->back, state->now)) {
        const struct item credits = take(&port->back);
        port->credits[credits.packet_class] += credits.flits;
    }
    const unsigned turn = port->turn;
    for (unsigned i = 0; i < MOEHUB_CLASSES && port->up_free <= state->now; i++) {
        const unsigned chosen = (turn + i) % MOEHUB_CLASSES;
        const struct item item = offer(state, number, chosen);
        if (item.flits > 0 && port->credits[chosen] >= item.flits)
            send(state, port, item);
    }
}

/* ---- all ---------------------------------------------------------------------------------------------------- */

static unsigned gpus_of(const struct state *state, const struct dispatch_row *row)
{
    unsigned gpus = 0;
    for (unsigned port = 0; port < state->rows->layer.ports; port++)
        gpus += row->down[port] > 0;
    return gpus;
}

static void create_requests(struct state *state, unsigned number)
{
    struct port *port = &state->ports[number];
    const uint64_t count = layer_plan_requests(state->plan, state->rows, number);
    port->asked = allocate(count + 1, sizeof *port->asked);
    for (uint64_t i = 0; i < count; i++) {
        struct request *request = &port->asked[i];
        *request = (struct request){.asked = layer_plan_request(state->plan, state->rows, number, i), .source = number};
        const unsigned gpus = gpus_of(state, request->asked.row);
        request->results = request->asked.part.lines;
        for (unsigned line = 0; line < request->asked.part.lines; line++)
            request->missing[line] = gpus;
        state->to_leave += gpus + request->results;
    }
}

static void create(struct state *state)
{
    const unsigned ports = state->rows->layer.ports;
    state->ports = allocate(ports, sizeof *state->ports);
    state->to_leave = state->plan->dispatches ? state->rows->copies : 0;
    for (unsigned number = 0; number < ports; number++) {
        state->ports[number] = (struct port){.groups = state->plane->groups};
        for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
            state->ports[number].credits[i] = state->plane->places[i];
        create_requests(state, number);
    }
}

static void destroy(struct state *state)
{
    for (unsigned number = 0; number < state->rows->layer.ports; number++) {
        struct port *port = &state->ports[number];
        struct fifo *const fifos[] = {&port->responses, &port->up,     &port->back,   &port->down,
                                      &port->reserving, &port->partials, &port->out[0], &port->out[1], &port->out[2]};
        for (size_t i = 0; i < sizeof fifos / sizeof *fifos; i++)
            free(fifos[i]->items);
        free(port->asked);
    }
    free(state->ports);
}

static void step(struct state *state)
{
    const unsigned ports = state->rows->layer.ports;
    for (unsigned number = 0; number < ports; number++)
        arrive(state, number);
    for (unsigned number = 0; number < ports; number++) {
        sum(state, &state->ports[number]);
        leave(state, &state->ports[number]);
        reserve(state, &state->ports[number]);
    }
    for (unsigned number = 0; number < ports; number++) {
        start_output(state, &state->ports[number]);
        answer(state, &state->ports[number]);
        start_uplink(state, number);
    }
    state->now++;
}

uint64_t ideal_plane_cycles(const struct ideal_plane *plane, const struct dispatch_rows *rows, const struct layer_plan *plan)
{
    struct state state = {.plane = plane, .rows = rows, .plan = plan};
    uint64_t last = 0;
    create(&state);
    while (state.left < state.to_leave)
        step(&state);
    for (unsigned number = 0; number < rows->layer.ports; number++)
        last = state.ports[number].down_free > last ? state.ports[number].down_free : last;
    destroy(&state);
    return last;
}
