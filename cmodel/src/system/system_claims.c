/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_claims.h"

#include "moehub/system_bounds.h"
#include "moehub/system_layer.h"

#include <math.h>
#include <stdio.h>

enum form { NOT_RUN, USELESS, CUT, PAYLOAD, SHARE, SPEEDUP_MAX, SPEEDUP_MEAN, OVER_COMET };

struct entry {
    const char *name;
    double paper;
    enum form form;
    unsigned parameter;  /* top-k, targets, or the baseline scheme */
    const char *reason;
};

#define BY_RATES "nine training configurations, by rates"
#define BY_INPUT BY_RATES "; its hidden share is an input, not a result"

/* arXiv 2605.05607 if no other is named. */
static const struct entry entries[] = {
    {"nvls-useless", 3.40, USELESS, 8, "31 copies where 7.04 are wanted"},
    {"traffic-cut-top8", 0.5, CUT, 8, "the paper says nearly a half; multicast saves one way of each phase only: 42.9 %"},
    {"traffic-cut-top16", 0.5, CUT, 16, "the same at top-16: 46.0 %"},
    {"traffic-cut-top32", 0.5, CUT, 32, "the same at top-32: 47.6 %"},
    {"payload-share-8-targets", 0.80, PAYLOAD, 8, "8 of 10 flits"},
    {"communication-share-large", 0.704, SHARE, 0, 
     "wire over layer, DeepEP-like, top-8; hangs on GEMM rate, gate matrix, precision"},
    {"layer-over-deepep-max", 2.77, SPEEDUP_MAX, MOEHUB_SYSTEM_SCHEME_DEEPEP, BY_RATES},
    {"layer-over-deepep-geomean", 2.26, SPEEDUP_MEAN, MOEHUB_SYSTEM_SCHEME_DEEPEP, BY_RATES},
    {"layer-over-nvls-max", 6.93, SPEEDUP_MAX, MOEHUB_SYSTEM_SCHEME_NVLS, BY_RATES},
    {"layer-over-nvls-geomean", 4.25, SPEEDUP_MEAN, MOEHUB_SYSTEM_SCHEME_NVLS, BY_RATES},
    {"layer-over-fastermoe-max", 2.48, SPEEDUP_MAX, MOEHUB_SYSTEM_SCHEME_FASTERMOE, BY_INPUT},
    {"layer-over-fastermoe-geomean", 2.14, SPEEDUP_MEAN, MOEHUB_SYSTEM_SCHEME_FASTERMOE, BY_INPUT},
    {"layer-over-tutel-max", 2.32, SPEEDUP_MAX, MOEHUB_SYSTEM_SCHEME_TUTEL, BY_INPUT},
    {"layer-over-tutel-geomean", 1.96, SPEEDUP_MEAN, MOEHUB_SYSTEM_SCHEME_TUTEL, BY_INPUT},
    {"layer-over-ccfuser-max", 2.01, SPEEDUP_MAX, MOEHUB_SYSTEM_SCHEME_CCFUSER, BY_INPUT},
    {"layer-over-ccfuser-geomean", 1.84, SPEEDUP_MEAN, MOEHUB_SYSTEM_SCHEME_CCFUSER, BY_INPUT},
    {"layer-over-comet-max", 1.94, SPEEDUP_MAX, MOEHUB_SYSTEM_SCHEME_COMET, BY_INPUT},
    {"layer-over-comet-geomean", 1.78, SPEEDUP_MEAN, MOEHUB_SYSTEM_SCHEME_COMET, BY_INPUT},
    {"addressing-alone-over-comet", 1, OVER_COMET, MOEHUB_SYSTEM_SCHEME_ADDRESSING, "the paper: not above 1"},
    {"fusion-alone-over-comet", 1, OVER_COMET, MOEHUB_SYSTEM_SCHEME_FUSION,
     "the paper: not above 1; this level lets fusion hide everything, which is its bound"},
    {"end-to-end-over-deepep-max", 2.31, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-deepep-geomean", 1.93, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-nvls-max", 5.12, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-nvls-geomean", 3.38, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-fastermoe-max", 2.11, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-fastermoe-geomean", 1.84, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-tutel-max", 1.98, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-tutel-geomean", 1.72, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-ccfuser-max", 1.85, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-ccfuser-geomean", 1.63, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-comet-max", 1.79, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-comet-geomean", 1.59, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-dualpipe-max", 1.88, NOT_RUN, 0, "no end-to-end model yet"},
    {"end-to-end-over-dualpipe-geomean", 1.66, NOT_RUN, 0, "no end-to-end model yet"},
    {"communication-over-ideal", 0.90, NOT_RUN, 0, "needs the packet level"},
    {"moehub-layer-lowest", 1.40, NOT_RUN, 0, "arXiv 2605.05888: its schemes are not modelled yet"},
    {"moehub-layer-highest", 3.08, NOT_RUN, 0, "arXiv 2605.05888: its schemes are not modelled yet"},
    {"moehub-layer-of-ideal", 0.968, NOT_RUN, 0, "arXiv 2605.05888: its schemes are not modelled yet"},
    {"moehub-packet-manager-alone", 1.13, NOT_RUN, 0, "arXiv 2605.05888: its schemes are not modelled yet"},
    {"moehub-data-availability-alone", 1.14, NOT_RUN, 0, "arXiv 2605.05888: its schemes are not modelled yet"},
};

