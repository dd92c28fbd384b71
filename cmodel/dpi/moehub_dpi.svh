// SPDX-License-Identifier: Apache-2.0
// DPI-C face of the C models, for SystemVerilog benches: include inside a module or package, compile cmodel/dpi/moehub_dpi.c
// and link libmoehub.a. The handle comes first, everything else is a 32-bit word (low, high where 64 bits are needed).
//
// hub     the address path of one receiving hub, requests and commands in the order of acceptance
// switch  the reduction buffer of one switch port, events in the order of acceptance
//
// Meanings, ranges and orders are those of cmodel/include/moehub/{address_path,reduction_buffer,hub_csr,switch_csr}.h.
// A create returns null when a parameter is illegal. Words are host-independent: word i of a payload is bytes 4i..4i+3,
// the first byte lowest.

// ---- address path of a hub -------------------------------------------------------------------------------------
import "DPI-C" function chandle moehub_dpi_hub_create(
    input int unsigned contexts, input int unsigned local_experts, input int unsigned gpus,
    input int unsigned row_index_width, input int unsigned slot_width, input int unsigned offset_width,
    input int unsigned address_width, input int unsigned sets, input int unsigned ways, input int unsigned replacement,
    input int unsigned ports, input int unsigned pending, input int unsigned waiting, input int unsigned tag_width,
    input int unsigned axi_data_width);
import "DPI-C" function void moehub_dpi_hub_destroy(input chandle hub);
import "DPI-C" function void moehub_dpi_hub_reset(input chandle hub);
// A window of table memory, zeroed; elsewhere the memory answers with errors. 1: done.
import "DPI-C" function int unsigned moehub_dpi_hub_map(input chandle hub, input int unsigned base_low,
    input int unsigned base_high, input int unsigned bytes);
import "DPI-C" function int unsigned moehub_dpi_hub_table_entry(input chandle hub, input int unsigned address_low,
    input int unsigned address_high);
import "DPI-C" function void moehub_dpi_hub_request(input chandle hub, input int unsigned operation,
    input int unsigned first, input int unsigned context_, input int unsigned expert, input int unsigned row_index,
    input int unsigned offset, input int unsigned length, input int unsigned source, input int unsigned port,
    input int unsigned tag_low, input int unsigned tag_high, output int unsigned status, output int unsigned allocated,
    output int unsigned slot, output int unsigned address_low, output int unsigned address_high);
// 1: refused.
import "DPI-C" function int unsigned moehub_dpi_hub_command(input chandle hub, input int unsigned operation,
    input int unsigned context_, input int unsigned index, input int unsigned data0_low, input int unsigned data0_high,
    input int unsigned data1_low, input int unsigned data1_high, input int unsigned in_flight,
    output int unsigned result0_low, output int unsigned result0_high, output int unsigned result1_low,
    output int unsigned result1_high);
import "DPI-C" function void moehub_dpi_hub_counter(input chandle hub, input int unsigned event_,
    output int unsigned low, output int unsigned high);
// AXI4-Lite: the response, 0 OKAY or 2 SLVERR.
import "DPI-C" function int unsigned moehub_dpi_hub_csr_write(input chandle hub, input int unsigned address,
    input int unsigned data, input int unsigned strobe, input int unsigned busy, input int unsigned in_flight);
import "DPI-C" function int unsigned moehub_dpi_hub_csr_read(input chandle hub, input int unsigned address,
    output int unsigned data, output int unsigned known);

// ---- reduction buffer of a switch port --------------------------------------------------------------------------
import "DPI-C" function chandle moehub_dpi_switch_create(
    input int unsigned entries, input int unsigned ports, input int unsigned payload_bytes,
    input int unsigned flit_bytes, input int unsigned max_contributors, input int unsigned with_fp32,
    input int unsigned generation_width, input int unsigned tag_width, input int unsigned own_port);
import "DPI-C" function void moehub_dpi_switch_destroy(input chandle port);
import "DPI-C" function void moehub_dpi_switch_reset(input chandle port);
// 1: accepted (look at status); 0: no entry is free.
import "DPI-C" function int unsigned moehub_dpi_switch_reserve(input chandle port, input int unsigned requester,
    input int unsigned tag_low, input int unsigned tag_high, input int unsigned element, input int unsigned out_fp32,
    input int unsigned length, input int unsigned contributors_low, input int unsigned contributors_high,
    output int unsigned status, output int unsigned entry, output int unsigned generation);
// Payload of the next partial, word by word; then the partial. Returns its cause,
// MOEHUB_REDUCTION_CAUSES for none.
import "DPI-C" function void moehub_dpi_switch_partial_word(input chandle port, input int unsigned index,
    input int unsigned word_);
import "DPI-C" function int unsigned moehub_dpi_switch_partial(input chandle port, input int unsigned entry,
    input int unsigned generation, input int unsigned from, input int unsigned status, input int unsigned element,
    input int unsigned length, input int unsigned flits);
// 1: the entry timed out; 0: it must not have.
import "DPI-C" function int unsigned moehub_dpi_switch_timeout(input chandle port, input int unsigned entry);
// 1: the result that waited in the entry, its payload to be read word by word; 0: there is none.
import "DPI-C" function int unsigned moehub_dpi_switch_result_take(input chandle port, input int unsigned entry,
    output int unsigned status, output int unsigned requester, output int unsigned tag_low,
    output int unsigned tag_high, output int unsigned element, output int unsigned length, output int unsigned flits);
import "DPI-C" function int unsigned moehub_dpi_switch_result_word(input chandle port, input int unsigned index);
// 1: refused.
import "DPI-C" function int unsigned moehub_dpi_switch_command(input chandle port, input int unsigned operation,
    input int unsigned data);
import "DPI-C" function void moehub_dpi_switch_counter(input chandle port, input int unsigned event_,
    output int unsigned low, output int unsigned high);
import "DPI-C" function int unsigned moehub_dpi_switch_csr_write(input chandle port, input int unsigned address,
    input int unsigned data, input int unsigned strobe, input int unsigned busy);
import "DPI-C" function int unsigned moehub_dpi_switch_csr_read(input chandle port, input int unsigned address,
    output int unsigned data, output int unsigned known);
