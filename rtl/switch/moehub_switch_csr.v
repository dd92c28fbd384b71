// SPDX-License-Identifier: Apache-2.0
// Purpose: registers of one switch port's reduction buffer (reduction_buffer.md section 7): commands, counters, error latch,
//   interrupt.
// Contract: the register map of the specification. A write takes effect as a whole or answers SLVERR and changes nothing.
//   interrupt_request is high while a status bit is set whose mask bit is set; a bit that is set and cleared at once stays set.
// Cost: a read 6 cycles, a write 4; two flops per counter bit (moehub_event_counters).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

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

    localparam [11:0] ID               = 12'h000;
    localparam [11:0] VERSION          = 12'h004;
    localparam [11:0] STATUS           = 12'h008;
    localparam [11:0] INTERRUPT_STATUS = 12'h00c;
    localparam [11:0] INTERRUPT_MASK   = 12'h010;
    localparam [11:0] PARAMETER        = 12'h020;
    localparam [11:0] COMMAND_DATA     = 12'h088;
    localparam [11:0] COMMAND          = 12'h098;
    localparam [11:0] COMMAND_STATUS   = 12'h09c;
    localparam [11:0] TIMEOUT          = 12'h0a0;
    localparam [11:0] SNAPSHOT         = 12'h0c0;
    localparam [11:0] LATCH_STATUS     = 12'h0c4;
    localparam [11:0] LATCH_HEADER     = 12'h0c8;
    localparam [11:0] LATCH_NAME       = 12'h0d8;
    localparam [11:0] HIGH_WATER       = 12'h0dc;
    localparam [11:0] COUNTER          = 12'h100;
    localparam [11:0] COUNTERS_END     = 12'h100 + 8 * `MOEHUB_REDUCTION_EVENTS;
    localparam        COUNTER_INDEX    = `MOEHUB_INDEX_WIDTH(`MOEHUB_REDUCTION_EVENTS);

    // ---- bus ------------------------------------------------------------------------------------------------------
    wire        write_valid;
    wire [11:0] write_address;
    wire [31:0] write_data;
    wire        write_full;
    reg         write_error_q;
    wire        unused_read_valid;
    wire [11:0] read_address;
    reg  [31:0] read_data_q;
    reg         read_error_q;

    moehub_axi_lite_slave #(.ADDRESS_WIDTH(12), .READ_LATENCY(2)) u_bus (
        .clk(clk), .rst(rst),
        .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready), .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
        .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready), .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
        .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
        .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready), .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
        .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready), .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
        .write_valid(write_valid), .write_address(write_address), .write_data(write_data), .write_full(write_full),
        .write_error(write_error_q),
        .read_valid(unused_read_valid), .read_address(read_address), .read_data(read_data_q), .read_error(read_error_q)
    );

    // ---- writes -----------------------------------------------------------------------------------------------------
    reg [31:0] command_data_q;
    reg [31:0] command_operand_q; // of the command under way: software may already write the next one's
    reg        command_valid_q;
    reg [3:0]  command_operation_q;
    reg        command_busy_q;
    reg        command_refused_q;
    reg [31:0] timeout_q;
    reg [2:0]  interrupt_status_q;
    reg [2:0]  interrupt_mask_q;
    reg        interrupt_q;
    reg        drained_q;

    wire write            = write_valid && write_full;
    wire write_status     = write && write_address == INTERRUPT_STATUS;
    wire write_mask       = write && write_address == INTERRUPT_MASK;
    wire write_operand    = write && write_address == COMMAND_DATA;
    wire write_command    = write && write_address == COMMAND && !command_busy_q;
    wire write_snapshot   = write && write_address == SNAPSHOT;
    wire write_latch      = write && write_address == LATCH_STATUS;
    wire drained          = draining && empty;
    wire refused          = command_done && command_refused;
    wire latch_caught;

    wire [2:0] set   = {refused, drained && !drained_q, latch_caught};
    wire [2:0] clear = write_status ? write_data[2:0] : 3'd0;

    always @(posedge clk) begin
        write_error_q <= !(write_status || write_mask || write_operand || write_command || write_snapshot || write_latch);
        if (write_mask) interrupt_mask_q <= write_data[2:0];
        if (write_operand) command_data_q <= write_data;

        if (write_command) begin
            command_valid_q     <= 1'b1;
            command_operation_q <= write_data[3:0];
            command_operand_q   <= command_data_q;
            command_busy_q      <= 1'b1;
        end else if (command_ready) begin
            command_valid_q <= 1'b0;
        end
        if (command_done) begin
            command_busy_q    <= 1'b0;
            command_refused_q <= command_refused;
            if (command_operation_q == 4'd`MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET) timeout_q <= command_operand_q;
        end

        drained_q          <= drained;
        interrupt_status_q <= (interrupt_status_q & ~clear) | set;
        interrupt_q        <= |(interrupt_status_q & interrupt_mask_q);
        if (rst) begin
            command_data_q     <= 32'd0;
            command_valid_q    <= 1'b0;
            command_busy_q     <= 1'b0;
            command_refused_q  <= 1'b0;
            timeout_q          <= 32'd0;
            interrupt_status_q <= 3'd0;
            interrupt_mask_q   <= 3'd0;
            interrupt_q        <= 1'b0;
            drained_q          <= 1'b0;
        end
    end

    assign command_valid     = command_valid_q;
    assign command_operation = command_operation_q;
    assign command_data      = command_operand_q;
    assign interrupt_request = interrupt_q;

    // ---- counters, error latch, high-water mark -----------------------------------------------------------------------
    wire [47:0]  counter;
    wire         latched;
    wire [4:0]   latch_cause;
    wire [127:0] latch_header;
    wire [5:0]   latch_port;
    reg  [15:0]  high_water_q;

    moehub_event_counters #(.EVENTS(`MOEHUB_REDUCTION_EVENTS)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(write_snapshot),
        .index(read_address[3 +: COUNTER_INDEX]), .value(counter)
    );

    moehub_error_latch #(.WIDTH(5 + 128 + 6)) u_latch (
        .clk(clk), .rst(rst), .error_valid(error_valid), .error({error_cause, error_header, error_port}),
        .clear(write_latch && write_data[0]),
        .latched(latched), .caught(latch_caught), .first({latch_cause, latch_header, latch_port})
    );

    always @(posedge clk) begin
        if (occupancy > high_water_q) high_water_q <= occupancy;
        if (rst) high_water_q <= 16'd0;
    end

    // ---- reads, in two steps --------------------------------------------------------------------------------------------
    reg [31:0] counter_q;
    reg [31:0] header_q;
    reg [31:0] parameter_q;
    reg [31:0] word_q;
    reg        is_counter_q;
    reg        is_header_q;
    reg        is_parameter_q;
    reg        is_word_q;

    wire aligned      = read_address[1:0] == 2'd0;
    wire is_parameter = aligned && read_address[11:5] == PARAMETER[11:5];
    wire is_header    = aligned && read_address >= LATCH_HEADER && read_address < LATCH_NAME;
    wire is_counter   = aligned && read_address >= COUNTER && read_address < COUNTERS_END;

    reg [31:0] parameter_word;
    always @* begin
        case (read_address[4:2])
            3'd0: parameter_word = ENTRIES;
            3'd1: parameter_word = PORTS;
            3'd2: parameter_word = PAYLOAD_BYTES;
            3'd3: parameter_word = FLIT_BYTES;
            3'd4: parameter_word = MAX_CONTRIBUTORS;
            3'd5: parameter_word = WITH_FP32;
            3'd6: parameter_word = GENERATION_WIDTH;
            3'd7: parameter_word = TAG_WIDTH;
        endcase
    end

    reg [31:0] word;
    reg        is_word;
    always @* begin
        is_word = 1'b1;
        case (read_address)
            ID:               word = `MOEHUB_ID_SWITCH;
            VERSION:          word = (`MOEHUB_VERSION_MAJOR << 16) | (`MOEHUB_VERSION_MINOR << 8) | `MOEHUB_VERSION_PATCH;
            STATUS:           word = {occupancy, 12'd0, command_busy_q, draining, empty, initialised};
            INTERRUPT_STATUS: word = {29'd0, interrupt_status_q};
            INTERRUPT_MASK:   word = {29'd0, interrupt_mask_q};
            COMMAND_DATA:     word = command_data_q;
            COMMAND_STATUS:   word = {30'd0, command_refused_q, command_busy_q};
            TIMEOUT:          word = timeout_q;
            LATCH_STATUS:     word = {19'd0, latch_cause, 7'd0, latched};
            LATCH_NAME:       word = {10'd0, latch_port, 16'd0};
            HIGH_WATER:       word = {16'd0, high_water_q};
            default: begin
                word    = 32'd0;
                is_word = 1'b0;
            end
        endcase
    end

    wire [1:0] header_index = read_address[3:2] - LATCH_HEADER[3:2];

    always @(posedge clk) begin
        counter_q      <= read_address[2] ? {16'd0, counter[47:32]} : counter[31:0];
        header_q       <= latch_header[header_index * 32 +: 32];
        parameter_q    <= parameter_word;
        word_q         <= word;
        is_counter_q   <= is_counter;
        is_header_q    <= is_header;
        is_parameter_q <= is_parameter;
        is_word_q      <= is_word;

        read_data_q  <= (counter_q & {32{is_counter_q}}) | (header_q & {32{is_header_q}}) | (parameter_q & {32{is_parameter_q}})
            | (word_q & {32{is_word_q}});
        read_error_q <= !(is_counter_q || is_header_q || is_parameter_q || is_word_q);
    end
endmodule

`default_nettype wire
