/* SPDX-License-Identifier: Apache-2.0 */
/* The crossbar's model: the worked examples of rtl/doc/packet.md typed in once more, and random packets against an oracle
 * that keeps every copy as a list of its own and reads the ids of a copy back from its bits. */
#include "moehub/crossbar.h"

#include "common/random.h"
#include "common/support.h"
#include "moehub/error.h"

static const struct moehub_crossbar_config eight = {.ports = 8, .local_expert_bits = 8, .packets = 32};

static struct moehub_flit flit(uint64_t high, uint64_t low)
{
    return (struct moehub_flit){{low, high}};
}

static void assert_flit(struct moehub_flit got, uint64_t high, uint64_t low)
{
    assert_int_equal(got.half[1], high);
    assert_int_equal(got.half[0], low);
}

/* ---- worked examples ------------------------------------------------------------------------------ */

static void multimem_store_of_the_page(void **state)
{
    (void)state;
    struct moehub_flit store[10] = {flit(0x030A000123450100, 0x3000ABCD40120042), flit(0x0000000000000607, 0x0602050000030001)};
    for (unsigned i = 2; i < 10; i++)
        store[i] = flit(i, 100 + i);
    struct moehub_crossbar crossbar;
    assert_int_equal(moehub_crossbar_create(&crossbar, &eight), 0);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 2, store, 10), 0);
    assert_int_equal(crossbar.waiting, 3);
    struct moehub_crossbar_copy copy;
    assert_int_equal(moehub_crossbar_next(&crossbar, 2, 6, &copy), 0);
    assert_int_equal(copy.count, 9);
    assert_flit(copy.flits[0], 0x00070280091A2B02, 0x3000ABCD40120052);
    for (unsigned i = 1; i < 9; i++)
        assert_flit(copy.flits[i], i + 1, 101 + i);
    for (unsigned output = 0; output < 8; output++)
        assert_int_equal(moehub_crossbar_leave(&crossbar, 2, output),
                         output == 0 || output == 5 || output == 6 ? 0 : MOEHUB_E_STATE);
    assert_int_equal(crossbar.waiting, 0);
    moehub_crossbar_destroy(&crossbar);
}

/* Up to three ids a record, of one flit. */
static void copy_records(void **state)
{
    (void)state;
    static const uint16_t targets[] = {0x100, 0x200, 0x201, 0x202, 0x203, 0x300, 0x301, 0x302, 0x303, 0x304, 0x305, 0x306};
    enum { TARGETS = sizeof targets / sizeof *targets };
    const struct moehub_header header = {.type = MOEHUB_PACKET_MULTIMEM_STORE, .length = 16, .target_count = TARGETS};
    const struct moehub_flit store[4] = {moehub_header_pack(&header), moehub_targets_pack(targets, TARGETS, 0),
                                         moehub_targets_pack(targets, TARGETS, 1), flit(1, 2)};
    const struct moehub_flit notify = flit(0, 0x8);
    assert_int_equal(moehub_crossbar_copy_records(&eight, store, 0), 0);
    assert_int_equal(moehub_crossbar_copy_records(&eight, store, 1), 1);
    assert_int_equal(moehub_crossbar_copy_records(&eight, store, 2), 2);
    assert_int_equal(moehub_crossbar_copy_records(&eight, store, 3), 3); /* three ids in the first flit, four in the second */
    assert_int_equal(moehub_crossbar_copy_records(&eight, &notify, 0), 1);
    struct moehub_crossbar crossbar;
    assert_int_equal(moehub_crossbar_create(&crossbar, &eight), 0);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, store, 4), 0);
    assert_int_equal(moehub_crossbar_records(&crossbar, 0), 6);
    assert_int_equal(moehub_crossbar_leave(&crossbar, 0, 3), 0);
    assert_int_equal(moehub_crossbar_records(&crossbar, 0), 3);
    moehub_crossbar_reset(&crossbar);
    assert_int_equal(moehub_crossbar_records(&crossbar, 0), 0);
    moehub_crossbar_destroy(&crossbar);
}

