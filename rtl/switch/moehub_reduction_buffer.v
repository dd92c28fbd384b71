// SPDX-License-Identifier: Apache-2.0
// Purpose: sums, in the switch, the partials that several GPUs send to one requester; one instance per switch port.
//   Specification: rtl/doc/reduction_buffer.md.
// Contract:
//   1. partial_ready is high in every cycle after initialisation: only reservations ever wait.
//   2. Results are bit-exact whatever the order of the partials (rtl/doc/arithmetic.md).
//   3. An entry waits for partials from the cycle after that in which its grant was taken: one accepted earlier is STALE.
//   4. TIMEOUT_ORDER = 4: a partial whose first flit is accepted at most four cycles before timeout_valid, or later, comes
//      after that timeout.
//   5. COMMAND_ORDER = 13: a command comes after the results whose last flit is taken at most 13 cycles after the command.
// How: check (4 stages) judges each flit; schedule sends it through the lanes (3 cycles of accumulation) and, for the last
//   contributor, on through the finalizers to the result queue; waiting sends the results that could not pass, and the
//   errors, in slots that partials leave.
// Cost: one partial flit in and one result flit out a cycle. Latency and storage: reduction_buffer.md section 8.
// Limits: PAYLOAD_BYTES up to 256; no partial may outlive 2^GENERATION_WIDTH - 1 reuses of its entry.
`default_nettype none
`include "moehub_defines.vh"

module moehub_reduction_buffer #(
    parameter ENTRIES          = 107, // 1..4096
    parameter PORTS            = 64,  // 2..64
    parameter PAYLOAD_BYTES    = 128, // a multiple of FLIT_BYTES, up to 256
    parameter FLIT_BYTES       = 16,  // 4, 8, 16, 32, 64
    parameter MAX_CONTRIBUTORS = 64,  // 1..64
    parameter WITH_FP32        = 1,   // 0, 1
    parameter GENERATION_WIDTH = 8,   // 1..8
    parameter TAG_WIDTH        = 24   // 1..64
) (
    input  wire                               clk,
    input  wire                               rst,
    input  wire [(PORTS > 1 ? $clog2(PORTS) : 1) - 1:0] own_port,

    input  wire                               reserve_valid,
    output wire                               reserve_ready,
    input  wire [9:0]                         reserve_requester,
    input  wire [TAG_WIDTH - 1:0]             reserve_tag,
    input  wire [1:0]                         reserve_element,
    input  wire                               reserve_out_fp32,
    input  wire [8:0]                         reserve_length,
    input  wire [PORTS - 1:0]                 reserve_contributors,

    output wire                               grant_valid,
    input  wire                               grant_ready,
    output wire [3:0]                         grant_status,
    output wire [15:0]                        grant_entry,
    output wire [7:0]                         grant_generation,

    input  wire                               partial_valid,
    output wire                               partial_ready,
    input  wire [15:0]                        partial_entry,
    input  wire [7:0]                         partial_generation,
    input  wire [(PORTS > 1 ? $clog2(PORTS) : 1) - 1:0] partial_port,
    input  wire [3:0]                         partial_status,
    input  wire [1:0]                         partial_element,
    input  wire [8:0]                         partial_length,
    input  wire [8 * FLIT_BYTES - 1:0]        partial_data,
    input  wire                               partial_last,

    output wire                               result_valid,
    input  wire                               result_ready,
    output wire [9:0]                         result_requester,
    output wire [TAG_WIDTH - 1:0]             result_tag,
    output wire [3:0]                         result_status,
    output wire [1:0]                         result_element,
    output wire [9:0]                         result_length,
    output wire [15:0]                        result_entry,
    output wire [8 * FLIT_BYTES - 1:0]        result_data,
    output wire                               result_last,

    input  wire                               command_valid,
    output wire                               command_ready,
    input  wire [3:0]                         command_operation,
    input  wire [31:0]                        command_data,
    output wire                               command_done,
    output wire                               command_refused,

    output wire                               initialised,
    output wire                               empty,
    output wire                               draining,
    output wire [15:0]                        occupancy,
    output wire                               timeout_valid,
    output wire [15:0]                        timeout_entry,
    output wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    output wire                               error_valid,
    output wire [4:0]                         error_cause,
    output wire [127:0]                       error_header,
    output wire [5:0]                         error_port
);
    generate
        if (ENTRIES < 1 || ENTRIES > 4096) ENTRIES_must_be_1_to_4096 u_rule ();
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
        if (FLIT_BYTES != 4 && FLIT_BYTES != 8 && FLIT_BYTES != 16 && FLIT_BYTES != 32 && FLIT_BYTES != 64)
            FLIT_BYTES_must_be_4_8_16_32_or_64 u_rule ();
        if (PAYLOAD_BYTES < FLIT_BYTES || PAYLOAD_BYTES > 256 || PAYLOAD_BYTES % FLIT_BYTES != 0)
            PAYLOAD_BYTES_must_be_a_multiple_of_FLIT_BYTES_up_to_256 u_rule ();
        if (MAX_CONTRIBUTORS < 1 || MAX_CONTRIBUTORS > 64) MAX_CONTRIBUTORS_must_be_1_to_64 u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
        if (GENERATION_WIDTH < 1 || GENERATION_WIDTH > 8) GENERATION_WIDTH_must_be_1_to_8 u_rule ();
        if (TAG_WIDTH < 1 || TAG_WIDTH > 64) TAG_WIDTH_must_be_1_to_64 u_rule ();
    endgenerate
