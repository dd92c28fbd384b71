/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_groups.h"

#include "bench/switch/reduction_check.h"
#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* After so many cycles in which the look-up was free and no number came, the queue of numbers is empty: 4 cycles and the
 * two of a look-up; the model sees a timeout TIMEOUT_ORDER cycles before its pulse. */
enum { LOOKED_UP = 16 };

static const struct field freed_fields[] = {{"entry", 16}};
static const struct field told_fields[] = {{"ports", 64}};

static unsigned group_count(const struct reduction_check *check)
{
    return moehub_reduction_buffer_groups(&check->model.config);
}

static struct reduction_group *group_of(const struct reduction_check *check, unsigned entry)
{
    return &check->groups.list[entry / check->model.config.request_lines];
}

void reduction_groups_create(struct reduction_check *check)
{
    struct reduction_groups *groups = &check->groups;
    groups->list = allocate(group_count(check), sizeof *groups->list);
    reduction_missing_create(&groups->missing, check->model.config.entries);
    scoreboard_create(&groups->freed, check->bench, "groups freed", freed_fields, 1, 1, 1);
    scoreboard_create(&groups->told, check->bench, "missing ports", told_fields, 1, 1, 1);
    groups->freed.block.may_be_empty = true;
    groups->told.block.may_be_empty = true;
}

void reduction_groups_destroy(struct reduction_check *check)
{
    struct reduction_groups *groups = &check->groups;
    scoreboard_destroy(&groups->freed);
    scoreboard_destroy(&groups->told);
    reduction_missing_destroy(&groups->missing);
    free(groups->list);
}

void reduction_groups_reset(struct reduction_check *check)
{
    memset(check->groups.list, 0, group_count(check) * sizeof *check->groups.list);
    reduction_missing_forget(&check->groups.missing);
}

/* ---- conditions ------------------------------------------------------------------------------------------------------ */

/* Freed at `due`, if nothing else holds the group: rule 5. */
static void end_condition(struct reduction_check *check, unsigned entry, uint64_t due)
{
    struct reduction_group *group = group_of(check, entry);
    const bool grouped = moehub_reduction_buffer_has_groups(&check->model.config);
    group->due = due > group->due ? due : group->due;
    group->owed = !grouped || moehub_reduction_buffer_may_be_freed(&check->model, entry);
}

void reduction_groups_result(struct reduction_check *check, unsigned entry, uint64_t cycle)
{
    end_condition(check, entry, cycle + (moehub_reduction_buffer_has_groups(&check->model.config) ? 2 : 1));
}

void reduction_groups_released(struct reduction_check *check, unsigned entry, uint64_t cycle)
{
    const bool counts = moehub_reduction_buffer_released(&check->model, entry);
    *(counts ? &check->groups.counted : &check->groups.ignored) += 1;
    if (counts)
        end_condition(check, entry, cycle + 1);
    if (counts && group_of(check, entry)->owed)
        check->groups.by_release++;
}

void reduction_groups_granted(struct reduction_check *check, unsigned entry)
{
    const struct moehub_reduction_entry *lines = &check->model.entries[entry];
    unsigned closed = 0;
    for (unsigned line = 0; line < check->model.config.request_lines; line++)
        closed += lines[line].state == MOEHUB_REDUCTION_DONE;
    check->groups.asked[check->model.config.request_lines - 1 - closed]++;
    moehub_reduction_buffer_granted(&check->model, entry);
}

void reduction_groups_timed_out(struct reduction_check *check, unsigned entry)
{
    struct reduction_group *group = group_of(check, entry);
    group->may_be_over = false;
    group->overtime = 0;
    check->groups.calm = 0;
    if (check->model.config.quarantine != 0 && check->groups.watched &&
        !reduction_missing_expect(&check->groups.missing, check->model.entries[entry].missing))
        bench_fail(check->bench, BENCH_MISMATCH, "more timed-out entries than there are wait to be told as missing");
}

/* ---- freed ------------------------------------------------------------------------------------------------------------ */

static bool is_quarantined(const struct reduction_check *check, unsigned group)
{
    return check->model.config.quarantine != 0 && check->model.groups[group].timed_out;
}

