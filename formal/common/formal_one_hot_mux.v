// SPDX-License-Identifier: Apache-2.0
// moehub_one_hot_mux: for every position, a vector with its only one there gives the word of that position; none gives 0.
`default_nettype none
module formal_one_hot_mux #(
    parameter WIDTH = 3,
    parameter WAYS  = 3
) (
    input wire [WAYS - 1:0]         select,
    input wire [WAYS * WIDTH - 1:0] words,
    input wire [31:0]               place
);
    localparam [WAYS - 1:0] ONE = 1;
    wire [WIDTH - 1:0] word;
    moehub_one_hot_mux #(.WIDTH(WIDTH), .WAYS(WAYS)) u_mux (.select(select), .words(words), .word(word));

    wire               only   = place < WAYS && select == ONE << place;
    wire [WIDTH - 1:0] placed = words >> place * WIDTH;
    always @* begin
        right_word: assert ((!only || word == placed) && (|select || word == 0));
        last_one:   cover (only && place == WAYS - 1 && word != 0);
    end
endmodule
`default_nettype wire
