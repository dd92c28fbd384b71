// SPDX-License-Identifier: Apache-2.0
// Purpose: makes packets of the reduction buffer's results (doc/plane/switch.md section 2).
// Contract:
//   1. Each result gives one packet: header, then its data flits; of an error result (status not OK, one flit) the header alone.
//   2. The header: TYPE result, SOURCE and OFFSET the own port, ROUND and CONTEXT the upper bits of result_tag, TAG its lower 24
//      plus entry mod REQUEST_LINES; ELEMENT, STATUS, LENGTH as given.
//   3. packet_flits is the number of flits of the whole packet, in each of them.
//   4. packet_* are registers and a stream; packets leave in the order of the results.
// How: a result's first flit waits at the input while its header is sent: what gives results keeps it in a register.
// Cost: latency 1 to the header; a flit a cycle without gaps. 137 flops.
// Limits: result_length is 16 times the number of data flits, up to 256; 0 in an error result. result_ready is a gate of
//   result_status, packet_ready and three registers.
// Proved: formal/switch/formal_result_packer.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_result_packer #(
    parameter REQUEST_LINES = 8 // 1, 2, 4, 8
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [9:0]   own,           // port
    input  wire         result_valid,
    output wire         result_ready,
    input  wire [30:0]  result_tag,    // round, context, tag
    input  wire [3:0]   result_status,
    input  wire [1:0]   result_element,
    input  wire [9:0]   result_length, // bytes
    input  wire [15:0]  result_entry,
    input  wire [127:0] result_data,
    input  wire         result_last,
    output wire         packet_valid,
    input  wire         packet_ready,
    output wire [127:0] packet_data,
    output wire         packet_last,
    output wire [4:0]   packet_flits
);
    generate
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
    endgenerate

    localparam [31:0] LINE_MASK = REQUEST_LINES - 1;

    wire unused_upper_bits = ^{result_length[9], result_entry[15:3]};

    wire [23:0]  tag = result_tag[23:0] + {21'd0, result_entry[2:0] & LINE_MASK[2:0]};
    wire [127:0] header;

    moehub_result_header u_header (
        .own(own), .tag(tag), .context_name(result_tag[26:24]), .round(result_tag[30:27]),
        .element(result_element), .status(result_status), .length(result_length[8:0]), .header(header)
    );

    reg         in_packet_q; // the header of the flit's packet is sent
    reg         packet_valid_q;
    reg         started_q;   // no reset in the last cycle
    reg [127:0] packet_data_q;
    reg         packet_last_q;
    reg [4:0]   packet_flits_q;

    wire move  = started_q && (packet_ready || !packet_valid_q);
    wire error = result_status != 4'd`MOEHUB_STATUS_OK;

    assign result_ready = move && (in_packet_q || error);
    assign packet_valid = packet_valid_q;
    assign packet_data  = packet_data_q;
    assign packet_last  = packet_last_q;
    assign packet_flits = packet_flits_q;

    always @(posedge clk) begin
        started_q <= !rst;
        if (move) begin
            packet_valid_q <= result_valid;
            packet_data_q  <= in_packet_q ? result_data : header;
            packet_last_q  <= in_packet_q ? result_last : error;
            packet_flits_q <= 5'd1 + result_length[8:4];
            if (result_valid) in_packet_q <= in_packet_q ? !result_last : !error;
        end
        if (rst) begin
            in_packet_q    <= 1'b0;
            packet_valid_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
