/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_traffic.h"

#include "bench/switch/reduction_config.h"
#include "kit/options.h"
#include "moehub/element.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reduction_traffic_create(struct reduction_traffic *traffic, const struct moehub_reduction_buffer_config *config,
                              uint64_t seed, const char *name)
{
    *traffic = (struct reduction_traffic){.config = *config, .requests_left = UINT64_MAX};
    random_init(&traffic->random, seed, name);
    traffic->jobs = calloc(config->entries, sizeof *traffic->jobs);
    traffic->open = calloc(config->entries, sizeof *traffic->open);
    traffic->groups = calloc(moehub_reduction_buffer_groups(config), sizeof *traffic->groups);
    if (traffic->jobs == NULL || traffic->open == NULL || traffic->groups == NULL) {
        fprintf(stderr, "reduction traffic: out of memory\n");
        exit(BENCH_CONFIGURATION);
    }
    traffic->mood.contributors = reduction_config_contributors(config);
}

void reduction_traffic_destroy(struct reduction_traffic *traffic)
{
    free(traffic->jobs);
    free(traffic->open);
    free(traffic->groups);
}

void reduction_traffic_end(struct reduction_traffic *traffic)
{
    traffic->ending = true;
}

/* ---- moods ---------------------------------------------------------------------------------------------------------- */

static uint32_t draw_rate(struct random_source *random)
{
    static const uint32_t rates[] = {0, 4, 64, 512};
    return rates[random_below(random, 4)];
}

static void draw_mood(struct reduction_traffic *traffic)
{
    struct random_source *random = &traffic->random;
    unsigned most = reduction_config_contributors(&traffic->config);
    static const unsigned sizes[] = {1, 2, 7, 64};
    unsigned size = sizes[random_below(random, 4)];
    traffic->mood = (struct reduction_mood){
        .order = (enum reduction_order)random_below(random, ORDERS),
        .payload = (enum reduction_payload)random_below(random, PAYLOAD_STYLES),
        .wrong_requests = draw_rate(random),
        .wrong_partials = draw_rate(random),
        .gaps = draw_rate(random),
        .contributors = size < most ? size : most,
        .one_flit = random_chance(random, 1, 4),
        .full_length = random_chance(random, 1, 4),
        .starve = random_chance(random, 1, 4),
        .commands = random_chance(random, 1, 2),
    };
    if (traffic->config.with_release != 0)
        traffic->mood.slow_copies = random_chance(random, 1, 2);
    traffic->mood_left = (uint32_t)random_range(random, 256, 4096);
}

static void pass_time(struct reduction_traffic *traffic)
{
    if (traffic->calm)
        return;
    if (traffic->mood_left == 0)
        draw_mood(traffic);
    traffic->mood_left--;
}

/* ---- reservations ---------------------------------------------------------------------------------------------------- */

/* A random set of `size` ports without the buffer's own. */
static uint64_t draw_ports(struct reduction_traffic *traffic, unsigned size)
{
    uint64_t set = 0;
    while ((unsigned)__builtin_popcountll(set) < size) {
        uint64_t port = random_below(&traffic->random, traffic->config.ports);
        if (port != traffic->config.own_port)
            set |= (uint64_t)1 << port;
    }
    return set;
}

static uint16_t draw_length(struct reduction_traffic *traffic, unsigned element)
{
    unsigned size = moehub_element_size(element);
    unsigned payload = traffic->config.payload_bytes - traffic->config.payload_bytes % size;
    if (traffic->mood.full_length)
        return (uint16_t)payload;
    unsigned longest = traffic->mood.one_flit && traffic->config.flit_bytes >= size ? traffic->config.flit_bytes : payload;
    return (uint16_t)(size * random_range(&traffic->random, 1, longest / size));
}

void reduction_traffic_legal_reserve(struct reduction_traffic *traffic, struct moehub_reduction_reserve *reserve)
{
    struct random_source *random = &traffic->random;
    unsigned elements = traffic->config.with_fp32 ? 3 : 2;
    *reserve = (struct moehub_reduction_reserve){
        .tag = random_bits(random, traffic->config.tag_width),
        .requester = (uint16_t)random_bits(random, 10),
        .element = (uint8_t)random_below(random, elements),
        .out_fp32 = random_chance(random, 1, 2),
    };
    if (traffic->mood.plain) {
        reserve->element = MOEHUB_ELEMENT_BF16;
        reserve->out_fp32 = false;
    }
    unsigned fewest = traffic->mood.plain ? traffic->mood.contributors : 1;
    reserve->contributors = draw_ports(traffic, (unsigned)random_range(random, fewest, traffic->mood.contributors));
    reserve->length = draw_length(traffic, reserve->element);
    if (traffic->config.request_lines > 1)
        reserve->lines_less_1 = (uint8_t)random_below(random, traffic->config.request_lines);
}

