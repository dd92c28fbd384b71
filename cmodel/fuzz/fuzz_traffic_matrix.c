/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a traffic matrix: one that is accepted is written and read back as the same; a refusal names file and line. */
#include "fuzz.h"
#include "moehub/traffic_matrix.h"

#include <stdlib.h>
#include <string.h>

const char *const fuzz_seeds[] = {
    "", "Nodes 3\nConnections 2\n0->1 start 0 size 256\n2->0 start 0 size 1\n",
    "# two lines of a pair\nNodes 2\nConnections 2\n0->1 id 1 start 0 size 2147483647\n0->1 start 0 size 1\n",
    "Nodes 2\nConnections 1\n0->1 start 0 size 5 trigger 1\n", "Nodes 2\nConnections 3\n1->0 start 7 size 5\n", NULL,
};

static void check_same(const struct moehub_traffic_matrix *matrix)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return;
    moehub_traffic_matrix_write(matrix, file);
    fclose(file);
    struct moehub_traffic_matrix again = {0};
    file = fmemopen(text, size, "r");
    const int error = file != NULL ? moehub_traffic_matrix_read(&again, file, "again", NULL) : MOEHUB_E_MEMORY;
    if (error != MOEHUB_E_MEMORY && (error != 0 || again.gpus != matrix->gpus ||
        memcmp(again.bytes, matrix->bytes, sizeof *matrix->bytes * matrix->gpus * matrix->gpus) != 0))
        abort();
    if (file != NULL)
        fclose(file);
    free(text);
    moehub_traffic_matrix_destroy(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *file = fuzz_file(bytes, size);
    if (file == NULL)
        return 0;
    struct moehub_message message = {""};
    struct moehub_traffic_matrix matrix;
    const int error = moehub_traffic_matrix_read(&matrix, file, "input", &message);
    fclose(file);
    if (error == 0)
        check_same(&matrix);
    else if (error == MOEHUB_E_FORMAT && strncmp(message.text, "input:", 6) != 0)
        abort();
    moehub_traffic_matrix_destroy(&matrix);
    return 0;
}
