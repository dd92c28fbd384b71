// SPDX-License-Identifier: Apache-2.0
// Purpose: checks the packets of a way against the state of their context: one a cycle (doc/hub/ingress.md section 3, step 1).
// Contract:
//   1. Bit 0 of valid is the store asker's, 1 the request asker's, 2 the response reader's. A bit stands, and its check and
//      header with it, until its taken; the lowest is chosen first.
//   2. With taken, two cycles after the choice, passed, counted and cause tell of that packet: the first of CONTEXT, PEER,
//      ROUND, OWNER, ARRIVED that applied in the cycle before. counted: it is a peer's packet of this round, refused all
//      the same.
//   3. In the cycle after taken: causes has a pulse for a packet that did not pass; error_* tells of it; failed, of a context,
//      for a packet that flags it. A request flags none.
// How: choose, look at the context, tell: a cycle each. A context that is not there has no peers, and is not enabled.
// Cost: a check a cycle, each asker one in three cycles; 210 flops and two a context.
// Proved: formal/hub/formal_way_check.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
`include "moehub_width.vh"

module moehub_way_check #(
    parameter GPUS     = 8, // 2..64
    parameter CONTEXTS = 4  // 1..8
) (
    input  wire                                       clk,
    input  wire                                       rst,
    input  wire [CONTEXTS - 1:0]                      enabled,
    input  wire [CONTEXTS - 1:0]                      has_arrived,
    input  wire [CONTEXTS * 4 - 1:0]                  rounds,
    input  wire [CONTEXTS * 5 - 1:0]                  owner_shifts,
    input  wire [CONTEXTS * GPUS - 1:0]               peers,
    input  wire [2:0]                                 valid,
    input  wire [3 * `MOEHUB_WAY_CHECK_WIDTH - 1:0]   checks,
    input  wire [3 * 128 - 1:0]                       headers,
    output wire [2:0]                                 taken,
    output wire                                       passed,
    output wire                                       counted,
    output wire [4:0]                                 cause,
    output wire [`MOEHUB_HUB_WAY_CHECK_CAUSES - 1:0]  causes, // from CONTEXT on
    output wire                                       error_valid,
    output wire [4:0]                                 error_cause,
    output wire [127:0]                               error_header,
    output wire [CONTEXTS - 1:0]                      failed
);
    generate
        if (GPUS < 2 || GPUS > 64) GPUS_must_be_2_to_64 u_rule ();
        if (CONTEXTS < 1 || CONTEXTS > 8) CONTEXTS_must_be_1_to_8 u_rule ();
    endgenerate

    localparam CHECK_WIDTH = `MOEHUB_WAY_CHECK_WIDTH;
    localparam CAUSES      = `MOEHUB_HUB_WAY_CHECK_CAUSES;
    localparam [31:0] FIRST = `MOEHUB_HUB_WAY_CAUSE_CONTEXT;

    // ---- whose turn -----------------------------------------------------------------------------------------------------
    reg  [2:0]               s1_turn_q;
    reg  [CHECK_WIDTH - 1:0] s1_check_q;
    reg  [2:0]               s2_taken_q;
    wire [2:0]               turn;
    wire [CHECK_WIDTH - 1:0] check;
    moehub_lowest_one #(.WIDTH(3)) u_turn (.bits(valid & ~s1_turn_q & ~s2_taken_q), .lowest(turn));
    moehub_one_hot_mux #(.WIDTH(CHECK_WIDTH), .WAYS(3)) u_check (.select(turn), .words(checks), .word(check));

    always @(posedge clk) begin
        s1_turn_q  <= turn;
        s1_check_q <= check;
        s2_taken_q <= s1_turn_q;
        if (rst) begin
            s1_turn_q  <= 3'd0;
            s2_taken_q <= 3'd0;
        end
    end

    wire        store;
    wire [2:0]  of_context;
    wire [5:0]  source;
    wire [3:0]  round;
    wire [31:0] row_index;
    wire        has_owner;
    wire [5:0]  owner;
    assign `MOEHUB_WAY_CHECK(store, of_context, source, round, row_index, has_owner, owner) = s1_check_q;

    // ---- the context's state --------------------------------------------------------------------------------------------
    wire [CONTEXTS - 1:0]        named; // one hot; none: there is no such context
    wire                         its_enabled = |(named & enabled);
    wire                         its_arrived = |(named & has_arrived);
    wire [3:0]                   its_round;
    wire [4:0]                   its_shift;
    wire [GPUS - 1:0]            its_peers;
    wire [63:0]                  peer = 64'd1 << source;
    genvar c;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_named
            localparam [31:0] NUMBER = c;
            assign named[c] = of_context == NUMBER[2:0];
        end
    endgenerate
    moehub_one_hot_mux #(.WIDTH(4), .WAYS(CONTEXTS)) u_round (.select(named), .words(rounds), .word(its_round));
    moehub_one_hot_mux #(.WIDTH(5), .WAYS(CONTEXTS)) u_shift (.select(named), .words(owner_shifts), .word(its_shift));
    moehub_one_hot_mux #(.WIDTH(GPUS), .WAYS(CONTEXTS)) u_peers (.select(named), .words(peers), .word(its_peers));

    // ---- the first cause that applies -----------------------------------------------------------------------------------
    wire [CAUSES - 1:0] applies;
    wire [CAUSES - 1:0] first;
    assign applies[`MOEHUB_HUB_WAY_CAUSE_CONTEXT - FIRST] = !its_enabled;
    assign applies[`MOEHUB_HUB_WAY_CAUSE_PEER - FIRST]    = (peer[GPUS - 1:0] & its_peers) == {GPUS{1'b0}};
    assign applies[`MOEHUB_HUB_WAY_CAUSE_ROUND - FIRST]   = round != its_round;
    assign applies[`MOEHUB_HUB_WAY_CAUSE_OWNER - FIRST]   = has_owner && row_index >> its_shift != {26'd0, owner};
    assign applies[`MOEHUB_HUB_WAY_CAUSE_ARRIVED - FIRST] = store && its_arrived;
    moehub_lowest_one #(.WIDTH(CAUSES)) u_first (.bits(applies), .lowest(first));

    // ---- the verdict ----------------------------------------------------------------------------------------------------
    reg                  s2_passed_q;
    reg [CAUSES - 1:0]   s2_first_q;
    reg [CONTEXTS - 1:0] s2_named_q;
    wire [2:0]           number;
    moehub_one_hot_index #(.WIDTH(CAUSES)) u_number (.one_hot(s2_first_q), .index(number));

    always @(posedge clk) begin
        s2_passed_q <= applies == {CAUSES{1'b0}};
        s2_first_q  <= first;
        s2_named_q  <= named;
    end

    assign taken   = s2_taken_q;
    assign passed  = s2_passed_q;
    assign counted = s2_first_q[`MOEHUB_HUB_WAY_CAUSE_OWNER - FIRST] || s2_first_q[`MOEHUB_HUB_WAY_CAUSE_ARRIVED - FIRST];
    assign cause   = FIRST[4:0] + {2'd0, number};

    wire unused_peers = ^peer; // GPUs that are none: the receiver has refused them

    // ---- what is told ---------------------------------------------------------------------------------------------------
    wire [127:0]         header;
    reg [CAUSES - 1:0]   causes_q;
    reg                  error_valid_q;
    reg [4:0]            error_cause_q;
    reg [127:0]          error_header_q;
    reg [CONTEXTS - 1:0] failed_q;
    moehub_one_hot_mux #(.WIDTH(128), .WAYS(3)) u_header (.select(taken), .words(headers), .word(header));

    wire refuses = taken != 3'd0 && !passed;

    assign causes       = causes_q;
    assign error_valid  = error_valid_q;
    assign error_cause  = error_cause_q;
    assign error_header = error_header_q;
    assign failed       = failed_q;

    always @(posedge clk) begin
        causes_q       <= s2_first_q & {CAUSES{taken != 3'd0}};
        error_valid_q  <= refuses;
        error_cause_q  <= cause;
        error_header_q <= header;
        failed_q       <= s2_named_q & {CONTEXTS{refuses && counted && !taken[1]}};
        if (rst) begin
            causes_q      <= {CAUSES{1'b0}};
            error_valid_q <= 1'b0;
            failed_q      <= {CONTEXTS{1'b0}};
        end
    end
endmodule

`default_nettype wire
