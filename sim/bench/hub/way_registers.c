/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/way_registers.h"

#include "kit/bits.h"
#include "moehub/version.h"

#include <string.h>

void way_registers_create(struct way_registers *self, struct bench *bench, struct random_source *random)
{
    static const struct field value = {"value", 64};
    self->bench = bench;
    self->random = random;
    self->events = bench_pin(bench, "events");
    self->error_valid = bench_pin(bench, "error_valid");
    self->error_cause = bench_pin(bench, "error_cause");
    self->error_header = bench_pin(bench, "error_header");
    self->used_places = bench_pin(bench, "used_places");
    self->used_writes = bench_pin(bench, "used_writes");
    self->used_answers = bench_pin(bench, "used_answers");
    self->used_read_lines = bench_pin(bench, "used_read_lines");
    self->credits = bench_pin(bench, "credits");
    self->initialised = bench_pin(bench, "initialised");
    self->link_up = bench_pin(bench, "link_up");
    self->interrupt = bench_pin(bench, "interrupt_request");
    axi_lite_create(&self->lite, bench, "s_axil", STALL_MIXED);
    scoreboard_create(&self->registers, bench, "registers", &value, 1, 1, 1);
}

/* pre_reduce's level is whatever it is; it rests while registers are read. */
void way_registers_drive(struct way_registers *self, bool resting)
{
    axi_lite_drive(&self->lite);
    if (!resting)
        pin_set(self->used_read_lines, random_below(self->random, 1 + self->parameters[6]));
}

static void raise(uint64_t *mark, uint64_t level)
{
    if (level > *mark)
        *mark = level;
}

static void sample_levels(struct way_registers *self)
{
    uint64_t places[1];
    pin_get_words(self->used_places, places);
    raise(&self->marks[0], bits_get(places, 16 * MOEHUB_CLASS_STORE, 16));
    raise(&self->marks[1], pin_get(self->used_writes));
    raise(&self->marks[2], bits_get(places, 16 * MOEHUB_CLASS_RESPONSE, 16));
    raise(&self->marks[3], bits_get(places, 16 * MOEHUB_CLASS_REQUEST, 16));
    raise(&self->marks[4], pin_get(self->used_answers));
    raise(&self->marks[5], pin_get(self->used_read_lines));
}

void way_registers_sample(struct way_registers *self)
{
    axi_lite_sample(&self->lite);
    if (self->bench->reset) {
        memset(self->met, 0, sizeof self->met);
        memset(self->marks, 0, sizeof self->marks);
        self->latched = false;
        return;
    }
    const uint64_t events = pin_get(self->events);
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++)
        self->met[i] += events >> i & 1;
    sample_levels(self);
    if (pin_get(self->error_valid) != 0 && !self->latched) {
        self->latched = true;
        self->cause = (uint32_t)pin_get(self->error_cause);
        pin_get_words(self->error_header, self->header);
    }
}

static void expect(struct way_registers *self, const char *name, uint32_t address, uint32_t value)
{
    scoreboard_value(&self->registers, name, value, axi_lite_get(&self->lite, address));
}

