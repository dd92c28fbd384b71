// SPDX-License-Identifier: Apache-2.0
// moehub_al_tlb with a walker that answers at any time: the solver marks one lookup; what it is answered with must be
// what a table read and written at once says, in the order of acceptance, although lines are filled late, evicted and
// fetched again.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
module formal_al_tlb #(
    parameter ROW_INDEX_WIDTH = 1,
    parameter SLOT_WIDTH      = 1,
    parameter SETS            = 1,
    parameter WAYS            = 1,
    parameter PORTS           = 1, // 1 or 2
    parameter PENDING         = 1, // 1 or 2
    parameter WAITING         = 2, // 2..4
    parameter BOUND           = 20
) (
    input wire                         clk,
    input wire                         rst,
    input wire                         key_valid,
    input wire [ROW_INDEX_WIDTH - 1:0] key_row_index,
    input wire [1:0]                   key_id,
    input wire                         key_port,
    input wire                         key_refused, // its verdict
    input wire                         key_first,
    input wire [SLOT_WIDTH - 1:0]      key_slot,
    input wire                         mark,
    input wire                         answer_choice, // which operation the walker ends
    input wire                         fill_now,
    input wire                         written_now,
    input wire                         ready_ready
);
`include "formal_one_reset.vh"
    localparam ROWS     = 1 << ROW_INDEX_WIDTH;
    localparam ID_WIDTH = $clog2(WAITING);
    localparam WORD     = 1 + SLOT_WIDTH; // {mapped, slot}
    localparam EPOCH_WIDTH = 32 - SLOT_WIDTH;
    localparam [EPOCH_WIDTH - 1:0] EPOCH = 1;
    wire [ID_WIDTH - 1:0] id = key_id[ID_WIDTH - 1:0];

    // ---- the stages before: the verdict comes four cycles after the key -------------------------------------------
    reg [2:0] walk_q = 3'd0;
    wire walking = walk_q != SETS;
    localparam CARRY = ID_WIDTH + 1 + 1 + 1 + SLOT_WIDTH;
    reg [4 * CARRY - 1:0] delay_q;
    reg [3:0]             valid_q = 4'd0;
    wire [ID_WIDTH - 1:0] late_id;
    wire                  late_port, late_refused, late_first;
    wire [SLOT_WIDTH - 1:0] late_slot;
    assign {late_id, late_port, late_refused, late_first, late_slot} = delay_q[3 * CARRY +: CARRY];
    always @(posedge clk) begin
        if (walking) walk_q <= walk_q + 3'd1;
        delay_q <= {delay_q[3 * CARRY - 1:0], id, key_port, key_refused, key_first && !key_refused, key_slot};
        valid_q <= {valid_q[2:0], key_valid};
        if (rst) begin
            walk_q  <= 3'd0;
            valid_q <= 4'd0;
        end
    end

    wire [2:0]              late_status = late_refused ? 3'd`MOEHUB_STATUS_RANGE : 3'd`MOEHUB_STATUS_OK;
    wire                    start_valid, start_entry, start_first, start_context, start_expert;
    wire [SLOT_WIDTH - 1:0] start_value;
    wire [ROW_INDEX_WIDTH - 1:0] start_row_index;
    wire                    fill_valid, written_valid;
    wire [1:0]              fill_state;
    wire [SLOT_WIDTH - 1:0] fill_slot;
    wire                    value_valid, value_first;
    wire [ID_WIDTH - 1:0]   value_id;
    wire [2:0]              value_status;
    wire [SLOT_WIDTH - 1:0] value_slot;
    wire                    ready_valid, ready_wait, ready_entry;
    wire [ID_WIDTH - 1:0]   ready_id;
    reg                     consumed_q = 1'b0, consumed_entry_q;
    wire [PENDING - 1:0]    unanswered;

    moehub_al_tlb #(
        .CONTEXTS(1), .LOCAL_EXPERTS(1), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH), .SETS(SETS),
        .WAYS(WAYS), .REPLACEMENT(0), .PORTS(PORTS), .PENDING(PENDING), .WAITING(WAITING)
    ) u_tlb (
        .clk(clk), .rst(rst), .set_clear(walking && !rst), .set_address(walk_q[(SETS > 1 ? $clog2(SETS) : 1) - 1:0]),
        .invalidate_start(1'b0), .invalidate_context(1'b0),
        .key_valid(key_valid), .key_name(`MOEHUB_ROW_NAME(1'b0, 1'b0, key_row_index)), .key_epoch(EPOCH),
        .verdict_valid(valid_q[3]), .verdict_first(late_first),
        .verdict(`MOEHUB_VERDICT(late_id, late_port, late_status, (late_first ? late_slot : {SLOT_WIDTH{1'b1}}))),
        .start_valid(start_valid), .start_entry(start_entry),
        .start_operation(`MOEHUB_TABLE_OPERATION(start_first, start_value,
                                                 `MOEHUB_ROW_NAME(start_context, start_expert, start_row_index))),
        .fill_valid(fill_valid), .fill_entry(answer_choice), .fill_content(`MOEHUB_CONTENT(fill_state, fill_slot)),
        .written_valid(written_valid), .written_entry(answer_choice),
        .value_valid(value_valid), .value_id(value_id), 
        .value(`MOEHUB_VALUE(value_status, value_first, value_slot)),
        .ready_valid(ready_valid), .ready_ready(ready_ready), 
        .ready_waiter(`MOEHUB_WAITER(ready_id, ready_wait, ready_entry)),
        .consumed_valid(consumed_q), .consumed_entry(consumed_entry_q), .unanswered(unanswered)
    );

    // ---- walker and table -----------------------------------------------------------------------------------------
    wire [ROWS * WORD - 1:0] initial_words = $anyconst;
    reg  [ROWS * WORD - 1:0] table_q;
    reg  [1:0]               reading_q = 2'd0, writing_q = 2'd0; // entries
    reg  [2 * ROW_INDEX_WIDTH - 1:0] rows_q;                     // of entries
    reg  [2 * SLOT_WIDTH - 1:0] slots_q;
    wire [ROW_INDEX_WIDTH - 1:0] answer_row = rows_q[answer_choice * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH];
    wire [WORD - 1:0]        found = table_q[answer_row * WORD +: WORD];
    wire [1:0]               busy  = reading_q | writing_q;
    wire                     same_row = (busy[0] && rows_q[0 +: ROW_INDEX_WIDTH] == start_row_index)
                                     || (busy[1] && rows_q[ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH] == start_row_index);
    assign fill_valid    = fill_now && reading_q[answer_choice] && !rst;
    assign fill_state    = found[SLOT_WIDTH] ? 2'd0 : 2'd1;
    assign fill_slot     = found[SLOT_WIDTH - 1:0];
    assign written_valid = written_now && writing_q[answer_choice] && !rst;
    always @(posedge clk) begin
        if (start_valid) begin
            if (start_first) writing_q[start_entry] <= 1'b1;
            else reading_q[start_entry] <= 1'b1;
            rows_q[start_entry * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH] <= start_row_index;
            slots_q[start_entry * SLOT_WIDTH +: SLOT_WIDTH]          <= start_value;
        end
        if (fill_valid) reading_q[answer_choice] <= 1'b0;
        if (written_valid) begin
            writing_q[answer_choice] <= 1'b0;
            table_q[answer_row * WORD +: WORD] <= {1'b1, slots_q[answer_choice * SLOT_WIDTH +: SLOT_WIDTH]};
        end
        if (rst) begin
            reading_q <= 2'd0;
            writing_q <= 2'd0;
            table_q   <= initial_words;
        end
    end

    // ---- names inside, per port; the specification's table --------------------------------------------------------
    reg [3:0]                inside_q = 4'd0, ports_q;
    reg [2:0]                count_0_q = 3'd0, count_1_q = 3'd0;
    reg [ROWS * WORD - 1:0]  words_q;
    wire                     leave = ready_valid && ready_ready && !rst;
    wire                     leave_port = ports_q[ready_id];
    wire [WORD - 1:0]        word  = words_q[key_row_index * WORD +: WORD];
    wire                     writes = key_valid && key_first && !key_refused;
    always @* begin
        assume (!key_valid || (!rst && !walking && !inside_q[id] && {1'b0, id} < WAITING && key_port < PORTS));
    end

    // ---- the marked lookup ----------------------------------------------------------------------------------------
    reg                    marked_q = 1'b0, seen_q = 1'b0;
    reg [ID_WIDTH - 1:0]   marked_id_q;
    reg [2:0]              ahead_q;
    reg [2:0]              status_q;
    reg                    first_q;
    reg [SLOT_WIDTH - 1:0] slot_q;
    reg [3 + 1 + SLOT_WIDTH - 1:0] value_q;   // what the answer pipe would store
    reg [2 * (2 + SLOT_WIDTH) - 1:0] results_q; // of entries
    wire [2 + SLOT_WIDTH - 1:0] result = results_q[ready_entry * (2 + SLOT_WIDTH) +: 2 + SLOT_WIDTH];
    wire [2:0]             got_status = !ready_wait ? value_q[SLOT_WIDTH + 1 +: 3]
                                      : result[SLOT_WIDTH +: 2] == 2'd0 ? 3'd`MOEHUB_STATUS_OK : 3'd`MOEHUB_STATUS_UNMAPPED;
    wire                   got_first  = !ready_wait && value_q[SLOT_WIDTH];
    wire [SLOT_WIDTH - 1:0] got_slot  = ready_wait ? result[SLOT_WIDTH - 1:0] : value_q[SLOT_WIDTH - 1:0];
    wire                   mine    = marked_q && leave && ready_id == marked_id_q;
    reg                    evicted_q = 1'b0;
    reg [6:0]              age_q = 7'd0;
    reg [2:0]              slow_q = 3'd0; // cycles an operation has been open without an end
    always @(posedge clk) begin
        consumed_q       <= leave && ready_wait;
        consumed_entry_q <= ready_entry;
        if (leave) inside_q[ready_id] <= 1'b0;
        if (key_valid) begin
            inside_q[id] <= 1'b1;
            ports_q[id]  <= key_port;
        end
        count_0_q <= count_0_q + {2'd0, key_valid && !key_port} - {2'd0, leave && !leave_port};
        count_1_q <= count_1_q + {2'd0, key_valid && key_port} - {2'd0, leave && leave_port};
        if (writes) words_q[key_row_index * WORD +: WORD] <= {1'b1, key_slot};
        if (key_valid && mark && !seen_q) begin
            seen_q      <= 1'b1;
            marked_q    <= 1'b1;
            marked_id_q <= id;
            ahead_q     <= (key_port ? count_1_q : count_0_q) - {2'd0, leave && leave_port == key_port};
            status_q    <= key_refused                    ? 3'd`MOEHUB_STATUS_RANGE
                         : key_first || word[SLOT_WIDTH] ? 3'd`MOEHUB_STATUS_OK
                         :                                 3'd`MOEHUB_STATUS_UNMAPPED;
            first_q     <= writes;
            slot_q      <= key_first ? key_slot : word[SLOT_WIDTH - 1:0];
        end else if (marked_q) begin
            if (leave && leave_port == ports_q[marked_id_q]) ahead_q <= ahead_q - 3'd1;
            if (mine) marked_q <= 1'b0;
        end
        if (value_valid && marked_q && value_id == marked_id_q) value_q <= {value_status, value_first, value_slot};
        if (fill_valid) results_q[answer_choice * (2 + SLOT_WIDTH) +: 2 + SLOT_WIDTH] <= {fill_state, fill_slot};
        if (start_valid && !start_first && written_valid == 1'b0 && words_q[start_row_index * WORD + SLOT_WIDTH])
            evicted_q <= 1'b1;
        slow_q <= (busy != 2'd0 && !fill_valid && !written_valid) || (ready_valid && !ready_ready)
                  ? slow_q + {2'd0, slow_q != 3'd7} : 3'd0;
        age_q  <= marked_q && slow_q < 3'd2 ? age_q + {6'd0, age_q != 7'd127} : 7'd0;
        if (rst) begin
            inside_q  <= 4'd0;
            count_0_q <= 3'd0;
            count_1_q <= 3'd0;
            words_q   <= initial_words;
            marked_q  <= 1'b0;
            seen_q    <= 1'b0;
            evicted_q <= 1'b0;
            consumed_q <= 1'b0;
        end
    end

    // ---- two rows of the solver's choice: one slot each for ever, never the same ----------------------------------
    // Off as soon as a row is announced twice, or two rows get one slot: what the AAU's grants exclude
    // (formal_addr_alloc.v, distinct).
    localparam VALUE = 3 + SLOT_WIDTH;
    wire [ROW_INDEX_WIDTH - 1:0] row_a = $anyconst;
    wire [ROW_INDEX_WIDTH - 1:0] row_b = $anyconst;
    reg [4 * ROW_INDEX_WIDTH - 1:0] rows_of_q;                 // of names inside
    reg [4 * VALUE - 1:0]        values_q;                     // what the answer pipe would store
    reg                          broken_q = 1'b0, told_a_q = 1'b0;
    reg [SLOT_WIDTH - 1:0]       slot_a_q;                     // as it was answered
    wire [WORD - 1:0]            word_a  = words_q[row_a * WORD +: WORD];
    wire [WORD - 1:0]            word_b  = words_q[row_b * WORD +: WORD];
    wire [VALUE - 1:0]           own     = values_q[ready_id * VALUE +: VALUE];
    wire [ROW_INDEX_WIDTH - 1:0] left    = rows_of_q[ready_id * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH];
    wire                         left_ok = leave
                                           && (ready_wait ? result[SLOT_WIDTH +: 2] == 2'd0
                                                          : own[SLOT_WIDTH +: 3] == 3'd`MOEHUB_STATUS_OK);
    wire [SLOT_WIDTH - 1:0]      left_slot = ready_wait ? result[SLOT_WIDTH - 1:0] : own[SLOT_WIDTH - 1:0];
    wire                         announces_a = writes && key_row_index == row_a;
    wire                         announces_b = writes && key_row_index == row_b;
    always @(posedge clk) begin
        if (key_valid) rows_of_q[id * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH] <= key_row_index;
        if (value_valid) values_q[value_id * VALUE +: VALUE] <= {value_status, value_slot};
        if (announces_a && (word_a[SLOT_WIDTH] || (word_b[SLOT_WIDTH] && word_b[SLOT_WIDTH - 1:0] == key_slot))) broken_q <= 1'b1;
        if (announces_b && (word_b[SLOT_WIDTH] || (word_a[SLOT_WIDTH] && word_a[SLOT_WIDTH - 1:0] == key_slot))) broken_q <= 1'b1;
        if (left_ok && left == row_a) begin
            told_a_q <= 1'b1;
            slot_a_q <= left_slot;
        end
        if (rst) begin
            told_a_q <= 1'b0;
            broken_q <= initial_words[row_a * WORD +: WORD] == initial_words[row_b * WORD +: WORD]
                        && initial_words[row_a * WORD + SLOT_WIDTH];
        end
    end

    always @* if (started_q && !reset_q) begin
        one_slot:     assert (broken_q || !told_a_q || !left_ok || left != row_a || left_slot == slot_a_q);
        two_slots:    assert (broken_q || row_a == row_b || !told_a_q || !left_ok || left != row_b || left_slot != slot_a_q);
        right_answer: assert (!mine || (got_status == status_q && got_first == first_q
                                        && (status_q != 3'd`MOEHUB_STATUS_OK || got_slot == slot_q)));
        in_order:     assert (!mine || ahead_q == 3'd0);
        not_skipped:  assert (!marked_q || !leave || leave_port != ports_q[marked_id_q] || ahead_q != 3'd0 || mine);
        none_invented: assert (!ready_valid || inside_q[ready_id]);
        one_per_row:  assert (!start_valid || !same_row);
        entry_free:   assert (!start_valid || (start_entry < PENDING && !busy[start_entry]));
        in_time:      assert (age_q <= BOUND);
    end
    always @* begin
        fetched_again:  cover (mine && evicted_q && !first_q && status_q == 3'd`MOEHUB_STATUS_OK && ready_wait);
        joins_waiter:   cover (mine && ready_wait && ahead_q == 3'd0 && !first_q);
        told_again:     cover (!broken_q && told_a_q && left_ok && left == row_a && ready_wait && row_a != row_b);
        told_other:     cover (!broken_q && told_a_q && left_ok && left == row_b && row_a != row_b);
        hit:            cover (mine && !ready_wait && !first_q && status_q == 3'd`MOEHUB_STATUS_OK);
        starts_again:   cover (start_valid && evicted_q);
        leaves:         cover (mine);
    end
endmodule
`default_nettype wire
