// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_arrival: a peer of the solver's choice is complete exactly from when it has closed and as many of its pairs
// were handled as it announced, until CLEAR.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
`include "moehub_width.vh"
module formal_tile_tracker_arrival #(
    parameter CONTEXTS = 1,
    parameter GPUS     = 2
) (
    input wire        clk,
    input wire        rst,
    input wire        operation_valid,
    input wire [1:0]  kind,
    input wire [2:0]  of_context,
    input wire [5:0]  peer,
    input wire [31:0] count
);
`include "formal_reset.vh"
    localparam PEERS = CONTEXTS * GPUS;
    reg [7:0] walk_q = 8'd0; // reset clears all words
    wire      open = walk_q == PEERS;
    always @(posedge clk) walk_q <= rst ? 8'd0 : open ? walk_q : walk_q + 8'd1;
    always @* assume ((!operation_valid || open) && of_context < CONTEXTS && peer < GPUS);

    wire [PEERS - 1:0]                       complete;
    wire                                     handled;
    wire                                     closed;
    wire                                     fault_valid;
    wire [`MOEHUB_TRACKER_ERROR_WIDTH - 1:0] fault;
    wire                                     get_valid;
    wire [`MOEHUB_ARRIVED_WIDTH - 1:0]       arrival;
    wire                                     get_complete;
    moehub_tile_tracker_arrival #(.CONTEXTS(CONTEXTS), .GPUS(GPUS)) u_arrival (
        .clk(clk), .rst(rst), .walking(!open), .walk({9'd0, walk_q}), .operation_valid(operation_valid),
        .operation(`MOEHUB_ARRIVAL_OPERATION(kind, of_context, peer, count)), .complete(complete), .handled(handled),
        .closed(closed), .fault_valid(fault_valid), .fault(fault), .get_valid(get_valid), .arrival(arrival),
        .get_complete(get_complete)
    );

    // ---- the operations on one peer, as they reach the stage in which its word changes ------------------------------------
    (* anyconst *) wire [2:0] its_context;
    (* anyconst *) wire [5:0] its_peer;
    always @* assume (its_context < CONTEXTS && its_peer < GPUS);
    wire hits = operation_valid && !rst && of_context == its_context && peer == its_peer;
    reg [5:0]   hits_q = 6'd0;
    reg [11:0]  kind_q;
    reg [191:0] count_q;
    always @(posedge clk) begin
        hits_q  <= rst ? 6'd0 : {hits_q[4:0], hits};
        kind_q  <= {kind_q[9:0], kind};
        count_q <= {count_q[159:0], count};
    end
    wire        is_handled = hits_q[5] && kind_q[11:10] == `MOEHUB_ARRIVAL_HANDLED;
    wire        is_close   = hits_q[5] && kind_q[11:10] == `MOEHUB_ARRIVAL_CLOSE;
    wire        is_clear   = hits_q[5] && kind_q[11:10] == `MOEHUB_ARRIVAL_CLEAR;
    wire [31:0] now_count  = count_q[191:160];

    // ---- the peer as the page has it ------------------------------------------------------------------------------------------
    reg [31:0] handled_q   = 32'd0;
    reg [31:0] announced_q = 32'd0;
    reg        closed_q    = 1'b0;
    reg        met_q       = 1'b0; // closed, and handled >= announced, after an operation that counts
    reg        complete_q  = 1'b0; // a cycle later
    reg        twice_q     = 1'b0; // it refused a close
    reg        late_close_q = 1'b0; // handled all before its close
    reg        read_q      = 1'b0;
    wire [31:0] handled_now   = handled_q + (is_handled ? now_count : 32'd0);
    wire [31:0] announced_now = is_close && !closed_q ? now_count : announced_q;
    wire        counts        = (is_handled && closed_q) || (is_close && !closed_q);
    always @(posedge clk) begin
        handled_q   <= handled_now;
        announced_q <= announced_now;
        closed_q    <= closed_q || is_close;
        met_q       <= met_q || (counts && handled_now >= announced_now);
        complete_q  <= met_q;
        twice_q     <= is_close && closed_q && !rst;
        read_q      <= hits_q[5] && kind_q[11:10] == `MOEHUB_ARRIVAL_GET && !rst;
        late_close_q <= is_close && !closed_q && handled_q != 32'd0 && handled_now >= announced_now && !rst;
        if (rst || is_clear) begin
            handled_q   <= 32'd0;
            announced_q <= 32'd0;
            closed_q    <= 1'b0;
            met_q       <= 1'b0;
        end
        if (rst) complete_q <= 1'b0;
    end
    reg  closed_before_q = 1'b0; // it had closed a cycle ago
    always @(posedge clk) closed_before_q <= closed_q && !rst;
    wire its_bit = complete[its_context * GPUS + its_peer];
    wire [31:0] word_handled;
    wire [31:0] word_announced;
    wire        word_closed;
    assign `MOEHUB_ARRIVED(word_handled, word_announced, word_closed) = arrival;

    always @* if (started_q) begin
        complete_is:  assert (its_bit == complete_q);
        closed_first: assert (!its_bit || closed_before_q);
        low_is:       assert (!read_q || (word_handled[3:0] == handled_q[3:0] && word_announced[3:0] == announced_q[3:0]
            && word_closed == closed_q));
        close_once:   assert (!twice_q || fault_valid);
    end
    always @* begin
        by_pairs:    cover (its_bit && handled_q == 32'd3 && announced_q == 32'd3);
        by_close:    cover (late_close_q);
        refuses:     cover (twice_q);
        reads:       cover (read_q && handled_q == 32'd3 && closed_q);
    end
endmodule
`default_nettype wire
