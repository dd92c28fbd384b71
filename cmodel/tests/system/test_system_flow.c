/* SPDX-License-Identifier: Apache-2.0 */
/* Tile flows: fair shares, conservation, bounds, readiness, determinism, classes against single GPUs, and every checker with a
 * fault that it must find. */
#include "common/system_support.h"
#include "moehub/system_bounds.h"
#include "moehub/system_flow.h"
#include "moehub/system_gemm.h"
#include "moehub/system_rates.h"
#include "moehub/system_share.h"
#include "moehub/system_time.h"
#include "system/system_flow_state.h"

#include <math.h>

#define NEAR(value, expected, error) assert_true(fabs((value) - (expected)) <= (error))

/* A layer that is quick to run. */
static const struct moehub_system_work small = {"small", 64, 8, 2048, 512, 1024, 2, 1};

static void plan_small(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                       enum moehub_system_scheme scheme)
{
    struct moehub_message message = {""};
    assert_int_equal(moehub_system_plan_make(plan, constants, &small, scheme, &moehub_system_forward, &message), 0);
}

/* Link 0 is shared by flows 0 and 1, link 1 by 1 and 2; flow 2 takes what flow 1 cannot. */
static void shares_are_max_min_fair(void **state)
{
    (void)state;
    static struct moehub_system_share share = {.flows = 3, .links = 2, .capacity = {1, 3}, .active = {true, true, true}};
    share.use[0][0] = share.use[1][0] = share.use[1][1] = share.use[2][1] = 1;
    moehub_system_share_solve(&share);
    NEAR(share.rate[0], 0.5, 1e-12);
    NEAR(share.rate[1], 0.5, 1e-12);
    NEAR(share.rate[2], 2.5, 1e-12);
    share.active[0] = false;
    moehub_system_share_solve(&share);
    assert_true(share.rate[0] == 0);
    NEAR(share.rate[1], 1, 1e-12);
    NEAR(share.rate[2], 2, 1e-12);
}

static void loads_add_up(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h200-nvl32", "measured");
    static const unsigned classes[] = {2, 4, 7, 32, 64};
    for (int i = 0; i < 5; i++) {
        struct moehub_system_load loads;
        moehub_system_load_make(&loads, &constants, &small, classes[i]);
        double rows = 0;
        unsigned gpus = 0;
        for (unsigned j = 0; j < loads.count; j++) {
            rows += loads.classes[j].rows * loads.classes[j].gpus;
            gpus += loads.classes[j].gpus;
        }
        assert_int_equal(gpus, 32);
        assert_int_equal(loads.classes[0].gpus, 1);
        NEAR(rows, 32.0 * small.tokens * small.topk, 1e-3 * rows);
        NEAR(loads.copies, moehub_system_copies(64, 32, 8), 1e-3);
    }
}

/* 60 experts on 8 GPUs: four GPUs have 8, four have 7. */
static void experts_need_not_divide(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h800-8", "measured");
    size_t count;
    const struct moehub_system_work *work = &moehub_system_hub_cases(&count)[5];
    struct moehub_system_load loads;
    moehub_system_load_make(&loads, &constants, work, 8);
    unsigned experts = 0;
    for (unsigned i = 0; i < loads.count; i++)
        experts += loads.classes[i].experts * loads.classes[i].gpus;
    assert_int_equal(experts, 60);
    assert_int_equal(loads.classes[0].experts, 8);
    assert_int_equal(loads.classes[7].experts, 7);
}

/* Each scheme's run passes its checks; no scheme beats the same bytes on links without loss and all SMs at work. */
static void every_scheme_conserves_and_keeps_bounds(void **state)
{
    (void)state;
    static const char *const sets[] = {"measured", "paper"};
    unsigned ran = 0;
    for (int set = 0; set < 2; set++)
        for (int i = 0; i < MOEHUB_SYSTEM_SCHEME_COUNT; i++)
            for (int backward = 0; backward < 2; backward++) {
                struct moehub_system_constants constants;
                struct moehub_system_plan plan;
                struct moehub_system_flow_result result;
                struct moehub_message message = {""};
                if (!moehub_system_plan_exists((enum moehub_system_scheme)i))
                    continue;
                load_system(&constants, "h200-nvl32", sets[set]);
                assert_int_equal(moehub_system_plan_make(&plan, &constants, &small, (enum moehub_system_scheme)i,
                                                         backward ? &moehub_system_backward : &moehub_system_forward,
                                                         &message), 0);
                assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
                assert_int_equal(moehub_system_flow_check(&plan, &result, &message), 0);
                assert_true(result.dispatch_end <= result.first_end && result.first_end <= result.compute_end);
                assert_true(result.compute_end < result.seconds && result.combine_begin < result.seconds);
                ran++;
            }
    assert_true(ran > 40);
}

