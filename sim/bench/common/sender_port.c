/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/sender_port.h"

static const struct field wire_fields[] = {{"valid", 1}, {"class", 2}, {"first", 1}, {"last", 1}, {"data", 128}};
static const struct field hand_fields[] = {{"store", 13}, {"request", 13}, {"response", 13}, {"overflow", 1}};

static void find_pins(struct sender_port *port)
{
    struct bench *bench = port->bench;
    port->link_up = bench_pin(bench, "link_up");
    port->start_valid = bench_pin(bench, "start_valid");
    port->start_class = bench_pin(bench, "start_class");
    port->start_flits = bench_pin(bench, "start_flits");
    port->packet_valid = bench_pin(bench, "packet_valid");
    port->packet_ready = bench_pin(bench, "packet_ready");
    port->packet_class = bench_pin(bench, "packet_class");
    port->packet_data = bench_pin(bench, "packet_data");
    port->packet_last = bench_pin(bench, "packet_last");
    port->flit_valid = bench_pin(bench, "flit_valid");
    port->flit_class = bench_pin(bench, "flit_class");
    port->flit_first = bench_pin(bench, "flit_first");
    port->flit_last = bench_pin(bench, "flit_last");
    port->flit_data = bench_pin(bench, "flit_data");
    port->credit_valid = bench_pin(bench, "credit_valid");
    port->credit_class = bench_pin(bench, "credit_class");
    port->credit_flits = bench_pin(bench, "credit_flits");
    port->credits = bench_pin(bench, "credits");
    port->credit_overflow = bench_pin(bench, "credit_overflow");
}

void sender_port_create(struct sender_port *port, struct bench *bench, const char *prefix, sender_draw *draw, void *context)
{
    *port = (struct sender_port){.bench = bench, .draw = draw, .context = context};
    bench->pin_prefix = prefix;
    find_pins(port);
    bench->pin_prefix = NULL;
    stall_init(&port->stall, STALL_MIXED, bench->options.seed, "sender stalls");
    bench_random(bench, &port->random, "sender");
    scoreboard_create(&port->wires, bench, "wires", wire_fields, 5, 1, 1);
    scoreboard_create(&port->hands, bench, "credits", hand_fields, 4, 1, 1);
}

void sender_port_destroy(struct sender_port *port)
{
    scoreboard_destroy(&port->wires);
    scoreboard_destroy(&port->hands);
}

/* ---- drive ------------------------------------------------------------------------------------------------- */

static unsigned credits_of(const struct sender_port *port, unsigned packet_class)
{
    return (unsigned)(pin_get(port->credits) >> (MOEHUB_CREDITS_WIDTH * packet_class)) & MOEHUB_CREDITS_MAX;
}

static void draw_packets(struct sender_port *port)
{
    struct made_packet packet;
    port->draw(port->context, &packet);
    if (port->waits[packet.packet_class])
        return;
    port->waiting[packet.packet_class] = packet;
    port->waits[packet.packet_class] = true;
}

/* A class with a packet and credits for it, less those that a start takes in this cycle; MOEHUB_CLASSES: none. */
static unsigned choose_class(struct sender_port *port)
{
    const unsigned from = (unsigned)random_below(&port->random, MOEHUB_CLASSES);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const unsigned packet_class = (from + i) % MOEHUB_CLASSES;
        if (!port->waits[packet_class])
            continue;
        const unsigned taken = port->now.start && port->now.start_class == packet_class ? port->now.start_flits : 0;
        if (credits_of(port, packet_class) >= taken + port->waiting[packet_class].count)
            return packet_class;
        port->starved++;
    }
    return MOEHUB_CLASSES;
}

static bool sending(const struct sender_port *port)
{
    return port->sent < port->packet.count;
}

/* In the cycle after the packet's first flit. */
static void drive_start(struct sender_port *port)
{
    const bool start = port->start_due;
    pin_set(port->start_valid, start);
    pin_set(port->start_class, start ? port->packet.packet_class : random_below(&port->random, 4));
    pin_set(port->start_flits, start ? port->packet.count : random_below(&port->random, 32));
    if (!start)
        return;
    port->now.start = true;
    port->now.start_class = (uint8_t)port->packet.packet_class;
    port->now.start_flits = (uint8_t)port->packet.count;
}