static void row_store_of_the_page(void **state)
{
    (void)state;
    const struct moehub_flit store[5] = {flit(0x0082010000070030, 0x3000000100108081), flit(0, 0x104), flit(0, 0xffffffff),
                                         flit(1, 2), flit(3, 4)};
    assert_int_equal(moehub_crossbar_outputs(&eight, store), 1 << 1);
    struct moehub_crossbar_copy copy;
    moehub_crossbar_make_copy(&eight, store, 1, &copy);
    assert_int_equal(copy.count, 5); /* 48 is no multiple of 128: not compact, and the same packet */
    assert_memory_equal(copy.flits, store, sizeof store);
}

static void ld_reduce_of_the_page(void **state)
{
    (void)state;
    const uint64_t tag = UINT64_C(0x2809) << 32, mask = UINT64_C(0xffffff) << 32;
    const struct moehub_flit request[2] = {flit(0x0307000123450400, (0x4000003040110003 & ~mask) | tag),
                                           flit(0, 0x0000050000030001)};
    assert_int_equal(moehub_crossbar_outputs(&eight, request), 1 << 0 | 1 << 5);
    struct moehub_crossbar_copy copy;
    moehub_crossbar_make_copy(&eight, request, 0, &copy);
    assert_int_equal(copy.count, 1);
    assert_flit(copy.flits[0], 0x000301A0091A2B08, 0x4000280940110013);
}

static void responses_of_the_page(void **state)
{
    (void)state;
    const struct moehub_flit close = flit(0x0300000010000005, 0x0000000040100007);
    const struct moehub_flit notify = flit(0x0301000123450002, 0x0000000040280008);
    struct moehub_flit partial[9] = {flit(0x0301000000000002, 0x00002D0940020004)};
    struct moehub_crossbar_copy copy;
    for (unsigned i = 1; i < 9; i++)
        partial[i] = flit(i, i);
    assert_int_equal(moehub_crossbar_outputs(&eight, &close), 1 << 5);
    assert_int_equal(moehub_crossbar_outputs(&eight, &notify), 1 << 2);
    assert_int_equal(moehub_crossbar_outputs(&eight, partial), 1 << 2);
    moehub_crossbar_make_copy(&eight, partial, 2, &copy);
    assert_int_equal(copy.count, 9);
    assert_memory_equal(copy.flits, partial, sizeof partial);
}

/* ---- when a copy is compact ----------------------------------------------------------------------- */

static void compact_when_it_can_be(void **state)
{
    (void)state;
    static const struct {
        uint16_t offset;
        uint32_t row;
        uint8_t ids;
        bool compact;
    } cases[] = {
        {16256, 0x3ffffff, 3, true}, {16384, 0, 1, false},     {16, 0, 1, false},
        {0, 0x4000000, 1, false},    {0, 0, 4, false},         {0, 0, 1, true},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct moehub_header header = {.type = MOEHUB_PACKET_MULTIMEM_STORE, .length = 16, .offset = cases[i].offset,
                                             .row_index = cases[i].row, .target_count = cases[i].ids};
        const uint16_t ids[4] = {0x300, 0x301, 0x302, 0x303};
        const struct moehub_flit store[3] = {moehub_header_pack(&header), moehub_targets_pack(ids, cases[i].ids, 0), flit(7, 8)};
        struct moehub_crossbar_copy copy;
        moehub_crossbar_make_copy(&eight, store, 3, &copy);
        assert_int_equal(moehub_header_unpack(copy.flits[0]).format, cases[i].compact ? 1 : 0);
        assert_int_equal(copy.count, cases[i].compact ? 2 : 3);
        assert_flit(copy.flits[copy.count - 1], 7, 8);
    }
}

/* ---- order, and every id once --------------------------------------------------------------------- */

enum { ORACLE_COPIES = 4096 };

struct oracle_copy {
    uint32_t tag;
    uint32_t ids[8]; /* bit l of the local ids, 256 of them */
};

struct oracle {
    struct oracle_copy copies[8][8][ORACLE_COPIES];
    unsigned first[8][8], last[8][8];
};

