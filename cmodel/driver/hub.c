/* SPDX-License-Identifier: Apache-2.0 */
/* A hub as a whole: what it was built with, its timeouts. */
#include "access.h"

#include "moehub/defines.h"
#include "moehub/registers.h"
#include "moehub/version.h"

static int read_shape(struct moehub_hub *hub)
{
    struct moehub_hub_shape *shape = &hub->shape;
    const struct {
        uint32_t offset, *value;
    } parameters[] = {
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_LINKS, &shape->links},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_GPUS, &shape->gpus},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_CONTEXTS, &shape->contexts},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_LOCAL_EXPERT_BITS, &shape->local_expert_bits},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_LOCAL_EXPERTS, &shape->local_experts},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_MAX_TARGETS, &shape->max_targets},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_REQUEST_LINES, &shape->request_lines},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_ROW_INDEX_WIDTH, &shape->row_index_width},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_SLOT_WIDTH, &shape->slot_width},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_OFFSET_WIDTH, &shape->offset_width},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_ADDRESS_WIDTH, &shape->address_width},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_TILES, &shape->tiles},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_TOKENS, &shape->tokens},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_ROWS, &shape->rows},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_LINES, &shape->lines},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_STORE_BYTES, &shape->store_bytes},
        {MOEHUB_HUB_CONTROL_CSR_PARAMETER_FINAL_GROUPS, &shape->final_groups},
    };
    for (unsigned i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const int error = driver_read(hub, MOEHUB_WINDOW_CONTROL, parameters[i].offset, parameters[i].value);
        if (error != 0)
            return error;
    }
    return 0;
}

static int check_id(struct moehub_hub *hub)
{
    uint32_t id;
    const int error = driver_read(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_CSR_ID, &id);
    if (error != 0 || id == MOEHUB_ID_HUB_CONTROL)
        return error;
    return driver_error(hub, MOEHUB_E_ARGUMENT, "hub %u: ID is 0x%08x, and a hub's is 0x%08x: wrong address?", hub->own, id,
                        (unsigned)MOEHUB_ID_HUB_CONTROL);
}

/* Another patch is the same interface (CONTRIBUTING.md, Versions). */
static int check_version(struct moehub_hub *hub)
{
    uint32_t version;
    const int error = driver_read(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_CSR_VERSION, &version);
    if (error != 0 || ((version ^ MOEHUB_VERSION) & ~MOEHUB_CSR_VERSION_PATCH) == 0)
        return error;
    return driver_error(hub, MOEHUB_E_ARGUMENT,
                        "hub %u: VERSION is 0x%06x, and this driver's is 0x%06x: take the driver of the RTL", hub->own,
                        version, (unsigned)MOEHUB_VERSION);
}

int moehub_hub_open(struct moehub_hub *hub, const struct moehub_bus *bus, unsigned own, uint32_t polls)
{
    *hub = (struct moehub_hub){.bus = *bus, .own = own, .polls = polls};
    int error = polls > 0 ? 0 : driver_error(hub, MOEHUB_E_ARGUMENT, "hub %u: with 0 polls nothing can be waited for", own);
    if (error == 0)
        error = check_id(hub);
    if (error == 0)
        error = check_version(hub);
    if (error == 0)
        error = read_shape(hub);
    if (error == 0 && own >= hub->shape.gpus)
        error = driver_error(hub, MOEHUB_E_ARGUMENT, "GPU %u: the hub was built for %u", own, hub->shape.gpus);
    if (error == 0)
        error = driver_await(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_CSR_STATUS, MOEHUB_HUB_CONTROL_CSR_STATUS_INITIALISED,
                             MOEHUB_HUB_CONTROL_CSR_STATUS_INITIALISED, "STATUS.INITIALISED");
    return error;
}

int moehub_hub_timeouts(struct moehub_hub *hub, uint32_t line, uint32_t final)
{
    if (line == 0 || final == 0)
        return driver_error(hub, MOEHUB_E_ARGUMENT, "hub %u: a timeout of 0 would hold a lost packet's place for ever", hub->own);
    const struct driver_command set_line = {.window = MOEHUB_WINDOW_PACKET_MANAGER, .name = "LINE_TIMEOUT_SET",
                                            .operation = MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET, .data = {line}};
    int error = driver_brief_command(hub, &set_line);
    for (unsigned link = 0; link < hub->shape.links && error == 0; link++) {
        const struct driver_command set_final = {.window = MOEHUB_WINDOW_FINAL_REDUCE + link, .name = "TIMEOUT_SET",
                                                 .operation = MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, .data = {final}};
        error = driver_brief_command(hub, &set_final);
    }
    return error;
}
