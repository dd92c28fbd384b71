/* SPDX-License-Identifier: Apache-2.0 */
#include "system_tables.h"

#include "moehub/system_bounds.h"
#include "moehub/system_time.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void print_constant(int i, const struct moehub_system_constants *constants, const char *set)
{
    const struct moehub_system_entry *entry = &constants->entries[i];
    const struct moehub_system_constant_facts *facts = moehub_system_facts((enum moehub_system_constant)i);
    const struct moehub_system_range *range = &constants->ranges[i];
    char ends[32];
    printf("%-24s %-9s %-15.6g %-7s %-10s %s\n", facts->name, set, entry->value, facts->unit,
           moehub_system_evidence_name(entry->evidence), entry->source);
    if (range->evidence == MOEHUB_SYSTEM_UNSET)
        return;
    snprintf(ends, sizeof ends, "%g..%g", range->low, range->high);
    printf("%-24s %-9s %-15s %-7s %-10s %s\n", "  range", set, ends, facts->unit, moehub_system_evidence_name(range->evidence),
           range->source);
}

void print_constants(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper)
{
    printf("%-24s %-9s %-15s %-7s %-10s %s\n", "constant", "set", "value", "unit", "evidence", "source");
    for (int i = 0; i < MOEHUB_SYSTEM_LAYER_COUNT; i++) {
        const bool machine = moehub_system_facts((enum moehub_system_constant)i)->home == MOEHUB_SYSTEM_MACHINE;
        print_constant(i, measured, machine ? "machine" : "measured");
        if (!machine)
            print_constant(i, paper, "paper");
    }
}

/* What the bounds are of: the machine and the large layers of arXiv 2605.05607. */
enum { GPUS = 32, EXPERTS = 256, LARGE = 6, LARGE_LAYERS = 3 };

static void print_traffic(void)
{
    printf("Arithmetic: 32 GPUs, 256 experts, uniform routing\n"
           "  %-6s %8s %10s %8s %8s %12s\n", "top-k", "copies", "useless", "cut", "bound", "bound, fp8");
    for (unsigned topk = 8; topk <= 32; topk *= 2) {
        const double copies = moehub_system_copies(EXPERTS, GPUS, topk);
        printf("  %-6u %8.3f %8.0f %% %6.1f %% %8.3f %12.3f\n", topk, copies,
               100 * moehub_system_useless_share(GPUS, copies), 100 * moehub_system_traffic_cut(copies),
               moehub_system_fused_bound(copies, 1, 1), moehub_system_fused_bound(copies, 2, 1));
    }
}

/* The papers' packet: a header, lists of eight targets, 8 flits of payload; a request is a header and a list. */
static void print_flits(void)
{
    const double packet = 9;
    const double request = 2;
    const double packets = 7168 * 2 / 128.0;  /* of a row */
    printf("\nFlits in the busier direction for a token and 128 B of its row, the papers' packets, and gain over unicast\n"
           "  %-6s %8s %21s %19s %24s\n", "top-k", "unicast", "a request a packet", "one a row of 14 KB",
           "and no list flits");
    for (unsigned topk = 8; topk <= 32; topk *= 2) {
        const double copies = moehub_system_copies(EXPERTS, GPUS, topk);
        const unsigned lists = (topk + 7) / 8;
        const double list = lists;
        const double unicast = moehub_system_unicast_flits(copies, packet);
        const double flits[] = {moehub_system_fused_flits(copies, packet, list, 1, request),
                                moehub_system_fused_flits(copies, packet, list, 1, request / packets),
                                moehub_system_fused_flits(copies, packet, 0, 0, request / packets)};
        printf("  %-6u %8.1f %13.1f %6.2fx %11.1f %6.2fx %16.1f %6.2fx\n", topk, unicast, flits[0], unicast / flits[0], flits[1],
               unicast / flits[1], flits[2], unicast / flits[2]);
    }
}

