/* SPDX-License-Identifier: Apache-2.0 */
/* Whole layers through the models: counters against the layer and the oracle's caches, sums against GMP, and every check
 * of the run against a deliberate error. */
#include "moehub/golden.h"

#include "system/golden_sum.h"
#include "moehub/element.h"
#include "moehub/packets.h"
#include "arithmetic/sum_oracle.h"

#include "hub/address_oracle.h"

static void layer_create(struct moehub_layer *layer, unsigned gpus, size_t tokens, unsigned hidden, unsigned element)
{
    const struct moehub_layer_options options = {.gpus = gpus, .tokens = tokens, .experts = 20, .topk = 4, .hidden = hidden,
                                                 .element = element, .seed = 3};
    struct moehub_message message = {""};
    assert_int_equal(moehub_layer_create(layer, &options, &message), 0);
}

static struct moehub_golden_report run(const struct moehub_layer *layer, const struct moehub_golden_options *options)
{
    struct moehub_golden_report report;
    struct moehub_message message = {""};
    assert_int_equal(moehub_golden_run(layer, options, &report, &message), 0);
    return report;
}

static uint64_t packets_of(uint32_t row_bytes, unsigned packet_bytes)
{
    return (row_bytes + packet_bytes - 1) / packet_bytes;
}

/* What any correct run must count, from the layer alone. */
static void check_counts(const struct moehub_layer *layer, const struct moehub_golden_options *options,
                         const struct moehub_golden_report *report)
{
    const uint64_t dispatch = packets_of(layer->dispatch_row_bytes, options->packet_bytes);
    const uint64_t combine = packets_of(layer->combine_row_bytes, options->packet_bytes);
    uint64_t remotes = 0;
    uint64_t rows_with_remotes = 0;
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        remotes += layer->remote_counts[row];
        rows_with_remotes += layer->remote_counts[row] > 0;
    }
    const uint64_t assignments = layer->tokens * layer->topk;
    assert_int_equal(report->failures, 0);
    assert_true(report->checks > 0);
    assert_int_equal(report->hub[MOEHUB_HUB_EVENT_LOOKUPS], assignments * (dispatch + combine));
    assert_int_equal(report->hub[MOEHUB_HUB_EVENT_ALLOCATIONS], assignments);
    assert_int_equal(report->hub[MOEHUB_HUB_EVENT_TABLE_WRITES], assignments);
    assert_int_equal(report->reduction[MOEHUB_REDUCTION_EVENT_REQUESTS], rows_with_remotes * combine);
    assert_int_equal(report->reduction[MOEHUB_REDUCTION_EVENT_RESULTS], rows_with_remotes * combine);
    assert_int_equal(report->reduction[MOEHUB_REDUCTION_EVENT_PARTIALS], remotes * combine);
    assert_int_equal(report->elements, options->payloads ? 2 * assignments * layer->hidden : 0);
    assert_true(report->occupancy <= options->entries);
}

static void every_type_and_shape_passes(void **state)
{
    (void)state;
    static const unsigned types[] = {MOEHUB_ELEMENT_BF16, MOEHUB_ELEMENT_FP16, MOEHUB_ELEMENT_FP32, MOEHUB_ELEMENT_BYTES};
    static const unsigned gpus[] = {1, 2, 3, 7};
    static const unsigned hidden[] = {1, 100, 333};
    static const unsigned packet_bytes[] = {16, 128, 256};
    for (unsigned i = 0; i < 4 * 4 * 3 * 3; i++) {
        struct moehub_layer layer;
        struct moehub_golden_options options = moehub_golden_options_default();
        layer_create(&layer, gpus[i / 4 % 4], 9, hidden[i / 16 % 3], types[i % 4]);
        options.packet_bytes = packet_bytes[i / 48];
        options.payloads = true;
        options.entries = 1 + i % 5;
        options.sets = 1u << i % 4;
        options.ways = 1 + i % 8;
        options.replacement = MOEHUB_REPLACEMENT_FIFO;
        options.inflight = 1 + i % 11;
        options.ports = 1 + i % 64;
        const struct moehub_golden_report report = run(&layer, &options);
        check_counts(&layer, &options, &report);
        moehub_layer_destroy(&layer);
    }
}

