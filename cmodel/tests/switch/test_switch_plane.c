/* SPDX-License-Identifier: Apache-2.0 */
/* The switch plane's model: the worked examples of rtl/doc/packet.md typed in once more, what may not leave, and sums added up
 * by hand. */
#include "moehub/switch_plane.h"

#include "common/random.h"
#include "common/support.h"

static const struct moehub_switch_plane_config eight = {
    .ports = 8, .local_expert_bits = 8, .max_targets = 32, .request_lines = 8, .groups = 2, .generation_width = 1,
    .with_fp32 = true, .places = {2048, 256, 2048}};

static struct moehub_switch_plane plane;

static int create(void **state)
{
    (void)state;
    if (moehub_switch_plane_create(&plane, &eight) != 0)
        return -1;
    for (unsigned port = 0; port < eight.ports; port++)
        for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
            moehub_switch_plane_grant(&plane, port, i, eight.places[i]);
    return 0;
}

static int destroy(void **state)
{
    (void)state;
    moehub_switch_plane_destroy(&plane);
    return 0;
}

static struct moehub_flit flit(uint64_t high, uint64_t low)
{
    return (struct moehub_flit){{low, high}};
}

/* Sends a packet; the cause with which it ended. */
static unsigned send(unsigned port, unsigned packet_class, const struct moehub_flit *flits, unsigned count)
{
    struct moehub_link_taken taken = {.cause = MOEHUB_LINK_CAUSES};
    for (unsigned i = 0; i < count; i++) {
        const struct moehub_link_flit one = {.valid = true, .packet_class = (uint8_t)packet_class, .first = i == 0,
                                             .last = i + 1 == count, .data = flits[i]};
        assert_int_equal(moehub_switch_plane_arrive(&plane, port, &one, &taken), 0);
    }
    return taken.end.verdict.cause;
}

static struct moehub_crossbar_copy out;

static int leaves(unsigned port, unsigned packet_class, struct moehub_flit header)
{
    struct moehub_message why;
    return moehub_switch_plane_leave(&plane, port, packet_class, header, &out, &why);
}

static void assert_leaves(unsigned port, unsigned packet_class, struct moehub_flit header, unsigned count)
{
    assert_int_equal(leaves(port, packet_class, header), 0);
    assert_int_equal(out.count, count);
    assert_memory_equal(&out.flits[0], &header, sizeof header);
}

/* ---- worked examples ------------------------------------------------------------------------------ */

static void store_of_the_page(void **state)
{
    (void)state;
    const struct moehub_flit copy = flit(0x00070280091A2B02, 0x3000ABCD40120052);
    struct moehub_flit store[10] = {flit(0x030A000123450100, 0x3000ABCD40120042), flit(0x0000000000000607, 0x0602050000030001)};
    for (unsigned i = 2; i < 10; i++)
        store[i] = flit(i, 100 + i);
    assert_int_equal(leaves(6, MOEHUB_CLASS_STORE, copy), MOEHUB_E_STATE);
    assert_int_equal(send(2, MOEHUB_CLASS_STORE, store, 10), MOEHUB_PACKET_CAUSES);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 3);
    assert_leaves(6, MOEHUB_CLASS_STORE, copy, 9);
    assert_int_equal(out.flits[8].half[0], 109);
    assert_int_equal(leaves(6, MOEHUB_CLASS_STORE, copy), MOEHUB_E_STATE);
    assert_int_equal(leaves(1, MOEHUB_CLASS_STORE, copy), MOEHUB_E_STATE);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 2);
    for (unsigned port = 0; port < eight.ports; port++)
        assert_int_equal(plane.ports[port].counts.store_copies, port == 0 || port == 5 || port == 6);
}

