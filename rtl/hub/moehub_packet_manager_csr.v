// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of the packet manager (doc/hub/packet_manager.md section 8) around moehub_csr_bank.
// Contract: the bank's; and
//   1. A command runs with the operand at its start, and is over in the cycle in which it is offered.
//   2. line_timeout: 16384 after reset, and what a command set, from the cycle after its end on.
//   3. events, error_*: those of moehub_packet_manager; reduce_events: MOEHUB_PACKET_MANAGER_EVENT_REDUCES to _ANSWERED, then
//      _REDUCE_NO_GROUP, _REDUCE_NO_ROOM. Of offenders of one cycle the latch gets a refused command before one of the packet
//      manager, and this before a reduce's.
// Cost: 80 flops beside the bank's.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_packet_manager_csr #(
    parameter ROWS        = 32,  // 1..64
    parameter LINES       = 448, // 1..4096
    parameter STORE_BYTES = 32,  // 16, 32, 64, 128
    parameter REDUCES     = 16   // 1..64
) (
    input  wire                                       clk,
    input  wire                                       rst,

    input  wire                                       s_axil_awvalid,
    output wire                                       s_axil_awready,
    input  wire [11:0]                                s_axil_awaddr,
    input  wire [2:0]                                 s_axil_awprot,
    input  wire                                       s_axil_wvalid,
    output wire                                       s_axil_wready,
    input  wire [31:0]                                s_axil_wdata,
    input  wire [3:0]                                 s_axil_wstrb,
    output wire                                       s_axil_bvalid,
    input  wire                                       s_axil_bready,
    output wire [1:0]                                 s_axil_bresp,
    input  wire                                       s_axil_arvalid,
    output wire                                       s_axil_arready,
    input  wire [11:0]                                s_axil_araddr,
    input  wire [2:0]                                 s_axil_arprot,
    output wire                                       s_axil_rvalid,
    input  wire                                       s_axil_rready,
    output wire [31:0]                                s_axil_rdata,
    output wire [1:0]                                 s_axil_rresp,
    output wire                                       interrupt_request,

    output wire [15:0]                                line_timeout,
    input  wire                                       initialised,
    input  wire [15:0]                                slots_level,
    input  wire [15:0]                                rows_level,
    input  wire [`MOEHUB_PACKET_MANAGER_EVENTS - 1:0] events,
    input  wire                                       error_valid,
    input  wire [4:0]                                 error_cause,
    input  wire [127:0]                               error_header,
    input  wire [6:0]                                 reduce_events,
    input  wire                                       reduce_error_valid,
    input  wire [127:0]                               reduce_error_header
);
    localparam INTERRUPTS = 3;
    localparam EVENTS     = `MOEHUB_PACKET_MANAGER_EVENTS;
    localparam [15:0] TIMEOUT_AT_RESET = 16'd16384;
    localparam [31:0] MOST_TIMEOUT     = 32'd32768;

    // ---- what every block has ---------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_PACKET_MANAGER_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {
        REDUCES[31:0], STORE_BYTES[31:0], LINES[31:0], ROWS[31:0]
    };
    wire         command_valid;
    wire [3:0]   command_operation;
    wire         refused;
    wire         start;
    wire         unused_busy;
    wire         write;
    wire [11:0]  write_address;
    wire [31:0]  write_data;
    wire [11:0]  read_address;
    reg          own_readable;
    reg  [31:0]  own_word;
    reg  [EVENTS - 1:0] all_events;
    wire         refuses = command_valid && refused;
    wire         any_error = refuses || error_valid || reduce_error_valid;
    wire [4:0]   any_cause = refuses ? 5'd`MOEHUB_PACKET_MANAGER_CAUSE_COMMAND
        : error_valid ? error_cause : 5'd`MOEHUB_PACKET_MANAGER_CAUSE_REDUCE;
    reg  [127:0] any_header;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_PACKET_MANAGER), .PARAMETERS(`MOEHUB_PACKET_MANAGER_CSR_PARAMETER_COUNT), .EVENTS(EVENTS),
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
        .interrupt_request(interrupt_request), .parameter_values(parameter_values), .events(all_events),
        .raised({INTERRUPTS{1'b0}}), .levels({rows_level, slots_level}), .error_valid(any_error), .error_cause(any_cause),
        .error_header(any_header), .error_name(22'd0), .command_valid(command_valid), .command_ready(1'b1),
        .command_operation(command_operation), .command_start(start), .command_done(command_valid), .command_refused(refused),
        .command_busy(unused_busy), .write(write), .write_address(write_address), .write_data(write_data),
        .own_writable(write_address == `MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    // ---- the command --------------------------------------------------------------------------------------------------
    reg [31:0] command_data_q;
    reg [31:0] command_operand_q; // of the command under way: software may already write the next one's
    reg [15:0] line_timeout_q;

    assign refused = command_operation != 4'd`MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET || command_operand_q == 32'd0
        || command_operand_q > MOST_TIMEOUT;
    assign line_timeout = line_timeout_q;

    always @(posedge clk) begin
        if (write && write_address == `MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA) command_data_q <= write_data;
        if (start) command_operand_q <= command_data_q;
        if (command_valid && !refused) line_timeout_q <= command_operand_q[15:0];
        if (rst) begin
            command_data_q <= 32'd0;
            line_timeout_q <= TIMEOUT_AT_RESET;
        end
    end

    // ---- events, offenders ----------------------------------------------------------------------------------------------
    always @* begin
        all_events = events;
        all_events[`MOEHUB_PACKET_MANAGER_CAUSE_COMMAND]         = refuses;
        all_events[`MOEHUB_PACKET_MANAGER_CAUSE_REDUCE]          = reduce_error_valid;
        all_events[`MOEHUB_PACKET_MANAGER_EVENT_REDUCES +: 5]    = reduce_events[4:0];
        all_events[`MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_GROUP] = reduce_events[5];
        all_events[`MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_ROOM]  = reduce_events[6];
        any_header = error_valid ? error_header : reduce_error_header;
        if (refuses) begin
            any_header = 128'd0;
            any_header[`MOEHUB_HEADER_TYPE_LSB +: `MOEHUB_HEADER_TYPE_WIDTH] = command_operation;
        end
    end

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_PACKET_MANAGER_CSR_STATUS_INITIALISED] = initialised;
                own_word[`MOEHUB_PACKET_MANAGER_CSR_STATUS_ROWS]        = rows_level[7:0];
            end
            `MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA: own_word = command_data_q;
            `MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT: own_word = {16'd0, line_timeout_q};
            default:                                 own_readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
