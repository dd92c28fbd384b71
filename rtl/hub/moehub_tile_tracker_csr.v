// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of the tile tracker (doc/hub/tile_tracker.md section 9) around moehub_csr_bank.
// Contract: the bank's; and
//   1. A command runs with the operands at its start, whatever is written meanwhile.
//   2. Its result is taken at once, and read until the next one's.
//   3. Levels above 65535 are kept as 65535.
// Cost: 180 flops beside the bank's.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_tile_tracker_csr #(
    parameter CONTEXTS = 4,    // 1..8
    parameter TILES    = 1024, // 1..65536
    parameter TOKENS   = 4096  // 1..65536
) (
    input  wire                                     clk,
    input  wire                                     rst,

    input  wire                                     s_axil_awvalid,
    output wire                                     s_axil_awready,
    input  wire [11:0]                              s_axil_awaddr,
    input  wire [2:0]                               s_axil_awprot,
    input  wire                                     s_axil_wvalid,
    output wire                                     s_axil_wready,
    input  wire [31:0]                              s_axil_wdata,
    input  wire [3:0]                               s_axil_wstrb,
    output wire                                     s_axil_bvalid,
    input  wire                                     s_axil_bready,
    output wire [1:0]                               s_axil_bresp,
    input  wire                                     s_axil_arvalid,
    output wire                                     s_axil_arready,
    input  wire [11:0]                              s_axil_araddr,
    input  wire [2:0]                               s_axil_arprot,
    output wire                                     s_axil_rvalid,
    input  wire                                     s_axil_rready,
    output wire [31:0]                              s_axil_rdata,
    output wire [1:0]                               s_axil_rresp,
    output wire                                     interrupt_request,

    output wire                                     command_valid,
    input  wire                                     command_ready,
    output wire [3:0]                               command_operation,
    output wire [7:0]                               command_context,
    output wire [15:0]                              command_index,
    input  wire                                     result_valid,
    output wire                                     result_ready,
    input  wire                                     result_refused,
    input  wire [63:0]                              result_data0,
    input  wire [63:0]                              result_data1,
    input  wire                                     initialised,
    input  wire [CONTEXTS - 1:0]                    has_arrived,
    input  wire [CONTEXTS - 1:0]                    sweeping,
    input  wire [16:0]                              ready_level,
    input  wire [16:0]                              token_level,
    input  wire [`MOEHUB_TILE_TRACKER_EVENTS - 1:0] events,
    input  wire                                     error_valid,
    input  wire [4:0]                               error_cause,
    input  wire [127:0]                             error_header
);
    localparam INTERRUPTS = 3;

    // ---- what every block has -------------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_TILE_TRACKER_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {TOKENS[31:0], TILES[31:0]};
    wire [15:0] ready_mark = ready_level[16] ? 16'hffff : ready_level[15:0];
    wire [15:0] token_mark = token_level[16] ? 16'hffff : token_level[15:0];
    wire        start;
    wire        busy;
    wire        write;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;
    wire        result = result_valid && result_ready;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_TILE_TRACKER), .PARAMETERS(`MOEHUB_TILE_TRACKER_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_TILE_TRACKER_EVENTS),
        .INTERRUPTS(INTERRUPTS), .NO_INTERRUPTS(2)
    ) u_bank (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .interrupt_request(interrupt_request), .parameter_values(parameter_values), .events(events), .raised({INTERRUPTS{1'b0}}),
        .levels({token_mark, ready_mark}), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_name(22'd0), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_start(start), .command_done(result), .command_refused(result_refused),
        .command_busy(busy), .write(write), .write_address(write_address), .write_data(write_data),
        .own_writable(write_address == `MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT
            || write_address == `MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    // ---- commands -------------------------------------------------------------------------------------------------------
    reg [7:0]   command_context_q;
    reg [15:0]  command_index_q;
    // The operands of a running command must not change with the registers.
    reg [7:0]   started_context_q;
    reg [15:0]  started_index_q;
    reg         result_ready_q;
    reg [127:0] result_data_q; // {data1, data0}

    assign command_context = started_context_q;
    assign command_index   = started_index_q;
    assign result_ready    = result_ready_q;

    always @(posedge clk) begin
        if (write && write_address == `MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT)
            command_context_q <= write_data[`MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT_CONTEXT];
        if (write && write_address == `MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX)
            command_index_q <= write_data[`MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX_INDEX];
        if (start) {started_context_q, started_index_q} <= {command_context_q, command_index_q};
        result_ready_q <= busy && !result;
        if (result) result_data_q <= {result_data1, result_data0};
        if (rst) begin
            command_context_q <= 8'd0;
            command_index_q   <= 16'd0;
            result_ready_q    <= 1'b0;
            result_data_q     <= 128'd0;
        end
    end

    wire unused_write_data = ^write_data[31:16];

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_TILE_TRACKER_CSR_STATUS_INITIALISED]  = initialised;
                own_word[`MOEHUB_TILE_TRACKER_CSR_STATUS_COMMAND_BUSY] = busy;
                own_word[`MOEHUB_TILE_TRACKER_CSR_STATUS_ARRIVED]      = {{8 - CONTEXTS{1'b0}}, has_arrived};
                own_word[`MOEHUB_TILE_TRACKER_CSR_STATUS_SWEEPING]     = {{8 - CONTEXTS{1'b0}}, sweeping};
            end
            `MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT:
                own_word[`MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT_CONTEXT] = command_context_q;
            `MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX:
                own_word[`MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX_INDEX] = command_index_q;
            `MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_LOW:  own_word = result_data_q[31:0];
            `MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_HIGH: own_word = result_data_q[63:32];
            `MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_LOW:  own_word = result_data_q[95:64];
            `MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_HIGH: own_word = result_data_q[127:96];
            default:                                    own_readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
