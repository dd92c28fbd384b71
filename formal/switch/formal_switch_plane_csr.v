// SPDX-License-Identifier: Apache-2.0
// moehub_switch_plane_csr behind its bus (rtl/doc/plane/switch.md, section 8): what it adds to the register bank, and what it
// tells it, against formal_csr_rules.v; and what the plane's pins say of the ports. Bus and counters are replaced.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_switch_plane_csr #(
    parameter PORTS = 33
) (
    input wire               clk,
    input wire               rst,
    input wire               write_valid,
    input wire [11:0]        write_address,
    input wire [31:0]        write_data,
    input wire [3:0]         write_strobes,
    input wire [11:0]        read_address,
    input wire               command_ready,
    input wire               command_done,
    input wire               command_refused,
    input wire [PORTS - 1:0] ports_initialised,
    input wire [PORTS - 1:0] ports_down,
    input wire [PORTS - 1:0] ports_went_down,
    input wire [PORTS - 1:0] ports_interrupt,
    input wire [15:0]        timeout_limit
);
`include "formal_reset.vh"
    wire        interrupt_request, command_valid, initialised;
    wire [3:0]  command_operation;
    wire [31:0] command_data, read_data;
    wire [1:0]  bresp, rresp;
    moehub_switch_plane_csr #(.PORTS(PORTS)) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(write_data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .interrupt_request(interrupt_request),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .ports_initialised(ports_initialised), .ports_down(ports_down), .ports_went_down(ports_went_down),
        .ports_interrupt(ports_interrupt), .timeout_limit(timeout_limit), .initialised(initialised)
    );

    // ---- its own registers, as the document has them --------------------------------------------------------------
    wire       taken, start, busy, offered;
    wire [3:0] operation;
    reg [31:0] data_q, operand_q;
    reg        all_q, any_q; // ports that are initialised, that want an interrupt
    wire       pin;          // the bank's own interrupt: the plane's is a register behind it
    reg        pin_q;
    always @* begin // a command ends after it was taken
        assume (!command_ready || offered);
        assume (!command_done || (busy && !offered));
    end
    always @(posedge clk) begin
        if (taken && write_address == `MOEHUB_SWITCH_PLANE_CSR_COMMAND_DATA) data_q <= write_data;
        if (start) operand_q <= data_q;
        all_q <= ports_initialised == {PORTS{1'b1}};
        any_q <= ports_interrupt != {PORTS{1'b0}};
        pin_q <= pin;
        if (rst) {data_q, all_q, any_q, pin_q} <= 35'd0;
    end
    reg [31:0] own_word;
    reg        own_readable;
    always @* begin
        own_readable = 1'b1;
        case (read_address)
            `MOEHUB_CSR_STATUS: own_word = {28'd0, busy, 2'd0, all_q};
            12'h088: own_word = data_q;
            12'h0a0: own_word = {16'd0, timeout_limit};
            12'h0a4: own_word = ports_down[31:0];
            12'h0a8: own_word = {31'd0, ports_down[32]};
            12'h0ac: own_word = ports_interrupt[31:0];
            12'h0b0: own_word = {31'd0, ports_interrupt[32]};
            default: {own_readable, own_word} = 33'd0;
        endcase
    end

    formal_csr_rules #(.ID(`MOEHUB_ID_SWITCH_PLANE), .PARAMETERS(1), .EVENTS(1), .INTERRUPTS(3)) u_rules (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_address(write_address), .write_data(write_data),
        .write_strobes(write_strobes), .write_error(bresp[1]), .read_address(read_address), .read_data(read_data),
        .read_error(rresp[1]), .interrupt_request(pin), .parameter_values(32'd33), .events(1'b0),
        .raised({1'b0, ports_went_down != {PORTS{1'b0}}, 1'b0}), .levels(32'd0),
        .error_valid(1'b0), .error_cause(5'd0), .error_header(128'd0), .error_name(22'd0),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_done(command_done), .command_refused(command_refused),
        .own_writable(write_address == 12'h088), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(operation),
        .pin(pin)
    );

    always @* begin
        operand: assert (!started_q || !offered || command_data == operand_q);
        pins:    assert (!started_q || (initialised == all_q && interrupt_request == (pin_q || any_q)));
    end
    always @* begin
        upper:     cover (started_q && read_data == 32'd1 && ports_down == {1'b1, 32'd0} && data_q == 32'd2 && !rresp[1]);
        waits:     cover (started_q && offered && data_q != operand_q);
        goes_down: cover (started_q && interrupt_request && !any_q && ports_went_down[32]);
        all_there: cover (started_q && initialised && any_q);
    end
endmodule
`default_nettype wire
