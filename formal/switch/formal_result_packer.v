// SPDX-License-Identifier: Apache-2.0
// moehub_result_packer: headers and data, in order, without gaps. Of the data the low bits stand for all.
`default_nettype none
`include "moehub_defines.vh"
module formal_result_packer #(
    parameter REQUEST_LINES = 4
) (
    input wire         clk,
    input wire         rst,
    input wire [9:0]   own,
    input wire         result_valid,
    input wire [30:0]  result_tag,
    input wire [3:0]   result_status,
    input wire [1:0]   result_element,
    input wire [9:0]   result_length,
    input wire [15:0]  result_entry,
    input wire [127:0] result_data,
    input wire         result_last,
    input wire         packet_ready
);
`include "formal_reset.vh"
    wire         result_ready;
    wire         packet_valid;
    wire [127:0] packet_data;
    wire         packet_last;
    wire [4:0]   packet_flits;
    moehub_result_packer #(.REQUEST_LINES(REQUEST_LINES)) u_packer (
        .clk(clk), .rst(rst), .own(own), .result_valid(result_valid), .result_ready(result_ready), .result_tag(result_tag),
        .result_status(result_status), .result_element(result_element), .result_length(result_length),
        .result_entry(result_entry), .result_data(result_data), .result_last(result_last),
        .packet_valid(packet_valid), .packet_ready(packet_ready),
        .packet_data(packet_data), .packet_last(packet_last), .packet_flits(packet_flits)
    );
    localparam FIELDS_WIDTH = 31 + 4 + 2 + 9 + 3;
    wire [FIELDS_WIDTH - 1:0] fields = {result_tag, result_status, result_element, result_length[8:0], result_entry[2:0]};
    formal_stream_assume #(.WIDTH(FIELDS_WIDTH + 5)) u_in (
        .clk(clk), .rst(rst), .valid(result_valid), .ready(result_ready), .data({fields, result_data[3:0], result_last})
    );
    formal_stream_assert #(.WIDTH(128 + 6)) u_out (
        .clk(clk), .rst(rst), .valid(packet_valid), .ready(packet_ready), .data({packet_data, packet_last, packet_flits})
    );

    // ---- results as the reduction buffer gives them: all flits of a packet have its fields, an error has one of length 0
    reg                       inside_q = 1'b0; // a packet's first flit was taken, its last not
    reg [FIELDS_WIDTH - 1:0]  fields_q;
    reg [9:0]                 own_q;
    wire enter = result_valid && result_ready;
    always @(posedge clk) begin
        own_q <= own;
        if (enter) begin
            fields_q <= fields;
            inside_q <= !result_last;
        end
        if (rst) inside_q <= 1'b0;
    end
    always @* begin
        assume (!started_q || own == own_q);
        assume (!inside_q || fields == fields_q);
        assume (result_status == 4'd`MOEHUB_STATUS_OK || (result_last && result_length == 10'd0));
        assume (!result_length[9] && result_length <= 10'd256 && result_length[3:0] == 4'd0);
    end

    // ---- what is offered: the next flit of the result at the input, its header first, in the cycle after there was a place ----
    reg                      offered_q = 1'b0;
    reg                      body_q    = 1'b0; // it is a flit that was taken
    reg                      begun_q   = 1'b0; // the header of the result at the input was offered
    reg [FIELDS_WIDTH - 1:0] expected_q;
    reg [3:0]                expected_data_q;
    reg                      expected_last_q;

    wire [30:0] tag;
    wire [3:0]  status;
    wire [1:0]  element;
    wire [8:0]  length;
    wire [2:0]  line;
    assign {tag, status, element, length, line} = expected_q;
    wire        error     = status != 4'd`MOEHUB_STATUS_OK;
    wire [23:0] line_tag  = tag[23:0] + {21'd0, line % REQUEST_LINES[3:0]};
    wire [127:0] header   = {5'd0, tag[30:27], 6'd0, 1'b1, 32'd0, 6'd0, own, 2'd0, element, status, line_tag, tag[26:24], own,
        length, 1'b0, 1'b0, 1'b0, 1'b0, 2'd0, 4'd5};
    wire leave  = packet_valid && packet_ready;
    wire place  = !reset_q && (packet_ready || !offered_q);
    wire alone  = result_status != 4'd`MOEHUB_STATUS_OK; // a header without data
    always @(posedge clk) begin
        if (place) begin
            offered_q       <= result_valid;
            body_q          <= enter && !alone;
            expected_q      <= fields;
            expected_data_q <= result_data[3:0];
            expected_last_q <= result_last;
        end
        if (place && result_valid) begun_q <= enter ? !result_last : 1'b1;
        if (rst) begin
            offered_q <= 1'b0;
            begun_q   <= 1'b0;
        end
    end

    always @* begin
        headers: assert (!packet_valid || body_q || !started_q || packet_data == header);
        tags:    assert (!packet_valid || body_q || !started_q || packet_data[55:32] == line_tag);
        data:    assert (!packet_valid || !body_q || !started_q || packet_data[3:0] == expected_data_q);
        ends:    assert (!packet_valid || !started_q || packet_last == (body_q ? expected_last_q : error));
        counts:  assert (!packet_valid || !started_q || packet_flits == 5'd1 + length / 9'd16);
        no_gap:  assert (!started_q || packet_valid == offered_q);
        takes:   assert (!started_q || !result_valid || result_ready == (place && (begun_q || alone)));
    end
    always @* begin
        error_behind: cover (leave && body_q && expected_last_q && result_valid && alone);
        long_one:     cover (leave && body_q && length == 9'd256 && expected_last_q);
        last_line:    cover (leave && !body_q && line == 3'd7 && tag[23:0] == 24'hffffff);
    end
endmodule
`default_nettype wire
