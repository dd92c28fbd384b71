// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_choice: lines become ready, rows open, abort and leave, ways want as they like. Lines of one kind are not
// locked in two cycles that follow each other: so a row's first packet on a kind is known before the next is made.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_choice #(
    parameter LINKS = 1,
    parameter ROWS  = 2
) (
    input wire                                     clk,
    input wire                                     rst,
    input wire [ROWS - 1:0]                        open,
    input wire [ROWS - 1:0]                        aborted,
    input wire [2 * ROWS - 1:0]                    links,
    input wire                                     take,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   take_entry,
    input wire                                     take_row_index,
    input wire [ROWS - 1:0]                        indices,
    input wire                                     became_valid,
    input wire [1:0]                               became_kinds,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]   became_entry,
    input wire                                     became_nop,
    input wire                                     became_line,
    input wire [LINKS:0]                           wants
);
`include "formal_reset.vh"
    wire       initialised, stand_still, lock_valid, lock_kind, lock_line;
    wire [2:0] lock_requester;
    wire [4 * ROWS - 1:0] some;
    wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] lock_entry;
    moehub_packet_manager_choice #(.LINKS(LINKS), .ROWS(ROWS), .OFFSET_WIDTH(8), .ROW_INDEX_WIDTH(1)) u_choice (
        .clk(clk), .rst(rst), .initialised(initialised), .open(open), .aborted(aborted), .links(links), .take(take),
        .take_entry(take_entry), .take_row_index(take_row_index), .indices(indices), .some(some), .became_valid(became_valid),
        .became_kinds(became_kinds), .became_entry(became_entry), .became_nop(became_nop), .became_line(became_line),
        .stand_still(stand_still), .wants(wants), .lock_valid(lock_valid), .lock_requester(lock_requester),
        .lock_kind(lock_kind), .lock_entry(lock_entry), .lock_line(lock_line)
    );

    // A way wants no line from the cycle after its lock on, until it has sent that one.
    reg         locked_q = 0;
    reg         kind_q;
    reg [2:0]   requester_q;
    reg [2:0]   locks_q = 0; // so many
    always @(posedge clk) begin
        locked_q    <= lock_valid && !rst;
        kind_q      <= lock_kind;
        requester_q <= lock_requester;
        if (lock_valid && locks_q != 7) locks_q <= locks_q + 1;
        if (rst) locks_q <= 0;
    end
    always @* begin
        assume (!became_valid || initialised);
        assume (!locked_q || requester_q > LINKS || !wants[requester_q]);
        assume ({1'b0, became_entry} < ROWS && {1'b0, take_entry} < ROWS);
    end

    wire runs = started_q && !reset_q && !rst;
    always @* begin
        apart:    assert (!runs || !locked_q || !lock_valid || lock_kind != kind_q);
        of_kind:  assert (!runs || !lock_valid || lock_kind == (lock_requester == LINKS || lock_requester == LINKS + 2));
    end
    always @* begin
        both:  cover (runs && locked_q && lock_valid && locks_q == 3);
    end
endmodule
`default_nettype wire
