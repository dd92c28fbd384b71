/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/summary.h"

#include "kit/dut.h"
#include "kit/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void summary_create(struct summary *summary, const struct options *options)
{
    *summary = (struct summary){.root = json_object()};
    clock_gettime(CLOCK_MONOTONIC, &summary->start);
    summary_json(summary, "bench", json_string(options->bench));
    summary_json(summary, "configuration", json_string(options->config));
    summary_json(summary, "design", json_string(dut_description()));
    summary_json(summary, "seed", json_integer((json_int_t)options->seed));
    if (options->fault_name != NULL)
        summary_json(summary, "fault", json_string(options->fault_name));
    summary_json(summary, "measurements", json_object());
}

void summary_destroy(struct summary *summary)
{
    json_decref(summary->root);
    summary->root = NULL;
}

void summary_add_block(struct summary *summary, struct summary_block *block)
{
    if (summary->block_count == SUMMARY_BLOCKS_MAX) {
        fprintf(stderr, "summary: more than %d blocks\n", SUMMARY_BLOCKS_MAX);
        abort();
    }
    summary->blocks[summary->block_count++] = block;
}

void summary_end_blocks(const struct summary *summary)
{
    for (unsigned i = 0; i < summary->block_count; i++)
        if (summary->blocks[i]->end != NULL)
            summary->blocks[i]->end(summary->blocks[i]->owner);
}

bool summary_print_empty(const struct summary *summary)
{
    bool found = false;
    for (unsigned i = 0; i < summary->block_count; i++) {
        const struct summary_block *block = summary->blocks[i];
        if (block->compared > 0 || block->may_be_empty)
            continue;
        fprintf(stderr, "%s: nothing was compared\n", block->name);
        found = true;
    }
    return found;
}

void summary_number(struct summary *summary, const char *name, double value, const char *unit)
{
    json_t *entry = json_pack("{s:f, s:s}", "value", value, "unit", unit);
    json_object_set_new(json_object_get(summary->root, "measurements"), name, entry);
}

void summary_json(struct summary *summary, const char *name, json_t *value)
{
    json_object_set_new(summary->root, name, value);
}

double summary_seconds(const struct summary *summary)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - summary->start.tv_sec) + (double)(now.tv_nsec - summary->start.tv_nsec) * 1e-9;
}

/* Status 4 has two faces: no event at all, or none of a kind that the run is about. */
static const char *verdict_of(int status, uint64_t compared)
{
    static const char *const verdicts[] = {"PASS", "MISMATCH", "CONFIGURATION ERROR", "DEADLOCK", "NOTHING COMPARED"};
    return status == BENCH_NOTHING_COMPARED && compared > 0 ? "NOT COVERED" : verdicts[status];
}

/* Prints and collects the blocks; returns the events compared over all of them. */
static uint64_t report_blocks(struct summary *summary, uint64_t *mismatches)
{
    uint64_t compared = 0;
    json_t *blocks = json_object();
    for (unsigned i = 0; i < summary->block_count; i++) {
        const struct summary_block *block = summary->blocks[i];
        printf("  %-24s %12" PRIu64 " events compared, %" PRIu64 " mismatches\n", block->name, block->compared,
               block->mismatches);
        json_object_set_new(blocks, block->name, json_pack("{s:I, s:I}", "compared", (json_int_t)block->compared,
                                                            "mismatches", (json_int_t)block->mismatches));
        compared += block->compared;
        *mismatches += block->mismatches;
    }
    summary_json(summary, "blocks", blocks);
    return compared;
}

static void report_measurements(const struct summary *summary)
{
    const char *name;
    json_t *entry;
    json_object_foreach(json_object_get(summary->root, "measurements"), name, entry) {
        const char *unit = json_string_value(json_object_get(entry, "unit"));
        printf("  %-40s %12.6g%s%s\n", name, json_number_value(json_object_get(entry, "value")),
               unit[0] != '\0' ? " " : "", unit);
    }
}

bool summary_report(struct summary *summary, const struct options *options, uint64_t cycles, int status)
{
    uint64_t mismatches = summary->violations;
    double seconds = summary_seconds(summary);
    uint64_t compared = report_blocks(summary, &mismatches);
    const char *verdict = verdict_of(status, compared);
    report_measurements(summary);
    printf("%s: %s %s seed %" PRIu64 ": %" PRIu64 " events compared, %" PRIu64 " mismatches, %" PRIu64 " cycles in %.1f s\n",
           verdict, options->bench, options->config, options->seed, compared, mismatches, cycles, seconds);
    summary_json(summary, "compared", json_integer((json_int_t)compared));
    summary_json(summary, "mismatches", json_integer((json_int_t)mismatches));
    summary_json(summary, "simulated_cycles", json_integer((json_int_t)cycles));
    if (json_object_get(summary->root, "cycles") == NULL)
        summary_json(summary, "cycles", json_integer((json_int_t)cycles));
    summary_json(summary, "seconds", json_real(seconds));
    summary_json(summary, "verdict", json_string(verdict));
    const bool written = options->json == NULL || json_dump_file(summary->root, options->json, JSON_INDENT(2)) == 0;
    if (!written)
        fprintf(stderr, "%s: cannot be written\n", options->json);
    return written && fflush(stdout) == 0;
}
