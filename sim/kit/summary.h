/* SPDX-License-Identifier: Apache-2.0 */
/* What a run leaves: counts per block, measurements, one verdict line; the same as JSON. */
#ifndef KIT_SUMMARY_H
#define KIT_SUMMARY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { SUMMARY_BLOCKS_MAX = 64 };

struct options;

/* A block whose compared events count. */
struct summary_block {
    const char *name;
    uint64_t compared, mismatches;
    bool may_be_empty;        /* comparing nothing is no failure */
    void (*end)(void *owner); /* NULL, or called once at the end of the run: does not return when something is missing */
    void *owner;
};

struct summary {
    json_t *root;
    struct summary_block *blocks[SUMMARY_BLOCKS_MAX];
    unsigned block_count;
    uint64_t violations; /* of rules, beside the mismatches of blocks */
    struct timespec start;
};

void summary_create(struct summary *summary, const struct options *options);
void summary_destroy(struct summary *summary);

void summary_add_block(struct summary *summary, struct summary_block *block);

/* Calls every block's `end`. */
void summary_end_blocks(const struct summary *summary);

/* Names the blocks that compared nothing and may not be empty on stderr; false: there is none. */
bool summary_print_empty(const struct summary *summary);

/* A measurement, printed as "name  value unit" in the order added and written to JSON under "measurements". */
void summary_number(struct summary *summary, const char *name, double value, const char *unit);
/* Anything more: a member of the JSON root; the reference to `value` is taken over. */
void summary_json(struct summary *summary, const char *name, json_t *value);

/* Seconds since summary_create. */
double summary_seconds(const struct summary *summary);

/* Prints counts per block, measurements and the verdict line; writes the JSON file when asked for. False: it, or standard
 * output, could not be written. */
bool summary_report(struct summary *summary, const struct options *options, uint64_t cycles, int status);

#endif
