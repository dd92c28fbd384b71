// SPDX-License-Identifier: Apache-2.0
// In place of moehub_al_tlb in proofs of the address path around it and the walker (formal_any_fill.vh): what is proved of the
// two, and no more. A lookup is answered with what a table read and written at once says (formal_al_pending.v, right_value,
// right_result), the capacity judged by the walker (formal_al_walker.v, fill_right). It is passed on with its answer, or with
// a pending entry whose result comes at any time; requests leave at any time, once each, in order per port, a waiting one once
// its result is there (formal_answer_queue.v).
// One context, one region, one pending entry, which one request waits for; up to two requests inside. No memory, no parity.

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

    // ---- verdicts with their rows, in order, the older at the bottom --------------------------------------------------
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
    wire [ITEM - 1:0]       item = {verdict_id, verdict_port, verdict_status, verdict_first, verdict_value,
                                       rows_q[3 * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH]};
    wire [ID_WIDTH - 1:0]   id;
    wire [PORT_WIDTH - 1:0] port;
    wire [2:0]              status;
    wire                    first;
    wire [SLOT_WIDTH - 1:0] held;
    wire [ROW_INDEX_WIDTH - 1:0] row;
    assign {id, port, status, first, held, row} = older_q;

    // ---- the table, read and written at once --------------------------------------------------------------------------
    reg  [ROWS * WORD - 1:0] words_q;
    wire [WORD - 1:0]       word  = words_q[row * WORD +: WORD];
    wire [1:0]              state = first || (word[SLOT_WIDTH] && word[SLOT_WIDTH - 1:0] < held) ? 2'd0
                                    : word[SLOT_WIDTH] ? 2'd2 : 2'd1;
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
                        : state == 2'd0 ? 3'd`MOEHUB_STATUS_OK
                        : state == 2'd1 ? 3'd`MOEHUB_STATUS_UNMAPPED : 3'd`MOEHUB_STATUS_MEMORY;
    assign value        = `MOEHUB_VALUE(value_status, (waits ? any_first : first), (waits ? any_slot : slot));

    // ---- who is inside, by name; who leaves ---------------------------------------------------------------------------
    reg  [1:0]              inside_q, waiting_q, behind_q; // behind_q: the other name, of the same port, came before
    reg  [2 * PORT_WIDTH - 1:0] ports_q;
    reg                     out_valid_q, out_id_q, out_wait_q;
    wire                    leave = any_leave && inside_q[any_id] && !behind_q[any_id] && (!waiting_q[any_id] || filled_q)
                                    && (!out_valid_q || ready_ready);
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
    assign tlb_parity = 0;
