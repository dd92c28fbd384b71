/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the number of an option: accepted exactly when it is digits, and the value that the C library reads, in range. */
#include "fuzz.h"
#include "moehub/error.h"
#include "moehub/options.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };

const char *const fuzz_seeds[] = {
    "0", "1", "007", "4096", "4097", "-1", "+1", " 1", "1 ", "0x10", "1e3", "9223372036854775807", "18446744073709551615",
    "18446744073709551616", "99999999999999999999", "", NULL,
};

static const struct {
    uint64_t lowest;
    uint64_t highest;
} ranges[] = {{0, UINT64_MAX}, {1, 4096}, {0, INT64_MAX}, {7, 7}};

/* By another way: the C library, which also takes signs and blanks. */
static bool expected(const char *text, uint64_t lowest, uint64_t highest, uint64_t *value)
{
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return text[0] != '\0' && strspn(text, "0123456789") == strlen(text) && errno == 0 && *value >= lowest && *value <= highest;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char text[ROOM];
    const size_t length = size < sizeof text ? size : sizeof text - 1;
    memcpy(text, bytes, length);
    text[length] = '\0';
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        uint64_t right = 0;
        uint64_t value = 0;
        const bool legal = expected(text, ranges[i].lowest, ranges[i].highest, &right);
        const int error = moehub_options_number(text, ranges[i].lowest, ranges[i].highest, &value);
        if (error != (legal ? 0 : MOEHUB_E_ARGUMENT) || (legal && value != right))
            abort();
    }
    return 0;
}
