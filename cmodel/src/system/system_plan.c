/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_plan.h"

#include "moehub/system_gemm.h"
#include "moehub/system_shares.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* How the schemes differ. One line each, so that a comparison is a comparison of lines. */
struct traits {
    bool tiles;          /* modelled by tile flows */
    bool hardware;       /* rates and SMs of the hardware; nothing is counted before */
    bool in_switch;      /* multicast and reduction in the switch; nothing is counted before */
    bool gather;         /* rows go to everybody */
    bool merges;         /* packets are full */
    bool library;        /* dispatch and combine are calls of a library, with its start */
    bool tiles_ready;
    bool kernels_apart;
    bool combine_tiles;
    bool groups;         /* of SMs: for dispatch, for each GEMM, for combine */
    bool beside;         /* communication takes SMs from the GEMMs */
};

static const struct traits traits[MOEHUB_SYSTEM_SCHEME_COUNT] = {
    /*                                     tiles  hardw. switch gather merges librar ready  apart  comb.  groups beside */
    [MOEHUB_SYSTEM_SCHEME_DEEPEP] =       {true,  false, false, false, true,  true,  false, true,  false, false, false},
    [MOEHUB_SYSTEM_SCHEME_NVLS] =         {true,  false, true,  true,  true,  true,  false, true,  false, false, false},
    [MOEHUB_SYSTEM_SCHEME_FASTERMOE] =    {false, false, false, false, true,  true,  false, true,  false, false, true},
    [MOEHUB_SYSTEM_SCHEME_TUTEL] =        {false, false, false, false, true,  true,  false, true,  false, false, true},
    [MOEHUB_SYSTEM_SCHEME_CCFUSER] =      {false, false, false, false, true,  false, false, true,  false, false, true},
    [MOEHUB_SYSTEM_SCHEME_COMET] =        {false, false, false, false, true,  false, false, true,  false, false, true},
    [MOEHUB_SYSTEM_SCHEME_PERFECT] =      {false, false, false, false, true,  false, false, false, false, false, false},
    [MOEHUB_SYSTEM_SCHEME_ADDRESSING] =   {true,  true,  true,  false, true,  false, false, true,  false, false, false},
    [MOEHUB_SYSTEM_SCHEME_ADDRESSING_COMET] =
                                          {false, true,  true,  false, true,  false, false, true,  false, false, true},
    [MOEHUB_SYSTEM_SCHEME_FUSION] =       {true,  false, false, false, true,  false, true,  false, true,  true,  true},
    [MOEHUB_SYSTEM_SCHEME_DYSHARP] =      {true,  true,  true,  false, true,  false, true,  false, true,  true,  true},
    [MOEHUB_SYSTEM_SCHEME_IDEAL] =        {false, true,  true,  false, true,  false, false, false, false, false, false},
    [MOEHUB_SYSTEM_SCHEME_COMET_TILES] =  {true,  false, false, false, true,  false, true,  true,  true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_MEGAMOE] =      {true,  false, false, false, true,  false, true,  false, true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_DUALPIPE] =     {false, false, false, false, true,  false, false, true,  false, false, true},
    [MOEHUB_SYSTEM_SCHEME_ADDRESSING_TILES] =
                                          {true,  true,  true,  false, true,  false, true,  true,  true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_MEGATRON] =     {true,  false, false, false, true,  true,  false, true,  false, false, false},
    [MOEHUB_SYSTEM_SCHEME_HUB_BASE] =     {true,  true,  false, false, false, false, false, true,  true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_HUB_PACKETS] =  {true,  true,  false, false, true,  false, false, true,  true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_HUB_READY] =    {true,  true,  false, false, false, false, true,  true,  true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_HUB] =          {true,  true,  false, false, true,  false, true,  true,  true,  false, true},
    [MOEHUB_SYSTEM_SCHEME_HUB_IDEAL] =    {false, true,  false, false, true,  false, false, true,  false, false, false},
};

