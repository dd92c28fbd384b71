/* SPDX-License-Identifier: Apache-2.0 */
/* The constants of the system model: one list, each with unit, range and home, and the reader of the files that hold them.
 *
 * A line of a file is `name value unit class source...`; # starts a comment. A machine file holds all constants of the
 * machine and no others, an assumption file all assumptions and no others. `range name low high unit class source...` says
 * between which values a constant may well lie; it may be left out. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_CONSTANTS_H
#define MOEHUB_SYSTEM_CONSTANTS_H

#include "moehub/error.h"

#include <stdio.h>

/* X(name, home, unit, lowest, highest, what it is) */
#define MOEHUB_SYSTEM_CONSTANTS(X)                                                                                      \
    X(gpus, MACHINE, "1", 2, 1024, "GPUs of the domain")                                                                \
    X(links, MACHINE, "1", 1, 64, "links of a GPU")                                                                     \
    X(link_rate, MACHINE, "B/s", 1e9, 1e13, "raw rate of all links of a GPU, one direction")                            \
    X(sms, MACHINE, "1", 1, 4096, "streaming multiprocessors of a GPU")                                                 \
    X(fp8_peak, MACHINE, "FLOP/s", 1e12, 1e17, "dense FP8 peak of a GPU")                                               \
    X(bf16_peak, MACHINE, "FLOP/s", 1e12, 1e17, "dense bf16 peak of a GPU")                                             \
    X(hbm_rate, MACHINE, "B/s", 1e11, 1e14, "memory rate of a GPU")                                                     \
    X(hop_latency, MACHINE, "s", 0, 1e-3, "latency of one hop, GPU to switch or back")                                  \
    X(flit_bytes, ASSUMPTION, "B", 1, 256, "bytes of a flit")                                                           \
    X(packet_bytes, ASSUMPTION, "B", 16, 4096, "payload of a full packet")                                              \
    X(packet_flits, ASSUMPTION, "1", 1, 300, "flits of a full packet on the link")                                      \
    X(request_flits, ASSUMPTION, "1", 0, 16, "flits of a read request")                                                 \
    X(request_packets, ASSUMPTION, "1", 1, 1024, "packets that a read request covers")                                  \
    X(list_flits, ASSUMPTION, "1", 0, 16, "flits of a multicast packet's target list, to the switch")                    \
    X(copy_list_flits, ASSUMPTION, "1", 0, 16, "the same of its copies, from the switch")                               \
    X(unmerged_payload, ASSUMPTION, "B", 1, 4096, "payload of a packet where no packet manager merges stores")          \
    X(combine_element_bytes, ASSUMPTION, "B", 1, 4, "bytes of an element of a partial sum on the link")                 \
    X(gemm_efficiency, ASSUMPTION, "1", 0.01, 4, "rate of the GEMM's inner loop over the peak")                         \
    X(gemm_launch, ASSUMPTION, "s", 0, 1e-3, "start of a kernel")                                                       \
    X(gemm_tile_overhead, ASSUMPTION, "1", 0, 1e5, "prologue and epilogue of a tile, in elements of k")                 \
    X(gemm_weights_exposed, ASSUMPTION, "1", 0, 1, "share of the time to read the weights that no product hides")           \
    X(expert_matrices, ASSUMPTION, "1", 2, 3, "matrices of an expert: 3 with a gate, 2 without")                        \
    X(software_efficiency, ASSUMPTION, "1", 0.01, 1, "a dispatch library's share of the framed link")                   \
    X(regular_efficiency, ASSUMPTION, "1", 0.01, 1, "the same of regular copies by software: gathers inside of GEMMs")  \
    X(hardware_packets, ASSUMPTION, "1", 0, 1, "1: hardware_* are of what slices of the layer reach by packets")         \
    X(hardware_dispatch, ASSUMPTION, "1", 0.01, 1, "the hardware's share of the framed link in dispatch")               \
    X(hardware_combine, ASSUMPTION, "1", 0.01, 1, "the same in combine")                                                \
    X(hardware_fused, ASSUMPTION, "1", 0.01, 1, "the same where dispatch and combine share the links")                  \
    X(reduction_entries, ASSUMPTION, "1", 8, 4096, "lines that a switch port's reduction buffer of 64 KB holds")        \
    X(tlb_links, ASSUMPTION, "1", 1, 64, "links of a GPU that share an AL-TLB of 512 entries")                          \
    X(dispatch_start, ASSUMPTION, "s", 0, 1e-2, "a dispatch library's time for one token")                              \
    X(combine_start, ASSUMPTION, "s", 0, 1e-2, "a combine library's time for one token")                                \
    X(onesided_efficiency, ASSUMPTION, "1", 0.01, 1, "a one-sided all-to-all's share of the framed link")               \
    X(onesided_dispatch_start, ASSUMPTION, "s", 0, 1e-2, "its dispatch of one token")                                   \
    X(onesided_combine_start, ASSUMPTION, "s", 0, 1e-2, "its combine of one token")                                     \
    X(nvls_start, ASSUMPTION, "s", 0, 1e-2, "an all-reduce of 1 KB in the switch")                                      \
    X(nvls_small_rate, ASSUMPTION, "B/s", 1e6, 1e13, "bytes of the buffer a second beyond that, up to 64 KB")           \
    X(mediation, ASSUMPTION, "s", 0, 1e-1, "count exchange and host read-back at 8192 tokens")                          \
    X(mediation_least, ASSUMPTION, "s", 0, 1e-1, "the same for a few tokens")                                           \
    X(software_sms, ASSUMPTION, "1", 0, 1024, "SMs that a software scheme takes for both ways together")                \
    X(hardware_sms, ASSUMPTION, "1", 0, 1024, "the same of the hardware's schemes whose kernels are apart")             \
    X(sm_rate, ASSUMPTION, "B/s", 1e8, 1e13, "rows that an SM sends, or takes in, where dispatch and combine have groups") \
    X(load_variation, ASSUMPTION, "1", 0, 4, "coefficient of variation of the experts' load")                           \
    X(hidden_fastermoe, ASSUMPTION, "1", 0, 1, "share of its communication that FasterMoE hides")                       \
    X(hidden_tutel, ASSUMPTION, "1", 0, 1, "the same of Tutel")                                                         \
    X(hidden_ccfuser, ASSUMPTION, "1", 0, 1, "the same of CCFuser")                                                     \
    X(hidden_comet, ASSUMPTION, "1", 0, 1, "the same of COMET")                                                         \
    X(attention_efficiency, ASSUMPTION, "1", 0.01, 1, "rate of attention and its projections over the bf16 peak")       \
    X(rest_passes, ASSUMPTION, "1", 0, 1000, "times that norms, router, activations read or write a token's row")

