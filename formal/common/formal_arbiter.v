// SPDX-License-Identifier: Apache-2.0
// moehub_arbiter: one grant, to a requester, the right one; a port that keeps asking is granted within PORTS advances.
`default_nettype none
module formal_arbiter #(
    parameter PORTS = 3
) (
    input wire               clk,
    input wire               rst,
    input wire [PORTS - 1:0] request,
    input wire               advance
);
`include "formal_reset.vh"
    localparam INDEX_WIDTH = PORTS > 1 ? $clog2(PORTS) : 1;
    localparam [PORTS - 1:0] ONE = 1;
    wire                     grant_valid;
    wire [PORTS - 1:0]       grant;
    wire [INDEX_WIDTH - 1:0] grant_index;
    moehub_arbiter #(.PORTS(PORTS)) u_arbiter (
        .clk(clk), .rst(rst), .request(request), .advance(advance),
        .grant_valid(grant_valid), .grant(grant), .grant_index(grant_index)
    );

    // The turn, as the contract tells it.
    reg [6:0]          turn_q = 7'd0;
    reg [6:0]          winner;
    reg [6:0]          port;
    integer            i;
    always @* begin
        winner = 7'd0;
        for (i = PORTS - 1; i >= 0; i = i - 1) begin
            port = turn_q + i;
            if (port >= PORTS) port = port - PORTS;
            if (request[port]) winner = port;
        end
    end
    always @(posedge clk) begin
        if (advance && |request) turn_q <= winner + 7'd1 == PORTS ? 7'd0 : winner + 7'd1;
        if (rst) turn_q <= 7'd0;
    end

    // A chosen port that keeps asking.
    (* anyconst *) wire [INDEX_WIDTH - 1:0] patient;
    always @* assume (patient < PORTS);
    reg [6:0] passed_q = 7'd0; // advances that went to others since it began to ask
    always @(posedge clk) begin
        if (!request[patient] || rst) passed_q <= 7'd0;
        else if (advance && grant[patient]) passed_q <= 7'd0;
        else if (advance && grant_valid && passed_q != PORTS) passed_q <= passed_q + 7'd1;
    end

    always @* begin
        one_grant:   assert (!started_q || (grant & (grant - ONE)) == {PORTS{1'b0}});
        to_asking:   assert (!started_q
                             || ((grant & ~request) == {PORTS{1'b0}} && (grant != {PORTS{1'b0}}) == (request != {PORTS{1'b0}})
                                            && grant_valid == (request != {PORTS{1'b0}})));
        right_one:   assert (!started_q || request == {PORTS{1'b0}} || grant == ONE << winner);
        index:       assert (!started_q || grant_index == (grant_valid ? winner[INDEX_WIDTH - 1:0] : {INDEX_WIDTH{1'b0}}));
        fair:        assert (passed_q < PORTS);
    end
    always @* begin
        all_ask:     cover (started_q && &request && turn_q == PORTS - 1 && advance);
        waited_long: cover (started_q && passed_q == PORTS - 1 && grant[patient]);
    end
endmodule
`default_nettype wire