bool moehub_system_plan_exists(enum moehub_system_scheme scheme)
{
    return traits[scheme].tiles;
}

/* The hardware needs no counts: receivers choose addresses. Nor do gathers: everybody gets everything. */
double moehub_system_mediation(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme)
{
    const double tokens_of_constant = 8192;
    if (traits[scheme].in_switch || traits[scheme].hardware)
        return 0;
    const double growth = fmax(0, VALUE(mediation) - VALUE(mediation_least));
    return VALUE(mediation_least) + growth * fmin(1, work->tokens / tokens_of_constant);
}

/* Share of a full packet's rate that packets of `unmerged_payload` have: their two parts, framing and payload, do not shrink
 * alike. */
static double unmerged_share(const struct moehub_system_constants *constants)
{
    const double payload = VALUE(unmerged_payload);
    const double framing = VALUE(packet_flits) - VALUE(packet_bytes) / VALUE(flit_bytes);
    const double flits = framing + ceil(payload / VALUE(flit_bytes));
    return fmin(1, payload / flits / (VALUE(packet_bytes) / VALUE(packet_flits)));
}

/* The loads in at most so many classes. */
static void make_load(struct moehub_system_load *load, const struct moehub_system_constants *constants,
                      const struct moehub_system_work *work, const struct moehub_system_plan_options *options, unsigned classes)
{
    if (options->load != NULL)
        *load = *options->load;
    else if (options->trace != NULL)
        moehub_system_load_from_trace(load, constants, work, options->trace, classes);
    else
        moehub_system_load_make(load, constants, work, classes);
}

static int plan_efficiency(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                           const struct moehub_system_work *work, const struct traits *scheme,
                           const struct moehub_system_plan_options *options, struct moehub_message *message)
{
    struct moehub_system_load each;
    int error = 0;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++)
        plan->efficiency[i] = options->lossless ? 1 : VALUE(software_efficiency);
    if (scheme->hardware && !options->lossless) {
        make_load(&each, constants, work, options, MOEHUB_SYSTEM_CLASSES_MAX);
        error = moehub_system_hardware_shares(constants, &each, work, scheme->in_switch, plan->efficiency, message);
    }
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS && !scheme->merges && !options->lossless; i++)
        plan->efficiency[i] *= unmerged_share(constants);
    return error;
}

static void plan_rows(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                      const struct moehub_system_work *work, const struct traits *scheme)
{
    const double others = VALUE(gpus) - 1;
    for (unsigned i = 0; i < plan->load.count; i++) {
        plan->dispatch_rows[i] = scheme->gather ? work->tokens * others : plan->load.classes[i].arrivals;
        plan->combine_rows[i] = plan->dispatch_rows[i];
    }
    const double copies = scheme->gather ? others : fmax(1, plan->load.copies);
    plan->multicast = scheme->in_switch;
    plan->pull = scheme->in_switch && !scheme->gather;
    plan->combine_down = scheme->in_switch ? 1 / copies : 1;
    const double row = (double)work->hidden * work->dispatch_element_bytes;
    plan->dispatch_seconds = plan->pull ? moehub_system_copies_time(constants, 1, row) :
                                          moehub_system_rows_time(constants, 1, row);
    plan->dispatch_up_seconds = plan->pull         ? moehub_system_listed_rows_time(constants, 1, row) / copies :
                                scheme->in_switch ? plan->dispatch_seconds / copies :
                                                    plan->dispatch_seconds;
    const double partial = work->hidden * VALUE(combine_element_bytes);
    plan->combine_seconds = moehub_system_rows_time(constants, 1, partial);
    plan->request_seconds = scheme->in_switch ? moehub_system_requests_time(constants, partial) : 0;
}

