// SPDX-License-Identifier: Apache-2.0
// moehub_tile_tracker_turns: each operation is one source's item, unchanged, and each item that is taken is an operation of its
// pipelines at once; never two in a pipeline's cycle; who asks without a pause has a turn in time.
`default_nettype none
`include "moehub_defines.vh"
`include "moehub_tile_tracker.vh"
module formal_tile_tracker_turns #(
    parameter LINKS      = 1,
    parameter SLOT_WIDTH = 2,
    parameter WAITS      = 4 * (LINKS + 3) // cycles at most until a source that asks without a pause has its turn
) (
    input wire                                                            clk,
    input wire                                                            rst,
    input wire                                                            open,
    input wire [LINKS:0]                                                  completed_valid,
    input wire [(LINKS + 1) * `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH) - 1:0]  completed,
    input wire                                                            done_valid,
    input wire [`MOEHUB_DONE_WIDTH - 1:0]                                 done,
    input wire [LINKS:0]                                                  close_valid,
    input wire [(LINKS + 1) * `MOEHUB_CLOSED_WIDTH - 1:0]                 close,
    input wire [3:0]                                                      tile_ask,
    input wire [4 * `MOEHUB_TILE_OPERATION_WIDTH - 1:0]                   tile_asks,
    input wire [1:0]                                                      arrival_ask,
    input wire [2 * `MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0]                arrival_asks
);
`include "formal_reset.vh"
    localparam WAYS            = LINKS + 1;
    localparam COMPLETED_WIDTH = `MOEHUB_COMPLETED_WIDTH(SLOT_WIDTH);

    wire [WAYS - 1:0]                            completed_ready;
    wire                                         done_ready;
    wire [WAYS - 1:0]                            close_ready;
    wire [3:0]                                   tile_take;
    wire [1:0]                                   arrival_take;
    wire                                         tile_valid;
    wire [`MOEHUB_TILE_OPERATION_WIDTH - 1:0]    tile_operation;
    wire                                         arrival_valid;
    wire [`MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_operation;
    moehub_tile_tracker_turns #(.LINKS(LINKS), .SLOT_WIDTH(SLOT_WIDTH)) u_turns (
        .clk(clk), .rst(rst), .open(open), .s_axis_completed_tvalid(completed_valid),
        .s_axis_completed_tready(completed_ready), .s_axis_completed_tdata(completed), .s_axis_done_tvalid(done_valid),
        .s_axis_done_tready(done_ready), .s_axis_done_tdata(done), .s_axis_close_tvalid(close_valid),
        .s_axis_close_tready(close_ready), .s_axis_close_tdata(close), .tile_ask(tile_ask), .tile_take(tile_take),
        .tile_asks(tile_asks), .arrival_ask(arrival_ask), .arrival_take(arrival_take), .arrival_asks(arrival_asks),
        .tile_valid(tile_valid), .tile_operation(tile_operation), .arrival_valid(arrival_valid),
        .arrival_operation(arrival_operation)
    );
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            formal_stream_assume #(.WIDTH(COMPLETED_WIDTH)) u_completed (
                .clk(clk), .rst(rst), .valid(completed_valid[w]), .ready(completed_ready[w]),
                .data(completed[w * COMPLETED_WIDTH +: COMPLETED_WIDTH])
            );
            formal_stream_assume #(.WIDTH(`MOEHUB_CLOSED_WIDTH)) u_close (
                .clk(clk), .rst(rst), .valid(close_valid[w]), .ready(close_ready[w]),
                .data(close[w * `MOEHUB_CLOSED_WIDTH +: `MOEHUB_CLOSED_WIDTH])
            );
        end
    endgenerate
    formal_stream_assume #(.WIDTH(`MOEHUB_DONE_WIDTH)) u_done (
        .clk(clk), .rst(rst), .valid(done_valid), .ready(done_ready), .data(done)
    );

    // ---- what was, a cycle ago ---------------------------------------------------------------------------------------------
    reg                                            open_q         = 1'b0;
    reg  [3:0]                                     tile_took_q    = 4'd0;
    reg  [1:0]                                     arrival_took_q = 2'd0;
    reg  [4 * `MOEHUB_TILE_OPERATION_WIDTH - 1:0]  tile_asks_q;
    reg  [2 * `MOEHUB_ARRIVAL_OPERATION_WIDTH - 1:0] arrival_asks_q;
    reg  [2 * WAYS:0]                              ready_q = {2 * WAYS + 1{1'b0}};
    always @(posedge clk) begin
        open_q         <= open;
        tile_took_q    <= tile_take & {4{!rst}};
        arrival_took_q <= arrival_take & {2{!rst}};
        tile_asks_q    <= tile_asks;
        arrival_asks_q <= arrival_asks;
        ready_q        <= {done_ready, close_ready, completed_ready} & {2 * WAYS + 1{!rst}};
    end

    // ---- one way, one inner source ---------------------------------------------------------------------------------------
    (* anyconst *) wire [1:0] its_way;
    (* anyconst *) wire [1:0] its_tile;
    (* anyconst *) wire       its_arrival;
    always @* assume (its_way < WAYS);
    wire [1:0]              kind;
    wire [2:0]              named_context;
    wire [5:0]              source;
    wire [7:0]              expert;
    wire [SLOT_WIDTH - 1:0] slot;
    wire [7:0]              value;
    wire                    error;
    assign `MOEHUB_COMPLETED(kind, named_context, source, expert, slot, value, error) =
        completed[its_way * COMPLETED_WIDTH +: COMPLETED_WIDTH];
    wire [2:0]  close_context;
    wire [5:0]  close_source;
    wire [31:0] close_count;
    assign `MOEHUB_CLOSED(close_context, close_source, close_count) =
        close[its_way * `MOEHUB_CLOSED_WIDTH +: `MOEHUB_CLOSED_WIDTH];
    wire [2:0]  done_context;
    wire [15:0] done_expert;
    wire [31:0] done_tile;
    wire        done_stage;
    assign `MOEHUB_DONE(done_context, done_expert, done_tile, done_stage) = done;
    wire is_bytes   = kind == `MOEHUB_COMPLETED_BYTES;
    wire is_refused = kind == `MOEHUB_COMPLETED_REFUSED;

    // ---- who is an operation in this cycle -------------------------------------------------------------------------------
    reg [WAYS - 1:0] to_tiles;   // by its kind
    reg [WAYS - 1:0] to_arrival;
    integer          i;
    always @* for (i = 0; i < WAYS; i = i + 1) begin
        to_tiles[i]   = completed[i * COMPLETED_WIDTH +: 2] != `MOEHUB_COMPLETED_REFUSED;
        to_arrival[i] = completed[i * COMPLETED_WIDTH +: 2] == `MOEHUB_COMPLETED_BYTES
            || completed[i * COMPLETED_WIDTH +: 2] == `MOEHUB_COMPLETED_REFUSED;
    end
    wire [WAYS + 4:0] tile_turns    = {tile_took_q, done_ready, completed_ready};
    wire [2 * WAYS + 1:0] arrival_turns = {arrival_took_q, close_ready, completed_ready & to_arrival};

    // ---- waiting -----------------------------------------------------------------------------------------------------------
    reg [4:0] completed_waits_q = 5'd0;
    reg [4:0] done_waits_q      = 5'd0;
    reg [4:0] close_waits_q     = 5'd0;
    reg [4:0] tile_waits_q      = 5'd0;
    reg [4:0] arrival_waits_q   = 5'd0;
    always @(posedge clk) begin
        completed_waits_q <= open && completed_valid[its_way] && !completed_ready[its_way] ? completed_waits_q + 5'd1 : 5'd0;
        done_waits_q      <= open && done_valid && !done_ready ? done_waits_q + 5'd1 : 5'd0;
        close_waits_q     <= open && close_valid[its_way] && !close_ready[its_way] ? close_waits_q + 5'd1 : 5'd0;
        tile_waits_q      <= open && tile_ask[its_tile] && !tile_take[its_tile] ? tile_waits_q + 5'd1 : 5'd0;
        arrival_waits_q   <= open && arrival_ask[its_arrival] && !arrival_take[its_arrival] ? arrival_waits_q + 5'd1 : 5'd0;
        if (rst) begin
            completed_waits_q <= 5'd0;
            done_waits_q      <= 5'd0;
            close_waits_q     <= 5'd0;
            tile_waits_q      <= 5'd0;
            arrival_waits_q   <= 5'd0;
        end
    end

    // Cycles that completed records lose to what waits for arrival: one asked a cycle ago, and nobody had the turn.
    reg       asked_q = 1'b0;
    reg [2:0] lost_q  = 3'd0; // one, two, three cycles ago
    wire      lost    = asked_q && tile_turns == {WAYS + 5{1'b0}};
    always @(posedge clk) begin
        asked_q <= !rst && open && |(completed_valid & ~completed_ready);
        lost_q  <= rst ? 3'd0 : {lost_q[1:0], lost};
    end

    always @* if (started_q) begin
        takes_why:     assert (((completed_ready & ~completed_valid) | (close_ready & ~close_valid)) == {WAYS{1'b0}}
            && (!done_ready || done_valid) && (ready_q & {done_ready, close_ready, completed_ready}) == {2 * WAYS + 1{1'b0}});
        asked:         assert ((tile_take & ~tile_ask) == 4'd0 && (arrival_take & ~arrival_ask) == 2'd0);
        opened:        assert (open_q || {completed_ready, close_ready, done_ready} == {2 * WAYS + 1{1'b0}});
        opened_inner:  assert (open || {tile_take, arrival_take} == 6'd0);
        one_tile:      assert ((tile_turns & (tile_turns - 1'b1)) == {WAYS + 5{1'b0}});
        one_arrival:   assert ((arrival_turns & (arrival_turns - 1'b1)) == {2 * WAYS + 2{1'b0}});
        tiles_then:    assert (tile_valid == |{tile_took_q, done_ready, completed_ready & to_tiles});
        arrival_then:  assert (arrival_valid == |arrival_turns);
        completed_is:  assert (!completed_ready[its_way] || is_refused || tile_operation == `MOEHUB_TILE_OPERATION(
            (is_bytes ? 3'd`MOEHUB_TILE_BYTES : 3'd`MOEHUB_TILE_WORD), named_context, {8'd0, expert},
            {{32 - SLOT_WIDTH{1'b0}}, slot}, source, value, error));
        pairs_are:     assert (!(completed_ready[its_way] && (is_bytes || is_refused)) || arrival_operation ==
            `MOEHUB_ARRIVAL_OPERATION(2'd`MOEHUB_ARRIVAL_HANDLED, named_context, source, (is_bytes ? 32'd1 : {24'd0, value})));
        done_is:       assert (!done_ready || tile_operation == `MOEHUB_TILE_OPERATION(
            3'd`MOEHUB_TILE_DONE, done_context, done_expert, done_tile, 6'd0, {7'd0, done_stage}, 1'b0));
        close_is:      assert (!close_ready[its_way] || arrival_operation == `MOEHUB_ARRIVAL_OPERATION(
            2'd`MOEHUB_ARRIVAL_CLOSE, close_context, close_source, close_count));
        inner_is:      assert (!tile_took_q[its_tile] || tile_operation ==
            tile_asks_q[its_tile * `MOEHUB_TILE_OPERATION_WIDTH +: `MOEHUB_TILE_OPERATION_WIDTH]);
        inner_pair_is: assert (!arrival_took_q[its_arrival] || arrival_operation ==
            arrival_asks_q[its_arrival * `MOEHUB_ARRIVAL_OPERATION_WIDTH +: `MOEHUB_ARRIVAL_OPERATION_WIDTH]);
        completed_waits: assert (completed_waits_q <= WAITS);
        done_waits:    assert (done_waits_q <= WAITS);
        tile_waits:    assert (tile_waits_q <= WAITS);
        each_fourth:   assert (!(lost && lost_q != 3'd0));
        close_waits:   assert (close_waits_q <= WAITS);
        arrival_waits: assert (arrival_waits_q <= WAITS);
    end
    always @* begin
        bytes_beside: cover (started_q && completed_ready[1] && is_bytes && its_way == 2'd1 && tile_valid && arrival_valid);
        both:         cover (started_q && tile_took_q[3] && arrival_took_q[1] && its_tile == 2'd3 && its_arrival);
        refusal:      cover (started_q && completed_ready[its_way] && is_refused && !tile_valid);
        closes:       cover (started_q && close_ready[its_way] && tile_valid && done_ready);
        loses:        cover (started_q && lost && its_way == 2'd0);
        late:         cover (started_q && arrival_waits_q >= 5'd4);
    end
endmodule
`default_nettype wire
