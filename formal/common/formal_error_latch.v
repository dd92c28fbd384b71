// SPDX-License-Identifier: Apache-2.0
// moehub_error_latch: the first offender stays until it is cleared; told in words by a history of one word.
`default_nettype none
module formal_error_latch #(
    parameter WIDTH = 3
) (
    input wire               clk,
    input wire               rst,
    input wire               error_valid,
    input wire [WIDTH - 1:0] error,
    input wire               clear
);
`include "formal_reset.vh"
    wire               latched;
    wire               caught;
    wire [WIDTH - 1:0] first;
    moehub_error_latch #(.WIDTH(WIDTH)) u_latch (
        .clk(clk), .rst(rst), .error_valid(error_valid), .error(error), .clear(clear),
        .latched(latched), .caught(caught), .first(first)
    );
    reg               was_latched_q = 1'b0;
    reg               was_error_q   = 1'b0;
    reg               was_clear_q   = 1'b0;
    reg [WIDTH - 1:0] was_error_word_q;
    reg [WIDTH - 1:0] was_first_q;
    always @(posedge clk) begin
        was_latched_q    <= latched;
        was_error_q      <= error_valid;
        was_clear_q      <= clear;
        was_error_word_q <= error;
        was_first_q      <= first;
    end
    wire running = started_q && !reset_q;
    wire free    = !was_latched_q || was_clear_q;
    always @* begin
        stays:      assert (!running || free || (latched && first == was_first_q && !caught));
        takes:      assert (!running || !free || !was_error_q || (latched && caught && first == was_error_word_q));
        clears:     assert (!running || !free || was_error_q || (!latched && !caught));
        reset_off:  assert (!reset_q || (!latched && !caught && first == {WIDTH{1'b0}}));
    end
    always @* begin
        second:      cover (running && was_latched_q && was_error_q && !was_clear_q && was_error_word_q != was_first_q);
        with_clear:  cover (running && was_latched_q && was_error_q && was_clear_q);
        cleared:     cover (running && was_latched_q && !latched);
        reset_again: cover (reset_q && was_latched_q);
    end
endmodule
`default_nettype wire
