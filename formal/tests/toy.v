// SPDX-License-Identifier: Apache-2.0
// For formal/tests/runner: true and false properties of a counter that stops at 5.
`default_nettype none
module toy #(
    // Which of the properties that do not hold (below_5, never_go) or are too hard (hard) are asked for: 0, 1, 3, 2.
    parameter FALSE = 1
) (
    input wire clk,
    input wire go
);
    reg [3:0] count_q = 4'd0;
    always @(posedge clk) if (go && count_q != 4'd5) count_q <= count_q + 4'd1;
    always @* begin
        at_most_5: assert (count_q <= 4'd5);
        never_go:  assert (FALSE != 3 || !go);
        five:      cover (count_q == 4'd5);
        six:       cover (count_q == 4'd6);
    end

    // A factorisation that no engine finds in a second.
    (* anyconst *) wire [39:0] a;
    (* anyconst *) wire [39:0] b;
    always @* begin
        below_5: assert (FALSE != 1 || count_q < 4'd5);
        hard:    assert (FALSE != 2 || {40'd0, a} * {40'd0, b} != 80'd1000000000027999999999571);
    end
endmodule
`default_nettype wire
