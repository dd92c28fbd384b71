/* SPDX-License-Identifier: Apache-2.0 */
/* Header and packet check against tables typed in from rtl/doc/packet.md: the worked examples; each field over all its
 * values, one at a time; every set of causes at once, of which the first must come out; the target flits that came. */
#include "moehub/packet_check.h"

#include "common/examples.h"
#include "common/random.h"
#include "common/support.h"

enum { NONE = 9, TYPE = 0, CLASS, FORMAT, FIELD, SOURCE, LENGTH, COUNT, TARGET, FRAME, FLITS_MAX = 32 };

static const struct moehub_check_config switch_port_2 = {false, 2, 8, 8, 32, 8, false};
static const struct moehub_check_config switch_port_0 = {false, 0, 8, 8, 32, 8, false};
static const struct moehub_check_config switch_port_5 = {false, 5, 8, 8, 32, 8, false};
static const struct moehub_check_config hub_0 = {true, 0, 8, 8, 32, 8, false};
static const struct moehub_check_config hub_1 = {true, 1, 8, 8, 32, 8, false};
static const struct moehub_check_config hub_2 = {true, 2, 8, 8, 32, 8, false};
static const struct moehub_check_config hub_5 = {true, 5, 8, 8, 32, 8, false};
static const struct moehub_check_config hub_6 = {true, 6, 8, 8, 32, 8, false};

struct packet {
    struct moehub_flit flits[FLITS_MAX];
    unsigned count;
};

/* Header and target flits, then flits of ones. */
static struct packet packet_of(const struct moehub_header *header, const uint16_t *targets, unsigned count)
{
    struct packet packet = {.count = moehub_packet_flits(header)};
    memset(packet.flits, 0xFF, sizeof packet.flits);
    packet.flits[0] = moehub_header_pack(header);
    for (unsigned i = 0; i < moehub_header_target_flits(header); i++)
        packet.flits[1 + i] = moehub_targets_pack(targets, count, i);
    return packet;
}

static unsigned class_of(unsigned type)
{
    static const uint8_t classes[16] = {[3] = 1, [4] = 2, [5] = 2, [7] = 2, [8] = 2};
    return classes[type];
}

static unsigned cause_of(const struct moehub_check_config *config, const struct packet *packet, unsigned packet_class)
{
    return moehub_packet_check(config, packet_class, packet->flits, packet->count, false).cause;
}

/* ---- the worked examples ------------------------------------------------------------------ */

/* Who receives each, of both directions where both do. */
static const struct {
    unsigned example;
    const struct moehub_check_config *config;
    unsigned cause;
} received[] = {
    {STORE, &switch_port_2, NONE},      {STORE, &switch_port_0, SOURCE},    {STORE, &hub_6, TARGET},
    {STORE_COPY, &hub_6, NONE},         {STORE_COPY, &switch_port_2, FORMAT}, {STORE_COPY, &hub_2, SOURCE},
    {ROW_STORE, &switch_port_2, NONE},  {ROW_STORE, &hub_1, NONE},          {ROW_STORE, &hub_0, TARGET},
    {REQUEST, &switch_port_2, NONE},    {REQUEST, &hub_0, TARGET},          {REQUEST_COPY, &hub_0, NONE},
    {REQUEST_COPY, &switch_port_2, FORMAT}, {PARTIAL, &switch_port_0, NONE}, {PARTIAL, &hub_2, TYPE},
    {RESULT, &hub_2, NONE},             {RESULT, &switch_port_2, TYPE},     {RESULT, &hub_0, SOURCE},
    {CLOSE, &switch_port_2, NONE},      {CLOSE, &hub_5, NONE},              {CLOSE, &hub_1, TARGET},
    {NOTIFY, &switch_port_5, NONE},     {NOTIFY, &hub_2, NONE},             {NOTIFY, &hub_5, SOURCE},
};

