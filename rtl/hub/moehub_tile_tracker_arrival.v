// SPDX-License-Identifier: Apache-2.0
// Purpose: pairs of each peer: how many were handled, how many it announced, and who is complete.
// Contract:
//   1. One operation a cycle, in order; each sees the ones before it. What each does: doc/hub/tile_tracker.md section 5.
//   2. What an operation tells (fault, get, events) leaves seven cycles after operation_valid; `complete` is set a cycle later.
//   3. complete: bit g of a context's GPUS bits, peer g has closed and all its pairs were handled.
//   4. While walking, word `walk` is cleared in each cycle, and no operation enters.
// How: seven stages, so that a completed record leaves this pipeline beside the tiles':
//   1: it waits   2: the address   3: the word is read   4: what was read, or what the operations two and three ahead made of it
//   5: its new value; the operation one ahead is forwarded   6: it is written; are the counts equal?   7: it is told
// Cost: one operation a cycle, latency 7; CONTEXTS * GPUS words of 65 bits and as many flops.
// Limits: context is below CONTEXTS, peer below GPUS.
// Proved: formal/hub/formal_tile_tracker_arrival.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"

module moehub_tile_tracker_arrival #(
    parameter CONTEXTS = 4,
    parameter GPUS     = 8
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire                                     walking,
    input  wire [16:0]                              walk,
    input  wire                                     operation_valid,
    input  wire [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] operation,
    output wire [CONTEXTS * GPUS - 1:0]             complete,
    output wire                                     handled, // events
    output wire                                     closed,
    output wire                                     fault_valid,
    output wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault,
    output wire                                     get_valid,
    output wire [`MOEHUB_ARRIVED_WIDTH - 1:0]       arrival,  // of get
    output wire                                     get_complete
);
    localparam PEERS      = CONTEXTS * GPUS;
    localparam PEER_WIDTH = `MOEHUB_INDEX_WIDTH(PEERS);
    localparam [31:0] GPUS_32  = GPUS;
    localparam [31:0] PEERS_32 = PEERS;

    // ---- stage 1: it waits; stage 2: the address; stage 3: the word is read --------------------------------------------
    reg                    s1_valid_q;
    reg                    s2_valid_q;
    reg                    s3_valid_q;
    reg                    s4_valid_q;
    reg                    s5_valid_q;
    reg                    s6_valid_q;
    reg [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] s1_operation_q;
    reg [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] s2_operation_q;
    reg [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] s3_operation_q;
    reg [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] s4_operation_q;
    reg [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] s5_operation_q;
    wire [1:0]  s1_kind;
    wire [2:0]  s1_context;
    wire [5:0]  s1_peer;
    wire [31:0] s1_count;
    assign `MOEHUB_ARRIVAL_OPERATION(s1_kind, s1_context, s1_peer, s1_count) = s1_operation_q;

    reg [PEER_WIDTH - 1:0] s2_entry_q;
    reg [PEER_WIDTH - 1:0] s3_entry_q;
    reg [PEER_WIDTH - 1:0] s4_entry_q;
    reg [PEER_WIDTH - 1:0] s5_entry_q;
    reg [PEER_WIDTH - 1:0] s6_entry_q;
    reg [PEER_WIDTH - 1:0] s7_entry_q;
    reg                    s4_same_1_q; // the same peer as that of the operation one ahead
    reg                    s4_same_2_q; // ... two ahead
    reg                    s4_same_3_q; // ... three ahead: it was written as this one was read
    reg                    s5_same_1_q;
    wire [31:0]            s1_entry = {29'd0, s1_context} * GPUS_32 + {26'd0, s1_peer};
    always @(posedge clk) begin
        s1_valid_q     <= operation_valid;
        s2_valid_q     <= s1_valid_q;
        s3_valid_q     <= s2_valid_q;
        s4_valid_q     <= s3_valid_q;
        s5_valid_q     <= s4_valid_q;
        s6_valid_q     <= s5_valid_q;
        s1_operation_q <= operation;
        s2_operation_q <= s1_operation_q;
        s3_operation_q <= s2_operation_q;
        s4_operation_q <= s3_operation_q;
        s5_operation_q <= s4_operation_q;
        s2_entry_q     <= s1_entry[PEER_WIDTH - 1:0];
        s3_entry_q     <= s2_entry_q;
        s4_entry_q     <= s3_entry_q;
        s5_entry_q     <= s4_entry_q;
        s6_entry_q     <= s5_entry_q;
        s7_entry_q     <= s6_entry_q;
        s4_same_1_q    <= s4_valid_q && s4_entry_q == s3_entry_q;
        s4_same_2_q    <= s5_valid_q && s5_entry_q == s3_entry_q;
        s4_same_3_q    <= s6_valid_q && s6_entry_q == s3_entry_q;
        s5_same_1_q    <= s4_same_1_q;
        if (rst) begin
            s1_valid_q <= 1'b0;
            s2_valid_q <= 1'b0;
            s3_valid_q <= 1'b0;
            s4_valid_q <= 1'b0;
            s5_valid_q <= 1'b0;
            s6_valid_q <= 1'b0;
        end
    end

    reg  [`MOEHUB_ARRIVED_WIDTH - 1:0] s6_new_q;
    reg  [`MOEHUB_ARRIVED_WIDTH - 1:0] s7_new_q;
    wire [`MOEHUB_ARRIVED_WIDTH - 1:0] rdata;
    wire                               unused_parity;
    moehub_memory_1r1w #(.WIDTH(`MOEHUB_ARRIVED_WIDTH), .DEPTH(PEERS)) u_arrivals (
        .clk(clk), .write_enable(walking ? {15'd0, walk} < PEERS_32 : s6_valid_q),
        .write_address(walking ? walk[PEER_WIDTH - 1:0] : s6_entry_q),
        .write_data(walking ? {`MOEHUB_ARRIVED_WIDTH{1'b0}} : s6_new_q),
        .read_enable(s3_valid_q && !rst), .read_address(s3_entry_q), .read_data(rdata), .parity_error(unused_parity)
    );

    // ---- stage 4: the peer as it is, but for what the operation one ahead does to it -----------------------------------
    reg  [`MOEHUB_ARRIVED_WIDTH - 1:0] s5_old_q;
    always @(posedge clk) begin
        s5_old_q <= s4_same_2_q ? s6_new_q : s4_same_3_q ? s7_new_q : rdata;
    end

    // ---- stage 5: the new value ----------------------------------------------------------------------------------------
    wire [1:0]  kind;
    wire [2:0]  named_context;
    wire [5:0]  peer;
    wire [31:0] count;
    wire [31:0] old_handled;
    wire [31:0] old_announced;
    wire        old_closed;
    assign `MOEHUB_ARRIVAL_OPERATION(kind, named_context, peer, count) = s5_operation_q;
    assign `MOEHUB_ARRIVED(old_handled, old_announced, old_closed) = s5_same_1_q ? s6_new_q : s5_old_q;

    wire        is_handled  = kind == 2'd`MOEHUB_ARRIVAL_HANDLED;
    wire        is_close    = kind == 2'd`MOEHUB_ARRIVAL_CLOSE;
    wire        is_clear    = kind == 2'd`MOEHUB_ARRIVAL_CLEAR;
    wire        twice       = is_close && old_closed;
    wire        announces   = is_close && !old_closed;
    wire [31:0] new_handled   = is_clear ? 32'd0 : is_handled ? old_handled + count : old_handled;
    wire [31:0] new_announced = is_clear ? 32'd0 : announces ? count : old_announced;
    wire        new_closed    = !is_clear && (old_closed || is_close);

    // ---- stage 6: write; the counts --------------------------------------------------------------------------------------
    reg [1:0]   s6_kind_q;
    reg [2:0]   s6_context_q;
    reg [5:0]   s6_peer_q;
    reg         s6_counts_q;
    reg         s6_twice_q;
    wire [31:0] s6_handled;
    wire [31:0] s6_announced;
    wire        unused_closed;
    assign `MOEHUB_ARRIVED(s6_handled, s6_announced, unused_closed) = s6_new_q;
    wire        s6_excess   = s6_counts_q && s6_handled > s6_announced;
    wire        s6_complete = s6_counts_q && s6_handled >= s6_announced;

    // ---- stage 7: tell ---------------------------------------------------------------------------------------------------
    reg         s7_valid_q;
    reg [1:0]   s7_kind_q;
    reg [2:0]   s7_context_q;
    reg [5:0]   s7_peer_q;
    reg         s7_complete_q;
    reg         s7_twice_q;
    reg         s7_fault_q;
    reg [PEERS - 1:0] complete_q;
    always @(posedge clk) begin
        s6_kind_q     <= kind;
        s6_context_q  <= named_context;
        s6_peer_q     <= peer;
        s6_new_q      <= `MOEHUB_ARRIVED(new_handled, new_announced, new_closed);
        s6_counts_q   <= (is_handled || announces) && new_closed;
        s6_twice_q    <= twice;
        s7_valid_q    <= s6_valid_q;
        s7_kind_q     <= s6_kind_q;
        s7_context_q  <= s6_context_q;
        s7_peer_q     <= s6_peer_q;
        s7_new_q      <= s6_new_q;
        s7_complete_q <= s6_complete;
        s7_twice_q    <= s6_twice_q;
        s7_fault_q    <= s6_valid_q && (s6_twice_q || s6_excess);
        if (s7_valid_q && s7_complete_q) complete_q[s7_entry_q] <= 1'b1;
        if (s7_valid_q && s7_kind_q == 2'd`MOEHUB_ARRIVAL_CLEAR) complete_q[s7_entry_q] <= 1'b0;
        if (rst) begin
            s7_valid_q <= 1'b0;
            s7_fault_q <= 1'b0;
            complete_q <= {PEERS{1'b0}};
        end
    end
    wire [4:0] s7_cause = s7_twice_q ? 5'd`MOEHUB_TILE_TRACKER_CAUSE_CLOSE : 5'd`MOEHUB_TILE_TRACKER_CAUSE_EXCESS;

    assign complete     = complete_q;
    assign handled      = s7_valid_q && s7_kind_q == 2'd`MOEHUB_ARRIVAL_HANDLED;
    assign closed       = s7_valid_q && s7_kind_q == 2'd`MOEHUB_ARRIVAL_CLOSE;
    assign fault_valid  = s7_fault_q;
    assign fault        = `MOEHUB_TRACKER_ERROR(s7_cause, 1'b1, s7_context_q, s7_peer_q, 32'd0, 16'd0);
    assign get_valid    = s7_valid_q && s7_kind_q == 2'd`MOEHUB_ARRIVAL_GET;
    assign arrival      = s7_new_q;
    assign get_complete = complete_q[s7_entry_q];

    wire unused = &{1'b0, s1_entry, s1_kind, s1_count, walk};
endmodule

`default_nettype wire
