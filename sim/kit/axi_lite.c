/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/axi_lite.h"

#include <inttypes.h>
#include <stdio.h>

/* Writes the name of a channel's pins into the master, as streams keep a pointer to it. */
static const char *channel_name(struct axi_lite *lite, enum axi_lite_channel channel, const char *prefix, const char *suffix)
{
    char *name = lite->names[channel];
    const int length = snprintf(name, AXI_LITE_NAME_BYTES, "%s_%s", prefix, suffix);
    if (length >= AXI_LITE_NAME_BYTES)
        bench_fail(lite->bench, BENCH_CONFIGURATION, "%s: the name of an AXI4-Lite port is too long", prefix);
    return name;
}

static bool axi_lite_waits(const void *self, struct watchdog_wait *wait)
{
    const struct axi_lite *lite = self;
    if (axi_lite_idle(lite))
        return false;
    wait->still_since = lite->started;
    snprintf(wait->text, sizeof wait->text, "no response on %s since cycle %" PRIu64,
             lite->writes_pending > 0 ? lite->write_response.stream.valid->name : lite->read_data.stream.valid->name,
             lite->started);
    return true;
}

void axi_lite_create(struct axi_lite *lite, struct bench *bench, const char *prefix, enum stall_kind stall)
{
    *lite = (struct axi_lite){.bench = bench};
    source_create(&lite->write_address, bench, channel_name(lite, AXI_LITE_WRITE_ADDRESS, prefix, "aw"), "addr", stall);
    source_create(&lite->write_data, bench, channel_name(lite, AXI_LITE_WRITE_DATA, prefix, "w"), "data strb", stall);
    sink_create(&lite->write_response, bench, channel_name(lite, AXI_LITE_WRITE_RESPONSE, prefix, "b"), "resp", stall);
    source_create(&lite->read_address, bench, channel_name(lite, AXI_LITE_READ_ADDRESS, prefix, "ar"), "addr", stall);
    sink_create(&lite->read_data, bench, channel_name(lite, AXI_LITE_READ_DATA, prefix, "r"), "data resp", stall);
    watchdog_add(&bench->watchdog, axi_lite_waits, lite);
}

void axi_lite_drive(struct axi_lite *lite)
{
    source_drive(&lite->write_address);
    source_drive(&lite->write_data);
    source_drive(&lite->read_address);
    sink_drive(&lite->write_response);
    sink_drive(&lite->read_data);
}

static void answered(struct axi_lite *lite, unsigned *pending, const struct stream *channel, uint64_t response)
{
    if (*pending == 0)
        bench_fail(lite->bench, BENCH_MISMATCH, "%s: a response that nobody asked for", channel->name);
    (*pending)--;
    lite->response = (unsigned)response;
}

void axi_lite_sample(struct axi_lite *lite)
{
    source_sample(&lite->write_address);
    source_sample(&lite->write_data);
    source_sample(&lite->read_address);
    const uint64_t *written = sink_sample(&lite->write_response);
    if (written != NULL)
        answered(lite, &lite->writes_pending, &lite->write_response.stream, written[0]);
    const uint64_t *read = sink_sample(&lite->read_data);
    if (read != NULL) {
        answered(lite, &lite->reads_pending, &lite->read_data.stream, read[1]);
        lite->data = (uint32_t)read[0];
    }
    if (lite->bench->reset)
        lite->writes_pending = lite->reads_pending = 0;
}

bool axi_lite_idle(const struct axi_lite *lite)
{
    return lite->writes_pending == 0 && lite->reads_pending == 0;
}

void axi_lite_start_write(struct axi_lite *lite, uint64_t address, uint32_t data, unsigned strobes)
{
    source_offer(&lite->write_address)[0] = address;
    uint64_t *item = source_offer(&lite->write_data);
    item[0] = data;
    item[1] = strobes;
    lite->writes_pending++;
    lite->started = lite->bench->cycle;
}

void axi_lite_start_read(struct axi_lite *lite, uint64_t address)
{
    source_offer(&lite->read_address)[0] = address;
    lite->reads_pending++;
    lite->started = lite->bench->cycle;
}

static void wait_idle(struct axi_lite *lite)
{
    while (!axi_lite_idle(lite))
        lite->bench->step(lite->bench->context);
}

unsigned axi_lite_write_strobed(struct axi_lite *lite, uint64_t address, uint32_t data, unsigned strobes)
{
    wait_idle(lite);
    axi_lite_start_write(lite, address, data, strobes);
    wait_idle(lite);
    return lite->response;
}

unsigned axi_lite_write(struct axi_lite *lite, uint64_t address, uint32_t data)
{
    return axi_lite_write_strobed(lite, address, data, 0xf);
}

unsigned axi_lite_read(struct axi_lite *lite, uint64_t address, uint32_t *data)
{
    wait_idle(lite);
    axi_lite_start_read(lite, address);
    wait_idle(lite);
    *data = lite->data;
    return lite->response;
}

uint32_t axi_lite_get(struct axi_lite *lite, uint64_t address)
{
    uint32_t data;
    unsigned response = axi_lite_read(lite, address, &data);
    if (response != 0)
        bench_fail(lite->bench, BENCH_MISMATCH, "%s: register 0x%" PRIx64 ": response %u to a read", lite->read_data.stream.name,
                   address, response);
    return data;
}

uint64_t axi_lite_get64(struct axi_lite *lite, uint64_t address)
{
    uint64_t low = axi_lite_get(lite, address);
    return low | (uint64_t)axi_lite_get(lite, address + 4) << 32;
}

void axi_lite_set(struct axi_lite *lite, uint64_t address, uint32_t data)
{
    unsigned response = axi_lite_write(lite, address, data);
    if (response != 0)
        bench_fail(lite->bench, BENCH_MISMATCH, "%s: register 0x%" PRIx64 ": response %u to a write",
                   lite->write_response.stream.name, address, response);
}
