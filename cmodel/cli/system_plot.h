/* SPDX-License-Identifier: Apache-2.0 */
/* The plot of a user's own question, with the parts of the other plots. */
#ifndef MOEHUB_CLI_SYSTEM_PLOT_H
#define MOEHUB_CLI_SYSTEM_PLOT_H

#include "system_question.h"

#include <stdio.h>

/* Time of each scheme as a bar, the sets one below the other: as many answers of each. */
void plot_answers(FILE *file, const char *title, const struct system_answer *answers, size_t count);

#endif
