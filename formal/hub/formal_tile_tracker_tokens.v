// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_tokens: a token of the solver's choice is told once between two CLEARs: by the last of the notifies that it
// expects, or by EXPIRE.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"
module formal_tile_tracker_tokens #(
    parameter CONTEXTS = 1,
    parameter TOKENS   = 2
) (
    input wire                      clk,
    input wire                      rst,
    input wire                      operation_valid,
    input wire [2:0]                kind,
    input wire [2:0]                of_context,
    input wire [31:0]               place,
    input wire [5:0]                source,
    input wire [5:0]                count,
    input wire                      failed
);
`include "formal_reset.vh"
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(TOKENS);

    // ---- what software set: constants. Reset clears all words --------------------------------------------------------------
    (* anyconst *) wire [CONTEXTS - 1:0]      counts_tokens;
    (* anyconst *) wire [CONTEXTS * 16 - 1:0] token_firsts;
    (* anyconst *) wire [CONTEXTS * 5 - 1:0]  owner_shifts;
    (* anyconst *) wire [2:0]                 its_context;
    (* anyconst *) wire [ENTRY_WIDTH - 1:0]   entry;
    reg [7:0] walk_q = 8'd0;
    wire      open = walk_q == TOKENS;
    always @(posedge clk) walk_q <= rst ? 8'd0 : open ? walk_q : walk_q + 8'd1;

    wire is_get = kind == `MOEHUB_TOKEN_GET;
    wire [31:0] in_context = place & ~(32'hffffffff << owner_shifts[of_context * 5 +: 5]);
    wire [31:0] its_first  = {16'd0, token_firsts[of_context * 16 +: 16]};
    // A range ends within the memory, and those of different contexts have no word in common: software's duty.
    always @* begin
        assume (its_context < CONTEXTS && entry < TOKENS && kind <= `MOEHUB_TOKEN_GET && of_context < CONTEXTS);
        assume (!operation_valid || open);
        assume (is_get ? place < TOKENS : !counts_tokens[of_context] || in_context + its_first < TOKENS);
        assume (is_get || !operation_valid || !counts_tokens[of_context] || of_context == its_context
            || in_context + its_first != {{32 - ENTRY_WIDTH{1'b0}}, entry});
    end

    wire                                     push_valid;
    wire [2:0]                               push_context;
    wire [ENTRY_WIDTH - 1:0]                 push_token;
    wire                                     push_failed;
    wire                                     notified;
    wire                                     fault_valid;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault;
    wire                                     get_valid;
    wire [`MOEHUB_TOKEN_WIDTH - 1:0]         token;
    moehub_tile_tracker_tokens #(.CONTEXTS(CONTEXTS), .TOKENS(TOKENS)) u_tokens (
        .clk(clk), .rst(rst), .walking(!open), .walk({9'd0, walk_q}), .counts_tokens(counts_tokens), .token_firsts(token_firsts),
        .owner_shifts(owner_shifts), .operation_valid(operation_valid),
        .operation(`MOEHUB_TOKEN_OPERATION(kind, of_context, place, source, count, failed)), .push_valid(push_valid),
        .push_context(push_context), .push_token(push_token), .push_failed(push_failed), .notified(notified),
        .fault_valid(fault_valid), .fault(fault), .get_valid(get_valid), .token(token)
    );

    // ---- the operations on one entry, as they reach the stage in which it changes --------------------------------------------
    wire [31:0] named = is_get ? place : counts_tokens[of_context] ? in_context + its_first : 32'hffffffff;
    wire hits = operation_valid && !rst && named == {{32 - ENTRY_WIDTH{1'b0}}, entry};
    reg [4:0]  hits_q = 5'd0;
    reg [14:0] kind_q;
    reg [29:0] count_q;
    reg [4:0]  failed_q;
    always @(posedge clk) begin
        hits_q    <= {hits_q[3:0], hits};
        kind_q    <= {kind_q[11:0], kind};
        count_q   <= {count_q[23:0], count};
        failed_q  <= {failed_q[3:0], failed};
        if (rst) hits_q <= 5'd0;
    end
    wire       now       = hits_q[4];
    wire       is_expect = now && kind_q[14:12] == `MOEHUB_TOKEN_EXPECT;
    wire       is_notify = now && kind_q[14:12] == `MOEHUB_TOKEN_NOTIFY;
    wire       is_expire = now && kind_q[14:12] == `MOEHUB_TOKEN_EXPIRE;
    wire       is_clear  = now && kind_q[14:12] == `MOEHUB_TOKEN_CLEAR;

    // ---- the token as the page has it ----------------------------------------------------------------------------------------
    reg [5:0] left_q  = 6'd0; // notifies that did not come
    reg       bad_q   = 1'b0; // one of them had failed, or time was up
    reg       none_q  = 1'b1;
    reg       open_q  = 1'b0;
    reg       due_q   = 1'b0; // told in this cycle
    reg       told_q  = 1'b0; // before
    reg       refused_q = 1'b0; // it refused its EXPECT or NOTIFY
    reg       read_q  = 1'b0;
    reg       again_q = 1'b0; // it was told, then cleared
    reg       more_q  = 1'b0; // it waited for more than one
    wire [15:0] entry_first = token_firsts[its_context * 16 +: 16];
    wire told = push_valid && push_context == its_context
        && {16'd0, entry_first} + {{32 - ENTRY_WIDTH{1'b0}}, push_token} == {{32 - ENTRY_WIDTH{1'b0}}, entry};
    wire ends = open_q && ((is_notify && left_q == 6'd1) || is_expire);
    always @(posedge clk) begin
        if (is_expect && none_q) begin
            left_q <= count_q[29:24];
            bad_q  <= 1'b0;
            none_q <= 1'b0;
            open_q <= 1'b1;
            more_q <= count_q[29:24] == 6'd2;
        end
        if (is_notify && open_q) left_q <= left_q - 6'd1;
        if (is_notify && open_q && failed_q[4]) bad_q <= 1'b1;
        if (is_expire && open_q) bad_q <= 1'b1;
        if (ends) open_q <= 1'b0;
        due_q     <= ends && !rst;
        told_q    <= told_q || told;
        refused_q <= !rst && ((is_expect && !none_q) || (is_notify && !open_q));
        read_q    <= !rst && now && kind_q[14:12] == `MOEHUB_TOKEN_GET;
        again_q   <= (again_q || (is_clear && told_q)) && !rst;
        if (rst || is_clear) begin
            left_q <= 6'd0;
            bad_q  <= 1'b0;
            none_q <= 1'b1;
            open_q <= 1'b0;
            told_q <= 1'b0;
        end
    end
    wire [4:0]  cause;
    wire        flags;
    wire [2:0]  fault_context;
    wire [5:0]  fault_source;
    wire [31:0] fault_row;
    wire [15:0] fault_tag;
    assign `MOEHUB_TRACKER_ERROR(cause, flags, fault_context, fault_source, fault_row, fault_tag) = fault;
    wire [1:0] state = none_q ? 2'd`MOEHUB_TOKEN_NONE : open_q ? 2'd`MOEHUB_TOKEN_OPEN : 2'd`MOEHUB_TOKEN_TOLD;

    always @* if (started_q) begin
        told_once: assert (!(told && told_q));
        told_why:  assert (!told || due_q);
        told_then: assert (!due_q || told);
        failed_is: assert (!told || push_failed == bad_q);
        refuses:   assert (!refused_q || (fault_valid && flags
            && (cause == `MOEHUB_TILE_TRACKER_CAUSE_EXPECTED || cause == `MOEHUB_TILE_TRACKER_CAUSE_NOTIFY)));
        token_is:  assert (!read_q || token == `MOEHUB_TOKEN(left_q, bad_q, state));
    end
    always @* begin
        all_came:  cover (told && more_q && !bad_q);
        again:     cover (told && again_q && !bad_q);
        expired:   cover (told && left_q == 6'd2);
        one_more:  cover (refused_q && told_q);
        reads:     cover (read_q && left_q == 6'd1 && open_q && more_q);
    end
endmodule
`default_nettype wire
