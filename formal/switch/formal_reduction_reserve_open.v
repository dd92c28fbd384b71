// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_reserve: an entry that is taken is recorded once and opened once, in this order, two cycles apart at
// least: what the check and the free list rely on. Entries come from a free list that gives none twice and come back once open.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_reserve_open #(
    parameter ENTRIES = 1,
    parameter PORTS   = 2
) (
    input wire               clk,
    input wire               rst,
    input wire               hold,
    input wire               draining,
    input wire               reserve_valid,
    input wire [1:0]         reserve_element,
    input wire [PORTS - 1:0] reserve_contributors,
    input wire               grant_ready,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] head_entry,
    input wire               freed_valid,
    input wire [(ENTRIES > 1 ? $clog2(ENTRIES) : 1) - 1:0] freed_entry
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = ENTRIES > 1 ? $clog2(ENTRIES) : 1;
    localparam [ENTRIES - 1:0] ENTRY_0 = 1;
    localparam [ENTRIES - 1:0] NONE    = 0;
    wire take, record_valid, open_valid;
    wire [ENTRY_WIDTH - 1:0] record_entry, open_entry;
    reg  initialised_q = 1'b0;

    wire [`MOEHUB_RECORD_WIDTH - 1:0] record;
    assign record_entry = record[`MOEHUB_RECORD_ENTRY_LSB +: ENTRY_WIDTH];

    moehub_reduction_reserve #(
        .ENTRIES(ENTRIES), .PORTS(PORTS), .PAYLOAD_BYTES(4), .MAX_CONTRIBUTORS(1), .WITH_FP32(0), .GENERATION_WIDTH(1),
        .TAG_WIDTH(1)
    ) u_reserve (
        .clk(clk), .rst(rst), .initialised(initialised_q), .hold(hold), .draining(draining), .own_port({$clog2(PORTS){1'b0}}),
        .reserve_valid(reserve_valid), .reserve_ready(), .reserve_requester(10'd0), .reserve_tag(1'b0),
        .reserve_element(reserve_element), .reserve_out_fp32(1'b0), .reserve_length(9'd2),
        .reserve_contributors(reserve_contributors), .grant_valid(), .grant_ready(grant_ready), .grant_status(), .grant_entry(),
        .grant_generation(), .head_entry(head_entry), .head_generation(1'b0), .take(take), .freed_valid(freed_valid),
        .record_valid(record_valid), .record(record), .refused_valid(), .refused_error(),
        .open_valid(open_valid), .open_entry(open_entry), .occupancy(), .empty()
    );

    reg [ENTRIES - 1:0] out_q      = NONE; // taken from the free list
    reg [ENTRIES - 1:0] recorded_q = NONE;
    reg [ENTRIES - 1:0] before_q   = NONE; // recorded in an earlier cycle
    reg [ENTRIES - 1:0] open_q     = NONE;
    wire [ENTRIES - 1:0] takes   = take ? ENTRY_0 << head_entry : NONE;
    wire [ENTRIES - 1:0] records = record_valid ? ENTRY_0 << record_entry : NONE;
    wire [ENTRIES - 1:0] opens   = open_valid ? ENTRY_0 << open_entry : NONE;
    wire [ENTRIES - 1:0] frees   = freed_valid ? ENTRY_0 << freed_entry : NONE;
    always @* begin
        assume (head_entry < ENTRIES && freed_entry < ENTRIES);
        assume (!take || !out_q[head_entry] || rst || !started_q);
        assume (!freed_valid || (open_q[freed_entry] && !rst));
    end
    always @(posedge clk) begin
        initialised_q <= 1'b1;
        out_q      <= (out_q | takes) & ~frees;
        recorded_q <= (recorded_q | records) & ~opens;
        before_q   <= recorded_q & ~opens;
        open_q     <= (open_q | opens) & ~frees;
        if (rst) begin
            initialised_q <= 1'b0;
            out_q         <= NONE;
            recorded_q    <= NONE;
            before_q      <= NONE;
            open_q        <= NONE;
        end
    end

    wire running = started_q && !rst && !reset_q;
    always @* begin
        opens_recorded: assert (!running || ((records & ~out_q) == NONE && (records & (recorded_q | open_q)) == NONE
                            && (opens & ~before_q) == NONE && (opens & open_q) == NONE));
    end
    always @* begin
        opened: cover (running && &open_q);
    end
endmodule
`default_nettype wire
