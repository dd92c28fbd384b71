// SPDX-License-Identifier: Apache-2.0
// Purpose: the stores of a way with the way's check, and when it checks a packet: what contexts are then is looked at, and no
//   port shows the cycle (doc/hub/ingress.md section 3).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_tile_tracker.vh"

module way_stores #(
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter PLACES            = 2048, // 14..8191
    parameter ANSWERS           = 128,  // 1..1024
    parameter WRITES            = 256   // 2..1024
) (
    input  wire                                          clk,
    input  wire                                          rst,
    input  wire [CONTEXTS - 1:0]                         enabled,
    input  wire [CONTEXTS - 1:0]                         has_arrived,
    input  wire [CONTEXTS * 4 - 1:0]                     rounds,
    input  wire [CONTEXTS * 5 - 1:0]                     owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                  peers,
    input  wire [CONTEXTS * ADDRESS_WIDTH - 1:0]         list_bases,
    input  wire [CONTEXTS * 5 - 1:0]                     list_shifts,
    output wire                                          space,
    input  wire                                          write_valid,
    input  wire                                          write_first,
    input  wire [127:0]                                  write_data,
    input  wire                                          end_valid,
    input  wire                                          end_good,
    output wire                                          freed_valid,
    output wire [5:0]                                    freed_flits,
    output wire [$clog2(PLACES + 1) - 1:0]               free_places,
    input  wire                                          others_check, // another class's packets ask for the check
    output wire                                          checked,
    output wire [`MOEHUB_HUB_WAY_CHECK_CAUSES - 1:0]     causes,
    output wire                                          check_error_valid,
    output wire [4:0]                                    check_error_cause,
    output wire [127:0]                                  check_error_header,
    output wire                                          question_valid,
    input  wire                                          question_ready,
    output wire                                          question_first,
    output wire [2:0]                                    question_context,
    output wire [7:0]                                    question_expert,
    output wire [31:0]                                   question_row_index,
    output wire [15:0]                                   question_offset,
    output wire [10:0]                                   question_length,
    output wire [5:0]                                    question_source,
    input  wire                                          answer_valid,
    input  wire [3:0]                                    answer_status,
    input  wire [7:0]                                    answer_expert,
    input  wire                                          answer_allocated,
    input  wire [SLOT_WIDTH - 1:0]                       answer_slot,
    input  wire [ADDRESS_WIDTH - 1:0]                    answer_address,
    output wire                                          aw_valid,
    input  wire                                          aw_ready,
    output wire [ADDRESS_WIDTH - 1:0]                    aw_address,
    output wire [7:0]                                    aw_len,
    output wire                                          w_valid,
    input  wire                                          w_ready,
    output wire [255:0]                                  w_data,
    output wire [31:0]                                   w_strobes,
    output wire                                          w_last,
    input  wire                                          b_valid,
    output wire                                          b_ready,
    input  wire [1:0]                                    b_response,
    output wire                                          completed_valid,
    input  wire                                          completed_ready,
    output wire [1:0]                                    completed_kind,
    output wire [2:0]                                    completed_context,
    output wire [5:0]                                    completed_source,
    output wire [7:0]                                    completed_expert,
    output wire [SLOT_WIDTH - 1:0]                       completed_slot,
    output wire [7:0]                                    completed_value,
    output wire                                          completed_error,
    output wire [CONTEXTS - 1:0]                         in_flight,
    output wire [CONTEXTS - 1:0]                         check_failed,
    output wire [CONTEXTS - 1:0]                         answer_failed,
    output wire [`MOEHUB_STORE_EVENTS_WIDTH - 1:0]       events,
    output wire                                          answer_error_valid,
    output wire [127:0]                                  answer_error_header,
    output wire                                          write_error_valid,
    output wire [127:0]                                  write_error_header,
    output wire [$clog2(ANSWERS + 1) - 1:0]              held,
    output wire [$clog2(WRITES + 1) - 1:0]               used_writes
);
    wire                                  check_valid;
    wire [`MOEHUB_WAY_CHECK_WIDTH - 1:0]  check;
    wire [127:0]                          check_header;
    wire [2:0]                            taken;
    wire                                  passed;
    wire                                  counted;
    wire [4:0]                            cause;
    assign checked = taken[0];
    wire unused_taken = ^taken;

    // Others ask with fields of the store at hand, as a response that has no owner: they change nothing of the store.
    wire [`MOEHUB_HUB_WAY_CHECK_CAUSES - 1:0] all_causes;
    wire                                      any_error;
    wire [CONTEXTS - 1:0]                     any_failed;
    reg                                       of_store_q;
    always @(posedge clk) of_store_q <= taken[0];
    assign causes            = all_causes & {`MOEHUB_HUB_WAY_CHECK_CAUSES{of_store_q}};
    assign check_error_valid = any_error && of_store_q;
    assign check_failed      = any_failed & {CONTEXTS{of_store_q}};

    moehub_way_check #(.GPUS(GPUS), .CONTEXTS(CONTEXTS)) u_check (
        .clk(clk), .rst(rst), .enabled(enabled), .has_arrived(has_arrived), .rounds(rounds), .owner_shifts(owner_shifts),
        .peers(peers), .valid({others_check, others_check, check_valid}), .checks({{2 * `MOEHUB_WAY_CHECK_WIDTH{1'b1}}, check}),
        .headers({256'd0, check_header}), .taken(taken), .passed(passed), .counted(counted), .cause(cause), .causes(all_causes),
        .error_valid(any_error), .error_cause(check_error_cause), .error_header(check_error_header), .failed(any_failed)
    );

    moehub_way_stores #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .SLOT_WIDTH(SLOT_WIDTH), .ADDRESS_WIDTH(ADDRESS_WIDTH),
        .PLACES(PLACES), .ANSWERS(ANSWERS), .WRITES(WRITES)
    ) u_stores (
        .clk(clk), .rst(rst), .list_bases(list_bases), .list_shifts(list_shifts), .space(space), .write_valid(write_valid),
        .write_first(write_first), .write_data(write_data), .end_valid(end_valid), .end_good(end_good),
        .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places), .check_valid(check_valid),
        .check(check), .check_header(check_header), .check_taken(taken[0]), .passed(passed), .counted(counted), .cause(cause),
        .question_valid(question_valid), .question_ready(question_ready),
        .question(`MOEHUB_QUESTION(question_first, question_context, question_expert, question_row_index, question_offset,
            question_length, question_source)),
        .answer_valid(answer_valid),
        .answer(`MOEHUB_WAY_ANSWER(answer_status, answer_expert, answer_allocated, answer_slot, answer_address)),
        .m_axi_data_awvalid(aw_valid), .m_axi_data_awready(aw_ready), .m_axi_data_awaddr(aw_address), .m_axi_data_awlen(aw_len),
        .m_axi_data_wvalid(w_valid), .m_axi_data_wready(w_ready), .m_axi_data_wdata(w_data), .m_axi_data_wstrb(w_strobes),
        .m_axi_data_wlast(w_last), .m_axi_data_bvalid(b_valid), .m_axi_data_bready(b_ready), .m_axi_data_bresp(b_response),
        .m_axis_completed_tvalid(completed_valid), .m_axis_completed_tready(completed_ready),
        .m_axis_completed_tdata(`MOEHUB_COMPLETED(completed_kind, completed_context, completed_source, completed_expert,
            completed_slot, completed_value, completed_error)),
        .in_flight(in_flight), .failed(answer_failed), .events(events), .answer_error_valid(answer_error_valid),
        .answer_error_header(answer_error_header), .write_error_valid(write_error_valid),
        .write_error_header(write_error_header), .held(held), .used_writes(used_writes)
    );
endmodule

`default_nettype wire
