/* SPDX-License-Identifier: Apache-2.0 */
/* Rows on the links: rates, progress, bytes, and which results may leave. Flow and link `i` of a first half belong to class
 * `i`: flows are dispatch, then combine; links are down (to the GPU), then up. Groups of SMs that move rows stand behind the
 * links, as what flows share, too: all GPUs' for dispatch, all GPUs' that ask for sums or each class's that sends them. */
#include "system/system_flow_state.h"

#include <math.h>

static unsigned classes_of(const struct system_flow *flow)
{
    return flow->plan->load.count;
}

/* Rows of a phase at a GPU, averaged over the GPUs. */
static double mean_rows(const struct system_flow *flow, const double *rows)
{
    double mean = 0;
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        mean += flow->weight[gpu] * rows[gpu];
    return mean;
}

/* Rows of a class over the mean. */
static void set_scale(const struct system_flow *flow, double *scale, const double *rows)
{
    const double mean = mean_rows(flow, rows);
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        scale[gpu] = mean > 0 ? rows[gpu] / mean : 1;
}

static void create_weights(struct system_flow *flow)
{
    const struct moehub_system_load *load = &flow->plan->load;
    double gpus = 0;
    for (unsigned i = 0; i < load->count; i++)
        gpus += load->classes[i].gpus;
    for (unsigned i = 0; i < load->count; i++) {
        flow->weight[i] = load->classes[i].gpus / gpus;
        flow->untouched[i] = pow(1 - load->classes[i].hits, load->classes[i].gpus);
        flow->dispatch_scale[i] = 1;
        flow->combine_scale[i] = 1;
    }
    /* Copies of a token move together, and so do the partial sums that one result asks for. */
    if (flow->plan->multicast)
        set_scale(flow, flow->dispatch_scale, flow->plan->dispatch_rows);
    if (flow->plan->pull)
        set_scale(flow, flow->combine_scale, flow->plan->combine_rows);
}

/* Flow 0 alone carries dispatch: a row at all its receivers for the mean of its copies. */
static void create_multicast(struct system_flow *flow)
{
    const struct moehub_system_plan *plan = flow->plan;
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        flow->share.use[0][gpu] = flow->dispatch_scale[gpu] * plan->dispatch_seconds;
        flow->share.use[0][classes_of(flow) + gpu] = plan->dispatch_up_seconds;
    }
}

static void create_unicast(struct system_flow *flow)
{
    const struct moehub_system_plan *plan = flow->plan;
    for (unsigned to = 0; to < classes_of(flow); to++) {
        flow->share.use[to][to] = plan->dispatch_seconds;
        for (unsigned from = 0; from < classes_of(flow); from++)
            flow->share.use[to][classes_of(flow) + from] = flow->weight[to] * plan->dispatch_up_seconds;
    }
}

static void create_combine(struct system_flow *flow)
{
    const struct moehub_system_plan *plan = flow->plan;
    const unsigned classes = classes_of(flow);
    for (unsigned from = 0; from < classes; from++) {
        double *use = flow->share.use[classes + from];
        const double scale = flow->combine_scale[from];
        use[classes + from] = scale * plan->combine_seconds;
        use[from] = scale * plan->request_seconds;
        for (unsigned to = 0; to < classes; to++) {
            const double rows = scale * flow->weight[from] * plan->combine_down;
            use[to] += rows * plan->combine_seconds;
            use[classes + to] += rows * plan->request_seconds;
        }
    }
}

/* Every GPU is a source of dispatch and an owner of results alike, so that one group stands for all. */
static void create_sms(struct system_flow *flow)
{
    const struct moehub_system_plan *plan = flow->plan;
    const unsigned classes = classes_of(flow), group = flow->share.links;
    if (plan->dispatch_sms == 0 || plan->combine_sms == 0)
        return;
    for (unsigned i = 0; i < classes; i++) {
        const double part = flow->weight[i] * flow->combine_scale[i];
        flow->share.use[i][group] = plan->dispatch_sm_seconds * (plan->multicast ? i == 0 : flow->weight[i]);
        flow->share.use[classes + i][group + 1 + (plan->pull ? 0 : i)] = plan->combine_sm_seconds * (plan->pull ? part : 1);
    }
    flow->share.links += 1 + (plan->pull ? 1 : classes);
    flow->share.capacity[group] = plan->dispatch_sms;
    for (unsigned i = group + 1; i < flow->share.links; i++)
        flow->share.capacity[i] = plan->combine_sms;
}

