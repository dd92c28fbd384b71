/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's memory: bytes from address 0 on, behind any number of AXI4 ports with bursts.
 *
 * A write takes effect, and a read looks, in the cycle in which its response is first offered: so whoever acts before a
 * response sees old bytes. Latency is drawn for each access. Responses of one id stay in order; those of different ids overtake
 * each other.
 *
 * Checked on the master, a violation ends the run as a mismatch: bursts of at most GPU_MEMORY_BEATS, inside the memory and a
 * 4-KB page; wlast with the last beat. */
#ifndef BENCH_GPU_MEMORY_H
#define BENCH_GPU_MEMORY_H

#include "kit/bus.h"
#include "kit/stall.h"

enum { GPU_MEMORY_BEATS = 4, GPU_MEMORY_BEAT_BYTES = 32, GPU_MEMORY_OUTSTANDING = 1024, GPU_MEMORY_PORTS = 5 };

struct memory_access;

struct gpu_memory {
    struct bench *bench;
    uint8_t *bytes;
    uint64_t size;
    unsigned latency_minimum, latency_maximum; /* cycles, 1 .. */
    bool held; /* no response begins */
    /* Of the ports of that name: one in `read_errors` of the reads has SLVERR with one of its beats, and `spoiled` is told; one
     * in `write_errors` of the writes has it, takes effect all the same, and `failed` is told. 0: none. `applied`, if not NULL,
     * is told each write that has taken effect. */
    const char *watched;
    unsigned read_errors, write_errors;
    void (*spoiled)(void *user, uint64_t address);
    void (*failed)(void *user, unsigned port, const struct memory_access *write);
    void (*applied)(void *user, unsigned port, const struct memory_access *write);
    void *user;
    struct random_source random;
};

void gpu_memory_create(struct gpu_memory *memory, struct bench *bench, unsigned latency_minimum, unsigned latency_maximum);
/* Nothing is on the way; from now on it has `size` bytes, all 0. */
void gpu_memory_clear(struct gpu_memory *memory, uint64_t size);
void gpu_memory_destroy(struct gpu_memory *memory);

struct memory_access {
    uint64_t address, due;
    unsigned beats, id;
    unsigned filled; /* beats of write data; beats of read data that were taken */
    bool addressed, sent;
    unsigned error_beat; /* with SLVERR, of a write beat 0; GPU_MEMORY_BEATS: none */
    uint8_t data[GPU_MEMORY_BEATS * GPU_MEMORY_BEAT_BYTES];
    uint32_t strobes[GPU_MEMORY_BEATS];
};

/* Accesses of a direction, in the order of their addresses; number n stands at n modulo GPU_MEMORY_OUTSTANDING. */
struct memory_queue {
    struct memory_access access[GPU_MEMORY_OUTSTANDING];
    uint64_t first, addressed, filled; /* oldest that is not ended; with address; with all data */
    uint64_t told;                     /* writes that the watch was told of */
    uint64_t offered;                  /* whose response is offered, or UINT64_MAX */
    struct stall request, data, response;
};

/* Who is told what crosses the ports: the address of a read; all its data, when the last beat was taken; a write of which address
 * and data were taken, in the order of addresses; that a write's response was. Each may be NULL. */
struct memory_watch {
    void *user;
    void (*asked)(void *user, unsigned port, const struct memory_access *read);
    void (*came)(void *user, unsigned port, const struct memory_access *read);
    void (*written)(void *user, unsigned port, const struct memory_access *write);
    void (*answered)(void *user, unsigned port, const struct memory_access *write);
};

/* The ports of one name: element p of each vector belongs to port p. */
struct memory_ports {
    struct gpu_memory *memory;
    const char *name;
    const struct memory_watch *watch; /* NULL: none */
    unsigned ports, beat_bytes, ids;
    bool writes;
    struct bus arvalid, arready, arid, araddr, arlen, rvalid, rready, rid, rdata, rresp, rlast;
    struct bus awvalid, awready, awid, awaddr, awlen, wvalid, wready, wdata, wstrb, wlast, bvalid, bready, bid, bresp;
    struct memory_queue *reads[GPU_MEMORY_PORTS], *written[GPU_MEMORY_PORTS];
};

/* `prefix` as in "m_axi_data". Widths and ids come from the pins; a prefix without AW reads only. */
void memory_ports_create(struct memory_ports *ports, struct gpu_memory *memory, const char *prefix, unsigned count,
                         enum stall_kind stall);
void memory_ports_destroy(struct memory_ports *ports);

/* Steps 1 and 3 of the cycle. */
void memory_ports_drive(struct memory_ports *ports);
void memory_ports_sample(struct memory_ports *ports);

#endif
