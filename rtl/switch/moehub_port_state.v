// SPDX-License-Identifier: Apache-2.0
// Purpose: decides when a port is down, and when it is up again (doc/plane/switch.md section 4).
// Contract:
//   1. A counter a class rises by 4 in each cycle in which blocked is high, up to its 34 bits, and falls by 1 in each other, down
//      to 0. The port is down from the cycle after that in which one is above 4 * port_timeout; port_timeout 0: never.
//   2. timeouts rises by 1 with missed, up to 65535, and is 0 after answered, also where both come at once. The port is down
//      from the cycle after that in which it is at timeout_limit or above; timeout_limit 0: never.
//   3. Commands: PORT_TIMEOUT_SET, refused when the group timeout is not 0 and command_data above it; REVIVE, refused unless the
//      port is down: then all counters are 0 and the port is up in the next cycle. Others are refused. moehub_brief_command.
//   4. went_down is high for one cycle, the first in which the port is down.
// Cost: 3 counters of 34 bits, 16 and 32 bits.
// Proved: formal/switch/formal_port_state.v
`default_nettype none
`include "moehub_defines.vh"

module moehub_port_state (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [`MOEHUB_CLASSES - 1:0] blocked,
    input  wire                         missed,        // in a group that timed out
    input  wire                         answered,      // a partial of the port passed its header check
    input  wire [15:0]                  timeout_limit,
    input  wire [31:0]                  group_timeout, // of the port's reduction buffer
    output wire                         down,
    output wire                         went_down,
    output wire [31:0]                  port_timeout,
    output wire [15:0]                  timeouts,

    input  wire                         command_valid,
    output wire                         command_ready,
    input  wire [3:0]                   command_operation,
    input  wire [31:0]                  command_data,
    output wire                         command_done,
    output wire                         command_refused
);
    localparam COUNT_WIDTH = 34;
    localparam [COUNT_WIDTH - 1:0] COUNT_0   = 0;
    localparam [COUNT_WIDTH - 1:0] COUNT_ONE = 1;
    localparam [COUNT_WIDTH - 1:0] RISE      = 4;

    reg        down_q;
    reg        went_down_q;
    reg [31:0] port_timeout_q;
    reg [15:0] timeouts_q;

    assign down         = down_q;
    assign went_down    = went_down_q;
    assign port_timeout = port_timeout_q;
    assign timeouts     = timeouts_q;

    // ---- commands --------------------------------------------------------------------------------------------------------
    wire take;
    wire sets        = command_operation == 4'd`MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET;
    wire revives     = command_operation == 4'd`MOEHUB_SWITCH_PORT_COMMAND_REVIVE;
    wire set_good    = sets && (group_timeout == 32'd0 || command_data <= group_timeout);
    wire revive_good = revives && down_q;

    moehub_brief_command u_command (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready), .command_done(command_done),
        .command_refused(command_refused), .take(take), .command_good(set_good || revive_good)
    );

    wire revive = take && revive_good;

    // ---- blocked for too long --------------------------------------------------------------------------------------------
    wire [`MOEHUB_CLASSES - 1:0] above;

    genvar c;
    generate
        for (c = 0; c < `MOEHUB_CLASSES; c = c + 1) begin : g_class
            reg [COUNT_WIDTH - 1:0] count_q;

            wire full = &count_q[COUNT_WIDTH - 1:2]; // not the adder's carry, which comes late

            assign above[c] = count_q > {port_timeout_q, 2'd0};

            always @(posedge clk) begin
                if (blocked[c]) count_q <= full ? {COUNT_WIDTH{1'b1}} : count_q + RISE;
                else if (count_q != COUNT_0) count_q <= count_q - COUNT_ONE;
                if (rst || revive) count_q <= COUNT_0;
            end
        end
    endgenerate

    // ---- missing too often -----------------------------------------------------------------------------------------------
    wire late   = port_timeout_q != 32'd0 && |above;
    wire silent = timeout_limit != 16'd0 && timeouts_q >= timeout_limit;

    always @(posedge clk) begin
        if (missed && timeouts_q != 16'hffff) timeouts_q <= timeouts_q + 16'd1;
        if (answered || revive) timeouts_q <= 16'd0;
        if (take && set_good) port_timeout_q <= command_data;
        down_q      <= (down_q || late || silent) && !revive;
        went_down_q <= !down_q && (late || silent);
        if (rst) begin
            timeouts_q     <= 16'd0;
            port_timeout_q <= 32'd0;
            down_q         <= 1'b0;
            went_down_q    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
