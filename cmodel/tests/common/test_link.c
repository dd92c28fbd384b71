/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of a link by hand: each line of the table of rtl/doc/plane/link.md section 3, credits, grants, a link that falls. */
#include "moehub/link_receiver.h"
#include "moehub/link_sender.h"

#include "common/examples.h"
#include "common/random.h"
#include "common/support.h"

enum { ALL = 7, NONE = MOEHUB_LINK_CAUSES, ACCEPTED = MOEHUB_PACKET_CAUSES };

/* ---- receiver ------------------------------------------------------------------------------------------- */

static struct moehub_link_receiver receiver_of_port_2(void)
{
    const struct moehub_check_config config = {false, 2, 8, 8, 32, 8, false};
    struct moehub_link_receiver receiver;
    moehub_link_receiver_reset(&receiver, &config);
    return receiver;
}

/* Flit `number` of an example of class `packet_class`. */
static struct moehub_link_flit flit_of(unsigned example, unsigned packet_class, unsigned number)
{
    const struct example *from = &examples[example];
    struct moehub_link_flit flit = {true, (uint8_t)packet_class, number == 0, number + 1 == from->flits, {{number, 0}}};
    if (number == 0)
        flit.data = from->flit;
    else if (number == 1 && from->target_count > 0)
        flit.data = from->list;
    return flit;
}

static struct moehub_link_taken give(struct moehub_link_receiver *receiver, struct moehub_link_flit flit)
{
    return moehub_link_receiver_flit(receiver, &flit, ALL);
}

/* Flits from .. to - 1 of the store example. */
static struct moehub_link_taken give_store(struct moehub_link_receiver *receiver, unsigned from, unsigned to)
{
    struct moehub_link_taken taken = {.cause = NONE};
    for (unsigned i = from; i < to; i++)
        taken = give(receiver, flit_of(STORE, MOEHUB_CLASS_STORE, i));
    return taken;
}

static void a_good_packet(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    for (unsigned i = 0; i < 10; i++) {
        const struct moehub_link_taken taken = give(&receiver, flit_of(STORE, MOEHUB_CLASS_STORE, i));
        assert_int_equal(taken.cause, NONE);
        assert_true(taken.stored);
        assert_int_equal(taken.first, i == 0);
        assert_int_equal(taken.target_flits, i == 0 ? 1 : 0);
        assert_int_equal(taken.end.valid, i == 9);
        if (i < 9)
            continue;
        assert_true(taken.end.kept);
        assert_int_equal(taken.end.flits, 10);
        assert_int_equal(taken.end.verdict.cause, ACCEPTED);
        assert_int_equal(taken.end.verdict.copies, 3);
    }
}

static void bad_class(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    struct moehub_link_flit flit = flit_of(STORE, 3, 0);
    assert_int_equal(give(&receiver, flit).cause, MOEHUB_LINK_CAUSE_BAD_CLASS);
    assert_false(receiver.open);
    give_store(&receiver, 0, 3);
    flit = flit_of(STORE, MOEHUB_CLASS_REQUEST, 9); /* its `last` is not heeded */
    const struct moehub_link_taken taken = give(&receiver, flit);
    assert_int_equal(taken.cause, MOEHUB_LINK_CAUSE_BAD_CLASS);
    assert_false(taken.stored || taken.end.valid);
    const struct moehub_link_end end = give_store(&receiver, 3, 10).end;
    assert_int_equal(end.verdict.cause, MOEHUB_PACKET_CAUSE_FRAME);
    assert_false(end.kept);
}

static void outside(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    const struct moehub_link_taken taken = give(&receiver, flit_of(STORE, MOEHUB_CLASS_STORE, 9));
    assert_int_equal(taken.cause, MOEHUB_LINK_CAUSE_OUTSIDE);
    assert_false(taken.stored || taken.end.valid);
    assert_int_equal(give_store(&receiver, 0, 10).end.verdict.cause, ACCEPTED);
}

static void unended(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    give(&receiver, flit_of(REQUEST, MOEHUB_CLASS_REQUEST, 0));
    const struct moehub_link_taken taken = give(&receiver, flit_of(STORE, MOEHUB_CLASS_STORE, 0));
    assert_true(taken.unended && taken.stored && taken.first);
    assert_int_equal(taken.cause, NONE);
    assert_true(taken.cut.valid && taken.cut.kept); /* a request whose header was stored is answered */
    assert_int_equal(taken.cut.verdict.cause, MOEHUB_PACKET_CAUSE_FRAME);
    assert_int_equal(taken.cut.packet_class, MOEHUB_CLASS_REQUEST);
    assert_int_equal(give_store(&receiver, 1, 10).end.verdict.cause, ACCEPTED);
}

