/* SPDX-License-Identifier: Apache-2.0 */
/* A whole layer through the models of all hubs and all switch ports: dispatch, then combine, everything checked.
 *
 * Hubs: one context, epoch 1, one region per local expert, sized to what will arrive; a slot has room for a row of
 * either stage. Each switch port owns a reduction buffer; port g leads to GPU g.
 * Dispatch: every target of a packet is a write-touch in its GPU's hub, the row's first packet announces it.
 * Combine: every target is a read-lookup in its GPU's hub; each remote GPU of a request sums its targets' elements to
 * one partial, the switch port of the owner sums the partials, the owner adds the sum of its own targets.
 *
 * More than MOEHUB_GOLDEN_SWITCH_GPUS_MAX GPUs run without the switch, which has no port for each: all lookups are made,
 * and with payloads every partial is checked where it would leave; nothing is reserved and no result comes back.
 *
 * Checked, against knowledge that the models do not have:
 *   addresses   every answer's address is turned back into (region, slot, offset) and, by who announced the slot, into
 *               a row; it must be the row and the offset asked for. Slots are handed out 0, 1, 2, ... in order.
 *   table       at the end the table image holds exactly the slots handed out.
 *   results     every reservation gives one result with its tag and length; no error of any cause occurs.
 *   payloads    (option) written elements equal those that belong to the place their address names; elements read are
 *               generated from the place their address names; sums equal the exact sum of the inputs, each cut at the
 *               final window, rounded once, computed another way (golden_sum.h).
 * No memory image of the regions is kept. */
#ifndef MOEHUB_GOLDEN_H
#define MOEHUB_GOLDEN_H

#include "moehub/address_path.h"
#include "moehub/layer.h"
#include "moehub/reduction_buffer.h"

/* A deliberate error, to show that the checks see it. */
enum moehub_golden_fault {
    MOEHUB_GOLDEN_NO_FAULT,
    MOEHUB_GOLDEN_FAULT_ADDRESS,  /* one answer names the slot after the right one */
    MOEHUB_GOLDEN_FAULT_PAYLOAD,  /* one bit of one written packet */
    MOEHUB_GOLDEN_FAULT_PARTIAL,  /* one partial's elements lie four bytes too early */
    MOEHUB_GOLDEN_FAULT_PORT      /* one partial comes through a wrong port */
};

struct moehub_golden_options {
    unsigned sets;          /* AL-TLB, as in struct moehub_address_path_config */
    unsigned ways;
    unsigned replacement;
    unsigned ports;         /* ingress ports of a hub */
    unsigned entries;       /* of each reduction buffer */
    unsigned inflight;      /* rows in flight per source GPU, 1..65536 */
    unsigned packet_bytes;  /* payload of a full packet: a multiple of 16, 16..256 */
    bool payloads;
    enum moehub_golden_fault fault;
    void (*progress)(void *user, uint64_t done, uint64_t total);  /* now and then, in packets of the sources; or NULL */
    void *progress_user;
};

struct moehub_golden_report {
    bool with_switch;     /* see above */
    uint64_t hub[MOEHUB_HUB_ORDER_EVENTS];              /* summed over hubs */
    uint64_t reduction[MOEHUB_REDUCTION_ORDER_EVENTS];  /* summed over ports */
    uint32_t occupancy;   /* largest of any reduction buffer */
    uint64_t packets;     /* lookups + partials */
    uint64_t elements;    /* written or read by a lookup, with payloads on */
    uint64_t checks;      /* comparisons made */
    uint64_t failures;
    char failure[256];    /* the first one, in words */
};

#define MOEHUB_GOLDEN_SWITCH_GPUS_MAX 64u   /* a contributor set has 64 bits */
#define MOEHUB_GOLDEN_TOPK_MAX 32u          /* experts of a token whose elements can be checked */

/* Whether a run of so many GPUs includes the switch. */
static inline bool moehub_golden_has_switch(unsigned gpus)
{
    return gpus <= MOEHUB_GOLDEN_SWITCH_GPUS_MAX;
}

/* 128 sets of 4 ways, tree pseudo-LRU, 16 ports, 107 entries, 16 rows in flight, 128 bytes, payloads off. */
struct moehub_golden_options moehub_golden_options_default(void);

/* Everything about a run that can be said from options that are right (moehub_layer_options_check), before the layer is
 * drawn. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_LIMIT with a sentence. */
int moehub_golden_check(const struct moehub_layer_options *layer, const struct moehub_golden_options *options,
                        struct moehub_message *message);

/* Runs a layer. 0 with `report` filled in (report->failures says whether the checks passed), or an error with a
 * sentence in `message`. Memory: 4 * experts * layer->row_limit bytes of tables, 4 bytes an assignment, and caches. */
int moehub_golden_run(const struct moehub_layer *layer, const struct moehub_golden_options *options,
                      struct moehub_golden_report *report, struct moehub_message *message);

#endif
