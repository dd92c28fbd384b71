// SPDX-License-Identifier: Apache-2.0
// Purpose: fills on their way to their lines.
// Contract:
//   1. Fills are released in the order in which they came; at most PENDING are inside.
//   2. The oldest is offered (release_content and its entry, one-hot, at offered_entry) until a cycle without hold, which
//      releases it: release_now, and the entry at release_entry too. While none is offered, these two mean nothing.
// Cost: latency 3 with nothing in the way; memory PENDING x (entry + 2 + SLOT_WIDTH).
// Proved: formal/hub/formal_al_pending.v, with moehub_al_pending around it
`default_nettype none
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_al_fills #(
    parameter SLOT_WIDTH = 22,
    parameter PENDING    = 64,
    parameter PARITY     = 0
) (
    input  wire                                           clk,
    input  wire                                           rst,
    input  wire                                           fill_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PENDING) - 1:0]      fill_entry,
    input  wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] fill_content,
    input  wire                                           release_hold, // the line memory is written by another
    output wire                                           release_now,
    output wire [PENDING - 1:0]                           offered_entry,
    output wire [PENDING - 1:0]                           release_entry,
    output wire [`MOEHUB_CONTENT_WIDTH(SLOT_WIDTH) - 1:0] release_content,
    output wire                                           fills_parity
);

    localparam ENTRY_WIDTH   = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam CONTENT_WIDTH = `MOEHUB_CONTENT_WIDTH(SLOT_WIDTH);

    wire                                      queued_valid;
    wire [ENTRY_WIDTH - 1:0]                  queued_entry;
    wire [CONTENT_WIDTH - 1:0]                queued_content;
    wire [PENDING - 1:0]                      queued_onehot;
    reg                                       release_valid_q;
    reg  [PENDING - 1:0]                      release_entry_q; // one-hot
    reg  [CONTENT_WIDTH - 1:0]                release_content_q;

    wire release_free = !release_valid_q || release_now;
    wire release_load = queued_valid && release_free;
    assign release_now     = release_valid_q && !release_hold;
    assign offered_entry   = release_entry_q;
    assign release_entry   = release_entry_q & {PENDING{release_now}};
    assign release_content = release_content_q;

    wire unused_fills_empty;
    moehub_memory_fifo #(.WIDTH(ENTRY_WIDTH + CONTENT_WIDTH), .DEPTH(PENDING), .PARITY(PARITY)) u_fills (
        .clk(clk), .rst(rst), .in_valid(fill_valid), .in_data({fill_entry, fill_content}),
        .out_valid(queued_valid), .out_ready(release_free), .out_data({queued_entry, queued_content}), .empty(unused_fills_empty),
        .parity_error(fills_parity)
    );

    genvar e;
    generate
        for (e = 0; e < PENDING; e = e + 1) begin : g_entry
            localparam [31:0] NAME = e;
            assign queued_onehot[e] = queued_entry == NAME[ENTRY_WIDTH - 1:0];
        end
    endgenerate

    always @(posedge clk) begin
        release_valid_q <= release_load || (release_valid_q && !release_now);
        if (rst) release_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (release_load) begin
            release_entry_q   <= queued_onehot;
            release_content_q <= queued_content;
        end
    end
endmodule

`default_nettype wire
