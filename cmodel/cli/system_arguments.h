/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `moehub system`, but for the packet level and matrices, which have options of their own. */
#ifndef MOEHUB_CLI_SYSTEM_ARGUMENTS_H
#define MOEHUB_CLI_SYSTEM_ARGUMENTS_H

#include "system_files.h"
#include "system_question.h"

/* As the options say. */
struct system_arguments {
    const char *folder;   /* of the machine and assumption files */
    const char *machine;
    const char *output;   /* folder for the JSON files, or NULL */
    struct system_values values;
    unsigned gpus;        /* of the machine of the layers, or 0: its own */
    unsigned threads;
    struct system_question question;
    bool list_constants;
    bool validation;      /* print that alone */
    bool levels;          /* the same */
    bool sensitivity;     /* the same */
    const char *write_shares;  /* the file to write, or NULL */
};

/* Reads them; a wrong one ends the program with a sentence. */
struct system_arguments system_arguments_read(int argc, char **argv);

#endif
