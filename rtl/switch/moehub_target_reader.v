// SPDX-License-Identifier: Apache-2.0
// Purpose: the target flits of the packets that a copy list handles, one after the other: from the store's target queue or, of a
//   packet that is not listed, read from the store's places.
// Contract:
//   1. wanted: a packet is there, flit_valid: flit is its next target flit; taken takes it. start: it is the packet's first.
//   2. idle: a flit can be taken in this cycle and in the next ones, until one is. Only then the store is read for one.
//   3. target_read_valid asks for the store's read port; ready: target_read_place is read in this cycle, and the answer is at
//      read_data and read_next in the next.
// Cost: a listed flit in the cycle in which it is at the queue's output; another in the cycle after its read, with READ_REGISTER
//   in the one after that.
`default_nettype none
`include "moehub_width.vh"

module moehub_target_reader #(
    parameter READ_REGISTER = 1, // 0, 1: what is read goes through a register
    parameter PLACES        = 2048
) (
    input  wire clk,
    input  wire rst,

    input  wire                                          wanted,
    input  wire                                          start,
    input  wire                                          idle,
    input  wire                                          listed,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  place, // of the packet's first target flit

    input  wire                                          targets_valid,
    output wire                                          targets_ready,
    input  wire [127:0]                                  targets_data,

    output wire                                          target_read_valid,
    input  wire                                          target_read_ready,
    output wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  target_read_place,
    input  wire [127:0]                                  read_data,
    input  wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0]  read_next,

    output wire                                          flit_valid,
    output wire [127:0]                                  flit,
    input  wire                                          taken
);
    reg                                         answered_q; // the store was read for this in the last cycle
    reg [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] next_q;     // place of the flit after the one read last

    wire                                        read_valid; // a flit that was read is there: it is taken at once
    wire [127:0]                                read_flit;

    generate
        if (READ_REGISTER != 0) begin : g_register
            reg         read_valid_q;
            reg [127:0] read_flit_q;
            always @(posedge clk) begin
                read_valid_q <= answered_q;
                if (rst) read_valid_q <= 1'b0;
            end
            always @(posedge clk) begin
                read_flit_q <= read_data;
            end
            assign read_valid = read_valid_q;
            assign read_flit  = read_flit_q;
        end else begin : g_now
            assign read_valid = answered_q;
            assign read_flit  = read_data;
        end
    endgenerate

    assign flit_valid        = wanted && (listed ? targets_valid : read_valid);
    assign flit              = listed ? targets_data : read_flit;
    assign targets_ready     = taken && listed;
    assign target_read_valid = wanted && !listed && idle && !answered_q && !read_valid;
    assign target_read_place = start ? place : next_q;

    always @(posedge clk) begin
        answered_q <= target_read_valid && target_read_ready;
        if (answered_q) next_q <= read_next;
        if (rst) answered_q <= 1'b0;
    end
endmodule

`default_nettype wire
