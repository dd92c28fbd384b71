/* SPDX-License-Identifier: Apache-2.0 */
/* VECTOR_CLONES before a function: a second copy for machines with AVX2, chosen when the program is loaded.
 *
 * GCC only (clang 14 gives the chosen copy a name that other files do not find), and not in sanitized programs (the
 * choice would run before the sanitizer is up). */
#ifndef MOEHUB_VECTOR_CLONES_H
#define MOEHUB_VECTOR_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define VECTOR_CLONES
#endif

#endif