/* Beyond the ports of a switch the lookups are the same and every partial is checked where it leaves. */
static void many_gpus_run_without_the_switch(void **state)
{
    (void)state;
    static const unsigned types[] = {MOEHUB_ELEMENT_FP16, MOEHUB_ELEMENT_BYTES};
    for (unsigned i = 0; i < 2; i++) {
        struct moehub_layer layer;
        struct moehub_golden_options options = moehub_golden_options_default();
        layer_create(&layer, 65 + 200 * i, 2, 300, types[i]);
        options.payloads = true;
        const struct moehub_golden_report on = run(&layer, &options);
        options.payloads = false;
        const struct moehub_golden_report off = run(&layer, &options);
        const uint64_t packets = packets_of(layer.dispatch_row_bytes, 128) + packets_of(layer.combine_row_bytes, 128);
        assert_false(on.with_switch || off.with_switch);
        assert_int_equal(on.failures + off.failures, 0);
        assert_int_equal(on.hub[MOEHUB_HUB_EVENT_LOOKUPS], layer.tokens * layer.topk * packets);
        assert_memory_equal(on.hub, off.hub, sizeof on.hub);
        for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
            assert_int_equal(on.reduction[event], 0);
        assert_int_equal(on.elements, 2 * layer.tokens * layer.topk * layer.hidden);
        assert_true(on.checks > off.checks);
        options.payloads = true;
        for (unsigned fault = MOEHUB_GOLDEN_FAULT_ADDRESS; fault < MOEHUB_GOLDEN_FAULT_PORT; fault++) {
            options.fault = (enum moehub_golden_fault)fault;
            const struct moehub_golden_report report = run(&layer, &options);
            assert_true(report.failures > 0);
        }
        moehub_layer_destroy(&layer);
    }
}

static void payloads_change_no_counter(void **state)
{
    (void)state;
    struct moehub_layer layer;
    layer_create(&layer, 5, 40, 500, MOEHUB_ELEMENT_BF16);
    struct moehub_golden_options options = moehub_golden_options_default();
    const struct moehub_golden_report off = run(&layer, &options);
    check_counts(&layer, &options, &off);
    options.payloads = true;
    const struct moehub_golden_report on = run(&layer, &options);
    check_counts(&layer, &options, &on);
    assert_memory_equal(on.hub, off.hub, sizeof on.hub);
    assert_memory_equal(on.reduction, off.reduction, sizeof on.reduction);
    moehub_layer_destroy(&layer);
}

/* ---- the caches, by the oracle ------------------------------------------------------------ */

static void feed_oracles(struct oracle *oracles, const struct moehub_layer *layer, unsigned stage,
                         const struct moehub_golden_options *options)
{
    struct moehub_packets *packets = moehub_packets_create(layer, stage, options->inflight, options->packet_bytes);
    assert_non_null(packets);
    struct moehub_packet packet;
    while (moehub_packets_next(packets, &packet, 1) == 1)
        for (unsigned i = 0; i < layer->topk; i++) {
            const struct moehub_hub_request request = {.row_index = packet.row, .expert = packet.targets[i].local,
                                                       .offset = (uint16_t)packet.offset, .length = packet.length,
                                                       .source = packet.gpu, .operation = (uint8_t)stage, .first = packet.first};
            struct moehub_hub_answer answer;
            oracle_request(&oracles[packet.targets[i].gpu], &request, &answer);
            assert_int_equal(answer.status, MOEHUB_STATUS_OK);
        }
    moehub_packets_destroy(packets);
}

