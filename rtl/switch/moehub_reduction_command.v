// SPDX-License-Identifier: Apache-2.0
// Purpose: commands of the reduction buffer (reduction_buffer.md section 6, plane/groups.md section 5), one at a time, between
//   two reservations.
// Contract:
//   1. No reservation is accepted from the cycle after the command is until it is done. One accepted in the same cycle
//      as the command is before it. hold follows command_valid in the same cycle.
//   2. The effect comes after SETTLE cycles, when every reservation inside has its record, every result taken before has
//      freed its group; done comes SETTLE cycles after the effect, when no timeout by an earlier setting is under way.
//   3. FLUSH: refill, and done waits for the free list.
//   4. command_error comes with done of a refused command.
//   5. With QUARANTINE a timeout is 0, or between port_timeout and 2^30: twice the time has 31 bits.
// Cost: 2 * SETTLE + 3 cycles; ENTRIES more for FLUSH.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_reduction.vh"

module moehub_reduction_command #(
    parameter QUARANTINE = 0
) (
    input  wire                             clk,
    input  wire                             rst,
    input  wire                             initialised,
    input  wire                             command_valid,
    output wire                             command_ready,
    input  wire [3:0]                       command_operation,
    input  wire [31:0]                      command_data,
    output wire                             command_done,
    output wire                             command_refused,
    output wire                             hold,
    input  wire                             empty,
    input  wire [31:0]                      port_timeout,
    output wire                             draining,
    output wire [31:0]                      timeout,
    output wire                             refill,
    input  wire                             refill_busy,
    output wire                             command_error_valid,
    output wire [`MOEHUB_ERROR_WIDTH - 1:0] command_error
);
    localparam [3:0] SETTLE = 15;
    localparam [1:0] IDLE   = 0;
    localparam [1:0] BEFORE = 1;
    localparam [1:0] AFTER  = 2;
    localparam [31:0] LONGEST = 32'h40000000;

    reg [1:0]  state_q;
    reg [3:0]  wait_q;
    reg        ready_q;
    reg [3:0]  operation_q;
    reg [31:0] data_q;
    reg        refused_q;
    reg        done_q;
    reg        draining_q;
    reg [31:0] timeout_q;
    reg        refill_q;

    wire accept  = command_valid && ready_q;
    wire settled = wait_q == 4'd0;
    wire effect  = state_q == BEFORE && settled;
    wire finish  = state_q == AFTER && settled && !refill_busy;

    wire is_drain   = operation_q == 4'd`MOEHUB_REDUCTION_COMMAND_DRAIN;
    wire is_resume  = operation_q == 4'd`MOEHUB_REDUCTION_COMMAND_RESUME;
    wire is_timeout = operation_q == 4'd`MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET;
    wire is_flush   = operation_q == 4'd`MOEHUB_REDUCTION_COMMAND_FLUSH;
    wire in_range   = QUARANTINE == 0 || data_q == 32'd0 || (data_q >= port_timeout && data_q <= LONGEST);
    wire sets       = is_timeout && in_range;
    wire good       = is_drain || is_resume || sets || (is_flush && empty);

    wire unused_port_timeout = &{1'b0, port_timeout};

    always @(posedge clk) begin
        done_q   <= finish;
        refill_q <= effect && is_flush && empty;
        ready_q  <= initialised && !accept && (finish || state_q == IDLE);
        if (!settled) wait_q <= wait_q - 4'd1;
        if (accept) begin
            state_q     <= BEFORE;
            wait_q      <= SETTLE;
            operation_q <= command_operation;
            data_q      <= command_data;
        end
        if (effect) begin
            state_q   <= AFTER;
            wait_q    <= SETTLE;
            refused_q <= !good;
            if (is_drain) draining_q <= 1'b1;
            if (is_resume) draining_q <= 1'b0;
            if (sets) timeout_q <= data_q;
        end
        if (finish) state_q <= IDLE;
        if (rst) begin
            state_q    <= IDLE;
            wait_q     <= 4'd0;
            ready_q    <= 1'b0;
            done_q     <= 1'b0;
            refill_q   <= 1'b0;
            draining_q <= 1'b0;
            timeout_q  <= 32'd0;
        end
    end

    assign command_ready   = ready_q;
    assign command_done    = done_q;
    assign command_refused = refused_q;
    assign hold            = accept || state_q != IDLE;
    assign draining        = draining_q;
    assign timeout         = timeout_q;
    assign refill          = refill_q;

    assign command_error_valid                            = done_q && refused_q;
    assign command_error[`MOEHUB_ERROR_HEADER_LSB +: 128] = {124'd0, operation_q}; // TYPE
    assign command_error[`MOEHUB_ERROR_CAUSE_LSB +: 5]    = 5'd`MOEHUB_REDUCTION_CAUSE_COMMAND;
    assign command_error[`MOEHUB_ERROR_PORT_LSB +: 6]     = 6'd0;
endmodule

`default_nettype wire
