/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/routing.h"
#include "moehub/system_study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 0, MEDIUM = 3, LARGE = 6, DRAWN_TOKENS = 16384, DRAWN_SEED = 1 };

/* What a point runs: constants and layers, changed. */
struct setting {
    struct moehub_system_constants constants;
    struct moehub_system_plan_options options;
    struct moehub_system_work works[3];
    unsigned count;
};

struct sweep {
    const struct moehub_system_constants *base;
    struct moehub_system_point *points;
    int count;
    int error;
    struct moehub_message *message;
};

static struct setting large_layer(const struct sweep *sweep)
{
    size_t count;
    struct setting setting = {.constants = *sweep->base, .options = moehub_system_forward, .count = 1};
    setting.works[0] = moehub_system_training(&count)[LARGE];
    return setting;
}

static struct setting three_layers(const struct sweep *sweep)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    struct setting setting = {.constants = *sweep->base, .options = moehub_system_forward, .count = 3};
    setting.works[0] = works[SMALL];
    setting.works[1] = works[MEDIUM];
    setting.works[2] = works[LARGE];
    return setting;
}

static void set(struct setting *setting, enum moehub_system_constant constant, double value)
{
    setting->constants.entries[constant].value = value;
}

/* Geometric mean of a scheme's seconds; negative: an error. */
static double mean_seconds(const struct setting *setting, enum moehub_system_scheme scheme, struct moehub_message *message)
{
    double logarithms = 0;
    for (unsigned i = 0; i < setting->count; i++) {
        const double seconds =
            moehub_system_time(&setting->constants, &setting->works[i], scheme, &setting->options, message);
        if (seconds < 0)
            return seconds;
        logarithms += log(seconds);
    }
    return exp(logarithms / setting->count);
}

static void add(struct sweep *sweep, const char *study, const char *change, const struct setting *setting)
{
    if (sweep->error != 0 || sweep->count == MOEHUB_SYSTEM_POINTS_MAX)
        return;
    struct moehub_system_point *point = &sweep->points[sweep->count++];
    const double fast = mean_seconds(setting, MOEHUB_SYSTEM_SCHEME_DYSHARP, sweep->message);
    const double comet = mean_seconds(setting, MOEHUB_SYSTEM_SCHEME_COMET, sweep->message);
    const double software = mean_seconds(setting, MOEHUB_SYSTEM_SCHEME_MEGAMOE, sweep->message);
    const double deepep = mean_seconds(setting, MOEHUB_SYSTEM_SCHEME_DEEPEP, sweep->message);
    if (fast < 0 || comet < 0 || software < 0 || deepep < 0)
        sweep->error = MOEHUB_E_STATE;
    *point = (struct moehub_system_point){study, "", fast, comet / fast, software / fast, deepep / fast};
    snprintf(point->change, sizeof point->change, "%s", change);
}

static void add_number(struct sweep *sweep, const char *study, double number, const struct setting *setting)
{
    char change[48];
    snprintf(change, sizeof change, "%g", number);
    add(sweep, study, change, setting);
}

static void sweep_gpus(struct sweep *sweep)
{
    for (unsigned gpus = 4; gpus <= 64; gpus *= 2) {
        struct setting setting = large_layer(sweep);
        set(&setting, MOEHUB_SYSTEM_gpus, gpus);
        add_number(sweep, "gpus", gpus, &setting);
    }
}

static void sweep_tokens(struct sweep *sweep)
{
    for (unsigned tokens = 64; tokens <= 16384; tokens *= 4) {
        struct setting setting = large_layer(sweep);
        setting.works[0].tokens = tokens;
        add_number(sweep, "tokens", tokens, &setting);
    }
}

static void sweep_topk(struct sweep *sweep)
{
    for (unsigned topk = 1; topk <= 32; topk *= 2) {
        struct setting setting = large_layer(sweep);
        setting.works[0].topk = topk;
        add_number(sweep, "topk", topk, &setting);
    }
}

static void sweep_load(struct sweep *sweep)
{
    for (int quarter = 0; quarter <= 4; quarter++) {
        struct setting setting = large_layer(sweep);
        set(&setting, MOEHUB_SYSTEM_load_variation, quarter / 4.0);
        add_number(sweep, "load-variation", quarter / 4.0, &setting);
    }
}

