/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the packet manager share: two open contexts, rows, stores, questions about what comes out. */
#ifndef MOEHUB_TESTS_PACKET_MANAGER_SUPPORT_H
#define MOEHUB_TESTS_PACKET_MANAGER_SUPPORT_H

#include "moehub/packet_manager.h"

#include "common/support.h"

enum { OWN = 2, OWNER_SHIFT = 4, FIRST_ROW = OWN << OWNER_SHIFT, ROUND = 6, GPUS = 6, LINKS = 2, ROW_SIZE = 304, CONTEXTS = 2,
       ROWS = 5, LINES = 7, STORE_BYTES = 32, LOOP = LINKS };

/* Local experts have 4 bits; GPU 4 is no peer. */
enum { PEERS = 0x2F };

/* ---- set-up ------------------------------------------------------------------------- */

static inline void open_context(struct moehub_packet_manager *manager, unsigned context, unsigned round)
{
    manager->contexts[context] = (struct moehub_packet_manager_context){
        .enabled = true, .round = (uint8_t)round, .owner_shift = OWNER_SHIFT, .row_size = ROW_SIZE, .peers = PEERS};
}

static inline struct moehub_packet_manager_config small_config(void)
{
    return (struct moehub_packet_manager_config){
        .links = LINKS, .gpus = GPUS, .contexts = CONTEXTS, .local_expert_bits = 4, .max_targets = 20, .offset_width = 9,
        .address_width = 40, .rows = ROWS, .lines = LINES, .store_bytes = STORE_BYTES, .own = OWN};
}

static inline void create_with(struct moehub_packet_manager *manager, struct moehub_packet_manager_config config)
{
    assert_int_equal(moehub_packet_manager_create(manager, &config), 0);
    for (unsigned i = 0; i < config.contexts; i++)
        open_context(manager, i, ROUND);
}

static inline void create(struct moehub_packet_manager *manager)
{
    create_with(manager, small_config());
}

/* ---- rows --------------------------------------------------------------------------- */

static inline struct moehub_row listed_row(unsigned context, uint32_t row_index, unsigned count)
{
    return (struct moehub_row){.context = (uint8_t)context, .row_index = row_index, .count = (uint8_t)count, .address = 0x1000};
}

static inline struct moehub_row immediate_row(unsigned context, uint32_t row_index, unsigned id)
{
    return (struct moehub_row){.context = (uint8_t)context, .row_index = row_index, .immediate = true, .id = (uint16_t)id};
}

/* Takes a row and gives its list; returns how many reads there were. */
static inline unsigned take_row(struct moehub_packet_manager *manager, unsigned entry, const struct moehub_row *row,
                                const uint16_t *ids)
{
    struct moehub_list_reads reads;
    assert_true(moehub_packet_manager_row(manager, entry, row, &reads));
    for (unsigned i = 0; i < reads.count; i++)
        assert_true(moehub_packet_manager_list_data(manager, moehub_targets_pack(ids, row->count, i), false));
    return reads.count;
}

static inline struct moehub_row_decision decide(struct moehub_packet_manager *manager, unsigned link)
{
    struct moehub_row_decision decision;
    assert_true(moehub_packet_manager_decide(manager, link, &decision));
    return decision;
}

/* An open row; returns its handle. */
static inline unsigned open_listed(struct moehub_packet_manager *manager, unsigned entry, unsigned context, uint32_t row_index,
                                   const uint16_t *ids, unsigned count, unsigned link)
{
    const struct moehub_row row = listed_row(context, row_index, count);
    take_row(manager, entry, &row, ids);
    const struct moehub_row_decision decision = decide(manager, link);
    assert_int_equal(decision.status, MOEHUB_STATUS_OK);
    return decision.handle;
}

/* One with targets of both kinds: 0x01 0x0F 0x20 0x23 0x50, link 1. */
static inline unsigned open_both(struct moehub_packet_manager *manager, unsigned entry, unsigned context, uint32_t row_index)
{
    static const uint16_t ids[] = {0x01, 0x0F, 0x20, 0x23, 0x50};
    return open_listed(manager, entry, context, row_index, ids, 5, 1);
}

/* One immediate target: kind up. */
static inline unsigned open_up(struct moehub_packet_manager *manager, unsigned entry, unsigned context, uint32_t row_index)
{
    const struct moehub_row row = immediate_row(context, row_index, 0x31);
    take_row(manager, entry, &row, NULL);
    return decide(manager, 0).handle;
}

/* ---- stores ------------------------------------------------------------------------- */

/* What byte `offset` of a row holds in these tests. */
static inline uint8_t byte_at(uint32_t offset)
{
    return (uint8_t)(offset * 7 + offset / 256 + 1);
}

