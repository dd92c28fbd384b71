// SPDX-License-Identifier: Apache-2.0
// moehub_completed_writes: records and B responses come as they like, records when there is room. A record of the solver's choice
// is told in its turn, as it was, with the error of its own B, and not before that was taken: so a tile that counts what is told
// is never ready before its last response.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_tile_tracker.vh"
module formal_completed_writes #(
    parameter WRITES = 2
) (
    input wire                                        clk,
    input wire                                        rst,
    input wire                                        write_valid,
    input wire [`MOEHUB_WRITE_RECORD_WIDTH(1) - 1:0]  write_record,
    input wire                                        bvalid,
    input wire [1:0]                                  bresp,
    input wire                                        tready,
    input wire                                        mark // the record that is written is the one to look at
);
`include "formal_reset.vh"
    wire       room, room_two, bready, tvalid, last, bytes, refused, stalled, error_valid;
    wire [2:0] last_context;
    wire [127:0] error_header;
    wire [$clog2(WRITES + 1) - 1:0] used;
    wire [`MOEHUB_COMPLETED_WIDTH(1) - 1:0] told;
    moehub_completed_writes #(.SLOT_WIDTH(1), .WRITES(WRITES)) u_writes (
        .clk(clk), .rst(rst), .room(room), .room_two(room_two), .write_valid(write_valid), .write_record(write_record),
        .m_axi_bvalid(bvalid), .m_axi_bready(bready), .m_axi_bresp(bresp),
        .m_axis_completed_tvalid(tvalid), .m_axis_completed_tready(tready), .m_axis_completed_tdata(told),
        .last(last), .last_context(last_context), .bytes(bytes), .refused(refused), .stalled(stalled),
        .error_valid(error_valid), .error_header(error_header), .used(used)
    );
    formal_stream_assert #(.WIDTH(`MOEHUB_COMPLETED_WIDTH(1))) u_out (
        .clk(clk), .rst(rst), .valid(tvalid), .ready(tready), .data(told)
    );

    wire answered = write_record[1:0] != `MOEHUB_COMPLETED_REFUSED; // by a B
    wire writes   = write_valid && !rst;
    always @* assume (!write_valid || room);

    // ---- the record looked at: how many are before it, and of those with a B how many B are missing -----------------------
    reg [3:0] inside_q = 0; // records written and not told
    reg [3:0] open_q   = 0; // ... and without their B
    reg       looks_q  = 0;
    reg [3:0] before_q;
    reg [3:0] open_before_q;
    reg       due_q;   // its own B has not come
    reg       error_q; // ... came with an error
    reg [3:0] waits_q  = 0; // cycles for which it is complete and the next one, and not offered
    reg [`MOEHUB_WRITE_RECORD_WIDTH(1) - 1:0] record_q;
    wire      takes  = bvalid && bready && open_q != 0;
    wire      leaves = tvalid && tready;
    wire      its_turn = looks_q && before_q == 0;
    wire      complete = its_turn && !due_q;
    wire      looks  = writes && mark && !looks_q;

    wire [1:0] kind;
    wire       its_last;
    wire [2:0] its_context;
    wire [5:0] source;
    wire [7:0] expert;
    wire       slot;
    wire [7:0] value;
    assign `MOEHUB_WRITE_RECORD(kind, its_last, its_context, source, expert, slot, value) = record_q;

    reg       left_q    = 0; // it was told in the cycle before
    reg       stalled_q = 0;
    always @(posedge clk) begin
        inside_q  <= inside_q + {3'd0, writes} - {3'd0, leaves};
        open_q    <= open_q + {3'd0, writes && answered} - {3'd0, takes};
        left_q    <= leaves && its_turn;
        stalled_q <= tvalid && !tready;
        waits_q   <= complete && !tvalid ? waits_q + 4'd1 : 4'd0;
        if (looks) begin
            looks_q       <= 1;
            before_q      <= inside_q - {3'd0, leaves};
            open_before_q <= open_q - {3'd0, takes};
            due_q         <= answered;
            error_q       <= 0;
            record_q      <= write_record;
        end else if (looks_q) begin
            if (leaves) before_q <= before_q - 4'd1;
            if (leaves && its_turn) looks_q <= 0;
            if (takes && open_before_q != 0) open_before_q <= open_before_q - 4'd1;
            if (takes && open_before_q == 0 && due_q) begin
                due_q   <= 0;
                error_q <= bresp[1];
            end
        end
        if (rst) begin
            inside_q  <= 0;
            open_q    <= 0;
            looks_q   <= 0;
            left_q    <= 0;
            stalled_q <= 0;
            waits_q   <= 0;
        end
    end

    wire [`MOEHUB_COMPLETED_WIDTH(1) - 1:0] its_words =
        `MOEHUB_COMPLETED(kind, its_context, source, expert, slot, value, error_q);
    wire header_is = error_header[`MOEHUB_HEADER_CONTEXT_LSB +: `MOEHUB_HEADER_CONTEXT_WIDTH] == its_context &&
        error_header[`MOEHUB_HEADER_SOURCE_LSB +: 6] == source;

    reg seen_q = 0; // one left in a cycle of reset
    always @(posedge clk) seen_q <= leaves && its_turn && rst;

    wire runs = started_q && !reset_q;
    always @* begin
        after_b:   assert (!its_turn || !leaves || !due_q);
        as_it_was: assert (!its_turn || !leaves || told == its_words);
        told_soon: assert (waits_q <= 3);
        fits:      assert (!runs || (used <= WRITES && inside_q <= used + 1 && inside_q >= used));
        room_is:   assert (!runs || (room == (used != WRITES) && room_two == (used + 1 < WRITES)));
        b_always:  assert (!runs || bready);
        reported:  assert (!left_q || reset_q || (last == its_last && last_context == its_context && error_valid == error_q &&
                           bytes == (kind == `MOEHUB_COMPLETED_BYTES) && refused == (kind == `MOEHUB_COMPLETED_REFUSED) &&
                           (!error_valid || header_is)));
        quiet:     assert (!started_q || !reset_q || {last, bytes, refused, stalled, error_valid} == 5'd0);
        stalls:    assert (!runs || stalled == stalled_q);
    end
    always @* begin
        with_error: cover (its_turn && leaves && error_q && inside_q > 1);
        unanswered: cover (its_turn && !due_q && kind == `MOEHUB_COMPLETED_REFUSED && leaves && inside_q > 1);
        stray:      cover (runs && bvalid && bready && open_q == 0 && inside_q != 0);
        full:       cover (runs && used == WRITES);
        reset_late: cover (started_q && reset_q && seen_q);
    end
endmodule
`default_nettype wire