static void worked_examples(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof received / sizeof *received; i++) {
        const struct example *example = &examples[received[i].example];
        struct packet packet = {.count = example->flits};
        packet.flits[0] = example->flit;
        packet.flits[1] = example->target_count > 0 ? example->list : (struct moehub_flit){{0, 0}};
        const unsigned cause = cause_of(received[i].config, &packet, class_of(example->header.type));
        if (cause != received[i].cause)
            fail_msg("%s, row %u of the table: cause %u, not %u", example->name, i, cause, received[i].cause);
    }
}

static void what_the_header_tells(void **state)
{
    (void)state;
    const struct moehub_header_verdict store = moehub_header_check(&switch_port_2, examples[STORE].flit, 0);
    assert_int_equal(store.cause, NONE);
    assert_int_equal(store.flits, 10);
    assert_int_equal(store.target_flits, 1);
    assert_int_equal(store.packet_class, 0);
    const struct moehub_header_verdict close = moehub_header_check(&switch_port_2, examples[CLOSE].flit, 2);
    assert_int_equal(close.destination, 5);
    assert_int_equal(close.packet_class, 2);
    assert_int_equal(moehub_header_check(&switch_port_2, examples[REQUEST].flit, 0).packet_class, 1);
}

static void what_the_walk_tells(void **state)
{
    (void)state;
    const struct packet store = packet_of(&examples[STORE].header, examples[STORE].targets, 5);
    struct moehub_packet_verdict verdict = moehub_packet_check(&switch_port_2, 0, store.flits, store.count, false);
    assert_int_equal(verdict.copies, 3);
    assert_int_equal(verdict.ports, 1u << 0 | 1u << 5 | 1u << 6);
    const struct packet close = packet_of(&examples[CLOSE].header, NULL, 0);
    verdict = moehub_packet_check(&switch_port_2, 2, close.flits, close.count, false);
    assert_int_equal(verdict.destination, 5);
    assert_int_equal(verdict.copies, 0);
}

/* ---- each field over its values -------------------------------------------------------------- */

/* Legal values of a field: first .. last in steps. Everything else has the cause. */
struct range {
    unsigned lsb;
    unsigned width;
    unsigned cause;
    uint32_t first, last, step;
};
enum { RANGES_MAX = 20 };

/* One good header, and its fields: TYPE is not among them, nor FORMAT where the layout depends on it. */
struct type_case {
    const char *name;
    const struct moehub_check_config *config;
    struct moehub_header header;
    struct range ranges[RANGES_MAX];
};

#define ANY(width) 0, (uint32_t)((UINT64_C(1) << (width)) - 1), 1
#define ONLY(value) value, value, 1
#define FLAGS(ANY_OR_ZERO) {6, 1, FIELD, ANY_OR_ZERO}, {7, 1, FIELD, ANY_OR_ZERO}, {8, 1, FIELD, ANY_OR_ZERO}
#define CARRIED {29, 3, FIELD, ANY(3)}, {32, 24, FIELD, ANY(24)}, {119, 4, FIELD, ANY(4)}, {123, 5, FIELD, ONLY(0)}

