/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU that opens and stores rows, hardware that takes its time, and what must come out: each byte in just one packet of each
 * kind, with its row's targets, the first packet of each kind marked. It knows nothing of the model's inside but which lines
 * are there to be chosen. */
#ifndef MOEHUB_TESTS_PACKET_MANAGER_TRAFFIC_H
#define MOEHUB_TESTS_PACKET_MANAGER_TRAFFIC_H

#include "moehub/packet_check.h"
#include "moehub/packet_manager.h"

#include "common/random.h"
#include "common/support.h"

enum { TRAFFIC_ROW_MAX = 7168, TRAFFIC_STORES_MAX = 2 * TRAFFIC_ROW_MAX / 16, TRAFFIC_PLANS_MAX = 64, TRAFFIC_SHIFT = 6 };

enum progress { PLANNED, OPENING, OPEN, ENDED };

/* A row as the GPU means it. */
struct plan {
    struct moehub_row row;
    uint16_t ids[MOEHUB_TARGETS_MAX];
    uint32_t size;
    enum progress progress;
    unsigned entry;
    unsigned handle;
    unsigned link;
    unsigned reads;              /* that came */
    unsigned reads_asked;
    bool aborted;
    bool rewritten;              /* the GPU stored a piece of it twice: only its packets' form is checked then */
    bool nop;
    bool seen[MOEHUB_KINDS];     /* a packet of the kind */
    uint32_t stores;
    uint32_t next_store;
    uint16_t order[TRAFFIC_STORES_MAX];              /* 2 x piece of the row + half of the piece */
    struct moehub_flit halves[TRAFFIC_ROW_MAX / 16]; /* which bytes of a piece its half 0 has */
    uint8_t delivered[MOEHUB_KINDS][TRAFFIC_ROW_MAX];
};

struct traffic {
    struct moehub_packet_manager manager;
    struct random random;
    unsigned early;              /* the hand's timer strikes once in so many visits; 0: never */
    unsigned aborts;             /* once in so many steps */
    unsigned rewrites;           /* a store in so many is one that the GPU gave before; 0: none */
    unsigned plans;
    struct plan *plan;           /* [TRAFFIC_PLANS_MAX] */
    struct plan *storing;        /* whose store is at the head; NULL: none */
    struct moehub_store store;
    bool no_slot;                /* it waits for one */
    uint32_t pairs[MOEHUB_PACKET_MANAGER_CONTEXTS_MAX][MOEHUB_PACKET_MANAGER_GPUS_MAX];
    uint64_t packets;
    uint64_t bytes;
    uint64_t dropped;
    uint64_t stores;
    uint64_t left;
};

/* ---- plans ----------------------------------------------------------------------------- */

static inline unsigned traffic_draw(struct traffic *traffic, unsigned least, unsigned most)
{
    return least + random_below(&traffic->random, most - least + 1);
}

static inline uint8_t traffic_byte(const struct traffic *traffic, const struct plan *plan, uint32_t offset)
{
    const unsigned round = traffic->manager.contexts[plan->row.context].round;
    return (uint8_t)(plan->row.row_index * 31 + plan->row.context * 17u + offset * 7 + offset / 256 * 3 + round);
}

static inline unsigned traffic_row_lines(const struct traffic *traffic)
{
    return 1u << (traffic->manager.config.offset_width - 7);
}

static inline unsigned traffic_gpu(const struct traffic *traffic, unsigned id)
{
    return id >> traffic->manager.config.local_expert_bits;
}

