// SPDX-License-Identifier: Apache-2.0
// moehub_way: a request is served in a bounded time though nobody takes anything else: results, notifies, closes and completed
// writes stand, the memory takes no write, the address path no store's question, and no credit ever comes back. What serves
// others waits for nothing that waits for others.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_plane.vh"
`include "moehub_tile_tracker.vh"
module formal_way_serves #(
    parameter MOST = 16 // cycles from a request's flit until it is gone
) (
    input wire         clk,
    input wire         rst,
    input wire         flit_valid,
    input wire         flit_first,
    input wire         flit_last,
    input wire [1:0]   flit_class,
    input wire [127:0] flit_data,
    input wire [3:0]   round,
    input wire [31:0]  address,
    input wire         store_valid,
    input wire [127:0] store_data,
    input wire         partial_valid,
    input wire [127:0] partial_data,
    input wire         notice_valid,
    input wire [127:0] notice_data
);
`include "formal_one_reset.vh"
    localparam [1:0] REQUEST = `MOEHUB_CLASS_REQUEST;
    localparam SLOT_WIDTH    = 1;
    localparam ADDRESS_WIDTH = 32;

    wire [1:0]                                          question_valid;
    wire                                                asked_valid;
    wire [`MOEHUB_REQUEST_RECORD_WIDTH - 1:0]           asked;
    wire                                                answers_there;
    wire                                                result_valid;
    wire [`MOEHUB_CLASSES * 16 - 1:0]                   used_places;
    reg                                                 answer_q = 1'b0;
    reg                                                 busy_q   = 1'b0;
    reg                                                 passed_q;
    wire                                                release_valid = busy_q && (!passed_q || answers_there);
    moehub_way #(
        .GPUS(2), .CONTEXTS(1), .LOCAL_EXPERT_BITS(0), .MAX_TARGETS(1), .REQUEST_LINES(1), .SLOT_WIDTH(SLOT_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .PLACES_STORE(14), .PLACES_REQUEST(5), .PLACES_RESPONSE(17), .ANSWERS(1),
        .REQUEST_ANSWERS(1), .WRITES(2), .READ_LINES(1), .NOTICES(2)
    ) u_way (
        .clk(clk), .rst(rst), .own(10'd0), .link_up(1'b1), .initialised(1'b1),
        .in_flit_valid(flit_valid), .in_flit_first(flit_first), .in_flit_last(flit_last), .in_flit_class(flit_class),
        .in_flit_data(flit_data), .in_credit_valid(), .in_credit_class(), .in_credit_flits(),
        .out_flit_valid(), .out_flit_first(), .out_flit_last(), .out_flit_class(), .out_flit_data(),
        .out_credit_valid(1'b0), .out_credit_class(2'd0), .out_credit_flits({`MOEHUB_CREDIT_FLITS_WIDTH{1'b0}}),
        .enabled(1'b1), .has_arrived(1'b0), .rounds(round), .owner_shifts(5'd8), .peers(2'b11), .list_bases(32'd0),
        .list_shifts(5'd2), .failed(), .stores_in_flight(), .requests_in_flight(),
        .m_axis_question_tvalid(question_valid), .m_axis_question_tready(2'b10), .m_axis_question_tdata(),
        .answer_valid(answer_q), .answer_port(4'd1),
        .answer({address, {`MOEHUB_WAY_ANSWER_WIDTH(SLOT_WIDTH, ADDRESS_WIDTH) - 32{1'b0}}}),
        .m_axi_data_awvalid(), .m_axi_data_awready(1'b0), .m_axi_data_awaddr(), .m_axi_data_awlen(), .m_axi_data_wvalid(),
        .m_axi_data_wready(1'b0), .m_axi_data_wdata(), .m_axi_data_wstrb(), .m_axi_data_wlast(), .m_axi_data_bvalid(1'b0),
        .m_axi_data_bready(), .m_axi_data_bresp(2'd0),
        .m_axis_completed_tvalid(), .m_axis_completed_tready(1'b0), .m_axis_completed_tdata(),
        .m_axis_close_tvalid(), .m_axis_close_tready(1'b0), .m_axis_close_tdata(),
        .m_axis_notify_tvalid(), .m_axis_notify_tready(1'b0), .m_axis_notify_tdata(),
        .m_axis_asked_tvalid(asked_valid), .m_axis_asked_tready(!busy_q), .m_axis_asked_tdata(asked),
        .answers_there(answers_there), .answer_read_valid(1'b0), .answer_read_index(5'd0), .read_status(), .read_address(),
        .answers_release_valid(release_valid && passed_q), .answers_release_count(6'd1),
        .partial_queued_valid(release_valid && passed_q), .partial_queued_context(3'd0),
        .partial_events({`MOEHUB_PARTIAL_EVENTS_WIDTH{1'b0}}), .read_error_header(128'd0),
        .m_axis_result_tvalid(result_valid), .m_axis_result_tready(1'b0), .m_axis_result_tdata(), .m_axis_result_tlast(),
        .s_axis_request_tvalid(1'b0), .s_axis_request_tready(), .s_axis_request_tdata(128'd0), .s_axis_request_tlast(1'b0),
        .s_axis_request_tflits(5'd1),
        .s_axis_store_tvalid(store_valid), .s_axis_store_tready(), .s_axis_store_tdata(store_data), .s_axis_store_tlast(1'b1),
        .s_axis_store_tflits(5'd1),
        .s_axis_partial_tvalid(partial_valid), .s_axis_partial_tready(), .s_axis_partial_tdata(partial_data),
        .s_axis_partial_tlast(1'b1), .s_axis_partial_tflits(5'd1),
        .s_axis_notice_tvalid(notice_valid), .s_axis_notice_tready(), .s_axis_notice_tdata(notice_data),
        .store_room(), .events(), .error_valid(), .error_cause(), .error_header(), .used_places(used_places), .used_answers(),
        .used_writes(), .credits()
    );

    // ---- pre_reduce, as fast as can be: a request's answer is given back when it is there ------------------------------------
    wire [5:0]  unused_source;
    wire [2:0]  unused_context;
    wire [3:0]  unused_round;
    wire [23:0] unused_tag;
    wire [1:0]  unused_element;
    wire [11:0] unused_offset;
    wire [6:0]  unused_units;
    wire [5:0]  unused_targets;
    wire [3:0]  refusal;
    assign `MOEHUB_REQUEST_RECORD(unused_source, unused_context, unused_round, unused_tag, unused_element, unused_offset,
        unused_units, unused_targets, refusal) = asked;
    always @(posedge clk) begin
        answer_q <= question_valid[1];
        busy_q   <= busy_q ? !release_valid : asked_valid;
        if (!busy_q) passed_q <= refusal == 4'd`MOEHUB_STATUS_OK;
        if (rst) begin
            answer_q <= 1'b0;
            busy_q   <= 1'b0;
        end
    end

    // ---- a request of a flit at a time, of any bits, beside any other flits --------------------------------------------------
    reg [5:0]  since_q = 6'd63;
    reg        stands_q; // a result does, since before the request
    wire       requests = flit_valid && flit_class == REQUEST;
    wire [15:0] used    = used_places[REQUEST * 16 +: 16];
    always @* if (requests) assume (flit_first && flit_last && since_q > MOST);
    always @(posedge clk) begin
        since_q <= rst ? 6'd63 : requests ? 6'd0 : since_q == 6'd63 ? since_q : since_q + 6'd1;
        if (requests) stands_q <= result_valid && question_valid[0];
    end

    always @* begin
        serves: assert (!started_q || since_q < MOST || (used == 16'd0 && !asked_valid && !busy_q));
    end
    always @* begin
        served: cover (release_valid && passed_q && stands_q && !rst);
    end
endmodule
`default_nettype wire
