/* SPDX-License-Identifier: Apache-2.0 */
/* With hubs: the layer's packets and notices cross each link; the time of one row is the sum of what is on its way; misses are
 * those that the layer asks for; smallest pools end; the same twice; the order of tokens; bad arguments are refused; with one
 * to four links. How far the cycles of whole layers are from the RTL's is the test item layer-packet-level. */
#include "common/support.h"
#include "moehub/defines.h"
#include "moehub/system_packet.h"

enum { LINES = 8 };  /* of a row */

static struct moehub_system_constants constants;
static unsigned links;  /* of a hub, in what runs next */
static bool ideal;      /* its planes are */

static void set(const char *name, unsigned value)
{
    char text[80];
    struct moehub_message message;
    snprintf(text, sizeof text, "%s=%u", name, value);
    assert_int_equal(moehub_system_set(&constants, text, &message), 0);
}

static int load(void **state)
{
    (void)state;
    struct moehub_message message = {""};
    constants = (struct moehub_system_constants){0};
    links = 1;
    ideal = false;
    assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_PACKET, "cmodel/machines/rtl.packet", &message), 0);
    assert_int_equal(moehub_system_read_path(&constants, MOEHUB_SYSTEM_HUB, "cmodel/machines/rtl.hub", &message), 0);
    return 0;
}

static void draw(struct moehub_layer *layer, unsigned gpus, size_t tokens, unsigned experts, unsigned topk, uint64_t seed)
{
    const struct moehub_layer_options options = {.gpus = gpus, .tokens = tokens, .experts = experts, .topk = topk, .hidden = 64,
                                                 .seed = seed};
    struct moehub_message message;
    assert_int_equal(moehub_layer_create(layer, &options, &message), 0);
}

static struct moehub_system_packet_options options_of(enum moehub_system_packet_phase phase, unsigned lines)
{
    return (struct moehub_system_packet_options){
        .phase = phase, .dispatch_lines = lines, .combine_lines = lines, .planes = links, .hubs = true, .ideal_plane = ideal};
}

static void run(const struct moehub_layer *layer, enum moehub_system_packet_phase phase, unsigned lines,
                struct moehub_system_packet_result *result)
{
    const struct moehub_system_packet_options options = options_of(phase, lines);
    struct moehub_message message = {""};
    const int error = moehub_system_packet_run(&constants, layer, &options, result, &message);
    assert_string_equal(message.text, "");
    assert_int_equal(error, 0);
}

/* Of each GPU: rows of others that come to it, by GPU; its targets for rows of others; the same of its own rows at others. */
struct asked {
    uint64_t rows_in[64], targets_in[64], rows_out[64], targets_out[64];
};

static void count(const struct moehub_layer *layer, struct asked *asked)
{
    *asked = (struct asked){{0}, {0}, {0}, {0}};
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        const unsigned owner = moehub_layer_row_gpu(layer, row);
        asked->rows_out[owner] += layer->remote_counts[row] > 0;
        for (unsigned i = 0; i < layer->remote_counts[row]; i++)
            asked->rows_in[layer->remotes[(size_t)row * layer->topk + i]]++;
        for (unsigned i = 0; moehub_layer_row_exists(layer, row) && i < layer->topk; i++) {
            const unsigned gpu = moehub_layer_targets(layer, row)[i].gpu;
            asked->targets_in[gpu] += gpu != owner;
            asked->targets_out[owner] += gpu != owner;
        }
    }
}

/* Notifies and closes are a flit each, partials and results nine. */
static void check_responses(const struct moehub_system_packet_counts *counts, uint64_t lines, uint64_t notices)
{
    assert_int_equal(counts->packets[MOEHUB_CLASS_RESPONSE], lines + notices);
    assert_int_equal(counts->flits[MOEHUB_CLASS_RESPONSE], 9 * lines + notices);
}

