/* SPDX-License-Identifier: Apache-2.0 */
/* What the packet level says of the papers' claims about parts: pure communication, the AL-TLB, the reduction buffer.
 *
 * The layer is DeepSeek-V3's on the machine's GPUs: MOEHUB_SYSTEM_FIGURE_ROWS rows of each GPU on one link where there are no
 * hubs, else MOEHUB_SYSTEM_FIGURE_HUB_ROWS on each of the links that share an AL-TLB, at most as many as a hub has here. Hubs and
 * switch are the RTL's, with what the set says of them: reduction_entries of a port, tlb_links that share an AL-TLB (of more
 * links than a hub has, these have their part of it), and, under hardware_packets = 0, requests of request_packets lines.
 * Method: cmodel/doc/system.md, "Claims about parts". */
#ifndef MOEHUB_SYSTEM_FIGURES_H
#define MOEHUB_SYSTEM_FIGURES_H

#include "moehub/system_packet.h"

enum { MOEHUB_SYSTEM_FIGURE_ROWS = 64, MOEHUB_SYSTEM_FIGURE_HUB_ROWS = 32 };

struct moehub_system_figures {
    double communication;      /* ideal over real cycles of dispatch and then combine, with hubs */
    double dispatch, combine;  /* the same of each */
    double combine_endless;    /* of combine with an AL-TLB without end */
    double hits, hits_endless; /* hit rates of dispatch and combine: the set's AL-TLB, one without end */
    double hits_stores;        /* of dispatch alone, the set's AL-TLB */
    double buffer;             /* combine's time with far more reduction entries over that with the set's; links alone */
    double buffer_fused;       /* the same of both ways at once */
};

/* `constants` has a machine, a set, plane and hubs. 0 or an error with a sentence. Seven runs of the packet level. */
int moehub_system_figures_run(const struct moehub_system_constants *constants, struct moehub_system_figures *figures,
                              struct moehub_message *message);

#endif
