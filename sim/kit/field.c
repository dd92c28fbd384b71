/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/field.h"

#include <inttypes.h>
#include <stdlib.h>

unsigned field_table_add(struct field_table *table, const char *name, unsigned bits)
{
    unsigned first = table->words;
    if (table->count == FIELDS_MAX || first + field_words(bits) > ITEM_WORDS_MAX) {
        fprintf(stderr, "field table: no room for %s (at most %d fields, %d words)\n", name, FIELDS_MAX, ITEM_WORDS_MAX);
        abort();
    }
    table->fields[table->count] = (struct field){.name = name, .bits = bits};
    table->first_word[table->count++] = first;
    table->words += field_words(bits);
    return first;
}

void field_print(FILE *out, const struct field *field, const uint64_t *words)
{
    int digits = (int)((field->bits + 3) / 4);
    if (field->bits <= 64) {
        fprintf(out, "0x%0*" PRIx64 " (%" PRIu64 ")", digits, words[0], words[0]);
        return;
    }
    unsigned top = field_words(field->bits) - 1;
    fprintf(out, "0x%0*" PRIx64, digits - 16 * (int)top, words[top]);
    for (unsigned i = top; i-- > 0;)
        fprintf(out, "_%016" PRIx64, words[i]);
}

void field_table_print(FILE *out, const struct field_table *table, const uint64_t *item)
{
    for (unsigned i = 0; i < table->count; i++) {
        fprintf(out, "%s%s=", i == 0 ? "" : " ", table->fields[i].name);
        field_print(out, &table->fields[i], item + table->first_word[i]);
    }
}
