// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of one port of the switch plane (doc/plane/switch.md section 8) around moehub_csr_bank.
// Contract: the bank's; a command runs with the operand at its start, and is offered only while no
//   command of the port's reduction buffer runs.
// Cost: 96 flops beside the bank's.
// Limits: command_valid is a gate of buffer_ready. A user that is idle takes a command in the cycle in which it is offered.
// Proved: formal/switch/formal_switch_port_csr.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_switch_port_csr #(
    parameter PORTS             = 8,
    parameter LOCAL_EXPERT_BITS = 8,
    parameter MAX_TARGETS       = 32,
    parameter REQUEST_LINES     = 8,
    parameter GROUPS            = 13,
    parameter PLACES_STORE      = 2048,
    parameter PLACES_REQUEST    = 256,
    parameter PLACES_RESPONSE   = 2048,
    parameter COPIES            = 1024,
    parameter SLOTS             = 4,
    parameter BOUND             = 8
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

    input  wire                               buffer_ready, // the reduction buffer is initialised, and no command of it runs
    output wire                               command_valid,
    input  wire                               command_ready,
    output wire [3:0]                         command_operation,
    output wire [31:0]                        command_data,
    input  wire                               command_done,
    input  wire                               command_refused,

    input  wire                               initialised,
    input  wire                               link_up,
    input  wire                               down,
    input  wire                               went_down,
    input  wire                               empty,
    input  wire [31:0]                        port_timeout,
    input  wire [15:0]                        timeouts,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits,
    input  wire [`MOEHUB_CLASSES * 16 - 1:0]  used_places,
    input  wire [15:0]                        used_records,
    input  wire [`MOEHUB_SWITCH_PORT_EVENTS - 1:0] events,
    input  wire                               error_valid,
    input  wire [4:0]                         error_cause,
    input  wire [127:0]                       error_header,
    input  wire [5:0]                         error_port
);
    localparam INTERRUPTS = 3;
    localparam WIDTH      = `MOEHUB_CREDITS_WIDTH;

    // ---- what every block has ---------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_SWITCH_PORT_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {
        BOUND[31:0], SLOTS[31:0], COPIES[31:0], PLACES_RESPONSE[31:0], PLACES_REQUEST[31:0], PLACES_STORE[31:0], GROUPS[31:0],
        REQUEST_LINES[31:0], MAX_TARGETS[31:0], LOCAL_EXPERT_BITS[31:0], PORTS[31:0]
    };
    reg  [INTERRUPTS - 1:0] raised;
    wire        offered;
    wire        start;
    wire        busy;
    wire        write;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_SWITCH_PORT), .PARAMETERS(`MOEHUB_SWITCH_PORT_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_SWITCH_PORT_EVENTS),
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
        .levels({used_records, used_places[`MOEHUB_CLASS_STORE * 16 +: 16]}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name({error_port, 16'd0}),
        .command_valid(offered), .command_ready(command_ready && buffer_ready), .command_operation(command_operation),
        .command_start(start), .command_done(command_done), .command_refused(command_refused), .command_busy(busy),
        .write(write), .write_address(write_address), .write_data(write_data),
        .own_writable(write_address == `MOEHUB_SWITCH_PORT_CSR_COMMAND_DATA),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    wire [15:0] mark_request;
    wire [15:0] mark_response;

    moehub_high_water #(.LEVELS(2)) u_high_water (
        .clk(clk), .rst(rst),
        .levels({used_places[`MOEHUB_CLASS_RESPONSE * 16 +: 16], used_places[`MOEHUB_CLASS_REQUEST * 16 +: 16]}),
        .marks({mark_response, mark_request})
    );

    // ---- commands -----------------------------------------------------------------------------------------------------
    reg [31:0] command_data_q;
    reg [31:0] command_operand_q; // of the command under way: software may already write the next one's

    assign command_valid = offered && buffer_ready;
    assign command_data  = command_operand_q;

    always @* begin
        raised = {INTERRUPTS{1'b0}};
        raised[`MOEHUB_SWITCH_PORT_CSR_INTERRUPT_STATUS_WENT_DOWN] = went_down;
    end

    always @(posedge clk) begin
        if (write && write_address == `MOEHUB_SWITCH_PORT_CSR_COMMAND_DATA) command_data_q <= write_data;
        if (start) command_operand_q <= command_data_q;
        if (rst) command_data_q <= 32'd0;
    end

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_SWITCH_PORT_CSR_STATUS_INITIALISED]  = initialised;
                own_word[`MOEHUB_SWITCH_PORT_CSR_STATUS_LINK_UP]      = link_up;
                own_word[`MOEHUB_SWITCH_PORT_CSR_STATUS_DOWN]         = down;
                own_word[`MOEHUB_SWITCH_PORT_CSR_STATUS_COMMAND_BUSY] = busy;
                own_word[`MOEHUB_SWITCH_PORT_CSR_STATUS_EMPTY]        = empty;
            end
            `MOEHUB_SWITCH_PORT_CSR_COMMAND_DATA:    own_word = command_data_q;
            `MOEHUB_SWITCH_PORT_CSR_PORT_TIMEOUT:    own_word = port_timeout;
            `MOEHUB_SWITCH_PORT_CSR_TIMEOUTS:        own_word[`MOEHUB_SWITCH_PORT_CSR_TIMEOUTS_VALUE] = timeouts;
            `MOEHUB_SWITCH_PORT_CSR_CREDITS:
                own_word[`MOEHUB_SWITCH_PORT_CSR_CREDITS_VALUE] = credits[`MOEHUB_CLASS_STORE * WIDTH +: WIDTH];
            `MOEHUB_SWITCH_PORT_CSR_CREDITS + 12'd4:
                own_word[`MOEHUB_SWITCH_PORT_CSR_CREDITS_VALUE] = credits[`MOEHUB_CLASS_REQUEST * WIDTH +: WIDTH];
            `MOEHUB_SWITCH_PORT_CSR_CREDITS + 12'd8:
                own_word[`MOEHUB_SWITCH_PORT_CSR_CREDITS_VALUE] = credits[`MOEHUB_CLASS_RESPONSE * WIDTH +: WIDTH];
            `MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RESPONSE: begin
                own_word[`MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RESPONSE_RESPONSE] = mark_response;
                own_word[`MOEHUB_SWITCH_PORT_CSR_HIGH_WATER_RESPONSE_REQUEST]  = mark_request;
            end
            default: own_readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
