// SPDX-License-Identifier: Apache-2.0
// Purpose: the sweeps of tokens and of peers: words 0 .. length - 1 of a context, each in a turn of its pipeline.
// Contract:
//   1. One sweep at a time, contexts in turn. ask: a word waits for its turn; it stays until take.
//   2. Of a context whose `expire` is high one sweep between two restarts.
//   3. CLEAR (clears) of clear_context while clear: cleared is a pulse when the last word is written.
//   4. While stop of a context is high its own sweep ends where it is, and none begins; sweeping: an operation of a sweep of that
//      context may still be in the pipeline.
// Cost: a word a turn. take ends in one flop: it comes late. number and ask are as of the turn before and that flop, so both
//   know of the turn at once.
// Proved: formal/hub/formal_tile_tracker_walk.v
`default_nettype none
`include "moehub_width.vh"

module moehub_tile_tracker_walk #(
    parameter CONTEXTS = 4
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire [CONTEXTS - 1:0]      expire,
    input  wire [CONTEXTS - 1:0]      stop,
    input  wire [CONTEXTS - 1:0]      restart,
    input  wire                       clear,
    input  wire [2:0]                 clear_context,
    input  wire [CONTEXTS * 17 - 1:0] lengths,
    output wire                       ask,
    input  wire                       take,
    output wire                       clears,
    output wire [2:0]                 named_context,
    output wire [16:0]                number,
    output wire                       cleared,
    output wire [CONTEXTS - 1:0]      sweeping
);
    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam [1:0] IDLE  = 2'd0;
    localparam [1:0] SWEEP = 2'd1;
    localparam [1:0] DRAIN = 2'd2;
    localparam [3:0] DRAINED = 4'd10; // turn, six stages, ring

    reg  [1:0]                 state_q;
    reg  [3:0]                 drain_q;
    reg                        clears_q;
    reg  [CONTEXT_WIDTH - 1:0] context_q;
    reg  [CONTEXTS - 1:0]      sweeping_q;
    reg                        took_q;    // a word had its turn in the last cycle: the next three do not know yet
    reg  [16:0]                number_q;
    reg                        some_q;    // words are left
    reg                        more_q;    // ... more than one
    reg  [16:0]                left_q;    // words from number_q on
    reg  [CONTEXTS - 1:0]      expired_q; // has begun
    reg                        cleared_q;

    wire                       idle          = state_q == IDLE;
    wire [7:0]                 one_hot_clear = 8'd1 << clear_context;
    wire [CONTEXTS - 1:0]      wants_clear   = one_hot_clear[CONTEXTS - 1:0] & {CONTEXTS{clear && !cleared_q}};
    wire [CONTEXTS - 1:0]      wants_expire  = expire & ~expired_q & ~stop & ~restart;
    wire                       begin_valid;
    wire [CONTEXTS - 1:0]      begin_grant;
    wire [CONTEXT_WIDTH - 1:0] begin_context;
    moehub_arbiter #(.PORTS(CONTEXTS)) u_turn (
        .clk(clk), .rst(rst), .request((wants_clear | wants_expire) & {CONTEXTS{idle}}), .advance(1'b1),
        .grant_valid(begin_valid), .grant(begin_grant), .grant_index(begin_context)
    );

    wire stopped = !clears_q && |(stop & sweeping_q);
    wire no_more = took_q ? !more_q : !some_q;
    wire [16:0] length = lengths[begin_context * 17 +: 17];

    assign ask      = state_q == SWEEP && !no_more && !stopped;
    assign clears   = clears_q;
    assign named_context  = {{3 - CONTEXT_WIDTH{1'b0}}, context_q};
    assign number   = number_q + {16'd0, took_q};
    assign cleared  = cleared_q;
    assign sweeping = sweeping_q;

    always @(posedge clk) begin
        cleared_q <= 1'b0;
        took_q    <= take;
        expired_q <= (expired_q | (begin_grant & ~wants_clear)) & ~restart;
        case (state_q)
            IDLE: if (begin_valid) begin
                state_q    <= SWEEP;
                clears_q   <= |(begin_grant & wants_clear);
                context_q  <= begin_context;
                sweeping_q <= begin_grant;
                number_q   <= 17'd0;
                left_q     <= length;
                some_q     <= length != 17'd0;
                more_q     <= length > 17'd1;
            end
            SWEEP: begin
                number_q <= number;
                if (took_q) begin
                    left_q <= left_q - 17'd1;
                    some_q <= more_q;
                    more_q <= left_q > 17'd2;
                end
                if (stopped || no_more) begin
                    state_q <= DRAIN;
                    drain_q <= 4'd0;
                end
            end
            default: begin
                drain_q <= drain_q + 4'd1;
                if (drain_q == DRAINED) begin
                    state_q    <= IDLE;
                    sweeping_q <= {CONTEXTS{1'b0}};
                    cleared_q  <= clears_q;
                end
            end
        endcase
        if (rst) begin
            state_q    <= IDLE;
            took_q     <= 1'b0;
            sweeping_q <= {CONTEXTS{1'b0}};
            expired_q  <= {CONTEXTS{1'b0}};
            cleared_q  <= 1'b0;
        end
    end

    wire unused = &{1'b0, one_hot_clear};
endmodule

`default_nettype wire
