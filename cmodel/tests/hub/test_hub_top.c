/* SPDX-License-Identifier: Apache-2.0 */
/* The whole hub at its edge: what it may do, case by case, and beside each what it must not. */
#include "moehub/hub_top.h"
#include "moehub/registers.h"

#include "common/support.h"

#include <string.h>

enum { ROUND = 3, ROW_BYTES = 256, LINE = 128, LIST = 0x1000, ROWS = 0x10000, SUMS = 0x20000, REGION = 0x1000, OTHERS_ROW = 5 };

static uint8_t payload(unsigned line, unsigned i)
{
    return (uint8_t)(31 * line + i + 1);
}

static void grant_all(struct moehub_hub_top *hub)
{
    for (unsigned c = 0; c < MOEHUB_CLASSES; c++)
        moehub_hub_top_grant(hub, 0, &(struct moehub_link_grant){true, (uint8_t)c, 200});
}

/* The hub of GPU 0 of two, with one link and two experts. */
static void begin(struct moehub_hub_top *hub, uint32_t capacity)
{
    struct moehub_hub_top_config config = moehub_hub_top_config_default();
    config.gpus = config.contexts = config.local_experts = 2;
    config.local_expert_bits = 1;
    config.max_targets = 4;
    config.request_lines = 2;
    config.offset_width = 9;
    config.tiles = config.tokens = 16;
    config.rows = 4;
    config.final_groups = 2;
    config.sets = 1;
    assert_int_equal(moehub_hub_top_create(hub, &config), 0);
    const struct moehub_context_shape shape = {.row_bytes = {ROW_BYTES, ROW_BYTES},
                                               .peers = 3,
                                               .owner_shift = 2,
                                               .counts_tokens = true,
                                               .list = LIST,
                                               .list_shift = 2,
                                               .tile_count = 8,
                                               .blocks = {1, 1}};
    assert_int_equal(moehub_hub_top_open(hub, 0, &shape), 0);
    for (unsigned expert = 0; expert < 2; expert++) {
        const struct moehub_hub_region region = {
            {ROWS + REGION * expert, SUMS + REGION * expert}, capacity, 4 * expert, 4};
        assert_int_equal(moehub_hub_top_region(hub, 0, expert, &region), 0);
    }
    assert_int_equal(moehub_hub_top_start(hub, 0, ROUND), 0);
    grant_all(hub);
}

/* ---- packets ------------------------------------------------------------------------------------------------------------- */

struct packet {
    struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST];
    unsigned count, packet_class;
};

static struct packet store_of(uint32_t row, unsigned source, unsigned line, uint16_t id, bool first)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_MULTIMEM_STORE,
                                         .first = first,
                                         .length = LINE,
                                         .source = (uint16_t)source,
                                         .element = MOEHUB_ELEMENT_BYTES,
                                         .offset = (uint16_t)(LINE * line),
                                         .row_index = row,
                                         .target_count = 1,
                                         .round = ROUND};
    struct packet packet = {.count = 2, .packet_class = MOEHUB_CLASS_STORE};
    uint8_t bytes[LINE];
    for (unsigned i = 0; i < LINE; i++)
        bytes[i] = payload(line, i);
    packet.flits[0] = moehub_header_pack(&header);
    packet.flits[1] = moehub_targets_pack(&id, 1, 0);
    for (unsigned i = 0; i < LINE; i += MOEHUB_FLIT_BYTES)
        packet.flits[packet.count++] = moehub_flit_from_bytes(bytes + i);
    return packet;
}

static struct packet notice_of(unsigned type, unsigned source, unsigned destination, uint32_t row_index, unsigned status)
{
    const struct moehub_header header = {.type = (uint8_t)type,
                                         .source = (uint16_t)source,
                                         .offset = (uint16_t)destination,
                                         .row_index = row_index,
                                         .status = (uint8_t)status,
                                         .stage = type == MOEHUB_PACKET_NOTIFY ? MOEHUB_STAGE_COMBINE : MOEHUB_STAGE_DISPATCH,
                                         .round = ROUND};
    return (struct packet){.flits = {moehub_header_pack(&header)}, .count = 1, .packet_class = MOEHUB_CLASS_RESPONSE};
}

static struct moehub_link_flit flit_of(const struct packet *packet, unsigned i)
{
    return (struct moehub_link_flit){true, (uint8_t)packet->packet_class, i == 0, i + 1 == packet->count, packet->flits[i]};
}

static void come(struct moehub_hub_top *hub, struct packet packet)
{
    for (unsigned i = 0; i < packet.count; i++) {
        const struct moehub_link_flit flit = flit_of(&packet, i);
        assert_int_equal(moehub_hub_top_come(hub, 0, &flit, NULL), 0);
    }
}

static int go(struct moehub_hub_top *hub, struct packet packet)
{
    int error = 0;
    for (unsigned i = 0; i < packet.count && error == 0; i++) {
        const struct moehub_link_flit flit = flit_of(&packet, i);
        error = moehub_hub_top_go(hub, 0, &flit);
    }
    return error;
}

/* ---- writes -------------------------------------------------------------------------------------------------------------- */

static int write_word(struct moehub_hub_top *hub, unsigned way, unsigned expert, unsigned slot, uint32_t row)
{
    const unsigned address = LIST + 16 * expert + 4 * slot, byte = address % MOEHUB_WAY_BEAT_BYTES;
    struct moehub_way_write write = {.address = address - byte, .beats = 1, .strobes = {UINT32_C(0xF) << byte}};
    write.data[0][byte] = (uint8_t)row;
    return moehub_hub_top_write(hub, way, &write);
}

static int write_line(struct moehub_hub_top *hub, unsigned way, unsigned expert, unsigned slot, unsigned line)
{
    struct moehub_way_write write = {.address = ROWS + REGION * expert + ROW_BYTES * slot + LINE * line, .beats = 4};
    for (unsigned i = 0; i < LINE; i++)
        write.data[i / MOEHUB_WAY_BEAT_BYTES][i % MOEHUB_WAY_BEAT_BYTES] = payload(line, i);
    memset(write.strobes, 0xFF, sizeof write.strobes);
    return moehub_hub_top_write(hub, way, &write);
}

static int told(struct moehub_hub_top *hub, unsigned kind, unsigned expert, uint32_t name, unsigned rows)
{
    const struct moehub_ready_event event = {
        .kind = (uint8_t)kind, .round = ROUND, .expert = (uint16_t)expert, .rows = (uint16_t)rows, .name = name};
    return moehub_hub_top_ready(hub, &event);
}

