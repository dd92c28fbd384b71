// SPDX-License-Identifier: Apache-2.0
// Stands in for moehub_context_table in the proofs of the whole address path: one context, its registers and regions chosen
// by the solver and constant, ready a few cycles after reset instead of after a dozen commands. No command is ever taken, but
// requests may be shut out at any time, as a command would.
`default_nettype none
`include "moehub_width.vh"
module moehub_context_table #(
    parameter CONTEXTS        = 1, // only 1
    parameter LOCAL_EXPERTS   = 1,
    parameter GPUS            = 1,
    parameter ROW_INDEX_WIDTH = 1,
    parameter SLOT_WIDTH      = 2,
    parameter OFFSET_WIDTH    = 4,
    parameter ADDRESS_WIDTH   = 32,
    parameter SETS            = 1
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
    output wire                                       initialised,
    output wire                                       open,
    input  wire                                       front_empty,
    input  wire [CONTEXTS - 1:0]                      in_flight,
    output wire [CONTEXTS - 1:0]                      enabled,
    output wire [CONTEXTS - 1:0]                      clear_needed,
    output wire [CONTEXTS * (32 - SLOT_WIDTH) - 1:0]  epochs,
    output wire [CONTEXTS * ADDRESS_WIDTH - 1:0]      table_bases,
    output wire [CONTEXTS * (ROW_INDEX_WIDTH + 1) - 1:0] row_limits,
    output wire [CONTEXTS * (OFFSET_WIDTH + 1) - 1:0] row_sizes,
    output wire                                       set_clear,
    output wire [`MOEHUB_INDEX_WIDTH(SETS) - 1:0]     set_address,
    output wire                                       invalidate_start,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS) - 1:0] invalidate_context,
    input  wire                                       invalidate_busy,
    output wire                                       region_write,
    output wire                                       next_clear,
    output wire                                       region_read,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * LOCAL_EXPERTS) - 1:0] region_address,
    output wire [ADDRESS_WIDTH - 1:0]                 region_base,
    output wire [SLOT_WIDTH - 1:0]                    region_capacity,
    input  wire [SLOT_WIDTH - 1:0]                    read_capacity,
    input  wire [31:0]                                read_next,
    output wire                                       base_read,
    input  wire                                       base_read_done,
    input  wire [ADDRESS_WIDTH - 1:0]                 base_word,
    output wire                                       peers_write,
    output wire [`MOEHUB_INDEX_WIDTH(CONTEXTS * ((GPUS + 31) / 32)) - 1:0] peers_address,
    output wire [31:0]                                peers_word,
    output wire                                       refused_valid
);
    localparam [3:0] WALK = SETS > LOCAL_EXPERTS ? SETS : LOCAL_EXPERTS; // at most 15

    wire                                  chosen_enabled    = $anyconst;
    wire [31 - SLOT_WIDTH:0]              chosen_epoch      = $anyconst;
    wire [ADDRESS_WIDTH - 1:0]            chosen_table      = $anyconst;
    wire [ROW_INDEX_WIDTH:0]              chosen_limit      = $anyconst;
    wire [OFFSET_WIDTH:0]                 chosen_size       = $anyconst;
    wire [31:0]                           chosen_peers      = $anyconst;
    wire [LOCAL_EXPERTS * ADDRESS_WIDTH - 1:0] chosen_bases = $anyconst;
    wire [LOCAL_EXPERTS * SLOT_WIDTH - 1:0] chosen_capacities = $anyconst;
    // What CONTEXT_SET accepts, after ACKNOWLEDGE_CLEAR.
    always @* begin
        assume (chosen_epoch != 0);
        assume (chosen_table[1:0] == 2'd0);
        assume (chosen_limit <= 1 << ROW_INDEX_WIDTH);
        assume (chosen_size != 0 && chosen_size <= 1 << OFFSET_WIDTH);
    end

    reg [3:0] walk_q;
    reg       initialised_q, open_q;
    wire      any_open = $anyseq;
    wire      walking = walk_q != WALK;
    always @(posedge clk) begin
        if (walking) walk_q <= walk_q + 4'd1;
        initialised_q <= !walking;
        open_q        <= !walking && any_open;
        if (rst) begin
            walk_q <= 4'd0;
            initialised_q <= 1'b0;
            open_q <= 1'b0;
        end
    end

    assign command_ready      = 1'b0;
    assign result_valid       = 1'b0;
    assign result_refused     = 1'b0;
    assign result_in_flight   = 1'b0;
    assign result_data0       = 64'd0;
    assign result_data1       = 64'd0;
    assign initialised        = initialised_q;
    assign open               = open_q;
    assign enabled            = chosen_enabled;
    assign clear_needed       = 1'b0;
    assign epochs             = chosen_epoch;
    assign table_bases        = chosen_table;
    assign row_limits         = chosen_limit;
    assign row_sizes          = chosen_size;
    assign set_clear          = walking && walk_q < SETS;
    assign set_address        = walk_q;
    assign invalidate_start   = 1'b0;
    assign invalidate_context = 0;
    assign region_write       = walking && walk_q < LOCAL_EXPERTS;
    assign next_clear         = region_write;
    assign region_read        = 1'b0;
    assign region_address     = walk_q;
    assign region_base        = chosen_bases[walk_q * ADDRESS_WIDTH +: ADDRESS_WIDTH];
    assign region_capacity    = chosen_capacities[walk_q * SLOT_WIDTH +: SLOT_WIDTH];
    assign base_read          = 1'b0;
    assign peers_write        = walking && walk_q == 0;
    assign peers_address      = 0;
    assign peers_word         = chosen_peers;
    assign refused_valid      = 1'b0;
endmodule
`default_nettype wire
