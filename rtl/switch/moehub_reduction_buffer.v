// SPDX-License-Identifier: Apache-2.0
// Purpose: sums, in the switch, the partials that several GPUs send to one requester; one instance per switch port.
//   Specification: rtl/doc/reduction_buffer.md, for requests of several lines rtl/doc/plane/groups.md.
// Contract:
//   1. partial_ready is high in every cycle after initialisation: only reservations ever wait.
//   2. Results are bit-exact whatever the order of the partials (rtl/doc/arithmetic.md).
//   3. An entry is open for partials from the cycle after that in which its grant was taken: one accepted earlier is STALE.
//   4. TIMEOUT_ORDER = 4: a partial whose first flit is accepted at most four cycles before timeout_valid, or later, comes
//      after that timeout.
//   5. COMMAND_ORDER = 13: a command comes after the results whose last flit is taken at most 13 cycles after the command, and
//      after the groups whose freed_valid comes at most 14 cycles after it.
//   6. released_ready is a gate of registers; all other outputs are registers.
// How: this module holds wires alone. check (4 stages) judges each flit; schedule sends it through the lanes (3 cycles of
//   accumulation) and, for the last contributor, on through the finalizers to the result queue; waiting sends the results
//   that could not pass, and the errors, in slots that partials leave. Bundles: rtl/include/moehub_reduction.vh.
// Cost: one partial flit in and one result flit out a cycle. Latency and storage: reduction_buffer.md section 8.
// Limits: PAYLOAD_BYTES up to 256; without QUARANTINE no partial may outlive 2^GENERATION_WIDTH - 1 reuses of its entry.
// Proved: formal/switch/formal_reduction_buffer.v, formal_reduction_buffer_real.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
`include "moehub_width.vh"

module moehub_reduction_buffer #(
    parameter ENTRIES          = 107, // 1..4096
    parameter PORTS            = 64,  // 2..64
    parameter PAYLOAD_BYTES    = 128, // a multiple of FLIT_BYTES, up to 256
    parameter FLIT_BYTES       = 16,  // 4, 8, 16, 32, 64
    parameter MAX_CONTRIBUTORS = 64,  // 1..64
    parameter WITH_FP32        = 1,   // 0, 1
    parameter GENERATION_WIDTH = 8,   // 1..8
    parameter TAG_WIDTH        = 24,  // 1..64
    parameter PARITY           = 0,   // 0..16: parity bits of a memory word
    parameter REQUEST_LINES    = 1,   // 1, 2, 4, 8: entries of a group; ENTRIES is a multiple
    parameter QUARANTINE       = 0,   // 0, 1: a group with a timeout is not reused before twice that time
    parameter WITH_RELEASE     = 0    // 0, 1: a group waits for `released`
) (
    input  wire                                    clk,
    input  wire                                    rst,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] own_port,

    input  wire                                            reserve_valid,
    output wire                                            reserve_ready,
    input  wire [9:0]                                      reserve_requester,
    input  wire [TAG_WIDTH - 1:0]                          reserve_tag,
    input  wire [1:0]                                      reserve_element,
    input  wire                                            reserve_out_fp32,
    input  wire [`MOEHUB_INDEX_WIDTH(REQUEST_LINES) - 1:0] reserve_lines_less_1,
    input  wire [8:0]                                      reserve_length,
    input  wire [PORTS - 1:0]                              reserve_contributors,

    output wire        grant_valid,
    input  wire        grant_ready,
    output wire [3:0]  grant_status,
    output wire [15:0] grant_entry,
    output wire [7:0]  grant_generation,

    input  wire                                    partial_valid,
    output wire                                    partial_ready,
    input  wire [15:0]                             partial_entry,
    input  wire [7:0]                              partial_generation,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] partial_port,
    input  wire [3:0]                              partial_status,
    input  wire [1:0]                              partial_element,
    input  wire [8:0]                              partial_length,
    input  wire [8 * FLIT_BYTES - 1:0]             partial_data,
    input  wire                                    partial_last,

    output wire                        result_valid,
    input  wire                        result_ready,
    output wire [9:0]                  result_requester,
    output wire [TAG_WIDTH - 1:0]      result_tag,
    output wire [3:0]                  result_status,
    output wire [1:0]                  result_element,
    output wire [9:0]                  result_length,
    output wire [15:0]                 result_entry,
    output wire [8 * FLIT_BYTES - 1:0] result_data,
    output wire                        result_last,

    input  wire        released_valid,
    output wire        released_ready,
    input  wire [15:0] released_entry,

    input  wire        command_valid,
    output wire        command_ready,
    input  wire [3:0]  command_operation,
    input  wire [31:0] command_data,
    output wire        command_done,
    output wire        command_refused,
    input  wire [31:0] port_timeout,

    output wire                                  initialised,
    output wire                                  empty,
    output wire                                  draining,
    output wire [15:0]                           occupancy,
    output wire                                  timeout_valid,
    output wire [15:0]                           timeout_entry,
    output wire [31:0]                           group_timeout, // in force; 0: none
    output wire                                  freed_valid,
    output wire [15:0]                           freed_entry,
    output wire                                  missing_valid,
    output wire [PORTS - 1:0]                    missing_ports,
    output wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    output wire                                  error_valid,
    output wire [4:0]                            error_cause,
    output wire [127:0]                          error_header,
    output wire [5:0]                            error_port
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
        if (PARITY < 0 || PARITY > 16) PARITY_must_be_0_to_16 u_rule ();
        if (REQUEST_LINES != 1 && REQUEST_LINES != 2 && REQUEST_LINES != 4 && REQUEST_LINES != 8)
            REQUEST_LINES_must_be_1_2_4_or_8 u_rule ();
        if (ENTRIES % REQUEST_LINES != 0) ENTRIES_must_be_a_multiple_of_REQUEST_LINES u_rule ();
        if (QUARANTINE != 0 && QUARANTINE != 1) QUARANTINE_must_be_0_or_1 u_rule ();
        if (WITH_RELEASE != 0 && WITH_RELEASE != 1) WITH_RELEASE_must_be_0_or_1 u_rule ();
    endgenerate
    localparam FLITS     = PAYLOAD_BYTES / FLIT_BYTES;
    localparam GROUPS    = ENTRIES / REQUEST_LINES;
    localparam LINE_BITS = $clog2(REQUEST_LINES); // none for one line
    // Two packets, one coming and one leaving, and the time from the decision to pass until the row has left.
    localparam QUEUE_ROWS = 2 * FLITS + 24;

    wire [1:0] free_list_parity;
    wire [1:0] check_parity;
    wire       timeout_parity;
    wire [1:0] waiting_parity;
    wire       lanes_parity;
    wire [1:0] result_parity;

    // ---- groups: free, in use ---------------------------------------------------------------------------------------
    wire                                     hold;
    wire                                     refill;
    wire                                     refill_busy;
    wire                                     take;
    wire                                     unused_head_valid; // high whenever take is: the credits count groups
    wire [`MOEHUB_INDEX_WIDTH(GROUPS) - 1:0] head_group;
    wire [GENERATION_WIDTH - 1:0]            head_generation;
    wire [`MOEHUB_INDEX_WIDTH(GROUPS) - 1:0] freed_group;

    moehub_reduction_free_list #(.ENTRIES(GROUPS), .GENERATION_WIDTH(GENERATION_WIDTH), .PARITY(PARITY)) u_free_list (
        .clk(clk), .rst(rst), .initialised(initialised), .refill(refill), .refill_busy(refill_busy),
        .freed_valid(freed_valid), .freed_entry(freed_group),
        .head_valid(unused_head_valid), .head_entry(head_group), .head_generation(head_generation), .take(take),
        .parity_error(free_list_parity)
    );

    wire                                     record_valid;
    wire [`MOEHUB_RECORD_WIDTH - 1:0]        record;
    wire                                     refused_valid;
    wire [`MOEHUB_ERROR_WIDTH - 1:0]         refused_error;
    wire                                     granted_valid;
    wire [`MOEHUB_INDEX_WIDTH(GROUPS) - 1:0] granted_group;
    wire [2:0]                               granted_lines_less_1;
    wire                                     open_valid;
    wire [`MOEHUB_INDEX_WIDTH(GROUPS) - 1:0] open_group;
    wire [2:0]                               open_lines_less_1;

    moehub_reduction_reserve #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PORTS(PORTS), .PAYLOAD_BYTES(PAYLOAD_BYTES),
        .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32), .GENERATION_WIDTH(GENERATION_WIDTH), .TAG_WIDTH(TAG_WIDTH)
    ) u_reserve (
        .clk(clk), .rst(rst), .initialised(initialised), .hold(hold), .draining(draining), .own_port(own_port),
        .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .reserve_requester(reserve_requester),
        .reserve_tag(reserve_tag), .reserve_element(reserve_element), .reserve_out_fp32(reserve_out_fp32),
        .reserve_lines_less_1(reserve_lines_less_1), .reserve_length(reserve_length),
        .reserve_contributors(reserve_contributors),
        .grant_valid(grant_valid), .grant_ready(grant_ready), .grant_status(grant_status), .grant_entry(grant_entry),
        .grant_generation(grant_generation),
        .head_group(head_group), .head_generation(head_generation), .take(take), .freed_valid(freed_valid),
        .record_valid(record_valid), .record(record), .refused_valid(refused_valid), .refused_error(refused_error),
        .granted_valid(granted_valid), .granted_group(granted_group), .granted_lines_less_1(granted_lines_less_1),
        .open_valid(open_valid), .open_group(open_group), .open_lines_less_1(open_lines_less_1),
        .occupancy(occupancy), .empty(empty)
    );

    wire                                             line_done_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        line_done_entry;
    wire                                             timed_out_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        timed_out_entry;
    wire [(1 << `MOEHUB_INDEX_WIDTH(GROUPS)) - 1:0]  is_quarantined;
    wire                                             quarantine_over_valid;
    wire [`MOEHUB_INDEX_WIDTH(GROUPS) - 1:0]         quarantine_over_group;
    wire                                             missing_waits;

    moehub_reduction_groups #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(QUARANTINE), .WITH_RELEASE(WITH_RELEASE)
    ) u_groups (
        .clk(clk), .rst(rst),
        .granted_valid(granted_valid), .granted_group(granted_group), .granted_lines_less_1(granted_lines_less_1),
        .line_done_valid(line_done_valid), .line_done_entry(line_done_entry),
        .released_valid(released_valid), .released_ready(released_ready), .released_entry(released_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .is_quarantined(is_quarantined),
        .quarantine_over_valid(quarantine_over_valid), .quarantine_over_group(quarantine_over_group),
        .missing_waits(missing_waits), .freed_valid(freed_valid), .freed_group(freed_group)
    );

    assign freed_entry = {{(16 - `MOEHUB_INDEX_WIDTH(GROUPS)){1'b0}}, freed_group} << LINE_BITS; // of line 0

    // ---- partials: judged -------------------------------------------------------------------------------------------
    wire                                             partial_first;
    wire                                             expire_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        expire_entry;
    wire [`MOEHUB_ERROR_WIDTH - 1:0]                 timed_out_error;
    wire [(1 << `MOEHUB_INDEX_WIDTH(ENTRIES)) - 1:0] is_open;
    wire                                             completed_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        completed_entry;
    wire                                             look_valid;
    wire                                             look_ready;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES) - 1:0]        look_entry;
    wire [PORTS - 1:0]                               look_missing;
    wire                                             flit_valid;
    wire [`MOEHUB_FLIT_WIDTH - 1:0]                  flit;
    wire [8 * FLIT_BYTES - 1:0]                      flit_data;
    wire                                             partial_error_valid;
    wire [`MOEHUB_ERROR_WIDTH - 1:0]                 partial_error;

    moehub_reduction_check #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PORTS(PORTS), .FLITS(FLITS), .FLIT_BYTES(FLIT_BYTES),
        .GENERATION_WIDTH(GENERATION_WIDTH), .PARITY(PARITY)
    ) u_check (
        .clk(clk), .rst(rst), .initialised(initialised),
        .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_first(partial_first),
        .partial_entry(partial_entry), .partial_generation(partial_generation), .partial_port(partial_port),
        .partial_status(partial_status), .partial_element(partial_element), .partial_length(partial_length),
        .partial_data(partial_data), .partial_last(partial_last),
        .record_valid(record_valid), .record(record),
        .open_valid(open_valid), .open_group(open_group), .open_lines_less_1(open_lines_less_1),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .is_open(is_open), .completed_valid(completed_valid), .completed_entry(completed_entry),
        .look_valid(look_valid), .look_ready(look_ready), .look_entry(look_entry), .look_missing(look_missing),
        .flit_valid(flit_valid), .flit(flit), .flit_data(flit_data),
        .partial_error_valid(partial_error_valid), .partial_error(partial_error), .parity_error(check_parity)
    );

    // ---- timeouts ---------------------------------------------------------------------------------------------------
    moehub_reduction_timeout #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .QUARANTINE(QUARANTINE), .PARITY(PARITY)
    ) u_timeout (
        .clk(clk), .rst(rst), .timeout(group_timeout), .is_open(is_open), .open_valid(open_valid), .open_group(open_group),
        .completed_valid(completed_valid), .completed_entry(completed_entry),
        .expire_valid(expire_valid), .expire_entry(expire_entry),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .timed_out_error(timed_out_error),
        .is_quarantined(is_quarantined), .quarantine_over_valid(quarantine_over_valid),
        .quarantine_over_group(quarantine_over_group), .parity_error(timeout_parity)
    );

    moehub_reduction_missing #(.ENTRIES(ENTRIES), .PORTS(PORTS), .QUARANTINE(QUARANTINE)) u_missing (
        .clk(clk), .rst(rst), .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .waits(missing_waits),
        .look_valid(look_valid), .look_ready(look_ready), .look_entry(look_entry), .look_missing(look_missing),
        .missing_valid(missing_valid), .missing_ports(missing_ports)
    );

    assign timeout_valid = timed_out_valid;
    assign timeout_entry = {{(16 - `MOEHUB_INDEX_WIDTH(ENTRIES)){1'b0}}, timed_out_entry};

    // ---- sums -------------------------------------------------------------------------------------------------------
    wire                                              deferred_valid;
    wire                                              deferred_result;
    wire                                              may_pass;
    wire                                              fetch_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] fetch_row;
    wire                                              lane_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] lane_row;
    wire                                              lane_first;
    wire [1:0]                                        lane_forward;
    wire                                              lane_write;
    wire                                              send_passing;
    wire                                              send_valid;
    wire [`MOEHUB_ROW_WIDTH - 1:0]                    send_row;
    wire                                              read_valid;
    wire [`MOEHUB_INDEX_WIDTH(ENTRIES * FLITS) - 1:0] read_row;
    wire                                              row_valid;
    wire [`MOEHUB_ROW_WIDTH - 1:0]                    row;
    wire                                              row_from_lanes;
    wire                                              row_from_memory;
    wire [2 * 8 * FLIT_BYTES - 1:0]                   row_data;

    // The credit loop: schedule counts the places of the result queue (its contract 5) and tells waiting whether there is
    // space; waiting tells each row that it sends; the queue, in result, tells each row that left or was dropped.
    wire                                space;
    wire                                job_sent;
    wire                                queue_fetched;
    wire [$clog2(QUEUE_ROWS + 1) - 1:0] queue_dropped;

    moehub_reduction_schedule #(.ENTRIES(ENTRIES), .FLITS(FLITS), .QUEUE_ROWS(QUEUE_ROWS)) u_schedule (
        .clk(clk), .rst(rst), .flit_valid(flit_valid), .flit(flit),
        .deferred_valid(deferred_valid), .deferred_result(deferred_result), .may_pass(may_pass),
        .job_sent(job_sent), .queue_fetched(queue_fetched), .queue_dropped(queue_dropped), .space(space),
        .fetch_valid(fetch_valid), .fetch_row(fetch_row),
        .lane_valid(lane_valid), .lane_row(lane_row), .lane_first(lane_first), .lane_forward(lane_forward),
        .lane_write(lane_write),
        .send_passing(send_passing), .send_valid(send_valid), .send_row(send_row)
    );

    moehub_reduction_waiting #(.ENTRIES(ENTRIES), .FLITS(FLITS), .PARITY(PARITY)) u_waiting (
        .clk(clk), .rst(rst), .deferred_valid(deferred_valid), .flit(flit),
        .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry),
        .may_pass(may_pass), .space(space), .job_sent(job_sent),
        .send_passing(send_passing), .send_valid(send_valid), .send_row(send_row),
        .fetch_valid(fetch_valid), .read_valid(read_valid), .read_row(read_row),
        .row_valid(row_valid), .row(row), .row_from_lanes(row_from_lanes), .row_from_memory(row_from_memory),
        .parity_error(waiting_parity)
    );

    moehub_reduction_lanes #(
        .ENTRIES(ENTRIES), .FLITS(FLITS), .FLIT_BYTES(FLIT_BYTES), .MAX_CONTRIBUTORS(MAX_CONTRIBUTORS), .WITH_FP32(WITH_FP32),
        .PARITY(PARITY)
    ) u_lanes (
        .clk(clk), .rst(rst), .flit(flit), .flit_data(flit_data),
        .fetch_valid(fetch_valid), .fetch_row(fetch_row),
        .lane_valid(lane_valid), .lane_row(lane_row), .lane_first(lane_first), .lane_forward(lane_forward),
        .lane_write(lane_write),
        .read_valid(read_valid), .read_row(read_row),
        .row_valid(row_valid), .row(row), .row_from_lanes(row_from_lanes), .row_from_memory(row_from_memory), .row_data(row_data),
        .parity_error(lanes_parity)
    );

    // ---- results ----------------------------------------------------------------------------------------------------
    moehub_reduction_result #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PAYLOAD_BYTES(PAYLOAD_BYTES), .FLIT_BYTES(FLIT_BYTES),
        .TAG_WIDTH(TAG_WIDTH), .QUEUE_ROWS(QUEUE_ROWS), .PARITY(PARITY)
    ) u_result (
        .clk(clk), .rst(rst), .record_valid(record_valid), .record(record),
        .row_valid(row_valid), .row(row), .row_data(row_data), .queue_fetched(queue_fetched), .queue_dropped(queue_dropped),
        .result_valid(result_valid), .result_ready(result_ready), .result_requester(result_requester), .result_tag(result_tag),
        .result_status(result_status), .result_element(result_element), .result_length(result_length),
        .result_entry(result_entry), .result_data(result_data), .result_last(result_last),
        .line_done_valid(line_done_valid), .line_done_entry(line_done_entry), .parity_error(result_parity)
    );

    // ---- commands, events, errors -----------------------------------------------------------------------------------
    wire                             command_error_valid;
    wire [`MOEHUB_ERROR_WIDTH - 1:0] command_error;

    moehub_reduction_command #(.QUARANTINE(QUARANTINE)) u_command (
        .clk(clk), .rst(rst), .initialised(initialised),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .hold(hold), .empty(empty), .port_timeout(port_timeout), .draining(draining), .timeout(group_timeout),
        .refill(refill), .refill_busy(refill_busy),
        .command_error_valid(command_error_valid), .command_error(command_error)
    );

    moehub_reduction_report u_report (
        .clk(clk), .rst(rst), .reserve_valid(reserve_valid), .reserve_ready(reserve_ready), .record_valid(record_valid),
        .grant_valid(grant_valid), .grant_ready(grant_ready),
        .partial_valid(partial_valid), .partial_ready(partial_ready), .partial_first(partial_first),
        .deferred_result(deferred_result),
        .result_valid(result_valid), .result_ready(result_ready), .result_status(result_status), .result_last(result_last),
        .refused_valid(refused_valid), .refused_error(refused_error),
        .partial_error_valid(partial_error_valid), .partial_error(partial_error),
        .timed_out_valid(timed_out_valid), .timed_out_error(timed_out_error),
        .command_error_valid(command_error_valid), .command_error(command_error), .initialised(initialised),
        .parity_error({
            result_parity[1], timeout_parity, waiting_parity, free_list_parity, result_parity[0], check_parity, lanes_parity
        }),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_port(error_port)
    );
endmodule

`default_nettype wire
