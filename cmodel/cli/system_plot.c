/* SPDX-License-Identifier: Apache-2.0 */
/* The plots of `moehub system` as SVG: bars of the claims and of the constants, curves of the sweeps. No library: rectangles,
 * lines and texts. */
#include "system_plot.h"

#include "system_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 900, LEFT = 300, BAR = 9, ROW = 3 * BAR + 8, TOP = 60 };

static const char *const colours[] = {"#444444", "#1f77b4", "#ff7f0e"};

static void open_svg(FILE *file, int width, int height, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n<text x=\"10\" y=\"20\" font-size=\"15\">%s</text>\n",
            width, height, width, height, title);
}

static void text(FILE *file, double x, double y, const char *anchor, const char *content)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, content);
}

static void number(FILE *file, double x, double y, const char *anchor, double value)
{
    char content[32];
    snprintf(content, sizeof content, "%.3g", value);
    text(file, x, y, anchor, content);
}

static void bar(FILE *file, double x, double y, double width, const char *colour)
{
    fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", x, y, fmax(0, width),
            BAR - 1, colour);
}

/* A colour without a name is not used. */
static void legend(FILE *file, const char *const *names, int count)
{
    for (int i = 0, place = 10; i < count; i++) {
        if (names[i] == NULL)
            continue;
        bar(file, place, 30, 20, colours[i]);
        text(file, place + 25, 38, "start", names[i]);
        place += 170;
    }
}

static bool plotted(const struct moehub_system_claim *claim)
{
    return claim->run && !claim->arithmetic;
}

static void plot_claims(FILE *file, const struct system_tables *tables)
{
    static const char *const names[] = {"the paper", "measured rates", "the paper's assumptions"};
    double most = 0;
    int rows = 0;
    for (size_t i = 0; i < tables->claim_count; i++)
        if (plotted(&tables->claims[i])) {
            most = fmax(most, fmax(tables->claims[i].paper, fmax(tables->claims[i].measured, tables->claims[i].paper_set)));
            rows++;
        }
    open_svg(file, WIDTH, TOP + rows * ROW, "Claims: the papers' values and this model's");
    legend(file, names, 3);
    const double scale = (WIDTH - LEFT - 60) / most;
    double y = TOP;
    for (size_t i = 0; i < tables->claim_count; i++) {
        const struct moehub_system_claim *claim = &tables->claims[i];
        if (!plotted(claim))
            continue;
        const double values[] = {claim->paper, claim->measured, claim->paper_set};
        text(file, LEFT - 8, y + 18, "end", claim->name);
        for (int j = 0; j < 3; j++) {
            bar(file, LEFT, y + j * BAR, values[j] * scale, colours[j]);
            fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\">%.3g</text>\n", LEFT + values[j] * scale + 4,
                    y + j * BAR + 8, values[j]);
        }
        y += ROW;
    }
    fprintf(file, "</svg>\n");
}

/* The constants that matter most under `measured`: the gain at both ends of the range of each. */
static void plot_influences(FILE *file, const struct system_tables *tables)
{
    enum { SHOWN = 16, NUMBER = 50 /* room for one at either side */ };
    static const char *const names[] = {NULL, "low end of its range", "high end"};
    const struct moehub_system_influence *influences = tables->influences[0];
    const double base = influences[0].at_base;
    const double scale = (WIDTH - LEFT - 2 * NUMBER) / 2.0 / fmax(1e-9, influences[0].influence * base);
    const double middle = LEFT + (WIDTH - LEFT) / 2.0;
    open_svg(file, WIDTH, TOP + SHOWN * ROW, "Gain of dysharp over comet, top-8, measured rates: what moves it");
    legend(file, names, 3);
    for (int i = 0; i < SHOWN; i++) {
        const double ends[] = {influences[i].at_low, influences[i].at_high};
        const double y = TOP + i * ROW;
        text(file, LEFT - 8, y + 14, "end", moehub_system_facts(influences[i].constant)->name);
        for (int j = 0; j < 2; j++) {
            const double change = (ends[j] - base) * scale;
            bar(file, middle + fmin(0, change), y + j * BAR, fabs(change), colours[1 + j]);
            number(file, middle + change + (change < 0 ? -4 : 4), y + j * BAR + 8, change < 0 ? "end" : "start", ends[j]);
        }
    }
    fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#444444\"/>\n</svg>\n", middle, TOP, middle,
            TOP + SHOWN * ROW);
}

static double gain_of(const struct moehub_system_point *point, int curve)
{
    return curve == 0 ? point->over_deepep : curve == 1 ? point->over_comet : point->over_software;
}