static unsigned random_store(struct random *random, const struct moehub_crossbar_config *config, unsigned input, uint32_t tag,
                             struct moehub_flit *flits, uint16_t *ids)
{
    const unsigned count = 1 + random_below(random, 32);
    const unsigned ids_in_all = config->ports << config->local_expert_bits;
    unsigned chosen = 0;
    for (unsigned id = 0; id < ids_in_all && chosen < count; id++)
        if (id >> config->local_expert_bits != input && random_below(random, ids_in_all) < 2 * count)
            ids[chosen++] = (uint16_t)id;
    if (chosen == 0)
        ids[chosen++] = (uint16_t)((input + 1) % config->ports << config->local_expert_bits);
    const struct moehub_header header = {.type = MOEHUB_PACKET_MULTIMEM_STORE, .tag = tag, .source = (uint16_t)input,
        .length = 16, .target_count = (uint8_t)chosen,
        .offset = (uint16_t)(16 * random_below(random, 4) * random_below(random, 2))};
    flits[0] = moehub_header_pack(&header);
    const unsigned body = 1 + moehub_header_target_flits(&header);
    for (unsigned i = 1; i < body; i++)
        flits[i] = moehub_targets_pack(ids, chosen, i - 1);
    flits[body] = flit(tag, ~(uint64_t)tag);
    ids[chosen] = 0xffff;
    return body + 1;
}

static void oracle_accept(struct oracle *oracle, const struct moehub_crossbar_config *config, unsigned input, uint32_t tag,
                          const uint16_t *ids)
{
    for (unsigned output = 0; output < config->ports; output++) {
        struct oracle_copy copy = {.tag = tag};
        bool any = false;
        for (const uint16_t *id = ids; *id != 0xffff; id++) {
            const unsigned local = *id % (1u << config->local_expert_bits);
            if (*id / (1u << config->local_expert_bits) != output)
                continue;
            copy.ids[local / 32] |= 1u << local % 32;
            any = true;
        }
        if (any)
            oracle->copies[input][output][oracle->last[input][output]++ % ORACLE_COPIES] = copy;
    }
}

/* The ids that a copy's bits say. */
static void read_ids(const struct moehub_crossbar_copy *copy, unsigned bits, unsigned output, uint32_t ids[8])
{
    uint8_t bytes[MOEHUB_FLIT_BYTES];
    memset(ids, 0, 8 * sizeof *ids);
    moehub_flit_to_bytes(copy->flits[0], bytes);
    const bool compact = (bytes[0] >> 4 & 3) == 1;
    const unsigned count = compact ? bytes[12] >> 6U : (bytes[14] >> 1U | (unsigned)bytes[15] << 7U) & 63U;
    unsigned before = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!compact)
            moehub_flit_to_bytes(copy->flits[1 + i / 8], bytes);
        const unsigned id = compact ? bytes[13 + i] : (unsigned)(bytes[2 * (i % 8)] | bytes[2 * (i % 8) + 1] << 8);
        assert_true(i == 0 || id > before);
        before = id;
        if (!compact)
            assert_int_equal(id >> bits, output);
        const unsigned local = id & ((1u << bits) - 1);
        ids[local / 32] |= 1u << local % 32;
    }
    for (unsigned i = count; compact && i < 3; i++)
        assert_int_equal(bytes[13 + i], 0);
}

static void oracle_leave(struct oracle *oracle, struct moehub_crossbar *crossbar, unsigned input, unsigned output)
{
    struct moehub_crossbar_copy copy;
    const bool any = oracle->first[input][output] != oracle->last[input][output];
    assert_int_equal(moehub_crossbar_count(crossbar, input, output),
                     oracle->last[input][output] - oracle->first[input][output]);
    assert_int_equal(moehub_crossbar_next(crossbar, input, output, &copy), any ? 0 : MOEHUB_E_STATE);
    assert_int_equal(moehub_crossbar_leave(crossbar, input, output), any ? 0 : MOEHUB_E_STATE);
    if (!any)
        return;
    const struct oracle_copy *expected = &oracle->copies[input][output][oracle->first[input][output]++ % ORACLE_COPIES];
    uint32_t ids[8];
    assert_int_equal(moehub_header_unpack(copy.flits[0]).tag, expected->tag);
    assert_flit(copy.flits[copy.count - 1], expected->tag, ~(uint64_t)expected->tag);
    read_ids(&copy, crossbar->config.local_expert_bits, output, ids);
    assert_memory_equal(ids, expected->ids, sizeof ids);
}

