// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_free_list: every entry is either out or comes to the head; generations count the uses of an entry.
`default_nettype none
module formal_reduction_free_list #(
    parameter ENTRIES          = 2,
    parameter GENERATION_WIDTH = 1
) (
    input wire                                             clk,
    input wire                                             rst,
    input wire                                             refill,
    input wire                                             take,
    input wire                                             freed_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] freed_entry
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    wire                          initialised, refill_busy, head_valid;
    wire [ENTRY_WIDTH - 1:0]      head_entry;
    wire [GENERATION_WIDTH - 1:0] head_generation;
    moehub_reduction_free_list #(.ENTRIES(ENTRIES), .GENERATION_WIDTH(GENERATION_WIDTH)) u_list (
        .clk(clk), .rst(rst), .initialised(initialised), .refill(refill), .refill_busy(refill_busy),
        .freed_valid(freed_valid), .freed_entry(freed_entry),
        .head_valid(head_valid), .head_entry(head_entry), .head_generation(head_generation), .take(take)
    );

    (* anyconst *) wire [ENTRY_WIDTH - 1:0] chosen;

    reg [ENTRIES - 1:0]          out_q     = {ENTRIES{1'b0}};
    reg [ENTRIES - 1:0]          out_2_q   = {ENTRIES{1'b0}}; // ... for at least two cycles: a grant lies between
    reg [GENERATION_WIDTH - 1:0] uses_q    = {GENERATION_WIDTH{1'b0}}; // of the chosen entry since reset
    reg [3:0]                    next_q    = 4'd0; // takes since reset or refill
    reg [2:0]                    waiting_q = 3'd0; // cycles without an entry at the head though one is free
    reg [2:0]                    quiet_q   = 3'd0; // cycles since the last entry came back
    reg                          again_q   = 1'b0; // a refill after uses
    always @* begin
        assume (chosen < ENTRIES);
        assume (!take || (head_valid && !refill_busy && !refill));
        assume (!freed_valid || (freed_entry < ENTRIES && out_2_q[freed_entry] && out_q[freed_entry] && !refill_busy && !refill));
        // FLUSH waits for occupancy 0, two registers behind
        assume (!refill || (initialised && !refill_busy && out_q == {ENTRIES{1'b0}} && quiet_q >= 3'd2));
    end
    always @(posedge clk) begin
        out_2_q <= out_q;
        if (take) out_q[head_entry] <= 1'b1;
        if (freed_valid) out_q[freed_entry] <= 1'b0;
        if (take && head_entry == chosen) uses_q <= uses_q + 1'b1;
        if (take && next_q != ENTRIES) next_q <= next_q + 4'd1;
        quiet_q   <= freed_valid ? 3'd0 : quiet_q + {2'd0, quiet_q != 3'd7};
        waiting_q <= head_valid || refill_busy || refill || &out_q ? 3'd0 : waiting_q + {2'd0, waiting_q != 3'd7};
        if (refill) next_q <= 4'd0;
        if (refill && uses_q != 0) again_q <= 1'b1;
        if (rst) begin
            out_q     <= {ENTRIES{1'b0}};
            uses_q    <= {GENERATION_WIDTH{1'b0}};
            next_q    <= 4'd0;
            quiet_q   <= 3'd0;
            waiting_q <= 3'd0;
            again_q   <= 1'b0;
        end
    end

    wire valid = started_q && head_valid;
    always @* begin
        not_twice:   assert (!valid || (head_entry < ENTRIES && !out_q[head_entry]));
        none_lost:   assert (waiting_q < 3'd5);
        generations: assert (!valid || head_entry != chosen || head_generation == uses_q);
        starts_in_order: assert (!valid || next_q == ENTRIES || head_entry == next_q);
    end
    always @* begin
        all_out:       cover (&out_q);
        comes_again:   cover (valid && head_entry == chosen && uses_q == 1 && next_q == ENTRIES);
        after_refill:  cover (again_q && valid && head_entry == chosen && uses_q == 1);
    end
endmodule
`default_nettype wire
