/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/axi_memory.h"

#include "kit/memory_image.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WHEEL = AXI_MEMORY_LATENCY_MAX + 1, /* a bucket for every cycle that a response can be away */
    BLOCKS = 4096,                      /* hash buckets of outstanding accesses, by 64-byte block */
    APART = 1 << 16,                    /* accesses between the oldest unanswered one and the newest, at most */
    DATA_WORDS = 8,                     /* 512-bit data at most */
    NONE = -1,
};

/* An accepted access; accesses are linked by index: free, in a wheel bucket, or in the ready list. */
struct access {
    uint64_t address;
    uint64_t sequence;
    uint64_t data[DATA_WORDS];
    uint64_t strobes;
    uint32_t id;
    uint32_t bytes;
    int next;          /* in the list that it is in */
    int next_in_block; /* among the outstanding ones of the same hash bucket */
};

struct list {
    int head, tail;
};

/* One direction: reads or writes. Responses wait in a time wheel until their latency is over, then in the ready list;
 * an id's responses never get an earlier bucket than its last one, so they stay in order. */
struct direction {
    struct access pool[AXI_MEMORY_OUTSTANDING];
    int blocks[BLOCKS];
    struct list free, ready, wheel[WHEEL];
    uint64_t *last_of_id; /* cycle of the id's last response */
    uint64_t accepted, newest_left, answered, overtakes;
    uint64_t done;         /* all accesses up to this sequence number are answered */
    bool is_answered[APART]; /* by sequence number, of those above */
    unsigned outstanding, peak;
    int offered; /* the access whose response is on the pins, NONE when none */
    const char *name;
};

struct axi_memory {
    struct bench *bench;
    const char *prefix;
    char channel_names[5][64];
    struct axi_memory_options options;
    struct memory_image image;
    struct sink write_address, write_data, read_address;
    struct source write_response, read_data;
    struct random_source random;
    struct direction reads, writes;
    /* Addresses and data of writes, each in order, until both are there. */
    uint64_t waiting_addresses[AXI_MEMORY_OUTSTANDING][5];
    uint64_t waiting_data[AXI_MEMORY_OUTSTANDING][DATA_WORDS + 2];
    uint64_t address_head, address_tail, data_head, data_tail;
    unsigned data_bytes, data_words;
};

/* Fields of the address channels, in the order of their streams. */
enum { FIELD_ID, FIELD_ADDRESS, FIELD_LENGTH, FIELD_SIZE, FIELD_BURST };

/* ---- lists ------------------------------------------------------------------ */

static void list_append(struct direction *direction, struct list *list, int index)
{
    direction->pool[index].next = NONE;
    if (list->head == NONE)
        list->head = index;
    else
        direction->pool[list->tail].next = index;
    list->tail = index;
}

static int list_take(struct direction *direction, struct list *list)
{
    int index = list->head;
    if (index != NONE)
        list->head = direction->pool[index].next;
    return index;
}

static void list_move_all(struct direction *direction, struct list *from, struct list *to)
{
    if (from->head == NONE)
        return;
    if (to->head == NONE)
        to->head = from->head;
    else
        direction->pool[to->tail].next = from->head;
    to->tail = from->tail;
    from->head = NONE;
}

static void direction_clear(struct direction *direction)
{
    direction->free.head = direction->ready.head = direction->offered = NONE;
    for (int i = 0; i < WHEEL; i++)
        direction->wheel[i].head = NONE;
    for (int i = 0; i < BLOCKS; i++)
        direction->blocks[i] = NONE;
    for (int i = 0; i < AXI_MEMORY_OUTSTANDING; i++)
        list_append(direction, &direction->free, i);
    direction->outstanding = 0;
    direction->done = direction->accepted;
    memset(direction->is_answered, 0, sizeof direction->is_answered);
}

/* ---- outstanding accesses by place ------------------------------------------ */

static int *block_of(struct direction *direction, uint64_t address)
{
    return &direction->blocks[(address >> 6) % BLOCKS];
}

