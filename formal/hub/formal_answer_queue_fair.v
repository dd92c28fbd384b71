// SPDX-License-Identifier: Apache-2.0
// moehub_answer_queue: whoever walks a list moves on, however dense the insertions, and leaves when another port is ready. The
// solver inserts anything, names that are inside too, but for the gap that hold asks for; results come and go as it likes.
`default_nettype none
`include "moehub_hub.vh"
`include "moehub_width.vh"
module formal_answer_queue_fair #(
    parameter PORTS   = 2, // 2..4
    parameter WAITING = 4, // 2..8
    parameter PENDING = 2, // 1 or 2
    parameter REFUSED = 6, // cycles in a row in which insertions refuse the walker
    parameter PASSED  = 15 // requests that leave one list while another port has the next turn; 14 of two ports
) (
    input wire                 clk,
    input wire                 rst,
    input wire                 insert_valid,
    input wire [2:0]           insert_id,
    input wire [1:0]           insert_port,
    input wire                 insert_wait,
    input wire                 insert_entry,
    input wire [PENDING - 1:0] resolved,
    input wire                 out_ready
);
`include "formal_reset.vh"
    localparam ID_WIDTH   = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam PORT_WIDTH = `MOEHUB_INDEX_WIDTH(PORTS);
    wire                  hold;
    wire                  out_valid;
    wire [ID_WIDTH - 1:0] out_id;
    wire                  out_wait;
    wire                  out_entry;
    wire [1:0]            known = resolved; // widened

    moehub_answer_queue #(.PORTS(PORTS), .WAITING(WAITING), .PENDING(PENDING)) u_queue (
        .clk(clk), .rst(rst), .insert_valid(insert_valid), .insert_port(insert_port[PORT_WIDTH - 1:0]),
        .insert_waiter(`MOEHUB_WAITER(insert_id[ID_WIDTH - 1:0], insert_wait, insert_entry)),
        .insert_free(!insert_wait || known[insert_entry]), .hold(hold), .resolved(resolved), .ready_valid(out_valid),
        .ready_ready(out_ready), .ready_waiter(`MOEHUB_WAITER(out_id, out_wait, out_entry))
    );
    (* hierconn *) wire \u_queue.refused ;      // the walker could go on, but for an insertion
    (* hierconn *) wire \u_queue.walk_pop ;     // a request leaves the list
    (* hierconn *) wire \u_queue.turn_valid_q ; // another port has the next turn
    (* hierconn *) wire \u_queue.turn_begin ;
    (* hierconn *) wire [PORTS - 1:0] \u_queue.request ;            // ports that could be walked, but for the one that is
    (* hierconn *) wire [PORTS - 1:0] \u_queue.turn_port_onehot_q ; // whose turn is next

    reg       hold_1_q = 1'b0, hold_2_q = 1'b0;
    reg [3:0] refused_q = 4'd0;
    reg [4:0] passed_q = 5'd0;
    reg [2:0] turns_q = 3'd0; // that others have had while this port could have been walked
    wire [1:0] asking  = $anyconst;
    wire [3:0] request = \u_queue.request ; // widened
    wire [3:0] chosen  = \u_queue.turn_port_onehot_q ;
    wire       waits   = request[asking] && !(\u_queue.turn_valid_q && chosen[asking]);
    always @* assume (!insert_valid || (!rst && insert_port < PORTS && insert_entry < PENDING && !hold_2_q));
    always @(posedge clk) begin
        hold_1_q  <= hold;
        hold_2_q  <= hold_1_q;
        refused_q <= \u_queue.refused ? refused_q + {3'd0, refused_q != 4'd15} : 4'd0;
        passed_q  <= \u_queue.turn_valid_q && !\u_queue.turn_begin
            ? passed_q + {4'd0, \u_queue.walk_pop && passed_q != 5'd31} : 5'd0;
        turns_q   <= waits ? turns_q + {2'd0, \u_queue.turn_begin && turns_q != 3'd7} : 3'd0;
        if (rst) begin
            turns_q   <= 3'd0;
            hold_1_q  <= 1'b0;
            hold_2_q  <= 1'b0;
            refused_q <= 4'd0;
            passed_q  <= 5'd0;
        end
    end
    always @* if (started_q) begin
        gap_comes: assert (refused_q <= REFUSED);
        turns:     assert (turns_q < PORTS);
        yields:    assert (passed_q <= PASSED);
    end
    always @* begin
        refused_long: cover (refused_q == REFUSED && started_q && \u_queue.walk_pop );
        turns_all:    cover (turns_q == PORTS - 1 && started_q && !waits);
        passed_all:   cover (passed_q == PASSED && started_q && \u_queue.turn_begin );
    end
endmodule
`default_nettype wire
