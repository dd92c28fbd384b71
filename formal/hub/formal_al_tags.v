// SPDX-License-Identifier: Apache-2.0
// moehub_al_tags and moehub_replacement: every lookup gets the line that it would get if each lookup before it had
// filled its line at once. The epoch changes, and a context is invalidated, only while nothing is inside; after reset
// every set is cleared.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
module formal_al_tags #(
    parameter ROW_INDEX_WIDTH = 2,
    parameter SETS            = 1, // 1 or 2
    parameter WAYS            = 2, // 1 or 2
    parameter REPLACEMENT     = 0
) (
    input wire                         clk,
    input wire                         rst,
    input wire                         clear_enable,
    input wire                         invalidate_start,
    input wire                         invalidate_context,
    input wire                         key_valid,
    input wire                         key_context,
    input wire [ROW_INDEX_WIDTH - 1:0] key_row_index,
    input wire                         epoch,
    input wire                         verdict_name, // id and port
    input wire [2:0]                   verdict_status
);
`include "formal_reset.vh"
    localparam SLOT_WIDTH = 31; // one bit of epoch
    localparam SET_WIDTH  = 1;
    localparam LINE_WIDTH = SETS * WAYS > 1 ? $clog2(SETS * WAYS) : 1;
    localparam NAME       = 1 + ROW_INDEX_WIDTH;

    // ---- what the block is promised ----------------------------------------------------------------------------------------
    reg [1:0]        walk_q = 2'd0;
    reg [6:1]        inside_q = 6'd0; // stage 2 to 6 and one more
    reg              epoch_q;
    wire             invalidate_busy;
    wire             walking = walk_q != SETS;
    wire             quiet   = inside_q == 6'd0 && !key_valid;
    reg [5 * NAME - 1:0] names_q; // of stages 2 to 6
    always @(posedge clk) begin
        if (walking) walk_q <= walk_q + 2'd1;
        inside_q <= {inside_q[5:1], key_valid};
        epoch_q  <= epoch;
        names_q  <= {names_q[4 * NAME - 1:0], key_context, key_row_index};
        if (rst) begin
            walk_q   <= 2'd0;
            inside_q <= 6'd0;
        end
    end
    always @* begin
        assume (clear_enable == (walking && !rst));
        if (walking || rst || invalidate_busy) assume (!key_valid && !invalidate_start);
        if (!quiet) assume (!invalidate_start && (!started_q || epoch == epoch_q));
        if (invalidate_start) assume (!key_valid);
    end

    wire                    lookup_valid, lookup_id, lookup_port, lookup_first, lookup_miss, lookup_expert, lookup_context;
    wire                    lookup_ok, lookup_evict;
    wire [SLOT_WIDTH - 1:0] lookup_value;
    wire [LINE_WIDTH - 1:0] lookup_line;
    wire [ROW_INDEX_WIDTH - 1:0] lookup_row_index;
    wire [2:0]              lookup_status;

    moehub_al_tags #(
        .CONTEXTS(2), .LOCAL_EXPERTS(1), .ROW_INDEX_WIDTH(ROW_INDEX_WIDTH), .SLOT_WIDTH(SLOT_WIDTH), .SETS(SETS), .WAYS(WAYS),
        .REPLACEMENT(REPLACEMENT), .PORTS(2), .WAITING(2)
    ) u_tags (
        .clk(clk), .rst(rst), .set_clear(clear_enable), .set_address(walk_q[SET_WIDTH - 1:0]),
        .invalidate_start(invalidate_start), .invalidate_context(invalidate_context), .invalidate_busy(invalidate_busy),
        .key_valid(key_valid), .key_name(`MOEHUB_ROW_NAME(key_context, 1'b0, key_row_index)), .key_epoch(epoch),
        .verdict_valid(inside_q[4]), .verdict_first(1'b0),
        .verdict(`MOEHUB_VERDICT(verdict_name, !verdict_name, verdict_status, {SLOT_WIDTH{1'b0}})),
        .tagged_valid(lookup_valid), .tagged_ok(lookup_ok), .tagged_miss(lookup_miss), .tagged_evict(lookup_evict),
        .tagged_line(lookup_line), .tagged_verdict(`MOEHUB_VERDICT(lookup_id, lookup_port, lookup_status, lookup_value)),
        .tagged_name(`MOEHUB_ROW_NAME(lookup_context, lookup_expert, lookup_row_index))
    );

    // ---- the specification, at stage 6: tags and victims of every set ---------------------------------------------------------
    wire [NAME - 1:0] name = names_q[4 * NAME +: NAME];
    wire              set  = SETS == 2 ? ^name : 1'b0; // modulo x + 1
    reg               looks_q = 1'b0, name_q;
    reg [NAME:0]      tag_00_q, tag_01_q, tag_10_q, tag_11_q; // {epoch, name} of set, way
    reg [1:0]         valid_0_q, valid_1_q;                   // of set; bit: way
    reg [1:0]         victim_q;                               // of each set: the upper way
    wire [1:0]        valid  = set ? valid_1_q : valid_0_q;
    wire [NAME:0]     lower  = set ? tag_10_q : tag_00_q;
    wire [NAME:0]     upper  = set ? tag_11_q : tag_01_q;
    wire [NAME:0]     wanted = {epoch, name};
    wire [1:0]        hit    = {WAYS == 2 && valid[1] && upper == wanted, valid[0] && lower == wanted};
    wire              miss   = hit == 2'd0;
    wire              full   = WAYS == 2 ? &valid : valid[0];
    wire              way    = WAYS == 1 ? 1'b0 : !miss ? hit[1] : !full ? valid[0] : victim_q[set];
    reg               evicted_q = 1'b0, hit_q = 1'b0, other_epoch_q = 1'b0;
    always @(posedge clk) begin
        name_q  <= verdict_name;
        looks_q <= inside_q[4] && verdict_status == 3'd`MOEHUB_STATUS_OK && !rst;
        if (looks_q && miss) begin
            case ({set, way})
                2'd0: tag_00_q <= wanted;
                2'd1: tag_01_q <= wanted;
                2'd2: tag_10_q <= wanted;
                2'd3: tag_11_q <= wanted;
            endcase
            if (set) valid_1_q[way] <= 1'b1;
            else valid_0_q[way] <= 1'b1;
        end
        if (looks_q && REPLACEMENT == 0) victim_q[set] <= !way;
        if (looks_q && REPLACEMENT == 1 && miss && full) victim_q[set] <= !victim_q[set];
        if (looks_q && miss && full) evicted_q <= 1'b1;
        if (looks_q && !miss && evicted_q) hit_q <= 1'b1;
        if (looks_q && miss && valid[0] && lower[NAME - 1:0] == name) other_epoch_q <= 1'b1;
        if (invalidate_start) begin
            if (tag_00_q[NAME - 1] == invalidate_context) valid_0_q[0] <= 1'b0;
            if (tag_01_q[NAME - 1] == invalidate_context) valid_0_q[1] <= 1'b0;
            if (tag_10_q[NAME - 1] == invalidate_context) valid_1_q[0] <= 1'b0;
            if (tag_11_q[NAME - 1] == invalidate_context) valid_1_q[1] <= 1'b0;
        end
        if (rst) begin
            valid_0_q <= 2'd0;
            valid_1_q <= 2'd0;
            victim_q  <= 2'd0;
        end
    end
    // line = way * SETS + set
    wire [1:0] line = SETS == 2 ? {way, set} : {1'b0, way};

    always @* if (started_q && !reset_q) begin
        one_lookup: assert (lookup_valid == inside_q[5] && (!lookup_valid || {lookup_id, lookup_port} == {name_q, !name_q}));
        names:      assert (!lookup_valid
                            || {lookup_context, lookup_expert, lookup_row_index} == {name[NAME - 1], 1'b0, name[NAME - 2:0]});
        hit_right:  assert (!looks_q || lookup_miss == miss);
        line_right: assert (!looks_q || {2'd0, lookup_line} == {2'd0, line});
        evicts:     assert (lookup_ok == looks_q && (!looks_q || (lookup_miss == miss && lookup_evict == (miss && full))));
        no_twins:   assert (!(&valid_0_q) || tag_00_q != tag_01_q || WAYS == 1);
    end
    always @* begin
        hit_after_eviction: cover (hit_q);
        misses_old_epoch:   cover (other_epoch_q && started_q);
        invalidated:        cover (evicted_q && invalidate_start && valid_0_q != 2'd0);
        looks:              cover (looks_q && !miss);
    end
endmodule
`default_nettype wire
