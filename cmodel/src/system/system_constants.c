/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_constants.h"

#include "common/line_reader.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct moehub_system_constant_facts facts[MOEHUB_SYSTEM_COUNT] = {
#define FACTS(name, home, unit, lowest, highest, what) {#name, MOEHUB_SYSTEM_##home, unit, lowest, highest, what},
    MOEHUB_SYSTEM_CONSTANTS(FACTS)
    MOEHUB_SYSTEM_PACKET_CONSTANTS(FACTS)
    MOEHUB_SYSTEM_HUB_CONSTANTS(FACTS)
#undef FACTS
};

static const char *const home_names[] = {"machine", "assumption", "packet", "hub"};
static const char *const evidence_names[] = {"unset", "measured", "published", "rtl", "assumed", "user"};

const struct moehub_system_constant_facts *moehub_system_facts(enum moehub_system_constant constant)
{
    return &facts[constant];
}

const char *moehub_system_evidence_name(enum moehub_system_evidence evidence)
{
    return evidence_names[evidence];
}

/* MOEHUB_SYSTEM_COUNT: no such name. */
static int find(const char *name)
{
    int i = 0;
    while (i < MOEHUB_SYSTEM_COUNT && strcmp(name, facts[i].name) != 0)
        i++;
    return i;
}

/* A whole decimal number, finite. strtod alone would take "inf", "nan" and hexadecimal. */
static bool parse_value(const char *text, double *value)
{
    if (text[0] == '\0' || text[strspn(text, "0123456789.eE+-")] != '\0')
        return false;
    char *end;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

static bool in_range(int constant, double value)
{
    return value >= facts[constant].lowest && value <= facts[constant].highest;
}

/* Nothing for counts and shares, whose unit is 1. */
static const char *unit_text(const struct moehub_system_constant_facts *fact)
{
    return strcmp(fact->unit, "1") == 0 ? "" : fact->unit;
}

/* Only what a file may say: neither unset nor user. */
static enum moehub_system_evidence parse_evidence(const char *text)
{
    for (int i = MOEHUB_SYSTEM_MEASURED; i <= MOEHUB_SYSTEM_ASSUMED; i++)
        if (strcmp(text, evidence_names[i]) == 0)
            return (enum moehub_system_evidence)i;
    return MOEHUB_SYSTEM_UNSET;
}

/* The fields of a line; a missing one is "". A range has two values, all others one. */
struct fields {
    bool range;
    char *name, *values[2], *unit, *evidence, *source;
};

/* Cuts the next word off *cursor. */
static char *take_word(char **cursor)
{
    char *word = *cursor + strspn(*cursor, " \t");
    char *end = word + strcspn(word, " \t");
    *cursor = *end != '\0' ? end + 1 : end;
    *end = '\0';
    return word;
}

static struct fields split(char *text)
{
    struct fields fields = {.name = take_word(&text)};
    fields.range = strcmp(fields.name, "range") == 0;
    if (fields.range)
        fields.name = take_word(&text);
    fields.values[0] = take_word(&text);
    fields.values[1] = fields.range ? take_word(&text) : fields.values[0];
    fields.unit = take_word(&text);
    fields.evidence = take_word(&text);
    fields.source = text + strspn(text, " \t");
    return fields;
}

/* Which constant the line may set; a negative error. */
static int check_name(const struct moehub_system_constants *constants, enum moehub_system_home home,
                      const struct line_reader *reader, const struct fields *fields)
{
    const int constant = find(fields->name);
    if (constant == MOEHUB_SYSTEM_COUNT)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "no constant is named '%.80s'; 'moehub system --constants' lists them",
                                fields->name);
    if (facts[constant].home != home)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s belongs into the %s file", fields->name,
                                home_names[facts[constant].home]);
    const enum moehub_system_evidence before =
        fields->range ? constants->ranges[constant].evidence : constants->entries[constant].evidence;
    if (before != MOEHUB_SYSTEM_UNSET)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s%s is given a second time", fields->range ? "the range of " : "",
                                fields->name);
    return constant;
}

static int check_value(const struct line_reader *reader, int constant, const char *text, double *value)
{
    const struct moehub_system_constant_facts *fact = &facts[constant];
    if (!parse_value(text, value))
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: '%.80s' is not a number", fact->name, text);
    if (!in_range(constant, *value))
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: %g is not in %g..%g%s%s", fact->name, *value, fact->lowest,
                                fact->highest, unit_text(fact)[0] != '\0' ? " " : "", unit_text(fact));
    return 0;
}

/* Where a value or a range comes from. */
static int check_evidence(const struct line_reader *reader, int constant, const struct fields *fields,
                          enum moehub_system_evidence *evidence, char *source)
{
    const struct moehub_system_constant_facts *fact = &facts[constant];
    if (strcmp(fields->unit, fact->unit) != 0)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: the unit is '%s', not '%.80s'", fact->name, fact->unit,
                                fields->unit);
    *evidence = parse_evidence(fields->evidence);
    if (*evidence == MOEHUB_SYSTEM_UNSET)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: evidence is measured, published, rtl or assumed, not '%.80s'",
                                fact->name, fields->evidence);
    const size_t length = strlen(fields->source);
    if (length == 0 || length >= MOEHUB_SYSTEM_SOURCE_BYTES)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: a source of 1..%d bytes must follow", fact->name,
                                MOEHUB_SYSTEM_SOURCE_BYTES - 1);
    memcpy(source, fields->source, length + 1);
    return 0;
}

