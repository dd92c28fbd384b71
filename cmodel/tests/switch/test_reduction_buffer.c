/* SPDX-License-Identifier: Apache-2.0 */
/* The reduction buffer against a plain reading of its specification: entries that remember every partial as it came, sums
 * in GMP integers at the end. Random events, legal and not, over swept parameters. */
#include "moehub/reduction_buffer.h"

#include "moehub/element.h"
#include "moehub/error.h"
#include "arithmetic/sum_oracle.h"
#include "common/support.h"

enum { ENTRIES_MAX = 12, ELEMENTS_MAX = 16, BYTES_MAX = 64 };

struct contribution {
    uint8_t bytes[BYTES_MAX];
};

/* A line of a group. */
struct plain_entry {
    bool reserved;
    bool timed_out;
    struct moehub_reduction_reserve reserve;   /* with the length of this line */
    bool answered[64];
    bool good[64];
    bool partial_failed, type_failed, length_failed;
    struct contribution contributions[64];
};

struct plain_group {
    bool used;       /* now */
    bool granted;
    bool released;
    unsigned uses;
};

struct plain {
    struct moehub_reduction_buffer_config config;
    struct plain_entry entries[ENTRIES_MAX];
    struct plain_group groups[ENTRIES_MAX];
    unsigned queue[ENTRIES_MAX];   /* free groups, the next one first */
    unsigned queued;
    bool draining;
    uint64_t events[MOEHUB_REDUCTION_ORDER_EVENTS];
};

struct fixture {
    struct moehub_reduction_buffer buffer;
    struct moehub_reduction_buffer without_payloads;
    struct plain plain;
    uint64_t random;
    uint64_t compared;
    uint64_t results;
    uint64_t times_refused;
};

static bool once_in(struct fixture *fixture, unsigned n)
{
    return random_below(&fixture->random, n) == 0;
}

/* ---- the plain reading ------------------------------------------------------------------- */

static unsigned plain_groups(const struct plain *plain)
{
    return plain->config.entries / plain->config.request_lines;
}

static struct plain_group *plain_group_of(struct plain *plain, unsigned entry)
{
    return &plain->groups[entry / plain->config.request_lines];
}

static unsigned plain_generation(const struct plain *plain, unsigned entry)
{
    return (plain->groups[entry / plain->config.request_lines].uses - 1) % (1u << plain->config.generation_width);
}

static void plain_empty(struct plain *plain)
{
    plain->queued = plain_groups(plain);
    for (unsigned i = 0; i < plain->queued; i++)
        plain->queue[i] = i;
}

static bool contributes(const struct plain *plain, const struct moehub_reduction_reserve *reserve, unsigned port)
{
    return port < plain->config.ports && (reserve->contributors >> port & 1);
}

static unsigned plain_reserve_status(const struct plain *plain, const struct moehub_reduction_reserve *reserve)
{
    unsigned contributors = 0;
    for (unsigned port = 0; port < 64; port++)
        contributors += contributes(plain, reserve, port);
    if (plain->draining)
        return MOEHUB_STATUS_DRAINING;
    if (contributors == 0 || contributors > plain->config.max_contributors ||
        contributes(plain, reserve, plain->config.own_port))
        return MOEHUB_STATUS_CONTRIBUTORS;
    if (reserve->element == 3 || (reserve->element == 2 && plain->config.with_fp32 == 0))
        return MOEHUB_STATUS_TYPE;
    if (reserve->length == 0 || reserve->length > plain->config.payload_bytes ||
        reserve->length % (reserve->element == 2 ? 4 : 2) != 0)
        return MOEHUB_STATUS_LENGTH;
    return MOEHUB_STATUS_OK;
}

static struct moehub_reduction_grant plain_reserve(struct plain *plain, const struct moehub_reduction_reserve *reserve)
{
    struct moehub_reduction_grant grant = {.status = (uint8_t)plain_reserve_status(plain, reserve)};
    plain->events[0]++;
    if (grant.status != MOEHUB_STATUS_OK) {
        plain->events[5 + grant.status - 8]++;
        return grant;
    }
    plain->events[1]++;
    const unsigned number = plain->queue[0], lines = plain->config.request_lines;
    for (unsigned i = 1; i < plain->queued; i++)
        plain->queue[i - 1] = plain->queue[i];
    plain->queued--;
    struct plain_group *group = &plain->groups[number];
    *group = (struct plain_group){.used = true, .uses = group->uses + 1};
    grant.entry = (uint16_t)(number * lines);
    grant.generation = (uint8_t)plain_generation(plain, grant.entry);
    for (unsigned line = 0; line < lines; line++) {
        struct plain_entry *entry = &plain->entries[grant.entry + line];
        memset(entry, 0, sizeof *entry);
        entry->reserved = line <= reserve->lines_less_1 % lines;
        entry->reserve = *reserve;
        if (line < reserve->lines_less_1 % lines)
            entry->reserve.length = (uint16_t)plain->config.payload_bytes;
    }
    return grant;
}

