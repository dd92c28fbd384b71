/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub system` as its users run it: the same bytes twice, JSON, refusals. MOEHUB_PROGRAM names the program. */
#include "common/support.h"

#include <jansson.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs the program; returns its status, its output (both streams) in `output`. */
static int run(const char *arguments, char *output, size_t size)
{
    const char *program = getenv("MOEHUB_PROGRAM");
    char command[1024];
    snprintf(command, sizeof command, "%s system %s 2>&1", program != NULL ? program : "build/bin/moehub", arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    const int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void same_question_same_bytes(void **state)
{
    (void)state;
    static char first[262144];
    static char second[262144];
    static const char question[] = "--scheme deepep,dysharp,comet-tiles --tokens 512";
    char other[128];
    assert_int_equal(run(question, first, sizeof first), 0);
    assert_int_equal(run(question, second, sizeof second), 0);
    assert_string_equal(first, second);
    snprintf(other, sizeof other, "%s --set packet_flits=12", question);
    assert_int_equal(run(other, second, sizeof second), 0);
    assert_string_not_equal(first, second);
}

static void check_keys(const char *folder, const char *name, const char *const *keys, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    json_t *array = json_load_file(path, 0, NULL);
    assert_true(json_array_size(array) > 20);
    for (size_t i = 0; i < json_array_size(array); i++)
        for (size_t k = 0; k < count; k++)
            assert_non_null(json_object_get(json_array_get(array, i), keys[k]));
    json_decref(array);
    assert_int_equal(remove(path), 0);
}

/* A file that is there and not empty. */
static void check_file(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fgetc(file) != EOF);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(remove(path), 0);
}

/* All tables, twice: with files and without, the same bytes on the terminal. */
static void writes_all_files(void **state)
{
    (void)state;
    static const char *const claims[] = {"claim", "paper", "measured", "paper_set", "verdict", "reason"};
    static const char *const influences[] = {"set", "constant", "low", "high", "gain_at_low", "gain", "gain_at_high",
                                             "influence"};
    static const char *const points[] = {"set", "study", "change", "dysharp_s", "over_comet", "over_megamoe", "over_deepep"};
    static const char *const others[] = {"claims.csv", "validation.csv", "layers.csv", "sensitivity.csv", "sweeps.csv",
                                         "ablations.csv",
                                         "claims.svg", "sensitivity.svg", "sweep-gpus.svg", "sweep-tokens.svg",
                                         "sweep-topk.svg", "sweep-load-variation.svg"};
    static const char *const rows[] = {"row", "value", "model", "error", "fitted"};
    static char output[262144];
    static char again[262144];
    char folder[] = "/tmp/moehub-system-XXXXXX";
    char arguments[128];
    assert_non_null(mkdtemp(folder));
    snprintf(arguments, sizeof arguments, "--output %s", folder);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    assert_int_equal(run("", again, sizeof again), 0);
    assert_string_equal(output, again);
    assert_non_null(strstr(output, "Not modelled: "));
    check_keys(folder, "claims.json", claims, 6);
    check_keys(folder, "validation.json", rows, 5);
    check_keys(folder, "sensitivity.json", influences, 8);
    check_keys(folder, "sweeps.json", points, 7);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        check_file(folder, others[i]);
    assert_int_equal(remove(folder), 0);
}

static void refuses_in_a_sentence(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"--machine moon", "cmodel/machines/moon.machine"},
        {"--set packet_flits=0", "expected a number in 1..300"},
        {"--set speed=3", "expected name=value"},
        {"--set gpus=24", "do not divide"},
        {"--set gpus=2.5", "do not divide"},
        {"--output /nowhere/at/all", "cannot be written"},
        {"--folder /nowhere", "/nowhere/h200-nvl32.machine"},
        {"now", "unexpected argument 'now'"},
        {"--scheme magic", "no scheme is named 'magic'"},
        {"--scheme deepep,,comet", "no scheme is named ''"},
        {"--model moon", "no model is named 'moon'"},
        {"--tokens 0", "expected 1..1048576"},
        {"--tokens -3", "expected 1..1048576"},
        {"--tokens 10000000000", "expected 1..1048576"},
        {"--gpus 1 --scheme deepep", "expected a number in 2..1024"},
        {"--gpus 300 --scheme deepep", "at most the 256 experts"},
        {"--gpus 2.5 --scheme deepep", "expected a whole number"},
        {"--precision fp4", "expected bf16 or fp8"},
        {"--trace /nowhere", "/nowhere"},
        {"--timeline /nowhere/at/all", "cannot be written"},
        {"--scheme comet --timeline /nowhere", "none of the schemes has tile flows"},
        {"--matrix /nowhere", "/nowhere: No such file"},
        {"--matrix=/dev/null", "expected 'Nodes N'"},
        {"--matrix /nowhere --lines 0", "--lines 0: legal are"},
        {"--matrix /nowhere --seed 4294967296", "--seed 4294967296: legal are"},
        {"--matrix /nowhere --machine moon", "cmodel/machines/moon.machine"},
        {"--matrix /nowhere --packet-constants /nowhere", "/nowhere: No such file"},
        {"--matrix /nowhere --set speed=3", "expected name=value"},
        {"--matrix /nowhere now", "unexpected argument 'now'"},
    };
    static char output[262144];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run(cases[i][0], output, sizeof output), 2);
        assert_non_null(strstr(output, cases[i][1]));
    }
}

/* A user's own machine: one link of 64 GB/s, four packets of 10 flits, 2.5 ns each, and the way. */
static void a_matrix_has_a_time(void **state)
{
    (void)state;
    static char output[4096];
    char path[] = "/tmp/moehub-matrix-XXXXXX";
    char arguments[256];
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    fputs("Nodes 2\nConnections 1\n0->1 start 0 size 512\n", file);
    fclose(file);
    snprintf(arguments, sizeof arguments, "--matrix %s --set links=1 --set link_rate=64e9 --set plane_loop=0 --json", path);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    json_t *object = json_loads(output, 0, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "packets")), 4);
    assert_float_equal(json_number_value(json_object_get(object, "volume_us")), 0.008, 1e-9);
    assert_float_equal(json_number_value(json_object_get(object, "ideal_us")), 0.010, 1e-9);
    const double completion = json_number_value(json_object_get(object, "completion_us"));
    assert_true(completion > 0.012 && completion < 0.020);
    json_decref(object);
    assert_int_equal(run("--matrix x --help", output, sizeof output), 0);
    assert_non_null(strstr(output, "moehub traffic --gpus 32"));
    assert_int_equal(remove(path), 0);
}

/* A trace that is not one is refused with file and line. */
static void refuses_a_broken_trace(void **state)
{
    (void)state;
    static char output[262144];
    char path[] = "/tmp/moehub-trace-XXXXXX";
    char arguments[128];
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, "{\"type\": \"route\"\n", 17), 17);
    close(descriptor);
    snprintf(arguments, sizeof arguments, "--trace %s", path);
    assert_int_equal(run(arguments, output, sizeof output), 2);
    char expected[64];
    snprintf(expected, sizeof expected, "%s:1:", path);
    assert_non_null(strstr(output, expected));
    assert_int_equal(remove(path), 0);
}

/* When the last slice of a track ended: what Perfetto shows on one track must not overlap. Ends are rounded to 1 ns. */
static void check_track(const json_t *event, double ends[64][8])
{
    const json_int_t process = json_integer_value(json_object_get(event, "pid"));
    const json_int_t track = json_integer_value(json_object_get(event, "tid"));
    const double begin = json_number_value(json_object_get(event, "ts"));
    assert_in_range(process, 0, 63);
    assert_in_range(track, 0, 7);
    assert_true(begin > ends[process][track] - 0.0015);
    ends[process][track] = begin + json_number_value(json_object_get(event, "dur"));
}

/* Asynchronous slices begin as often as they end, no slice is negative, and every lane has something. */
static void timeline_is_a_chrome_trace(void **state)
{
    (void)state;
    static char output[262144];
    char path[] = "/tmp/moehub-timeline-XXXXXX";
    char arguments[160];
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    snprintf(arguments, sizeof arguments, "--scheme dysharp --tokens 512 --backward --timeline %s", path);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    json_t *trace = json_load_file(path, 0, NULL);
    const json_t *events = json_object_get(trace, "traceEvents");
    unsigned begins = 0;
    unsigned ends = 0;
    unsigned lanes = 0;
    static double track_ends[64][8];
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        const char phase = json_string_value(json_object_get(event, "ph"))[0];
        begins += phase == 'b';
        ends += phase == 'e';
        assert_true(phase != 'X' || json_number_value(json_object_get(event, "dur")) > 0);
        if (phase == 'X')
            check_track(event, track_ends);
        if (phase == 'b' || phase == 'X')
            lanes |= 1U << json_integer_value(json_object_get(event, "tid"));
    }
    assert_true(begins > 100 && begins == ends && lanes == 31);
    json_decref(trace);
    assert_int_equal(remove(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_question_same_bytes),
        cmocka_unit_test(writes_all_files),
        cmocka_unit_test(refuses_in_a_sentence),
        cmocka_unit_test(a_matrix_has_a_time),
        cmocka_unit_test(refuses_a_broken_trace),
        cmocka_unit_test(timeline_is_a_chrome_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
