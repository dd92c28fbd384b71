// SPDX-License-Identifier: Apache-2.0
// moehub_switch_port_csr behind its bus (rtl/doc/plane/switch.md, section 8): what it adds to the register bank, and what it
// tells it, against formal_csr_rules.v. Bus and counters are replaced (formal_seen_bus.v, formal_seen_counter_memory.v).
// Sizes: no parameter of the module changes its logic; those here differ from one another.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_switch_port_csr (
    input wire         clk,
    input wire         rst,
    input wire         write_valid,
    input wire [11:0]  write_address,
    input wire [31:0]  write_data,
    input wire [3:0]   write_strobes,
    input wire [11:0]  read_address,
    input wire         buffer_ready,
    input wire         command_ready,
    input wire         command_done,
    input wire         command_refused,
    input wire         initialised,
    input wire         link_up,
    input wire         down,
    input wire         went_down,
    input wire         empty,
    input wire [31:0]  port_timeout,
    input wire [15:0]  timeouts,
    input wire [`MOEHUB_CLASSES * `MOEHUB_CREDITS_WIDTH - 1:0] credits,
    input wire [`MOEHUB_CLASSES * 16 - 1:0] used_places,
    input wire [15:0]  used_records,
    input wire [`MOEHUB_SWITCH_PORT_EVENTS - 1:0] events,
    input wire         error_valid,
    input wire [4:0]   error_cause,
    input wire [127:0] error_header,
    input wire [5:0]   error_port
);
    wire        interrupt_request, command_valid;
    wire [3:0]  command_operation;
    wire [31:0] command_data, read_data;
    wire [1:0]  bresp, rresp;
    moehub_switch_port_csr #(
        .PORTS(33), .LOCAL_EXPERT_BITS(7), .MAX_TARGETS(31), .REQUEST_LINES(4), .GROUPS(12), .PLACES_STORE(2047),
        .PLACES_REQUEST(255), .PLACES_RESPONSE(1023), .COPIES(1022), .SLOTS(5), .BOUND(9)
    ) u_csr (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(write_data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .interrupt_request(interrupt_request), .buffer_ready(buffer_ready),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused),
        .initialised(initialised), .link_up(link_up), .down(down), .went_down(went_down), .empty(empty),
        .port_timeout(port_timeout), .timeouts(timeouts), .credits(credits), .used_places(used_places),
        .used_records(used_records), .events(events),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_port(error_port)
    );

    // ---- its own registers, as the document has them --------------------------------------------------------------
    wire       taken, start, busy, offered;
    wire [3:0] operation;
    reg [31:0] data_q, operand_q;
    reg [15:0] request_q, response_q; // highest
    always @* assume (!command_done || (busy && !offered)); // a command ends after it was taken
    always @(posedge clk) begin
        if (taken && write_address == `MOEHUB_SWITCH_PORT_CSR_COMMAND_DATA) data_q <= write_data;
        if (start) operand_q <= data_q;
        if (used_places[31:16] > request_q) request_q <= used_places[31:16];
        if (used_places[47:32] > response_q) response_q <= used_places[47:32];
        if (rst) {data_q, request_q, response_q} <= 64'd0;
    end
    reg [31:0] own_word;
    reg        own_readable;
    always @* begin
        own_readable = 1'b1;
        case (read_address)
            `MOEHUB_CSR_STATUS: own_word = {27'd0, empty, busy, down, link_up, initialised};
            12'h088: own_word = data_q;
            12'h0a0: own_word = port_timeout;
            12'h0a4: own_word = {16'd0, timeouts};
            12'h0a8: own_word = {19'd0, credits[12:0]};
            12'h0ac: own_word = {19'd0, credits[25:13]};
            12'h0b0: own_word = {19'd0, credits[38:26]};
            12'h0e0: own_word = {request_q, response_q};
            default: {own_readable, own_word} = 33'd0;
        endcase
    end

    formal_csr_rules #(
        .ID(`MOEHUB_ID_SWITCH_PORT), .PARAMETERS(11), .EVENTS(`MOEHUB_SWITCH_PORT_EVENTS), .INTERRUPTS(3)
    ) u_rules (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_address(write_address), .write_data(write_data),
        .write_strobes(write_strobes), .write_error(bresp[1]), .read_address(read_address), .read_data(read_data),
        .read_error(rresp[1]), .interrupt_request(interrupt_request),
        .parameter_values({32'd9, 32'd5, 32'd1022, 32'd1023, 32'd255, 32'd2047, 32'd12, 32'd4, 32'd31, 32'd7, 32'd33}),
        .events(events), .raised({1'b0, went_down, 1'b0}), .levels({used_records, used_places[15:0]}),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name({error_port, 16'd0}),
        .command_valid(offered), .command_ready(command_ready && command_valid), .command_operation(command_operation),
        .command_done(command_done), .command_refused(command_refused),
        .own_writable(write_address == 12'h088), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(operation)
    );

    reg started_q = 1'b0;
    always @(posedge clk) started_q <= 1'b1;
    always @* begin
        operand: assert (!started_q || !offered || command_data == operand_q);
        waits:   assert (!started_q || command_valid == (offered && buffer_ready));
    end
    always @* begin
        credit:   cover (started_q && read_data == 32'h1234 && credits[25:13] == 13'h1234 && data_q == 32'd1 && !rresp[1]);
        marked:   cover (started_q && read_data == 32'h0012_0034 && response_q == 16'h0034 && !rresp[1]);
        held:     cover (started_q && command_ready && offered && !buffer_ready && data_q != operand_q);
        goes_down: cover (started_q && interrupt_request && went_down);
    end
endmodule
`default_nettype wire
