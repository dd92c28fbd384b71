// SPDX-License-Identifier: Apache-2.0
// moehub_csr_bank alone, against formal_csr_rules.v: whatever the block around it has for registers of its own, and whatever it
// tells. Sizes: those of two blocks, the hub's (15 parameters, 26 events) and a switch's (8, 24), 3 interrupts, and one of
// neither; EVENTS is 24 or more, so that formal_seen_counter_memory.v makes 48 bits of two cycles' events.
`default_nettype none
`include "moehub_registers.vh"
module formal_csr_bank #(
    parameter PARAMETERS = 15,
    parameter EVENTS     = 26,
    parameter INTERRUPTS = 3
) (
    input wire                     clk,
    input wire                     rst,
    input wire                     write_valid,
    input wire [11:0]              write_address,
    input wire [31:0]              data,
    input wire [3:0]               write_strobes,
    input wire [11:0]              read_address,
    input wire [EVENTS - 1:0]      events,
    input wire [INTERRUPTS - 1:0]  any_raised,
    input wire [31:0]              levels,
    input wire                     error_valid,
    input wire [4:0]               error_cause,
    input wire [127:0]             error_header,
    input wire [21:0]              error_name,
    input wire                     command_ready,
    input wire                     command_done,
    input wire                     command_refused,
    input wire                     own_writable,
    input wire                     own_readable,
    input wire [31:0]              own_word
);
    localparam [31:0] ID = 32'h4d4f_4531;
    wire [INTERRUPTS - 1:0]        raised = any_raised & ~{{INTERRUPTS - 3{1'b0}}, 3'b101};
    wire [PARAMETERS * 32 - 1:0]   parameter_values;
    // One parameter, whichever, has one free word, all others have another: whatever is read wrong, of any bit, shows.
    wire [3:0]                     chosen      = $anyconst;
    wire [31:0]                    chosen_word = $anyconst;
    wire [31:0]                    other_word  = $anyconst;
    genvar i;
    generate
        for (i = 0; i < PARAMETERS; i = i + 1) begin : g_parameter
            localparam [31:0] NAME = i;
            assign parameter_values[i * 32 +: 32] = chosen == NAME[3:0] ? chosen_word : other_word;
        end
    endgenerate

    wire        interrupt_request, command_valid, command_start, command_busy, write;
    wire [3:0]  command_operation;
    wire [11:0] told_write_address, told_read_address;
    wire [31:0] told_data, read_data;
    wire [1:0]  bresp, rresp;
    moehub_csr_bank #(.ID(ID), .PARAMETERS(PARAMETERS), .EVENTS(EVENTS), .INTERRUPTS(INTERRUPTS)) u_bank (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .interrupt_request(interrupt_request), .parameter_values(parameter_values),
        .events(events), .raised(raised), .levels(levels),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name(error_name),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_start(command_start), .command_done(command_done), .command_refused(command_refused),
        .command_busy(command_busy),
        .write(write), .write_address(told_write_address), .write_data(told_data), .own_writable(own_writable),
        .read_address(told_read_address), .own_readable(own_readable), .own_word(own_word)
    );

    wire       taken, start, busy, offered;
    wire [3:0] operation;
    formal_csr_rules #(.ID(ID), .PARAMETERS(PARAMETERS), .EVENTS(EVENTS), .INTERRUPTS(INTERRUPTS)) u_rules (
        .clk(clk), .rst(rst),
        .write_valid(write_valid), .write_address(write_address), .write_data(data), .write_strobes(write_strobes),
        .write_error(bresp[1]), .read_address(read_address), .read_data(read_data), .read_error(rresp[1]),
        .interrupt_request(interrupt_request), .parameter_values(parameter_values),
        .events(events), .raised(raised), .levels(levels),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name(error_name),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_done(command_done), .command_refused(command_refused),
        .own_writable(own_writable), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(operation)
    );
    always @* assume (!own_writable || write_address != `MOEHUB_CSR_COMMAND); // no own register at the bank's addresses

    reg started_q = 1'b0;
    always @(posedge clk) started_q <= 1'b1;
    always @* begin // what the block goes by
        told: assert (!started_q || (write == taken && command_start == start && command_busy == busy
                  && told_write_address == write_address && told_read_address == read_address && told_data == data));
        tells: cover (started_q && busy && taken && !start);
    end
endmodule
`default_nettype wire
