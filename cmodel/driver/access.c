/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"

#include "check.h"

#include "moehub/registers.h"

#include <stdarg.h>
#include <stdio.h>

int driver_error(struct moehub_hub *hub, int error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(hub->message.text, sizeof hub->message.text, format, arguments);
    va_end(arguments);
    return error;
}

static uint32_t address_of(unsigned window, uint32_t offset)
{
    return window * MOEHUB_DRIVER_WINDOW_BYTES + offset;
}

int driver_read(struct moehub_hub *hub, unsigned window, uint32_t offset, uint32_t *data)
{
    if (hub->bus.read(hub->bus.user, address_of(window, offset), data) == 0)
        return 0;
    return driver_error(hub, MOEHUB_E_BUS, "hub %u: register 0x%03x of window %u cannot be read: is it this hub's?", hub->own,
                        offset, window);
}

int driver_write(struct moehub_hub *hub, unsigned window, uint32_t offset, uint32_t data)
{
    if (hub->bus.write(hub->bus.user, address_of(window, offset), data) == 0)
        return 0;
    return driver_error(hub, MOEHUB_E_BUS,
                        "hub %u: register 0x%03x of window %u cannot be written: is a command of another caller busy?",
                        hub->own, offset, window);
}

int driver_await(struct moehub_hub *hub, unsigned window, uint32_t offset, uint32_t mask, uint32_t value, const char *what)
{
    for (uint32_t poll = 0; poll < hub->polls; poll++) {
        uint32_t data;
        const int error = driver_read(hub, window, offset, &data);
        if (error != 0)
            return error;
        if ((data & mask) == value)
            return 0;
    }
    return driver_error(hub, MOEHUB_E_TIMEOUT, "hub %u: %s has not come within %u reads of register 0x%03x of window %u",
                        hub->own, what, hub->polls, offset, window);
}

static int write_words(struct moehub_hub *hub, unsigned window, const uint32_t (*words)[2], size_t count)
{
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++)
        error = driver_write(hub, window, words[i][0], words[i][1]);
    return error;
}

/* COMMAND, until it is over. */
static int run(struct moehub_hub *hub, const struct driver_command *command)
{
    uint32_t status;
    int error = driver_write(hub, command->window, MOEHUB_CSR_COMMAND, command->operation);
    if (error == 0)
        error = driver_await(hub, command->window, MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_BUSY, 0, command->name);
    if (error == 0)
        error = driver_read(hub, command->window, MOEHUB_CSR_COMMAND_STATUS, &status);
    if (error == 0 && (status & MOEHUB_CSR_COMMAND_STATUS_REFUSED) != 0)
        error = driver_error(hub, MOEHUB_E_REFUSED,
                             "hub %u: %s of context %u, index %u is refused, COMMAND_STATUS 0x%x: rtl/doc tells its reasons",
                             hub->own, command->name, command->context, command->index, status);
    return error;
}

static int read_results(struct moehub_hub *hub, unsigned window, uint64_t *results)
{
    static const uint32_t offsets[2][2] = {{MOEHUB_HUB_CONTROL_CSR_RESULT_DATA0_LOW, MOEHUB_HUB_CONTROL_CSR_RESULT_DATA0_HIGH},
                                           {MOEHUB_HUB_CONTROL_CSR_RESULT_DATA1_LOW, MOEHUB_HUB_CONTROL_CSR_RESULT_DATA1_HIGH}};
    for (unsigned i = 0; i < 2; i++) {
        uint32_t low, high;
        int error = driver_read(hub, window, offsets[i][0], &low);
        if (error == 0)
            error = driver_read(hub, window, offsets[i][1], &high);
        if (error != 0)
            return error;
        results[i] = low | (uint64_t)high << 32;
    }
    return 0;
}

int driver_command(struct moehub_hub *hub, const struct driver_command *command, uint64_t *results)
{
    const uint32_t operands[][2] = {
        {MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT, command->context},
        {MOEHUB_HUB_CONTROL_CSR_COMMAND_INDEX, command->index},
        {MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_LOW, (uint32_t)command->data[0]},
        {MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_HIGH, (uint32_t)(command->data[0] >> 32)},
        {MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_LOW, (uint32_t)command->data[1]},
        {MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_HIGH, (uint32_t)(command->data[1] >> 32)},
    };
    int error = driver_check_most(hub, "context", command->context, hub->shape.contexts - 1);
    if (error == 0)
        error = driver_check_most(hub, "index of a command", command->index, UINT16_MAX);
    if (error == 0)
        error = write_words(hub, command->window, operands, sizeof operands / sizeof *operands);
    if (error == 0)
        error = run(hub, command);
    return error != 0 || results == NULL ? error : read_results(hub, command->window, results);
}

int driver_brief_command(struct moehub_hub *hub, const struct driver_command *command)
{
    const int error = driver_write(hub, command->window, MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA, (uint32_t)command->data[0]);
    return error != 0 ? error : run(hub, command);
}
