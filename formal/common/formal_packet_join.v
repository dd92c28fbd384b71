// SPDX-License-Identifier: Apache-2.0
// moehub_packet_join: flits of an input leave once, in their order and unchanged; packets leave whole; the oldest packet of an
// input waits for at most one of the other, and for nothing else.
`default_nettype none
module formal_packet_join #(
    parameter WIDTH = 2
) (
    input wire                   clk,
    input wire                   rst,
    input wire [1:0]             in_valid,
    input wire [2 * WIDTH - 1:0] in_data,
    input wire [1:0]             in_last,
    input wire                   out_ready,
    input wire                   mark
);
`include "formal_reset.vh"
    wire [1:0]         in_ready;
    wire               out_valid;
    wire [WIDTH - 1:0] out_data;
    wire               out_last;
    wire               out_port;
    moehub_packet_join #(.WIDTH(WIDTH)) u_join (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data), .in_last(in_last),
        .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .out_last(out_last), .out_port(out_port)
    );
    formal_stream_assume #(.WIDTH(WIDTH + 1)) u_in_0 (
        .clk(clk), .rst(rst), .valid(in_valid[0]), .ready(in_ready[0]), .data({in_last[0], in_data[0 +: WIDTH]})
    );
    formal_stream_assume #(.WIDTH(WIDTH + 1)) u_in_1 (
        .clk(clk), .rst(rst), .valid(in_valid[1]), .ready(in_ready[1]), .data({in_last[1], in_data[WIDTH +: WIDTH]})
    );
    formal_stream_assert #(.WIDTH(WIDTH + 2)) u_out (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data({out_port, out_last, out_data})
    );

    // ---- one input of the solver's choice, and one of its flits ----------------------------------------------------------
    (* anyconst *) wire own;
    wire               enters = in_valid[own] && in_ready[own] && !rst;
    wire               leaves = out_valid && out_ready && !rst;
    wire               its    = leaves && out_port == own;
    wire [WIDTH:0]     item   = {in_last[own], own ? in_data[WIDTH +: WIDTH] : in_data[0 +: WIDTH]};
    reg  [1:0]         inside_q = 2'd0; // flits that entered and did not leave
    reg                marked_q = 1'b0;
    reg  [1:0]         ahead_q;
    reg  [WIDTH:0]     item_q;
    wire               marks  = enters && mark && !marked_q;
    wire               turn   = marked_q ? ahead_q == 2'd0 : marks && inside_q == 2'd0;
    reg                open_q = 1'b0;   // a packet has begun to leave, and has not left
    reg                open_port_q;
    reg  [1:0]         passed_q = 2'd0; // packets of the other that left while its oldest waited
    wire               any    = inside_q != 2'd0 || in_valid[own]; // it has a flit
    wire               waits  = any && !(open_q && open_port_q == own);
    always @(posedge clk) begin
        inside_q <= inside_q + {1'b0, enters} - {1'b0, its};
        if (marks) item_q <= item;
        if (marks) ahead_q <= inside_q - {1'b0, its};
        else if (its && marked_q) ahead_q <= ahead_q - 2'd1;
        marked_q <= (marks || marked_q) && !(turn && its);
        if (leaves) open_q <= !out_last;
        if (leaves) open_port_q <= out_port;
        if (!waits || its) passed_q <= 2'd0;
        else if (leaves && out_last && passed_q != 2'd3) passed_q <= passed_q + 2'd1;
        if (rst) begin
            inside_q <= 2'd0;
            marked_q <= 1'b0;
            open_q   <= 1'b0;
            passed_q <= 2'd0;
        end
    end

    always @* if (started_q && !rst) begin
        as_given:   assert (!(turn && out_valid && out_port == own) || {out_last, out_data} == (marked_q ? item_q : item));
        no_more:    assert (!(out_valid && out_port == own) || any);
        whole:      assert (!(out_valid && open_q) || out_port == open_port_q);
        waits_one:  assert (passed_q <= 2'd1);
        goes_on:    assert (reset_q || !any || out_valid || (open_q && open_port_q != own));
        takes:      assert (reset_q || in_ready[own] || inside_q != 2'd0);
        one_place:  assert (inside_q <= 2'd1);
    end
    always @* if (started_q) begin
        waited:     cover (passed_q == 2'd1 && its && !out_last);
        kept:       cover (marked_q && turn && its && open_q);
        other_open: cover (open_q && open_port_q != own && inside_q != 2'd0);
    end
endmodule
`default_nettype wire
