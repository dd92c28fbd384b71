// SPDX-License-Identifier: Apache-2.0
// moehub_al_pending alone: what one row of the solver's choice, "the row", is answered with is what a table read and
// written at once says, in the order of the lookups; whatever other rows there are, however many, they are the solver's
// free choice. Before it: hit, miss and line as moehub_al_tags gives them (formal_al_tags.v): the row is in at most one
// line. After it: the waiting requests leave in any order, each once its result is there (formal_answer_queue.v,
// has_result), and are counted as having read it one cycle later (formal_answer_pipe.v, consumed_once). Beside it: a
// walker that ends any operation at any time.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
module formal_al_pending #(
    parameter LINES      = 1, // 1 or 2
    parameter SLOT_WIDTH = 1,
    parameter PENDING    = 1, // 1 or 2
    parameter WAITING    = 2, // 2 or 3
    parameter BOUND      = 16
) (
    input wire                    clk,
    input wire                    rst,
    input wire                    lookup_valid,
    input wire                    lookup_ok,
    input wire                    lookup_first,
    input wire                    lookup_miss,
    input wire                    lookup_line,
    input wire                    lookup_own,    // it is the row's
    input wire                    lookup_name,   // id and port
    input wire [2:0]              lookup_status,
    input wire [SLOT_WIDTH - 1:0] lookup_value,
    input wire                    hold,
    input wire [1 + SLOT_WIDTH:0] initial_word,  // the row's in the table
    input wire [1 + SLOT_WIDTH:0] other_word,    // another row's
    input wire                    answer_choice, // which operation the walker ends
    input wire                    fill_now,
    input wire                    written_now,
    input wire                    mark,
    input wire                    leave_now,
    input wire                    leave_marked,
    input wire                    leave_choice
);
`include "formal_reset.vh"
    localparam ID_WIDTH = WAITING > 2 ? 2 : 1;
    localparam WORD     = 2 + SLOT_WIDTH; // {state, slot}; state 0 mapped, 1 unmapped, 2 bad
    wire                    lookup_ready, payload_take;
    wire                    start_valid, start_entry, start_first, start_context, start_expert, start_row;
    wire [SLOT_WIDTH - 1:0] start_value;
    wire                    fill_valid, written_valid;
    wire [WORD - 1:0]       fill_word;
    wire                    insert_valid, value_valid, insert_wait, insert_entry, insert_port, insert_free, value_first;
    wire [ID_WIDTH - 1:0]   insert_id, value_id;
    wire [2:0]              value_status;
    wire [SLOT_WIDTH - 1:0] value_slot;
    wire [PENDING - 1:0]    resolved;
    wire [PENDING - 1:0]    unanswered;
    reg                     consumed_q = 1'b0, consumed_entry_q;

    // ---- lookups; what is carried with the up to two that have not been taken, the older at the bottom ------------
    localparam ITEM = 1 + 1 + 1 + 1 + 3 + SLOT_WIDTH;
    wire              accept = lookup_valid && lookup_ready && !rst;
    reg  [1:0]        untaken_q = 2'd0;
    reg  [ITEM - 1:0] older_q, newer_q;
    wire [ITEM - 1:0] item = {lookup_own, lookup_ok, lookup_first, lookup_name, lookup_status, lookup_value};
    wire              own, ok, first, name;
    wire [2:0]        status;
    wire [SLOT_WIDTH - 1:0] value;
    assign {own, ok, first, name, status, value} = older_q;
    wire [ID_WIDTH - 1:0] id = name;

    moehub_al_pending #(
        .CONTEXTS(1), .LOCAL_EXPERTS(1), .ROW_INDEX_WIDTH(1), .SLOT_WIDTH(SLOT_WIDTH), .LINES(LINES), .PORTS(2),
        .PENDING(PENDING), .WAITING(WAITING)
    ) u_pending (
        .clk(clk), .rst(rst),
        .lookup_valid(lookup_valid), .lookup_ready(lookup_ready), .lookup_ok(lookup_ok), .lookup_first(lookup_first),
        .lookup_miss(lookup_miss), .lookup_line(lookup_line), .lookup_context(1'b0),
        .payload_take(payload_take), .payload_verdict(`MOEHUB_VERDICT(id, !name, status, value)), .payload_expert(1'b0),
        .payload_row_index(own), .hold(hold),
        .start_valid(start_valid), .start_entry(start_entry),
        .start_operation(`MOEHUB_TABLE_OPERATION(start_first, start_value,
                                                 `MOEHUB_ROW_NAME(start_context, start_expert, start_row))),
        .fill_valid(fill_valid), .fill_entry(answer_choice),
        .fill_content(`MOEHUB_CONTENT(fill_word[SLOT_WIDTH +: 2], fill_word[SLOT_WIDTH - 1:0])),
        .written_valid(written_valid), .written_entry(answer_choice),
        .insert_valid(insert_valid), .insert_port(insert_port),
        .insert_waiter(`MOEHUB_WAITER(insert_id, insert_wait, insert_entry)), .insert_free(insert_free),
        .value_valid(value_valid), .value_id(value_id),
        .value(`MOEHUB_VALUE(value_status, value_first, value_slot)), .resolved(resolved), .consumed_valid(consumed_q),
        .consumed_entry(consumed_entry_q), .unanswered(unanswered)
    );

    // ---- which line the row is in, as the tags say ----------------------------------------------------------------
    reg  cached_q = 1'b0, line_q;
    wire there = cached_q && lookup_line == line_q;
    always @* begin
        assume (lookup_line < LINES);
        if (lookup_ok) begin
            assume (lookup_status == 3'd`MOEHUB_STATUS_OK);
            if (lookup_own) assume (lookup_miss == !cached_q && (lookup_miss || there));
            else assume (lookup_miss || !there);
        end else assume (lookup_status != 3'd`MOEHUB_STATUS_OK && !lookup_first);
    end

    // ---- walker and table: of each entry, what is under way -------------------------------------------------------
    reg  [1:0]              reading_q = 2'd0, writing_q = 2'd0, rows_q;
    reg  [2 * SLOT_WIDTH - 1:0] slots_q;
    reg  [WORD - 1:0]       table_q;    // the row's
    reg  [2 * WORD - 1:0]   results_q;  // of entries, as the answer pipe keeps them
    wire [1:0]              busy = reading_q | writing_q;
    assign fill_valid    = fill_now && reading_q[answer_choice] && !rst;
    assign fill_word     = rows_q[answer_choice] ? table_q : other_word;
    assign written_valid = written_now && writing_q[answer_choice] && !rst;
    always @* assume (initial_word[SLOT_WIDTH +: 2] != 2'd3 && other_word[SLOT_WIDTH +: 2] != 2'd3);

    // ---- the specification: the row's word, in the order in which lookups are taken -------------------------------
    reg  [WORD - 1:0] word_q;
    wire [WORD - 1:0] wanted = first ? {2'd0, value} : word_q;
    reg  [1:0]        taken_q = 2'd0; // one and two cycles ago
    reg  [ITEM - 1:0] taken_1_q, taken_2_q;
    reg  [WORD - 1:0] wanted_1_q, wanted_2_q;
    wire              own_2, ok_2, first_2, name_2;
    wire [2:0]        status_2;
    wire [SLOT_WIDTH - 1:0] unused_value_2;
    assign {own_2, ok_2, first_2, name_2, status_2, unused_value_2} = taken_2_q;
    function [2:0] status_of(input [1:0] state);
        status_of = state == 2'd0 ? 3'd`MOEHUB_STATUS_OK : state == 2'd1 ? 3'd`MOEHUB_STATUS_UNMAPPED : 3'd`MOEHUB_STATUS_MEMORY;
    endfunction
    function same_word(input [WORD - 1:0] one, input [WORD - 1:0] other);
        same_word = one[SLOT_WIDTH +: 2] == other[SLOT_WIDTH +: 2]
                    && (one[SLOT_WIDTH +: 2] != 2'd0 || one[SLOT_WIDTH - 1:0] == other[SLOT_WIDTH - 1:0]);
    endfunction

    // ---- who waits: how many for each entry; one of them is marked ------------------------------------------------
    reg  [2:0]        inside_q = 3'd0; // not inserted yet, or waiting
    reg  [1:0]        waiting_0_q = 2'd0, waiting_1_q = 2'd0;
    reg               marked_q = 1'b0, marked_own_q, marked_entry_q;
    reg  [WORD - 1:0] marked_word_q;
    reg               read_q = 1'b0; // the marked one left a cycle ago
    wire [1:0]        known   = resolved; // widened
    wire              entry   = leave_marked ? marked_entry_q : leave_choice;
    wire [1:0]        waiting = entry ? waiting_1_q : waiting_0_q;
    wire              others  = waiting != 2'd0 && !(marked_q && marked_entry_q == entry && waiting == 2'd1);
    wire              leave   = leave_now && !rst && (leave_marked ? marked_q : others) && known[entry];
    wire              waits   = insert_valid && insert_wait && !rst;
    wire [1:0]        needed  = {waiting_1_q != 2'd0, waiting_0_q != 2'd0};
    wire [WORD - 1:0] result  = results_q[marked_entry_q * WORD +: WORD];
    always @* assume (!accept || inside_q < WAITING);

    // ---- one row, one slot: while the row is not announced a second time; the slot as it was told first -----------
    reg                    broken_q, told_q = 1'b0;
    reg [SLOT_WIDTH - 1:0] told_slot_q;
    wire tells_value  = insert_valid && !insert_wait && own_2 && ok_2 && value_status == 3'd`MOEHUB_STATUS_OK && !rst;
    wire tells_result = leave && leave_marked && marked_own_q && result[SLOT_WIDTH +: 2] == 2'd0;

    reg  [1:0] kept_q = 2'd0;             // the result was there, and somebody needed it on
    reg  [4:0] age_q = 5'd0;              // cycles that a lookup waits while all that it may wait for happens at once
    reg        slow_q = 1'b0;
    reg        joined_q = 1'b0, evicted_q = 1'b0, fetched_q = 1'b0;
    wire       flows = !hold && !(busy != 2'd0 && !fill_valid && !written_valid)
                       && !(needed & known & ~{leave && entry, leave && !entry});
    always @(posedge clk) begin
        untaken_q <= untaken_q + {1'b0, accept} - {1'b0, payload_take};
        if (payload_take) older_q <= newer_q;
        if (accept && untaken_q - {1'b0, payload_take} == 2'd0) older_q <= item;
        if (accept) newer_q <= item;
        if (accept && lookup_ok && lookup_own) begin
            cached_q <= 1'b1;
            line_q   <= lookup_line;
        end else if (accept && lookup_ok && lookup_miss && there) cached_q <= 1'b0;

        taken_q <= {taken_q[0], payload_take};
        {taken_1_q, taken_2_q}   <= {older_q, taken_1_q};
        {wanted_1_q, wanted_2_q} <= {wanted, wanted_1_q};
        if (payload_take && own && first) word_q <= wanted;

        if (start_valid) begin
            if (start_first) writing_q[start_entry] <= 1'b1;
            else reading_q[start_entry] <= 1'b1;
            rows_q[start_entry] <= start_row;
            slots_q[start_entry * SLOT_WIDTH +: SLOT_WIDTH] <= start_value;
        end
        if (fill_valid) begin
            reading_q[answer_choice] <= 1'b0;
            results_q[answer_choice * WORD +: WORD] <= fill_word;
        end
        if (written_valid) begin
            writing_q[answer_choice] <= 1'b0;
            if (rows_q[answer_choice]) table_q <= {2'd0, slots_q[answer_choice * SLOT_WIDTH +: SLOT_WIDTH]};
        end

        inside_q    <= inside_q + {2'd0, accept} - {2'd0, insert_valid && !insert_wait} - {2'd0, consumed_q};
        waiting_0_q <= waiting_0_q + {1'b0, waits && !insert_entry} - {1'b0, leave && !entry};
        waiting_1_q <= waiting_1_q + {1'b0, waits && insert_entry} - {1'b0, leave && entry};
        consumed_q       <= leave;
        consumed_entry_q <= entry;
        if (waits && mark && !marked_q) begin
            marked_q       <= 1'b1;
            marked_own_q   <= own_2;
            marked_entry_q <= insert_entry;
            marked_word_q  <= wanted_2_q;
        end else if (leave && leave_marked) marked_q <= 1'b0;
        read_q <= leave && leave_marked;
        kept_q <= known & needed & ~{leave && entry && waiting == 2'd1, leave && !entry && waiting == 2'd1};

        if (payload_take && own && first && word_q[SLOT_WIDTH +: 2] == 2'd0) broken_q <= 1'b1;
        if (tells_value || tells_result) begin
            told_q      <= 1'b1;
            told_slot_q <= tells_value ? value_slot : result[SLOT_WIDTH - 1:0];
        end

        slow_q <= !flows;
        age_q  <= untaken_q != 2'd0 && !payload_take && flows && !slow_q ? age_q + {4'd0, age_q != 5'd31} : 5'd0;
        if (waits && marked_q && marked_own_q && own_2 && insert_entry == marked_entry_q) joined_q <= 1'b1;
        if (start_valid && start_row && start_first) evicted_q <= 1'b1;
        if (start_valid && start_row && !start_first && evicted_q) fetched_q <= 1'b1;
        if (rst) begin
            {untaken_q, taken_q, inside_q, waiting_0_q, waiting_1_q} <= 11'd0;
            {reading_q, writing_q} <= 4'd0;
            kept_q  <= 2'd0;
            {cached_q, consumed_q, marked_q, read_q, joined_q, evicted_q, fetched_q} <= 7'd0;
            {broken_q, told_q} <= 2'd0;
            age_q   <= 5'd0;
            table_q <= initial_word;
            word_q  <= initial_word;
        end
    end

    always @* if (started_q && !reset_q) begin
        // what is told
        told_once:    assert (insert_valid == taken_q[1] && (!insert_valid || (insert_id == name_2 && insert_port == !name_2
                              && value_valid && value_id == insert_id
                              && (ok_2 || (!insert_wait && value_status == status_2 && !value_first)))));
        right_value:  assert (!insert_valid || insert_wait || !own_2 || !ok_2
                              || (value_status == status_of(wanted_2_q[SLOT_WIDTH +: 2]) && value_first == first_2
                                  && (wanted_2_q[SLOT_WIDTH +: 2] != 2'd0 || value_slot == wanted_2_q[SLOT_WIDTH - 1:0])));
        right_result: assert (!marked_own_q || !(read_q || (leave && leave_marked)) || same_word(result, marked_word_q));
        one_slot:     assert (broken_q || !told_q
                              || ((!tells_value || value_slot == told_slot_q)
                                  && (!tells_result || result[SLOT_WIDTH - 1:0] == told_slot_q)));
        free_is:      assert (!insert_valid || insert_free == (!insert_wait || known[insert_entry]));
        // pending entries
        one_per_row:  assert (!start_valid || !start_row || (busy & rows_q) == 2'd0);
        entry_free:   assert (!start_valid
                              || (start_entry < PENDING && !busy[start_entry]
                                  && !(start_entry ? waiting_1_q != 2'd0 : waiting_0_q != 2'd0)));
        result_stays: assert ((kept_q & ~known) == 2'd0);
        result_comes: assert ((needed & ~known & ~reading_q) == 2'd0);
        in_flight_is: assert (|unanswered == (busy != 2'd0 || start_valid));
        in_time:      assert (age_q <= BOUND);
    end
    always @* begin
        two_wait:      cover (joined_q && leave && leave_marked && marked_own_q && marked_word_q[SLOT_WIDTH +: 2] == 2'd0);
        fetched_again: cover (fetched_q && read_q && marked_own_q);
        hit_told:      cover (insert_valid && own_2 && ok_2 && !insert_wait && !first_2 && fetched_q);
        told_again:    cover (!broken_q && told_q && fetched_q && tells_result && told_slot_q == 1);
        waits_long:    cover (age_q == 5'd4);
    end
endmodule
`default_nettype wire
