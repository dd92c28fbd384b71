// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_lines: each buffer that is read, lost or freed is given back, once, also when many come one after the
// other: rows of one kind, so each is the last.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_lines #(
    parameter LINES = 4
) (
    input wire       clk,
    input wire       rst,
    input wire       settle_ready,
    input wire       freed,
    input wire       lost,
    input wire       read_valid,
    input wire [1:0] step_slot,
    input wire [1:0] read_slot
);
`include "formal_reset.vh"
    wire       initialised;
    wire       read_ready;
    wire       gone;
    wire       gone_entry;
    wire       gone_line;
    wire       slot_valid;
    wire [1:0] slot;
    wire [2:0] used;
    wire       hand_valid;
    wire [1:0] hand_slot;
    wire       hand_entry;
    wire       hand_line;
    wire [2:0] hand_reasons;
    moehub_packet_manager_lines #(.LINKS(1), .OFFSET_WIDTH(8), .ROWS(1), .LINES(LINES)) u_lines (
        .clk(clk), .rst(rst), .initialised(initialised), .line_timeout(16'd1), .aborted(1'b0), .stored_all(1'b0), .kinds(2'b01),
        .links(2'd0), .store_room(2'b00), .wants_slot(1'b0), .slot_valid(slot_valid), .slot(slot), .used(used),
        .slot_take(1'b0), .took(1'b0), .became(1'b0), .freed(freed), .lost(lost), .lost_kind(1'b0), .step_slot(step_slot),
        .step_entry(1'b0), .step_line(1'b0), .step_kinds(2'b01), .step_link(2'd0), .read_valid(read_valid),
        .read_ready(read_ready), .read_kind(1'b0), .read_slot(read_slot), .read_entry(1'b0), .read_line(1'b0),
        .settle_ready(settle_ready), .gone(gone), .gone_entry(gone_entry), .gone_line(gone_line), .hand_valid(hand_valid),
        .hand_ready(1'b0), .hand_slot(hand_slot), .hand_entry(hand_entry), .hand_line(hand_line), .hand_reasons(hand_reasons)
    );

    reg       ready_q  = 1'b0; // settle_ready, a cycle before
    reg       turn_q   = 1'b0; // read_ready, a cycle before
    reg [4:0] inside_q = 5'd0; // came and not given back
    reg [2:0] idle_q   = 3'd0; // cycles in which one could be given back, was there, and was not
    reg [4:0] most_q   = 5'd0;
    wire [4:0] came = {4'd0, freed || lost} + {4'd0, read_valid};
    always @* begin
        assume (!(freed || lost) || (ready_q && initialised));
        assume (!(freed && lost));
        assume (!read_valid || turn_q);
    end
    always @(posedge clk) begin
        ready_q  <= settle_ready && !rst;
        turn_q   <= read_ready && !rst;
        inside_q <= rst ? 5'd0 : inside_q + came - {4'd0, gone};
        idle_q   <= rst || gone || inside_q == 5'd0 ? 3'd0 : idle_q + {2'd0, settle_ready && idle_q != 3'd7};
        if (inside_q > most_q) most_q <= inside_q;
    end

    always @* if (started_q) begin
        not_more:  assert (!gone || inside_q != 5'd0);
        given_back: assert (idle_q < 3'd6);
    end
    always @* begin
        many: cover (inside_q >= 5'd7);
        all_back: cover (most_q >= 5'd6 && inside_q == 5'd0);
    end
endmodule
`default_nettype wire
