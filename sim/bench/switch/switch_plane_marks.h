/* SPDX-License-Identifier: Apache-2.0 */
/* How full a port ever was (HIGH_WATER, rtl/doc/plane/switch.md section 8), from what crosses its links: bounds, which meet where
 * nothing comes free while it fills, and lie the flits of some cycles apart where it does. */
#ifndef BENCH_SWITCH_PLANE_MARKS_H
#define BENCH_SWITCH_PLANE_MARKS_H

#include "moehub/switch_plane.h"

struct plane_bounds {
    uint64_t least, most;
};

/* Places of a class. The store shows a flit as taken two cycles after it was on the wires. What it shows as free is on the wires
 * as credits two to four cycles later: the classes take turns (rtl/doc/plane/link.md section 2). */
enum { PLACE_TAKEN = 2, GRANT_SOONEST = 2, GRANT_LATEST = 4, PLACES_SEEN = PLACE_TAKEN + GRANT_LATEST + 1 };

struct plane_places {
    uint64_t base;                 /* at most in use when the link rose */
    uint64_t stored[PLACES_SEEN];  /* flits that took one since then: up to now, and up to so many cycles ago */
    bool settled;                  /* all that was free when the link rose has been granted */
    struct plane_bounds mark;
};

struct plane_marks {
    struct plane_places places[MOEHUB_CLASSES];
    struct plane_bounds records;   /* of the multicast crossbar's input */
    struct plane_bounds groups;    /* of the reduction buffer */
};

/* A flit has come and took a place; `packet`: flits of its packet that have done so. */
void plane_marks_flit(struct plane_marks *marks, unsigned packet_class, unsigned packet);

/* What the model holds may be more than before: a packet of the port has come, or a copy of its requests has left. */
void plane_marks_packet(struct plane_marks *marks, const struct moehub_switch_plane *model, unsigned port);
/* A store has come. */
void plane_marks_store(struct plane_marks *marks, const struct moehub_switch_plane *model, const struct moehub_flit *flits);

/* At the end of a cycle in which the link is up, with what was granted in it. */
void plane_marks_cycle(struct plane_marks *marks, const struct moehub_switch_plane *model, unsigned port,
                       const struct moehub_link_grant *grant);
/* In a cycle in which it is down, before the model hears of it. */
void plane_marks_down(struct plane_marks *marks, const struct moehub_switch_plane *model, unsigned port);

#endif