/* The same of the packet level (system_packet.h): after the others, and in no set of assumptions. */
#define MOEHUB_SYSTEM_PACKET_CONSTANTS(X)                                                                               \
    X(plane_places_store, PACKET, "flit", 14, 8191, "places of a switch port for stores")                               \
    X(plane_places_request, PACKET, "flit", 5, 8191, "the same for requests")                                           \
    X(plane_places_response, PACKET, "flit", 9, 8191, "the same for responses")                                         \
    X(plane_gpu_places, PACKET, "flit", 14, 8191, "places of a GPU, of each class")                                     \
    X(plane_groups, PACKET, "1", 1, 4096, "groups of reduction entries of a port")                                      \
    X(plane_request_lines, PACKET, "1", 1, 8, "lines of a request, at most")                                            \
    X(plane_overtake_bound, PACKET, "packet", 1, 255, "packets of other classes that leave before a response or store") \
    X(plane_slots, PACKET, "packet", 2, 16, "copies of stores in an output's buffer")                                   \
    X(plane_request_slots, PACKET, "packet", 2, 16, "the same of requests")                                             \
    X(plane_ahead, PACKET, "cycle", 3, 7, "that an output grants ahead")                                                \
    X(plane_ahead_response, PACKET, "cycle", 3, 9, "the same of an output of responses")                                \
    X(plane_rows_in_flight, PACKET, "row", 1, 100000, "rows that a GPU asks for in turn")                               \
    X(plane_loop, PACKET, "cycle", 0, 65536, "a link, there and back")                                                  \
    X(plane_copy_latency, PACKET, "cycle", 0, 1024, "last flit of a store in to first flit of a copy out")              \
    X(plane_request_latency, PACKET, "cycle", 0, 1024, "last flit of a request in to first flit of a copy out")         \
    X(plane_sum_latency, PACKET, "cycle", 0, 1024, "last flit of the last partial in to first flit of the result out, " \
      "but plane_notice_latency and the partial's own cycles")                                                          \
    X(plane_notice_latency, PACKET, "cycle", 0, 1024, "close or notify in to out, but its own cycle")                   \
    X(plane_answer_latency, PACKET, "cycle", 0, 65536, "request at a GPU to its partials; hubs have their own")

