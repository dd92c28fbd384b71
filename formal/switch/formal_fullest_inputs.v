// SPDX-License-Identifier: Apache-2.0
// moehub_fullest_inputs: exactly the inputs whose level is at most the lowest one of two cycles before.
`default_nettype none
`include "moehub_width.vh"
module formal_fullest_inputs #(
    parameter PORTS  = 2,
    parameter PLACES = 4
) (
    input wire                                                 clk,
    input wire                                                 rst,
    input wire [PORTS * `MOEHUB_INDEX_WIDTH(PLACES + 1) - 1:0] free_places
);
`include "formal_reset.vh"
    localparam COUNT_WIDTH = `MOEHUB_INDEX_WIDTH(PLACES + 1);
    localparam SHIFT       = COUNT_WIDTH > 5 ? COUNT_WIDTH - 5 : 0;

    wire [PORTS - 1:0] fullest;
    moehub_fullest_inputs #(.PORTS(PORTS), .PLACES(PLACES)) u_fullest (
        .clk(clk), .rst(rst), .free_places(free_places), .fullest(fullest)
    );

    integer i;
    reg [COUNT_WIDTH - 1:0] level [0:PORTS - 1];
    reg [COUNT_WIDTH - 1:0] lowest;
    reg [COUNT_WIDTH - 1:0] lowest_q;        // of the cycle before
    reg [COUNT_WIDTH - 1:0] lowest_before_q; // of the one before that
    reg [PORTS - 1:0]       at_most;
    reg [PORTS - 1:0]       at_most_q;
    reg [1:0]               cycles_q = 2'd0; // since the reset
    always @* begin
        lowest = {COUNT_WIDTH{1'b1}};
        for (i = 0; i < PORTS; i = i + 1) begin
            level[i] = free_places[i * COUNT_WIDTH +: COUNT_WIDTH] >> SHIFT;
            if (level[i] < lowest) lowest = level[i];
        end
        for (i = 0; i < PORTS; i = i + 1) at_most[i] = level[i] <= lowest_before_q;
    end
    always @(posedge clk) begin
        lowest_q        <= lowest;
        lowest_before_q <= lowest_q;
        at_most_q       <= at_most;
        cycles_q        <= rst ? 2'd0 : cycles_q == 2'd3 ? 2'd3 : cycles_q + 2'd1;
    end

    always @* begin
        fullest_ones: assert (!started_q || cycles_q != 2'd3 || fullest == at_most_q);
        after_reset:  assert (!reset_q || fullest == 0);
    end
    always @* begin
        one_of_them: cover (started_q && cycles_q == 2'd3 && fullest == 1 && free_places != 0);
    end
endmodule
`default_nettype wire