static void spoil_contributors(struct reduction_traffic *traffic, struct moehub_reduction_reserve *reserve)
{
    uint64_t all = traffic->config.ports == 64 ? UINT64_MAX : ((uint64_t)1 << traffic->config.ports) - 1;
    switch (random_below(&traffic->random, 3)) {
    case 0:
        reserve->contributors = 0;
        break;
    case 1:
        reserve->contributors |= (uint64_t)1 << traffic->config.own_port;
        break;
    default:
        reserve->contributors = random_chance(&traffic->random, 1, 2) ? all & ~((uint64_t)1 << traffic->config.own_port)
                                                                      : random_next(&traffic->random) & all;
    }
}

static void spoil_length(struct reduction_traffic *traffic, struct moehub_reduction_reserve *reserve)
{
    switch (random_below(&traffic->random, 4)) {
    case 0:
        reserve->length = 0;
        break;
    case 1:
        reserve->length = (uint16_t)random_range(&traffic->random, traffic->config.payload_bytes, 511);
        break;
    case 2:
        reserve->length ^= 1;
        break;
    default:
        reserve->length ^= 2;
    }
}

static void spoil_reserve(struct reduction_traffic *traffic, struct moehub_reduction_reserve *reserve)
{
    uint64_t kinds = random_range(&traffic->random, 1, 7); /* one cause, or several at once */
    if (kinds & 1)
        spoil_contributors(traffic, reserve);
    if (kinds & 2)
        reserve->element = (uint8_t)random_range(&traffic->random, 2, 3);
    if (kinds & 4)
        spoil_length(traffic, reserve);
}

static bool next_reserve(void *context, struct moehub_reduction_reserve *reserve)
{
    struct reduction_traffic *traffic = context;
    if (traffic->ending || traffic->requests_left == 0)
        return false;
    reduction_traffic_legal_reserve(traffic, reserve);
    if (random_chance(&traffic->random, traffic->mood.wrong_requests, 1024))
        spoil_reserve(traffic, reserve);
    traffic->requests_left--;
    return true;
}

/* ---- the entries as the sender of the partials knows them ---------------------------------------------------------------- */

static void open_entry(struct reduction_traffic *traffic, uint32_t entry)
{
    traffic->jobs[entry].open = true;
    traffic->jobs[entry].place = traffic->open_count;
    traffic->open[traffic->open_count++] = entry;
}

static void close_entry(struct reduction_traffic *traffic, uint32_t entry)
{
    struct reduction_job *job = &traffic->jobs[entry];
    if (!job->open)
        return;
    uint32_t last = traffic->open[--traffic->open_count];
    traffic->open[job->place] = last;
    traffic->jobs[last].place = job->place;
    job->open = false;
}

static struct reduction_traffic_group *group_of(const struct reduction_traffic *traffic, unsigned entry)
{
    return &traffic->groups[entry / traffic->config.request_lines];
}

static void open_line(struct reduction_traffic *traffic, uint32_t entry, const struct moehub_reduction_reserve *reserve,
                      unsigned length)
{
    struct reduction_job *job = &traffic->jobs[entry];
    job->contributors = job->missing = reserve->contributors;
    job->number = traffic->reservations++;
    job->length = (uint16_t)length;
    job->element = reserve->element;
    job->payload = (uint8_t)traffic->mood.payload;
    job->has_earlier = false;
    open_entry(traffic, entry);
}

static void granted(void *context, const struct moehub_reduction_reserve *reserve, const struct moehub_reduction_grant *grant)
{
    struct reduction_traffic *traffic = context;
    if (grant->status != MOEHUB_STATUS_OK || grant->entry >= traffic->config.entries)
        return;
    *group_of(traffic, grant->entry) = (struct reduction_traffic_group){
        .generation = grant->generation,
        .used = true,
        .in_use = true,
        .copied = true,
        .release_at = traffic->release_calls,
    };
    if (traffic->mood.slow_copies)
        group_of(traffic, grant->entry)->release_at += random_below(&traffic->random, 2000);
    for (unsigned line = 0; line < traffic->config.request_lines; line++)
        close_entry(traffic, grant->entry + line);
    for (unsigned line = 0; line < reserve->lines_less_1; line++)
        open_line(traffic, grant->entry + line, reserve, traffic->config.payload_bytes);
    open_line(traffic, grant->entry + reserve->lines_less_1, reserve, reserve->length);
}

