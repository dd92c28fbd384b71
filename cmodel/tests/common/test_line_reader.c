/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of text: where they end, what is refused, and that a file without line ends does not fill the memory. */
#include "common/support.h"

#include "common/line_reader.h"

/* A file that gives `byte` for ever, or `left` times; then it ends, or fails. */
struct source {
    char byte;
    size_t left;
    bool endless;
    bool fails;
    size_t given;
};

static ssize_t give(void *cookie, char *buffer, size_t size)
{
    struct source *source = cookie;
    const size_t count = source->endless || source->left > size ? size : source->left;
    if (count == 0 && source->fails)
        return -1;
    memset(buffer, source->byte, count);
    source->left -= source->endless ? 0 : count;
    source->given += count;
    return (ssize_t)count;
}

static FILE *source_open(struct source *source)
{
    FILE *file = fopencookie(source, "r", (cookie_io_functions_t){.read = give});
    assert_non_null(file);
    return file;
}

/* The status of the first line of a source, its length in *length, the message in *message. */
static int first_line(struct source *source, size_t *length, struct moehub_message *message)
{
    struct line_reader reader;
    FILE *file = source_open(source);
    line_reader_init(&reader, file, "input", message);
    const int status = line_reader_next(&reader);
    *length = reader.length;
    line_reader_destroy(&reader);
    fclose(file);
    return status;
}

static void an_endless_line_is_refused_where_the_bound_is(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    size_t length = 0;
    struct source endless = {.byte = 'y', .endless = true};
    assert_int_equal(first_line(&endless, &length, &message), MOEHUB_E_FORMAT);
    assert_string_equal(message.text, "input:1: a line of more than 16777216 bytes");
    assert_true(endless.given < MOEHUB_LINE_BYTES_MAX + 65536);
    struct source longest = {.byte = 'y', .left = MOEHUB_LINE_BYTES_MAX};
    assert_int_equal(first_line(&longest, &length, &message), 1);
    assert_int_equal(length, MOEHUB_LINE_BYTES_MAX);
    struct source longer = {.byte = 'y', .left = MOEHUB_LINE_BYTES_MAX + 1};
    assert_int_equal(first_line(&longer, &length, &message), MOEHUB_E_FORMAT);
}

static void zeros_are_refused_at_once(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    size_t length = 0;
    struct source zeros = {.byte = '\0', .endless = true};
    assert_int_equal(first_line(&zeros, &length, &message), MOEHUB_E_FORMAT);
    assert_string_equal(message.text, "input:1: a NUL byte: not a text file");
    assert_true(zeros.given <= 65536);
}

static void a_file_that_fails_is_no_end_of_file(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    size_t length = 0;
    struct source none = {.fails = true};
    assert_int_equal(first_line(&none, &length, &message), MOEHUB_E_FILE);
    struct source cut = {.byte = 'y', .left = 10000, .fails = true};
    assert_int_equal(first_line(&cut, &length, &message), MOEHUB_E_FILE);
    assert_non_null(strstr(message.text, "input:1: cannot read on"));
}

static void check_lines(const char *text, const char *const *lines, const long *numbers, size_t count)
{
    struct line_reader reader;
    FILE *file = text_file(text);
    line_reader_init(&reader, file, "input", NULL);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(line_reader_next(&reader), 1);
        assert_string_equal(reader.text, lines[i]);
        assert_int_equal(reader.length, strlen(lines[i]));
        assert_int_equal(reader.line, numbers[i]);
        if (i % 2 == 0) {
            line_reader_push_back(&reader);
            assert_int_equal(line_reader_next(&reader), 1);
            assert_string_equal(reader.text, lines[i]);
        }
    }
    assert_int_equal(line_reader_next(&reader), 0);
    assert_int_equal(line_reader_next(&reader), 0);
    line_reader_destroy(&reader);
    fclose(file);
}

