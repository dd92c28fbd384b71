/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/element.h"

#include "moehub/defines.h"
#include "moehub/error.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned size;
} elements[] = {
    [MOEHUB_ELEMENT_BF16] = {"bf16", 2},
    [MOEHUB_ELEMENT_FP16] = {"fp16", 2},
    [MOEHUB_ELEMENT_FP32] = {"fp32", 4},
    [MOEHUB_ELEMENT_BYTES] = {"fp8", 1},
};

enum { ELEMENTS = sizeof elements / sizeof elements[0] };

unsigned moehub_element_size(unsigned element)
{
    return element < ELEMENTS ? elements[element].size : 0;
}

const char *moehub_element_name(unsigned element)
{
    return element < ELEMENTS ? elements[element].name : "?";
}

int moehub_element_parse(const char *name)
{
    for (int element = 0; element < ELEMENTS; element++)
        if (strcmp(name, elements[element].name) == 0)
            return element;
    return MOEHUB_E_ARGUMENT;
}

unsigned moehub_element_combine(unsigned element)
{
    return element == MOEHUB_ELEMENT_BYTES ? MOEHUB_ELEMENT_BF16 : element;
}