static void freed(void *context, unsigned entry)
{
    struct reduction_traffic *traffic = context;
    if (entry < traffic->config.entries)
        group_of(traffic, entry)->in_use = false;
}

static void result_taken(void *context, unsigned entry, unsigned status)
{
    struct reduction_traffic *traffic = context;
    (void)status;
    if (entry >= traffic->config.entries)
        return;
    close_entry(traffic, entry);
    if (!moehub_reduction_buffer_has_groups(&traffic->config))
        freed(context, entry);
}

static void timed_out(void *context, unsigned entry)
{
    struct reduction_traffic *traffic = context;
    if (entry < traffic->config.entries)
        close_entry(traffic, entry);
}

static void reset(void *context)
{
    struct reduction_traffic *traffic = context;
    memset(traffic->jobs, 0, traffic->config.entries * sizeof *traffic->jobs);
    memset(traffic->groups, 0, moehub_reduction_buffer_groups(&traffic->config) * sizeof *traffic->groups);
    traffic->open_count = 0;
    traffic->past_count = 0;
    traffic->resume_in = traffic->timeout_off_in = 0;
    traffic->timeouts = false;
}

/* ---- partials -------------------------------------------------------------------------------------------------------------- */

/* Whether a network could deliver this name now: not one that the group's next use will have, which may be granted in
 * this very moment. */
static bool is_possible(const struct reduction_traffic *traffic, unsigned entry, unsigned generation)
{
    if (entry >= traffic->config.entries)
        return true;
    const struct reduction_traffic_group *group = group_of(traffic, entry);
    unsigned next = group->used ? (group->generation + 1u) & ((1u << traffic->config.generation_width) - 1) : 0;
    return group->in_use || generation != next;
}

static uint32_t choose_favourite(struct reduction_traffic *traffic)
{
    if (!traffic->jobs[traffic->favourite].open)
        traffic->favourite = traffic->open[random_below(&traffic->random, traffic->open_count)];
    return traffic->favourite;
}

static uint32_t choose_oldest(const struct reduction_traffic *traffic)
{
    uint32_t oldest = traffic->open[0];
    for (uint32_t i = 1; i < traffic->open_count; i++)
        if (traffic->jobs[traffic->open[i]].number < traffic->jobs[oldest].number)
            oldest = traffic->open[i];
    return oldest;
}

/* An entry with missing ports; false when none is to be served now. */
static bool choose_entry(struct reduction_traffic *traffic, uint32_t *entry)
{
    if (traffic->open_count == 0)
        return false;
    switch (traffic->mood.order) {
    case ORDER_SAME:
        *entry = choose_favourite(traffic);
        break;
    case ORDER_ALTERNATE:
        *entry = traffic->open[traffic->turn++ % (traffic->open_count < 2 ? 1 : 2)];
        break;
    case ORDER_OLDEST:
        *entry = choose_oldest(traffic);
        break;
    default:
        *entry = traffic->open[random_below(&traffic->random, traffic->open_count)];
    }
    bool starved = traffic->mood.starve && traffic->timeouts && !traffic->ending && traffic->jobs[*entry].number % 4 == 0;
    return !starved;
}

static uint8_t choose_port(struct random_source *random, uint64_t set)
{
    uint64_t skip = random_below(random, (uint64_t)__builtin_popcountll(set));
    while (skip-- > 0)
        set &= set - 1;
    return (uint8_t)__builtin_ctzll(set);
}

/* The partial that the entry is waiting for, without payload. */
static void right_packet(struct reduction_traffic *traffic, uint32_t entry, struct moehub_reduction_partial *header)
{
    const struct reduction_job *job = &traffic->jobs[entry];
    *header = (struct moehub_reduction_partial){
        .entry = (uint16_t)entry,
        .generation = group_of(traffic, entry)->generation,
        .port = choose_port(&traffic->random, job->missing),
        .element = job->element,
        .length = job->length,
        .flits = reduction_config_flits(&traffic->config, job->length),
    };
}

/* Other length of flits: the last comes early or late. */
static void spoil_framing(struct reduction_traffic *traffic, struct moehub_reduction_partial *header)
{
    if (header->flits > 1 && random_chance(&traffic->random, 1, 2))
        header->flits = (uint32_t)random_range(&traffic->random, 1, header->flits - 1);
    else
        header->flits += (uint32_t)random_range(&traffic->random, 1, REDUCTION_EXTRA_FLITS);
}

static void spoil_status(struct reduction_traffic *traffic, struct moehub_reduction_partial *header)
{
    header->status = (uint8_t)random_range(&traffic->random, 1, 15);
    if (random_chance(&traffic->random, 3, 4))
        header->flits = 1;
}

