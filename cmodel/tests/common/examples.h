/* SPDX-License-Identifier: Apache-2.0 */
/* The worked examples of rtl/doc/packet.md section 8: 8 GPUs, LOCAL_EXPERT_BITS 8. */
#ifndef MOEHUB_TESTS_EXAMPLES_H
#define MOEHUB_TESTS_EXAMPLES_H

#include "moehub/packet.h"

struct example {
    const char *name;
    struct moehub_header header;
    struct moehub_flit flit;        /* the header flit, {bits 63:0, bits 127:64} */
    unsigned target_count;          /* ids in the target flit */
    uint16_t targets[8];
    struct moehub_flit list;        /* the target flit */
    unsigned flits;
};

enum { STORE, STORE_COPY, ROW_STORE, REQUEST, REQUEST_COPY, PARTIAL, RESULT, CLOSE, NOTIFY, EXAMPLES };

static const struct example examples[EXAMPLES] = {
    [STORE] = {"multimem store",
        {.type = 2, .first = true, .length = 128, .source = 2, .context = 2, .tag = 0xABCD, .element = 3, .offset = 0x100,
         .row_index = 0x12345, .target_count = 5, .round = 6},
        {{0x3000ABCD40120042, 0x030A000123450100}}, 5, {1, 3, 0x500, 0x602, 0x607},
        {{0x0602050000030001, 0x0000000000000607}}, 10},
    [STORE_COPY] = {"compact copy of a store",
        {.type = 2, .format = 1, .first = true, .length = 128, .source = 2, .context = 2, .tag = 0xABCD, .element = 3,
         .offset = 0x100, .round = 6, .row_index = 0x12345, .target_count = 2, .local_targets = {2, 7}},
        {{0x3000ABCD40120052, 0x00070280091A2B02}}, 0, {0}, {{0, 0}}, 9},
    [ROW_STORE] = {"row store",
        {.type = 1, .byte_enables = true, .length = 32, .source = 2, .tag = 1, .element = 3, .offset = 48,
         .row_index = 0x1000007, .target_count = 1, .round = 1},
        {{0x3000000100108081, 0x0082010000070030}}, 1, {0x104}, {{0x104, 0}}, 5},
    [REQUEST] = {"ld_reduce",
        {.type = 3, .length = 64, .source = 2, .context = 2, .tag = 48, .operation = 1, .offset = 0x400,
         .row_index = 0x12345, .stage = 1, .target_count = 3, .round = 6},
        {{0x4000003040110003, 0x0307000123450400}}, 3, {1, 3, 0x500}, {{0x0000050000030001, 0}}, 2},
    [REQUEST_COPY] = {"compact copy of an ld_reduce",
        {.type = 3, .format = 1, .length = 64, .source = 2, .context = 2, .tag = 0x2809, .operation = 1, .offset = 0x400,
         .round = 6, .row_index = 0x12345, .stage = 1, .target_count = 2, .local_targets = {1, 3}},
        {{0x4000280940110013, 0x000301A0091A2B08}}, 0, {0}, {{0, 0}}, 1},
    [PARTIAL] = {"partial",
        {.type = 4, .length = 128, .source = 0, .context = 2, .tag = 0x2D09, .offset = 2, .stage = 1, .round = 6},
        {{0x00002D0940020004, 0x0301000000000002}}, 0, {0}, {{0, 0}}, 9},
    [RESULT] = {"result",
        {.type = 5, .length = 128, .source = 2, .context = 2, .tag = 53, .offset = 2, .stage = 1, .round = 6},
        {{0x0000003540120005, 0x0301000000000002}}, 0, {0}, {{0, 0}}, 9},
    [CLOSE] = {"close",
        {.type = 7, .source = 2, .context = 2, .offset = 5, .row_index = 0x1000, .round = 6},
        {{0x0000000040100007, 0x0300000010000005}}, 0, {0}, {{0, 0}}, 1},
    [NOTIFY] = {"notify",
        {.type = 8, .source = 5, .context = 2, .offset = 2, .row_index = 0x12345, .stage = 1, .round = 6},
        {{0x0000000040280008, 0x0301000123450002}}, 0, {0}, {{0, 0}}, 1},
};

#endif
