/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a user's own question: layer.json, layer.csv, layer.svg. */
#include "system_plot.h"
#include "system_question.h"
#include "system_tables.h"

static json_t *answer_json(const struct system_answer *answer)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:f}", "set", answer->set, "scheme",
                               moehub_system_scheme_name(answer->scheme), "level", moehub_system_level_name(answer->scheme),
                               "layer_s", answer->seconds, "gain", answer->gain);
    const double *up = answer->bytes.up, *down = answer->bytes.down;
    if (object == NULL || !answer->tiles)
        return object;
    json_t *flows = json_pack("{s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:i, s:i, s:i, s:i}", "dispatch_up_bytes",
                              up[MOEHUB_SYSTEM_DISPATCH], "dispatch_down_bytes", down[MOEHUB_SYSTEM_DISPATCH],
                              "combine_up_bytes", up[MOEHUB_SYSTEM_COMBINE], "combine_down_bytes",
                              down[MOEHUB_SYSTEM_COMBINE], "requests_up_bytes", up[MOEHUB_SYSTEM_REQUESTS],
                              "requests_down_bytes", down[MOEHUB_SYSTEM_REQUESTS], "up_in_use", answer->up, "down_in_use",
                              answer->down, "dispatch_sms", (int)answer->dispatch_sms, "gemm_1_sms",
                              (int)answer->gemm_sms[0], "gemm_2_sms", (int)answer->gemm_sms[1], "combine_sms",
                              (int)answer->combine_sms);
    const bool joined = flows != NULL && json_object_update(object, flows) == 0;
    json_decref(flows);
    if (joined)
        return object;
    json_decref(object);
    return NULL;
}

static int write_answers_json(const char *folder, const struct system_answer *answers, size_t count,
                              struct moehub_message *message)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        array = append(array, answer_json(&answers[i]));
    return write_array(folder, "layer.json", array, message);
}

/* What a scheme by rates does not know is empty. */
static void write_answer(FILE *file, const struct system_answer *answer)
{
    fprintf(file, "%s,%s,%s,%.9g,%.6g", answer->set, moehub_system_scheme_name(answer->scheme),
            moehub_system_level_name(answer->scheme), answer->seconds, answer->gain);
    for (int i = 0; i < MOEHUB_SYSTEM_TRAFFICS; i++)
        if (answer->tiles)
            fprintf(file, ",%.9g,%.9g", answer->bytes.up[i], answer->bytes.down[i]);
        else
            fprintf(file, ",,");
    if (answer->tiles)
        fprintf(file, ",%.6g,%.6g,%u,%u,%u,%u\n", answer->up, answer->down, answer->dispatch_sms, answer->gemm_sms[0],
                answer->gemm_sms[1], answer->combine_sms);
    else
        fprintf(file, ",,,,,,\n");
}

static int write_answers_csv(const char *folder, const struct system_answer *answers, size_t count,
                             struct moehub_message *message)
{
    FILE *file = open_in_folder(folder, "layer.csv", message);
    if (file == NULL)
        return MOEHUB_E_FILE;
    fprintf(file, "set,scheme,level,layer_s,gain,dispatch_up_bytes,dispatch_down_bytes,combine_up_bytes,combine_down_bytes,"
                  "requests_up_bytes,requests_down_bytes,up_in_use,down_in_use,dispatch_sms,gemm_1_sms,gemm_2_sms,combine_sms\n");
    for (size_t i = 0; i < count; i++)
        write_answer(file, &answers[i]);
    return close_in_folder(file, folder, "layer.csv", message);
}

int answers_write(const char *folder, const char *title, const struct system_answer *answers, size_t count,
                  struct moehub_message *message)
{
    int error = write_answers_json(folder, answers, count, message);
    if (error == 0)
        error = write_answers_csv(folder, answers, count, message);
    if (error != 0)
        return error;
    FILE *file = open_in_folder(folder, "layer.svg", message);
    if (file == NULL)
        return MOEHUB_E_FILE;
    plot_answers(file, title, answers, count);
    return close_in_folder(file, folder, "layer.svg", message);
}
