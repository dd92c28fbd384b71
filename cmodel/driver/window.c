/* SPDX-License-Identifier: Apache-2.0 */
#include "window.h"

#include "access.h"

#include "moehub/defines.h"
#include "moehub/driver_report.h"

unsigned moehub_hub_events(const struct moehub_hub *hub, unsigned window)
{
    static const unsigned blocks[] = {
        [MOEHUB_WINDOW_CONTROL] = MOEHUB_HUB_CONTROL_EVENTS,
        [MOEHUB_WINDOW_ADDRESS_PATH] = MOEHUB_HUB_EVENTS,
        [MOEHUB_WINDOW_TILE_TRACKER] = MOEHUB_TILE_TRACKER_EVENTS,
        [MOEHUB_WINDOW_PACKET_MANAGER] = MOEHUB_PACKET_MANAGER_EVENTS,
    };
    if (window < MOEHUB_WINDOW_WAY)
        return blocks[window];
    if (window <= MOEHUB_WINDOW_WAY + hub->shape.links)
        return MOEHUB_HUB_WAY_EVENTS;
    if (window >= MOEHUB_WINDOW_FINAL_REDUCE && window - MOEHUB_WINDOW_FINAL_REDUCE < hub->shape.links)
        return MOEHUB_REDUCTION_EVENTS;
    return 0;
}

int driver_check_window(struct moehub_hub *hub, unsigned window)
{
    if (moehub_hub_events(hub, window) > 0)
        return 0;
    return driver_error(hub, MOEHUB_E_ARGUMENT, "hub %u has no window %u: with %u links it has 0 to %u and 9 to %u", hub->own,
                        window, hub->shape.links, MOEHUB_WINDOW_WAY + hub->shape.links,
                        MOEHUB_WINDOW_FINAL_REDUCE - 1 + hub->shape.links);
}