static void check_phase(const struct moehub_layer *layer, enum moehub_system_packet_phase phase)
{
    static struct moehub_system_packet_result result;
    static struct asked asked;
    const uint64_t dispatches = phase != MOEHUB_SYSTEM_PACKET_COMBINE, lines = phase != MOEHUB_SYSTEM_PACKET_DISPATCH ? LINES : 0;
    run(layer, phase, LINES, &result);
    count(layer, &asked);
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        const uint64_t closes = dispatches * (layer->gpus - 1);
        assert_int_equal(result.up[gpu].packets[MOEHUB_CLASS_STORE], dispatches * LINES * asked.rows_out[gpu]);
        assert_int_equal(result.down[gpu].packets[MOEHUB_CLASS_STORE], dispatches * LINES * asked.rows_in[gpu]);
        check_responses(&result.up[gpu], lines * asked.rows_in[gpu], dispatches * asked.targets_in[gpu] + closes);
        check_responses(&result.down[gpu], lines * asked.rows_out[gpu], dispatches * asked.targets_out[gpu] + closes);
    }
    assert_true(result.cycles >= result.ideal_cycles);
    assert_int_equal(result.busiest_flits, result.ideal_cycles);
    assert_true(result.fullest_flits >= result.busiest_flits && result.cycles >= result.fullest_flits);
    assert_true(result.misses > 0 && result.misses <= result.lookups);
}

static void check_phases(const struct moehub_layer *layer)
{
    for (links = 1; links <= MOEHUB_SYSTEM_PACKET_LINKS_MAX; links++)
        for (int phase = 0; phase < 3; phase++)
            check_phase(layer, (enum moehub_system_packet_phase)phase);
}

static void all_packets_cross(void **state)
{
    (void)state;
    static const unsigned shapes[][4] = {{2, 5, 8, 2}, {8, 40, 256, 8}, {8, 16, 8, 2}, {5, 7, 31, 31}, {32, 6, 256, 8}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct moehub_layer layer;
        draw(&layer, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3], i + 1);
        set("gpu_tile_shift", (unsigned)i % 4);
        for (int plane = 0; plane < 2; plane++) {
            ideal = plane != 0;
            check_phases(&layer);
        }
        moehub_layer_destroy(&layer);
    }
}

/* Each GPU's token goes to both experts. The own ones are done first; the times of the others add up. One row has one link of
 * several. */
static void one_row_takes_its_latencies(void **state)
{
    (void)state;
    static struct moehub_system_packet_result result;
    static const char *const names[] = {"hub_row_latency", "plane_copy_latency", "hub_write_latency", "hub_tell_latency",
                                        "plane_notice_latency", "hub_token_latency", "hub_ask_latency",
                                        "plane_request_latency", "hub_answer_latency", "plane_sum_latency",
                                        "hub_final_latency"};
    struct moehub_layer layer;
    const unsigned memory = 80, gemm = 30, link = 50;
    uint64_t cycles = 0;
    draw(&layer, 2, 1, 2, 2, 1);
    set("plane_loop", 2 * link);
    set("gpu_memory_least", memory);
    set("gpu_memory_most", memory);
    set("gpu_gemm", gemm);
    set("gpu_tile_shift", 0);
    set("hub_lane_bytes", 32);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        set(names[i], 21 + 3 * i);
        cycles += 21 + 3 * i;
    }
    cycles += (uint64_t)moehub_system_value(&constants, MOEHUB_SYSTEM_plane_notice_latency);  /* the partial's */
    cycles += memory + 2 + 10 + link + 9 + link;       /* list and its ids, store, copy */
    cycles += 8 + 1 + 4 + memory;                      /* its line is read, row list word and line are written */
    cycles += 2 * gemm + 1 + memory;                   /* GEMMs, row list */
    cycles += 1 + link + 1 + 1 + link;                 /* notify: up, through the crossbar, down */
    cycles += memory + 2;                              /* the reduce's list and its ids */
    cycles += 2 + link + 1 + link;                     /* request, its copy */
    cycles += memory + 4 + 4;                          /* the line is read and summed */
    cycles += 9 + link + 9 + 9 + link + 8 + 8;         /* partial, through the crossbar, result, final_reduce, sum for the GPU */
    for (unsigned i = 0; i < 2 * MOEHUB_SYSTEM_PACKET_LINKS_MAX; i++) {
        links = 1 + i / 2;
        ideal = i % 2 != 0;
        run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, 1, &result);
        assert_int_equal(result.cycles, cycles);
    }
    moehub_layer_destroy(&layer);
}

