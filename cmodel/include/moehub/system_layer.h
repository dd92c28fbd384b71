/* SPDX-License-Identifier: Apache-2.0 */
/* Time of one MoE layer's forward pass by rates: no tiles, no events, no queues. Method: cmodel/doc/system.md.
 *
 * wire: time of dispatch and combine on the links; compute: time of both GEMMs on the fullest GPU. A scheme that hides a
 * share s takes max(wire, compute) + (1 - s) min(wire, compute). */
#ifndef MOEHUB_SYSTEM_LAYER_H
#define MOEHUB_SYSTEM_LAYER_H

#include "moehub/system_constants.h"

#include <stddef.h>

/* X(name, text, what it does) */
#define MOEHUB_SYSTEM_SCHEMES(X)                                                                   \
    X(DEEPEP, "deepep", "one copy a destination GPU, nothing hidden")                              \
    X(NVLS, "nvls", "all-gather and reduce-scatter in the switch, nothing hidden")                 \
    X(FASTERMOE, "fastermoe", "unicast, a share hidden (input)")                                   \
    X(TUTEL, "tutel", "unicast, a share hidden (input)")                                           \
    X(CCFUSER, "ccfuser", "unicast, a share hidden (input)")                                       \
    X(COMET, "comet", "unicast, a share hidden (input)")                                           \
    X(PERFECT, "perfect", "unicast by software, everything hidden: its bound")                     \
    X(ADDRESSING, "addressing", "multicast and reduction in the switch, nothing hidden")           \
    X(ADDRESSING_COMET, "addressing-comet", "the same, COMET's share hidden")                      \
    X(FUSION, "fusion", "dispatch and combine fused, unicast, everything hidden")                  \
    X(DYSHARP, "dysharp", "in the switch and fused: both directions full")                         \
    X(IDEAL, "ideal", "the same on links without loss")                                               \
    X(COMET_TILES, "comet-tiles", "unicast, two kernels, each overlapped by tiles")                \
    X(MEGAMOE, "megamoe", "unicast by software in one kernel, by tiles")                           \
    X(DUALPIPE, "dualpipe", "unicast, hidden under another micro-batch (bound)")                   \
    X(ADDRESSING_TILES, "addressing-tiles", "in the switch, two kernels, each overlapped by tiles") \
    X(MEGATRON, "megatron", "unicast by a library, nothing hidden")                                \
    X(HUB_BASE, "moehub-base", "stores to wherever, neither packet manager nor data availability") \
    X(HUB_PACKETS, "moehub-packets", "the same with the packet manager")                           \
    X(HUB_READY, "moehub-availability", "the same with data availability instead")                 \
    X(HUB, "moehub", "stores to wherever, both")                                                   \
    X(HUB_IDEAL, "moehub-ideal", "unicast, full overlap, links without loss, no counts")

enum moehub_system_scheme {
#define MOEHUB_SYSTEM_SCHEME_ENUM(name, text, what) MOEHUB_SYSTEM_SCHEME_##name,
    MOEHUB_SYSTEM_SCHEMES(MOEHUB_SYSTEM_SCHEME_ENUM)
#undef MOEHUB_SYSTEM_SCHEME_ENUM
    MOEHUB_SYSTEM_SCHEME_COUNT
};

struct moehub_system_work {
    const char *name;
    unsigned experts, topk, hidden, intermediate;
    unsigned tokens;                  /* of a GPU */
    unsigned dispatch_element_bytes;  /* 1 or 2; results are bf16 */
    unsigned gemm_element_bytes;      /* 1: FP8 products, 2: bf16 */
};

/* The nine training configurations of arXiv 2605.05607. */
const struct moehub_system_work *moehub_system_training(size_t *count);

/* Cases of arXiv 2605.05888: three models on 8 GPUs, 128 to 32768 tokens a GPU. */
const struct moehub_system_work *moehub_system_hub_cases(size_t *count);

/* The scheme of a name; MOEHUB_SYSTEM_SCHEME_COUNT: there is none. */
enum moehub_system_scheme moehub_system_scheme_find(const char *name);
const char *moehub_system_scheme_name(enum moehub_system_scheme scheme);
const char *moehub_system_scheme_what(enum moehub_system_scheme scheme);

/* Seconds before the first row may move: count exchange and host read-back. */
double moehub_system_mediation(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme);

/* Seconds on the links. At least as many experts as GPUs; where GPUs do not divide
 * them, the fullest GPU's share counts. Negative: a slice at the packet level failed (system_shares.h). */
double moehub_system_wire_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme);

/* Seconds of the GEMMs on the fullest GPU. */
double moehub_system_compute_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                  enum moehub_system_scheme scheme);

/* Seconds of the layer; negative as above. */
double moehub_system_layer_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                enum moehub_system_scheme scheme);

/* The same backward: as many rows on the links, gradients of inputs and of weights, twice the products. */
double moehub_system_backward_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                   enum moehub_system_scheme scheme);

#endif
