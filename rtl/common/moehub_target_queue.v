// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps target flits of whole packets beside their store, for the copy list; those of a packet that is rejected go.
// Contract:
//   1. open_valid begins a packet with open_targets target flits (0: none). listed, a register, says from the next cycle on
//      whether they are kept: there is at least one, and the queue has places for all. What is in the queue, at its output, or of
//      the packet before, is counted as the registers stand in the cycle of open_valid.
//   2. write_valid brings a target flit of the packet begun last, not in the cycle of open_valid; all come before `keep`.
//   3. keep ends the packet: its flits show at the output, in the order of packets, not before. drop ends it too: they are gone.
//      Each may come in the cycle of the next open_valid.
//   4. targets_valid and targets_data stay until targets_ready.
// How: the first flit of the open packet is read as soon as nothing is before it, so that it is at the memory's output when it is
//   known whether the packet is kept.
// Cost: one flit in and one out a cycle; the first flit of a packet is at the output with keep when nothing else was inside two
//   cycles after it was written; DEPTH * 128 memory bits.
// Limits: combinational from keep to targets_valid.
// Proved: formal/common/formal_packet_store.v
`default_nettype none
`include "moehub_width.vh"

module moehub_target_queue #(
    parameter DEPTH = 16 // 4..64
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         open_valid,
    input  wire [2:0]   open_targets,
    output wire         listed,
    input  wire         write_valid,
    input  wire [127:0] write_data,
    input  wire         keep,
    input  wire         drop,
    output wire         targets_valid,
    input  wire         targets_ready,
    output wire [127:0] targets_data
);
    generate
        if (DEPTH < 4 || DEPTH > 64) DEPTH_must_be_4_to_64 u_rule ();
    endgenerate

    localparam POINTER_WIDTH = `MOEHUB_INDEX_WIDTH(DEPTH);
    localparam [31:0] LAST   = DEPTH - 1;
    localparam [31:0] PLACES = DEPTH;
    localparam [POINTER_WIDTH - 1:0] POINTER_ONE = 1;

    reg [POINTER_WIDTH - 1:0] write_q;
    reg [POINTER_WIDTH - 1:0] kept_q; // where write_q was when the last packet was kept
    reg [POINTER_WIDTH - 1:0] read_q;
    reg [2:0]                 opened_q; // flits of the open packet
    reg [6:0]                 unread_q; // kept flits that have not been read
    reg                       there_q;  // the memory's output is a kept flit
    reg                       early_q;  // ... is the open packet's first flit
    reg                       listed_q;

    wire       enter     = write_valid && listed_q;
    wire       there     = there_q || (early_q && keep);
    wire       place     = !there || targets_ready; // at the memory's output, for a kept flit
    wire [6:0] gained    = keep ? {4'd0, opened_q - {2'd0, early_q}} : 7'd0; // kept flits that are to be read
    wire       read_kept = (unread_q != 7'd0 || gained != 7'd0) && place;
    wire       read_open = unread_q == 7'd0 && !keep && !drop && opened_q != 3'd0 && !early_q && place;
    wire       read      = read_kept || read_open;
    wire [7:0] needed = {1'b0, unread_q} + {7'd0, there_q} + {5'd0, opened_q} + {5'd0, open_targets};

    assign listed        = listed_q;
    assign targets_valid = there;

    function [POINTER_WIDTH - 1:0] next_place(input [POINTER_WIDTH - 1:0] from);
        next_place = from == LAST[POINTER_WIDTH - 1:0] ? {POINTER_WIDTH{1'b0}} : from + POINTER_ONE;
    endfunction

    always @(posedge clk) begin
        if (open_valid) listed_q <= open_targets != 3'd0 && needed <= PLACES[7:0];
        if (drop) write_q <= kept_q;
        else if (enter) write_q <= next_place(write_q);
        if (keep) kept_q <= write_q;
        if (keep || drop) opened_q <= 3'd0;
        else if (enter) opened_q <= opened_q + 3'd1;
        if (early_q && drop) read_q <= kept_q;
        else if (read) read_q <= next_place(read_q);
        unread_q <= unread_q + gained - {6'd0, read_kept};
        there_q  <= read_kept || (there && !targets_ready);
        early_q  <= (early_q || read_open) && !keep && !drop;
        if (rst) begin
            write_q  <= {POINTER_WIDTH{1'b0}};
            kept_q   <= {POINTER_WIDTH{1'b0}};
            read_q   <= {POINTER_WIDTH{1'b0}};
            opened_q <= 3'd0;
            unread_q <= 7'd0;
            there_q  <= 1'b0;
            early_q  <= 1'b0;
            listed_q <= 1'b0;
        end
    end

    wire unused_parity;
    moehub_memory_1r1w #(.WIDTH(128), .DEPTH(DEPTH), .PARITY(0)) u_flits (
        .clk(clk), .write_enable(enter), .write_address(write_q), .write_data(write_data),
        .read_enable(read && !rst), .read_address(read_q), .read_data(targets_data), .parity_error(unused_parity)
    );
endmodule

`default_nettype wire
