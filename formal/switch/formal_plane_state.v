// SPDX-License-Identifier: Apache-2.0
// moehub_plane_state: a chosen port learns of the timeouts in which it was missing, once a visit; the limit's command.
`default_nettype none
`include "moehub_width.vh"
module formal_plane_state #(
    parameter PORTS  = 3,
    parameter CHOSEN = 1 // the port that is looked at
) (
    input wire                       clk,
    input wire                       rst,
    input wire [PORTS - 1:0]         missing_valid,
    input wire [PORTS * PORTS - 1:0] missing_ports,
    input wire                       command_valid,
    input wire [3:0]                 command_operation,
    input wire [31:0]                command_data
);
`include "formal_reset.vh"
    wire [PORTS - 1:0] missed;
    wire [15:0]        timeout_limit;
    wire               command_ready;
    wire               command_done;
    wire               command_refused;
    moehub_plane_state #(.PORTS(PORTS)) u_state (
        .clk(clk), .rst(rst), .missing_valid(missing_valid), .missing_ports(missing_ports), .missed(missed),
        .timeout_limit(timeout_limit), .command_valid(command_valid), .command_ready(command_ready),
        .command_operation(command_operation), .command_data(command_data), .command_done(command_done),
        .command_refused(command_refused)
    );
    formal_stream_assume #(.WIDTH(36)) u_command (
        .clk(clk), .rst(rst), .valid(command_valid), .ready(command_ready), .data({command_operation, command_data})
    );

    reg [5:0]         visit_q;
    reg [PORTS - 1:0] said_q;    // buffers that said since their last visit that the port was missing
    reg               missed_q;
    reg [15:0]        limit_q;
    reg               refused_q;
    wire              take = command_valid && command_ready;
    wire              good = command_operation == 4'd0 && command_data <= 32'd65535;
    integer           b;
    always @(posedge clk) begin
        visit_q  <= visit_q == PORTS - 1 ? 6'd0 : visit_q + 6'd1;
        missed_q <= said_q[visit_q];
        for (b = 0; b < PORTS; b = b + 1) begin
            if (visit_q == b) said_q[b] <= 1'b0;
            if (missing_valid[b] && missing_ports[b * PORTS + CHOSEN]) said_q[b] <= 1'b1;
        end
        if (take) refused_q <= !good;
        if (take && good) limit_q <= command_data[15:0];
        if (rst) begin
            visit_q  <= 6'd0;
            said_q   <= {PORTS{1'b0}};
            missed_q <= 1'b0;
            limit_q  <= 16'd0;
        end
    end

    always @* begin
        learns:   assert (!started_q || missed[CHOSEN] == missed_q);
        in_force: assert (!started_q || timeout_limit == limit_q);
        refuses:  assert (!command_done || !started_q || command_refused == refused_q);
    end
    always @* begin
        in_its_visit: cover (missed_q && missing_valid[PORTS - 1] && visit_q == PORTS - 1 && said_q[PORTS - 1]);
        limit_set:    cover (command_done && limit_q == 16'd65535);
        refused:      cover (command_done && refused_q);
    end
endmodule
`default_nettype wire
