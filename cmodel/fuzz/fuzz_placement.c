/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a placement table: one that is accepted places every expert once; a refusal names file and line. */
#include "fuzz.h"
#include "moehub/placement.h"

#include <stdlib.h>
#include <string.h>

enum { GPUS = 3, EXPERTS = 4 };

const char *const fuzz_seeds[] = {
    "", "0 0\n1 1\n2 2\n3 0\n", "# expert gpu\n3 0 # last\n\n2 1\r\n\t1 2\n0 0", "0 0\n1 1\n2 2\n2 0\n",
    "\357\273\2773 0\n2 1\n1 2\n0 0\n", NULL,
};

static void check(const struct moehub_placement *placement)
{
    unsigned total = 0;
    for (unsigned gpu = 0; gpu < GPUS; gpu++) {
        total += placement->local_counts[gpu];
        for (unsigned local = 0; local < placement->local_counts[gpu]; local++) {
            const struct moehub_place place = placement->places[moehub_placement_expert(placement, gpu, local)];
            if (place.gpu != gpu || place.local != local)
                abort();
        }
    }
    if (total != EXPERTS)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *file = fuzz_file(bytes, size);
    if (file == NULL)
        return 0;
    struct moehub_message message = {""};
    struct moehub_placement placement;
    const int error = moehub_placement_create_table(&placement, GPUS, EXPERTS, file, "input", &message);
    fclose(file);
    if (error == 0)
        check(&placement);
    else if (error == MOEHUB_E_FORMAT && strncmp(message.text, "input:", 6) != 0)
        abort();
    moehub_placement_destroy(&placement);
    return 0;
}
