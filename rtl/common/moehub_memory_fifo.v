// SPDX-License-Identifier: Apache-2.0
// Purpose: a deep FIFO whose items live in a memory. The memory's output register is the FIFO's output.
// Contract:
//   1. Items leave in the order in which they entered, unchanged.
//   2. There is no in_ready: the user never has more than DEPTH items inside (it counts them, or cannot have more).
//   3. out_valid and out_data are registers and stay until out_ready; empty: nothing is inside.
//   4. PARITY and parity_error: those of the memory (moehub_memory_1r1w).
// Cost: latency 2, one item a cycle sustained; DEPTH * WIDTH memory bits and two pointers.
// Proved: formal/common/formal_memory_fifo.v
`default_nettype none
`include "moehub_width.vh"

module moehub_memory_fifo #(
    parameter WIDTH  = 32, // 1..
    parameter DEPTH  = 16, // 1.., any, not only powers of two
    parameter PARITY = 0   // 0..WIDTH parity bits an item
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               in_valid,
    input  wire [WIDTH - 1:0] in_data,
    output wire               out_valid,
    input  wire               out_ready,
    output wire [WIDTH - 1:0] out_data,
    output wire               empty,
    output wire               parity_error
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
        if (DEPTH < 1) DEPTH_must_be_at_least_1 u_rule ();
    endgenerate

    localparam POINTER_WIDTH = `MOEHUB_INDEX_WIDTH(DEPTH);
    localparam COUNT_WIDTH   = $clog2(DEPTH + 1);
    localparam [31:0] LAST   = DEPTH - 1;

    localparam [POINTER_WIDTH - 1:0] POINTER_ONE = 1;
    localparam [COUNT_WIDTH - 1:0]   COUNT_ONE   = 1;

    reg [POINTER_WIDTH - 1:0] write_q;
    reg [POINTER_WIDTH - 1:0] read_q;
    reg [COUNT_WIDTH - 1:0]   unread_q; // items in the memory that have not been read yet
    reg                       out_valid_q;

    wire unread = unread_q != {COUNT_WIDTH{1'b0}};
    wire read   = unread && (!out_valid_q || out_ready);

    assign out_valid = out_valid_q;
    assign empty     = !unread && !out_valid_q;

    function [POINTER_WIDTH - 1:0] next_place(input [POINTER_WIDTH - 1:0] place);
        next_place = place == LAST[POINTER_WIDTH - 1:0] ? {POINTER_WIDTH{1'b0}} : place + POINTER_ONE;
    endfunction

    always @(posedge clk) begin
        if (in_valid) write_q <= next_place(write_q);
        if (read) read_q <= next_place(read_q);
        if (in_valid && !read) unread_q <= unread_q + COUNT_ONE;
        if (read && !in_valid) unread_q <= unread_q - COUNT_ONE;
        out_valid_q <= read || (out_valid_q && !out_ready);
        if (rst) begin
            write_q     <= {POINTER_WIDTH{1'b0}};
            read_q      <= {POINTER_WIDTH{1'b0}};
            unread_q    <= {COUNT_WIDTH{1'b0}};
            out_valid_q <= 1'b0;
        end
    end

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PARITY(PARITY)) u_items (
        .clk(clk), .write_enable(in_valid), .write_address(write_q), .write_data(in_data),
        .read_enable(read && !rst), .read_address(read_q), .read_data(out_data), .parity_error(parity_error)
    );
endmodule

`default_nettype wire
