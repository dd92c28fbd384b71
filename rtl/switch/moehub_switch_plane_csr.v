// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of a switch plane (doc/plane/switch.md section 8) around moehub_csr_bank, and what the plane's pins say of
//   all ports.
// Contract: the bank's; a command runs with the operand at its start. initialised: all ports were in the last cycle.
//   interrupt_request: the plane's or a port's was high in the last cycle. Both are registers.
// Cost: 66 flops beside the bank's.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_switch_plane_csr #(
    parameter PORTS = 8 // 2..64
) (
    input  wire               clk,
    input  wire               rst,

    input  wire               s_axil_awvalid,
    output wire               s_axil_awready,
    input  wire [11:0]        s_axil_awaddr,
    input  wire [2:0]         s_axil_awprot,
    input  wire               s_axil_wvalid,
    output wire               s_axil_wready,
    input  wire [31:0]        s_axil_wdata,
    input  wire [3:0]         s_axil_wstrb,
    output wire               s_axil_bvalid,
    input  wire               s_axil_bready,
    output wire [1:0]         s_axil_bresp,
    input  wire               s_axil_arvalid,
    output wire               s_axil_arready,
    input  wire [11:0]        s_axil_araddr,
    input  wire [2:0]         s_axil_arprot,
    output wire               s_axil_rvalid,
    input  wire               s_axil_rready,
    output wire [31:0]        s_axil_rdata,
    output wire [1:0]         s_axil_rresp,
    output wire               interrupt_request,

    output wire               command_valid,
    input  wire               command_ready,
    output wire [3:0]         command_operation,
    output wire [31:0]        command_data,
    input  wire               command_done,
    input  wire               command_refused,

    input  wire [PORTS - 1:0] ports_initialised,
    input  wire [PORTS - 1:0] ports_down,
    input  wire [PORTS - 1:0] ports_went_down,
    input  wire [PORTS - 1:0] ports_interrupt, // a port's interrupt request
    input  wire [15:0]        timeout_limit,
    output wire               initialised
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
    endgenerate

    localparam INTERRUPTS = 3;

    // ---- what every block has ---------------------------------------------------------------------------------------
    reg  [INTERRUPTS - 1:0] raised;
    wire        own_interrupt;
    wire        start;
    wire        busy;
    wire        write;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_SWITCH_PLANE), .PARAMETERS(`MOEHUB_SWITCH_PLANE_CSR_PARAMETER_COUNT), .EVENTS(1), .INTERRUPTS(INTERRUPTS)
    ) u_bank (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .interrupt_request(own_interrupt), .parameter_values(PORTS[31:0]), .events(1'b0), .raised(raised), .levels(32'd0),
        .error_valid(1'b0), .error_cause(5'd0), .error_header(128'd0), .error_name(22'd0),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_start(start), .command_done(command_done), .command_refused(command_refused), .command_busy(busy),
        .write(write), .write_address(write_address), .write_data(write_data),
        .own_writable(write_address == `MOEHUB_SWITCH_PLANE_CSR_COMMAND_DATA),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    // ---- commands, pins -------------------------------------------------------------------------------------------------
    reg [31:0] command_data_q;
    reg [31:0] command_operand_q; // of the command under way: software may already write the next one's
    reg        initialised_q;
    reg        interrupt_q;

    assign command_data      = command_operand_q;
    assign initialised       = initialised_q;
    assign interrupt_request = interrupt_q;

    always @* begin
        raised = {INTERRUPTS{1'b0}};
        raised[`MOEHUB_SWITCH_PLANE_CSR_INTERRUPT_STATUS_WENT_DOWN] = |ports_went_down;
    end

    always @(posedge clk) begin
        if (write && write_address == `MOEHUB_SWITCH_PLANE_CSR_COMMAND_DATA) command_data_q <= write_data;
        if (start) command_operand_q <= command_data_q;
        initialised_q <= &ports_initialised;
        interrupt_q   <= own_interrupt || |ports_interrupt;
        if (rst) begin
            command_data_q <= 32'd0;
            initialised_q  <= 1'b0;
            interrupt_q    <= 1'b0;
        end
    end

    // ---- reads ----------------------------------------------------------------------------------------------------------
    wire [63:0] down       = {{(64 - PORTS){1'b0}}, ports_down};
    wire [63:0] interrupts = {{(64 - PORTS){1'b0}}, ports_interrupt};

    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_SWITCH_PLANE_CSR_STATUS_INITIALISED]  = initialised_q;
                own_word[`MOEHUB_SWITCH_PLANE_CSR_STATUS_COMMAND_BUSY] = busy;
            end
            `MOEHUB_SWITCH_PLANE_CSR_COMMAND_DATA:       own_word = command_data_q;
            `MOEHUB_SWITCH_PLANE_CSR_TIMEOUT_LIMIT:      own_word[`MOEHUB_SWITCH_PLANE_CSR_TIMEOUT_LIMIT_VALUE] = timeout_limit;
            `MOEHUB_SWITCH_PLANE_CSR_DOWN:               own_word = down[31:0];
            `MOEHUB_SWITCH_PLANE_CSR_DOWN + 12'd4:       own_word = down[63:32];
            `MOEHUB_SWITCH_PLANE_CSR_INTERRUPTS:         own_word = interrupts[31:0];
            `MOEHUB_SWITCH_PLANE_CSR_INTERRUPTS + 12'd4: own_word = interrupts[63:32];
            default:                                     own_readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