static inline enum moehub_store_outcome store_with(struct moehub_packet_manager *manager, unsigned handle, unsigned offset,
                                                   struct moehub_flit mask, bool nop)
{
    struct moehub_store store = {.handle = (uint16_t)handle, .offset = (uint16_t)offset, .mask = mask, .nop = nop};
    for (unsigned i = 0; i < manager->config.store_bytes; i++)
        store.data[i] = byte_at(offset + i);
    return moehub_packet_manager_store(manager, &store);
}

static inline enum moehub_store_outcome store(struct moehub_packet_manager *manager, unsigned handle, unsigned offset,
                                              uint64_t mask)
{
    return store_with(manager, handle, offset, (struct moehub_flit){{mask, 0}}, false);
}

static inline void merged(struct moehub_packet_manager *manager, unsigned handle, unsigned offset, uint64_t mask)
{
    assert_int_equal(store(manager, handle, offset, mask), MOEHUB_STORE_MERGED);
}

#define ALL UINT64_C(0xFFFFFFFF)     /* a whole store of 32 bytes */

/* Whole stores from an offset on. */
static inline void merged_bytes(struct moehub_packet_manager *manager, unsigned handle, unsigned first, unsigned end)
{
    for (unsigned offset = first; offset < end; offset += STORE_BYTES)
        merged(manager, handle, offset, end - offset < STORE_BYTES ? (UINT64_C(1) << (end - offset)) - 1 : ALL);
}

/* ---- lines, packets ------------------------------------------------------------------ */

static inline unsigned state_of(const struct moehub_packet_manager *manager, unsigned entry, unsigned line)
{
    return moehub_packet_manager_line(manager, entry, line)->state;
}

static inline struct moehub_store_packet locked(struct moehub_packet_manager *manager, unsigned way, unsigned entry,
                                                unsigned line)
{
    struct moehub_store_packet packet;
    assert_true(moehub_packet_manager_lock(manager, way, entry, line, &packet));
    return packet;
}

static inline struct moehub_header header_of(const struct moehub_store_packet *packet)
{
    return moehub_header_unpack(packet->flits[0]);
}

static inline bool can_lock(struct moehub_packet_manager *manager, unsigned way, unsigned entry, unsigned line)
{
    struct moehub_store_packet packet;
    return moehub_packet_manager_lock(manager, way, entry, line, &packet);
}

static inline void freed(struct moehub_packet_manager *manager, unsigned entry, unsigned line)
{
    assert_true(moehub_packet_manager_free_line(manager, entry, line));
    assert_int_equal(state_of(manager, entry, line), MOEHUB_LINE_FREE);
}

/* A row of kind up, link 0, is stored whole and leaves. */
static inline void send_up(struct moehub_packet_manager *manager, unsigned entry, unsigned handle)
{
    merged_bytes(manager, handle, 0, ROW_SIZE);
    for (unsigned line = 0; line < 3; line++) {
        locked(manager, 0, entry, line);
        freed(manager, entry, line);
    }
    assert_true(moehub_packet_manager_leave(manager, entry));
}

static inline void assert_flit(struct moehub_flit flit, uint64_t high, uint64_t low)
{
    assert_true(flit.half[1] == high);
    assert_true(flit.half[0] == low);
}

/* ---- counters, causes ----------------------------------------------------------------- */

static inline uint64_t count(const struct moehub_packet_manager *manager, unsigned event)
{
    return manager->counters[event];
}

/* Since the last such question there was this cause alone, once, with this latch. */
static inline void assert_cause(struct moehub_packet_manager *manager, unsigned cause, struct moehub_header latch)
{
    const struct moehub_offender offender = {.header = moehub_header_pack(&latch), .cause = (uint8_t)cause};
    assert_int_equal(manager->offenders.count, 1);
    assert_true(moehub_offenders_contain(&manager->offenders, &offender));
    for (unsigned i = 0; i < MOEHUB_PACKET_MANAGER_CAUSES; i++)
        assert_int_equal(count(manager, MOEHUB_PACKET_MANAGER_EVENT_CAUSES + i), i == cause);
    moehub_offenders_clear(&manager->offenders);
    manager->counters[MOEHUB_PACKET_MANAGER_EVENT_CAUSES + cause] = 0;
}

static inline void assert_no_cause(const struct moehub_packet_manager *manager)
{
    assert_int_equal(manager->offenders.count, 0);
    for (unsigned i = 0; i < MOEHUB_PACKET_MANAGER_CAUSES; i++)
        assert_int_equal(count(manager, MOEHUB_PACKET_MANAGER_EVENT_CAUSES + i), 0);
}

#endif