static void oracle_open(struct oracle *oracle, const struct moehub_layer *layer, const struct moehub_golden_options *options)
{
    oracle->config = moehub_address_path_config_default();
    oracle->config.sets = options->sets;
    oracle->config.ways = options->ways;
    oracle->config.replacement = options->replacement;
    oracle->window_last = UINT64_MAX;
    struct oracle_context *context = &oracle->contexts[0];
    context->enabled = true;
    context->epoch = 1;
    context->row_limit = layer->row_limit;
    context->row_size = 65536;
    memset(context->peers, 1, sizeof context->peers);
    for (unsigned expert = 0; expert < 64; expert++)
        context->regions[expert].capacity = layer->row_limit;
}

static void compare_caches(unsigned sets, unsigned ways, unsigned replacement, unsigned inflight)
{
    struct moehub_layer layer;
    layer_create(&layer, 3, 30, 300, MOEHUB_ELEMENT_FP16);
    struct moehub_golden_options options = moehub_golden_options_default();
    options.sets = sets;
    options.ways = ways;
    options.replacement = replacement;
    options.inflight = inflight;
    struct oracle *oracles = calloc(layer.gpus, sizeof *oracles);
    assert_non_null(oracles);
    for (unsigned gpu = 0; gpu < layer.gpus; gpu++)
        oracle_open(&oracles[gpu], &layer, &options);
    feed_oracles(oracles, &layer, MOEHUB_STAGE_DISPATCH, &options);
    feed_oracles(oracles, &layer, MOEHUB_STAGE_COMBINE, &options);
    const struct moehub_golden_report report = run(&layer, &options);
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++) {
        uint64_t expected = 0;
        for (unsigned gpu = 0; gpu < layer.gpus; gpu++)
            expected += oracles[gpu].events[event];
        assert_int_equal(report.hub[event], expected);
    }
    for (unsigned gpu = 0; gpu < layer.gpus; gpu++)
        map_free(&oracles[gpu].table);
    free(oracles);
    moehub_layer_destroy(&layer);
}

static void counters_equal_the_oracles_caches(void **state)
{
    (void)state;
    compare_caches(128, 4, MOEHUB_REPLACEMENT_PLRU, 16);
    compare_caches(8, 4, MOEHUB_REPLACEMENT_PLRU, 16);
    compare_caches(4, 8, MOEHUB_REPLACEMENT_PLRU, 3);
    compare_caches(8, 3, MOEHUB_REPLACEMENT_FIFO, 8);
    compare_caches(1, 1, MOEHUB_REPLACEMENT_FIFO, 1);
}

/* ---- the sums' expectation --------------------------------------------------------------------- */

static uint32_t finite_word(unsigned element, uint64_t *random)
{
    uint32_t word = (uint32_t)random_bits(random) & (element == MOEHUB_ELEMENT_FP32 ? 0xFFFFFFFFu : 0xFFFFu);
    const unsigned fraction = moehub_element_fraction_bits(element);
    if (random_below(random, 2))   /* near exponents: sums that round, cancel and carry */
        word = (word & ~(exponent_max(element) << fraction)) | (10 + random_below(random, 12)) << fraction;
    return exponent_field(element, word) == exponent_max(element) ? word & sign_bit(element) : word;
}

