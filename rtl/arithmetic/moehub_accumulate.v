// SPDX-License-Identifier: Apache-2.0
// Purpose: one lane of a reduction: adds an element to the stored state of its sum (rtl/doc/arithmetic.md).
// Contract:
//   1. Cycle 0 takes the element, cycle 1 the stored state (read data of a synchronous memory addressed in cycle 0),
//      cycle 2 gives the new state on out_state, to be written in that cycle.
//   2. in_first starts from the empty state; the stored state is then ignored.
//   3. in_forward 1 or 2 takes the state of the element accepted that many cycles ago instead of the memory's;
//      those are exactly the two that a read in cycle 0 misses when the memory returns the old word on a collision.
//   4. BYPASS = 0 ignores in_forward: legal only where no row recurs within two cycles.
// How: stage 1 cuts the element into pieces; stage 2 finds the window that state and element share, and moves both there, but
//   for a state of the previous cycle's element, which is moved behind it; what follows adds the bins.
//   Both loops, over the top bin (stage 2) and over the bins, are single-cycle, so that consecutive elements of one row leave
//   no bubble.
// Cost: one element a cycle, latency 2, no stall.
// Limits: out_state leaves an adder, not a register.
// Proved: formal/arithmetic/formal_accumulate.v, formal_accumulate_bypass.v, formal_add.v, formal_pipelines.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"

