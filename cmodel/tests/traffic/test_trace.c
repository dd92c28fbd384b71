/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded traces: three formats, warm-up, layers, every way to be wrong, and real recordings where there are any. */
#include "moehub/trace.h"
#include "common/support.h"
#include "traffic/trace_rows.h"

#include <stdbool.h>

static int read_text(struct moehub_trace *trace, const char *text, long layer, unsigned experts,
                     struct moehub_message *message)
{
    const struct moehub_trace_options options = {.layer = layer, .experts = experts};
    FILE *file = text_file(text);
    message->text[0] = '\0';
    const int error = moehub_trace_read(trace, file, "trace", &options, message);
    fclose(file);
    return error;
}

#define META "{\"type\": \"meta\", \"model_id\": \"m\", \"top_k\": 2, \"num_experts\": 8}\n"
#define ROUTE(layer, a, b) \
    "{\"type\": \"route\", \"req_id\": \"r\", \"token_idx\": 0, \"layer\": " #layer ", \"topk_ids\": [" #a ", " #b "]}\n"

static const struct {
    enum moehub_trace_format format;
    unsigned experts;  /* as the file says */
    const char *text;
} samples[] = {
    {MOEHUB_TRACE_VLLM, 8, META ROUTE(0, 1, 2) ROUTE(3, 4, 5) "\n" ROUTE(0, 7, 0)},
    {MOEHUB_TRACE_VLLM, 0, ROUTE(0, 1, 2) ROUTE(3, 4, 5) ROUTE(0, 7, 0)},
    {MOEHUB_TRACE_LLAMA_CPP, 0, "layer_id,experts\n0,\"1 2\"\r\n3,\"4 5\"\r\n0,\"7 0\"\r\n"},
    {MOEHUB_TRACE_LLAMA_CPP, 0, "0,\"1 2\"\n3,\"4 5\"\n 0, \" 7  0 \" \n"},
    {MOEHUB_TRACE_LLAMA_CPP, 0, "0,1 2\n3,4 5\n0,7 0"},
    {MOEHUB_TRACE_MEGATRON, 0,
     "{\"step\": 1, \"layer\": 0, \"rank\": 0, \"num_tokens\": 1, \"topk\": 2, \"top_indices\": [[1, 2]]}\n"
     "{\"step\": 1, \"layer\": 3, \"rank\": 0, \"num_tokens\": 1, \"topk\": 2, \"top_indices\": [[4, 5]]}\n"
     "{\"step\": 2, \"layer\": 0, \"rank\": 0, \"num_tokens\": 1, \"topk\": 2, \"top_indices\": [[7, 0]]}\n"},
    {MOEHUB_TRACE_MEGATRON, 0,
     "{\"step\": 1, \"layer\": 0, \"rank\": 0, \"num_tokens\": 2, \"topk\": 2, \"top_indices\": [1, 2, 7, 0]}\n"
     "{\"step\": 1, \"layer\": 3, \"rank\": 0, \"num_tokens\": 1, \"topk\": 2, \"top_indices\": [4, 5]}\n"
     "{\"step\": 2, \"layer\": 3, \"rank\": 0, \"num_tokens\": 0, \"topk\": 2, \"top_indices\": []}\n"},
};

static bool is(const struct moehub_trace *trace, const uint16_t *rows, size_t tokens)
{
    return trace->tokens == tokens && trace->topk == 2 && memcmp(trace->rows, rows, tokens * 2 * sizeof *rows) == 0;
}

static void all_formats_give_the_same_rows(void **state)
{
    (void)state;
    const uint16_t layer0[] = {1, 2, 7, 0};
    const uint16_t layer3[] = {4, 5};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct moehub_message message;
        struct moehub_trace trace;
        assert_int_equal(read_text(&trace, samples[i].text, MOEHUB_TRACE_ANY_LAYER, 8, &message), 0);
        assert_true(is(&trace, layer0, 2));
        assert_false(is(&trace, layer3, 1));
        assert_int_equal(trace.format, samples[i].format);
        assert_int_equal(trace.experts, samples[i].experts);
        assert_int_equal(trace.experts_seen, 8);
        assert_int_equal(trace.layer, 0);
        moehub_trace_destroy(&trace);
        assert_int_equal(read_text(&trace, samples[i].text, 3, 0, &message), 0);
        assert_true(is(&trace, layer3, 1));
        moehub_trace_destroy(&trace);
        assert_int_equal(read_text(&trace, samples[i].text, 2, 0, &message), MOEHUB_E_FORMAT);
        assert_non_null(strstr(message.text, "without a row of layer 2"));
    }
}

