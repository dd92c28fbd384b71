/* SPDX-License-Identifier: Apache-2.0 */
/* The book of measured slices, and its file. */
#include "moehub/system_shares.h"

#include "common/line_reader.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A slice by what it is, but for its chances and the plane's constants, which lie in a key of 64 bits. */
struct name {
    unsigned gpus, topk, dispatch_lines, combine_lines, rows, draws, in_switch;
    uint64_t key;
};

struct entry {
    struct name name;
    struct moehub_system_slice_result result;
    bool measured;   /* else a thread is at it */
    bool asked;
};

struct moehub_system_shares {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct entry *entries;
    size_t count, capacity;
};

struct moehub_system_shares *moehub_system_shares_create(void)
{
    struct moehub_system_shares *shares = calloc(1, sizeof *shares);
    if (shares == NULL)
        return NULL;
    pthread_mutex_init(&shares->lock, NULL);
    pthread_cond_init(&shares->changed, NULL);
    return shares;
}

void moehub_system_shares_destroy(struct moehub_system_shares *shares)
{
    if (shares == NULL)
        return;
    pthread_cond_destroy(&shares->changed);
    pthread_mutex_destroy(&shares->lock);
    free(shares->entries);
    free(shares);
}

static uint64_t mix(uint64_t key, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    key = (key ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

static struct name name_of(const struct moehub_system_constants *constants, const struct moehub_system_slice *slice)
{
    struct name name = {slice->gpus, slice->topk, slice->dispatch_lines, slice->combine_lines, slice->rows, slice->draws,
                        slice->in_switch, 0};
    for (unsigned i = 0; i < slice->gpus; i++)
        name.key = mix(name.key, slice->hits[i]);
    for (int i = MOEHUB_SYSTEM_LAYER_COUNT; i < MOEHUB_SYSTEM_PLANE_COUNT; i++)
        name.key = mix(name.key, constants->entries[i].value);
    return name;
}

static int compare_number(uint64_t left, uint64_t right)
{
    return (left > right) - (left < right);
}

static int compare(const struct name *left, const struct name *right)
{
    const uint64_t numbers[][2] = {{left->gpus, right->gpus}, {left->topk, right->topk},
                                   {left->dispatch_lines, right->dispatch_lines}, {left->combine_lines, right->combine_lines},
                                   {left->rows, right->rows}, {left->draws, right->draws},
                                   {left->in_switch, right->in_switch}, {left->key, right->key}};
    int order = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && order == 0; i++)
        order = compare_number(numbers[i][0], numbers[i][1]);
    return order;
}

/* Its number, or the count. */
static size_t find(const struct moehub_system_shares *shares, const struct name *name)
{
    size_t i = 0;
    while (i < shares->count && compare(&shares->entries[i].name, name) != 0)
        i++;
    return i;
}

static int append(struct moehub_system_shares *shares, const struct entry *entry)
{
    if (shares->count == shares->capacity) {
        const size_t capacity = shares->capacity == 0 ? 64 : 2 * shares->capacity;
        struct entry *entries = realloc(shares->entries, capacity * sizeof *entries);
        if (entries == NULL)
            return MOEHUB_E_MEMORY;
        shares->entries = entries;
        shares->capacity = capacity;
    }
    shares->entries[shares->count++] = *entry;
    return 0;
}

/* ---- the file ---- */
/* A whole number, blanks before it. */
static bool take_number(const char **cursor, unsigned *number)
{
    unsigned long long wide = 0;
    scan_blanks(cursor);
    const bool there = scan_number(cursor, &wide) && wide <= UINT32_MAX;
    *number = (unsigned)wide;
    return there;
}

/* A share or spread. */
static bool take_part(const char **cursor, double *part)
{
    char *end;
    *part = strtod(*cursor, &end);
    const bool there = end != *cursor && *part >= 0 && *part <= 1;
    *cursor = end;
    return there;
}

static bool take_key(const char **cursor, uint64_t *key)
{
    const size_t digits = 16;
    scan_blanks(cursor);
    const bool there = strspn(*cursor, "0123456789abcdef") == digits;
    *key = there ? strtoull(*cursor, NULL, 16) : 0;
    *cursor += there ? digits : 0;
    return there;
}

static int parse(const struct line_reader *reader, struct entry *entry)
{
    struct name *name = &entry->name;
    struct moehub_system_slice_result *result = &entry->result;
    unsigned *const numbers[] = {&name->gpus, &name->topk, &name->dispatch_lines, &name->combine_lines, &name->rows,
                                 &name->draws, &name->in_switch};
    const char *cursor = reader->text;
    bool right = true;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && right; i++)
        right = take_number(&cursor, numbers[i]);
    right = right && take_key(&cursor, &name->key);
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS && right; i++)
        right = take_part(&cursor, &result->share[i]) && result->share[i] > 0;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS && right; i++)
        right = take_part(&cursor, &result->spread[i]);
    scan_blanks(&cursor);
    if (right && *cursor == '\0')
        return 0;
    return line_reader_fail(reader, MOEHUB_E_FORMAT, "expected a slice, its key of 16 digits, three shares in 0..1 and three "
                            "spreads; `make shares` writes the file");
}