static void random_packets(void **state)
{
    (void)state;
    static struct oracle oracle;
    static const struct moehub_crossbar_config configs[] = {
        {.ports = 8, .local_expert_bits = 8, .packets = 32}, {.ports = 2, .local_expert_bits = 3, .packets = 1},
        {.ports = 5, .local_expert_bits = 0, .packets = 7}};
    struct random random = random_from(5);
    for (unsigned c = 0; c < sizeof configs / sizeof *configs; c++) {
        struct moehub_crossbar crossbar;
        unsigned full = 0;
        memset(&oracle, 0, sizeof oracle);
        assert_int_equal(moehub_crossbar_create(&crossbar, &configs[c]), 0);
        for (uint32_t step = 0; step < 60000; step++) {
            const unsigned input = random_below(&random, configs[c].ports);
            struct moehub_flit flits[MOEHUB_CROSSBAR_FLITS_MAX];
            uint16_t ids[33];
            const unsigned count = random_store(&random, &configs[c], input, step, flits, ids);
            const int error = moehub_crossbar_accept(&crossbar, input, flits, count);
            assert_true(error == 0 || error == MOEHUB_E_LIMIT);
            full += error != 0;
            if (error == 0)
                oracle_accept(&oracle, &configs[c], input, step, ids);
            for (unsigned i = random_below(&random, 8); i > 0; i--)
                oracle_leave(&oracle, &crossbar, random_below(&random, configs[c].ports),
                             random_below(&random, configs[c].ports));
        }
        assert_true(full > 0);
        for (unsigned i = 0; i < 64 * ORACLE_COPIES && crossbar.waiting > 0; i++)
            oracle_leave(&oracle, &crossbar, i % configs[c].ports, i / configs[c].ports % configs[c].ports);
        assert_int_equal(crossbar.waiting, 0);
        assert_memory_equal(oracle.first, oracle.last, sizeof oracle.first);
        moehub_crossbar_destroy(&crossbar);
    }
}

/* ---- what is refused ------------------------------------------------------------------------------ */

static void refusals(void **state)
{
    (void)state;
    struct moehub_crossbar crossbar;
    const struct moehub_crossbar_config bad[] = {{1, 8, 1}, {65, 8, 1}, {2, 9, 1}, {2, 8, 0}, {2, 8, 8192}};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(moehub_crossbar_create(&crossbar, &bad[i]), MOEHUB_E_ARGUMENT);
    const struct moehub_crossbar_config one = {.ports = 3, .local_expert_bits = 8, .packets = 1};
    assert_int_equal(moehub_crossbar_create(&crossbar, &one), 0);
    const struct moehub_flit close = flit(0x0300000010000002, 0x0000000040100007);
    const struct moehub_flit far = flit(0x0300000010000003, 0x0000000040100007);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 3, &close, 1), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, &far, 1), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, &close, 0), MOEHUB_E_ARGUMENT);
    const struct moehub_flit two[2] = {close, close};
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, two, 2), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, &close, 1), 0);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, &close, 1), MOEHUB_E_LIMIT);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 1, &close, 1), 0);
    assert_int_equal(crossbar.waiting, 2);
    moehub_crossbar_reset(&crossbar);
    assert_int_equal(crossbar.waiting, 0);
    assert_int_equal(moehub_crossbar_leave(&crossbar, 0, 2), MOEHUB_E_STATE);
    assert_int_equal(moehub_crossbar_accept(&crossbar, 0, &close, 1), 0);
    moehub_crossbar_destroy(&crossbar);
    moehub_crossbar_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multimem_store_of_the_page), cmocka_unit_test(copy_records),
        cmocka_unit_test(row_store_of_the_page),
        cmocka_unit_test(ld_reduce_of_the_page),      cmocka_unit_test(responses_of_the_page),
        cmocka_unit_test(compact_when_it_can_be),     cmocka_unit_test(random_packets),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("crossbar", tests, NULL, NULL);
}
