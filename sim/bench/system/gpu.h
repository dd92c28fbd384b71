/* SPDX-License-Identifier: Apache-2.0 */
/* What the GPU at a hub does in a layer: opens rows and stores them, computes tiles as they become ready, asks for sums of tokens
 * as they become ready, and compares all that it gets: received rows byte by byte, sums to the bit, each event once.
 *
 * It has no time of its own: its streams ask it for items in the cycles in which they can take one. */
#ifndef BENCH_GPU_H
#define BENCH_GPU_H

#include "bench/system/gpu_abort.h"
#include "bench/system/gpu_bad_items.h"
#include "bench/system/gpu_layout.h"
#include "bench/system/gpu_manners.h"
#include "bench/system/gpu_nops.h"
#include "bench/system/gpu_stores.h"
#include "bench/system/gpu_write_errors.h"
#include "kit/bench.h"
#include "moehub/accumulate.h"
#include "moehub/header_check.h"

enum { GPU_ROWS_OPEN_MAX = 64, GPU_TOKENS_ASKED_MAX = 64, GPU_LINKS_MAX = 4 };

struct gpu_options {
    unsigned context, round;
    unsigned rows_open;    /* rows that are stored side by side, 1 .. */
    unsigned store_bytes;  /* of a store */
    unsigned store_parts;  /* stores of a piece of so many bytes, 1 .. */
    unsigned window;       /* pieces of a row that come in any order: 1, or a power of two */
    unsigned tokens_asked; /* tokens whose sums are asked for in turn, a group each, 1 .. */
    unsigned group_lines;  /* lines of a reduce */
    bool sums;             /* false: it asks for none */
    unsigned gemm;         /* cycles of a GEMM of a tile */
    bool gemm_in_turn;     /* a stage computes one tile at a time, and not all that may begin at once */
    bool tile_readiness;   /* a tile's first GEMM may begin when the tile is told as ready, and not only when all has arrived */
    unsigned kernel_start; /* cycles from that to the first GEMM */
    unsigned links, targets_most; /* of the hub */
    unsigned bad_items;    /* one item in so many is bad; 0: none */
    unsigned nops;         /* one store in so many is off the critical path; 0: none */
    uint8_t **spoiled;     /* a GPU, row and line of its sum: that GPU has not got its part of it from its memory */
    uint8_t **failed_rows; /* a GPU and row: that GPU told a tile with it that was failed by a write */
    struct gpu_departures *departures; /* of the GPU that aborts */
    struct gpu_manners manners; /* of this round */
};

struct gpu_open_row {
    uint32_t token;
    uint16_t handle;
    uint32_t stores, stored; /* given; bytes of them */
    uint8_t *bytes;
    bool flood;      /* of a flood */
};

struct gpu_waiting_row {
    uint32_t token, row_index;
    unsigned status; /* that its handle must have, unless the context is aborted meanwhile */
    bool flood;
};

struct gpu_tile_work {
    uint64_t due; /* cycle in which it ends */
    uint32_t expert, tile, rows;
};

/* The GEMMs of a stage: a ring of all tiles, in the order in which they end. */
struct gpu_gemm {
    struct gpu_tile_work *work;
    uint32_t first, end, size;
    uint64_t busy; /* until that cycle, with what has begun last */
};

struct gpu_asked_token {
    uint32_t token, groups; /* groups that were asked for */
    bool active;
};

struct gpu_token {
    uint16_t *sum;   /* that must come; from its ready on, until all has come */
    uint8_t *seen;   /* a line */
    uint32_t lines;  /* that came */
    uint64_t opened; /* cycle in which its row was taken; of its ready and its last sum: */
    uint64_t ready, ended;
    bool told;
    bool partial;    /* it is failed, and its sum is asked for all the same */
};

/* A packet of `reduced` that is coming. */
struct gpu_reduced {
    uint8_t bytes[MOEHUB_LINE_BYTES];
    unsigned flits;
};

struct gpu_counts {
    uint64_t rows_received, lines_reduced, tiles, tokens; /* compared */
    uint64_t tokens_failed, tokens_spoiled;               /* of the tokens; of them those with a row in a failed tile */
    uint64_t tokens_lost;                                 /* of the tokens: of which nothing has come to an expert */
    uint64_t tiles_failed, tiles_cut;                     /* by writes that failed, or with part of a row: of these */
    uint64_t stores, reduces;                             /* given to the hub */
    uint64_t lines_partial;                               /* of sums that lack a row, and say so */
    uint64_t lines_spoiled;                               /* of the lines reduced: they say that a part is missing, */
    uint64_t lines_spoiled_by_others;                     /* and it is another GPU's */
    uint64_t nop_packets;                                 /* on the links, off the critical path */
    uint64_t rows_digest, sums_digest;                    /* of the bytes that came, in whatever order */
};

