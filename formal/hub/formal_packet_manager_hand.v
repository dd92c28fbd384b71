// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_hand: what it asks for by room was allowed by all of its conditions in one cycle; it asks for what was
// filled, and for whatever is old enough.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_hand #(
    parameter LINKS = 2,
    parameter LINES = 2
) (
    input wire               clk,
    input wire               rst,
    input wire [LINKS:0]     store_room,
    input wire [LINKS:0]     owed_many,
    input wire               wants_slot,
    input wire               aborted,
    input wire               stored_all,
    input wire               clear,
    input wire               clear_slot,
    input wire               fills,
    input wire               stops,
    input wire               step_slot,
    input wire               step_line,
    input wire               ready
);
`include "formal_reset.vh"
    (* anyconst *) wire [1:0] kinds;
    (* anyconst *) wire [1:0] link;
    always @* assume (link < LINKS && kinds != 2'b00);
    wire       valid;
    wire       slot;
    wire       entry;
    wire       line;
    wire [2:0] reasons;
    moehub_packet_manager_hand #(.LINKS(LINKS), .OFFSET_WIDTH(8), .ROWS(1), .LINES(LINES)) u_hand (
        .clk(clk), .rst(rst), .line_timeout(16'd32768), .aborted(aborted), .stored_all(stored_all), .kinds(kinds), .links(link),
        .store_room(store_room), .owed_many(owed_many), .wants_slot(wants_slot), .clear(clear), .clear_slot(clear_slot),
        .fills(fills), .stops(stops), .step_slot(step_slot), .step_entry(1'b0), .step_line(step_line), .valid(valid),
        .ready(ready), .slot(slot), .entry(entry), .line(line), .reasons(reasons)
    );

    // The buffers are cleared after reset, one a cycle; then they are filled.
    reg [1:0] cleared_q = 2'b00;
    reg [1:0] filled_q  = 2'b00;
    reg       allowed_q = 1'b0; // the conditions of the room, all in the cycle before
    reg       taken_q   = 1'b0;
    reg [7:0] since_q   = 8'd0; // of each buffer, cycles in which it is not asked for again
    integer   b;
    wire [3:0] room   = store_room;
    wire       of_way = (!kinds[0] || room[link]) && (!kinds[1] || store_room[LINKS]);
    always @* begin
        assume (clear == (cleared_q != 2'b11));
        assume (!clear || clear_slot == cleared_q[0]);
        assume (!clear || !(fills || stops));
        assume (!(fills && stops));
    end
    always @(posedge clk) begin
        if (clear) cleared_q[clear_slot] <= 1'b1;
        if (fills) filled_q[step_slot] <= 1'b1;
        allowed_q <= !rst && wants_slot && (store_room & owed_many) == {LINKS + 1{1'b0}} && of_way;
        taken_q   <= !rst && valid && ready;
        for (b = 0; b < 2; b = b + 1) begin
            if (since_q[b * 4 +: 4] != 4'd0) since_q[b * 4 +: 4] <= since_q[b * 4 +: 4] - 4'd1;
            if (valid && ready && slot == b) since_q[b * 4 +: 4] <= 4'd15;
        end
        if (rst) begin
            since_q   <= 8'd0;
            cleared_q <= 2'b00;
            filled_q  <= 2'b00;
        end
    end

    // What asks by room alone: a row that is not aborted or stored as it is looked at. The harness keeps the two as they are.
    (* anyconst *) wire of_row;
    always @* assume (aborted == 1'b0 && stored_all == of_row);
    always @* if (started_q) begin
        one_cycle: assert (!(valid && reasons[2]) || allowed_q);
        filled:    assert (!valid || filled_q[slot]);
        spaced:    assert (!(valid && taken_q));
        apart:     assert (!valid || since_q[slot * 4 +: 4] == 4'd0);
    end
    always @* begin
        by_room: cover (valid && ready && reasons[2]);
    end
endmodule
`default_nettype wire
