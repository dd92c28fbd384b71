// SPDX-License-Identifier: Apache-2.0
// moehub_switch_csr behind its bus (rtl/doc/reduction_buffer.md, section 7): what it adds to the register bank, and what it tells
// it, against formal_csr_rules.v. Bus and counters are replaced (formal_seen_bus.v, formal_seen_counter_memory.v).
// Sizes: no parameter of the module changes its logic; those here differ from one another.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_switch_csr (
    input wire         clk,
    input wire         rst,
    input wire         write_valid,
    input wire [11:0]  write_address,
    input wire [31:0]  write_data,
    input wire [3:0]   write_strobes,
    input wire [11:0]  read_address,
    input wire         command_ready,
    input wire         command_done,
    input wire         command_refused,
    input wire         initialised,
    input wire         empty,
    input wire         draining,
    input wire [15:0]  occupancy,
    input wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    input wire         error_valid,
    input wire [4:0]   error_cause,
    input wire [127:0] error_header,
    input wire [5:0]   error_port
);
    wire        interrupt_request, command_valid;
    wire [3:0]  command_operation;
    wire [31:0] command_data, read_data;
    wire [1:0]  bresp, rresp;
    moehub_switch_csr #(
        .ENTRIES(107), .PORTS(33), .PAYLOAD_BYTES(256), .FLIT_BYTES(32), .MAX_CONTRIBUTORS(31), .WITH_FP32(1),
        .GENERATION_WIDTH(7), .TAG_WIDTH(24)
    ) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(write_data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .interrupt_request(interrupt_request),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .initialised(initialised), .empty(empty), .draining(draining), .occupancy(occupancy),
        .events(events),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_port(error_port)
    );

    // ---- its own registers, as the document has them --------------------------------------------------------------
    wire       taken, start, busy, offered;
    wire [3:0] operation;
    reg [31:0] data_q, operand_q, timeout_q;
    reg        drained_q;
    wire       drained = draining && empty;
    always @* begin // the buffer ends a command after it has taken it
        assume (!command_ready || offered);
        assume (!command_done || (busy && !offered));
    end
    always @(posedge clk) begin
        if (taken && write_address == `MOEHUB_SWITCH_CSR_COMMAND_DATA) data_q <= write_data;
        if (start) operand_q <= data_q;
        if (command_done && !command_refused && operation == `MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET) timeout_q <= operand_q;
        drained_q <= drained;
        if (rst) {drained_q, data_q, timeout_q} <= 65'd0;
    end
    reg [31:0] own_word;
    reg        own_readable;
    always @* begin
        own_readable = 1'b1;
        case (read_address)
            `MOEHUB_CSR_STATUS:              own_word = {occupancy, 12'd0, busy, draining, empty, initialised};
            `MOEHUB_SWITCH_CSR_COMMAND_DATA: own_word = data_q;
            `MOEHUB_SWITCH_CSR_TIMEOUT:      own_word = timeout_q;
            default: {own_readable, own_word} = 33'd0;
        endcase
    end

    formal_csr_rules #(
        .ID(`MOEHUB_ID_SWITCH), .PARAMETERS(`MOEHUB_SWITCH_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_REDUCTION_EVENTS),
        .INTERRUPTS(3)
    ) u_rules (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_address(write_address), .write_data(write_data),
        .write_strobes(write_strobes), .write_error(bresp[1]), .read_address(read_address), .read_data(read_data),
        .read_error(rresp[1]), .interrupt_request(interrupt_request),
        .parameter_values({32'd24, 32'd7, 32'd1, 32'd31, 32'd32, 32'd256, 32'd33, 32'd107}),
        .events(events), .raised({1'b0, drained && !drained_q, 1'b0}), .levels({16'd0, occupancy}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name({error_port, 16'd0}),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_done(command_done), .command_refused(command_refused),
        .own_writable(write_address == `MOEHUB_SWITCH_CSR_COMMAND_DATA), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(operation)
    );

    reg started_q = 1'b0;
    always @(posedge clk) started_q <= 1'b1;
    always @* operand: assert (!started_q || !offered || command_data == operand_q);
    always @* begin
        timeout: cover (started_q && read_data == 32'h1234_5678 && timeout_q == 32'h1234_5678 && data_q == 32'd1 && !rresp[1]);
        waits:   cover (started_q && offered && data_q != operand_q);
        drains:  cover (started_q && interrupt_request && drained_q);
    end
endmodule
`default_nettype wire
