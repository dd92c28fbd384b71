// SPDX-License-Identifier: Apache-2.0
// Purpose: the AL-TLB: tags, line states and pending entries, and the answers' order per ingress port.
// Contract: see its parts. Between the tags, which never stall, and the pending table, which waits where it must, lies a FIFO
//   with a place for every request that can be inside (WAITING).
// Cost: latency verdict to ready request 1 + 4 + 2 cycles when nothing waits.
// Proved: formal/hub/formal_al_tlb.v
`default_nettype none
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_al_tlb #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter SETS            = 128,
    parameter WAYS            = 4,
    parameter REPLACEMENT     = 0,
    parameter PORTS           = 16,
    parameter PENDING         = 64,
    parameter WAITING         = 128,
    parameter PARITY          = 0
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           set_clear,
    input  wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0]         set_address,
    input  wire                                           invalidate_start,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]     invalidate_context,
    output wire                                           invalidate_busy,
    // from the AAU
    input  wire                                           key_valid,
    input  wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] key_name,
    input  wire [31 - SLOT_WIDTH:0]                       key_epoch,
    input  wire                                           verdict_valid,
    input  wire                                           verdict_first,
    input  wire [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] verdict,
    // walker
    output wire                                           start_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      start_entry,
    output wire [`MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH) - 1:0] start_operation,
    input  wire                                           fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      fill_entry,
    input  wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] fill_content,
    input  wire                                           written_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      written_entry,
    // answer pipe
    output wire                                           value_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0]      value_id,
    output wire [`MOEHUB_VALUE_WIDTH(SLOT_WIDTH) - 1:0]   value,
    output wire                                           ready_valid,
    input  wire                                           ready_ready,
    output wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] ready_waiter,
    input  wire                                           consumed_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      consumed_entry,
    // status
    output wire [PENDING - 1:0]                           give,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]     give_context,
    output wire [PENDING - 1:0]                           unanswered,
    output wire [$clog2(PENDING + 1) - 1:0]               pending_used,
    output wire [`MOEHUB_TLB_EVENTS_WIDTH - 1:0]          tlb_events,
    // errors: answer queue 2, pending table 3, payloads, lookups, tags 2
    output wire [8:0]                                     tlb_parity
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EXPERT_WIDTH  = `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS);
    localparam LINE_WIDTH    = `MOEHUB_INDEX_WIDTH(SETS * WAYS);
    localparam VERDICT_WIDTH = `MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH);
    localparam LOOKUP_WIDTH  = 1 + 1 + 1 + LINE_WIDTH + CONTEXT_WIDTH;
    localparam PAYLOAD_WIDTH = VERDICT_WIDTH + EXPERT_WIDTH + ROW_INDEX_WIDTH;

    // ---- tags: hit or miss, and which line --------------------------------------------------------------------------
    wire                         tagged_valid;
    wire                         tagged_ok;
    wire                         tagged_first;
    wire                         tagged_miss;
    wire                         tagged_evict;
    wire [LINE_WIDTH - 1:0]      tagged_line;
    wire [VERDICT_WIDTH - 1:0]   tagged_verdict;
    wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] tagged_name;

    moehub_al_tags #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .SETS(SETS), .WAYS(WAYS), .REPLACEMENT(REPLACEMENT), .PORTS(PORTS), .WAITING(WAITING), .PARITY(PARITY)
    ) u_tags (
        .clk(clk), .rst(rst), .set_clear(set_clear), .set_address(set_address), .invalidate_start(invalidate_start),
        .invalidate_context(invalidate_context), .invalidate_busy(invalidate_busy),
        .key_valid(key_valid), .key_name(key_name), .key_epoch(key_epoch),
        .verdict_valid(verdict_valid), .verdict_first(verdict_first), .verdict(verdict),
        .tagged_valid(tagged_valid), .tagged_ok(tagged_ok), .tagged_first(tagged_first), .tagged_miss(tagged_miss),
        .tagged_evict(tagged_evict), .tagged_line(tagged_line), .tagged_verdict(tagged_verdict), .tagged_name(tagged_name),
        .tags_parity(tlb_parity[1:0])
    );

    wire [CONTEXT_WIDTH - 1:0]   tagged_context;
    wire [EXPERT_WIDTH - 1:0]    tagged_expert;
    wire [ROW_INDEX_WIDTH - 1:0] tagged_row_index;
    assign `MOEHUB_ROW_NAME(tagged_context, tagged_expert, tagged_row_index) = tagged_name;

    // ---- what waits for the pending table ---------------------------------------------------------------------------
    // What decides about waiting goes ahead of what is only carried: past the FIFO while that is empty.
    wire                       lookup_valid;
    wire                       lookup_ready;
    wire                       lookup_ok;
    wire                       lookup_first;
    wire                       lookup_miss;
    wire [LINE_WIDTH - 1:0]    lookup_line;
    wire [CONTEXT_WIDTH - 1:0] lookup_context;
    wire                       stored_valid;
    wire [LOOKUP_WIDTH - 1:0]  stored_lookup;
    wire                       stored_none;
    wire [LOOKUP_WIDTH - 1:0]  tagged_lookup = {tagged_ok, tagged_first, tagged_miss, tagged_line, tagged_context};
    moehub_memory_fifo #(.WIDTH(LOOKUP_WIDTH), .DEPTH(WAITING), .PARITY(PARITY)) u_lookups (
        .clk(clk), .rst(rst), .in_valid(tagged_valid && !(stored_none && lookup_ready)), .in_data(tagged_lookup),
        .out_valid(stored_valid), .out_ready(lookup_ready), .out_data(stored_lookup), .empty(stored_none),
        .parity_error(tlb_parity[2])
    );
    assign lookup_valid = stored_valid || (tagged_valid && stored_none);
    assign {lookup_ok, lookup_first, lookup_miss, lookup_line, lookup_context} = stored_valid ? stored_lookup : tagged_lookup;

    wire                         payload_take;
    wire [VERDICT_WIDTH - 1:0]   payload_verdict;
    wire [EXPERT_WIDTH - 1:0]    payload_expert;
    wire [ROW_INDEX_WIDTH - 1:0] payload_row_index;
    wire                         unused_payloads_valid; // it is: payload_take comes two cycles after tagged_valid at the earliest
    wire                         unused_payloads_empty;
    moehub_memory_fifo #(.WIDTH(PAYLOAD_WIDTH), .DEPTH(WAITING), .PARITY(PARITY)) u_payloads (
        .clk(clk), .rst(rst), .in_valid(tagged_valid), .in_data({tagged_verdict, tagged_expert, tagged_row_index}),
        .out_valid(unused_payloads_valid), .out_ready(payload_take),
        .out_data({payload_verdict, payload_expert, payload_row_index}), .empty(unused_payloads_empty),
        .parity_error(tlb_parity[3])
    );

    // ---- what a lookup does with its line; requests leave as their results arrive -----------------------------------
    wire                                                hold;
    wire                                                insert_valid;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]             insert_port;
    wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] insert_waiter;
    wire                                                insert_free;
    wire [PENDING - 1:0]                                resolved;
    wire                                                event_waited_line;
    wire                                                event_waited_entry;

    moehub_al_pending #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(LOCAL_EXPERTS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH),
        .LINES(SETS * WAYS), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING), .PARITY(PARITY)
    ) u_pending (
        .clk(clk), .rst(rst),
        .lookup_valid(lookup_valid), .lookup_ready(lookup_ready), .lookup_ok(lookup_ok), .lookup_first(lookup_first),
        .lookup_miss(lookup_miss), .lookup_line(lookup_line), .lookup_context(lookup_context),
        .payload_take(payload_take), .payload_verdict(payload_verdict), .payload_expert(payload_expert),
        .payload_row_index(payload_row_index), .hold(hold),
        .start_valid(start_valid), .start_entry(start_entry), .start_operation(start_operation),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(fill_content),
        .written_valid(written_valid), .written_entry(written_entry),
        .insert_valid(insert_valid), .insert_port(insert_port), .insert_waiter(insert_waiter),
        .insert_free(insert_free), .value_valid(value_valid), .value_id(value_id), .value(value), .resolved(resolved),
        .consumed_valid(consumed_valid), .consumed_entry(consumed_entry),
        .give(give), .give_context(give_context), .unanswered(unanswered), .pending_used(pending_used),
        .event_waited_line(event_waited_line), .event_waited_entry(event_waited_entry), .pending_parity(tlb_parity[6:4])
    );

    moehub_answer_queue #(.PORTS(PORTS), .WAITING(WAITING), .PENDING(PENDING), .PARITY(PARITY)) u_queue (
        .clk(clk), .rst(rst), .insert_valid(insert_valid), .insert_port(insert_port), .insert_waiter(insert_waiter),
        .insert_free(insert_free), .hold(hold), .resolved(resolved), .ready_valid(ready_valid), .ready_ready(ready_ready),
        .ready_waiter(ready_waiter), .queue_parity(tlb_parity[8:7])
    );

    assign tlb_events = `MOEHUB_TLB_EVENTS(event_waited_entry, event_waited_line, tagged_ok && tagged_first,
                                           tagged_ok && tagged_evict, tagged_ok && tagged_miss, tagged_ok);
endmodule

`default_nettype wire