/* Ascending ids of any GPU, close together or far apart. */
static inline void traffic_draw_ids(struct traffic *traffic, struct plan *plan)
{
    const struct moehub_packet_manager_config *config = &traffic->manager.config;
    const unsigned ids = config->gpus << config->local_expert_bits;
    const unsigned most = config->max_targets < ids ? config->max_targets : ids;
    const unsigned count = plan->row.immediate ? 1 : traffic_draw(traffic, 1, most);
    const unsigned reach = traffic_draw(traffic, 1, ids);
    unsigned next = random_below(&traffic->random, ids - count + 1);
    for (unsigned i = 0; i < count; i++) {
        plan->ids[i] = (uint16_t)next;
        const unsigned spare = ids - next - (count - i);
        next += 1 + random_below(&traffic->random, (spare < reach ? spare : reach - 1) + 1);
    }
    plan->row.count = (uint8_t)count;
    plan->row.id = plan->ids[0];
}

/* The pieces of the row, some in two halves, in any order. */
static inline void traffic_draw_stores(struct traffic *traffic, struct plan *plan)
{
    const unsigned bytes = traffic->manager.config.store_bytes;
    const bool halved = random_once_in(&traffic->random, 2);
    for (unsigned piece = 0; piece * bytes < plan->size; piece++) {
        plan->halves[piece] = (struct moehub_flit){{UINT64_MAX, UINT64_MAX}};
        plan->order[plan->stores++] = (uint16_t)(2 * piece);
        if (halved && random_once_in(&traffic->random, 3)) {
            plan->halves[piece] = (struct moehub_flit){{random_word(&traffic->random), random_word(&traffic->random)}};
            plan->order[plan->stores++] = (uint16_t)(2 * piece + 1);
        }
    }
    for (unsigned i = plan->stores; i > 1; i--) {
        const unsigned j = random_below(&traffic->random, i);
        const uint16_t kept = plan->order[i - 1];
        plan->order[i - 1] = plan->order[j];
        plan->order[j] = kept;
    }
}

static inline void traffic_plan(struct traffic *traffic, unsigned number)
{
    struct plan *plan = &traffic->plan[number];
    const unsigned context = random_below(&traffic->random, traffic->manager.config.contexts);
    memset(plan, 0, sizeof *plan);
    plan->size = traffic->manager.contexts[context].row_size;
    plan->nop = random_once_in(&traffic->random, 4);
    plan->row = (struct moehub_row){.context = (uint8_t)context,
                                    .row_index = traffic->manager.config.own << TRAFFIC_SHIFT | (number ^ 5),
                                    .address = random_word(&traffic->random) % 65536 * 16,
                                    .immediate = random_once_in(&traffic->random, 4)};
    traffic_draw_ids(traffic, plan);
    traffic_draw_stores(traffic, plan);
}

/* ---- what comes out ---------------------------------------------------------------------- */

static inline struct plan *traffic_plan_of(struct traffic *traffic, const struct moehub_header *header)
{
    for (unsigned i = 0; i < traffic->plans; i++)
        if (traffic->plan[i].progress == OPEN && traffic->plan[i].row.context == header->context &&
            traffic->plan[i].row.row_index == header->row_index)
            return &traffic->plan[i];
    return NULL;
}

/* The packet names just the row's targets of its kind; each is a pair. */
static inline void traffic_check_targets(struct traffic *traffic, const struct plan *plan, enum moehub_kind kind,
                                         const struct moehub_header *header, const struct moehub_flit *flits)
{
    uint16_t named[MOEHUB_TARGETS_MAX + MOEHUB_TARGETS_PER_FLIT] = {0};
    for (unsigned i = 0; i * MOEHUB_TARGETS_PER_FLIT < header->target_count; i++)
        moehub_targets_unpack(flits[i], i, named, header->target_count);
    unsigned found = 0;
    for (unsigned i = 0; i < plan->row.count; i++) {
        const unsigned gpu = traffic_gpu(traffic, plan->ids[i]);
        if ((gpu == traffic->manager.config.own) != (kind == MOEHUB_KIND_LOOP))
            continue;
        assert_int_equal(named[found++], plan->ids[i]);
        traffic->pairs[plan->row.context][gpu]++;
    }
    assert_int_equal(header->target_count, found);
}