/* The same of the hubs and of the GPUs at them, for a packet level with hubs. Latencies are without memory and without a GEMM. */
#define MOEHUB_SYSTEM_HUB_CONSTANTS(X)                                                                                  \
    X(hub_places_store, HUB, "flit", 14, 8191, "places of a link for stores")                                           \
    X(hub_places_request, HUB, "flit", 5, 8191, "the same for requests")                                                \
    X(hub_places_response, HUB, "flit", 17, 8191, "the same for responses")                                             \
    X(hub_loop_places, HUB, "flit", 17, 8191, "places of the loop-back, of each class")                                 \
    X(hub_loop_share, HUB, "1", 1, 8, "the loop-back has answers, writes, read lines of a link over this")              \
    X(hub_sets, HUB, "1", 1, 4096, "sets of the AL-TLB")                                                                \
    X(hub_ways, HUB, "1", 1, 8, "ways of a set")                                                                        \
    X(hub_replacement, HUB, "1", 0, 1, "0 tree pseudo-LRU, 1 FIFO")                                                     \
    X(hub_pending, HUB, "1", 1, 256, "table operations in flight")                                                      \
    X(hub_waiting, HUB, "1", 2, 4096, "questions that wait for an answer in the address path")                          \
    X(hub_answers, HUB, "1", 1, 1024, "a way's questions of stores, asked and not used up")                             \
    X(hub_request_answers, HUB, "1", 1, 1024, "the same of requests")                                                   \
    X(hub_writes, HUB, "1", 2, 1024, "a way's writes that memory has not answered")                                     \
    X(hub_read_lines, HUB, "1", 1, 1024, "lines of a way that are read and not summed")                                 \
    X(hub_lane_bytes, HUB, "B", 16, 32, "bytes that a way sums in a cycle")                                             \
    X(hub_partial_rows, HUB, "flit", 9, 256, "partials that wait for a link")                                           \
    X(hub_rows, HUB, "row", 1, 64, "rows that the packet manager has")                                                  \
    X(hub_lines, HUB, "1", 1, 4096, "its line buffers")                                                                 \
    X(hub_store_bytes, HUB, "B", 16, 128, "bytes of a store")                                                           \
    X(hub_reduces, HUB, "1", 1, 64, "reduces whose target lists are read at once")                                      \
    X(hub_final_groups, HUB, "1", 1, 4096, "groups of own sums")                                                        \
    X(hub_local_experts, HUB, "1", 1, 256, "regions of a context: the sweep at its end looks at each")                  \
    X(hub_row_latency, HUB, "cycle", 0, 4096, "GPU may send, to the first flit of its first line, without its list")    \
    X(hub_open_latency, HUB, "cycle", 0, 4096, "a row to its first store, without its list")                            \
    X(hub_row_cycles, HUB, "cycle", 1, 4096, "a row that opens after another, where lists are short")                    \
    X(hub_write_latency, HUB, "cycle", 0, 4096, "last flit of a store in to its tile's ready event")                    \
    X(hub_arrive_latency, HUB, "cycle", 0, 4096, "a full last tile's ready event to all arrived, but for the sweep")     \
    X(hub_ready_cycles, HUB, "cycle", 1, 4096, "a ready event of a tile after another")                                 \
    X(hub_tell_latency, HUB, "cycle", 0, 4096, "tile's ready event to the first notify out")                            \
    X(hub_token_latency, HUB, "cycle", 0, 4096, "last notify in to the token's ready event")                            \
    X(hub_ask_latency, HUB, "cycle", 0, 4096, "token's ready event to the first flit of its first request")             \
    X(hub_ask_cycles, HUB, "cycle", 1, 4096, "a request after another, where lists are short")                          \
    X(hub_group_latency, HUB, "cycle", 0, 4096, "a group that is free to the first flit of the request that takes it")  \
    X(hub_answer_latency, HUB, "cycle", 0, 4096, "request in to the first flit of its first partial")                   \
    X(hub_final_latency, HUB, "cycle", 0, 4096, "result read from its places to the first flit of the sum")             \
    X(gpu_rows_open, HUB, "row", 1, 64, "rows that a GPU stores side by side")                                          \
    X(gpu_window, HUB, "1", 1, 1024, "stores of a row that come in any order")                                          \
    X(gpu_tokens_asked, HUB, "row", 1, 64, "tokens whose sums a GPU asks for in turn")                                  \
    X(gpu_tile_shift, HUB, "1", 0, 12, "a tile has two to that many rows")                                              \
    X(gpu_gemm, HUB, "cycle", 1, 65536, "a GEMM of a tile")                                                             \
    X(gpu_memory_least, HUB, "cycle", 1, 4000, "least latency of memory")                                               \
    X(gpu_memory_most, HUB, "cycle", 1, 4000, "most of it")

