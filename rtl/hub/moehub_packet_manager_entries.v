// SPDX-License-Identifier: Apache-2.0
// Purpose: what is known of each row entry, in flops (doc/hub/packet_manager.md section 3).
// Contract:
//   1. take: a free entry begins to open a row; its generation rises. open or refuse ends that. leave: an open one
//      leaves; gone: it is free. Each at most once a cycle.
//   2. abort, a bit a context: entries of it that are opening or open become aborted; also one that opens in this cycle.
//   3. no_lines: the entry has no line buffer; line_more counts at once, line_less a cycle later.
//   4. rows: entries of a context that are not free, two cycles late; used: of all contexts.
// Cost: some 50 flops an entry.
// Proved: formal/hub/formal_packet_manager_entries.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_entries #(
    parameter CONTEXTS        = 4,  // 1..8
    parameter ROWS            = 32, // 1..64
    parameter LINES           = 448, // 1..4096
    parameter ROW_INDEX_WIDTH = 20  // 1..32
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire                                   take,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] take_entry,
    input  wire [2:0]                             take_context,
    input  wire                                   take_immediate,
    input  wire [ROW_INDEX_WIDTH - 1:0]           take_row_index,
    input  wire                                   decide,
    input  wire                                   decide_opens, // else it is refused
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] decide_entry,
    input  wire [1:0]                             decide_link,
    input  wire [1:0]                             decide_kinds,
    input  wire                                   leave,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] leave_entry,
    input  wire                                   gone,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] gone_entry,
    input  wire [CONTEXTS - 1:0]                  abort,
    input  wire                                   store_ends, // the row's last byte is here
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] store_entry,
    input  wire                                   lock,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] lock_entry,
    input  wire                                   lock_kind,
    input  wire                                   line_more,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] line_more_entry,
    input  wire                                   line_less,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] line_less_entry,
    output wire [ROWS - 1:0]                      opening,
    output wire [ROWS - 1:0]                      open,
    output wire [ROWS - 1:0]                      aborted,
    output wire [ROWS - 1:0]                      stored_all,
    output wire [ROWS - 1:0]                      no_lines,
    output wire [2 * ROWS - 1:0]                  sent,   // kinds of which a packet was locked
    output wire [2 * ROWS - 1:0]                  kinds,
    output wire [2 * ROWS - 1:0]                  links,
    output wire [ROWS - 1:0]                      immediate,
    output wire [3 * ROWS - 1:0]                  contexts,
    output wire [8 * ROWS - 1:0]                  generations,
    output wire [ROWS * ROW_INDEX_WIDTH - 1:0]    indices,
    output wire [CONTEXTS * 7 - 1:0]              rows,
    output wire [6:0]                             used
);
    localparam [1:0] FREE    = 2'd0;
    localparam [1:0] OPENING = 2'd1;
    localparam [1:0] OPEN    = 2'd2;
    localparam [1:0] LEAVING = 2'd3;
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam COUNT_WIDTH = $clog2(LINES + 1);
    localparam [COUNT_WIDTH - 1:0] ONE = 1;

    wire [7:0]        aborts = {{(8 - CONTEXTS){1'b0}}, abort};
    reg               less_q;
    reg [ENTRY_WIDTH - 1:0] less_entry_q;
    always @(posedge clk) begin
        less_q       <= line_less && !rst;
        less_entry_q <= line_less_entry;
    end

    genvar e;
    generate
        for (e = 0; e < ROWS; e = e + 1) begin : g_entry
            localparam [31:0] NUMBER_32 = e;
            localparam [ENTRY_WIDTH - 1:0] NUMBER = NUMBER_32[ENTRY_WIDTH - 1:0];
            reg [1:0]                   state_q;
            reg [7:0]                   generation_q;
            reg [2:0]                   context_q;
            reg [ROW_INDEX_WIDTH - 1:0] row_index_q;
            reg [1:0]                   link_q;
            reg [1:0]                   kinds_q;
            reg [1:0]                   sent_q;
            reg                         immediate_q;
            reg                         aborted_q;
            reg                         stored_all_q;
            reg [COUNT_WIDTH - 1:0]     resident_q;

            wire more = line_more && line_more_entry == NUMBER;
            wire less = less_q && less_entry_q == NUMBER;

            always @(posedge clk) begin
                if ((state_q == OPENING || state_q == OPEN) && aborts[context_q]) aborted_q <= 1'b1;
                if (take && take_entry == NUMBER) begin
                    state_q      <= OPENING;
                    generation_q <= generation_q + 8'd1;
                    context_q    <= take_context;
                    row_index_q  <= take_row_index;
                    immediate_q  <= take_immediate;
                    aborted_q    <= 1'b0;
                    stored_all_q <= 1'b0;
                    sent_q       <= 2'b00;
                end
                if (decide && decide_entry == NUMBER) begin
                    state_q <= decide_opens ? OPEN : FREE;
                    link_q  <= decide_link;
                    kinds_q <= decide_kinds;
                    if (!decide_opens) aborted_q <= 1'b1;
                end
                if (store_ends && store_entry == NUMBER) stored_all_q <= 1'b1;
                if (lock && lock_entry == NUMBER) sent_q[lock_kind] <= 1'b1;
                if (more && !less) resident_q <= resident_q + ONE;
                if (less && !more) resident_q <= resident_q - ONE;
                if (leave && leave_entry == NUMBER) state_q <= LEAVING;
                if (gone && gone_entry == NUMBER) state_q <= FREE;
                if (rst) begin
                    state_q      <= FREE;
                    generation_q <= 8'd0;
                    aborted_q    <= 1'b1;
                    resident_q   <= {COUNT_WIDTH{1'b0}};
                end
            end

            assign opening[e]    = state_q == OPENING;
            assign open[e]       = state_q == OPEN;
            assign aborted[e]    = aborted_q;
            assign stored_all[e] = stored_all_q;
            assign no_lines[e]   = resident_q == {COUNT_WIDTH{1'b0}};
            assign immediate[e]  = immediate_q;
            assign sent[2 * e +: 2]        = sent_q;
            assign kinds[2 * e +: 2]       = kinds_q;
            assign links[2 * e +: 2]       = link_q;
            assign contexts[3 * e +: 3]    = context_q;
            assign generations[8 * e +: 8] = generation_q;
            assign indices[e * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH] = row_index_q;
        end
    endgenerate

    // ---- counts ---------------------------------------------------------------------------------------------------------
    wire [2:0] decide_context = contexts[decide_entry * 3 +: 3];
    wire [2:0] gone_context   = contexts[gone_entry * 3 +: 3];
    reg        more_q;
    reg [2:0]  more_context_q;
    reg        fewer_q;
    reg [2:0]  fewer_context_q;
    reg [CONTEXTS * 7 - 1:0] rows_q;
    reg [6:0]                used_q;
    always @(posedge clk) begin
        more_q          <= take && !rst;
        more_context_q  <= take_context;
        fewer_q         <= (gone || (decide && !decide_opens)) && !rst; // never both
        fewer_context_q <= gone ? gone_context : decide_context;
        used_q          <= used_q + {6'd0, more_q} - {6'd0, fewer_q};
        if (rst) used_q <= 7'd0;
    end
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [2:0] CONTEXT = c;
            wire more  = more_q && more_context_q == CONTEXT;
            wire fewer = fewer_q && fewer_context_q == CONTEXT;
            always @(posedge clk) begin
                rows_q[c * 7 +: 7] <= rows_q[c * 7 +: 7] + {6'd0, more} - {6'd0, fewer};
                if (rst) rows_q[c * 7 +: 7] <= 7'd0;
            end
        end
    endgenerate
    assign rows = rows_q;
    assign used = used_q;
endmodule

`default_nettype wire
