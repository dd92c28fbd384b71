// SPDX-License-Identifier: Apache-2.0
// Top: moehub_switch_reduction_unit
+incdir+rtl/include
-f rtl/common.f
-f rtl/arithmetic.f
-f rtl/reduction.f
rtl/switch/moehub_brief_command.v
rtl/switch/moehub_copy_buffer.v
rtl/switch/moehub_copy_list.v
rtl/switch/moehub_crossbar.v
rtl/switch/moehub_crossbar_heads.v
rtl/switch/moehub_crossbar_input.v
rtl/switch/moehub_crossbar_output.v
rtl/switch/moehub_fullest_inputs.v
rtl/switch/moehub_hungry_head.v
rtl/switch/moehub_list_age.v
rtl/switch/moehub_places_share.v
rtl/switch/moehub_plane_state.v
rtl/switch/moehub_port_state.v
rtl/switch/moehub_record_maker.v
rtl/switch/moehub_request_unit.v
rtl/switch/moehub_response_output.v
rtl/switch/moehub_result_header.v
rtl/switch/moehub_result_packer.v
rtl/switch/moehub_switch_address.v
rtl/switch/moehub_switch_plane_csr.v
rtl/switch/moehub_switch_port.v
rtl/switch/moehub_switch_port_csr.v
rtl/switch/moehub_switch_port_report.v
rtl/switch/moehub_switch_reduction_unit.v
rtl/switch/moehub_switch_top.v
rtl/switch/moehub_target_reader.v
