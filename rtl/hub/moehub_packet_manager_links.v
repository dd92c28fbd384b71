// SPDX-License-Identifier: Apache-2.0
// Purpose: which link a row gets: of those that are up the one with the least load (doc/hub/packet_manager.md section 3).
// Contract:
//   1. link: of the links with link_up (none: of all) the one with the least load; of several the next after the last chosen.
//      Loads as they were two cycles before, link_up a cycle.
//   2. choose: the row on it, of `size` bytes, opens; the link's load rises. free_valid: that of free_link falls by free_size.
//      None opens in the cycle after a reset.
// Cost: a counter of 23 bits a link, and comparisons of each two links.
// Proved: formal/hub/formal_packet_manager_links.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_links #(
    parameter LINKS        = 1, // 1..4
    parameter OFFSET_WIDTH = 14 // 7..16
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [LINKS - 1:0]    link_up,
    output wire [1:0]            link,
    input  wire                  choose,
    input  wire [OFFSET_WIDTH:0] size,
    input  wire                  free_valid,
    input  wire [1:0]            free_link,
    input  wire [OFFSET_WIDTH:0] free_size
);
    localparam LOAD_WIDTH = OFFSET_WIDTH + 7; // 64 rows of at most 2^OFFSET_WIDTH bytes

    reg  [LINKS - 1:0]              least_q;
    wire [LINKS - 1:0]              may = link_up == {LINKS{1'b0}} ? {LINKS{1'b1}} : link_up;
    wire [LINKS - 1:0]              least;
    wire [LINKS * LOAD_WIDTH - 1:0] loads;
    wire [LINKS - 1:0]              grant;
    wire                            unused_valid;
    wire [`MOEHUB_INDEX_WIDTH(LINKS) - 1:0] index;
    moehub_arbiter #(.PORTS(LINKS)) u_turn (
        .clk(clk), .rst(rst), .request(least_q), .advance(choose), .grant_valid(unused_valid), .grant(grant),
        .grant_index(index)
    );
    wire [2:0] index_wide = {{(3 - `MOEHUB_INDEX_WIDTH(LINKS)){1'b0}}, index};
    assign link = index_wide[1:0];
    wire unused = index_wide[2];

    reg [OFFSET_WIDTH:0] size_q;
    reg [OFFSET_WIDTH:0] free_size_q;
    always @(posedge clk) begin
        size_q      <= size;
        free_size_q <= free_size;
    end

    genvar l;
    genvar m;
    generate
        for (l = 0; l < LINKS; l = l + 1) begin : g_link
            localparam [1:0] NUMBER = l;
            reg                     choose_q; // this link
            reg                     free_q;
            reg  [LOAD_WIDTH - 1:0] load_q;
            wire [LINKS - 1:0]      beaten;
            wire [LOAD_WIDTH - 1:0] more = choose_q ? {6'd0, size_q} : {LOAD_WIDTH{1'b0}};
            wire [LOAD_WIDTH - 1:0] less = free_q ? {6'd0, free_size_q} : {LOAD_WIDTH{1'b0}};
            for (m = 0; m < LINKS; m = m + 1) begin : g_other
                assign beaten[m] = may[m] && loads[m * LOAD_WIDTH +: LOAD_WIDTH] < load_q;
            end
            assign loads[l * LOAD_WIDTH +: LOAD_WIDTH] = load_q;
            assign least[l] = may[l] && beaten == {LINKS{1'b0}};
            always @(posedge clk) begin
                choose_q <= choose && grant[l] && !rst;
                free_q   <= free_valid && free_link == NUMBER && !rst;
                load_q   <= load_q + more - less;
                if (rst) load_q <= {LOAD_WIDTH{1'b0}};
            end
        end
    endgenerate

    always @(posedge clk) begin
        least_q <= least;
        if (rst) least_q <= {LINKS{1'b0}};
    end
endmodule

`default_nettype wire