static void answer(struct moehub_hub_top *hub, unsigned way, unsigned writes)
{
    for (unsigned i = 0; i < writes; i++)
        assert_int_equal(moehub_hub_top_written(hub, way, false), 0);
}

/* Row 5 of GPU 1 has come whole to expert 1, in that slot. */
static void receive_row(struct moehub_hub_top *hub, uint32_t row, unsigned slot)
{
    come(hub, store_of(row, 1, 0, 1, true));
    come(hub, store_of(row, 1, 1, 1, false));
    assert_int_equal(write_word(hub, 0, 1, slot, row), 0);
    assert_int_equal(write_line(hub, 0, 1, slot, 0), 0);
    assert_int_equal(write_line(hub, 0, 1, slot, 1), 0);
}

static uint64_t counted(const struct moehub_hub_top *hub, unsigned window, unsigned event)
{
    uint64_t value = UINT64_MAX;
    assert_true(moehub_hub_top_counter(hub, window, event, &value));
    return value;
}

/* A store becomes its writes; its tile is told when all of them have their B, and once. */
static void test_store_is_written(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    receive_row(&hub, OTHERS_ROW, 2);
    answer(&hub, 0, 2);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_READY, 1, 2, 1), MOEHUB_E_STATE);
    answer(&hub, 0, 1);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_READY, 1, 2, 1), 0);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_READY, 1, 2, 1), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_written(&hub, 0, false), MOEHUB_E_STATE);
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_WAY, MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN), 2);
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_TILES_READY), 1);
    moehub_hub_top_destroy(&hub);
}

/* A write that comes twice, goes elsewhere, or has another byte. */
static void test_wrong_writes(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    receive_row(&hub, OTHERS_ROW, 2);
    assert_int_equal(write_line(&hub, 0, 1, 2, 1), MOEHUB_E_STATE);
    come(&hub, store_of(OTHERS_ROW + 1, 1, 0, 1, true));
    assert_int_equal(write_word(&hub, 0, 1, 2, OTHERS_ROW + 1), MOEHUB_E_STATE); /* a slot twice */
    assert_int_equal(write_word(&hub, 0, 0, 1, OTHERS_ROW + 1), MOEHUB_E_STATE); /* another expert's */
    assert_int_equal(write_line(&hub, 0, 1, 1, 0), MOEHUB_E_STATE);              /* the line before the word */
    moehub_hub_top_destroy(&hub);
    begin(&hub, 4);
    struct packet packet = store_of(OTHERS_ROW, 1, 0, 1, true);
    packet.flits[5].half[1] ^= 4;
    come(&hub, packet);
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW), 0);
    assert_int_equal(write_line(&hub, 0, 1, 0, 0), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
}

/* A store of another round, and one of another's row, are counted, and nothing of them is written. */
static void test_refused_stores(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    struct packet packet = store_of(OTHERS_ROW, 1, 0, 1, true);
    struct moehub_header header = moehub_header_unpack(packet.flits[0]);
    header.round = ROUND + 1;
    packet.flits[0] = moehub_header_pack(&header);
    come(&hub, packet);
    come(&hub, store_of(1, 1, 0, 1, true));
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_WAY, MOEHUB_HUB_WAY_CAUSE_ROUND), 1);
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_WAY, MOEHUB_HUB_WAY_CAUSE_OWNER), 1);
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_HANDLED), 1);
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
}

/* Of more rows than slots as many are refused as are too many, whichever; not one where all have room. */
static void test_full_region(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 1);
    come(&hub, store_of(OTHERS_ROW, 1, 0, 1, true));
    come(&hub, store_of(OTHERS_ROW + 1, 1, 0, 1, true));
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW + 1), 0); /* the first was refused */
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_WAY, MOEHUB_HUB_WAY_CAUSE_ANSWER), 1);
    moehub_hub_top_destroy(&hub);
    begin(&hub, 2);
    come(&hub, store_of(OTHERS_ROW, 1, 0, 1, true));
    come(&hub, store_of(OTHERS_ROW + 1, 1, 0, 1, true));
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW + 1), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
}

/* ---- rows out ------------------------------------------------------------------------------------------------------------ */

static void open_row(struct moehub_hub_top *hub, uint32_t row_index, uint16_t id, unsigned handle)
{
    const struct moehub_row row = {.row_index = row_index, .id = id, .immediate = true};
    assert_int_equal(moehub_hub_top_row(hub, &row), 0);
    assert_int_equal(moehub_hub_top_handle(hub, MOEHUB_STATUS_OK, handle, row_index), 0);
}

static void store_line(struct moehub_hub_top *hub, unsigned handle, unsigned line)
{
    for (unsigned first = 0; first < LINE; first += 32) {
        struct moehub_store store = {
            .mask = {{UINT32_MAX, 0}}, .handle = (uint16_t)handle, .offset = (uint16_t)(LINE * line + first)};
        for (unsigned i = 0; i < 32; i++)
            store.data[i] = payload(line, first + i);
        assert_int_equal(moehub_hub_top_store(hub, &store), 0);
    }
}

static struct packet own_store(unsigned line, bool first)
{
    struct packet packet = store_of(1, 0, line, 2, first);
    struct moehub_header header = moehub_header_unpack(packet.flits[0]);
    header.type = MOEHUB_PACKET_ROW_STORE;
    packet.flits[0] = moehub_header_pack(&header);
    return packet;
}

/* What the GPU stored leaves once, FIRST with the first packet, before the close, which has their number. */
static void test_row_leaves(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    open_row(&hub, 1, 2, 0x100);
    store_line(&hub, 0x100, 0);
    assert_int_equal(go(&hub, own_store(0, false)), MOEHUB_E_STATE);
    assert_int_equal(go(&hub, own_store(1, true)), MOEHUB_E_STATE);
    assert_int_equal(go(&hub, own_store(0, true)), 0);
    assert_int_equal(go(&hub, own_store(0, false)), MOEHUB_E_STATE);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 2, 0)), MOEHUB_E_STATE); /* nobody closed */
    assert_int_equal(moehub_hub_top_close(&hub, 0), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 2, 0)), MOEHUB_E_STATE); /* the row is not stored */
    store_line(&hub, 0x100, 1);
    assert_int_equal(go(&hub, own_store(1, false)), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 1, 0)), MOEHUB_E_STATE);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 2, 0)), 0);
    come(&hub, notice_of(MOEHUB_PACKET_CLOSE, 1, 0, 0, 0));
    assert_int_equal(told(&hub, MOEHUB_READY_ALL_ARRIVED, 0, 0, 0), 0);
    assert_int_equal(moehub_hub_top_stop(&hub, 0), 0);
    moehub_hub_top_destroy(&hub);
}