/* Whether a group may go back: no asked line waits for anything, and with_release its copies have left. */
static bool plain_may_be_freed(struct plain *plain, unsigned number)
{
    const unsigned lines = plain->config.request_lines;
    for (unsigned line = 0; line < lines; line++)
        if (plain->entries[number * lines + line].reserved)
            return false;
    return plain->groups[number].used && (plain->config.with_release == 0 || plain->groups[number].released);
}

static void plain_free(struct plain *plain, unsigned number)
{
    plain->groups[number].used = false;
    plain->queue[plain->queued++] = number;
}

static bool all_answered(const struct plain *plain, const struct plain_entry *entry)
{
    for (unsigned port = 0; port < 64; port++)
        if (contributes(plain, &entry->reserve, port) && !entry->answered[port])
            return false;
    return true;
}

static bool waits(const struct plain *plain, unsigned entry)
{
    return plain->entries[entry].reserved && !plain->entries[entry].timed_out && !all_answered(plain, &plain->entries[entry]);
}

static unsigned plain_partial(struct plain *plain, const struct moehub_reduction_partial *partial)
{
    unsigned cause = MOEHUB_REDUCTION_NO_CAUSE;
    struct plain_entry *entry = partial->entry < plain->config.entries ? &plain->entries[partial->entry] : NULL;
    plain->events[2]++;
    if (entry == NULL)
        cause = MOEHUB_REDUCTION_CAUSE_ENTRY;
    else if (!waits(plain, partial->entry) ||
             partial->generation != plain_generation(plain, partial->entry))
        cause = MOEHUB_REDUCTION_CAUSE_STALE;
    else if (!contributes(plain, &entry->reserve, partial->port))
        cause = MOEHUB_REDUCTION_CAUSE_FOREIGN;
    else if (entry->answered[partial->port])
        cause = MOEHUB_REDUCTION_CAUSE_DUPLICATE;
    if (cause != MOEHUB_REDUCTION_NO_CAUSE) {
        plain->events[5 + cause]++;
        return cause;
    }
    entry->answered[partial->port] = true;
    const unsigned flits = (partial->length + plain->config.flit_bytes - 1) / plain->config.flit_bytes;
    if (partial->status != MOEHUB_STATUS_OK) {
        cause = MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS;
        entry->partial_failed = true;
    } else if (partial->element != entry->reserve.element) {
        cause = MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE;
        entry->type_failed = true;
    } else if (partial->length != entry->reserve.length || partial->flits != flits) {
        cause = MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH;
        entry->length_failed = true;
    } else {
        entry->good[partial->port] = true;
        memcpy(entry->contributions[partial->port].bytes, partial->data, partial->length);
        return cause;
    }
    plain->events[5 + cause]++;
    return cause;
}

static uint32_t word_at(unsigned element, const uint8_t *bytes, unsigned index)
{
    uint32_t word = 0;
    const unsigned size = element == MOEHUB_ELEMENT_FP32 ? 4 : 2;
    for (unsigned i = 0; i < size; i++)
        word |= (uint32_t)bytes[index * size + i] << 8 * i;
    return word;
}

static uint32_t plain_sum(const struct plain *plain, const struct plain_entry *entry, unsigned index)
{
    struct sum_case sum = {.element = entry->reserve.element, .out_fp32 = entry->reserve.out_fp32, .bins = 3};
    for (unsigned port = 0; port < plain->config.ports; port++)
        if (entry->good[port])
            sum.x[sum.count++] = word_at(sum.element, entry->contributions[port].bytes, index);
    return oracle_sum(&sum, window_bottom(&sum));
}

static void check_data(const struct plain *plain, const struct plain_entry *entry,
                       const struct moehub_reduction_result *result)
{
    const unsigned count = entry->reserve.length / (entry->reserve.element == MOEHUB_ELEMENT_FP32 ? 4u : 2u);
    const unsigned total = (unsigned)result->flits * plain->config.flit_bytes;
    for (unsigned i = 0; i < count && result->status == MOEHUB_STATUS_OK; i++)
        assert_int_equal(word_at(result->element, result->data, i), plain_sum(plain, entry, i));
    for (unsigned byte = result->length; byte < total; byte++)
        assert_int_equal(result->data[byte], 0);
}

static void check_result(const struct plain *plain, unsigned index, const struct moehub_reduction_result *result,
                         bool with_data)
{
    const struct plain_entry *entry = &plain->entries[index];
    const unsigned status = entry->timed_out        ? MOEHUB_STATUS_TIMEOUT
                            : entry->partial_failed ? MOEHUB_STATUS_PARTIAL
                            : entry->type_failed    ? MOEHUB_STATUS_TYPE
                            : entry->length_failed  ? MOEHUB_STATUS_LENGTH
                                                    : MOEHUB_STATUS_OK;
    const bool doubles = entry->reserve.out_fp32 && entry->reserve.element != MOEHUB_ELEMENT_FP32;
    const unsigned length = status == MOEHUB_STATUS_OK ? entry->reserve.length * (doubles ? 2u : 1u) : 0;
    const uint64_t tag = plain->config.tag_width == 64 ? entry->reserve.tag
                                                       : entry->reserve.tag % (UINT64_C(1) << plain->config.tag_width);
    assert_int_equal(result->status, status);
    assert_int_equal(result->entry, index);
    assert_int_equal(result->requester, entry->reserve.requester);
    assert_int_equal(result->tag, tag);
    assert_int_equal(result->element, entry->reserve.out_fp32 ? MOEHUB_ELEMENT_FP32 : entry->reserve.element);
    assert_int_equal(result->length, length);
    assert_int_equal(result->flits, length == 0 ? 1 : (length + plain->config.flit_bytes - 1) / plain->config.flit_bytes);
    if (with_data)
        check_data(plain, entry, result);
}

