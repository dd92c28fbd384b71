/* SPDX-License-Identifier: Apache-2.0 */
#include "system_files.h"

int system_read_file(struct moehub_system_constants *constants, enum moehub_system_home home, const char *folder,
                     const char *name, struct moehub_message *message)
{
    char path[512];
    static const char *const kinds[] = {[MOEHUB_SYSTEM_MACHINE] = "machine", [MOEHUB_SYSTEM_ASSUMPTION] = "assumptions",
                                        [MOEHUB_SYSTEM_PACKET] = "packet", [MOEHUB_SYSTEM_HUB] = "hub"};
    const int length = snprintf(path, sizeof path, "%s/%s.%s", folder, name, kinds[home]);
    if (length >= (int)sizeof path) {
        moehub_message_set(message, NULL, 0, "the path of '%.80s' is too long", name);
        return MOEHUB_E_ARGUMENT;
    }
    return moehub_system_read_path(constants, home, path, message);
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