`ifndef SYNTHESIS
    initial begin
        if (ENTRIES < 1 || ENTRIES > 4096) $display("%m: ENTRIES is %0d, legal is 1 to 4096", ENTRIES);
        if (PORTS < 2 || PORTS > 64) $display("%m: PORTS is %0d, legal is 2 to 64", PORTS);
        if (FLIT_BYTES != 4 && FLIT_BYTES != 8 && FLIT_BYTES != 16 && FLIT_BYTES != 32 && FLIT_BYTES != 64)
            $display("%m: FLIT_BYTES is %0d, legal are 4, 8, 16, 32, 64", FLIT_BYTES);
        if (PAYLOAD_BYTES < FLIT_BYTES || PAYLOAD_BYTES > 256 || PAYLOAD_BYTES % FLIT_BYTES != 0)
            $display("%m: PAYLOAD_BYTES is %0d, legal are multiples of FLIT_BYTES (%0d) up to 256", PAYLOAD_BYTES, FLIT_BYTES);
        if (MAX_CONTRIBUTORS < 1 || MAX_CONTRIBUTORS > 64) $display("%m: MAX_CONTRIBUTORS is %0d, legal is 1 to 64", MAX_CONTRIBUTORS);
        if (WITH_FP32 != 0 && WITH_FP32 != 1) $display("%m: WITH_FP32 is %0d, legal is 0 or 1", WITH_FP32);
        if (GENERATION_WIDTH < 1 || GENERATION_WIDTH > 8) $display("%m: GENERATION_WIDTH is %0d, legal is 1 to 8", GENERATION_WIDTH);
        if (TAG_WIDTH < 1 || TAG_WIDTH > 64) $display("%m: TAG_WIDTH is %0d, legal is 1 to 64", TAG_WIDTH);
    end
`endif

    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam PORT_WIDTH  = PORTS > 1 ? $clog2(PORTS) : 1;
    localparam FLITS       = PAYLOAD_BYTES / FLIT_BYTES;
    localparam ROWS        = ENTRIES * FLITS;
    localparam ROW_WIDTH   = ROWS > 1 ? $clog2(ROWS) : 1;
    localparam END_WIDTH   = $clog2(FLIT_BYTES) - 1; // names a 16-bit word of a flit
    localparam NUMBER_WIDTH = FLITS > 1 ? $clog2(FLITS) : 1;
    // Two packets, one coming and one leaving, and the time from the decision to pass until the row has left.
    localparam QUEUE_ROWS  = 2 * FLITS + 24;
    localparam USED_WIDTH  = $clog2(QUEUE_ROWS + 1);

    // ---- entries: free, reserved ----------------------------------------------------------------------------------
    wire                          hold;
    wire                          refill;
    wire                          refill_busy;
    wire                          take;
    wire                          unused_head_valid; // an entry is there whenever take is high: the credits count them
    wire [ENTRY_WIDTH - 1:0]      head_entry;
    wire [GENERATION_WIDTH - 1:0] head_generation;
    reg                           freed_valid_q; // the last flit of a result was taken
    reg  [ENTRY_WIDTH - 1:0]      freed_entry_q;

    moehub_reduction_free_list #(.ENTRIES(ENTRIES), .GENERATION_WIDTH(GENERATION_WIDTH), .ENTRY_WIDTH(ENTRY_WIDTH)) u_free_list (
        .clk(clk), .rst(rst), .initialised(initialised), .refill(refill), .busy(refill_busy),
        .free_valid(freed_valid_q), .free_entry(freed_entry_q),
        .head_valid(unused_head_valid), .head_entry(head_entry), .head_generation(head_generation), .take(take)
    );

    wire                          record_valid;
    wire [ENTRY_WIDTH - 1:0]      record_entry;
    wire [GENERATION_WIDTH - 1:0] record_generation;
    wire [5:0]                    record_others;
    wire [9:0]                    record_requester;
    wire [TAG_WIDTH - 1:0]        record_tag;
    wire [1:0]                    record_element;
    wire                          record_out_fp32;
    wire [8:0]                    record_length;
    wire [PORTS - 1:0]            record_contributors;
    wire                          refused_valid;
    wire [1:0]                    refused_cause;
    wire                          open_valid;
    wire [ENTRY_WIDTH - 1:0]      open_entry;

    moehub_reduction_reserve #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(PAYLOAD_BYTES), .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32),
        .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(TAG_WIDTH), .ENTRY_WIDTH(ENTRY_WIDTH), .PORT_WIDTH(PORT_WIDTH)
    ) u_reserve (
        .clk(clk), .rst(rst), .initialised(initialised), .hold(hold), .draining(draining), .own_port(own_port),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(reserve_requester),
        .reserve_tag(reserve_tag), .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32),
        .reserve_length(reserve_length), .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .head_entry(head_entry), .head_generation(head_generation), .take(take), .free_valid(freed_valid_q),
        .record_valid(record_valid), .record_entry(record_entry), .record_generation(record_generation),
        .record_others(record_others), .refused_valid(refused_valid), .refused_cause(refused_cause),
        .record_requester(record_requester), .record_tag(record_tag), .record_element(record_element),
        .record_out_fp32(record_out_fp32), .record_length(record_length), .record_contributors(record_contributors),
        .taken_valid(open_valid), .taken_entry(open_entry)
    );

    // ---- partials: judged -------------------------------------------------------------------------------------------
    reg                              partial_ready_q;
    reg                              partial_first_q; // the next flit is the first of a packet
    wire                             deferred;
    wire [8:0]                       record_length_less_1 = record_length - 9'd1;
    wire                             unused_length = record_length_less_1[8];

    wire                             expire_valid;
    wire [ENTRY_WIDTH - 1:0]         expire_entry;
    wire                             timed_out_valid;
    wire [ENTRY_WIDTH - 1:0]         timed_out_entry;
    wire [(1 << ENTRY_WIDTH) - 1:0]  waiting;
    wire                             completed_valid;
    wire [ENTRY_WIDTH - 1:0]         completed_entry;
    wire                             flit_valid;
    wire                             flit_first;
    wire                             flit_last;
    wire                             flit_adds;
    wire                             flit_starts;
    wire                             flit_completes;
    wire [1:0]                       flit_failure;
    wire [ENTRY_WIDTH - 1:0]         flit_entry;
    wire [ROW_WIDTH - 1:0]           flit_row;
    wire [1:0]                       flit_element;
    wire                             flit_out_fp32;
    wire [NUMBER_WIDTH - 1:0]        flit_last_number;
    wire [END_WIDTH - 1:0]           flit_end;
    wire                             flit_tail;
    wire [8 * FLIT_BYTES - 1:0]      flit_data;
    wire                             cause_valid;
    wire [3:0]                       cause;
    wire [15:0]                      cause_entry;
    wire [7:0]                       cause_generation;
    wire [PORT_WIDTH - 1:0]          cause_port;
    wire [3:0]                       cause_status;
    wire [1:0]                       cause_element;
    wire [8:0]                       cause_length;

    wire partial_accept = partial_valid && partial_ready_q;

    always @(posedge clk) begin
        partial_ready_q <= initialised;
        if (partial_accept) partial_first_q <= partial_last;
        if (rst) begin
            partial_ready_q <= 1'b0;
            partial_first_q <= 1'b1;
        end
    end

    assign partial_ready = partial_ready_q;

    moehub_reduction_check #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .FLITS(FLITS), .FLIT_BYTES(FLIT_BYTES), .GENERATION_WIDTH(GENERATION_WIDTH),
        .ENTRY_WIDTH(ENTRY_WIDTH), .PORT_WIDTH(PORT_WIDTH), .NUMBER_WIDTH(NUMBER_WIDTH), .ROW_WIDTH(ROW_WIDTH)
    ) u_check (
        .clk(clk), .rst(rst),
        .partial_valid(partial_accept), .partial_first(partial_first_q), .partial_entry(partial_entry),
        .partial_generation(partial_generation), .partial_port(partial_port), .partial_status(partial_status),
        .partial_element(partial_element), .partial_length(partial_length), .partial_data(partial_data), .partial_last(partial_last),
        .record_valid(record_valid), .record_entry(record_entry), .record_generation(record_generation),
        .record_element(record_element), .record_out_fp32(record_out_fp32), .record_length_less_1(record_length_less_1[7:0]),
        .record_others(record_others), .record_contributors(record_contributors),
        .open_valid(open_valid), .open_entry(open_entry), .expire_valid(expire_valid), .expire_entry(expire_entry),
        .dead_valid(timed_out_valid), .dead_entry(timed_out_entry),
        .waiting(waiting), .completed_valid(completed_valid), .completed_entry(completed_entry),
        .flit_valid(flit_valid), .flit_first(flit_first), .flit_last(flit_last), .flit_adds(flit_adds), .flit_starts(flit_starts),
        .flit_completes(flit_completes), .flit_failure(flit_failure), .flit_entry(flit_entry), .flit_row(flit_row),
        .flit_element(flit_element), .flit_out_fp32(flit_out_fp32), .flit_last_number(flit_last_number), .flit_end(flit_end),
        .flit_tail(flit_tail), .flit_data(flit_data),
        .cause_valid(cause_valid), .cause(cause), .cause_entry(cause_entry), .cause_generation(cause_generation),
        .cause_port(cause_port), .cause_status(cause_status), .cause_element(cause_element), .cause_length(cause_length)
    );

    // ---- timeouts ---------------------------------------------------------------------------------------------------
    wire [31:0] timeout;

    moehub_reduction_timeout #(.ENTRIES(ENTRIES), .ENTRY_WIDTH(ENTRY_WIDTH)) u_timeout (
        .clk(clk), .rst(rst), .timeout(timeout), .waiting(waiting), .open_valid(open_valid), .open_entry(open_entry),
        .completed_valid(completed_valid), .completed_entry(completed_entry),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry)
    );

    assign timeout_valid = timed_out_valid;
    assign timeout_entry = {{(16 - ENTRY_WIDTH){1'b0}}, timed_out_entry};

    // ---- sums ---------------------------------------------------------------------------------------------------------
    wire                     waits;
    wire                     may_pass;
    wire                     job_sent;
    wire                     space;
    wire                     queue_fetched;
    wire [USED_WIDTH - 1:0]  queue_dropped;
    wire                     fetch_valid;
    wire [ROW_WIDTH - 1:0]   fetch_row;
    wire                     lane_valid;
    wire [ROW_WIDTH - 1:0]   lane_row;
    wire                     lane_first;
    wire [1:0]               lane_forward;
    wire                     lane_write;
    wire                     send_passing;
    wire                     send_begins;
    wire                     send_valid;
    wire                     send_commit;
    wire                     send_two;
    wire [ENTRY_WIDTH - 1:0] send_entry;
    wire [1:0]               send_element;
    wire                     send_out_fp32;
    wire                     read_valid;
    wire [ROW_WIDTH - 1:0]   read_row;
    wire                     row_valid;
    wire                     row_from_lanes;
    wire                     row_from_memory;
    wire                     row_first;
    wire                     row_commit;
    wire                     row_two;
    wire [ENTRY_WIDTH - 1:0] row_entry;
    wire [3:0]               row_status;
    wire [1:0]               row_element;
    wire                     row_out_fp32;
    wire [2 * 8 * FLIT_BYTES - 1:0] row_data;

    assign deferred = waits && flit_failure == 2'd0;

    moehub_reduction_schedule #(
        .FLITS(FLITS), .QUEUE_ROWS(QUEUE_ROWS), .ENTRY_WIDTH(ENTRY_WIDTH), .ROW_WIDTH(ROW_WIDTH)
    ) u_schedule (
        .clk(clk), .rst(rst),
        .flit_valid(flit_valid), .flit_first(flit_first), .flit_last(flit_last), .flit_adds(flit_adds), .flit_starts(flit_starts),
        .flit_completes(flit_completes), .flit_failure(flit_failure), .flit_entry(flit_entry), .flit_row(flit_row),
        .flit_element(flit_element), .flit_out_fp32(flit_out_fp32), .flit_upper_half(flit_end[END_WIDTH - 1]),
        .flit_tail(flit_tail),
        .waits(waits), .may_pass(may_pass), .job_sent(job_sent), .queue_fetched(queue_fetched), .queue_dropped(queue_dropped),
        .space(space),
        .fetch_valid(fetch_valid), .fetch_row(fetch_row),
        .lane_valid(lane_valid), .lane_row(lane_row), .lane_first(lane_first), .lane_forward(lane_forward), .lane_write(lane_write),
        .send_passing(send_passing), .send_begins(send_begins), .send_valid(send_valid), .send_commit(send_commit),
        .send_two(send_two), .send_entry(send_entry), .send_element(send_element), .send_out_fp32(send_out_fp32)
    );

    moehub_reduction_waiting #(
        .ENTRIES(ENTRIES), .FLITS(FLITS), .NUMBER_WIDTH(NUMBER_WIDTH), .ENTRY_WIDTH(ENTRY_WIDTH), .ROW_WIDTH(ROW_WIDTH)
    ) u_waiting (
        .clk(clk), .rst(rst),
        .waits_valid(waits), .waits_entry(flit_entry), .waits_failure(flit_failure), .waits_element(flit_element),
        .waits_out_fp32(flit_out_fp32), .waits_last_number(flit_last_number), .waits_upper_half(flit_end[END_WIDTH - 1]),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .may_pass(may_pass), .space(space), .job_sent(job_sent),
        .send_passing(send_passing), .send_begins(send_begins), .send_valid(send_valid), .send_commit(send_commit),
        .send_two(send_two), .send_entry(send_entry), .send_element(send_element), .send_out_fp32(send_out_fp32),
        .read_busy(fetch_valid), .read_valid(read_valid), .read_row(read_row),
        .row_valid(row_valid), .row_from_lanes(row_from_lanes), .row_from_memory(row_from_memory), .row_first(row_first),
        .row_commit(row_commit), .row_two(row_two), .row_entry(row_entry), .row_status(row_status), .row_element(row_element),
        .row_out_fp32(row_out_fp32)
    );

    moehub_reduction_lanes #(
        .ENTRIES(ENTRIES), .FLITS(FLITS), .FLIT_BYTES(FLIT_BYTES), .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32),
        .ROW_WIDTH(ROW_WIDTH)
    ) u_lanes (
        .clk(clk), .rst(rst),
        .x_data(flit_data), .x_element(flit_element), .x_tail(flit_tail), .x_end(flit_end),
        .fetch_valid(fetch_valid), .fetch_row(fetch_row),
        .lane_valid(lane_valid), .lane_row(lane_row), .lane_first(lane_first), .lane_forward(lane_forward), .lane_write(lane_write),
        .read_valid(read_valid), .read_row(read_row),
        .row_valid(row_valid), .row_from_lanes(row_from_lanes), .row_from_memory(row_from_memory), .row_element(row_element),
        .row_out_fp32(row_out_fp32), .result_data(row_data)
    );

    // ---- results ------------------------------------------------------------------------------------------------------
    wire [ENTRY_WIDTH - 1:0] out_entry;

    moehub_reduction_result #(
        .ENTRIES(ENTRIES), .FLIT_BYTES(FLIT_BYTES), .TAG_WIDTH(TAG_WIDTH), .QUEUE_ROWS(QUEUE_ROWS), .ENTRY_WIDTH(ENTRY_WIDTH)
    ) u_result (
        .clk(clk), .rst(rst),
        .record_valid(record_valid), .record_entry(record_entry), .record_requester(record_requester), .record_tag(record_tag),
        .record_element(record_element), .record_out_fp32(record_out_fp32), .record_length(record_length),
        .row_valid(row_valid), .row_first(row_first), .row_commit(row_commit), .row_two(row_two), .row_entry(row_entry),
        .row_status(row_status), .row_data(row_data),
        .queue_fetched(queue_fetched), .queue_dropped(queue_dropped),
        .result_valid(result_valid), .result_ready(result_ready), .result_requester(result_requester), .result_tag(result_tag),
        .result_status(result_status), .result_element(result_element), .result_length(result_length), .result_entry(out_entry),
        .result_data(result_data), .result_last(result_last)
    );

    assign result_entry = {{(16 - ENTRY_WIDTH){1'b0}}, out_entry};

    wire result_taken = result_valid && result_ready;
    wire packet_taken = result_taken && result_last;

    // ---- entries in use -------------------------------------------------------------------------------------------------
    reg [12:0] occupancy_q;
    reg        empty_q;

    always @(posedge clk) begin
        freed_valid_q <= packet_taken;
        freed_entry_q <= out_entry;
        if (record_valid && !freed_valid_q) occupancy_q <= occupancy_q + 13'd1;
        if (freed_valid_q && !record_valid) occupancy_q <= occupancy_q - 13'd1;
        empty_q <= occupancy_q == 13'd0;
        if (rst) begin
            freed_valid_q <= 1'b0;
            occupancy_q   <= 13'd0;
            empty_q       <= 1'b1;
        end
    end

    assign occupancy = {3'd0, occupancy_q};
    assign empty     = empty_q;

    // ---- commands, events, errors ------------------------------------------------------------------------------------------
    wire       command_error;
    wire [3:0] command_error_operation;

    moehub_reduction_command u_command (
        .clk(clk), .rst(rst), .initialised(initialised),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .hold(hold), .empty(empty_q), .draining(draining), .timeout(timeout), .refill(refill), .refill_busy(refill_busy),
        .error_valid(command_error), .error_operation(command_error_operation)
    );

    wire [23:0] header_tag; // the tag as far as a packet header has room for it
    generate
        if (TAG_WIDTH >= 24) begin : g_tag
            assign header_tag = record_tag[23:0];
        end else begin : g_tag
            assign header_tag = {{(24 - TAG_WIDTH){1'b0}}, record_tag};
        end
    endgenerate

    moehub_reduction_report #(.ENTRY_WIDTH(ENTRY_WIDTH), .PORT_WIDTH(PORT_WIDTH)) u_report (
        .clk(clk), .rst(rst),
        .request(reserve_valid && reserve_ready), .reservation(record_valid),
        .reserve_stalled(reserve_valid && !reserve_ready), .grant_stalled(grant_valid && !grant_ready),
        .partial_flit(partial_accept), .partial_packet(partial_accept && partial_first_q),
        .result_flit(result_taken), .result_stalled(result_valid && !result_ready),
        .result_packet(packet_taken), .result_failed(result_status != 4'd`MOEHUB_STATUS_OK), .deferred(deferred),
        .refused_valid(refused_valid), .refused_cause(refused_cause), .refused_requester(record_requester),
        .refused_tag(header_tag), .refused_element(record_element), .refused_out_fp32(record_out_fp32), .refused_length(record_length),
        .cause_valid(cause_valid), .cause(cause), .cause_entry(cause_entry), .cause_generation(cause_generation),
        .cause_port(cause_port), .cause_status(cause_status), .cause_element(cause_element), .cause_length(cause_length),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .command_valid(command_error), .command_operation(command_error_operation),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_port(error_port)
    );
endmodule

`default_nettype wire
