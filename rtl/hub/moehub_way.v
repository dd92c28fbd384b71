// SPDX-License-Identifier: Apache-2.0
// Purpose: one link of a hub, or its loop-back, without its registers (doc/hub/ingress.md); wiring.
// Contract:
//   1. in_* and out_* are the link's wires (doc/plane/link.md section 1). With LOOP_BACK they and link_up mean nothing: the way's
//      sender is wired to its own receiver, and no partial is taken.
//   2. Streams and wires are those of doc/hub/ingress.md section 0. Of the pairs of vectors the lower half is the stores', the
//      upper the requests'. An answer is taken when its port is the way's: 2 WAY of the stores, 2 WAY + 1 of the requests.
//   3. failed: not later than the record of a refused pair is offered on completed.
//   4. events, error_*, used_*: for the registers; events have the numbers of MOEHUB_HUB_WAY_EVENT_*.
// How: three classes, each with its places, share the receiver, one check a cycle, and nothing else.
// Cost: doc/hub/ingress.md sections 3 and 8.
// Limits: those of its parts.
// Proved: formal/hub/formal_way_serves.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_plane.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_way #(
    parameter WAY               = 0,    // 0..4: its number in the hub
    parameter LOOP_BACK         = 0,    // 0, 1
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8 lines in a request
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter PLACES_STORE      = 2048, // 14..8191 flits
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter ANSWERS           = 128,  // 1..1024
    parameter REQUEST_ANSWERS   = 64,   // MAX_TARGETS..1024
    parameter WRITES            = 256,  // 2..1024
    parameter READ_LINES        = 96,   // 1..1024
    parameter NOTICES           = 16    // 2..64
) (
    input  wire                                                 clk,
    input  wire                                                 rst,
    input  wire [9:0]                                           own, // GPU

    input  wire                                                 link_up,
    input  wire                                                 in_flit_valid,
    input  wire                                                 in_flit_first,
    input  wire                                                 in_flit_last,
    input  wire [1:0]                                           in_flit_class,
    input  wire [127:0]                                         in_flit_data,
    output wire                                                 in_credit_valid,
    output wire [1:0]                                           in_credit_class,
    output wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0]              in_credit_flits,
    output wire                                                 out_flit_valid,
    output wire                                                 out_flit_first,
    output wire                                                 out_flit_last,
    output wire [1:0]                                           out_flit_class,
    output wire [127:0]                                         out_flit_data,
    input  wire                                                 out_credit_valid,
    input  wire [1:0]                                           out_credit_class,
    input  wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0]              out_credit_flits,

    // ---- contexts
    input  wire                                                 initialised, // of all blocks of the hub
    input  wire [CONTEXTS - 1:0]                                enabled,
    input  wire [CONTEXTS - 1:0]                                has_arrived,
    input  wire [CONTEXTS * 4 - 1:0]                            rounds,
    input  wire [CONTEXTS * 5 - 1:0]                            owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                         peers,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]                list_bases,
    input  wire [CONTEXTS * 5 - 1:0]                            list_shifts,
    output wire [CONTEXTS - 1:0]                                failed,
    output wire [CONTEXTS - 1:0]                                stores_in_flight,
    output wire [CONTEXTS - 1:0]                                requests_in_flight,

    // ---- address path
    output wire [1:0]                                           m_axis_question_tvalid,
    input  wire [1:0]                                           m_axis_question_tready,
    output wire [2 * `MOEHUB_QUESTION_WIDTH - 1:0]              m_axis_question_tdata,
    input  wire                                                 answer_valid,
    input  wire [3:0]                                           answer_port,
    input  wire [`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 1:0] answer,

    // ---- memory: pre_reduce reads
    output wire                                                 m_axi_data_awvalid,
    input  wire                                                 m_axi_data_awready,
    output wire [ADDRESS_WIDTH - 1:0]                           m_axi_data_awaddr,
    output wire [7:0]                                           m_axi_data_awlen,
    output wire                                                 m_axi_data_wvalid,
    input  wire                                                 m_axi_data_wready,
    output wire [255:0]                                         m_axi_data_wdata,
    output wire [31:0]                                          m_axi_data_wstrb,
    output wire                                                 m_axi_data_wlast,
    input  wire                                                 m_axi_data_bvalid,
    output wire                                                 m_axi_data_bready,
    input  wire [1:0]                                           m_axi_data_bresp,

    // ---- tile tracker
    output wire                                                 m_axis_completed_tvalid,
    input  wire                                                 m_axis_completed_tready,
    output wire [`MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0]     m_axis_completed_tdata,
    output wire                                                 m_axis_close_tvalid,
    input  wire                                                 m_axis_close_tready,
    output wire [`MOEHUB_CLOSED_WIDTH - 1:0]                    m_axis_close_tdata,
    output wire                                                 m_axis_notify_tvalid,
    input  wire                                                 m_axis_notify_tready,
    output wire [`MOEHUB_NOTIFIED_WIDTH - 1:0]                  m_axis_notify_tdata,

    // ---- pre_reduce
    output wire                                                 m_axis_asked_tvalid,
    input  wire                                                 m_axis_asked_tready,
    output wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0]            m_axis_asked_tdata,
    output wire [$clog2(REQUEST_ANSWERS + 1) - 1:0]             answers_there,
    input  wire                                                 answer_read_valid,
    input  wire [4:0]                                           answer_read_index,
    output wire [3:0]                                           read_status,
    output wire [ADDRESS_WIDTH - 1:0]                           read_address,
    input  wire                                                 answers_release_valid,
    input  wire [5:0]                                           answers_release_count,
    input  wire                                                 partial_queued_valid,
    input  wire [2:0]                                           partial_queued_context,
    input  wire [`MOEHUB_PARTIAL_EVENTS_WIDTH - 1:0]            partial_events,
    input  wire [127:0]                                         read_error_header,

    // ---- final_reduce
    output wire                                                 m_axis_result_tvalid,
    input  wire                                                 m_axis_result_tready,
    output wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0]                m_axis_result_tdata,
    output wire                                                 m_axis_result_tlast,

    // ---- packets to send
    input  wire                                                 s_axis_request_tvalid,
    output wire                                                 s_axis_request_tready,
    input  wire [127:0]                                         s_axis_request_tdata,
    input  wire                                                 s_axis_request_tlast,
    input  wire [4:0]                                           s_axis_request_tflits,
    input  wire                                                 s_axis_store_tvalid,
    output wire                                                 s_axis_store_tready,
    input  wire [127:0]                                         s_axis_store_tdata,
    input  wire                                                 s_axis_store_tlast,
    input  wire [4:0]                                           s_axis_store_tflits,
    input  wire                                                 s_axis_partial_tvalid,
    output wire                                                 s_axis_partial_tready,
    input  wire [127:0]                                         s_axis_partial_tdata,
    input  wire                                                 s_axis_partial_tlast,
    input  wire [4:0]                                           s_axis_partial_tflits,
    input  wire                                                 s_axis_notice_tvalid,
    output wire                                                 s_axis_notice_tready,
    input  wire [127:0]                                         s_axis_notice_tdata,
    output wire                                                 store_room,

    // ---- registers
    output wire [`MOEHUB_HUB_WAY_EVENTS - 1:0]                  events,
    output wire                                                 error_valid,
    output wire [4:0]                                           error_cause,
    output wire [127:0]                                         error_header,
    output wire [`MOEHUB_CLASSES * 16 - 1:0]                    used_places,
    output wire [$clog2(ANSWERS + 1) - 1:0]                     used_answers,
    output wire [$clog2(WRITES + 1) - 1:0]                      used_writes,
    output wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits
);
    generate
        if (WAY < 0 || WAY > 4) WAY_must_be_0_to_4 u_rule ();
        if (NOTICES < 2 || NOTICES > 64) NOTICES_must_be_2_to_64 u_rule ();
    endgenerate

    localparam STORE    = `MOEHUB_CLASS_STORE;
    localparam REQUEST  = `MOEHUB_CLASS_REQUEST;
    localparam RESPONSE = `MOEHUB_CLASS_RESPONSE;
    localparam CLASSES  = `MOEHUB_CLASSES;
    localparam WIDTH    = `MOEHUB_CREDITS_WIDTH;
    localparam CHECK_WIDTH   = `MOEHUB_WAY_CHECK_WIDTH;
    localparam STORE_WIDTH    = $clog2(PLACES_STORE + 1);
    localparam REQUEST_WIDTH  = $clog2(PLACES_REQUEST + 1);
    localparam RESPONSE_WIDTH = $clog2(PLACES_RESPONSE + 1);
    localparam [31:0] ALL_STORE    = PLACES_STORE;
    localparam [31:0] ALL_REQUEST  = PLACES_REQUEST;
    localparam [31:0] ALL_RESPONSE = PLACES_RESPONSE;
    localparam [31:0] PORT_STORE   = 2 * WAY;
    localparam [31:0] PORT_REQUEST = 2 * WAY + 1;

    // ---- the link, or the loop ----------------------------------------------------------------------------------------------
    wire                                    up;
    wire                                    flit_valid;
    wire                                    flit_first;
    wire                                    flit_last;
    wire [1:0]                              flit_class;
    wire [127:0]                            flit_data;
    wire                                    grant_valid;
    wire [1:0]                              grant_class;
    wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] grant_flits;
    wire                                    sent_valid;
    wire                                    sent_first;
    wire                                    sent_last;
    wire [1:0]                              sent_class;
    wire [127:0]                            sent_data;
    wire                                    credit_valid;
    wire [1:0]                              credit_class;
    wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] credit_flits;
    wire                                    partial_valid;
    wire                                    partial_ready;
    generate
        if (LOOP_BACK == 0) begin : g_link
            assign up = link_up;
            assign {flit_valid, flit_first, flit_last, flit_class, flit_data} =
                {in_flit_valid, in_flit_first, in_flit_last, in_flit_class, in_flit_data};
            assign {in_credit_valid, in_credit_class, in_credit_flits} = {grant_valid, grant_class, grant_flits};
            assign {out_flit_valid, out_flit_first, out_flit_last, out_flit_class, out_flit_data} =
                {sent_valid, sent_first, sent_last, sent_class, sent_data};
            // The sender does much with a grant in its cycle.
            reg                                    credit_valid_q;
            reg [1:0]                              credit_class_q;
            reg [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] credit_flits_q;
            always @(posedge clk) begin
                credit_valid_q <= out_credit_valid && link_up;
                credit_class_q <= out_credit_class;
                credit_flits_q <= out_credit_flits;
                if (rst) credit_valid_q <= 1'b0;
            end
            assign {credit_valid, credit_class, credit_flits} = {credit_valid_q, credit_class_q, credit_flits_q};
            assign partial_valid         = s_axis_partial_tvalid;
            assign s_axis_partial_tready = partial_ready;
        end else begin : g_loop
            reg up_q;
            always @(posedge clk) begin
                up_q <= 1'b1;
                if (rst) up_q <= 1'b0;
            end
            assign up = up_q;
            assign {flit_valid, flit_first, flit_last, flit_class, flit_data} =
                {sent_valid, sent_first, sent_last, sent_class, sent_data};
            assign {credit_valid, credit_class, credit_flits} = {grant_valid, grant_class, grant_flits};
            assign {in_credit_valid, in_credit_class, in_credit_flits} = {`MOEHUB_CREDIT_FLITS_WIDTH + 3{1'b0}};
            assign {out_flit_valid, out_flit_first, out_flit_last, out_flit_class, out_flit_data} = 133'd0;
            assign partial_valid         = 1'b0;
            assign s_axis_partial_tready = 1'b0;
            wire unused_link = ^{link_up, in_flit_valid, in_flit_first, in_flit_last, in_flit_class, in_flit_data,
                out_credit_valid, out_credit_class, out_credit_flits, s_axis_partial_tvalid, partial_ready};
        end
    endgenerate

    // ---- in -------------------------------------------------------------------------------------------------------------------
    wire [CLASSES * WIDTH - 1:0]                             free_places;
    wire [CLASSES - 1:0]                                     freed_valid;
    wire [CLASSES * 6 - 1:0]                                 freed_flits;
    wire [CLASSES - 1:0]                                     space;
    wire [CLASSES - 1:0]                                     write_valid;
    wire                                                     write_first;
    wire [2:0]                                               unused_write_targets;
    wire [127:0]                                             write_data;
    wire [CLASSES - 1:0]                                     end_valid;
    wire                                                     end_good;
    wire [`MOEHUB_STORE_MARK_WIDTH - 1:0]                    unused_mark_store;
    wire [`MOEHUB_REQUEST_MARK_WIDTH(1, GPUS) - 1:0]         unused_mark_request;
    wire [`MOEHUB_RESPONSE_MARK_WIDTH(GPUS) - 1:0]           unused_mark_response;
    wire [`MOEHUB_LINK_CAUSE_PLACE:0]                        causes;
    wire [CLASSES - 1:0]                                     packets_in;
    wire                                                     flit_in;
    wire                                                     receiver_error_valid;
    wire [3:0]                                               receiver_error_cause;
    wire [127:0]                                             receiver_error_header;
    moehub_link_receiver #(
        .TOWARDS_HUB(1), .LOOP_BACK(LOOP_BACK), .PORTS(GPUS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(REQUEST_LINES)
    ) u_receiver (
        .clk(clk), .rst(rst), .own(own), .link_up(up),
        .flit_valid(flit_valid), .flit_class(flit_class), .flit_first(flit_first), .flit_last(flit_last), .flit_data(flit_data),
        .credit_valid(grant_valid), .credit_class(grant_class), .credit_flits(grant_flits),
        .initialised({CLASSES{initialised}}), .free_places(free_places), .freed_valid(freed_valid), .freed_flits(freed_flits),
        .space(space), .write_valid(write_valid), .write_first(write_first), .write_targets(unused_write_targets),
        .write_data(write_data), .end_valid(end_valid), .end_good(end_good), .end_mark_store(unused_mark_store),
        .end_mark_request(unused_mark_request), .end_mark_response(unused_mark_response),
        .causes(causes), .packets(packets_in), .flit(flit_in),
        .error_valid(receiver_error_valid), .error_cause(receiver_error_cause), .error_header(receiver_error_header)
    );

    // ---- check ----------------------------------------------------------------------------------------------------------------
    wire [CLASSES - 1:0]                      check_valid;
    wire [CLASSES * CHECK_WIDTH - 1:0]        checks;
    wire [CLASSES * 128 - 1:0]                check_headers;
    wire [CLASSES - 1:0]                      check_taken;
    wire                                      passed;
    wire                                      counted;
    wire [4:0]                                cause;
    wire [`MOEHUB_HUB_WAY_CHECK_CAUSES - 1:0] check_causes;
    wire                                      check_error_valid;
    wire [4:0]                                check_error_cause;
    wire [127:0]                              check_error_header;
    wire [CONTEXTS - 1:0]                     check_failed;
    wire [CONTEXTS - 1:0]                     answer_failed;
    moehub_way_check #(.GPUS(GPUS), .CONTEXTS(CONTEXTS)) u_check (
        .clk(clk), .rst(rst), .enabled(enabled), .has_arrived(has_arrived), .rounds(rounds), .owner_shifts(owner_shifts),
        .peers(peers), .valid(check_valid), .checks(checks), .headers(check_headers), .taken(check_taken), .passed(passed),
        .counted(counted), .cause(cause), .causes(check_causes), .error_valid(check_error_valid),
        .error_cause(check_error_cause), .error_header(check_error_header), .failed(check_failed)
    );
    assign failed = check_failed | answer_failed;

    // ---- stores ---------------------------------------------------------------------------------------------------------------
    wire [STORE_WIDTH - 1:0]                 store_free;
    wire [`MOEHUB_STORE_EVENTS_WIDTH - 1:0]  store_events;
    wire                                     answer_error_valid;
    wire [127:0]                             answer_error_header;
    wire                                     write_error_valid;
    wire [127:0]                             write_error_header;
    moehub_way_stores #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH),
        .PLACES(PLACES_STORE), .ANSWERS(ANSWERS), .WRITES(WRITES)
    ) u_stores (
        .clk(clk), .rst(rst), .list_bases(list_bases), .list_shifts(list_shifts),
        .space(space[STORE]), .write_valid(write_valid[STORE]), .write_first(write_first), .write_data(write_data),
        .end_valid(end_valid[STORE]), .end_good(end_good), .freed_valid(freed_valid[STORE]),
        .freed_flits(freed_flits[STORE * 6 +: 6]), .free_places(store_free), .check_valid(check_valid[STORE]),
        .check(checks[STORE * CHECK_WIDTH +: CHECK_WIDTH]), .check_header(check_headers[STORE * 128 +: 128]),
        .check_taken(check_taken[STORE]), .passed(passed), .counted(counted), .cause(cause),
        .question_valid(m_axis_question_tvalid[0]), .question_ready(m_axis_question_tready[0]),
        .question(m_axis_question_tdata[0 +: `MOEHUB_QUESTION_WIDTH]),
        .answer_valid(answer_valid && answer_port == PORT_STORE[3:0]), .answer(answer),
        .m_axi_data_awvalid(m_axi_data_awvalid), .m_axi_data_awready(m_axi_data_awready),
        .m_axi_data_awaddr(m_axi_data_awaddr), .m_axi_data_awlen(m_axi_data_awlen), .m_axi_data_wvalid(m_axi_data_wvalid),
        .m_axi_data_wready(m_axi_data_wready), .m_axi_data_wdata(m_axi_data_wdata), .m_axi_data_wstrb(m_axi_data_wstrb),
        .m_axi_data_wlast(m_axi_data_wlast), .m_axi_data_bvalid(m_axi_data_bvalid), .m_axi_data_bready(m_axi_data_bready),
        .m_axi_data_bresp(m_axi_data_bresp),
        .m_axis_completed_tvalid(m_axis_completed_tvalid), .m_axis_completed_tready(m_axis_completed_tready),
        .m_axis_completed_tdata(m_axis_completed_tdata), .in_flight(stores_in_flight), .failed(answer_failed),
        .events(store_events), .answer_error_valid(answer_error_valid), .answer_error_header(answer_error_header),
        .write_error_valid(write_error_valid), .write_error_header(write_error_header), .held(used_answers),
        .used_writes(used_writes)
    );

    // ---- requests -------------------------------------------------------------------------------------------------------------
    wire [REQUEST_WIDTH - 1:0] request_free;
    wire                       request_question_stalled;
    wire                       request_no_answer_place;
    wire [3:0]                 answer_status;
    wire [ADDRESS_WIDTH - 1:0] answer_address;
    wire [7:0]                 unused_answer_expert;
    wire                       unused_answer_allocated;
    wire [SLOT_WIDTH - 1:0]    unused_answer_slot;
    assign `MOEHUB_WAY_ANSWER(answer_status, unused_answer_expert, unused_answer_allocated, unused_answer_slot,
        answer_address) = answer;
    moehub_way_requests #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS), .ADDRESS_WIDTH(ADDRESS_WIDTH),
        .PLACES(PLACES_REQUEST), .REQUEST_ANSWERS(REQUEST_ANSWERS), .READ_LINES(READ_LINES)
    ) u_requests (
        .clk(clk), .rst(rst), .space(space[REQUEST]), .write_valid(write_valid[REQUEST]), .write_first(write_first),
        .write_data(write_data), .end_valid(end_valid[REQUEST]), .end_good(end_good), .freed_valid(freed_valid[REQUEST]),
        .freed_flits(freed_flits[REQUEST * 6 +: 6]), .free_places(request_free), .check_valid(check_valid[REQUEST]),
        .check(checks[REQUEST * CHECK_WIDTH +: CHECK_WIDTH]), .check_header(check_headers[REQUEST * 128 +: 128]),
        .check_taken(check_taken[REQUEST]), .passed(passed), .counted(counted), .cause(cause),
        .question_valid(m_axis_question_tvalid[1]), .question_ready(m_axis_question_tready[1]),
        .question(m_axis_question_tdata[`MOEHUB_QUESTION_WIDTH +: `MOEHUB_QUESTION_WIDTH]),
        .answer_valid(answer_valid && answer_port == PORT_REQUEST[3:0]), .answer_status(answer_status),
        .answer_address(answer_address), .m_axis_asked_tvalid(m_axis_asked_tvalid), .m_axis_asked_tready(m_axis_asked_tready),
        .m_axis_asked_tdata(m_axis_asked_tdata), .answers_there(answers_there), .answer_read_valid(answer_read_valid),
        .answer_read_index(answer_read_index), .read_status(read_status), .read_address(read_address),
        .answers_release_valid(answers_release_valid), .answers_release_count(answers_release_count),
        .partial_queued_valid(partial_queued_valid), .partial_queued_context(partial_queued_context),
        .in_flight(requests_in_flight), .question_stalled(request_question_stalled), .no_answer_place(request_no_answer_place)
    );

    // ---- responses ------------------------------------------------------------------------------------------------------------
    wire [RESPONSE_WIDTH - 1:0] response_free;
    wire                        results;
    wire                        closes;
    wire                        notifies;
    moehub_way_responses #(.PLACES(PLACES_RESPONSE)) u_responses (
        .clk(clk), .rst(rst), .own(own), .space(space[RESPONSE]), .write_valid(write_valid[RESPONSE]),
        .write_first(write_first), .write_data(write_data), .end_valid(end_valid[RESPONSE]), .end_good(end_good),
        .freed_valid(freed_valid[RESPONSE]), .freed_flits(freed_flits[RESPONSE * 6 +: 6]), .free_places(response_free),
        .check_valid(check_valid[RESPONSE]), .check(checks[RESPONSE * CHECK_WIDTH +: CHECK_WIDTH]),
        .check_header(check_headers[RESPONSE * 128 +: 128]), .check_taken(check_taken[RESPONSE]), .passed(passed),
        .m_axis_result_tvalid(m_axis_result_tvalid), .m_axis_result_tready(m_axis_result_tready),
        .m_axis_result_tdata(m_axis_result_tdata), .m_axis_result_tlast(m_axis_result_tlast),
        .m_axis_close_tvalid(m_axis_close_tvalid), .m_axis_close_tready(m_axis_close_tready),
        .m_axis_close_tdata(m_axis_close_tdata), .m_axis_notify_tvalid(m_axis_notify_tvalid),
        .m_axis_notify_tready(m_axis_notify_tready), .m_axis_notify_tdata(m_axis_notify_tdata),
        .results(results), .closes(closes), .notifies(notifies)
    );

    // ---- out ------------------------------------------------------------------------------------------------------------------
    wire                             notice_valid;
    wire                             notice_ready;
    wire [127:0]                     notice_data;
    wire [$clog2(NOTICES + 1) - 1:0] unused_notices;
    wire                             unused_error_ready;
    wire                             unused_packet_ready;
    wire                             unused_discarded; // a link that falls: nothing is missed but what it lost
    wire                             start_valid;
    wire [1:0]                       start_class;
    wire [4:0]                       start_flits;
    wire                             packet_valid;
    wire [1:0]                       packet_class;
    wire [127:0]                     packet_data;
    wire                             packet_last;
    wire [CLASSES - 1:0]             packets_out;
    wire [CLASSES - 1:0]             blocked;
    wire                             idle;
    wire                             credit_overflow;
    moehub_deep_fifo #(.WIDTH(128), .DEPTH(NOTICES)) u_notices (
        .clk(clk), .rst(rst), .in_valid(s_axis_notice_tvalid), .in_ready(s_axis_notice_tready), .in_data(s_axis_notice_tdata),
        .out_valid(notice_valid), .out_ready(notice_ready), .out_data(notice_data), .count(unused_notices)
    );
    moehub_egress #(.ROUND_ROBIN(1)) u_egress (
        .clk(clk), .rst(rst), .link_up(up), .down(1'b0), .credits(credits),
        .request_valid(s_axis_request_tvalid), .request_ready(s_axis_request_tready), .request_data(s_axis_request_tdata),
        .request_last(s_axis_request_tlast), .request_flits(s_axis_request_tflits),
        .store_valid(s_axis_store_tvalid), .store_ready(s_axis_store_tready), .store_data(s_axis_store_tdata),
        .store_last(s_axis_store_tlast), .store_flits(s_axis_store_tflits),
        .result_valid(partial_valid), .result_ready(partial_ready), .result_data(s_axis_partial_tdata),
        .result_last(s_axis_partial_tlast), .result_flits(s_axis_partial_tflits),
        .error_valid(1'b0), .error_ready(unused_error_ready), .error_data(128'd0),
        .notice_valid(notice_valid), .notice_ready(notice_ready), .notice_data(notice_data),
        .start_valid(start_valid), .start_class(start_class), .start_flits(start_flits),
        .packet_valid(packet_valid), .packet_class(packet_class), .packet_data(packet_data), .packet_last(packet_last),
        .packets(packets_out), .discarded(unused_discarded), .blocked(blocked), .idle(idle)
    );
    moehub_link_sender u_sender (
        .clk(clk), .rst(rst), .link_up(up),
        .start_valid(start_valid), .start_class(start_class), .start_flits(start_flits),
        .packet_valid(packet_valid), .packet_ready(unused_packet_ready), .packet_class(packet_class),
        .packet_data(packet_data), .packet_last(packet_last),
        .flit_valid(sent_valid), .flit_class(sent_class), .flit_first(sent_first), .flit_last(sent_last), .flit_data(sent_data),
        .credit_valid(credit_valid), .credit_class(credit_class), .credit_flits(credit_flits),
        .credits(credits), .credit_overflow(credit_overflow)
    );

    reg store_room_q;
    assign store_room = store_room_q;
    always @(posedge clk) begin
        store_room_q <= credits[STORE * WIDTH +: WIDTH] >= `MOEHUB_STORE_LONGEST;
        if (rst) store_room_q <= 1'b0;
    end

    // ---- what happened --------------------------------------------------------------------------------------------------------
    moehub_way_report u_report (
        .causes(causes), .packets_in(packets_in), .flit_in(flit_in), .receiver_error_valid(receiver_error_valid),
        .receiver_error_cause(receiver_error_cause), .receiver_error_header(receiver_error_header),
        .check_causes(check_causes), .check_error_valid(check_error_valid), .check_error_cause(check_error_cause),
        .check_error_header(check_error_header), .store_events(store_events), .answer_error_valid(answer_error_valid),
        .answer_error_header(answer_error_header), .write_error_valid(write_error_valid),
        .write_error_header(write_error_header), .request_question_stalled(request_question_stalled),
        .request_no_answer_place(request_no_answer_place), .partial_events(partial_events),
        .read_error_header(read_error_header), .results(results), .closes(closes), .notifies(notifies),
        .packets_out(packets_out), .flit_out(sent_valid), .blocked(blocked), .idle(idle), .credit_overflow(credit_overflow),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    wire [15:0] store_wide    = {{16 - STORE_WIDTH{1'b0}}, store_free};
    wire [15:0] request_wide  = {{16 - REQUEST_WIDTH{1'b0}}, request_free};
    wire [15:0] response_wide = {{16 - RESPONSE_WIDTH{1'b0}}, response_free};
    assign free_places = {response_wide[WIDTH - 1:0], request_wide[WIDTH - 1:0], store_wide[WIDTH - 1:0]};

    // For the registers: a cycle late.
    reg [`MOEHUB_CLASSES * 16 - 1:0] used_places_q;
    always @(posedge clk) begin
        used_places_q <= {ALL_RESPONSE[15:0] - response_wide, ALL_REQUEST[15:0] - request_wide, ALL_STORE[15:0] - store_wide};
        if (rst) used_places_q <= {`MOEHUB_CLASSES * 16{1'b0}};
    end
    assign used_places = used_places_q;
endmodule

`default_nettype wire