module moehub_accumulate #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0,
    parameter BYPASS           = 1
) (
    input  wire clk,
    input  wire rst,

    input  wire                                                     in_valid,
    input  wire [1:0]                                               in_element,
    input  wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0]                  in_x,
    input  wire                                                     in_first,
    input  wire [1:0]                                               in_forward,
    input  wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] state_rdata,

    output wire                                                     out_valid,
    output wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] out_state
);

    localparam BIN_WIDTH    = `MOEHUB_BIN_WIDTH(MAX_CONTRIBUTORS);
    localparam STATE_WIDTH  = `MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS);
    localparam BINS_WIDTH   = BINS * BIN_WIDTH;
    localparam WINDOW_WIDTH = WITH_FP32 != 0 ? 39 : 26;
    localparam PIECES       = WITH_FP32 != 0 ? 3 : 2;

    generate
        if (MAX_CONTRIBUTORS < 1 || MAX_CONTRIBUTORS > 1024) MAX_CONTRIBUTORS_must_be_1_to_1024 u_rule ();
        if (BINS < 2 || BINS > 4) BINS_must_be_2_to_4 u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
        if (BYPASS != 0 && BYPASS != 1) BYPASS_must_be_0_or_1 u_rule ();
    endgenerate

    // ---- stage 1: the element's pieces ---------------------------------------------------------
    wire                      sign;
    wire [1:0]                special;
    wire [4:0]                top;
    wire [WINDOW_WIDTH - 1:0] window;

    moehub_decompose #(.WITH_FP32(WITH_FP32)) u_decompose (
        .element(in_element), .x(in_x), .sign(sign), .special(special), .top(top), .window(window)
    );

    reg                      s1_valid_q;
    reg                      s1_first_q;
    reg                      s1_near_q;  // the state is that of the previous cycle's element
    reg                      s1_far_q;   // ... of the one before
    reg                      s1_sign_q;
    reg [1:0]                s1_special_q;
    reg [4:0]                s1_top_q;
    reg [WINDOW_WIDTH - 1:0] s1_window_q;

    always @(posedge clk) begin
        s1_valid_q   <= in_valid;
        s1_first_q   <= in_first;
        s1_near_q    <= (in_forward == 2'd1) && (BYPASS != 0);
        s1_far_q     <= (in_forward == 2'd2) && (BYPASS != 0);
        s1_sign_q    <= sign;
        s1_special_q <= special;
        s1_top_q     <= top;
        s1_window_q  <= window;
        if (rst) s1_valid_q <= 1'b0;
    end

    // ---- stage 2: the common window -------------------------------------------------------------
    reg                      s2_valid_q;
    reg [1:0]                s2_special_q;
    reg [4:0]                s2_top_q;
    reg [BINS - 1:0]         s2_near_shift_q;  // for the bins of the previous cycle's element

    wire [STATE_WIDTH - 1:0] previous_state;  // out_state of the previous cycle
    wire [STATE_WIDTH - 1:0] stored_state = s1_far_q ? previous_state : state_rdata;
    wire [6:0]               stored_head  = s1_first_q ? 7'd0
                                        : s1_near_q ? {s2_special_q, s2_top_q}
                                        : stored_state[STATE_WIDTH - 1 -: 7];
    wire [4:0]        new_top;
    wire [BINS - 1:0] state_shift;
    wire [BINS - 1:0] piece_shift;

    // An empty state may read as top 0 for every type: no element's top, a special's included, lies below its empty top.
    moehub_accumulate_align #(.BINS(BINS)) u_align (
        .stored_top(stored_head[4:0]), .element_top(s1_top_q),
        .new_top(new_top), .state_shift(state_shift), .piece_shift(piece_shift)
    );

    always @(posedge clk) begin
        s2_valid_q      <= s1_valid_q;
        s2_special_q    <= stored_head[6:5] | s1_special_q;
        s2_top_q        <= new_top;
        s2_near_shift_q <= (s1_first_q || !s1_near_q) ? {BINS{1'b0}} : state_shift;
        if (rst) s2_valid_q <= 1'b0;
    end

    // ---- stage 2 and what is behind it: the bins -------------------------------------------------------
    // Bin j counts from the top and sits at the upper end of the vector, as the pieces do.
    wire [BINS - 1:0]        stored_shift = (s1_first_q || s1_near_q) ? {BINS{1'b0}} : state_shift;
    wire [PIECES * 16 - 1:0] pieces       = // inverted if negative
        {s1_window_q ^ {WINDOW_WIDTH{s1_sign_q}}, {(PIECES * 16 - WINDOW_WIDTH){s1_sign_q}}};

    wire unused_pieces = &{1'b0, pieces};  // two bins do not use the third piece

    wire [BINS_WIDTH - 1:0] new_bins;

    genvar j;
    genvar s;
    generate
        for (j = 0; j < BINS; j = j + 1) begin : g_bin
            localparam HERE = j + 1;  // bins 0..j can move here
            localparam FALL = (HERE < PIECES) ? HERE : PIECES;
            localparam NEAR = (BYPASS != 0) ? HERE : 0;

            reg [BIN_WIDTH - 1:0] moved;
            reg [15:0]            fallen;
            reg [BIN_WIDTH - 1:0] s2_moved_q;
            reg [15:0]            s2_fallen_q;
            reg                   s2_minus_q;  // a piece of a negative element falls here
            integer               k;

            always @* begin
                moved  = {BIN_WIDTH{1'b0}};
                fallen = 16'd0;
                for (k = 0; k < HERE; k = k + 1)
                    moved = moved | (stored_state[(BINS - 1 - j + k) * BIN_WIDTH +: BIN_WIDTH] & {BIN_WIDTH{stored_shift[k]}});
                for (k = 0; k < FALL; k = k + 1)  // piece k, moved down by j - k
                    fallen = fallen | (pieces[(PIECES - 1 - k) * 16 +: 16] & {16{piece_shift[j - k]}});
            end

            always @(posedge clk) begin
                s2_moved_q  <= moved;
                s2_fallen_q <= fallen;
                s2_minus_q  <= s1_sign_q && |piece_shift[j -: FALL];
            end

            wire [(1 + NEAR) * BIN_WIDTH - 1:0] stored;
            wire [NEAR:0]                       stored_select;

            assign stored[BIN_WIDTH - 1:0] = s2_moved_q;
            assign stored_select[0]        = 1'b1; // all zeros where another one is selected
            for (s = 0; s < NEAR; s = s + 1) begin : g_near
                assign stored[(1 + s) * BIN_WIDTH +: BIN_WIDTH] = previous_state[(BINS - 1 - j + s) * BIN_WIDTH +: BIN_WIDTH];
                assign stored_select[1 + s]                     = s2_near_shift_q[s];
            end

            moehub_accumulate_bin #(.BIN_WIDTH(BIN_WIDTH), .SOURCES(1 + NEAR)) u_bin (
                .stored(stored), .stored_select(stored_select), .piece(s2_fallen_q), .minus(s2_minus_q),
                .sum(new_bins[(BINS - 1 - j) * BIN_WIDTH +: BIN_WIDTH])
            );
        end
    endgenerate

    assign out_valid = s2_valid_q;
    assign out_state = {s2_special_q, s2_top_q, new_bins};

    generate
        if (BYPASS != 0) begin : g_previous
            reg [STATE_WIDTH - 1:0] previous_q;
            always @(posedge clk) begin
                previous_q <= out_state;
            end
            assign previous_state = previous_q;
        end else begin : g_no_previous
            assign previous_state = {STATE_WIDTH{1'b0}};
            wire unused           = &{1'b0, in_forward, s2_near_shift_q};
        end
    endgenerate
endmodule

`default_nettype wire
