/* SPDX-License-Identifier: Apache-2.0 */
/* Named fields: the shape of every item that a stream carries, an event records or a scoreboard compares.
 *
 * An item is an array of 64-bit words. Each field starts at a word of its own, in table order, and takes
 * field_words(bits) of them, least significant first. So a field of up to 64 bits is simply item[n]. */
#ifndef KIT_FIELD_H
#define KIT_FIELD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { FIELDS_MAX = 32, ITEM_WORDS_MAX = 64 };

struct field {
    const char *name;
    unsigned bits;
};

/* A table of fields with the derived word offsets. */
struct field_table {
    struct field fields[FIELDS_MAX];
    unsigned first_word[FIELDS_MAX];
    unsigned count;
    unsigned words; /* of a whole item */
};

static inline unsigned field_words(unsigned bits)
{
    return (bits + 63) / 64;
}

/* Appends a field; aborts when the table is full (a bench's programming error). Returns its first word. */
unsigned field_table_add(struct field_table *table, const char *name, unsigned bits);

/* Prints one field's value: hexadecimal, and decimal beside it when it has at most 64 bits. */
void field_print(FILE *out, const struct field *field, const uint64_t *words);

/* Prints "name=value name=value ..." of an item on one line, without a newline. */
void field_table_print(FILE *out, const struct field_table *table, const uint64_t *item);

#endif