static void no_place(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    struct moehub_link_flit flit = flit_of(REQUEST, MOEHUB_CLASS_REQUEST, 0);
    struct moehub_link_taken taken = moehub_link_receiver_flit(&receiver, &flit, 1 << MOEHUB_CLASS_STORE);
    assert_int_equal(taken.cause, MOEHUB_LINK_CAUSE_PLACE);
    assert_false(taken.stored);
    taken = give(&receiver, flit_of(REQUEST, MOEHUB_CLASS_REQUEST, 1));
    assert_true(taken.stored && taken.first);
    assert_false(taken.end.kept); /* nobody knows its header */
    assert_int_equal(taken.end.flits, 1);
    assert_int_equal(taken.end.verdict.cause, MOEHUB_PACKET_CAUSE_FRAME);
    assert_int_equal(taken.end.header.half[0], 0);
    give(&receiver, flit_of(REQUEST, MOEHUB_CLASS_REQUEST, 0));
    flit = flit_of(REQUEST, MOEHUB_CLASS_REQUEST, 1);
    taken = moehub_link_receiver_flit(&receiver, &flit, 0);
    assert_int_equal(taken.cause, MOEHUB_LINK_CAUSE_PLACE);
    assert_true(taken.end.valid && taken.end.kept);
}

static void longest(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    give_store(&receiver, 0, 9);
    for (unsigned i = 9; i < 20; i++) {
        struct moehub_link_flit flit = flit_of(STORE, MOEHUB_CLASS_STORE, 8);
        flit.last = i == 19;
        const struct moehub_link_taken taken = give(&receiver, flit);
        assert_int_equal(taken.cause, NONE);
        assert_int_equal(taken.stored, i < MOEHUB_STORE_LONGEST);
        if (flit.last)
            assert_int_equal(taken.end.flits, MOEHUB_STORE_LONGEST);
    }
}

static void the_link_falls(void **state)
{
    (void)state;
    struct moehub_link_receiver receiver = receiver_of_port_2();
    assert_false(moehub_link_receiver_down(&receiver).valid);
    give_store(&receiver, 0, 5);
    const struct moehub_link_end end = moehub_link_receiver_down(&receiver);
    assert_true(end.valid);
    assert_int_equal(end.flits, 5);
    assert_int_equal(end.verdict.cause, MOEHUB_PACKET_CAUSE_FRAME);
    assert_int_equal(give(&receiver, flit_of(STORE, MOEHUB_CLASS_STORE, 5)).cause, MOEHUB_LINK_CAUSE_OUTSIDE);
}

/* ---- grants ------------------------------------------------------------------------------------------------- */

static void check_grant(struct moehub_link_grant grant, unsigned packet_class, unsigned flits)
{
    assert_int_equal(grant.valid, flits > 0);
    if (flits > 0) {
        assert_int_equal(grant.packet_class, packet_class);
        assert_int_equal(grant.flits, flits);
    }
}

static void grants_take_turns(void **state)
{
    (void)state;
    struct moehub_link_owed owed;
    moehub_link_owed_reset(&owed);
    struct moehub_link_stores stores = {.initialised = {true, true, false}, .free_places = {600, 5, 17}};
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 0);
    stores.freed[1] = 2;
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 255);
    stores.freed[1] = 0;
    stores.initialised[2] = true;
    check_grant(moehub_link_owed_step(&owed, true, &stores), 1, 7);
    check_grant(moehub_link_owed_step(&owed, true, &stores), 2, 17);
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 255);
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 90);
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 0);
    stores.freed[2] = 3;
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 0);
    stores.freed[2] = 0;
    check_grant(moehub_link_owed_step(&owed, false, &stores), 0, 0); /* owed, but the link has fallen */
    check_grant(moehub_link_owed_step(&owed, true, &stores), 0, 0);
    check_grant(moehub_link_owed_step(&owed, true, &stores), 1, 5);
}

/* ---- sender --------------------------------------------------------------------------------------------------- */

static void do_step(struct moehub_link_sender *sender, struct moehub_link_sender_cycle cycle)
{
    assert_true(moehub_link_sender_step(sender, &cycle));
}

static struct moehub_link_sender_cycle granting(unsigned packet_class, unsigned flits)
{
    return (struct moehub_link_sender_cycle){.link_up = true, .grant = {true, (uint8_t)packet_class, (uint8_t)flits}};
}

static struct moehub_link_sender_cycle idle(void)
{
    return (struct moehub_link_sender_cycle){.link_up = true};
}

static struct moehub_link_sender_cycle sending(uint64_t data, bool last)
{
    return (struct moehub_link_sender_cycle){
        .link_up = true, .flit = true, .flit_class = 1, .flit_last = last, .flit_data = {{data, 0}}};
}

static struct moehub_link_sender_cycle starting(struct moehub_link_sender_cycle cycle, unsigned flits)
{
    cycle.start = true;
    cycle.start_class = 1;
    cycle.start_flits = (uint8_t)flits;
    return cycle;
}

