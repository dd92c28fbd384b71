/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_options.h"

#include "kit/allocate.h"
#include "moehub/element.h"
#include "moehub/options.h"

#include <stdlib.h>
#include <string.h>

enum { LINK_DOWN_LEAST = 4, OVERLAP_CONTEXTS = 3, OVERLAP_ROUNDS = 64 };

/* ---- refusals -------------------------------------------------------------------------------------------------- */

static void check_flood(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    if (arguments->flood >= shape->gpus)
        layer_refuse("--flood: there is no such GPU");
    if (arguments->flood >= 0 && shape->contexts < 2)
        layer_refuse("--flood: the hub has no second context");
    if (arguments->flood < 0 && arguments->flood_unlisted != 0)
        layer_refuse("--flood-unlisted: not without --flood");
    if (arguments->flood >= 0 && arguments->silent >= 0)
        layer_refuse("--flood: not together with --silent");
}

static void check_withheld(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    if (arguments->withholder < 0 && arguments->withheld == NULL)
        return;
    const int kind = gpu_withheld_of(arguments->withheld != NULL ? arguments->withheld : "");
    const int64_t cycles = arguments->withheld_cycles;
    if (kind <= GPU_WITHHELD_NOTHING)
        layer_refuse("--withheld: legal are " GPU_WITHHELD_NAMES);
    if (arguments->withholder < 0 || arguments->withholder >= shape->gpus)
        layer_refuse("--withholder: there is no such GPU");
    if (arguments->silent >= 0)
        layer_refuse("--withholder: not together with --silent");
    if (arguments->flood >= 0)
        layer_refuse("--withholder: not together with --flood");
    if (kind == GPU_WITHHELD_LINKS && (arguments->bad_packets != 0 || (cycles != 0 && cycles < LINK_DOWN_LEAST)))
        layer_refuse("--withheld links: not with --bad-packets, nor for less than the 4 cycles of rtl/doc/plane/link.md");
}

/* What is lost is known to nobody: counters do not say how much must come. */
static void check_falls(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    if (arguments->withheld_after == 0 && arguments->withheld_plane < 0)
        return;
    if (arguments->withheld == NULL || gpu_withheld_of(arguments->withheld) != GPU_WITHHELD_LINKS)
        layer_refuse("--withheld-after, --withheld-plane: only with --withheld links");
    if (arguments->withheld_after == 0 || arguments->withheld_cycles == 0)
        layer_refuse("links that fall need --withheld-after and --withheld-cycles");
    if (arguments->withheld_plane >= shape->links)
        layer_refuse("--withheld-plane: there is no such plane");
    if (arguments->counted != 0 || arguments->bad_items != 0)
        layer_refuse("--withheld-after: only with --counted 0, and not with --bad-items");
    if (arguments->group_timeout == 0)
        layer_refuse("--withheld-after: only with --group-timeout, or a sum that lost a part keeps its place in the switch");
}

/* A GPU is silent, withholds, floods, or has no slots for all rows. */
static bool misbehaves(const struct layer_arguments *arguments)
{
    return arguments->silent >= 0 || arguments->withholder >= 0 || arguments->flood >= 0 || arguments->short_slots != 0;
}

/* Tokens of one round fail for one reason. */
static void check_write_errors(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    if (arguments->write_errors_of >= shape->gpus)
        layer_refuse("--write-errors-of: there is no such GPU");
    if (arguments->write_errors == 0 && arguments->write_errors_of >= 0)
        layer_refuse("--write-errors-of: not without --write-errors");
    if (arguments->write_errors != 0 && misbehaves(arguments))
        layer_refuse("--write-errors: not together with --silent, --withholder, --flood, --short-slots");
}

/* What comes of a row is known from what left alone, and whose context is aborted from its program. */
static void check_abort(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    if (arguments->abort_of < 0)
        return;
    if (arguments->abort_of >= shape->gpus)
        layer_refuse("--abort: there is no such GPU");
    if (misbehaves(arguments) || arguments->write_errors != 0 || arguments->bad_items != 0)
        layer_refuse("--abort: not together with --silent, --withholder, --flood, --short-slots, --write-errors, --bad-items");
}

