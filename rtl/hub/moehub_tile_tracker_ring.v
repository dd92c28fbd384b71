// SPDX-License-Identifier: Apache-2.0
// Purpose: a ring of each context in one memory: what is pushed waits there for its turn.
// Contract:
//   1. What was pushed to a context is popped from it in that order, unchanged. The word is there three cycles after pop.
//   2. filled: of a context, something can be popped. It follows a push after two cycles, and a pop too: between two pops of a
//      context lie at least two cycles.
//   3. restart empties a context's ring; nothing is pushed to it or popped from it in that cycle.
//   4. A context's words lie from its `first` on. The user pushes no more words between two restarts than its range has.
//   5. level: words in all rings together, two cycles later.
// Cost: DEPTH words of WIDTH bits, two pointers a context. One push and one pop a cycle.
// Proved: formal/hub/formal_tile_tracker_ring.v
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
    localparam COUNT_WIDTH   = `MOEHUB_INDEX_WIDTH(DEPTH + 1);
    localparam LEVEL_WIDTH   = COUNT_WIDTH > 14 ? 17 : COUNT_WIDTH + 3; // contexts whose ranges overlap: up to 8 times DEPTH
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;

    // ---- pointers, relative to the context's first -------------------------------------------------------------------
    reg  [CONTEXTS * COUNT_WIDTH - 1:0] written_q;
    reg  [CONTEXTS * COUNT_WIDTH - 1:0] read_q;
    reg  [CONTEXTS * COUNT_WIDTH - 1:0] waiting_q;
    reg  [CONTEXTS - 1:0]               filled_q;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [2:0] NUMBER = c;
            wire [COUNT_WIDTH - 1:0] written = written_q[c * COUNT_WIDTH +: COUNT_WIDTH];
            wire [COUNT_WIDTH - 1:0] read    = read_q[c * COUNT_WIDTH +: COUNT_WIDTH];
            always @(posedge clk) begin
                if (push_valid && push_context == NUMBER) written_q[c * COUNT_WIDTH +: COUNT_WIDTH] <= written + COUNT_ONE;
                if (pop_valid && pop_context == NUMBER) read_q[c * COUNT_WIDTH +: COUNT_WIDTH] <= read + COUNT_ONE;
                waiting_q[c * COUNT_WIDTH +: COUNT_WIDTH] <= written - read;
                filled_q[c]                               <= written != read;
                if (rst || restart[c]) begin
                    written_q[c * COUNT_WIDTH +: COUNT_WIDTH] <= {COUNT_WIDTH{1'b0}};
                    read_q[c * COUNT_WIDTH +: COUNT_WIDTH]    <= {COUNT_WIDTH{1'b0}};
                    waiting_q[c * COUNT_WIDTH +: COUNT_WIDTH] <= {COUNT_WIDTH{1'b0}};
                    filled_q[c]                               <= 1'b0;
                end
            end
        end
    endgenerate
    assign filled = filled_q;

    reg  [LEVEL_WIDTH - 1:0] sum;
    reg  [LEVEL_WIDTH - 1:0] level_q;
    wire [17:0]              level_wide = {{18 - LEVEL_WIDTH{1'b0}}, level_q};
    integer i;
    always @* begin
        sum = {LEVEL_WIDTH{1'b0}};
        for (i = 0; i < CONTEXTS; i = i + 1)
            sum = sum + {{LEVEL_WIDTH - COUNT_WIDTH{1'b0}}, waiting_q[i * COUNT_WIDTH +: COUNT_WIDTH]};
    end
    assign level = level_wide[16:0];

    // ---- the memory, a cycle later ----------------------------------------------------------------------------------
    reg                        s1_push_valid_q;
    reg  [WIDTH - 1:0]         s1_push_word_q;
    reg  [ADDRESS_WIDTH - 1:0] s1_push_address_q;
    reg                        s1_pop_valid_q;
    reg  [ADDRESS_WIDTH - 1:0] s1_pop_address_q;
    wire [WIDTH - 1:0]         rdata;
    reg  [WIDTH - 1:0]         word_q;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] push_index = push_context[`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0];
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] pop_index  = pop_context[`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0];
    wire                       unused_parity;

    assign word = word_q;
    always @(posedge clk) begin
        s1_push_valid_q   <= push_valid;
        s1_push_word_q    <= push_word;
        s1_push_address_q <= firsts[push_index * 16 +: ADDRESS_WIDTH] + written_q[push_index * COUNT_WIDTH +: ADDRESS_WIDTH];
        s1_pop_valid_q    <= pop_valid;
        s1_pop_address_q  <= firsts[pop_index * 16 +: ADDRESS_WIDTH] + read_q[pop_index * COUNT_WIDTH +: ADDRESS_WIDTH];
        word_q            <= rdata;
        level_q           <= sum;
        if (rst) begin
            s1_push_valid_q <= 1'b0;
            s1_pop_valid_q  <= 1'b0;
            level_q         <= {LEVEL_WIDTH{1'b0}};
        end
    end

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_words (
        .clk(clk), .write_enable(s1_push_valid_q), .write_address(s1_push_address_q),
        .write_data(s1_push_word_q), .read_enable(s1_pop_valid_q && !rst),
        .read_address(s1_pop_address_q), .read_data(rdata), .parity_error(unused_parity)
    );

    wire unused = &{1'b0, push_context, pop_context, firsts, level_wide};
endmodule

`default_nettype wire
