/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_marks.h"

#include <string.h>

static void raise_least(struct plane_bounds *mark, uint64_t level)
{
    mark->least = level > mark->least ? level : mark->least;
}

static void raise_most(struct plane_bounds *mark, uint64_t level)
{
    mark->most = level > mark->most ? level : mark->most;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* ---- places ------------------------------------------------------------------------------------------------- */

/* No place of a packet is free before it has ended. */
void plane_marks_flit(struct plane_marks *marks, unsigned packet_class, unsigned packet)
{
    raise_least(&marks->places[packet_class].mark, packet);
}

/* In use at most, after so many flits and grants since the link rose: what was granted beyond all the places was freed. */
static uint64_t most_in_use(const struct plane_places *places, uint64_t all, uint64_t stored, uint64_t granted)
{
    return smaller(smaller(all, places->base + stored), all + stored - smaller(granted, all + stored));
}

/* In the cycle from which the newest credits can be, at most so many were free as have been granted by now; in that from which
 * the oldest can be that are still to come, at least so many were in use as have not. */
static void follow(struct plane_places *places, uint64_t all, uint64_t stored, uint64_t granted, bool all_granted)
{
    memmove(places->stored + 1, places->stored, (PLACES_SEEN - 1) * sizeof *places->stored);
    places->stored[0] = stored;
    places->settled |= all_granted;
    raise_most(&places->mark, most_in_use(places, all, places->stored[PLACE_TAKEN + GRANT_SOONEST], granted));
    const uint64_t taken = places->stored[PLACE_TAKEN + GRANT_LATEST];
    if (places->settled && all + taken > granted)
        raise_least(&places->mark, all + taken - granted);
}

void plane_marks_cycle(struct plane_marks *marks, const struct moehub_switch_plane *model, unsigned number,
                       const struct moehub_link_grant *grant)
{
    const struct moehub_switch_plane_port *port = &model->ports[number];
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        follow(&marks->places[i], model->config.places[i], port->stored[i], port->granted[i],
               grant->valid && grant->packet_class == i && grant->flits < MOEHUB_GRANT_MAX);
}

void plane_marks_down(struct plane_marks *marks, const struct moehub_switch_plane *model, unsigned number)
{
    const struct moehub_switch_plane_port *port = &model->ports[number];
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        struct plane_places *places = &marks->places[i];
        places->base = most_in_use(places, model->config.places[i], port->stored[i], port->granted[i]);
        raise_most(&places->mark, places->base);
        memset(places->stored, 0, sizeof places->stored);
        places->settled = false;
    }
}

/* ---- copy records and groups ---------------------------------------------------------------------------------- */

void plane_marks_packet(struct plane_marks *marks, const struct moehub_switch_plane *model, unsigned port)
{
    const struct moehub_switch_plane_use use = moehub_switch_plane_groups_in_use(model, port);
    raise_least(&marks->groups, use.least);
    raise_most(&marks->groups, use.most);
    raise_most(&marks->records, moehub_crossbar_records(&model->stores, port));
}

/* No output sees a copy before it has all its records. */
void plane_marks_store(struct plane_marks *marks, const struct moehub_switch_plane *model, const struct moehub_flit *flits)
{
    const struct moehub_crossbar_config *config = &model->stores.config;
    for (unsigned output = 0; output < config->ports; output++)
        raise_least(&marks->records, moehub_crossbar_copy_records(config, flits, output));
}
