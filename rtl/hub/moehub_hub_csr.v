// SPDX-License-Identifier: Apache-2.0
// Purpose: the hub's registers (AXI4-Lite): commands, counters, error latch, interrupt. Map: doc/address_path.md section 8.
// Contract:
//   1. A write takes effect as a whole, or answers SLVERR and changes nothing: an address outside the map, a read-only register,
//      a partial strobe, COMMAND while one is busy.
//   2. SNAPSHOT copies all counters at one clock edge.
//   3. interrupt_request is high while a status bit is set whose mask bit is set; a bit that is set and cleared at once stays set.
// Cost: a read 6 cycles, a write 4; the counters and their copy are flops (moehub_event_counters).
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

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
    parameter AXI_DATA_WIDTH  = 128
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
    localparam INDEX_WIDTH   = $clog2(`MOEHUB_HUB_EVENTS);

    localparam [11:0] ID               = 12'h000;
    localparam [11:0] VERSION          = 12'h004;
    localparam [11:0] STATUS           = 12'h008;
    localparam [11:0] INTERRUPT_STATUS = 12'h00C;
    localparam [11:0] INTERRUPT_MASK   = 12'h010;
    localparam [11:0] PARAMETER        = 12'h020;
    localparam [11:0] PARAMETERS_END   = 12'h05C;
    localparam [11:0] COMMAND_CONTEXT  = 12'h080;
    localparam [11:0] COMMAND_INDEX    = 12'h084;
    localparam [11:0] COMMAND_DATA0_L  = 12'h088;
    localparam [11:0] COMMAND_DATA0_H  = 12'h08C;
    localparam [11:0] COMMAND_DATA1_L  = 12'h090;
    localparam [11:0] COMMAND_DATA1_H  = 12'h094;
    localparam [11:0] COMMAND          = 12'h098;
    localparam [11:0] COMMAND_STATUS   = 12'h09C;
    localparam [11:0] RESULT_DATA0_L   = 12'h0A0;
    localparam [11:0] RESULT_DATA0_H   = 12'h0A4;
    localparam [11:0] RESULT_DATA1_L   = 12'h0A8;
    localparam [11:0] RESULT_DATA1_H   = 12'h0AC;
    localparam [11:0] SNAPSHOT         = 12'h0C0;
    localparam [11:0] LATCH_STATUS     = 12'h0C4;
    localparam [11:0] LATCH_HEADER_0   = 12'h0C8;
    localparam [11:0] LATCH_HEADER_1   = 12'h0CC;
    localparam [11:0] LATCH_HEADER_2   = 12'h0D0;
    localparam [11:0] LATCH_HEADER_3   = 12'h0D4;
    localparam [11:0] LATCH_NAME       = 12'h0D8;
    localparam [11:0] HIGH_WATER       = 12'h0DC;
    localparam [11:0] COUNTER          = 12'h100;
    localparam [11:0] COUNTERS_END     = 12'h100 + 8 * `MOEHUB_HUB_EVENTS;

    // ---- bus --------------------------------------------------------------------------------------------------------------------
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

    // ---- writes -------------------------------------------------------------------------------------------------------------------
    reg  busy_q; // a command runs
    reg  writable;
    always @* begin
        case (write_address)
            INTERRUPT_STATUS, INTERRUPT_MASK, COMMAND_CONTEXT, COMMAND_INDEX, COMMAND_DATA0_L, COMMAND_DATA0_H, COMMAND_DATA1_L,
            COMMAND_DATA1_H, SNAPSHOT, LATCH_STATUS: writable = 1'b1;
            COMMAND: writable = !busy_q;
            default: writable = 1'b0;
        endcase
    end
    wire write = write_valid && writable && write_full;

    always @(posedge clk) write_error_q <= !write;

    // ---- commands -----------------------------------------------------------------------------------------------------------------
    reg        command_valid_q;
    reg        result_ready_q;
    reg [3:0]  command_operation_q;
    reg [7:0]  command_context_q;
    reg [15:0] command_index_q;
    reg [63:0] command_data0_q;
    reg [63:0] command_data1_q;
    // The operands of a running command must not change with the registers.
    reg [7:0]  started_context_q;
    reg [15:0] started_index_q;
    reg [63:0] started_data0_q;
    reg [63:0] started_data1_q;
    reg        refused_q;
    reg        seen_in_flight_q;
    reg [63:0] result_data0_q;
    reg [63:0] result_data1_q;

    assign command_valid     = command_valid_q;
    assign command_operation = command_operation_q;
    assign command_context   = started_context_q;
    assign command_index     = started_index_q;
    assign command_data0     = started_data0_q;
    assign command_data1     = started_data1_q;
    assign result_ready      = result_ready_q;

    wire result      = result_valid && result_ready_q;
    wire start       = write && write_address == COMMAND;
    wire was_advance = command_operation_q == 4'd`MOEHUB_HUB_COMMAND_ADVANCE;

    always @(posedge clk) begin
        if (start) command_valid_q <= 1'b1;
        else if (command_ready) command_valid_q <= 1'b0;
        if (start) busy_q <= 1'b1;
        else if (result) busy_q <= 1'b0;
        result_ready_q <= busy_q && !result;
        if (rst) begin
            command_valid_q <= 1'b0;
            busy_q          <= 1'b0;
            result_ready_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (start) begin
            command_operation_q <= write_data[3:0];
            started_context_q   <= command_context_q;
            started_index_q     <= command_index_q;
            started_data0_q     <= command_data0_q;
            started_data1_q     <= command_data1_q;
        end
    end

    always @(posedge clk) begin
        if (write) begin
            case (write_address)
                COMMAND_CONTEXT: command_context_q      <= write_data[7:0];
                COMMAND_INDEX:   command_index_q        <= write_data[15:0];
                COMMAND_DATA0_L: command_data0_q[31:0]  <= write_data;
                COMMAND_DATA0_H: command_data0_q[63:32] <= write_data;
                COMMAND_DATA1_L: command_data1_q[31:0]  <= write_data;
                COMMAND_DATA1_H: command_data1_q[63:32] <= write_data;
                default:         ;
            endcase
        end
        if (result) begin
            refused_q        <= result_refused;
            seen_in_flight_q <= result_in_flight;
            result_data0_q   <= result_data0;
            result_data1_q   <= result_data1;
        end
        if (rst) begin
            command_context_q <= 8'd0;
            command_index_q   <= 16'd0;
            command_data0_q   <= 64'd0;
            command_data1_q   <= 64'd0;
            refused_q         <= 1'b0;
            seen_in_flight_q  <= 1'b0;
            result_data0_q    <= 64'd0;
            result_data1_q    <= 64'd0;
        end
    end

    // ---- error latch, interrupt, high-water marks -----------------------------------------------------------------------------------
    wire         latched;
    wire         latch_caught;
    wire [4:0]   latch_cause;
    wire [127:0] latch_header;
    wire [15:0]  latch_expert;
    wire [5:0]   latch_port;
    reg [2:0]   interrupt_status_q;
    reg [2:0]   interrupt_mask_q;
    reg         interrupt_q;
    reg [WAITING_WIDTH - 1:0] high_waiting_q;
    reg [PENDING_WIDTH - 1:0] high_pending_q;

    assign interrupt_request = interrupt_q;

    wire unlatch = write && write_address == LATCH_STATUS && write_data[0];
    moehub_error_latch #(.WIDTH(5 + 128 + 16 + 6)) u_latch (
        .clk(clk), .rst(rst), .error_valid(error_valid), .error({error_cause, error_header, error_expert, error_port}),
        .clear(unlatch),
        .latched(latched), .caught(latch_caught), .first({latch_cause, latch_header, latch_expert, latch_port})
    );

    // ADVANCE is refused while clear_needed is set, so after one that was not refused a set bit is new.
    wire [255:0] clear_wide = {{256 - CONTEXTS{1'b0}}, clear_needed};
    wire         exhausted  = result && !result_refused && was_advance && clear_wide[started_context_q];
    wire [2:0]   raised     = {result && result_refused, exhausted, latch_caught};
    wire [2:0]   lowered    = write_data[2:0] & {3{write && write_address == INTERRUPT_STATUS}};

    always @(posedge clk) begin
        interrupt_status_q <= (interrupt_status_q & ~lowered) | raised;
        if (write && write_address == INTERRUPT_MASK) interrupt_mask_q <= write_data[2:0];
        interrupt_q        <= |(interrupt_status_q & interrupt_mask_q);
        if (waiting_used > high_waiting_q) high_waiting_q <= waiting_used;
        if (pending_used > high_pending_q) high_pending_q <= pending_used;
        if (rst) begin
            interrupt_status_q <= 3'd0;
            interrupt_mask_q   <= 3'd0;
            interrupt_q        <= 1'b0;
            high_waiting_q     <= {WAITING_WIDTH{1'b0}};
            high_pending_q     <= {PENDING_WIDTH{1'b0}};
        end
    end

    // ---- reads, in two steps ---------------------------------------------------------------------------------------------------------
    wire       is_parameter  = read_address[1:0] == 2'd0 && read_address >= PARAMETER && read_address < PARAMETERS_END;
    wire       is_counter    = read_address[1:0] == 2'd0 && read_address >= COUNTER && read_address < COUNTERS_END;
    wire [3:0] parameter_name = read_address[5:2] - PARAMETER[5:2];
    wire [7:0] in_flight_8    = {{8 - CONTEXTS{1'b0}}, in_flight};
    wire [7:0] clear_needed_8 = {{8 - CONTEXTS{1'b0}}, clear_needed};

    wire        snapshot = write && write_address == SNAPSHOT;
    wire [47:0] counter;
    moehub_event_counters #(.EVENTS(`MOEHUB_HUB_EVENTS)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(snapshot),
        .index(read_address[3 +: INDEX_WIDTH]), .value(counter)
    );

    reg [31:0] parameter_word;
    always @* begin
        case (parameter_name)
            4'd0:    parameter_word = CONTEXTS;
            4'd1:    parameter_word = LOCAL_EXPERTS;
            4'd2:    parameter_word = GPUS;
            4'd3:    parameter_word = ROW_INDEX_WIDTH;
            4'd4:    parameter_word = SLOT_WIDTH;
            4'd5:    parameter_word = OFFSET_WIDTH;
            4'd6:    parameter_word = ADDRESS_WIDTH;
            4'd7:    parameter_word = SETS;
            4'd8:    parameter_word = WAYS;
            4'd9:    parameter_word = REPLACEMENT;
            4'd10:   parameter_word = PORTS;
            4'd11:   parameter_word = PENDING;
            4'd12:   parameter_word = WAITING;
            4'd13:   parameter_word = TAG_WIDTH;
            4'd14:   parameter_word = AXI_DATA_WIDTH;
            default: parameter_word = 32'd0;
        endcase
    end

    reg [31:0] word;
    reg        is_word;
    always @* begin
        is_word = 1'b1;
        case (read_address)
            ID:               word = 32'd`MOEHUB_ID_HUB;
            VERSION:          word = {8'd0, 8'd`MOEHUB_VERSION_MAJOR, 8'd`MOEHUB_VERSION_MINOR, 8'd`MOEHUB_VERSION_PATCH};
            STATUS:           word = {8'd0, clear_needed_8, in_flight_8, 5'd0, busy_q, |in_flight, initialised};
            INTERRUPT_STATUS: word = {29'd0, interrupt_status_q};
            INTERRUPT_MASK:   word = {29'd0, interrupt_mask_q};
            COMMAND_CONTEXT:  word = {24'd0, command_context_q};
            COMMAND_INDEX:    word = {16'd0, command_index_q};
            COMMAND_DATA0_L:  word = command_data0_q[31:0];
            COMMAND_DATA0_H:  word = command_data0_q[63:32];
            COMMAND_DATA1_L:  word = command_data1_q[31:0];
            COMMAND_DATA1_H:  word = command_data1_q[63:32];
            COMMAND_STATUS:   word = {29'd0, seen_in_flight_q, refused_q, busy_q};
            RESULT_DATA0_L:   word = result_data0_q[31:0];
            RESULT_DATA0_H:   word = result_data0_q[63:32];
            RESULT_DATA1_L:   word = result_data1_q[31:0];
            RESULT_DATA1_H:   word = result_data1_q[63:32];
            LATCH_STATUS:     word = {19'd0, latch_cause, 7'd0, latched};
            LATCH_HEADER_0:   word = latch_header[31:0];
            LATCH_HEADER_1:   word = latch_header[63:32];
            LATCH_HEADER_2:   word = latch_header[95:64];
            LATCH_HEADER_3:   word = latch_header[127:96];
            LATCH_NAME:       word = {10'd0, latch_port, latch_expert};
            HIGH_WATER:       word = {{16 - PENDING_WIDTH{1'b0}}, high_pending_q, {16 - WAITING_WIDTH{1'b0}}, high_waiting_q};
            default: begin
                word    = 32'd0;
                is_word = 1'b0;
            end
        endcase
    end

    reg [31:0] counter_q;
    reg [31:0] parameter_q;
    reg [31:0] word_q;
    reg        is_counter_q;
    reg        is_parameter_q;
    reg        is_word_q;

    always @(posedge clk) begin
        counter_q      <= read_address[2] ? {16'd0, counter[47:32]} : counter[31:0];
        parameter_q    <= parameter_word;
        word_q         <= word;
        is_counter_q   <= is_counter;
        is_parameter_q <= is_parameter;
        is_word_q      <= is_word;

        read_data_q  <= (counter_q & {32{is_counter_q}}) | (parameter_q & {32{is_parameter_q}}) | (word_q & {32{is_word_q}});
        read_error_q <= !(is_counter_q || is_parameter_q || is_word_q);
    end
endmodule

`default_nettype wire
