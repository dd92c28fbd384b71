/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub sum` as its users run it: results against GMP and MPFR, options, messages. MOEHUB_PROGRAM names the program. */
#include "arithmetic/sum_oracle.h"
#include "common/support.h"
#include "moehub/error.h"

#include <jansson.h>
#include <sys/wait.h>

/* Runs `moehub sum ARGUMENTS` on a text; returns its status, its output (both streams) in `output`. */
static int run(const char *arguments, const char *text, char *output, size_t size)
{
    const char *program = getenv("MOEHUB_PROGRAM");
    char *path = text_path(text);
    char command[1024];
    snprintf(command, sizeof command, "%s sum < %s %s 2>&1", program != NULL ? program : "build/bin/moehub", path, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    const int status = pclose(pipe);
    remove_path(path);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static const char *const names[] = {"bf16", "fp16", "fp32"};

/* Five hundred random sums of one type as text, and what they must give; with a seed the order is the program's. */
static void results_are_the_exact_sums(void **state)
{
    (void)state;
    enum { SUMS = 500 };
    static char text[SUMS * 70 * 9];
    static char expected[SUMS * 9 + 1];
    static char output[sizeof expected];
    uint64_t seed = 3;
    for (unsigned configuration = 0; configuration < 18; configuration++) {
        struct sum_case sum = {.element = configuration / 6, .out_fp32 = configuration % 2, .bins = 2 + configuration / 2 % 3};
        char *end = text;
        char *expected_end = expected;
        char arguments[128];
        for (unsigned i = 0; i < SUMS; i++) {
            random_sum(&seed, &sum, 1 + random_below(&seed, 64));
            for (unsigned k = 0; k < sum.count; k++)
                end += sprintf(end, "%x%c", sum.x[k], k + 1 < sum.count ? ' ' : '\n');
            expected_end += sprintf(expected_end, "%0*x\n", (int)word_bits(result_type(&sum)) / 4,
                                    oracle_sum(&sum, window_bottom(&sum)));
        }
        sprintf(arguments, "--type %s --out %s --bins %u --seed %u", names[sum.element], names[result_type(&sum)], sum.bins,
                configuration);
        assert_int_equal(run(arguments, text, output, sizeof output), 0);
        assert_string_equal(output, expected);
    }
}

static const struct {
    const char *arguments;
    const char *text;
    int status;
    const char *output; /* whole for status 0, a part otherwise */
} runs[] = {
    {"--type bf16", "3f80 3f80\n", 0, "4000\n"},
    {"--type bf16", "# nothing\n\n  \t\n3F80,0xBF80 # to zero\r\n7f80\n", 0, "0000\n7f80\n"},
    {"--type bf16 --out fp32", "3f80 3b80\n", 0, "3f808000\n"},
    {"--type fp32", "3f800000 33800000", 0, "3f800000\n"},
    {"--type fp16", "7bff 7bff", 0, "7c00\n"},
    {"--type fp16 --out fp32", "7bff 7bff", 0, "47ffe000\n"},
    {"--type bf16 --max-contributors 2", "1 2\n1 2 3\n", 2, "standard input:2: more than 2 words in one reduction"},
    {"--type bf16", "1\n2\n3 4g\n", 2, "standard input:3: '4g' is no hexadecimal word of type bf16 (1 to 4 digits)"},
    {"--type bf16", "12345", 2, "standard input:1: '12345' is no hexadecimal word"},
    {"--type fp32", "123456789", 2, "standard input:1: '123456789' is no hexadecimal word of type fp32 (1 to 8 digits)"},
    {"--type bf16", "0x", 2, "standard input:1: '0x' is no hexadecimal word"},
    {"--type bf16", "-1", 2, "standard input:1: '-1' is no hexadecimal word"},
    {"", "", 2, "--type is missing"},
    {"--type fp8", "", 2, "--type fp8: not one of bf16, fp16, fp32"},
    {"--type bf16 --out fp16", "", 2, "--out fp16: a sum of bf16 is bf16 or fp32"},
    {"--type bf16 --bins 5", "", 2, "--bins 5: legal are whole numbers 2..4"},
    {"--type bf16 --max-contributors 0", "", 2, "--max-contributors 0: legal are whole numbers 1..1024"},
    {"--type bf16 /nowhere", "", 2, "/nowhere: No such file"},
    {"--type bf16 /dev/null /dev/null", "", 2, "one file at most"},
    {"--type bf16 /dev/null", "1", 0, ""},
    {"--type bf16 2>&1 > /dev/full #", "1", 1, "moehub sum: cannot write to standard output"},
    {"--type bf16 --json 2>&1 > /dev/full #", "1", 1, "moehub sum: cannot write to standard output"},
    {"--help 2>&1 > /dev/full #", "1", 1, "moehub sum: cannot write to standard output"},
    {"--type bf16 /dev/zero", "", 2, "/dev/zero:1: a NUL byte: not a text file"},
    {"--type bf16", "\xEF\xBB\xBF" "3f80 3f80\n", 0, "4000\n"},
};

static void statuses_and_messages_are_as_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char output[4096];
        const int status = run(runs[i].arguments, runs[i].text, output, sizeof output);
        const bool as_told = runs[i].status == 0 ? strcmp(output, runs[i].output) == 0 : strstr(output, runs[i].output) != NULL;
        if (status != runs[i].status || !as_told)
            fail_msg("moehub sum %s: status %d, output '%s'; expected %d and '%s'", runs[i].arguments, status, output,
                     runs[i].status, runs[i].output);
    }
}

/* Words without an end and results without a place: the program stops by itself. */
static void endless_input_ends(void **state)
{
    (void)state;
    static char text[MOEHUB_LINE_BYTES_MAX + 2];
    char output[4096];
    memset(text, '1', sizeof text - 1);
    assert_int_equal(run("--type bf16", text, output, sizeof output), 2);
    assert_string_equal(output, "moehub sum: standard input:1: a line of more than 16777216 bytes\n");
    assert_int_equal(run("--type bf16 2>&1 > /dev/full #", "1", output, sizeof output), 1);
    char command[1024];
    const char *program = getenv("MOEHUB_PROGRAM");
    snprintf(command, sizeof command, "yes 1 | timeout 60 %s sum --type bf16 2>&1 > /dev/full",
             program != NULL ? program : "build/bin/moehub");
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    assert_string_equal(output, "moehub sum: cannot write to standard output\n");
    assert_int_equal(WEXITSTATUS(pclose(pipe)), 1);
}

static void json_has_the_results(void **state)
{
    (void)state;
    char output[4096];
    assert_int_equal(run("--type bf16 --out fp32 --json", "3f80 3f80\n# none\n3f80 bf80\n", output, sizeof output), 0);
    json_t *object = json_loads(output, 0, NULL);
    assert_non_null(object);
    const json_t *results = json_object_get(object, "results");
    assert_int_equal(json_array_size(results), 2);
    assert_string_equal(json_string_value(json_array_get(results, 0)), "40000000");
    assert_string_equal(json_string_value(json_array_get(results, 1)), "00000000");
    assert_string_equal(json_string_value(json_object_get(object, "out")), "fp32");
    json_decref(object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_the_exact_sums),
        cmocka_unit_test(statuses_and_messages_are_as_documented),
        cmocka_unit_test(endless_input_ends),
        cmocka_unit_test(json_has_the_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
