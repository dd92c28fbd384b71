// SPDX-License-Identifier: Apache-2.0
// Purpose: tells which ports a timed-out entry still missed (plane/groups.md section 4).
// Contract:
//   1. With QUARANTINE, the entries of timed_out_* are looked up in their order, each when the check has a cycle for it;
//      missing_valid is high for one cycle, two cycles later. A number that finds four before it is dropped.
//   2. waits is high from the cycle after timed_out_valid until the last of them has been looked up.
//   3. Without QUARANTINE nothing is looked up: an entry could have a new user meanwhile.
// Cost: four numbers of an entry, PORTS + 2 flops.
// Proved: formal/switch/formal_reduction_missing.v
`default_nettype none
`include "moehub_width.vh"

module moehub_reduction_missing #(
    parameter ENTRIES    = 107,
    parameter PORTS      = 64,
    parameter QUARANTINE = 0
) (
    input  wire clk,
    input  wire rst,

    input  wire                                      timed_out_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] timed_out_entry,
    output wire                                      waits,

    output wire                                      look_valid,
    input  wire                                      look_ready,
    output wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0] look_entry,
    input  wire [PORTS - 1:0]                        look_missing, // one cycle later

    output wire               missing_valid,
    output wire [PORTS - 1:0] missing_ports
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES);
    localparam PLACES      = 4;

    generate
        if (QUARANTINE != 0) begin : g_queue
            wire                                unused_ready; // low: the number is dropped
            wire [`MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] unused_count;

            moehub_fifo #(.WIDTH(ENTRY_WIDTH), .DEPTH(PLACES)) u_queue (
                .clk(clk), .rst(rst),
                .in_valid(timed_out_valid), .in_ready(unused_ready), .in_data(timed_out_entry),
                .out_valid(look_valid), .out_ready(look_ready), .out_data(look_entry), .count(unused_count)
            );

            reg               looked_q;
            reg               missing_valid_q;
            reg [PORTS - 1:0] missing_ports_q;

            always @(posedge clk) begin
                looked_q        <= look_valid && look_ready;
                missing_valid_q <= looked_q;
                missing_ports_q <= look_missing;
                if (rst) begin
                    looked_q        <= 1'b0;
                    missing_valid_q <= 1'b0;
                end
            end

            assign waits         = look_valid;
            assign missing_valid = missing_valid_q;
            assign missing_ports = missing_ports_q;
        end else begin : g_none
            wire unused_inputs = &{1'b0, clk, rst, timed_out_valid, timed_out_entry, look_ready, look_missing};

            assign waits         = 1'b0;
            assign look_valid    = 1'b0;
            assign look_entry    = {ENTRY_WIDTH{1'b0}};
            assign missing_valid = 1'b0;
            assign missing_ports = {PORTS{1'b0}};
        end
    endgenerate
endmodule

`default_nettype wire