/* What the checker must find: bytes lost, bytes of another class, a layer faster than its link, SM time lost. */
static void the_checker_finds_faults(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    load_system(&constants, "h200-nvl32", "measured");
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DYSHARP);
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
    for (int fault = 0; fault < 6; fault++) {
        struct moehub_system_flow_result wrong = result;
        struct moehub_message message = {""};
        switch (fault) {
        case 0:
            wrong.bytes[0].down[MOEHUB_SYSTEM_DISPATCH] *= 0.9999;
            break;
        case 1:
            wrong.bytes[plan.load.count - 1].up[MOEHUB_SYSTEM_COMBINE] *= 1.0001;
            break;
        case 2:
            wrong.bytes[1].up[MOEHUB_SYSTEM_REQUESTS] = 0;
            break;
        case 3:
            wrong.bytes[1].down[MOEHUB_SYSTEM_REQUESTS] *= 2;
            break;
        case 4:
            wrong.seconds *= 0.5;
            break;
        default:
            wrong.busy[0] *= 0.5;
            break;
        }
        assert_int_equal(moehub_system_flow_check(&plan, &wrong, &message), MOEHUB_E_STATE);
        assert_true(message.text[0] != '\0');
    }
}

/* A plan whose rates are wrong moves the wrong bytes: the checker compares with the plan that was meant. */
static void a_wrong_run_is_found(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    load_system(&constants, "h200-nvl32", "measured");
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DYSHARP);
    for (int fault = 0; fault < 4; fault++) {
        struct moehub_system_plan wrong = plan;
        struct moehub_system_flow_result result;
        struct moehub_message message = {""};
        if (fault == 0)
            wrong.dispatch_rows[1] *= 0.99;
        else if (fault == 1)
            wrong.combine_down = 1;
        else if (fault == 2)
            wrong.request_seconds = 0;
        else
            wrong.cuts[0][MOEHUB_SYSTEM_GEMM_2].columns--;
        assert_int_equal(moehub_system_flow_run(&wrong, NULL, &result), 0);
        assert_int_equal(moehub_system_flow_check(&plan, &result, &message), MOEHUB_E_STATE);
    }
}

static void same_input_same_result(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    static struct moehub_system_flow_result first;
    static struct moehub_system_flow_result second;
    load_system(&constants, "h200-nvl32", "measured");
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DYSHARP);
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &first), 0);
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &second), 0);
    assert_memory_equal(&first, &second, sizeof first);
}

static void compare_classes(const struct moehub_system_work *work, enum moehub_system_scheme scheme, double tolerance)
{
    struct moehub_system_constants constants;
    struct moehub_message message = {""};
    struct moehub_system_plan_options each = moehub_system_forward;
    each.classes = 32;
    load_system(&constants, "h200-nvl32", "measured");
    const double few = moehub_system_time(&constants, work, scheme, &moehub_system_forward, &message);
    const double all = moehub_system_time(&constants, work, scheme, &each, &message);
    print_message("%s, %s: %.2f us by classes, %.2f by GPUs\n", work->name, moehub_system_scheme_name(scheme), 1e6 * few,
                  1e6 * all);
    assert_true(few > 0 && all > 0);
    NEAR(few, all, tolerance * all);
}

/* Four classes stand for 32 single GPUs: within 1 % where copies go one by one; within 6 % where a token's result waits for all
 * its GPUs, each of which ends its tiles at other rows, and few classes find sizes of SM groups that suit them. */
static void classes_stand_for_gpus(void **state)
{
    (void)state;
    static const enum moehub_system_scheme schemes[] = {MOEHUB_SYSTEM_SCHEME_DEEPEP, MOEHUB_SYSTEM_SCHEME_COMET_TILES,
                                                        MOEHUB_SYSTEM_SCHEME_MEGAMOE, MOEHUB_SYSTEM_SCHEME_DYSHARP};
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    for (int i = 0; i < 4; i++) {
        const double tolerance = schemes[i] == MOEHUB_SYSTEM_SCHEME_DYSHARP ? 0.06 : 0.01;
        compare_classes(&works[0], schemes[i], tolerance);
        compare_classes(&small, schemes[i], tolerance);
    }
}

/* Nothing hidden: start, dispatch, both GEMMs, combine, one after the other, by formulas that know no tiles. */
static void serial_layers_are_sums(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    struct moehub_message message = {""};
    const struct moehub_system_plan_options *forward = &moehub_system_forward;
    load_system(&constants, "h200-nvl32", "measured");
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DEEPEP);
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
    const double wire = moehub_system_wire_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_DEEPEP, forward, &message);
    const double compute = moehub_system_compute_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_DEEPEP, forward);
    const double sum = plan.start + wire + compute + plan.combine_start + plan.end;
    NEAR(result.seconds, sum, 0.03 * sum);
}

