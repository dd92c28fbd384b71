/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic matrices against a count row by row; htsim's form and Chakra's traces read back by readers of the tests' own. */
#include "moehub/chakra.h"
#include "moehub/defines.h"
#include "moehub/traffic.h"
#include "moehub/traffic_matrix.h"
#include "common/support.h"

#include <inttypes.h>

enum { GPUS = 5, EXPERTS = 11, TOPK = 3, TOKENS = 40, HIDDEN = 192 };

static void create_layer(struct moehub_layer *layer)
{
    const struct moehub_layer_options options = {.gpus = GPUS, .tokens = TOKENS, .experts = EXPERTS, .topk = TOPK,
                                                 .hidden = HIDDEN, .element = MOEHUB_ELEMENT_BYTES, .seed = 3};
    assert_int_equal(moehub_layer_create(layer, &options, NULL), 0);
}

/* Rows of `source` with an expert on `destination`. */
static uint64_t count_rows(const struct moehub_layer *layer, unsigned source, unsigned destination)
{
    uint64_t rows = 0;
    for (uint32_t token = 0; token < layer->gpu_tokens[source]; token++) {
        const struct moehub_target *targets = moehub_layer_targets(layer, moehub_layer_row(layer, source, token));
        bool goes = false;
        for (unsigned i = 0; i < layer->topk; i++)
            goes |= targets[i].gpu == destination;
        rows += goes && source != destination;
    }
    return rows;
}

static void a_matrix_holds_what_crosses_the_links(void **state)
{
    (void)state;
    struct moehub_layer layer;
    struct moehub_traffic_matrix dispatch, combine;
    struct moehub_traffic traffic;
    create_layer(&layer);
    assert_int_equal(moehub_traffic_matrix_measure(&dispatch, &layer, MOEHUB_TRAFFIC_DISPATCH), 0);
    assert_int_equal(moehub_traffic_matrix_measure(&combine, &layer, MOEHUB_TRAFFIC_COMBINE), 0);
    assert_int_equal(moehub_traffic_measure(&layer, &traffic), 0);
    uint64_t out = 0, back = 0;
    for (unsigned i = 0; i < GPUS; i++)
        for (unsigned j = 0; j < GPUS; j++) {
            assert_int_equal(dispatch.bytes[i * GPUS + j], count_rows(&layer, i, j) * HIDDEN);
            assert_int_equal(combine.bytes[j * GPUS + i], count_rows(&layer, i, j) * HIDDEN * 2);
            out += dispatch.bytes[i * GPUS + j];
            back += combine.bytes[i * GPUS + j];
        }
    assert_int_equal(out, traffic.unicast.dispatch_up);
    assert_int_equal(back, traffic.unicast.combine_up);
    moehub_traffic_matrix_destroy(&dispatch);
    moehub_traffic_matrix_destroy(&combine);
    moehub_layer_destroy(&layer);
    moehub_traffic_matrix_destroy(NULL);
}

static int read_text(const char *text, struct moehub_traffic_matrix *matrix, struct moehub_message *message)
{
    FILE *file = text_file(text);
    const int error = moehub_traffic_matrix_read(matrix, file, "m.cm", message);
    fclose(file);
    return error;
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix, again;
    char text[1024] = "";
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 3), 0);
    matrix.bytes[0 * 3 + 2] = 384;
    matrix.bytes[2 * 3 + 1] = 2ull * MOEHUB_TRAFFIC_MATRIX_FLOW_MAX + 5;
    FILE *file = fmemopen(text, sizeof text, "w");
    moehub_traffic_matrix_write(&matrix, file);
    fclose(file);
    assert_string_equal(text, "Nodes 3\nConnections 4\n0->2 start 0 size 384\n2->1 start 0 size 1073741824\n"
                              "2->1 start 0 size 1073741824\n2->1 start 0 size 5\n");
    assert_int_equal(read_text(text, &again, NULL), 0);
    assert_int_equal(again.gpus, 3);
    assert_memory_equal(again.bytes, matrix.bytes, 9 * sizeof *matrix.bytes);
    moehub_traffic_matrix_destroy(&matrix);
    moehub_traffic_matrix_destroy(&again);
}

