// SPDX-License-Identifier: Apache-2.0
// Purpose: the hub's registers (AXI4-Lite): commands, counters, error latch, interrupt. Map: doc/address_path.md section 8.
// Contract:
//   1. One access at a time on each side; a read and a write may overlap. A write takes effect when its address and its data
//      have both arrived, and is answered after that.
//   2. An address outside the map, a write to a read-only register, a partial strobe: SLVERR, nothing changes.
//   3. SNAPSHOT copies all counters at one clock edge.
// Cost: read latency 3, write latency 2; the counters and their copy are flops.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_fault.vh"
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
    `MOEHUB_FAULT_DECLARE

    localparam [1:0] OKAY   = 2'd0;
    localparam [1:0] SLVERR = 2'd2;
    localparam WAITING_WIDTH = $clog2(WAITING + 1);
    localparam PENDING_WIDTH = $clog2(PENDING + 1);
    localparam INDEX_WIDTH   = $clog2(`MOEHUB_HUB_EVENTS);

    // Register numbers: byte address / 4.
    localparam [9:0] ID               = 10'h000;
    localparam [9:0] VERSION          = 10'h001;
    localparam [9:0] STATUS           = 10'h002;
    localparam [9:0] INTERRUPT_STATUS = 10'h003;
    localparam [9:0] INTERRUPT_MASK   = 10'h004;
    localparam [9:0] PARAMETER_FIRST  = 10'h008;
    localparam [9:0] PARAMETER_LAST   = 10'h016;
    localparam [9:0] COMMAND_CONTEXT  = 10'h020;
    localparam [9:0] COMMAND_INDEX    = 10'h021;
    localparam [9:0] COMMAND_DATA0_L  = 10'h022;
    localparam [9:0] COMMAND_DATA0_H  = 10'h023;
    localparam [9:0] COMMAND_DATA1_L  = 10'h024;
    localparam [9:0] COMMAND_DATA1_H  = 10'h025;
    localparam [9:0] COMMAND          = 10'h026;
    localparam [9:0] COMMAND_STATUS   = 10'h027;
    localparam [9:0] RESULT_DATA0_L   = 10'h028;
    localparam [9:0] RESULT_DATA0_H   = 10'h029;
    localparam [9:0] RESULT_DATA1_L   = 10'h02A;
    localparam [9:0] RESULT_DATA1_H   = 10'h02B;
    localparam [9:0] SNAPSHOT         = 10'h030;
    localparam [9:0] LATCH_STATUS     = 10'h031;
    localparam [9:0] LATCH_HEADER_0   = 10'h032;
    localparam [9:0] LATCH_HEADER_1   = 10'h033;
    localparam [9:0] LATCH_HEADER_2   = 10'h034;
    localparam [9:0] LATCH_HEADER_3   = 10'h035;
    localparam [9:0] LATCH_NAME       = 10'h036;
    localparam [9:0] HIGH_WATER       = 10'h037;
    localparam [9:0] COUNTER_FIRST    = 10'h040;
    localparam [9:0] COUNTER_LAST     = COUNTER_FIRST + 2 * `MOEHUB_HUB_EVENTS - 1;

    // ---- write side: address and data meet ------------------------------------------------------------------------------------
    reg        aw_ready_q;
    reg        w_ready_q;
    reg        aw_held_q;
    reg        w_held_q;
    reg [11:0] aw_address_q;
    reg [31:0] w_data_q;
    reg        w_full_q; // all four strobes
    reg        b_valid_q;
    reg [1:0]  b_response_q;

    assign s_axil_awready = aw_ready_q;
    assign s_axil_wready  = w_ready_q;
    assign s_axil_bvalid  = b_valid_q;
    assign s_axil_bresp   = b_response_q;

    wire aw_take = s_axil_awvalid && aw_ready_q;
    wire w_take  = s_axil_wvalid && w_ready_q;
    wire write   = aw_held_q && w_held_q && !b_valid_q;
    wire [9:0] write_number = aw_address_q[11:2];

    reg  busy_q; // a command runs
    reg  writable;
    always @* begin
        case (write_number)
            INTERRUPT_STATUS, INTERRUPT_MASK, COMMAND_CONTEXT, COMMAND_INDEX, COMMAND_DATA0_L, COMMAND_DATA0_H, COMMAND_DATA1_L,
            COMMAND_DATA1_H, SNAPSHOT, LATCH_STATUS: writable = 1'b1;
            COMMAND: writable = !busy_q || `MOEHUB_FAULT(`MOEHUB_FAULT_HUB_BUSY_IGNORED);
            default: writable = 1'b0;
        endcase
    end
    wire write_ok = writable && w_full_q && aw_address_q[1:0] == 2'd0;
    wire effect   = write && write_ok;

    always @(posedge clk) begin
        if (aw_take) aw_held_q <= 1'b1;
        else if (write) aw_held_q <= 1'b0;
        if (w_take) w_held_q <= 1'b1;
        else if (write) w_held_q <= 1'b0;
        // The next access is taken once this one has been answered.
        aw_ready_q <= !aw_take && !aw_held_q && !b_valid_q;
        w_ready_q  <= !w_take && !w_held_q && !b_valid_q;
        b_valid_q  <= write || (b_valid_q && !s_axil_bready);
        if (rst) begin
            aw_held_q  <= 1'b0;
            w_held_q   <= 1'b0;
            aw_ready_q <= 1'b0;
            w_ready_q  <= 1'b0;
            b_valid_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (aw_take) aw_address_q <= s_axil_awaddr;
        if (w_take) begin
            w_data_q <= s_axil_wdata;
            w_full_q <= &s_axil_wstrb || `MOEHUB_FAULT(`MOEHUB_FAULT_HUB_STROBES_IGNORED);
        end
        if (write) b_response_q <= write_ok ? OKAY : SLVERR;
    end

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
    wire start       = effect && write_number == COMMAND;
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
            command_operation_q <= w_data_q[3:0];
            started_context_q   <= command_context_q;
            started_index_q     <= command_index_q;
            started_data0_q     <= command_data0_q;
            started_data1_q     <= command_data1_q;
        end
    end

    always @(posedge clk) begin
        if (effect) begin
            case (write_number)
                COMMAND_CONTEXT: command_context_q      <= w_data_q[7:0];
                COMMAND_INDEX:   command_index_q        <= w_data_q[15:0];
                COMMAND_DATA0_L: command_data0_q[31:0]  <= w_data_q;
                COMMAND_DATA0_H: command_data0_q[63:32] <= w_data_q;
                COMMAND_DATA1_L: command_data1_q[31:0]  <= w_data_q;
                COMMAND_DATA1_H: command_data1_q[63:32] <= w_data_q;
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
    reg         latched_q;
    reg [4:0]   latch_cause_q;
    reg [127:0] latch_header_q;
    reg [15:0]  latch_expert_q;
    reg [5:0]   latch_port_q;
    reg [2:0]   interrupt_status_q;
    reg [2:0]   interrupt_mask_q;
    reg         interrupt_q;
    reg [WAITING_WIDTH - 1:0] high_waiting_q;
    reg [PENDING_WIDTH - 1:0] high_pending_q;

    assign interrupt_request = interrupt_q;

    wire unlatch = effect && write_number == LATCH_STATUS && w_data_q[0];
    wire latch   = error_valid && (!latched_q || unlatch || `MOEHUB_FAULT(`MOEHUB_FAULT_HUB_LATCH_OVERWRITTEN));
    // ADVANCE is refused while clear_needed is set, so after one that was not refused a set bit is new.
    wire [255:0] clear_wide = {{256 - CONTEXTS{1'b0}}, clear_needed};
    wire         exhausted  = result && !result_refused && was_advance && clear_wide[started_context_q]
                             && !`MOEHUB_FAULT(`MOEHUB_FAULT_HUB_WRAP_SILENT);
    wire [2:0]   raised     = {result && result_refused, exhausted, latch};
    wire [2:0]   lowered    = w_data_q[2:0] & {3{effect && write_number == INTERRUPT_STATUS}};

    always @(posedge clk) begin
        latched_q          <= latch || (latched_q && !unlatch);
        interrupt_status_q <= (interrupt_status_q & ~lowered) | raised;
        if (effect && write_number == INTERRUPT_MASK) interrupt_mask_q <= w_data_q[2:0];
        interrupt_q        <= |(interrupt_status_q & (interrupt_mask_q | {3{`MOEHUB_FAULT(`MOEHUB_FAULT_HUB_INTERRUPT_UNMASKED)}}));
        if (waiting_used > high_waiting_q) high_waiting_q <= waiting_used;
        if (pending_used > high_pending_q && !`MOEHUB_FAULT(`MOEHUB_FAULT_HUB_HIGH_WATER_STUCK)) high_pending_q <= pending_used;
        if (rst) begin
            latched_q          <= 1'b0;
            interrupt_status_q <= 3'd0;
            interrupt_mask_q   <= 3'd0;
            interrupt_q        <= 1'b0;
            high_waiting_q     <= {WAITING_WIDTH{1'b0}};
            high_pending_q     <= {PENDING_WIDTH{1'b0}};
        end
    end

    always @(posedge clk) begin
        if (latch) begin
            latch_cause_q  <= error_cause;
            latch_header_q <= error_header;
            latch_expert_q <= error_expert;
            latch_port_q   <= error_port;
        end
        if (rst) begin
            latch_cause_q  <= 5'd0;
            latch_header_q <= 128'd0;
            latch_expert_q <= 16'd0;
            latch_port_q   <= 6'd0;
        end
    end

    // ---- read side -----------------------------------------------------------------------------------------------------------------------
    reg        ar_ready_q;
    reg        ar_held_q;
    reg [11:0] ar_address_q;
    reg        r_valid_q;
    reg [1:0]  r_response_q;
    reg [31:0] r_data_q;

    assign s_axil_arready = ar_ready_q;
    assign s_axil_rvalid  = r_valid_q;
    assign s_axil_rdata   = r_data_q;
    assign s_axil_rresp   = r_response_q;

    wire       ar_take        = s_axil_arvalid && ar_ready_q;
    wire       read           = ar_held_q && !r_valid_q;
    wire [9:0] read_number    = ar_address_q[11:2];
    wire [9:0] counter_offset = read_number - COUNTER_FIRST;
    wire [9:0] parameter_offset = read_number - PARAMETER_FIRST;
    wire [7:0] in_flight_8    = {{8 - CONTEXTS{1'b0}}, in_flight};
    wire [7:0] clear_needed_8 = {{8 - CONTEXTS{1'b0}}, clear_needed};

    wire [47:0] counter;
    moehub_event_counters #(.EVENTS(`MOEHUB_HUB_EVENTS)) u_counters (
        .clk(clk), .rst(rst), .events(events), .snapshot(effect && write_number == SNAPSHOT),
        .index(counter_offset[INDEX_WIDTH:1]), .value(counter)
    );

    reg [31:0] parameter_word;
    always @* begin
        case (parameter_offset[3:0])
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

    reg        readable;
    reg [31:0] read_word;
    always @* begin
        readable  = 1'b1;
        read_word = 32'd0;
        case (read_number)
            ID:               read_word = 32'd`MOEHUB_ID_HUB;
            VERSION:          read_word = {8'd0, 8'd`MOEHUB_VERSION_MAJOR, 8'd`MOEHUB_VERSION_MINOR, 8'd`MOEHUB_VERSION_PATCH};
            STATUS:           read_word = {8'd0, clear_needed_8, in_flight_8, 5'd0, busy_q, |in_flight, initialised};
            INTERRUPT_STATUS: read_word = {29'd0, interrupt_status_q};
            INTERRUPT_MASK:   read_word = {29'd0, interrupt_mask_q};
            COMMAND_CONTEXT:  read_word = {24'd0, command_context_q};
            COMMAND_INDEX:    read_word = {16'd0, command_index_q};
            COMMAND_DATA0_L:  read_word = command_data0_q[31:0];
            COMMAND_DATA0_H:  read_word = command_data0_q[63:32];
            COMMAND_DATA1_L:  read_word = command_data1_q[31:0];
            COMMAND_DATA1_H:  read_word = command_data1_q[63:32];
            COMMAND_STATUS:   read_word = {29'd0, seen_in_flight_q, refused_q, busy_q};
            RESULT_DATA0_L:   read_word = result_data0_q[31:0];
            RESULT_DATA0_H:   read_word = result_data0_q[63:32];
            RESULT_DATA1_L:   read_word = result_data1_q[31:0];
            RESULT_DATA1_H:   read_word = result_data1_q[63:32];
            LATCH_STATUS:     read_word = {19'd0, latch_cause_q, 7'd0, latched_q};
            LATCH_HEADER_0:   read_word = latch_header_q[31:0];
            LATCH_HEADER_1:   read_word = latch_header_q[63:32];
            LATCH_HEADER_2:   read_word = latch_header_q[95:64];
            LATCH_HEADER_3:   read_word = latch_header_q[127:96];
            LATCH_NAME:       read_word = {10'd0, latch_port_q, latch_expert_q};
            HIGH_WATER:       read_word = {{16 - PENDING_WIDTH{1'b0}}, high_pending_q, {16 - WAITING_WIDTH{1'b0}}, high_waiting_q};
            default: begin
                readable = 1'b0;
                if (read_number >= PARAMETER_FIRST && read_number <= PARAMETER_LAST) begin
                    readable  = 1'b1;
                    read_word = parameter_word;
                end
                if (read_number >= COUNTER_FIRST && read_number <= COUNTER_LAST) begin
                    readable  = 1'b1;
                    read_word = counter_offset[0] ? {16'd0, counter[47:32]} : counter[31:0];
                end
            end
        endcase
        if (ar_address_q[1:0] != 2'd0) readable = 1'b0;
    end

    always @(posedge clk) begin
        if (ar_take) ar_held_q <= 1'b1;
        else if (read) ar_held_q <= 1'b0;
        ar_ready_q <= !ar_take && !ar_held_q && !r_valid_q;
        r_valid_q  <= read || (r_valid_q && !s_axil_rready);
        if (rst) begin
            ar_held_q  <= 1'b0;
            ar_ready_q <= 1'b0;
            r_valid_q  <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (ar_take) ar_address_q <= s_axil_araddr;
        if (read) begin
            r_data_q     <= readable ? read_word : 32'd0;
            r_response_q <= readable ? OKAY : SLVERR;
        end
    end

    wire unused = &{1'b0, counter_offset, parameter_offset};
endmodule

`default_nettype wire
