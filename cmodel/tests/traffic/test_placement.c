/* SPDX-License-Identifier: Apache-2.0 */
/* Expert placement against its definition, and every way in which a table can be wrong. */
#include "moehub/placement.h"
#include "common/support.h"

#include <stdbool.h>

/* Places that differ from the definition: expert e on the GPU of `gpu_of[e]`, local indices counted anew. */
static unsigned wrong_places(const struct moehub_placement *placement, const unsigned *gpu_of)
{
    unsigned wrong = 0;
    for (unsigned expert = 0; expert < placement->experts; expert++) {
        unsigned local = 0;
        for (unsigned before = 0; before < expert; before++)
            local += gpu_of[before] == gpu_of[expert];
        const struct moehub_place place = placement->places[expert];
        const bool right = place.gpu == gpu_of[expert] && place.local == local &&
                           moehub_placement_expert(placement, place.gpu, place.local) == expert;
        wrong += !right;
    }
    for (unsigned gpu = 0; gpu < placement->gpus; gpu++) {
        unsigned count = 0;
        for (unsigned expert = 0; expert < placement->experts; expert++)
            count += gpu_of[expert] == gpu;
        wrong += placement->local_counts[gpu] != count;
    }
    return wrong;
}

static const unsigned shapes[][2] = {{1, 1},   {1, 8},    {8, 8},    {8, 60},    {7, 60},  {32, 256},
                                     {64, 8},  {3, 1024}, {32, 896}, {1024, 60}, {5, 512}, {1024, 4096}};

static void block_is_floor_of_e_g_over_e(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const unsigned gpus = shapes[i][0];
        const unsigned experts = shapes[i][1];
        unsigned *gpu_of = calloc(experts, sizeof *gpu_of);
        assert_non_null(gpu_of);
        for (unsigned expert = 0; expert < experts; expert++)
            while ((gpu_of[expert] + 1) * experts <= expert * gpus)
                gpu_of[expert]++;
        struct moehub_placement placement;
        assert_int_equal(moehub_placement_create_block(&placement, gpus, experts), 0);
        assert_int_equal(wrong_places(&placement, gpu_of), 0);
        placement.places[experts / 2].local++;
        assert_int_not_equal(wrong_places(&placement, gpu_of), 0);
        placement.places[experts / 2].local--;
        placement.places[experts / 2].gpu ^= 1;
        placement.gpus = 0; /* look at the places only: the lists by GPU do not know the changed one */
        assert_int_not_equal(wrong_places(&placement, gpu_of), 0);
        moehub_placement_destroy(&placement);
        free(gpu_of);
    }
}

static void block_refuses_sizes_out_of_range(void **state)
{
    (void)state;
    struct moehub_placement placement;
    assert_int_equal(moehub_placement_create_block(&placement, 0, 8), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_placement_create_block(&placement, 1025, 8), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_placement_create_block(&placement, 8, 0), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_placement_create_block(&placement, 8, 4097), MOEHUB_E_ARGUMENT);
    moehub_placement_destroy(NULL);
}

static int read_table(struct moehub_placement *placement, const char *text, struct moehub_message *message)
{
    FILE *file = text_file(text);
    message->text[0] = '\0';
    const int error = moehub_placement_create_table(placement, 3, 4, file, "table", message);
    fclose(file);
    return error;
}

static void table_places_in_any_order(void **state)
{
    (void)state;
    const char *text = "# expert gpu\n3 0   # last first\n\n\t0  2\r\n2 0\n1 2";
    const unsigned gpu_of[] = {2, 2, 0, 0};
    const unsigned other[] = {2, 2, 0, 1};
    struct moehub_message message;
    struct moehub_placement placement;
    assert_int_equal(read_table(&placement, text, &message), 0);
    assert_int_equal(wrong_places(&placement, gpu_of), 0);
    assert_int_not_equal(wrong_places(&placement, other), 0);
    moehub_placement_destroy(&placement);
}

