/* SPDX-License-Identifier: Apache-2.0 */
/* DPI-C face of the models; see moehub_dpi.svh. Nothing is decided here: words in, one call, words out.
 *
 * The prototypes are written out with C types (int unsigned = unsigned, chandle = void *), so that this file compiles
 * without a simulator's headers. */
#include "moehub/hub_csr.h"
#include "moehub/switch_csr.h"

#include <stdlib.h>
#include <string.h>

static uint64_t wide(unsigned low, unsigned high)
{
    return low | (uint64_t)high << 32;
}

static void split(uint64_t value, unsigned *low, unsigned *high)
{
    *low = (unsigned)value;
    *high = (unsigned)(value >> 32);
}

/* ---- address path ----------------------------------------------------------------- */

struct dpi_hub {
    struct moehub_address_path path;
    struct moehub_hub_csr csr;
};

void *moehub_dpi_hub_create(unsigned contexts, unsigned local_experts, unsigned gpus, unsigned row_index_width,
                            unsigned slot_width, unsigned offset_width, unsigned address_width, unsigned sets,
                            unsigned ways, unsigned replacement, unsigned ports, unsigned pending, unsigned waiting,
                            unsigned tag_width, unsigned axi_data_width);
void moehub_dpi_hub_destroy(void *hub);
void moehub_dpi_hub_reset(void *hub);
unsigned moehub_dpi_hub_map(void *hub, unsigned base_low, unsigned base_high, unsigned bytes);
unsigned moehub_dpi_hub_table_entry(void *hub, unsigned address_low, unsigned address_high);
void moehub_dpi_hub_request(void *hub, unsigned operation, unsigned first, unsigned context, unsigned expert,
                            unsigned row_index, unsigned offset, unsigned length, unsigned source, unsigned port,
                            unsigned tag_low, unsigned tag_high, unsigned *status, unsigned *allocated, unsigned *slot,
                            unsigned *address_low, unsigned *address_high);
unsigned moehub_dpi_hub_command(void *hub, unsigned operation, unsigned context, unsigned index, unsigned data0_low,
                                unsigned data0_high, unsigned data1_low, unsigned data1_high, unsigned in_flight,
                                unsigned *result0_low, unsigned *result0_high, unsigned *result1_low,
                                unsigned *result1_high);
void moehub_dpi_hub_counter(void *hub, unsigned event, unsigned *low, unsigned *high);
unsigned moehub_dpi_hub_csr_write(void *hub, unsigned address, unsigned data, unsigned strobe, unsigned busy,
                                  unsigned in_flight);
unsigned moehub_dpi_hub_csr_read(void *hub, unsigned address, unsigned *data, unsigned *known);

void *moehub_dpi_hub_create(unsigned contexts, unsigned local_experts, unsigned gpus, unsigned row_index_width,
                            unsigned slot_width, unsigned offset_width, unsigned address_width, unsigned sets,
                            unsigned ways, unsigned replacement, unsigned ports, unsigned pending, unsigned waiting,
                            unsigned tag_width, unsigned axi_data_width)
{
    const struct moehub_address_path_config config = {
        contexts, local_experts, gpus, row_index_width, slot_width, offset_width, address_width, sets,
        ways, replacement, ports, pending, waiting, tag_width, axi_data_width, .stages = 1, .length_width = 9};
    struct dpi_hub *hub = calloc(1, sizeof *hub);
    if (hub == NULL || moehub_address_path_create(&hub->path, &config, NULL) != 0) {
        free(hub);
        return NULL;
    }
    moehub_hub_csr_init(&hub->csr, &hub->path);
    return hub;
}

void moehub_dpi_hub_destroy(void *handle)
{
    struct dpi_hub *hub = handle;
    if (hub == NULL)
        return;
    moehub_address_path_destroy(&hub->path);
    free(hub);
}

void moehub_dpi_hub_reset(void *handle)
{
    struct dpi_hub *hub = handle;
    moehub_address_path_reset(&hub->path);
    moehub_hub_csr_init(&hub->csr, &hub->path);
}

unsigned moehub_dpi_hub_map(void *handle, unsigned base_low, unsigned base_high, unsigned bytes)
{
    struct dpi_hub *hub = handle;
    return moehub_al_walker_map(&hub->path.walker, wide(base_low, base_high), bytes) == 0;
}

unsigned moehub_dpi_hub_table_entry(void *handle, unsigned address_low, unsigned address_high)
{
    struct dpi_hub *hub = handle;
    const uint32_t *entry = moehub_al_walker_entry(&hub->path.walker, wide(address_low, address_high));
    return entry != NULL ? *entry : 0;
}

