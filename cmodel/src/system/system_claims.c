/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_claims.h"

#include "moehub/system_bounds.h"
#include "moehub/system_rates.h"
#include "moehub/system_step.h"
#include "moehub/system_tensor.h"
#include "system/system_claims_lengths.h"

#include <math.h>
#include <stdio.h>

enum { LARGE = 6, ADDRESS_BITS = 48 /* of a multimem address */ };

static const enum moehub_system_scheme hub_baselines[] = {
    MOEHUB_SYSTEM_SCHEME_MEGATRON, MOEHUB_SYSTEM_SCHEME_FASTERMOE, MOEHUB_SYSTEM_SCHEME_TUTEL,
    MOEHUB_SYSTEM_SCHEME_CCFUSER, MOEHUB_SYSTEM_SCHEME_COMET,
};

enum { HUB_BASELINES = sizeof hub_baselines / sizeof hub_baselines[0] };

/* The baseline over which the mean gain is least, or most. */
static enum moehub_system_scheme extreme_baseline(const struct moehub_system_grid *grid, enum moehub_system_part part, bool most)
{
    enum moehub_system_scheme found = hub_baselines[0];
    for (int i = 1; i < HUB_BASELINES; i++) {
        const double gain = moehub_system_gains(grid, part, hub_baselines[i], MOEHUB_SYSTEM_SCHEME_HUB).mean;
        const double best = moehub_system_gains(grid, part, found, MOEHUB_SYSTEM_SCHEME_HUB).mean;
        if (most ? gain > best : gain < best)
            found = hub_baselines[i];
    }
    return found;
}

/* Which scheme the entry is about under this set. */
static enum moehub_system_scheme slow_scheme(const struct moehub_system_grid *grid, const struct system_claim_entry *entry)
{
    if (entry->form == SYSTEM_CLAIM_LEAST_BASELINE || entry->form == SYSTEM_CLAIM_MOST_BASELINE)
        return extreme_baseline(grid, entry->part, entry->form == SYSTEM_CLAIM_MOST_BASELINE);
    return entry->slow;
}

/* The layer of DeepSeek-V3's shape, nothing hidden. */
static double communication_share(const struct moehub_system_grid *grid)
{
    struct moehub_message unused;
    return moehub_system_wire_time(grid->constants, &grid->works[LARGE], MOEHUB_SYSTEM_SCHEME_DEEPEP, &moehub_system_forward,
                                   &unused) / grid->forward[LARGE][MOEHUB_SYSTEM_SCHEME_DEEPEP];
}

/* The largest or the mean, as the entry has it. */
static double gain_of(const struct moehub_system_grid *grid, const struct system_claim_entry *entry,
                      enum moehub_system_scheme slow, enum moehub_system_scheme fast)
{
    const struct moehub_system_gains gains = moehub_system_gains(grid, entry->part, slow, fast);
    return entry->statistic == SYSTEM_CLAIM_MOST ? gains.most : gains.mean;
}

static double evaluate(const struct moehub_system_evidence_set *set, const struct system_claim_entry *entry)
{
    const unsigned gpus = 32;
    const struct moehub_system_grid *grid = entry->hub ? &set->hub : &set->training;
    const double copies = moehub_system_copies(256, gpus, entry->topk > 0 ? entry->topk : 1);
    struct system_claim_lengths lengths;
    switch (entry->form) {
    case SYSTEM_CLAIM_NOT_RUN:
        return 0;
    case SYSTEM_CLAIM_USELESS:
        return moehub_system_useless_share(gpus, copies);
    case SYSTEM_CLAIM_CUT:
        return moehub_system_traffic_cut(copies);
    case SYSTEM_CLAIM_PAYLOAD:
        return moehub_system_payload_share(entry->topk);
    case SYSTEM_CLAIM_ADDRESSES:
        return moehub_system_payload_share_of_addresses(entry->topk, ADDRESS_BITS);
    case SYSTEM_CLAIM_SHARE:
        return communication_share(grid);
    case SYSTEM_CLAIM_TENSOR:
        return moehub_system_tensor_gain(grid->constants);
    case SYSTEM_CLAIM_COMMUNICATION:
        return set->figures.communication;
    case SYSTEM_CLAIM_TLB:
        return set->figures.hits / set->figures.hits_endless;
    case SYSTEM_CLAIM_BUFFER:
        return fmin(set->figures.buffer, set->figures.buffer_fused);
    case SYSTEM_CLAIM_GROWTH:
        lengths = system_claim_lengths(grid, entry);
        return system_claim_growth(&lengths);
    case SYSTEM_CLAIM_AT_SHORT:
        lengths = system_claim_lengths(grid, entry);
        return system_claim_at_short(&lengths);
    default:
        break;
    }
    return gain_of(grid, entry, slow_scheme(grid, entry), entry->fast);
}

