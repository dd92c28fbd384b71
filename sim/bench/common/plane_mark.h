/* SPDX-License-Identifier: Apache-2.0 */
/* The mark that a receiver gives a packet it keeps, as fields (rtl/doc/plane/link.md section 5): one vector in the RTL. */
#ifndef BENCH_PLANE_MARK_H
#define BENCH_PLANE_MARK_H

#include "kit/field.h"
#include "moehub/packet_check.h"

enum { MARK_WORDS = 2 };

/* The mark of a packet that is kept, in the class that it came in. */
void plane_mark(const struct moehub_check_config *config, unsigned packet_class, struct moehub_flit header,
                const struct moehub_packet_verdict *verdict, uint64_t mark[MARK_WORDS]);

/* Clears what means nothing in a request's mark: a refused one has no targets, copies and ports. */
void plane_mark_mask_request(uint64_t mark[MARK_WORDS]);

#endif