/* A GPU that withholds this closes its first round, or comes to an end of it later, but never begins another one: the others are
 * then behind each other by their time-outs, and which of their tokens fail nobody can tell. */
static bool falls_silent_later(const struct layer_arguments *arguments)
{
    const int kind = arguments->withholder >= 0 ? gpu_withheld_of(arguments->withheld) : GPU_WITHHELD_NOTHING;
    return arguments->withheld_cycles == 0 && (kind == GPU_WITHHELD_EVENTS || kind == GPU_WITHHELD_SUMS ||
                                                kind == GPU_WITHHELD_DONE || kind == GPU_WITHHELD_CREDITS);
}

/* Rounds end by themselves, at no common moment: so nothing that is told of one at its end. A flood has a context of its own. */
static void check_overlap(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    if (arguments->overlap == 0)
        return;
    if (shape->contexts < OVERLAP_CONTEXTS)
        layer_refuse("--overlap: a hub of this build has fewer than three contexts");
    if (arguments->rounds < 2 || arguments->rounds > OVERLAP_ROUNDS)
        layer_refuse("--overlap: --rounds must be 2 to 64");
    if (strcmp(arguments->phase, "unfused") == 0)
        layer_refuse("--overlap: not with --phase unfused, which waits for all GPUs");
    if (arguments->flood >= 0 || falls_silent_later(arguments))
        layer_refuse("--overlap: not together with --flood, nor --withheld events, sums, done, credits for ever");
}

void layer_options_check(const struct layer_arguments *arguments, const struct system_shape *shape)
{
    const char *phase = arguments->phase;
    if (stall_kind_of(arguments->stall) < 0)
        layer_refuse("--stall: legal are none, light, heavy, bursts, mixed");
    if (strcmp(phase, "fused") != 0 && strcmp(phase, "unfused") != 0 && strcmp(phase, "dispatch") != 0)
        layer_refuse("--phase: legal are fused, unfused, dispatch");
    if (arguments->silent >= shape->gpus)
        layer_refuse("--silent: there is no such GPU");
    check_flood(arguments, shape);
    check_withheld(arguments, shape);
    check_falls(arguments, shape);
    check_write_errors(arguments, shape);
    check_abort(arguments, shape);
    check_overlap(arguments, shape);
    if (arguments->counted == 0 && (arguments->bad_items != 0 || arguments->bad_packets != 0 || arguments->flood >= 0))
        layer_refuse("--counted 0: not together with --bad-items, --bad-packets, --flood: the counters show what was refused");
    if (arguments->memory_most < arguments->memory_least)
        layer_refuse("--memory-most: it is below --memory-least");
    if ((arguments->window & (arguments->window - 1)) != 0)
        layer_refuse("--window: it is no power of two");
}

/* ---- options and manners --------------------------------------------------------------------------------------- */

unsigned layer_options_together(const struct layer_arguments *arguments)
{
    return arguments->overlap != 0 ? (unsigned)arguments->rounds : 1;
}

struct layer_phases layer_options_phases(const struct layer_arguments *arguments)
{
    return (struct layer_phases){.fused = strcmp(arguments->phase, "fused") == 0,
                                 .sums = strcmp(arguments->phase, "dispatch") != 0};
}

static struct gpu_options options_of_gpus(const struct layer_arguments *arguments)
{
    return (struct gpu_options){.rows_open = (unsigned)arguments->rows_open,
                                .window = (unsigned)arguments->window,
                                .store_parts = (unsigned)arguments->store_parts,
                                .sums = layer_options_phases(arguments).sums,
                                .tokens_asked = (unsigned)arguments->tokens_asked,
                                .gemm = (unsigned)arguments->gemm,
                                .gemm_in_turn = arguments->gemm_in_turn != 0,
                                .tile_readiness = arguments->tile_readiness != 0,
                                .kernel_start = (unsigned)arguments->kernel_start,
                                .bad_items = (unsigned)arguments->bad_items,
                                .nops = (unsigned)arguments->nops};
}