/* A line that never leaves. */
static void test_lost_bytes(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    open_row(&hub, 1, 2, 0x100);
    store_line(&hub, 0x100, 0);
    store_line(&hub, 0x100, 1);
    assert_int_equal(go(&hub, own_store(1, true)), 0);
    assert_int_equal(moehub_hub_top_close(&hub, 0), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 1, 0)), 0);
    assert_int_equal(moehub_hub_top_stop(&hub, 0), MOEHUB_E_STATE);
    assert_non_null(strstr(hub.why.text, "128 not sent"));
    moehub_hub_top_destroy(&hub);
}

/* Handles: their status, their entry; stores of none. */
static void test_handles(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    const struct moehub_row others = {.row_index = OTHERS_ROW, .immediate = true};
    assert_int_equal(moehub_hub_top_row(&hub, &others), 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_OK, 0x100, OTHERS_ROW), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    begin(&hub, 4);
    assert_int_equal(moehub_hub_top_row(&hub, &others), 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_RANGE, 0, OTHERS_ROW), 0);
    open_row(&hub, 1, 2, 0x100);
    store_line(&hub, 0x200, 0);
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_PACKET_MANAGER, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE), 4);
    const struct moehub_row second = {.row_index = 2, .id = 2, .immediate = true};
    assert_int_equal(moehub_hub_top_row(&hub, &second), 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_OK, 0x200, 2), MOEHUB_E_STATE); /* its entry is in use */
    moehub_hub_top_destroy(&hub);
}

/* A hub with a line stored, while ABORT is on its way to it. */
static void begin_abort(struct moehub_hub_top *hub)
{
    begin(hub, 4);
    open_row(hub, 1, 2, 0x100);
    store_line(hub, 0x100, 0);
    assert_int_equal(moehub_hub_top_abort(hub, 0), 0);
}

/* While ABORT is on its way a store may be dropped or not, and a row open or not; behind it they are dropped, and refused. What
 * was stored before may leave. */
static void test_abort(void **state)
{
    (void)state;
    const struct moehub_row second = {.row_index = 2, .id = 2, .immediate = true};
    struct moehub_hub_top hub;
    begin_abort(&hub);
    assert_int_equal(moehub_hub_top_row(&hub, &second), 0);
    store_line(&hub, 0x100, 1);
    moehub_hub_top_aborted(&hub, 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_CONTEXT, 0, 2), 0);
    assert_int_equal(go(&hub, own_store(1, true)), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 1, 0)), 0);
    come(&hub, notice_of(MOEHUB_PACKET_CLOSE, 1, 0, 0, 0));
    assert_int_equal(told(&hub, MOEHUB_READY_ALL_ARRIVED, 0, 0, 0), MOEHUB_E_STATE); /* it is not told as failed */
    moehub_hub_top_destroy(&hub);

    begin_abort(&hub);
    assert_int_equal(moehub_hub_top_row(&hub, &second), 0);
    moehub_hub_top_aborted(&hub, 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_OK, 0x101, 2), 0);
    assert_int_equal(moehub_hub_top_row(&hub, &second), 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_OK, 0x102, 2), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);

    begin_abort(&hub);
    moehub_hub_top_aborted(&hub, 0);
    store_line(&hub, 0x100, 1);
    assert_int_equal(go(&hub, own_store(1, true)), MOEHUB_E_STATE);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 1, 0)), 0);
    assert_int_equal(moehub_hub_top_stop(&hub, 0), MOEHUB_E_STATE); /* the pair that it announces was not sent */
    moehub_hub_top_destroy(&hub);
}

/* What the GPU stores for its own experts shows as writes alone. */
static void test_loop_back(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    open_row(&hub, 1, 1, 0x100);
    assert_int_equal(write_word(&hub, 1, 1, 3, 2), MOEHUB_E_STATE);
    store_line(&hub, 0x100, 0);
    store_line(&hub, 0x100, 1);
    assert_int_equal(write_word(&hub, 1, 1, 3, 1), 0);
    assert_int_equal(write_line(&hub, 1, 1, 3, 1), 0);
    assert_int_equal(write_line(&hub, 1, 1, 3, 1), MOEHUB_E_STATE);
    assert_int_equal(write_line(&hub, 1, 1, 3, 0), 0);
    answer(&hub, 1, 3);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_READY, 1, 3, 1), 0);
    moehub_hub_top_destroy(&hub);
}

/* ---- combine ------------------------------------------------------------------------------------------------------------- */

static struct moehub_line_data ones(void)
{
    struct moehub_line_data data = {.error = false};
    for (unsigned i = 0; i < LINE; i += 2) {
        data.bytes[i] = 0x80; /* bf16 1.0 */
        data.bytes[i + 1] = 0x3F;
    }
    return data;
}

static struct packet partial_of(uint16_t element)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_PARTIAL,
                                         .length = LINE,
                                         .tag = moehub_entry_tag(7, 9),
                                         .offset = 1,
                                         .stage = MOEHUB_STAGE_COMBINE,
                                         .round = ROUND};
    struct packet packet = {.count = 1 + LINE / MOEHUB_FLIT_BYTES, .packet_class = MOEHUB_CLASS_RESPONSE};
    packet.flits[0] = moehub_header_pack(&header);
    for (unsigned i = 1; i < packet.count; i++)
        packet.flits[i].half[0] = packet.flits[i].half[1] = UINT64_C(0x0001000100010001) * element;
    return packet;
}

static void ask(struct moehub_hub_top *hub)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_LD_REDUCE,
                                         .format = MOEHUB_FORMAT_COMPACT,
                                         .length = LINE / MOEHUB_FLIT_BYTES,
                                         .source = 1,
                                         .tag = moehub_entry_tag(7, 9),
                                         .operation = MOEHUB_OPERATION_SUM,
                                         .offset = LINE,
                                         .row_index = OTHERS_ROW,
                                         .stage = MOEHUB_STAGE_COMBINE,
                                         .target_count = 1,
                                         .round = ROUND,
                                         .local_targets = {1}};
    come(hub, (struct packet){.flits = {moehub_header_pack(&header)}, .count = 1, .packet_class = MOEHUB_CLASS_REQUEST});
}