/* A byte-order mark in front hides neither format from the reader. */
static void a_byte_order_mark_changes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        struct moehub_message message;
        struct moehub_trace plain;
        struct moehub_trace marked;
        char text[2048] = "\xEF\xBB\xBF";
        strncat(text, samples[i].text, sizeof text - strlen(text) - 1);
        assert_int_equal(read_text(&plain, samples[i].text, MOEHUB_TRACE_ANY_LAYER, 8, &message), 0);
        assert_int_equal(read_text(&marked, text, MOEHUB_TRACE_ANY_LAYER, 8, &message), 0);
        assert_int_equal(marked.format, plain.format);
        assert_int_equal(marked.tokens, plain.tokens);
        assert_memory_equal(marked.rows, plain.rows, plain.tokens * plain.topk * sizeof *plain.rows);
        moehub_trace_destroy(&plain);
        moehub_trace_destroy(&marked);
    }
}

static void endless_lines_are_refused(void **state)
{
    (void)state;
    const struct moehub_trace_options options = {.layer = MOEHUB_TRACE_ANY_LAYER};
    static const char bytes[] = {'{', 'y', '1', '"', ' '};
    for (size_t i = 0; i < sizeof bytes; i++) {
        struct moehub_message message = {""};
        struct moehub_trace trace;
        char byte = bytes[i];
        FILE *file = endless_file(&byte);
        assert_int_equal(moehub_trace_read(&trace, file, "trace", &options, &message), MOEHUB_E_FORMAT);
        assert_string_equal(message.text, "trace:1: a line of more than 16777216 bytes");
        fclose(file);
    }
}

/* A file of ever more rows ends at the documented limit, and not before. */
static void rows_without_end_are_refused(void **state)
{
    (void)state;
    enum { TOPK = 3, MOST = MOEHUB_TRACE_IDS_MAX / TOPK };
    const long long ids[TOPK] = {1, 2, 3};
    struct moehub_message message = {""};
    struct moehub_trace trace = {.topk = TOPK, .tokens = MOST / 2 + 1, .layer = 4};
    struct trace_rows rows = {.trace = &trace, .limit = 8, .capacity = MOST / 2 + 1};
    line_reader_init(&rows.reader, NULL, "trace", &message);
    assert_int_equal(trace_rows_add(&rows, ids, TOPK), 0);
    assert_int_equal(rows.capacity, MOST);
    trace.tokens = MOST;
    assert_int_equal(trace_rows_add(&rows, ids, TOPK), MOEHUB_E_LIMIT);
    assert_string_equal(message.text, "trace:1: more than 89478485 tokens of layer 4");
    moehub_trace_destroy(&trace);
}

/* `same` equal rows of layer 0 with a row of layer 5 between any two, then `others` different ones. */
static char *warmup_text(int same, int others)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    for (int i = 0; i < same; i++)
        fprintf(file, "0,\"3 1\"\n5,\"%d 9\"\n", i % 8);
    for (int i = 0; i < others; i++)
        fprintf(file, "0,\"%d 9\"\n", i % 8);
    fclose(file);
    return text;
}

static void warmup_is_a_run_at_the_start(void **state)
{
    (void)state;
    for (int same = 1; same < 3 * MOEHUB_TRACE_WARMUP_LEAST; same++) {
        const bool dropped = same >= MOEHUB_TRACE_WARMUP_LEAST;
        char *text = warmup_text(same, 20);
        struct moehub_message message;
        struct moehub_trace trace;
        assert_int_equal(read_text(&trace, text, MOEHUB_TRACE_ANY_LAYER, 0, &message), 0);
        assert_int_equal(trace.warmup_rows, dropped ? same : 0);
        assert_int_equal(trace.tokens, dropped ? 20 : same + 20);
        assert_int_equal(trace.rows[0], dropped ? 0 : 3);
        moehub_trace_destroy(&trace);
        free(text);
    }
}

static void warmup_can_be_kept_but_not_be_all(void **state)
{
    (void)state;
    char *text = warmup_text(30, 0);
    struct moehub_message message;
    struct moehub_trace trace;
    const struct moehub_trace_options keep = {.layer = 0, .keep_warmup = true};
    FILE *file = text_file(text);
    assert_int_equal(moehub_trace_read(&trace, file, "trace", &keep, &message), 0);
    assert_int_equal(trace.tokens, 30);
    assert_int_equal(trace.warmup_rows, 0);
    moehub_trace_destroy(&trace);
    fclose(file);
    assert_int_equal(read_text(&trace, text, 0, 0, &message), MOEHUB_E_FORMAT);
    assert_string_equal(message.text, "trace:60: all 30 rows are the same: nothing but warm-up");
    free(text);
}

