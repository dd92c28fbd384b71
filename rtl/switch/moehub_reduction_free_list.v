// SPDX-License-Identifier: Apache-2.0
// Purpose: the free entries of the reduction buffer, first in first out, each with the generation of its next use.
// Contract:
//   1. After reset the list is 0, 1, 2 ... with generation 0; initialised rises when all of it is there.
//   2. A taken entry's next generation is one more, modulo 2^GENERATION_WIDTH. The generations live in a memory of their
//      own, so that refill (FLUSH) restores the order 0, 1, 2 ... and keeps them.
//   3. refill may be pulsed only while every entry is free; refill_busy is high until the list is complete again.
//   4. freed_* returns an entry to the tail; it can be at the head 4 cycles later.
// Cost: one take and one free a cycle; ENTRIES * (ENTRY_WIDTH + 2 * GENERATION_WIDTH) bits of memory;
//   ENTRIES + 1 cycles for the first fill and for a refill.
// Proved: formal/switch/formal_reduction_free_list.v
`default_nettype none
`include "moehub_width.vh"

module moehub_reduction_free_list #(
    parameter ENTRIES          = 107,
    parameter GENERATION_WIDTH = 8,
    parameter PARITY           = 0
) (
    input  wire                                      clk,
    input  wire                                      rst,
    output wire                                      initialised,
    input  wire                                      refill,
    output wire                                      refill_busy,
    input  wire                                      freed_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] freed_entry,
    output wire                                      head_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] head_entry,
    output wire [GENERATION_WIDTH - 1:0]             head_generation,
    input  wire                                      take,
    output wire [1:0]                                parity_error // list, generations
);
    localparam ENTRY_WIDTH    = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam LAST           = ENTRIES - 1;
    localparam [ENTRY_WIDTH - 1:0] ENTRY_ONE      = 1;
    localparam [GENERATION_WIDTH - 1:0] GENERATION_ONE = 1;

    // ---- the walk that fills the list -----------------------------------------------------------
    reg                     initialised_q;
    reg                     walk_q;
    reg [ENTRY_WIDTH - 1:0] walk_entry_q;

    wire walk_ends = walk_q && walk_entry_q == LAST[ENTRY_WIDTH - 1:0];
    wire forget    = walk_q && !initialised_q;

    always @(posedge clk) begin
        if (walk_ends) begin
            walk_q        <= 1'b0;
            initialised_q <= 1'b1;
        end
        if (walk_q) walk_entry_q <= walk_entry_q + ENTRY_ONE;
        if (refill) begin
            walk_q       <= 1'b1;
            walk_entry_q <= {ENTRY_WIDTH{1'b0}};
        end
        if (rst) begin
            initialised_q <= 1'b0;
            walk_q        <= 1'b1;
            walk_entry_q  <= {ENTRY_WIDTH{1'b0}};
        end
    end

    assign initialised = initialised_q;
    assign refill_busy = walk_q;

    // ---- generations ------------------------------------------------------------------------------
    reg                          taken_valid_q;
    reg [ENTRY_WIDTH - 1:0]      taken_entry_q;
    reg [GENERATION_WIDTH - 1:0] taken_next_q;

    wire                          look       = walk_q || freed_valid;
    wire [ENTRY_WIDTH - 1:0]      look_entry = walk_q ? walk_entry_q : freed_entry;
    wire [GENERATION_WIDTH - 1:0] generation_rdata;
    wire                          generation_parity;

    moehub_memory_1r1w #(
        .WIDTH(GENERATION_WIDTH), .DEPTH(ENTRIES), .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, GENERATION_WIDTH))
    ) u_generations (
        .clk(clk),
        .write_enable(forget || taken_valid_q),
        .write_address(forget ? walk_entry_q : taken_entry_q),
        .write_data(forget ? {GENERATION_WIDTH{1'b0}} : taken_next_q),
        .read_enable(look && !rst), .read_address(look_entry), .read_data(generation_rdata),
        .parity_error(generation_parity)
    );

    // ---- the list -----------------------------------------------------------------------------------
    reg                     push_valid_q;
    reg [ENTRY_WIDTH - 1:0] push_entry_q;
    reg                     push_forget_q;

    always @(posedge clk) begin
        taken_valid_q <= take;
        taken_entry_q <= head_entry;
        taken_next_q  <= head_generation + GENERATION_ONE;
        push_valid_q  <= look;
        push_entry_q  <= look_entry;
        push_forget_q <= forget;
        if (rst) begin
            taken_valid_q <= 1'b0;
            push_valid_q  <= 1'b0;
        end
    end

    wire unused_empty;

    moehub_memory_fifo #(
        .WIDTH(ENTRY_WIDTH + GENERATION_WIDTH), .DEPTH(ENTRIES), .LANDING(1),
        .PARITY(`MOEHUB_PARITY_WIDTH(PARITY, ENTRY_WIDTH + GENERATION_WIDTH))
    ) u_list (
        .clk(clk), .rst(rst || refill),
        .in_valid(push_valid_q),
        .in_data({push_entry_q, push_forget_q ? {GENERATION_WIDTH{1'b0}} : generation_rdata}),
        .out_valid(head_valid), .out_ready(take), .out_data({head_entry, head_generation}), .empty(unused_empty),
        .parity_error(parity_error[1])
    );

    assign parity_error[0] = generation_parity && !push_forget_q; // before the first walk a word is anything
endmodule

`default_nettype wire
