/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/placement.h"

#include "common/line_reader.h"
#include "moehub/layer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNPLACED UINT16_MAX

void moehub_placement_destroy(struct moehub_placement *placement)
{
    if (placement == NULL)
        return;
    free(placement->places);
    free(placement->local_counts);
    free(placement->firsts);
    free(placement->by_gpu);
    *placement = (struct moehub_placement){0};
}

/* Room for everything, every expert unplaced. */
static int allocate(struct moehub_placement *placement, unsigned gpus, unsigned experts)
{
    *placement = (struct moehub_placement){.gpus = gpus, .experts = experts};
    if (gpus < 1 || gpus > MOEHUB_LAYER_GPUS_MAX || experts < 1 || experts > MOEHUB_LAYER_EXPERTS_MAX)
        return MOEHUB_E_ARGUMENT;
    placement->places = calloc(experts, sizeof *placement->places);
    placement->local_counts = calloc(gpus, sizeof *placement->local_counts);
    placement->firsts = calloc((size_t)gpus + 1, sizeof *placement->firsts);
    placement->by_gpu = calloc(experts, sizeof *placement->by_gpu);
    if (!placement->places || !placement->local_counts || !placement->firsts || !placement->by_gpu) {
        moehub_placement_destroy(placement);
        return MOEHUB_E_MEMORY;
    }
    for (unsigned expert = 0; expert < experts; expert++)
        placement->places[expert].gpu = UNPLACED;
    return 0;
}

/* Numbers each GPU's experts in ascending order, once every expert has its GPU. */
static void number_locals(struct moehub_placement *placement)
{
    for (unsigned expert = 0; expert < placement->experts; expert++) {
        struct moehub_place *place = &placement->places[expert];
        place->local = placement->local_counts[place->gpu]++;
    }
    for (unsigned gpu = 0; gpu < placement->gpus; gpu++)
        placement->firsts[gpu + 1] = placement->firsts[gpu] + placement->local_counts[gpu];
    for (unsigned expert = 0; expert < placement->experts; expert++) {
        const struct moehub_place *place = &placement->places[expert];
        placement->by_gpu[placement->firsts[place->gpu] + place->local] = (uint16_t)expert;
    }
}

int moehub_placement_create_block(struct moehub_placement *placement, unsigned gpus, unsigned experts)
{
    const int error = allocate(placement, gpus, experts);
    if (error != 0)
        return error;
    for (unsigned expert = 0; expert < experts; expert++)
        placement->places[expert].gpu = (uint16_t)(expert * gpus / experts);
    number_locals(placement);
    return 0;
}

/* Takes one line `expert gpu`, or a comment. */
static int place_line(struct moehub_placement *placement, const struct line_reader *reader)
{
    reader->text[strcspn(reader->text, "#")] = '\0';
    const char *cursor = reader->text;
    unsigned long long expert = 0;
    unsigned long long gpu = 0;
    scan_blanks(&cursor);
    if (*cursor == '\0')
        return 0;
    bool complete = scan_number(&cursor, &expert) && (*cursor == ' ' || *cursor == '\t');
    scan_blanks(&cursor);
    complete = complete && scan_number(&cursor, &gpu);
    scan_blanks(&cursor);
    if (!complete || *cursor != '\0')
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "expected two numbers: expert gpu");
    if (expert >= placement->experts)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "expert %llu: the layer has experts 0..%u", expert,
                                placement->experts - 1);
    if (gpu >= placement->gpus)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "GPU %llu: the layer has GPUs 0..%u", gpu, placement->gpus - 1);
    if (placement->places[expert].gpu != UNPLACED)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "expert %llu is placed a second time", expert);
    placement->places[expert].gpu = (uint16_t)gpu;
    return 0;
}

static int place_lines(struct moehub_placement *placement, struct line_reader *reader)
{
    int status;
    while ((status = line_reader_next(reader)) == 1) {
        const int error = place_line(placement, reader);
        if (error != 0)
            return error;
    }
    if (status < 0)
        return status;
    for (unsigned expert = 0; expert < placement->experts; expert++)
        if (placement->places[expert].gpu == UNPLACED)
            return line_reader_fail(reader, MOEHUB_E_FORMAT, "the table ends without a place for expert %u", expert);
    return 0;
}

int moehub_placement_create_table(struct moehub_placement *placement, unsigned gpus, unsigned experts, FILE *file,
                                  const char *name, struct moehub_message *message)
{
    int error = allocate(placement, gpus, experts);
    if (error != 0)
        return error;
    struct line_reader reader;
    line_reader_init(&reader, file, name, message);
    error = place_lines(placement, &reader);
    line_reader_destroy(&reader);
    if (error != 0)
        moehub_placement_destroy(placement);
    else
        number_locals(placement);
    return error;
}

int moehub_placement_create_file(struct moehub_placement *placement, unsigned gpus, unsigned experts, const char *path,
                                 struct moehub_message *message)
{
    *placement = (struct moehub_placement){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        moehub_message_set(message, path, 0, "%s", strerror(errno));
        return MOEHUB_E_FILE;
    }
    const int error = moehub_placement_create_table(placement, gpus, experts, file, path, message);
    fclose(file);
    return error;
}
