/* SPDX-License-Identifier: Apache-2.0 */
/* The book of slices: what is written is what is read; what is in it is not run again; the repository's book is what its slices
 * say now. */
#include "common/system_support.h"

#include <math.h>

static const struct moehub_system_slice tiny = {4, 2, 4, 8, 16, 2, true, {0.4, 0.5, 0.45, 0.5}};

static struct moehub_system_shares *book_of(const char *text, int expected, const char *sentence)
{
    struct moehub_message message = {""};
    struct moehub_system_shares *book = moehub_system_shares_create();
    char copy[1024];
    snprintf(copy, sizeof copy, "%s", text);
    FILE *file = fmemopen(copy, strlen(copy), "r");
    assert_non_null(book);
    assert_non_null(file);
    assert_int_equal(moehub_system_shares_read(book, file, "book", &message), expected);
    if (sentence != NULL)
        assert_non_null(strstr(message.text, sentence));
    fclose(file);
    return book;
}

enum { TEXT = 1024 };

static void write_text(struct moehub_system_shares *book, char *text)
{
    FILE *file = fmemopen(text, TEXT, "w");
    assert_non_null(file);
    memset(text, 0, TEXT);
    moehub_system_shares_write(book, file);
    fclose(file);
}

/* A book that says otherwise than packets is believed: so it is not run. Another constant of the plane is another slice. */
static void what_is_written_is_read_and_believed(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_slice_result ran, read;
    struct moehub_message message = {""};
    char text[TEXT], again[TEXT];
    struct moehub_system_shares *book = moehub_system_shares_create();
    load_system(&constants, "h200-8", "measured");
    assert_int_equal(moehub_system_shares_find(book, &constants, &tiny, &ran, &message), 0);
    write_text(book, text);
    char *share = strchr(text, '.') - 1;
    share[0] = '0';
    share[2] = '1';
    struct moehub_system_shares *other = book_of(text, 0, NULL);
    write_text(other, again);
    assert_string_equal(again, "");  /* nobody asked */
    assert_int_equal(moehub_system_shares_find(other, &constants, &tiny, &read, &message), 0);
    assert_true(read.share[0] < 0.2 && ran.share[0] > 0.2 && fabs(read.share[1] - ran.share[1]) < 1e-12);
    assert_true(fabs(read.spread[2] - ran.spread[2]) < 1e-12);
    write_text(other, again);
    assert_string_equal(again, text);
    constants.entries[MOEHUB_SYSTEM_plane_loop].value += 2;
    assert_int_equal(moehub_system_shares_find(other, &constants, &tiny, &read, &message), 0);
    assert_true(read.share[0] > 0.2);
    moehub_system_shares_destroy(book);
    moehub_system_shares_destroy(other);
}

static void broken_lines_are_refused(void **state)
{
    (void)state;
    static const char good[] = "4 2 4 8 16 2 1 00000000000000aa 0.5 0.5 0.5 0.1 0.1 0.1\n";
    static const char *const bad[] = {
        "4 2 4\n",
        "4 2 4 8 16 2 1 00000000000000aa 0.5 0.5 0 0.1 0.1 0.1\n",
        "4 2 4 8 16 2 1 00000000000000aa 0.5 1.5 0.5 0.1 0.1 0.1\n",
        "4 2 4 8 16 2 1 00000000000000aa 0.5 0.5 0.5 0.1 0.1 nan\n",
        "4 2 4 8 16 2 1 00000000000000aa 0.5 0.5 0.5 0.1 0.1 0.1 more\n",
        "4 2 4 8 16 2 1 aa 0.5 0.5 0.5 0.1 0.1 0.1\n",
        "-4 2 4 8 16 2 1 00000000000000aa 0.5 0.5 0.5 0.1 0.1 0.1\n",
        "shares\n",
    };
    char twice[256];
    moehub_system_shares_destroy(book_of(good, 0, NULL));
    moehub_system_shares_destroy(book_of("# nothing\n\n  # here\n", 0, NULL));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        moehub_system_shares_destroy(book_of(bad[i], MOEHUB_E_FORMAT, "book:1: expected a slice"));
    snprintf(twice, sizeof twice, "%s%s", good, good);
    moehub_system_shares_destroy(book_of(twice, MOEHUB_E_FORMAT, "book:2: this slice is there already"));
}

/* A slice that cannot be run leaves nothing behind. */
static void an_error_is_not_kept(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_slice_result result;
    struct moehub_message message = {""};
    char text[TEXT];
    struct moehub_system_shares *book = moehub_system_shares_create();
    load_system(&constants, "h200-8", "measured");
    constants.entries[MOEHUB_SYSTEM_plane_groups].value = 0;
    assert_int_equal(moehub_system_shares_find(book, &constants, &tiny, &result, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "plane_groups"));
    write_text(book, text);
    assert_string_equal(text, "");
    moehub_system_shares_destroy(book);
}

/* The layer's slice in the repository's book, and what it says if it is run now: after a change of the packet level,
 * `make shares` is due. */
static void check_fresh(const char *machine, const struct moehub_system_work *work, bool in_switch)
{
    struct moehub_system_constants constants;
    struct moehub_system_load load;
    struct moehub_system_slice slice;
    struct moehub_system_slice_result kept, now;
    struct moehub_message message = {""};
    load_system(&constants, machine, "measured");
    moehub_system_load_make(&load, &constants, work, MOEHUB_SYSTEM_CLASSES_MAX);
    moehub_system_slice_of(&slice, &constants, &load, work, in_switch);
    assert_int_equal(moehub_system_shares_find(constants.shares, &constants, &slice, &kept, &message), 0);
    assert_int_equal(moehub_system_slice_run(&constants, &slice, &now, &message), 0);
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++) {
        assert_true(fabs(kept.share[i] - now.share[i]) < 2e-6);
        assert_true(fabs(kept.spread[i] - now.spread[i]) < 2e-6);
    }
}

static void the_book_is_fresh(void **state)
{
    (void)state;
    size_t count;
    check_fresh("h200-nvl32", &moehub_system_training(&count)[0], true);
    check_fresh("h800-8", &moehub_system_hub_cases(&count)[0], false);
}

/* The set's constants are of what the slice reaches; without slices they are all. */
static void constants_take_off(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_load load;
    struct moehub_message message = {""};
    double base[MOEHUB_SYSTEM_PATTERNS], less[MOEHUB_SYSTEM_PATTERNS];
    size_t count;
    const struct moehub_system_work *work = &moehub_system_training(&count)[0];
    load_system(&constants, "h200-nvl32", "measured");
    moehub_system_load_make(&load, &constants, work, MOEHUB_SYSTEM_CLASSES_MAX);
    assert_int_equal(moehub_system_hardware_shares(&constants, &load, work, true, base, &message), 0);
    constants.entries[MOEHUB_SYSTEM_hardware_combine].value = 0.5;
    assert_int_equal(moehub_system_hardware_shares(&constants, &load, work, true, less, &message), 0);
    assert_true(less[0] >= base[0] && fabs(less[1] - base[1] / 2) < 1e-12 && base[2] < 0.95);
    constants.entries[MOEHUB_SYSTEM_hardware_packets].value = 0;
    assert_int_equal(moehub_system_hardware_shares(&constants, &load, work, true, less, &message), 0);
    assert_true(less[0] >= 1 && less[1] >= 0.5 && less[1] <= 0.5 && less[2] >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_and_believed),
        cmocka_unit_test(broken_lines_are_refused),
        cmocka_unit_test(an_error_is_not_kept),
        cmocka_unit_test(the_book_is_fresh),
        cmocka_unit_test(constants_take_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
