/* SPDX-License-Identifier: Apache-2.0 */
/* Machine and assumption files: what is taken, every way in which one can be wrong, and the repository's own. */
#include "common/support.h"
#include "moehub/system_constants.h"

#include <stdbool.h>

#define LINES                                       \
    "links 8 1 published sheet\n"                   \
    "link_rate 200e9 B/s published sheet\n"         \
    "sms 132 1 published sheet\n"                   \
    "fp8_peak 1979e12 FLOP/s published sheet\n"     \
    "bf16_peak 989e12 FLOP/s published sheet\n"     \
    "hbm_rate 3.35e12 B/s published sheet\n"        \
    "hop_latency 250e-9 s rtl a long source # note\n"

static int read_text(const char *text, struct moehub_system_constants *constants, struct moehub_message *message)
{
    *constants = (struct moehub_system_constants){0};
    message->text[0] = '\0';
    FILE *file = text_file(text);
    const int error = moehub_system_read(constants, MOEHUB_SYSTEM_MACHINE, file, "box", message);
    fclose(file);
    return error;
}

static void takes_a_whole_file(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_message message;
    assert_int_equal(read_text("# a box\n\ngpus\t8 1 assumed\there\n" LINES, &constants, &message), 0);
    assert_true(moehub_system_value(&constants, MOEHUB_SYSTEM_gpus) == 8);
    assert_true(moehub_system_value(&constants, MOEHUB_SYSTEM_link_rate) == 200e9);
    assert_int_equal(constants.entries[MOEHUB_SYSTEM_hop_latency].evidence, MOEHUB_SYSTEM_RTL);
    assert_int_equal(strncmp(constants.entries[MOEHUB_SYSTEM_hop_latency].source, "a long source", 13), 0);
    assert_int_equal(constants.entries[MOEHUB_SYSTEM_packet_flits].evidence, MOEHUB_SYSTEM_UNSET);
    assert_int_equal(constants.ranges[MOEHUB_SYSTEM_gpus].evidence, MOEHUB_SYSTEM_UNSET);
}

/* A range stands before or behind its value; a file that is read again has none of before. */
static void takes_ranges(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_message message;
    static const char text[] = "range gpus 4 16 1 assumed two sources\ngpus 8 1 published s\n" LINES
                               "range links 8 8 1 rtl s\n";
    assert_int_equal(read_text(text, &constants, &message), 0);
    const struct moehub_system_range *range = &constants.ranges[MOEHUB_SYSTEM_gpus];
    assert_true(range->low == 4 && range->high == 16 && range->evidence == MOEHUB_SYSTEM_ASSUMED);
    assert_string_equal(range->source, "two sources");
    assert_true(moehub_system_value(&constants, MOEHUB_SYSTEM_gpus) == 8);
    assert_int_equal(constants.ranges[MOEHUB_SYSTEM_links].evidence, MOEHUB_SYSTEM_RTL);
    FILE *file = text_file("gpus 8 1 published s\n" LINES);
    assert_int_equal(moehub_system_read(&constants, MOEHUB_SYSTEM_MACHINE, file, "box", &message), 0);
    fclose(file);
    assert_int_equal(constants.ranges[MOEHUB_SYSTEM_gpus].evidence, MOEHUB_SYSTEM_UNSET);
}

