// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of one way of the hub (doc/hub/ingress.md section 7) around moehub_csr_bank.
// Contract: the bank's; every command is refused, in the cycle after it is offered.
// Cost: 65 flops beside the bank's.
// Proved: formal/hub/formal_hub_way_csr.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"

module moehub_hub_way_csr #(
    parameter WAY             = 0,    // 0..4: its number in the hub
    parameter LOOP_BACK       = 0,    // 0, 1
    parameter PLACES_STORE    = 2048, // 14..8191 flits
    parameter PLACES_REQUEST  = 256,  // 5..8191
    parameter PLACES_RESPONSE = 1024, // 17..8191
    parameter ANSWERS         = 128,  // 1..1024
    parameter REQUEST_ANSWERS = 64,   // MAX_TARGETS..1024
    parameter WRITES          = 256,  // 2..1024
    parameter READ_LINES      = 96,   // 1..1024
    parameter PARTIAL_ROWS    = 40,   // 9..256, of pre_reduce
    parameter NOTICES         = 16    // 2..64
) (
    input  wire                                                 clk,
    input  wire                                                 rst,

    input  wire                                                 s_axil_awvalid,
    output wire                                                 s_axil_awready,
    input  wire [11:0]                                          s_axil_awaddr,
    input  wire [2:0]                                           s_axil_awprot,
    input  wire                                                 s_axil_wvalid,
    output wire                                                 s_axil_wready,
    input  wire [31:0]                                          s_axil_wdata,
    input  wire [3:0]                                           s_axil_wstrb,
    output wire                                                 s_axil_bvalid,
    input  wire                                                 s_axil_bready,
    output wire [1:0]                                           s_axil_bresp,
    input  wire                                                 s_axil_arvalid,
    output wire                                                 s_axil_arready,
    input  wire [11:0]                                          s_axil_araddr,
    input  wire [2:0]                                           s_axil_arprot,
    output wire                                                 s_axil_rvalid,
    input  wire                                                 s_axil_rready,
    output wire [31:0]                                          s_axil_rdata,
    output wire [1:0]                                           s_axil_rresp,
    output wire                                                 interrupt_request,

    input  wire                                                 initialised,
    input  wire                                                 link_up,
    input  wire [`MOEHUB_HUB_WAY_EVENTS - 1:0]                  events,
    input  wire                                                 error_valid,
    input  wire [4:0]                                           error_cause,
    input  wire [127:0]                                         error_header,
    input  wire [`MOEHUB_CLASSES * 16 - 1:0]                    used_places,
    input  wire [$clog2(ANSWERS + 1) - 1:0]                     used_answers,
    input  wire [$clog2(WRITES + 1) - 1:0]                      used_writes,
    input  wire [15:0]                                          used_read_lines,
    input  wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits
);
    generate
        if (PARTIAL_ROWS < 9 || PARTIAL_ROWS > 256) PARTIAL_ROWS_must_be_9_to_256 u_rule ();
    endgenerate

    localparam INTERRUPTS = 3;
    localparam WIDTH      = `MOEHUB_CREDITS_WIDTH;
    localparam ANSWERS_WIDTH = $clog2(ANSWERS + 1);
    localparam WRITES_WIDTH  = $clog2(WRITES + 1);
    localparam [31:0] NUMBER = WAY;

    // ---- what every block has ---------------------------------------------------------------------------------------
    // PARAMETER registers, the last one in the highest bits
    wire [`MOEHUB_HUB_WAY_CSR_PARAMETER_COUNT * 32 - 1:0] parameter_values = {
        LOOP_BACK[31:0], NOTICES[31:0], PARTIAL_ROWS[31:0], READ_LINES[31:0], WRITES[31:0], REQUEST_ANSWERS[31:0],
        ANSWERS[31:0], PLACES_RESPONSE[31:0], PLACES_REQUEST[31:0], PLACES_STORE[31:0]
    };
    wire [15:0] answers_level = {{16 - ANSWERS_WIDTH{1'b0}}, used_answers};
    wire [15:0] writes_level  = {{16 - WRITES_WIDTH{1'b0}}, used_writes};
    wire        command_valid;
    wire [3:0]  unused_operation;
    wire        unused_start;
    wire        unused_busy;
    wire        unused_write;
    wire [11:0] unused_write_address;
    wire [31:0] unused_write_data;
    wire [11:0] read_address;
    reg         own_readable;
    reg  [31:0] own_word;

    // Nothing is to be done: it is over, and refused.
    reg refused_q;
    always @(posedge clk) begin
        refused_q <= command_valid;
        if (rst) refused_q <= 1'b0;
    end

    moehub_csr_bank #(
        .ID(`MOEHUB_ID_HUB_WAY), .PARAMETERS(`MOEHUB_HUB_WAY_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_HUB_WAY_EVENTS),
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
        .interrupt_request(interrupt_request), .parameter_values(parameter_values), .events(events),
        .raised({INTERRUPTS{1'b0}}), .levels({writes_level, used_places[`MOEHUB_CLASS_STORE * 16 +: 16]}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name({NUMBER[5:0], 16'd0}),
        .command_valid(command_valid), .command_ready(1'b1), .command_operation(unused_operation),
        .command_start(unused_start), .command_done(refused_q), .command_refused(refused_q), .command_busy(unused_busy),
        .write(unused_write), .write_address(unused_write_address), .write_data(unused_write_data), .own_writable(1'b0),
        .read_address(read_address), .own_readable(own_readable), .own_word(own_word)
    );

    wire [15:0] mark_request;
    wire [15:0] mark_response;
    wire [15:0] mark_answers;
    wire [15:0] mark_read_lines;

    moehub_high_water #(.LEVELS(4)) u_high_water (
        .clk(clk), .rst(rst),
        .levels({used_read_lines, answers_level, used_places[`MOEHUB_CLASS_REQUEST * 16 +: 16],
            used_places[`MOEHUB_CLASS_RESPONSE * 16 +: 16]}),
        .marks({mark_read_lines, mark_answers, mark_request, mark_response})
    );

    // ---- reads ----------------------------------------------------------------------------------------------------------
    always @* begin
        own_readable = 1'b1;
        own_word     = 32'd0;
        case (read_address)
            `MOEHUB_CSR_STATUS: begin
                own_word[`MOEHUB_HUB_WAY_CSR_STATUS_INITIALISED] = initialised;
                own_word[`MOEHUB_HUB_WAY_CSR_STATUS_LINK_UP]     = link_up || LOOP_BACK != 0;
                own_word[`MOEHUB_HUB_WAY_CSR_STATUS_EMPTY]       = used_places == {`MOEHUB_CLASSES * 16{1'b0}};
            end
            `MOEHUB_HUB_WAY_CSR_CREDITS:
                own_word[`MOEHUB_HUB_WAY_CSR_CREDITS_VALUE] = credits[`MOEHUB_CLASS_STORE * WIDTH +: WIDTH];
            `MOEHUB_HUB_WAY_CSR_CREDITS + 12'd4:
                own_word[`MOEHUB_HUB_WAY_CSR_CREDITS_VALUE] = credits[`MOEHUB_CLASS_REQUEST * WIDTH +: WIDTH];
            `MOEHUB_HUB_WAY_CSR_CREDITS + 12'd8:
                own_word[`MOEHUB_HUB_WAY_CSR_CREDITS_VALUE] = credits[`MOEHUB_CLASS_RESPONSE * WIDTH +: WIDTH];
            `MOEHUB_HUB_WAY_CSR_HIGH_WATER_RESPONSE: begin
                own_word[`MOEHUB_HUB_WAY_CSR_HIGH_WATER_RESPONSE_RESPONSE] = mark_response;
                own_word[`MOEHUB_HUB_WAY_CSR_HIGH_WATER_RESPONSE_REQUEST]  = mark_request;
            end
            `MOEHUB_HUB_WAY_CSR_HIGH_WATER_ANSWERS: begin
                own_word[`MOEHUB_HUB_WAY_CSR_HIGH_WATER_ANSWERS_ANSWERS]    = mark_answers;
                own_word[`MOEHUB_HUB_WAY_CSR_HIGH_WATER_ANSWERS_READ_LINES] = mark_read_lines;
            end
            default: own_readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
