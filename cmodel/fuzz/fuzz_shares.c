/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a book of slices: a refusal names file and line; what is accepted has been asked for by nobody. */
#include "fuzz.h"
#include "moehub/system_shares.h"

#include <stdlib.h>
#include <string.h>

const char *const fuzz_seeds[] = {
    "", "# written by a program\n32 8 56 56 293 4 1 0123456789abcdef 0.999 0.969 0.966 0.001 0.01 0.02\n",
    "4 2 4 8 16 2 0 00000000000000aa 1 0.5 0.5 0 0 0\n4 2 4 8 16 2 1 00000000000000aa 1 0.5 0.5 0 0 0 # a comment\n",
    "4 2 4 8 16 2 1 00000000000000aa 1 0.5 0.5 0 0 0\n4 2 4 8 16 2 1 00000000000000aa 1 0.5 0.5 0 0 0\n",
    "4 2 4 8 16 2 1 00000000000000aa 0 nan 2 -1 0x1p-3 inf\n", NULL,
};

static void check_nothing_asked(struct moehub_system_shares *shares)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return;
    moehub_system_shares_write(shares, file);
    fclose(file);
    if (size != 0)
        abort();
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *file = fuzz_file(bytes, size);
    struct moehub_system_shares *shares = moehub_system_shares_create();
    struct moehub_message message = {""};
    if (file != NULL && shares != NULL) {
        const int error = moehub_system_shares_read(shares, file, "input", &message);
        if (error == 0)
            check_nothing_asked(shares);
        else if (error == MOEHUB_E_FORMAT && strncmp(message.text, "input:", 6) != 0)
            abort();
    }
    if (file != NULL)
        fclose(file);
    moehub_system_shares_destroy(shares);
    return 0;
}
