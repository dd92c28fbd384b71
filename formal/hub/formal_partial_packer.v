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
    input wire                               packet_ready
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
    formal_stream_assume #(.WIDTH(`MOEHUB_PARTIAL_WIDTH + 136)) u_sum (
        .clk(clk), .rst(rst), .valid(sum_valid), .ready(sum_ready), .data({sum_partial, sum_status, sum_units, sum_data})
    );
    reg  [3:0]                         taken_q = 4'd0; // flits of this sum
    reg  [`MOEHUB_PARTIAL_WIDTH + 7:0] told_q;
    wire                               fails = sum_status != 4'd`MOEHUB_STATUS_OK;
    wire                               takes = sum_valid && sum_ready && !rst;
    assign sum_last = fails || taken_q + 4'd1 == sum_units;
    always @* assume (fails || (sum_units >= 4'd1 && sum_units <= 4'd8));
    always @* assume (taken_q == 4'd0 || {sum_partial, sum_status, sum_units} == told_q);
    always @(posedge clk) begin
        if (takes) begin
            taken_q <= sum_last ? 4'd0 : taken_q + 4'd1;
            told_q  <= {sum_partial, sum_status, sum_units};
        end
        if (rst) taken_q <= 4'd0;
    end

    // ---- what is offered: the next flit of the sum at the input, its header first, in the cycle after there was a place -------
    reg                                offered_q = 1'b0;
    reg                                begun_q   = 1'b0; // the header of the sum at the input was offered
    reg                                data_q;           // what is offered is a data flit
    reg                                last_q;
    reg                                bit_q;
    reg  [`MOEHUB_PARTIAL_WIDTH + 7:0] of_q;
    (* anyconst *) wire [6:0] number; // of a bit of the data: it stands for all
    wire place = !reset_q && (packet_ready || !offered_q);
    always @(posedge clk) begin
        if (place) begin
            offered_q <= sum_valid;
            data_q    <= begun_q;
            last_q    <= begun_q ? sum_last : fails;
            bit_q     <= sum_data[number];
            of_q      <= {sum_partial, sum_status, sum_units};
        end
        if (place && sum_valid) begun_q <= begun_q ? !sum_last : !fails;
        if (rst) begin
            offered_q <= 1'b0;
            begun_q   <= 1'b0;
        end
    end

    wire [5:0]  source;
    wire [2:0]  of_context;
    wire [3:0]  round;
    wire [23:0] tag;
    wire [1:0]  element;
    wire [3:0]  status;
    wire [3:0]  units_told;
    assign `MOEHUB_PARTIAL(source, of_context, round, tag, element) = of_q[`MOEHUB_PARTIAL_WIDTH + 7:8];
    assign {status, units_told} = of_q[7:0];
    wire [3:0]  units = status != 4'd`MOEHUB_STATUS_OK ? 4'd0 : units_told;
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
        header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH]   = status;
        header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH]   = units * 9'd16;
        header[`MOEHUB_HEADER_STAGE_LSB +: `MOEHUB_HEADER_STAGE_WIDTH]     = 1'b1;
    end
    wire leaves = packet_valid && packet_ready && !rst;
    always @* if (started_q && !rst) begin
        as_summed: assert (!(packet_valid && data_q) || (packet_data[number] == bit_q && packet_last == last_q));
        header_is: assert (!(packet_valid && !data_q) || (packet_data == header && packet_last == last_q));
        flits_is:  assert (!packet_valid || packet_flits == 5'd1 + {1'b0, units});
        no_more:   assert (!packet_valid || offered_q);
        at_once:   assert (packet_valid || !offered_q);
        takes_on:  assert (!sum_valid || sum_ready == (place && (begun_q || fails)));
    end
    always @* if (started_q) begin
        third:   cover (leaves && data_q && last_q && packet_flits == 5'd4);
        alone:   cover (leaves && !data_q && last_q);
        second:  cover (leaves && !data_q && !last_q && sum_valid && taken_q == 4'd0 && source != own[5:0]);
        stalled: cover (packet_valid && !packet_ready && data_q && sum_valid && !sum_ready);
    end
endmodule
`default_nettype wire