/* ---- stimulus -------------------------------------------------------------------------------- */

static struct moehub_reduction_buffer_config random_config(uint64_t *random)
{
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    config.request_lines = 1u << random_below(random, 4);
    config.entries = config.request_lines * (1 + random_below(random, ENTRIES_MAX / config.request_lines));
    config.quarantine = random_below(random, 2);
    config.with_release = random_below(random, 2);
    if (random_below(random, 3) == 0)
        config.request_lines = 1, config.quarantine = config.with_release = 0;
    config.ports = 2 + random_below(random, 63);
    if (random_below(random, 2))
        config.ports = 2 + random_below(random, 4);
    config.flit_bytes = 4u << random_below(random, 5);
    config.payload_bytes = config.flit_bytes * (1 + random_below(random, BYTES_MAX / config.flit_bytes));
    config.max_contributors = 1 + random_below(random, 64);
    config.with_fp32 = random_below(random, 2);
    config.generation_width = 1 + random_below(random, 8);
    config.tag_width = 1 + random_below(random, 64);
    config.own_port = random_below(random, config.ports);
    return config;
}

static struct moehub_reduction_reserve random_reserve(struct fixture *fixture)
{
    const struct moehub_reduction_buffer_config *config = &fixture->plain.config;
    uint64_t *random = &fixture->random;
    struct moehub_reduction_reserve reserve = {
        .tag = random_bits(random),
        .requester = (uint16_t)random_below(random, 1024),
        .element = (uint8_t)random_below(random, 3),
        .out_fp32 = random_below(random, 2),
        .lines_less_1 = (uint8_t)random_below(random, 8),
    };
    const unsigned limit = config->max_contributors < 5 ? config->max_contributors : 5;
    for (unsigned i = 1 + random_below(random, limit); i > 0; i--)
        reserve.contributors |= UINT64_C(1) << random_below(random, config->ports);
    reserve.contributors &= ~(UINT64_C(1) << config->own_port);
    if (once_in(fixture, 20))
        reserve.contributors = random_bits(random) & random_bits(random);
    reserve.length = (uint16_t)(4 * (1 + random_below(random, config->payload_bytes / 4)));
    if (once_in(fixture, 10))
        reserve.length = (uint16_t)random_below(random, 2 * config->payload_bytes);
    if (once_in(fixture, 20))
        reserve.element = MOEHUB_ELEMENT_BYTES;
    return reserve;
}

/* Finite elements only: what infinities and NaN do is the arithmetic's own test. */
static void random_elements(struct fixture *fixture, unsigned element, uint8_t *bytes)
{
    const unsigned size = element == MOEHUB_ELEMENT_FP32 ? 4 : 2;
    const unsigned format = element == MOEHUB_ELEMENT_BYTES ? MOEHUB_ELEMENT_BF16 : element;
    for (unsigned i = 0; i < BYTES_MAX / size; i++) {
        uint32_t word = (uint32_t)random_bits(&fixture->random) & (size == 4 ? 0xFFFFFFFFu : 0xFFFFu);
        if (exponent_field(format, word) == exponent_max(format))
            word &= sign_bit(format);
        for (unsigned byte = 0; byte < size; byte++)
            bytes[i * size + byte] = (uint8_t)(word >> 8 * byte);
    }
}

/* The port that an entry misses, or any. */
static unsigned missing_port(struct fixture *fixture, const struct plain_entry *entry)
{
    const unsigned ports = fixture->plain.config.ports;
    const unsigned start = random_below(&fixture->random, ports);
    for (unsigned i = 0; i < ports; i++) {
        const unsigned port = (start + i) % ports;
        if (contributes(&fixture->plain, &entry->reserve, port) && !entry->answered[port])
            return port;
    }
    return start;
}

