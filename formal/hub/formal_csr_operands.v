// SPDX-License-Identifier: Apache-2.0
// Operands and results of a hub's commands, as rtl/doc/address_path.md, section 8, and hub.md, section 7, have them in the same
// places: what the registers read, and what the command that is under way sees. The harnesses of the blocks that have them
// instantiate it beside formal_csr_rules.v.
`default_nettype none
`include "moehub_registers.vh"
module formal_csr_operands (
    input wire         clk,
    input wire         rst,
    // of formal_csr_rules.v
    input wire         taken,
    input wire         start,
    input wire         busy,
    input wire         offered,
    input wire [11:0]  write_address,
    input wire [31:0]  data,
    input wire [11:0]  read_address,
    // the command, and its result
    input wire [7:0]   command_context,
    input wire [15:0]  command_index,
    input wire [63:0]  command_data0,
    input wire [63:0]  command_data1,
    input wire         result_valid,
    input wire         result_ready,
    input wire         result_in_flight,
    input wire [63:0]  result_data0,
    input wire [63:0]  result_data1,
    output wire        writable,
    output reg         readable,
    output reg [31:0]  word,
    output wire        result,
    output wire [7:0]  started_context
);
    reg [7:0]   context_q, started_context_q;
    reg [15:0]  index_q, started_index_q;
    reg [127:0] data_q, started_data_q, told_q; // {data1, data0}
    reg         seen_q;
    reg         waits_q;                        // started two cycles ago or earlier, and without result
    assign result          = result_valid && result_ready;
    assign started_context = started_context_q;
    always @(posedge clk) begin
        if (taken) case (write_address)
            `MOEHUB_HUB_CSR_COMMAND_CONTEXT:    context_q      <= data[7:0];
            `MOEHUB_HUB_CSR_COMMAND_INDEX:      index_q        <= data[15:0];
            `MOEHUB_HUB_CSR_COMMAND_DATA0_LOW:  data_q[31:0]   <= data;
            `MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH: data_q[63:32]  <= data;
            `MOEHUB_HUB_CSR_COMMAND_DATA1_LOW:  data_q[95:64]  <= data;
            `MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH: data_q[127:96] <= data;
            default: ;
        endcase
        if (start) {started_context_q, started_index_q, started_data_q} <= {context_q, index_q, data_q};
        waits_q <= busy && !result;
        if (result) {seen_q, told_q} <= {result_in_flight, result_data1, result_data0};
        if (rst) begin
            {context_q, index_q, data_q, told_q} <= 280'd0;
            {waits_q, seen_q} <= 2'd0;
        end
    end
    assign writable = write_address == `MOEHUB_HUB_CSR_COMMAND_CONTEXT || write_address == `MOEHUB_HUB_CSR_COMMAND_INDEX
        || write_address == `MOEHUB_HUB_CSR_COMMAND_DATA0_LOW || write_address == `MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH
        || write_address == `MOEHUB_HUB_CSR_COMMAND_DATA1_LOW || write_address == `MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH;
    always @* begin
        readable = 1'b1;
        case (read_address)
            `MOEHUB_CSR_COMMAND_STATUS:         word = {29'd0, seen_q, 2'd0};
            `MOEHUB_HUB_CSR_COMMAND_CONTEXT:    word = {24'd0, context_q};
            `MOEHUB_HUB_CSR_COMMAND_INDEX:      word = {16'd0, index_q};
            `MOEHUB_HUB_CSR_COMMAND_DATA0_LOW:  word = data_q[31:0];
            `MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH: word = data_q[63:32];
            `MOEHUB_HUB_CSR_COMMAND_DATA1_LOW:  word = data_q[95:64];
            `MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH: word = data_q[127:96];
            `MOEHUB_HUB_CSR_RESULT_DATA0_LOW:   word = told_q[31:0];
            `MOEHUB_HUB_CSR_RESULT_DATA0_HIGH:  word = told_q[63:32];
            `MOEHUB_HUB_CSR_RESULT_DATA1_LOW:   word = told_q[95:64];
            `MOEHUB_HUB_CSR_RESULT_DATA1_HIGH:  word = told_q[127:96];
            default: {readable, word} = 33'd0;
        endcase
    end

    reg started_q = 1'b0;
    always @(posedge clk) started_q <= 1'b1;
    always @* if (started_q) begin
        taken_at_once: assert ((!result_ready || busy) && (result_ready || !waits_q)); // while a command runs
        kept:          assert (!offered || {command_context, command_index, command_data1, command_data0}
                                           == {started_context_q, started_index_q, started_data_q});
    end
    always @* if (started_q) begin
        twice: cover (result && told_q[127:96] == 32'h5555_aaaa && seen_q);
        moves: cover (offered && started_context_q != context_q && started_data_q[127:96] != data_q[127:96]
                      && started_data_q[127:96] != 0);
    end
endmodule
`default_nettype wire
