// SPDX-License-Identifier: Apache-2.0
// moehub_partial_packer: of each sum its header leaves, then each of its data flits once, in order, unchanged; of one with a
// status the header alone. A flit shows in the next cycle.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_partial_packer (
    input wire                               clk,
    input wire                               rst,
    input wire                               sum_valid,
    input wire [`MOEHUB_PARTIAL_WIDTH - 1:0] sum_partial,
    input wire [3:0]                         sum_status,
    input wire [3:0]                         sum_units,
    input wire [127:0]                       sum_data,
    input wire                               packet_ready,
    input wire                               mark,
    input wire                               mark_header
);
`include "formal_reset.vh"
    (* anyconst *) wire [9:0] own;
    wire         sum_last;
    wire         sum_ready;
    wire         packet_valid;
    wire [127:0] packet_data;
    wire         packet_last;
    wire [4:0]   packet_flits;
    moehub_partial_packer u_packer (
        .clk(clk), .rst(rst), .own(own), .sum_valid(sum_valid), .sum_ready(sum_ready), .sum_partial(sum_partial),
        .sum_status(sum_status), .sum_units(sum_units), .sum_data(sum_data), .sum_last(sum_last), .packet_valid(packet_valid),
        .packet_ready(packet_ready), .packet_data(packet_data), .packet_last(packet_last), .packet_flits(packet_flits)
    );
    formal_stream_assert #(.WIDTH(134)) u_packet (
        .clk(clk), .rst(rst), .valid(packet_valid), .ready(packet_ready), .data({packet_flits, packet_last, packet_data})
    );

    // ---- sums: sum_units flits, the same is told beside each; one with a status is one flit -------------------------------
    reg  [3:0]                         taken_q = 4'd0; // flits of this sum
    reg  [`MOEHUB_PARTIAL_WIDTH + 7:0] told_q;
    wire                               first = taken_q == 4'd0;
    wire                               fails = sum_status != 4'd`MOEHUB_STATUS_OK;
    wire                               takes = sum_valid && sum_ready && !rst;
    assign sum_last = fails || taken_q + 4'd1 == sum_units;
    always @* assume (fails || (sum_units >= 4'd1 && sum_units <= 4'd8));
    always @* assume (first || {sum_partial, sum_status, sum_units} == told_q);

    // ---- what each becomes: a header, and a data flit ---------------------------------------------------------------------
    wire [5:0]  source;
    wire [2:0]  of_context;
    wire [3:0]  round;
    wire [23:0] tag;
    wire [1:0]  element;
    assign `MOEHUB_PARTIAL(source, of_context, round, tag, element) = sum_partial;
    wire [3:0]  units = fails ? 4'd0 : sum_units;
    reg  [127:0] header; // rtl/doc/hub/reduce.md section 2
    always @* begin
        header = 128'd0;
        header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH]       = 4'd4;
        header[`MOEHUB_HEADER_SOURCE_LSB +: `MOEHUB_HEADER_SOURCE_WIDTH]   = own;
        header[`MOEHUB_HEADER_OFFSET_LSB +: `MOEHUB_HEADER_OFFSET_WIDTH]   = {10'd0, source};
        header[`MOEHUB_HEADER_TAG_LSB +: `MOEHUB_HEADER_TAG_WIDTH]         = tag;
        header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH] = of_context;
        header[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH]     = round;
        header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH] = element;
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]   = sum_status;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]   = units * 9'd16;
        header[`MOEHUB_HEADER_STAGE_LSB +: `MOEHUB_HEADER_STAGE_WIDTH]     = 1'b1;
    end
    wire [2:0]   more    = takes ? {2'd0, first} + {2'd0, !fails} : 3'd0;
    wire         leaves  = packet_valid && packet_ready && !rst;
    reg          marked_q = 1'b0;
    wire         marks   = takes && mark && !marked_q && (mark_header ? first : !fails);
    reg  [2:0]   inside_q = 3'd0; // flits to be sent
    reg  [2:0]   ahead_q;
    reg  [127:0] data_q;
    reg          last_q;
    reg  [4:0]   flits_q;
    reg          header_q;
    wire         turn = marked_q && ahead_q == 3'd0;
    always @(posedge clk) begin
        if (takes) begin
            taken_q <= sum_last ? 4'd0 : taken_q + 4'd1;
            told_q  <= {sum_partial, sum_status, sum_units};
        end
        inside_q <= inside_q + more - {2'd0, leaves};
        if (marks) begin
            marked_q <= 1'b1;
            ahead_q  <= inside_q - {2'd0, leaves} + {2'd0, first && !mark_header};
            data_q   <= mark_header ? header : sum_data;
            last_q   <= mark_header ? fails : sum_last;
            flits_q  <= 5'd1 + {1'b0, units};
            header_q <= mark_header;
        end else if (marked_q && leaves) begin
            ahead_q  <= ahead_q - 3'd1;
            marked_q <= !turn;
        end
        if (rst) begin
            taken_q  <= 4'd0;
            inside_q <= 3'd0;
            marked_q <= 1'b0;
        end
    end
    always @* if (started_q && !rst) begin
        as_summed: assert (!(turn && packet_valid && !header_q) || (packet_data == data_q && packet_last == last_q));
        header_is: assert (!(turn && packet_valid && header_q) || (packet_data == data_q && packet_last == last_q));
        flits_is:  assert (!(turn && packet_valid) || packet_flits == flits_q);
        no_more:   assert (!packet_valid || inside_q != 3'd0);
        at_once:   assert (packet_valid || inside_q == 3'd0);
        takes_on:  assert (reset_q || sum_ready || inside_q >= 3'd2);
    end
    always @* if (started_q) begin
        third:   cover (turn && leaves && !header_q && last_q && flits_q == 5'd4);
        alone:   cover (turn && leaves && header_q && last_q);
        second:  cover (turn && leaves && header_q && !last_q && taken_q != 4'd0);
        stalled: cover (turn && leaves && inside_q == 3'd3);
    end
endmodule
`default_nettype wire
