// SPDX-License-Identifier: Apache-2.0
// Purpose: one turn after the other of all askers of a hub at the address path (doc/hub/ingress.md section 4).
// Contract:
//   1. Asker 2 w asks for the stores of way w, asker 2 w + 1 for its requests. request_* are the fields of the question, with
//      port its asker, operation the lowest bit of it, and the expert once more as the tag.
//   2. Each question leaves once, unchanged; those of all askers in the order in which they were taken.
//   3. A question that stands waits for at most 2 LINKS + 1 questions of others, and for the address path.
//   4. Answers need no way back through here: their port names the asker.
// Cost: latency 1, one question a cycle sustained; two questions of flops.
// Limits: combinational from s_axis_question_tvalid to s_axis_question_tready; request_* are registers.
// Proved: formal/hub/formal_question_arbiter.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_question_arbiter #(
    parameter LINKS = 1 // 1..4
) (
    input  wire                                                   clk,
    input  wire                                                   rst,
    input  wire [2 * (LINKS + 1) - 1:0]                           s_axis_question_tvalid,
    output wire [2 * (LINKS + 1) - 1:0]                           s_axis_question_tready,
    input  wire [2 * (LINKS + 1) * `MOEHUB_QUESTION_WIDTH - 1:0]  s_axis_question_tdata,
    output wire                                                   request_valid,
    input  wire                                                   request_ready,
    output wire                                                   request_operation,
    output wire                                                   request_first,
    output wire [2:0]                                             request_context,
    output wire [15:0]                                            request_expert,
    output wire [31:0]                                            request_row_index,
    output wire [15:0]                                            request_offset,
    output wire [10:0]                                            request_length,
    output wire [9:0]                                             request_source,
    output wire [`MOEHUB_INDEX_WIDTH(2 * (LINKS + 1)) - 1:0]      request_port,
    output wire [7:0]                                             request_tag
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
    endgenerate

    localparam ASKERS = 2 * (LINKS + 1);

    wire [7:0] expert;
    wire [5:0] source;
    moehub_stream_arbiter #(.PORTS(ASKERS), .WIDTH(`MOEHUB_QUESTION_WIDTH)) u_turns (
        .clk(clk), .rst(rst), .in_valid(s_axis_question_tvalid), .in_ready(s_axis_question_tready),
        .in_data(s_axis_question_tdata), .out_valid(request_valid), .out_ready(request_ready),
        .out_data(`MOEHUB_QUESTION(request_first, request_context, expert, request_row_index, request_offset, request_length,
            source)), .out_port(request_port)
    );
    assign request_operation = request_port[0];
    assign request_expert    = {8'd0, expert};
    assign request_source    = {4'd0, source};
    assign request_tag       = expert;
endmodule

`default_nettype wire