static void notices_of_the_page(void **state)
{
    (void)state;
    const struct moehub_flit close = flit(0x0300000010000005, 0x0000000040100007);
    const struct moehub_flit notify = flit(0x0301000123450002, 0x0000000040280008);
    assert_int_equal(send(2, MOEHUB_CLASS_RESPONSE, &close, 1), MOEHUB_PACKET_CAUSES);
    assert_int_equal(send(5, MOEHUB_CLASS_RESPONSE, &notify, 1), MOEHUB_PACKET_CAUSES);
    assert_leaves(5, MOEHUB_CLASS_RESPONSE, close, 1);
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, notify, 1);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 0);
    assert_int_equal(send(1, MOEHUB_CLASS_RESPONSE, &notify, 1), MOEHUB_PACKET_CAUSE_SOURCE);
    assert_int_equal(plane.ports[1].counts.causes[MOEHUB_PACKET_CAUSE_SOURCE], 1);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 0);
}

/* ---- a request ------------------------------------------------------------------------------------- */

enum { ENTRY = 8, LINES = 8, ASKED = 48 };

/* The page's request of GPU 2 for lines 8 to 15, to GPUs 0 and 5. */
static void ask(void)
{
    const struct moehub_flit request[2] = {flit(0x0307000123450400, 0x4000003040110003), flit(0, 0x0000050000030001)};
    assert_int_equal(send(2, MOEHUB_CLASS_REQUEST, request, 2), MOEHUB_PACKET_CAUSES);
}

/* The copy for GPU 0, with the name that the hardware chose; that for GPU 5. */
static struct moehub_flit copy_to_0(unsigned entry, unsigned generation)
{
    return flit(0x000301A0091A2B08, 0x4000000040110013 | (uint64_t)moehub_entry_tag(entry, generation) << 32);
}
static struct moehub_flit copy_to_5(unsigned entry, unsigned generation)
{
    return flit(0x00000060091A2B08, 0x4000000040110013 | (uint64_t)moehub_entry_tag(entry, generation) << 32);
}

/* Every element of the line's partial is `word`. */
static unsigned answer(unsigned source, unsigned line, uint64_t word, unsigned generation)
{
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_PARTIAL, .length = 128, .source = (uint16_t)source, .context = 2, .offset = 2,
        .tag = moehub_entry_tag(ENTRY + line, generation), .stage = MOEHUB_STAGE_COMBINE, .round = 6};
    struct moehub_flit partial[9] = {moehub_header_pack(&header)};
    for (unsigned i = 1; i < 9; i++)
        partial[i] = flit(word * 0x0001000100010001, word * 0x0001000100010001);
    return send(source, MOEHUB_CLASS_RESPONSE, partial, 9);
}

static struct moehub_flit result_of(unsigned line, unsigned status, unsigned length)
{
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_RESULT, .length = (uint16_t)length, .source = 2, .offset = 2, .context = 2, .tag = ASKED + line,
        .stage = MOEHUB_STAGE_COMBINE, .round = 6, .status = (uint8_t)status};
    return moehub_header_pack(&header);
}

static void request_of_the_page(void **state)
{
    (void)state;
    ask();
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY + 1, 0)), MOEHUB_E_STATE); /* no group begins there */
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 1)), MOEHUB_E_STATE);     /* its first use is 0 */
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0)), MOEHUB_E_STATE);
    assert_int_equal(leaves(5, MOEHUB_CLASS_REQUEST, copy_to_5(ENTRY, 0)), 0);
    for (unsigned line = 0; line < LINES; line++) {
        answer(5, line, 0x3F80, 0);
        assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(line, MOEHUB_STATUS_OK, 128)), MOEHUB_E_STATE);
        answer(0, line, 0x4000, 0);
        answer(0, line, 0x4000, 0); /* a second time: changes nothing */
        assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(line, MOEHUB_STATUS_OK, 128), 9);
        assert_int_equal(out.flits[8].half[1], 0x4040404040404040); /* 1 + 2 */
    }
    assert_int_equal(moehub_switch_plane_waiting(&plane), 0);
    assert_int_equal(plane.ports[2].counts.reduction[MOEHUB_REDUCTION_EVENT_RESULTS], LINES);
    assert_int_equal(plane.ports[2].counts.reduction[MOEHUB_REDUCTION_EVENT_PARTIALS], 3 * LINES);
}

