// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_schedule with moehub_reduction_lanes, their arithmetic replaced by the sum of one bit: what a row gives,
// straight from the lanes or read later, is the sum of exactly the flits that were to be added to it since the one that
// started it. A row that the solver chooses; flits for it and for other rows come in any order, in every cycle.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_lanes_sums #(
    parameter ROWS = 2
) (
    input wire       clk,
    input wire       rst,
    input wire       flit_valid,
    input wire       flit_last,
    input wire       in_adds,
    input wire       in_starts,
    input wire       in_completes,
    input wire [(ROWS > 1 ? $clog2(ROWS) : 1) - 1:0] flit_row, // of an entry of one flit
    input wire       flit_data,
    input wire       may_pass,
    input wire       queue_fetched,
    input wire       read_valid,
    input wire [(ROWS > 1 ? $clog2(ROWS) : 1) - 1:0] read_row
);
`include "formal_reset.vh"
    localparam ROW_WIDTH = ROWS > 1 ? $clog2(ROWS) : 1;
    (* anyconst *) wire [ROW_WIDTH - 1:0] chosen;

    wire fetch_valid, lane_valid, lane_first, lane_write, send_passing, send_valid;
    wire [ROW_WIDTH - 1:0] fetch_row, lane_row;
    wire [1:0]  lane_forward;
    wire [63:0] result_data;
    reg  first_q = 1'b1;
    reg  row_from_lanes_q, row_from_memory_q;
    wire adds      = flit_valid && first_q && in_adds;
    wire starts    = in_starts;
    wire completes = in_completes && in_adds;

    wire [`MOEHUB_FLIT_WIDTH - 1:0] flit;
    assign flit[`MOEHUB_FLIT_FIRST_LSB]            = first_q;
    assign flit[`MOEHUB_FLIT_LAST_LSB]             = flit_last;
    assign flit[`MOEHUB_FLIT_ADDS_LSB]             = adds;
    assign flit[`MOEHUB_FLIT_STARTS_LSB]           = starts;
    assign flit[`MOEHUB_FLIT_COMPLETES_LSB]        = completes;
    assign flit[`MOEHUB_FLIT_FAILURE_LSB +: 2]     = {2{!in_adds}};
    assign flit[`MOEHUB_FLIT_UPPER_HALF_LSB:`MOEHUB_FLIT_ELEMENT_LSB] = 0;
    assign flit[`MOEHUB_FLIT_LAST_NUMBER_LSB +: 6] = 0;
    assign flit[`MOEHUB_FLIT_ENTRY_LSB +: 12]      = flit_row;
    assign flit[`MOEHUB_FLIT_ROW_LSB +: 18]        = flit_row;

    moehub_reduction_schedule #(.ENTRIES(ROWS), .FLITS(1), .QUEUE_ROWS(7)) u_schedule (
        .clk(clk), .rst(rst), .flit_valid(flit_valid), .flit(flit),
        .deferred_valid(), .deferred_result(), .may_pass(may_pass), .job_sent(1'b0), .queue_fetched(queue_fetched),
        .queue_dropped(3'd0), .space(),
        .fetch_valid(fetch_valid), .fetch_row(fetch_row), .lane_valid(lane_valid), .lane_row(lane_row), .lane_first(lane_first),
        .lane_forward(lane_forward), .lane_write(lane_write),
        .send_passing(send_passing), .send_valid(send_valid), .send_row()
    );
    moehub_reduction_lanes #(.ENTRIES(ROWS), .FLITS(1), .FLIT_BYTES(4), .MAX_CONTRIBUTORS(1), .WITH_FP32(0)) u_lanes (
        .clk(clk), .rst(rst), .flit(flit), .flit_data({31'd0, flit_data}),
        .fetch_valid(fetch_valid), .fetch_row(fetch_row), .lane_valid(lane_valid), .lane_row(lane_row), .lane_first(lane_first),
        .lane_forward(lane_forward), .lane_write(lane_write),
        .read_valid(read_valid), .read_row(read_row), .row_valid(row_from_lanes_q || row_from_memory_q),
        .row({`MOEHUB_ROW_WIDTH{1'b0}}),
        .row_from_lanes(row_from_lanes_q), .row_from_memory(row_from_memory_q), .row_data(result_data)
    );

    // ---- the chosen row: its sum so far; whether more may come ---------------------------------------------------------
    reg       known_q = 1'b0;  // a flit has started it
    reg       closed_q = 1'b0; // its last contributor has come
    reg       sum_q;
    reg [2:0] since_q;         // cycles since the last flit for it
    reg [4:0] its_q = 5'd0;    // bit i: a flit for it came i cycles ago
    reg [3:0] sums_q;          // and what the sum then was
    reg       passed_q;        // the last flit was not written back
    reg       read_sum_q, read_its_q = 1'b0;
    wire its  = adds && flit_row == chosen;
    wire sum  = starts ? flit_data : sum_q ^ flit_data;
    wire read = read_valid && read_row == chosen;
    always @* begin
        assume (chosen < ROWS && flit_row < ROWS && read_row < ROWS);
        assume (!rst || (!flit_valid && !read_valid));
        assume (!its || starts || (known_q && !closed_q));
        assume (!read_valid || (!fetch_valid && !send_passing)); // as moehub_reduction_waiting reads
        assume (!read || (known_q && !passed_q && since_q >= 3'd4 && !its));
    end
    always @(posedge clk) begin
        if (flit_valid) first_q <= flit_last;
        row_from_lanes_q  <= send_valid;
        row_from_memory_q <= read_valid;
        since_q <= its ? 3'd1 : since_q + {2'd0, since_q != 3'd7};
        if (its) begin
            known_q  <= 1'b1;
            closed_q <= completes;
            sum_q    <= sum;
        end
        its_q  <= {its_q[3:0], its};
        sums_q <= {sums_q[2:0], sum};
        if (its_q[0]) passed_q <= !lane_write;
        read_its_q <= read;
        read_sum_q <= sum_q;
        if (rst) begin
            first_q    <= 1'b1;
            known_q    <= 1'b0;
            its_q      <= 5'd0;
            read_its_q <= 1'b0;
        end
    end

    always @* begin
        passing_sum: assert (!started_q || !row_from_lanes_q || !its_q[3] || result_data[0] == sums_q[3]);
        stored_sum:  assert (!read_its_q || result_data[0] == read_sum_q);
    end
    always @* begin
        four_in_a_row: cover (started_q && row_from_lanes_q && its_q[3] && its_q[4] && sums_q[3]);
        stored:        cover (read_its_q && read_sum_q && closed_q);
    end
endmodule
`default_nettype wire
