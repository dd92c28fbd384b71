/* SPDX-License-Identifier: Apache-2.0 */
/* `moehub system --packet-level`: a layer packet by packet, and the same beside what the RTL's bench measured. */
#ifndef MOEHUB_CLI_SYSTEM_PACKET_H
#define MOEHUB_CLI_SYSTEM_PACKET_H

#include "moehub/system_packet.h"

/* Whether the command line asks for it. */
bool system_packet_asked(int argc, char **argv);

/* Returns a status. */
int command_system_packet(int argc, char **argv);

/* Runs the cases of `path` (written by `make bench-switch`) that are known here, and prints both with their errors. 0 or an
 * error with a sentence: MOEHUB_E_STATE where flits differ, or nothing was compared. */
int system_packet_compare(const struct moehub_system_constants *constants, const char *path, struct moehub_message *message);

#endif
