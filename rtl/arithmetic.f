// SPDX-License-Identifier: Apache-2.0
+incdir+rtl/include
rtl/arithmetic/moehub_accumulate.v
rtl/arithmetic/moehub_accumulate_align.v
rtl/arithmetic/moehub_accumulate_bin.v
rtl/arithmetic/moehub_carry_save_level.v
rtl/arithmetic/moehub_decompose.v
rtl/arithmetic/moehub_finalize.v
rtl/arithmetic/moehub_finalize_carries.v
rtl/arithmetic/moehub_finalize_increment.v
rtl/arithmetic/moehub_finalize_leading_zeros.v
rtl/arithmetic/moehub_finalize_pack.v
rtl/arithmetic/moehub_finalize_round.v
rtl/arithmetic/moehub_multiply_add.v