/* Tiles never start before their rows: with a link a thousand times slower, the layer is the link's time and little more. */
static void slow_links_rule(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    struct moehub_message message = {""};
    const struct moehub_system_plan_options *forward = &moehub_system_forward;
    load_system(&constants, "h200-nvl32", "measured");
    constants.entries[MOEHUB_SYSTEM_link_rate].value /= 100;
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DYSHARP);
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
    const double wire = moehub_system_wire_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_DYSHARP, forward, &message);
    assert_true(result.seconds > wire && result.seconds < 1.1 * wire);
}

/* Where SMs are slow, dispatch takes what its group needs for it, to the digit; more SMs than there are break the bounds. */
static void slow_groups_of_sms_rule(void **state)
{
    (void)state;
    static const enum moehub_system_scheme schemes[] = {MOEHUB_SYSTEM_SCHEME_DYSHARP, MOEHUB_SYSTEM_SCHEME_FUSION};
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    struct moehub_message message = {""};
    load_system(&constants, "h200-nvl32", "measured");
    constants.entries[MOEHUB_SYSTEM_sm_rate].value /= 1000;
    struct moehub_system_plan_options options = moehub_system_forward;
    options.dispatch_sms = options.combine_sms = 4;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(moehub_system_plan_make(&plan, &constants, &small, schemes[i], &options, &message), 0);
        assert_int_equal(plan.dispatch_sms, 4);
        assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
        const double seconds = moehub_system_plan_mean(&plan, plan.dispatch_rows) * plan.dispatch_sm_seconds / plan.dispatch_sms;
        NEAR(result.dispatch_end - plan.start, seconds, 1e-9 * seconds);
        const int error = moehub_system_flow_check(&plan, &result, &message);
        if (error != 0)
            fail_msg("%s", message.text);
        struct moehub_system_plan wrong = plan;
        wrong.combine_sms *= 10;
        wrong.dispatch_sms *= 10;
        assert_int_equal(moehub_system_flow_run(&wrong, NULL, &result), 0);
        assert_int_equal(moehub_system_flow_check(&plan, &result, &message), MOEHUB_E_STATE);
    }
}

/* Rows of a token go once, whatever its copies; as many SMs as fill the links slow nothing, and schemes without groups have
 * none. */
static void groups_of_sms_fill_the_links(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result, unlimited;
    load_system(&constants, "h200-nvl32", "measured");
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_FUSION);
    const unsigned unicast = plan.dispatch_sms;
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DYSHARP);
    assert_in_range(plan.dispatch_sms, unicast / plan.load.copies, unicast / plan.load.copies + 1);
    assert_int_equal(plan.sms[0] + plan.sms[1] + plan.dispatch_sms + plan.combine_sms, 132);
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
    plan.dispatch_sms = plan.combine_sms = 0;
    assert_int_equal(moehub_system_flow_run(&plan, NULL, &unlimited), 0);
    NEAR(result.seconds, unlimited.seconds, 1e-9 * result.seconds);
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_MEGAMOE);
    assert_int_equal(plan.dispatch_sms + plan.combine_sms, 0);
    assert_int_equal(plan.sms[0], 132 - 24);
}

/* Fewer or later permissions never help: by tiles against by GPU, one pool of SMs for both kernels apart or not. */
static void readiness_by_tile_is_not_slower(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_message message = {""};
    load_system(&constants, "h200-nvl32", "measured");
    const struct moehub_system_plan_options *forward = &moehub_system_forward;
    const double base = moehub_system_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_HUB_BASE, forward, &message);
    const double packets = moehub_system_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_HUB_PACKETS, forward, &message);
    const double ready = moehub_system_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_HUB_READY, forward, &message);
    const double both = moehub_system_time(&constants, &small, MOEHUB_SYSTEM_SCHEME_HUB, forward, &message);
    assert_true(both <= packets && both <= ready && packets <= base && ready <= base);
}

