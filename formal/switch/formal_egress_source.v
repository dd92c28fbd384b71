// SPDX-License-Identifier: Apache-2.0
// A source of packets for an egress, and what the harness knows of the flit that the egress sees of it: packets of 1 to MOST
// flits, the flits numbered modulo 8.
`default_nettype none
module formal_egress_source #(
    parameter MOST = 3
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       valid,
    input  wire       ready,
    input  wire [4:0] flits,  // of the packet, with its first flit
    output wire       last,
    output reg  [2:0] number,
    output wire       there,  // a flit is at the egress, taken into it or not
    output wire       first,  // ... the first of its packet
    output wire [4:0] first_flits
);
`include "formal_reset.vh"
    reg [4:0] left_q;       // flits of the packet that have not entered
    reg       held_first_q; // the flit that entered last was a first one
    reg [4:0] held_flits_q;
    wire      begins = left_q == 5'd0;
    wire      enter  = valid && ready;
    assign last = begins ? flits == 5'd1 : left_q == 5'd1;
    always @(posedge clk) begin
        if (enter) begin
            left_q       <= (begins ? flits : left_q) - 5'd1;
            number       <= number + 3'd1;
            held_first_q <= begins;
            held_flits_q <= flits;
        end
        if (rst) begin
            left_q <= 5'd0;
            number <= 3'd0;
        end
    end
    formal_stream_assume #(.WIDTH(5)) u_stream (.clk(clk), .rst(rst), .valid(valid), .ready(ready), .data(flits));
    always @* assume (flits != 5'd0 && flits <= MOST);

    // A source whose ready is low has a flit in the egress, but in reset and in the cycle after it.
    assign there       = ready ? valid : started_q && !reset_q;
    assign first       = ready ? begins : held_first_q;
    assign first_flits = ready ? flits : held_flits_q;
endmodule
`default_nettype wire
