// SPDX-License-Identifier: Apache-2.0
// Purpose: the packet manager with a pin a field, and what it chose in a cycle: the C model is told that
//   (doc/hub/packet_manager.md section 12), and no port shows it.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_packet_manager.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module packet_manager #(
    parameter LINKS             = 1,   // 1..4
    parameter GPUS              = 8,   // 2..64
    parameter CONTEXTS          = 4,   // 1..8
    parameter LOCAL_EXPERT_BITS = 8,   // 0..8
    parameter MAX_TARGETS       = 32,  // 1..32
    parameter OFFSET_WIDTH      = 14,  // 7..16
    parameter ROW_INDEX_WIDTH   = 20,  // 1..32
    parameter ADDRESS_WIDTH     = 48,  // 32..64
    parameter ROWS              = 32,  // 1..64
    parameter LINES             = 448, // 1..4096
    parameter STORE_BYTES       = 32   // 16, 32, 64, 128
) (
    input  wire                                        clk,
    input  wire                                        rst,
    output wire                                        initialised,
    input  wire [9:0]                                  own,
    input  wire [LINKS - 1:0]                          link_up,
    input  wire [LINKS:0]                              store_room,
    input  wire [15:0]                                 line_timeout,
    input  wire [CONTEXTS - 1:0]                       enabled,
    input  wire [CONTEXTS - 1:0]                       closing,
    input  wire [CONTEXTS * 4 - 1:0]                   rounds,
    input  wire [CONTEXTS * 5 - 1:0]                   owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]                peers,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]  row_sizes,
    output wire [CONTEXTS - 1:0]                       failed,
    output wire [CONTEXTS - 1:0]                       closed,
    output wire [CONTEXTS * 7 - 1:0]                   rows,
    input  wire                                        row_valid,
    output wire                                        row_ready,
    input  wire [2:0]                                  row_context,
    input  wire                                        row_immediate,
    input  wire [5:0]                                  row_count,
    input  wire [ADDRESS_WIDTH - 1:0]                  row_address,
    input  wire [15:0]                                 row_id,
    input  wire [31:0]                                 row_row_index,
    output wire                                        handle_valid,
    input  wire                                        handle_ready,
    output wire [3:0]                                  handle_status,
    output wire [15:0]                                 handle_handle,
    output wire [31:0]                                 handle_row_index,
    input  wire                                        store_valid,
    output wire                                        store_ready,
    input  wire [15:0]                                 store_handle,
    input  wire [15:0]                                 store_offset,
    input  wire                                        store_nop,
    input  wire [STORE_BYTES - 1:0]                    store_mask,
    input  wire [8 * STORE_BYTES - 1:0]                store_bytes,
    input  wire                                        end_valid,
    output wire                                        end_ready,
    input  wire [1:0]                                  end_what,
    input  wire [2:0]                                  end_context,
    output wire                                        expect_valid,
    input  wire                                        expect_ready,
    output wire [2:0]                                  expect_context,
    output wire [15:0]                                 expect_token,
    output wire [5:0]                                  expect_count,
    output wire [LINKS:0]                              packet_valid,
    input  wire [LINKS:0]                              packet_ready,
    output wire [(LINKS + 1) * 128 - 1:0]              packet_data,
    output wire [LINKS:0]                              packet_last,
    output wire [(LINKS + 1) * 5 - 1:0]                packet_flits,
    output wire                                        notice_valid,
    input  wire                                        notice_ready,
    output wire [127:0]                                notice_flit,
    output wire [2:0]                                  notice_way,
    output wire                                        list_ar_valid,
    input  wire                                        list_ar_ready,
    output wire [ADDRESS_WIDTH - 1:0]                  list_ar_address,
    input  wire                                        list_r_valid,
    input  wire [127:0]                                list_r_data,
    input  wire [1:0]                                  list_r_response,
    output wire [15:0]                                 slots_level,
    output wire [15:0]                                 rows_level,
    output wire [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0]  events,
    output wire                                        error_valid,
    output wire [4:0]                                  error_cause,
    output wire [127:0]                                error_header,
    // what is chosen
    output wire                                        watch_take,
    output wire [7:0]                                  watch_take_entry,
    output wire                                        watch_decided,
    output wire [1:0]                                  watch_link,
    output wire                                        watch_store,      // one is at step 5
    output wire                                        watch_store_done, // and taken
    output wire                                        watch_no_slot,    // or waits for a buffer
    output wire                                        watch_locked,
    output wire                                        watch_discarded,
    output wire [2:0]                                  watch_way,
    output wire                                        watch_kind,
    output wire [7:0]                                  watch_step_entry,
    output wire [8:0]                                  watch_step_line,
    output wire [2:0]                                  watch_made, // by room, its timer, the end of its row
    output wire [7:0]                                  watch_made_entry,
    output wire [8:0]                                  watch_made_line,
    output wire                                        watch_became, // that line became ready, by the hand or not
    output wire [1:0]                                  watch_line_link,
    output wire                                        watch_gone,
    output wire [7:0]                                  watch_gone_entry,
    output wire [8:0]                                  watch_gone_line,
    output wire                                        watch_leave,
    output wire [7:0]                                  watch_leave_entry
);
    wire [`MOEHUB_NEW_ROW_WIDTH(ADDRESS_WIDTH) - 1:0] row =
        `MOEHUB_NEW_ROW(row_context, row_immediate, row_count, row_address, row_id, row_row_index);
    wire [`MOEHUB_HANDLE_WIDTH - 1:0] handle;
    wire [`MOEHUB_ROW_STORE_WIDTH(STORE_BYTES) - 1:0] store =
        `MOEHUB_ROW_STORE(store_handle, store_offset, store_nop, store_mask, store_bytes);
    wire [`MOEHUB_EXPECTED_WIDTH - 1:0] expected;
    wire [`MOEHUB_NOTICE_WIDTH - 1:0] notice;
    assign `MOEHUB_HANDLE(handle_status, handle_handle, handle_row_index) = handle;
    assign `MOEHUB_EXPECTED(expect_context, expect_token, expect_count) = expected;
    assign `MOEHUB_NOTICE(notice_flit, notice_way) = notice;

    moehub_packet_manager #(
        .LINKS(LINKS), .GPUS(GPUS), .CONTEXTS(CONTEXTS), .LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS),
        .MAX_TARGETS(MAX_TARGETS), .OFFSET_WIDTH(OFFSET_WIDTH), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH),
        .ADDRESS_WIDTH(ADDRESS_WIDTH), .ROWS(ROWS), .LINES(LINES), .STORE_BYTES(STORE_BYTES)
    ) u_manager (
        .clk(clk), .rst(rst), .initialised(initialised), .own(own), .link_up(link_up), .store_room(store_room),
        .line_timeout(line_timeout), .enabled(enabled), .closing(closing), .rounds(rounds),
        .owner_shifts(owner_shifts), .peers(peers), .row_sizes(row_sizes), .failed(failed), .closed(closed),
        .rows(rows), .s_axis_row_tvalid(row_valid), .s_axis_row_tready(row_ready), .s_axis_row_tdata(row),
        .m_axis_handle_tvalid(handle_valid), .m_axis_handle_tready(handle_ready), .m_axis_handle_tdata(handle),
        .s_axis_store_tvalid(store_valid), .s_axis_store_tready(store_ready), .s_axis_store_tdata(store),
        .s_axis_end_tvalid(end_valid), .s_axis_end_tready(end_ready),
        .s_axis_end_tdata(`MOEHUB_END_COMMAND(end_what, end_context)), .m_axis_expect_tvalid(expect_valid),
        .m_axis_expect_tready(expect_ready), .m_axis_expect_tdata(expected), .m_axis_packet_tvalid(packet_valid),
        .m_axis_packet_tready(packet_ready), .m_axis_packet_tdata(packet_data), .m_axis_packet_tlast(packet_last),
        .m_axis_packet_flits(packet_flits), .m_axis_notice_tvalid(notice_valid), .m_axis_notice_tready(notice_ready),
        .m_axis_notice_tdata(notice), .m_axi_list_arvalid(list_ar_valid), .m_axi_list_arready(list_ar_ready),
        .m_axi_list_araddr(list_ar_address), .m_axi_list_rvalid(list_r_valid), .m_axi_list_rdata(list_r_data),
        .m_axi_list_rresp(list_r_response), .slots_level(slots_level), .rows_level(rows_level), .events(events),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header)
    );

    assign watch_take        = u_manager.take;
    assign watch_take_entry  = {{(8 - `MOEHUB_INDEX_WIDTH(ROWS)){1'b0}}, u_manager.entry};
    assign watch_decided     = u_manager.decided;
    assign watch_link        = u_manager.link;
    assign watch_store       = u_manager.u_pipeline.is_store;
    assign watch_store_done  = !u_manager.u_pipeline.waits;
    assign watch_no_slot     = u_manager.u_pipeline.no_slot;
    assign watch_locked      = u_manager.locked;
    assign watch_discarded   = u_manager.u_pipeline.is_discard;
    assign watch_way         = u_manager.locked_way;
    assign watch_kind        = u_manager.left_kind;
    assign watch_step_entry  = {{(8 - `MOEHUB_INDEX_WIDTH(ROWS)){1'b0}}, u_manager.step_entry};
    assign watch_step_line   = {{(9 - `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH)){1'b0}}, u_manager.u_pipeline.s5_line_q};
    assign watch_made        = u_manager.hand_made;
    assign watch_made_entry  = {{(8 - `MOEHUB_INDEX_WIDTH(ROWS)){1'b0}}, u_manager.line_entry};
    assign watch_made_line   = {{(9 - `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH)){1'b0}}, u_manager.line};
    assign watch_became      = u_manager.became_valid;
    assign watch_line_link   = u_manager.line_link;
    assign watch_gone        = u_manager.line_gone;
    assign watch_gone_entry  = {{(8 - `MOEHUB_INDEX_WIDTH(ROWS)){1'b0}}, u_manager.line_gone_entry};
    assign watch_gone_line   = {{(9 - `MOEHUB_ROW_LINE_WIDTH(OFFSET_WIDTH)){1'b0}}, u_manager.line_gone_line};
    assign watch_leave       = u_manager.leave;
    assign watch_leave_entry = {{(8 - `MOEHUB_INDEX_WIDTH(ROWS)){1'b0}}, u_manager.leave_entry};
endmodule

`default_nettype wire
