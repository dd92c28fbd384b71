/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/bus.h"

#include "kit/bits.h"

#include <stdio.h>
#include <stdlib.h>

void bus_create(struct bus *bus, const struct bench *bench, const char *name, unsigned ports)
{
    *bus = (struct bus){.pin = bench_pin(bench, name)};
    bus->width = bus->pin->bits / ports;
    if (bus->width * ports == bus->pin->bits && bus->pin->bits <= BUS_WORDS_MAX * 64)
        return;
    fprintf(stderr, "%s %s: pin %s has %u bits, which is no field for each of %u ports\n", bench->options.bench,
            bench->options.config, name, bus->pin->bits, ports);
    exit(BENCH_CONFIGURATION);
}

/* Bits of the field's word number `word`. */
static unsigned bits_of_word(const struct bus *bus, unsigned word)
{
    const unsigned rest = bus->width - 64 * word;
    return rest < 64 ? rest : 64;
}

void bus_get_words(const struct bus *bus, unsigned port, uint64_t *words)
{
    for (unsigned word = 0; word * 64 < bus->width; word++)
        words[word] = bits_get(bus->words, port * bus->width + 64 * word, bits_of_word(bus, word));
}

void bus_set_words(struct bus *bus, unsigned port, const uint64_t *words)
{
    for (unsigned word = 0; word * 64 < bus->width; word++)
        bits_set(bus->words, port * bus->width + 64 * word, bits_of_word(bus, word), words[word]);
}
