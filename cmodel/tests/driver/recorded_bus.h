/* SPDX-License-Identifier: Apache-2.0 */
/* A hub's registers that record every access, and every command with its operands as they were at COMMAND. It knows the map of
 * rtl/doc/hub/driver.md's pages and nothing of what commands do; a test tells what it answers. */
#ifndef TESTS_RECORDED_BUS_H
#define TESTS_RECORDED_BUS_H

#include "moehub/defines.h"
#include "moehub/driver.h"
#include "moehub/registers.h"
#include "moehub/version.h"

#include "common/support.h"

enum {
    RECORDED_ACCESSES = 4096,
    RECORDED_COMMANDS = 256,
    RECORDED_WINDOWS = 16,
    RECORDED_WORDS = 0x1000 / 4,
    RECORDED_NEVER = -1
};

struct recorded_access {
    bool write;
    uint32_t address, data;
};

struct recorded_command {
    unsigned window, operation, context, index;
    uint64_t data[2];
};

struct recorded_bus {
    struct recorded_access accesses[RECORDED_ACCESSES];
    int access_count;
    struct recorded_command commands[RECORDED_COMMANDS];
    int command_count;
    uint32_t words[RECORDED_WINDOWS][RECORDED_WORDS];
    int fails_at;      /* this access has an error */
    int refuses_at;    /* this command is refused */
    int busy;          /* a command is BUSY in so many reads of its status */
    int busy_left[RECORDED_WINDOWS];
    int not_initialised;  /* so many reads of window 0's STATUS */
    int in_flight;        /* so many CONTEXT_GET of window 0 */
    uint32_t state;       /* low word of data1 of CONTEXT_GET of window 0, but for its bit 6 */
    uint64_t missing;     /* data0 of it */
    uint64_t address_path_state; /* data1 of CONTEXT_GET of window 1 */
};

static inline uint32_t *recorded_word(struct recorded_bus *bus, unsigned window, uint32_t offset)
{
    return &bus->words[window][offset / 4];
}

static inline void recorded_result(struct recorded_bus *bus, unsigned window, uint64_t data0, uint64_t data1)
{
    *recorded_word(bus, window, MOEHUB_HUB_CSR_RESULT_DATA0_LOW) = (uint32_t)data0;
    *recorded_word(bus, window, MOEHUB_HUB_CSR_RESULT_DATA0_HIGH) = (uint32_t)(data0 >> 32);
    *recorded_word(bus, window, MOEHUB_HUB_CSR_RESULT_DATA1_LOW) = (uint32_t)data1;
    *recorded_word(bus, window, MOEHUB_HUB_CSR_RESULT_DATA1_HIGH) = (uint32_t)(data1 >> 32);
}

static inline void recorded_answer(struct recorded_bus *bus, const struct recorded_command *command)
{
    if (command->window == MOEHUB_WINDOW_CONTROL && command->operation == MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET) {
        recorded_result(bus, command->window, bus->missing, bus->state | (bus->in_flight > 0 ? 0x40u : 0));
        bus->in_flight -= bus->in_flight > 0;
    } else if (command->window == MOEHUB_WINDOW_ADDRESS_PATH && command->operation == MOEHUB_HUB_COMMAND_CONTEXT_GET) {
        recorded_result(bus, command->window, 0, bus->address_path_state);
    }
}

static inline void recorded_start(struct recorded_bus *bus, unsigned window, uint32_t operation)
{
    const uint32_t *words = bus->words[window];
    const bool brief = window == MOEHUB_WINDOW_PACKET_MANAGER || window >= MOEHUB_WINDOW_FINAL_REDUCE;
    struct recorded_command *command = &bus->commands[bus->command_count];
    assert_true(bus->command_count < RECORDED_COMMANDS);
    assert_int_equal(bus->busy_left[window], 0); /* else SLVERR */
    *command = (struct recorded_command){.window = window, .operation = operation};
    command->data[0] = words[0x088 / 4];
    if (!brief) {
        command->context = words[0x080 / 4];
        command->index = words[0x084 / 4];
        command->data[0] |= (uint64_t)words[0x08C / 4] << 32;
        command->data[1] = words[0x090 / 4] | (uint64_t)words[0x094 / 4] << 32;
    }
    recorded_answer(bus, command);
    *recorded_word(bus, window, 0x09C) = bus->command_count == bus->refuses_at ? 2 : 0;
    bus->busy_left[window] = bus->busy;
    bus->command_count++;
}

static inline bool recorded_note(struct recorded_bus *bus, bool write, uint32_t address, uint32_t data)
{
    assert_true(bus->access_count < RECORDED_ACCESSES);
    assert_true(address < 0x10000 && address % 4 == 0);
    bus->accesses[bus->access_count] = (struct recorded_access){write, address, data};
    return bus->access_count++ != bus->fails_at;
}

static inline int recorded_write(void *user, uint32_t address, uint32_t data)
{
    struct recorded_bus *bus = user;
    const unsigned window = address >> 12;
    const uint32_t offset = address & 0xFFF;
    if (!recorded_note(bus, true, address, data))
        return 2;
    if (offset == MOEHUB_CSR_COMMAND)
        recorded_start(bus, window, data);
    else if (offset == MOEHUB_CSR_LATCH_STATUS || offset == MOEHUB_CSR_INTERRUPT_STATUS)
        *recorded_word(bus, window, offset) &= ~data;
    else
        *recorded_word(bus, window, offset) = data;
    return 0;
}

static inline int recorded_read(void *user, uint32_t address, uint32_t *data)
{
    struct recorded_bus *bus = user;
    const unsigned window = address >> 12;
    const uint32_t offset = address & 0xFFF;
    *data = *recorded_word(bus, window, offset);
    if (offset == MOEHUB_CSR_COMMAND_STATUS && bus->busy_left[window] > 0) {
        bus->busy_left[window]--;
        *data = MOEHUB_CSR_COMMAND_STATUS_BUSY;
    }
    if (address == MOEHUB_CSR_STATUS && bus->not_initialised > 0) {
        bus->not_initialised--;
        *data &= ~MOEHUB_HUB_CONTROL_CSR_STATUS_INITIALISED;
    }
    return recorded_note(bus, false, address, *data) ? 0 : 2;
}

/* Forgets what was recorded and what was told; registers stay. */
static inline void recorded_forget(struct recorded_bus *bus)
{
    bus->access_count = bus->command_count = 0;
    bus->fails_at = bus->refuses_at = RECORDED_NEVER;
    bus->busy = bus->not_initialised = bus->in_flight = 0;
    memset(bus->busy_left, 0, sizeof bus->busy_left);
    bus->state = 0;
    bus->missing = bus->address_path_state = 0;
}

#endif
