// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_order: of the wanted rows the one with the lowest index is found, of several the lowest entry, and none
// else. Rows change at any time; one takes part three cycles after that.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_order #(
    parameter ROWS            = 3,
    parameter ROW_INDEX_WIDTH = 2
) (
    input wire                                       clk,
    input wire                                       rst,
    input wire                                       put_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0]     put_entry,
    input wire [ROW_INDEX_WIDTH - 1:0]               put_index,
    input wire [ROWS - 1:0]                          wanted
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    wire [ROWS - 1:0] lowest;
    reg  [ROWS * ROW_INDEX_WIDTH - 1:0] indices_q;
    reg  [2 * ROWS - 1:0]               age_q = {2 * ROWS{1'b0}}; // cycles since it changed, 3 at most; 0: it never did
    moehub_packet_manager_order #(.ROWS(ROWS), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH)) u_order (
        .clk(clk), .put_valid(put_valid), .put_entry(put_entry), .put_index(put_index), .indices(indices_q), .wanted(wanted),
        .lowest(lowest)
    );
    integer e;
    always @(posedge clk) begin
        for (e = 0; e < ROWS; e = e + 1) begin
            if (age_q[2 * e +: 2] != 2'd0 && age_q[2 * e +: 2] != 2'd3) age_q[2 * e +: 2] <= age_q[2 * e +: 2] + 2'd1;
            if (put_valid && put_entry == e) begin
                indices_q[e * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH] <= put_index;
                age_q[2 * e +: 2] <= 2'd1;
            end
        end
        if (rst) age_q <= {2 * ROWS{1'b0}};
    end
    always @* begin
        assume (!put_valid || put_entry < ROWS);
        for (e = 0; e < ROWS; e = e + 1) assume (!wanted[e] || age_q[2 * e +: 2] == 2'd3);
    end

    // Two entries of the solver's choice.
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] its_entry;
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] other;
    always @* assume (its_entry < ROWS && other < ROWS);
    wire [ROW_INDEX_WIDTH - 1:0] its_index   = indices_q[its_entry * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH];
    wire [ROW_INDEX_WIDTH - 1:0] other_index = indices_q[other * ROW_INDEX_WIDTH +: ROW_INDEX_WIDTH];
    wire beaten = wanted[other] && (other_index < its_index || (other_index == its_index && other < its_entry));
    reg  changed_q = 1'b0; // a row that had taken part has another index
    always @(posedge clk) changed_q <= !rst && (changed_q || (put_valid && age_q[2 * put_entry +: 2] == 2'd3));

    always @* if (started_q) begin
        not_beaten: assert (!(lowest[its_entry] && beaten));
        is_wanted:  assert (!lowest[its_entry] || wanted[its_entry]);
        found:      assert (wanted == {ROWS{1'b0}} || lowest != {ROWS{1'b0}});
    end
    always @* begin
        of_many: cover (changed_q && lowest[ROWS - 1] && (&wanted));
    end
endmodule
`default_nettype wire
