/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub traffic` as its users run it: keys, values, statuses and messages. MOEHUB_PROGRAM names the program. */
#include "common/support.h"
#include "moehub/error.h"

#include <jansson.h>
#include <sys/wait.h>

/* Runs the program; returns its status, its output (both streams) in `output`. */
static int run(const char *arguments, char *output, size_t size)
{
    const char *program = getenv("MOEHUB_PROGRAM");
    char command[1024];
    snprintf(command, sizeof command, "%s %s 2>&1", program != NULL ? program : "build/bin/moehub", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = 0;
    size_t got;
    while (length + 1 < size && (got = fread(output + length, 1, size - 1 - length, pipe)) > 0)
        length += got;
    output[length] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static json_t *run_json(const char *arguments)
{
    static char output[65536];
    assert_int_equal(run(arguments, output, sizeof output), 0);
    json_t *object = json_loads(output, 0, NULL);
    assert_non_null(object);
    return object;
}

static unsigned missing_keys(const json_t *object, const char *const *keys, size_t count)
{
    unsigned missing = 0;
    for (size_t i = 0; i < count; i++)
        missing += json_object_get(object, keys[i]) == NULL;
    return missing;
}

static void json_has_the_promised_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"model", "gpus", "tokens", "topk", "experts", "routing", "seed",
                                       "warmup_rows_dropped", "assignments", "fanout_mean", "remote_fanout_mean",
                                       "expert_load_max_over_mean", "link_bytes", "traffic_cut", "nvls_useless"};
    static const char *const schemes[] = {"unicast", "in_switch", "nvls"};
    static const char *const links[] = {"dispatch_up", "dispatch_down", "combine_up", "combine_down"};
    json_t *object = run_json("traffic --model deepseek-v3 --gpus 32 --tokens 128 --routing uniform --seed 7 --type fp8 --json");
    assert_int_equal(missing_keys(object, keys, sizeof keys / sizeof keys[0]), 0);
    json_t *link_bytes = json_object_get(object, "link_bytes");
    assert_int_equal(missing_keys(link_bytes, schemes, 3), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(missing_keys(json_object_get(link_bytes, schemes[i]), links, 4), 0);
    assert_int_equal(json_integer_value(json_object_get(object, "tokens")), 128);
    assert_int_equal(json_integer_value(json_object_get(object, "seed")), 7);
    assert_int_equal(json_integer_value(json_object_get(object, "assignments")), 128 * 32 * 8);
    const json_t *nvls = json_object_get(link_bytes, "nvls");
    assert_int_equal(json_integer_value(json_object_get(nvls, "dispatch_up")), 128 * 32 * 7168);
    assert_int_equal(json_integer_value(json_object_get(nvls, "combine_down")), 128 * 32 * 7168 * 2);
    json_object_del(object, "fanout_mean");
    assert_int_equal(missing_keys(object, keys, sizeof keys / sizeof keys[0]), 1);
    json_decref(object);
}

static void the_seed_decides(void **state)
{
    (void)state;
    const char *const seeds[] = {"traffic --gpus 4 --tokens 100 --routing zipf:1 --json --seed 1",
                                 "traffic --gpus 4 --tokens 100 --routing zipf:1 --json --seed 1",
                                 "traffic --gpus 4 --tokens 100 --routing zipf:1 --json --seed 2"};
    json_t *objects[3];
    for (int i = 0; i < 3; i++) {
        objects[i] = run_json(seeds[i]);
        json_object_del(objects[i], "seed");
    }
    assert_true(json_equal(objects[0], objects[1]));
    assert_false(json_equal(objects[0], objects[2]));
    for (int i = 0; i < 3; i++)
        json_decref(objects[i]);
}

static void every_model_runs(void **state)
{
    (void)state;
    static char list[8192];
    assert_int_equal(run("traffic --model list", list, sizeof list), 0);
    unsigned models = 0;
    for (char *line = strchr(list, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1, models++) {
        char arguments[256];
        char output[4096];
        snprintf(arguments, sizeof arguments, "traffic --model %.*s --gpus 8 --tokens 16", (int)strcspn(line, " "), line);
        assert_int_equal(run(arguments, output, sizeof output), 0);
        assert_non_null(strstr(output, "in-switch"));
    }
    assert_true(models >= 18);
}

static const struct {
    const char *arguments;
    int status;
    const char *words;
} runs[] = {
    {"--help", 0, "Usage: moehub COMMAND"},
    {"--version", 0, "moehub "},
    {"", 2, "Usage: moehub COMMAND"},
    {"nonsense", 2, "unknown command 'nonsense'"},
    {"traffic --help", 0, "--keep-warmup"},
    {"traffic --model gpt-9", 2, "--model gpt-9: unknown; legal are deepseek-v3, kimi-k2"},
    {"traffic --routing best", 2, "unknown routing 'best'; legal are uniform, normal:STD"},
    {"traffic --routing normal:2", 2, "--routing: 'normal:2': a number 0..1 must follow normal:"},
    {"traffic --routing zipf:", 2, "--routing: 'zipf:': a number 0..8 must follow zipf:"},
    {"traffic --gpus 0", 2, "--gpus 0: legal are whole numbers 1..1024"},
    {"traffic --gpus 8x", 2, "--gpus 8x: legal are"},
    {"traffic --tokens -3", 2, "--tokens -3: legal are"},
    {"traffic --seed 99999999999999999999", 2, "--seed 99999999999999999999: legal are"},
    {"traffic --seed 9223372036854775807 --tokens 5", 0, "seed 9223372036854775807"},
    {"traffic --type int4", 2, "--type int4: legal are bf16, fp16, fp32, fp8"},
    {"traffic --cut diagonal", 2, "--cut diagonal: legal are block, roundrobin"},
    {"traffic --cut block", 2, "need --routing trace:FILE"},
    {"traffic --layer 3", 2, "need --routing trace:FILE"},
    {"traffic --groups 3", 2, "need --routing group"},
    {"traffic --model olmoe-1b-7b --routing group", 2, "this model has no groups"},
    {"traffic --routing group --groups 7", 2, "7 groups do not divide 256 experts"},
    {"traffic --experts 8", 2, "--hidden is missing"},
    {"traffic --hidden 8", 2, "--experts is missing"},
    {"traffic --experts 8 --hidden 64", 2, "--topk is missing"},
    {"traffic --experts 8 --topk 9 --hidden 64", 2, "top-k 9 of 8 experts"},
    {"traffic --topk 16 --tokens 5", 0, "deepseek-v3: 256 experts, top-16"},
    {"traffic --model mixtral-8x7b --topk 4 --gpus 3 --tokens 5", 0, "8 experts, top-4, hidden 4096"},
    {"traffic --experts 60 --topk 4 --hidden 2048 --tokens 5", 0, "custom: 60 experts"},
    {"traffic --routing trace:/nowhere --hidden 64", 2, "/nowhere: No such file"},
    {"traffic --placement /nowhere", 2, "/nowhere: No such file"},
    {"traffic --placement=", 2, "--placement: the file's name is missing"},
    {"traffic --gpus 64 --tokens 4294967295", 2, "tokens per GPU: 4294967295; legal are 1..67108863"},
    {"traffic --tokens 5 leftover", 2, "unexpected argument 'leftover'"},
    {"traffic --no-such-option", 2, "unrecognized option"},
    {"traffic --json=1", 2, "--json"},
    {"traffic --help", 0, "--combine-matrix=FILE"},
    {"traffic --tokens 5 --matrix /nowhere/m.cm", 2, "/nowhere/m.cm: cannot be written: No such file"},
    {"traffic --tokens 5 --combine-matrix /tmp", 2, "/tmp: cannot be written: Is a directory"},
    {"traffic --tokens 5 --matrix /dev/full", 2, "/dev/full: cannot be written"},
    {"traffic --tokens 5 --chakra /nowhere/layer", 2, "/nowhere/layer.0.et: cannot be written: No such file"},
    {"traffic --tokens 5 --chakra", 2, "requires an argument"},
};

static void statuses_and_messages_are_as_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char output[16384];
        const int status = run(runs[i].arguments, output, sizeof output);
        if (status != runs[i].status || strstr(output, runs[i].words) == NULL)
            fail_msg("moehub %s: status %d, output '%s'; expected %d and '%s'", runs[i].arguments, status, output,
                     runs[i].status, runs[i].words);
    }
}

/* The matrix that `moehub system` takes, and a trace for each GPU; the table stays as it is. */
static void writes_files_for_other_simulators(void **state)
{
    (void)state;
    static const char *const names[] = {"m.cm", "c.cm", "t.0.et", "t.1.et", "t.2.et"};
    char folder[] = "/tmp/moehub-traffic-XXXXXX";
    char line[512];
    char with[4096];
    char without[4096];
    assert_non_null(mkdtemp(folder));
    snprintf(line, sizeof line, "traffic --gpus 3 --tokens 9 --matrix %s/m.cm --combine-matrix %s/c.cm --chakra %s/t", folder,
             folder, folder);
    assert_int_equal(run(line, with, sizeof with), 0);
    assert_int_equal(run("traffic --gpus 3 --tokens 9", without, sizeof without), 0);
    assert_string_equal(with, without);
    snprintf(line, sizeof line, "system --matrix %s/m.cm", folder);
    assert_int_equal(run(line, with, sizeof with), 0);
    assert_non_null(strstr(with, "m.cm: 3 GPUs"));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(line, sizeof line, "%s/%s", folder, names[i]);
        assert_int_equal(remove(line), 0);
    }
    assert_int_equal(remove(folder), 0);
}

static void bad_files_are_named_with_their_line(void **state)
{
    (void)state;
    char *path = text_path("0,\"1 2\"\n0,\"3 3\"\n");
    char arguments[256];
    char output[4096];
    char words[128];
    snprintf(arguments, sizeof arguments, "traffic --routing trace:%s --experts 8 --hidden 64", path);
    snprintf(words, sizeof words, "moehub traffic: %s:2: expert 3 twice", path);
    assert_int_equal(run(arguments, output, sizeof output), 2);
    assert_non_null(strstr(output, words));
    remove_path(path);
}

static void a_result_that_cannot_be_written_is_a_failure(void **state)
{
    (void)state;
    static const char *const arguments[] = {"--help", "--version", "help", "traffic --help", "traffic --usage",
                                            "traffic --model list", "traffic --tokens 5", "traffic --tokens 5 --json",
                                            "golden --help", "golden --tokens 1 --gpus 2",
                                            "golden --tokens 1 --gpus 2 --json"};
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        char line[256];
        char output[4096];
        snprintf(line, sizeof line, "%s 2>&1 > /dev/full #", arguments[i]);
        assert_int_equal(run(line, output, sizeof output), 1);
        assert_non_null(strstr(output, ": cannot write to standard output\n"));
        snprintf(line, sizeof line, "%s > /dev/null", arguments[i]);
        assert_int_equal(run(line, output, sizeof output), 0);
        assert_string_equal(output, "");
    }
    /* A status that says more stays. */
    char output[4096];
    assert_int_equal(run("traffic --model gpt-9 2>&1 > /dev/full #", output, sizeof output), 2);
}

/* JSON is UTF-8, a file's name any bytes: what is no character is shown as U+FFFD, the numbers are all there. */
static void json_shows_any_file_name(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *shown;
    } names[] = {
        {"plain", "plain"},
        {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"},
        {"\xFF" "a\xC3", "\xEF\xBF\xBD" "a\xEF\xBF\xBD"},
        {"\xE2\x82-", "\xEF\xBF\xBD\xEF\xBF\xBD-"},
        {"\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  /* half of a surrogate pair */
    };
    char *folder = strdup("/tmp/moehub-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[128];
        char line[256];
        char shown[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[i].name);
        snprintf(shown, sizeof shown, "trace:%s/%s", folder, names[i].shown);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs("0,\"1 2\"\n0,\"2 3\"\n", file);
        fclose(file);
        for (unsigned golden = 0; golden < 2; golden++) {
            snprintf(line, sizeof line, "%s --routing 'trace:%s' --experts 8 --hidden 64 --gpus 2 --json",
                     golden ? "golden" : "traffic", path);
            json_t *object = run_json(line);
            assert_string_equal(json_string_value(json_object_get(object, "routing")), shown);
            assert_int_equal(json_integer_value(json_object_get(object, "assignments")), 4);
            json_decref(object);
        }
        remove(path);
    }
    remove_path(folder);
}

static void an_endless_line_ends_the_program(void **state)
{
    (void)state;
    static char text[MOEHUB_LINE_BYTES_MAX + 2];
    memset(text, '1', sizeof text - 1);
    char *path = text_path(text);
    static const char *const options[] = {"--hidden 64 --routing trace:", "--placement="};
    for (unsigned i = 0; i < 2; i++) {
        char line[256];
        char output[4096];
        char words[128];
        snprintf(line, sizeof line, "traffic --tokens 5 %s%s", options[i], path);
        snprintf(words, sizeof words, "moehub traffic: %s:1: a line of more than 16777216 bytes\n", path);
        assert_int_equal(run(line, output, sizeof output), 2);
        assert_string_equal(output, words);
        snprintf(line, sizeof line, "traffic --tokens 5 %s/dev/zero", options[i]);
        assert_int_equal(run(line, output, sizeof output), 2);
        assert_string_equal(output, "moehub traffic: /dev/zero:1: a NUL byte: not a text file\n");
    }
    remove_path(path);
}

static void warmup_is_reported(void **state)
{
    (void)state;
    char text[2048] = "";
    for (int i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "0,\"%d %d\"\n", i < 12 ? 5 : i % 5, 6);
    char *path = text_path(text);
    char arguments[256];
    snprintf(arguments, sizeof arguments,
             "traffic --routing trace:%s --experts 8 --hidden 64 --gpus 3 --cut roundrobin --json", path);
    json_t *object = run_json(arguments);
    assert_int_equal(json_integer_value(json_object_get(object, "warmup_rows_dropped")), 12);
    assert_int_equal(json_integer_value(json_object_get(object, "assignments")), 28 * 2);
    assert_int_equal(json_integer_value(json_object_get(object, "tokens")), 10);
    assert_int_equal(json_integer_value(json_object_get(object, "topk")), 2);
    json_decref(object);
    strncat(arguments, " --keep-warmup", sizeof arguments - strlen(arguments) - 1);
    object = run_json(arguments);
    assert_int_equal(json_integer_value(json_object_get(object, "warmup_rows_dropped")), 0);
    assert_int_equal(json_integer_value(json_object_get(object, "assignments")), 40 * 2);
    json_decref(object);
    remove_path(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_has_the_promised_keys),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(every_model_runs),
        cmocka_unit_test(statuses_and_messages_are_as_documented),
        cmocka_unit_test(writes_files_for_other_simulators),
        cmocka_unit_test(bad_files_are_named_with_their_line),
        cmocka_unit_test(a_result_that_cannot_be_written_is_a_failure),
        cmocka_unit_test(warmup_is_reported),
        cmocka_unit_test(json_shows_any_file_name),
        cmocka_unit_test(an_endless_line_ends_the_program),
    };
    return cmocka_run_group_tests_name("moehub traffic", tests, NULL, NULL);
}