static void refuses_with_file_and_line(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "expected 'Nodes N'"},
        {"Connections 1\n", "m.cm:1: expected 'Nodes N'"},
        {"# a comment\nNodes 0\n", "m.cm:2: Nodes 0: legal are 1..1024"},
        {"Nodes 1025\n", "m.cm:1: Nodes 1025"},
        {"Nodes 2\nTriggers 1\n", "m.cm:2: expected 'Connections N'"},
        {"Nodes 2\nConnections 1\n", "the file ends after 0 of 1"},
        {"Nodes 2\nConnections 1\n0->1 start 0 size 1\n1->0 start 0 size 1\n", "the file ends after 2 of 1"},
        {"Nodes 2\nConnections 1\n0->2 start 0 size 1\n", "m.cm:3: the nodes are 0..1"},
        {"Nodes 2\nConnections 1\n1->1 start 0 size 1\n", "m.cm:3: node 1 sends to itself"},
        {"Nodes 2\nConnections 1\n0->1 start 5 size 1\n", "m.cm:3: start 5"},
        {"Nodes 2\nConnections 1\n0->1 start 0 size 0\n", "m.cm:3: size 0"},
        {"Nodes 2\nConnections 1\n0->1 start 0 size 2147483648\n", "m.cm:3: size 2147483648"},
        {"Nodes 2\nConnections 1\n0->1 start 0 size 1 trigger 1\n", "m.cm:3: expected 'SOURCE->"},
        {"Nodes 2\nConnections 1\n0-1 start 0 size 1\n", "m.cm:3: expected 'SOURCE->"},
        {"Nodes 2\nConnections 1\n0->1 size 1\n", "m.cm:3: expected 'SOURCE->"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct moehub_traffic_matrix matrix;
        struct moehub_message message = {""};
        assert_int_equal(read_text(cases[i][0], &matrix, &message), MOEHUB_E_FORMAT);
        if (strstr(message.text, cases[i][1]) == NULL)
            fail_msg("'%s' is not in '%s'", cases[i][1], message.text);
        assert_null(matrix.bytes);
    }
}

/* Pieces of all planes together are the matrix, planes differ by at most a piece of each flow, orders are drawn. */
static void planes_share_the_matrix(void **state)
{
    (void)state;
    enum { NODES = 4, PLANES = 3 };
    struct moehub_traffic_matrix matrix;
    uint64_t bytes[NODES * NODES] = {0};
    assert_int_equal(moehub_traffic_matrix_create(&matrix, NODES), 0);
    for (unsigned i = 0; i < NODES; i++)
        for (unsigned j = 0; j < NODES; j++)
            matrix.bytes[i * NODES + j] = i == j ? 0 : (5 + 3 * i + j) * 6 * 128;
    assert_int_equal(moehub_traffic_matrix_piece(&matrix, 128), 6);
    assert_int_equal(moehub_traffic_matrix_piece(&matrix, 5), 3);
    for (unsigned plane = 0; plane < PLANES; plane++) {
        struct moehub_layer layer;
        assert_int_equal(moehub_traffic_matrix_layer(&matrix, 3, PLANES, plane, 1, &layer, NULL), 0);
        for (unsigned gpu = 0; gpu < NODES; gpu++) {
            uint64_t rows[NODES] = {0};
            for (uint32_t token = 0; token < layer.gpu_tokens[gpu]; token++)
                rows[moehub_layer_targets(&layer, moehub_layer_row(&layer, gpu, token))->gpu]++;
            for (unsigned i = 0; i < NODES; i++) {
                const uint64_t pieces = matrix.bytes[gpu * NODES + i] / 384;
                assert_in_range(rows[i], pieces / PLANES, (pieces + PLANES - 1) / PLANES);
                bytes[gpu * NODES + i] += rows[i] * layer.dispatch_row_bytes;
            }
        }
        moehub_layer_destroy(&layer);
    }
    assert_memory_equal(bytes, matrix.bytes, sizeof bytes);
    moehub_traffic_matrix_destroy(&matrix);
}

