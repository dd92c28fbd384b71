// SPDX-License-Identifier: Apache-2.0
// moehub_finalize as a function (engine theorem), against its specification, for every reachable state.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_arithmetic.vh"
module formal_finalize #(
    parameter MAX_CONTRIBUTORS = 64,
    parameter BINS             = 3,
    parameter ELEMENT          = 0,
    parameter OUT_FP32         = 0
) (
    input wire                                                     clk,
    input wire [`MOEHUB_STATE_WIDTH(BINS, MAX_CONTRIBUTORS) - 1:0] state,
    input wire [15:0]                                              x
);
`include "formal_state.vh"
    localparam [1:0] TYPE = ELEMENT;
    localparam       FP16 = ELEMENT == `MOEHUB_ELEMENT_FP16;

    wire [31:0] word, expected, word_of_x;
    wire        unused_valid, unused_valid_x;
    moehub_finalize #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS)) u_finalize (
        .clk(clk), .rst(1'b0), .enable(1'b1), .in_valid(1'b1), .in_element(TYPE), .in_out_fp32(OUT_FP32 != 0),
        .in_state(state), .out_valid(unused_valid), .out_word(word)
    );
    formal_finalize_specification #(
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .ELEMENT(ELEMENT), .OUT_FP32(OUT_FP32)
    ) u_specification (
        .state(state), .word(expected)
    );

    // One value in, the same value out.
    wire [STATE_WIDTH - 1:0] state_of_x;
    formal_add #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS), .ELEMENT(ELEMENT)) u_add (
        .clk(clk), .state({STATE_WIDTH{1'b0}}), .first(1'b1), .x(x), .sum(state_of_x)
    );
    moehub_finalize #(.MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .BINS(BINS)) u_finalize_x (
        .clk(clk), .rst(1'b0), .enable(1'b1), .in_valid(1'b1), .in_element(TYPE), .in_out_fp32(1'b0),
        .in_state(state_of_x), .out_valid(unused_valid_x), .out_word(word_of_x)
    );
    wire        nan  = FP16 ? &x[14:10] && |x[9:0] : &x[14:7] && |x[6:0];
    wire [15:0] same = nan ? (FP16 ? 16'h7e00 : 16'h7fc0) : x == 16'h8000 ? 16'h0000 : x;

    wire in      = reachable(state, MAX_CONTRIBUTORS);
    wire special = state[STATE_WIDTH - 1 -: 2] != 2'd0;

    always @* begin
        specification: assert (!in || word == expected);
        special_words: assert (!special || word == expected);
        same_value:    assert (word_of_x == {16'd0, same});
    end
    always @* begin
        large:      cover (in && !special && &state[STATE_WIDTH - 3 -: 5] == 1'b0 && state[BIN_WIDTH - 1:0] != 0
                           && state[STATE_WIDTH - 8 -: BIN_WIDTH] != 0);
        not_number: cover (state[STATE_WIDTH - 1 -: 2] == 2'd3);
        subnormal:  cover (x == 16'h8001);
    end
endmodule
`default_nettype wire
