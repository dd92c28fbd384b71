/* SPDX-License-Identifier: Apache-2.0 */
/* An AXI4 slave memory for one-beat accesses (pins <prefix>_awvalid ... <prefix>_rready), sparse over the whole address space.
 *
 * Latency from acceptance of the address (of address and data for a write) to the response is drawn from
 * latency_minimum .. latency_maximum for each access; responses of one id stay in order, those of different ids overtake each
 * other as their latencies say. A write takes effect, and a read looks, in the cycle in which the response is first offered.
 * Contents start random (a function of seed and address) unless `zero`.
 *
 * Checked on the master, a violation ends the run as a mismatch:
 *   A1 AW, W, AR: valid not withdrawn, payload stable while stalled, low in reset and in the cycle after it
 *   A2 one beat: len 0, wlast 1; burst INCR or FIXED; size not above the data width; address aligned to size
 *   A3 no access crosses 4 KB (follows from A2 for one beat, checked all the same)
 *   A4 strobes only inside the lanes that address and size select
 *   A5 an entry (4 bytes) is not read while a write of it is unanswered, nor written while a read of it is
 *   A6 no more accesses outstanding per direction than AXI_MEMORY_OUTSTANDING
 *   A7 in range: where `limit` is not 0, base <= address < limit */
#ifndef KIT_AXI_MEMORY_H
#define KIT_AXI_MEMORY_H

#include "kit/bench.h"
#include "kit/stream.h"

enum { AXI_OKAY = 0, AXI_EXOKAY = 1, AXI_SLVERR = 2, AXI_DECERR = 3 };
enum { AXI_MEMORY_OUTSTANDING = 1024, AXI_MEMORY_LATENCY_MAX = 4095 };

/* The response for an access: AXI_OKAY, or an error. A write that gets an error changes nothing; a read that gets one
 * returns random data. Must be a function of its arguments (the model asks again); NULL: always AXI_OKAY. */
typedef unsigned axi_memory_response(void *context, uint64_t address, bool is_write);

struct axi_memory_options {
    unsigned latency_minimum; /* 1 .. AXI_MEMORY_LATENCY_MAX */
    unsigned latency_maximum;
    enum stall_kind stall;    /* of every channel, each with its own draws */
    bool zero;                /* contents start as 0 instead of random */
    uint64_t base, limit;     /* A7; limit 0: no check */
    axi_memory_response *response;
    void *response_context;
};

struct axi_memory;

/* `prefix` as in "m_axi". Sizes come from the pins. Ends the program with status 2 when a pin is missing. */
struct axi_memory *axi_memory_create(struct bench *bench, const char *prefix, const struct axi_memory_options *options);
void axi_memory_destroy(struct axi_memory *memory);

/* Steps 1 and 3 of the cycle. */
void axi_memory_drive(struct axi_memory *memory);
void axi_memory_sample(struct axi_memory *memory);

/* Changes latency, stalls or error injection while running (accepted accesses keep theirs). */
struct axi_memory_options *axi_memory_options(struct axi_memory *memory);

/* The image, without time: for loading, clearing and comparing. Address a multiple of 4. */
uint32_t axi_memory_read(struct axi_memory *memory, uint64_t address);
void axi_memory_write(struct axi_memory *memory, uint64_t address, uint32_t value);
/* What a never-written entry holds: the model starts from the same. */
uint32_t axi_memory_initial(const struct axi_memory *memory, uint64_t address);

/* Accepted and unanswered accesses; 0 in a quiet design. */
unsigned axi_memory_outstanding(const struct axi_memory *memory);

/* The n-th access of a direction, counted from creation, and all before it, are answered, for the largest such n; what a reset
 * drops counts as answered. */
uint64_t axi_memory_reads_done(const struct axi_memory *memory);
uint64_t axi_memory_writes_done(const struct axi_memory *memory);

struct axi_memory_counts {
    uint64_t reads, writes; /* answered */
    uint64_t overtakes;     /* responses that left before an older access of another id */
    unsigned reads_peak, writes_peak; /* outstanding at once */
};
struct axi_memory_counts axi_memory_counts(const struct axi_memory *memory);

#endif
