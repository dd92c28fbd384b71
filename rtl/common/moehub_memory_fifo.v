// SPDX-License-Identifier: Apache-2.0
// Purpose: a deep FIFO whose items live in a memory.
// Contract:
//   1. Items leave in the order in which they entered, unchanged.
//   2. There is no in_ready: the user never has more than DEPTH items inside (it counts them, or cannot have more).
//   3. out_valid and out_data stay until out_ready; empty: nothing is inside.
//   4. LANDING 0: the memory's output register is the FIFO's output, and out_ready decides whether the memory is read.
//      LANDING 1: four items land in flops, so that no path leads from out_ready to the memory or from the memory to the user.
//      LANDING 2: one item lands in flops: no path leads from the memory to the user, but out_ready decides.
//   5. PARITY and parity_error: those of the memory (moehub_memory_1r1w).
// Cost: one item a cycle sustained; latency 2, or 3 with LANDING; DEPTH * WIDTH memory bits and two pointers, with LANDING 1 a
//   FIFO of four items, with LANDING 2 WIDTH + 1 flops.
// Proved: formal/common/formal_memory_fifo.v
`default_nettype none
`include "moehub_width.vh"

module moehub_memory_fifo #(
    parameter WIDTH   = 32, // 1..
    parameter DEPTH   = 16, // 1.., any, not only powers of two
    parameter LANDING = 0,  // 0, 1, 2
    parameter PARITY  = 0   // 0..WIDTH parity bits an item
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
        if (LANDING < 0 || LANDING > 2) LANDING_must_be_0_to_2 u_rule ();
    endgenerate

    localparam POINTER_WIDTH = `MOEHUB_INDEX_WIDTH(DEPTH);
    localparam COUNT_WIDTH   = $clog2(DEPTH + 1);
    localparam [31:0] LAST   = DEPTH - 1;

    localparam [POINTER_WIDTH - 1:0] POINTER_ONE = 1;
    localparam [COUNT_WIDTH - 1:0]   COUNT_ONE   = 1;

    reg [POINTER_WIDTH - 1:0] write_q;
    reg [POINTER_WIDTH - 1:0] read_q;
    reg [COUNT_WIDTH - 1:0]   unread_q; // items in the memory that have not been read yet
    reg                       there_q;  // the memory's output is an item

    wire               unread = unread_q != {COUNT_WIDTH{1'b0}};
    wire               place; // the item that is read now has one
    wire               leaves; // the item at the memory's output goes
    wire               read = unread && place;
    wire [WIDTH - 1:0] rdata;

    function [POINTER_WIDTH - 1:0] next_place(input [POINTER_WIDTH - 1:0] from);
        next_place = from == LAST[POINTER_WIDTH - 1:0] ? {POINTER_WIDTH{1'b0}} : from + POINTER_ONE;
    endfunction

    always @(posedge clk) begin
        if (in_valid) write_q <= next_place(write_q);
        if (read) read_q <= next_place(read_q);
        if (in_valid && !read) unread_q <= unread_q + COUNT_ONE;
        if (read && !in_valid) unread_q <= unread_q - COUNT_ONE;
        there_q <= read || (there_q && !leaves);
        if (rst) begin
            write_q  <= {POINTER_WIDTH{1'b0}};
            read_q   <= {POINTER_WIDTH{1'b0}};
            unread_q <= {COUNT_WIDTH{1'b0}};
            there_q  <= 1'b0;
        end
    end

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH), .PARITY(PARITY)) u_items (
        .clk(clk), .write_enable(in_valid), .write_address(write_q), .write_data(in_data),
        .read_enable(read && !rst), .read_address(read_q), .read_data(rdata), .parity_error(parity_error)
    );

    generate
        if (LANDING == 0) begin : g_direct
            assign place     = !there_q || out_ready;
            assign leaves    = out_ready;
            assign out_valid = there_q;
            assign out_data  = rdata;
            assign empty     = !unread && !there_q;
        end else if (LANDING == 2) begin : g_register
            reg               out_valid_q;
            reg [WIDTH - 1:0] out_data_q;

            wire moves = !out_valid_q || out_ready;

            assign place     = !there_q || moves;
            assign leaves    = moves;
            assign out_valid = out_valid_q;
            assign out_data  = out_data_q;
            assign empty     = !unread && !there_q && !out_valid_q;

            always @(posedge clk) begin
                if (moves) out_valid_q <= there_q;
                if (moves) out_data_q <= rdata;
                if (rst) out_valid_q <= 1'b0;
            end
        end else begin : g_landing
            wire       unused_ready; // never low: place counts what has landed and what is on its way
            wire [2:0] landed;

            assign place  = landed + {2'd0, there_q} < 3'd4;
            assign leaves = 1'b1;
            assign empty  = !unread && !there_q && landed == 3'd0;

            moehub_fifo #(.WIDTH(WIDTH), .DEPTH(4)) u_landing (
                .clk(clk), .rst(rst), .in_valid(there_q), .in_ready(unused_ready), .in_data(rdata),
                .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .count(landed)
            );
        end
    endgenerate
endmodule

`default_nettype wire