static const struct type_case cases[] = {
    {"row store up", &switch_port_2, {.type = 1, .length = 16, .source = 2, .target_count = 1, .element = 3},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ANY(1)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, 16, 128, 16},
         {19, 10, SOURCE, ONLY(2)}, CARRIED, {56, 4, FIELD, ONLY(0)}, {60, 2, FIELD, ANY(2)}, {62, 2, FIELD, ONLY(0)},
         {64, 16, LENGTH, 0, 65520, 16}, {80, 32, FIELD, ANY(32)}, {112, 1, FIELD, ONLY(0)}, {113, 6, COUNT, ONLY(1)}}},
    {"multimem store up", &switch_port_2, {.type = 2, .length = 16, .source = 2, .target_count = 1},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ANY(1)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, 16, 128, 16},
         {19, 10, SOURCE, ONLY(2)}, CARRIED, {56, 4, FIELD, ONLY(0)}, {60, 2, FIELD, ANY(2)}, {62, 2, FIELD, ONLY(0)},
         {64, 16, LENGTH, 0, 65520, 16}, {80, 32, FIELD, ANY(32)}, {112, 1, FIELD, ONLY(0)}, {113, 6, COUNT, 1, 32, 1}}},
    {"multimem store of a whole line up", &switch_port_2, {.type = 2, .length = 128, .source = 2, .target_count = 1},
        {{64, 16, LENGTH, 0, 65408, 128}}},
    {"multimem store of 80 bytes up, at most 32 in", &switch_port_2,
        {.type = 2, .length = 80, .source = 2, .target_count = 1, .offset = 0x2020}, {{10, 9, LENGTH, 16, 96, 16}}},
    {"ld_reduce up", &switch_port_2,
        {.type = 3, .length = 1, .source = 2, .operation = 1, .stage = 1, .target_count = 1},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ONLY(0)), {9, 1, FIELD, ANY(1)}, {10, 9, LENGTH, 1, 64, 1},
         {19, 10, SOURCE, ONLY(2)}, CARRIED, {56, 4, FIELD, ONLY(0)}, {60, 2, FIELD, 0, 2, 1}, {62, 2, FIELD, ONLY(1)},
         {64, 16, LENGTH, 0, 65408, 128}, {80, 32, FIELD, ANY(32)}, {112, 1, FIELD, ONLY(1)}, {113, 6, COUNT, 1, 32, 1}}},
    {"ld_reduce of 8 lines up", &switch_port_2,
        {.type = 3, .length = 57, .source = 2, .operation = 1, .stage = 1, .target_count = 1},
        {{64, 16, LENGTH, 0, 65536 - 1024, 128}}},
    {"ld_reduce of the row's end up", &switch_port_2,
        {.type = 3, .length = 1, .source = 2, .operation = 1, .stage = 1, .target_count = 1, .offset = 65536 - 384},
        {{10, 9, LENGTH, 1, 24, 1}}},
    {"partial up", &switch_port_2, {.type = 4, .length = 16, .source = 2, .stage = 1, .offset = 1},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ONLY(0)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, 16, 128, 16},
         {19, 10, SOURCE, ONLY(2)}, CARRIED, {56, 4, LENGTH, ONLY(0)}, {60, 2, FIELD, 0, 2, 1}, {62, 2, FIELD, ONLY(0)},
         {80, 32, FIELD, ONLY(0)}, {112, 1, FIELD, ONLY(1)}, {113, 6, COUNT, ONLY(0)}}},
    {"failed partial up", &switch_port_2, {.type = 4, .source = 2, .stage = 1, .status = 7},
        {{10, 9, LENGTH, ONLY(0)}, {56, 4, LENGTH, 1, 15, 1}}},
    {"partial up to port 0", &switch_port_0, {.type = 4, .length = 16, .source = 0, .stage = 1, .offset = 1},
        {{64, 16, TARGET, 1, 7, 1}}},
    {"close up", &switch_port_0, {.type = 7, .source = 0, .offset = 7},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ONLY(0)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, ONLY(0)},
         {19, 10, SOURCE, ONLY(0)}, CARRIED, {56, 4, FIELD, ONLY(0)}, {60, 2, FIELD, ONLY(0)}, {62, 2, FIELD, ONLY(0)},
         {64, 16, TARGET, 1, 7, 1}, {80, 32, FIELD, ANY(32)}, {112, 1, FIELD, ONLY(0)}, {113, 6, COUNT, ONLY(0)}}},
    {"notify up", &switch_port_0, {.type = 8, .source = 0, .offset = 7, .stage = 1},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ONLY(0)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, ONLY(0)},
         {19, 10, SOURCE, ONLY(0)}, CARRIED, {56, 4, FIELD, ANY(4)}, {60, 2, FIELD, ONLY(0)}, {62, 2, FIELD, ONLY(0)},
         {64, 16, TARGET, 1, 7, 1}, {80, 32, FIELD, ANY(32)}, {112, 1, FIELD, ONLY(1)}, {113, 6, COUNT, ONLY(0)}}},
    {"row store down", &hub_0, {.type = 1, .length = 16, .source = 2, .target_count = 1},
        {FLAGS(ANY(1)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, 16, 128, 16}, {19, 10, SOURCE, 1, 7, 1}, CARRIED,
         {113, 6, COUNT, ONLY(1)}, {64, 16, LENGTH, 0, 65520, 16}}},
    {"row store down, compact", &hub_0,
        {.type = 1, .format = 1, .length = 128, .source = 2, .target_count = 1, .local_targets = {9}},
        {FLAGS(ANY(1)), {9, 1, FIELD, ONLY(0)}, {10, 9, LENGTH, 16, 128, 16}, {19, 10, SOURCE, 1, 7, 1},
         {56, 4, FIELD, ONLY(0)}, {60, 2, FIELD, ANY(2)}, {62, 2, FIELD, ONLY(0)}, {64, 7, FIELD, ANY(7)},
         {71, 4, FIELD, ANY(4)}, {75, 26, FIELD, ANY(26)}, {101, 1, FIELD, ONLY(0)}, {102, 2, COUNT, ONLY(1)},
         {104, 8, TARGET, ANY(8)}, {112, 8, TARGET, ONLY(0)}, {120, 8, TARGET, ONLY(0)}}},
    {"multimem store down, compact", &hub_0,
        {.type = 2, .format = 1, .length = 128, .source = 2, .target_count = 3, .local_targets = {9, 20, 31}},
        {{104, 8, TARGET, 0, 19, 1}, {112, 8, TARGET, 10, 30, 1}, {120, 8, TARGET, 21, 255, 1}}},
    {"ld_reduce down, compact", &hub_0,
        {.type = 3, .format = 1, .length = 64, .source = 2, .operation = 1, .stage = 1, .target_count = 2,
         .local_targets = {0, 1}},
        {FLAGS(ONLY(0)), {9, 1, FIELD, ANY(1)}, {10, 9, LENGTH, 1, 64, 1}, {19, 10, SOURCE, 1, 7, 1},
         {60, 2, FIELD, 0, 2, 1}, {62, 2, FIELD, ONLY(1)}, {64, 7, FIELD, ANY(7)}, {101, 1, FIELD, ONLY(1)},
         {104, 8, TARGET, ONLY(0)}, {112, 8, TARGET, 1, 255, 1}, {120, 8, TARGET, ONLY(0)}}},
    {"result down", &hub_2, {.type = 5, .length = 16, .source = 2, .stage = 1, .offset = 2},
        {{4, 2, FORMAT, ONLY(0)}, FLAGS(ONLY(0)), {9, 1, FIELD, ANY(1)}, {10, 9, LENGTH, 16, 256, 16},
         {19, 10, SOURCE, ONLY(2)}, CARRIED, {56, 4, LENGTH, ONLY(0)}, {60, 2, FIELD, 0, 2, 1}, {62, 2, FIELD, ONLY(0)},
         {64, 16, TARGET, ONLY(2)}, {80, 32, FIELD, ONLY(0)}, {112, 1, FIELD, ONLY(1)}, {113, 6, COUNT, ONLY(0)}}},
    {"failed result down", &hub_2, {.type = 5, .source = 2, .stage = 1, .offset = 2, .status = 13},
        {{10, 9, LENGTH, ONLY(0)}, {56, 4, LENGTH, 1, 15, 1}}},
    {"close down", &hub_0, {.type = 7, .source = 7},
        {{4, 2, FORMAT, ONLY(0)}, {19, 10, SOURCE, 1, 7, 1}, {64, 16, TARGET, ONLY(0)}, {80, 32, FIELD, ANY(32)}}},
    {"notify down", &hub_0, {.type = 8, .source = 7, .stage = 1},
        {{4, 2, FORMAT, ONLY(0)}, {19, 10, SOURCE, 1, 7, 1}, {64, 16, TARGET, ONLY(0)}, {56, 4, FIELD, ANY(4)}}},
};

