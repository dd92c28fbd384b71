// SPDX-License-Identifier: Apache-2.0
// Purpose: the AAU's pipeline: checks a request against its context and region and gives a first touch its slot.
// Contract:
//   1. One request a cycle, never stalled: accepted_* is stage 0, key_* (the AL-TLB's key) stage 1, verdict_* stage 5.
//   2. verdict_status is the first failing check of doc/address_path.md section 4, or OK. verdict_first: a slot was taken;
//      verdict_value is then the slot, else the region's capacity.
//   3. A request sees every allocation of the requests before it. The next-slot memory is written at stage 5; what stages 4 to 6
//      know but stage 1 could not read is forwarded, at distances 1 to 4.
//   4. Next slots carry their epoch: an entry of another epoch counts as slot 0.
//   5. The write ports serve initialisation and commands, while no request is inside.
// Cost: latency 5; memories: regions x SLOT_WIDTH (capacity), regions x 32 (epoch, next slot), CONTEXTS * ceil(GPUS / 32) x 32 (peers).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_addr_alloc #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter GPUS            = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter OFFSET_WIDTH    = 14,
    parameter PORTS           = 16,
    parameter WAITING         = 128
) (
    input  wire                                                   clk,
    input  wire                                                   rst,
    // context table
    input  wire [CONTEXTS - 1:0]                                  enabled,
    input  wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]              epochs,
    input  wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0]          row_limits,
    input  wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0]             row_sizes,
    // memory writes of commands and initialisation, and the read of REGION_GET
    input  wire                                                   region_write,
    input  wire                                                   next_clear,
    input  wire                                                   region_read,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS) - 1:0] region_address,
    input  wire [SLOT_WIDTH - 1:0]                                region_capacity,
    output wire [SLOT_WIDTH - 1:0]                                read_capacity,
    output wire [31:0]                                            read_next,
    input  wire                                                   peers_write,
    input  wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * ((GPUS + 31) / 32)) - 1:0] peers_address,
    input  wire [31:0]                                            peers_word,
    // stage 0
    input  wire                                                   accepted_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0]              accepted_id,
    input  wire                                                   accepted_operation,
    input  wire                                                   accepted_first,
    input  wire [2:0]                                             accepted_context,
    input  wire [15:0]                                            accepted_expert,
    input  wire [31:0]                                            accepted_row_index,
    input  wire [15:0]                                            accepted_offset,
    input  wire [8:0]                                             accepted_length,
    input  wire [9:0]                                             accepted_source,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]                accepted_port,
    // stage 1: the key
    output wire                                                   key_valid,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0]             key_context,
    output wire [`MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS) - 1:0]        key_expert,
    output wire [ROW_INDEX_WIDTH - 1:0]                           key_row_index,
    output wire [31 - SLOT_WIDTH:0]                               key_epoch,
    // stage 5: the verdict
    output wire                                                   verdict_valid,
    output wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0]              verdict_id,
    output wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]                verdict_port,
    output wire [2:0]                                             verdict_status,
    output wire                                                   verdict_first,
    output wire [SLOT_WIDTH - 1:0]                                verdict_value
);

    localparam CONTEXT_WIDTH = `MOEHUB_INDEX_WIDTH(CONTEXTS);
    localparam EXPERT_WIDTH  = `MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS);
    localparam PORT_WIDTH    = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ID_WIDTH      = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam REGIONS       = CONTEXTS * LOCAL_EXPERTS;
    localparam REGION_WIDTH  = `MOEHUB_INDEX_WIDTH(REGIONS);
    localparam EPOCH_WIDTH   = 32 - SLOT_WIDTH;
    localparam LIMIT_WIDTH   = ROW_INDEX_WIDTH + 1;
    localparam SIZE_WIDTH    = OFFSET_WIDTH + 1;
    localparam PEER_WORDS    = (GPUS + 31) / 32;
    localparam PEER_WIDTH    = `MOEHUB_INDEX_WIDTH(CONTEXTS * PEER_WORDS);
    localparam CARRY_WIDTH   = ID_WIDTH + PORT_WIDTH;

    localparam [SLOT_WIDTH - 1:0] SLOT_ONE = 1;
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [31:0] EXPERTS_32  = LOCAL_EXPERTS;
    localparam [31:0] GPUS_32     = GPUS;
    localparam [31:0] WORDS_32    = PEER_WORDS;

    // ---- stage 0: which context, which region, which peer word ---------------------------------------------
    wire                       in_range_0 = {29'd0, accepted_context} < CONTEXTS_32;
    wire                       expert_0   = {16'd0, accepted_expert} < EXPERTS_32;
    wire                       source_0   = {22'd0, accepted_source} < GPUS_32;
    // A context out of range borrows context 0's values; its status is CONTEXT whatever they are.
    wire [CONTEXT_WIDTH - 1:0] context_0  = in_range_0 ? accepted_context[CONTEXT_WIDTH - 1:0] : {CONTEXT_WIDTH{1'b0}};
    wire [31:0]                region_0   = {{32 - CONTEXT_WIDTH{1'b0}}, context_0} * EXPERTS_32 + {16'd0, accepted_expert};
    wire [31:0]                peers_0    = {{32 - CONTEXT_WIDTH{1'b0}}, context_0} * WORDS_32 + {27'd0, accepted_source[9:5]};

    reg                         valid_1_q;
    reg                         context_ok_1_q;
    reg                         region_ok_1_q; // the context is good and the expert in range: the region memories are read
    reg                         source_ok_1_q;
    reg                         length_ok_1_q;
    reg                         grows_1_q;     // a write-touch with first
    reg [CONTEXT_WIDTH - 1:0]   context_1_q;
    reg [EXPERT_WIDTH - 1:0]    expert_1_q;
    reg [REGION_WIDTH - 1:0]    region_1_q;
    reg [PEER_WIDTH - 1:0]      peers_1_q;
    reg [4:0]                   peer_bit_1_q;
    reg [31:0]                  row_index_1_q;
    reg [16:0]                  end_1_q;       // offset + length
    reg [LIMIT_WIDTH - 1:0]     row_limit_1_q;
    reg [SIZE_WIDTH - 1:0]      row_size_1_q;
    reg [EPOCH_WIDTH - 1:0]     epoch_1_q;
    reg [CARRY_WIDTH - 1:0]     carry_1_q;

    always @(posedge clk) begin
        valid_1_q <= accepted_valid;
        if (rst) valid_1_q <= 1'b0;
    end

    always @(posedge clk) begin
        context_ok_1_q <= in_range_0 && enabled[context_0];
        region_ok_1_q  <= in_range_0 && enabled[context_0] && expert_0;
        source_ok_1_q  <= source_0;
        length_ok_1_q  <= accepted_length != 9'd0;
        grows_1_q      <= accepted_first && accepted_operation == 1'd`MOEHUB_REQUEST_WRITE_TOUCH;
        context_1_q    <= context_0;
        expert_1_q     <= accepted_expert[EXPERT_WIDTH - 1:0];
        region_1_q     <= region_0[REGION_WIDTH - 1:0];
        peers_1_q      <= peers_0[PEER_WIDTH - 1:0];
        peer_bit_1_q   <= accepted_source[4:0];
        row_index_1_q  <= accepted_row_index;
        end_1_q        <= {1'b0, accepted_offset} + {8'd0, accepted_length};
        row_limit_1_q  <= row_limits[context_0 * LIMIT_WIDTH +: LIMIT_WIDTH];
        row_size_1_q   <= row_sizes[context_0 * SIZE_WIDTH +: SIZE_WIDTH];
        epoch_1_q      <= epochs[context_0 * EPOCH_WIDTH +: EPOCH_WIDTH];
        carry_1_q      <= {accepted_id, accepted_port};
    end

    assign key_valid     = valid_1_q;
    assign key_context   = context_1_q;
    assign key_expert    = expert_1_q;
    assign key_row_index = row_index_1_q[ROW_INDEX_WIDTH - 1:0];
    assign key_epoch     = epoch_1_q;

    // ---- stage 1: the memories are read; the range is checked ------------------------------------------------
    wire read_1 = valid_1_q && region_ok_1_q;

    reg                      valid_2_q;
    reg                      context_ok_2_q;
    reg                      region_ok_2_q;
    reg                      source_ok_2_q;
    reg                      range_ok_2_q;
    reg                      grows_2_q;
    reg [REGION_WIDTH - 1:0] region_2_q;
    reg [4:0]                peer_bit_2_q;
    reg [EPOCH_WIDTH - 1:0]  epoch_2_q;
    reg [CARRY_WIDTH - 1:0]  carry_2_q;
    reg [4:1]                same_2_q; // bit d: the request d before this one names the same region

    wire inside_row  = {15'd0, end_1_q} <= {{32 - SIZE_WIDTH{1'b0}}, row_size_1_q};
    wire below_limit = {1'b0, row_index_1_q} < {{33 - LIMIT_WIDTH{1'b0}}, row_limit_1_q};

    always @(posedge clk) begin
        valid_2_q <= valid_1_q;
        if (rst) valid_2_q <= 1'b0;
    end

    always @(posedge clk) begin
        context_ok_2_q <= context_ok_1_q;
        region_ok_2_q  <= region_ok_1_q;
        source_ok_2_q  <= source_ok_1_q;
        range_ok_2_q   <= below_limit && inside_row && length_ok_1_q;
        grows_2_q      <= grows_1_q;
        region_2_q     <= region_1_q;
        peer_bit_2_q   <= peer_bit_1_q;
        epoch_2_q      <= epoch_1_q;
        carry_2_q      <= carry_1_q;
    end

    wire [SLOT_WIDTH - 1:0] capacity_2;
    wire [31:0]             next_2;
    wire [31:0]             peers_2;
    wire                    write_5;
    wire [31:0]             written_5;
    wire [REGION_WIDTH - 1:0] region_5;

    assign read_capacity = capacity_2;
    assign read_next     = next_2;

    wire [2:0] unused_parity_error;
    moehub_memory_1r1w #(.WIDTH(SLOT_WIDTH), .DEPTH(REGIONS)) u_capacities (
        .clk(clk), .write_enable(region_write), .write_address(region_address), .write_data(region_capacity),
        .read_enable((read_1 || region_read) && !rst), .read_address(region_read ? region_address : region_1_q),
        .read_data(capacity_2), .parity_error(unused_parity_error[0])
    );
    moehub_memory_1r1w #(.WIDTH(32), .DEPTH(REGIONS)) u_next_slots (
        .clk(clk), .write_enable(next_clear || write_5), .write_address(next_clear ? region_address : region_5),
        .write_data(next_clear ? 32'd0 : written_5),
        .read_enable((read_1 || region_read) && !rst), .read_address(region_read ? region_address : region_1_q),
        .read_data(next_2), .parity_error(unused_parity_error[1])
    );
    moehub_memory_1r1w #(.WIDTH(32), .DEPTH(CONTEXTS * PEER_WORDS)) u_peers (
        .clk(clk), .write_enable(peers_write), .write_address(peers_address), .write_data(peers_word),
        .read_enable(valid_1_q && context_ok_1_q && source_ok_1_q && !rst), .read_address(peers_1_q),
        .read_data(peers_2), .parity_error(unused_parity_error[2])
    );

    // ---- stage 2: the memories' words are judged ---------------------------------------------------------------
    reg                      valid_3_q;
    reg                      context_ok_3_q;
    reg                      region_ok_3_q;
    reg                      peer_ok_3_q;
    reg                      expert_ok_3_q;
    reg                      range_ok_3_q;
    reg                      grows_3_q;
    reg [REGION_WIDTH - 1:0] region_3_q;
    reg [EPOCH_WIDTH - 1:0]  epoch_3_q;
    reg [CARRY_WIDTH - 1:0]  carry_3_q;
    reg [SLOT_WIDTH - 1:0]   capacity_3_q;
    reg [SLOT_WIDTH - 1:0]   next_3_q;
    reg [2:1]                same_3_q;

    wire                    current_2 = next_2[31:SLOT_WIDTH] == epoch_2_q;
    wire [SLOT_WIDTH - 1:0] stored_2  = next_2[SLOT_WIDTH - 1:0] & {SLOT_WIDTH{current_2}};
    wire                    peer_2    = source_ok_2_q && peers_2[peer_bit_2_q];

    reg  [SLOT_WIDTH - 1:0] after_5_q; // next slot of region_5 once the request at stage 5 has its answer
    reg  [SLOT_WIDTH - 1:0] after_6_q;

    always @(posedge clk) begin
        valid_3_q <= valid_2_q;
        if (rst) valid_3_q <= 1'b0;
    end

    always @(posedge clk) begin
        context_ok_3_q <= context_ok_2_q;
        region_ok_3_q  <= region_ok_2_q;
        peer_ok_3_q    <= peer_2;
        expert_ok_3_q  <= region_ok_2_q && capacity_2 != {SLOT_WIDTH{1'b0}};
        range_ok_3_q   <= range_ok_2_q;
        grows_3_q      <= grows_2_q;
        region_3_q     <= region_2_q;
        epoch_3_q      <= epoch_2_q;
        carry_3_q      <= carry_2_q;
        capacity_3_q   <= capacity_2;
        next_3_q       <= same_2_q[3] ? after_5_q : same_2_q[4] ? after_6_q : stored_2;
        same_3_q       <= same_2_q[2:1];
    end

    // ---- stage 3: the early status; the nearest next slot ------------------------------------------------------
    reg                      valid_4_q;
    reg                      region_ok_4_q;
    reg                      early_ok_4_q;
    reg [2:0]                early_status_4_q;
    reg                      grows_4_q;
    reg [REGION_WIDTH - 1:0] region_4_q;
    reg [EPOCH_WIDTH - 1:0]  epoch_4_q;
    reg [CARRY_WIDTH - 1:0]  carry_4_q;
    reg [SLOT_WIDTH - 1:0]   capacity_4_q;
    reg [SLOT_WIDTH - 1:0]   next_4_q;
    wire [SLOT_WIDTH - 1:0]  after_4;


    always @(posedge clk) begin
        valid_4_q <= valid_3_q;
        if (rst) valid_4_q <= 1'b0;
    end

    always @(posedge clk) begin
        region_ok_4_q    <= region_ok_3_q;
        early_ok_4_q     <= context_ok_3_q && peer_ok_3_q && expert_ok_3_q && range_ok_3_q;
        early_status_4_q <= !context_ok_3_q ? 3'd`MOEHUB_STATUS_CONTEXT
                          : !peer_ok_3_q    ? 3'd`MOEHUB_STATUS_PEER
                          : !expert_ok_3_q  ? 3'd`MOEHUB_STATUS_EXPERT
                          : !range_ok_3_q   ? 3'd`MOEHUB_STATUS_RANGE : 3'd`MOEHUB_STATUS_OK;
        grows_4_q        <= grows_3_q;
        region_4_q       <= region_3_q;
        epoch_4_q        <= epoch_3_q;
        carry_4_q        <= carry_3_q;
        capacity_4_q     <= capacity_3_q;
        next_4_q         <= same_3_q[1] ? after_4 : same_3_q[2] ? after_5_q : next_3_q;
    end

    // ---- stage 4: the slot is taken ------------------------------------------------------------------------------
    reg                      valid_5_q;
    reg                      region_ok_5_q;
    reg [2:0]                status_5_q;
    reg                      first_5_q;
    reg [REGION_WIDTH - 1:0] region_5_q;
    reg [EPOCH_WIDTH - 1:0]  epoch_5_q;
    reg [CARRY_WIDTH - 1:0]  carry_5_q;
    reg [SLOT_WIDTH - 1:0]   value_5_q;

    wire full_4 = next_4_q == capacity_4_q;
    wire ask_4  = valid_4_q && early_ok_4_q && grows_4_q;
    wire take_4 = ask_4 && !full_4;
    assign after_4 = take_4 ? next_4_q + SLOT_ONE : next_4_q;

    always @(posedge clk) begin
        valid_5_q <= valid_4_q;
        first_5_q <= take_4;
        if (rst) begin
            valid_5_q <= 1'b0;
            first_5_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        region_ok_5_q <= region_ok_4_q;
        status_5_q    <= ask_4 && full_4 ? 3'd`MOEHUB_STATUS_FULL : early_status_4_q;
        region_5_q    <= region_4_q;
        epoch_5_q     <= epoch_4_q;
        carry_5_q     <= carry_4_q;
        value_5_q     <= take_4 ? next_4_q : capacity_4_q;
        after_5_q     <= after_4;
        after_6_q     <= after_5_q;
    end

    assign write_5   = first_5_q;
    assign region_5  = region_5_q;
    assign written_5 = {epoch_5_q, after_5_q};

    assign verdict_valid  = valid_5_q;
    assign verdict_id     = carry_5_q[PORT_WIDTH +: ID_WIDTH];
    assign verdict_port   = carry_5_q[PORT_WIDTH - 1:0];
    assign verdict_status = status_5_q;
    assign verdict_first  = first_5_q;
    assign verdict_value  = value_5_q;

    // Same region as an older request that read its region: seen at stage 1, used at stages 2 and 3.
    always @(posedge clk) begin
        same_2_q[1] <= valid_2_q && region_ok_2_q && region_2_q == region_1_q;
        same_2_q[2] <= valid_3_q && region_ok_3_q && region_3_q == region_1_q;
        same_2_q[3] <= valid_4_q && region_ok_4_q && region_4_q == region_1_q;
        same_2_q[4] <= valid_5_q && region_ok_5_q && region_5_q == region_1_q;
    end

    wire unused = &{1'b0, region_0[31:REGION_WIDTH], peers_0[31:PEER_WIDTH], accepted_context, unused_parity_error};
endmodule

`default_nettype wire
