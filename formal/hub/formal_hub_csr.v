// SPDX-License-Identifier: Apache-2.0
// moehub_hub_csr behind its bus (rtl/doc/address_path.md, section 8): what it adds to the register bank, and what it tells it,
// against formal_csr_rules.v. Bus and counters are replaced (formal_seen_bus.v, formal_seen_counter_memory.v).
// Sizes: one or two contexts (clear_needed is looked up with one bit of the context's number), small parameters that differ.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_hub_csr #(
    parameter CONTEXTS = 2 // 1, 2
) (
    input wire                              clk,
    input wire                              rst,
    input wire                              write_valid,
    input wire [11:0]                       write_address,
    input wire [31:0]                       data,
    input wire [3:0]                        write_strobes,
    input wire [11:0]                       read_address,
    input wire                              command_ready,
    input wire                              result_valid,
    input wire                              result_refused,
    input wire                              result_in_flight,
    input wire [63:0]                       result_data0,
    input wire [63:0]                       result_data1,
    input wire                              initialised,
    input wire [CONTEXTS - 1:0]             in_flight,
    input wire [CONTEXTS - 1:0]             clear_needed,
    input wire [`MOEHUB_HUB_EVENTS - 1:0]   events,
    input wire [1:0]                        waiting_used,
    input wire [1:0]                        pending_used,
    input wire                              error_valid,
    input wire [4:0]                        error_cause,
    input wire [127:0]                      error_header,
    input wire [15:0]                       error_expert,
    input wire [5:0]                        error_port
);
    wire        interrupt_request, command_valid, result_ready;
    wire [3:0]  command_operation;
    wire [7:0]  command_context;
    wire [15:0] command_index;
    wire [63:0] command_data0, command_data1;
    wire [31:0] read_data;
    wire [1:0]  bresp, rresp;

    moehub_hub_csr #(
        .CONTEXTS(CONTEXTS), .LOCAL_EXPERTS(3), .GPUS(5), .ROW_INDEX_WIDTH(7), .SLOT_WIDTH(9), .OFFSET_WIDTH(4),
        .ADDRESS_WIDTH(33), .SETS(8), .WAYS(4), .REPLACEMENT(1), .PORTS(6), .PENDING(2), .WAITING(3), .TAG_WIDTH(12),
        .AXI_DATA_WIDTH(64), .STAGES(2), .LENGTH_WIDTH(10)
    ) u_csr (
        .clk(clk), .rst(rst), .interrupt_request(interrupt_request),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready), .result_refused(result_refused),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1), .initialised(initialised),
        .in_flight(in_flight), .clear_needed(clear_needed), .events(events), .waiting_used(waiting_used),
        .pending_used(pending_used), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_expert(error_expert), .error_port(error_port)
    );

    // ---- its own registers, as the document has them --------------------------------------------------------------
    wire         taken, start, busy, offered, result;
    wire [3:0]   operation;
    wire [7:0]   started_context;
    wire         writable, readable;
    wire [31:0]  word;
    formal_csr_operands u_operands (
        .clk(clk), .rst(rst), .taken(taken), .start(start), .busy(busy), .offered(offered), .write_address(write_address),
        .data(data), .read_address(read_address), .command_context(command_context), .command_index(command_index),
        .command_data0(command_data0), .command_data1(command_data1), .result_valid(result_valid),
        .result_ready(result_ready), .result_in_flight(result_in_flight), .result_data0(result_data0),
        .result_data1(result_data1), .writable(writable), .readable(readable), .word(word), .result(result),
        .started_context(started_context)
    );
    wire         exhausted = result && !result_refused && operation == 4'd`MOEHUB_HUB_COMMAND_ADVANCE
                             && started_context < CONTEXTS && clear_needed[started_context[0]];
    wire [7:0]   in_flight_8    = {{8 - CONTEXTS{1'b0}}, in_flight};
    wire [7:0]   clear_needed_8 = {{8 - CONTEXTS{1'b0}}, clear_needed};
    wire         is_status      = read_address == `MOEHUB_CSR_STATUS;
    wire         own_readable   = readable || is_status;
    wire [31:0]  own_word       = is_status ? {8'd0, clear_needed_8, in_flight_8, 5'd0, busy, in_flight != 0, initialised} : word;

    localparam [31:0] CONTEXTS_WORD = CONTEXTS;
    formal_csr_rules #(.ID(`MOEHUB_ID_HUB), .PARAMETERS(`MOEHUB_HUB_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_HUB_EVENTS),
                       .INTERRUPTS(3)) u_rules (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_address(write_address), .write_data(data),
        .write_strobes(write_strobes), .write_error(bresp[1]), .read_address(read_address), .read_data(read_data),
        .read_error(rresp[1]), .interrupt_request(interrupt_request),
        .parameter_values({32'd10, 32'd2, 32'd64, 32'd12, 32'd3, 32'd2, 32'd6, 32'd1, 32'd4, 32'd8, 32'd33, 32'd4, 32'd9, 32'd7,
                           32'd5, 32'd3, CONTEXTS_WORD}),
        .events(events), .raised({1'b0, exhausted, 1'b0}), .levels({14'd0, pending_used, 14'd0, waiting_used}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_name({error_port, error_expert}), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_done(result), .command_refused(result_refused),
        .own_writable(writable), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(operation)
    );

    reg started_q = 1'b0;
    always @(posedge clk) started_q <= 1'b1;
    always @* wraps: cover (started_q && exhausted && offered);
endmodule
`default_nettype wire