/* A request of another GPU: the read of its row's slot, and its partial to the bit. */
static void test_request_is_served(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    const struct moehub_line_data data = ones();
    begin(&hub, 4);
    receive_row(&hub, OTHERS_ROW, 2);
    ask(&hub);
    assert_int_equal(go(&hub, partial_of(0x3F80)), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_data(&hub, 0, &data), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_read(&hub, 0, SUMS + REGION + 2 * ROW_BYTES, 4), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        begin(&hub, 4);
        receive_row(&hub, OTHERS_ROW, 2);
        ask(&hub);
        assert_int_equal(moehub_hub_top_read(&hub, 0, SUMS + REGION + 2 * ROW_BYTES + LINE, 4), 0);
        assert_int_equal(moehub_hub_top_data(&hub, 0, &data), 0);
        assert_int_equal(go(&hub, partial_of((uint16_t)(0x3F80 + wrong))), wrong != 0 ? MOEHUB_E_STATE : 0);
        moehub_hub_top_destroy(&hub);
    }
}

static int reduced(struct moehub_hub_top *hub, uint16_t element)
{
    const struct moehub_reduced line = {.tag = 0xABC, .length = LINE};
    struct moehub_flit flit = {{UINT64_C(0x0001000100010001) * element, UINT64_C(0x0001000100010001) * element}};
    int error = 0;
    for (unsigned i = 0; i < LINE / MOEHUB_FLIT_BYTES && error == 0; i++)
        error = moehub_hub_top_reduced(hub, 0, flit, moehub_reduced_user(&line), i + 1 == LINE / MOEHUB_FLIT_BYTES);
    return error;
}

/* A sum of the network's result and the own part: 1 + 1, not before both are there; nor anything else. */
static void test_sum(void **state)
{
    (void)state;
    const struct moehub_reduce reduce = {.row_index = 1, .tag = 0xABC, .line = 0, .length = 8, .count = 2, .address = 0x5000};
    const struct moehub_header request = {.type = MOEHUB_PACKET_LD_REDUCE,
                                          .length = 8,
                                          .tag = 0x070002,
                                          .operation = MOEHUB_OPERATION_SUM,
                                          .row_index = 1,
                                          .stage = MOEHUB_STAGE_COMBINE,
                                          .target_count = 1,
                                          .round = ROUND};
    const uint16_t list[] = {1, 2};
    const struct moehub_line_data data = ones();
    for (unsigned wrong = 0; wrong < 3; wrong++) {
        struct moehub_hub_top hub;
        begin(&hub, 4);
        open_row(&hub, 1, 1, 0x100);
        store_line(&hub, 0x100, 0);
        assert_int_equal(write_word(&hub, 1, 1, 0, 1), 0);
        assert_int_equal(write_line(&hub, 1, 1, 0, 0), 0);
        assert_int_equal(moehub_hub_top_reduce(&hub, &reduce), 0);
        assert_int_equal(moehub_hub_top_list_read(&hub, MOEHUB_HUB_TOP_LIST_REDUCES, 0x5000), 0);
        assert_int_equal(moehub_hub_top_list_data(&hub, MOEHUB_HUB_TOP_LIST_REDUCES, moehub_targets_pack(list, 2, 0), false), 0);
        struct packet up = {.flits = {moehub_header_pack(&request), moehub_targets_pack(list + 1, 1, 0)},
                            .count = 2,
                            .packet_class = MOEHUB_CLASS_REQUEST};
        assert_int_equal(go(&hub, up), 0);
        assert_int_equal(go(&hub, up), MOEHUB_E_STATE);
        assert_int_equal(moehub_hub_top_read(&hub, 1, SUMS + REGION, 4), 0);
        assert_int_equal(moehub_hub_top_data(&hub, 1, &data), 0);
        struct packet result = partial_of(0x3F80);
        const struct moehub_header header = {.type = MOEHUB_PACKET_RESULT, .length = LINE, .tag = 0x070002,
                                             .stage = MOEHUB_STAGE_COMBINE, .round = ROUND};
        result.flits[0] = moehub_header_pack(&header);
        if (wrong != 2)
            come(&hub, result);
        assert_int_equal(reduced(&hub, wrong == 1 ? 0x4001 : 0x4000), wrong != 0 ? MOEHUB_E_STATE : 0);
        assert_int_equal(reduced(&hub, 0x4000), MOEHUB_E_STATE); /* once */
        moehub_hub_top_destroy(&hub);
    }
}

/* After both GEMMs the owners are told by the words of the row list; a token of the own GPU when all its experts did. */
static void test_notifies(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    receive_row(&hub, OTHERS_ROW, 0);
    answer(&hub, 0, 3);
    open_row(&hub, 1, 2, 0x100);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_READY, 1, 0, 1), 0);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_COMPUTED, 1, 0, 1), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_done(&hub, 0, 1, 0, 0), 0);
    assert_int_equal(told(&hub, MOEHUB_READY_TILE_COMPUTED, 1, 0, 1), 0);
    assert_int_equal(moehub_hub_top_list_read(&hub, MOEHUB_HUB_TOP_LIST_NOTIFIES, LIST + 16), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_done(&hub, 0, 1, 0, 1), 0);
    assert_int_equal(moehub_hub_top_list_read(&hub, MOEHUB_HUB_TOP_LIST_NOTIFIES, LIST + 16), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_NOTIFY, 0, 1, OTHERS_ROW, 0)), MOEHUB_E_STATE);
    const struct moehub_flit words = {{OTHERS_ROW, 0}};
    assert_int_equal(moehub_hub_top_list_data(&hub, MOEHUB_HUB_TOP_LIST_NOTIFIES, words, false), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_NOTIFY, 0, 1, OTHERS_ROW, 0)), 0);
    assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_NOTIFY, 0, 1, OTHERS_ROW, 0)), MOEHUB_E_STATE);
    assert_int_equal(told(&hub, MOEHUB_READY_TOKEN_READY, 0, 1, 0), MOEHUB_E_STATE);
    come(&hub, notice_of(MOEHUB_PACKET_NOTIFY, 1, 0, 1, MOEHUB_STATUS_OK));
    assert_int_equal(told(&hub, MOEHUB_READY_TOKEN_READY, 0, 1, 0), 0);
    moehub_hub_top_destroy(&hub);
}

