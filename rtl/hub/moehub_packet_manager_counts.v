// SPDX-License-Identifier: Apache-2.0
// Purpose: packets sent of each kind, and how many targets of each kind, of each row entry (doc/hub/packet_manager.md section 3).
// Contract:
//   1. open: the entry begins with these targets, and no packet. lock: one packet more of lock_kind. Both of `entry`, never both
//      in a cycle.
//   2. look: look_count is, in the next cycle, the number of targets of the kind that look_kind names then.
//   3. counts: sent {loop, up} and targets {own, remote} of an entry are shown in the cycle after counts_ready. What was locked
//      three cycles before, or earlier, is counted.
// How: read, and two cycles later added to and written; what is written meanwhile is forwarded.
// Cost: one operation a cycle; ROWS x (34 + 12) memory bits.
// Proved: formal/hub/formal_packet_manager_counts.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_counts #(
    parameter ROWS = 32 // 1..64
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire                                   look_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] look_entry,
    input  wire                                   look_kind,
    output wire [5:0]                             look_count,
    input  wire                                   lock,
    input  wire                                   lock_kind,
    input  wire                                   open,
    input  wire [5:0]                             open_remotes,
    input  wire [5:0]                             open_owns,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] entry,
    input  wire                                   counts_valid,
    output wire                                   counts_ready,
    input  wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] counts_entry,
    output wire [33:0]                            counts_sent,
    output wire [11:0]                            counts_targets
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);

    wire [1:0]  unused_parity;
    wire [11:0] targets;
    wire [33:0] sent;
    assign counts_ready   = !look_valid && !lock;
    assign counts_sent    = sent;
    assign counts_targets = targets;
    assign look_count     = look_kind ? targets[11:6] : targets[5:0];

    reg                     s1_valid_q; // its count is read
    reg                     s1_open_q;
    reg                     s1_kind_q;
    reg [ENTRY_WIDTH - 1:0] s1_entry_q;
    reg                     s1_same_q;  // the one before is of the same entry
    reg                     s1_second_q; // ... the second before
    reg                     s2_valid_q; // it is added to
    reg                     s2_open_q;
    reg                     s2_kind_q;
    reg [ENTRY_WIDTH - 1:0] s2_entry_q;
    reg [33:0]              s2_sent_q;
    reg [33:0]              written_q;
    wire [33:0]             more   = {s2_sent_q[33:17] + {16'd0, s2_kind_q}, s2_sent_q[16:0] + {16'd0, !s2_kind_q}};
    wire [33:0]             write  = s2_open_q ? 34'd0 : more;

    moehub_memory_1r1w #(.WIDTH(12), .DEPTH(ROWS), .PARITY(0)) u_targets (
        .clk(clk), .write_enable(open), .write_address(entry), .write_data({open_owns, open_remotes}),
        .read_enable((look_valid || counts_valid) && !rst), .read_address(look_valid ? look_entry : counts_entry),
        .read_data(targets), .parity_error(unused_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(34), .DEPTH(ROWS), .PARITY(0)) u_sent (
        .clk(clk), .write_enable(s2_valid_q), .write_address(s2_entry_q), .write_data(write),
        .read_enable((lock || counts_valid) && !rst), .read_address(lock ? entry : counts_entry), .read_data(sent),
        .parity_error(unused_parity[1])
    );

    always @(posedge clk) begin
        s1_valid_q  <= lock || open;
        s1_open_q   <= open;
        s1_kind_q   <= lock_kind;
        s1_entry_q  <= entry;
        s1_same_q   <= s1_valid_q && s1_entry_q == entry;
        s1_second_q <= s2_valid_q && s2_entry_q == entry;
        s2_valid_q  <= s1_valid_q;
        s2_open_q   <= s1_open_q;
        s2_kind_q   <= s1_kind_q;
        s2_entry_q  <= s1_entry_q;
        s2_sent_q   <= s1_same_q ? write : s1_second_q ? written_q : sent;
        written_q   <= write;
        if (rst) begin
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
