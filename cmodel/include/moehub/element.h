/* SPDX-License-Identifier: Apache-2.0 */
/* Element types (MOEHUB_ELEMENT_* of defines.h) by name and size.
 *
 * On the command line: bf16, fp16, fp32, fp8. fp8 rows are bytes to the hardware (MOEHUB_ELEMENT_BYTES):
 * they are stored, never summed, so the combine of an fp8 layer runs in bf16. */
#ifndef MOEHUB_ELEMENT_H
#define MOEHUB_ELEMENT_H

/* Bytes of one element: 2, 2, 4, 1; 0 for an unknown type. */
unsigned moehub_element_size(unsigned element);

/* "bf16", "fp16", "fp32", "fp8"; "?" for an unknown type. */
const char *moehub_element_name(unsigned element);

/* The type of a name, or MOEHUB_E_ARGUMENT. */
int moehub_element_parse(const char *name);

/* The names of all types, for messages: "bf16, fp16, fp32, fp8". */
#define MOEHUB_ELEMENT_NAMES "bf16, fp16, fp32, fp8"

/* The type that a layer dispatching `element` is combined in: itself, or bf16 for fp8. */
unsigned moehub_element_combine(unsigned element);

#endif