/* ---- the table port -------------------------------------------------------------------------------------------------------- */

enum { EPOCH = 5, SLOT_BITS = 22 };

static uint64_t entry_of(unsigned expert, uint32_t row)
{
    return 4 * (8 * expert + row);
}

/* An announced row's entry is read, then written with its slot, once, and nobody reads it before the B; then it is in the
 * AL-TLB, until another of its set was read. */
static void test_table_of_a_row(void **state)
{
    (void)state;
    const uint64_t entry = entry_of(1, OTHERS_ROW);
    const uint32_t word = (uint32_t)EPOCH << SLOT_BITS | 2;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    assert_int_equal(moehub_hub_top_table_read(&hub, entry), MOEHUB_E_STATE); /* nobody needs it */
    come(&hub, store_of(OTHERS_ROW, 1, 0, 1, true));
    assert_int_equal(moehub_hub_top_table_read(&hub, entry_of(0, OTHERS_ROW)), MOEHUB_E_STATE); /* another expert's */
    assert_int_equal(moehub_hub_top_table_read(&hub, entry + 1), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_table_read(&hub, entry_of(2, 0)), MOEHUB_E_STATE); /* beyond the table */
    assert_int_equal(moehub_hub_top_table_write(&hub, entry, word), MOEHUB_E_STATE);   /* before its read */
    assert_int_equal(moehub_hub_top_table_read(&hub, entry), 0);
    assert_int_equal(moehub_hub_top_table_read(&hub, entry), MOEHUB_E_STATE);
    assert_int_equal(write_word(&hub, 0, 1, 2, OTHERS_ROW), 0);
    assert_int_equal(write_line(&hub, 0, 1, 2, 0), 0);
    assert_int_equal(moehub_hub_top_table_data(&hub, entry), 0);
    assert_int_equal(moehub_hub_top_table_write(&hub, entry, word), 0);
    come(&hub, store_of(OTHERS_ROW, 1, 1, 1, false));
    assert_int_equal(moehub_hub_top_table_read(&hub, entry), MOEHUB_E_STATE); /* the write has no B */
    assert_int_equal(moehub_hub_top_table_written(&hub, entry), 0);
    assert_int_equal(moehub_hub_top_table_written(&hub, entry), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_table_read(&hub, entry), MOEHUB_E_STATE); /* it is in the AL-TLB */
    hub.last_of_set[0] = 1; /* sets = 1: another entry came */
    assert_int_equal(moehub_hub_top_table_read(&hub, entry), 0);
    assert_int_equal(moehub_hub_top_table_data(&hub, entry), 0);
    assert_int_equal(moehub_hub_top_table_write(&hub, entry, word), MOEHUB_E_STATE); /* once */
    moehub_hub_top_destroy(&hub);
}

static struct moehub_hub_top *announced(struct moehub_hub_top *hub)
{
    begin(hub, 4);
    come(hub, store_of(OTHERS_ROW, 1, 0, 1, true));
    assert_int_equal(moehub_hub_top_table_read(hub, entry_of(1, OTHERS_ROW)), 0);
    assert_int_equal(moehub_hub_top_table_data(hub, entry_of(1, OTHERS_ROW)), 0);
    return hub;
}

/* Entry and word have one slot, whichever was written first; each row that got one has an entry; all have one epoch. */
static void test_table_writes(void **state)
{
    (void)state;
    const uint64_t entry = entry_of(1, OTHERS_ROW);
    struct moehub_hub_top hub;
    assert_int_equal(moehub_hub_top_table_write(announced(&hub), entry, (uint32_t)EPOCH << SLOT_BITS | 3), 0);
    assert_int_equal(write_word(&hub, 0, 1, 2, OTHERS_ROW), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    assert_int_equal(write_word(announced(&hub), 0, 1, 2, OTHERS_ROW), 0);
    assert_int_equal(moehub_hub_top_table_write(&hub, entry, (uint32_t)EPOCH << SLOT_BITS | 3), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    assert_int_equal(moehub_hub_top_table_write(announced(&hub), entry, (uint32_t)EPOCH << SLOT_BITS | 4), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    assert_int_equal(moehub_hub_top_table_write(announced(&hub), entry, 2), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    assert_int_equal(moehub_hub_top_table_write(announced(&hub), entry, (uint32_t)EPOCH << SLOT_BITS | 2), 0);
    come(&hub, store_of(OTHERS_ROW + 1, 1, 0, 1, true));
    assert_int_equal(moehub_hub_top_table_read(&hub, entry + 4), 0);
    assert_int_equal(moehub_hub_top_table_data(&hub, entry + 4), 0);
    assert_int_equal(moehub_hub_top_table_write(&hub, entry + 4, (uint32_t)(EPOCH + 1) << SLOT_BITS | 1), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    announced(&hub);
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW), 0);
    assert_int_equal(write_line(&hub, 0, 1, 0, 0), 0);
    answer(&hub, 0, 2);
    assert_int_equal(moehub_hub_top_stop(&hub, 0), MOEHUB_E_STATE); /* the entry was not written */
    assert_non_null(strstr(hub.why.text, "not as many as slots"));
    moehub_hub_top_destroy(&hub);
}

/* ---- error latches, interrupts ------------------------------------------------------------------------------------------- */

static const struct moehub_hub_offender nothing = {.caught = false};

static struct moehub_hub_offender offender_of(unsigned cause, struct moehub_flit header, uint32_t name)
{
    return (struct moehub_hub_offender){.caught = true,
                                        .cause = (uint8_t)cause,
                                        .header = {(uint32_t)header.half[0], (uint32_t)(header.half[0] >> 32),
                                                   (uint32_t)header.half[1], (uint32_t)(header.half[1] >> 32)},
                                        .name = name};
}

/* A store whose header was changed. */
static struct packet bad_store(unsigned round, unsigned source, uint32_t row)
{
    struct packet packet = store_of(row, source, 0, 1, true);
    struct moehub_header header = moehub_header_unpack(packet.flits[0]);
    header.round = (uint8_t)round;
    packet.flits[0] = moehub_header_pack(&header);
    return packet;
}

/* Of two stores that are refused the first, header and all; with a notice of another round that one, too, as nobody knows which
 * of the two classes was looked at first. Only that one, once the latch was read; and the next, once it was freed. */
static void test_latch_has_the_first(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    const struct packet first = bad_store(ROUND + 1, 1, OTHERS_ROW), second = bad_store(ROUND, 1, 1);
    struct packet close = notice_of(MOEHUB_PACKET_CLOSE, 1, 0, 0, 0);
    struct moehub_header header = moehub_header_unpack(close.flits[0]);
    header.round = ROUND + 2;
    close.flits[0] = moehub_header_pack(&header);
    const struct moehub_hub_offender round = offender_of(MOEHUB_HUB_WAY_CAUSE_ROUND, first.flits[0], 0);
    const struct moehub_hub_offender owner = offender_of(MOEHUB_HUB_WAY_CAUSE_OWNER, second.flits[0], 0);
    const struct moehub_hub_offender other = offender_of(MOEHUB_HUB_WAY_CAUSE_ROUND, close.flits[0], 0);
    struct moehub_hub_offender wrong = round;
    wrong.header[2] ^= 1;
    const struct moehub_hub_offender *const illegal[] = {&nothing, &owner, &wrong};
    for (unsigned i = 0; i < sizeof illegal / sizeof *illegal; i++) {
        come(&hub, first);
        come(&hub, second);
        assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_WAY, illegal[i]), MOEHUB_E_STATE);
    }
    come(&hub, first);
    come(&hub, second);
    come(&hub, close);
    assert_int_equal(moehub_hub_top_latch(&hub, MOEHUB_WINDOW_WAY, &nothing), 0); /* it may be on its way */
    assert_int_equal(moehub_hub_top_latch(&hub, MOEHUB_WINDOW_WAY, &other), 0);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_WAY, &other), 0);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_WAY, &nothing), 0);
    come(&hub, first);
    come(&hub, close);
    assert_int_equal(moehub_hub_top_latch(&hub, MOEHUB_WINDOW_WAY, &other), 0);
    assert_int_equal(moehub_hub_top_latch(&hub, MOEHUB_WINDOW_WAY, &nothing), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_WAY, &round), MOEHUB_E_STATE); /* it held the other */
    come(&hub, second);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_WAY, &owner), 0);
    moehub_hub_top_destroy(&hub);
}

