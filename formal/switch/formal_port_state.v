// SPDX-License-Identifier: Apache-2.0
// moehub_port_state: down exactly when doc/plane/switch.md section 4 says so; commands.
`default_nettype none
`include "moehub_defines.vh"
module formal_port_state (
    input wire        clk,
    input wire        rst,
    input wire [2:0]  blocked,
    input wire        missed,
    input wire        answered,
    input wire [15:0] timeout_limit,
    input wire [31:0] group_timeout,
    input wire        command_valid,
    input wire [3:0]  command_operation,
    input wire [31:0] command_data
);
`include "formal_reset.vh"
    wire        down;
    wire        went_down;
    wire [31:0] port_timeout;
    wire [15:0] timeouts;
    wire        command_ready;
    wire        command_done;
    wire        command_refused;
    moehub_port_state u_state (
        .clk(clk), .rst(rst), .blocked(blocked), .missed(missed), .answered(answered), .timeout_limit(timeout_limit),
        .group_timeout(group_timeout), .down(down), .went_down(went_down), .port_timeout(port_timeout), .timeouts(timeouts),
        .command_valid(command_valid), .command_ready(command_ready), .command_operation(command_operation),
        .command_data(command_data), .command_done(command_done), .command_refused(command_refused)
    );
    formal_stream_assume #(.WIDTH(36)) u_command (
        .clk(clk), .rst(rst), .valid(command_valid), .ready(command_ready), .data({command_operation, command_data})
    );

    // ---- what the page says
    localparam [33:0] MOST = 34'h3ffffffff;
    wire take   = command_valid && command_ready;
    wire set    = command_operation == 4'd0 && !(group_timeout != 32'd0 && command_data > group_timeout);
    wire revive = command_operation == 4'd1 && down;
    reg [33:0] count_0_q;
    reg [33:0] count_1_q;
    reg [33:0] count_2_q;
    reg [31:0] limit_q;
    reg [15:0] timeouts_q;
    reg        down_q;
    reg        refused_q;
    reg        limited_q; // a limit was in force, since reset
    reg [1:0]  revived_q; // REVIVE one, two cycles ago
    reg [3:0]  age_q;     // of the command; 0: none

    function [33:0] next(input [33:0] count, input waits);
        reg [34:0] more;
        begin
            more = {1'b0, count} + 35'd4;
            next = waits ? (more[34] ? MOST : more[33:0]) : count == 34'd0 ? 34'd0 : count - 34'd1;
        end
    endfunction
    wire [33:0] bound = {limit_q, 2'b00};
    wire late = limit_q != 32'd0 && (count_0_q > bound || count_1_q > bound || count_2_q > bound);
    wire dumb = timeout_limit != 16'd0 && !(timeouts_q < timeout_limit);
    always @(posedge clk) begin
        count_0_q  <= next(count_0_q, blocked[0]);
        count_1_q  <= next(count_1_q, blocked[1]);
        count_2_q  <= next(count_2_q, blocked[2]);
        timeouts_q <= answered ? 16'd0 : missed && timeouts_q < 16'd65535 ? timeouts_q + 16'd1 : timeouts_q;
        down_q     <= down_q || late || dumb;
        limited_q  <= limited_q || port_timeout != 32'd0 || timeout_limit != 16'd0;
        revived_q  <= {revived_q[0], take && revive};
        age_q      <= take ? 4'd1 : age_q == 4'd0 || age_q == 4'd4 ? 4'd0 : age_q + 4'd1;
        if (take) refused_q <= !set && !revive;
        if (take && set) limit_q <= command_data;
        if (rst || (take && revive)) begin
            count_0_q  <= 34'd0;
            count_1_q  <= 34'd0;
            count_2_q  <= 34'd0;
            timeouts_q <= 16'd0;
            down_q     <= 1'b0;
        end
        if (rst) begin
            limit_q   <= 32'd0;
            limited_q <= 1'b0;
            revived_q <= 2'd0;
            age_q     <= 4'd0;
        end
    end

    reg dumb_q;     // the limit of timeouts was reached in the cycle before
    reg down_was_q;
    always @(posedge clk) begin
        dumb_q     <= timeout_limit != 16'd0 && !(timeouts < timeout_limit); // timeouts: in_a_row
        down_was_q <= down;
    end

    always @* begin
        when_down:  assert (!started_q || down == down_q);
        no_limit:   assert (!started_q || limited_q || !down);
        at_limit:   assert (!started_q || reset_q || !dumb_q || revived_q[0] || down);
        revives:    assert (!started_q || revived_q == 2'd0 || !down);
        tells:      assert (!started_q || reset_q || went_down == (down && !down_was_q));
        in_force:   assert (!started_q || port_timeout == limit_q);
        in_a_row:   assert (!started_q || timeouts == timeouts_q);
        done_after: assert (!started_q || command_done == (age_q == 4'd4));
        refuses:    assert (!command_done || !started_q || command_refused == refused_q);
        one_alone:  assert (!started_q || !command_ready || age_q == 4'd0 || age_q == 4'd4);
    end
    always @* begin
        blocked_down:  cover (down_q && timeout_limit == 16'd0 && limit_q == 32'd2 && count_1_q > 34'd6);
        silent_down:   cover (down_q && limit_q == 32'd0 && timeouts_q == 16'd3);
        revived_again: cover (age_q == 4'd3 && !down_q && !down_was_q && limit_q == 32'd1 && !refused_q);
        refused:       cover (command_done && refused_q && down_q);
        both:          cover (missed && answered && timeouts_q == 16'd2);
    end
endmodule
`default_nettype wire