static struct moehub_reduction_partial random_partial(struct fixture *fixture, uint8_t *bytes)
{
    const struct plain *plain = &fixture->plain;
    uint64_t *random = &fixture->random;
    const unsigned index = random_below(random, plain->config.entries);
    const struct plain_entry *entry = &plain->entries[index];
    struct moehub_reduction_partial partial = {
        .data = bytes,
        .entry = (uint16_t)index,
        .generation = (uint8_t)plain_generation(plain, index),
        .port = (uint8_t)missing_port(fixture, entry),
        .element = entry->reserve.element,
        .length = entry->reserve.length,
    };
    if (once_in(fixture, 30))
        partial.entry = (uint16_t)(random_bits(random));
    if (once_in(fixture, 30))
        partial.generation = (uint8_t)random_bits(random);
    if (once_in(fixture, 20))
        partial.port = (uint8_t)random_below(random, plain->config.ports);
    if (once_in(fixture, 40))
        partial.status = (uint8_t)random_below(random, 16);
    if (once_in(fixture, 40))
        partial.element = (uint8_t)random_below(random, 4);
    if (once_in(fixture, 40))
        partial.length = (uint16_t)random_below(random, BYTES_MAX + 1);
    partial.flits = (partial.length + plain->config.flit_bytes - 1) / plain->config.flit_bytes;
    if (once_in(fixture, 40))
        partial.flits += 1 + random_below(random, 3);
    if (partial.flits == 0)
        partial.flits = 1;
    random_elements(fixture, partial.element, bytes);
    return partial;
}

/* ---- one event each --------------------------------------------------------------------------- */

static void step_reserve(struct fixture *fixture)
{
    const struct moehub_reduction_reserve reserve = random_reserve(fixture);
    struct moehub_reduction_grant got = {0, 0, 0};
    struct moehub_reduction_grant bare = {0, 0, 0};
    const int error = moehub_reduction_buffer_reserve(&fixture->buffer, &reserve, &got);
    assert_int_equal(moehub_reduction_buffer_reserve(&fixture->without_payloads, &reserve, &bare), error);
    assert_int_equal(error, fixture->plain.queued == 0 ? MOEHUB_E_STATE : 0);
    if (error != 0)
        return;
    const struct moehub_reduction_grant expected = plain_reserve(&fixture->plain, &reserve);
    assert_int_equal(got.status, expected.status);
    assert_int_equal(got.entry, expected.entry);
    assert_int_equal(got.generation, expected.generation);
    assert_memory_equal(&bare, &got, sizeof got);
    fixture->compared++;
}

static void step_partial(struct fixture *fixture)
{
    uint8_t bytes[BYTES_MAX];
    struct moehub_reduction_partial partial = random_partial(fixture, bytes);
    const unsigned expected = plain_partial(&fixture->plain, &partial);
    assert_int_equal(moehub_reduction_buffer_partial(&fixture->buffer, &partial), expected);
    partial.data = NULL;
    assert_int_equal(moehub_reduction_buffer_partial(&fixture->without_payloads, &partial), expected);
    fixture->compared++;
}

static void step_timeout(struct fixture *fixture)
{
    const unsigned entry = random_below(&fixture->random, fixture->plain.config.entries + 1);
    const bool expected = entry < fixture->plain.config.entries && waits(&fixture->plain, entry);
    assert_int_equal(moehub_reduction_buffer_timeout(&fixture->buffer, entry), expected ? 0 : MOEHUB_E_STATE);
    assert_int_equal(moehub_reduction_buffer_timeout(&fixture->without_payloads, entry), expected ? 0 : MOEHUB_E_STATE);
    if (expected) {
        fixture->plain.entries[entry].timed_out = true;
        fixture->plain.events[5 + MOEHUB_REDUCTION_CAUSE_TIMEOUT]++;
    }
    fixture->compared++;
}

static void step_take(struct fixture *fixture)
{
    struct plain *plain = &fixture->plain;
    const unsigned entry = random_below(&fixture->random, plain->config.entries);
    const bool expected = plain->entries[entry].reserved && !waits(plain, entry);
    static struct moehub_reduction_result peeked;
    static struct moehub_reduction_result got;
    static struct moehub_reduction_result bare;
    assert_int_equal(moehub_reduction_buffer_result_available(&fixture->buffer, entry), expected);
    assert_int_equal(moehub_reduction_buffer_result_peek(&fixture->buffer, entry, &peeked), expected ? 0 : MOEHUB_E_STATE);
    assert_int_equal(moehub_reduction_buffer_result_taken(&fixture->buffer, entry, &got), expected ? 0 : MOEHUB_E_STATE);
    assert_int_equal(moehub_reduction_buffer_result_taken(&fixture->without_payloads, entry, &bare),
                     expected ? 0 : MOEHUB_E_STATE);
    if (!expected)
        return;
    check_result(plain, entry, &peeked, true);
    check_result(plain, entry, &got, true);
    check_result(plain, entry, &bare, false);
    plain->events[got.status == MOEHUB_STATUS_OK ? 3 : 4]++;
    plain->entries[entry].reserved = false;
    if (!moehub_reduction_buffer_has_groups(&plain->config))
        plain_free(plain, entry);
    fixture->results += got.status == MOEHUB_STATUS_OK;
    fixture->compared++;
}