/* An access is aligned and at most 64 bytes: it lies in one block. Entries are 4 bytes. */
static bool overlaps(struct direction *direction, uint64_t address, unsigned bytes)
{
    for (int i = *block_of(direction, address); i != NONE; i = direction->pool[i].next_in_block) {
        const struct access *other = &direction->pool[i];
        uint64_t first = address & ~UINT64_C(3), other_first = other->address & ~UINT64_C(3);
        if (first < other->address + other->bytes && other_first < address + bytes)
            return true;
    }
    return false;
}

static void unlink_block(struct direction *direction, int index)
{
    int *link = block_of(direction, direction->pool[index].address);
    while (*link != index)
        link = &direction->pool[*link].next_in_block;
    *link = direction->pool[index].next_in_block;
}

/* ---- rules -------------------------------------------------------------------- */

static void check_address(struct axi_memory *memory, const char *channel, const uint64_t *item)
{
    struct bench *bench = memory->bench;
    uint64_t address = item[FIELD_ADDRESS], bytes = UINT64_C(1) << item[FIELD_SIZE];
    if (item[FIELD_LENGTH] != 0 || item[FIELD_BURST] > 1)
        bench_fail(bench, BENCH_MISMATCH, "%s: len %" PRIu64 " burst %" PRIu64 ", expected one beat (A2)", channel,
                   item[FIELD_LENGTH], item[FIELD_BURST]);
    if (bytes > memory->data_bytes || address % bytes != 0)
        bench_fail(bench, BENCH_MISMATCH, "%s: address 0x%" PRIx64 " with size %" PRIu64 " bytes: unaligned or too wide (A2)",
                   channel, address, bytes);
    if (address / 4096 != (address + bytes - 1) / 4096)
        bench_fail(bench, BENCH_MISMATCH, "%s: address 0x%" PRIx64 " crosses 4 KB (A3)", channel, address);
    if (memory->options.limit != 0 && (address < memory->options.base || address + bytes > memory->options.limit))
        bench_fail(bench, BENCH_MISMATCH, "%s: address 0x%" PRIx64 " is outside 0x%" PRIx64 " .. 0x%" PRIx64 " (A7)", channel,
                   address, memory->options.base, memory->options.limit);
}

/* The strobes that address and size select. */
static uint64_t legal_strobes(const struct axi_memory *memory, uint64_t address, uint64_t bytes)
{
    uint64_t lanes = bytes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << bytes) - 1;
    return lanes << address % memory->data_bytes;
}

static void check_strobes(struct axi_memory *memory, const uint64_t *address, uint64_t strobes, uint64_t last)
{
    uint64_t bytes = UINT64_C(1) << address[FIELD_SIZE];
    if (last != 1)
        bench_fail(memory->bench, BENCH_MISMATCH, "%s_w: last is low on a one-beat write (A2)", memory->prefix);
    if ((strobes & ~legal_strobes(memory, address[FIELD_ADDRESS], bytes)) != 0)
        bench_fail(memory->bench, BENCH_MISMATCH,
                   "%s_w: strobes 0x%" PRIx64 " outside the lanes of address 0x%" PRIx64 " size %" PRIu64 " (A4)",
                   memory->prefix, strobes, address[FIELD_ADDRESS], bytes);
}

/* ---- acceptance ------------------------------------------------------------------ */

/* Takes an access in and puts its response into the wheel. */
static struct access *accept(struct axi_memory *memory, struct direction *direction, struct direction *other,
                             const uint64_t *item)
{
    struct bench *bench = memory->bench;
    uint64_t address = item[FIELD_ADDRESS];
    unsigned bytes = 1u << item[FIELD_SIZE];
    if (overlaps(other, address, bytes))
        bench_fail(bench, BENCH_MISMATCH, "%s: entry at 0x%" PRIx64 ": a %s while a %s of it is unanswered (A5)", memory->prefix,
                   address, direction->name, other->name);
    int index = list_take(direction, &direction->free);
    if (direction->accepted - direction->done == APART)
        bench_fail(bench, BENCH_TIMEOUT, "%s: %d %ss since one that is not answered", memory->prefix, APART, direction->name);
    if (index == NONE)
        bench_fail(bench, BENCH_MISMATCH, "%s: more than %d %ss outstanding (A6)", memory->prefix, AXI_MEMORY_OUTSTANDING,
                   direction->name);
    struct access *access = &direction->pool[index];
    int *block = block_of(direction, address);
    *access = (struct access){.address = address, .bytes = bytes, .id = (uint32_t)item[FIELD_ID],
                              .sequence = ++direction->accepted, .next_in_block = *block};
    *block = index;
    uint64_t latency = random_range(&memory->random, memory->options.latency_minimum, memory->options.latency_maximum);
    uint64_t when = bench->cycle + latency;
    uint64_t *last = &direction->last_of_id[access->id];
    *last = when > *last ? when : *last;
    list_append(direction, &direction->wheel[*last % WHEEL], index);
    if (++direction->outstanding > direction->peak)
        direction->peak = direction->outstanding;
    return access;
}

