/* SPDX-License-Identifier: Apache-2.0 */
/* What is sent into a reduction buffer, as its port sees it: a stimulus is asked for the next reservation, partial packet
 * and command, and told what came of them; with groups also for the next `released`. Random traffic, scripts and the
 * throughput measurement are stimuli. */
#ifndef BENCH_REDUCTION_STIMULUS_H
#define BENCH_REDUCTION_STIMULUS_H

#include "moehub/reduction_buffer.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    REDUCTION_EXTRA_FLITS = 4, /* a packet whose last comes late has at most so many too many */
    REDUCTION_PACKET_BYTES = MOEHUB_REDUCTION_PAYLOAD_MAX + 64 * REDUCTION_EXTRA_FLITS,
};

/* A partial packet as it goes over the wire. */
struct reduction_packet {
    struct moehub_reduction_partial header; /* its `data` is set by whoever hands the packet to the model */
    uint8_t data[REDUCTION_PACKET_BYTES];   /* header.flits flits */
};

struct reduction_command {
    unsigned operation;
    uint32_t data;
    uint32_t port_timeout; /* the pin, from now on */
};

/* Each `next` returns false when it has nothing for this cycle; it is called only when the stream is free. A stimulus of
 * buffers without groups leaves next_released and freed NULL. */
struct reduction_stimulus {
    void *context;
    bool (*next_reserve)(void *context, struct moehub_reduction_reserve *reserve);
    bool (*next_packet)(void *context, struct reduction_packet *packet);
    bool (*next_command)(void *context, struct reduction_command *command);
    bool (*next_released)(void *context, unsigned *entry);
    void (*granted)(void *context, const struct moehub_reduction_reserve *reserve,
                    const struct moehub_reduction_grant *grant);
    void (*result_taken)(void *context, unsigned entry, unsigned status);
    void (*timed_out)(void *context, unsigned entry);
    void (*freed)(void *context, unsigned entry);
    void (*reset)(void *context);
};

#endif
