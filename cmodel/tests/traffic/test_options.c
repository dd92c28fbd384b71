/* SPDX-License-Identifier: Apache-2.0 */
/* A layer's options filled in by hand: what the check fills in, and what it refuses before any row is drawn. */
#include "common/support.h"

#include "moehub/defines.h"
#include "moehub/options.h"

static struct moehub_options fresh(void)
{
    struct moehub_options options;
    moehub_options_init(&options);
    return options;
}

static void defaults_are_a_synthetic_deepseek_layer(void **state)
{
    (void)state;
    struct moehub_options options = fresh();
    assert_int_equal(moehub_options_check(&options, NULL), 0);
    assert_string_equal(options.model, "deepseek-v3");
    assert_int_equal(options.layer.experts, 256);
    assert_int_equal(options.layer.topk, 8);
    assert_int_equal(options.layer.hidden, 7168);
    assert_int_equal(options.layer.tokens, 4096);
    assert_int_equal(options.layer.gpus, 8);
}

static void what_is_given_stays(void **state)
{
    (void)state;
    struct moehub_options options = fresh();
    options.model = "mixtral-8x7b";
    options.routing = "normal:0.25";
    options.layer.topk = 3;
    options.layer.tokens = 5;
    assert_int_equal(moehub_options_check(&options, NULL), 0);
    assert_int_equal(options.layer.topk, 3);
    assert_int_equal(options.layer.experts, 8);
    assert_int_equal(options.layer.tokens, 5);
    assert_int_equal(options.layer.routing.kind, MOEHUB_ROUTING_NORMAL);
    assert_true(options.layer.routing.parameter > 0.249 && options.layer.routing.parameter < 0.251);
}

/* A second check finds nothing to change: a program may change an option and check again. */
static void a_check_repeats_itself(void **state)
{
    (void)state;
    struct moehub_options options = fresh();
    options.routing = "group";
    assert_int_equal(moehub_options_check(&options, NULL), 0);
    assert_int_equal(options.layer.routing.groups, 8);
    struct moehub_options again = options;
    assert_int_equal(moehub_options_check(&again, NULL), 0);
    assert_memory_equal(&again, &options, sizeof again);
}

static void set_unknown_model(struct moehub_options *options) { options->model = "gpt-9"; }
static void set_bad_routing(struct moehub_options *options) { options->routing = "best"; }
static void set_cut(struct moehub_options *options) { options->cut_given = true; }
static void set_warmup(struct moehub_options *options) { options->layer.keep_warmup = true; }
static void set_layer(struct moehub_options *options) { options->layer.trace_layer = 3; }
static void set_groups(struct moehub_options *options) { options->layer.routing.groups = 2; }
static void set_experts(struct moehub_options *options) { options->layer.experts = 8; }
static void set_hidden(struct moehub_options *options) { options->layer.hidden = 8; }
static void set_topk(struct moehub_options *options) { options->layer.topk = 300; }
static void set_gpus(struct moehub_options *options) { options->layer.gpus = 0; }
static void set_more_gpus(struct moehub_options *options) { options->layer.gpus = 1025; }
static void set_tokens(struct moehub_options *options) { options->layer.tokens = UINT64_C(1) << 29; }
static void set_element(struct moehub_options *options) { options->layer.element = 9; }
static void set_placement(struct moehub_options *options) { options->layer.placement = "/nowhere"; }
static void set_trace(struct moehub_options *options) { options->routing = "trace:/nowhere"; }
static void set_trace_alone(struct moehub_options *options) { options->routing = "trace:/dev/null"; }
static void set_trace_topk(struct moehub_options *options)
{
    options->routing = "trace:/dev/null";
    options->layer.hidden = 8;
    options->layer.topk = 65;
}
static void set_wide_rows(struct moehub_options *options)
{
    options->layer.element = MOEHUB_ELEMENT_BYTES;  /* bf16 comes back: 65,538 bytes */
    options->layer.hidden = 32769;
    options->layer.experts = options->layer.topk = 1;
}
static void set_uneven_groups(struct moehub_options *options)
{
    options->routing = "group";
    options->layer.routing.groups = 7;
}

static void set_unknown_cut(struct moehub_options *options)
{
    options->routing = "trace:/dev/null";
    options->layer.hidden = 8;
    options->layer.cut = (enum moehub_cut)2;
}

