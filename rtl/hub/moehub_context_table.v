// SPDX-License-Identifier: Apache-2.0
// Purpose: the context table, and the commands that change it and the memories behind it.
// Contract:
//   1. A command is accepted when every request accepted before it has passed the front (front_empty): `open` is low from the
//      cycle after command_valid until the result was taken. It is judged in the cycle before its acceptance, while its operands
//      must be stable, and takes effect at acceptance: no copy of the operands is kept, but of what is needed later.
//   2. What each command does and why it is refused: doc/address_path.md section 5, with two stages doc/hub/address_stages.md.
//   3. After reset and FLUSH a walk clears every set, region, base and peer word: `initialised` is low meanwhile.
//   4. The memories are only written while no request is inside the front.
//   5. REGION_SET writes the base of stage 1 one cycle after that of stage 0. Bases: region r, stage s at r * STAGES + s.
// Cost: a simple command takes about ten cycles; ACKNOWLEDGE_CLEAR max(2 * SETS, LOCAL_EXPERTS) more;
//   the walk max(SETS, STAGES * regions, CONTEXTS * ceil(GPUS / 32)) + 1. Context state in flops.
// Proved: formal/hub/formal_context_table.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_context_table #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter GPUS            = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter OFFSET_WIDTH    = 14,
    parameter ADDRESS_WIDTH   = 48,
    parameter SETS            = 128,
    parameter STAGES          = 1
) (
    input  wire                                       clk,
    input  wire                                       rst,
    input  wire                                       command_valid,
    output wire                                       command_ready,
    input  wire [3:0]                                 command_operation,
    input  wire [7:0]                                 command_context,
    input  wire [15:0]                                command_index,
    input  wire [63:0]                                command_data0,
    input  wire [63:0]                                command_data1,
    output wire                                       result_valid,
    input  wire                                       result_ready,
    output wire                                       result_refused,
    output wire                                       result_in_flight,
    output wire [63:0]                                result_data0,
    output wire [63:0]                                result_data1,
    // requests
    output wire                                       initialised,
    output wire                                       open,
    input  wire                                       front_empty,
    input  wire [CONTEXTS - 1:0]                      in_flight,
    // the table
    output wire [CONTEXTS - 1:0]                      enabled,
    output wire [CONTEXTS - 1:0]                      clear_needed,
    output wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]  epochs,
    output wire [CONTEXTS * ADDRESS_WIDTH - 1:0]      table_bases,
    output wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0] row_limits,
    output wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0] row_sizes, // of context c, stage s at c * STAGES + s
    // memories
    output wire                                       set_clear,
    output wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0]     set_address,
    output wire                                       invalidate_start,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] invalidate_context,
    input  wire                                       invalidate_busy,
    output wire                                       region_write,
    output wire                                       next_clear,
    output wire                                       region_read,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS) - 1:0] region_address,
    output wire [SLOT_WIDTH - 1:0]                    region_capacity,
    input  wire [SLOT_WIDTH - 1:0]                    read_capacity,
    input  wire [31:0]                                read_next,
    output wire                                       base_write,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS * STAGES) - 1:0] base_address,
    output wire [ADDRESS_WIDTH - 1:0]                 region_base,
    output wire                                       base_read,
    input  wire                                       base_read_done,
    input  wire [ADDRESS_WIDTH - 1:0]                 base_word,
    output wire                                       peers_write,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * ((GPUS + 31) / 32)) - 1:0] peers_address,
    output wire [31:0]                                peers_word,
    output wire                                       refused_valid // a command is refused; its operands are still there
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EPOCH_WIDTH   = 32 - SLOT_WIDTH;
    localparam LIMIT_WIDTH   = ROW_INDEX_WIDTH + 1;
    localparam SIZE_WIDTH    = OFFSET_WIDTH + 1;
    localparam SET_WIDTH     = `MOEHUB_INDEX_WIDTH(SETS);
    localparam REGIONS       = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(REGIONS);
    localparam PEER_WORDS    = (GPUS + 31) / 32;
    localparam PEER_DEPTH    = CONTEXTS * PEER_WORDS;
    localparam PEER_WIDTH    = `MOEHUB_INDEX_WIDTH(PEER_DEPTH);
    localparam BASES         = REGIONS * STAGES;
    localparam BASE_WIDTH    = `MOEHUB_INDEX_WIDTH(BASES);
    localparam WALK_SETS     = SETS > BASES ? SETS : BASES;
    localparam WALK          = WALK_SETS > PEER_DEPTH ? WALK_SETS : PEER_DEPTH;
    localparam WALK_WIDTH    = $clog2(WALK + 1);
    localparam EPOCH_SHOWN   = EPOCH_WIDTH < 10 ? EPOCH_WIDTH : 10;

    localparam [31:0] WALK_32     = WALK;
    localparam [31:0] SETS_32     = SETS;
    localparam [31:0] REGIONS_32  = REGIONS;
    localparam [31:0] BASES_32    = BASES;
    localparam [31:0] STAGES_32   = STAGES;
    localparam [31:0] PEERS_32    = PEER_DEPTH;
    localparam [31:0] WORDS_32    = PEER_WORDS;
    localparam [31:0] EXPERTS_32  = LOCAL_EXPERTS;
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [EPOCH_WIDTH - 1:0] EPOCH_ONE = 1;
    localparam [32:0] ROW_LIMIT_MAX = 33'd1 << ROW_INDEX_WIDTH;
    localparam [16:0] ROW_SIZE_MAX  = 17'd1 << OFFSET_WIDTH;
    localparam [63:0] SLOT_LIMIT    = 64'd1 << SLOT_WIDTH;

    localparam [3:0] INITIALISE = 4'd0;  // the walk
    localparam [3:0] IDLE       = 4'd1;  // requests flow
    localparam [3:0] DRAIN      = 4'd2;  // the front empties
    localparam [3:0] ACCEPT     = 4'd3;  // the command is taken and takes effect
    localparam [3:0] READ       = 4'd4;  // REGION_GET: the AAU's memories
    localparam [3:0] READ_WAIT  = 4'd5;
    localparam [3:0] READ_BASE  = 4'd6;  // ... and the answer pipe's
    localparam [3:0] FORGET     = 4'd7;  // ACKNOWLEDGE_CLEAR: next slots and lines of the context
    localparam [3:0] RESULT     = 4'd8;

    reg [3:0]              state_q;
    reg [WALK_WIDTH - 1:0] walk_q;
    reg [2:0]              settle_q; // cycles for which the front has been empty

    // ---- the command ------------------------------------------------------------------------------------------------
    wire is_context_set = command_operation == 4'd`MOEHUB_HUB_COMMAND_CONTEXT_SET;
    wire is_peers_set   = command_operation == 4'd`MOEHUB_HUB_COMMAND_PEERS_SET;
    wire is_region_set  = command_operation == 4'd`MOEHUB_HUB_COMMAND_REGION_SET;
    wire is_enable      = command_operation == 4'd`MOEHUB_HUB_COMMAND_ENABLE;
    wire is_disable     = command_operation == 4'd`MOEHUB_HUB_COMMAND_DISABLE;
    wire is_advance     = command_operation == 4'd`MOEHUB_HUB_COMMAND_ADVANCE;
    wire is_acknowledge = command_operation == 4'd`MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR;
    wire is_flush       = command_operation == 4'd`MOEHUB_HUB_COMMAND_FLUSH;
    wire is_context_get = command_operation == 4'd`MOEHUB_HUB_COMMAND_CONTEXT_GET;
    wire is_region_get  = command_operation == 4'd`MOEHUB_HUB_COMMAND_REGION_GET;
    wire is_stage_set   = STAGES > 1 && command_operation == 4'd`MOEHUB_HUB_COMMAND_STAGE_SET;
    wire is_base_set    = STAGES > 1 && command_operation == 4'd`MOEHUB_HUB_COMMAND_BASE_SET;
    wire is_known       = command_operation <= 4'd`MOEHUB_HUB_COMMAND_REGION_GET || is_stage_set || is_base_set;
    wire is_harmless    = is_disable || is_context_get || is_region_get; // works on an active context

    // ---- the context table ------------------------------------------------------------------------------------------
    reg [CONTEXTS - 1:0]                 enabled_q;
    reg [CONTEXTS - 1:0]                 clear_needed_q;
    reg [CONTEXTS - 1:0]                 advance_needed_q;
    reg [CONTEXTS * EPOCH_WIDTH - 1:0]   epochs_q;
    reg [CONTEXTS * ADDRESS_WIDTH - 1:0] table_bases_q;
    reg [CONTEXTS * LIMIT_WIDTH - 1:0]   row_limits_q;
    reg [CONTEXTS * STAGES * SIZE_WIDTH - 1:0] row_sizes_q;

    assign enabled      = enabled_q;
    assign clear_needed = clear_needed_q;
    assign epochs       = epochs_q;
    assign table_bases  = table_bases_q;
    assign row_limits   = row_limits_q;
    assign row_sizes    = row_sizes_q;

    wire                       in_range = {24'd0, command_context} < CONTEXTS_32;
    wire [CONTEXT_WIDTH - 1:0] chosen   = in_range ? command_context[CONTEXT_WIDTH - 1:0] : {CONTEXT_WIDTH{1'b0}};
    // From acceptance on the command's context comes from a register.
    reg  [CONTEXT_WIDTH - 1:0] kept_q;
    wire [EPOCH_WIDTH - 1:0]   epoch    = epochs_q[kept_q * EPOCH_WIDTH +: EPOCH_WIDTH];
    wire                       busy     = is_flush ? |in_flight : in_range && in_flight[chosen];
    wire                       active   = enabled_q[chosen] || busy;

    // ---- why a command is refused -----------------------------------------------------------------------------------
    wire base_beyond;
    generate
        if (ADDRESS_WIDTH == 64) begin : g_base_64
            assign base_beyond = 1'b0;
        end else begin : g_base
            assign base_beyond = |command_data0[63:ADDRESS_WIDTH];
        end
    endgenerate
    // With two stages rows are whole beats of 16 bytes, and bases whole lines of 128.
    wire odd_size   = STAGES > 1 && command_data1[35:32] != 4'd0;
    wire odd_base   = STAGES > 1 && command_data0[6:0] != 7'd0;
    wire bad_size   = command_data1[48:32] == 17'd0 || command_data1[48:32] > ROW_SIZE_MAX || odd_size;
    wire bad_layout = command_data0[1:0] != 2'd0 || base_beyond || bad_size || {1'b0, command_data1[31:0]} > ROW_LIMIT_MAX;
    wire bad_peers  = {16'd0, command_index} >= WORDS_32;
    // Bit 15 of REGION_GET's index is no part of the expert, it asks for stage 1.
    wire        asks_combine = STAGES > 1 && is_region_get && command_index[15];
    wire [15:0] expert       = {command_index[15] && !asks_combine, command_index[14:0]};
    wire bad_expert = {16'd0, expert} >= EXPERTS_32;
    wire bad_base   = bad_expert || base_beyond || odd_base;
    wire bad_region = bad_base || {32'd0, command_data1[31:0]} >= SLOT_LIMIT;
    wire bad_stage  = command_index > 16'd1 || bad_size;
    wire refuse = is_flush ? |enabled_q || |in_flight
        : !is_known || !in_range || (!is_harmless && active)
            || (is_context_set && bad_layout) || (is_peers_set && bad_peers) || (is_region_set && bad_region)
            || (is_stage_set && bad_stage) || (is_base_set && bad_base)
            || (is_enable && (clear_needed_q[chosen] || advance_needed_q[chosen]))
            || (is_advance && clear_needed_q[chosen]) || (is_acknowledge && !clear_needed_q[chosen])
            || (is_region_get && bad_expert);

    reg refuse_q;
    reg busy_q;

    // ---- order of events --------------------------------------------------------------------------------------------
    wire execute      = state_q == ACCEPT && !refuse_q;
    wire walk_done    = walk_q == WALK_32[WALK_WIDTH - 1:0];
    wire forget_done  = {{32 - WALK_WIDTH{1'b0}}, walk_q} >= EXPERTS_32;
    reg  flushing_q;
    reg  forget_started_q; // the AL-TLB's walk needs a cycle to say that it is busy

    reg command_ready_q;
    reg result_valid_q;
    reg open_q;
    reg initialised_q;
    reg invalidate_start_q;

    always @(posedge clk) begin
        case (state_q)
            INITIALISE: if (walk_done) state_q <= flushing_q ? RESULT : IDLE;
            IDLE:       if (command_valid) state_q <= DRAIN;
            DRAIN:      if (settle_q == 3'd7) state_q <= ACCEPT;
            ACCEPT:     state_q <= refuse_q       ? RESULT
                                 : is_flush       ? INITIALISE
                                 : is_acknowledge ? FORGET
                                 : is_region_get  ? READ : RESULT;
            READ:       state_q <= READ_WAIT;
            READ_WAIT:  state_q <= READ_BASE;
            READ_BASE:  if (base_read_done) state_q <= RESULT;
            FORGET:     if (forget_done && forget_started_q && !invalidate_busy && !invalidate_start_q) state_q <= RESULT;
            RESULT:     if (result_valid_q && result_ready) state_q <= IDLE;
            default:    state_q <= IDLE;
        endcase
        if (rst) state_q <= INITIALISE;
    end

    assign command_ready    = command_ready_q;
    assign result_valid     = result_valid_q;
    assign open             = open_q;
    assign initialised      = initialised_q;
    assign invalidate_start = invalidate_start_q;
    assign refused_valid    = state_q == ACCEPT && refuse_q;

    always @(posedge clk) begin
        settle_q           <= state_q == DRAIN && front_empty ? settle_q + 3'd1 : 3'd0;
        walk_q             <= state_q == INITIALISE || state_q == FORGET ? walk_q + {{WALK_WIDTH - 1{1'b0}}, !walk_done}
                                                                         : {WALK_WIDTH{1'b0}};
        command_ready_q    <= state_q == DRAIN && settle_q == 3'd7;
        result_valid_q     <= state_q == RESULT && !(result_valid_q && result_ready);
        open_q             <= state_q == IDLE && !command_valid;
        initialised_q      <= state_q != INITIALISE;
        invalidate_start_q <= execute && is_acknowledge;
        forget_started_q   <= state_q == FORGET;
        if (execute && is_flush) flushing_q <= 1'b1;
        else if (state_q == RESULT) flushing_q <= 1'b0;
        if (rst) begin
            settle_q           <= 3'd0;
            walk_q             <= {WALK_WIDTH{1'b0}};
            command_ready_q    <= 1'b0;
            result_valid_q     <= 1'b0;
            open_q             <= 1'b0;
            initialised_q      <= 1'b0;
            invalidate_start_q <= 1'b0;
            forget_started_q   <= 1'b0;
            flushing_q         <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (state_q == DRAIN) begin
            refuse_q <= refuse;
            busy_q   <= busy;
            kept_q   <= chosen;
        end
    end

    assign result_refused    = refuse_q;
    assign result_in_flight  = busy_q;

    // ---- effects on the context table -------------------------------------------------------------------------------
    wire        last_epoch   = &epoch;
    wire [32:0] limit_wanted = {1'b0, command_data1[31:0]};
    genvar c;
    genvar s;
    generate
        for (c = 0; c < CONTEXTS; c = c + 1) begin : g_context
            localparam [31:0] NAME = c;
            wire mine = execute && kept_q == NAME[CONTEXT_WIDTH - 1:0] && !is_flush;
            always @(posedge clk) begin
                if (mine && is_enable) enabled_q[c] <= 1'b1;
                if (mine && is_disable) enabled_q[c] <= 1'b0;
                if (mine && (is_context_set || (is_advance && last_epoch))) clear_needed_q[c] <= 1'b1;
                if (mine && is_acknowledge) clear_needed_q[c] <= 1'b0;
                if (mine && is_region_set) advance_needed_q[c] <= 1'b1;
                if (mine && (is_acknowledge || (is_advance && !last_epoch))) advance_needed_q[c] <= 1'b0;
                if (mine && is_advance && !last_epoch) epochs_q[c * EPOCH_WIDTH +: EPOCH_WIDTH] <= epoch + EPOCH_ONE;
                if (mine && is_acknowledge) epochs_q[c * EPOCH_WIDTH +: EPOCH_WIDTH] <= EPOCH_ONE;
                if (mine && is_context_set) begin
                    table_bases_q[c * ADDRESS_WIDTH +: ADDRESS_WIDTH] <= command_data0[ADDRESS_WIDTH - 1:0];
                    row_limits_q[c * LIMIT_WIDTH +: LIMIT_WIDTH]      <= limit_wanted[LIMIT_WIDTH - 1:0];
                end
                if (rst || (execute && is_flush)) begin
                    enabled_q[c]        <= 1'b0;
                    clear_needed_q[c]   <= 1'b1;
                    advance_needed_q[c] <= 1'b0;
                    epochs_q[c * EPOCH_WIDTH +: EPOCH_WIDTH]          <= {EPOCH_WIDTH{1'b0}};
                    table_bases_q[c * ADDRESS_WIDTH +: ADDRESS_WIDTH] <= {ADDRESS_WIDTH{1'b0}};
                    row_limits_q[c * LIMIT_WIDTH +: LIMIT_WIDTH]      <= {LIMIT_WIDTH{1'b0}};
                end
            end
            for (s = 0; s < STAGES; s = s + 1) begin : g_stage
                localparam AT = (c * STAGES + s) * SIZE_WIDTH;
                always @(posedge clk) begin
                    if (mine && (is_context_set || (is_stage_set && command_index[0] == (s == 1))))
                        row_sizes_q[AT +: SIZE_WIDTH] <= command_data1[32 +: SIZE_WIDTH];
                    if (rst || (execute && is_flush)) row_sizes_q[AT +: SIZE_WIDTH] <= {SIZE_WIDTH{1'b0}};
                end
            end
        end
    endgenerate

    // ---- effects on the memories ------------------------------------------------------------------------------------
    wire [31:0] walk_32   = {{32 - WALK_WIDTH{1'b0}}, walk_q};
    wire        walking   = state_q == INITIALISE;
    wire        forget    = state_q == FORGET && !forget_done;
    // The region of the command, stage and base are kept for REGION_GET and for the second base of REGION_SET;
    // ACKNOWLEDGE_CLEAR walks from the context's first region.
    reg  [REGION_WIDTH - 1:0]  region_q;
    reg                        stage_q;
    reg  [ADDRESS_WIDTH - 1:0] base_q;
    reg                        second_q; // the cycle of the second base
    wire [31:0] region_32 = {{32 - CONTEXT_WIDTH{1'b0}}, kept_q} * EXPERTS_32
        + (state_q == FORGET ? walk_32 : {16'd0, expert});
    wire [31:0] peers_32  = {{32 - CONTEXT_WIDTH{1'b0}}, kept_q} * WORDS_32 + {16'd0, command_index};

    wire                       kept      = state_q == READ || state_q == READ_BASE || second_q;
    wire [REGION_WIDTH - 1:0]  region    = kept ? region_q : region_32[REGION_WIDTH - 1:0];
    wire                       stage     = kept ? stage_q : is_base_set;
    wire [31:0]                base_32   = walking ? walk_32
                                         : {{32 - REGION_WIDTH{1'b0}}, region} * STAGES_32 + {31'd0, stage};

    always @(posedge clk) begin
        if (state_q == ACCEPT) begin
            region_q <= region_32[REGION_WIDTH - 1:0];
            stage_q  <= STAGES > 1 && (is_region_set || asks_combine);
            base_q   <= command_data0[ADDRESS_WIDTH - 1:0];
        end
    end
    always @(posedge clk) begin
        second_q <= STAGES > 1 && execute && is_region_set;
        if (rst) second_q <= 1'b0;
    end

    assign set_clear          = walking && walk_32 < SETS_32;
    assign set_address        = walk_32[SET_WIDTH - 1:0];
    assign invalidate_context = kept_q;
    assign region_write       = walking ? walk_32 < REGIONS_32 : execute && is_region_set;
    assign next_clear         = walking ? walk_32 < REGIONS_32 : forget;
    assign region_read        = state_q == READ;
    assign region_address     = walking ? walk_32[REGION_WIDTH - 1:0] : region;
    assign region_capacity    = walking ? {SLOT_WIDTH{1'b0}} : command_data1[SLOT_WIDTH - 1:0];
    assign base_write         = walking ? walk_32 < BASES_32 : (execute && (is_region_set || is_base_set)) || second_q;
    assign base_address       = base_32[BASE_WIDTH - 1:0];
    assign region_base        = walking ? {ADDRESS_WIDTH{1'b0}} : second_q ? base_q : command_data0[ADDRESS_WIDTH - 1:0];
    assign base_read          = state_q == READ_BASE;
    assign peers_write        = walking ? walk_32 < PEERS_32 : execute && is_peers_set;
    assign peers_address      = walking ? walk_32[PEER_WIDTH - 1:0] : peers_32[PEER_WIDTH - 1:0];
    assign peers_word         = walking ? 32'd0 : command_data0[31:0];

    // ---- what the GET commands return -------------------------------------------------------------------------------
    reg [63:0] result_data0_q;
    reg [63:0] result_data1_q;
    reg [63:0] context_data1;
    reg [63:0] region_data1;
    wire        size_stage = STAGES > 1 && command_index == 16'd1;
    wire [31:0] size_at    = {{32 - CONTEXT_WIDTH{1'b0}}, kept_q} * STAGES_32 + {31'd0, size_stage};

    always @* begin
        context_data1 = 64'd0;
        context_data1[LIMIT_WIDTH - 1:0] = row_limits_q[kept_q * LIMIT_WIDTH +: LIMIT_WIDTH];
        context_data1[48:32]             = 17'd0;
        context_data1[32 +: SIZE_WIDTH]  = row_sizes_q[size_at * SIZE_WIDTH +: SIZE_WIDTH];
        context_data1[49 +: EPOCH_SHOWN] = epoch[EPOCH_SHOWN - 1:0];
        context_data1[60]                = busy_q;
        context_data1[61]                = advance_needed_q[kept_q];
        context_data1[62]                = clear_needed_q[kept_q];
        context_data1[63]                = enabled_q[kept_q];
        region_data1 = 64'd0;
        region_data1[SLOT_WIDTH - 1:0]   = read_capacity;
        region_data1[32 +: SLOT_WIDTH]   = read_next[SLOT_WIDTH - 1:0] & {SLOT_WIDTH{read_next[31:SLOT_WIDTH] == epoch}};
    end

    always @(posedge clk) begin
        if (state_q == ACCEPT) begin
            result_data0_q <= 64'd0;
            result_data1_q <= 64'd0;
            if (execute && is_context_get) begin
                result_data0_q[ADDRESS_WIDTH - 1:0] <= table_bases_q[kept_q * ADDRESS_WIDTH +: ADDRESS_WIDTH];
                result_data1_q                      <= context_data1;
            end
        end
        if (state_q == READ_WAIT) result_data1_q <= region_data1;
        if (base_read_done) result_data0_q[ADDRESS_WIDTH - 1:0] <= base_word;
    end

    assign result_data0 = result_data0_q;
    assign result_data1 = result_data1_q;

    wire unused = &{1'b0, region_32, base_32, peers_32, walk_32, limit_wanted, command_data1[63:49]};
endmodule

`default_nettype wire
