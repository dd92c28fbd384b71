// SPDX-License-Identifier: Apache-2.0
// moehub_pre_reduce_places: what is read for a record reaches the lanes once, whole, in order, unchanged; no place is overrun; a
// record waits for its line, for the sum before it, for room, and for nothing else.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_pre_reduce_places #(
    parameter READ_LINES = 2,
    parameter LANE_BYTES = 16,
    parameter BIT        = 0  // of a flit's data and of its record: the one that is looked at
) (
    input wire                                   clk,
    input wire                                   rst,
    input wire                                   make,
    input wire [`MOEHUB_READ_RECORD_WIDTH - 1:0] new_record,
    input wire                                   show,
    input wire                                   rvalid,
    input wire [255:0]                           rdata,
    input wire [1:0]                             rresp,
    input wire                                   room,
    input wire                                   mark
);
`include "formal_reset.vh"
    localparam RECORD_WIDTH = `MOEHUB_READ_RECORD_WIDTH;
    wire                        record_valid;
    wire                        record_ready;
    wire [RECORD_WIDTH - 1:0]   record;
    wire                        rready;
    wire                        rlast;
    wire                        row_reserved;
    wire [3:0]                  reserved_rows;
    wire                        flit_valid;
    wire [RECORD_WIDTH - 1:0]   flit_record;
    wire [2:0]                  flit_number;
    wire                        flit_last;
    wire                        flit_error;
    wire [8 * LANE_BYTES - 1:0] flit_data;
    wire                        no_data;
    wire                        no_room;
    moehub_pre_reduce_places #(.READ_LINES(READ_LINES), .LANE_BYTES(LANE_BYTES)) u_places (
        .clk(clk), .rst(rst), .m_axi_data_rvalid(rvalid), .m_axi_data_rready(rready), .m_axi_data_rdata(rdata),
        .m_axi_data_rresp(rresp), .m_axi_data_rlast(rlast), .record_valid(record_valid), .record_ready(record_ready),
        .record(record), .room(room), .row_reserved(row_reserved), .reserved_rows(reserved_rows), .flit_valid(flit_valid),
        .flit_record(flit_record), .flit_number(flit_number), .flit_last(flit_last), .flit_error(flit_error),
        .flit_data(flit_data), .no_data(no_data), .no_room(no_room)
    );
    function [2:0] last_of(input [3:0] units); // number of a line's last flit
        last_of = (units * 5'd16 + (LANE_BYTES - 1)) / LANE_BYTES - 1;
    endfunction

    // ---- records that stand: at most one a place, the oldest lowest; each that reads has a burst, in their order ----------
    reg  [READ_LINES * RECORD_WIDTH - 1:0] records_q;
    reg  [READ_LINES - 1:0]                unread_q = {READ_LINES{1'b0}}; // its burst has not ended
    reg  [2:0]                             made_q = 3'd0;
    reg                                    shown_q = 1'b0;
    wire [3:0]                             new_status;
    wire                                   new_first;
    wire                                   new_last;
    wire [3:0]                             new_units;
    wire                                   new_ends;
    wire                                   new_counted;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0]     new_partial;
    assign `MOEHUB_READ_RECORD(new_status, new_first, new_last, new_units, new_ends, new_counted, new_partial) = new_record;
    always @* assume (new_units >= 4'd1 && new_units <= 4'd8);
    wire                      makes  = make && made_q != READ_LINES && !rst;
    wire                      leaves = record_valid && record_ready && !rst;
    assign record_valid = made_q != 3'd0 && (show || shown_q);
    assign record       = records_q[RECORD_WIDTH - 1:0];
    wire [3:0] status;
    wire       first;
    wire       last;
    wire [3:0] units;
    wire       unused_ends;
    wire       unused_counted;
    wire [`MOEHUB_PARTIAL_WIDTH - 1:0] unused_partial;
    assign `MOEHUB_READ_RECORD(status, first, last, units, unused_ends, unused_counted, unused_partial) = record;
    wire       reads  = status == 4'd`MOEHUB_STATUS_OK;

    // The burst under way is that of the oldest record that is not read.
    reg  [2:0] at;
    integer    i;
    always @* begin
        at = 3'd0;
        for (i = READ_LINES - 1; i >= 0; i = i - 1) if (unread_q[i]) at = i;
    end
    reg  [1:0] beat_q = 2'd0;
    wire [3:0] its_units = records_q >> (at * RECORD_WIDTH + 6);
    wire [3:0] before    = its_units - 4'd1;
    assign rlast = beat_q == before[2:1];
    always @* assume (!rvalid || unread_q != {READ_LINES{1'b0}});
    wire       beats  = rvalid && rready && !rst;
    wire       arrives = beats && rlast;
    wire [READ_LINES - 1:0] unread = unread_q & ~(arrives ? {{READ_LINES - 1{1'b0}}, 1'b1} << at : {READ_LINES{1'b0}});
    wire [2:0] stay = made_q - {2'd0, leaves};
    always @(posedge clk) begin
        made_q   <= stay + {2'd0, makes};
        shown_q  <= record_valid && !leaves;
        if (beats) beat_q <= rlast ? 2'd0 : beat_q + 2'd1;
        if (leaves) records_q <= records_q >> RECORD_WIDTH;
        unread_q <= leaves ? unread >> 1 : unread;
        for (i = 0; i < READ_LINES; i = i + 1) begin
            if (makes && stay == i) begin
                records_q[i * RECORD_WIDTH +: RECORD_WIDTH] <= new_record;
                unread_q[i] <= new_status == 4'd`MOEHUB_STATUS_OK;
            end
        end
        if (rst) begin
            made_q   <= 3'd0;
            shown_q  <= 1'b0;
            beat_q   <= 2'd0;
            unread_q <= {READ_LINES{1'b0}};
        end
    end

    // ---- flits: a cycle after their record --------------------------------------------------------------------------------
    reg                      offered_q = 1'b0; // a record
    reg                      taken_q   = 1'b0;
    reg                      room_q;
    reg                      there_q;          // its line
    reg                      reserved_q;
    reg [3:0]                rows_q;
    reg [RECORD_WIDTH - 1:0] record_q;
    reg [2:0]                number_q  = 3'd0; // flits of this line
    reg [1:0]                since_q   = 2'd3; // cycles since a line's first flit, up to 3
    wire [3:0]               flit_status = record_q[3:0];
    wire                     flit_first  = record_q[4];
    wire                     flit_end    = record_q[5]; // of the last target
    wire [2:0]               last_number = flit_status != 4'd0 ? 3'd0 : last_of(record_q[9:6]);
    wire                     begins      = flit_valid && number_q == 3'd0;
    wire                     waits       = offered_q && !flit_valid; // that cycle
    always @(posedge clk) begin
        offered_q  <= record_valid && !rst;
        taken_q    <= leaves;
        room_q     <= room;
        there_q    <= !reads || !unread_q[0];
        reserved_q <= row_reserved;
        rows_q     <= reserved_rows;
        record_q   <= record;
        if (flit_valid) number_q <= flit_last ? 3'd0 : number_q + 3'd1;
        since_q    <= begins ? 2'd0 : since_q + {1'b0, since_q != 2'd3};
        if (rst) begin
            number_q <= 3'd0;
            since_q  <= 2'd3;
        end
    end

    // ---- one beat, and the flit that it becomes ---------------------------------------------------------------------------
    (* anyconst *) wire [2:0] marked_flit;
    wire [1:0]  its_beat = LANE_BYTES == 32 ? marked_flit[1:0] : marked_flit[2:1];
    wire [31:0] its_bit  = BIT + (LANE_BYTES == 16 && marked_flit[0] ? 128 : 0);
    reg         marked_q = 1'b0;
    wire        marks    = beats && mark && !marked_q && beat_q == its_beat && {1'b0, marked_flit} <= {1'b0, last_of(its_units)};
    reg  [2:0]  ahead_q; // lines, by their last flits
    reg         bit_q;
    reg         error_q;
    reg  [2:0]  lines_q = 3'd0; // read or being read, their last flit not gone
    wire        starts   = beats && beat_q == 2'd0;
    wire        line_ends = flit_valid && flit_last && flit_status == 4'd0;
    wire        turn     = marked_q && ahead_q == 3'd0;
    always @(posedge clk) begin
        lines_q <= lines_q + {2'd0, starts} - {2'd0, line_ends};
        if (marks) begin
            marked_q <= 1'b1;
            ahead_q  <= lines_q - {2'd0, line_ends} - {2'd0, !starts};
            bit_q    <= rdata[its_bit[7:0]];
            error_q  <= rresp[1];
        end else if (marked_q && line_ends) begin
            ahead_q  <= ahead_q - 3'd1;
            marked_q <= !turn;
        end
        if (rst) begin
            marked_q <= 1'b0;
            lines_q  <= 3'd0;
        end
    end
    wire shows = turn && flit_valid && flit_status == 4'd0 && flit_number == marked_flit;

    always @* if (started_q && !rst) begin
        rready_is:   assert (rready == !reset_q);
        its_record:  assert (!flit_valid || (offered_q && flit_record[BIT % RECORD_WIDTH] == record_q[BIT % RECORD_WIDTH]));
        counts:      assert (!flit_valid || (flit_number == number_q && flit_last == (number_q == last_number)));
        once:        assert (taken_q == (flit_valid && flit_last));
        no_gap:      assert (number_q == 3'd0 || flit_valid);
        line_there:  assert (!begins || there_q);
        as_read:     assert (!shows || flit_data[BIT] == bit_q);
        error_is:    assert (!shows || flit_error == error_q);
        status_none: assert (!flit_valid || flit_status == 4'd0 || !flit_error);
        apart:       assert (!begins || flit_first || since_q == 2'd3);
        has_room:    assert (!begins || !flit_end || room_q);
        reserves:    assert (reset_q || reserved_q == (begins && flit_end));
        rows_is:     assert (reset_q || !reserved_q || rows_q == {1'b0, last_number} + 4'd1);
        waits_why:   assert (reset_q || !waits || no_data || no_room || (!flit_first && since_q != 2'd3));
        no_data_is:  assert (no_data == (!reset_q && waits && !there_q));
        no_room_is:  assert (no_room == (!reset_q && waits && there_q && flit_end && !room_q && (flit_first || since_q == 2'd3)));
    end
    always @* if (started_q) begin
        second:     cover (shows && flit_number == 3'd2 && flit_last && !flit_first && error_q);
        full:       cover (lines_q == READ_LINES && line_ends);
        refused:    cover (begins && flit_status != 4'd0 && flit_end);
        no_space:   cover (no_room && !flit_first);
        spaced:     cover (waits && !no_data && !no_room);
        without:    cover (no_data);
        round:      cover (shows && marked_flit == 3'd0 && lines_q == READ_LINES);
    end
endmodule
`default_nettype wire
