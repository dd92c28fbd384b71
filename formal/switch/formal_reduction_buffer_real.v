// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_buffer with its real data path: one reservation for port 0, port 1 or both, partials of one bf16 element of
// -3 to 3 at any time, in any order, duplicates and foreign ones among them. Its one result is OK and the exact sum of the
// first partial of each of its ports; there is no second one.
`default_nettype none
`include "moehub_defines.vh"
module formal_reduction_buffer_real (
    input wire       clk,
    input wire       rst,
    input wire       reserve_valid,
    input wire       grant_ready,
    input wire       partial_valid,
    input wire       partial_port,
    input wire       partial_minus,
    input wire [1:0] partial_value,
    input wire       result_ready
);
`include "formal_one_reset.vh"
    (* anyconst *) wire [1:0] set;

    function [14:0] bf16(input [2:0] number);
        case (number)
            3'd0:    bf16 = 15'h0000;
            3'd1:    bf16 = 15'h3f80;
            3'd2:    bf16 = 15'h4000;
            3'd3:    bf16 = 15'h4040;
            3'd4:    bf16 = 15'h4080;
            3'd5:    bf16 = 15'h40a0;
            default: bf16 = 15'h40c0;
        endcase
    endfunction

    wire        reserve_ready, grant_valid, partial_ready, result_valid, result_last;
    wire [3:0]  result_status;
    wire [31:0] result_data;
    reg         reserved_q = 1'b0; // accepted
    moehub_reduction_buffer #(
        .ENTRIES(1), .PORTS(3), .PAYLOAD_BYTES(4), .FLIT_BYTES(4), .MAX_CONTRIBUTORS(2), .WITH_FP32(0), .GENERATION_WIDTH(1),
        .TAG_WIDTH(1)
    ) u_buffer (
        .clk(clk), .rst(rst), .own_port(2'd2),
        .reserve_valid(reserve_valid && !reserved_q), .reserve_ready(reserve_ready), .reserve_requester(10'd0),
        .reserve_tag(1'b0), .reserve_element(2'd0), .reserve_out_fp32(1'b0), .reserve_lines_less_1(1'b0),
        .reserve_length(9'd2),
        .reserve_contributors({1'b0, set}), .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(), .grant_entry(),
        .grant_generation(), .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_entry(16'd0),
        .partial_generation(8'd0), .partial_port({1'b0, partial_port}), .partial_status(4'd0), .partial_element(2'd0),
        .partial_length(9'd2), .partial_data({16'd0, partial_minus, bf16({1'b0, partial_value})}), .partial_last(1'b1),
        .result_valid(result_valid), .result_ready(result_ready), .result_requester(), .result_tag(),
        .result_status(result_status), .result_element(), .result_length(), .result_entry(), .result_data(result_data),
        .result_last(result_last),
        .command_valid(1'b0), .command_ready(), .command_operation(4'd0), .command_data(32'd0), .command_done(),
        .command_refused(), .port_timeout(32'd0), .released_valid(1'b0), .released_ready(), .released_entry(16'd0),
        .freed_valid(), .freed_entry(), .missing_valid(), .missing_ports(), .initialised(), .empty(), .draining(),
        .occupancy(), .timeout_valid(), .timeout_entry(),
        .events(), .error_valid(), .error_cause(), .error_header(), .error_port()
    );

    reg              open_q = 1'b0; // the grant was taken
    reg              done_q = 1'b0; // the result was taken
    reg [1:0]        answered_q = 2'd0;
    reg signed [3:0] sum_q = 4'sd0;
    wire             flit  = partial_valid && partial_ready;
    wire [1:0]       port  = partial_port ? 2'd2 : 2'd1;
    wire             adds  = flit && open_q && |(port & set & ~answered_q);
    wire signed [3:0] value = partial_minus ? -$signed({2'b00, partial_value}) : $signed({2'b00, partial_value});
    wire [2:0]       amount = sum_q[3] ? -sum_q : sum_q;
    always @* begin
        assume (set != 2'd0);
        assume (!partial_minus || partial_value != 2'd0); // no -0
    end
    always @(posedge clk) begin
        if (reserve_valid && reserve_ready) reserved_q <= 1'b1;
        if (grant_valid && grant_ready) open_q <= 1'b1;
        if (result_valid && result_ready) done_q <= 1'b1;
        if (adds) begin
            answered_q <= answered_q | port;
            sum_q      <= sum_q + value;
        end
        if (rst) begin
            reserved_q <= 1'b0;
            open_q     <= 1'b0;
            done_q     <= 1'b0;
            answered_q <= 2'd0;
            sum_q      <= 4'sd0;
        end
    end

    always @* begin
        exact_sum: assert (!started_q || !result_valid
                           || (!done_q && answered_q == set && result_status == `MOEHUB_STATUS_OK && result_last
                       && result_data == {16'd0, sum_q[3], bf16(amount)}));
    end
    always @* begin
        five: cover (result_valid && sum_q == -4'sd5);
    end
endmodule
`default_nettype wire
