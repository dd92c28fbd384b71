// SPDX-License-Identifier: Apache-2.0
// Purpose: rows that have nothing left to send: what was sent of each is added to its targets' GPUs (doc/hub/packet_manager.md
//   section 7).
// Contract:
//   1. may: entries that may leave, a register of the user's. One that may as it is picked and three cycles later does, in the
//      cycle after that: leave; gone: it is free. One after the other; entry is a register.
//   2. add_valid: add_count more packets for GPU add_gpu of add_context; never refused, at most one a cycle; for each id of the
//      list, remote ones first.
// Cost: an id a cycle, three more cycles a flit, ten a row.
// Proved: formal/hub/formal_packet_manager_leave.v
`default_nettype none
`include "moehub_width.vh"

module moehub_packet_manager_leave #(
    parameter LOCAL_EXPERT_BITS = 8, // 0..8
    parameter ROWS              = 32 // 1..64
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire [ROWS - 1:0]                      may,
    input  wire [3 * ROWS - 1:0]                  contexts,
    output wire                                   leave,
    output wire [`MOEHUB_INDEX_WIDTH(ROWS) - 1:0] entry,
    output wire                                   gone,
    input  wire                                   gone_ready,
    // counts of the entry
    output wire                                   counts_valid,
    input  wire                                   counts_ready,
    input  wire [33:0]                            counts_sent,
    input  wire [11:0]                            counts_targets,
    // its list
    output wire                                   list_valid,
    input  wire                                   list_ready,
    output wire [2:0]                             list_number,
    input  wire [127:0]                           list_flit,
    // pairs
    output wire                                   add_valid,
    output wire [2:0]                             add_context,
    output wire [5:0]                             add_gpu,
    output wire [16:0]                            add_count
);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(ROWS);
    localparam [2:0] IDLE   = 3'd0;
    localparam [2:0] COUNTS = 3'd1; // asks for them
    localparam [2:0] KNOWN  = 3'd2; // they are there
    localparam [2:0] FLIT   = 3'd3; // asks for one
    localparam [2:0] DATA   = 3'd4; // it is there
    localparam [2:0] IDS    = 3'd5;
    localparam [2:0] FREE   = 3'd6;
    localparam [2:0] WAIT   = 3'd7; // one was picked: what was under way to its lines as it became aborted is counted

    reg [2:0]               state_q;
    reg [ENTRY_WIDTH - 1:0] entry_q;
    reg [2:0]               context_q;
    reg [16:0]              sent_up_q;
    reg [16:0]              sent_loop_q;
    reg [5:0]               remotes_q; // not added up yet
    reg [5:0]               owns_q;
    reg [127:0]             flit_q;
    reg [1:0]               number_q;  // of the flit of its kind
    reg [2:0]               left_q;    // ids of the flit, less one
    reg [1:0]               waited_q;
    reg                     may_q;     // of the one that was picked

    wire             some;
    wire [ROWS - 1:0] unused_grant;
    wire [ENTRY_WIDTH - 1:0] pick;
    moehub_arbiter #(.PORTS(ROWS)) u_turn (
        .clk(clk), .rst(rst), .request(may), .advance(state_q == IDLE), .grant_valid(some), .grant(unused_grant),
        .grant_index(pick)
    );

    wire        of_own = remotes_q == 6'd0;
    wire [5:0]  rest   = of_own ? owns_q : remotes_q;
    wire [15:0] gpu    = flit_q[15:0] >> LOCAL_EXPERT_BITS;
    assign leave        = state_q == WAIT && waited_q == 2'd3 && may_q;
    assign entry        = entry_q;
    assign gone         = state_q == FREE && gone_ready;
    assign counts_valid = state_q == COUNTS;
    assign list_valid   = state_q == FLIT && rest != 6'd0;
    assign list_number  = {of_own, number_q};
    assign add_valid    = state_q == IDS;
    assign add_context  = context_q;
    assign add_gpu      = gpu[5:0];
    assign add_count    = of_own ? sent_loop_q : sent_up_q;

    always @(posedge clk) begin
        may_q <= may[entry_q];
        case (state_q)
            IDLE: if (some) begin
                state_q  <= WAIT;
                entry_q  <= pick;
                waited_q <= 2'd0;
            end
            WAIT: begin
                waited_q  <= waited_q + 2'd1;
                context_q <= contexts[entry_q * 3 +: 3];
                if (waited_q == 2'd3) state_q <= may_q ? COUNTS : IDLE;
            end
            COUNTS: if (counts_ready) state_q <= KNOWN;
            KNOWN: begin
                {sent_loop_q, sent_up_q} <= counts_sent;
                {owns_q, remotes_q}      <= counts_targets;
                number_q <= 2'd0;
                state_q  <= FLIT;
            end
            FLIT: if (rest == 6'd0) state_q <= FREE;
                else if (list_ready) state_q <= DATA;
            DATA: begin
                flit_q  <= list_flit;
                left_q  <= rest > 6'd7 ? 3'd7 : rest[2:0] - 3'd1;
                state_q <= IDS;
            end
            IDS: begin
                flit_q <= {16'd0, flit_q[127:16]};
                left_q <= left_q - 3'd1;
                if (of_own) owns_q <= owns_q - 6'd1;
                else remotes_q <= remotes_q - 6'd1;
                if (left_q == 3'd0) begin
                    state_q  <= FLIT;
                    number_q <= rest == 6'd1 ? 2'd0 : number_q + 2'd1;
                end
            end
            default: if (gone_ready) state_q <= IDLE;
        endcase
        if (rst) state_q <= IDLE;
    end
    wire unused = &{1'b0, gpu[15:6]};
endmodule

`default_nettype wire
