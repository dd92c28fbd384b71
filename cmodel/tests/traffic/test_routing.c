/* SPDX-License-Identifier: Apache-2.0 */
/* Synthetic routers: rows of different experts, with the distributions that routing.h promises. */
#include "moehub/presets.h"
#include "moehub/routing.h"
#include "traffic/routing_draw.h"
#include "common/support.h"

#include <math.h>
#include <stdbool.h>

enum { EXPERTS = 256, TOPK = 8, TOKENS = 20000 };

static uint16_t *draw(const char *text, unsigned experts, unsigned topk, size_t tokens, uint64_t seed)
{
    struct moehub_message message;
    struct moehub_routing routing;
    assert_int_equal(moehub_routing_parse(text, &routing, &message), 0);
    routing.groups = 8;
    routing.groups_kept = 4;
    uint16_t *rows = calloc(tokens * topk, sizeof *rows);
    assert_non_null(rows);
    assert_int_equal(moehub_routing_draw(&routing, experts, topk, tokens, seed, rows, &message), 0);
    return rows;
}

static size_t bad_rows(const uint16_t *rows, unsigned experts, unsigned topk, size_t tokens)
{
    size_t bad = 0;
    for (size_t token = 0; token < tokens; token++) {
        bool seen[4096] = {false};
        bool good = true;
        for (unsigned i = 0; i < topk; i++) {
            const unsigned expert = rows[token * topk + i];
            good = good && expert < experts && !seen[expert];
            if (good)
                seen[expert] = true;
        }
        bad += !good;
    }
    return bad;
}

static const char *const routings[] = {"uniform", "normal:0.032", "normal:1", "zipf:0.5", "zipf:2.5", "zipf:8", "group"};
enum { ROUTINGS = sizeof routings / sizeof routings[0] };

static void rows_hold_different_experts(void **state)
{
    (void)state;
    for (int i = 0; i < ROUTINGS; i++) {
        uint16_t *rows = draw(routings[i], EXPERTS, TOPK, 1000, 3);
        assert_int_equal(bad_rows(rows, EXPERTS, TOPK, 1000), 0);
        rows[5 * TOPK] = rows[5 * TOPK + 1];
        rows[7 * TOPK] = EXPERTS;
        assert_int_equal(bad_rows(rows, EXPERTS, TOPK, 1000), 2);
        free(rows);
    }
}

static void every_preset_can_be_drawn(void **state)
{
    (void)state;
    size_t count = 0;
    const struct moehub_preset *presets = moehub_presets(&count);
    assert_true(count >= 18);
    for (size_t i = 0; i < count; i++) {
        uint16_t *rows = draw("zipf:2", presets[i].experts, presets[i].topk, 200, i);
        assert_int_equal(bad_rows(rows, presets[i].experts, presets[i].topk, 200), 0);
        free(rows);
    }
}

/* top-k of all experts at shares of 1 : 8^-8: rejection alone would take 10^7 draws a row. */
static void all_experts_can_be_drawn_from_uneven_shares(void **state)
{
    (void)state;
    uint16_t *rows = draw("zipf:8", 8, 8, 2000, 1);
    assert_int_equal(bad_rows(rows, 8, 8, 2000), 0);
    free(rows);
}

static void the_seed_decides(void **state)
{
    (void)state;
    for (int i = 0; i < ROUTINGS; i++) {
        const size_t size = 500 * TOPK * sizeof(uint16_t);
        uint16_t *first = draw(routings[i], EXPERTS, TOPK, 500, 42);
        uint16_t *again = draw(routings[i], EXPERTS, TOPK, 500, 42);
        uint16_t *other = draw(routings[i], EXPERTS, TOPK, 500, 43);
        uint16_t *high = draw(routings[i], EXPERTS, TOPK, 500, 42 | UINT64_C(1) << 40);
        assert_memory_equal(first, again, size);
        assert_memory_not_equal(first, other, size);
        assert_memory_not_equal(first, high, size);
        free(first);
        free(again);
        free(other);
        free(high);
    }
}

/* Ordered pairs out of five experts: P(i, j) = s_i * s_j / (1 - s_i), counted against that. */
static double pairs_chance(const double *drawn_from, const double *compared_to, uint64_t seed)
{
    enum { SMALL = 5, PAIRS = SMALL * SMALL };
    static uint16_t rows[200000 * 2];
    const size_t tokens = 200000;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, (unsigned long)seed);
    assert_int_equal(draw_from_shares(random, drawn_from, SMALL, 2, tokens, rows), 0);
    gsl_rng_free(random);
    double counts[PAIRS] = {0};
    double expected[PAIRS] = {0};
    size_t classes = 0;
    double packed[PAIRS] = {0};
    for (size_t token = 0; token < tokens; token++)
        counts[rows[2 * token] * SMALL + rows[2 * token + 1]]++;
    for (int i = 0; i < SMALL; i++)
        for (int j = 0; j < SMALL; j++) {
            if (i == j)
                continue;
            packed[classes] = counts[i * SMALL + j];
            expected[classes++] = (double)tokens * compared_to[i] * compared_to[j] / (1 - compared_to[i]);
        }
    return chi_square_chance(packed, expected, classes);
}

