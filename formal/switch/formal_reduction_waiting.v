// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_schedule and moehub_reduction_waiting: every entry that ends, by its last packet or its timeout, gives one
// committed result with its status and its rows, for a solver-chosen entry. The check is replaced by what is proved of it (an
// entry ends once for each opening; a good last packet has its payload's flits), the result queue by counters.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_waiting #(
    parameter ENTRIES    = 1,
    parameter FLITS      = 1,
    parameter QUEUE_ROWS = 9, // of the block: 2 * FLITS + 24
    parameter DELAY      = 1  // of the finalizers
) (
    input wire       clk,
    input wire       rst,
    input wire       flit_valid,
    input wire       flit_last,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] in_entry,
    input wire       in_adds,
    input wire       in_starts,
    input wire       in_completes,
    input wire [1:0] in_failure,
    input wire       in_bad_frame,
    input wire [(FLITS > 1 ? $clog2(FLITS) : 1) - 1:0] in_last_number,
    input wire       timed_out_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] timed_out_entry,
    input wire       fetch
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH  = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam NUMBER_WIDTH = FLITS > 1 ? $clog2(FLITS) : 1;
    localparam ROW_WIDTH    = ENTRIES * FLITS > 1 ? $clog2(ENTRIES * FLITS) : 1;
    localparam USED_WIDTH   = $clog2(QUEUE_ROWS + 1);
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;

    // ---- packets of partials: what the first flit says holds for the rest --------------------------------------------------
    reg                      first_q = 1'b1;
    reg [ENTRY_WIDTH - 1:0]  entry_q;
    reg                      adds_q, starts_q, completes_q;
    reg [1:0]                failure_q;
    reg [NUMBER_WIDTH - 1:0] last_number_q;
    reg [2:0]                index_q;
    wire [ENTRY_WIDTH - 1:0]  entry     = first_q ? in_entry : entry_q;
    wire                      completes = first_q ? in_completes : completes_q;
    wire                      starts    = first_q ? in_starts : starts_q;
    wire [NUMBER_WIDTH - 1:0] last_number = first_q ? in_last_number : last_number_q;
    wire [2:0]                index     = first_q ? 3'd0 : index_q;
    wire                      bad_frame = !first_q && flit_last && in_bad_frame;
    wire [1:0]                failure   = first_q ? in_failure : failure_q == 2'd0 && bad_frame ? 2'd3 : failure_q;
    wire                      summed    = first_q ? (completes ? failure == 2'd0 : in_adds) : adds_q;
    wire                      adds      = flit_valid && summed && index <= last_number;
    wire [ROW_WIDTH - 1:0]    row_of_flit = entry * FLITS + index;
    wire [ENTRIES - 1:0]      ends      = (flit_valid && first_q && completes ? ENTRY_0 << entry : 0);
    wire [ENTRIES - 1:0]      times_out = timed_out_valid ? ENTRY_0 << timed_out_entry : 0;
    wire                      its_last  = flit_valid && flit_last && completes && entry == chosen;
    reg [ENTRIES - 1:0]       ended_q; // and its result not committed
    always @* begin
        assume (chosen < ENTRIES && in_entry < ENTRIES && timed_out_entry < ENTRIES && in_last_number < FLITS);
        assume (!rst || (!flit_valid && !timed_out_valid));
        assume ((ends & times_out) == 0 && ((ends | times_out) & ended_q) == 0);
        assume (!(flit_valid && flit_last && completes && failure == 2'd0) || index == last_number);
    end
    always @(posedge clk) if (flit_valid || rst) begin
        first_q       <= flit_last || rst;
        entry_q       <= entry;
        adds_q        <= summed;
        starts_q      <= starts;
        completes_q   <= completes;
        failure_q     <= failure;
        last_number_q <= last_number;
        index_q       <= index + {2'd0, index != 3'd7};
    end

    // ---- the blocks ---------------------------------------------------------------------------------------------------------
    wire deferred_valid, may_pass, job_sent, space, fetch_valid, send_passing, send_valid;
    wire [ENTRY_WIDTH - 1:0] row_entry;
    wire                     read_valid, row_valid, row_from_lanes, row_from_memory, row_first, row_commit;
    wire [ROW_WIDTH - 1:0]   read_row;
    wire [3:0]               row_status;
    reg                      fetched_q;
    reg [USED_WIDTH - 1:0]   dropped_q;

    wire [`MOEHUB_FLIT_WIDTH - 1:0] flit;
    assign flit[`MOEHUB_FLIT_FIRST_LSB]            = first_q;
    assign flit[`MOEHUB_FLIT_LAST_LSB]             = flit_last;
    assign flit[`MOEHUB_FLIT_ADDS_LSB]             = adds;
    assign flit[`MOEHUB_FLIT_STARTS_LSB]           = starts;
    assign flit[`MOEHUB_FLIT_COMPLETES_LSB]        = completes;
    assign flit[`MOEHUB_FLIT_FAILURE_LSB +: 2]     = failure;
    assign flit[`MOEHUB_FLIT_UPPER_HALF_LSB:`MOEHUB_FLIT_ELEMENT_LSB] = 0;
    assign flit[`MOEHUB_FLIT_LAST_NUMBER_LSB +: 6] = last_number;
    assign flit[`MOEHUB_FLIT_ENTRY_LSB +: 12]      = entry;
    assign flit[`MOEHUB_FLIT_ROW_LSB +: 18]        = row_of_flit;
    wire [`MOEHUB_ROW_WIDTH - 1:0] send_row, row;
    assign row_first  = row[`MOEHUB_ROW_FIRST_LSB];
    assign row_commit = row[`MOEHUB_ROW_COMMIT_LSB];
    assign row_entry  = row[`MOEHUB_ROW_ENTRY_LSB +: ENTRY_WIDTH];
    assign row_status = row[`MOEHUB_ROW_STATUS_LSB +: 4];

    moehub_reduction_schedule #(.ENTRIES(ENTRIES), .FLITS(FLITS), .QUEUE_ROWS(QUEUE_ROWS)) u_schedule (
        .clk(clk), .rst(rst), .flit_valid(flit_valid), .flit(flit),
        .deferred_valid(deferred_valid), .deferred_result(), .may_pass(may_pass), .job_sent(job_sent), .queue_fetched(fetched_q),
        .queue_dropped(dropped_q), .space(space),
        .fetch_valid(fetch_valid), .fetch_row(), .lane_valid(), .lane_row(), .lane_first(), .lane_forward(), .lane_write(),
        .send_passing(send_passing), .send_valid(send_valid), .send_row(send_row)
    );
    moehub_reduction_waiting #(.ENTRIES(ENTRIES), .FLITS(FLITS)) u_waiting (
        .clk(clk), .rst(rst), .deferred_valid(deferred_valid), .flit(flit),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .may_pass(may_pass), .space(space), .job_sent(job_sent),
        .send_passing(send_passing), .send_valid(send_valid), .send_row(send_row),
        .fetch_valid(fetch_valid), .read_valid(read_valid), .read_row(read_row),
        .row_valid(row_valid), .row(row), .row_from_lanes(row_from_lanes), .row_from_memory(row_from_memory)
    );

    // ---- the result queue: rows on their way, not committed, committed ----------------------------------------------------
    reg [3 * DELAY - 1:0]  way_q = 0;
    reg [USED_WIDTH:0]     open_q = 0;
    reg [USED_WIDTH:0]     full_q = 0; // committed, not fetched
    wire arrives, arrives_first, arrives_commit;
    assign {arrives, arrives_first, arrives_commit} = way_q[3 * (DELAY - 1) +: 3];
    wire [USED_WIDTH:0] open = (arrives_first ? 0 : open_q) + 1'b1;
    wire                takes = fetch && full_q != 0;
    always @(posedge clk) begin
        way_q     <= {way_q, row_valid, row_first, row_commit};
        dropped_q <= arrives && arrives_first ? open_q : 0;
        fetched_q <= takes;
        if (arrives) open_q <= arrives_commit ? 0 : open;
        full_q <= full_q + (arrives && arrives_commit ? open : 0) - takes;
        if (rst) begin
            way_q     <= 0;
            dropped_q <= 0;
            fetched_q <= 1'b0;
            open_q    <= 0;
            full_q    <= 0;
        end
    end

    // ---- what is owed to the chosen entry -------------------------------------------------------------------------
    reg                      owed_q = 1'b0; // its last packet has ended, or it timed out; not committed
    reg [3:0]                status_q;
    reg [NUMBER_WIDTH - 1:0] last_row_q;
    reg [2:0]                since_q;     // cycles since then
    reg                      mixed_q;     // the packet of rows that has begun: of another entry than the chosen one
    reg [2:0]                rows_q;      // its rows so far
    wire commits  = row_valid && row_commit && row_entry == chosen;
    wire [2:0] number = row_first ? 3'd0 : rows_q;
    wire its_end  = its_last || times_out[chosen];
    always @(posedge clk) begin
        ended_q <= (ended_q | ends | times_out) & ~(row_valid && row_commit ? ENTRY_0 << row_entry : 0);
        since_q <= its_end ? 3'd1 : since_q + {2'd0, since_q != 3'd7};
        if (commits) owed_q <= 1'b0;
        if (its_end) begin
            owed_q     <= 1'b1;
            status_q   <= !its_last ? `MOEHUB_STATUS_TIMEOUT : failure == 2'd0 ? `MOEHUB_STATUS_OK
                : failure == 2'd1 ? `MOEHUB_STATUS_PARTIAL : failure == 2'd2 ? `MOEHUB_STATUS_TYPE : `MOEHUB_STATUS_LENGTH;
            last_row_q <= its_last && failure == 2'd0 ? last_number : 0;
        end
        if (row_valid) begin
            mixed_q <= row_entry != chosen;
            rows_q  <= number + {2'd0, number != 3'd7};
        end
        if (rst) begin
            ended_q <= 0;
            owed_q  <= 1'b0;
            rows_q  <= 3'd0;
        end
    end

    reg [ROW_WIDTH - 1:0] read_q; // the row that was read a cycle ago: it leaves now
    always @(posedge clk) read_q <= read_row;

    wire live = started_q && !reset_q;
    always @* begin
        one_result: assert (!started_q || !commits || owed_q);
        status:     assert (!started_q || !commits || (row_status == status_q && number == last_row_q));
        unmixed:    assert (!started_q || !row_valid || row_first || mixed_q == (row_entry != chosen));
        reads:      assert (!started_q || !read_valid || read_row < chosen * FLITS || read_row >= (chosen + 1) * FLITS
                        || (owed_q && since_q >= 3'd4 && status_q == `MOEHUB_STATUS_OK));
        right_row:  assert (!started_q || !row_valid || !row_from_memory || row_entry != chosen
                            || read_q == chosen * FLITS + number);
    end
    always @* begin
        passed:     cover (live && commits && row_from_lanes && owed_q);
        waited:     cover (live && commits && row_from_memory && status_q == `MOEHUB_STATUS_OK);
        failed:     cover (live && commits && status_q == `MOEHUB_STATUS_LENGTH);
        timed_out:  cover (live && commits && status_q == `MOEHUB_STATUS_TIMEOUT);
        again:      cover (live && row_valid && row_first && row_entry == chosen && !row_from_lanes && rows_q != 3'd0
                           && dropped_q != 0);
    end
endmodule
`default_nettype wire
