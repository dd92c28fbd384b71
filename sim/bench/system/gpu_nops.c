/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_nops.h"

#include "bench/system/gpu.h"

#include <inttypes.h>

bool gpu_is_nop(const struct gpu *gpu, uint32_t row_index, uint32_t number)
{
    const uint64_t row = random_hash(gpu->bench->random_seed, row_index);
    return gpu->options.nops != 0 && random_hash(row, number) % gpu->options.nops == 0;
}

static bool is_enabled(const struct moehub_flit *enables, uint32_t byte)
{
    return (enables->half[byte / 64] >> byte % 64 & 1) != 0;
}

/* Whether a byte of the store is in the packet. `enables` NULL: all bytes of the packet are there. */
static bool is_in(const struct gpu *gpu, const struct gpu_store *store, const struct moehub_header *header,
                  const struct moehub_flit *enables)
{
    const uint32_t end = (uint32_t)header->offset + header->length;
    for (uint32_t i = 0; i < store->bytes; i++) {
        const uint32_t byte = store->offset + i;
        if (byte >= header->offset && byte < end && (enables == NULL || is_enabled(enables, byte - header->offset)) &&
            gpu_store_has(gpu, store, i))
            return true;
    }
    return false;
}

/* Of the stores that are in the packet, that which was given first. */
static uint32_t first_store(const struct gpu *gpu, const struct moehub_header *header, const struct moehub_flit *enables)
{
    for (uint32_t n = 0; n < gpu_stores_of_row(gpu); n++) {
        const struct gpu_store store = gpu_store_of(gpu, header->row_index, n);
        if (is_in(gpu, &store, header, enables))
            return store.number;
    }
    bench_fail(gpu->bench, BENCH_MISMATCH, "GPU %u: a store packet of row 0x%" PRIx32 " has no byte that was stored: offset %u",
               gpu->layout->gpu, header->row_index, header->offset);
}

static void check(struct gpu *gpu, const struct moehub_header *header, const struct moehub_flit *enables)
{
    const uint32_t number = first_store(gpu, header, enables);
    const bool nop = gpu_is_nop(gpu, header->row_index, number);
    if (header->nop != nop)
        bench_fail(gpu->bench, BENCH_MISMATCH,
                   "GPU %u: a packet of row 0x%" PRIx32 ", offset %u, has NOP %d, and its first store, the row's %" PRIu32
                   "., has %d",
                   gpu->layout->gpu, header->row_index, header->offset, header->nop, number, nop);
    gpu->counts.nop_packets += nop;
}

void gpu_watch_nops(struct gpu *gpu, unsigned link, const struct moehub_link_flit *flit)
{
    struct gpu_nop_watch *watch = &gpu->nop_watch[link];
    if (!flit->valid || flit->packet_class != MOEHUB_CLASS_STORE)
        return;
    if (flit->first) {
        watch->header = moehub_header_unpack(flit->data);
        watch->flits = 0;
    }
    const struct moehub_header *header = &watch->header;
    const unsigned place = watch->flits++, enables = 1 + moehub_header_target_flits(header);
    if (place == (header->byte_enables ? enables : 0))
        check(gpu, header, header->byte_enables ? &flit->data : NULL);
}