/* Bytes are what the GPU stored, and new; first and last unit have some. Returns whether one is missing. */
static inline bool traffic_check_bytes(struct traffic *traffic, struct plan *plan, enum moehub_kind kind,
                                       const struct moehub_header *header, const struct moehub_flit *enables,
                                       const struct moehub_flit *payload)
{
    unsigned held[8] = {0};
    for (unsigned i = 0; i < header->length; i++) {
        uint8_t bytes[MOEHUB_FLIT_BYTES];
        moehub_flit_to_bytes(payload[i / 16], bytes);
        if (enables != NULL && (enables->half[i / 64] >> i % 64 & 1) == 0) {
            assert_int_equal(bytes[i % 16], 0);
            continue;
        }
        const uint32_t offset = header->offset + i;
        assert_in_range(offset, 0, plan->size - 1);
        assert_int_equal(bytes[i % 16], traffic_byte(traffic, plan, offset));
        assert_true(plan->delivered[kind][offset]++ == 0 || plan->rewritten);
        held[i / 16]++;
        traffic->bytes++;
    }
    unsigned all = 0;
    for (unsigned i = 0; i < 8; i++)
        all += held[i];
    assert_true(held[0] > 0 && held[(header->length - 1) / 16] > 0);
    return all != header->length;
}

static inline void traffic_check_packet(struct traffic *traffic, unsigned way, const struct moehub_store_packet *packet)
{
    const struct moehub_packet_manager_config *config = &traffic->manager.config;
    const enum moehub_kind kind = way == config->links ? MOEHUB_KIND_LOOP : MOEHUB_KIND_UP;
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    struct plan *plan = traffic_plan_of(traffic, &header);
    assert_non_null(plan);
    assert_true(kind == MOEHUB_KIND_LOOP || plan->link == way);
    const unsigned lists = (header.target_count + 7u) / 8;
    assert_int_equal(packet->count, 1 + lists + header.byte_enables + header.length / 16);
    traffic_check_targets(traffic, plan, kind, &header, packet->flits + 1);
    const struct moehub_flit *behind = packet->flits + 1 + lists;
    const bool missing = traffic_check_bytes(traffic, plan, kind, &header, header.byte_enables ? behind : NULL,
                                             behind + header.byte_enables);
    const struct moehub_flit expected = moehub_header_pack(&(struct moehub_header){
        .type = plan->row.immediate ? MOEHUB_PACKET_ROW_STORE : MOEHUB_PACKET_MULTIMEM_STORE, .first = !plan->seen[kind],
        .byte_enables = missing, .nop = plan->nop, .length = header.length, .source = (uint16_t)config->own,
        .context = plan->row.context, .element = MOEHUB_ELEMENT_BYTES, .offset = header.offset,
        .row_index = plan->row.row_index, .target_count = header.target_count,
        .round = traffic->manager.contexts[plan->row.context].round});
    assert_true(expected.half[0] == packet->flits[0].half[0] && expected.half[1] == packet->flits[0].half[1]);
    const struct moehub_check_config port = {.own = (uint16_t)config->own, .ports = (uint16_t)config->gpus, .request_lines = 8,
                                             .local_expert_bits = (uint8_t)config->local_expert_bits,
                                             .max_targets = (uint8_t)config->max_targets};
    if (kind == MOEHUB_KIND_UP)
        assert_int_equal(moehub_packet_check(&port, MOEHUB_CLASS_STORE, packet->flits, packet->count, false).cause,
                         MOEHUB_PACKET_CAUSES);
    plan->seen[kind] = true;
    traffic->packets++;
}