static void refuses_with_file_and_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "box:1: the file ends without gpus"},
        {LINES, "box:7: the file ends without gpus"},
        {"gpus 8 1 published s\nspeed 3 1 assumed s\n", "box:2: no constant is named 'speed'"},
        {"\n\ngpus eight 1 published s\n", "box:3: gpus: 'eight' is not a number"},
        {"gpus 0x8 1 published s\n", "box:1: gpus: '0x8' is not a number"},
        {"gpus nan 1 published s\n", "box:1: gpus: 'nan' is not a number"},
        {"gpus inf 1 published s\n", "box:1: gpus: 'inf' is not a number"},
        {"gpus 1e999 1 published s\n", "box:1: gpus: '1e999' is not a number"},
        {"gpus 1 1 published s\n", "box:1: gpus: 1 is not in 2..1024"},
        {"gpus -8 1 published s\n", "box:1: gpus: -8 is not in 2..1024"},
        {"gpus\n", "box:1: gpus: '' is not a number"},
        {"gpus 8 B published s\n", "box:1: gpus: the unit is '1', not 'B'"},
        {"gpus 8 1 guessed s\n", "box:1: gpus: evidence is"},
        {"gpus 8 1 user s\n", "box:1: gpus: evidence is"},
        {"gpus 8 1 published\n", "box:1: gpus: a source"},
        {"gpus 8 1 published # none\n", "box:1: gpus: a source"},
        {"gpus 8 1 published s\ngpus 8 1 published s\n", "box:2: gpus is given a second time"},
        {"packet_flits 9 1 published s\n", "box:1: packet_flits belongs into the assumption file"},
        {"range\n", "box:1: no constant is named ''"},
        {"range gpus 4\n", "box:1: gpus: '' is not a number"},
        {"range gpus 4 x 1 published s\n", "box:1: gpus: 'x' is not a number"},
        {"range gpus 1 8 1 published s\n", "box:1: gpus: 1 is not in 2..1024"},
        {"range gpus 4 8 B published s\n", "box:1: gpus: the unit is '1', not 'B'"},
        {"range gpus 4 8 1 guessed s\n", "box:1: gpus: evidence is"},
        {"range gpus 4 8 1 published\n", "box:1: gpus: a source"},
        {"range gpus 4 8 1 published s\nrange gpus 4 8 1 published s\n", "box:2: the range of gpus is given a second time"},
        {"range gpus 4 8 1 published s\n" LINES, "box:8: the file ends without gpus"},
        {"gpus 9 1 published s\nrange gpus 4 8 1 published s\n" LINES, "box:9: gpus: 9 is not in its range, 4..8"},
        {"gpus 6 1 published s\nrange gpus 8 4 1 published s\n" LINES, "box:9: gpus: 6 is not in its range, 8..4"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct moehub_system_constants constants;
        struct moehub_message message;
        assert_int_equal(read_text(cases[i][0], &constants, &message), MOEHUB_E_FORMAT);
        if (strncmp(message.text, cases[i][1], strlen(cases[i][1])) != 0)
            assert_string_equal(message.text, cases[i][1]);
    }
}

static void set_takes_what_the_list_allows(void **state)
{
    (void)state;
    struct moehub_system_constants constants = {0};
    struct moehub_message message;
    assert_int_equal(moehub_system_set(&constants, "packet_flits=9", &message), 0);
    assert_true(moehub_system_value(&constants, MOEHUB_SYSTEM_packet_flits) == 9);
    assert_int_equal(constants.entries[MOEHUB_SYSTEM_packet_flits].evidence, MOEHUB_SYSTEM_USER);
    static const char *const wrong[] = {"", "=", "packet_flits", "packet_flits=", "packet_flits=0", "packet_flits=1e9",
                                        "packet_flits=9x", "packet_flits= 9", "nothing=9",
                                        "a_name_that_is_longer_than_any_constant_could_ever_be_named_in_this_model=9"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(moehub_system_set(&constants, wrong[i], &message), MOEHUB_E_ARGUMENT);
    assert_true(moehub_system_value(&constants, MOEHUB_SYSTEM_packet_flits) == 9);
}

static void own_files_are_whole(void **state)
{
    (void)state;
    static const char *const machines[] = {"h100-8", "h200-8", "h200-nvl32", "h800-8", "gb200-16"};
    static const char *const sets[] = {"measured", "paper"};
    struct moehub_system_constants constants = {0};
    struct moehub_message message = {""};
    char path[128];
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        snprintf(path, sizeof path, "cmodel/machines/%s.machine", machines[i]);
        assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_MACHINE, path, &message), 0);
    }
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        snprintf(path, sizeof path, "cmodel/machines/%s.assumptions", sets[i]);
        assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_ASSUMPTION, path, &message), 0);
        for (int j = 0; j < MOEHUB_SYSTEM_LAYER_COUNT; j++)  /* each assumption says how far it may be off */
            if (moehub_system_facts((enum moehub_system_constant)j)->home == MOEHUB_SYSTEM_ASSUMPTION)
                assert_int_not_equal(constants.ranges[j].evidence, MOEHUB_SYSTEM_UNSET);
    }
    assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_MACHINE, "/nowhere", &message), MOEHUB_E_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_a_whole_file),
        cmocka_unit_test(takes_ranges),
        cmocka_unit_test(refuses_with_file_and_line),
        cmocka_unit_test(set_takes_what_the_list_allows),
        cmocka_unit_test(own_files_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
