/* SPDX-License-Identifier: Apache-2.0 */
#include "system_shares.h"

#include <errno.h>
#include <string.h>

int system_shares_open(struct moehub_system_shares **shares, const char *folder, struct moehub_message *message)
{
    char path[512];
    *shares = moehub_system_shares_create();
    if (*shares == NULL)
        return MOEHUB_E_MEMORY;
    if (snprintf(path, sizeof path, "%s/rtl.shares", folder) >= (int)sizeof path)
        return 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return 0;
    const int error = moehub_system_shares_read(*shares, file, path, message);
    fclose(file);
    return error;
}

static const char head[] =
    "# What slices of layers reach of their busiest link at the packet level: written by `make shares`, never by hand\n"
    "# gpus topk dispatch_lines combine_lines rows draws in_switch key, shares of dispatch, combine, fused, their spreads\n";

int system_shares_write(struct moehub_system_shares *shares, const char *path, struct moehub_message *message)
{
    FILE *file = fopen(path, "w");
    bool written = file != NULL && fputs(head, file) != EOF;
    if (written)
        moehub_system_shares_write(shares, file);
    if (file != NULL) {
        written = ferror(file) == 0 && written;
        written = fclose(file) == 0 && written;
    }
    if (written)
        return 0;
    moehub_message_set(message, path, 0, "cannot be written: %s", strerror(errno));
    return MOEHUB_E_FILE;
}
