// SPDX-License-Identifier: Apache-2.0
// Purpose: tells which lists of an input hold a copy so old that its arrival number cannot be compared any more.
// Contract:
//   1. next_age comes with every so many packets, when all copies of those before are in their lists. A list with a copy from
//      before the last but one next_age is aged. So the copies of a list that is not aged came after that.
//   2. It stays aged until the copies that were in it at the last next_age have been read.
//   3. sequence_*: the record that was read in the cycle before, and its list (one hot); reads_tail: it is its list's tail.
// How: each list is marked at its tail with next_age. A mark that is not read at the next one means age, and moves to the tail
//   of then.
// Cost: RECORD_WIDTH + 2 flops a list.
`default_nettype none

module moehub_list_age #(
    parameter PORTS        = 8,
    parameter RECORD_WIDTH = 10
) (
    input  wire clk,
    input  wire rst,

    input  wire                              next_age,
    input  wire [PORTS - 1:0]                empty, // no record of the list is unread
    input  wire [PORTS * RECORD_WIDTH - 1:0] tails,
    input  wire                              sequence_valid,
    input  wire [PORTS - 1:0]                sequence_own,
    input  wire [RECORD_WIDTH - 1:0]         sequence_record,
    input  wire                              reads_tail,
    output wire [PORTS - 1:0]                aged
);
    wire [PORTS * RECORD_WIDTH - 1:0] marks;
    wire [RECORD_WIDTH - 1:0]         sequence_mark;
    wire reads_mark = sequence_valid && sequence_record == sequence_mark;

    moehub_one_hot_mux #(.WIDTH(RECORD_WIDTH), .WAYS(PORTS)) u_mark (
        .select(sequence_own), .words(marks), .word(sequence_mark)
    );

    genvar o;
    generate
        for (o = 0; o < PORTS; o = o + 1) begin : g_list
            reg                      marked_q; // the mark's record is unread
            reg                      aged_q;
            reg [RECORD_WIDTH - 1:0] mark_q;
            wire marked = marked_q && !(reads_mark && sequence_own[o]);
            always @(posedge clk) begin
                marked_q <= next_age ? !empty[o] && !(reads_tail && sequence_own[o]) : marked;
                aged_q   <= marked && (next_age || aged_q);
                if (rst) begin
                    marked_q <= 1'b0;
                    aged_q   <= 1'b0;
                end
            end
            always @(posedge clk) begin
                if (next_age) mark_q <= tails[o * RECORD_WIDTH +: RECORD_WIDTH];
            end
            assign marks[o * RECORD_WIDTH +: RECORD_WIDTH] = mark_q;
            assign aged[o] = aged_q;
        end
    endgenerate
endmodule

`default_nettype wire
