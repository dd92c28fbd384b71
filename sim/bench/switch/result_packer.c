/* SPDX-License-Identifier: Apache-2.0 */
/* Result packer against the C model: results of every length and errors of every status, at full rate and under stalls. What
 * leaves is also checked as the requester's hub checks it. Resets in traffic. */
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stream.h"
#include "moehub/packet_check.h"
#include "moehub/result_packer.h"

enum { AT_TAG, AT_STATUS, AT_ELEMENT, AT_LENGTH, AT_ENTRY, AT_DATA, AT_LAST = AT_DATA + 2 };
enum { OUT_DATA, OUT_LAST = 2, OUT_FLITS, OUT_WORDS };

struct packer_bench {
    struct bench bench;
    struct source results;
    struct sink packets;
    const struct pin *own;
    struct scoreboard flits;
    struct random_source random;
    uint32_t request_lines;
    struct moehub_check_config hub;              /* whose results they are: of the port's own number */
    struct moehub_reduction_result result;       /* being offered */
    unsigned sent;                               /* flits of it that were taken */
    bool draining;                               /* no further result is offered */
    struct moehub_flit packet[MOEHUB_RESPONSE_LONGEST]; /* that leaves */
    unsigned left;                               /* flits of it that have left */
    bool offered_alone;                          /* a result showed in the last cycle, when nothing was in its way */
    bool was_reset;                              /* in the last cycle */
    uint64_t taken, errors, longest, wrapped, prompt;
};

/* ---- results --------------------------------------------------------------------------------------------------- */

static void draw_result(struct packer_bench *self)
{
    struct moehub_reduction_result *result = &self->result;
    const bool last_tags = random_chance(&self->random, 1, 8);
    const uint32_t tag = last_tags ? MOEHUB_TAG_MASK - (uint32_t)random_below(&self->random, 8)
                                   : (uint32_t)random_bits(&self->random, 24);
    *result = (struct moehub_reduction_result){
        .tag = moehub_result_tag((unsigned)random_below(&self->random, 16), (unsigned)random_below(&self->random, 8), tag),
        .entry = (uint16_t)random_bits(&self->random, 16),
        .element = (uint8_t)random_below(&self->random, 3),
        .flits = 1,
    };
    if (random_chance(&self->random, 1, 4))
        result->status = (uint8_t)random_range(&self->random, 1, 15);
    else {
        result->flits = (uint16_t)(random_chance(&self->random, 1, 8) ? 16 : random_range(&self->random, 1, 16));
        result->length = (uint16_t)(MOEHUB_FLIT_BYTES * result->flits);
    }
    for (unsigned i = 0; i < MOEHUB_FLIT_BYTES * result->flits; i++)
        result->data[i] = (uint8_t)random_bits(&self->random, 8);
    self->errors += result->status != MOEHUB_STATUS_OK;
    self->longest += result->flits == 16;
    self->wrapped += tag + result->entry % self->request_lines > MOEHUB_TAG_MASK;
}

static void offer(struct packer_bench *self)
{
    if (self->sent == 0)
        draw_result(self);
    const struct moehub_reduction_result *result = &self->result;
    const struct moehub_flit data = moehub_flit_from_bytes(result->data + (size_t)MOEHUB_FLIT_BYTES * self->sent);
    uint64_t *item = source_offer(&self->results);
    item[AT_TAG] = result->tag;
    item[AT_STATUS] = result->status;
    item[AT_ELEMENT] = result->element;
    item[AT_LENGTH] = result->length;
    item[AT_ENTRY] = result->entry;
    item[AT_DATA] = data.half[0];
    item[AT_DATA + 1] = data.half[1];
    item[AT_LAST] = self->sent + 1u == result->flits;
}

static void expect(struct packer_bench *self)
{
    struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST];
    const unsigned count = moehub_result_pack((unsigned)pin_get(self->own), self->request_lines, &self->result, flits);
    for (unsigned i = 0; i < count; i++) {
        const uint64_t item[OUT_WORDS] = {flits[i].half[0], flits[i].half[1], i + 1 == count, count};
        scoreboard_expect(&self->flits, 0, item);
    }
}

/* ---- packets ------------------------------------------------------------------------------------------------------ */

