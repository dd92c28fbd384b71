// SPDX-License-Identifier: Apache-2.0
// Purpose: tells each port in whose reduction buffers it was missing (doc/plane/switch.md section 4).
// Contract:
//   1. Port p's reduction buffer says with missing_valid[p] which ports missing_ports[p * PORTS +: PORTS] did not answer. The
//      buffers are visited in turn, one a cycle: missed is, for one cycle, the set of all that it said since its last visit; what
//      it says in the cycle of the visit belongs to the next. Port 0's is visited in the first cycle after reset.
//   2. The command TIMEOUT_LIMIT_SET sets timeout_limit; it is refused when command_data is above 65535. Others are refused.
//      moehub_brief_command.
// Cost: latency 2 to PORTS + 1; PORTS * PORTS flops.
// Proved: formal/switch/formal_plane_state.v
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_width.vh"

module moehub_plane_state #(
    parameter PORTS = 8 // 2..64
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [PORTS - 1:0]           missing_valid,
    input  wire [PORTS * PORTS - 1:0]   missing_ports,
    output wire [PORTS - 1:0]           missed,
    output wire [15:0]                  timeout_limit,

    input  wire                         command_valid,
    output wire                         command_ready,
    input  wire [3:0]                   command_operation,
    input  wire [31:0]                  command_data,
    output wire                         command_done,
    output wire                         command_refused
);
    generate
        if (PORTS < 2 || PORTS > 64) PORTS_must_be_2_to_64 u_rule ();
    endgenerate

    // ---- visits ----------------------------------------------------------------------------------------------------------
    localparam [PORTS - 1:0] PORT_0 = 1;

    reg [PORTS - 1:0] visit_q;  // one hot
    reg [PORTS - 1:0] missed_q;

    wire [PORTS * PORTS - 1:0] said; // by buffer p, [p * PORTS +: PORTS], if it is visited
    reg  [PORTS - 1:0]         missed_d;
    integer                    b;

    assign missed = missed_q;

    always @* begin
        missed_d = {PORTS{1'b0}};
        for (b = 0; b < PORTS; b = b + 1) missed_d = missed_d | said[b * PORTS +: PORTS];
    end

    always @(posedge clk) begin
        visit_q  <= {visit_q[PORTS - 2:0], visit_q[PORTS - 1]};
        missed_q <= missed_d;
        if (rst) begin
            visit_q  <= PORT_0;
            missed_q <= {PORTS{1'b0}};
        end
    end

    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_buffer
            reg [PORTS - 1:0] missing_q;

            wire [PORTS - 1:0] kept = visit_q[p] ? {PORTS{1'b0}} : missing_q;
            wire [PORTS - 1:0] told = missing_valid[p] ? missing_ports[p * PORTS +: PORTS] : {PORTS{1'b0}};

            assign said[p * PORTS +: PORTS] = missing_q & {PORTS{visit_q[p]}};

            always @(posedge clk) begin
                missing_q <= kept | told;
                if (rst) missing_q <= {PORTS{1'b0}};
            end
        end
    endgenerate

    // ---- limit -----------------------------------------------------------------------------------------------------------
    reg [15:0] timeout_limit_q;

    wire take;
    wire good = command_operation == 4'd`MOEHUB_SWITCH_PLANE_COMMAND_TIMEOUT_LIMIT_SET && command_data[31:16] == 16'd0;

    assign timeout_limit = timeout_limit_q;

    moehub_brief_command u_command (
        .clk(clk), .rst(rst), .command_valid(command_valid), .command_ready(command_ready), .command_done(command_done),
        .command_refused(command_refused), .take(take), .command_good(good)
    );

    always @(posedge clk) begin
        if (take && good) timeout_limit_q <= command_data[15:0];
        if (rst) timeout_limit_q <= 16'd0;
    end
endmodule

`default_nettype wire
