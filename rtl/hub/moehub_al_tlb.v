// SPDX-License-Identifier: Apache-2.0
// Purpose: the AL-TLB: tags, line states and pending entries, and the answers' order per ingress port.
// Contract: see its parts. Between the tags, which never stall, and the pending table, which waits where it must, lies a FIFO
//   with a place for every request that can be inside (WAITING).
// Cost: latency verdict to ready request 1 + 4 + 2 cycles when nothing waits.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_al_tlb #(
    parameter CONTEXTS        = 4,
    parameter CONTEXT_WIDTH   = 2,
    parameter EXPERT_WIDTH    = 6,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter SETS            = 128,
    parameter WAYS            = 4,
    parameter REPLACEMENT     = 0,
    parameter PORTS           = 16,
    parameter PENDING         = 64,
    parameter WAITING         = 128
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire                                      clear_enable,
    input  wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0]    clear_set,
    input  wire                                      invalidate_start,
    input  wire [CONTEXT_WIDTH - 1:0]                invalidate_context,
    output wire                                      invalidate_busy,
    // from the AAU
    input  wire                                      key_valid,
    input  wire [CONTEXT_WIDTH - 1:0]                key_context,
    input  wire [EXPERT_WIDTH - 1:0]                 key_expert,
    input  wire [ROW_INDEX_WIDTH - 1:0]              key_row_index,
    input  wire [31 - SLOT_WIDTH:0]                  key_epoch,
    input  wire                                      verdict_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] verdict_id,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   verdict_port,
    input  wire [2:0]                                verdict_status,
    input  wire                                      verdict_first,
    input  wire [SLOT_WIDTH - 1:0]                   verdict_value,
    // walker
    output wire                                      start_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] start_entry,
    output wire                                      start_first,
    output wire [SLOT_WIDTH - 1:0]                   start_value,
    output wire [CONTEXT_WIDTH - 1:0]                start_context,
    output wire [EXPERT_WIDTH - 1:0]                 start_expert,
    output wire [ROW_INDEX_WIDTH - 1:0]              start_row_index,
    input  wire                                      fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] fill_entry,
    input  wire [1:0]                                fill_state,
    input  wire [SLOT_WIDTH - 1:0]                   fill_slot,
    input  wire                                      written_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] written_entry,
    // answer pipe
    output wire                                      value_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] value_id,
    output wire [2:0]                                value_status,
    output wire                                      value_first,
    output wire [SLOT_WIDTH - 1:0]                   value_slot,
    output wire                                      ready_valid,
    input  wire                                      ready_ready,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] ready_id,
    output wire                                      ready_wait,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] ready_entry,
    input  wire                                      consumed_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] consumed_entry,
    // status
    output wire [CONTEXTS - 1:0]                     in_flight,
    output wire [$clog2(PENDING + 1) - 1:0]          pending_used,
    output wire                                      event_lookup,
    output wire                                      event_miss,
    output wire                                      event_evict,
    output wire                                      event_first,
    output wire                                      event_waited_line,
    output wire                                      event_waited_entry
);
    localparam ID_WIDTH     = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam PORT_WIDTH   = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ENTRY_WIDTH  = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam LINE_WIDTH   = `MOEHUB_INDEX_WIDTH(SETS * WAYS);
    localparam LOOKUP_WIDTH  = 1 + 1 + 1 + LINE_WIDTH + CONTEXT_WIDTH;
    localparam PAYLOAD_WIDTH = ID_WIDTH + PORT_WIDTH + 3 + SLOT_WIDTH + EXPERT_WIDTH + ROW_INDEX_WIDTH;

    wire                         tag_valid;
    wire [ID_WIDTH - 1:0]        tag_id;
    wire [PORT_WIDTH - 1:0]      tag_port;
    wire [2:0]                   tag_status;
    wire                         tag_first;
    wire                         tag_miss;
    wire [LINE_WIDTH - 1:0]      tag_line;
    wire [SLOT_WIDTH - 1:0]      tag_value;
    wire [CONTEXT_WIDTH - 1:0]   tag_context;
    wire [EXPERT_WIDTH - 1:0]    tag_expert;
    wire [ROW_INDEX_WIDTH - 1:0] tag_row_index;

    moehub_al_tags #(
        .CONTEXT_WIDTH(CONTEXT_WIDTH), .EXPERT_WIDTH(EXPERT_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .SETS(SETS), .WAYS(WAYS), .REPLACEMENT(REPLACEMENT), .PORT_WIDTH(PORT_WIDTH), .ID_WIDTH(ID_WIDTH)
    ) u_tags (
        .clk(clk), .rst(rst), .clear_enable(clear_enable), .clear_set(clear_set),
        .invalidate_start(invalidate_start), .invalidate_context(invalidate_context), .invalidate_busy(invalidate_busy),
        .key_valid(key_valid), .key_context(key_context), .key_expert(key_expert), .key_row_index(key_row_index),
        .key_epoch(key_epoch),
        .verdict_valid(verdict_valid), .verdict_id(verdict_id), .verdict_port(verdict_port), .verdict_status(verdict_status),
        .verdict_first(verdict_first), .verdict_value(verdict_value),
        .lookup_valid(tag_valid), .lookup_id(tag_id), .lookup_port(tag_port), .lookup_status(tag_status), .lookup_first(tag_first),
        .lookup_miss(tag_miss), .lookup_line(tag_line), .lookup_value(tag_value), .lookup_context(tag_context),
        .lookup_expert(tag_expert), .lookup_row_index(tag_row_index),
        .event_lookup(event_lookup), .event_miss(event_miss), .event_evict(event_evict), .event_first(event_first)
    );

    // What decides about waiting goes ahead of what is only carried: past the FIFO while that is empty.
    wire                         lookup_valid;
    wire                         lookup_ready;
    wire                         lookup_ok;
    wire                         lookup_first;
    wire                         lookup_miss;
    wire [LINE_WIDTH - 1:0]      lookup_line;
    wire [CONTEXT_WIDTH - 1:0]   lookup_context;
    wire                         stored_valid;
    wire [LOOKUP_WIDTH - 1:0]    stored_lookup;
    wire                         stored_none;
    wire [LOOKUP_WIDTH - 1:0]    tag_lookup = {tag_status == 3'd`MOEHUB_STATUS_OK, tag_first, tag_miss, tag_line, tag_context};
    moehub_memory_fifo #(.WIDTH(LOOKUP_WIDTH), .DEPTH(WAITING)) u_lookups (
        .clk(clk), .rst(rst), .in_valid(tag_valid && !(stored_none && lookup_ready)), .in_data(tag_lookup),
        .out_valid(stored_valid), .out_ready(lookup_ready), .out_data(stored_lookup), .empty(stored_none)
    );
    assign lookup_valid = stored_valid || (tag_valid && stored_none);
    assign {lookup_ok, lookup_first, lookup_miss, lookup_line, lookup_context} = stored_valid ? stored_lookup : tag_lookup;

    wire                         payload_take;
    wire [ID_WIDTH - 1:0]        payload_id;
    wire [PORT_WIDTH - 1:0]      payload_port;
    wire [2:0]                   payload_status;
    wire [SLOT_WIDTH - 1:0]      payload_value;
    wire [EXPERT_WIDTH - 1:0]    payload_expert;
    wire [ROW_INDEX_WIDTH - 1:0] payload_row_index;
    wire                         unused_payloads_valid; // it is: payload_take comes two cycles after tag_valid at the earliest
    wire                         unused_payloads_empty;
    moehub_memory_fifo #(.WIDTH(PAYLOAD_WIDTH), .DEPTH(WAITING)) u_payloads (
        .clk(clk), .rst(rst), .in_valid(tag_valid),
        .in_data({tag_id, tag_port, tag_status, tag_value, tag_expert, tag_row_index}),
        .out_valid(unused_payloads_valid), .out_ready(payload_take),
        .out_data({payload_id, payload_port, payload_status, payload_value, payload_expert, payload_row_index}),
        .empty(unused_payloads_empty)
    );

    wire                     hold;
    wire                     insert_valid;
    wire [ID_WIDTH - 1:0]    insert_id;
    wire [PORT_WIDTH - 1:0]  insert_port;
    wire                     insert_wait;
    wire [ENTRY_WIDTH - 1:0] insert_entry;
    wire [PENDING - 1:0]     resolved;

    moehub_al_pending #(
        .CONTEXTS(CONTEXTS), .CONTEXT_WIDTH(CONTEXT_WIDTH), .EXPERT_WIDTH(EXPERT_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .SLOT_WIDTH(SLOT_WIDTH), .LINES(SETS * WAYS), .PENDING(PENDING), .PORT_WIDTH(PORT_WIDTH), .ID_WIDTH(ID_WIDTH),
        .WAITING(WAITING)
    ) u_pending (
        .clk(clk), .rst(rst),
        .lookup_valid(lookup_valid), .lookup_ready(lookup_ready), .lookup_ok(lookup_ok), .lookup_first(lookup_first),
        .lookup_miss(lookup_miss), .lookup_line(lookup_line), .lookup_context(lookup_context),
        .payload_take(payload_take), .payload_id(payload_id), .payload_port(payload_port), .payload_status(payload_status),
        .payload_value(payload_value), .payload_expert(payload_expert), .payload_row_index(payload_row_index), .hold(hold),
        .start_valid(start_valid), .start_entry(start_entry), .start_first(start_first), .start_value(start_value),
        .start_context(start_context), .start_expert(start_expert), .start_row_index(start_row_index),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_state(fill_state), .fill_slot(fill_slot),
        .written_valid(written_valid), .written_entry(written_entry),
        .insert_valid(insert_valid), .insert_id(insert_id), .insert_port(insert_port), .insert_wait(insert_wait),
        .insert_entry(insert_entry), .value_status(value_status), .value_first(value_first), .value_slot(value_slot),
        .resolved(resolved), .consumed_valid(consumed_valid), .consumed_entry(consumed_entry),
        .in_flight(in_flight), .used(pending_used), .event_waited_line(event_waited_line), .event_waited_entry(event_waited_entry)
    );
    assign value_valid = insert_valid;
    assign value_id    = insert_id;

    moehub_answer_queue #(.PORTS(PORTS), .WAITING(WAITING), .PENDING(PENDING)) u_queue (
        .clk(clk), .rst(rst), .insert_valid(insert_valid), .insert_id(insert_id), .insert_port(insert_port),
        .insert_wait(insert_wait), .insert_entry(insert_entry), .hold(hold), .resolved(resolved),
        .out_valid(ready_valid), .out_ready(ready_ready), .out_id(ready_id), .out_wait(ready_wait), .out_entry(ready_entry)
    );
endmodule

`default_nettype wire
