// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_ready: a line that became ready is chosen once, and a choice sees what entered 20 cycles before it: so no
// line is lost, and none leaves twice.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_ready #(
    parameter ROWS         = 1,
    parameter OFFSET_WIDTH = 8
) (
    input wire                                                      clk,
    input wire                                                      rst,
    input wire                                                      enter_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                    enter_entry,
    input wire                                                      enter_nop,
    input wire [`MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7)) - 1:0] enter_line,
    input wire                                                      choose_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]                    choose_entry,
    input wire                                                      choose_nop
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam LINE_WIDTH  = `MOEHUB_INDEX_WIDTH(1 << (OFFSET_WIDTH - 7));
    localparam [4:0] LATE  = 5'd20; // cycles until a choice sees a line

    wire                    initialised;
    wire                    stand_still;
    wire                    found;
    wire [LINE_WIDTH - 1:0] line;
    wire [2 * ROWS - 1:0]   some;
    moehub_packet_manager_ready #(.ROWS(ROWS), .OFFSET_WIDTH(OFFSET_WIDTH)) u_ready (
        .clk(clk), .rst(rst), .initialised(initialised), .enter_valid(enter_valid), .enter_entry(enter_entry),
        .enter_nop(enter_nop), .enter_line(enter_line), .stand_still(stand_still), .choose_valid(choose_valid),
        .choose_entry(choose_entry), .choose_nop(choose_nop), .found(found), .line(line), .some(some)
    );

    // ---- a line of the solver's choice -------------------------------------------------------------------------------------
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] its_entry;
    (* anyconst *) wire                     its_nop;
    (* anyconst *) wire [LINE_WIDTH - 1:0]  its_line;
    always @* assume ({1'b0, its_entry} < ROWS && its_line < (1 << (OFFSET_WIDTH - 7)));
    wire enters  = enter_valid && enter_entry == its_entry && enter_nop == its_nop && enter_line == its_line && !rst;
    wire chooses = choose_valid && choose_entry == its_entry && choose_nop == its_nop && !rst;

    reg [4:0] still_q   = 5'd0; // stand_still, in the cycles before
    reg       chosen_q  = 1'b0; // a cycle ago
    reg [2:0] chooses_q = 3'd0;
    reg [2:0] sees_q    = 3'd0; // a choice that must see the line
    reg       held_q    = 1'b0; // it entered and was not found
    reg [4:0] age_q     = 5'd0;
    reg       other_q   = 1'b0; // another line of its word was found first
    reg       again_q   = 1'b0; // it was found before
    reg       still_seen_q = 1'b0;
    wire      finds = found && chooses_q[2] && line == its_line;
    always @(posedge clk) begin
        still_q   <= {still_q[3:0], stand_still && !rst};
        chosen_q  <= choose_valid && !rst;
        chooses_q <= {chooses_q[1:0], chooses} & {3{!rst}};
        sees_q    <= {sees_q[1:0] & {2{!finds}}, chooses && held_q && age_q >= LATE && !finds && chooses_q[1:0] == 2'b00}
            & {3{!rst}};
        held_q    <= (enters || (held_q && !finds)) && !rst;
        age_q     <= rst || !held_q || finds ? 5'd0 : age_q == LATE ? LATE : age_q + 5'd1;
        other_q   <= !rst && held_q && (other_q || (found && chooses_q[2] && !finds));
        again_q   <= !rst && (again_q || finds);
        still_seen_q <= !rst && held_q && (still_seen_q || stand_still);
    end
    // What was under way when stand_still rose may come.
    always @* begin
        assume (!(enter_valid || choose_valid) || initialised);
        assume (!enter_valid || still_q != 5'b11111);
        assume (!enter_valid || (enter_entry < ROWS && enter_line < (1 << (OFFSET_WIDTH - 7))));
        assume (!choose_valid || (choose_entry < ROWS && !chosen_q));
        assume (!(enters && held_q));
    end

    always @* if (started_q) begin
        once:      assert (!finds || held_q);
        seen:      assert (!sees_q[2] || (found && line <= its_line));
        some_then: assert (!(held_q && age_q == LATE) || chooses_q != 3'd0 || some[{its_entry, its_nop}]);
    end
    always @* begin
        second:     cover (finds && other_q && still_seen_q);
        found_more: cover (finds && again_q && sees_q[2]);
        waits:      cover (held_q && age_q == LATE && !chosen_q && again_q);
    end
endmodule
`default_nettype wire
