// SPDX-License-Identifier: Apache-2.0
-f rtl/hub.f
-f rtl/switch.f
sim/tops/main_job.v