static void shares_are_drawn_without_replacement(void **state)
{
    (void)state;
    const double even[] = {0.2, 0.2, 0.2, 0.2, 0.2};
    const double uneven[] = {0.9, 0.05, 0.03, 0.015, 0.005};
    const double extreme[] = {0.9985, 0.0008, 0.0004, 0.0002, 0.0001}; /* most second draws take the walk */
    const double off[] = {0.205, 0.195, 0.2, 0.2, 0.2};
    assert_true(pairs_chance(even, even, 1) > UNLIKELY);
    assert_true(pairs_chance(uneven, uneven, 2) > UNLIKELY);
    assert_true(pairs_chance(extreme, extreme, 3) > UNLIKELY);
    assert_true(pairs_chance(off, even, 1) < UNLIKELY);
}

/* Loads of the experts, highest first. */
static int descending(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x < y) - (x > y);
}

static void zipf_loads_fall_by_rank(void **state)
{
    (void)state;
    enum { SMALL = 16, MANY = 100000 };
    uint16_t *rows = draw("zipf:1.5", SMALL, 1, MANY, 5);
    double counts[SMALL] = {0};
    double expected[SMALL];
    double flatter[SMALL];
    double total = 0;
    double flatter_total = 0;
    for (int token = 0; token < MANY; token++)
        counts[rows[token]]++;
    qsort(counts, SMALL, sizeof *counts, descending);
    for (int rank = 0; rank < SMALL; rank++) {
        total += expected[rank] = pow(rank + 1, -1.5);
        flatter_total += flatter[rank] = pow(rank + 1, -1.4);
    }
    for (int rank = 0; rank < SMALL; rank++) {
        expected[rank] *= MANY / total;
        flatter[rank] *= MANY / flatter_total;
    }
    assert_true(chi_square_chance(counts, expected, SMALL) > UNLIKELY);
    assert_true(chi_square_chance(counts, flatter, SMALL) < UNLIKELY);
    free(rows);
}

/* Standard deviation of the experts' loads relative to their mean. */
static double relative_deviation(const char *routing, unsigned experts, size_t tokens)
{
    uint16_t *rows = draw(routing, experts, 1, tokens, 9);
    double *loads = calloc(experts, sizeof *loads);
    assert_non_null(loads);
    for (size_t token = 0; token < tokens; token++)
        loads[rows[token]]++;
    const double mean = (double)tokens / experts;
    double sum = 0;
    for (unsigned expert = 0; expert < experts; expert++)
        sum += (loads[expert] - mean) * (loads[expert] - mean);
    free(rows);
    free(loads);
    return sqrt(sum / experts) / mean;
}

static void normal_loads_have_the_deviation_asked_for(void **state)
{
    (void)state;
    enum { SHARES = 4096, MEAN_LOAD = 500 };
    const double asked[] = {0, 0.032, 0.1, 0.3};
    const char *const texts[] = {"normal:0", "normal:0.032", "normal:0.1", "normal:0.3"};
    for (int i = 0; i < 4; i++) {
        const double expected = sqrt(asked[i] * asked[i] + 1.0 / MEAN_LOAD); /* the shares' and the draws' variance */
        const double measured = relative_deviation(texts[i], SHARES, (size_t)SHARES * MEAN_LOAD);
        const double error = 4 * expected / sqrt(2.0 * SHARES);
        assert_true(fabs(measured - expected) < error);
        assert_false(fabs(measured - sqrt(1.5 * asked[i] * asked[i] + 1.5 / MEAN_LOAD)) < error);
    }
}

/* DeepSeek's rule in the plainest way, over the same scores. */
static void choose_plainly(const double *scores, unsigned groups, unsigned kept, unsigned topk, uint16_t *row)
{
    const unsigned size = EXPERTS / groups;
    bool open[EXPERTS] = {false};
    bool group_open[EXPERTS] = {false};
    for (unsigned round = 0; round < kept; round++) {
        unsigned best = 0;
        double best_score = -1;
        for (unsigned group = 0; group < groups; group++) {
            double ordered[EXPERTS];
            memcpy(ordered, scores + group * size, size * sizeof *ordered);
            qsort(ordered, size, sizeof *ordered, descending);
            const double score = size > 1 ? ordered[0] + ordered[1] : ordered[0];
            if (!group_open[group] && score > best_score) {
                best = group;
                best_score = score;
            }
        }
        group_open[best] = true;
        for (unsigned i = 0; i < size; i++)
            open[best * size + i] = true;
    }
    for (unsigned i = 0; i < topk; i++) {
        unsigned best = 0;
        for (unsigned expert = 0; expert < EXPERTS; expert++)
            if (open[expert] && (!open[best] || scores[expert] > scores[best]))
                best = expert;
        open[best] = false;
        row[i] = (uint16_t)best;
    }
}

