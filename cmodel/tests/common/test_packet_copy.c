/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a packet: the worked examples, the bounds of the compact form, and random packets, whose copies together name
 * each id once and are accepted by the hub that they are for. */
#include "moehub/packet_check.h"
#include "moehub/packet_copy.h"

#include "common/examples.h"
#include "common/random.h"
#include "common/support.h"

static void check_example(const struct moehub_header *header, const uint16_t *targets, unsigned gpu,
                          const struct moehub_flit *expected, unsigned count)
{
    struct moehub_flit flits[MOEHUB_COPY_HEAD_MAX];
    assert_int_equal(moehub_packet_copy(header, targets, gpu, 8, flits), count);
    assert_memory_equal(flits, expected, count * sizeof *expected);
}

static void worked_examples(void **state)
{
    (void)state;
    check_example(&examples[STORE].header, examples[STORE].targets, 6, &examples[STORE_COPY].flit, 1);
    struct moehub_header request = examples[REQUEST].header;
    request.tag = moehub_entry_tag(0x28, 9);
    check_example(&request, examples[REQUEST].targets, 0, &examples[REQUEST_COPY].flit, 1);
    const struct moehub_flit row_store[] = {examples[ROW_STORE].flit, examples[ROW_STORE].list};
    check_example(&examples[ROW_STORE].header, examples[ROW_STORE].targets, 1, row_store, 2);
    check_example(&examples[STORE].header, examples[STORE].targets, 1, NULL, 0);
}

/* The form on both sides of each bound. */
static void compact_whenever_it_can_be(void **state)
{
    (void)state;
    static const struct {
        unsigned count;
        uint16_t offset;
        uint32_t row_index;
        bool compact;
    } rows[] = {{1, 0, 0, true},     {3, 16256, 0x3FFFFFF, true}, {4, 0, 0, false},       {3, 16384, 0, false},
                {3, 0, 0x4000000, false}, {2, 16, 0, false},      {2, 112, 0, false}};
    const uint16_t targets[] = {0x300, 0x301, 0x3FE, 0x3FF};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct moehub_header header = {.type = 2, .length = 16, .offset = rows[i].offset,
                                             .row_index = rows[i].row_index, .target_count = (uint8_t)rows[i].count};
        struct moehub_flit flits[MOEHUB_COPY_HEAD_MAX];
        const unsigned count = moehub_packet_copy(&header, targets, 3, 8, flits);
        const struct moehub_header copy = moehub_header_unpack(flits[0]);
        assert_int_equal(copy.format, rows[i].compact ? 1 : 0);
        assert_int_equal(count, rows[i].compact ? 1 : 2);
        assert_int_equal(copy.target_count, rows[i].count);
        assert_int_equal(copy.offset, rows[i].offset);
        assert_int_equal(copy.row_index, rows[i].row_index);
    }
}

/* A packet of a random type that port `own` accepts, with ascending ids on other GPUs. */
static struct moehub_header random_packet(struct random *random, const struct moehub_check_config *config,
                                          uint16_t targets[MOEHUB_TARGETS_MAX])
{
    const uint8_t types[] = {MOEHUB_PACKET_ROW_STORE, MOEHUB_PACKET_MULTIMEM_STORE, MOEHUB_PACKET_LD_REDUCE};
    struct moehub_header header = {.type = types[random_below(random, 3)], .source = config->own};
    const bool request = header.type == MOEHUB_PACKET_LD_REDUCE;
    header.length = (uint16_t)(request ? 1 + random_below(random, 64) : 16 * (1 + random_below(random, 8)));
    header.offset = (uint16_t)(128 * random_below(random, 504) + (header.length == 16 && !request ? 16 : 0));
    header.row_index = (uint32_t)random_word(random) >> random_below(random, 12);
    header.tag = (uint32_t)random_word(random) & MOEHUB_TAG_MASK;
    header.round = (uint8_t)random_below(random, 16);
    header.context = (uint8_t)random_below(random, 8);
    header.stage = request;
    header.operation = request;
    header.element = (uint8_t)random_below(random, 3);
    header.first = !request && random_once_in(random, 2);
    const unsigned wanted = header.type == MOEHUB_PACKET_ROW_STORE ? 1 : 1 + random_below(random, MOEHUB_TARGETS_MAX);
    for (uint32_t id = random_below(random, 64); header.target_count < wanted; id += 1 + random_below(random, 50)) {
        if (id >> config->local_expert_bits == config->own)
            continue;
        if (id >> config->local_expert_bits >= config->ports)
            break;
        targets[header.target_count++] = (uint16_t)id;
    }
    return header;
}

/* The ids that a copy names, placed. */
static unsigned ids_of(const struct moehub_flit *flits, unsigned gpu, unsigned bits, uint16_t *ids)
{
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    for (unsigned i = 0; i < header.target_count; i++)
        if (header.format == 1)
            ids[i] = (uint16_t)(gpu << bits | header.local_targets[i]);
        else
            moehub_targets_unpack(flits[1 + i / 8], i / 8, ids, header.target_count);
    return header.target_count;
}

/* Checks the copy for each GPU; returns how many were compact. */
static unsigned check_copies(const struct moehub_check_config *port, const struct moehub_header *header,
                             const uint16_t *targets)
{
    unsigned named = 0;
    unsigned compact = 0;
    for (uint16_t gpu = 0; gpu < port->ports; gpu++) {
        struct moehub_flit flits[MOEHUB_STORE_LONGEST];
        const unsigned head = moehub_packet_copy(header, targets, gpu, port->local_expert_bits, flits);
        if (head == 0)
            continue;
        uint16_t ids[MOEHUB_TARGETS_MAX];
        const unsigned count = ids_of(flits, gpu, port->local_expert_bits, ids);
        assert_memory_equal(ids, targets + named, count * sizeof *ids);
        named += count;
        const struct moehub_check_config hub = {true, gpu, port->ports, port->local_expert_bits, 32, 8, false};
        const struct moehub_header copy = moehub_header_unpack(flits[0]);
        const unsigned packet_class = header->type == MOEHUB_PACKET_LD_REDUCE;
        const struct moehub_packet_verdict verdict =
            moehub_packet_check(&hub, packet_class, flits, moehub_packet_flits(&copy), false);
        assert_int_equal(verdict.cause, MOEHUB_PACKET_CAUSES);
        assert_int_equal(copy.tag, header->tag);
        assert_int_equal(copy.round, header->round);
        assert_int_equal(copy.first, header->first);
        compact += copy.format;
    }
    assert_int_equal(named, header->target_count);
    return compact;
}

static void copies_of_random_packets(void **state)
{
    (void)state;
    struct random random = random_from(4);
    unsigned compact = 0;
    unsigned checked = 0;
    while (checked < 20000) {
        const struct moehub_check_config port = {false, (uint16_t)random_below(&random, 8), 8,
                                                 (uint8_t)(4 + random_below(&random, 5)), 32, 8, false};
        uint16_t targets[MOEHUB_TARGETS_MAX];
        const struct moehub_header header = random_packet(&random, &port, targets);
        if (header.target_count == 0)
            continue;
        compact += check_copies(&port, &header, targets);
        checked++;
    }
    assert_true(compact > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples),
        cmocka_unit_test(compact_whenever_it_can_be),
        cmocka_unit_test(copies_of_random_packets),
    };
    return cmocka_run_group_tests_name("packet_copy", tests, NULL, NULL);
}
