/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic_files.h"

#include "moehub/chakra.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static FILE *open_file(const char *path, struct moehub_message *message)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        moehub_message_set(message, path, 0, "cannot be written: %s", strerror(errno));
    return file;
}

static int close_file(FILE *file, const char *path, struct moehub_message *message)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed)
        return 0;
    moehub_message_set(message, path, 0, "cannot be written");
    return MOEHUB_E_FILE;
}

static int write_matrix(const char *path, const struct moehub_traffic_matrix *matrix, struct moehub_message *message)
{
    if (path == NULL)
        return 0;
    FILE *file = open_file(path, message);
    if (file == NULL)
        return MOEHUB_E_FILE;
    moehub_traffic_matrix_write(matrix, file);
    return close_file(file, path, message);
}

static int write_trace(const char *prefix, const struct moehub_traffic_matrix *matrices, unsigned gpu,
                       struct moehub_message *message)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s.%u.et", prefix, gpu);
    if (length >= (int)sizeof path) {
        moehub_message_set(message, prefix, 0, "the path is too long");
        return MOEHUB_E_FILE;
    }
    FILE *file = open_file(path, message);
    if (file == NULL)
        return MOEHUB_E_FILE;
    moehub_chakra_write(&matrices[MOEHUB_TRAFFIC_DISPATCH], &matrices[MOEHUB_TRAFFIC_COMBINE], gpu, file);
    return close_file(file, path, message);
}

static int write_files(const struct traffic_files *files, const struct moehub_traffic_matrix *matrices,
                       struct moehub_message *message)
{
    int error = write_matrix(files->matrix, &matrices[MOEHUB_TRAFFIC_DISPATCH], message);
    if (error == 0)
        error = write_matrix(files->combine_matrix, &matrices[MOEHUB_TRAFFIC_COMBINE], message);
    for (unsigned gpu = 0; files->chakra != NULL && gpu < matrices[0].gpus && error == 0; gpu++)
        error = write_trace(files->chakra, matrices, gpu, message);
    return error;
}

int traffic_files_write(const struct traffic_files *files, const struct moehub_layer *layer, struct moehub_message *message)
{
    struct moehub_traffic_matrix matrices[2] = {{0}, {0}};
    int error = moehub_traffic_matrix_measure(&matrices[MOEHUB_TRAFFIC_DISPATCH], layer, MOEHUB_TRAFFIC_DISPATCH);
    if (error == 0)
        error = moehub_traffic_matrix_measure(&matrices[MOEHUB_TRAFFIC_COMBINE], layer, MOEHUB_TRAFFIC_COMBINE);
    if (error == 0)
        error = write_files(files, matrices, message);
    moehub_traffic_matrix_destroy(&matrices[MOEHUB_TRAFFIC_DISPATCH]);
    moehub_traffic_matrix_destroy(&matrices[MOEHUB_TRAFFIC_COMBINE]);
    return error;
}
