/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a plane of the switch over AXI4-Lite: sets PORT_TIMEOUT of each port; when the system says that a round is
 * over it reads all ports' counters and revives the ports that are down. */
#ifndef BENCH_PLANE_PROGRAM_H
#define BENCH_PLANE_PROGRAM_H

/* A software_program; `user` is the struct system_plane. */
void plane_program(void *user);

#endif
