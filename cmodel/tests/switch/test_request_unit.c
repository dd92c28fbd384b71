/* SPDX-License-Identifier: Apache-2.0 */
/* The request unit's model: the worked example of rtl/doc/packet.md, every refusal of its own, and random requests against
 * an oracle that keeps them in one list and looks through all of it each time. */
#include "moehub/request_unit.h"

#include "common/random.h"
#include "common/support.h"
#include "moehub/error.h"
#include "moehub/header_check.h"

enum { NAMES = 9, ROUNDS = 20000 };

static struct moehub_request_unit create(uint32_t lines, uint32_t groups)
{
    struct moehub_request_unit unit;
    const struct moehub_request_unit_config config = {
        .ports = 8, .request_lines = lines, .groups = groups, .places = NAMES, .own = 2};
    assert_int_equal(moehub_request_unit_create(&unit, &config), 0);
    return unit;
}

/* Lines 8 to 15 of a row, to GPUs 0 and 5. */
static struct moehub_request example(void)
{
    return (struct moehub_request){.ports = 0x21, .tag = 48, .name = 3, .length = 64, .context = 2, .round = 6};
}

static bool accept(struct moehub_request_unit *unit, const struct moehub_request *request, uint64_t down,
                   struct moehub_reduction_reserve *reserve)
{
    bool reserves;
    assert_int_equal(moehub_request_unit_accept(unit, request, down, reserve, &reserves), 0);
    return reserves;
}

/* ---- the page's example -------------------------------------------------------------------------------- */

static void a_request_reserves_a_group_and_goes_on_with_its_patch(void **state)
{
    (void)state;
    struct moehub_request_unit unit = create(8, 13);
    const struct moehub_request request = example();
    struct moehub_reduction_reserve reserve;
    assert_true(accept(&unit, &request, 0xDE, &reserve));
    assert_int_equal(reserve.requester, 2);
    assert_int_equal(reserve.tag, 6u << 27 | 2u << 24 | 48);
    assert_int_equal(reserve.lines_less_1, 7);
    assert_int_equal(reserve.length, 128);
    assert_int_equal(reserve.contributors, 0x21);
    struct moehub_request_outcome outcome;
    assert_int_equal(moehub_request_unit_next(&unit, &outcome), MOEHUB_E_STATE);   /* no grant yet */
    const struct moehub_reduction_grant grant = {.entry = 0x28, .generation = 9};
    assert_int_equal(moehub_request_unit_grant(&unit, &grant), 0);
    assert_int_equal(moehub_request_unit_grant(&unit, &grant), MOEHUB_E_STATE);    /* nobody waits */
    assert_int_equal(moehub_request_unit_next(&unit, &outcome), 0);
    assert_int_equal(outcome.status, MOEHUB_STATUS_OK);
    assert_int_equal(moehub_request_unit_patch(&unit, 3), 0x2809);
    uint16_t entry;
    assert_int_equal(moehub_request_unit_leave(&unit, 3, &entry), 0);
    assert_int_equal(entry, 0x28);
    assert_int_equal(unit.reserved, 1);
    assert_int_equal(unit.in_use, 0);
    moehub_request_unit_destroy(&unit);
}