static const struct {
    void (*set)(struct moehub_options *options);
    int error;
    const char *words;
} refusals[] = {
    {set_unknown_model, MOEHUB_E_ARGUMENT, "--model gpt-9: unknown; legal are deepseek-v3"},
    {set_bad_routing, MOEHUB_E_ARGUMENT, "--routing: unknown routing 'best'"},
    {set_cut, MOEHUB_E_ARGUMENT, "need --routing trace:FILE"},
    {set_warmup, MOEHUB_E_ARGUMENT, "need --routing trace:FILE"},
    {set_layer, MOEHUB_E_ARGUMENT, "need --routing trace:FILE"},
    {set_groups, MOEHUB_E_ARGUMENT, "need --routing group"},
    {set_experts, MOEHUB_E_ARGUMENT, "--hidden is missing"},
    {set_hidden, MOEHUB_E_ARGUMENT, "--experts is missing"},
    {set_topk, MOEHUB_E_ARGUMENT, "top-k: 300; legal are 1..64"},
    {set_gpus, MOEHUB_E_ARGUMENT, "GPUs: 0; legal are 1..1024"},
    {set_more_gpus, MOEHUB_E_ARGUMENT, "GPUs: 1025; legal are 1..1024"},
    {set_tokens, MOEHUB_E_ARGUMENT, "tokens per GPU: 536870912; legal are 1..536870911"},
    {set_element, MOEHUB_E_ARGUMENT, "unknown element type 9"},
    {set_placement, MOEHUB_E_FILE, "--placement: /nowhere: No such file"},
    {set_trace, MOEHUB_E_FILE, "--routing: /nowhere: No such file"},
    {set_trace_alone, MOEHUB_E_ARGUMENT, "--hidden is missing: give it, or --model; a trace does not say it"},
    {set_trace_topk, MOEHUB_E_ARGUMENT, "top-k: 65; legal are 1..64"},
    {set_wide_rows, MOEHUB_E_ARGUMENT, "hidden: 32769; legal are 1..32768 for fp8"},
    {set_unknown_cut, MOEHUB_E_ARGUMENT, "unknown cut 2"},
    {set_uneven_groups, MOEHUB_E_ARGUMENT, "7 groups do not divide 256 experts"},
};

static void a_refusal_names_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct moehub_options options = fresh();
        struct moehub_message message = {""};
        refusals[i].set(&options);
        const int error = moehub_options_check(&options, &message);
        if (error != refusals[i].error || strstr(message.text, refusals[i].words) == NULL)
            fail_msg("refusal %zu: error %d, '%s'; expected %d, '%s'", i, error, message.text, refusals[i].error,
                     refusals[i].words);
    }
}

/* Whatever passes the check is drawn; what is refused is refused again by the layer, should a program not ask first. */
static void the_layer_agrees_with_the_check(void **state)
{
    (void)state;
    for (unsigned tried = 0; tried < 2000; tried++) {
        struct moehub_options options = fresh();
        options.routing = tried % 3 == 0 ? "group" : "uniform";
        options.layer.experts = tried * 7 % 40;
        options.layer.topk = tried * 5 % 13;
        options.layer.hidden = 1 + tried % 100 * 700;
        options.layer.tokens = 1 + tried % 4;
        options.layer.gpus = tried % 9;
        options.layer.element = tried % 5;
        if (tried % 3 == 0)
            options.layer.routing.groups = options.layer.routing.groups_kept = 1 + tried % 4;
        struct moehub_layer layer;
        const int error = moehub_options_check(&options, NULL);
        assert_int_equal(moehub_layer_create(&layer, &options.layer, NULL) != 0, error != 0);
        moehub_layer_destroy(&layer);
    }
}

/* What a layer needs is known before it is drawn, and drawing it changes nothing. */
static void needs_are_known_before_a_row_is_drawn(void **state)
{
    (void)state;
    struct moehub_options options = fresh();
    options.layer.gpus = 64;
    options.layer.tokens = 1048576;
    assert_int_equal(moehub_options_check(&options, NULL), 0);
    struct moehub_layer_needs needs = moehub_layer_options_needs(&options.layer);
    assert_int_equal(needs.gpus, 64);
    assert_int_equal(needs.row_index_width, 26);
    assert_int_equal(needs.offset_width, 14);
    for (unsigned gpus = 1; gpus < 20; gpus++) {
        options = fresh();
        options.layer.gpus = gpus;
        options.layer.tokens = 1 + gpus * 3 % 8;
        options.layer.element = gpus % 4;
        options.layer.hidden = gpus * 400;
        options.layer.experts = options.layer.topk = 1;
        assert_int_equal(moehub_options_check(&options, NULL), 0);
        needs = moehub_layer_options_needs(&options.layer);
        struct moehub_layer layer;
        assert_int_equal(moehub_layer_create(&layer, &options.layer, NULL), 0);
        const struct moehub_layer_needs drawn = moehub_layer_needs(&layer);
        assert_memory_equal(&needs, &drawn, sizeof needs);
        assert_true(layer.row_limit <= UINT32_C(1) << drawn.row_index_width);
        assert_true(drawn.row_index_width == 0 || layer.row_limit > UINT32_C(1) << (drawn.row_index_width - 1));
        assert_true(moehub_layer_slot_bytes(&layer) <= UINT32_C(1) << drawn.offset_width);
        moehub_layer_destroy(&layer);
    }
}

static void cuts_have_their_names(void **state)
{
    (void)state;
    assert_int_equal(moehub_options_parse_cut("block"), MOEHUB_CUT_BLOCK);
    assert_int_equal(moehub_options_parse_cut("roundrobin"), MOEHUB_CUT_ROUND_ROBIN);
    assert_int_equal(moehub_options_parse_cut("blocks"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_a_synthetic_deepseek_layer),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(a_check_repeats_itself),
        cmocka_unit_test(a_refusal_names_what_is_wrong),
        cmocka_unit_test(the_layer_agrees_with_the_check),
        cmocka_unit_test(needs_are_known_before_a_row_is_drawn),
        cmocka_unit_test(cuts_have_their_names),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