/* A grant taken, a `released`, or a freed_valid: with the defaults none of them changes anything. */
static void step_group(struct fixture *fixture)
{
    struct plain *plain = &fixture->plain;
    const unsigned entry = random_below(&fixture->random, plain->config.entries + 1);
    const bool exists = entry < plain->config.entries, waits_for_release = plain->config.with_release != 0;
    struct plain_group *group = exists ? plain_group_of(plain, entry) : NULL;
    const unsigned choice = random_below(&fixture->random, 3);
    if (choice == 0) {
        moehub_reduction_buffer_granted(&fixture->buffer, entry);
        moehub_reduction_buffer_granted(&fixture->without_payloads, entry);
        if (exists && group->used)
            group->granted = true;
    } else if (choice == 1) {
        const bool counts = exists && waits_for_release && group->used && group->granted && !group->released;
        assert_int_equal(moehub_reduction_buffer_released(&fixture->buffer, entry), counts);
        assert_int_equal(moehub_reduction_buffer_released(&fixture->without_payloads, entry), counts);
        if (counts)
            group->released = true;
    } else {
        const bool may = exists && plain_may_be_freed(plain, entry / plain->config.request_lines);
        assert_int_equal(moehub_reduction_buffer_may_be_freed(&fixture->buffer, entry), may);
        assert_int_equal(moehub_reduction_buffer_freed(&fixture->buffer, entry), may ? 0 : MOEHUB_E_STATE);
        assert_int_equal(moehub_reduction_buffer_freed(&fixture->without_payloads, entry), may ? 0 : MOEHUB_E_STATE);
        if (may)
            plain_free(plain, entry / plain->config.request_lines);
    }
    fixture->compared++;
}

/* Times around what a quarantine lets pass: refused below port_timeout and above 2^30. */
static bool timeout_is_refused(const struct plain *plain, uint32_t timeout, uint32_t port_timeout)
{
    return plain->config.quarantine != 0 && timeout != 0 && (timeout < port_timeout || timeout > 1u << 30);
}

static void step_command(struct fixture *fixture)
{
    struct plain *plain = &fixture->plain;
    const unsigned often = once_in(fixture, 2) ? MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET : MOEHUB_REDUCTION_COMMAND_RESUME;
    const unsigned operation = once_in(fixture, 3) ? random_below(&fixture->random, 16) : often;
    const bool flush_refused = plain->queued != plain_groups(plain);
    static const uint32_t times[] = {0, 1, 999, 1000, 1001, (1u << 30) - 1, 1u << 30, (1u << 30) + 1, UINT32_MAX};
    const uint32_t data = times[random_below(&fixture->random, sizeof times / sizeof times[0])];
    const uint32_t port_timeout = once_in(fixture, 2) ? 1000 : times[random_below(&fixture->random, 9)];
    const bool refused = operation > 3 || (operation == MOEHUB_REDUCTION_COMMAND_FLUSH && flush_refused) ||
                         (operation == MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET && timeout_is_refused(plain, data, port_timeout));
    fixture->buffer.port_timeout = fixture->without_payloads.port_timeout = port_timeout;
    const uint32_t before = fixture->buffer.timeout;
    assert_int_equal(moehub_reduction_buffer_command(&fixture->buffer, operation, data), refused);
    assert_int_equal(moehub_reduction_buffer_command(&fixture->without_payloads, operation, data), refused);
    assert_int_equal(fixture->buffer.timeout,
                     operation == MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET && !refused ? data : before);
    fixture->times_refused += operation == MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET && refused;
    if (refused)
        plain->events[5 + MOEHUB_REDUCTION_CAUSE_COMMAND]++;
    else if (operation == MOEHUB_REDUCTION_COMMAND_FLUSH)
        plain_empty(plain);
    else if (operation != MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET)
        plain->draining = operation == MOEHUB_REDUCTION_COMMAND_DRAIN;
    fixture->compared++;
}

static void step(struct fixture *fixture)
{
    const unsigned choice = random_below(&fixture->random, 100);
    if (choice < 20)
        step_reserve(fixture);
    else if (choice < 60)
        step_partial(fixture);
    else if (choice < 77)
        step_take(fixture);
    else if (choice < 97)
        step_group(fixture);
    else if (choice < 98)
        step_timeout(fixture);
    else
        step_command(fixture);
}

/* Takes whatever is left, for a FLUSH of the empty buffer. */
static void empty_and_flush(struct fixture *fixture)
{
    const unsigned groups = plain_groups(&fixture->plain);
    for (unsigned i = 0; i < 1000 * fixture->plain.config.entries && fixture->plain.queued < groups; i++) {
        step_timeout(fixture);
        step_take(fixture);
        step_group(fixture);
    }
    if (fixture->plain.queued < groups)
        return;
    assert_false(moehub_reduction_buffer_command(&fixture->buffer, MOEHUB_REDUCTION_COMMAND_FLUSH, 0));
    assert_false(moehub_reduction_buffer_command(&fixture->without_payloads, MOEHUB_REDUCTION_COMMAND_FLUSH, 0));
    plain_empty(&fixture->plain);
}

static void compare_end(const struct fixture *fixture, uint64_t *events)
{
    for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++) {
        assert_int_equal(fixture->buffer.counters[event], fixture->plain.events[event]);
        assert_int_equal(fixture->without_payloads.counters[event], fixture->plain.events[event]);
        events[event] += fixture->plain.events[event];
    }
    assert_int_equal(moehub_reduction_buffer_occupancy(&fixture->buffer),
                     fixture->plain.config.entries - fixture->plain.queued * fixture->plain.config.request_lines);
    assert_true(moehub_reduction_buffer_is_valid(&fixture->buffer));
    assert_true(moehub_reduction_buffer_is_valid(&fixture->without_payloads));
}

