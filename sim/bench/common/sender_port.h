/* SPDX-License-Identifier: Apache-2.0 */
/* A link sender as a bench sees it: offers it packets for which it has credits, in any order of the classes, with pauses, and
 * compares wires and credits with the model in every cycle.
 *
 * In each cycle: sender_port_drive; bench_settle; sender_port_sample. */
#ifndef BENCH_SENDER_PORT_H
#define BENCH_SENDER_PORT_H

#include "bench/common/packet_maker.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/link_sender.h"

/* Makes the next packet of any class below MOEHUB_CLASSES, with at most 31 flits. */
typedef void sender_draw(void *context, struct made_packet *packet);

struct sender_port {
    struct bench *bench;
    struct moehub_link_sender model;
    struct moehub_link_sender_cycle now;
    sender_draw *draw;
    void *context;
    bool pausing;                          /* no packet is begun */
    bool was_up;                           /* link_up in the last cycle */
    struct stall stall;                    /* of flits */
    struct random_source random;
    const struct pin *link_up, *start_valid, *start_class, *start_flits, *packet_valid, *packet_ready, *packet_class,
        *packet_data, *packet_last, *flit_valid, *flit_class, *flit_first, *flit_last, *flit_data, *credit_valid, *credit_class,
        *credit_flits, *credits, *credit_overflow;
    struct scoreboard wires, hands;        /* flits sent; credits in hand */
    struct made_packet waiting[MOEHUB_CLASSES];
    bool waits[MOEHUB_CLASSES];
    struct made_packet packet;             /* that is being sent */
    unsigned sent;                         /* flits of it; all: none is being sent */
    bool start_due;                        /* its first flit came in the last cycle: it is started now */
    uint64_t packets, dropped, starved;    /* begun; cut or lost as the link fell; cycles with a packet and no credits */
};

/* `prefix` of the pins, must outlive the port. */
void sender_port_create(struct sender_port *port, struct bench *bench, const char *prefix, sender_draw *draw, void *context);
void sender_port_destroy(struct sender_port *port);

void sender_port_drive(struct sender_port *port, bool link_up, const struct moehub_link_grant *grant);
void sender_port_sample(struct sender_port *port);

/* What is on its wires. */
struct moehub_link_flit sender_port_wires(const struct sender_port *port);

#endif