static void accept_read(struct axi_memory *memory, const uint64_t *item)
{
    check_address(memory, memory->channel_names[2], item);
    accept(memory, &memory->reads, &memory->writes, item);
}

/* Pairs the oldest waiting address with the oldest waiting data. */
static void accept_write(struct axi_memory *memory)
{
    const uint64_t *address = memory->waiting_addresses[memory->address_head++ % AXI_MEMORY_OUTSTANDING];
    const uint64_t *data = memory->waiting_data[memory->data_head++ % AXI_MEMORY_OUTSTANDING];
    check_strobes(memory, address, data[memory->data_words], data[memory->data_words + 1]);
    struct access *access = accept(memory, &memory->writes, &memory->reads, address);
    memcpy(access->data, data, memory->data_words * sizeof *data);
    access->strobes = data[memory->data_words];
}

static void keep_write_address(struct axi_memory *memory, const uint64_t *item)
{
    check_address(memory, memory->channel_names[0], item);
    if (memory->address_tail - memory->address_head == AXI_MEMORY_OUTSTANDING)
        bench_fail(memory->bench, BENCH_MISMATCH, "%s: more than %d write addresses without data (A6)", memory->prefix,
                   AXI_MEMORY_OUTSTANDING);
    memcpy(memory->waiting_addresses[memory->address_tail++ % AXI_MEMORY_OUTSTANDING], item, 5 * sizeof *item);
}

static void keep_write_data(struct axi_memory *memory, const uint64_t *item)
{
    if (memory->data_tail - memory->data_head == AXI_MEMORY_OUTSTANDING)
        bench_fail(memory->bench, BENCH_MISMATCH, "%s: more than %d write data without address (A6)", memory->prefix,
                   AXI_MEMORY_OUTSTANDING);
    memcpy(memory->waiting_data[memory->data_tail++ % AXI_MEMORY_OUTSTANDING], item, (memory->data_words + 2) * sizeof *item);
}

/* ---- responses --------------------------------------------------------------------- */

static unsigned response_to(const struct axi_memory *memory, const struct access *access, bool is_write)
{
    if (memory->options.response == NULL)
        return AXI_OKAY;
    return memory->options.response(memory->options.response_context, access->address, is_write);
}

static bool is_error(unsigned response)
{
    return response == AXI_SLVERR || response == AXI_DECERR;
}

static void perform_write(struct axi_memory *memory, const struct access *access)
{
    uint64_t bus = access->address - access->address % memory->data_bytes;
    for (unsigned lane = 0; lane < memory->data_bytes; lane++)
        if (access->strobes >> lane & 1)
            memory_image_write_byte(&memory->image, bus + lane, (uint8_t)(access->data[lane / 8] >> 8 * (lane % 8)));
}

/* The lanes that were not asked for, and all of them with an error, carry junk. */
static void perform_read(struct axi_memory *memory, const struct access *access, bool error, uint64_t *data)
{
    for (unsigned i = 0; i < memory->data_words; i++)
        data[i] = random_next(&memory->random);
    uint64_t bus = access->address % memory->data_bytes;
    for (unsigned i = 0; i < access->bytes && !error; i++) {
        unsigned lane = (unsigned)bus + i;
        uint64_t byte = memory_image_read_byte(&memory->image, access->address + i);
        data[lane / 8] = (data[lane / 8] & ~(UINT64_C(0xff) << 8 * (lane % 8))) | byte << 8 * (lane % 8);
    }
    if (memory->data_bytes < 8)
        data[0] &= UINT64_C(0xffffffff);
}

