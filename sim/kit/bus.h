/* SPDX-License-Identifier: Apache-2.0 */
/* A pin that carries one field of each of several ports: port p has the bits [p*width +: width]. It is copied once a cycle,
 * and its ports are looked at in the copy. */
#ifndef KIT_BUS_H
#define KIT_BUS_H

#include "kit/bench.h"

enum { BUS_WORDS_MAX = 256 };

struct bus {
    const struct pin *pin;
    unsigned width;                /* of one port's field */
    uint64_t words[BUS_WORDS_MAX]; /* what the pin has, or shall have */
};

/* The pin of that name, with a field for each of `ports` ports; a pin whose bits do not divide so ends the program with
 * status 2. */
void bus_create(struct bus *bus, const struct bench *bench, const char *name, unsigned ports);

/* The pin's value to the copy, after bench_settle. */
static inline void bus_sample(struct bus *bus)
{
    pin_get_words(bus->pin, bus->words);
}

/* The copy to the pin, before bench_settle. */
static inline void bus_drive(const struct bus *bus)
{
    pin_set_words(bus->pin, bus->words);
}

/* A port's field of any width, as 64-bit words, least significant first. */
void bus_get_words(const struct bus *bus, unsigned port, uint64_t *words);
void bus_set_words(struct bus *bus, unsigned port, const uint64_t *words);

/* A port's field of at most 64 bits. */
static inline uint64_t bus_get(const struct bus *bus, unsigned port)
{
    uint64_t value = 0;
    bus_get_words(bus, port, &value);
    return value;
}
static inline void bus_set(struct bus *bus, unsigned port, uint64_t value)
{
    bus_set_words(bus, port, &value);
}

#endif