static size_t group_mismatches(unsigned groups, unsigned kept, unsigned other_kept)
{
    enum { FEW = 500 };
    static uint16_t rows[FEW * TOPK];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, 11);
    assert_int_equal(draw_by_groups(random, EXPERTS, groups, kept, TOPK, FEW, rows), 0);
    gsl_rng_set(random, 11);
    size_t mismatches = 0;
    for (size_t token = 0; token < FEW; token++) {
        double scores[EXPERTS];
        uint16_t row[TOPK];
        for (int expert = 0; expert < EXPERTS; expert++)
            scores[expert] = gsl_rng_uniform(random);
        choose_plainly(scores, groups, other_kept, TOPK, row);
        mismatches += memcmp(row, rows + token * TOPK, sizeof row) != 0;
    }
    gsl_rng_free(random);
    return mismatches;
}

static void groups_limit_the_choice(void **state)
{
    (void)state;
    assert_int_equal(group_mismatches(8, 4, 4), 0);
    assert_int_equal(group_mismatches(1, 1, 1), 0);
    assert_int_equal(group_mismatches(16, 1, 1), 0);
    assert_int_equal(group_mismatches(256, 8, 8), 0);
    assert_int_not_equal(group_mismatches(8, 4, 3), 0);
}

static void parsing_names_what_is_legal(void **state)
{
    (void)state;
    const char *const wrong[] = {"",           "unifor",     "uniform:1", "group:4", "normal",   "normal:",
                                 "normal:-1",  "normal:1.5", "normal:x",  "zipf",    "zipf:nan", "zipf:inf",
                                 "zipf:1e999", "zipf:2 x",   "zipf:9",    "trace:",  "trace"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct moehub_routing routing;
        struct moehub_message message = {""};
        assert_int_equal(moehub_routing_parse(wrong[i], &routing, &message), MOEHUB_E_ARGUMENT);
        assert_true(strstr(message.text, MOEHUB_ROUTING_NAMES) != NULL || strstr(message.text, "must follow") != NULL);
    }
    struct moehub_routing routing;
    assert_int_equal(moehub_routing_parse("trace:a:b", &routing, NULL), 0);
    assert_string_equal(routing.trace, "a:b");
    assert_int_equal(moehub_routing_parse("zipf:1.25", &routing, NULL), 0);
    assert_true(routing.parameter == 1.25);
}

static void drawing_refuses_what_cannot_be(void **state)
{
    (void)state;
    struct moehub_message message;
    uint16_t row[64];
    struct moehub_routing routing = {.kind = MOEHUB_ROUTING_UNIFORM};
    assert_int_equal(moehub_routing_draw(&routing, 8, 9, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_routing_draw(&routing, 8, 0, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_routing_draw(&routing, 4097, 1, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    routing = (struct moehub_routing){.kind = MOEHUB_ROUTING_GROUP, .groups = 7, .groups_kept = 1};
    assert_int_equal(moehub_routing_draw(&routing, 256, 8, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    routing = (struct moehub_routing){.kind = MOEHUB_ROUTING_GROUP, .groups = 8, .groups_kept = 9};
    assert_int_equal(moehub_routing_draw(&routing, 256, 8, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    routing = (struct moehub_routing){.kind = MOEHUB_ROUTING_GROUP, .groups = 64, .groups_kept = 1};
    assert_int_equal(moehub_routing_draw(&routing, 256, 8, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    static const struct moehub_routing out_of_range[] = {
        {.kind = MOEHUB_ROUTING_NORMAL, .parameter = 1.01}, {.kind = MOEHUB_ROUTING_NORMAL, .parameter = -0.01},
        {.kind = MOEHUB_ROUTING_NORMAL, .parameter = NAN},  {.kind = MOEHUB_ROUTING_ZIPF, .parameter = 8.01},
        {.kind = MOEHUB_ROUTING_TRACE},                     {.kind = (enum moehub_routing_kind)5},
    };
    for (size_t i = 0; i < sizeof out_of_range / sizeof out_of_range[0]; i++)
        assert_int_equal(moehub_routing_draw(&out_of_range[i], 8, 2, 1, 1, row, &message), MOEHUB_E_ARGUMENT);
    routing = (struct moehub_routing){.kind = MOEHUB_ROUTING_ZIPF, .parameter = 8};
    assert_int_equal(moehub_routing_draw(&routing, 8, 2, 1, 1, row, &message), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_hold_different_experts),
        cmocka_unit_test(every_preset_can_be_drawn),
        cmocka_unit_test(all_experts_can_be_drawn_from_uneven_shares),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(shares_are_drawn_without_replacement),
        cmocka_unit_test(zipf_loads_fall_by_rank),
        cmocka_unit_test(normal_loads_have_the_deviation_asked_for),
        cmocka_unit_test(groups_limit_the_choice),
        cmocka_unit_test(parsing_names_what_is_legal),
        cmocka_unit_test(drawing_refuses_what_cannot_be),
    };
    return cmocka_run_group_tests_name("routing", tests, NULL, NULL);
}