static void random_events_equal_the_plain_reading(void **state)
{
    (void)state;
    uint64_t random = 2026;
    uint64_t compared = 0;
    uint64_t results = 0;
    uint64_t times_refused = 0;
    uint64_t events[MOEHUB_REDUCTION_ORDER_EVENTS] = {0};
    for (unsigned run = 0; run < 120; run++) {
        struct fixture *fixture = calloc(1, sizeof *fixture);
        assert_non_null(fixture);
        fixture->random = run;
        fixture->plain.config = random_config(&random);
        plain_empty(&fixture->plain);
        struct moehub_reduction_buffer_config config = fixture->plain.config;
        assert_int_equal(moehub_reduction_buffer_create(&fixture->buffer, &config), 0);
        config.payloads = false;
        assert_int_equal(moehub_reduction_buffer_create(&fixture->without_payloads, &config), 0);
        for (unsigned i = 0; i < 3000; i++) {
            step(fixture);
            if (i % 700 == 699)
                empty_and_flush(fixture);
        }
        compare_end(fixture, events);
        compared += fixture->compared;
        results += fixture->results;
        times_refused += fixture->times_refused;
        moehub_reduction_buffer_destroy(&fixture->buffer);
        moehub_reduction_buffer_destroy(&fixture->without_payloads);
        free(fixture);
    }
    assert_true(compared > 200000);
    assert_true(results > 5000);
    assert_true(times_refused > 100);
    for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
        assert_true(events[event] > 0);
}

/* ---- cases worth naming --------------------------------------------------------------------------- */

static struct moehub_reduction_grant reserve(struct moehub_reduction_buffer *buffer, uint64_t contributors)
{
    const struct moehub_reduction_reserve request = {.tag = 7, .contributors = contributors, .requester = 3, .length = 4};
    struct moehub_reduction_grant grant;
    assert_int_equal(moehub_reduction_buffer_reserve(buffer, &request, &grant), 0);
    assert_int_equal(grant.status, MOEHUB_STATUS_OK);
    return grant;
}

static unsigned answer(struct moehub_reduction_buffer *buffer, struct moehub_reduction_grant grant, unsigned port,
                       unsigned status, unsigned element, unsigned length)
{
    static const uint8_t ones[16] = {0x80, 0x3F, 0x80, 0x3F};   /* 1.0, 1.0 in bf16 */
    const struct moehub_reduction_partial partial = {ones, 1, grant.entry, (uint16_t)length, grant.generation, (uint8_t)port,
                                                     (uint8_t)status, (uint8_t)element};
    return moehub_reduction_buffer_partial(buffer, &partial);
}

/* An entry that failed in several ways has one status, whatever the order of arrival. */
static void the_order_of_failures_does_not_matter(void **state)
{
    (void)state;
    static const unsigned orders[6][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};
    for (unsigned i = 0; i < 6; i++)
        for (unsigned without = 0; without < 4; without++) {
            struct moehub_reduction_buffer buffer;
            const struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
            assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), 0);
            const struct moehub_reduction_grant grant = reserve(&buffer, 0xE);
            for (unsigned j = 0; j < 3; j++) {
                const unsigned port = orders[i][j];
                const bool fails = port > without;   /* port 1: status, 2: type, 3: length */
                answer(&buffer, grant, port, fails && port == 1 ? MOEHUB_STATUS_UNMAPPED : MOEHUB_STATUS_OK,
                       fails && port == 2 ? MOEHUB_ELEMENT_FP16 : MOEHUB_ELEMENT_BF16, fails && port == 3 ? 8 : 4);
            }
            struct moehub_reduction_result result;
            assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, grant.entry, &result), 0);
            static const unsigned expected[] = {MOEHUB_STATUS_PARTIAL, MOEHUB_STATUS_TYPE, MOEHUB_STATUS_LENGTH,
                                                MOEHUB_STATUS_OK};
            assert_int_equal(result.status, expected[without]);
            moehub_reduction_buffer_destroy(&buffer);
        }
}

static void late_partials_are_stale_until_the_generation_wraps(void **state)
{
    (void)state;
    struct moehub_reduction_buffer buffer;
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    config.entries = 1;
    config.generation_width = 2;
    assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), 0);
    const struct moehub_reduction_grant first = reserve(&buffer, 6);
    assert_int_equal(answer(&buffer, first, 1, 0, 0, 4), MOEHUB_REDUCTION_NO_CAUSE);
    assert_int_equal(moehub_reduction_buffer_timeout(&buffer, 0), 0);
    assert_int_equal(answer(&buffer, first, 2, 0, 0, 4), MOEHUB_REDUCTION_CAUSE_STALE);
    assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, 0, NULL), 0);
    for (unsigned reuse = 1; reuse < 4; reuse++) {
        const struct moehub_reduction_grant grant = reserve(&buffer, 6);
        assert_int_equal(grant.generation, reuse);
        assert_int_equal(answer(&buffer, first, 2, 0, 0, 4), MOEHUB_REDUCTION_CAUSE_STALE);
        answer(&buffer, grant, 1, 0, 0, 4);
        answer(&buffer, grant, 2, 0, 0, 4);
        assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, 0, NULL), 0);
    }
    assert_int_equal(reserve(&buffer, 6).generation, 0);
    moehub_reduction_buffer_destroy(&buffer);
}

