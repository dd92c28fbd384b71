/* SPDX-License-Identifier: Apache-2.0 */
/* The command-line options that describe a layer, shared by every program that runs one (glibc argp).
 *
 * Use as a child parser, its input being a `struct moehub_options` set up by moehub_options_init():
 *     --model --experts --topk --hidden --gpus --tokens --type --routing --groups --groups-kept
 *     --layer --cut --keep-warmup --placement --seed
 * Bad values end the program through argp_error (status 2, the option named). */
#ifndef MOEHUB_OPTIONS_H
#define MOEHUB_OPTIONS_H

#include "moehub/layer.h"

#include <argp.h>

struct moehub_options {
    const char *model;    /* as given, or NULL */
    const char *routing;  /* as given */
    struct moehub_layer_options layer;
};

/* Keys 0x300 .. 0x3FF belong to this parser. */
extern const struct argp moehub_options_argp;

/* Defaults: 8 GPUs, bf16, uniform routing, block cut and placement, seed 1. */
void moehub_options_init(struct moehub_options *options);

/* Builds the layer after parsing; the model's shape fills what was not given by hand. Errors as moehub_layer_create. */
int moehub_options_layer(const struct moehub_options *options, struct moehub_layer *layer,
                         struct moehub_message *message);

/* Reads an unsigned decimal number lowest..highest, nothing after it. 0 or MOEHUB_E_ARGUMENT. */
int moehub_options_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

#endif