static bool in_range(const struct range *range, uint32_t value)
{
    return value >= range->first && value <= range->last && (value - range->first) % range->step == 0;
}

static struct packet with_value(const struct type_case *a_case, const struct range *range, uint32_t value)
{
    struct moehub_flit flit = moehub_header_pack(&a_case->header);
    const uint64_t mask = ((UINT64_C(1) << range->width) - 1) << range->lsb % 64;
    flit.half[range->lsb / 64] = (flit.half[range->lsb / 64] & ~mask) | (uint64_t)value << range->lsb % 64;
    const struct moehub_header header = moehub_header_unpack(flit);
    uint16_t targets[64];
    for (unsigned i = 0; i < 64; i++) /* of the hub's own GPU, or of another than the port's */
        targets[i] = (uint16_t)((a_case->config->hub ? a_case->config->own : 1u) << 8 | i);
    return packet_of(&header, targets, header.target_count);
}

static void check_value(const struct type_case *a_case, const struct range *range, uint32_t value)
{
    const struct packet packet = with_value(a_case, range, value);
    const unsigned expected = in_range(range, value) ? NONE : range->cause;
    const unsigned cause = cause_of(a_case->config, &packet, class_of(a_case->header.type));
    if (cause != expected)
        fail_msg("%s: %u in the %u bits from %u on: cause %u, not %u", a_case->name, value, range->width, range->lsb, cause,
                 expected);
}