double moehub_system_plan_mean(const struct moehub_system_plan *plan, const double *rows)
{
    double sum = 0;
    double gpus = 0;
    for (unsigned i = 0; i < plan->load.count; i++) {
        sum += rows[i] * plan->load.classes[i].gpus;
        gpus += plan->load.classes[i].gpus;
    }
    return sum / gpus;
}

/* Experts that a row has at a GPU of a class, whose results are one partial sum. Gathered rows are written once. */
static double experts_of_row(const struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                             const struct moehub_system_work *work, const struct traits *scheme, unsigned number)
{
    const struct moehub_system_class *one = &plan->load.classes[number];
    const double tokens = work->tokens * VALUE(gpus) * one->hits;
    return scheme->gather || tokens <= 0 ? 1 : fmax(1, one->rows / tokens);
}

static void plan_memory(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                        const struct moehub_system_work *work, const struct traits *scheme)
{
    const double row = (double)work->hidden * work->dispatch_element_bytes / VALUE(hbm_rate);
    const double partial = work->hidden * VALUE(combine_element_bytes) / VALUE(hbm_rate);
    for (unsigned i = 0; i < plan->load.count; i++) {
        const double experts = experts_of_row(plan, constants, work, scheme, i);
        plan->written[i] = row * experts;
        plan->summed[i] = partial * experts;
    }
    plan->sent = scheme->in_switch ? row * plan->combine_down : row;
    plan->returned = partial * plan->combine_down;
}

struct moehub_system_bytes moehub_system_plan_bytes(const struct moehub_system_plan *plan, unsigned number)
{
    const double dispatch = plan->dispatch_seconds * plan->link_rate;
    const double combine = plan->combine_seconds * plan->link_rate;
    const double request = plan->request_seconds * plan->link_rate;
    const double asked = moehub_system_plan_mean(plan, plan->combine_rows) * plan->combine_down;
    struct moehub_system_bytes bytes;
    bytes.down[MOEHUB_SYSTEM_DISPATCH] = plan->dispatch_rows[number] * dispatch;
    bytes.up[MOEHUB_SYSTEM_DISPATCH] =
        moehub_system_plan_mean(plan, plan->dispatch_rows) * plan->dispatch_up_seconds * plan->link_rate;
    bytes.up[MOEHUB_SYSTEM_COMBINE] = plan->combine_rows[number] * combine;
    bytes.down[MOEHUB_SYSTEM_COMBINE] = asked * combine;
    bytes.down[MOEHUB_SYSTEM_REQUESTS] = plan->combine_rows[number] * request;
    bytes.up[MOEHUB_SYSTEM_REQUESTS] = asked * request;
    return bytes;
}

static void plan_starts(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                        const struct moehub_system_work *work, enum moehub_system_scheme number)
{
    const struct traits *scheme = &traits[number];
    const double through = 2 * VALUE(hop_latency);
    plan->start = scheme->library ? VALUE(dispatch_start) : through;
    plan->start += moehub_system_mediation(constants, work, number);
    plan->kernel_start = VALUE(gemm_launch);
    plan->combine_start = scheme->library ? VALUE(combine_start) : VALUE(gemm_launch);
    plan->end = scheme->in_switch ? 2 * through : through;
}

/* SMs of a group: what is asked for, or as many as fill the links; the other groups need one each. */
static unsigned group_sms(const struct moehub_system_constants *constants, unsigned asked, double needed)
{
    const double largest = fmax(1, VALUE(sms) / 2 - 1);
    return (unsigned)fmin(largest, asked > 0 ? asked : fmax(1, ceil(needed)));
}

/* Only whoever sends a row, or asks for a sum, spends an SM's time on it: what comes is placed, or summed, by hardware, and a row
 * that the switch copies is sent once. */
