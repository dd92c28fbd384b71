// SPDX-License-Identifier: Apache-2.0
// Purpose: a ring of each context in one memory: what is pushed waits there for its turn.
// Contract:
//   1. What was pushed to a context is popped from it in that order, unchanged. The word is there three cycles after pop.
//   2. filled: of a context, something can be popped: from the cycle after its push on.
//   3. restart empties a context's ring; nothing is pushed to it or popped from it in that cycle.
//   4. A context's words lie from its `first` on. The user pushes no more words between two restarts than its range has.
//   5. level: words in all rings together.
// Cost: DEPTH words of WIDTH bits, two pointers a context. One push and one pop a cycle.
`default_nettype none
`include "moehub_width.vh"

module moehub_tile_tracker_ring #(
    parameter CONTEXTS = 4, // 1..8
    parameter DEPTH    = 16, // 1..65536
    parameter WIDTH    = 18 // 1..
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [CONTEXTS * 16 - 1:0] firsts,
    input  wire [CONTEXTS - 1:0]      restart,
    input  wire                       push_valid,
    input  wire [2:0]                 push_context,
    input  wire [WIDTH - 1:0]         push_word,
    input  wire                       pop_valid,
    input  wire [2:0]                 pop_context,
    output wire [WIDTH - 1:0]         word,
    output wire [CONTEXTS - 1:0]      filled,
    output wire [16:0]                level
);
    localparam ADDRESS_WIDTH = `MOEHUB_INDEX_WIDTH(DEPTH);

    reg  [CONTEXTS * 17 - 1:0] written_q;
    reg  [CONTEXTS * 17 - 1:0] read_q;
    wire [CONTEXTS * 17 - 1:0] waiting;

    // ---- pointers, relative to the context's first -------------------------------------------------------------------
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [2:0] NUMBER = c;
            assign waiting[c * 17 +: 17] = written_q[c * 17 +: 17] - read_q[c * 17 +: 17];
            assign filled[c] = waiting[c * 17 +: 17] != 17'd0;
            always @(posedge clk) begin
                if (push_valid && push_context == NUMBER) written_q[c * 17 +: 17] <= written_q[c * 17 +: 17] + 17'd1;
                if (pop_valid && pop_context == NUMBER) read_q[c * 17 +: 17] <= read_q[c * 17 +: 17] + 17'd1;
                if (rst || restart[c]) begin
                    written_q[c * 17 +: 17] <= 17'd0;
                    read_q[c * 17 +: 17]    <= 17'd0;
                end
            end
        end
    endgenerate

    reg  [16:0] sum;
    reg  [16:0] level_q;
    integer i;
    always @* begin
        sum = 17'd0;
        for (i = 0; i < CONTEXTS; i = i + 1) sum = sum + waiting[i * 17 +: 17];
    end
    assign level = level_q;

    // ---- the memory, a cycle later ----------------------------------------------------------------------------------
    reg                        s1_push_valid_q;
    reg  [WIDTH - 1:0]         s1_push_word_q;
    reg  [16:0]                s1_push_address_q;
    reg                        s1_pop_valid_q;
    reg  [16:0]                s1_pop_address_q;
    wire [WIDTH - 1:0]         rdata;
    reg  [WIDTH - 1:0]         word_q;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] push_index = push_context[`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0];
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] pop_index  = pop_context[`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0];
    wire                       unused_parity;

    assign word = word_q;
    always @(posedge clk) begin
        s1_push_valid_q   <= push_valid;
        s1_push_word_q    <= push_word;
        s1_push_address_q <= {1'b0, firsts[push_index * 16 +: 16]} + written_q[push_index * 17 +: 17];
        s1_pop_valid_q    <= pop_valid;
        s1_pop_address_q  <= {1'b0, firsts[pop_index * 16 +: 16]} + read_q[pop_index * 17 +: 17];
        word_q            <= rdata;
        level_q           <= sum;
        if (rst) begin
            s1_push_valid_q <= 1'b0;
            s1_pop_valid_q  <= 1'b0;
            level_q         <= 17'd0;
        end
    end

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_words (
        .clk(clk), .write_enable(s1_push_valid_q), .write_address(s1_push_address_q[ADDRESS_WIDTH - 1:0]),
        .write_data(s1_push_word_q), .read_enable(s1_pop_valid_q && !rst),
        .read_address(s1_pop_address_q[ADDRESS_WIDTH - 1:0]), .read_data(rdata), .parity_error(unused_parity)
    );

    wire unused = &{1'b0, push_context, pop_context, s1_push_address_q, s1_pop_address_q};
endmodule

`default_nettype wire
