/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub system --packet-level`: a layer packet by packet, and the same beside what the RTL's bench measured. */
#ifndef MOEHUB_CLI_SYSTEM_PACKET_H
#define MOEHUB_CLI_SYSTEM_PACKET_H

#include "moehub/system_packet.h"

#include <jansson.h>

/* Whether the command line asks for it. */
bool system_packet_asked(int argc, char **argv);

/* Returns a status. */
int command_system_packet(int argc, char **argv);

/* The phase of that name: dispatch, combine, fused. Whether there is one. */
bool system_packet_phase(const char *name, enum moehub_system_packet_phase *phase);

/* Runs the cases of `path` (written by `make bench-switch` or `make bench-layer`) that are known here, layers with hubs with
 * `draws` draws of what is random there, and prints both with their errors. Where a layer is in it with several seeds, the mean
 * of their cycles' errors counts: a run in RTL is a draw, too. 0 or an error with a sentence: MOEHUB_E_STATE where a bound is
 * missed, or nothing was compared. */
int system_packet_compare(const struct moehub_system_constants *constants, const char *path, unsigned draws,
                          struct moehub_message *message);

/* How far cycles may be from the RTL's; with hubs the flits of each direction, too: without hubs they are the same. */
#define SYSTEM_PACKET_PLANE_BOUND 0.03
#define SYSTEM_PACKET_LAYER_BOUND 0.02

#define SYSTEM_PACKET_DRAWS 8  /* unless another number is asked for */
#define SYSTEM_PACKET_DRAWS_MAX 1024

/* How far a layer is from the RTL's. */
struct system_packet_error {
    double cycles;  /* of the RTL's, too slow: above 0 */
    double flits;   /* of the direction that is farthest off */
};

/* A table of cases of `make bench-layer`: its head, and a row of it, the mean of so many draws. */
void system_packet_layer_head(void);
int system_packet_layer_compare(const struct moehub_system_constants *constants, const json_t *measured, unsigned draws,
                                struct system_packet_error *off, struct moehub_message *message);

#endif
