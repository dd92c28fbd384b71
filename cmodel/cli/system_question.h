/* SPDX-License-Identifier: Apache-2.0 */
/* A user's own question to `moehub system`: some schemes on one layer. */
#ifndef MOEHUB_CLI_SYSTEM_QUESTION_H
#define MOEHUB_CLI_SYSTEM_QUESTION_H

#include "moehub/system_time.h"

/* As the options say; NULL or 0: not given. */
struct system_question {
    const char *model;      /* a preset */
    unsigned experts, topk, hidden, inner;  /* in place of the model's */
    const char *schemes;    /* names with commas between them */
    const char *trace;      /* file of recorded routing */
    const char *timeline;   /* file to write */
    const char *precision;  /* of dispatched rows: bf16 or fp8 */
    unsigned tokens;        /* of a GPU */
    bool backward;
};

/* Whether any of it was given. */
bool question_asked(const struct system_question *question);

/* Answers on stdout under both sets of constants ([0] measured, [1] paper), on so many threads, and in `folder`, unless that is
 * NULL, as layer.json, layer.csv, layer.svg. 0 or an error with a sentence. */
int question_answer(const struct system_question *question, const struct moehub_system_constants *sets, unsigned threads,
                    const char *folder, struct moehub_message *message);

/* What a scheme takes under a set. */
struct system_answer {
    const char *set;
    enum moehub_system_scheme scheme;
    double seconds;
    double gain;                       /* over the first scheme of the set */
    bool tiles;                        /* else the rest is unknown */
    struct moehub_system_bytes bytes;  /* over the links of a GPU of the fullest class, framing included */
    double up, down;                   /* shares of their time that these links are in use */
    unsigned dispatch_sms, combine_sms;  /* of the groups that move rows; 0: the scheme has none */
    unsigned gemm_sms[2];              /* of each GEMM's group; the second 0: both take the first */
};

/* Files in a folder that exists. 0, or an error with a sentence. */
int answers_write(const char *folder, const char *title, const struct system_answer *answers, size_t count,
                  struct moehub_message *message);

/* Chrome trace JSON (Perfetto) of one run: units and links of each class of GPUs, times in microseconds. */
int timeline_write(const char *path, const struct moehub_system_plan *plan, const char *title, struct moehub_message *message);

#endif
