/* SPDX-License-Identifier: Apache-2.0 */
/* The egress by hand: orders of section 3 of rtl/doc/plane/switch.md worked out on paper, turns, credits, a link that falls, a
 * port that is down. */
#include "moehub/egress.h"

#include "common/support.h"

enum { NONE = MOEHUB_EGRESS_SOURCES, PLENTY = 100 };

/* An egress and what each source has next: packets of `flits` flits, one after the other. */
struct scene {
    struct moehub_egress egress;
    struct moehub_egress_cycle cycle;
    uint8_t flits[MOEHUB_EGRESS_SOURCES]; /* 0: nothing */
    uint8_t sent[MOEHUB_EGRESS_SOURCES];
};

static struct scene begin(uint32_t bound)
{
    struct scene scene = {.cycle = {.link_up = true, .credits = {PLENTY, PLENTY, PLENTY}}};
    moehub_egress_reset(&scene.egress, bound);
    moehub_egress_step(&scene.egress, &scene.cycle); /* ready is low in the cycle after reset */
    return scene;
}

/* One cycle; returns the source of the packet that begins. */
static unsigned step(struct scene *scene)
{
    for (unsigned i = 0; i < MOEHUB_EGRESS_SOURCES; i++) {
        struct moehub_egress_flit *flit = &scene->cycle.offered[i];
        *flit = (struct moehub_egress_flit){.valid = scene->flits[i] > 0};
        if (!flit->valid || !scene->egress.ready[i])
            continue;
        flit->flits = scene->flits[i];
        flit->data.half[0] = scene->sent[i]++;
        flit->last = scene->sent[i] == scene->flits[i];
        if (flit->last)
            scene->sent[i] = 0;
    }
    moehub_egress_step(&scene->egress, &scene->cycle);
    return scene->egress.chosen;
}

static void order(struct scene *scene, const char *expected)
{
    static const char letters[] = "RSpen."; /* request, store; result, error, notice; none */
    for (; *expected != '\0'; expected++)
        assert_int_equal(letters[step(scene)], *expected);
}

static void classes_in_order(void **state)
{
    (void)state;
    struct scene two = begin(2), three = begin(3);
    for (unsigned i = 0; i <= MOEHUB_EGRESS_RESULT; i++)
        two.flits[i] = three.flits[i] = 1;
    order(&two, "RRpSRpSRpS");
    order(&three, "RRRpSRRpSRRpS");
}

/* A hub's: bound 0. */
static void classes_in_turn(void **state)
{
    (void)state;
    struct scene scene = begin(0);
    scene.flits[MOEHUB_EGRESS_REQUEST] = scene.flits[MOEHUB_EGRESS_RESULT] = 1;
    order(&scene, "RpRp");
    scene.flits[MOEHUB_EGRESS_STORE] = 1;
    order(&scene, "RSpRSp");
}

/* A store of two flits is being sent as a request and a result come. */
static void no_gap(void **state)
{
    (void)state;
    struct scene scene = begin(8);
    scene.flits[MOEHUB_EGRESS_STORE] = 2;
    order(&scene, "S");
    scene.flits[MOEHUB_EGRESS_REQUEST] = scene.flits[MOEHUB_EGRESS_RESULT] = 1;
    order(&scene, ".");
    assert_true(scene.egress.packet.valid && scene.egress.packet.last);
    order(&scene, "R");
    assert_true(scene.egress.packet.valid && scene.egress.packet.first);
    assert_int_equal(scene.egress.packets, 1u << MOEHUB_CLASS_STORE);
    scene.flits[MOEHUB_EGRESS_REQUEST] = 0;
    order(&scene, "p");
}

static void responses_in_turn(void **state)
{
    (void)state;
    struct scene scene = begin(8);
    scene.flits[MOEHUB_EGRESS_RESULT] = scene.flits[MOEHUB_EGRESS_ERROR] = scene.flits[MOEHUB_EGRESS_NOTICE] = 1;
    order(&scene, "penpe");
    scene.flits[MOEHUB_EGRESS_NOTICE] = 0;
    order(&scene, "npepe");
}