static void a_refused_request_gets_an_error_result_a_line(void **state)
{
    (void)state;
    static const struct { bool refused; uint64_t down; uint8_t status; } refusals[] = {
        {true, 0x21, MOEHUB_STATUS_MALFORMED}, {true, 0, MOEHUB_STATUS_MALFORMED}, {false, 0x20, MOEHUB_STATUS_TIMEOUT}};
    for (unsigned i = 0; i < 3; i++) {
        struct moehub_request_unit unit = create(8, 13);
        struct moehub_request request = example();
        request.refused = refusals[i].refused;
        struct moehub_reduction_reserve reserve;
        assert_false(accept(&unit, &request, refusals[i].down, &reserve));
        struct moehub_request_outcome outcome;
        assert_int_equal(moehub_request_unit_next(&unit, &outcome), 0);
        assert_int_equal(outcome.status, refusals[i].status);
        assert_int_equal(outcome.lines, 8);
        const struct moehub_flit flit = moehub_request_unit_error(&unit, &outcome, 5);
        assert_int_equal(flit.half[1], UINT64_C(0x0301000000000002));
        assert_int_equal(flit.half[0], (uint64_t)refusals[i].status << 56 | UINT64_C(0x0000003540100005));
        assert_int_equal(unit.refused, 1);
        assert_int_equal(unit.refused_down, refusals[i].status == MOEHUB_STATUS_TIMEOUT);
        assert_int_equal(unit.error_results, 8);
        moehub_request_unit_destroy(&unit);
    }
}

/* fp32 if the sum was to be fp32; the tag of a line does not pass 24 bits. */
static void an_error_result_has_the_type_of_the_result(void **state)
{
    (void)state;
    struct moehub_request_unit unit = create(8, 13);
    struct moehub_request_outcome outcome = {.request = example(), .lines = 8, .status = MOEHUB_STATUS_DRAINING};
    outcome.request.tag = 0xFFFFFE;
    outcome.request.element = MOEHUB_ELEMENT_FP16;
    struct moehub_header header = moehub_header_unpack(moehub_request_unit_error(&unit, &outcome, 3));
    assert_int_equal(header.tag, 1);
    assert_int_equal(header.element, MOEHUB_ELEMENT_FP16);
    outcome.request.out_fp32 = true;
    header = moehub_header_unpack(moehub_request_unit_error(&unit, &outcome, 0));
    assert_int_equal(header.element, MOEHUB_ELEMENT_FP32);
    assert_false(header.out_fp32);
    moehub_request_unit_destroy(&unit);
}

static void lines_are_whole_but_for_the_last(void **state)
{
    (void)state;
    for (uint32_t most = 1; most <= 8; most *= 2)
        for (unsigned length = 0; length < 512; length++) {
            struct moehub_request_unit unit = create(most, 13);
            unsigned lines = 1, left = length;   /* of the last line */
            while (left > 8 && lines < most) {
                lines++;
                left -= 8;
            }
            assert_int_equal(moehub_request_lines(length, most), lines);
            struct moehub_request request = example();
            request.length = (uint16_t)length;
            struct moehub_reduction_reserve reserve;
            if (length >= 1 && length <= 8 * most && accept(&unit, &request, 0, &reserve)) {
                assert_int_equal(reserve.lines_less_1, lines - 1);
                assert_int_equal(reserve.length, 16 * left);
            }
            moehub_request_unit_destroy(&unit);
        }
}

/* ---- refusals of the model itself --------------------------------------------------------------------- */