static void fp32_results_are_twice_as_long(void **state)
{
    (void)state;
    struct moehub_reduction_buffer buffer;
    const struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), 0);
    const struct moehub_reduction_reserve request = {.contributors = 6, .length = 4, .out_fp32 = true};
    struct moehub_reduction_grant grant;
    assert_int_equal(moehub_reduction_buffer_reserve(&buffer, &request, &grant), 0);
    answer(&buffer, grant, 1, 0, 0, 4);
    answer(&buffer, grant, 2, 0, 0, 4);
    struct moehub_reduction_result result;
    assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, grant.entry, &result), 0);
    static const uint8_t twos[16] = {0, 0, 0, 0x40, 0, 0, 0, 0x40};
    assert_int_equal(result.length, 8);
    assert_int_equal(result.element, MOEHUB_ELEMENT_FP32);
    assert_memory_equal(result.data, twos, sizeof twos);
    moehub_reduction_buffer_destroy(&buffer);
}

static void offenders_name_their_packets(void **state)
{
    (void)state;
    struct moehub_reduction_buffer buffer;
    const struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), 0);
    struct moehub_reduction_grant grant;
    const struct moehub_reduction_reserve request = {.tag = 0xABCDEF, .contributors = 1, .requester = 513, .length = 100,
                                                     .element = 1, .out_fp32 = true};
    moehub_reduction_buffer_reserve(&buffer, &request, &grant);
    answer(&buffer, (struct moehub_reduction_grant){300, 0, 9}, 5, 2, 1, 44);
    grant = reserve(&buffer, 2);
    moehub_reduction_buffer_timeout(&buffer, grant.entry);
    moehub_reduction_buffer_command(&buffer, 12, 0);
    static const struct moehub_header expected[] = {
        {.type = 3, .length = 100, .source = 513, .tag = 0xABCDEF, .element = 1, .out_fp32 = true},
        {.type = 4, .length = 44, .tag = 300 << 8 | 9, .status = 2, .element = 1},
        {.type = 5, .tag = 0, .status = 13},
        {.type = 12},
    };
    static const unsigned causes[] = {1, 4, 11, 12};
    static const unsigned ports[] = {0, 5, 0, 0};
    assert_int_equal(buffer.offenders.count, 4);
    for (unsigned i = 0; i < 4; i++) {
        const struct moehub_offender offender = {moehub_header_pack(&expected[i]), 0, (uint8_t)ports[i], (uint8_t)causes[i]};
        assert_true(moehub_offenders_contain(&buffer.offenders, &offender));
        assert_memory_equal(&buffer.offenders.list[i].header, &offender.header, sizeof offender.header);
    }
    moehub_reduction_buffer_destroy(&buffer);
}

static void illegal_configurations_are_refused(void **state)
{
    (void)state;
    const struct moehub_reduction_buffer_config good = moehub_reduction_buffer_config_default();
    assert_int_equal(moehub_reduction_buffer_config_check(&good), 0);
    static const struct { unsigned index; uint32_t value; } wrong[] = {
        {0, 0}, {0, 4097}, {1, 1}, {1, 65}, {2, 0}, {2, 120}, {2, 272}, {3, 2}, {3, 24}, {3, 128}, {4, 0}, {4, 65},
        {5, 2}, {6, 0}, {6, 9}, {7, 0}, {7, 65}, {8, 0}, {8, 2}, {8, 3}, {8, 16}, {9, 2}, {10, 2}, {11, 64}};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct moehub_reduction_buffer_config config = good;
        struct moehub_reduction_buffer buffer;
        memcpy((uint8_t *)&config + 4 * wrong[i].index, &wrong[i].value, 4);
        assert_int_equal(moehub_reduction_buffer_config_check(&config), MOEHUB_E_ARGUMENT);
        assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), MOEHUB_E_ARGUMENT);
    }
}

static void broken_buffers_are_seen(void **state)
{
    (void)state;
    struct moehub_reduction_buffer buffer;
    const struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), 0);
    const struct moehub_reduction_grant grant = reserve(&buffer, 6);
    assert_true(moehub_reduction_buffer_is_valid(&buffer));
    buffer.entries[grant.entry].missing = 0;   /* waits for nobody */
    assert_false(moehub_reduction_buffer_is_valid(&buffer));
    buffer.entries[grant.entry].missing = 8;   /* waits for a port outside of the set */
    assert_false(moehub_reduction_buffer_is_valid(&buffer));
    buffer.entries[grant.entry].missing = 6;
    buffer.free_list[buffer.free_head] = grant.entry;   /* free and in use */
    assert_false(moehub_reduction_buffer_is_valid(&buffer));
    moehub_reduction_buffer_destroy(&buffer);
}

