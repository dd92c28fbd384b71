/* SPDX-License-Identifier: Apache-2.0 */
/* The options that describe a layer, shared by every program that runs one: from a command line, or filled in by hand.
 *
 * From a command line (glibc argp): use moehub_options_argp as a child parser, its input being a `struct moehub_options`
 * set up by moehub_options_init():
 *     --model --experts --topk --hidden --gpus --tokens --type --routing --groups --groups-kept
 *     --layer --cut --keep-warmup --placement --seed
 * A bad value ends the program through argp_error, which names the option; programs set argp_err_exit_status to 2
 * first.
 *
 * By hand: moehub_options_init(), set what differs, moehub_options_check().
 *
 * Without --model, --experts and --hidden a synthetic layer has the shape of deepseek-v3. */
#ifndef MOEHUB_OPTIONS_H
#define MOEHUB_OPTIONS_H

#include "moehub/layer.h"

#include <argp.h>

struct moehub_options {
    const char *model;    /* as given; NULL: a shape by hand, or that of a trace */
    const char *routing;  /* as given, see moehub_routing_parse(); not owned, must outlive the layer's creation */
    bool cut_given;       /* layer.cut was chosen: refused without a trace */
    struct moehub_layer_options layer;  /* complete after the check: ready for moehub_layer_create(). Its routing's kind,
                                         * parameter and trace are those of the text above. */
};

/* Keys 0x300 .. 0x3FF belong to this parser. */
extern const struct argp moehub_options_argp;

/* Defaults: 8 GPUs, 4096 tokens on each (of a trace: all), bf16, uniform routing, block cut and placement, seed 1. */
void moehub_options_init(struct moehub_options *options);

/* What the parser does at the end of a command line: fills in what the model says and refuses what is unknown, missing,
 * out of range, contradictory or would be ignored, files that cannot be opened included. Takes no time: no row is drawn
 * and no file is read. 0, or MOEHUB_E_ARGUMENT or MOEHUB_E_FILE with a sentence that names the option. */
int moehub_options_check(struct moehub_options *options, struct moehub_message *message);

/* Reads an unsigned decimal number lowest..highest, nothing after it. 0 or MOEHUB_E_ARGUMENT. */
int moehub_options_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number);

/* The same for the value of --`option` in an argp parser: anything else ends the program through argp_error. */
uint64_t moehub_options_parse_number(struct argp_state *state, const char *option, const char *text, uint64_t lowest,
                                     uint64_t highest);

/* MOEHUB_CUT_* of "block" or "roundrobin"; -1 for any other text. */
int moehub_options_parse_cut(const char *text);

#endif