struct gpu {
    struct bench *bench;
    const struct gpu_layout *layout;
    struct gpu_options options;
    struct moehub_arithmetic arithmetic;
    struct random_source random;
    uint8_t *memory;
    bool may_send, may_ask;      /* software says so */
    bool floods, flooding;       /* every second row is one of the flood; the last one was */
    uint64_t flood_rows;         /* taken */
    bool arrived;                /* all arrived was told */
    uint32_t rows_taken, rows_stored;
    struct gpu_open_row open[GPU_ROWS_OPEN_MAX];
    unsigned open_count;
    struct gpu_waiting_row waiting[GPU_ROWS_OPEN_MAX]; /* handles are to come, in order */
    unsigned waiting_count;
    struct gpu_gemm gemms[2];    /* of rows of stage 0, and of what became of them */
    uint8_t *tile_told;          /* a tile: how often ready, computed */
    uint8_t *received;           /* a row and local expert: seen */
    uint64_t *visible;           /* a row and local expert: cycle of its tile's ready, 0: none */
    uint64_t *tile_ready, *tile_computed; /* a tile: cycle of its ready, and in which its first GEMM ends */
    struct gpu_token *tokens;
    uint32_t *ready;             /* tokens in the order of their events */
    uint32_t ready_count, ready_asked;
    struct gpu_asked_token asked[GPU_TOKENS_ASKED_MAX];
    unsigned turn;
    struct gpu_reduced reduced[GPU_LINKS_MAX];
    struct gpu_nop_watch nop_watch[GPU_LINKS_MAX];
    struct gpu_counts counts;
    struct gpu_bad_counts bad;
    struct gpu_write_errors write_errors;
    struct gpu_abort abort;
    uint64_t groups_partial; /* asked for, of sums that lack a row */
    uint64_t last_arrived, last_reduced; /* cycles */
};

void gpu_create(struct gpu *gpu, struct bench *bench, const struct gpu_layout *layout, const struct gpu_options *options,
                uint8_t *memory);
void gpu_destroy(struct gpu *gpu);

/* Adds what one has counted. */
void gpu_counts_add(struct gpu_counts *sum, const struct gpu_counts *one);

/* The next item of a stream, in the order of its fields (rtl/doc/hub/hub.md section 3); false: there is none in this cycle. */
bool gpu_next_row(struct gpu *gpu, uint64_t *item);
bool gpu_next_store(struct gpu *gpu, uint64_t *item);
bool gpu_next_reduce(struct gpu *gpu, uint64_t *item);
bool gpu_next_done(struct gpu *gpu, uint64_t *item);

/* Memory answers a read of a row of a sum with an error. */
void gpu_spoil_line(struct gpu *gpu, uint64_t address);
/* Lines of sums of `owner`, or of all GPUs but it, of which this GPU's part is missing. */
uint64_t gpu_spoiled_lines(const struct gpu *gpu, unsigned owner, bool of_others);

/* What came. */
void gpu_take_handle(struct gpu *gpu, const uint64_t *item);
void gpu_take_ready(struct gpu *gpu, const uint64_t *item);
void gpu_take_reduced(struct gpu *gpu, unsigned link, const uint64_t *data, uint64_t user, bool last);

/* What it is among the others. */
static inline bool gpu_silent(const struct gpu *gpu)
{
    return (gpu->options.manners.silent >> gpu->layout->gpu & 1) != 0;
}
static inline bool gpu_idle(const struct gpu *gpu)
{
    return (gpu->options.manners.idle >> gpu->layout->gpu & 1) != 0;
}
static inline bool gpu_flooder(const struct gpu *gpu)
{
    return gpu->options.manners.flooded && gpu->options.manners.gpu == gpu->layout->gpu;
}
static inline bool gpu_aborts(const struct gpu *gpu)
{
    return gpu->options.manners.aborts && gpu->options.manners.gpu == gpu->layout->gpu;
}
/* It has the context of a flood. */
static inline bool gpu_knows_flood(const struct gpu *gpu)
{
    return gpu_flooder(gpu) || gpu->options.manners.flood_unlisted;
}
/* Somewhere in the system a link falls: what is told as whole must be, and anything else may fail. */
static inline bool gpu_loses(const struct gpu *gpu)
{
    return gpu_manners_fall(&gpu->options.manners);
}
/* What flags its context before all has arrived. */
static inline bool gpu_flagged(const struct gpu *gpu)
{
    const struct gpu_manners *manners = &gpu->options.manners;
    return manners->silent != 0 || gpu->write_errors.writes != 0 || gpu_aborts(gpu) || gpu_rows_cut(gpu) ||
           (manners->short_slots != 0 && manners->short_gpu == gpu->layout->gpu);
}
static inline bool gpu_withholds(const struct gpu *gpu, enum gpu_withheld what)
{
    return what != GPU_WITHHELD_NOTHING && gpu->options.manners.withheld == what && gpu->options.manners.gpu == gpu->layout->gpu;
}

/* All rows are stored, or refused behind an abort; all is here and all own work for others is done. Nobody waits for a GPU that
 * is silent or idle. */
static inline bool gpu_stored(const struct gpu *gpu)
{
    return gpu->rows_stored + gpu->abort.rows_refused == gpu_layout_tokens(gpu->layout);
}
bool gpu_served(const struct gpu *gpu);
bool gpu_finished(const struct gpu *gpu);

#endif