static void offer_write_response(struct axi_memory *memory)
{
    struct direction *writes = &memory->writes;
    if (!source_free(&memory->write_response) || (writes->offered = list_take(writes, &writes->ready)) == NONE)
        return;
    const struct access *access = &writes->pool[writes->offered];
    unsigned response = response_to(memory, access, true);
    if (!is_error(response))
        perform_write(memory, access);
    uint64_t *item = source_offer(&memory->write_response);
    item[0] = access->id;
    item[1] = response;
}

static void offer_read_data(struct axi_memory *memory)
{
    struct direction *reads = &memory->reads;
    if (!source_free(&memory->read_data) || (reads->offered = list_take(reads, &reads->ready)) == NONE)
        return;
    const struct access *access = &reads->pool[reads->offered];
    unsigned response = response_to(memory, access, false);
    uint64_t *item = source_offer(&memory->read_data);
    item[0] = access->id;
    perform_read(memory, access, is_error(response), item + 1);
    item[1 + memory->data_words] = response;
    item[2 + memory->data_words] = 1; /* last */
}

/* The response has been taken. */
static void retire(struct direction *direction)
{
    const struct access *access = &direction->pool[direction->offered];
    if (access->sequence > direction->newest_left)
        direction->newest_left = access->sequence;
    else
        direction->overtakes++;
    direction->is_answered[access->sequence % APART] = true;
    for (; direction->is_answered[(direction->done + 1) % APART]; direction->done++)
        direction->is_answered[(direction->done + 1) % APART] = false;
    unlink_block(direction, direction->offered);
    list_append(direction, &direction->free, direction->offered);
    direction->offered = NONE;
    direction->outstanding--;
    direction->answered++;
}

/* ---- the cycle ------------------------------------------------------------------------ */

static void set_stalls(struct axi_memory *memory)
{
    struct stream *streams[] = {&memory->write_address.stream, &memory->write_data.stream, &memory->read_address.stream,
                                &memory->write_response.stream, &memory->read_data.stream};
    for (unsigned i = 0; i < 5; i++)
        streams[i]->stall.kind = streams[i]->stall.now = memory->options.stall;
}

void axi_memory_drive(struct axi_memory *memory)
{
    if (memory->options.stall != memory->read_data.stream.stall.kind)
        set_stalls(memory);
    uint64_t bucket = memory->bench->cycle % WHEEL;
    list_move_all(&memory->writes, &memory->writes.wheel[bucket], &memory->writes.ready);
    list_move_all(&memory->reads, &memory->reads.wheel[bucket], &memory->reads.ready);
    offer_write_response(memory);
    offer_read_data(memory);
    sink_drive(&memory->write_address);
    sink_drive(&memory->write_data);
    sink_drive(&memory->read_address);
    source_drive(&memory->write_response);
    source_drive(&memory->read_data);
}

/* A reset of the design forgets what is in flight. */
static void forget(struct axi_memory *memory)
{
    memory->address_head = memory->address_tail;
    memory->data_head = memory->data_tail;
    if (memory->reads.outstanding > 0)
        direction_clear(&memory->reads);
    if (memory->writes.outstanding > 0)
        direction_clear(&memory->writes);
}

void axi_memory_sample(struct axi_memory *memory)
{
    const uint64_t *address = sink_sample(&memory->write_address);
    const uint64_t *data = sink_sample(&memory->write_data);
    const uint64_t *read = sink_sample(&memory->read_address);
    bool write_answered = source_sample(&memory->write_response) != NULL;
    bool read_answered = source_sample(&memory->read_data) != NULL;
    if (memory->bench->reset) {
        forget(memory);
        return;
    }
    if (write_answered)
        retire(&memory->writes);
    if (read_answered)
        retire(&memory->reads);
    if (address != NULL)
        keep_write_address(memory, address);
    if (data != NULL)
        keep_write_data(memory, data);
    if (memory->address_head != memory->address_tail && memory->data_head != memory->data_tail)
        accept_write(memory);
    if (read != NULL)
        accept_read(memory, read);
}

/* ---- creation --------------------------------------------------------------------------- */

