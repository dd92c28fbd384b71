// SPDX-License-Identifier: Apache-2.0
// Purpose: the hub's registers (AXI4-Lite): operands and results of the address path's commands around moehub_csr_bank.
//   Map: doc/address_path.md section 8.
// Contract: the bank's, and that of moehub_csr_operands.
// Cost: theirs.
// Proved: formal/hub/formal_hub_csr.v.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_hub_csr #(
    parameter CONTEXTS        = 4,
    parameter LOCAL_EXPERTS   = 64,
    parameter GPUS            = 64,
    parameter ROW_INDEX_WIDTH = 20,
    parameter SLOT_WIDTH      = 22,
    parameter OFFSET_WIDTH    = 14,
    parameter ADDRESS_WIDTH   = 48,
    parameter SETS            = 128,
    parameter WAYS            = 4,
    parameter REPLACEMENT     = 0,
    parameter PORTS           = 16,
    parameter PENDING         = 64,
    parameter WAITING         = 128,
    parameter TAG_WIDTH       = 24,
    parameter AXI_DATA_WIDTH  = 128,
    parameter STAGES          = 1,
    parameter LENGTH_WIDTH    = 9
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             s_axil_awvalid,
    output wire                             s_axil_awready,
    input  wire [11:0]                      s_axil_awaddr,
    input  wire [2:0]                       s_axil_awprot,
    input  wire                             s_axil_wvalid,
    output wire                             s_axil_wready,
    input  wire [31:0]                      s_axil_wdata,
    input  wire [3:0]                       s_axil_wstrb,
    output wire                             s_axil_bvalid,
    input  wire                             s_axil_bready,
    output wire [1:0]                       s_axil_bresp,
    input  wire                             s_axil_arvalid,
    output wire                             s_axil_arready,
    input  wire [11:0]                      s_axil_araddr,
    input  wire [2:0]                       s_axil_arprot,
    output wire                             s_axil_rvalid,
    input  wire                             s_axil_rready,
    output wire [31:0]                      s_axil_rdata,
    output wire [1:0]                       s_axil_rresp,
    output wire                             interrupt_request,
    // address path
    output wire                             command_valid,
    input  wire                             command_ready,
    output wire [3:0]                       command_operation,
    output wire [7:0]                       command_context,
    output wire [15:0]                      command_index,
    output wire [63:0]                      command_data0,
    output wire [63:0]                      command_data1,
    input  wire                             result_valid,
    output wire                             result_ready,
    input  wire                             result_refused,
    input  wire                             result_in_flight,
    input  wire [63:0]                      result_data0,
    input  wire [63:0]                      result_data1,
    input  wire                             initialised,
    input  wire [CONTEXTS - 1:0]            in_flight,
    input  wire [CONTEXTS - 1:0]            clear_needed,
    input  wire [`MOEHUB_HUB_EVENTS - 1:0]  events,
    input  wire [$clog2(WAITING + 1) - 1:0] waiting_used,
    input  wire [$clog2(PENDING + 1) - 1:0] pending_used,
    input  wire                             error_valid,
    input  wire [4:0]                       error_cause,
    input  wire [127:0]                     error_header,
    input  wire [15:0]                      error_expert,
    input  wire [5:0]                       error_port
);
    localparam WAITING_WIDTH = $clog2(WAITING + 1);
    localparam PENDING_WIDTH = $clog2(PENDING + 1);
    localparam INTERRUPTS = 3;

    // ---- what every block has ---------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_HUB_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {
        LENGTH_WIDTH[31:0], STAGES[31:0], AXI_DATA_WIDTH[31:0], TAG_WIDTH[31:0], WAITING[31:0], PENDING[31:0], PORTS[31:0],
        REPLACEMENT[31:0], WAYS[31:0], SETS[31:0], ADDRESS_WIDTH[31:0], OFFSET_WIDTH[31:0],
        SLOT_WIDTH[31:0], ROW_INDEX_WIDTH[31:0], GPUS[31:0], LOCAL_EXPERTS[31:0], CONTEXTS[31:0]
    };
    reg  [INTERRUPTS - 1:0] raised;
    wire [31:0] levels = {{16 - PENDING_WIDTH{1'b0}}, pending_used, {16 - WAITING_WIDTH{1'b0}}, waiting_used};
    wire        start;
    wire        busy;
    wire        write;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire        own_writable;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;
    wire        operand_readable;
    wire [31:0] operand_word;
    wire        result;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_HUB), .PARAMETERS(`MOEHUB_HUB_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_HUB_EVENTS), .INTERRUPTS(INTERRUPTS)
    ) u_bank (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr),
        .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr),
        .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .interrupt_request(interrupt_request), .parameter_values(parameter_values),
        .events(events), .raised(raised), .levels(levels),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_name({error_port, error_expert}),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_start(start), .command_done(result), .command_refused(result_refused), .command_busy(busy),
        .write(write), .write_address(write_address), .write_data(write_data), .own_writable(own_writable),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    // ---- commands -----------------------------------------------------------------------------------------------------
    moehub_csr_operands u_operands (
        .clk(clk), .rst(rst), .write(write), .write_address(write_address), .write_data(write_data), .writable(own_writable),
        .read_address(read_address), .readable(operand_readable), .word(operand_word), .start(start), .busy(busy), .done(result),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1)
    );

    // ADVANCE is refused while clear_needed is set, so after one that was not refused a set bit is new.
    wire [255:0] clear_wide  = {{256 - CONTEXTS{1'b0}}, clear_needed};
    wire         was_advance = command_operation == 4'd`MOEHUB_HUB_COMMAND_ADVANCE;
    wire         exhausted   = result && !result_refused && was_advance && clear_wide[command_context];
    always @* begin
        raised = {INTERRUPTS{1'b0}};
        raised[`MOEHUB_HUB_CSR_INTERRUPT_STATUS_CLEAR_NEEDED] = exhausted;
    end

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_HUB_CSR_STATUS_INITIALISED]        = initialised;
                own_word[`MOEHUB_HUB_CSR_STATUS_IN_FLIGHT]          = |in_flight;
                own_word[`MOEHUB_HUB_CSR_STATUS_COMMAND_BUSY]       = busy;
                own_word[`MOEHUB_HUB_CSR_STATUS_CONTEXTS_IN_FLIGHT] = {{8 - CONTEXTS{1'b0}}, in_flight};
                own_word[`MOEHUB_HUB_CSR_STATUS_CLEAR_NEEDED]       = {{8 - CONTEXTS{1'b0}}, clear_needed};
            end
            default: {own_readable, own_word} = {operand_readable, operand_word};
        endcase
    end
endmodule

`default_nettype wire
