/* SPDX-License-Identifier: Apache-2.0 */
/* Counters, error latch and interrupts of a window: registers of the bank, so they are the same in all. */
#include "access.h"
#include "window.h"

#include "moehub/driver_report.h"

#include <string.h>

static int read_counter(struct moehub_hub *hub, unsigned window, unsigned event, uint64_t *value)
{
    enum { STRIDE = 8 };
    uint32_t low, high;
    int error = driver_read(hub, window, MOEHUB_CSR_COUNTER_LOW + STRIDE * event, &low);
    if (error == 0)
        error = driver_read(hub, window, MOEHUB_CSR_COUNTER_HIGH + STRIDE * event, &high);
    if (error == 0)
        *value = low | (uint64_t)high << 32;
    return error;
}

int moehub_hub_counters(struct moehub_hub *hub, unsigned window, uint64_t values[MOEHUB_CSR_EVENTS_MAX])
{
    memset(values, 0, MOEHUB_CSR_EVENTS_MAX * sizeof *values);
    int error = driver_check_window(hub, window);
    if (error == 0)
        error = driver_write(hub, window, MOEHUB_CSR_SNAPSHOT, 1);
    for (unsigned event = 0; event < moehub_hub_events(hub, window) && error == 0; event++)
        error = read_counter(hub, window, event, &values[event]);
    return error;
}

static int read_header(struct moehub_hub *hub, unsigned window, uint32_t header[MOEHUB_CSR_LATCH_HEADER_COUNT])
{
    int error = 0;
    for (unsigned word = 0; word < MOEHUB_CSR_LATCH_HEADER_COUNT && error == 0; word++)
        error = driver_read(hub, window, MOEHUB_CSR_LATCH_HEADER + 4 * word, &header[word]);
    return error;
}

int moehub_hub_offender_read(struct moehub_hub *hub, unsigned window, struct moehub_hub_offender *offender)
{
    uint32_t status;
    *offender = (struct moehub_hub_offender){0};
    int error = driver_check_window(hub, window);
    if (error == 0)
        error = driver_read(hub, window, MOEHUB_CSR_LATCH_STATUS, &status);
    if (error != 0 || (status & MOEHUB_CSR_LATCH_STATUS_LATCHED) == 0)
        return error;
    offender->caught = true;
    offender->cause = (uint8_t)moehub_field(MOEHUB_CSR_LATCH_STATUS_CAUSE, status);
    error = read_header(hub, window, offender->header);
    return error != 0 ? error : driver_read(hub, window, MOEHUB_CSR_LATCH_NAME, &offender->name);
}

/* The latch holds one, so nothing changes until it is freed: that comes last. */
int moehub_hub_offender(struct moehub_hub *hub, unsigned window, struct moehub_hub_offender *offender)
{
    const int error = moehub_hub_offender_read(hub, window, offender);
    if (error != 0 || !offender->caught)
        return error;
    return driver_write(hub, window, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
}

int moehub_hub_interrupts(struct moehub_hub *hub, unsigned window, uint32_t mask)
{
    const int error = driver_check_window(hub, window);
    return error != 0 ? error : driver_write(hub, window, MOEHUB_CSR_INTERRUPT_MASK, mask);
}

int moehub_hub_interrupts_pending(struct moehub_hub *hub, uint32_t *windows)
{
    return driver_read(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_HUB_CONTROL_CSR_INTERRUPTS, windows);
}

int moehub_hub_interrupts_take(struct moehub_hub *hub, unsigned window, uint32_t *events)
{
    int error = driver_check_window(hub, window);
    if (error == 0)
        error = driver_read(hub, window, MOEHUB_CSR_INTERRUPT_STATUS, events);
    if (error == 0 && *events != 0)
        error = driver_write(hub, window, MOEHUB_CSR_INTERRUPT_STATUS, *events);
    return error;
}
