// SPDX-License-Identifier: Apache-2.0
// moehub_hub_control_csr behind its bus (rtl/doc/hub/hub.md, section 7): what it adds to the register bank, and what it tells it,
// against formal_csr_rules.v; and the hub's pin. Bus and counters are replaced (formal_seen_bus.v,
// formal_seen_counter_memory.v). Sizes: two links, small parameters that differ.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_registers.vh"
module formal_hub_control_csr (
    input wire         clk,
    input wire         rst,
    input wire         write_valid,
    input wire [11:0]  write_address,
    input wire [31:0]  data,
    input wire [3:0]   write_strobes,
    input wire [11:0]  read_address,
    input wire         address_interrupt,
    input wire         tile_tracker_interrupt,
    input wire         packet_manager_interrupt,
    input wire [2:0]   way_interrupts,
    input wire [1:0]   final_reduce_interrupts,
    input wire [9:0]   own,
    input wire         command_ready,
    input wire         result_valid,
    input wire         result_refused,
    input wire         result_in_flight,
    input wire [63:0]  result_data0,
    input wire [63:0]  result_data1,
    input wire         initialised,
    input wire [2:0]   enabled,
    input wire [2:0]   has_failed,
    input wire [2:0]   in_flight,
    input wire [`MOEHUB_HUB_CONTROL_EVENTS - 1:0] events,
    input wire         error_valid,
    input wire [4:0]   error_cause,
    input wire [127:0] error_header,
    input wire         became_failed,
    input wire         became_arrived
);
`include "formal_reset.vh"
    wire        interrupt_request, command_valid, result_ready;
    wire [3:0]  command_operation;
    wire [7:0]  command_context;
    wire [15:0] command_index;
    wire [63:0] command_data0, command_data1;
    wire [31:0] read_data;
    wire [1:0]  bresp, rresp;

    moehub_hub_control_csr #(
        .LINKS(2), .GPUS(12), .CONTEXTS(3), .LOCAL_EXPERT_BITS(4), .LOCAL_EXPERTS(5), .MAX_TARGETS(19), .REQUEST_LINES(8),
        .ROW_INDEX_WIDTH(7), .SLOT_WIDTH(13), .OFFSET_WIDTH(9), .ADDRESS_WIDTH(33), .PLACES_STORE(50), .PLACES_REQUEST(6),
        .PLACES_RESPONSE(40), .LOOP_PLACES(20), .LOOP_SHARE(1), .LANE_BYTES(16), .TILES(200), .TOKENS(300), .ROWS(31),
        .LINES(100), .STORE_BYTES(64), .FINAL_GROUPS(11), .WITH_FP32(0)
    ) u_csr (
        .clk(clk), .rst(rst), .interrupt_request(interrupt_request),
        .s_axil_awvalid(write_valid), .s_axil_awready(), .s_axil_awaddr(write_address), .s_axil_awprot(3'd0),
        .s_axil_wvalid(1'b0), .s_axil_wready(), .s_axil_wdata(data), .s_axil_wstrb(write_strobes),
        .s_axil_bvalid(), .s_axil_bready(1'b0), .s_axil_bresp(bresp),
        .s_axil_arvalid(1'b0), .s_axil_arready(), .s_axil_araddr(read_address), .s_axil_arprot(3'd0),
        .s_axil_rvalid(), .s_axil_rready(1'b0), .s_axil_rdata(read_data), .s_axil_rresp(rresp),
        .address_interrupt(address_interrupt), .tile_tracker_interrupt(tile_tracker_interrupt),
        .packet_manager_interrupt(packet_manager_interrupt), .way_interrupts(way_interrupts),
        .final_reduce_interrupts(final_reduce_interrupts), .own(own),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_context(command_context), .command_index(command_index), .command_data0(command_data0),
        .command_data1(command_data1), .result_valid(result_valid), .result_ready(result_ready),
        .result_refused(result_refused), .result_in_flight(result_in_flight), .result_data0(result_data0),
        .result_data1(result_data1), .initialised(initialised), .enabled(enabled), .has_failed(has_failed),
        .in_flight(in_flight), .events(events), .error_valid(error_valid), .error_cause(error_cause),
        .error_header(error_header), .became_failed(became_failed), .became_arrived(became_arrived)
    );

    // ---- its own registers, as the document has them --------------------------------------------------------------
    wire        taken, start, busy, offered, result, pin;
    wire        writable, readable;
    wire [31:0] word;
    formal_csr_operands u_operands (
        .clk(clk), .rst(rst), .taken(taken), .start(start), .busy(busy), .offered(offered), .write_address(write_address),
        .data(data), .read_address(read_address), .command_context(command_context), .command_index(command_index),
        .command_data0(command_data0), .command_data1(command_data1), .result_valid(result_valid),
        .result_ready(result_ready), .result_in_flight(result_in_flight), .result_data0(result_data0),
        .result_data1(result_data1), .writable(writable), .readable(readable), .word(word), .result(result),
        .started_context()
    );
    wire [15:0] windows = {5'd0, final_reduce_interrupts, 2'd0, way_interrupts, packet_manager_interrupt,
                           tile_tracker_interrupt, address_interrupt, pin};
    reg [31:0] own_word;
    reg        own_readable;
    always @* begin
        {own_readable, own_word} = {readable, word};
        case (read_address)
            `MOEHUB_CSR_STATUS: {own_readable, own_word} =
                {1'b1, 5'd0, in_flight, 5'd0, has_failed, 5'd0, enabled, 4'd0, busy, 2'd0, initialised};
            12'h0b0: {own_readable, own_word} = {17'h10000, windows};
            12'h0b4: {own_readable, own_word} = {1'b1, 22'd0, own};
            default: ;
        endcase
    end

    formal_csr_rules #(
        .ID(`MOEHUB_ID_HUB_CONTROL), .PARAMETERS(`MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT), .EVENTS(`MOEHUB_HUB_CONTROL_EVENTS),
        .INTERRUPTS(4)
    ) u_rules (
        .clk(clk), .rst(rst), .write_valid(write_valid), .write_address(write_address), .write_data(data),
        .write_strobes(write_strobes), .write_error(bresp[1]), .read_address(read_address), .read_data(read_data),
        .read_error(rresp[1]), .interrupt_request(pin),
        .parameter_values({32'd0, 32'd11, 32'd64, 32'd100, 32'd31, 32'd300, 32'd200, 32'd16, 32'd1, 32'd20, 32'd40, 32'd6, 32'd50,
                           32'd33, 32'd9, 32'd13, 32'd7, 32'd8, 32'd19, 32'd5, 32'd4, 32'd3, 32'd12, 32'd2}),
        .events(events), .raised({became_arrived, 1'b0, became_failed, 1'b0}), .levels(32'd0),
        .error_valid(error_valid), .error_cause(error_cause), .error_header(error_header), .error_name(22'd0),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_done(result), .command_refused(result_refused),
        .own_writable(writable), .own_readable(own_readable), .own_word(own_word),
        .taken(taken), .start(start), .busy(busy), .offered(offered), .operation(), .pin(pin)
    );

    // ---- the hub's pin: a register behind those of all windows --------------------------------------------------------
    reg any_q;
    always @(posedge clk) any_q <= windows != 16'd0 && !rst;
    always @* hub_pin: assert (!started_q || interrupt_request == any_q);
    always @* begin
        of_a_way:  cover (started_q && interrupt_request && way_interrupts == 3'd0 && !pin);
        of_itself: cover (started_q && interrupt_request && pin);
    end
endmodule
`default_nettype wire
