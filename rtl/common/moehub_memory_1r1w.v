// SPDX-License-Identifier: Apache-2.0
// Purpose: the one memory wrapper of the project: one write port, one synchronous read port. Replace this module to
//   use a foundry macro; synthesis reports treat it as a black box of DEPTH words of WIDTH + PARITY bits.
// Contract:
//   1. A word read with read_enable in one cycle is on read_data from the next cycle on, until the next read.
//   2. Reading the address that is written in the same cycle returns the OLD word.
//   3. No reset: contents and read_data are undefined at power-up; the user initialises what it relies on.
//   4. Addresses are below DEPTH whenever their enable is high; read_enable is low in reset.
//   5. PARITY > 0 stores that many parity bits a word; parity bit p covers data bits p, p+PARITY, p+2*PARITY, ...
//      parity_error is high for the one cycle after a read whose word fails its parity. A word never written may fail it.
// Cost: read latency 1, one read and one write a cycle; DEPTH * (WIDTH + PARITY) bits.
// Limits: whole-word writes only. parity_error is combinational from the array's output register (one XOR tree).
// Proved: formal/common/formal_memory_1r1w.v
`default_nettype none
`include "moehub_width.vh"

module moehub_memory_1r1w #(
    parameter WIDTH  = 32, // 1..
    parameter DEPTH  = 16, // 1.., any, not only powers of two
    parameter PARITY = 0   // 0..WIDTH parity bits a word
) (
    input  wire                                    clk,
    input  wire                                    write_enable,
    input  wire [`MOEHUB_INDEX_WIDTH(DEPTH) - 1:0] write_address,
    input  wire [WIDTH - 1:0]                      write_data,
    input  wire                                    read_enable,
    input  wire [`MOEHUB_INDEX_WIDTH(DEPTH) - 1:0] read_address,
    output wire [WIDTH - 1:0]                      read_data,
    output wire                                    parity_error
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
        if (DEPTH < 1) DEPTH_must_be_at_least_1 u_rule ();
        if (PARITY < 0 || PARITY > WIDTH) PARITY_must_be_0_to_WIDTH u_rule ();
    endgenerate

    localparam STORED_WIDTH = WIDTH + PARITY;

    reg  [STORED_WIDTH - 1:0] words_q [0:DEPTH - 1];
    reg  [STORED_WIDTH - 1:0] read_word_q;
    wire [STORED_WIDTH - 1:0] write_word;

    always @(posedge clk) begin
        if (write_enable) words_q[write_address] <= write_word;
        if (read_enable) read_word_q <= words_q[read_address];
    end

    assign read_data = read_word_q[WIDTH - 1:0];

    generate
        if (PARITY > 0) begin : g_parity
            reg                 read_valid_q;
            wire [PARITY - 1:0] fails;
            genvar p;
            for (p = 0; p < PARITY; p = p + 1) begin : g_bit
                wire [WIDTH - 1:0] member;
                genvar i;
                for (i = 0; i < WIDTH; i = i + 1) begin : g_member
                    assign member[i] = i % PARITY == p;
                end
                assign write_word[WIDTH + p] = ^(write_data & member);
                assign fails[p] = read_word_q[WIDTH + p] ^ ^(read_data & member);
            end
            assign write_word[WIDTH - 1:0] = write_data;
            always @(posedge clk) begin
                read_valid_q <= read_enable;
            end
            assign parity_error = read_valid_q && |fails;
        end else begin : g_no_parity
            assign write_word   = write_data;
            assign parity_error = 1'b0;
        end
    endgenerate
endmodule

`default_nettype wire
