// SPDX-License-Identifier: Apache-2.0
// Purpose: joins two streams of packets into one, packet by packet, in turn.
// Contract:
//   1. Packets of one input leave in their order, unchanged, and whole: in_last marks a packet's last flit.
//   2. A packet waits for at most one of the other input, once it is the oldest of its own. out_port names the input.
//   3. in_ready are registers; out_* are gates of in_valid.
// Cost: no latency; a flit a cycle; two places of WIDTH bits.
// Proved: formal/common/formal_packet_join.v
`default_nettype none

module moehub_packet_join #(
    parameter WIDTH = 128 // 1..
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [1:0]             in_valid,
    output wire [1:0]             in_ready,
    input  wire [2 * WIDTH - 1:0] in_data,
    input  wire [1:0]             in_last,
    output wire                   out_valid,
    input  wire                   out_ready,
    output wire [WIDTH - 1:0]     out_data,
    output wire                   out_last,
    output wire                   out_port
);
    generate
        if (WIDTH < 1) WIDTH_must_be_at_least_1 u_rule ();
    endgenerate

    // ---- one place an input: so that no ready hangs on the other's valid ------------------------------------------------
    wire [1:0]             valid;
    wire [1:0]             ready;
    wire [2 * WIDTH - 1:0] data;
    wire [1:0]             last;
    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : g_input
            moehub_ready_buffer #(.WIDTH(WIDTH + 1)) u_in (
                .clk(clk), .rst(rst), .in_valid(in_valid[i]), .in_ready(in_ready[i]),
                .in_data({in_last[i], in_data[i * WIDTH +: WIDTH]}), .out_valid(valid[i]), .out_ready(ready[i]),
                .out_data({last[i], data[i * WIDTH +: WIDTH]})
            );
        end
    endgenerate

    // ---- whose packet ---------------------------------------------------------------------------------------------------
    reg  inside_q; // of a packet, or one is offered: whose
    reg  port_q;
    wire any;
    wire [1:0] unused_grant;
    wire chosen;
    wire port  = inside_q ? port_q : chosen;
    moehub_arbiter #(.PORTS(2)) u_turns (
        .clk(clk), .rst(rst), .request(valid), .advance(out_valid && !inside_q), .grant_valid(any), .grant(unused_grant),
        .grant_index(chosen)
    );

    assign out_valid = inside_q ? valid[port_q] : any;
    assign out_data  = port ? data[WIDTH +: WIDTH] : data[0 +: WIDTH];
    assign out_last  = last[port];
    assign out_port  = port;
    assign ready     = {port, !port} & {2{out_ready && out_valid}};

    always @(posedge clk) begin
        if (out_valid) inside_q <= !(out_ready && out_last);
        if (out_valid) port_q <= port;
        if (rst) inside_q <= 1'b0;
    end
endmodule

`default_nettype wire