/* ---- groups --------------------------------------------------------------------------------------- */

static struct moehub_reduction_buffer groups_of_two(uint32_t quarantine, uint32_t with_release)
{
    struct moehub_reduction_buffer buffer;
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    config.entries = 4;
    config.request_lines = 2;
    config.quarantine = quarantine;
    config.with_release = with_release;
    assert_int_equal(moehub_reduction_buffer_create(&buffer, &config), 0);
    return buffer;
}

static struct moehub_reduction_grant reserve_lines(struct moehub_reduction_buffer *buffer, unsigned lines)
{
    const struct moehub_reduction_reserve request = {.contributors = 6, .length = 4, .lines_less_1 = (uint8_t)(lines - 1)};
    struct moehub_reduction_grant grant;
    assert_int_equal(moehub_reduction_buffer_reserve(buffer, &request, &grant), 0);
    assert_int_equal(grant.status, MOEHUB_STATUS_OK);
    return grant;
}

/* One generation a group, the last line alone has the length asked, and a line that was not asked takes nothing. */
static void a_group_has_one_generation_and_a_length_for_each_line(void **state)
{
    (void)state;
    struct moehub_reduction_buffer buffer = groups_of_two(0, 0);
    struct moehub_reduction_grant first = reserve_lines(&buffer, 2);
    struct moehub_reduction_grant second = reserve_lines(&buffer, 1);
    assert_int_equal(second.entry, 2);
    assert_int_equal(buffer.entries[0].length, 128);
    assert_int_equal(buffer.entries[1].length, 4);
    assert_int_equal(buffer.entries[2].length, 4);
    second.entry = 3;   /* the line that was not asked */
    assert_int_equal(answer(&buffer, second, 1, 0, 0, 4), MOEHUB_REDUCTION_CAUSE_STALE);
    first.entry = 1;
    assert_int_equal(answer(&buffer, first, 1, 0, 0, 128), MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH);
    assert_int_equal(answer(&buffer, first, 2, 0, 0, 4), MOEHUB_REDUCTION_NO_CAUSE);
    assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, 1, NULL), 0);
    assert_int_equal(moehub_reduction_buffer_freed(&buffer, 0), MOEHUB_E_STATE);   /* line 0 waits */
    assert_int_equal(moehub_reduction_buffer_timeout(&buffer, 0), 0);
    assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, 0, NULL), 0);
    assert_int_equal(moehub_reduction_buffer_occupancy(&buffer), 4);
    assert_int_equal(moehub_reduction_buffer_freed(&buffer, 1), 0);
    assert_int_equal(moehub_reduction_buffer_freed(&buffer, 0), MOEHUB_E_STATE);   /* once */
    assert_int_equal(moehub_reduction_buffer_freed(&buffer, 4), MOEHUB_E_STATE);   /* no such entry */
    assert_int_equal(moehub_reduction_buffer_occupancy(&buffer), 2);
    assert_int_equal(reserve_lines(&buffer, 2).generation, 1);
    moehub_reduction_buffer_destroy(&buffer);
}

static void released_counts_once_and_after_the_grant(void **state)
{
    (void)state;
    struct moehub_reduction_buffer buffer = groups_of_two(1, 1);
    const struct moehub_reduction_grant grant = reserve_lines(&buffer, 1);
    assert_false(moehub_reduction_buffer_released(&buffer, grant.entry));   /* not granted */
    moehub_reduction_buffer_granted(&buffer, grant.entry);
    assert_false(moehub_reduction_buffer_released(&buffer, 2));   /* in no use */
    assert_false(moehub_reduction_buffer_released(&buffer, 4));   /* no such entry */
    assert_int_equal(moehub_reduction_buffer_timeout(&buffer, grant.entry), 0);
    assert_int_equal(moehub_reduction_buffer_result_taken(&buffer, grant.entry, NULL), 0);
    assert_false(moehub_reduction_buffer_may_be_freed(&buffer, grant.entry));
    assert_true(moehub_reduction_buffer_released(&buffer, grant.entry + 1u));
    assert_false(moehub_reduction_buffer_released(&buffer, grant.entry));
    assert_true(buffer.groups[0].timed_out);
    assert_true(moehub_reduction_buffer_may_be_freed(&buffer, grant.entry));
    assert_int_equal(moehub_reduction_buffer_freed(&buffer, grant.entry), 0);
    moehub_reduction_buffer_destroy(&buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_events_equal_the_plain_reading),
        cmocka_unit_test(the_order_of_failures_does_not_matter),
        cmocka_unit_test(late_partials_are_stale_until_the_generation_wraps),
        cmocka_unit_test(fp32_results_are_twice_as_long),
        cmocka_unit_test(offenders_name_their_packets),
        cmocka_unit_test(illegal_configurations_are_refused),
        cmocka_unit_test(broken_buffers_are_seen),
        cmocka_unit_test(a_group_has_one_generation_and_a_length_for_each_line),
        cmocka_unit_test(released_counts_once_and_after_the_grant),
    };
    return cmocka_run_group_tests_name("reduction_buffer", tests, NULL, NULL);
}
