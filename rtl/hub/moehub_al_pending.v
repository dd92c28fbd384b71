// SPDX-License-Identifier: Apache-2.0
// Purpose: what a lookup does with its line: takes a pending entry where a table operation is needed, waits where it must,
//   and holds the line states (mapped, unmapped, bad).
// Contract:
//   1. Lookups are taken in order. The head waits only while: a first's line, or a miss's victim, is pending; no pending entry
//      is free; or hold is high (the answer queue asks for a gap, at most one cycle in four).
//   2. A request that waits for a fill names the entry (insert_waiter). The entry is reused only after its result was read by
//      all of them, so the result memory keeps it. resolved[e]: the result of e is there. insert_free, a register: it need not
//      wait in the cycle of insert_valid, or resolved says so by then.
//   3. payload_* is the oldest lookup's that was not taken; payload_take takes it. insert_* and value (of a request that need
//      not wait) come two cycles after take, in order.
//   4. First touches write the line memory in the cycle after take; fills use the other cycles. Nothing is forwarded: a line
//      is read after take, and while a fill is on its way to the line the entry is still tied, so readers wait for the entry
//      instead.
// How: near is the second oldest lookup, whose line is looked up in the pending table (moehub_al_entries); head the oldest, with
//   the entry that its line is tied to. Stage 1 takes the head; stage 2 reads or writes its line and starts its operation.
// Cost: memory SETS * WAYS x (2 + SLOT_WIDTH); its parts: moehub_al_entries, moehub_al_fills.
// Proved: formal/hub/formal_al_pending.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_al_pending #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter LINES           = 512,
    parameter PORTS           = 16,
    parameter PENDING         = 64,
    parameter WAITING         = 128,
    parameter PARITY          = 0
) (
    input  wire                                           clk,
    input  wire                                           rst,
    // lookups in order; the payload of the oldest one that has not been taken
    input  wire                                           lookup_valid,
    output wire                                           lookup_ready,
    input  wire                                           lookup_ok,
    input  wire                                           lookup_first,
    input  wire                                           lookup_miss,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]        lookup_line,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]     lookup_context,
    output wire                                           payload_take,
    input  wire [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] payload_verdict,
    input  wire [`MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS) - 1:0] payload_expert,
    input  wire [ROW_INDEX_WIDTH - 1:0]                   payload_row_index,
    input  wire                                           hold,
    // a table operation for the walker
    output wire                                           start_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      start_entry,
    output wire [`MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH) - 1:0] start_operation,
    // what the walker found
    input  wire                                           fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      fill_entry,
    input  wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] fill_content,
    input  wire                                           written_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      written_entry,
    // to the answer queue and the answer pipe
    output wire                                           insert_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]        insert_port,
    output wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] insert_waiter,
    output wire                                           insert_free,
    output wire                                           value_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0]      value_id,
    output wire [`MOEHUB_VALUE_WIDTH(SLOT_WIDTH) - 1:0]   value,
    output wire [PENDING - 1:0]                           resolved,
    input  wire                                           consumed_valid, // a waiting request has read consumed_entry's result
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      consumed_entry,
    // to what counts operations in flight
    output wire [PENDING - 1:0]                           give,           // one-hot: this entry is taken for an operation ...
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]     give_context,   // ... of this context
    output wire [PENDING - 1:0]                           unanswered,
    output wire [$clog2(PENDING + 1) - 1:0]               pending_used,
    output wire                                           event_waited_line,
    output wire                                           event_waited_entry,
    output wire [2:0]                                     pending_parity // errors: free entries, fills, lines
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EXPERT_WIDTH  = `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS);
    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam LINE_WIDTH    = `MOEHUB_INDEX_WIDTH(LINES);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ID_WIDTH      = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam CONTENT_WIDTH = `MOEHUB_CONTENT_WIDTH(SLOT_WIDTH);
    localparam [1:0] MAPPED  = `MOEHUB_CONTENT_MAPPED;

    // ---- near and head ----------------------------------------------------------------------------------------------
    reg                        near_valid_q;
    reg                        near_ok_q;
    reg                        near_first_q;
    reg                        near_miss_q;
    reg  [LINE_WIDTH - 1:0]    near_line_q;
    reg  [CONTEXT_WIDTH - 1:0] near_context_q;
    reg                        head_valid_q;
    reg                        head_lookup_q;
    reg                        head_need_q;    // a table operation: first, or a miss
    reg                        head_blocked_q; // head_match_q is not empty
    reg  [PENDING - 1:0]       head_match_q;   // entry tied to the head's line: one-hot or none
    reg                        head_first_q;
    reg  [LINE_WIDTH - 1:0]    head_line_q;
    reg  [CONTEXT_WIDTH - 1:0] head_context_q;

    wire                     entry_valid; // a free entry
    wire [ENTRY_WIDTH - 1:0] entry_id;
    wire [PENDING - 1:0]     next_match;  // of the lookup that becomes head
    wire [PENDING - 1:0]     untie;       // this cycle ends the tie
    wire [PENDING - 1:0]     fills;       // a read of a miss; else a first's read and write

    wire take = head_valid_q && !hold && (!head_need_q || (entry_valid && !head_blocked_q));
    wire load = near_valid_q && (!head_valid_q || take);
    assign lookup_ready = !near_valid_q || load;
    assign payload_take = take;
    assign give_context = head_context_q;

    assign event_waited_line  = head_valid_q && head_need_q && head_blocked_q;
    assign event_waited_entry = head_valid_q && head_need_q && !head_blocked_q && !entry_valid;

    // A hit waits when its line waits for a fill, not when it waits for a first's write.
    wire head_joins = head_lookup_q && !head_need_q && |(head_match_q & fills);

    // The head's match: what the pending table says about the line when the lookup becomes head, the entry given in that very
    // cycle included; after that only the end of the tie can change it.
    wire [PENDING - 1:0] match_d = load ? next_match & {PENDING{near_ok_q}} : head_match_q & ~untie;

    always @(posedge clk) begin
        near_valid_q <= lookup_valid || (near_valid_q && !load);
        head_valid_q <= near_valid_q || (head_valid_q && !take);
        if (rst) begin
            near_valid_q <= 1'b0;
            head_valid_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (lookup_ready) begin
            near_ok_q      <= lookup_ok;
            near_first_q   <= lookup_first;
            near_miss_q    <= lookup_miss;
            near_line_q    <= lookup_line;
            near_context_q <= lookup_context;
        end
        head_match_q   <= match_d;
        head_blocked_q <= |match_d;
        if (load) begin
            head_lookup_q  <= near_ok_q;
            head_need_q    <= near_ok_q && (near_first_q || near_miss_q);
            head_first_q   <= near_first_q;
            head_line_q    <= near_line_q;
            head_context_q <= near_context_q;
        end
    end

    wire [ENTRY_WIDTH - 1:0] match_entry;
    moehub_one_hot_index #(.WIDTH(PENDING)) u_match (.one_hot(head_match_q), .index(match_entry));

    // ---- the pending table, and fills on their way to their lines ---------------------------------------------------
    reg                         s1_first_q;
    wire                        release_now;
    wire [PENDING - 1:0]        offered_entry;
    wire [PENDING - 1:0]        release_entry;
    wire [LINE_WIDTH - 1:0]     release_line;
    wire [CONTENT_WIDTH - 1:0]  release_content;

    moehub_al_entries #(.LINES(LINES), .PENDING(PENDING), .WAITING(WAITING), .PARITY(PARITY)) u_entries (
        .clk(clk), .rst(rst), .head_asks(head_valid_q && head_need_q), .head_first(head_first_q), .head_line(head_line_q),
        .head_match(head_match_q), .give_valid(take && head_need_q), .join_valid(take && head_joins), .entry_valid(entry_valid),
        .entry_id(entry_id), .give(give), .near_line(near_line_q), .next_match(next_match),
        .fill_valid(fill_valid), .fill_entry(fill_entry), .written_valid(written_valid), .written_entry(written_entry),
        .consumed_valid(consumed_valid), .consumed_entry(consumed_entry), .offered_entry(offered_entry),
        .release_line(release_line), .release_entry(release_entry), .untie(untie), .fills(fills), .resolved(resolved),
        .unanswered(unanswered), .pending_used(pending_used), .entries_parity(pending_parity[2])
    );

    moehub_al_fills #(.SLOT_WIDTH(SLOT_WIDTH), .PENDING(PENDING), .PARITY(PARITY)) u_fills (
        .clk(clk), .rst(rst), .fill_valid(fill_valid), .fill_entry(fill_entry), .fill_content(fill_content),
        .release_hold(s1_first_q), .release_now(release_now), .offered_entry(offered_entry), .release_entry(release_entry),
        .release_content(release_content), .fills_parity(pending_parity[1])
    );

    // ---- stage 1: the head is taken ---------------------------------------------------------------------------------
    wire [ID_WIDTH - 1:0]   payload_id;
    wire [PORT_WIDTH - 1:0] payload_port;
    wire [2:0]              payload_status;
    wire [SLOT_WIDTH - 1:0] payload_value;
    assign `MOEHUB_VERDICT(payload_id, payload_port, payload_status, payload_value) = payload_verdict;

    reg                          s1_valid_q;
    reg                          s1_start_q;
    reg                          s1_read_q; // the line's state gives the answer
    reg                          s1_wait_q;
    reg  [ENTRY_WIDTH - 1:0]     s1_entry_q;
    reg  [ID_WIDTH - 1:0]        s1_id_q;
    reg  [PORT_WIDTH - 1:0]      s1_port_q;
    reg  [2:0]                   s1_status_q;
    reg  [LINE_WIDTH - 1:0]      s1_line_q;
    reg  [SLOT_WIDTH - 1:0]      s1_value_q;
    reg  [CONTEXT_WIDTH - 1:0]   s1_context_q;
    reg  [EXPERT_WIDTH - 1:0]    s1_expert_q;
    reg  [ROW_INDEX_WIDTH - 1:0] s1_row_index_q;

    always @(posedge clk) begin
        s1_valid_q <= take;
        s1_start_q <= take && head_need_q;
        s1_first_q <= take && head_need_q && head_first_q;
        s1_read_q  <= take && head_lookup_q && !head_need_q && !head_joins;
        if (rst) begin
            s1_valid_q <= 1'b0;
            s1_start_q <= 1'b0;
            s1_first_q <= 1'b0;
            s1_read_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        s1_wait_q      <= head_need_q ? !head_first_q : head_joins;
        s1_entry_q     <= head_need_q ? entry_id : match_entry;
        s1_id_q        <= payload_id;
        s1_port_q      <= payload_port;
        s1_status_q    <= payload_status;
        s1_line_q      <= head_line_q;
        s1_value_q     <= payload_value;
        s1_context_q   <= head_context_q;
        s1_expert_q    <= payload_expert;
        s1_row_index_q <= payload_row_index;
    end

    assign start_valid     = s1_start_q;
    assign start_entry     = s1_entry_q;
    assign start_operation = `MOEHUB_TABLE_OPERATION(s1_first_q, s1_value_q,
                                                     `MOEHUB_ROW_NAME(s1_context_q, s1_expert_q, s1_row_index_q));

    // ---- stage 2: the line is read or written -----------------------------------------------------------------------
    reg                     s2_valid_q;
    reg                     s2_read_q;
    reg                     s2_first_q;
    reg                     s2_wait_q;
    reg                     s2_free_q;
    reg  [ENTRY_WIDTH - 1:0] s2_entry_q;
    reg  [ID_WIDTH - 1:0]   s2_id_q;
    reg  [PORT_WIDTH - 1:0] s2_port_q;
    reg  [2:0]              s2_status_q;
    reg  [SLOT_WIDTH - 1:0] s2_slot_q;
    wire [1:0]              s2_state_rdata;
    wire [SLOT_WIDTH - 1:0] s2_slot_rdata;

    moehub_memory_1r1w #(.WIDTH(CONTENT_WIDTH), .DEPTH(LINES), .PARITY(PARITY)) u_lines (
        .clk(clk), .write_enable(s1_first_q || release_now), .write_address(s1_first_q ? s1_line_q : release_line),
        .write_data(s1_first_q ? `MOEHUB_CONTENT(MAPPED, s1_value_q) : release_content),
        .read_enable(s1_read_q && !rst), .read_address(s1_line_q), .read_data(`MOEHUB_CONTENT(s2_state_rdata, s2_slot_rdata)),
        .parity_error(pending_parity[0])
    );

    always @(posedge clk) begin
        s2_valid_q <= s1_valid_q;
        if (rst) s2_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        s2_read_q   <= s1_read_q;
        s2_first_q  <= s1_first_q;
        s2_wait_q   <= s1_wait_q;
        // What resolved will say of the entry in stage 2. It is not given away meanwhile: this request needs it.
        s2_free_q   <= !s1_wait_q || resolved[s1_entry_q] || (fill_valid && fill_entry == s1_entry_q);
        s2_entry_q  <= s1_entry_q;
        s2_id_q     <= s1_id_q;
        s2_port_q   <= s1_port_q;
        s2_status_q <= s1_status_q;
        s2_slot_q   <= s1_value_q;
    end

    wire [2:0] line_status  = s2_state_rdata == MAPPED                      ? 3'd`MOEHUB_STATUS_OK
                            : s2_state_rdata == 2'd`MOEHUB_CONTENT_UNMAPPED ? 3'd`MOEHUB_STATUS_UNMAPPED
                            :                                                 3'd`MOEHUB_STATUS_MEMORY;
    wire [2:0]              status = s2_read_q ? line_status : s2_status_q;
    wire [SLOT_WIDTH - 1:0] slot   = s2_read_q ? s2_slot_rdata : s2_slot_q;

    assign insert_valid  = s2_valid_q;
    assign insert_port   = s2_port_q;
    assign insert_waiter = `MOEHUB_WAITER(s2_id_q, s2_wait_q, s2_entry_q);
    assign insert_free   = s2_free_q;
    assign value_valid   = s2_valid_q;
    assign value_id      = s2_id_q;
    assign value         = `MOEHUB_VALUE(status, s2_first_q, slot);
endmodule

`default_nettype wire
