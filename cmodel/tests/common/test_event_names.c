/* SPDX-License-Identifier: Apache-2.0 */
/* Every event and cause has a name of its own, in lower case and underscores. */
#include "common/support.h"

#include "moehub/event_names.h"

static void check_names(const char *(*name)(unsigned event), unsigned events)
{
    for (unsigned event = 0; event < events; event++) {
        const char *text = name(event);
        assert_non_null(text);
        assert_true(strlen(text) > 1);
        assert_int_equal(strspn(text, "abcdefghijklmnopqrstuvwxyz_"), strlen(text));
        for (unsigned other = 0; other < event; other++)
            assert_string_not_equal(text, name(other));
    }
    assert_string_equal(name(events), "?");
}

static void every_event_has_a_name_of_its_own(void **state)
{
    (void)state;
    check_names(moehub_hub_event_name, MOEHUB_HUB_EVENTS);
    check_names(moehub_reduction_event_name, MOEHUB_REDUCTION_EVENTS);
}

static void causes_have_the_names_of_their_events(void **state)
{
    (void)state;
    check_names(moehub_hub_cause_name, MOEHUB_HUB_CAUSES);
    check_names(moehub_reduction_cause_name, MOEHUB_REDUCTION_CAUSE_PARITY + 1);
    assert_string_equal(moehub_hub_cause_name(MOEHUB_HUB_CAUSE_TABLE_WRITE), "table_write");
    assert_string_equal(moehub_reduction_cause_name(MOEHUB_REDUCTION_CAUSE_TIMEOUT), "timeout");
    assert_string_equal(moehub_hub_event_name(MOEHUB_HUB_EVENT_WAITED_WAITING), "waited_waiting");
    assert_string_equal(moehub_reduction_event_name(MOEHUB_REDUCTION_EVENT_DEFERRED), "deferred");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_has_a_name_of_its_own),
        cmocka_unit_test(causes_have_the_names_of_their_events),
    };
    return cmocka_run_group_tests_name("event_names", tests, NULL, NULL);
}