/* One piece to each other GPU: not all on one plane. */
static void last_pieces_spread(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 4), 0);
    for (unsigned i = 0; i < 16; i++)
        matrix.bytes[i] = i % 5 == 0 ? 0 : 128;
    for (unsigned plane = 0; plane < 3; plane++) {
        struct moehub_layer layer;
        assert_int_equal(moehub_traffic_matrix_layer(&matrix, 1, 3, plane, 1, &layer, NULL), 0);
        assert_int_equal(layer.tokens, 4);
        assert_in_range(layer.tokens_per_gpu, 1, 2);
        moehub_layer_destroy(&layer);
    }
    moehub_traffic_matrix_destroy(&matrix);
}

static void the_seed_decides_the_order(void **state)
{
    (void)state;
    struct moehub_traffic_matrix matrix;
    struct moehub_layer layers[3];
    assert_int_equal(moehub_traffic_matrix_create(&matrix, 3), 0);
    matrix.bytes[1] = matrix.bytes[2] = 100 * 128;
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(moehub_traffic_matrix_layer(&matrix, 1, 1, 0, 1 + i / 2, &layers[i], NULL), 0);
    const size_t size = 200 * sizeof *layers[0].targets;
    assert_int_equal(layers[0].tokens, 200);
    assert_memory_equal(layers[0].targets, layers[1].targets, size);
    assert_memory_not_equal(layers[0].targets, layers[2].targets, size);
    for (int i = 0; i < 3; i++)
        moehub_layer_destroy(&layers[i]);
    moehub_traffic_matrix_destroy(&matrix);
}

/* ---- Chakra: a reader of protobuf that knows et_def.proto's numbers ------------- */

struct node {
    uint64_t id, type, dependencies, source, destination, size, tag, cpu;
    char name[64];
};

static uint64_t take_varint(const uint8_t **cursor)
{
    uint64_t value = 0;
    unsigned shift = 0;
    do {
        value |= (uint64_t)(**cursor & 0x7f) << shift;
        shift += 7;
    } while (*(*cursor)++ & 0x80);
    return value;
}

static void take_attribute(const uint8_t *cursor, struct node *node)
{
    assert_int_equal(*cursor++, 1 << 3 | 2);
    const size_t length = take_varint(&cursor);
    const char *name = (const char *)cursor;
    cursor += length;
    const uint64_t field = take_varint(&cursor);
    const uint64_t value = take_varint(&cursor);
    const struct {
        const char *name;
        unsigned field;
        uint64_t *place;
    } known[] = {{"is_cpu_op", 27, &node->cpu}, {"comm_src", 7, &node->source}, {"comm_dst", 7, &node->destination},
                 {"comm_size", 9, &node->size}, {"comm_tag", 7, &node->tag}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
            assert_int_equal(field, known[i].field << 3);
            *known[i].place = value;
            return;
        }
    fail_msg("attribute %.*s", (int)length, name);
}

static void take_dependencies(const uint8_t *cursor, size_t length, struct node *node)
{
    const uint8_t *end = cursor + length;
    while (cursor < end)
        assert_int_equal(take_varint(&cursor), ++node->dependencies);  /* 1, 2, ... */
    assert_ptr_equal(cursor, end);
}

static struct node take_node(const uint8_t *cursor, size_t length)
{
    const uint8_t *end = cursor + length;
    struct node node = {.source = 99, .destination = 99, .tag = 99, .cpu = 99};
    while (cursor < end) {
        const uint64_t field = take_varint(&cursor);
        const uint64_t value = take_varint(&cursor);
        if (field == (1 << 3 | 0))
            node.id = value;
        else if (field == (3 << 3 | 0))
            node.type = value;
        else {
            if (field == (2 << 3 | 2))
                snprintf(node.name, sizeof node.name, "%.*s", (int)value, (const char *)cursor);
            else if (field == (5 << 3 | 2))
                take_dependencies(cursor, value, &node);
            else if (field == (10 << 3 | 2))
                take_attribute(cursor, &node);
            else
                fail_msg("field %" PRIu64, field);
            cursor += value;
        }
    }
    assert_ptr_equal(cursor, end);
    return node;
}