#define MEGATRON(tokens, topk, indices) \
    "{\"layer\": 0, \"num_tokens\": " #tokens ", \"topk\": " #topk ", \"top_indices\": " indices "}\n"

static const struct {
    const char *text;
    const char *start;  /* of the message */
} wrong_traces[] = {
    {"", "trace:1: the trace is empty"},
    {"\n \n\t\n", "trace:3: the trace is empty"},
    {META, "trace:1: the trace ends without a row"},
    {"layer_id,experts\n", "trace:1: the trace ends without a row"},
    {"hello\n", "trace:1: expected a layer number and a comma"},
    {"{\"type\": \"route\"\n", "trace:1: column "},
    {ROUTE(0, 1, 2) "[1]\n", "trace:2: not a JSON object"},
    {ROUTE(0, 1, 2) "{} x\n", "trace:2: column "},
    {"{\"a\": 1}\n", "trace:1: neither a vLLM line"},
    {"{\"type\": \"other\"}\n", "trace:1: \"type\" is neither"},
    {"{\"type\": 7}\n", "trace:1: \"type\" is neither"},
    {ROUTE(0, 1, 2) "{\"top_indices\": []}\n", "trace:2: \"type\" is neither"},
    {"{\"type\": \"route\", \"topk_ids\": [1]}\n", "trace:1: \"layer\" is missing"},
    {"{\"type\": \"route\", \"layer\": \"0\", \"topk_ids\": [1]}\n", "trace:1: \"layer\" is not an integer"},
    {"{\"type\": \"route\", \"layer\": -1, \"topk_ids\": [1]}\n", "trace:1: \"layer\" is -1; legal are"},
    {"{\"type\": \"route\", \"layer\": 0, \"layer\": 1, \"topk_ids\": [1]}\n", "trace:1: column "},
    {"{\"type\": \"route\", \"layer\": 0}\n", "trace:1: \"topk_ids\" is missing or not a list"},
    {"{\"type\": \"route\", \"layer\": 0, \"topk_ids\": 5}\n", "trace:1: \"topk_ids\" is missing or not a list"},
    {"{\"type\": \"route\", \"layer\": 0, \"topk_ids\": []}\n", "trace:1: a token goes to 0 experts"},
    {"{\"type\": \"route\", \"layer\": 0, \"topk_ids\": [1.5]}\n", "trace:1: an expert is not an integer"},
    {ROUTE(0, 1, 2) ROUTE(0, 3, 3), "trace:2: expert 3 twice in one token"},
    {ROUTE(0, 1, 2) ROUTE(0, 3, -4), "trace:2: expert -4: legal are 0..7"},
    {ROUTE(0, 1, 2) ROUTE(0, 8, 4), "trace:2: expert 8: legal are 0..7"},
    {ROUTE(0, 1, 2) "{\"type\": \"route\", \"layer\": 0, \"topk_ids\": [1]}\n",
     "trace:2: a token goes to 1 experts, others to 2"},
    {META "{\"type\": \"route\", \"layer\": 0, \"topk_ids\": [1]}\n", "trace:2: a token goes to 1 experts, others to 2"},
    {ROUTE(0, 1, 2) META, "trace:2: a meta line behind rows"},
    {"{\"type\": \"meta\", \"num_experts\": 9}\n" ROUTE(0, 1, 2), "trace:1: \"num_experts\" is 9; wanted are 8"},
    {"{\"type\": \"meta\", \"num_experts\": 0}\n", "trace:1: \"num_experts\" is 0; legal are"},
    {"{\"type\": \"meta\", \"top_k\": 65}\n", "trace:1: \"top_k\" is 65; legal are"},
    {"{\"top_indices\": [[1]]}\n", "trace:1: \"layer\" is missing"},
    {MEGATRON(-1, 2, "[]"), "trace:1: \"num_tokens\" is -1"},
    {MEGATRON(1, 0, "[]"), "trace:1: \"topk\" is 0"},
    {MEGATRON(1, 2, "7"), "trace:1: \"top_indices\" is missing or not a list"},
    {MEGATRON(2, 2, "[[1, 2]]"), "trace:1: \"top_indices\" has 1 tokens, \"num_tokens\" is 2"},
    {MEGATRON(2, 2, "[[1, 2], [3]]"), "trace:1: token 1 of \"top_indices\" is not a list of 2"},
    {MEGATRON(2, 2, "[[1, 2], 3]"), "trace:1: token 1 of \"top_indices\" is not a list of 2"},
    {MEGATRON(2, 2, "[1, 2, 3]"), "trace:1: \"top_indices\" has 3 experts, not 2 x 2"},
    {MEGATRON(1, 2, "[1, null]"), "trace:1: an expert is not an integer"},
    {MEGATRON(1, 2, "[1, 2]") MEGATRON(1, 1, "[1]"), "trace:2: a token goes to 1 experts, others to 2"},
    {"0;1 2\n", "trace:1: expected a layer number and a comma"},
    {"99999999999,1 2\n", "trace:1: expected a layer number and a comma"},
    {"0,\"1 2\n", "trace:1: the closing quote is missing"},
    {"0,1 2\"\n", "trace:1: something behind the experts"},
    {"0,\"1 2\" 3\n", "trace:1: something behind the experts"},
    {"0,\"1,2\"\n", "trace:1: expected expert numbers with blanks between them"},
    {"0,\"1 -2\"\n", "trace:1: expected expert numbers with blanks between them"},
    {"0,\"\"\n", "trace:1: a token goes to 0 experts"},
    {"0,\"1 99999999999999999999\"\n", "trace:1: expected expert numbers with blanks between them"},
    {"0,\"1 18446744073709551615\"\n", "trace:1: expected expert numbers with blanks between them"},
    {"-1,\"1 2\"\n0,\"1 2\"\n", "trace:1: expected a layer number and a comma"},
    {"\xEF\xBB\xBF{\"type\": 1,\"layer\": 0}\n", "trace:1: \"type\" is neither \"meta\" nor \"route\""},
    {"0,\"1 2\"\n\xEF\xBB\xBF" "0,\"1 2\"\n", "trace:2: expected a layer number and a comma"},
    {"0,\"1 2\"\nlayer_id,experts\n", "trace:2: expected a layer number and a comma"},
    {"0,\"1 8\"\n", "trace:1: expert 8: legal are 0..7"},
    {"0,0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 "
     "9 0 1 2 3 4\n",
     "trace:1: more than 64 experts in one token"},
};

