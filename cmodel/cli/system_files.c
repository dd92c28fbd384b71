/* SPDX-License-Identifier: Apache-2.0 */
#include "system_files.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const kinds[] = {[MOEHUB_SYSTEM_MACHINE] = "machine", [MOEHUB_SYSTEM_ASSUMPTION] = "assumptions",
                                    [MOEHUB_SYSTEM_PACKET] = "packet", [MOEHUB_SYSTEM_HUB] = "hub"};

/* The name before ".KIND", or 0. */
static int stem(const char *file, const char *kind)
{
    const char *dot = strrchr(file, '.');
    return dot != NULL && strcmp(dot + 1, kind) == 0 ? (int)(dot - file) : 0;
}

/* What could have been meant: the folder's files of the kind. */
static void list_others(const char *folder, const char *name, const char *kind, struct moehub_message *message)
{
    char names[sizeof message->text / 2] = "";
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        const int length = stem(entries[i]->d_name, kind);
        const size_t used = strlen(names);
        if (length > 0)
            snprintf(names + used, sizeof names - used, "%s%.*s", used > 0 ? ", " : "", length, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    if (names[0] != '\0')
        moehub_message_set(message, NULL, 0, "%s/%s.%s: no such file; there are %s", folder, name, kind, names);
    else
        moehub_message_set(message, NULL, 0, "%s/%s.%s: no such file. Run it in moehub's folder, or name the folder of these "
                           "files with --folder", folder, name, kind);
}

int system_read_file(struct moehub_system_constants *constants, enum moehub_system_home home, const char *folder,
                     const char *name, struct moehub_message *message)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s.%s", folder, name, kinds[home]);
    if (length >= (int)sizeof path) {
        moehub_message_set(message, NULL, 0, "the path of '%.80s' is too long", name);
        return MOEHUB_E_ARGUMENT;
    }
    const int error = moehub_system_read_path(constants, home, path, message);
    if (error == MOEHUB_E_FILE && access(path, F_OK) != 0)
        list_others(folder, name, kinds[home], message);
    return error;
}

int system_read_option(struct moehub_system_constants *constants, enum moehub_system_home home, const char *path,
                       const char *option, struct moehub_message *message)
{
    const int error = moehub_system_read_path(constants, home, path, message);
    if (error == MOEHUB_E_FILE && access(path, F_OK) != 0)
        moehub_message_set(message, path, 0, "no such file. Run it in moehub's folder, or name the file with --%s", option);
    return error;
}

void system_values_add(struct system_values *values, const char *assignment, struct argp_state *state)
{
    if (values->count == SYSTEM_SETS_MAX)
        argp_error(state, "at most %d values can be set", SYSTEM_SETS_MAX);
    else
        values->assignments[values->count++] = assignment;
}

int system_values_set(const struct system_values *values, struct moehub_system_constants *constants,
                      struct moehub_message *message)
{
    int error = 0;
    for (size_t i = 0; i < values->count && error == 0; i++)
        error = moehub_system_set(constants, values->assignments[i], message);
    return error;
}
