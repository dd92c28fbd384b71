// SPDX-License-Identifier: Apache-2.0
// moehub_answer_queue: everything inserted leaves once, in order per port, what waits not before its result is there. The
// solver inserts any names that are not inside, and lets results come at any time; a result goes when nobody inside needs it.
`default_nettype none
module formal_answer_queue #(
    parameter PORTS   = 2, // 1 or 2
    parameter WAITING = 2, // 2..4
    parameter PENDING = 1, // 1 or 2
    parameter BOUND   = 8
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 insert_valid,
    input wire [1:0]           insert_id,
    input wire                 insert_port,
    input wire                 insert_wait,
    input wire                 insert_entry,
    input wire [PENDING - 1:0] resolved,
    input wire                 out_ready,
    input wire                 mark
);
`include "formal_reset.vh"
    localparam ID_WIDTH = $clog2(WAITING);
    wire                  hold;
    wire                  out_valid;
    wire [ID_WIDTH - 1:0] out_id;
    wire                  out_wait;
    wire                  out_entry;
    wire [ID_WIDTH - 1:0] id = insert_id[ID_WIDTH - 1:0];

    moehub_answer_queue #(.PORTS(PORTS), .WAITING(WAITING), .PENDING(PENDING)) u_queue (
        .clk(clk), .rst(rst), .insert_valid(insert_valid), .insert_id(id), .insert_port(insert_port), .insert_wait(insert_wait),
        .insert_entry(insert_entry), .hold(hold), .resolved(resolved), .out_valid(out_valid), .out_ready(out_ready), .out_id(out_id),
        .out_wait(out_wait), .out_entry(out_entry)
    );
    formal_stream_assert #(.WIDTH(ID_WIDTH + 2)) u_out (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data({out_id, out_wait, out_entry})
    );

    // What is inside, by name.
    reg [3:0] inside_q = 4'd0;
    reg [3:0] ports_q;
    reg [3:0] waits_q;
    reg [3:0] entries_q;
    reg [2:0] count_0_q = 3'd0, count_1_q = 3'd0; // per port
    reg       hold_1_q = 1'b0, hold_2_q = 1'b0;
    reg [1:0] resolved_q;
    wire      leave    = out_valid && out_ready && !rst;
    wire      out_port = ports_q[out_id];
    wire [3:0] needs   = inside_q & waits_q;
    wire [1:0] needed  = {|(needs & entries_q), |(needs & ~entries_q)};
    wire [1:0] known   = resolved; // widened
    always @* begin
        assume (!insert_valid || (!rst && !inside_q[id] && {1'b0, id} < WAITING && insert_port < PORTS && insert_entry < PENDING && !hold_2_q));
        assume (!started_q || rst || (known | ~(resolved_q & needed)) == 2'd3); // a result stays while it is needed
    end

    reg       marked_q = 1'b0;
    reg [1:0] marked_id_q;
    reg [2:0] ahead_q;
    reg [5:0] age_q = 6'd0; // cycles in which nothing held the marked one back
    reg       other_waits_q = 1'b0;
    wire      mine  = leave && out_port == ports_q[marked_id_q];
    integer   i;
    always @(posedge clk) begin
        hold_1_q   <= hold;
        hold_2_q   <= hold_1_q;
        resolved_q <= resolved;
        if (leave) inside_q[out_id] <= 1'b0;
        if (insert_valid) begin
            inside_q[id]  <= 1'b1;
            ports_q[id]   <= insert_port;
            waits_q[id]   <= insert_wait;
            entries_q[id] <= insert_entry;
        end
        count_0_q <= count_0_q + {2'd0, insert_valid && !insert_port} - {2'd0, leave && !out_port};
        count_1_q <= count_1_q + {2'd0, insert_valid && insert_port} - {2'd0, leave && out_port};
        if (insert_valid && mark && !marked_q) begin
            marked_q    <= 1'b1;
            marked_id_q <= id;
            ahead_q     <= (insert_port ? count_1_q : count_0_q) - {2'd0, leave && out_port == insert_port};
            age_q       <= 6'd0;
            other_waits_q <= insert_wait && !known[insert_entry];
        end else if (marked_q) begin
            if (mine) ahead_q <= ahead_q - 3'd1;
            if (mine && ahead_q == 3'd0) marked_q <= 1'b0;
            age_q <= &resolved && out_ready ? age_q + {5'd0, age_q != 6'd63} : 6'd0;
        end
        if (rst) begin
            inside_q  <= 4'd0;
            count_0_q <= 3'd0;
            count_1_q <= 3'd0;
            marked_q  <= 1'b0;
            hold_1_q  <= 1'b0;
            hold_2_q  <= 1'b0;
        end
    end

    always @* if (started_q) begin
        none_invented: assert (!out_valid || reset_q || inside_q[out_id]);
        as_inserted:   assert (!out_valid || reset_q || (out_wait == waits_q[out_id] && out_entry == entries_q[out_id]));
        order:         assert (!marked_q || !mine || (ahead_q == 3'd0) == (out_id == marked_id_q));
        has_result:    assert (!out_valid || reset_q || !out_wait || known[out_entry]);
        in_time:       assert (!marked_q || age_q <= BOUND);
    end
    always @* begin
        waited_leaves: cover (marked_q && other_waits_q && mine && ahead_q == 3'd0);
        behind_leaves: cover (marked_q && ahead_q == 3'd1 && mine && !waits_q[marked_id_q]);
        all_inside:    cover (inside_q == (1 << WAITING) - 1 && marked_q);
        out_late:      cover (leave && out_wait);
    end
endmodule
`default_nettype wire
