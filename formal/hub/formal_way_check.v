// SPDX-License-Identifier: Apache-2.0
// moehub_way_check: an asker that stands is told its own verdict, once, in four cycles at most, whatever the other two have and
// whatever becomes of them: a request is checked beside results that nobody takes.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub_way.vh"
module formal_way_check #(
    parameter GPUS     = 2,
    parameter CONTEXTS = 1
) (
    input wire                                     clk,
    input wire                                     rst,
    input wire [CONTEXTS - 1:0]                    enabled,
    input wire [CONTEXTS - 1:0]                    has_arrived,
    input wire [CONTEXTS * 4 - 1:0]                rounds,
    input wire [CONTEXTS * 5 - 1:0]                owner_shifts,
    input wire [CONTEXTS * GPUS - 1:0]             peers,
    input wire [2:0]                               valid,
    input wire [3 * `MOEHUB_WAY_CHECK_WIDTH - 1:0] checks,
    input wire [3 * 128 - 1:0]                     headers
);
`include "formal_reset.vh"
    localparam WIDTH  = `MOEHUB_WAY_CHECK_WIDTH;
    localparam CAUSES = `MOEHUB_HUB_WAY_CHECK_CAUSES;
    localparam [4:0] CONTEXT = `MOEHUB_HUB_WAY_CAUSE_CONTEXT, PEER = `MOEHUB_HUB_WAY_CAUSE_PEER,
        ROUND = `MOEHUB_HUB_WAY_CAUSE_ROUND, OWNER = `MOEHUB_HUB_WAY_CAUSE_OWNER, ARRIVED = `MOEHUB_HUB_WAY_CAUSE_ARRIVED;

    wire [2:0]            taken;
    wire                  passed;
    wire                  counted;
    wire [4:0]            cause;
    wire [CAUSES - 1:0]   causes;
    wire                  error_valid;
    wire [4:0]            error_cause;
    wire [127:0]          error_header;
    wire [CONTEXTS - 1:0] failed;
    moehub_way_check #(.GPUS(GPUS), .CONTEXTS(CONTEXTS)) u_check (
        .clk(clk), .rst(rst), .enabled(enabled), .has_arrived(has_arrived), .rounds(rounds), .owner_shifts(owner_shifts),
        .peers(peers), .valid(valid), .checks(checks), .headers(headers), .taken(taken), .passed(passed), .counted(counted),
        .cause(cause), .causes(causes), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .failed(failed)
    );

    // ---- one asker of the solver's choice: its bit stands until it is taken, and its check with it ---------------------------
    (* anyconst *) wire [1:0] asker;
    always @* assume (asker != 2'd3);
    wire               stands = valid[asker];
    wire               its    = taken[asker];
    wire [WIDTH - 1:0] check  = checks[asker * WIDTH +: WIDTH];
    wire [127:0]       header = headers[asker * 128 +: 128];
    reg                stood_q = 1'b0;
    reg [WIDTH - 1:0]  check_q;
    reg [127:0]        header_q;
    always @(posedge clk) begin
        stood_q  <= stands && !its && !rst;
        check_q  <= check;
        header_q <= header;
    end
    always @* if (stood_q) assume (stands && check == check_q && header == header_q);

    // ---- its verdict: by the state of the cycle before -----------------------------------------------------------------------
    reg [CONTEXTS - 1:0]        enabled_q;
    reg [CONTEXTS - 1:0]        has_arrived_q;
    reg [CONTEXTS * 4 - 1:0]    rounds_q;
    reg [CONTEXTS * 5 - 1:0]    owner_shifts_q;
    reg [CONTEXTS * GPUS - 1:0] peers_q;
    always @(posedge clk) begin
        enabled_q      <= enabled;
        has_arrived_q  <= has_arrived;
        rounds_q       <= rounds;
        owner_shifts_q <= owner_shifts;
        peers_q        <= peers;
    end
    wire        store;
    wire [2:0]  of_context;
    wire [5:0]  source;
    wire [3:0]  round;
    wire [31:0] row_index;
    wire        has_owner;
    wire [5:0]  owner;
    assign `MOEHUB_WAY_CHECK(store, of_context, source, round, row_index, has_owner, owner) = check;
    wire        there  = {29'd0, of_context} < CONTEXTS;
    wire [2:0]  place  = there ? of_context : 3'd0;
    wire [31:0] of_row = row_index >> owner_shifts_q[place * 5 +: 5];
    wire        lists  = {26'd0, source} < GPUS && peers_q[{29'd0, place} * GPUS + {26'd0, source}];
    wire [4:0]  first  = !there || !enabled_q[place] ? CONTEXT
                       : !lists ? PEER
                       : round != rounds_q[place * 4 +: 4] ? ROUND
                       : has_owner && of_row != {26'd0, owner} ? OWNER
                       : store && has_arrived_q[place] ? ARRIVED : 5'd0;

    // ---- how long it stands; what must be told of it in the cycle after ------------------------------------------------------
    reg [2:0]            age_q = 3'd0;
    reg                  refused_q = 1'b0;
    reg                  flags_q;
    reg [4:0]            first_q;
    reg [2:0]            place_q;
    reg [127:0]          told_q;
    reg [2:0]            taken_q = 3'd0;
    always @(posedge clk) begin
        age_q     <= !stands || its || rst ? 3'd0 : age_q == 3'd7 ? age_q : age_q + 3'd1;
        refused_q <= its && first != 5'd0 && !rst;
        flags_q   <= (first == OWNER || first == ARRIVED) && asker != 2'd1;
        first_q   <= first;
        place_q   <= place;
        told_q    <= header;
        taken_q   <= rst ? 3'd0 : taken;
    end
    wire [CAUSES - 1:0]   one_cause = {{CAUSES - 1{1'b0}}, 1'b1} << (first_q - CONTEXT);
    wire [CONTEXTS - 1:0] its_place = {{CONTEXTS - 1{1'b0}}, 1'b1} << place_q;

    always @* begin
        soon:      assert (age_q <= 3'd4);
        one:       assert (!started_q || ((taken & (taken - 3'd1)) == 3'd0 && (!its || stood_q)));
        passes:    assert (!started_q || !its || passed == (first == 5'd0));
        refuses:   assert (!started_q || !its || passed || (cause == first && counted == (first == OWNER || first == ARRIVED)));
        told:      assert (!refused_q || (error_valid && error_cause == first_q && error_header == told_q &&
                       causes == one_cause));
        flags:     assert (!refused_q || failed == (flags_q ? its_place : {CONTEXTS{1'b0}}));
        not_alone: assert (!started_q || taken_q != 3'd0 || !(error_valid || |causes || |failed));
    end
    always @* begin
        waited:    cover (its && age_q == 3'd4 && !rst);
        by_owner:  cover (its && first == OWNER && !rst);
        flagged:   cover (refused_q && flags_q && !rst);
        quiet:     cover (taken_q == 3'd0 && started_q && !reset_q && stood_q);
    end
endmodule
`default_nettype wire
