// SPDX-License-Identifier: Apache-2.0
// moehub_result_queue: the flits of committed rows leave in the order in which the rows came, none lost, none twice, a packet
// without a gap; rows without commit vanish. The solver marks one row. The user counts the places, as the schedule does.
`default_nettype none
module formal_result_queue #(
    parameter ROWS = 3
) (
    input wire       clk,
    input wire       rst,
    input wire       row_valid,
    input wire       row_first,
    input wire       row_commit,
    input wire       row_two,
    input wire       row_head,
    input wire [1:0] row_data,
    input wire       out_ready,
    input wire       mark
);
`include "formal_reset.vh"
    wire fetched, out_valid, out_head, out_data, out_last;
    wire [$clog2(ROWS + 1) - 1:0] dropped;
    moehub_result_queue #(.ROWS(ROWS), .HEAD_WIDTH(1), .DATA_WIDTH(1)) u_queue (
        .clk(clk), .rst(rst), .row_valid(row_valid), .row_first(row_first), .row_commit(row_commit), .row_two(row_two),
        .row_head(row_head), .row_data(row_data), .fetched(fetched), .dropped(dropped),
        .out_valid(out_valid), .out_ready(out_ready), .out_head(out_head), .out_data(out_data), .out_last(out_last)
    );
    formal_stream_assert #(.WIDTH(3)) u_out (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data({out_head, out_data, out_last})
    );

    // ---- the user's count; a row goes on with the packet that has begun, or begins one --------------------------------------
    reg [3:0] used_q = 4'd0;
    reg       begun_q = 1'b0;
    wire      enters = row_valid && !rst;
    wire      leaves = out_valid && out_ready && !rst;
    always @* begin
        assume (!row_valid || used_q < ROWS);
        assume (!row_valid || row_first || begun_q);
    end
    always @(posedge clk) begin
        used_q <= used_q + {3'd0, enters} - {3'd0, fetched} - dropped;
        if (enters) begun_q <= !row_commit;
        if (rst) begin
            used_q  <= 4'd0;
            begun_q <= 1'b0;
        end
    end

    // ---- flits inside: of rows not committed, of committed ones; the marked row's place among them ----------------
    reg [4:0] open_q = 5'd0;
    reg [4:0] full_q = 5'd0;
    reg [4:0] ready_q [0:2];  // committed at least so many cycles ago
    reg       marked_q = 1'b0;
    reg       sure_q   = 1'b0; // the marked row is committed
    reg [4:0] ahead_q;         // flits before its next one
    reg       second_q;        // that is its second
    reg       two_q, head_q, commit_q;
    reg [1:0] data_q;
    wire [4:0] flits = row_two ? 5'd2 : 5'd1;
    wire [4:0] open  = (row_first ? 5'd0 : open_q) + flits;
    wire [4:0] left  = {4'd0, leaves};
    wire       its   = marked_q && sure_q && ahead_q == 5'd0 && out_valid;
    integer    i;
    always @(posedge clk) begin
        if (enters) open_q <= row_commit ? 5'd0 : open;
        full_q <= full_q + (enters && row_commit ? open : 5'd0) - left;
        ready_q[0] <= full_q - left;
        for (i = 1; i < 3; i = i + 1) ready_q[i] <= ready_q[i - 1] - left;
        if (marked_q && leaves) begin
            if (ahead_q != 5'd0) ahead_q <= ahead_q - 5'd1;
            else begin
                marked_q <= two_q && !second_q;
                second_q <= 1'b1;
            end
        end
        if (marked_q && enters) begin
            if (row_first && !sure_q) marked_q <= 1'b0;
            else if (row_commit) sure_q <= 1'b1;
        end
        if (enters && mark && !marked_q) begin
            marked_q <= 1'b1;
            sure_q   <= row_commit;
            ahead_q  <= full_q - left + (row_first ? 5'd0 : open_q);
            second_q <= 1'b0;
            two_q    <= row_two;
            head_q   <= row_head;
            data_q   <= row_data;
            commit_q <= row_commit;
        end
        if (rst) begin
            open_q   <= 5'd0;
            full_q   <= 5'd0;
            marked_q <= 1'b0;
            for (i = 0; i < 3; i = i + 1) ready_q[i] <= 5'd0;
        end
    end

    always @* begin
        order:     assert (!its || (out_head == head_q && out_data == data_q[second_q]));
        last:      assert (!its || out_last == (commit_q && (!two_q || second_q)));
        no_more:   assert (!started_q || reset_q || !out_valid || full_q != 5'd0);
        no_bubble: assert (!started_q || reset_q || ready_q[2] == 5'd0 || out_valid);
        counts:    assert (used_q <= ROWS);
    end
    always @* begin
        second_of_two: cover (started_q && its && two_q && second_q && leaves);
        full:          cover (started_q && used_q == ROWS);
        given_up:      cover (started_q && !reset_q && dropped != 0);
        streams:       cover (started_q && !reset_q && ready_q[2] > 5'd2 && leaves);
    end
endmodule
`default_nettype wire