/* A result of 17 flits has the turn and waits; notices, for which there are credits, wait behind it. */
static void turn_waits_for_credits(void **state)
{
    (void)state;
    struct scene scene = begin(8);
    scene.cycle.credits[MOEHUB_CLASS_RESPONSE] = 16;
    scene.flits[MOEHUB_EGRESS_RESULT] = 17;
    order(&scene, ".");
    scene.flits[MOEHUB_EGRESS_NOTICE] = 1;
    order(&scene, "...");
    assert_int_equal(scene.egress.blocked, 1u << MOEHUB_CLASS_RESPONSE);
    scene.cycle.credits[MOEHUB_CLASS_RESPONSE] = 17;
    order(&scene, "p................n");
}

static void credits_count_at_once(void **state)
{
    (void)state;
    struct scene scene = begin(8);
    scene.cycle.credits[MOEHUB_CLASS_REQUEST] = 1;
    scene.flits[MOEHUB_EGRESS_REQUEST] = 1;
    order(&scene, "R");
    assert_true(scene.egress.start);
    assert_int_equal(scene.egress.start_flits, 1);
    order(&scene, "."); /* `credits` does not show yet what start takes */
    scene.cycle.credits[MOEHUB_CLASS_REQUEST] = 0;
    order(&scene, ".");
    assert_int_equal(scene.egress.blocked, 1u << MOEHUB_CLASS_REQUEST);
}

/* The link falls after the first of three flits: the rest goes on its way, and the packet was not sent. */
static void cut_short(void **state)
{
    (void)state;
    struct scene scene = begin(8);
    scene.flits[MOEHUB_EGRESS_STORE] = 3;
    order(&scene, "S.");
    scene.cycle.link_up = false;
    order(&scene, ".");
    assert_true(scene.egress.packet.last);
    scene.cycle.link_up = true;
    order(&scene, "S");
    assert_true(scene.egress.discarded);
    assert_int_equal(scene.egress.packets, 0);
}

/* Without credits and without a link: a flit a cycle, nothing to the link sender, in the order of the choice. */
static void discards(void **state)
{
    (void)state;
    struct scene scene = begin(2);
    scene.cycle = (struct moehub_egress_cycle){.down = true};
    for (unsigned i = 0; i <= MOEHUB_EGRESS_RESULT; i++)
        scene.flits[i] = 1;
    order(&scene, "RRpSRp");
    assert_false(scene.egress.start || scene.egress.packet.valid);
    assert_true(scene.egress.discarded);
    assert_int_equal(scene.egress.blocked, 0);
}

/* What is being discarded is discarded to its end, what is being sent is sent to its end. */
static void ends_as_begun(void **state)
{
    (void)state;
    struct scene scene = begin(8);
    scene.flits[MOEHUB_EGRESS_STORE] = 2;
    scene.cycle.down = true;
    order(&scene, "S");
    scene.cycle.down = false;
    order(&scene, ".");
    assert_false(scene.egress.packet.valid);
    order(&scene, "S");
    assert_true(scene.egress.discarded);
    scene.cycle.down = true;
    order(&scene, ".");
    assert_true(scene.egress.packet.valid && scene.egress.packet.last);
    order(&scene, "S");
    assert_int_equal(scene.egress.packets, 1u << MOEHUB_CLASS_STORE);
}

/* A link that fell takes back how often stores were overtaken. */
static void overtaken_forgotten(void **state)
{
    (void)state;
    struct scene scene = begin(2);
    scene.flits[MOEHUB_EGRESS_REQUEST] = scene.flits[MOEHUB_EGRESS_STORE] = 1;
    order(&scene, "RR");
    scene.cycle.link_up = false;
    order(&scene, ".");
    scene.cycle.link_up = true;
    order(&scene, "RRS");
}

static void idle(void **state)
{
    (void)state;
    struct scene scene = begin(2);
    order(&scene, ".");
    assert_true(scene.egress.idle);
    scene.cycle.link_up = false;
    scene.flits[MOEHUB_EGRESS_NOTICE] = 1;
    order(&scene, ".");
    assert_false(scene.egress.idle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_in_order),        cmocka_unit_test(classes_in_turn),        cmocka_unit_test(no_gap),
        cmocka_unit_test(responses_in_turn),      cmocka_unit_test(turn_waits_for_credits),
        cmocka_unit_test(credits_count_at_once),  cmocka_unit_test(cut_short),
        cmocka_unit_test(discards),               cmocka_unit_test(ends_as_begun),
        cmocka_unit_test(overtaken_forgotten),    cmocka_unit_test(idle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
