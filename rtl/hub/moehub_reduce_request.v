// SPDX-License-Identifier: Apache-2.0
// Purpose: asks for sums of own rows (doc/hub/reduce.md section 1); wiring.
// Contract:
//   1. reduce is a stream; each gives its lines' results on one link's final_reduce, or on answered: to be joined with that
//      of link 0.
//   2. list reads have one beat of 16 bytes, id 1 of m_axi_list; R has no ready, in order.
//   3. reserve, grant and freed are those of moehub_final_reduce, a link each; reserve_tdata is for the one whose tvalid is high.
//   4. request: a packet stream a way, the last of them the loop-back; once its first flit is there, all of it is.
//   5. line_done: a line's result was taken by software on reduced of a link, with what was joined. in_flight: of contexts.
//   6. events, error_*: a cycle after what they tell. All outputs are registers, or gates of registers.
// How: lists takes reduces and has their lists read and checked; issue has one at a time reserved and sent.
// Cost: doc/hub/reduce.md sections 1 and 5.
// Limits: those of its parts.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"

module moehub_reduce_request #(
    parameter LINKS             = 1,  // 1..4
    parameter GPUS              = 8,  // 2..64
    parameter CONTEXTS          = 4,  // 1..8
    parameter LOCAL_EXPERT_BITS = 8,  // 0..8
    parameter MAX_TARGETS       = 32, // 1..32
    parameter REQUEST_LINES     = 8,  // 1, 2, 4, 8
    parameter OFFSET_WIDTH      = 14, // 7..16
    parameter ADDRESS_WIDTH     = 48, // 32..64
    parameter REDUCES           = 16, // 1..64
    parameter FINAL_GROUPS      = 13, // 1..4096 / REQUEST_LINES
    parameter WITH_FP32         = 1   // 0, 1
) (
    input  wire                                             clk,
    input  wire                                             rst,
    input  wire [9:0]                                       own, // GPU
    input  wire [CONTEXTS - 1:0]                            enabled,
    input  wire [CONTEXTS * 4 - 1:0]                        rounds,
    input  wire [CONTEXTS * 5 - 1:0]                        owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                     peers,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]       row_sizes, // of stage 1
    input  wire [LINKS - 1:0]                               link_up,

    input  wire                                             s_axis_reduce_tvalid,
    output wire                                             s_axis_reduce_tready,
    input  wire [`MOEHUB_REDUCE_WIDTH(ADDRESS_WIDTH) - 1:0] s_axis_reduce_tdata,
    output wire                                             m_axis_answered_tvalid,
    input  wire                                             m_axis_answered_tready,
    output wire [127:0]                                     m_axis_answered_tdata,
    output wire [`MOEHUB_REDUCED_WIDTH - 1:0]               m_axis_answered_tuser,
    output wire                                             m_axis_answered_tlast,

    output wire                                             m_axi_list_arvalid,
    input  wire                                             m_axi_list_arready,
    output wire [ADDRESS_WIDTH - 1:0]                       m_axi_list_araddr,
    input  wire                                             m_axi_list_rvalid,
    input  wire [127:0]                                     m_axi_list_rdata,
    input  wire [1:0]                                       m_axi_list_rresp,

    output wire [LINKS - 1:0]                               m_axis_reserve_tvalid,
    input  wire [LINKS - 1:0]                               m_axis_reserve_tready,
    output wire [`MOEHUB_RESERVE_WIDTH - 1:0]               m_axis_reserve_tdata,
    input  wire [LINKS - 1:0]                               s_axis_grant_tvalid,
    output wire [LINKS - 1:0]                               s_axis_grant_tready,
    input  wire [LINKS * `MOEHUB_GRANT_WIDTH - 1:0]         s_axis_grant_tdata,
    input  wire [LINKS - 1:0]                               freed_valid,

    output wire [LINKS:0]                                   m_axis_request_tvalid,
    input  wire [LINKS:0]                                   m_axis_request_tready,
    output wire [(LINKS + 1) * 128 - 1:0]                   m_axis_request_tdata,
    output wire [LINKS:0]                                   m_axis_request_tlast,
    output wire [(LINKS + 1) * 5 - 1:0]                     m_axis_request_tflits,

    input  wire [LINKS - 1:0]                               line_done_valid,
    input  wire [LINKS * 3 - 1:0]                           line_done_context,
    output wire [CONTEXTS - 1:0]                            in_flight,
    output wire [`MOEHUB_REDUCE_EVENTS_WIDTH - 1:0]         events,
    output wire                                             error_valid,
    output wire [127:0]                                     error_header
);
    generate
        if (LINKS < 1 || LINKS > 4) LINKS_must_be_1_to_4 u_rule ();
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
        if (MAX_TARGETS < 1 || MAX_TARGETS > 32) MAX_TARGETS_must_be_1_to_32 u_rule ();
        if (OFFSET_WIDTH < 7 || OFFSET_WIDTH > 16) OFFSET_WIDTH_must_be_7_to_16 u_rule ();
        if (ADDRESS_WIDTH < 32 || ADDRESS_WIDTH > 64) ADDRESS_WIDTH_must_be_32_to_64 u_rule ();
        if (REDUCES < 1 || REDUCES > 64) REDUCES_must_be_1_to_64 u_rule ();
        if (FINAL_GROUPS < 1 || FINAL_GROUPS * REQUEST_LINES > 4096) FINAL_GROUPS_must_be_1_to_4096_over_REQUEST_LINES u_rule ();
        if (WITH_FP32 != 0 && WITH_FP32 != 1) WITH_FP32_must_be_0_or_1 u_rule ();
    endgenerate

    localparam SLOTS       = REDUCES > 0 ? REDUCES : 1; // the rule is named, not that of a memory
    localparam QUEUE_FLITS = 2 * `MOEHUB_REQUEST_LONGEST; // of a way: two requests of the longest form

    // ---- lists --------------------------------------------------------------------------------------------------------------
    wire                                      taken;
    wire [2:0]                                taken_context;
    wire [3:0]                                taken_lines;
    wire                                      checked_valid;
    wire                                      checked_ready;
    wire [`MOEHUB_REDUCE_CHECKED_WIDTH - 1:0] checked;
    wire                                      flit_read;
    wire                                      flit_own;
    wire [1:0]                                flit_number;
    wire [127:0]                              flit;
    wire                                      released;
    moehub_reduce_lists #(
        .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .MAX_TARGETS(MAX_TARGETS),
        .REQUEST_LINES(REQUEST_LINES), .OFFSET_WIDTH(OFFSET_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH), .REDUCES(SLOTS),
        .WITH_FP32(WITH_FP32)
    ) u_lists (
        .clk(clk), .rst(rst), .own(own), .enabled(enabled), .owner_shifts(owner_shifts), .peers(peers), .row_sizes(row_sizes),
        .s_axis_reduce_tvalid(s_axis_reduce_tvalid), .s_axis_reduce_tready(s_axis_reduce_tready),
        .s_axis_reduce_tdata(s_axis_reduce_tdata), .taken(taken), .taken_context(taken_context), .taken_lines(taken_lines),
        .m_axi_list_arvalid(m_axi_list_arvalid), .m_axi_list_arready(m_axi_list_arready), .m_axi_list_araddr(m_axi_list_araddr),
        .m_axi_list_rvalid(m_axi_list_rvalid), .m_axi_list_rdata(m_axi_list_rdata), .m_axi_list_rresp(m_axi_list_rresp),
        .checked_valid(checked_valid), .checked_ready(checked_ready), .checked(checked), .flit_read(flit_read),
        .flit_own(flit_own), .flit_number(flit_number), .flit(flit), .released(released)
    );

    // ---- one at a time --------------------------------------------------------------------------------------------------------
    wire [(LINKS + 1) * 4 - 1:0]             queue_used;
    wire [LINKS:0]                           request_write;
    wire [127:0]                             request_data;
    wire                                     request_last;
    wire [2:0]                               request_flits;
    wire                                     answer_valid;
    wire                                     answer_ready;
    wire [`MOEHUB_REDUCE_ANSWER_WIDTH - 1:0] answer;
    wire                                     line_asked;
    wire                                     sent_up;
    wire                                     sent_loop;
    wire                                     answered;
    wire                                     no_group;
    wire                                     no_room;
    moehub_reduce_issue #(
        .LINKS(LINKS), .CONTEXTS(CONTEXTS), .FINAL_GROUPS(FINAL_GROUPS), .QUEUE_FLITS(QUEUE_FLITS)
    ) u_issue (
        .clk(clk), .rst(rst), .own(own), .rounds(rounds), .link_up(link_up), .checked_valid(checked_valid),
        .checked_ready(checked_ready), .checked(checked), .flit_read(flit_read), .flit_own(flit_own), .flit_number(flit_number),
        .flit(flit), .released(released), .m_axis_reserve_tvalid(m_axis_reserve_tvalid),
        .m_axis_reserve_tready(m_axis_reserve_tready), .m_axis_reserve_tdata(m_axis_reserve_tdata),
        .s_axis_grant_tvalid(s_axis_grant_tvalid), .s_axis_grant_tready(s_axis_grant_tready),
        .s_axis_grant_tdata(s_axis_grant_tdata), .freed_valid(freed_valid), .queue_used(queue_used),
        .request_write(request_write), .request_data(request_data), .request_last(request_last), .request_flits(request_flits),
        .answer_valid(answer_valid), .answer_ready(answer_ready), .answer(answer), .line_asked(line_asked), .sent_up(sent_up),
        .sent_loop(sent_loop), .answered(answered), .no_group(no_group), .no_room(no_room), .refused(error_valid),
        .refused_header(error_header)
    );

    moehub_reduce_answer #(.REQUEST_LINES(REQUEST_LINES)) u_answer (
        .clk(clk), .rst(rst), .answer_valid(answer_valid), .answer_ready(answer_ready), .answer(answer),
        .m_axis_reduced_tvalid(m_axis_answered_tvalid), .m_axis_reduced_tready(m_axis_answered_tready),
        .m_axis_reduced_tdata(m_axis_answered_tdata), .m_axis_reduced_tuser(m_axis_answered_tuser),
        .m_axis_reduced_tlast(m_axis_answered_tlast)
    );

    // ---- requests that wait: of links, of the loop-back. Flits come in one cycle after the other, so they leave like that. ----
    genvar w;
    generate
        for (w = 0; w <= LINKS; w = w + 1) begin : g_way
            reg  [3:0] used_q;
            wire       leaves = m_axis_request_tvalid[w] && m_axis_request_tready[w];
            wire [2:0] target_flits;
            wire       unused_empty;
            wire       unused_parity;
            moehub_memory_fifo #(.WIDTH(132), .DEPTH(QUEUE_FLITS), .LANDING(2)) u_queue (
                .clk(clk), .rst(rst), .in_valid(request_write[w]), .in_data({request_flits, request_last, request_data}),
                .out_valid(m_axis_request_tvalid[w]), .out_ready(m_axis_request_tready[w]),
                .out_data({target_flits, m_axis_request_tlast[w], m_axis_request_tdata[w * 128 +: 128]}),
                .empty(unused_empty), .parity_error(unused_parity)
            );
            assign m_axis_request_tflits[w * 5 +: 5] = {2'd0, target_flits} + 5'd1;
            assign queue_used[w * 4 +: 4]            = used_q;

            always @(posedge clk) begin
                if (request_write[w] && !leaves) used_q <= used_q + 4'd1;
                if (leaves && !request_write[w]) used_q <= used_q - 4'd1;
                if (rst) used_q <= 4'd0;
            end
        end
    endgenerate

    // ---- what happened --------------------------------------------------------------------------------------------------
    // Whether a line leaves is known late in its cycle: it is counted in the next one.
    reg [LINKS - 1:0]     line_done_q;
    reg [LINKS * 3 - 1:0] line_done_context_q;

    always @(posedge clk) begin
        line_done_q         <= rst ? {LINKS{1'b0}} : line_done_valid;
        line_done_context_q <= line_done_context;
    end

    moehub_reduce_in_flight #(
        .LINKS(LINKS), .CONTEXTS(CONTEXTS), .MOST((REDUCES + 2 + LINKS * FINAL_GROUPS) * REQUEST_LINES)
    ) u_in_flight (
        .clk(clk), .rst(rst), .begin_valid(taken), .begin_context(taken_context), .begin_lines(taken_lines),
        .done_valid(line_done_q), .done_context(line_done_context_q), .in_flight(in_flight)
    );

    reg taken_q;
    always @(posedge clk) begin
        taken_q <= taken;
        if (rst) taken_q <= 1'b0;
    end
    assign events = `MOEHUB_REDUCE_EVENTS(taken_q, line_asked, sent_up, sent_loop, answered, no_group, no_room);
endmodule

`default_nettype wire