void system_flow_links_create(struct system_flow *flow)
{
    const unsigned classes = classes_of(flow);
    flow->share.flows = 2 * classes;
    flow->share.links = 2 * classes;
    create_weights(flow);
    if (flow->plan->multicast)
        create_multicast(flow);
    else
        create_unicast(flow);
    create_combine(flow);
    create_sms(flow);
    for (unsigned gpu = 0; gpu < classes; gpu++) {
        flow->gpus[gpu].dispatching = flow->plan->dispatch_rows[gpu] > SYSTEM_FLOW_ROWS_LEAST;
        flow->gpus[gpu].dispatch_since = flow->now;
    }
    if (flow->plan->combine_tiles)  /* a GPU without products has its results */
        system_flow_links_release(flow);
    flow->rates_old = true;
}

/* Rows that do not move have no rate. Every GPU is a source of dispatch and an owner of results alike. */
static void set_memory(struct system_flow *flow)
{
    const struct moehub_system_plan *plan = flow->plan;
    double sent = 0, returned = 0;
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        sent += flow->weight[gpu] * flow->gpus[gpu].dispatch_rate * plan->sent;
        returned += flow->weight[gpu] * flow->gpus[gpu].combine_rate * plan->returned;
    }
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        struct system_gpu *state = &flow->gpus[gpu];
        state->dispatch_memory = state->dispatch_rate * plan->written[gpu] + sent;
        state->combine_memory = state->combine_rate * plan->summed[gpu] + returned;
    }
}

static void set_rates(struct system_flow *flow)
{
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        struct system_gpu *state = &flow->gpus[gpu];
        state->dispatch_rate = flow->dispatch_scale[gpu] * flow->share.rate[flow->plan->multicast ? 0 : gpu];
        state->combine_rate = flow->combine_scale[gpu] * flow->share.rate[classes_of(flow) + gpu];
    }
    set_memory(flow);
}

static double used(const struct system_flow *flow, unsigned link)
{
    double sum = 0;
    for (unsigned i = 0; i < flow->share.flows; i++)
        sum += flow->share.rate[i] * flow->share.use[i][link];
    return sum;
}

static void tell_links(const struct system_flow *flow)
{
    if (flow->observer->links == NULL)
        return;
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        flow->observer->links(flow->observer->context, gpu, flow->now, used(flow, classes_of(flow) + gpu), used(flow, gpu));
}

static bool anything_dispatches(const struct system_flow *flow)
{
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        if (flow->gpus[gpu].dispatching)
            return true;
    return false;
}

static bool anything_combines(const struct system_flow *flow)
{
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        if (flow->gpus[gpu].combining)
            return true;
    return false;
}

/* The share of the links' time that rows can have now. */
static void set_capacity(struct system_flow *flow)
{
    const bool dispatch = anything_dispatches(flow);
    const bool combine = anything_combines(flow);
    const enum moehub_system_pattern pattern = dispatch && combine ? MOEHUB_SYSTEM_BOTH :
                                               dispatch            ? MOEHUB_SYSTEM_DISPATCH_ALONE :
                                                                     MOEHUB_SYSTEM_COMBINE_ALONE;
    for (unsigned link = 0; link < 2 * classes_of(flow); link++)
        flow->share.capacity[link] = flow->plan->efficiency[pattern];
}

void system_flow_links_solve(struct system_flow *flow)
{
    if (!flow->rates_old)
        return;
    flow->rates_old = false;
    set_capacity(flow);
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        flow->share.active[gpu] = flow->gpus[gpu].dispatching && (!flow->plan->multicast || gpu == 0);
        flow->share.active[classes_of(flow) + gpu] = flow->gpus[gpu].combining;
    }
    moehub_system_share_solve(&flow->share);
    set_rates(flow);
    tell_links(flow);
}

