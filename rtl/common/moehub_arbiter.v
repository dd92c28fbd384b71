// SPDX-License-Identifier: Apache-2.0
// Purpose: round-robin choice among PORTS requesters.
// Contract:
//   1. grant is one-hot while any request is high, and zero otherwise; grant_index is its position (0 when there is none).
//   2. The first requester at or above the turn wins; with none there, the lowest requester does.
//   3. When advance is high with a grant, the turn moves to the port after the granted one (wrapping); else it stays.
//      So a port that keeps its request high is granted within PORTS advances.
//   4. After reset the turn is at port 0.
// Cost: combinational from request to grant, grant_index and grant_valid (two isolate-lowest-bit chains and a multiplexer);
//   PORTS flops. An internal part: its user registers what it grants.
// Limits: the grant can change before advance when requests change; it does not lock.
// Proved: formal/common/formal_arbiter.v
`default_nettype none
`include "moehub_width.vh"

module moehub_arbiter #(
    parameter PORTS = 4 // 1..64
) (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire [PORTS - 1:0]                      request,
    input  wire                                    advance,
    output wire                                    grant_valid,
    output wire [PORTS - 1:0]                      grant,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] grant_index
);
    generate
        if (PORTS < 1 || PORTS > 64) PORTS_must_be_1_to_64 u_rule ();
    endgenerate

    localparam [PORTS - 1:0] ONE = 1;

    reg [PORTS - 1:0] at_or_above_q; // the ports at or above the turn; all of them when the turn is at port 0

    wire [PORTS - 1:0] above = request & at_or_above_q;
    wire [PORTS - 1:0] lowest_above;
    wire [PORTS - 1:0] lowest;
    wire               wrap  = above == {PORTS{1'b0}};
    moehub_lowest_one #(.WIDTH(PORTS)) u_above (.bits(above), .lowest(lowest_above));
    moehub_lowest_one #(.WIDTH(PORTS)) u_all (.bits(request), .lowest(lowest));

    assign grant_valid = |request;
    assign grant       = wrap ? lowest : lowest_above;
    moehub_one_hot_index #(.WIDTH(PORTS)) u_index (.one_hot(grant), .index(grant_index));

    // The ports strictly above the granted one; none left means that the turn wraps to port 0. Of both candidates, before it
    // is known which one is granted: x and -x differ above the lowest one of x only.
    wire [PORTS - 1:0] after_above = above ^ (~above + ONE);
    wire [PORTS - 1:0] after_all   = request ^ (~request + ONE);
    wire [PORTS - 1:0] after       = wrap ? after_all : after_above;

    always @(posedge clk) begin
        if (advance && grant_valid) at_or_above_q <= after;
        if (rst) at_or_above_q <= {PORTS{1'b1}};
    end
endmodule

`default_nettype wire
