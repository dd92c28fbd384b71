// SPDX-License-Identifier: Apache-2.0
// Purpose: first-in first-out list of up to DEPTH items in a memory; holds entries of the reduction buffer that are free,
//   or whose result waits.
// Contract:
//   1. Items leave in the order in which they were pushed.
//   2. A push is never refused: the user never has more than DEPTH items inside (each entry is on one list once).
//   3. clear empties the list; nothing may be pushed in that cycle.
// Cost: one push and one pop a cycle sustained; 3 cycles from push to out_valid; DEPTH * WIDTH bits of memory and a
//   landing FIFO of 4 items, which is what hides the memory's latency.
`default_nettype none

module moehub_reduction_list #(
    parameter WIDTH = 8, // 1..
    parameter DEPTH = 4  // 1..4096
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,
    input  wire               push_valid,
    input  wire [WIDTH - 1:0] push_data,
    output wire               out_valid,
    input  wire               out_ready,
    output wire [WIDTH - 1:0] out_data
);
    localparam ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam COUNT_WIDTH   = $clog2(DEPTH + 1);
    localparam LAST          = DEPTH - 1;
    localparam [ADDRESS_WIDTH - 1:0] ADDRESS_ONE = 1;
    localparam [COUNT_WIDTH - 1:0]   COUNT_ONE   = 1;
    localparam [2:0]                 LANDING     = 4;

    reg [ADDRESS_WIDTH - 1:0] write_q;
    reg [ADDRESS_WIDTH - 1:0] read_q;
    reg [COUNT_WIDTH - 1:0]   stored_q;  // items in the memory that were not fetched
    reg                       fetched_q; // the read data is an item on its way to the landing FIFO

    wire [WIDTH - 1:0] fetched_rdata;
    wire               unused_parity;
    wire               unused_landing_ready; // never low: fetch counts the places
    wire [2:0]         landed;

    wire fetch = stored_q != {COUNT_WIDTH{1'b0}} && landed + {2'd0, fetched_q} < LANDING && !clear;

    function [ADDRESS_WIDTH - 1:0] after;
        input [ADDRESS_WIDTH - 1:0] address;
        after = address == LAST[ADDRESS_WIDTH - 1:0] ? {ADDRESS_WIDTH{1'b0}} : address + ADDRESS_ONE;
    endfunction

    moehub_memory_1r1w #(.WIDTH(WIDTH), .DEPTH(DEPTH)) u_items (
        .clk(clk),
        .write_enable(push_valid), .write_address(write_q), .write_data(push_data),
        .read_enable(fetch), .read_address(read_q), .read_data(fetched_rdata), .parity_error(unused_parity)
    );

    moehub_fifo #(.WIDTH(WIDTH), .DEPTH(4)) u_landing (
        .clk(clk), .rst(rst || clear),
        .in_valid(fetched_q), .in_ready(unused_landing_ready), .in_data(fetched_rdata),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .count(landed)
    );

    always @(posedge clk) begin
        fetched_q <= fetch;
        if (push_valid) write_q <= after(write_q);
        if (fetch) read_q <= after(read_q);
        if (push_valid && !fetch) stored_q <= stored_q + COUNT_ONE;
        if (fetch && !push_valid) stored_q <= stored_q - COUNT_ONE;
        if (rst || clear) begin
            fetched_q <= 1'b0;
            write_q   <= {ADDRESS_WIDTH{1'b0}};
            read_q    <= {ADDRESS_WIDTH{1'b0}};
            stored_q  <= {COUNT_WIDTH{1'b0}};
        end
    end
endmodule

`default_nettype wire