static void credits(void **state)
{
    (void)state;
    struct moehub_link_sender sender;
    moehub_link_sender_reset(&sender);
    const struct moehub_link_sender_cycle both = starting(granting(1, 10), 1);
    assert_false(moehub_link_sender_step(&sender, &both)); /* no packet */
    do_step(&sender, sending(1, true));
    assert_false(moehub_link_sender_step(&sender, &both)); /* no credits */
    moehub_link_sender_reset(&sender);
    do_step(&sender, granting(1, 255));
    assert_int_equal(sender.credits[1], 0); /* in the register behind the wires */
    do_step(&sender, granting(3, 255));
    assert_int_equal(sender.credits[1], 255);
    do_step(&sender, sending(1, true));
    assert_int_equal(sender.credits[1], 255);
    const struct moehub_link_sender_cycle late = granting(1, 10);
    assert_false(moehub_link_sender_step(&sender, &late)); /* the packet is not started */
    do_step(&sender, both);
    assert_int_equal(sender.credits[1], 254);
    for (unsigned i = 0; i < 31; i++)
        do_step(&sender, granting(1, 255));
    do_step(&sender, granting(1, 22));
    assert_int_equal(sender.credits[1], 8169);
    assert_false(sender.credit_overflow);
    do_step(&sender, granting(1, 1));
    assert_int_equal(sender.credits[1], 8191);
    assert_false(sender.credit_overflow);
    do_step(&sender, idle());
    assert_int_equal(sender.credits[1], 8191);
    assert_true(sender.credit_overflow);
    assert_int_equal(sender.credits[0] + sender.credits[2], 0);
}

/* What is in hand, in the register and on the wires when the link falls is lost. */
static void a_fall_takes_all_credits(void **state)
{
    (void)state;
    struct moehub_link_sender sender;
    moehub_link_sender_reset(&sender);
    do_step(&sender, granting(1, 5));
    do_step(&sender, granting(1, 6));
    assert_int_equal(sender.credits[1], 5);
    do_step(&sender, (struct moehub_link_sender_cycle){.link_up = false, .grant = {true, 1, 9}});
    assert_int_equal(sender.credits[1], 0);
    do_step(&sender, idle());
    do_step(&sender, granting(1, 7));
    assert_int_equal(sender.credits[1], 0);
    do_step(&sender, idle());
    assert_int_equal(sender.credits[1], 7);
}

static void check_wire(const struct moehub_link_sender *sender, bool valid, uint64_t data, bool first, bool last)
{
    assert_int_equal(sender->wire.valid, valid);
    assert_int_equal(sender->wire.data.half[0], data);
    assert_int_equal(sender->wire.first, first);
    assert_int_equal(sender->wire.last, last);
}

/* Two packets without a gap: each is started a cycle after its first flit. */
static void packets_without_a_gap(void **state)
{
    (void)state;
    struct moehub_link_sender sender;
    moehub_link_sender_reset(&sender);
    do_step(&sender, granting(1, 5));
    do_step(&sender, idle());
    do_step(&sender, sending(10, false));
    check_wire(&sender, true, 10, true, false);
    do_step(&sender, starting(sending(11, true), 2));
    check_wire(&sender, true, 11, false, true);
    do_step(&sender, sending(20, false));
    check_wire(&sender, true, 20, true, false);
    do_step(&sender, starting(idle(), 2));
    check_wire(&sender, false, 0, false, false);
    do_step(&sender, sending(21, true));
    check_wire(&sender, true, 21, false, true);
    assert_int_equal(sender.credits[1], 1);
}

/* The rest of a packet is dropped, even when the link is up again. */
static void the_rest_is_dropped(void **state)
{
    (void)state;
    struct moehub_link_sender sender;
    moehub_link_sender_reset(&sender);
    do_step(&sender, granting(1, 9));
    do_step(&sender, idle());
    do_step(&sender, sending(1, false));
    do_step(&sender, starting((struct moehub_link_sender_cycle){.link_up = false}, 3));
    do_step(&sender, granting(1, 4));
    do_step(&sender, sending(2, false));
    check_wire(&sender, false, 0, false, false);
    do_step(&sender, sending(3, true));
    check_wire(&sender, false, 0, false, false);
    do_step(&sender, sending(4, true));
    check_wire(&sender, true, 4, true, true);
    do_step(&sender, starting(idle(), 1));
    assert_int_equal(sender.credits[1], 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_packet),     cmocka_unit_test(bad_class),
        cmocka_unit_test(outside),           cmocka_unit_test(unended),
        cmocka_unit_test(no_place),          cmocka_unit_test(longest),
        cmocka_unit_test(the_link_falls),    cmocka_unit_test(grants_take_turns),
        cmocka_unit_test(credits),
        cmocka_unit_test(a_fall_takes_all_credits),           cmocka_unit_test(packets_without_a_gap),
        cmocka_unit_test(the_rest_is_dropped),
    };
    return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