/* Rows come for 10 s and leave for 5 s, and each takes a quarter of the memory's rate while it moves. */
static void rows_take_their_part_of_the_memory(void **state)
{
    (void)state;
    static struct moehub_system_plan plan = {.dispatch_rows = {100}, .combine_rows = {130}};
    static struct system_flow flow = {.plan = &plan};
    struct system_gpu *gpu = &flow.gpus[0];
    static const double alone[] = {0, 2, 2.5, 4, 6.25, 10}, beside[] = {0, 4, 5, 7, 10, 13.75};
    gpu->dispatch_rate = 10;
    gpu->combine_rate = 20;
    gpu->sent = 30;
    gpu->dispatch_memory = gpu->combine_memory = 0.25;
    for (int i = 0; i < 6; i++)
        NEAR(system_flow_links_memory(&flow, 0, alone[i]), beside[i], 1e-12);
    gpu->dispatch_memory = gpu->combine_memory = 0.6;  /* no more than half */
    NEAR(system_flow_links_memory(&flow, 0, 4), 8, 1e-12);
    NEAR(system_flow_links_memory(&flow, 0, 10), 15, 1e-12);
    gpu->dispatch_rate = gpu->combine_rate = 0;
    NEAR(system_flow_links_memory(&flow, 0, 10), 10, 1e-12);
}

/* The memory's shares of a plan's rows, as many times as they are. */
static double run_with_memory(const struct moehub_system_plan *plan, double times)
{
    struct moehub_system_plan changed = *plan;
    struct moehub_system_flow_result result;
    changed.sent *= times;
    changed.returned *= times;
    for (unsigned i = 0; i < changed.load.count; i++) {
        changed.written[i] *= times;
        changed.summed[i] *= times;
    }
    assert_int_equal(moehub_system_flow_run(&changed, NULL, &result), 0);
    return result.seconds;
}

/* Rows beside GEMMs slow them, to half at most; where kernels are apart nothing moves beside them. */
static void a_shared_memory_is_noticed_by_who_shares_it(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan;
    struct moehub_message message = {""};
    static const struct moehub_system_work few = {"few tokens", 64, 8, 64, 4096, 2048, 2, 1};
    load_system(&constants, "h200-nvl32", "paper");
    assert_int_equal(moehub_system_plan_make(&plan, &constants, &few, MOEHUB_SYSTEM_SCHEME_DYSHARP, &moehub_system_forward,
                                             &message), 0);
    const double alone = run_with_memory(&plan, 0), shared = run_with_memory(&plan, 1000);
    assert_true(shared > 1.05 * alone && shared < 2 * alone);
    plan_small(&plan, &constants, MOEHUB_SYSTEM_SCHEME_DEEPEP);
    assert_true(run_with_memory(&plan, 1000) == run_with_memory(&plan, 0));
}

/* Of all sizes of the groups none that was tried by hand is faster than what the search keeps by 1 %. */
static void sizes_of_groups_are_searched(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_plan plan, best;
    struct moehub_system_flow_result result;
    struct moehub_message message = {""};
    struct moehub_system_plan_options options = moehub_system_forward;
    load_system(&constants, "h200-nvl32", "paper");
    assert_int_equal(moehub_system_flow_best(&constants, &small, MOEHUB_SYSTEM_SCHEME_DYSHARP, &options, &best, &result,
                                             &message), 0);
    const double seconds = result.seconds;
    options.group = best.group;
    options.dispatch_sms = best.dispatch_sms;
    options.combine_sms = best.combine_sms;
    const unsigned sms = 132 - best.dispatch_sms - best.combine_sms;
    for (options.first_sms = 4; options.first_sms < sms; options.first_sms += 4) {
        assert_int_equal(moehub_system_plan_make(&plan, &constants, &small, MOEHUB_SYSTEM_SCHEME_DYSHARP, &options, &message), 0);
        assert_int_equal(plan.sms[0], options.first_sms);
        assert_int_equal(plan.sms[0] + plan.sms[1], sms);
        assert_int_equal(moehub_system_flow_run(&plan, NULL, &result), 0);
        assert_true(seconds <= 1.01 * result.seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_max_min_fair),
        cmocka_unit_test(loads_add_up),
        cmocka_unit_test(experts_need_not_divide),
        cmocka_unit_test(every_scheme_conserves_and_keeps_bounds),
        cmocka_unit_test(the_checker_finds_faults),
        cmocka_unit_test(a_wrong_run_is_found),
        cmocka_unit_test(same_input_same_result),
        cmocka_unit_test(classes_stand_for_gpus),
        cmocka_unit_test(serial_layers_are_sums),
        cmocka_unit_test(slow_links_rule),
        cmocka_unit_test(slow_groups_of_sms_rule),
        cmocka_unit_test(groups_of_sms_fill_the_links),
        cmocka_unit_test(readiness_by_tile_is_not_slower),
        cmocka_unit_test(rows_take_their_part_of_the_memory),
        cmocka_unit_test(a_shared_memory_is_noticed_by_who_shares_it),
        cmocka_unit_test(sizes_of_groups_are_searched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