static void group_has_one_user(void **state)
{
    (void)state;
    ask();
    ask();
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
    assert_int_equal(leaves(5, MOEHUB_CLASS_REQUEST, copy_to_5(0, 0)), 0); /* the older one's: it has its name */
    assert_int_equal(out.flits[0].half[0], copy_to_5(ENTRY, 0).half[0]);
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 1)), MOEHUB_E_STATE);
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(0, 0), 1);
}

static void assert_groups_in_use(unsigned least, unsigned most)
{
    const struct moehub_switch_plane_use use = moehub_switch_plane_groups_in_use(&plane, 2);
    assert_int_equal(use.least, least);
    assert_int_equal(use.most, most);
}

/* A request has a group some time between its arrival and its first copy, until its last result leaves. */
static void groups_in_use(void **state)
{
    (void)state;
    assert_groups_in_use(0, 0);
    ask();
    ask();
    ask();
    assert_groups_in_use(0, 2);
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
    assert_int_equal(leaves(5, MOEHUB_CLASS_REQUEST, copy_to_5(ENTRY, 0)), 0);
    assert_groups_in_use(1, 2);
    for (unsigned line = 0; line < LINES; line++) {
        assert_groups_in_use(1, 2);
        answer(0, line, 0x3F80, 0);
        answer(5, line, 0x3F80, 0);
    }
    assert_groups_in_use(0, 2);
}

static void groups_in_quarantine(void **state)
{
    (void)state;
    plane.ports[2].timeout = 100;
    plane.now = 0;
    ask();
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
    plane.now = 100;
    assert_groups_in_use(1, 2);
    plane.now = 101;
    assert_groups_in_use(0, 2);
    plane.now = 0;
}

static void errors_of_partials(void **state)
{
    (void)state;
    ask();
    leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0));
    answer(0, 0, 0x3F80, 1);                /* another generation */
    answer(5, 0, 0x3F80, 0);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(0, MOEHUB_STATUS_OK, 128)), MOEHUB_E_STATE);
    const struct moehub_header failed = {
        .type = MOEHUB_PACKET_PARTIAL, .status = MOEHUB_STATUS_MEMORY, .offset = 2, .tag = moehub_entry_tag(ENTRY, 0),
        .stage = MOEHUB_STAGE_COMBINE};
    const struct moehub_flit partial = moehub_header_pack(&failed);
    assert_int_equal(send(0, MOEHUB_CLASS_RESPONSE, &partial, 1), MOEHUB_PACKET_CAUSES);
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(0, MOEHUB_STATUS_PARTIAL, 0), 1);
    assert_int_equal(plane.ports[2].counts.reduction[MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_STALE], 1);
}

static void timeout_needs_its_time(void **state)
{
    (void)state;
    plane.now = 1000;
    plane.ports[2].timeout = 500;
    ask();
    plane.now = 1499;
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(3, MOEHUB_STATUS_TIMEOUT, 0)), MOEHUB_E_STATE);
    plane.now = 1500;
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(3, MOEHUB_STATUS_TIMEOUT, 0), 1);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 2 + LINES - 1);
}

static void refused_request_is_answered(void **state)
{
    (void)state;
    struct moehub_flit request[2] = {flit(0x0307000123450400, 0x4000003040110003), flit(0, 0x0000050000030001)};
    request[1].half[0] = 0x0000050000010003; /* ids descend */
    assert_int_equal(send(2, MOEHUB_CLASS_REQUEST, request, 2), MOEHUB_PACKET_CAUSE_TARGET);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(1, MOEHUB_STATUS_MALFORMED, 0)), MOEHUB_E_STATE);
    for (unsigned line = 0; line < LINES; line++)
        assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(line, MOEHUB_STATUS_MALFORMED, 0), 1);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 0);
    assert_int_equal(plane.ports[2].counts.error_results, LINES);
}