/* `h` as the load of the layer has it. */
static void print_hot(const struct moehub_system_constants *constants)
{
    size_t count;
    const struct moehub_system_work *works = &moehub_system_training(&count)[LARGE];
    printf("\nWith the fullest receiver h over the mean: bound 2hd / (1 + hd)\n  %-10s %8s %8s\n", "layer", "h", "bound");
    for (int i = 0; i < LARGE_LAYERS; i++) {
        struct moehub_system_load load;
        moehub_system_load_make(&load, constants, &works[i], 2);
        const double hot = load.classes[0].arrivals / (works[i].tokens * load.copies);
        printf("  %-10s %8.3f %8.3f\n", works[i].name, hot, moehub_system_fused_bound(load.copies, 1, hot));
    }
}

static void print_hash(const struct moehub_system_constants *constants)
{
    const unsigned links = (unsigned)moehub_system_value(constants, MOEHUB_SYSTEM_links);
    const unsigned gpus = (unsigned)moehub_system_value(constants, MOEHUB_SYSTEM_gpus);
    printf("\nRows that take a link by a hash, top-8, %u links: fullest over the mean\n ", links);
    for (unsigned tokens = 64; tokens <= 8192; tokens *= tokens == 64 ? 8 : 16)
        printf(" %u tokens a GPU: +%.0f %%%s", tokens,
               100 * moehub_system_hash_excess(tokens * moehub_system_copies(EXPERTS, GPUS, 8), links, gpus),
               tokens == 8192 ? "\n" : ";");
}

/* `perfect` over `ideal`: no scheme gains more over any unicast software. */
static void print_limits(const struct moehub_system_constants *const *sets)
{
    static const char *const names[] = {"bf16 out, bf16 back", "fp8 out, bf16 back"};
    size_t count;
    printf("\nThe most that anything gains over perfect software, DeepSeek-V3's layer, 8192 tokens: perfect / ideal\n"
           "  %-20s %9s %9s\n", "", "measured", "paper");
    for (int i = 0; i < 2; i++) {
        struct moehub_system_work work = moehub_system_training(&count)[LARGE];
        struct moehub_message unused;  /* bounds need no slices */
        work.dispatch_element_bytes = i == 0 ? 2 : 1;
        printf("  %-20s", names[i]);
        for (int set = 0; set < 2; set++)
            printf(" %9.3f",
                   moehub_system_time(sets[set], &work, MOEHUB_SYSTEM_SCHEME_PERFECT, &moehub_system_forward, &unused) /
                       moehub_system_time(sets[set], &work, MOEHUB_SYSTEM_SCHEME_IDEAL, &moehub_system_forward, &unused));
        printf("\n");
    }
}

void print_bounds(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper)
{
    const struct moehub_system_constants *const sets[] = {measured, paper};
    print_traffic();
    print_flits();
    print_hot(measured);
    print_hash(measured);
    print_limits(sets);
}

/* Mean of the rows' absolute errors in a group; negative if there is none. */
static double mean_error(const struct system_result *results, size_t count, const char *group, bool fitted)
{
    double sum = 0;
    unsigned rows = 0;
    for (size_t i = 0; i < count; i++)
        if (strcmp(results[i].row->group, group) == 0 && results[i].row->fitted == fitted) {
            sum += fabs(results[i].error);
            rows++;
        }
    return rows > 0 ? sum / rows : -1;
}

static void print_mean(const struct system_result *results, size_t count, const char *group, double goal)
{
    const double fitted = mean_error(results, count, group, true);
    const double held = mean_error(results, count, group, false);
    printf("  mean error of %-10s rows not fitted %5.1f %% (goal %.0f %%: %s)", group, 100 * held, 100 * goal,
           held <= goal ? "met" : "missed");
    if (fitted >= 0)
        printf(", fitted %.1f %%", 100 * fitted);
    printf("\n");
}

void print_validation(const struct system_result *results, size_t count)
{
    printf("\nValidation under `measured`: TFLOP/s, us or GB/s as published\n"
           "  %-36s %10s %10s %8s  %s\n", "row", "published", "model", "error", "fitted");
    for (size_t i = 0; i < count; i++)
        printf("  %-36s %10.1f %10.1f %6.1f %%  %s\n", results[i].row->name, results[i].row->value, results[i].model,
               100 * results[i].error, results[i].row->fitted ? "yes" : "no");
    print_mean(results, count, "gemm", 0.06);
    print_mean(results, count, "library", 0.10);
    print_mean(results, count, "onesided", 0.10);
    print_mean(results, count, "nvls", 0.05);
    print_mean(results, count, "nvls-small", 0.05);
    print_mean(results, count, "link", 0.05);
    print_mean(results, count, "layer", 0.10);
    print_mean(results, count, "tensor", 0.10);
}

