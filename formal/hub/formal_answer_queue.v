// SPDX-License-Identifier: Apache-2.0
// moehub_answer_queue: everything inserted leaves once, in order per port, what waits not before its result is there. The
// solver inserts any names that are not inside, and lets results come at any time; a result goes when nobody inside needs it.
`default_nettype none
`include "moehub_hub.vh"
module formal_answer_queue #(
    parameter PORTS   = 2, // 1 or 2
    parameter WAITING = 2, // 2..4
    parameter PENDING = 1, // 1 or 2
    parameter BOUND   = 14 // cycles in which the output flows and every result is there
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 insert_valid,
    input wire [1:0]           insert_id,
    input wire                 insert_port,
    input wire                 insert_wait,
    input wire                 insert_entry,
    input wire [PENDING - 1:0] resolved,
    input wire                 out_ready
);
`include "formal_reset.vh"
    localparam ID_WIDTH = $clog2(WAITING);
    wire                  hold;
    wire                  out_valid;
    wire [ID_WIDTH - 1:0] out_id;
    wire                  out_wait;
    wire                  out_entry;
    wire [ID_WIDTH - 1:0] id = insert_id[ID_WIDTH - 1:0];
    wire [1:0]            known = resolved; // widened

    moehub_answer_queue #(.PORTS(PORTS), .WAITING(WAITING), .PENDING(PENDING)) u_queue (
        .clk(clk), .rst(rst), .insert_valid(insert_valid), .insert_port(insert_port),
        .insert_waiter(`MOEHUB_WAITER(id, insert_wait, insert_entry)), .insert_free(!insert_wait || known[insert_entry]),
        .hold(hold), .resolved(resolved), .ready_valid(out_valid), .ready_ready(out_ready),
        .ready_waiter(`MOEHUB_WAITER(out_id, out_wait, out_entry))
    );
    formal_stream_assert #(.WIDTH(ID_WIDTH + 2)) u_out (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data({out_id, out_wait, out_entry})
    );

    // What is inside, by name.
    reg [3:0] inside_q = 4'd0;
    reg [3:0] ports_q;
    reg [3:0] waits_q;
    reg [3:0] entries_q;
    reg       hold_1_q = 1'b0, hold_2_q = 1'b0;
    reg [1:0] resolved_q;
    wire       leave  = out_valid && out_ready && !rst;
    wire [3:0] needs  = inside_q & waits_q;
    wire [1:0] needed = {|(needs & entries_q), |(needs & ~entries_q)};
    always @* begin
        assume (!insert_valid
                || (!rst && !inside_q[id] && {1'b0, id} < WAITING && insert_port < PORTS && insert_entry < PENDING
                    && !hold_2_q));
        assume (!started_q || rst || (known | ~(resolved_q & needed)) == 2'd3); // a result stays while it is needed
    end

    // Any two names: is the older one, of the same port, still inside? And how long has it been, all that it needs being there?
    wire [1:0] older   = $anyconst;
    wire [1:0] younger = $anyconst;
    reg        behind_q = 1'b0;
    reg        waited_q;              // the older one came without its result
    reg [4:0]  age_q = 5'd0;
    wire       here     = inside_q[older];
    wire       comes    = insert_valid && id == younger && id != older;
    wire       out_old  = leave && out_id == older;
    wire       out_young = leave && out_id == younger;
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
        if (comes) behind_q <= here && !out_old && ports_q[older] == insert_port;
        else if (out_old || out_young) behind_q <= 1'b0;
        if (insert_valid && id == older) waited_q <= insert_wait && !known[insert_entry];
        age_q <= here && !out_old && &resolved && out_ready ? age_q + {4'd0, age_q != 5'd31} : 5'd0;
        if (rst) begin
            inside_q <= 4'd0;
            behind_q <= 1'b0;
            hold_1_q <= 1'b0;
            hold_2_q <= 1'b0;
            age_q    <= 5'd0;
        end
    end

    always @* if (started_q) begin
        none_invented: assert (!out_valid || reset_q || inside_q[out_id]);
        as_inserted:   assert (!out_valid || reset_q || (out_wait == waits_q[out_id] && out_entry == entries_q[out_id]));
        order:         assert (!behind_q || !out_young);
        has_result:    assert (!out_valid || rst || reset_q || !out_wait || known[out_entry]);
        in_time:       assert (age_q <= BOUND);
    end
    always @* begin
        waited_leaves: cover (out_old && waited_q && behind_q);
        behind_leaves: cover (behind_q && out_old && !waits_q[younger]);
        two_ports:     cover (out_old && waited_q && inside_q[younger] && ports_q[younger] != ports_q[older]);
        out_late:      cover (leave && out_wait);
    end
endmodule
`default_nettype wire
