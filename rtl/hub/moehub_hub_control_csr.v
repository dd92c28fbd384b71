// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of the control window (doc/hub/hub.md section 7) around moehub_csr_bank.
// Contract: the bank's, and that of moehub_csr_operands; interrupt_request: a cycle after some window's, this one included.
// Cost: one flop beside theirs.
// Proved: formal/hub/formal_hub_control_csr.v.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_hub_control_csr #(
    parameter LINKS             = 1,    // 1..4
    parameter GPUS              = 8,    // 2..64
    parameter CONTEXTS          = 4,    // 1..8
    parameter LOCAL_EXPERT_BITS = 8,    // 0..8
    parameter LOCAL_EXPERTS     = 64,   // 1..256
    parameter MAX_TARGETS       = 32,   // 1..32
    parameter REQUEST_LINES     = 8,    // 1, 2, 4, 8
    parameter ROW_INDEX_WIDTH   = 20,   // 1..32
    parameter SLOT_WIDTH        = 22,   // 1..31
    parameter OFFSET_WIDTH      = 14,   // 7..16
    parameter ADDRESS_WIDTH     = 48,   // 32..64
    parameter PLACES_STORE      = 2048, // 14..8191
    parameter PLACES_REQUEST    = 256,  // 5..8191
    parameter PLACES_RESPONSE   = 1024, // 17..8191
    parameter LOOP_PLACES       = 64,   // 17..8191
    parameter LOOP_SHARE        = 4,    // 1, 2, 4, 8
    parameter LANE_BYTES        = 16,   // 16, 32
    parameter TILES             = 1024, // 1..65536
    parameter TOKENS            = 4096, // 1..65536
    parameter ROWS              = 32,   // 1..64
    parameter LINES             = 448,  // 1..4096
    parameter STORE_BYTES       = 32,   // 16, 32, 64, 128
    parameter FINAL_GROUPS      = 13,   // 1..4096 / REQUEST_LINES
    parameter WITH_FP32         = 1     // 0, 1
) (
    input  wire                                    clk,
    input  wire                                    rst,

    input  wire                                    s_axil_awvalid,
    output wire                                    s_axil_awready,
    input  wire [11:0]                             s_axil_awaddr,
    input  wire [2:0]                              s_axil_awprot,
    input  wire                                    s_axil_wvalid,
    output wire                                    s_axil_wready,
    input  wire [31:0]                             s_axil_wdata,
    input  wire [3:0]                              s_axil_wstrb,
    output wire                                    s_axil_bvalid,
    input  wire                                    s_axil_bready,
    output wire [1:0]                              s_axil_bresp,
    input  wire                                    s_axil_arvalid,
    output wire                                    s_axil_arready,
    input  wire [11:0]                             s_axil_araddr,
    input  wire [2:0]                              s_axil_arprot,
    output wire                                    s_axil_rvalid,
    input  wire                                    s_axil_rready,
    output wire [31:0]                             s_axil_rdata,
    output wire [1:0]                              s_axil_rresp,

    // ---- interrupt_request of every other window; a cycle later, or-ed with that of this one, the hub's
    input  wire                                    address_interrupt,        // window 1
    input  wire                                    tile_tracker_interrupt,   // window 2
    input  wire                                    packet_manager_interrupt, // window 3
    input  wire [LINKS:0]                          way_interrupts,           // windows 4 ..
    input  wire [LINKS - 1:0]                      final_reduce_interrupts,  // windows 9 ..
    output wire                                    interrupt_request,        // of the hub

    input  wire [9:0]                              own, // GPU
    output wire                                    command_valid,
    input  wire                                    command_ready,
    output wire [3:0]                              command_operation,
    output wire [7:0]                              command_context,
    output wire [15:0]                             command_index,
    output wire [63:0]                             command_data0,
    output wire [63:0]                             command_data1,
    input  wire                                    result_valid,
    output wire                                    result_ready,
    input  wire                                    result_refused,
    input  wire                                    result_in_flight,
    input  wire [63:0]                             result_data0,
    input  wire [63:0]                             result_data1,
    input  wire                                    initialised,
    input  wire [CONTEXTS - 1:0]                   enabled,
    input  wire [CONTEXTS - 1:0]                   has_failed,
    input  wire [CONTEXTS - 1:0]                   in_flight,
    input  wire [`MOEHUB_HUB_CONTROL_EVENTS - 1:0] events,
    input  wire                                    error_valid,
    input  wire [4:0]                              error_cause,
    input  wire [127:0]                            error_header,
    input  wire                                    became_failed,
    input  wire                                    became_arrived
);
    localparam INTERRUPTS = 4;

    // ---- what every block has -------------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {
        WITH_FP32[31:0], FINAL_GROUPS[31:0], STORE_BYTES[31:0], LINES[31:0], ROWS[31:0], TOKENS[31:0], TILES[31:0],
        LANE_BYTES[31:0], LOOP_SHARE[31:0], LOOP_PLACES[31:0], PLACES_RESPONSE[31:0], PLACES_REQUEST[31:0], PLACES_STORE[31:0],
        ADDRESS_WIDTH[31:0], OFFSET_WIDTH[31:0], SLOT_WIDTH[31:0], ROW_INDEX_WIDTH[31:0], REQUEST_LINES[31:0],
        MAX_TARGETS[31:0], LOCAL_EXPERTS[31:0], LOCAL_EXPERT_BITS[31:0], CONTEXTS[31:0], GPUS[31:0], LINKS[31:0]
    };
    reg  [INTERRUPTS - 1:0] raised;
    wire        start;
    wire        busy;
    wire        write;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire        own_writable;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;
    wire        own_interrupt;
    wire        operand_readable;
    wire [31:0] operand_word;
    wire        result;

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_HUB_CONTROL), .PARAMETERS(`MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_HUB_CONTROL_EVENTS),
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
        .interrupt_request(own_interrupt), .parameter_values(parameter_values), .events(events), .raised(raised),
        .levels(32'd0), .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header),
        .error_name(22'd0), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_start(start), .command_done(result), .command_refused(result_refused),
        .command_busy(busy), .write(write), .write_address(write_address), .write_data(write_data), .own_writable(own_writable),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    // ---- commands -------------------------------------------------------------------------------------------------------
    moehub_csr_operands u_operands (
        .clk(clk), .rst(rst), .write(write), .write_address(write_address), .write_data(write_data), .writable(own_writable),
        .read_address(read_address), .readable(operand_readable), .word(operand_word), .start(start), .busy(busy), .done(result),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready),
        .result_in_flight(result_in_flight), .result_data0(result_data0), .result_data1(result_data1)
    );

    // ---- interrupts -----------------------------------------------------------------------------------------------------
    reg  [15:0] windows;
    reg         interrupt_q;
    always @* begin
        raised = {INTERRUPTS{1'b0}};
        raised[`MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_FAILED]  = became_failed;
        raised[`MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_ARRIVED] = became_arrived;
        windows = 16'd0;
        windows[3:0] = {packet_manager_interrupt, tile_tracker_interrupt, address_interrupt, own_interrupt};
        windows[4 +: LINKS + 1] = way_interrupts;
        windows[9 +: LINKS]     = final_reduce_interrupts;
    end
    always @(posedge clk) begin
        interrupt_q <= |windows;
        if (rst) interrupt_q <= 1'b0;
    end
    assign interrupt_request = interrupt_q;

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_HUB_CONTROL_CSR_STATUS_INITIALISED]  = initialised;
                own_word[`MOEHUB_HUB_CONTROL_CSR_STATUS_COMMAND_BUSY] = busy;
                own_word[`MOEHUB_HUB_CONTROL_CSR_STATUS_ENABLED]      = {{8 - CONTEXTS{1'b0}}, enabled};
                own_word[`MOEHUB_HUB_CONTROL_CSR_STATUS_FAILED]       = {{8 - CONTEXTS{1'b0}}, has_failed};
                own_word[`MOEHUB_HUB_CONTROL_CSR_STATUS_IN_FLIGHT]    = {{8 - CONTEXTS{1'b0}}, in_flight};
            end
            `MOEHUB_HUB_CONTROL_CSR_INTERRUPTS: own_word[`MOEHUB_HUB_CONTROL_CSR_INTERRUPTS_WINDOWS] = windows;
            `MOEHUB_HUB_CONTROL_CSR_OWN:        own_word[`MOEHUB_HUB_CONTROL_CSR_OWN_GPU] = own;
            default: {own_readable, own_word} = {operand_readable, operand_word};
        endcase
    end
endmodule

`default_nettype wire
