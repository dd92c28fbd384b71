/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/row_list_address.h"

#define WORD_SHIFT 2   /* a word has 4 bytes */

uint64_t moehub_row_list_address(uint64_t list_base, unsigned list_shift, unsigned expert, uint32_t slot,
                                 unsigned address_width)
{
    const uint64_t place = slot & ((UINT32_C(1) << list_shift) - 1);
    const uint64_t list = (uint64_t)expert << (list_shift + WORD_SHIFT);
    return (list_base | list | place << WORD_SHIFT) & UINT64_MAX >> (64 - address_width);
}