/* A row that left whole has sent each of its bytes once by each of its kinds. */
static inline void traffic_check_left(const struct traffic *traffic, const struct plan *plan)
{
    bool kinds[MOEHUB_KINDS] = {false};
    if (plan->aborted || plan->rewritten)
        return;
    for (unsigned i = 0; i < plan->row.count; i++)
        kinds[traffic_gpu(traffic, plan->ids[i]) == traffic->manager.config.own ? MOEHUB_KIND_LOOP : MOEHUB_KIND_UP] = true;
    for (unsigned kind = 0; kind < MOEHUB_KINDS; kind++)
        for (uint32_t i = 0; i < plan->size; i++)
            assert_int_equal(plan->delivered[kind][i], kinds[kind]);
}

/* ---- steps of the hardware ------------------------------------------------------------------ */

static inline void traffic_take_row(struct traffic *traffic)
{
    unsigned number = 0;
    while (number < traffic->plans && traffic->plan[number].progress != PLANNED)
        number++;
    if (number == traffic->plans)
        return;
    struct plan *plan = &traffic->plan[number];
    const unsigned entry = random_below(&traffic->random, traffic->manager.config.rows);
    struct moehub_list_reads reads;
    if (!moehub_packet_manager_row(&traffic->manager, entry, &plan->row, &reads))
        return;
    plan->entry = entry;
    plan->progress = OPENING;
    plan->aborted = traffic->manager.contexts[plan->row.context].closing;
    plan->reads_asked = reads.count;
    assert_int_equal(reads.count, plan->row.immediate || plan->aborted ? 0 : (plan->row.count + 7) / 8);
    for (unsigned i = 0; i < reads.count; i++)
        assert_true(reads.address[i] == plan->row.address + UINT64_C(16) * i);
}

/* Plans are taken in their order: so the oldest that is opening is the first. */
static inline struct plan *traffic_oldest(struct traffic *traffic, bool reading)
{
    for (unsigned i = 0; i < traffic->plans; i++)
        if (traffic->plan[i].progress == OPENING && !(reading && traffic->plan[i].reads == traffic->plan[i].reads_asked))
            return &traffic->plan[i];
    return NULL;
}

/* Places behind the list have whatever memory has there. */
static inline void traffic_list_data(struct traffic *traffic)
{
    struct plan *plan = traffic_oldest(traffic, true);
    if (plan == NULL)
        return;
    struct moehub_flit flit = {{random_word(&traffic->random), random_word(&traffic->random)}};
    for (unsigned i = 0; i < 8 && 8 * plan->reads + i < plan->row.count; i++) {
        uint64_t *half = &flit.half[i / 4];
        *half = (*half & ~(UINT64_C(0xFFFF) << i % 4 * 16)) | (uint64_t)plan->ids[8 * plan->reads + i] << i % 4 * 16;
    }
    assert_true(moehub_packet_manager_list_data(&traffic->manager, flit, false));
    plan->reads++;
}

static inline void traffic_decide(struct traffic *traffic)
{
    struct plan *plan = traffic_oldest(traffic, false);
    const unsigned link = random_below(&traffic->random, traffic->manager.config.links);
    struct moehub_row_decision decision;
    const bool there = plan != NULL && plan->reads == plan->reads_asked;
    assert_int_equal(moehub_packet_manager_decide(&traffic->manager, link, &decision), there);
    if (!there)
        return;
    assert_int_equal(decision.row_index, plan->row.row_index);
    assert_int_equal(decision.status, plan->aborted ? MOEHUB_STATUS_CONTEXT : MOEHUB_STATUS_OK);
    plan->progress = plan->aborted ? ENDED : OPEN;
    plan->handle = decision.handle;
    plan->link = link;
    if (plan->aborted)
        return;
    assert_int_equal(decision.handle & 0xFF, plan->entry);
    assert_int_equal(decision.count, plan->row.count);
    assert_int_equal(decision.token, plan->row.row_index % (1 << TRAFFIC_SHIFT));
}