static void plan_groups(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                        const struct moehub_system_work *work, const struct traits *scheme,
                        const struct moehub_system_plan_options *options)
{
    if (!scheme->groups)
        return;
    const double shared = scheme->in_switch ? plan->combine_down : 1;
    plan->dispatch_sm_seconds = shared * work->hidden * work->dispatch_element_bytes / VALUE(sm_rate);
    plan->combine_sm_seconds = shared * work->hidden * VALUE(combine_element_bytes) / VALUE(sm_rate);
    plan->dispatch_sms = group_sms(constants, options->dispatch_sms, plan->dispatch_sm_seconds / plan->dispatch_seconds);
    plan->combine_sms = group_sms(constants, options->combine_sms, plan->combine_sm_seconds / plan->combine_seconds);
}

/* SMs that are left for the GEMMs. */
static unsigned compute_sms(const struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                            const struct traits *scheme)
{
    const double together = scheme->beside ? (scheme->hardware ? VALUE(hardware_sms) : VALUE(software_sms)) : 0;
    const double taken = scheme->groups ? plan->dispatch_sms + plan->combine_sms : together;
    return (unsigned)fmax(2, VALUE(sms) - taken);
}

/* Tasks of a stage. No task is faster than its share of the memory, all SMs reading at once; weights are read once for the
 * rows that are computed together. */
static struct moehub_system_cut cut_stage(const struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                                          const struct moehub_system_gemm *gemm, unsigned sms)
{
    const struct moehub_system_tasks tasks = moehub_system_gemm_tasks(constants, gemm, sms);
    struct moehub_system_cut cut = {tasks.rows, (gemm->n + tasks.columns - 1) / tasks.columns, tasks.seconds, 0};
    const double together = plan->tiles_ready ? fmin(gemm->m, (double)plan->group * MOEHUB_SYSTEM_TILE_ROWS) : gemm->m;
    const double rows = fmin(gemm->m, cut.rows);
    const double weights = (double)gemm->n * gemm->k / ceil(together / cut.rows);
    const double bytes = (rows * gemm->k + weights) * gemm->element_bytes + 2 * rows * gemm->n;
    const double all = plan->sms[0] + (plan->split ? plan->sms[1] : 0);
    cut.memory = bytes / cut.columns * all / VALUE(hbm_rate);
    const double count = ceil((double)gemm->m / cut.rows) * cut.columns * gemm->groups;
    cut.seconds += moehub_system_gemm_exposed(constants, gemm) * sms / fmax(count, sms);
    cut.seconds = fmax(cut.seconds, cut.memory);
    return cut;
}

/* Gradients of the weights: as many products as the two stages before, cut as the first. */
static struct moehub_system_cut cut_weights(const struct moehub_system_cut *cuts)
{
    const struct moehub_system_cut *first = &cuts[MOEHUB_SYSTEM_GEMM_1];
    const struct moehub_system_cut *second = &cuts[MOEHUB_SYSTEM_GEMM_2];
    struct moehub_system_cut cut = *first;
    const double other = (double)second->columns / second->rows * first->rows / first->columns;
    cut.seconds += other * second->seconds;
    cut.memory += other * second->memory;
    return cut;
}

/* Backward, rows come in at the second matrix and leave at the first. */
void moehub_system_plan_gemms(struct moehub_system_gemm *gemms, const struct moehub_system_constants *constants,
                              const struct moehub_system_work *work, const struct moehub_system_class *one, bool backward)
{
    const unsigned m = (unsigned)fmax(1, ceil(one->rows / fmax(1, one->experts)));
    const unsigned inner = work->intermediate * (unsigned)(VALUE(expert_matrices) - 1);
    const unsigned bytes = work->gemm_element_bytes;
    const unsigned experts = one->experts > 0 ? one->experts : 1;
    gemms[0] = (struct moehub_system_gemm){experts, m, backward ? work->intermediate : inner, work->hidden, bytes};
    gemms[1] = (struct moehub_system_gemm){experts, m, work->hidden, backward ? inner : work->intermediate, bytes};
}

