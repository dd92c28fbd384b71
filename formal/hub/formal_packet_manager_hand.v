// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_hand: a line buffer that is filled once, of two rows. It is asked for by its name, for a reason that it
// has; and while it is to leave, or there is room for it, soon.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_hand #(
    parameter LINKS = 2
) (
    input wire           clk,
    input wire           rst,
    input wire [1:0]     aborted,
    input wire [1:0]     stored_all,
    input wire [LINKS:0] store_room,
    input wire [LINKS:0] owed_many,
    input wire           wants_slot,
    input wire           clear_slot,
    input wire           fills,
    input wire           stops,
    input wire           step_slot,
    input wire           step_entry,
    input wire           step_line,
    input wire           ready
);
`include "formal_reset.vh"
    // Cycles after which a buffer that is due is asked for, and no fewer: the turns of a round, the stages, the pause after each
    // that was taken. Cycles in which another one is asked for and not taken do not count.
    localparam [5:0] SOON = 6'd20;

    (* anyconst *) wire [15:0] line_timeout;
    (* anyconst *) wire [3:0]  kinds;
    (* anyconst *) wire [3:0]  links;
    (* anyconst *) wire        chosen;
    always @* begin
        assume (line_timeout >= 16'd1 && line_timeout <= 16'd9);
        assume (links[1:0] < LINKS && links[3:2] < LINKS);
    end
    reg  [1:0] cleared_q = 2'b00;
    wire       clear     = cleared_q != 2'b11;
    wire       valid, slot, entry, line;
    wire [2:0] reasons;
    moehub_packet_manager_hand #(.LINKS(LINKS), .OFFSET_WIDTH(8), .ROWS(2), .LINES(2)) u_hand (
        .clk(clk), .rst(rst), .line_timeout(line_timeout), .aborted(aborted), .stored_all(stored_all), .kinds(kinds),
        .links(links), .store_room(store_room), .owed_many(owed_many), .wants_slot(wants_slot), .clear(clear),
        .clear_slot(clear_slot), .fills(fills), .stops(stops), .step_slot(step_slot), .step_entry(step_entry),
        .step_line(step_line), .valid(valid), .ready(ready), .slot(slot), .entry(entry), .line(line), .reasons(reasons)
    );

    // ---- the buffer --------------------------------------------------------------------------------------------------------
    reg        filled_q  = 1'b0; // once
    reg        filling_q = 1'b0;
    reg        entry_q   = 1'b0;
    reg        line_q    = 1'b0;
    reg  [4:0] age_q     = 5'd0;
    reg        stored_q  = 1'b0; // its row was stored in a cycle since then
    reg        always_q  = 1'b0; // ... in all of them
    reg        aborted_q = 1'b0; // its row was aborted in a cycle since then
    reg        allowed_q = 1'b0; // there was room for it in the cycle before
    reg  [2:0] stood_q   = 3'd0; // cycles in which it may tell what was before it stood still
    reg        taken_q   = 1'b0; // one was asked for and taken in the cycle before
    reg  [3:0] again_q   = 4'd0; // cycles in which it is not asked for again
    reg  [5:0] due_q     = 6'd0;
    reg  [5:0] room_q    = 6'd0;

    wire       fills_it = fills && step_slot == chosen;
    wire       stops_it = stops && step_slot == chosen;
    wire       asked    = valid && slot == chosen;
    wire       stands   = valid && !ready;
    wire [1:0] kind     = kinds[entry_q * 2 +: 2];
    wire [1:0] link     = links[entry_q * 2 +: 2];
    wire       has_room = (!kind[0] || store_room[link]) && (!kind[1] || store_room[LINKS]);
    wire       allowed  = wants_slot && (store_room & owed_many) == {LINKS + 1{1'b0}} && has_room;
    wire       old      = age_q >= line_timeout;
    always @* begin
        assume (!clear || (clear_slot == cleared_q[0] && !fills && !stops));
        assume (!(fills && stops));
        assume (!(fills_it && filled_q));
    end
    always @(posedge clk) begin
        if (clear) cleared_q[clear_slot] <= 1'b1;
        if (fills_it) begin
            filled_q <= 1'b1;
            entry_q  <= step_entry;
            line_q   <= step_line;
        end
        filling_q <= !stops_it && (fills_it || filling_q);
        age_q     <= fills_it ? 5'd1 : age_q != 5'd31 ? age_q + 5'd1 : age_q;
        stored_q  <= !fills_it && (stored_q || stored_all[entry_q]);
        always_q  <= fills_it || (always_q && stored_all[entry_q]);
        aborted_q <= !fills_it && (aborted_q || aborted[entry_q]);
        allowed_q <= allowed;
        stood_q   <= stands ? 3'd6 : stood_q != 3'd0 ? stood_q - 3'd1 : stood_q;
        taken_q   <= !rst && valid && ready;
        again_q   <= asked && ready ? 4'd15 : again_q != 4'd0 ? again_q - 4'd1 : again_q;
        due_q     <= asked || !filling_q || !(aborted[entry_q] || stored_all[entry_q] || old) ? 6'd0 : due_q + !stands;
        room_q    <= valid || !filling_q || !allowed ? 6'd0 : room_q + 6'd1;
        if (rst) begin
            cleared_q <= 2'b00;
            filled_q  <= 1'b0;
            filling_q <= 1'b0;
            again_q   <= 4'd0;
            due_q     <= 6'd0;
            room_q    <= 6'd0;
        end
    end

    always @* if (started_q) begin
        spaced:    assert (!(valid && taken_q));
        apart:     assert (!asked || again_q == 4'd0);
        filled:    assert (!asked || filled_q);
        named:     assert (!asked || (entry == entry_q && line == line_q));
        by_row:    assert (!(asked && reasons[0]) || stored_q || stored_all[entry_q]);
        by_timer:  assert (!(asked && reasons[1]) || old);
        by_room:   assert (!(asked && reasons[2]) || allowed_q || aborted_q);
        row_told:  assert (!(asked && always_q && age_q > 5'd2) || reasons[0]);
        old_told:  assert (!(asked && stood_q == 3'd0 && age_q > line_timeout + 5'd3) || !reasons[2]);
        soon:      assert (due_q <= SOON);
        soon_room: assert (room_q < SOON);
    end
    always @* begin
        of_timer: cover (asked && ready && reasons[1]);
        of_row:   cover (asked && ready && reasons[0] && line);
        of_room:  cover (asked && ready && reasons[2] && !aborted_q);
        late:     cover (due_q == 6'd16);
    end
endmodule
`default_nettype wire
