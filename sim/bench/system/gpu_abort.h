/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU that aborts its context in the middle of its dispatch, when it has stored as many bytes as its seed says and a row in
 * part: rows that it opens from then on are refused, and stores are dropped (rtl/doc/hub/packet_manager.md section 7). While
 * ABORT is on its way it goes on, but ends no row: so there is always one that ABORT meets open.
 *
 * What has left its hub has to come, and nothing else: to the others what crossed its links, to itself what its loop-back's data
 * port wrote. A row of which something has come takes a slot, and its tile is failed unless all has; a token of which nothing
 * has come to an expert is failed by its time-out. */
#ifndef BENCH_GPU_ABORT_H
#define BENCH_GPU_ABORT_H

#include "bench/system/gpu_memory.h"
#include "moehub/link.h"
#include "moehub/packet.h"
#include "moehub/way.h"

enum { GPU_ABORT_LINKS_MAX = 4, GPU_ABORT_GPUS_MAX = 64 };

struct gpu;
struct gpu_store;

/* Where a row's packets go. */
enum gpu_kind { GPU_KIND_UP, GPU_KIND_LOOP, GPU_KINDS };

/* Of the rows of the GPU that aborts, which alone writes it. The others read of a row what has come to them: that left a link's
 * latency before, or more. */
struct gpu_departures {
    uint8_t *bytes[GPU_KINDS];  /* a token and byte: it has left */
    uint32_t *count[GPU_KINDS]; /* a token: bytes of it */
};

enum gpu_abort_state { GPU_ABORT_TO_COME, GPU_ABORT_ON_ITS_WAY, GPU_ABORT_TAKEN };

/* A store packet that crosses a link up. */
struct gpu_departing {
    struct moehub_header header;
    struct moehub_flit enables;
    uint16_t ids[MOEHUB_WAY_TARGETS_MAX];
    unsigned flits; /* that came */
};

struct gpu_abort {
    enum gpu_abort_state state;
    uint64_t bytes_before, bytes_given; /* stored when it comes, at least; so far */
    uint8_t *stored;                    /* a token and byte: given before ABORT was taken */
    uint8_t *opened;                    /* a token */
    uint32_t rows_refused;
    uint64_t stores_behind;             /* given when it was taken: dropped */
    struct gpu_departing departing[GPU_ABORT_LINKS_MAX];
    uint32_t pairs[GPU_ABORT_GPUS_MAX], announced[GPU_ABORT_GPUS_MAX]; /* a GPU: sent to it, and in the close to it */
    unsigned closes[GPU_ABORT_GPUS_MAX];
};

/* What became of its rows. */
struct gpu_abort_rows {
    uint32_t whole, cut, lost, refused; /* all has left; a part, to some expert or to all; nothing; never opened */
};

void gpu_abort_create(struct gpu *gpu);
void gpu_abort_destroy(struct gpu *gpu);

/* ---- of the GPU that aborts ------------------------------------------------------------------------------------ */

/* Now. */
bool gpu_abort_due(const struct gpu *gpu);

/* The store may not be given yet, as it would end its row. */
bool gpu_abort_keeps(const struct gpu *gpu, uint32_t stored, const struct gpu_store *store);

/* It gives a store; it gets a handle of that status, and expected another: false if that cannot be. */
void gpu_abort_gives(struct gpu *gpu, uint32_t token, const struct gpu_store *store);
bool gpu_abort_refuses(struct gpu *gpu, unsigned status);

/* Each flit that its hub sends on a link; each write of a data port that takes effect. */
void gpu_watch_departures(struct gpu *gpu, unsigned link, const struct moehub_link_flit *flit);
void gpu_watch_writes(struct gpu *gpu, unsigned way, const struct memory_access *write);

/* When all has ended: each other GPU got one close, with the pairs that were sent to it. */
void gpu_abort_check_closes(const struct gpu *gpu);

struct gpu_abort_rows gpu_abort_rows(const struct gpu *gpu);
/* Stores that the hub must have dropped, and may have: no byte of them has left. */
void gpu_abort_drops(const struct gpu *gpu, uint64_t *least, uint64_t *most);

/* Tokens that are told in the end; notifies of them that come; that one may only be told by its time-out. */
uint32_t gpu_tokens_coming(const struct gpu *gpu);
uint64_t gpu_notifies_coming(const struct gpu *gpu);
bool gpu_token_lost(const struct gpu *gpu, uint32_t token);

/* ---- of all, once all has arrived, or of rows that have -------------------------------------------------------- */

/* Rows that come to a local expert; to all of them. */
uint32_t gpu_rows_coming(const struct gpu *gpu, unsigned expert);
uint64_t gpu_all_rows_coming(const struct gpu *gpu);

/* Whether a byte of a row (as the layer numbers it) comes; just a part of some row does; of a row in that tile. */
bool gpu_byte_comes(const struct gpu *gpu, uint32_t row, uint32_t byte);
bool gpu_rows_cut(const struct gpu *gpu);
bool gpu_tile_cut(const struct gpu *gpu, unsigned expert, uint32_t tile, uint32_t rows);

#endif
