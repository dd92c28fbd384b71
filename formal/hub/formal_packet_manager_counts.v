// SPDX-License-Identifier: Apache-2.0
// moehub_packet_manager_counts: one entry. Its targets are those that it was opened with, its packets those that were locked,
// from its opening on, or from any count that was once shown.
`default_nettype none
`include "moehub_width.vh"
module formal_packet_manager_counts #(
    parameter ROWS = 2
) (
    input wire                                   clk,
    input wire                                   rst,
    input wire                                   look_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] look_entry,
    input wire                                   look_kind,
    input wire                                   lock,
    input wire                                   lock_kind,
    input wire                                   open,
    input wire [5:0]                             open_remotes,
    input wire [5:0]                             open_owns,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] entry,
    input wire                                   counts_valid,
    input wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] counts_entry
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    wire [5:0]  look_count;
    wire        counts_ready;
    wire [33:0] counts_sent;
    wire [11:0] counts_targets;
    moehub_packet_manager_counts #(.ROWS(ROWS)) u_counts (
        .clk(clk), .rst(rst), .look_valid(look_valid), .look_entry(look_entry), .look_kind(look_kind), .look_count(look_count),
        .lock(lock), .lock_kind(lock_kind), .open(open), .open_remotes(open_remotes), .open_owns(open_owns), .entry(entry),
        .counts_valid(counts_valid), .counts_ready(counts_ready), .counts_entry(counts_entry), .counts_sent(counts_sent),
        .counts_targets(counts_targets)
    );

    (* anyconst *) wire [ENTRY_WIDTH - 1:0] its_entry;
    wire opens = open && entry == its_entry;
    wire locks = lock && entry == its_entry;
    wire shows = counts_valid && counts_ready && counts_entry == its_entry;
    always @* begin
        assume (its_entry < ROWS);
        assume (!(open && lock));
        assume (!(open || lock) || entry < ROWS);
        assume (!look_valid || look_entry < ROWS);
        assume (!counts_valid || counts_entry < ROWS);
    end

    // ---- targets -----------------------------------------------------------------------------------------------------------
    reg       opened_q = 1'b0;
    reg [5:0] remotes_q;
    reg [5:0] owns_q;
    reg       looked_q = 1'b0; // in the cycle before
    reg       shown_q  = 1'b0;
    reg [5:0] remotes_then_q;
    reg [5:0] owns_then_q;
    always @(posedge clk) begin
        if (opens) begin
            opened_q  <= 1'b1;
            remotes_q <= open_remotes;
            owns_q    <= open_owns;
        end
        looked_q       <= opened_q && !rst && look_valid && look_entry == its_entry;
        shown_q        <= opened_q && !rst && shows;
        remotes_then_q <= remotes_q;
        owns_then_q    <= owns_q;
        if (rst) opened_q <= 1'b0;
    end

    // ---- packets that were locked three cycles before or earlier: known since its opening, or since they were shown ----------
    reg        open_1_q = 1'b0; // a cycle ago
    reg        open_2_q = 1'b0;
    reg        lock_1_q = 1'b0;
    reg        lock_2_q = 1'b0;
    reg        kind_1_q;
    reg        kind_2_q;
    reg        known_q  = 1'b0;
    reg [16:0] ups_q;
    reg [16:0] loops_q;
    reg [16:0] ups_then_q;
    reg [16:0] loops_then_q;
    reg        sent_shown_q = 1'b0; // in the cycle before, and what it must be is known
    reg        any_shown_q  = 1'b0;
    reg        followed_q   = 1'b0; // two locks in two cycles that follow each other
    reg        spaced_q     = 1'b0; // ... one two cycles behind the other
    wire       pending = open_1_q || open_2_q || lock_1_q || lock_2_q;
    always @(posedge clk) begin
        open_1_q <= opens && !rst;
        open_2_q <= open_1_q && !rst;
        lock_1_q <= locks && !rst;
        lock_2_q <= lock_1_q && !rst;
        kind_1_q <= lock_kind;
        kind_2_q <= kind_1_q;
        if (open_2_q) begin
            known_q <= 1'b1;
            ups_q   <= 17'd0;
            loops_q <= 17'd0;
        end else if (any_shown_q && !known_q) begin
            known_q <= 1'b1;
            ups_q   <= counts_sent[16:0];
            loops_q <= counts_sent[33:17];
        end else if (lock_2_q) begin
            if (kind_2_q) loops_q <= loops_q + 17'd1;
            else ups_q <= ups_q + 17'd1;
        end
        ups_then_q   <= ups_q;
        loops_then_q <= loops_q;
        sent_shown_q <= shows && known_q && !rst;
        any_shown_q  <= shows && !pending && !rst;
        followed_q   <= !rst && (followed_q || (locks && lock_1_q));
        spaced_q     <= !rst && (spaced_q || (locks && lock_2_q));
        if (rst) known_q <= 1'b0;
    end

    always @* if (started_q) begin
        its_targets: assert (!looked_q || look_count == (look_kind ? owns_then_q : remotes_then_q));
        targets:     assert (!shown_q || counts_targets == {owns_then_q, remotes_then_q});
        sent:        assert (!sent_shown_q || counts_sent == {loops_then_q, ups_then_q});
        shows_then:  assert (counts_ready || look_valid || lock);
    end
    always @* begin
        looks:  cover (started_q && looked_q && look_kind && owns_then_q != remotes_then_q);
        counts: cover (started_q && sent_shown_q && shown_q && followed_q && spaced_q && ups_then_q == 17'd3);
        much:   cover (started_q && sent_shown_q && loops_then_q[16]);
    end
endmodule
`default_nettype wire
