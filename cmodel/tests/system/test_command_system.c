/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub system` as its users run it: the same bytes twice, JSON, refusals. MOEHUB_PROGRAM names the program. */
#include "common/support.h"

#include <jansson.h>
#include <sys/wait.h>

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

static void same_bytes_twice(void **state)
{
    (void)state;
    static char first[65536];
    static char second[65536];
    assert_int_equal(run("", first, sizeof first), 0);
    assert_int_equal(run("", second, sizeof second), 0);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "Not modelled yet"));
    assert_int_equal(run("--set packet_flits=9", second, sizeof second), 0);
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

static void writes_both_files(void **state)
{
    (void)state;
    static const char *const claims[] = {"claim", "paper", "measured", "paper_set", "verdict", "reason"};
    static const char *const rows[] = {"row", "value", "model", "error", "fitted"};
    static char output[65536];
    char folder[] = "/tmp/moehub-system-XXXXXX";
    char arguments[128];
    assert_non_null(mkdtemp(folder));
    snprintf(arguments, sizeof arguments, "--output %s", folder);
    assert_int_equal(run(arguments, output, sizeof output), 0);
    check_keys(folder, "claims.json", claims, 6);
    check_keys(folder, "validation.json", rows, 5);
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
    };
    static char output[65536];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(run(cases[i][0], output, sizeof output), 2);
        assert_non_null(strstr(output, cases[i][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bytes_twice),
        cmocka_unit_test(writes_both_files),
        cmocka_unit_test(refuses_in_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
