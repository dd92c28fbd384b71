/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub golden` as its users run it: keys, values, statuses and messages. MOEHUB_PROGRAM names the program. */
#include "common/support.h"

#include <jansson.h>
#include <sys/wait.h>

static char output[65536];

/* Runs the program; returns its status, its output (both streams) in `output`. */
static int run(const char *arguments)
{
    const char *program = getenv("MOEHUB_PROGRAM");
    char command[1024];
    snprintf(command, sizeof command, "%s golden %s 2>&1", program != NULL ? program : "build/bin/moehub", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int64_t number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void json_has_the_promised_keys_and_values(void **state)
{
    (void)state;
    assert_int_equal(run("--model olmoe-1b-7b --gpus 4 --tokens 32 --seed 9 --type fp8 --payloads on --json"), 0);
    json_t *object = json_loads(output, 0, NULL);
    assert_non_null(object);
    static const char *const keys[] = {"model", "gpus", "tokens", "topk", "experts", "routing", "seed", "al_tlb",
                                       "allocations", "errors", "reductions", "hit_rate", "sets", "ways", "replacement",
                                       "ports", "entries", "inflight", "packet_bytes"};
    for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
        assert_non_null(json_object_get(object, keys[i]));
    const json_t *cache = json_object_get(object, "al_tlb");
    const json_t *reductions = json_object_get(object, "reductions");
    /* 16 packets of 2048 bytes of fp8, 32 of the bf16 sum; 4 * 32 rows to 8 experts each. */
    assert_int_equal(number(cache, "lookups"), 4 * 32 * 8 * (16 + 32));
    assert_int_equal(number(cache, "hits") + number(cache, "misses"), number(cache, "lookups"));
    assert_int_equal(number(cache, "table_writes"), 4 * 32 * 8);
    assert_true(number(cache, "table_reads") >= number(cache, "table_writes"));
    assert_true(number(cache, "evictions") <= number(cache, "misses"));
    assert_int_equal(number(object, "allocations"), 4 * 32 * 8);
    assert_int_equal(number(reductions, "requests"), number(reductions, "results"));
    assert_true(number(reductions, "partials") > number(reductions, "requests"));
    const double hits = (double)number(cache, "hits") / (double)number(cache, "lookups");
    assert_true(json_number_value(json_object_get(object, "hit_rate")) > hits - 1e-9);
    assert_true(json_number_value(json_object_get(object, "hit_rate")) < hits + 1e-9);
    const json_t *errors = json_object_get(object, "errors");
    assert_int_equal(json_object_size(errors), 11);
    assert_int_equal(number(errors, "unmapped"), 0);
    assert_int_equal(number(object, "failures"), 0);
    json_decref(object);
}

static void the_same_seed_gives_the_same_counts(void **state)
{
    (void)state;
    static const char *const keys[] = {"al_tlb", "reductions", "allocations", "errors"};
    json_t *objects[3];
    static const char *const arguments[] = {"--gpus 3 --tokens 20 --hidden 640 --seed 4 --inflight 40 --payloads off --json",
                                            "--gpus 3 --tokens 20 --hidden 640 --seed 4 --inflight 40 --payloads on --json",
                                            "--gpus 3 --tokens 20 --hidden 640 --seed 5 --inflight 40 --payloads off --json"};
    for (unsigned i = 0; i < 3; i++) {
        char line[256];
        snprintf(line, sizeof line, "--model deepseek-v3 %s", arguments[i]);
        assert_int_equal(run(line), 0);
        objects[i] = json_loads(output, 0, NULL);
        assert_non_null(objects[i]);
    }
    for (unsigned i = 0; i < 4; i++)
        assert_true(json_equal(json_object_get(objects[0], keys[i]), json_object_get(objects[1], keys[i])));
    assert_false(json_equal(json_object_get(objects[0], "reductions"), json_object_get(objects[2], "reductions")));
    for (unsigned i = 0; i < 3; i++)
        json_decref(objects[i]);
}

/* More GPUs than a switch has ports: everything but the switch runs, and the output says so. */
static void many_gpus_run_without_the_switch(void **state)
{
    (void)state;
    assert_int_equal(run("--model olmoe-1b-7b --gpus 72 --tokens 2 --payloads on --json"), 0);
    json_t *object = json_loads(output, 0, NULL);
    assert_non_null(object);
    assert_true(json_is_false(json_object_get(object, "switch")));
    assert_int_equal(number(json_object_get(object, "al_tlb"), "lookups"), 72 * 2 * 8 * (32 + 32));
    assert_int_equal(number(json_object_get(object, "reductions"), "partials"), 0);
    assert_int_equal(number(object, "failures"), 0);
    json_decref(object);
    assert_int_equal(run("--model olmoe-1b-7b --gpus 1024 --tokens 1 --payloads off"), 0);
    assert_non_null(strstr(output, "this run is without; addresses alone are checked"));
    assert_int_equal(run("--model olmoe-1b-7b --gpus 65 --tokens 1"), 0);
    assert_non_null(strstr(output, "this run is without; partials are checked where they leave"));
    assert_int_equal(run("--model olmoe-1b-7b --gpus 64 --tokens 1"), 0);
    assert_null(strstr(output, "without"));
    static const char *const faults[] = {"address", "payload", "partial"};
    for (unsigned i = 0; i < 3; i++) {
        char line[256];
        snprintf(line, sizeof line, "--model olmoe-1b-7b --gpus 65 --tokens 2 --payloads on --fault %s", faults[i]);
        assert_int_equal(run(line), 1);
        assert_non_null(strstr(output, "FAIL"));
    }
}

/* Where the check of sums reaches its limit, auto does without them instead of refusing to run. */
static void auto_leaves_out_what_cannot_be_checked(void **state)
{
    (void)state;
    assert_int_equal(run("--gpus 4 --tokens 2 --topk 33"), 0);
    assert_non_null(strstr(output, "payloads off"));
    assert_int_equal(run("--gpus 4 --tokens 2 --topk 32"), 0);
    assert_non_null(strstr(output, "payloads on"));
}

static void a_failed_check_ends_with_status_1(void **state)
{
    (void)state;
    static const char *const faults[] = {"address", "payload", "partial", "port"};
    for (unsigned i = 0; i < 4; i++) {
        char line[256];
        snprintf(line, sizeof line, "--model olmoe-1b-7b --gpus 3 --tokens 8 --payloads on --fault %s", faults[i]);
        assert_int_equal(run(line), 1);
        assert_non_null(strstr(output, "FAIL"));
    }
    assert_int_equal(run("--model olmoe-1b-7b --gpus 3 --tokens 8"), 0);
    assert_non_null(strstr(output, "PASS"));
    assert_int_equal(run("--model olmoe-1b-7b --gpus 3 --tokens 8 --at-least 1000000"), 1);
    assert_non_null(strstr(output, "wanted 1000000"));
}

static void wrong_usage_ends_with_status_2(void **state)
{
    (void)state;
    static const struct { const char *arguments; const char *message; } cases[] = {
        {"--sets 96", "--sets 96"},
        {"--sets 8192", "1..4096"},
        {"--ways 3", "--replacement fifo"},
        {"--ways 9", "1..8"},
        {"--replacement lru", "plru, fifo"},
        {"--packet-bytes 100", "multiple of 16"},
        {"--entries 0", "1..4096"},
        {"--payloads maybe", "auto, on, off"},
        {"--fault payload", "--payloads on"},
        {"--inflight 0", "1..65536"},
        {"--ports 65", "1..64"},
        {"--gpus 65 --fault port", "65 GPUs run without the switch"},
        {"--gpus 65 --entries 8", "--entries: 65 GPUs run without the switch"},
        {"--topk 33 --payloads on", "up to 32 experts"},
        {"--gpus 1 --experts 1025 --topk 1 --hidden 8 --tokens 4000000", "a GPU has 1025 experts; its hub takes 1024"},
        {"--gpus 1 --tokens 4 --fault port", "no place"},
        {"--no-such-option", "no-such-option"},
        {"stray", "stray"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run(cases[i].arguments), 2);
        assert_non_null(strstr(output, cases[i].message));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_promised_keys_and_values),
        cmocka_unit_test(the_same_seed_gives_the_same_counts),
        cmocka_unit_test(many_gpus_run_without_the_switch),
        cmocka_unit_test(auto_leaves_out_what_cannot_be_checked),
        cmocka_unit_test(a_failed_check_ends_with_status_1),
        cmocka_unit_test(wrong_usage_ends_with_status_2),
    };
    return cmocka_run_group_tests_name("command_golden", tests, NULL, NULL);
}