/* The next store, of any open row. A store of an aborted row may still come. */
static inline void traffic_next_store(struct traffic *traffic)
{
    struct plan *plan = &traffic->plan[random_below(&traffic->random, traffic->plans)];
    if (plan->progress != OPEN || plan->next_store == plan->stores)
        return;
    const bool again = traffic->rewrites != 0 && plan->next_store > 0 && random_once_in(&traffic->random, traffic->rewrites);
    const unsigned place = again ? random_below(&traffic->random, plan->next_store) : plan->next_store++;
    const unsigned bytes = traffic->manager.config.store_bytes;
    const unsigned piece = plan->order[place] / 2;
    const bool other = plan->order[place] % 2 != 0;
    plan->rewritten |= again;
    traffic->store = (struct moehub_store){
        .handle = (uint16_t)plan->handle, .offset = (uint16_t)(piece * bytes), .nop = plan->nop};
    for (unsigned i = 0; i < bytes && piece * bytes + i < plan->size; i++) {
        const bool first = (plan->halves[piece].half[i / 64] >> i % 64 & 1) != 0;
        traffic->store.data[i] = traffic_byte(traffic, plan, piece * bytes + i);
        traffic->store.mask.half[i / 64] |= (uint64_t)(first != other) << i % 64;
    }
    traffic->storing = plan;
}

static inline void traffic_store(struct traffic *traffic)
{
    if (traffic->storing == NULL)
        traffic_next_store(traffic);
    if (traffic->storing == NULL)
        return;
    const enum moehub_store_outcome outcome = moehub_packet_manager_store(&traffic->manager, &traffic->store);
    traffic->no_slot = outcome == MOEHUB_STORE_NO_SLOT;
    if (!traffic->storing->rewritten)
        assert_int_equal(outcome == MOEHUB_STORE_DROPPED, traffic->storing->aborted);
    if (outcome == MOEHUB_STORE_NO_SLOT)
        assert_int_equal(traffic->manager.lines_used, traffic->manager.config.lines);
    if (outcome == MOEHUB_STORE_NO_SLOT || outcome == MOEHUB_STORE_LINE_BUSY)
        return;
    traffic->stores++;
    traffic->dropped += outcome == MOEHUB_STORE_DROPPED;
    traffic->storing = NULL;
}

/* The hand visits any line; what was read for all its kinds becomes free. */
static inline void traffic_visit(struct traffic *traffic)
{
    struct moehub_packet_manager *manager = &traffic->manager;
    const unsigned entry = random_below(&traffic->random, manager->config.rows);
    const unsigned line = random_below(&traffic->random, traffic_row_lines(traffic));
    const struct moehub_line_buffer *buffer = moehub_packet_manager_line(manager, entry, line);
    const bool filling = buffer->state == MOEHUB_LINE_FILLING;
    const bool early = traffic->early != 0 && random_once_in(&traffic->random, traffic->early);
    if (buffer->state == MOEHUB_LINE_FREE)
        return;
    if (filling && !manager->rows[entry].aborted && (manager->rows[entry].stored_all || traffic->no_slot || early))
        assert_true(moehub_packet_manager_make_ready(manager, entry, line));
    else if (filling ? manager->rows[entry].aborted : buffer->kinds == 0)
        assert_true(moehub_packet_manager_free_line(manager, entry, line));
}

/* The lowest line that is owed to the way, of the lowest row. False: none. */
static inline bool traffic_choose(const struct traffic *traffic, unsigned way, unsigned *entry, unsigned *line)
{
    const struct moehub_packet_manager *manager = &traffic->manager;
    const unsigned kind = way == manager->config.links ? MOEHUB_KIND_LOOP : MOEHUB_KIND_UP;
    bool found = false;
    for (unsigned i = 0; i < manager->config.rows; i++) {
        const struct moehub_row_entry *row = &manager->rows[i];
        if (row->state != MOEHUB_ENTRY_OPEN || (kind == MOEHUB_KIND_UP && row->link != way) ||
            (found && row->row.row_index >= manager->rows[*entry].row.row_index))
            continue;
        for (unsigned j = traffic_row_lines(traffic); j-- > 0;)
            if ((moehub_packet_manager_line(manager, i, j)->kinds >> kind & 1) != 0) {
                found = true;
                *entry = i;
                *line = j;
            }
    }
    return found;
}

