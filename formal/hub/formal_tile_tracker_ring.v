// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_ring: what was pushed to a context comes out of it in that order, unchanged, three cycles after its pop;
// filled and level tell of two cycles ago; no context's word takes another's place.
`default_nettype none
module formal_tile_tracker_ring #(
    parameter CONTEXTS = 2,
    parameter DEPTH    = 3,
    parameter WIDTH    = 2
) (
    input wire                  clk,
    input wire                  rst,
    input wire [CONTEXTS - 1:0] restart,
    input wire                  push_valid,
    input wire [2:0]            push_context,
    input wire [WIDTH - 1:0]    push_word,
    input wire                  pop_valid,
    input wire [2:0]            pop_context
);
`include "formal_reset.vh"
    // Ranges that do not overlap.
    (* anyconst *) wire [CONTEXTS * 16 - 1:0] firsts;
    (* anyconst *) wire [CONTEXTS * 17 - 1:0] counts;
    integer c, d;
    always @* for (c = 0; c < CONTEXTS; c = c + 1) begin
        assume (firsts[c * 16 +: 16] <= DEPTH && counts[c * 17 +: 17] <= DEPTH);
        assume ({2'd0, firsts[c * 16 +: 16]} + {1'b0, counts[c * 17 +: 17]} <= DEPTH);
        for (d = 0; d < CONTEXTS; d = d + 1) if (d != c)
            assume ({2'd0, firsts[c * 16 +: 16]} + {1'b0, counts[c * 17 +: 17]} <= firsts[d * 16 +: 16]
                || {2'd0, firsts[d * 16 +: 16]} + {1'b0, counts[d * 17 +: 17]} <= firsts[c * 16 +: 16]);
    end

    wire [WIDTH - 1:0]    word;
    wire [CONTEXTS - 1:0] filled;
    wire [16:0]           level;
    moehub_tile_tracker_ring #(.CONTEXTS(CONTEXTS), .DEPTH(DEPTH), .WIDTH(WIDTH)) u_ring (
        .clk(clk), .rst(rst), .firsts(firsts), .restart(restart), .push_valid(push_valid), .push_context(push_context),
        .push_word(push_word), .pop_valid(pop_valid), .pop_context(pop_context), .word(word), .filled(filled), .level(level)
    );

    // ---- words since the last restart, and the user's duties -------------------------------------------------------------
    reg [CONTEXTS * 16 - 1:0] pushed_q = {CONTEXTS{16'd0}};
    reg [CONTEXTS * 16 - 1:0] popped_q = {CONTEXTS{16'd0}};
    reg                       pop_valid_q   = 1'b0;
    reg [2:0]                 pop_context_q = 3'd0;
    always @* begin
        assume (!(rst && (push_valid || pop_valid)));
        assume (!push_valid || (push_context < CONTEXTS && !restart[push_context]));
        assume (!push_valid || pushed_q[push_context * 16 +: 16] < counts[push_context * 17 +: 17]);
        assume (!pop_valid || (pop_context < CONTEXTS && !restart[pop_context]));
        assume (!pop_valid || filled[pop_context]);
        assume (!(pop_valid && pop_valid_q && pop_context == pop_context_q));
    end
    always @(posedge clk) begin
        pop_valid_q   <= pop_valid;
        pop_context_q <= pop_context;
        for (c = 0; c < CONTEXTS; c = c + 1) begin
            if (push_valid && push_context == c) pushed_q[c * 16 +: 16] <= pushed_q[c * 16 +: 16] + 16'd1;
            if (pop_valid && pop_context == c) popped_q[c * 16 +: 16] <= popped_q[c * 16 +: 16] + 16'd1;
            if (rst || restart[c]) begin
                pushed_q[c * 16 +: 16] <= 16'd0;
                popped_q[c * 16 +: 16] <= 16'd0;
            end
        end
    end

    // ---- a word of the solver's choice -----------------------------------------------------------------------------------
    (* anyconst *) wire [2:0]  its_context;
    (* anyconst *) wire [15:0] its_number;
    reg  [WIDTH - 1:0] its_word_q;
    reg  [2:0]         its_pop_q  = 3'd0;               // it was popped one, two, three cycles ago
    reg  [WIDTH - 1:0] its_word_2_q;
    reg  [WIDTH - 1:0] its_word_3_q;
    wire its_push = push_valid && push_context == its_context && pushed_q[its_context * 16 +: 16] == its_number;
    wire its_pop  = pop_valid && pop_context == its_context && popped_q[its_context * 16 +: 16] == its_number;
    reg  [WIDTH - 1:0] its_word_4_q;
    always @(posedge clk) begin
        if (its_push) its_word_q <= push_word;
        its_pop_q    <= {its_pop_q[1:0], its_pop} & {3{!rst}};
        its_word_2_q <= its_word_q;
        its_word_3_q <= its_word_2_q;
        its_word_4_q <= its_word_3_q;
    end

    // ---- filled, level ---------------------------------------------------------------------------------------------------
    reg [CONTEXTS - 1:0] filled_q = {CONTEXTS{1'b0}};
    reg [17:0]           level_1_q = 18'd0;
    reg [17:0]           level_2_q = 18'd0;
    reg [17:0]           all;
    always @* begin
        all = 18'd0;
        for (c = 0; c < CONTEXTS; c = c + 1)
            if (!restart[c]) all = all + {2'd0, pushed_q[c * 16 +: 16]} - {2'd0, popped_q[c * 16 +: 16]};
    end
    always @(posedge clk) begin
        for (c = 0; c < CONTEXTS; c = c + 1)
            filled_q[c] <= !rst && !restart[c] && pushed_q[c * 16 +: 16] != popped_q[c * 16 +: 16];
        level_1_q <= rst ? 18'd0 : all;
        level_2_q <= rst ? 18'd0 : level_1_q;
    end

    always @* if (started_q) begin
        as_pushed:   assert (!its_pop_q[2] || word == its_word_4_q);
        filled_then: assert (filled == filled_q);
        is_level:    assert ({1'b0, level} == level_2_q);
    end
    always @* begin
        third:   cover (started_q && its_pop_q[2] && its_number == 16'd1 && firsts[its_context * 16 +: 16] == 16'd1);
        all_full: cover (started_q && level == DEPTH && (&filled));
    end
endmodule
`default_nettype wire