static void expected_sums_equal_gmp(void **state)
{
    (void)state;
    static const unsigned types[] = {MOEHUB_ELEMENT_BF16, MOEHUB_ELEMENT_FP16, MOEHUB_ELEMENT_FP32};
    enum { LENGTH = 13 };
    uint64_t random = 5;
    for (unsigned i = 0; i < 6000; i++) {
        const unsigned type = types[i % 3];
        const unsigned inputs = 1 + random_below(&random, GOLDEN_SUM_INPUTS_MAX);
        static uint32_t rows[GOLDEN_SUM_INPUTS_MAX][LENGTH];
        const void *pointers[GOLDEN_SUM_INPUTS_MAX];
        struct sum_case sums[LENGTH];
        for (unsigned lane = 0; lane < LENGTH; lane++)
            sums[lane] = (struct sum_case){.element = type, .bins = 3, .count = inputs};
        for (unsigned row = 0; row < inputs; row++) {
            pointers[row] = rows[row];
            for (unsigned lane = 0; lane < LENGTH; lane++) {
                const uint32_t word = finite_word(type, &random);
                sums[lane].x[row] = word;
                if (type == MOEHUB_ELEMENT_FP32)
                    rows[row][lane] = word;
                else
                    ((uint16_t *)rows[row])[lane] = (uint16_t)word;
            }
        }
        uint32_t got[LENGTH];
        golden_sum(type, pointers, inputs, LENGTH, got);
        for (unsigned lane = 0; lane < LENGTH; lane++) {
            const uint32_t word = type == MOEHUB_ELEMENT_FP32 ? got[lane] : ((const uint16_t *)got)[lane];
            assert_int_equal(word, oracle_sum(&sums[lane], window_bottom(&sums[lane])));
        }
    }
}

/* ---- deliberate errors ---------------------------------------------------------------------------- */

static void every_deliberate_error_is_seen(void **state)
{
    (void)state;
    struct moehub_layer layer;
    layer_create(&layer, 4, 20, 200, MOEHUB_ELEMENT_BF16);
    for (unsigned fault = MOEHUB_GOLDEN_FAULT_ADDRESS; fault <= MOEHUB_GOLDEN_FAULT_PORT; fault++)
        for (unsigned payloads = 0; payloads < 2; payloads++) {
            struct moehub_golden_options options = moehub_golden_options_default();
            struct moehub_golden_report report;
            struct moehub_message message = {""};
            options.fault = (enum moehub_golden_fault)fault;
            options.payloads = payloads;
            const bool needs_payloads = fault == MOEHUB_GOLDEN_FAULT_PAYLOAD || fault == MOEHUB_GOLDEN_FAULT_PARTIAL;
            const int error = moehub_golden_run(&layer, &options, &report, &message);
            if (needs_payloads && !payloads) {
                assert_int_equal(error, MOEHUB_E_ARGUMENT);
                continue;
            }
            assert_int_equal(error, 0);
            assert_true(report.failures > 0);
            assert_true(report.failure[0] != '\0');
        }
    moehub_layer_destroy(&layer);
}

static void limits_are_refused_with_a_sentence(void **state)
{
    (void)state;
    struct moehub_layer layer;
    struct moehub_golden_report report;
    struct moehub_message message = {""};
    struct moehub_golden_options options = moehub_golden_options_default();
    layer_create(&layer, 65, 2, 10, MOEHUB_ELEMENT_BF16);
    options.fault = MOEHUB_GOLDEN_FAULT_PORT;
    assert_int_equal(moehub_golden_run(&layer, &options, &report, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "65 GPUs run without the switch"));
    moehub_layer_destroy(&layer);
    options = moehub_golden_options_default();
    layer_create(&layer, 2, 2, 10, MOEHUB_ELEMENT_BF16);
    options.ways = 3;
    assert_int_equal(moehub_golden_run(&layer, &options, &report, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "3 ways"));
    options = moehub_golden_options_default();
    options.packet_bytes = 24;
    assert_int_equal(moehub_golden_run(&layer, &options, &report, &message), MOEHUB_E_ARGUMENT);
    options = moehub_golden_options_default();
    options.inflight = 0;
    assert_int_equal(moehub_golden_run(&layer, &options, &report, &message), MOEHUB_E_ARGUMENT);
    moehub_layer_destroy(&layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_and_shape_passes),       cmocka_unit_test(payloads_change_no_counter),
        cmocka_unit_test(counters_equal_the_oracles_caches), cmocka_unit_test(expected_sums_equal_gmp),
        cmocka_unit_test(every_deliberate_error_is_seen),    cmocka_unit_test(limits_are_refused_with_a_sentence),
        cmocka_unit_test(many_gpus_run_without_the_switch),
    };
    return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