struct system_options layer_options_parts(const struct layer_arguments *arguments)
{
    return (struct system_options){.latency_minimum = (unsigned)arguments->memory_least,
                                   .latency_maximum = (unsigned)arguments->memory_most,
                                   .stall = (enum stall_kind)stall_kind_of(arguments->stall),
                                   .tile_shift = (unsigned)arguments->tile_shift,
                                   .timeout = (unsigned)arguments->timeout,
                                   .line_timeout = (unsigned)arguments->line_timeout,
                                   .read_errors = (unsigned)arguments->read_errors,
                                   .check = arguments->check_hubs != 0,
                                   .counted = arguments->counted != 0,
                                   .gpu = options_of_gpus(arguments)};
}

/* Who misbehaves by its program, or is cut off. */
static struct gpu_manners manners_of_one(const struct layer_arguments *arguments)
{
    if (arguments->withholder >= 0) {
        struct gpu_manners manners =
            gpu_manners_of((unsigned)arguments->withholder, (enum gpu_withheld)gpu_withheld_of(arguments->withheld),
                           (uint64_t)arguments->withheld_cycles);
        manners.after = (uint64_t)arguments->withheld_after;
        manners.plane = (int)arguments->withheld_plane;
        return manners;
    }
    if (arguments->flood >= 0)
        return (struct gpu_manners){.gpu = (unsigned)arguments->flood,
                                    .flooded = true,
                                    .flood_unlisted = arguments->flood_unlisted != 0,
                                    .flood_context = 1};
    if (arguments->abort_of >= 0)
        return (struct gpu_manners){.gpu = (unsigned)arguments->abort_of, .aborts = true};
    return (struct gpu_manners){.silent = arguments->silent >= 0 ? UINT64_C(1) << arguments->silent : 0};
}

struct gpu_manners layer_options_manners(const struct layer_arguments *arguments)
{
    struct gpu_manners manners = manners_of_one(arguments);
    manners.write_errors = (unsigned)arguments->write_errors;
    manners.failing = arguments->write_errors_of < 0 ? UINT64_MAX : UINT64_C(1) << arguments->write_errors_of;
    return manners;
}

/* ---- the layer ------------------------------------------------------------------------------------------------- */

void layer_options_create_layer(const struct layer_arguments *arguments, unsigned gpus, uint64_t seed, unsigned round,
                                struct moehub_layer *layer)
{
    struct moehub_options options;
    struct moehub_message message;
    moehub_options_init(&options);
    const int element = moehub_element_parse(arguments->type);
    if (element < 0)
        layer_refuse("--type: legal are " MOEHUB_ELEMENT_NAMES);
    options.model = arguments->model;
    options.routing = arguments->routing;
    options.layer.element = (unsigned)element;
    options.layer.gpus = gpus;
    options.layer.hidden = (unsigned)arguments->hidden;
    options.layer.experts = (unsigned)arguments->experts;
    options.layer.topk = (unsigned)arguments->topk;
    options.layer.tokens = (size_t)arguments->tokens;
    options.layer.seed = ((arguments->layer_seed >= 0 ? (uint64_t)arguments->layer_seed : seed) + round) & INT64_MAX;
    if (moehub_options_check(&options, &message) != 0 || moehub_layer_create(layer, &options.layer, &message) != 0)
        layer_refuse(message.text);
    if (layer->combine_element != MOEHUB_ELEMENT_BF16)
        layer_refuse("--type: rows of this type are combined in another one than bf16");
}

void layer_options_shorten(const struct layer_arguments *arguments, const struct moehub_layer *layer,
                           struct gpu_manners *manners)
{
    if (arguments->short_slots == 0)
        return;
    uint32_t *rows = allocate(layer->placement.experts, sizeof *rows), most = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        for (unsigned i = 0; i < layer->topk && moehub_layer_row_exists(layer, row); i++) {
            const struct moehub_target *target = &moehub_layer_targets(layer, row)[i];
            if (++rows[target->expert] <= most)
                continue;
            most = rows[target->expert];
            manners->short_gpu = target->gpu;
            manners->short_expert = target->local;
        }
    free(rows);
    if (most <= arguments->short_slots)
        layer_refuse("--short-slots: no expert has more rows");
    manners->short_slots = (unsigned)arguments->short_slots;
}
