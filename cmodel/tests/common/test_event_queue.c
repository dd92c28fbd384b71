/* SPDX-License-Identifier: Apache-2.0 */
/* The event queue against a list that is searched from end to end. */
#include "common/random.h"
#include "common/support.h"

#include "moehub/error.h"
#include "moehub/event_queue.h"

enum { CAPACITY = 37, STEPS = 20000 };

/* An item of an odd size: nothing may lean on alignment, and its ends show a copy of too few bytes. */
struct item {
    unsigned char bytes[11];
};

static struct item item_of(uint32_t number)
{
    struct item item;
    for (unsigned i = 0; i < sizeof item.bytes; i++)
        item.bytes[i] = (unsigned char)(number >> (i % 4 * 8)) ^ (unsigned char)(i * 37);
    return item;
}

/* The oracle: everything under way, in any order. */
struct list {
    struct {
        uint64_t due;
        uint32_t number;
    } entries[CAPACITY];
    size_t count;
};

static uint64_t earliest(const struct list *list)
{
    uint64_t due = UINT64_MAX;
    for (size_t i = 0; i < list->count; i++)
        due = list->entries[i].due < due ? list->entries[i].due : due;
    return due;
}

/* Takes the item that is due at `due` out of the list; false: there is none. */
static bool take(struct list *list, uint64_t due, const struct item *item)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct item expected = item_of(list->entries[i].number);
        if (list->entries[i].due != due || memcmp(item, &expected, sizeof expected) != 0)
            continue;
        list->entries[i] = list->entries[--list->count];
        return true;
    }
    return false;
}

/* Two queues that are treated alike must give the same items. */
static void try_pop(struct moehub_event_queue queues[2], struct list *list, uint64_t now)
{
    struct item items[2];
    const uint64_t due = earliest(list);
    const bool any = list->count > 0 && due <= now;
    for (unsigned i = 0; i < 2; i++) {
        assert_true(moehub_event_queue_next(&queues[i]) == due);
        assert_int_equal(moehub_event_queue_pop(&queues[i], now, &items[i]), any);
    }
    if (!any)
        return;
    assert_true(take(list, due, &items[0]));
    assert_memory_equal(&items[0], &items[1], sizeof items[0]);
}

static void try_push(struct moehub_event_queue queues[2], struct list *list, uint64_t due, uint32_t number)
{
    const struct item item = item_of(number);
    const int expected = list->count == CAPACITY ? MOEHUB_E_LIMIT : 0;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(moehub_event_queue_push(&queues[i], due, &item), expected);
    if (expected != 0)
        return;
    list->entries[list->count].due = due;
    list->entries[list->count++].number = number;
}

/* Few different times, so that equals are frequent; phases of filling and of emptying reach both ends. */
static void the_earliest_leaves_first(void **state)
{
    (void)state;
    struct moehub_event_queue queues[2];
    struct random random = random_from(1);
    static struct list list;
    unsigned full = 0;
    unsigned empty = 0;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(moehub_event_queue_create(&queues[i], CAPACITY, sizeof(struct item)), 0);
    for (uint32_t step = 0; step < STEPS; step++) {
        const bool filling = step / 200 % 2 == 0;
        const uint64_t now = step / 8;
        full += list.count == CAPACITY;
        empty += list.count == 0;
        if (random_below(&random, 8) < (filling ? 6u : 2u))
            try_push(queues, &list, now + random_below(&random, 12), step);
        else
            try_pop(queues, &list, now + random_below(&random, 8));
        assert_int_equal(queues[0].count, list.count);
    }
    assert_true(full > 100 && empty > 100);
    for (unsigned i = 0; i < 2; i++)
        moehub_event_queue_destroy(&queues[i]);
}

static void times_of_any_size_are_kept(void **state)
{
    (void)state;
    static const uint64_t times[] = {UINT64_MAX, 0, UINT64_C(1) << 32, UINT64_MAX - 1, 5};
    static const unsigned order[] = {1, 4, 2, 3, 0};
    struct moehub_event_queue queue;
    assert_int_equal(moehub_event_queue_create(&queue, 5, sizeof(unsigned)), 0);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(moehub_event_queue_push(&queue, times[i], &i), 0);
    for (unsigned i = 0; i < 5; i++) {
        unsigned item = 99;
        assert_true(moehub_event_queue_pop(&queue, UINT64_MAX, &item));
        assert_int_equal(item, order[i]);
    }
    moehub_event_queue_destroy(&queue);
}

static void a_cleared_queue_is_empty_and_has_all_its_room(void **state)
{
    (void)state;
    struct moehub_event_queue queue;
    unsigned item = 0;
    assert_int_equal(moehub_event_queue_create(&queue, 3, sizeof item), 0);
    for (unsigned round = 0; round < 4; round++) {
        for (item = 0; item < 3; item++)
            assert_int_equal(moehub_event_queue_push(&queue, 10 - item, &item), 0);
        assert_int_equal(moehub_event_queue_push(&queue, 0, &item), MOEHUB_E_LIMIT);
        assert_true(moehub_event_queue_pop(&queue, 8, &item));
        assert_int_equal(item, 2);
        moehub_event_queue_clear(&queue);
        assert_true(moehub_event_queue_next(&queue) == UINT64_MAX);
        assert_false(moehub_event_queue_pop(&queue, UINT64_MAX, &item));
    }
    moehub_event_queue_destroy(&queue);
    moehub_event_queue_destroy(NULL);
}

static void a_queue_without_room_is_refused(void **state)
{
    (void)state;
    struct moehub_event_queue queue;
    assert_int_equal(moehub_event_queue_create(&queue, 0, 8), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_event_queue_create(&queue, 8, 0), MOEHUB_E_ARGUMENT);
    assert_null(queue.events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_earliest_leaves_first),
        cmocka_unit_test(times_of_any_size_are_kept),
        cmocka_unit_test(a_cleared_queue_is_empty_and_has_all_its_room),
        cmocka_unit_test(a_queue_without_room_is_refused),
    };
    return cmocka_run_group_tests_name("event_queue", tests, NULL, NULL);
}
