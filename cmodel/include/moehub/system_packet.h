/* SPDX-License-Identifier: Apache-2.0 */
/* The packet level of the system model: one MoE layer through links, switch planes and credits, packet by packet.
 *
 *   GPU --uplink--> places of a port --crossbar--> egress --downlink--> GPU
 *                     |  requests: a group of reduction entries, then a copy to each GPU of the row
 *                     |  partials: crossbar to the requester's reduction buffer, a result when the last has come
 *
 * - A link carries one flit a cycle in each direction; a packet starts with credits for all of it.
 * - A line of a row is a store of a header, 8 flits of data, and a flit for each 8 targets. A copy has its GPU's targets
 *   alone, in the header where there are at most 3. A request asks for up to `plane_request_lines` lines and has no data.
 * - An egress sends requests before results before stores, each with a bound on how many packets may go before it.
 * - An ideal plane has output queues without end instead of crossbars: what has come to an input is at all its outputs, and its
 *   places are free; a reduction buffer takes a flit a cycle. It is what a simulator without crossbars has, and the bound of
 *   what any crossbar reaches.
 * - Each GPU has a link to each plane; a row takes the link of its GPU with the least to send. Planes share nothing without hubs.
 * - Without hubs all sources have all their packets ready in cycle 0. GPUs answer requests `plane_answer_latency` cycles after
 *   they come.
 * - With hubs a GPU stores rows side by side into line buffers, and whole lines leave, lowest row first, by link and loop-back.
 *   Questions pass the AL-TLB's model, writes and reads a memory with latencies of its own, tiles become ready, take two GEMMs,
 *   owners are told, and ask for sums with groups of their own. So a combine alone has its dispatch before it, which is not
 *   counted. Notifies and closes cross the links, too.
 * - A hub's links share its rows, address path, tracker and reduces; ways in, requests, partials and sums are each link's own. A
 *   row takes the link with the fewest open rows, a request the next one with a free group, a notice that of its target's number.
 * - Not modelled: lines that leave before they are whole, rounds that follow one another, errors, time-outs.
 *
 * Constants are those of home MOEHUB_SYSTEM_PACKET (system_constants.h, cmodel/machines/rtl.packet), with hubs MOEHUB_SYSTEM_HUB,
 * too (rtl.hub). Time is in cycles of a flit. The same arguments give the same result. Cost: a fixed
 * number of steps for each packet on each hop; memory is taken before the first cycle. */
#ifndef MOEHUB_SYSTEM_PACKET_H
#define MOEHUB_SYSTEM_PACKET_H

#include "moehub/layer.h"
#include "moehub/system_constants.h"

#define MOEHUB_SYSTEM_PACKET_GPUS_MAX 64
#define MOEHUB_SYSTEM_PACKET_PLANES_MAX 64
#define MOEHUB_SYSTEM_PACKET_LINKS_MAX 4    /* planes of hubs: links of one */
#define MOEHUB_SYSTEM_PACKET_ROWS_IN_TURN_MAX 100000
#define MOEHUB_SYSTEM_PACKET_LINES_MAX 128  /* of a row: copies of lines behind could not be compact */

enum moehub_system_packet_phase {
    MOEHUB_SYSTEM_PACKET_DISPATCH,
    MOEHUB_SYSTEM_PACKET_COMBINE,
    MOEHUB_SYSTEM_PACKET_FUSED
};

struct moehub_system_packet_options {
    enum moehub_system_packet_phase phase;
    uint32_t dispatch_lines;  /* lines of 128 B of a dispatched row: 1..128 */
    uint32_t combine_lines;   /* of a combined row: 1..128 */
    uint32_t rows_in_turn;    /* rows of which a GPU without a hub sends a line each in turn: 0 (as 1) .. 100000; with hubs 0 */
    unsigned planes;          /* 1..64: links of a GPU; with hubs 1..4 */
    bool hubs;                /* hubs, and what GPUs do, are modelled; their constants (home HUB) are read */
    bool ideal_plane;         /* output queues in place of crossbars */
    uint32_t draw;            /* of what is random with hubs, latencies of memory and the row whose store is next: which draw */
    const uint32_t *asked;    /* combine with hubs: of each GPU all its tokens, [layer's tokens of a GPU], in the order in which
                               * their sums are asked for; NULL: in that in which they became ready here */
};

/* What crossed one direction of all links of a GPU, by class (MOEHUB_CLASS_*). */
struct moehub_system_packet_counts {
    uint64_t flits[3];
    uint64_t packets[3];
};

struct moehub_system_packet_result {
    uint64_t cycles;         /* to that after the last flit has left its switch; with hubs to all arrived, or to the last sum */
    uint64_t ideal_cycles;   /* flits of the busiest direction of a link, from the layer alone; with hubs over a GPU's links */
    uint64_t busiest_flits;  /* the same, counted while it ran */
    uint64_t fullest_flits;  /* of the fullest direction of one link: with hubs of several links more than their mean, as a row
                              * takes one of them */
    unsigned busiest_gpu;
    bool busiest_down;       /* from the switch */
    double payload;          /* share of data in the busiest direction's flits */
    uint64_t events;         /* packets that finished on a link or at a plane's output, those that are not counted, too */
    uint64_t lookups, misses;  /* of the AL-TLBs of all hubs */
    struct moehub_system_packet_counts up[MOEHUB_SYSTEM_PACKET_GPUS_MAX];
    struct moehub_system_packet_counts down[MOEHUB_SYSTEM_PACKET_GPUS_MAX];
};

/* Runs a layer of 2..64 GPUs and top-k of at most 32. 0; MOEHUB_E_ARGUMENT with a sentence for an argument out of range, places
 * or line buffers that do not hold what they must; MOEHUB_E_MEMORY; MOEHUB_E_STATE when the run contradicts itself: packets are
 * left and nothing moves, flits are lost, or the layer was faster than its busiest link allows (an error of the model). */
int moehub_system_packet_run(const struct moehub_system_constants *constants, const struct moehub_layer *layer,
                             const struct moehub_system_packet_options *options, struct moehub_system_packet_result *result,
                             struct moehub_message *message);

#endif
