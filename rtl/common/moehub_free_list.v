// SPDX-License-Identifier: Apache-2.0
// Purpose: hands out the names 0 .. ENTRIES-1 of places and takes them back.
// Contract:
//   1. valid and id are registers: a free name, given away by `take`. next_valid is what valid will be in the next cycle.
//   2. A name that was given away comes back by put_valid, once; it may be given again in the next cycle, and is offered in it
//      if it is the only free one.
//   3. used is the number of names given away and not back.
//   4. SPARE 1: a second name waits in a register, so that no path leads from take to the memory. Then valid is high
//      whenever a name is free, as long as none is taken in a cycle in which one comes back. Nothing else differs.
//   5. PARITY and parity_error: those of the memory (moehub_memory_1r1w).
// Cost: one name out and one in a cycle sustained; ENTRIES words of memory. Needs no initialisation:
//   after reset the names come from a counter, and from the memory once all have been out.
// Proved: formal/common/formal_free_list.v
`default_nettype none
`include "moehub_width.vh"

module moehub_free_list #(
    parameter ENTRIES = 16, // 1..
    parameter SPARE   = 0,  // 0, 1
    parameter PARITY  = 0   // 0 or 1 parity bit a name
) (
    input  wire                                      clk,
    input  wire                                      rst,
    output wire                                      valid,
    output wire                                      next_valid,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] id,
    input  wire                                      take,
    input  wire                                      put_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] put_id,
    output wire [$clog2(ENTRIES + 1) - 1:0]          used,
    output wire                                      parity_error
);

    localparam ID_WIDTH    = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam COUNT_WIDTH = $clog2(ENTRIES + 1);
    localparam [COUNT_WIDTH - 1:0] ONE   = 1;
    localparam [31:0]              LAST  = ENTRIES - 1;
    localparam [ID_WIDTH - 1:0]    FIRST = 0;
    localparam [ID_WIDTH - 1:0]    NEXT  = 1;

    generate
        if (ENTRIES < 1) ENTRIES_must_be_at_least_1 u_rule ();
        if (SPARE != 0 && SPARE != 1) SPARE_must_be_0_or_1 u_rule ();
    endgenerate

    reg                     fresh_q; // names that have never been out are left
    reg [ID_WIDTH - 1:0]    fresh_id_q;
    reg                     valid_q;
    reg [ID_WIDTH - 1:0]    id_q;
    reg [COUNT_WIDTH - 1:0] used_q;

    wire                  returned_valid;
    wire [ID_WIDTH - 1:0] returned_id;
    wire                  returned_none;
    wire                  spare_valid;
    wire [ID_WIDTH - 1:0] spare;

    // With no other name left, one that comes back goes straight out.
    wire goes   = !valid_q || take; // the name at the output
    wire room   = SPARE != 0 ? !spare_valid : goes;
    wire direct = put_valid && room && !fresh_q && returned_none;
    wire load   = room && (fresh_q || returned_valid || direct);
    wire [ID_WIDTH - 1:0] loaded = fresh_q ? fresh_id_q : direct ? put_id : returned_id;

    assign next_valid = load || spare_valid || (valid_q && !take);
    assign valid      = valid_q;
    assign id         = id_q;
    assign used       = used_q;

    moehub_memory_fifo #(.WIDTH(ID_WIDTH), .DEPTH(ENTRIES), .PARITY(PARITY)) u_returned (
        .clk(clk), .rst(rst), .in_valid(put_valid && !direct), .in_data(put_id),
        .out_valid(returned_valid), .out_ready(room && !fresh_q), .out_data(returned_id), .empty(returned_none),
        .parity_error(parity_error)
    );

    always @(posedge clk) begin
        if (load && fresh_q) begin
            fresh_id_q <= fresh_id_q + NEXT;
            fresh_q    <= fresh_id_q != LAST[ID_WIDTH - 1:0];
        end
        valid_q <= next_valid;
        if (take && !put_valid) used_q <= used_q + ONE;
        if (put_valid && !take) used_q <= used_q - ONE;
        if (rst) begin
            fresh_q    <= 1'b1;
            fresh_id_q <= FIRST;
            valid_q    <= 1'b0;
            used_q     <= {COUNT_WIDTH{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (goes) id_q <= spare_valid ? spare : loaded;
    end

    generate
        if (SPARE != 0) begin : g_spare
            reg                  spare_valid_q;
            reg [ID_WIDTH - 1:0] spare_q;
            always @(posedge clk) begin
                spare_valid_q <= !goes && (load || spare_valid_q);
                if (rst) spare_valid_q <= 1'b0;
            end
            always @(posedge clk) begin
                if (load) spare_q <= loaded;
            end
            assign spare_valid = spare_valid_q;
            assign spare       = spare_q;
        end else begin : g_none
            assign spare_valid = 1'b0;
            assign spare       = loaded;
        end
    endgenerate
endmodule

`default_nettype wire