enum moehub_system_constant {
#define MOEHUB_SYSTEM_ENUM(name, home, unit, lowest, highest, what) MOEHUB_SYSTEM_##name,
    MOEHUB_SYSTEM_CONSTANTS(MOEHUB_SYSTEM_ENUM)
    MOEHUB_SYSTEM_LAYER_COUNT,  /* of the machine and the assumptions */
    MOEHUB_SYSTEM_BEFORE_PACKET = MOEHUB_SYSTEM_LAYER_COUNT - 1,
    MOEHUB_SYSTEM_PACKET_CONSTANTS(MOEHUB_SYSTEM_ENUM)
    MOEHUB_SYSTEM_PLANE_COUNT,  /* and of the planes */
    MOEHUB_SYSTEM_BEFORE_HUB = MOEHUB_SYSTEM_PLANE_COUNT - 1,
    MOEHUB_SYSTEM_HUB_CONSTANTS(MOEHUB_SYSTEM_ENUM)
#undef MOEHUB_SYSTEM_ENUM
    MOEHUB_SYSTEM_COUNT
};

/* Which kind of file holds a constant. */
enum moehub_system_home { MOEHUB_SYSTEM_MACHINE, MOEHUB_SYSTEM_ASSUMPTION, MOEHUB_SYSTEM_PACKET, MOEHUB_SYSTEM_HUB };

enum moehub_system_evidence {
    MOEHUB_SYSTEM_UNSET,
    MOEHUB_SYSTEM_MEASURED,
    MOEHUB_SYSTEM_PUBLISHED,
    MOEHUB_SYSTEM_RTL,
    MOEHUB_SYSTEM_ASSUMED,
    MOEHUB_SYSTEM_USER  /* given by --set */
};

#define MOEHUB_SYSTEM_SOURCE_BYTES 160

struct moehub_system_entry {
    double value;
    enum moehub_system_evidence evidence;
    char source[MOEHUB_SYSTEM_SOURCE_BYTES];
};

/* Between which values a constant may well lie, ends included; low is high where there is no doubt. */
struct moehub_system_range {
    double low, high;
    enum moehub_system_evidence evidence;  /* MOEHUB_SYSTEM_UNSET: the file has none */
    char source[MOEHUB_SYSTEM_SOURCE_BYTES];
};

struct moehub_system_shares;

/* A machine under a set of assumptions. Starts as all zero: nothing is set. */
struct moehub_system_constants {
    struct moehub_system_entry entries[MOEHUB_SYSTEM_COUNT];
    struct moehub_system_range ranges[MOEHUB_SYSTEM_COUNT];
    struct moehub_system_shares *shares;  /* what slices have been measured (system_shares.h), or NULL; the caller's */
};

struct moehub_system_constant_facts {
    const char *name;
    enum moehub_system_home home;
    const char *unit;
    double lowest, highest;
    const char *what;
};

const struct moehub_system_constant_facts *moehub_system_facts(enum moehub_system_constant constant);

/* "measured", "published", "rtl", "assumed", "user", "unset". */
const char *moehub_system_evidence_name(enum moehub_system_evidence evidence);

/* Reads all constants of one home. MOEHUB_E_FORMAT with "name:line: ..." for anything that the format does not allow. */
int moehub_system_read(struct moehub_system_constants *constants, enum moehub_system_home home, FILE *file, const char *name,
                       struct moehub_message *message);

/* The same from a path; MOEHUB_E_FILE if it cannot be opened. */
int moehub_system_read_path(struct moehub_system_constants *constants, enum moehub_system_home home, const char *path,
                            struct moehub_message *message);

/* Takes "name=value" of a user. MOEHUB_E_ARGUMENT with a sentence if there is no such name or the value is out of range. */
int moehub_system_set(struct moehub_system_constants *constants, const char *assignment, struct moehub_message *message);

/* A constant's value; its home must have been read. */
static inline double moehub_system_value(const struct moehub_system_constants *constants, enum moehub_system_constant constant)
{
    return constants->entries[constant].value;
}

#endif
