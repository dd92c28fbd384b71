// SPDX-License-Identifier: Apache-2.0
// Stands in for moehub_addr_alloc where only the order and number of requests matter: each gets a verdict, any one, one cycle later.
`default_nettype none
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
    parameter TAG_WIDTH       = 24
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
    // the request
    input  wire                                                   accepted_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0]              accepted_id,
    input  wire [`MOEHUB_REQUEST_WIDTH(PORTS, TAG_WIDTH) - 1:0]   accepted_request,
    // the key
    output wire                                                   key_valid,
    output wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] key_name,
    output wire [31 - SLOT_WIDTH:0]                               key_epoch,
    // the verdict
    output wire                                                   verdict_valid,
    output wire                                                   verdict_first,
    output wire [`MOEHUB_VERDICT_WIDTH(WAITING, PORTS, SLOT_WIDTH) - 1:0] verdict
);

    wire [SLOT_WIDTH - 1:0] any_read_capacity = $anyseq;
    assign read_capacity = any_read_capacity;
    wire [31:0] any_read_next = $anyseq;
    assign read_next = any_read_next;
    wire [`MOEHUB_ROW_NAME_WIDTH(CONTEXTS, LOCAL_EXPERTS, ROW_INDEX_WIDTH) - 1:0] any_key_name = $anyseq;
    assign key_name = any_key_name;
    wire [31 - SLOT_WIDTH:0] any_key_epoch = $anyseq;
    assign key_epoch = any_key_epoch;
    wire [2:0] any_verdict_status = $anyseq;
    wire any_verdict_first = $anyseq;
    assign verdict_first = any_verdict_first;
    wire [SLOT_WIDTH - 1:0] any_verdict_value = $anyseq;
    wire unused_operation, unused_first;
    wire [2:0]  unused_context;
    wire [15:0] unused_expert, unused_offset;
    wire [31:0] unused_row_index;
    wire [8:0]  unused_length;
    wire [9:0]  unused_source;
    wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0] port;
    wire [TAG_WIDTH - 1:0] unused_tag;
    assign `MOEHUB_REQUEST(unused_operation, unused_first, unused_context, unused_expert, unused_row_index, unused_offset,
                           unused_length, unused_source, port, unused_tag) = accepted_request;
    reg valid_q;
    reg [`MOEHUB_INDEX_WIDTH(WAITING) - 1:0] id_q;
    reg [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]   port_q;
    always @(posedge clk) begin
        valid_q        <= accepted_valid && !rst;
        {id_q, port_q} <= {accepted_id, port};
    end
    assign key_valid     = accepted_valid;
    assign verdict_valid = valid_q;
    assign verdict       = `MOEHUB_VERDICT(id_q, port_q, any_verdict_status, any_verdict_value);
endmodule
`default_nettype wire
