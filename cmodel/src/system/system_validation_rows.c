/* SPDX-License-Identifier: Apache-2.0 */
/* Published measurements. Sources: DeepGEMM README (H800); aiconfigurator tables (DeepEP, H200, 24 SMs); DeepEP legacy
 * README (H800); nccl 1264 and 1054 (copies); nccl 1455, nccl-tests 272 (all-reduce); TensorRT-LLM blog 18 (GB200);
 * DeepGEMM PR 383 (whole layers); mscclpp PR 507 (small all-reduce); flux, docs/performance.md (tensor-parallel layers). */
#include "moehub/system_validation.h"

#define GEMM(name, fitted, groups, m, n, k, value) \
    {"gemm", name, "h800-8", MOEHUB_SYSTEM_ROW_GEMM, fitted, value, false, 8, 0, groups, m, n, k, 0}
#define EXCHANGE(group, name, machine, kind, fitted, gpus, tokens, combine, value) \
    {group, name, machine, MOEHUB_SYSTEM_ROW_##kind, fitted, value, combine, gpus, tokens, 0, 0, 0, 0, 0}
#define LIBRARY(name, fitted, tokens, combine, value) \
    EXCHANGE("library", name, "h200-8", LIBRARY, fitted, 8, tokens, combine, value)
#define ONESIDED(name, fitted, gpus, tokens, combine, value) \
    EXCHANGE("onesided", name, "gb200-16", ONESIDED, fitted, gpus, tokens, combine, value)
#define LINK(group, name, machine, kind, fitted, gpus, value) \
    EXCHANGE(group, name, machine, kind, fitted, gpus, 0, false, value)

/* An all-reduce of `bytes` on 8 H100. */
#define SMALL(name, fitted, bytes, value) EXCHANGE("nvls-small", name, "h100-8", SMALL, fitted, 8, bytes, false, value)
/* 8192 tokens on 8 GPUs; experts and rows of an expert on a GPU, columns, depth. */
#define TENSOR(name, kind, experts, rows, n, k, value) \
    {"tensor", name, "h800-8", MOEHUB_SYSTEM_ROW_##kind, false, value, false, 8, 1024, experts, rows, n, k, 0}

/* 256 experts, top-6, 4096 hidden, 2048 inner elements, 8 x H200. */
#define LAYER(name, scheme, tokens, value)                                                                              \
    {"layer", name, "h200-8", MOEHUB_SYSTEM_ROW_LAYER, false, value, false, 8, tokens, 256, 6, 2048, 4096,               \
     MOEHUB_SYSTEM_SCHEME_##scheme}

static const struct moehub_system_row rows[] = {
    GEMM("gemm-h800-contiguous-4x8192-n4096-k7168", true, 4, 8192, 4096, 7168, 1297),
    GEMM("gemm-h800-contiguous-4x8192-n7168-k2048", false, 4, 8192, 7168, 2048, 1099),
    GEMM("gemm-h800-contiguous-8x4096-n4096-k7168", false, 8, 4096, 4096, 7168, 1288),
    GEMM("gemm-h800-contiguous-8x4096-n7168-k2048", true, 8, 4096, 7168, 2048, 1093),
    GEMM("gemm-h800-masked-1x1024-n4096-k7168", true, 1, 1024, 4096, 7168, 1233),
    GEMM("gemm-h800-masked-1x1024-n7168-k2048", false, 1, 1024, 7168, 2048, 925),
    GEMM("gemm-h800-masked-2x512-n4096-k7168", false, 2, 512, 4096, 7168, 1040),
    GEMM("gemm-h800-masked-2x512-n7168-k2048", false, 2, 512, 7168, 2048, 916),
    GEMM("gemm-h800-masked-4x256-n4096-k7168", false, 4, 256, 4096, 7168, 932),
    GEMM("gemm-h800-masked-4x256-n7168-k2048", true, 4, 256, 7168, 2048, 815),
    LIBRARY("deepep-h200-dispatch-1", true, 1, false, 26.7),
    LIBRARY("deepep-h200-combine-1", true, 1, true, 47.1),
    LIBRARY("deepep-h200-dispatch-128", false, 128, false, 48.3),
    LIBRARY("deepep-h200-combine-128", false, 128, true, 83.4),
    LIBRARY("deepep-h200-dispatch-1024", false, 1024, false, 155.9),
    LIBRARY("deepep-h200-combine-1024", false, 1024, true, 300.5),
    LIBRARY("deepep-h200-dispatch-4096", true, 4096, false, 501.9),
    LIBRARY("deepep-h200-combine-4096", false, 4096, true, 979.2),
    EXCHANGE("library", "deepep-h800-dispatch-4096", "h800-8", LOGICAL, false, 8, 4096, false, 153),
    EXCHANGE("library", "deepep-h800-combine-4096", "h800-8", LOGICAL, false, 8, 4096, true, 158),
    LINK("link", "copy-h100", "h100-8", COPY, false, 2, 380),
    LINK("link", "copy-h100-both-ways", "h100-8", COPY, false, 2, 378.5),  /* 371 to 386 */
    LINK("link", "copy-h100-application", "h100-8", COPY, false, 2, 360),  /* about 80 % of 25 GB/s a link */
    LINK("nvls", "nvls-h100-5", "h100-8", ALLREDUCE, false, 5, 258),
    LINK("nvls", "nvls-h100-6", "h100-8", ALLREDUCE, false, 6, 265),
    LINK("nvls", "nvls-h100-7", "h100-8", ALLREDUCE, false, 7, 270),
    LINK("nvls", "nvls-h100-8", "h100-8", ALLREDUCE, true, 8, 273),
    LINK("nvls", "nvls-h200-8", "h200-8", ALLREDUCE, false, 8, 271.4),
    SMALL("nvls-h100-1KB", true, 1024, 5.45),
    SMALL("nvls-h100-2KB", false, 2048, 5.57),
    SMALL("nvls-h100-4KB", false, 4096, 5.80),
    SMALL("nvls-h100-8KB", false, 8192, 5.94),
    SMALL("nvls-h100-16KB", false, 16384, 6.40),
    SMALL("nvls-h100-32KB", false, 32768, 7.45),
    SMALL("nvls-h100-64KB", true, 65536, 8.03),
    ONESIDED("onesided-gb200-ep8-dispatch-1", true, 8, 1, false, 18.9),
    ONESIDED("onesided-gb200-ep8-combine-1", true, 8, 1, true, 31.0),
    ONESIDED("onesided-gb200-ep8-dispatch-128", false, 8, 128, false, 31.7),
    ONESIDED("onesided-gb200-ep8-combine-128", false, 8, 128, true, 38.1),
    ONESIDED("onesided-gb200-ep8-dispatch-1024", false, 8, 1024, false, 166.3),
    ONESIDED("onesided-gb200-ep8-combine-1024", false, 8, 1024, true, 175.6),
    ONESIDED("onesided-gb200-ep8-dispatch-2048", true, 8, 2048, false, 311.8),
    ONESIDED("onesided-gb200-ep8-combine-2048", false, 8, 2048, true, 322.6),
    ONESIDED("onesided-gb200-ep16-dispatch-1", false, 16, 1, false, 18.8),
    ONESIDED("onesided-gb200-ep16-combine-1", false, 16, 1, true, 30.8),
    ONESIDED("onesided-gb200-ep16-dispatch-128", false, 16, 128, false, 34.6),
    ONESIDED("onesided-gb200-ep16-combine-128", false, 16, 128, true, 39.9),
    ONESIDED("onesided-gb200-ep16-dispatch-1024", false, 16, 1024, false, 181.2),
    ONESIDED("onesided-gb200-ep16-combine-1024", false, 16, 1024, true, 188.2),
    ONESIDED("onesided-gb200-ep16-dispatch-2048", false, 16, 2048, false, 343.3),
    ONESIDED("onesided-gb200-ep16-combine-2048", false, 16, 2048, true, 348.4),
    ONESIDED("onesided-gb200-ep32-dispatch-128", false, 32, 128, false, 37.8),
    ONESIDED("onesided-gb200-ep32-combine-128", false, 32, 128, true, 41.1),
    ONESIDED("onesided-gb200-ep32-dispatch-2048", false, 32, 2048, false, 373.7),
    ONESIDED("onesided-gb200-ep32-combine-2048", false, 32, 2048, true, 369.5),
    ONESIDED("onesided-gb200-ep64-dispatch-128", false, 64, 128, false, 41.6),
    ONESIDED("onesided-gb200-ep64-combine-128", false, 64, 128, true, 44.5),
    ONESIDED("onesided-gb200-ep64-dispatch-2048", false, 64, 2048, false, 399.2),
    ONESIDED("onesided-gb200-ep64-combine-2048", false, 64, 2048, true, 372.1),
    TENSOR("flux-32-top4-tp8-layer0", GATHER, 32, 1024, 1024, 8192, 1146),
    TENSOR("flux-32-top4-tp8-layer1", SCATTER, 32, 1024, 8192, 1024, 1863),
    TENSOR("flux-32-top4-tp4-ep2-layer0", GATHER, 16, 1024, 2048, 8192, 1335),
    TENSOR("flux-32-top4-tp4-ep2-layer1", SCATTER, 16, 1024, 8192, 2048, 1685),
    TENSOR("flux-8-top2-tp8-layer0", GATHER, 8, 2048, 1024, 8192, 657),
    TENSOR("flux-8-top2-tp8-layer1", SCATTER, 8, 2048, 8192, 1024, 1019),
    TENSOR("flux-8-top2-tp4-ep2-layer0", GATHER, 4, 2048, 2048, 8192, 955),
    TENSOR("flux-8-top2-tp4-ep2-layer1", SCATTER, 4, 2048, 8192, 2048, 981),
    LAYER("layer-h200-megamoe-512", MEGAMOE, 512, 413),
    LAYER("layer-h200-deepep-512", DEEPEP, 512, 497),
    LAYER("layer-h200-megamoe-2048", MEGAMOE, 2048, 959),
    LAYER("layer-h200-deepep-2048", DEEPEP, 2048, 1208),
    LAYER("layer-h200-megamoe-8192", MEGAMOE, 8192, 3269),
    LAYER("layer-h200-deepep-8192", DEEPEP, 8192, 4318),
};

const struct moehub_system_row *moehub_system_rows(size_t *count)
{
    *count = sizeof rows / sizeof rows[0];
    return rows;
}