/* ---- links ------------------------------------------------------------------------------------------ */

static void more_grants_than_places(void **state)
{
    (void)state;
    assert_int_equal(moehub_switch_plane_grant(&plane, 0, MOEHUB_CLASS_REQUEST, 1), MOEHUB_E_LIMIT);
}

static void link_falls_within_a_packet(void **state)
{
    (void)state;
    const struct moehub_link_flit first = {.valid = true, .packet_class = MOEHUB_CLASS_STORE, .first = true,
                                           .data = flit(0x030A000123450100, 0x3000ABCD40120042)};
    struct moehub_link_taken taken;
    moehub_switch_plane_arrive(&plane, 2, &first, &taken);
    moehub_switch_plane_link_down(&plane, 2);
    moehub_switch_plane_link_down(&plane, 2);
    assert_int_equal(plane.ports[2].counts.causes[MOEHUB_PACKET_CAUSE_FRAME], 1);
    assert_int_equal(plane.ports[2].counts.packets_in[MOEHUB_CLASS_STORE], 1);
    assert_int_equal(moehub_switch_plane_waiting(&plane), 0);
}

/* Three notifies of GPU 5 for GPU 2, told apart by their rows. */
static struct moehub_flit notify(unsigned row)
{
    return flit(0x0301000000000002 | (uint64_t)row << 16, 0x0000000040280008);
}

static void lost_with_the_link(void **state)
{
    (void)state;
    for (unsigned row = 1; row <= 3; row++) {
        const struct moehub_flit packet = notify(row);
        assert_int_equal(send(5, MOEHUB_CLASS_RESPONSE, &packet, 1), MOEHUB_PACKET_CAUSES);
    }
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, notify(1), 1);
    moehub_switch_plane_lose(&plane, 2, 0);
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, notify(3), 1);
    assert_int_equal(plane.ports[2].lost, 1);
    assert_int_equal(moehub_switch_plane_waiting_for(&plane, 2), 0);
}

static void order_holds_without_a_loss(void **state)
{
    (void)state;
    for (unsigned row = 1; row <= 2; row++) {
        const struct moehub_flit packet = notify(row);
        send(5, MOEHUB_CLASS_RESPONSE, &packet, 1);
    }
    const struct moehub_flit expected = notify(1);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, notify(2)), 0); /* it has to be the first: the caller compares */
    assert_memory_equal(&out.flits[0], &expected, sizeof expected);
}

/* ---- a port that is down ------------------------------------------------------------------------------- */

static void discarded_while_down(void **state)
{
    (void)state;
    for (unsigned row = 1; row <= 4; row++) {
        if (row == 2)
            moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_MAYBE);
        if (row == 3)
            moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_YES);
        if (row == 4)
            moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_NO);
        const struct moehub_flit packet = notify(row);
        send(5, MOEHUB_CLASS_RESPONSE, &packet, 1);
    }
    assert_int_equal(moehub_switch_plane_doubtful(&plane), 3); /* what came before it was up again */
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, notify(3), 1);
    assert_int_equal(plane.ports[2].discarded, 2);
    assert_int_equal(moehub_switch_plane_doubtful(&plane), 0);
    const struct moehub_flit fourth = notify(4), fifth = notify(5);
    send(5, MOEHUB_CLASS_RESPONSE, &fifth, 1);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, fifth), 0); /* the fourth came later: it has to leave first */
    assert_memory_equal(&out.flits[0], &fourth, sizeof fourth);
}

