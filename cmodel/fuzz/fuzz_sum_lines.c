/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as reductions: words taken fit their type and the limit; a refusal names file and line. */
#include "fuzz.h"
#include "moehub/defines.h"
#include "moehub/sum_lines.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 5 };

const char *const fuzz_seeds[] = {
    "", "3f80 3f80\n", "# a comment\n\n0x3F80, bf80\t0 # the rest\r\n7fc0\n", "1 2 3 4 5\n1 2 3 4 5 6\n", "3f8g\n", "12345\n",
    "\357\273\2773f80 bf80\r\n", "3f80\n\xEF\xBB\xBF", NULL,
};

static int take(void *context, uint32_t *words, size_t count)
{
    (void)context;
    if (count == 0 || count > LIMIT)
        abort();
    for (size_t i = 0; i < count; i++)
        if (words[i] > 0xffff)
            abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FILE *file = fuzz_file(bytes, size);
    if (file == NULL)
        return 0;
    struct moehub_message message = {""};
    const int error = moehub_sum_lines_read(file, "input", MOEHUB_ELEMENT_BF16, LIMIT, take, NULL, &message);
    fclose(file);
    if (error == MOEHUB_E_FORMAT && strncmp(message.text, "input:", 6) != 0)
        abort();
    return 0;
}
