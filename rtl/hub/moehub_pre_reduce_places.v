// SPDX-License-Identifier: Apache-2.0
// Purpose: keeps what is read until a target's line is whole, and gives it to the lanes (doc/hub/reduce.md section 2, 4 and 5).
// Contract:
//   1. R goes into the places in order, a place a burst. A record that reads takes the oldest whole line; one with a status none.
//   2. record_ready goes with the line's last flit: its place is free.
//   3. flit_*: a flit of LANE_BYTES each cycle, flit_number counts them in the line, flit_last is the line's last; flit_record is
//      its record. flit_error: its beat came with an error. A record with a status is one flit without data.
//   4. The first flit of a target that is not the sum's first comes at least 4 cycles after that of the target before.
//   5. The last target's begins only with room, and takes reserved_rows with row_reserved: a row a flit.
//   6. no_data, no_room: cycles in which the oldest record waits for its line, for room alone.
// Cost: a flit a cycle; 2 cycles from the last beat to the first flit; READ_LINES * 4 words of 257 bits.
// Limits: record_ready is a gate of record_valid and record: internal.
// Proved: formal/hub/formal_pre_reduce_places.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_pre_reduce_places #(
    parameter READ_LINES = 96, // 1..1024
    parameter LANE_BYTES = 16  // 16, 32
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire                                   m_axi_data_rvalid,
    output wire                                   m_axi_data_rready,
    input  wire [255:0]                           m_axi_data_rdata,
    input  wire [1:0]                             m_axi_data_rresp,
    input  wire                                   m_axi_data_rlast,
    input  wire                                   record_valid,
    output wire                                   record_ready,
    input  wire [`MOEHUB_READ_RECORD_WIDTH - 1:0] record,
    input  wire                                   room,
    output wire                                   row_reserved,
    output wire [3:0]                             reserved_rows,
    output wire                                   flit_valid,
    output wire [`MOEHUB_READ_RECORD_WIDTH - 1:0] flit_record,
    output wire [2:0]                             flit_number,
    output wire                                   flit_last,
    output wire                                   flit_error,
    output wire [8 * LANE_BYTES - 1:0]            flit_data,
    output wire                                   no_data,
    output wire                                   no_room
);
    localparam PLACE_WIDTH = `MOEHUB_INDEX_WIDTH(READ_LINES);
    localparam WORD_WIDTH  = `MOEHUB_INDEX_WIDTH(READ_LINES * 4);
    localparam COUNT_WIDTH = $clog2(READ_LINES + 1);
    localparam WIDE        = LANE_BYTES == 32;
    localparam [31:0] LAST = READ_LINES - 1;
    localparam [PLACE_WIDTH - 1:0] PLACE_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;

    function [PLACE_WIDTH - 1:0] after(input [PLACE_WIDTH - 1:0] place);
        after = place == LAST[PLACE_WIDTH - 1:0] ? {PLACE_WIDTH{1'b0}} : place + PLACE_ONE;
    endfunction

    // ---- R --------------------------------------------------------------------------------------------------------------------
    reg                     ready_q;
    reg [PLACE_WIDTH - 1:0] write_q; // place
    reg [1:0]               beat_q;  // of it

    wire                   beat_valid = m_axi_data_rvalid && ready_q;
    wire [PLACE_WIDTH + 1:0] write_word = {write_q, beat_q};
    wire                   unused_response = m_axi_data_rresp[0];
    assign m_axi_data_rready = ready_q;

    always @(posedge clk) begin
        ready_q <= 1'b1;
        if (beat_valid) begin
            beat_q <= m_axi_data_rlast ? 2'd0 : beat_q + 2'd1;
            if (m_axi_data_rlast) write_q <= after(write_q);
        end
        if (rst) begin
            ready_q <= 1'b0;
            beat_q  <= 2'd0;
            write_q <= {PLACE_WIDTH{1'b0}};
        end
    end

    // ---- stage 0: the flit that is read ---------------------------------------------------------------------------------------
    wire [3:0]                         status;
    wire                               first;
    wire                               last;
    wire [3:0]                         units;
    wire                               unused_ends;
    wire                               unused_counted;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] unused_partial;
    assign `MOEHUB_READ_RECORD(status, first, last, units, unused_ends, unused_counted, unused_partial) = record;

    reg [COUNT_WIDTH - 1:0] whole_q;  // lines
    reg                     there_q;  // there is one
    reg [PLACE_WIDTH - 1:0] read_q;   // the oldest one's place
    reg [2:0]               number_q; // of the flit that is read next
    reg [1:0]               gap_q;    // cycles until the next target may begin

    wire [3:0] units_before = units - 4'd1;
    wire       unused_units = units_before[3];
    wire       reads        = status == 4'd`MOEHUB_STATUS_OK;
    wire [2:0] last_number  = !reads ? 3'd0 : WIDE ? {1'b0, units_before[2:1]} : units_before[2:0];
    wire       begun        = number_q != 3'd0;
    wire       data         = !reads || there_q;
    wire       spaced       = first || gap_q == 2'd0;
    wire       may_begin    = data && spaced && (!last || room);
    wire       sends        = record_valid && (begun || may_begin);
    wire       ends         = sends && number_q == last_number;
    wire [1:0] beat         = WIDE ? number_q[1:0] : number_q[2:1];
    wire [PLACE_WIDTH + 1:0] read_word = {read_q, beat};
    wire       unused_words = ^{write_word, read_word}; // one place has no bit of its own

    wire arrives = beat_valid && m_axi_data_rlast;
    wire leaves  = ends && reads;

    assign record_ready  = ends;
    assign row_reserved  = sends && !begun && last;
    assign reserved_rows = {1'b0, last_number} + 4'd1;

    always @(posedge clk) begin
        whole_q <= whole_q + {{COUNT_WIDTH - 1{1'b0}}, arrives} - {{COUNT_WIDTH - 1{1'b0}}, leaves};
        there_q <= arrives || (there_q && (whole_q != COUNT_ONE || !leaves));
        if (leaves) read_q <= after(read_q);
        if (sends) number_q <= ends ? 3'd0 : number_q + 3'd1;
        gap_q <= sends && !begun ? 2'd3 : gap_q - {1'b0, gap_q != 2'd0};
        if (rst) begin
            whole_q  <= {COUNT_WIDTH{1'b0}};
            there_q  <= 1'b0;
            read_q   <= {PLACE_WIDTH{1'b0}};
            number_q <= 3'd0;
            gap_q    <= 2'd0;
        end
    end

    // ---- stage 1: its data ----------------------------------------------------------------------------------------------
    reg                                   s1_valid_q;
    reg [`MOEHUB_READ_RECORD_WIDTH - 1:0] s1_record_q;
    reg [2:0]                             s1_number_q;
    reg                                   s1_last_q;
    reg                                   s1_reads_q;

    wire         beat_error;
    wire [255:0] beat_data;
    wire         unused_parity;
    moehub_memory_1r1w #(.WIDTH(257), .DEPTH(READ_LINES * 4), .PARITY(0)) u_places (
        .clk(clk), .write_enable(beat_valid), .write_address(write_word[WORD_WIDTH - 1:0]),
        .write_data({m_axi_data_rresp[1], m_axi_data_rdata}), .read_enable(sends && reads && !rst),
        .read_address(read_word[WORD_WIDTH - 1:0]), .read_data({beat_error, beat_data}), .parity_error(unused_parity)
    );

    always @(posedge clk) begin
        s1_valid_q  <= sends;
        s1_record_q <= record;
        s1_number_q <= number_q;
        s1_last_q   <= ends;
        s1_reads_q  <= reads;
        if (rst) s1_valid_q <= 1'b0;
    end

    assign flit_valid  = s1_valid_q;
    assign flit_record = s1_record_q;
    assign flit_number = s1_number_q;
    assign flit_last   = s1_last_q;
    assign flit_error  = s1_reads_q && beat_error;
    generate
        if (WIDE) begin : g_wide
            assign flit_data = beat_data;
        end else begin : g_half
            assign flit_data = s1_number_q[0] ? beat_data[255:128] : beat_data[127:0];
        end
    endgenerate

    // ---- what is missing ------------------------------------------------------------------------------------------------
    reg no_data_q;
    reg no_room_q;
    assign no_data = no_data_q;
    assign no_room = no_room_q;
    always @(posedge clk) begin
        no_data_q <= record_valid && !begun && !data;
        no_room_q <= record_valid && !begun && data && spaced && last && !room;
        if (rst) begin
            no_data_q <= 1'b0;
            no_room_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
