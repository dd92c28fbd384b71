// SPDX-License-Identifier: Apache-2.0
// Purpose: sums what the experts of this GPU have for the rows of others: partials, one a line (doc/hub/reduce.md section
//   2); wiring.
// Contract:
//   1. asked, answers, partial_queued, partial_events and read_error_header are the other ends of a way's (moehub_way).
//   2. Partials leave in the order of the requests and of their lines; partial_tflits is that of the packet, in each flit of it.
//   3. rready is high in every cycle after reset. Bursts are INCR, of 32 bytes a beat, one id; R comes in the order of AR.
//   4. used_lines: places that are held, for the high-water mark.
//   5. All outputs are registers or gates of registers.
// How: requests become reads and records of them; places take what is read, and give a target's line to the lanes when it is
//   whole; sums are queued until the packer has sent them.
// Cost: doc/hub/reduce.md sections 2 and 5. A flit into the lanes each cycle; READ_LINES * 1028 bits of places.
// Limits: those of its parts.
`default_nettype none
`include "moehub_hub_way.vh"

module moehub_pre_reduce #(
    parameter MAX_TARGETS     = 32, // 1..32 ids in a packet
    parameter ADDRESS_WIDTH   = 48, // 32..64
    parameter REQUEST_ANSWERS = 64, // MAX_TARGETS..1024
    parameter READ_LINES      = 96, // 1..1024
    parameter LANE_BYTES      = 16, // 16, 32
    parameter PARTIAL_ROWS    = 40, // 9..256
    parameter WITH_FP32       = 1   // 0, 1
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire [9:0]                                own, // GPU

    // ---- requests of the way
    input  wire                                      s_axis_asked_tvalid,
    output wire                                      s_axis_asked_tready,
    input  wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] s_axis_asked_tdata,
    input  wire [$clog2(REQUEST_ANSWERS + 1) - 1:0]  answers_there,
    output wire                                      answer_read_valid,
    output wire [4:0]                                answer_read_index,
    input  wire [3:0]                                read_status,
    input  wire [ADDRESS_WIDTH - 1:0]                read_address,
    output wire                                      answers_release_valid,
    output wire [5:0]                                answers_release_count,
    output wire                                      partial_queued_valid,
    output wire [2:0]                                partial_queued_context,

    // ---- memory
    output wire                                      m_axi_data_arvalid,
    input  wire                                      m_axi_data_arready,
    output wire [ADDRESS_WIDTH - 1:0]                m_axi_data_araddr,
    output wire [7:0]                                m_axi_data_arlen,
    input  wire                                      m_axi_data_rvalid,
    output wire                                      m_axi_data_rready,
    input  wire [255:0]                              m_axi_data_rdata,
    input  wire [1:0]                                m_axi_data_rresp,
    input  wire                                      m_axi_data_rlast,

    // ---- partials
    output wire                                      m_axis_partial_tvalid,
    input  wire                                      m_axis_partial_tready,
    output wire [127:0]                              m_axis_partial_tdata,
    output wire                                      m_axis_partial_tlast,
    output wire [4:0]                                m_axis_partial_tflits,

    // ---- what happened
    output wire [`MOEHUB_PARTIAL_EVENTS_WIDTH - 1:0] partial_events,
    output wire [127:0]                              read_error_header,
    output wire [$clog2(READ_LINES + 1) - 1:0]       used_lines
);
    generate
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
        if (REQUEST_ANSWERS < MAX_TARGETS || REQUEST_ANSWERS > 1024) REQUEST_ANSWERS_must_be_MAX_TARGETS_to_1024 u_rule ();
        if (READ_LINES < 1 || READ_LINES > 1024) READ_LINES_must_be_1_to_1024 u_rule ();
        if (LANE_BYTES != 16 && LANE_BYTES != 32) LANE_BYTES_must_be_16_or_32 u_rule ();
        if (PARTIAL_ROWS < 9 || PARTIAL_ROWS > 256) PARTIAL_ROWS_must_be_9_to_256 u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
    endgenerate

    localparam RECORD_WIDTH = `MOEHUB_READ_RECORD_WIDTH;
    localparam FLIT_WIDTH   = 8 * LANE_BYTES;
    localparam PLACES       = READ_LINES > 0 ? READ_LINES : 1; // the rule is named, not that of a memory

    // ---- requests: reads, records -----------------------------------------------------------------------------------------
    wire                     record_valid;
    wire                     record_ready;
    wire [RECORD_WIDTH - 1:0] record;
    wire                     line_asked;
    moehub_pre_reduce_requests #(
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .REQUEST_ANSWERS(REQUEST_ANSWERS), .READ_LINES(PLACES), .WITH_FP32(WITH_FP32)
    ) u_requests (
        .clk(clk), .rst(rst), .s_axis_asked_tvalid(s_axis_asked_tvalid), .s_axis_asked_tready(s_axis_asked_tready),
        .s_axis_asked_tdata(s_axis_asked_tdata), .answers_there(answers_there), .answer_read_valid(answer_read_valid),
        .answer_read_index(answer_read_index), .read_status(read_status), .read_address(read_address),
        .answers_release_valid(answers_release_valid), .answers_release_count(answers_release_count),
        .m_axi_data_arvalid(m_axi_data_arvalid), .m_axi_data_arready(m_axi_data_arready), .m_axi_data_araddr(m_axi_data_araddr),
        .m_axi_data_arlen(m_axi_data_arlen), .record_valid(record_valid), .record_ready(record_ready), .record(record),
        .line_asked(line_asked), .used_lines(used_lines)
    );

    // ---- places: lines that were read ---------------------------------------------------------------------------------------
    wire                      room;
    wire                      row_reserved;
    wire [3:0]                reserved_rows;
    wire                      flit_valid;
    wire [RECORD_WIDTH - 1:0] flit_record;
    wire [2:0]                flit_number;
    wire                      flit_last;
    wire                      flit_error;
    wire [FLIT_WIDTH - 1:0]   flit_data;
    wire                      no_data;
    wire                      no_room;
    moehub_pre_reduce_places #(.READ_LINES(PLACES), .LANE_BYTES(LANE_BYTES)) u_places (
        .clk(clk), .rst(rst), .m_axi_data_rvalid(m_axi_data_rvalid), .m_axi_data_rready(m_axi_data_rready),
        .m_axi_data_rdata(m_axi_data_rdata), .m_axi_data_rresp(m_axi_data_rresp), .m_axi_data_rlast(m_axi_data_rlast),
        .record_valid(record_valid), .record_ready(record_ready), .record(record), .room(room), .row_reserved(row_reserved),
        .reserved_rows(reserved_rows), .flit_valid(flit_valid), .flit_record(flit_record), .flit_number(flit_number),
        .flit_last(flit_last), .flit_error(flit_error), .flit_data(flit_data), .no_data(no_data), .no_room(no_room)
    );

    // ---- sums, partials -----------------------------------------------------------------------------------------------------
    wire                               sum_valid;
    wire                               sum_ready;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] sum_partial;
    wire [3:0]                         sum_status;
    wire [3:0]                         sum_units;
    wire [127:0]                       sum_data;
    wire                               sum_last;
    wire                               queued;
    wire                               queued_status;
    wire                               queued_error;
    moehub_pre_reduce_sums #(
        .MAX_TARGETS(MAX_TARGETS), .LANE_BYTES(LANE_BYTES), .PARTIAL_ROWS(PARTIAL_ROWS), .WITH_FP32(WITH_FP32)
    ) u_sums (
        .clk(clk), .rst(rst), .room(room), .row_reserved(row_reserved), .reserved_rows(reserved_rows), .flit_valid(flit_valid),
        .flit_record(flit_record), .flit_number(flit_number), .flit_last(flit_last), .flit_error(flit_error),
        .flit_data(flit_data), .sum_valid(sum_valid), .sum_ready(sum_ready), .sum_partial(sum_partial), .sum_status(sum_status),
        .sum_units(sum_units), .sum_data(sum_data), .sum_last(sum_last), .partial_queued_valid(partial_queued_valid),
        .partial_queued_context(partial_queued_context), .queued(queued), .queued_status(queued_status),
        .queued_error(queued_error), .read_error_header(read_error_header)
    );

    moehub_partial_packer u_packer (
        .clk(clk), .rst(rst), .own(own), .sum_valid(sum_valid), .sum_ready(sum_ready), .sum_partial(sum_partial),
        .sum_status(sum_status), .sum_units(sum_units), .sum_data(sum_data), .sum_last(sum_last),
        .packet_valid(m_axis_partial_tvalid), .packet_ready(m_axis_partial_tready), .packet_data(m_axis_partial_tdata),
        .packet_last(m_axis_partial_tlast), .packet_flits(m_axis_partial_tflits)
    );

    assign partial_events = `MOEHUB_PARTIAL_EVENTS(line_asked, queued, queued_status, queued_error, no_data, no_room);
endmodule

`default_nettype wire