static void spoil_name(struct reduction_traffic *traffic, struct moehub_reduction_partial *header)
{
    struct random_source *random = &traffic->random;
    const struct moehub_reduction_buffer_config *config = &traffic->config;
    switch (random_below(random, 4)) {
    case 0: /* no such entry */
        header->entry = random_chance(random, 1, 2) ? (uint16_t)config->entries
                                                    : (uint16_t)random_range(random, config->entries, UINT16_MAX);
        break;
    case 1: /* another generation */
        header->generation ^= (uint8_t)random_range(random, 1, 255);
        break;
    case 2: /* another entry */
        header->entry = (uint16_t)random_below(random, config->entries);
        header->generation = group_of(traffic, header->entry)->generation;
        break;
    default: /* any port: foreign, duplicate or right */
        header->port = (uint8_t)random_below(random, config->ports);
    }
}

static void spoil_packet(struct reduction_traffic *traffic, struct moehub_reduction_partial *header)
{
    struct random_source *random = &traffic->random;
    uint64_t kinds = random_chance(random, 3, 4) ? (uint64_t)1 << random_below(random, 5) : random_range(random, 1, 31);
    if (kinds & 1)
        spoil_name(traffic, header);
    if (kinds & 2)
        spoil_status(traffic, header);
    if (kinds & 4)
        header->element ^= (uint8_t)random_range(random, 1, 3);
    if (kinds & 8)
        header->length ^= (uint16_t)random_range(random, 1, 511);
    if (kinds & 16)
        spoil_framing(traffic, header);
}

/* A packet that was sent before: late, duplicate or of an older use. */
static bool past_packet(struct reduction_traffic *traffic, struct moehub_reduction_partial *header)
{
    uint32_t kept = traffic->past_count < REDUCTION_PAST ? traffic->past_count : REDUCTION_PAST;
    if (kept == 0)
        return false;
    *header = traffic->past[random_below(&traffic->random, kept)];
    return true;
}

/* The header of the next packet, right or wrong; false for none. */
static bool choose_header(struct reduction_traffic *traffic, struct moehub_reduction_partial *header)
{
    bool wrong = !traffic->ending && random_chance(&traffic->random, traffic->mood.wrong_partials, 1024);
    if (wrong && random_chance(&traffic->random, 1, 3))
        return past_packet(traffic, header);
    uint32_t entry;
    if (!choose_entry(traffic, &entry))
        return false;
    right_packet(traffic, entry, header);
    if (wrong)
        spoil_packet(traffic, header);
    return true;
}

static void fill_payload(struct reduction_traffic *traffic, struct reduction_packet *packet, struct reduction_job *job)
{
    size_t bytes = (size_t)packet->header.flits * traffic->config.flit_bytes;
    enum reduction_payload style = job != NULL ? (enum reduction_payload)job->payload : PAYLOAD_RANDOM;
    const uint8_t *earlier = job != NULL && job->has_earlier ? job->earlier : NULL;
    size_t kept = job != NULL && job->length < bytes ? job->length : bytes;
    if (kept > MOEHUB_REDUCTION_PAYLOAD_MAX)
        kept = MOEHUB_REDUCTION_PAYLOAD_MAX;
    reduction_payload_fill(&traffic->random, style, packet->header.element, packet->data, kept, earlier);
    reduction_payload_fill(&traffic->random, PAYLOAD_RANDOM, 0, packet->data + kept, bytes - kept, NULL);
    if (job == NULL || style != PAYLOAD_CANCEL)
        return;
    job->has_earlier = !job->has_earlier; /* pairs that cancel */
    memcpy(job->earlier, packet->data, kept);
}

/* Keeps the books: the port has answered. */
static void account(struct reduction_traffic *traffic, const struct moehub_reduction_partial *header)
{
    traffic->past[traffic->past_count++ % REDUCTION_PAST] = *header;
    if (header->entry >= traffic->config.entries)
        return;
    struct reduction_job *job = &traffic->jobs[header->entry];
    if (!job->open || header->generation != group_of(traffic, header->entry)->generation)
        return;
    job->missing &= ~((uint64_t)1 << header->port);
    if (job->missing == 0)
        close_entry(traffic, header->entry);
}

static bool next_packet(void *context, struct reduction_packet *packet)
{
    struct reduction_traffic *traffic = context;
    struct moehub_reduction_partial *header = &packet->header;
    pass_time(traffic);
    if (random_chance(&traffic->random, traffic->mood.gaps, 1024))
        return false;
    if (!choose_header(traffic, header) || !is_possible(traffic, header->entry, header->generation))
        return false;
    bool known = header->entry < traffic->config.entries && traffic->jobs[header->entry].open;
    fill_payload(traffic, packet, known ? &traffic->jobs[header->entry] : NULL);
    account(traffic, header);
    return true;
}

