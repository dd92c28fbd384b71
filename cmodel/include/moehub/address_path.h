/* SPDX-License-Identifier: Apache-2.0 */
/* Address path of the receiving hub: AAU + AL-TLB + walker (rtl/doc/address_path.md, with stages = 2
 * rtl/doc/hub/address_stages.md).
 *
 * Requests and commands are given one at a time in the order in which the hardware accepts them (a request of the same
 * cycle as a command first). The answer is ready at once; the hardware gives the answers of one ingress port in this
 * order. Equal to the RTL to the bit: every answer, every counter below MOEHUB_HUB_ORDER_EVENTS, the table image.
 * Cost: some 10 ns a request; no allocation after create. */
#ifndef MOEHUB_ADDRESS_PATH_H
#define MOEHUB_ADDRESS_PATH_H

#include "moehub/addr_alloc.h"
#include "moehub/al_tlb.h"
#include "moehub/al_walker.h"
#include "moehub/offenders.h"

/* Events below are functions of the order alone: requests .. allocations, then the causes. The rest counts cycles. */
#define MOEHUB_HUB_ORDER_EVENTS (MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_ORDER_CAUSES)

struct moehub_address_path {
    struct moehub_addr_alloc alloc;
    struct moehub_al_tlb tlb;
    struct moehub_al_walker walker;
    struct moehub_offenders offenders;            /* what the error latch may hold */
    uint64_t counters[MOEHUB_HUB_ORDER_EVENTS];   /* by MOEHUB_HUB_EVENT_*; the registers show the low 48 bits */
    uint64_t faults[MOEHUB_CONTEXTS_MAX];         /* REPEATED, TABLE_READ and TABLE_WRITE of a context; since reset */
    uint64_t tag_mask;
};

/* The state after reset. `memory` is where the table lives; NULL: own windows, to be added with
 * moehub_al_walker_map(&path->walker, ..). 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left over. */
int moehub_address_path_create(struct moehub_address_path *path, const struct moehub_address_path_config *config,
                               const struct moehub_al_memory *memory);
void moehub_address_path_destroy(struct moehub_address_path *path);

/* The next accepted request. */
void moehub_address_path_request(struct moehub_address_path *path, const struct moehub_hub_request *request,
                                 struct moehub_hub_answer *answer);

/* The context as one of whose requests a request counts as long as it is in flight: context 0 for one that names none. */
static inline uint32_t moehub_address_path_flight_context(const struct moehub_address_path_config *config, uint32_t context)
{
    return context < config->contexts ? context : 0;
}

/* The next accepted command. `in_flight`: something of its context (FLUSH: of any) was in flight when it took effect;
 * the model has no cycles, so this is an input, and result->in_flight repeats it. */
void moehub_address_path_command(struct moehub_address_path *path, const struct moehub_hub_command *command,
                                 bool in_flight, struct moehub_hub_result *result);

/* What the error latch has of a request whose answer has that status, not OK: causes 0 to 6. */
void moehub_address_path_offender(const struct moehub_address_path_config *config, const struct moehub_hub_request *request,
                                  unsigned status, struct moehub_offender *offender);

/* Back to the state after a hardware reset: counters and offenders too. The memory image stays, as memory does. */
void moehub_address_path_reset(struct moehub_address_path *path);

/* Every invariant of the parts, and the identities between the counters (lookups = hits + misses, ...). Slow. */
bool moehub_address_path_is_valid(const struct moehub_address_path *path);

/* A context brought up as software does it: CONTEXT_SET, all peers below config.gpus, regions [local_experts] (capacity
 * 0: absent; only base and capacity are read), ACKNOWLEDGE_CLEAR, ENABLE. Both stages have this row size and these bases.
 * The table must be zero. 0, or MOEHUB_E_STATE when a command was refused. */
int moehub_address_path_open(struct moehub_address_path *path, unsigned context, uint64_t table_base,
                             uint32_t row_limit, uint32_t row_size, const struct moehub_region *regions,
                             unsigned region_count);

#endif
