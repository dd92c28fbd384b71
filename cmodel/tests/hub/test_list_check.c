/* SPDX-License-Identifier: Apache-2.0 */
/* Lists by hand, and drawn ones against what each pair of their ids says. */
#include "moehub/list_check.h"

#include "common/random.h"
#include "common/support.h"

static const struct moehub_list_rules rules = {.peers = 0x2F, .gpus = 6, .own = 2, .local_expert_bits = 4};

static void split_in_order(void **state)
{
    (void)state;
    static const uint16_t ids[] = {0x01, 0x0F, 0x20, 0x23, 0x50, 0x5F};
    struct moehub_split_list split;
    assert_int_equal(moehub_list_check(&rules, ids, 6, &split), MOEHUB_STATUS_OK);
    assert_int_equal(split.remote_count, 4);
    assert_int_equal(split.own_count, 2);
    assert_true(split.remote[0] == 0x01 && split.remote[1] == 0x0F && split.remote[2] == 0x50 && split.remote[3] == 0x5F);
    assert_true(split.own[0] == 0x20 && split.own[1] == 0x23);
    for (unsigned i = 4; i < MOEHUB_TARGETS_MAX; i++)
        assert_true(split.remote[i] == 0 && split.own[i] == 0);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        uint16_t ids[3];
        unsigned status;
    } cases[] = {
        {{1, 2, 2}, MOEHUB_STATUS_MALFORMED},
        {{1, 3, 2}, MOEHUB_STATUS_MALFORMED},
        {{0x40, 1, 2}, MOEHUB_STATUS_MALFORMED},     /* before PEER */
        {{1, 2, 0x40}, MOEHUB_STATUS_PEER},          /* in range, no peer */
        {{1, 2, 0x60}, MOEHUB_STATUS_PEER},          /* GPU 6 of 6 */
        {{1, 2, 0xFFFF}, MOEHUB_STATUS_PEER},        /* GPU 4095: all its bits count */
        {{1, 2, 0x801}, MOEHUB_STATUS_PEER},         /* GPU 128: a peer modulo 64 */
        {{0, 1, 2}, MOEHUB_STATUS_OK},
    };
    struct moehub_split_list split;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(moehub_list_check(&rules, cases[i].ids, 3, &split), cases[i].status);
}

/* A peer that is no GPU of the system is none. */
static void peers_beyond_gpus(void **state)
{
    (void)state;
    struct moehub_list_rules all = rules;
    static const uint16_t last = 0x5F, beyond = 0x60;
    all.peers = UINT64_MAX;
    struct moehub_split_list split;
    assert_int_equal(moehub_list_check(&all, &last, 1, &split), MOEHUB_STATUS_OK);
    assert_int_equal(moehub_list_check(&all, &beyond, 1, &split), MOEHUB_STATUS_PEER);
}

static unsigned expected_status(const uint16_t *ids, unsigned count)
{
    unsigned status = MOEHUB_STATUS_OK;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < i; j++)
            if (ids[j] >= ids[i])
                return MOEHUB_STATUS_MALFORMED;
        if (ids[i] / 16 > 5 || ids[i] / 16 == 4)
            status = MOEHUB_STATUS_PEER;
    }
    return status;
}

static void drawn(void **state)
{
    (void)state;
    struct random random = random_from(1);
    unsigned seen[MOEHUB_STATUS_MALFORMED + 1] = {0};
    for (unsigned round = 0; round < 20000; round++) {
        uint16_t ids[MOEHUB_TARGETS_MAX];
        const unsigned count = random_below(&random, MOEHUB_TARGETS_MAX + 1);
        uint32_t next = 0;
        for (unsigned i = 0; i < count; i++)
            next = ids[i] = (uint16_t)(next + !random_once_in(&random, 100) + random_below(&random, 4));
        struct moehub_split_list split;
        const unsigned status = moehub_list_check(&rules, ids, count, &split);
        assert_int_equal(status, expected_status(ids, count));
        assert_int_equal(split.remote_count + split.own_count, count);
        for (unsigned i = 0; i < split.own_count; i++)
            assert_int_equal(split.own[i] / 16, 2);
        for (unsigned i = 0; i < split.remote_count; i++)
            assert_int_not_equal(split.remote[i] / 16, 2);
        seen[status]++;
    }
    assert_true(seen[MOEHUB_STATUS_OK] > 100 && seen[MOEHUB_STATUS_PEER] > 100 && seen[MOEHUB_STATUS_MALFORMED] > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_in_order),
        cmocka_unit_test(refused),
        cmocka_unit_test(peers_beyond_gpus),
        cmocka_unit_test(drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