/* All values of up to 16 bits; of wider fields their single bits and random ones. */
static void each_field_over_its_values(void **state)
{
    (void)state;
    struct random random = random_from(3);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (const struct range *range = cases[i].ranges; range->width > 0; range++) {
            for (uint32_t value = 0; range->width <= 16 && value < 1u << range->width; value++)
                check_value(&cases[i], range, value);
            for (unsigned bit = 0; range->width > 16 && bit < range->width; bit++) {
                check_value(&cases[i], range, UINT32_C(1) << bit);
                check_value(&cases[i], range, (uint32_t)(random_word(&random) & ((UINT64_C(1) << range->width) - 1)));
            }
        }
    }
}

static void types_and_directions(void **state)
{
    (void)state;
    static const struct {
        bool up, down;
    } goes[16] = {[1] = {true, true}, [2] = {true, true}, [3] = {true, true}, [4] = {true, false}, [5] = {false, true},
                  [7] = {true, true}, [8] = {true, true}};
    for (unsigned type = 0; type < 16; type++) {
        const struct moehub_flit flit = {{type, 0}};
        const bool up = moehub_header_check(&switch_port_2, flit, class_of(type)).cause != TYPE;
        const bool down = moehub_header_check(&hub_2, flit, class_of(type)).cause != TYPE;
        assert_int_equal(up, goes[type].up);
        assert_int_equal(down, goes[type].down);
        for (unsigned packet_class = 0; packet_class < 4; packet_class++) {
            const unsigned cause = moehub_header_check(&switch_port_2, flit, packet_class).cause;
            assert_int_equal(cause == CLASS, goes[type].up && packet_class != class_of(type));
        }
    }
}

/* FORMAT 2 and 3 belong to nobody, 1 to what has target flits, towards a hub. */
static void formats(void **state)
{
    (void)state;
    for (unsigned format = 1; format < 4; format++)
        for (unsigned type = 1; type <= 8; type++) {
            const struct moehub_flit flit = {{type | format << 4, 0}};
            const bool compact = format == 1 && type <= 3;
            if (type == 4 || type == 6)
                continue; /* not for a hub */
            assert_int_equal(moehub_header_check(&hub_2, flit, class_of(type)).cause == FORMAT, !compact);
            if (type != 5)
                assert_int_equal(moehub_header_check(&switch_port_2, flit, class_of(type)).cause, FORMAT);
        }
}

