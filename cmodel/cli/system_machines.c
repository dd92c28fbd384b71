/* SPDX-License-Identifier: Apache-2.0 */
#include "system_machines.h"

#include "moehub/system_study.h"

int system_machine_load(const struct system_arguments *arguments, const char *machine, const char *assumptions,
                        struct moehub_system_constants *constants, struct moehub_message *message)
{
    *constants = (struct moehub_system_constants){0};
    int error = system_read_file(constants, MOEHUB_SYSTEM_MACHINE, arguments->folder, machine, message);
    if (error == 0)
        error = system_read_file(constants, MOEHUB_SYSTEM_ASSUMPTION, arguments->folder, assumptions, message);
    if (error == 0)
        error = system_read_file(constants, MOEHUB_SYSTEM_PACKET, arguments->folder, "rtl", message);
    if (error == 0)
        error = system_read_file(constants, MOEHUB_SYSTEM_HUB, arguments->folder, "rtl", message);
    return error != 0 ? error : system_values_set(&arguments->values, constants, message);
}

/* --gpus is --set gpus=N for the machine of the layers alone. */
static void set_gpus(const struct system_arguments *arguments, struct moehub_system_constants *constants)
{
    if (arguments->gpus != 0)
        constants->entries[MOEHUB_SYSTEM_gpus] =
            (struct moehub_system_entry){.value = arguments->gpus, .evidence = MOEHUB_SYSTEM_USER, .source = "--gpus"};
}

int system_machines_load(const struct system_arguments *arguments, struct moehub_system_shares *shares,
                         struct system_machines *machines, struct moehub_message *message)
{
    static const char *const sets[] = {"measured", "paper"};
    static const char *const hubs[] = {"h800-8", "h800-8-paper"};
    int error = 0;
    for (int i = 0; i < 2 && error == 0; i++) {
        error = system_machine_load(arguments, arguments->machine, sets[i], &machines->training[i], message);
        set_gpus(arguments, &machines->training[i]);
        if (error == 0)
            error = system_machine_load(arguments, hubs[i], sets[i], &machines->hub[i], message);
        machines->training[i].shares = machines->hub[i].shares = shares;
    }
    return error;
}

int system_machines_check(const struct moehub_system_constants *constants, struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    const double gpus = moehub_system_value(constants, MOEHUB_SYSTEM_gpus);
    for (size_t i = 0; i < count; i++)
        if (gpus != (unsigned)gpus || works[i].experts % (unsigned)gpus != 0) {
            moehub_message_set(message, NULL, 0, "gpus: %g: expected a whole number that divides the %u experts of %s, as do all "
                               "tables' machines; for another, ask about one layer: --scheme", gpus, works[i].experts,
                               works[i].name);
            return MOEHUB_E_ARGUMENT;
        }
    return 0;
}