/* ---- commands ------------------------------------------------------------------------------------------------------------ */

/* Mostly none; when one is set it stays for a while only, for it ends nearly everything. With a quarantine 2^30 is the
 * longest. */
static uint32_t draw_timeout(struct reduction_traffic *traffic)
{
    const uint32_t longest[] = {0, 0, 8, 100, 100 * traffic->config.entries};
    if (random_chance(&traffic->random, 1, 8))
        return traffic->config.quarantine == 0 ? UINT32_MAX : (UINT32_C(1) << 30) + (uint32_t)random_below(&traffic->random, 2);
    return (uint32_t)random_range(&traffic->random, 0, longest[random_below(&traffic->random, 5)]);
}

static void draw_command(struct reduction_traffic *traffic, struct reduction_command *command)
{
    *command = (struct reduction_command){.operation = (unsigned)random_below(&traffic->random, 4)};
    command->data = (uint32_t)random_next(&traffic->random);
    if (random_chance(&traffic->random, 1, 8))
        command->operation = (unsigned)random_range(&traffic->random, 4, 15);
    if (command->operation == MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET) {
        command->data = draw_timeout(traffic);
        if (traffic->config.quarantine != 0 && random_chance(&traffic->random, 1, 4)) /* around what is refused */
            command->port_timeout = command->data + (uint32_t)random_below(&traffic->random, 3);
        traffic->timeouts = command->data != 0 && command->data < UINT32_C(1) << 30 && command->data >= command->port_timeout;
        traffic->timeout_off_in = (uint32_t)random_range(&traffic->random, 100, 1000 + 10 * traffic->config.entries);
    }
    if (command->operation == MOEHUB_REDUCTION_COMMAND_DRAIN)
        traffic->resume_in = (uint32_t)random_range(&traffic->random, 20, 600);
}

static bool next_command(void *context, struct reduction_command *command)
{
    struct reduction_traffic *traffic = context;
    if (traffic->resume_in > 0 && --traffic->resume_in == 0) {
        *command = (struct reduction_command){.operation = MOEHUB_REDUCTION_COMMAND_RESUME};
        return true;
    }
    if (traffic->timeout_off_in > 0 && --traffic->timeout_off_in == 0) {
        *command = (struct reduction_command){.operation = MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET};
        traffic->timeouts = false;
        return true;
    }
    if (traffic->ending || traffic->calm || !traffic->mood.commands || !random_chance(&traffic->random, 1, 200))
        return false;
    draw_command(traffic, command);
    return true;
}

/* ---- released ------------------------------------------------------------------------------------------------------------- */

/* An entry of a group whose copies have left; false for none. */
static bool choose_released(struct reduction_traffic *traffic, unsigned *entry)
{
    const unsigned groups = moehub_reduction_buffer_groups(&traffic->config), lines = traffic->config.request_lines;
    const unsigned start = (unsigned)random_below(&traffic->random, groups);
    for (unsigned i = 0; i < groups; i++) {
        struct reduction_traffic_group *group = &traffic->groups[(start + i) % groups];
        if (!group->in_use || !group->copied || (traffic->release_calls < group->release_at && !traffic->ending))
            continue;
        group->copied = false;
        *entry = (start + i) % groups * lines + (unsigned)random_below(&traffic->random, lines);
        return true;
    }
    return false;
}

/* Now and then one that nobody waits for: too early, once more, of no group. */
static bool next_released(void *context, unsigned *entry)
{
    struct reduction_traffic *traffic = context;
    if (traffic->config.with_release == 0)
        return false;
    traffic->release_calls++;
    if (traffic->ending || !random_chance(&traffic->random, 1, 64))
        return choose_released(traffic, entry);
    *entry = random_chance(&traffic->random, 3, 4) ? (unsigned)random_below(&traffic->random, traffic->config.entries)
             : random_chance(&traffic->random, 1, 2)
                 ? traffic->config.entries
                 : (unsigned)random_range(&traffic->random, traffic->config.entries, UINT16_MAX);
    return true;
}

struct reduction_stimulus reduction_traffic_stimulus(struct reduction_traffic *traffic)
{
    return (struct reduction_stimulus){
        .context = traffic,
        .next_reserve = next_reserve,
        .next_packet = next_packet,
        .next_command = next_command,
        .next_released = next_released,
        .granted = granted,
        .result_taken = result_taken,
        .timed_out = timed_out,
        .freed = freed,
        .reset = reset,
    };
}