static void lines_end_in_any_way(void **state)
{
    (void)state;
    check_lines("", NULL, NULL, 0);
    check_lines("\n \t\r\n\n", NULL, NULL, 0);
    check_lines("a\nb", (const char *const[]){"a", "b"}, (const long[]){1, 2}, 2);
    check_lines("a\r\n\n  \n\tb c\r\r\n", (const char *const[]){"a", "\tb c"}, (const long[]){1, 4}, 2);
    check_lines("a\rb\n", (const char *const[]){"a\rb"}, (const long[]){1}, 1);
}

static void a_byte_order_mark_is_no_text(void **state)
{
    (void)state;
    check_lines("\xEF\xBB\xBF" "a\nb\n", (const char *const[]){"a", "b"}, (const long[]){1, 2}, 2);
    check_lines("\xEF\xBB\xBF\r\nb\n", (const char *const[]){"b"}, (const long[]){2}, 1);
    check_lines("\xEF\xBB\xBF", NULL, NULL, 0);
    check_lines("\xEF\xBB", (const char *const[]){"\xEF\xBB"}, (const long[]){1}, 1);
    /* Only there: elsewhere it is a character like any other. */
    check_lines("a\n\xEF\xBB\xBF" "b\n", (const char *const[]){"a", "\xEF\xBB\xBF" "b"}, (const long[]){1, 2}, 2);
    check_lines("\xEF\xBB\xBF\xEF\xBB\xBF" "a\n", (const char *const[]){"\xEF\xBB\xBF" "a"}, (const long[]){1}, 1);
}

/* Lines of all lengths around the steps in which the room grows. */
static void lengths_are_kept(void **state)
{
    (void)state;
    enum { LONGEST = 1200 };
    static char text[LONGEST * (LONGEST + 3) / 2 + 1];
    size_t length = 0;
    for (size_t line = 1; line <= LONGEST; line++) {
        memset(text + length, 'a' + (int)(line % 26), line);
        length += line;
        text[length++] = '\n';
    }
    struct line_reader reader;
    FILE *file = text_file(text);
    line_reader_init(&reader, file, "input", NULL);
    for (size_t line = 1; line <= LONGEST; line++) {
        assert_int_equal(line_reader_next(&reader), 1);
        assert_int_equal(reader.length, line);
        assert_int_equal(strlen(reader.text), line);
        assert_int_equal(reader.text[line - 1], 'a' + (int)(line % 26));
    }
    assert_int_equal(line_reader_next(&reader), 0);
    line_reader_destroy(&reader);
    fclose(file);
}

/* A path may be longer than a message: its end is shown, and what is wrong. */
static void a_long_path_leaves_room_for_the_text(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    char path[5000];
    memset(path, 'd', sizeof path);
    memcpy(path + sizeof path - 11, "/trace.csv", 11);
    moehub_message_set(&message, path, 7, "expert %d twice", 3);
    assert_int_equal(strncmp(message.text, "...d", 4), 0);
    assert_non_null(strstr(message.text, "/trace.csv:7: expert 3 twice"));
    moehub_message_set(&message, "short", 0, "%s", "wrong");
    assert_string_equal(message.text, "short: wrong");
    moehub_message_set(&message, "short", 12, "%s", "wrong");
    assert_string_equal(message.text, "short:12: wrong");
    moehub_message_set(&message, NULL, 12, "%s", "wrong");
    assert_string_equal(message.text, "wrong");
    moehub_message_set(&message, NULL, 0, "%s", path);
    assert_int_equal(strlen(message.text), sizeof message.text - 1);
    moehub_message_set(NULL, "short", 1, "%s", "wrong");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_line_is_refused_where_the_bound_is),
        cmocka_unit_test(zeros_are_refused_at_once),
        cmocka_unit_test(a_file_that_fails_is_no_end_of_file),
        cmocka_unit_test(lines_end_in_any_way),
        cmocka_unit_test(a_byte_order_mark_is_no_text),
        cmocka_unit_test(lengths_are_kept),
        cmocka_unit_test(a_long_path_leaves_room_for_the_text),
    };
    return cmocka_run_group_tests_name("line_reader", tests, NULL, NULL);
}
