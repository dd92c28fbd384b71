/* SPDX-License-Identifier: Apache-2.0 */
/* One GPU of the system: its hub in RTL, its memory, its streams and its program. */
#ifndef BENCH_SYSTEM_HUB_H
#define BENCH_SYSTEM_HUB_H

#include "bench/switch/switch_plane_pins.h"
#include "bench/system/gpu_rounds.h"
#include "bench/system/gpu_memory.h"
#include "bench/system/hub_check.h"
#include "bench/system/software.h"
#include "bench/system/system_link.h"
#include "kit/axi_lite.h"
#include "moehub/csr.h"

/* A layer that all GPUs compute, in one context of each hub. */
struct system_round {
    struct moehub_layer layer;
    unsigned context, number; /* of the round, as packets have it */
    uint8_t *spoiled[SYSTEM_GPUS_MAX], *failed_rows[SYSTEM_GPUS_MAX]; /* gpu.h */
};

/* What a hub was built with. */
struct system_shape {
    unsigned links, gpus, contexts, local_expert_bits, local_experts, max_targets, request_lines, store_bytes, tiles, tokens;
};

struct system_options {
    unsigned latency_minimum, latency_maximum; /* of memory, cycles */
    enum stall_kind stall;                     /* of memory and streams */
    unsigned tile_shift;
    unsigned timeout;                          /* arrival, token, groups: cycles */
    unsigned line_timeout;                     /* LINE_TIMEOUT: cycles until a line that is not whole may leave */
    unsigned read_errors;                      /* one in so many reads for sums is answered with an error; 0: none */
    bool check;                                /* the hub is compared with its model */
    bool counted;                              /* counters are read at the end of a round */
    const struct dut_model *model;             /* the hub's */
    struct gpu_options gpu;
};

enum { SYSTEM_WINDOWS = 16, SYSTEM_MARKS = 3 };

struct system_hub {
    struct bench bench;
    unsigned number; /* of the GPU */
    struct system_shape shape;
    struct system_options options;
    struct gpu_rounds rounds;
    struct gpu_memory memory;
    struct memory_ports table, data, list;
    struct hub_check check;
    struct plane_pins links;
    struct system_link *out[GPU_LINKS_MAX], *in[GPU_LINKS_MAX];
    struct source row, store, reduce, done;
    struct sink handle, ready;
    struct bus reduced_valid, reduced_ready, reduced_data, reduced_user, reduced_last;
    struct stall reduced_stall[GPU_LINKS_MAX];
    struct axi_lite registers;
    const struct pin *interrupt_request;
    struct software software;
    bool started, may_start; /* set up; all are: rows may go */
    bool may_stop;           /* all have finished */
    bool closed;             /* the last close was given */
    bool withholds;          /* from now on what its GPU's manners say */
    unsigned owed[GPU_LINKS_MAX][MOEHUB_CLASSES]; /* credits that were withheld */
    bool cut[GPU_LINKS_MAX]; /* of each link, as of the last cycle */
    bool may_count, stopped; /* nothing is on its way any more; the last context is stopped */
    unsigned awaited;        /* round of which the program waits for something */
    uint64_t counters[SYSTEM_WINDOWS][MOEHUB_CSR_EVENTS_MAX];        /* at the end, of each window of the hub */
    uint64_t counters_before[SYSTEM_WINDOWS][MOEHUB_CSR_EVENTS_MAX]; /* of the end before */
    uint64_t counters_served[MOEHUB_CSR_EVENTS_MAX]; /* unfused: of the address path when its GPU had all rows */
    bool served_read;                                /* they were read */
    uint32_t marks[SYSTEM_WINDOWS][SYSTEM_MARKS];    /* at the end: registers from HIGH_WATER on, most since reset */
};

/* "hub NAME=value ...": the parameters that are not the default. */
const char *system_hub_description(const struct dut_model *model);

struct system_shape system_hub_shape(const struct dut_model *model);

/* Number 1 + gpu of the parts of `whole`; links are put into out and in by the caller. */
void system_hub_create(struct system_hub *hub, const struct bench *whole, unsigned gpu, const struct system_options *options);
void system_hub_destroy(struct system_hub *hub);

/* Rounds that go on together, from the program's first register access to its last; the next ones begin when all hubs have ended
 * these. Several are in contexts 0, 1, ... of the hub by turns. */
void system_hub_begin(struct system_hub *hub, struct system_round *rounds, unsigned count,
                      const struct gpu_manners *manners);
void system_hub_end(struct system_hub *hub);

/* Stores that were put into its links in this round when all had arrived: they are counted as handled. */
uint64_t system_hub_foreign(const struct system_hub *hub);

/* Ways may have refused something in this round, or had no data for a sum. */
bool system_hub_ways_refuse(const struct system_hub *hub);

/* One cycle. */
void system_hub_step(struct system_hub *hub);

#endif