/* Other configurations: fewer targets, fewer lines, narrower local ids. */
static void configurations(void **state)
{
    (void)state;
    const struct moehub_check_config small = {true, 3, 5, 4, 2, 2, false};
    const struct type_case compact = {"small, compact", &small,
        {.type = 3, .format = 1, .length = 1, .source = 2, .operation = 1, .stage = 1, .target_count = 1}, {{0}}};
    static const struct range ranges[] = {{10, 9, LENGTH, 1, 16, 1}, {19, 10, SOURCE, 0, 4, 1}, {104, 8, TARGET, 0, 15, 1}};
    for (unsigned i = 0; i < 3; i++)
        for (uint32_t value = 0; value < 1u << ranges[i].width; value++)
            if (i != 1 || value != 3)
                check_value(&compact, &ranges[i], value);
    for (unsigned count = 0; count < 4; count++) {
        struct moehub_header header = compact.header;
        header.target_count = (uint8_t)count;
        for (unsigned j = 0; j < count; j++)
            header.local_targets[j] = (uint8_t)(j + 1);
        const struct packet packet = packet_of(&header, NULL, 0);
        assert_int_equal(cause_of(&small, &packet, 1), count == 1 || count == 2 ? NONE : COUNT);
    }
    const struct moehub_check_config one_expert = {false, 1, 64, 0, 32, 1, false};
    const struct moehub_header store = {.type = 2, .length = 16, .source = 1, .target_count = 3};
    const uint16_t good[] = {0, 2, 63};
    const uint16_t bad[] = {0, 2, 64};
    const struct packet first = packet_of(&store, good, 3);
    const struct packet second = packet_of(&store, bad, 3);
    assert_int_equal(cause_of(&one_expert, &first, 0), NONE);
    assert_int_equal(cause_of(&one_expert, &second, 0), TARGET);
    assert_true(moehub_packet_check(&one_expert, 0, first.flits, first.count, false).ports ==
                (UINT64_C(1) << 0 | UINT64_C(1) << 2 | UINT64_C(1) << 63));
}

/* The loop-back takes what the hub sends to itself, and nothing else; results do not come there. */
static void loop_back(void **state)
{
    (void)state;
    const struct moehub_check_config loop = {true, 3, 5, 4, 2, 2, true};
    for (unsigned type = 0; type < 16; type++)
        for (uint16_t source = 0; source < 8; source++) {
            struct moehub_header header = {.type = (uint8_t)type, .length = 16, .source = source, .target_count = 1};
            const uint16_t target = 3 << 4 | 5;
            if (type == 3 || type == 8)
                header.stage = 1;
            header.operation = type == 3;
            if (type > 3) {
                header.length = header.target_count = 0;
                header.offset = 3;
            }
            const struct packet packet = packet_of(&header, &target, header.target_count);
            const bool comes = type == 1 || type == 2 || type == 3 || type == 7 || type == 8;
            assert_int_equal(cause_of(&loop, &packet, class_of(type)), !comes ? TYPE : source == 3 ? NONE : SOURCE);
        }
}

/* ---- several causes at once --------------------------------------------------------------------- */

/* A request up with this set of causes. */
static unsigned cause_of_set(unsigned causes, bool *answered)
{
    struct moehub_header header = examples[REQUEST].header;
    uint16_t targets[40] = {1, 3, 0x500};
    if (causes >> TYPE & 1)
        header.type = 9;
    if (causes >> FORMAT & 1)
        header.format = 2;
    if (causes >> FIELD & 1)
        header.zero = 16;
    if (causes >> SOURCE & 1)
        header.source = 3;
    if (causes >> LENGTH & 1)
        header.length = 65;
    if (causes >> COUNT & 1)
        header.target_count = 33;
    if (causes >> TARGET & 1)
        targets[1] = 1;
    struct packet packet = packet_of(&header, targets, 3);
    if (causes >> FRAME & 1)
        packet.count++;
    const unsigned packet_class = causes >> CLASS & 1 ? 2 : 1;
    const struct moehub_packet_verdict verdict =
        moehub_packet_check(&switch_port_2, packet_class, packet.flits, packet.count, false);
    *answered = verdict.answered;
    return verdict.cause;
}

static void first_of_several_causes(void **state)
{
    (void)state;
    for (unsigned causes = 0; causes < 1u << 9; causes++) {
        unsigned first = 0;
        while (first < NONE && !(causes >> first & 1))
            first++;
        bool answered = false;
        assert_int_equal(cause_of_set(causes, &answered), first);
        assert_int_equal(answered, first >= SOURCE && first <= FRAME);
    }
}

