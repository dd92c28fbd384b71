/* SPDX-License-Identifier: Apache-2.0 */
/* Requests written by hand, on context 0: said one by one, then played to their end. */
#ifndef BENCH_ADDRESS_PATH_SCRIPT_H
#define BENCH_ADDRESS_PATH_SCRIPT_H

#include "bench/hub/address_path_run.h"

/* Adds a request of one byte to the script, ports in turn; the caller may change it until the script is started. */
struct moehub_hub_request *script_say(struct address_path_run *run, unsigned operation, bool first, unsigned expert,
                                      uint32_t row);
/* A write-touch with `first`, one without, and a read. */
struct moehub_hub_request *script_announce(struct address_path_run *run, unsigned expert, uint32_t row);
struct moehub_hub_request *script_touch(struct address_path_run *run, unsigned expert, uint32_t row);
struct moehub_hub_request *script_look(struct address_path_run *run, unsigned expert, uint32_t row);

/* Announces up to `wanted` rows of expert 0, no more of a set than it has ways: none waits for a victim. Returns how many. */
unsigned script_announce_apart(struct address_path_run *run, const struct hub_layout *layout, unsigned wanted);

/* Lets the path take what is said, now and later. */
void script_start(struct address_path_run *run);
void script_clear(struct address_path_run *run);
/* Sends the script to its end, waits until all is quiet and compares the end state. */
void script_play(struct address_path_run *run);

/* Latency of the table from now on. */
void script_latency(struct address_path_run *run, unsigned minimum, unsigned maximum);

/* Context 0 with up to `rows` rows of `row_size` bytes: every region present with up to `capacity` slots. */
struct hub_layout script_open_sized(struct address_path_run *run, uint32_t rows, uint32_t row_size, uint32_t capacity);
/* The same with rows of the largest size. */
struct hub_layout script_open(struct address_path_run *run, uint32_t rows, uint32_t capacity);
/* That, and the table has a slot for each row already. */
struct hub_layout script_open_mapped(struct address_path_run *run, uint32_t rows, uint32_t slots);

/* How often an event has happened; the situation that a test is about must have happened since `before`. */
uint64_t script_count(const struct address_path_run *run, unsigned event);
void script_must_have(struct address_path_run *run, unsigned event, uint64_t before);

/* Address of a row's table entry. */
uint64_t script_entry(const struct address_path_run *run, unsigned expert, uint32_t row);

/* Acceptance to answer when nothing waits: rtl/doc/address_path.md section 9. */
uint64_t script_hit_latency(const struct moehub_address_path_config *config);

#endif