void reduction_groups_freed(struct reduction_check *check, unsigned entry, uint64_t cycle)
{
    struct reduction_groups *groups = &check->groups;
    const struct moehub_reduction_buffer_config *config = &check->model.config;
    if (entry >= config->entries || entry % config->request_lines != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "freed_entry %u is not line 0 of a group", entry);
    struct reduction_group *group = group_of(check, entry);
    if (!group->owed || (moehub_reduction_buffer_has_groups(config) && moehub_reduction_buffer_freed(&check->model, entry) != 0))
        bench_fail(check->bench, BENCH_MISMATCH, "the group of entry %u was freed: in no use, or something is left", entry);
    const bool late = is_quarantined(check, entry / config->request_lines) && cycle > group->due;
    if (is_quarantined(check, entry / config->request_lines) && !group->may_be_over)
        bench_fail(check->bench, BENCH_MISMATCH, "the group of entry %u, granted in cycle %" PRIu64 ", left its quarantine in "
                   "cycle %" PRIu64 ", before twice %" PRIu32 " cycles", entry, group->grant_cycle, cycle, check->model.timeout);
    scoreboard_value(&groups->freed, "cycle of freed_valid", late ? cycle : group->due, cycle);
    groups->by_quarantine += late;
    groups->by_result += !late;
    group->owed = false;
    group->due = 0;
}

/* ---- time -------------------------------------------------------------------------------------------------------------- */

static bool timeout_changes(const struct reduction_check *check, uint64_t cycle)
{
    return check->timeout_changes || cycle < check->timeout_set_cycle + REDUCTION_COMMAND_TIME;
}

/* A quarantine is over at twice the timeout after the grant, and found so within 2 ENTRIES + 64 cycles, not counting those
 * in which a result ends or a number waits to be looked up. */
static void watch_quarantine(struct reduction_check *check, unsigned number, uint64_t cycle, bool held)
{
    struct reduction_group *group = &check->groups.list[number];
    const uint64_t timeout = check->model.timeout;
    const bool over = timeout == 0 || cycle >= group->grant_cycle + 2 * timeout;
    group->may_be_over |= over || timeout_changes(check, cycle);
    if (!over || timeout_changes(check, cycle))
        group->overtime = 0;
    else if (!held)
        group->overtime++;
    if (group->owed && cycle > group->due && group->overtime > 2 * (uint64_t)check->model.config.entries + 64)
        bench_fail(check->bench, BENCH_MISMATCH, "group %u, granted in cycle %" PRIu64 ", is still in quarantine (time set: %"
                   PRIu64 ")", number, group->grant_cycle, timeout);
}

static void watch_quarantines(struct reduction_check *check, uint64_t cycle, bool held)
{
    for (unsigned number = 0; check->model.config.quarantine != 0 && number < group_count(check); number++)
        if (is_quarantined(check, number))
            watch_quarantine(check, number, cycle, held);
}

static void check_overdue(struct reduction_check *check, uint64_t cycle)
{
    for (unsigned number = 0; cycle % 64 == 0 && number < group_count(check); number++) {
        const struct reduction_group *group = &check->groups.list[number];
        if (group->owed && cycle > group->due && !is_quarantined(check, number))
            bench_fail(check->bench, BENCH_MISMATCH, "group %u was not freed in cycle %" PRIu64, number, group->due);
    }
}

void reduction_groups_missing(struct reduction_check *check, uint64_t ports)
{
    struct reduction_groups *groups = &check->groups;
    const uint64_t next = groups->missing.count > 0 ? groups->missing.sets[0] : 0;
    if (reduction_missing_tell(&groups->missing, ports))
        scoreboard_expect(&groups->told, 0, &ports);
    else if (next != ports)
        scoreboard_expect(&groups->told, 0, &next);
    scoreboard_check(&groups->told, 0, &ports); /* nothing is expected: told twice, or of no timeout */
}

void reduction_groups_cycle(struct reduction_check *check, uint64_t cycle, bool result_ended, bool judged)
{
    struct reduction_groups *groups = &check->groups;
    if (!groups->watched)
        return;
    watch_quarantines(check, cycle, result_ended || reduction_missing_waiting(&groups->missing) > 0);
    check_overdue(check, cycle);
    groups->calm = judged ? 0 : groups->calm + 1;
    if (groups->calm >= LOOKED_UP && !reduction_missing_end(&groups->missing))
        bench_fail(check->bench, BENCH_MISMATCH, "the ports that a timed-out entry missed were never told");
}

/* ---- coverage ---------------------------------------------------------------------------------------------------------- */

void reduction_groups_demand_coverage(struct reduction_check *check)
{
    const struct reduction_groups *groups = &check->groups;
    const struct moehub_reduction_buffer_config *config = &check->model.config;
    if (!groups->watched)
        return;
    reduction_check_demand(check, "a group freed", groups->by_result);
    for (unsigned line = 0; line < config->request_lines; line++)
        reduction_check_demand(check, "each number of lines", groups->asked[line]);
    if (config->with_release != 0) {
        reduction_check_demand(check, "a group freed by its release", groups->by_release);
        reduction_check_demand(check, "a release that changes nothing", groups->ignored);
    }
    if (config->quarantine != 0) {
        reduction_check_demand(check, "a group freed by the end of its quarantine", groups->by_quarantine);
        reduction_check_demand(check, "missing ports", groups->missing.told);
        reduction_check_demand(check, "a timeout refused", groups->times_refused);
    }
}
