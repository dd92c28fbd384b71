/* SPDX-License-Identifier: Apache-2.0 */
/* What a hub tells: counters, the first offender, interrupts (rtl/doc/hub/driver.md section 2, rtl/doc/registers.md section 3).
 *
 * `window` is one that the hub has: MOEHUB_WINDOW_CONTROL, _ADDRESS_PATH, _TILE_TRACKER, _PACKET_MANAGER; _WAY + w of way w,
 * 0 .. links; _FINAL_REDUCE + l of link l, below links. Any other: MOEHUB_E_ARGUMENT. Errors are those of driver.h. */
#ifndef MOEHUB_DRIVER_REPORT_H
#define MOEHUB_DRIVER_REPORT_H

#include "moehub/csr.h"
#include "moehub/driver.h"

/* The first offender since the latch was freed. */
struct moehub_hub_offender {
    bool caught;            /* false: none, and the rest is 0 */
    uint8_t cause;          /* of the window's block: MOEHUB_HUB_CONTROL_CAUSE_*, MOEHUB_HUB_CAUSE_*, .. */
    uint32_t header[4];     /* bits 31:0 of the header first: rtl/doc/packet.md */
    uint32_t name;          /* LATCH_NAME: what the header has no field for */
};

/* Events that the window counts; 0: there is no such window. */
unsigned moehub_hub_events(const struct moehub_hub *hub, unsigned window);

/* Copies all counters of the window at one clock edge, and reads them: values[i] is that of event i (MOEHUB_HUB_CONTROL_EVENT_*,
 * MOEHUB_HUB_EVENT_*, MOEHUB_TILE_TRACKER_EVENT_*, MOEHUB_PACKET_MANAGER_EVENT_*, MOEHUB_HUB_WAY_EVENT_*,
 * MOEHUB_REDUCTION_EVENT_*), 48 bits, which wrap. From moehub_hub_events on: 0. */
int moehub_hub_counters(struct moehub_hub *hub, unsigned window, uint64_t values[MOEHUB_CSR_EVENTS_MAX]);

/* What the error latch holds; the second frees it for the next offender. */
int moehub_hub_offender_read(struct moehub_hub *hub, unsigned window, struct moehub_hub_offender *offender);
int moehub_hub_offender(struct moehub_hub *hub, unsigned window, struct moehub_hub_offender *offender);

/* Events of the window that raise the pin from now on: MOEHUB_CSR_INTERRUPT_STATUS_*, MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_*,
 * ..; bits that are none have no effect. */
int moehub_hub_interrupts(struct moehub_hub *hub, unsigned window, uint32_t mask);

/* Windows whose interrupt request is high, a bit each. */
int moehub_hub_interrupts_pending(struct moehub_hub *hub, uint32_t *windows);

/* What has happened in a window, masked or not, and clears it: an event after the read stays for the next call. */
int moehub_hub_interrupts_take(struct moehub_hub *hub, unsigned window, uint32_t *events);

#endif