/* Rows that move, until when, and what they take of the memory's rate. */
struct moving {
    double until, share;
};

static struct moving moving(double rows, double rate, double share)
{
    return rate > 0 ? (struct moving){fmax(0, rows) / rate, share} : (struct moving){0, 0};
}

double system_flow_links_memory(const struct system_flow *flow, unsigned gpu, double alone)
{
    const struct system_gpu *state = &flow->gpus[gpu];
    const struct moehub_system_plan *plan = flow->plan;
    const struct moving in = moving(plan->dispatch_rows[gpu] - state->received, state->dispatch_rate, state->dispatch_memory);
    const struct moving out = moving(plan->combine_rows[gpu] - state->sent, state->combine_rate, state->combine_memory);
    const struct moving *first = in.until < out.until ? &in : &out, *last = first == &in ? &out : &in;
    const double beside_both = fmax(1 - in.share - out.share, 0.5), beside_last = fmax(1 - last->share, 0.5);
    const double at_first = first->until * beside_both, at_last = at_first + (last->until - first->until) * beside_last;
    if (alone <= at_first)
        return alone / beside_both;
    if (alone <= at_last)
        return first->until + (alone - at_first) / beside_last;
    return last->until + alone - at_last;
}

static double next_of_gpu(const struct system_flow *flow, unsigned gpu)
{
    const struct system_gpu *state = &flow->gpus[gpu];
    double time = INFINITY;
    if (state->dispatching) {
        const double share = state->ready < state->unit_count ? state->units[state->ready].arrived : 1;
        const double rows = share * flow->plan->dispatch_rows[gpu] - state->received;
        time = flow->now + fmax(0, rows) / state->dispatch_rate;
    }
    if (state->combining)
        time = fmin(time, flow->now + fmax(0, state->available - state->sent) / state->combine_rate);
    return time;
}

double system_flow_links_next(const struct system_flow *flow)
{
    double time = INFINITY;
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        time = fmin(time, next_of_gpu(flow, gpu));
    return time;
}

static void tell_span(const struct system_flow *flow, unsigned gpu, enum moehub_system_lane lane, double begin)
{
    if (flow->observer->span != NULL && flow->now > begin)
        flow->observer->span(flow->observer->context, gpu, lane, 0, 0, begin, flow->now);
}

/* Bytes that a GPU of each class takes in and sends by itself. */
static void count_own_bytes(struct system_flow *flow, unsigned gpu, double received, double sent)
{
    const struct moehub_system_plan *plan = flow->plan;
    struct moehub_system_bytes *bytes = &flow->result->bytes[gpu];
    bytes->down[MOEHUB_SYSTEM_DISPATCH] += received * plan->dispatch_seconds * plan->link_rate;
    bytes->up[MOEHUB_SYSTEM_COMBINE] += sent * plan->combine_seconds * plan->link_rate;
    bytes->down[MOEHUB_SYSTEM_REQUESTS] += sent * plan->request_seconds * plan->link_rate;
}

/* The other ends of these bytes: every GPU is a source of dispatch and an owner of results alike. */
static void count_other_bytes(struct system_flow *flow, double received, double sent)
{
    const struct moehub_system_plan *plan = flow->plan;
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        struct moehub_system_bytes *bytes = &flow->result->bytes[gpu];
        bytes->up[MOEHUB_SYSTEM_DISPATCH] += received * plan->dispatch_up_seconds * plan->link_rate;
        bytes->down[MOEHUB_SYSTEM_COMBINE] += sent * plan->combine_down * plan->combine_seconds * plan->link_rate;
        bytes->up[MOEHUB_SYSTEM_REQUESTS] += sent * plan->combine_down * plan->request_seconds * plan->link_rate;
    }
}

