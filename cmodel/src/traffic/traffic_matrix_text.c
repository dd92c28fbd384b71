/* SPDX-License-Identifier: Apache-2.0 */
/* htsim's form of a traffic matrix. */
#include "moehub/traffic_matrix.h"

#include "common/line_reader.h"

#include <inttypes.h>
#include <string.h>

/* ---- writing -------------------------------------------------------------------- */

static uint64_t connections_of(const struct moehub_traffic_matrix *matrix)
{
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)matrix->gpus * matrix->gpus; i++)
        count += (matrix->bytes[i] + MOEHUB_TRAFFIC_MATRIX_FLOW_MAX - 1) / MOEHUB_TRAFFIC_MATRIX_FLOW_MAX;
    return count;
}

void moehub_traffic_matrix_write(const struct moehub_traffic_matrix *matrix, FILE *file)
{
    fprintf(file, "Nodes %u\nConnections %" PRIu64 "\n", matrix->gpus, connections_of(matrix));
    for (unsigned source = 0; source < matrix->gpus; source++)
        for (unsigned destination = 0; destination < matrix->gpus; destination++) {
            uint64_t left = matrix->bytes[(size_t)source * matrix->gpus + destination];
            while (left > 0) {
                const uint64_t flow = left < MOEHUB_TRAFFIC_MATRIX_FLOW_MAX ? left : MOEHUB_TRAFFIC_MATRIX_FLOW_MAX;
                fprintf(file, "%u->%u start 0 size %" PRIu64 "\n", source, destination, flow);
                left -= flow;
            }
        }
}

/* ---- reading -------------------------------------------------------------------- */

/* Moves past the word if it stands there. */
static bool scan_word(const char **cursor, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*cursor, word, length) != 0)
        return false;
    *cursor += length;
    scan_blanks(cursor);
    return true;
}

static bool scan_field(const char **cursor, unsigned long long *number)
{
    const bool there = scan_number(cursor, number);
    scan_blanks(cursor);
    return there;
}

/* `Nodes N`, `Connections N`. */
static int read_count(struct line_reader *reader, const char *word, unsigned long long most, unsigned long long *count)
{
    int status = line_reader_next(reader);
    while (status == 1 && reader->text[0] == '#')
        status = line_reader_next(reader);
    if (status < 0)
        return status;
    const char *cursor = reader->text;
    if (status == 0 || !scan_word(&cursor, word) || !scan_field(&cursor, count) || *cursor != '\0')
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "expected '%s N'", word);
    if (*count < 1 || *count > most)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s %llu: legal are 1..%llu", word, *count, most);
    return 0;
}

static int add_flow(struct moehub_traffic_matrix *matrix, const struct line_reader *reader)
{
    const char *cursor = reader->text;
    unsigned long long source = 0, destination = 0, start = 0, size = 0, id = 0;
    bool right = scan_field(&cursor, &source) && scan_word(&cursor, "->") && scan_field(&cursor, &destination);
    if (scan_word(&cursor, "id"))
        right = right && scan_field(&cursor, &id);
    right = right && scan_word(&cursor, "start") && scan_field(&cursor, &start) && scan_word(&cursor, "size") &&
            scan_field(&cursor, &size);
    if (!right || *cursor != '\0')
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "expected 'SOURCE->DESTINATION start 0 size BYTES'");
    if (source >= matrix->gpus || destination >= matrix->gpus)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "the nodes are 0..%u", matrix->gpus - 1);
    if (source == destination)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "node %llu sends to itself", source);
    if (start != 0)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "start %llu: a layer's flows all start at 0", start);
    if (size < 1 || size > INT32_MAX)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "size %llu: legal are 1..%d", size, INT32_MAX);
    matrix->bytes[source * matrix->gpus + destination] += size;
    return 0;
}

static int read_flows(struct moehub_traffic_matrix *matrix, struct line_reader *reader, unsigned long long connections)
{
    unsigned long long count = 0;
    int status;
    while ((status = line_reader_next(reader)) == 1) {
        if (reader->text[0] == '#')
            continue;
        const int error = add_flow(matrix, reader);
        if (error != 0)
            return error;
        count++;
    }
    if (status == 0 && count != connections)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "the file ends after %llu of %llu connections", count, connections);
    return status;
}

static int read_matrix(struct moehub_traffic_matrix *matrix, struct line_reader *reader)
{
    unsigned long long nodes = 0, connections = 0;
    int error = read_count(reader, "Nodes", MOEHUB_LAYER_GPUS_MAX, &nodes);
    if (error == 0)
        error = read_count(reader, "Connections", UINT32_MAX, &connections);
    if (error == 0)
        error = moehub_traffic_matrix_create(matrix, (unsigned)nodes);
    return error != 0 ? error : read_flows(matrix, reader, connections);
}

int moehub_traffic_matrix_read(struct moehub_traffic_matrix *matrix, FILE *file, const char *name,
                               struct moehub_message *message)
{
    *matrix = (struct moehub_traffic_matrix){0};
    struct line_reader reader;
    line_reader_init(&reader, file, name, message);
    const int error = read_matrix(matrix, &reader);
    line_reader_destroy(&reader);
    if (error != 0)
        moehub_traffic_matrix_destroy(matrix);
    return error;
}