static bool arithmetic(enum system_claim_form form)
{
    return form == SYSTEM_CLAIM_USELESS || form == SYSTEM_CLAIM_CUT || form == SYSTEM_CLAIM_PAYLOAD ||
           form == SYSTEM_CLAIM_ADDRESSES;
}

static bool of_lengths(enum system_claim_form form)
{
    return form == SYSTEM_CLAIM_GROWTH || form == SYSTEM_CLAIM_AT_SHORT;
}

static bool agrees(const struct moehub_system_claim *claim, const struct system_claim_entry *entry, double value)
{
    if (entry->form == SYSTEM_CLAIM_NOT_ABOVE)
        return value <= claim->paper;
    if (entry->form == SYSTEM_CLAIM_ABOVE || entry->form == SYSTEM_CLAIM_COMMUNICATION || of_lengths(entry->form))
        return value > claim->paper;
    if (entry->form == SYSTEM_CLAIM_TLB || entry->form == SYSTEM_CLAIM_BUFFER)
        return fabs(value / claim->paper - 1) <= MOEHUB_SYSTEM_NEAR;
    if (claim->paper > 1 && !claim->arithmetic &&
        fabs((value - 1) / (claim->paper - 1) - 1) > MOEHUB_SYSTEM_GAIN_TOLERANCE)
        return false;
    const double tolerance = claim->arithmetic ? MOEHUB_SYSTEM_ROUNDING : MOEHUB_SYSTEM_TOLERANCE;
    return fabs(value / claim->paper - 1) <= tolerance;
}

static const char *verdict(const struct moehub_system_claim *claim, const struct system_claim_entry *entry)
{
    if (!claim->run)
        return "not run";
    const bool measured = agrees(claim, entry, claim->measured);
    const bool paper = agrees(claim, entry, claim->paper_set);
    if (measured)
        return paper ? "reproduced" : "only under measured";
    return paper ? "only under paper" : "not reproduced";
}

/* In how many of a grid's layers the fused scheme, or the hub's, computes longer than it communicates. */
static unsigned compute_bound(const struct moehub_system_grid *grid, enum moehub_system_scheme fast)
{
    unsigned bound = 0;
    struct moehub_message unused;  /* the grid has run the same slices */
    for (size_t i = 0; i < grid->count; i++)
        bound += moehub_system_compute_time(grid->constants, &grid->works[i], fast, &moehub_system_forward) >
                 moehub_system_wire_time(grid->constants, &grid->works[i], fast, &moehub_system_forward, &unused);
    return bound;
}

/* Least and largest share of what surrounds the layer in the fast scheme's time. */
static void around(const struct moehub_system_grid *grid, const struct system_claim_entry *entry, double *least, double *most)
{
    *least = 1;
    *most = 0;
    for (size_t i = 0; i < grid->count; i++) {
        const double rest = moehub_system_surroundings(grid->constants, &grid->works[i]);
        const double forward = grid->forward[i][entry->fast];
        const double both = forward + grid->backward[i][entry->fast];
        const double layer = entry->part == MOEHUB_SYSTEM_STEP ? both / 3 : forward;
        *least = fmin(*least, rest / (rest + layer));
        *most = fmax(*most, rest / (rest + layer));
    }
}

