// SPDX-License-Identifier: Apache-2.0
// moehub_accumulate as a function (engine theorem: its registers are wires; BYPASS 0 has no feedback).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
module formal_accumulate #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter WITH_FP32        = 0, // 1: the lane takes fp32 too
    parameter ELEMENT          = 0  // MOEHUB_ELEMENT_BF16, _FP16 or, with WITH_FP32, _FP32
) (
    input wire                                                    clk,
    input wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] state,
    input wire                                                    first,
    input wire [10:0]                                             elements, // added so far
    input wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0]                a,
    input wire [(WITH_FP32 != 0 ? 32 : 16) - 1:0]                b
);
`include "formal_state.vh"
    wire [STATE_WIDTH - 1:0] with_a, with_b, a_then_b, b_then_a;
    formal_add #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .ELEMENT(ELEMENT)) u_a (
        .clk(clk), .state(state), .first(first), .x(a), .sum(with_a)
    );
    formal_add #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .ELEMENT(ELEMENT)) u_b (
        .clk(clk), .state(state), .first(first), .x(b), .sum(with_b)
    );
    formal_add #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .ELEMENT(ELEMENT)) u_ab (
        .clk(clk), .state(with_a), .first(1'b0), .x(b), .sum(a_then_b)
    );
    formal_add #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .WITH_FP32(WITH_FP32), .ELEMENT(ELEMENT)) u_ba (
        .clk(clk), .state(with_b), .first(1'b0), .x(a), .sum(b_then_a)
    );

    // What a is, from its bits.
    wire [31:0] wide    = a;
    wire       sign_32  = wide[31];
    wire [7:0] exponent_32  = wide[30:23];
    wire [22:0] fraction_32 = wide[22:0];
    wire       full     = ELEMENT == `MOEHUB_ELEMENT_FP32 ? &exponent_32 : ELEMENT == `MOEHUB_ELEMENT_FP16 ? &a[14:10] : &a[14:7];
    wire       fraction = ELEMENT == `MOEHUB_ELEMENT_FP32 ? |fraction_32 : ELEMENT == `MOEHUB_ELEMENT_FP16 ? |a[9:0] : |a[6:0];
    wire       sign     = ELEMENT == `MOEHUB_ELEMENT_FP32 ? sign_32 : a[15];
    wire [1:0] code     = !full ? 2'd`MOEHUB_SPECIAL_NONE : fraction ? 2'd`MOEHUB_SPECIAL_NAN
                        : sign ? 2'd`MOEHUB_SPECIAL_MINUS_INFINITY : 2'd`MOEHUB_SPECIAL_PLUS_INFINITY;
    wire [1:0] before   = first ? 2'd0 : state[STATE_WIDTH - 1 -: 2];

    wire legal = state[STATE_WIDTH - 3 -: 5] <= LAST_TOP;
    wire in    = reachable(state, elements) && elements < MAX_CONTRIBUTORS;
    wire zero  = a[14:0] == 15'd0;

    // Some bin holds more than all elements but one can leave there.
    reg fullest;
    integer k;
    always @* begin
        fullest = 0;
        for (k = 0; k < BINS; k = k + 1)
            if (!with_a[k * BIN_WIDTH + BIN_WIDTH - 1])
                fullest = fullest || with_a[k * BIN_WIDTH +: BIN_WIDTH] > 65535 * (MAX_CONTRIBUTORS - 1);
    end
    always @* begin
        // More than is reachable: whatever the bins hold.
        order:           assert (!legal || a_then_b == b_then_a);
        stays_reachable: assert (!(in || (first && elements == 11'd0)) || reachable(with_a, elements + 11'd1));
        specials:        assert (!legal || with_a[STATE_WIDTH - 1 -: 2] == (before | code));
        special_alone:   assert (!(in && !first && (full || zero)) || with_a[STATE_WIDTH - 3:0] == state[STATE_WIDTH - 3:0]);
        empty:           assert (!(first && (full || zero)) || with_a[STATE_WIDTH - 3:0] == {(STATE_WIDTH - 2){1'b0}});
    end
    always @* begin
        window_moves: cover (legal && with_a[STATE_WIDTH - 3 -: 5] == LAST_TOP && with_b[STATE_WIDTH - 3 -: 5] <= 5'd1);
        last_element: cover (in && elements == MAX_CONTRIBUTORS - 1 && fullest);
        both:         cover (in && !first && with_a[STATE_WIDTH - 1 -: 2] == 2'd3 && code == 2'd1);
        drops_none:   cover (in && !first && full && |state[BIN_WIDTH - 1:0]);
        starts:       cover (first && full);
    end
endmodule
`default_nettype wire
