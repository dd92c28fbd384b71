/* SPDX-License-Identifier: Apache-2.0 */
/* What arithmetic alone says about a layer: copies, traffic, bounds. No time and no constants of a machine.
 * Formulas: cmodel/doc/system.md. Every function expects the ranges that it names. */
#ifndef MOEHUB_SYSTEM_BOUNDS_H
#define MOEHUB_SYSTEM_BOUNDS_H

/* Chance that none of `topk` different experts, drawn uniformly of `experts`, is among the `here` ones of a GPU. */
double moehub_system_chance_of_none(unsigned experts, unsigned here, unsigned topk);

/* Remote GPUs that a token goes to, on average: `experts` in equal blocks on `gpus`, top-`topk` drawn uniformly, all
 * different. gpus >= 2 divides experts, 1 <= topk <= experts. */
double moehub_system_copies(unsigned experts, unsigned gpus, unsigned topk);

/* The same where every token's experts lie on as many different GPUs as they can, each GPU as often as any other. */
double moehub_system_spread_copies(unsigned gpus, unsigned topk);

/* Copies of an all-gather that nobody wants, over those that are wanted; copies > 0. */
double moehub_system_useless_share(unsigned gpus, double copies);

/* 1 - (1 + d) / (2 d): what multicast and reduction in the switch save of both directions' bytes; copies >= 1. */
double moehub_system_traffic_cut(double copies);

/* The most that fusing dispatch with combine gains over unicast. `ratio`: bytes of a combine row over a dispatch row;
 * `hot`: load of the fullest receiver over the mean. (1 + r) h d / (1 + r h d), 2 d / (1 + d) for 1 and 1. */
double moehub_system_fused_bound(double copies, double ratio, double hot);

/* Flits in the busier direction of a GPU's links for each token and packet of a row, dispatch and combine, uniform loads: one
 * copy for each of `copies` GPUs, packets of `packet` flits. */
double moehub_system_unicast_flits(double copies, double packet);

/* The same in the switch with both phases at once: `list` more flits on a packet to the switch, `copy_list` on its copies,
 * `request` flits for each packet that a responder is asked for. */
double moehub_system_fused_flits(double copies, double packet, double list, double copy_list, double request);

/* Share by which the fullest of all links is above the mean, expected, where each GPU receives `rows` rows, each on one of its
 * `links` links by a hash. */
double moehub_system_hash_excess(double rows, unsigned links, unsigned gpus);

/* Payload over all flits of a packet: header, lists of eight 16-bit targets, 8 of payload. 1 <= targets. */
double moehub_system_payload_share(unsigned targets);

/* The same with an address of so many bits for each target, the first of them in the header; packed, not in whole flits. */
double moehub_system_payload_share_of_addresses(unsigned targets, unsigned bits);

#endif
