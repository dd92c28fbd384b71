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

/* The five fields of a line; a missing one is "". */
struct fields {
    char *name, *value, *unit, *evidence, *source;
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
    struct fields fields;
    fields.name = take_word(&text);
    fields.value = take_word(&text);
    fields.unit = take_word(&text);
    fields.evidence = take_word(&text);
    fields.source = text + strspn(text, " \t");
    return fields;
}

/* Which constant the line may set; a negative error. */
static int check_name(const struct moehub_system_constants *constants, enum moehub_system_home home,
                      const struct line_reader *reader, const char *name)
{
    const int constant = find(name);
    if (constant == MOEHUB_SYSTEM_COUNT)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "no constant is named '%.80s'; 'moehub system --constants' lists them",
                                name);
    if (facts[constant].home != home)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s belongs into the %s file", name,
                                home_names[facts[constant].home]);
    if (constants->entries[constant].evidence != MOEHUB_SYSTEM_UNSET)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s is given a second time", name);
    return constant;
}

static int check_rest(const struct line_reader *reader, int constant, const struct fields *fields,
                      struct moehub_system_entry *entry)
{
    const struct moehub_system_constant_facts *fact = &facts[constant];
    if (!parse_value(fields->value, &entry->value))
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: '%.80s' is not a number", fact->name, fields->value);
    if (!in_range(constant, entry->value))
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: %g is not in %g..%g%s%s", fact->name, entry->value, fact->lowest,
                                fact->highest, unit_text(fact)[0] != '\0' ? " " : "", unit_text(fact));
    if (strcmp(fields->unit, fact->unit) != 0)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: the unit is '%s', not '%.80s'", fact->name, fact->unit,
                                fields->unit);
    entry->evidence = parse_evidence(fields->evidence);
    if (entry->evidence == MOEHUB_SYSTEM_UNSET)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: evidence is measured, published, rtl or assumed, not '%.80s'",
                                fact->name, fields->evidence);
    const size_t length = strlen(fields->source);
    if (length == 0 || length >= sizeof entry->source)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "%s: a source of 1..%d bytes must follow", fact->name,
                                MOEHUB_SYSTEM_SOURCE_BYTES - 1);
    memcpy(entry->source, fields->source, length + 1);
    return 0;
}

static int read_constant(struct moehub_system_constants *constants, enum moehub_system_home home, struct line_reader *reader)
{
    reader->text[strcspn(reader->text, "#")] = '\0';
    const struct fields fields = split(reader->text);
    if (fields.name[0] == '\0')
        return 0;
    const int constant = check_name(constants, home, reader, fields.name);
    if (constant < 0)
        return constant;
    struct moehub_system_entry entry;
    const int error = check_rest(reader, constant, &fields, &entry);
    if (error == 0)
        constants->entries[constant] = entry;
    return error;
}

static int read_constants(struct moehub_system_constants *constants, enum moehub_system_home home, struct line_reader *reader)
{
    int status;
    while ((status = line_reader_next(reader)) == 1) {
        const int error = read_constant(constants, home, reader);
        if (error != 0)
            return error;
    }
    if (status < 0)
        return status;
    for (int i = 0; i < MOEHUB_SYSTEM_COUNT; i++)
        if (facts[i].home == home && constants->entries[i].evidence == MOEHUB_SYSTEM_UNSET)
            return line_reader_fail(reader, MOEHUB_E_FORMAT, "the file ends without %s (%s)", facts[i].name, facts[i].what);
    return 0;
}

int moehub_system_read(struct moehub_system_constants *constants, enum moehub_system_home home, FILE *file, const char *name,
                       struct moehub_message *message)
{
    for (int i = 0; i < MOEHUB_SYSTEM_COUNT; i++)
        if (facts[i].home == home)
            constants->entries[i] = (struct moehub_system_entry){0};
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
