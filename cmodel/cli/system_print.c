/* SPDX-License-Identifier: Apache-2.0 */
#include "system_print.h"

#include "moehub/system_bounds.h"
#include "moehub/system_layer.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void print_constant(int i, const struct moehub_system_constants *constants, const char *set)
{
    const struct moehub_system_entry *entry = &constants->entries[i];
    const struct moehub_system_constant_facts *facts = moehub_system_facts((enum moehub_system_constant)i);
    printf("%-24s %-9s %-11.6g %-7s %-10s %s\n", facts->name, set, entry->value,
           facts->unit, moehub_system_evidence_name(entry->evidence), entry->source);
}

void print_constants(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper)
{
    printf("%-24s %-9s %-11s %-7s %-10s %s\n", "constant", "set", "value", "unit", "evidence", "source");
    for (int i = 0; i < MOEHUB_SYSTEM_COUNT; i++) {
        const bool machine = moehub_system_facts((enum moehub_system_constant)i)->home == MOEHUB_SYSTEM_MACHINE;
        print_constant(i, measured, machine ? "machine" : "measured");
        if (!machine)
            print_constant(i, paper, "paper");
    }
}

void print_bounds(void)
{
    const unsigned gpus = 32;
    printf("Arithmetic: 32 GPUs, 256 experts, uniform routing\n"
           "  %-6s %8s %10s %8s %8s %12s\n", "top-k", "copies", "useless", "cut", "bound", "bound, fp8");
    for (unsigned topk = 8; topk <= 32; topk *= 2) {
        const double copies = moehub_system_copies(256, gpus, topk);
        printf("  %-6u %8.3f %8.0f %% %6.1f %% %8.3f %12.3f\n", topk, copies,
               100 * moehub_system_useless_share(gpus, copies), 100 * moehub_system_traffic_cut(copies),
               moehub_system_fused_bound(copies, 1, 1), moehub_system_fused_bound(copies, 2, 1));
    }
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
    printf("  mean error of %-9s rows not fitted %5.1f %% (goal %.0f %%: %s)", group, 100 * held, 100 * goal,
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
    print_mean(results, count, "link", 0.05);
}

void print_layers(const char *set, const struct moehub_system_constants *constants)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    printf("\nForward layer in us by rates, set `%s`, %g GPUs\n  %-18s", set,
           moehub_system_value(constants, MOEHUB_SYSTEM_gpus), "scheme");
    for (size_t i = 0; i < count; i++)
        printf(" %10s", works[i].name);
    printf("\n");
    for (int scheme = 0; scheme < MOEHUB_SYSTEM_SCHEME_COUNT; scheme++) {
        printf("  %-18s", moehub_system_scheme_name((enum moehub_system_scheme)scheme));
        for (size_t i = 0; i < count; i++)
            printf(" %10.1f", 1e6 * moehub_system_layer_time(constants, &works[i], (enum moehub_system_scheme)scheme));
        printf("\n");
    }
}

void print_claims(const struct moehub_system_claim *claims, size_t count)
{
    printf("\nClaims\n  %-32s %8s %9s %9s  %-17s %s\n", "claim", "paper", "measured", "paper set", "verdict", "reason");
    for (size_t i = 0; i < count; i++) {
        printf("  %-32s %8.3f ", claims[i].name, claims[i].paper);
        if (claims[i].run)
            printf("%9.3f %9.3f", claims[i].measured, claims[i].paper_set);
        else
            printf("%9s %9s", "-", "-");
        printf("  %-17s %s\n", claims[i].verdict, claims[i].reason);
    }
}

void print_open(void)
{
    printf("\nNot modelled yet: packet level (queues, credits, latencies of the RTL); tiles and pipeline fill;\n"
           "backward; end to end; MoE-Hub's schemes, MegaMoE, DualPipe; sensitivity.\n"
           "Layer times are rates: bounds of what tiles could do.\n");
}
