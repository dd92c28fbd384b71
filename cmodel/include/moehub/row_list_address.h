/* SPDX-License-Identifier: Apache-2.0 */
/* Where the row list's word of a slot lies (rtl/doc/hub/hub.md, section 5). */
#ifndef MOEHUB_ROW_LIST_ADDRESS_H
#define MOEHUB_ROW_LIST_ADDRESS_H

#include <stdint.h>

/* The address of the 4-byte word of (expert, slot): slots are taken modulo 2^list_shift, so that no word leaves the array;
 * bits from address_width (32..64) on are dropped. list_shift is 0..31. The caller's duty: expert below LOCAL_EXPERTS, and
 * list_base a multiple of the array's size, as LIST_SET demands: the parts are joined, not added. */
uint64_t moehub_row_list_address(uint64_t list_base, unsigned list_shift, unsigned expert, uint32_t slot,
                                 unsigned address_width);

#endif