static inline void traffic_send(struct traffic *traffic)
{
    const unsigned way = random_below(&traffic->random, traffic->manager.config.links + 1);
    const enum moehub_kind kind = way == traffic->manager.config.links ? MOEHUB_KIND_LOOP : MOEHUB_KIND_UP;
    unsigned entry = 0, line = 0;
    if (!traffic_choose(traffic, way, &entry, &line))
        return;
    if (traffic->manager.rows[entry].aborted && random_once_in(&traffic->random, 2)) {
        assert_true(moehub_packet_manager_discard(&traffic->manager, kind, entry, line));
        return;
    }
    struct moehub_store_packet packet;
    assert_true(moehub_packet_manager_lock(&traffic->manager, way, entry, line, &packet));
    traffic_check_packet(traffic, way, &packet);
}

static inline void traffic_leave(struct traffic *traffic)
{
    for (unsigned i = 0; i < traffic->plans; i++) {
        struct plan *plan = &traffic->plan[i];
        const bool stored = plan == traffic->storing && !plan->aborted && !plan->rewritten;
        if (plan->progress != OPEN || stored || !moehub_packet_manager_leave(&traffic->manager, plan->entry))
            continue;
        traffic_check_left(traffic, plan);
        plan->progress = ENDED;
        traffic->left++;
    }
}

/* ---- the end of a context ------------------------------------------------------------------- */

static inline bool traffic_all_taken(const struct traffic *traffic, unsigned context)
{
    for (unsigned i = 0; i < traffic->plans; i++)
        if (traffic->plan[i].row.context == context && traffic->plan[i].progress == PLANNED)
            return false;
    return true;
}

static inline void traffic_abort(struct traffic *traffic, unsigned context)
{
    traffic->manager.contexts[context].closing = true;
    moehub_packet_manager_abort(&traffic->manager, context);
    for (unsigned i = 0; i < traffic->plans; i++)
        if (traffic->plan[i].row.context == context && traffic->plan[i].progress != PLANNED)
            traffic->plan[i].aborted = true;
}

/* CLOSE once no rows are to come; now and then ABORT. */
static inline void traffic_end(struct traffic *traffic)
{
    for (unsigned i = 0; i < traffic->manager.config.contexts; i++) {
        struct moehub_packet_manager_context *context = &traffic->manager.contexts[i];
        if (traffic->aborts != 0 && !context->closed && random_once_in(&traffic->random, traffic->aborts)) {
            traffic_abort(traffic, i);
        } else if (!context->closing && traffic_all_taken(traffic, i)) {
            context->closing = true;
            moehub_packet_manager_close(&traffic->manager, i);
        }
        struct moehub_flit flit;
        if (!moehub_packet_manager_next_close(&traffic->manager, i, &flit))
            continue;
        const struct moehub_header close = moehub_header_unpack(flit);
        assert_int_equal(close.type, MOEHUB_PACKET_CLOSE);
        assert_int_equal(close.context, i);
        assert_int_equal(close.row_index, traffic->pairs[i][close.offset]);
        traffic->pairs[i][close.offset] = UINT32_MAX;       /* none comes twice */
    }
}

static inline bool traffic_over(const struct traffic *traffic)
{
    bool over = traffic->storing == NULL;
    for (unsigned i = 0; i < traffic->manager.config.contexts; i++)
        over &= traffic->manager.contexts[i].closed;
    for (unsigned i = 0; i < traffic->plans; i++)
        over &= traffic->plan[i].progress == ENDED;
    return over;
}

/* ---- a round ---------------------------------------------------------------------------------- */

