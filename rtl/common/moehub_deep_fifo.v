// SPDX-License-Identifier: Apache-2.0
// Purpose: a deep FIFO with registered handshakes whose items live in a memory: moehub_fifo for more items than flops suit.
// Contract:
//   1. Items leave in the order in which they entered, unchanged; at most DEPTH are inside.
//   2. in_ready, out_valid, out_data and count are registers.
//   3. in_ready is high exactly while count < DEPTH (and low in reset and in the cycle after it).
//   4. An item that enters an empty FIFO is at the output in the next cycle; one behind others up to two cycles after those left.
//   5. count is the number of items inside, the one at the output included.
// Cost: latency 1 while empty; one item a cycle sustained for DEPTH >= 4; DEPTH * WIDTH memory bits, WIDTH flops and some
//   4 log2(DEPTH).
// Proved: formal/common/formal_deep_fifo.v
`default_nettype none

module moehub_deep_fifo #(
    parameter WIDTH = 32, // 1..
    parameter DEPTH = 16  // 1.., any, not only powers of two
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           in_valid,
    output wire                           in_ready,
    input  wire [WIDTH - 1:0]             in_data,
    output wire                           out_valid,
    input  wire                           out_ready,
    output wire [WIDTH - 1:0]             out_data,
    output wire [$clog2(DEPTH + 1) - 1:0] count
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
        if (DEPTH < 1) DEPTH_must_be_at_least_1 u_rule ();
    endgenerate

    localparam COUNT_WIDTH = $clog2(DEPTH + 1);
    localparam [31:0] ALL  = DEPTH;
    localparam [COUNT_WIDTH - 1:0] ONE = 1;

    reg                     in_ready_q;
    reg [COUNT_WIDTH - 1:0] count_q;

    wire enter = in_valid && in_ready_q;
    wire leave = out_valid && out_ready;
    wire [COUNT_WIDTH - 1:0] count_d = enter && !leave ? count_q + ONE : leave && !enter ? count_q - ONE : count_q;

    assign in_ready = in_ready_q;
    assign count    = count_q;

    always @(posedge clk) begin
        in_ready_q <= count_d != ALL[COUNT_WIDTH - 1:0];
        count_q    <= count_d;
        if (rst) begin
            in_ready_q <= 1'b0;
            count_q    <= {COUNT_WIDTH{1'b0}};
        end
    end

    // ---- the output register, and what waits behind it ---------------------------------------------------------------------
    reg               out_valid_q;
    reg [WIDTH - 1:0] out_data_q;

    wire               behind_valid;
    wire [WIDTH - 1:0] behind_data;
    wire               behind_none;
    wire               unused_parity;

    wire room   = !out_valid_q || out_ready;
    wire direct = enter && room && behind_none; // the item does not go to the memory

    assign out_valid = out_valid_q;
    assign out_data  = out_data_q;

    moehub_memory_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_behind (
        .clk(clk), .rst(rst), .in_valid(enter && !direct), .in_data(in_data),
        .out_valid(behind_valid), .out_ready(room), .out_data(behind_data), .empty(behind_none), .parity_error(unused_parity)
    );

    always @(posedge clk) begin
        if (room) out_data_q <= direct ? in_data : behind_data;
        out_valid_q <= !room || direct || behind_valid;
        if (rst) out_valid_q <= 1'b0;
    end
endmodule

`default_nettype wire
