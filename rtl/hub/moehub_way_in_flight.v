// SPDX-License-Identifier: Apache-2.0
// Purpose: which contexts have packets of one class in a way (doc/hub/ingress.md section 0).
// Contract: begin names the context of a packet that came in, done that of one that is over; in_flight is, from the next cycle
//   on, high while more began than were done. No more than MOST of a context are inside.
// Cost: ceil(log2(MOST + 1)) + 1 flops a context.
`default_nettype none

module moehub_way_in_flight #(
    parameter CONTEXTS = 4,  // 1..8
    parameter MOST     = 392 // 1.., packets of a context
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  begin_valid,
    input  wire [2:0]            begin_context,
    input  wire                  done_valid,
    input  wire [2:0]            done_context,
    output wire [CONTEXTS - 1:0] in_flight
);
    localparam WIDTH = $clog2(MOST + 1);
    localparam [WIDTH - 1:0] ONE = 1;

    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NUMBER = c;
            reg [WIDTH - 1:0] count_q;
            reg               in_flight_q;
            wire begins = begin_valid && begin_context == NUMBER[2:0];
            wire ends   = done_valid && done_context == NUMBER[2:0];
            wire [WIDTH - 1:0] count_d = begins && !ends ? count_q + ONE : ends && !begins ? count_q - ONE : count_q;
            assign in_flight[c] = in_flight_q;
            always @(posedge clk) begin
                count_q     <= count_d;
                in_flight_q <= count_d != {WIDTH{1'b0}};
                if (rst) begin
                    count_q     <= {WIDTH{1'b0}};
                    in_flight_q <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