/* More than a model of its places holds: the oldest are known to be missing. */
static void discarded_without_end(void **state)
{
    (void)state;
    enum { MANY = 10000 };
    const struct moehub_flit packet = notify(1);
    moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_YES);
    for (unsigned i = 0; i < MANY; i++) {
        moehub_switch_plane_grant(&plane, 5, MOEHUB_CLASS_RESPONSE, i == 0 ? 0 : 1);
        assert_int_equal(send(5, MOEHUB_CLASS_RESPONSE, &packet, 1), MOEHUB_PACKET_CAUSES);
    }
    assert_int_equal(plane.ports[2].discarded + moehub_switch_plane_waiting_for(&plane, 2), MANY);
    assert_true(plane.ports[2].discarded > 0);
    assert_int_equal(moehub_switch_plane_doubtful(&plane), moehub_switch_plane_waiting(&plane));
}

static void request_to_a_port_that_is_down(void **state)
{
    (void)state;
    moehub_switch_plane_set_down(&plane, 5, MOEHUB_SWITCH_PLANE_YES);
    ask();
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0)), MOEHUB_E_STATE);
    for (unsigned line = 0; line < LINES; line++)
        assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(line, MOEHUB_STATUS_TIMEOUT, 0), 1);
    assert_int_equal(plane.ports[2].counts.refused_down, 1);
    assert_int_equal(plane.ports[2].counts.reduction[MOEHUB_REDUCTION_EVENT_REQUESTS], 0);
    moehub_switch_plane_set_down(&plane, 5, MOEHUB_SWITCH_PLANE_NO);
    ask();
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
}

/* A request has neither a group nor an answer until something of it leaves, unless that may have been discarded. */
static void undecided(void **state)
{
    (void)state;
    ask();
    assert_int_equal(moehub_switch_plane_undecided(&plane, 5), 1);
    assert_int_equal(moehub_switch_plane_undecided(&plane, 1), 0);
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
    assert_int_equal(moehub_switch_plane_undecided(&plane, 5), 0);
    moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_YES);
    ask();
    assert_int_equal(moehub_switch_plane_undecided(&plane, 5), 0);
}

/* Answers of a refused request that were discarded: the others may leave. */
static void answers_discarded(void **state)
{
    (void)state;
    moehub_switch_plane_set_down(&plane, 5, MOEHUB_SWITCH_PLANE_YES);
    moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_YES);
    ask();
    moehub_switch_plane_set_down(&plane, 2, MOEHUB_SWITCH_PLANE_NO);
    ask();
    for (unsigned line = 1; line < LINES; line++) /* of the older one, whose first line was discarded */
        assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(line, MOEHUB_STATUS_TIMEOUT, 0), 1);
    assert_int_equal(plane.ports[2].discarded, 1);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(1, MOEHUB_STATUS_TIMEOUT, 0)), MOEHUB_E_STATE);
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(0, MOEHUB_STATUS_TIMEOUT, 0), 1);
}

static void answers_lost_with_the_link(void **state)
{
    (void)state;
    moehub_switch_plane_set_down(&plane, 5, MOEHUB_SWITCH_PLANE_YES);
    ask();
    moehub_switch_plane_lose(&plane, 2, 0);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(2, MOEHUB_STATUS_TIMEOUT, 0)), MOEHUB_E_STATE); /* two */
    assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(1, MOEHUB_STATUS_TIMEOUT, 0), 1);
    assert_int_equal(plane.ports[2].lost, 1);
}

static void drains(void **state)
{
    (void)state;
    ask();
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1);
    moehub_switch_plane_set_draining(&plane, 2, MOEHUB_SWITCH_PLANE_MAYBE);
    ask();
    moehub_switch_plane_set_draining(&plane, 2, MOEHUB_SWITCH_PLANE_YES);
    ask();
    for (unsigned i = 0; i < 2; i++) /* the second may have been granted, and says that it was not */
        for (unsigned line = 0; line < LINES; line++)
            assert_leaves(2, MOEHUB_CLASS_RESPONSE, result_of(line, MOEHUB_STATUS_DRAINING, 0), 1);
    assert_int_equal(leaves(2, MOEHUB_CLASS_RESPONSE, result_of(0, MOEHUB_STATUS_DRAINING, 0)), MOEHUB_E_STATE);
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(0, 0)), MOEHUB_E_STATE);
    assert_int_equal(plane.ports[2].counts.reserved, 1);
    assert_int_equal(plane.ports[2].counts.refused, 2);
    assert_int_equal(plane.ports[2].counts.reduction[MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_DRAINING], 2);
}

