/* SPDX-License-Identifier: Apache-2.0 */
/* A machine under a set of assumptions, with the RTL's plane and hubs and with the measured slices, as the program reads them. */
#ifndef TESTS_COMMON_SYSTEM_SUPPORT_H
#define TESTS_COMMON_SYSTEM_SUPPORT_H

#include "common/support.h"
#include "moehub/system_shares.h"

static inline void read_home(struct moehub_system_constants *constants, enum moehub_system_home home, const char *name,
                             const char *kind)
{
    char path[128];
    struct moehub_message message = {""};
    snprintf(path, sizeof path, "cmodel/machines/%s.%s", name, kind);
    assert_int_equal(moehub_system_read_path(constants, home, path, &message), 0);
}

/* One book for all tests of a program: what is not in the file is run once. It lives as long as the program. */
static inline struct moehub_system_shares *shared_book(void)
{
    static struct moehub_system_shares *book;
    struct moehub_message message = {""};
    if (book != NULL)
        return book;
    book = moehub_system_shares_create();
    assert_non_null(book);
    FILE *file = fopen("cmodel/machines/rtl.shares", "r");
    assert_non_null(file);
    assert_int_equal(moehub_system_shares_read(book, file, "rtl.shares", &message), 0);
    fclose(file);
    return book;
}

static inline void load_system(struct moehub_system_constants *constants, const char *machine, const char *set)
{
    *constants = (struct moehub_system_constants){.shares = shared_book()};
    read_home(constants, MOEHUB_SYSTEM_MACHINE, machine, "machine");
    read_home(constants, MOEHUB_SYSTEM_ASSUMPTION, set, "assumptions");
    read_home(constants, MOEHUB_SYSTEM_PACKET, "rtl", "packet");
    read_home(constants, MOEHUB_SYSTEM_HUB, "rtl", "hub");
}

#endif
