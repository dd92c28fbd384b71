// SPDX-License-Identifier: Apache-2.0
// Purpose: one link of a hub, or its loop-back, with its registers (doc/hub/ingress.md).
// Contract: those of moehub_way and moehub_hub_way_csr.
// Cost: their sum.
// Limits: theirs.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_plane.vh"
`include "moehub_tile_tracker.vh"

// Joined by name from the headers of the parts: `make faces` writes it from moehub_hub_way.face.
module moehub_hub_way #(
    parameter WAY               = 0,    // 0..4: its number in the hub
    parameter LOOP_BACK         = 0,    // 0, 1
    parameter PLACES_STORE      = 2048, // 14..8191 flits
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter ANSWERS           = 128,  // 1..1024
    parameter REQUEST_ANSWERS   = 64,   // MAX_TARGETS..1024
    parameter WRITES            = 256,  // 2..1024
    parameter READ_LINES        = 96,   // 1..1024
    parameter PARTIAL_ROWS      = 40,   // 9..256, of pre_reduce
    parameter NOTICES           = 16,   // 2..64
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter MAX_TARGETS       = 32,   // 1..32 ids in a packet
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8 lines in a request
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter ADDRESS_WIDTH     = 48    // 32..64
) (
    input  wire clk,
    input  wire rst,

    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [11:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    output wire [1:0]  s_axil_bresp,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    input  wire [11:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        interrupt_request,

    input  wire        initialised,
    input  wire        link_up,
    input  wire [15:0] used_read_lines,

    input  wire [9:0] own, // GPU

    input  wire                                    in_flit_valid,
    input  wire                                    in_flit_first,
    input  wire                                    in_flit_last,
    input  wire [1:0]                              in_flit_class,
    input  wire [127:0]                            in_flit_data,
    output wire                                    in_credit_valid,
    output wire [1:0]                              in_credit_class,
    output wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] in_credit_flits,
    output wire                                    out_flit_valid,
    output wire                                    out_flit_first,
    output wire                                    out_flit_last,
    output wire [1:0]                              out_flit_class,
    output wire [127:0]                            out_flit_data,
    input  wire                                    out_credit_valid,
    input  wire [1:0]                              out_credit_class,
    input  wire [`MOEHUB_CREDIT_FLITS_WIDTH - 1:0] out_credit_flits,

    input  wire [CONTEXTS - 1:0]                 enabled,
    input  wire [CONTEXTS - 1:0]                 has_arrived,
    input  wire [CONTEXTS * 4 - 1:0]             rounds,
    input  wire [CONTEXTS * 5 - 1:0]             owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]          peers,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0] list_bases,
    input  wire [CONTEXTS * 5 - 1:0]             list_shifts,
    output wire [CONTEXTS - 1:0]                 failed,
    output wire [CONTEXTS - 1:0]                 stores_in_flight,
    output wire [CONTEXTS - 1:0]                 requests_in_flight,

    output wire [1:0]                                                       m_axis_question_tvalid,
    input  wire [1:0]                                                       m_axis_question_tready,
    output wire [2 * `MOEHUB_QUESTION_WIDTH - 1:0]                          m_axis_question_tdata,
    input  wire                                                             answer_valid,
    input  wire [3:0]                                                       answer_port,
    input  wire [`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 1:0] answer,

    output wire                       m_axi_data_awvalid,
    input  wire                       m_axi_data_awready,
    output wire [ADDRESS_WIDTH - 1:0] m_axi_data_awaddr,
    output wire [7:0]                 m_axi_data_awlen,
    output wire                       m_axi_data_wvalid,
    input  wire                       m_axi_data_wready,
    output wire [255:0]               m_axi_data_wdata,
    output wire [31:0]                m_axi_data_wstrb,
    output wire                       m_axi_data_wlast,
    input  wire                       m_axi_data_bvalid,
    output wire                       m_axi_data_bready,
    input  wire [1:0]                 m_axi_data_bresp,

    output wire                                             m_axis_completed_tvalid,
    input  wire                                             m_axis_completed_tready,
    output wire [`MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0] m_axis_completed_tdata,
    output wire                                             m_axis_close_tvalid,
    input  wire                                             m_axis_close_tready,
    output wire [`MOEHUB_CLOSED_WIDTH - 1:0]                m_axis_close_tdata,
    output wire                                             m_axis_notify_tvalid,
    input  wire                                             m_axis_notify_tready,
    output wire [`MOEHUB_NOTIFIED_WIDTH - 1:0]              m_axis_notify_tdata,

    output wire                                      m_axis_asked_tvalid,
    input  wire                                      m_axis_asked_tready,
    output wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0] m_axis_asked_tdata,
    output wire [$clog2(REQUEST_ANSWERS + 1) - 1:0]  answers_there,
    input  wire                                      answer_read_valid,
    input  wire [4:0]                                answer_read_index,
    output wire [3:0]                                read_status,
    output wire [ADDRESS_WIDTH - 1:0]                read_address,
    input  wire                                      answers_release_valid,
    input  wire [5:0]                                answers_release_count,
    input  wire                                      partial_queued_valid,
    input  wire [2:0]                                partial_queued_context,
    input  wire [`MOEHUB_PARTIAL_EVENTS_WIDTH - 1:0] partial_events,
    input  wire [127:0]                              read_error_header,

    output wire                                  m_axis_result_tvalid,
    input  wire                                  m_axis_result_tready,
    output wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0] m_axis_result_tdata,
    output wire                                  m_axis_result_tlast,

    input  wire         s_axis_request_tvalid,
    output wire         s_axis_request_tready,
    input  wire [127:0] s_axis_request_tdata,
    input  wire         s_axis_request_tlast,
    input  wire [4:0]   s_axis_request_tflits,
    input  wire         s_axis_store_tvalid,
    output wire         s_axis_store_tready,
    input  wire [127:0] s_axis_store_tdata,
    input  wire         s_axis_store_tlast,
    input  wire [4:0]   s_axis_store_tflits,
    input  wire         s_axis_partial_tvalid,
    output wire         s_axis_partial_tready,
    input  wire [127:0] s_axis_partial_tdata,
    input  wire         s_axis_partial_tlast,
    input  wire [4:0]   s_axis_partial_tflits,
    input  wire         s_axis_notice_tvalid,
    output wire         s_axis_notice_tready,
    input  wire [127:0] s_axis_notice_tdata,
    output wire         store_room
);
    wire [`MOEHUB_HUB_WAY_EVENTS - 1:0]                  events;
    wire                                                 error_valid;
    wire [4:0]                                           error_cause;
    wire [127:0]                                         error_header;
    wire [`MOEHUB_CLASSES * 16 - 1:0]                    used_places;
    wire [$clog2(ANSWERS + 1) - 1:0]                     used_answers;
    wire [$clog2(WRITES + 1) - 1:0]                      used_writes;
    wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits;

    moehub_hub_way_csr #(
        .WAY(WAY), .LOOP_BACK(LOOP_BACK), .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST),
        .PLACES_RESPONSE(PLACES_RESPONSE), .ANSWERS(ANSWERS), .REQUEST_ANSWERS(REQUEST_ANSWERS), .WRITES(WRITES),
        .READ_LINES(READ_LINES), .PARTIAL_ROWS(PARTIAL_ROWS), .NOTICES(NOTICES)
    ) u_csr (
        .clk(clk), .rst(rst), .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot), .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata),
        .s_axil_wstrb(s_axil_wstrb), .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot), .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata),
        .s_axil_rresp(s_axil_rresp), .interrupt_request(interrupt_request), .initialised(initialised), .link_up(link_up),
        .events(events), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .used_places(used_places), .used_answers(used_answers), .used_writes(used_writes), .used_read_lines(used_read_lines),
        .credits(credits)
    );

    moehub_way #(
        .WAY(WAY), .LOOP_BACK(LOOP_BACK), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .REQUEST_LINES(REQUEST_LINES), .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH),
        .PLACES_STORE(PLACES_STORE), .PLACES_REQUEST(PLACES_REQUEST), .PLACES_RESPONSE(PLACES_RESPONSE), .ANSWERS(ANSWERS),
        .REQUEST_ANSWERS(REQUEST_ANSWERS), .WRITES(WRITES), .READ_LINES(READ_LINES), .NOTICES(NOTICES)
    ) u_way (
        .clk(clk), .rst(rst), .own(own), .link_up(link_up), .in_flit_valid(in_flit_valid), .in_flit_first(in_flit_first),
        .in_flit_last(in_flit_last), .in_flit_class(in_flit_class), .in_flit_data(in_flit_data),
        .in_credit_valid(in_credit_valid), .in_credit_class(in_credit_class), .in_credit_flits(in_credit_flits),
        .out_flit_valid(out_flit_valid), .out_flit_first(out_flit_first), .out_flit_last(out_flit_last),
        .out_flit_class(out_flit_class), .out_flit_data(out_flit_data), .out_credit_valid(out_credit_valid),
        .out_credit_class(out_credit_class), .out_credit_flits(out_credit_flits), .initialised(initialised), .enabled(enabled),
        .has_arrived(has_arrived), .rounds(rounds), .owner_shifts(owner_shifts), .peers(peers), .list_bases(list_bases),
        .list_shifts(list_shifts), .failed(failed), .stores_in_flight(stores_in_flight), .requests_in_flight(requests_in_flight),
        .m_axis_question_tvalid(m_axis_question_tvalid), .m_axis_question_tready(m_axis_question_tready),
        .m_axis_question_tdata(m_axis_question_tdata), .answer_valid(answer_valid), .answer_port(answer_port), .answer(answer),
        .m_axi_data_awvalid(m_axi_data_awvalid), .m_axi_data_awready(m_axi_data_awready), .m_axi_data_awaddr(m_axi_data_awaddr),
        .m_axi_data_awlen(m_axi_data_awlen), .m_axi_data_wvalid(m_axi_data_wvalid), .m_axi_data_wready(m_axi_data_wready),
        .m_axi_data_wdata(m_axi_data_wdata), .m_axi_data_wstrb(m_axi_data_wstrb), .m_axi_data_wlast(m_axi_data_wlast),
        .m_axi_data_bvalid(m_axi_data_bvalid), .m_axi_data_bready(m_axi_data_bready), .m_axi_data_bresp(m_axi_data_bresp),
        .m_axis_completed_tvalid(m_axis_completed_tvalid), .m_axis_completed_tready(m_axis_completed_tready),
        .m_axis_completed_tdata(m_axis_completed_tdata), .m_axis_close_tvalid(m_axis_close_tvalid),
        .m_axis_close_tready(m_axis_close_tready), .m_axis_close_tdata(m_axis_close_tdata),
        .m_axis_notify_tvalid(m_axis_notify_tvalid), .m_axis_notify_tready(m_axis_notify_tready),
        .m_axis_notify_tdata(m_axis_notify_tdata), .m_axis_asked_tvalid(m_axis_asked_tvalid),
        .m_axis_asked_tready(m_axis_asked_tready), .m_axis_asked_tdata(m_axis_asked_tdata), .answers_there(answers_there),
        .answer_read_valid(answer_read_valid), .answer_read_index(answer_read_index), .read_status(read_status),
        .read_address(read_address), .answers_release_valid(answers_release_valid), .answers_release_count(answers_release_count),
        .partial_queued_valid(partial_queued_valid), .partial_queued_context(partial_queued_context),
        .partial_events(partial_events), .read_error_header(read_error_header), .m_axis_result_tvalid(m_axis_result_tvalid),
        .m_axis_result_tready(m_axis_result_tready), .m_axis_result_tdata(m_axis_result_tdata),
        .m_axis_result_tlast(m_axis_result_tlast), .s_axis_request_tvalid(s_axis_request_tvalid),
        .s_axis_request_tready(s_axis_request_tready), .s_axis_request_tdata(s_axis_request_tdata),
        .s_axis_request_tlast(s_axis_request_tlast), .s_axis_request_tflits(s_axis_request_tflits),
        .s_axis_store_tvalid(s_axis_store_tvalid), .s_axis_store_tready(s_axis_store_tready),
        .s_axis_store_tdata(s_axis_store_tdata), .s_axis_store_tlast(s_axis_store_tlast),
        .s_axis_store_tflits(s_axis_store_tflits), .s_axis_partial_tvalid(s_axis_partial_tvalid),
        .s_axis_partial_tready(s_axis_partial_tready), .s_axis_partial_tdata(s_axis_partial_tdata),
        .s_axis_partial_tlast(s_axis_partial_tlast), .s_axis_partial_tflits(s_axis_partial_tflits),
        .s_axis_notice_tvalid(s_axis_notice_tvalid), .s_axis_notice_tready(s_axis_notice_tready),
        .s_axis_notice_tdata(s_axis_notice_tdata), .store_room(store_room), .events(events), .error_valid(error_valid),
        .error_cause(error_cause), .error_header(error_header), .used_places(used_places), .used_answers(used_answers),
        .used_writes(used_writes), .credits(credits)
    );
endmodule

`default_nettype wire
