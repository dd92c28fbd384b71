/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a context (rtl/doc/hub/driver.md section 3): sizes against the addresses that the hardware would form. */
#include "moehub/driver_memory.h"
#include "moehub/row_list_address.h"

#include "common/random.h"
#include "common/support.h"

static struct moehub_hub hub = {.shape = {.gpus = 8, .contexts = 4, .local_experts = 64, .row_index_width = 20,
                                          .slot_width = 22, .offset_width = 14, .address_width = 48}};

/* hub.md section 5: 64 experts of 4096 slots are 1 MB, aligned to 1 MB. */
static void the_worked_example(void **state)
{
    (void)state;
    struct moehub_context_memory memory;
    const struct moehub_context_shape shape = {.row_bytes = {5776, 14336}, .owner_shift = 10, .list_shift = 12};
    assert_int_equal(moehub_context_bytes(&hub, &shape, 1000, &memory), 0);
    assert_int_equal(memory.list.bytes, 1 << 20);
    assert_int_equal(memory.list.alignment, 1 << 20);
    assert_int_equal(memory.table.bytes, 4 * 64 * 8 * 1024);
    assert_int_equal(memory.table.alignment, 4);
    assert_int_equal(memory.region[0].bytes, 5888 * 1000);
    assert_int_equal(memory.region[1].bytes, 14336 * 1000);
    assert_int_equal(memory.region[0].alignment, 128);
}

/* The last word of the last expert lies within the list, and an aligned base keeps the others apart. */
static void lists_hold_every_word(void **state)
{
    (void)state;
    struct random random = random_from(5);
    for (unsigned run = 0; run < 5000; run++) {
        struct moehub_context_memory memory;
        struct moehub_hub any = hub;
        any.shape.local_experts = 1 + random_below(&random, 256);
        const struct moehub_context_shape shape = {.row_bytes = {128, 128}, .list_shift = random_below(&random, 23)};
        assert_int_equal(moehub_context_bytes(&any, &shape, 1, &memory), 0);
        const uint64_t base = memory.list.alignment * (1 + random_below(&random, 100));
        const uint32_t last_slot = (uint32_t)((UINT64_C(1) << shape.list_shift) - 1);
        const uint64_t last = moehub_row_list_address(base, shape.list_shift, any.shape.local_experts - 1, last_slot, 64);
        assert_int_equal(moehub_row_list_address(base, shape.list_shift, 0, 0, 64), base);
        assert_in_range(last, base, base + memory.list.bytes - 4);
        assert_int_equal(last, base + 4 * ((uint64_t)any.shape.local_experts * (last_slot + UINT64_C(1))) - 4);
    }
}

static void what_is_no_context(void **state)
{
    (void)state;
    struct moehub_context_memory memory;
    struct moehub_context_shape shape = {.row_bytes = {16, 16}, .owner_shift = 17};
    assert_int_equal(moehub_context_bytes(&hub, &shape, (1 << 22) - 1, &memory), 0);
    assert_int_equal(moehub_context_bytes(&hub, &shape, 1 << 22, &memory), MOEHUB_E_ARGUMENT);
    shape.owner_shift = 18;
    assert_int_equal(moehub_context_bytes(&hub, &shape, 1, &memory), MOEHUB_E_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(lists_hold_every_word),
        cmocka_unit_test(what_is_no_context),
    };
    return cmocka_run_group_tests_name("driver_memory", tests, NULL, NULL);
}
