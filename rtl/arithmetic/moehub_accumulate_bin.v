// SPDX-License-Identifier: Apache-2.0
// Purpose: the new value of one bin: the stored bin that moves here, plus or minus the piece that falls here.
// Contract: sum = the OR of the stored bins whose stored_select bit is high, of which one at most is not 0, plus the piece, or,
//   with minus, minus it: then it comes inverted. No carry leaves the bin: its width makes overflow impossible.
// How: above 16 bits the addend is all zeros or all ones: the bits there stay, or go one up, or with minus one down, as the
//   adder's carry says.
// Cost: combinational, a 16-bit adder behind AND-OR selects.
// Proved: formal/arithmetic/formal_accumulate.v
`default_nettype none

module moehub_accumulate_bin #(
    parameter BIN_WIDTH = 23,
    parameter SOURCES   = 1   // stored bins that can move here
) (
    input  wire [SOURCES * BIN_WIDTH - 1:0] stored,
    input  wire [SOURCES - 1:0]             stored_select,
    input  wire [15:0]                      piece,
    input  wire                             minus,
    output wire [BIN_WIDTH - 1:0]           sum
);

    reg [BIN_WIDTH - 1:0] base;
    integer               i;

    always @* begin
        base = {BIN_WIDTH{1'b0}};
        for (i = 0; i < SOURCES; i = i + 1) base = base | (stored[i * BIN_WIDTH +: BIN_WIDTH] & {BIN_WIDTH{stored_select[i]}});
    end

    // Inverted piece and carry-in in one adder: a spare low bit turns `minus` into the carry.
    localparam OVER    = BIN_WIDTH - 16;
    wire       [OVER - 1:0] over    = base[BIN_WIDTH - 1 -: OVER];
    localparam [OVER - 1:0] ONE     = 1;
    wire       [17:0]       total   = {1'b0, base[15:0], 1'b1} + {1'b0, piece, minus};
    // Both are there before the carry, which is late and only chooses.
    wire       [OVER - 1:0] carried = minus ? over : over + ONE;
    wire       [OVER - 1:0] stayed  = minus ? over - ONE : over;

    assign sum = {total[17] ? carried : stayed, total[16:1]};

    wire unused = total[0];
endmodule

`default_nettype wire
