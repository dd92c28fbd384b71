// SPDX-License-Identifier: Apache-2.0
// Purpose: the responses of a way, from their places to final_reduce and the tile tracker (doc/hub/ingress.md section 6).
// Contract:
//   1. write, end, space, freed and free_places are the packet queue's; check_* is the reader's of moehub_way_check.
//   2. Packets are read in their order. A result goes to result, one flit a payload flit, or one flit of zeros; tlast ends it.
//   3. A close or notify is checked; one that passes goes to close or notify, another one is dropped.
//   4. A packet is freed when its last flit has its turn.
//   5. results, closes, notifies have a pulse for each that was taken.
// How: the flits of the ring stand one behind the other, so those of whole packets are read before a header tells whose they are,
//   and land in a register: what a header decides is too much for a cycle that begins in a memory.
// Cost: a flit a cycle, without a gap between results. A close or notify holds the others for 3 cycles or more.
// Limits: check_valid stands until check_taken. m_axis_result_tready to the queue's read port is a gate: internal.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_way_responses #(
    parameter PLACES = 1024 // 17..8191
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire [9:0]                             own, // GPU
    // from the receiver
    output wire                                   space,
    input  wire                                   write_valid,
    input  wire                                   write_first,
    input  wire [127:0]                           write_data,
    input  wire                                   end_valid,
    input  wire                                   end_good,
    output wire                                   freed_valid,
    output wire [5:0]                             freed_flits,
    output wire [$clog2(PLACES + 1) - 1:0]        free_places,
    // check
    output wire                                   check_valid,
    output wire [`MOEHUB_WAY_CHECK_WIDTH - 1:0]   check,
    output wire [127:0]                           check_header,
    input  wire                                   check_taken,
    input  wire                                   passed,
    // final_reduce
    output wire                                   m_axis_result_tvalid,
    input  wire                                   m_axis_result_tready,
    output wire [`MOEHUB_WAY_RESULT_WIDTH - 1:0]  m_axis_result_tdata,
    output wire                                   m_axis_result_tlast,
    // tile tracker
    output wire                                   m_axis_close_tvalid,
    input  wire                                   m_axis_close_tready,
    output wire [`MOEHUB_CLOSED_WIDTH - 1:0]      m_axis_close_tdata,
    output wire                                   m_axis_notify_tvalid,
    input  wire                                   m_axis_notify_tready,
    output wire [`MOEHUB_NOTIFIED_WIDTH - 1:0]    m_axis_notify_tdata,
    // what happened
    output wire                                   results,
    output wire                                   closes,
    output wire                                   notifies
);
    generate
        if (PLACES < 17 || PLACES > 8191) PLACES_RESPONSE_must_be_17_to_8191 u_rule ();
    endgenerate

    localparam PLACE_WIDTH  = `MOEHUB_INDEX_WIDTH(PLACES);
    localparam PLACES_WIDTH = $clog2(PLACES + 1);
    localparam [31:0] LAST  = PLACES - 1;
    localparam [PLACE_WIDTH - 1:0] PLACE_ONE = 1;
    localparam RESULT_WIDTH = `MOEHUB_WAY_RESULT_WIDTH;

    // ---- what is read: flits of whole packets ---------------------------------------------------------------------------------
    wire                      begins; // a packet has its turn
    wire [127:0]              read_data;
    wire                      ends;
    wire [4:0]                ends_flits;
    wire [4:0]                ended_flits;
    wire                      unused_there;
    wire                      moves;
    reg  [PLACE_WIDTH - 1:0]  place_q;  // of the next flit
    reg  [PLACES_WIDTH - 1:0] unread_q; // flits of whole packets
    reg                       read_q;   // a flit stands at the queue's output
    wire                      read     = unread_q != {PLACES_WIDTH{1'b0}} && (!read_q || moves);
    wire [PLACES_WIDTH - 1:0] whole    = end_valid && end_good ? {{PLACES_WIDTH - 5{1'b0}}, ended_flits} : {PLACES_WIDTH{1'b0}};
    moehub_packet_queue #(.PLACES(PLACES)) u_queue (
        .clk(clk), .rst(rst), .space(space), .write_valid(write_valid), .write_first(write_first), .write_data(write_data),
        .end_valid(end_valid), .end_good(end_good), .ended_flits(ended_flits), .packet_there(unused_there), .take(begins),
        .read_valid(read), .read_place(place_q), .read_data(read_data), .free_valid(ends), .free_flits(ends_flits),
        .freed_valid(freed_valid), .freed_flits(freed_flits), .free_places(free_places)
    );

    always @(posedge clk) begin
        unread_q <= unread_q + whole - {{PLACES_WIDTH - 1{1'b0}}, read};
        read_q   <= read || (read_q && !moves);
        if (read) place_q <= place_q == LAST[PLACE_WIDTH - 1:0] ? {PLACE_WIDTH{1'b0}} : place_q + PLACE_ONE;
        if (rst) begin
            unread_q <= {PLACES_WIDTH{1'b0}};
            read_q   <= 1'b0;
            place_q  <= {PLACE_WIDTH{1'b0}};
        end
    end

    // ---- the flit whose turn it is ------------------------------------------------------------------------------------------
    reg         there_q;
    reg [127:0] flit_q;
    reg         payload_q; // it is of the open result's payload
    reg [4:0]   left_q;   // payload flits of the open result, this one too
    reg [127:0] header_q; // of the packet whose header had its turn last
    reg         check_q;  // that is a close or notify, and waits for its check
    reg         close_q;  // it passed, and waits for the tracker
    reg         notify_q;
    reg         result_valid_q;
    reg         result_last_q;
    reg [RESULT_WIDTH - 1:0] result_q;

    wire [127:0] header   = payload_q ? header_q : flit_q;
    wire [8:0]  length    = header[`MOEHUB_HEADER_LENGTH_LSB +: `MOEHUB_HEADER_LENGTH_WIDTH];
    wire [4:0]  units     = length[8:4];
    wire        of_result = flit_q[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] == 4'd`MOEHUB_PACKET_RESULT;
    wire        alone     = flit_q[`MOEHUB_HEADER_LENGTH_LSB + 4 +: 5] == 5'd0; // a header without payload
    wire        shows     = payload_q || (of_result && alone); // a flit of `result` comes of it
    wire        room      = !result_valid_q || m_axis_result_tready;
    wire        waits     = check_q || close_q || notify_q;
    wire        turn      = there_q && !waits && (!shows || room);
    wire        goes_on   = turn && (payload_q ? left_q != 5'd1 : !alone); // a payload flit follows

    assign moves      = !there_q || turn;
    assign begins     = turn && !payload_q;
    assign ends       = turn && !goes_on;
    assign ends_flits = units + 5'd1;

    wire [15:0]  entry      = header[`MOEHUB_HEADER_TAG_LSB +: 16];
    wire [7:0]   generation = header[`MOEHUB_HEADER_TAG_LSB + 16 +: 8];
    wire [3:0]   status     = header[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH];
    wire [1:0]   element    = header[`MOEHUB_HEADER_ELEMENT_LSB +: `MOEHUB_HEADER_ELEMENT_WIDTH];

    always @(posedge clk) begin
        if (moves) there_q <= read_q;
        if (moves) flit_q <= read_data;
        if (turn) payload_q <= goes_on;
        if (turn) left_q <= payload_q ? left_q - 5'd1 : units;
        if (begins) header_q <= flit_q;
        if (room) result_valid_q <= turn && shows;
        if (turn && shows) begin
            result_q      <= `MOEHUB_WAY_RESULT(entry, generation, status, element, length, flit_q & {128{payload_q}});
            result_last_q <= !goes_on;
        end
        if (rst) begin
            there_q        <= 1'b0;
            payload_q      <= 1'b0;
            result_valid_q <= 1'b0;
        end
    end

    // ---- closes and notifies -------------------------------------------------------------------------------------------------
    wire        notice      = begins && !of_result;
    wire        of_notify   = header_q[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] == 4'd`MOEHUB_PACKET_NOTIFY;
    wire [2:0]  of_context  = header_q[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH];
    wire [5:0]  source      = header_q[`MOEHUB_HEADER_SOURCE_LSB +: 6];
    wire [3:0]  round       = header_q[`MOEHUB_HEADER_ROUND_LSB +: `MOEHUB_HEADER_ROUND_WIDTH];
    wire [31:0] row_index   = header_q[`MOEHUB_HEADER_ROW_INDEX_LSB +: `MOEHUB_HEADER_ROW_INDEX_WIDTH]; // a close: its count
    wire        failed      = header_q[`MOEHUB_HEADER_STATUS_LSB +: `MOEHUB_HEADER_STATUS_WIDTH] != 4'd`MOEHUB_STATUS_OK;

    assign check_valid  = check_q;
    assign check_header = header_q;
    assign check        = `MOEHUB_WAY_CHECK(1'b0, of_context, source, round, row_index, of_notify, own[5:0]);

    always @(posedge clk) begin
        check_q  <= notice || (check_q && !check_taken);
        close_q  <= (check_taken && passed && !of_notify) || (close_q && !m_axis_close_tready);
        notify_q <= (check_taken && passed && of_notify) || (notify_q && !m_axis_notify_tready);
        if (rst) begin
            check_q  <= 1'b0;
            close_q  <= 1'b0;
            notify_q <= 1'b0;
        end
    end

    assign m_axis_result_tvalid = result_valid_q;
    assign m_axis_result_tdata  = result_q;
    assign m_axis_result_tlast  = result_last_q;
    assign m_axis_close_tvalid  = close_q;
    assign m_axis_close_tdata   = `MOEHUB_CLOSED(of_context, source, row_index);
    assign m_axis_notify_tvalid = notify_q;
    assign m_axis_notify_tdata  = `MOEHUB_NOTIFIED(of_context, source, row_index, failed);

    // ---- what happened -------------------------------------------------------------------------------------------------------
    reg results_q;
    reg closes_q;
    reg notifies_q;
    assign results  = results_q;
    assign closes   = closes_q;
    assign notifies = notifies_q;
    always @(posedge clk) begin
        results_q  <= result_valid_q && m_axis_result_tready && result_last_q;
        closes_q   <= close_q && m_axis_close_tready;
        notifies_q <= notify_q && m_axis_notify_tready;
        if (rst) begin
            results_q  <= 1'b0;
            closes_q   <= 1'b0;
            notifies_q <= 1'b0;
        end
    end

    wire unused_fields = ^{header, own[9:6]};
endmodule

`default_nettype wire
