// SPDX-License-Identifier: Apache-2.0
// moehub_reduce_in_flight: a context is in flight exactly while lines of it were begun and are not done, from the cycle after its
// reduce was taken on; so no ADVANCE forgets a line, and none waits for one that is done.
`default_nettype none
module formal_reduce_in_flight #(
    parameter LINKS    = 2, // 1 or 2
    parameter CONTEXTS = 2,
    parameter MOST     = 6
) (
    input wire                   clk,
    input wire                   rst,
    input wire                   begins,
    input wire [2:0]             begin_context,
    input wire [3:0]             begin_lines,
    input wire [LINKS - 1:0]     done,
    input wire [LINKS * 3 - 1:0] done_context
);
`include "formal_reset.vh"
    wire [CONTEXTS - 1:0] in_flight;
    moehub_reduce_in_flight #(.LINKS(LINKS), .CONTEXTS(CONTEXTS), .MOST(MOST)) u_in_flight (
        .clk(clk), .rst(rst), .begin_valid(begins), .begin_context(begin_context), .begin_lines(begin_lines), .done_valid(done),
        .done_context(done_context), .in_flight(in_flight)
    );

    // One context of the solver's choice. A reduce has 1 to 8 lines; the lines of all are never more than MOST, by the slots and
    // groups that there are; a line is done after its reduce was taken (the header of the block).
    (* anyconst *) wire [2:0] name;
    always @* assume (name < CONTEXTS);
    wire       of_it = begins && begin_context == name;
    wire [1:0] ends  = {LINKS > 1 && done[LINKS > 1 ? 1 : 0] && done_context[LINKS > 1 ? 3 : 0 +: 3] == name,
        done[0] && done_context[2:0] == name};
    wire [1:0] less  = {1'b0, ends[1]} + {1'b0, ends[0]};
    reg  [4:0] lines_q = 5'd0;
    reg        was_q   = 1'b0; // all that the counter holds
    always @* begin
        assume (!begins || (begin_lines != 4'd0 && begin_lines <= 4'd8));
        assume ({3'd0, less} <= lines_q);
        assume (!of_it || lines_q + {1'b0, begin_lines} <= MOST);
    end
    always @(posedge clk) begin
        lines_q <= rst ? 5'd0 : lines_q + (of_it ? {1'b0, begin_lines} : 5'd0) - {3'd0, less};
        was_q   <= !rst && (was_q || lines_q == MOST);
    end
    always @* if (started_q) in_flight_is: assert (in_flight[name] == (lines_q != 5'd0));
    always @* if (started_q) begin
        empties: cover (was_q && lines_q == 5'd0 && !in_flight[name]);
        both:    cover (of_it && less == LINKS && lines_q == LINKS);
    end
endmodule
`default_nettype wire
