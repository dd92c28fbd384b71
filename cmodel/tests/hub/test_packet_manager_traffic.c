/* SPDX-License-Identifier: Apache-2.0 */
/* Random rows through the packet manager at random sizes, and how many packets are whole lines. */
#include "hub/packet_manager_traffic.h"

static struct moehub_packet_manager_config drawn_config(struct random *random)
{
    const uint32_t gpus = random_once_in(random, 8) ? 64 : 2 + random_below(random, 8);
    return (struct moehub_packet_manager_config){
        .links = 1 + random_below(random, 4),
        .gpus = gpus,
        .contexts = 1 + random_below(random, 3),
        .local_expert_bits = random_below(random, 9),
        .max_targets = 1 + random_below(random, 32),
        .offset_width = 7 + random_below(random, 4),
        .address_width = 32 + random_below(random, 33),
        .rows = 1 + random_below(random, 7),
        .lines = 1 + random_below(random, 20),
        .store_bytes = 16u << random_below(random, 4),
        .own = random_below(random, gpus),
    };
}

static void drawn_traffic(void **state)
{
    (void)state;
    uint64_t packets = 0, dropped = 0;
    for (unsigned seed = 1; seed <= 100; seed++) {
        struct random random = random_from(seed);
        const struct moehub_packet_manager_config config = drawn_config(&random);
        struct traffic traffic;
        traffic_begin(&traffic, &config, 16, seed);
        for (unsigned i = 0; i < config.contexts; i++)
            traffic.manager.contexts[i].row_size = 16 + 16 * random_below(&random, 1u << (config.offset_width - 4));
        traffic.early = random_once_in(&random, 2) ? 0 : 1 + random_below(&random, 200);
        traffic.aborts = random_once_in(&random, 2) ? 0 : 300 + random_below(&random, 2000);
        for (unsigned round = 0; round < 4; round++)
            traffic_round(&traffic, 1 + random_below(&random, TRAFFIC_PLANS_MAX), round);
        packets += traffic.packets;
        dropped += traffic.dropped;
        traffic_finish(&traffic);
    }
    assert_true(packets > 50000 && dropped > 100);
}

/* A GPU that stores bytes twice spoils its own rows: they leave all the same, their pairs are what was sent, and no other
 * context is flagged. */
static void rewriting_gpu(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= 30; seed++) {
        struct random random = random_from(seed);
        struct moehub_packet_manager_config config = drawn_config(&random);
        config.offset_width = 10;
        struct traffic traffic;
        traffic_begin(&traffic, &config, 608, seed);
        traffic.early = random_once_in(&random, 2) ? 0 : 1 + random_below(&random, 200);
        traffic.aborts = random_once_in(&random, 2) ? 0 : 2000;
        traffic.rewrites = 1 + random_below(&random, 20);
        for (unsigned round = 0; round < 4; round++)
            traffic_round(&traffic, 40, round);
        traffic_finish(&traffic);
    }
}

/* Packets of less than a line, of rows of 7168 bytes, eight at a time, their 32-byte stores in any order. */
static uint64_t parts(unsigned lines, unsigned early)
{
    struct moehub_packet_manager_config config = moehub_packet_manager_config_default();
    config.rows = 8;
    config.lines = lines;
    struct traffic traffic;
    traffic_begin(&traffic, &config, TRAFFIC_ROW_MAX, 7);
    traffic.early = early;
    traffic_round(&traffic, 24, 0);
    const uint64_t less = traffic.manager.counters[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART];
    assert_int_equal(traffic.left, 24);
    assert_true(traffic.manager.counters[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE] > 0);
    traffic_finish(&traffic);
    return less;
}

/* All packets are whole with a buffer for each line of the rows under way; not with fewer, nor when a timer ends. */
static void share_of_whole_lines(void **state)
{
    (void)state;
    assert_int_equal(parts(8 * TRAFFIC_ROW_MAX / MOEHUB_LINE_BYTES, 0), 0);
    assert_true(parts(200, 0) > 0);
    assert_true(parts(8 * TRAFFIC_ROW_MAX / MOEHUB_LINE_BYTES, 100) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_traffic),
        cmocka_unit_test(rewriting_gpu),
        cmocka_unit_test(share_of_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
