// SPDX-License-Identifier: Apache-2.0
// Purpose: the AL-TLB's tags and replacement state: hit or miss, and which line, decided in the order of acceptance.
// Contract:
//   1. One lookup a cycle, never stalled: key_* is stage 1, verdict_* stage 5 of the same request, lookup_* stage 6.
//   2. A lookup (verdict OK) sees tags and replacement state as if every lookup before it had filled its line at once.
//      Tags are read at stage 2 and written at stage 6; distances 1 to 4 are forwarded.
//   3. line = way * SETS + set.
//   4. clear_* invalidates a set and its replacement state; invalidate_start drops the lines of one context in
//      2 * SETS + 1 cycles (invalidate_busy), replacement state unchanged. Both only while no request is inside.
// Cost: memories SETS x (1 + EPOCH_WIDTH + CONTEXT_WIDTH + EXPERT_WIDTH + ROW_INDEX_WIDTH) a way and SETS x replacement state.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_al_tags #(
    parameter CONTEXT_WIDTH   = 2,
    parameter EXPERT_WIDTH    = 6,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter SETS            = 128,
    parameter WAYS            = 4,
    parameter REPLACEMENT     = 0,
    parameter PORT_WIDTH      = 4,
    parameter ID_WIDTH        = 7
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire                                   clear_enable,
    input  wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0] clear_set,
    input  wire                                   invalidate_start,
    input  wire [CONTEXT_WIDTH - 1:0]             invalidate_context,
    output wire                                   invalidate_busy,
    // stage 1
    input  wire                                   key_valid,
    input  wire [CONTEXT_WIDTH - 1:0]             key_context,
    input  wire [EXPERT_WIDTH - 1:0]              key_expert,
    input  wire [ROW_INDEX_WIDTH - 1:0]           key_row_index,
    input  wire [31 - SLOT_WIDTH:0]               key_epoch,
    // stage 5
    input  wire                                   verdict_valid,
    input  wire [ID_WIDTH - 1:0]                  verdict_id,
    input  wire [PORT_WIDTH - 1:0]                verdict_port,
    input  wire [2:0]                             verdict_status,
    input  wire                                   verdict_first,
    input  wire [SLOT_WIDTH - 1:0]                verdict_value,
    // stage 6
    output wire                                   lookup_valid,
    output wire [ID_WIDTH - 1:0]                  lookup_id,
    output wire [PORT_WIDTH - 1:0]                lookup_port,
    output wire [2:0]                             lookup_status,
    output wire                                   lookup_first,
    output wire                                   lookup_miss,
    output wire [`MOEHUB_INDEX_WIDTH(SETS * WAYS) - 1:0] lookup_line,
    output wire [SLOT_WIDTH - 1:0]                lookup_value,
    output wire [CONTEXT_WIDTH - 1:0]             lookup_context,
    output wire [EXPERT_WIDTH - 1:0]              lookup_expert,
    output wire [ROW_INDEX_WIDTH - 1:0]           lookup_row_index,
    // events
    output wire                                   event_lookup,
    output wire                                   event_miss,
    output wire                                   event_evict,
    output wire                                   event_first
);

    localparam EPOCH_WIDTH = 32 - SLOT_WIDTH;
    localparam SET_WIDTH   = `MOEHUB_INDEX_WIDTH(SETS);
    localparam NAME_WIDTH  = CONTEXT_WIDTH + EXPERT_WIDTH + ROW_INDEX_WIDTH; // names a row; the hash's key
    localparam KEY_WIDTH   = EPOCH_WIDTH + NAME_WIDTH;
    localparam TAG_WIDTH   = 1 + KEY_WIDTH; // {valid, epoch, name}
    localparam STATE_WIDTH = WAYS == 1 ? 1 : REPLACEMENT == 0 ? WAYS - 1 : `MOEHUB_INDEX_WIDTH(WAYS);
    localparam WAY_WIDTH   = `MOEHUB_INDEX_WIDTH(WAYS);
    // The comparison with a tag takes two stages: groups of 8 bits, then all groups.
    localparam GROUPS      = (KEY_WIDTH + 7) / 8;
    localparam PADDED      = GROUPS * 8;
    localparam [31:0] LAST_SET = SETS - 1;
    localparam [SET_WIDTH - 1:0] SET_ONE = 1;

    // The hash reads the whole EXPERT_WIDTH and CONTEXT_WIDTH fields: context * 2^(ROW_INDEX_WIDTH + EXPERT_WIDTH) + ...
    wire [NAME_WIDTH - 1:0] name_1 = {key_context, key_expert, key_row_index};
    wire [SET_WIDTH - 1:0]  set_1;
    moehub_al_index #(.SETS(SETS), .KEY_WIDTH(NAME_WIDTH)) u_index (.key(name_1), .index(set_1));

    // ---- the key travels along ---------------------------------------------------------------------------------
    reg                     valid_2_q;
    reg [NAME_WIDTH - 1:0]  name_2_q;
    reg [NAME_WIDTH - 1:0]  name_3_q;
    reg [NAME_WIDTH - 1:0]  name_4_q;
    reg [NAME_WIDTH - 1:0]  name_5_q;
    reg [NAME_WIDTH - 1:0]  name_6_q;
    reg [EPOCH_WIDTH - 1:0] epoch_2_q;
    reg [EPOCH_WIDTH - 1:0] epoch_3_q;
    reg [EPOCH_WIDTH - 1:0] epoch_4_q;
    reg [EPOCH_WIDTH - 1:0] epoch_5_q;
    reg [EPOCH_WIDTH - 1:0] epoch_6_q;
    reg [SET_WIDTH - 1:0]   set_2_q;
    reg [SET_WIDTH - 1:0]   set_3_q;
    reg [SET_WIDTH - 1:0]   set_4_q;
    reg [SET_WIDTH - 1:0]   set_5_q;
    reg [SET_WIDTH - 1:0]   set_6_q;

    always @(posedge clk) begin
        valid_2_q <= key_valid;
        if (rst) valid_2_q <= 1'b0;
    end

    always @(posedge clk) begin
        {name_2_q, name_3_q, name_4_q, name_5_q, name_6_q}      <= {name_1, name_2_q, name_3_q, name_4_q, name_5_q};
        {epoch_2_q, epoch_3_q, epoch_4_q, epoch_5_q, epoch_6_q} <= {key_epoch, epoch_2_q, epoch_3_q, epoch_4_q, epoch_5_q};
        {set_2_q, set_3_q, set_4_q, set_5_q, set_6_q}           <= {set_1, set_2_q, set_3_q, set_4_q, set_5_q};
    end

    // Is the request d before this one in the same set, of the same name? The epoch need not be compared: it is the
    // context's, and no context changes while requests are inside.
    reg [4:1] same_set_3_q;
    reg [4:1] same_name_3_q;
    reg [2:1] same_set_4_q;
    reg [2:1] same_name_4_q;

    always @(posedge clk) begin
        same_set_3_q  <= {set_6_q == set_2_q, set_5_q == set_2_q, set_4_q == set_2_q, set_3_q == set_2_q};
        same_name_3_q <= {name_6_q == name_2_q, name_5_q == name_2_q, name_4_q == name_2_q, name_3_q == name_2_q};
        same_set_4_q  <= same_set_3_q[2:1];
        same_name_4_q <= same_name_3_q[2:1];
    end

    // ---- outcomes of the lookups ahead ----------------------------------------------------------------------------
    wire                     lookup_5;
    wire [WAYS - 1:0]        fill_5; // one-hot: the way that this lookup fills, none on a hit
    wire [STATE_WIDTH - 1:0] state_5;
    reg                      lookup_6_q;
    reg  [WAYS - 1:0]        fill_6_q;
    reg  [STATE_WIDTH - 1:0] state_6_q;
    reg                      lookup_7_q;
    reg  [WAYS - 1:0]        fill_7_q;
    reg  [STATE_WIDTH - 1:0] state_7_q;

    // ---- stage 2: tags and replacement state are read --------------------------------------------------------------
    reg                        invalidating_q;
    reg                        invalidate_write_q;
    reg  [SET_WIDTH - 1:0]     invalidate_set_q;
    reg  [CONTEXT_WIDTH - 1:0] invalidate_context_q;

    wire                     read_2     = (valid_2_q || (invalidating_q && !invalidate_write_q)) && !rst;
    wire [SET_WIDTH - 1:0]   read_set_2 = invalidating_q ? invalidate_set_q : set_2_q;
    wire [STATE_WIDTH - 1:0] state_3;
    wire [WAYS * TAG_WIDTH - 1:0] tags_3;
    wire [PADDED - 1:0]      wanted_3   = {{PADDED - KEY_WIDTH{1'b0}}, epoch_3_q, name_3_q};

    wire unused_parity_error;
    moehub_memory_1r1w #(.WIDTH(STATE_WIDTH), .DEPTH(SETS)) u_states (
        .clk(clk), .write_enable(clear_enable || lookup_6_q), .write_address(clear_enable ? clear_set : set_6_q),
        .write_data(clear_enable ? {STATE_WIDTH{1'b0}} : state_6_q),
        .read_enable(read_2), .read_address(read_set_2), .read_data(state_3), .parity_error(unused_parity_error)
    );

    // ---- stages 3 and 4: compare, and let the lookups ahead overrule what was read ------------------------------------
    reg  [STATE_WIDTH - 1:0] state_4_q;
    reg  [STATE_WIDTH - 1:0] state_in_5_q;
    wire [WAYS - 1:0]        hit_5;
    wire [WAYS - 1:0]        filled_5;

    always @(posedge clk) begin
        state_4_q    <= same_set_3_q[3] && lookup_6_q ? state_6_q : same_set_3_q[4] && lookup_7_q ? state_7_q : state_3;
        state_in_5_q <= same_set_4_q[1] && lookup_5 ? state_5 : same_set_4_q[2] && lookup_6_q ? state_6_q : state_4_q;
    end

    genvar w;
    genvar g;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            wire [TAG_WIDTH - 1:0] tag_3   = tags_3[w * TAG_WIDTH +: TAG_WIDTH];
            wire [PADDED - 1:0]    found_3 = {{PADDED - KEY_WIDTH{1'b0}}, tag_3[NAME_WIDTH +: EPOCH_WIDTH], tag_3[NAME_WIDTH - 1:0]};
            wire                   drop    = invalidate_write_q && tag_3[KEY_WIDTH]
                                              && tag_3[NAME_WIDTH - 1 -: CONTEXT_WIDTH] == invalidate_context_q;
            wire                   unused_parity;
            moehub_memory_1r1w #(.WIDTH(TAG_WIDTH), .DEPTH(SETS)) u_tags (
                .clk(clk),
                .write_enable(clear_enable || drop || fill_6_q[w]),
                .write_address(clear_enable ? clear_set : invalidating_q ? invalidate_set_q : set_6_q),
                .write_data(clear_enable || invalidating_q ? {TAG_WIDTH{1'b0}} : {1'b1, epoch_6_q, name_6_q}),
                .read_enable(read_2), .read_address(read_set_2), .read_data(tags_3[w * TAG_WIDTH +: TAG_WIDTH]), .parity_error(unused_parity)
            );

            reg [GROUPS - 1:0] equal_4_q;
            reg                filled_4_q;
            reg                ahead_4_q;      // a lookup ahead has refilled this way
            reg                ahead_name_4_q; // ... with this name
            reg                hit_5_q;
            reg                filled_5_q;

            wire ahead_3 = same_set_3_q[3] && fill_6_q[w];
            wire far_3   = same_set_3_q[4] && fill_7_q[w];
            for (g = 0; g < GROUPS; g = g + 1) begin : g_group
                always @(posedge clk) equal_4_q[g] <= found_3[g * 8 +: 8] == wanted_3[g * 8 +: 8];
            end
            wire near_fill_4  = same_set_4_q[1] && fill_5[w];
            wire ahead_fill_4 = same_set_4_q[2] && fill_6_q[w];
            always @(posedge clk) begin
                filled_4_q     <= tag_3[KEY_WIDTH] || ahead_3 || far_3;
                ahead_4_q      <= ahead_3 || far_3;
                ahead_name_4_q <= ahead_3 ? same_name_3_q[3] : same_name_3_q[4];
                filled_5_q     <= filled_4_q || near_fill_4 || ahead_fill_4;
                hit_5_q        <= near_fill_4  ? same_name_4_q[1]
                                : ahead_fill_4 ? same_name_4_q[2]
                                : ahead_4_q    ? ahead_name_4_q : filled_4_q && &equal_4_q;
            end
            assign hit_5[w]    = hit_5_q;
            assign filled_5[w] = filled_5_q;
        end
    endgenerate

    // ---- stage 5: the outcome ------------------------------------------------------------------------------------------
    wire [WAYS - 1:0] way_5;
    wire              miss_5;
    wire              evict_5;
    moehub_replacement #(.WAYS(WAYS), .POLICY(REPLACEMENT), .STATE_WIDTH(STATE_WIDTH)) u_replacement (
        .state(state_in_5_q), .valid(filled_5), .hit(hit_5), .way(way_5), .miss(miss_5), .evict(evict_5), .next_state(state_5)
    );
    assign lookup_5 = verdict_valid && verdict_status == 3'd`MOEHUB_STATUS_OK;
    assign fill_5   = way_5 & {WAYS{miss_5 && lookup_5}};

    reg                    valid_6_q;
    reg [ID_WIDTH - 1:0]   id_6_q;
    reg [PORT_WIDTH - 1:0] port_6_q;
    reg [2:0]              status_6_q;
    reg                    first_6_q;
    reg                    miss_6_q;
    reg                    evict_6_q;
    reg [WAYS - 1:0]       way_6_q;
    reg [SLOT_WIDTH - 1:0] value_6_q;

    always @(posedge clk) begin
        valid_6_q  <= verdict_valid;
        lookup_6_q <= lookup_5;
        lookup_7_q <= lookup_6_q;
        fill_6_q   <= fill_5;
        fill_7_q   <= fill_6_q;
        if (rst) begin
            valid_6_q  <= 1'b0;
            lookup_6_q <= 1'b0;
            lookup_7_q <= 1'b0;
            fill_6_q   <= {WAYS{1'b0}};
            fill_7_q   <= {WAYS{1'b0}};
        end
    end

    always @(posedge clk) begin
        state_6_q  <= state_5;
        state_7_q  <= state_6_q;
        id_6_q     <= verdict_id;
        port_6_q   <= verdict_port;
        status_6_q <= verdict_status;
        first_6_q  <= verdict_first;
        miss_6_q   <= miss_5;
        evict_6_q  <= evict_5;
        way_6_q    <= way_5;
        value_6_q  <= verdict_value;
    end

    // ---- stage 6: written to the memories, handed on -------------------------------------------------------------------
    wire [WAY_WIDTH - 1:0] way_index_6;
    genvar b;
    genvar m;
    generate
        for (b = 0; b < WAY_WIDTH; b = b + 1) begin : g_way_bit
            wire [WAYS - 1:0] member;
            for (m = 0; m < WAYS; m = m + 1) begin : g_member
                assign member[m] = way_6_q[m] && (m >> b) % 2 == 1;
            end
            assign way_index_6[b] = |member;
        end
        if (SETS == 1) begin : g_line_of_way
            assign lookup_line = way_index_6;
        end else if (WAYS == 1) begin : g_line_of_set
            assign lookup_line = set_6_q;
            wire unused_way = &{1'b0, way_index_6};
        end else begin : g_line
            assign lookup_line = {way_index_6, set_6_q};
        end
    endgenerate

    assign lookup_valid  = valid_6_q;
    assign lookup_id     = id_6_q;
    assign lookup_port   = port_6_q;
    assign lookup_status = status_6_q;
    assign lookup_first  = first_6_q;
    assign lookup_miss   = miss_6_q;
    assign lookup_value  = value_6_q;
    assign {lookup_context, lookup_expert, lookup_row_index} = name_6_q;

    assign event_lookup = lookup_6_q;
    assign event_miss   = lookup_6_q && miss_6_q;
    assign event_evict  = lookup_6_q && evict_6_q;
    assign event_first  = lookup_6_q && first_6_q;

    // ---- dropping one context's lines: read a set, then write the ways that belong to it ---------------------------------
    assign invalidate_busy = invalidating_q;

    always @(posedge clk) begin
        if (invalidate_start) begin
            invalidating_q     <= 1'b1;
            invalidate_write_q <= 1'b0;
        end else if (invalidating_q) begin
            invalidate_write_q <= !invalidate_write_q;
            if (invalidate_write_q && invalidate_set_q == LAST_SET[SET_WIDTH - 1:0]) invalidating_q <= 1'b0;
        end
        if (rst) begin
            invalidating_q     <= 1'b0;
            invalidate_write_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (invalidate_start) begin
            invalidate_set_q     <= {SET_WIDTH{1'b0}};
            invalidate_context_q <= invalidate_context;
        end else if (invalidate_write_q) begin
            invalidate_set_q <= invalidate_set_q + SET_ONE;
        end
    end
endmodule

`default_nettype wire