/* Nothing but a request to a switch is answered. */
static void others_are_not_answered(void **state)
{
    (void)state;
    for (unsigned example = 0; example < EXAMPLES; example++) {
        struct moehub_header header = examples[example].header;
        header.source = 9;
        const struct packet packet = packet_of(&header, examples[example].targets, examples[example].target_count);
        const unsigned packet_class = class_of(header.type);
        const bool answered = moehub_packet_check(&switch_port_2, packet_class, packet.flits, packet.count, false).answered;
        assert_int_equal(answered, example == REQUEST);
        assert_false(moehub_packet_check(&hub_0, packet_class, packet.flits, packet.count, false).answered);
    }
}

/* ---- target flits, and those that came ------------------------------------------------------------ */

/* 20 ids in 3 flits, each wrong in turn; cut short after `came` flits. */
static void wrong_ids(void **state)
{
    (void)state;
    const struct moehub_header header = {.type = 2, .length = 16, .source = 2, .target_count = 20};
    uint16_t good[24] = {0};
    for (unsigned i = 0; i < 20; i++)
        good[i] = (uint16_t)((i < 10 ? 1u : 7u) << 8 | i);
    for (unsigned place = 0; place < 24; place++) {
        const uint16_t wrong[] = {
            place == 0 ? 0x0800 : place < 20 ? good[place - 1] : 1, /* no port; the same id again; unused, but not 0 */
            place < 20 ? 0x0200 : 0x0715,         /* the sender's own; an id in an unused place */
            0x0800,                               /* no port */
        };
        for (unsigned kind = 0; kind < 3; kind++) {
            uint16_t targets[24];
            memcpy(targets, good, sizeof targets);
            targets[place] = wrong[kind];
            struct packet packet = packet_of(&header, targets, 24);
            assert_int_equal(packet.count, 5);
            assert_int_equal(cause_of(&switch_port_2, &packet, 0), TARGET);
            for (packet.count = 1; packet.count < 5; packet.count++)
                assert_int_equal(cause_of(&switch_port_2, &packet, 0), packet.count > 1 + place / 8 ? TARGET : FRAME);
        }
    }
}

static void frames(void **state)
{
    (void)state;
    const struct packet packet = packet_of(&examples[STORE].header, examples[STORE].targets, 5);
    for (unsigned count = 0; count < FLITS_MAX; count++) {
        const struct moehub_packet_verdict verdict = moehub_packet_check(&switch_port_2, 0, packet.flits, count, false);
        assert_int_equal(verdict.cause, count == 10 ? NONE : FRAME);
    }
    assert_int_equal(moehub_packet_check(&switch_port_2, 0, packet.flits, 10, true).cause, FRAME);
    const struct packet request = packet_of(&examples[REQUEST].header, examples[REQUEST].targets, 3);
    assert_true(moehub_packet_check(&switch_port_2, 1, request.flits, 1, false).answered);
    assert_false(moehub_packet_check(&switch_port_2, 1, request.flits, 0, false).answered);
}

static void request_lines(void **state)
{
    (void)state;
    assert_int_equal(moehub_request_lines(0, 8), 1);
    assert_int_equal(moehub_request_lines(8, 8), 1);
    assert_int_equal(moehub_request_lines(9, 8), 2);
    assert_int_equal(moehub_request_lines(64, 8), 8);
    assert_int_equal(moehub_request_lines(511, 8), 8);
    assert_int_equal(moehub_request_lines(511, 1), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_examples),         cmocka_unit_test(what_the_header_tells),
        cmocka_unit_test(what_the_walk_tells),     cmocka_unit_test(each_field_over_its_values),
        cmocka_unit_test(types_and_directions),    cmocka_unit_test(formats),
        cmocka_unit_test(configurations), cmocka_unit_test(loop_back),          cmocka_unit_test(first_of_several_causes),
        cmocka_unit_test(others_are_not_answered), cmocka_unit_test(wrong_ids),
        cmocka_unit_test(frames),                  cmocka_unit_test(request_lines),
    };
    return cmocka_run_group_tests_name("packet_check", tests, NULL, NULL);
}
