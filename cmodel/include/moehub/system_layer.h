/* SPDX-License-Identifier: Apache-2.0 */
/* The schemes that the system model compares, and the layers that it runs them on. Method: cmodel/doc/system.md. */
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
    X(PERFECT, "perfect", "bound of unicast by software: both ways at once, all hidden, all SMs")  \
    X(ADDRESSING, "addressing", "multicast and reduction in the switch, nothing hidden")           \
    X(ADDRESSING_COMET, "addressing-comet", "the same, COMET's share hidden")                      \
    X(FUSION, "fusion", "dispatch and combine fused, unicast, everything hidden")                  \
    X(DYSHARP, "dysharp", "in the switch and fused: both directions full")                         \
    X(IDEAL, "ideal", "bound of all: fewest flits, links without loss, all hidden, all SMs")       \
    X(COMET_TILES, "comet-tiles", "unicast, two kernels, each overlapped by tiles")                \
    X(MEGAMOE, "megamoe", "unicast by software in one kernel, by tiles")                           \
    X(DUALPIPE, "dualpipe", "unicast, all of it hidden under another micro-batch")                 \
    X(ADDRESSING_TILES, "addressing-tiles", "in the switch, two kernels, each overlapped by tiles") \
    X(MEGATRON, "megatron", "the same as deepep here: it has no rates of its own")                 \
    X(HUB_BASE, "moehub-base", "stores to wherever, neither packet manager nor data availability") \
    X(HUB_PACKETS, "moehub-packets", "the same with the packet manager")                           \
    X(HUB_READY, "moehub-availability", "the same with data availability instead")                 \
    X(HUB, "moehub", "stores to wherever, both")                                                   \
    X(HUB_IDEAL, "moehub-ideal", "bound of moehub: unicast, links without loss, all hidden, all SMs")

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

#endif