/* Rows and requests are spread over the links: twice as many take little more than half the time, and never less. */
static void links_share_the_layer(void **state)
{
    (void)state;
    static struct moehub_system_packet_result result;
    static const enum moehub_system_packet_phase phases[] = {MOEHUB_SYSTEM_PACKET_DISPATCH, MOEHUB_SYSTEM_PACKET_COMBINE};
    struct moehub_layer layer;
    draw(&layer, 8, 64, 256, 8, 1);
    set("hub_lane_bytes", 32);
    set("hub_final_groups", 128);
    set("plane_groups", 128);
    set("plane_loop", 20);
    set("gpu_memory_least", 20);
    set("gpu_memory_most", 20);
    set("gpu_tokens_asked", 32);
    for (unsigned i = 0; i < 2; i++) {
        links = 1;
        run(&layer, phases[i], 4 * LINES, &result);
        const uint64_t alone = result.cycles;
        links = 2;
        run(&layer, phases[i], 4 * LINES, &result);
        if (2 * result.cycles < alone || 10 * result.cycles > 6 * alone)
            fail_msg("phase %u: %llu cycles with two links, %llu with one", i, (unsigned long long)result.cycles,
                     (unsigned long long)alone);
    }
    moehub_layer_destroy(&layer);
}

/* With room for all, each row misses once at each of its experts: as it gets its slot. Without, more often. */
static void misses_are_those_of_the_tables(void **state)
{
    (void)state;
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    draw(&layer, 8, 64, 256, 8, 1);
    set("hub_sets", 4096);
    set("hub_ways", 8);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &result);
    assert_int_equal(result.misses, layer.tokens * layer.topk);
    assert_int_equal(result.lookups, (LINES + 1) * result.misses);
    const uint64_t cycles = result.cycles;
    set("hub_sets", 1);
    set("hub_ways", 1);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &result);
    assert_true(result.misses > 2 * layer.tokens * layer.topk && result.cycles > cycles);
    moehub_layer_destroy(&layer);
}

/* All arrived waits for the sweep over all regions, of its experts or not; nothing else does. Tiles of a row are full: none is
 * told with the sweep. */
static void each_region_is_swept(void **state)
{
    (void)state;
    enum { REGION_CYCLES = 6, FEW = 32, MANY = 256 };
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    draw(&layer, 8, 16, 256, 8, 1);
    set("gpu_tile_shift", 0);
    set("gpu_memory_most", 500);
    for (unsigned phase = 0; phase < 2; phase++) {
        uint64_t cycles[2];
        for (unsigned i = 0; i < 2; i++) {
            set("hub_local_experts", i == 0 ? FEW : MANY);
            run(&layer, phase == 0 ? MOEHUB_SYSTEM_PACKET_DISPATCH : MOEHUB_SYSTEM_PACKET_COMBINE, LINES, &result);
            cycles[i] = result.cycles;
        }
        assert_int_equal(cycles[1] - cycles[0], phase == 0 ? REGION_CYCLES * (MANY - FEW) : 0);
    }
    moehub_layer_destroy(&layer);
}

static void smallest_pools_end(void **state)
{
    (void)state;
    static const struct { const char *name; unsigned value; } least[] = {
        {"plane_places_store", 14}, {"plane_places_request", 5}, {"plane_places_response", 9}, {"plane_groups", 1},
        {"plane_slots", 2}, {"plane_loop", 2}, {"hub_places_store", 14}, {"hub_places_request", 5},
        {"hub_places_response", 17}, {"hub_loop_places", 17}, {"hub_loop_share", 8}, {"hub_sets", 1}, {"hub_ways", 1},
        {"hub_pending", 1}, {"hub_waiting", 2}, {"hub_answers", 1}, {"hub_request_answers", 32}, {"hub_writes", 2},
        {"hub_read_lines", 1}, {"hub_partial_rows", 9}, {"hub_rows", 1}, {"hub_lines", 4}, {"hub_reduces", 1},
        {"hub_final_groups", 1}, {"hub_local_experts", 1}};
    struct moehub_layer layer;
    draw(&layer, 8, 4, 64, 32, 3);
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        set(least[i].name, least[i].value);
    for (unsigned lines = 1; lines <= 8; lines *= 2) {
        set("plane_request_lines", lines);
        check_phases(&layer);
    }
    moehub_layer_destroy(&layer);
}