void print_layers(const char *title, const struct moehub_system_grid *grid, bool backward)
{
    printf("\n%s, %s, us, %g GPUs\n  %-20s %-5s", title, backward ? "backward" : "forward",
           moehub_system_value(grid->constants, MOEHUB_SYSTEM_gpus), "scheme", "level");
    for (size_t i = 0; i < grid->count; i++)
        printf(" %*s", (int)fmax(9, (double)strlen(grid->works[i].name)), grid->works[i].name);
    printf("\n");
    for (int i = 0; i < MOEHUB_SYSTEM_SCHEME_COUNT; i++) {
        const enum moehub_system_scheme scheme = (enum moehub_system_scheme)i;
        printf("  %-20s %-5s", moehub_system_scheme_name(scheme), moehub_system_level_name(scheme));
        for (size_t j = 0; j < grid->count; j++)
            printf(" %*.1f", (int)fmax(9, (double)strlen(grid->works[j].name)),
                   1e6 * (backward ? grid->backward : grid->forward)[j][i]);
        printf("\n");
    }
}

void print_claims(const struct moehub_system_claim *claims, size_t count)
{
    printf("\nClaims\n  %-34s %8s %9s %9s  %-19s %s\n", "claim", "paper", "measured", "paper set", "verdict", "reason");
    for (size_t i = 0; i < count; i++) {
        printf("  %-34s %8.3f ", claims[i].name, claims[i].paper);
        if (claims[i].run)
            printf("%9.3f %9.3f", claims[i].measured, claims[i].paper_set);
        else
            printf("%9s %9s", "-", "-");
        printf("  %-19s %s\n", claims[i].verdict, claims[i].reason);
    }
}

void print_influences(const struct system_tables *tables, int shown)
{
    for (int i = 0; i < SYSTEM_SETS; i++) {
        printf("\nWhat moves the gain of dysharp over comet (small, medium, large, top-8) under `%s`: each constant to the ends "
               "of its range\n(*: it has none; a fifth)\n  %-26s %10s %10s %9s %9s %9s %10s\n", system_set_names[i], "constant",
               "low", "high", "gain", "base", "gain", "influence");
        for (int j = 0; j < shown; j++) {
            const struct moehub_system_influence *one = &tables->influences[i][j];
            printf("  %-24s %s %10.4g %10.4g %9.3f %9.3f %9.3f %8.1f %%\n", moehub_system_facts(one->constant)->name,
                   one->ranged ? " " : "*", one->low, one->high, one->at_low, one->at_base, one->at_high, 100 * one->influence);
        }
    }
}

void print_points(const struct system_tables *tables)
{
    printf("\nSweeps and beyond the papers: gains of dysharp over baselines with the same precision and placement\n"
           "  %-15s %-36s %29s   %29s\n  %-15s %-36s %9s %9s %9s   %9s %9s %9s\n", "", "", "measured",
           "paper", "study", "change", "comet", "megamoe", "deepep", "comet", "megamoe", "deepep");
    for (int i = 0; i < tables->point_counts[0]; i++) {
        const struct moehub_system_point *measured = &tables->points[0][i];
        const struct moehub_system_point *paper = &tables->points[1][i];
        printf("  %-15s %-36s %9.3f %9.3f %9.3f   %9.3f %9.3f %9.3f\n", measured->study, measured->change, measured->over_comet,
               measured->over_software, measured->over_deepep, paper->over_comet, paper->over_software, paper->over_deepep);
    }
}

void print_open(void)
{
    printf("\nNot modelled: T3; what merging of requests costs CAIS; rows that a full memory slows.\n"
           "Inputs, not results: hidden shares of fastermoe, tutel, ccfuser, comet; unmerged_payload.\n"
           "Weakest part: what surrounds the layer in end-to-end figures.\n");
}
