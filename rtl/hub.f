// SPDX-License-Identifier: Apache-2.0
// Top: moehub_hub_address_unit
+incdir+rtl/include
-f rtl/common.f
-f rtl/arithmetic.f
-f rtl/reduction.f
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
rtl/hub/moehub_asker.v
rtl/hub/moehub_completed_writes.v
rtl/hub/moehub_context_table.v
rtl/hub/moehub_data_mover.v
rtl/hub/moehub_hub_address_unit.v
rtl/hub/moehub_hub_csr.v
rtl/hub/moehub_hub_report.v
rtl/hub/moehub_in_flight.v
rtl/hub/moehub_line_reader.v
rtl/hub/moehub_packet_queue.v
rtl/hub/moehub_partial_packer.v
rtl/hub/moehub_pre_reduce.v
rtl/hub/moehub_pre_reduce_places.v
rtl/hub/moehub_pre_reduce_requests.v
rtl/hub/moehub_pre_reduce_sums.v
rtl/hub/moehub_replacement.v
rtl/hub/moehub_row_list_address.v
rtl/hub/moehub_tile_tracker.v
rtl/hub/moehub_tile_tracker_arrival.v
rtl/hub/moehub_tile_tracker_command.v
rtl/hub/moehub_tile_tracker_notifier.v
rtl/hub/moehub_tile_tracker_ready.v
rtl/hub/moehub_tile_tracker_report.v
rtl/hub/moehub_tile_tracker_ring.v
rtl/hub/moehub_tile_tracker_set.v
rtl/hub/moehub_tile_tracker_settle.v
rtl/hub/moehub_tile_tracker_tiles.v
rtl/hub/moehub_tile_tracker_timers.v
rtl/hub/moehub_tile_tracker_token_turns.v
rtl/hub/moehub_tile_tracker_tokens.v
rtl/hub/moehub_tile_tracker_turns.v
rtl/hub/moehub_tile_tracker_walk.v
rtl/hub/moehub_way.v
rtl/hub/moehub_way_check.v
rtl/hub/moehub_way_in_flight.v
rtl/hub/moehub_way_report.v
rtl/hub/moehub_way_requests.v
rtl/hub/moehub_way_responses.v
rtl/hub/moehub_way_stores.v