/* A sweep's curves in a box; its points are evenly spaced, as they stand in the table. */
static void plot_curves(FILE *file, const struct system_tables *tables, int set, const char *study, double most, double x0)
{
    enum { BOX = 330, FLOOR = 330, HEIGHT = 250 };
    int count = 0;
    for (int i = 0; i < tables->point_counts[set]; i++)
        count += strcmp(tables->points[set][i].study, study) == 0;
    for (int curve = 0; curve < 3; curve++) {
        int place = 0;
        fprintf(file, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"", colours[curve]);
        for (int i = 0; i < tables->point_counts[set]; i++)
            if (strcmp(tables->points[set][i].study, study) == 0)
                fprintf(file, "%.1f,%.1f ", x0 + BOX * (place++ + 0.5) / count,
                        FLOOR - HEIGHT * gain_of(&tables->points[set][i], curve) / most);
        fprintf(file, "\"/>\n");
    }
    int place = 0;
    for (int i = 0; i < tables->point_counts[set]; i++)
        if (strcmp(tables->points[set][i].study, study) == 0)
            text(file, x0 + BOX * (place++ + 0.5) / count, FLOOR + 18, "middle", tables->points[set][i].change);
    for (int line = 0; line <= (int)most; line++) {
        const double y = FLOOR - HEIGHT * line / most;
        fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#cccccc\"/>\n", x0, y, x0 + BOX, y);
        number(file, x0 - 6, y + 4, "end", line);
    }
    text(file, x0 + BOX / 2.0, FLOOR + 40, "middle", system_set_names[set]);
}

static void plot_sweep(FILE *file, const struct system_tables *tables, const char *study)
{
    static const char *const names[] = {"over deepep", "over comet", "over megamoe"};
    char title[120];
    double most = 1;
    for (int set = 0; set < SYSTEM_SETS; set++)
        for (int i = 0; i < tables->point_counts[set]; i++)
            for (int curve = 0; curve < 3; curve++)
                if (strcmp(tables->points[set][i].study, study) == 0)
                    most = fmax(most, 1.05 * gain_of(&tables->points[set][i], curve));
    snprintf(title, sizeof title, "Gain of dysharp, DeepSeek-V3's layer, by %s", study);
    open_svg(file, 780, 400, title);
    legend(file, names, 3);
    for (int set = 0; set < SYSTEM_SETS; set++)
        plot_curves(file, tables, set, study, most, 40 + 380 * set);
    fprintf(file, "</svg>\n");
}

void plot_answers(FILE *file, const char *title, const struct system_answer *answers, size_t count)
{
    static const char *const names[] = {"", "measured rates, us", "the paper's assumptions, us"};
    const size_t schemes = count / SYSTEM_SETS;
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, answers[i].seconds);
    open_svg(file, WIDTH, TOP + (int)schemes * ROW, title);
    legend(file, names, 3);
    const double scale = (WIDTH - LEFT - 60) / most;
    for (size_t i = 0; i < count; i++) {
        const size_t set = i / schemes;
        const double y = TOP + (double)(i % schemes) * ROW;
        const double width = answers[i].seconds * scale;
        if (set == 0)
            text(file, LEFT - 8, y + 14, "end", moehub_system_scheme_name(answers[i].scheme));
        bar(file, LEFT, y + (double)set * BAR, width, colours[1 + set]);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\">%.1f</text>\n", LEFT + width + 4,
                y + (double)set * BAR + 8, 1e6 * answers[i].seconds);
    }
    fprintf(file, "</svg>\n");
}

static int write_sweep(const char *folder, const struct system_tables *tables, const char *study, struct moehub_message *message)
{
    char name[64];
    snprintf(name, sizeof name, "sweep-%s.svg", study);
    FILE *file = open_in_folder(folder, name, message);
    if (file == NULL)
        return MOEHUB_E_FILE;
    plot_sweep(file, tables, study);
    return close_in_folder(file, folder, name, message);
}

static int write_plot(const char *folder, const char *name, void (*plot)(FILE *file, const struct system_tables *tables),
                      const struct system_tables *tables, struct moehub_message *message)
{
    FILE *file = open_in_folder(folder, name, message);
    if (file == NULL)
        return MOEHUB_E_FILE;
    plot(file, tables);
    return close_in_folder(file, folder, name, message);
}

int write_plots(const char *folder, const struct system_tables *tables, struct moehub_message *message)
{
    static const char *const studies[] = {"gpus", "tokens", "topk", "load-variation", "power-law"};
    int error = write_plot(folder, "claims.svg", plot_claims, tables, message);
    if (error == 0)
        error = write_plot(folder, "sensitivity.svg", plot_influences, tables, message);
    for (size_t i = 0; i < sizeof studies / sizeof studies[0] && error == 0; i++)
        error = write_sweep(folder, tables, studies[i], message);
    return error;
}
