// SPDX-License-Identifier: Apache-2.0
// Purpose: the AL-TLB's tags and replacement state: hit or miss, and which line, decided in the order of acceptance.
// Contract:
//   1. One lookup a cycle, never stalled: key_* is the register of stage 1, verdict_* of stage 5, tagged_* of stage 6.
//   2. A lookup (verdict OK) sees tags and replacement state as if every lookup before it had filled its line at once.
//      Tags are read in stage 3 and written in stage 7; distances 1 to 4 are forwarded.
//   3. line = way * SETS + set.
//   4. set_clear invalidates a set and its replacement state; invalidate_start drops the lines of one context in
//      2 * SETS + 1 cycles (invalidate_busy), replacement state unchanged. Both only while no request is inside.
// How: stage 2 hashes the key; 3 reads the memories; 4 and 5 compare, and let the lookups ahead overrule what was read; 6 picks
//   the way; 7 writes and hands on.
// Cost: memories SETS x (1 + EPOCH_WIDTH + CONTEXT_WIDTH + EXPERT_WIDTH + ROW_INDEX_WIDTH) a way and SETS x replacement state.
// Proved: formal/hub/formal_al_tags.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_al_tags #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter SETS            = 128,
    parameter WAYS            = 4,
    parameter REPLACEMENT     = 0,
    parameter PORTS           = 16,
    parameter WAITING         = 128,
    parameter PARITY          = 0
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire                                   set_clear,
    input  wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0] set_address,
    input  wire                                   invalidate_start,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] invalidate_context,
    output wire                                   invalidate_busy,
    // after stage 1
    input  wire                                   key_valid,
    input  wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] key_name,
    input  wire [31 - SLOT_WIDTH:0]               key_epoch,
    // after stage 5
    input  wire                                   verdict_valid,
    input  wire                                   verdict_first,
    input  wire [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] verdict,
    // after stage 6
    output wire                                   tagged_valid,
    output wire                                   tagged_ok,    // the verdict is OK: tags were looked up; low if not tagged_valid
    output wire                                   tagged_first,
    output wire                                   tagged_miss,
    output wire                                   tagged_evict, // ... of a valid line
    output wire [`MOEHUB_INDEX_WIDTH(SETS * WAYS) - 1:0] tagged_line,
    output wire [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] tagged_verdict,
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] tagged_name,
    output wire [1:0]                             tags_parity // errors: tags, replacement state
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ID_WIDTH      = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam EPOCH_WIDTH = 32 - SLOT_WIDTH;
    localparam SET_WIDTH   = `MOEHUB_INDEX_WIDTH(SETS);
    localparam NAME_WIDTH  = `MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH); // the hash's key
    localparam KEY_WIDTH   = EPOCH_WIDTH + NAME_WIDTH;
    localparam TAG_WIDTH   = 1 + KEY_WIDTH; // {valid, epoch, name}
    localparam STATE_WIDTH = `MOEHUB_REPLACEMENT_WIDTH(WAYS, REPLACEMENT);
    // The comparison with a tag takes two stages: groups of 8 bits, then all groups.
    localparam GROUPS      = (KEY_WIDTH + 7) / 8;
    localparam PADDED      = GROUPS * 8;
    localparam [31:0] LAST_SET = SETS - 1;
    localparam [SET_WIDTH - 1:0] SET_ONE = 1;

    // The hash reads the whole EXPERT_WIDTH and CONTEXT_WIDTH fields: context * 2^(ROW_INDEX_WIDTH + EXPERT_WIDTH) + ...
    wire [SET_WIDTH - 1:0] s2_set;
    moehub_al_index #(.SETS(SETS), .KEY_WIDTH(NAME_WIDTH)) u_index (.key(key_name), .index(s2_set));

    // ---- the key travels along --------------------------------------------------------------------------------------
    reg                     s2_valid_q;
    reg [NAME_WIDTH - 1:0]  s2_name_q;
    reg [NAME_WIDTH - 1:0]  s3_name_q;
    reg [NAME_WIDTH - 1:0]  s4_name_q;
    reg [NAME_WIDTH - 1:0]  s5_name_q;
    reg [NAME_WIDTH - 1:0]  s6_name_q;
    reg [EPOCH_WIDTH - 1:0] s2_epoch_q;
    reg [EPOCH_WIDTH - 1:0] s3_epoch_q;
    reg [EPOCH_WIDTH - 1:0] s4_epoch_q;
    reg [EPOCH_WIDTH - 1:0] s5_epoch_q;
    reg [EPOCH_WIDTH - 1:0] s6_epoch_q;
    reg [SET_WIDTH - 1:0]   s2_set_q;
    reg [SET_WIDTH - 1:0]   s3_set_q;
    reg [SET_WIDTH - 1:0]   s4_set_q;
    reg [SET_WIDTH - 1:0]   s5_set_q;
    reg [SET_WIDTH - 1:0]   s6_set_q;

    always @(posedge clk) begin
        s2_valid_q <= key_valid;
        if (rst) s2_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        {s2_name_q, s3_name_q, s4_name_q, s5_name_q, s6_name_q}      <= {key_name, s2_name_q, s3_name_q, s4_name_q, s5_name_q};
        {s2_epoch_q, s3_epoch_q, s4_epoch_q, s5_epoch_q, s6_epoch_q} <=
            {key_epoch, s2_epoch_q, s3_epoch_q, s4_epoch_q, s5_epoch_q};
        {s2_set_q, s3_set_q, s4_set_q, s5_set_q, s6_set_q}           <= {s2_set, s2_set_q, s3_set_q, s4_set_q, s5_set_q};
    end

    // Is the request d before this one in the same set, of the same name? The epoch need not be compared: it is the
    // context's, and no context changes while requests are inside.
    reg [4:1] s3_same_set_q;
    reg [4:1] s3_same_name_q;
    reg [2:1] s4_same_set_q;
    reg [2:1] s4_same_name_q;

    always @(posedge clk) begin
        s3_same_set_q  <= {s6_set_q == s2_set_q, s5_set_q == s2_set_q, s4_set_q == s2_set_q, s3_set_q == s2_set_q};
        s3_same_name_q <= {s6_name_q == s2_name_q, s5_name_q == s2_name_q, s4_name_q == s2_name_q, s3_name_q == s2_name_q};
        s4_same_set_q  <= s3_same_set_q[2:1];
        s4_same_name_q <= s3_same_name_q[2:1];
    end

    // ---- outcomes of the lookups ahead ------------------------------------------------------------------------------
    wire                     s6_lookup;
    wire [WAYS - 1:0]        s6_fill; // one-hot: the way that this lookup fills, none on a hit
    wire [STATE_WIDTH - 1:0] s6_state;
    reg                      s6_lookup_q;
    reg  [WAYS - 1:0]        s6_fill_q;
    reg  [STATE_WIDTH - 1:0] s6_state_q;
    reg                      s7_lookup_q;
    reg  [WAYS - 1:0]        s7_fill_q;
    reg  [STATE_WIDTH - 1:0] s7_state_q;

    // ---- stage 3: tags and replacement state are read ---------------------------------------------------------------
    reg                        invalidating_q;
    reg                        invalidate_write_q;
    reg  [SET_WIDTH - 1:0]     invalidate_set_q;
    reg  [CONTEXT_WIDTH - 1:0] invalidate_context_q;

    wire                     s3_read     = (s2_valid_q || (invalidating_q && !invalidate_write_q)) && !rst;
    wire [SET_WIDTH - 1:0]   s3_read_set = invalidating_q ? invalidate_set_q : s2_set_q;
    wire [STATE_WIDTH - 1:0] s3_state_rdata;
    wire [WAYS * TAG_WIDTH - 1:0] s3_tags_rdata;
    wire [PADDED - 1:0]      s4_wanted   = {{PADDED - KEY_WIDTH{1'b0}}, s3_epoch_q, s3_name_q};

    moehub_memory_1r1w #(.WIDTH(STATE_WIDTH), .DEPTH(SETS), .PARITY(PARITY)) u_states (
        .clk(clk), .write_enable(set_clear || s6_lookup_q), .write_address(set_clear ? set_address : s6_set_q),
        .write_data(set_clear ? {STATE_WIDTH{1'b0}} : s6_state_q),
        .read_enable(s3_read), .read_address(s3_read_set), .read_data(s3_state_rdata), .parity_error(tags_parity[0])
    );

    // ---- stages 4 and 5: compare, and let the lookups ahead overrule what was read ----------------------------------
    reg  [STATE_WIDTH - 1:0] s4_state_q;
    reg  [STATE_WIDTH - 1:0] s5_state_in_q;
    wire [WAYS - 1:0]        s6_hit;
    wire [WAYS - 1:0]        s6_filled;

    always @(posedge clk) begin
        s4_state_q    <= s3_same_set_q[3] && s6_lookup_q ? s6_state_q : s3_same_set_q[4] && s7_lookup_q ? s7_state_q
                                                                      : s3_state_rdata;
        s5_state_in_q <= s4_same_set_q[1] && s6_lookup ? s6_state : s4_same_set_q[2] && s6_lookup_q ? s6_state_q : s4_state_q;
    end

    wire [WAYS - 1:0] way_parity;
    assign tags_parity[1] = |way_parity;
    genvar w;
    genvar g;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            wire [TAG_WIDTH - 1:0] s3_tag_rdata   = s3_tags_rdata[w * TAG_WIDTH +: TAG_WIDTH];
            wire [PADDED - 1:0]    s4_found = {{PADDED - KEY_WIDTH{1'b0}}, s3_tag_rdata[NAME_WIDTH +: EPOCH_WIDTH],
                                               s3_tag_rdata[NAME_WIDTH - 1:0]};
            wire                   drop    = invalidate_write_q && s3_tag_rdata[KEY_WIDTH]
                                              && s3_tag_rdata[NAME_WIDTH - 1 -: CONTEXT_WIDTH] == invalidate_context_q;
            moehub_memory_1r1w #(.WIDTH(TAG_WIDTH), .DEPTH(SETS), .PARITY(PARITY)) u_tags (
                .clk(clk),
                .write_enable(set_clear || drop || s6_fill_q[w]),
                .write_address(set_clear ? set_address : invalidating_q ? invalidate_set_q : s6_set_q),
                .write_data(set_clear || invalidating_q ? {TAG_WIDTH{1'b0}} : {1'b1, s6_epoch_q, s6_name_q}),
                .read_enable(s3_read), .read_address(s3_read_set), .read_data(s3_tags_rdata[w * TAG_WIDTH +: TAG_WIDTH]), 
                .parity_error(way_parity[w])
            );

            reg [GROUPS - 1:0] s4_equal_q;
            reg                s4_filled_q;
            reg                s4_ahead_q;      // a lookup ahead has refilled this way
            reg                s4_ahead_name_q; // ... with this name
            reg                s5_hit_q;
            reg                s5_filled_q;

            wire s4_ahead = s3_same_set_q[3] && s6_fill_q[w];
            wire s4_far   = s3_same_set_q[4] && s7_fill_q[w];
            for (g = 0; g < GROUPS; g = g + 1) begin : g_group
                always @(posedge clk) begin
                    s4_equal_q[g] <= s4_found[g * 8 +: 8] == s4_wanted[g * 8 +: 8];
                end
            end
            wire s5_near_fill  = s4_same_set_q[1] && s6_fill[w];
            wire s5_ahead_fill = s4_same_set_q[2] && s6_fill_q[w];
            always @(posedge clk) begin
                s4_filled_q     <= s3_tag_rdata[KEY_WIDTH] || s4_ahead || s4_far;
                s4_ahead_q      <= s4_ahead || s4_far;
                s4_ahead_name_q <= s4_ahead ? s3_same_name_q[3] : s3_same_name_q[4];
                s5_filled_q     <= s4_filled_q || s5_near_fill || s5_ahead_fill;
                s5_hit_q        <= s5_near_fill  ? s4_same_name_q[1]
                                : s5_ahead_fill ? s4_same_name_q[2]
                                : s4_ahead_q    ? s4_ahead_name_q : s4_filled_q && &s4_equal_q;
            end
            assign s6_hit[w]    = s5_hit_q;
            assign s6_filled[w] = s5_filled_q;
        end
    endgenerate

    // ---- stage 6: the outcome ---------------------------------------------------------------------------------------
    wire [WAYS - 1:0] s6_way;
    wire              s6_miss;
    wire              s6_evict;
    moehub_replacement #(.WAYS(WAYS), .POLICY(REPLACEMENT)) u_replacement (
        .state(s5_state_in_q), .valid(s6_filled), .hit(s6_hit), .way(s6_way), .miss(s6_miss), .evict(s6_evict),
        .next_state(s6_state)
    );
    wire [ID_WIDTH - 1:0]   unused_id;
    wire [PORT_WIDTH - 1:0] unused_port;
    wire [2:0]              s6_status;
    wire [SLOT_WIDTH - 1:0] unused_value;
    assign `MOEHUB_VERDICT(unused_id, unused_port, s6_status, unused_value) = verdict;
    assign s6_lookup = verdict_valid && s6_status == 3'd`MOEHUB_STATUS_OK;
    assign s6_fill   = s6_way & {WAYS{s6_miss && s6_lookup}};

    reg                    s6_valid_q;
    reg                    s6_first_q;
    reg                    s6_miss_q;
    reg                    s6_evict_q;
    reg [WAYS - 1:0]       s6_way_q;
    reg [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] s6_verdict_q;

    always @(posedge clk) begin
        s6_valid_q  <= verdict_valid;
        s6_lookup_q <= s6_lookup;
        s7_lookup_q <= s6_lookup_q;
        s6_fill_q   <= s6_fill;
        s7_fill_q   <= s6_fill_q;
        if (rst) begin
            s6_valid_q  <= 1'b0;
            s6_lookup_q <= 1'b0;
            s7_lookup_q <= 1'b0;
            s6_fill_q   <= {WAYS{1'b0}};
            s7_fill_q   <= {WAYS{1'b0}};
        end
    end

    always @(posedge clk) begin
        s6_state_q   <= s6_state;
        s7_state_q   <= s6_state_q;
        s6_first_q   <= verdict_first;
        s6_miss_q    <= s6_miss;
        s6_evict_q   <= s6_evict;
        s6_way_q     <= s6_way;
        s6_verdict_q <= verdict;
    end

    // ---- stage 7: written to the memories, handed on ----------------------------------------------------------------
    wire [`MOEHUB_INDEX_WIDTH(WAYS) - 1:0] s7_way;
    moehub_one_hot_index #(.WIDTH(WAYS)) u_way (.one_hot(s6_way_q), .index(s7_way));
    generate
        if (SETS == 1) begin : g_line_of_way
            assign tagged_line = s7_way;
        end else if (WAYS == 1) begin : g_line_of_set
            assign tagged_line = s6_set_q;
            wire unused_way = &{1'b0, s7_way};
        end else begin : g_line
            assign tagged_line = {s7_way, s6_set_q};
        end
    endgenerate

    assign tagged_valid   = s6_valid_q;
    assign tagged_ok      = s6_lookup_q;
    assign tagged_first   = s6_first_q;
    assign tagged_miss    = s6_miss_q;
    assign tagged_evict   = s6_evict_q;
    assign tagged_verdict = s6_verdict_q;
    assign tagged_name    = s6_name_q;

    // ---- dropping one context's lines: read a set, then write the ways that belong to it ----------------------------
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