static void the_same_twice(void **state)
{
    (void)state;
    static struct moehub_system_packet_result first, second;
    struct moehub_layer layer;
    draw(&layer, 8, 16, 256, 8, 1);
    links = 3;
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &first);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &second);
    assert_memory_equal(&first, &second, sizeof first);
    moehub_layer_destroy(&layer);
}

/* A tile's two GEMMs follow each other, however long: events are kept beyond what the wheel reaches. */
static void gemms_take_their_time(void **state)
{
    (void)state;
    static const unsigned gemms[] = {1000, 5000, 65536};
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    uint64_t cycles[3];
    draw(&layer, 2, 1, 2, 2, 1);
    set("gpu_memory_least", 600);
    for (unsigned i = 0; i < 3; i++) {
        set("gpu_gemm", gemms[i]);
        run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, 1, &result);
        cycles[i] = result.cycles;
        assert_int_equal(cycles[i] - cycles[0], 2 * (gemms[i] - gemms[0]));
    }
    moehub_layer_destroy(&layer);
}

/* A row after the other: each waits for the memory of its list, and the GPU has given its last store before that has left. */
static void rows_take_turns(void **state)
{
    (void)state;
    enum { ROWS = 30, MEMORY = 300, TARGETS = 2 };
    static struct moehub_system_packet_result result;
    const unsigned turn = MEMORY + TARGETS + (unsigned)moehub_system_value(&constants, MOEHUB_SYSTEM_hub_open_latency);
    struct moehub_layer layer;
    uint64_t cycles[2];
    set("gpu_rows_open", 1);
    set("gpu_memory_least", MEMORY);
    set("gpu_memory_most", MEMORY);
    for (unsigned i = 0; i < 2; i++) {
        draw(&layer, 2, i == 0 ? 1 : ROWS, 2, TARGETS, 1);
        run(&layer, MOEHUB_SYSTEM_PACKET_DISPATCH, 1, &result);
        cycles[i] = result.cycles;
        moehub_layer_destroy(&layer);
    }
    assert_in_range(cycles[1] - cycles[0], (ROWS - 1) * turn, (ROWS - 1) * turn + ROWS);
}

/* Cycles from a row to the next one, of so many lines, where they are stored one at a time. */
static uint64_t turn_of_rows(unsigned lines)
{
    enum { ROWS = 31 };
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    uint64_t cycles[2];
    for (unsigned i = 0; i < 2; i++) {
        draw(&layer, 2, i == 0 ? 1 : ROWS, 2, 2, 1);
        run(&layer, MOEHUB_SYSTEM_PACKET_DISPATCH, lines, &result);
        cycles[i] = result.cycles;
        moehub_layer_destroy(&layer);
    }
    return (cycles[1] - cycles[0]) / (ROWS - 1);
}

/* Lines leave by both ways in 10 cycles each, and take the turns of stores: not before a line could leave. In RTL a row of 8
 * lines takes 31 cycles more than one of one line, a row of 16 lines 71. */
static void lines_take_turns_of_stores(void **state)
{
    (void)state;
    set("gpu_rows_open", 1);
    set("gpu_window", 1);
    set("gpu_memory_least", 100);
    set("gpu_memory_most", 100);
    const uint64_t one = turn_of_rows(1);
    assert_in_range(turn_of_rows(8) - one, 30, 33);
    assert_in_range(turn_of_rows(16) - one, 70, 73);
}

/* Cycles of a combine of rows of one line that each GPU has at both. */
static uint64_t combine_of(size_t rows)
{
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    draw(&layer, 2, rows, 2, 2, 1);
    run(&layer, MOEHUB_SYSTEM_PACKET_COMBINE, 1, &result);
    moehub_layer_destroy(&layer);
    return result.cycles;
}

/* One group: each row but the first waits for it, and then for its way to the link, which the first one has on its way, too. */
static void groups_take_turns(void **state)
{
    (void)state;
    enum { ROWS = 12, LONGER = 20 };
    uint64_t cycles[2];
    set("hub_final_groups", 1);
    set("gpu_memory_least", 300);
    set("gpu_memory_most", 300);
    for (unsigned i = 0; i < 2; i++) {
        set("hub_ask_latency", 100);
        set("hub_group_latency", 10 + i * LONGER);
        cycles[i] = combine_of(ROWS);
    }
    assert_int_equal(cycles[1] - cycles[0], (ROWS - 1) * LONGER);
}

