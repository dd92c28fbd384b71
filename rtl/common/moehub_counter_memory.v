// SPDX-License-Identifier: Apache-2.0
// Purpose: EVENTS wrapping counters in memories, which are read as one consistent set.
// Contract:
//   1. Counter i advances by one for every cycle in which events[i] is high.
//   2. snapshot copies all counters as they are at one clock edge, the events of that cycle not yet included. snapshot_done is
//      high EVENTS + 8 cycles later, for one cycle; the next snapshot comes with it or after it.
//   3. value is the copy of counter `index` of the cycle before, if that was snapshot_done's or a later one, up to the next
//      snapshot's. It is 0 before the first snapshot_done after reset, and for index >= EVENTS.
//   4. Reset clears all counters.
// How: each counter has a small part of its own, which counts the events of a round. All are visited in turn, one a cycle: the
//   part is added to the counter's word and begins again. A snapshot copies the parts; in the round that follows each copy is
//   written: word as it was before the visit, and copied part. A word is not read before it is written: a round has four visits
//   at least. In the first round after reset words count as 0.
// Cost: 2 * EVENTS * WIDTH memory bits; 2 * EVENTS * ceil(log2 (EVENTS + 1)) + 3 * WIDTH flops and two adders.
// Proved: formal/common/formal_counter_memory.v
`default_nettype none
`include "moehub_width.vh"