void moehub_dpi_hub_request(void *handle, unsigned operation, unsigned first, unsigned context, unsigned expert,
                            unsigned row_index, unsigned offset, unsigned length, unsigned source, unsigned port,
                            unsigned tag_low, unsigned tag_high, unsigned *status, unsigned *allocated, unsigned *slot,
                            unsigned *address_low, unsigned *address_high)
{
    struct dpi_hub *hub = handle;
    const struct moehub_hub_request request = {
        .tag = wide(tag_low, tag_high),
        .row_index = row_index,
        .expert = (uint16_t)expert,
        .offset = (uint16_t)offset,
        .length = (uint16_t)length,
        .source = (uint16_t)source,
        .operation = (uint8_t)operation,
        .context = (uint8_t)context,
        .port = (uint8_t)port,
        .first = first != 0,
    };
    struct moehub_hub_answer answer;
    moehub_address_path_request(&hub->path, &request, &answer);
    *status = answer.status;
    *allocated = answer.allocated;
    *slot = answer.slot;
    split(answer.address, address_low, address_high);
}

unsigned moehub_dpi_hub_command(void *handle, unsigned operation, unsigned context, unsigned index, unsigned data0_low,
                                unsigned data0_high, unsigned data1_low, unsigned data1_high, unsigned in_flight,
                                unsigned *result0_low, unsigned *result0_high, unsigned *result1_low,
                                unsigned *result1_high)
{
    struct dpi_hub *hub = handle;
    const struct moehub_hub_command command = {wide(data0_low, data0_high), wide(data1_low, data1_high),
                                               (uint16_t)index, (uint8_t)context, (uint8_t)operation};
    struct moehub_hub_result result;
    moehub_address_path_command(&hub->path, &command, in_flight != 0, &result);
    split(result.data0, result0_low, result0_high);
    split(result.data1, result1_low, result1_high);
    return result.refused;
}

void moehub_dpi_hub_counter(void *handle, unsigned event, unsigned *low, unsigned *high)
{
    const struct dpi_hub *hub = handle;
    split(event < MOEHUB_HUB_ORDER_EVENTS ? hub->path.counters[event] : 0, low, high);
}

unsigned moehub_dpi_hub_csr_write(void *handle, unsigned address, unsigned data, unsigned strobe, unsigned busy,
                                  unsigned in_flight)
{
    struct dpi_hub *hub = handle;
    return moehub_hub_csr_write(&hub->csr, address, data, strobe, busy != 0, in_flight != 0);
}

unsigned moehub_dpi_hub_csr_read(void *handle, unsigned address, unsigned *data, unsigned *known)
{
    struct dpi_hub *hub = handle;
    const struct moehub_csr_word word = moehub_hub_csr_read(&hub->csr, address);
    *data = word.data;
    *known = word.known;
    return word.response;
}

/* ---- reduction buffer ---------------------------------------------------------------- */

struct dpi_switch {
    struct moehub_reduction_buffer buffer;
    struct moehub_switch_csr csr;
    struct moehub_reduction_result result;
    uint8_t partial[MOEHUB_REDUCTION_PAYLOAD_MAX];
};

void *moehub_dpi_switch_create(unsigned entries, unsigned ports, unsigned payload_bytes, unsigned flit_bytes,
                               unsigned max_contributors, unsigned with_fp32, unsigned generation_width,
                               unsigned tag_width, unsigned own_port);
void moehub_dpi_switch_destroy(void *port);
void moehub_dpi_switch_reset(void *port);
unsigned moehub_dpi_switch_reserve(void *port, unsigned requester, unsigned tag_low, unsigned tag_high, unsigned element,
                                   unsigned out_fp32, unsigned length, unsigned contributors_low,
                                   unsigned contributors_high, unsigned *status, unsigned *entry, unsigned *generation);
void moehub_dpi_switch_partial_word(void *port, unsigned index, unsigned word);
unsigned moehub_dpi_switch_partial(void *port, unsigned entry, unsigned generation, unsigned from, unsigned status,
                                   unsigned element, unsigned length, unsigned flits);
unsigned moehub_dpi_switch_timeout(void *port, unsigned entry);
unsigned moehub_dpi_switch_result_take(void *port, unsigned entry, unsigned *status, unsigned *requester,
                                       unsigned *tag_low, unsigned *tag_high, unsigned *element, unsigned *length,
                                       unsigned *flits);
unsigned moehub_dpi_switch_result_word(void *port, unsigned index);
unsigned moehub_dpi_switch_command(void *port, unsigned operation, unsigned data);
void moehub_dpi_switch_counter(void *port, unsigned event, unsigned *low, unsigned *high);
unsigned moehub_dpi_switch_csr_write(void *port, unsigned address, unsigned data, unsigned strobe, unsigned busy);
unsigned moehub_dpi_switch_csr_read(void *port, unsigned address, unsigned *data, unsigned *known);

void *moehub_dpi_switch_create(unsigned entries, unsigned ports, unsigned payload_bytes, unsigned flit_bytes,
                               unsigned max_contributors, unsigned with_fp32, unsigned generation_width,
                               unsigned tag_width, unsigned own_port)
{
    const struct moehub_reduction_buffer_config config = {
        .entries = entries,
        .ports = ports,
        .payload_bytes = payload_bytes,
        .flit_bytes = flit_bytes,
        .max_contributors = max_contributors,
        .with_fp32 = with_fp32,
        .generation_width = generation_width,
        .tag_width = tag_width,
        .own_port = own_port,
        .request_lines = 1,
        .payloads = true,
    };
    struct dpi_switch *port = calloc(1, sizeof *port);
    if (port == NULL || moehub_reduction_buffer_create(&port->buffer, &config) != 0) {
        free(port);
        return NULL;
    }
    moehub_switch_csr_init(&port->csr, &port->buffer);
    return port;
}

