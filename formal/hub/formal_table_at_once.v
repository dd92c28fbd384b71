// SPDX-License-Identifier: Apache-2.0
// Stand in for moehub_al_tlb and moehub_al_walker in proofs of the address path around them: what is proved of the two, and no more.
// A lookup is answered with what a table read and written at once says (formal_al_pending.v, right_value, right_result), the capacity
// judged by the walker (formal_al_walker.v, fill_right). It is passed on with its answer, or with a pending entry whose result comes
// at any time; requests leave at any time, once each, in order per port, a waiting one once its result is there (formal_answer_queue.v).
// One context, one region, one pending entry, which one request waits for; up to two requests inside.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
`include "moehub_width.vh"
module moehub_al_tlb #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 1,
    parameter SLOT_WIDTH      = 2,
    parameter SETS            = 128,
    parameter WAYS            = 4,
    parameter REPLACEMENT     = 0,
    parameter PORTS           = 1,
    parameter PENDING         = 1,
    parameter WAITING         = 2
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
    output wire [`MOEHUB_TLB_EVENTS_WIDTH - 1:0]          tlb_events
);

    localparam ID_WIDTH   = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam PORT_WIDTH = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ROWS       = 1 << (ROW_INDEX_WIDTH > 4 ? 4 : ROW_INDEX_WIDTH); // at most 16
    localparam WORD       = 1 + SLOT_WIDTH; // {current, slot}

    wire [ROWS * WORD - 1:0] initial_words = $anyconst;
    wire                     any_value     = $anyseq;
    wire                     any_wait      = $anyseq;
    wire                     any_leave     = $anyseq;
    wire                     any_id        = $anyseq;
    wire [2:0]               any_status    = $anyseq; // of a request that waits
    wire                     any_first     = $anyseq;
    wire [SLOT_WIDTH - 1:0]  any_slot      = $anyseq;

    // ---- verdicts with their rows, in order, the older at the bottom ---------------------------------------------------------------------
    wire [ID_WIDTH - 1:0]        verdict_id;
    wire [PORT_WIDTH - 1:0]      verdict_port;
    wire [2:0]                   verdict_status;
    wire [SLOT_WIDTH - 1:0]      verdict_value;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]      unused_context;
    wire [`MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS) - 1:0] unused_expert;
    wire [ROW_INDEX_WIDTH - 1:0] key_row_index;
    wire [1:0]                   fill_state;
    wire [SLOT_WIDTH - 1:0]      fill_slot;
    assign `MOEHUB_VERDICT(verdict_id, verdict_port, verdict_status, verdict_value) = verdict;
    assign `MOEHUB_ROW_NAME(unused_context, unused_expert, key_row_index)          = key_name;
    assign `MOEHUB_CONTENT(fill_state, fill_slot)                                  = fill_content;
    localparam ITEM = ID_WIDTH + PORT_WIDTH + 3 + 1 + SLOT_WIDTH + ROW_INDEX_WIDTH;
    reg [4 * ROW_INDEX_WIDTH - 1:0] rows_q; // of the last four cycles' keys
    reg [ITEM - 1:0]        older_q, newer_q;
    reg [1:0]               count_q;
    wire [ITEM - 1:0]       item = {verdict_id, verdict_port, verdict_status, verdict_first, verdict_value, rows_q[3 * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH]};
    wire [ID_WIDTH - 1:0]   id;
    wire [PORT_WIDTH - 1:0] port;
    wire [2:0]              status;
    wire                    first;
    wire [SLOT_WIDTH - 1:0] held;
    wire [ROW_INDEX_WIDTH - 1:0] row;
    assign {id, port, status, first, held, row} = older_q;

    // ---- the table, read and written at once ----------------------------------------------------------------------------------------------
    reg  [ROWS * WORD - 1:0] words_q;
    wire [WORD - 1:0]       word  = words_q[row * WORD +: WORD];
    wire [1:0]              state = first || (word[SLOT_WIDTH] && word[SLOT_WIDTH - 1:0] < held) ? 2'd0 : word[SLOT_WIDTH] ? 2'd2 : 2'd1;
    wire [SLOT_WIDTH - 1:0] slot  = first ? held : word[SLOT_WIDTH - 1:0];
    wire                    ok    = status == 3'd`MOEHUB_STATUS_OK;
    wire                    told  = any_value && count_q != 2'd0 && !rst;
    reg                     used_q, filled_q; // the pending entry
    wire                    waits = told && any_wait && ok && !first && !used_q;
    reg  [1:0]              entry_state_q;
    reg  [SLOT_WIDTH - 1:0] entry_slot_q;
    always @* assume (!fill_valid || (used_q && !filled_q && fill_entry == 0 && fill_state == entry_state_q
                                      && (fill_state != 2'd0 || fill_slot == entry_slot_q)));

    assign value_valid  = told;
    assign value_id     = id;
    wire [2:0]              value_status = waits ? any_status : !ok ? status
                        : state == 2'd0 ? 3'd`MOEHUB_STATUS_OK : state == 2'd1 ? 3'd`MOEHUB_STATUS_UNMAPPED : 3'd`MOEHUB_STATUS_MEMORY;
    assign value        = `MOEHUB_VALUE(value_status, (waits ? any_first : first), (waits ? any_slot : slot));

    // ---- who is inside, by name; who leaves ------------------------------------------------------------------------------------------------
    reg  [1:0]              inside_q, waiting_q, behind_q; // behind_q: the other name, of the same port, came before
    reg  [2 * PORT_WIDTH - 1:0] ports_q;
    reg                     out_valid_q, out_id_q, out_wait_q;
    wire                    leave = any_leave && inside_q[any_id] && !behind_q[any_id] && (!waiting_q[any_id] || filled_q) && (!out_valid_q || ready_ready);
    assign ready_valid = out_valid_q;
    assign ready_waiter = `MOEHUB_WAITER(out_id_q, out_wait_q, 1'b0);

    always @(posedge clk) begin
        rows_q <= {rows_q[3 * ROW_INDEX_WIDTH - 1:0], key_row_index};
        count_q <= count_q + {1'b0, verdict_valid} - {1'b0, told};
        if (told) older_q <= newer_q;
        if (verdict_valid && count_q - {1'b0, told} == 2'd0) older_q <= item;
        if (verdict_valid) newer_q <= item;
        if (told && ok && first) words_q[row * WORD +: WORD] <= {1'b1, held};
        if (leave) begin
            inside_q[any_id]  <= 1'b0;
            behind_q[!any_id] <= 1'b0;
        end
        if (told) begin
            inside_q[id]  <= 1'b1;
            waiting_q[id] <= waits;
            behind_q[id]  <= inside_q[!id] && !(leave && any_id == !id) && ports_q[!id * PORT_WIDTH +: PORT_WIDTH] == port;
            ports_q[id * PORT_WIDTH +: PORT_WIDTH] <= port;
        end
        out_valid_q <= leave || (out_valid_q && !ready_ready);
        if (leave) {out_id_q, out_wait_q} <= {any_id, waiting_q[any_id]};
        if (waits) {used_q, filled_q, entry_state_q, entry_slot_q} <= {2'd2, state, slot};
        else begin
            if (fill_valid) filled_q <= 1'b1;
            if (consumed_valid) used_q <= 1'b0;
        end
        if (rst) begin
            inside_q    <= 2'd0;
            behind_q    <= 2'd0;
            count_q     <= 2'd0;
            out_valid_q <= 1'b0;
            used_q      <= 1'b0;
            filled_q    <= 1'b0;
            words_q     <= initial_words;
        end
    end

    assign {invalidate_busy, start_valid, start_entry, start_operation} = 0;
    assign {give, give_context, unanswered, pending_used, tlb_events} = 0;
endmodule

// Results at any time that the stand-in above allows; no access to the memory.
module moehub_al_walker #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter ADDRESS_WIDTH   = 48,
    parameter PENDING         = 64,
    parameter AXI_DATA_WIDTH  = 128
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           initialised,
    input  wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]      epochs,
    input  wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0]  row_limits,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]          table_bases,
    // operations
    input  wire                                           start_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      start_entry,
    input  wire [`MOEHUB_TABLE_OPERATION_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH) - 1:0] start_operation,
    output wire                                           fill_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      fill_entry,
    output wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] fill_content,
    output wire                                           written_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      written_entry,
    // errors
    output wire                                           read_error_valid,
    output wire                                           read_error_repeated, // else TABLE_READ
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] read_error_name,
    output wire                                           write_error_valid,
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] write_error_name,
    // AXI4 master
    output wire                                         m_axi_arvalid,
    input  wire                                         m_axi_arready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_arid,
    output wire [ADDRESS_WIDTH - 1:0]                     m_axi_araddr,
    input  wire                                         m_axi_rvalid,
    output wire                                         m_axi_rready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_rid,
    input  wire [AXI_DATA_WIDTH - 1:0]                    m_axi_rdata,
    input  wire [1:0]                                     m_axi_rresp,
    output wire                                         m_axi_awvalid,
    input  wire                                         m_axi_awready,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_awid,
    output wire [ADDRESS_WIDTH - 1:0]                     m_axi_awaddr,
    output wire                                         m_axi_wvalid,
    input  wire                                         m_axi_wready,
    output wire [AXI_DATA_WIDTH - 1:0]                    m_axi_wdata,
    output wire [AXI_DATA_WIDTH / 8 - 1:0]                m_axi_wstrb,
    input  wire                                         m_axi_bvalid,
    output wire                                         m_axi_bready,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      m_axi_bid,
    input  wire [1:0]                                     m_axi_bresp
);

    wire                    any_fill  = $anyseq;
    wire [1:0]              any_state = $anyseq;
    wire [SLOT_WIDTH - 1:0] any_slot  = $anyseq;
    assign fill_valid = any_fill;
    assign fill_entry = 0;
    assign fill_content = `MOEHUB_CONTENT(any_state, any_slot);
    assign {written_valid, written_entry, read_error_valid, read_error_repeated, read_error_name, write_error_valid,
            write_error_name} = 0;
    assign {m_axi_arvalid, m_axi_arid, m_axi_araddr, m_axi_rready, m_axi_awvalid, m_axi_awid, m_axi_awaddr, m_axi_wvalid, m_axi_wdata, m_axi_wstrb, m_axi_bready} = 0;
endmodule
`default_nettype wire