module moehub_counter_memory #(
    parameter EVENTS = 39, // 1..64
    parameter WIDTH  = 48  // 7..64 bits of a counter
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [EVENTS - 1:0]                      events,
    input  wire                                     snapshot,
    output wire                                     snapshot_done,
    input  wire [`MOEHUB_INDEX_WIDTH(EVENTS) - 1:0] index,
    output wire [WIDTH - 1:0]                       value
);
    generate
        if (EVENTS < 1 || EVENTS > 64) EVENTS_must_be_1_to_64 u_rule ();
        if (WIDTH < 7 || WIDTH > 64) WIDTH_must_be_7_to_64 u_rule ();
    endgenerate

    localparam INDEX_WIDTH = `MOEHUB_INDEX_WIDTH(EVENTS);
    localparam ROUND       = EVENTS > 4 ? EVENTS : 4;
    localparam PLACE_WIDTH = $clog2(ROUND);
    localparam PART_WIDTH  = $clog2(ROUND + 1); // a part counts each cycle of a round
    localparam WAIT_WIDTH  = 7;
    localparam [31:0] LAST = ROUND - 1;
    localparam [31:0] DONE = EVENTS + 8;
    localparam [31:0] REST = EVENTS + 7 - ROUND; // of the wait for snapshot_done, when all are visited
    localparam [31:0] COUNT = EVENTS;
    localparam [PLACE_WIDTH - 1:0] PLACE_ONE = 1;
    localparam [WAIT_WIDTH - 1:0]  WAIT_ONE  = 1;

    // ---- visits ----------------------------------------------------------------------------------------------------------
    reg [PLACE_WIDTH - 1:0] visit_q;
    reg                     first_round_q; // since reset
    reg [WAIT_WIDTH - 1:0]  wait_q;        // cycles until snapshot_done; 0: no snapshot is under way
    reg                     done_q;
    reg                     copied_q;      // there was a snapshot since reset

    wire round_ends = visit_q == LAST[PLACE_WIDTH - 1:0];
    wire copying    = wait_q > REST[WAIT_WIDTH - 1:0];
    wire last_wait  = wait_q == WAIT_ONE;

    assign snapshot_done = done_q;

    always @(posedge clk) begin
        visit_q <= round_ends ? {PLACE_WIDTH{1'b0}} : visit_q + PLACE_ONE;
        if (round_ends) first_round_q <= 1'b0;
        if (snapshot) wait_q <= DONE[WAIT_WIDTH - 1:0] - WAIT_ONE;
        else if (wait_q != {WAIT_WIDTH{1'b0}}) wait_q <= wait_q - WAIT_ONE;
        done_q <= last_wait && !snapshot;
        if (last_wait) copied_q <= 1'b1;
        if (rst) begin
            visit_q       <= {PLACE_WIDTH{1'b0}};
            first_round_q <= 1'b1;
            wait_q        <= {WAIT_WIDTH{1'b0}};
            done_q        <= 1'b0;
            copied_q      <= 1'b0;
        end
    end

    // ---- parts: a power of two of them, so that the visit's number chooses one; the upper ones are empty -----------------
    localparam PLACES = 1 << PLACE_WIDTH;

    wire [PLACES * PART_WIDTH - 1:0] parts;
    wire [PLACES * PART_WIDTH - 1:0] copied_parts;

    genvar i;
    generate
        for (i = 0; i < PLACES; i = i + 1) begin : g_place
            if (i < EVENTS) begin : g_event
                reg [PART_WIDTH - 1:0] part_q;
                reg [PART_WIDTH - 1:0] copied_part_q;

                wire                    visited = visit_q == i;
                wire [PART_WIDTH - 1:0] event_i = {{(PART_WIDTH - 1){1'b0}}, events[i]};

                always @(posedge clk) begin
                    part_q <= visited ? event_i : part_q + event_i;
                    // What is visited in this cycle is on its way to the word.
                    if (snapshot) copied_part_q <= visited ? {PART_WIDTH{1'b0}} : part_q;
                    if (rst) part_q <= {PART_WIDTH{1'b0}};
                end
                assign parts[i * PART_WIDTH +: PART_WIDTH]        = part_q;
                assign copied_parts[i * PART_WIDTH +: PART_WIDTH] = copied_part_q;
            end else begin : g_none
                assign parts[i * PART_WIDTH +: PART_WIDTH]        = {PART_WIDTH{1'b0}};
                assign copied_parts[i * PART_WIDTH +: PART_WIDTH] = {PART_WIDTH{1'b0}};
            end
        end
    endgenerate

    // ---- a visit: word and parts are read, then added, then written ------------------------------------------------------
    wire                     visits = {{(32 - PLACE_WIDTH){1'b0}}, visit_q} < COUNT;
    wire [INDEX_WIDTH - 1:0] visit_index = visit_q[INDEX_WIDTH - 1:0]; // a counter's, while `visits`
    wire [WIDTH - 1:0]       rdata;

    reg                     s1_valid_q;
    reg                     s1_copying_q;
    reg                     s1_first_q;
    reg [INDEX_WIDTH - 1:0] s1_index_q;
    reg [PART_WIDTH - 1:0]  s1_part_q;
    reg [PART_WIDTH - 1:0]  s1_copied_part_q;
    reg                     s2_valid_q;
    reg                     s2_copying_q;
    reg [INDEX_WIDTH - 1:0] s2_index_q;
    reg [PART_WIDTH - 1:0]  s2_part_q;
    reg [PART_WIDTH - 1:0]  s2_copied_part_q;
    reg [WIDTH - 1:0]       s2_word_q;
    reg                     s3_valid_q;
    reg                     s3_copying_q;
    reg [INDEX_WIDTH - 1:0] s3_index_q;
    reg [WIDTH - 1:0]       s3_word_q;
    reg [WIDTH - 1:0]       s3_copy_q;

    always @(posedge clk) begin
        s1_valid_q       <= visits;
        s1_copying_q     <= copying;
        s1_first_q       <= first_round_q;
        s1_index_q       <= visit_index;
        s1_part_q        <= parts[visit_q * PART_WIDTH +: PART_WIDTH];
        s1_copied_part_q <= copied_parts[visit_q * PART_WIDTH +: PART_WIDTH];
        s2_valid_q       <= s1_valid_q;
        s2_copying_q     <= s1_copying_q;
        s2_index_q       <= s1_index_q;
        s2_part_q        <= s1_part_q;
        s2_copied_part_q <= s1_copied_part_q;
        s2_word_q        <= s1_first_q ? {WIDTH{1'b0}} : rdata;
        s3_valid_q       <= s2_valid_q;
        s3_copying_q     <= s2_copying_q;
        s3_index_q       <= s2_index_q;
        s3_word_q        <= s2_word_q + {{(WIDTH - PART_WIDTH){1'b0}}, s2_part_q};
        s3_copy_q        <= s2_word_q + {{(WIDTH - PART_WIDTH){1'b0}}, s2_copied_part_q};
        if (rst) begin
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
            s3_valid_q <= 1'b0;
        end
    end

    wire unused_words_parity;
    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(EVENTS)) u_words (
        .clk(clk), .write_enable(s3_valid_q), .write_address(s3_index_q), .write_data(s3_word_q),
        .read_enable(visits && !rst), .read_address(visit_index), .read_data(rdata), .parity_error(unused_words_parity)
    );

    // ---- copies ----------------------------------------------------------------------------------------------------------
    wire               there = {{(32 - INDEX_WIDTH){1'b0}}, index} < COUNT;
    reg                there_q;
    wire [WIDTH - 1:0] copy_rdata;
    wire               unused_copies_parity;

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(EVENTS)) u_copies (
        .clk(clk), .write_enable(s3_valid_q && s3_copying_q), .write_address(s3_index_q), .write_data(s3_copy_q),
        .read_enable(there && !rst), .read_address(index), .read_data(copy_rdata), .parity_error(unused_copies_parity)
    );

    always @(posedge clk) begin
        there_q <= there && copied_q;
        if (rst) there_q <= 1'b0;
    end

    assign value = there_q ? copy_rdata : {WIDTH{1'b0}};
endmodule

`default_nettype wire