/* False: there is none, or no credits. */
static bool begin_packet(struct sender_port *port)
{
    draw_packets(port);
    const unsigned packet_class = choose_class(port);
    if (packet_class == MOEHUB_CLASSES || port->pausing || !port->now.link_up)
        return false;
    port->packet = port->waiting[packet_class];
    port->waits[packet_class] = false;
    port->sent = 0;
    port->packets++;
    return true;
}

static void drive_flit(struct sender_port *port, bool flit)
{
    const struct made_packet *packet = &port->packet;
    const uint64_t noise[2] = {random_next(&port->random), random_next(&port->random)};
    pin_set(port->packet_valid, flit);
    pin_set(port->packet_class, flit ? packet->packet_class : random_below(&port->random, 4));
    pin_set(port->packet_last, flit ? port->sent + 1 == packet->count : random_below(&port->random, 2));
    pin_set_words(port->packet_data, flit ? packet->flits[port->sent].half : noise);
    if (!flit)
        return;
    port->now.flit = true;
    port->now.flit_class = (uint8_t)packet->packet_class;
    port->now.flit_last = port->sent + 1 == packet->count;
    port->now.flit_data = packet->flits[port->sent++];
}

static void drive_traffic(struct sender_port *port)
{
    const bool quiet = port->bench->reset || port->bench->quiet;
    drive_start(port);
    const bool inside = sending(port);
    const bool flit = !quiet && !stall_next(&port->stall) && (inside || begin_packet(port));
    drive_flit(port, flit);
    port->start_due = flit && !inside;
}

static void drive_grant(struct sender_port *port, const struct moehub_link_grant *grant)
{
    pin_set(port->credit_valid, grant->valid);
    pin_set(port->credit_class, grant->valid ? grant->packet_class : random_below(&port->random, 4));
    pin_set(port->credit_flits, grant->valid ? grant->flits : random_below(&port->random, 256));
    port->now.grant = *grant;
}

void sender_port_drive(struct sender_port *port, bool link_up, const struct moehub_link_grant *grant)
{
    port->now = (struct moehub_link_sender_cycle){.link_up = link_up};
    if (port->bench->reset)
        port->sent = port->packet.count = port->start_due = 0;
    pin_set(port->link_up, link_up);
    drive_grant(port, grant);
    drive_traffic(port);
}

/* ---- sample -------------------------------------------------------------------------------------------------- */

struct moehub_link_flit sender_port_wires(const struct sender_port *port)
{
    struct moehub_link_flit flit = {.valid = pin_get(port->flit_valid) != 0};
    if (!flit.valid)
        return flit;
    flit.packet_class = (uint8_t)pin_get(port->flit_class);
    flit.first = pin_get(port->flit_first) != 0;
    flit.last = pin_get(port->flit_last) != 0;
    pin_get_words(port->flit_data, flit.data.half);
    return flit;
}

static void compare(struct sender_port *port)
{
    const struct moehub_link_sender *model = &port->model;
    const struct moehub_link_flit sent = sender_port_wires(port);
    const struct moehub_link_flit *wire = &model->wire;
    const uint64_t expected[6] = {wire->valid, wire->packet_class, wire->first, wire->last, wire->data.half[0],
                                  wire->data.half[1]};
    const uint64_t got[6] = {sent.valid, sent.packet_class, sent.first, sent.last, sent.data.half[0], sent.data.half[1]};
    scoreboard_expect(&port->wires, 0, expected);
    scoreboard_check(&port->wires, 0, got);
    const uint64_t hand[4] = {model->credits[0], model->credits[1], model->credits[2], model->credit_overflow};
    const uint64_t held[4] = {credits_of(port, 0), credits_of(port, 1), credits_of(port, 2), pin_get(port->credit_overflow)};
    scoreboard_expect(&port->hands, 0, hand);
    scoreboard_check(&port->hands, 0, held);
}

void sender_port_sample(struct sender_port *port)
{
    if (port->bench->reset) {
        moehub_link_sender_reset(&port->model);
        port->was_up = false;
        return;
    }
    if (pin_get(port->packet_ready) == port->bench->quiet)
        bench_fail(port->bench, BENCH_MISMATCH, "%s is %d", port->packet_ready->name, !port->bench->quiet);
    if (port->now.link_up || !port->was_up) /* the cycle in which the link falls is nobody's: its wires are lost */
        compare(port);
    port->dropped += port->was_up && !port->now.link_up && sending(port);
    if (!moehub_link_sender_step(&port->model, &port->now))
        bench_fail(port->bench, BENCH_CONFIGURATION, "the bench has broken a rule of the sender's ports");
    port->was_up = port->now.link_up;
}
