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
    localparam BYTES       = 4; // of cycles; two bits below them are quarters
    localparam COUNT_WIDTH = 8 * BYTES + 2;

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
    wire                         clears = rst || revive;

    genvar c;
    genvar b;
    generate
        for (c = 0; c < `MOEHUB_CLASSES; c = c + 1) begin : g_class
            reg [COUNT_WIDTH - 1:0] count_q;

            // By bytes, as one carry through all of it comes late: each goes on when those below it are all ones or zeros.
            wire [BYTES - 1:0] ones;
            wire [BYTES - 1:0] zeros;
            wire [1:0]         quarters = count_q[1:0];
            wire               full     = &ones;
            wire               rises    = blocked[c] && !full;
            wire               falls    = !blocked[c] && !(quarters == 2'd0 && &zeros);

            assign above[c] = count_q > {port_timeout_q, 2'd0};

            for (b = 0; b < BYTES; b = b + 1) begin : g_byte
                localparam [BYTES - 1:0] OTHERS = {BYTES{1'b1}} << b;
                wire [7:0] own   = count_q[2 + 8 * b +: 8];
                wire       carry = rises && &(ones | OTHERS);
                wire       loan  = falls && quarters == 2'd0 && &(zeros | OTHERS);
                assign ones[b]  = own == 8'hff;
                assign zeros[b] = own == 8'h00;
                always @(posedge clk) begin
                    if (carry) count_q[2 + 8 * b +: 8] <= own + 8'd1;
                    else if (loan) count_q[2 + 8 * b +: 8] <= own - 8'd1;
                    if (clears) count_q[2 + 8 * b +: 8] <= 8'd0;
                end
            end
            always @(posedge clk) begin
                if (blocked[c] && full) count_q[1:0] <= 2'd3;
                else if (falls) count_q[1:0] <= quarters - 2'd1;
                if (clears) count_q[1:0] <= 2'd0;
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
