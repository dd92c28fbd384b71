// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_schedule's count of the places in the result queue: whatever passes and whatever waiting results send, rows
// in the queue never exceed it. The queue and moehub_reduction_waiting are counters: rows without commit are dropped by the next
// first row; a waiting result sends while there is space and nothing passes, and starts again when something passes.
`default_nettype none
`include "moehub_reduction.vh"
module formal_reduction_schedule_room #(
    parameter FLITS      = 1,
    parameter QUEUE_ROWS = 8, // of the block: 2 * FLITS + 24
    parameter DELAY      = 1, // of the finalizers
    parameter RETURNS    = 14 // cycles without a partial until there is space, and room for a result that passes
) (
    input wire clk,
    input wire rst,
    input wire flit_valid,
    input wire flit_last,
    input wire in_passes,  // the packet completes a good entry
    input wire in_bad,     // its last flit shows that its frame is bad
    input wire may_pass,
    input wire job_asks,
    input wire fetch
);
`include "formal_reset.vh"
    localparam USED_WIDTH = $clog2(QUEUE_ROWS + 1);
    reg       first_q = 1'b1;
    reg       passes_q;
    reg [2:0] index_q;
    wire       passes  = first_q ? in_passes : passes_q;
    wire [2:0] index   = first_q ? 3'd0 : index_q;
    wire       adds    = flit_valid && passes && index < FLITS;
    wire       bad     = !first_q && flit_last && (in_bad || index >= FLITS);
    always @* assume (!rst || !flit_valid);
    always @(posedge clk) begin
        if (flit_valid) begin
            first_q  <= flit_last;
            passes_q <= passes;
            index_q  <= index + {2'd0, index != 3'd7};
        end
        if (rst) first_q <= 1'b1;
    end

    wire deferred, space, send_passing, send_begins, send_valid, send_commit;
    reg  job_open_q = 1'b0; // a waiting result has sent its first row, not its last
    reg  fetched_q;
    reg  [USED_WIDTH - 1:0] dropped_q;
    wire job_sent = job_asks && space && !send_passing && !rst;
    wire [`MOEHUB_FLIT_WIDTH - 1:0] flit;
    assign flit[`MOEHUB_FLIT_FIRST_LSB]            = first_q;
    assign flit[`MOEHUB_FLIT_LAST_LSB]             = flit_last;
    assign flit[`MOEHUB_FLIT_ADDS_LSB]             = adds;
    assign flit[`MOEHUB_FLIT_STARTS_LSB]           = 1'b1;
    assign flit[`MOEHUB_FLIT_COMPLETES_LSB]        = passes;
    assign flit[`MOEHUB_FLIT_FAILURE_LSB +: 2]     = {2{bad}};
    assign flit[`MOEHUB_FLIT_UPPER_HALF_LSB:`MOEHUB_FLIT_ELEMENT_LSB] = 0;
    assign flit[`MOEHUB_FLIT_LAST_NUMBER_LSB +: 6] = 0;
    assign flit[`MOEHUB_FLIT_ENTRY_LSB +: 12]      = 0;
    assign flit[`MOEHUB_FLIT_ROW_LSB +: 18]        = 0;
    wire [`MOEHUB_ROW_WIDTH - 1:0] send_row;
    assign send_begins = send_row[`MOEHUB_ROW_FIRST_LSB];
    assign send_commit = send_row[`MOEHUB_ROW_COMMIT_LSB];

    moehub_reduction_schedule #(.ENTRIES(1), .FLITS(FLITS), .QUEUE_ROWS(QUEUE_ROWS)) u_schedule (
        .clk(clk), .rst(rst), .flit_valid(flit_valid), .flit(flit),
        .deferred_valid(deferred), .deferred_result(), .may_pass(may_pass), .job_sent(job_sent), .queue_fetched(fetched_q),
        .queue_dropped(dropped_q), .space(space),
        .fetch_valid(), .fetch_row(), .lane_valid(), .lane_row(), .lane_first(), .lane_forward(), .lane_write(),
        .send_passing(send_passing), .send_valid(send_valid), .send_row(send_row)
    );

    // ---- rows: one register, the finalizers, the queue ------------------------------------------------------------------------
    reg [3 * DELAY + 2:0] way_q = 0;
    reg [USED_WIDTH:0]    open_q = 0; // not committed
    reg [USED_WIDTH:0]    full_q = 0; // committed, not fetched
    wire arrives, arrives_first, arrives_commit;
    assign {arrives, arrives_first, arrives_commit} = way_q[3 * DELAY +: 3];
    wire [USED_WIDTH:0] open  = (arrives_first ? 0 : open_q) + 1'b1;
    wire                takes = fetch && full_q != 0;
    always @(posedge clk) begin
        way_q <= {way_q, send_valid || job_sent, send_valid ? send_begins : !job_open_q,
            send_valid ? send_commit : FLITS == 1 || job_open_q};
        if (job_sent) job_open_q <= FLITS != 1 && !job_open_q;
        if (send_begins) job_open_q <= 1'b0;
        dropped_q <= arrives && arrives_first ? open_q : 0;
        fetched_q <= takes;
        if (arrives) open_q <= arrives_commit ? 0 : open;
        full_q <= full_q + (arrives && arrives_commit ? open : 0) - takes;
        if (rst) begin
            way_q      <= 0;
            job_open_q <= 1'b0;
            dropped_q  <= 0;
            fetched_q  <= 1'b0;
            open_q     <= 0;
            full_q     <= 0;
        end
    end

    reg [4:0] quiet_q = 5'd0; // cycles in a row without a partial and without a waiting result's row, the queue emptied
    always @(posedge clk)
        quiet_q <= rst || flit_valid || job_sent || (full_q != 0 && !fetch) ? 5'd0 : quiet_q + {4'd0, quiet_q != 5'd31};

    always @* begin
        space_returns: assert (quiet_q < RETURNS
                               || (space && !(flit_valid && first_q && flit_last && passes && may_pass && deferred)));
        fits: assert (open_q + full_q <= QUEUE_ROWS);
    end
    always @* begin
        filled:  cover (started_q && !reset_q && open_q + full_q + 3 >= QUEUE_ROWS);
        dropped: cover (started_q && !reset_q && dropped_q != 0);
    end
endmodule
`default_nettype wire