static void drains_no_more(void **state)
{
    (void)state;
    moehub_switch_plane_set_draining(&plane, 2, MOEHUB_SWITCH_PLANE_YES);
    ask();
    assert_int_equal(leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0)), MOEHUB_E_STATE);
    moehub_switch_plane_set_draining(&plane, 2, MOEHUB_SWITCH_PLANE_MAYBE);
    assert_leaves(0, MOEHUB_CLASS_REQUEST, copy_to_0(ENTRY, 0), 1); /* it waited until then */
    assert_int_equal(plane.ports[2].counts.reserved, 1);
    assert_int_equal(plane.ports[2].counts.refused, 0);
}

static void first_offender(void **state)
{
    (void)state;
    const struct moehub_flit notice = notify(1);
    const struct moehub_link_flit outside = {.valid = true, .packet_class = MOEHUB_CLASS_STORE, .last = true};
    struct moehub_link_taken taken;
    assert_false(plane.ports[1].offender.caught);
    send(1, MOEHUB_CLASS_RESPONSE, &notice, 1); /* from GPU 5's link it would be good */
    moehub_switch_plane_arrive(&plane, 1, &outside, &taken);
    assert_true(plane.ports[1].offender.caught);
    assert_int_equal(plane.ports[1].offender.cause, MOEHUB_PACKET_CAUSE_SOURCE);
    assert_memory_equal(&plane.ports[1].offender.header, &notice, sizeof notice);
    assert_int_equal(plane.ports[1].counts.causes[MOEHUB_LINK_CAUSE_OUTSIDE], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(store_of_the_page, create, destroy),
        cmocka_unit_test_setup_teardown(notices_of_the_page, create, destroy),
        cmocka_unit_test_setup_teardown(request_of_the_page, create, destroy),
        cmocka_unit_test_setup_teardown(group_has_one_user, create, destroy),
        cmocka_unit_test_setup_teardown(groups_in_use, create, destroy),
        cmocka_unit_test_setup_teardown(groups_in_quarantine, create, destroy),
        cmocka_unit_test_setup_teardown(errors_of_partials, create, destroy),
        cmocka_unit_test_setup_teardown(timeout_needs_its_time, create, destroy),
        cmocka_unit_test_setup_teardown(refused_request_is_answered, create, destroy),
        cmocka_unit_test_setup_teardown(more_grants_than_places, create, destroy),
        cmocka_unit_test_setup_teardown(link_falls_within_a_packet, create, destroy),
        cmocka_unit_test_setup_teardown(lost_with_the_link, create, destroy),
        cmocka_unit_test_setup_teardown(order_holds_without_a_loss, create, destroy),
        cmocka_unit_test_setup_teardown(discarded_while_down, create, destroy),
        cmocka_unit_test_setup_teardown(discarded_without_end, create, destroy),
        cmocka_unit_test_setup_teardown(request_to_a_port_that_is_down, create, destroy),
        cmocka_unit_test_setup_teardown(undecided, create, destroy),
        cmocka_unit_test_setup_teardown(answers_discarded, create, destroy),
        cmocka_unit_test_setup_teardown(answers_lost_with_the_link, create, destroy),
        cmocka_unit_test_setup_teardown(drains, create, destroy),
        cmocka_unit_test_setup_teardown(drains_no_more, create, destroy),
        cmocka_unit_test_setup_teardown(first_offender, create, destroy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
