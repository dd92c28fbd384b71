// SPDX-License-Identifier: Apache-2.0
// For formal/tests/runner: a register between input and output, which a theorem takes as a wire.
`default_nettype none
module toy_function (
    input wire       clk,
    input wire [3:0] word
);
    reg [3:0] word_q;
    always @(posedge clk) word_q <= word;
    always @* begin
        same:    assert (word_q == word);
        seven:   cover (word_q == 4'd7);
        another: cover (word_q != word); // in no cycle, if what the register holds first does not count
    end
endmodule
`default_nettype wire