/* The shares of experts fall with their ranks by a power, and ranks lie anywhere: rows drawn as `moehub traffic` draws them. */
static void sweep_power(struct sweep *sweep)
{
    for (int half = 1; half <= 5 && sweep->error == 0; half++) {
        struct setting setting = large_layer(sweep);
        const unsigned experts = setting.works[0].experts, topk = setting.works[0].topk;
        const struct moehub_routing routing = {.kind = MOEHUB_ROUTING_ZIPF, .parameter = half / 2.0};
        struct moehub_trace trace = {.topk = topk, .experts = experts, .tokens = DRAWN_TOKENS};
        trace.rows = malloc(trace.tokens * topk * sizeof *trace.rows);
        sweep->error = trace.rows == NULL ? MOEHUB_E_MEMORY
                                          : moehub_routing_draw(&routing, experts, topk, trace.tokens, DRAWN_SEED, trace.rows,
                                                                sweep->message);
        setting.options.trace = &trace;
        add_number(sweep, "power-law", routing.parameter, &setting);
        free(trace.rows);
    }
}

static void sweep_precision(struct sweep *sweep)
{
    struct setting setting = large_layer(sweep);
    add(sweep, "precision", "bf16 out, bf16 back", &setting);
    setting.works[0].dispatch_element_bytes = 1;
    add(sweep, "precision", "fp8 out, bf16 back", &setting);
    set(&setting, MOEHUB_SYSTEM_combine_element_bytes, 1);
    add(sweep, "precision", "fp8 out, fp8 back", &setting);
    setting = large_layer(sweep);
    setting.works[0].gemm_element_bytes = 2;
    add(sweep, "precision", "bf16 rows, bf16 products", &setting);
}

/* Software's two rates: a dispatch library's, and what regular copies reach. */
static void sweep_software(struct sweep *sweep)
{
    struct setting setting = three_layers(sweep);
    add(sweep, "software", "a dispatch library's share", &setting);
    set(&setting, MOEHUB_SYSTEM_software_efficiency, moehub_system_value(sweep->base, MOEHUB_SYSTEM_regular_efficiency));
    add(sweep, "software", "the share of regular copies", &setting);
}

static void sweep_beyond(struct sweep *sweep)
{
    static const char study[] = "beyond";
    struct setting setting = three_layers(sweep);
    add(sweep, study, "as the papers have it", &setting);
    set(&setting, MOEHUB_SYSTEM_copy_list_flits, 0);
    add(sweep, study, "compact copies: no list on them", &setting);
    setting = three_layers(sweep);
    set(&setting, MOEHUB_SYSTEM_request_packets, 8);
    add(sweep, study, "requests of 1 KB", &setting);
    set(&setting, MOEHUB_SYSTEM_copy_list_flits, 0);
    add(sweep, study, "both", &setting);
    setting = three_layers(sweep);
    set(&setting, MOEHUB_SYSTEM_packet_bytes, 256);
    set(&setting, MOEHUB_SYSTEM_packet_flits, moehub_system_value(sweep->base, MOEHUB_SYSTEM_packet_flits) + 8);
    add(sweep, study, "packets of 256 B", &setting);
    setting = three_layers(sweep);
    set(&setting, MOEHUB_SYSTEM_combine_element_bytes, 1);
    add(sweep, study, "fp8 partial sums", &setting);
    setting = three_layers(sweep);
    set(&setting, MOEHUB_SYSTEM_sm_rate, 4 * moehub_system_value(sweep->base, MOEHUB_SYSTEM_sm_rate));
    add(sweep, study, "fewer SMs: one moves 4 times as much", &setting);
    setting = three_layers(sweep);
    set(&setting, MOEHUB_SYSTEM_load_variation, 0);
    add(sweep, study, "placement that balances all GPUs", &setting);
}

int moehub_system_sweeps(const struct moehub_system_constants *constants, struct moehub_system_point *points,
                         struct moehub_message *message)
{
    struct sweep sweep = {constants, points, 0, 0, message};
    sweep_gpus(&sweep);
    sweep_tokens(&sweep);
    sweep_topk(&sweep);
    sweep_load(&sweep);
    sweep_power(&sweep);
    sweep_precision(&sweep);
    sweep_software(&sweep);
    sweep_beyond(&sweep);
    return sweep.error != 0 ? sweep.error : sweep.count;
}
