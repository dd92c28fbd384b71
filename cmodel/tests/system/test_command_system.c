/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub system` as its users run it: the same bytes twice, JSON, refusals. MOEHUB_PROGRAM names the program. */
#include "common/support.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdbool.h>
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
    for (int threads = 1; threads <= 3; threads++) {
        snprintf(other, sizeof other, "%s --threads %d", question, threads);
        assert_int_equal(run(other, second, sizeof second), 0);
        assert_string_equal(first, second);
    }
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

/* Assumptions are moved to the ends of their files' ranges, machines by a fifth. */
static void check_ranges(const char *folder)
{
    char path[128];
    unsigned found = 0;
    snprintf(path, sizeof path, "%s/sensitivity.json", folder);
    json_t *array = json_load_file(path, 0, NULL);
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *object = json_array_get(array, i);
        const char *name = json_string_value(json_object_get(object, "constant"));
        const bool ranged = json_is_true(json_object_get(object, "ranged"));
        const double low = json_number_value(json_object_get(object, "low"));
        const double high = json_number_value(json_object_get(object, "high"));
        if (strcmp(name, "software_efficiency") == 0)
            found += ranged && low == 0.7 && high == 1;
        if (strcmp(name, "hbm_rate") == 0)
            found += !ranged && low < 3.85e12 && high > 5.75e12;
    }
    assert_int_equal(found, 4);
    json_decref(array);
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

/* That all tables are the same on one thread takes as long again: `make system-threads`. */
static void writes_all_files(void **state)
{
    (void)state;
    static const char *const claims[] = {"claim", "paper", "measured", "paper_set", "verdict", "reason"};
    static const char *const influences[] = {"set", "constant", "ranged", "low", "high", "gain_at_low", "gain",
                                             "gain_at_high", "influence"};
    static const char *const points[] = {"set", "study", "change", "dysharp_s", "over_comet", "over_megamoe", "over_deepep"};
    static const char *const others[] = {"claims.csv", "validation.csv", "layers.csv", "sensitivity.csv", "sweeps.csv",
                                         "ablations.csv",
                                         "claims.svg", "sensitivity.svg", "sweep-gpus.svg", "sweep-tokens.svg",
                                         "sweep-topk.svg", "sweep-load-variation.svg", "sweep-power-law.svg"};
    static const char *const rows[] = {"row", "value", "model", "error", "fitted"};
    static char output[262144];
    char folder[] = "/tmp/moehub-system-XXXXXX";
    char arguments[128];
    assert_non_null(mkdtemp(folder));
    snprintf(arguments, sizeof arguments, "--output %s", folder);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    assert_non_null(strstr(output, "Not modelled: "));
    check_keys(folder, "claims.json", claims, 6);
    check_keys(folder, "validation.json", rows, 5);
    check_ranges(folder);
    check_keys(folder, "sensitivity.json", influences, 9);
    check_keys(folder, "sweeps.json", points, 7);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        check_file(folder, others[i]);
    assert_int_equal(remove(folder), 0);
}

/* A question's files say what the terminal says, of each scheme and set. */
static void a_question_has_files(void **state)
{
    (void)state;
    static char output[262144];
    static const char *const keys[] = {"set", "scheme", "level", "layer_s", "gain"};
    char folder[] = "/tmp/moehub-question-XXXXXX";
    char arguments[160], path[128];
    assert_non_null(mkdtemp(folder));
    snprintf(arguments, sizeof arguments, "--scheme deepep,comet,ideal --tokens 512 --output %s", folder);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    snprintf(path, sizeof path, "%s/layer.json", folder);
    json_t *array = json_load_file(path, 0, NULL);
    assert_int_equal(json_array_size(array), 6);
    for (size_t i = 0; i < 6; i++) {
        const json_t *object = json_array_get(array, i);
        char line[80];
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            assert_non_null(json_object_get(object, keys[k]));
        const char *level = json_string_value(json_object_get(object, "level"));
        snprintf(line, sizeof line, "  %-20s %-5s %11.1f %7.3f", json_string_value(json_object_get(object, "scheme")), level,
                 1e6 * json_number_value(json_object_get(object, "layer_s")), json_number_value(json_object_get(object, "gain")));
        assert_non_null(strstr(output, line));
        assert_int_equal(json_object_get(object, "combine_up_bytes") != NULL, strcmp(level, "tiles") == 0);
    }
    json_decref(array);
    assert_int_equal(remove(path), 0);
    check_file(folder, "layer.csv");
    check_file(folder, "layer.svg");
    assert_int_equal(remove(folder), 0);
}

/* Drops what names the layer. */
static void keep_rows(char *text)
{
    char *kept = text;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        if (line[0] == ' ') {
            memmove(kept, line, length);
            kept += length;
        }
        line += length;
    }
    *kept = '\0';
}

/* A model by its numbers is that model; one number changed is another. */
static void a_model_of_ones_own(void **state)
{
    (void)state;
    static char own[65536], named[65536], other[65536];
    static const char rest[] = "--gpus 8 --tokens 256 --scheme deepep,dysharp";
    char arguments[160];
    snprintf(arguments, sizeof arguments, "--experts 8 --topk 2 --hidden 4096 --inner 14336 %s", rest);
    assert_int_equal(run(arguments, own, sizeof own), 0);
    snprintf(arguments, sizeof arguments, "--model mixtral-8x7b %s", rest);
    assert_int_equal(run(arguments, named, sizeof named), 0);
    snprintf(arguments, sizeof arguments, "--model mixtral-8x7b --inner 7168 %s", rest);
    assert_int_equal(run(arguments, other, sizeof other), 0);
    assert_ptr_equal(strstr(own, "your model (8 experts, top-2, 4096, 14336)"), own);
    assert_ptr_equal(strstr(named, "mixtral-8x7b (8 experts, top-2, 4096, 14336)"), named);
    assert_ptr_equal(strstr(other, "your model (8 experts, top-2, 4096, 7168)"), other);
    keep_rows(own);
    keep_rows(named);
    keep_rows(other);
    assert_string_equal(own, named);
    assert_string_not_equal(other, named);
}

/* What the program writes on standard error where that is a terminal; nothing of it goes to standard output. */
static void progress_on_a_terminal(void **state)
{
    (void)state;
    static char plain[65536], shown[65536], progress[4096];
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    const int slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);  /* what was written stays until it is closed */
    assert_true(slave >= 0);
    char arguments[128];
    assert_int_equal(run("--scheme deepep,dysharp --tokens 256", plain, sizeof plain), 0);
    snprintf(arguments, sizeof arguments, "--scheme deepep,dysharp --tokens 256 2>%s #", ptsname(terminal));
    assert_int_equal(run(arguments, shown, sizeof shown), 0);
    assert_string_equal(plain, shown);
    assert_null(strstr(plain, " of 4"));
    const ssize_t length = read(terminal, progress, sizeof progress - 1);
    assert_true(length > 0);
    progress[length] = '\0';
    assert_non_null(strstr(progress, "schemes: 4 of 4"));
    close(slave);
    close(terminal);
}

static void refuses_in_a_sentence(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"--machine moon", "cmodel/machines/moon.machine"},
        {"--set packet_flits=0", "expected a number in 1..300\n"},
        {"--set link_rate=0", "expected a number in 1e+09..1e+13 B/s\n"},
        {"--set speed=3", "expected name=value"},
        {"--set gpus=24", "24: expected a whole number that divides the 64 experts"},
        {"--set gpus=2.5", "2.5: expected a whole number that divides"},
        {"--machine moon", "there are gb200-16, h100-8, "},
        {"--output /nowhere/at/all", "cannot be written"},
        {"--folder /nowhere", "/nowhere/h200-nvl32.machine: no such file"},
        {"--folder /nowhere", "name the folder of these files with --folder"},
        {"now", "unexpected argument 'now'"},
        {"--scheme magic", "no scheme is named 'magic'"},
        {"--scheme deepep,,comet", "--scheme: a name is missing"},
        {"--scheme ''", "--scheme: a name is missing"},
        {"--scheme deepep,", "--scheme: a name is missing"},
        {"--scheme ,deepep", "--scheme: a name is missing"},
        {"--model moon", "no model is named 'moon'"},
        {"--tokens 0", "legal are whole numbers 1..1048576"},
        {"--tokens -3", "legal are whole numbers 1..1048576"},
        {"--tokens 10000000000", "legal are whole numbers 1..1048576"},
        {"--gpus 0", "--gpus 0: legal are whole numbers 2..1024"},
        {"--gpus 32.5", "--gpus 32.5: legal are whole numbers 2..1024"},
        {"--gpus 1 --scheme deepep", "legal are whole numbers 2..1024"},
        {"--gpus 300 --scheme deepep", "at most the 256 experts"},
        {"--set gpus=2.5 --scheme deepep", "expected a whole number"},
        {"--threads 0", "--threads 0: legal are whole numbers 1..64"},
        {"--threads 65", "legal are whole numbers 1..64"},
        {"--topk 33", "--topk 33: legal are whole numbers 1..32"},
        {"--experts 64", "--topk is missing: give it, or --model"},
        {"--experts 64 --topk 4 --hidden 512", "--inner is missing"},
        {"--hidden 512 --topk 4", "--experts is missing"},
        {"--experts 4 --topk 5 --hidden 512 --inner 512 --gpus 4", "--topk 5: at most the 4 experts"},
        {"--model mixtral-8x7b --topk 9 --gpus 8", "--topk 9: at most the 8 experts"},
        {"--scheme deepep --levels", "and --levels: ask one at a time"},
        {"--tokens 64 --validation", "and --validation: ask one at a time"},
        {"--levels --validation", "--levels and --validation: ask one at a time"},
        {"--constants --write-shares /tmp/x", "--constants and --write-shares: ask one at a time"},
        {"--sensitivity --output /tmp", "--sensitivity has no files for --output"},
        {"--sensitivity --levels", "--levels and --sensitivity: ask one at a time"},
        {"--validation --output /tmp", "--validation has no files for --output"},
        {"--constants --output /tmp", "--constants has no files for --output"},
        {"--validation --gpus 8", "its rows have machines of their own"},
        {"--scheme deepep --output /nowhere/at/all", "cannot be written"},
        {"--precision fp4", "expected bf16 or fp8"},
        {"--trace /nowhere", "/nowhere"},
        {"--timeline /nowhere/at/all", "cannot be written"},
        {"--scheme comet --timeline /nowhere", "none of the schemes has tile flows"},
        {"--matrix /nowhere", "/nowhere: No such file"},
        {"--matrix=/dev/null", "expected 'Nodes N'"},
        {"--matrix /nowhere --lines 0", "--lines 0: legal are"},
        {"--matrix /nowhere --seed 4294967296", "--seed 4294967296: legal are"},
        {"--matrix /nowhere --machine moon", "cmodel/machines/moon.machine"},
        {"--matrix /nowhere --packet-constants /nowhere", "/nowhere: no such file"},
        {"--matrix /nowhere --packet-constants /nowhere", "name the file with --packet-constants"},
        {"--packet-level --hub-constants /nowhere", "name the file with --hub-constants"},
        {"--packet-level --draws 3", "--draws is for --against"},
        {"--packet-level --against x --draws 0", "--draws 0: legal are"},
        {"--packet-level --routing zipf:", "--routing: 'zipf:': a number 0..8 must follow zipf:"},
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
    char arguments[256];
    char *path = text_path("Nodes 2\nConnections 1\n0->1 start 0 size 512\n");
    snprintf(arguments, sizeof arguments, "--matrix %s --set links=1 --set link_rate=64e9 --set plane_loop=0 --json", path);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    json_t *object = json_loads(output, 0, NULL);
    assert_non_null(object);
    assert_int_equal(json_integer_value(json_object_get(object, "packets")), 4);
    assert_float_equal(json_number_value(json_object_get(object, "volume_us")), 0.008, 1e-9);
    assert_float_equal(json_number_value(json_object_get(object, "ideal_us")), 0.010, 1e-9);
    const double completion = json_number_value(json_object_get(object, "completion_us"));
    assert_true(completion > 0.012 && completion < 0.020);
    assert_false(json_is_true(json_object_get(object, "ideal_plane")));
    json_decref(object);
    snprintf(arguments, sizeof arguments, "--matrix %s --ideal-plane --json", path);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    object = json_loads(output, 0, NULL);
    assert_true(json_is_true(json_object_get(object, "ideal_plane")));
    json_decref(object);
    assert_int_equal(run("--matrix x --help", output, sizeof output), 0);
    assert_non_null(strstr(output, "moehub traffic --gpus 32"));
    remove_path(path);
}

/* `--against` a file with one measured case, a layer of four GPUs; returns the status. */
static int against(const char *placement, const char *phase, unsigned rows_in_turn, double ideal_cycles, double cycles,
                   char *output, size_t size)
{
    char text[1024], arguments[128];
    snprintf(text, sizeof text,
             "[{\"case\": \"mine\", \"ports\": 4, \"tokens\": 8, \"seed\": 1, \"ideal_cycles\": %f, \"cycles\": %f, "
             "\"layer\": {\"phase\": \"%s\", \"experts\": 8, \"topk\": 2, \"routing\": \"uniform\", \"placement\": \"%s\", "
             "\"turned\": false, \"lines\": 4, \"combine_lines\": 4, \"rows_in_flight\": 32, \"rows_in_turn\": %u}, "
             "\"plane\": {\"places_store\": 2048, \"places_request\": 256, \"places_response\": 2048, \"groups\": 13, "
             "\"request_lines\": 8, \"loop\": 874}}]\n", ideal_cycles, cycles, phase, placement,
             rows_in_turn);
    char *path = text_path(text);
    snprintf(arguments, sizeof arguments, "--packet-level --against %s", path);
    const int status = run(arguments, output, size);
    remove_path(path);
    return status;
}

/* What a plane is said to have measured is judged: the layer's own figures, others, and those of another layer. */
static void a_measured_plane_is_judged(void **state)
{
    (void)state;
    static const char layer[] = "--packet-level --gpus 4 --experts 8 --topk 2 --hidden 64 --tokens 8 --phase fused --lines 4 "
                                "--combine-lines 4 --json 2>/dev/null #";
    static char output[8192];
    char *placement = text_path("0 0\n1 0\n2 0\n3 0\n4 0\n5 1\n6 2\n7 3\n");
    assert_int_equal(run(layer, output, sizeof output), 0);
    json_t *object = json_loads(output, 0, NULL);
    const double ideal = json_number_value(json_object_get(object, "ideal_cycles"));
    const double cycles = json_number_value(json_object_get(object, "cycles"));
    json_decref(object);
    assert_true(ideal > 0 && cycles > ideal);
    assert_int_equal(against("", "fused", 1, ideal, cycles, output, sizeof output), 0);
    assert_non_null(strstr(output, "| mine |"));
    assert_int_not_equal(against("", "fused", 1, ideal, 1.05 * cycles, output, sizeof output), 0);
    assert_non_null(strstr(output, "1 of 1 cases are beyond their bound, mine first"));
    assert_int_not_equal(against("", "fused", 1, ideal + 1, cycles, output, sizeof output), 0);
    assert_int_not_equal(against(placement, "fused", 1, ideal, cycles, output, sizeof output), 0);
    assert_int_not_equal(against("", "both", 1, ideal, cycles, output, sizeof output), 0);
    assert_non_null(strstr(output, "a phase was expected"));
    assert_int_not_equal(against("no/such/file", "fused", 1, ideal, cycles, output, sizeof output), 0);
    remove_path(placement);
}

/* A trace that is not one is refused with file and line. */
static void refuses_a_broken_trace(void **state)
{
    (void)state;
    static char output[262144];
    char *path = text_path("{\"type\": \"route\"\n");
    char arguments[128];
    snprintf(arguments, sizeof arguments, "--trace %s", path);
    assert_int_equal(run(arguments, output, sizeof output), 2);
    char expected[64];
    snprintf(expected, sizeof expected, "%s:1:", path);
    assert_non_null(strstr(output, expected));
    remove_path(path);
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
    char *path = text_path("");
    char arguments[160];
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
    remove_path(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_question_same_bytes),
        cmocka_unit_test(writes_all_files),
        cmocka_unit_test(a_question_has_files),
        cmocka_unit_test(a_model_of_ones_own),
        cmocka_unit_test(progress_on_a_terminal),
        cmocka_unit_test(refuses_in_a_sentence),
        cmocka_unit_test(a_matrix_has_a_time),
        cmocka_unit_test(a_measured_plane_is_judged),
        cmocka_unit_test(refuses_a_broken_trace),
        cmocka_unit_test(timeline_is_a_chrome_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