/* A pair that finds its region full: the way's latch names the row, that of the address path the whole question. */
static void test_latches_of_a_full_region(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 1);
    come(&hub, store_of(OTHERS_ROW, 1, 0, 1, true));
    come(&hub, store_of(OTHERS_ROW + 1, 1, 0, 1, true));
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW + 1), 0);
    struct moehub_header header = {.source = 1, .row_index = OTHERS_ROW, .status = MOEHUB_STATUS_FULL};
    struct moehub_hub_offender offender = offender_of(MOEHUB_HUB_WAY_CAUSE_ANSWER, moehub_header_pack(&header), 0);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_WAY, &offender), 0);
    header.type = MOEHUB_PACKET_ROW_STORE;
    header.first = true;
    header.length = LINE;
    header.tag = 1;
    offender = offender_of(MOEHUB_HUB_CAUSE_FULL, moehub_header_pack(&header), 1);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_ADDRESS_PATH, &offender), 0);
    moehub_hub_top_destroy(&hub);
}

/* Rows, stores and blocks that are refused: packet manager and tile tracker. */
static void test_latches_of_items(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    const struct moehub_row others = {.row_index = OTHERS_ROW, .immediate = true};
    assert_int_equal(moehub_hub_top_row(&hub, &others), 0);
    assert_int_equal(moehub_hub_top_handle(&hub, MOEHUB_STATUS_RANGE, 0, OTHERS_ROW), 0);
    store_line(&hub, 0x200, 1);
    assert_int_equal(moehub_hub_top_done(&hub, 0, 1, 2, 0), 0);
    const struct moehub_header row = {.row_index = OTHERS_ROW, .status = MOEHUB_STATUS_RANGE};
    const struct moehub_header store = {.offset = LINE, .tag = 0x200}, block = {.row_index = 2, .tag = 1};
    const struct moehub_hub_offender of_row = offender_of(MOEHUB_PACKET_MANAGER_CAUSE_ROW, moehub_header_pack(&row), 0);
    const struct moehub_hub_offender of_store = offender_of(MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, moehub_header_pack(&store), 0);
    const struct moehub_hub_offender of_block = offender_of(MOEHUB_TILE_TRACKER_CAUSE_DONE, moehub_header_pack(&block), 0);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_TILE_TRACKER, &of_block), 0);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_PACKET_MANAGER, &of_row), 0);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_PACKET_MANAGER, &of_store), MOEHUB_E_STATE); /* freed */
    store_line(&hub, 0x200, 1);
    assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_PACKET_MANAGER, &of_store), 0);
    moehub_hub_top_destroy(&hub);
}

static struct moehub_hub_offender aborted_store(unsigned offset)
{
    const struct moehub_header header = {.row_index = 1, .offset = (uint16_t)offset, .tag = 0x100};
    return offender_of(MOEHUB_PACKET_MANAGER_CAUSE_ABORTED, moehub_header_pack(&header), 0);
}

/* The first store that is dropped may be one that the hub had not decided, and the first behind ABORT at the latest. */
static void test_latch_of_abort(void **state)
{
    (void)state;
    const unsigned offsets[] = {0, LINE, LINE + 32};
    for (unsigned i = 0; i < 3; i++) {
        const struct moehub_hub_offender offender = aborted_store(offsets[i]);
        struct moehub_hub_top hub;
        begin_abort(&hub);
        moehub_hub_top_aborted(&hub, 0);
        store_line(&hub, 0x100, 1);
        assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_PACKET_MANAGER, &offender),
                         offsets[i] == LINE + 32 ? MOEHUB_E_STATE : 0);
        moehub_hub_top_destroy(&hub);
    }
}

/* A tile of one row is finished, and its word says that the row is that one. */
static void finish_tile(struct moehub_hub_top *hub, uint32_t row)
{
    const struct moehub_flit words = {{row, 0}};
    receive_row(hub, OTHERS_ROW, 0);
    answer(hub, 0, 3);
    assert_int_equal(told(hub, MOEHUB_READY_TILE_READY, 1, 0, 1), 0);
    assert_int_equal(moehub_hub_top_done(hub, 0, 1, 0, 0), 0);
    assert_int_equal(told(hub, MOEHUB_READY_TILE_COMPUTED, 1, 0, 1), 0);
    assert_int_equal(moehub_hub_top_done(hub, 0, 1, 0, 1), 0);
    assert_int_equal(moehub_hub_top_list_read(hub, MOEHUB_HUB_TOP_LIST_NOTIFIES, LIST + 16), 0);
    assert_int_equal(moehub_hub_top_list_data(hub, MOEHUB_HUB_TOP_LIST_NOTIFIES, words, false), 0);
}