/* Checks one node of a GPU's trace and takes its bytes from what the matrices still have. */
static void check_node(const struct node *node, unsigned gpu, struct moehub_traffic_matrix *left, uint64_t id, uint64_t receives)
{
    const bool send = node->type == 5;
    char name[64];
    assert_int_equal(node->id, id);
    assert_in_range(node->type, 5, 6);
    assert_in_range(node->tag, 0, 1);
    assert_int_equal(send ? node->source : node->destination, gpu);
    assert_in_range(send ? node->destination : node->source, 0, GPUS - 1);
    assert_int_equal(node->cpu, 0);
    assert_int_equal(node->dependencies, send && node->tag == 1 ? receives : 0);
    snprintf(name, sizeof name, "%s %s %" PRIu64, node->tag == 0 ? "dispatch" : "combine", send ? "to" : "from",
             send ? node->destination : node->source);
    assert_string_equal(node->name, name);
    uint64_t *bytes = &left[node->tag].bytes[node->source * GPUS + node->destination];
    assert_int_equal(node->size, *bytes);
    *bytes = 0;
}

static void check_trace(const uint8_t *cursor, size_t size, unsigned gpu, struct moehub_traffic_matrix *left)
{
    const uint8_t *end = cursor + size;
    uint64_t nodes = 0, receives = 0;
    const size_t metadata = take_varint(&cursor);
    assert_memory_equal(cursor, "\x0a\x05" "0.0.4", metadata);
    cursor += metadata;
    while (cursor < end) {
        const size_t length = take_varint(&cursor);
        const struct node node = take_node(cursor, length);
        check_node(&node, gpu, left, ++nodes, receives);
        receives += node.type == 6 && node.tag == 0;
        cursor += length;
    }
    assert_ptr_equal(cursor, end);
}

static void keep_of_gpu(struct moehub_traffic_matrix *matrix, unsigned gpu)
{
    for (unsigned i = 0; i < GPUS * GPUS; i++)
        if (i / GPUS != gpu && i % GPUS != gpu)
            matrix->bytes[i] = 0;
}

static void chakra_traces_have_every_flow_once(void **state)
{
    (void)state;
    struct moehub_layer layer;
    create_layer(&layer);
    for (unsigned gpu = 0; gpu < GPUS; gpu++) {
        struct moehub_traffic_matrix left[2];
        char *text = NULL;
        size_t size = 0;
        FILE *file = open_memstream(&text, &size);
        for (int phase = 0; phase < 2; phase++) {
            assert_int_equal(moehub_traffic_matrix_measure(&left[phase], &layer, (enum moehub_traffic_phase)phase), 0);
            left[phase].bytes[0 * GPUS + 1] = left[phase].bytes[2 * GPUS + 0] = 0;  /* a pair without bytes has no node */
        }
        moehub_chakra_write(&left[0], &left[1], gpu, file);
        fclose(file);
        check_trace((const uint8_t *)text, size, gpu, left);
        for (int phase = 0; phase < 2; phase++) {
            keep_of_gpu(&left[phase], gpu);
            for (unsigned i = 0; i < GPUS * GPUS; i++)
                assert_int_equal(left[phase].bytes[i], 0);
            moehub_traffic_matrix_destroy(&left[phase]);
        }
        free(text);
    }
    moehub_layer_destroy(&layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_holds_what_crosses_the_links),
        cmocka_unit_test(reads_what_it_writes),
        cmocka_unit_test(refuses_with_file_and_line),
        cmocka_unit_test(planes_share_the_matrix),
        cmocka_unit_test(last_pieces_spread),
        cmocka_unit_test(the_seed_decides_the_order),
        cmocka_unit_test(chakra_traces_have_every_flow_once),
    };
    return cmocka_run_group_tests_name("traffic_matrix", tests, NULL, NULL);
}