static void what_cannot_be_changes_nothing(void **state)
{
    (void)state;
    struct moehub_request_unit unit = create(2, 3);
    struct moehub_request request = example();
    struct moehub_reduction_reserve reserve;
    bool reserves;
    uint16_t entry;
    request.length = 9;
    request.name = NAMES;
    assert_int_equal(moehub_request_unit_accept(&unit, &request, 0, &reserve, &reserves), MOEHUB_E_ARGUMENT);
    request.name = NAMES - 1;
    assert_true(accept(&unit, &request, 0, &reserve));
    assert_int_equal(moehub_request_unit_accept(&unit, &request, 0, &reserve, &reserves), MOEHUB_E_STATE);
    assert_int_equal(moehub_request_unit_leave(&unit, request.name, &entry), MOEHUB_E_STATE);
    const struct moehub_reduction_grant wrong[] = {{.entry = 1}, {.entry = 6}};   /* a line 1; no such group */
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(moehub_request_unit_grant(&unit, &wrong[i]), MOEHUB_E_ARGUMENT);
    const struct moehub_reduction_grant right = {.entry = 4};
    assert_int_equal(moehub_request_unit_grant(&unit, &right), 0);
    assert_int_equal(moehub_request_unit_leave(&unit, request.name, &entry), MOEHUB_E_STATE);   /* decided alone */
    struct moehub_request_outcome outcome;
    assert_int_equal(moehub_request_unit_next(&unit, &outcome), 0);
    assert_int_equal(moehub_request_unit_next(&unit, &outcome), MOEHUB_E_STATE);
    assert_int_equal(moehub_request_unit_leave(&unit, NAMES, &entry), MOEHUB_E_STATE);
    assert_int_equal(moehub_request_unit_leave(&unit, request.name, &entry), 0);
    assert_int_equal(moehub_request_unit_leave(&unit, request.name, &entry), MOEHUB_E_STATE);   /* once */
    assert_true(accept(&unit, &request, 0, &reserve));
    moehub_request_unit_reset(&unit);
    assert_int_equal(unit.in_use, 0);
    assert_int_equal(unit.reserved, 0);
    assert_true(accept(&unit, &request, 0, &reserve));
    moehub_request_unit_destroy(&unit);
    moehub_request_unit_destroy(NULL);
}

static void illegal_configurations_are_refused(void **state)
{
    (void)state;
    static const struct moehub_request_unit_config wrong[] = {
        {1, 8, 13, 256, 0}, {65, 8, 13, 256, 0}, {8, 0, 13, 256, 0}, {8, 3, 13, 256, 0}, {8, 16, 13, 256, 0}, {8, 8, 0, 256, 0},
        {8, 8, 513, 256, 0}, {8, 8, 13, 4, 0}, {8, 8, 13, 8192, 0}, {8, 8, 13, 256, 8}};
    struct moehub_request_unit unit;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(moehub_request_unit_create(&unit, &wrong[i]), MOEHUB_E_ARGUMENT);
    const struct moehub_request_unit_config most = {64, 1, 4096, 8191, 63};
    assert_int_equal(moehub_request_unit_create(&unit, &most), 0);
    moehub_request_unit_destroy(&unit);
}

/* ---- random requests ------------------------------------------------------------------------------------ */

/* All requests ever taken, in order. */
struct plain {
    struct { unsigned name; bool reserves, decided, given, gone; unsigned status, entry; } requests[ROUNDS];
    unsigned count;
};

/* The first request with `given` or without; with `granted`: the first that waits for its grant. -1: none. */
static int first_waiting(const struct plain *plain, bool granted)
{
    for (unsigned i = 0; i < plain->count; i++)
        if (granted ? plain->requests[i].reserves && !plain->requests[i].decided : !plain->requests[i].given)
            return (int)i;
    return -1;
}

static bool name_in_use(const struct plain *plain, unsigned name)
{
    for (unsigned i = 0; i < plain->count; i++)
        if (plain->requests[i].name == name && !plain->requests[i].gone)
            return true;
    return false;
}

static void random_accept(struct moehub_request_unit *unit, struct plain *plain, struct random *random)
{
    const uint64_t down = random_below(random, 3) == 0 ? random_word(random) & 0xFF : 0;
    struct moehub_request request = example();
    request.name = (uint16_t)random_below(random, NAMES);
    request.ports = 1 + random_below(random, 255);
    request.refused = random_below(random, 4) == 0;
    struct moehub_reduction_reserve reserve;
    bool reserves;
    const int error = moehub_request_unit_accept(unit, &request, down, &reserve, &reserves);
    assert_int_equal(error, name_in_use(plain, request.name) ? MOEHUB_E_STATE : 0);
    if (error != 0)
        return;
    assert_int_equal(reserves, !request.refused && (request.ports & down) == 0);
    plain->requests[plain->count].name = request.name;
    plain->requests[plain->count].reserves = reserves;
    plain->requests[plain->count].decided = !reserves;
    plain->requests[plain->count++].status = request.refused ? MOEHUB_STATUS_MALFORMED : MOEHUB_STATUS_TIMEOUT;
}

