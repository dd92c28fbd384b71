/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters that the design was built with, from its description "top NAME=value NAME=value ..." (dut_description). */
#ifndef KIT_PARAMETERS_H
#define KIT_PARAMETERS_H

#include <stddef.h>
#include <stdint.h>

/* A name that is known, and where its value goes; it holds the default beforehand. */
struct parameter {
    const char *name;
    uint32_t *value;
};

/* A top of several blocks gives the names of each but the first a prefix: a block takes those that begin with `prefix` ("":
 * all) but not with `others` (NULL: there are none), and leaves the rest to another. An unknown name, or a value that is no
 * number, ends the program with status 2. */
void parameters_read(const char *description, const char *prefix, const char *others, const struct parameter *parameters,
                     size_t count);

/* The same of a design without prefixes, for who needs only some of its parameters: other names are left alone. */
void parameters_find(const char *description, const struct parameter *parameters, size_t count);

#endif
