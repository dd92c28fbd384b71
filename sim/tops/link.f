// SPDX-License-Identifier: Apache-2.0
-f rtl/common.f
sim/tops/link.v