static void errors_name_file_and_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_traces / sizeof wrong_traces[0]; i++) {
        struct moehub_message message;
        struct moehub_trace trace;
        const int error = read_text(&trace, wrong_traces[i].text, MOEHUB_TRACE_ANY_LAYER, 8, &message);
        if (error != MOEHUB_E_FORMAT || strncmp(message.text, wrong_traces[i].start, strlen(wrong_traces[i].start)) != 0)
            fail_msg("'%s' gave %d, '%s'; expected '%s'", wrong_traces[i].text, error, message.text, wrong_traces[i].start);
    }
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    const struct moehub_trace_options options = {.layer = MOEHUB_TRACE_ANY_LAYER};
    struct moehub_message message;
    struct moehub_trace trace;
    assert_int_equal(moehub_trace_open(&trace, "/nowhere/trace", &options, &message), MOEHUB_E_FILE);
    assert_non_null(strstr(message.text, "/nowhere/trace: "));
    assert_int_equal(moehub_trace_open(&trace, "/tmp", &options, &message), MOEHUB_E_FILE);
}

/* Recordings that may lie beside the repository, and what another program counted in them. */
static void check_recording(const char *name, size_t rows, size_t warmup, unsigned topk, unsigned experts)
{
    const char *folder = getenv("MOEHUB_TRACES");
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "../shared/traces", name);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        skip();
    const struct moehub_trace_options options = {.layer = MOEHUB_TRACE_ANY_LAYER};
    struct moehub_message message;
    struct moehub_trace trace;
    assert_int_equal(moehub_trace_read(&trace, file, path, &options, &message), 0);
    fclose(file);
    assert_int_equal(trace.format, MOEHUB_TRACE_VLLM);
    assert_int_equal(trace.warmup_rows, warmup);
    assert_int_equal(trace.tokens + trace.warmup_rows, rows);
    assert_int_equal(trace.topk, topk);
    assert_true(trace.experts_seen <= experts);
    moehub_trace_destroy(&trace);
}

static void recording_of_qwen(void **state)
{
    (void)state;
    check_recording("qwen1.5-moe-a2.7b.layer0.jsonl", 21024, 16640, 4, 60);
}

static void recording_of_olmoe(void **state)
{
    (void)state;
    check_recording("olmoe-1b-7b.layer0.jsonl", 6519, 2048, 8, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_byte_order_mark_changes_nothing),
        cmocka_unit_test(endless_lines_are_refused),
        cmocka_unit_test(rows_without_end_are_refused),
        cmocka_unit_test(all_formats_give_the_same_rows), cmocka_unit_test(warmup_is_a_run_at_the_start),
        cmocka_unit_test(warmup_can_be_kept_but_not_be_all), cmocka_unit_test(errors_name_file_and_line),
        cmocka_unit_test(a_missing_file_is_named),        cmocka_unit_test(recording_of_qwen),
        cmocka_unit_test(recording_of_olmoe),
    };
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
