// SPDX-License-Identifier: Apache-2.0
// moehub_free_list: no name is out twice, none is lost. The harness knows which names are out and gives back only those.
`default_nettype none
module formal_free_list #(
    parameter ENTRIES = 3,
    parameter SPARE   = 0
) (
    input wire                                                 clk,
    input wire                                                 rst,
    input wire                                                 take,
    input wire                                                 put_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0]     put_id
);
`include "formal_reset.vh"
    localparam ID_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    wire                                valid;
    wire                                next_valid;
    wire [ID_WIDTH - 1:0]               id;
    wire [$clog2(ENTRIES + 1) - 1:0]    used;
    moehub_free_list #(.ENTRIES(ENTRIES), .SPARE(SPARE)) u_list (
        .clk(clk), .rst(rst), .valid(valid), .next_valid(next_valid), .id(id), .take(take),
        .put_valid(put_valid), .put_id(put_id), .used(used)
    );

    reg [ENTRIES - 1:0] out_q = {ENTRIES{1'b0}};
    reg [7:0]           taken_q = 8'd0;
    reg [2:0]           waiting_q = 3'd0; // cycles without a name though one is free, since reset
    reg                 promised_q = 1'b0;
    reg                 only_q = 1'b0; // the only free name came back in the cycle before
    reg                 all_q = 1'b0;
    reg                 both_q = 1'b0; // one was taken as one came back
    integer i;
    always @* begin
        assume (!take || valid);
        assume (!put_valid || (put_id < ENTRIES && out_q[put_id]));
    end
    always @(posedge clk) begin
        if (take) out_q[id] <= 1'b1;
        if (put_valid) out_q[put_id] <= 1'b0;
        taken_q    <= taken_q + {7'd0, take} - {7'd0, put_valid};
        promised_q <= next_valid && !rst;
        only_q     <= put_valid && !rst && taken_q + {7'd0, take} == ENTRIES;
        if (&out_q) all_q <= 1'b1;
        both_q     <= !rst && (both_q || (take && put_valid));
        waiting_q  <= valid || taken_q == ENTRIES || rst ? 3'd0 : waiting_q + {2'd0, waiting_q != 3'd7};
        if (rst) begin
            out_q   <= {ENTRIES{1'b0}};
            taken_q <= 8'd0;
        end
    end

    always @* begin
        not_twice:  assert (!started_q || !valid || (id < ENTRIES && !out_q[id]));
        none_lost:  assert (waiting_q < 3'd3);
        prompt:     assert (!started_q || reset_q || both_q || SPARE == 0 || valid || taken_q == ENTRIES);
        at_once:    assert (!started_q || !only_q || valid);
        counts:     assert (!started_q || {8'd0, used} == {8'd0, taken_q});
        next_told:  assert (!started_q || reset_q || valid == promised_q);
        quiet:      assert (!started_q || !reset_q || !valid);
    end
    always @* begin
        all_out:       cover (&out_q);
        all_out_again: cover (all_q && out_q == {ENTRIES{1'b0}} && valid && !reset_q);
    end
endmodule
`default_nettype wire
