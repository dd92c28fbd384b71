// SPDX-License-Identifier: Apache-2.0
// moehub_hub_way_csr behind its bus (rtl/doc/hub/ingress.md, section 7): what it adds to the register bank, and what it tells
// it, against formal_csr_rules.v. Bus and counters are replaced (formal_seen_bus.v, formal_seen_counter_memory.v).
// Sizes: LOOP_BACK changes STATUS; no other parameter changes its logic, and those here differ from one another.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_hub_way_csr #(
    parameter LOOP_BACK = 0
) (
    input wire         clk,
    input wire         rst,
    input wire         write_valid,
    input wire [11:0]  write_address,
    input wire [31:0]  write_data,
    input wire [3:0]   write_strobes,
    input wire [11:0]  read_address,
    input wire         initialised,
    input wire         link_up,
    input wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits,
    input wire [`MOEHUB_CLASSES * 16 - 1:0] used_places,
    input wire [6:0]   used_answers,
    input wire [7:0]   used_writes,
    input wire [15:0]  used_read_lines,
    input wire [`MOEHUB_HUB_WAY_EVENTS - 1:0] events,
    input wire         error_valid,
    input wire [4:0]   error_cause,
    input wire [127:0] error_header
);
    wire        interrupt_request;
    wire [31:0] read_data;
    wire [1:0]  bresp, rresp;
    moehub_hub_way_csr #(
        .WAY(3), .LOOP_BACK(LOOP_BACK), .PLACES_STORE(2047), .PLACES_REQUEST(255), .PLACES_RESPONSE(1023), .ANSWERS(127),
        .REQUEST_ANSWERS(63), .WRITES(254), .READ_LINES(95), .PARTIAL_ROWS(41), .NOTICES(15)
    ) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(write_data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .interrupt_request(interrupt_request), .initialised(initialised), .link_up(link_up), .events(events),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .used_places(used_places),
        .used_answers(used_answers), .used_writes(used_writes), .used_read_lines(used_read_lines), .credits(credits)
    );

    // ---- its own registers, as the document has them --------------------------------------------------------------
    wire       taken, start, busy, offered;
    wire [3:0] operation;
    reg [15:0] request_q, response_q, answers_q, read_lines_q; // highest
    reg        refuse_q; // a command is refused in the cycle after it was offered
    always @(posedge clk) begin
        if (used_places[31:16] > request_q) request_q <= used_places[31:16];
        if (used_places[47:32] > response_q) response_q <= used_places[47:32];
        if ({9'd0, used_answers} > answers_q) answers_q <= {9'd0, used_answers};
        if (used_read_lines > read_lines_q) read_lines_q <= used_read_lines;
        refuse_q <= offered;
        if (rst) {request_q, response_q, answers_q, read_lines_q, refuse_q} <= 65'd0;
    end
    reg [31:0] own_word;
    reg        own_readable;
    always @* begin
        own_readable = 1'b1;
        case (read_address)
            `MOEHUB_CSR_STATUS: own_word = {27'd0, used_places == 48'd0, 2'd0, link_up || LOOP_BACK == 1, initialised};
            12'h0a8: own_word = {19'd0, credits[12:0]};
            12'h0ac: own_word = {19'd0, credits[25:13]};
            12'h0b0: own_word = {19'd0, credits[38:26]};
            12'h0e0: own_word = {request_q, response_q};
            12'h0e4: own_word = {read_lines_q, answers_q};
            default: {own_readable, own_word} = 33'd0;
        endcase
    end

    localparam [31:0] LOOP = LOOP_BACK;
    formal_csr_rules #(
        .ID(`MOEHUB_ID_HUB_WAY), .PARAMETERS(10), .EVENTS(`MOEHUB_HUB_WAY_EVENTS), .INTERRUPTS(3)
    ) u_rules (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_address(write_address), .write_data(write_data),
        .write_strobes(write_strobes), .write_error(bresp[1]), .read_address(read_address), .read_data(read_data),
        .read_error(rresp[1]), .interrupt_request(interrupt_request),
        .parameter_values({LOOP, 32'd15, 32'd41, 32'd95, 32'd254, 32'd63, 32'd127, 32'd1023, 32'd255, 32'd2047}),
        .events(events), .raised(3'd0), .levels({8'd0, used_writes, used_places[15:0]}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name({6'd3, 16'd0}),
        .command_valid(offered), .command_ready(1'b1), .command_operation(operation), .command_done(refuse_q),
        .command_refused(refuse_q), .own_writable(1'b0), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(operation)
    );

    reg started_q = 1'b0;
    always @(posedge clk) started_q <= 1'b1;
    always @* begin
        credit:  cover (started_q && read_data == 32'h1234 && credits[25:13] == 13'h1234 && credits[12:0] == 13'd1 && !rresp[1]);
        marked:  cover (started_q && read_data == 32'h0012_0034 && response_q == 16'h0034 && !rresp[1]);
        emptied: cover (started_q && read_data == 32'h0000_0011 && !rresp[1] && !link_up);
        refused: cover (started_q && interrupt_request && !error_valid);
    end
endmodule
`default_nettype wire