static void random_grant(struct moehub_request_unit *unit, struct plain *plain, struct random *random)
{
    const bool refused = random_below(random, 3) == 0;
    const struct moehub_reduction_grant grant = {.status = refused ? MOEHUB_STATUS_TYPE : MOEHUB_STATUS_OK,
                                                 .entry = refused ? 0 : (uint16_t)(8 * random_below(random, 13))};
    const int which = first_waiting(plain, true);
    assert_int_equal(moehub_request_unit_grant(unit, &grant), which < 0 ? MOEHUB_E_STATE : 0);
    if (which < 0)
        return;
    plain->requests[which].decided = true;
    plain->requests[which].status = grant.status;
    plain->requests[which].entry = grant.entry;
}

static void random_next(struct moehub_request_unit *unit, struct plain *plain)
{
    struct moehub_request_outcome outcome;
    const int which = first_waiting(plain, false);
    const bool ready = which >= 0 && plain->requests[which].decided;
    assert_int_equal(moehub_request_unit_next(unit, &outcome), ready ? 0 : MOEHUB_E_STATE);
    if (!ready)
        return;
    plain->requests[which].given = true;
    assert_int_equal(outcome.request.name, plain->requests[which].name);
    assert_int_equal(outcome.status, plain->requests[which].status);
}

static void random_leave(struct moehub_request_unit *unit, struct plain *plain, struct random *random)
{
    const unsigned name = random_below(random, NAMES);
    uint16_t entry = 0;
    const int error = moehub_request_unit_leave(unit, name, &entry);
    for (unsigned i = 0; i < plain->count; i++)
        if (plain->requests[i].name == name && plain->requests[i].given && !plain->requests[i].gone) {
            assert_int_equal(error, 0);
            if (plain->requests[i].status == MOEHUB_STATUS_OK)
                assert_int_equal(entry, plain->requests[i].entry);
            plain->requests[i].gone = true;
            return;
        }
    assert_int_equal(error, MOEHUB_E_STATE);
}

static void random_requests_equal_the_plain_reading(void **state)
{
    (void)state;
    struct moehub_request_unit unit = create(8, 13);
    struct plain *plain = calloc(1, sizeof *plain);
    assert_non_null(plain);
    struct random random = random_from(7);
    uint64_t reserved = 0, refused = 0;
    for (unsigned round = 0; round < ROUNDS; round++)
        switch (random_below(&random, 4)) {
        case 0: random_accept(&unit, plain, &random); break;
        case 1: random_grant(&unit, plain, &random); break;
        case 2: random_next(&unit, plain); break;
        default: random_leave(&unit, plain, &random);
        }
    for (unsigned i = 0; i < plain->count; i++) {
        reserved += plain->requests[i].decided && plain->requests[i].status == MOEHUB_STATUS_OK;
        refused += plain->requests[i].given && plain->requests[i].status != MOEHUB_STATUS_OK;
    }
    assert_int_equal(unit.reserved, reserved);
    assert_int_equal(unit.refused, refused);
    assert_int_equal(unit.error_results, 8 * refused);
    assert_true(reserved > 500 && refused > 500);
    free(plain);
    moehub_request_unit_destroy(&unit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_reserves_a_group_and_goes_on_with_its_patch),
        cmocka_unit_test(a_refused_request_gets_an_error_result_a_line),
        cmocka_unit_test(an_error_result_has_the_type_of_the_result),
        cmocka_unit_test(lines_are_whole_but_for_the_last),
        cmocka_unit_test(what_cannot_be_changes_nothing),
        cmocka_unit_test(illegal_configurations_are_refused),
        cmocka_unit_test(random_requests_equal_the_plain_reading),
    };
    return cmocka_run_group_tests_name("request_unit", tests, NULL, NULL);
}
