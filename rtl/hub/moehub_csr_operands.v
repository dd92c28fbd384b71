// SPDX-License-Identifier: Apache-2.0
// Purpose: operands and result of a hub's commands, between moehub_csr_bank and what runs them. Both maps have them in the same
//   places: doc/address_path.md section 8, doc/hub/hub.md section 7.
// Contract:
//   1. A command runs with the operands at its start, whatever is written meanwhile.
//   2. Its result is taken at once, and read until the next one's.
//   3. writable, readable and word are combinational from the bank's addresses; readable: the word is an operand, part of a
//      result, or what COMMAND_STATUS has beside the bank's bits.
// Cost: 434 flops.
// Proved: formal/hub/formal_csr_operands.v, with the registers around it.
`default_nettype none
`include "moehub_registers.vh"

module moehub_csr_operands (
    input  wire        clk,
    input  wire        rst,
    // bank
    input  wire        write,
    input  wire [11:0] write_address,
    input  wire [31:0] write_data,
    output wire        writable,
    input  wire [11:0] read_address,
    output reg         readable,
    output reg  [31:0] word,
    input  wire        start,
    input  wire        busy,
    output wire        done,
    // what runs commands
    output wire [7:0]  command_context,
    output wire [15:0] command_index,
    output wire [63:0] command_data0,
    output wire [63:0] command_data1,
    input  wire        result_valid,
    output wire        result_ready,
    input  wire        result_in_flight,
    input  wire [63:0] result_data0,
    input  wire [63:0] result_data1
);
    reg [7:0]   context_q;
    reg [15:0]  index_q;
    reg [127:0] data_q; // {data1, data0}
    // The operands of a running command must not change with the registers.
    reg [7:0]   started_context_q;
    reg [15:0]  started_index_q;
    reg [127:0] started_data_q;
    reg         result_ready_q;
    reg         seen_in_flight_q;
    reg [127:0] result_data_q;

    assign command_context                = started_context_q;
    assign command_index                  = started_index_q;
    assign {command_data1, command_data0} = started_data_q;
    assign result_ready                   = result_ready_q;
    assign done                           = result_valid && result_ready;

    // The operands are neighbours.
    assign writable = write_address[1:0] == 2'd0
        && write_address >= `MOEHUB_HUB_CSR_COMMAND_CONTEXT && write_address <= `MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH;

    always @(posedge clk) begin
        if (write) begin
            case (write_address)
                `MOEHUB_HUB_CSR_COMMAND_CONTEXT:    context_q      <= write_data[`MOEHUB_HUB_CSR_COMMAND_CONTEXT_CONTEXT];
                `MOEHUB_HUB_CSR_COMMAND_INDEX:      index_q        <= write_data[`MOEHUB_HUB_CSR_COMMAND_INDEX_INDEX];
                `MOEHUB_HUB_CSR_COMMAND_DATA0_LOW:  data_q[31:0]   <= write_data;
                `MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH: data_q[63:32]  <= write_data;
                `MOEHUB_HUB_CSR_COMMAND_DATA1_LOW:  data_q[95:64]  <= write_data;
                `MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH: data_q[127:96] <= write_data;
                default:                            ;
            endcase
        end
        if (start) {started_context_q, started_index_q, started_data_q} <= {context_q, index_q, data_q};
        result_ready_q <= busy && !done;
        if (done) {seen_in_flight_q, result_data_q} <= {result_in_flight, result_data1, result_data0};
        if (rst) begin
            context_q        <= 8'd0;
            index_q          <= 16'd0;
            data_q           <= 128'd0;
            result_ready_q   <= 1'b0;
            seen_in_flight_q <= 1'b0;
            result_data_q    <= 128'd0;
        end
    end

    always @* begin
        readable = 1'b1;
        word     = 32'd0;
        case (read_address)
            `MOEHUB_HUB_CSR_COMMAND_CONTEXT:    word[`MOEHUB_HUB_CSR_COMMAND_CONTEXT_CONTEXT] = context_q;
            `MOEHUB_HUB_CSR_COMMAND_INDEX:      word[`MOEHUB_HUB_CSR_COMMAND_INDEX_INDEX] = index_q;
            `MOEHUB_HUB_CSR_COMMAND_DATA0_LOW:  word = data_q[31:0];
            `MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH: word = data_q[63:32];
            `MOEHUB_HUB_CSR_COMMAND_DATA1_LOW:  word = data_q[95:64];
            `MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH: word = data_q[127:96];
            `MOEHUB_CSR_COMMAND_STATUS:         word[`MOEHUB_HUB_CSR_COMMAND_STATUS_IN_FLIGHT] = seen_in_flight_q;
            `MOEHUB_HUB_CSR_RESULT_DATA0_LOW:   word = result_data_q[31:0];
            `MOEHUB_HUB_CSR_RESULT_DATA0_HIGH:  word = result_data_q[63:32];
            `MOEHUB_HUB_CSR_RESULT_DATA1_LOW:   word = result_data_q[95:64];
            `MOEHUB_HUB_CSR_RESULT_DATA1_HIGH:  word = result_data_q[127:96];
            default:                            readable = 1'b0;
        endcase
    end
endmodule

`default_nettype wire
