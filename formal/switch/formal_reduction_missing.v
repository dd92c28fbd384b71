// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_missing: the entries that time out are looked up in their order, each once, and what is read for each is
// told two cycles later; only one that finds four before it may be lost.
`default_nettype none
module formal_reduction_missing #(
    parameter ENTRIES    = 2,
    parameter PORTS      = 2,
    parameter QUARANTINE = 1
) (
    input wire               clk,
    input wire               rst,
    input wire               timed_out_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] timed_out_entry,
    input wire               mark,
    input wire               look_ready,
    input wire [PORTS - 1:0] look_missing
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    wire                     waits, look_valid, missing_valid;
    wire [ENTRY_WIDTH - 1:0] look_entry;
    wire [PORTS - 1:0]       missing_ports;

    moehub_reduction_missing #(.ENTRIES(ENTRIES), .PORTS(PORTS), .QUARANTINE(QUARANTINE)) u_missing (
        .clk(clk), .rst(rst), .timed_out_valid(timed_out_valid), .timed_out_entry(timed_out_entry), .waits(waits),
        .look_valid(look_valid), .look_ready(look_ready), .look_entry(look_entry), .look_missing(look_missing),
        .missing_valid(missing_valid), .missing_ports(missing_ports)
    );

    // ---- a number of the solver's choice, with fewer than four before it ----------------------------------------------------
    wire looks = look_valid && look_ready;
    reg [2:0]               inside_q = 3'd0;
    reg                     marked_q = 1'b0;
    reg [2:0]               ahead_q; // before it
    reg [ENTRY_WIDTH - 1:0] entry_q;
    reg                     looked_q = 1'b0; // one cycle ago
    reg                     told_q = 1'b0;   // two cycles ago
    reg [PORTS - 1:0]       missing_q;
    wire enters = timed_out_valid && inside_q != 3'd4 && QUARANTINE != 0;
    wire its_turn = marked_q && ahead_q == 3'd0;
    always @* assume (!(rst || reset_q || !started_q) || !timed_out_valid); // nothing is reserved so soon after a reset
    always @(posedge clk) begin
        inside_q  <= inside_q + {2'd0, enters} - {2'd0, looks};
        looked_q  <= looks;
        told_q    <= looked_q;
        missing_q <= look_missing;
        if (marked_q && looks) begin
            ahead_q <= ahead_q - 3'd1;
            if (ahead_q == 3'd0) marked_q <= 1'b0;
        end
        if (!marked_q && mark && enters) begin
            marked_q <= 1'b1;
            ahead_q  <= inside_q - {2'd0, looks};
            entry_q  <= timed_out_entry;
        end
        if (rst) begin
            inside_q <= 3'd0;
            marked_q <= 1'b0;
            looked_q <= 1'b0;
            told_q   <= 1'b0;
        end
    end

    wire running = started_q && !reset_q && !rst;
    always @* begin
        order:    assert (!running || !its_turn || (look_valid && look_entry == entry_q));
        no_more:  assert (!running || look_valid == (inside_q != 3'd0));
        says:     assert (!running || waits || inside_q == 3'd0);
        told:     assert (!running || (missing_valid == told_q && (!told_q || missing_ports == missing_q)));
    end
    always @* begin
        full:     cover (running && inside_q == 3'd4 && timed_out_valid);
        fourth:   cover (running && its_turn && looks && inside_q == 3'd1 && told_q && looked_q);
        tells:    cover (running && missing_valid && missing_ports != 0);
    end
endmodule
`default_nettype wire