static const struct {
    const char *text;
    const char *start;  /* of the message */
} wrong_tables[] = {
    {"", "table:1: the table ends without a place for expert 0"},
    {"0 0\n1 1\n2 2\n", "table:3: the table ends without a place for expert 3"},
    {"0 0\n0 1\n", "table:2: expert 0 is placed a second time"},
    {"4 0\n", "table:1: expert 4: the layer has experts 0..3"},
    {"0 3\n", "table:1: GPU 3: the layer has GPUs 0..2"},
    {"0 0\n1\n", "table:2: expected two numbers"},
    {"0 0 0\n", "table:1: expected two numbers"},
    {"-1 0\n", "table:1: expected two numbers"},
    {"0 x\n", "table:1: expected two numbers"},
    {"0,1\n", "table:1: expected two numbers"},
    {"\n\nexpert gpu\n", "table:3: expected two numbers"},
    {"0 99999999999999999999\n", "table:1: expected two numbers"},
    {"0 0x1\n", "table:1: expected two numbers"},
};

static void table_errors_name_file_and_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_tables / sizeof wrong_tables[0]; i++) {
        struct moehub_message message;
        struct moehub_placement placement;
        assert_int_equal(read_table(&placement, wrong_tables[i].text, &message), MOEHUB_E_FORMAT);
        assert_memory_equal(message.text, wrong_tables[i].start, strlen(wrong_tables[i].start));
    }
}

static void table_refuses_bytes_and_missing_files(void **state)
{
    (void)state;
    struct moehub_message message;
    struct moehub_placement placement;
    char bytes[] = "0 0\n1\0 1\n";
    FILE *file = fmemopen(bytes, sizeof bytes - 1, "r");
    assert_int_equal(moehub_placement_create_table(&placement, 3, 4, file, "table", &message), MOEHUB_E_FORMAT);
    assert_string_equal(message.text, "table:2: a NUL byte: not a text file");
    fclose(file);
    assert_int_equal(moehub_placement_create_file(&placement, 3, 4, "/nowhere/table", &message), MOEHUB_E_FILE);
    assert_non_null(strstr(message.text, "/nowhere/table: "));
    assert_int_equal(moehub_placement_create_file(&placement, 3, 4, "/tmp", &message), MOEHUB_E_FILE);
}

static void table_refuses_endless_lines(void **state)
{
    (void)state;
    static const char bytes[] = {'1', ' ', '#'};
    for (size_t i = 0; i < sizeof bytes; i++) {
        struct moehub_message message = {""};
        struct moehub_placement placement;
        char byte = bytes[i];
        FILE *file = endless_file(&byte);
        assert_int_equal(moehub_placement_create_table(&placement, 3, 4, file, "table", &message), MOEHUB_E_FORMAT);
        assert_string_equal(message.text, "table:1: a line of more than 16777216 bytes");
        fclose(file);
    }
}

static void table_may_have_a_byte_order_mark(void **state)
{
    (void)state;
    const unsigned gpu_of[] = {2, 2, 0, 0};
    struct moehub_message message;
    struct moehub_placement placement;
    assert_int_equal(read_table(&placement, "\xEF\xBB\xBF" "3 0\r\n0 2\r\n2 0\r\n1 2\r\n", &message), 0);
    assert_int_equal(wrong_places(&placement, gpu_of), 0);
    moehub_placement_destroy(&placement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_is_floor_of_e_g_over_e),      cmocka_unit_test(block_refuses_sizes_out_of_range),
        cmocka_unit_test(table_places_in_any_order),         cmocka_unit_test(table_errors_name_file_and_line),
        cmocka_unit_test(table_refuses_bytes_and_missing_files),
        cmocka_unit_test(table_refuses_endless_lines),
        cmocka_unit_test(table_may_have_a_byte_order_mark),
    };
    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