/* Groups enough: the last row asks when those before it have. */
static void requests_take_turns(void **state)
{
    (void)state;
    enum { ROWS = 12, TURN = 100, LONGER = 20 };
    uint64_t cycles[2];
    set("gpu_memory_least", 300);
    set("gpu_memory_most", 300);
    for (unsigned i = 0; i < 2; i++) {
        set("hub_ask_cycles", TURN + i * LONGER);
        cycles[i] = combine_of(ROWS);
    }
    assert_int_equal(cycles[1] - cycles[0], (ROWS - 1) * LONGER);
}

/* A layer of one target a row, whose rows of GPU 0 stay there. */
static void draw_own(struct moehub_layer *layer, size_t rows)
{
    static struct asked asked;
    for (uint64_t seed = 1;; seed++) {
        draw(layer, 2, rows, 2, 1, seed);
        count(layer, &asked);
        if (asked.rows_out[0] == 0)
            return;
        moehub_layer_destroy(layer);
    }
}

/* Own partials leave the loop-back one after the other, header and all. */
static void own_partials_take_turns(void **state)
{
    (void)state;
    enum { ROWS = 6, PARTIAL = 9 };
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    draw_own(&layer, ROWS);
    run(&layer, MOEHUB_SYSTEM_PACKET_COMBINE, MOEHUB_SYSTEM_PACKET_LINES_MAX, &result);
    assert_true(result.cycles >= (uint64_t)ROWS * MOEHUB_SYSTEM_PACKET_LINES_MAX * PARTIAL);
    moehub_layer_destroy(&layer);
}

/* Another draw of what is random: other cycles, the same packets; the first one is that of no draw. */
static void draws_differ(void **state)
{
    (void)state;
    enum { DRAWS = 8 };
    static struct moehub_system_packet_result result;
    struct moehub_system_packet_options options = options_of(MOEHUB_SYSTEM_PACKET_FUSED, LINES);
    struct moehub_message message = {""};
    struct moehub_layer layer;
    uint64_t cycles[DRAWS], flits = 0;
    unsigned others = 0;
    draw(&layer, 4, 16, 16, 4, 1);
    for (options.draw = 0; options.draw < DRAWS; options.draw++) {
        assert_int_equal(moehub_system_packet_run(&constants, &layer, &options, &result, &message), 0);
        cycles[options.draw] = result.cycles;
        others += result.cycles != cycles[0];
        assert_true(flits == 0 || flits == result.busiest_flits);
        flits = result.busiest_flits;
    }
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &result);
    assert_int_equal(result.cycles, cycles[0]);
    assert_true(others > DRAWS / 2);
    moehub_layer_destroy(&layer);
}

/* What holds rows up for longer makes the layer longer. */
static void waits_cost_time(void **state)
{
    (void)state;
    static const struct { const char *name; unsigned value; } slow[] = {
        {"gpu_memory_most", 4000}, {"hub_writes", 2}, {"hub_read_lines", 1}, {"hub_final_groups", 1}, {"hub_reduces", 1},
        {"gpu_gemm", 20000}, {"hub_rows", 1}, {"hub_answers", 1}, {"hub_pending", 1}};
    static struct moehub_system_packet_result result;
    struct moehub_layer layer;
    draw(&layer, 8, 32, 256, 8, 1);
    run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &result);
    const uint64_t cycles = result.cycles;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        load(NULL);
        set(slow[i].name, slow[i].value);
        run(&layer, MOEHUB_SYSTEM_PACKET_FUSED, LINES, &result);
        if (result.cycles <= cycles)
            fail_msg("%s=%u: %llu cycles, without it %llu", slow[i].name, slow[i].value, (unsigned long long)result.cycles,
                     (unsigned long long)cycles);
    }
    moehub_layer_destroy(&layer);
}

enum { ORDERED_GPUS = 8, ORDERED_TOKENS = 64 };