/* Rows of the step, added to the means over all GPUs. */
static void advance_gpu(struct system_flow *flow, unsigned gpu, double step, double *mean_received, double *mean_sent)
{
    struct system_gpu *state = &flow->gpus[gpu];
    if (!state->dispatching && !state->combining)
        return;
    const double received = state->dispatching ? state->dispatch_rate * step : 0;
    const double sent = state->combining ? state->combine_rate * step : 0;
    state->received += received;
    state->sent += sent;
    count_own_bytes(flow, gpu, received, sent);
    *mean_received += flow->weight[gpu] * received;
    *mean_sent += flow->weight[gpu] * sent;
    if (state->dispatching && state->received >= flow->plan->dispatch_rows[gpu] - SYSTEM_FLOW_ROWS_LEAST) {
        state->dispatching = false;
        flow->result->dispatch_end = flow->now;
        flow->rates_old = true;
        tell_span(flow, gpu, MOEHUB_SYSTEM_LANE_DISPATCH, state->dispatch_since);
    }
    if (state->combining && state->sent >= state->available - SYSTEM_FLOW_ROWS_LEAST) {
        state->combining = false;
        flow->rates_old = true;
        tell_span(flow, gpu, MOEHUB_SYSTEM_LANE_COMBINE, state->combine_since);
    }
}

void system_flow_links_advance(struct system_flow *flow, double time)
{
    const double step = time - flow->now;
    flow->now = time;
    double received = 0;
    double sent = 0;
    const bool dispatched = anything_dispatches(flow);
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        advance_gpu(flow, gpu, step, &received, &sent);
    if (received > 0 || sent > 0)
        count_other_bytes(flow, received, sent);
    if (dispatched && !anything_dispatches(flow))
        system_flow_links_release(flow);
}

static double progress(const struct system_flow *flow, unsigned gpu)
{
    const struct system_gpu *state = &flow->gpus[gpu];
    return state->rows > 0 ? state->rows_done / state->rows : 1;
}

/* Classes, slowest first, in `order`. */
static void sort_by_progress(const struct system_flow *flow, unsigned *order)
{
    for (unsigned i = 0; i < classes_of(flow); i++) {
        unsigned place = i;
        for (; place > 0 && progress(flow, order[place - 1]) > progress(flow, i); place--)
            order[place] = order[place - 1];
        order[place] = i;
    }
}

/* Share of each GPU's rows whose tokens are ready at all their GPUs. Tokens are computed in one order everywhere: one at a place
 * of the order is ready if none of its experts is on a GPU that has not come as far. */
static void shares_ready(const struct system_flow *flow, double *shares)
{
    unsigned order[MOEHUB_SYSTEM_CLASSES_MAX];
    sort_by_progress(flow, order);
    double chance = 1;
    double from = 0;
    double share = 0;
    for (unsigned i = 0; i < classes_of(flow); i++) {
        const double to = progress(flow, order[i]);
        share += (to - from) * chance;
        shares[order[i]] = share;
        chance *= flow->untouched[order[i]];
        from = to;
    }
}

/* Share of each GPU's results that may leave. */
static void shares_to_send(const struct system_flow *flow, double *shares)
{
    if (flow->plan->pull) {
        shares_ready(flow, shares);
        return;
    }
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++)
        shares[gpu] = progress(flow, gpu);
}

void system_flow_links_release(struct system_flow *flow)
{
    const struct moehub_system_plan *plan = flow->plan;
    /* Results of the emptier GPUs would take the fullest one's link from the rows that it still waits for. */
    const bool held = plan->kernels_apart && anything_dispatches(flow);
    double shares[MOEHUB_SYSTEM_CLASSES_MAX];
    shares_to_send(flow, shares);
    for (unsigned gpu = 0; gpu < classes_of(flow); gpu++) {
        struct system_gpu *state = &flow->gpus[gpu];
        if (plan->combine_tiles)
            state->available = plan->combine_rows[gpu] * shares[gpu];
        if (!held && !state->combining && state->available > state->sent + SYSTEM_FLOW_ROWS_LEAST) {
            state->combining = true;
            state->combine_since = flow->now;
            flow->rates_old = true;
            if (flow->result->combine_begin <= 0)
                flow->result->combine_begin = flow->now;
        }
    }
}
