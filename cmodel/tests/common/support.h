/* SPDX-License-Identifier: Apache-2.0 */
/* What the unit tests share: cmocka, chi-square, texts as files, a standard layer. */
#ifndef MOEHUB_TESTS_SUPPORT_H
#define MOEHUB_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

/* Chance of a deviation at least this large if the counts come from the expectation. */
static inline double chi_square_chance(const double *counts, const double *expected, size_t classes)
{
    double sum = 0;
    for (size_t i = 0; i < classes; i++)
        sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    return gsl_cdf_chisq_Q(sum, (double)classes - 1);
}

/* Below this chance two distributions count as different. Seeds are fixed, so a pass stays a pass. */
#define UNLIKELY 1e-6

/* A text as an open file (fmemopen knows no empty ones). */
static inline FILE *text_file(const char *text)
{
    FILE *file = text[0] != '\0' ? fmemopen((void *)(uintptr_t)text, strlen(text), "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    return file;
}

/* Writes a text to a new temporary file and returns its path; the caller removes and frees it. */
static inline char *text_path(const char *text)
{
    char *path = strdup("/tmp/moehub-test-XXXXXX");
    assert_non_null(path);
    const int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* What endless_file() reads from. */
static inline ssize_t give_for_ever(void *cookie, char *buffer, size_t size)
{
    memset(buffer, *(const char *)cookie, size);
    return (ssize_t)size;
}

/* A file that gives *byte for ever. */
static inline FILE *endless_file(char *byte)
{
    FILE *file = fopencookie(byte, "r", (cookie_io_functions_t){.read = give_for_ever});
    assert_non_null(file);
    return file;
}

static inline void remove_path(char *path)
{
    remove(path);
    free(path);
}

#endif