static int read_line(struct moehub_system_shares *shares, struct line_reader *reader)
{
    struct entry entry = {.measured = true};
    reader->text[strcspn(reader->text, "#")] = '\0';
    if (reader->text[strspn(reader->text, " \t\r")] == '\0')
        return 0;
    const int error = parse(reader, &entry);
    if (error != 0)
        return error;
    if (find(shares, &entry.name) < shares->count)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "this slice is there already");
    return append(shares, &entry);
}

int moehub_system_shares_read(struct moehub_system_shares *shares, FILE *file, const char *name, struct moehub_message *message)
{
    struct line_reader reader;
    int status;
    int error = 0;
    line_reader_init(&reader, file, name, message);
    while (error == 0 && (status = line_reader_next(&reader)) != 0)
        error = status < 0 ? status : read_line(shares, &reader);
    line_reader_destroy(&reader);
    return error;
}

static int by_name(const void *left, const void *right)
{
    return compare(&((const struct entry *)left)->name, &((const struct entry *)right)->name);
}

void moehub_system_shares_write(struct moehub_system_shares *shares, FILE *file)
{
    if (shares->count > 0)
        qsort(shares->entries, shares->count, sizeof shares->entries[0], by_name);
    for (size_t i = 0; i < shares->count; i++) {
        const struct name *name = &shares->entries[i].name;
        const struct moehub_system_slice_result *result = &shares->entries[i].result;
        if (!shares->entries[i].asked)
            continue;
        fprintf(file, "%u %u %u %u %u %u %u %016" PRIx64, name->gpus, name->topk, name->dispatch_lines, name->combine_lines,
                name->rows, name->draws, name->in_switch, name->key);
        for (int j = 0; j < MOEHUB_SYSTEM_PATTERNS; j++)
            fprintf(file, " %.6f", result->share[j]);
        for (int j = 0; j < MOEHUB_SYSTEM_PATTERNS; j++)
            fprintf(file, " %.6f", result->spread[j]);
        fputc('\n', file);
    }
}

/* ---- asking ---- */
/* The entry's number once it is measured; the count, with an entry of the caller's to fill, if nobody has been at it. */
static size_t wait_for(struct moehub_system_shares *shares, const struct name *name)
{
    size_t number;
    while ((number = find(shares, name)) < shares->count && !shares->entries[number].measured)
        pthread_cond_wait(&shares->changed, &shares->lock);
    return number;
}

/* Fills the entry that the caller has made, or takes it away. Others have moved it meanwhile. */
static void settle(struct moehub_system_shares *shares, const struct name *name,
                   const struct moehub_system_slice_result *result)
{
    pthread_mutex_lock(&shares->lock);
    const size_t number = find(shares, name);
    if (result != NULL) {
        shares->entries[number].result = *result;
        shares->entries[number].measured = true;
    } else {
        shares->entries[number] = shares->entries[--shares->count];
    }
    pthread_cond_broadcast(&shares->changed);
    pthread_mutex_unlock(&shares->lock);
}

/* 1: it is in the book; 0: the caller has to measure it, others wait; or an error. */
static int look_up(struct moehub_system_shares *shares, const struct name *name, struct moehub_system_slice_result *result)
{
    const struct entry made = {.name = *name, .asked = true};
    pthread_mutex_lock(&shares->lock);
    const size_t number = wait_for(shares, name);
    const bool there = number < shares->count;
    int status = there;
    if (there) {
        *result = shares->entries[number].result;
        shares->entries[number].asked = true;
    } else {
        status = append(shares, &made);
    }
    pthread_mutex_unlock(&shares->lock);
    return status;
}

int moehub_system_shares_find(struct moehub_system_shares *shares, const struct moehub_system_constants *constants,
                              const struct moehub_system_slice *slice, struct moehub_system_slice_result *result,
                              struct moehub_message *message)
{
    if (shares == NULL)
        return moehub_system_slice_run(constants, slice, result, message);
    const struct name name = name_of(constants, slice);
    const int status = look_up(shares, &name, result);
    if (status != 0)
        return status < 0 ? status : 0;
    const int error = moehub_system_slice_run(constants, slice, result, message);
    settle(shares, &name, error == 0 ? result : NULL);
    return error;
}
