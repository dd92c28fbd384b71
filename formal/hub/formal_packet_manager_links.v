// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_links: a row gets, of the links that are up, one with the least load, of several the next after the last
// that was chosen. Rows are freed that never opened, too, and loads wrap: so all their bits change soon.
`default_nettype none
module formal_packet_manager_links #(
    parameter LINKS        = 2,
    parameter OFFSET_WIDTH = 7
) (
    input wire                  clk,
    input wire                  rst,
    input wire [LINKS - 1:0]    link_up,
    input wire                  choose,
    input wire [OFFSET_WIDTH:0] size,
    input wire                  free_valid,
    input wire [1:0]            free_link,
    input wire [OFFSET_WIDTH:0] free_size
);
`include "formal_reset.vh"
    localparam LOAD_WIDTH = OFFSET_WIDTH + 7; // 64 rows of 2^OFFSET_WIDTH bytes

    wire [1:0] link;
    moehub_packet_manager_links #(.LINKS(LINKS), .OFFSET_WIDTH(OFFSET_WIDTH)) u_links (
        .clk(clk), .rst(rst), .link_up(link_up), .link(link), .choose(choose), .size(size), .free_valid(free_valid),
        .free_link(free_link), .free_size(free_size)
    );

    // ---- loads -------------------------------------------------------------------------------------------------------------
    reg  [LOAD_WIDTH - 1:0] load_q [0:LINKS - 1]; // as it was a cycle before; what came then:
    reg                     opened_q = 1'b0;
    reg  [1:0]              opened_link_q;
    reg  [OFFSET_WIDTH:0]   opened_size_q;
    reg                     freed_q = 1'b0;
    reg  [1:0]              freed_link_q;
    reg  [OFFSET_WIDTH:0]   freed_size_q;
    reg  [LOAD_WIDTH - 1:0] load [0:LINKS - 1];   // as it is
    reg  [LINKS - 1:0]      may;
    reg  [LINKS - 1:0]      least;
    reg  [LINKS - 1:0]      least_q = {LINKS{1'b0}};
    reg  [1:0]              last_q  = LINKS - 1;  // the link that was chosen last
    reg                     passed_over_q = 1'b0; // a link that is down has less load
    integer                 i;
    integer                 j;
    reg                     passed_over;
    always @* begin
        may         = link_up == {LINKS{1'b0}} ? {LINKS{1'b1}} : link_up;
        passed_over = 1'b0;
        for (i = 0; i < LINKS; i = i + 1) begin
            load[i] = load_q[i];
            if (opened_q && opened_link_q == i) load[i] = load[i] + opened_size_q;
            if (freed_q && freed_link_q == i) load[i] = load[i] - freed_size_q;
            least[i] = may[i];
            for (j = 0; j < LINKS; j = j + 1) begin
                if (load_q[j] < load_q[i] && may[j]) least[i] = 1'b0;
                if (load_q[j] < load_q[i] && may[i] && !may[j]) passed_over = 1'b1;
            end
        end
    end
    always @(posedge clk) begin
        opened_q      <= choose && !rst;
        opened_link_q <= link;
        opened_size_q <= size;
        freed_q       <= free_valid && !rst;
        freed_link_q  <= free_link;
        freed_size_q  <= free_size;
        least_q       <= least;
        passed_over_q <= passed_over;
        if (choose) last_q <= link;
        for (i = 0; i < LINKS; i = i + 1) load_q[i] <= rst ? {LOAD_WIDTH{1'b0}} : load[i];
        if (rst) last_q <= LINKS - 1;
    end
    always @* begin
        assume (!choose || !reset_q);
        assume (!free_valid || free_link < LINKS);
    end

    // How far behind the last one a link comes.
    (* anyconst *) wire [1:0] other;
    always @* assume (other < LINKS);
    wire [2:0] its_turn   = link > last_q ? link - last_q : link + LINKS - last_q;
    wire [2:0] other_turn = other > last_q ? other - last_q : other + LINKS - last_q;

    always @* if (started_q && !reset_q) begin
        is_link:    assert (link < LINKS);
        least_load: assert (least_q[link]);
        next_one:   assert (!least_q[other] || its_turn <= other_turn);
    end
    always @* begin
        turns: cover (started_q && !reset_q && choose && (&least_q) && last_q != LINKS - 1 && load_q[0] != 0);
        down:  cover (started_q && !reset_q && choose && passed_over_q && free_valid);
    end
endmodule
`default_nettype wire