/* How much of an end-to-end figure is the weakest part, in each set. */
static void describe_around(const struct moehub_system_grid *const *grids, const struct system_claim_entry *entry, char *text,
                            size_t size)
{
    double least[2];
    double most[2];
    if (entry->part != MOEHUB_SYSTEM_STEP && entry->part != MOEHUB_SYSTEM_INFERENCE)
        return;
    for (int i = 0; i < 2; i++)
        around(grids[i], entry, &least[i], &most[i]);
    snprintf(text, size, "; they take %.0f to %.0f %% and %.0f to %.0f %% of %s's time", 100 * least[0], 100 * most[0],
             100 * least[1], 100 * most[1], moehub_system_scheme_name(entry->fast));
}

/* The gain if all products and starts were hidden behind the fullest link, of which the hardware has its share: what no schedule
 * of these assumptions passes. */
static double gain_at_most(const struct moehub_system_grid *grid, const struct system_claim_entry *entry)
{
    struct moehub_system_grid limited = *grid;
    struct moehub_system_constants constants = *grid->constants;
    struct moehub_message unused;  /* bounds run no slices */
    constants.entries[MOEHUB_SYSTEM_link_rate].value *= moehub_system_value(&constants, MOEHUB_SYSTEM_hardware_fused);
    for (size_t i = 0; i < grid->count; i++)
        limited.forward[i][MOEHUB_SYSTEM_SCHEME_IDEAL] = moehub_system_time(
            &constants, &grid->works[i], MOEHUB_SYSTEM_SCHEME_IDEAL, &moehub_system_forward, &unused);
    return gain_of(&limited, entry, entry->slow, MOEHUB_SYSTEM_SCHEME_IDEAL);
}

/* How far from it a layer's gain can be at all, in each set. */
static void describe_limit(const struct moehub_system_grid *const *grids, const struct system_claim_entry *entry, char *text,
                           size_t size)
{
    if (entry->form == SYSTEM_CLAIM_GAIN && entry->fast == MOEHUB_SYSTEM_SCHEME_DYSHARP && entry->part == MOEHUB_SYSTEM_FORWARD)
        snprintf(text, size,
                 "; all hidden behind links of which the hardware has %g and %g it is %.2f and %.2f, the most there is",
                 moehub_system_value(grids[0]->constants, MOEHUB_SYSTEM_hardware_fused),
                 moehub_system_value(grids[1]->constants, MOEHUB_SYSTEM_hardware_fused), gain_at_most(grids[0], entry),
                 gain_at_most(grids[1], entry));
}

static double constant_of(const struct moehub_system_evidence_set *set, enum moehub_system_constant constant)
{
    return moehub_system_value(set->training.constants, constant);
}

/* What the packet level says beside the figure itself, in each set; false: the form is not of it. */
static bool describe_figures(const struct moehub_system_evidence_set *measured, const struct moehub_system_evidence_set *paper,
                             const struct system_claim_entry *entry, char *text, size_t size)
{
    const struct moehub_system_figures *first = &measured->figures, *second = &paper->figures;
    if (entry->form == SYSTEM_CLAIM_COMMUNICATION)
        snprintf(text, size, "%s: %.3f, %.3f; under paper, whose requests are one for each line and more than its AL-TLB "
                 "holds, %.3f, %.3f; combine with an AL-TLB without end %.3f, %.3f", entry->reason, first->dispatch,
                 first->combine, second->dispatch, second->combine, first->combine_endless, second->combine_endless);
    else if (entry->form == SYSTEM_CLAIM_TLB)
        snprintf(text, size, "%s: %.3f of %.3f where %.0f links share its entries, %.3f of %.3f where %.0f do, of which %d are "
                 "run with their part. Stores alone: %.3f, %.3f; what misses are requests of %.0f tokens in turn on each link. "
                 "How many the paper has is not published", entry->reason, first->hits, first->hits_endless,
                 constant_of(measured, MOEHUB_SYSTEM_tlb_links), second->hits, second->hits_endless,
                 constant_of(paper, MOEHUB_SYSTEM_tlb_links), MOEHUB_SYSTEM_PACKET_LINKS_MAX, first->hits_stores,
                 second->hits_stores, constant_of(measured, MOEHUB_SYSTEM_gpu_tokens_asked));
    else if (entry->form == SYSTEM_CLAIM_BUFFER)
        snprintf(text, size, "%s: %.3f, %.3f where 64 KB are %.0f entries; %.3f, %.3f where they are %.0f", entry->reason,
                 first->buffer, first->buffer_fused, constant_of(measured, MOEHUB_SYSTEM_reduction_entries), second->buffer,
                 second->buffer_fused, constant_of(paper, MOEHUB_SYSTEM_reduction_entries));
    else
        return false;
    return true;
}

