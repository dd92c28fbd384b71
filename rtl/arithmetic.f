// SPDX-License-Identifier: Apache-2.0
+incdir+rtl/include
rtl/common/moehub_decompose.v
rtl/common/moehub_accumulate.v
rtl/common/moehub_accumulate_align.v
rtl/common/moehub_accumulate_bin.v
rtl/common/moehub_finalize.v
rtl/common/moehub_finalize_carries.v
rtl/common/moehub_finalize_increment.v
rtl/common/moehub_finalize_leading_zeros.v
rtl/common/moehub_finalize_pack.v
rtl/common/moehub_finalize_round.v