/* Tokens with a target on GPU 0 last: it has nothing to do at first, and holds up all at the end. */
static void put_last(const struct moehub_layer *layer, uint32_t *asked)
{
    for (unsigned gpu = 0; gpu < ORDERED_GPUS; gpu++) {
        uint32_t *of_gpu = &asked[gpu * ORDERED_TOKENS], count = 0;
        for (int last = 0; last < 2; last++)
            for (uint32_t token = 0; token < ORDERED_TOKENS; token++) {
                unsigned named;
                moehub_targets_on(moehub_layer_targets(layer, moehub_layer_row(layer, gpu, token)), layer->topk, 0, &named);
                if ((named > 0) == (last == 1))
                    of_gpu[count++] = token;
            }
    }
}

/* Sums are asked for in the order that is given. */
static void order_of_tokens_counts(void **state)
{
    (void)state;
    static struct moehub_system_packet_result ordered, mixed;
    static uint32_t asked[ORDERED_GPUS * ORDERED_TOKENS];
    struct moehub_system_packet_options options = options_of(MOEHUB_SYSTEM_PACKET_COMBINE, 4 * LINES);
    struct moehub_message message = {""};
    struct moehub_layer layer;
    draw(&layer, ORDERED_GPUS, ORDERED_TOKENS, 64, 4, 1);
    options.asked = asked;
    put_last(&layer, asked);
    assert_int_equal(moehub_system_packet_run(&constants, &layer, &options, &ordered, &message), 0);
    for (uint32_t i = 0; i < ORDERED_GPUS * ORDERED_TOKENS; i++)
        asked[i] = i % ORDERED_TOKENS;
    assert_int_equal(moehub_system_packet_run(&constants, &layer, &options, &mixed, &message), 0);
    assert_true(10 * ordered.cycles > 11 * mixed.cycles);
    moehub_layer_destroy(&layer);
}

static void refuse(const struct moehub_layer *layer, const struct moehub_system_packet_options *options)
{
    static struct moehub_system_packet_result result;
    struct moehub_message message = {""};
    assert_int_equal(moehub_system_packet_run(&constants, layer, options, &result, &message), MOEHUB_E_ARGUMENT);
    assert_true(message.text[0] != '\0');
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    struct moehub_layer layer;
    struct moehub_system_packet_options options = options_of(MOEHUB_SYSTEM_PACKET_FUSED, LINES);
    const uint32_t beyond[8] = {0, 0, 0, 1};
    draw(&layer, 8, 1, 64, 8, 1);
    options.planes = MOEHUB_SYSTEM_PACKET_LINKS_MAX + 1;
    refuse(&layer, &options);
    options.planes = 1;
    options.asked = beyond;
    refuse(&layer, &options);
    options.phase = MOEHUB_SYSTEM_PACKET_COMBINE;
    refuse(&layer, &options);
    options = options_of(MOEHUB_SYSTEM_PACKET_FUSED, LINES);
    set("hub_lines", 31);
    refuse(&layer, &options);
    load(NULL);
    set("gpu_memory_least", 700);
    refuse(&layer, &options);
    load(NULL);
    constants.entries[MOEHUB_SYSTEM_hub_ask_latency] = (struct moehub_system_entry){0};
    refuse(&layer, &options);
    moehub_layer_destroy(&layer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_packets_cross, load),
        cmocka_unit_test_setup(one_row_takes_its_latencies, load),
        cmocka_unit_test_setup(links_share_the_layer, load),
        cmocka_unit_test_setup(misses_are_those_of_the_tables, load),
        cmocka_unit_test_setup(each_region_is_swept, load),
        cmocka_unit_test_setup(smallest_pools_end, load),
        cmocka_unit_test_setup(the_same_twice, load),
        cmocka_unit_test_setup(gemms_take_their_time, load),
        cmocka_unit_test_setup(rows_take_turns, load),
        cmocka_unit_test_setup(lines_take_turns_of_stores, load),
        cmocka_unit_test_setup(groups_take_turns, load),
        cmocka_unit_test_setup(requests_take_turns, load),
        cmocka_unit_test_setup(own_partials_take_turns, load),
        cmocka_unit_test_setup(draws_differ, load),
        cmocka_unit_test_setup(waits_cost_time, load),
        cmocka_unit_test_setup(order_of_tokens_counts, load),
        cmocka_unit_test_setup(bad_arguments_are_refused, load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
