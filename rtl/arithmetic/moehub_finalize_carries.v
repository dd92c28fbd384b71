// SPDX-License-Identifier: Apache-2.0
// Purpose: the bins of a state as one number: the sum of bin j * 2^(16 (BINS - 1 - j)).
// Contract: state_bins holds bin 0 uppermost, each BIN_WIDTH bits of two's complement; sum is exact where it fits, which is
//   the case for every state of moehub_accumulate.
// How: what a bin has above its 16 bits is small: all of that is one operand, the 16-bit words side by side are the other.
//   Signs need no extension: s is the unsigned number with its sign bit inverted, less 2^(bits - 1). These subtrahends are a
//   constant, the third operand.
// Cost: combinational, an adder without the low 16 bits behind one level of carry-save gates.
// Proved: formal/arithmetic/formal_finalize.v
`default_nettype none

module moehub_finalize_carries #(
    parameter BINS      = 3,
    parameter BIN_WIDTH = 23
) (
    input  wire [BINS * BIN_WIDTH - 1:0]            state_bins,
    output wire [16 * (BINS - 1) + BIN_WIDTH - 1:0] sum
);
    localparam OVER  = BIN_WIDTH - 16;      // bits of a bin above its word
    localparam UPPER = 16 * (BINS - 2) + BIN_WIDTH; // bits of the sum above the lowest word
    localparam [OVER - 1:0] SIGN  = 1 << (OVER - 1);

    reg [UPPER - 1:0] words;    // the top bin whole, of the others the low 16 bits
    reg [UPPER - 1:0] excess;   // what the bins below hold above their words, sign bits inverted
    reg [UPPER - 1:0] bias;     // a constant: what excess is too large by, negated
    integer         j;
    always @* begin
        words  = {UPPER{1'b0}};
        excess = {UPPER{1'b0}};
        bias   = {UPPER{1'b0}};
        for (j = 1; j < BINS; j = j + 1) begin // counted from the lowest; its word needs no adder
            words  = words | ({{(UPPER - 16){1'b0}}, state_bins[j * BIN_WIDTH +: 16]} << (16 * (j - 1)));
            excess = excess | ({{(UPPER - OVER){1'b0}}, state_bins[(j - 1) * BIN_WIDTH + 16 +: OVER] ^ SIGN} << (16 * (j - 1)));
            bias   = bias - ({{(UPPER - OVER){1'b0}}, SIGN} << (16 * (j - 1)));
        end
        words[UPPER - 1 -: OVER] = state_bins[BINS * BIN_WIDTH - 1 -: OVER];
    end

    wire [UPPER - 1:0] halves  = words ^ excess ^ bias;
    wire [UPPER - 1:0] carries = (words & excess) | (words & bias) | (excess & bias);
    assign sum                 = {halves + {carries[UPPER - 2:0], 1'b0}, state_bins[15:0]};

    wire unused = carries[UPPER - 1];
endmodule

`default_nettype wire