static void receive(struct packer_bench *self, const uint64_t *item)
{
    scoreboard_check(&self->flits, 0, item);
    self->taken++;
    self->packet[self->left++] = (struct moehub_flit){{item[OUT_DATA], item[OUT_DATA + 1]}};
    if (!item[OUT_LAST])
        return;
    const struct moehub_packet_verdict verdict =
        moehub_packet_check(&self->hub, MOEHUB_CLASS_RESPONSE, self->packet, self->left, false);
    if (verdict.cause != MOEHUB_PACKET_CAUSES)
        bench_fail(&self->bench, BENCH_MISMATCH, "the requester's hub would refuse the packet: cause %u", verdict.cause);
    self->left = 0;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------ */

/* A header shows in the cycle after its result does, when nothing is in its way, as a reset in the cycle before is. */
static void check_latency(struct packer_bench *self)
{
    const bool there = pin_get(self->packets.stream.valid) != 0;
    if (self->offered_alone && !there)
        bench_fail(&self->bench, BENCH_MISMATCH, "no header in the cycle after its result");
    self->prompt += self->offered_alone;
    self->offered_alone =
        !self->was_reset && self->sent == 0 && pin_get(self->results.stream.valid) != 0 && !there;
    self->was_reset = self->bench.reset;
}

static void follow_result(struct packer_bench *self)
{
    const uint64_t *item = source_sample(&self->results);
    if (item == NULL)
        return;
    if (self->sent == 0)
        expect(self);
    self->sent = item[AT_LAST] ? 0 : self->sent + 1;
}

static void forget(struct packer_bench *self)
{
    self->sent = self->left = 0;
    self->offered_alone = false;
    scoreboard_forget(&self->flits);
}

static void step(void *context)
{
    struct packer_bench *self = context;
    if (self->bench.reset)
        forget(self);
    if (source_free(&self->results) && !(self->draining && self->sent == 0))
        offer(self);
    source_drive(&self->results);
    sink_drive(&self->packets);
    bench_settle(&self->bench);
    check_latency(self);
    follow_result(self);
    const uint64_t *item = sink_sample(&self->packets);
    if (item != NULL)
        receive(self, item);
    bench_tick(&self->bench);
}

/* ---- the run ----------------------------------------------------------------------------------------------------------- */

static void set_stalls(struct packer_bench *self, enum stall_kind results, enum stall_kind packets)
{
    self->results.stream.stall.kind = self->results.stream.stall.now = results;
    self->packets.stream.stall.kind = self->packets.stream.stall.now = packets;
}

/* The port's number does not change but in reset. */
static void restart(struct packer_bench *self)
{
    bench_set_reset(&self->bench, true);
    self->hub.own = (uint16_t)random_below(&self->random, self->hub.ports);
    pin_set(self->own, self->hub.own);
    bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
}

static void check_rate(struct packer_bench *self)
{
    enum { CYCLES = 4000 };
    restart(self);
    set_stalls(self, STALL_NONE, STALL_NONE);
    bench_run(&self->bench, 10);
    const uint64_t taken = self->taken;
    bench_run(&self->bench, CYCLES);
    scoreboard_value(&self->flits, "flits in as many cycles", CYCLES, self->taken - taken);
}

static void run(struct packer_bench *self)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_HEAVY, STALL_MIXED};
    check_rate(self);
    while (bench_running(&self->bench)) {
        set_stalls(self, kinds[random_below(&self->random, 4)], kinds[random_below(&self->random, 4)]);
        bench_run(&self->bench, random_range(&self->random, 100, 2000));
        if (random_chance(&self->random, 1, 4))
            restart(self);
    }
    enum { DRAINED = 100 };
    set_stalls(self, STALL_NONE, STALL_NONE);
    self->draining = true;
    bench_run(&self->bench, DRAINED);
}

static void check_covered(struct packer_bench *self)
{
    struct summary *summary = &self->bench.summary;
    summary_number(summary, "errors", (double)self->errors, "results");
    summary_number(summary, "longest", (double)self->longest, "results");
    summary_number(summary, "wrapped", (double)self->wrapped, "tags");
    summary_number(summary, "prompt", (double)self->prompt, "headers");
    if (self->errors == 0 || self->longest == 0 || self->prompt == 0 || (self->request_lines > 1 && self->wrapped == 0))
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED,
                   "NOT COVERED: an error, a result of 16 flits, a tag beyond the last, or a header that could leave at once");
}

static void create(struct packer_bench *self)
{
    static const struct field fields[] = {{"data", 128}, {"last", 1}, {"flits", 5}};
    struct bench *bench = &self->bench;
    self->request_lines = 8;
    const struct parameter parameters[] = {{.name = "REQUEST_LINES", .value = &self->request_lines}};
    parameters_read(dut_description(), "", NULL, parameters, 1);
    self->hub = (struct moehub_check_config){.hub = true, .ports = 1024, .local_expert_bits = 8, .max_targets = 32,
                                             .request_lines = (uint8_t)self->request_lines};
    source_create(&self->results, bench, "result", "tag status element length entry . last", STALL_MIXED);
    sink_create(&self->packets, bench, "packet", ". last flits", STALL_MIXED);
    self->own = bench_pin(bench, "own");
    bench_random(bench, &self->random, "results");
    scoreboard_create(&self->flits, bench, "flits", fields, 3, 1, 4 * MOEHUB_RESPONSE_LONGEST);
    bench->step = step;
    bench->context = self;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Result packer against the C model", .events = 200000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct packer_bench self;
    bench_create(&self.bench, argc, argv, &defaults, NULL);
    create(&self);
    run(&self);
    check_covered(&self);
    const int status = bench_finish(&self.bench);
    scoreboard_destroy(&self.flits);
    return status;
}
