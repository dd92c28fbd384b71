// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_lanes: same ports, same cycles, but a row is one sum of two bits (modulo 4) of the flits' lowest
// two bits. What leaves shows, beside the sum, the type that the finalizers would be told and which flit of the row it is:
// {second, out_fp32, element, sum}; zero for an error.

    localparam ROW_WIDTH = `MOEHUB_INDEX_WIDTH(ENTRIES * FLITS);
    wire [1:0] row_element  = row[`MOEHUB_ROW_ELEMENT_LSB +: 2];
    wire       row_out_fp32 = row[`MOEHUB_ROW_OUT_FP32_LSB];
    localparam LATENCY = `MOEHUB_FINALIZE_LATENCY;

    reg [1:0]             write_q;
    reg [ROW_WIDTH - 1:0] write_row_a_q;
    reg [ROW_WIDTH - 1:0] write_row_b_q;
    reg [1:0]             x_q;       // beside lane_*
    reg [1:0]             x_2_q;     // one cycle later, as what follows
    reg                   first_q;
    reg [1:0]             forward_q;
    reg [1:0]             stored_q;
    reg [1:0]             sum_q;     // at the accumulators' end
    reg [1:0]             sum_2_q;   // one cycle later
    wire [1:0]            rdata;
    wire                  unused_parity;

    moehub_memory_1r1w #(.WIDTH(2), .DEPTH(ENTRIES * FLITS)) u_elements (
        .clk(clk), .write_enable(write_q[1]), .write_address(write_row_b_q), .write_data(sum_q),
        .read_enable(fetch_valid || read_valid), .read_address(fetch_valid ? fetch_row : read_row),
        .read_data(rdata), .parity_error(unused_parity)
    );

    wire [1:0] before = first_q ? 2'd0 : forward_q == 2'd1 ? sum_q : forward_q == 2'd2 ? sum_2_q : stored_q;

    reg [5 * LATENCY - 1:0] leaving_q;
    wire [1:0] row_sum = (sum_2_q & {2{row_from_lanes}}) | (rdata & {2{row_from_memory}});
    wire [2:0] row_type = {row_out_fp32, row_element} & {3{row_from_lanes || row_from_memory}};

    always @(posedge clk) begin
        x_q           <= flit_data[1:0];
        x_2_q         <= x_q;
        first_q       <= lane_first;
        forward_q     <= lane_forward;
        stored_q      <= lane_forward == 2'd3 ? sum_2_q : rdata;
        sum_q         <= before + x_2_q;
        sum_2_q       <= sum_q;
        write_q       <= {write_q[0], lane_write};
        write_row_a_q <= lane_row;
        write_row_b_q <= write_row_a_q;
        leaving_q     <= {leaving_q[5 * (LATENCY - 1) - 1:0], row_type, row_sum};
        if (rst) write_q <= 2'd0;
    end

    wire [4:0]                  leaves = leaving_q[5 * (LATENCY - 1) +: 5];
    wire [8 * FLIT_BYTES - 7:0] zeros  = 0;
    assign parity_error = 1'b0;
    assign row_data = {zeros, 1'b1, leaves, zeros, 1'b0, leaves};