static inline void traffic_step(struct traffic *traffic)
{
    switch (random_below(&traffic->random, 16)) {
    case 0:
        traffic_take_row(traffic);
        break;
    case 1:
        traffic_list_data(traffic);
        break;
    case 2:
        traffic_decide(traffic);
        break;
    case 3:
        traffic_leave(traffic);
        traffic_end(traffic);
        break;
    case 4:
    case 5:
    case 6:
        traffic_send(traffic);
        break;
    case 7:
    case 8:
    case 9:
    case 10:
        traffic_visit(traffic);
        break;
    default:
        traffic_store(traffic);
    }
}

static inline bool traffic_rewritten(const struct traffic *traffic, unsigned context)
{
    bool rewritten = false;
    for (unsigned i = 0; i < traffic->plans; i++)
        rewritten |= traffic->plan[i].row.context == context && traffic->plan[i].rewritten;
    return rewritten;
}

/* `plans` rows from their opening to the closes. A round that does not end fails: who waits for ever is a deadlock. */
static inline void traffic_round(struct traffic *traffic, unsigned plans, unsigned round)
{
    struct moehub_packet_manager *manager = &traffic->manager;
    memset(traffic->pairs, 0, sizeof traffic->pairs);
    for (unsigned i = 0; i < manager->config.contexts; i++) {
        moehub_packet_manager_advance(manager, i);
        manager->contexts[i].clean = false;
        manager->contexts[i].round = round % 16;
    }
    traffic->plans = plans;
    for (unsigned i = 0; i < plans; i++)
        traffic_plan(traffic, i);
    for (unsigned step = 0; !traffic_over(traffic); step++) {
        assert_in_range(step, 0, 3000000);
        traffic_step(traffic);
    }
    for (unsigned i = 0; i < manager->config.contexts; i++) {
        assert_int_equal(manager->rows_open[i], 0);
        assert_true(!manager->contexts[i].failed || traffic_rewritten(traffic, i));
        for (unsigned gpu = 0; gpu < manager->config.gpus; gpu++)
            assert_true(traffic->pairs[i][gpu] == UINT32_MAX);
    }
    assert_int_equal(manager->lines_used, 0);
}

/* ---- begin and end ---------------------------------------------------------------------------- */

static inline void traffic_begin(struct traffic *traffic, const struct moehub_packet_manager_config *config, uint32_t row_size,
                                 unsigned seed)
{
    *traffic = (struct traffic){.random = random_from(seed), .plan = calloc(TRAFFIC_PLANS_MAX, sizeof *traffic->plan)};
    assert_non_null(traffic->plan);
    assert_int_equal(moehub_packet_manager_create(&traffic->manager, config), 0);
    for (unsigned i = 0; i < config->contexts; i++)
        traffic->manager.contexts[i] = (struct moehub_packet_manager_context){
            .enabled = true, .owner_shift = TRAFFIC_SHIFT, .row_size = row_size,
            .peers = config->gpus == 64 ? UINT64_MAX : (UINT64_C(1) << config->gpus) - 1};
}

/* What was counted is what was seen. */
static inline void traffic_finish(struct traffic *traffic)
{
    const uint64_t *counters = traffic->manager.counters;
    assert_int_equal(counters[MOEHUB_PACKET_MANAGER_EVENT_STORES], traffic->stores);
    assert_int_equal(counters[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE] + counters[MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART],
                     traffic->packets);
    assert_int_equal(counters[MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED], traffic->left);
    assert_int_equal(counters[MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT], traffic->left);
    const uint64_t late = counters[MOEHUB_PACKET_MANAGER_CAUSE_HANDLE] + counters[MOEHUB_PACKET_MANAGER_CAUSE_ABORTED];
    assert_in_range(traffic->dropped, late, late + counters[MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN]);
    assert_int_equal(counters[MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN] != 0, traffic->rewrites != 0);
    assert_int_equal(counters[MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE], 0);
    moehub_packet_manager_destroy(&traffic->manager);
    free(traffic->plan);
}

#endif
