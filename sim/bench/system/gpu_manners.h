/* SPDX-License-Identifier: Apache-2.0 */
/* How a GPU misbehaves from the first round on, and what the others have to expect of it. */
#ifndef BENCH_GPU_MANNERS_H
#define BENCH_GPU_MANNERS_H

#include <stdbool.h>
#include <stdint.h>

/* What a GPU withholds from its hub, or its link from the switch. */
enum gpu_withheld {
    GPU_WITHHELD_NOTHING,
    GPU_WITHHELD_HANDLES, /* it takes no handle, so stores no row */
    GPU_WITHHELD_EVENTS,  /* it takes no ready event */
    GPU_WITHHELD_SUMS,    /* it takes no line of a sum */
    GPU_WITHHELD_DONE,    /* it never says that a tile is computed */
    GPU_WITHHELD_MEMORY,  /* its memory answers neither reads nor writes */
    GPU_WITHHELD_CREDITS, /* the switch gets no credits back */
    GPU_WITHHELD_LINKS,   /* its links are down, at both ends */
    GPU_WITHHELD_KINDS
};
#define GPU_WITHHELD_NAMES "handles, events, sums, done, memory, credits, links"

struct gpu_manners {
    unsigned gpu;                /* that withholds; all others are as ever */
    enum gpu_withheld withheld;
    uint64_t cycles;             /* from the first row on; 0: until nobody else has anything left to do */
    uint64_t after;              /* its links fall so many cycles after the first row: what is on them is lost; 0: before */
    int plane;                   /* the link to that plane alone; -1: all */
    uint64_t silent;             /* GPUs that send no row and never close: what waits for them ends as failed */
    uint64_t idle;               /* GPUs that compute nothing, and take no notice of what they are told: whose tokens have an
                                    expert there, has them failed */
    bool flooded;                /* by `gpu`: rows without end of a context that is enabled at no other GPU, */
    bool flood_unlisted;         /* or at all, and no other one lists it among its peers */
    unsigned flood_context;
    bool aborts;                 /* `gpu`: its context, in the middle of its dispatch */
    uint64_t failing;            /* GPUs whose memory answers one in `write_errors` of the writes of rows with an error */
    unsigned write_errors;
    unsigned short_gpu, short_expert, short_slots; /* so many rows of that local expert find its region full; 0: none */
};

/* The manners of a run in which `gpu` withholds `withheld` for `cycles`. */
struct gpu_manners gpu_manners_of(unsigned gpu, enum gpu_withheld withheld, uint64_t cycles);

/* Those of a round that goes on beside the first. An abort and a region that is too short are of one context. Who is silent
 * begins no other round than those that it had contexts for, so that rows of a later one are refused there. */
struct gpu_manners gpu_manners_beside(const struct gpu_manners *manners, bool begun);

/* The kind of that name, -1 when there is none. */
int gpu_withheld_of(const char *name);

/* Whether what `target` names may fail as its region was full. */
static inline bool gpu_manners_short(const struct gpu_manners *manners, unsigned gpu, unsigned expert)
{
    return manners->short_slots != 0 && manners->short_gpu == gpu && manners->short_expert == expert;
}

/* Its links fall amid traffic. */
static inline bool gpu_manners_fall(const struct gpu_manners *manners)
{
    return manners->after != 0;
}

static inline bool gpu_manners_for_ever(const struct gpu_manners *manners)
{
    return manners->withheld != GPU_WITHHELD_NOTHING && manners->cycles == 0;
}

#endif
