// SPDX-License-Identifier: Apache-2.0
// Purpose: what a lookup does with its line: takes a pending entry where a table operation is needed, waits where it must,
//   and holds the line states (mapped, unmapped, bad) and the pending table.
// Contract:
//   1. Lookups are taken in order. The head waits only while: a first's line, or a miss's victim, is pending; no pending entry
//      is free; or hold is high (the answer queue asks for a gap, at most one cycle in four).
//   2. An entry is *tied* to its line from take until the fill is written to the line, or the first's write has its B response.
//      A line has at most one tied entry; that is what "pending" means.
//   3. A request that waits for a fill names the entry (insert_wait, insert_entry). The entry is reused only after its result
//      was read by all of them (references), so the result memory keeps it. resolved[e]: the result of e is there.
//   4. payload_* is the oldest lookup's that was not taken; payload_take takes it. insert_* and value_* (status,
//      slot of a request that need not wait) come two cycles after take, in order.
//   5. First touches write the line memory in the cycle after take; fills use the other cycles. Nothing is forwarded: a line is
//      read after take, and while a fill is on its way to the line the entry is still tied, so readers wait for the entry instead.
// Cost: memory SETS * WAYS x (2 + SLOT_WIDTH); PENDING x (line + references + context + 4) flops and PENDING line comparators.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_al_pending #(
    parameter CONTEXTS        = 4,
    parameter CONTEXT_WIDTH   = 2,
    parameter EXPERT_WIDTH    = 6,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter LINES           = 512,
    parameter PENDING         = 64,
    parameter PORT_WIDTH      = 4,
    parameter ID_WIDTH        = 7,
    parameter WAITING         = 128
) (
    input  wire                                      clk,
    input  wire                                      rst,
    // lookups in order; the payload of the oldest one that has not been taken
    input  wire                                      lookup_valid,
    output wire                                      lookup_ready,
    input  wire                                      lookup_ok,
    input  wire                                      lookup_first,
    input  wire                                      lookup_miss,
    input  wire [`MOEHUB_INDEX_WIDTH(LINES) - 1:0]   lookup_line,
    input  wire [CONTEXT_WIDTH - 1:0]                lookup_context,
    output wire                                      payload_take,
    input  wire [ID_WIDTH - 1:0]                     payload_id,
    input  wire [PORT_WIDTH - 1:0]                   payload_port,
    input  wire [2:0]                                payload_status,
    input  wire [SLOT_WIDTH - 1:0]                   payload_value,
    input  wire [EXPERT_WIDTH - 1:0]                 payload_expert,
    input  wire [ROW_INDEX_WIDTH - 1:0]              payload_row_index,
    input  wire                                      hold,
    // a table operation for the walker
    output wire                                      start_valid,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] start_entry,
    output wire                                      start_first,
    output wire [SLOT_WIDTH - 1:0]                   start_value,
    output wire [CONTEXT_WIDTH - 1:0]                start_context,
    output wire [EXPERT_WIDTH - 1:0]                 start_expert,
    output wire [ROW_INDEX_WIDTH - 1:0]              start_row_index,
    // what the walker found: state 0 mapped, 1 unmapped, 2 bad
    input  wire                                      fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] fill_entry,
    input  wire [1:0]                                fill_state,
    input  wire [SLOT_WIDTH - 1:0]                   fill_slot,
    input  wire                                      written_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] written_entry,
    // to the answer queue and the answer pipe
    output wire                                      insert_valid,
    output wire [ID_WIDTH - 1:0]                     insert_id,
    output wire [PORT_WIDTH - 1:0]                   insert_port,
    output wire                                      insert_wait,
    output wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] insert_entry,
    output wire [2:0]                                value_status,
    output wire                                      value_first,
    output wire [SLOT_WIDTH - 1:0]                   value_slot,
    output wire [PENDING - 1:0]                      resolved,
    input  wire                                      consumed_valid, // one waiting request has read the result of consumed_entry
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0] consumed_entry,
    // status
    output wire [CONTEXTS - 1:0]                     in_flight,
    output wire [$clog2(PENDING + 1) - 1:0]          used,
    output wire                                      event_waited_line,
    output wire                                      event_waited_entry
);

    localparam ENTRY_WIDTH     = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam LINE_WIDTH      = `MOEHUB_INDEX_WIDTH(LINES);
    localparam REFERENCE_WIDTH = $clog2(WAITING + 1);
    localparam [REFERENCE_WIDTH - 1:0] REFERENCE_ONE = 1;
    localparam [1:0] STATE_MAPPED   = 2'd0;
    localparam [1:0] STATE_UNMAPPED = 2'd1;

    // ---- the pending table -----------------------------------------------------------------------------------------
    reg  [PENDING - 1:0]              active_q;   // given away
    reg  [PENDING - 1:0]              tied_q;     // its line is pending
    reg  [PENDING - 1:0]              fill_q;     // a read of a miss; else a first's read and write
    reg  [PENDING - 1:0]              resolved_q;
    wire [PENDING * LINE_WIDTH - 1:0] lines;
    wire [PENDING - 1:0]              idle;       // nobody refers to the result
    wire [PENDING - 1:0]              untie;      // this cycle ends the tie

    // ---- near: the second oldest lookup, whose line is looked up; head: the oldest, with the entry that its line is tied to ---
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

    wire                        entry_valid; // a free entry
    wire [ENTRY_WIDTH - 1:0]    entry_id;

    wire take = head_valid_q && !hold && (!head_need_q || (entry_valid && !head_blocked_q));
    wire load = near_valid_q && (!head_valid_q || take);
    assign lookup_ready = !near_valid_q || load;
    assign payload_take = take;

    assign event_waited_line  = head_valid_q && head_need_q && head_blocked_q;
    assign event_waited_entry = head_valid_q && head_need_q && !head_blocked_q && !entry_valid;

    // A hit waits when its line waits for a fill, not when it waits for a first's write.
    wire head_joins = head_lookup_q && !head_need_q && |(head_match_q & fill_q);

    wire [PENDING - 1:0] entry_onehot;
    wire [PENDING - 1:0] give = entry_onehot & {PENDING{take && head_need_q}};
    wire [PENDING - 1:0] joins = head_match_q & {PENDING{take && head_joins}};
    wire                 head_line_is_next = head_line_q == near_line_q;

    wire [PENDING - 1:0] next_match; // of the lookup that becomes head
    wire [PENDING - 1:0] kept_match = head_match_q & ~untie;

    genvar e;
    generate
        for (e = 0; e < PENDING; e = e + 1) begin : g_entry
            localparam [31:0] NAME = e;
            reg  [LINE_WIDTH - 1:0]      line_q;
            reg  [REFERENCE_WIDTH - 1:0] references_q;
            wire                         drop = consumed_valid && consumed_entry == NAME[ENTRY_WIDTH - 1:0];

            assign entry_onehot[e] = entry_id == NAME[ENTRY_WIDTH - 1:0];
            assign lines[e * LINE_WIDTH +: LINE_WIDTH] = line_q;
            assign idle[e] = references_q == {REFERENCE_WIDTH{1'b0}};
            assign next_match[e] = (tied_q[e] && !untie[e] && line_q == near_line_q)
                || (entry_onehot[e] && head_valid_q && head_need_q && head_line_is_next);

            always @(posedge clk) begin
                if (give[e]) line_q <= head_line_q;
                // The miss that takes an entry waits for it itself.
                if (give[e]) references_q <= head_first_q ? {REFERENCE_WIDTH{1'b0}} : REFERENCE_ONE;
                else if (joins[e] && !drop) references_q <= references_q + REFERENCE_ONE;
                else if (drop && !joins[e]) references_q <= references_q - REFERENCE_ONE;
                if (rst) references_q <= {REFERENCE_WIDTH{1'b0}};
            end
        end
    endgenerate

    // The head's match: what the pending table says about the line when the lookup becomes head, the entry given in that very
    // cycle included; after that only the end of the tie can change it.
    wire [PENDING - 1:0] match_d = load ? next_match & {PENDING{near_ok_q}} : kept_match;

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
    genvar b;
    generate
        for (b = 0; b < ENTRY_WIDTH; b = b + 1) begin : g_match_bit
            wire [PENDING - 1:0] member;
            for (e = 0; e < PENDING; e = e + 1) begin : g_member
                assign member[e] = head_match_q[e] && (e >> b) % 2 == 1;
            end
            assign match_entry[b] = |member;
        end
    endgenerate

    // ---- one cycle after take: the line memory and the walker --------------------------------------------------------
    reg                          taken_valid_q;
    reg                          taken_start_q;
    reg                          taken_first_q;
    reg                          taken_read_q; // the line's state gives the answer
    reg                          taken_wait_q;
    reg  [ENTRY_WIDTH - 1:0]     taken_entry_q;
    reg  [ID_WIDTH - 1:0]        taken_id_q;
    reg  [PORT_WIDTH - 1:0]      taken_port_q;
    reg  [2:0]                   taken_status_q;
    reg  [LINE_WIDTH - 1:0]      taken_line_q;
    reg  [SLOT_WIDTH - 1:0]      taken_value_q;
    reg  [CONTEXT_WIDTH - 1:0]   taken_context_q;
    reg  [EXPERT_WIDTH - 1:0]    taken_expert_q;
    reg  [ROW_INDEX_WIDTH - 1:0] taken_row_index_q;

    always @(posedge clk) begin
        taken_valid_q <= take;
        taken_start_q <= take && head_need_q;
        taken_first_q <= take && head_need_q && head_first_q;
        taken_read_q  <= take && head_lookup_q && !head_need_q && !head_joins;
        if (rst) begin
            taken_valid_q <= 1'b0;
            taken_start_q <= 1'b0;
            taken_first_q <= 1'b0;
            taken_read_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        taken_wait_q      <= head_need_q ? !head_first_q : head_joins;
        taken_entry_q     <= head_need_q ? entry_id : match_entry;
        taken_id_q        <= payload_id;
        taken_port_q      <= payload_port;
        taken_status_q    <= payload_status;
        taken_line_q      <= head_line_q;
        taken_value_q     <= payload_value;
        taken_context_q   <= head_context_q;
        taken_expert_q    <= payload_expert;
        taken_row_index_q <= payload_row_index;
    end

    assign start_valid     = taken_start_q;
    assign start_entry     = taken_entry_q;
    assign start_first     = taken_first_q;
    assign start_value     = taken_value_q;
    assign start_context   = taken_context_q;
    assign start_expert    = taken_expert_q;
    assign start_row_index = taken_row_index_q;

    // ---- fills on their way to their lines -----------------------------------------------------------------------------
    wire                    queued_valid;
    wire [ENTRY_WIDTH - 1:0] queued_entry;
    wire [1:0]              queued_state;
    wire [SLOT_WIDTH - 1:0] queued_slot;
    reg                     release_valid_q;
    reg  [PENDING - 1:0]    release_entry_q; // one-hot
    reg  [LINE_WIDTH - 1:0] release_line_q;
    reg  [1:0]              release_state_q;
    reg  [SLOT_WIDTH - 1:0] release_slot_q;

    wire release_now  = release_valid_q && !taken_first_q;
    wire release_load = queued_valid && (!release_valid_q || release_now);

    wire unused_fills_empty;
    moehub_memory_fifo #(.WIDTH(ENTRY_WIDTH + 2 + SLOT_WIDTH), .DEPTH(PENDING)) u_fills (
        .clk(clk), .rst(rst), .in_valid(fill_valid), .in_data({fill_entry, fill_state, fill_slot}),
        .out_valid(queued_valid), .out_ready(!release_valid_q || release_now), .out_data({queued_entry, queued_state, queued_slot}), .empty(unused_fills_empty)
    );

    wire [PENDING - 1:0] queued_onehot;
    wire [LINE_WIDTH - 1:0] queued_line = lines[queued_entry * LINE_WIDTH +: LINE_WIDTH];

    always @(posedge clk) begin
        release_valid_q <= release_load || (release_valid_q && !release_now);
        if (rst) release_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (release_load) begin
            release_entry_q <= queued_onehot;
            release_line_q  <= queued_line;
            release_state_q <= queued_state;
            release_slot_q  <= queued_slot;
        end
    end

    wire [PENDING - 1:0] written_onehot;
    wire [PENDING - 1:0] filled_onehot;
    generate
        for (e = 0; e < PENDING; e = e + 1) begin : g_decode
            localparam [31:0] NAME = e;
            assign queued_onehot[e]  = queued_entry == NAME[ENTRY_WIDTH - 1:0];
            assign written_onehot[e] = written_valid && written_entry == NAME[ENTRY_WIDTH - 1:0];
            assign filled_onehot[e]  = fill_valid && fill_entry == NAME[ENTRY_WIDTH - 1:0];
        end
    endgenerate
    assign untie = (release_entry_q & {PENDING{release_now}}) | written_onehot;

    // ---- entries go back once nobody refers to them: the lowest such, one a cycle -----------------------------------------
    localparam [PENDING - 1:0] ONE = 1;
    wire [PENDING - 1:0]    done = active_q & ~tied_q & idle;
    wire [PENDING - 1:0]    back = done & (~done + ONE);
    reg                     back_valid_q;
    reg  [ENTRY_WIDTH - 1:0] back_entry_q;
    wire [ENTRY_WIDTH - 1:0] back_entry;
    generate
        for (b = 0; b < ENTRY_WIDTH; b = b + 1) begin : g_back_bit
            wire [PENDING - 1:0] member;
            for (e = 0; e < PENDING; e = e + 1) begin : g_member
                assign member[e] = back[e] && (e >> b) % 2 == 1;
            end
            assign back_entry[b] = |member;
        end
    endgenerate

    wire unused_next_valid;
    moehub_free_list #(.ENTRIES(PENDING)) u_free (
        .clk(clk), .rst(rst), .valid(entry_valid), .next_valid(unused_next_valid), .id(entry_id), .take(take && head_need_q),
        .put_valid(back_valid_q), .put_id(back_entry_q), .used(used)
    );

    always @(posedge clk) begin
        active_q     <= (active_q & ~back) | give;
        tied_q       <= (tied_q & ~untie) | give;
        resolved_q   <= (resolved_q & ~give) | filled_onehot;
        fill_q       <= head_first_q ? fill_q & ~give : fill_q | give;
        back_valid_q <= |done;
        back_entry_q <= back_entry;
        if (rst) begin
            active_q     <= {PENDING{1'b0}};
            tied_q       <= {PENDING{1'b0}};
            resolved_q   <= {PENDING{1'b0}};
            back_valid_q <= 1'b0;
        end
    end
    assign resolved = resolved_q;

    // ---- two cycles after take: the line's state is here -------------------------------------------------------------------
    reg                     insert_valid_q;
    reg                     insert_read_q;
    reg                     insert_first_q;
    reg                     insert_wait_q;
    reg  [ENTRY_WIDTH - 1:0] insert_entry_q;
    reg  [ID_WIDTH - 1:0]   insert_id_q;
    reg  [PORT_WIDTH - 1:0] insert_port_q;
    reg  [2:0]              insert_status_q;
    reg  [SLOT_WIDTH - 1:0] insert_slot_q;
    wire [1:0]              line_state;
    wire [SLOT_WIDTH - 1:0] line_slot;

    wire unused_parity_error;
    moehub_memory_1r1w #(.WIDTH(2 + SLOT_WIDTH), .DEPTH(LINES)) u_lines (
        .clk(clk), .write_enable(taken_first_q || release_now),
        .write_address(taken_first_q ? taken_line_q : release_line_q),
        .write_data(taken_first_q ? {STATE_MAPPED, taken_value_q} : {release_state_q, release_slot_q}),
        .read_enable(taken_read_q && !rst), .read_address(taken_line_q), .read_data({line_state, line_slot}),
        .parity_error(unused_parity_error)
    );

    always @(posedge clk) begin
        insert_valid_q <= taken_valid_q;
        if (rst) insert_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        insert_read_q   <= taken_read_q;
        insert_first_q  <= taken_first_q;
        insert_wait_q   <= taken_wait_q;
        insert_entry_q  <= taken_entry_q;
        insert_id_q     <= taken_id_q;
        insert_port_q   <= taken_port_q;
        insert_status_q <= taken_status_q;
        insert_slot_q   <= taken_value_q;
    end

    assign insert_valid = insert_valid_q;
    assign insert_id    = insert_id_q;
    assign insert_port  = insert_port_q;
    assign insert_wait  = insert_wait_q;
    assign insert_entry = insert_entry_q;
    assign value_first  = insert_first_q;
    assign value_slot   = insert_read_q ? line_slot : insert_slot_q;
    assign value_status = !insert_read_q              ? insert_status_q
                        : line_state == STATE_MAPPED   ? 3'd`MOEHUB_STATUS_OK
                        : line_state == STATE_UNMAPPED ? 3'd`MOEHUB_STATUS_UNMAPPED : 3'd`MOEHUB_STATUS_MEMORY;

    // ---- table operations in flight, per context ------------------------------------------------------------------------------
    // A fill that has arrived and not yet reached its line is no longer in flight: whoever needs the line meets its tie.
    wire [PENDING - 1:0] unanswered = tied_q & ~(fill_q & resolved_q);
    genvar c;
    reg [PENDING * CONTEXT_WIDTH - 1:0] contexts_q;
    generate
        for (e = 0; e < PENDING; e = e + 1) begin : g_context
            always @(posedge clk) if (give[e]) contexts_q[e * CONTEXT_WIDTH +: CONTEXT_WIDTH] <= head_context_q;
        end
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_in_flight
            localparam [31:0] NAME = c;
            wire [PENDING - 1:0] member;
            for (e = 0; e < PENDING; e = e + 1) begin : g_member
                assign member[e] = unanswered[e] && contexts_q[e * CONTEXT_WIDTH +: CONTEXT_WIDTH] == NAME[CONTEXT_WIDTH - 1:0];
            end
            assign in_flight[c] = |member;
        end
    endgenerate
endmodule

`default_nettype wire