static void create_channels(struct axi_memory *memory)
{
    static const char *const channels[5] = {"_aw", "_w", "_ar", "_b", "_r"};
    struct bench *bench = memory->bench;
    enum stall_kind stall = memory->options.stall;
    for (int i = 0; i < 5; i++)
        snprintf(memory->channel_names[i], sizeof memory->channel_names[i], "%s%s", memory->prefix, channels[i]);
    sink_create(&memory->write_address, bench, memory->channel_names[0], "id addr len size burst", stall);
    sink_create(&memory->write_data, bench, memory->channel_names[1], "data strb last", stall);
    sink_create(&memory->read_address, bench, memory->channel_names[2], "id addr len size burst", stall);
    source_create(&memory->write_response, bench, memory->channel_names[3], "id resp", stall);
    source_create(&memory->read_data, bench, memory->channel_names[4], "id data resp last", stall);
    memory->data_bytes = memory->write_data.stream.table.fields[0].bits / 8;
    memory->data_words = field_words(memory->data_bytes * 8);
}

static void create_direction(struct axi_memory *memory, struct direction *direction, const char *name,
                             const struct stream *stream)
{
    unsigned id_bits = stream->table.fields[FIELD_ID].bits;
    if (id_bits > 20)
        bench_fail(memory->bench, BENCH_CONFIGURATION, "%s: ids of %u bits, at most 20", memory->prefix, id_bits);
    direction->name = name;
    direction->last_of_id = calloc((size_t)1 << id_bits, sizeof *direction->last_of_id);
    if (direction->last_of_id == NULL)
        bench_fail(memory->bench, BENCH_CONFIGURATION, "%s: out of memory", memory->prefix);
    direction_clear(direction);
}

struct axi_memory *axi_memory_create(struct bench *bench, const char *prefix, const struct axi_memory_options *options)
{
    struct axi_memory *memory = calloc(1, sizeof *memory);
    if (memory == NULL || options->latency_minimum < 1 || options->latency_minimum > options->latency_maximum ||
        options->latency_maximum > AXI_MEMORY_LATENCY_MAX)
        bench_fail(bench, BENCH_CONFIGURATION, "%s: latency %u .. %u, possible are 1 .. %d", prefix, options->latency_minimum,
                   options->latency_maximum, AXI_MEMORY_LATENCY_MAX);
    memory->bench = bench;
    memory->prefix = prefix;
    memory->options = *options;
    bench_random(bench, &memory->random, prefix);
    memory_image_create(&memory->image, random_next(&memory->random), options->zero);
    create_channels(memory);
    create_direction(memory, &memory->reads, "read", &memory->read_address.stream);
    create_direction(memory, &memory->writes, "write", &memory->write_address.stream);
    return memory;
}

void axi_memory_destroy(struct axi_memory *memory)
{
    if (memory == NULL)
        return;
    memory_image_destroy(&memory->image);
    free(memory->reads.last_of_id);
    free(memory->writes.last_of_id);
    free(memory);
}

struct axi_memory_options *axi_memory_options(struct axi_memory *memory)
{
    return &memory->options;
}

uint32_t axi_memory_read(struct axi_memory *memory, uint64_t address)
{
    return memory_image_read(&memory->image, address);
}

void axi_memory_write(struct axi_memory *memory, uint64_t address, uint32_t value)
{
    memory_image_write(&memory->image, address, value);
}

uint32_t axi_memory_initial(const struct axi_memory *memory, uint64_t address)
{
    return memory_image_initial(&memory->image, address);
}

unsigned axi_memory_outstanding(const struct axi_memory *memory)
{
    return memory->reads.outstanding + memory->writes.outstanding + (unsigned)(memory->address_tail - memory->address_head) +
           (unsigned)(memory->data_tail - memory->data_head);
}

uint64_t axi_memory_reads_done(const struct axi_memory *memory)
{
    return memory->reads.done;
}

uint64_t axi_memory_writes_done(const struct axi_memory *memory)
{
    return memory->writes.done;
}

struct axi_memory_counts axi_memory_counts(const struct axi_memory *memory)
{
    return (struct axi_memory_counts){
        .reads = memory->reads.answered,
        .writes = memory->writes.answered,
        .overtakes = memory->reads.overtakes + memory->writes.overtakes,
        .reads_peak = memory->reads.peak,
        .writes_peak = memory->writes.peak,
    };
}
