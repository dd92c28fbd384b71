/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_pins.h"

static void create_direction(struct plane_direction *direction, const struct bench *bench, const char *prefix, unsigned ports)
{
    struct {
        struct bus *bus;
        const char *name;
    } const buses[] = {
        {&direction->valid, "flit_valid"},         {&direction->first, "flit_first"},
        {&direction->last, "flit_last"},           {&direction->packet_class, "flit_class"},
        {&direction->data, "flit_data"},           {&direction->credit_valid, "credit_valid"},
        {&direction->credit_class, "credit_class"}, {&direction->credit_flits, "credit_flits"},
    };
    for (size_t i = 0; i < sizeof buses / sizeof *buses; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%s", prefix, buses[i].name);
        bus_create(buses[i].bus, bench, name, ports);
    }
}

void plane_pins_create(struct plane_pins *pins, const struct bench *bench, unsigned ports)
{
    bus_create(&pins->link_up, bench, "link_up", ports);
    create_direction(&pins->in, bench, "in", ports);
    create_direction(&pins->out, bench, "out", ports);
    bench_random(bench, &pins->random, "idle wires");
}

void plane_pins_sample(struct plane_pins *pins)
{
    bus_sample(&pins->in.credit_valid);
    bus_sample(&pins->in.credit_class);
    bus_sample(&pins->in.credit_flits);
    bus_sample(&pins->out.valid);
    bus_sample(&pins->out.first);
    bus_sample(&pins->out.last);
    bus_sample(&pins->out.packet_class);
    bus_sample(&pins->out.data);
}

struct moehub_link_flit plane_pins_flit(const struct plane_pins *pins, unsigned port)
{
    struct moehub_link_flit flit = {.valid = bus_get(&pins->out.valid, port) != 0};
    if (!flit.valid)
        return flit;
    flit.packet_class = (uint8_t)bus_get(&pins->out.packet_class, port);
    flit.first = bus_get(&pins->out.first, port) != 0;
    flit.last = bus_get(&pins->out.last, port) != 0;
    bus_get_words(&pins->out.data, port, flit.data.half);
    return flit;
}

struct moehub_link_grant plane_pins_grant(const struct plane_pins *pins, unsigned port)
{
    if (bus_get(&pins->in.credit_valid, port) == 0)
        return (struct moehub_link_grant){.valid = false};
    return (struct moehub_link_grant){true, (uint8_t)bus_get(&pins->in.credit_class, port),
                                      (uint8_t)bus_get(&pins->in.credit_flits, port)};
}

void plane_pins_set(struct plane_pins *pins, unsigned port, bool link_up, const struct moehub_link_flit *flit,
                    const struct moehub_link_grant *grant)
{
    const uint64_t noise[2] = {random_next(&pins->random), random_next(&pins->random)};
    bus_set(&pins->link_up, port, link_up);
    bus_set(&pins->in.valid, port, flit->valid);
    bus_set(&pins->in.first, port, flit->valid ? flit->first : noise[0]);
    bus_set(&pins->in.last, port, flit->valid ? flit->last : noise[0] >> 1);
    bus_set(&pins->in.packet_class, port, flit->valid ? flit->packet_class : noise[0] >> 2);
    bus_set_words(&pins->in.data, port, flit->valid ? flit->data.half : noise);
    bus_set(&pins->out.credit_valid, port, grant->valid);
    bus_set(&pins->out.credit_class, port, grant->valid ? grant->packet_class : noise[1]);
    bus_set(&pins->out.credit_flits, port, grant->valid ? grant->flits : noise[1] >> 2);
}

void plane_pins_drive(const struct plane_pins *pins)
{
    bus_drive(&pins->link_up);
    bus_drive(&pins->in.valid);
    bus_drive(&pins->in.first);
    bus_drive(&pins->in.last);
    bus_drive(&pins->in.packet_class);
    bus_drive(&pins->in.data);
    bus_drive(&pins->out.credit_valid);
    bus_drive(&pins->out.credit_class);
    bus_drive(&pins->out.credit_flits);
}
