// SPDX-License-Identifier: Apache-2.0
// moehub_reduction_reserve: a group that is taken is recorded once and opened once, in this order, two cycles apart at least,
// with the same lines: what the check and the free list rely on. Groups come from a free list that
// gives none twice and come back once open.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"
module formal_reduction_reserve_open #(
    parameter ENTRIES       = 1,
    parameter REQUEST_LINES = 1, // 1, 2
    parameter PORTS         = 2
) (
    input wire               clk,
    input wire               rst,
    input wire               hold,
    input wire               draining,
    input wire               reserve_valid,
    input wire [1:0]         reserve_element,
    input wire               reserve_lines_less_1,
    input wire [PORTS - 1:0] reserve_contributors,
    input wire               grant_ready,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] head_group,
    input wire               freed_valid,
    input wire [(ENTRIES / REQUEST_LINES > 1 ? $clog2(ENTRIES / REQUEST_LINES) : 1) - 1:0] freed_group
);
`include "formal_reset.vh"
    localparam GROUPS      = ENTRIES / REQUEST_LINES;
    localparam GROUP_WIDTH = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam [GROUPS - 1:0] GROUP_0 = 1;
    localparam [GROUPS - 1:0] NONE    = 0;
    wire take, record_valid, granted_valid, open_valid;
    wire [GROUP_WIDTH - 1:0] record_group, granted_group, open_group;
    wire [2:0] granted_lines, open_lines;
    reg  initialised_q = 1'b0;

    wire [`MOEHUB_RECORD_WIDTH - 1:0] record;
    assign record_group = record[`MOEHUB_RECORD_GROUP_LSB +: GROUP_WIDTH];

    moehub_reduction_reserve #(
        .ENTRIES(ENTRIES), .REQUEST_LINES(REQUEST_LINES), .PORTS(PORTS), .PAYLOAD_BYTES(4), .MAX_CONTRIBUTORS(1),
        .WITH_FP32(0), .GENERATION_WIDTH(1), .TAG_WIDTH(1)
    ) u_reserve (
        .clk(clk), .rst(rst), .initialised(initialised_q), .hold(hold), .draining(draining), .own_port({$clog2(PORTS){1'b0}}),
        .reserve_valid(reserve_valid), .reserve_ready(), .reserve_requester(10'd0), .reserve_tag(1'b0),
        .reserve_element(reserve_element), .reserve_out_fp32(1'b0), .reserve_lines_less_1(reserve_lines_less_1),
        .reserve_length(9'd2),
        .reserve_contributors(reserve_contributors), .grant_valid(), .grant_ready(grant_ready), .grant_status(), .grant_entry(),
        .grant_generation(), .head_group(head_group), .head_generation(1'b0), .take(take), .freed_valid(freed_valid),
        .record_valid(record_valid), .record(record), .refused_valid(), .refused_error(),
        .open_valid(open_valid), .open_group(open_group), .open_lines_less_1(open_lines),
        .granted_valid(granted_valid), .granted_group(granted_group), .granted_lines_less_1(granted_lines), .occupancy(), .empty()
    );

    reg [GROUPS - 1:0] out_q      = NONE; // taken from the free list
    reg [GROUPS - 1:0] recorded_q = NONE;
    reg [GROUPS - 1:0] before_q   = NONE; // recorded in an earlier cycle
    reg [GROUPS - 1:0] open_q     = NONE;
    reg [GROUPS - 1:0] two_q;             // two lines were asked
    reg                granted_q = 1'b0;  // in the cycle before
    reg [GROUP_WIDTH - 1:0] granted_group_q;
    wire [GROUPS - 1:0] takes   = take ? GROUP_0 << head_group : NONE;
    wire [GROUPS - 1:0] records = record_valid ? GROUP_0 << record_group : NONE;
    wire [GROUPS - 1:0] opens   = open_valid ? GROUP_0 << open_group : NONE;
    wire [GROUPS - 1:0] frees   = freed_valid ? GROUP_0 << freed_group : NONE;
    always @* begin
        assume (head_group < GROUPS && freed_group < GROUPS);
        assume (!take || !out_q[head_group] || rst || !started_q);
        assume (!freed_valid || (open_q[freed_group] && !rst));
    end
    always @(posedge clk) begin
        initialised_q <= 1'b1;
        out_q      <= (out_q | takes) & ~frees;
        recorded_q <= (recorded_q | records) & ~opens;
        before_q   <= recorded_q & ~opens;
        open_q     <= (open_q | opens) & ~frees;
        granted_q  <= granted_valid;
        granted_group_q <= granted_group;
        if (record_valid) two_q[record_group] <= record[`MOEHUB_RECORD_LINES_LSB];
        if (rst) begin
            initialised_q <= 1'b0;
            out_q         <= NONE;
            recorded_q    <= NONE;
            before_q      <= NONE;
            open_q        <= NONE;
            granted_q     <= 1'b0;
        end
    end

    wire running = started_q && !rst && !reset_q;
    always @* begin
        opens_recorded: assert (!running || ((records & ~out_q) == NONE && (records & (recorded_q | open_q)) == NONE
                            && (opens & ~before_q) == NONE && (opens & open_q) == NONE));
        opens_lines: assert (!running || (open_valid == granted_q && (!open_valid || open_group == granted_group_q)
                            && (!open_valid || open_lines == {2'd0, two_q[open_group]})
                            && (!granted_valid || granted_lines == {2'd0, two_q[granted_group]})));
    end
    always @* begin
        opened: cover (running && &open_q);
        opened_two: cover (running && open_valid && open_lines == 3'd1);
    end
endmodule
`default_nettype wire