/* An own notify for a token that waits for none is counted as such. Once the context is being disabled, it may be refused by the
 * loop-back instead: then nobody knows what is counted. One for another GPU goes its way. */
static void test_own_notify_is_late(void **state)
{
    (void)state;
    enum { OWN_ROW = 1 };
    const unsigned loop = MOEHUB_WINDOW_WAY + 1;
    const struct moehub_header way = {.type = MOEHUB_PACKET_NOTIFY, .row_index = OWN_ROW, .round = ROUND,
                                      .stage = MOEHUB_STAGE_COMBINE};
    const struct moehub_header tracker = {.row_index = OWN_ROW};
    const struct moehub_hub_offender refused =
        offender_of(MOEHUB_HUB_WAY_CAUSE_CONTEXT, moehub_header_pack(&way), 1u << 16);
    const struct moehub_hub_offender late = offender_of(MOEHUB_TILE_TRACKER_CAUSE_NOTIFY, moehub_header_pack(&tracker), 0);
    for (unsigned disabled = 0; disabled < 2; disabled++)
        for (uint32_t row = OWN_ROW; row <= OTHERS_ROW; row += OTHERS_ROW - OWN_ROW) {
            struct moehub_hub_top hub;
            uint64_t taken;
            begin(&hub, 4);
            finish_tile(&hub, row);
            if (disabled)
                moehub_hub_top_disable(&hub, 0);
            const bool own = row == OWN_ROW, may = own && disabled;
            assert_int_equal(moehub_hub_top_counter(&hub, MOEHUB_WINDOW_TILE_TRACKER, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN,
                                                    &taken), !may);
            assert_int_equal(taken, own);
            assert_int_equal(moehub_hub_top_offender(&hub, loop, &nothing), 0);
            assert_int_equal(moehub_hub_top_offender(&hub, MOEHUB_WINDOW_TILE_TRACKER, own ? &late : &nothing), 0);
            moehub_hub_top_destroy(&hub);
            begin(&hub, 4);
            finish_tile(&hub, row);
            if (disabled)
                moehub_hub_top_disable(&hub, 0);
            assert_int_equal(moehub_hub_top_offender(&hub, loop, &refused), may ? 0 : MOEHUB_E_STATE);
            moehub_hub_top_destroy(&hub);
        }
}

/* Events once each, of offenders that were caught; the windows that ask, by their masks; the pin, which does not fall alone. */
static void test_interrupts(void **state)
{
    (void)state;
    const unsigned way = MOEHUB_WINDOW_WAY, latched = MOEHUB_CSR_INTERRUPT_STATUS_LATCHED;
    const struct packet packet = bad_store(ROUND + 1, 1, OTHERS_ROW);
    const struct moehub_hub_offender offender = offender_of(MOEHUB_HUB_WAY_CAUSE_ROUND, packet.flits[0], 0);
    struct moehub_hub_top hub;
    begin(&hub, 4);
    moehub_hub_top_mask(&hub, way, latched);
    assert_int_equal(moehub_hub_top_interrupts(&hub, 0), 0);
    assert_int_equal(moehub_hub_top_interrupts(&hub, 1u << way), MOEHUB_E_STATE);
    come(&hub, packet);
    moehub_hub_top_interrupt(&hub, true);
    assert_int_equal(moehub_hub_top_interrupts(&hub, 1u << way), 0);
    assert_int_equal(moehub_hub_top_interrupts(&hub, 0), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_interrupts(&hub, 3u << way), MOEHUB_E_STATE);
    moehub_hub_top_interrupt(&hub, false);
    assert_int_equal(moehub_hub_top_latch(&hub, way, &offender), MOEHUB_E_STATE); /* nobody has taken the event */
    assert_int_equal(moehub_hub_top_events(&hub, way, latched), 0);
    assert_int_equal(moehub_hub_top_interrupts(&hub, 0), 0);
    come(&hub, packet);
    assert_int_equal(moehub_hub_top_events(&hub, way, latched), MOEHUB_E_STATE); /* the latch holds the one before */
    assert_int_equal(moehub_hub_top_offender(&hub, way, &offender), 0);
    assert_int_equal(moehub_hub_top_events(&hub, way, 0), 0);
    come(&hub, packet);
    assert_int_equal(moehub_hub_top_offender(&hub, way, &offender), 0);
    assert_int_equal(moehub_hub_top_events(&hub, way, 0), MOEHUB_E_STATE);
    assert_int_equal(moehub_hub_top_events(&hub, MOEHUB_WINDOW_CONTROL, 0), 0);
    assert_int_equal(moehub_hub_top_abort(&hub, 0), 0);
    assert_int_equal(moehub_hub_top_events(&hub, MOEHUB_WINDOW_CONTROL, 0), MOEHUB_E_STATE); /* the context is flagged */
    moehub_hub_top_destroy(&hub);
}