static void plan_class(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                       const struct moehub_system_work *work, unsigned number, bool backward)
{
    const struct moehub_system_class *one = &plan->load.classes[number];
    if (one->experts == 0 || one->rows <= 0)
        return;
    struct moehub_system_gemm gemms[2];
    moehub_system_plan_gemms(gemms, constants, work, one, backward);
    struct moehub_system_cut *cuts = plan->cuts[number];
    cuts[MOEHUB_SYSTEM_GEMM_1] = cut_stage(plan, constants, &gemms[0], plan->sms[0]);
    cuts[MOEHUB_SYSTEM_GEMM_2] = cut_stage(plan, constants, &gemms[1], plan->sms[plan->split]);
    if (backward)
        cuts[MOEHUB_SYSTEM_WEIGHTS] = cut_weights(cuts);
}

/* SMs of GEMM-1 in proportion to what the GEMMs take of a GPU of the first class, tile overheads included. */
static double proportion(const struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                         const struct moehub_system_work *work, unsigned sms, bool backward)
{
    struct moehub_system_gemm gemms[2];
    moehub_system_plan_gemms(gemms, constants, work, &plan->load.classes[0], backward);
    const double first = moehub_system_gemm_time(constants, &gemms[0], sms);
    const double second = moehub_system_gemm_time(constants, &gemms[1], sms);
    return round(sms * first / (first + second));
}

static void split_sms(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                      const struct moehub_system_work *work, unsigned sms, const struct moehub_system_plan_options *options)
{
    plan->sms[0] = sms;
    if (!plan->split)
        return;
    const double first = options->first_sms > 0 ? options->first_sms : proportion(plan, constants, work, sms, options->backward);
    plan->sms[0] = (unsigned)fmax(1, fmin(sms - 1.0, first));
    plan->sms[1] = sms - plan->sms[0];
}

/* At least what was asked for; more where an expert would be cut into too many units. */
static unsigned unit_tiles(const struct moehub_system_plan *plan, unsigned asked)
{
    double rows = 1;
    for (unsigned i = 0; i < plan->load.count; i++)
        if (plan->load.classes[i].experts > 0)
            rows = fmax(rows, plan->load.classes[i].rows / plan->load.classes[i].experts);
    const double least = ceil(rows / MOEHUB_SYSTEM_TILE_ROWS / MOEHUB_SYSTEM_UNITS_OF_EXPERT_MAX);
    return (unsigned)fmax(asked, least);
}

void moehub_system_plan_resize(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                               const struct moehub_system_work *work, enum moehub_system_scheme scheme,
                               const struct moehub_system_plan_options *options)
{
    const struct traits *one = &traits[scheme];
    plan->split = one->groups && !options->one_pool;
    plan->sms[1] = 0;
    plan->group = unit_tiles(plan, options->group);
    plan_groups(plan, constants, work, one, options);
    split_sms(plan, constants, work, compute_sms(plan, constants, one), options);
    for (unsigned i = 0; i < plan->load.count; i++)
        plan_class(plan, constants, work, i, options->backward);
}

int moehub_system_plan_make(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                            const struct moehub_system_work *work, enum moehub_system_scheme scheme,
                            const struct moehub_system_plan_options *options, struct moehub_message *message)
{
    const struct traits *one = &traits[scheme];
    *plan = (struct moehub_system_plan){0};
    make_load(&plan->load, constants, work, options, options->classes);
    plan->link_rate = VALUE(link_rate);
    const int error = plan_efficiency(plan, constants, work, one, options, message);
    plan->tiles_ready = one->tiles_ready;
    plan->kernels_apart = one->kernels_apart;
    plan->combine_tiles = one->combine_tiles;
    plan->serial = !one->combine_tiles;
    plan_rows(plan, constants, work, one);
    plan_memory(plan, constants, work, one);
    plan_starts(plan, constants, work, scheme);
    moehub_system_plan_resize(plan, constants, work, scheme, options);
    return error;
}
