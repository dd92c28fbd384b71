// SPDX-License-Identifier: Apache-2.0
// Purpose: the AAU's pipeline: checks a request against its context and region and gives a first touch its slot.
// Contract:
//   1. One request a cycle, never stalled: accepted_* is the input, key_* (the AL-TLB's key) the register of stage 1, verdict_*
//      that of stage 5.
//   2. verdict_status is the first failing check of doc/address_path.md section 4, or OK. verdict_first: a slot was taken;
//      verdict_value is then the slot, else the region's capacity.
//   3. A request sees every allocation of the requests before it. The next-slot memory is read in stage 2 and written in stage 6;
//      what was not there to be read is forwarded, at distances 1 to 4.
//   4. Next slots carry their epoch: an entry of another epoch counts as slot 0.
//   5. The write ports serve initialisation and commands, while no request is inside.
//   6. row_sizes: of context c, stage s at c * STAGES + s; a request is checked against that of its stage.
// How: stage 1 finds context, region and peer word; 2 reads the memories and checks the range; 3 judges their words; 4 picks the
//   early status and the nearest next slot; 5 takes the slot.
// Cost: latency 5; memories: regions x SLOT_WIDTH (capacity), regions x 32 (epoch, next slot),
//   CONTEXTS * ceil(GPUS / 32) x 32 (peers).
// Proved: formal/hub/formal_addr_alloc.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_addr_alloc #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter GPUS            = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter OFFSET_WIDTH    = 14,
    parameter PORTS           = 16,
    parameter WAITING         = 128,
    parameter TAG_WIDTH       = 24,
    parameter STAGES          = 1,
    parameter LENGTH_WIDTH    = 9,
    parameter PARITY          = 0
) (
    input  wire                                                   clk,
    input  wire                                                   rst,
    // context table
    input  wire [CONTEXTS - 1:0]                                  enabled,
    input  wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]              epochs,
    input  wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0]          row_limits,
    input  wire [CONTEXTS * STAGES * (OFFSET_WIDTH + 1) - 1:0]    row_sizes,
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
    // the request
    input  wire                                                   accepted_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0]              accepted_id,
    input  wire [`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH, LENGTH_WIDTH) - 1:0] accepted_request,
    // the key
    output wire                                                   key_valid,
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] key_name,
    output wire [31 - SLOT_WIDTH:0]                               key_epoch,
    // the verdict
    output wire                                                   verdict_valid,
    output wire                                                   verdict_first,
    output wire [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] verdict,
    output wire [2:0]                                             aau_parity // errors: peers, next slots, capacities
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
    localparam SIZES_WIDTH   = STAGES * SIZE_WIDTH; // of a context
    localparam PEER_WORDS    = (GPUS + 31) / 32;
    localparam PEER_WIDTH    = `MOEHUB_INDEX_WIDTH(CONTEXTS * PEER_WORDS);

    localparam [SLOT_WIDTH - 1:0] SLOT_ONE = 1;
    localparam [31:0] CONTEXTS_32 = CONTEXTS;
    localparam [31:0] EXPERTS_32  = LOCAL_EXPERTS;
    localparam [31:0] GPUS_32     = GPUS;
    localparam [31:0] WORDS_32    = PEER_WORDS;

    wire                    accepted_operation;
    wire                    accepted_first;
    wire [2:0]              accepted_context;
    wire [15:0]             accepted_expert;
    wire [31:0]             accepted_row_index;
    wire [15:0]             accepted_offset;
    wire [LENGTH_WIDTH - 1:0] accepted_length;
    wire [9:0]              accepted_source;
    wire [PORT_WIDTH - 1:0] accepted_port;
    wire [TAG_WIDTH - 1:0]  unused_tag;
    assign `MOEHUB_REQUEST(accepted_operation, accepted_first, accepted_context, accepted_expert, accepted_row_index,
                           accepted_offset, accepted_length, accepted_source, accepted_port, unused_tag) = accepted_request;

    // ---- stage 1: which context, which region, which peer word ------------------------------------------------------
    wire                       s1_in_range  = {29'd0, accepted_context} < CONTEXTS_32;
    wire                       s1_expert_ok = {16'd0, accepted_expert} < EXPERTS_32;
    wire                       s1_source_ok = {22'd0, accepted_source} < GPUS_32;
    // A context out of range borrows context 0's values; its status is CONTEXT whatever they are.
    wire [CONTEXT_WIDTH - 1:0] s1_context   = s1_in_range ? accepted_context[CONTEXT_WIDTH - 1:0] : {CONTEXT_WIDTH{1'b0}};
    wire [31:0]                s1_region    = {{32 - CONTEXT_WIDTH{1'b0}}, s1_context} * EXPERTS_32 + {16'd0, accepted_expert};
    wire [31:0]                s1_peers     = {{32 - CONTEXT_WIDTH{1'b0}}, s1_context} * WORDS_32 + {27'd0, accepted_source[9:5]};

    reg                         s1_valid_q;
    reg                         s1_context_ok_q;
    reg                         s1_region_ok_q; // the context is good and the expert in range: the region memories are read
    reg                         s1_source_ok_q;
    reg                         s1_length_ok_q;
    reg                         s1_operation_q;
    reg                         s1_grows_q;     // a write-touch with first
    reg [CONTEXT_WIDTH - 1:0]   s1_context_q;
    reg [EXPERT_WIDTH - 1:0]    s1_expert_q;
    reg [REGION_WIDTH - 1:0]    s1_region_q;
    reg [PEER_WIDTH - 1:0]      s1_peers_q;
    reg [4:0]                   s1_peer_bit_q;
    reg [31:0]                  s1_row_index_q;
    reg [16:0]                  s1_end_q;       // offset + length
    reg [LIMIT_WIDTH - 1:0]     s1_row_limit_q;
    reg [SIZES_WIDTH - 1:0]     s1_row_sizes_q; // of the stages
    reg [EPOCH_WIDTH - 1:0]     s1_epoch_q;
    reg [ID_WIDTH - 1:0]        s1_id_q;
    reg [PORT_WIDTH - 1:0]      s1_port_q;

    always @(posedge clk) begin
        s1_valid_q <= accepted_valid;
        if (rst) s1_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        s1_context_ok_q <= s1_in_range && enabled[s1_context];
        s1_region_ok_q  <= s1_in_range && enabled[s1_context] && s1_expert_ok;
        s1_source_ok_q  <= s1_source_ok;
        s1_length_ok_q  <= accepted_length != {LENGTH_WIDTH{1'b0}};
        s1_operation_q  <= accepted_operation;
        s1_grows_q      <= accepted_first && accepted_operation == 1'd`MOEHUB_REQUEST_WRITE_TOUCH;
        s1_context_q    <= s1_context;
        s1_expert_q     <= accepted_expert[EXPERT_WIDTH - 1:0];
        s1_region_q     <= s1_region[REGION_WIDTH - 1:0];
        s1_peers_q      <= s1_peers[PEER_WIDTH - 1:0];
        s1_peer_bit_q   <= accepted_source[4:0];
        s1_row_index_q  <= accepted_row_index;
        s1_end_q        <= {1'b0, accepted_offset} + {{17 - LENGTH_WIDTH{1'b0}}, accepted_length};
        s1_row_limit_q  <= row_limits[s1_context * LIMIT_WIDTH +: LIMIT_WIDTH];
        s1_row_sizes_q  <= row_sizes[s1_context * SIZES_WIDTH +: SIZES_WIDTH];
        s1_epoch_q      <= epochs[s1_context * EPOCH_WIDTH +: EPOCH_WIDTH];
        s1_id_q         <= accepted_id;
        s1_port_q       <= accepted_port;
    end

    assign key_valid = s1_valid_q;
    assign key_name  = `MOEHUB_ROW_NAME(s1_context_q, s1_expert_q, s1_row_index_q[ROW_INDEX_WIDTH - 1:0]);
    assign key_epoch = s1_epoch_q;

    // ---- stage 2: the memories are read; the range is checked -------------------------------------------------------
    wire s2_read = s1_valid_q && s1_region_ok_q;

    reg                      s2_valid_q;
    reg                      s2_context_ok_q;
    reg                      s2_region_ok_q;
    reg                      s2_source_ok_q;
    reg                      s2_range_ok_q;
    reg                      s2_grows_q;
    reg [REGION_WIDTH - 1:0] s2_region_q;
    reg [4:0]                s2_peer_bit_q;
    reg [EPOCH_WIDTH - 1:0]  s2_epoch_q;
    reg [ID_WIDTH - 1:0]     s2_id_q;
    reg [PORT_WIDTH - 1:0]   s2_port_q;
    reg [4:1]                s2_same_q; // bit d: the request d before this one names the same region

    wire                    s2_stage    = `MOEHUB_STAGE(STAGES, s1_operation_q);
    wire [SIZE_WIDTH - 1:0] s2_row_size = s1_row_sizes_q[s2_stage * SIZE_WIDTH +: SIZE_WIDTH];
    wire inside_row  = {15'd0, s1_end_q} <= {{32 - SIZE_WIDTH{1'b0}}, s2_row_size};
    wire below_limit = {1'b0, s1_row_index_q} < {{33 - LIMIT_WIDTH{1'b0}}, s1_row_limit_q};

    always @(posedge clk) begin
        s2_valid_q <= s1_valid_q;
        if (rst) s2_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        s2_context_ok_q <= s1_context_ok_q;
        s2_region_ok_q  <= s1_region_ok_q;
        s2_source_ok_q  <= s1_source_ok_q;
        s2_range_ok_q   <= below_limit && inside_row && s1_length_ok_q;
        s2_grows_q      <= s1_grows_q;
        s2_region_q     <= s1_region_q;
        s2_peer_bit_q   <= s1_peer_bit_q;
        s2_epoch_q      <= s1_epoch_q;
        s2_id_q         <= s1_id_q;
        s2_port_q       <= s1_port_q;
    end

    wire [SLOT_WIDTH - 1:0] s2_capacity_rdata;
    wire [31:0]             s2_next_rdata;
    wire [31:0]             s2_peers_rdata;
    wire                    s6_write;
    wire [31:0]             s6_written;
    wire [REGION_WIDTH - 1:0] s6_region;

    assign read_capacity = s2_capacity_rdata;
    assign read_next     = s2_next_rdata;

    moehub_memory_1r1w #(.WIDTH(SLOT_WIDTH), .DEPTH(REGIONS), .PARITY(PARITY)) u_capacities (
        .clk(clk), .write_enable(region_write), .write_address(region_address), .write_data(region_capacity),
        .read_enable((s2_read || region_read) && !rst), .read_address(region_read ? region_address : s1_region_q),
        .read_data(s2_capacity_rdata), .parity_error(aau_parity[0])
    );
    moehub_memory_1r1w #(.WIDTH(32), .DEPTH(REGIONS), .PARITY(PARITY)) u_next_slots (
        .clk(clk), .write_enable(next_clear || s6_write), .write_address(next_clear ? region_address : s6_region),
        .write_data(next_clear ? 32'd0 : s6_written),
        .read_enable((s2_read || region_read) && !rst), .read_address(region_read ? region_address : s1_region_q),
        .read_data(s2_next_rdata), .parity_error(aau_parity[1])
    );
    moehub_memory_1r1w #(.WIDTH(32), .DEPTH(CONTEXTS * PEER_WORDS), .PARITY(PARITY)) u_peers (
        .clk(clk), .write_enable(peers_write), .write_address(peers_address), .write_data(peers_word),
        .read_enable(s1_valid_q && s1_context_ok_q && s1_source_ok_q && !rst), .read_address(s1_peers_q),
        .read_data(s2_peers_rdata), .parity_error(aau_parity[2])
    );

    // ---- stage 3: the memories' words are judged --------------------------------------------------------------------
    reg                      s3_valid_q;
    reg                      s3_context_ok_q;
    reg                      s3_region_ok_q;
    reg                      s3_peer_ok_q;
    reg                      s3_expert_ok_q;
    reg                      s3_range_ok_q;
    reg                      s3_grows_q;
    reg [REGION_WIDTH - 1:0] s3_region_q;
    reg [EPOCH_WIDTH - 1:0]  s3_epoch_q;
    reg [ID_WIDTH - 1:0]     s3_id_q;
    reg [PORT_WIDTH - 1:0]   s3_port_q;
    reg [SLOT_WIDTH - 1:0]   s3_capacity_q;
    reg [SLOT_WIDTH - 1:0]   s3_next_q;
    reg [2:1]                s3_same_q;

    wire                    s3_current = s2_next_rdata[31:SLOT_WIDTH] == s2_epoch_q;
    wire [SLOT_WIDTH - 1:0] s3_stored  = s2_next_rdata[SLOT_WIDTH - 1:0] & {SLOT_WIDTH{s3_current}};
    wire                    s3_peer    = s2_source_ok_q && s2_peers_rdata[s2_peer_bit_q];

    reg  [SLOT_WIDTH - 1:0] s5_after_q; // next slot of s6_region once the request at stage 5 has its answer
    reg  [SLOT_WIDTH - 1:0] s6_after_q;

    always @(posedge clk) begin
        s3_valid_q <= s2_valid_q;
        if (rst) s3_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        s3_context_ok_q <= s2_context_ok_q;
        s3_region_ok_q  <= s2_region_ok_q;
        s3_peer_ok_q    <= s3_peer;
        s3_expert_ok_q  <= s2_region_ok_q && s2_capacity_rdata != {SLOT_WIDTH{1'b0}};
        s3_range_ok_q   <= s2_range_ok_q;
        s3_grows_q      <= s2_grows_q;
        s3_region_q     <= s2_region_q;
        s3_epoch_q      <= s2_epoch_q;
        s3_id_q         <= s2_id_q;
        s3_port_q       <= s2_port_q;
        s3_capacity_q   <= s2_capacity_rdata;
        s3_next_q       <= s2_same_q[3] ? s5_after_q : s2_same_q[4] ? s6_after_q : s3_stored;
        s3_same_q       <= s2_same_q[2:1];
    end

    // ---- stage 4: the early status; the nearest next slot -----------------------------------------------------------
    reg                      s4_valid_q;
    reg                      s4_region_ok_q;
    reg                      s4_early_ok_q;
    reg [2:0]                s4_early_status_q;
    reg                      s4_grows_q;
    reg [REGION_WIDTH - 1:0] s4_region_q;
    reg [EPOCH_WIDTH - 1:0]  s4_epoch_q;
    reg [ID_WIDTH - 1:0]     s4_id_q;
    reg [PORT_WIDTH - 1:0]   s4_port_q;
    reg [SLOT_WIDTH - 1:0]   s4_capacity_q;
    reg [SLOT_WIDTH - 1:0]   s4_next_q;
    wire [SLOT_WIDTH - 1:0]  s5_after;

    always @(posedge clk) begin
        s4_valid_q <= s3_valid_q;
        if (rst) s4_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        s4_region_ok_q    <= s3_region_ok_q;
        s4_early_ok_q     <= s3_context_ok_q && s3_peer_ok_q && s3_expert_ok_q && s3_range_ok_q;
        s4_early_status_q <= !s3_context_ok_q ? 3'd`MOEHUB_STATUS_CONTEXT
                          : !s3_peer_ok_q    ? 3'd`MOEHUB_STATUS_PEER
                          : !s3_expert_ok_q  ? 3'd`MOEHUB_STATUS_EXPERT
                          : !s3_range_ok_q   ? 3'd`MOEHUB_STATUS_RANGE : 3'd`MOEHUB_STATUS_OK;
        s4_grows_q        <= s3_grows_q;
        s4_region_q       <= s3_region_q;
        s4_epoch_q        <= s3_epoch_q;
        s4_id_q           <= s3_id_q;
        s4_port_q         <= s3_port_q;
        s4_capacity_q     <= s3_capacity_q;
        s4_next_q         <= s3_same_q[1] ? s5_after : s3_same_q[2] ? s5_after_q : s3_next_q;
    end

    // ---- stage 5: the slot is taken ---------------------------------------------------------------------------------
    reg                      s5_valid_q;
    reg                      s5_region_ok_q;
    reg [2:0]                s5_status_q;
    reg                      s5_first_q;
    reg [REGION_WIDTH - 1:0] s5_region_q;
    reg [EPOCH_WIDTH - 1:0]  s5_epoch_q;
    reg [ID_WIDTH - 1:0]     s5_id_q;
    reg [PORT_WIDTH - 1:0]   s5_port_q;
    reg [SLOT_WIDTH - 1:0]   s5_value_q;

    wire s5_full = s4_next_q == s4_capacity_q;
    wire s5_ask  = s4_valid_q && s4_early_ok_q && s4_grows_q;
    wire s5_take = s5_ask && !s5_full;
    assign s5_after = s5_take ? s4_next_q + SLOT_ONE : s4_next_q;

    always @(posedge clk) begin
        s5_valid_q <= s4_valid_q;
        s5_first_q <= s5_take;
        if (rst) begin
            s5_valid_q <= 1'b0;
            s5_first_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        s5_region_ok_q <= s4_region_ok_q;
        s5_status_q    <= s5_ask && s5_full ? 3'd`MOEHUB_STATUS_FULL : s4_early_status_q;
        s5_region_q    <= s4_region_q;
        s5_epoch_q     <= s4_epoch_q;
        s5_id_q        <= s4_id_q;
        s5_port_q      <= s4_port_q;
        s5_value_q     <= s5_take ? s4_next_q : s4_capacity_q;
        s5_after_q     <= s5_after;
        s6_after_q     <= s5_after_q;
    end

    assign s6_write   = s5_first_q;
    assign s6_region  = s5_region_q;
    assign s6_written = {s5_epoch_q, s5_after_q};

    assign verdict_valid = s5_valid_q;
    assign verdict_first = s5_first_q;
    assign verdict       = `MOEHUB_VERDICT(s5_id_q, s5_port_q, s5_status_q, s5_value_q);

    // Same region as an older request that read its region: seen in stage 2, used in stages 3 and 4.
    always @(posedge clk) begin
        s2_same_q[1] <= s2_valid_q && s2_region_ok_q && s2_region_q == s1_region_q;
        s2_same_q[2] <= s3_valid_q && s3_region_ok_q && s3_region_q == s1_region_q;
        s2_same_q[3] <= s4_valid_q && s4_region_ok_q && s4_region_q == s1_region_q;
        s2_same_q[4] <= s5_valid_q && s5_region_ok_q && s5_region_q == s1_region_q;
    end

    wire unused = &{1'b0, s1_region[31:REGION_WIDTH], s1_peers[31:PEER_WIDTH], accepted_context, unused_tag};
endmodule

`default_nettype wire
