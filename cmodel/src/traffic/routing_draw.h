/* SPDX-License-Identifier: Apache-2.0 */
/* The two ways of drawing rows. Private to the library; see moehub/routing.h for what is drawn. */
#ifndef MOEHUB_ROUTING_DRAW_H
#define MOEHUB_ROUTING_DRAW_H

#include <gsl/gsl_rng.h>
#include <stddef.h>
#include <stdint.h>

/* `tokens` rows of `topk` different experts, drawn without replacement in proportion to shares[experts]. */
int draw_from_shares(gsl_rng *random, const double *shares, unsigned experts, unsigned topk, size_t tokens,
                     uint16_t *rows);

/* `tokens` rows by group-limited top-k; `groups` divides `experts`, `topk` fits into `kept` groups. */
int draw_by_groups(gsl_rng *random, unsigned experts, unsigned groups, unsigned kept, unsigned topk, size_t tokens,
                   uint16_t *rows);

#endif