void moehub_dpi_switch_destroy(void *handle)
{
    struct dpi_switch *port = handle;
    if (port == NULL)
        return;
    moehub_reduction_buffer_destroy(&port->buffer);
    free(port);
}

void moehub_dpi_switch_reset(void *handle)
{
    struct dpi_switch *port = handle;
    moehub_reduction_buffer_reset(&port->buffer);
    moehub_switch_csr_init(&port->csr, &port->buffer);
}

unsigned moehub_dpi_switch_reserve(void *handle, unsigned requester, unsigned tag_low, unsigned tag_high, unsigned element,
                                   unsigned out_fp32, unsigned length, unsigned contributors_low,
                                   unsigned contributors_high, unsigned *status, unsigned *entry, unsigned *generation)
{
    struct dpi_switch *port = handle;
    const struct moehub_reduction_reserve reserve = {.tag = wide(tag_low, tag_high),
                                                     .contributors = wide(contributors_low, contributors_high),
                                                     .requester = (uint16_t)requester,
                                                     .length = (uint16_t)length,
                                                     .element = (uint8_t)element,
                                                     .out_fp32 = out_fp32 != 0};
    struct moehub_reduction_grant grant = {0, 0, 0};
    const int error = moehub_reduction_buffer_reserve(&port->buffer, &reserve, &grant);
    *status = grant.status;
    *entry = grant.entry;
    *generation = grant.generation;
    return error == 0;
}

void moehub_dpi_switch_partial_word(void *handle, unsigned index, unsigned word)
{
    struct dpi_switch *port = handle;
    for (unsigned byte = 0; byte < 4 && 4 * index + byte < sizeof port->partial; byte++)
        port->partial[4 * index + byte] = (uint8_t)(word >> 8 * byte);
}

unsigned moehub_dpi_switch_partial(void *handle, unsigned entry, unsigned generation, unsigned from, unsigned status,
                                   unsigned element, unsigned length, unsigned flits)
{
    struct dpi_switch *port = handle;
    const struct moehub_reduction_partial partial = {port->partial, flits, (uint16_t)entry, (uint16_t)length,
                                                     (uint8_t)generation, (uint8_t)from, (uint8_t)status,
                                                     (uint8_t)element};
    return moehub_reduction_buffer_partial(&port->buffer, &partial);
}

unsigned moehub_dpi_switch_timeout(void *handle, unsigned entry)
{
    struct dpi_switch *port = handle;
    return moehub_reduction_buffer_timeout(&port->buffer, entry) == 0;
}

unsigned moehub_dpi_switch_result_take(void *handle, unsigned entry, unsigned *status, unsigned *requester,
                                       unsigned *tag_low, unsigned *tag_high, unsigned *element, unsigned *length,
                                       unsigned *flits)
{
    struct dpi_switch *port = handle;
    struct moehub_reduction_result *result = &port->result;
    const int error = moehub_reduction_buffer_result_taken(&port->buffer, entry, result);
    *status = result->status;
    *requester = result->requester;
    split(result->tag, tag_low, tag_high);
    *element = result->element;
    *length = result->length;
    *flits = result->flits;
    return error == 0;
}

unsigned moehub_dpi_switch_result_word(void *handle, unsigned index)
{
    const struct dpi_switch *port = handle;
    uint32_t word = 0;
    for (unsigned byte = 0; byte < 4 && 4 * index + byte < sizeof port->result.data; byte++)
        word |= (uint32_t)port->result.data[4 * index + byte] << 8 * byte;
    return word;
}

unsigned moehub_dpi_switch_command(void *handle, unsigned operation, unsigned data)
{
    struct dpi_switch *port = handle;
    return moehub_reduction_buffer_command(&port->buffer, operation, data);
}

void moehub_dpi_switch_counter(void *handle, unsigned event, unsigned *low, unsigned *high)
{
    const struct dpi_switch *port = handle;
    split(event < MOEHUB_REDUCTION_ORDER_EVENTS ? port->buffer.counters[event] : 0, low, high);
}

unsigned moehub_dpi_switch_csr_write(void *handle, unsigned address, unsigned data, unsigned strobe, unsigned busy)
{
    struct dpi_switch *port = handle;
    return moehub_switch_csr_write(&port->csr, address, data, strobe, busy != 0);
}

unsigned moehub_dpi_switch_csr_read(void *handle, unsigned address, unsigned *data, unsigned *known)
{
    struct dpi_switch *port = handle;
    const struct moehub_csr_word word = moehub_switch_csr_read(&port->csr, address);
    *data = word.data;
    *known = word.known;
    return word.response;
}