static void check_state(struct way_registers *self)
{
    uint64_t credits[1];
    pin_get_words(self->credits, credits);
    const bool link_up = self->parameters[MOEHUB_HUB_WAY_CSR_PARAMETER_COUNT - 1] != 0 || pin_get(self->link_up) != 0;
    expect(self, "ID", MOEHUB_CSR_ID, MOEHUB_ID_HUB_WAY);
    expect(self, "STATUS", MOEHUB_CSR_STATUS,
           (uint32_t)pin_get(self->initialised) | (link_up ? MOEHUB_HUB_WAY_CSR_STATUS_LINK_UP : 0) |
               MOEHUB_HUB_WAY_CSR_STATUS_EMPTY);
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_CSR_PARAMETER_COUNT; i++)
        expect(self, "PARAMETER", MOEHUB_CSR_PARAMETER + 4 * i, self->parameters[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        expect(self, "CREDITS", MOEHUB_HUB_WAY_CSR_CREDITS + 4 * i,
               (uint32_t)bits_get(credits, i * MOEHUB_CREDITS_WIDTH, MOEHUB_CREDITS_WIDTH));
    for (unsigned i = 0; i < WAY_MARKS; i += 2)
        expect(self, "HIGH_WATER", MOEHUB_CSR_HIGH_WATER + 2 * i, (uint32_t)(self->marks[i + 1] << 16 | self->marks[i]));
}

/* The others change in every cycle: at the snapshot they are between what they are before and after it. */
static void check_counters(struct way_registers *self, const uint64_t order_events[WAY_ORDER_EVENTS])
{
    uint64_t before[MOEHUB_HUB_WAY_EVENTS];
    memcpy(before, self->met, sizeof before);
    axi_lite_set(&self->lite, MOEHUB_CSR_SNAPSHOT, 0);
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++) {
        const uint64_t count = axi_lite_get64(&self->lite, MOEHUB_CSR_COUNTER_LOW + 8 * i);
        if (i < WAY_ORDER_EVENTS)
            scoreboard_value(&self->registers, "counter of an event", order_events[i], count);
        else
            scoreboard_value(&self->registers, "counter of cycles within what was met", 1,
                             count >= before[i] && count <= self->met[i]);
    }
}

static void check_latch(struct way_registers *self)
{
    const uint32_t status = self->latched ? MOEHUB_CSR_LATCH_STATUS_LATCHED | self->cause << 8 : 0;
    const uint32_t got = axi_lite_get(&self->lite, MOEHUB_CSR_LATCH_STATUS);
    scoreboard_value(&self->registers, "LATCH_STATUS", status, self->latched ? got : got & MOEHUB_CSR_LATCH_STATUS_LATCHED);
    if (!self->latched)
        return;
    for (unsigned i = 0; i < MOEHUB_CSR_LATCH_HEADER_COUNT; i++)
        expect(self, "LATCH_HEADER", MOEHUB_CSR_LATCH_HEADER + 4 * i, (uint32_t)(self->header[i / 2] >> 32 * (i % 2)));
    expect(self, "LATCH_NAME", MOEHUB_CSR_LATCH_NAME, self->way << 16);
    axi_lite_set(&self->lite, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
    expect(self, "latch after it was cleared", MOEHUB_CSR_LATCH_STATUS, self->cause << 8);
    self->latched = false;
    self->latches++;
}

/* Any command: over, refused, and told. */
static void check_command(struct way_registers *self)
{
    enum { PATIENCE = 20 };
    axi_lite_set(&self->lite, MOEHUB_CSR_INTERRUPT_STATUS, UINT32_MAX);
    axi_lite_set(&self->lite, MOEHUB_CSR_INTERRUPT_MASK, MOEHUB_CSR_INTERRUPT_STATUS_REFUSED);
    scoreboard_value(&self->registers, "interrupt before a command", 0, pin_get(self->interrupt));
    axi_lite_set(&self->lite, MOEHUB_CSR_COMMAND, (uint32_t)random_bits(self->random, 4));
    bench_run(self->bench, PATIENCE);
    expect(self, "COMMAND_STATUS", MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_REFUSED);
    expect(self, "INTERRUPT_STATUS", MOEHUB_CSR_INTERRUPT_STATUS, MOEHUB_CSR_INTERRUPT_STATUS_REFUSED);
    scoreboard_value(&self->registers, "interrupt after a command", 1, pin_get(self->interrupt));
    axi_lite_set(&self->lite, MOEHUB_CSR_INTERRUPT_STATUS, UINT32_MAX);
    self->refusals++;
}

void way_registers_check(struct way_registers *self, const uint64_t order_events[WAY_ORDER_EVENTS])
{
    check_state(self);
    check_counters(self, order_events);
    check_latch(self);
    check_command(self);
}
