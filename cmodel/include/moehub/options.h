/* SPDX-License-Identifier: Apache-2.0 */
/* The command-line options that describe a layer, shared by every program that runs one (glibc argp).
 *
 * Use as a child parser, its input being a `struct moehub_options` set up by moehub_options_init():
 *     --model --experts --topk --hidden --gpus --tokens --type --routing --groups --groups-kept
 *     --layer --cut --keep-warmup --placement --seed
 * A bad value ends the program through argp_error, which names the option; programs set argp_err_exit_status to 2
 * first. Without --model, --experts and --hidden a synthetic layer has the shape of deepseek-v3. */
#ifndef MOEHUB_OPTIONS_H
#define MOEHUB_OPTIONS_H

#include "moehub/layer.h"

#include <argp.h>

struct moehub_options {
    const char *model;    /* as given; NULL: a shape by hand, or that of a trace */
    const char *routing;  /* as given */
    bool cut_given;
    struct moehub_layer_options layer;  /* complete after parsing: ready for moehub_layer_create() */
};

/* Keys 0x300 .. 0x3FF belong to this parser. */
extern const struct argp moehub_options_argp;

/* Defaults: 8 GPUs, 4096 tokens on each (of a trace: all), bf16, uniform routing, block cut and placement, seed 1. */
void moehub_options_init(struct moehub_options *options);

/* Reads an unsigned decimal number lowest..highest, nothing after it. 0 or MOEHUB_E_ARGUMENT. */
int moehub_options_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

#endif