/* The gains at all lengths, in each set; false: the form is not of them. */
static bool describe_lengths(const struct moehub_system_grid *const *grids, const struct system_claim_entry *entry, char *text,
                             size_t size)
{
    char gains[2][120];
    if (!of_lengths(entry->form))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct system_claim_lengths lengths = system_claim_lengths(grids[i], entry);
        system_claim_lengths_text(&lengths, gains[i], sizeof gains[i]);
    }
    snprintf(text, size, "%s: %s tokens of a GPU, and %s", entry->reason, gains[0], gains[1]);
    return true;
}

static bool names_baseline(enum system_claim_form form)
{
    return form == SYSTEM_CLAIM_LEAST_BASELINE || form == SYSTEM_CLAIM_MOST_BASELINE;
}

static void set_reason(struct moehub_system_claim *claim, const struct system_claim_entry *entry,
                       const struct moehub_system_evidence_set *measured, const struct moehub_system_evidence_set *paper)
{
    const struct moehub_system_grid *grids[] = {entry->hub ? &measured->hub : &measured->training,
                                                entry->hub ? &paper->hub : &paper->training};
    if (describe_figures(measured, paper, entry, claim->reason, sizeof claim->reason) ||
        describe_lengths(grids, entry, claim->reason, sizeof claim->reason))
        return;
    if (!claim->run || claim->arithmetic || entry->form == SYSTEM_CLAIM_SHARE || entry->form == SYSTEM_CLAIM_TENSOR) {
        snprintf(claim->reason, sizeof claim->reason, "%s", entry->reason);
        return;
    }
    char baselines[80] = "";
    if (names_baseline(entry->form))
        snprintf(baselines, sizeof baselines, "; baseline %s, %s", moehub_system_scheme_name(slow_scheme(grids[0], entry)),
                 moehub_system_scheme_name(slow_scheme(grids[1], entry)));
    char rest[80] = "";
    describe_around(grids, entry, rest, sizeof rest);
    char limit[128] = "";
    describe_limit(grids, entry, limit, sizeof limit);
    snprintf(claim->reason, sizeof claim->reason,
             "%s%s%s%s; forward, %s computes longer than it communicates in %u and %u of %zu layers",
             entry->reason, rest, baselines, limit, moehub_system_scheme_name(entry->fast), compute_bound(grids[0], entry->fast),
             compute_bound(grids[1], entry->fast), grids[0]->count);
}

size_t moehub_system_claims(const struct moehub_system_evidence_set *measured, const struct moehub_system_evidence_set *paper,
                            struct moehub_system_claim *claims, size_t capacity)
{
    size_t count;
    const struct system_claim_entry *entries = system_claim_entries(&count);
    for (size_t i = 0; i < count && i < capacity; i++) {
        struct moehub_system_claim *claim = &claims[i];
        *claim = (struct moehub_system_claim){.name = entries[i].name, .paper = entries[i].paper};
        claim->run = entries[i].form != SYSTEM_CLAIM_NOT_RUN;
        claim->arithmetic = arithmetic(entries[i].form);
        claim->measured = evaluate(measured, &entries[i]);
        claim->paper_set = evaluate(paper, &entries[i]);
        snprintf(claim->verdict, sizeof claim->verdict, "%s", verdict(claim, &entries[i]));
        set_reason(claim, &entries[i], measured, paper);
    }
    return count;
}
