// SPDX-License-Identifier: Apache-2.0
// Purpose: puts requests that need not wait, and waiting ones as their results arrive, into one stream, in order per port.
// Contract:
//   1. Requests of one port leave in the order of insertion; one that waits leaves only once resolved[entry] is high.
//   2. A port is *blocked* while it has a list: its oldest request waits, or the list is being emptied. A request of a port that
//      is not blocked, and that need not wait, goes to the output at once; any other joins its port's list.
//   3. The lists live in one memory of next pointers. A walker empties one list at a time, one request a cycle, until it meets
//      a request that still waits, or the end, or it has had 15 while another port is ready.
//   4. An insertion that goes straight to the output has priority over the walker; after three refusals in a row the walker
//      raises hold, which makes a gap two cycles later.
//   5. A port's resolved list is walked within PORTS turns: no port starves another.
// Cost: one request in and one out a cycle; WAITING x (id + 1 + entry) twice as memories (output FIFO, lists);
//   PORTS * (2 ids + entry + 3) flops.
// Limits: a turn costs one cycle more than the requests in it, two if it is one request; lists of length one leave at one
//   request in two cycles.
// Proved: formal/hub/formal_answer_queue.v
`default_nettype none
`include "moehub_hub.vh"
`include "moehub_width.vh"

module moehub_answer_queue #(
    parameter PORTS   = 16,
    parameter WAITING = 128,
    parameter PENDING = 64,
    parameter PARITY  = 0
) (
    input  wire                                                clk,
    input  wire                                                rst,
    input  wire                                                insert_valid,
    input  wire [`MOEHUB_INDEX_WIDTH(PORTS) - 1:0]             insert_port,
    input  wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] insert_waiter,
    input  wire                                                insert_free, // it does not wait, or its result is there
    output wire                                                hold,
    input  wire [PENDING - 1:0]                                resolved,
    output wire                                                ready_valid,
    input  wire                                                ready_ready,
    output wire [`MOEHUB_WAITER_WIDTH(WAITING, PENDING) - 1:0] ready_waiter,
    output wire [1:0]                                          queue_parity // errors: output, lists
);

    localparam ID_WIDTH    = `MOEHUB_INDEX_WIDTH(WAITING);
    localparam PORT_WIDTH  = `MOEHUB_INDEX_WIDTH(PORTS);
    localparam ENTRY_WIDTH = `MOEHUB_INDEX_WIDTH(PENDING);
    localparam WAITER_WIDTH = `MOEHUB_WAITER_WIDTH(WAITING, PENDING);

    reg  [PORTS - 1:0]              blocked_q;
    reg  [PORTS - 1:0]              ready_q; // the list's head need not wait any more, as of the last cycle
    wire [PORTS * WAITER_WIDTH - 1:0] heads;
    wire [PORTS * ID_WIDTH - 1:0]   tails;

    // ---- insertion --------------------------------------------------------------------------------------------------
    wire [ID_WIDTH - 1:0]    insert_id;
    wire                     unused_insert_waits;
    wire [ENTRY_WIDTH - 1:0] unused_insert_entry;
    assign `MOEHUB_WAITER(insert_id, unused_insert_waits, unused_insert_entry) = insert_waiter;
    wire insert_blocked  = blocked_q[insert_port];
    wire insert_straight = insert_valid && !insert_blocked && insert_free;
    wire insert_alone    = insert_valid && !insert_blocked && !insert_free; // starts a list
    wire insert_behind   = insert_valid && insert_blocked;

    // ---- the walker: up to three items of the list under way, in order: head (looked at), next, and the memory's output ----
    reg                     walk_valid_q;
    reg  [PORT_WIDTH - 1:0] walk_port_q;
    reg  [PORTS - 1:0]      walk_port_onehot_q;
    reg  [3:0]              walk_count_q;
    reg                     head_valid_q;
    reg  [WAITER_WIDTH - 1:0] head_waiter_q;
    reg                     next_valid_q;
    reg  [WAITER_WIDTH - 1:0] next_waiter_q;
    reg                     link_valid_q;
    reg  [ID_WIDTH - 1:0]   fetched_q;    // the item fetched last
    wire [WAITER_WIDTH - 1:0] link_waiter;

    reg                     turn_valid_q; // the next port, chosen ahead
    reg  [PORT_WIDTH - 1:0] turn_port_q;
    reg  [PORTS - 1:0]      turn_port_onehot_q;

    wire [ID_WIDTH - 1:0] walk_tail   = tails[walk_port_q * ID_WIDTH +: ID_WIDTH];
    wire                  walk_behind = insert_behind && insert_port == walk_port_q; // the list grows in this cycle
    wire [ID_WIDTH - 1:0]    head_id;
    wire                     head_waits;
    wire [ENTRY_WIDTH - 1:0] head_entry;
    assign `MOEHUB_WAITER(head_id, head_waits, head_entry) = head_waiter_q;
    wire                  head_free   = !head_waits || resolved[head_entry];

    wire walk_yield = walk_count_q == 4'd15 && turn_valid_q;
    wire walk_able  = head_valid_q && head_free && !walk_yield;
    wire walk_pop   = walk_able && !insert_straight;
    wire walk_stop  = head_valid_q && !(head_free && !walk_yield);         // head becomes the head of the port's list again
    wire walk_end   = walk_pop && head_id == walk_tail && !walk_behind;    // the list is empty
    wire walk_over  = walk_stop || walk_end;
    wire turn_begin = turn_valid_q && (!walk_valid_q || walk_over);

    // Fetching runs ahead of head. What it reads beyond the list's end is not taken.
    wire [ID_WIDTH - 1:0]    link_id;
    wire                     unused_link_waits;
    wire [ENTRY_WIDTH - 1:0] unused_link_entry;
    assign `MOEHUB_WAITER(link_id, unused_link_waits, unused_link_entry) = link_waiter;
    wire [ID_WIDTH - 1:0] fetch_from = link_valid_q ? link_id : fetched_q;
    wire                  fetch      = walk_valid_q && !(link_valid_q && next_valid_q);
    wire                  link_moves = link_valid_q && !next_valid_q;
    wire                  head_moves = !head_valid_q || walk_pop;
    wire [WAITER_WIDTH - 1:0] turn_waiter = heads[turn_port_q * WAITER_WIDTH +: WAITER_WIDTH];
    wire [ID_WIDTH - 1:0]     turn_id;
    wire                      unused_turn_waits;
    wire [ENTRY_WIDTH - 1:0]  unused_turn_entry;
    assign `MOEHUB_WAITER(turn_id, unused_turn_waits, unused_turn_entry) = turn_waiter;

    always @(posedge clk) begin
        walk_valid_q <= turn_begin || (walk_valid_q && !walk_over);
        head_valid_q <= turn_begin || (!walk_over && (!head_moves || next_valid_q || link_moves));
        next_valid_q <= !walk_over && !turn_begin && !head_moves && (next_valid_q || link_moves);
        link_valid_q <= !walk_over && !turn_begin && (fetch ? fetch_from != walk_tail : link_valid_q);
        if (rst) begin
            walk_valid_q <= 1'b0;
            head_valid_q <= 1'b0;
            next_valid_q <= 1'b0;
            link_valid_q <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (turn_begin) begin
            walk_port_q        <= turn_port_q;
            walk_port_onehot_q <= turn_port_onehot_q;
            walk_count_q       <= 4'd0;
            head_waiter_q        <= turn_waiter;
            fetched_q          <= turn_id;
        end else begin
            if (walk_pop && walk_count_q != 4'd15) walk_count_q <= walk_count_q + 4'd1;
            if (head_moves) head_waiter_q <= next_valid_q ? next_waiter_q : link_waiter;
            fetched_q <= fetch_from;
        end
        if (!next_valid_q) next_waiter_q <= link_waiter;
    end

    wire link_parity_error;
    moehub_memory_1r1w #(.WIDTH(WAITER_WIDTH), .DEPTH(WAITING), .PARITY(PARITY)) u_links (
        .clk(clk), .write_enable(insert_behind), .write_address(tails[insert_port * ID_WIDTH +: ID_WIDTH]),
        .write_data(insert_waiter),
        .read_enable(fetch && !rst), .read_address(fetch_from), .read_data(link_waiter), .parity_error(link_parity_error)
    );

    // What is read beyond a list's end may never have been written.
    assign queue_parity[0] = link_parity_error && link_valid_q;

    // ---- whose turn is next -----------------------------------------------------------------------------------------
    wire [PORTS - 1:0] walking = walk_port_onehot_q & {PORTS{walk_valid_q}};
    wire [PORTS - 1:0] request = ready_q & blocked_q & ~walking;
    wire               choose  = !turn_valid_q;
    wire                     grant_valid;
    wire [PORTS - 1:0]       grant;
    wire [PORT_WIDTH - 1:0]  grant_port;
    moehub_arbiter #(.PORTS(PORTS)) u_turns (
        .clk(clk), .rst(rst), .request(request), .advance(choose), .grant_valid(grant_valid), .grant(grant),
        .grant_index(grant_port)
    );

    always @(posedge clk) begin
        turn_valid_q <= choose ? grant_valid : !turn_begin;
        if (rst) turn_valid_q <= 1'b0;
    end

    always @(posedge clk) begin
        if (choose) begin
            turn_port_q        <= grant_port;
            turn_port_onehot_q <= grant;
        end
    end

    // ---- lists ------------------------------------------------------------------------------------------------------
    genvar p;
    generate
        for (p = 0; p < PORTS; p = p + 1) begin : g_port
            localparam [31:0] NAME = p;
            reg  [WAITER_WIDTH - 1:0] head_q;
            reg  [ID_WIDTH - 1:0]     tail_q;
            wire [ID_WIDTH - 1:0]     unused_first_id;
            wire                      first_waits;
            wire [ENTRY_WIDTH - 1:0]  first_entry;
            assign `MOEHUB_WAITER(unused_first_id, first_waits, first_entry) = head_q;
            wire here   = insert_port == NAME[PORT_WIDTH - 1:0];
            wire start  = insert_alone && here;
            wire append = insert_behind && here;
            wire stop   = walk_stop && walk_port_onehot_q[p];
            wire finish = walk_end && walk_port_onehot_q[p];

            always @(posedge clk) begin
                if (start) head_q <= insert_waiter;
                else if (stop) head_q <= head_waiter_q;
                if (start || append) tail_q <= insert_id;
            end

            always @(posedge clk) begin
                if (start) blocked_q[p] <= 1'b1;
                else if (finish) blocked_q[p] <= 1'b0;
                ready_q[p] <= blocked_q[p] && (!first_waits || resolved[first_entry]);
                if (rst) begin
                    blocked_q[p] <= 1'b0;
                    ready_q[p]   <= 1'b0;
                end
            end
            assign heads[p * WAITER_WIDTH +: WAITER_WIDTH] = head_q;
            assign tails[p * ID_WIDTH +: ID_WIDTH]     = tail_q;
        end
    endgenerate

    // ---- one output, and a gap for the walker when it starves -------------------------------------------------------
    reg [1:0] refused_q;
    reg       hold_q;
    reg       s1_gap_q;
    reg       s2_gap_q;
    wire      refused = walk_able && insert_straight;

    assign hold = hold_q;

    always @(posedge clk) begin
        if (refused && refused_q != 2'd3) refused_q <= refused_q + 2'd1;
        else if (walk_pop) refused_q <= 2'd0;
        // One gap, then none until it has arrived (two cycles).
        hold_q <= refused && refused_q == 2'd3 && !hold_q && !s1_gap_q && !s2_gap_q;
        s1_gap_q <= hold_q;
        s2_gap_q <= s1_gap_q;
        if (rst) begin
            refused_q <= 2'd0;
            hold_q    <= 1'b0;
            s1_gap_q   <= 1'b0;
            s2_gap_q   <= 1'b0;
        end
    end

    wire unused_output_empty;
    moehub_memory_fifo #(.WIDTH(WAITER_WIDTH), .DEPTH(WAITING), .PARITY(PARITY)) u_output (
        .clk(clk), .rst(rst), .in_valid(insert_straight || walk_pop), .in_data(insert_straight ? insert_waiter : head_waiter_q),
        .out_valid(ready_valid), .out_ready(ready_ready), .out_data(ready_waiter), .empty(unused_output_empty),
        .parity_error(queue_parity[1])
    );
endmodule

`default_nettype wire
