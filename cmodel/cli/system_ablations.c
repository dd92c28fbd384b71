/* SPDX-License-Identifier: Apache-2.0 */
#include "system_tables.h"

#include <stdio.h>

#define TRAINING(scheme) {false, MOEHUB_SYSTEM_SCHEME_##scheme, MOEHUB_SYSTEM_SCHEME_COMET}
#define HUB(scheme) {true, MOEHUB_SYSTEM_SCHEME_##scheme, MOEHUB_SYSTEM_SCHEME_HUB_BASE}

static const struct system_ablation ablations[] = {
    TRAINING(ADDRESSING), TRAINING(ADDRESSING_COMET), TRAINING(ADDRESSING_TILES), TRAINING(FUSION), TRAINING(MEGAMOE),
    TRAINING(DYSHARP),    HUB(HUB_PACKETS),           HUB(HUB_READY),             HUB(HUB),
};

const struct system_ablation *system_ablations(size_t *count)
{
    *count = sizeof ablations / sizeof ablations[0];
    return ablations;
}

static void print_gains(const struct moehub_system_evidence_set *set, const struct system_ablation *one)
{
    const struct moehub_system_grid *grid = one->hub ? &set->hub : &set->training;
    const struct moehub_system_gains gains = moehub_system_gains(grid, MOEHUB_SYSTEM_FORWARD, one->baseline, one->scheme);
    printf("  %7.3f %7.3f %7.3f", gains.mean, gains.least, gains.most);
    if (one->hub)
        printf(" %7.3f", moehub_system_gains(grid, MOEHUB_SYSTEM_WINDOW, one->baseline, one->scheme).mean);
    else
        printf(" %7s", "");
}

void print_ablations(const struct system_tables *tables)
{
    printf("\nAblations, forward: gain as geometric mean, least, most; window: until GEMM-1 ends\n"
           "  %-20s %-12s  %31s  %31s\n  %-20s %-12s  %7s %7s %7s %7s  %7s %7s %7s %7s\n", "", "", "measured", "paper", "scheme",
           "over", "mean", "least", "most", "window", "mean", "least", "most", "window");
    for (size_t i = 0; i < sizeof ablations / sizeof ablations[0]; i++) {
        printf("  %-20s %-12s", moehub_system_scheme_name(ablations[i].scheme), moehub_system_scheme_name(ablations[i].baseline));
        for (int set = 0; set < SYSTEM_SETS; set++)
            print_gains(&tables->sets[set], &ablations[i]);
        printf("\n");
    }
}
