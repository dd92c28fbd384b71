// SPDX-License-Identifier: Apache-2.0
// Purpose: several streams take turns at one.
// Contract:
//   1. Each word leaves once, unchanged, with the port that it came from; those of all ports in the order of their taking.
//   2. A word that stands waits for at most PORTS - 1 words of others, and for out_ready.
// Cost: latency 1, one word a cycle sustained; two words of flops.
// Limits: combinational from in_valid to in_ready; out_* are registers.
// Proved: formal/hub/formal_question_arbiter.v
`default_nettype none
`include "moehub_width.vh"

module moehub_stream_arbiter #(
    parameter PORTS = 2,  // 1..64
    parameter WIDTH = 128 // 1..
) (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire [PORTS - 1:0]                      in_valid,
    output wire [PORTS - 1:0]                      in_ready,
    input  wire [PORTS * WIDTH - 1:0]              in_data,
    output wire                                    out_valid,
    input  wire                                    out_ready,
    output wire [WIDTH - 1:0]                      out_data,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] out_port
);
    generate
        if (PORTS < 1 || PORTS > 64) PORTS_must_be_1_to_64 u_rule ();
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    localparam PORT_WIDTH = `MOEHUB_INDEX_WIDTH(PORTS);

    wire                    turn_valid;
    wire [PORTS - 1:0]      turn;
    wire [PORT_WIDTH - 1:0] port;
    wire [WIDTH - 1:0]      word;
    wire                    room;

    moehub_arbiter #(.PORTS(PORTS)) u_arbiter (
        .clk(clk), .rst(rst), .request(in_valid), .advance(room), .grant_valid(turn_valid), .grant(turn), .grant_index(port)
    );
    moehub_one_hot_mux #(.WIDTH(WIDTH), .WAYS(PORTS)) u_word (.select(turn), .words(in_data), .word(word));
    assign in_ready = turn & {PORTS{room}};

    moehub_skid_buffer #(.WIDTH(PORT_WIDTH + WIDTH)) u_out (
        .clk(clk), .rst(rst), .in_valid(turn_valid), .in_ready(room), .in_data({port, word}), .out_valid(out_valid),
        .out_ready(out_ready), .out_data({out_port, out_data})
    );
endmodule

`default_nettype wire
