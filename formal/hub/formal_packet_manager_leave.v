// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_leave: a row leaves that may as it is picked and three cycles later, one after the other, each in its
// turn. What was sent of it is added once for each id of its list, remote ones first, in the order of the list, with no pauses
// but those for counts and flits. Lists and counts are any; of a flit one id is looked at.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_leave #(
    parameter LOCAL_EXPERT_BITS = 8,
    parameter ROWS              = 2
) (
    input wire                  clk,
    input wire                  rst,
    input wire [ROWS - 1:0]     may,
    input wire [3 * ROWS - 1:0] contexts,
    input wire                  gone_ready,
    input wire                  counts_ready,
    input wire [33:0]           counts_sent,
    input wire [11:0]           counts_targets,
    input wire                  list_ready,
    input wire [127:0]          list_flit
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam QUIET       = 4; // cycles between two of its ids, or before the first, in which nobody lets it wait
    localparam PICKED      = 5; // cycles from a pick to the next one, if that row does not leave

    wire                     leave;
    wire [ENTRY_WIDTH - 1:0] entry;
    wire                     gone;
    wire                     counts_valid;
    wire                     list_valid;
    wire [2:0]               list_number;
    wire                     add_valid;
    wire [2:0]               add_context;
    wire [5:0]               add_gpu;
    wire [16:0]              add_count;
    moehub_packet_manager_leave #(.LOCAL_EXPERT_BITS(LOCAL_EXPERT_BITS), .ROWS(ROWS)) u_leave (
        .clk(clk), .rst(rst), .may(may), .contexts(contexts), .leave(leave), .entry(entry), .gone(gone),
        .gone_ready(gone_ready), .counts_valid(counts_valid), .counts_ready(counts_ready), .counts_sent(counts_sent),
        .counts_targets(counts_targets), .list_valid(list_valid), .list_ready(list_ready), .list_number(list_number),
        .list_flit(list_flit), .add_valid(add_valid), .add_context(add_context), .add_gpu(add_gpu), .add_count(add_count)
    );

    // ---- whose turn it is --------------------------------------------------------------------------------------------------
    (* anyconst *) wire [ENTRY_WIDTH - 1:0] its_entry;
    always @* assume (its_entry < ROWS);
    reg  [3:0]               may_q     = 4'd0; // one to four cycles ago
    reg                      leaving_q = 1'b0; // a row is leaving
    reg  [ENTRY_WIDTH - 1:0] entry_q;
    reg  [2:0]               context_q;
    reg  [6:0]               waits_q   = 7'd0; // cycles in which it might have been picked
    always @(posedge clk) begin
        may_q     <= {may_q[2:0], may[its_entry]};
        leaving_q <= (leave || leaving_q) && !gone && !rst;
        if (leave) begin
            entry_q   <= entry;
            context_q <= contexts[entry * 3 +: 3];
        end
        if (rst || !may[its_entry] || (leave && entry == its_entry)) waits_q <= 7'd0;
        else if (!leaving_q && waits_q != 7'd127) waits_q <= waits_q + 7'd1;
    end

    // ---- ids that are not added up yet, and those of the flit that came last; one place of a flit --------------------------
    (* anyconst *) wire [2:0] its_place;
    reg         asked_q   = 1'b0; // counts come now
    reg         known_q   = 1'b0; // they came
    reg  [16:0] ups_q;
    reg  [16:0] loops_q;
    reg  [5:0]  remotes_q;
    reg  [5:0]  owns_q;
    reg  [5:0]  added_q;          // ids of this kind that are added up
    reg         read_q    = 1'b0; // a flit comes now
    reg  [3:0]  place_q   = 4'd8; // ids of the flit that are added up
    reg  [15:0] id_q;             // the one at the place
    reg  [2:0]  quiet_q   = 3'd0;
    wire        of_own    = remotes_q == 6'd0;
    wire        waits_for = (counts_valid && !counts_ready) || (list_valid && !list_ready) || !gone_ready;
    wire [15:0] gpu       = id_q >> LOCAL_EXPERT_BITS;
    always @(posedge clk) begin
        asked_q <= counts_valid && counts_ready && !rst;
        read_q  <= list_valid && list_ready && !rst;
        if (asked_q) begin
            known_q <= 1'b1;
            added_q <= 6'd0;
            {loops_q, ups_q}    <= counts_sent;
            {owns_q, remotes_q} <= counts_targets;
        end else if (add_valid) begin
            added_q <= remotes_q == 6'd1 ? 6'd0 : added_q + 6'd1;
            if (of_own) owns_q <= owns_q - 6'd1;
            else remotes_q <= remotes_q - 6'd1;
        end
        if (read_q) id_q <= list_flit[its_place * 16 +: 16];
        place_q <= read_q ? 4'd0 : place_q + (add_valid && place_q != 4'd8);
        quiet_q <= !leaving_q || add_valid ? 3'd0 : waits_for || quiet_q == 3'd7 ? quiet_q : quiet_q + 3'd1;
        if (rst || leave || gone) known_q <= 1'b0;
        if (rst) place_q <= 4'd8;
    end
    always @* assume (counts_targets[11:6] <= 6'd32 && counts_targets[5:0] <= 6'd32);
    always @* assume (counts_targets != 12'd0);

    always @* if (started_q) begin
        may_twice:   assert (!(leave && entry == its_entry) || (may_q[3] && may_q[0]));
        one_by_one:  assert (!(leave && leaving_q) && !(gone && !leaving_q));
        in_turn:     assert (waits_q <= PICKED * ROWS);
        same_entry:  assert (!leaving_q || entry == entry_q);
        all_added:   assert (!gone || (known_q && remotes_q == 6'd0 && owns_q == 6'd0));
        no_more:     assert (!add_valid || (known_q && (remotes_q != 6'd0 || owns_q != 6'd0)));
        its_flit:    assert (!list_valid || (known_q && list_number == {of_own, added_q[4:3]} && added_q[2:0] == 3'd0));
        in_flit:     assert (!add_valid || place_q != 4'd8);
        its_gpu:     assert (!(add_valid && place_q == its_place) || add_gpu == gpu[5:0]);
        its_packets: assert (!add_valid || add_count == (of_own ? loops_q : ups_q));
        its_context: assert (!add_valid || (leaving_q && add_context == context_q));
        waits_user:  assert (!gone || gone_ready);
        goes_on:     assert (quiet_q <= QUIET);
    end
    always @* begin
        leaves:      cover (started_q && gone && known_q && ups_q != loops_q);
        ninth:       cover (started_q && read_q && added_q == 6'd8 && of_own);
        own_id:      cover (started_q && add_valid && of_own && added_q == 6'd1 && place_q == its_place && gpu[5]);
        waited:      cover (started_q && waits_q == PICKED * ROWS);
        second:      cover (started_q && leave && entry == its_entry && !may[its_entry]);
    end
endmodule
`default_nettype wire
