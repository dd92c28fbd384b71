// SPDX-License-Identifier: Apache-2.0
// Stands in for moehub_addr_alloc where only the order and number of requests matter: each gets a verdict, any one, one cycle later.
`default_nettype none
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

    wire [SLOT_WIDTH - 1:0] any_read_capacity = $anyseq;
    assign read_capacity = any_read_capacity;
    wire [31:0] any_read_next = $anyseq;
    assign read_next = any_read_next;
    wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] any_key_context = $anyseq;
    assign key_context = any_key_context;
    wire [`MOEHUB_INDEX_WIDTH(LOCAL_EXPERTS) - 1:0] any_key_expert = $anyseq;
    assign key_expert = any_key_expert;
    wire [ROW_INDEX_WIDTH - 1:0] any_key_row_index = $anyseq;
    assign key_row_index = any_key_row_index;
    wire [31 - SLOT_WIDTH:0] any_key_epoch = $anyseq;
    assign key_epoch = any_key_epoch;
    wire [2:0] any_verdict_status = $anyseq;
    assign verdict_status = any_verdict_status;
    wire any_verdict_first = $anyseq;
    assign verdict_first = any_verdict_first;
    wire [SLOT_WIDTH - 1:0] any_verdict_value = $anyseq;
    assign verdict_value = any_verdict_value;
    reg valid_q;
    reg [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] id_q;
    reg [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   port_q;
    always @(posedge clk) begin
        valid_q        <= accepted_valid && !rst;
        {id_q, port_q} <= {accepted_id, accepted_port};
    end
    assign key_valid     = accepted_valid;
    assign verdict_valid = valid_q;
    assign verdict_id    = id_q;
    assign verdict_port  = port_q;
endmodule
`default_nettype wire