enum { ENTRIES = sizeof entries / sizeof entries[0], LARGE = 6 };

static double speedup(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                      enum moehub_system_scheme slow, enum moehub_system_scheme fast)
{
    return moehub_system_layer_time(constants, work, slow) / moehub_system_layer_time(constants, work, fast);
}

/* Largest or geometric mean over the training configurations. */
static double speedups(const struct moehub_system_constants *constants, enum moehub_system_scheme slow,
                       enum moehub_system_scheme fast, bool largest)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    double most = 0;
    double logarithms = 0;
    for (size_t i = 0; i < count; i++) {
        const double gain = speedup(constants, &works[i], slow, fast);
        most = fmax(most, gain);
        logarithms += log(gain);
    }
    return largest ? most : exp(logarithms / (double)count);
}

/* The layer of DeepSeek-V3's shape, nothing hidden. */
static double communication_share(const struct moehub_system_constants *constants)
{
    size_t count;
    const struct moehub_system_work *work = &moehub_system_training(&count)[LARGE];
    return moehub_system_wire_time(constants, work, MOEHUB_SYSTEM_SCHEME_DEEPEP) /
           moehub_system_layer_time(constants, work, MOEHUB_SYSTEM_SCHEME_DEEPEP);
}

static double evaluate(const struct moehub_system_constants *constants, const struct entry *entry)
{
    const unsigned gpus = 32;
    const double copies = moehub_system_copies(256, gpus, entry->parameter);
    const enum moehub_system_scheme scheme = (enum moehub_system_scheme)entry->parameter;
    switch (entry->form) {
    case USELESS:
        return moehub_system_useless_share(gpus, copies);
    case CUT:
        return moehub_system_traffic_cut(copies);
    case PAYLOAD:
        return moehub_system_payload_share(entry->parameter);
    case SHARE:
        return communication_share(constants);
    case SPEEDUP_MAX:
    case SPEEDUP_MEAN:
        return speedups(constants, scheme, MOEHUB_SYSTEM_SCHEME_DYSHARP, entry->form == SPEEDUP_MAX);
    case OVER_COMET:
        return speedups(constants, MOEHUB_SYSTEM_SCHEME_COMET, scheme, false);
    case NOT_RUN:
    default:
        return 0;
    }
}

static bool arithmetic(enum form form)
{
    return form == USELESS || form == CUT || form == PAYLOAD;
}

static bool agrees(const struct moehub_system_claim *claim, const struct entry *entry, double value)
{
    if (entry->form == OVER_COMET)
        return value <= claim->paper;
    const double tolerance = claim->arithmetic ? MOEHUB_SYSTEM_ROUNDING : MOEHUB_SYSTEM_TOLERANCE;
    return fabs(value / claim->paper - 1) <= tolerance;
}

static const char *verdict(const struct moehub_system_claim *claim, const struct entry *entry)
{
    if (!claim->run)
        return "not run";
    if (agrees(claim, entry, claim->measured))
        return "reproduced";
    return agrees(claim, entry, claim->paper_set) ? "only under paper" : "not reproduced";
}

size_t moehub_system_claims(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper,
                            struct moehub_system_claim *claims, size_t capacity)
{
    for (size_t i = 0; i < ENTRIES && i < capacity; i++) {
        struct moehub_system_claim *claim = &claims[i];
        *claim = (struct moehub_system_claim){.name = entries[i].name, .paper = entries[i].paper, .reason = entries[i].reason};
        claim->run = entries[i].form != NOT_RUN;
        claim->arithmetic = arithmetic(entries[i].form);
        claim->measured = evaluate(measured, &entries[i]);
        claim->paper_set = evaluate(paper, &entries[i]);
        snprintf(claim->verdict, sizeof claim->verdict, "%s", verdict(claim, &entries[i]));
    }
    return ENTRIES;
}