static int read_value(struct moehub_system_constants *constants, int constant, const struct fields *fields,
                      const struct line_reader *reader)
{
    struct moehub_system_entry entry;
    int error = check_value(reader, constant, fields->values[0], &entry.value);
    if (error == 0)
        error = check_evidence(reader, constant, fields, &entry.evidence, entry.source);
    if (error == 0)
        constants->entries[constant] = entry;
    return error;
}

static int read_range(struct moehub_system_constants *constants, int constant, const struct fields *fields,
                      const struct line_reader *reader)
{
    struct moehub_system_range range;
    int error = check_value(reader, constant, fields->values[0], &range.low);
    if (error == 0)
        error = check_value(reader, constant, fields->values[1], &range.high);
    if (error == 0)
        error = check_evidence(reader, constant, fields, &range.evidence, range.source);
    if (error == 0)
        constants->ranges[constant] = range;
    return error;
}

static int read_constant(struct moehub_system_constants *constants, enum moehub_system_home home, struct line_reader *reader)
{
    reader->text[strcspn(reader->text, "#")] = '\0';
    const struct fields fields = split(reader->text);
    if (fields.name[0] == '\0' && !fields.range)
        return 0;
    const int constant = check_name(constants, home, reader, &fields);
    if (constant < 0)
        return constant;
    return fields.range ? read_range(constants, constant, &fields, reader) : read_value(constants, constant, &fields, reader);
}

/* What only the whole file can say of a constant. */
static int check_whole(const struct moehub_system_constants *constants, int constant, const struct line_reader *reader)
{
    const struct moehub_system_entry *entry = &constants->entries[constant];
    const struct moehub_system_range *range = &constants->ranges[constant];
    if (entry->evidence == MOEHUB_SYSTEM_UNSET)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "the file ends without %s (%s)", facts[constant].name,
                                facts[constant].what);
    if (range->evidence != MOEHUB_SYSTEM_UNSET && (entry->value < range->low || entry->value > range->high))
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: %g is not in its range, %g..%g", facts[constant].name,
                                entry->value, range->low, range->high);
    return 0;
}

static int read_constants(struct moehub_system_constants *constants, enum moehub_system_home home, struct line_reader *reader)
{
    int status;
    while ((status = line_reader_next(reader)) == 1) {
        const int error = read_constant(constants, home, reader);
        if (error != 0)
            return error;
    }
    for (int i = 0; i < MOEHUB_SYSTEM_COUNT && status == 0; i++)
        if (facts[i].home == home)
            status = check_whole(constants, i, reader);
    return status;
}

int moehub_system_read(struct moehub_system_constants *constants, enum moehub_system_home home, FILE *file, const char *name,
                       struct moehub_message *message)
{
    for (int i = 0; i < MOEHUB_SYSTEM_COUNT; i++)
        if (facts[i].home == home) {
            constants->entries[i] = (struct moehub_system_entry){0};
            constants->ranges[i] = (struct moehub_system_range){0};
        }
    struct line_reader reader;
    line_reader_init(&reader, file, name, message);
    const int error = read_constants(constants, home, &reader);
    line_reader_destroy(&reader);
    return error;
}

int moehub_system_read_path(struct moehub_system_constants *constants, enum moehub_system_home home, const char *path,
                            struct moehub_message *message)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        moehub_message_set(message, path, 0, "%s", strerror(errno));
        return MOEHUB_E_FILE;
    }
    const int error = moehub_system_read(constants, home, file, path, message);
    fclose(file);
    return error;
}

int moehub_system_set(struct moehub_system_constants *constants, const char *assignment, struct moehub_message *message)
{
    char name[64];
    const size_t length = strcspn(assignment, "=");
    snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, assignment);
    const int constant = find(name);
    if (assignment[length] != '=' || constant == MOEHUB_SYSTEM_COUNT) {
        moehub_message_set(message, NULL, 0, "--set %.80s: expected name=value with a name of 'moehub system --constants'",
                           assignment);
        return MOEHUB_E_ARGUMENT;
    }
    double value;
    if (!parse_value(assignment + length + 1, &value) || !in_range(constant, value)) {
        const char *unit = unit_text(&facts[constant]);
        moehub_message_set(message, NULL, 0, "--set %.80s: expected a number in %g..%g%s%s", assignment, facts[constant].lowest,
                           facts[constant].highest, unit[0] != '\0' ? " " : "", unit);
        return MOEHUB_E_ARGUMENT;
    }
    constants->entries[constant] =
        (struct moehub_system_entry){.value = value, .evidence = MOEHUB_SYSTEM_USER, .source = "--set"};
    return 0;
}
