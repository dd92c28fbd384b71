/* SPDX-License-Identifier: Apache-2.0 */
/* What a layer dispatches, against the ids of its packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/switch/dispatch_rows.h"

/* What is sent is what the ids say: every expert that is not at home gets every line once. */
static void rows_reach_their_experts(void **state)
{
    (void)state;
    const struct dispatch_layer layer = {.ports = 5, .local_expert_bits = 3, .experts = 40, .topk = 8, .tokens = 9, .lines = 6,
                                         .seed = 3};
    struct dispatch_rows rows;
    dispatch_rows_create(&rows, &layer);
    uint64_t copies = 0;
    for (unsigned source = 0; source < layer.ports; source++)
        for (uint64_t packet = 0; packet < dispatch_rows_packets(&rows, source); packet++) {
            const struct dispatch_row *row = dispatch_rows_of(&rows, source, packet);
            uint64_t gpus = 0;
            unsigned ids_of[5] = {0};
            for (unsigned i = 0; i < row->targets.count; i++) {
                const unsigned gpu = row->targets.ids[i] >> 3;
                assert_true(i == 0 || row->targets.ids[i] > row->targets.ids[i - 1]);
                assert_int_not_equal(gpu, source);
                gpus |= UINT64_C(1) << gpu;
                ids_of[gpu]++;
            }
            copies += (uint64_t)__builtin_popcountll(gpus);
            assert_int_equal(row->up, 1 + 1 + 8);
            for (unsigned gpu = 0; gpu < layer.ports; gpu++)
                assert_int_equal(row->down[gpu], ids_of[gpu] == 0 ? 0 : ids_of[gpu] <= 3 ? 9 : 10);
        }
    assert_int_equal(copies, rows.copies);
    dispatch_rows_destroy(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_reach_their_experts)};
    return cmocka_run_group_tests_name("dispatch_rows", tests, NULL, NULL);
}
