// SPDX-License-Identifier: Apache-2.0
// Purpose: lines of reduces that were taken and whose results were not, a context (doc/hub/hub.md section 4).
// Contract:
//   1. begin_valid adds begin_lines of a context; each done_valid takes one away. A context that is not there is not counted.
//   2. in_flight: registers, not 0.
// How: lines that begin are added a cycle late, from registers; what begins shows in in_flight at once. So no line may be
//   done in the cycle in which it begins.
// Cost: WIDTH + 2 flops a context, 4 in all.
// Proved: formal/hub/formal_reduce_in_flight.v
`default_nettype none

module moehub_reduce_in_flight #(
    parameter LINKS    = 1,  // 1..4
    parameter CONTEXTS = 4,  // 1..8
    parameter MOST     = 256 // lines
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire                   begin_valid,
    input  wire [2:0]             begin_context,
    input  wire [3:0]             begin_lines,
    input  wire [LINKS - 1:0]     done_valid,
    input  wire [LINKS * 3 - 1:0] done_context,
    output wire [CONTEXTS - 1:0]  in_flight
);
    localparam WIDTH = $clog2(MOST + 1) + 4; // so that the lines of one reduce fit

    reg [3:0] begin_lines_q;
    always @(posedge clk) begin
        begin_lines_q <= begin_lines;
    end

    genvar c;
    genvar l;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NAME = c;
            reg  [WIDTH - 1:0] lines_q;
            reg                begins_q; // begin_lines_q are not in lines_q
            reg                in_flight_q;
            wire [LINKS - 1:0] done;
            wire [6:0]         dones;
            wire               unused_dones = ^dones[6:3];
            for (l = 0; l < LINKS; l = l + 1) begin : g_link
                assign done[l] = done_valid[l] && done_context[l * 3 +: 3] == NAME[2:0];
            end
            moehub_count_ones #(.WIDTH(4)) u_dones (.bits({{4 - LINKS{1'b0}}, done}), .count(dones));
            wire               begins = begin_valid && begin_context == NAME[2:0];
            wire [WIDTH - 1:0] lines  = lines_q + {{WIDTH - 4{1'b0}}, begin_lines_q & {4{begins_q}}};
            wire [WIDTH - 1:0] less   = {{WIDTH - 3{1'b0}}, dones[2:0]};
            always @(posedge clk) begin
                lines_q     <= lines - less;
                begins_q    <= begins;
                in_flight_q <= begins || lines != less;
                if (rst) begin
                    lines_q     <= {WIDTH{1'b0}};
                    begins_q    <= 1'b0;
                    in_flight_q <= 1'b0;
                end
            end
            assign in_flight[c] = in_flight_q;
        end
    endgenerate
endmodule

`default_nettype wire