/* More than the receiver's credits, those of before the link was down among them, and flits that are no packet. */
static void test_links(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    begin(&hub, 4);
    const struct moehub_link_flit inside = {.valid = true, .packet_class = MOEHUB_CLASS_RESPONSE, .last = true};
    assert_int_equal(moehub_hub_top_go(&hub, 0, &inside), MOEHUB_E_STATE);
    hub.ways[0].credits[MOEHUB_CLASS_STORE] = 9;
    open_row(&hub, 1, 2, 0x100);
    store_line(&hub, 0x100, 0);
    assert_int_equal(go(&hub, own_store(0, true)), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    begin(&hub, 4);
    open_row(&hub, 1, 2, 0x100);
    store_line(&hub, 0x100, 0);
    assert_int_equal(moehub_hub_top_link_fell(&hub, 0), 0);
    moehub_hub_top_grant(&hub, 0, &(struct moehub_link_grant){true, MOEHUB_CLASS_STORE, 9});
    assert_int_equal(go(&hub, own_store(0, true)), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
    moehub_hub_top_destroy(NULL);
    struct moehub_hub_top_config config = moehub_hub_top_config_default();
    config.links = MOEHUB_HUB_TOP_WAYS;
    assert_int_equal(moehub_hub_top_create(&hub, &config), MOEHUB_E_ARGUMENT);
}

/* ---- links that fall ----------------------------------------------------------------------------------------------------- */

/* So many flits of the packet leave before the link falls. */
static int go_cut(struct moehub_hub_top *hub, struct packet packet, unsigned flits)
{
    for (unsigned i = 0; i < flits; i++) {
        const struct moehub_link_flit flit = flit_of(&packet, i);
        assert_int_equal(moehub_hub_top_go(hub, 0, &flit), 0);
    }
    const int error = moehub_hub_top_link_fell(hub, 0);
    grant_all(hub);
    return error;
}

/* A store that is cut is lost, and all else goes on; the flits of it that left are compared. */
static void test_store_is_cut(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    for (unsigned flits = 1; flits < 10; flits++) {
        begin(&hub, 4);
        open_row(&hub, 1, 2, 0x100);
        store_line(&hub, 0x100, 0);
        store_line(&hub, 0x100, 1);
        assert_int_equal(go_cut(&hub, own_store(0, true), flits), 0);
        assert_int_equal(go(&hub, own_store(1, false)), 0);
        assert_int_equal(moehub_hub_top_close(&hub, 0), 0);
        assert_int_equal(go(&hub, notice_of(MOEHUB_PACKET_CLOSE, 0, 1, 2, 0)), 0);
        come(&hub, notice_of(MOEHUB_PACKET_CLOSE, 1, 0, 0, 0));
        assert_int_equal(told(&hub, MOEHUB_READY_ALL_ARRIVED, 0, 0, 0), 0);
        assert_int_equal(counted(&hub, MOEHUB_WINDOW_WAY, MOEHUB_HUB_WAY_EVENT_PACKETS_OUT + MOEHUB_CLASS_STORE), 1);
        assert_int_equal(moehub_hub_top_stop(&hub, 0), 0);
        moehub_hub_top_destroy(&hub);
        struct packet wrong = own_store(0, true);
        wrong.flits[flits - 1].half[0] ^= UINT64_C(1) << 32;
        begin(&hub, 4);
        open_row(&hub, 1, 2, 0x100);
        store_line(&hub, 0x100, 0);
        assert_int_equal(go_cut(&hub, wrong, flits), MOEHUB_E_STATE);
        moehub_hub_top_destroy(&hub);
    }
}

/* Cut before it says which bytes it has: nobody knows what of the line is still to leave. */
static void test_store_is_cut_early(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    struct packet packet = own_store(0, true);
    struct moehub_header header = moehub_header_unpack(packet.flits[0]);
    header.byte_enables = true;
    packet.flits[0] = moehub_header_pack(&header);
    packet.flits[2].half[0] = packet.flits[2].half[1] = UINT64_MAX; /* all: a store would not have this flit */
    for (unsigned flits = 1; flits <= 3; flits++) {
        begin(&hub, 4);
        open_row(&hub, 1, 2, 0x100);
        store_line(&hub, 0x100, 0);
        assert_int_equal(go_cut(&hub, packet, flits), flits < 3 ? 0 : MOEHUB_E_STATE);
        if (flits < 3)
            assert_int_equal(go(&hub, own_store(0, false)), 0);
        moehub_hub_top_destroy(&hub);
    }
}

static void test_partial_is_cut(void **state)
{
    (void)state;
    const struct moehub_line_data data = ones();
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        struct moehub_hub_top hub;
        begin(&hub, 4);
        receive_row(&hub, OTHERS_ROW, 2);
        ask(&hub);
        assert_int_equal(moehub_hub_top_read(&hub, 0, SUMS + REGION + 2 * ROW_BYTES + LINE, 4), 0);
        assert_int_equal(moehub_hub_top_data(&hub, 0, &data), 0);
        assert_int_equal(go_cut(&hub, partial_of((uint16_t)(0x3F80 + wrong)), 2), wrong != 0 ? MOEHUB_E_STATE : 0);
        assert_int_equal(go(&hub, partial_of(0x3F80)), MOEHUB_E_STATE); /* it has left */
        moehub_hub_top_destroy(&hub);
    }
}

/* What was cut as it came: malformed, and nothing of it is written. */
static void test_arrival_is_cut(void **state)
{
    (void)state;
    struct moehub_hub_top hub;
    const struct packet packet = store_of(OTHERS_ROW, 1, 0, 1, true);
    begin(&hub, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct moehub_link_flit flit = flit_of(&packet, i);
        assert_int_equal(moehub_hub_top_come(&hub, 0, &flit, NULL), 0);
    }
    assert_int_equal(moehub_hub_top_link_fell(&hub, 0), 0);
    assert_int_equal(moehub_hub_top_link_fell(&hub, 0), 0);
    assert_int_equal(counted(&hub, MOEHUB_WINDOW_WAY, MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_PACKET_CAUSE_FRAME), 1);
    assert_int_equal(write_word(&hub, 0, 1, 0, OTHERS_ROW), MOEHUB_E_STATE);
    moehub_hub_top_destroy(&hub);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_is_written),
        cmocka_unit_test(test_wrong_writes),
        cmocka_unit_test(test_refused_stores),
        cmocka_unit_test(test_full_region),
        cmocka_unit_test(test_row_leaves),
        cmocka_unit_test(test_lost_bytes),
        cmocka_unit_test(test_handles),
        cmocka_unit_test(test_abort),
        cmocka_unit_test(test_loop_back),
        cmocka_unit_test(test_request_is_served),
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_notifies),
        cmocka_unit_test(test_table_of_a_row),
        cmocka_unit_test(test_table_writes),
        cmocka_unit_test(test_latch_has_the_first),
        cmocka_unit_test(test_latches_of_a_full_region),
        cmocka_unit_test(test_latches_of_items),
        cmocka_unit_test(test_latch_of_abort),
        cmocka_unit_test(test_own_notify_is_late),
        cmocka_unit_test(test_interrupts),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_store_is_cut),
        cmocka_unit_test(test_store_is_cut_early),
        cmocka_unit_test(test_partial_is_cut),
        cmocka_unit_test(test_arrival_is_cut),
    };
    return cmocka_run_group_tests_name("hub_top", tests, NULL, NULL);
}
