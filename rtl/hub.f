// SPDX-License-Identifier: Apache-2.0
// Top: moehub_hub_address_unit
+incdir+rtl/include
-f rtl/common.f
-f rtl/arithmetic.f
rtl/hub/moehub_acceptance.v
rtl/hub/moehub_addr_alloc.v
rtl/hub/moehub_address_path.v
rtl/hub/moehub_al_entries.v
rtl/hub/moehub_al_fills.v
rtl/hub/moehub_al_index.v
rtl/hub/moehub_al_pending.v
rtl/hub/moehub_al_tags.v
rtl/hub/moehub_al_tlb.v
rtl/hub/moehub_al_walker.v
rtl/hub/moehub_answer_pipe.v
rtl/hub/moehub_answer_queue.v
rtl/hub/moehub_context_table.v
rtl/hub/moehub_hub_address_unit.v
rtl/hub/moehub_hub_csr.v
rtl/hub/moehub_hub_report.v
rtl/hub/moehub_in_flight.v
rtl/hub/moehub_replacement.v
