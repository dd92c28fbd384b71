// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of one switch port's reduction buffer (doc/reduction_buffer.md section 7): the commands' operand and the
//   timeout in force around moehub_csr_bank.
// Contract: the bank's; a command runs with the operand at its start, whatever is written meanwhile.
// Cost: 97 flops beside the bank's.
// Proved: formal/switch/formal_switch_csr.v.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_switch_csr #(
    parameter ENTRIES          = 107,
    parameter PORTS            = 64,
    parameter PAYLOAD_BYTES    = 128,
    parameter FLIT_BYTES       = 16,
    parameter MAX_CONTRIBUTORS = 64,
    parameter WITH_FP32        = 1,
    parameter GENERATION_WIDTH = 8,
    parameter TAG_WIDTH        = 24
) (
    input  wire                               clk,
    input  wire                               rst,

    input  wire                               s_axil_awvalid,
    output wire                               s_axil_awready,
    input  wire [11:0]                        s_axil_awaddr,
    input  wire [2:0]                         s_axil_awprot,
    input  wire                               s_axil_wvalid,
    output wire                               s_axil_wready,
    input  wire [31:0]                        s_axil_wdata,
    input  wire [3:0]                         s_axil_wstrb,
    output wire                               s_axil_bvalid,
    input  wire                               s_axil_bready,
    output wire [1:0]                         s_axil_bresp,
    input  wire                               s_axil_arvalid,
    output wire                               s_axil_arready,
    input  wire [11:0]                        s_axil_araddr,
    input  wire [2:0]                         s_axil_arprot,
    output wire                               s_axil_rvalid,
    input  wire                               s_axil_rready,
    output wire [31:0]                        s_axil_rdata,
    output wire [1:0]                         s_axil_rresp,
    output wire                               interrupt_request,

    output wire                               command_valid,
    input  wire                               command_ready,
    output wire [3:0]                         command_operation,
    output wire [31:0]                        command_data,
    input  wire                               command_done,
    input  wire                               command_refused,

    input  wire                               initialised,
    input  wire                               empty,
    input  wire                               draining,
    input  wire [15:0]                        occupancy,
    input  wire [`MOEHUB_REDUCTION_EVENTS - 1:0] events,
    input  wire                               error_valid,
    input  wire [4:0]                         error_cause,
    input  wire [127:0]                       error_header,
    input  wire [5:0]                         error_port
);
    localparam INTERRUPTS = 3;

    // ---- what every block has ---------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_SWITCH_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {
        TAG_WIDTH[31:0], GENERATION_WIDTH[31:0], WITH_FP32[31:0], MAX_CONTRIBUTORS[31:0], FLIT_BYTES[31:0], PAYLOAD_BYTES[31:0],
        PORTS[31:0], ENTRIES[31:0]
    };
    reg  [INTERRUPTS - 1:0] raised;
    wire        start;
    wire        busy;
    wire        write;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_SWITCH), .PARAMETERS(`MOEHUB_SWITCH_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_REDUCTION_EVENTS),
        .INTERRUPTS(INTERRUPTS)
    ) u_bank (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .interrupt_request(interrupt_request), .parameter_values(parameter_values), .events(events), .raised(raised),
        .levels({16'd0, occupancy}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name({error_port, 16'd0}),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_start(start), .command_done(command_done), .command_refused(command_refused), .command_busy(busy),
        .write(write), .write_address(write_address), .write_data(write_data),
        .own_writable(write_address == `MOEHUB_SWITCH_CSR_COMMAND_DATA),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    // ---- commands -----------------------------------------------------------------------------------------------------
    reg [31:0] command_data_q;
    reg [31:0] command_operand_q; // of the command under way: software may already write the next one's
    reg [31:0] timeout_q;
    reg        drained_q;
    wire       drained = draining && empty;

    assign command_data = command_operand_q;

    always @* begin
        raised = {INTERRUPTS{1'b0}};
        raised[`MOEHUB_SWITCH_CSR_INTERRUPT_STATUS_DRAINED] = drained && !drained_q;
    end

    always @(posedge clk) begin
        if (write && write_address == `MOEHUB_SWITCH_CSR_COMMAND_DATA) command_data_q <= write_data;
        if (start) command_operand_q <= command_data_q;
        if (!command_refused && (command_done && command_operation == 4'd`MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET))
            timeout_q <= command_operand_q;
        drained_q <= drained;
        if (rst) begin
            command_data_q <= 32'd0;
            timeout_q      <= 32'd0;
            drained_q      <= 1'b0;
        end
    end

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_SWITCH_CSR_STATUS_INITIALISED]  = initialised;
                own_word[`MOEHUB_SWITCH_CSR_STATUS_EMPTY]        = empty;
                own_word[`MOEHUB_SWITCH_CSR_STATUS_DRAINING]     = draining;
                own_word[`MOEHUB_SWITCH_CSR_STATUS_COMMAND_BUSY] = busy;
                own_word[`MOEHUB_SWITCH_CSR_STATUS_OCCUPANCY]    = occupancy;
            end
            `MOEHUB_SWITCH_CSR_COMMAND_DATA: own_word = command_data_q;
            `MOEHUB_SWITCH_CSR_TIMEOUT:      own_word = timeout_q;
            default:                         own_readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
